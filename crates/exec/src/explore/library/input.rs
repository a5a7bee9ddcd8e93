//! Standard input: as many bytes as the program asks for, each an input, and the end at any of them.

use super::super::access::Place;
use super::super::arithmetic;
use super::super::engine::STREAMS;
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Integer, Offset, Pointer, Target, Truth, Value};
use super::{Entry, Request};
use crate::symbolic::number::{Number, Range};
use ir::{BinaryOp, IntKind};
use smt::{SortId, TermId, TermPool};
use std::sync::Arc;

pub const MODELS: &[Entry] = &[
    ("getchar", |step, _| next(step).map(Some)),
    ("getchar_unlocked", |step, _| next(step).map(Some)),
    ("fgetc", |step, request| {
        standard(step, request, 0)?;
        next(step).map(Some)
    }),
    ("getc", |step, request| {
        standard(step, request, 0)?;
        next(step).map(Some)
    }),
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
        Ok(Some(Value::int(IntKind::Long, count.into())))
    }),
    ("fread", |step, request| {
        standard(step, request, 3)?;
        let (size, count) = (request.known(step, 1)? as u64, request.known(step, 2)? as u64);
        let pointer = request.pointer(step, 0)?;
        let read = bytes(step, &pointer, size.saturating_mul(count))?;
        Ok(Some(Value::int(IntKind::ULong, (read / size.max(1)).into())))
    }),
];

/// Whether there is a byte of that number, and the byte.
pub fn stdin_symbols(pool: &TermPool, number: u32) -> (TermId, TermId) {
    let more = pool.var(&format!("stdin has {number}"), SortId::BOOL);
    (more, pool.var(&format!("stdin[{number}]"), pool.bitvec_sort(8)))
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
    let place = step.follow(&pointer)?;
    let first = step.state.asked.stdin;
    let mut taken = Vec::new();
    let mut ended = false;
    while (taken.len() as i128) < size - 1 {
        let number = first + taken.len() as u32;
        let (more, byte) = take(step, number)?;
        if !step.decide(Truth::Open(more))? {
            ended = true;
            break;
        }
        let pool = step.engine.pool.clone();
        let byte = arithmetic::integer(&pool, arithmetic::machine(&pool).of_type(byte, IntKind::UChar));
        let is_end = arithmetic::compare(&pool, BinaryOp::Eq, &byte, &Integer::Known(IntKind::UChar, b'\n'.into()));
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
        if !step.decide(Truth::Open(more))? {
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
