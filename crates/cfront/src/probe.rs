//! Probes: calls that a native run makes to tell what it does, put into the user's own text.
//!
//! The program model says where something happens; the text says whether a call can stand there. So [`Sites`] reads
//! the files once more and keeps, from the syntax tree, the places where a statement stands: in a list between braces,
//! where a call goes before it, or alone as the body of an `if` or a loop, where both go between new braces. Nothing
//! ever adds or removes a line, so `__LINE__` and the compiler's messages stay right.
//!
//! ```text
//! if (x) return y;          becomes   if (x) { plumb_count(3u); return y; }
//! while (i < n) i++;        becomes   while (plumb_row(0u, 1u, …), i < n) i++;          (at the loop's head)
//! ```
//!
//! *Guarantee.* A probe is inserted where it was asked for or refused with the reason: inside a macro's expansion, in
//! an included file, in the head of a statement. What a probe reads must not change anything; the caller sees to it.
//!
//! The calls are those of the runtime of native runs, which also declares them.

use crate::edit::{Edit, Refusal, apply};
use crate::parse::{on_big_stack, parse};
use crate::preprocess::{self, EnvironmentError, Options, Unit, call_end, tokens};
use diagnostics::{FileId, Finding, Place, SourceMap, Span};
use ir::{FloatKind, IntKind};
use lang_c::ast::*;
use lang_c::span::{Node, Span as NodeSpan};
use lang_c::visit::{self, Visit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Where a probe is wanted. Spans are those of the program model, or any span inside the wanted statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// Just before the statement or declaration.
    Before(Span),
    /// Each time the loop with this span is about to look at its condition; at the start of the body if it has none
    /// or looks at it last.
    LoopHead(Span),
    /// The start of the body of the function that contains the span.
    FunctionStart(Span),
    /// Around what the `if`, loop or `switch` that begins with this span decides by.
    Decision(Span),
}

/// How a recorded value becomes cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    Int(IntKind),
    Float(FloatKind),
}

/// What a probe does. Texts are C expressions in scope at the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Records a row.
    Row { point: u32, values: Vec<(String, ValueKind)> },
    /// Counts up.
    Count { counter: u32 },
    /// Ends the run as one that does not count unless the condition holds.
    Assume { condition: String },
    /// A call of the caller's own.
    Code { text: String },
    /// At a [`Position::Decision`] that is true or false: counts this one up if false, the next one if true.
    Outcome { counter: u32 },
    /// At the [`Position::Decision`] of a `switch`: records its value as a row of one `long long`.
    Selected { point: u32 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    pub position: Position,
    pub action: Action,
}

impl Action {
    /// What goes around a decision: it is evaluated once, and what it gives is passed on.
    fn around(&self) -> Option<(String, String)> {
        match self {
            Action::Outcome { counter } => Some((
                "({ int plumb_went = ((".to_string(),
                format!(") != 0); plumb_count({counter}u + (unsigned)plumb_went); plumb_went; }})"),
            )),
            // The sum has the promoted type that a `switch` decides in.
            Action::Selected { point } => Some((
                "({ __auto_type plumb_value = 0 + (".to_string(),
                format!(
                    "); plumb_row({point}u, 1u, (const unsigned long long[]){{(unsigned long long)plumb_value}}); plumb_value; }})"
                ),
            )),
            _ => None,
        }
    }

    /// The call, as an expression on one line.
    fn code(&self) -> String {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self {
            Action::Count { counter } => format!("plumb_count({counter}u)"),
            Action::Code { text } => one_line(text),
            Action::Outcome { .. } | Action::Selected { .. } => {
                unreachable!("what goes around a decision should not be asked for as a call")
            }
            Action::Assume { condition } => format!("plumb_assume(({}) ? 1 : 0)", one_line(condition)),
            Action::Row { point, values } if values.is_empty() => format!("plumb_row({point}u, 0u, 0)"),
            Action::Row { point, values } => {
                let mut cells = Vec::new();
                for (text, kind) in values {
                    let text = one_line(text);
                    match kind {
                        ValueKind::Float(_) => cells.push(format!("plumb_bits((double)({text}))")),
                        ValueKind::Int(kind) => {
                            cells.push(format!("(unsigned long long)({text})"));
                            if kind.bytes() == 16 {
                                cells.push(format!("(unsigned long long)((plumb_u128)({text}) >> 64)"));
                            }
                        }
                    }
                }
                let count = cells.len();
                format!("plumb_row({point}u, {count}u, (const unsigned long long[]){{{}}})", cells.join(", "))
            }
        }
    }
}

