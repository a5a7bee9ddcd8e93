//! The first page of several: what each run said, what is said of each file.

use super::escape::Html;
use super::page::{Page, bob, frame};
use super::view::{Tone, badge};
use std::collections::BTreeMap;

/// A page of a site.
pub struct Entry {
    /// Its file name, which is made of letters of ours.
    pub address: String,
    pub command: String,
    pub document: String,
    pub page: Page,
}

type Tally = Vec<(String, usize)>;
/// In the order of tones.
type Counts = BTreeMap<(Tone, String), usize>;

fn add(tally: &mut Counts, more: &Tally) {
    for (verdict, count) in more {
        *tally.entry((Tone::of(verdict), verdict.clone())).or_default() += count;
    }
}

fn badges<'a>(tally: impl IntoIterator<Item = (&'a str, usize)>, html: &mut Html) {
    for (verdict, count) in tally {
        html.raw("<span class=\"count\"><b>").count(count).raw("</b> ").add(&badge(verdict)).raw("</span> ");
    }
}

fn counted(tally: &Counts, html: &mut Html) {
    badges(tally.iter().map(|((_, verdict), count)| (verdict.as_str(), *count)), html);
}

pub fn index(entries: &[Entry]) -> String {
    let mut all = Counts::new();
    let mut verbs: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut files: BTreeMap<&str, (Counts, Vec<&Entry>)> = BTreeMap::new();
    for entry in entries {
        add(&mut all, &entry.page.tally);
        add(verbs.entry(&entry.command).or_default(), &entry.page.tally);
        for (file, tally) in &entry.page.files {
            let known = files.entry(file).or_default();
            add(&mut known.0, tally);
            known.1.push(entry);
        }
    }
    let mut body = Html::new();
    body.raw("<a class=\"skip\" href=\"#source\">Skip to the runs</a>\n<header><div class=\"top\"><p class=\"brand\">");
    body.add(&bob())
        .raw("plumb <b>report</b></p><button type=\"button\" id=\"theme\" hidden>Dark theme</button></div><h1>");
    match entries.len() {
        1 => body.raw("1 run"),
        runs => body.count(runs).raw(" runs"),
    };
    body.raw("</h1><p class=\"tally\">");
    counted(&all, &mut body);
    body.raw(
        "</p></header>\n<main id=\"source\" class=\"index\" tabindex=\"-1\"><section class=\"panel\"><h2>Runs</h2>",
    );
    body.raw("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">verb</th><th scope=\"col\">about</th><th scope=\"col\">says</th><th scope=\"col\">document</th></tr></thead><tbody>");
    for entry in entries {
        body.raw("<tr><td>").text(&entry.command).raw("</td><td>");
        link(entry, &entry.page.title, &mut body);
        body.raw("</td><td>");
        badges(entry.page.tally.iter().map(|(verdict, count)| (verdict.as_str(), *count)), &mut body);
        body.raw("</td><td><code>").text(&entry.document).raw("</code></td></tr>");
    }
    body.raw("</tbody></table></div></section>\n<section class=\"panel\"><h2>Files</h2>");
    body.raw("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">file</th><th scope=\"col\">says</th><th scope=\"col\">runs</th></tr></thead><tbody>");
    for (file, (tally, runs)) in &files {
        body.raw("<tr><td><code>").text(file).raw("</code>");
        if runs.iter().any(|entry| entry.page.missing.iter().any(|missing| missing == file)) {
            body.raw(" <span class=\"soft\">text not at hand</span>");
        }
        body.raw("</td><td>");
        counted(tally, &mut body);
        body.raw("</td><td>");
        for entry in runs {
            link(entry, &entry.command, &mut body);
            body.raw(" ");
        }
        body.raw("</td></tr>");
    }
    body.raw("</tbody></table></div></section>\n<section class=\"panel\"><h2>Verbs</h2><div class=\"scroll\" tabindex=\"0\"><table><tbody>");
    for (verb, tally) in &verbs {
        body.raw("<tr><th scope=\"row\">").text(verb).raw("</th><td>");
        counted(tally, &mut body);
        body.raw("</td></tr>");
    }
    body.raw("</tbody></table></div></section></main>\n<footer><p>Made by plumb ")
        .text(env!("CARGO_PKG_VERSION"))
        .raw(".</p></footer>");
    frame("plumb report", "", body)
}

fn link(entry: &Entry, shown: &str, html: &mut Html) {
    html.raw("<a href=\"").text(&entry.address).raw("\">").text(shown).raw("</a>");
}
