//! Runs C files in the VM: a workbench that takes what `plumb run` takes and builds without the verbs.
//!
//! `cargo run -p exec --example run_files -- run [--cflags FLAGS] FILE… [-- ARGS]`

use exec::vm::{Image, Leaks, Machine, Options, Schedule};
use exec::{Budget, Ending, Input};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let mut options = cfront::preprocess::Options::default();
    let mut files = Vec::new();
    let mut input = Input::default();
    let mut watch = Options { schedule: Some(Schedule::default()), ..Options::default() };
    options.threads = true;
    options.mixed_units = true;
    let (mut budget, mut strict, mut suppressed) = (Budget::default(), true, String::new());
    budget.depth = 1_000_000;
    watch.policy.stack = 8 << 20;
    let mut args = std::env::args().skip(1).filter(|arg| arg != "run");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--" => input.args = args.by_ref().collect(),
            "--cflags" => {
                let flags = args.next().unwrap_or_default();
                options.flags = flags.split_whitespace().map(|flag| flag.replace(['\'', '\\'], "")).collect();
            }
            "--color" => _ = args.next(),
            "--rules" => {
                let rules = args.next();
                options.shifts_wrap = matches!(rules.as_deref(), Some("gnu" | "abi"));
                watch.policy.flat = rules.as_deref() == Some("abi");
                strict = rules.as_deref() == Some("iso");
            }
            "-q" => {}
            "--leaks" => watch.leaks = Some(Leaks::Lost),
            "--time" => budget.time_ms = args.next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(60) * 1000,
            "--steps" => budget.steps = args.next().and_then(|n| n.parse().ok()).unwrap_or(budget.steps),
            "--suppressions" => {
                suppressed = std::fs::read_to_string(args.next().unwrap_or_default()).unwrap_or_default()
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
    if !suppressed.is_empty() {
        // The rule, and the end of the file's name; `plumb` knows more of what such lines may say.
        let lines: Vec<(String, String)> = suppressed
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let [rule, _, file] = words[..] else { return None };
                Some((rule.to_string(), file.replace("/*", "/").trim_start_matches('*').to_string()))
            })
            .collect();
        let sources = program.sources.clone();
        watch.policy.suppressed = Some(Arc::new(move |finding| {
            let place = sources.describe(finding.span);
            lines.iter().any(|(rule, file)| rule == finding.rule.id() && place.contains(file.as_str()))
        }));
    }
    let mut image = Image::new(&program, exec::libc::LIBRARY);
    if strict {
        image = image.judging_strictly();
    }
    let run = Machine::new(&image).run(entry, &input, &budget, watch);
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
