//! Expressions and lvalues to terms.
//!
//! *Guards*: `a && b`, `a || b` and `c ? a : b` evaluate some operands on a condition only. What an evaluation adds to
//! the path (a divisor is not zero, an index is within its array) is added under that condition.

use super::access::Location;
use super::floating::format;
use super::number::{Number, Range, Ring};
use super::objects::{FrameId, Holds, Objects, Place};
use super::path::Path;
use super::state::{Notes, State};
use super::{Floats, Ints};
use diagnostics::{Assumption, Span};
use ir::arith::Case;
use ir::hazards::{Hazard, NodeKey};
use ir::{Base, BinaryOp, Expr, ExprKind, FloatKind, IntKind, LogicalOp, Lvalue, Type, TypeId, UnaryOp};
use smt::{Int, Op, TermId, TermPool};
use std::collections::HashSet;

/// The value of a scalar expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Number(Number),
    /// An `int` that is 1 or 0.
    Truth(TermId),
    /// An IEEE value or a real number, as [`Objects::floats`] says.
    Float(TermId),
    /// The element of a place with this number.
    Pointer(Place, TermId),
    Null,
    /// A pointer that is not followed, or no scalar.
    Unknown,
}

/// Something that must hold for an operation to be defined.
#[derive(Clone, Debug)]
pub struct Check {
    pub hazard: Hazard,
    pub claim: TermId,
    pub span: Span,
    /// What is known where it is needed.
    pub path: Path,
}

/// What an evaluation found out about the sites where it may be undefined ([`ir::hazards`]).
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Whether what must hold is a claim; if not, it is an assumption.
    pub wanted: bool,
    pub found: Vec<Check>,
    /// The sites of which the evaluation knows what must hold, those that cannot fail included. A site that is not
    /// among them is one that the model does not decide.
    pub decided: HashSet<(NodeKey, Hazard)>,
}

/// The operation that something is asked of.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub key: NodeKey,
    pub span: Span,
}

impl From<&Expr> for Operation {
    fn from(expr: &Expr) -> Operation {
        Operation { key: NodeKey::of(expr), span: expr.span }
    }
}

/// Evaluates in one state. With `checks`, what must hold for each operation to be defined is collected there.
pub struct Evaluation<'a, 'p> {
    pub objects: &'a Objects<'p>,
    pub state: &'a mut State,
    pub notes: &'a mut Notes,
    pub frame: FrameId,
    pub checks: Option<&'a mut Checks>,
    guards: Vec<TermId>,
}

/// The offset that stands for the null pointer: no object reaches that far.
const NULL_OFFSET: i64 = -(1 << 62);

impl<'a, 'p> Evaluation<'a, 'p> {
    pub fn new(
        objects: &'a Objects<'p>,
        state: &'a mut State,
        notes: &'a mut Notes,
        frame: FrameId,
        checks: Option<&'a mut Checks>,
    ) -> Evaluation<'a, 'p> {
        Evaluation { objects, state, notes, frame, checks, guards: Vec::new() }
    }

