//! The shards of a check-up: each asked about some of the functions.

use super::Part;
use crate::args::{Cli, Command};
use crate::command::{Context, check_up};
use crate::report::{Failure, Report};
use ::checkup::NotParts;

pub fn joined(parts: &[Part], asked: &Cli, context: &Context<'_>) -> Result<Report, Failure> {
    let Command::CheckUp(args) = &asked.command else {
        return Err(Failure::new(format!("{}: its words ask no check-up", parts[0].path.display())));
    };
    let mut reports = Vec::new();
    for part in parts {
        let read = check_up::of_document(&part.document["result"]);
        reports.push(read.ok_or_else(|| {
            Failure::new(format!("{} is no document of a check-up of this version", part.path.display()))
        })?);
    }
    let whole = ::checkup::joined(&reports).map_err(|why| match why {
        NotParts::Nothing => Failure::new("there is nothing to join"),
        NotParts::Different => Failure::new("the shards speak of different functions")
            .with_help("headers or generated files differ between the machines"),
    })?;
    let mut report = check_up::told(args, context.shared.verbose, &whole)?;
    report.seed = Some(asked.shared.seed);
    Ok(report)
}
