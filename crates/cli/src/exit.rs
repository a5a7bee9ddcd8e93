//! The exit statuses of the command line, as scripts see them.

/// What `plumb` tells its caller. The numbers are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Asked, answered, nothing wrong.
    Clean = 0,
    /// Something was found: undefined behaviour, a refuted claim, an incompatibility.
    Found = 1,
    /// Bad invocation, or input that cannot be read.
    BadInput = 2,
    /// No answer: a budget ran out or something has no model.
    Inconclusive = 3,
    /// Nothing was asked: the program claims nothing that could be proved.
    Nothing = 4,
    /// Our bug.
    Bug = 101,
    /// Stopped from outside; what was known by then is printed.
    Interrupted = 130,
}

impl Exit {
    /// Why a run stopped, for the `stopped` member of the JSON document.
    pub fn stopped(self) -> &'static str {
        match self {
            Exit::Clean | Exit::Found => "done",
            Exit::BadInput => "bad-input",
            Exit::Inconclusive => "inconclusive",
            Exit::Nothing => "nothing-to-prove",
            Exit::Bug => "bug",
            Exit::Interrupted => "interrupted",
        }
    }
}
