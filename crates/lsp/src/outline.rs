//! Where the functions of a text begin and end, and what an answer about one of them depends on.
//!
//! An answer about a function depends on its own text, on the texts of the functions that it mentions, on theirs, and on
//! everything that is outside of functions: types, globals, macros. All of that, written out, is the [`Key`] of the answer.
//! Lines are no part of it, so that an answer outlives an edit elsewhere and moves with its function. Two things make the
//! whole text the key, line by line: braces that do not match (behind `#if` they may not), and `__LINE__`.
//!
//! *Guarantee*: with the same key the function means the same, if the included files are the same. *May miss*: that it does
//! with another key; then it is asked again.

use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};

/// What an answer depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key(String);

/// The lines of a function, from that of its name to that of its closing brace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// In the order of the text.
    pub(crate) functions: Vec<(String, Lines)>,
    /// None where the functions could not be told apart.
    parts: Option<Parts>,
    whole: String,
}

#[derive(Clone, Debug)]
struct Parts {
    /// Everything outside of functions, without comments and blanks.
    outside: String,
    /// The functions that this mentions, other than by declaring them.
    mentioned: BTreeSet<String>,
    /// The text of each function.
    texts: BTreeMap<String, String>,
}

impl Outline {
    /// The outline of a text, given the names of the functions defined in it and the lines of these names.
    pub(crate) fn new(text: &Text, defined: &[(String, u32)]) -> Outline {
        let mut defined = defined.to_vec();
        defined.sort_by_key(|(_, line)| *line);
        let whole = text.whole().to_string();
        let extents: Option<Vec<(usize, usize)>> =
            defined.iter().map(|(_, line)| extent(&whole, text.start_of(*line))).collect();
        let disjoint = |extents: &[(usize, usize)]| extents.windows(2).all(|pair| pair[0].1 <= pair[1].0);
        let extents = extents.filter(|extents| disjoint(extents) && !whole.contains("__LINE__"));
        let Some(extents) = extents else {
            let last = |index: usize| defined.get(index + 1).map_or(text.lines(), |(_, next)| next - 1);
            let lines = |index: usize, first: u32| Lines { first, last: last(index).max(first) };
            let functions =
                defined.iter().enumerate().map(|(index, (name, first))| (name.clone(), lines(index, *first)));
            return Outline { functions: functions.collect(), parts: None, whole };
        };
        let mut outside = String::new();
        let mut at = 0;
        for (start, end) in &extents {
            outside.push_str(&whole[at..*start]);
            at = *end;
        }
        outside.push_str(&whole[at..]);
        let names: BTreeSet<&str> = defined.iter().map(|(name, _)| name.as_str()).collect();
        let mentioned = mentioned_outside(&outside, &names);
        let named = defined.iter().zip(&extents);
        let texts = named.clone().map(|((name, _), (start, end))| (name.clone(), whole[*start..*end].to_string()));
        let parts = Parts { outside: condensed(&outside), mentioned, texts: texts.collect() };
        let functions = named.map(|((name, first), (_, end))| {
            (name.clone(), Lines { first: *first, last: text.line_of(end.saturating_sub(1)) })
        });
        Outline { functions: functions.collect(), parts: Some(parts), whole }
    }

    /// What an answer depends on: one about a function, or about the whole file.
    pub(crate) fn key(&self, function: Option<&str>) -> Key {
        let (Some(parts), Some(function)) = (&self.parts, function) else { return Key(self.whole.clone()) };
        let mut needed: BTreeSet<&str> = parts.mentioned.iter().map(String::as_str).collect();
        needed.insert(function);
        let mut waiting: Vec<&str> = needed.iter().copied().collect();
        while let Some(name) = waiting.pop() {
            let text = parts.texts.get(name).map_or("", String::as_str);
            for word in words(text) {
                if let Some((name, _)) = parts.texts.get_key_value(word)
                    && needed.insert(name)
                {
                    waiting.push(name);
                }
            }
        }
        let mut key = parts.outside.clone();
        for name in needed {
            key.push('\0');
            key.push_str(parts.texts.get(name).map_or("", String::as_str));
        }
        Key(key)
    }

    pub(crate) fn lines(&self, function: &str) -> Option<Lines> {
        self.functions.iter().find(|(name, _)| name == function).map(|(_, lines)| *lines)
    }

