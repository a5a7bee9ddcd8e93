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
//! Where a degree has too many terms, or too many for the rows, variables that are functions of one other are still
//! looked at as polynomials of it (`12*x == 2*y^6 + 6*y^5 + 5*y^4 - y^2`).
//!
//! Equations that say the same compete by weight: what is printed are light representatives ([`lightened`]), and where
//! a linear equation lets one be written in other variables at little cost, it is shown that way too (`s == a^2 + 2*a + 1`
//! beside `4*s == t^2 + 2*t + 1` and `t == 2*a + 1`).
//!
//! *Overfitting*: as many equations as there are monomials more than rows hold of any rows. Where the monomials of a
//! degree number more than a fifth of the distinct rows, only likely laws are given ([`few_rows`](super::few_rows));
//! columns that are constant are always found. An equation of large coefficients, or of a single variable above degree
//! 2, lists the values seen rather than a law ([`is_short`]) and is left out.
//!
//! *Guarantee*: every equation is exactly zero on every row. Every polynomial of at most the degree that is zero on all
//! rows lies in the ideal of the equations given and those to start from, up to the budget of the ideal computation: when that runs out, an
//! equation that follows may be kept, never one lost.
//!
//! *Cost*: that of [`algebra::nullspace`] for at most `limit` columns for each degree.

use super::few_rows::{MOST_DEGREE, laws};
use algebra::ideal::{Basis, Budget};
use algebra::prime::Prime;
use algebra::{Monomial, Polynomial, Relation, Rows, nullspace_within};
use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use observe::samples::Evidence;
use std::collections::HashMap;

/// What is looked for, and where.
#[derive(Clone, Copy, Debug)]
pub struct Search<'e> {
    pub evidence: &'e Evidence,
    /// The variables that may occur.
    pub columns: &'e [usize],
    /// Equations known already; what follows from them is not given again.
    pub start: &'e [Polynomial],
    pub degree: u32,
    /// The most monomials of one linear system.
    pub limit: usize,
}

/// Equations found, and how far the search went.
#[derive(Clone, Debug)]
pub struct Equalities {
    /// Each is zero on the cells of every row.
    pub polynomials: Vec<Polynomial>,
    /// The largest degree searched.
    pub degree: u32,
    /// Why no larger degree was searched, if the one asked for was not reached.
    pub stopped: Option<Stopped>,
    /// Whether equations were left out that describe the rows no more briefly than the rows themselves.
    pub fitted: bool,
    /// Where rows were too few to take every equation that holds for a law.
    pub few_rows: Vec<FewRows>,
}

/// A degree at which only likely laws were taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FewRows {
    pub degree: u32,
    pub terms: usize,
    /// Equations found there; those that follow from others are counted too.
    pub found: usize,
    /// Whether the rows determine all equations, so that none but laws hold.
    pub determined: bool,
    /// The odds against the least likely of them, as a power of two.
    pub odds: Option<u32>,
}

/// Why a degree was not searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// It has more monomials than the limit.
    TooManyTerms { terms: usize },
    /// So many distinct rows would be needed.
    TooFewRows { needed: usize },
}

