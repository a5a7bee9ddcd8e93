//! Why the machine stops in the middle of things.

use crate::memory::{Fault, OutOfMemory};
use crate::outcome::Limit;
use diagnostics::{Rule, Span};

/// What an instruction or a library model gives instead of a result. The interpreter adds the place and makes an
/// [`Ending`](crate::Ending) of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// Undefined behaviour, or an abort.
    Fault(Box<Fault>),
    /// `exit`: the status as given. Handlers have run and streams are flushed.
    Exit(i32),
    Limit(Limit),
    /// There is no model of what comes next; names it.
    Unsupported(String),
    /// An assumption is false.
    Assumed(Span),
    /// The run was asked to stop.
    Interrupted,
    /// The running thread waits; its call is to be made again when the wait is over.
    Wait(super::sync::Wait),
    /// Another thread is to run; the frames are ready to go on.
    Switch,
    /// The running thread ends, with what it returns.
    EndThread(u64),
    /// `longjmp`, on its way to the call that it returns from.
    Jump(super::jumps::Jump),
}

impl Stop {
    pub fn fault(rule: Rule, message: impl Into<String>) -> Stop {
        Stop::Fault(Fault::new(rule, message))
    }

    pub fn unsupported(what: impl Into<String>) -> Stop {
        Stop::Unsupported(what.into())
    }
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::Limit(Limit::Memory)
    }
}
