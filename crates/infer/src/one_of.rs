//! Variables that have one of a few values, which are no range: `step == 1 || step == 10 || step == 100`.
//!
//! *Source*: the "one of" invariants of M. D. Ernst et al., "The Daikon system for dynamic detection of likely
//! invariants", 2007.
//!
//! *Departures*: two values are an equation of degree 2 and found as such; neighbours are an interval. That only these
//! values were seen is told only if each was seen often, in both parts of the evidence.

use super::reason::parts;
use observe::samples::{Evidence, Kind};
use std::collections::BTreeMap;

/// The most values that are listed.
const MOST_VALUES: usize = 5;

/// Rows that there must be, and rows of each part that must have each value.
const FEWEST_ROWS: usize = 100;
const EACH: usize = 5;

/// The values of a column, if they are three or more, few and no range.
pub(super) fn one_of(evidence: &Evidence, column: usize) -> Option<Vec<i64>> {
    if evidence.len() < FEWEST_ROWS || evidence.variables()[column].kind != Kind::Int {
        return None;
    }
    let mut values: BTreeMap<i64, [usize; 2]> = BTreeMap::new();
    for row in evidence.rows() {
        values.entry(row[column]).or_default();
        if values.len() > MOST_VALUES {
            return None;
        }
    }
    let (least, most) = (*values.first_key_value()?.0, *values.last_key_value()?.0);
    let is_range = i128::from(most) - i128::from(least) < values.len() as i128;
    if values.len() < 3 || is_range {
        return None;
    }
    for (part, rows) in parts(evidence).into_iter().enumerate() {
        for row in rows {
            values.entry(row[column]).or_default()[part] += 1;
        }
    }
    let often = values.values().all(|counts| counts.iter().all(|count| *count >= EACH));
    often.then(|| values.into_keys().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::{Samples, Variable};

    fn values(of: impl Fn(i64) -> i64) -> Option<Vec<i64>> {
        let variables = vec![Variable::int("n"), Variable::int("x")];
        let mut near = Samples::new(variables.clone());
        (0..300).for_each(|n| {
            near.push(&[n, of(n)]);
        });
        one_of(&Evidence { near, far: Samples::new(variables) }, 1)
    }

    #[test]
    fn few_values_that_come_again_and_are_no_range() {
        assert_eq!(values(|n| [1, 10, 100][n as usize % 3]), Some(vec![1, 10, 100]));
        assert_eq!(values(|n| n % 3), None);
        assert_eq!(values(|n| if n == 7 { 50 } else { n % 2 * 9 }), None);
        assert_eq!(values(|n| n * n), None);
    }
}
