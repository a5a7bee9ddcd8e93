//! Which relations of an entry that takes objects are worth telling.
//!
//! Objects have many numbers in them, and runs are few for what these could be: a bound such as `n <= strlen(s) + 43` holds of
//! all that was seen because nothing larger was tried. Of such an entry, inequalities are told where their constant is
//! one that the code could mean (0, 1 or -1 off, or a constant of its text), where enough rows speak for them; an
//! equation needs more rows than it has ways to be adjusted.

use crate::{Form, Invariant, LocationReport};
use logic::{Predicate, Term};
use std::collections::BTreeSet;

/// Rows that must speak for an inequality.
const FEWEST_ROWS: usize = 40;

/// Drops from a location what its rows do not bear. `constants` are those that the code compares with.
pub(crate) fn keep(report: &mut LocationReport, constants: &BTreeSet<i128>) {
    let (rows, visits) = (report.samples, report.visits);
    let is_meant = |value: &i128| (-1..=1).any(|off| *value + off == 0 || constants.contains(&(*value + off)));
    report.invariants.retain(|invariant: &Invariant| {
        let names = invariant.predicate.variables();
        let shown_nullness = names.iter().any(|name| name.ends_with(" != 0)"));
        match invariant.form {
            // Whether a pointer is null takes two rows to vary.
            Form::Equality if names.len() <= 1 => true,
            Form::Equality => rows >= 6 + 2 * terms(&invariant.predicate),
            Form::Disjunction => !shown_nullness && rows >= FEWEST_ROWS,
            // A number may have few values and be seen with each of them often.
            Form::Interval => visits >= FEWEST_ROWS as u64 && numbers(&invariant.predicate).iter().all(is_meant),
            Form::Zone | Form::Octagon => rows >= FEWEST_ROWS && numbers(&invariant.predicate).iter().all(is_meant),
            _ => rows >= FEWEST_ROWS,
        }
    });
}

/// The terms of a relation: what an equation can adjust.
fn terms(predicate: &Predicate) -> usize {
    let mut count = 0;
    predicate.walk_terms(&mut |term| count += usize::from(matches!(term, Term::Var(_) | Term::Product(_))));
    count
}

/// The constants of a relation that stand alone or in sums.
fn numbers(predicate: &Predicate) -> Vec<i128> {
    let mut found = Vec::new();
    predicate.walk_terms(&mut |term| {
        if let Term::Const(value) = term {
            found.extend(i128::try_from(value.numerator()).ok().filter(|_| value.is_int()));
        }
    });
    found
}
