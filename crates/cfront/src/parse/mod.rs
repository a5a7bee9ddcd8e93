//! From the text of a unit to its syntax tree, by way of `lang-c`.
//!
//! `lang-c` is a recursive-descent parser without error recovery and without a limit on its recursion. So the
//! text is measured first and refused when it is nested deeper than anybody writes, and the parser runs on a
//! thread with a large stack. Dropping or walking a deep tree recurses as well: [`Ast`] drops itself on such a
//! stack, and whoever walks a tree does so inside [`on_big_stack`].
//!
//! *Facts about the tree*: parentheses leave no node; node spans are byte offsets into `Unit::text` and may
//! include white space at their end; a postfix expression's call node has the span of its arguments only
//! through its parent.
//!
//! Large units are cut into [`groups`] that are parsed side by side, with the whole text as the way out.
//!
//! *Cost*: linear in the text, except that call and index expressions nested `n` deep cost `n²`.

mod groups;

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Deref;

use diagnostics::{Finding, Rule, Span};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};

use crate::preprocess::{TokenKind, Unit, tokens};

/// Brackets that may be open at one place. C11 asks for 63 levels; generated code has been seen with 300.
pub const MAX_BRACKETS: u32 = 1000;
/// Bound of the depth of a tree, chains of operators and of `else if` included.
pub const MAX_DEPTH: u32 = 20_000;
/// `lang-c` takes cubic time for `typeof` within `typeof`.
const MAX_TYPEOFS: u32 = 60;
/// `lang-c` takes exponential time for structures defined in a type name within another such structure.
const MAX_INNER_STRUCTS: u32 = 4;

/// Enough for the limits above in an unoptimised build, see the test `the_stack_is_large_enough`. Only what is
/// touched becomes real memory.
const STACK: usize = 1 << 30;

/// The syntax tree of one unit.
#[derive(Debug)]
pub struct Ast {
    unit: TranslationUnit,
    deep: bool,
}

impl Deref for Ast {
    type Target = TranslationUnit;

    fn deref(&self) -> &TranslationUnit {
        &self.unit
    }
}

impl Ast {
    /// Drops the tree while the caller goes on: freeing its nodes one by one takes a quarter of the time they took to
    /// make. If no thread can be had, it is dropped here.
    pub fn drop_aside(self) {
        if self.unit.0.len() > 100 {
            let _ = std::thread::Builder::new().name("dropper".to_string()).stack_size(STACK).spawn(move || {
                HAS_BIG_STACK.set(true);
                drop(self);
            });
        }
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        if self.deep {
            let unit = std::mem::replace(&mut self.unit, TranslationUnit(Vec::new()));
            on_big_stack(move || drop(unit));
        }
    }
}

thread_local! {
    static HAS_BIG_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread whose stack suffices for every tree that [`parse`] accepts, and returns its result. A
/// call from within such a thread runs at once.
pub fn on_big_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if HAS_BIG_STACK.get() {
        return work();
    }
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("parser".to_string()).stack_size(STACK).spawn_scoped(scope, || {
                HAS_BIG_STACK.set(true);
                work()
            });
        let thread = thread.expect("a thread with a large stack should start, because its stack is only reserved");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Parses a unit.
pub fn parse(unit: &Unit) -> Result<Ast, Box<Finding>> {
    too_deep(unit)?;
    let deep = unit.shape.depth.value > 500;
    if let Some(parsed) = parse_side_by_side(unit) {
        return Ok(Ast { unit: parsed, deep });
    }
    on_big_stack(|| match tree_of(unit.text.clone()) {
        Ok(tree) => Ok(Ast { unit: tree, deep }),
        Err(error) => Err(Box::new(explain(unit, &error))),
    })
}

/// Runs the parser, on the stack of the caller.
fn tree_of(text: String) -> Result<TranslationUnit, SyntaxError> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text).map(|parsed| parsed.unit)
}

/// The tree of a large unit whose groups all parse. Anything else is left to the parser of the whole text, whose errors
/// are the ones to show.
fn parse_side_by_side(unit: &Unit) -> Option<TranslationUnit> {
    let groups = on_big_stack(|| groups::groups(&unit.text, unit.jobs.min(8)))?;
    let parts: Vec<Option<TranslationUnit>> = std::thread::scope(|scope| {
        let threads: Vec<_> = groups
            .iter()
            .map(|group| {
                let work = || tree_of(group.text(&unit.text)).ok();
                std::thread::Builder::new().name("parser".to_string()).stack_size(STACK).spawn_scoped(scope, work)
            })
            .collect();
        threads.into_iter().map(|thread| thread.ok().and_then(|thread| thread.join().ok().flatten())).collect()
    });
    let mut declarations = Vec::new();
    for (part, group) in parts.into_iter().zip(&groups) {
        declarations.extend(part?.0.into_iter().skip(usize::from(group.is_preceded())));
    }
    Some(TranslationUnit(declarations))
}

