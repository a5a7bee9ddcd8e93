//! Polynomial equations that hold of all samples, as few as say everything.
//!
//! *Question*: which polynomials up to a degree are zero on every row?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, §3.2.1.
//!
//! *Departures*: the source solves one linear system over all monomials and prunes afterwards with a solver. Here the
//! degrees are taken in turn, as in the algorithm of H. M. Möller and B. Buchberger for the ideal of points (1982):
//! monomials that are multiples of a leading monomial found at a lower degree are left out of the next system, because
//! the equations in them follow. Linear systems stay small, and what follows from the rest is dropped by ideal
//! membership: in Cohen's division `x*a == r*a + b*q` goes because of `b == a*y` and `x == q*y + r`.
//!
//! *Guarantee*: every equation is exactly zero on every row. Every polynomial of at most the degree that is zero on all
//! rows lies in the ideal of the equations given, up to the budget of the ideal computation: when that runs out, an
//! equation that follows may be kept, never one lost.
//!
//! *Cost*: that of [`algebra::nullspace`] for at most `limit` columns for each degree.

use super::samples::Samples;
use algebra::ideal::{Basis, Budget};
use algebra::prime::Prime;
use algebra::{Monomial, Polynomial, Relation, Rows, nullspace};
use dashu_base::Abs;
use dashu_int::IBig;

/// Equations found, and how far the search went.
#[derive(Clone, Debug)]
pub struct Equalities {
    /// Each is zero on every row, in the values of the variables (denominators are put back).
    pub polynomials: Vec<Polynomial>,
    /// The largest degree searched.
    pub degree: u32,
}

/// The largest degree for which all monomials in so many variables number at most `limit`; at least 1.
pub fn largest_degree(variables: usize, limit: usize) -> u32 {
    let mut degree = 1;
    while degree < 8 && count(variables, degree + 1) <= limit {
        degree += 1;
    }
    degree
}

/// The number of monomials: the binomial of `variables + degree` over `degree`.
fn count(variables: usize, degree: u32) -> usize {
    (1..=degree as usize).fold(1usize, |product, i| product.saturating_mul(variables + i) / i)
}

/// Finds equations up to a degree. A degree whose monomials, less the multiples already known to follow, exceed
/// `limit` is not searched, nor any above it.
pub fn equalities(samples: &Samples, degree: u32, limit: usize) -> Equalities {
    let variables = samples.variables().len();
    let mut found = Ideal::new(variables);
    let mut searched = 0;
    if samples.is_empty() {
        return Equalities { polynomials: Vec::new(), degree: 0 };
    }
    for step in 1..=degree {
        let monomials = found.standard_monomials(step);
        if monomials.len() > limit.max(variables + 1) {
            break;
        }
        let system = System::new(samples, monomials);
        let mut fresh: Vec<Polynomial> =
            nullspace(&system).iter().map(|relation| system.polynomial(relation)).collect();
        fresh.sort_by_key(weight);
        fresh.into_iter().for_each(|polynomial| found.add(polynomial));
        searched = step;
    }
    found.drop_what_follows();
    let denominators: Vec<i64> = samples.variables().iter().map(|v| v.denominator()).collect();
    let polynomials = found.generators.iter().map(|p| unscaled(p, &denominators)).collect();
    Equalities { polynomials, degree: searched }
}

/// How hard an equation is to read: of two sets that say the same, the one of light equations is given.
fn weight(polynomial: &Polynomial) -> (u32, usize, usize, IBig) {
    let terms = polynomial.terms();
    let variables = terms.first().map_or(0, |(m, _)| {
        (0..m.exponents().len()).filter(|&v| terms.iter().any(|(m, _)| m.exponents()[v] > 0)).count()
    });
    let magnitude = terms.iter().map(|(_, c)| c.clone().abs()).sum();
    (polynomial.degree(), variables, terms.len(), magnitude)
}

/// From the integers in the cells to the values they stand for: a cell is the value times the denominator.
fn unscaled(polynomial: &Polynomial, denominators: &[i64]) -> Polynomial {
    let terms = polynomial.terms().iter().map(|(monomial, coefficient)| {
        let factor = monomial
            .exponents()
            .iter()
            .zip(denominators)
            .fold(IBig::ONE, |product, (&e, &d)| product * IBig::from(d).pow(usize::from(e)));
        (monomial.clone(), coefficient * factor)
    });
    Polynomial::from_terms(terms).primitive()
}

