//! Relations that keep a run out of the states from which induction fails.
//!
//! *Question*: a state satisfies all that is proved and yet leads to one where a claim is false. If no run comes to
//! such a state, what do runs have in common that it lacks?
//!
//! *Source*: the idea of learning from counterexamples to induction is that of A. R. Bradley, "SAT-based model checking
//! without unrolling", 2011. *Departure*: there is no generalisation by the solver; the rows of `infer` say which
//! lemmas are true of everything seen, and induction says which of those hold.
//!
//! *Worked example*: of `x` and `y` the rows are (0, 5), (3, 5), (6, 6), (9, 9) and the state is (9, 5). Each value alone
//! was seen, and so was each difference up to 5, but where `x >= 9` there was never a `y` below 9: a lemma is
//! `x <= 8 || y >= 9`.
//!
//! *Guarantee*: each answer is false of the state and true of all rows; nothing more. *Cost*: pairs of variables times
//! rows, for at most [`MOST_VARIABLES`] of them.

use infer::{Evidence, Kind, Role};
use logic::{Predicate, Relation, Term};
use std::collections::BTreeMap;

/// Variables that are looked at in pairs.
const MOST_VARIABLES: usize = 12;
/// Moduli that are tried.
const MODULI: [i128; 4] = [2, 3, 4, 5];

/// Relations that hold of all rows and not of the state, the simple ones first.
pub fn blocking_lemmas(evidence: &Evidence, state: &BTreeMap<String, i128>) -> Vec<Predicate> {
    let variables = evidence.variables();
    let looked_at = (0..variables.len()).filter_map(|v| {
        let about = &variables[v];
        let counts = about.kind == Kind::Int && about.role != Role::User && !about.is_power();
        let value = *state.get(&about.name).filter(|_| counts)?;
        Some(Quantity {
            term: Term::var(about.name.clone()),
            value,
            seen: column(evidence, |row| row[v].into()),
            of: v,
        })
    });
    let single: Vec<Quantity> = looked_at.take(MOST_VARIABLES).collect();
    if evidence.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Predicate> = single.iter().flat_map(Quantity::blocking_lemmas).collect();
    for (n, x) in single.iter().enumerate() {
        for y in &single[n + 1..] {
            let difference = Quantity {
                term: Term::sum(vec![x.term.clone(), y.term.clone().negated()]),
                value: x.value - y.value,
                seen: column(evidence, |row| i128::from(row[x.of]) - i128::from(row[y.of])),
                of: x.of,
            };
            let sum = Quantity {
                term: Term::sum(vec![x.term.clone(), y.term.clone()]),
                value: x.value + y.value,
                seen: column(evidence, |row| i128::from(row[x.of]) + i128::from(row[y.of])),
                of: x.of,
            };
            found.extend(difference.blocking_lemmas());
            found.extend(sum.blocking_lemmas());
        }
    }
    for x in &single {
        for y in single.iter().filter(|y| y.of != x.of) {
            found.extend(x.corners(y));
        }
    }
    found
}

fn column(evidence: &Evidence, value: impl Fn(&[i64]) -> i128) -> Vec<i128> {
    evidence.rows().map(value).collect()
}

/// A term, what it is in the state and what it was in each row.
struct Quantity {
    term: Term,
    value: i128,
    seen: Vec<i128>,
    of: usize,
}

impl Quantity {
    fn compared(&self, relation: Relation, with: i128) -> Predicate {
        self.term.clone().compare(relation, Term::int(with))
    }

    /// What this term alone says against the state.
    fn blocking_lemmas(&self) -> Vec<Predicate> {
        let (Some(&least), Some(&most)) = (self.seen.iter().min(), self.seen.iter().max()) else { return Vec::new() };
        if self.value < least {
            return vec![self.compared(Relation::Ge, least)];
        }
        if self.value > most {
            return vec![self.compared(Relation::Le, most)];
        }
        let mut found = Vec::new();
        if !self.seen.contains(&self.value) {
            found.push(self.compared(Relation::Ne, self.value));
        }
        for modulus in MODULI {
            let rest = self.seen[0].rem_euclid(modulus);
            if self.value.rem_euclid(modulus) != rest && self.seen.iter().all(|v| v.rem_euclid(modulus) == rest) {
                found.push(Predicate::Congruent(self.term.clone(), Term::int(rest), modulus.into()));
            }
        }
        found
    }

    /// Corners of the plane that the state is in and no row: where this term is at least (or most) what it is in the
    /// state, the other was never so small (or large).
    fn corners(&self, other: &Quantity) -> Vec<Predicate> {
        let mut found = Vec::new();
        for upward in [true, false] {
            let beyond = |seen: i128| if upward { seen >= self.value } else { seen <= self.value };
            let there = || self.seen.iter().zip(&other.seen).filter(|(x, _)| beyond(**x)).map(|(_, y)| *y);
            let (Some(least), Some(most)) = (there().min(), there().max()) else { continue };
            let outside = match upward {
                true => self.compared(Relation::Lt, self.value),
                false => self.compared(Relation::Gt, self.value),
            };
            if other.value < least {
                found.push(Predicate::any(vec![outside.clone(), other.compared(Relation::Ge, least)]));
            }
            if other.value > most {
                found.push(Predicate::any(vec![outside, other.compared(Relation::Le, most)]));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use infer::{Samples, Variable};
    use logic::{Number, Undefined};

    fn found(rows: &[[i64; 2]], state: [i128; 2]) -> Vec<Predicate> {
        let mut near = Samples::new(vec![Variable::int("x"), Variable::int("y")]);
        for row in rows {
            near.push(row);
        }
        let state = BTreeMap::from([("x".to_string(), state[0]), ("y".to_string(), state[1])]);
        blocking_lemmas(&Evidence { near, ..Evidence::default() }, &state)
    }

    #[test]
    fn the_example_of_the_header() {
        let found = found(&[[0, 5], [3, 5], [6, 6], [9, 9]], [9, 5]);
        let texts: Vec<String> = found.iter().map(Predicate::to_string).collect();
        assert!(texts.contains(&"x < 9 || y >= 9".to_string()), "{texts:?}");
    }

    #[test]
    fn every_answer_is_true_of_the_rows_and_false_of_the_state() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let rows: Vec<[i64; 2]> = (0..random.usize(1..6)).map(|_| [random.i64(-4..5), random.i64(-4..5)]).collect();
            let state = [random.i64(-6..7).into(), random.i64(-6..7).into()];
            let holds = |predicate: &Predicate, at: [i128; 2]| {
                let value = |name: &str, _: &[Number]| match name {
                    "x" => Ok(Number::Small(at[0])),
                    "y" => Ok(Number::Small(at[1])),
                    _ => Err(Undefined::Unknown(name.into())),
                };
                predicate.evaluate(&value).expect("a barrier should have a value everywhere")
            };
            for barrier in found(&rows, state) {
                assert!(!holds(&barrier, state), "{barrier} of {state:?}");
                for row in &rows {
                    assert!(holds(&barrier, row.map(i128::from)), "{barrier} of {row:?}");
                }
            }
        }
    }
}
