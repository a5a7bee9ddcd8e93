//! The environment of a child: nothing of ours but what is named here.

use std::ffi::{OsStr, OsString};

/// What decides where a compiler looks for its parts. Variables that make it write files (`DEPENDENCIES_OUTPUT`) are
/// not among them.
const COMPILER: [&str; 8] = [
    "PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "LD_LIBRARY_PATH",
    "SOURCE_DATE_EPOCH",
];

/// What decides where interpreters look for theirs.
const COMMAND: [&str; 16] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "LANG",
    "TZ",
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "JAVA_HOME",
    "CLASSPATH",
    "NODE_PATH",
    "PERL5LIB",
    "RUBYLIB",
    "GEM_PATH",
    "R_LIBS",
    "MAGICK_CONFIGURE_PATH",
];

/// The variables of ours that a compiler gets. Messages are read, so they are not translated; a cache in front of the
/// compiler could not write to its folder.
pub fn for_compiler() -> Vec<(OsString, OsString)> {
    let mut environment = ours(|name| COMPILER.contains(&name) || name.starts_with("NIX_"));
    environment.push(("LC_ALL".into(), "C".into()));
    environment.push(("CCACHE_DISABLE".into(), "1".into()));
    environment
}

/// The variables of ours that a command of the user's gets: enough to find its parts, and none of the keys and tokens
/// that people keep in their environments.
pub fn for_command() -> Vec<(OsString, OsString)> {
    ours(|name| COMMAND.contains(&name) || name.starts_with("LC_"))
}

fn ours(wanted: impl Fn(&str) -> bool) -> Vec<(OsString, OsString)> {
    let mut all: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| OsStr::to_str(name).is_some_and(&wanted)).collect();
    all.sort();
    all
}
