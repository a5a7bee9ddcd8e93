//! A text that is in no file of its own, in one that only lives as long as the command: standard input, and what an editor
//! has not saved.
//!
//! A program is read more than once (preprocessed, compiled, compiled again with probes), so it needs a file. The folder of
//! the private one is random, so its path stands for nothing else in results and can be replaced there by the name that the
//! user knows.

use crate::render::Rendered;
use crate::report::Failure;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct PrivateFile {
    _folder: TempDir,
    path: PathBuf,
    /// Where `#include "..."` looks first.
    beside: PathBuf,
    /// What stands before the file's name in results, and what is to stand there.
    prefix: String,
    shown: String,
}

impl PrivateFile {
    /// Keeps a text under a name, as if it were in the folder `beside`. Results call it by that folder and the name.
    pub fn new(name: &Path, text: &[u8], beside: &Path) -> Result<PrivateFile, Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(format!("{} cannot be kept in a file: {error}", name.display()))
                .with_help("the folder for temporary files (TMPDIR) must be writable")
        };
        let folder = tempfile::Builder::new().prefix("plumb-").tempdir().map_err(failed)?;
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(failed)?;
        let prefix = format!("{}/", folder.path().display());
        let shown = match beside == Path::new(".") {
            true => String::new(),
            false => format!("{}/", beside.display()),
        };
        Ok(PrivateFile { _folder: folder, path, beside: beside.to_path_buf(), prefix, shown })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The compiler's flags that let it find what the text includes, quoted for a shell.
    pub fn flags(&self) -> String {
        let beside = self.beside.display().to_string();
        format!("-iquote {}", shlex::try_quote(&beside).unwrap_or_default())
    }

    /// The results with the name that the user knows.
    pub fn named(&self, rendered: Rendered) -> Rendered {
        let named = |text: &[u8]| replaced(text, self.prefix.as_bytes(), self.shown.as_bytes());
        Rendered { out: named(&rendered.out), err: named(&rendered.err) }
    }

    /// The same of trouble.
    pub fn named_in(&self, failure: Failure) -> Failure {
        let named = |text: String| text.replace(&self.prefix, &self.shown);
        Failure { message: named(failure.message), help: failure.help.map(named) }
    }
}

fn replaced(text: &[u8], part: &[u8], by: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(part.len()).position(|window| window == part) {
        kept.extend_from_slice(&rest[..at]);
        kept.extend_from_slice(by);
        rest = &rest[at + part.len()..];
    }
    kept.extend_from_slice(rest);
    kept
}
