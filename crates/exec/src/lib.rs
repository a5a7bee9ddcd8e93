//! Running programs: in the VM, which watches every step, and natively, in a sandboxed child.
//!
//! Both engines take an [`Input`] and give an [`Outcome`]. How a run can end is one enum, [`Ending`], in which "we
//! have no model of this" and "the budget ran out" are cases of their own, never mixed up with what the program did.

pub mod coverage;
pub mod explore;
pub mod format;
pub mod libc;
pub mod memory;
pub mod native;
pub mod outcome;
pub mod predicate;
pub mod snapshot;
pub mod symbolic;
pub mod trace;
pub mod vm;

pub use outcome::{Budget, Ending, Input, Limit, Outcome, Scalar, parse_integer};
pub use trace::{Point, PointId, Recorder, Row, Trace, ValueType, Variable};