/// Finds equations up to a degree.
pub fn equalities(search: &Search<'_>) -> Equalities {
    let Search { evidence, columns, start, degree, limit } = *search;
    let variables = evidence.variables().len();
    let mut found = Ideal::new(variables, start);
    let mut result =
        Equalities { polynomials: Vec::new(), degree: 0, stopped: None, fitted: false, few_rows: Vec::new() };
    let Some(first) = evidence.rows().next() else { return result };
    for &column in columns {
        if evidence.rows().all(|row| row[column] == first[column]) {
            let value = Polynomial::constant(first[column], variables);
            found.add(Polynomial::variable(column, variables).sub(&value));
        }
    }
    for step in 1..=degree {
        let monomials = found.standard_monomials(columns, step);
        if monomials.len() > limit.max(columns.len() + 1) {
            result.stopped = Some(Stopped::TooManyTerms { terms: monomials.len() });
            break;
        }
        let (terms, rows) = (monomials.len(), evidence.len());
        let enough = terms == 1 || terms * PLENTY <= rows || terms * 3 <= rows * 2 && (step == 1 || step > MOST_DEGREE);
        let system = System::new(evidence, monomials);
        let most_primes = if step == 1 { usize::MAX } else { MOST_PRIMES };
        let mut fresh: Vec<Polynomial> = if enough {
            let found_here = nullspace_within(&system, most_primes);
            let fresh = found_here.relations.iter().map(|relation| system.polynomial(relation));
            let (fresh, fitted): (Vec<Polynomial>, Vec<Polynomial>) = fresh.partition(|p| step == 1 || is_short(p));
            result.fitted |= !found_here.complete || !fitted.is_empty();
            fresh
        } else {
            let Some(laws) = laws(&system, step, most_primes) else {
                result.stopped = Some(Stopped::TooFewRows { needed: terms });
                break;
            };
            let fresh: Vec<Polynomial> = laws.polynomials.into_iter().filter(|p| step == 1 || is_short(p)).collect();
            let found = fresh.len();
            let (determined, odds) = (laws.determined, laws.odds.filter(|_| found > 0));
            result.few_rows.push(FewRows { degree: step, terms, found, determined, odds });
            fresh
        };
        fresh.sort_by_key(weight);
        if enough {
            sparser(&mut fresh);
        }
        fresh.into_iter().for_each(|polynomial| found.add(polynomial));
        result.degree = step;
        if result.fitted {
            break; // Larger degrees would fit the rows even more closely.
        }
    }
    if result.degree < MOST_CURVE_DEGREE && !result.fitted && columns.len() <= MOST_CURVE_COLUMNS {
        curves(evidence, columns, result.degree, &mut found);
    }
    found.drop_what_follows();
    result.polynomials = found.generators;
    result
}

/// Variables that are polynomials of one other variable, of a larger degree than was searched for all of them: there are
/// few terms, so that few rows tell.
fn curves(evidence: &Evidence, columns: &[usize], searched: u32, found: &mut Ideal) {
    let variables = evidence.variables().len();
    for &x in columns {
        for &y in columns.iter().filter(|&&y| y != x && is_function(evidence, y, x)) {
            let power = |exponent: u32| {
                let mut exponents = vec![0; variables];
                exponents[y] = exponent as u16;
                Monomial::new(&exponents)
            };
            let powers = (0..=MOST_CURVE_DEGREE).map(power);
            let mut terms: Vec<Monomial> = powers.chain([Monomial::variable(x, variables)]).collect();
            // A lead that divides one of them has said already what x or a power of y is.
            if terms.iter().any(|term| found.leads.iter().any(|lead| lead.divides(term))) {
                continue;
            }
            terms.sort();
            let system = System::new(evidence, terms);
            let Some(laws) = laws(&system, MOST_CURVE_DEGREE, MOST_PRIMES) else { continue };
            let is_curve = |p: &Polynomial| p.degree() > searched && is_short(p) && explained(p).contains(&x);
            laws.polynomials.into_iter().filter(is_curve).for_each(|polynomial| found.add(polynomial));
        }
    }
}

/// Whether equal values of one column always come with equal values of another, and both vary.
fn is_function(evidence: &Evidence, of: usize, column: usize) -> bool {
    let mut values: HashMap<i64, i64> = HashMap::new();
    let single = evidence.rows().all(|row| *values.entry(row[of]).or_insert(row[column]) == row[column]);
    single
        && values.len() > MOST_CURVE_DEGREE as usize
        && values.values().any(|value| *value != values[&evidence.row(0)[of]])
}

/// Rows for each term from which on every equation that holds is taken for a law. For a linear one, and for those of
/// degrees at which laws are not told from lists of values, one and a half do.
const PLENTY: usize = 5;

/// The degree up to which a variable is looked for as a polynomial of one other, and the most variables for that.
const MOST_CURVE_DEGREE: u32 = 7;
const MOST_CURVE_COLUMNS: usize = 16;

/// Primes with which an equation of degree 2 or more must lift.
const MOST_PRIMES: usize = 5;

