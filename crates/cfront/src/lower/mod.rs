//! From the syntax tree of one translation unit to the program model: type checking and lowering in one walk.
//!
//! Phases, each a file named for what it yields:
//!
//! - [`scope`]: names and tags, what they stand for, and the symbols of the file.
//! - [`declarator`]: types from specifiers and declarators; [`record`] for structs, unions and enumerations.
//! - [`declaration`]: variables, functions and typedefs, at file scope and in blocks; [`function`] for definitions,
//!   [`nested`] for those inside others.
//! - [`attribute`]: attributes that change what a program does; [`cleanup`]: calls where a scope is left.
//! - [`initializer`]: initialiser lists, flattened; [`initial_value`]: the assignments or items they become.
//! - [`expression`], [`assign`], [`lvalue`], [`call`], [`builtin`], [`literal`]: values. Side effects become statements
//!   emitted into the open block, in C's order and left to right where C leaves the order open.
//! - [`order`]: operands keep their values while later ones run; [`sequence`]: which of them C leaves without an order.
//! - [`parts`]: vectors and complex numbers as records; [`vector`] and [`complex`]: what is done to their parts.
//! - [`convert`]: promotions, usual arithmetic conversions, conversions as if by assignment.
//! - [`constant`]: values of constant expressions.
//! - [`statement`]: control flow; [`jump`]: computed `goto`, `setjmp`; [`assembler`]: assembler that does nothing.
//! - [`convention`]: `assert`, `__VERIFIER_*`, `vassume`, `vtrace`.
//! - [`describe`]: types as C writes them, for messages.
//!
//! An error in an expression abandons the statement it stands in and nothing else, so one run reports many. What C
//! can say and the model cannot becomes an `Unsupported` statement in the same way.
//!
//! *Guarantee*: a program that was lowered without an error finding has every conversion explicit and every operator
//! applied to operands of the types the model asks for. *Departure from C*: a bit-field wider than `int` has its
//! declared type in arithmetic (as Clang does; GCC uses a type of the field's own width).

mod array_type;
mod assembler;
mod assign;
mod atomic;
mod attribute;
mod builtin;
mod call;
mod cleanup;
mod complex;
mod conditional;
mod constant;
mod convention;
mod convert;
mod declaration;
mod declarator;
mod describe;
mod expression;
mod function;
mod initial_value;
mod initializer;
mod jump;
mod literal;
mod lvalue;
mod meaning;
mod nested;
mod order;
mod parts;
mod prototypes;
mod record;
mod scope;
mod sequence;
mod statement;
mod vector;
mod width;

use crate::link::Linker;
use crate::parse::{Declarations, invented};
pub(crate) use attribute::changes_meaning;
pub(crate) use convention::claim_in_bodies;
pub use describe::describe as describe_type;

use diagnostics::{Finding, Rule, Severity, Span};
use function::Frame;
use hashbrown::HashMap;
use ir::{Expr, FunctionId, GlobalId, LocalId, Program, RecordId, Stmt, StmtKind, TypeId, Types};
use lang_c::ast::{ExternalDeclaration, FunctionDefinition, Identifier};
use lang_c::span::Node;
use scope::{Entity, Symbol, SymbolId, Table, Tag};
use std::collections::{BTreeSet, HashSet};

/// What the lowering reads of a unit besides its tree.
pub struct UnitSource<'u> {
    /// The number of the unit in the program.
    pub index: u32,
    /// Where the unit's text starts in the program text.
    pub base: u32,
    /// The text the tree's offsets point into.
    pub text: &'u str,
    /// The same text with its original bytes, where the parser was given filler for those above 0x7f.
    pub bytes: &'u [u8],
    /// Function-like macros that were kept as calls.
    pub kept_macros: &'u HashSet<String>,
    /// The functions that any unit defines for all of them.
    pub shared: &'u HashSet<&'u str>,
    /// The functions that this unit defines.
    pub own: &'u HashSet<&'u str>,
    /// Functions of any unit that may do more than print or end the run.
    pub acting: &'u HashSet<&'u str>,
    /// The names that the text spells with letters that the program model does not have, as the tree has them.
    pub mangled: &'u HashSet<String>,
    /// The bound on the alignment of members from each place on, as `#pragma pack` sets it.
    pub packs: Vec<(u32, Option<u64>)>,
    /// Which operands come first.
    pub order: crate::order::Order,
    /// What functions are compiled with from each place on, if it has no model.
    pub compiled_with: Vec<(u32, Option<String>)>,
}

