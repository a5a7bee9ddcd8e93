//! Relations of files of traces.

use super::listing::{self, Where};
use super::{Wanted, check_names, only_for_programs};
use crate::args::Infer;
use crate::command::Context;
use crate::report::{Failure, Report};
use diagnostics::{Deadline, SourceMap};
use infer::arrays::shown::Names;
use infer::traces::{
    ArrayRow, Collector, Column, Declarations, Format, Manner, Place, Recheck, Sink, Skipped, Traced, read, sniff,
};
use infer::{ArrayInvariant, Form, InferReport, LocationReport, arrays, relations};
use prove::RefinementReport;
use rayon::prelude::*;
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A file of traces and its format.
pub(super) struct TraceFile {
    path: PathBuf,
    format: Format,
}

/// Reading may take this part of the time.
const SHARE_OF_READING: u32 = 3;

/// Bytes looked at to tell a format.
const HEAD: u64 = 4096;

/// The files of traces among the arguments; none if they are C files.
pub(super) fn files(args: &Infer) -> Result<Vec<TraceFile>, Failure> {
    let mut files = Vec::new();
    for text in &args.traces {
        let named = text
            .rsplit_once(':')
            .and_then(|(path, name)| Some((path, Format::ALL.into_iter().find(|format| format.name() == name)?)));
        files.push(match named {
            Some((path, format)) => TraceFile { path: path.into(), format },
            None => TraceFile { path: text.into(), format: format_of(Path::new(text))?.ok_or_else(|| unknown(text))? },
        });
    }
    let mut programs = Vec::new();
    for path in &args.files {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("c" | "i" | "h" | "pir") => programs.push(path),
            Some("csv" | "tsv" | "tcs" | "dtrace" | "decls" | "jsonl" | "ndjson") => {
                let format = format_of(path)?.ok_or_else(|| unknown(&path.display().to_string()))?;
                files.push(TraceFile { path: path.clone(), format });
            }
            // Anything else is taken for C unless its beginning shows that it is not.
            _ => match format_of(path)? {
                Some(format) => files.push(TraceFile { path: path.clone(), format }),
                None => programs.push(path),
            },
        }
    }
    if let (Some(file), Some(program)) = (files.first(), programs.first()) {
        return Err(Failure::new(format!(
            "{} is a file of traces and {} is C; relations come from one or the other",
            file.path.display(),
            program.display()
        )));
    }
    if let Some(flag) = only_for_programs(args)
        && !files.is_empty()
    {
        return Err(Failure::new(format!("{flag} needs a program, and these are files of traces")));
    }
    // Declarations may be given after the traces that need them.
    files.sort_by_key(|file| file.path.extension().is_none_or(|extension| extension != "decls"));
    Ok(files)
}

pub(super) fn unknown(path: &str) -> Failure {
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    Failure::new(format!("the format of {path} cannot be told from its name or its first line"))
        .with_help(format!("say it: --traces {path}:FORMAT with one of {}", names.join(", ")))
}

fn open(path: &Path) -> Result<File, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{} cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Failure::new(format!("{} cannot be read: it is a directory", path.display())));
    }
    Ok(file)
}

fn format_of(path: &Path) -> Result<Option<Format>, Failure> {
    let mut head = Vec::new();
    let file = open(path)?;
    // A pipe can be read once only, so it must be named with its format.
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(sniff(&path.display().to_string(), b""));
    }
    file.take(HEAD)
        .read_to_end(&mut head)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    let known = path.extension().is_some_and(|e| ["csv", "tsv"].iter().any(|k| e.eq_ignore_ascii_case(k)));
    Ok(sniff(&path.display().to_string(), &head).or(known.then_some(Format::Csv)))
}

fn read_all(files: &[TraceFile], manner: &Manner, sink: &mut impl Sink) -> Result<(), Failure> {
    let mut declarations = Declarations::default();
    for file in files {
        let reader = BufReader::with_capacity(1 << 18, open(&file.path)?);
        let name = file.path.display().to_string();
        read(reader, &name, file.format, manner, &mut declarations, sink).map_err(|error| {
            let failure = Failure::new(error.to_string());
            match error.line {
                Some(_) if !manner.skip_malformed => failure.with_help("--skip-bad-rows goes on and counts such rows"),
                _ => failure,
            }
        })?;
    }
    Ok(())
}

