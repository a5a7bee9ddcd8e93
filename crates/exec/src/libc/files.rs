//! unistd.h, fcntl.h, sys/stat.h, sys/mman.h and stdlib.h: what is done to files besides reading and writing them.
//!
//! Files of the run have no owner, no permissions and no times. Where the host gave a folder, permissions and times of its
//! files are changed there; owners never are.

use super::host::error_number;
use super::unix::failed;
use super::{Answer, Entry, bad_argument, errno, fault, int, library, library_string, null, string_argument};
use crate::memory::{Address, ObjectKind, State};
use crate::vm::{Call, Stop, Value};
use diagnostics::Rule;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

pub(super) const MODELS: &[Entry] = &[
    ("int fsync(int)", of_descriptor),
    ("int fdatasync(int)", of_descriptor),
    ("void sync(void)", |_| Ok(Value::NONE)),
    ("int posix_fadvise(int, off_t, off_t, int)", |_| int(0)),
    ("int chmod(const char *, unsigned)", chmod),
    ("int fchmod(int, unsigned)", of_descriptor),
    ("int chown(const char *, unsigned, unsigned)", of_name),
    ("int lchown(const char *, unsigned, unsigned)", of_name),
    ("int fchown(int, unsigned, unsigned)", of_descriptor),
    ("unsigned umask(unsigned)", umask),
    ("int utime(const char *, const void *)", |call| set_times(call, 0, 1, 1, |units| units)),
    ("int utimes(const char *, const void *)", |call| set_times(call, 0, 1, 2, |micro| micro * 1000)),
    ("int utimensat(int, const char *, const void *, int)", |call| {
        if call.i32(0)? != libc::AT_FDCWD {
            return Err(Stop::unsupported("`utimensat` below a descriptor"));
        }
        set_times(call, 1, 2, 2, |nano| nano)
    }),
    ("int futimens(int, const void *)", of_descriptor),
    ("int dup(int)", |call| duplicate(call, false)),
    ("int dup2(int, int)", |call| duplicate(call, true)),
    ("int fcntl(int, int, ...)", fcntl),
    ("int ftruncate(int, off_t)", ftruncate),
    ("int mkstemp(char *)", mkstemp),
    ("int mkostemp(char *, int)", mkstemp),
    ("ssize_t readlink(const char *, char *, size_t)", readlink),
    ("char *realpath(const char *, char *)", realpath),
    ("char *basename(char *)", |call| last_part(call, true)),
    ("char *__xpg_basename(char *)", |call| last_part(call, false)),
    ("char *dirname(char *)", dirname),
    ("long pathconf(const char *, int)", |call| path_limit(call)),
    ("long fpathconf(int, int)", |call| path_limit(call)),
    ("void *mmap(void *, size_t, int, int, int, off_t)", mmap),
    ("int munmap(void *, size_t)", munmap),
    ("int madvise(void *, size_t, int)", |_| int(0)),
];

/// What is granted where the descriptor is open, and changes nothing that a run could see.
fn of_descriptor(call: &mut Call<'_, '_>) -> Answer {
    let descriptor = call.i32(0)?;
    match library(call).streams.of_descriptor(descriptor) {
        Some(_) => int(0),
        None => failed(call, errno::EBADF),
    }
}

/// The same for a name.
fn of_name(call: &mut Call<'_, '_>) -> Answer {
    let path = string_argument(call, 0)?;
    if library(call).streams.exists(&path)? { int(0) } else { failed(call, errno::ENOENT) }
}

/// Does something to a file of the host that may be written; to one of the run there is nothing to do.
fn change(call: &mut Call<'_, '_>, name: usize, work: impl Fn(&Path) -> std::io::Result<()>) -> Answer {
    let path = string_argument(call, name)?;
    let streams = &mut library(call).streams;
    streams.settle();
    let done = match streams.locate(&path) {
        Some(found) if found.read_only => Err(libc::EROFS),
        Some(found) => work(&found.path).map_err(|error| error_number(&error)),
        None if streams.exists(&path)? => Ok(()),
        None => Err(errno::ENOENT),
    };
    match done {
        Ok(()) => int(0),
        Err(code) => failed(call, code),
    }
}

fn chmod(call: &mut Call<'_, '_>) -> Answer {
    let mode = call.u64(1)? as u32 & 0o777;
    change(call, 0, |path| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)))
}

/// The mask of the process is what shells start with; nothing has permissions that it could matter for.
fn umask(call: &mut Call<'_, '_>) -> Answer {
    let mask = call.u64(0)? as u32 & 0o777;
    let before = std::mem::replace(&mut library(call).umask, mask);
    Ok(Value::unsigned(before.into()))
}

