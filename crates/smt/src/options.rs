//! What a solver is asked to spend, and how it should go about it.

use crate::dump::Dump;
use std::sync::Arc;
use std::time::Duration;

/// Limits of one check. Without limits a check may run forever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock limit. Results near it depend on the machine's load.
    pub timeout: Option<Duration>,
    /// Limit in Z3's own units of work: deterministic, some millions per second.
    pub resources: Option<u32>,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Budget = Budget { timeout: None, resources: None };

    /// A wall-clock limit alone.
    pub fn millis(millis: u64) -> Self {
        Budget { timeout: Some(Duration::from_millis(millis)), resources: None }
    }

    /// A deterministic limit alone.
    pub fn resources(units: u32) -> Self {
        Budget { timeout: None, resources: Some(units) }
    }

    /// The same with a wall-clock limit added.
    #[must_use]
    pub fn and_millis(self, millis: u64) -> Self {
        Budget { timeout: Some(Duration::from_millis(millis)), ..self }
    }
}

/// A fragment that Z3 has a tuned procedure for.
///
/// A query outside the fragment is answered `Unknown` or solved anyway; it is not answered wrongly,
/// since satisfiable answers are re-evaluated and leaving theories out only loses refutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are those of SMT-LIB.
pub enum Logic {
    QfLia,
    QfLra,
    QfNia,
    QfNra,
    QfBv,
    QfAbv,
    QfAufbv,
    QfAuflia,
    QfUfnia,
    QfFpbv,
}

impl Logic {
    /// The name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            Logic::QfLia => "QF_LIA",
            Logic::QfLra => "QF_LRA",
            Logic::QfNia => "QF_NIA",
            Logic::QfNra => "QF_NRA",
            Logic::QfBv => "QF_BV",
            Logic::QfAbv => "QF_ABV",
            Logic::QfAufbv => "QF_AUFBV",
            Logic::QfAuflia => "QF_AUFLIA",
            Logic::QfUfnia => "QF_UFNIA",
            Logic::QfFpbv => "QF_FPBV",
        }
    }
}

/// How Z3 goes about a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Z3 looks at the query and chooses; truly incremental.
    #[default]
    Default,
    /// The procedure tuned for a fragment.
    Logic(Logic),
    /// Cylindrical algebraic decomposition for nonlinear reals (`qfnra-nlsat`).
    Nlsat,
}

/// How a [`Solver`](crate::Solver) is set up. `Options::default()` has no limits.
#[derive(Clone, Default)]
pub struct Options {
    /// Limits of each check.
    pub budget: Budget,
    /// Procedure to use.
    pub strategy: Strategy,
    /// Seed of Z3's random choices.
    pub seed: u32,
    /// Where every query is written before it is solved.
    pub dump: Option<Arc<dyn Dump>>,
    /// What the query is about; part of the dump's file names.
    pub label: String,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("budget", &self.budget)
            .field("strategy", &self.strategy)
            .field("seed", &self.seed)
            .field("dump", &self.dump.is_some())
            .field("label", &self.label)
            .finish()
    }
}