/// Why a probe was not inserted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProbeRefusal {
    /// The text cannot be edited there.
    Text(Refusal),
    /// The place is in this included file; only the program's own units are recompiled.
    Included(String),
    /// No statement (or loop, or function) stands there.
    Nothing(&'static str),
    /// The place is in the head of a statement, such as the step of a `for`.
    InHead,
}

impl std::fmt::Display for ProbeRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProbeRefusal::Text(refusal) => write!(f, "the place cannot be observed: {refusal}"),
            ProbeRefusal::Included(path) => {
                write!(f, "the place cannot be observed: it is in the included file {path}")
            }
            ProbeRefusal::Nothing(what) => write!(f, "no {what} stands there"),
            ProbeRefusal::InHead => {
                f.write_str("the place is in the head of a statement, where no statement can be added")
            }
        }
    }
}

impl std::error::Error for ProbeRefusal {}

/// Why the files could not be read.
#[derive(Clone, Debug)]
pub enum SitesFailure {
    Program(Vec<Finding>),
    Environment(EnvironmentError),
}

/// What stands at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing of it runs before its start: an expression, a jump, a declaration.
    Simple,
    Compound,
    /// The statement behind the label is a site of its own and begins here.
    Labeled {
        inner: u32,
    },
    /// `if`, `switch`.
    Branch {
        decision: Option<Span>,
    },
    Loop {
        /// What is looked at before each round.
        condition: Option<Span>,
        /// The same, or what is looked at after each round.
        decision: Option<Span>,
        body: u32,
    },
}

#[derive(Clone, Copy, Debug)]
struct Site {
    span: Span,
    kind: Kind,
    /// Among others between braces.
    listed: bool,
}

/// The places of a program where probes can stand.
#[derive(Debug)]
pub struct Sites {
    sources: SourceMap,
    /// The path of each unit, as given.
    units: Vec<String>,
    /// Where each unit begins in the program text.
    bases: Vec<u32>,
    /// Ascending by start; an outer site comes before those inside it.
    sites: Vec<Site>,
    /// Whole function, and its body.
    functions: Vec<(Span, Span)>,
    /// Where tokens of the program text begin, ascending.
    tokens: Vec<u32>,
    /// The macro calls of the units' own files: file and offset of the name, and the end of the call.
    calls: BTreeMap<(FileId, usize), usize>,
}

/// The changed texts, and which probes could not be inserted.
#[derive(Clone, Debug)]
pub struct Probed {
    /// By index of the unit; units without probes are missing.
    pub texts: BTreeMap<usize, String>,
    /// Index of the probe, and why.
    pub refused: Vec<(usize, ProbeRefusal)>,
}

impl Sites {
    /// Reads the files that the program was loaded from, with the same options, so that spans mean the same.
    pub fn read(paths: &[PathBuf], options: &Options) -> Result<Sites, SitesFailure> {
        let mut sites = Sites {
            sources: SourceMap::new(),
            units: Vec::new(),
            bases: Vec::new(),
            sites: Vec::new(),
            functions: Vec::new(),
            tokens: Vec::new(),
            calls: BTreeMap::new(),
        };
        let mut base = 0;
        for path in paths {
            let unit = match preprocess::preprocess(path, options, &mut sites.sources, base) {
                Ok(unit) => unit,
                Err(preprocess::Failure::Program { findings, .. }) => return Err(SitesFailure::Program(findings)),
                Err(preprocess::Failure::Environment(error)) => return Err(SitesFailure::Environment(error)),
            };
            base = unit.end();
            sites.add(&unit)?;
        }
        Ok(sites)
    }

    fn add(&mut self, unit: &Unit) -> Result<(), SitesFailure> {
        let tree = parse(unit).map_err(|finding| SitesFailure::Program(vec![*finding]))?;
        let (sites, functions) = on_big_stack(|| {
            let mut collector = Collector { unit, sites: Vec::new(), functions: Vec::new(), listed: false };
            collector.visit_translation_unit(&tree);
            (collector.sites, collector.functions)
        });
        let first = self.sites.len() as u32;
        self.sites.extend(sites.into_iter().map(|mut site| {
            match &mut site.kind {
                Kind::Labeled { inner } => *inner += first,
                Kind::Loop { body, .. } => *body += first,
                _ => {}
            }
            site
        }));
        self.functions.extend(functions);
        self.units.push(unit.path.clone());
        self.bases.push(unit.base);
        self.tokens.extend(tokens(unit.text.as_bytes()).iter().map(|token| unit.base + token.start));
        self.find_calls(unit);
        Ok(())
    }

