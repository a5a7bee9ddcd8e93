//! The VM: runs a program step by step and reports the first thing that C does not define.
//!
//! An [`Image`] is a program made ready, with functions compiled to register bytecode when they are first called
//! ([`compile`]); a [`Machine`] runs it, as often as one likes, on its own frame stack ([`interpret`]) and the
//! object-based [`memory`](crate::memory). What the program does not define comes from a library of models
//! ([`model`]).
//!
//! ```text
//! Program ── Image::new ──► Image ── Machine::new ──► Machine ── run(entry, input, budget, options) ──► Run
//! ```
//!
//! *Guarantee.* A run that ends in a finding has executed an operation that C11 leaves undefined (or an assertion
//! that is false, or an abort), at the place named; evaluation order is the one the program model fixed. A run that
//! ends otherwise behaved as the natively compiled program does, apart from addresses and from what is unspecified.
//! Missed are, besides what [`memory`](crate::memory) lists: violations of strict aliasing and of `restrict`;
//! unsequenced side effects; pointers to locals that outlive one iteration of a loop body; calls through pointers whose
//! type differs from the function's only in what pointers point to; bytes without a value that are copied one at a
//! time, which count as written afterwards; jumps out of a block by `goto`, after which its
//! objects live on until the call returns.
//!
//! *Budgets.* Steps are charged at backward jumps (the number of instructions jumped back over) and calls, so that
//! straight code costs nothing extra; time and the request to stop are looked at every million steps or so.

mod apply;
mod arguments;
mod arithmetic;
mod bytecode;
mod calls;
mod compile;
mod continuation;
mod execute;
mod faults;
mod image;
mod interpret;
mod jumps;
mod leftovers;
mod machine;
pub mod model;
mod run;
mod slow;
mod stop;
mod sync;
mod threads;
mod value;

pub use apply::{Applied, Given};
pub use arithmetic::{convert, is_true};
pub use continuation::{Policy, Suppressed};
pub use faults::FaultSite;
pub use image::Image;
pub use leftovers::Leaks;
pub use machine::Machine;
pub use model::{Argument, Call, Library, LibraryTable, Model, Rest};
pub(crate) use run::PROGRAM;
pub use run::{Options, Run};
pub use stop::Stop;
pub(crate) use sync::{Awaited, LockKind, Tried, Wait};
pub use threads::Schedule;
pub use value::{Class, Value};
