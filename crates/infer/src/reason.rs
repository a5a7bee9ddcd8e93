//! Is there a reason for a bound, beyond that the rows happen to obey it?
//!
//! Every finite set of rows has a largest value of everything. `y <= max(r - 7, 5)` holds of the rows that gave it, and
//! mostly of nothing else. What speaks for a bound is that values press against it: that it is attained at several
//! different points, by near rows and by far ones alike. The largest of numbers that are spread out is attained once, and
//! by other rows at another place.
//!
//! *Which relations*: bounds, with or without `min` and `max`. Of a disjunction every part must be attained so, where it
//! is the only one to hold. Comparisons without a constant to choose (`x <= y`, `x < y`, `x >= 0`) are simple
//! enough to be tried; equations and congruences are not bounds.
//!
//! *Guarantee*: none; this is a judgement of likelihood. What it leaves out can still be proved.

use super::claim::{Claim, Class, Measure};
use algebra::Polynomial;
use dashu_base::Abs;
use dashu_int::IBig;
use observe::samples::Evidence;
use std::collections::BTreeSet;

/// Different points of each part of the evidence at which a bound must be attained.
const ATTAINED: usize = 3;

/// Rows of each part of the evidence that are looked at.
const LOOKED_AT: usize = 4_000;

/// Whether the rows give a relation a reason.
pub(super) fn has_reason(class: Class, claim: &Claim, evidence: &Evidence) -> bool {
    match class {
        Class::Equation | Class::Cases | Class::Extreme | Class::Deduced | Class::Congruence => true,
        Class::Tight | Class::Wide | Class::Disjunctive | Class::Facet => match claim {
            Claim::NonNegative(bound) if is_plain(bound) => true,
            Claim::NonNegative(bound) => is_attained(&[bound], evidence),
            Claim::Any(parts) => {
                let bounds: Option<Vec<&Polynomial>> = parts
                    .iter()
                    .map(|part| match part {
                        Claim::NonNegative(bound) => Some(bound),
                        _ => None,
                    })
                    .collect();
                bounds.is_some_and(|bounds| is_attained(&bounds, evidence))
            }
            _ => true,
        },
    }
}

/// A comparison of two variables, or of one with zero, where no constant was chosen to fit. That a sum of two is not
/// negative is no comparison.
fn is_plain(bound: &Polynomial) -> bool {
    let small = |c: &IBig| c.clone().abs() <= IBig::ONE;
    let factors: Vec<&IBig> = bound.terms().iter().filter(|(m, _)| !m.is_one()).map(|(_, c)| c).collect();
    let compares = match factors.as_slice() {
        [_] => true,
        [a, b] => a != b,
        _ => false,
    };
    bound.degree() == 1 && compares && bound.terms().iter().all(|(_, c)| small(c))
}

/// Whether each bound is attained at several points where it is the only one to hold, in both parts of the evidence.
fn is_attained(bounds: &[&Polynomial], evidence: &Evidence) -> bool {
    let measures: Vec<Measure> = bounds.iter().map(|bound| Measure::new(bound)).collect();
    let used: Vec<usize> = (0..evidence.variables().len())
        .filter(|&v| bounds.iter().any(|bound| bound.terms().iter().any(|(m, _)| m.exponents()[v] > 0)))
        .collect();
    parts(evidence).into_iter().all(|part| {
        // A bound on one variable is attained at one value; there its rows are the points.
        let mut points: Vec<BTreeSet<Vec<i64>>> = vec![BTreeSet::new(); bounds.len()];
        for row in part {
            let mut holding = (0..bounds.len()).filter(|&index| !measures[index].is_negative(row));
            let (Some(only), None) = (holding.next(), holding.next()) else { continue };
            if measures[only].is_zero(row) && points[only].len() < ATTAINED {
                let point = if used.len() == 1 { row.to_vec() } else { used.iter().map(|&v| row[v]).collect() };
                points[only].insert(point);
            }
        }
        points.iter().all(|points| points.len() >= ATTAINED)
    })
}

/// Near and far rows; where there are only near ones, the first and the second half of them.
pub(super) fn parts(evidence: &Evidence) -> [Vec<&[i64]>; 2] {
    let thinned = |from: usize, to: usize| {
        let step = (to - from).div_ceil(LOOKED_AT).max(1);
        (from..to).step_by(step).map(|index| evidence.row(index)).collect::<Vec<&[i64]>>()
    };
    let (near, all) = (evidence.near.len(), evidence.len());
    let cut = if near == 0 || near == all { all / 2 } else { near };
    [thinned(0, cut), thinned(cut, all)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::{Samples, Variable};

    fn evidence(near: impl Iterator<Item = Vec<i64>>, far: impl Iterator<Item = Vec<i64>>) -> Evidence {
        let variables: Vec<Variable> = ["x", "y"].iter().map(|name| Variable::int(*name)).collect();
        let fill = |rows: &mut dyn Iterator<Item = Vec<i64>>| {
            let mut samples = Samples::new(variables.clone());
            rows.for_each(|row| {
                samples.push(&row);
            });
            samples
        };
        let (mut near, mut far) = (near, far);
        Evidence { near: fill(&mut near), far: fill(&mut far) }
    }

    #[test]
    fn a_limit_is_pressed_against_and_a_largest_value_is_not() {
        let y = Polynomial::variable(1, 2);
        let at_most = |limit: i64| Claim::NonNegative(Polynomial::constant(limit, 2).sub(&y));
        let capped = evidence((0..100).map(|x| vec![x, x.min(50)]), (100..300).map(|x| vec![x, x.min(50)]));
        assert!(has_reason(Class::Tight, &at_most(50), &capped));
        let spread = evidence((0..100).map(|x| vec![x, x * 37 % 101]), (100..300).map(|x| vec![x, x * 37 % 89]));
        assert!(!has_reason(Class::Wide, &at_most(100), &spread));
        let (x, one) = (Polynomial::variable(0, 2), Polynomial::constant(1, 2));
        assert!(has_reason(Class::Wide, &Claim::NonNegative(x.sub(&y).sub(&one)), &spread));
    }

    #[test]
    fn every_part_of_a_disjunction_must_be_attained() {
        let (x, y) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        // y <= max(x, 5)
        let claim = |limit: i64| {
            let parts = [x.sub(&y), Polynomial::constant(limit, 2).sub(&y)];
            Claim::Any(parts.into_iter().map(Claim::NonNegative).collect())
        };
        let rows = |from: i64, to: i64| (from..to).flat_map(|x| (0..=x.max(5)).map(move |y| vec![x, y]));
        let given = evidence(rows(-20, 20), rows(20, 40).chain(rows(-50, -20)));
        assert!(has_reason(Class::Disjunctive, &claim(5), &given));
        assert!(!has_reason(Class::Disjunctive, &claim(6), &given));
    }
}
