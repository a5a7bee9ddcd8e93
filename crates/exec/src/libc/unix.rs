//! unistd.h, fcntl.h and sys/stat.h: descriptors, and what is known of files.

use super::{Answer, Entry, Library, errno, int, library, library_string, null, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

pub(super) const MODELS: &[Entry] = &[
    ("ssize_t write(int, const void *, size_t)", write),
    ("ssize_t read(int, void *, size_t)", read),
    ("int isatty(int)", isatty),
    ("int ioctl(int, unsigned long, ...)", ioctl),
    ("int access(const char *, int)", access),
    ("int open(const char *, int, ...)", open),
    ("int open64(const char *, int, ...)", open),
    ("int creat(const char *, unsigned)", |call| open_with(call, libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC)),
    ("int close(int)", close),
    ("off_t lseek(int, off_t, int)", lseek),
    ("off_t lseek64(int, off_t, int)", lseek),
    ("FILE *fdopen(int, const char *)", fdopen),
    ("int stat(const char *, void *)", |call| stat(call, true)),
    ("int stat64(const char *, void *)", |call| stat(call, true)),
    ("int lstat(const char *, void *)", |call| stat(call, false)),
    ("int lstat64(const char *, void *)", |call| stat(call, false)),
    ("int fstat(int, void *)", fstat),
    ("int fstat64(int, void *)", fstat),
    ("char *getcwd(char *, size_t)", getcwd),
];

const ENOTTY: i32 = 25;

fn write(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, from, length) = (call.i32(0)?, call.pointer(1)?, call.u64(2)?);
    let bytes = call.memory().read(from, length)?.to_vec();
    if !put(call, descriptor, &bytes)? {
        return Ok(Value::signed(-1));
    }
    Ok(Value::unsigned(length))
}

/// Writes to a descriptor; false, with `errno` set, if it does not take it.
pub(super) fn put(call: &mut Call<'_, '_>, descriptor: i32, bytes: &[u8]) -> Result<bool, Stop> {
    let streams = &mut library(call).streams;
    let done = match streams.of_descriptor(descriptor) {
        None => Err(errno::EBADF),
        Some(id) => streams.write_now(id, bytes)?,
    };
    if let Err(code) = done {
        errno::set(call, code)?;
    }
    Ok(done.is_ok())
}

pub(super) fn read(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, to, most) = (call.i32(0)?, call.pointer(1)?, call.u64(2)?);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let bytes = match descriptor {
        0 => library(call).streams.read_raw(most)?,
        _ => {
            let Some(id) = library(call).streams.of_descriptor(descriptor) else { return failed(call, errno::EBADF) };
            match library(call).streams.read_bytes(id, most) {
                Ok(bytes) => bytes,
                Err(code) => return failed(call, code),
            }
        }
    };
    call.memory().write(to, &bytes)?;
    Ok(Value::signed(bytes.len() as i64))
}

/// Nothing is a terminal.
fn isatty(call: &mut Call<'_, '_>) -> Answer {
    call.i32(0)?;
    errno::set(call, ENOTTY)?;
    int(0)
}

/// What `ioctl` asks is asked of devices, and there is none.
fn ioctl(call: &mut Call<'_, '_>) -> Answer {
    failed(call, ENOTTY)
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

/// -1, with the number of the error.
pub(super) fn failed(call: &mut Call<'_, '_>, code: i32) -> Answer {
    errno::set(call, code)?;
    int(-1)
}

fn open(call: &mut Call<'_, '_>) -> Answer {
    let flags = call.i32(1)?;
    open_with(call, flags)
}

fn open_with(call: &mut Call<'_, '_>, flags: i32) -> Answer {
    let (path, span) = (string_argument(call, 0)?, call.span);
    library(call).streams.opening_at(span);
    if flags & libc::O_DIRECTORY != 0 {
        return Err(Stop::unsupported("`open` of a folder"));
    }
    match library(call).streams.open_descriptor(&path, flags)? {
        Ok(descriptor) => int(descriptor),
        Err(code) => failed(call, code),
    }
}

fn close(call: &mut Call<'_, '_>) -> Answer {
    let descriptor = call.i32(0)?;
    match library(call).streams.of_descriptor(descriptor) {
        Some(id) => {
            library(call).streams.close(id);
            int(0)
        }
        None => failed(call, errno::EBADF),
    }
}

fn lseek(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, offset, whence) = (call.i32(0)?, call.i64(1)?, call.i32(2)?);
    let streams = &mut library(call).streams;
    let Some(id) = streams.of_descriptor(descriptor) else { return failed(call, errno::EBADF) };
    match streams.seek(id, offset, whence).and_then(|()| streams.tell(id)) {
        Ok(position) => Ok(Value::signed(position)),
        Err(code) => failed(call, code),
    }
}

