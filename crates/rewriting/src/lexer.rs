//! The words of a text of rules.

use crate::problem::{At, Problem};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    Name(String),
    Int(i128),
    /// Punctuation and operators, as written.
    Sign(&'static str),
    End,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub token: Token,
    pub at: At,
    /// Whether it is the first on its line.
    pub first: bool,
}

/// Longer signs before their beginnings.
const SIGNS: [&str; 25] = [
    "->", "==", "!=", "<=", ">=", "&&", "||", "(", ")", ",", "|", "=", ":", "+", "-", "*", "/", "%", "<", ">", "!",
    ";", ".", "[", "]",
];

/// Cuts the text into words; what is none is a problem. Comments run from `#` or `//` to the end of the line, or stand
/// between `/*` and `*/`.
pub fn words(text: &str) -> (Vec<Word>, Vec<Problem>) {
    let mut words = Vec::new();
    let mut problems = Vec::new();
    let mut inside_comment = false;
    let mut last = At { line: 1, column: 1, length: 1 };
    for (number, line) in (1u32..).zip(text.lines()) {
        let mut rest = line;
        let mut first = true;
        loop {
            if inside_comment {
                match rest.find("*/") {
                    Some(end) => rest = &rest[end + 2..],
                    None => break,
                }
                inside_comment = false;
            }
            rest = rest.trim_start();
            let column = (line.len() - rest.len()) as u32 + 1;
            if rest.is_empty() || rest.starts_with('#') || rest.starts_with("//") {
                last = At { line: number, column, length: 1 };
                break;
            }
            if let Some(after) = rest.strip_prefix("/*") {
                inside_comment = true;
                rest = after;
                continue;
            }
            let at = |length: usize| At { line: number, column, length: length as u32 };
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
            let start = rest.chars().next().unwrap_or(' ');
            let (token, length) = if start.is_ascii_digit() {
                let length = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
                match rest[..length].parse() {
                    Ok(value) => (Token::Int(value), length),
                    Err(_) => {
                        problems.push(
                            Problem::error(
                                at(length),
                                format!("`{}` is not a number of up to 128 bits", &rest[..length]),
                            )
                            .with_help("names start with a letter"),
                        );
                        (Token::Int(0), length)
                    }
                }
            } else if is_name(start) {
                let length = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
                (Token::Name(rest[..length].to_string()), length)
            } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                (Token::Sign(sign), sign.len())
            } else if let Some(after) = rest.strip_prefix('→') {
                (Token::Sign("->"), rest.len() - after.len())
            } else {
                problems.push(Problem::error(
                    at(start.len_utf8()),
                    format!("`{}` does not belong here", start.escape_debug()),
                ));
                rest = &rest[start.len_utf8()..];
                continue;
            };
            words.push(Word { token, at: at(length), first });
            first = false;
            rest = &rest[length..];
            last = At { line: number, column: column + length as u32, length: 1 };
        }
    }
    if inside_comment {
        problems.push(Problem::error(last, "a comment is not closed").with_help("`*/` closes it"));
    }
    words.push(Word { token: Token::End, at: last, first: true });
    (words, problems)
}
