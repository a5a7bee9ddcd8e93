//! Is every word of a machine accepted by a finite automaton?
//!
//! The producer's context-free language is compared with the consumer's regular language: polynomial in the producer,
//! and in the consumer only as bad as the subsets that the producer's words actually reach. See [`crate::summaries`]
//! for the search; here the observation is the set of consumer states after the word so far.
//!
//! Departure from the source (Driscoll, Burton, Reps 2011, §3.4), which determinises and complements an enriched
//! consumer as a visibly pushdown automaton: after enrichment the stack of the consumer is never tested, so it is a
//! finite automaton and no more. The source's way is kept as [`crate::twin`].
//!
//! **Guarantee**: both answers are exact, and a counterexample is among the shortest.

use crate::alphabet::Symbol;
use crate::finite::{Nfa, Stuck};
use crate::recursive::{Label, Machine, ModuleId, StateId};
use crate::summaries::{Costs, Explored, Explorer, Limits, Observer, Step, Stopped, explore, word};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The cost of a run is the length of its word.
pub(crate) const BY_LENGTH: Costs = Costs { silent: 0, emit: 1, enter: 0, leave: 0 };

/// Counterexamples are shown, so their runs end somewhere.
pub(crate) const LONGEST_PATH: usize = 1 << 16;

#[derive(Clone, Debug)]
pub enum Inclusion {
    Included,
    Excluded(Box<Counterexample>),
    Unknown(Stopped),
}

/// A shortest word of the producer that the consumer rejects.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub word: Vec<Symbol>,
    /// The producer's run that emits it.
    pub path: Vec<Step>,
    /// Where the consumer is when it cannot go on, in states of the automaton that was given.
    pub stuck: Stuck,
    /// Whether only the beginning of the word and the path are here, because they are enormous.
    pub truncated: bool,
}

/// Whether the consumer accepts every word of the producer.
pub fn includes(producer: &Machine, consumer: &Nfa) -> Inclusion {
    Checker::new(consumer).includes(producer, &Limits::default())
}

/// A consumer that is asked about several producers; the subsets found for one serve the next.
///
/// Making the consumer deterministic beforehand, also with states ordered by what they accept, was tried for many
/// questions and is no faster: subsets that cover each other prune as much.
pub struct Checker<'a> {
    consumer: &'a Nfa,
    subsets: Subsets,
}

impl<'a> Checker<'a> {
    pub fn new(consumer: &'a Nfa) -> Self {
        Checker { consumer, subsets: Subsets::of(&consumer.trim()) }
    }

    pub fn includes(&mut self, producer: &Machine, limits: &Limits<'_>) -> Inclusion {
        let explored = match explore(producer, &mut self.subsets, BY_LENGTH, limits) {
            Ok(explored) => explored,
            Err(stopped) => return Inclusion::Unknown(stopped),
        };
        let Some((path, whole)) = explored.path(producer, LONGEST_PATH) else { return Inclusion::Included };
        let word = word(&path);
        let stuck = self.consumer.stuck(&word);
        Inclusion::Excluded(Box::new(Counterexample { word, path, stuck, truncated: !whole }))
    }

    /// The shortest word over an alphabet that the consumer rejects, if there is one.
    pub fn shortest_rejected(
        &mut self,
        alphabet: &BTreeSet<Symbol>,
        limits: &Limits<'_>,
    ) -> Result<Option<Vec<Symbol>>, Stopped> {
        let mut anything = crate::recursive::Module::new("anything");
        let state = anything.entry;
        alphabet.iter().for_each(|&symbol| anything.add_edge(state, state, Label::Emit(symbol), 0));
        anything.add_exit(state);
        match self.includes(&Machine::new(anything), limits) {
            Inclusion::Included => Ok(None),
            Inclusion::Excluded(found) => Ok(Some(found.word)),
            Inclusion::Unknown(stopped) => Err(stopped),
        }
    }

