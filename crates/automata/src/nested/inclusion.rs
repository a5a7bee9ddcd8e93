//! Is every nested word of one automaton a nested word of another, call structure included?
//!
//! The consumer's determinisation is built on demand. Its states are relations: pairs of a state at the entry of the
//! current call and a state now; at a return the relation of the callee is joined with the caller's (R. Alur,
//! P. Madhusudan, "Adding nesting structure to words", 2009). The search is that of [`crate::summaries`]; smaller
//! relations cover larger ones with the same entry.
//!
//! Departure: the entry of a callee's relation is the state after the call, not before it, so that callers in
//! different states share what is found about a callee.

use super::convert::Note;
use super::{Letter, Nested, Tagged};
use crate::alphabet::Symbol;
use crate::recursive::StateId;
use crate::summaries::{Costs, Limits, Move, Observer, Stopped, explore};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

const LONGEST_PATH: usize = 1 << 20;

#[derive(Clone, Debug)]
pub enum NestedInclusion {
    Included,
    Excluded(NestedCounterexample),
    Unknown(Stopped),
}

/// A shortest nested word of the producer that the consumer rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedCounterexample {
    pub word: Vec<Tagged>,
    /// The producer's state after each letter.
    pub path: Vec<StateId>,
    /// How many letters the consumer can read.
    pub position: usize,
    /// Where it then is.
    pub stuck: Vec<StateId>,
    /// What it could read there.
    pub expected: Vec<Tagged>,
    /// Whether the message could have ended there.
    pub may_end: bool,
}

/// Whether the consumer accepts every nested word of the producer. A transition for any symbol stands for the symbols
/// that either of them names.
pub fn nested_includes(producer: &Nested, consumer: &Nested, limits: &Limits<'_>) -> NestedInclusion {
    let alphabet: BTreeSet<Symbol> = producer.symbols().union(&consumer.symbols()).copied().collect();
    let (producer, consumer) = (producer.spelled_out(&alphabet), consumer.spelled_out(&alphabet));
    let (machine, notes) = producer.with_notes();
    let mut relations = Relations::new(&consumer, notes.clone());
    let costs = Costs { silent: 0, emit: 1, enter: 1, leave: 1 };
    let explored = match explore(&machine, &mut relations, costs, limits) {
        Ok(explored) => explored,
        Err(stopped) => return NestedInclusion::Unknown(stopped),
    };
    let Some((steps, whole)) = explored.path(&machine, LONGEST_PATH) else { return NestedInclusion::Included };
    if !whole {
        return NestedInclusion::Unknown(Stopped::OutOfBudget);
    }
    let (mut word, mut path) = (Vec::new(), Vec::new());
    for step in steps {
        let edge = machine.module(step.module).edges[step.edge];
        let (letter, to) = match (step.kind, notes[step.tag as usize]) {
            (Move::Emit(symbol), Note::Return) => (Tagged::Return(symbol), edge.to),
            (Move::Emit(symbol), _) => (Tagged::Internal(symbol), edge.to),
            (Move::Enter, Note::Call { call, .. }) => {
                let crate::Label::Call { module, .. } = edge.label else { continue };
                (Tagged::Call(call), machine.module(module).entry)
            }
            (Move::Leave, Note::Call { back: Some(back), .. }) => (Tagged::Return(back), edge.to),
            _ => continue,
        };
        word.push(letter);
        path.push(to);
    }
    NestedInclusion::Excluded(consumer.explained(word, path))
}

