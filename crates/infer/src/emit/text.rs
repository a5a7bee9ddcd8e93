//! Places in the text of a C file: where a statement starts and ends, and what may be put before it.

use cfront::edit::{Edit, InMacro, Refusal, source_range};
use diagnostics::{FileId, SourceMap, Span};
use std::ops::Range;

/// The parts of a C text that are code.
struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for Scanner<'_> {
    type Item = (usize, u8);

    /// The next byte of code that is not blank; comments, literals and directives are passed over (a literal shows as
    /// its first quote).
    fn next(&mut self) -> Option<(usize, u8)> {
        loop {
            let (at, byte) = (self.at, *self.text.get(self.at)?);
            let rest = &self.text[at..];
            let line_end = |from: usize| {
                self.text[from..].iter().position(|b| *b == b'\n').map_or(self.text.len(), |length| from + length)
            };
            if rest.starts_with(b"//") {
                self.at = line_end(at);
            } else if rest.starts_with(b"/*") {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                self.at = end.map_or(self.text.len(), |length| at + 2 + length + 2);
            } else if byte == b'"' || byte == b'\'' {
                let mut end = at + 1;
                while end < self.text.len() && self.text[end] != byte {
                    end += 1 + usize::from(self.text[end] == b'\\');
                }
                self.at = end + 1;
                return Some((at, byte));
            } else if byte == b'#'
                && self.text[..at].iter().rev().take_while(|b| **b != b'\n').all(u8::is_ascii_whitespace)
            {
                let mut end = line_end(at);
                while self.text[..end].ends_with(b"\\") && end < self.text.len() {
                    end = line_end(end + 1);
                }
                self.at = end;
            } else {
                self.at += 1;
                if !byte.is_ascii_whitespace() {
                    return Some((at, byte));
                }
            }
        }
    }
}

/// A statement of the user's own text.
pub(super) struct Place<'m> {
    pub(super) file: FileId,
    text: &'m str,
    range: Range<usize>,
}

impl<'m> Place<'m> {
    pub(super) fn new(map: &'m SourceMap, span: Span) -> Result<Place<'m>, Refusal> {
        let (file, range) = source_range(map, span, InMacro::Refuse)?;
        let text = map.file(file).text.as_deref().unwrap_or_default();
        Ok(Place { file, text, range })
    }

    fn code_from(&self, at: usize) -> Scanner<'m> {
        Scanner { text: self.text.as_bytes(), at }
    }

    /// The blanks before it, if nothing else stands before it on its line.
    pub(super) fn indent(&self) -> Option<&'m str> {
        let start = self.text[..self.range.start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[start..self.range.start];
        before.trim().is_empty().then_some(before)
    }

    /// Whether it is the only statement that an `if`, `else` or loop takes, without braces.
    fn is_sole(&self) -> bool {
        let before = self.code_from(0).take_while(|(at, _)| *at < self.range.start).last();
        !before.is_none_or(|(_, byte)| matches!(byte, b'{' | b'}' | b';' | b':'))
    }

    /// Behind its semicolon or brace.
    fn end(&self) -> usize {
        if matches!(self.text.as_bytes().get(self.range.end.wrapping_sub(1)), Some(b';' | b'}')) {
            return self.range.end;
        }
        match self.code_from(self.range.end).next() {
            Some((at, b';')) => at + 1,
            _ => self.range.end,
        }
    }

    pub(super) fn insert(&self, at: usize, text: impl Into<String>) -> Edit {
        Edit { file: self.file, range: at..at, replacement: text.into() }
    }

    pub(super) fn insert_before(&self, text: impl Into<String>) -> Edit {
        self.insert(self.range.start, text)
    }

    /// Puts lines before the statement: on lines of their own, or in braces with it where it stands alone.
    pub(super) fn lines_before(&self, lines: &[String], inline: &[String]) -> Vec<Edit> {
        let start = self.range.start;
        if self.is_sole() {
            let opened = format!("{{ {} ", inline.join(" "));
            return vec![self.insert(start, opened), self.insert(self.end(), " }")];
        }
        match self.indent() {
            Some(indent) => {
                let text: String = lines.iter().map(|line| format!("{line}\n{indent}")).collect();
                vec![self.insert(start, text)]
            }
            None => vec![self.insert(start, format!("{} ", inline.join(" ")))],
        }
    }

    pub(super) fn lines_after(&self, lines: &[String]) -> Edit {
        let indent = self.indent().unwrap_or("    ");
        let text: String = lines.iter().map(|line| format!("\n{indent}{line}")).collect();
        let end = self.end();
        // A label's colon belongs to it.
        let end = match self.code_from(end).next() {
            Some((at, b':')) => at + 1,
            _ => end,
        };
        self.insert(end, text + if self.text[end..].starts_with('\n') { "" } else { "\n" })
    }

    /// Where the condition of a `while` or `for` begins, and whether it is empty.
    pub(super) fn condition(&self) -> Option<(usize, bool)> {
        let word = &self.text[self.range.clone()];
        let mut code = self.code_from(self.range.start);
        let open = code.find(|(_, byte)| *byte == b'(')?.0;
        if word.starts_with("while") {
            return Some((open + 1, false));
        }
        if !word.starts_with("for") {
            return None;
        }
        let mut depth = 0;
        let mut code = self.code_from(open);
        let after = code.find(|(_, byte)| {
            depth += i32::from(matches!(byte, b'(' | b'[' | b'{')) - i32::from(matches!(byte, b')' | b']' | b'}'));
            *byte == b';' && depth == 1
        })?;
        let empty = matches!(code.next(), Some((_, b';')));
        Some((after.0 + 1, empty))
    }

    /// Behind the first opening brace of the text: a function's body.
    pub(super) fn body(&self) -> Option<usize> {
        self.code_from(self.range.start).find(|(_, byte)| *byte == b'{').map(|(at, _)| at + 1)
    }

    /// Behind the brace that the body of a `do` begins with, if it has one.
    pub(super) fn do_body(&self) -> Option<usize> {
        let after_word = self.range.start + "do".len();
        self.code_from(after_word).next().filter(|(_, byte)| *byte == b'{').map(|(at, _)| at + 1)
    }
}
