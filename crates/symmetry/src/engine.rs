//! What can check tuples: the compiled function with a loop around it, or a program that answers line by line.

use super::answer::Answer;
use super::shape::Space;
use algebra::permutation::Permutation;
use diagnostics::{Deadline, Shard};
use exec::Scalar;
use std::fmt;
use std::time::Duration;

/// How the relation is checked on a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// One call for each tuple: every arrangement of a representative is compared with the representative.
    Orbits,
    /// Three calls for each tuple, as in the source: the tuple, and what the two generators make of it.
    Generators,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Tuples of the domain that were looked at.
    pub tuples: u64,
    pub calls: u64,
    pub checks: u64,
    /// Time of the checking alone, the longest of the processes that shared it.
    pub elapsed: Duration,
    /// Processor time of the checking, of the process that used the most.
    pub processor: Duration,
}

impl Tally {
    /// Of work done at the same time.
    pub fn beside(self, other: Tally) -> Tally {
        let (elapsed, processor) = (self.elapsed.max(other.elapsed), self.processor.max(other.processor));
        Tally { elapsed, processor, ..self.then(other) }
    }

    /// Of work done one after the other.
    pub fn then(self, other: Tally) -> Tally {
        Tally {
            tuples: self.tuples + other.tuples,
            calls: self.calls + other.calls,
            checks: self.checks + other.checks,
            elapsed: self.elapsed + other.elapsed,
            processor: self.processor + other.processor,
        }
    }
}

/// What a call did instead of answering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A clause: `it was ended by signal 11 (segmentation fault)`.
    Crashed(String),
    /// It did not answer in time.
    Hung(Duration),
    /// What the sanitizer said.
    Undefined(String),
    /// The answer could not be read.
    Garbage(String),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// p(θ.x) is not Ψ(θ).p(x).
    Violation {
        input: Vec<Scalar>,
        theta: Permutation,
    },
    Fault {
        input: Vec<Scalar>,
        fault: Fault,
    },
}

impl Found {
    pub fn input(&self) -> &[Scalar] {
        match self {
            Found::Violation { input, .. } | Found::Fault { input, .. } => input,
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Search {
    pub tally: Tally,
    pub found: Option<Found>,
    /// Time ran out, or the user stopped it.
    pub stopped: bool,
    /// Something failed at a place that could not be found again; a whole sentence.
    pub lost: Option<String>,
}

/// What went wrong in the surroundings, or with what the user gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// So many that nobody waits for an end; drawing some at random would help.
    TooManyTuples { size: u128 },
    /// Anything else, in words.
    Failed(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::TooManyTuples { size } => {
                write!(f, "the domain has {} tuples, too many to try them all", super::rough(*size))
            }
            EngineError::Failed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<String> for EngineError {
    fn from(what: String) -> EngineError {
        EngineError::Failed(what)
    }
}

impl From<&str> for EngineError {
    fn from(what: &str) -> EngineError {
        EngineError::Failed(what.to_string())
    }
}

/// What of a space is searched, and for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All tuples; what is found is any violation or fault.
    Whole,
    /// In order up to the first violation or fault; the tally is that of the tuples up to it.
    First,
    /// The tuples of one part, which has every so manieth orbit or run of orbits.
    Part(Shard),
}

pub trait Engine: Sync {
    /// Looks for a violation or fault in the tuples of a space.
    fn search(&self, shape: usize, space: &Space, extent: Extent) -> Result<Search, EngineError>;

    /// The same for tuples given one by one; what is found is the first in order.
    fn sample(&self, shape: usize, tuples: &[Vec<Scalar>], method: Method) -> Result<Search, EngineError>;

    /// What the program answers to one input, in a process of its own that was asked nothing before.
    fn alone(&self, shape: usize, input: &[Scalar]) -> Result<Result<Answer, Fault>, EngineError>;

    /// What the program answers to many inputs; `None` from the first on that it did not answer.
    fn answers(&self, shape: usize, inputs: &[Vec<Scalar>]) -> Result<Vec<Option<Answer>>, EngineError>;

    /// Why some call may read what was never written: a clause; nothing if none does, or if nobody can look.
    fn reads_unwritten(&self) -> Option<String>;
}

/// What a check may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    pub deadline: &'a Deadline,
    /// For one call.
    pub call: Duration,
    /// Processes at a time.
    pub jobs: usize,
}
