//! C's operators on integers that are known or terms: the value, and what must hold for it to be defined.
//!
//! Known operands are computed by [`ir::arith`], as the VM's are, so that both engines mean the same. Of terms the interval
//! that [`Number`] carries decides most claims without a solver: a sum of two characters cannot overflow.

use super::value::{Integer, Pointer, Target, Truth};
use exec::memory::Fault;
use crate::Ints;
use crate::number::{Arithmetic, Number, Range, Ring};
use diagnostics::Rule;
use ir::{BinaryOp, IntKind, arith};
use smt::{Int, TermId, TermPool};

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
        Integer::Known(kind, value) => arithmetic.literal(*value, *kind),
        Integer::Open(number) => number.clone(),
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
            Integer::Known(number.kind, value)
        }
        _ => Integer::Open(number),
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
        return Ok((Integer::Known(kind, value), Vec::new()));
    }
    let arithmetic = machine(pool);
    let (a, b) = (number(pool, left), number(pool, right));
    let mut claims = Vec::new();
    let result = match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            let ring = match op {
                BinaryOp::Add => Ring::Add,
                BinaryOp::Sub => Ring::Sub,
                _ => Ring::Mul,
            };
            let (result, fits) = arithmetic.ring(ring, &a, &b);
            claims.extend(fits.map(|holds| Claim {
                holds,
                rule: Rule::SignedOverflow,
                message: "the result does not fit its type",
            }));
            result
        }
        BinaryOp::Div | BinaryOp::Rem => divide(&arithmetic, op, &a, &b, &mut claims),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => bitwise(&arithmetic, op, &a, &b),
        BinaryOp::Shl | BinaryOp::Shr => shift(&arithmetic, op, &a, &b, &mut claims),
        _ => unreachable!("comparisons and pointer arithmetic should not come here, because they have their own"),
    };
    Ok((integer(pool, result), claims))
}

fn divide(arithmetic: &Arithmetic<'_>, op: BinaryOp, a: &Number, b: &Number, claims: &mut Vec<Claim>) -> Number {
    let pool = arithmetic.pool;
    let zero = arithmetic.is_zero(b);
    let what = if op == BinaryOp::Div { "division by zero" } else { "remainder by zero" };
    claims.push(Claim { holds: pool.not(zero), rule: Rule::DivisionByZero, message: what });
    let signed = a.kind.is_signed();
    let minimum = Int::from(a.kind.min());
    if signed && a.range.lo <= minimum && b.range.lo <= Int::NEG_ONE && b.range.hi >= Int::NEG_ONE {
        let fits = pool.not(pool.bv_sdiv_overflows(a.term, b.term));
        claims.push(Claim { holds: fits, rule: Rule::SignedOverflow, message: "the quotient does not fit its type" });
    }
    let term = match (op, signed) {
        (BinaryOp::Div, true) => pool.bv_sdiv(a.term, b.term),
        (BinaryOp::Div, false) => pool.bv_udiv(a.term, b.term),
        (_, true) => pool.bv_srem(a.term, b.term),
        (_, false) => pool.bv_urem(a.term, b.term),
    };
    let all = Range::of(a.kind);
    let range = if op == BinaryOp::Rem {
        // The remainder is smaller than the divisor and has the sign of the dividend.
        let largest = (&b.range.hi).max(&-&b.range.lo).clone() - Int::ONE;
        let hi = if a.range.hi < Int::ZERO { Int::ZERO } else { largest.clone().min(a.range.hi.clone()) };
        let lo = if a.range.lo >= Int::ZERO { Int::ZERO } else { (-largest).max(a.range.lo.clone()) };
        Range { lo, hi }
    } else if b.range.lo > Int::ZERO {
        let quotients = [
            &a.range.lo / &b.range.lo,
            &a.range.lo / &b.range.hi,
            &a.range.hi / &b.range.lo,
            &a.range.hi / &b.range.hi,
        ];
        hull(&quotients)
    } else {
        all.clone()
    };
    Number { term, kind: a.kind, range: if range.within(&all) && range.lo <= range.hi { range } else { all } }
}

fn hull(values: &[Int]) -> Range {
    let lo = values.iter().min().cloned().unwrap_or(Int::ZERO);
    let hi = values.iter().max().cloned().unwrap_or(Int::ZERO);
    Range { lo, hi }
}

