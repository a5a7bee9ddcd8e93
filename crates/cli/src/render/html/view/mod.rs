//! What a page shows of a document: marks at lines of the source, pictures beside it. One file per verb.

mod check_up;
mod conform;
mod findings;
mod infer;
mod pixels;
mod prove;
mod reach;
mod repair;
mod represent;
mod run;
mod symmetry;

use super::document::{self, Document, Place};
use super::escape::Html;
use super::sources::Texts;
use crate::render::tone::Tone;
use serde_json::Value;
use std::collections::BTreeMap;

impl Tone {
    /// The class of its colour.
    pub fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Seen => "seen",
            Tone::Open => "open",
            Tone::Hollow => "hollow",
            Tone::Bad => "bad",
            Tone::Plain => "plain",
        }
    }
}

/// One thing that is said about the program.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    pub verdict: String,
    pub kind: String,
    pub text: String,
    /// Whether the text is an expression, or a sentence.
    pub is_code: bool,
    /// A few words behind it.
    pub remark: String,
    pub place: Option<Place>,
    /// What unfolds below.
    pub details: Vec<(&'static str, Detail)>,
}

#[derive(Clone, Debug)]
pub enum Detail {
    Text(String),
    Code(String),
    Place(Place),
}

impl Mark {
    /// Adds a detail, unless there is nothing in it.
    pub fn detail(&mut self, name: &'static str, detail: Detail) {
        if !matches!(&detail, Detail::Text(text) | Detail::Code(text) if text.is_empty()) {
            self.details.push((name, detail));
        }
    }

    /// Says where an input was tried.
    fn replayed(&mut self, witness: &Value) {
        let seen = if document::flag(witness, "replayed") { "on the compiled program" } else { "in the VM only" };
        self.detail("replayed", Detail::Text(seen.to_string()));
    }
}

/// Something beside the source: a drawing, a table, a text.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    pub body: Html,
}

/// What a page begins with: a list that leads to lines.
#[derive(Clone, Debug, Default)]
pub struct Lead {
    pub title: String,
    pub items: Vec<LeadItem>,
}

#[derive(Clone, Debug)]
pub struct LeadItem {
    pub verdict: &'static str,
    pub title: String,
    pub text: String,
    pub place: Option<Place>,
    /// A word and what stands behind it.
    pub details: Vec<(&'static str, String)>,
}

/// What is said of a line besides its marks.
#[derive(Clone, Debug, Default)]
pub struct LineNote {
    pub label: String,
    /// From 0 to 10, how much the line is suspected.
    pub heat: Option<u8>,
}

#[derive(Clone, Debug, Default)]
pub struct View {
    /// The answer of the whole run, where there is one.
    pub verdict: String,
    pub why: String,
    /// Before everything else.
    pub lead: Vec<Lead>,
    pub marks: Vec<Mark>,
    pub panels: Vec<Panel>,
    pub lines: BTreeMap<Place, LineNote>,
    /// Numbers of the run: a name and a value.
    pub facts: Vec<(&'static str, String)>,
    pub assumptions: Vec<String>,
    pub notes: Vec<String>,
    /// The user's files.
    pub files: Vec<String>,
}

impl View {
    fn panel(&mut self, title: impl Into<String>, body: Html) {
        self.panels.push(Panel { title: title.into(), body });
    }

    /// Facts of the result, by the names of its members.
    fn counted(&mut self, result: &Value, facts: &[(&'static str, &str)]) {
        let found = facts.iter().filter_map(|(shown, name)| Some((*shown, document::count(result, name)?.to_string())));
        self.facts.extend(found);
    }
}

/// How often each verdict is there, in the order of their tones.
pub fn tally<'m>(marks: impl IntoIterator<Item = &'m Mark>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<(Tone, &str), usize> = BTreeMap::new();
    for mark in marks {
        *counts.entry((Tone::of(&mark.verdict), &mark.verdict)).or_default() += 1;
    }
    counts.into_iter().map(|((_, verdict), count)| (verdict.to_string(), count)).collect()
}

/// What the page of a document shows.
pub fn view(document: &Document<'_>, texts: &Texts) -> View {
    let result = document.result;
    let mut view = of_result(document.command, result, texts);
    findings::add(result, &mut view);
    view.facts.extend(document.seed.map(|seed| ("seed", seed.to_string())));
    view.facts.extend(document.elapsed_ms.map(|ms| ("took", duration(ms))));
    if !matches!(document.stopped, "done" | "") {
        view.facts.push(("stopped", document.stopped.to_string()));
    }
    view
}

fn of_result(command: &str, result: &Value, texts: &Texts) -> View {
    let mut view = match command {
        "infer" => infer::view(result),
        "prove" => prove::view(result),
        "reach" => reach::view(result, texts),
        "symmetry" => symmetry::view(result),
        "conform" => conform::view(result),
        "repair" => repair::view(result),
        "represent" => represent::view(result),
        "check-up" => check_up::view(result),
        _ => run::view(command, result),
    };
    view.notes.extend(document::texts(result, "notes").into_iter().map(str::to_string));
    view.assumptions.extend(document::texts(result, "assumptions").into_iter().map(str::to_string));
    view.files.extend(document::texts(result, "files").into_iter().map(str::to_string));
    view
}

fn duration(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", ms as f64 / 1000.0),
    }
}

/// Arguments as a person writes them: `x = 3, y = 4`.
fn bindings(members: &[(&str, &Value)]) -> String {
    let each: Vec<String> =
        members.iter().map(|(name, value)| format!("{name} = {}", document::shown(value))).collect();
    each.join(", ")
}

/// Rows under headings, at most so many, and how many more there are.
fn first_rows(headings: &[&'static str], rows: impl ExactSizeIterator<Item = Vec<Html>>, most: usize) -> Html {
    let left_out = rows.len().saturating_sub(most);
    let mut html = table(headings, &rows.take(most).collect::<Vec<_>>());
    if left_out > 0 {
        html.raw("<p class=\"caption\">and ").count(left_out).raw(" more</p>");
    }
    html
}

/// Rows under headings.
pub fn table(headings: &[&'static str], rows: &[Vec<Html>]) -> Html {
    let mut html = Html::new();
    html.raw("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
    for heading in headings {
        html.raw("<th scope=\"col\">").raw(heading).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for row in rows {
        html.raw("<tr>");
        for cell in row {
            html.raw("<td>").add(cell).raw("</td>");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
    html
}

pub fn text(text: &str) -> Html {
    let mut html = Html::new();
    html.text(text);
    html
}

pub fn code(text: &str) -> Html {
    let mut html = Html::new();
    html.raw("<code>").text(text).raw("</code>");
    html
}

/// Verdicts as badges, each with how often it is there.
pub fn badges<'v>(counts: impl IntoIterator<Item = (&'v str, usize)>, html: &mut Html) {
    for (verdict, count) in counts {
        html.raw("<span class=\"count\"><b>").count(count).raw("</b> ").add(&badge(verdict)).raw("</span> ");
    }
}

/// A verdict as a badge.
pub fn badge(verdict: &str) -> Html {
    let mut html = Html::new();
    html.raw("<span class=\"badge ").raw(Tone::of(verdict).class()).raw("\">").text(verdict).raw("</span>");
    html
}

fn preformatted(text: &str) -> Html {
    let mut html = Html::new();
    html.raw("<pre tabindex=\"0\">").text(text).raw("</pre>");
    html
}

/// Something long behind a line that unfolds it.
fn folded(summary: &str, body: &Html) -> Html {
    let mut html = Html::new();
    html.raw("<details><summary>").text(summary).raw("</summary>").add(body).raw("</details>");
    html
}
