//! string.h: copying, filling, comparing and measuring.

use super::{Answer, Entry, int, null, refuse_overlap, work};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("void *memcpy(void *, const void *, size_t)", memcpy),
    ("void *mempcpy(void *, const void *, size_t)", mempcpy),
    ("void *memmove(void *, const void *, size_t)", memmove),
    ("void bcopy(const void *, void *, size_t)", bcopy),
    ("void *memset(void *, int, size_t)", memset),
    ("void bzero(void *, size_t)", bzero),
    ("void explicit_bzero(void *, size_t)", bzero),
    ("void *memccpy(void *, const void *, int, size_t)", memccpy),
    ("int memcmp(const void *, const void *, size_t)", memcmp),
    ("int bcmp(const void *, const void *, size_t)", memcmp),
    ("size_t strlen(const char *)", strlen),
    ("size_t strnlen(const char *, size_t)", strnlen),
    ("char *strcpy(char *, const char *)", strcpy),
    ("char *stpcpy(char *, const char *)", stpcpy),
    ("char *strncpy(char *, const char *, size_t)", strncpy),
    ("char *stpncpy(char *, const char *, size_t)", stpncpy),
    ("char *strcat(char *, const char *)", strcat),
    ("char *strncat(char *, const char *, size_t)", strncat),
    ("size_t strlcpy(char *, const char *, size_t)", strlcpy),
    ("size_t strlcat(char *, const char *, size_t)", strlcat),
    ("int strcmp(const char *, const char *)", strcmp),
    ("int strcoll(const char *, const char *)", strcmp),
    ("int strncmp(const char *, const char *, size_t)", strncmp),
    ("int strcasecmp(const char *, const char *)", strcasecmp),
    ("int strncasecmp(const char *, const char *, size_t)", strncasecmp),
    ("size_t strxfrm(char *, const char *, size_t)", strxfrm),
    ("char *strdup(const char *)", strdup),
    ("char *strndup(const char *, size_t)", strndup),
];

pub(super) fn memcpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, length) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    if to != from {
        refuse_overlap("memcpy", to, length, from, length)?;
    }
    work(call, length)?;
    call.memory().copy(to, from, length)?;
    Ok(Value::pointer(to))
}

pub(super) fn mempcpy(call: &mut Call<'_, '_>) -> Answer {
    let length = call.u64(2)?;
    let to = memcpy(call)?.as_pointer();
    Ok(Value::pointer(to.plus(length)))
}

pub(super) fn memmove(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, length) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    work(call, length)?;
    call.memory().copy(to, from, length)?;
    Ok(Value::pointer(to))
}

fn bcopy(call: &mut Call<'_, '_>) -> Answer {
    let (from, to, length) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    work(call, length)?;
    call.memory().copy(to, from, length)?;
    Ok(Value::NONE)
}

pub(super) fn memset(call: &mut Call<'_, '_>) -> Answer {
    let (to, byte, length) = (call.pointer(0)?, call.i32(1)?, call.u64(2)?);
    work(call, length)?;
    call.memory().fill(to, byte as u8, length)?;
    Ok(Value::pointer(to))
}

fn bzero(call: &mut Call<'_, '_>) -> Answer {
    let (to, length) = (call.pointer(0)?, call.u64(1)?);
    work(call, length)?;
    call.memory().fill(to, 0, length)?;
    Ok(Value::NONE)
}

fn memccpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, stop, most) = (call.pointer(0)?, call.pointer(1)?, call.i32(2)? as u8, call.u64(3)?);
    let memory = call.memory();
    let mut length = 0;
    let mut found = false;
    while length < most && !found {
        found = memory.load_u8(from.plus(length))? == stop;
        length += 1;
    }
    refuse_overlap("memccpy", to, length, from, length)?;
    call.memory().copy(to, from, length)?;
    if found { Ok(Value::pointer(to.plus(length))) } else { null() }
}

/// Only the bytes up to the first difference are looked at; all must be there.
fn memcmp(call: &mut Call<'_, '_>) -> Answer {
    let (a, b, length) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    work(call, length)?;
    let memory = call.memory();
    if length > 0 {
        memory.check_readable(a, length)?;
        memory.check_readable(b, length)?;
    }
    for i in 0..length {
        let (x, y) = (memory.load_u8(a.plus(i))?, memory.load_u8(b.plus(i))?);
        if x != y {
            return int(i32::from(x) - i32::from(y));
        }
    }
    int(0)
}

fn strlen(call: &mut Call<'_, '_>) -> Answer {
    let text = call.pointer(0)?;
    let length = call.memory().c_string_length(text)?;
    work(call, length)?;
    Ok(Value::unsigned(length))
}

fn strnlen(call: &mut Call<'_, '_>) -> Answer {
    let (text, most) = (call.pointer(0)?, call.u64(1)?);
    Ok(Value::unsigned(call.memory().bounded_length(text, most)?))
}

/// Copies a string with its terminator and gives its length.
fn copy_string(call: &mut Call<'_, '_>, function: &str, to: Address, from: Address) -> Result<u64, Stop> {
    let length = call.memory().c_string_length(from)?;
    work(call, length)?;
    refuse_overlap(function, to, length + 1, from, length + 1)?;
    call.memory().copy(to, from, length + 1)?;
    Ok(length)
}