/// Sets the time of the last change, the second of two records of `words` words: seconds, and a fraction.
fn set_times(call: &mut Call<'_, '_>, name: usize, times: usize, words: u64, nano: fn(i64) -> i64) -> Answer {
    let times = call.pointer(times)?;
    let when = if times.is_null() {
        SystemTime::now()
    } else {
        let place = times.plus(8 * words);
        let seconds = call.memory().load_i64(place)?;
        let fraction = if words == 2 { nano(call.memory().load_i64(place.plus(8))?) } else { 0 };
        let Ok(fraction @ 0..1_000_000_000) = u32::try_from(fraction) else {
            return Err(Stop::unsupported("times that are set to now or left alone one by one"));
        };
        let seconds = u64::try_from(seconds).map_err(|_| Stop::unsupported("times before 1970"))?;
        SystemTime::UNIX_EPOCH + Duration::new(seconds, fraction)
    };
    change(call, name, |path| std::fs::File::options().write(true).open(path)?.set_modified(when))
}

fn duplicate(call: &mut Call<'_, '_>, chooses: bool) -> Answer {
    let (descriptor, wanted) = (call.i32(0)?, if chooses { Some(call.i32(1)?) } else { None });
    let Some(id) = library(call).streams.of_descriptor(descriptor) else { return failed(call, errno::EBADF) };
    let made = library(call).streams.duplicate(id, wanted)?;
    int(made)
}

fn fcntl(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, command) = (call.i32(0)?, call.i32(1)?);
    let Some(id) = library(call).streams.of_descriptor(descriptor) else { return failed(call, errno::EBADF) };
    match command {
        libc::F_GETFD | libc::F_SETFD | libc::F_SETFL | libc::F_SETLK | libc::F_SETLKW => int(0),
        libc::F_GETFL => {
            let (readable, writable) = library(call).streams.directions(id);
            int(match (readable, writable) {
                (true, true) => libc::O_RDWR,
                (false, true) => libc::O_WRONLY,
                _ => libc::O_RDONLY,
            })
        }
        _ => Err(Stop::unsupported(format!("the command {command} of `fcntl`"))),
    }
}

fn ftruncate(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, size) = (call.i32(0)?, call.i64(1)?);
    let Some(id) = library(call).streams.of_descriptor(descriptor) else { return failed(call, errno::EBADF) };
    let Ok(size) = usize::try_from(size) else { return failed(call, errno::EINVAL) };
    match library(call).streams.resize(id, size)? {
        Ok(()) => int(0),
        Err(code) => failed(call, code),
    }
}

fn mkstemp(call: &mut Call<'_, '_>) -> Answer {
    let template = string_argument(call, 0)?;
    let place = call.pointer(0)?;
    let Some(name) = library(call).streams.unused_name(&template) else { return failed(call, errno::EINVAL) };
    call.memory().write(place, &name)?;
    match library(call).streams.open_descriptor(&name, libc::O_RDWR | libc::O_CREAT | libc::O_EXCL)? {
        Ok(descriptor) => int(descriptor),
        Err(code) => failed(call, code),
    }
}

/// Only the host has links, and they are read where their folder is one that the run was given.
fn readlink(call: &mut Call<'_, '_>) -> Answer {
    let (name, to, room) = (string_argument(call, 0)?, call.pointer(1)?, call.u64(2)?);
    let path = Path::new(std::ffi::OsStr::from_bytes(&name));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if library(call).streams.locate(folder.as_os_str().as_bytes()).is_none() {
        let exists = library(call).streams.exists(&name)?;
        return failed(call, if exists { errno::EINVAL } else { errno::ENOENT });
    }
    match std::fs::read_link(path) {
        Ok(target) => {
            let target = target.as_os_str().as_bytes();
            let kept = target.len().min(usize::try_from(room).unwrap_or(usize::MAX));
            call.memory().write(to, &target[..kept])?;
            Ok(Value::signed(kept as i64))
        }
        Err(error) => failed(call, error_number(&error)),
    }
}

fn realpath(call: &mut Call<'_, '_>) -> Answer {
    let (name, to, span) = (string_argument(call, 0)?, call.pointer(1)?, call.span);
    let found = library(call).streams.locate(&name).filter(|found| found.path.exists());
    let Some(found) = found else {
        if library(call).streams.exists(&name)? {
            return Err(Stop::unsupported("the full name of a file that lives in memory"));
        }
        errno::set(call, errno::ENOENT)?;
        return null();
    };
    let text = found.path.as_os_str().as_bytes();
    let to = if to.is_null() { call.memory().allocate_heap(text.len() as u64 + 1, false, span)? } else { to };
    call.memory().write_c_string(to, text)?;
    Ok(Value::pointer(to))
}

