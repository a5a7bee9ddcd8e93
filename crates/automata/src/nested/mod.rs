//! Nested-word automata: the call structure of a program is part of its words.
//!
//! A nested word is a sequence of letters, each internal, a call or a return; returns match the calls before them. On a
//! return, the automaton sees the state it was in before the matching call (the *call predecessor*). A return without a
//! call takes an initial state as its call predecessor; calls may stay open at the end. This is the model of OpenNWA
//! (E. Driscoll, A. Thakur, T. Reps, "OpenNWA: a nested-word automaton library", 2012).

mod convert;
mod inclusion;
mod text;

pub use inclusion::{NestedCounterexample, NestedInclusion, nested_includes};
pub use text::{ReadError, read};

use crate::alphabet::{Alphabet, Symbol};
use crate::recursive::StateId;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nested {
    /// The states' names; a state's id is its place here.
    pub names: Vec<String>,
    pub initial: Vec<StateId>,
    pub accepting: Vec<StateId>,
    pub internals: Vec<Internal>,
    pub calls: Vec<Call>,
    pub returns: Vec<Return>,
}

/// What a transition reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    /// Nothing; on internal transitions only.
    Epsilon,
    /// Any symbol.
    Any,
    Is(Symbol),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Internal {
    pub from: StateId,
    pub letter: Letter,
    pub to: StateId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    pub from: StateId,
    pub letter: Letter,
    pub to: StateId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Return {
    pub from: StateId,
    /// The state before the matching call.
    pub call: StateId,
    pub letter: Letter,
    pub to: StateId,
}

/// A letter of a nested word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tagged {
    Internal(Symbol),
    Call(Symbol),
    Return(Symbol),
}

impl Tagged {
    pub fn symbol(self) -> Symbol {
        match self {
            Tagged::Internal(symbol) | Tagged::Call(symbol) | Tagged::Return(symbol) => symbol,
        }
    }

    /// As text: `<f` is a call, `f>` a return.
    pub fn show(self, alphabet: &Alphabet) -> String {
        match self {
            Tagged::Internal(symbol) => alphabet.name(symbol).to_string(),
            Tagged::Call(symbol) => format!("<{}", alphabet.name(symbol)),
            Tagged::Return(symbol) => format!("{}>", alphabet.name(symbol)),
        }
    }
}

impl Nested {
    pub fn states(&self) -> usize {
        self.names.len()
    }

    pub fn add_state(&mut self, name: impl Into<String>) -> StateId {
        self.names.push(name.into());
        StateId::new(self.names.len() - 1)
    }

    fn letters(&self) -> impl Iterator<Item = Letter> {
        let internals = self.internals.iter().map(|transition| transition.letter);
        let calls = self.calls.iter().map(|transition| transition.letter);
        internals.chain(calls).chain(self.returns.iter().map(|transition| transition.letter))
    }

    /// The symbols that transitions name, whatever their kind.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.letters().filter_map(|letter| if let Letter::Is(symbol) = letter { Some(symbol) } else { None }).collect()
    }

    /// The symbols that internal transitions name.
    pub fn internal_symbols(&self) -> BTreeSet<Symbol> {
        let letters = self.internals.iter().map(|transition| transition.letter);
        letters.filter_map(|letter| if let Letter::Is(symbol) = letter { Some(symbol) } else { None }).collect()
    }

    pub fn has_any(&self) -> bool {
        self.letters().any(|letter| letter == Letter::Any)
    }

    /// The same automaton with a transition for each symbol of an alphabet in place of those for any symbol.
    pub fn spelled_out(&self, alphabet: &BTreeSet<Symbol>) -> Nested {
        let spelled = |letter: Letter| -> Vec<Letter> {
            if letter == Letter::Any {
                alphabet.iter().map(|&symbol| Letter::Is(symbol)).collect()
            } else {
                vec![letter]
            }
        };
        let internals = self
            .internals
            .iter()
            .flat_map(|at| spelled(at.letter).into_iter().map(|letter| Internal { letter, ..*at }));
        let calls =
            self.calls.iter().flat_map(|at| spelled(at.letter).into_iter().map(|letter| Call { letter, ..*at }));
        let returns =
            self.returns.iter().flat_map(|at| spelled(at.letter).into_iter().map(|letter| Return { letter, ..*at }));
        Nested { internals: internals.collect(), calls: calls.collect(), returns: returns.collect(), ..self.clone() }
    }

    /// The states reached from each state by epsilon transitions, itself included.
    pub(crate) fn closures(&self) -> Vec<Vec<StateId>> {
        let mut out = vec![Vec::new(); self.states()];
        for at in self.internals.iter().filter(|at| at.letter == Letter::Epsilon) {
            out[at.from.index()].push(at.to);
        }
        (0..self.states()).map(|state| crate::finite::spread(self.states(), &[StateId::new(state)], &out)).collect()
    }

    /// Whether a nested word is accepted, by simulation of all runs with their stacks.
    pub fn accepts(&self, word: &[Tagged]) -> bool {
        let closures = self.closures();
        let closed = |state: StateId, stack: &[StateId]| {
            closures[state.index()].iter().map(|&state| (state, stack.to_vec())).collect::<Vec<_>>()
        };
        let reads = |letter: Letter, symbol: Symbol| letter == Letter::Any || letter == Letter::Is(symbol);
        let mut now: BTreeSet<(StateId, Vec<StateId>)> =
            self.initial.iter().flat_map(|&state| closed(state, &[])).collect();
        for &letter in word {
            let mut next = BTreeSet::new();
            for (state, stack) in &now {
                match letter {
                    Tagged::Internal(symbol) => {
                        for at in self.internals.iter().filter(|at| at.from == *state && reads(at.letter, symbol)) {
                            next.extend(closed(at.to, stack));
                        }
                    }
                    Tagged::Call(symbol) => {
                        let mut deeper = stack.clone();
                        deeper.push(*state);
                        for at in self.calls.iter().filter(|at| at.from == *state && reads(at.letter, symbol)) {
                            next.extend(closed(at.to, &deeper));
                        }
                    }
                    Tagged::Return(symbol) => {
                        let shallower = &stack[..stack.len().saturating_sub(1)];
                        let matches =
                            |call: StateId| stack.last().map_or(self.initial.contains(&call), |&top| top == call);
                        for at in self.returns.iter().filter(|at| at.from == *state && reads(at.letter, symbol)) {
                            if matches(at.call) {
                                next.extend(closed(at.to, shallower));
                            }
                        }
                    }
                }
            }
            now = next;
        }
        now.iter().any(|(state, _)| self.accepting.contains(state))
    }
}
