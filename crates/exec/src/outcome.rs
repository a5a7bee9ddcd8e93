//! What goes into a run and how it ends.

use crate::given::Given;
use diagnostics::{Finding, Span};
use ir::GlobalId;
use logic::Scalar;
use std::path::PathBuf;

/// What a run may depend on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Input {
    /// `argv[0]`, for an entry that is `main`; a fixed name if there is none.
    pub name: Option<String>,
    /// `argv[1..]`, for an entry that is `main`.
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    /// The values of the entry's parameters, for an entry that is not `main`; where there are `arguments`, of those
    /// parameters that are numbers.
    pub params: Vec<Scalar>,
    /// What the entry is given for each parameter, where some are no numbers. The numbers of `params` are among them.
    pub arguments: Vec<Given>,
    /// What globals hold when the entry is called, where that is not their initial value.
    pub globals: Vec<(GlobalId, Given)>,
    /// The answers to `nondet` calls, in the order they are made; when they run out the answer is zero.
    pub nondet: Vec<Scalar>,
    /// What `getenv` finds; native runs have their own environment.
    pub environment: Vec<(String, String)>,
    /// Folders of the host that the program may use. Without any its files live in memory.
    pub folders: Vec<Folder>,
}

/// A folder of the host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Folder {
    pub path: PathBuf,
    pub read_only: bool,
}

/// What a run may use. A run that needs more ends with [`Ending::OutOfBudget`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Steps of the VM: one per IR-level operation. Native runs ignore it.
    pub steps: u64,
    /// Bytes of memory the program may hold at a time.
    pub memory: u64,
    /// Depth of calls. Native runs ignore it and use the stack limit.
    pub depth: u32,
    /// Bytes of output.
    pub output: u64,
    /// Wall-clock milliseconds.
    pub time_ms: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 2_000_000_000, memory: 1 << 30, depth: 20_000, output: 64 << 20, time_ms: 60_000 }
    }
}

/// The part of a [`Budget`] that ran out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    Steps,
    Memory,
    Depth,
    Output,
    Time,
    /// Processes held at a time; only native runs have more than one.
    Processes,
}

/// Every way a run can end.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// `exit`, or a return from `main`: the status as the parent sees it, 0 to 255.
    Exited(i32),
    /// An entry other than `main` returned this value (`None` for `void` and for records).
    Returned(Option<Scalar>),
    /// Undefined behaviour, a failed assertion, an abort: what the program did wrong, and where.
    Faulted(Box<Finding>),
    /// The native child was ended by this signal.
    Killed {
        signal: i32,
    },
    /// An assumption was false, so the run does not count.
    Assumed {
        span: Span,
    },
    OutOfBudget {
        limit: Limit,
        span: Span,
    },
    /// The run came to something the engine has no model of.
    Unsupported {
        what: String,
        span: Span,
    },
    /// The run was asked to stop from outside.
    Interrupted,
}

/// A run, finished.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Steps taken, in the VM; 0 for native runs.
    pub steps: u64,
}
