//! Evidence from files of traces, so that runs of programs in any language can be asked about.
//!
//! | format | rows | read by |
//! |---|---|---|
//! | DIG's | `vtrace1; I x; D y` declares a location, `vtrace1; 3; 0.5` is a visit | [`dig`] |
//! | CSV with a header | one location; `,`, `;` or tab | [`csv`] |
//! | CSV with lists in brackets, JSON lines | arrays beside numbers | [`nested`] |
//! | Daikon's `.decls` and `.dtrace` | declarations and records of program points | [`daikon`] |
//!
//! Files are streamed: a reader hands each row to a [`Sink`]. [`Collector`] keeps distinct rows and makes evidence of
//! them; [`Recheck`] tests relations on a second reading when not all rows could be kept.
//!
//! *Trouble with rows*: a row that is not of the format is an error with its line, or is skipped and counted if so
//! asked. A value that is no finite number, or does not fit 64 bits, makes its row be skipped and counted: the row is
//! well-formed, but exact arithmetic has no place for it. Decimals are exact: a column has one common denominator.
//!
//! *Guarantee*: intervals, zones and octagons of the evidence are those of all rows read. Other relations are those of
//! the rows kept; [`Recheck`] drops the ones that a row not kept breaks.

mod collect;
mod csv;
mod daikon;
mod dig;
mod extremes;
mod independent;
mod nested;
mod number;
mod recheck;
mod row;
mod row_space;
mod watch;

pub use collect::{Collector, Traced};
pub use daikon::Declarations;
pub use nested::{Array, ArrayRow};
pub use recheck::Recheck;
pub use watch::{Event, Watch};

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Dig,
    Csv,
    Daikon,
    /// An object a line.
    Json,
}

impl Format {
    pub const ALL: [Format; 4] = [Format::Dig, Format::Csv, Format::Daikon, Format::Json];

    pub fn name(self) -> &'static str {
        match self {
            Format::Dig => "dig",
            Format::Csv => "csv",
            Format::Daikon => "daikon",
            Format::Json => "json",
        }
    }
}

/// A file that is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    pub file: String,
    /// From 1; `None` for trouble with the whole file.
    pub line: Option<u64>,
    pub message: String,
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for TraceError {}

/// What a column was declared to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declared {
    Int,
    Real,
    /// Integers, unless decimals turn up.
    Open,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    pub name: String,
    pub declared: Declared,
}

/// A location by its number in the sink.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(pub usize);

/// Why a row that is of the format was not used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Skipped {
    /// Not a number, infinite, missing or without meaning.
    NotFinite,
    /// A number that does not fit 64 bits over the denominator of its column.
    TooWide,
    /// Not of the format, and the caller said to go on.
    Malformed,
}

/// Takes what a reader reads.
pub trait Sink {
    /// A location with its columns; the same place for the same name. Two declarations of a name must agree.
    fn location(&mut self, name: &str, columns: &[Column]) -> Result<Place, String>;

    /// A visit. `decimals` has the number of decimals of each cell, or is empty when all cells are whole; a cell has no
    /// zero at its end that a decimal accounts for.
    fn row(&mut self, place: Place, cells: &[i64], decimals: &[u8]) -> Result<(), String>;

    fn skipped(&mut self, place: Place, why: Skipped);

    /// What a reader leaves out, in a whole sentence.
    fn note(&mut self, place: Place, note: String);

    /// The arrays of the row that was given last. Who only looks at numbers need not take them.
    fn arrays(&mut self, _place: Place, _row: ArrayRow) {}
}

/// How a file is read.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// Whether rows that are not of the format are skipped and counted.
    pub skip_malformed: bool,
    /// Ends the reading when set, as if the file ended with the last whole line.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Manner {
    /// Whether nothing more should be read.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// A file in the course of being read: what the readers share.
struct Input<'a, R> {
    reader: R,
    file: &'a str,
    line: u64,
    manner: &'a Manner,
}

