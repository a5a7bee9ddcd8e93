//! stdlib.h, unistd.h, sys/utsname.h, sys/resource.h, arpa/inet.h, langinfo.h and libintl.h: the process and the system around it, the
//! same for every run.

use super::{Answer, Entry, errno, int, library, library_string, null, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("int getpid(void)", |_| int(4242)),
    ("int getppid(void)", |_| int(4241)),
    ("unsigned getuid(void)", |_| int(1000)),
    ("unsigned geteuid(void)", |_| int(1000)),
    ("unsigned getgid(void)", |_| int(1000)),
    ("unsigned getegid(void)", |_| int(1000)),
    ("char *getenv(const char *)", getenv),
    ("char *secure_getenv(const char *)", getenv),
    ("int setenv(const char *, const char *, int)", setenv),
    ("int unsetenv(const char *)", unsetenv),
    ("int putenv(char *)", putenv),
    ("int uname(void *)", uname),
    ("int gethostname(char *, size_t)", gethostname),
    ("long sysconf(int)", sysconf),
    ("int getpagesize(void)", |_| int(4096)),
    ("int getrlimit(int, void *)", |call| {
        let place = call.pointer(1)?;
        call.memory().fill(place, 0xff, 16)?;
        int(0)
    }),
    ("int setrlimit(int, const void *)", |_| int(0)),
    ("int getrusage(int, void *)", |call| {
        let place = call.pointer(1)?;
        call.memory().fill(place, 0, 144)?;
        int(0)
    }),
    ("uint32_t htonl(uint32_t)", swapped),
    ("uint32_t ntohl(uint32_t)", swapped),
    ("uint16_t htons(uint16_t)", |call| Ok(Value::unsigned((call.u64(0)? as u16).swap_bytes().into()))),
    ("uint16_t ntohs(uint16_t)", |call| Ok(Value::unsigned((call.u64(0)? as u16).swap_bytes().into()))),
    ("void *getpwuid(unsigned)", getpwuid),
    // There is no other list of users.
    ("void *getpwnam(const char *)", |_| null()),
    ("void *getgrgid(unsigned)", |_| null()),
    ("void *getgrnam(const char *)", |_| null()),
    ("char *getlogin(void)", |_| null()),
    ("char *ttyname(int)", |_| null()),
    ("char *nl_langinfo(int)", nl_langinfo),
    // Nothing is translated.
    ("char *gettext(const char *)", |call| Ok(Value::pointer(call.pointer(0)?))),
    ("char *dgettext(const char *, const char *)", |call| Ok(Value::pointer(call.pointer(1)?))),
    ("char *dcgettext(const char *, const char *, int)", |call| Ok(Value::pointer(call.pointer(1)?))),
    ("char *ngettext(const char *, const char *, unsigned long)", |call| {
        let one = call.u64(2)? == 1;
        Ok(Value::pointer(call.pointer(if one { 0 } else { 1 })?))
    }),
    ("char *textdomain(const char *)", |call| domain(call)),
    ("char *bindtextdomain(const char *, const char *)", |call| Ok(Value::pointer(call.pointer(1)?))),
    ("char *bind_textdomain_codeset(const char *, const char *)", |_| null()),
];

/// Numbers go over the wire with the highest byte first.
fn swapped(call: &mut Call<'_, '_>) -> Answer {
    Ok(Value::unsigned((call.u64(0)? as u32).swap_bytes().into()))
}

/// A run has the environment that it was given and what it sets itself, so that it does not depend on ours.
fn getenv(call: &mut Call<'_, '_>) -> Answer {
    let name = string_argument(call, 0)?;
    if let Some(&placed) = library(call).placed.get(&name) {
        return Ok(Value::pointer(placed));
    }
    match library(call).environment.get(&name).cloned() {
        Some(value) => Ok(Value::pointer(library_string(call, &value)?)),
        None => null(),
    }
}

/// The name of a variable to be set or taken away.
fn variable(call: &mut Call<'_, '_>) -> Result<Option<Vec<u8>>, Stop> {
    if library(call).shows_environment {
        return Err(Stop::unsupported("a change of the environment in a program that looks at `environ`"));
    }
    let name = string_argument(call, 0)?;
    if name.is_empty() || name.contains(&b'=') {
        errno::set(call, errno::EINVAL)?;
        return Ok(None);
    }
    Ok(Some(name))
}

fn setenv(call: &mut Call<'_, '_>) -> Answer {
    let Some(name) = variable(call)? else { return int(-1) };
    let (value, overwrite) = (string_argument(call, 1)?, call.i32(2)? != 0);
    let library = library(call);
    let known = library.environment.contains_key(&name) || library.placed.contains_key(&name);
    if overwrite || !known {
        library.placed.remove(&name);
        library.environment.insert(name, value);
    }
    int(0)
}

