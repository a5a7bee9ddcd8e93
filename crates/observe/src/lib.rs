//! What runs of a program show.
//!
//! ```text
//! Program ── instrument(request) ──▶ Instrumented { program, locations }
//!         ── Generator ──▶ Input … ── run in the VM or compiled ──▶ Observations ── evidence_at ──▶ Evidence
//! ```
//!
//! | file | what |
//! |---|---|
//! | [`locations`], `assigned`, `shown_at` | where to look, and which variables and arrays have a value there |
//! | [`guards`] | conditions that the program text alone guarantees at a place |
//! | [`inputs`], [`harness`] | inputs that an entry can be given, and entries that make arrays |
//! | [`runs`], [`native`], `store` | runs on inputs that keep gaining rows, in the VM or compiled |
//! | [`Refusal`] | why there are no runs |
//! | [`samples`] | the rows of a location as points, near and far |
//!
//! *Guarantee*: a row is what the program's variables were on a run that took no undefined step and broke no assumption.

mod assigned;
pub mod guards;
pub mod harness;
pub mod inputs;
pub mod locations;
pub mod native;
mod refusal;
pub mod runs;
pub mod samples;
mod shown_at;
mod store;

pub use refusal::Refusal;
pub use samples::{Evidence, Kind, Role, Samples, Variable};

use diagnostics::Span;
use logic::Predicate;

/// A place of the program, or of a trace file, that is asked about.
#[derive(Clone, Debug)]
pub struct Location {
    /// As the user refers to it: `vtrace1`, a label, `loop at line 12`, `return at line 20`.
    pub name: String,
    pub kind: LocationKind,
    /// Whether only those visits are looked at where all pointers that the entry is given are valid.
    pub pointers_valid: bool,
    /// Unknown for traces that come from a file.
    pub span: Option<Span>,
    pub variables: Vec<Variable>,
    /// Conditions that the program text alone guarantees here: loop guards and branch conditions whose variables have
    /// not changed since.
    pub guards: Vec<Predicate>,
}

/// What is at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// A trace point of the program's own.
    Trace,
    /// The head of a loop.
    Loop,
    Return,
    /// The end of a function that returns nothing.
    End,
    /// A recursive function is entered.
    Call,
    /// A recursive function is left.
    Result,
    /// A line that the user names.
    Line,
    /// A label that the user names.
    Label,
    /// A point of a file of traces.
    File,
}

impl Location {
    /// A relation among the variables with the user's terms replaced by what they stand for.
    pub fn spelled_out(&self, predicate: &Predicate) -> Predicate {
        let of_user = |name: &str| self.variables.iter().find(|v| v.name == name && v.role == Role::User);
        predicate.substitute(&|name| of_user(name).map(|variable| variable.term.clone()))
    }
}