impl<R: BufRead> Input<'_, R> {
    /// Puts the next line, without its end, in the buffer; tells whether there was one.
    fn next_line(&mut self, buffer: &mut Vec<u8>) -> Result<bool, TraceError> {
        buffer.clear();
        self.line += 1;
        if self.manner.is_cancelled() {
            return Ok(false);
        }
        match self.reader.read_until(b'\n', buffer) {
            Ok(0) => Ok(false),
            // The rest of a line that was being written.
            Ok(_) if buffer.last() != Some(&b'\n') && self.manner.is_cancelled() => Ok(false),
            Ok(_) => {
                while matches!(buffer.last(), Some(b'\n' | b'\r')) {
                    buffer.pop();
                }
                Ok(true)
            }
            Err(error) => Err(TraceError {
                file: self.file.to_string(),
                line: Some(self.line),
                message: format!("cannot be read on: {error}"),
            }),
        }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, TraceError> {
        Err(TraceError { file: self.file.to_string(), line: Some(self.line), message: message.into() })
    }

    /// A row that is not of the format: an error, or counted.
    fn malformed(&self, sink: &mut impl Sink, place: Place, message: impl Into<String>) -> Result<(), TraceError> {
        if self.manner.skip_malformed {
            sink.skipped(place, Skipped::Malformed);
            return Ok(());
        }
        self.error(message)
    }
}

/// Reads a file into a sink. Declarations of Daikon's are kept between files, since they stand in a file of their own.
pub fn read(
    reader: impl BufRead,
    file: &str,
    format: Format,
    manner: &Manner,
    declarations: &mut Declarations,
    sink: &mut impl Sink,
) -> Result<(), TraceError> {
    let input = Input { reader, file, line: 0, manner };
    let read = match format {
        Format::Dig => dig::read(input, sink),
        Format::Csv => csv::read(input, sink),
        Format::Daikon => daikon::read(input, declarations, sink),
        Format::Json => nested::read_json(input, sink),
    };
    match read {
        // What is missing from the whole file may stand where it was not read any more.
        Err(error) if error.line.is_none() && manner.is_cancelled() => Ok(()),
        read => read,
    }
}

/// The format of a file, from its name and its first bytes.
pub fn sniff(name: &str, head: &[u8]) -> Option<Format> {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let text = String::from_utf8_lossy(head);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', '/']));
    match extension.as_deref() {
        Some("decls" | "dtrace") => return Some(Format::Daikon),
        Some("tcs") => return Some(Format::Dig),
        Some("jsonl" | "ndjson") => return Some(Format::Json),
        _ => {}
    }
    let first = first?;
    if first.trim_start_matches('\u{feff}').starts_with("{\"") || first.starts_with("{ \"") {
        return Some(Format::Json);
    }
    let daikon = ["decl-version", "DECLARE", "VarComparability", "var-comparability", "ppt "];
    if daikon.iter().any(|word| first.starts_with(word)) {
        return Some(Format::Daikon);
    }
    // A file named .csv may hold either of the two; a declaration of DIG's is told by its types.
    if dig::is_declaration(first.as_bytes()) {
        return Some(Format::Dig);
    }
    let csv = extension.as_deref().is_some_and(|e| e == "csv" || e == "tsv") || first.contains([',', ';', '\t']);
    csv.then_some(Format::Csv)
}

/// A name as predicates can speak of it: letters, digits, `_`, and paths to fields. Others become `_`.
fn spoken(name: &str) -> String {
    let name = name.trim();
    let mut spoken = String::with_capacity(name.len());
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let follows = |from: usize| bytes.get(from).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        let inside = !spoken.is_empty() && !spoken.ends_with(['.', '>']);
        if inside && bytes[at] == b'.' && follows(at + 1) {
            spoken.push('.');
            at += 1;
        } else if inside && bytes[at..].starts_with(b"->") && follows(at + 2) {
            spoken.push_str("->");
            at += 2;
        } else {
            let byte = bytes[at];
            spoken.push(if byte.is_ascii_alphanumeric() || byte == b'_' { byte as char } else { '_' });
            at += 1;
        }
    }
    if !spoken.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        spoken.insert(0, '_');
    }
    spoken
}

#[cfg(test)]
mod tests;
