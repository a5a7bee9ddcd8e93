//! C's floating operators on values that are known or terms: IEEE 754 as x86-64 computes it, in both forms.
//!
//! Known operands are computed by the VM's own arithmetic, terms by [`Floating`]; `terms_agree_with_the_vm` compares the two.

use super::value::{Float, Truth};
use crate::Floats;
use crate::floating::{Floating, format};
use exec::vm;
use ir::arith;
use ir::{BinaryOp, FloatKind};
use smt::{TermId, TermPool};

pub fn exact(pool: &TermPool) -> Floating<'_> {
    Floating { pool, floats: Floats::Exact }
}

/// The value as a term.
pub fn term(pool: &TermPool, value: &Float) -> TermId {
    match value {
        Float::Symbolic(_, term) => *term,
        Float::Concrete(kind, value) => pool.float(ieee::Value::from_bits(format(*kind), bits(*kind, *value))),
    }
}

fn bits(kind: FloatKind, value: vm::Value) -> u128 {
    match kind {
        FloatKind::Float => u128::from(value.as_float().to_bits()),
        FloatKind::Double => u128::from(value.as_double().to_bits()),
        FloatKind::Extended => value.as_extended(),
    }
}

/// A term becomes known where it is a constant.
pub fn float(pool: &TermPool, kind: FloatKind, term: TermId) -> Float {
    match pool.op(term) {
        smt::Op::Float(value) => Float::Concrete(
            kind,
            match kind {
                FloatKind::Float => vm::Value::float(f32::from_bits(value.to_bits() as u32)),
                FloatKind::Double => vm::Value::double(f64::from_bits(value.to_bits() as u64)),
                FloatKind::Extended => vm::Value::extended(value.to_bits()),
            },
        ),
        _ => Float::Symbolic(kind, term),
    }
}

/// A known value as a `double`, rounded if it is a `long double`.
pub fn to_double(kind: FloatKind, value: vm::Value) -> f64 {
    value.as_floating(kind).to_f64()
}

/// A `double` as a known value of a floating type.
pub fn known(kind: FloatKind, value: f64) -> Float {
    Float::Concrete(kind, vm::Value::floating(arith::Float::from_f64(kind, value)))
}

/// `left op right`, no comparison.
pub fn binary(pool: &TermPool, op: BinaryOp, left: &Float, right: &Float) -> Float {
    let kind = left.kind();
    if let (Float::Concrete(_, a), Float::Concrete(_, b)) = (left, right) {
        let result = a.as_floating(kind).binary(op, b.as_floating(kind));
        return Float::Concrete(kind, vm::Value::floating(result));
    }
    float(pool, kind, exact(pool).arithmetic(op, term(pool, left), term(pool, right)))
}

pub fn compare(pool: &TermPool, op: BinaryOp, left: &Float, right: &Float) -> Truth {
    if let (Float::Concrete(kind, a), Float::Concrete(_, b)) = (left, right) {
        return Truth::Concrete(a.as_floating(*kind).compare(op, b.as_floating(*kind)));
    }
    Truth::of(pool, exact(pool).compare(op, term(pool, left), term(pool, right)))
}

pub fn negate(pool: &TermPool, value: &Float) -> Float {
    match value {
        Float::Symbolic(kind, term) => Float::Symbolic(*kind, pool.fp_neg(*term)),
        Float::Concrete(kind, value) => Float::Concrete(*kind, vm::Value::floating(value.as_floating(*kind).negate())),
    }
}

pub fn is_nonzero(pool: &TermPool, value: &Float) -> Truth {
    match value {
        Float::Concrete(kind, value) => Truth::Concrete(!value.as_floating(*kind).is_zero()),
        Float::Symbolic(_, term) => Truth::of(pool, exact(pool).is_nonzero(*term)),
    }
}

pub fn convert(pool: &TermPool, value: &Float, to: FloatKind) -> Float {
    match value {
        Float::Symbolic(_, term) => float(pool, to, exact(pool).convert(*term, to)),
        Float::Concrete(from, value) => Float::Concrete(to, vm::Value::floating(value.as_floating(*from).convert(to))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Model, Value};

    /// Every operator on values that matter, as terms under a model, gives what the VM gives.
    #[test]
    fn terms_agree_with_the_vm() {
        use BinaryOp::*;
        let pool = TermPool::new();
        let samples = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e8,
            16_777_217.0,
            1e-45,
            3.4e38,
            1e308,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::Extended] {
            let symbol =
                |name: &str| Float::Symbolic(kind, pool.var(&format!("{name} {kind:?}"), exact(&pool).sort(kind)));
            let (x, y) = (symbol("x"), symbol("y"));
            for a in samples {
                for b in samples {
                    let (p, q) = (known(kind, a), known(kind, b));
                    let value = |of: &Float| match pool.op(term(&pool, of)) {
                        smt::Op::Float(value) => *value,
                        other => panic!("a known value should be a literal, not {other:?}"),
                    };
                    let mut model = Model::new(&pool);
                    model.set(term(&pool, &x), Value::Float(value(&p)));
                    model.set(term(&pool, &y), Value::Float(value(&q)));
                    for op in [Add, Sub, Mul, Div] {
                        let ours = model.eval(term(&pool, &binary(&pool, op, &x, &y))).unwrap();
                        assert_eq!(ours, Value::Float(value(&binary(&pool, op, &p, &q))), "{a} {op:?} {b} in {kind:?}");
                    }
                    for op in [Eq, Ne, Lt, Le, Gt, Ge] {
                        let ours = model.eval(compare(&pool, op, &x, &y).term(&pool)).unwrap();
                        let theirs = compare(&pool, op, &p, &q) == Truth::Concrete(true);
                        assert_eq!(ours, Value::Bool(theirs), "{a} {op:?} {b} in {kind:?}");
                    }
                }
            }
        }
    }
}
