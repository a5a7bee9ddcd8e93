//! Operators whose operands can make them undefined, on terms: what must hold, and the value on bit-vectors.
//!
//! The conditions follow the list of [`ir::arith::undefined_cases`], case by case, for both kinds of integers, so that
//! every engine over terms asks for the same as the concrete meaning does. The interval of a [`Number`] decides most of
//! them without a solver: a sum of two characters cannot overflow.

use super::Ints;
use super::number::{Arithmetic, Number, Range, Ring};
use ir::arith::{Case, undefined_cases};
use ir::{BinaryOp, IntKind};
use smt::{Int, TermId};

impl Ring {
    /// The operation that the operator is, if it is one of the three.
    pub fn of(op: BinaryOp) -> Option<Ring> {
        match op {
            BinaryOp::Add => Some(Ring::Add),
            BinaryOp::Sub => Some(Ring::Sub),
            BinaryOp::Mul => Some(Ring::Mul),
            _ => None,
        }
    }
}

impl Arithmetic<'_> {
    /// The operands as they are computed with: `_Bool`, in which C computes nothing, as `int`. The result is to be
    /// converted back to the type of the left one.
    pub fn operands(&self, left: &Number, right: &Number) -> (Number, Number) {
        let promoted = |number: &Number| match number.kind {
            IntKind::Bool => self.convert(number, IntKind::Int),
            _ => number.clone(),
        };
        (promoted(left), promoted(right))
    }

    /// What must hold for `left op right` to be defined: the cases that can occur, each with the claim that it does
    /// not. A later claim may rest on the earlier ones.
    pub fn claims(&self, op: BinaryOp, left: &Number, right: &Number) -> Vec<(Case, TermId)> {
        let cases = undefined_cases(op, left.kind).iter();
        cases.filter_map(|&case| Some((case, self.excluded(case, op, left, right)?))).collect()
    }

    /// The claim that the operation is not undefined in that way; `None` if the ranges say so already.
    fn excluded(&self, case: Case, op: BinaryOp, a: &Number, b: &Number) -> Option<TermId> {
        let (pool, kind, width) = (self.pool, a.kind, a.kind.bits());
        let all = Range::of(kind);
        match case {
            Case::Overflow => self.ring(Ring::of(op)?, a, b).1,
            Case::ZeroDivisor => {
                let possible = b.range.lo <= Int::ZERO && b.range.hi >= Int::ZERO;
                possible.then(|| pool.not(self.is_zero(b)))
            }
            Case::QuotientOverflow => {
                let possible = a.range.lo <= all.lo && b.range.lo <= Int::NEG_ONE && b.range.hi >= Int::NEG_ONE;
                possible.then(|| match self.ints {
                    Ints::Machine => pool.not(pool.bv_sdiv_overflows(a.term, b.term)),
                    Ints::Math => {
                        let least = pool.eq(a.term, pool.int(all.lo));
                        pool.not(pool.and(&[least, pool.eq(b.term, pool.int(-1))]))
                    }
                })
            }
            Case::ShiftAmount => {
                let allowed = Range { lo: Int::ZERO, hi: Int::from(width - 1) };
                let possible = !b.range.within(&allowed);
                possible.then(|| match self.ints {
                    Ints::Math => self.in_range(b.term, &allowed),
                    // As unsigned numbers negative amounts are large; a type that cannot count to the width has none
                    // that are too large.
                    Ints::Machine if u128::from(width) < 1u128 << b.kind.bits().min(127) => {
                        pool.bv_ult(b.term, pool.bits(b.kind.bits(), Int::from(width)))
                    }
                    Ints::Machine => pool.bool(true),
                })
            }
            Case::LeftShift => {
                // The largest value that a shift by so much leaves in the type.
                let most = |by: usize| all.hi.clone() >> by;
                let last = usize::try_from(&b.range.hi).unwrap_or(usize::MAX).min(width as usize - 1);
                if a.range.is_natural() && a.range.hi <= most(last) {
                    return None;
                }
                Some(match self.ints {
                    Ints::Machine => {
                        // No one may reach the sign bit: what is shifted there must be zero.
                        let amount = pool.bv_resize(b.term, width, false);
                        let rest = pool.bv_sub(pool.bits(width, width - 1), amount);
                        pool.eq(pool.bv_lshr(a.term, rest), pool.bits(width, 0))
                    }
                    Ints::Math => {
                        let first = usize::try_from(&b.range.lo).unwrap_or(0).min(last);
                        let mut claims = vec![pool.le(pool.int(0), a.term), pool.le(a.term, pool.int(most(first)))];
                        for by in first + 1..=last {
                            let reached = pool.le(pool.int(Int::from(by)), b.term);
                            claims.push(pool.implies(reached, pool.le(a.term, pool.int(most(by)))));
                        }
                        pool.and(&claims)
                    }
                })
            }
            Case::Unrepresentable => None,
        }
    }

    /// `left op right` on bit-vectors, no comparison. The range of the result holds where the divisor is not zero and
    /// the amount of a shift is valid; overflows wrap.
    pub fn computed(&self, op: BinaryOp, left: &Number, right: &Number) -> Number {
        debug_assert_eq!(self.ints, Ints::Machine, "unbounded integers have no bits to compute with");
        match op {
            BinaryOp::Add => self.ring(Ring::Add, left, right).0,
            BinaryOp::Sub => self.ring(Ring::Sub, left, right).0,
            BinaryOp::Mul => self.ring(Ring::Mul, left, right).0,
            BinaryOp::Div | BinaryOp::Rem => self.divided(op, left, right),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => self.bitwise(op, left, right),
            BinaryOp::Shl | BinaryOp::Shr => self.shifted(op, left, right),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                unreachable!("comparisons should not come here, because they give truths")
            }
            BinaryOp::PointerAdd | BinaryOp::PointerDiff => {
                unreachable!("pointer arithmetic should not come here, because it needs a size")
            }
        }
    }

    /// Whether a comparison holds of two integers of one type, in both kinds of integers.
    pub fn compared(&self, op: BinaryOp, left: &Number, right: &Number) -> TermId {
        let pool = self.pool;
        let equal = || {
            let apart = left.range.hi < right.range.lo || right.range.hi < left.range.lo;
            if apart { pool.bool(false) } else { pool.eq(left.term, right.term) }
        };
        match op {
            BinaryOp::Eq => equal(),
            BinaryOp::Ne => pool.not(equal()),
            BinaryOp::Lt => self.less(left, right),
            BinaryOp::Gt => self.less(right, left),
            BinaryOp::Le => pool.not(self.less(right, left)),
            BinaryOp::Ge => pool.not(self.less(left, right)),
            _ => unreachable!("{op:?} should be a comparison"),
        }
    }

    fn divided(&self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let pool = self.pool;
        let term = match (op, a.kind.is_signed()) {
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

    fn bitwise(&self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let pool = self.pool;
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

    fn shifted(&self, op: BinaryOp, a: &Number, b: &Number) -> Number {
        let (pool, kind, width) = (self.pool, a.kind, a.kind.bits());
        let all = Range::of(kind);
        // A valid amount is not negative, and cutting a wider one off loses nothing.
        let amount = pool.bv_resize(b.term, width, false);
        let known = (b.range.lo == b.range.hi)
            .then(|| usize::try_from(&b.range.lo).ok())
            .flatten()
            .filter(|by| *by < width as usize);
        if op == BinaryOp::Shr {
            let term = if kind.is_signed() { pool.bv_ashr(a.term, amount) } else { pool.bv_lshr(a.term, amount) };
            let range = match known {
                Some(by) => Range { lo: a.range.lo.clone() >> by, hi: a.range.hi.clone() >> by },
                None if a.range.is_natural() => Range { lo: Int::ZERO, hi: a.range.hi.clone() },
                None => all,
            };
            return Number { term, kind, range };
        }
        let exact = known.map(|by| Range { lo: a.range.lo.clone() << by, hi: a.range.hi.clone() << by });
        let range = exact.filter(|range| range.within(&all)).unwrap_or(all);
        Number { term: pool.bv_shl(a.term, amount), kind, range }
    }
}

fn hull(values: &[Int]) -> Range {
    let lo = values.iter().min().cloned().unwrap_or(Int::ZERO);
    let hi = values.iter().max().cloned().unwrap_or(Int::ZERO);
    Range { lo, hi }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arbitrary::{borders, operands};
    use ir::arith;
    use smt::{Bits, Model, TermPool, Value};

    fn exact(kind: IntKind, value: i128) -> Int {
        if kind == IntKind::UInt128 { Int::from(value as u128) } else { Int::from(value) }
    }

    /// The claims fail exactly where the concrete meaning is undefined, and for the same reason; elsewhere the value
    /// is the concrete one and lies in its range.
    fn compare(ints: Ints, kind: IntKind, right_kind: IntKind, op: BinaryOp, left: &[i128], right: &[i128]) {
        let pool = TermPool::new();
        let arithmetic = Arithmetic { pool: &pool, ints };
        let symbol = |name: &str, kind| arithmetic.of_type(pool.var(name, arithmetic.sort(kind)), kind);
        let (x, y) = (symbol("x", kind), symbol("y", right_kind));
        let value = |kind: IntKind, value: i128| match ints {
            Ints::Math => Value::Int(exact(kind, value)),
            Ints::Machine => Value::Bits(Bits::new(kind.bits(), &exact(kind, value))),
        };
        let (a, b) = arithmetic.operands(&x, &y);
        let claims = arithmetic.claims(op, &a, &b);
        let result = (ints == Ints::Machine).then(|| {
            let result = arithmetic.computed(op, &a, &b);
            if kind == IntKind::Bool { arithmetic.convert(&result, kind) } else { result }
        });
        let mut model = Model::new(&pool);
        for &p in left {
            model.set(x.term, value(kind, p));
            for &q in right {
                model.set(y.term, value(right_kind, q));
                let broken = claims.iter().find(|(_, claim)| model.eval(*claim).unwrap() == Value::Bool(false));
                let expected = arith::binary(op, kind, p, right_kind, q);
                let what = || format!("{p} {op:?} {q} in {kind:?} and {right_kind:?}, {ints:?}");
                assert_eq!(broken.map(|(case, _)| *case), expected.as_ref().err().map(|u| u.case), "{}", what());
                let (Some(result), Ok(expected)) = (&result, expected) else { continue };
                let found = model.eval(result.term).unwrap();
                let bits = found.as_bits().unwrap();
                let found = if kind.is_signed() { bits.signed() } else { bits.unsigned() };
                assert_eq!(found, exact(kind, expected), "{}", what());
                assert!(result.range.lo <= found && found <= result.range.hi, "{}", what());
            }
        }
    }

    #[test]
    fn terms_agree_with_the_concrete_meaning() {
        for ints in [Ints::Machine, Ints::Math] {
            for kind in IntKind::ALL {
                for op in BinaryOp::ARITHMETIC {
                    compare(ints, kind, kind, op, &borders(kind), &borders(kind));
                }
                for right in IntKind::ALL {
                    compare(ints, kind, right, BinaryOp::Shl, &borders(kind), &borders(right));
                    compare(ints, kind, right, BinaryOp::Shr, &borders(kind), &borders(right));
                }
            }
        }
    }

    /// Every pair of operands of eight bits.
    #[test]
    fn terms_agree_with_the_concrete_meaning_on_all_bytes() {
        for kind in [IntKind::SChar, IntKind::UChar] {
            for op in BinaryOp::ARITHMETIC {
                compare(Ints::Machine, kind, kind, op, &operands(kind), &operands(kind));
            }
        }
    }
}
