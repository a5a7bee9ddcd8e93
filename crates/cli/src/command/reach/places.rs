//! `plumb reach --target`: inputs that lead to places, and what is said about them.

use crate::args::{Reach, ReachEmit, SearchStrategy};
use crate::command::{Context, given};
use crate::exit::Exit;
use crate::render::json::assumptions_json;
use crate::report::{Failure, Relation, Report};
use cfront::preprocess::Options;
use ir::{FunctionId, Outcome, Program};
use reach::places::{self, Config, Counts, Found, PlacesReport, TargetError, Wanted, driver, reduction};
use replay::Sources;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use symex::explore::{self, Bounds, Exploration, Strategy, Witness};
use symex::targets;

/// The configuration of a search, from the options that all of `reach` share.
pub fn config(args: &Reach, context: &Context<'_>, options: Options) -> Config {
    let strategy = match args.strategy {
        SearchStrategy::Depth => Strategy::Depth,
        SearchStrategy::Breadth => Strategy::Breadth,
        SearchStrategy::Coverage => Strategy::Coverage,
        SearchStrategy::Distance => Strategy::Distance,
        SearchStrategy::Portfolio => Strategy::Portfolio,
    };
    let defaults = explore::Config::default();
    let search = explore::Config {
        strategy,
        bounds: Bounds {
            array: args.array_length,
            string: args.string_length,
            arguments: args.arguments,
            stdin: args.stdin_length,
            ..Bounds::default()
        },
        max_loop: args.max_loop,
        max_depth: args.depth.unwrap_or(defaults.max_depth),
        separate: args.assume_separate,
        merge: !args.no_merge,
        seed: context.shared.seed,
        stop: Some(context.stop()),
        progress: context.status_line.progress(),
        interrupted: Some(context.interrupted.clone()),
        ..defaults
    };
    let sources = Some(Sources { files: args.files.clone(), options });
    Config { search, sources, globals: args.world.globals(), prove: true, branch: args.parts.item }
}

fn failure(error: TargetError) -> Failure {
    Failure::new(error.message).with_help(error.help)
}

pub fn reach(
    args: &Reach,
    context: &Context<'_>,
    program: &Program,
    entry: FunctionId,
    options: Options,
) -> Result<Report, Failure> {
    let asked = args.parts.item.map_or(&args.target[..], |item| &args.target[item..=item]);
    let wanted: Vec<(String, Wanted)> = asked.iter().map(|text| (text.clone(), Wanted::parse(text))).collect();
    let found = targets::resolve(program, &wanted).map_err(failure)?;
    let mut report = Report::new("reach");
    match args.emit {
        Some(ReachEmit::Synthesis) => {
            let [target] = &found[..] else {
                return Err(Failure::new("--emit synthesis takes one target")
                    .with_help("give --target once, as a label or a line"));
            };
            let instance = reduction::synthesis_of(program, entry, target, &args.files, &options)
                .map_err(|why| Failure::new(format!("there is no synthesis instance: {why}")))?;
            let holes: Vec<Value> =
                instance.holes.iter().map(|hole| json!({"name": hole.name, "type": hole.ty})).collect();
            let tests: Vec<Value> =
                instance.tests.iter().map(|case| json!({"args": case.args, "expected": case.expected})).collect();
            report.result.insert("emitted".into(), json!({"synthesis": instance.text}));
            report.result.insert("holes".into(), Value::Array(holes));
            report.result.insert("entry".into(), json!(instance.entry));
            report.result.insert("tests".into(), Value::Array(tests));
            report.text = instance.text;
            report.summary = format!("solved by what leads {} to {}", program.functions[entry].name, target.name);
            return Ok(report);
        }
        Some(ReachEmit::CDriver) => {
            return Err(
                Failure::new("--emit c-driver replays a test suite").with_help("use it with --all-branches -o DIR")
            );
        }
        None => {}
    }
    let config = config(args, context, options);
    let result = super::super::threads(context.shared)?.install(|| places::reach(program, entry, &found, &config));
    say(&mut report, &result, program, entry, context.shared.verbose);
    Ok(report)
}

fn say(report: &mut Report, result: &PlacesReport, program: &Program, entry: FunctionId, verbose: bool) {
    let Counts { reached, unreachable, unknown } = Counts::of(&result.targets);
    report.exit = match (unknown, unreachable) {
        (0, 0) => Exit::Clean,
        (0, _) => Exit::Found,
        _ => Exit::Inconclusive,
    };
    for found in &result.targets {
        let place = place(program, found);
        let _ = writeln!(report.text, "{:<12} {}{place}", places::word(&found.verdict), found.target.name);
        if let Some(witness) = &found.witness {
            let _ = writeln!(report.text, "  {}", driver::one_line(program, witness));
        }
        if let Some(why) = found.why() {
            let _ = writeln!(report.text, "  {why}");
        }
        report.relations.push(relation(program, found, "place", found.target.name.clone()));
        if found.is_reached() && !found.is_replayed() {
            let _ = writeln!(report.text, "  seen in the VM; the compiled program does not show it");
        }
        if verbose && !found.path.is_empty() {
            let _ = writeln!(report.text, "  path: {}", path(program, found).join(" "));
        }
    }
    let mut parts = Vec::new();
    for (count, word) in [(reached, "reached"), (unreachable, "unreachable"), (unknown, "unknown")] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    report.summary = parts.join(", ");
    if verbose {
        let _ = write!(report.summary, "\n{}", effort(&result.search));
    }
    report.result.insert("function".into(), json!(program.functions[entry].name));
    report
        .result
        .insert("targets".into(), Value::Array(result.targets.iter().map(|found| target(program, found)).collect()));
    report.result.insert("search".into(), search(program, &result.search));
}

