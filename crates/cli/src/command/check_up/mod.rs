//! `plumb check-up`: what is wrong with a project, and what it promises.

pub(crate) mod baseline;
mod changed;
mod emitted;
mod findings;
mod project;
mod text;

use super::{Context, sources};
use crate::args::{CheckUp, FailOn};
use crate::exit::Exit;
use crate::parts;
use crate::report::{Failure, Report};
use ::checkup::{Class, Config, Report as Found, settings};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Where the answers of a project are kept.
const CACHE: &str = ".plumb";

pub fn check_up(args: &CheckUp, context: &Context<'_>) -> Result<Report, Failure> {
    let settings = settings::read(Path::new("")).map_err(project::failure)?;
    let base = sources::options(&args.compile, &args.flags, context.shared)?;
    let input = project::read(args, &settings, &base.flags)?;
    let mut config = Config::new(input.project);
    config.entries = if args.entry.is_empty() { settings.entries.clone() } else { args.entry.clone() };
    config.exclude = settings.exclude.iter().chain(&args.exclude).cloned().collect();
    config.assumptions = ::checkup::assumptions::of_settings(&settings).map_err(project::failure)?;
    config.changed = args.changed.as_deref().map(changed::files).transpose()?;
    // A project may say how long it wants; the command line has the last word.
    let wanted = settings.time.filter(|seconds| context.shared.time.is_none() && *seconds > 0.0);
    let seconds = wanted.unwrap_or_else(|| context.shared.seconds());
    config.shard = args.shard;
    config.time = Duration::from_secs_f64(seconds.min(1e9));
    config.threads = super::symmetry::jobs(context.shared);
    config.seed = context.shared.seed;
    config.options = base;
    config.cache = match &args.cache {
        _ if args.no_cache => None,
        Some(folder) => Some(folder.clone()),
        None => input.is_kept.then(|| CACHE.into()),
    };
    config.interrupted = context.interrupted.clone();
    config.progress = context.status_line.progress();
    context.status_line.say("check-up");
    let mut found = ::checkup::checkup(&config);
    if let Some((from, to)) = &input.renamed {
        found = renamed(&found, from, to);
    }
    for name in &config.entries {
        if !found.functions.iter().any(|function| function.name == *name) && found.unreadable().next().is_none() {
            return Err(no_such_function(name, &found));
        }
    }
    let mut report = told(args, context.shared.verbose, &found)?;
    if let Some(shard) = args.shard {
        let files: Vec<_> = found.files.iter().map(|file| file.path.clone().into()).collect();
        report.shard = Some(parts::member(shard, &files, Value::Null));
        report.summary = format!("part {shard}: {}", report.summary);
    }
    Ok(report)
}

/// What is told of a check-up, be it of this process or joined from parts.
pub fn told(args: &CheckUp, verbose: bool, found: &Found) -> Result<Report, Failure> {
    let settings = settings::read(Path::new("")).map_err(project::failure)?;
    let known = match args.baseline.as_ref().or(settings.baseline.as_ref()) {
        Some(path) => baseline::read(path)?,
        None => baseline::Baseline::default(),
    };
    let fail_on = match (args.fail_on, settings.fail_on.as_deref()) {
        (Some(what), _) => what,
        (None, None | Some("finding")) => FailOn::Finding,
        (None, Some("precondition")) => FailOn::Precondition,
        (None, Some("unknown")) => FailOn::Unknown,
        (None, Some(other)) => {
            return Err(Failure::new(format!("plumb.toml: fail-on = \"{other}\" is not known"))
                .with_help("it takes finding, precondition or unknown"));
        }
    };
    let mut report = Report::new("check-up");
    report.exit = exit(found, &known, fail_on, args.strict);
    report.told = true;
    report.text = text::text(found, &known, verbose);
    report.summary = text::totals(found, &known);
    findings::add(&mut report, found, &known);
    if let Some(folder) = args.emit.get(1) {
        if args.emit[0] != "tests" {
            return Err(Failure::new(format!("--emit {} is not known", args.emit[0])).with_help("--emit tests DIR"));
        }
        let written = emitted::write(Path::new(folder), found)?;
        report.summary = format!("wrote {written} to {folder}\n{}", report.summary);
    }
    report.result = document(found, &known);
    Ok(report)
}

