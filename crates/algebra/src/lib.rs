//! Exact arithmetic for the analyses.
//!
//! - [`nullspace()`]: linear relations among the columns of a tall matrix, modulo primes with exact re-check;
//!   [`rational`] is its slow twin.
//! - [`polyhedron`]: convex hulls by double description; [`tropical`]: max-plus hulls.
//! - [`Polynomial`], [`Monomial`], [`ideal`], [`factor`]: polynomials in several variables, Gröbner bases, membership,
//!   linear factors.
//! - [`permutation`]: permutations and homomorphisms of symmetric groups.

mod content;
pub mod echelon;
pub mod factor;
pub mod ideal;
mod monomial;
mod nullspace;
pub mod permutation;
pub mod polyhedron;
mod polynomial;
pub mod prime;
pub mod rational;
pub mod reconstruct;
pub mod tropical;

pub use content::{content, gcd};
pub use monomial::{Monomial, largest_degree};
pub use nullspace::{Found, Matrix, Relation, Rows, nullspace, nullspace_within};
pub use polynomial::Polynomial;
