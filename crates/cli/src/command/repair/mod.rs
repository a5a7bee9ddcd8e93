//! `plumb repair`: the small edit that makes the tests pass.

mod asked;
mod listing;
mod proved;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{EmitTemplate, NumberSolver, Repair, RepairEmit, Suspicion};
use crate::output::write_whole;
use crate::report::{Failure, Report};
use cfront::Loaded;
use ir::{FunctionId, Program};
use repair::instance::{Shape, reachability};
use repair::{Build, Config, Metric, Patch, Solver, Test};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn repair(args: &Repair, context: &Context<'_>) -> Result<Report, Failure> {
    let (deadline, shared) = (context.deadline(), context.shared);
    let started = Instant::now();
    context.status_line.say("repair: reading C");
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let Loaded { program, .. } = match sources::read_files("repair", &args.files, &options)? {
        Read::Program(loaded) => *loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let (entry, tests) = asked::tests(args, &program)?;
    if args.emit == Some(RepairEmit::Reachability) {
        return emit(args, program, entry, &tests);
    }
    let config = Config {
        metric: match args.metric {
            Suspicion::Tarantula => Metric::Tarantula,
            Suspicion::Ochiai => Metric::Ochiai,
            Suspicion::Dstar => Metric::DStar,
            Suspicion::Op2 => Metric::Op2,
        },
        top: args.top as usize,
        min_score: args.min_score,
        localize_only: args.localize_only,
        solver: match args.solver {
            NumberSolver::Reach => Solver::Reach,
            NumberSolver::Enumerate => Solver::Enumerate,
            NumberSolver::Portfolio => Solver::Portfolio,
        },
        edits: args.edits.into(),
        patches: args.all.into(),
        deadline: deadline.clone(),
        seed: shared.seed,
    };
    let build = Build { files: args.files.clone(), options };
    context.status_line.say("repair: running tests and trying edits");
    let found = super::threads(shared)?
        .install(|| repair::repair(&program, entry, &tests, &build, &config))
        .map_err(Failure::new)?;
    let asked = proved::Asked { args, program: &program, entry, build: &build, deadline };
    let checked = super::threads(shared)?.install(|| asked.patches(&found.patches))?;
    let said = listing::Said { args, program: &program, entry, tests: &tests, found: &found, checked: &checked };
    let mut report = said.report(started.elapsed(), shared.verbose);
    report.sources = program.sources;
    // Its place is looked up before a patch changes the file.
    report.findings.extend(listing::finding(&found, &mut report.sources));
    if args.apply
        && let Some(patch) = found.patches.first()
    {
        let kept = apply(patch)?;
        report.text += &format!("\nThe first patch is applied; {kept}\n");
    }
    Ok(report)
}

/// The reachability program of a line.
fn emit(args: &Repair, program: Program, entry: FunctionId, tests: &[Test]) -> Result<Report, Failure> {
    let shape = match args.template {
        EmitTemplate::Linear => Shape::Linear,
        EmitTemplate::Constant => Shape::Constants,
        EmitTemplate::Operator => Shape::Operators,
    };
    let text = reachability(&program, entry, tests, args.at.unwrap_or(0), shape)
        .map_err(|why| Failure::new(format!("--emit reachability: {why}")))?;
    let mut report = Report::new("repair");
    report.result.insert("program".into(), serde_json::json!(text));
    report.text = text;
    report.sources = program.sources;
    Ok(report)
}

/// Writes a patch into the user's files. What was there is kept first, beside them.
fn apply(patch: &Patch) -> Result<String, Failure> {
    let mut kept = Vec::new();
    for (path, text) in &patch.texts {
        let backup = backup_of(path);
        std::fs::copy(path, &backup)
            .map_err(|error| Failure::new(format!("{} cannot be written: {error}", backup.display())))?;
        write_whole(Path::new(path), text.as_bytes())?;
        kept.push(format!("{path} as it was is in {}", backup.display()));
    }
    Ok(kept.join(", "))
}

/// A name that is not taken: `a.c.orig`, `a.c.orig.1`, ...
fn backup_of(path: &str) -> PathBuf {
    let first = PathBuf::from(format!("{path}.orig"));
    if !first.exists() {
        return first;
    }
    let numbered = (1..).map(|n| PathBuf::from(format!("{path}.orig.{n}")));
    numbered.into_iter().find(|name| !name.exists()).unwrap_or(first)
}
