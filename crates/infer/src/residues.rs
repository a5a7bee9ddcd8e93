//! Congruences that do not follow from equations and from each other.
//!
//! *Question*: of sixty variables that differ from each other by even numbers, which of the two thousand congruences
//! modulo 2 say it all?
//!
//! *Method*: monomials are unknowns of their own. The integer points that satisfy some equations and congruences, all of
//! which hold of one row, are that row plus a lattice. Its basis starts as that of all points; an equation or a congruence
//! with values w on the basis is brought, by Euclid's algorithm on the basis, to a single value that is not zero: of an
//! equation that vector goes, of a congruence modulo m it is multiplied by m / gcd(w, m). A congruence whose values are
//! all zero modulo m follows from those before.
//!
//! *Guarantee*: what is dropped follows from the equations and from what is kept, over the integers. Where numbers grow too
//! large a congruence is kept (`what_is_dropped_follows`).
//!
//! *Cost*: for each equation and congruence the square of the number of monomials, times the logarithm of the coefficients.

use super::claim::{Candidate, Claim};
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use std::collections::HashMap;

/// Unknowns beyond which all congruences are kept.
const MOST_UNKNOWNS: usize = 300;

/// The candidates, the best first, without congruences that follow from equations and from better ones.
pub(super) fn independent(equations: &[Polynomial], candidates: Vec<Candidate>) -> Vec<Candidate> {
    let congruences = candidates.iter().filter_map(|candidate| match &candidate.claim {
        Claim::Multiple(polynomial, _) => Some(polynomial),
        _ => None,
    });
    let Some(mut points) = Points::new(equations.iter().chain(congruences)) else { return candidates };
    equations.iter().for_each(|equation| {
        points.restrict(equation, None);
    });
    let mut kept = candidates;
    kept.retain(|candidate| match &candidate.claim {
        Claim::Multiple(polynomial, modulus) => points.restrict(polynomial, Some(modulus)) != Some(false),
        _ => true,
    });
    kept
}

/// The differences of the points that are left.
struct Points {
    unknowns: HashMap<Monomial, usize>,
    basis: Vec<Vec<i128>>,
}

