//! Relations of a program, from runs.

use super::listing::{self, Where};
use super::{Wanted, check_names};
use crate::args::{Emit, Engine, Infer};
use crate::command::sources;
use crate::command::{Context, now};
use crate::exit::Exit;
use crate::report::{Failure, Report};
use diagnostics::Deadline;
use infer::emit::{self, Emitted};
use infer::{Config, InferReport};
use ir::{FunctionId, Program};
use observe::locations::Request;
use prove::{RefinementReport, refine};
use serde_json::json;
use std::time::Instant;

pub(super) fn infer(
    args: &Infer,
    context: &Context<'_>,
    program: &Program,
    wanted: &Wanted,
    deadline: Deadline,
) -> Result<Report, Failure> {
    let entries = entries(args, program)?;
    let mut refinement = RefinementReport::default();
    for (index, &entry) in entries.iter().enumerate() {
        if deadline.is_cancelled() {
            let name = &program.functions[entry].name;
            refinement.found.notes.push(format!("The time was up before `{name}` was looked at."));
            continue;
        }
        // What is left is shared by the functions that are left.
        let share = deadline.left() / u32::try_from(entries.len() - index).unwrap_or(u32::MAX);
        let own = if entries.len() > 1 { deadline.by(Instant::now() + share) } else { deadline.clone() };
        match (of_entry(args, context, program, wanted, entry, own), entries.as_slice()) {
            (Ok(found), [_]) => refinement = found,
            (Ok(found), _) => join(&mut refinement, found, &program.functions[entry].name),
            (Err(failure), [_]) => return Err(failure),
            (Err(failure), _) => {
                let name = &program.functions[entry].name;
                refinement
                    .found
                    .notes
                    .push(format!("`{name}` was not looked at: {}.", failure.message.trim_end_matches('.')));
            }
        }
    }
    let found = &refinement.found;
    let names = found.locations.iter().flat_map(|l| l.location.variables.iter().map(|v| v.name.as_str()));
    if !found.locations.is_empty() {
        check_names(wanted, names.clone(), names)?;
    }
    let places: Vec<Where> = found.locations.iter().map(|l| Where::of(l, &program.sources)).collect();
    let seen = match found.excluded {
        0 => format!("from {}", runs(found.runs)),
        excluded => format!("from {}, {excluded} more excluded by assumptions", runs(found.runs)),
    };
    let emitted = args.emit.map(|what| write_back(what, program, found)).transpose()?;
    let mut report = listing::report(&refinement, &places, &program.sources, &seen, args.all);
    if let Some(Emitted { files, notes }) = emitted {
        report.text = files.values().cloned().collect();
        report.relations.clear();
        report.result.insert("emitted".into(), json!(files));
        let said: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
        report.summary = said + &report.summary;
        if report.text.is_empty() && report.exit == Exit::Clean {
            report.exit = Exit::Inconclusive;
            report.summary += "; nothing could be written back";
        }
    }
    Ok(report)
}

/// The functions to look at: the one that is named, `mainQ` or `main`, or else all of the files.
fn entries(args: &Infer, program: &Program) -> Result<Vec<FunctionId>, Failure> {
    let is_program = ["mainQ", "main"]
        .iter()
        .any(|name| program.find_function(name).is_some_and(|function| program.functions[function].body.is_some()));
    if args.entry.is_some() || is_program {
        return Ok(vec![sources::entry(program, args.entry.as_deref())?]);
    }
    let given: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let is_given = |span| {
        let region = program.sources.used(span);
        region.is_some_and(|region| given.contains(&program.sources.file(region.start.file).path))
    };
    let all = program.defined_functions().map(|(id, function, _)| (id, function.span));
    let (own, others): (Vec<_>, Vec<_>) = all.partition(|(_, span)| is_given(*span));
    let chosen = if own.is_empty() { others } else { own };
    match chosen.is_empty() {
        true => Ok(vec![sources::entry(program, None)?]),
        false => Ok(chosen.into_iter().map(|(id, _)| id).collect()),
    }
}

