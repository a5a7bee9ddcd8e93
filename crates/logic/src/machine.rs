//! Predicates as terms of the solver, over variables that are bit-vectors.
//!
//! A predicate speaks of the mathematical values of its variables: `x + y >= x` means the sum, not the wrapped one.
//! So every term is computed at a width that holds its exact value, worked out bottom-up: a sum of *n* terms needs
//! `ceil(log2 n)` bits more than the widest, a product as many as its factors together. Comparisons bring both sides
//! to one width. All intermediate values are signed.

use super::encode::{Comparing, NotEncodable, compared_floats};
use super::{Operator, Predicate, Relation, Term};
use dashu_int::ops::BitTest;
use smt::{Int, Sort, TermId, TermPool};

/// The term of a variable, and whether it is signed: a bit-vector, or an array from 64-bit vectors to bit-vectors.
type Lookup<'a> = &'a dyn Fn(&str) -> Option<(TermId, bool)>;

/// Wider numbers are not encoded: the solver would not finish.
const WIDEST: u32 = 2048;

impl Predicate {
    /// The predicate as a truth-valued term over bit-vectors. Where a variable is no bit-vector (a real), all are
    /// turned into numbers and the encoding is that of [`Predicate::to_smt`].
    pub fn to_smt_machine(&self, pool: &TermPool, lookup: Lookup<'_>) -> Result<TermId, NotEncodable> {
        let is_number = |name: &&str| {
            let sort = lookup(name).map(|(term, _)| pool.sort(pool.sort_of(term)));
            matches!(sort, Some(Sort::Real | Sort::Int))
        };
        if self.variables().iter().any(is_number) {
            return self.to_smt(pool, &|name| {
                let (term, signed) = lookup(name)?;
                Some(match pool.sort(pool.sort_of(term)) {
                    Sort::BitVec(_) if signed => pool.bv_to_signed_int(term),
                    Sort::BitVec(_) => pool.bv_to_int(term),
                    _ => term,
                })
            });
        }
        Encoder { pool, lookup }.predicate(self)
    }
}

struct Encoder<'a> {
    pool: &'a TermPool,
    lookup: Lookup<'a>,
}

impl Comparing for Encoder<'_> {
    fn pool(&self) -> &TermPool {
        self.pool
    }

    fn compared(&self, relation: Relation, left: &Term, right: &Term) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        let lookup = |name: &str| Some((self.lookup)(name)?.0);
        if let Some(compared) = compared_floats(pool, &lookup, relation, left, right) {
            return Ok(compared);
        }
        // A fraction on one side is multiplied away: its denominator is positive.
        let common = denominator(left) * denominator(right);
        let scale = Term::Const(common.clone().into());
        let scaled = |term: &Term| if common == Int::ONE { term.clone() } else { scale_term(term, &scale) };
        let (left, right) = self.alike(self.term(&scaled(left))?, self.term(&scaled(right))?);
        Ok(match relation {
            Relation::Eq => pool.eq(left, right),
            Relation::Ne => pool.ne(left, right),
            Relation::Lt => pool.bv_slt(left, right),
            Relation::Le => pool.bv_sle(left, right),
            Relation::Gt => pool.bv_slt(right, left),
            Relation::Ge => pool.bv_sle(right, left),
        })
    }

    fn congruent(&self, left: &Term, right: &Term, modulus: &Int) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        let difference = self.sum(&[self.term(left)?, self.negated(self.term(right)?)?])?;
        let (difference, modulus) = self.alike(difference, self.constant(modulus)?);
        let rest = pool.bv_srem(difference, modulus);
        Ok(pool.eq(rest, pool.bits(pool.width(rest), 0)))
    }
}