/// Whether an equation is short enough to be a law rather than a list of the values seen.
fn is_short(polynomial: &Polynomial) -> bool {
    let bits: usize = polynomial.terms().iter().map(|(_, c)| c.bit_len()).sum();
    let single = polynomial.degree() > 2 && mentioned(polynomial).len() == 1;
    (bits <= 160 || polynomial.terms().len() <= 3) && !single
}

/// Adds multiples of equations to each other as long as that makes one lighter.
fn sparser(equations: &mut [Polynomial]) {
    for _ in 0..3 {
        let mut changed = false;
        for i in 0..equations.len() {
            for j in 0..equations.len() {
                if i == j || equations[i].degree() < equations[j].degree() {
                    continue;
                }
                let shared: Vec<(IBig, IBig)> = equations[i]
                    .terms()
                    .iter()
                    .filter_map(|(m, c)| {
                        Some((c.clone(), equations[j].terms().iter().find(|(n, _)| n == m)?.1.clone()))
                    })
                    .collect();
                for (mine, other) in shared {
                    let sum = equations[i].scale(&other).sub(&equations[j].scale(&mine)).primitive();
                    if !sum.is_zero() && weight(&sum) < weight(&equations[i]) {
                        equations[i] = sum;
                        changed = true;
                        break;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
}

/// An equation to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisplayedEquation {
    pub polynomial: Polynomial,
    /// Whether it follows from the others and is shown because it reads well.
    pub extra: bool,
}

/// The same equations, each in the lightest way that the others allow, and a few further ways to write them.
///
/// Each is rewritten with the others as they then are, so the set generates the same ideal after every step: a variable
/// is replaced where another equation says what it is, or multiples of lighter equations are subtracted.
pub fn lightened(equations: &[Polynomial]) -> Vec<DisplayedEquation> {
    let mut current: Vec<Polynomial> = equations.to_vec();
    current.sort_by_cached_key(reading);
    let mut extras: Vec<Polynomial> = Vec::new();
    for index in (0..current.len()).rev() {
        if current[index].degree() < 2 {
            continue;
        }
        let others: Vec<Polynomial> = (0..current.len()).filter(|&i| i != index).map(|i| current[i].clone()).collect();
        let mut ways = vec![sparsest(current[index].clone(), &others)];
        let mut next = 0;
        while next < ways.len() && ways.len() < 40 {
            for other in &others {
                for variable in explained(other) {
                    let way = without(&ways[next], other, variable);
                    if !way.is_zero() && is_short(&way) && way.degree() <= 8 && !ways.contains(&way) {
                        ways.push(way);
                    }
                }
            }
            next += 1;
        }
        ways.sort_by_cached_key(reading);
        let short = |p: &Polynomial| {
            let (_, magnitude, degree) = reading(p);
            degree == 2 && mentioned(p).len() == 2 && p.terms().len() <= 4 && magnitude <= IBig::from(10)
        };
        extras.extend(ways[1..].iter().find(|p| short(p)).cloned());
        current[index] = ways.swap_remove(0);
    }
    extras.retain(|p| !current.contains(p));
    extras.dedup();
    let shown = current.into_iter().map(|polynomial| DisplayedEquation { polynomial, extra: false });
    let mut shown: Vec<DisplayedEquation> =
        shown.chain(extras.into_iter().map(|polynomial| DisplayedEquation { polynomial, extra: true })).collect();
    shown.sort_by_cached_key(|s| weight(&s.polynomial));
    shown
}

/// How long an equation is to read: variables and terms, the sum of the coefficients, the degree.
fn reading(polynomial: &Polynomial) -> (usize, IBig, u32) {
    let (degree, variables, terms, magnitude) = weight(polynomial);
    (variables + terms, magnitude, degree)
}

/// The variables that an equation gives as a polynomial in the others: linear, and in no other term.
fn explained(equation: &Polynomial) -> Vec<usize> {
    let alone = |v: &usize| {
        let mut terms = equation.terms().iter().filter(|(m, _)| m.exponents()[*v] > 0);
        terms.next().is_some_and(|(m, _)| m.degree() == 1) && terms.next().is_none()
    };
    mentioned(equation).into_iter().filter(alone).collect()
}

/// The polynomial less multiples of equations of smaller degree, as long as that leaves fewer terms.
fn sparsest(mut polynomial: Polynomial, equations: &[Polynomial]) -> Polynomial {
    let Some(width) = polynomial.leading().map(|(m, _)| m.exponents().len()) else { return polynomial };
    let variables: Vec<usize> = {
        let mut all: Vec<usize> = equations.iter().chain([&polynomial]).flat_map(mentioned).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    if variables.len() > 12 || polynomial.degree() > 3 {
        return polynomial;
    }
    let helpers: Vec<Polynomial> = equations
        .iter()
        .filter(|e| e.degree() < polynomial.degree())
        .flat_map(|e| {
            let shifts = Monomial::up_to_in(&variables, width, polynomial.degree() - e.degree(), |_| true);
            shifts.into_iter().map(|shift| e.mul(&Polynomial::from_terms([(shift, IBig::ONE)])))
        })
        .collect();
    for _ in 0..20 {
        let mut best: Option<Polynomial> = None;
        for helper in &helpers {
            let mut ratios: Vec<(IBig, IBig)> = Vec::new();
            for (m, c) in helper.terms() {
                let place = polynomial.terms().binary_search_by(|(n, _)| m.cmp(n));
                ratios.extend(place.ok().map(|place| (polynomial.terms()[place].1.clone(), c.clone())));
            }
            ratios.dedup();
            for (mine, other) in ratios {
                let less = polynomial.scale(&other).sub(&helper.scale(&mine)).primitive();
                let shortest = best.as_ref().unwrap_or(&polynomial);
                if !less.is_zero() && reading(&less) < reading(shortest) {
                    best = Some(less);
                }
            }
        }
        match best {
            Some(shorter) => polynomial = shorter,
            None => break,
        }
    }
    polynomial
}

fn mentioned(polynomial: &Polynomial) -> Vec<usize> {
    let variables = polynomial.leading().map_or(0, |(m, _)| m.exponents().len());
    (0..variables).filter(|&v| polynomial.terms().iter().any(|(m, _)| m.exponents()[v] > 0)).collect()
}

/// The polynomial with a variable replaced as an equation says in which it occurs once, linearly and alone.
fn without(polynomial: &Polynomial, equation: &Polynomial, variable: usize) -> Polynomial {
    let own = |m: &Monomial| m.exponents()[variable];
    let Some((_, coefficient)) = equation.terms().iter().find(|(m, _)| own(m) == 1) else { return polynomial.clone() };
    // coefficient * variable == rest
    let rest =
        Polynomial::from_terms(equation.terms().iter().filter(|(m, _)| own(m) == 0).map(|(m, c)| (m.clone(), -c)));
    let degree = polynomial.terms().iter().map(|(m, _)| own(m)).max().unwrap_or(0);
    let mut sum = Polynomial::zero();
    for (monomial, c) in polynomial.terms() {
        let exponent = own(monomial);
        let mut exponents = monomial.exponents().to_vec();
        exponents[variable] = 0;
        let scale = c * coefficient.pow(usize::from(degree - exponent));
        let mut product = Polynomial::from_terms([(Monomial::new(&exponents), scale)]);
        for _ in 0..exponent {
            product = product.mul(&rest);
        }
        sum = sum.add(&product);
    }
    sum.primitive()
}

/// How hard an equation is to read: of two sets that say the same, the one of light equations is given.
pub fn weight(polynomial: &Polynomial) -> (u32, usize, usize, IBig) {
    let terms = polynomial.terms();
    let magnitude = terms.iter().map(|(_, c)| c.clone().abs()).sum();
    (polynomial.degree(), mentioned(polynomial).len(), terms.len(), magnitude)
}

/// The equations so far: a small set of generators, everything known to follow, and the leading monomials of both.
struct Ideal {
    variables: usize,
    start: Vec<Polynomial>,
    generators: Vec<Polynomial>,
    basis: Basis,
    leads: Vec<Monomial>,
}

impl Ideal {
    fn new(variables: usize, start: &[Polynomial]) -> Ideal {
        let basis = Basis::new(start.iter().cloned(), budget());
        let leads = basis.elements().iter().filter_map(|p| Some(p.leading()?.0.clone())).collect();
        Ideal { variables, start: start.to_vec(), generators: Vec::new(), basis, leads }
    }

    /// Monomials in the columns up to a degree that no known leading monomial divides, in ascending order.
    fn standard_monomials(&self, columns: &[usize], degree: u32) -> Vec<Monomial> {
        Monomial::up_to_in(columns, self.variables, degree, |m| !self.leads.iter().any(|lead| lead.divides(m)))
    }

    fn add(&mut self, polynomial: Polynomial) {
        if let Some((lead, _)) = polynomial.leading() {
            self.leads.push(lead.clone());
        }
        if !self.basis.contains(&polynomial, budget()) {
            self.generators.push(polynomial);
            self.basis = Basis::new(self.start.iter().chain(&self.generators).cloned(), budget());
        }
    }

    /// A later equation may make an earlier one follow, so the generators are looked at once more, heaviest first.
    fn drop_what_follows(&mut self) {
        self.generators.sort_by_key(weight);
        for index in (0..self.generators.len()).rev() {
            let others = self.generators.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, p)| p.clone());
            let others = self.start.iter().cloned().chain(others);
            if Basis::new(others, budget()).contains(&self.generators[index], budget()) {
                self.generators.remove(index);
            }
        }
    }
}

pub fn budget() -> Budget {
    Budget { degree: 10, steps: 300_000 }
}

/// Monomials evaluated on rows, as a matrix.
pub(super) struct System<'s> {
    evidence: &'s Evidence,
    /// Rows are visited in steps of this many: neighbours come from one run and are likely to depend on each other.
    stride: usize,
    monomials: Vec<Monomial>,
    /// For each monomial but the first, an earlier one and the variable that leads to it, if there is one among them.
    steps: Vec<Option<(usize, usize)>>,
}

impl<'s> System<'s> {
    fn new(evidence: &'s Evidence, monomials: Vec<Monomial>) -> System<'s> {
        let variables = evidence.variables().len();
        let steps = monomials
            .iter()
            .map(|monomial| {
                (0..variables).filter(|&v| monomial.exponents()[v] > 0).find_map(|variable| {
                    let smaller = monomial.div(&Monomial::variable(variable, variables))?;
                    monomials.binary_search(&smaller).ok().map(|index| (index, variable))
                })
            })
            .collect();
        let coprime = |a: usize| {
            let (mut a, mut b) = (a, evidence.len());
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a == 1
        };
        let stride = (evidence.len() * 5 / 8..).find(|&s| s > 0 && coprime(s)).unwrap_or(1);
        System { evidence, stride, monomials, steps }
    }

    pub(super) fn evidence(&self) -> &'s Evidence {
        self.evidence
    }

    /// How many variables occur.
    pub(super) fn variables(&self) -> usize {
        let occurs = |v: &usize| self.monomials.iter().any(|m| m.exponents()[*v] > 0);
        (0..self.evidence.variables().len()).filter(occurs).count()
    }

    /// The place among the rows of the evidence of a row of this matrix.
    pub(super) fn position(&self, index: usize) -> usize {
        (index as u128 * self.stride as u128 % self.evidence.len() as u128) as usize
    }

    fn row(&self, index: usize) -> &[i64] {
        self.evidence.row(self.position(index))
    }

    pub(super) fn polynomial(&self, relation: &Relation) -> Polynomial {
        let terms = relation.entries.iter().map(|(column, c)| (self.monomials[*column].clone(), c.clone()));
        Polynomial::from_terms(terms).primitive()
    }
}

impl Rows for System<'_> {
    fn rows(&self) -> usize {
        self.evidence.len()
    }

    fn columns(&self) -> usize {
        self.monomials.len()
    }

    fn modulo(&self, row: usize, prime: Prime, out: &mut [u32]) {
        let row = self.row(row);
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
        let row = self.row(row);
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
    use observe::samples::{Samples, Variable};
    use proptest::prelude::*;

    fn samples(names: &[&str], rows: impl IntoIterator<Item = Vec<i64>>) -> Evidence {
        let mut near = Samples::new(names.iter().map(|n| Variable::int(*n)).collect());
        let far = near.clone();
        rows.into_iter().for_each(|row| {
            near.push(&row);
        });
        Evidence { near, far }
    }

    fn search(evidence: &Evidence, degree: u32) -> Equalities {
        let columns: Vec<usize> = (0..evidence.variables().len()).collect();
        equalities(&Search { evidence, columns: &columns, start: &[], degree, limit: 200 })
    }

    /// The rows of Cohen's division at the head of its inner loop.
    fn cohen() -> Evidence {
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
            let found = search(&cohen(), degree);
            assert_eq!(found.degree, degree);
            assert_eq!(found.polynomials.len(), 2);
            let basis = Basis::new(found.polynomials, Budget::default());
            for documented in [b.sub(&a.mul(y)), x.sub(&q.mul(y)).sub(r)] {
                assert!(basis.contains(&documented, Budget::default()));
            }
        }
    }

    #[test]
    fn degrees_follow_the_rows() {
        assert_eq!(search(&samples(&["x"], []), 3).polynomials, []);
        // One row says that the columns are constant and nothing else.
        let single = search(&samples(&["x", "y"], [vec![3, 3]]), 3);
        assert_eq!(single.polynomials.len(), 2);
        let few = search(&samples(&["x", "y"], [vec![1, 4], vec![2, 5], vec![3, 7]]), 3);
        assert_eq!((few.polynomials.len(), few.stopped), (0, Some(Stopped::TooFewRows { needed: 6 })));
        assert!(few.few_rows.iter().all(|few| few.found == 0), "{few:?}");
    }

    /// Rows of an integer square root: a, s = (a + 1)^2, t = 2a + 1.
    #[test]
    fn short_ways_to_write_an_equation_are_shown() {
        let found = search(&samples(&["a", "s", "t"], (0..40).map(|a| vec![a, (a + 1) * (a + 1), 2 * a + 1])), 3);
        let v: [Polynomial; 3] = std::array::from_fn(|i| Polynomial::variable(i, 3));
        let [a, s, t] = &v;
        let one = Polynomial::constant(1, 3);
        let (half, square) = (a.add(&one).pow(2, 3), t.add(&one).pow(2, 3));
        let expected = [t.sub(&a.scale(&2.into())).sub(&one), s.sub(&half), square.sub(&s.scale(&4.into()))];
        let shown: Vec<Polynomial> = lightened(&found.polynomials).into_iter().map(|s| s.polynomial).collect();
        assert_eq!(shown, expected.map(Polynomial::primitive));
    }

    #[test]
    fn what_follows_from_the_start_is_not_given_again() {
        let evidence = samples(&["x", "y", "p"], (0..30).map(|n| vec![n, n + 1, 1 << n]));
        let first = equalities(&Search { evidence: &evidence, columns: &[0, 1], start: &[], degree: 2, limit: 200 });
        assert_eq!(first.polynomials.len(), 1);
        let all = Search { evidence: &evidence, columns: &[0, 1, 2], start: &first.polynomials, degree: 2, limit: 200 };
        assert_eq!(equalities(&all).polynomials, []);
    }

    proptest! {
        /// The slow twin: over all monomials at once, by rational elimination. Every relation it finds lies in the ideal
        /// of the equations given, and every equation given is zero on every row.
        #[test]
        fn nothing_is_missed_and_nothing_is_wrong(
            points in proptest::collection::vec((-5i64..6, -5i64..6), 70..90), c in proptest::collection::vec(-2i64..3, 5),
        ) {
            let on_surface = |(x, y): (i64, i64)| vec![x, y, c[0] + c[1] * x + c[2] * y + c[3] * x * y + c[4] * y * y];
            let samples = samples(&["x", "y", "z"], points.into_iter().map(on_surface));
            let found = search(&samples, 2);
            prop_assume!(found.degree == 2 && found.few_rows.is_empty());
            prop_assert!(!found.polynomials.is_empty());
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