    /// The accepted shares of the words of length 1, 2, … over an alphabet, up to `length` or the first share below
    /// `least`.
    pub(crate) fn shares(
        &mut self,
        alphabet: &BTreeSet<Symbol>,
        length: usize,
        least: f64,
        limits: &Limits<'_>,
    ) -> Result<Vec<f64>, Stopped> {
        let size = alphabet.len().max(1) as f64;
        let mut shares = Vec::new();
        // The share of the words so far that lead to each subset.
        let mut now = BTreeMap::from([(self.subsets.start(), 1.0)]);
        while shares.len() < length && shares.last().is_none_or(|share| *share >= least) {
            let mut after = BTreeMap::new();
            for (subset, share) in now {
                for &symbol in alphabet {
                    limits.check(after.len())?;
                    *after.entry(self.subsets.step(subset, symbol)).or_insert(0.0) += share / size;
                }
            }
            now = after;
            shares.push(now.iter().filter(|(subset, _)| !self.subsets.rejects(**subset)).map(|(_, share)| share).sum());
        }
        Ok(shares)
    }

    /// A search of this producer that ended without a counterexample, to go on from; nothing if there is one.
    pub(crate) fn searched(
        &mut self,
        producer: &Machine,
        limits: &Limits<'_>,
    ) -> Result<Option<Explorer<'_, Subsets>>, Stopped> {
        let mut search = Explorer::new(producer, &mut self.subsets, BY_LENGTH);
        search.run(limits)?;
        Ok((!search.explored().has_goal()).then_some(search))
    }
}

/// The subsets of an automaton's states that words lead to, built on demand.
///
/// A subset holds only states that accept or have a symbol to read: the others are on the way between those and would
/// make subsets large and different without a difference in what they accept.
pub(crate) struct Subsets {
    silent: Vec<Vec<u32>>,
    loud: Vec<HashMap<Symbol, Vec<u32>>>,
    accepting: Vec<bool>,
    initial: Vec<u32>,
    sets: Vec<Rc<[u32]>>,
    /// The states of all subsets together.
    members: usize,
    number: HashMap<Rc<[u32]>, u32>,
    steps: HashMap<(u32, Symbol), u32>,
    /// When each state was last visited, to find closures without clearing a set each time.
    visited: Vec<u32>,
    visit: u32,
}

impl Subsets {
    /// The automaton should be trimmed: then the empty set is the only one that accepts nothing.
    fn of(nfa: &Nfa) -> Self {
        let mut silent = vec![Vec::new(); nfa.states];
        let mut loud = vec![HashMap::<Symbol, Vec<u32>>::new(); nfa.states];
        for arc in &nfa.arcs {
            let to = arc.to.index() as u32;
            match arc.symbol {
                None => silent[arc.from.index()].push(to),
                Some(symbol) => loud[arc.from.index()].entry(symbol).or_default().push(to),
            }
        }
        let mut accepting = vec![false; nfa.states];
        nfa.accepting.iter().for_each(|state| accepting[state.index()] = true);
        Subsets {
            silent,
            loud,
            accepting,
            initial: nfa.initial.iter().map(|state| state.index() as u32).collect(),
            sets: Vec::new(),
            members: 0,
            number: HashMap::new(),
            steps: HashMap::new(),
            visited: vec![0; nfa.states],
            visit: 0,
        }
    }

    /// Whether a word that leads to this subset is rejected.
    fn rejects(&self, subset: u32) -> bool {
        self.sets[subset as usize].iter().all(|&state| !self.accepting[state as usize])
    }

    /// The subset after one more symbol.
    fn step(&mut self, now: u32, symbol: Symbol) -> u32 {
        if let Some(&known) = self.steps.get(&(now, symbol)) {
            return known;
        }
        let from = self.sets[now as usize].iter();
        let to = from.filter_map(|&state| self.loud[state as usize].get(&symbol)).flatten().copied().collect();
        let after = self.intern(to);
        self.steps.insert((now, symbol), after);
        after
    }

    /// Whether a word is rejected.
    pub(crate) fn rejects_word(&mut self, word: &[Symbol]) -> bool {
        let start = self.start();
        let end = word.iter().fold(start, |now, &symbol| self.step(now, symbol));
        self.rejects(end)
    }

    /// The number of the closure of these states.
    fn intern(&mut self, mut open: Vec<u32>) -> u32 {
        if self.visit == u32::MAX {
            self.visited.fill(0);
            self.visit = 0;
        }
        self.visit += 1;
        let mut set = Vec::new();
        while let Some(state) = open.pop() {
            let index = state as usize;
            if std::mem::replace(&mut self.visited[index], self.visit) != self.visit {
                if self.accepting[index] || !self.loud[index].is_empty() {
                    set.push(state);
                }
                open.extend(&self.silent[index]);
            }
        }
        set.sort_unstable();
        let set: Rc<[u32]> = set.into();
        if let Some(&known) = self.number.get(&set) {
            return known;
        }
        let number = u32::try_from(self.sets.len()).expect("subsets should stay below the limit of items");
        self.members += set.len();
        self.sets.push(set.clone());
        self.number.insert(set, number);
        number
    }
}

