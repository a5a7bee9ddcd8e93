//! The frame of a page: head, title, filters, source, pictures.
//!
//! *Guards*. The page carries a Content-Security-Policy that allows its one style sheet and its one script by their
//! hashes, images that are in the page, and nothing else; so even markup that got in could load and run nothing.
//! Filters by verdict and kind are style rules about check boxes, which work without the script.

use super::document::Document;
use super::escape::Html;
use super::source::{self, Files};
use super::sources::Texts;
use super::view::{View, badge, badges, tally, view};
use crate::render::tone::Tone;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Verdicts and kinds that have a check box of their own; all others share the last one.
const MOST_BOXES: usize = 24;

/// What can be filtered by, in the order of the boxes.
pub struct Filters {
    verdicts: Vec<(String, usize)>,
    kinds: Vec<(String, usize)>,
}

impl Filters {
    pub fn of(view: &View) -> Filters {
        let mut kinds: Vec<(String, usize)> = Vec::new();
        for mark in &view.marks {
            match kinds.iter_mut().find(|(kind, _)| *kind == mark.kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((mark.kind.clone(), 1)),
            }
        }
        Filters { verdicts: at_most(tally(&view.marks)), kinds: at_most(kinds) }
    }

    /// The number of the box for a verdict.
    pub fn verdict(&self, verdict: &str) -> usize {
        index(&self.verdicts, verdict)
    }

    pub fn kind(&self, kind: &str) -> usize {
        index(&self.kinds, kind)
    }
}

fn at_most(mut boxes: Vec<(String, usize)>) -> Vec<(String, usize)> {
    if boxes.len() > MOST_BOXES {
        let rest = boxes.split_off(MOST_BOXES - 1);
        boxes.push(("others".to_string(), rest.iter().map(|(_, count)| count).sum()));
    }
    boxes
}

fn index(boxes: &[(String, usize)], name: &str) -> usize {
    boxes.iter().position(|(known, _)| known == name).unwrap_or(boxes.len().saturating_sub(1))
}

/// What an index says about a page.
pub struct Page {
    pub html: String,
    pub title: String,
    pub tally: Vec<(String, usize)>,
    /// For each file that something is said about, how often each verdict is.
    pub files: Vec<(String, Vec<(String, usize)>)>,
    pub missing: Vec<String>,
    /// Files that are others now than when they were read.
    pub changed: Vec<String>,
}

/// Where a page stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// By itself, made by the run.
    Alone,
    /// One of several under an index, made from a document of an earlier run.
    InSite,
}

/// The page of a document; of the texts it shows those that the document is about.
pub fn page(document: &Document<'_>, texts: Texts, setting: Setting) -> Page {
    let texts = &texts.compared(document);
    let view = view(document, texts);
    let filters = Filters::of(&view);
    let files = Files::of(&view);
    let title = title(&view, &files);
    let mut body = Html::new();
    header(document.command, &title, &view, setting, &mut body);
    outdated(texts.changed(), &mut body);
    body.raw("</header>\n");
    lead(&view, &files, &mut body);
    boxes(&filters, &mut body);
    body.raw("<div class=\"columns\"><main id=\"source\" tabindex=\"-1\">");
    body.add(&source::section(&view, &files, texts, &filters)).raw("</main>");
    if !view.panels.is_empty() {
        body.raw("<aside id=\"pictures\" aria-label=\"Pictures and tables\">");
        for panel in &view.panels {
            body.raw("<section class=\"panel\"><h2>")
                .text(&panel.title)
                .raw("</h2>")
                .add(&panel.body)
                .raw("</section>");
        }
        body.raw("</aside>");
    }
    body.raw("</div>");
    let is_unsure = setting == Setting::InSite && files.names().iter().any(|name| texts.is_unsure(name));
    footer(&view, is_unsure, &mut body);
    let tally = tally_of(&view);
    let is_missing = |name: &&String| texts.get(name).is_none() && !texts.is_changed(name);
    let missing = files.names().iter().filter(is_missing).cloned().collect();
    let changed = texts.changed().iter().cloned().collect();
    let by_file = files.names().iter().map(|name| (name.clone(), tally_in(&view, name))).collect();
    let html = frame(&format!("plumb {}: {title}", document.command), &rules(&filters), body);
    Page { html, title, tally, files: by_file, missing, changed }
}

