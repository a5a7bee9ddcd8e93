//! The annotated source: numbered lines, and below a line what is said about it.
//!
//! A long source stays quick because lines come in blocks that a browser lays out only when they are near what is seen
//! (`content-visibility`), because a line is one element and no script knows of it, and because every mark is written once,
//! where it belongs.

use super::document::Place;
use super::escape::Html;
use super::highlight::{self, State};
use super::page::Filters;
use super::sources::Texts;
use super::view::{Detail, LineNote, Mark, View, badge};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of a block.
const BLOCK: usize = 100;
/// Marks of a line that are shown before it is unfolded.
const FEW: usize = 12;
/// Lines beyond which words are not told apart, which would triple the elements of the page.
const COLOURED: usize = 8_000;

/// The files of a page and their numbers, which are all that addresses in the page are made of.
pub struct Files {
    names: Vec<String>,
}

impl Files {
    /// The files that something is said about, and else those of the program.
    pub fn of(view: &View) -> Files {
        let marked: BTreeSet<&str> = view
            .marks
            .iter()
            .filter_map(|mark| mark.place.as_ref())
            .chain(view.lines.keys())
            .map(|place| place.file.as_str())
            .collect();
        // The order of the program, where it is known.
        let known = view.files.iter().map(String::as_str);
        let mut names: Vec<String> = Vec::new();
        for name in known.clone().filter(|name| marked.contains(name)).chain(marked.iter().copied()) {
            if !names.iter().any(|there| there == name) {
                names.push(name.to_string());
            }
        }
        if names.is_empty() {
            names.extend(known.filter(|name| is_program(name)).take(4).map(str::to_string));
        }
        Files { names }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A link to a place, if the page has its file.
    pub fn link(&self, place: &Place, html: &mut Html) {
        let shown = format!("{}:{}", place.file, place.line);
        match self.names.iter().position(|name| *name == place.file) {
            Some(file) => html
                .raw("<a href=\"#f")
                .count(file)
                .raw("-")
                .count(place.line as usize)
                .raw("\">")
                .text(&shown)
                .raw("</a>"),
            None => html.text(&shown),
        };
    }
}

fn is_program(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("c"))
}

/// All files, and then what has no place.
pub fn section(view: &View, files: &Files, texts: &Texts, filters: &Filters) -> Html {
    let mut html = Html::new();
    let homeless: Vec<&Mark> = view.marks.iter().filter(|mark| mark.place.is_none()).collect();
    if !homeless.is_empty() {
        html.raw("<section class=\"file\"><h2>About the whole</h2><div class=\"loose\">");
        write_marks(&homeless, files, filters, &mut html);
        html.raw("</div></section>");
    }
    for (number, name) in files.names.iter().enumerate() {
        html.raw("<section class=\"file\"><h2>").text(name).raw("</h2>");
        let marks = marks_of(view, name);
        match texts.get(name) {
            Some(text) => whole(number, text, &marks, view, files, filters, &mut html),
            None => missing(number, texts.is_changed(name), &marks, files, filters, &mut html),
        }
        html.raw("</section>");
    }
    if files.names.is_empty() && homeless.is_empty() {
        html.raw("<p class=\"nothing\">There is no source to show, and nothing to say about it.</p>");
    }
    html
}

fn marks_of<'a>(view: &'a View, file: &str) -> BTreeMap<u32, Vec<&'a Mark>> {
    let mut marks: BTreeMap<u32, Vec<&Mark>> = BTreeMap::new();
    for mark in &view.marks {
        if let Some(place) = mark.place.as_ref().filter(|place| place.file == file) {
            marks.entry(place.line).or_default().push(mark);
        }
    }
    marks
}

fn whole(
    number: usize,
    text: &str,
    marks: &BTreeMap<u32, Vec<&Mark>>,
    view: &View,
    files: &Files,
    filters: &Filters,
    html: &mut Html,
) {
    let lines: Vec<&str> = text.lines().collect();
    let mut state = State::default();
    let mut place = Place { file: files.names[number].clone(), line: 0 };
    for (block, lines_here) in lines.chunks(BLOCK).enumerate() {
        let first = block * BLOCK + 1;
        html.raw("<ol class=\"code\">");
        for (line, text) in (first..).zip(lines_here) {
            place.line = line as u32;
            let said = marks.get(&place.line);
            open_line(number, line, line == first, view.lines.get(&place), said.is_some(), html);
            match lines.len() <= COLOURED {
                true => state = highlight::line(text, state, html),
                false => drop(html.text(text)),
            }
            if let Some(said) = said {
                write_marks(said, files, filters, html);
            }
            html.raw("</li>");
        }
        html.raw("</ol>");
    }
    let beyond: Vec<&Mark> = marks
        .range(lines.len() as u32 + 1..)
        .chain(marks.range(..1))
        .flat_map(|(_, marks)| marks.iter().copied())
        .collect();
    if !beyond.is_empty() {
        html.raw("<p class=\"warn\">The file has no such lines now; it may have changed since the run.</p><div class=\"loose\">");
        write_marks(&beyond, files, filters, html);
        html.raw("</div>");
    }
}

