//! Edits of the user's own files that leave everything else as it is.
//!
//! The program model knows spans of the preprocessed text; an edit needs a range of a file. [`source_range`]
//! finds it: a span that covers whole macro calls is the text of those calls, and a span that is part of a
//! macro's expansion has no text of its own at the place of use, so it is refused with the reason (or, if asked
//! for, found in the macro's definition, which changes every use).

use std::collections::BTreeMap;
use std::ops::Range;

use diagnostics::{FileId, Place, SourceMap, Span};

use crate::preprocess::call_end;

/// Replaces a range of bytes of one file. An empty range is an insertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub file: FileId,
    pub range: Range<usize>,
    pub replacement: String,
}

/// What to do with text that came out of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InMacro {
    Refuse,
    /// Edit the macro's definition; all its uses change.
    AtDefinition,
}

/// Why a span cannot be edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No source text stands behind the span.
    NoSource,
    /// The span is part of what a macro expands to, whose call stands at this place (`path:line:column`).
    PartOfMacro(String),
    /// The span's parts do not stand together in one file.
    Scattered,
    /// The text is in a system header, or the file cannot be read.
    NotTheUsers(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NoSource => f.write_str("no source text stands behind it"),
            Refusal::PartOfMacro(place) => write!(f, "it is part of what the macro call at {place} expands to"),
            Refusal::Scattered => f.write_str("its parts do not stand together in one file"),
            Refusal::NotTheUsers(path) => write!(f, "{path} is not one of the program's own files"),
        }
    }
}

impl std::error::Error for Refusal {}

/// The range of a file that holds the text of a span.
pub fn source_range(map: &SourceMap, span: Span, in_macro: InMacro) -> Result<(FileId, Range<usize>), Refusal> {
    if span.is_none() || span.lo >= span.hi {
        return Err(Refusal::NoSource);
    }
    let first = Span::new(span.lo, span.lo + 1);
    let last = Span::new(span.hi - 1, span.hi);
    if map.in_macro(span) && in_macro == InMacro::AtDefinition {
        let region = map.written(span).ok_or(Refusal::Scattered)?;
        let start = offset(map, region.start)?;
        let end = offset(map, region.end)?;
        return if start <= end { Ok((region.start.file, start..end)) } else { Err(Refusal::Scattered) };
    }

    let start = map.used(first).ok_or(Refusal::NoSource)?.start;
    let end = map.used(last).ok_or(Refusal::NoSource)?.start;
    if start.file != end.file {
        return Err(Refusal::Scattered);
    }
    // The neighbours outside the span must not belong to a macro call that the span cuts.
    let cut = |inside: Span, outside: Option<Span>| {
        map.in_macro(inside)
            && outside
                .is_some_and(|o| map.in_macro(o) && map.used(o).map(|r| r.start) == map.used(inside).map(|r| r.start))
    };
    let before = span.lo.checked_sub(2).map(|at| Span::new(at, at + 1));
    let after = Span::new(span.hi + 1, span.hi + 2);
    let before_close = span.lo.checked_sub(1).map(|at| Span::new(at, at + 1));
    let after_close = Span::new(span.hi, span.hi + 1);
    if cut(first, before) && cut(first, before_close) || cut(last, Some(after)) && cut(last, Some(after_close)) {
        return Err(Refusal::PartOfMacro(map.describe(first)));
    }
    let from = offset(map, start)?;
    let mut to = offset(map, end)? + 1;
    if map.in_macro(last) {
        let text = map.file(end.file).text.as_deref().unwrap_or_default().as_bytes();
        // Behind the name of an object-like macro, a parenthesis is text of its own.
        let next = map.written(after_close).and_then(|r| offset(map, r.start).ok());
        to = call_end(text, to - 1, next);
    }
    if from >= to {
        return Err(Refusal::Scattered);
    }
    Ok((start.file, from..to))
}

fn offset(map: &SourceMap, place: Place) -> Result<usize, Refusal> {
    let file = map.file(place.file);
    if file.system {
        return Err(Refusal::NotTheUsers(file.path.clone()));
    }
    file.offset(place.line, place.column).ok_or_else(|| Refusal::NotTheUsers(file.path.clone()))
}

impl Edit {
    /// Replaces the text of a span.
    pub fn replace(map: &SourceMap, span: Span, text: impl Into<String>, in_macro: InMacro) -> Result<Edit, Refusal> {
        let (file, range) = source_range(map, span, in_macro)?;
        Ok(Edit { file, range, replacement: text.into() })
    }

    /// Inserts before the text of a span.
    pub fn before(map: &SourceMap, span: Span, text: impl Into<String>) -> Result<Edit, Refusal> {
        let (file, range) = source_range(map, span, InMacro::Refuse)?;
        Ok(Edit { file, range: range.start..range.start, replacement: text.into() })
    }

    /// Inserts after the text of a span.
    pub fn after(map: &SourceMap, span: Span, text: impl Into<String>) -> Result<Edit, Refusal> {
        let (file, range) = source_range(map, span, InMacro::Refuse)?;
        Ok(Edit { file, range: range.end..range.end, replacement: text.into() })
    }
}

/// Two edits that touch the same text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlap {
    pub first: Edit,
    pub second: Edit,
}

impl std::fmt::Display for Overlap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "two edits overlap: bytes {:?} and {:?}", self.first.range, self.second.range)
    }
}

impl std::error::Error for Overlap {}

/// The files that the edits change, with their new texts. Insertions at one place keep the order of the slice.
pub fn apply(map: &SourceMap, edits: &[Edit]) -> Result<BTreeMap<FileId, String>, Overlap> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(edit.file).or_default().push(edit);
    }
    let mut texts = BTreeMap::new();
    for (file, mut edits) in by_file {
        edits.sort_by_key(|e| (e.range.start, e.range.end));
        let text = map.file(file).text.as_deref().unwrap_or_default();
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        let mut last: Option<&Edit> = None;
        for edit in edits {
            let fits = edit.range.start >= done && edit.range.end <= text.len();
            if !fits {
                let first = last.unwrap_or(edit).clone();
                return Err(Overlap { first, second: edit.clone() });
            }
            out.push_str(&text[done..edit.range.start]);
            out.push_str(&edit.replacement);
            done = edit.range.end;
            last = Some(edit);
        }
        out.push_str(&text[done..]);
        texts.insert(file, out);
    }
    Ok(texts)
}

/// The difference of two texts as `diff -u` and `patch -p1` know it; empty when there is none.
pub fn unified_diff(path: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let (old, new) = (format!("a/{path}"), format!("b/{path}"));
    similar::TextDiff::from_lines(before, after).unified_diff().context_radius(3).header(&old, &new).to_string()
}
