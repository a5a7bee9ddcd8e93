//! What an earlier check-up knew, so that only what is new counts.

use crate::report::Failure;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The fingerprints of an earlier document.
#[derive(Default)]
pub(crate) struct Baseline {
    known: BTreeSet<String>,
}

impl Baseline {
    pub(super) fn has(&self, fingerprint: &str) -> bool {
        self.known.contains(fingerprint)
    }
}

pub(crate) fn read(path: &Path) -> Result<Baseline, Failure> {
    let help = "`plumb check-up --format json -o FILE` writes one";
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(format!("the baseline {} cannot be read: {error}", path.display())).with_help(help)
    })?;
    let no_baseline = |why: String| {
        Failure::new(format!("{} is not a document of a check-up: {why}", path.display())).with_help(help)
    };
    let document: Value = serde_json::from_str(&text).map_err(|error| no_baseline(error.to_string()))?;
    if document["command"] != "check-up" {
        return Err(no_baseline("its `command` is another one".to_string()));
    }
    let lists = ["bugs", "preconditions"].into_iter().filter_map(|list| document["result"][list].as_array());
    let known = lists.flatten().filter_map(|fault| fault["fingerprint"].as_str().map(str::to_string)).collect();
    Ok(Baseline { known })
}
