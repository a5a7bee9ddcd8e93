//! One small renderer per output format; all of them start from a [`Report`](crate::report::Report).

pub mod html;
pub mod json;
mod junit;
mod markdown;
mod sarif;
mod text;
mod tone;
pub mod visible;

pub use json::location;
pub use text::failure;

use crate::args::{Format, Shared};
use crate::report::Report;
use std::time::Duration;

/// What the renderers know beside the report.
pub struct Setting<'a> {
    pub shared: &'a Shared,
    pub elapsed: Duration,
    /// Whether the destination wants colour.
    pub color: bool,
    /// Whether the program's output, and its error output, go to a terminal, which would obey control characters.
    pub shows_out: bool,
    pub shows_err: bool,
}

/// The bytes that go to standard output or the file given with `-o`, and those that go to standard error.
pub struct Rendered {
    pub out: Vec<u8>,
    pub err: Vec<u8>,
}

/// The page of a report: a view of its JSON document.
fn page(report: &Report, setting: &Setting<'_>) -> Vec<u8> {
    let document = json::document(report, setting);
    let document = html::Document::read(&document).expect("a document of ours should be one, because it was just made");
    html::page(&document, html::Texts::of(&report.sources), html::Setting::Alone).html.into_bytes()
}

/// What a person reads of a report, on standard output alone.
pub fn as_text(report: &Report, setting: &Setting<'_>) -> Vec<u8> {
    text::render(report, setting).out
}

pub fn render(report: &Report, setting: &Setting<'_>) -> Rendered {
    match setting.shared.format {
        Format::Text => text::render(report, setting),
        Format::Json => Rendered { out: json::render(report, setting), err: Vec::new() },
        Format::Sarif => Rendered { out: sarif::render(report), err: Vec::new() },
        Format::Junit => Rendered { out: junit::render(report), err: Vec::new() },
        Format::Markdown => Rendered { out: markdown::render(report), err: Vec::new() },
        Format::Html => Rendered { out: page(report, setting), err: Vec::new() },
    }
}
