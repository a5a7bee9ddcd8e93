//! An [`InferReport`] as text and as JSON.

use super::pairs::pairs;
use crate::exit::Exit;
use crate::render::json::assumptions_json;
use crate::report::{Relation, Report};
use diagnostics::{Assumption, SourceMap, Verdict};
use infer::{LocationReport, emit, shown};
use prove::RefinementReport;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Where a location is: for traces, the file it was read from.
pub(super) struct Where {
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
}

impl Where {
    pub(super) fn of(location: &LocationReport, sources: &SourceMap) -> Where {
        let region = location.location.span.and_then(|span| sources.used(span));
        Where {
            file: region.map(|region| sources.file(region.start.file).path.clone()),
            line: region.map(|region| region.start.line),
        }
    }
}

/// Relations of one location that are listed unless all are asked for: what a person reads.
pub(super) const LISTED: usize = 10;

/// The report of a search. `seen` says what was looked at: runs or rows. The text has the first relations of each
/// location, or all; the document always has all.
pub(super) fn report(
    refinement: &RefinementReport,
    places: &[Where],
    sources: &SourceMap,
    seen: &str,
    all: bool,
) -> Report {
    let found = &refinement.found;
    let mut report = Report::new("infer");
    let mut locations = Vec::new();
    let mut notes: Vec<String> = found.notes.clone();
    for (location, place) in found.locations.iter().zip(places) {
        let variables = &location.location.variables;
        write_location(location, place, if all { usize::MAX } else { LISTED }, &mut report.text);
        let mut invariants = Vec::new();
        let mut texts = Vec::new();
        for invariant in &location.invariants {
            let text = shown::text(&invariant.predicate, variables);
            texts.push(text.clone());
            invariants.push(json!({
                "kind": invariant.form.name(),
                "text": text,
                "c": shown::c(&invariant.predicate, variables).ok(),
                "verdict": invariant.verdict.name(),
                "how": how(&invariant.verdict),
                "terms": shown::terms(&invariant.predicate, variables),
            }));
            report.relations.push(Relation {
                location: location.location.name.clone(),
                span: location.location.span,
                kind: invariant.form.name(),
                text,
                verdict: invariant.verdict.name(),
            });
        }
        for invariant in &location.arrays {
            let (kind, text) = (invariant.form().name(), invariant.text());
            invariants.push(json!({
                "kind": kind,
                "text": text,
                "c": emit::array_loop(invariant).ok(),
                "verdict": invariant.relation.verdict.name(),
                "how": how(&invariant.relation.verdict),
                "terms": Value::Null,
            }));
            report.relations.push(Relation {
                location: location.location.name.clone(),
                span: location.location.span,
                kind,
                text,
                verdict: invariant.relation.verdict.name(),
            });
        }
        let names: Vec<&str> = variables.iter().map(|v| v.name.as_str()).collect();
        notes.extend(location.notes.iter().map(|note| format!("{}: {note}", location.location.name)));
        locations.push(json!({
            "name": location.location.name,
            "file": place.file,
            "line": place.line,
            "variables": names,
            "samples": location.samples,
            "invariants": invariants,
            "pairs": pairs(location, &texts),
        }));
    }
    write_preconditions(refinement, sources, &mut report.text);
    for note in &found.notes {
        let _ = writeln!(report.text, "note: {note}");
    }
    let count = |verdict: &str| report.relations.iter().filter(|relation| relation.verdict == verdict).count();
    let (proved, over_reals) = (count("proved"), count("proved over the reals"));
    if proved + over_reals > 0 && !refinement.assumptions.is_empty() {
        let _ =
            writeln!(report.text, "proved means on every run, assuming {}", Assumption::list(&refinement.assumptions));
    }
    if refinement.refuted > 0 {
        let (which, by) = match refinement.refuted {
            1 => ("1 relation was".to_string(), "an input found for it"),
            many => (format!("{many} relations were"), "inputs found for them"),
        };
        let note = format!("{which} seen at first and refuted by {by}.");
        let _ = writeln!(report.text, "note: {note}");
        notes.push(note);
    }
    let relations = report.relations.len();
    let reached = found.locations.iter().filter(|l| l.visits > 0).count();
    report.exit = if reached == 0 { Exit::Inconclusive } else { Exit::Clean };
    report.summary = match reached {
        0 => format!("inconclusive: no location was reached ({seen})"),
        _ => {
            let observed = relations - proved - over_reals;
            let verdicts = match (proved, over_reals, observed) {
                (0, 0, _) => "observed".to_string(),
                (_, 0, 0) => "proved".to_string(),
                (0, _, 0) => "proved over the reals".to_string(),
                (proved, 0, observed) => format!("({proved} proved, {observed} observed)"),
                (proved, over, observed) => {
                    format!("({proved} proved, {over} proved over the reals, {observed} observed)")
                }
            };
            let (s, at) = (if relations == 1 { "" } else { "s" }, if reached == 1 { "" } else { "s" });
            format!("{relations} relation{s} {verdicts} at {reached} location{at}, {seen}")
        }
    };
    report.result.insert("locations".into(), Value::Array(locations));
    if !found.preconditions.required.is_empty() || !found.preconditions.unexplained.is_empty() {
        report.result.insert("preconditions".into(), preconditions(refinement));
    }
    report.result.insert("runs".into(), json!(found.runs));
    report.result.insert("excluded".into(), json!(found.excluded));
    report.result.insert("notes".into(), json!(notes));
    report.result.insert("assumptions".into(), assumptions_json(&refinement.assumptions));
    report.result.insert("refuted".into(), json!(refinement.refuted));
    report
}

