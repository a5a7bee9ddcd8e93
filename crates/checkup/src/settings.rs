//! `plumb.toml`: what a project says once.
//!
//! ```toml
//! time = 120                       # seconds of a check-up
//! entries = ["parse", "render"]    # what is called from outside
//! exclude = ["test_*", "vendor/*"] # functions and files to leave alone
//! files = ["src/a.c", "src/b.c"]   # the files, where there is no compile database
//! database = "build"               # where compile_commands.json is
//! flags = ["-Iinclude", "-DNDEBUG"]
//! fail-on = "finding"              # finding, precondition or unknown
//! baseline = "plumb-baseline.json"
//!
//! [conform]
//! io = "protocol.toml"             # what `plumb conform --io` takes
//!
//! [domains]                        # values that callers give to parameters
//! "parse.depth" = "0..10"
//!
//! [assume]                         # what else callers respect
//! parse = ["length >= 0"]
//! ```

use super::project::ProjectError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the file, in the folder where `plumb` is started.
pub const NAME: &str = "plumb.toml";

#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    pub time: Option<f64>,
    pub entries: Vec<String>,
    pub exclude: Vec<String>,
    pub files: Vec<PathBuf>,
    pub database: Option<PathBuf>,
    pub flags: Vec<String>,
    pub fail_on: Option<String>,
    pub baseline: Option<PathBuf>,
    pub conform: Conform,
    pub domains: BTreeMap<String, String>,
    pub assume: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Conform {
    pub io: Option<PathBuf>,
}

/// The settings of a folder; without a file there are none.
pub fn read(folder: &Path) -> Result<Settings, ProjectError> {
    let path = folder.join(NAME);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Settings::default()),
        Err(error) => {
            return Err(ProjectError::new(format!("{} cannot be read: {error}", path.display()), "mend or remove it"));
        }
    };
    toml::from_str(&text).map_err(|error| {
        let message = format!("{}: {}", path.display(), error.to_string().trim_end());
        ProjectError::new(message, "docs/check-up.md lists what can stand there")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_nobody_knows_are_refused() {
        let settings: Settings = toml::from_str("entries = ['f']\ntime = 5\n[conform]\nio = 'a.toml'").unwrap();
        assert_eq!((settings.entries, settings.time), (vec!["f".to_string()], Some(5.0)));
        assert!(toml::from_str::<Settings>("entires = ['f']").is_err());
    }
}
