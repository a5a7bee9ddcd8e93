//! Where a program can be changed: expressions, statements, and the definitions of constants, each with the text that
//! stands for it.
//!
//! *Invariant*: what has no text of its own in the user's files is no site. An expression that comes out of a macro's
//! body is one site together with all its other expansions, and its text is in the macro's definition.

use super::localize::Scores;
use super::scope::is_test;
use super::text::{self, TextRange};
use cfront::edit::InMacro;
use diagnostics::Span;
use ir::{
    BinaryOp, Block, Callee, Expr, ExprKind, Function, FunctionId, GlobalId, InitValue, LocalKind, LogicalOp, LoopKind,
    Program, Stmt, StmtId, StmtKind, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PlaceId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConstantId(pub u32);

/// An expression node: the statement, which of its expressions, and the way down.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NodeRef {
    pub function: FunctionId,
    pub stmt: StmtId,
    pub slot: u32,
    pub path: Vec<u8>,
}

/// What the value is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    /// Only whether it is zero.
    Truth,
    /// The same, by a comparison with zero that the front end made.
    Test,
    Value,
}

/// How the text spells the expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    Plain,
    /// `x += e`: the value of an assignment that names its target once. Its text is the whole assignment.
    Compound {
        target: TextRange,
        operand: TextRange,
    },
    /// `x++`, `--x`.
    Step {
        target: TextRange,
        minus: bool,
    },
}

/// An expression that can be replaced.
#[derive(Clone, Debug)]
pub struct Site {
    /// One, or all that one text of a macro stands for.
    pub nodes: Vec<NodeRef>,
    /// The first node, with the conversions around it.
    pub expr: Expr,
    pub usage: Usage,
    pub form: Form,
    pub text: TextRange,
    /// The texts of the operands, if the node has a text of its own between them.
    pub children: Vec<Option<TextRange>>,
    /// The operator's symbol in the text.
    pub operator: Option<Range<usize>>,
    /// No parentheses are needed around what is put here.
    pub alone: bool,
    pub at_definition: bool,
    /// A run may come here more than once.
    pub is_repeated: bool,
    /// The node is all of an assigned value, a returned value, an argument or a condition.
    pub is_whole: bool,
    pub score: f64,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Place {
    pub function: FunctionId,
    pub stmt: StmtId,
    /// With its semicolon or closing brace.
    pub text: TextRange,
    /// Whether the text is a statement of its own rather than a part of one.
    pub is_statement: bool,
    /// `break` may stand here.
    pub in_loop_or_switch: bool,
    /// `continue` may stand here.
    pub in_loop: bool,
    /// The last of its block: something may be put behind it.
    pub is_last: bool,
    pub score: f64,
    /// For a connective with side effects: where its symbol stands, and which it is.
    pub connective: Option<(Range<usize>, LogicalOp)>,
}

/// A constant with a definition, or a constant that is no expression of a function.
#[derive(Clone, Debug)]
pub struct Constant {
    pub value: i128,
    /// The definition's value.
    pub text: TextRange,
    pub nodes: Vec<NodeRef>,
    /// Arms of switches, by number.
    pub arms: Vec<(FunctionId, StmtId, usize)>,
    /// Initial values, by number.
    pub items: Vec<(GlobalId, usize)>,
    pub score: f64,
}

/// All that can be changed.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    pub sites: Vec<Site>,
    pub places: Vec<Place>,
    pub constants: Vec<Constant>,
}

impl Sites {
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    pub fn constant(&self, id: ConstantId) -> &Constant {
        &self.constants[id.0 as usize]
    }
}

/// Finds everything that can be changed in statements that have a score.
pub fn find(program: &Program, scores: &Scores) -> Sites {
    let mut finder = Finder {
        program,
        scores,
        sites: Sites::default(),
        expanded: BTreeMap::new(),
        uses: BTreeMap::new(),
        arms: BTreeMap::new(),
        repeated: repeated(program),
    };
    for (id, function, body) in program.defined_functions() {
        let own = program.sources.used(function.span).is_some_and(|r| !program.sources.file(r.start.file).system);
        if own {
            finder.block(id, function, body, Around::default(), None);
        }
    }
    finder.finish_expanded();
    finder.constants();
    finder.sites
}