    /// Notes the macro calls that the unit's own file makes.
    fn find_calls(&mut self, unit: &Unit) {
        let first = self.tokens.partition_point(|at| *at < unit.base);
        let mut starts = BTreeSet::new();
        for &at in &self.tokens[first..] {
            let token = Span::new(at, at + 1);
            if self.sources.in_macro(token)
                && let Some(region) = self.sources.used(token)
                && self.sources.file(region.start.file).path == unit.path
            {
                starts.insert(region.start);
            }
        }
        for place in starts {
            if let Some((file, name)) = self.file_offset(place) {
                let text = self.sources.file(file).text.as_deref().unwrap_or_default();
                self.calls.insert((file, name), call_end(text.as_bytes(), name, None));
            }
        }
    }

    fn file_offset(&self, place: Place) -> Option<(FileId, usize)> {
        Some((place.file, self.sources.file(place.file).offset(place.line, place.column)?))
    }

    /// The macro call whose expansion the token at this offset is in, as text of the macro or as its argument.
    fn call_of(&self, at: u32) -> Option<(FileId, usize)> {
        let token = Span::new(at, at + 1);
        if self.sources.in_macro(token) {
            return self.file_offset(self.sources.used(token)?.start);
        }
        let (file, offset) = self.file_offset(self.sources.written(token)?.start)?;
        // Calls noted here are outermost, so only the last to begin can contain the token.
        let (&call, &end) = self.calls.range(..=(file, offset)).next_back()?;
        (call.0 == file && offset < end).then_some(call)
    }

    /// Refuses a boundary that lies within a macro call: between the token that begins at `at` and the one before it.
    fn check_boundary(&self, at: u32) -> Result<(), ProbeRefusal> {
        let index = self.tokens.partition_point(|start| *start < at);
        let (Some(before), Some(after)) = (index.checked_sub(1).map(|i| self.tokens[i]), self.tokens.get(index)) else {
            return Ok(());
        };
        match (self.call_of(before), self.call_of(*after)) {
            (Some(left), Some(right)) if left == right => {
                let place = self.sources.describe(Span::new(*after, *after + 1));
                Err(ProbeRefusal::Text(Refusal::PartOfMacro(place)))
            }
            _ => Ok(()),
        }
    }

    /// Where the spans of this reading stand in the files.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The index of the unit that a span is in.
    pub fn unit_of(&self, span: Span) -> Option<usize> {
        if span.is_none() { None } else { self.bases.partition_point(|base| *base <= span.lo).checked_sub(1) }
    }

    /// The text of a span as the user wrote it, if it stands together in one file.
    pub fn text(&self, span: Span) -> Result<&str, Refusal> {
        let (file, range) = crate::edit::source_range(&self.sources, span, crate::edit::InMacro::Refuse)?;
        Ok(&self.sources.file(file).text.as_deref().unwrap_or_default()[range])
    }

    /// Inserts the probes. Several at one position run in the order given.
    pub fn insert(&self, probes: &[Probe]) -> Probed {
        let mut refused = Vec::new();
        let mut at: BTreeMap<Anchor, Vec<(usize, String)>> = BTreeMap::new();
        let mut wrapped = Vec::new();
        for (index, probe) in probes.iter().enumerate() {
            if let Some((before, after)) = probe.action.around() {
                match self.wrap(probe.position, before, after) {
                    Ok(edits) => wrapped.extend(edits),
                    Err(why) => refused.push((index, why)),
                }
                continue;
            }
            match self.anchor(probe.position) {
                Ok(anchor) => at.entry(anchor).or_default().push((index, probe.action.code())),
                Err(why) => refused.push((index, why)),
            }
        }
        let (mut closing, mut opening) = (Vec::new(), Vec::new());
        for (anchor, codes) in at {
            let joined = |end: &str| codes.iter().map(|(_, code)| format!("{code}{end} ")).collect::<String>();
            let made = match anchor {
                Anchor::Before(span) => self.edit_before(span.into(), joined(";")),
                Anchor::Inside(span) => {
                    let brace = Span::new(span.lo, span.lo + 1);
                    self.edit_after(brace, format!(" {}", joined(";").trim_end()))
                }
                Anchor::Around(span) => {
                    let before = self.edit_before(span.into(), format!("{{ {}", joined(";")));
                    before.and_then(|before| {
                        closing.push(self.edit_after(span.into(), " }".to_string())?);
                        Ok(before)
                    })
                }
                Anchor::Condition(span) => self.edit_before(span.into(), joined(",")),
            };
            match made {
                Ok(edit) => opening.push(edit),
                Err(why) => refused.extend(codes.iter().map(|(index, _)| (*index, why.clone()))),
            }
        }
        refused.sort_by_key(|(index, _)| *index);
        // Where a statement ends and the next begins at one offset, the brace closes first.
        closing.extend(opening);
        closing.extend(wrapped);
        let texts =
            apply(&self.sources, &closing).expect("insertions should not overlap, because they replace nothing");
        let unit = |path: &str| self.units.iter().position(|unit| unit == path);
        let texts = texts.into_iter().filter_map(|(file, text)| Some((unit(&self.sources.file(file).path)?, text)));
        Probed { texts: texts.collect(), refused }
    }

