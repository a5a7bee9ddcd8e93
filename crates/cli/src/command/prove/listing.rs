//! A [`ProveReport`] as text, findings and JSON.

use super::asked::Asked;
use crate::exit::Exit;
use crate::render::json::{assumptions_json, location};
use crate::report::{Relation, Report};
use diagnostics::{Assumption, Finding, Rule, Verdict};
use infer::{Location, shown};
use ir::Program;
use prove::{PropertyKind, PropertyReport, ProveReport};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn report(
    found: &ProveReport,
    asked: &Asked,
    places: &[Location],
    program: &Program,
    verbose: bool,
) -> Report {
    let mut report = Report::new("prove");
    let mut asked_about = asked.invariants.iter();
    let mut properties = Vec::new();
    for property in &found.properties {
        // The invariants asked about are reported in the order they were asked.
        let invariant = (property.kind == PropertyKind::Invariant).then(|| asked_about.next()).flatten();
        let name = match invariant {
            Some((place, _)) => format!("invariant at {place}"),
            None => name(property, program),
        };
        write_property(property, program, verbose, &mut report.text);
        if let Verdict::Refuted { witness } = &property.verdict {
            let broken = match property.kind {
                PropertyKind::Unreachable => format!("{} is reached", property.text),
                _ => format!("{} does not hold", claim(property)),
            };
            let message = format!("{broken} {}", with(&witness.inputs));
            report.findings.push(Finding::new(rule(property.kind), property.span, message));
        }
        let c = match (property.kind, invariant) {
            (PropertyKind::Assert, _) => Some(property.text.clone()),
            (_, Some((place, predicate))) => {
                let variables = places.iter().find(|l| l.name == *place).map_or(&[][..], |l| &l.variables);
                shown::c(predicate, variables).ok()
            }
            _ => None,
        };
        properties.push(entry(property, &name, c, program));
        report.relations.push(Relation {
            location: name,
            span: Some(property.span),
            kind: property.kind.name(),
            text: claim(property),
            verdict: property.verdict.name(),
        });
    }
    conclude(found, asked, &mut report);
    let invariants: Vec<Value> =
        found.invariants.iter().map(|(at, claim)| json!({ "location": at, "text": claim.to_string() })).collect();
    let obstacles: Vec<Value> = found
        .obstacles
        .iter()
        .map(|(what, span)| {
            let mut value = location(*span, &program.sources);
            value["what"] = json!(what);
            value
        })
        .collect();
    let notes: Vec<&String> = asked.notes.iter().chain(&found.notes).collect();
    report.result.insert("properties".into(), Value::Array(properties));
    report.result.insert("invariants".into(), Value::Array(invariants));
    report.result.insert(
        "queries".into(),
        json!({
            "algebra": found.tally.algebra,
            "linear": found.tally.linear,
            "nonlinear": found.tally.nonlinear,
            "failed": found.tally.failed,
            "open": found.tally.open,
        }),
    );
    report.result.insert("obstacles".into(), Value::Array(obstacles));
    report.result.insert("notes".into(), json!(notes));
    report
}

fn conclude(found: &ProveReport, asked: &Asked, report: &mut Report) {
    let count = |name: &str| found.properties.iter().filter(|p| p.verdict.name() == name).count();
    let (proved, refuted, all) = (count("proved"), count("refuted"), found.properties.len());
    let over_reals = count("proved over the reals");
    let unknown = all - proved - over_reals - refuted;
    report.exit = match (refuted, unknown) {
        (0, 0) => Exit::Clean,
        (0, _) => Exit::Inconclusive,
        _ => Exit::Found,
    };
    let mut parts = vec![format!("{proved} of {all} proved")];
    parts.extend((over_reals > 0).then(|| format!("{over_reals} proved over the reals")));
    parts.extend((refuted > 0).then(|| format!("{refuted} refuted")));
    parts.extend((unknown > 0).then(|| format!("{unknown} unknown")));
    let said: String = asked.notes.iter().map(|note| format!("note: {note}\n")).collect();
    report.summary = said + &parts.join(", ");
}

