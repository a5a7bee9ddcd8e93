//! err.h and error.h: complaints that start with the name of the program.

use super::printing::text_of;
use super::{Answer, Entry, errno, library, library_string, run_at_exit, string_argument};
use crate::vm::{Call, Rest, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("void warn(const char *, ...)", |call| complain(call, Format::Direct(0), Cause::Last)),
    ("void warnx(const char *, ...)", |call| complain(call, Format::Direct(0), Cause::None)),
    ("void warnc(int, const char *, ...)", |call| {
        let code = call.i32(0)?;
        complain(call, Format::Direct(1), Cause::Code(code))
    }),
    ("void vwarn(const char *, va_list)", |call| complain(call, Format::List(0), Cause::Last)),
    ("void vwarnx(const char *, va_list)", |call| complain(call, Format::List(0), Cause::None)),
    ("void err(int, const char *, ...)", |call| leave(call, Format::Direct(1), Cause::Last)),
    ("void errx(int, const char *, ...)", |call| leave(call, Format::Direct(1), Cause::None)),
    ("void verr(int, const char *, va_list)", |call| leave(call, Format::List(1), Cause::Last)),
    ("void verrx(int, const char *, va_list)", |call| leave(call, Format::List(1), Cause::None)),
    ("void error(int, int, const char *, ...)", error),
    ("char *strsignal(int)", |call| {
        let text = signal_text(call.i32(0)?);
        Ok(Value::pointer(library_string(call, &text)?))
    }),
    ("void psignal(int, const char *)", psignal),
];

/// Where the format is, and whether its arguments follow it or are a list behind it.
#[derive(Clone, Copy)]
enum Format {
    Direct(usize),
    List(usize),
}

/// The error that a complaint names.
enum Cause {
    None,
    Last,
    Code(i32),
}

/// The text that a format makes; nothing for no format.
fn message(call: &mut Call<'_, '_>, format: Format) -> Result<Option<Vec<u8>>, Stop> {
    let (at, rest) = match format {
        Format::Direct(at) => (at, Rest::Direct(at + 1)),
        Format::List(at) => (at, Rest::List(call.pointer(at + 1)?)),
    };
    if call.pointer(at)?.is_null() { Ok(None) } else { text_of(call, at, rest).map(Some) }
}

fn complain(call: &mut Call<'_, '_>, format: Format, cause: Cause) -> Answer {
    let code = match cause {
        Cause::None => None,
        Cause::Last => Some(errno::get(call)?),
        Cause::Code(code) => Some(code),
    };
    let text = message(call, format)?;
    let mut line = library(call).short_name().to_vec();
    line.extend_from_slice(b": ");
    line.extend_from_slice(text.as_deref().unwrap_or_default());
    if let Some(code) = code {
        if text.is_some() {
            line.extend_from_slice(b": ");
        }
        line.extend_from_slice(&errno::text(code));
    }
    line.push(b'\n');
    library(call).streams.write_stderr(&line)?;
    Ok(Value::NONE)
}

fn exit(call: &mut Call<'_, '_>, status: i32) -> Answer {
    run_at_exit(call.machine)?;
    Err(Stop::Exit(status))
}

fn leave(call: &mut Call<'_, '_>, format: Format, cause: Cause) -> Answer {
    let status = call.i32(0)?;
    complain(call, format, cause)?;
    exit(call, status)
}

/// glibc writes out `stdout` first, and leaves only with a status that is not 0.
fn error(call: &mut Call<'_, '_>) -> Answer {
    let (status, code) = (call.i32(0)?, call.i32(1)?);
    let text = message(call, Format::Direct(2))?.unwrap_or_default();
    let library = library(call);
    library.streams.flush_stdout();
    let mut line = [library.name.as_slice(), b": ", &text].concat();
    if code != 0 {
        line.extend_from_slice(b": ");
        line.extend_from_slice(&errno::text(code));
    }
    line.push(b'\n');
    library.streams.write_stderr(&line)?;
    if status == 0 { Ok(Value::NONE) } else { exit(call, status) }
}

/// What glibc says about a signal.
fn signal_text(number: i32) -> Vec<u8> {
    const TEXTS: [&str; 31] = [
        "Hangup",
        "Interrupt",
        "Quit",
        "Illegal instruction",
        "Trace/breakpoint trap",
        "Aborted",
        "Bus error",
        "Floating point exception",
        "Killed",
        "User defined signal 1",
        "Segmentation fault",
        "User defined signal 2",
        "Broken pipe",
        "Alarm clock",
        "Terminated",
        "Stack fault",
        "Child exited",
        "Continued",
        "Stopped (signal)",
        "Stopped",
        "Stopped (tty input)",
        "Stopped (tty output)",
        "Urgent I/O condition",
        "CPU time limit exceeded",
        "File size limit exceeded",
        "Virtual timer expired",
        "Profiling timer expired",
        "Window changed",
        "I/O possible",
        "Power failure",
        "Bad system call",
    ];
    let known = usize::try_from(number).ok().and_then(|number| TEXTS.get(number.checked_sub(1)?));
    known.map_or_else(|| format!("Unknown signal {number}").into_bytes(), |text| text.as_bytes().to_vec())
}

fn psignal(call: &mut Call<'_, '_>) -> Answer {
    let number = call.i32(0)?;
    let mut line = if call.pointer(1)?.is_null() { Vec::new() } else { string_argument(call, 1)? };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(&signal_text(number));
    line.push(b'\n');
    library(call).streams.write_stderr(&line)?;
    Ok(Value::NONE)
}
