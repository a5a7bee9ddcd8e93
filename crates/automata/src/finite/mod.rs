//! Finite automata with silent edges.

pub(crate) mod deterministic;

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

    /// The same language without states that are unreachable or cannot reach an accepting state.
    pub fn trim(&self) -> Nfa {
        let (mut out, mut back) = (vec![Vec::new(); self.states], vec![Vec::new(); self.states]);
        for arc in &self.arcs {
            out[arc.from.index()].push(arc.to);
            back[arc.to.index()].push(arc.from);
        }
        let forward = spread(self.states, &self.initial, &out);
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
        let mut arcs: Vec<Arc> = self
            .arcs
            .iter()
            .filter_map(|arc| Some(Arc { from: number[arc.from.index()]?, to: number[arc.to.index()]?, ..*arc }))
            .filter(|arc| arc.symbol.is_some() || arc.from != arc.to)
            .collect();
        arcs.sort_unstable();
        arcs.dedup();
        Nfa { states, initial: kept(&self.initial), accepting: kept(&self.accepting), arcs }
    }

    /// Whether the word is accepted, by simulation.
    pub fn accepts(&self, word: &[Symbol]) -> bool {
        let out = self.successors();
        let mut now = self.closed_under(&out, self.initial.iter().copied());
        for &symbol in word {
            let next = now.iter().flat_map(|state| &out[state.index()]).filter(|arc| arc.symbol == Some(symbol));
            now = self.closed_under(&out, next.map(|arc| arc.to));
        }
        now.iter().any(|state| self.accepting.contains(state))
    }

    /// The arcs that leave each state.
    fn successors(&self) -> Vec<Vec<Arc>> {
        let mut out = vec![Vec::new(); self.states];
        self.arcs.iter().for_each(|arc| out[arc.from.index()].push(*arc));
        out
    }

    fn closed_under(&self, out: &[Vec<Arc>], start: impl Iterator<Item = StateId>) -> BTreeSet<StateId> {
        let mut all: BTreeSet<StateId> = start.collect();
        let mut open: Vec<StateId> = all.iter().copied().collect();
        while let Some(state) = open.pop() {
            let silent = out[state.index()].iter().filter(|arc| arc.symbol.is_none());
            open.extend(silent.map(|arc| arc.to).filter(|&to| all.insert(to)));
        }
        all
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
        let live: BTreeSet<StateId> = spread(self.states, &self.accepting, &back).into_iter().collect();
        let out = self.successors();
        let living = |states: BTreeSet<StateId>| states.intersection(&live).copied().collect::<BTreeSet<_>>();
        let mut states = living(self.closed_under(&out, self.initial.iter().copied()));
        let mut position = 0;
        for &symbol in word {
            let read = states.iter().flat_map(|state| &out[state.index()]).filter(|arc| arc.symbol == Some(symbol));
            let next = living(self.closed_under(&out, read.map(|arc| arc.to)));
            if next.is_empty() {
                break;
            }
            states = next;
            position += 1;
        }
        let from_here = states.iter().flat_map(|state| &out[state.index()]).filter(|arc| live.contains(&arc.to));
        let expected: BTreeSet<(Symbol, u32)> = from_here.filter_map(|arc| Some((arc.symbol?, arc.tag))).collect();
        let may_end = self.accepting.iter().any(|state| states.contains(state));
        let (states, expected) = (states.into_iter().collect(), expected.into_iter().collect());
        Stuck { position, states, expected, may_end }
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
