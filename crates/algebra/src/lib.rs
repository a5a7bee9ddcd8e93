//! Exact arithmetic for the analyses.
//!
//! - [`nullspace()`]: linear relations among the columns of a tall matrix, modulo primes with exact re-check;
//!   [`rational`] is its slow twin.

pub mod echelon;
mod nullspace;
pub mod prime;
pub mod rational;
pub mod reconstruct;

pub use nullspace::{Matrix, Relation, Rows, nullspace};
