//! Conditions that hold at a place by the program text alone, and C expressions as predicates.
//!
//! *Question*: which conditions were tested on every way to this place, with variables that have not changed since?
//!
//! A walk over the structured body carries the facts along: the condition of an `if` or a loop inside it, its negation
//! where the other side cannot fall through (`if (!(c)) break;`), and assumptions. A fact goes when one of its variables
//! is assigned; at the head of a loop only those stay whose variables the whole loop leaves alone.
//!
//! *Translation*: [`predicate`] takes an expression to a [`Predicate`] with the same value wherever C defines one.
//! Predicates speak of unbounded integers, so unsigned arithmetic (which wraps), narrowing conversions, bit operations,
//! floating arithmetic (which rounds) and everything behind pointers are refused.
//!
//! *Guarantee*: every guard holds each time the place is reached. Labels that `goto` can jump to forget all facts, and
//! so does whatever contains one; variables whose address is taken never enter one. Guards may be missing, never wrong.

use ir::{
    BinaryOp, Block, EntitySet, Expr, ExprKind, Function, IntKind, LocalId, LogicalOp, Loop, LoopKind, Lvalue, Stmt,
    StmtId, StmtKind, Type, Types, UnaryOp,
};
use logic::{Operator, Predicate, Relation, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A place in the body of a function, relative to a statement of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Anchor {
    /// The start of the body.
    Start,
    /// Just before the statement.
    Before(StmtId),
    /// Where each round of the loop begins: before what its condition needs, or at the start of the body of a
    /// `do`-loop.
    Head(StmtId),
    /// Just after the label.
    After(StmtId),
    /// The end of the body.
    End,
}

/// A condition, or its negation.
#[derive(Clone, Debug)]
pub struct Fact<'p> {
    pub condition: &'p Expr,
    pub truth: bool,
}

/// What the structure says about an anchor.
#[derive(Clone, Debug, Default)]
pub struct Context<'p> {
    /// Variables of the blocks around, outermost first. Parameters are not listed.
    pub scope: Vec<LocalId>,
    pub facts: Vec<Fact<'p>>,
    /// The loops that enclose or precede it, in the order of the text.
    pub loops: Vec<StmtId>,
    /// How many of those before each loop that encloses it, outermost first.
    pub around: Vec<usize>,
}

/// The contexts of these anchors of a function.
pub fn contexts<'p>(function: &'p Function, anchors: &BTreeSet<Anchor>) -> BTreeMap<Anchor, Context<'p>> {
    let mut walker = Walker {
        anchors,
        aliased: address_taken(function),
        context: Context::default(),
        found: BTreeMap::new(),
        switch_facts: None,
    };
    if let Some(body) = &function.body {
        walker.meet(Anchor::Start);
        walker.context.scope.extend(&body.locals);
        walker.stmts(function, body);
        walker.meet(Anchor::End);
    }
    walker.found
}

/// The locals whose address is taken anywhere, so that writes to them cannot be seen in the text.
pub fn address_taken(function: &Function) -> EntitySet<LocalId> {
    let mut taken = EntitySet::new();
    if let Some(body) = &function.body {
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |e| {
                    if let ExprKind::AddressOf(Lvalue { base: ir::Base::Local(id), .. }) = &e.kind {
                        taken.insert(*id);
                    }
                });
            }
        });
    }
    taken
}

/// The local that a statement itself writes to, or whose value it forgets.
pub fn written_local(stmt: &Stmt) -> Option<LocalId> {
    let target = match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => target,
        StmtKind::Call { result: Some(target), .. } => target,
        StmtKind::Live(id) => return Some(*id),
        _ => return None,
    };
    if let ir::Base::Local(id) = target.base { Some(id) } else { None }
}

struct Walker<'p, 'a> {
    anchors: &'a BTreeSet<Anchor>,
    aliased: EntitySet<LocalId>,
    context: Context<'p>,
    found: BTreeMap<Anchor, Context<'p>>,
    /// What holds wherever the innermost switch jumps to.
    switch_facts: Option<Vec<Fact<'p>>>,
}

