//! Pairs of variables that relations tie together, with some of the values they were seen with: what a picture of the
//! relations needs.

use infer::LocationReport;
use logic::Predicate;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Pairs of a location, and points of a pair.
const PAIRS: usize = 3;
const POINTS: usize = 200;

/// What a relation between the two counts, against a bound of one of them.
const TIE: usize = 4;

/// The pairs about which the relations say most, in the order of that. `texts` are the relations as people read them.
pub(super) fn pairs(location: &LocationReport, texts: &[String]) -> Vec<Value> {
    let predicates: Vec<Predicate> = texts.iter().filter_map(|text| Predicate::parse(text).ok()).collect();
    let spoken_of: Vec<BTreeSet<&str>> = predicates
        .iter()
        .filter(|predicate| !matches!(predicate, Predicate::Congruent(..)))
        .map(Predicate::variables)
        .collect();
    let names: Vec<&str> = location.location.variables.iter().map(|variable| variable.name.as_str()).collect();
    let bounds = |name: &str| spoken_of.iter().filter(|names| names.len() == 1 && names.contains(name)).count().min(1);
    let mut scored = Vec::new();
    for x in 0..names.len() {
        for y in x + 1..names.len() {
            let pair = BTreeSet::from([names[x], names[y]]);
            let ties = spoken_of.iter().filter(|names| **names == pair).count();
            let score = TIE * ties + bounds(names[x]) + bounds(names[y]);
            if score >= 2 {
                scored.push((score, x, y));
            }
        }
    }
    scored.sort_by_key(|(score, x, y)| (usize::MAX - score, *x, *y));
    // Bounds alone make one picture worth looking at, not three.
    let tied = scored.iter().filter(|(score, ..)| *score >= TIE).count().max(1);
    scored.into_iter().take(tied.min(PAIRS)).map(|(_, x, y)| pair(location, x, y)).collect()
}

fn pair(location: &LocationReport, x: usize, y: usize) -> Value {
    let variables = &location.location.variables;
    let number = |row: &[i64], variable: usize| match variables[variable].denominator() {
        1 => json!(row[variable]),
        denominator => json!(row[variable] as f64 / denominator as f64),
    };
    let mut known = BTreeSet::new();
    let distinct: Vec<&Vec<i64>> =
        location.rows.iter().filter(|row| row.len() > y && known.insert((row[x], row[y]))).collect();
    let step = distinct.len().div_ceil(POINTS).max(1);
    let points: Vec<Value> = distinct.iter().step_by(step).map(|row| json!([number(row, x), number(row, y)])).collect();
    json!({ "x": variables[x].name, "y": variables[y].name, "points": points })
}
