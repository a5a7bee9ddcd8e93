//! unistd.h: what is the same on every run.

use super::{Answer, Entry, errno, int, library, string_argument};
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("ssize_t write(int, const void *, size_t)", write),
    ("ssize_t read(int, void *, size_t)", read),
    ("int isatty(int)", isatty),
    ("int access(const char *, int)", access),
];

const ENOTTY: i32 = 25;

fn write(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, from, length) = (call.i32(0)?, call.pointer(1)?, call.u64(2)?);
    let bytes = call.memory().read(from, length)?.to_vec();
    match descriptor {
        1 => library(call).streams.write_stdout_now(&bytes)?,
        2 => library(call).streams.write_stderr(&bytes)?,
        _ => return Err(Stop::unsupported("`write` to anything but descriptors 1 and 2")),
    }
    Ok(Value::unsigned(length))
}

pub(super) fn read(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, to, most) = (call.i32(0)?, call.pointer(1)?, call.u64(2)?);
    if descriptor != 0 {
        return Err(Stop::unsupported("`read` from anything but descriptor 0"));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let bytes = library(call).streams.read_raw(most)?;
    call.memory().write(to, &bytes)?;
    Ok(Value::signed(bytes.len() as i64))
}

/// Nothing is a terminal.
fn isatty(call: &mut Call<'_, '_>) -> Answer {
    call.i32(0)?;
    errno::set(call, ENOTTY)?;
    int(0)
}

/// A file of the run may be read and written, and nothing may be executed.
fn access(call: &mut Call<'_, '_>) -> Answer {
    let (path, mode) = (string_argument(call, 0)?, call.i32(1)?);
    let exists = library(call).streams.exists(&path)?;
    if exists && mode & 1 == 0 {
        return int(0);
    }
    errno::set(call, if exists { 13 } else { errno::ENOENT })?;
    int(-1)
}