fn write_property(property: &PropertyReport, program: &Program, verbose: bool, text: &mut String) {
    let place = match program.sources.used(property.span) {
        Some(region) => format!("{}:{}", program.sources.file(region.start.file).path, region.start.line),
        None => "nowhere in the text".to_string(),
    };
    let detail = match &property.verdict {
        Verdict::Proved { how } | Verdict::ProvedOverReals { how } => {
            let alone = property.plain_k.map_or(String::new(), |k| format!(" (alone: k = {k})"));
            match property.assumptions.is_empty() {
                true => format!("{how}{alone}"),
                false => format!("{how}{alone}; assuming {}", Assumption::list(&property.assumptions)),
            }
        }
        Verdict::Refuted { witness } => {
            let seen = if witness.replayed { "replayed on the compiled program" } else { "seen in the VM only" };
            format!("{}, {seen}", with(&witness.inputs))
        }
        Verdict::Unknown { why } => why.to_string(),
        // Nothing else comes out of a proof; its name says what it is.
        other => other.name().to_string(),
    };
    let _ = writeln!(text, "{:8} {place}  {}  — {detail}", property.verdict.name(), claim(property));
    if verbose {
        property.lemmas.iter().for_each(|lemma| {
            let _ = writeln!(text, "           by {lemma}");
        });
    }
}

/// What is claimed, as the program has it.
fn claim(property: &PropertyReport) -> String {
    match property.kind {
        PropertyKind::Assert => format!("assert({})", property.text),
        PropertyKind::Unreachable => format!("{} is not reached", property.text),
        _ => property.text.clone(),
    }
}

fn with(inputs: &[(String, String)]) -> String {
    let values: Vec<String> = inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match values.is_empty() {
        true => "in a run that takes no inputs".to_string(),
        false => format!("with {}", values.join(", ")),
    }
}

fn name(property: &PropertyReport, program: &Program) -> String {
    let line = program.sources.used(property.span).map_or("?".to_string(), |region| region.start.line.to_string());
    format!("{} at line {line}", property.kind.name())
}

fn rule(kind: PropertyKind) -> Rule {
    match kind {
        PropertyKind::Assert | PropertyKind::Unreachable => Rule::AssertionFailed,
        PropertyKind::Overflow => Rule::SignedOverflow,
        PropertyKind::DivisionByZero => Rule::DivisionByZero,
        PropertyKind::Shift => Rule::BadShift,
        PropertyKind::Conversion => Rule::BadConversion,
        PropertyKind::Bounds => Rule::OutOfBounds,
        PropertyKind::Pointer => Rule::InvalidPointer,
        PropertyKind::Initialised => Rule::UninitialisedRead,
        PropertyKind::Call | PropertyKind::Defined => Rule::BadCall,
        PropertyKind::Invariant => Rule::InvariantRefuted,
    }
}

fn entry(property: &PropertyReport, name: &str, c: Option<String>, program: &Program) -> Value {
    let at = location(property.span, &program.sources);
    let (how, witness) = match &property.verdict {
        Verdict::Proved { how } | Verdict::ProvedOverReals { how } => (Some(how), None),
        Verdict::Refuted { witness } => {
            let inputs = witness.inputs.iter().map(|(name, value)| json!({ "name": name, "value": value }));
            (None, Some(json!({ "inputs": inputs.collect::<Vec<_>>(), "replayed": witness.replayed })))
        }
        Verdict::Unknown { why } => (Some(&why.said), None),
        _ => (None, None),
    };
    json!({
        "name": name,
        "kind": property.kind.name(),
        "file": at["file"],
        "line": at["line"],
        "text": property.text,
        "c": c,
        "verdict": property.verdict.name(),
        "how": how,
        "k": property.k,
        "plain_k": property.plain_k,
        "lemmas": property.lemmas,
        "assumptions": assumptions_json(&property.assumptions),
        "witness": witness,
    })
}