impl<'p> Walker<'p, '_> {
    fn meet(&mut self, anchor: Anchor) {
        if self.anchors.contains(&anchor) {
            self.found.insert(anchor, self.context.clone());
        }
    }

    fn learn(&mut self, condition: &'p Expr, truth: bool) {
        match (&condition.kind, truth) {
            (ExprKind::Logical(LogicalOp::And, a, b), true) | (ExprKind::Logical(LogicalOp::Or, a, b), false) => {
                self.learn(a, truth);
                self.learn(b, truth);
            }
            (ExprKind::Unary(UnaryOp::Not, a), _) => self.learn(a, !truth),
            _ => {
                let mut plain = true;
                condition.walk(&mut |e| match &e.kind {
                    ExprKind::Load(lvalue) => {
                        plain &= lvalue.as_local().is_some_and(|local| !self.aliased.contains(local));
                    }
                    ExprKind::AddressOf(_) | ExprKind::Function(_) => plain = false,
                    _ => {}
                });
                if plain {
                    self.context.facts.push(Fact { condition, truth });
                }
            }
        }
    }

    fn forget(&mut self, written: &EntitySet<LocalId>) {
        self.context.facts.retain(|fact| !mentions(fact.condition, written));
    }

    fn block(&mut self, function: &'p Function, block: &'p Block) {
        let depth = self.context.scope.len();
        self.context.scope.extend(&block.locals);
        self.stmts(function, block);
        self.context.scope.truncate(depth);
        // Nobody can speak of them any more.
        if !block.locals.is_empty() {
            let mut gone = EntitySet::new();
            gone.extend(block.locals.iter().copied());
            self.forget(&gone);
        }
    }

    fn stmts(&mut self, function: &'p Function, block: &'p Block) {
        for stmt in &block.stmts {
            self.meet(Anchor::Before(stmt.id));
            self.stmt(function, stmt);
        }
    }

    fn stmt(&mut self, function: &'p Function, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => {
                let before = self.context.facts.clone();
                self.learn(cond, true);
                self.block(function, then);
                self.context.facts.clone_from(&before);
                self.learn(cond, false);
                self.block(function, otherwise);
                self.context.facts = before;
                // The condition was tested before the branch that falls through changed anything, so what it
                // changes is forgotten afterwards.
                match (falls_through(then), falls_through(otherwise)) {
                    (false, true) => self.learn(cond, false),
                    (true, false) => self.learn(cond, true),
                    _ => {}
                }
                self.after_compound(function, stmt);
            }
            StmtKind::Loop(looped) => self.looped(function, stmt, looped),
            StmtKind::Switch { body, .. } => {
                self.forget(&written_in(stmt));
                let stable = self.context.facts.clone();
                let outer = self.switch_facts.replace(stable.clone());
                self.block(function, body);
                self.switch_facts = outer;
                self.context.facts = stable;
                self.after_compound(function, stmt);
            }
            StmtKind::Block(body) => self.block(function, body),
            StmtKind::Label(id) => {
                self.context.facts = match &self.switch_facts {
                    // The targets of a switch have no name, and only the switch jumps to them.
                    Some(facts) if function.labels[*id].name.is_empty() => facts.clone(),
                    _ => Vec::new(),
                };
                self.meet(Anchor::After(stmt.id));
            }
            StmtKind::Assume(cond) => self.learn(cond, true),
            _ => {
                if let Some(local) = written_local(stmt) {
                    let mut written = EntitySet::new();
                    written.insert(local);
                    self.forget(&written);
                }
            }
        }
    }

    fn looped(&mut self, function: &'p Function, stmt: &'p Stmt, looped: &'p Loop) {
        self.forget(&written_in(stmt));
        if has_named_label(function, stmt) {
            self.context.facts.clear();
        }
        self.context.around.push(self.context.loops.len());
        self.context.loops.push(stmt.id);
        let stable = self.context.facts.clone();
        // A `continue` may come from anywhere, so what follows its target knows only what the loop leaves alone.
        match looped.kind {
            LoopKind::DoWhile => {
                self.meet(Anchor::Head(stmt.id));
                self.block(function, &looped.body);
                self.context.facts.clone_from(&stable);
                self.block(function, &looped.pre);
            }
            LoopKind::While | LoopKind::For => {
                self.meet(Anchor::Head(stmt.id));
                self.block(function, &looped.pre);
                if let Some(cond) = &looped.cond {
                    self.learn(cond, true);
                }
                self.block(function, &looped.body);
                self.context.facts.clone_from(&stable);
                self.block(function, &looped.step);
            }
        }
        self.context.facts = stable;
        self.context.around.pop();
        if let Some(cond) = &looped.cond
            && !breaks(&looped.body)
            && !breaks(&looped.pre)
        {
            self.learn(cond, false);
        }
        if has_named_label(function, stmt) {
            self.context.facts.clear();
        }
    }

    fn after_compound(&mut self, function: &Function, stmt: &Stmt) {
        self.forget(&written_in(stmt));
        if has_named_label(function, stmt) {
            self.context.facts.clear();
        }
    }
}

fn mentions(expr: &Expr, locals: &EntitySet<LocalId>) -> bool {
    let mut found = false;
    expr.walk(&mut |e| {
        if let ExprKind::Load(lvalue) = &e.kind {
            found |= lvalue.as_local().is_some_and(|local| locals.contains(local));
        }
    });
    found
}

/// The locals that a statement or anything inside it writes to.
fn written_in(stmt: &Stmt) -> EntitySet<LocalId> {
    let mut written = EntitySet::new();
    for block in stmt.blocks() {
        block.walk(&mut |inner| written.extend(written_local(inner)));
    }
    written
}

/// Whether `goto` may lead into the statement.
fn has_named_label(function: &Function, stmt: &Stmt) -> bool {
    let mut found = false;
    for block in stmt.blocks() {
        block.walk(&mut |inner| {
            if let StmtKind::Label(id) = inner.kind {
                found |= !function.labels[id].name.is_empty();
            }
        });
    }
    found
}

