//! Polynomials in several variables with integer coefficients.
//!
//! A polynomial's zeros do not change when it is multiplied by a number, so ideals over the rationals are handled with
//! primitive integer polynomials; denominators are cleared on the way in.

use crate::content::content;
use crate::monomial::Monomial;
use dashu_base::Signed;
use dashu_int::IBig;
use std::collections::BTreeMap;

/// A sum of terms in descending order of their monomials, without zero coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Polynomial {
    terms: Vec<(Monomial, IBig)>,
}

impl Polynomial {
    pub fn zero() -> Polynomial {
        Polynomial::default()
    }

    pub fn constant(value: impl Into<IBig>, variables: usize) -> Polynomial {
        Polynomial::from_terms([(Monomial::one(variables), value.into())])
    }

    pub fn variable(index: usize, variables: usize) -> Polynomial {
        Polynomial::from_terms([(Monomial::variable(index, variables), IBig::ONE)])
    }

    /// The sum of these terms, in any order, repeated monomials added up.
    pub fn from_terms(terms: impl IntoIterator<Item = (Monomial, IBig)>) -> Polynomial {
        let mut sums: BTreeMap<Monomial, IBig> = BTreeMap::new();
        for (monomial, coefficient) in terms {
            *sums.entry(monomial).or_insert(IBig::ZERO) += coefficient;
        }
        Polynomial { terms: sums.into_iter().rev().filter(|(_, c)| *c != IBig::ZERO).collect() }
    }

    pub fn terms(&self) -> &[(Monomial, IBig)] {
        &self.terms
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn degree(&self) -> u32 {
        self.terms.first().map_or(0, |(m, _)| m.degree())
    }

    /// The largest monomial and its coefficient; there is none in the zero polynomial.
    pub fn leading(&self) -> Option<&(Monomial, IBig)> {
        self.terms.first()
    }

    pub fn add(&self, other: &Polynomial) -> Polynomial {
        self.combine(&IBig::ONE, other, &IBig::ONE, None)
    }

    pub fn sub(&self, other: &Polynomial) -> Polynomial {
        self.combine(&IBig::ONE, other, &IBig::NEG_ONE, None)
    }

    pub fn scale(&self, factor: &IBig) -> Polynomial {
        if *factor == IBig::ZERO {
            return Polynomial::zero();
        }
        Polynomial { terms: self.terms.iter().map(|(m, c)| (m.clone(), c * factor)).collect() }
    }

    pub fn mul(&self, other: &Polynomial) -> Polynomial {
        let products = self.terms.iter().flat_map(|(a, c)| other.terms.iter().map(move |(b, d)| (a.mul(b), c * d)));
        Polynomial::from_terms(products)
    }

    pub fn pow(&self, exponent: u32, variables: usize) -> Polynomial {
        (0..exponent).fold(Polynomial::constant(1, variables), |power, _| power.mul(self))
    }

    /// `self * a + other * b * shift`, the step of every reduction.
    pub(crate) fn combine(&self, a: &IBig, other: &Polynomial, b: &IBig, shift: Option<&Monomial>) -> Polynomial {
        let moved = |m: &Monomial| shift.map_or_else(|| m.clone(), |s| m.mul(s));
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) =
            (self.terms.iter().peekable(), other.terms.iter().map(|(m, c)| (moved(m), c)).peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Greater,
                (None, Some(_)) => std::cmp::Ordering::Less,
                (Some((l, _)), Some((r, _))) => l.cmp(r),
            };
            let mut coefficient = IBig::ZERO;
            let mut monomial = None;
            if order.is_ge()
                && let Some((m, c)) = left.next()
            {
                coefficient += c * a;
                monomial = Some(m.clone());
            }
            if order.is_le()
                && let Some((m, c)) = right.next()
            {
                coefficient += c * b;
                monomial = Some(m);
            }
            if let Some(monomial) = monomial
                && coefficient != IBig::ZERO
            {
                terms.push((monomial, coefficient));
            }
        }
        Polynomial { terms }
    }

    /// The same zeros with coprime coefficients and a positive leading one.
    pub fn primitive(self) -> Polynomial {
        let flip = self.terms.first().is_some_and(|(_, first)| first.is_negative());
        let coprime = self.coprime();
        if flip { coprime.scale(&IBig::NEG_ONE) } else { coprime }
    }

    /// The same sign everywhere, with coprime coefficients.
    pub fn coprime(mut self) -> Polynomial {
        let content = IBig::from(content(self.terms.iter().map(|(_, c)| c)));
        if content > IBig::ONE {
            self.terms.iter_mut().for_each(|(_, c)| *c = &*c / &content);
        }
        self
    }

    /// Replaces every variable by a polynomial.
    pub fn substitute(&self, values: &[Polynomial], variables: usize) -> Polynomial {
        let mut sum = Polynomial::zero();
        for (monomial, coefficient) in &self.terms {
            let mut product = Polynomial::constant(coefficient.clone(), variables);
            for (value, &exponent) in values.iter().zip(monomial.exponents()) {
                for _ in 0..exponent {
                    product = product.mul(value);
                }
            }
            sum = sum.add(&product);
        }
        sum
    }

    pub fn evaluate(&self, point: &[IBig]) -> IBig {
        self.terms
            .iter()
            .map(|(monomial, coefficient)| {
                monomial.exponents().iter().zip(point).fold(coefficient.clone(), |product, (&exponent, value)| {
                    if exponent == 0 { product } else { product * value.pow(usize::from(exponent)) }
                })
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn polynomial() -> impl Strategy<Value = Polynomial> {
        proptest::collection::vec((proptest::collection::vec(0u16..3, 3), -4i64..5), 0..6).prop_map(|terms| {
            Polynomial::from_terms(terms.into_iter().map(|(e, c)| (Monomial::new(&e), IBig::from(c))))
        })
    }

    proptest! {
        /// Evaluation is a homomorphism, so every operation is checked against arithmetic at a point.
        #[test]
        fn operations_agree_with_evaluation(
            f in polynomial(), g in polynomial(), h in polynomial(), point in proptest::collection::vec(-5i64..6, 3),
        ) {
            let point: Vec<IBig> = point.into_iter().map(IBig::from).collect();
            let at = |p: &Polynomial| p.evaluate(&point);
            prop_assert_eq!(at(&f.add(&g)), at(&f) + at(&g));
            prop_assert_eq!(at(&f.sub(&g)), at(&f) - at(&g));
            prop_assert_eq!(at(&f.mul(&g)), at(&f) * at(&g));
            let inner: Vec<IBig> = [&g, &h, &f].iter().map(|p| at(p)).collect();
            prop_assert_eq!(at(&f.substitute(&[g.clone(), h.clone(), f.clone()], 3)), f.evaluate(&inner));
            prop_assert!(f.sub(&f).is_zero());
        }
    }
}
