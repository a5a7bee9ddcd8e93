//! `plumb infer --follow`: relations of a file of traces that grows, or of a stream, told as rows come.
//!
//! What happens is written to standard output at once, a line or a few for each event, or with `--format json` an object
//! a line. At the end of the stream, when the user stops it, or after `--time` where that is given, follows the report of
//! any other search.

use super::listing::{self, Where};
use super::traces::unknown;
use super::wanted;
use crate::args::{Format as OutputFormat, Infer};
use crate::command::Context;
use crate::output;
use crate::report::{Failure, Report};
use diagnostics::SourceMap;
use infer::traces::{Collector, Declarations, Event, Format, Manner, Watch, read, sniff};
use infer::{InferReport, shown};
use prove::RefinementReport;
use serde_json::json;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::Duration;

/// Bytes read at a time, and pieces that wait to be taken.
const PIECE: usize = 1 << 18;
const WAITING: usize = 4;

/// A stream that brings nothing for so long has paused.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) fn infer(args: &Infer, context: &Context<'_>) -> Result<Report, Failure> {
    let (path, format) = followed(args)?;
    // Without a time of its own a stream is followed for as long as it goes on.
    let stop = if context.shared.time.is_some() { context.stop() } else { context.interrupted.clone() };
    let wanted = wanted(args, &stop)?;
    let as_json = context.shared.format == OutputFormat::Json;
    let collector = Collector::new(wanted.terms.clone(), wanted.vars.clone());
    let say = |event: Event| {
        let text = if as_json { in_json(&event) } else { in_text(&event, args.all) };
        // Whoever reads may go away; the work is theirs to end.
        let _ = output::line(&text, context.shared);
    };
    let watch = RefCell::new(Watch::new(collector, wanted.forms.clone(), say));
    let quiet = |has_paused: bool| {
        // While a row is being taken the stream is not quiet.
        if let Ok(mut watch) = watch.try_borrow_mut() {
            if has_paused { watch.pause() } else { watch.catch_up() }
        }
    };
    let name = if path == "-" { "standard input" } else { path.as_str() };
    let tail = Tail::of(&path, stop.clone(), Box::new(quiet))?;
    let mut reader = BufReader::with_capacity(PIECE, tail);
    let head = reader.fill_buf().map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
    let Some(format) = format.or_else(|| sniff(&path, head)) else { return Err(unknown(&path)) };
    let mut sink = Shared(&watch);
    let stem = if path == "-" { "rows" } else { path.as_str() };
    let manner = Manner { skip_malformed: args.skip_bad_rows, cancel: Some(stop) };
    let done = read(reader, stem, format, &manner, &mut Declarations::default(), &mut sink);
    done.map_err(|error| Failure::new(error.to_string()).with_help("--skip-bad-rows goes on and counts such rows"))?;
    let seen = watch.into_inner().finish();
    let rows: u64 = seen.iter().map(|(traced, _)| traced.rows).sum();
    let locations: Vec<_> = seen
        .into_iter()
        .map(|(traced, mut report)| {
            if !traced.complete {
                let kept = traced.evidence.len();
                report.notes.push(format!(
                    "Of {} rows {kept} are kept; bounds, and equations of small degree, are those of all rows.",
                    traced.rows
                ));
            }
            report
        })
        .collect();
    let places: Vec<Where> = locations.iter().map(|_| Where { file: Some(name.to_string()), line: None }).collect();
    let found = InferReport { locations, ..InferReport::default() };
    let found = RefinementReport { found, ..RefinementReport::default() };
    let mut report = listing::report(&found, &places, &SourceMap::default(), &format!("from {rows} rows"), args.all);
    report.result.insert("files".into(), json!([name]));
    Ok(report)
}

/// The one stream that is followed, with its format if that is said.
fn followed(args: &Infer) -> Result<(String, Option<Format>), Failure> {
    let named: Vec<String> =
        args.files.iter().map(|path| path.display().to_string()).chain(args.traces.iter().cloned()).collect();
    let [one] = named.as_slice() else {
        return Err(Failure::new("--follow takes one file of traces, or `-` for standard input"));
    };
    let said = one
        .rsplit_once(':')
        .and_then(|(path, name)| Some((path, Format::ALL.into_iter().find(|format| format.name() == name)?)));
    Ok(match said {
        Some((path, format)) => (path.to_string(), Some(format)),
        None => (one.clone(), None),
    })
}

/// A sink behind a cell, so that a pause of the stream can look at it too.
struct Shared<'w, S>(&'w RefCell<S>);