struct Finder<'p> {
    program: &'p Program,
    scores: &'p Scores,
    sites: Sites,
    /// Nodes that come out of macros, by the text in the definition.
    expanded: BTreeMap<TextRange, Vec<Expanded>>,
    /// Constants that are written as a name.
    uses: BTreeMap<String, Vec<(NodeRef, Option<f64>)>>,
    /// Statements that a run may come to more than once.
    repeated: BTreeSet<(FunctionId, StmtId)>,
    /// Arms of switches, by the text of the case.
    arms: BTreeMap<String, Vec<ArmRef>>,
}

/// A node that comes out of a macro.
struct Expanded {
    node: NodeRef,
    expr: Expr,
    usage: Usage,
    score: Option<f64>,
}

/// An arm of a switch.
#[derive(Clone)]
struct ArmRef {
    at: (FunctionId, StmtId, usize),
    text: TextRange,
    value: i128,
    score: Option<f64>,
}

/// The largest of some scores.
fn highest(scores: impl Iterator<Item = f64>) -> Option<f64> {
    scores.fold(None, |most: Option<f64>, score| Some(most.map_or(score, |most| most.max(score))))
}

/// The statements of loops, and of functions that loops or several places call.
fn repeated(program: &Program) -> BTreeSet<(FunctionId, StmtId)> {
    fn walk(block: &Block, in_loop: bool, visit: &mut impl FnMut(&Stmt, bool)) {
        for stmt in &block.stmts {
            let inner = in_loop || matches!(stmt.kind, StmtKind::Loop(_));
            visit(stmt, inner);
            stmt.blocks().into_iter().for_each(|block| walk(block, inner, visit));
        }
    }
    let mut found = BTreeSet::new();
    let mut called: BTreeSet<FunctionId> = BTreeSet::new();
    let mut again: BTreeSet<FunctionId> = BTreeSet::new();
    let mut calls: Vec<(FunctionId, FunctionId)> = Vec::new();
    for (id, _, body) in program.defined_functions() {
        walk(body, false, &mut |stmt, in_loop| {
            if in_loop {
                found.insert((id, stmt.id));
            }
            if let StmtKind::Call { callee: Callee::Function(callee), .. } = stmt.kind {
                calls.push((id, callee));
                if !called.insert(callee) || in_loop || callee == id {
                    again.insert(callee);
                }
            }
        });
    }
    // What a function that runs again calls runs again.
    let mut grown = true;
    while grown {
        grown = calls.iter().any(|(caller, callee)| again.contains(caller) && again.insert(*callee));
    }
    for id in again {
        if let Some(body) = &program.functions[id].body {
            body.walk(&mut |stmt| {
                found.insert((id, stmt.id));
            });
        }
    }
    found
}

/// What a statement stands in.
#[derive(Clone, Copy, Default)]
struct Around {
    a_loop: bool,
    a_switch: bool,
}

/// The expression without the conversions that C makes by itself.
pub fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Convert { value, explicit: false } => bare(value),
        _ => expr,
    }
}

