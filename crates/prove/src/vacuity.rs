//! Claims that hold only because nothing comes to them any more.
//!
//! *Question*: does the program assume something that no run satisfies, so that whatever it claims afterwards holds?
//!
//! A *dead assumption* is one that runs come to and none gets past: on every way to it the condition is false, and some
//! way can be taken. The same goes for an operation that is undefined on every way to it, since the model goes on as if
//! it had been defined. What is claimed at a place that control reaches only past dead assumptions is vacuous, whatever
//! the proof says. A claim in code that branches never reach is not: that is what a proof is for.
//!
//! ```text
//! assume(x > 5); assume(x < 3); assert(x == 7);          the second assumption is dead, the assertion vacuous
//! if (x < 0) assume(0); … assert(…);                     dead too, but there is a way around it
//! ```
//!
//! *Guarantee*: nothing vacuous in this sense is called proved, as far as the prover that proved it can tell: a way that
//! it cannot show to be impossible counts as one that can be taken.

use super::candidate::Candidate;
use super::entail::{Answer, Effort};
use super::induction::discharge;
use super::system::{CutId, Obligation, Path, Position, PropertyId, System};
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The places that control reaches only past dead assumptions.
#[derive(Clone, Debug, Default)]
pub struct Vacuity {
    dead: BTreeSet<Position>,
    /// The nodes that control may reach at all, and those it may reach without passing a dead assumption.
    reached: BTreeSet<u32>,
    around: BTreeSet<u32>,
}

impl Vacuity {
    /// `proved` are the properties whose claims are shown; what others claim is assumed afterwards all the same.
    pub fn of(system: &System, invariants: &[Candidate], proved: &BTreeSet<PropertyId>, effort: Effort) -> Vacuity {
        let dead = dead_assumptions(system, invariants, proved, effort);
        if dead.is_empty() {
            return Vacuity::default();
        }
        let reached = reached_around(system, &BTreeSet::new());
        let around = reached_around(system, &dead);
        Vacuity { dead, reached, around }
    }

    /// Whether a property is only claimed behind dead assumptions.
    pub fn covers(&self, system: &System, property: PropertyId) -> bool {
        let ways = system.obligations.iter().filter(|way| way.property == property).map(|way| way.at);
        let stated = system.layout.claims.get(&property).into_iter().flatten().copied();
        let places: Vec<Position> = ways.chain(stated).filter(|at| self.reached.contains(&at.node)).collect();
        let is_reached = |at: &Position| self.around.contains(&at.node) && !is_behind(&self.dead, *at);
        !places.is_empty() && !places.iter().any(is_reached)
    }

    /// Whether a cut lies behind dead assumptions.
    pub fn covers_cut(&self, system: &System, cut: CutId) -> bool {
        let node = system.layout.cuts.get(cut.0 as usize).copied().flatten();
        node.is_some_and(|node| self.reached.contains(&node) && !self.around.contains(&node))
    }
}

/// Whether an assumption earlier in the same node is dead.
fn is_behind(dead: &BTreeSet<Position>, at: Position) -> bool {
    dead.range(Position { node: at.node, item: 0 }..at).next().is_some()
}

/// The nodes that control may reach without passing a dead assumption.
fn reached_around(system: &System, dead: &BTreeSet<Position>) -> BTreeSet<u32> {
    let mut reached = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        let is_blocked = dead.range(Position { node, item: 0 }..=Position { node, item: u32::MAX }).next().is_some();
        if is_blocked {
            continue;
        }
        for &next in &system.layout.followers[node as usize] {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// A way to an assumption, and what holds from there on.
type Met<'s> = (CutId, &'s Path, TermId);

fn dead_assumptions(
    system: &System,
    invariants: &[Candidate],
    proved: &BTreeSet<PropertyId>,
    effort: Effort,
) -> BTreeSet<Position> {
    let mut sites: BTreeMap<(Position, Option<PropertyId>), Vec<Met<'_>>> = BTreeMap::new();
    for given in &system.given {
        sites.entry((given.at, None)).or_default().push((given.from, &given.path, given.holds));
    }
    for way in system.obligations.iter().filter(|way| !proved.contains(&way.property)) {
        sites.entry((way.at, Some(way.property))).or_default().push((way.from, &way.path, way.claim));
    }
    for (property, way) in &system.passed {
        if let Some(ways) = sites.get_mut(&(way.at, Some(*property))) {
            ways.push((way.from, &way.path, way.holds));
        }
    }
    let follows = |from: CutId, path: &Path, claim: TermId| {
        let question = Obligation { property: PropertyId(0), from, path: path.clone(), claim, at: Position::default() };
        // A model is found quickly if there is one, and mostly there is.
        match discharge(system, &question, invariants, Effort { nonlinear: 0, cases: false, ..effort }) {
            Answer::Open => matches!(discharge(system, &question, invariants, effort), Answer::Holds { .. }),
            answer => matches!(answer, Answer::Holds { .. }),
        }
    };
    let (pool, never) = (&system.pool, system.pool.bool(false));
    let is_dead = |ways: &[Met<'_>]| {
        ways.iter().all(|&(from, path, holds)| follows(from, path, pool.not(holds)))
            && !ways.iter().all(|&(from, path, _)| follows(from, path, never))
    };
    sites.into_iter().filter(|(_, ways)| is_dead(ways)).map(|((at, _), _)| at).collect()
}
