//! Does a claim hold on every run?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, §3.5 (KIP).

mod calls;
pub mod encode;
mod globals;
pub mod graph;
mod show;
pub mod system;

pub use encode::{Encoding, encode};
pub use system::{Cut, CutId, Obligation, Path, Property, PropertyId, PropertyKind, Quotient, System, Transition};