    pub fn pool(&self) -> &'a TermPool {
        &self.objects.pool
    }

    fn guarded(&self, assume: TermId) -> TermId {
        let pool = self.pool();
        if self.guards.is_empty() { assume } else { pool.implies(pool.and(&self.guards), assume) }
    }

    /// Something that holds because the operation is defined.
    pub(super) fn assume(&mut self, assume: TermId) {
        let assume = self.guarded(assume);
        self.state.require(self.pool(), assume);
    }

    /// Something that must hold for the operation to be defined, and so holds from here on.
    pub(super) fn oblige(&mut self, hazard: Hazard, claim: TermId, at: Operation, assumption: Assumption) {
        self.decide(hazard, at);
        if claim == self.pool().bool(true) {
            return;
        }
        let guarded = self.guarded(claim);
        let wanted = self.is_wanted();
        match &mut self.checks {
            Some(checks) if wanted => {
                checks.found.push(Check { hazard, claim: guarded, span: at.span, path: self.state.path.clone() });
            }
            // Bit-vectors wrap where C is undefined, so nothing is assumed.
            _ if assumption == Assumption::NoOverflow && self.objects.ints == Ints::Machine => {}
            _ => self.notes.assume(assumption),
        }
        // A signed result is left unbounded where overflow is only assumed away: ranges of sums make bad lemmas.
        if hazard != Hazard::Overflow || wanted {
            self.state.require(self.pool(), guarded);
        }
    }

    /// What must hold at the site is known, and was demanded or cannot fail.
    pub(super) fn decide(&mut self, hazard: Hazard, at: Operation) {
        if let Some(checks) = &mut self.checks {
            checks.decided.insert((at.key, hazard));
        }
    }

    /// More is asked at the site than is known.
    pub(super) fn reopen(&mut self, hazard: Hazard, at: Operation) {
        if let Some(checks) = &mut self.checks {
            checks.decided.remove(&(at.key, hazard));
        }
    }

    /// What is loaded through a pointer has a value if it had one wherever its address was taken. Of what is named,
    /// whoever looks at the whole function knows more.
    fn decide_value(&mut self, lvalue: &Lvalue, location: &Location, load: &Expr) {
        if matches!(lvalue.base, Base::Deref(_)) && self.objects.is_initialised(location.place.object) {
            self.decide(Hazard::Initialised, load.into());
        }
    }

    /// The object whose value a record or array has; `None` if it is not followed.
    pub fn source(&mut self, value: &Expr) -> Option<Location> {
        let ExprKind::Load(lvalue) = &value.kind else { return None };
        let location = self.location(lvalue)?;
        self.decide_value(lvalue, &location, value);
        Some(location)
    }

    /// Whether what must hold for operations to be defined is a claim.
    pub(super) fn is_wanted(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.wanted)
    }

    pub(super) fn under<T>(&mut self, guard: TermId, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(guard);
        let result = evaluate(self);
        self.guards.pop();
        result
    }

    // ----- values -----

    /// The condition that the scalar is not zero.
    pub fn condition(&mut self, expr: &Expr) -> TermId {
        let value = self.value(expr);
        self.truth(value)
    }

    pub fn truth(&mut self, value: Value) -> TermId {
        let pool = self.pool();
        match value {
            Value::Truth(condition) => condition,
            Value::Number(number) => pool.not(self.objects.arithmetic().is_zero(&number)),
            Value::Float(term) => self.objects.floating().is_nonzero(term),
            Value::Pointer(_, offset) => pool.ne(offset, self.null_offset()),
            Value::Null => pool.bool(false),
            Value::Unknown => self.state.fresh_truth(self.objects),
        }
    }

    /// The value of an integer expression.
    pub fn number(&mut self, expr: &Expr) -> Number {
        let kind = self.objects.program.types.int_kind(expr.ty).unwrap_or(IntKind::Long);
        match self.value(expr) {
            Value::Number(number) => number,
            Value::Truth(condition) => self.objects.arithmetic().from_truth(condition, kind),
            _ => self.fresh_number(kind, "unknown"),
        }
    }

    fn float(&mut self, expr: &Expr) -> TermId {
        match self.value(expr) {
            Value::Float(term) => term,
            _ => self.fresh_float(self.float_kind(expr.ty), "unknown"),
        }
    }

    fn float_kind(&self, ty: TypeId) -> FloatKind {
        self.objects.program.types.float_kind(ty).unwrap_or(FloatKind::Double)
    }

    fn fresh_float(&mut self, kind: FloatKind, hint: &str) -> TermId {
        let sort = self.objects.floating().sort(kind);
        self.state.fresh(self.objects, hint, sort, None)
    }

    /// Says that floating values are reals, where they are.
    pub(super) fn note_reals(&mut self) {
        if self.objects.floats == Floats::Real {
            self.notes.assume(Assumption::Reals);
        }
    }

    fn fresh_number(&mut self, kind: IntKind, hint: &str) -> Number {
        let arithmetic = self.objects.arithmetic();
        let term = self.state.fresh(self.objects, hint, arithmetic.sort(kind), Some(Holds::Int(kind, None)));
        arithmetic.of_type(term, kind)
    }

    /// Any value of the type.
    pub fn fresh_value(&mut self, ty: TypeId, hint: &str) -> Value {
        match self.objects.program.types.get(ty) {
            Type::Int(kind) => Value::Number(self.fresh_number(*kind, hint)),
            Type::Float(kind) => Value::Float(self.fresh_float(*kind, hint)),
            _ => Value::Unknown,
        }
    }

    pub fn null_offset(&self) -> TermId {
        self.objects.arithmetic().literal(i128::from(NULL_OFFSET), IntKind::Long).term
    }

    /// The value of a scalar expression; [`Value::Unknown`] for records and arrays.
    pub fn value(&mut self, expr: &Expr) -> Value {
        // Expressions come from users' programs and may be deep.
        stacker::maybe_grow(128 << 10, 4 << 20, || self.scalar(expr))
    }

    fn scalar(&mut self, expr: &Expr) -> Value {
        let (objects, pool) = (self.objects, self.pool());
        let types = &objects.program.types;
        match &expr.kind {
            ExprKind::Int(value) => {
                let kind = types.int_kind(expr.ty).unwrap_or(IntKind::Long);
                Value::Number(objects.arithmetic().literal(*value, kind))
            }
            ExprKind::Float(value) => {
                let kind = self.float_kind(expr.ty);
                self.float_constant(ieee::Value::from_f64(format(kind), *value), kind)
            }
            ExprKind::Extended(bits) => {
                let value = ieee::Value::from_bits(ieee::Format::Extended, *bits);
                self.float_constant(value, FloatKind::Extended)
            }
            ExprKind::Load(lvalue) => match self.location(lvalue) {
                Some(location) => {
                    self.decide_value(lvalue, &location, expr);
                    self.read(&location, expr.span)
                }
                None => self.fresh_value(expr.ty, "unknown"),
            },
            ExprKind::AddressOf(lvalue) => match self.location_unchecked(lvalue) {
                Some(location) => {
                    let zero = objects.arithmetic().literal(0, IntKind::Long).term;
                    Value::Pointer(location.place, location.index.unwrap_or(zero))
                }
                None => Value::Unknown,
            },
            ExprKind::Function(_) => Value::Unknown,
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.into()),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Logical(op, left, right) => {
                let left = self.condition(left);
                let guard = if *op == LogicalOp::And { left } else { pool.not(left) };
                let right = self.under(guard, |inner| inner.condition(right));
                Value::Truth(match op {
                    LogicalOp::And => pool.and(&[left, right]),
                    LogicalOp::Or => pool.or(&[left, right]),
                })
            }
            ExprKind::Conditional(condition, then, other) => {
                let condition = self.condition(condition);
                let then = self.under(condition, |inner| inner.value(then));
                let other = self.under(pool.not(condition), |inner| inner.value(other));
                self.choose(condition, then, other, expr.ty)
            }
            ExprKind::Convert { value, .. } => self.convert(value, expr),
        }
    }

    fn choose(&mut self, condition: TermId, then: Value, other: Value, ty: TypeId) -> Value {
        let (pool, arithmetic) = (self.pool(), self.objects.arithmetic());
        let kind = self.objects.program.types.int_kind(ty).unwrap_or(IntKind::Int);
        let as_number = |value: &Value| match value {
            Value::Number(number) => Some(number.clone()),
            Value::Truth(truth) => Some(arithmetic.from_truth(*truth, kind)),
            _ => None,
        };
        match (&then, &other) {
            (Value::Truth(a), Value::Truth(b)) => Value::Truth(pool.ite(condition, *a, *b)),
            (Value::Float(a), Value::Float(b)) => Value::Float(pool.ite(condition, *a, *b)),
            (Value::Null, Value::Null) => Value::Null,
            (Value::Pointer(p, a), Value::Pointer(q, b)) if p == q => {
                Value::Pointer(p.clone(), pool.ite(condition, *a, *b))
            }
            (Value::Pointer(p, a), Value::Null) => {
                Value::Pointer(p.clone(), pool.ite(condition, *a, self.null_offset()))
            }
            (Value::Null, Value::Pointer(q, b)) => {
                Value::Pointer(q.clone(), pool.ite(condition, self.null_offset(), *b))
            }
            _ => match (as_number(&then), as_number(&other)) {
                (Some(a), Some(b)) => Value::Number(arithmetic.choose(condition, &a, &b)),
                _ => Value::Unknown,
            },
        }
    }

    fn float_constant(&mut self, value: ieee::Value, kind: FloatKind) -> Value {
        self.note_reals();
        match self.objects.floating().constant(value) {
            Some(term) => Value::Float(term),
            None => Value::Float(self.fresh_float(kind, "constant")),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, at: Operation) -> Value {
        let (pool, arithmetic) = (self.pool(), self.objects.arithmetic());
        match op {
            UnaryOp::Not => {
                let condition = self.condition(operand);
                Value::Truth(pool.not(condition))
            }
            UnaryOp::Neg if self.objects.program.types.float_kind(operand.ty).is_some() => {
                let term = self.float(operand);
                Value::Float(self.objects.floating().negate(term))
            }
            UnaryOp::Neg => {
                let number = self.number(operand);
                let zero = arithmetic.literal(0, number.kind);
                self.integer(BinaryOp::Sub, &zero, &number, at)
            }
            UnaryOp::Complement => {
                let number = self.number(operand);
                Value::Number(arithmetic.complement(&number))
            }
        }
    }

    fn ring(&mut self, op: Ring, left: &Number, right: &Number, at: Operation) -> Value {
        let (number, fits) = self.objects.arithmetic().ring(op, left, right);
        match fits {
            Some(fits) => self.oblige(Hazard::Overflow, fits, at, Assumption::NoOverflow),
            None => self.decide(Hazard::Overflow, at),
        }
        Value::Number(number)
    }

    /// The magnitude of an integer, which C's `abs` gives.
    pub fn magnitude(&mut self, number: &Number, at: Operation) -> Number {
        let arithmetic = self.objects.arithmetic();
        let zero = arithmetic.literal(0, number.kind);
        let negative = arithmetic.less(number, &zero);
        match self.under(negative, |inner| inner.ring(Ring::Sub, &zero, number, at)) {
            Value::Number(opposite) => arithmetic.choose(negative, &opposite, number),
            _ => number.clone(),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, expr: &Expr) -> Value {
        let types = &self.objects.program.types;
        match op {
            BinaryOp::PointerAdd => {
                let pointer = self.value(left);
                let count = self.number(right);
                return self.pointer_add(pointer, &count, left.ty, expr.into());
            }
            BinaryOp::PointerDiff => {
                let (a, b) = (self.value(left), self.value(right));
                return match (a, b) {
                    (Value::Pointer(p, a), Value::Pointer(q, b)) if p == q && self.points_to(&p, left.ty) => {
                        self.both_inside(&p, a, b, expr.into());
                        let arithmetic = self.objects.arithmetic();
                        let number = |term| arithmetic.of_type(term, IntKind::Long);
                        Value::Number(arithmetic.ring(Ring::Sub, &number(a), &number(b)).0)
                    }
                    _ => self.fresh_value(expr.ty, "difference"),
                };
            }
            _ if types.is_pointer(left.ty) => return self.compare_pointers(op, left, right, expr),
            _ if types.float_kind(left.ty).is_some() => {
                let (a, b) = (self.float(left), self.float(right));
                return self.float_binary(op, a, b, expr.ty);
            }
            _ => {}
        }
        let left_value = self.value(left);
        let right_value = self.value(right);
        // Comparisons of truth values and their bit operations stay truth values.
        if let (Value::Truth(a), Value::Truth(b)) = (&left_value, &right_value) {
            let pool = self.pool();
            match op {
                BinaryOp::BitAnd | BinaryOp::Mul => return Value::Truth(pool.and(&[*a, *b])),
                BinaryOp::BitOr => return Value::Truth(pool.or(&[*a, *b])),
                BinaryOp::BitXor | BinaryOp::Ne => return Value::Truth(pool.xor(*a, *b)),
                BinaryOp::Eq => return Value::Truth(pool.eq(*a, *b)),
                _ => {}
            }
        }
        let a = self.as_number(left_value, left.ty);
        let b = self.as_number(right_value, right.ty);
        self.integer(op, &a, &b, expr.into())
    }

    pub(super) fn as_number(&mut self, value: Value, ty: TypeId) -> Number {
        let kind = self.objects.program.types.int_kind(ty).unwrap_or(IntKind::Long);
        match value {
            Value::Number(number) => number,
            Value::Truth(condition) => self.objects.arithmetic().from_truth(condition, kind),
            _ => self.fresh_number(kind, "unknown"),
        }
    }

    fn integer(&mut self, op: BinaryOp, a: &Number, b: &Number, at: Operation) -> Value {
        let arithmetic = self.objects.arithmetic();
        match op {
            _ if op.is_comparison() => Value::Truth(arithmetic.compared(op, a, b)),
            BinaryOp::PointerAdd | BinaryOp::PointerDiff => Value::Unknown,
            _ => {
                let (left, right) = arithmetic.operands(a, b);
                let result = self.computed(op, &left, &right, at);
                Value::Number(if a.kind == IntKind::Bool { arithmetic.convert(&result, a.kind) } else { result })
            }
        }
    }

    /// The value of an operator that is no comparison, with what must hold for it to be defined.
    fn computed(&mut self, op: BinaryOp, a: &Number, b: &Number, at: Operation) -> Number {
        let arithmetic = self.objects.arithmetic();
        for hazard in Hazard::of(op) {
            self.decide(hazard, at);
        }
        for (case, claim) in arithmetic.claims(op, a, b) {
            let hazard = Hazard::from(case);
            let assumption = match hazard {
                Hazard::Overflow => Assumption::NoOverflow,
                Hazard::DivisionByZero => Assumption::NoDivisionByZero,
                // The bits that bit-vectors lose are those that compiled programs lose.
                _ if case == Case::LeftShift && self.objects.ints == Ints::Machine && !self.is_wanted() => continue,
                _ => Assumption::NoBadShift,
            };
            self.oblige(hazard, claim, at, assumption);
        }
        if self.objects.ints == Ints::Machine {
            return arithmetic.computed(op, a, b);
        }
        match (op, Ring::of(op)) {
            (_, Some(ring)) => arithmetic.ring(ring, a, b).0,
            (BinaryOp::Div | BinaryOp::Rem, _) => self.divide(op, a, b),
            (BinaryOp::Shl | BinaryOp::Shr, _) => self.shift(op, a, b),
            (BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, _) => self.bitwise(op, a, b),
            _ => unreachable!("{op:?} should have been dealt with, because it computes no integer"),
        }
    }

    /// A quotient or remainder of unbounded integers.
    fn divide(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let (pool, kind) = (self.pool(), a.kind);
        let natural = a.range.is_natural() && b.range.is_natural();
        let range = match op {
            BinaryOp::Div if natural => Range { lo: Int::ZERO, hi: a.range.hi.clone() },
            BinaryOp::Rem if natural => {
                let largest = (b.range.hi.clone() - Int::ONE).max(Int::ZERO);
                Range { lo: Int::ZERO, hi: largest.min(a.range.hi.clone()) }
            }
            _ => Range::of(kind),
        };
        let term = match (literal(pool, a.term), literal(pool, b.term)) {
            (Some(x), Some(y)) if y != Int::ZERO => pool.int(if op == BinaryOp::Div { x / y } else { x % y }),
            (_, Some(y)) if y == Int::ONE => {
                if op == BinaryOp::Div {
                    a.term
                } else {
                    pool.int(0)
                }
            }
            _ => {
                let division = self.state.divide(self.objects, a.term, b.term, a.range.is_natural());
                if op == BinaryOp::Div { division.quotient } else { division.remainder }
            }
        };
        Number { term, kind, range }
    }

    /// A bit operation on unbounded integers.
    fn bitwise(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let (pool, kind) = (self.pool(), a.kind);
        let arithmetic = self.objects.arithmetic();
        if let (Some(x), Some(y)) = (literal(pool, a.term), literal(pool, b.term)) {
            let value = match op {
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                _ => x ^ y,
            };
            return arithmetic.constant(value, kind);
        }
        for (number, mask) in [(a, literal(pool, b.term)), (b, literal(pool, a.term))] {
            let Some(mask) = mask else { continue };
            match op {
                BinaryOp::BitAnd if mask == Int::ZERO => return arithmetic.literal(0, kind),
                BinaryOp::BitAnd if mask > Int::ZERO => {
                    if let Some(term) = self.masked(number, &mask) {
                        let range = Range { lo: Int::ZERO, hi: mask };
                        return Number { term, kind, range };
                    }
                }
                BinaryOp::BitOr | BinaryOp::BitXor if mask == Int::ZERO => return number.clone(),
                BinaryOp::BitXor if mask == Int::NEG_ONE => return arithmetic.complement(number),
                _ => {}
            }
        }
        self.bits_between(op, a, b)
    }

    /// A bit operation of which only bounds are known.
    fn bits_between(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let (pool, kind) = (self.pool(), a.kind);
        let arithmetic = self.objects.arithmetic();
        // No range of the type here: operands that are not evaluated may be out of range, and a definition has to
        // have a solution even then.
        let term = self.state.fresh(self.objects, "bits", smt::SortId::INT, None);
        let zero = pool.int(0);
        let both_natural = pool.and(&[pool.ge(a.term, zero), pool.ge(b.term, zero)]);
        let (a, b) = (a.term, b.term);
        let bounds = match op {
            BinaryOp::BitAnd => pool.and(&[pool.ge(term, zero), pool.le(term, a), pool.le(term, b)]),
            BinaryOp::BitOr => pool.and(&[pool.ge(term, a), pool.ge(term, b), pool.le(term, pool.add(a, b))]),
            _ => pool.and(&[pool.ge(term, zero), pool.le(term, pool.add(a, b))]),
        };
        self.state.path.definitions.push(pool.implies(both_natural, bounds));
        let number = arithmetic.of_type(term, kind);
        let fits = arithmetic.in_range(term, &Range::of(kind));
        self.assume(fits);
        number
    }

    /// `number & mask` where the mask is a run of ones.
    fn masked(&mut self, number: &Number, mask: &Int) -> Option<TermId> {
        let pool = self.pool();
        let low = trailing_zeros(mask);
        let run = (mask >> low) + Int::ONE;
        if !is_power_of_two(&run) {
            return None;
        }
        let high = self.shifted_down(number, low);
        // The bits above the run do not count: what is left is the remainder.
        let rest = match high.range.is_natural() {
            true if high.range.hi < run => high.term,
            true => self.state.divide(self.objects, high.term, pool.int(run), true).remainder,
            false => pool.int_mod(high.term, pool.int(run)),
        };
        Some(pool.mul(pool.int(Int::ONE << low), rest))
    }

    /// The number divided by a power of two and rounded down.
    fn shifted_down(&mut self, number: &Number, by: usize) -> Number {
        if by == 0 {
            return number.clone();
        }
        let (pool, power) = (self.pool(), Int::ONE << by);
        let range = Range { lo: &number.range.lo >> by, hi: &number.range.hi >> by };
        let term = match literal(pool, number.term) {
            Some(value) => pool.int(value >> by),
            None if number.range.is_natural() => {
                self.state.divide(self.objects, number.term, pool.int(power), true).quotient
            }
            None => pool.int_div(number.term, pool.int(power)),
        };
        Number { term, kind: number.kind, range }
    }

    /// A shift of unbounded integers.
    fn shift(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let (pool, arithmetic, kind) = (self.pool(), self.objects.arithmetic(), a.kind);
        let width = Int::from(kind.bits());
        let amount = literal(pool, b.term).filter(|amount| *amount >= Int::ZERO && *amount < width);
        match (amount, op) {
            (Some(amount), BinaryOp::Shl) => {
                let by = usize::try_from(amount).unwrap_or(0);
                if kind.is_signed() {
                    // Where the shift is defined, nothing is lost and nothing is negative.
                    let most = (Range::of(kind).hi >> by) << by;
                    let range = Range { lo: a.range.lo.clone() << by, hi: a.range.hi.clone() << by };
                    let term = pool.mul(pool.int(Int::ONE << by), a.term);
                    return Number { term, kind, range: range.meet(&Range { lo: Int::ZERO, hi: most }) };
                }
                arithmetic.ring(Ring::Mul, a, &arithmetic.constant(Int::ONE << by, kind)).0
            }
            (Some(amount), _) => self.shifted_down(a, usize::try_from(amount).unwrap_or(0)),
            (None, _) => {
                // Of a shift by a computed amount: right shifts of naturals do not grow, left shifts of them do not
                // shrink as long as nothing is lost.
                let term = self.state.fresh(self.objects, "shifted", smt::SortId::INT, None);
                let zero = pool.int(0);
                if op == BinaryOp::Shr {
                    let bounds = pool.and(&[pool.ge(term, zero), pool.le(term, a.term)]);
                    self.state.path.definitions.push(pool.implies(pool.ge(a.term, zero), bounds));
                } else if kind.is_signed() {
                    self.state.path.definitions.push(pool.implies(pool.ge(a.term, zero), pool.ge(term, a.term)));
                }
                let fits = arithmetic.in_range(term, &Range::of(kind));
                self.assume(fits);
                arithmetic.of_type(term, kind)
            }
        }
    }

    fn float_binary(&mut self, op: BinaryOp, a: TermId, b: TermId, ty: TypeId) -> Value {
        self.note_reals();
        let floating = self.objects.floating();
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                Value::Float(floating.arithmetic(op, a, b))
            }
            _ if op.is_comparison() => Value::Truth(floating.compare(op, a, b)),
            _ => self.fresh_value(ty, "unknown"),
        }
    }

    fn convert(&mut self, value: &Expr, expr: &Expr) -> Value {
        let to = expr.ty;
        let objects = self.objects;
        let types = &objects.program.types;
        let arithmetic = objects.arithmetic();
        match (types.get(value.ty), types.get(to)) {
            (Type::Int(_), Type::Int(to)) => match self.value(value) {
                // 0 and 1 are values of every integer type.
                Value::Truth(condition) => Value::Number(arithmetic.from_truth(condition, *to)),
                other => {
                    let number = self.as_number(other, value.ty);
                    Value::Number(arithmetic.convert(&number, *to))
                }
            },
            (Type::Int(_), Type::Float(kind)) => {
                let number = self.number(value);
                self.note_reals();
                Value::Float(objects.floating().of_number(arithmetic, &number, *kind))
            }
            (Type::Float(_), Type::Float(kind)) => {
                let term = self.float(value);
                self.note_reals();
                Value::Float(objects.floating().convert(term, *kind))
            }
            (Type::Float(_), Type::Int(kind)) => {
                let term = self.float(value);
                self.note_reals();
                if *kind == IntKind::Bool {
                    let condition = objects.floating().is_nonzero(term);
                    return Value::Number(arithmetic.from_truth(condition, *kind));
                }
                let (number, fits) = objects.floating().to_number(arithmetic, term, *kind);
                self.oblige(Hazard::Conversion, fits, expr.into(), Assumption::ConversionsFit);
                Value::Number(number)
            }
            (Type::Pointer { .. }, Type::Pointer { .. }) => self.value(value),
            (Type::Pointer { .. }, Type::Int(IntKind::Bool)) => {
                let condition = self.condition(value);
                Value::Number(arithmetic.from_truth(condition, IntKind::Bool))
            }
            (Type::Int(_), Type::Pointer { .. }) if matches!(value.kind, ExprKind::Int(0)) => Value::Null,
            _ => {
                self.value(value);
                self.fresh_value(to, "unknown")
            }
        }
    }
}

