//! Which statements a run executed, and which way its conditions went.
//!
//! One bit per statement and two per condition, by the dense ids of the program model. Sets of several runs merge by
//! union, so the coverage of a test suite is the union over its runs.

use ir::{BitSet, EntityRef, FunctionId, Program, StmtId};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FunctionCoverage {
    executed: BitSet,
    taken: BitSet,
    not_taken: BitSet,
}

/// What one run, or several merged, covered of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    functions: Vec<FunctionCoverage>,
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new(program: &Program) -> Coverage {
        let functions = program.functions.values().map(|function| FunctionCoverage {
            executed: BitSet::empty(function.stmt_count as usize),
            taken: BitSet::empty(function.stmt_count as usize),
            not_taken: BitSet::empty(function.stmt_count as usize),
        });
        Coverage { functions: functions.collect() }
    }

    #[inline]
    pub(crate) fn execute(&mut self, function: FunctionId, stmt: u32) {
        self.functions[function.index()].executed.insert(stmt as usize);
    }

    #[inline]
    pub(crate) fn branch(&mut self, function: FunctionId, stmt: u32, outcome: bool) {
        let covered = &mut self.functions[function.index()];
        let bits = if outcome { &mut covered.taken } else { &mut covered.not_taken };
        bits.insert(stmt as usize);
    }

    /// Whether the statement was begun.
    pub fn executed(&self, function: FunctionId, stmt: StmtId) -> bool {
        self.functions[function.index()].executed.contains(stmt.index())
    }

    /// Whether the condition of an `if` or a loop was once found to be `outcome`.
    pub fn went(&self, function: FunctionId, stmt: StmtId, outcome: bool) -> bool {
        let covered = &self.functions[function.index()];
        let bits = if outcome { &covered.taken } else { &covered.not_taken };
        bits.contains(stmt.index())
    }

    /// Adds what another run of the same program covered; tells whether anything was new.
    pub fn merge(&mut self, other: &Coverage) -> bool {
        let mut new = false;
        for (mine, theirs) in self.functions.iter_mut().zip(&other.functions) {
            new |= mine.executed.join(&theirs.executed);
            new |= mine.taken.join(&theirs.taken);
            new |= mine.not_taken.join(&theirs.not_taken);
        }
        new
    }

    /// The number of statements executed, in all functions.
    pub fn statements(&self) -> u32 {
        self.functions.iter().map(|covered| covered.executed.len() as u32).sum()
    }

    /// The number of outcomes of conditions seen, in all functions.
    pub fn outcomes(&self) -> u32 {
        self.functions.iter().map(|covered| (covered.taken.len() + covered.not_taken.len()) as u32).sum()
    }
}
