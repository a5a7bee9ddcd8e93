//! Running the user's compiler as a preprocessor, and reading its complaints.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use diagnostics::{Finding, Origin, Place, Rule, SourceFile, SourceMap, Span};
use sandbox::{Job, Limits, Policy, Start, Stop, View, VisibleFiles, environment, not_a_flag};

use super::{Failure, Options};

/// Something outside the program stands in the way. `help` is the next step to take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnvironmentError {
    pub message: String,
    pub help: String,
}

impl std::fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for EnvironmentError {}

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
    view: View,
    time_limit: Duration,
}

/// Address space of each process of the preprocessor, and the most that one unit may become: macros that call each other
/// can make any amount of text of a few lines.
const MEMORY: u64 = 4 << 30;
const MOST_OUTPUT: u64 = 2 << 30;
/// The longest line of its output: a tagged token is a few hundred characters.
const LONGEST_LINE: usize = 256 << 20;

impl Compiler {
    /// The compiler for a file: it sees what `options` and the file's place let it see, and no more.
    pub fn new(options: &Options, view: View) -> Compiler {
        let mut words = options.cc.split_whitespace().map(str::to_string);
        let program = words.next().unwrap_or_else(|| "cc".to_string());
        Compiler {
            program,
            arguments: words.collect(),
            flags: preprocessing_flags(&options.flags),
            view,
            time_limit: options.time_limit,
        }
    }

    /// Runs the compiler and hands over its output line by line, without the line breaks.
    pub fn run(
        &self,
        source: &Source,
        mode: Mode,
        mut each_line: impl FnMut(&[u8]),
    ) -> Result<Outcome, EnvironmentError> {
        let cannot_run = |error: std::io::Error| EnvironmentError {
            message: format!("cannot run the C compiler `{}`: {error}", self.program),
            help: "install a C compiler, or name one in the environment variable CC".to_string(),
        };
        let mut start = Start::new(Policy::Preprocessor, OsStr::new(&self.program)).map_err(cannot_run)?;
        start.name = Some(self.program.clone().into());
        start.arguments = self.arguments(source, mode);
        // Messages are parsed, so they must not be translated.
        start.environment = environment::for_compiler();
        start.folder = std::env::current_dir().ok();
        start.view = self.view.clone();
        let time = self.time_limit;
        start.limits = Limits {
            cpu_seconds: Some(time.as_secs().saturating_add(2)),
            address_space: Some(MEMORY),
            file_size: 1 << 20,
            ..Limits::default()
        };
        let stdin: &[u8] = match source {
            Source::Nothing | Source::File(_) => &[],
            Source::Text(text) => text,
        };
        let job = Job { start, stdin, time, output: 1 << 20, processes: Some(16), memory: None, cancel: None };

        let mut lines = Lines { rest: Vec::new(), left: MOST_OUTPUT, each: &mut each_line };
        let finished = sandbox::run_with(job, &mut |piece| lines.take(piece)).map_err(cannot_run)?;
        lines.finish();
        let too_large = |what: &str| EnvironmentError {
            message: format!("`{} -E` {what}", self.program),
            help: "look for macros that call each other many times, or for very large include files".to_string(),
        };
        match finished.stop {
            Stop::Exited(0) => Ok(Outcome::Done),
            Stop::Exited(_) => Ok(Outcome::Refused(String::from_utf8_lossy(&finished.stderr).into_owned())),
            Stop::Time | Stop::Signalled(libc::SIGXCPU) => Err(EnvironmentError {
                message: format!("`{} -E` did not end within {} s", self.program, time.as_secs_f64().ceil()),
                help: "look for macros that call each other many times, and check that no include file is a pipe or a device"
                    .to_string(),
            }),
            Stop::Output => Err(too_large("makes more text of the program than can be analysed")),
            Stop::Memory | Stop::Processes => Err(too_large("takes more memory than it may")),
            Stop::Cancelled => Err(EnvironmentError {
                message: format!("`{} -E` was cancelled", self.program),
                help: "try again".to_string(),
            }),
            Stop::Signalled(signal) => Err(EnvironmentError {
                message: format!("`{} -E` was ended by signal {signal}", self.program),
                help: format!("run `{} -E` on the file by hand to see why", self.program),
            }),
        }
    }

    fn arguments(&self, source: &Source, mode: Mode) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = self.arguments.iter().map(OsString::from).collect();
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
        add(&["-E"]);
        match mode {
            Mode::Tagged => add(&["-fdebug-cpp"]),
            Mode::Plain => {}
            Mode::Macros => add(&["-dM"]),
            // A condition that counts (`__COUNTER__`) is refused in this mode; headers that ask whether it is defined
            // have another way.
            Mode::DirectivesOnly => add(&["-fdirectives-only", "-U__COUNTER__", "-w"]),
        }
        match source {
            Source::Nothing => {
                arguments.extend(self.flags.iter().map(OsString::from));
                arguments.extend(["-x".into(), "c".into(), "-".into()]);
            }
            Source::File(path) => {
                arguments.extend(self.flags.iter().map(OsString::from));
                arguments.extend(["-x".into(), "c".into(), not_a_flag(path)]);
            }
            Source::Text(_) => {
                add(&["-undef", "-nostdinc"]);
                let standard = self.flags.iter().filter(|f| f.starts_with("-std=") || f.starts_with("-m"));
                arguments.extend(standard.map(OsString::from));
                arguments.extend(["-x".into(), "c".into(), "-".into()]);
            }
        }
        arguments
    }
}

