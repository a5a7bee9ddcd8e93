//! What is known on a way through the program.

use exec::ValueType;
use ir::FunctionId;
use smt::TermId;
use std::collections::BTreeMap;

/// What is known on a way that is taken.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// All of these hold: branch conditions, assumptions, claims passed before.
    pub conditions: Vec<TermId>,
    /// What the fresh symbols stand for. For every state there are values of the fresh symbols that satisfy all of
    /// these, whether or not the path is taken.
    pub definitions: Vec<TermId>,
    /// The divisions on the way, which some provers treat as equations.
    pub quotients: Vec<Quotient>,
    /// Every fresh symbol of this way; another use of the way needs others.
    pub fresh: Vec<TermId>,
    /// The answers of `nondet` calls, in order, each with the condition under which the call is made.
    pub answers: Vec<(TermId, TermId)>,
    /// Calls that were not followed into and have come back, in order.
    pub returned: Vec<Returned>,
}

/// A call that has come back: what its names stand for, for whoever knows something of its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returned {
    pub function: FunctionId,
    /// The condition under which the call is made.
    pub when: TermId,
    pub names: BTreeMap<String, (TermId, ValueType)>,
}

/// `dividend == divisor * quotient + remainder` as C defines it, for a divisor that is not zero: the remainder is
/// smaller than the divisor in magnitude and not of the opposite sign of the dividend. All are integers; quotient and
/// remainder are fresh symbols, and the definitions of the path say the same.
#[derive(Clone, Copy, Debug)]
pub struct Quotient {
    pub dividend: TermId,
    pub divisor: TermId,
    pub quotient: TermId,
    pub remainder: TermId,
}
