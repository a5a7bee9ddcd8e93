//! Variables that are a polynomial in others, cut off at limits: `result == min(a + b, 255)`,
//! `left == max(room - used, 0)`, `y == max(min(x*k, 100), -100)`.
//!
//! *Question*: which variable follows an equation wherever it is not at its least or its largest value, and is there
//! where the equation leads beyond it?
//!
//! *Method*: of the rows in which the variable is strictly within its limits the equations are found that the rows of all
//! do not have ([`equalities`]); each that says what the variable is, is tried on the rows at the limits.
//!
//! *Guarantee*: every relation holds of every row. One is given only if several different rows lie within the limits for each
//! term that the equation could have, and several beyond each limit that it names. A variable that is cut off by
//! another variable, and not by a number, is for [`tropical`](super::tropical) where the two are plain.
//!
//! *Cost*: that of [`equalities`] of degree 1, and of degree 2 for few variables, for each variable that is often at a limit.

use super::claim::{Claim, Measure};
use super::equalities::{Search, equalities};
use algebra::{Monomial, Polynomial};
use dashu_base::{Abs, Signed};
use dashu_int::IBig;
use observe::samples::{Evidence, Kind, Samples};

/// Different rows beyond a limit, and within both for each term of the system.
const FEWEST_BEYOND: usize = 8;
const FEWEST_A_TERM: usize = 4;

/// Products of two take part among so many variables.
const MOST_FOR_PRODUCTS: usize = 6;

/// Variables beyond which nothing is looked for.
const MOST_VARIABLES: usize = 10;

/// Rows within the limits that equations are made from; all are tried on them.
const MOST_WITHIN: usize = 500;

/// A law of these has small coefficients, and few terms.
const MOST_COEFFICIENT: u32 = 1000;
const MOST_TERMS: usize = 4;

/// `variable == max(least, min(value, most))`, where a limit may be missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saturation {
    pub variable: usize,
    pub value: Polynomial,
    pub least: Option<i64>,
    pub most: Option<i64>,
}

impl Saturation {
    pub fn claim(&self) -> Claim {
        let width = self.value.leading().map_or(0, |(monomial, _)| monomial.exponents().len());
        let variable = Polynomial::variable(self.variable, width);
        let constant = |value: i64| Polynomial::constant(value, width);
        let (above, below) = (variable.sub(&self.value), self.value.sub(&variable));
        // Not above the value unless at the least, not below it unless at the most, and never beyond a limit.
        let unless = |bound: Polynomial, limit: Option<Polynomial>| {
            Claim::Any(std::iter::once(bound).chain(limit).map(Claim::NonNegative).collect())
        };
        let at_least = self.least.map(|least| variable.sub(&constant(least)));
        let at_most = self.most.map(|most| constant(most).sub(&variable));
        let negative = |p: &Polynomial| p.scale(&IBig::NEG_ONE);
        let mut parts =
            vec![unless(below, at_least.as_ref().map(negative)), unless(above, at_most.as_ref().map(negative))];
        parts.extend(at_least.into_iter().chain(at_most).map(Claim::NonNegative));
        Claim::All(parts)
    }
}

/// The saturations of all columns that hold of all rows.
pub fn saturations(evidence: &Evidence, columns: &[usize], known: &[Polynomial]) -> Vec<Saturation> {
    if columns.len() > MOST_VARIABLES || evidence.variables().iter().any(|variable| variable.kind != Kind::Int) {
        return Vec::new();
    }
    columns.iter().filter_map(|&variable| saturation(evidence, columns, known, variable)).collect()
}

fn saturation(evidence: &Evidence, columns: &[usize], known: &[Polynomial], variable: usize) -> Option<Saturation> {
    let least = evidence.rows().map(|row| row[variable]).min()?;
    let most = evidence.rows().map(|row| row[variable]).max()?;
    let at = |limit: i64| evidence.rows().filter(|row| row[variable] == limit).count();
    let (low, high) = (at(least) >= FEWEST_BEYOND, at(most) >= FEWEST_BEYOND);
    if most - 1 <= least || !low && !high {
        return None;
    }
    let is_within = |row: &&[i64]| (!low || row[variable] > least) && (!high || row[variable] < most);
    let step = evidence.rows().filter(is_within).count().div_ceil(MOST_WITHIN).max(1);
    let mut near = Samples::new(evidence.variables().to_vec());
    evidence.rows().filter(is_within).step_by(step).for_each(|row| {
        near.push(row);
    });
    let within = Evidence { far: Samples::new(near.variables().to_vec()), near };
    let degrees = if columns.len() <= MOST_FOR_PRODUCTS { 2 } else { 1 };
    for degree in 1..=degrees {
        let terms = algebra::count_monomials(columns.len(), degree);
        if within.len() < terms * FEWEST_A_TERM {
            return None;
        }
        let search = Search { evidence: &within, columns, start: known, degree, limit: terms };
        for equation in equalities(&search).polynomials {
            let Some(value) = solved(&equation, variable) else { continue };
            if let Some(found) = limited(evidence, variable, value, low.then_some(least), high.then_some(most)) {
                return Some(found);
            }
        }
    }
    None
}

