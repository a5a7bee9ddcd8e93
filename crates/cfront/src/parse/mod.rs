//! From the text of a unit to its syntax tree.
//!
//! The tree is that of `lang-c`, whose types are public and stable; its parser is not used, see
//! `docs/decisions/parser.md`. It serves as the slow twin of this one in tests.
//!
//! | phase | file |
//! |---|---|
//! | tokens, names by number | `tokens.rs`, `names.rs` |
//! | brackets paired, nesting measured | `shape.rs` |
//! | the functions that are defined | `definitions.rs` |
//! | the grammar, one file per kind of node | `declaration.rs`, `specifier.rs`, `record.rs`, `declarator.rs`, `initializer.rs`, `statement.rs`, `expression.rs`, `number.rs`, `extension.rs` |
//! | errors for people | `refusal.rs` |
//!
//! The text is refused when it is nested deeper than anybody writes, and the parser runs on a thread with a large stack.
//! Dropping or walking a deep tree recurses as well: [`Ast`] drops itself on such a stack, and whoever walks a tree does
//! so inside [`on_big_stack`].
//!
//! *Language*: C11 with the GNU extensions that real programs and headers use. What the tree has no node for is spelled
//! with [`invented`] names, or, where it cannot be expressed, reported in [`Ast::unsupported`]; noise is dropped.
//! Departures from the grammar, each to take more programs: a label may stand before a declaration or a `}`, the left
//! side of an assignment may be any expression (the lowering has the better message), `int` may be left out where old
//! programs do.
//!
//! *Facts about the tree*: parentheses leave no node, but the node within them has their span; spans are byte offsets into
//! `Unit::text`; what the program does not spell has a span without extent, or that of what it stands for.
//!
//! *Cost*: linear in the text.

mod declaration;
mod declarator;
mod definitions;
mod expression;
mod extension;
mod initializer;
pub mod invented;
mod names;
mod number;
mod parser;
mod record;
mod refusal;
mod shape;
mod specifier;
mod statement;
mod tokens;

use std::cell::Cell;
use std::ops::Deref;

use diagnostics::{Finding, Rule, Span};
use lang_c::ast::{Declarator, DeclaratorKind, ExternalDeclaration, Identifier, TranslationUnit};
use lang_c::span::Node;

use crate::preprocess::Unit;
pub use definitions::Definition;
use parser::Parser;

/// Brackets that may be open at one place. C11 asks for 63 levels; generated code has been seen with 300.
pub const MAX_BRACKETS: u32 = 1000;
/// Bound of the depth of a tree, chains of operators and of `else if` included.
pub const MAX_DEPTH: u32 = 20_000;

/// Enough for the limits above in an unoptimised build, see the test `the_stack_is_large_enough`. Only what is
/// touched becomes real memory.
const STACK: usize = 1 << 30;

/// The syntax tree of one unit.
#[derive(Debug)]
pub struct Ast {
    unit: TranslationUnit,
    /// Constructs that are not in the tree although they mean something. Whoever gives a verdict on this unit has to look
    /// at them.
    pub unsupported: Vec<Finding>,
    deep: bool,
}

impl Deref for Ast {
    type Target = TranslationUnit;

    fn deref(&self) -> &TranslationUnit {
        &self.unit
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
        // In the words of the standard library, which makes a panic of it too: it is no bug, and the command line knows it by them.
        let thread = thread.expect("failed to spawn thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Parses a unit to a tree of the whole.
pub fn parse(unit: &Unit) -> Result<Ast, Box<Finding>> {
    on_big_stack(|| {
        let mut declarations = Declarations::new(unit)?;
        let mut tree = Vec::new();
        while let Some(declaration) = declarations.next()? {
            tree.push(declaration);
        }
        let deep = declarations.parser.shape.depth.value > 500;
        Ok(Ast { unit: TranslationUnit(tree), unsupported: declarations.take_lost().collect(), deep })
    })
}

/// The declarations of a unit, parsed one after the other. Everything here wants to be called [`on_big_stack`].
pub struct Declarations<'u> {
    unit: &'u Unit,
    parser: Parser<'u>,
}

impl<'u> Declarations<'u> {
    /// Cuts the text into tokens and refuses what the stack would not stand.
    pub fn new(unit: &'u Unit) -> Result<Declarations<'u>, Box<Finding>> {
        let whole = Span::new(unit.base, unit.base + unit.text.len() as u32);
        let parser = Parser::new(unit.bytes(whole), &unit.text);
        let shape = &parser.shape;
        let limits = [(shape.brackets, MAX_BRACKETS, "brackets"), (shape.depth, MAX_DEPTH, "operators and statements")];
        for (extreme, limit, what) in limits {
            if extreme.value > limit {
                let message = format!("{what} nested {} deep; at most {limit} are supported", extreme.value);
                let at = unit.base + extreme.at;
                let help = "split the expression or statement into several";
                return Err(Box::new(Finding::new(Rule::Unsupported, Span::new(at, at + 1), message).with_help(help)));
            }
        }
        Ok(Declarations { unit, parser })
    }

    /// The next one; `None` at the end.
    #[allow(
        clippy::should_implement_trait,
        reason = "an iterator would go on after an error, which makes no sense here"
    )]
    pub fn next(&mut self) -> Result<Option<Node<ExternalDeclaration>>, Box<Finding>> {
        let parsed = self.parser.external_declaration();
        parsed.map_err(|refusal| Box::new(refusal::explain(self.unit, &self.parser, refusal)))
    }

    /// What the declarations so far mean and the tree has no place for.
    pub fn take_lost(&mut self) -> impl Iterator<Item = Finding> {
        let lost = std::mem::take(&mut self.parser.lost);
        lost.into_iter().map(|(span, what)| Finding::new(Rule::Unsupported, self.unit.span(span), what))
    }

    /// The functions that the declarations so far define inside others.
    pub fn take_nested(&mut self) -> impl Iterator<Item = Node<lang_c::ast::FunctionDefinition>> {
        std::mem::take(&mut self.parser.nested).into_iter()
    }

    /// The names that are spelled with letters that the program model does not have, as the tree has them.
    pub fn mangled_names(&self) -> impl Iterator<Item = &str> {
        self.parser.names.spelled_out()
    }

    /// The functions that the unit defines, before it is parsed.
    pub fn defined_functions(&self) -> Vec<Definition> {
        definitions::definitions(&self.parser)
    }
}

/// The name that a declarator declares.
pub fn declared_name(declarator: &Declarator) -> Option<&Node<Identifier>> {
    let mut declarator = declarator;
    loop {
        match &declarator.kind.node {
            DeclaratorKind::Identifier(name) => return Some(name),
            DeclaratorKind::Declarator(inner) => declarator = &inner.node,
            DeclaratorKind::Abstract => return None,
        }
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
            format!("{} x;", repeat(most, "typeof(", "1", ")")),
            format!("int x = {};", repeat(most / 3, "sizeof(struct { int a[", "1", "]; })")),
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
        ];
        for text in refused {
            let finding = check(&text).expect_err("the text should be refused");
            assert_eq!(finding.rule, Rule::Unsupported, "{}", finding.message);
            assert!(finding.message.contains("nested"), "{}", finding.message);
        }
    }
}
