//! What a candidate says, in one shape for all forms, and how it is checked on rows.
//!
//! Polynomials here speak about *cells* ([`Samples`](super::Samples)): a real variable's cell is its value times the
//! denominator of its column. Everything inside inference is thus a statement about integers; only
//! [`wording`](super::wording) puts the denominators back.

use algebra::Polynomial;
use dashu_base::Signed;
use dashu_int::IBig;
use logic::Predicate;

use super::Form;

/// A statement about the cells of a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The polynomial is zero.
    Zero(Polynomial),
    /// The polynomial is at least zero.
    NonNegative(Polynomial),
    /// The polynomial is a multiple of the positive number.
    Multiple(Polynomial, IBig),
    Any(Vec<Claim>),
    All(Vec<Claim>),
}

/// How informative a relation is taken to be; the order of the variants is the order of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    Equation,
    Cases,
    /// `x == min(..)`, `x == max(..)`.
    Extreme,
    /// From a guard and an equation.
    Deduced,
    /// A bound that many rows attain.
    Tight,
    /// An inequality with `min` or `max`.
    Disjunctive,
    Congruence,
    /// A bound that few rows attain.
    Wide,
    /// A facet of a convex hull.
    Facet,
}

/// A relation that may be reported.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub form: Form,
    pub class: Class,
    pub claim: Claim,
    pub predicate: Predicate,
    /// Whether the rows give it a reason beyond that they happen to obey it ([`reason`](super::reason)).
    pub has_reason: bool,
}

impl Claim {
    /// Calls `visit` on every polynomial inside.
    pub fn polynomials<'a>(&'a self, visit: &mut impl FnMut(&'a Polynomial)) {
        match self {
            Claim::Zero(p) | Claim::NonNegative(p) | Claim::Multiple(p, _) => visit(p),
            Claim::Any(parts) | Claim::All(parts) => parts.iter().for_each(|part| part.polynomials(visit)),
        }
    }

    pub fn degree(&self) -> u32 {
        let mut degree = 0;
        self.polynomials(&mut |p| degree = degree.max(p.degree()));
        degree
    }
}

/// A polynomial made ready for many rows.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Coefficients and the variables to multiply, repeated by their exponents; `None` if a coefficient is large.
    small: Option<Vec<(i128, Vec<u16>)>>,
    exact: Polynomial,
}

impl Measure {
    pub fn new(polynomial: &Polynomial) -> Measure {
        let small = polynomial
            .terms()
            .iter()
            .map(|(monomial, coefficient)| {
                let factors = monomial.exponents().iter().enumerate();
                let factors = factors.flat_map(|(v, &e)| std::iter::repeat_n(v as u16, usize::from(e))).collect();
                Some((i128::try_from(coefficient).ok()?, factors))
            })
            .collect();
        Measure { small, exact: polynomial.clone() }
    }

    /// The value, if it and everything on the way fit 128 bits.
    pub fn small(&self, row: &[i64]) -> Option<i128> {
        let mut sum = 0i128;
        for (coefficient, factors) in self.small.as_ref()? {
            let mut product = *coefficient;
            for &factor in factors {
                product = product.checked_mul(row[usize::from(factor)].into())?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    pub fn value(&self, row: &[i64]) -> IBig {
        match self.small(row) {
            Some(value) => value.into(),
            None => self.exact.evaluate(&row.iter().map(|&cell| cell.into()).collect::<Vec<IBig>>()),
        }
    }

    pub fn is_zero(&self, row: &[i64]) -> bool {
        self.small(row).map_or_else(|| self.value(row) == IBig::ZERO, |value| value == 0)
    }

    pub fn is_negative(&self, row: &[i64]) -> bool {
        self.small(row).map_or_else(|| self.value(row).is_negative(), |value| value < 0)
    }
}

/// A claim made ready for many rows.
#[derive(Clone, Debug)]
pub enum Check {
    Zero(Measure),
    NonNegative(Measure),
    Multiple(Measure, IBig),
    Any(Vec<Check>),
    All(Vec<Check>),
}

impl Check {
    pub fn new(claim: &Claim) -> Check {
        match claim {
            Claim::Zero(p) => Check::Zero(Measure::new(p)),
            Claim::NonNegative(p) => Check::NonNegative(Measure::new(p)),
            Claim::Multiple(p, modulus) => Check::Multiple(Measure::new(p), modulus.clone()),
            Claim::Any(parts) => Check::Any(parts.iter().map(Check::new).collect()),
            Claim::All(parts) => Check::All(parts.iter().map(Check::new).collect()),
        }
    }

    pub fn holds(&self, row: &[i64]) -> bool {
        match self {
            Check::Zero(measure) => measure.is_zero(row),
            Check::NonNegative(measure) => !measure.is_negative(row),
            Check::Multiple(measure, modulus) => measure.value(row) % modulus == IBig::ZERO,
            Check::Any(parts) => parts.iter().any(|part| part.holds(row)),
            Check::All(parts) => parts.iter().all(|part| part.holds(row)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_values_are_exact() {
        let (x, y) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let square = x.mul(&x).mul(&x).sub(&y.mul(&y).mul(&y));
        let check = Check::new(&Claim::NonNegative(square.clone()));
        assert!(check.holds(&[i64::MAX, i64::MIN]) && !check.holds(&[i64::MIN, i64::MAX]));
        assert!(check.holds(&[i64::MAX, i64::MAX - 1]));
        assert!(Check::new(&Claim::Zero(square)).holds(&[i64::MIN, i64::MIN]));
    }
}
