//! The functions that a text defines, found by its tokens: who lowers the first of several units wants to know what the last
//! one defines, and no tree of all of them should have to stand in memory for that.
//!
//! A definition is a brace at file level that begins neither a record nor an initialiser. Its name is the first word before
//! it that a single pair of parentheses follows, or, where the name stands in parentheses of its own, the first in those.
//!
//! Whether a definition is `static` its own words say, or a declaration before it. Whether its body *acts*, that is, whether it may
//! do more than print or end the run, is read off generously.
//!
//! *Guarantee*: on a text that parses, the names are those of the function definitions in its tree (compared by the test
//! `parser_twin` on the corpus).

use super::parser::Parser;
use super::tokens::Kind;
use std::collections::HashSet;

/// A function that a text defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    pub name: String,
    /// Whether other units may have another function of this name.
    pub is_static: bool,
    /// Whether a call may do more than print or end the run.
    pub acts: bool,
}

pub fn definitions(parser: &Parser<'_>) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut declared_static = HashSet::new();
    let mut is_static = false;
    // The name that the current declaration may define, and that of the old-style definition whose parameters are being
    // declared.
    let (mut name, mut before): (Option<usize>, Option<usize>) = (None, None);
    let mut has_value = false;
    let mut first = true;
    let mut at = 0;
    loop {
        let kind = parser.kind_at(at);
        let mut ends = false;
        match kind {
            Kind::End => return found,
            Kind::Semicolon => {
                ends = true;
                before = before.or(name.filter(|&name| is_old_style(parser, name)));
                if let (true, Some(index)) = (is_static, name) {
                    declared_static.insert(parser.tokens[index].name);
                }
            }
            Kind::Static => is_static = true,
            Kind::Equal => has_value = true,
            Kind::Name if name.is_none() && !has_value && is_called(parser, at) => name = Some(at),
            Kind::OpenParen if name.is_none() && !has_value && !is_operand(parser, at) => name = inner_name(parser, at),
            Kind::OpenBrace if !has_value && !is_record(parser, at) => {
                let defined = if first { before } else { name };
                found.extend(defined.map(|index| {
                    let name = parser.tokens[index].name;
                    // The words before an old-style definition are those of its parameters' declarations.
                    let is_static = is_static || declared_static.contains(&name);
                    Definition { name: parser.names.text(name), is_static, acts: acts(parser, at) }
                }));
                (ends, before) = (true, None);
            }
            _ => {}
        }
        at = match kind.is_open() {
            true => parser.after_bracket(at).unwrap_or(at + 1),
            false => at + 1,
        };
        first = ends;
        if ends {
            (name, has_value, is_static) = (None, false, false);
        }
    }
}

/// Whether the body that starts at a brace assigns, or calls what may.
fn acts(parser: &Parser<'_>, open: usize) -> bool {
    use Kind::*;
    const HARMLESS: &[&str] = &["printf", "fprintf", "puts", "putchar", "fflush", "exit", "_exit", "_Exit", "abort"];
    let close = parser.after_bracket(open).unwrap_or(parser.tokens.len());
    (open..close).any(|index| match parser.kind_at(index) {
        PlusPlus | MinusMinus | Equal | StarEqual | SlashEqual | PercentEqual | PlusEqual | MinusEqual => true,
        ShiftLeftEqual | ShiftRightEqual | AndEqual | CaretEqual | OrEqual | Asm => true,
        CloseParen => parser.kind_at(index + 1) == OpenParen,
        Name if parser.kind_at(index + 1) == OpenParen => {
            !HARMLESS.contains(&parser.names.text(parser.tokens[index].name).as_str())
        }
        _ => false,
    })
}

/// Whether parameters follow a word. In `T (f)(int a)` a declarator follows it.
fn is_called(parser: &Parser<'_>, word: usize) -> bool {
    parser.kind_at(word + 1) == Kind::OpenParen
        && parser.after_bracket(word + 1).is_none_or(|after| parser.kind_at(after) != Kind::OpenParen)
}

/// Whether declarations follow the list of parameters of a name.
fn is_old_style(parser: &Parser<'_>, name: usize) -> bool {
    parser.after_bracket(name + 1).is_some_and(|after| {
        let next = parser.kind_at(parser.after_attributes(after));
        next == Kind::Name || next.is_specifier()
    })
}

/// Whether a parenthesis belongs to the keyword before it.
fn is_operand(parser: &Parser<'_>, open: usize) -> bool {
    let before = open.checked_sub(1).map(|index| parser.kind_at(index));
    matches!(
        before,
        Some(Kind::Attribute | Kind::Typeof | Kind::Alignas | Kind::Asm | Kind::Atomic | Kind::StaticAssert)
    )
}

fn inner_name(parser: &Parser<'_>, open: usize) -> Option<usize> {
    let close = parser.after_bracket(open)?;
    (open + 1..close).find(|&index| {
        parser.kind_at(index) == Kind::Name
            && matches!(parser.kind_at(index + 1), Kind::OpenParen | Kind::CloseParen | Kind::OpenBracket)
    })
}

fn is_record(parser: &Parser<'_>, brace: usize) -> bool {
    let is_keyword = |index: usize| matches!(parser.kind_at(index), Kind::Struct | Kind::Union | Kind::Enum);
    let mut at = brace;
    // Attributes and the tag may stand between the keyword and the brace.
    loop {
        let Some(index) = at.checked_sub(1) else { return false };
        match parser.kind_at(index) {
            Kind::Name => at = index,
            Kind::CloseParen => match (parser.shape.partners[index] as usize).checked_sub(1) {
                Some(word) if parser.kind_at(word) == Kind::Attribute => at = word,
                _ => return false,
            },
            _ => return is_keyword(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = definitions(&Parser::new(text.as_bytes(), text));
        let names: Vec<&str> = found.iter().map(|definition| definition.name.as_str()).collect();
        assert_eq!(names, expected, "{text}");
    }

    #[test]
    fn static_words_and_acting_bodies_are_seen() {
        let text = "static void f(int); void f(int a) { } static int g(void) { return n++; } void h(int a) { g(); } \
                    int (*k(void))(int) { (*p)(1); } void q(int c) { if (!c) exit(3); } static int x; int y() { }";
        let found = definitions(&Parser::new(text.as_bytes(), text));
        let of = |select: fn(&Definition) -> bool| {
            found.iter().filter(|d| select(d)).map(|d| d.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of(|d| d.is_static), ["f", "g"]);
        assert_eq!(of(|d| d.acts), ["g", "h", "k"]);
    }

    #[test]
    fn declarators_of_all_kinds_are_seen_through() {
        check("int f(void) { return 0; } int g(int); static T *h(T t) { return t; }", &["f", "h"]);
        check("T (f)(int a) { } T (*g(int a))(int b) { } int (*h(void))[3] { }", &["f", "g", "h"]);
        check("main() { } int f(a, b) int a; char *b(); { } int x;", &["main", "f"]);
        check("struct s { int (*p)(void); } v = { 0 }; enum { A } e; int a[] = { f(1) };", &[]);
        check("__attribute__((format(printf, 1, 2))) void f(char *s, ...) { }", &["f"]);
        check("struct __attribute__((packed)) s { int a; }; typeof(int) f(void) { }", &["f"]);
        check("int (*p)(void) = 0; _Static_assert(1, \"\"); int f(void) { struct t { int a; } x = { 1 }; }", &["f"]);
    }
}
