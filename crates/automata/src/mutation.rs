//! Single changes of a machine, to see which of them a check would catch.

use crate::alphabet::Symbol;
use crate::inclusion::{BY_LENGTH, Checker, LONGEST_PATH, Subsets};
use crate::recursive::{Edge, Label, Machine, ModuleId, StateId};
use crate::summaries::{Explorer, Limits, Move, Stopped, explore};
use std::collections::{BTreeMap, BTreeSet};

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
    /// What is emitted in place of the edge's symbol.
    fn instead(&self, machine: &Machine) -> Vec<Symbol> {
        match (self.change, machine.module(self.module).edges[self.edge].label) {
            (Change::Drop, _) => Vec::new(),
            (Change::Relabel(symbol), _) => vec![symbol],
            (Change::Duplicate, Label::Emit(symbol)) => vec![symbol; 2],
            (Change::Duplicate, _) => unreachable!("only emit edges should be changed"),
        }
    }

    /// The changed machine.
    pub fn apply(&self, machine: &Machine) -> Machine {
        let mut changed = machine.clone();
        let module = &mut changed.modules[self.module.index()];
        let edge = module.edges[self.edge];
        match self.instead(machine)[..] {
            [] => module.edges[self.edge].label = Label::Silent,
            [ref init @ .., last] => {
                let mut from = edge.from;
                for symbol in init {
                    let to = module.add_state();
                    module.add_edge(from, to, Label::Emit(*symbol), edge.tag);
                    from = to;
                }
                module.edges[self.edge] = Edge { from, label: Label::Emit(last), ..edge };
            }
        }
        changed
    }
}

/// A producer all of whose words a consumer accepts, to be asked about changes.
///
/// A change is searched from where the unchanged producer was: with the changed edge beside the old one, which is
/// nearly always enough. If nothing is rejected then, nothing is with the changed edge alone. If something is, the run
/// that shows it takes the old edge perhaps as well; with the changed edge in all those places it is a run of the
/// changed producer, and its word is rejected or not. Only if it is not, the changed producer is searched from the start.
pub struct Changes<'a> {
    producer: &'a Machine,
    /// Symbols that another may follow any number of times.
    followed: &'a BTreeMap<Symbol, Symbol>,
    search: Explorer<'a, Subsets>,
}

impl<'a> Changes<'a> {
    /// Nothing, if the consumer does not accept every word of the producer. `followed` names what may follow a symbol
    /// any number of times wherever it is emitted, as the further digits of a number follow its first one.
    pub fn new(
        producer: &'a Machine,
        followed: &'a BTreeMap<Symbol, Symbol>,
        checker: &'a mut Checker<'_>,
        limits: &Limits<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let search = checker.searched(&producer.followed(followed), limits)?;
        Ok(search.map(|search| Changes { producer, followed, search }))
    }

    /// Whether the consumer rejects a word of the changed producer.
    pub fn noticed(&mut self, mutation: &Mutation, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let old = self.producer.module(mutation.module).edges[mutation.edge];
        let instead = mutation.instead(self.producer);
        let first = self.search.machine().module(mutation.module).states;
        let (mut states, mut edges, mut from) = (first, Vec::new(), old.from);
        for &symbol in &instead {
            let to = StateId::new(states);
            states += 1;
            edges.push(Edge { from, to, label: Label::Emit(symbol), tag: old.tag });
            let more = self.followed.get(&symbol);
            edges.extend(more.map(|&more| Edge { from: to, to, label: Label::Emit(more), tag: old.tag }));
            from = to;
        }
        edges.push(Edge { from, to: old.to, label: Label::Silent, tag: old.tag });
        let noticed = self
            .search
            .extend(mutation.module, states - first, &edges, limits)
            .map(|()| self.witness(mutation, &instead));
        self.search.retract();
        match noticed? {
            Witness::None => Ok(false),
            Witness::Rejected => Ok(true),
            Witness::Mixed => {
                let changed = mutation.apply(self.producer).followed(self.followed);
                Ok(explore(&changed, self.search.observer(), BY_LENGTH, limits)?.has_goal())
            }
        }
    }

