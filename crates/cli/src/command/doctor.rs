//! `plumb doctor`: what this host has and enforces, and what children do without where it does not.

use crate::exit::Exit;
use crate::report::{Failure, Report};
use cfront::preprocess::Options;
use sandbox::{Host, Protection};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What is needed to run verbs, and what protects the user from the programs they run.
pub fn doctor() -> Report {
    let mut report = Report::new("doctor");
    let cc = Options::default().cc;
    let compiler = compiler_of(&cc);
    let z3 = smt::z3_version();
    let walls = Host::get().walls();
    let _ = match &compiler {
        Some(path) => writeln!(report.text, "compiler      {path}"),
        None => writeln!(report.text, "compiler      `{cc}` is not found; install a C compiler or set CC"),
    };
    let _ = writeln!(report.text, "solver        Z3 {z3}\n");
    let _ = writeln!(
        report.text,
        "Compilers, compiled programs and clients run in a sandbox. On this host a child is started"
    );
    let mut described = Vec::new();
    for (wall, protection) in walls.iter() {
        let (word, why) = match protection {
            Protection::Enforced => ("yes", None),
            Protection::Unavailable(why) => ("NO", Some(why)),
        };
        let _ = writeln!(report.text, "  {word:3} {:12} {}", wall.name(), wall.what());
        if let Some(why) = why {
            let _ = writeln!(report.text, "      {:12} {why}", "");
        }
        described.push(json!({ "wall": wall.name(), "enforced": why.is_none(), "why": why }));
    }
    let counting = Host::get().counting();
    let _ = writeln!(report.text, "and its processes and their memory are counted {counting}");
    let missing = walls.missing().count();
    report.summary = match missing {
        0 => "all walls stand".to_string(),
        1 => "one wall is missing; --require-sandbox refuses to run without it".to_string(),
        n => format!("{n} walls are missing; --require-sandbox refuses to run without them"),
    };
    if compiler.is_none() || missing > 0 {
        report.exit = Exit::Found;
    }
    report.result.insert("compiler".into(), compiler.map_or(Value::Null, Value::from));
    report.result.insert("z3".into(), z3.into());
    report.result.insert("sandbox".into(), Value::Array(described));
    report.result.insert("counting".into(), counting.into());
    report
}

fn compiler_of(cc: &str) -> Option<String> {
    let program = cc.split_whitespace().next()?;
    let path = sandbox::find(program.as_ref()).ok().filter(|path| path.exists())?;
    Some(path.display().to_string())
}

/// For `--require-sandbox`: refuses to begin where a wall is missing.
pub fn require_all_walls() -> Result<(), Failure> {
    let walls = Host::get().walls();
    let missing: Vec<String> = walls.missing().map(|(wall, why)| format!("{wall} ({why})")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("this host does not enforce the whole sandbox: {}", missing.join("; ")))
        .with_help("`plumb doctor` says what each part is; without --require-sandbox the rest protects you"))
}

/// Says in a report which walls the children of its command did without.
pub fn say_what_is_missing(report: &mut Report) {
    let Some(host) = Host::tried() else { return };
    let walls = host.walls();
    let missing: Vec<Value> = walls.missing().map(|(wall, why)| json!({ "wall": wall.name(), "why": why })).collect();
    if missing.is_empty() || report.command == "doctor" {
        return;
    }
    let names: Vec<&str> = walls.missing().map(|(wall, _)| wall.name()).collect();
    report.summary.insert_str(0, &format!("note: the sandbox lacks {}; see `plumb doctor`\n", names.join(", ")));
    report.result.insert("sandbox_lacks".into(), Value::Array(missing));
}
