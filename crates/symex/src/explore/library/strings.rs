//! string.h on bytes that may be open.
//!
//! Comparisons and lengths become one term: what is looked at behind the first difference, or behind the end, is guarded
//! by there being none before. Copies and searches fork, because what they do next depends on it.

use super::super::access::Place;
use super::super::arithmetic;
use super::super::evaluate::select;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Integer, Offset, Pointer, Target, Truth, Value};
use super::{Entry, Request, characters};
use crate::number::{Number, Range};
use diagnostics::Rule;
use exec::memory::Fault;
use exec::vm::Class;
use ir::{BinaryOp, IntKind};

pub const MODELS: &[Entry] = &[
    ("memcpy", |step, request| copy(step, request, false)),
    ("__memcpy_chk", |step, request| copy(step, request, false)),
    ("memmove", |step, request| copy(step, request, true)),
    ("memset", fill),
    ("memcmp", |step, request| {
        let count = request.known(step, 2)? as u64;
        compare(step, request, Some(count), Compared::Bytes)
    }),
    ("strcmp", |step, request| compare(step, request, None, Compared::Strings)),
    ("strncmp", |step, request| {
        let count = request.known(step, 2)? as u64;
        compare(step, request, Some(count), Compared::Strings)
    }),
    ("strcasecmp", |step, request| compare(step, request, None, Compared::Folded)),
    ("strncasecmp", |step, request| {
        let count = request.known(step, 2)? as u64;
        compare(step, request, Some(count), Compared::Folded)
    }),
    ("strspn", |step, request| {
        span(step, request, true).map(|(count, _)| Some(Value::int(IntKind::ULong, count.into())))
    }),
    ("strcspn", |step, request| {
        span(step, request, false).map(|(count, _)| Some(Value::int(IntKind::ULong, count.into())))
    }),
    ("strpbrk", |step, request| {
        let pointer = request.pointer(step, 0)?;
        let (count, ended) = span(step, request, false)?;
        let found = if ended { Pointer::NULL } else { moved(step, &pointer, count) };
        Ok(Some(Value::Pointer(found)))
    }),
    ("strlen", |step, request| {
        let pointer = request.pointer(step, 0)?;
        measure(step, &pointer).map(Some)
    }),
    ("strnlen", |step, request| {
        let pointer = request.pointer(step, 0)?;
        let most = request.known(step, 1)? as u64;
        let mut count = 0;
        while count < most && !is_byte(step, &pointer, count, 0)? {
            count += 1;
        }
        Ok(Some(Value::int(IntKind::ULong, count.into())))
    }),
    ("strcpy", |step, request| {
        let (to, from) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
        let length = length(step, &from)?;
        copy_bytes(step, &to, &from, length + 1)?;
        Ok(Some(Value::Pointer(to)))
    }),
    ("stpcpy", |step, request| {
        let (to, from) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
        let length = length(step, &from)?;
        copy_bytes(step, &to, &from, length + 1)?;
        Ok(Some(Value::Pointer(moved(step, &to, length))))
    }),
    ("strncpy", |step, request| {
        let (to, from) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
        let count = request.known(step, 2)? as u64;
        let mut length = 0;
        while length < count && !is_byte(step, &from, length, 0)? {
            length += 1;
        }
        // Both places are settled before anything is written.
        for (pointer, size, writes) in [(&to, count, true), (&from, length, false)] {
            let place = step.follow(pointer)?;
            step.fixed(&place, size, writes)?;
        }
        if length < count {
            let rest = moved(step, &to, length);
            let rest = step.follow(&rest)?;
            step.zero(&rest, count - length)?;
        }
        copy_bytes(step, &to, &from, length)?;
        Ok(Some(Value::Pointer(to)))
    }),
    ("strcat", |step, request| {
        let (to, from) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
        let (before, length) = (length(step, &to)?, length(step, &from)?);
        let end = moved(step, &to, before);
        copy_bytes(step, &end, &from, length + 1)?;
        Ok(Some(Value::Pointer(to)))
    }),
    ("strchr", |step, request| {
        let pointer = request.pointer(step, 0)?;
        let wanted = request.int(step, 1)?;
        let wanted = arithmetic::convert(&step.engine.pool, &wanted, IntKind::UChar);
        let mut at = 0;
        loop {
            let byte = byte(step, &pointer, at)?;
            let found = arithmetic::compare(&step.engine.pool, BinaryOp::Eq, &byte, &wanted);
            if step.decide(found)? {
                return Ok(Some(Value::Pointer(moved(step, &pointer, at))));
            }
            if is_byte(step, &pointer, at, 0)? {
                return Ok(Some(Value::Pointer(Pointer::NULL)));
            }
            at += 1;
        }
    }),
    ("strrchr", |step, request| {
        let pointer = request.pointer(step, 0)?;
        let wanted = request.int(step, 1)?;
        let wanted = arithmetic::convert(&step.engine.pool, &wanted, IntKind::UChar);
        let length = length(step, &pointer)?;
        for at in (0..=length).rev() {
            let byte = byte(step, &pointer, at)?;
            let found = arithmetic::compare(&step.engine.pool, BinaryOp::Eq, &byte, &wanted);
            if step.decide(found)? {
                return Ok(Some(Value::Pointer(moved(step, &pointer, at))));
            }
        }
        Ok(Some(Value::Pointer(Pointer::NULL)))
    }),
    ("memchr", |step, request| {
        let pointer = request.pointer(step, 0)?;
        let wanted = request.int(step, 1)?;
        let wanted = arithmetic::convert(&step.engine.pool, &wanted, IntKind::UChar);
        let count = request.known(step, 2)? as u64;
        for at in 0..count {
            let byte = byte(step, &pointer, at)?;
            let found = arithmetic::compare(&step.engine.pool, BinaryOp::Eq, &byte, &wanted);
            if step.decide(found)? {
                return Ok(Some(Value::Pointer(moved(step, &pointer, at))));
            }
        }
        Ok(Some(Value::Pointer(Pointer::NULL)))
    }),
    ("strncat", |step, request| {
        let (to, from) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
        let count = request.known(step, 2)? as u64;
        let before = length(step, &to)?;
        let mut added = 0;
        while added < count && !is_byte(step, &from, added, 0)? {
            added += 1;
        }
        let end = moved(step, &to, before);
        let place = step.follow(&end)?;
        let at = step.fixed(&place, added + 1, true)?;
        copy_bytes(step, &end, &from, added)?;
        step.store_at(place.object, at + added, 1, Value::int(IntKind::UChar, 0));
        Ok(Some(Value::Pointer(to)))
    }),
    ("strstr", |step, request| {
        let (pointer, wanted) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
        let wanted_length = length(step, &wanted)?;
        let mut start = 0;
        loop {
            let mut same = 0;
            while same < wanted_length {
                let (a, b) = (byte(step, &pointer, start + same)?, byte(step, &wanted, same)?);
                let equal = arithmetic::compare(&step.engine.pool, BinaryOp::Eq, &a, &b);
                if !step.decide(equal)? {
                    break;
                }
                same += 1;
            }
            if same == wanted_length {
                return Ok(Some(Value::Pointer(moved(step, &pointer, start))));
            }
            if is_byte(step, &pointer, start, 0)? {
                return Ok(Some(Value::Pointer(Pointer::NULL)));
            }
            start += 1;
        }
    }),
];

