//! Ideals of polynomials: Gröbner bases under a budget, and membership.
//!
//! *Question*: does this equation follow from those, by multiplying and adding them?
//!
//! *Source*: B. Buchberger, 1965; the criteria that save pairs are those of R. Gebauer and H. M. Möller, "On an
//! installation of Buchberger's algorithm", 1988 (the coprime criterion and the chain criterion). Pairs are taken in
//! the order of the degree of their least common multiple.
//!
//! *Departures*: polynomials are primitive over the integers, so no fraction is ever formed; pairs above a degree and
//! work above a number of steps are left out, and the basis then says that it is not complete.
//!
//! *Guarantee*: every element of a basis lies in the ideal, complete or not. So [`Basis::contains`] answering `true` is
//! always right; `false` is right only if the basis is complete, else it means "not found".
//!
//! *Cost*: doubly exponential in the worst case, hence the budget. A step is one term of one reduction; where the
//! coefficients have grown long, as many as the work on them amounts to.

use crate::monomial::Monomial;
use crate::polynomial::Polynomial;
use dashu_base::{BitTest, Gcd, Signed};
use dashu_int::IBig;

/// What a computation may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Pairs whose least common multiple has a larger degree are left out.
    pub degree: u32,
    /// Terms touched by reductions, in total; those with long coefficients count for more.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { degree: 12, steps: 2_000_000 }
    }
}

/// A Gröbner basis, or what the budget allowed of one.
#[derive(Clone, Debug)]
pub struct Basis {
    elements: Vec<Polynomial>,
    complete: bool,
}

/// Steps left; running out is remembered.
struct Meter {
    left: u64,
    exhausted: bool,
}

impl Meter {
    /// Pays for one reduction of so many terms, by the coefficients that are multiplied into all of them.
    fn spend(&mut self, terms: usize, coefficients: [&IBig; 2]) -> bool {
        let words = coefficients.map(|c| c.bit_len() / 64).into_iter().max().unwrap_or(0) as u64;
        // Products and common divisors of long numbers take the square of their length.
        let each = 1 + words * words / 16;
        match self.left.checked_sub(each.saturating_mul(terms as u64)) {
            Some(left) => self.left = left,
            None => self.exhausted = true,
        }
        !self.exhausted
    }
}

impl Basis {
    /// The basis of the ideal that the generators make.
    pub fn new(generators: impl IntoIterator<Item = Polynomial>, budget: Budget) -> Basis {
        let mut meter = Meter { left: budget.steps, exhausted: false };
        let mut work = Completion { elements: Vec::new(), alive: Vec::new(), pairs: Vec::new(), complete: true };
        let mut generators: Vec<Polynomial> = generators.into_iter().collect();
        generators.sort_by_key(Polynomial::degree);
        for generator in generators {
            let rest = reduce(generator, &work.elements, &mut meter);
            if !rest.is_zero() {
                work.add(rest);
            }
        }
        while let Some((i, j, lcm)) = work.next_pair() {
            if lcm.degree() > budget.degree || meter.exhausted {
                work.complete = false;
                continue;
            }
            let rest = reduce(s_polynomial(&work.elements[i], &work.elements[j], &lcm), &work.elements, &mut meter);
            if !rest.is_zero() {
                work.add(rest);
            }
        }
        // An element whose leading monomial another one divides adds nothing to reductions.
        let elements = work.elements.into_iter().zip(work.alive).filter(|(_, alive)| *alive).map(|(e, _)| e).collect();
        Basis { elements, complete: work.complete && !meter.exhausted }
    }

