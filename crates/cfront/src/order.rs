//! Orders of evaluation that C leaves open, decided when the whole program is there.
//!
//! The lowering puts a placeholder before every two operands of which one has side effects ([`Candidate`]). Here the
//! accesses of both are compared: objects by their names, paths and types, calls by what they may read and write
//! ([`ir::effects`]). Where nothing meets the placeholder goes; where something does it becomes an
//! [`Unordered`] statement that says what, and a finding.
//!
//! *Guarantee*: a pair without a statement gives the same result in both orders, as far as [`ir::effects`] knows what
//! a library function does. A statement of kind [`OrderKind::Undefined`] is put only where both accesses happen on every
//! way past it and are to one object. *May be missed*: nothing of the former; of the latter what only the values of
//! pointers and indices decide, which is [`OrderKind::Open`].
//!
//! *Departure from C*: accesses of a `volatile` object are not side effects here, since each of them gives any value.

use diagnostics::{Finding, Rule, Span};
use hashbrown::HashSet;
use ir::effects::{Effects, Meeting, Region, Summary};
use ir::{
    Base, Block, Callee, Expr, ExprKind, FunctionId, Lvalue, OrderKind, Program, RecordKind, Step, StmtKind, Type,
    TypeId, Unordered,
};

/// Which of two operands is evaluated first where C leaves the order open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    #[default]
    Left,
    Right,
    /// Chosen for each expression, by a seed.
    Random(u64),
}

impl Order {
    pub(crate) fn is_backwards(self, span: Span) -> bool {
        match self {
            Order::Left => false,
            Order::Right => true,
            // The finaliser of SplitMix64, so that neighbouring places are told apart.
            Order::Random(seed) => {
                let mut mixed = seed.wrapping_add(u64::from(span.lo).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (mixed ^ (mixed >> 31)) & 1 == 1
            }
        }
    }
}

/// What an evaluation does.
#[derive(Clone, Debug)]
pub enum Deed {
    Read(Lvalue),
    Write(Lvalue),
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    /// An assertion or an assumption.
    Claim,
    /// Arithmetic that is not defined for all operands.
    Risk,
}

#[derive(Clone, Debug)]
pub struct Evaluation {
    pub deed: Deed,
    pub span: Span,
    /// What the user wrote.
    pub text: String,
    /// Whether its side effect may still come after the value of the expression it is part of.
    pub pending: bool,
    /// Whether it happens on every run that comes here.
    pub sure: bool,
}

/// Two operands without an order.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub function: FunctionId,
    pub first: Vec<Evaluation>,
    pub second: Vec<Evaluation>,
    /// Whether one comes after the other all the same, in an order that is not known.
    pub indeterminate: bool,
}

/// Stands for a candidate until it is decided.
pub fn placeholder(number: usize) -> Unordered {
    Unordered::somewhere(OrderKind::Open, number.to_string())
}

/// What two evaluations come to.
#[derive(Clone)]
struct Conflict {
    open: Unordered,
    /// Whether it is known what they have in common, rather than not known that they have nothing.
    evident: bool,
}

/// Decides the candidates and puts what they come to in the place of their placeholders.
pub fn resolve(program: &mut Program, candidates: &[Candidate], findings: &mut Vec<Finding>) {
    if candidates.is_empty() {
        return;
    }
    let decided: Vec<Option<Conflict>> = {
        let effects = Effects::new(program);
        candidates.iter().map(|candidate| Comparison { program, effects: &effects, candidate }.conflict()).collect()
    };
    let functions: HashSet<FunctionId> = candidates.iter().map(|candidate| candidate.function).collect();
    for (id, function) in program.functions.iter_mut() {
        if !functions.contains(&id) {
            continue;
        }
        if let Some(body) = &mut function.body {
            replace(body, &decided, findings);
            function.number_statements();
        }
    }
}