/// The equations so far: a small set of generators, everything known to follow, and the leading monomials of both.
struct Ideal {
    variables: usize,
    generators: Vec<Polynomial>,
    basis: Basis,
    leads: Vec<Monomial>,
}

impl Ideal {
    fn new(variables: usize) -> Ideal {
        Ideal { variables, generators: Vec::new(), basis: Basis::new([], budget()), leads: Vec::new() }
    }

    /// Monomials up to a degree that no known leading monomial divides, in ascending order.
    fn standard_monomials(&self, degree: u32) -> Vec<Monomial> {
        let mut layer = vec![Monomial::one(self.variables)];
        let mut all = layer.clone();
        for _ in 0..degree {
            let mut next: Vec<Monomial> = Vec::new();
            for monomial in &layer {
                let from = monomial.exponents().iter().rposition(|&e| e > 0).unwrap_or(0);
                next.extend((from..self.variables).map(|v| monomial.mul(&Monomial::variable(v, self.variables))));
            }
            // A multiple of a non-standard monomial is not standard, so whole branches end here.
            next.retain(|m| !self.leads.iter().any(|lead| lead.divides(m)));
            all.extend(next.iter().cloned());
            layer = next;
        }
        all.sort();
        all
    }

    fn add(&mut self, polynomial: Polynomial) {
        if let Some((lead, _)) = polynomial.leading() {
            self.leads.push(lead.clone());
        }
        if !self.basis.contains(&polynomial, budget()) {
            self.generators.push(polynomial);
            self.basis = Basis::new(self.generators.iter().cloned(), budget());
        }
    }

    /// A later equation may make an earlier one follow, so the generators are looked at once more, heaviest first.
    fn drop_what_follows(&mut self) {
        self.generators.sort_by_key(weight);
        for index in (0..self.generators.len()).rev() {
            let others = self.generators.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, p)| p.clone());
            if Basis::new(others, budget()).contains(&self.generators[index], budget()) {
                self.generators.remove(index);
            }
        }
    }
}

fn budget() -> Budget {
    Budget { degree: 10, steps: 300_000 }
}

/// Monomials evaluated on samples, as a matrix.
struct System<'s> {
    samples: &'s Samples,
    monomials: Vec<Monomial>,
    /// For each monomial but the first, an earlier one and the variable that leads to it, if there is one among them.
    steps: Vec<Option<(usize, usize)>>,
}

impl<'s> System<'s> {
    fn new(samples: &'s Samples, monomials: Vec<Monomial>) -> System<'s> {
        let variables = samples.variables().len();
        let steps = monomials
            .iter()
            .map(|monomial| {
                (0..variables).find_map(|variable| {
                    let smaller = monomial.div(&Monomial::variable(variable, variables))?;
                    monomials.binary_search(&smaller).ok().map(|index| (index, variable))
                })
            })
            .collect();
        System { samples, monomials, steps }
    }

    fn polynomial(&self, relation: &Relation) -> Polynomial {
        let terms = relation.entries.iter().map(|(column, c)| (self.monomials[*column].clone(), c.clone()));
        Polynomial::from_terms(terms).primitive()
    }
}

impl Rows for System<'_> {
    fn rows(&self) -> usize {
        self.samples.len()
    }

    fn columns(&self) -> usize {
        self.monomials.len()
    }

    fn modulo(&self, row: usize, prime: Prime, out: &mut [u32]) {
        let row = self.samples.row(row);
        for (index, step) in self.steps.iter().enumerate() {
            out[index] = match step {
                Some((smaller, variable)) => prime.mul(out[*smaller], prime.reduce_i128(row[*variable].into())),
                None => self.monomials[index].exponents().iter().zip(row).fold(1, |product, (&e, &x)| {
                    prime.mul(product, prime.pow(prime.reduce_i128(x.into()), u32::from(e)))
                }),
            };
        }
    }

    fn vanishes(&self, row: usize, relation: &Relation) -> bool {
        let row = self.samples.row(row);
        small_sum(&self.monomials, relation, row)
            .unwrap_or_else(|| large_sum(&self.monomials, relation, row) == IBig::ZERO)
    }
}

