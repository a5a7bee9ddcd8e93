//! Files that differ from a revision of git, new ones included.

use crate::report::Failure;
use std::path::PathBuf;
use std::time::Duration;

/// How long `git` may take.
const TIME: Duration = Duration::from_secs(20);

pub(super) fn files(revision: &str) -> Result<Vec<PathBuf>, Failure> {
    if revision.starts_with('-') {
        return Err(
            Failure::new(format!("--changed {revision} is not a revision")).with_help("for example --changed main")
        );
    }
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let top = PathBuf::from(top.trim_end());
    let changed = git(&["diff", "--name-only", "-z", revision, "--"])?;
    let new = git(&["ls-files", "--others", "--exclude-standard", "--full-name", "-z"])?;
    let names = changed.split('\0').chain(new.split('\0')).filter(|name| !name.is_empty());
    Ok(names.map(|name| top.join(name)).collect())
}

fn git(words: &[&str]) -> Result<String, Failure> {
    let failed = |why: String| Failure::new(format!("git {}: {why}", words.join(" "))).with_help("--changed needs git");
    let said = sandbox::tool("git", words, TIME).map_err(|error| failed(error.to_string()))?;
    match said.stop {
        sandbox::Stop::Exited(0) => Ok(String::from_utf8_lossy(&said.stdout).into_owned()),
        _ => Err(failed(String::from_utf8_lossy(&said.stderr).trim().to_string())),
    }
}
