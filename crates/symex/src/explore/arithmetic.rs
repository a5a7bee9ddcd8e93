//! C's operators on integers that are known or terms: the value, and what must hold for it to be defined.
//!
//! Known operands are computed by [`ir::arith`], as the VM's are, so that both engines mean the same. Of terms the interval
//! that [`Number`] carries decides most claims without a solver: a sum of two characters cannot overflow.

use super::value::{Integer, Pointer, Target, Truth};
use crate::Ints;
use crate::number::{Arithmetic, Number};
use diagnostics::Rule;
use exec::memory::Fault;
use ir::arith::{self, Case};
use ir::{BinaryOp, IntKind};
use smt::{TermId, TermPool};

/// What must hold for an operation to be defined.
pub struct Claim {
    pub holds: TermId,
    pub rule: Rule,
    pub message: &'static str,
}

type Computed = Result<(Integer, Vec<Claim>), Box<Fault>>;

pub fn machine(pool: &TermPool) -> Arithmetic<'_> {
    Arithmetic { pool, ints: Ints::Machine }
}

/// The integer with its term. Addresses are given numbers that no other object has.
pub fn number(pool: &TermPool, integer: &Integer) -> Number {
    let arithmetic = machine(pool);
    match integer {
        Integer::Concrete(kind, value) => arithmetic.literal(*value, *kind),
        Integer::Symbolic(number) => number.clone(),
        Integer::Address(kind, pointer) => arithmetic.of_type(address_term(pool, pointer), *kind),
    }
}

/// A term becomes known where it is a constant.
pub fn integer(pool: &TermPool, number: Number) -> Integer {
    match pool.op(number.term) {
        smt::Op::Bits(bits) => {
            let value = if number.kind.is_signed() { bits.signed() } else { bits.unsigned() };
            // Bit patterns of `unsigned __int128` wrap to the way they are kept.
            let value = i128::try_from(&value).unwrap_or_else(|_| u128::try_from(&value).unwrap_or(0) as i128);
            Integer::Concrete(number.kind, value)
        }
        _ => Integer::Symbolic(number),
    }
}

/// The number an address is taken for where a program computes with it: objects are far apart.
pub fn address_term(pool: &TermPool, pointer: &Pointer) -> TermId {
    let base: i64 = match pointer.target {
        Target::Nothing => 0,
        Target::Object(id) => (i64::from(id.0) + 1) << 32,
        Target::Function(id) => (i64::from(id.as_u32()) + 1) << 20,
    };
    let term = pool.bv_add(pool.bits(64, base), pointer.offset.term(pool));
    pointer.null.map_or(term, |null| pool.ite(null, pool.bits(64, 0), term))
}

/// `left op right`, no comparison. For shifts the operands may differ in type.
pub fn binary(pool: &TermPool, op: BinaryOp, left: &Integer, right: &Integer) -> Computed {
    let kind = left.kind();
    if let (Some(a), Some(b)) = (left.known(), right.known()) {
        let value = arith::binary(op, kind, a, right.kind(), b)?;
        return Ok((Integer::Concrete(kind, value), Vec::new()));
    }
    let arithmetic = machine(pool);
    let (a, b) = arithmetic.operands(&number(pool, left), &number(pool, right));
    let claims = arithmetic.claims(op, &a, &b).into_iter();
    let claims = claims.map(|(case, holds)| Claim { holds, rule: case.rule(), message: refusal(case) }).collect();
    let result = arithmetic.computed(op, &a, &b);
    let result = if kind == IntKind::Bool { arithmetic.convert(&result, kind) } else { result };
    Ok((integer(pool, result), claims))
}

fn refusal(case: Case) -> &'static str {
    match case {
        Case::Overflow => "the result does not fit its type",
        Case::ZeroDivisor => "division or remainder by zero",
        Case::QuotientOverflow => "the quotient does not fit its type",
        Case::ShiftAmount => "the shift amount is negative or too large",
        Case::LeftShift => "the left shift moves a one into or past the sign bit",
        Case::Unrepresentable => "the floating value does not fit the integer type",
    }
}

/// `-value`.
pub fn negate(pool: &TermPool, value: &Integer) -> Computed {
    let kind = value.kind();
    binary(pool, BinaryOp::Sub, &Integer::Concrete(kind, 0), value)
}

pub fn complement(pool: &TermPool, value: &Integer) -> Integer {
    match value {
        Integer::Concrete(kind, value) => Integer::Concrete(*kind, arith::complement(*kind, *value)),
        other => integer(pool, machine(pool).complement(&number(pool, other))),
    }
}

