//! string.h: `strtok` and its kin.

use super::{Answer, Entry, bad_argument, library, null};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("char *strtok(char *, const char *)", strtok),
    ("char *strtok_r(char *, const char *, char **)", strtok_r),
    ("char *strsep(char **, const char *)", strsep),
];

/// The next token from `text` on, ended in place, and where to go on.
fn token(call: &mut Call<'_, '_>, text: Address, set: Address) -> Result<(Option<Address>, Address), Stop> {
    let memory = call.memory();
    let set = memory.c_string(set)?.to_vec();
    let mut start = text;
    loop {
        let byte = memory.load_u8(start)?;
        if byte == 0 {
            return Ok((None, start));
        }
        if !set.contains(&byte) {
            break;
        }
        start = start.plus(1);
    }
    let mut end = start;
    loop {
        let byte = memory.load_u8(end)?;
        if byte == 0 {
            return Ok((Some(start), end));
        }
        if set.contains(&byte) {
            memory.store_u8(end, 0)?;
            return Ok((Some(start), end.plus(1)));
        }
        end = end.plus(1);
    }
}

fn strtok(call: &mut Call<'_, '_>) -> Answer {
    let (given, set) = (call.pointer(0)?, call.pointer(1)?);
    let text = if given.is_null() { library(call).strtok } else { given };
    if text.is_null() {
        return bad_argument("`strtok` is asked to go on before it was given a string");
    }
    let (found, rest) = token(call, text, set)?;
    library(call).strtok = rest;
    Ok(Value::pointer(found.unwrap_or(Address::NULL)))
}

fn strtok_r(call: &mut Call<'_, '_>) -> Answer {
    let (given, set, save) = (call.pointer(0)?, call.pointer(1)?, call.pointer(2)?);
    let text = if given.is_null() { call.memory().load_pointer(save)? } else { given };
    if text.is_null() {
        return bad_argument("`strtok_r` is asked to go on before it was given a string");
    }
    let (found, rest) = token(call, text, set)?;
    call.memory().store_pointer(save, rest)?;
    Ok(Value::pointer(found.unwrap_or(Address::NULL)))
}

fn strsep(call: &mut Call<'_, '_>) -> Answer {
    let (place, set) = (call.pointer(0)?, call.pointer(1)?);
    let memory = call.memory();
    let start = memory.load_pointer(place)?;
    if start.is_null() {
        return null();
    }
    let set = memory.c_string(set)?.to_vec();
    let mut end = start;
    loop {
        let byte = memory.load_u8(end)?;
        if byte == 0 {
            memory.store_pointer(place, Address::NULL)?;
            break;
        }
        if set.contains(&byte) {
            memory.store_u8(end, 0)?;
            memory.store_pointer(place, end.plus(1))?;
            break;
        }
        end = end.plus(1);
    }
    Ok(Value::pointer(start))
}
