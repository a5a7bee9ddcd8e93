//! The smallest boxes, zones and octagons around the samples.
//!
//! *Question*: how large and how small do terms, their differences and their sums get?
//!
//! *Source*: T. Nguyen, 2017, §3.2.3; A. Miné, "The octagon abstract domain", 2006. Terms are monomials: variables, and
//! products where asked for.
//!
//! *Departures*: a bound is computed from the near rows and dropped if a far row breaks it, because it then merely
//! echoes the range of the inputs. If what is bounded is at least 0 or 1, or at most 0 or -1, on all rows, that is
//! given in its place.
//!
//! *Guarantee*: exact, whatever the size of the values. Each bound holds of every row and some near row attains it, so
//! the region is the smallest of its form (property test against the definition).
//!
//! *Cost*: one pass over the rows in blocks that are turned into columns; two subtractions and four comparisons for each
//! pair and row. Blocks whose values are small enough for 64 bits, which is almost all, use nothing wider.

use super::Form;
use super::claim::Claim;
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use observe::samples::{Evidence, Samples, Variable};
use std::ops::{Add, Sub};

/// Rows turned into columns at a time: small enough for the first-level cache with a dozen terms.
const BLOCK: usize = 256;

/// Magnitudes below this leave room for a sum in 64 bits.
const NARROW: u128 = 1 << 62;

/// Which terms, and which pairs of them.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub terms: Vec<Monomial>,
    /// Numbers of terms; whether the sum is looked at as well as the difference.
    pub pairs: Vec<(usize, usize, bool)>,
    /// Terms from this one on are products: their own bounds are not asked for.
    pub singles: usize,
}

impl Plan {
    /// All variables of the columns.
    pub fn alone(columns: &[usize], variables: usize) -> Plan {
        let terms: Vec<Monomial> = columns.iter().map(|&c| Monomial::variable(c, variables)).collect();
        Plan { singles: terms.len(), terms, pairs: Vec::new() }
    }

    /// All variables of the columns, and all pairs of them.
    pub fn linear(columns: &[usize], variables: usize) -> Plan {
        let Plan { terms, .. } = Plan::alone(columns, variables);
        let pairs = (0..terms.len()).flat_map(|i| (i + 1..columns.len()).map(move |j| (i, j, true))).collect();
        Plan { singles: terms.len(), terms, pairs }
    }

    /// The same and, for each variable, its difference from each product of two others.
    pub fn with_products(columns: &[usize], variables: usize) -> Plan {
        let mut plan = Plan::linear(columns, variables);
        for (i, &u) in columns.iter().enumerate() {
            for (j, &w) in columns.iter().enumerate().skip(i + 1) {
                let product = plan.terms.len();
                plan.terms.push(Monomial::variable(u, variables).mul(&Monomial::variable(w, variables)));
                plan.pairs.extend((0..columns.len()).filter(|&v| v != i && v != j).map(|v| (v, product, false)));
            }
        }
        plan
    }

    /// All monomials up to a degree, and all pairs of them.
    pub fn of_degree(columns: &[usize], variables: usize, degree: u32) -> Plan {
        let terms: Vec<Monomial> =
            Monomial::up_to_in(columns, variables, degree, |_| true).into_iter().filter(|m| !m.is_one()).collect();
        let count = terms.len();
        let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j, true))).collect();
        Plan { singles: count, terms, pairs }
    }
}

/// The least and the largest value seen; the other way round if none was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub least: i128,
    pub most: i128,
}

impl Range {
    const NONE: Range = Range { least: i128::MAX, most: i128::MIN };

    fn join(&mut self, least: i128, most: i128) {
        self.least = self.least.min(least);
        self.most = self.most.max(most);
    }
}

/// The ranges of a plan's terms, differences and sums, over a common denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    pub singles: Vec<Range>,
    pub differences: Vec<Range>,
    pub sums: Vec<Range>,
    /// Terms whose values did not fit 128 bits; nothing is known of them.
    pub overflowed: Vec<bool>,
}

