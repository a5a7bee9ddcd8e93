//! What may be invariant at a cut point, as something to assume and something to show.
//!
//! Most candidates are predicates. Two kinds say that something *exists* and are assumed with a witness of their own:
//!
//! - *geometric*: `x == unit * ratio^k` for some k ≥ 0. Assumed: x is the unit, or `x == ratio * w` with a witness w that
//!   is geometric itself. Shown: the new x is the unit, or the old x or its witness, multiplied by the ratio or not.
//!   (The source asks for `∃k. x = 2^k` in `divbin` and has no such form.)
//! - *divides*: `dividend == divisor * w` for some w. Shown with a new witness that is a small multiple of the old one
//!   plus a small number.

use super::system::{Cut, CutId};
use dashu_ratio::RBig;
use exec::ValueType;
use logic::{Number, Predicate, Undefined};
use smt::{SortId, TermId, TermPool};
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    Predicate(Predicate),
    /// Of a name; a missing unit is 1.
    Geometric {
        of: String,
        unit: Option<String>,
        ratio: u32,
    },
    Divides {
        divisor: String,
        dividend: String,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Candidate {
    pub cut: CutId,
    pub claim: Claim,
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Claim::Predicate(predicate) => write!(f, "{predicate}"),
            Claim::Geometric { of, unit: None, ratio } => write!(f, "{of} is a power of {ratio}"),
            Claim::Geometric { of, unit: Some(unit), ratio } => write!(f, "{of} is {unit} times a power of {ratio}"),
            Claim::Divides { divisor, dividend } => write!(f, "{divisor} divides {dividend}"),
        }
    }
}

/// A state in which claims are put: what the names of the cut stand for there.
pub struct State<'a> {
    pub pool: &'a TermPool,
    pub cut: &'a Cut,
    /// The values of the state variables, where they are not the symbols themselves.
    pub values: &'a HashMap<TermId, TermId>,
}

impl State<'_> {
    pub fn name(&self, name: &str) -> Option<TermId> {
        let term = self.cut.names.get(name)?.term;
        Some(if self.values.is_empty() { term } else { self.pool.substitute(term, self.values) })
    }

    /// An integer without bounds, of which alone it can be said that it is a multiple or a power.
    fn integer(&self, name: &str) -> Option<TermId> {
        self.name(name).filter(|&term| self.pool.sort_of(term) == SortId::INT)
    }

    /// A predicate about this state; `None` if a name is unknown here or something cannot be encoded.
    pub fn predicate(&self, predicate: &Predicate) -> Option<TermId> {
        said_of(self.pool, predicate, &|name| Some((self.name(name)?, self.cut.names[name].ty)))
    }
}

/// A predicate about values; `None` if a name has none or something cannot be encoded. It speaks of the mathematical
/// values, also where they are held in bit-vectors.
pub fn said_of(
    pool: &TermPool,
    predicate: &Predicate,
    value: &dyn Fn(&str) -> Option<(TermId, ValueType)>,
) -> Option<TermId> {
    predicate.variables().iter().all(|name| value(name).is_some()).then_some(())?;
    let signed = |ty: ValueType| if let ValueType::Int(kind) = ty { kind.is_signed() } else { true };
    predicate.to_smt_machine(pool, &|name| value(name).map(|(term, ty)| (term, signed(ty)))).ok()
}

impl Candidate {
    /// A symbol for the witness of this candidate in the state where a way starts.
    fn witness(&self, pool: &TermPool) -> TermId {
        pool.var(&format!("witness of {} at {}", self.claim, self.cut.0), SortId::INT)
    }

    /// The candidate as a fact about a state; `None` if it cannot be said there.
    pub fn assumed(&self, state: &State) -> Option<TermId> {
        let pool = state.pool;
        match &self.claim {
            Claim::Predicate(predicate) => state.predicate(predicate),
            Claim::Geometric { of, unit, ratio } => {
                let (x, unit) = (state.integer(of)?, unit_of(state, unit.as_deref())?);
                let witness = self.witness(pool);
                let grown = pool.and(&[
                    pool.eq(x, pool.mul(pool.int(*ratio), witness)),
                    pool.implies(pool.ge(unit, pool.int(1)), pool.ge(witness, unit)),
                ]);
                Some(pool.or(&[pool.eq(x, unit), grown]))
            }
            Claim::Divides { divisor, dividend } => {
                let (d, n) = (state.integer(divisor)?, state.integer(dividend)?);
                Some(pool.eq(n, pool.mul(d, self.witness(pool))))
            }
        }
    }

