//! Languages of message types, and whether one is included in another.
//!
//! A program that writes messages is a [`Machine`]: one [`Module`] per procedure, whose edges emit a message type, call
//! another module or do nothing. A program that reads is the same; to be asked about it becomes an [`Nfa`].

mod alphabet;
mod dot;
pub mod finite;
pub mod grammar;
pub mod growth;
mod ids;
pub mod inclusion;
pub mod mutation;
pub mod nested;
pub mod recursive;
pub mod regex;
pub mod summaries;
pub mod twin;
pub mod universality;

pub use alphabet::{Alphabet, Symbol};
pub use finite::Nfa;
pub use inclusion::{Checker, Counterexample, Inclusion, continuations, includes, trace};
pub use mutation::{Change, Mutation, mutations};
pub use nested::{Nested, NestedInclusion, Tagged, nested_includes};
pub use recursive::{Edge, Label, Machine, Module, ModuleId, NEVER, StateId, collapsed, regular};
pub use summaries::{Limits, Move, Step, Stopped};
pub use universality::{Breadth, Universality, universality};
