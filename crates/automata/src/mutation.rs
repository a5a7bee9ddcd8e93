//! Single changes of a machine, to see which of them a check would catch.

use crate::alphabet::Symbol;
use crate::inclusion::{Checker, Inclusion};
use crate::recursive::{Label, Machine, ModuleId};
use crate::summaries::{Limits, Stopped};
use std::collections::BTreeSet;

/// One change of one emit edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutation {
    pub module: ModuleId,
    /// The edge's number in its module.
    pub edge: usize,
    pub change: Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The symbol is not emitted.
    Drop,
    /// It is emitted twice.
    Duplicate,
    /// Another one is emitted instead.
    Relabel(Symbol),
}

/// All changes of a machine's emit edges; relabelling goes through the other symbols of `alphabet`.
pub fn mutations(machine: &Machine, alphabet: &BTreeSet<Symbol>) -> impl Iterator<Item = Mutation> {
    machine.ids().flat_map(move |module| {
        let edges = machine.module(module).edges.iter().enumerate();
        edges.flat_map(move |(edge, at)| {
            let Label::Emit(symbol) = at.label else { return Vec::new() };
            let others = alphabet.iter().filter(|&&other| other != symbol).map(|&other| Change::Relabel(other));
            let changes = [Change::Drop, Change::Duplicate].into_iter().chain(others);
            changes.map(|change| Mutation { module, edge, change }).collect()
        })
    })
}

impl Mutation {
    /// The changed machine.
    pub fn apply(&self, machine: &Machine) -> Machine {
        let mut changed = machine.clone();
        let module = &mut changed.modules[self.module.index()];
        let edge = module.edges[self.edge];
        match self.change {
            Change::Drop => module.edges[self.edge].label = Label::Silent,
            Change::Relabel(symbol) => module.edges[self.edge].label = Label::Emit(symbol),
            Change::Duplicate => {
                let between = module.add_state();
                module.edges[self.edge].to = between;
                module.add_edge(between, edge.to, edge.label, edge.tag);
            }
        }
        changed
    }
}

/// How many changes of a producer a consumer notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    pub caught: usize,
    pub total: usize,
    /// The changes after which the consumer still accepts everything.
    pub survivors: Vec<Mutation>,
}

/// Tries every change of a producer against a consumer that accepts the unchanged one.
pub fn score(
    producer: &Machine,
    checker: &mut Checker<'_>,
    alphabet: &BTreeSet<Symbol>,
    limits: &Limits<'_>,
) -> Result<Score, Stopped> {
    let mut score = Score { caught: 0, total: 0, survivors: Vec::new() };
    for mutation in mutations(producer, alphabet) {
        score.total += 1;
        match checker.includes(&mutation.apply(producer), limits) {
            Inclusion::Excluded(_) => score.caught += 1,
            Inclusion::Included => score.survivors.push(mutation),
            Inclusion::Unknown(stopped) => return Err(stopped),
        }
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alphabet, grammar, includes, regular};

    #[test]
    fn every_change_of_a_fixed_header_is_caught() {
        let mut alphabet = Alphabet::new();
        let machine = grammar::parse("header = u16 u8 u32 ;", &mut alphabet).unwrap().machine;
        let consumer = regular(&machine, 100).nfa;
        let all: Vec<Mutation> = mutations(&machine, &machine.symbols()).collect();
        assert_eq!(all.len(), 3 * (2 + 2));
        for mutation in all {
            let changed = mutation.apply(&machine);
            assert!(matches!(includes(&changed, &consumer), Inclusion::Excluded(_)), "{mutation:?}");
        }
    }
    #[test]
    fn a_loop_hides_changes() {
        let mut alphabet = Alphabet::new();
        let machine = grammar::parse("f = magic u8* ;", &mut alphabet).unwrap().machine;
        let consumer = regular(&machine, 100).nfa;
        let score = score(&machine, &mut Checker::new(&consumer), &machine.symbols(), &Limits::default()).unwrap();
        // Bytes of a loop can be dropped or doubled unseen; everything else is noticed.
        assert_eq!((score.caught, score.total), (4, 6));
        let unseen: Vec<Change> = score.survivors.iter().map(|mutation| mutation.change).collect();
        assert_eq!(unseen, [Change::Drop, Change::Duplicate]);
    }
}
