//! One run of a command that is not ours: somebody's viewer or converter, in the sandbox.
//!
//! It runs where the user is and may write to one folder only. It sees installed programs, the folder we are in and
//! what its words name; of the user's environment it gets what decides where programs find their parts.

use sandbox::{Job, Limits, Own, Policy, Start, Stop, environment, run};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
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

/// The most that a command may write to its outputs, and how many processes it may have.
const MOST_OUTPUT: u64 = 64 << 20;
const MOST_PROCESSES: u32 = 256;

/// Runs a command, a program and its arguments. An error means that it could not be started.
pub fn run_command(
    words: &[String],
    stdin: &[u8],
    writable: &Path,
    time: Duration,
    cancel: Option<&AtomicBool>,
) -> io::Result<CommandRun> {
    let mut start = start_of(words)?;
    start.folder = std::env::current_dir().ok();
    start.view.own = Own::Folder(writable.to_path_buf());
    start.environment.extend([("TMPDIR".into(), writable.into()), ("HOME".into(), writable.into())]);
    let job = Job { start, stdin, time, output: MOST_OUTPUT, processes: Some(MOST_PROCESSES), memory: None, cancel };
    let finished = run(job)?;
    let end = match finished.stop {
        Stop::Exited(status) => CommandEnd::Exited(status),
        Stop::Signalled(signal) => CommandEnd::Crashed(signal),
        Stop::Time => CommandEnd::TimedOut,
        Stop::Output | Stop::Processes | Stop::Memory => CommandEnd::Flooded,
        Stop::Cancelled => CommandEnd::Cancelled,
    };
    Ok(CommandRun { end, stdout: finished.stdout })
}

/// The start of a command that the user names, which sees what its words name.
pub(super) fn start_of(words: &[String]) -> io::Result<Start<'static>> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
    };
    let mut start = Start::new(Policy::Command, OsStr::new(program))?;
    start.arguments = arguments.iter().map(OsString::from).collect();
    start.environment = environment::for_command();
    start.limits = Limits { descriptors: 4096, ..Limits::default() };
    if let Ok(here) = std::env::current_dir() {
        start.view.show(&here);
    }
    if let Some(folder) = start.program.parent() {
        let folder = folder.to_path_buf();
        start.view.show(&folder);
    }
    for word in arguments {
        // An argument may name a file behind a flag: `--input=file`.
        for part in [word.as_str(), word.split_once('=').map_or("", |(_, value)| value)] {
            if part.contains('/') && Path::new(part).exists() {
                start.view.show(Path::new(part));
            }
        }
    }
    Ok(start)
}
