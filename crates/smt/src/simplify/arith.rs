//! Rules for integers and reals: sums and comparisons in linear normal form.
//!
//! *Notation*: a sum is `c1*m1 + … + cn*mn + c`, its monomials `mi` being products without a
//! literal factor (or any other term that is not a sum), pairwise different, in the order of their
//! structural hashes. A comparison is `sum <= literal` or `sum < literal` with the constant on the
//! right, the first coefficient positive (1 over the reals), and coprime coefficients over the
//! integers; what points the other way becomes a negation, so that a fact and its opposite are
//! complementary terms: `x >= 4` is `(not (<= x 3))`.
//!
//! *Worked example*: `2x + 4 < 4y` over the integers is `2x - 4y <= -5`, divided by 2 and rounded
//! down `x - 2y <= -3`.

use super::{FOLD_LIMIT, WIDTH_LIMIT, ordered_equality};
use crate::bits::euclid;
use crate::hash::IdMap;
use crate::pool::TermPool;
use crate::sort::SortId;
use crate::term::{Op, TermId};
use crate::{Int, Rational};
use dashu_base::{Gcd, Signed};
use dashu_int::ops::BitTest;

struct Sum {
    monomials: Vec<(TermId, Rational)>,
    constant: Rational,
}

fn literal(pool: &TermPool, term: TermId) -> Option<Rational> {
    match pool.op(term) {
        Op::Int(n) => Some(Rational::from(n.clone())),
        Op::Real(q) => Some(q.clone()),
        _ => None,
    }
}

fn make_literal(pool: &TermPool, value: Rational, sort: SortId) -> TermId {
    if sort == SortId::INT { pool.int(value.into_parts().0) } else { pool.real(value) }
}

fn is_large(value: &Rational) -> bool {
    value.numerator().bit_len() + value.denominator().bit_len() > FOLD_LIMIT
}

/// `term` as coefficient and monomial.
fn monomial(pool: &TermPool, term: TermId) -> (Rational, TermId) {
    if matches!(pool.op(term), Op::Mul) {
        let args = pool.args(term);
        if let Some(coefficient) = literal(pool, args[0]) {
            let rest = match &args[1..] {
                [single] => *single,
                several => pool.raw(Op::Mul, several),
            };
            return (coefficient, rest);
        }
    }
    (Rational::ONE, term)
}

/// The weighted sum of terms, or `None` if it has too many monomials or too large literals.
fn collect(pool: &TermPool, weighted: &[(TermId, Rational)]) -> Option<Sum> {
    let mut sum = Sum { monomials: Vec::new(), constant: Rational::ZERO };
    let mut place: IdMap<TermId, usize> = IdMap::default();
    for (term, weight) in weighted {
        let parts = match pool.op(*term) {
            Op::Add if pool.args(*term).len() <= WIDTH_LIMIT => pool.args(*term),
            _ => std::slice::from_ref(term),
        };
        for part in parts {
            if let Some(value) = literal(pool, *part) {
                sum.constant += value * weight;
                if is_large(&sum.constant) {
                    return None;
                }
                continue;
            }
            let (coefficient, rest) = monomial(pool, *part);
            let coefficient = coefficient * weight;
            match place.get(&rest) {
                Some(i) => sum.monomials[*i].1 += coefficient,
                None => {
                    place.insert(rest, sum.monomials.len());
                    sum.monomials.push((rest, coefficient));
                    if sum.monomials.len() > WIDTH_LIMIT {
                        return None;
                    }
                }
            }
        }
    }
    sum.monomials.retain(|(_, c)| !c.is_zero());
    if sum.monomials.iter().any(|(_, c)| is_large(c)) {
        return None;
    }
    sum.monomials.sort_by_key(|(m, _)| (pool.node(*m).hash, *m));
    Some(sum)
}

fn scaled(pool: &TermPool, monomial: TermId, coefficient: &Rational, sort: SortId) -> TermId {
    if *coefficient == Rational::ONE {
        return monomial;
    }
    let factor = make_literal(pool, coefficient.clone(), sort);
    let mut factors = vec![factor];
    match pool.op(monomial) {
        Op::Mul => factors.extend(pool.args(monomial)),
        _ => factors.push(monomial),
    }
    pool.raw(Op::Mul, &factors)
}