fn unsetenv(call: &mut Call<'_, '_>) -> Answer {
    let Some(name) = variable(call)? else { return int(-1) };
    let library = library(call);
    library.placed.remove(&name);
    library.environment.remove(&name);
    int(0)
}

/// The text itself becomes part of the environment.
fn putenv(call: &mut Call<'_, '_>) -> Answer {
    if library(call).shows_environment {
        return Err(Stop::unsupported("a change of the environment in a program that looks at `environ`"));
    }
    let (text, place) = (string_argument(call, 0)?, call.pointer(0)?);
    let library = library(call);
    match text.iter().position(|&b| b == b'=') {
        Some(end) => {
            library.placed.insert(text[..end].to_vec(), place.plus(end as u64 + 1));
        }
        None => {
            library.placed.remove(&text);
            library.environment.remove(&text);
        }
    }
    int(0)
}

/// The one user there is: a `struct passwd`.
fn getpwuid(call: &mut Call<'_, '_>) -> Answer {
    if call.u64(0)? != 1000 {
        return null();
    }
    let texts: [(u64, &[u8]); 5] = [(0, b"user"), (8, b"x"), (24, b""), (32, b"/home/user"), (40, b"/bin/sh")];
    let record = call.memory().allocate_library(48, "what `getpwuid` found")?;
    for (at, text) in texts {
        let text = library_string(call, text)?;
        call.memory().store_pointer(record.plus(at), text)?;
    }
    call.memory().store_u32(record.plus(16), 1000)?;
    call.memory().store_u32(record.plus(20), 1000)?;
    Ok(Value::pointer(record))
}

const HOST: &[u8] = b"localhost";

fn uname(call: &mut Call<'_, '_>) -> Answer {
    const FIELD: usize = 65;
    let place = call.pointer(0)?;
    let mut record = vec![0u8; 6 * FIELD];
    let texts: [&[u8]; 6] = [b"Linux", HOST, b"5.0.0", b"#1", b"x86_64", b"(none)"];
    for (field, text) in record.chunks_mut(FIELD).zip(texts) {
        field[..text.len()].copy_from_slice(text);
    }
    call.memory().write(place, &record)?;
    int(0)
}

fn gethostname(call: &mut Call<'_, '_>) -> Answer {
    let (place, room) = (call.pointer(0)?, call.u64(1)?);
    if room <= HOST.len() as u64 {
        return super::unix::failed(call, libc::ENAMETOOLONG);
    }
    call.memory().write_c_string(place, HOST)?;
    int(0)
}

fn sysconf(call: &mut Call<'_, '_>) -> Answer {
    let answer = match call.i32(0)? {
        libc::_SC_PAGESIZE => 4096,
        libc::_SC_NPROCESSORS_ONLN | libc::_SC_NPROCESSORS_CONF => 2,
        libc::_SC_CLK_TCK => 100,
        libc::_SC_OPEN_MAX => 1024,
        libc::_SC_ARG_MAX => 2_097_152,
        libc::_SC_LINE_MAX => 2048,
        // As many as one likes.
        libc::_SC_THREAD_THREADS_MAX => -1,
        libc::_SC_PHYS_PAGES | libc::_SC_AVPHYS_PAGES => 262_144,
        libc::_SC_GETPW_R_SIZE_MAX | libc::_SC_GETGR_R_SIZE_MAX => 1024,
        other => return Err(Stop::unsupported(format!("the number {other} of `sysconf`"))),
    };
    Ok(Value::signed(answer))
}

/// The C locale.
fn nl_langinfo(call: &mut Call<'_, '_>) -> Answer {
    let item = call.i32(0)?;
    let text: &[u8] = match item {
        libc::CODESET => b"ANSI_X3.4-1968",
        libc::RADIXCHAR => b".",
        libc::THOUSEP => b"",
        libc::YESEXPR => b"^[yY]",
        libc::NOEXPR => b"^[nN]",
        other => return Err(Stop::unsupported(format!("the item {other} of `nl_langinfo`"))),
    };
    Ok(Value::pointer(library_string(call, text)?))
}

/// `textdomain`: the name of the domain, kept because it is asked for again.
fn domain(call: &mut Call<'_, '_>) -> Answer {
    let name: Address = call.pointer(0)?;
    if name.is_null() {
        return Err(Stop::unsupported("the name of the domain of messages"));
    }
    let text = string_argument(call, 0)?;
    Ok(Value::pointer(library_string(call, &text)?))
}