impl Nested {
    /// Follows a rejected word as far as it can be read.
    fn explained(&self, word: Vec<Tagged>, path: Vec<StateId>) -> NestedCounterexample {
        let mut relations = Relations::new(self, Vec::new());
        let mut now = relations.start();
        let mut stack: Vec<(u32, Symbol)> = Vec::new();
        let mut position = 0;
        for &letter in &word {
            let next = match letter {
                Tagged::Internal(symbol) => relations.internal(now, symbol),
                Tagged::Call(symbol) => relations.entered(now, symbol),
                Tagged::Return(symbol) => match stack.last() {
                    Some(&(before, call)) => relations.left(before, call, now, symbol),
                    None => relations.unmatched(now, symbol),
                },
            };
            if relations.sets[next as usize].is_empty() {
                break;
            }
            match letter {
                Tagged::Call(symbol) => stack.push((now, symbol)),
                Tagged::Return(_) => _ = stack.pop(),
                Tagged::Internal(_) => {}
            }
            now = next;
            position += 1;
        }
        let stuck: BTreeSet<StateId> = relations.sets[now as usize].iter().map(|&(_, state)| state).collect();
        let before: BTreeSet<StateId> = match stack.last() {
            Some(&(before, _)) => relations.sets[before as usize].iter().map(|&(_, state)| state).collect(),
            None => self.initial.iter().copied().collect(),
        };
        let is = |letter: Letter| if let Letter::Is(symbol) = letter { Some(symbol) } else { None };
        let here = |state: &StateId| stuck.contains(state);
        let internals =
            self.internals.iter().filter(|at| here(&at.from)).filter_map(|at| is(at.letter).map(Tagged::Internal));
        let calls = self.calls.iter().filter(|at| here(&at.from)).filter_map(|at| is(at.letter).map(Tagged::Call));
        let returns = self.returns.iter().filter(|at| here(&at.from) && before.contains(&at.call));
        let returns = returns.filter_map(|at| is(at.letter).map(Tagged::Return));
        let expected: BTreeSet<Tagged> = internals.chain(calls).chain(returns).collect();
        NestedCounterexample {
            word,
            path,
            position,
            may_end: stuck.iter().any(|state| self.accepting.contains(state)),
            stuck: stuck.into_iter().collect(),
            expected: expected.into_iter().collect(),
        }
    }
}

type Relation = Vec<(StateId, StateId)>;

/// The consumer's determinisation, as far as it was asked for.
struct Relations {
    closures: Vec<Vec<StateId>>,
    initial: Vec<StateId>,
    accepting: BTreeSet<StateId>,
    internals: HashMap<(StateId, Symbol), Vec<StateId>>,
    calls: HashMap<(StateId, Symbol), Vec<StateId>>,
    /// By state, state before the call and symbol.
    returns: HashMap<(StateId, StateId, Symbol), Vec<StateId>>,
    notes: Vec<Note>,
    sets: Vec<Relation>,
    number: HashMap<Relation, u32>,
    emitted: HashMap<(u32, Symbol, bool), u32>,
    entries: HashMap<(u32, Symbol), u32>,
    joined: HashMap<(u32, u32, Symbol, Symbol), u32>,
}

impl Relations {
    /// Symbols must have been spelled out.
    fn new(nested: &Nested, notes: Vec<Note>) -> Self {
        let mut relations = Relations {
            closures: nested.closures(),
            initial: nested.initial.clone(),
            accepting: nested.accepting.iter().copied().collect(),
            internals: HashMap::new(),
            calls: HashMap::new(),
            returns: HashMap::new(),
            notes,
            sets: Vec::new(),
            number: HashMap::new(),
            emitted: HashMap::new(),
            entries: HashMap::new(),
            joined: HashMap::new(),
        };
        for at in &nested.internals {
            if let Letter::Is(symbol) = at.letter {
                relations.internals.entry((at.from, symbol)).or_default().push(at.to);
            }
        }
        for at in &nested.calls {
            if let Letter::Is(symbol) = at.letter {
                relations.calls.entry((at.from, symbol)).or_default().push(at.to);
            }
        }
        for at in &nested.returns {
            if let Letter::Is(symbol) = at.letter {
                relations.returns.entry((at.from, at.call, symbol)).or_default().push(at.to);
            }
        }
        relations
    }