/// Cuts the compiler's output into lines while it arrives.
struct Lines<'f> {
    /// The beginning of a line whose end has not come.
    rest: Vec<u8>,
    left: u64,
    each: &'f mut dyn FnMut(&[u8]),
}

impl Lines<'_> {
    /// Whether there may be more.
    fn take(&mut self, mut piece: &[u8]) -> bool {
        self.left = self.left.saturating_sub(piece.len() as u64);
        while let Some(end) = memchr::memchr(b'\n', piece) {
            if self.rest.is_empty() {
                (self.each)(&piece[..end]);
            } else {
                self.rest.extend_from_slice(&piece[..end]);
                (self.each)(&self.rest);
                self.rest.clear();
            }
            piece = &piece[end + 1..];
        }
        self.rest.extend_from_slice(piece);
        self.left > 0 && self.rest.len() < LONGEST_LINE
    }

    fn finish(&mut self) {
        if !self.rest.is_empty() {
            (self.each)(&self.rest);
        }
    }
}

/// What a compiler may see of a file's surroundings.
pub(super) fn view_of(path: &Path, options: &Options) -> View {
    let mut view = view_of_compiler(options);
    view.show_source(path);
    view
}

/// What a compiler may see that is given no file: what its flags name, and its own words.
pub(super) fn view_of_compiler(options: &Options) -> View {
    let mut view = View::new(Policy::Preprocessor);
    view.show_flags(&options.flags);
    let words: Vec<&str> = options.cc.split_whitespace().skip(1).collect();
    view.show_flags(&words);
    view
}

/// The build's flags without those that ask for another output than preprocessed text, and without the checks that the
/// library's headers put around its functions: the call that the program makes is what is looked at, and the checks are
/// written in terms that only a compiler has (`__builtin_va_arg_pack`).
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
    // Some compilers define it on their own.
    kept.push("-U_FORTIFY_SOURCE".to_string());
    kept
}

/// Refuses what is not a readable regular file before a compiler can hang on it.
pub(super) fn check_readable(path: &Path) -> Result<(), EnvironmentError> {
    let shown = path.display();
    let fail = |message: String, help: &str| Err(EnvironmentError { message, help: help.to_string() });
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return fail(format!("{shown} does not exist"), "check the path");
        }
        Err(error) => return fail(format!("cannot read {shown}: {error}"), "check the path and its permissions"),
    };
    if metadata.is_dir() {
        return fail(format!("{shown} is a directory"), "name the C files in it");
    }
    if !metadata.is_file() {
        return fail(format!("{shown} is not a regular file"), "copy its contents to a file first");
    }
    match std::fs::File::open(path) {
        Ok(_) => Ok(()),
        Err(error) => fail(format!("cannot read {shown}: {error}"), "check its permissions"),
    }
}

/// Whether the compiler failed because it does not know `-fdebug-cpp`.
pub(super) fn lacks_tags(messages: &str) -> bool {
    messages.lines().any(|line| line.contains("-fdebug-cpp"))
}

/// What the compiler complained about, as findings at the places it named.
pub(super) fn complaint(
    path: &Path,
    messages: &str,
    options: &Options,
    shown: &VisibleFiles,
    map: &mut SourceMap,
    base: u32,
) -> Failure {
    let mut findings = Vec::new();
    for message in messages.lines().filter_map(parse_message).take(20) {
        let at = base + findings.len() as u32;
        let file = map.add_file(SourceFile::new(message.file.clone(), read_shown(&message.file, shown), false));
        map.add_origins([Origin {
            at,
            written: Place { file, line: message.line, column: message.column },
            used: None,
        }]);
        let help = match message.text.strip_suffix(": No such file or directory") {
            Some(_) => {
                "name the folder of the header after `--`, for example `-- -Iinclude`; files outside the folders of the program are not read"
            }
            None => "the message is the compiler's; pass the flags the file is built with after `--`",
        };
        findings.push(Finding::new(Rule::Preprocess, Span::new(at, at + 1), message.text).with_help(help));
    }
    if findings.is_empty() {
        let first = messages.lines().find(|l| !l.trim().is_empty()).unwrap_or("it gave no reason");
        return Failure::Environment(EnvironmentError {
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

/// The text of a file the compiler named, where the file's view holds it: a program can name any file in a line marker,
/// and what is read here is shown in reports.
pub(super) fn read_shown(path: &str, shown: &VisibleFiles) -> Option<String> {
    shown.contains(Path::new(path)).then(|| read_text(path)).flatten()
}

/// Offsets into all texts together must fit in 31 bits.
const LARGEST_FILE: u64 = 1 << 30;

/// The text of a file, each byte that is not UTF-8 replaced by one character so that
/// columns stay true; `None` when it cannot be read (again).
pub fn read_text(path: &str) -> Option<String> {
    // Opened so that a pipe does not make us wait, and asked afterwards, so that nobody can change what it is between.
    let file = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    if !file.metadata().is_ok_and(|m| m.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE).read_to_end(&mut bytes).ok()?;
    match String::from_utf8(bytes) {
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
        assert_eq!(preprocessing_flags(&flags), ["-DN=1", "-Iinc", "-O2", "-U_FORTIFY_SOURCE"]);
    }
}