/// The sum as a term, without the constant if `linear_only`.
fn sum_term(pool: &TermPool, sum: &Sum, sort: SortId, linear_only: bool) -> TermId {
    let mut args: Vec<_> = sum.monomials.iter().map(|(m, c)| scaled(pool, *m, c, sort)).collect();
    if !linear_only && (args.is_empty() || !sum.constant.is_zero()) {
        args.push(make_literal(pool, sum.constant.clone(), sort));
    }
    match args.as_slice() {
        [single] => *single,
        _ => pool.raw(Op::Add, &args),
    }
}

pub(super) fn add(pool: &TermPool, args: &[TermId]) -> TermId {
    match args {
        [] => panic!("a sum should have an argument, because its sort comes from there"),
        [single] => return *single,
        _ => {}
    }
    let sort = pool.sort_of(args[0]);
    let weighted: Vec<_> = args.iter().map(|a| (*a, Rational::ONE)).collect();
    match collect(pool, &weighted) {
        Some(sum) => sum_term(pool, &sum, sort, false),
        None => {
            let zero = make_literal(pool, Rational::ZERO, sort);
            let kept: Vec<_> = args.iter().copied().filter(|a| *a != zero).collect();
            match kept.as_slice() {
                [] => zero,
                [single] => *single,
                _ => pool.raw(Op::Add, &kept),
            }
        }
    }
}

pub(super) fn mul(pool: &TermPool, args: &[TermId]) -> TermId {
    match args {
        [] => panic!("a product should have an argument, because its sort comes from there"),
        [single] => return *single,
        _ => {}
    }
    let sort = pool.sort_of(args[0]);
    let mut coefficient = Rational::ONE;
    let mut factors: Vec<TermId> = Vec::new();
    for arg in args {
        let parts = match pool.op(*arg) {
            Op::Mul if pool.args(*arg).len() <= WIDTH_LIMIT => pool.args(*arg),
            _ => std::slice::from_ref(arg),
        };
        if factors.len() + parts.len() > WIDTH_LIMIT {
            return pool.raw(Op::Mul, args);
        }
        for part in parts {
            match literal(pool, *part) {
                Some(value) => coefficient *= value,
                None => factors.push(*part),
            }
        }
        if is_large(&coefficient) {
            return pool.raw(Op::Mul, args);
        }
    }
    if coefficient.is_zero() || factors.is_empty() {
        return make_literal(pool, coefficient, sort);
    }
    factors.sort_by_key(|f| (pool.node(*f).hash, *f));
    if let [single] = factors.as_slice() {
        // A literal times a sum is a sum: comparisons need it flat.
        return match collect(pool, &[(*single, coefficient.clone())]) {
            Some(sum) => sum_term(pool, &sum, sort, false),
            None => scaled(pool, *single, &coefficient, sort),
        };
    }
    if coefficient != Rational::ONE {
        factors.insert(0, make_literal(pool, coefficient, sort));
    }
    pool.raw(Op::Mul, &factors)
}

fn difference(pool: &TermPool, a: TermId, b: TermId) -> Option<Sum> {
    collect(pool, &[(a, Rational::ONE), (b, -Rational::ONE)])
}

/// Greatest common divisor of the coefficients of an integer sum.
fn content(sum: &Sum) -> Int {
    let numerators = sum.monomials.iter().map(|(_, c)| c.numerator().clone());
    Int::from(numerators.fold(dashu_int::UBig::ZERO, |g, n| {
        if g.is_zero() {
            dashu_base::UnsignedAbs::unsigned_abs(n)
        } else {
            g.gcd(&dashu_base::UnsignedAbs::unsigned_abs(n))
        }
    }))
}

fn divide_through(sum: &mut Sum, by: &Rational) {
    sum.monomials.iter_mut().for_each(|(_, c)| *c /= by);
    sum.constant /= by;
}

