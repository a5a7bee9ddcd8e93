//! One run of a command that is not ours: somebody's viewer or converter, in the sandbox.
//!
//! It runs where the user is, with the user's environment, and may write to one folder only.

use super::child::{Job, Rlimits, Stop, run};
use super::sandbox::Jail;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandEnd {
    Exited(i32),
    /// By a signal.
    Crashed(i32),
    /// It took longer than it may.
    TimedOut,
    /// It wrote more than it may.
    Flooded,
    Cancelled,
}

#[derive(Clone, Debug)]
pub struct CommandRun {
    pub end: CommandEnd,
    pub stdout: Vec<u8>,
}

/// The most that a command may write to its outputs.
const MOST_OUTPUT: u64 = 64 << 20;

/// Runs a command, a program and its arguments. An error means that it could not be started.
pub fn run_command(
    words: &[String],
    stdin: &[u8],
    writable: &Path,
    time: Duration,
    cancel: Option<&AtomicBool>,
) -> io::Result<CommandRun> {
    let Some((program, args)) = words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
    };
    let jail = Jail::new(writable);
    let mut command = Command::new(program);
    command.args(args).env("TMPDIR", writable).env("HOME", writable);
    let job = Job {
        command,
        stdin,
        time,
        output: MOST_OUTPUT,
        processes: None,
        rlimits: Rlimits::default(),
        jail: Some(&jail),
        keep_fd: None,
        cancel,
    };
    let finished = run(job)?;
    let end = match finished.stop {
        Stop::Exited(status) => CommandEnd::Exited(status),
        Stop::Signalled(signal) => CommandEnd::Crashed(signal),
        Stop::Time => CommandEnd::TimedOut,
        Stop::Output | Stop::Processes => CommandEnd::Flooded,
        Stop::Cancelled => CommandEnd::Cancelled,
    };
    Ok(CommandRun { end, stdout: finished.stdout })
}