fn replace(block: &mut Block, decided: &[Option<Conflict>], findings: &mut Vec<Finding>) {
    block.stmts.retain_mut(|stmt| {
        for inner in stmt.blocks_mut() {
            replace(inner, decided, findings);
        }
        let StmtKind::Unordered(open) = &mut stmt.kind else { return true };
        let number: usize = open.what.parse().unwrap_or(usize::MAX);
        let Some(Some(conflict)) = decided.get(number) else { return false };
        let rule = match conflict.open.kind {
            OrderKind::Undefined => Rule::Unsequenced,
            OrderKind::Open => Rule::OpenOrder,
        };
        if conflict.evident {
            let mut finding = Finding::new(rule, stmt.span, conflict.open.what.clone());
            finding.severity = diagnostics::Severity::Warning;
            findings.push(finding);
        }
        *open = conflict.open.clone();
        true
    });
}

/// How two objects lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lie {
    Apart,
    /// They share memory whatever the values are.
    Same,
    Perhaps,
}

struct Comparison<'c, 'p> {
    program: &'p Program,
    effects: &'c Effects<'p>,
    candidate: &'c Candidate,
}

impl Comparison<'_, '_> {
    /// The worst that two of the evaluations do to each other.
    fn conflict(&self) -> Option<Conflict> {
        let mut worst: Option<Conflict> = None;
        for a in &self.candidate.first {
            for b in &self.candidate.second {
                let Some(found) = self.pair(a, b) else { continue };
                if found.open.kind == OrderKind::Undefined {
                    return Some(found);
                }
                if worst.as_ref().is_none_or(|worst| found.evident && !worst.evident) {
                    worst = Some(found);
                }
            }
        }
        worst
    }

    fn pair(&self, a: &Evaluation, b: &Evaluation) -> Option<Conflict> {
        let (x, y) = match (&a.deed, &b.deed) {
            (Deed::Write(x), Deed::Write(y) | Deed::Read(y)) | (Deed::Read(x), Deed::Write(y)) => (x, y),
            (Deed::Call { .. }, _) | (_, Deed::Call { .. }) => return self.calls(a, b),
            _ => return None,
        };
        let lie = self.compare(x, y);
        if lie == Lie::Apart {
            return None;
        }
        let certain = lie == Lie::Same && a.sure && b.sure && !self.candidate.indeterminate;
        let object = ir::c_lvalue(self.program, Some(&self.program.functions[self.candidate.function]), x);
        let write = |e: &Evaluation| matches!(e.deed, Deed::Write(_));
        let what = match (lie, write(a) && write(b)) {
            (Lie::Same, true) => format!("`{}` and `{}` both change `{object}`, in no order", a.text, b.text),
            (Lie::Same, false) => {
                let (writer, reader) = if write(a) { (a, b) } else { (b, a) };
                format!("`{}` changes `{object}` and `{}` uses it, in no order", writer.text, reader.text)
            }
            _ => format!("`{}` and `{}` may be about one object, in no order", a.text, b.text),
        };
        let kind = if certain { OrderKind::Undefined } else { OrderKind::Open };
        Some(Conflict { open: self.open(kind, what), evident: lie == Lie::Same })
    }

    fn calls(&self, a: &Evaluation, b: &Evaluation) -> Option<Conflict> {
        let within = self.candidate.function;
        let meeting = self.effects.meeting(within, &self.summary(a), &self.summary(b))?;
        let common = match meeting {
            Meeting::Region(Region::Global(id)) => format!("meet in `{}`", self.program.globals[id].name),
            Meeting::Region(Region::Local(id)) => {
                format!("meet in `{}`", self.program.functions[within].locals[id].name)
            }
            Meeting::Region(Region::World) => "both deal with the world outside".to_string(),
            Meeting::Region(Region::LastError) => "meet in `errno`".to_string(),
            Meeting::Region(Region::Memory | Region::Param(_) | Region::Heap) => "may meet behind pointers".to_string(),
            Meeting::Control => "can end the run one before the other".to_string(),
            Meeting::Anything => "may do anything".to_string(),
        };
        let what = format!("`{}` and `{}` come in either order and {common}", a.text, b.text);
        let evident = matches!(
            meeting,
            Meeting::Region(Region::Global(_) | Region::Local(_) | Region::World | Region::LastError)
        );
        Some(Conflict { open: self.open(OrderKind::Open, what), evident })
    }