pub fn moved(step: &Step<'_, '_>, pointer: &Pointer, by: u64) -> Pointer {
    step.moved(pointer, Offset::known(by as i64))
}

/// A byte of what a pointer leads to.
pub fn byte(step: &mut Step<'_, '_>, pointer: &Pointer, at: u64) -> Eval<Integer> {
    let pointer = moved(step, pointer, at);
    let place = step.follow(&pointer)?;
    match step.load(&place, Class::Int(IntKind::UChar))? {
        Value::Int(value) => Ok(value),
        _ => Err(step.unsupported("a byte of a pointer or a floating value")),
    }
}

pub fn is_byte(step: &mut Step<'_, '_>, pointer: &Pointer, at: u64, value: u8) -> Eval<bool> {
    let byte = byte(step, pointer, at)?;
    let equal =
        arithmetic::compare(&step.engine.pool, BinaryOp::Eq, &byte, &Integer::Concrete(IntKind::UChar, value.into()));
    step.decide(equal)
}

/// Whether a byte lies in one of the ranges.
pub fn is_among(step: &mut Step<'_, '_>, pointer: &Pointer, at: u64, ranges: &[(u8, u8)]) -> Eval<bool> {
    let byte = byte(step, pointer, at)?;
    let pool = step.engine.pool.clone();
    let compare = |op: BinaryOp, bound: u8| {
        arithmetic::compare(&pool, op, &byte, &Integer::Concrete(IntKind::UChar, bound.into())).term(&pool)
    };
    let within: Vec<_> =
        ranges.iter().map(|&(lo, hi)| pool.and(&[compare(BinaryOp::Ge, lo), compare(BinaryOp::Le, hi)])).collect();
    step.decide(Truth::of(&pool, pool.or(&within)))
}

/// The length of a string, by forking at each byte that may be its end.
pub fn length(step: &mut Step<'_, '_>, pointer: &Pointer) -> Eval<u64> {
    let mut length = 0;
    while !is_byte(step, pointer, length, 0)? {
        length += 1;
    }
    Ok(length)
}