impl<'u> UnitSource<'u> {
    /// Whether the name of a function stands for one that the program defines.
    pub fn defines(&self, name: &str) -> bool {
        self.own.contains(name) || self.shared.contains(name)
    }

    /// The bound on alignment where a record ends, which is where it is laid out.
    pub fn pack_limit(&self, record: lang_c::span::Span) -> Option<u64> {
        let end = self.base + record.end as u32;
        let before = self.packs.partition_point(|(at, _)| *at < end);
        before.checked_sub(1).and_then(|index| self.packs[index].1)
    }

    /// A name of the tree, which goes when it is lowered, in the text, which stays.
    pub fn name(&self, node: &Node<Identifier>) -> &'u str {
        let written = self.text.get(node.span.start..node.span.end).unwrap_or_default();
        if written == node.node.name {
            return written;
        }
        let mangled = || self.mangled.get(&node.node.name).map(String::as_str);
        invented::find(&node.node.name).or_else(mangled).unwrap_or(written)
    }

    pub fn span(&self, span: lang_c::span::Span) -> Span {
        if span.is_none() || span.start > span.end {
            return Span::NONE;
        }
        Span::new(self.base + span.start as u32, self.base + span.end as u32)
    }
}

/// Why the lowering of an expression stopped.
#[derive(Clone, Debug)]
enum Stop {
    /// A finding says it.
    Reported,
    /// The construct has no model.
    Unsupported(String),
}

type Lowered<T> = Result<T, Stop>;

/// After this many errors in the whole program the rest is not reported: they are consequences most of the time.
const MAX_ERRORS: usize = 20;

/// Expressions higher than this are cut by temporaries, so that walks over the model need no deep stack.
const MAX_EXPR_HEIGHT: u32 = 200;

/// Statements nested deeper than this are refused, for the same reason.
const MAX_STMT_DEPTH: u32 = 400;

struct Lowerer<'u, 'p> {
    src: UnitSource<'u>,
    program: &'p mut Program,
    link: &'p mut Linker,
    findings: &'p mut Vec<Finding>,
    names: Table<'u, Entity>,
    tags: Table<'u, Tag>,
    symbols: Vec<Symbol<'u>>,
    /// What the tree has no place for although it means something.
    lost: Vec<Finding>,
    /// Functions and variables with linkage, also those that a block declares.
    linked: HashMap<&'u str, SymbolId>,
    /// The types of which an atomic member, or a pointer to an atomic object, is declared.
    atomic_types: BTreeSet<ir::TypeId>,
    /// Whether what is lowered declares a parameter.
    in_parameter: bool,
    /// What is being lowered is one atomic operation already.
    inside_atomic: bool,
    /// Placeholders for types without a model, and what they are.
    unsupported: HashMap<RecordId, &'static str>,
    /// Records that stand for vectors and complex numbers.
    tuples: parts::Tuples,
    /// The integer types that represent the enumerations, by number.
    enumerations: Vec<ir::IntKind>,
    /// Function definitions of system headers, lowered when first used.
    wanted: Vec<SymbolId>,
    /// Functions defined inside others: their texts as the parser found them, by where their declarators begin, and what
    /// became of them.
    nested_definitions: HashMap<usize, Node<FunctionDefinition>>,
    nested: Vec<nested::NestedFunction>,
    /// What attributes say about functions and variables.
    marks: HashMap<SymbolId, attribute::Marks>,
    va_list: Option<TypeId>,
    frame: Frame<'u>,
    /// The source expression behind the length of an array of variable length.
    lengths: HashMap<LocalId, Expr>,
    /// Nesting of operands that are not evaluated (`sizeof`).
    unevaluated: u32,
    /// Whether a constant is asked for (static initialisers): nothing may be emitted.
    constant_only: bool,
    /// The height of the expression lowered last.
    height: u32,
    depth: u32,
    /// Whether errors are kept to oneself, while something is tried.
    quiet: bool,
}

