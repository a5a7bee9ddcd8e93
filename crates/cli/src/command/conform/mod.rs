//! `plumb conform`: does the reader accept all that the writer can write?

pub(crate) mod io;
mod listing;
pub(crate) mod table;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{Automaton, Conform, Granularity};
use crate::place::Place;
use crate::report::{Failure, Report};
use automata::Alphabet;
use automata::grammar::{self, Spec};
use cfront::Loaded;
use cfront::preprocess::Options;
use conform::{Approach, Config, Counterexample, Input, Io, Level, Refusal, Role, Runnable, Validation, Verdict};
use diagnostics::{Finding, Rule, SourceMap, Span};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A side as it was read.
enum Side {
    Program(Box<Loaded>),
    Spec(Box<Spec>, Alphabet, String),
    /// Not given, which only `--list-io` allows.
    Absent,
}

pub fn conform(args: &Conform, context: &Context<'_>) -> Result<Report, Failure> {
    let deadline = context.deadline();
    context.status_line.say("conform: reading both sides");
    if let [producer, consumer] = &args.automata[..] {
        return automata_files(producer, consumer, !args.no_enrich, args.emit.is_some(), &deadline.cancel);
    }
    // A project may say once which calls read and write.
    let settings =
        ::checkup::settings::read(Path::new("")).map_err(|error| Failure::new(error.message).with_help(error.help))?;
    let io_file = args.io.clone().or(settings.conform.io);
    let (mut said, macros) = match &io_file {
        Some(path) => io::read(path)?,
        None => (Io::default(), io::Macros::default()),
    };
    if let Some(path) = &args.io_sites {
        table::read(path, &mut said)?;
    }
    let mut options = sources::options(&args.compile, &args.flags, context.shared)?;
    options.keep_macros.extend(macros.keep);
    options.replace_macros = macros.replace;
    let producer = match side(Role::Producer, &args.producer, args.producer_spec.as_deref(), args.list_io, &options)? {
        Ok(side) => side,
        Err(report) => return Ok(*report),
    };
    let consumer = match side(Role::Consumer, &args.consumer, args.consumer_spec.as_deref(), args.list_io, &options)? {
        Ok(side) => side,
        Err(report) => return Ok(*report),
    };
    let programs: Vec<&ir::Program> = [&producer, &consumer]
        .into_iter()
        .filter_map(|side| if let Side::Program(loaded) = side { Some(&loaded.program) } else { None })
        .collect();
    io::check_names(&said, &programs).map_err(|why| {
        let file = io_file.as_ref().map_or(String::new(), |path| format!("{}: ", path.display()));
        Failure::new(format!("{file}{why}"))
    })?;
    if args.list_io {
        return list(&producer, &consumer, &mut said);
    }
    let config = Config {
        io: said,
        approach: match (args.no_enrich, args.model) {
            (true, _) => Approach::Nested,
            (_, Automaton::Finite) => Approach::Finite,
            (_, Automaton::Pushdown) => Approach::Pushdown,
        },
        values: args.values,
        separator: args.separator,
        level: args.granularity.map(|level| match level {
            Granularity::Types => Level::Types,
            Granularity::Bytes => Level::Bytes,
            Granularity::Bits => Level::Bits,
        }),
        deadline,
        ..Config::default()
    };
    context.status_line.say("conform: comparing the two languages");
    let mut found = conform::conform(input(&producer), input(&consumer), &config).map_err(Failure::new)?;
    let whole = [Role::Producer, Role::Consumer].iter().all(|role| config.io.side(*role).entry.is_none());
    let mut refused_in_runs = None;
    if let (Verdict::Proved { .. } | Verdict::Vacuous, true) = (&found.verdict, whole)
        && let (Side::Program(writer), Side::Program(reader)) = (&producer, &consumer)
    {
        context.status_line.say("conform: running both programs");
        let writer = Runnable { files: &args.producer, program: &writer.program };
        let reader = Runnable { files: &args.consumer, program: &reader.program };
        refused_in_runs = conform::refused_in_runs(writer, reader, &config, &options.flags, context.shared.seed);
        if refused_in_runs.is_some() {
            found.verdict = Verdict::Refuted { witness: Refusal::Runs };
            found.remark = Some("types and order agree, and a message is refused by what it says".to_string());
        }
    }
    let confirmed = found.counterexample.as_ref().filter(|_| args.confirm).map(|counterexample| {
        let (Side::Program(writer), Side::Program(reader)) = (&producer, &consumer) else {
            return Validation::NotValidated("a specification does not run".to_string());
        };
        if !whole {
            return Validation::NotValidated("a program that starts in the middle does not run".to_string());
        }
        context.status_line.say("conform: running both programs");
        let writer = Runnable { files: &args.producer, program: &writer.program };
        let reader = Runnable { files: &args.consumer, program: &reader.program };
        conform::validate(writer, reader, counterexample, &config, &options.flags, context.shared.seed)
    });
    let is_refused = refused_in_runs.is_some();
    let confirmed = confirmed.or(refused_in_runs);
    let mut report = listing::report(&found, confirmed.as_ref(), args.emit.is_some(), context.shared);
    report.sources = files(&[&producer, &consumer]);
    let mut span = |place: &str| {
        Place::parse(place).map_or(Span::NONE, |place| sources::line(&mut report.sources, &place.file, place.line))
    };
    report.findings.extend(found.counterexample.iter().map(|found| refused(found, &mut span)));
    if is_refused {
        let message = "a message that a run of the producer writes is refused by a run of the consumer";
        report.findings.push(Finding::new(Rule::Incompatible, Span::NONE, message.to_string()));
    }
    report.told = true;
    Ok(report)
}