    /// The candidate as a claim about the state where a way ends. `before` is the state where it starts, if the same
    /// candidate is assumed there.
    pub fn shown(&self, state: &State, before: Option<(&Candidate, &State)>) -> Option<TermId> {
        let pool = state.pool;
        match &self.claim {
            Claim::Predicate(predicate) => state.predicate(predicate),
            Claim::Geometric { of, unit, ratio } => {
                let (x, new_unit) = (state.integer(of)?, unit_of(state, unit.as_deref())?);
                let ratio = pool.int(*ratio);
                let mut ways = vec![pool.eq(x, new_unit), pool.eq(x, pool.mul(ratio, new_unit))];
                if let Some((earlier, old)) = before {
                    let (old_x, old_unit) = (old.integer(of)?, unit_of(old, unit.as_deref())?);
                    let same_unit = pool.eq(new_unit, old_unit);
                    let witness = earlier.witness(pool);
                    ways.push(pool.and(&[same_unit, pool.eq(x, old_x)]));
                    ways.push(pool.and(&[same_unit, pool.eq(x, pool.mul(ratio, old_x))]));
                    // The witness is geometric where the old value is not the unit.
                    ways.push(pool.and(&[same_unit, pool.ne(old_x, old_unit), pool.eq(x, witness)]));
                }
                Some(pool.or(&ways))
            }
            Claim::Divides { divisor, dividend } => {
                let (d, n) = (state.integer(divisor)?, state.integer(dividend)?);
                let mut ways = vec![pool.eq(n, pool.int(0)), pool.eq(n, d)];
                if let Some((earlier, _)) = before {
                    let witness = earlier.witness(pool);
                    for factor in [1, 2, 4] {
                        for rest in [0, 1, -1] {
                            let next = pool.add(pool.mul(pool.int(factor), witness), pool.int(rest));
                            ways.push(pool.eq(n, pool.mul(d, next)));
                        }
                    }
                }
                Some(pool.or(&ways))
            }
        }
    }

    /// Whether another candidate, at another cut, is the same claim.
    pub fn same_claim(&self, other: &Candidate) -> bool {
        self.claim == other.claim
    }
}

fn unit_of(state: &State, unit: Option<&str>) -> Option<TermId> {
    unit.map_or(Some(state.pool.int(1)), |name| state.integer(name))
}

/// Candidates, each once.
#[derive(Default)]
pub(crate) struct Found {
    pub candidates: Vec<Candidate>,
    known: BTreeSet<(CutId, String)>,
}

impl Found {
    pub fn add(&mut self, cut: CutId, claim: Claim) {
        if self.known.insert((cut, claim.to_string())) {
            self.candidates.push(Candidate { cut, claim });
        }
    }
}

pub(crate) fn conjuncts(predicate: Predicate) -> Vec<Predicate> {
    match predicate {
        Predicate::And(parts) => parts.into_iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

/// Whether a predicate holds of the rows, of those that are looked at. Undefined counts as not holding.
pub(crate) fn holds_of_some_rows(predicate: &Predicate, evidence: &infer::Evidence) -> bool {
    let variables = evidence.variables();
    let stride = evidence.len().div_ceil(400).max(1);
    evidence.rows().step_by(stride).all(|row| {
        let lookup = |name: &str, _: &[Number]| {
            let index = variables.iter().position(|v| v.name == name).ok_or(Undefined::Unknown(name.into()))?;
            Ok(Number::constant(&(RBig::from(row[index]) / RBig::from(variables[index].denominator()))))
        };
        // A name that the rows do not show says nothing against the claim.
        matches!(predicate.evaluate(&lookup), Ok(true) | Err(Undefined::Unknown(_)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::system::Named;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn multiples_and_powers_are_not_said_of_bit_vectors() {
        let pool = TermPool::new();
        let unchanged = HashMap::new();
        let claims = [
            Claim::Geometric { of: "x".into(), unit: None, ratio: 2 },
            Claim::Geometric { of: "n".into(), unit: Some("x".into()), ratio: 2 },
            Claim::Divides { divisor: "n".into(), dividend: "x".into() },
        ];
        for (sort, sayable) in [(SortId::INT, true), (pool.sort_of(pool.bits(32, 0)), false), (SortId::REAL, false)] {
            let named = |name, sort| Named { term: pool.var(name, sort), ty: ValueType::Int(ir::IntKind::Int) };
            let x = named(if sayable { "x" } else { "other x" }, sort);
            let names = BTreeMap::from([("x".to_string(), x), ("n".to_string(), named("n", SortId::INT))]);
            let cut = Cut { name: "loop".into(), span: None, names, facts: Vec::new() };
            let state = State { pool: &pool, cut: &cut, values: &unchanged };
            for claim in &claims {
                let candidate = Candidate { cut: CutId(1), claim: claim.clone() };
                assert_eq!(candidate.assumed(&state).is_some(), sayable, "{claim}");
                assert_eq!(candidate.shown(&state, None).is_some(), sayable, "{claim}");
            }
        }
    }
}
