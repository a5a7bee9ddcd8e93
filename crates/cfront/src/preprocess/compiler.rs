//! Running the user's compiler as a preprocessor, and reading its complaints.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use diagnostics::{Finding, Origin, Place, Rule, SourceFile, SourceMap, Span};

use super::{Failure, Options};

/// Something outside the program stands in the way. `help` is the next step to take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    pub message: String,
    pub help: String,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for Trouble {}

/// What the compiler is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// `-E -fdebug-cpp`: every token tagged with its place. GCC only.
    Tagged,
    /// `-E`: line markers.
    Plain,
    /// `-E -fdirectives-only`: includes and conditionals are done, macros are not expanded.
    DirectivesOnly,
    /// `-dM -E`: the macros that are defined.
    Macros,
}

pub(super) enum Source<'a> {
    /// An empty text.
    Nothing,
    File(&'a Path),
    /// Output of [`Mode::DirectivesOnly`]: all definitions are in it, so the compiler must not add its own.
    Text(Vec<u8>),
}

pub(super) enum Outcome {
    Done,
    /// What it wrote to its error stream.
    Refused(String),
}

pub(super) struct Compiler {
    program: String,
    arguments: Vec<String>,
    flags: Vec<String>,
    time_limit: Duration,
}

impl Compiler {
    pub fn new(options: &Options) -> Compiler {
        let mut words = options.cc.split_whitespace().map(str::to_string);
        let program = words.next().unwrap_or_else(|| "cc".to_string());
        Compiler {
            program,
            arguments: words.collect(),
            flags: preprocessing_flags(&options.flags),
            time_limit: options.time_limit,
        }
    }

    /// Runs the compiler and hands over its output line by line, without the line breaks.
    pub fn run(&self, source: &Source, mode: Mode, mut each_line: impl FnMut(&[u8])) -> Result<Outcome, Trouble> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg("-E");
        match mode {
            Mode::Tagged => _ = command.arg("-fdebug-cpp"),
            Mode::Plain => {}
            Mode::Macros => _ = command.arg("-dM"),
            // A condition that counts (`__COUNTER__`) is refused in this mode; headers that ask whether it is defined
            // have another way.
            Mode::DirectivesOnly => _ = command.args(["-fdirectives-only", "-U__COUNTER__", "-w"]),
        }
        match source {
            Source::Nothing => {
                command.args(&self.flags).args(["-x", "c", "-"]).stdin(Stdio::null());
            }
            Source::File(path) => {
                command.args(&self.flags).args(["-x", "c"]).arg(not_a_flag(path)).stdin(Stdio::null());
            }
            Source::Text(_) => {
                let standard = self.flags.iter().filter(|f| f.starts_with("-std=") || f.starts_with("-m"));
                command.args(["-undef", "-nostdinc"]).args(standard).args(["-x", "c", "-"]).stdin(Stdio::piped());
            }
        }
        // Messages are parsed, so they must not be translated. The child gets a process group of its own because
        // `cc` is a driver: on a timeout its children have to end with it.
        command.env("LC_ALL", "C").stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| Trouble {
            message: format!("cannot run the C compiler `{}`: {error}", self.program),
            help: "install a C compiler, or name one in the environment variable CC".to_string(),
        })?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("the child's output should be a pipe, because it was asked for");
        let mut stderr = child.stderr.take().expect("the child's errors should be a pipe, because it was asked for");
        let group = rustix::process::Pid::from_child(&child);

        let (finished, watch) = mpsc::channel::<()>();
        let limit = self.time_limit;
        std::thread::scope(|scope| {
            let watchdog = scope.spawn(move || {
                let late = watch.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
                if late {
                    // The group may be gone in this very moment; then there is nothing left to end.
                    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
                }
                late
            });
            if let (Some(mut stdin), Source::Text(text)) = (stdin, source) {
                // A compiler that stops reading says why on its error stream.
                scope.spawn(move || stdin.write_all(text).ok());
            }
            let errors = scope.spawn(move || {
                let mut bytes = Vec::new();
                let _ = stderr.by_ref().take(1 << 20).read_to_end(&mut bytes);
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
                String::from_utf8_lossy(&bytes).into_owned()
            });

            // A larger pipe lets compiler and reader wait for each other less; a smaller one does as well.
            let _ = rustix::pipe::fcntl_setpipe_size(&stdout, 1 << 20);
            let mut reader = BufReader::with_capacity(1 << 18, stdout);
            let mut line = Vec::new();
            let mut failed = None;
            loop {
                line.clear();
                match reader.read_until(b'\n', &mut line) {
                    Ok(0) => break,
                    Ok(_) => {
                        if line.last() == Some(&b'\n') {
                            line.pop();
                        }
                        each_line(&line);
                    }
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            }
            let status = child.wait();
            drop(finished);
            let late = watchdog.join().unwrap_or(false);
            let messages = errors.join().unwrap_or_default();
            if late {
                return Err(Trouble {
                    message: format!("`{} -E` did not end within {} s", self.program, limit.as_secs()),
                    help: "check that no include file is a pipe or a device".to_string(),
                });
            }
            if let Some(error) = failed {
                return Err(Trouble {
                    message: format!("cannot read the output of `{} -E`: {error}", self.program),
                    help: "try again".to_string(),
                });
            }
            match status {
                Ok(status) if status.success() => Ok(Outcome::Done),
                Ok(status) if status.code().is_some() => Ok(Outcome::Refused(messages)),
                Ok(status) => Err(Trouble {
                    message: format!("`{} -E` was ended: {status}", self.program),
                    help: format!("run `{} -E` on the file by hand to see why", self.program),
                }),
                Err(error) => Err(Trouble {
                    message: format!("cannot wait for `{}`: {error}", self.program),
                    help: "try again".to_string(),
                }),
            }
        })
    }
}

