//! The texts of the user's files that a page shows.

use super::document::{self, Document};
use crate::render::json::digest;
use diagnostics::SourceMap;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default)]
pub struct Texts {
    texts: BTreeMap<String, String>,
    /// Those of them that are what the run has read.
    same: BTreeSet<String>,
    /// Files whose texts are others now, which are not kept: the lines that a document names are not theirs.
    changed: BTreeSet<String>,
}

impl Texts {
    /// The texts that a run has read.
    pub fn of(sources: &SourceMap) -> Texts {
        let mut texts = Texts::default();
        for (_, file) in sources.files().filter(|(_, file)| !file.system) {
            if let Some(text) = &file.text {
                texts.insert(file.path.clone(), text.clone());
            }
        }
        texts
    }

    pub fn insert(&mut self, path: String, text: String) {
        self.texts.insert(path, text);
    }

    /// Without the texts that are not those of the document's run. Of a file whose hash the document does not have, as
    /// earlier versions wrote none, nothing is known, and its text stays.
    pub fn compared(mut self, document: &Document<'_>) -> Texts {
        for source in document.sources {
            let (file, then) = (document::text(source, "file"), document::text(source, "sha256"));
            let Some(text) = self.texts.get(file).filter(|_| !then.is_empty()) else { continue };
            if digest(text) == then {
                self.same.insert(file.to_string());
            } else {
                self.texts.remove(file);
                self.changed.insert(file.to_string());
            }
        }
        self
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    pub fn is_changed(&self, path: &str) -> bool {
        self.changed.contains(path)
    }

    pub fn changed(&self) -> &BTreeSet<String> {
        &self.changed
    }

    /// Whether there is a text that may be another than that of the run.
    pub fn is_unsure(&self, path: &str) -> bool {
        self.texts.contains_key(path) && !self.same.contains(path)
    }
}
