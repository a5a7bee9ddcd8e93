//! Running programs in the VM, which watches every step.
//!
//! It takes an [`Input`] and gives an [`Outcome`]. How a run can end is one enum, [`Ending`], in which "we
//! have no model of this" and "the budget ran out" are cases of their own, never mixed up with what the program did.

pub mod coverage;
pub mod format;
pub mod given;
pub mod libc;
pub mod memory;
pub mod outcome;
pub mod snapshot;
pub mod trace;
pub mod vm;

pub use given::Given;
pub use logic::{Scalar, ValueType, Variable, parse_integer};
pub use outcome::{Budget, Ending, Folder, Input, Limit, Outcome};
pub use trace::{Point, PointId, Recorder, Row, Trace};
