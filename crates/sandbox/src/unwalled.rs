//! Tools that the user runs by asking for them: no walls, because they are there to do what the user could type.
//!
//! `git` is asked which files changed, a build is run to see what it compiles, and the parts of a run are started or handed to
//! an engine that starts them. All act for the user on the user's own files; none is ever given text that somebody else wrote.

use crate::run::Stop;
use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a tool said.
#[derive(Clone, Debug)]
pub struct Said {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

const POLL: Duration = Duration::from_millis(10);

/// Runs a tool and reads what it says.
pub fn tool(program: &str, words: &[&str], time: Duration) -> io::Result<Said> {
    let mut child =
        Command::new(program).args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What a stream that breaks has said until then counts.
            stream.map(|mut stream| stream.read_to_end(&mut bytes));
            bytes
        })
    };
    let out = read(stdout.map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let err = read(stderr.map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let stop = wait(&mut child, time)?;
    Ok(Said { stop, stdout: out.join().unwrap_or_default(), stderr: err.join().unwrap_or_default() })
}

/// Runs a build where the user stands, with the user's terminal and some more in its environment.
pub fn build(words: &[String], environment: &[(OsString, OsString)]) -> io::Result<Stop> {
    let Some((program, rest)) = words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no command"));
    };
    let status = Command::new(program).args(rest).envs(environment.iter().cloned()).status()?;
    Ok(stop(status))
}

fn wait(child: &mut Child, time: Duration) -> io::Result<Stop> {
    let deadline = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(stop(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(Stop::Time);
        }
        std::thread::sleep(POLL);
    }
}

fn stop(status: ExitStatus) -> Stop {
    match (status.code(), status.signal()) {
        (Some(code), _) => Stop::Exited(code),
        (None, signal) => Stop::Signalled(signal.unwrap_or(0)),
    }
}