    /// The text that it is the outline of.
    pub(crate) fn text(&self) -> &str {
        &self.whole
    }

    /// The function that a line belongs to.
    pub(crate) fn function_at(&self, line: u32) -> Option<&str> {
        let there = self.functions.iter().find(|(_, lines)| lines.first <= line && line <= lines.last);
        there.map(|(name, _)| name.as_str())
    }

    /// The line that a line of this outline has become in another, in which its function has the same text.
    pub(crate) fn moved(&self, line: u32, now: &Outline) -> Option<u32> {
        match self.function_at(line) {
            Some(name) => {
                let (before, after) = (self.lines(name)?, now.lines(name)?);
                (before.last - before.first == after.last - after.first).then(|| line - before.first + after.first)
            }
            None => (self.whole == now.whole).then_some(line),
        }
    }
}

/// The lines at which functions of these names seem to be defined: a guess for the time until the text is read.
pub(crate) fn located(text: &Text, names: &[String]) -> Vec<(String, u32)> {
    let whole = text.whole();
    let mut found: Vec<(String, u32)> = Vec::new();
    let (mut depth, mut word) = (0usize, 0..0);
    // A name and a parenthesis, of which it is not known yet whether a body follows.
    let mut candidate = None;
    let (mut in_directive, mut is_line_empty) = (false, true);
    for (range, piece) in Pieces::new(whole) {
        if piece != Piece::Code {
            is_line_empty &= piece == Piece::Comment;
            continue;
        }
        let code = &whole[range.clone()];
        in_directive = if code == "\n" {
            in_directive && whole[..range.start].ends_with('\\')
        } else {
            in_directive || is_line_empty && code == "#"
        };
        is_line_empty = code == "\n" || is_line_empty && code.trim().is_empty();
        if in_directive {
            continue;
        }
        match code {
            "{" => {
                if let Some((name, line)) = candidate.take().filter(|_| depth == 0) {
                    found.push((name, line));
                }
                depth += 1;
            }
            "}" => depth = depth.saturating_sub(1),
            ";" | "=" => candidate = None,
            "(" if depth == 0 && candidate.is_none() => {
                let name = &whole[word.clone()];
                candidate =
                    names.iter().find(|known| *known == name).map(|name| (name.clone(), text.line_of(word.start)));
            }
            code if code.chars().all(is_word) => {
                word = if word.end == range.start { word.start..range.end } else { range };
            }
            _ => {}
        }
    }
    found
}

/// Offsets of a function that begins at or before the name at `start`: from there to the end of its body.
fn extent(text: &str, start: usize) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    for (range, piece) in Pieces::new(&text[start..]) {
        match &text[start..][range.clone()] {
            "{" if piece == Piece::Code => depth += 1,
            "}" if piece == Piece::Code => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((start, start + range.end));
                }
            }
            _ => {}
        }
    }
    None
}

/// What a piece of C text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// One character of code.
    Code,
    /// A literal with its quotes.
    Literal,
    Comment,
}

/// A text cut into pieces, each with its offsets.
struct Pieces<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Pieces<'t> {
    fn new(text: &'t str) -> Pieces<'t> {
        Pieces { text, at: 0 }
    }
}

impl Iterator for Pieces<'_> {
    type Item = (std::ops::Range<usize>, Piece);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let (length, piece) = match first {
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), Piece::Comment),
            '/' if rest.starts_with("/*") => (rest[2..].find("*/").map_or(rest.len(), |at| at + 4), Piece::Comment),
            '"' | '\'' => (literal(rest, first), Piece::Literal),
            _ => (first.len_utf8(), Piece::Code),
        };
        let range = self.at..self.at + length;
        self.at = range.end;
        Some((range, piece))
    }
}

/// The length of the literal that a text begins with. An apostrophe in the text of `#error` ends with its line.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

/// The text without comments, and with one blank or line break where there are several.
fn condensed(text: &str) -> String {
    let mut kept = String::new();
    for (range, piece) in Pieces::new(text) {
        match (&text[range], piece) {
            (_, Piece::Comment) | (" " | "\t" | "\r", Piece::Code) => {
                if !kept.ends_with([' ', '\n']) {
                    kept.push(' ');
                }
            }
            // A line break ends a directive and is no blank.
            ("\n", Piece::Code) => {
                kept.truncate(kept.trim_end_matches(' ').len());
                if !kept.is_empty() && !kept.ends_with('\n') {
                    kept.push('\n');
                }
            }
            (other, _) => kept.push_str(other),
        }
    }
    kept
}

