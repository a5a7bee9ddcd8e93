//! Standard input: as many bytes or numbers as the program asks for, each an input, and the end at any of them.

use super::super::access::Place;
use super::super::arithmetic;
use super::super::engine::STREAMS;
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Integer, Offset, Pointer, Target, Truth, Value};
use super::{Entry, Request, files};
use crate::number::{Number, Range};
use exec::ValueType;
use ir::{BinaryOp, FloatKind, IntKind};
use smt::{SortId, TermId, TermPool};
use std::sync::Arc;

pub const MODELS: &[Entry] = &[
    ("getchar", |step, _| next(step).map(Some)),
    ("getchar_unlocked", |step, _| next(step).map(Some)),
    ("fgetc", character),
    ("getc", character),
    ("fgets", |step, request| {
        standard(step, request, 2)?;
        line(step, request)
    }),
    ("read", |step, request| {
        if request.known(step, 0)? != 0 {
            return Err(step.unsupported("a read from a file"));
        }
        let size = request.known(step, 2)? as u64;
        let pointer = request.pointer(step, 1)?;
        let count = bytes(step, &pointer, size)?;
        // It may fail, and give less than there is.
        let span = step.span;
        step.engine.lose(Loss::External { name: "read".to_string() }, span);
        Ok(Some(Value::int(IntKind::Long, count.into())))
    }),
    ("fread", |step, request| {
        standard(step, request, 3)?;
        let (size, count) = (request.known(step, 1)? as u64, request.known(step, 2)? as u64);
        let pointer = request.pointer(step, 0)?;
        let read = bytes(step, &pointer, size.saturating_mul(count))?;
        Ok(Some(Value::int(IntKind::ULong, (read / size.max(1)).into())))
    }),
    ("scanf", |step, request| numbers(step, request, 0)),
    ("__isoc99_scanf", |step, request| numbers(step, request, 0)),
    ("fscanf", |step, request| {
        standard(step, request, 0)?;
        numbers(step, request, 1)
    }),
    ("__isoc99_fscanf", |step, request| {
        standard(step, request, 0)?;
        numbers(step, request, 1)
    }),
];

/// Whether there is a byte of that number, and the byte.
pub fn stdin_symbols(pool: &TermPool, number: u32) -> (TermId, TermId) {
    let more = pool.var(&format!("stdin has {number}"), SortId::BOOL);
    (more, pool.var(&format!("stdin[{number}]"), pool.bitvec_sort(8)))
}

/// The next character of a stream; what is in a file is up to the world.
fn character(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let stream = request.pointer(step, 0)?;
    if files::is_opened(step, &stream)? {
        return Ok(Some(files::character(step)));
    }
    standard(step, request, 0)?;
    next(step).map(Some)
}

/// Only standard input is an input.
fn standard(step: &mut Step<'_, '_>, request: &Request, index: usize) -> Eval<()> {
    let stream = request.pointer(step, index)?;
    if stream.target == Target::Nothing && stream.offset.known == STREAMS {
        Ok(())
    } else {
        Err(step.unsupported("a read from a file"))
    }
}

/// Takes another byte's place: its two symbols. There is none without the ones before it.
fn take(step: &mut Step<'_, '_>, number: u32) -> Eval<(TermId, TermId)> {
    if !step.state.asked.tokens.is_empty() {
        return Err(step.unsupported("standard input read as bytes after numbers"));
    }
    let bound = step.engine.config.bounds.stdin;
    if number >= bound {
        return Err(Halt::Lost(Loss::Stdin { bound }));
    }
    let pool = step.engine.pool.clone();
    let symbols = stdin_symbols(&pool, number);
    if number > 0 {
        let before = stdin_symbols(&pool, number - 1).0;
        step.assume(pool.implies(symbols.0, before))?;
    }
    Ok(symbols)
}

/// What `getchar` gives: the byte, or -1.
fn next(step: &mut Step<'_, '_>) -> Eval<Value> {
    let number = step.state.asked.stdin;
    let (more, byte) = take(step, number)?;
    let pool = step.engine.pool.clone();
    Arc::make_mut(&mut step.state.asked).stdin += 1;
    let wide = pool.bv_resize(byte, 32, false);
    let term = pool.ite(more, wide, pool.bits(32, -1));
    let range = Range { lo: (-1).into(), hi: 255.into() };
    Ok(Value::Int(arithmetic::integer(&pool, Number { term, kind: IntKind::Int, range })))
}

/// `fgets`: bytes up to a line's end, which forks at each of them.
fn line(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let pointer = request.pointer(step, 0)?;
    let size = request.known(step, 1)?;
    if size < 2 {
        // Libraries differ: an empty line, or none.
        return Err(step.unsupported("`fgets` without room for a character"));
    }
    let place = step.follow(&pointer)?;
    let first = step.state.asked.stdin;
    let mut taken = Vec::new();
    let mut ended = false;
    while (taken.len() as i128) < size - 1 {
        let number = first + taken.len() as u32;
        let (more, byte) = take(step, number)?;
        if !step.decide(Truth::Symbolic(more))? {
            ended = true;
            break;
        }
        let pool = step.engine.pool.clone();
        let byte = arithmetic::integer(&pool, arithmetic::machine(&pool).of_type(byte, IntKind::UChar));
        let is_end = arithmetic::compare(&pool, BinaryOp::Eq, &byte, &Integer::Concrete(IntKind::UChar, b'\n'.into()));
        taken.push(byte);
        if step.decide(is_end)? {
            break;
        }
    }
    let count = taken.len() as u64;
    let looked = count as u32 + u32::from(ended);
    if count == 0 {
        Arc::make_mut(&mut step.state.asked).stdin += looked;
        return Ok(Some(Value::Pointer(Pointer::NULL)));
    }
    let at = step.fixed(&place, count + 1, true)?;
    Arc::make_mut(&mut step.state.asked).stdin += looked;
    for (k, byte) in (at..).zip(taken) {
        step.store_at(place.object, k, 1, Value::Int(byte));
    }
    step.store_at(place.object, at + count, 1, Value::int(IntKind::UChar, 0));
    Ok(Some(Value::Pointer(pointer)))
}

