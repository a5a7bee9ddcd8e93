//! `repair`: suspicion as heat over the source, patches as differences, and the tests that fail.

use super::{Detail, LineNote, Mark, View, badge, code, first_rows, table, text};
use crate::render::html::document::{self, Place, count, list};
use crate::render::html::escape::Html;
use serde_json::Value;

/// Failing tests that are listed.
const MOST_TESTS: usize = 50;

pub fn view(result: &Value) -> View {
    let mut view = View { verdict: document::text(result, "verdict").to_string(), ..View::default() };
    view.counted(result, &[("programs tried", "candidates"), ("other repairs", "other_repairs")]);
    if let Some(tests) = result.get("tests") {
        view.counted(tests, &[("tests", "total"), ("failing", "failing")]);
    }
    for row in list(result, "suspicious") {
        let score = row.get("score").and_then(Value::as_f64).unwrap_or(0.0).clamp(0.0, 1.0);
        if let Some(place) = Place::of(row) {
            let note = LineNote { label: format!("{score:.2}"), heat: Some((score * 10.0).round() as u8) };
            view.lines.insert(place, note);
        }
    }
    for (number, patch) in list(result, "patches").iter().enumerate() {
        view.marks.push(mark(number + 1, patch));
        view.panel(format!("Patch {}", number + 1), difference(patch));
    }
    let failing = list(result, "failing");
    if !failing.is_empty() {
        let row = |test: &Value| {
            let number = count(test, "test").map_or(String::new(), |number| number.to_string());
            let shown = |name: &str| code(document::text(test, name));
            vec![text(&number), shown("input"), shown("expected"), shown("got")]
        };
        let headings = ["test", "input", "expected", "got"];
        view.panel("Failing tests", first_rows(&headings, failing.iter().map(row), MOST_TESTS));
    }
    if let Some(program) = result.get("program").and_then(Value::as_str) {
        view.panel("Reachability program", super::preformatted(program));
    }
    view
}

fn mark(number: usize, patch: &Value) -> Mark {
    let (before, after) = (document::text(patch, "before"), document::text(patch, "after"));
    let mut mark = Mark {
        verdict: "repaired".to_string(),
        kind: document::text(patch, "template").to_string(),
        text: after.trim().to_string(),
        is_code: true,
        remark: format!("patch {number}"),
        place: Place::of(patch),
        ..Mark::default()
    };
    mark.detail("instead of", Detail::Code(before.trim().to_string()));
    mark.detail("tests", Detail::Text(passed(patch)));
    mark
}

fn passed(patch: &Value) -> String {
    let number = |name: &str| count(patch, name).unwrap_or(0);
    format!("passes {} of {} when compiled", number("tests_passed"), number("tests_total"))
}

fn difference(patch: &Value) -> Html {
    let mut html = Html::new();
    html.raw("<p>")
        .text(document::text(patch, "template"))
        .raw(", ")
        .text(&passed(patch))
        .raw("</p><pre class=\"diff\" tabindex=\"0\">");
    for line in document::text(patch, "diff").lines() {
        let (open, close) = match line.as_bytes().first() {
            Some(b'+') if !line.starts_with("+++ ") => ("<ins>", "</ins>"),
            Some(b'-') if !line.starts_with("--- ") => ("<del>", "</del>"),
            Some(b'@' | b'+' | b'-') => ("<b>", "</b>"),
            _ => ("<span>", "</span>"),
        };
        html.raw(open).text(line).raw(close);
    }
    html.raw("</pre>");
    if let Some(checked) = patch.get("checked").filter(|checked| !checked.is_null()) {
        html.raw("<p>")
            .add(&badge(document::text(checked, "verdict")))
            .raw(" ")
            .text(document::text(checked, "text"))
            .raw("</p>");
    }
    let told = list(patch, "distinguishing");
    if !told.is_empty() {
        let row = |told: &Value| {
            let shown = |name: &str| code(&told.get(name).map_or(String::new(), document::shown));
            vec![
                text(&count(told, "other").map_or(String::new(), |n| n.to_string())),
                shown("input"),
                shown("this"),
                shown("that"),
            ]
        };
        html.raw("<p class=\"caption\">It differs from other patches on:</p>");
        html.add(&table(&["patch", "input", "this", "that"], &told.iter().map(row).collect::<Vec<_>>()));
    }
    html
}
