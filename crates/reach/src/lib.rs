//! Which input drives execution along this path?
//!
//! [`paths`] answers for paths through programs over abstract data types whose operations are given by rules;
//! [`places`] for labels, lines, assertions and branches of any C program, by symbolic execution.

pub mod paths;
pub mod places;

pub use places::driver::{one_line, replaying_program};
pub use places::faults::{Evidence, FaultsReport, FoundFault, faults};
pub use places::reduction::{
    Case, Hole, KnownCase, Solved, Synthesis, reachability_of, solve as synthesise, synthesis_of,
};
pub use places::replayer::{ObjectKind, Wrong};
pub use places::suite::{Expected, SuiteReport, Test, cover};
pub use places::{Arrival, Config, Counts, Turn, Verdict, word};
