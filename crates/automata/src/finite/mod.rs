//! Finite automata with silent edges.

pub(crate) mod deterministic;

pub use deterministic::Dfa;

use crate::alphabet::Symbol;
use crate::recursive::StateId;
use std::collections::{BTreeSet, VecDeque};

/// A nondeterministic finite automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nfa {
    pub states: usize,
    pub initial: Vec<StateId>,
    pub accepting: Vec<StateId>,
    pub arcs: Vec<Arc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arc {
    pub from: StateId,
    pub to: StateId,
    /// `None` is silent.
    pub symbol: Option<Symbol>,
    /// The client's note, as on the edges of a machine.
    pub tag: u32,
}

impl Nfa {
    pub fn add_state(&mut self) -> StateId {
        self.states += 1;
        StateId::new(self.states - 1)
    }

    pub fn add_arc(&mut self, from: StateId, to: StateId, symbol: Option<Symbol>, tag: u32) {
        self.arcs.push(Arc { from, to, symbol, tag });
    }

    /// The symbols on arcs.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.arcs.iter().filter_map(|arc| arc.symbol).collect()
    }

    /// The states reached from these without reading anything, sorted, these included.
    pub fn closure(&self, states: &[StateId]) -> Vec<StateId> {
        self.closed(states, false)
    }

    fn closed(&self, states: &[StateId], all_arcs: bool) -> Vec<StateId> {
        let mut out = vec![Vec::new(); self.states];
        for arc in self.arcs.iter().filter(|arc| all_arcs || arc.symbol.is_none()) {
            out[arc.from.index()].push(arc.to);
        }
        spread(self.states, states, &out)
    }

    /// The same language without states that are unreachable or cannot reach an accepting state.
    pub fn trim(&self) -> Nfa {
        let forward = self.closed(&self.initial, true);
        let mut back = vec![Vec::new(); self.states];
        for arc in &self.arcs {
            back[arc.to.index()].push(arc.from);
        }
        let backward = spread(self.states, &self.accepting, &back);
        let mut number = vec![None; self.states];
        let mut states = 0;
        for state in forward {
            if backward.binary_search(&state).is_ok() {
                number[state.index()] = Some(StateId::new(states));
                states += 1;
            }
        }
        let kept = |states: &[StateId]| {
            let kept: BTreeSet<StateId> = states.iter().filter_map(|state| number[state.index()]).collect();
            kept.into_iter().collect()
        };
        let arcs: BTreeSet<Arc> = self
            .arcs
            .iter()
            .filter_map(|arc| Some(Arc { from: number[arc.from.index()]?, to: number[arc.to.index()]?, ..*arc }))
            .filter(|arc| arc.symbol.is_some() || arc.from != arc.to)
            .collect();
        Nfa { states, initial: kept(&self.initial), accepting: kept(&self.accepting), arcs: arcs.into_iter().collect() }
    }

    /// Whether the word is accepted, by simulation.
    pub fn accepts(&self, word: &[Symbol]) -> bool {
        let mut now = self.closure(&self.initial);
        for &symbol in word {
            let next =
                self.arcs.iter().filter(|arc| arc.symbol == Some(symbol) && now.binary_search(&arc.from).is_ok());
            now = self.closure(&next.map(|arc| arc.to).collect::<Vec<_>>());
        }
        now.iter().any(|state| self.accepting.contains(state))
    }
}

/// Where an automaton is when it cannot read on, or may not stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Symbols read before.
    pub position: usize,
    /// The states after those.
    pub states: Vec<StateId>,
    /// What could have been read there and still have led to acceptance: the symbols, each with the tag of its arc.
    pub expected: Vec<(Symbol, u32)>,
    /// Whether the message could have ended there.
    pub may_end: bool,
}

impl Nfa {
    /// The longest prefix of a word that can still be continued to an accepted word, and what is expected after it.
    pub fn stuck(&self, word: &[Symbol]) -> Stuck {
        let mut back = vec![Vec::new(); self.states];
        self.arcs.iter().for_each(|arc| back[arc.to.index()].push(arc.from));
        let live = spread(self.states, &self.accepting, &back);
        let is_live = |state: &StateId| live.binary_search(state).is_ok();
        let living = |states: Vec<StateId>| states.into_iter().filter(is_live).collect::<Vec<_>>();
        let mut states = living(self.closure(&self.initial));
        let mut position = 0;
        for &symbol in word {
            let read = |arc: &&Arc| arc.symbol == Some(symbol) && states.binary_search(&arc.from).is_ok();
            let next: Vec<StateId> = self.arcs.iter().filter(read).map(|arc| arc.to).collect();
            let next = living(self.closure(&next));
            if next.is_empty() {
                break;
            }
            states = next;
            position += 1;
        }
        let from_here = |arc: &&Arc| states.binary_search(&arc.from).is_ok() && is_live(&arc.to);
        let expected: BTreeSet<(Symbol, u32)> =
            self.arcs.iter().filter(from_here).filter_map(|arc| Some((arc.symbol?, arc.tag))).collect();
        let may_end = states.iter().any(|state| self.accepting.contains(state));
        Stuck { position, states, expected: expected.into_iter().collect(), may_end }
    }
}

/// Everything reached from `start` along `out`, sorted.
pub(crate) fn spread(states: usize, start: &[StateId], out: &[Vec<StateId>]) -> Vec<StateId> {
    let mut seen = vec![false; states];
    let mut queue: VecDeque<StateId> = VecDeque::new();
    for &state in start {
        if !std::mem::replace(&mut seen[state.index()], true) {
            queue.push_back(state);
        }
    }
    while let Some(state) = queue.pop_front() {
        for &next in &out[state.index()] {
            if !std::mem::replace(&mut seen[next.index()], true) {
                queue.push_back(next);
            }
        }
    }
    (0..states).filter(|&state| seen[state]).map(StateId::new).collect()
}