/// What each term is multiplied by, so that all are over the common denominator; `None` if that is too large.
fn multipliers(plan: &Plan, variables: &[Variable]) -> Option<Vec<i64>> {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let mut denominators = Vec::new();
    let mut common = 1i128;
    for term in &plan.terms {
        let mut own = 1i128;
        for (&e, variable) in term.exponents().iter().zip(variables) {
            for _ in 0..e {
                own = own.checked_mul(variable.denominator().into()).filter(|d| *d < 1 << 62)?;
            }
        }
        common = (common / gcd(common, own)).checked_mul(own).filter(|c| *c < 1 << 62)?;
        denominators.push(own);
    }
    denominators.into_iter().map(|own| i64::try_from(common / own).ok()).collect()
}

/// Measures a plan on all samples.
pub fn ranges(samples: &Samples, plan: &Plan) -> Ranges {
    let mut result = Ranges {
        singles: vec![Range::NONE; plan.terms.len()],
        differences: vec![Range::NONE; plan.pairs.len()],
        sums: vec![Range::NONE; plan.pairs.len()],
        overflowed: vec![false; plan.terms.len()],
    };
    let Some(multipliers) = multipliers(plan, samples.variables()) else {
        result.overflowed.fill(true);
        return result;
    };
    let factors: Vec<Vec<usize>> = plan
        .terms
        .iter()
        .map(|m| m.exponents().iter().enumerate().flat_map(|(v, &e)| std::iter::repeat_n(v, e.into())).collect())
        .collect();
    let used: Vec<usize> = (0..samples.variables().len()).filter(|v| factors.iter().any(|f| f.contains(v))).collect();
    let mut cells: Vec<Vec<i64>> = vec![Vec::with_capacity(BLOCK); samples.variables().len()];
    let mut narrow: Vec<Vec<i64>> = vec![Vec::with_capacity(BLOCK); plan.terms.len()];
    let mut rows = samples.rows();
    loop {
        cells.iter_mut().for_each(Vec::clear);
        for row in rows.by_ref().take(BLOCK) {
            for &v in &used {
                cells[v].push(row[v]);
            }
        }
        let Some(&first) = used.first() else { return result };
        if cells[first].is_empty() {
            return result;
        }
        let sizes: Vec<u128> =
            cells.iter().map(|c| c.iter().map(|x| u128::from(x.unsigned_abs())).max().unwrap_or(0)).collect();
        let fits = factors.iter().zip(&multipliers).all(|(factors, &m)| {
            let size = factors.iter().try_fold(m.unsigned_abs().into(), |p: u128, &v| p.checked_mul(sizes[v].max(1)));
            size.is_some_and(|size| size < NARROW)
        });
        if fits {
            for (column, (factors, &m)) in narrow.iter_mut().zip(factors.iter().zip(&multipliers)) {
                column.clear();
                match factors.as_slice() {
                    [v] => column.extend(cells[*v].iter().map(|x| x * m)),
                    [u, v] => column.extend(cells[*u].iter().zip(&cells[*v]).map(|(x, y)| x * y * m)),
                    many => {
                        column.extend((0..cells[first].len()).map(|i| many.iter().fold(m, |p, &v| p * cells[v][i])))
                    }
                }
            }
            join_block(&narrow, plan, &mut result);
        } else {
            let wide: Vec<Vec<i128>> = factors
                .iter()
                .zip(&multipliers)
                .enumerate()
                .map(|(term, (factors, &m))| {
                    let value = |i: usize| {
                        let product = factors.iter().try_fold(i128::from(m), |p, &v| p.checked_mul(cells[v][i].into()));
                        product.filter(|p| p.unsigned_abs() < 1 << 126)
                    };
                    let column: Option<Vec<i128>> = (0..cells[first].len()).map(value).collect();
                    column.unwrap_or_else(|| {
                        result.overflowed[term] = true;
                        vec![0; cells[first].len()]
                    })
                })
                .collect();
            join_block(&wide, plan, &mut result);
        }
    }
}

fn join_block<T: Copy + Ord + Into<i128> + Add<Output = T> + Sub<Output = T>>(
    columns: &[Vec<T>],
    plan: &Plan,
    ranges: &mut Ranges,
) {
    for (range, column) in ranges.singles.iter_mut().zip(columns) {
        let (mut least, mut most) = (column[0], column[0]);
        for &x in column {
            least = least.min(x);
            most = most.max(x);
        }
        range.join(least.into(), most.into());
    }
    for (index, &(i, j, sums)) in plan.pairs.iter().enumerate() {
        let (left, right) = (columns[i].as_slice(), columns[j].as_slice());
        let (mut least, mut most) = (left[0] - right[0], left[0] - right[0]);
        if sums {
            let (mut low, mut high) = (left[0] + right[0], left[0] + right[0]);
            for (&x, &y) in left.iter().zip(right) {
                let (difference, sum) = (x - y, x + y);
                least = least.min(difference);
                most = most.max(difference);
                low = low.min(sum);
                high = high.max(sum);
            }
            ranges.sums[index].join(low.into(), high.into());
        } else {
            for (&x, &y) in left.iter().zip(right) {
                least = least.min(x - y);
                most = most.max(x - y);
            }
        }
        ranges.differences[index].join(least.into(), most.into());
    }
}