    pub fn elements(&self) -> &[Polynomial] {
        &self.elements
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What is left of a positive multiple of the polynomial after subtracting multiples of the basis: zero for members.
    /// Where the ideal vanishes it has the sign of the polynomial.
    pub fn reduce(&self, polynomial: Polynomial, budget: Budget) -> Polynomial {
        reduce(polynomial, &self.elements, &mut Meter { left: budget.steps, exhausted: false })
    }

    /// A polynomial `rest` and a positive number `scale` such that `scale * polynomial - rest` lies in the ideal, so that
    /// signs can be read off the rest: wherever the basis vanishes, the polynomial is the rest divided by the scale.
    pub fn normal_form(&self, polynomial: Polynomial, budget: Budget) -> (Polynomial, IBig) {
        let mut meter = Meter { left: budget.steps, exhausted: false };
        let (mut rest, mut scale) = (polynomial, IBig::ONE);
        let mut settled = 0;
        while settled < rest.terms().len() {
            let (monomial, coefficient) = &rest.terms()[settled];
            let divisor = self.elements.iter().find_map(|d| monomial.div(lead(d)).map(|shift| (d, shift)));
            let Some((divisor, shift)) = divisor else {
                settled += 1;
                continue;
            };
            let head = &divisor.leading().expect("not zero").1;
            if !meter.spend(rest.terms().len() + divisor.terms().len(), [coefficient, head]) {
                break;
            }
            // The scale is to stay positive, so the sign goes to the divisor's side.
            let common = IBig::from(coefficient.gcd(head)) * head.signum();
            let (factor, multiple) = (head / &common, -(coefficient / &common));
            rest = rest.combine(&factor, divisor, &multiple, Some(&shift));
            scale *= factor;
        }
        (rest, scale)
    }

    /// Whether the polynomial is found to lie in the ideal (see the module documentation for `false`).
    pub fn contains(&self, polynomial: &Polynomial, budget: Budget) -> bool {
        self.reduce(polynomial.clone(), budget).is_zero()
    }
}

struct Completion {
    elements: Vec<Polynomial>,
    /// Elements whose leading monomial no later one divides.
    alive: Vec<bool>,
    pairs: Vec<(usize, usize, Monomial)>,
    complete: bool,
}

fn lead(polynomial: &Polynomial) -> &Monomial {
    &polynomial.leading().expect("an element of a basis should not be zero").0
}

impl Completion {
    /// Adds an element and the pairs it makes, less those the criteria show to be unneeded.
    fn add(&mut self, element: Polynomial) {
        let new = self.elements.len();
        let head = lead(&element).clone();
        // Chain criterion on old pairs: the new element links both sides below their multiple.
        self.pairs.retain(|(i, j, lcm)| {
            !head.divides(lcm)
                || lead(&self.elements[*i]).lcm(&head) == *lcm
                || lead(&self.elements[*j]).lcm(&head) == *lcm
        });
        let mut fresh: Vec<(usize, Monomial)> =
            (0..new).filter(|&i| self.alive[i]).map(|i| (i, lead(&self.elements[i]).lcm(&head))).collect();
        fresh.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)));
        let mut kept: Vec<(usize, Monomial, bool)> = Vec::new();
        for (i, lcm) in fresh {
            let coprime = lead(&self.elements[i]).is_coprime(&head);
            // A pair whose multiple is divisible by that of an earlier one is linked through it; among pairs of the
            // same multiple a coprime one makes all of them unneeded.
            if let Some(earlier) = kept.iter_mut().find(|(_, m, _)| m.divides(&lcm)) {
                if earlier.1 == lcm {
                    earlier.2 |= coprime;
                }
                continue;
            }
            kept.push((i, lcm, coprime));
        }
        self.pairs.extend(kept.into_iter().filter(|(_, _, coprime)| !coprime).map(|(i, lcm, _)| (i, new, lcm)));
        for i in 0..new {
            if self.alive[i] && head.divides(lead(&self.elements[i])) {
                self.alive[i] = false;
            }
        }
        self.elements.push(element);
        self.alive.push(true);
    }

    fn next_pair(&mut self) -> Option<(usize, usize, Monomial)> {
        let best = (0..self.pairs.len()).min_by(|&a, &b| self.pairs[a].2.cmp(&self.pairs[b].2))?;
        Some(self.pairs.swap_remove(best))
    }
}

fn s_polynomial(f: &Polynomial, g: &Polynomial, lcm: &Monomial) -> Polynomial {
    let ((fm, fc), (gm, gc)) = (f.leading().expect("not zero"), g.leading().expect("not zero"));
    let common = IBig::from(fc.gcd(gc));
    let left = lcm.div(fm).expect("the least common multiple is divisible");
    let right = lcm.div(gm).expect("the least common multiple is divisible");
    let moved = Polynomial::zero().combine(&IBig::ONE, f, &(gc / &common), Some(&left));
    moved.combine(&IBig::ONE, g, &-(fc / &common), Some(&right)).primitive()
}