/// A verdict on a place, with the input that leads there or the reason why none is known.
pub fn relation(program: &Program, found: &Found, kind: &'static str, location: String) -> Relation {
    let text = match (&found.witness, found.why()) {
        (Some(witness), _) => format!("with {}", driver::one_line(program, witness)),
        (None, Some(why)) => why.to_string(),
        (None, None) => "no input leads there".to_string(),
    };
    Relation { location, span: Some(found.target.span), kind, text, verdict: places::word(&found.verdict) }
}

fn place(program: &Program, found: &Found) -> String {
    match program.sources.used(found.target.span) {
        Some(_) => format!(" at {}", program.sources.describe(found.target.span)),
        None => String::new(),
    }
}

fn path(program: &Program, found: &Found) -> Vec<String> {
    let turns = found.path.iter().map(|turn| {
        let line = program.sources.used(turn.span).map_or(0, |region| region.start.line);
        format!("{line}:{}", outcome(turn.outcome))
    });
    turns.collect()
}

pub fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::True => "T".to_string(),
        Outcome::False => "F".to_string(),
        Outcome::Arm(index) => format!("case{index}"),
        Outcome::Default => "default".to_string(),
    }
}

pub fn effort(search: &Exploration) -> String {
    let decisions = &search.decisions;
    format!(
        "{} states, {} decisions ({} by constants, {} by models, {} other sides cached, {} solved), {} branches merged",
        search.states,
        decisions.total(),
        decisions.trivial,
        decisions.by_model,
        decisions.cached,
        decisions.solved,
        search.merges
    )
}

/// One entry of `result.targets`.
pub fn target(program: &Program, found: &Found) -> Value {
    let region = program.sources.used(found.target.span);
    let file = region.map(|region| program.sources.file(region.start.file).path.clone());
    let turns: Vec<Value> = found
        .path
        .iter()
        .map(|turn| {
            let line = program.sources.used(turn.span).map(|region| region.start.line);
            json!({"line": line, "outcome": outcome(turn.outcome)})
        })
        .collect();
    json!({
        "name": found.target.name,
        "file": file,
        "line": region.map(|region| region.start.line),
        "verdict": places::word(&found.verdict),
        "inputs": found.witness.as_ref().map(|witness| inputs(program, witness)),
        "path": turns,
        "replayed": found.is_replayed(),
        "why": found.why(),
        "assumptions": assumptions_json(&found.assumptions),
    })
}

/// An input as JSON: a member for each parameter, and `globals`, `nondet`, `name`, `args` and `stdin` where there are
/// any.
pub fn inputs(program: &Program, witness: &Witness) -> Value {
    let mut object = Map::new();
    for (name, given) in &witness.given {
        object.insert(name.clone(), given::json(given));
    }
    if !witness.nondet.is_empty() {
        let answers = witness.nondet.iter().map(|(_, value)| given::scalar(*value)).collect();
        object.insert("nondet".into(), Value::Array(answers));
    }
    if !witness.globals.is_empty() {
        let globals = witness.globals.iter().map(|(id, given)| (program.globals[*id].name.clone(), given::json(given)));
        object.insert("globals".into(), Value::Object(globals.collect()));
    }
    if let Some(name) = &witness.name {
        object.insert("name".into(), json!(String::from_utf8_lossy(name)));
    }
    if !witness.args.is_empty() {
        let args = witness.args.iter().map(|arg| json!(String::from_utf8_lossy(arg))).collect();
        object.insert("args".into(), Value::Array(args));
    }
    if !witness.stdin.is_empty() {
        object.insert("stdin".into(), json!(String::from_utf8_lossy(&witness.stdin)));
    }
    Value::Object(object)
}

pub fn search(program: &Program, search: &Exploration) -> Value {
    let left_out: Vec<Value> = search
        .losses
        .iter()
        .map(|lost| {
            let line = program.sources.used(lost.span).map(|region| region.start.line);
            json!({"what": lost.loss.to_string(), "line": line})
        })
        .collect();
    let decisions = &search.decisions;
    json!({
        "states": search.states,
        "paths": {
            "finished": search.endings.finished,
            "faulted": search.endings.faulted,
            "excluded": search.endings.excluded,
            "lost": search.endings.lost,
            "pruned": search.endings.pruned,
        },
        "decisions": {
            "total": decisions.total(),
            "trivial": decisions.trivial,
            "by_model": decisions.by_model,
            "cached": decisions.cached,
            "solved": decisions.solved,
            "open": decisions.open,
        },
        "merged": search.merges,
        "left_out": left_out,
    })
}
