//! What plumb knows about a C file, in an editor: a server of the Language Server Protocol.
//!
//! The server is a door like the command line: it analyses nothing. What it shows is read from the JSON documents that the
//! commands print (`docs/json.md`); who runs the commands is told by an [`Analyst`]. So a command that learns something new
//! shows it here as soon as its document says it, and the tests of this crate can play any analysis.
//!
//! | what | file |
//! |---|---|
//! | messages, one by one, and those that are none | `wire.rs` |
//! | texts of open files, positions in them | `text.rs` |
//! | where functions begin and end, and what an answer about one depends on | `outline.rs` |
//! | questions in the background | `jobs.rs` |
//! | answers, kept by what they depend on | `answers.rs` |
//! | requests and notifications | `server.rs` |
//! | what of an answer is shown where | `show/` |
//!
//! *Never blocks*: the thread that reads messages only looks things up. Every question is asked by a worker, of a copy of the
//! text; an edit cancels the questions whose answers it makes worthless and no others.
//!
//! *Guarantee*: an answer is shown only for the text it was given for: a function's answers are kept as long as its own
//! text, that of the functions it mentions and everything outside of functions stay the same, and move with its lines.

mod answers;
mod jobs;
mod outline;
mod server;
mod show;
mod text;
mod wire;

use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use server::{Ended, serve};
pub use wire::{Incoming, Outgoing, Wire};

/// A file as the editor has it, which may differ from what is stored.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// The compiler's flags.
    pub flags: Vec<String>,
}

/// What is asked of a file, or of one of its functions.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Question {
    /// Can it be read, and what is in it?
    Check,
    /// Does anything go wrong, on any input?
    Prove(String),
    /// What holds at its loops and returns? With the annotations that say so.
    Infer(String),
    /// Which inputs take its branches?
    Reach(String),
    /// Does the order of its inputs matter?
    Symmetry(String),
    /// The file with what holds as assertions.
    Assertions(String),
    /// The small edit that makes the tests in this file pass.
    Repair(PathBuf),
}

impl Question {
    /// The function it is about.
    pub fn function(&self) -> Option<&str> {
        match self {
            Question::Check | Question::Repair(_) => None,
            Question::Prove(name)
            | Question::Infer(name)
            | Question::Reach(name)
            | Question::Symmetry(name)
            | Question::Assertions(name) => Some(name),
        }
    }

    /// The command line that asks it, without the file: the verb and its flags.
    pub fn words(&self) -> Vec<String> {
        let (verb, flags): (&str, &[&str]) = match self {
            Question::Check => ("check", &[]),
            Question::Prove(_) => ("prove", &["--overflow"]),
            Question::Infer(_) => ("infer", &["--emit", "acsl"]),
            Question::Reach(_) => ("reach", &["--all-branches"]),
            Question::Symmetry(_) => ("symmetry", &["--discover"]),
            Question::Assertions(_) => ("infer", &["--emit", "c-assert"]),
            Question::Repair(_) => ("repair", &[]),
        };
        let entry = self.function().map(|name| ["--entry", name]);
        let words = std::iter::once(verb).chain(flags.iter().copied()).chain(entry.into_iter().flatten());
        let tests = match self {
            Question::Repair(tests) => Some(format!("--tests={}", tests.display())),
            _ => None,
        };
        words.map(str::to_string).chain(tests).collect()
    }

    /// For people.
    fn shown(&self) -> String {
        match self.function() {
            Some(name) => format!("{} of {name}", self.words()[0]),
            None => self.words().swap_remove(0),
        }
    }
}

/// Who runs the commands.
pub trait Analyst: Send + Sync {
    /// The JSON document that answers the question about this text within so many seconds. It names the file by the
    /// path of the buffer. When `cancel` is raised nobody waits for it any more. An error is a sentence for the user.
    fn ask(
        &self,
        buffer: &Buffer,
        question: &Question,
        seconds: f64,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Value, String>;
}