/// Subtracts multiples of the divisors until no term of the (scaled) polynomial is divisible by a leading monomial.
/// When the steps run out the rest is returned as it is: it differs from the polynomial by an element of the ideal.
fn reduce(polynomial: Polynomial, divisors: &[Polynomial], meter: &mut Meter) -> Polynomial {
    let mut rest = polynomial.coprime();
    let mut settled = 0; // Terms before this index are irreducible.
    while settled < rest.terms().len() {
        let (monomial, coefficient) = &rest.terms()[settled];
        let divisor = divisors.iter().find_map(|d| monomial.div(lead(d)).map(|shift| (d, shift)));
        let Some((divisor, shift)) = divisor else {
            settled += 1;
            continue;
        };
        let head = &divisor.leading().expect("not zero").1;
        if !meter.spend(rest.terms().len() + divisor.terms().len(), [coefficient, head]) {
            return rest;
        }
        let common = IBig::from(coefficient.gcd(head));
        let (mut scale, mut factor) = (head / &common, -(coefficient / &common));
        if scale.is_negative() {
            (scale, factor) = (-scale, -factor);
        }
        rest = rest.combine(&scale, divisor, &factor, Some(&shift)).coprime();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Variables a b q r x y of Cohen's division.
    fn cohen() -> (Vec<Polynomial>, [Polynomial; 6]) {
        let v: [Polynomial; 6] = std::array::from_fn(|i| Polynomial::variable(i, 6));
        let [a, b, q, r, x, y] = &v;
        (vec![b.sub(&a.mul(y)), x.sub(&q.mul(y)).sub(r)], v)
    }

    #[test]
    fn the_redundant_equation_of_cohen_is_a_member() {
        let (generators, [a, b, q, r, x, y]) = cohen();
        let basis = Basis::new(generators, Budget::default());
        assert!(basis.is_complete());
        let redundant = x.mul(&a).sub(&r.mul(&a)).sub(&b.mul(&q));
        assert!(basis.contains(&redundant, Budget::default()));
        assert!(!basis.contains(&x.sub(&y), Budget::default()));
    }

    #[test]
    fn equal_variables_imply_equal_squares_and_not_conversely() {
        let (x, y) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let (line, squares) = (x.sub(&y), x.mul(&x).sub(&y.mul(&y)));
        assert!(Basis::new([line.clone()], Budget::default()).contains(&squares, Budget::default()));
        assert!(!Basis::new([squares], Budget::default()).contains(&line, Budget::default()));
    }

    #[test]
    fn an_empty_budget_is_honest() {
        let (x, y) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let cube = x.mul(&x).mul(&x).sub(&y);
        let other = x.mul(&y).sub(&Polynomial::constant(1, 2));
        let none = Budget { degree: 12, steps: 0 };
        assert!(!Basis::new([cube, other], none).is_complete());
    }

    fn small() -> impl Strategy<Value = Polynomial> {
        proptest::collection::vec((proptest::collection::vec(0u16..3, 3), -3i64..4), 1..4).prop_map(|terms| {
            Polynomial::from_terms(terms.into_iter().map(|(e, c)| (Monomial::new(&e), IBig::from(c))))
        })
    }

    proptest! {
        /// Combinations of the generators are members, and every S-polynomial of a complete basis reduces to zero,
        /// which is Buchberger's criterion: the definition the criteria are checked against.
        #[test]
        fn bases_satisfy_the_definition(gs in proptest::collection::vec(small(), 1..4), ms in proptest::collection::vec(small(), 3)) {
            let budget = Budget { degree: 10, steps: 200_000 };
            let ample = Budget { degree: 10, steps: 10_000_000 };
            let basis = Basis::new(gs.clone(), budget);
            let combination = gs.iter().zip(&ms).fold(Polynomial::zero(), |sum, (g, m)| sum.add(&g.mul(m)));
            if basis.is_complete() {
                prop_assert!(basis.contains(&combination, ample));
                for f in basis.elements() {
                    for g in basis.elements() {
                        let s = s_polynomial(f, g, &lead(f).lcm(lead(g)));
                        prop_assert!(basis.contains(&s, ample));
                    }
                }
            }
        }

        /// Where the generators vanish, the scaled polynomial and its normal form have the same value.
        #[test]
        fn normal_forms_keep_values(gs in proptest::collection::vec(small(), 1..4), p in small(), point in proptest::collection::vec(-4i64..5, 3)) {
            let budget = Budget { degree: 10, steps: 100_000 };
            let point: Vec<IBig> = point.into_iter().map(IBig::from).collect();
            let through = gs.iter().map(|g| g.sub(&Polynomial::constant(g.evaluate(&point), 3)));
            let (rest, scale) = Basis::new(through, budget).normal_form(p.clone(), budget);
            prop_assert!(scale > IBig::ZERO);
            prop_assert_eq!(rest.evaluate(&point), scale * p.evaluate(&point));
        }

        /// Members vanish where the generators do: with generators that vanish at a point, so does every basis element.
        #[test]
        fn basis_elements_vanish_where_the_generators_do(gs in proptest::collection::vec(small(), 1..4), point in proptest::collection::vec(-4i64..5, 3)) {
            let point: Vec<IBig> = point.into_iter().map(IBig::from).collect();
            let through = gs.iter().map(|g| g.sub(&Polynomial::constant(g.evaluate(&point), 3)));
            let basis = Basis::new(through, Budget { degree: 10, steps: 100_000 });
            for element in basis.elements() {
                prop_assert_eq!(element.evaluate(&point), IBig::ZERO);
            }
        }
    }
}
