//! `check`, `run`, `dump` and `explain`: no picture, but tables and texts.

use super::{Mark, View, code, preformatted, table, text};
use crate::render::html::document::{self, Place, count, flag, list, shown};
use crate::render::html::escape::Html;
use serde_json::Value;

/// Rows of a table that are shown.
const MOST_ROWS: usize = 200;

pub fn view(command: &str, result: &Value) -> View {
    let mut view = View::default();
    match command {
        "check" => check(result, &mut view),
        "run" => run(result, &mut view),
        "dump" => view.panel("Program", preformatted(document::text(result, "text"))),
        _ => explain(result, &mut view),
    }
    view
}

fn check(result: &Value, view: &mut View) {
    view.counted(result, &[("globals", "globals")]);
    let functions = list(result, "functions");
    let rows: Vec<Vec<Html>> = functions
        .iter()
        .take(MOST_ROWS)
        .map(|function| {
            let number = |name: &str| text(&count(function, name).map_or(String::new(), |number| number.to_string()));
            let name = document::text(function, "name");
            let recursive = if flag(function, "recursive") { "recursive" } else { "" };
            vec![code(name), number("parameters"), number("statements"), number("loops"), text(recursive)]
        })
        .collect();
    if !rows.is_empty() {
        let title = match functions.len() {
            many if many > MOST_ROWS => format!("Functions, the first {MOST_ROWS} of {many}"),
            _ => "Functions".to_string(),
        };
        view.panel(title, table(&["name", "parameters", "statements", "loops", ""], &rows));
    }
    let external = document::texts(result, "external");
    if !external.is_empty() {
        view.panel("Called and not defined", code(&external.join(", ")));
    }
}

fn run(result: &Value, view: &mut View) {
    view.facts.push(("engine", document::text(result, "engine").to_string()));
    view.counted(result, &[("steps", "steps")]);
    if let Some(ending) = result.get("ending") {
        let mut words = vec![document::text(ending, "kind").to_string()];
        words.extend(["status", "value", "rule", "signal", "limit", "what"].iter().filter_map(|name| {
            let value = ending.get(*name).filter(|value| !value.is_null())?;
            Some(shown(value))
        }));
        view.facts.push(("ended", words.join(" ")));
        if document::text(ending, "kind") == "unsupported" || document::text(ending, "kind") == "out-of-budget" {
            let place = Place::parse_with_column(document::text(ending, "place"));
            view.marks.push(Mark {
                verdict: "unknown".into(),
                kind: words[0].clone(),
                text: words[1..].join(" "),
                place,
                ..Mark::default()
            });
        }
    }
    for (title, name) in [("Standard output", "stdout"), ("Standard error", "stderr")] {
        if !document::text(result, name).is_empty() {
            view.panel(title, preformatted(document::text(result, name)));
        }
    }
}

fn explain(result: &Value, view: &mut View) {
    for rule in list(result, "rules") {
        let mut body = Html::new();
        body.raw("<p><b>").text(document::text(rule, "summary")).raw("</b></p><p class=\"prose\">");
        body.text(document::text(rule, "explanation")).raw("</p>");
        view.panel(document::text(rule, "id"), body);
    }
}
