//! Recursive state machines with several exits: what is inferred from a program.
//!
//! One [`Module`] per procedure. A call edge names the exit by which the callee returns, so that return values can be
//! folded into the control state: `if (read_header() < 0) …` is two call edges, one for each exit of `read_header`.
//!
//! **Words.** A run starts at the entry of `main`. Its word, the symbols of its emit edges, is accepted when
//!
//! - `main`, called by nobody, is at one of its exits (all of them are accepting: failing exits are left out by
//!   whoever builds the machine), or
//! - any module is at one of its `ends`, whatever calls are pending: `exit(0)` deep inside a program.
//!
//! Exits may have outgoing edges, and one state may be several exits.

mod calls;
mod loops;
mod prune;
mod reduce;
mod regular;
mod unroll;

pub use calls::Calls;
pub use loops::Head;
pub use prune::Pruned;
pub use regular::{Regular, collapsed, regular, regular_within};

use crate::alphabet::Symbol;
use crate::ids::id;
use std::collections::BTreeSet;
use std::fmt;

id!(
    /// A procedure of a [`Machine`].
    ModuleId,
    "m"
);
id!(
    /// A state of one module, or of an [`crate::Nfa`].
    StateId,
    "q"
);

/// The exit number of a call that never returns; its edge's target is never reached.
pub const NEVER: u32 = u32::MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    pub modules: Vec<Module>,
    pub main: ModuleId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub states: usize,
    pub entry: StateId,
    /// Exit number `i` is the state `exits[i]`.
    pub exits: Vec<StateId>,
    /// The whole program may end successfully here, with calls pending.
    pub ends: Vec<StateId>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: StateId,
    pub to: StateId,
    pub label: Label,
    /// The client's note, such as a call site. Where edges are merged, the smallest tag stays.
    pub tag: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    Silent,
    Emit(Symbol),
    /// A call that returns by the exit of this number, or never ([`NEVER`]).
    Call {
        module: ModuleId,
        exit: u32,
    },
}

/// What makes a [`Machine`] meaningless; the client built it wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    NoMain(ModuleId),
    NoState { module: String, state: StateId },
    NoModule { module: String, called: ModuleId },
    NoExit { module: String, called: String, exit: u32 },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoMain(main) => write!(f, "there is no module {main}, which should be main"),
            Flaw::NoState { module, state } => write!(f, "{module} has no state {state}"),
            Flaw::NoModule { module, called } => write!(f, "{module} calls {called}, which does not exist"),
            Flaw::NoExit { module, called, exit } => {
                write!(f, "{module} expects exit {exit} of {called}, which has none")
            }
        }
    }
}

impl std::error::Error for Flaw {}

impl Module {
    /// A module with an entry state and nothing else.
    pub fn new(name: impl Into<String>) -> Self {
        Module {
            name: name.into(),
            states: 1,
            entry: StateId::new(0),
            exits: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
        }
    }

    pub fn add_state(&mut self) -> StateId {
        self.states += 1;
        StateId::new(self.states - 1)
    }

    pub fn add_edge(&mut self, from: StateId, to: StateId, label: Label, tag: u32) {
        self.edges.push(Edge { from, to, label, tag });
    }

    /// Makes a state an exit; returns its number.
    pub fn add_exit(&mut self, state: StateId) -> u32 {
        self.exits.push(state);
        self.exits.len() as u32 - 1
    }

    /// The numbers of the edges that leave each state.
    pub fn successors(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.states];
        for (number, edge) in self.edges.iter().enumerate() {
            out[edge.from.index()].push(number);
        }
        out
    }
}

impl Machine {
    /// A machine with an empty `main`.
    pub fn new(main: Module) -> Self {
        Machine { modules: vec![main], main: ModuleId::new(0) }
    }

    pub fn add_module(&mut self, module: Module) -> ModuleId {
        self.modules.push(module);
        ModuleId::new(self.modules.len() - 1)
    }

    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    pub fn ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        (0..self.modules.len()).map(ModuleId::new)
    }

    /// States of all modules.
    pub fn size(&self) -> usize {
        self.modules.iter().map(|module| module.states).sum()
    }

    /// The symbols on emit edges.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let edges = self.modules.iter().flat_map(|module| &module.edges);
        edges.filter_map(|edge| if let Label::Emit(symbol) = edge.label { Some(symbol) } else { None }).collect()
    }

    /// Whether every id names something.
    pub fn validate(&self) -> Result<(), Flaw> {
        if self.main.index() >= self.modules.len() {
            return Err(Flaw::NoMain(self.main));
        }
        for module in &self.modules {
            let ends = module.edges.iter().flat_map(|edge| [edge.from, edge.to]);
            let mut named =
                [module.entry].into_iter().chain(module.exits.iter().copied()).chain(module.ends.iter().copied());
            if let Some(state) = named.by_ref().chain(ends).find(|state| state.index() >= module.states) {
                return Err(Flaw::NoState { module: module.name.clone(), state });
            }
            for edge in &module.edges {
                if let Label::Call { module: called, exit } = edge.label {
                    let Some(callee) = self.modules.get(called.index()) else {
                        return Err(Flaw::NoModule { module: module.name.clone(), called });
                    };
                    if exit != NEVER && exit as usize >= callee.exits.len() {
                        let (module, called) = (module.name.clone(), callee.name.clone());
                        return Err(Flaw::NoExit { module, called, exit });
                    }
                }
            }
        }
        Ok(())
    }

    /// Replaces a symbol by a sequence of symbols, as in `u32 = u8 u8 u8 u8`. All the new edges keep the tag.
    pub fn split(&mut self, symbol: Symbol, into: &[Symbol]) {
        if into == [symbol] {
            return;
        }
        for module in &mut self.modules {
            for number in 0..module.edges.len() {
                if module.edges[number].label != Label::Emit(symbol) {
                    continue;
                }
                let Edge { mut from, to, tag, .. } = module.edges[number];
                let Some((&last, init)) = into.split_last() else {
                    module.edges[number].label = Label::Silent;
                    continue;
                };
                for &part in init {
                    let between = module.add_state();
                    module.add_edge(from, between, Label::Emit(part), tag);
                    from = between;
                }
                module.edges[number] = Edge { from, to, label: Label::Emit(last), tag };
            }
        }
    }
}