impl Points {
    /// All points over the monomials of these polynomials; `None` if they are too many.
    fn new<'p>(polynomials: impl Iterator<Item = &'p Polynomial>) -> Option<Points> {
        let mut unknowns = HashMap::new();
        for (monomial, _) in polynomials.flat_map(Polynomial::terms).filter(|(monomial, _)| !monomial.is_one()) {
            let next = unknowns.len();
            unknowns.entry(monomial.clone()).or_insert(next);
        }
        let width = unknowns.len();
        let unit = |place: usize| (0..width).map(|column| i128::from(column == place)).collect();
        (width <= MOST_UNKNOWNS).then(|| Points { basis: (0..width).map(unit).collect(), unknowns })
    }

    /// Leaves the points on which the polynomial is zero, or a multiple of the modulus; tells whether these are not all.
    /// `None`, with all points left, if numbers grow too large.
    fn restrict(&mut self, polynomial: &Polynomial, modulus: Option<&IBig>) -> Option<bool> {
        let modulus = modulus.map_or(Some(0), |modulus| i128::try_from(modulus).ok())?;
        let reduced = |value: i128| if modulus == 0 { value } else { value.rem_euclid(modulus) };
        let mut values = Vec::with_capacity(self.basis.len());
        for vector in &self.basis {
            let mut value = 0i128;
            for (monomial, coefficient) in polynomial.terms().iter().filter(|(monomial, _)| !monomial.is_one()) {
                let entry = vector[self.unknowns[monomial]];
                value = value.checked_add(entry.checked_mul(i128::try_from(coefficient).ok()?)?)?;
            }
            values.push(reduced(value));
        }
        if values.iter().all(|value| *value == 0) {
            return Some(false);
        }
        let mut basis = self.basis.clone();
        let pivot = loop {
            let others = values.iter().enumerate().filter(|(_, value)| **value != 0);
            let (pivot, _) = others.min_by_key(|(_, value)| value.unsigned_abs())?;
            let own = basis[pivot].clone();
            let mut is_last = true;
            for (place, vector) in basis.iter_mut().enumerate().filter(|(place, _)| *place != pivot) {
                let quotient = values[place] / values[pivot];
                if quotient != 0 {
                    for (entry, own) in vector.iter_mut().zip(&own).filter(|(_, own)| **own != 0) {
                        *entry = entry.checked_sub(own.checked_mul(quotient)?)?;
                    }
                    values[place] -= quotient * values[pivot];
                }
                is_last &= values[place] == 0;
            }
            if is_last {
                break pivot;
            }
        };
        if modulus == 0 {
            basis.swap_remove(pivot);
        } else {
            let factor = modulus / i128::try_from(algebra::gcd(values[pivot].unsigned_abs(), modulus as u128)).ok()?;
            for entry in &mut basis[pivot] {
                *entry = entry.checked_mul(factor)?;
            }
        }
        self.basis = basis;
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;
    use crate::claim::{Check, Class};
    use proptest::prelude::*;

    fn candidate(polynomial: Polynomial, modulus: i64) -> Candidate {
        Candidate {
            form: Form::Congruence,
            class: Class::Congruence,
            predicate: logic::Predicate::Const(true),
            claim: Claim::Multiple(polynomial, modulus.into()),
            has_reason: true,
        }
    }

    fn linear(coefficients: &[i64]) -> Polynomial {
        let width = coefficients.len();
        let part = |(v, c): (usize, &i64)| Polynomial::variable(v, width).scale(&(*c).into());
        coefficients.iter().enumerate().map(part).fold(Polynomial::zero(), |sum, part| sum.add(&part))
    }

    #[test]
    fn a_chain_of_even_differences_needs_its_links_only() {
        let mut all = Vec::new();
        for i in 0..6 {
            for j in i + 1..6 {
                let coefficients: Vec<i64> = (0..6).map(|v| i64::from(v == i) - i64::from(v == j)).collect();
                all.push(candidate(linear(&coefficients), 2));
            }
        }
        assert_eq!(independent(&[], all.clone()).len(), 5);
        // An equation of two of them takes one more.
        assert_eq!(independent(&[linear(&[1, -1, 0, 0, 0, 0])], all).len(), 4);
        // 3*x is even where x is.
        let twice = vec![candidate(linear(&[1, 0]), 2), candidate(linear(&[3, 0]), 2), candidate(linear(&[3, 0]), 4)];
        assert_eq!(independent(&[], twice).len(), 2);
    }

    proptest! {
        /// Every point of a cube that satisfies the equation and what is kept satisfies what is dropped.
        #[test]
        fn what_is_dropped_follows(
            equation in proptest::collection::vec(-2i64..3, 3),
            congruences in proptest::collection::vec((proptest::collection::vec(-3i64..4, 3), 2i64..7), 1..6),
        ) {
            let equations = [linear(&equation)];
            let all: Vec<Candidate> = congruences.iter().map(|(c, modulus)| candidate(linear(c), *modulus)).collect();
            let kept = independent(&equations, all.clone());
            let checks = |all: &[Candidate]| all.iter().map(|c| Check::new(&c.claim)).collect::<Vec<_>>();
            let (all, kept, zero) = (checks(&all), checks(&kept), Check::new(&Claim::Zero(equations[0].clone())));
            for n in 0..2197i64 {
                let point = [n % 13 - 6, n / 13 % 13 - 6, n / 169 - 6];
                if zero.holds(&point) && kept.iter().all(|check| check.holds(&point)) {
                    prop_assert!(all.iter().all(|check| check.holds(&point)), "{:?}", point);
                }
            }
        }
    }
}
