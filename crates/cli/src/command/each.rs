//! A verb on many questions: `--each` takes every file for a program of its own, or each claim, place or client of one program.
//!
//! These are the items that shards are made of. Each has its own time, and one that cannot be read, or meets a bug of
//! ours, costs itself alone.

use super::{Context, prove, reach, represent};
use crate::args::{Cli, Command, Each};
use crate::exit::Exit;
use crate::parts;
use crate::render;
use crate::report::{Failure, Report};
use crate::status_line::StatusLine;
use diagnostics::Shard;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What a verb says of one item.
type One<'a> = dyn Fn(&Cli, &Arc<AtomicBool>) -> Result<Report, Failure> + 'a;

/// The items of a question.
struct Items {
    names: Vec<String>,
    /// What they may cost, for an even deal.
    costs: Vec<u64>,
}

/// Asks the command of each of its items.
pub fn each(
    cli: &mut Cli,
    each: Each,
    shard: Option<Shard>,
    interrupted: &Arc<AtomicBool>,
    one: &One<'_>,
) -> Result<Report, Failure> {
    let verb = verb(&cli.command);
    let files = cli.command.program().map(|(files, _)| files.clone()).unwrap_or_default();
    let Items { names, costs } = items(cli, each, &files, interrupted)?;
    let owned = shard.map_or_else(|| vec![true; names.len()], |shard| shard.owned(&costs));
    let tests = tests_of(&cli.command);
    let mut texts = files.clone();
    for file in &files {
        name_tests(&mut cli.command, tests.as_deref(), file);
        texts.extend(cli.command.given_files());
    }
    let mut runs = Vec::new();
    for item in (0..names.len()).filter(|item| owned[*item]) {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        match each {
            Each::File => {
                if let Some((named, _)) = cli.command.program() {
                    *named = vec![files[item].clone()];
                }
                name_tests(&mut cli.command, tests.as_deref(), &files[item]);
            }
            Each::Claim | Each::Place | Each::Client => {
                if let Some(parts) = cli.command.parts() {
                    parts.item = Some(item);
                }
            }
        }
        let asked = if each == Each::File { "file" } else { "item" };
        runs.push(run(cli, (asked, &names[item]), interrupted, one));
    }
    let mut report = told(verb, &runs);
    if let Some(shard) = shard {
        report.shard = Some(parts::member(shard, &texts, json!({ "items": names })));
    }
    Ok(report)
}

fn items(cli: &Cli, each: Each, files: &[PathBuf], interrupted: &Arc<AtomicBool>) -> Result<Items, Failure> {
    let context = Context { shared: &cli.shared, interrupted, status_line: &StatusLine::new(&cli.shared) };
    let names = match (each, &cli.command) {
        (Each::File, Command::Represent(_)) => {
            return Err(Failure::new("the files of `represent` are one program").with_help("--each=client cuts it"));
        }
        (Each::File, _) => {
            let names = files.iter().map(|file| file.display().to_string()).collect();
            let costs = files.iter().map(|file| std::fs::metadata(file).map_or(0, |about| about.len())).collect();
            return Ok(Items { names, costs });
        }
        (Each::Claim, Command::Prove(args)) => prove::claims(args, &context)?,
        (Each::Place, Command::Reach(args)) => reach::places(args, &context)?,
        (Each::Client, Command::Represent(args)) => represent::client_names(args)?,
        (Each::Claim | Each::Place | Each::Client, command) => {
            let items = format!("{each:?}").to_lowercase();
            return Err(Failure::new(format!("`{}` has no items of the kind `{items}`", verb(command)))
                .with_help("--each=claim is for prove, --each=place for reach, --each=client for represent"));
        }
    };
    // Names may be alike; numbers are not.
    let numbered: Vec<String> =
        (1..).zip(names).map(|(number, name): (usize, _)| format!("{number}: {name}")).collect();
    let costs = vec![1; numbered.len()];
    Ok(Items { names: numbered, costs })
}

fn run(cli: &Cli, (asked, name): (&str, &str), interrupted: &Arc<AtomicBool>, one: &One<'_>) -> Value {
    let started = Instant::now();
    let answered = catch_unwind(AssertUnwindSafe(|| one(cli, interrupted)));
    let elapsed = started.elapsed();
    let failed = |exit: Exit, message: &str, help: Option<String>| {
        json!({
            asked: name,
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
                asked: name,
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
        report.text += &format!("== {}\n", name_of(run));
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
    report.summary = format!("{verb}, {} {}: {}", runs.len(), counted(runs), counts.join(", "));
    report.result.insert("verb".into(), json!(verb));
    report.result.insert("runs".into(), json!(runs));
    report
}

/// The file or the item that was asked about.
pub fn name_of(run: &Value) -> &str {
    run["file"].as_str().or(run["item"].as_str()).unwrap_or_default()
}

fn counted(runs: &[Value]) -> &'static str {
    match runs.iter().any(|run| run.get("item").is_some()) {
        true => "items",
        false => "programs",
    }
}

fn verb(command: &Command) -> &'static str {
    match command {
        Command::Infer(_) => "infer",
        Command::Prove(_) => "prove",
        Command::Reach(_) => "reach",
        Command::Symmetry(_) => "symmetry",
        Command::Repair(_) => "repair",
        Command::Represent(_) => "represent",
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