impl Observer for Subsets {
    fn start(&mut self) -> u32 {
        self.intern(self.initial.clone())
    }

    fn emit(&mut self, now: u32, symbol: Symbol, _: u32) -> Option<u32> {
        Some(self.step(now, symbol))
    }

    fn enter(&mut self, now: u32, _: u32) -> Option<u32> {
        Some(now)
    }

    fn leave(&mut self, _: u32, _: u32, exit: u32) -> Option<u32> {
        Some(exit)
    }

    fn goal(&mut self, now: u32) -> bool {
        self.rejects(now)
    }

    fn decided(&self, now: u32) -> bool {
        self.sets[now as usize].is_empty()
    }

    fn held(&self) -> usize {
        self.members
    }

    fn covers(&self, covering: u32, covered: u32) -> bool {
        // The fewer states, the more words are rejected.
        let (small, large) = (&self.sets[covering as usize], &self.sets[covered as usize]);
        let mut rest = large.iter();
        small.len() <= large.len() && small.iter().all(|state| rest.any(|other| other == state))
    }
}

/// Follows one word.
struct Along<'a> {
    word: &'a [Symbol],
    /// Whether reading the whole word is what we look for.
    whole: bool,
}

impl Observer for Along<'_> {
    fn start(&mut self) -> u32 {
        0
    }

    fn emit(&mut self, now: u32, symbol: Symbol, _: u32) -> Option<u32> {
        (self.word.get(now as usize) == Some(&symbol)).then_some(now + 1)
    }

    fn enter(&mut self, now: u32, _: u32) -> Option<u32> {
        Some(now)
    }

    fn leave(&mut self, _: u32, _: u32, exit: u32) -> Option<u32> {
        Some(exit)
    }

    fn goal(&mut self, now: u32) -> bool {
        self.whole && now as usize == self.word.len()
    }

    fn covers(&self, _: u32, _: u32) -> bool {
        false
    }
}

fn along(machine: &Machine, word: &[Symbol], whole: bool, limits: &Limits<'_>) -> Result<Explored, Stopped> {
    let costs = Costs { silent: 1, emit: 1, enter: 1, leave: 1 };
    explore(machine, &mut Along { word, whole }, costs, limits)
}

const UNSTOPPED: &str = "without limits nothing should stop the search";

/// The shortest run by which a machine emits exactly this word and is accepted.
pub fn trace(machine: &Machine, word: &[Symbol]) -> Option<Vec<Step>> {
    trace_within(machine, word, &Limits::NONE).expect(UNSTOPPED)
}

/// The same within limits.
pub fn trace_within(machine: &Machine, word: &[Symbol], limits: &Limits<'_>) -> Result<Option<Vec<Step>>, Stopped> {
    let explored = along(machine, word, true, limits)?;
    Ok(explored.path(machine, usize::MAX).map(|(path, _)| path))
}

/// The emit edges that can follow a prefix, as module and edge number, and whether the prefix itself is accepted.
pub fn continuations(machine: &Machine, prefix: &[Symbol]) -> (Vec<(ModuleId, usize)>, bool) {
    let explored = along(machine, prefix, false, &Limits::NONE).expect(UNSTOPPED);
    let mut edges = BTreeSet::new();
    let reached: BTreeSet<(ModuleId, StateId)> = explored.reached_with(prefix.len() as u32).collect();
    for (id, module) in machine.ids().zip(&machine.modules) {
        for (number, edge) in module.edges.iter().enumerate() {
            if matches!(edge.label, Label::Emit(_)) && reached.contains(&(id, edge.from)) {
                edges.insert((id, number));
            }
        }
    }
    (edges.into_iter().collect(), trace(machine, prefix).is_some())
}

impl Machine {
    pub fn accepts(&self, word: &[Symbol]) -> bool {
        trace(self, word).is_some()
    }

    /// A shortest accepted word; nothing when the language is empty.
    pub fn shortest_word(&self) -> Option<Vec<Symbol>> {
        let nothing = Nfa::default();
        match includes(self, &nothing) {
            Inclusion::Excluded(found) => Some(found.word),
            _ => None,
        }
    }
}