fn fdopen(call: &mut Call<'_, '_>) -> Answer {
    let descriptor = call.i32(0)?;
    let Some(id) = library(call).streams.of_descriptor(descriptor) else {
        errno::set(call, errno::EBADF)?;
        return null();
    };
    let (memory, library) = call.memory_and_library::<Library>();
    Ok(Value::pointer(library.streams.file_of_descriptor(memory, id)?))
}

/// What `struct stat` says about a file, in the order it says it.
struct Status {
    mode: u32,
    size: u64,
    inode: u64,
    links: u64,
    modified: i64,
}

/// Writes a `struct stat` of x86-64.
fn store_status(call: &mut Call<'_, '_>, to: Address, status: &Status) -> Answer {
    let mut bytes = [0u8; 144];
    bytes[8..16].copy_from_slice(&status.inode.to_le_bytes());
    bytes[16..24].copy_from_slice(&status.links.to_le_bytes());
    bytes[24..28].copy_from_slice(&status.mode.to_le_bytes());
    bytes[48..56].copy_from_slice(&status.size.to_le_bytes());
    bytes[56..64].copy_from_slice(&4096u64.to_le_bytes());
    bytes[64..72].copy_from_slice(&status.size.div_ceil(512).to_le_bytes());
    for at in [72, 88, 104] {
        bytes[at..at + 8].copy_from_slice(&status.modified.to_le_bytes());
    }
    call.memory().write(to, &bytes)?;
    int(0)
}

/// A file of the run, which has no time of its own.
fn plain_file(size: u64) -> Status {
    Status { mode: libc::S_IFREG | 0o644, size, inode: 1, links: 1, modified: super::environment::TIME }
}

fn stat(call: &mut Call<'_, '_>, follow: bool) -> Answer {
    let (path, to) = (string_argument(call, 0)?, call.pointer(1)?);
    library(call).streams.settle();
    if let Some(found) = library(call).streams.locate(&path) {
        let name = std::path::Path::new(std::ffi::OsStr::from_bytes(&path));
        let metadata = if follow { found.path.metadata() } else { name.symlink_metadata() };
        return match metadata {
            Ok(metadata) => {
                let status = Status {
                    mode: metadata.mode(),
                    size: metadata.size(),
                    inode: metadata.ino(),
                    links: metadata.nlink(),
                    modified: metadata.mtime(),
                };
                store_status(call, to, &status)
            }
            Err(error) => failed(call, super::host::error_number(&error)),
        };
    }
    match library(call).streams.named_size(&path)? {
        Some(size) => store_status(call, to, &plain_file(size)),
        None => failed(call, errno::ENOENT),
    }
}

fn fstat(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, to) = (call.i32(0)?, call.pointer(1)?);
    let streams = &library(call).streams;
    let Some(id) = streams.of_descriptor(descriptor) else { return failed(call, errno::EBADF) };
    match streams.size(id) {
        Some(size) => store_status(call, to, &plain_file(size)),
        // The standard streams are pipes.
        None => {
            let status = Status { mode: libc::S_IFIFO | 0o600, ..plain_file(0) };
            store_status(call, to, &status)
        }
    }
}

/// The folder that relative names start from: the real one if the run was given it.
fn getcwd(call: &mut Call<'_, '_>) -> Answer {
    let (to, room) = (call.pointer(0)?, call.u64(1)?);
    let mut text = match library(call).streams.locate(b".") {
        Some(found) => found.path.as_os_str().as_bytes().to_vec(),
        None => b"/run".to_vec(),
    };
    text.push(0);
    if to.is_null() {
        text.pop();
        return Ok(Value::pointer(library_string(call, &text)?));
    }
    if text.len() as u64 > room {
        errno::set(call, libc::ERANGE)?;
        return null();
    }
    call.memory().write(to, &text)?;
    Ok(Value::pointer(to))
}