    fn witness(&mut self, mutation: &Mutation, instead: &[Symbol]) -> Witness {
        let machine = self.search.machine();
        let Some((path, whole)) = self.search.explored().path(machine, LONGEST_PATH) else { return Witness::None };
        let old = machine.module(mutation.module).edges[mutation.edge];
        let is_followed = matches!(old.label, Label::Emit(symbol) if self.followed.contains_key(&symbol));
        let mut word = Vec::new();
        for step in &path {
            let Move::Emit(symbol) = step.kind else { continue };
            let edge = machine.module(step.module).edges[step.edge];
            match step.module == mutation.module {
                true if step.edge == mutation.edge => word.extend_from_slice(instead),
                // What follows the old symbol goes with it.
                true if is_followed && edge.from == old.to => {}
                _ => word.push(symbol),
            }
        }
        if whole && self.search.observer().rejects_word(&word) { Witness::Rejected } else { Witness::Mixed }
    }
}

/// What the search with both edges found.
enum Witness {
    None,
    /// A word of the changed producer is rejected.
    Rejected,
    /// A word that needs the old edge as well is rejected, or one that is too long to look at.
    Mixed,
}

impl Machine {
    /// The machine with loops of further symbols behind those that something may follow. States and edges keep their
    /// numbers.
    pub fn followed(&self, followed: &BTreeMap<Symbol, Symbol>) -> Machine {
        let mut machine = self.clone();
        for module in machine.modules.iter_mut().filter(|_| !followed.is_empty()) {
            for number in 0..module.edges.len() {
                let edge = module.edges[number];
                let Label::Emit(symbol) = edge.label else { continue };
                let Some(more) = followed.get(&symbol) else { continue };
                let middle = module.add_state();
                module.edges[number].to = middle;
                module.add_edge(middle, middle, Label::Emit(*more), edge.tag);
                module.add_edge(middle, edge.to, Label::Silent, u32::MAX);
            }
        }
        machine
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

    #[test]
    fn a_loop_hides_changes() {
        let mut alphabet = Alphabet::new();
        let machine = grammar::parse("f = magic u8* ;", &mut alphabet).unwrap().machine;
        let consumer = regular(&machine, 100).nfa;
        let (mut checker, limits, none) = (Checker::new(&consumer), Limits::default(), BTreeMap::new());
        let mut changes = Changes::new(&machine, &none, &mut checker, &limits).unwrap().unwrap();
        let all: Vec<Mutation> = mutations(&machine, &machine.symbols()).collect();
        let unseen = all.iter().filter(|mutation| !changes.noticed(mutation, &limits).unwrap());
        // Bytes of a loop can be dropped or doubled unseen; everything else is noticed.
        assert_eq!(all.len(), 6);
        assert_eq!(unseen.map(|mutation| mutation.change).collect::<Vec<_>>(), [Change::Drop, Change::Duplicate]);
    }

    #[test]
    fn a_run_with_both_edges_is_no_run_of_the_changed_producer() {
        let mut alphabet = Alphabet::new();
        let producer = grammar::parse("f = (a b)* ;", &mut alphabet).unwrap().machine;
        let consumer = grammar::parse("f = (a b)* | a* ;", &mut alphabet).unwrap().machine;
        let consumer = regular(&consumer, 100).nfa;
        let (mut checker, limits, none) = (Checker::new(&consumer), Limits::default(), BTreeMap::new());
        let mut changes = Changes::new(&producer, &none, &mut checker, &limits).unwrap().unwrap();
        for mutation in mutations(&producer, &producer.symbols()) {
            let caught = matches!(includes(&mutation.apply(&producer), &consumer), Inclusion::Excluded(_));
            assert_eq!(changes.noticed(&mutation, &limits), Ok(caught), "{mutation:?}");
        }
    }
}
