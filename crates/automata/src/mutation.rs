//! Single changes of a machine, to see which of them a check would catch.

use crate::alphabet::Symbol;
use crate::recursive::{Label, Machine, ModuleId};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alphabet, Inclusion, grammar, includes, regular};

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
}
