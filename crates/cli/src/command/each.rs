//! A verb on many programs: `--each` takes every file for one of its own.
//!
//! The files are the items that shards are made of. Each has its own time, and one that cannot be read, or meets a bug of
//! ours, costs itself alone.

use crate::args::{Cli, Command, Parts};
use crate::exit::Exit;
use crate::parts;
use crate::render;
use crate::report::{Failure, Report};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What a verb says of one program.
type One<'a> = dyn Fn(&Cli, &Arc<AtomicBool>) -> Result<Report, Failure> + 'a;

/// Asks the command of each of its files.
pub fn each(cli: &mut Cli, parts: Parts, interrupted: &Arc<AtomicBool>, one: &One<'_>) -> Result<Report, Failure> {
    let verb = verb(&cli.command);
    let Some((files, _)) = cli.command.program() else { return one(cli, interrupted) };
    let files = std::mem::take(files);
    let costs: Vec<u64> = files.iter().map(|file| std::fs::metadata(file).map_or(0, |about| about.len())).collect();
    let owned = parts.shard.map_or_else(|| vec![true; files.len()], |shard| shard.owned(&costs));
    let tests = tests_of(&cli.command);
    let mut runs = Vec::new();
    for (file, _) in files.iter().zip(&owned).filter(|(_, owned)| **owned) {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        if let Some((named, _)) = cli.command.program() {
            *named = vec![file.clone()];
        }
        name_tests(&mut cli.command, tests.as_deref(), file);
        runs.push(run(cli, file, interrupted, one));
    }
    let mut report = told(verb, &runs);
    if let Some(shard) = parts.shard {
        report.shard = Some(parts::member(shard, &files, json!({ "files": files })));
    }
    Ok(report)
}

fn run(cli: &Cli, file: &Path, interrupted: &Arc<AtomicBool>, one: &One<'_>) -> Value {
    let started = Instant::now();
    let answered = catch_unwind(AssertUnwindSafe(|| one(cli, interrupted)));
    let elapsed = started.elapsed();
    let failed = |exit: Exit, message: &str, help: Option<String>| {
        json!({
            "file": file,
            "status": exit as u8,
            "stopped": exit.stopped(),
            "elapsed_ms": elapsed.as_millis() as u64,
            "error": match help {
                Some(help) => format!("{message}; {help}"),
                None => message.to_string(),
            },
        })
    };
    match answered {
        Ok(Ok(report)) => {
            let setting =
                render::Setting { shared: &cli.shared, elapsed, color: false, shows_out: false, shows_err: false };
            let mut document = render::json::document(&report, &setting);
            json!({
                "file": file,
                "status": report.exit as u8,
                "stopped": report.exit.stopped(),
                "elapsed_ms": elapsed.as_millis() as u64,
                "sources": document["sources"].take(),
                "result": document["result"].take(),
                "text": String::from_utf8_lossy(&render::as_text(&report, &setting)),
            })
        }
        Ok(Err(failure)) => failed(Exit::BadInput, &failure.message, failure.help),
        Err(_) => failed(Exit::Bug, "this is a bug in plumb, not in the program", None),
    }
}

/// The report of runs, be they of this process or of shards.
pub fn told(verb: &str, runs: &[Value]) -> Report {
    let mut report = Report::new("each");
    let of = |exit: Exit| runs.iter().filter(|run| run["status"] == exit as u8).count();
    // A bug of ours outweighs everything, and what is wrong outweighs what is not known.
    let worst = [Exit::Bug, Exit::Interrupted, Exit::Found, Exit::BadInput, Exit::Inconclusive, Exit::Nothing];
    report.exit = worst.into_iter().find(|exit| of(*exit) > 0).unwrap_or(Exit::Clean);
    for run in runs {
        report.text += &format!("== {}\n", run["file"].as_str().unwrap_or_default());
        match run["error"].as_str() {
            Some(error) => report.text += &format!("error: {error}\n"),
            None => report.text += run["text"].as_str().unwrap_or_default(),
        }
    }
    let words = [
        (Exit::Found, "with findings"),
        (Exit::Clean, "with nothing wrong"),
        (Exit::Inconclusive, "open"),
        (Exit::Nothing, "with nothing to prove"),
        (Exit::BadInput, "that could not be read"),
        (Exit::Interrupted, "interrupted"),
        (Exit::Bug, "with a bug of ours"),
    ];
    let counts: Vec<String> =
        words.iter().filter(|(exit, _)| of(*exit) > 0).map(|(exit, words)| format!("{} {words}", of(*exit))).collect();
    report.summary = format!("{verb}, {} programs: {}", runs.len(), counts.join(", "));
    report.result.insert("verb".into(), json!(verb));
    report.result.insert("runs".into(), json!(runs));
    report
}

fn verb(command: &Command) -> &'static str {
    match command {
        Command::Infer(_) => "infer",
        Command::Prove(_) => "prove",
        Command::Reach(_) => "reach",
        Command::Symmetry(_) => "symmetry",
        Command::Repair(_) => "repair",
        _ => "check",
    }
}

/// The tests of a repair as they were given: `{}` in the name stands for the program's, without its ending.
fn tests_of(command: &Command) -> Option<PathBuf> {
    match command {
        Command::Repair(args) => args.tests.clone(),
        _ => None,
    }
}

fn name_tests(command: &mut Command, tests: Option<&Path>, file: &Path) {
    if let (Command::Repair(args), Some(tests)) = (command, tests) {
        let stem = file.with_extension("").display().to_string();
        args.tests = Some(tests.display().to_string().replace("{}", &stem).into());
    }
}