fn copy_bytes(step: &mut Step<'_, '_>, to: &Pointer, from: &Pointer, count: u64) -> Eval<()> {
    if count == 0 {
        return Ok(());
    }
    let (to, from) = (step.follow(to)?, step.follow(from)?);
    step.copy(&to, &from, count)
}

fn copy(step: &mut Step<'_, '_>, request: &Request, may_overlap: bool) -> Eval<Option<Value>> {
    let (to, from) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
    let count = request.known(step, 2)? as u64;
    if count > 0 && !may_overlap && to.target == from.target {
        let (target, source) = (step.follow(&to)?, step.follow(&from)?);
        let (a, b) = (step.fixed(&target, count, true)?, step.fixed(&source, count, false)?);
        if a.abs_diff(b) < count && a != b {
            return Err(Halt::Fault(Fault::new(Rule::MemoryOverlap, "the regions given to `memcpy` overlap")));
        }
    }
    copy_bytes(step, &to, &from, count)?;
    Ok(Some(Value::Pointer(to)))
}

fn fill(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let to = request.pointer(step, 0)?;
    let value = request.int(step, 1)?;
    let value = arithmetic::convert(&step.engine.pool, &value, IntKind::UChar);
    let count = request.known(step, 2)? as u64;
    if count > 0 {
        let place = step.follow(&to)?;
        let at = step.fixed(&place, count, true)?;
        if value.known() == Some(0) {
            step.zero(&Place { offset: Offset::known(at as i64), ..place }, count)?;
        } else {
            for k in at..at + count {
                step.store_at(place.object, k, 1, Value::Int(value.clone()));
            }
        }
    }
    Ok(Some(Value::Pointer(to)))
}

/// How many bytes at the start of a string are in a set, or are not, and whether it ends there.
fn span(step: &mut Step<'_, '_>, request: &Request, inside: bool) -> Eval<(u64, bool)> {
    let pointer = request.pointer(step, 0)?;
    let set: Vec<(u8, u8)> = request.known_text(step, 1)?.into_iter().map(|byte| (byte, byte)).collect();
    let mut count = 0;
    loop {
        if is_byte(step, &pointer, count, 0)? {
            return Ok((count, true));
        }
        if is_among(step, &pointer, count, &set)? != inside {
            return Ok((count, false));
        }
        count += 1;
    }
}

/// What is compared: so many bytes, or strings up to their ends, perhaps in small letters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    Bytes,
    Strings,
    Folded,
}

/// The difference of the first bytes that differ, as one term.
fn compare(step: &mut Step<'_, '_>, request: &Request, count: Option<u64>, what: Compared) -> Eval<Option<Value>> {
    let (a, b) = (request.pointer(step, 0)?, request.pointer(step, 1)?);
    let kept = step.guards.len();
    let result = compare_bytes(step, &a, &b, count, what);
    step.guards.truncate(kept);
    result.map(Some)
}

fn compare_bytes(step: &mut Step<'_, '_>, a: &Pointer, b: &Pointer, count: Option<u64>, what: Compared) -> Eval<Value> {
    let pool = step.engine.pool.clone();
    let kept = step.guards.len();
    // What follows is looked at only under the guard that nothing was decided before; the tests come last to first.
    let mut decided: Vec<(Truth, Value)> = Vec::new();
    let most = [a, b].into_iter().filter_map(|pointer| most_bytes(step, pointer)).min();
    let mut at = 0;
    let last = loop {
        if count.is_some_and(|count| at >= count) || most.is_some_and(|most| at > most) {
            break Value::int(IntKind::Int, 0);
        }
        let (x, y) = match (byte(step, a, at), byte(step, b, at)) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(halt), _) | (_, Err(halt)) => {
                let guard = step.guards.get(kept).copied();
                step.guards.truncate(kept);
                // A fault here happens only if all bytes before are the same; whether they are must be settled.
                return Err(match (halt, guard) {
                    (Halt::Fault(_) | Halt::Lost(_) | Halt::Excluded, Some(guard)) => Halt::Fork(guard),
                    (halt, _) => halt,
                });
            }
        };
        let (mut x, mut y) =
            (arithmetic::convert(&pool, &x, IntKind::Int), arithmetic::convert(&pool, &y, IntKind::Int));
        if what == Compared::Folded {
            (x, y) = (characters::lower(step, &x)?, characters::lower(step, &y)?);
        }
        let differ = step.known_truth(arithmetic::compare(&pool, BinaryOp::Ne, &x, &y));
        let (difference, _) = arithmetic::binary(&pool, BinaryOp::Sub, &x, &y)?;
        match differ {
            Truth::Concrete(true) => break sign_of(step, &difference)?,
            Truth::Concrete(false) => {}
            Truth::Symbolic(condition) => {
                let sign = sign_of(step, &difference)?;
                decided.push((differ, sign));
                step.guards.push(pool.not(condition));
            }
        }
        if what != Compared::Bytes {
            let zero = Integer::Concrete(IntKind::Int, 0);
            let ends = step.known_truth(arithmetic::compare(&pool, BinaryOp::Eq, &x, &zero));
            // Where one is known to end, equal bytes mean that both do.
            let other = step.known_truth(arithmetic::compare(&pool, BinaryOp::Eq, &y, &zero));
            match (ends, other) {
                (Truth::Concrete(true), _) | (_, Truth::Concrete(true)) => break Value::int(IntKind::Int, 0),
                (Truth::Concrete(false), _) | (_, Truth::Concrete(false)) => {}
                (Truth::Symbolic(condition), _) => {
                    decided.push((ends, Value::int(IntKind::Int, 0)));
                    step.guards.push(pool.not(condition));
                }
            }
        }
        at += 1;
    };
    step.guards.truncate(kept);
    let mut result = last;
    for (truth, value) in decided.into_iter().rev() {
        let Truth::Symbolic(condition) = truth else { continue };
        result = select(&pool, condition, &value, &result)
            .ok_or_else(|| step.unsupported("a comparison of values of different kinds"))?;
    }
    Ok(result)
}

