//! string.h: searching.

use super::{Answer, Entry, null, work};
use crate::memory::{Address, Memory};
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("void *memchr(const void *, int, size_t)", memchr),
    ("void *rawmemchr(const void *, int)", rawmemchr),
    ("void *memrchr(const void *, int, size_t)", memrchr),
    ("void *memmem(const void *, size_t, const void *, size_t)", memmem),
    ("char *strchr(const char *, int)", strchr),
    ("char *index(const char *, int)", strchr),
    ("char *strchrnul(const char *, int)", strchrnul),
    ("char *strrchr(const char *, int)", strrchr),
    ("char *rindex(const char *, int)", strrchr),
    ("char *strstr(const char *, const char *)", strstr),
    ("char *strcasestr(const char *, const char *)", strcasestr),
    ("char *strnstr(const char *, const char *, size_t)", strnstr),
    ("size_t strspn(const char *, const char *)", strspn),
    ("size_t strcspn(const char *, const char *)", strcspn),
    ("char *strpbrk(const char *, const char *)", strpbrk),
];

fn pointer_or_null(found: Option<Address>) -> Answer {
    found.map_or_else(null, |address| Ok(Value::pointer(address)))
}

/// Bytes behind the one that is found are never looked at, so they need not be there.
fn memchr(call: &mut Call<'_, '_>) -> Answer {
    let (from, byte, length) = (call.pointer(0)?, call.i32(1)? as u8, call.u64(2)?);
    let mut at = 0;
    let memory = call.memory();
    while at < length && memory.load_u8(from.plus(at))? != byte {
        at += 1;
    }
    work(call, at)?;
    pointer_or_null((at < length).then_some(from.plus(at)))
}

fn rawmemchr(call: &mut Call<'_, '_>) -> Answer {
    let (mut at, byte) = (call.pointer(0)?, call.i32(1)? as u8);
    while call.memory().load_u8(at)? != byte {
        at = at.plus(1);
    }
    Ok(Value::pointer(at))
}

fn memrchr(call: &mut Call<'_, '_>) -> Answer {
    let (from, byte, length) = (call.pointer(0)?, call.i32(1)? as u8, call.u64(2)?);
    for i in (0..length).rev() {
        if call.memory().load_u8(from.plus(i))? == byte {
            return Ok(Value::pointer(from.plus(i)));
        }
    }
    null()
}

fn position(text: &[u8], word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return Some(0);
    }
    text.windows(word.len()).position(|window| window == word).map(|at| at as u64)
}

fn memmem(call: &mut Call<'_, '_>) -> Answer {
    let (text, text_length) = (call.pointer(0)?, call.u64(1)?);
    let (word, word_length) = (call.pointer(2)?, call.u64(3)?);
    let memory = call.memory();
    let found = position(memory.read(text, text_length)?, memory.read(word, word_length)?);
    pointer_or_null(found.map(|at| text.plus(at)))
}

/// Where the byte, or else the terminator, is.
fn find(memory: &Memory<'_>, text: Address, byte: u8) -> Result<(Address, bool), Stop> {
    let mut at = text;
    loop {
        let found = memory.load_u8(at)?;
        if found == byte || found == 0 {
            return Ok((at, found == byte));
        }
        at = at.plus(1);
    }
}

fn strchr(call: &mut Call<'_, '_>) -> Answer {
    let (text, byte) = (call.pointer(0)?, call.i32(1)? as u8);
    let (at, found) = find(call.memory(), text, byte)?;
    work(call, at.0 - text.0)?;
    pointer_or_null(found.then_some(at))
}

fn strchrnul(call: &mut Call<'_, '_>) -> Answer {
    let (text, byte) = (call.pointer(0)?, call.i32(1)? as u8);
    Ok(Value::pointer(find(call.memory(), text, byte)?.0))
}

fn strrchr(call: &mut Call<'_, '_>) -> Answer {
    let (text, byte) = (call.pointer(0)?, call.i32(1)? as u8);
    let memory = call.memory();
    let length = memory.c_string_length(text)?;
    let with_end = memory.read(text, length + 1)?;
    let found = with_end.iter().rposition(|&b| b == byte);
    pointer_or_null(found.map(|at| text.plus(at as u64)))
}

/// The first place where the word matches, comparing byte by byte so that nothing behind the match is looked at.
fn find_word(memory: &Memory<'_>, text: Address, word: &[u8], fold: fn(u8) -> u8) -> Result<Option<Address>, Stop> {
    let mut start = text;
    loop {
        let mut matched = 0;
        while matched < word.len() {
            let byte = memory.load_u8(start.plus(matched as u64))?;
            if fold(byte) != fold(word[matched]) {
                break;
            }
            matched += 1;
        }
        if matched == word.len() {
            return Ok(Some(start));
        }
        if memory.load_u8(start)? == 0 {
            return Ok(None);
        }
        start = start.plus(1);
    }
}

fn strstr(call: &mut Call<'_, '_>) -> Answer {
    let (text, word) = (call.pointer(0)?, call.pointer(1)?);
    let memory = call.memory();
    let word = memory.c_string(word)?;
    let found = find_word(memory, text, word, |byte| byte)?;
    let looked = match found {
        Some(at) => at.0 - text.0,
        None => memory.c_string_length(text)?,
    };
    work(call, looked)?;
    pointer_or_null(found)
}

fn strcasestr(call: &mut Call<'_, '_>) -> Answer {
    let (text, word) = (call.pointer(0)?, call.pointer(1)?);
    let memory = call.memory();
    let word = memory.c_string(word)?;
    pointer_or_null(find_word(memory, text, word, |byte| byte.to_ascii_lowercase())?)
}

fn strnstr(call: &mut Call<'_, '_>) -> Answer {
    let (text, word, most) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    let memory = call.memory();
    let length = memory.bounded_length(text, most)?;
    let found = position(memory.read(text, length)?, memory.c_string(word)?);
    pointer_or_null(found.map(|at| text.plus(at)))
}

/// The length of the part at the start of the text whose bytes are, or are not, in the set.
fn span_of(call: &mut Call<'_, '_>, inside: bool) -> Result<u64, Stop> {
    let (text, set) = (call.pointer(0)?, call.pointer(1)?);
    let memory = call.memory();
    let set = memory.c_string(set)?;
    let mut length = 0;
    loop {
        let byte = memory.load_u8(text.plus(length))?;
        if byte == 0 || set.contains(&byte) != inside {
            return Ok(length);
        }
        length += 1;
    }
}

fn strspn(call: &mut Call<'_, '_>) -> Answer {
    span_of(call, true).map(Value::unsigned)
}

fn strcspn(call: &mut Call<'_, '_>) -> Answer {
    span_of(call, false).map(Value::unsigned)
}

fn strpbrk(call: &mut Call<'_, '_>) -> Answer {
    let at = call.pointer(0)?.plus(span_of(call, false)?);
    let found = call.memory().load_u8(at)? != 0;
    pointer_or_null(found.then_some(at))
}