fn bitwise(arithmetic: &Arithmetic<'_>, op: BinaryOp, a: &Number, b: &Number) -> Number {
    let pool = arithmetic.pool;
    let (term, range) = match op {
        BinaryOp::BitAnd => {
            let naturals: Vec<&Int> =
                [a, b].into_iter().filter(|n| n.range.is_natural()).map(|n| &n.range.hi).collect();
            let range = naturals.into_iter().min().map(|hi| Range { lo: Int::ZERO, hi: hi.clone() });
            (pool.bv_and(a.term, b.term), range)
        }
        _ => {
            let natural = a.range.is_natural() && b.range.is_natural();
            let range = natural.then(|| {
                let mut hi = Int::ONE;
                let most = (&a.range.hi).max(&b.range.hi);
                while &hi <= most {
                    hi <<= 1;
                }
                Range { lo: Int::ZERO, hi: hi - Int::ONE }
            });
            let term = if op == BinaryOp::BitOr { pool.bv_or(a.term, b.term) } else { pool.bv_xor(a.term, b.term) };
            (term, range)
        }
    };
    Number { term, kind: a.kind, range: range.unwrap_or_else(|| Range::of(a.kind)) }
}

fn shift(arithmetic: &Arithmetic<'_>, op: BinaryOp, a: &Number, b: &Number, claims: &mut Vec<Claim>) -> Number {
    let pool = arithmetic.pool;
    let (kind, width) = (a.kind, a.kind.bits());
    let all = Range::of(kind);
    let limit = Range { lo: Int::ZERO, hi: Int::from(width - 1) };
    if !b.range.within(&limit) {
        let bound = pool.bits(b.kind.bits(), Int::from(width));
        // As unsigned numbers negative amounts are large. A type too narrow to hold the width has no large amounts.
        let small = if b.kind.bits() > 8 || width < 1 << (b.kind.bits() - 1) {
            pool.bv_ult(b.term, bound)
        } else {
            pool.bool(true)
        };
        claims.push(Claim { holds: small, rule: Rule::BadShift, message: "the shift amount is negative or too large" });
    }
    let amount = pool.bv_resize(b.term, width, false);
    let known =
        (b.range.lo == b.range.hi).then(|| usize::try_from(&b.range.lo).unwrap_or(0)).filter(|k| *k < width as usize);
    if op == BinaryOp::Shr {
        let term = if kind.is_signed() { pool.bv_ashr(a.term, amount) } else { pool.bv_lshr(a.term, amount) };
        let range = match known {
            Some(k) => Range { lo: a.range.lo.clone() >> k, hi: a.range.hi.clone() >> k },
            None if a.range.is_natural() => Range { lo: Int::ZERO, hi: a.range.hi.clone() },
            None => all,
        };
        return Number { term, kind, range };
    }
    let term = pool.bv_shl(a.term, amount);
    let exact = known.map(|k| Range { lo: a.range.lo.clone() << k, hi: a.range.hi.clone() << k });
    if kind.is_signed() && !exact.as_ref().is_some_and(|range| range.is_natural() && range.within(&all)) {
        // No one may reach the sign bit: what is shifted there must be zero.
        let rest = pool.bv_sub(pool.bits(width, width - 1), amount);
        let gone = pool.bv_lshr(a.term, rest);
        let holds = pool.eq(gone, pool.bits(width, 0));
        claims.push(Claim {
            holds,
            rule: Rule::BadShift,
            message: "the left shift moves a one into or past the sign bit",
        });
    }
    let range = match exact {
        Some(range) if range.within(&all) => range,
        _ if kind.is_signed() => Range { lo: Int::ZERO, hi: all.hi },
        _ => all,
    };
    Number { term, kind, range }
}

/// `-value`.
pub fn negate(pool: &TermPool, value: &Integer) -> Computed {
    let kind = value.kind();
    binary(pool, BinaryOp::Sub, &Integer::Known(kind, 0), value)
}

pub fn complement(pool: &TermPool, value: &Integer) -> Integer {
    match value {
        Integer::Known(kind, value) => Integer::Known(*kind, arith::complement(*kind, *value)),
        other => integer(pool, machine(pool).complement(&number(pool, other))),
    }
}

