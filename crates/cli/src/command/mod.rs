//! The commands, one file each: arguments in, a [`Report`](crate::report::Report) out.

pub mod check;
pub mod dump;
pub mod explain;
pub mod infer;
pub mod run;
mod sources;