/// A line with what is said of it besides its marks. The first of a block has its number: browsers that lay out a block
/// apart from the others count in it from 1, whatever the `start` of the list is.
fn open_line(file: usize, line: usize, is_first: bool, note: Option<&LineNote>, is_marked: bool, html: &mut Html) {
    html.raw("<li id=\"f").count(file).raw("-").count(line).raw("\"");
    if is_first {
        html.raw(" value=\"").count(line).raw("\"");
    }
    let heat = note.and_then(|note| note.heat);
    if is_marked || note.is_some() {
        html.raw(" class=\"");
        html.raw(if is_marked { "marked " } else { "" });
        match heat {
            Some(heat) => drop(html.raw("heat h").count(heat.min(10).into())),
            None => drop(html.raw(if note.is_some() { "onway" } else { "" })),
        }
        html.raw("\"");
    }
    html.raw(">");
    if let Some(note) = note.filter(|note| !note.label.is_empty()) {
        html.raw("<b class=\"label\">").text(&note.label).raw("</b>");
    }
}

/// Without the text, the lines that something is said about.
fn missing(
    number: usize,
    is_changed: bool,
    marks: &BTreeMap<u32, Vec<&Mark>>,
    files: &Files,
    filters: &Filters,
    html: &mut Html,
) {
    html.raw("<p class=\"warn\">The text of <code>").text(&files.names[number]).raw("</code> ");
    html.raw(if is_changed { "has changed since the run" } else { "is not at hand" });
    html.raw(if marks.is_empty() { ".</p>" } else { "; these are the lines that were named.</p>" });
    for (line, marks) in marks {
        html.raw("<ol class=\"code\">");
        open_line(number, *line as usize, true, None, true, html);
        write_marks(marks, files, filters, html);
        html.raw("</li></ol>");
    }
}

fn write_marks(marks: &[&Mark], files: &Files, filters: &Filters, html: &mut Html) {
    let (few, more) = marks.split_at(if marks.len() <= FEW + 2 { marks.len() } else { FEW });
    html.raw("<div class=\"marks\">");
    few.iter().for_each(|mark| write_mark(mark, files, filters, html));
    if !more.is_empty() {
        html.raw("<details class=\"more\"><summary>").count(more.len()).raw(" more here</summary>");
        more.iter().for_each(|mark| write_mark(mark, files, filters, html));
        html.raw("</details>");
    }
    html.raw("</div>");
}

fn write_mark(mark: &Mark, files: &Files, filters: &Filters, html: &mut Html) {
    html.raw("<div class=\"mark v")
        .count(filters.verdict(&mark.verdict))
        .raw(" k")
        .count(filters.kind(&mark.kind))
        .raw("\">");
    let head = |html: &mut Html| {
        html.add(&badge(&mark.verdict)).raw(" ");
        html.raw(if mark.is_code { "<code>" } else { "<span>" }).text(&mark.text);
        html.raw(if mark.is_code { "</code>" } else { "</span>" });
        if !mark.remark.is_empty() {
            html.raw(" <span class=\"remark\">").text(&mark.remark).raw("</span>");
        }
        html.raw(" <span class=\"kind\">").text(&mark.kind).raw("</span>");
    };
    if mark.details.is_empty() {
        html.raw("<p>");
        head(html);
        html.raw("</p></div>");
        return;
    }
    html.raw("<details><summary>");
    head(html);
    html.raw("</summary><dl>");
    for (name, detail) in &mark.details {
        html.raw("<dt>").raw(name).raw("</dt><dd>");
        match detail {
            Detail::Text(text) => drop(html.text(text)),
            Detail::Code(text) => drop(html.raw("<code>").text(text).raw("</code>")),
            Detail::Place(place) => files.link(place, html),
        }
        html.raw("</dd>");
    }
    html.raw("</dl></details></div>");
}