/// A path as an argument that cannot be mistaken for a flag.
fn not_a_flag(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        PathBuf::from(".").join(path).into_os_string()
    } else {
        path.as_os_str().to_owned()
    }
}

/// The build's flags without those that ask for another output than preprocessed text.
fn preprocessing_flags(flags: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" => _ = flags.next(),
            "-c" | "-S" | "-E" | "-P" | "-C" | "-CC" | "-v" | "-Werror" | "-save-temps" | "-fdirectives-only" => {}
            f if f.starts_with("-o") || f.starts_with("-M") || f.starts_with("-save-temps=") => {}
            f if f.starts_with("-Werror=") || f.starts_with("-d") || f.starts_with("-Wp,-M") => {}
            _ => kept.push(flag.clone()),
        }
    }
    kept
}

/// Refuses what is not a readable regular file before a compiler can hang on it.
pub(super) fn check_readable(path: &Path) -> Result<(), Trouble> {
    let shown = path.display();
    let trouble = |message: String, help: &str| Err(Trouble { message, help: help.to_string() });
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return trouble(format!("{shown} does not exist"), "check the path");
        }
        Err(error) => return trouble(format!("cannot read {shown}: {error}"), "check the path and its permissions"),
    };
    if metadata.is_dir() {
        return trouble(format!("{shown} is a directory"), "name the C files in it");
    }
    if !metadata.is_file() {
        return trouble(format!("{shown} is not a regular file"), "copy its contents to a file first");
    }
    match std::fs::File::open(path) {
        Ok(_) => Ok(()),
        Err(error) => trouble(format!("cannot read {shown}: {error}"), "check its permissions"),
    }
}

/// Whether the compiler failed because it does not know `-fdebug-cpp`.
pub(super) fn lacks_tags(messages: &str) -> bool {
    messages.lines().any(|line| line.contains("-fdebug-cpp"))
}

/// What the compiler complained about, as findings at the places it named.
pub(super) fn complaint(path: &Path, messages: &str, options: &Options, map: &mut SourceMap, base: u32) -> Failure {
    let mut findings = Vec::new();
    for message in messages.lines().filter_map(parse_message).take(20) {
        let at = base + findings.len() as u32;
        let file = map.add_file(SourceFile::new(message.file.clone(), read_text(&message.file), false));
        map.add_origins([Origin {
            at,
            written: Place { file, line: message.line, column: message.column },
            used: None,
        }]);
        let help = match message.text.strip_suffix(": No such file or directory") {
            Some(_) => "name the folder of the header after `--`, for example `-- -Iinclude`",
            None => "the message is the compiler's; pass the flags the file is built with after `--`",
        };
        findings.push(Finding::new(Rule::Preprocess, Span::new(at, at + 1), message.text).with_help(help));
    }
    if findings.is_empty() {
        let first = messages.lines().find(|l| !l.trim().is_empty()).unwrap_or("it gave no reason");
        return Failure::Environment(Trouble {
            message: format!("`{} -E` failed on {}: {first}", options.cc, path.display()),
            help: "check the flags after `--`".to_string(),
        });
    }
    let end = base + findings.len() as u32 + 1;
    Failure::Program { findings, end }
}

struct Message {
    file: String,
    line: u32,
    column: u32,
    text: String,
}

/// Reads `file:line:column: error: text`, where the file name may hold colons of its own.
fn parse_message(line: &str) -> Option<Message> {
    let (place, text) = [": fatal error: ", ": error: "].iter().find_map(|mark| line.split_once(mark))?;
    let mut parts = place.rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    match (first, middle.parse::<u32>(), last.parse::<u32>()) {
        (Some(file), Ok(line), Ok(column)) => {
            Some(Message { file: file.to_string(), line, column: column.max(1), text: text.to_string() })
        }
        _ => {
            let line = last.parse().ok()?;
            let file = place.strip_suffix(last)?.strip_suffix(':')?.to_string();
            Some(Message { file, line, column: 1, text: text.to_string() })
        }
    }
}

/// The text of a file the compiler named, each byte that is not UTF-8 replaced by one character so that
/// columns stay true; `None` when it cannot be read (again).
pub fn read_text(path: &str) -> Option<String> {
    if !std::fs::metadata(path).is_ok_and(|m| m.is_file()) {
        return None;
    }
    match String::from_utf8(std::fs::read(path).ok()?) {
        Ok(text) => Some(text),
        Err(error) => {
            let mut text = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
            }
            Some(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_colons_in_names() {
        let message = parse_message("dir:1/a.c:12:3: fatal error: x.h: No such file or directory").unwrap();
        assert_eq!((message.file.as_str(), message.line, message.column), ("dir:1/a.c", 12, 3));
        assert_eq!(message.text, "x.h: No such file or directory");
        let message = parse_message("a.c:7: error: unterminated #if").unwrap();
        assert_eq!((message.file.as_str(), message.line, message.column), ("a.c", 7, 1));
        assert!(parse_message("cc: error: unrecognized command-line option '-fnope'").is_none());
        assert!(parse_message("compilation terminated.").is_none());
    }

    #[test]
    fn flags_for_other_outputs_are_left_out() {
        let flags = ["-c", "-o", "x.o", "-DN=1", "-MMD", "-MF", "x.d", "-Iinc", "-O2", "-ofoo"].map(String::from);
        assert_eq!(preprocessing_flags(&flags), ["-DN=1", "-Iinc", "-O2"]);
    }
}
