//! Between nested-word automata, recursive state machines and finite automata; enrichment.

use super::{Call, Internal, Letter, Nested, Return};
use crate::alphabet::Symbol;
use crate::finite::Nfa;
use crate::recursive::{Edge, Label, Machine, Module, ModuleId, NEVER, StateId};
use std::collections::{BTreeMap, BTreeSet};

/// What a tag of a machine made from a nested-word automaton stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Note {
    Internal,
    Call {
        call: Symbol,
        back: Option<Symbol>,
    },
    /// A return that matches no call.
    Return,
}

impl Nested {
    /// A machine as a nested-word automaton: calls and returns read these symbols, whoever is called.
    pub fn of_machine(machine: &Machine, call: Symbol, back: Symbol) -> Nested {
        let mut nested = Nested::default();
        let mut offset = Vec::new();
        let called_again = |edge: &Edge| matches!(edge.label, Label::Call { module, .. } if module == machine.main);
        // An exit of main accepts only when nobody has called main. If somebody can, the outermost main is a copy.
        let copies_main = machine.modules.iter().flat_map(|module| &module.edges).any(called_again);
        let copies = machine.ids().chain(copies_main.then_some(machine.main));
        let copies: Vec<ModuleId> = copies.collect();
        for (copy, &id) in copies.iter().enumerate() {
            let module = machine.module(id);
            offset.push(nested.states());
            let prefix = if copy < machine.modules.len() { "" } else { "start:" };
            (0..module.states).for_each(|state| _ = nested.add_state(format!("{prefix}{}:{state}", module.name)));
        }
        let at = |copy: usize, state: StateId| StateId::new(offset[copy] + state.index());
        let start = if copies_main { copies.len() - 1 } else { machine.main.index() };
        nested.initial.push(at(start, machine.module(machine.main).entry));
        nested.accepting.extend(machine.module(machine.main).exits.iter().map(|&exit| at(start, exit)));
        for (copy, &id) in copies.iter().enumerate() {
            let module = machine.module(id);
            nested.accepting.extend(module.ends.iter().map(|&end| at(copy, end)));
            for edge in &module.edges {
                let (from, to) = (at(copy, edge.from), at(copy, edge.to));
                match edge.label {
                    Label::Silent => nested.internals.push(Internal { from, letter: Letter::Epsilon, to }),
                    Label::Emit(symbol) => nested.internals.push(Internal { from, letter: Letter::Is(symbol), to }),
                    Label::Call { module: called, exit } => {
                        let callee = machine.module(called);
                        let entry = at(called.index(), callee.entry);
                        nested.calls.push(Call { from, letter: Letter::Is(call), to: entry });
                        if exit != NEVER {
                            let last = at(called.index(), callee.exits[exit as usize]);
                            nested.returns.push(Return { from: last, call: from, letter: Letter::Is(back), to });
                        }
                    }
                }
            }
        }
        nested.accepting.sort_unstable();
        nested.accepting.dedup();
        nested.calls.sort_unstable();
        nested.calls.dedup();
        nested.returns.sort_unstable();
        nested.returns.dedup();
        nested
    }

    /// The words without their call structure, as a machine: one module for each state that calls lead to, and one for
    /// the outermost level; the states of each are those of the automaton. Transitions for any symbol must have been
    /// [spelled out](Nested::spelled_out).
    pub fn to_machine(&self) -> Machine {
        let (mut machine, notes) = self.with_notes();
        for edge in machine.modules.iter_mut().flat_map(|module| &mut module.edges) {
            if notes[edge.tag as usize] == Note::Return {
                edge.label = Label::Silent;
            }
        }
        machine
    }