pub(super) fn infer(
    args: &Infer,
    context: &Context<'_>,
    files: &[TraceFile],
    wanted: &Wanted,
    deadline: &Deadline,
) -> Result<Report, Failure> {
    let mut collector = Collector::new(wanted.terms.clone(), wanted.vars.clone());
    // What is read may have to be read again, and to find relations takes time too.
    let manner = Manner {
        skip_malformed: args.skip_bad_rows,
        cancel: Some(context.stop_after(deadline.left() / SHARE_OF_READING)),
    };
    let mut counted = Counted { sink: &mut collector, rows: 0, most: u64::MAX, manner: &manner };
    read_all(files, &manner, &mut counted)?;
    let (rows_read, is_cut) = (counted.rows, manner.is_cancelled());
    let columns: Vec<String> = collector.columns().map(str::to_string).collect();
    let traced = collector.finish();
    let kept = traced.iter().flat_map(|t| t.location.variables.iter().map(|v| v.name.as_str()));
    let arrays =
        traced.iter().flat_map(|t| t.table.iter().flat_map(|table| table.arrays.iter().map(|a| a.name.as_str())));
    let known: Vec<&str> = columns.iter().map(String::as_str).chain(arrays).collect();
    check_names(wanted, kept, known.into_iter())?;
    let config = infer::Config { forms: wanted.forms.clone(), arrays: wanted.arrays.clone(), ..Default::default() };
    let search = arrays::findings::search_config(None, &config).map_err(Failure::new)?;
    let locations = traced.par_iter().map(|traced| located(traced, wanted, &search)).collect();
    let mut found = InferReport { locations, ..InferReport::default() };

    // Bounds hold of all rows by construction; other relations of a sample must be tested on the rest.
    let bounds = [Form::Interval, Form::Zone, Form::Octagon];
    let only_bounds =
        wanted.forms.bound_degree == Some(1) && wanted.forms.forms.iter().all(|form| bounds.contains(form));
    if traced.iter().any(|t| !(t.complete || only_bounds && t.octagons_complete)) {
        let mut recheck = Recheck::new(&found.locations);
        let manner = Manner { cancel: Some(context.stop_after(deadline.left())), ..manner };
        let mut counted = Counted { sink: &mut recheck, rows: 0, most: rows_read, manner: &manner };
        read_all(files, &manner, &mut counted)?;
        let rows: Vec<u64> = traced.iter().map(|t| t.rows).collect();
        recheck.finish(&mut found.locations, &rows);
    }
    if is_cut {
        found.notes.push(format!("The time was up after {rows_read} rows; what comes after them was not read."));
    }
    let rows: u64 = traced.iter().map(|t| t.rows).sum();
    let file = match files {
        [one] => Some(one.path.display().to_string()),
        _ => None,
    };
    let places: Vec<Where> = traced.iter().map(|_| Where { file: file.clone(), line: None }).collect();
    let found = RefinementReport { found, ..RefinementReport::default() };
    let seen = format!("from {rows} rows");
    let mut report = listing::report(&found, &places, &SourceMap::default(), &seen, args.all);
    let names: Vec<String> = files.iter().map(|file| file.path.display().to_string()).collect();
    report.result.insert("files".into(), json!(names));
    Ok(report)
}

/// A sink that counts the rows it takes, and ends the reading with so many.
struct Counted<'s, S> {
    sink: &'s mut S,
    rows: u64,
    most: u64,
    manner: &'s Manner,
}

impl<S: Sink> Sink for Counted<'_, S> {
    fn location(&mut self, name: &str, columns: &[Column]) -> Result<Place, String> {
        self.sink.location(name, columns)
    }

    fn row(&mut self, place: Place, cells: &[i64], decimals: &[u8]) -> Result<(), String> {
        self.rows += 1;
        if self.rows == self.most
            && let Some(cancel) = &self.manner.cancel
        {
            cancel.store(true, Ordering::Relaxed);
        }
        self.sink.row(place, cells, decimals)
    }

    fn skipped(&mut self, place: Place, why: Skipped) {
        self.sink.skipped(place, why);
    }

    fn note(&mut self, place: Place, note: String) {
        self.sink.note(place, note);
    }

    fn arrays(&mut self, place: Place, row: ArrayRow) {
        self.sink.arrays(place, row);
    }
}

fn located(traced: &Traced, wanted: &Wanted, search: &arrays::Config) -> LocationReport {
    let mut notes = traced.notes.clone();
    let found = match traced.rows {
        0 => {
            notes.push("There are no rows, so nothing is known.".to_string());
            Default::default()
        }
        _ if traced.evidence.is_empty() => Default::default(),
        _ => relations(&traced.location, &traced.evidence, &wanted.forms),
    };
    if !traced.complete {
        notes.push(format!(
            "Of {} rows a sample of {} distinct ones was kept; bounds are those of all rows.",
            traced.rows,
            traced.evidence.len()
        ));
    }
    notes.extend(found.notes);
    let mut of_arrays = Vec::new();
    if let Some(table) = &traced.table {
        let chosen = |array: &usize| wanted.vars.is_empty() || wanted.vars.contains(&table.arrays[*array].name);
        let order: Vec<usize> = (0..table.arrays.len()).filter(chosen).collect();
        let found = arrays::relations_of(table, &order, search);
        let names = Arc::new(Names::of(table, &search.functions));
        let invariant = |relation| ArrayInvariant { relation, names: names.clone() };
        of_arrays.extend(found.relations.into_iter().map(invariant));
        notes.extend(found.notes);
    }
    let mut report = LocationReport {
        location: traced.location.clone(),
        visits: traced.rows,
        samples: traced.evidence.len(),
        invariants: found.invariants,
        arrays: of_arrays,
        notes,
        rows: traced.evidence.some_rows(),
    };
    report.settle();
    report
}
