//! The `#define` directives of the user's files, to tell which macro a piece of text came from.
//!
//! This is a guide for attributing macro text to macro calls, not a preprocessor: conditionals and `#undef` are
//! ignored, the compiler has done those.

use std::collections::HashMap;

use diagnostics::FileId;

use super::tokens::{directive_end, is_word_start, word_end};

/// One `#define`.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: Box<[u8]>,
    pub takes_arguments: bool,
    /// The lines it stands on, first and last.
    lines: (u32, u32),
    /// Offsets of the replacement text in its file.
    pub body: std::ops::Range<usize>,
    pub file: FileId,
    /// How many tokens its expansion makes with `#` and `##`, roughly.
    pub makes: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DefinitionId(u32);

#[derive(Default)]
pub(super) struct Definitions {
    all: Vec<Definition>,
    by_name: HashMap<Box<[u8]>, DefinitionId>,
    /// Per file, ascending by line.
    by_file: HashMap<FileId, std::ops::Range<usize>>,
}

impl Definitions {
    /// Reads the definitions of one file.
    pub fn scan(&mut self, file: FileId, text: &[u8]) {
        if self.by_file.contains_key(&file) {
            return;
        }
        let first = self.all.len();
        let (mut line, mut i) = (1, 0);
        while i < text.len() {
            let end = text[i..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| i + n + 1);
            let blank = text[i..end].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if text.get(i + blank) == Some(&b'#') {
                let end = directive_end(text, i);
                let lines = text[i..end].iter().filter(|&&b| b == b'\n').count().max(1) as u32;
                if let Some(definition) = parse(text, i + blank + 1, end, (line, line + lines - 1), file) {
                    let id = DefinitionId(self.all.len() as u32);
                    self.by_name.entry(definition.name.clone()).or_insert(id);
                    self.all.push(definition);
                }
                line += lines;
                i = end;
            } else {
                line += 1;
                i = end;
            }
        }
        self.by_file.insert(file, first..self.all.len());
    }

    pub fn get(&self, id: DefinitionId) -> &Definition {
        &self.all[id.0 as usize]
    }

    pub fn named(&self, name: &[u8]) -> Option<DefinitionId> {
        self.by_name.get(name).copied()
    }

    /// The definition that stands on a line.
    pub fn at(&self, file: FileId, line: u32) -> Option<DefinitionId> {
        let range = self.by_file.get(&file)?.clone();
        let here = &self.all[range.clone()];
        let index = here.partition_point(|d| d.lines.0 <= line).checked_sub(1)?;
        (line <= here[index].lines.1).then_some(DefinitionId((range.start + index) as u32))
    }
}

fn parse(text: &[u8], hash: usize, end: usize, lines: (u32, u32), file: FileId) -> Option<Definition> {
    let skip = |mut i: usize| {
        while i < end && matches!(text[i], b' ' | b'\t' | b'\\' | b'\n' | b'\r') {
            i += 1;
        }
        i
    };
    let word = skip(hash);
    let after = word.checked_add(6).filter(|&a| a <= end && &text[word..a] == b"define")?;
    let name = skip(after);
    if name >= end || name == after || !is_word_start(text[name]) {
        return None;
    }
    let name_end = word_end(text, name).min(end);
    let takes_arguments = text.get(name_end) == Some(&b'(');
    let mut body = name_end;
    if takes_arguments {
        body += text[name_end..end].iter().position(|&b| b == b')')? + 1;
    }
    let body = skip(body);
    let mut stop = end;
    while stop > body && text[stop - 1].is_ascii_whitespace() {
        stop -= 1;
    }
    let replacement = &text[body..stop];
    let pastes = replacement.windows(2).filter(|w| w == b"##").count();
    let hashes = replacement.iter().filter(|&&b| b == b'#').count() - 2 * pastes.min(replacement.len() / 2);
    Some(Definition {
        name: text[name..name_end].into(),
        takes_arguments,
        lines,
        body: body..stop,
        file,
        makes: (pastes + hashes) as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_by_line_and_name() {
        let text = b"#define A 1\n # define B(x) \\\n  x##1 \\\n  #x\nint y;\n#define\n#undef A\n#define EMPTY\n";
        let mut table = Definitions::default();
        table.scan(FileId(0), text);
        let at = |line| table.at(FileId(0), line).map(|id| String::from_utf8_lossy(&table.get(id).name).into_owned());
        assert_eq!(at(1).as_deref(), Some("A"));
        assert_eq!(at(2).as_deref(), Some("B"));
        assert_eq!(at(4).as_deref(), Some("B"));
        assert_eq!(at(5), None);
        assert_eq!(at(8).as_deref(), Some("EMPTY"));
        let b = table.get(table.named(b"B").unwrap());
        assert!(b.takes_arguments);
        assert_eq!(b.makes, 2);
        assert!(table.get(table.named(b"EMPTY").unwrap()).body.is_empty());
        assert!(table.named(b"y").is_none());
    }
}
