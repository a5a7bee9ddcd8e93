//! The tests that the user gives, and the function they test.

use super::sources;
use crate::args::Repair;
use crate::report::Failure;
use ir::{FunctionId, Program};
use repair::suite::{self, Test};
use std::path::Path;

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))
}

pub(super) fn tests(args: &Repair, program: &Program) -> Result<(FunctionId, Vec<Test>), Failure> {
    let named = |path: &Path, why: String| {
        Failure::new(format!("{}: {why}", path.display())).with_help(
            "tests of a function have a column for each parameter and `expected`; tests of a program have `args`, \
             `stdin`, `stdout`, `exit`",
        )
    };
    if let Some(path) = &args.tests {
        let text = read(path)?;
        let header = suite::header(&text).map_err(|why| named(path, why))?;
        let by_columns = || suite::function_with_columns(program, &header).filter(|_| !suite::is_of_runs(&header));
        let entry = match &args.entry {
            Some(name) => sources::entry(program, Some(name))?,
            None => match by_columns() {
                Some(entry) => entry,
                None => sources::entry(program, None)?,
            },
        };
        let tests = suite::parse_csv(&text, program, entry).map_err(|why| named(path, why))?;
        return Ok((entry, tests));
    }
    let (Some(inputs), Some(outputs)) = (&args.inputs, &args.outputs) else {
        return Err(Failure::new("no tests are given").with_help("--tests FILE.csv, or --inputs and --outputs"));
    };
    let entry = match (&args.entry, only_function(program)) {
        (Some(name), _) => sources::entry(program, Some(name))?,
        (None, Some(only)) => only,
        (None, None) => sources::entry(program, None)?,
    };
    let tests = suite::parse_lines(&read(inputs)?, &read(outputs)?, program, entry)
        .map_err(|why| Failure::new(format!("{} and {}: {why}", inputs.display(), outputs.display())))?;
    Ok((entry, tests))
}

/// The function of a file that defines one.
fn only_function(program: &Program) -> Option<FunctionId> {
    let mut defined = program.defined_functions().map(|(id, ..)| id);
    let first = defined.next()?;
    defined.next().is_none().then_some(first)
}