/// As many bytes as there are, up to a size; gives how many.
fn bytes(step: &mut Step<'_, '_>, pointer: &Pointer, size: u64) -> Eval<u64> {
    let place = step.follow(pointer)?;
    let first = step.state.asked.stdin;
    let mut taken = Vec::new();
    let mut looked = 0;
    while (taken.len() as u64) < size {
        let (more, byte) = take(step, first + taken.len() as u32)?;
        looked += 1;
        if !step.decide(Truth::Symbolic(more))? {
            break;
        }
        let pool = &step.engine.pool;
        taken.push(arithmetic::integer(pool, arithmetic::machine(pool).of_type(byte, IntKind::UChar)));
    }
    let count = taken.len() as u64;
    let at = if count > 0 { step.fixed(&place, count, true)? } else { 0 };
    Arc::make_mut(&mut step.state.asked).stdin += looked;
    let place = Place { offset: Offset::known(at as i64), ..place };
    for (k, byte) in (at..).zip(taken) {
        step.store_at(place.object, k, 1, Value::Int(byte));
    }
    Ok(count)
}

/// `scanf` of numbers: each is an input, and the end may come before any of them. Text that is no number is not tried.
fn numbers(step: &mut Step<'_, '_>, request: &Request, format: usize) -> Eval<Option<Value>> {
    if step.state.asked.stdin > 0 {
        return Err(step.unsupported("standard input read as numbers after bytes"));
    }
    let text = request.pointer(step, format)?;
    let place = step.follow(&text)?;
    let at = step.fixed(&place, 1, false)?;
    let object = step.state.memory.get(place.object);
    let bytes = object.known_bytes(at, object.size - at).map(<[u8]>::to_vec);
    let types = bytes.as_deref().and_then(conversions);
    let Some(types) = types else { return Err(step.unsupported("a conversion of `scanf` that is no number")) };
    let span = step.span;
    step.engine.lose(Loss::External { name: "scanf".to_string() }, span);
    let pool = step.engine.pool.clone();
    let first = step.state.asked.tokens.len();
    let mut taken = Vec::new();
    let mut ended = false;
    for (k, ty) in types.iter().enumerate() {
        let number = first + k;
        let more = pool.var(&format!("stdin has number {number}"), SortId::BOOL);
        if number > 0 {
            let before = pool.var(&format!("stdin has number {}", number - 1), SortId::BOOL);
            step.assume(pool.implies(more, before))?;
        }
        let (term, value) = super::super::inputs::scalar(&pool, &format!("number {number} of {}", ty.c_name()), *ty);
        taken.push((more, term, *ty, value));
        if !step.decide(Truth::Symbolic(more))? {
            ended = true;
            break;
        }
    }
    let given = taken.len() - usize::from(ended);
    let mut places = Vec::new();
    for (k, (_, _, ty, _)) in taken.iter().take(given).enumerate() {
        let size = match ty {
            ValueType::Int(kind) => kind.bytes(),
            ValueType::Float(kind) => kind.bytes(),
        };
        let pointer = request.pointer(step, format + 1 + k)?;
        let place = step.follow(&pointer)?;
        places.push((place.object, step.fixed(&place, size, true)?, size));
    }
    for ((object, at, size), (_, _, _, value)) in places.into_iter().zip(&taken) {
        step.store_at(object, at, size, value.clone());
    }
    Arc::make_mut(&mut step.state.asked).tokens.extend(taken.into_iter().map(|(more, term, ty, _)| (more, term, ty)));
    let count = if ended && given == 0 { -1 } else { given as i128 };
    Ok(Some(Value::int(IntKind::Int, count)))
}

/// The types that a format reads, if it reads numbers alone.
fn conversions(format: &[u8]) -> Option<Vec<ValueType>> {
    let end = format.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&format[..end]).ok()?;
    let mut types = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_whitespace() {
            rest = &rest[1..];
            continue;
        }
        rest = rest.strip_prefix('%')?;
        use FloatKind::*;
        use IntKind::*;
        let known = [
            ("d", ValueType::Int(Int)),
            ("i", ValueType::Int(Int)),
            ("u", ValueType::Int(UInt)),
            ("hhd", ValueType::Int(SChar)),
            ("hd", ValueType::Int(Short)),
            ("hu", ValueType::Int(UShort)),
            ("ld", ValueType::Int(Long)),
            ("lu", ValueType::Int(ULong)),
            ("lld", ValueType::Int(LongLong)),
            ("llu", ValueType::Int(ULongLong)),
            ("zu", ValueType::Int(ULong)),
            ("f", ValueType::Float(Float)),
            ("lf", ValueType::Float(Double)),
        ];
        let (name, ty) = known.iter().find(|(name, _)| rest.starts_with(name))?;
        types.push(*ty);
        rest = &rest[name.len()..];
    }
    Some(types)
}
