//! Runs C files in the VM: a workbench that takes what `plumb run` takes and builds without the verbs.
//!
//! `cargo run -p exec --example run_files -- run [--cflags FLAGS] FILE… [-- ARGS]`

use exec::vm::{Image, Machine, Options, Schedule};
use exec::{Budget, Ending, Input};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = cfront::preprocess::Options::default();
    let mut files = Vec::new();
    let mut input = Input::default();
    let mut watch = Options { schedule: Some(Schedule::default()), ..Options::default() };
    options.threads = true;
    let mut args = std::env::args().skip(1).filter(|arg| arg != "run");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--" => input.args = args.by_ref().collect(),
            "--cflags" => {
                let flags = args.next().unwrap_or_default();
                options.flags = flags.split_whitespace().map(str::to_string).collect();
            }
            "--color" => _ = args.next(),
            "--rules" => {
                let rules = args.next();
                options.shifts_wrap = matches!(rules.as_deref(), Some("gnu" | "abi"));
                watch.policy.flat = rules.as_deref() == Some("abi");
            }
            "--keep-going" => watch.policy.keep_going = true,
            "--seed" => {
                let seed = args.next().and_then(|seed| seed.parse().ok()).unwrap_or(0);
                watch.schedule = Some(Schedule { seed });
            }
            "--dir" => {
                let path = PathBuf::from(args.next().unwrap_or_default());
                input.folders.push(exec::Folder { path, read_only: false });
            }
            _ => files.push(PathBuf::from(arg)),
        }
    }
    let loaded = match cfront::load(&files, &options) {
        Ok(loaded) => loaded,
        Err(cfront::Failure::Program { findings, sources }) => {
            for finding in findings {
                let place = sources.describe(finding.span);
                eprintln!("[{}] error: {} at {place}", finding.rule.id(), finding.message);
            }
            return ExitCode::from(2);
        }
        Err(cfront::Failure::Environment(trouble)) => {
            eprintln!("{trouble:?}");
            return ExitCode::from(2);
        }
    };
    let program = loaded.program;
    let Some((entry, _, _)) = program.defined_functions().find(|(_, function, _)| function.name == "main") else {
        eprintln!("error: there is no `main`");
        return ExitCode::from(2);
    };
    let problems = ir::verify(&program);
    for problem in &problems {
        eprintln!("[malformed] error: {problem:?}");
    }
    if !problems.is_empty() {
        return ExitCode::from(101);
    }
    let _ = std::io::stdin().read_to_end(&mut input.stdin);
    let image = Image::new(&program, exec::libc::LIBRARY);
    let run = Machine::new(&image).run(entry, &input, &Budget::default(), watch);
    let _ = std::io::stdout().write_all(&run.outcome.stdout);
    let _ = std::io::stderr().write_all(&run.outcome.stderr);
    let place = |span| program.sources.describe(span);
    for finding in &run.passed {
        eprintln!("[{}] error: {} at {}", finding.rule.id(), finding.message, place(finding.span));
    }
    match run.outcome.ending {
        Ending::Exited(status) => ExitCode::from(status as u8),
        Ending::Faulted(finding) => {
            eprintln!("[{}] error: {} at {}", finding.rule.id(), finding.message, place(finding.span));
            for note in &finding.notes {
                eprintln!("    {} at {}", note.message, place(note.span));
            }
            ExitCode::from(1)
        }
        Ending::Unsupported { what, span } => {
            eprintln!("inconclusive: no model of {what} at {}", place(span));
            ExitCode::from(3)
        }
        Ending::OutOfBudget { limit, span } => {
            eprintln!("inconclusive: out of {limit:?} at {}", place(span));
            ExitCode::from(3)
        }
        other => {
            eprintln!("inconclusive: {other:?}");
            ExitCode::from(3)
        }
    }
}
