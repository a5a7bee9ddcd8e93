//! How a check can end, and the count of how checks did end.

use crate::model::Model;
use crate::term::TermId;
use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

/// The result of a check. `Unknown` is a result of its own and always says why.
#[must_use]
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Satisfiable. The model has been confirmed by our own evaluation of everything asserted.
    Sat(Model),
    /// Not satisfiable.
    Unsat {
        /// Assumptions of this check that suffice for the refutation; empty if none is needed.
        core: Vec<TermId>,
    },
    /// Neither was established.
    Unknown {
        /// The reason.
        why: Why,
    },
}

/// Why a check established nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The wall-clock limit was reached.
    Timeout,
    /// The deterministic limit was reached.
    ResourceLimit,
    /// The procedure cannot decide the query; Z3's words are attached.
    Incomplete(String),
    /// Somebody called [`Interrupter::interrupt`](crate::Interrupter::interrupt) or raised the flag of the pool
    /// ([`TermPool::cancelled_by`](crate::TermPool::cancelled_by)).
    Interrupted,
    /// Z3 says satisfiable, but its model could not be confirmed; the text says what failed.
    UnconfirmedModel(String),
    /// Anything else, in Z3's words.
    Other(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Timeout => f.write_str("the time limit was reached"),
            Why::ResourceLimit => f.write_str("the resource limit was reached"),
            Why::Incomplete(text) => write!(f, "the solver cannot decide it: {text}"),
            Why::Interrupted => f.write_str("interrupted"),
            Why::UnconfirmedModel(text) => write!(f, "the solver's model is not usable: {text}"),
            Why::Other(text) => write!(f, "the solver gave up: {text}"),
        }
    }
}

impl Outcome {
    /// The model, if satisfiable.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Outcome::Sat(model) => Some(model),
            _ => None,
        }
    }

    /// Satisfiable, with a confirmed model.
    pub fn is_sat(&self) -> bool {
        matches!(self, Outcome::Sat(_))
    }

    /// Refuted.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Outcome::Unsat { .. })
    }

    /// Neither.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Outcome::Unknown { .. })
    }
}

/// What a solver has done so far. Add several with `+=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Checks made.
    pub queries: u64,
    /// Of these, satisfiable.
    pub sat: u64,
    /// Of these, refuted.
    pub unsat: u64,
    /// Of these, unknown.
    pub unknown: u64,
    /// Unknown because a model could not be confirmed; included in `unknown`.
    pub unconfirmed: u64,
    /// Terms translated for Z3; a term counts once per solver.
    pub translated: u64,
    /// Wall-clock time inside checks, confirmation included.
    pub time: Duration,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.unconfirmed += other.unconfirmed;
        self.translated += other.translated;
        self.time += other.time;
    }
}
