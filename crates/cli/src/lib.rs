//! The `plumb` command, as a library: the binary is [`main`](fn@main) and nothing else, and tests get at the readers of files
//! ([`readers`]) without a process.
//!
//! `main` reads the command line, runs the command on a thread with a large stack (C nests deeper than the main
//! thread's stack allows), renders its [`Report`](report::Report) and turns it into an exit status. A panic anywhere
//! below is our bug: it is caught here, said to be one, and becomes exit status 101.

mod args;
mod command;
mod exit;
mod interrupt;
mod output;
mod parts;
mod place;
mod private_file;
pub mod readers;
mod render;
mod report;
mod status_line;
mod stdin;

use args::{Cli, Command, Shared, When};
use clap::Parser;
use command::Context;
use exit::Exit;
use private_file::PrivateFile;
use report::{Failure, Report};
use status_line::StatusLine;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Address space, not memory: pages are used only when the nesting is that deep.
const STACK: usize = 1 << 30;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    if std::env::args_os().len() < 2 {
        anstream::print!("{}", args::WELCOME);
        return ExitCode::from(Exit::Clean as u8);
    }
    let mut cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Exit::BadInput as u8 } else { Exit::Clean as u8 });
        }
    };
    let interrupted = interrupt::flag();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        // The text of standard input is in a file as long as this lives.
        match stdin::take(&mut cli.command) {
            Ok(stdin) => run(&mut cli, stdin.as_ref(), interrupted),
            Err(failure) => fail(&failure, &cli.shared) as u8,
        }
    });
    let exit = match worker {
        Ok(worker) => worker.join().unwrap_or_else(|panic| fallen(&*panic) as u8),
        Err(error) => {
            eprintln!("error: could not start a thread: {error}");
            Exit::Inconclusive as u8
        }
    };
    ExitCode::from(exit)
}

/// What a panic means. A thread that the system does not give us is the one trouble of the surroundings that comes as a panic: the
/// standard library makes one of it wherever threads share a scope.
fn fallen(panic: &(dyn std::any::Any + Send)) -> Exit {
    if panic.downcast_ref::<String>().is_some_and(|message| message.starts_with("failed to spawn thread")) {
        eprintln!(
            "error: the system has no more threads for plumb\n  help: end other programs, or raise the limit (ulimit -u)"
        );
        return Exit::Inconclusive;
    }
    eprintln!("plumb: this is a bug in plumb, not in your program; please report it with the message above");
    Exit::Bug
}

/// The status to leave with.
pub(crate) fn run(cli: &mut Cli, stdin: Option<&PrivateFile>, interrupted: Arc<AtomicBool>) -> u8 {
    let start = Instant::now();
    let answered = answer(cli, &interrupted).map_err(|failure| match stdin {
        Some(stdin) => stdin.named_in(failure),
        None => failure,
    });
    match answered {
        // What is there counts as done, and nobody would do the rest.
        Ok(report) if report.exit == Exit::Interrupted && cli.command.shard().is_some() => {
            eprintln!("error: interrupted; the shard is not done, and no document of it was written");
            Exit::Interrupted as u8
        }
        Ok(report) => {
            let out = file_of_report(cli);
            let to_file = out.is_some();
            let setting = render::Setting {
                shared: &cli.shared,
                elapsed: start.elapsed(),
                color: !to_file && wants_color(&cli.shared, std::io::stdout().is_terminal()),
                shows_out: !cli.shared.raw && !to_file && std::io::stdout().is_terminal(),
                shows_err: !cli.shared.raw && std::io::stderr().is_terminal(),
            };
            let mut rendered = render::render(&report, &setting);
            if let Some(stdin) = stdin {
                rendered = stdin.named(rendered);
            }
            match output::deliver(&rendered, out) {
                Ok(()) => match report.exit {
                    Exit::Clean | Exit::Found => report.status.unwrap_or(report.exit as u8),
                    other => other as u8,
                },
                Err(failure) => fail(&failure, &cli.shared) as u8,
            }
        }
        // What could not be done because the user stopped it is no mistake of the invocation.
        Err(failure) if interrupted.load(Ordering::Relaxed) => {
            fail(&failure, &cli.shared);
            Exit::Interrupted as u8
        }
        Err(failure) => fail(&failure, &cli.shared) as u8,
    }
}

