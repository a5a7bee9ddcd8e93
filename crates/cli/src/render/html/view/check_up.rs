//! `check-up`: what is wrong first, with links to the lines; then what callers owe, a map of the project, and every
//! function with what is known of it.

use super::{Lead, LeadItem, Mark, View, badge, code, first_rows, text};
use crate::render::html::document::{self, Place, count, flag, list, texts};
use crate::render::html::escape::Html;
use crate::render::html::svg::{Anchor, LETTER, Svg, clipped};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a table.
const MOST_ROWS: usize = 400;

pub fn view(result: &Value) -> View {
    let files = list(result, "units").iter().map(|unit| document::text(unit, "path").to_string()).collect();
    let mut view = View { files, ..View::default() };
    let wrong = list(result, "bugs");
    let owed: Vec<&Value> =
        list(result, "preconditions").iter().filter(|fault| document::text(fault, "class") == "precondition").collect();
    view.lead.push(Lead {
        title: if wrong.is_empty() { "Nothing wrong was found".to_string() } else { "What is wrong".to_string() },
        items: wrong.iter().map(item).collect(),
    });
    if !owed.is_empty() {
        view.lead.push(Lead {
            title: "What callers owe".to_string(),
            items: owed.iter().map(|fault| item(fault)).collect(),
        });
    }
    for fact in list(result, "facts") {
        view.marks.push(Mark {
            verdict: document::text(fact, "verdict").to_string(),
            kind: document::text(fact, "kind").to_string(),
            text: document::text(fact, "text").to_string(),
            is_code: document::text(fact, "kind") != "symmetry",
            remark: match (document::text(fact, "function"), document::text(fact, "location")) {
                (function, "") => function.to_string(),
                (function, location) => format!("{function}, {location}"),
            },
            place: fact.get("place").and_then(Place::of),
            details: Vec::new(),
        });
    }
    let totals = result.get("totals").unwrap_or(&Value::Null);
    for (shown, name) in
        [("questions", "asked"), ("answered", "answered"), ("within bounds", "within_bounds"), ("open", "open")]
    {
        view.facts.extend(count(totals, name).map(|count| (shown, count.to_string())));
    }
    if flag(result, "remembered") {
        view.notes.push("Nothing has changed since the last run; this is what it found.".to_string());
    }
    let states = states(result);
    view.panel("Map", map(result, &states));
    view.panel("Functions", functions(result, &states));
    let open = list(result, "open");
    if !open.is_empty() {
        view.panel("Why questions stayed open", reasons(open));
    }
    view
}

fn item(fault: &Value) -> LeadItem {
    let mut details = vec![("with", document::text(fault, "input").to_string())];
    details.push(("again", document::text(fault, "command").to_string()));
    let known = if flag(fault, "in_baseline") { " (in the baseline)" } else { "" };
    LeadItem {
        verdict: if document::text(fault, "class") == "bug" { "error" } else { "note" },
        title: format!("{} in {}{known}", document::text(fault, "rule"), document::text(fault, "function")),
        text: document::text(fault, "message").to_string(),
        place: fault.get("place").and_then(Place::of),
        details,
    }
}

/// What is known of each function, by file and name.
type States = BTreeMap<(String, String), &'static str>;

/// The word of a function: something is wrong, callers owe something, all was looked at, something is open.
fn states(result: &Value) -> States {
    let mut states = States::new();
    let key = |value: &Value, name: &str| {
        let file = value.get("place").map(|place| document::text(place, "file")).unwrap_or_default();
        (file.to_string(), document::text(value, name).to_string())
    };
    for answer in list(result, "questions").iter().filter(|answer| document::text(answer, "question") == "faults") {
        let state = if document::text(answer, "ended") == "done" { "pass" } else { "unknown" };
        states.insert(key(answer, "function"), state);
    }
    for fault in list(result, "preconditions") {
        states.insert(key(fault, "function"), "note");
    }
    for fault in list(result, "bugs") {
        states.insert(key(fault, "function"), "error");
    }
    states
}

fn worst(states: &BTreeSet<&'static str>) -> &'static str {
    ["error", "unknown", "note"].into_iter().find(|state| states.contains(state)).unwrap_or("pass")
}

fn class(state: &str) -> &'static str {
    match state {
        "error" => "box bad",
        "pass" => "box good",
        "note" => "box seen",
        _ => "box open",
    }
}

