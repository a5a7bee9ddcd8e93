//! `plumb capture -- make`: runs a build and writes down what it compiles and links.

use crate::args::{Capture, Shared};
use crate::exit::Exit;
use crate::output::write_whole;
use crate::report::{Failure, Report};
use checkup::capture::Recording;
use checkup::database;
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn capture(args: &Capture, shared: &Shared) -> Result<Report, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("the build cannot be recorded: {error}"));
    let recording = Recording::start().map_err(failed)?;
    let stop = sandbox::build(&args.command, recording.environment()).map_err(|error| {
        Failure::new(format!("`{}` cannot be started: {error}", args.command.join(" ")))
            .with_help("give the command of a build after `--`, for example `plumb capture -- make`")
    })?;
    let build = recording.finish().map_err(failed)?;
    let mut report = Report::new("capture");
    let path = shared.out.clone().unwrap_or_else(|| PathBuf::from(database::NAME));
    let beside = path.parent().unwrap_or(Path::new("")).join(database::LINKS);
    let text = |value: Result<String, serde_json::Error>| value.map_err(|error| Failure::new(error.to_string()));
    if build.compilations.is_empty() {
        report.exit = Exit::Inconclusive;
        report.summary =
            "no compilation was seen; was everything built already? `make clean` first, or `make -B`".to_string();
        return Ok(report);
    }
    write_whole(&path, text(serde_json::to_string_pretty(&build.compilations))?.as_bytes())?;
    write_whole(&beside, text(serde_json::to_string_pretty(&build.joinings))?.as_bytes())?;
    report.exit = match stop {
        sandbox::Stop::Exited(0) => Exit::Clean,
        _ => Exit::Found,
    };
    let ended = if report.exit == Exit::Clean { "" } else { "the build failed; " };
    report.text = format!(
        "{ended}{} compilations and {} links are in {} and {}\n",
        build.compilations.len(),
        build.joinings.len(),
        path.display(),
        beside.display()
    );
    report.result.insert("compilations".into(), json!(build.compilations.len()));
    report.result.insert("links".into(), json!(build.joinings.len()));
    report.result.insert("database".into(), json!(path));
    Ok(report)
}
