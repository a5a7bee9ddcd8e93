//! Findings of the rule catalogue, which every document has; what a rule means is said once.

use super::{Detail, Mark, View, code, table};
use crate::render::html::document::{Place, list, text};
use diagnostics::Rule;
use serde_json::Value;
use std::collections::BTreeSet;

pub fn add(result: &Value, view: &mut View) {
    // What is refuted is a finding too; it is said once.
    let refuted: Vec<Option<Place>> =
        view.marks.iter().filter(|mark| mark.verdict == "refuted").map(|mark| mark.place.clone()).collect();
    let mut rules = BTreeSet::new();
    let verdict = if view.verdict == "violated" { Some("violated") } else { None };
    for finding in list(result, "findings").iter().filter(|finding| !refuted.contains(&Place::of(finding))) {
        let mut mark = Mark {
            verdict: verdict.unwrap_or(text(finding, "severity")).to_string(),
            kind: text(finding, "rule").to_string(),
            text: text(finding, "message").to_string(),
            place: Place::of(finding),
            ..Mark::default()
        };
        rules.insert(text(finding, "rule"));
        mark.detail("help", Detail::Text(text(finding, "help").to_string()));
        for note in list(finding, "notes") {
            mark.detail("note", Detail::Text(text(note, "message").to_string()));
            if let Some(place) = Place::of(note) {
                mark.detail("at", Detail::Place(place));
            }
        }
        view.marks.push(mark);
    }
    let meant = Rule::ALL.iter().filter(|rule| rules.contains(rule.id()));
    let rows: Vec<_> = meant.map(|rule| vec![code(rule.id()), super::text(rule.summary())]).collect();
    if !rows.is_empty() {
        view.panel("What the rules mean", table(&["rule", ""], &rows));
    }
}