/// Where the report goes. A test suite, a site or manuals go to a folder, and the report about them to the user.
fn file_of_report(cli: &Cli) -> Option<&std::path::Path> {
    match &cli.command {
        Command::Reach(args) if args.all_branches && cli.shared.format == args::Format::Text => None,
        Command::Report(_) | Command::Man(_) | Command::Demo | Command::Capture(_) | Command::Submit(_) => None,
        _ => cli.shared.out.as_deref(),
    }
}

/// What the command says, of one program or of each of many.
pub(crate) fn answer(cli: &mut Cli, interrupted: &Arc<AtomicBool>) -> Result<Report, Failure> {
    let parts = cli.command.parts().copied().unwrap_or_default();
    match (parts.each, parts.shard) {
        (Some(each), shard) => command::each::each(cli, each, shard, interrupted, &answer_one),
        (None, Some(_)) if !matches!(cli.command, Command::Symmetry(_) | Command::CheckUp(_)) => {
            Err(Failure::new("the work on one program is one item")
                .with_help("--each takes every file for a program; --each=claim, place or client cuts one program"))
        }
        _ => answer_one(cli, interrupted),
    }
}

fn answer_one(cli: &Cli, interrupted: &Arc<AtomicBool>) -> Result<Report, Failure> {
    if cli.shared.require_sandbox {
        command::doctor::require_all_walls()?;
    }
    if cli.shared.second_opinion {
        smt::ask_twice();
    }
    let context = &Context { shared: &cli.shared, interrupted, status_line: &StatusLine::new(&cli.shared) };
    let mut report = match &cli.command {
        Command::Capture(args) => command::capture::capture(args, &cli.shared),
        Command::CheckUp(args) => command::check_up::check_up(args, context),
        Command::Infer(args) => command::infer::infer(args, context),
        Command::Contract(args) => command::contract::contract(args, context),
        Command::Prove(args) => command::prove::prove(args, context),
        Command::Reach(args) => command::reach::reach(args, context),
        Command::Symmetry(args) => command::symmetry::symmetry(args, context),
        Command::Conform(args) => command::conform::conform(args, context),
        Command::Repair(args) => command::repair::repair(args, context),
        Command::Represent(args) => command::represent::represent(args, context),
        Command::Check(args) => command::check::check(args, &cli.shared),
        Command::Run(args) => command::run::run(args, context),
        Command::Dump(args) => command::dump::dump(args, &cli.shared),
        Command::Submit(args) => command::submit::submit(args, &cli.shared),
        Command::Status(args) => command::submit::status(args, context),
        Command::Merge(args) => command::merge::merge(args, context),
        Command::Report(args) => command::report::report(args, &cli.shared),
        Command::Explain(args) => command::explain::explain(args),
        Command::Demo => command::demo::demo(context),
        Command::Schema => Ok(command::schema::schema()),
        Command::Lsp => command::lsp::lsp(),
        Command::Doctor => Ok(command::doctor::doctor()),
        Command::Completions(args) => Ok(command::completions::completions(args)),
        Command::Man(args) => command::completions::man(args, context.shared),
    }?;
    command::doctor::say_what_is_missing(&mut report);
    if interrupted.load(Ordering::Relaxed) && !matches!(report.exit, Exit::BadInput | Exit::Interrupted) {
        report.exit = Exit::Interrupted;
        // Notes come before the closing line.
        let closing = report.summary.rfind('\n').map_or(0, |end| end + 1);
        report.summary.insert_str(closing, "interrupted; ");
    }
    Ok(report)
}

fn fail(failure: &Failure, shared: &Shared) -> Exit {
    let color = wants_color(shared, std::io::stderr().is_terminal());
    eprint!("{}", render::failure(failure, color));
    Exit::BadInput
}

fn wants_color(shared: &Shared, terminal: bool) -> bool {
    match shared.color {
        When::Always => true,
        When::Never => false,
        When::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}