    /// The two operands, with all that is evaluated in them.
    fn open(&self, kind: OrderKind, what: String) -> Unordered {
        let hull = |operand: &[Evaluation]| operand.iter().map(|e| e.span).reduce(Span::to).unwrap_or(Span::NONE);
        let Candidate { first, second, .. } = self.candidate;
        let is_known = |operand: &[Evaluation]| operand.iter().all(|e| !e.span.is_none());
        let (first, second) = match is_known(first) && is_known(second) {
            true => (hull(first), hull(second)),
            false => (Span::NONE, Span::NONE),
        };
        Unordered { kind, what, first, second }
    }

    fn summary(&self, evaluation: &Evaluation) -> Summary {
        let within = self.candidate.function;
        match &evaluation.deed {
            Deed::Read(lvalue) => {
                let mut reads = std::collections::BTreeSet::new();
                self.effects.expression_reads(within, &Expr::load(lvalue.clone()), &mut reads);
                // What says which object it is was noted when it was read. An access that may be out of bounds must not
                // come before the call that would have ended the run.
                let computed = |step: &Step| matches!(step, Step::Index(i) if !matches!(i.kind, ExprKind::Int(_)));
                let runs = matches!(lvalue.base, Base::Deref(_)) || lvalue.path.iter().any(computed);
                Summary { reads, runs, ..Summary::default() }
            }
            Deed::Write(lvalue) => {
                let writes = self.effects.regions(within, lvalue);
                Summary { writes, ..Summary::default() }
            }
            Deed::Call { callee, args } => self.effects.of_call(within, callee, args),
            Deed::Claim => Summary { claims: true, runs: true, ..Summary::default() },
            Deed::Risk => Summary { runs: true, ..Summary::default() },
        }
    }

    fn compare(&self, a: &Lvalue, b: &Lvalue) -> Lie {
        match (&a.base, &b.base) {
            (Base::Local(x), Base::Local(y)) if x == y => self.paths(a, b),
            (Base::Global(x), Base::Global(y)) if x == y => self.paths(a, b),
            (Base::Local(_) | Base::Global(_), Base::Local(_) | Base::Global(_)) => Lie::Apart,
            (Base::Deref(x), Base::Deref(y)) if same(x, y) && self.is_steady(x) => self.paths(a, b),
            _ => {
                let within = self.candidate.function;
                let (left, right) = (self.effects.regions(within, a), self.effects.regions(within, b));
                let meet = left.iter().any(|x| right.iter().any(|y| self.effects.overlap(within, *x, *y)));
                if meet && (!self.program.data.strict_aliasing || self.may_alias(a.ty, b.ty)) {
                    Lie::Perhaps
                } else {
                    Lie::Apart
                }
            }
        }
    }

    /// Two parts of one object.
    fn paths(&self, a: &Lvalue, b: &Lvalue) -> Lie {
        let mut lie = Lie::Same;
        let mut ty = match &a.base {
            Base::Local(id) => self.program.functions[self.candidate.function].locals[*id].ty,
            Base::Global(id) => self.program.globals[*id].ty,
            Base::Deref(pointer) => self.program.types.pointee(pointer.ty).unwrap_or(pointer.ty),
        };
        for (x, y) in a.path.iter().zip(&b.path) {
            match (x, y) {
                (Step::Field(i), Step::Field(j)) => {
                    let union = match self.program.types.get(ty) {
                        Type::Record(id) => self.program.types.records[*id].kind == RecordKind::Union,
                        _ => true,
                    };
                    if i != j {
                        return if union { Lie::Perhaps } else { Lie::Apart };
                    }
                    match self.program.types.field(ty, *i) {
                        Some(field) => ty = field.ty,
                        None => return Lie::Perhaps,
                    }
                }
                (Step::Index(i), Step::Index(j)) => {
                    match (&i.kind, &j.kind) {
                        (ExprKind::Int(i), ExprKind::Int(j)) if i != j => return Lie::Apart,
                        (ExprKind::Int(_), ExprKind::Int(_)) => {}
                        _ if same(i, j) && self.is_steady(i) => {}
                        _ => lie = Lie::Perhaps,
                    }
                    match self.program.types.element(ty) {
                        Some(of) => ty = of,
                        None => return Lie::Perhaps,
                    }
                }
                _ => return Lie::Perhaps,
            }
        }
        lie
    }