impl Encoder<'_> {
    fn wide(&self, width: u32) -> Result<u32, NotEncodable> {
        if width <= WIDEST { Ok(width) } else { Err(NotEncodable::TooWide) }
    }

    fn extended(&self, term: TermId, width: u32) -> TermId {
        self.pool.bv_resize(term, width, true)
    }

    fn alike(&self, left: TermId, right: TermId) -> (TermId, TermId) {
        let width = self.pool.width(left).max(self.pool.width(right));
        (self.extended(left, width), self.extended(right, width))
    }

    fn constant(&self, value: &Int) -> Result<TermId, NotEncodable> {
        let width = self.wide(u32::try_from(value.bit_len()).map_or(u32::MAX, |bits| bits.saturating_add(2)))?;
        Ok(self.pool.bits(width, value.clone()))
    }

    fn negated(&self, term: TermId) -> Result<TermId, NotEncodable> {
        let width = self.wide(self.pool.width(term) + 1)?;
        Ok(self.pool.bv_neg(self.extended(term, width)))
    }

    fn sum(&self, parts: &[TermId]) -> Result<TermId, NotEncodable> {
        let widest = parts.iter().map(|part| self.pool.width(*part)).max().unwrap_or(1);
        let width = self.wide(widest + parts.len().next_power_of_two().ilog2())?;
        let parts = parts.iter().map(|part| self.extended(*part, width));
        Ok(parts.reduce(|a, b| self.pool.bv_add(a, b)).unwrap_or_else(|| self.pool.bits(1, 0)))
    }

    fn product(&self, left: TermId, right: TermId) -> Result<TermId, NotEncodable> {
        let width = self.wide(self.pool.width(left) + self.pool.width(right))?;
        Ok(self.pool.bv_mul(self.extended(left, width), self.extended(right, width)))
    }

    fn variable(&self, name: &str, indices: &[Term]) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        let (mut term, signed) = (self.lookup)(name).ok_or_else(|| NotEncodable::Unknown(name.to_string()))?;
        for index in indices {
            let Sort::Array(sort, _) = pool.sort(pool.sort_of(term)) else {
                return Err(NotEncodable::Sort(name.to_string()));
            };
            let Sort::BitVec(width) = *pool.sort(*sort) else { return Err(NotEncodable::Sort(name.to_string())) };
            term = pool.select(term, self.extended(self.term(index)?, width));
        }
        match pool.sort(pool.sort_of(term)) {
            Sort::BitVec(_) if signed => Ok(term),
            Sort::BitVec(_) => Ok(pool.bv_zero_extend(term, 1)),
            _ => Err(NotEncodable::Sort(name.to_string())),
        }
    }

    fn term(&self, term: &Term) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        Ok(match term {
            Term::Const(value) if value.is_int() => self.constant(value.numerator())?,
            Term::Const(_) => return Err(NotEncodable::NotInteger("/")),
            Term::Var(name) => self.variable(name, &[])?,
            Term::Element(name, indices) => self.variable(name, indices)?,
            Term::Neg(part) => self.negated(self.term(part)?)?,
            Term::Sum(parts) => self.sum(&self.terms(parts)?)?,
            Term::Product(parts) => {
                let mut product = self.constant(&Int::ONE)?;
                for part in self.terms(parts)? {
                    product = self.product(product, part)?;
                }
                product
            }
            Term::Power(base, exponent) => {
                let base = self.term(base)?;
                self.wide(pool.width(base).saturating_mul(*exponent))?;
                let mut power = self.constant(&Int::ONE)?;
                for _ in 0..*exponent {
                    power = self.product(power, base)?;
                }
                power
            }
            Term::Exponential(..) => return Err(NotEncodable::Exponential(term.to_string())),
            Term::Binary(operator, left, right) => self.divided(*operator, self.term(left)?, self.term(right)?)?,
            Term::Min(parts) => self.chosen(parts, true)?,
            Term::Max(parts) => self.chosen(parts, false)?,
            Term::Abs(part) => {
                let opposite = self.negated(self.term(part)?)?;
                let (part, opposite) = self.alike(self.term(part)?, opposite);
                pool.ite(pool.bv_slt(part, pool.bits(pool.width(part), 0)), opposite, part)
            }
        })
    }

    fn terms(&self, parts: &[Term]) -> Result<Vec<TermId>, NotEncodable> {
        parts.iter().map(|part| self.term(part)).collect()
    }

    fn chosen(&self, parts: &[Term], smallest: bool) -> Result<TermId, NotEncodable> {
        let join = |a: TermId, b: TermId| {
            let (a, b) = self.alike(a, b);
            let first = if smallest { self.pool.bv_sle(a, b) } else { self.pool.bv_sle(b, a) };
            self.pool.ite(first, a, b)
        };
        let chosen = self.terms(parts)?.into_iter().reduce(join);
        chosen.ok_or_else(|| NotEncodable::Unknown("min of nothing".to_string()))
    }

    fn divided(&self, operator: Operator, left: TermId, right: TermId) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        // One more bit than either: the smallest number divided by -1 is one too large.
        let width = self.wide(pool.width(left).max(pool.width(right)) + 1)?;
        let (left, right) = (self.extended(left, width), self.extended(right, width));
        let (quotient, remainder) = (pool.bv_sdiv(left, right), pool.bv_srem(left, right));
        let (zero, one) = (pool.bits(width, 0), pool.bits(width, 1));
        let below = pool.bv_slt(remainder, zero);
        let positive = pool.bv_slt(zero, right);
        Ok(match operator {
            Operator::Quotient => quotient,
            Operator::Remainder => remainder,
            Operator::Div => {
                let corrected = pool.ite(positive, pool.bv_sub(quotient, one), pool.bv_add(quotient, one));
                pool.ite(below, corrected, quotient)
            }
            Operator::Mod => {
                let size = pool.ite(positive, right, pool.bv_neg(right));
                pool.ite(below, pool.bv_add(remainder, size), remainder)
            }
        })
    }
}

