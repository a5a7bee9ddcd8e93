//! `plumb reach`: inputs that drive a function along a path, to a place, or through every branch.

mod listing;
mod path_view;
mod paths;
mod places;
mod rules;
mod suite;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::Reach;
use crate::report::{Failure, Report};
use cfront::Loaded;
use cfront::preprocess::Options;
use ir::{FunctionId, Program};

pub fn reach(args: &Reach, context: &Context<'_>) -> Result<Report, Failure> {
    let path = paths::text(args)?;
    if path.is_none() && !args.list_paths && args.target.is_empty() && !args.all_branches {
        return Err(Failure::new("nothing is said about what to reach").with_help(
            "--target LABEL|FILE:LINE|assert|error asks for a place, --all-branches for a test suite, --path \
             'T([F T; ..])' for a path, --list-paths shows what a path can choose",
        ));
    }
    context.status_line.say("reach: reading C");
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let Loaded { program, .. } = match sources::read_files("reach", &args.files, &options)? {
        Read::Program(loaded) => *loaded,
        Read::Refused(report) => return Ok(*report),
    };
    if args.all_branches || !args.target.is_empty() {
        let mut report = of_program(args, context, &program, options)?;
        report.sources = program.sources;
        return Ok(report);
    }
    match path {
        Some(path) => {
            let entry = entry(&program, args.entry.as_deref())?;
            context.status_line.say("reach: solving the path");
            paths::reach(args, context, program, entry, &path)
        }
        None => listing::list(program, args.entry.as_deref()),
    }
}

/// What is asked about, place by place, for `--each=place`.
pub fn places(args: &Reach, context: &Context<'_>) -> Result<Vec<String>, Failure> {
    if !args.target.is_empty() {
        return Ok(args.target.clone());
    }
    if !args.all_branches {
        return Err(Failure::new("there are no places to ask about").with_help("--target or --all-branches says which"));
    }
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let program = sources::read_program("reach", &args.files, &options)?;
    let branches = reach::places::suite::branches(&program, entry(&program, args.entry.as_deref())?);
    Ok(branches.iter().map(|branch| reach::places::suite::title(&program, branch)).collect())
}

/// Places and branches of a program that is read already.
pub fn of_program(args: &Reach, context: &Context<'_>, program: &Program, options: Options) -> Result<Report, Failure> {
    let entry = entry(program, args.entry.as_deref())?;
    context.status_line.say("reach: following paths");
    match args.all_branches {
        true => suite::cover(args, context, program, entry, options),
        false => places::reach(args, context, program, entry, options),
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
