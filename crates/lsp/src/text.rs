//! The text of an open file, and positions in it: the protocol counts lines from 0 and columns in units of UTF-16, documents
//! count both from 1 and columns in bytes.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Text {
    text: Arc<str>,
    /// Offsets of the beginnings of lines.
    starts: Vec<usize>,
}

impl Text {
    pub(crate) fn new(text: impl Into<Arc<str>>) -> Text {
        let text = text.into();
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        Text { text, starts }
    }

    pub(crate) fn whole(&self) -> &Arc<str> {
        &self.text
    }

    /// The text after an edit.
    pub(crate) fn changed(&self, change: &TextDocumentContentChangeEvent) -> Text {
        let Some(range) = change.range else { return Text::new(change.text.as_str()) };
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let end = end.max(start);
        Text::new(format!("{}{}{}", &self.text[..start], change.text, &self.text[end..]))
    }

    /// The line of that number, from 1, without its line break; empty where there is none.
    pub(crate) fn line(&self, line: u32) -> &str {
        let Some(start) = (line as usize).checked_sub(1).and_then(|index| self.starts.get(index)) else { return "" };
        let rest = &self.text[*start..];
        rest[..rest.find('\n').unwrap_or(rest.len())].trim_end_matches('\r')
    }

    pub(crate) fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line, from 1, of an offset.
    pub(crate) fn line_of(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// The offset at which a line, from 1, begins.
    pub(crate) fn start_of(&self, line: u32) -> usize {
        let index = (line as usize).saturating_sub(1);
        self.starts.get(index).copied().unwrap_or(self.text.len())
    }

    /// The offset of a position; one beyond the end of its line is the end of the line, as the protocol says.
    fn offset(&self, position: Position) -> usize {
        if position.line as usize >= self.starts.len() {
            return self.text.len();
        }
        let line = self.line(position.line + 1);
        let mut units = 0;
        let within = line.char_indices().find(|(_, c)| {
            let is_there = units >= position.character;
            units += c.len_utf16() as u32;
            is_there
        });
        self.starts[position.line as usize] + within.map_or(line.len(), |(at, _)| at)
    }

    /// The position of a line and a column, both from 1, the column in bytes.
    pub(crate) fn position(&self, line: u32, column: u32) -> Position {
        let text = self.line(line);
        let before = text.char_indices().take_while(|(at, _)| *at + 1 < column as usize);
        let units: usize = before.map(|(_, c)| c.len_utf16()).sum();
        Position::new(line.saturating_sub(1), units as u32)
    }

    /// The word that begins at a line and a column, or one character; without a column, what is written on the line.
    pub(crate) fn word(&self, line: u32, column: Option<u32>) -> Range {
        let text = self.line(line);
        let (from, to) = match column.map(|column| (column as usize).saturating_sub(1)) {
            Some(from) if text.is_char_boundary(from) && from < text.len() => {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let length = text[from..].find(|c| !is_word(c)).unwrap_or(text.len() - from);
                let least = text[from..].chars().next().map_or(0, char::len_utf8);
                (from, from + length.max(least))
            }
            _ => (text.len() - text.trim_start().len(), text.trim_end().len()),
        };
        Range::new(self.position(line, from as u32 + 1), self.position(line, to.max(from) as u32 + 1))
    }

    /// The end of a line.
    pub(crate) fn end_of(&self, line: u32) -> Position {
        self.position(line, self.line(line).trim_end().len() as u32 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.to_string() }
    }

    #[test]
    fn edits_are_in_units_of_utf_16() {
        let text = Text::new("a\n\"é𝄞x\";\r\nend");
        assert_eq!(&**text.changed(&edit((1, 2), (1, 4), "")).whole(), "a\n\"éx\";\r\nend");
        assert_eq!(&**text.changed(&edit((1, 99), (2, 0), "\n")).whole(), "a\n\"é𝄞x\";\nend");
        assert_eq!(&**text.changed(&edit((9, 0), (9, 9), "!")).whole(), "a\n\"é𝄞x\";\r\nend!");
        assert_eq!(&**text.changed(&edit((2, 3), (0, 0), "?")).whole(), "a\n\"é𝄞x\";\r\nend?");
    }

    #[test]
    fn columns_of_documents_are_bytes() {
        let text = Text::new("é𝄞 name;");
        assert_eq!(text.position(1, 8), Position::new(0, 4));
        assert_eq!(text.word(1, Some(8)), Range::new(Position::new(0, 4), Position::new(0, 8)));
        assert_eq!(text.word(1, Some(2)), Range::new(Position::new(0, 0), Position::new(0, 9)));
        assert_eq!(text.word(7, Some(1)), Range::new(Position::new(6, 0), Position::new(6, 0)));
    }
}
