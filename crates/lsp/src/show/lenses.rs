//! One line over each function: what was found out about it.

use super::View;
use crate::Question;
use crate::answers::{Answer, each, text};
use lsp_types::{CodeLens, Command};
use serde_json::Value;

pub(crate) fn lenses(view: &View<'_>) -> Vec<CodeLens> {
    let functions = view.outline.functions.iter();
    let lens = |(name, lines): &(String, crate::outline::Lines)| {
        let summary = summary(view, name);
        let command = Command { title: summary.join(" · "), command: String::new(), arguments: None };
        (!summary.is_empty()).then(|| CodeLens {
            range: view.text.word(lines.first, None),
            command: Some(command),
            data: None,
        })
    };
    functions.filter_map(lens).collect()
}

/// The parts of the line, such as `3 inputs take 6 of 6 branches`.
pub(super) fn summary(view: &View<'_>, function: &str) -> Vec<String> {
    let result =
        |question: fn(String) -> Question| view.answer(question(function.to_string())).and_then(Answer::result);
    let mut parts = Vec::new();
    parts.extend(result(Question::Prove).and_then(claims));
    parts.extend(result(Question::Reach).and_then(branches));
    parts.extend(result(Question::Infer).and_then(relations));
    parts.extend(result(Question::Symmetry).into_iter().flat_map(symmetries));
    parts
}

fn claims(result: &Value) -> Option<String> {
    let count =
        |verdict: &str| each(&result["properties"]).filter(|p| text(&p["verdict"]).starts_with(verdict)).count();
    let all = each(&result["properties"]).count();
    match (count("refuted"), count("proved") + count("vacuous")) {
        _ if all == 0 => None,
        (0, proved) if proved == all => Some("nothing goes wrong".to_string()),
        (0, proved) => Some(format!("{proved} of {all} operations proved safe")),
        (1, _) => Some("1 operation goes wrong".to_string()),
        (refuted, _) => Some(format!("{refuted} operations go wrong")),
    }
}

fn branches(result: &Value) -> Option<String> {
    let coverage = &result["coverage"];
    let (all, reached) = (coverage["branches"].as_u64()?, coverage["reached"].as_u64()?);
    let tests = each(&result["tests"]).count();
    let inputs = if tests == 1 { "1 input reaches".to_string() } else { format!("{tests} inputs reach") };
    (all > 0).then(|| match reached == all {
        true => format!("{inputs} every branch"),
        false => format!("{inputs} {reached} of {all} branches"),
    })
}

fn relations(result: &Value) -> Option<String> {
    let all = each(&result["locations"]).flat_map(|location| each(&location["invariants"]));
    let (proved, seen): (Vec<&Value>, Vec<&Value>) = all.partition(|r| text(&r["verdict"]).starts_with("proved"));
    match (proved.len(), seen.len()) {
        (0, 0) => None,
        (proved, 0) => Some(format!("{} proved", counted(proved))),
        (0, seen) => Some(format!("{} seen", counted(seen))),
        (proved, seen) => Some(format!("{} proved, {seen} seen", counted(proved))),
    }
}

fn counted(relations: usize) -> String {
    format!("{relations} relation{}", if relations == 1 { "" } else { "s" })
}

fn symmetries(result: &Value) -> Vec<String> {
    let permuted = |found: &Value| {
        let names: Vec<&str> = each(&found["permute"]).map(text).collect();
        // It was tried on these inputs and no others.
        let tried = found["domain_size"].as_u64().map(|size| format!(" on {size} inputs")).unwrap_or_default();
        (!names.is_empty()).then(|| format!("symmetric in {}{tried}", names.join(", ")))
    };
    each(&result["discovered"]).filter_map(permuted).collect()
}