/// What an equation says that the variable is, if it is a short polynomial in others.
fn solved(equation: &Polynomial, variable: usize) -> Option<Polynomial> {
    let own = |(monomial, _): &&(Monomial, IBig)| monomial.exponents()[variable] > 0;
    let mut with = equation.terms().iter().filter(own);
    let (Some((monomial, coefficient)), None) = (with.next(), with.next()) else { return None };
    let is_one = coefficient.clone().abs() == IBig::ONE;
    let small = equation.terms().iter().all(|(_, c)| c.clone().abs() <= IBig::from(MOST_COEFFICIENT));
    if monomial.degree() != 1 || !is_one || !small || equation.terms().len() > MOST_TERMS + 1 {
        return None;
    }
    let rest = equation.terms().iter().filter(|part| !own(part)).cloned();
    let rest = Polynomial::from_terms(rest);
    let value = if coefficient.is_negative() { rest } else { rest.scale(&IBig::NEG_ONE) };
    // That a variable is a number within its limits is a list of its values.
    (value.degree() > 0).then_some(value)
}

/// The limits at which the value is cut off, if that is all that keeps the variable from it.
fn limited(
    evidence: &Evidence,
    variable: usize,
    value: Polynomial,
    least: Option<i64>,
    most: Option<i64>,
) -> Option<Saturation> {
    let measure = Measure::new(&value);
    let (mut below, mut above) = (0, 0);
    for row in evidence.rows() {
        let wanted = measure.value(row);
        let is = IBig::from(row[variable]);
        if wanted < is && least == Some(row[variable]) {
            below += 1;
        } else if wanted > is && most == Some(row[variable]) {
            above += 1;
        } else if wanted != is {
            return None;
        }
    }
    let named = |limit: Option<i64>, beyond: usize| limit.filter(|_| beyond > 0);
    let enough = [below, above].iter().all(|beyond| *beyond == 0 || *beyond >= FEWEST_BEYOND) && below + above > 0;
    let (least, most) = (named(least, below), named(most, above));
    let is_plain = value.terms().len() == 1 && value.degree() == 1 && value.terms()[0].1 == IBig::ONE;
    (enough && !(is_plain && (least.is_none() || most.is_none()))).then_some(Saturation {
        variable,
        value,
        least,
        most,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Check;
    use observe::samples::Variable;

    fn evidence(rows: impl Iterator<Item = [i64; 3]>) -> Evidence {
        let variables: Vec<Variable> = ["a", "b", "r"].iter().map(|name| Variable::int(*name)).collect();
        let mut near = Samples::new(variables.clone());
        rows.for_each(|row| {
            near.push(&row);
        });
        Evidence { near, far: Samples::new(variables) }
    }

    fn grid() -> impl Iterator<Item = (i64, i64)> {
        (-7..13).flat_map(|a| (-5..15).map(move |b| (3 * a, 2 * b)))
    }

    #[test]
    fn sums_and_products_that_are_cut_off_are_found() {
        let (a, b) = (Polynomial::variable(0, 3), Polynomial::variable(1, 3));
        type Function = fn(i64, i64) -> i64;
        let cases: [(Function, Polynomial, Option<i64>, Option<i64>); 4] = [
            (|a, b| (a + b).min(20), a.add(&b), None, Some(20)),
            (|a, b| (a - b).max(0), a.sub(&b), Some(0), None),
            (|a, b| (a * b).clamp(-50, 50), a.mul(&b), Some(-50), Some(50)),
            (|a, _| a.clamp(-3, 9), a.clone(), Some(-3), Some(9)),
        ];
        for (function, value, least, most) in cases {
            let evidence = evidence(grid().map(|(a, b)| [a, b, function(a, b)]));
            let found = saturations(&evidence, &[0, 1, 2], &[]);
            let expected = Saturation { variable: 2, value, least, most };
            assert_eq!(found, std::slice::from_ref(&expected));
            let check = Check::new(&expected.claim());
            assert!(evidence.rows().all(|row| check.holds(row)));
            assert!(evidence.rows().all(|row| !check.holds(&[row[0], row[1], row[2] + 1])));
            assert!(evidence.rows().all(|row| !check.holds(&[row[0], row[1], row[2] - 1])));
        }
    }

    #[test]
    fn a_wrong_row_at_a_limit_and_plain_equations_are_none() {
        let wrong = grid().map(|(a, b)| [a, b, if (a, b) == (9, 12) { 19 } else { (a + b).min(20) }]);
        assert_eq!(saturations(&evidence(wrong), &[0, 1, 2], &[]), []);
        assert_eq!(saturations(&evidence(grid().map(|(a, b)| [a, b, a + b])), &[0, 1, 2], &[]), []);
        assert_eq!(saturations(&evidence(grid().map(|(a, b)| [a, b, a.min(9)])), &[0, 1, 2], &[]), []);
    }
}
