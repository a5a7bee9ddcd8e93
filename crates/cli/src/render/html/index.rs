//! The first page of several: what each run said, what is said of each file.

use super::escape::Html;
use super::page::{Page, bob, frame};
use super::view::{badges, code, table, text};
use crate::render::tone::Tone;
use std::collections::BTreeMap;

/// A page of a site.
pub struct Entry {
    /// Its file name, which is made of letters of ours.
    pub address: String,
    pub command: &'static str,
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

fn counted(tally: &Counts, html: &mut Html) {
    badges(tally.iter().map(|((_, verdict), count)| (verdict.as_str(), *count)), html);
}

pub fn index(entries: &[Entry]) -> String {
    let mut all = Counts::new();
    let mut verbs: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut files: BTreeMap<&str, (Counts, Vec<&Entry>)> = BTreeMap::new();
    for entry in entries {
        add(&mut all, &entry.page.tally);
        add(verbs.entry(entry.command).or_default(), &entry.page.tally);
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
    let run = |entry: &Entry| {
        let (mut about, mut says) = (Html::new(), Html::new());
        link(entry, &entry.page.title, &mut about);
        badges(entry.page.tally.iter().map(|(verdict, count)| (verdict.as_str(), *count)), &mut says);
        vec![text(entry.command), about, says, code(&entry.document)]
    };
    body.add(&table(&["verb", "about", "says", "document"], &entries.iter().map(run).collect::<Vec<_>>()));
    body.raw("</section>\n<section class=\"panel\"><h2>Files</h2>");
    let of_file = |(file, (tally, runs)): (&&str, &(Counts, Vec<&Entry>))| {
        let (mut name, mut says, mut links) = (code(file), Html::new(), Html::new());
        let is_in = |names: fn(&Page) -> &[String]| runs.iter().any(|run| names(&run.page).iter().any(|n| n == file));
        if is_in(|page| &page.missing) {
            name.raw(" <span class=\"soft\">text not at hand</span>");
        }
        if is_in(|page| &page.changed) {
            name.raw(" <span class=\"soft\">changed since</span>");
        }
        counted(tally, &mut says);
        for entry in runs {
            link(entry, entry.command, &mut links);
            links.raw(" ");
        }
        vec![name, says, links]
    };
    body.add(&table(&["file", "says", "runs"], &files.iter().map(of_file).collect::<Vec<_>>()));
    body.raw("</section>\n<section class=\"panel\"><h2>Verbs</h2><div class=\"scroll\" tabindex=\"0\"><table><tbody>");
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
