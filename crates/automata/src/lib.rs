//! Languages of message types, and whether one is included in another.
//!
//! A program that writes messages is a [`Machine`]: one [`Module`] per procedure, whose edges emit a message type, call
//! another module or do nothing. A program that reads is the same; to be asked about it becomes an [`Nfa`].

mod alphabet;
pub mod finite;
mod ids;
pub mod inclusion;
pub mod recursive;
pub mod summaries;

pub use alphabet::{Alphabet, Symbol};
pub use finite::Nfa;
pub use inclusion::{Checker, Counterexample, Inclusion, continuations, includes, trace};
pub use recursive::{Edge, Label, Machine, Module, ModuleId, NEVER, StateId, collapsed, regular};
pub use summaries::{Limits, Move, Step, Stopped};