    fn intern(&mut self, pairs: impl IntoIterator<Item = (StateId, StateId)>) -> u32 {
        let mut closed = BTreeSet::new();
        for (entry, state) in pairs {
            closed.extend(self.closures[state.index()].iter().map(|&state| (entry, state)));
        }
        let relation: Relation = closed.into_iter().collect();
        if let Some(&known) = self.number.get(&relation) {
            return known;
        }
        let number = u32::try_from(self.sets.len()).expect("relations should stay below the limit of items");
        self.sets.push(relation.clone());
        self.number.insert(relation, number);
        number
    }

    fn internal(&mut self, now: u32, symbol: Symbol) -> u32 {
        let mut next = Vec::new();
        for &(entry, state) in &self.sets[now as usize] {
            next.extend(self.internals.get(&(state, symbol)).into_iter().flatten().map(|&to| (entry, to)));
        }
        self.intern(next)
    }

    fn unmatched(&mut self, now: u32, symbol: Symbol) -> u32 {
        let mut next = Vec::new();
        for &(entry, state) in &self.sets[now as usize] {
            for &initial in &self.initial {
                next.extend(self.returns.get(&(state, initial, symbol)).into_iter().flatten().map(|&to| (entry, to)));
            }
        }
        self.intern(next)
    }

    fn entered(&mut self, now: u32, call: Symbol) -> u32 {
        let mut next = BTreeSet::new();
        for &(_, state) in &self.sets[now as usize] {
            next.extend(self.calls.get(&(state, call)).into_iter().flatten().map(|&to| (to, to)));
        }
        self.intern(next)
    }

    fn left(&mut self, before: u32, call: Symbol, exit: u32, back: Symbol) -> u32 {
        let mut inside: BTreeMap<StateId, Vec<StateId>> = BTreeMap::new();
        for &(entry, state) in &self.sets[exit as usize] {
            inside.entry(entry).or_default().push(state);
        }
        let mut next = BTreeSet::new();
        for &(entry, state) in &self.sets[before as usize] {
            for target in self.calls.get(&(state, call)).into_iter().flatten() {
                for &last in inside.get(target).into_iter().flatten() {
                    next.extend(self.returns.get(&(last, state, back)).into_iter().flatten().map(|&to| (entry, to)));
                }
            }
        }
        self.intern(next)
    }
}

impl Observer for Relations {
    fn start(&mut self) -> u32 {
        self.intern(self.initial.iter().map(|&state| (state, state)).collect::<Vec<_>>())
    }

    fn emit(&mut self, now: u32, symbol: Symbol, tag: u32) -> Option<u32> {
        let unmatched = self.notes[tag as usize] == Note::Return;
        if let Some(&known) = self.emitted.get(&(now, symbol, unmatched)) {
            return Some(known);
        }
        let after = if unmatched { self.unmatched(now, symbol) } else { self.internal(now, symbol) };
        self.emitted.insert((now, symbol, unmatched), after);
        Some(after)
    }

    fn enter(&mut self, now: u32, tag: u32) -> Option<u32> {
        let Note::Call { call, .. } = self.notes[tag as usize] else { return None };
        if let Some(&known) = self.entries.get(&(now, call)) {
            return Some(known);
        }
        let entry = self.entered(now, call);
        self.entries.insert((now, call), entry);
        Some(entry)
    }

    fn leave(&mut self, before: u32, tag: u32, exit: u32) -> Option<u32> {
        let Note::Call { call, back: Some(back) } = self.notes[tag as usize] else { return None };
        if let Some(&known) = self.joined.get(&(before, exit, call, back)) {
            return Some(known);
        }
        let after = self.left(before, call, exit, back);
        self.joined.insert((before, exit, call, back), after);
        Some(after)
    }

    fn goal(&mut self, now: u32) -> bool {
        self.sets[now as usize].iter().all(|(_, state)| !self.accepting.contains(state))
    }

    fn covers(&self, covering: u32, covered: u32) -> bool {
        let (small, large) = (&self.sets[covering as usize], &self.sets[covered as usize]);
        small.len() <= large.len() && small.iter().all(|pair| large.binary_search(pair).is_ok())
    }
}