    /// Whether the expression has one value throughout: it reads only variables that nothing here changes.
    fn is_steady(&self, expr: &Expr) -> bool {
        let within = self.candidate.function;
        let mut steady = true;
        let evaluations = || self.candidate.first.iter().chain(&self.candidate.second);
        expr.walk(&mut |part| {
            let ExprKind::Load(lvalue) = &part.kind else { return };
            let fixed = matches!(lvalue.base, Base::Local(_) | Base::Global(_));
            let region = match lvalue.base {
                Base::Local(id) => Region::Local(id),
                Base::Global(id) => Region::Global(id),
                Base::Deref(_) => Region::Memory,
            };
            steady &= fixed
                && evaluations().all(|evaluation| match &evaluation.deed {
                    Deed::Write(target) => {
                        let written = self.effects.regions(within, target);
                        !written.iter().any(|other| self.effects.overlap(within, region, *other))
                    }
                    Deed::Call { .. } => {
                        let summary = self.summary(evaluation);
                        let private = matches!(region, Region::Local(_)) && !self.effects.is_addressed(within, region);
                        private
                            || !summary.anything
                                && !summary.writes.iter().any(|other| self.effects.overlap(within, region, *other))
                    }
                    _ => true,
                });
        });
        steady
    }

    /// Whether accesses of these types can be to one object, by the rule of effective types.
    fn may_alias(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.program.types;
        match (types.get(a), types.get(b)) {
            (Type::Int(x), Type::Int(y)) => x.bits() == 8 || y.bits() == 8 || (x.bits() == y.bits()),
            (Type::Int(x), _) | (_, Type::Int(x)) if x.bits() == 8 => true,
            (Type::Pointer { .. }, Type::Pointer { .. }) => true,
            (Type::Float(x), Type::Float(y)) => x == y,
            (
                Type::Int(_) | Type::Pointer { .. } | Type::Float(_),
                Type::Int(_) | Type::Pointer { .. } | Type::Float(_),
            ) => false,
            _ => true,
        }
    }
}

/// Whether two expressions are the same, wherever they stand.
fn same(a: &Expr, b: &Expr) -> bool {
    if a.ty != b.ty {
        return false;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Load(x), ExprKind::Load(y)) | (ExprKind::AddressOf(x), ExprKind::AddressOf(y)) => same_place(x, y),
        (ExprKind::Unary(o, x), ExprKind::Unary(p, y)) => o == p && same(x, y),
        (ExprKind::Binary(o, x, v), ExprKind::Binary(p, y, w)) => o == p && same(x, y) && same(v, w),
        (ExprKind::Convert { value: x, .. }, ExprKind::Convert { value: y, .. }) => same(x, y),
        (ExprKind::Logical(..) | ExprKind::Conditional(..), _) => false,
        (x, y) => x == y,
    }
}

fn same_place(a: &Lvalue, b: &Lvalue) -> bool {
    let bases = match (&a.base, &b.base) {
        (Base::Deref(x), Base::Deref(y)) => same(x, y),
        (x, y) => x == y,
    };
    bases
        && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|(x, y)| match (x, y) {
            (Step::Index(x), Step::Index(y)) => same(x, y),
            (x, y) => x == y,
        })
}