/// The exact value of a literal integer term.
pub(super) fn literal(pool: &TermPool, term: TermId) -> Option<Int> {
    if let Op::Int(value) = pool.op(term) { Some(value.clone()) } else { None }
}

fn trailing_zeros(value: &Int) -> usize {
    let mut count = 0;
    let mut rest = value.clone();
    while rest != Int::ZERO && &rest % Int::from(2) == Int::ZERO {
        rest >>= 1;
        count += 1;
    }
    count
}

fn is_power_of_two(value: &Int) -> bool {
    *value > Int::ZERO && (Int::ONE << trailing_zeros(value)) == *value
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arbitrary::borders;
    use ir::{StmtKind, arith};
    use smt::{Outcome, Solver};
    use std::collections::BTreeMap;

    /// Every operator in both kinds of integers, on values around the borders of its type: where the concrete meaning
    /// is undefined a check fails, and elsewhere the concrete value is a possible one. It is the only one unless the
    /// operation is one of which only bounds are modelled.
    #[test]
    fn values_agree_with_the_concrete_meaning() {
        for ints in [Ints::Math, Ints::Machine] {
            for kind in [IntKind::Int, IntKind::UInt, IntKind::Long] {
                for op in BinaryOp::NUMERIC {
                    compare(ints, kind, op);
                }
            }
        }
    }

    fn compare(ints: Ints, kind: IntKind, op: BinaryOp) {
        let c = kind.c_name();
        let text = format!("int f({c} a, {c} b) {{ return (a {} b) != 0; }}", op.symbol());
        let program = cfront::load_text(&[("twin.c", &text)]).expect("the function should be accepted").program;
        let function = program.find_function("f").expect("the function should exist");
        let body = program.functions[function].body.as_ref().expect("the function should have a body");
        let mut whole = None;
        body.walk(&mut |stmt| {
            if let StmtKind::Return(Some(value)) = &stmt.kind {
                value.walk(&mut |part| {
                    if matches!(&part.kind, ExprKind::Binary(found, ..) if *found == op) {
                        whole = Some(part);
                    }
                });
            }
        });
        let whole = whole.expect("the operation should be in the function");
        let mut objects = Objects::new(&program, TermPool::new(), ints, crate::Floats::Exact, true);
        let frame = objects.add_frame(function, "");
        objects.make_cells(&BTreeMap::new());
        let params = program.functions[function].params.clone();
        let cell = |index: usize| objects.cell_of(objects.local(frame, params[index]), &[]).expect("a parameter");
        let symbols = [objects.cell(cell(0)).symbol, objects.cell(cell(1)).symbol];
        let (mut state, mut notes) = (State::at_cut(&objects), Notes::default());
        let mut checks = Checks { wanted: true, ..Checks::default() };
        let mut evaluation = Evaluation::new(&objects, &mut state, &mut notes, frame, Some(&mut checks));
        let value = evaluation.value(whole);
        let result = evaluation.as_number(value, whole.ty);
        let (pool, arithmetic) = (&objects.pool, objects.arithmetic());
        let mut solver = Solver::new(pool);
        state.path.definitions.iter().for_each(|term| solver.assert(*term));
        for a in borders(kind) {
            for b in borders(kind) {
                let given = [(symbols[0], a), (symbols[1], b)]
                    .map(|(symbol, value)| pool.eq(symbol, arithmetic.literal(value, kind).term));
                let what = format!("{a} {op:?} {b} in {kind:?}, {ints:?}");
                solver.push();
                given.iter().for_each(|term| solver.assert(*term));
                checks.found.iter().for_each(|check| solver.assert(check.claim));
                match arith::binary(op, kind, a, kind, b) {
                    Err(_) => assert!(matches!(solver.check(), Outcome::Unsat { .. }), "{what} is undefined"),
                    Ok(expected) => {
                        let expected = arithmetic.literal(expected, result.kind).term;
                        let outcome = solver.check_assuming(&[pool.eq(result.term, expected)]);
                        assert!(matches!(outcome, Outcome::Sat { .. }), "{what} should be possible: {outcome:?}");
                        let bounds_only = matches!(op, BitAnd | BitOr | BitXor | Shl | Shr) && ints == Ints::Math;
                        if !bounds_only {
                            let outcome = solver.check_assuming(&[pool.ne(result.term, expected)]);
                            assert!(matches!(outcome, Outcome::Unsat { .. }), "{what} should be the only value");
                        }
                    }
                }
                solver.pop();
            }
        }
    }

    use BinaryOp::{BitAnd, BitOr, BitXor, Shl, Shr};
}
