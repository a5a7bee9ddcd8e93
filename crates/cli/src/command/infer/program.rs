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

pub(super) fn infer(
    args: &Infer,
    context: &Context<'_>,
    program: &Program,
    wanted: &Wanted,
    deadline: Deadline,
) -> Result<Report, Failure> {
    let entry = sources::entry(program, args.entry.as_deref())?;
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
    let refinement = refinement.map_err(|why| {
        Failure::new(why).with_help("--entry chooses another function; a small `main` can call this one with numbers")
    })?;
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
