//! Errors of syntax in words for people: the place, what stands there, what should.

use super::parser::{Parser, Refusal, Wanted};
use super::tokens::Kind;
use crate::preprocess::Unit;
use diagnostics::{Finding, Rule, Span};

pub fn explain(unit: &Unit, parser: &Parser<'_>, refusal: Refusal) -> Finding {
    let token = parser.tokens[refusal.token];
    let text = &unit.text;
    let span = |start: u32, end: u32| Span::new(unit.base + start, unit.base + end);
    let place = span(token.start, token.end);
    let letter = |at: u32| text.get(at as usize..at as usize + 1).unwrap_or("");

    // A bracket that lacks its partner derails the parser at some later place; the bracket is the better story.
    if let Some(unpaired) = parser.shape.unpaired
        && token.start >= unpaired.open.unwrap_or(unpaired.at)
    {
        let found = letter(unpaired.at);
        let end = text.len() as u32;
        let place = span(unpaired.at.min(end), (unpaired.at + 1).min(end));
        let Some(open) = unpaired.open else {
            return Finding::new(Rule::Syntax, place, format!("`{found}` closes nothing"));
        };
        let bracket = letter(open);
        let what = match matches!(found, ")" | "]" | "}") && !pairs(bracket, found) {
            true => format!("`{found}` does not close the `{bracket}` before it"),
            false => format!("the file ends before `{bracket}` is closed"),
        };
        return Finding::new(Rule::Syntax, place, what)
            .with_note(span(open, open + 1), format!("`{bracket}` is opened here"));
    }

    let wanted = match refusal.wanted {
        Wanted::These(wanted) | Wanted::Type(wanted) => wanted,
        Wanted::Number => "a number",
        Wanted::NoBody => "`;`",
    };
    let shown = shorten(&String::from_utf8_lossy(unit.bytes(place)));
    let before = refusal.token.checked_sub(1).map(|index| parser.tokens[index]);
    match (token.kind, refusal.wanted) {
        (Kind::End, _) => {
            let at = text.len() as u32;
            let message = format!("the file ends where {wanted} should follow");
            Finding::new(Rule::Syntax, span(at.saturating_sub(1), at), message)
        }
        (Kind::Stray, _) if matches!(shown.as_str(), "\"" | "'") => {
            let message = format!("`{shown}` begins a literal that does not end on its line");
            Finding::new(Rule::Syntax, place, message)
        }
        (Kind::Stray, _) => Finding::new(Rule::Syntax, place, format!("`{shown}` is no part of C")),
        (_, Wanted::Number) => Finding::new(Rule::Syntax, place, format!("`{shown}` is no number of C")),
        (_, Wanted::NoBody) => Finding::new(Rule::Unsupported, place, "a function defined inside another function")
            .with_help(
                "move the function to file level; if a macro should be expanded here, pass its definition after `--`",
            ),
        (Kind::Name, Wanted::Type(_)) => {
            Finding::new(Rule::Syntax, place, format!("`{shown}` is not a type or a keyword that can stand here"))
                .with_help("include the header that declares it, or pass the macro's definition after `--`")
        }
        (Kind::Name, _)
            if let Some(before) = before
                && before.kind == Kind::Name =>
        {
            let before = shorten(&String::from_utf8_lossy(unit.bytes(span(before.start, before.end))));
            Finding::new(Rule::Syntax, place, format!("`{shown}` cannot follow `{before}`: `{before}` is not a type"))
                .with_help(format!("declare the type `{before}`, or pass the macro's definition after `--`"))
        }
        _ => Finding::new(Rule::Syntax, place, format!("`{shown}` cannot stand here; expected {wanted}")),
    }
}

fn pairs(open: &str, close: &str) -> bool {
    matches!((open, close), ("(", ")") | ("[", "]") | ("{", "}"))
}

fn shorten(token: &str) -> String {
    match token.char_indices().nth(30) {
        Some((end, _)) => format!("{}…", &token[..end]),
        None => token.to_string(),
    }
}
