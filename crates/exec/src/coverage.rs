//! Which statements a run executed, and which way its conditions went.
//!
//! One bit per statement and two per condition, by the dense ids of the program model. Sets of several runs merge by
//! union, so the coverage of a test suite is the union over its runs.

use ir::{EntityRef, FunctionId, Program, StmtId};

/// A set of statements of one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: u32) -> Bits {
        Bits(vec![0; (count as usize).div_ceil(64)])
    }

    #[inline]
    fn insert(&mut self, index: u32) {
        self.0[index as usize / 64] |= 1 << (index % 64);
    }

    fn contains(&self, index: u32) -> bool {
        self.0.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Whether anything is new.
    fn merge(&mut self, other: &Bits) -> bool {
        let mut new = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            new |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FunctionCoverage {
    executed: Bits,
    taken: Bits,
    not_taken: Bits,
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
            executed: Bits::new(function.stmt_count),
            taken: Bits::new(function.stmt_count),
            not_taken: Bits::new(function.stmt_count),
        });
        Coverage { functions: functions.collect() }
    }

    #[inline]
    pub(crate) fn execute(&mut self, function: FunctionId, stmt: u32) {
        self.functions[function.index()].executed.insert(stmt);
    }

    #[inline]
    pub(crate) fn branch(&mut self, function: FunctionId, stmt: u32, outcome: bool) {
        let covered = &mut self.functions[function.index()];
        if outcome { covered.taken.insert(stmt) } else { covered.not_taken.insert(stmt) }
    }

    /// Whether the statement was begun.
    pub fn executed(&self, function: FunctionId, stmt: StmtId) -> bool {
        self.functions[function.index()].executed.contains(stmt.index() as u32)
    }

    /// Whether the condition of an `if` or a loop was once found to be `outcome`.
    pub fn went(&self, function: FunctionId, stmt: StmtId, outcome: bool) -> bool {
        let covered = &self.functions[function.index()];
        let bits = if outcome { &covered.taken } else { &covered.not_taken };
        bits.contains(stmt.index() as u32)
    }

    /// Adds what another run of the same program covered; tells whether anything was new.
    pub fn merge(&mut self, other: &Coverage) -> bool {
        let mut new = false;
        for (mine, theirs) in self.functions.iter_mut().zip(&other.functions) {
            new |= mine.executed.merge(&theirs.executed);
            new |= mine.taken.merge(&theirs.taken);
            new |= mine.not_taken.merge(&theirs.not_taken);
        }
        new
    }

    /// The number of statements executed, in all functions.
    pub fn statements(&self) -> u32 {
        self.functions.iter().map(|covered| covered.executed.len()).sum()
    }

    /// The number of outcomes of conditions seen, in all functions.
    pub fn outcomes(&self) -> u32 {
        self.functions.iter().map(|covered| covered.taken.len() + covered.not_taken.len()).sum()
    }
}
