//! Remainders that never change: `x === 1 (mod 4)`, `x + y === 0 (mod 5)`.
//!
//! *Method*: the modulus is the greatest common divisor of the differences from the first near row, for each integer
//! variable and for the sum and the difference of each pair. A modulus must be borne out by several different
//! quotients and hold of the far rows.
//!
//! *Guarantee*: the modulus is the largest for its form. What follows from the congruences of single variables, or
//! from an equation with whole coefficients, is left out.

use super::claim::Claim;
use super::relations::MOST_FOR_PAIRS;
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use observe::samples::{Evidence, Kind};
use std::collections::BTreeSet;

/// Different values that must be seen before a modulus counts.
const ENOUGH: usize = 4;

/// A form and the number it is a multiple of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Congruence {
    pub polynomial: Polynomial,
    pub modulus: IBig,
}

impl Congruence {
    pub fn claim(&self) -> Claim {
        Claim::Multiple(self.polynomial.clone(), self.modulus.clone())
    }
}

/// The congruences of the columns, given the equations that hold.
pub fn congruences(evidence: &Evidence, columns: &[usize], equations: &[Polynomial]) -> Vec<Congruence> {
    let width = evidence.variables().len();
    let columns: Vec<usize> = columns.iter().copied().filter(|&c| evidence.variables()[c].kind == Kind::Int).collect();
    let mut found = Vec::new();
    let mut own = vec![1u128; width];
    for &column in &columns {
        if let Some((residue, modulus)) = remainder(evidence, |row| row[column].into()) {
            own[column] = modulus;
            found.push((vec![(column, 1)], residue, modulus));
        }
    }
    let in_pairs: &[usize] = if columns.len() <= MOST_FOR_PAIRS { &columns } else { &[] };
    for (place, &x) in in_pairs.iter().enumerate() {
        for &y in &in_pairs[place + 1..] {
            let implied = algebra::gcd(own[x], own[y]);
            let sum = remainder(evidence, |row| i128::from(row[x]) + i128::from(row[y]));
            let sum = sum.filter(|(_, m)| !implied.is_multiple_of(*m));
            let difference = remainder(evidence, |row| i128::from(row[x]) - i128::from(row[y]));
            let difference = difference.filter(|(_, m)| !implied.is_multiple_of(*m));
            // Modulo 2 the sum and the difference are the same.
            let repeated = difference.is_some_and(|(_, m)| m == 2) && sum.is_some_and(|(_, m)| m % 2 == 0);
            found.extend(sum.map(|(residue, modulus)| (vec![(x, 1), (y, 1)], residue, modulus)));
            let difference = difference.filter(|_| !repeated);
            found.extend(difference.map(|(residue, modulus)| (vec![(x, 1), (y, -1)], residue, modulus)));
        }
    }
    let congruence = |(parts, residue, modulus): (Vec<(usize, i64)>, u128, u128)| {
        let terms = parts.into_iter().map(|(v, c)| (Monomial::variable(v, width), IBig::from(c)));
        let polynomial = Polynomial::from_terms(terms).sub(&Polynomial::constant(residue, width));
        Congruence { polynomial, modulus: modulus.into() }
    };
    found.into_iter().map(congruence).filter(|c| !follows(c, equations)).collect()
}

/// The remainder of a number on all rows and the largest modulus, if there is one of at least 2.
fn remainder(evidence: &Evidence, value: impl Fn(&[i64]) -> i128) -> Option<(u128, u128)> {
    let near = if evidence.near.is_empty() { &evidence.far } else { &evidence.near };
    let first = value(near.rows().next()?);
    let mut modulus = 0;
    let mut different = BTreeSet::new();
    for row in near.rows() {
        let here = value(row);
        modulus = algebra::gcd(modulus, here.abs_diff(first));
        if modulus == 1 {
            return None;
        }
        if different.len() < ENOUGH {
            different.insert(here);
        }
    }
    let holds = || evidence.far.rows().all(|row| value(row).abs_diff(first).is_multiple_of(modulus));
    if modulus < 2 || different.len() < ENOUGH || !holds() {
        return None;
    }
    let residue = first.rem_euclid(i128::try_from(modulus).ok()?);
    Some((residue as u128, modulus))
}

