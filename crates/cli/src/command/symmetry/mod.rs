//! `plumb symmetry`: do permuted inputs give permuted outputs?

mod asked;
mod listing;
mod program;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{Procedure, Shared, Symmetry};
use crate::parts;
use crate::report::{Failure, Report};
use cfront::preprocess::Options;
use diagnostics::{Deadline, Span};
use ir::{FunctionId, Program};
use replay::Sources;
use std::time::Duration;
use symmetry::conversing::Conversing;
use symmetry::discover::{EngineFactory, Work, discover};
use symmetry::engine::{EngineError, Limits, Method};
use symmetry::mutants::judge;
use symmetry::shape::{Problem, lay_out};
use symmetry::signature::signature;
use symmetry::{Compiled, Config, SymmetryReport, Verdict, build, remembered};

pub use listing::{COUNTS, held, verdict_exit};

pub fn symmetry(args: &Symmetry, context: &Context<'_>) -> Result<Report, Failure> {
    if let Some(command) = &args.exec {
        context.status_line.say("symmetry: asking the program");
        return of_command(args, command, &config(args, context, &context.deadline()));
    }
    context.status_line.say("symmetry: reading C");
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let loaded = match sources::read_files("symmetry", &args.files, &options)? {
        Read::Program(loaded) => loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let mut report = of_program(args, context, &loaded.program, &options)?;
    report.sources = loaded.program.sources;
    Ok(report)
}

fn config<'a>(args: &Symmetry, context: &Context<'_>, deadline: &'a Deadline) -> Config<'a> {
    let limits =
        Limits { deadline, call: Duration::from_secs_f64(args.call_time.min(1e6)), jobs: jobs(context.shared) };
    let method = match args.method {
        Procedure::Orbits => Method::Orbits,
        Procedure::Generators => Method::Generators,
    };
    // With `--each` the files are dealt, and not the domain.
    let part = if args.parts.each.is_some() { None } else { args.parts.shard };
    Config { method, seed: context.shared.seed, limits, remembered: &[], part }
}

pub(super) fn jobs(shared: &Shared) -> usize {
    shared.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
}

fn trouble(why: EngineError) -> Failure {
    let failure = Failure::new(why.to_string());
    match why {
        EngineError::TooManyTuples { .. } => failure.with_help("--random 1000000 tries a million of them"),
        EngineError::Failed(_) => failure,
    }
}

/// Symmetries of a function of a program that is read already.
pub fn of_program(
    args: &Symmetry,
    context: &Context<'_>,
    program: &Program,
    options: &Options,
) -> Result<Report, Failure> {
    let deadline = context.deadline();
    let entry = function(program, args.entry.as_deref())?;
    let signature = signature(program, entry).map_err(Failure::new)?;
    let reasons = remembered(program, entry);
    let config = Config { remembered: &reasons, ..config(args, context, &deadline) };
    let sources = Sources { files: args.files.clone(), options: options.clone() };
    let factory = Compiled { build: build(&sources, args.sanitize, program, entry, &signature), config };
    context.status_line.say(format!("symmetry: calling {}", signature.name));
    let request = asked::request(args)?;
    let span = program.functions[entry].span;
    // A build that is stopped is no mistake of the invocation.
    let is_over = || deadline.is_cancelled();
    if config.part.is_some() && (args.discover || args.mutants) {
        return Err(
            Failure::new("--shard cuts the domain of one relation").with_help("leave --discover and --mutants out")
        );
    }
    if args.discover {
        return match discover(&signature, &request, &factory, &config) {
            Ok((found, notes)) => Ok(listing::discovered(&signature, &found, &notes, span)),
            Err(_) if is_over() => Ok(listing::stopped()),
            Err(why) => Err(trouble(why)),
        };
    }
    let problem = lay_out(signature, request).map_err(Failure::new)?;
    let checked = match check(&factory, &problem, &config) {
        Err(_) if is_over() => return Ok(listing::stopped()),
        other => other?,
    };
    let judged = match &checked.verdict {
        Verdict::Proved { .. } | Verdict::Observed { .. } if args.mutants => {
            context.status_line.say("symmetry: judging mutants");
            let judge = || judge(&problem, &factory.build, options, program, entry, &config);
            Some(super::threads(context.shared)?.install(judge))
        }
        _ => None,
    };
    let (mutants, note) = match judged {
        Some(Err(_)) if is_over() => (None, "note: the mutants were not judged in time\n"),
        Some(judged) => (Some(judged.map_err(trouble)?), ""),
        None => (None, ""),
    };
    let mut report = listing::checked(&problem, &checked, mutants.as_ref(), span, context.shared.verbose);
    report.summary.insert_str(0, note);
    if let Some(shard) = config.part {
        let rest = listing::of_part(&mut report, &problem, &checked, shard);
        report.shard = Some(parts::member(shard, &args.files, rest));
    }
    Ok(report)
}

fn check(factory: &dyn EngineFactory, problem: &Problem, config: &Config<'_>) -> Result<SymmetryReport, Failure> {
    let mut report = None;
    let mut work = |problem: &Problem, engine: &dyn symmetry::engine::Engine| {
        report = Some(symmetry::symmetry(problem, engine, config)?);
        Ok(())
    };
    factory.with(problem.clone(), &mut work).map_err(trouble)?;
    report.ok_or_else(|| Failure::new("nothing was checked"))
}

/// The function to check: the one asked for, or the only one.
fn function(program: &Program, asked: Option<&str>) -> Result<FunctionId, Failure> {
    let mut defined: Vec<(&str, FunctionId)> = program
        .defined_functions()
        .map(|(id, f, _)| (f.name.as_str(), id))
        .filter(|(name, _)| *name != "main")
        .collect();
    if let (None, [(_, only)]) = (asked, &defined[..]) {
        return Ok(*only);
    }
    if asked == Some("main") {
        return Err(Failure::new("`main` cannot be checked: the checking program has one of its own")
            .with_help("--entry takes another function"));
    }
    if asked.is_some() {
        return sources::entry(program, asked);
    }
    defined.sort_unstable();
    let names: Vec<&str> = defined.iter().map(|(name, _)| *name).take(20).collect();
    Err(match names.is_empty() {
        true => Failure::new("the files define no function to check"),
        false => Failure::new("the files define several functions")
            .with_help(format!("--entry takes one of: {}", names.join(", "))),
    })
}

/// The checking of programs in any language.
struct Spoken<'a> {
    words: Vec<String>,
    config: Config<'a>,
}