/// `a <= b`, or `a < b` if strict.
pub(super) fn at_most(pool: &TermPool, a: TermId, b: TermId, strict: bool) -> TermId {
    let sort = pool.sort_of(a);
    let op = if strict { Op::Lt } else { Op::Le };
    let Some(mut sum) = difference(pool, a, b) else {
        return if a == b { pool.bool(!strict) } else { pool.raw(op, &[a, b]) };
    };
    // From here on the fact is: sum <= 0 (or < 0).
    if sum.monomials.is_empty() {
        let holds = if strict { sum.constant < Rational::ZERO } else { sum.constant <= Rational::ZERO };
        return pool.bool(holds);
    }
    let backwards = sum.monomials[0].1.is_negative();
    if sort == SortId::INT {
        if strict {
            sum.constant += Rational::ONE;
        }
        let content = content(&sum);
        let (numerator, _) = sum.constant.clone().into_parts();
        sum.monomials.iter_mut().for_each(|(_, c)| *c /= Rational::from(content.clone()));
        // linear <= floor(-constant / content)
        let bound = euclid(&-numerator, &content).0;
        if !backwards {
            return compare(pool, Op::Le, &sum, Rational::from(bound), sort);
        }
        // -linear >= -bound, which is not (-linear <= -bound - 1).
        sum.monomials.iter_mut().for_each(|(_, c)| *c = -c.clone());
        let opposite = compare(pool, Op::Le, &sum, Rational::from(-bound - Int::ONE), sort);
        return pool.not(opposite);
    }
    let leading = sum.monomials[0].1.clone();
    divide_through(&mut sum, &leading);
    let bound = -sum.constant.clone();
    if !backwards {
        return compare(pool, op, &sum, bound, sort);
    }
    // Dividing by a negative number turned the fact into linear >= bound.
    let opposite = if strict { Op::Le } else { Op::Lt };
    let opposite = compare(pool, opposite, &sum, bound, sort);
    pool.not(opposite)
}

fn compare(pool: &TermPool, op: Op, sum: &Sum, bound: Rational, sort: SortId) -> TermId {
    let left = sum_term(pool, sum, sort, true);
    pool.raw(op, &[left, make_literal(pool, bound, sort)])
}

pub(super) fn equal(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    let sort = pool.sort_of(a);
    let Some(mut sum) = difference(pool, a, b) else {
        return ordered_equality(pool, a, b);
    };
    if sum.monomials.is_empty() {
        return pool.bool(sum.constant.is_zero());
    }
    let backwards = sum.monomials[0].1.is_negative();
    let mut divisor = if sort == SortId::INT { Rational::from(content(&sum)) } else { sum.monomials[0].1.clone() };
    if sort == SortId::INT && backwards {
        divisor = -divisor;
    }
    divide_through(&mut sum, &divisor);
    if sort == SortId::INT && !sum.constant.is_int() {
        return pool.bool(false);
    }
    // Between two plain terms the equation stays as people write it.
    if sum.constant.is_zero()
        && let [(x, one), (y, minus_one)] = sum.monomials.as_slice()
        && *one == Rational::ONE
        && *minus_one == -Rational::ONE
    {
        return ordered_equality(pool, *x, *y);
    }
    let bound = -sum.constant.clone();
    compare(pool, Op::Eq, &sum, bound, sort)
}

pub(super) fn divide(pool: &TermPool, op: Op, args: &[TermId]) -> TermId {
    let (a, b) = (args[0], args[1]);
    let Some(divisor) = literal(pool, b).filter(|d| !d.is_zero()) else {
        return pool.raw(op, args);
    };
    match op {
        Op::RealDiv => {
            let inverse = pool.real(Rational::ONE / divisor);
            pool.mul(inverse, a)
        }
        Op::IntDiv if divisor == Rational::ONE => a,
        Op::IntDiv if divisor == -Rational::ONE => pool.neg(a),
        Op::IntMod if divisor == Rational::ONE || divisor == -Rational::ONE => pool.int(0),
        _ => pool.raw(op, args),
    }
}

pub(super) fn convert(pool: &TermPool, op: Op, a: TermId) -> TermId {
    match (&op, pool.op(a)) {
        (Op::ToInt, Op::ToReal) => pool.args(a)[0],
        (Op::IsInt, Op::ToReal) => pool.bool(true),
        _ => pool.raw(op, &[a]),
    }
}
