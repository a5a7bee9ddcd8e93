//! Simplification while terms are built.
//!
//! Every builder goes through [`TermPool::build`](crate::TermPool::build), which applies the rules
//! of this folder to one operator whose arguments are simplified already, and interns the result.
//!
//! *Guarantee*: the result has the same value as the plain term under every model, also where
//! SMT-LIB leaves a value open (division by zero is never folded). `tests/properties.rs` checks it
//! against the evaluator and against Z3.
//!
//! *Cost*: each rule looks a bounded distance below the root (at most [`WIDTH_LIMIT`] arguments),
//! and none recurses along the depth of a term, so building a term of n operators stays linear.

mod arith;
mod bitvec;
mod boolean;
mod data;
mod float;

use crate::eval::{Applied, apply};
use crate::hash::IdMap;
use crate::pool::TermPool;
use crate::sort::SortId;
use crate::term::{Op, TermId};
use crate::value::Value;
use dashu_int::ops::BitTest;

/// Longest argument list that flattening produces and linear normalisation looks at.
pub(crate) const WIDTH_LIMIT: usize = 64;

/// Literals beyond this many bits are not multiplied out: folding must not cost more than solving.
const FOLD_LIMIT: usize = 1 << 14;

/// The simplified application of an operator.
pub(crate) fn build(pool: &TermPool, op: Op, args: &[TermId]) -> TermId {
    if let Some(folded) = fold(pool, &op, args) {
        return folded;
    }
    match op {
        Op::Not => boolean::not(pool, args[0]),
        Op::And | Op::Or => boolean::connective(pool, matches!(op, Op::And), args),
        Op::Xor => boolean::xor(pool, args[0], args[1]),
        Op::Ite => boolean::ite(pool, args[0], args[1], args[2]),
        Op::Eq => equality(pool, args[0], args[1]),
        Op::Distinct => boolean::distinct(pool, args),
        Op::Add => arith::add(pool, args),
        Op::Mul => arith::mul(pool, args),
        Op::Le => arith::at_most(pool, args[0], args[1], false),
        Op::Lt => arith::at_most(pool, args[0], args[1], true),
        Op::IntDiv | Op::IntMod | Op::RealDiv => arith::divide(pool, op, args),
        Op::ToInt | Op::IsInt | Op::ToReal => arith::convert(pool, op, args[0]),
        Op::Select => data::select(pool, args[0], args[1]),
        Op::Store => data::store(pool, args[0], args[1], args[2]),
        Op::Field(..) | Op::Is(_) => data::inspect(pool, op, args[0]),
        Op::Quant(_) => boolean::quantifier(pool, op, args),
        Op::FpEq | Op::FpLe if args[0] == args[1] && float::is_number(pool, args[0]) => pool.bool(true),
        Op::FpLt if args[0] == args[1] => pool.bool(false),
        Op::FpConvert(format) => float::convert(pool, format, args[0]),
        Op::FpAdd
        | Op::FpSub
        | Op::FpMul
        | Op::FpDiv
        | Op::FpNeg
        | Op::FpAbs
        | Op::FpRound(_)
        | Op::FpSqrt
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::FpFromBv { .. }
        | Op::FpFromBits(_)
        | Op::FpToBv { .. } => pool.raw(op, args),
        Op::True
        | Op::False
        | Op::Int(_)
        | Op::Real(_)
        | Op::Bits(_)
        | Op::Float(_)
        | Op::App(_)
        | Op::ConstArray(_)
        | Op::Construct(_) => pool.raw(op, args),
        _ => bitvec::bit_vector(pool, op, args),
    }
}

/// An operator on literals, computed.
fn fold(pool: &TermPool, op: &Op, args: &[TermId]) -> Option<TermId> {
    if args.is_empty() || matches!(op, Op::App(_) | Op::Quant(_) | Op::Construct(_)) {
        return None;
    }
    let mut values = Vec::with_capacity(args.len());
    let mut size = 0;
    for arg in args {
        let value = match pool.op(*arg) {
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::Int(n) => {
                size += n.bit_len();
                Value::Int(n.clone())
            }
            Op::Real(q) => {
                size += q.numerator().bit_len() + q.denominator().bit_len();
                Value::Real(q.clone())
            }
            Op::Bits(b) => Value::Bits(b.clone()),
            Op::Float(value) => Value::Float(*value),
            _ => return None,
        };
        values.push(value);
    }
    if size > FOLD_LIMIT {
        return None;
    }
    match apply(pool, op, &values) {
        Applied::Value(Value::Bool(b)) => Some(pool.bool(b)),
        Applied::Value(Value::Int(n)) => Some(pool.int(n)),
        Applied::Value(Value::Real(q)) => Some(pool.real(q)),
        Applied::Value(Value::Bits(b)) => Some(pool.raw(Op::Bits(b), &[])),
        Applied::Value(Value::Float(value)) => Some(pool.float(value)),
        _ => None,
    }
}

fn equality(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    if a == b {
        return pool.bool(true);
    }
    let (op_a, op_b) = (pool.op(a), pool.op(b));
    if op_a.is_literal() && op_b.is_literal() {
        // Too large to be folded, yet different literals are different values.
        return pool.bool(false);
    }
    // (= (ite c 1 0) 0), which C's conditions produce in masses, is just (not c).
    if let Some(condition) = boolean::equal_to_choice(pool, a, b).or_else(|| boolean::equal_to_choice(pool, b, a)) {
        return condition;
    }
    match pool.sort_of(a) {
        SortId::BOOL => boolean::equivalence(pool, a, b),
        SortId::INT | SortId::REAL => arith::equal(pool, a, b),
        _ => match (op_a, op_b) {
            (Op::Construct(_), Op::Construct(_)) => data::equal_constructors(pool, a, b),
            (Op::Bits(_), _) | (_, Op::Bits(_)) => bitvec::equal_literal(pool, a, b),
            _ => ordered_equality(pool, a, b),
        },
    }
}

/// The plain equation with its sides in an order that does not depend on ids; literals go right.
fn ordered_equality(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    let key = |t: TermId| (pool.op(t).is_literal(), pool.node(t).hash, t);
    let (a, b) = if key(a) <= key(b) { (a, b) } else { (b, a) };
    pool.raw(Op::Eq, &[a, b])
}

impl TermPool {
    /// Rebuilds terms made with [`TermPool::raw`] through the simplifying builders.
    pub fn simplify(&self, term: TermId) -> TermId {
        let mut done: IdMap<TermId, TermId> = IdMap::default();
        for t in self.postorder(&[term]) {
            let args: Vec<_> = self.args(t).iter().map(|a| done[a]).collect();
            done.insert(t, self.build(self.op(t).clone(), &args));
        }
        done[&term]
    }
}
