//! Relations about whether pointers are null, as people write them: `p != 0`, not `(p != 0) == 1`.
//!
//! A place shows `(p != 0)` as a number. What it always is becomes a relation of its own; that it is at least 0 and at
//! most 1 says nothing, and neither do sums in which it stands beside other numbers.

use crate::{Form, Invariant, LocationReport};
use exec::Scalar;
use logic::{Predicate, Relation, Term, Valuation};

/// One variable with its value.
struct Only<'a>(&'a str, i128);

impl Valuation for Only<'_> {
    fn value_of(&self, name: &str) -> Option<Scalar> {
        (name == self.0).then_some(Scalar::Int(self.1))
    }
}

/// The pointer whose nullness a variable is.
fn pointer(variable: &str) -> Option<&str> {
    variable.strip_prefix('(')?.strip_suffix(" != 0)")
}

/// Rewrites the relations of a location that speak of nullness, and drops those that say nothing.
pub(crate) fn tell(report: &mut LocationReport) {
    let rewrite = |invariant: Invariant| {
        let names: Vec<String> = invariant.predicate.variables().into_iter().map(str::to_string).collect();
        match names.as_slice() {
            [only] if pointer(only).is_some() => {
                let holds = |value: i128| invariant.predicate.holds(&Only(only, value)) == Ok(true);
                let relation = match (holds(0), holds(1)) {
                    (false, true) => Relation::Ne,
                    (true, false) => Relation::Eq,
                    _ => return None,
                };
                let name = pointer(only).unwrap_or(only);
                let predicate = Predicate::Compare(relation, Term::var(name), Term::int(0));
                Some(Invariant { form: Form::Equality, predicate, ..invariant })
            }
            names => {
                let speaks = names.iter().any(|name| pointer(name).is_some());
                let kept = !speaks || matches!(invariant.form, Form::Equality | Form::Disjunction);
                kept.then_some(invariant)
            }
        }
    };
    report.invariants = std::mem::take(&mut report.invariants).into_iter().filter_map(rewrite).collect();
    // Two forms may come to the same.
    let mut known: Vec<Predicate> = Vec::new();
    report.invariants.retain(|invariant| {
        let is_new = !known.contains(&invariant.predicate);
        known.push(invariant.predicate.clone());
        is_new
    });
}
