//! `plumb lsp`: the commands, asked by an editor about the texts it has open.
//!
//! A text that is being written is not what is stored, so it is put into a private file under the same name, beside which the
//! compiler finds what the folder of the real one has. Documents name the real file.

use crate::args::{Cli, Format};
use crate::exit::Exit;
use crate::private_file::PrivateFile;
use crate::render;
use crate::report::{Failure, Report};
use clap::Parser;
use lsp::{Analyst, Buffer, Ended, Question, Wire};
use serde_json::Value;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub fn lsp() -> Result<Report, Failure> {
    let (wire, writer) = Wire::start(BufReader::new(std::io::stdin()), std::io::stdout());
    let ended = lsp::serve(wire, Arc::new(Commands));
    // What was sent last is still on its way. A writer that panicked has nothing more to say.
    let _ = writer.join();
    let mut report = Report::new("lsp");
    report.exit = match ended {
        Ended::AsAgreed => Exit::Clean,
        Ended::WithoutShutdown => Exit::Found,
    };
    Ok(report)
}

/// Answers by the commands of the command line.
struct Commands;

impl Analyst for Commands {
    fn ask(
        &self,
        buffer: &Buffer,
        question: &Question,
        seconds: f64,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Value, String> {
        let (buffer, words, cancel) = (buffer.clone(), question.words(), cancel.clone());
        let work = move || answer(&buffer, &words, seconds, &cancel);
        let worker = std::thread::Builder::new().stack_size(crate::STACK).spawn(work);
        let worker = worker.map_err(|error| format!("could not start a thread: {error}"))?;
        worker.join().unwrap_or_else(|_| Err("this is a bug in plumb; please report it".to_string()))
    }
}

fn answer(buffer: &Buffer, words: &[String], seconds: f64, cancel: &Arc<AtomicBool>) -> Result<Value, String> {
    let said = |failure: Failure| match failure.help {
        Some(help) => format!("{}; {help}", failure.message),
        None => failure.message,
    };
    let name = buffer.path.file_name().map_or("buffer.c".as_ref(), Path::new);
    let folder = buffer.path.parent().unwrap_or(Path::new("."));
    let private = PrivateFile::new(name, buffer.text.as_bytes(), folder).map_err(said)?;
    let mut line = vec!["plumb".to_string()];
    line.extend(words.iter().cloned());
    line.push(private.path().display().to_string());
    line.extend([format!("--time={seconds}"), format!("--cflags={}", private.flags())]);
    if !buffer.flags.is_empty() {
        line.push("--".to_string());
        line.extend(buffer.flags.iter().cloned());
    }
    let mut cli = Cli::try_parse_from(line).map_err(|error| error.to_string())?;
    cli.shared.format = Format::Json;
    cli.shared.quiet = true;
    let started = Instant::now();
    let report = crate::answer(&mut cli, cancel).map_err(|failure| said(private.named_in(failure)))?;
    let rendered = render::render(&report, &setting(&cli, started.elapsed()));
    let rendered = private.named(rendered);
    serde_json::from_slice(&rendered.out).map_err(|error| error.to_string())
}

fn setting(cli: &Cli, elapsed: Duration) -> render::Setting<'_> {
    render::Setting { shared: &cli.shared, elapsed, color: false, shows_out: false, shows_err: false }
}
