//! Powers of a base to a variable, as columns: `p == 2^k`, `b == 3*y*2^k` in rows that count no rounds themselves.
//!
//! *Which*: `b^k` where some variable is a function of k whose steps grow by the factor b (the solution of
//! `p' = b*p + d` is `c*b^k + e`), and `2^k` where k counts to at least [`LEAST_COUNT`] and some variable is of the size of
//! 2^k. Equations with these columns are looked for as with the powers of counted rounds.
//!
//! *Guarantee*: none is needed; a column says what it holds.

use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::Term;
use observe::samples::{Evidence, Kind, Role, Samples, Variable};
use std::collections::BTreeMap;

/// Columns that are added, and columns beyond which none are.
const MOST_ADDED: usize = 2;
const MOST_COLUMNS: usize = 8;

/// Values of a counter that must be seen.
const FEWEST_VALUES: usize = 5;

/// What a counter must reach for its power to be told from a polynomial by size.
const LEAST_COUNT: i64 = 6;

const MOST_BASE: i64 = 10;

/// The evidence with columns for powers, if there is reason for some.
pub(crate) fn extend(evidence: Evidence) -> Evidence {
    let variables = evidence.variables();
    let has_powers = variables.iter().any(|v| matches!(v.term, Term::Exponential(..)));
    if variables.len() > MOST_COLUMNS || variables.len() < 2 || has_powers || evidence.len() < FEWEST_VALUES {
        return evidence;
    }
    let mut added: Vec<(usize, u32)> = Vec::new();
    for counter in (0..variables.len()).filter(|&k| variables[k].kind == Kind::Int) {
        let others = (0..variables.len()).filter(|&p| p != counter);
        let base = others.clone().find_map(|p| growth(&evidence, counter, p));
        let base = base.or_else(|| others.clone().any(|p| is_of_its_size(&evidence, counter, p)).then_some(2));
        added.extend(base.map(|base| (counter, base)));
    }
    added.truncate(MOST_ADDED);
    if added.is_empty() {
        return evidence;
    }
    let column = |&(counter, base): &(usize, u32)| {
        let term = Term::Exponential(base, Box::new(Term::var(variables[counter].name.clone())));
        Variable { term: term.clone(), ..Variable::new(term.to_string(), Kind::Int, Role::Ghost) }
    };
    let wide: Vec<Variable> = variables.iter().cloned().chain(added.iter().map(column)).collect();
    // A power that does not fit is 0, as those of counted rounds are.
    let power = |base: u32, exponent: i64| {
        u32::try_from(exponent).ok().and_then(|exponent| i64::from(base).checked_pow(exponent)).unwrap_or(0)
    };
    let part = |samples: &Samples| {
        let mut extended = Samples::new(wide.clone());
        for row in samples.rows() {
            let powers = added.iter().map(|&(counter, base)| power(base, row[counter]));
            extended.push(&row.iter().copied().chain(powers).collect::<Vec<i64>>());
        }
        extended.set_visits(samples.visits());
        extended
    };
    Evidence { near: part(&evidence.near), far: part(&evidence.far) }
}

/// The factor by which the steps of a variable grow where it is a function of the counter.
fn growth(evidence: &Evidence, counter: usize, variable: usize) -> Option<u32> {
    let mut values: BTreeMap<i64, i64> = BTreeMap::new();
    if !evidence.rows().all(|row| *values.entry(row[counter]).or_insert(row[variable]) == row[variable]) {
        return None;
    }
    if values.len() < FEWEST_VALUES || *values.first_key_value()?.0 < 0 {
        return None;
    }
    let mut factor: Option<RBig> = None;
    let mut steps = 0;
    for (&k, &first) in &values {
        let (Some(&second), Some(&third)) = (values.get(&(k + 1)), values.get(&(k + 2))) else { continue };
        let step = |from: i64, to: i64| RBig::from(IBig::from(to) - IBig::from(from));
        let (before, after) = (step(first, second), step(second, third));
        if before == RBig::ZERO {
            return None;
        }
        let own = after / before;
        if factor.as_ref().is_some_and(|factor| *factor != own) {
            return None;
        }
        factor = Some(own);
        steps += 1;
    }
    let factor = factor.filter(|factor| steps + 2 >= FEWEST_VALUES && factor.is_int())?;
    let base = i64::try_from(factor.numerator()).ok().filter(|base| (2..=MOST_BASE).contains(base))?;
    u32::try_from(base).ok()
}

/// Whether the counter goes far enough, and the variable as far as the power of two.
fn is_of_its_size(evidence: &Evidence, counter: usize, variable: usize) -> bool {
    let largest = evidence.rows().map(|row| row[counter]).max().unwrap_or(0);
    let least = evidence.rows().map(|row| row[counter]).min().unwrap_or(0);
    let reaches = evidence.rows().map(|row| row[variable].unsigned_abs()).max().unwrap_or(0);
    let grows = |row: &[i64]| row[counter] < LEAST_COUNT || row[variable].unsigned_abs() >> (row[counter] / 2) > 0;
    least >= 0 && (LEAST_COUNT..62).contains(&largest) && reaches >> (largest - 1) > 0 && evidence.rows().all(grows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormConfig, Location, LocationKind, relations, shown};

    fn found(names: &[&str], rows: impl Iterator<Item = Vec<i64>>) -> Vec<String> {
        let variables: Vec<Variable> = names.iter().map(|name| Variable::int(*name)).collect();
        let mut near = Samples::new(variables.clone());
        rows.for_each(|row| {
            near.push(&row);
        });
        let evidence = extend(Evidence { near, far: Samples::new(variables) });
        let variables = evidence.variables().to_vec();
        let location = Location {
            name: "l".into(),
            kind: LocationKind::Label,
            pointers_valid: false,
            span: None,
            variables: variables.clone(),
            guards: Vec::new(),
        };
        let found = relations(&location, &evidence, &FormConfig::default());
        found.invariants.iter().map(|invariant| shown::text(&invariant.predicate, &variables)).collect()
    }

    #[test]
    fn powers_of_the_programs_own_counters() {
        let doubled = found(&["k", "p"], (0..20).map(|k| vec![k, 1 << k]));
        assert!(doubled.contains(&"p == 2^k".to_string()), "{doubled:?}");
        // t' = 3*t + 1
        let closed = found(
            &["i", "t"],
            (0..15).scan(0i64, |t, i| {
                let row = vec![i, *t];
                *t = 3 * *t + 1;
                Some(row)
            }),
        );
        assert!(closed.iter().any(|text| text.contains("3^i") && text.contains("==")), "{closed:?}");
        let scaled = found(&["y", "k", "b"], (1..9).flat_map(|y| (0..12).map(move |k| vec![y, k, y << k])));
        assert!(scaled.iter().any(|text| text.contains("2^k") && text.contains("==")), "{scaled:?}");
    }

    #[test]
    fn polynomials_get_no_powers() {
        let squares = found(&["k", "s"], (0..40).map(|k| vec![k, k * k]));
        assert!(squares.iter().all(|text| !text.contains("2^k")), "{squares:?}");
    }
}
