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