/// What a comparison gives for bytes that differ: C says its sign alone, and compilers that know the answer give 1 where
/// the library gives the difference.
fn sign_of(step: &mut Step<'_, '_>, difference: &Integer) -> Eval<Value> {
    let pool = step.engine.pool.clone();
    let more = magnitude(step);
    let less = arithmetic::negate(&pool, &more)?.0;
    let (more, less) = (Value::Int(more), Value::Int(less));
    let zero = Integer::Concrete(IntKind::Int, 0);
    match step.known_truth(arithmetic::compare(&pool, BinaryOp::Gt, difference, &zero)) {
        Truth::Concrete(true) => Ok(more),
        Truth::Concrete(false) => Ok(less),
        Truth::Symbolic(condition) => select(&pool, condition, &more, &less)
            .ok_or_else(|| step.unsupported("a comparison of values of different kinds")),
    }
}

/// Some number above zero.
pub fn magnitude(step: &mut Step<'_, '_>) -> Integer {
    let pool = step.engine.pool.clone();
    let name = format!("magnitude {}", step.engine.fresh_number());
    let free = pool.bv_zero_extend(pool.var(&name, pool.bitvec_sort(16)), 16);
    let range = Range { lo: 1.into(), hi: (1 << 16).into() };
    Integer::Symbolic(Number { term: pool.bv_add(free, pool.bits(32, 1)), kind: IntKind::Int, range })
}

/// How many bytes there are at most from a pointer on whose place in its object is open. After so many one was the end, or
/// differed, or the path would not be followed: nothing else would end a loop whose bytes are looked at under guards.
fn most_bytes(step: &Step<'_, '_>, pointer: &Pointer) -> Option<u64> {
    match (pointer.target, pointer.offset.open) {
        (Target::Object(object), Some(_)) => Some(step.state.memory.get(object).size),
        _ => None,
    }
}

/// `strlen` as one term: the place of the first zero.
pub fn measure(step: &mut Step<'_, '_>, pointer: &Pointer) -> Eval<Value> {
    let pool = step.engine.pool.clone();
    let kept = step.guards.len();
    let mut ends = Vec::new();
    let mut at = 0u64;
    let most = most_bytes(step, pointer);
    while most.is_none_or(|most| at <= most) {
        let value = byte(step, pointer, at);
        let value = match value {
            Ok(value) => value,
            Err(halt) => {
                let guard = step.guards.get(kept).copied();
                step.guards.truncate(kept);
                return Err(match (halt, guard) {
                    (Halt::Fault(_) | Halt::Lost(_) | Halt::Excluded, Some(guard)) => Halt::Fork(guard),
                    (halt, _) => halt,
                });
            }
        };
        let is_end = arithmetic::compare(&pool, BinaryOp::Eq, &value, &Integer::Concrete(IntKind::UChar, 0));
        match step.known_truth(is_end) {
            Truth::Concrete(true) => break,
            Truth::Concrete(false) => {}
            Truth::Symbolic(condition) => {
                ends.push((condition, at));
                step.guards.push(pool.not(condition));
            }
        }
        at += 1;
    }
    step.guards.truncate(kept);
    let mut term = pool.bits(64, at);
    for (condition, length) in ends.into_iter().rev() {
        term = pool.ite(condition, pool.bits(64, length), term);
    }
    let range = Range { lo: 0.into(), hi: at.into() };
    let number = Number { term, kind: IntKind::ULong, range };
    Ok(Value::Int(arithmetic::integer(&pool, number)))
}
