//! C's floating operators: exact on known values, over the reals on terms.
//!
//! A term stands for what the value would be without rounding, infinities and NaN. So what follows from terms here is a
//! proposal; the search notes that reals were used, and nothing is called unreachable after that.

use super::value::{Real, Truth};
use exec::vm::{self, Class};
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
    match kind {
        FloatKind::Float => f64::from(value.as_float()),
        FloatKind::Double => value.as_double(),
        FloatKind::Extended => vm::extended_to_double(value.as_extended()),
    }
}

/// A `double` as a known value of a floating type.
pub fn known(kind: FloatKind, value: f64) -> Real {
    Real::Known(
        kind,
        match kind {
            FloatKind::Float => vm::Value::float(value as f32),
            FloatKind::Double => vm::Value::double(value),
            FloatKind::Extended => vm::Value::extended(vm::double_to_extended(value)),
        },
    )
}

/// `left op right`, no comparison; `None` where a term would need an infinity.
pub fn binary(pool: &TermPool, op: BinaryOp, left: &Real, right: &Real) -> Option<Real> {
    let kind = left.kind();
    if let (Real::Known(_, a), Real::Known(_, b)) = (left, right) {
        return Some(match kind {
            FloatKind::Extended => Real::Known(kind, vm::evaluate_extended(op, *a, *b)),
            FloatKind::Float => {
                let (a, b) = (a.as_float(), b.as_float());
                Real::Known(kind, vm::Value::float(apply(op, a, b)))
            }
            FloatKind::Double => {
                let (a, b) = (a.as_double(), b.as_double());
                Real::Known(kind, vm::Value::double(apply(op, a, b)))
            }
        });
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

fn apply<T>(op: BinaryOp, a: T, b: T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T> + std::ops::Div<Output = T>,
{
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        _ => a / b,
    }
}

pub fn compare(pool: &TermPool, op: BinaryOp, left: &Real, right: &Real) -> Option<Truth> {
    if let (Real::Known(from, a), Real::Known(_, b)) = (left, right) {
        let wide = |value| {
            vm::convert(Class::Float(*from), Class::Float(FloatKind::Extended), value)
                .expect("widening should be defined, because every value fits")
        };
        return Some(Truth::Known(vm::evaluate_extended(op, wide(*a), wide(*b)).as_i32() != 0));
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
        Real::Known(FloatKind::Float, value) => Real::Known(FloatKind::Float, vm::Value::float(-value.as_float())),
        Real::Known(FloatKind::Double, value) => Real::Known(FloatKind::Double, vm::Value::double(-value.as_double())),
        Real::Known(kind, value) => Real::Known(*kind, vm::negate_extended(*value)),
    }
}

pub fn is_nonzero(pool: &TermPool, value: &Real) -> Truth {
    match value {
        Real::Known(kind, value) => Truth::Known(vm::is_true(Class::Float(*kind), *value)),
        Real::Open(_, term) => Truth::of(pool, pool.ne(*term, pool.real(Rational::ZERO))),
    }
}

pub fn convert(value: &Real, to: FloatKind) -> Real {
    match value {
        Real::Open(_, term) => Real::Open(to, *term),
        Real::Known(from, value) => {
            let converted = vm::convert(Class::Float(*from), Class::Float(to), *value);
            Real::Known(to, converted.expect("conversions between floating types should be defined"))
        }
    }
}
