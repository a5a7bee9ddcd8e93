//! Lines of C with comments, strings, keywords, numbers and directives told apart.
//!
//! This is for the eye: it knows no trigraphs and no macros, and a file that is no C is shown all the same.

use super::escape::Html;

const KEYWORDS: [&str; 39] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "_Static_assert",
    "bool",
    "true",
    "false",
];

/// What a line begins in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    in_comment: bool,
}

/// Writes a line, and says what the next one begins in.
pub fn line(text: &str, mut state: State, html: &mut Html) -> State {
    let mut rest = text;
    if !state.in_comment && rest.trim_start().starts_with('#') {
        let end = rest.find("/*").or_else(|| rest.find("//")).unwrap_or(rest.len());
        token("<i class=\"p\">", &rest[..end], html);
        rest = &rest[end..];
    }
    while let Some(first) = rest.chars().next() {
        let (class, length) = if state.in_comment || rest.starts_with("/*") {
            let from = if state.in_comment { 0 } else { 2 };
            let end = rest[from..].find("*/").map(|end| from + end + 2);
            state.in_comment = end.is_none();
            (Some("<i class=\"c\">"), end.unwrap_or(rest.len()))
        } else if rest.starts_with("//") {
            (Some("<i class=\"c\">"), rest.len())
        } else if first == '"' || first == '\'' {
            (Some("<i class=\"s\">"), quoted(rest, first))
        } else if first.is_ascii_digit() {
            let number = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
            (Some("<i class=\"n\">"), rest.find(|c| !number(c)).unwrap_or(rest.len()))
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (KEYWORDS.contains(&&rest[..length]).then_some("<i class=\"k\">"), length)
        } else {
            let plain = |c: char| !c.is_alphanumeric() && !"_\"'/".contains(c);
            let length = rest.find(|c| !plain(c)).unwrap_or(rest.len());
            (None, length.max(first.len_utf8()))
        };
        match class {
            Some(class) => token(class, &rest[..length], html),
            None => drop(html.text(&rest[..length])),
        }
        rest = &rest[length..];
    }
    state
}

fn token(open: &'static str, text: &str, html: &mut Html) {
    html.raw(open).text(text).raw("</i>");
}

/// The length of a literal, with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[&str]) -> String {
        let mut html = Html::new();
        let mut state = State::default();
        for text in lines {
            state = line(text, state, &mut html);
            html.raw("\n");
        }
        html.into_string()
    }

    #[test]
    fn tokens_are_told_apart() {
        assert_eq!(
            shown(&["int x = 0x1f; // a", "#define A \"b\"", "s = \"\\\"/*\"; /* one", "two */ return '<';"]),
            "<i class=\"k\">int</i> x = <i class=\"n\">0x1f</i>; <i class=\"c\">// a</i>\n\
             <i class=\"p\">#define A &quot;b&quot;</i>\n\
             s = <i class=\"s\">&quot;\\&quot;/*&quot;</i>; <i class=\"c\">/* one</i>\n\
             <i class=\"c\">two */</i> <i class=\"k\">return</i> <i class=\"s\">&#39;&lt;&#39;</i>;\n"
        );
    }

    #[test]
    fn anything_is_shown() {
        for text in ["\"", "'\\", "/", "é'ü\"", "#", "/*é", "\u{202e}int"] {
            assert!(!shown(&[text]).is_empty());
        }
    }
}