pub(super) fn strcpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    copy_string(call, "strcpy", to, from)?;
    Ok(Value::pointer(to))
}

pub(super) fn stpcpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    let length = copy_string(call, "stpcpy", to, from)?;
    Ok(Value::pointer(to.plus(length)))
}

/// Copies at most `size` bytes of a string and fills the rest with zeros; gives the length copied.
fn copy_padded(call: &mut Call<'_, '_>, function: &str) -> Result<u64, Stop> {
    let (to, from, size) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    work(call, size)?;
    let memory = call.memory();
    let length = memory.bounded_length(from, size)?;
    refuse_overlap(function, to, size, from, (length + 1).min(size))?;
    if size > 0 {
        memory.check_writable(to, size)?;
    }
    memory.copy(to, from, length)?;
    memory.fill(to.plus(length), 0, size - length)?;
    Ok(length)
}

pub(super) fn strncpy(call: &mut Call<'_, '_>) -> Answer {
    copy_padded(call, "strncpy")?;
    Ok(Value::pointer(call.pointer(0)?))
}

fn stpncpy(call: &mut Call<'_, '_>) -> Answer {
    let length = copy_padded(call, "stpncpy")?;
    Ok(Value::pointer(call.pointer(0)?.plus(length)))
}

pub(super) fn strcat(call: &mut Call<'_, '_>) -> Answer {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    let end = to.plus(call.memory().c_string_length(to)?);
    copy_string(call, "strcat", end, from)?;
    Ok(Value::pointer(to))
}

pub(super) fn strncat(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, most) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    let memory = call.memory();
    let end = to.plus(memory.c_string_length(to)?);
    let length = memory.bounded_length(from, most)?;
    refuse_overlap("strncat", end, length + 1, from, length)?;
    memory.check_writable(end, length + 1)?;
    memory.copy(end, from, length)?;
    memory.store_u8(end.plus(length), 0)?;
    Ok(Value::pointer(to))
}

fn strlcpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, size) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    let memory = call.memory();
    let length = memory.c_string_length(from)?;
    if size > 0 {
        let kept = length.min(size - 1);
        refuse_overlap("strlcpy", to, kept + 1, from, length + 1)?;
        memory.check_writable(to, kept + 1)?;
        memory.copy(to, from, kept)?;
        memory.store_u8(to.plus(kept), 0)?;
    }
    Ok(Value::unsigned(length))
}

fn strlcat(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, size) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    let memory = call.memory();
    let before = memory.bounded_length(to, size)?;
    let length = memory.c_string_length(from)?;
    if before < size {
        let kept = length.min(size - before - 1);
        let end = to.plus(before);
        refuse_overlap("strlcat", end, kept + 1, from, length + 1)?;
        memory.check_writable(end, kept + 1)?;
        memory.copy(end, from, kept)?;
        memory.store_u8(end.plus(kept), 0)?;
    }
    Ok(Value::unsigned(before + length))
}

/// Compares as strings, looking at no more than `most` bytes and nothing past the first difference. The answer is
/// the difference of the bytes, as glibc gives it.
fn compare(call: &mut Call<'_, '_>, most: u64, fold: fn(u8) -> u8) -> Answer {
    let (a, b) = (call.pointer(0)?, call.pointer(1)?);
    let memory = call.memory();
    let mut at = 0;
    while at < most {
        let (x, y) = (fold(memory.load_u8(a.plus(at))?), fold(memory.load_u8(b.plus(at))?));
        if x != y || x == 0 {
            work(call, at)?;
            return int(i32::from(x) - i32::from(y));
        }
        at += 1;
    }
    work(call, at)?;
    int(0)
}

fn strcmp(call: &mut Call<'_, '_>) -> Answer {
    compare(call, u64::MAX, |byte| byte)
}

fn strncmp(call: &mut Call<'_, '_>) -> Answer {
    let most = call.u64(2)?;
    compare(call, most, |byte| byte)
}

fn strcasecmp(call: &mut Call<'_, '_>) -> Answer {
    compare(call, u64::MAX, |byte| byte.to_ascii_lowercase())
}

fn strncasecmp(call: &mut Call<'_, '_>) -> Answer {
    let most = call.u64(2)?;
    compare(call, most, |byte| byte.to_ascii_lowercase())
}

/// In the C locale a string is its own transformation.
fn strxfrm(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, size) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    let memory = call.memory();
    let length = memory.c_string_length(from)?;
    let copied = (length + 1).min(size);
    refuse_overlap("strxfrm", to, copied, from, length + 1)?;
    memory.copy(to, from, copied)?;
    Ok(Value::unsigned(length))
}

fn duplicate(call: &mut Call<'_, '_>, from: Address, length: u64) -> Answer {
    let span = call.span;
    let memory = call.memory();
    let to = memory.allocate_heap(length + 1, false, span)?;
    memory.copy(to, from, length)?;
    memory.store_u8(to.plus(length), 0)?;
    Ok(Value::pointer(to))
}

fn strdup(call: &mut Call<'_, '_>) -> Answer {
    let from = call.pointer(0)?;
    let length = call.memory().c_string_length(from)?;
    duplicate(call, from, length)
}

fn strndup(call: &mut Call<'_, '_>) -> Answer {
    let (from, most) = (call.pointer(0)?, call.u64(1)?);
    let length = call.memory().bounded_length(from, most)?;
    duplicate(call, from, length)
}