impl<'p> Finder<'p> {
    fn block(
        &mut self,
        id: FunctionId,
        function: &'p Function,
        block: &'p Block,
        around: Around,
        header: Option<Span>,
    ) {
        let count = block.stmts.len();
        for (index, stmt) in block.stmts.iter().enumerate() {
            // The first part of a `for` stands before the loop and inside its text.
            let is_init = block.stmts[index + 1..].iter().find_map(|next| match &next.kind {
                StmtKind::Loop(looped) if looped.kind == LoopKind::For && next.span.contains(stmt.span) => Some(()),
                _ => None,
            });
            let header = header.or(is_init.map(|()| stmt.span));
            self.stmt(id, function, stmt);
            self.place(id, function, stmt, around, header.is_some(), index + 1 == count);
            match &stmt.kind {
                StmtKind::Loop(looped) => {
                    self.block(id, function, &looped.pre, around, Some(stmt.span));
                    self.block(id, function, &looped.body, Around { a_loop: true, a_switch: false }, None);
                    self.block(id, function, &looped.step, around, Some(stmt.span));
                }
                _ => {
                    let a_switch = around.a_switch || matches!(stmt.kind, StmtKind::Switch { .. });
                    let inner = Around { a_switch, ..around };
                    for block in stmt.blocks() {
                        self.block(id, function, block, inner, None);
                    }
                }
            }
        }
    }

