//! Numbers in strings: `atoi`, `strtol` and their kin. The paths part where the kind of a character decides: blanks, a
//! sign, a prefix, digits.

use super::super::arithmetic;
use super::super::step::{Eval, Step};
use super::super::value::{Integer, Pointer, Value};
use super::strings::{byte, is_among, is_byte, moved};
use super::{Entry, Request};
use ir::{BinaryOp, IntKind};

pub const MODELS: &[Entry] = &[
    ("atoi", |step, request| plain(step, request, IntKind::Int)),
    ("atol", |step, request| plain(step, request, IntKind::Long)),
    ("atoll", |step, request| plain(step, request, IntKind::LongLong)),
    ("strtol", |step, request| with_end(step, request, IntKind::Long)),
    ("strtoll", |step, request| with_end(step, request, IntKind::LongLong)),
    ("strtoul", |step, request| with_end(step, request, IntKind::ULong)),
    ("strtoull", |step, request| with_end(step, request, IntKind::ULongLong)),
    ("__isoc23_strtol", |step, request| without_binary(step, request, IntKind::Long)),
    ("__isoc23_strtoul", |step, request| without_binary(step, request, IntKind::ULong)),
];

/// Characters of a number that are looked at; more digits might not fit a `long`.
const LONGEST: u64 = 18;

/// A number read from a string, and the index behind it; zero and no index if there is none.
struct Read {
    value: Integer,
    end: Option<u64>,
}

fn plain(step: &mut Step<'_, '_>, request: &Request, kind: IntKind) -> Eval<Option<Value>> {
    let pointer = request.pointer(step, 0)?;
    let read = read(step, &pointer, 10)?;
    Ok(Some(Value::Int(arithmetic::convert(&step.engine.pool, &read.value, kind))))
}

fn with_end(step: &mut Step<'_, '_>, request: &Request, kind: IntKind) -> Eval<Option<Value>> {
    let (pointer, end) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
    let base = match request.known(step, 2)? {
        base @ (0 | 2..=36) => base as u32,
        _ => return Err(step.unsupported("a base of `strtol` that is none")),
    };
    let read = read(step, &pointer, base)?;
    if end != Pointer::NULL {
        let place = step.follow(&end)?;
        let at = step.fixed(&place, 8, true)?;
        let behind = moved(step, &pointer, read.end.unwrap_or(0));
        step.store_at(place.object, at, 8, Value::Pointer(behind));
    }
    Ok(Some(Value::Int(arithmetic::convert(&step.engine.pool, &read.value, kind))))
}

/// C23 has prefixes of binary numbers, which are not followed.
fn without_binary(step: &mut Step<'_, '_>, request: &Request, kind: IntKind) -> Eval<Option<Value>> {
    match request.known(step, 2)? {
        0 | 2 => Err(step.unsupported("numbers in strings that may be binary")),
        _ => with_end(step, request, kind),
    }
}

fn read(step: &mut Step<'_, '_>, pointer: &Pointer, base: u32) -> Eval<Read> {
    let pool = step.engine.pool.clone();
    let mut at = 0;
    while is_among(step, pointer, at, &[(b' ', b' '), (b'\t', b'\r')])? {
        at += 1;
    }
    let negative = is_byte(step, pointer, at, b'-')?;
    if negative || is_byte(step, pointer, at, b'+')? {
        at += 1;
    }
    let mut base = base;
    if matches!(base, 0 | 16) && is_byte(step, pointer, at, b'0')? {
        // Without a digit behind it the prefix is a zero and a letter.
        let is_hex = is_among(step, pointer, at + 1, &[(b'x', b'x'), (b'X', b'X')])?
            && digit(step, pointer, at + 2, 16)?.is_some();
        at += if is_hex { 2 } else { 0 };
        base = if base == 0 && !is_hex { 8 } else { 16 };
    } else if base == 0 {
        base = 10;
    }
    let mut value = Integer::Concrete(IntKind::ULong, 0);
    let first = at;
    while let Some(digit) = digit(step, pointer, at, base)? {
        let (scaled, _) =
            arithmetic::binary(&pool, BinaryOp::Mul, &value, &Integer::Concrete(IntKind::ULong, base.into()))?;
        value = arithmetic::binary(&pool, BinaryOp::Add, &scaled, &digit)?.0;
        at += 1;
        if at > LONGEST || (base > 10 && at - first > 12) {
            return Err(step.unsupported("a number of so many digits in a string"));
        }
    }
    if negative {
        value = arithmetic::negate(&pool, &value)?.0;
    }
    Ok(Read { value, end: (at > first).then_some(at) })
}

/// The value of a digit, if a byte is one.
fn digit(step: &mut Step<'_, '_>, pointer: &Pointer, at: u64, base: u32) -> Eval<Option<Integer>> {
    let last = |from: u8, count: u32| from + (count - 1) as u8;
    let mut kinds = vec![(b'0', last(b'0', base.min(10)), 0)];
    if base > 10 {
        kinds.extend([(b'a', last(b'a', base - 10), 10), (b'A', last(b'A', base - 10), 10)]);
    }
    for (from, to, value) in kinds {
        if is_among(step, pointer, at, &[(from, to)])? {
            let pool = step.engine.pool.clone();
            let byte = byte(step, pointer, at)?;
            let digit = arithmetic::convert(&pool, &byte, IntKind::ULong);
            let zero = Integer::Concrete(IntKind::ULong, i128::from(from) - value);
            return Ok(Some(arithmetic::binary(&pool, BinaryOp::Sub, &digit, &zero)?.0));
        }
    }
    Ok(None)
}