    /// The machine, with the meaning of its tags. Returns without calls are emit edges of the outermost module.
    pub(super) fn with_notes(&self) -> (Machine, Vec<Note>) {
        assert!(!self.has_any(), "transitions for any symbol should have been spelled out before");
        let mut notes = vec![Note::Internal];
        let mut numbers = BTreeMap::new();
        let mut tag = |note: Note| {
            *numbers.entry(note).or_insert_with(|| {
                notes.push(note);
                notes.len() as u32 - 1
            })
        };
        let entries: BTreeSet<StateId> = self.calls.iter().map(|call| call.to).collect();
        let module_of: BTreeMap<StateId, ModuleId> =
            entries.iter().enumerate().map(|(number, &entry)| (entry, ModuleId::new(number + 1))).collect();
        let exits: BTreeSet<StateId> = self.returns.iter().map(|at| at.from).collect();
        let exits: Vec<StateId> = exits.into_iter().collect();

        let mut edges = Vec::new();
        for at in &self.internals {
            let label = if let Letter::Is(symbol) = at.letter { Label::Emit(symbol) } else { Label::Silent };
            edges.push(Edge { from: at.from, to: at.to, label, tag: 0 });
        }
        let is = |letter: Letter| if let Letter::Is(symbol) = letter { Some(symbol) } else { None };
        for at in &self.calls {
            let (module, call) = (module_of[&at.to], is(at.letter).expect("a call should read a symbol"));
            let mut comes_back = false;
            for back in self.returns.iter().filter(|back| back.call == at.from) {
                comes_back = true;
                let exit = exits.binary_search(&back.from).expect("every returning state is an exit") as u32;
                let tag = tag(Note::Call { call, back: is(back.letter) });
                edges.push(Edge { from: at.from, to: back.to, label: Label::Call { module, exit }, tag });
            }
            if !comes_back {
                let tag = tag(Note::Call { call, back: None });
                edges.push(Edge { from: at.from, to: at.from, label: Label::Call { module, exit: NEVER }, tag });
            }
        }
        let mut main = Module::new("outermost");
        main.states = self.states() + 1;
        main.entry = StateId::new(self.states());
        main.ends = self.accepting.clone();
        main.edges = edges.clone();
        main.edges.extend(self.initial.iter().map(|&to| Edge { from: main.entry, to, label: Label::Silent, tag: 0 }));
        let unmatched = self.returns.iter().filter(|at| self.initial.contains(&at.call));
        for at in unmatched {
            let label = Label::Emit(is(at.letter).expect("a return should read a symbol"));
            main.edges.push(Edge { from: at.from, to: at.to, label, tag: tag(Note::Return) });
        }
        let mut machine = Machine::new(main);
        for &entry in &entries {
            machine.add_module(Module {
                name: self.names[entry.index()].clone(),
                states: self.states(),
                entry,
                exits: exits.clone(),
                ends: self.accepting.clone(),
                edges: edges.clone(),
            });
        }
        (machine, notes)
    }

    /// What is left of an enriched automaton when the call structure is taken out of its words: calls and returns are
    /// silent, and returns go to any caller.
    pub fn collapse(&self) -> Nfa {
        let mut nfa = Nfa {
            states: self.states(),
            initial: self.initial.clone(),
            accepting: self.accepting.clone(),
            arcs: Vec::new(),
        };
        for at in &self.internals {
            let symbol = if let Letter::Is(symbol) = at.letter { Some(symbol) } else { None };
            nfa.add_arc(at.from, at.to, symbol, 0);
        }
        self.calls.iter().for_each(|at| nfa.add_arc(at.from, at.to, None, 0));
        self.returns.iter().for_each(|at| nfa.add_arc(at.from, at.to, None, 0));
        nfa
    }

    /// The enrichment of the source (Driscoll, Burton, Reps 2011, definition 3.2): calls and returns may be put in
    /// anywhere and left out anywhere, so that differences in call structure do not matter.
    pub fn enrich(&self, calls: &BTreeSet<Symbol>, returns: &BTreeSet<Symbol>) -> Nested {
        let mut rich = self.clone();
        let states: Vec<StateId> = (0..self.states()).map(StateId::new).collect();
        for &p in &states {
            rich.calls.extend(calls.iter().map(|&symbol| Call { from: p, letter: Letter::Is(symbol), to: p }));
            for &q in &states {
                let back = |&symbol: &Symbol| Return { from: p, call: q, letter: Letter::Is(symbol), to: p };
                rich.returns.extend(returns.iter().map(back));
            }
        }
        let skipped_calls = self.calls.iter().map(|at| (at.from, at.to));
        let skipped = skipped_calls.chain(self.returns.iter().map(|at| (at.from, at.to)));
        rich.internals.extend(skipped.map(|(from, to)| Internal { from, letter: Letter::Epsilon, to }));
        rich
    }
}

impl From<&Nfa> for Nested {
    fn from(nfa: &Nfa) -> Nested {
        let letter = |symbol: Option<Symbol>| symbol.map_or(Letter::Epsilon, Letter::Is);
        Nested {
            names: (0..nfa.states).map(|state| state.to_string()).collect(),
            initial: nfa.initial.clone(),
            accepting: nfa.accepting.clone(),
            internals: nfa
                .arcs
                .iter()
                .map(|arc| Internal { from: arc.from, letter: letter(arc.symbol), to: arc.to })
                .collect(),
            ..Nested::default()
        }
    }
}
