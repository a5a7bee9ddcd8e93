//! What a command has to say, before it is rendered.

use crate::exit::Exit;
use diagnostics::{Finding, SourceMap, Span};
use serde_json::{Map, Value};

/// The answer of one command. Every output format is made from this and nothing else.
pub struct Report {
    pub command: &'static str,
    pub exit: Exit,
    /// The status to leave with instead of that of `exit`: that of the program that was run, or what the user asked for.
    pub status: Option<u8>,
    pub findings: Vec<Finding>,
    /// Whether the text says what was found already, so that the findings are not shown before it.
    pub told: bool,
    /// More about the findings, one for each or none at all.
    pub details: Vec<Detail>,
    /// What build servers list; findings and relations without it.
    pub cases: Vec<Case>,
    /// What was found to hold, in the order it is to be read.
    pub relations: Vec<Relation>,
    /// Resolves the spans of the findings.
    pub sources: SourceMap,
    /// The verb's own part of the JSON document.
    pub result: Map<String, Value>,
    /// The whole document, where it was joined from others; only the time is this run's.
    pub document: Option<Value>,
    /// Of which shard of which run it is the report.
    pub shard: Option<Value>,
    /// The seed of the runs that it was joined from.
    pub seed: Option<u64>,
    /// What a person reads on standard output after the findings; ends with a line break or is empty.
    pub text: String,
    /// Bytes that the analysed program itself wrote, passed through unchanged in text format.
    pub passthrough: Option<Passthrough>,
    /// A closing line for standard error in text format: how it ended.
    pub summary: String,
}

/// What only some verbs know about a finding.
#[derive(Clone, Default)]
pub struct Detail {
    /// Stays the same while lines above it come and go.
    pub fingerprint: Option<String>,
    /// The decisions on the way, oldest first.
    pub path: Vec<(Span, String)>,
    /// It is in the baseline, and does not count.
    pub is_known: bool,
}

/// A test case as build servers count them.
pub struct Case {
    /// The file it is about.
    pub suite: String,
    pub name: String,
    pub state: CaseState,
    pub seconds: f64,
}

pub enum CaseState {
    Passed,
    /// What went wrong, the worst first.
    Failed(Vec<String>),
    Skipped(String),
}

/// A relation that holds, or was observed to hold, at a place.
pub struct Relation {
    /// The place as the user knows it.
    pub location: String,
    pub span: Option<Span>,
    pub kind: &'static str,
    pub text: String,
    pub verdict: &'static str,
}

/// The two streams of a program that was run.
pub struct Passthrough {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Report {
    pub fn new(command: &'static str) -> Report {
        Report {
            command,
            exit: Exit::Clean,
            status: None,
            findings: Vec::new(),
            told: false,
            details: Vec::new(),
            cases: Vec::new(),
            relations: Vec::new(),
            sources: SourceMap::new(),
            result: Map::new(),
            document: None,
            shard: None,
            seed: None,
            text: String::new(),
            passthrough: None,
            summary: String::new(),
        }
    }
}

/// Trouble with the invocation or the surroundings: a message and the next step.
pub struct Failure {
    pub message: String,
    pub help: Option<String>,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), help: None }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }
}
