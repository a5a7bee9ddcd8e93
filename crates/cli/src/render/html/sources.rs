//! The texts of the user's files that a page shows.

use diagnostics::SourceMap;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// The texts that a run has read.
    pub fn of(sources: &SourceMap) -> Texts {
        let files = sources.files().map(|(_, file)| file).filter(|file| !file.system);
        Texts(files.filter_map(|file| Some((file.path.clone(), file.text.clone()?))).collect())
    }

    pub fn insert(&mut self, path: String, text: String) {
        self.0.insert(path, text);
    }

    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }
}