/// The relations of one function.
fn of_entry(
    args: &Infer,
    context: &Context<'_>,
    program: &Program,
    wanted: &Wanted,
    entry: FunctionId,
    deadline: Deadline,
) -> Result<RefinementReport, Failure> {
    let config = Config { deadline, ..config(args, context, wanted, program, entry)? };
    // Compiled runs show no ghosts and no entry values, which proofs lean on.
    let refinement = match args.no_prove || args.engine == Engine::Native {
        true => {
            infer::infer(program, entry, &config).map(|found| RefinementReport { found, ..RefinementReport::default() })
        }
        false => {
            let deadline = config.deadline.clone();
            let (globals, floats) = (args.world.globals(), args.floats.floats());
            let encoding = prove::Encoding { globals, floats, ..prove::Encoding::default() };
            let proving = prove::Config { infer: config, encoding, deadline, ..Default::default() };
            refine(program, entry, &proving)
        }
    };
    refinement.map_err(crate::command::refused)
}

/// Adds what was found of a function, whose name is put to what is not of a place.
fn join(all: &mut RefinementReport, more: RefinementReport, name: &str) {
    let RefinementReport { mut found, assumptions, obstacles, tally, refuted } = more;
    all.found.locations.append(&mut found.locations);
    all.found.runs += found.runs;
    all.found.excluded += found.excluded;
    all.found.notes.extend(found.notes.into_iter().map(|note| format!("{name}: {note}")));
    for required in &mut found.preconditions.required {
        required.text = format!("{name}: {}", required.text);
    }
    all.found.preconditions.required.append(&mut found.preconditions.required);
    all.found.preconditions.unexplained.append(&mut found.preconditions.unexplained);
    for assumption in assumptions {
        if !all.assumptions.contains(&assumption) {
            all.assumptions.push(assumption);
        }
    }
    all.obstacles.extend(obstacles);
    all.tally.add(tally);
    all.refuted += refuted;
}

fn config(
    args: &Infer,
    context: &Context<'_>,
    wanted: &Wanted,
    program: &Program,
    entry: FunctionId,
) -> Result<Config, Failure> {
    let mut config = Config { seed: context.shared.seed, ..Config::default() };
    if args.engine == Engine::Native {
        let options = sources::options(&args.compile, &args.flags, context.shared)?;
        config.engine = infer::Engine::Native { paths: args.files.clone(), options };
    }
    let at = args.at.iter().map(|text| sources::place(text)).collect();
    config.request = Request { at, ghosts: !args.no_ghosts, ..Request::default() };
    config.ranges = sources::ranges(&args.input)?;
    config.inputs = sources::inputs(args.inputs.as_deref(), program, entry)?;
    config.forms = wanted.forms.clone();
    config.terms.clone_from(&wanted.terms);
    config.vars.clone_from(&wanted.vars);
    config.arrays.clone_from(&wanted.arrays);
    Ok(config)
}

/// What can be written where it stands: not what is known only where pointers are valid, and not what has no text in C.
fn writable(found: &InferReport) -> InferReport {
    let mut found = found.clone();
    found.locations.retain(|location| !location.location.pointers_valid);
    for location in &mut found.locations {
        location.invariants.retain(|invariant| !invariant.predicate.variables().iter().any(|name| name.contains('(')));
    }
    found
}

fn write_back(what: Emit, program: &Program, found: &InferReport) -> Result<Emitted, Failure> {
    let found = &writable(found);
    let emitted = match what {
        Emit::Acsl => emit::acsl(program, found),
        Emit::CAssert => emit::c_assert(program, found),
        Emit::Witness => {
            let (text, notes) = emit::witness(program, found, env!("CARGO_PKG_VERSION"), now());
            return Ok(Emitted { files: [("witness.yml".to_string(), text)].into(), notes });
        }
    };
    if emitted.files.len() > 1 {
        let names: Vec<&str> = emitted.files.keys().map(String::as_str).collect();
        return Err(Failure::new(format!("relations would go to several files: {}", names.join(", ")))
            .with_help("--format json has them all, in `result.emitted`"));
    }
    Ok(emitted)
}

fn runs(count: u64) -> String {
    format!("{count} run{}", if count == 1 { "" } else { "s" })
}