/// That the consumer refuses a message, at the first place where it does.
fn refused(found: &Counterexample, mut span: impl FnMut(&str) -> Span) -> Finding {
    let expected = match found.expected.is_empty() {
        true => "nothing".to_string(),
        false => found.expected.join(" or "),
    };
    let message = match found.taken < found.message.len() {
        true => format!("the producer can write {}; in place of the last, {expected} is expected here", shown(found)),
        false => format!("the producer can end after {}, and {expected} is expected here", shown(found)),
    };
    let stuck = found.stuck_at.first().map_or(Span::NONE, |place| span(place));
    let finding = Finding::new(Rule::Incompatible, stuck, message);
    match found.path.get(found.taken).or(found.path.last()) {
        Some(written) => finding.with_note(span(&written.place), format!("{} is written here", written.symbol)),
        None => finding,
    }
}

/// The files of both sides. Spans of one mean nothing in the other, so none are kept.
fn files(sides: &[&Side]) -> SourceMap {
    let mut files = SourceMap::new();
    for side in sides {
        if let Side::Program(loaded) = side {
            for (_, file) in loaded.program.sources.files() {
                files.add_file(file.clone());
            }
        }
    }
    files
}

/// The message up to what the consumer refuses.
fn shown(found: &Counterexample) -> String {
    let end = (found.taken + 1).min(found.message.len());
    match (found.message.is_empty(), end < found.message.len()) {
        (true, _) => "an empty message".to_string(),
        (false, more) => format!("{}{}", found.message[..end].join(" "), if more { " …" } else { "" }),
    }
}

/// Compares automata that are given as such.
fn automata_files(
    producer: &Path,
    consumer: &Path,
    enrich: bool,
    draw: bool,
    stop: &AtomicBool,
) -> Result<Report, Failure> {
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))
    };
    let (one, other) = (read(producer)?, read(consumer)?);
    let (first, second) = (producer.display().to_string(), consumer.display().to_string());
    let limits = automata::Limits { stop: Some(stop), ..automata::Limits::default() };
    let start = std::time::Instant::now();
    let found = conform::conform_automata((&first, &one), (&second, &other), enrich, &limits).map_err(Failure::new)?;
    let mut report = listing::nested(&found, enrich, draw, start.elapsed());
    // States of automata are no places of files, even if their names look so.
    report.findings.extend(found.counterexample.iter().map(|found| refused(found, |_| Span::NONE)));
    report.told = true;
    report.result.insert("files".into(), serde_json::json!([first, second]));
    Ok(report)
}

fn input(side: &Side) -> Input<'_> {
    match side {
        Side::Program(loaded) => Input::Program(&loaded.program),
        Side::Spec(spec, alphabet, file) => Input::Spec(spec, alphabet, file),
        Side::Absent => unreachable!("a side should be there, because the command line was checked"),
    }
}

/// Reads one side: C files, or a specification.
fn side(
    role: Role,
    files: &[PathBuf],
    spec: Option<&Path>,
    optional: bool,
    options: &Options,
) -> Result<Result<Side, Box<Report>>, Failure> {
    if let Some(path) = spec {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
        let mut alphabet = Alphabet::new();
        let spec = grammar::parse(&text, &mut alphabet)
            .map_err(|problem| Failure::new(format!("{}:{problem}", path.display())))?;
        return Ok(Ok(Side::Spec(Box::new(spec), alphabet, path.display().to_string())));
    }
    if files.is_empty() {
        return match optional {
            true => Ok(Ok(Side::Absent)),
            false => Err(Failure::new(format!("there is no {}", role.name()))
                .with_help(format!("name its C files after --{0}, or a specification after --{0}-spec", role.name()))),
        };
    }
    match sources::read_files("conform", files, options)? {
        Read::Program(loaded) => Ok(Ok(Side::Program(loaded))),
        Read::Refused(report) => Ok(Err(report)),
    }
}

/// The table of calls.
fn list(producer: &Side, consumer: &Side, io: &mut Io) -> Result<Report, Failure> {
    let mut report = Report::new("conform");
    for (side, role) in [(producer, Role::Producer), (consumer, Role::Consumer)] {
        if let Side::Program(loaded) = side {
            let sites = conform::sites(&loaded.program, role, io).map_err(Failure::new)?;
            table::write(&loaded.program, &sites, role, io, &mut report.text);
        }
    }
    let count = report.text.lines().count();
    report.result.insert("io".into(), serde_json::json!(report.text.lines().collect::<Vec<_>>()));
    report.summary = format!("{count} calls");
    Ok(report)
}
