//! Native runs: the user's program compiled by the user's compiler and run in a sandboxed child.
//!
//! ```text
//! Program ── prepare ──▶ Recipe ── compile ──▶ Binary ── run(input, budget) ──▶ Run { outcome, trace, counters, walls, directory }
//! ```
//!
//! A [`Recipe`] names the sources; where probes were inserted it carries the changed text instead of the file's. What
//! is compiled is otherwise the user's own text, with the user's flags. The program is linked with a small runtime
//! (`runtime.c`) that gives the conventions a meaning where the program leaves them undefined (`vassume`,
//! `__VERIFIER_nondet_*`, `reach_error`, …), reports failed assertions, and writes trace rows into shared memory
//! (`channel`).
//!
//! Phases: [`prepare`] inserts the probes that the program's trace points ask for, [`compile`] builds, [`run`](Binary::run) runs; the crate
//! `sandbox` starts and ends the children, and says what they may touch. [`run_command`] runs somebody else's program once. A [`Conversation`] is another kind of run: a program in any
//! language that is kept and answers line by line.
//!
//! *Guarantee.* Whatever the program does — crash, hang, fork, flood its outputs, daemonise — is an [`Outcome`]; when
//! `run` returns, none of its processes is left. An `Err` means that we could not run it at all.
//!
//! *May miss*: memory limits are the kernel's limit on address space, so a program that runs out sees `malloc` fail
//! instead of ending with [`Ending::OutOfBudget`]; places of failed assertions are known only as far as the program
//! reports them, so their findings have no span.
//!
//! [`Outcome`]: exec::Outcome
//! [`Ending::OutOfBudget`]: exec::Ending::OutOfBudget

mod channel;
mod command;
mod compile;
mod converse;
mod prepare;
mod run;
mod sanitizer;
mod sources;

pub use command::{CommandEnd, CommandRun, run_command};
pub use compile::{CompileError, Entry, Outside, Recipe, Source, compile, compile_ahead, object_code};
pub use converse::{Conversation, Silence};
pub use prepare::{
    Marks, NotPrepared, Prepared, Unmarked, Unobserved, Watch, argument_expressions, prepare, prepare_marked,
    prepare_watched, units,
};
pub use run::{ARGV0, Binary, Conditions, Run};
pub use sandbox::{Scratch, hand_over, take_back};
pub use sanitizer::same_in_every_run;
pub use sources::Sources;
