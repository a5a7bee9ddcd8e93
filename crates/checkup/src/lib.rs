//! What is wrong with a project, and what does it promise?
//!
//! *Question*: I have C files and no specification. What goes wrong in them, where, and with which input? What do the
//! functions need of their callers, and what do they give?
//!
//! A check-up asks the other verbs, of every function, what they can be asked without being told anything, and says first
//! what matters. It spends its time where it pays: every function gets a cheap look before any gets a deep one.
//!
//! ```text
//! Project ── programs ──▶ linked programs ── stages ──▶ answers ── summary ──▶ Report { findings, preconditions, facts, open, … }
//! ```
//!
//! ```no_run
//! let project = checkup::Project::of_files(&["rle.c".into()], &[]).expect("C files should make a project");
//! let report = checkup::checkup(&checkup::Config::new(project));
//! for finding in &report.findings {
//!     println!("{}: {} with {}", finding.place, finding.message, finding.input);
//! }
//! ```
//!
//! | file | what |
//! |---|---|
//! | [`project`], [`database`], [`folder`], [`settings`] | which files there are, how they are compiled and linked |
//! | [`capture`] | a build recorded by wrapping its compilers |
//! | `programs` | units read and linked; what cannot be read |
//! | `stages` | which question is asked when, how deep, and for how long |
//! | `asking` | one question about one function |
//! | [`assumptions`] | what callers respect, where the project says so |
//! | `judgement` | whether a fault is a mistake of the program or something that callers owe |
//! | `summary` | from answers to findings, and why questions stayed open; parts of a check-up joined |
//! | `workers` | threads that work off a list within a time |
//! | [`cache`] | answers of earlier runs, by what they are about |
//!
//! *Guarantee*: a finding was shown by a run, with an input that the program must stand ([`Class::Bug`]); what only a
//! search believes, or callers owe, is never called one. The searches are bounded by effort before they are bounded by
//! time, so that what was asked is answered alike whatever the number of threads; how many questions there was time for
//! depends on the machine. *Absent*: nothing here prints or decides about an exit status.
//!
//! *Cost*: at most [`Config::time`], and less than half a second for what is in the middle of something then.

mod asking;
pub mod assumptions;
pub mod cache;
pub mod capture;
pub mod database;
pub mod folder;
mod judgement;
mod programs;
pub mod project;
pub mod report;
pub mod settings;
mod stages;
mod summary;
mod workers;

pub use project::{Link, Project, ProjectError, Unit};
pub use report::{
    Answer, Class, Confirmation, Ended, Fact, Fault, FileReport, FunctionReport, Harm, OpenGroup, Place, Question,
    Reason, Remark, Report,
};
pub use summary::{NotParts, joined};

use cfront::preprocess::Options;
use diagnostics::{Progress, Shard, SourceMap, Span};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What is checked up, and how much it may cost.
#[derive(Clone, Debug)]
pub struct Config {
    pub project: Project,
    /// Functions to start with; without any, those that are called from outside.
    pub entries: Vec<String>,
    /// Names of functions and files that are left alone; `*` stands for anything.
    pub exclude: Vec<String>,
    /// What callers respect.
    pub assumptions: Vec<assumptions::Assumption>,
    /// Files whose functions, and those that call them, are asked about; all without it.
    pub changed: Option<Vec<PathBuf>>,
    /// The part of the functions that is asked about; all without it.
    pub shard: Option<Shard>,
    pub time: Duration,
    pub threads: usize,
    pub seed: u64,
    /// How files are preprocessed, their flags aside.
    pub options: Options,
    /// Where answers are kept.
    pub cache: Option<PathBuf>,
    /// Raised when a person asks for the end.
    pub interrupted: Arc<AtomicBool>,
    /// Where to tell how much of the time is spent.
    pub progress: Progress,
}

impl Config {
    pub fn new(project: Project) -> Config {
        Config {
            project,
            entries: Vec::new(),
            exclude: Vec::new(),
            assumptions: Vec::new(),
            changed: None,
            shard: None,
            time: Duration::from_secs(60),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 1,
            options: Options::default(),
            cache: None,
            interrupted: Arc::default(),
            progress: Progress::default(),
        }
    }
}

/// Asks all that can be asked of a project within the time.
pub fn checkup(config: &Config) -> Report {
    let started = Instant::now();
    let kept = config.cache.as_ref().map(|folder| cache::Cache::new(folder, config));
    if let Some(report) = kept.as_ref().and_then(cache::Cache::whole_report) {
        return report;
    }
    let deadline = started + config.time;
    let is_over = || config.interrupted.load(std::sync::atomic::Ordering::Relaxed) || Instant::now() >= deadline;
    let programs = programs::read(&config.project, &config.options, &config.entries, &is_over);
    let stages::Asked { linked, answers } = stages::ask_all(config, programs.linked, started, kept.as_ref());
    let mut report = summary::report(config, &linked, programs.files, answers);
    report.notes.extend(programs.notes);
    if let Some(cache) = &kept {
        cache.keep_report(&report, &linked);
    }
    report
}

/// Where a reader meets a span.
fn place(sources: &SourceMap, span: Span) -> Option<Place> {
    let region = sources.used(span)?;
    Some(Place {
        file: sources.file(region.start.file).path.clone(),
        line: region.start.line,
        column: region.start.column,
        end_line: region.end.line,
        end_column: region.end.column,
    })
}
