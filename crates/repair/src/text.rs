//! The text behind spans: ranges of the user's files, operators, and whether parentheses are needed.

use cfront::edit::{InMacro, source_range};
use diagnostics::{FileId, Span};
use ir::Program;
use std::ops::Range;

/// A range of a file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TextRange {
    pub file: FileId,
    pub start: usize,
    pub end: usize,
}

impl TextRange {
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub fn contains(&self, other: &TextRange) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// Where the text of a span stands, without white space at its ends.
pub fn range(program: &Program, span: Span, in_macro: InMacro) -> Option<TextRange> {
    let (file, range) = source_range(&program.sources, span, in_macro).ok()?;
    let text = program.sources.file(file).text.as_deref()?;
    let part = text.get(range.clone())?;
    let end = range.start + part.trim_end().len();
    let start = range.start + (part.len() - part.trim_start().len());
    (start < end).then_some(TextRange { file, start, end })
}

pub fn file<'p>(program: &'p Program, at: &TextRange) -> &'p str {
    program.sources.file(at.file).text.as_deref().unwrap_or_default()
}

pub fn slice<'p>(program: &'p Program, at: &TextRange) -> &'p str {
    file(program, at).get(at.range()).unwrap_or_default()
}

/// The text of a span that stands together and is not part of a macro.
pub fn of(program: &Program, span: Span) -> Option<String> {
    range(program, span, InMacro::Refuse).map(|at| slice(program, &at).to_string())
}

/// The line a range starts in, from 1.
pub fn line(program: &Program, at: &TextRange) -> u32 {
    file(program, at)[..at.start].matches('\n').count() as u32 + 1
}

/// The operator between two operands: the range of its symbol, and whether `=` follows, as in `+=`.
pub fn operator(program: &Program, left: &TextRange, right: &TextRange, symbol: &str) -> Option<(Range<usize>, bool)> {
    if left.file != right.file || left.end > right.start {
        return None;
    }
    let gap = file(program, left).get(left.end..right.start)?;
    let bytes = gap.as_bytes();
    let mut at = 0;
    let mut found: Option<Range<usize>> = None;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => at += gap[at..].find("*/")? + 2,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += gap[at..].find('\n').unwrap_or(gap.len() - at),
            b' ' | b'\t' | b'\n' | b'\r' | b'(' | b')' | b'\\' => at += 1,
            _ => {
                let length = bytes[at..].iter().take_while(|b| b"<>=!&|+-*/%^".contains(b)).count();
                if length == 0 || found.is_some() {
                    return None;
                }
                found = Some(at..at + length);
                at += length;
            }
        }
    }
    let found = found?;
    let token = &gap[found.clone()];
    let absolute = left.end + found.start..left.end + found.start + symbol.len();
    if token == symbol {
        Some((absolute, false))
    } else if token.strip_suffix('=') == Some(symbol) {
        Some((absolute, true))
    } else {
        None
    }
}

/// Whether nothing around the range can bind to a part of it.
pub fn stands_alone(program: &Program, at: &TextRange) -> bool {
    let text = file(program, at);
    let before = text[..at.start].trim_end();
    let after = text[at.end..].trim_start();
    let opened = before.ends_with(['(', '[', ',', ';', '{']) || before.ends_with("return") || is_assignment(before);
    opened && after.starts_with([')', ']', ',', ';', '}'])
}

/// Whether a text ends in `=` that is no comparison.
fn is_assignment(before: &str) -> bool {
    let Some(rest) = before.strip_suffix('=') else { return false };
    if rest.ends_with("<<") || rest.ends_with(">>") {
        return true;
    }
    !rest.ends_with(['=', '!', '<', '>'])
}

/// Whether a text is one operand whatever stands around it: a name, a number, a call, an index, or in parentheses.
pub fn is_primary(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    // A parenthesis at the start must close at the end, or be followed by nothing but more of the same operand.
    if bytes.first() == Some(&b'(') {
        let mut open = 0usize;
        for (i, b) in bytes.iter().enumerate() {
            match b {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        return i + 1 == bytes.len();
                    }
                }
                _ => {}
            }
        }
        return false;
    }
    if bytes.first().is_some_and(|b| *b == b'\'' || *b == b'"') {
        return true;
    }
    while at < bytes.len() {
        let b = bytes[at];
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ if depth > 0 => {}
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            _ if b.is_ascii_alphanumeric() || b == b'_' || b == b'.' => {}
            _ => return false,
        }
        at += 1;
    }
    depth == 0 && !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_primary;

    #[test]
    fn operands_are_told_from_operations() {
        for text in ["x", "12", "f(a + b)", "a[i + 1].x", "p->q", "(a + b)", "'c'", "0x1F"] {
            assert!(is_primary(text), "{text}");
        }
        for text in ["a + b", "-x", "!x", "(a) + (b)", "(int)x", "a ? b : c", ""] {
            assert!(!is_primary(text), "{text}");
        }
    }
}