/// The part of a path behind the last slash; the variant of POSIX passes over slashes at the end and cuts them off.
fn last_part(call: &mut Call<'_, '_>, plain: bool) -> Answer {
    let place = call.pointer(0)?;
    if place.is_null() {
        return Ok(Value::pointer(library_string(call, b".")?));
    }
    let path = call.memory().c_string(place)?.to_vec();
    if plain {
        let start = path.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
        return Ok(Value::pointer(place.plus(start as u64)));
    }
    let Some(end) = path.iter().rposition(|&b| b != b'/') else {
        return Ok(Value::pointer(if path.is_empty() { library_string(call, b".")? } else { place }));
    };
    if end + 1 < path.len() {
        call.memory().store_u8(place.plus(end as u64 + 1), 0)?;
    }
    let start = path[..end].iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
    Ok(Value::pointer(place.plus(start as u64)))
}

fn dirname(call: &mut Call<'_, '_>) -> Answer {
    let place = call.pointer(0)?;
    let path = if place.is_null() { Vec::new() } else { call.memory().c_string(place)?.to_vec() };
    let last = path.iter().rposition(|&b| b != b'/');
    let slash = last.and_then(|last| path[..last].iter().rposition(|&b| b == b'/'));
    let Some(slash) = slash else {
        let whole = path.first() == Some(&b'/');
        return Ok(Value::pointer(library_string(call, if whole { b"/" } else { b"." })?));
    };
    let end = path[..slash].iter().rposition(|&b| b != b'/').map_or(1, |at| at + 1);
    call.memory().store_u8(place.plus(end as u64), 0)?;
    Ok(Value::pointer(place))
}

fn path_limit(call: &mut Call<'_, '_>) -> Answer {
    match call.i32(1)? {
        libc::_PC_NAME_MAX => Ok(Value::signed(255)),
        libc::_PC_PATH_MAX | libc::_PC_PIPE_BUF => Ok(Value::signed(4096)),
        other => Err(Stop::unsupported(format!("the limit {other} of `pathconf`"))),
    }
}

const PAGE: u64 = 4096;
const MAPPING: &str = "a mapping of `mmap`";

/// A mapping is an object with a copy of what the file holds now.
fn mmap(call: &mut Call<'_, '_>) -> Answer {
    let (length, protection, flags) = (call.u64(1)?, call.i32(2)?, call.i32(3)?);
    let (descriptor, offset, span) = (call.i32(4)?, call.i64(5)?, call.span);
    let refused = |call: &mut Call<'_, '_>, code: i32| {
        errno::set(call, code)?;
        Ok(Value::pointer(Address(u64::MAX)))
    };
    let bytes = if flags & libc::MAP_ANONYMOUS != 0 {
        Vec::new()
    } else {
        let Some(id) = library(call).streams.of_descriptor(descriptor) else { return refused(call, errno::EBADF) };
        if flags & libc::MAP_SHARED != 0 && protection & libc::PROT_WRITE != 0 {
            return Err(Stop::unsupported("a mapping through which a file is written"));
        }
        let Some(contents) = library(call).streams.contents(id) else { return refused(call, libc::ENODEV) };
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(contents.len());
        let end = start.saturating_add(usize::try_from(length).unwrap_or(usize::MAX)).min(contents.len());
        contents[start..end].to_vec()
    };
    if length == 0 || offset % PAGE as i64 != 0 {
        return refused(call, errno::EINVAL);
    }
    if flags & libc::MAP_FIXED != 0 {
        return Err(Stop::unsupported("a mapping at a given address"));
    }
    let is_const = protection & libc::PROT_WRITE == 0;
    // Whole pages are there; behind the end of the file they hold zeros.
    let size = length.next_multiple_of(PAGE);
    let made = call.memory().allocate(ObjectKind::Library, size, PAGE, is_const, MAPPING, span)?;
    call.memory().zero_whole(made);
    call.memory().initialise(made, 0, &bytes);
    Ok(Value::pointer(made))
}

fn munmap(call: &mut Call<'_, '_>) -> Answer {
    let (address, length, span) = (call.pointer(0)?, call.u64(1)?, call.span);
    let whole = match call.memory().info(address) {
        Some(info) if info.name == MAPPING && info.state != State::Live => {
            return fault(Rule::UseAfterScope, "`munmap` of a mapping that is gone already");
        }
        Some(info) if info.name == MAPPING && info.offset == 0 => info.size == length.next_multiple_of(PAGE),
        Some(info) if info.name == MAPPING => false,
        _ => return bad_argument("the pointer given to `munmap` is not one that `mmap` returned"),
    };
    if !whole {
        return Err(Stop::unsupported("`munmap` of a part of a mapping"));
    }
    call.memory().end_scope(address, span);
    int(0)
}
