//! One question of a check-up, asked on a thread of its own.
//!
//! A verb stops by itself when its time is over. One that does not, because it is in the middle of something that
//! nobody can stop, is left behind after a while, and so is one that panics: the others still get their time.

use super::plan::Question;
use crate::args::{Cli, Command, Shared};
use crate::command::{Context, infer, prove, reach, run, symmetry};
use crate::exit::Exit;
use crate::report::{Failure, Report};
use crate::status_line::StatusLine;
use cfront::preprocess::Options;
use clap::Parser;
use ir::Program;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long after its time a verb may take to say what it knows.
const GRACE: Duration = Duration::from_millis(1500);
const POLL: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answered {
    /// All that was asked was looked at.
    Done,
    /// Time ran out on the way.
    OutOfTime,
    Interrupted,
    /// It is not a question that can be asked of this function.
    Refused,
    NotBegun,
    Bug,
}

impl Answered {
    pub(super) fn name(self) -> &'static str {
        match self {
            Answered::Done => "done",
            Answered::OutOfTime => "time",
            Answered::Interrupted => "interrupted",
            Answered::Refused => "refused",
            Answered::NotBegun => "not-begun",
            Answered::Bug => "bug",
        }
    }
}

pub(super) struct Phase {
    pub(super) verb: &'static str,
    /// The function that was asked about; the front end is asked about all.
    pub(super) entry: Option<String>,
    pub(super) command: Vec<String>,
    pub(super) answered: Answered,
    pub(super) exit: Exit,
    /// Why there is no full answer.
    pub(super) why: Option<String>,
    /// The verb's own closing line.
    pub(super) closing: String,
    pub(super) elapsed: Duration,
    /// How often each verdict was given.
    pub(super) verdicts: BTreeMap<&'static str, usize>,
    pub(super) report: Option<Report>,
}

impl Phase {
    pub(super) fn of_report(verb: &'static str, command: Vec<String>, report: Report, elapsed: Duration) -> Phase {
        let mut verdicts = BTreeMap::new();
        for relation in &report.relations {
            *verdicts.entry(relation.verdict).or_default() += 1;
        }
        let closing = match (report.summary.lines().last(), report.findings.len()) {
            (Some(line), _) => line.to_string(),
            (None, 0) => String::new(),
            // What the front end finds in a program that it can read are warnings.
            (None, 1) => "1 warning".to_string(),
            (None, n) => format!("{n} warnings"),
        };
        let reason = closing.strip_prefix("inconclusive: ").unwrap_or(&closing);
        let why = (report.exit == Exit::Inconclusive).then(|| reason.to_string());
        let (answered, exit) = (Answered::Done, report.exit);
        Phase { verb, entry: None, command, answered, exit, why, closing, elapsed, verdicts, report: Some(report) }
    }

    fn without(question: &Question, answered: Answered, why: &str, elapsed: Duration) -> Phase {
        Phase {
            verb: question.verb,
            entry: Some(question.entry.clone()),
            command: question.words.clone(),
            answered,
            exit: Exit::Inconclusive,
            why: Some(why.to_string()),
            closing: String::new(),
            elapsed,
            verdicts: BTreeMap::new(),
            report: None,
        }
    }

    /// Whether more time could give more of an answer.
    pub(super) fn lacked_time(&self) -> bool {
        matches!(self.answered, Answered::OutOfTime | Answered::NotBegun)
    }

    pub(super) fn not_begun(question: &Question, why: &str) -> Phase {
        Phase::without(question, Answered::NotBegun, why, Duration::ZERO)
    }
}

