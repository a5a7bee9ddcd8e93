//! Symbolic execution: values and memory as terms of the solver, and what each construct of the program does to them.
//!
//! | file | what |
//! |---|---|
//! | [`number`] | C's integer arithmetic on terms, over unbounded integers or bit-vectors |
//! | [`operators`] | where operators are undefined, on terms, and their values on bit-vectors |
//! | [`floating`] | C's floating arithmetic on terms, IEEE 754 or over the reals |
//! | [`objects`] | the objects of a program, frame by frame, and the cells their values are kept in |
//! | [`pointers`] | which pointers lead into one known object |
//! | [`state`] | the values of all cells on one way, and what is known on that way ([`Path`]) |
//! | [`evaluate`] | expressions to terms |
//! | [`access`] | lvalues and pointers, reading and writing scalars |
//! | [`assign`] | what statements without control flow do to the state |
//! | [`library`] | what a call of a library function may change |
//! | [`targets`] | places that a user names, marked in a copy of the program |
//! | [`explore`] | path by path: which inputs take a program where |
//!
//! *Guarantee*: every evaluation that has no undefined behaviour is an evaluation of the terms, for some choice of the
//! fresh symbols. What the model does not cover is a fresh value, and a write to an unknown place makes every cell
//! fresh that it may reach. Ranges of types are used to leave out wrapping that does nothing: the range of an `int` is
//! known because a value outside of it would have been undefined behaviour.
//!
//! *Departures from the machine*: in [`Ints::Math`] signed integers are unbounded, and with [`Floats::Real`] floating values
//! are real numbers. Both are noted as assumptions where they matter ([`Notes`]).

pub mod access;
pub mod assign;
pub mod evaluate;
pub mod explore;
pub mod floating;
pub mod library;
pub mod number;
pub mod objects;
pub mod operators;
pub mod path;
pub mod pointers;
pub mod state;
pub mod targets;

pub use assign::{copy_object, zero_object};
pub use evaluate::{Check, Checks, Evaluation, Operation, Value};
pub use floating::Floating;
pub use number::{Number, Range};
pub use objects::{CellId, FrameId, Holds, ObjectId, Objects, Owner, Place};
pub use path::{Path, Quotient, Returned};
pub use pointers::Flow;
pub use state::{Notes, State};

/// What the integers of the program are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Ints {
    /// Signed integers are unbounded, assuming that no signed operation overflows; unsigned ones wrap.
    #[default]
    Math,
    /// Bit-vectors of the width of their type.
    Machine,
}

/// What the floating values of the program are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Floats {
    /// IEEE 754, as the machine computes.
    #[default]
    Exact,
    /// Real numbers: rounding, infinities and NaN are left out of account.
    Real,
}