    fn stmt(&mut self, id: FunctionId, function: &'p Function, stmt: &'p Stmt) {
        let score = self.scores.of(id, stmt.id);
        if let StmtKind::Switch { arms, .. } = &stmt.kind {
            for (index, arm) in arms.iter().enumerate() {
                let span = function.labels[arm.label].span;
                if arm.low == arm.high
                    && let Some(at) = text::range(self.program, span, InMacro::Refuse)
                    && let Some(case) = text::slice(self.program, &at).strip_prefix("case")
                {
                    let start = at.end - case.trim_start().len();
                    let value = text::slice(self.program, &TextRange { start, ..at.clone() }).trim_end_matches(':');
                    let value = value.trim_end();
                    let range = TextRange { file: at.file, start, end: start + value.len() };
                    let arms = self.arms.entry(value.to_string()).or_default();
                    arms.push(ArmRef { at: (id, stmt.id, index), text: range, value: arm.low, score });
                }
            }
        }
        let truth = matches!(
            stmt.kind,
            StmtKind::If { .. } | StmtKind::Loop(_) | StmtKind::Assume(_) | StmtKind::Assert { .. }
        );
        // What the program claims is not for us to change.
        if matches!(stmt.kind, StmtKind::Assume(_) | StmtKind::Assert { .. } | StmtKind::Trace(_)) {
            return;
        }
        for (slot, expr) in stmt.exprs().into_iter().enumerate() {
            let usage = if truth { Usage::Truth } else { Usage::Value };
            let node = NodeRef { function: id, stmt: stmt.id, slot: slot as u32, path: Vec::new() };
            self.node(stmt, node, expr, usage, score, true);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn node(&mut self, stmt: &'p Stmt, node: NodeRef, expr: &'p Expr, usage: Usage, score: Option<f64>, is_top: bool) {
        let core = bare(expr);
        let is_test = is_test(core);
        if self.program.types.is_scalar(core.ty) && !is_test {
            self.site(stmt, &node, expr, usage, score, is_top);
        }
        // The way down goes through the conversions.
        let mut path = node.path.clone();
        let mut at = expr;
        while !std::ptr::eq(at, core) {
            path.push(0);
            let ExprKind::Convert { value, .. } = &at.kind else { break };
            at = value;
        }
        let inner = match &core.kind {
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => Some(Usage::Truth),
            _ => None,
        };
        for (index, child) in core.children().into_iter().enumerate() {
            if is_test && index == 1 {
                continue;
            }
            let usage = match (&core.kind, inner) {
                _ if is_test => Usage::Test,
                (_, Some(usage)) => usage,
                (ExprKind::Conditional(..), _) if index == 0 => Usage::Truth,
                _ => Usage::Value,
            };
            let mut path = path.clone();
            path.push(index as u8);
            self.node(stmt, NodeRef { path, ..node.clone() }, child, usage, score, false);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn site(&mut self, stmt: &'p Stmt, node: &NodeRef, expr: &'p Expr, usage: Usage, score: Option<f64>, is_top: bool) {
        let program = self.program;
        let core = bare(expr);
        if core.span.is_none() {
            return;
        }
        if program.sources.in_macro(core.span)
            && let Some(at) = text::range(program, core.span, InMacro::AtDefinition)
        {
            let entry = self.expanded.entry(at).or_default();
            if entry.iter().all(|known| known.node != *node) {
                entry.push(Expanded { node: node.clone(), expr: expr.clone(), usage, score });
            }
        }
        let Some(at) = text::range(program, core.span, InMacro::Refuse) else { return };
        let written = text::slice(program, &at);
        if matches!(core.kind, ExprKind::Int(_)) && is_name(written) {
            self.uses.entry(written.to_string()).or_default().push((node.clone(), score));
        }
        let Some(score) = score else { return };
        let Some(shape) = shape(program, stmt, expr, &at) else { return };
        self.sites.sites.push(Site {
            nodes: vec![node.clone()],
            expr: expr.clone(),
            usage,
            form: shape.form,
            alone: text::stands_alone(program, &at),
            text: at,
            children: shape.children,
            operator: shape.operator,
            at_definition: false,
            is_repeated: self.repeated.contains(&(node.function, node.stmt)),
            is_whole: is_top,
            score,
        });
    }

    fn place(
        &mut self,
        id: FunctionId,
        function: &'p Function,
        stmt: &'p Stmt,
        around: Around,
        in_header: bool,
        is_last: bool,
    ) {
        let Some(score) = self.scores.of(id, stmt.id) else { return };
        let Some(at) = text::range(self.program, stmt.span, InMacro::Refuse) else { return };
        let connective = match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => self.connective(function, stmt, cond, then, otherwise, &at),
            _ => None,
        };
        let full = if in_header { None } else { statement_range(self.program, &at) };
        let is_statement = connective.is_none() && full.is_some();
        if !is_statement && connective.is_none() && !matches!(stmt.kind, StmtKind::Call { .. }) {
            return;
        }
        self.sites.places.push(Place {
            function: id,
            stmt: stmt.id,
            text: full.unwrap_or(at),
            is_statement,
            in_loop_or_switch: around.a_loop || around.a_switch,
            in_loop: around.a_loop,
            is_last,
            score,
            connective,
        });
    }

    /// The front end makes `t = a; if (t) { ...; t = b; }` of `a && b` where b has side effects.
    fn connective(
        &self,
        function: &Function,
        stmt: &Stmt,
        cond: &Expr,
        then: &Block,
        otherwise: &Block,
        at: &TextRange,
    ) -> Option<(Range<usize>, LogicalOp)> {
        let ExprKind::Load(lvalue) = &cond.kind else { return None };
        let temporary = lvalue.as_local().filter(|l| function.locals[*l].kind == LocalKind::Temporary)?;
        let (block, op) = match (then.stmts.is_empty(), otherwise.stmts.is_empty()) {
            (false, true) => (then, LogicalOp::And),
            (true, false) => (otherwise, LogicalOp::Or),
            _ => return None,
        };
        let last = block.stmts.last()?;
        let StmtKind::Assign { target, .. } = &last.kind else { return None };
        if target.as_local() != Some(temporary) || last.span != stmt.span {
            return None;
        }
        let symbol = if op == LogicalOp::And { "&&" } else { "||" };
        outer_connective(text::slice(self.program, at), symbol).map(|offset| {
            let start = at.start + offset;
            (start..start + 2, op)
        })
    }

    fn finish_expanded(&mut self) {
        for (at, nodes) in std::mem::take(&mut self.expanded) {
            let score = highest(nodes.iter().filter_map(|expanded| expanded.score));
            let (Some(score), Some(Expanded { expr, usage, .. })) = (score, nodes.first()) else { continue };
            let kind = |expr: &Expr| std::mem::discriminant(&bare(expr).kind);
            let same = nodes.iter().all(|other| kind(&other.expr) == kind(expr));
            if !same || self.program.sources.file(at.file).system {
                continue;
            }
            let core = bare(expr);
            let children: Vec<Option<TextRange>> = core
                .children()
                .iter()
                .map(|child| text::range(self.program, bare(child).span, InMacro::AtDefinition))
                .collect();
            let operator = operator_of(self.program, core, &children).map(|(range, _)| range);
            self.sites.sites.push(Site {
                nodes: nodes.iter().map(|expanded| expanded.node.clone()).collect(),
                expr: expr.clone(),
                usage: *usage,
                form: Form::Plain,
                alone: text::stands_alone(self.program, &at),
                text: at,
                children,
                operator,
                at_definition: true,
                is_repeated: true,
                is_whole: false,
                score,
            });
        }
    }

    /// Definitions of named constants, initial values, and the cases of switches.
    fn constants(&mut self) {
        let best = self.scores.table.first().map_or(0.0, |row| row.score);
        for (global, data) in &self.program.globals {
            for (index, item) in data.init.iter().flat_map(|init| &init.items).enumerate() {
                let InitValue::Expr(expr) = &item.value else { continue };
                let ExprKind::Int(value) = bare(expr).kind else { continue };
                let Some(at) = text::range(self.program, bare(expr).span, InMacro::Refuse) else { continue };
                if item.bits.is_none() && self.program.types.int_kind(expr.ty).is_some() {
                    self.sites.constants.push(Constant {
                        value,
                        text: at,
                        nodes: Vec::new(),
                        arms: Vec::new(),
                        items: vec![(global, index)],
                        score: best,
                    });
                }
            }
        }
        let names: BTreeSet<String> = self.uses.keys().chain(self.arms.keys()).cloned().collect();
        for name in names {
            let uses = self.uses.get(&name).cloned().unwrap_or_default();
            let arms = self.arms.get(&name).cloned().unwrap_or_default();
            let scored = uses.iter().filter_map(|(_, score)| *score).chain(arms.iter().filter_map(|arm| arm.score));
            let Some(score) = highest(scored) else { continue };
            if !is_name(&name) {
                for arm in arms {
                    let Some(score) = arm.score else { continue };
                    self.sites.constants.push(Constant {
                        value: arm.value,
                        text: arm.text,
                        nodes: Vec::new(),
                        arms: vec![arm.at],
                        items: Vec::new(),
                        score,
                    });
                }
                continue;
            }
            let Some((text, value)) = self.definition(&name) else { continue };
            self.sites.constants.push(Constant {
                value,
                text,
                nodes: uses.into_iter().map(|(node, _)| node).collect(),
                arms: arms.into_iter().map(|arm| arm.at).collect(),
                items: Vec::new(),
                score,
            });
        }
    }

    /// Where `#define NAME 12` or an enumerator `NAME = 12` gives a name its number.
    fn definition(&self, name: &str) -> Option<(TextRange, i128)> {
        for (id, file) in self.program.sources.files() {
            let Some(text) = file.text.as_deref().filter(|_| !file.system) else { continue };
            let mut from = 0;
            while let Some(found) = text[from..].find(name) {
                let start = from + found;
                let end = start + name.len();
                from = end;
                let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                if joined(text[..start].chars().next_back()) || joined(text[end..].chars().next()) {
                    continue;
                }
                let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
                let before = text[line..start].trim();
                let is_macro = before.strip_prefix('#').is_some_and(|rest| rest.trim() == "define");
                let rest = &text[end..];
                let value = match is_macro {
                    true => rest,
                    // An enumerator; an initialised variable is not written as a constant at its uses.
                    false => match rest.trim_start().strip_prefix('=') {
                        Some(value) if !value.starts_with('=') => value,
                        _ => continue,
                    },
                };
                let value = value.trim_start_matches([' ', '\t', '(']);
                let at = text.len() - value.len();
                let length = value
                    .bytes()
                    .enumerate()
                    .take_while(|(i, b)| b.is_ascii_alphanumeric() || (*i == 0 && (*b == b'-' || *b == b'+')));
                let length = length.count();
                let number = integer(&value[..length])?;
                return Some((TextRange { file: id, start: at, end: at + length }, number));
            }
        }
        None
    }
}

/// A C integer.
fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

struct Shape {
    form: Form,
    children: Vec<Option<TextRange>>,
    operator: Option<Range<usize>>,
}

fn operator_of(program: &Program, core: &Expr, children: &[Option<TextRange>]) -> Option<(Range<usize>, bool)> {
    let symbol = match &core.kind {
        ExprKind::Binary(op, ..) => op.symbol(),
        ExprKind::Logical(LogicalOp::And, ..) => "&&",
        ExprKind::Logical(LogicalOp::Or, ..) => "||",
        _ => return None,
    };
    let (Some(Some(left)), Some(Some(right))) = (children.first(), children.get(1)) else { return None };
    text::operator(program, left, right, symbol)
}

/// How the text spells a node; `None` for nodes that the front end made up.
fn shape(program: &Program, stmt: &Stmt, expr: &Expr, at: &TextRange) -> Option<Shape> {
    let core = bare(expr);
    let children: Vec<Option<TextRange>> =
        core.children().iter().map(|child| text::range(program, bare(child).span, InMacro::Refuse)).collect();
    let written = text::slice(program, at);
    let is_update = core.span == stmt.span && matches!(stmt.kind, StmtKind::Assign { .. });
    if is_update
        && (written.ends_with("++")
            || written.ends_with("--")
            || written.starts_with("++")
            || written.starts_with("--"))
    {
        if !matches!(core.kind, ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..)) {
            return None;
        }
        let StmtKind::Assign { target, .. } = &stmt.kind else { return None };
        let target = text::range(program, target.span, InMacro::Refuse)?;
        let minus = written.contains("--");
        return Some(Shape { form: Form::Step { target, minus }, children, operator: None });
    }
    match &core.kind {
        ExprKind::Binary(..) | ExprKind::Logical(..) => {
            let (operator, compound) = operator_of(program, core, &children)?;
            if compound {
                let StmtKind::Assign { target, .. } = &stmt.kind else { return None };
                let target = text::range(program, target.span, InMacro::Refuse)?;
                let operand = children.get(1).cloned().flatten()?;
                return Some(Shape { form: Form::Compound { target, operand }, children, operator: Some(operator) });
            }
            Some(Shape { form: Form::Plain, children, operator: Some(operator) })
        }
        // The constant of `x++` has the text of the whole, and so have the zeros that `{1}` leaves out. That of an element
        // of an initialiser is all there is of the statement.
        ExprKind::Int(_) if core.span == stmt.span && !is_pure_text(written) => None,
        _ => Some(Shape { form: Form::Plain, children, operator: None }),
    }
}

/// Whether a text can be a constant.
fn is_pure_text(text: &str) -> bool {
    !text.contains("++") && !text.contains("--") && !text.contains(['=', '{', '"'])
}

/// The last connective of the outermost level: `a && b && c` is `(a && b) && c`.
fn outer_connective(text: &str, symbol: &str) -> Option<usize> {
    let mut depth = 0i32;
    let mut found = None;
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ if depth == 0 && text[i..].starts_with(symbol) => found = Some(i),
            _ => {}
        }
    }
    // In parentheses as a whole.
    if found.is_none()
        && let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
    {
        return outer_connective(inner, symbol).map(|at| at + 1);
    }
    found
}

/// The range of a statement of its own, with its end; `None` if the text is a part of something.
fn statement_range(program: &Program, at: &TextRange) -> Option<TextRange> {
    let text = text::file(program, at);
    let before = text[..at.start].trim_end();
    let starts = before.ends_with(['{', '}', ';', ')', ':', '/']) || before.ends_with("else") || before.ends_with("do");
    if !starts {
        return None;
    }
    let own = text::slice(program, at);
    if own.ends_with([';', '}']) {
        return Some(at.clone());
    }
    let after = &text[at.end..];
    let blank = after.len() - after.trim_start().len();
    after.trim_start().starts_with(';').then(|| TextRange { end: at.end + blank + 1, ..at.clone() })
}
