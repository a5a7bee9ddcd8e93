//! Exact arithmetic for the analyses.
//!
//! - [`nullspace()`]: linear relations among the columns of a tall matrix, modulo primes with exact re-check;
//!   [`rational`] is its slow twin. [`short_kernel`]: the short ones of a wide matrix, by [`lattice`] reduction.
//! - [`polyhedron`]: convex hulls by double description; [`tropical`]: max-plus hulls.
//! - [`Polynomial`], [`Monomial`], [`ideal`], [`factor`]: polynomials in several variables, Gröbner bases, membership,
//!   linear factors.
//! - [`binary_ring`]: linear relations modulo powers of two.
//! - [`permutation`]: permutations and homomorphisms of symmetric groups.

pub mod binary_ring;
mod content;
pub mod echelon;
pub mod factor;
pub mod ideal;
mod kernel;
pub mod lattice;
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
pub use kernel::{ShortKernel, short_kernel};
pub use monomial::{Monomial, count_monomials, largest_degree};
pub use nullspace::{Found, Matrix, Relation, Rows, nullspace, nullspace_within};
pub use polynomial::Polynomial;
