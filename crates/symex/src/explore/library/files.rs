//! Streams and files that the program opens, or is given.
//!
//! Whether a file can be opened, what is in it and whether it can be written is up to the world: every answer is anything.
//! A replay cannot bring such an answer about, so that a place which depends on one stays a proposal. What is written is
//! let go; reading it back gives anything, which it is part of.
//!
//! *Guarantee*: the use of a stream after it was closed is a fault, and so are strings without an end and null pointers
//! as streams. Closing a standard stream, and looking into a `FILE`, are losses.

use super::super::access::Place;
use super::super::arithmetic;
use super::super::inputs::{STREAM, scalar};
use super::super::memory::{Kind, Life, Object};
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Pointer, Target, Value};
use super::printing::{anything, string};
use super::{Entry, Request};
use crate::number::{Number, Range};
use diagnostics::Rule;
use exec::ValueType;
use exec::memory::Fault;
use ir::IntKind;
use smt::SortId;

pub const MODELS: &[Entry] = &[
    ("fopen", |step, request| {
        string(step, request, 0)?;
        string(step, request, 1)?;
        open(step, "fopen").map(Some)
    }),
    ("fopen64", |step, request| {
        string(step, request, 0)?;
        string(step, request, 1)?;
        open(step, "fopen").map(Some)
    }),
    ("fdopen", |step, request| {
        string(step, request, 1)?;
        open(step, "fdopen").map(Some)
    }),
    ("tmpfile", |step, _| open(step, "tmpfile").map(Some)),
    ("fclose", |step, request| {
        let pointer = request.pointer(step, 0)?;
        if is_opened(step, &pointer)?
            && let Target::Object(object) = pointer.target
        {
            // Another input may be the same stream, and is closed with it.
            let span = step.span;
            if step.state.memory.get(object).kind == Kind::InputStream {
                step.engine.lose_aliasing(span);
            }
            step.state.memory.get_mut(object).life = Life::Freed;
        } else {
            let span = step.span;
            step.engine.lose(Loss::Unsupported { what: "the end of a standard stream".to_string() }, span);
        }
        anything(step, request, IntKind::Int)
    }),
    ("feof", asked),
    ("ferror", asked),
    ("fileno", asked),
    ("ungetc", |step, request| {
        let pointer = request.pointer(step, 1)?;
        if !is_opened(step, &pointer)? {
            // What is read next of standard input would have to be that character.
            let span = step.span;
            step.engine.lose(Loss::External { name: "ungetc".to_string() }, span);
        }
        anything(step, request, IntKind::Int)
    }),
    ("open", |step, request| {
        string(step, request, 0)?;
        anything(step, request, IntKind::Int)
    }),
    ("open64", |step, request| {
        string(step, request, 0)?;
        anything(step, request, IntKind::Int)
    }),
    ("remove", named),
    ("unlink", named),
    ("rmdir", named),
    ("access", named),
    ("mkdir", named),
    ("chmod", named),
    ("rename", |step, request| {
        string(step, request, 0)?;
        string(step, request, 1)?;
        anything(step, request, IntKind::Int)
    }),
];

/// A new stream, or none.
fn open(step: &mut Step<'_, '_>, name: &str) -> Eval<Value> {
    let object = step.state.memory.add(Object::zeroed(Kind::Stream, STREAM, name, step.span));
    let fails = step.engine.pool.var(&format!("stream {} is not opened", object.0), SortId::BOOL);
    Ok(Value::Pointer(Pointer { null: Some(fails), ..Pointer::to_object(object) }))
}

/// What kind of stream it is, if it is one that was opened or given and that is still open.
pub fn opened(step: &mut Step<'_, '_>, place: &Place) -> Eval<Option<Kind>> {
    let object = step.state.memory.get(place.object);
    if !matches!(object.kind, Kind::Stream | Kind::InputStream) {
        return Ok(None);
    }
    if object.life != Life::Live {
        return Err(Halt::Fault(Fault::new(Rule::UseAfterFree, "the stream was closed before")));
    }
    if place.offset.open.is_some() || place.offset.known != 0 {
        return Err(Halt::Fault(Fault::new(Rule::BadArgument, "the pointer is not one that `fopen` returned")));
    }
    Ok(Some(object.kind))
}

/// Whether a pointer leads to such a stream.
pub fn is_opened(step: &mut Step<'_, '_>, pointer: &Pointer) -> Eval<bool> {
    if pointer.target == Target::Nothing && pointer.offset.known != 0 {
        return Ok(false);
    }
    let place = step.follow(pointer)?;
    opened(step, &place).map(|kind| kind.is_some())
}

/// What reading a character gives: a byte, or -1.
pub fn character(step: &mut Step<'_, '_>) -> Value {
    let pool = step.engine.pool.clone();
    let name = format!("character {} of a file", step.engine.fresh_number());
    let byte = pool.bv_zero_extend(pool.var(&name, pool.bitvec_sort(8)), 24);
    let ends = pool.var(&format!("{name} is its end"), SortId::BOOL);
    let term = pool.ite(ends, pool.bits(32, -1), byte);
    let range = Range { lo: (-1).into(), hi: 255.into() };
    Value::Int(arithmetic::integer(&pool, Number { term, kind: IntKind::Int, range }))
}

/// A question about a stream. Of standard input, what was read of it would have to agree.
fn asked(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let pointer = request.pointer(step, 0)?;
    is_opened(step, &pointer)?;
    let name = format!("state {} of a stream", step.engine.fresh_number());
    Ok(Some(scalar(&step.engine.pool, &name, ValueType::Int(IntKind::Int)).1))
}

/// A call about the file of a name.
fn named(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    string(step, request, 0)?;
    anything(step, request, IntKind::Int)
}
