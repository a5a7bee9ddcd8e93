//! Reading the output of `cc -E -fdebug-cpp`: each token with a tag before it.
//!
//! A tag is `{P:path;F:included from;L:line;C:column;S:system;M:…;E:…,LOC:…,R:…}`. The compiler prints one before
//! each token and one more before it starts a new line; a line marker may come between a tag and its token, and
//! pragmas have no tags inside. What a definition of the compiler's own yields is tagged
//! `{P:;F:;L:-1;C:-1;S:-1;M:(nil);…}`. Tags are twenty times the text, so they are recognised by their constant beginning, which is the same for all tokens
//! of a file.

use diagnostics::{FileId, Origin, Place, SourceMap};
use sandbox::VisibleFiles;

use super::locate::Locator;
use super::tokens::literal_end;
use super::{Pragma, Stripped};

const OPEN: &[u8] = b"{P:";
const NOWHERE: &[u8] = b"{P:;F:;L:-1;C:-1;S:-1;M:";

/// The clean text as it grows.
pub(super) struct Output {
    pub stripped: Stripped,
    newline: bool,
    space: bool,
}

impl Output {
    pub fn new() -> Output {
        let stripped = Stripped { text: Vec::new(), origins: Vec::new(), pragmas: Vec::new(), plain_bytes: 0 };
        Output { stripped, newline: false, space: false }
    }

    pub fn newline(&mut self) {
        self.newline = true;
        self.stripped.plain_bytes += 1;
    }

    pub fn space(&mut self) {
        self.space = true;
        self.stripped.plain_bytes += 1;
    }

    pub fn pragma(&mut self, text: &[u8]) {
        self.stripped.plain_bytes += text.len() + 8;
        let text = String::from_utf8_lossy(text).trim().to_string();
        self.stripped.pragmas.push(Pragma { at: self.stripped.text.len() as u32 + 1, text });
    }

    pub fn token(&mut self, token: &[u8], written: Place, used: Option<Place>) {
        let out = &mut self.stripped;
        out.plain_bytes += token.len();
        if !out.text.is_empty() && (self.newline || self.space) {
            out.text.push(if self.newline { b'\n' } else { b' ' });
        }
        (self.newline, self.space) = (false, false);
        let at = out.text.len() as u32;
        out.text.extend_from_slice(token);
        let goes_on = out.origins.last().is_some_and(|last| {
            last.used == used
                && last.written.file == written.file
                && last.written.line == written.line
                && last.written.column + (at - last.at) == written.column
        });
        if !goes_on {
            out.origins.push(Origin { at, written, used });
        }
    }
}

/// The beginning of the tags of one file, up to the line number.
struct Prefix {
    bytes: Vec<u8>,
    file: FileId,
}

pub(super) struct TagReader<'m> {
    locator: Locator<'m>,
    output: Output,
    prefixes: Vec<Prefix>,
    file: FileId,
    line: u32,
    /// The last tag, until its token comes.
    tag: Option<Place>,
}