/// A bound: the form it belongs to and a polynomial that is not negative on any row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    pub form: Form,
    pub polynomial: Polynomial,
}

impl Bound {
    pub fn claim(&self) -> Claim {
        Claim::NonNegative(self.polynomial.clone())
    }
}

/// The tightest bounds of the near rows that hold of the far rows, or else bounds by sign.
pub fn bounds(evidence: &Evidence, plan: &Plan) -> Vec<Bound> {
    let Some(multipliers) = multipliers(plan, evidence.variables()) else { return Vec::new() };
    let (near, far) = (ranges(&evidence.near, plan), ranges(&evidence.far, plan));
    // Without near rows there is nothing to hold the far ones against.
    let (near, far) = if evidence.near.is_empty() { (far.clone(), far) } else { (near, far) };
    let width = evidence.variables().len();
    let whole = multipliers.iter().all(|m| *m == 1) && evidence.variables().iter().all(|v| v.denominator() == 1);
    let lost = |term: usize| near.overflowed[term] || far.overflowed[term];
    let mut found = Vec::new();
    let mut add = |form: Form, parts: &[(usize, i64)], near: Range, far: Range| {
        if near.least > near.most || parts.iter().any(|(term, _)| lost(*term)) {
            return;
        }
        let terms =
            parts.iter().map(|&(t, sign)| (plan.terms[t].clone(), IBig::from(sign) * IBig::from(multipliers[t])));
        let sum = Polynomial::from_terms(terms);
        let constant = |value: i128| Polynomial::constant(value, width);
        // Where the limit moved with the range of the inputs, the sign may still be the same everywhere.
        let sign = |limit: i128| match limit {
            1.. if whole => Some(1),
            0.. => Some(0),
            _ => None,
        };
        let least = if far.least >= near.least { Some(near.least) } else { sign(far.least) };
        let most = if far.most <= near.most { Some(near.most) } else { sign(-far.most).map(|limit| -limit) };
        found.extend(least.map(|least| Bound { form, polynomial: sum.sub(&constant(least)).coprime() }));
        found.extend(most.map(|most| Bound { form, polynomial: constant(most).sub(&sum).coprime() }));
    };
    for term in 0..plan.singles {
        add(Form::Interval, &[(term, 1)], near.singles[term], far.singles[term]);
    }
    for (index, &(i, j, sums)) in plan.pairs.iter().enumerate() {
        add(Form::Zone, &[(i, 1), (j, -1)], near.differences[index], far.differences[index]);
        if sums {
            add(Form::Octagon, &[(i, 1), (j, 1)], near.sums[index], far.sums[index]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Check;
    use observe::samples::{Kind, Role};
    use proptest::prelude::*;

    fn evidence(variables: Vec<Variable>, near: &[Vec<i64>], far: &[Vec<i64>]) -> Evidence {
        let (mut a, mut b) = (Samples::new(variables.clone()), Samples::new(variables));
        near.iter().for_each(|row| {
            a.push(row);
        });
        far.iter().for_each(|row| {
            b.push(row);
        });
        Evidence { near: a, far: b }
    }

    fn ints(names: &[&str]) -> Vec<Variable> {
        names.iter().map(|n| Variable::int(*n)).collect()
    }

    #[test]
    fn far_rows_drop_bounds_and_do_not_loosen_them() {
        let given = evidence(ints(&["x"]), &[vec![0], vec![5]], &[vec![9]]);
        let found = bounds(&given, &Plan::linear(&[0], 1));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].polynomial, Polynomial::variable(0, 1));
        // Near rows say x >= 4, far rows break that and still leave x positive.
        let given = evidence(ints(&["x"]), &[vec![4], vec![5]], &[vec![2], vec![9]]);
        let found = bounds(&given, &Plan::linear(&[0], 1));
        let positive = Polynomial::variable(0, 1).sub(&Polynomial::constant(1, 1));
        assert_eq!(found.iter().map(|b| &b.polynomial).collect::<Vec<_>>(), [&positive]);
    }

    #[test]
    fn values_at_the_limits_of_64_bits_are_exact() {
        let rows = [vec![i64::MIN, i64::MAX], vec![i64::MAX, i64::MIN]];
        let plan = Plan::with_products(&[0, 1], 2);
        let found = ranges(&evidence(ints(&["x", "y"]), &rows, &[]).near, &plan);
        let span = i128::from(i64::MAX) - i128::from(i64::MIN);
        assert_eq!(found.differences[0], Range { least: -span, most: span });
        assert_eq!(found.sums[0], Range { least: -1, most: -1 });
        let cubes = Plan::of_degree(&[0, 1], 2, 3);
        assert!(ranges(&evidence(ints(&["x", "y"]), &rows, &[]).near, &cubes).overflowed.iter().any(|o| *o));
    }

    #[test]
    fn reals_are_compared_over_a_common_denominator() {
        let half = Variable::new("h", Kind::Real { denominator: 2 }, Role::Program);
        // h = 1/2, n = 0 and h = 7/2, n = 3: the difference is always a half.
        let given = evidence(vec![half, Variable::int("n")], &[vec![1, 0], vec![7, 3]], &[]);
        let found = bounds(&given, &Plan::linear(&[0, 1], 2));
        let (h, n) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let difference = h.sub(&n.scale(&2.into())).sub(&Polynomial::constant(1, 2));
        assert!(found.iter().any(|b| b.polynomial == difference));
    }

    proptest! {
        /// The underapproximation theorem for octagons: a point is in the region exactly if each of its differences and
        /// sums lies within those of the samples.
        #[test]
        fn the_region_is_the_smallest_of_its_form(
            rows in proptest::collection::vec(proptest::collection::vec(-4i64..5, 3), 1..9),
        ) {
            let given = evidence(ints(&["x", "y", "z"]), &rows, &[]);
            let checks: Vec<Check> = bounds(&given, &Plan::linear(&[0, 1, 2], 3)).iter().map(|b| Check::new(&b.claim())).collect();
            let directions: Vec<[i64; 3]> = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1])
                .filter(|d| (1..=2).contains(&d.iter().filter(|c| **c != 0).count())).collect();
            let along = |d: &[i64; 3], p: &[i64]| d.iter().zip(p).map(|(d, x)| d * x).sum::<i64>();
            for n in 0..11i64.pow(3) {
                let point = [n % 11 - 5, n / 11 % 11 - 5, n / 121 - 5];
                let inside = directions.iter().all(|d| rows.iter().any(|row| along(d, &point) <= along(d, row)));
                prop_assert_eq!(inside, checks.iter().all(|c| c.holds(&point)), "{:?}", point);
            }
        }

        /// Blocks, products and wide values against plain arithmetic.
        #[test]
        fn ranges_agree_with_plain_arithmetic(
            rows in proptest::collection::vec(proptest::collection::vec(prop_oneof![-9i64..10, any::<i64>()], 3), 1..600),
        ) {
            let given = evidence(ints(&["x", "y", "z"]), &rows, &[]);
            let plan = Plan::with_products(&[0, 1, 2], 3);
            let found = ranges(&given.near, &plan);
            let value = |term: &Monomial, row: &[i64]| term.exponents().iter().zip(row).fold(1i128, |p, (&e, &x)| if e == 0 { p } else { p * i128::from(x) });
            for (index, &(i, j, sums)) in plan.pairs.iter().enumerate() {
                let difference = |row: &Vec<i64>| value(&plan.terms[i], row) - value(&plan.terms[j], row);
                let (least, most) = (rows.iter().map(difference).min().unwrap(), rows.iter().map(difference).max().unwrap());
                if !found.overflowed[j] {
                    prop_assert_eq!(found.differences[index], Range { least, most });
                }
                if sums {
                    let sum = |row: &Vec<i64>| value(&plan.terms[i], row) + value(&plan.terms[j], row);
                    prop_assert_eq!(found.sums[index].most, rows.iter().map(sum).max().unwrap());
                }
            }
        }
    }
}