/// What callers owe the entry, and what went wrong without their doing.
fn write_preconditions(refinement: &RefinementReport, sources: &SourceMap, text: &mut String) {
    let found = &refinement.found.preconditions;
    for required in &found.required {
        let (times, place) = (required.broken, sources.describe(required.finding.span));
        let _ = writeln!(text, "requires {}", required.text);
        let what = &required.finding.message;
        let _ = writeln!(text, "    without it {times} of {times} runs were undefined: {what}, {place}");
    }
    for unexplained in &found.unexplained {
        let (runs, place) = (unexplained.runs, sources.describe(unexplained.finding.span));
        let what = &unexplained.finding.message;
        let _ = writeln!(text, "undefined in {runs} runs: {what}, {place}");
        let _ = writeln!(text, "    with {}", shortened(&unexplained.shown));
    }
}

/// Inputs can be long.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

fn preconditions(refinement: &RefinementReport) -> Value {
    let found = &refinement.found.preconditions;
    let required: Vec<Value> = found
        .required
        .iter()
        .map(|required| json!({"text": required.text, "broken": required.broken, "input": required.shown, "what": required.finding.message}))
        .collect();
    let unexplained: Vec<Value> = found
        .unexplained
        .iter()
        .map(|other| json!({"runs": other.runs, "input": other.shown, "what": other.finding.message}))
        .collect();
    json!({"required": required, "unexplained": unexplained})
}

/// How a relation is proved, if it is.
fn how(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Proved { how } | Verdict::ProvedOverReals { how } => Some(how),
        _ => None,
    }
}

fn write_location(location: &LocationReport, place: &Where, most: usize, text: &mut String) {
    let at = match (&place.file, place.line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        (Some(file), None) => format!(" in {file}"),
        _ => String::new(),
    };
    let _ = writeln!(text, "{}{at} ({} samples, {} visits)", location.location.name, location.samples, location.visits);
    let variables = &location.location.variables;
    let numbers = location
        .invariants
        .iter()
        .map(|invariant| (shown::text(&invariant.predicate, variables), invariant.form.name(), &invariant.verdict));
    let arrays = location.arrays.iter().map(|found| (found.text(), found.form().name(), &found.relation.verdict));
    // Where not all are listed, relations among arrays go before bounds on numbers.
    let room = most.saturating_sub(location.arrays.len().min(most / 2));
    let (numbers, arrays): (Vec<_>, Vec<_>) = (numbers.collect(), arrays.collect());
    let total = numbers.len() + arrays.len();
    let room = if total <= most { numbers.len() } else { room.min(numbers.len()) };
    let mut lines: Vec<(String, &str, &Verdict)> = numbers.into_iter().take(room).chain(arrays).collect();
    lines.truncate(most);
    let width = lines.iter().map(|(shown, ..)| shown.len()).filter(|width| *width <= 60).max().unwrap_or(0);
    for (shown, form, verdict) in &lines {
        let proved = if how(verdict).is_some() { format!(", {}", verdict.name()) } else { String::new() };
        let _ = writeln!(text, "  {shown:width$}  {form}{proved}");
    }
    if lines.len() < total {
        let _ = writeln!(text, "  … and {} more (--all)", total - lines.len());
    }
    if lines.is_empty() && location.visits > 0 {
        let _ = writeln!(text, "  nothing of the forms asked for");
    }
    for note in &location.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    text.push('\n');
}