/// What a linear combination with fractions is to be multiplied by to be one without.
fn denominator(term: &Term) -> Int {
    match term {
        Term::Const(value) => Int::from(value.denominator().clone()),
        Term::Neg(part) => denominator(part),
        Term::Sum(parts) | Term::Product(parts) => parts.iter().map(denominator).fold(Int::ONE, |a, b| a * b),
        _ => Int::ONE,
    }
}

/// The term times a whole number that its fractions divide.
fn scale_term(term: &Term, by: &Term) -> Term {
    let Term::Const(factor) = by else { return term.clone() };
    match term {
        Term::Const(value) => Term::Const(value * factor),
        Term::Neg(part) => Term::Neg(Box::new(scale_term(part, by))),
        Term::Sum(parts) => Term::Sum(parts.iter().map(|part| scale_term(part, by)).collect()),
        Term::Product(parts) => {
            // The factor is spread over the fractions, each of which becomes whole; the rest goes in front.
            let own = denominator(term);
            let rest = factor / &dashu_ratio::RBig::from(own);
            let whole = parts.iter().map(|part| match part {
                Term::Const(_) | Term::Neg(_) | Term::Sum(_) | Term::Product(_) => {
                    scale_term(part, &Term::Const(denominator(part).into()))
                }
                other => other.clone(),
            });
            Term::Product(std::iter::once(Term::Const(rest)).chain(whole).collect())
        }
        other => Term::Product(vec![by.clone(), other.clone()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;
    use smt::{Model, Value};

    /// The encoding has the value of the predicate, also where sums and products leave the variables' width.
    #[test]
    fn the_encoding_has_the_value_of_the_predicate() {
        let pool = TermPool::new();
        let x = pool.var("x", pool.bitvec_sort(8));
        let u = pool.var("u", pool.bitvec_sort(8));
        let texts = [
            "x + u >= x",
            "x * x * u == 127",
            "x * x >= 0",
            "-x > u",
            "x === 1 (mod 3)",
            "x / 3 == 2 || u % 7 == 4",
            "mod(x, 5) == 2",
            "div(x, -5) >= 1",
            "max(x, u) == u",
            "abs(x) <= 100",
            "x^3 + u^2 < 4000",
            "1/2*x + 1/3 <= u",
            "!(x < u) ==> x - u >= 0",
        ];
        for text in texts {
            let predicate = Predicate::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let lookup = |name: &str| match name {
                "x" => Some((x, true)),
                "u" => Some((u, false)),
                _ => None,
            };
            let encoded = predicate.to_smt_machine(&pool, &lookup).unwrap_or_else(|e| panic!("{text}: {e}"));
            for a in [-128i64, -127, -7, -1, 0, 1, 2, 5, 127] {
                for b in [0i64, 1, 3, 11, 128, 254, 255] {
                    let mut model = Model::new(&pool);
                    model.set(x, Value::Bits(smt::Bits::new(8, &Int::from(a))));
                    model.set(u, Value::Bits(smt::Bits::new(8, &Int::from(b))));
                    let value = |name: &str| Number::integer(Int::from(if name == "x" { a } else { b }));
                    let expected = predicate.evaluate(&|name, _| Ok(value(name))).expect("no divisor is zero");
                    assert_eq!(model.eval(encoded).unwrap(), Value::Bool(expected), "{text} at x={a} u={b}");
                }
            }
        }
    }
}
