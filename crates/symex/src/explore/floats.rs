//! C's floating operators: exact on known values, over the reals on terms.
//!
//! A term stands for what the value would be without rounding, infinities and NaN. So what follows from terms here is a
//! proposal; the search notes that reals were used, and nothing is called unreachable after that.

use super::value::{Real, Truth};
use exec::vm;
use ir::arith::Float;
use ir::{BinaryOp, FloatKind};
use smt::{Rational, TermId, TermPool};

/// The real number of a value; `None` for infinities and NaN.
pub fn term(pool: &TermPool, value: &Real) -> Option<TermId> {
    match value {
        Real::Open(_, term) => Some(*term),
        Real::Known(kind, value) => Rational::try_from(to_double(*kind, *value)).ok().map(|value| pool.real(value)),
    }
}

/// A known value as a `double`, rounded if it is a `long double`.
pub fn to_double(kind: FloatKind, value: vm::Value) -> f64 {
    value.as_floating(kind).to_f64()
}

/// A `double` as a known value of a floating type.
pub fn known(kind: FloatKind, value: f64) -> Real {
    Real::Known(kind, vm::Value::floating(Float::from_f64(kind, value)))
}

/// `left op right`, no comparison; `None` where a term would need an infinity.
pub fn binary(pool: &TermPool, op: BinaryOp, left: &Real, right: &Real) -> Option<Real> {
    let kind = left.kind();
    if let (Real::Known(_, a), Real::Known(_, b)) = (left, right) {
        let result = a.as_floating(kind).binary(op, b.as_floating(kind));
        return Some(Real::Known(kind, vm::Value::floating(result)));
    }
    let (a, b) = (term(pool, left)?, term(pool, right)?);
    let result = match op {
        BinaryOp::Add => pool.add(a, b),
        BinaryOp::Sub => pool.sub(a, b),
        BinaryOp::Mul => pool.mul(a, b),
        _ => pool.real_div(a, b),
    };
    Some(Real::Open(kind, result))
}

pub fn compare(pool: &TermPool, op: BinaryOp, left: &Real, right: &Real) -> Option<Truth> {
    if let (Real::Known(kind, a), Real::Known(_, b)) = (left, right) {
        return Some(Truth::Known(a.as_floating(*kind).compare(op, b.as_floating(*kind))));
    }
    let (a, b) = (term(pool, left)?, term(pool, right)?);
    let result = match op {
        BinaryOp::Eq => pool.eq(a, b),
        BinaryOp::Ne => pool.ne(a, b),
        BinaryOp::Lt => pool.lt(a, b),
        BinaryOp::Le => pool.le(a, b),
        BinaryOp::Gt => pool.gt(a, b),
        _ => pool.ge(a, b),
    };
    Some(Truth::of(pool, result))
}

pub fn negate(pool: &TermPool, value: &Real) -> Real {
    match value {
        Real::Open(kind, term) => Real::Open(*kind, pool.neg(*term)),
        Real::Known(kind, value) => Real::Known(*kind, vm::Value::floating(value.as_floating(*kind).negate())),
    }
}

pub fn is_nonzero(pool: &TermPool, value: &Real) -> Truth {
    match value {
        Real::Known(kind, value) => Truth::Known(!value.as_floating(*kind).is_zero()),
        Real::Open(_, term) => Truth::of(pool, pool.ne(*term, pool.real(Rational::ZERO))),
    }
}

pub fn convert(value: &Real, to: FloatKind) -> Real {
    match value {
        Real::Open(_, term) => Real::Open(to, *term),
        Real::Known(from, value) => Real::Known(to, vm::Value::floating(value.as_floating(*from).convert(to))),
    }
}
