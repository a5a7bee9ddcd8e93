//! `plumb check-up`: all that can be asked of files one knows nothing about, within a time.
//!
//! A check-up is a plan of command lines that a user could type, worked off on a program that is read once. What the
//! questions share is only time: each gets an equal part of what is left, so that a slow one leaves the others theirs
//! and a quick one leaves them more.

mod listing;
mod phase;
mod plan;

use super::sources::{self, Input as Read};
use super::{Context, check};
use crate::args::CheckUp;
use crate::exit::Exit;
use crate::report::{Failure, Report};
use phase::{Answered, Phase};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Less than this is too short for any question.
const LEAST: Duration = Duration::from_secs(1);

pub fn check_up(args: &CheckUp, context: &Context<'_>) -> Result<Report, Failure> {
    let started = Instant::now();
    context.status_line.say("check-up: reading C");
    let options = sources::options(&args.sources.compile, &args.flags, context.shared)?;
    let loaded = match sources::read("check-up", &args.sources, &options)? {
        Read::Program(loaded) => *loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let front = check::of_program(&args.sources.files, &loaded);
    let front = Phase::of_report("check", plan::check(args), front, started.elapsed());
    let program = Arc::new(loaded.program);
    let questions = plan::plan(args, &program)?;
    let progress = context.status_line.progress();
    progress.count("questions", questions.len() as u64);
    let mut phases = vec![front];
    for (done, question) in questions.iter().enumerate() {
        context.status_line.say(question.shown());
        let left = context.time().saturating_sub(started.elapsed());
        let part = (left / (questions.len() - done) as u32).max(LEAST).min(left);
        phases.push(match context.interrupted.load(Ordering::Relaxed) {
            true => Phase::not_begun(question, "interrupted before it began"),
            false if part < LEAST / 2 => Phase::not_begun(question, "no time was left; --time gives more"),
            false => phase::ask(question, &program, &options, part, context),
        });
        progress.add(1);
    }
    // Some are answered at once, and what they leave of the time is given to those that had too little.
    let short: Vec<usize> = (0..questions.len()).filter(|number| phases[number + 1].lacked_time()).collect();
    progress.count("questions once more", short.len() as u64);
    for (done, &number) in short.iter().enumerate() {
        let question = &questions[number];
        let part = context.time().saturating_sub(started.elapsed()) / (short.len() - done) as u32;
        if !context.interrupted.load(Ordering::Relaxed) && part >= LEAST.max(phases[number + 1].elapsed * 2) {
            context.status_line.say(question.shown());
            let again = phase::ask(question, &program, &options, part, context);
            if again.report.is_some() {
                phases[number + 1] = again;
            }
        }
        progress.add(1);
    }
    let mut report = listing::report(&mut phases, context.shared.verbose);
    report.exit = exit(&phases);
    report.sources = program.sources.clone();
    Ok(report)
}

/// What was found outweighs what stayed open; a bug of ours outweighs both.
fn exit(phases: &[Phase]) -> Exit {
    let of = |answered: Answered| phases.iter().any(|phase| phase.answered == answered);
    let ended = |exit: Exit| phases.iter().any(|phase| phase.exit == exit);
    match () {
        () if of(Answered::Bug) => Exit::Bug,
        () if ended(Exit::Found) => Exit::Found,
        () if ended(Exit::Inconclusive) => Exit::Inconclusive,
        () => Exit::Clean,
    }
}
