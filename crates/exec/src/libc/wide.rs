//! wchar.h, as much as is only arrays of `int`.

use super::{Answer, Entry, int, null};
use crate::memory::{Address, Memory};
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("size_t wcslen(const wchar_t *)", |call| {
        let text = call.pointer(0)?;
        Ok(Value::unsigned(length(call.memory(), text)?))
    }),
    ("wchar_t *wcscpy(wchar_t *, const wchar_t *)", wcscpy),
    ("wchar_t *wcscat(wchar_t *, const wchar_t *)", wcscat),
    ("int wcscmp(const wchar_t *, const wchar_t *)", wcscmp),
    ("wchar_t *wcschr(const wchar_t *, wchar_t)", wcschr),
    ("wchar_t *wmemset(wchar_t *, wchar_t, size_t)", wmemset),
    ("wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t)", |call| copy_block(call, Some("wmemcpy"))),
    ("wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t)", |call| copy_block(call, None)),
    ("int wmemcmp(const wchar_t *, const wchar_t *, size_t)", |call| compare(call, true)),
    ("wchar_t *wmemchr(const wchar_t *, wchar_t, size_t)", wmemchr),
    ("int wcsncmp(const wchar_t *, const wchar_t *, size_t)", |call| compare(call, false)),
    ("wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t)", wcsncpy),
    ("wchar_t *wcsrchr(const wchar_t *, wchar_t)", wcsrchr),
    ("wchar_t *wcsdup(const wchar_t *)", wcsdup),
];

fn length(memory: &Memory<'_>, text: Address) -> Result<u64, Stop> {
    let mut length = 0;
    while memory.load_i32(text.plus(4 * length))? != 0 {
        length += 1;
    }
    Ok(length)
}

fn copy(call: &mut Call<'_, '_>, function: &str, to: Address, from: Address) -> Result<(), Stop> {
    let bytes = 4 * (length(call.memory(), from)? + 1);
    super::refuse_overlap(function, to, bytes, from, bytes)?;
    Ok(call.memory().copy(to, from, bytes)?)
}

fn wcscpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    copy(call, "wcscpy", to, from)?;
    Ok(Value::pointer(to))
}

fn wcscat(call: &mut Call<'_, '_>) -> Answer {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    let end = to.plus(4 * length(call.memory(), to)?);
    copy(call, "wcscat", end, from)?;
    Ok(Value::pointer(to))
}

fn wcscmp(call: &mut Call<'_, '_>) -> Answer {
    let (mut a, mut b) = (call.pointer(0)?, call.pointer(1)?);
    loop {
        let (x, y) = (call.memory().load_i32(a)?, call.memory().load_i32(b)?);
        if x != y || x == 0 {
            return int(i32::from(x > y) - i32::from(x < y));
        }
        (a, b) = (a.plus(4), b.plus(4));
    }
}

fn wcschr(call: &mut Call<'_, '_>) -> Answer {
    let (mut at, wanted) = (call.pointer(0)?, call.i32(1)?);
    loop {
        let found = call.memory().load_i32(at)?;
        if found == wanted {
            return Ok(Value::pointer(at));
        }
        if found == 0 {
            return null();
        }
        at = at.plus(4);
    }
}

fn wmemset(call: &mut Call<'_, '_>) -> Answer {
    let (to, value, count) = (call.pointer(0)?, call.i32(1)?, call.u64(2)?);
    for i in 0..count {
        call.memory().store_i32(to.plus(4 * i), value)?;
    }
    Ok(Value::pointer(to))
}

fn copy_block(call: &mut Call<'_, '_>, apart: Option<&str>) -> Answer {
    let (to, from, bytes) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?.saturating_mul(4));
    if let Some(function) = apart {
        super::refuse_overlap(function, to, bytes, from, bytes)?;
    }
    call.memory().copy(to, from, bytes)?;
    Ok(Value::pointer(to))
}

/// Compares so many characters, of texts as far as both go.
fn compare(call: &mut Call<'_, '_>, whole: bool) -> Answer {
    let (a, b, count) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    for i in 0..count {
        let (x, y) = (call.memory().load_i32(a.plus(4 * i))?, call.memory().load_i32(b.plus(4 * i))?);
        if x != y {
            return int(if x > y { 1 } else { -1 });
        }
        if x == 0 && !whole {
            break;
        }
    }
    int(0)
}

fn wmemchr(call: &mut Call<'_, '_>) -> Answer {
    let (from, wanted, count) = (call.pointer(0)?, call.i32(1)?, call.u64(2)?);
    for i in 0..count {
        if call.memory().load_i32(from.plus(4 * i))? == wanted {
            return Ok(Value::pointer(from.plus(4 * i)));
        }
    }
    null()
}

fn wcsncpy(call: &mut Call<'_, '_>) -> Answer {
    let (to, from, count) = (call.pointer(0)?, call.pointer(1)?, call.u64(2)?);
    let mut ended = false;
    for i in 0..count {
        let wide = if ended { 0 } else { call.memory().load_i32(from.plus(4 * i))? };
        ended = wide == 0;
        call.memory().store_i32(to.plus(4 * i), wide)?;
    }
    Ok(Value::pointer(to))
}

fn wcsrchr(call: &mut Call<'_, '_>) -> Answer {
    let (text, wanted) = (call.pointer(0)?, call.i32(1)?);
    let end = length(call.memory(), text)?;
    for i in (0..=end).rev() {
        if call.memory().load_i32(text.plus(4 * i))? == wanted {
            return Ok(Value::pointer(text.plus(4 * i)));
        }
    }
    null()
}

fn wcsdup(call: &mut Call<'_, '_>) -> Answer {
    let (text, span) = (call.pointer(0)?, call.span);
    let bytes = 4 * (length(call.memory(), text)? + 1);
    let copy = call.memory().allocate_heap(bytes, false, span)?;
    call.memory().copy(copy, text, bytes)?;
    Ok(Value::pointer(copy))
}
