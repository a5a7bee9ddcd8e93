//! `plumb demo`: the commands at work on examples that the binary brings along.
//!
//! The files are written to a folder of their own and every command is answered there, as if it had been typed: what is
//! shown is what a user would see. A command that does not end with the status it should fails the demonstration, so that
//! it can be believed where it is played, from a checkout or from any package.

mod files;
mod script;

use super::Context;
use crate::args::{Cli, Format, Shared};
use crate::exit::Exit;
use crate::output;
use crate::report::{Failure, Report};
use clap::Parser;
use script::{SCENES, Scene};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The page that is left to look at.
const PAGE: &str = "check-up.html";

pub fn demo(context: &Context<'_>) -> Result<Report, Failure> {
    if context.shared.format != Format::Text {
        return Err(Failure::new("a demonstration is for people, and text").with_help("leave --format out"));
    }
    let kept = context.shared.out.as_deref().map(absolute).transpose()?;
    let temporary = tempfile::Builder::new().prefix("plumb-demo-").tempdir();
    let temporary = temporary.map_err(|error| Failure::new(format!("no temporary folder can be made: {error}")))?;
    let folder = kept.as_deref().unwrap_or(temporary.path());
    for (path, text) in files::FILES {
        let file = folder.join(path);
        output::make_folder(file.parent().unwrap_or(folder))?;
        output::write_whole(&file, text)?;
    }
    let begun_in = std::env::current_dir().ok();
    let enter = |folder: &Path| {
        std::env::set_current_dir(folder)
            .map_err(|error| Failure::new(format!("the folder {} cannot be entered: {error}", folder.display())))
    };
    enter(folder)?;
    let mut report = play(context);
    if report.exit == Exit::Clean && kept.is_some() {
        ask(&format!("check-up examples/run/midpoint.c --format html -o {PAGE}"), context);
        report.summary =
            format!("\nThe files are in {0}, and the last answer as a page is {0}/{PAGE}", folder.display());
    }
    report.result.insert("folder".into(), json!(kept));
    if let Some(folder) = begun_in {
        // The temporary folder cannot be removed from within everywhere; that it may stay is no failure.
        let _ = enter(&folder);
    }
    Ok(report)
}

fn absolute(folder: &Path) -> Result<PathBuf, Failure> {
    output::make_folder(folder)?;
    std::path::absolute(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))
}

/// Answers every command of the script, and stops at the first that ends otherwise than it should.
fn play(context: &Context<'_>) -> Report {
    let mut report = Report::new("demo");
    let mut shown = 0;
    for Scene { about, commands } in SCENES {
        anstream::println!("\n{about}");
        for (expected, line) in *commands {
            anstream::println!("\n$ plumb {line}");
            let exit = ask(line, context);
            if context.interrupted.load(Ordering::Relaxed) {
                report.exit = Exit::Interrupted;
                report.summary = "interrupted".to_string();
                return report;
            }
            if exit != *expected as u8 {
                report.exit = Exit::Found;
                report.summary = format!("demo: this command ended with status {exit}, not {}", *expected as u8);
                return report;
            }
            shown += 1;
        }
    }
    report.result.insert("commands".into(), json!(shown));
    report.summary = "\nNow one of your own files: plumb check-up FILE.c\n\
                      `plumb demo -o DIR` keeps the files of this demonstration, with a page to look at."
        .to_string();
    report
}

/// Answers one command line, as `main` does.
fn ask(line: &str, context: &Context<'_>) -> u8 {
    let words = shlex::split(line).expect("the quotes of a command of the script should match");
    let words = std::iter::once("plumb".to_string()).chain(words);
    let mut cli = Cli::try_parse_from(words).expect("a command of the script should be one");
    let Shared { time, jobs, seed, quiet, verbose, raw, require_sandbox, second_opinion, color, .. } =
        context.shared.clone();
    let quiet = quiet || cli.shared.quiet;
    cli.shared = Shared { time, jobs, seed, quiet, verbose, raw, require_sandbox, second_opinion, color, ..cli.shared };
    crate::run(&mut cli, None, context.interrupted.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn commands_are_understood_and_their_files_are_there() {
        let there: BTreeSet<&str> = files::FILES.iter().map(|(path, _)| *path).collect();
        assert!(there.iter().all(|path| root().join(path).exists()));
        for (_, line) in SCENES.iter().flat_map(|scene| scene.commands) {
            let words = shlex::split(line).expect("the quotes should match");
            let parsed = Cli::try_parse_from(std::iter::once("plumb").chain(words.iter().map(String::as_str)));
            assert!(parsed.is_ok(), "{line}");
            for file in words.iter().filter(|word| word.starts_with("examples/")) {
                assert!(there.contains(file.as_str()), "{line}: {file} should be embedded");
            }
        }
    }
}
