//! errno.h: the error number, and the texts for it.

use super::{Answer, Entry, Library, int, library_string};
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("int *__errno_location(void)", |call| {
        let (memory, library) = call.memory_and_library::<Library>();
        Ok(Value::pointer(location(memory, library)?))
    }),
    ("char *strerror(int)", strerror),
    ("char *strerror_r(int, char *, size_t)", strerror),
    ("int __xpg_strerror_r(int, char *, size_t)", xpg_strerror_r),
];

pub const ENOENT: i32 = 2;
pub const EBADF: i32 = 9;
pub const ENOMEM: i32 = 12;
pub const EINVAL: i32 = 22;
pub const EDOM: i32 = 33;
pub const ERANGE: i32 = 34;

fn location(
    memory: &mut crate::memory::Memory<'_>,
    library: &mut Library,
) -> Result<crate::memory::Address, crate::memory::OutOfMemory> {
    if let Some(known) = library.errno {
        return Ok(known);
    }
    let address = memory.allocate_library(4, "`errno`")?;
    library.errno = Some(address);
    Ok(address)
}

/// Sets `errno`.
pub(super) fn set(call: &mut Call<'_, '_>, code: i32) -> Result<(), Stop> {
    let (memory, library) = call.memory_and_library::<Library>();
    let address = location(memory, library)?;
    Ok(memory.store_i32(address, code)?)
}

/// The present value.
pub(super) fn get(call: &mut Call<'_, '_>) -> Result<i32, Stop> {
    let (memory, library) = call.memory_and_library::<Library>();
    let address = location(memory, library)?;
    Ok(memory.load_i32(address)?)
}

/// What glibc says about an error.
pub fn text(code: i32) -> Vec<u8> {
    match usize::try_from(code).ok().and_then(|code| TEXTS.get(code)) {
        Some(text) => text.as_bytes().to_vec(),
        None => format!("Unknown error {code}").into_bytes(),
    }
}

/// The `strerror_r` of GNU does not use the buffer for errors it knows either.
fn strerror(call: &mut Call<'_, '_>) -> Answer {
    let text = text(call.i32(0)?);
    Ok(Value::pointer(library_string(call, &text)?))
}

fn xpg_strerror_r(call: &mut Call<'_, '_>) -> Answer {
    let (code, buffer, size) = (call.i32(0)?, call.pointer(1)?, call.u64(2)?);
    let text = text(code);
    let kept = text.len().min((size as usize).saturating_sub(1));
    if size > 0 {
        call.memory().write_c_string(buffer, &text[..kept])?;
    }
    let known = usize::try_from(code).is_ok_and(|code| code < TEXTS.len());
    int(if kept < text.len() {
        ERANGE
    } else if known {
        0
    } else {
        EINVAL
    })
}

/// By number, on Linux.
const TEXTS: &[&str] = &[
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
    "Resource deadlock avoided",
    "File name too long",
    "No locks available",
    "Function not implemented",
    "Directory not empty",
    "Too many levels of symbolic links",
    "Unknown error 41",
    "No message of desired type",
    "Identifier removed",
    "Channel number out of range",
    "Level 2 not synchronized",
    "Level 3 halted",
    "Level 3 reset",
    "Link number out of range",
    "Protocol driver not attached",
    "No CSI structure available",
    "Level 2 halted",
    "Invalid exchange",
    "Invalid request descriptor",
    "Exchange full",
    "No anode",
    "Invalid request code",
    "Invalid slot",
    "Unknown error 58",
    "Bad font file format",
    "Device not a stream",
    "No data available",
    "Timer expired",
    "Out of streams resources",
    "Machine is not on the network",
    "Package not installed",
    "Object is remote",
    "Link has been severed",
    "Advertise error",
    "Srmount error",
    "Communication error on send",
    "Protocol error",
    "Multihop attempted",
    "RFS specific error",
    "Bad message",
    "Value too large for defined data type",
    "Name not unique on network",
    "File descriptor in bad state",
    "Remote address changed",
    "Can not access a needed shared library",
    "Accessing a corrupted shared library",
    ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries",
    "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character",
    "Interrupted system call should be restarted",
    "Streams pipe error",
    "Too many users",
    "Socket operation on non-socket",
    "Destination address required",
    "Message too long",
    "Protocol wrong type for socket",
    "Protocol not available",
    "Protocol not supported",
    "Socket type not supported",
    "Operation not supported",
    "Protocol family not supported",
    "Address family not supported by protocol",
    "Address already in use",
    "Cannot assign requested address",
    "Network is down",
    "Network is unreachable",
    "Network dropped connection on reset",
    "Software caused connection abort",
    "Connection reset by peer",
    "No buffer space available",
    "Transport endpoint is already connected",
    "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown",
    "Too many references: cannot splice",
    "Connection timed out",
    "Connection refused",
    "Host is down",
    "No route to host",
    "Operation already in progress",
    "Operation now in progress",
    "Stale file handle",
    "Structure needs cleaning",
    "Not a XENIX named type file",
    "No XENIX semaphores available",
    "Is a named type file",
    "Remote I/O error",
    "Disk quota exceeded",
    "No medium found",
    "Wrong medium type",
    "Operation canceled",
    "Required key not available",
    "Key has expired",
    "Key has been revoked",
    "Key was rejected by service",
    "Owner died",
    "State not recoverable",
    "Operation not possible due to RF-kill",
    "Memory page has hardware error",
];