/// Refuses what the parser's stack (or patience) would not stand.
fn too_deep(unit: &Unit) -> Result<(), Box<Finding>> {
    let shape = &unit.shape;
    let limits = [
        (shape.brackets, MAX_BRACKETS, "brackets"),
        (shape.depth, MAX_DEPTH, "operators and statements"),
        (shape.typeofs, MAX_TYPEOFS, "`typeof`s"),
        (shape.inner_structs, MAX_INNER_STRUCTS, "structures within type names"),
    ];
    for (extreme, limit, what) in limits {
        if extreme.value > limit {
            let message = format!("{what} nested {} deep; at most {limit} are supported", extreme.value);
            let at = unit.base + extreme.at;
            let help = "split the expression or statement into several";
            return Err(Box::new(Finding::new(Rule::Unsupported, Span::new(at, at + 1), message).with_help(help)));
        }
    }
    Ok(())
}

/// Turns the parser's error into one for people.
fn explain(unit: &Unit, error: &SyntaxError) -> Finding {
    let text = unit.text.as_bytes();
    // The place is usually the end of the token before.
    let blank = text[error.offset.min(text.len())..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let offset = (error.offset + blank).min(text.len());
    let span = |start: usize, end: usize| Span::new(unit.base + start as u32, unit.base + end as u32);

    // A bracket that lacks its partner derails the parser at some later place; the bracket is the better story.
    if let Some(unpaired) = unit.shape.unpaired
        && offset >= unpaired.open.unwrap_or(unpaired.at) as usize
    {
        let at = unpaired.at as usize;
        let found = text
            .get(at)
            .map_or("", |&b| std::str::from_utf8(std::slice::from_ref(&b)).map_or("", |_| &unit.text[at..at + 1]));
        let place = span(at.min(text.len()), (at + 1).min(text.len()));
        return match unpaired.open {
            Some(open) => {
                let bracket = &unit.text[open as usize..open as usize + 1];
                let closes = matches!(found, ")" | "]" | "}") && !pairs(bracket, found);
                let what = if closes {
                    format!("`{found}` does not close the `{bracket}` before it")
                } else {
                    format!("the file ends before `{bracket}` is closed")
                };
                Finding::new(Rule::Syntax, place, what)
                    .with_note(span(open as usize, open as usize + 1), format!("`{bracket}` is opened here"))
            }
            None => Finding::new(Rule::Syntax, place, format!("`{found}` closes nothing")),
        };
    }

    // A literal that its line does not end is read to the end of the line; the quote is the better story.
    let line_start = text[..error.offset.min(text.len())].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let line = &text[line_start..error.offset.min(text.len())];
    let open = tokens(line).into_iter().find(|t| t.kind == TokenKind::Stray && matches!(t.text(line), b"\"" | b"'"));
    if let Some(quote) = open {
        let at = line_start + quote.start as usize;
        let message = format!("`{}` begins a literal that does not end on its line", &unit.text[at..at + 1]);
        return Finding::new(Rule::Syntax, span(at, at + 1), message);
    }

    // Everything before the error was tokenised by the parser, so cutting it again is safe; one declaration of
    // context is enough.
    let start = text[..offset].iter().rposition(|&b| b == b';').map_or(0, |i| i + 1);
    let before = tokens(&text[start..offset]);
    let previous = before.last().map(|t| (t.kind, String::from_utf8_lossy(t.text(&text[start..])).into_owned()));
    if offset >= text.len() {
        let at = text.len().saturating_sub(1);
        let message = format!("the file ends where {} should follow", expectation(&error.expected));
        return Finding::new(Rule::Syntax, span(at, text.len()), message);
    }
    let line_end = text[offset..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| offset + n);
    let first = tokens(&text[offset..line_end]).first().copied();
    let (kind, end) = first.map_or((TokenKind::Stray, offset + 1), |t| (t.kind, offset + t.end as usize));
    let place = span(offset, end);
    let shown = shorten(&String::from_utf8_lossy(unit.bytes(place)));
    let wants_type = error.expected.contains("<typedef_name>");

    match (kind, previous) {
        (TokenKind::Stray, _) => Finding::new(Rule::Syntax, place, format!("`{shown}` is no part of C")),
        (TokenKind::Punctuator, Some((_, before))) if shown == "{" && before == ")" => {
            Finding::new(Rule::Unsupported, place, "a function defined inside another function").with_help(
                "move the function to file level; if a macro should be expanded here, pass its definition after `--`",
            )
        }
        (TokenKind::Word, _) if wants_type && error.expected.len() <= 4 => {
            Finding::new(Rule::Syntax, place, format!("`{shown}` is not a type or a keyword that can stand here"))
                .with_help("include the header that declares it, or pass the macro's definition after `--`")
        }
        (TokenKind::Word, Some((TokenKind::Word, before))) => {
            Finding::new(Rule::Syntax, place, format!("`{shown}` cannot follow `{before}`: `{before}` is not a type"))
                .with_help(format!("declare the type `{before}`, or pass the macro's definition after `--`"))
        }
        _ => {
            let message = format!("`{shown}` cannot stand here; expected {}", expectation(&error.expected));
            Finding::new(Rule::Syntax, place, message)
        }
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

/// The parser names every token that could have gone on; people want to know the kinds.
fn expectation(expected: &HashSet<&'static str>) -> String {
    let has = |token: &str| expected.contains(token);
    let mut kinds: Vec<String> = Vec::new();
    if has("<typedef_name>") {
        kinds.push("a declaration".to_string());
    }
    if has("!") && has("~") || has("[_a-zA-Z]") && has("(") {
        kinds.push("an expression".to_string());
    } else if has("identifier") || has("[_a-zA-Z]") {
        kinds.push("a name".to_string());
    }
    if has("+") && has("==") {
        kinds.push("an operator".to_string());
    }
    for mark in [";", ",", ")", "]", "}", ":", "=", "{", "("] {
        let part_of_expression = mark == "(" && !kinds.is_empty();
        if has(mark) && !part_of_expression && kinds.len() < 5 {
            kinds.push(format!("`{mark}`"));
        }
    }
    if kinds.is_empty() {
        let mut rest: Vec<_> = expected.iter().filter(|t| !t.is_empty()).map(|t| format!("`{t}`")).collect();
        rest.sort();
        rest.truncate(4);
        kinds = rest;
    }
    match kinds.split_last() {
        None => "something else".to_string(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagnostics::SourceMap;

    fn check(text: &str) -> Result<Ast, Box<Finding>> {
        let mut map = SourceMap::new();
        let unit = Unit::from_preprocessed("t.c", text.as_bytes(), &mut map, 0).expect("the text should be taken");
        parse(&unit)
    }

    /// Each shape is tried at its limit; an overflow would end the test process.
    #[test]
    fn the_stack_is_large_enough() {
        let repeat = |n: u32, open: &str, middle: &str, close: &str| {
            format!("{}{middle}{}", open.repeat(n as usize), close.repeat(n as usize))
        };
        let most = MAX_BRACKETS - 2;
        let chain = MAX_DEPTH - 10;
        let accepted = [
            format!("int x = {};", repeat(most, "(", "1", ")")),
            format!("int x = {};", repeat(most, "f(", "1", ")")),
            format!("int x = {};", repeat(most, "a[", "1", "]")),
            format!("int x = {};", repeat(most, "{", "1", "}")),
            format!("int f(void) {}", repeat(most, "{", "", "}")),
            format!("int f(void) {{ {} }}", repeat(most, "while (1) {", "", "}")),
            format!("int f(void) {{ int x = {}; }}", repeat(most / 2 - 2, "({ int y = ", "1", "; y; })")),
            format!("{};", repeat(most, "struct { int b; ", "int x;", "} a;")),
            format!("int {};", repeat(most, "(*", "x", ")")),
            format!("int x = 1{};", repeat(chain, "+1", "", "")),
            format!("int x = {}1;", repeat(chain, "- ", "", "")),
            format!("int f(void) {{ {} ; }}", repeat(chain / 2 - 4, "if (1) ", "", "")),
            format!("int f(void) {{ {} ; }}", repeat(chain / 4 - 4, "if (1) ; else ", "", "")),
            format!("int f(void) {{ {} 1; }}", repeat(chain / 2, "a = ", "", "")),
            format!("int x = a{};", repeat(chain / 2, ".b", "", "")),
            format!("int x = {}1;", repeat(chain / 4, "a ? b : ", "", "")),
            format!("int x = {}1;", repeat(chain / 2, "(int)", "", "")),
            format!("int x = {}1;", repeat(chain / 3, "sizeof ", "", "")),
            format!("int f(void) {{ {} ; }}", repeat(chain / 3, "l: ", "", "")),
            format!("int x = {};", repeat(most / 2, "(int){(", "1", ")}")),
        ];
        for text in accepted {
            let start = &text[..text.len().min(40)];
            if let Err(finding) = check(&text) {
                panic!("{start}: {}", finding.message);
            }
        }
    }

    #[test]
    fn what_is_too_deep_is_refused() {
        let refused = [
            format!("int x = {}1{};", "(".repeat(10_000), ")".repeat(10_000)),
            format!("int x = {}1;", "-".repeat(100_000)),
            format!("int x = 1{};", "+1".repeat(100_000)),
            format!("int f(void) {}", "{".repeat(100_000)),
            format!("int f(void) {{ {}; }}", "if (1) ; else ".repeat(100_000)),
            format!("int f(void) {{ {}; }}", "if (1) { } else ".repeat(100_000)),
            format!("{}1{} x;", "typeof((".repeat(100), "))".repeat(100)),
            format!("int x = {} 1 {};", "sizeof(struct { int a[".repeat(50), "]; })".repeat(50)),
        ];
        for text in refused {
            let finding = check(&text).expect_err("the text should be refused");
            assert_eq!(finding.rule, Rule::Unsupported, "{}", finding.message);
            assert!(finding.message.contains("nested"), "{}", finding.message);
        }
    }
}