    /// Puts text around what a statement decides by.
    fn wrap(&self, position: Position, before: String, after: String) -> Result<[Edit; 2], ProbeRefusal> {
        let Position::Decision(span) = position else { return Err(ProbeRefusal::Nothing("decision")) };
        let decides =
            |site: &Site| site.span.lo == span.lo && matches!(site.kind, Kind::Branch { .. } | Kind::Loop { .. });
        let site = self.innermost(span, decides).ok_or(ProbeRefusal::Nothing("decision"))?;
        match site.kind {
            Kind::Branch { decision: Some(decision) } | Kind::Loop { decision: Some(decision), .. } => {
                Ok([self.edit_before(decision, before)?, self.edit_after(decision, after)?])
            }
            _ => Err(ProbeRefusal::Nothing("decision")),
        }
    }

    fn edit_before(&self, span: Span, text: String) -> Result<Edit, ProbeRefusal> {
        self.check_boundary(span.lo)?;
        self.own(Edit::before(&self.sources, span, text))
    }

    fn edit_after(&self, span: Span, text: String) -> Result<Edit, ProbeRefusal> {
        self.check_boundary(span.hi)?;
        self.own(Edit::after(&self.sources, span, text))
    }

    /// Only the units' own files are compiled from changed text.
    fn own(&self, edit: Result<Edit, Refusal>) -> Result<Edit, ProbeRefusal> {
        let edit = edit.map_err(ProbeRefusal::Text)?;
        let path = &self.sources.file(edit.file).path;
        if self.units.contains(path) { Ok(edit) } else { Err(ProbeRefusal::Included(path.clone())) }
    }

    fn anchor(&self, position: Position) -> Result<Anchor, ProbeRefusal> {
        match position {
            Position::FunctionStart(span) => {
                let function = self.functions.iter().find(|(whole, _)| whole.contains(span));
                function.map(|(_, body)| Anchor::Inside((*body).into())).ok_or(ProbeRefusal::Nothing("function"))
            }
            Position::Before(span) => {
                let site = self.innermost(span, |_| true).ok_or(ProbeRefusal::Nothing("statement"))?;
                let has_head = !matches!(site.kind, Kind::Simple);
                if has_head && site.span.lo != span.lo { Err(ProbeRefusal::InHead) } else { Ok(self.before(site)) }
            }
            Position::LoopHead(span) => {
                let is_loop = |site: &Site| matches!(site.kind, Kind::Loop { .. }) && site.span.lo == span.lo;
                let site = self.innermost(span, is_loop).ok_or(ProbeRefusal::Nothing("loop"))?;
                match site.kind {
                    Kind::Loop { condition: Some(condition), .. } => Ok(Anchor::Condition(condition.into())),
                    Kind::Loop { condition: None, body, .. } => Ok(self.before(&self.sites[body as usize])),
                    _ => Err(ProbeRefusal::Nothing("loop")),
                }
            }
            Position::Decision(_) => Err(ProbeRefusal::InHead),
        }
    }

    fn before(&self, site: &Site) -> Anchor {
        match site.kind {
            // Control may come in through the label, so the probe stands behind it.
            Kind::Labeled { inner } => self.before(&self.sites[inner as usize]),
            _ if site.listed => Anchor::Before(site.span.into()),
            Kind::Compound => Anchor::Inside(site.span.into()),
            _ => Anchor::Around(site.span.into()),
        }
    }

