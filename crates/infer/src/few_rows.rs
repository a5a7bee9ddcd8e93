//! Which equations are laws when there are too few rows to tell by counting?
//!
//! With as many terms as rows some equation always holds, so that one holds says nothing. Two things tell a law. If
//! rows that were held out bring nothing new, the rows determine all equations, however few there are: what the others
//! say of them is true. If not, a law is an equation of small coefficients in a lattice whose other vectors are long
//! ([`algebra::short_kernel`]).
//!
//! *Support*: an equation must say more than it takes to write down. Each different row on which it holds is worth as
//! many bits as its largest term has, because that is what had to cancel; half of that counts, since rows of one run
//! depend on each other. The equation costs the bits of its coefficients and of the choice of its terms. The difference,
//! in bits, is the logarithm of the odds against chance.
//!
//! *Guarantee*: every equation holds exactly of every row. That it is a law is a matter of odds, which are stated.

use super::disjunctions::cases;
use super::equalities::{System, weight};
use algebra::prime::Prime;
use algebra::{Monomial, Polynomial, Relation, Rows, echelon::Echelon, nullspace_within, short_kernel};
use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use observe::samples::Evidence;
use std::collections::BTreeSet;

/// Of how many rows one is held out, and how many are at least.
const HELD_OUT: usize = 8;
const FEWEST_HELD_OUT: usize = 3;

/// Dimensions and steps of a lattice that are tried.
const MOST_DIMENSIONS: usize = 90;
const MOST_STEPS: usize = 250_000;

/// Terms for each ten rows beyond which even laws are not told from chance.
const MOST_TERMS: usize = 17;

/// Products of more variables than two are looked at up to this degree: beyond, too many list values.
pub(super) const MOST_DEGREE: u32 = 4;

/// A law has at most so many terms.
const MOST_LAW_TERMS: usize = 16;

/// Odds against chance, as a power of two, below which an equation is left out.
const LEAST_ODDS: f64 = 12.0;

/// A relation by chance should be so many times as long.
const GAP: f64 = 16.0;

/// The relations that are likely laws.
#[derive(Clone, Debug)]
pub(super) struct Laws {
    pub(super) polynomials: Vec<Polynomial>,
    /// Whether the rows determine all equations.
    pub(super) determined: bool,
    /// The least of the odds against chance, as a power of two.
    pub(super) odds: Option<u32>,
}

/// The likely laws of a system that has too few rows to take all equations for laws; `None` if it is out of reach.
pub(super) fn laws(system: &System<'_>, degree: u32, most_primes: usize) -> Option<Laws> {
    let rows = system.rows();
    let held_out = (rows / HELD_OUT).max(FEWEST_HELD_OUT);
    if system.columns() * 10 > rows * MOST_TERMS || degree > MOST_DEGREE && system.variables() > 2 {
        return None;
    }
    if rows <= held_out {
        return Some(Laws { polynomials: Vec::new(), determined: false, odds: None });
    }
    // Neighbours come from one run, so that a block leaves out whole runs.
    let first = (rows - held_out) / 2;
    let is_held_out = |row: &usize| (first..first + held_out).contains(&system.position(*row));
    let (out, kept): (Vec<usize>, Vec<usize>) = (0..rows).partition(is_held_out);
    let (rank, rank_of_all) = ranks(system, &kept, &out);
    let determined = rank == rank_of_all;
    let relations: Vec<Relation> = if determined {
        nullspace_within(system, most_primes).relations
    } else {
        let all: Vec<usize> = (0..rows).collect();
        let found = short_kernel(system, &all, MOST_DIMENSIONS, MOST_STEPS)?;
        let short = found.relations.into_iter().filter(|(_, length)| length * GAP < found.chance);
        short.map(|(relation, _)| relation).collect()
    };
    let mut odds: Option<u32> = None;
    let mut candidates: Vec<Polynomial> = relations.iter().map(|relation| system.polynomial(relation)).collect();
    // A law may come with lists of values added to it; the odds are those of its lightest form.
    candidates.sort_by_key(weight);
    lighten(&mut candidates);
    let mut polynomials = Vec::new();
    for polynomial in
        candidates.into_iter().filter(|p| p.terms().len() <= MOST_LAW_TERMS && !lists_values(p, system.evidence()))
    {
        let own = support(&polynomial, system.columns(), system.evidence());
        if own >= LEAST_ODDS {
            odds = Some(odds.map_or(own as u32, |least| least.min(own as u32)));
            polynomials.push(polynomial);
        }
    }
    Some(Laws { polynomials, determined, odds })
}