/// Asks, and waits for the answer as long as its part of the time allows.
pub(super) fn ask(
    question: &Question,
    program: &Arc<Program>,
    options: &Options,
    part: Duration,
    context: &Context<'_>,
) -> Phase {
    let started = Instant::now();
    // The report of the check-up has a file; the questions have none.
    let shared = Shared { time: part.as_secs_f64(), out: None, verbose: false, ..context.shared.clone() };
    let (words, interrupted) = (question.words.clone(), context.interrupted.clone());
    let (sender, answer) = mpsc::channel();
    let (program, options) = (program.clone(), options.clone());
    let work = move || {
        let given = verb(&words, &shared, &program, options, &interrupted);
        // Nobody listens to an answer that comes too late.
        let _ = sender.send(given);
    };
    if let Err(error) = std::thread::Builder::new().stack_size(crate::STACK).spawn(work) {
        return Phase::without(question, Answered::NotBegun, &format!("no thread: {error}"), started.elapsed());
    }
    let given = wait(&answer, started + part + GRACE, context.interrupted);
    let elapsed = started.elapsed();
    let cut = || match context.interrupted.load(Ordering::Relaxed) {
        true => Answered::Interrupted,
        false => Answered::OutOfTime,
    };
    match given {
        Ok(Ok(report)) => {
            let mut phase = Phase::of_report(question.verb, question.words.clone(), report, elapsed);
            phase.entry = Some(question.entry.clone());
            // A search for relations can always have more to try; the others know when they are done.
            let searches = ["infer", "symmetry"].contains(&phase.verb);
            let open = searches || phase.exit == Exit::Inconclusive || phase.verdicts.contains_key("unknown");
            if open && (elapsed >= part || context.interrupted.load(Ordering::Relaxed)) {
                phase.answered = cut();
                phase.why = Some(match phase.answered {
                    Answered::Interrupted => "interrupted".to_string(),
                    _ => over(part),
                });
                phase.exit = if phase.exit == Exit::Clean { Exit::Inconclusive } else { phase.exit };
            }
            phase
        }
        // A build that is cancelled is no refusal.
        Ok(Err(_)) if elapsed >= part || context.interrupted.load(Ordering::Relaxed) => {
            Phase::without(question, cut(), &over(part), elapsed)
        }
        Ok(Err(failure)) => Phase::without(question, Answered::Refused, &failure.message, elapsed),
        Err(RecvTimeoutError::Timeout) => {
            Phase::without(question, cut(), "it did not stop when its time was over", elapsed)
        }
        Err(RecvTimeoutError::Disconnected) => {
            Phase::without(question, Answered::Bug, "a bug in plumb; please report it with the message above", elapsed)
        }
    }
}

fn over(part: Duration) -> String {
    format!("its share of the time, {:.1} s, was over", part.as_secs_f64())
}

/// The answer, if it comes until then; after Ctrl-C there is only a moment left.
fn wait<T>(answer: &mpsc::Receiver<T>, deadline: Instant, interrupted: &AtomicBool) -> Result<T, RecvTimeoutError> {
    let mut deadline = deadline;
    let mut hurried = false;
    loop {
        match answer.recv_timeout(POLL) {
            Err(RecvTimeoutError::Timeout) if Instant::now() < deadline => {}
            other => return other,
        }
        if !hurried && interrupted.load(Ordering::Relaxed) {
            hurried = true;
            deadline = deadline.min(Instant::now() + GRACE);
        }
    }
}

/// The verb's own answer about a program that is read already.
fn verb(
    words: &[String],
    shared: &Shared,
    program: &Program,
    options: Options,
    interrupted: &Arc<AtomicBool>,
) -> Result<Report, Failure> {
    let line = Cli::try_parse_from(words).map_err(|error| Failure::new(error.to_string()))?;
    let context = &Context { shared, interrupted, status_line: &StatusLine::hidden() };
    match &line.command {
        Command::Run(args) => run::of_program(args, context, program, &options),
        Command::Infer(args) => infer::of_program(args, context, program),
        Command::Prove(args) => prove::of_program(args, context, program, options),
        Command::Reach(args) => reach::of_program(args, context, program, options),
        Command::Symmetry(args) => symmetry::of_program(args, context, program, &options),
        other => unreachable!("{other:?} should not be in a plan, because plans ask five verbs"),
    }
}
