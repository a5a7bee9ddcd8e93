//! A witness for other tools, from what was proved or refuted.

use crate::command::now;
use crate::exit::Exit;
use crate::report::{Passthrough, Report};
use diagnostics::Verdict;
use infer::emit::{self, Violation};
use infer::{Form, InferReport, Invariant, Location, LocationReport};
use ir::{FunctionId, Program};
use prove::{Claim, PropertyKind, ProveReport};
use serde_json::json;

/// Puts the witness in the place of the listing.
pub(super) fn write(
    report: &mut Report,
    program: &Program,
    entry: FunctionId,
    found: &ProveReport,
    places: Vec<Location>,
) {
    let written = match report.exit {
        Exit::Found => violation(program, entry, found),
        Exit::Clean => Some(correctness(program, found, places)),
        _ => None,
    };
    report.text.clear();
    match written {
        Some((text, notes)) => {
            report.result.insert("emitted".into(), json!({ "witness.yml": text }));
            report.text = text;
            // Findings go to the other stream then, so that the witness can be a file.
            report.passthrough = Some(Passthrough { stdout: Vec::new(), stderr: Vec::new() });
            report.relations.clear();
            let said: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
            report.summary = said + &report.summary;
        }
        None => report.summary += "; there is no witness of that",
    }
}

fn correctness(program: &Program, found: &ProveReport, places: Vec<Location>) -> (String, Vec<String>) {
    let reports = places.into_iter().map(|location| {
        let here = found.invariants.iter().filter(|(place, _)| *place == location.name);
        let invariants = here.filter_map(|(_, claim)| match claim {
            Claim::Predicate(predicate) => Some(Invariant {
                form: Form::Equality,
                predicate: predicate.clone(),
                verdict: Verdict::Proved { how: "induction".into() },
                has_reason: true,
            }),
            _ => None,
        });
        let invariants = invariants.collect();
        LocationReport {
            location,
            visits: 0,
            samples: 0,
            invariants,
            arrays: Vec::new(),
            notes: Vec::new(),
            rows: Vec::new(),
        }
    });
    let proved = InferReport { locations: reports.collect(), ..InferReport::default() };
    emit::witness(program, &proved, env!("CARGO_PKG_VERSION"), now())
}

/// Of the first of the program's own claims that is refuted.
fn violation(program: &Program, entry: FunctionId, found: &ProveReport) -> Option<(String, Vec<String>)> {
    found.properties.iter().filter(|p| p.kind != PropertyKind::Invariant).find_map(|property| {
        let Verdict::Refuted { witness } = &property.verdict else { return None };
        let is_answer = |name: &str| name.starts_with("nondet #");
        let (answers, params): (Vec<_>, Vec<_>) = witness.inputs.iter().cloned().partition(|(name, _)| is_answer(name));
        let nondet: Vec<String> = answers.into_iter().map(|(_, value)| value).collect();
        let run = Violation { entry, params: &params, nondet: &nondet, target: property.span };
        Some(emit::violation(program, &run, env!("CARGO_PKG_VERSION"), now()))
    })
}