pub fn convert(pool: &TermPool, value: &Integer, to: IntKind) -> Integer {
    match value {
        Integer::Known(_, value) => Integer::Known(to, to.wrap(*value)),
        Integer::Address(_, pointer) if to.bytes() == 8 => Integer::Address(to, *pointer),
        other => integer(pool, machine(pool).convert(&number(pool, other), to)),
    }
}

/// `left op right` for a comparison of two integers of one type.
pub fn compare(pool: &TermPool, op: BinaryOp, left: &Integer, right: &Integer) -> Truth {
    if let (Some(a), Some(b)) = (left.known(), right.known()) {
        let kind = left.kind();
        return Truth::Known(arith::compare(op, kind, a, b));
    }
    let arithmetic = machine(pool);
    let (a, b) = (number(pool, left), number(pool, right));
    let apart = a.range.hi < b.range.lo || b.range.hi < a.range.lo;
    let equal = || if apart { pool.bool(false) } else { pool.eq(a.term, b.term) };
    let term = match op {
        BinaryOp::Eq => equal(),
        BinaryOp::Ne => pool.not(equal()),
        BinaryOp::Lt => arithmetic.less(&a, &b),
        BinaryOp::Ge => pool.not(arithmetic.less(&a, &b)),
        BinaryOp::Gt => arithmetic.less(&b, &a),
        _ => pool.not(arithmetic.less(&b, &a)),
    };
    Truth::of(pool, term)
}

/// Whether an integer is not zero.
pub fn is_nonzero(pool: &TermPool, value: &Integer) -> Truth {
    match value {
        Integer::Known(_, value) => Truth::Known(*value != 0),
        Integer::Address(_, pointer) => pointer.is_null().negated(pool),
        Integer::Open(number) => Truth::of(pool, pool.not(machine(pool).is_zero(number))),
    }
}

pub fn from_truth(pool: &TermPool, truth: Truth, kind: IntKind) -> Integer {
    match truth {
        Truth::Known(value) => Integer::Known(kind, value.into()),
        Truth::Open(term) => integer(pool, machine(pool).from_truth(term, kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Bits, Model, Value};

    /// Every operator on values around the borders of its type, as terms under a model: the claims say exactly where
    /// the VM finds the operation undefined, and elsewhere the values agree and lie in their range.
    #[test]
    fn terms_agree_with_the_vm() {
        use BinaryOp::*;
        let pool = TermPool::new();
        for kind in [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong] {
            let samples: Vec<i128> =
                [kind.min(), kind.min() + 1, -7, -1, 0, 1, 2, 5, 31, 33, 1 << 30, kind.max() - 1, kind.max()]
                    .into_iter()
                    .filter(|v| kind.contains(*v))
                    .collect();
            let symbol = |name: &str| machine(&pool).of_type(pool.var(name, pool.bitvec_sort(kind.bits())), kind);
            let (x, y) = (symbol("x"), symbol("y"));
            for op in [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr] {
                for &a in &samples {
                    for &b in &samples {
                        // Once with both open, once with the right operand known.
                        for right in [Integer::Open(y.clone()), Integer::Known(kind, b)] {
                            let mut model = Model::new(&pool);
                            model.set(x.term, Value::Bits(Bits::new(kind.bits(), &Int::from(a))));
                            model.set(y.term, Value::Bits(Bits::new(kind.bits(), &Int::from(b))));
                            let (result, claims) = binary(&pool, op, &Integer::Open(x.clone()), &right).unwrap();
                            let defined = claims.iter().all(|c| model.eval(c.holds).unwrap() == Value::Bool(true));
                            let expected = arith::binary(op, kind, a, kind, b);
                            assert_eq!(defined, expected.is_ok(), "{a} {op:?} {b} in {kind:?}");
                            let Ok(expected) = expected else { continue };
                            let result = number(&pool, &result);
                            let value = model.eval(result.term).unwrap();
                            let bits = value.as_bits().unwrap();
                            let value = if kind.is_signed() { bits.signed() } else { bits.unsigned() };
                            assert_eq!(value, Int::from(kind.wrap(expected)), "{a} {op:?} {b} in {kind:?}");
                            assert!(result.range.lo <= value && value <= result.range.hi, "{a} {op:?} {b} in {kind:?}");
                        }
                    }
                }
            }
        }
    }
}
