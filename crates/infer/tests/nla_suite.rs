//! The programs of `suites/nla` and `suites/disjunctive`: every trace point is reached with generated inputs, and the
//! documented equations are among what follows from the ones that are found.

mod suite;

use infer::{Config, Evidence, Form, FormConfig, Location, Variable, infer, observe};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use suite::{Documented, documented, holds, load, suite, unfound};

/// Whether no power of two in the row is marked as too large.
fn has_powers(variables: &[Variable], row: &[i64]) -> bool {
    variables.iter().zip(row).all(|(v, cell)| !v.name.starts_with("2^") || *cell > 0)
}

/// What is wrong with what was observed of a program: rows that contradict the documents, places without rows.
fn complaints(name: &str, facts: &[Documented], location: &Location, evidence: &Evidence) -> Vec<String> {
    let variables = evidence.variables();
    let mut wrong = Vec::new();
    if evidence.near.is_empty() || evidence.far.is_empty() {
        wrong.push(format!("{name}: too few rows at {}", location.name));
    }
    for guard in &location.guards {
        if let Some(row) = evidence.rows().find(|row| !holds(guard, variables, row)) {
            wrong.push(format!("{name} {}: the guard {guard} does not hold of {row:?}", location.name));
        }
    }
    for fact in facts.iter().filter(|fact| fact.location == location.name) {
        let contradicts = |row: &&[i64]| has_powers(variables, row) && !holds(&fact.predicate, variables, row);
        if let Some(row) = evidence.rows().find(contradicts) {
            wrong.push(format!("{name} {}: {} does not hold of {row:?}", location.name, fact.predicate));
        }
    }
    wrong
}

fn each(suite_name: &str, judge: impl Fn(&Path, &str, &[Documented]) -> Vec<String> + Sync) {
    let wrong: Vec<String> = suite(suite_name)
        .par_iter()
        .flat_map_iter(|path| judge(path, &path.file_stem().unwrap().to_string_lossy(), &documented(path)))
        .collect();
    assert!(wrong.is_empty(), "{} complaints:\n{}", wrong.len(), wrong.join("\n"));
}

fn observed(path: &Path, name: &str, facts: &[Documented]) -> Vec<String> {
    let (program, entry) = load(path);
    let observations = observe(&program, entry, &Config::default()).unwrap();
    assert_eq!(ir::verify(&observations.instrumented.program), [], "{name}");
    let locations = observations.locations();
    let known = |fact: &Documented| locations.iter().any(|location| location.name == fact.location);
    assert!(facts.iter().all(known), "{name}: a location is missing");
    let seen = locations.iter().enumerate();
    seen.flat_map(|(i, location)| complaints(name, facts, location, &observations.evidence_at(i).0)).collect()
}

#[test]
fn trace_points_are_reached_and_rows_are_right() {
    each("nla", observed);
    each("disjunctive", observed);
}

#[test]
fn documented_equations_are_found() {
    let forms = FormConfig { forms: BTreeSet::from([Form::Equality, Form::Disjunction]), ..FormConfig::default() };
    each("nla", |path, name, facts| {
        let (program, entry) = load(path);
        let report = infer(&program, entry, &Config { forms: forms.clone(), ..Config::default() }).unwrap();
        let lost = report.locations.iter().flat_map(|report| {
            let (at, variables) = (&report.location.name, &report.location.variables);
            let lost = unfound(facts, at, variables, &report.invariants).into_iter();
            lost.map(move |fact| format!("{name} {at}: {} is not found", fact.predicate))
        });
        lost.collect()
    });
}
