//! Constrained Horn clauses, solved by Z3's fixed-point engine (Spacer).
//!
//! *Question*: are there sets, one for each relation, that satisfy all clauses, so that nothing bad can be derived? The sets
//! are the invariants of a program whose transitions are the clauses.
//!
//! *Source*: A. Komuravelli, A. Gurfinkel, S. Chaki, "SMT-Based Model Checking for Recursive Programs", CAV 2014.
//!
//! *Guarantee*: none by itself. A [`Solution`] is what Z3 says, read back as terms; whoever proves something with it checks
//! that it satisfies the clauses. A formula that cannot be read back is `true`, which claims nothing.
//!
//! *Cost*: bounded by the timeout alone; the search need not end.

use crate::options::Strategy;
use crate::pool::TermPool;
use crate::term::TermId;
use crate::z3::{Engine, Reached, Z3Error};
use std::time::Duration;

/// An index into [`Clauses::relations`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RelationId(pub u32);

/// Relations and what they have to satisfy.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// For each relation the symbols that stand for its arguments, in its solution too.
    pub relations: Vec<Vec<TermId>>,
    pub clauses: Vec<Clause>,
}

/// For all values of all symbols: where the relation of the body holds of its arguments and the condition is true, the
/// head holds.
#[derive(Clone, Debug)]
pub struct Clause {
    pub body: Option<(RelationId, Vec<TermId>)>,
    pub condition: TermId,
    /// Nothing is the bad thing, which is not to be derived.
    pub head: Option<(RelationId, Vec<TermId>)>,
}

/// A formula for each relation, over its symbols, as a list of conjuncts.
pub type Solution = Vec<Vec<TermId>>;

/// What is said of clauses.
#[derive(Clone, Debug)]
pub enum Derivation {
    /// The bad thing cannot be derived.
    Safe(Solution),
    /// It can.
    Bad,
    /// Not found out, with Z3's words.
    Unknown(String),
}

/// Searches for a solution for so long at most. Quantifiers and functions with arguments are refused.
pub fn solve(pool: &TermPool, clauses: &Clauses, seed: u32, timeout: Duration) -> Derivation {
    let search = || -> Result<Derivation, Z3Error> {
        let mut engine = Engine::new(Strategy::Default, seed)?;
        Ok(match engine.derive(pool, clauses, timeout)? {
            Reached::Never(solution) => Derivation::Safe(solution),
            Reached::Somehow => Derivation::Bad,
            Reached::Unknown(why) => Derivation::Unknown(why),
        })
    };
    search().unwrap_or_else(|Z3Error(why)| Derivation::Unknown(why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, SortId};

    /// One loop over two integers: from the start by steps, until the bad condition holds.
    fn looped(pool: &TermPool, start: TermId, step: [TermId; 2], when: TermId, bad: TermId) -> Clauses {
        let state = vec![pool.var("x", SortId::INT), pool.var("y", SortId::INT)];
        let here = (RelationId(0), state.clone());
        let clause = |body, condition, head| Clause { body, condition, head };
        Clauses {
            relations: vec![state],
            clauses: vec![
                clause(None, start, Some(here.clone())),
                clause(Some(here.clone()), when, Some((RelationId(0), step.to_vec()))),
                clause(Some(here), bad, None),
            ],
        }
    }

    #[test]
    fn a_solution_satisfies_its_clauses() {
        let t = TermPool::new();
        let (x, y) = (t.var("x", SortId::INT), t.var("y", SortId::INT));
        let zero = t.int(0);
        let start = t.and(&[t.eq(x, zero), t.eq(y, zero)]);
        let step = [t.add(x, t.int(1)), t.add(y, t.int(2))];
        let when = t.lt(x, t.int(1_000_000));
        let bad = t.lt(t.add(y, t.int(3)), x);
        let clauses = looped(&t, start, step, when, bad);
        let Derivation::Safe(solution) = solve(&t, &clauses, 1, Duration::from_secs(60)) else {
            panic!("a loop with a linear invariant should be solved");
        };
        let invariant = t.and(&solution[0]);
        let moved: std::collections::HashMap<_, _> = [(x, step[0]), (y, step[1])].into();
        let after = t.substitute(invariant, &moved);
        for (facts, claim) in
            [(vec![start], invariant), (vec![invariant, when], after), (vec![invariant, bad], t.bool(false))]
        {
            let mut solver = Solver::new(&t);
            facts.into_iter().for_each(|fact| solver.assert(fact));
            solver.assert(t.not(claim));
            assert!(solver.check().is_unsat());
        }
        let reachable = looped(&t, start, step, when, t.eq(y, t.int(20)));
        assert!(matches!(solve(&t, &reachable, 1, Duration::from_secs(60)), Derivation::Bad));
    }
}