/// Items of a list that are shown before it is unfolded.
const FIRST_ITEMS: usize = 10;

/// What the page begins with.
fn lead(view: &View, files: &Files, html: &mut Html) {
    for lead in &view.lead {
        html.raw("<section class=\"lead\"><h2>").text(&lead.title).raw("</h2>");
        for (number, part) in lead.items.chunks(FIRST_ITEMS).take(2).enumerate() {
            let rest = &lead.items[number * FIRST_ITEMS..];
            let items = if number == 0 { part } else { rest };
            if number > 0 {
                html.raw("<details><summary>").count(items.len()).raw(" more</summary>");
            }
            html.raw("<ol>");
            for item in items {
                html.raw("<li>").add(&badge(item.verdict)).raw(" ");
                if let Some(place) = &item.place {
                    files.link(place, html);
                    html.raw(" ");
                }
                html.raw("<b>").text(&item.title).raw("</b><div>").text(&item.text).raw("</div>");
                for (name, text) in item.details.iter().filter(|(_, text)| !text.is_empty()) {
                    html.raw("<div><span class=\"soft\">")
                        .raw(name)
                        .raw("</span> <code>")
                        .text(text)
                        .raw("</code></div>");
                }
                html.raw("</li>");
            }
            html.raw("</ol>").raw(if number > 0 { "</details>" } else { "" });
        }
        html.raw("</section>\n");
    }
}

/// The verdict of the run if it has one, and else those of what is said.
fn tally_of(view: &View) -> Vec<(String, usize)> {
    match view.verdict.as_str() {
        "" => tally(&view.marks),
        verdict => vec![(verdict.to_string(), 1)],
    }
}

fn tally_in(view: &View, file: &str) -> Vec<(String, usize)> {
    let marks = view.marks.iter().filter(|mark| mark.place.as_ref().is_some_and(|place| place.file == file));
    tally(marks)
}

/// The files that the run was about.
fn title(view: &View, files: &Files) -> String {
    let names = if files.names().is_empty() { &view.files[..] } else { files.names() };
    match names {
        [] => "no files".to_string(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, rest @ ..] => format!("{one} and {} more files", rest.len()),
    }
}

