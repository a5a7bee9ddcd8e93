//! `check-up`: what several verbs say of one program, in one source. Its `phases` have each the `name` of a verb and that
//! verb's `result`.

use super::{View, badge, of_result, table, text};
use crate::render::html::document::{self, list, members, shown};
use crate::render::html::escape::Html;
use crate::render::html::sources::Texts;
use serde_json::Value;

pub fn view(result: &Value, texts: &Texts) -> View {
    let mut view = View::default();
    let mut rows = Vec::new();
    let mut parts = Vec::new();
    for phase in list(result, "phases") {
        let verb = document::text(phase, "name");
        let mut answer = Html::new();
        for (verdict, count) in members(phase, "verdicts") {
            answer.text(&shown(count)).raw(" ").add(&badge(verdict)).raw(" ");
        }
        match document::text(phase, "why") {
            "" if members(phase, "verdicts").is_empty() => answer.text(document::text(phase, "stopped")),
            why => answer.text(why),
        };
        rows.push(vec![text(verb), super::code(document::text(phase, "entry")), answer]);
        // A check-up is no phase of itself, whatever a document says.
        if let Some(result) = phase.get("result").filter(|_| verb != "check-up") {
            parts.push((verb, of_result(verb, result, texts)));
        }
    }
    view.panel("What was asked", table(&["verb", "of", "answer"], &rows));
    for (verb, part) in parts {
        view.marks.extend(part.marks);
        view.lines.extend(part.lines);
        view.assumptions.extend(part.assumptions);
        view.notes.extend(part.notes);
        view.files.extend(part.files.into_iter().filter(|file| !view.files.contains(file)).collect::<Vec<_>>());
        let titled =
            part.panels.into_iter().map(|panel| super::Panel { title: format!("{verb}: {}", panel.title), ..panel });
        view.panels.extend(titled);
    }
    view.assumptions.sort();
    view.assumptions.dedup();
    view
}
