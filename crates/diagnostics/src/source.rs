//! The map from spans of the program text to places in the files the user wrote.
//!
//! The program text is described by [`Origin`] runs, each starting at an offset and reaching to the next run.
//! Inside a run, characters advance along one line of one file, so a run records a place once and the columns
//! follow. A token produced by a macro starts a run of its own whose `used` place differs from `written`.
//!
//! *Cost*: one run of 32 bytes per token at worst; a look-up is a binary search.

use crate::Span;

/// One of the files of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A file that contributed to the program text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the compiler names it: relative paths stay relative to where the user stands.
    pub path: String,
    /// Its text; absent for files that could not be read again (a compiler's built-in definitions, say).
    pub text: Option<String>,
    /// Whether it came from a system include folder.
    pub system: bool,
    line_starts: Vec<u32>,
}

impl SourceFile {
    pub fn new(path: String, text: Option<String>, system: bool) -> SourceFile {
        let mut line_starts = vec![0];
        if let Some(text) = &text {
            line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        }
        SourceFile { path, text, system, line_starts }
    }

    /// The text of a line (numbered from 1), without its line break.
    pub fn line(&self, line: u32) -> Option<&str> {
        let text = self.text.as_deref()?;
        let start = *self.line_starts.get(line.checked_sub(1)? as usize)? as usize;
        let rest = &text[start..];
        let end = rest.find('\n').unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches('\r'))
    }

    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The byte offset of a line and column (both from 1), if the file has that place.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let text = self.text.as_deref()?;
        let start = *self.line_starts.get(line.checked_sub(1)? as usize)? as usize;
        let offset = start + column.checked_sub(1)? as usize;
        (offset <= text.len() && text.is_char_boundary(offset)).then_some(offset)
    }
}

/// A place in a file: line and column, both counted from 1, columns in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

/// A range in a file; `end` is one past the last character and lies in the same file as `start`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Region {
    pub start: Place,
    pub end: Place,
}

/// Where a run of the program text comes from, beginning at offset `at`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    pub at: u32,
    /// Where the characters of the run stand.
    pub written: Place,
    /// For text that came out of a macro, where the outermost macro call stands; it does not advance with
    /// the characters of the run.
    pub used: Option<Place>,
}