/// Adds equations to each other and subtracts them as long as one loses terms and its coefficients do not grow.
fn lighten(equations: &mut [Polynomial]) {
    let size = |p: &Polynomial| p.terms().iter().map(|(_, c)| c.clone().abs()).sum::<IBig>();
    for _ in 0..3 {
        let mut changed = false;
        for i in 0..equations.len() {
            for j in (0..equations.len()).filter(|&j| j != i) {
                for sum in [equations[i].sub(&equations[j]), equations[i].add(&equations[j])] {
                    let fewer = sum.terms().len() < equations[i].terms().len();
                    if fewer && !sum.is_zero() && size(&sum) <= size(&equations[i]) {
                        equations[i] = sum.primitive();
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
}

/// Whether an equation merely lists values, as a product does: `y == 3 || y == 34 || ..`. Its factors need not be found:
/// a power that has as many roots as a variable has values, or a variable in all of many terms, tell it.
fn lists_values(polynomial: &Polynomial, evidence: &Evidence) -> bool {
    let exponent = |v: usize| polynomial.terms().iter().map(|(m, _)| m.exponents()[v]).max().unwrap_or(0);
    let few_values = |v: usize| {
        let most = usize::from(exponent(v)) + 1;
        let values: BTreeSet<i64> = evidence.rows().map(|row| row[v]).collect();
        most > 2 && values.len() <= most
    };
    let variables = 0..evidence.variables().len();
    let is_common = |v: usize| polynomial.terms().iter().all(|(m, _)| m.exponents()[v] > 0);
    if variables.clone().any(few_values) || polynomial.degree() > 2 && variables.clone().any(is_common) {
        return true;
    }
    let Some(cases) = cases(polynomial) else { return false };
    let single = |case: &&Polynomial| case.terms().iter().filter(|(m, _)| !m.is_one()).count() == 1;
    let small = |case: &Polynomial| case.terms().iter().all(|(_, c)| c.clone().abs() <= IBig::ONE);
    let singles: Vec<&Polynomial> = cases.iter().filter(single).collect();
    singles.len() > 1 || singles.iter().any(|case| cases.len() > 2 || !small(case))
}

/// The rank of the rows kept, and of all.
fn ranks(system: &System<'_>, kept: &[usize], out: &[usize]) -> (usize, usize) {
    let prime = Prime::all().nth(1).expect("there are many primes of 31 bits");
    let mut echelon = Echelon::new(prime, system.columns());
    let mut row = vec![0; system.columns()];
    let mut insert = |echelon: &mut Echelon, rows: &[usize]| {
        for &index in rows {
            system.modulo(index, prime, &mut row);
            echelon.insert(&row);
        }
        echelon.rank()
    };
    let rank = insert(&mut echelon, kept);
    (rank, insert(&mut echelon, out))
}

/// The odds that an equation of so many possible terms holds of the rows by chance, as a negative power of two.
fn support(polynomial: &Polynomial, terms: usize, evidence: &Evidence) -> f64 {
    let choice = (terms.max(2) as f64).log2();
    let cost: f64 = polynomial.terms().iter().map(|(_, c)| c.bit_len() as f64 * 2.0 - 1.0 + choice).sum();
    let used: Vec<usize> = (0..evidence.variables().len())
        .filter(|&v| polynomial.terms().iter().any(|(m, _)| m.exponents()[v] > 0))
        .collect();
    let mut seen = BTreeSet::new();
    let mut worth = 0.0;
    for row in evidence.rows() {
        if !seen.insert(used.iter().map(|&v| row[v]).collect::<Vec<i64>>()) {
            continue;
        }
        let bits = |(monomial, coefficient): &(Monomial, IBig)| {
            let factors = monomial.exponents().iter().zip(row);
            let size: f64 = factors.map(|(&e, &x)| f64::from(e) * (x.unsigned_abs().max(1) as f64).log2()).sum();
            let vanishes = monomial.exponents().iter().zip(row).any(|(&e, &x)| e > 0 && x == 0);
            let coefficient = coefficient.clone().abs().bit_len().saturating_sub(1) as f64;
            if vanishes { 0.0 } else { (size + coefficient).max(0.0) }
        };
        worth += polynomial.terms().iter().map(bits).fold(0.0, f64::max);
    }
    worth / 2.0 - cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::{Samples, Variable};

    fn evidence(names: &[&str], rows: impl IntoIterator<Item = Vec<i64>>) -> Evidence {
        let variables: Vec<Variable> = names.iter().map(|name| Variable::int(*name)).collect();
        let mut near = Samples::new(variables.clone());
        rows.into_iter().for_each(|row| {
            near.push(&row);
        });
        Evidence { near, far: Samples::new(variables) }
    }

    #[test]
    fn a_law_says_more_than_it_takes_to_write_down() {
        let (x, y) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let square = y.sub(&x.mul(&x));
        let rows = |count: i64| evidence(&["x", "y"], (0..count).map(|x| vec![x, x * x]));
        assert!(support(&square, 6, &rows(4)) < LEAST_ODDS);
        assert!(support(&square, 6, &rows(30)) > LEAST_ODDS);
        // The values 0 and 1, however often, are a list and no law.
        let flag = evidence(&["x", "y"], (0..100).map(|n| vec![n % 2, n]));
        assert!(support(&x.mul(&x).sub(&x), 6, &flag) < 0.0);
    }
}
