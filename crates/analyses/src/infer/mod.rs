//! Which relations hold among the variables at each location of interest?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, chapter 3 (DIG): run the program on many inputs, take the values of the variables at a location
//! as points, and find the smallest region of each form that holds all points.
//!
//! *Departures*: equations come degree by degree with what follows left out ([`equalities`]); bounds that merely echo
//! the range of the inputs are recognised by widening the range ([`Evidence`]); rounds of loops are counted by ghost
//! variables, so that `b == B * 2^n1` is an equation like any other ([`Role::Ghost`]).
//!
//! *Phases*: locations (where to look, which variables) → inputs and runs (evidence) → one module per form
//! (candidates) → pruning (what follows from the rest goes, the most informative come first).
//!
//! *Guarantee*: every relation reported held of every row seen; its verdict is `observed` and nothing stronger.

pub mod bounds;
pub mod claim;
pub mod congruences;
pub mod deduction;
pub mod disjunctions;
pub mod equalities;
pub mod polyhedra;
pub mod prune;
pub mod relations;
pub mod samples;
pub mod terms;
pub mod traces;
pub mod tropical;
pub mod wording;

pub use relations::{FormConfig, Relations, relations};
pub use samples::{Evidence, Kind, Role, Samples, Variable};

use diagnostics::{Span, Verdict};
use exec::predicate::Predicate;

/// A place of the program, or of a trace file, that is asked about.
#[derive(Clone, Debug)]
pub struct Location {
    /// As the user refers to it: `vtrace1`, a label, `loop at line 12`, `return at line 20`.
    pub name: String,
    /// Unknown for traces that come from a file.
    pub span: Option<Span>,
    pub variables: Vec<Variable>,
    /// Conditions that the program text alone guarantees here: loop guards and branch conditions whose variables have
    /// not changed since.
    pub guards: Vec<Predicate>,
}

/// The shape of a relation, and the name it is chosen by (`--forms`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Form {
    Equality,
    Interval,
    Zone,
    Octagon,
    Polyhedron,
    MaxPlus,
    MinPlus,
    Congruence,
    /// A product of equations that is zero, shown as its cases.
    Disjunction,
}

impl Form {
    pub const ALL: [Form; 9] = [
        Form::Equality,
        Form::Interval,
        Form::Zone,
        Form::Octagon,
        Form::Polyhedron,
        Form::MaxPlus,
        Form::MinPlus,
        Form::Congruence,
        Form::Disjunction,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Form::Equality => "equality",
            Form::Interval => "interval",
            Form::Zone => "zone",
            Form::Octagon => "octagon",
            Form::Polyhedron => "polyhedron",
            Form::MaxPlus => "max-plus",
            Form::MinPlus => "min-plus",
            Form::Congruence => "congruence",
            Form::Disjunction => "disjunction",
        }
    }

    /// Whether it is looked for unless `--forms` says otherwise.
    pub fn is_default(self) -> bool {
        self != Form::Polyhedron
    }
}

/// A relation that held of everything seen at a location.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub form: Form,
    /// Over the names of the location's variables.
    pub predicate: Predicate,
    pub verdict: Verdict,
}

/// What was found at one location.
#[derive(Clone, Debug)]
pub struct LocationReport {
    pub location: Location,
    /// How often the location was visited, repetitions included.
    pub visits: u64,
    /// Distinct rows.
    pub samples: usize,
    /// The most informative first.
    pub invariants: Vec<Invariant>,
    /// What was cut short or left out, in whole sentences.
    pub notes: Vec<String>,
}

/// What was found, location by location in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct InferReport {
    pub locations: Vec<LocationReport>,
    /// Runs of the program that counted.
    pub runs: u64,
    /// Runs that an assumption excluded.
    pub excluded: u64,
    /// What concerns the whole search.
    pub notes: Vec<String>,
}