/// All files of a program and the origin of every part of its text.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    origins: Vec<Origin>,
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file, or finds the one already known under that path.
    pub fn add_file(&mut self, file: SourceFile) -> FileId {
        if let Some(id) = self.find_file(&file.path) {
            return id;
        }
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    pub fn find_file(&self, path: &str) -> Option<FileId> {
        self.files.iter().position(|f| f.path == path).map(|i| FileId(i as u32))
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// Appends runs; they must come in ascending order of `at`.
    pub fn add_origins(&mut self, origins: impl IntoIterator<Item = Origin>) {
        let origins = origins.into_iter();
        self.origins.reserve_exact(origins.size_hint().0);
        for origin in origins {
            debug_assert!(self.origins.last().is_none_or(|last| last.at <= origin.at), "origins should ascend");
            self.origins.push(origin);
        }
    }

    /// Adds a text that is no part of the program (a file of rules, an argument), so that findings can point into it.
    /// The answer is the offset of its first character; places in the text follow from there.
    pub fn append_text(&mut self, path: &str, text: &str) -> u32 {
        // The last run of the program text reaches along one line of a file; this is far beyond.
        const GAP: u32 = 1 << 20;
        let base = self.origins.last().map_or(0, |last| last.at.saturating_add(GAP));
        let file = self.add_file(SourceFile::new(path.to_string(), Some(text.to_string()), false));
        let mut offset = base;
        for (line, content) in (1..).zip(text.split_inclusive('\n').chain(text.is_empty().then_some(""))) {
            self.origins.push(Origin { at: offset, written: Place { file, line, column: 1 }, used: None });
            offset += content.len() as u32;
        }
        base
    }

    fn origin(&self, offset: u32) -> Option<&Origin> {
        let index = self.origins.partition_point(|o| o.at <= offset);
        index.checked_sub(1).map(|i| &self.origins[i])
    }

    fn written_place(&self, offset: u32) -> Option<Place> {
        let origin = self.origin(offset)?;
        Some(Place { column: origin.written.column + (offset - origin.at), ..origin.written })
    }

    fn used_place(&self, offset: u32) -> Option<Place> {
        let origin = self.origin(offset)?;
        origin.used.or_else(|| self.written_place(offset))
    }

    /// Whether any part of the span came out of a macro.
    pub fn in_macro(&self, span: Span) -> bool {
        if span.is_none() {
            return false;
        }
        let from = self.origins.partition_point(|o| o.at <= span.lo).saturating_sub(1);
        self.origins[from..].iter().take_while(|o| o.at < span.hi.max(span.lo + 1)).any(|o| o.used.is_some())
    }

    /// Where the characters of the span stand, if they stand together in one file. This is the region a source
    /// edit replaces; for a mix of macro body and argument there is none.
    pub fn written(&self, span: Span) -> Option<Region> {
        if span.is_none() {
            return None;
        }
        let start = self.written_place(span.lo)?;
        let last = self.written_place(span.hi.max(span.lo + 1) - 1)?;
        let from = self.origins.partition_point(|o| o.at <= span.lo).saturating_sub(1);
        let together = self.origins[from..]
            .iter()
            .take_while(|o| o.at < span.hi)
            .all(|o| o.at <= span.lo || (o.written.file == start.file && o.written >= start && o.written <= last));
        (together && last >= start).then_some(Region { start, end: Place { column: last.column + 1, ..last } })
    }

    /// Where a reader of the program meets the span: macro text counts as standing at the macro call.
    pub fn used(&self, span: Span) -> Option<Region> {
        if span.is_none() {
            return None;
        }
        let start = self.used_place(span.lo)?;
        let last = self.used_place(span.hi.max(span.lo + 1) - 1)?;
        let end = if last.file == start.file && last >= start { last } else { start };
        Some(Region { start, end: Place { column: end.column + 1, ..end } })
    }

    /// `path:line:column` of the place where a reader meets the span, or `?` when nothing stands behind it.
    pub fn describe(&self, span: Span) -> String {
        match self.used(span) {
            Some(Region { start, .. }) => format!("{}:{}:{}", self.file(start.file).path, start.line, start.column),
            None => "?".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `#define N 10` on line 1, `x = N;` on line 2; program text `x = 10;`.
    fn sample() -> SourceMap {
        let mut map = SourceMap::new();
        let file = map.add_file(SourceFile::new("a.c".into(), Some("#define N 10\nx = N;\n".into()), false));
        let place = |line, column| Place { file, line, column };
        map.add_origins([
            Origin { at: 0, written: place(2, 1), used: None },
            Origin { at: 4, written: place(1, 11), used: Some(place(2, 5)) },
            Origin { at: 6, written: place(2, 6), used: None },
        ]);
        map
    }

    #[test]
    fn macro_text_has_two_homes() {
        let map = sample();
        let ten = Span::new(4, 6);
        assert!(map.in_macro(ten));
        let written = map.written(ten).unwrap();
        assert_eq!((written.start.line, written.start.column, written.end.column), (1, 11, 13));
        let used = map.used(ten).unwrap();
        assert_eq!((used.start.line, used.start.column), (2, 5));
        assert_eq!(map.describe(ten), "a.c:2:5");
    }

    #[test]
    fn a_span_across_a_macro_has_no_single_written_region() {
        let map = sample();
        let whole = Span::new(0, 7);
        assert_eq!(map.written(whole), None);
        let used = map.used(whole).unwrap();
        assert_eq!((used.start.column, used.end.line, used.end.column), (1, 2, 7));
        assert!(!map.in_macro(Span::new(0, 3)));
        assert_eq!(map.written(Span::NONE), None);
        assert_eq!(map.describe(Span::NONE), "?");
    }

    #[test]
    fn files_give_lines_and_offsets() {
        let file = SourceFile::new("b.c".into(), Some("ab\r\ncd".into()), false);
        assert_eq!(file.line(1), Some("ab"));
        assert_eq!(file.line(2), Some("cd"));
        assert_eq!(file.line(3), None);
        assert_eq!(file.offset(2, 2), Some(5));
        assert_eq!(file.offset(2, 9), None);
        assert_eq!(file.offset(0, 1), None);
    }

    #[test]
    fn appended_texts_have_places_of_their_own() {
        let mut map = sample();
        let base = map.append_text("tree.rules", "one\ntwo\n");
        assert_eq!(map.describe(Span::new(base + 5, base + 6)), "tree.rules:2:2");
        assert_eq!(map.describe(Span::new(0, 1)), "a.c:2:1");
        let empty = map.append_text("--path", "");
        assert_eq!(map.describe(Span::new(empty, empty + 1)), "--path:1:1");
    }
}
