//! `plumb reach`: inputs that drive a function along a path, to a place, or through every branch.

mod listing;
mod paths;
mod places;
mod rules;
mod suite;

use super::sources::{self, Input as Read};
use crate::args::{Reach, Shared};
use crate::report::{Failure, Report};
use cfront::Loaded;
use ir::{FunctionId, Program};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub fn reach(args: &Reach, shared: &Shared, interrupted: Arc<AtomicBool>) -> Result<Report, Failure> {
    let path = paths::text(args)?;
    if path.is_none() && !args.list_paths && args.target.is_empty() && !args.all_branches {
        return Err(Failure::new("nothing is said about what to reach").with_help(
            "--target LABEL|FILE:LINE|assert|error asks for a place, --all-branches for a test suite, --path \
             'T([F T; ..])' for a path, --list-paths shows what a path can choose",
        ));
    }
    let options = sources::options(&args.compile, &args.flags)?;
    let Loaded { program, .. } = match sources::read_files("reach", &args.files, &options)? {
        Read::Program(loaded) => *loaded,
        Read::Refused(report) => return Ok(*report),
    };
    if args.all_branches {
        let entry = entry(&program, args.entry.as_deref())?;
        return suite::cover(args, shared, &interrupted, program, entry, options);
    }
    if !args.target.is_empty() {
        let entry = entry(&program, args.entry.as_deref())?;
        return places::reach(args, shared, &interrupted, program, entry, options);
    }
    match path {
        Some(path) => {
            let entry = entry(&program, args.entry.as_deref())?;
            paths::reach(args, shared, &interrupted, program, entry, &path)
        }
        None => listing::list(program, args.entry.as_deref()),
    }
}

/// As for other verbs; a file with a single function needs no name.
fn entry(program: &Program, asked: Option<&str>) -> Result<FunctionId, Failure> {
    let mut defined = program.defined_functions().map(|(id, _, _)| id);
    match (asked, defined.next(), defined.next()) {
        (None, Some(only), None) => Ok(only),
        _ => sources::entry(program, asked),
    }
}