impl<S: infer::traces::Sink> infer::traces::Sink for Shared<'_, S> {
    fn location(&mut self, name: &str, columns: &[infer::traces::Column]) -> Result<infer::traces::Place, String> {
        self.0.borrow_mut().location(name, columns)
    }

    fn row(&mut self, place: infer::traces::Place, cells: &[i64], decimals: &[u8]) -> Result<(), String> {
        self.0.borrow_mut().row(place, cells, decimals)
    }

    fn skipped(&mut self, place: infer::traces::Place, why: infer::traces::Skipped) {
        self.0.borrow_mut().skipped(place, why);
    }

    fn note(&mut self, place: infer::traces::Place, note: String) {
        self.0.borrow_mut().note(place, note);
    }

    fn arrays(&mut self, place: infer::traces::Place, row: infer::traces::ArrayRow) {
        self.0.borrow_mut().arrays(place, row);
    }
}

/// The bytes of a stream as they come. A file has no end until the work is to stop; a pipe ends when its writers have gone.
struct Tail<'p> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    at: usize,
    stop: Arc<AtomicBool>,
    /// Called when no bytes are there, and with `true` when there have been none for a while.
    quiet: Box<dyn Fn(bool) + 'p>,
    has_paused: bool,
}

impl<'p> Tail<'p> {
    fn of(path: &str, stop: Arc<AtomicBool>, quiet: Box<dyn Fn(bool) + 'p>) -> Result<Tail<'p>, Failure> {
        let path = if path == "-" { Path::new("/dev/stdin") } else { Path::new(path) };
        let failed = |error: io::Error| Failure::new(format!("{} cannot be read: {error}", path.display()));
        let mut file = File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_dir() {
            return Err(Failure::new(format!("{} cannot be read: it is a directory", path.display())));
        }
        // What is handed to us as standard input ends where it ends, even if it is a file.
        let grows = about.is_file() && path != Path::new("/dev/stdin");
        let (sender, pieces) = sync_channel(WAITING);
        // It waits for bytes for as long as the process lives; only the one who takes them can be asked to stop.
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = file.read(&mut piece);
                match read {
                    Ok(0) if grows => {
                        std::thread::sleep(PAUSE / 4);
                        continue;
                    }
                    Ok(0) => return,
                    Ok(count) => piece.truncate(count),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => {}
                }
                let failed = read.is_err();
                if sender.send(read.map(|_| piece)).is_err() || failed {
                    return;
                }
            }
        });
        Ok(Tail { pieces, piece: Vec::new(), at: 0, stop, quiet, has_paused: true })
    }
}

impl Read for Tail<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(0);
            }
            let piece = match self.pieces.try_recv() {
                Err(TryRecvError::Empty) => {
                    (self.quiet)(false);
                    self.pieces.recv_timeout(PAUSE)
                }
                here => here.map_err(|_| RecvTimeoutError::Disconnected),
            };
            match piece {
                Ok(piece) => {
                    self.piece = piece?;
                    self.at = 0;
                    self.has_paused = false;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => {
                    if !std::mem::replace(&mut self.has_paused, true) {
                        (self.quiet)(true);
                    }
                }
            }
        }
        let count = buffer.len().min(self.piece.len() - self.at);
        buffer[..count].copy_from_slice(&self.piece[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// An event for people.
fn in_text(event: &Event, all: bool) -> String {
    let mut text = String::new();
    match event {
        Event::Broken { location, row, relation, values } => {
            let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let _ = writeln!(text, "{location}: row {row} breaks {relation}: {}", values.join(", "));
        }
        Event::Listed { report, fresh } => {
            let (name, rows) = (&report.location.name, report.visits);
            let _ = writeln!(text, "{name}: after {rows} rows");
            let most = if all { usize::MAX } else { listing::LISTED };
            for invariant in report.invariants.iter().take(most) {
                let shown = shown::text(&invariant.predicate, &report.location.variables);
                let mark = if fresh.contains(&shown) { '+' } else { ' ' };
                let _ = writeln!(text, "{mark} {shown}");
            }
            if report.invariants.len() > most {
                let _ = writeln!(text, "  … and {} more (--all)", report.invariants.len() - most);
            }
            if report.invariants.is_empty() {
                let _ = writeln!(text, "  nothing of the forms asked for");
            }
        }
    }
    text
}

/// An event as an object on one line.
fn in_json(event: &Event) -> String {
    let value = match event {
        Event::Broken { location, row, relation, values } => {
            let row_values: serde_json::Map<String, serde_json::Value> =
                values.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            json!({"event": "broken", "location": location, "row": row, "relation": relation, "values": row_values})
        }
        Event::Listed { report, fresh } => {
            let text = |invariant: &infer::Invariant| shown::text(&invariant.predicate, &report.location.variables);
            let relations: Vec<String> = report.invariants.iter().map(text).collect();
            json!({"event": "listed", "location": report.location.name, "rows": report.visits, "relations": relations, "new": fresh})
        }
    };
    format!("{value}\n")
}