/// The check-up that a document of ours is about.
pub fn of_document(result: &Value) -> Option<Found> {
    let mut members = result.as_object()?.clone();
    members.remove("findings");
    for (member, name) in RENAMED {
        let value = members.remove(member)?;
        members.insert(name.into(), value);
    }
    serde_json::from_value(Value::Object(members)).ok()
}

/// Members of the document, and what they are in a report: the findings of a document have one form for all verbs, and
/// what they are about stands beside them.
const RENAMED: [(&str, &str); 3] = [("bugs", "findings"), ("units", "files"), ("questions", "answers")];

fn no_such_function(name: &str, found: &Found) -> Failure {
    let mut names: Vec<&str> = found.functions.iter().map(|function| function.name.as_str()).collect();
    names.sort_unstable();
    names.truncate(20);
    Failure::new(format!("no function `{name}` is defined in these files")).with_help(match names.is_empty() {
        true => "the files define no functions at all".to_string(),
        false => format!("--entry takes one of: {}", names.join(", ")),
    })
}

/// The report with a file under another name: text from standard input has one of ours.
fn renamed(found: &Found, from: &str, to: &str) -> Found {
    let text = serde_json::to_string(found).unwrap_or_default().replace(from, to);
    serde_json::from_str(&text).unwrap_or_else(|_| found.clone())
}

/// What a caller should know: a bug of ours outweighs everything, and nothing that could be read is no check-up.
fn exit(found: &Found, known: &baseline::Baseline, fail_on: FailOn, strict: bool) -> Exit {
    let is_new = |fault: &&::checkup::Fault| !known.has(&fault.fingerprint);
    let nothing_read = !found.files.is_empty() && found.files.iter().all(|file| file.unreadable.is_some());
    let is_open = found.left_open() > 0 || found.unreadable().next().is_some();
    let new_precondition = found.preconditions.iter().any(|fault| fault.class == Class::Precondition && is_new(&fault));
    match () {
        () if found.has_bug() => Exit::Bug,
        () if nothing_read && found.interrupted => Exit::Interrupted,
        () if nothing_read => Exit::BadInput,
        () if found.findings.iter().any(|fault| is_new(&fault)) => Exit::Found,
        () if fail_on >= FailOn::Precondition && new_precondition => Exit::Found,
        () if fail_on >= FailOn::Unknown && is_open => Exit::Found,
        () if strict && is_open => Exit::Inconclusive,
        () => Exit::Clean,
    }
}

/// The verb's part of the document: the report as it is, with what the baseline knew.
fn document(found: &Found, known: &baseline::Baseline) -> serde_json::Map<String, Value> {
    let mut value = serde_json::to_value(found).unwrap_or_default();
    for list in ["findings", "preconditions", "suspicions"] {
        for fault in value[list].as_array_mut().into_iter().flatten() {
            let is_known = fault["fingerprint"].as_str().is_some_and(|print| known.has(print));
            fault["in_baseline"] = json!(is_known);
        }
    }
    let Value::Object(mut result) = value else { return serde_json::Map::new() };
    for (member, name) in RENAMED {
        if let Some(value) = result.remove(name) {
            result.insert(member.into(), value);
        }
    }
    result.insert(
        "totals".into(),
        json!({
            "asked": found.asked(),
            "answered": found.answered(),
            "within_bounds": found.within_bounds(),
            "open": found.left_open(),
            "bugs": found.findings.len(),
            "preconditions": found.preconditions.len(),
        }),
    );
    result
}
