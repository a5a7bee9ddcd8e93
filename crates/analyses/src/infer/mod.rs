//! Which relations hold among the variables at each location of interest?

pub mod equalities;
pub mod samples;

pub use samples::{Kind, Samples, Variable};