/// Whether replacing a variable as an equation says leaves only multiples of the modulus.
fn follows(congruence: &Congruence, equations: &[Polynomial]) -> bool {
    let divides = |p: &Polynomial| p.terms().iter().all(|(_, c)| c % &congruence.modulus == IBig::ZERO);
    let mut forms = vec![congruence.polynomial.clone()];
    // Both variables of a pair may need replacing.
    for _ in 0..2 {
        let mut next = Vec::new();
        for form in &forms {
            for equation in equations {
                for (monomial, coefficient) in form.terms() {
                    let unit = equation.terms().iter().find(|(m, _)| m == monomial && !m.is_one());
                    let Some((_, unit)) = unit.filter(|(_, c)| *c == IBig::ONE || *c == IBig::NEG_ONE) else {
                        continue;
                    };
                    next.push(form.sub(&equation.scale(&(coefficient * unit))));
                }
            }
        }
        if forms.iter().chain(&next).any(divides) {
            return true;
        }
        forms = next;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::{Samples, Variable};
    use proptest::prelude::*;

    fn evidence(names: &[&str], near: &[Vec<i64>]) -> Evidence {
        let mut samples = Samples::new(names.iter().map(|n| Variable::int(*n)).collect());
        let far = samples.clone();
        near.iter().for_each(|row| {
            samples.push(row);
        });
        Evidence { near: samples, far }
    }

    #[test]
    fn single_variables_pairs_and_what_follows() {
        let rows: Vec<Vec<i64>> = (0..20).map(|n| vec![4 * n + 1, n * n, 5 * n - n * n]).collect();
        let found = congruences(&evidence(&["x", "y", "z"], &rows), &[0, 1, 2], &[]);
        let v: [Polynomial; 3] = std::array::from_fn(|i| Polynomial::variable(i, 3));
        assert_eq!(found[0], Congruence { polynomial: v[0].sub(&Polynomial::constant(1, 3)), modulus: 4.into() });
        assert!(found.contains(&Congruence { polynomial: v[1].add(&v[2]), modulus: 5.into() }));
        // t == 2a + 1 makes t odd.
        let rows: Vec<Vec<i64>> = (0..20).map(|n| vec![n, 2 * n + 1]).collect();
        let (a, t) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let equation = t.sub(&a.scale(&2.into())).sub(&Polynomial::constant(1, 2));
        assert_eq!(congruences(&evidence(&["a", "t"], &rows), &[0, 1], &[equation]), []);
    }

    #[test]
    fn constants_and_single_rows_say_nothing() {
        assert_eq!(congruences(&evidence(&["x"], &[vec![4]]), &[0], &[]), []);
        assert_eq!(congruences(&evidence(&["x"], &[]), &[0], &[]), []);
        let wide = [vec![i64::MIN], vec![i64::MAX], vec![0], vec![2]];
        assert_eq!(congruences(&evidence(&["x"], &wide), &[0], &[]), []);
    }

    proptest! {
        /// The definition: the modulus divides all differences and no larger one does.
        #[test]
        fn the_modulus_is_the_largest(values in proptest::collection::vec(-60i64..60, 4..8), factor in 1i64..7) {
            let rows: Vec<Vec<i64>> = values.iter().map(|v| vec![v * factor]).collect();
            let found = congruences(&evidence(&["x"], &rows), &[0], &[]);
            let fits = |m: i64| rows.iter().all(|r| (r[0] - rows[0][0]) % m == 0);
            let largest = (1..900).rev().find(|&m| fits(m)).unwrap();
            let distinct: BTreeSet<i64> = values.iter().copied().collect();
            let expected = distinct.len() >= ENOUGH && largest > 1;
            prop_assert_eq!(found.first().map(|c| c.modulus.clone()), expected.then(|| largest.into()));
        }
    }
}
