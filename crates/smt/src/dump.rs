//! Where queries go when the user asks to see them (`--dump-smt DIR`).

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Receives every query as SMT-LIB text before it is solved. Failures are the sink's to report: a
/// dump that cannot be written must not change what an analysis finds.
pub trait Dump: Send + Sync {
    /// Takes one query.
    fn query(&self, label: &str, text: &str);
}

/// Writes each query to `DIR/NNNN-label.smt2`. The numbers count queries across all solvers that
/// share the sink, in the order in which they were asked.
pub struct DumpDir {
    directory: PathBuf,
    next: AtomicU64,
    failure: Mutex<Option<io::Error>>,
}

impl DumpDir {
    /// Creates the directory if it is missing. Files already there are never overwritten; their
    /// numbers are skipped.
    pub fn new(directory: impl Into<PathBuf>) -> io::Result<Self> {
        let directory = directory.into();
        fs::create_dir_all(&directory)?;
        Ok(DumpDir { directory, next: AtomicU64::new(1), failure: Mutex::new(None) })
    }

    /// The first failure since the last call, if any query could not be written.
    pub fn take_failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn write(&self, label: &str, text: &str) -> io::Result<()> {
        let label = file_label(label);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = self.directory.join(format!("{number:04}-{label}.smt2"));
            match File::create_new(&path) {
                Ok(mut file) => return file.write_all(text.as_bytes()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Dump for DumpDir {
    fn query(&self, label: &str, text: &str) {
        if let Err(error) = self.write(label, text) {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }
}

/// A label as part of a file name: plain characters only, and not too long.
fn file_label(label: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let label: String = label.chars().map(plain).take(80).collect();
    if label.is_empty() { "query".to_string() } else { label }
}
