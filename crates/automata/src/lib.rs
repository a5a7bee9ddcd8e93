//! Languages of message types, and whether one is included in another.
//!
//! A program that writes messages is a [`Machine`]: one [`Module`] per procedure, whose edges emit a message type, call
//! another module or do nothing. A program that reads is the same; to be asked about, it becomes an [`Nfa`].
//!
//! ```
//! use automata::{Alphabet, Inclusion, grammar, includes, regular};
//!
//! let mut alphabet = Alphabet::new();
//! let writer = grammar::parse("file = loop ; loop = packet loop? ; packet = bool (double bool)? ;", &mut alphabet)?;
//! let reader = grammar::parse("file = (bool double bool)* ;", &mut alphabet)?;
//! let reader = regular(&reader.machine, 10_000);
//! assert!(reader.is_exact());
//! let Inclusion::Excluded(found) = includes(&writer.machine, &reader.nfa) else { panic!() };
//! assert_eq!(alphabet.show(&found.word), "bool");
//! assert_eq!(found.stuck.expected[0].0, alphabet.intern("double"));
//! # Ok::<(), grammar::Problem>(())
//! ```
//!
//! Which comparison when:
//!
//! - [`includes`]: the writer's calls are followed exactly, the reader is finite. For machines from programs, with
//!   [`regular`] for the reader: exact unless it is recursive, and it says so. Milliseconds.
//! - [`nested_includes`]: the call structure of both is part of their words. When both sides are known to be built the
//!   same way.
//! - [`collapsed`] on both sides: the finite model of the source, with false alarms; for comparison only.
//! - [`twin`]: the source's way in full. Slow, for tests and measurements.
//!
//! Before a comparison a machine is usually [pruned](Machine::prune) and [reduced](Machine::reduce). To find source
//! places, keep the machine as it was made and ask [`trace`] for the run that emits a word, and [`Nfa::stuck`] or
//! [`continuations`] for where a reader stops.

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
pub use inclusion::{Checker, Counterexample, Inclusion, continuations, includes, trace, trace_within};
pub use mutation::{Change, Changes, Mutation, mutations};
pub use nested::{Nested, NestedInclusion, Tagged, nested_includes};
pub use recursive::{Edge, Label, Machine, Module, ModuleId, NEVER, StateId, collapsed, regular, regular_within};
pub use summaries::{Limits, Move, Step, Stopped};
pub use universality::{Breadth, Universality, universality};