impl<'m> TagReader<'m> {
    pub fn new(map: &'m mut SourceMap, path: &str, shown: VisibleFiles) -> TagReader<'m> {
        let mut locator = Locator::new(map, path, shown);
        let file = locator.file_of(path.as_bytes(), false);
        TagReader { locator, output: Output::new(), prefixes: Vec::new(), file, line: 0, tag: None }
    }

    /// One line of output, without its line break.
    pub fn line(&mut self, line: &[u8]) {
        let mut i = 0;
        while let Some((place, end)) = self.tag(line, i) {
            self.tag = Some(place);
            i = end;
        }
        if let Some(marker) = Marker::parse(&line[i..]) {
            // The flags of a marker inside a line say that a macro is a system header's, not the file.
            let system = marker.system && marker.enters;
            self.file = self.locator.file_of(&marker.path, system);
            self.line = marker.line;
            self.output.newline();
            return;
        }
        if let Some(pragma) = line[i..].strip_prefix(b"#pragma") {
            let pragma = self.without_tags(pragma);
            self.output.pragma(&pragma);
            self.line += 1;
            self.output.newline();
            return;
        }
        self.locator.set_line(self.file, self.line);
        while i < line.len() {
            match line[i] {
                b' ' | b'\t' | 0x0b | 0x0c | b'\r' => {
                    self.output.space();
                    i += 1;
                }
                b'{' if line[i..].starts_with(OPEN) => match self.tag(line, i) {
                    Some((place, end)) => {
                        self.tag = Some(place);
                        i = end;
                    }
                    None => i = self.token(line, i),
                },
                _ => i = self.token(line, i),
            }
        }
        self.line += 1;
        self.output.newline();
    }

    pub fn finish(self) -> Stripped {
        self.output.stripped
    }

    /// Takes the token at `start` and returns its end.
    fn token(&mut self, line: &[u8], start: usize) -> usize {
        let mut i = start;
        while i < line.len() {
            match line[i] {
                b' ' | b'\t' | 0x0b | 0x0c | b'\r' => break,
                b'{' if i > start && line[i..].starts_with(OPEN) => break,
                b'"' | b'\'' => i = literal_end(line, i).unwrap_or(i + 1),
                _ => i += 1,
            }
        }
        let i = i.min(line.len());
        let token = &line[start..i];
        let (written, used) = self.locator.locate(token, self.tag.take());
        self.output.token(token, written, used);
        i
    }

    /// Reads the tag at `start`, if one is there, and returns its place and end.
    fn tag(&mut self, line: &[u8], start: usize) -> Option<(Place, usize)> {
        let rest = &line[start..];
        if !rest.starts_with(OPEN) {
            return None;
        }
        if rest.starts_with(NOWHERE) {
            let end = NOWHERE.len() + memchr::memchr(b'}', &rest[NOWHERE.len()..])? + 1;
            let file = self.locator.file_of(b"<built-in>", true);
            return Some((Place { file, line: 1, column: 1 }, start + end));
        }
        let known = match self.prefixes.iter().position(|p| rest.starts_with(&p.bytes)) {
            Some(index) => index,
            None => self.new_prefix(rest)?,
        };
        let (number, column_at) = number(rest, self.prefixes[known].bytes.len());
        let (column, after) = number_after(rest, column_at, b";C:")?;
        let end = after + memchr::memchr(b'}', &rest[after..])? + 1;
        let place = Place { file: self.prefixes[known].file, line: number, column };
        // Tokens of one file come together, so its beginning should be the first to be tried.
        self.prefixes.swap(0, known);
        Some((place, start + end))
    }

    /// Learns the beginning of the tags of a new file (or of a file included from a new place). A path may hold
    /// anything, so the end of the paths is found by the whole shape of what follows.
    fn new_prefix(&mut self, rest: &[u8]) -> Option<usize> {
        let (prefix_len, system) = (OPEN.len()..rest.len()).find_map(|i| {
            let (_, at) = number_after(rest, i, b";L:")?;
            let (_, at) = number_after(rest, at, b";C:")?;
            let (system, at) = number_after(rest, at, b";S:")?;
            rest[at..].starts_with(b";M:").then_some((i + 3, system != 0))
        })?;
        let paths = &rest[OPEN.len()..prefix_len - 3];
        let path_len = paths.windows(3).position(|w| w == b";F:")?;
        let file = self.locator.file_of(&paths[..path_len], system);
        if self.prefixes.len() >= 64 {
            self.prefixes.pop();
        }
        self.prefixes.push(Prefix { bytes: rest[..prefix_len].to_vec(), file });
        Some(self.prefixes.len() - 1)
    }

    fn without_tags(&mut self, line: &[u8]) -> Vec<u8> {
        let mut clean = Vec::with_capacity(line.len());
        let mut i = 0;
        while i < line.len() {
            match self.tag(line, i) {
                Some((_, end)) => i = end,
                None => {
                    clean.push(line[i]);
                    i += 1;
                }
            }
        }
        clean
    }
}

fn number(bytes: &[u8], mut at: usize) -> (u32, usize) {
    let mut value = 0u32;
    while let Some(digit) = bytes.get(at).filter(|b| b.is_ascii_digit()) {
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        at += 1;
    }
    (value, at)
}

fn number_after(bytes: &[u8], at: usize, mark: &[u8]) -> Option<(u32, usize)> {
    let start = at + mark.len();
    if !bytes[at..].starts_with(mark) || !bytes.get(start).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    Some(number(bytes, start))
}

/// A line marker: `# line "path" flags`.
pub(super) struct Marker {
    pub line: u32,
    pub path: Vec<u8>,
    /// Flag 1: the beginning of an included file.
    pub enters: bool,
    /// Flag 3: a system header.
    pub system: bool,
}

impl Marker {
    pub fn parse(line: &[u8]) -> Option<Marker> {
        let rest = line.strip_prefix(b"# ")?;
        if !rest.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let (number, at) = number(rest, 0);
        let quote = at + 1;
        if rest.get(at..quote + 1)? != b" \"" {
            return None;
        }
        let end = literal_end(rest, quote)?;
        let flags = &rest[end..];
        let flag = |f: u8| flags.split(|&b| b == b' ').any(|word| word == [f]);
        Some(Marker { line: number, path: unescape(&rest[quote + 1..end - 1]), enters: flag(b'1'), system: flag(b'3') })
    }
}

/// Undoes the escapes of a path in a line marker.
fn unescape(path: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(path.len());
    let mut i = 0;
    while i < path.len() {
        let octal = path.get(i + 1..i + 4).filter(|digits| digits.iter().all(|b| (b'0'..=b'7').contains(b)));
        match (path[i], octal) {
            (b'\\', Some(digits)) => {
                plain.push(digits.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit - b'0')));
                i += 4;
            }
            (b'\\', None) if i + 1 < path.len() => {
                plain.push(path[i + 1]);
                i += 2;
            }
            (byte, _) => {
                plain.push(byte);
                i += 1;
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::{Policy, View};

    #[test]
    fn markers_are_read() {
        let marker = Marker::parse(b"# 12 \"a \\\"b\\\\c\\303\\251.h\" 1 3 4").unwrap();
        assert_eq!(marker.line, 12);
        assert_eq!(marker.path, "a \"b\\c\u{e9}.h".as_bytes());
        assert!(marker.enters && marker.system);
        assert!(Marker::parse(b"# pragma").is_none());
        assert!(Marker::parse(b"# 12").is_none());
        assert!(Marker::parse(b"#12 \"a\"").is_none());
    }

    #[test]
    fn tags_are_taken_out_whatever_the_path() {
        let mut map = SourceMap::new();
        let mut reader = TagReader::new(&mut map, "no/such.c", View::new(Policy::Preprocessor).shown());
        let tag =
            |path: &str, line, column| format!("{{P:{path};F:<NULL>;L:{line};C:{column};S:0;M:0x7f;E:0,LOC:1,R:1}}");
        reader.line(b"# 1 \"no/such.c\"");
        let line = format!(
            "{}int {}x{}={}\"{{P:a;F:b;L:1;C:1;S:0;M:0;}}\"{};",
            tag("no/such.c", 1, 1),
            tag("no/such.c", 1, 5),
            tag("odd};L:3 {P:.c", 7, 9),
            tag("no/such.c", 1, 8),
            tag("no/such.c", 1, 9)
        );
        reader.line(line.as_bytes());
        let stripped = reader.finish();
        assert_eq!(String::from_utf8_lossy(&stripped.text), "int x=\"{P:a;F:b;L:1;C:1;S:0;M:0;}\";");
        assert!(map.find_file("odd};L:3 {P:.c").is_some());
    }
}