/// Whether the sum is zero, if it stays within 128 bits.
fn small_sum(monomials: &[Monomial], relation: &Relation, row: &[i64]) -> Option<bool> {
    let mut sum = 0i128;
    for (column, coefficient) in &relation.entries {
        let mut product = i128::try_from(coefficient).ok()?;
        for (&exponent, &value) in monomials[*column].exponents().iter().zip(row) {
            for _ in 0..exponent {
                product = product.checked_mul(value.into())?;
            }
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum == 0)
}

fn large_sum(monomials: &[Monomial], relation: &Relation, row: &[i64]) -> IBig {
    let value = |monomial: &Monomial| {
        monomial
            .exponents()
            .iter()
            .zip(row)
            .fold(IBig::ONE, |product, (&e, &x)| product * IBig::from(x).pow(usize::from(e)))
    };
    relation.entries.iter().map(|(column, c)| c * value(&monomials[*column])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::samples::{Kind, Role, Variable};
    use proptest::prelude::*;

    fn samples(names: &[&str], rows: impl IntoIterator<Item = Vec<i64>>) -> Samples {
        let mut samples = Samples::new(names.iter().map(|n| Variable::int(*n)).collect());
        rows.into_iter().for_each(|row| {
            samples.push(&row);
        });
        samples
    }

    /// The rows of Cohen's division at the head of its inner loop.
    fn cohen() -> Samples {
        let mut rows = Vec::new();
        for x in (1..1000i64).step_by(7) {
            for y in 1..14i64 {
                let (mut q, mut r) = (0, x);
                while r >= y {
                    let (mut a, mut b) = (1, y);
                    while r >= 2 * b {
                        rows.push(vec![a, b, q, r, x, y]);
                        a *= 2;
                        b *= 2;
                    }
                    r -= b;
                    q += a;
                }
            }
        }
        samples(&["a", "b", "q", "r", "x", "y"], rows)
    }

    #[test]
    fn cohen_has_two_equations() {
        let v: [Polynomial; 6] = std::array::from_fn(|i| Polynomial::variable(i, 6));
        let [a, b, q, r, x, y] = &v;
        for degree in 2..=3 {
            let found = equalities(&cohen(), degree, 200);
            assert_eq!(found.degree, degree);
            assert_eq!(found.polynomials.len(), 2);
            let basis = Basis::new(found.polynomials, Budget::default());
            for documented in [b.sub(&a.mul(y)), x.sub(&q.mul(y)).sub(r)] {
                assert!(basis.contains(&documented, Budget::default()));
            }
        }
    }

    #[test]
    fn halves_come_back_as_halves() {
        let mut samples =
            Samples::new(vec![Variable::new("h", Kind::Real { denominator: 2 }, Role::Program), Variable::int("n")]);
        (0..9).for_each(|n| {
            samples.push(&[n, n]);
        });
        // The cell n stands for h = n/2, so n == 2h.
        let (h, n) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let found = equalities(&samples, 1, 200).polynomials;
        assert_eq!(found, [h.scale(&2.into()).sub(&n).primitive()]);
    }

    #[test]
    fn degrees_follow_the_limit() {
        assert_eq!((largest_degree(4, 200), largest_degree(12, 200), largest_degree(60, 200)), (5, 2, 1));
        assert_eq!(equalities(&samples(&["x"], []), 3, 200).polynomials, []);
    }

    proptest! {
        /// The slow twin: over all monomials at once, by rational elimination. Every relation it finds lies in the ideal
        /// of the equations given, and every equation given is zero on every row.
        #[test]
        fn nothing_is_missed_and_nothing_is_wrong(rows in proptest::collection::vec(proptest::collection::vec(-3i64..4, 3), 1..12)) {
            let samples = samples(&["x", "y", "z"], rows);
            let found = equalities(&samples, 2, 200);
            for row in samples.rows() {
                let point: Vec<IBig> = row.iter().map(|&x| IBig::from(x)).collect();
                prop_assert!(found.polynomials.iter().all(|p| p.evaluate(&point) == IBig::ZERO));
            }
            let monomials = Monomial::up_to(3, 2);
            let matrix: Vec<Vec<i128>> = samples.rows().map(|row| {
                monomials.iter().map(|m| m.exponents().iter().zip(row).map(|(&e, &x)| i128::from(x).pow(e.into())).product()).collect()
            }).collect();
            let basis = Basis::new(found.polynomials, Budget { degree: 12, steps: 5_000_000 });
            if basis.is_complete() {
                for relation in algebra::rational::nullspace(&matrix, monomials.len()) {
                    let terms = relation.entries.iter().map(|(column, c)| (monomials[*column].clone(), c.clone()));
                    prop_assert!(basis.contains(&Polynomial::from_terms(terms), Budget::default()));
                }
            }
        }
    }
}