/// Whether control may come out at the end of the block; `true` when in doubt.
fn falls_through(block: &Block) -> bool {
    block.stmts.last().is_none_or(|last| match &last.kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(_) => false,
        StmtKind::Block(inner) => falls_through(inner),
        StmtKind::If { then, otherwise, .. } => falls_through(then) || falls_through(otherwise),
        _ => true,
    })
}

/// Whether a `break` in the block leaves the loop that the block is the body of.
fn breaks(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break => true,
        // A `break` inside leaves only the inner loop or switch.
        StmtKind::Loop(_) | StmtKind::Switch { .. } => false,
        _ => stmt.blocks().into_iter().any(breaks),
    })
}

/// What a local is called where the predicate is to hold; `None` if it has no name there.
pub type Names<'a> = &'a dyn Fn(LocalId) -> Option<String>;

/// A fact as a predicate, if it can be said.
pub fn fact(types: &Types, fact: &Fact<'_>, names: Names<'_>) -> Option<Predicate> {
    let predicate = predicate(types, fact.condition, names)?;
    Some(if fact.truth { predicate } else { opposite(predicate) })
}

fn opposite(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::Compare(relation, left, right) => Predicate::Compare(relation.negated(), left, right),
        Predicate::Not(part) => *part,
        other => other.negate(),
    }
}

/// The condition that the expression is not zero, over the names of locals.
pub fn predicate(types: &Types, expr: &Expr, names: Names<'_>) -> Option<Predicate> {
    let both = |a: &Expr, b: &Expr| Some(vec![predicate(types, a, names)?, predicate(types, b, names)?]);
    match &expr.kind {
        ExprKind::Logical(LogicalOp::And, a, b) => both(a, b).map(Predicate::all),
        ExprKind::Logical(LogicalOp::Or, a, b) => both(a, b).map(Predicate::any),
        ExprKind::Unary(UnaryOp::Not, a) => predicate(types, a, names).map(opposite),
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let relation = match op {
                BinaryOp::Eq => Relation::Eq,
                BinaryOp::Ne => Relation::Ne,
                BinaryOp::Lt => Relation::Lt,
                BinaryOp::Le => Relation::Le,
                BinaryOp::Gt => Relation::Gt,
                _ => Relation::Ge,
            };
            Some(term(types, a, names)?.compare(relation, term(types, b, names)?))
        }
        // Zero stays zero and one stays one under every conversion of a truth value.
        ExprKind::Convert { value, .. } if is_truth_value(value) => predicate(types, value, names),
        _ => Some(term(types, expr, names)?.compare(Relation::Ne, Term::int(0))),
    }
}

fn is_truth_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Convert { value, .. } => is_truth_value(value),
        _ => false,
    }
}

/// The value of the expression, over the names of locals.
pub fn term(types: &Types, expr: &Expr, names: Names<'_>) -> Option<Term> {
    let signed = types.int_kind(expr.ty).is_some_and(|kind| kind.is_signed());
    let integer = types.int_kind(expr.ty).is_some();
    match &expr.kind {
        // Constants of `unsigned __int128` are bit patterns.
        ExprKind::Int(value) if signed || *value >= 0 => Some(Term::int(*value)),
        ExprKind::Float(value) => logic::Number::float(*value).map(|n| Term::Const(n.to_rational())),
        ExprKind::Load(lvalue) if types.is_arithmetic(expr.ty) => lvalue.as_local().and_then(names).map(Term::var),
        ExprKind::Unary(UnaryOp::Neg, a) if signed => Some(term(types, a, names)?.negated()),
        ExprKind::Binary(op, a, b) if integer => {
            let (a, b) = (term(types, a, names)?, term(types, b, names)?);
            match op {
                BinaryOp::Add if signed => Some(Term::sum(vec![a, b])),
                BinaryOp::Sub if signed => Some(Term::sum(vec![a, b.negated()])),
                BinaryOp::Mul if signed => Some(Term::product(vec![a, b])),
                // Quotients of unsigned values do not wrap.
                BinaryOp::Div => Some(Term::binary(Operator::Quotient, a, b)),
                BinaryOp::Rem => Some(Term::binary(Operator::Remainder, a, b)),
                _ => None,
            }
        }
        ExprKind::Convert { value, .. } => {
            let keeps = match (types.get(value.ty), types.get(expr.ty)) {
                (Type::Int(from), Type::Int(to)) => {
                    let constant = matches!(value.kind, ExprKind::Int(v) if to.contains(v));
                    constant
                        || (from.bits() < 128 && to.contains(IntKind::min(*from)) && to.contains(IntKind::max(*from)))
                }
                // An integer of at most 32 bits is exact as a double; as a bare value, since a quotient of
                // integers would mean another one than the quotient of doubles.
                (Type::Int(from), Type::Float(ir::FloatKind::Double)) => {
                    from.bits() <= 32 && matches!(value.kind, ExprKind::Load(_) | ExprKind::Int(_))
                }
                (Type::Float(ir::FloatKind::Float), Type::Float(_)) => true,
                _ => false,
            };
            if keeps { term(types, value, names) } else { None }
        }
        _ => None,
    }
}