/// Lowers one unit into the program. Its declarations are parsed one after the other and dropped when they are lowered,
/// so that no tree of the whole unit ever stands in memory; a syntax error ends it.
pub fn lower_unit(
    declarations: &mut Declarations<'_>,
    src: UnitSource<'_>,
    program: &mut Program,
    link: &mut Linker,
    findings: &mut Vec<Finding>,
) -> Result<(), Box<Finding>> {
    let void = program.types.void();
    let mut lowerer = Lowerer {
        src,
        program,
        link,
        findings,
        names: Table::default(),
        tags: Table::default(),
        symbols: Vec::new(),
        lost: Vec::new(),
        linked: HashMap::new(),
        atomic_types: BTreeSet::new(),
        in_parameter: false,
        inside_atomic: false,
        unsupported: HashMap::new(),
        tuples: parts::Tuples::default(),
        enumerations: Vec::new(),
        wanted: Vec::new(),
        nested_definitions: HashMap::new(),
        nested: Vec::new(),
        marks: HashMap::new(),
        va_list: None,
        frame: Frame::new(void),
        lengths: HashMap::new(),
        unevaluated: 0,
        constant_only: false,
        height: 0,
        depth: 0,
        quiet: false,
    };
    while let Some(node) = declarations.next()? {
        let whole = node.span;
        lowerer.take_lost(declarations, &node);
        let nested = declarations.take_nested();
        lowerer.nested_definitions.extend(nested.map(|node| (node.node.declarator.span.start, node)));
        let defined = match &node.node {
            ExternalDeclaration::FunctionDefinition(definition) => {
                crate::parse::declared_name(&definition.node.declarator.node).map(|name| lowerer.src.name(name))
            }
            _ => None,
        };
        let done = match node.node {
            ExternalDeclaration::Declaration(declaration) => lowerer.file_declaration(&declaration),
            ExternalDeclaration::StaticAssert(assertion) => lowerer.static_assert(&assertion),
            ExternalDeclaration::FunctionDefinition(definition) => lowerer.function_definition(definition),
        };
        if let Err(Stop::Unsupported(what)) = done {
            let span = lowerer.src.span(whole);
            lowerer.without_model(what, span);
            if let Some(name) = defined {
                lowerer.names.declare(name, Entity::Unsupported("a function without a model"));
            }
        }
    }
    lowerer.lower_wanted();
    lowerer.finish_tentative();
    Ok(())
}

impl<'u> Lowerer<'u, '_> {
    fn types(&mut self) -> &mut Types {
        &mut self.program.types
    }

    fn report(&mut self, finding: Finding) {
        if self.quiet {
            return;
        }
        if finding.severity == Severity::Error
            && self.findings.iter().filter(|f| f.severity == Severity::Error).count() >= MAX_ERRORS
        {
            return;
        }
        self.findings.push(finding);
    }

    /// Reports an error of the type system and stops.
    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.report(Finding::new(Rule::TypeError, span, message));
        Err(Stop::Reported)
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        let mut finding = Finding::new(Rule::TypeError, span, message);
        finding.severity = Severity::Warning;
        if self.unevaluated == 0 {
            self.report(finding);
        }
    }

    /// Takes over what the parser lost. Outside functions it is reported; inside, the function says so itself. System
    /// headers may lose what they like, if nobody uses it.
    fn take_lost(&mut self, declarations: &mut Declarations<'_>, node: &Node<ExternalDeclaration>) {
        let is_function = matches!(node.node, ExternalDeclaration::FunctionDefinition(_));
        for finding in declarations.take_lost() {
            let inside = is_function && self.src.span(node.span).contains(finding.span);
            if inside {
                self.lost.push(finding);
            } else if !self.in_system_header(finding.span) {
                self.report(finding);
            }
        }
    }

    fn emit(&mut self, kind: StmtKind, span: Span) {
        self.frame.stmts.push(Stmt::new(kind, span));
    }

    /// Runs `work` with an empty statement list and gives back what it emitted.
    fn buffered<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Vec<Stmt>) {
        let outer = std::mem::take(&mut self.frame.stmts);
        let value = work(self);
        let mut inner = std::mem::replace(&mut self.frame.stmts, outer);
        // Most blocks are short, and a vector that grows has room for four.
        inner.shrink_to_fit();
        (value, inner)
    }

    /// Runs `work` and forgets what it emitted: for operands that are not evaluated.
    fn without_evaluation<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.unevaluated += 1;
        let (value, _) = self.buffered(work);
        self.unevaluated -= 1;
        value
    }

    /// Runs `work` without reporting what goes wrong in it.
    fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.quiet, true);
        let value = work(self);
        self.quiet = before;
        value
    }

    fn source_text(&self, span: lang_c::span::Span) -> &'u str {
        self.src.text.get(span.start..span.end).unwrap_or("").trim()
    }

    fn function_of(&mut self, symbol: SymbolId) -> FunctionId {
        self.use_function(symbol)
    }

    fn global_of(&mut self, symbol: SymbolId) -> GlobalId {
        self.use_global(symbol)
    }
}