/// The document around a body.
pub fn frame(title: &str, rules: &str, body: Html) -> String {
    let style = format!("{STYLE}{rules}");
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    let mut html = Html::new();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
        .text(&hash(&style));
    html.raw("'; script-src 'sha256-")
        .text(&hash(SCRIPT))
        .raw("'; img-src data:; base-uri 'none'; form-action 'none'\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.raw("<meta name=\"generator\" content=\"plumb ")
        .text(env!("CARGO_PKG_VERSION"))
        .raw("\">\n<title>")
        .text(title)
        .raw("</title>\n");
    let mut page = html.into_string();
    // The style and the script are this program's own text; the rules are numbers in a fixed pattern.
    let _ = write!(page, "<style>{style}</style>\n</head>\n<body>\n{}", body.into_string());
    let _ = write!(page, "\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

/// A box that is not checked hides what it stands for.
fn rules(filters: &Filters) -> String {
    let mut rules = String::new();
    for (letter, boxes) in [("v", &filters.verdicts), ("k", &filters.kinds)] {
        for number in 0..boxes.len() {
            let _ = writeln!(rules, "body:has(#{letter}{number}:not(:checked)) .mark.{letter}{number}{{display:none}}");
        }
    }
    rules
}

fn header(command: &str, title: &str, view: &View, setting: Setting, html: &mut Html) {
    html.raw("<a class=\"skip\" href=\"#source\">Skip to the source</a>\n");
    if !view.panels.is_empty() {
        html.raw("<a class=\"skip\" href=\"#pictures\">Skip to the pictures</a>\n");
    }
    html.raw("<header><div class=\"top\"><p class=\"brand\">");
    html.add(&bob()).raw("plumb <b>").text(command).raw("</b>");
    html.raw(if setting == Setting::InSite { "<a href=\"index.html\">All runs</a></p>" } else { "</p>" });
    html.raw("<button type=\"button\" id=\"theme\" hidden>Dark theme</button></div><h1>")
        .text(title)
        .raw("</h1><div class=\"summary\"><p class=\"tally\">");
    if !view.verdict.is_empty() {
        html.raw("<strong class=\"verdict ")
            .raw(Tone::of(&view.verdict).class())
            .raw("\">")
            .text(&view.verdict)
            .raw("</strong> ");
        html.text(&view.why).raw(" ");
    }
    let counts = tally(&view.marks);
    let others = counts.iter().filter(|(verdict, _)| *verdict != view.verdict);
    badges(others.map(|(verdict, count)| (verdict.as_str(), *count)), html);
    html.raw("</p>");
    let facts: Vec<_> = view.facts.iter().filter(|(_, value)| !value.is_empty() && value != "0").collect();
    if !facts.is_empty() {
        html.raw("<dl class=\"facts\">");
        for (name, value) in facts {
            html.raw("<div><dt>").raw(name).raw("</dt><dd>").text(value).raw("</dd></div>");
        }
        html.raw("</dl>");
    }
    html.raw("</div>");
}

/// That the text is another than the one this is about.
fn outdated(changed: &BTreeSet<String>, html: &mut Html) {
    if changed.is_empty() {
        return;
    }
    html.raw("<p class=\"warn\" role=\"note\"><b>The source has changed since this run</b>: ");
    for (number, file) in changed.iter().enumerate() {
        html.raw(if number == 0 { "<code>" } else { ", <code>" }).text(file).raw("</code>");
    }
    html.raw(
        ". What is said here is about the source as it was; of what has changed there are the lines that were named, ",
    );
    html.raw("without their text.</p>");
}

/// The plumb bob of the title.
pub fn bob() -> Html {
    let mut html = Html::new();
    html.raw("<svg class=\"bob\" aria-hidden=\"true\" viewBox=\"0 0 16 24\" width=\"14\" height=\"21\">");
    html.raw("<path d=\"M8 0V9\"/><path class=\"weight\" d=\"M4 9H12L11 15L8 23L5 15Z\"/></svg>");
    html
}

fn boxes(filters: &Filters, html: &mut Html) {
    if filters.verdicts.is_empty() {
        return;
    }
    html.raw("<div class=\"filters\" role=\"search\" aria-label=\"Filter what is said\">");
    for (legend, letter, boxes) in [("Verdict", "v", &filters.verdicts), ("Kind", "k", &filters.kinds)] {
        html.raw("<fieldset><legend>").raw(legend).raw("</legend>");
        for (number, (name, count)) in boxes.iter().enumerate() {
            html.raw("<label class=\"chip ")
                .raw(if letter == "v" { Tone::of(name).class() } else { "plain" })
                .raw("\"><input type=\"checkbox\" checked id=\"");
            html.raw(letter)
                .count(number)
                .raw("\"><span>")
                .text(name)
                .raw(" <b>")
                .count(*count)
                .raw("</b></span></label>");
        }
        html.raw("</fieldset>");
    }
    html.raw("<div class=\"find\" id=\"finding\" hidden><label for=\"find\">Text</label>");
    html.raw("<input type=\"search\" id=\"find\" placeholder=\"Press / to search\" autocomplete=\"off\" spellcheck=\"false\">");
    html.raw("<output id=\"shown\" aria-live=\"polite\"></output></div></div>\n");
}

fn footer(view: &View, is_unsure: bool, html: &mut Html) {
    html.raw("\n<footer>");
    if !view.assumptions.is_empty() {
        html.raw("<p>Proved means on every run, assuming ").text(&view.assumptions.join(" and ")).raw(".</p>");
    }
    if view.marks.iter().any(|mark| mark.verdict == "observed") {
        html.raw("<p>Observed means that it held of everything that was seen, and no more than that.</p>");
    }
    if !view.notes.is_empty() {
        html.raw("<ul>");
        for note in &view.notes {
            html.raw("<li>").text(note).raw("</li>");
        }
        html.raw("</ul>");
    }
    if is_unsure {
        html.raw("<p>The sources are shown as they were when this page was made, which was after the run.</p>");
    }
    html.raw("<p>Made by plumb ").text(env!("CARGO_PKG_VERSION")).raw(".</p></footer>");
}