/// The files as boxes, as wide as they are long, in rows.
fn map(result: &Value, states: &States) -> Html {
    const WIDTH: f64 = 560.0;
    const HEIGHT: f64 = 34.0;
    let files = list(result, "units");
    let lines = |file: &Value| count(file, "lines").unwrap_or(0).max(1) as f64;
    let total: f64 = files.iter().map(lines).sum();
    // A file should be wide enough to be seen, and none wider than a row.
    let scale = (WIDTH * (files.len() as f64 / 5.0).clamp(1.0, 12.0) / total.max(1.0)).max(0.001);
    let (mut x, mut y) = (0.0, 0.0);
    let mut boxes = Vec::new();
    for file in files.iter().take(MOST_ROWS) {
        let width = (lines(file) * scale).clamp(10.0, WIDTH);
        if x + width > WIDTH {
            (x, y) = (0.0, y + HEIGHT + 4.0);
        }
        boxes.push((file, x, y, width));
        x += width + 4.0;
    }
    let mut svg = Svg::new(WIDTH + 4.0, y + HEIGHT + 2.0);
    for (file, x, y, width) in boxes {
        let path = document::text(file, "path");
        let here: BTreeSet<&str> = states.iter().filter(|((of, _), _)| of == path).map(|(_, state)| *state).collect();
        let is_read = file.get("unreadable").is_none_or(Value::is_null);
        let state = if is_read { worst(&here) } else { "unknown" };
        let about = format!(
            "{path}: {} lines, {} functions{}",
            count(file, "lines").unwrap_or(0),
            count(file, "functions").unwrap_or(0),
            if is_read { "" } else { ", could not be read" }
        );
        svg.titled(&about, |svg| {
            svg.rect(class(state), (x + 1.0, y + 1.0), (width, HEIGHT));
            let name = path.rsplit('/').next().unwrap_or(path);
            let room = ((width - 8.0) / LETTER) as usize;
            if room >= 4 {
                svg.text("mono", (x + 5.0, y + 21.0), Anchor::Start, &clipped(name, room));
            }
        });
    }
    let mut html = svg.scrolling(&format!("{} files, as wide as they are long", files.len()));
    html.raw("<p class=\"caption\">");
    for state in ["error", "note", "pass", "unknown"] {
        html.add(&badge(state)).raw(" ").raw(match state {
            "error" => "something is wrong; ",
            "note" => "callers owe something; ",
            "pass" => "looked at to the end; ",
            _ => "open, or not read",
        });
    }
    html.raw("</p>");
    html
}

fn functions(result: &Value, states: &States) -> Html {
    let mut needs: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for fault in list(result, "preconditions") {
        let text = format!("not with {}: {}", document::text(fault, "input"), document::text(fault, "message"));
        needs.entry(document::text(fault, "entry")).or_default().push(text);
    }
    let rows = list(result, "functions").iter().map(|function| {
        let name = document::text(function, "name");
        let file = function.get("place").map(|place| document::text(place, "file")).unwrap_or_default();
        let state = states.get(&(file.to_string(), name.to_string())).copied().unwrap_or("unknown");
        let line = function.get("place").and_then(|place| count(place, "line")).unwrap_or(0);
        let contract = needs.get(name).map(|needs| needs.iter().take(3).cloned().collect::<Vec<_>>().join("; "));
        let mut calls = Html::new();
        for (number, callee) in texts(function, "calls").into_iter().enumerate() {
            let of = states.iter().find(|((_, known), _)| known == callee).map_or("unknown", |(_, state)| *state);
            calls.raw(if number > 0 { ", " } else { "" }).raw("<span class=\"callee ");
            calls.raw(class(of)).raw("\">").text(callee).raw("</span>");
        }
        vec![badge(state), code(name), text(&format!("{file}:{line}")), calls, text(&contract.unwrap_or_default())]
    });
    first_rows(&["", "function", "where", "calls", "contract"], rows, MOST_ROWS)
}

fn reasons(open: &[Value]) -> Html {
    let rows = open.iter().map(|group| {
        let functions = texts(group, "functions");
        let reason = document::shown(group.get("reason").unwrap_or(&Value::Null));
        let mut names = functions.iter().take(8).copied().collect::<Vec<_>>().join(", ");
        if functions.len() > 8 {
            names += ", …";
        }
        vec![text(&count(group, "questions").unwrap_or(0).to_string()), text(&reason), text(&names)]
    });
    first_rows(&["questions", "reason", "functions"], rows, MOST_ROWS)
}
