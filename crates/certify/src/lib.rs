//! Does a certificate hold, by a reading of the program that shares nothing with the prover?
//!
//! A certificate of `prove` lists invariants at places and claims that follow from them. The prover's own check asks
//! fresh solvers, but with the prover's transition system and its list of obligations: what those two get wrong, the
//! check gets wrong too. Here the program model is read a second time, by as little code as will do:
//!
//! 1. [`walk`] goes along every way from one place to the next, statement by statement, with values that are terms over
//!    unbounded integers; a call of a function with a body is a walk through its body.
//! 2. [`terms`] says what an operator gives and when it is defined, after the text of [`ir::arith`]: exact, then wrapped
//!    where the type is unsigned, and undefined where a signed result does not fit. A test compares the two.
//! 3. At the end of a way the invariants of the place must follow; on the way, each claim that stands there.
//!
//! Places are the heads of loops and the trace points. At a place nothing is known but the ranges of the types, what
//! nobody ever assigns, and the invariants.
//!
//! *Departures from the prover, on purpose*: no merging of ways, no simplification beforehand, no dropping of anything, no
//! other theory than integers. What is not read (pointers, arrays, floating values, recursion, library functions, bits
//! that are mixed) is named, and then nothing is said about the certificate.
//!
//! *Guarantee*: where it says that a claim is checked, the invariants hold at their places on every run without
//! undefined behaviour, and so does the claim. A rejection has a model: values at a place with which the next step breaks
//! an invariant or a claim. *Cost*: exponential in the branches between two places; [`WAYS`] bounds it.

mod terms;
mod walk;

use diagnostics::Deadline;
use ir::{FunctionId, Program};
use logic::Predicate;

/// Ways between places, of the whole program, after which it is too large for this reading.
pub const WAYS: usize = 4_000;

/// What is certified, as the file says it.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// The name of a place, and what holds there.
    pub invariants: Vec<(String, String)>,
    pub claims: Vec<Claim>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub text: String,
    pub line: u32,
    /// The steps of induction that it needs.
    pub steps: usize,
}

/// How the program was read when it was proved.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Whether globals hold what they are initialised with when the entry starts.
    pub initial_globals: bool,
}

/// What came of the second reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// So many invariants, those at places that are read, are inductive. The claims of these numbers follow from them; of
    /// the others it is said why they were not looked at.
    Checked { invariants: usize, claims: Vec<usize>, others: Vec<(usize, String)> },
    /// Outside of what is read: the construct.
    NotRead(String),
    /// It does not hold, and this is what breaks.
    Rejected(String),
}

/// Reads the program from `entry` and checks what is stated of it.
pub fn certify(
    program: &Program,
    entry: FunctionId,
    statement: &Statement,
    conditions: Conditions,
    deadline: &Deadline,
) -> Reading {
    let mut invariants = Vec::new();
    for (place, text) in &statement.invariants {
        match Predicate::parse(text) {
            Ok(predicate) => invariants.push((place.as_str(), predicate)),
            Err(_) => return Reading::NotRead(format!("the invariant `{text}`")),
        }
    }
    let mut walk = match walk::Walk::new(program, entry, &invariants, statement, conditions, deadline) {
        Ok(walk) => walk,
        Err(stopped) => return stopped.into(),
    };
    match walk.run() {
        Ok(()) => walk.outcome(),
        // What is stated of a place that is not read might have helped.
        Err(Stopped::Rejected(what)) => match walk.unread_place() {
            Some(place) => Reading::NotRead(format!("the place `{place}`")),
            None => Reading::Rejected(what),
        },
        Err(stopped) => stopped.into(),
    }
}

/// Why a walk ends early.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Stopped {
    NotRead(String),
    Rejected(String),
}

impl From<Stopped> for Reading {
    fn from(stopped: Stopped) -> Reading {
        match stopped {
            Stopped::NotRead(what) => Reading::NotRead(what),
            Stopped::Rejected(what) => Reading::Rejected(what),
        }
    }
}