pub fn convert(pool: &TermPool, value: &Integer, to: IntKind) -> Integer {
    match value {
        Integer::Concrete(_, value) => Integer::Concrete(to, to.wrap(*value)),
        Integer::Address(_, pointer) if to.bytes() == 8 => Integer::Address(to, *pointer),
        other => integer(pool, machine(pool).convert(&number(pool, other), to)),
    }
}

/// `left op right` for a comparison of two integers of one type.
pub fn compare(pool: &TermPool, op: BinaryOp, left: &Integer, right: &Integer) -> Truth {
    if let (Some(a), Some(b)) = (left.known(), right.known()) {
        let kind = left.kind();
        return Truth::Concrete(arith::compare(op, kind, a, b));
    }
    let arithmetic = machine(pool);
    Truth::of(pool, arithmetic.compared(op, &number(pool, left), &number(pool, right)))
}

/// Whether an integer is not zero.
pub fn is_nonzero(pool: &TermPool, value: &Integer) -> Truth {
    match value {
        Integer::Concrete(_, value) => Truth::Concrete(*value != 0),
        Integer::Address(_, pointer) => pointer.is_null().negated(pool),
        Integer::Symbolic(number) => Truth::of(pool, pool.not(machine(pool).is_zero(number))),
    }
}

pub fn from_truth(pool: &TermPool, truth: Truth, kind: IntKind) -> Integer {
    match truth {
        Truth::Concrete(value) => Integer::Concrete(kind, value.into()),
        Truth::Symbolic(term) => integer(pool, machine(pool).from_truth(term, kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arbitrary::borders;
    use smt::{Bits, Int, Model, Value};

    fn exact(kind: IntKind, value: i128) -> Int {
        if kind == IntKind::UInt128 { Int::from(value as u128) } else { Int::from(value) }
    }

    /// Every operator and conversion on values around the borders of its type, as terms under a model: the claims say
    /// exactly where the concrete meaning is undefined, and elsewhere the values agree.
    #[test]
    fn terms_agree_with_the_concrete_meaning() {
        let pool = TermPool::new();
        let value_of = |model: &Model, integer: &Integer| {
            let result = number(&pool, integer);
            let value = model.eval(result.term).unwrap();
            let bits = value.as_bits().unwrap();
            let value = if result.kind.is_signed() { bits.signed() } else { bits.unsigned() };
            assert!(result.range.lo <= value && value <= result.range.hi);
            value
        };
        for kind in IntKind::ALL {
            let symbol = |name: &str| machine(&pool).of_type(pool.var(name, pool.bitvec_sort(kind.bits())), kind);
            let (x, y) = (symbol(&format!("{kind:?} x")), symbol(&format!("{kind:?} y")));
            let (left, open) = (Integer::Symbolic(x.clone()), Integer::Symbolic(y.clone()));
            let mut model = Model::new(&pool);
            for a in borders(kind) {
                model.set(x.term, Value::Bits(Bits::new(kind.bits(), &exact(kind, a))));
                for to in IntKind::ALL {
                    assert_eq!(value_of(&model, &convert(&pool, &left, to)), exact(to, to.wrap(a)), "{a} to {to:?}");
                }
                let complemented = value_of(&model, &complement(&pool, &left));
                assert_eq!(complemented, exact(kind, arith::complement(kind, a)), "~{a} in {kind:?}");
                for b in borders(kind) {
                    model.set(y.term, Value::Bits(Bits::new(kind.bits(), &exact(kind, b))));
                    // Once with both open, once with the right operand known.
                    for right in [&open, &Integer::Concrete(kind, b)] {
                        for op in BinaryOp::COMPARISONS {
                            let term = compare(&pool, op, &left, right).term(&pool);
                            let expected = Value::Bool(arith::compare(op, kind, a, b));
                            assert_eq!(model.eval(term).unwrap(), expected, "{a} {op:?} {b} in {kind:?}");
                        }
                        for op in BinaryOp::ARITHMETIC {
                            let (result, claims) = binary(&pool, op, &left, right).unwrap();
                            let broken = claims.iter().find(|c| model.eval(c.holds).unwrap() == Value::Bool(false));
                            let expected = arith::binary(op, kind, a, kind, b);
                            let rules = (broken.map(|c| c.rule), expected.as_ref().err().map(|u| u.rule()));
                            assert_eq!(rules.0, rules.1, "{a} {op:?} {b} in {kind:?}");
                            let Ok(expected) = expected else { continue };
                            let value = value_of(&model, &result);
                            assert_eq!(value, exact(kind, expected), "{a} {op:?} {b} in {kind:?}");
                        }
                    }
                }
            }
        }
    }
}