/// The functions that are mentioned outside of functions: in macros and initialisers, not where they are only declared.
fn mentioned_outside(outside: &str, names: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut in_macro = false;
    for line in outside.lines() {
        in_macro |= line.trim_start().starts_with('#');
        let mut rest = line;
        while let Some(start) = rest.find(is_word) {
            let word = &rest[start..start + rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start)];
            rest = &rest[start + word.len()..];
            if names.contains(word) && (in_macro || !rest.trim_start().starts_with('(')) {
                found.insert(word.to_string());
            }
        }
        in_macro &= line.trim_end().ends_with('\\');
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
#define TWICE(x) add(x, x)
int add(int a, int b) { /* } */ return a + b; }
int other(void);

int user(int x) {
    char c = '}'; const char *s = \"}\\\"}\";
    return other() + c + *s;
}
int other(void) { return 1; }
int alone(int x) { return x; }
";

    fn outline(text: &str) -> Outline {
        let names = ["add", "user", "other", "alone"];
        let line = |name: &str| {
            let is_definition = |line: &str| line.starts_with(&format!("int {name}(")) && line.contains('{');
            text.lines().position(is_definition).map(|index| index as u32 + 1)
        };
        let defined: Vec<(String, u32)> =
            names.iter().filter_map(|name| Some((name.to_string(), line(name)?))).collect();
        Outline::new(&Text::new(text), &defined)
    }

    /// Which functions are asked again after a change.
    fn changed(from: &str, to: &str) -> Vec<&'static str> {
        let (before, after) = (outline(TEXT), outline(&TEXT.replacen(from, to, 1)));
        ["add", "user", "other", "alone"]
            .into_iter()
            .filter(|name| before.key(Some(name)) != after.key(Some(name)))
            .collect()
    }

    #[test]
    fn a_function_depends_on_what_it_mentions() {
        assert_eq!(changed("return x;", "return -x;"), ["alone"]);
        assert_eq!(changed("return 1;", "return 2;"), ["user", "other"]);
        // The macro may call it from anywhere.
        assert_eq!(changed("a + b", "a - b"), ["add", "user", "other", "alone"]);
        assert_eq!(changed("int other(void);", "int other(void); int global;"), ["add", "user", "other", "alone"]);
    }

    #[test]
    fn what_is_not_code_changes_nothing_outside_of_functions() {
        assert!(changed("int other(void);\n", "/* a comment */\n\n\nint   other(void); // more\n").is_empty());
        assert_eq!(changed("int other(void);", "int other(void); char *s = \"/* text */\";").len(), 4);
    }

    #[test]
    fn definitions_are_found_before_the_text_is_read() {
        let names = ["add", "user", "other", "alone"].map(str::to_string);
        let expected =
            [("add", 2), ("user", 5), ("other", 9), ("alone", 10)].map(|(name, line)| (name.to_string(), line));
        assert_eq!(located(&Text::new(TEXT), &names), expected);
        assert_eq!(
            located(&Text::new("int other (int), x; int user\n(void)\n{ other(); }"), &names),
            [("user".to_string(), 1)]
        );
    }

    #[test]
    fn lines_move_with_their_function() {
        let (before, after) = (outline(TEXT), outline(&format!("\n\n{TEXT}")));
        assert_eq!(before.lines("user"), Some(Lines { first: 5, last: 8 }));
        assert_eq!(before.moved(7, &after), Some(9));
        assert_eq!(before.moved(4, &after), None);
    }

    #[test]
    fn where_functions_cannot_be_told_apart_everything_counts() {
        let broken = TEXT.replace("return x; }", "return x;");
        let more = format!("\n{broken}");
        assert_ne!(outline(&broken).key(Some("alone")), outline(&more).key(Some("alone")));
        let lines = TEXT.replace("return x;", "return __LINE__;");
        let more = format!("\n{lines}");
        assert_ne!(outline(&lines).key(Some("add")), outline(&more).key(Some("add")));
    }
}