impl EngineFactory for Spoken<'_> {
    fn with(&self, mut problem: Problem, work: &mut Work<'_>) -> Result<(), EngineError> {
        let mut target = program::Spoken::new(self.words.clone(), self.config.limits);
        let assumption = program::assumption(&problem)?;
        program::learn(&mut problem, &mut target, &*assumption)?;
        let engine = Conversing {
            problem: &problem,
            target: target.into(),
            assumption: &*assumption,
            method: self.config.method,
            limits: self.config.limits,
        };
        work(&problem, &engine)
    }
}

fn of_command(args: &Symmetry, command: &str, config: &Config<'_>) -> Result<Report, Failure> {
    let words = shlex::split(command).filter(|words| !words.is_empty()).ok_or_else(|| {
        Failure::new(format!("--exec '{command}' is not a command")).with_help("give a program and its arguments")
    })?;
    // One process answers; its questions are asked by one thread.
    let config = Config { limits: Limits { jobs: 1, ..config.limits }, ..*config };
    let signature = asked::signature(args)?;
    let request = asked::request(args)?;
    let factory = Spoken { words, config };
    if args.discover {
        let (found, notes) = discover(&signature, &request, &factory, &config).map_err(trouble)?;
        return Ok(listing::discovered(&signature, &found, &notes, Span::NONE));
    }
    let problem = lay_out(signature, request).map_err(Failure::new)?;
    let mut report = None;
    let mut work = |problem: &Problem, engine: &dyn symmetry::engine::Engine| {
        let checked = symmetry::symmetry(problem, engine, &config)?;
        let mut told = listing::checked(problem, &checked, None, Span::NONE, false);
        if let Some(shard) = config.part {
            let rest = listing::of_part(&mut told, problem, &checked, shard);
            told.shard = Some(parts::member(shard, &[], rest));
        }
        report = Some(told);
        Ok(())
    };
    factory.with(problem, &mut work).map_err(trouble)?;
    report.ok_or_else(|| Failure::new("nothing was checked"))
}