    fn innermost(&self, span: Span, accept: impl Fn(&Site) -> bool) -> Option<&Site> {
        if span.is_none() {
            return None;
        }
        // Sites nest, so of those that contain the span the last to begin is the innermost.
        let deadline = self.sites.partition_point(|site| site.span.lo <= span.lo);
        self.sites[..deadline].iter().rev().find(|site| site.span.contains(span) && accept(site))
    }
}

/// Where code goes, ordered so that insertions at one offset come out right: the start of a body before its first
/// statement, an outer pair of braces before an inner one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Anchor {
    Inside(Extent),
    Before(Extent),
    Around(Extent),
    Condition(Extent),
}

/// A span that orders by start, the larger one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Extent {
    lo: u32,
    hi: std::cmp::Reverse<u32>,
}

impl From<Span> for Extent {
    fn from(span: Span) -> Extent {
        Extent { lo: span.lo, hi: std::cmp::Reverse(span.hi) }
    }
}

impl From<Extent> for Span {
    fn from(extent: Extent) -> Span {
        Span::new(extent.lo, extent.hi.0)
    }
}

struct Collector<'u> {
    unit: &'u Unit,
    sites: Vec<Site>,
    functions: Vec<(Span, Span)>,
    /// Whether the statement visited next stands in a list.
    listed: bool,
}

impl Collector<'_> {
    /// Node spans may end in white space, which is not theirs.
    fn span(&self, span: &NodeSpan) -> Span {
        let text = &self.unit.text.as_bytes()[span.start..span.end];
        let blank = text.iter().rev().take_while(|b| b.is_ascii_whitespace()).count();
        self.unit.span(NodeSpan::span(span.start, span.end - blank))
    }

    fn add(&mut self, span: &NodeSpan, kind: Kind, listed: bool) -> usize {
        self.sites.push(Site { span: self.span(span), kind, listed });
        self.sites.len() - 1
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_function_definition(&mut self, node: &'ast FunctionDefinition, span: &'ast NodeSpan) {
        self.functions.push((self.span(span), self.span(&node.statement.span)));
        visit::visit_function_definition(self, node, span);
    }

    fn visit_block_item(&mut self, item: &'ast BlockItem, span: &'ast NodeSpan) {
        match item {
            BlockItem::Declaration(_) => {
                self.add(span, Kind::Simple, true);
                visit::visit_block_item(self, item, span);
            }
            BlockItem::Statement(_) => {
                self.listed = true;
                visit::visit_block_item(self, item, span);
            }
            BlockItem::StaticAssert(_) => {}
        }
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast NodeSpan) {
        let listed = std::mem::take(&mut self.listed);
        let kind = match statement {
            Statement::Compound(_) => Kind::Compound,
            Statement::If(_) | Statement::Switch(_) => Kind::Branch { decision: None },
            _ => Kind::Simple,
        };
        let index = self.add(span, kind, listed);
        visit::visit_statement(self, statement, span);
        // The site of a part is found by its start: parts are visited by now.
        let part = |this: &Self, part: &Node<Statement>| {
            let start = this.unit.base + part.span.start as u32;
            let found = this.sites[index + 1..].iter().position(|site| site.span.lo == start);
            (index + 1 + found.expect("a part of a statement should be a site, because it was visited")) as u32
        };
        let condition = |this: &Self, node: &Node<Expression>| Some(this.span(&node.span));
        self.sites[index].kind = match statement {
            Statement::Labeled(node) => Kind::Labeled { inner: part(self, &node.node.statement) },
            Statement::If(node) => Kind::Branch { decision: condition(self, &node.node.condition) },
            Statement::Switch(node) => Kind::Branch { decision: condition(self, &node.node.expression) },
            Statement::While(node) => {
                let decision = condition(self, &node.node.expression);
                Kind::Loop { condition: decision, decision, body: part(self, &node.node.statement) }
            }
            Statement::DoWhile(node) => Kind::Loop {
                condition: None,
                decision: condition(self, &node.node.expression),
                body: part(self, &node.node.statement),
            },
            Statement::For(node) => {
                let decision = node.node.condition.as_ref().and_then(|c| condition(self, c));
                Kind::Loop { condition: decision, decision, body: part(self, &node.node.statement) }
            }
            _ => return,
        };
    }
}
