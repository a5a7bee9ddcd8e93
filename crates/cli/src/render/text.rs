//! For people: findings with an excerpt of the source, then the command's own text.
//!
//! When a program was run, standard output belongs to the program, so that `plumb run f.c > out` holds what the
//! program wrote; the findings then go to standard error. Otherwise findings are the result and go to standard output.

use super::visible::{hide_escapes, visible};
use super::{Rendered, Setting};
use crate::report::{Failure, Report};
use ariadne::{Color, Config, IndexType, Label, ReportKind, Source};
use diagnostics::{FileId, Finding, Region, Severity, SourceMap, Span};
use std::fmt::Write as _;
use std::ops::Range;

pub fn render(report: &Report, setting: &Setting<'_>) -> Rendered {
    let mut findings = Vec::new();
    for finding in report.findings.iter().filter(|_| !report.told) {
        excerpt(finding, &report.sources, setting.color, &mut findings);
    }
    if !setting.color {
        // The excerpts' heading is coloured whatever the configuration says.
        findings = anstream::adapter::strip_bytes(&findings).into_vec();
    }
    // Characters that make text read other than it is written are shown wherever the excerpt goes.
    findings = visible(&findings, true);
    let mut summary = String::new();
    if !report.summary.is_empty() && !setting.shared.quiet {
        let _ = writeln!(summary, "{}", report.summary);
    }
    if setting.shared.verbose {
        let _ = writeln!(summary, "took {} ms", setting.elapsed.as_millis());
    }
    match &report.passthrough {
        Some(streams) => {
            let pass = |bytes: &[u8], shows| if shows { visible(bytes, false) } else { bytes.to_vec() };
            let mut out = pass(&streams.stdout, setting.shows_out);
            out.extend_from_slice(report.text.as_bytes());
            let mut err = pass(&streams.stderr, setting.shows_err);
            if !err.is_empty() && !err.ends_with(b"\n") {
                err.push(b'\n');
            }
            err.extend(findings);
            err.extend_from_slice(summary.as_bytes());
            Rendered { out, err }
        }
        None => {
            let mut out = findings;
            let text = report.text.as_bytes();
            out.extend(if setting.shows_out { visible(text, true) } else { text.to_vec() });
            Rendered { out, err: summary.into_bytes() }
        }
    }
}

/// A failure of invocation or surroundings, for standard error.
pub fn failure(failure: &Failure, color: bool) -> String {
    let error = if color { "\x1b[1;31merror\x1b[0m" } else { "error" };
    let mut text = format!("{error}: {}\n", failure.message);
    if let Some(help) = &failure.help {
        let _ = writeln!(text, "  help: {help}");
    }
    text
}

type Place = (FileId, Range<usize>);

/// The byte range of a span in a file whose text we have.
fn place(sources: &SourceMap, span: Span) -> Option<Place> {
    let Region { start, end } = sources.used(span)?;
    let file = sources.file(start.file);
    let from = file.offset(start.line, start.column)?;
    let to = file.offset(end.line, end.column).unwrap_or(from);
    Some((start.file, from..to.max(from)))
}

fn excerpt(finding: &Finding, sources: &SourceMap, color: bool, out: &mut Vec<u8>) {
    let Some(primary) = place(sources, finding.span) else {
        return plain(finding, sources, out);
    };
    let (kind, tint) = match finding.severity {
        Severity::Error => ("error", Color::Red),
        Severity::Warning => ("warning", Color::Yellow),
        Severity::Note => ("note", Color::Blue),
    };
    let mut builder = ariadne::Report::build(ReportKind::Custom(kind, tint), primary.clone())
        .with_config(Config::default().with_index_type(IndexType::Byte).with_color(color))
        .with_code(finding.rule.id())
        .with_message(&finding.message)
        .with_label(Label::new(primary).with_color(tint).with_message(finding.rule.summary()));
    for note in &finding.notes {
        match place(sources, note.span) {
            Some(at) => builder.add_label(Label::new(at).with_color(Color::Cyan).with_message(&note.message)),
            None => builder.add_note(&note.message),
        }
    }
    if let Some(help) = &finding.help {
        builder.set_help(help);
    }
    let mut cache = Files { sources, read: Vec::new() };
    if builder.finish().write(&mut cache, &mut *out).is_err() {
        plain(finding, sources, out);
    }
}

/// Without an excerpt: `path:line:column: error[rule]: message`.
fn plain(finding: &Finding, sources: &SourceMap, out: &mut Vec<u8>) {
    let mut text = String::new();
    if !finding.span.is_none() {
        let _ = write!(text, "{}: ", sources.describe(finding.span));
    }
    let _ = writeln!(text, "{}[{}]: {}", finding.severity.name(), finding.rule.id(), finding.message);
    for note in &finding.notes {
        let place = if note.span.is_none() { String::new() } else { format!("{}: ", sources.describe(note.span)) };
        let _ = writeln!(text, "  {place}{}", note.message);
    }
    if let Some(help) = &finding.help {
        let _ = writeln!(text, "  help: {help}");
    }
    out.extend_from_slice(text.as_bytes());
}

/// The files as ariadne wants them, each prepared once.
struct Files<'a> {
    sources: &'a SourceMap,
    read: Vec<(FileId, Source<String>)>,
}

impl ariadne::Cache<FileId> for &mut Files<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<String>, impl std::fmt::Debug> {
        if let Some(index) = self.read.iter().position(|(known, _)| known == id) {
            return Ok(&self.read[index].1);
        }
        let Some(text) = self.sources.file(*id).text.as_deref() else {
            return Err("the text of this file is not at hand");
        };
        self.read.push((*id, Source::from(hide_escapes(text))));
        Ok(&self.read.last().expect("one was just pushed").1)
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl std::fmt::Display + 'b> {
        Some(self.sources.file(*id).path.clone())
    }
}
