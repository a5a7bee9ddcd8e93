//! malloc and its kin. Whether an allocation fails is an input of its own: a program that asks is followed both ways.

use super::super::access::Place;
use super::super::memory::{Kind, Life, Object, ObjectId};
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Integer, Offset, Pointer, Target, Truth, Value};
use super::{Entry, Request};
use diagnostics::Rule;
use exec::memory::Fault;
use smt::SortId;

pub const MODELS: &[Entry] = &[
    ("malloc", |step, request| {
        let size = size(step, request, 0)?;
        allocate(step, size, false)
    }),
    ("calloc", |step, request| {
        let (count, size) = (size(step, request, 0)?, size(step, request, 1)?);
        allocate(step, count.saturating_mul(size), true)
    }),
    ("realloc", realloc),
    ("free", |step, request| {
        let pointer = request.pointer(step, 0)?;
        if let Some(object) = released(step, &pointer)? {
            release(step, object);
        }
        Ok(None)
    }),
    ("strdup", |step, request| {
        let from = request.pointer(step, 0)?;
        let length = super::strings::length(step, &from)?;
        let place = step.follow(&from)?;
        let source = step.fixed(&place, length + 1, false)?;
        let value = allocate(step, length + 1, false)?;
        if let Some(Value::Pointer(pointer)) = &value
            && let Target::Object(object) = pointer.target
        {
            let from = Place { offset: super::super::value::Offset::known(source as i64), ..place };
            let to = Place { object, offset: super::super::value::Offset::ZERO, bits: None };
            step.copy(&to, &from, length + 1)?;
        }
        Ok(value)
    }),
];

fn allocate(step: &mut Step<'_, '_>, size: u64, zeroed: bool) -> Eval<Option<Value>> {
    if size > step.engine.config.max_object {
        return Err(Halt::Lost(Loss::Memory));
    }
    let span = step.span;
    let object =
        if zeroed { Object::zeroed(Kind::Heap, size, "", span) } else { Object::unset(Kind::Heap, size, "", span) };
    let object = step.state.memory.add(object);
    let fails = step.engine.pool.var(&format!("allocation {} fails", object.0), SortId::BOOL);
    Ok(Some(Value::Pointer(Pointer { null: Some(fails), ..Pointer::to_object(object) })))
}

const GIVEN: &str = "the release of an object that the caller gave";

fn realloc(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let pointer = request.pointer(step, 0)?;
    // Of how many bytes a caller's object is, that is a bound like any other.
    if let Target::Object(id) = pointer.target
        && step.state.memory.get(id).kind == Kind::Input
        && !step.decide(pointer.is_null())?
    {
        let (name, span) = (step.state.memory.get(id).name.to_string(), step.span);
        step.engine.lose(Loss::Input { name }, span);
    }
    let size = size(step, request, 1)?;
    let old = released(step, &pointer)?;
    // An allocation that fails leaves the old object alone, so that is told apart first.
    let next = step.state.memory.len();
    let fails = step.engine.pool.var(&format!("allocation {next} fails"), SortId::BOOL);
    if old.is_some() && step.decide(Truth::Symbolic(fails))? {
        return Ok(Some(Value::Pointer(Pointer::NULL)));
    }
    let value = allocate(step, size, false)?;
    if let (Some(old), Some(Value::Pointer(pointer))) = (old, &value)
        && let Target::Object(new) = pointer.target
    {
        let kept = step.state.memory.get(old).size.min(size);
        let place = |object| Place { object, offset: super::super::value::Offset::ZERO, bits: None };
        step.copy(&place(new), &place(old), kept)?;
        release(step, old);
    }
    Ok(value)
}

/// The size of an allocation. Where inputs decide it, small ones are told apart, and the smallest possible ones where all
/// are larger.
fn size(step: &mut Step<'_, '_>, request: &Request, index: usize) -> Eval<u64> {
    let size = request.int(step, index)?;
    if let Integer::Symbolic(number) = &size {
        let (pool, width) = (step.engine.pool.clone(), size.kind().bits());
        let mut bound = (u64::from(step.engine.config.bounds.array) * BYTES).min(MOST_SIZES);
        let at_most = |bound: u64| pool.bv_ule(number.term, pool.bits(width, bound));
        while bound < step.engine.config.max_object && !step.can_fail(pool.not(at_most(bound)))? {
            bound *= 4;
        }
        step.require_or_lose(at_most(bound), &Loss::Allocation { bound })?;
    }
    Ok(step.known_int(&size)? as u64)
}

/// Bytes of an allocation for each element that inputs have, and at most.
const BYTES: u64 = 8;
const MOST_SIZES: u64 = 60;

/// The heap object that a pointer may release; none for a null pointer.
fn released(step: &mut Step<'_, '_>, pointer: &Pointer) -> Eval<Option<ObjectId>> {
    let is_null = step.decide(pointer.is_null())?;
    if is_null {
        return Ok(None);
    }
    let fault = |rule, message: &str| Err(Halt::Fault(Fault::new(rule, message)));
    let Target::Object(id) = pointer.target else {
        return fault(Rule::InvalidFree, "the pointer does not point to an object");
    };
    let object = step.state.memory.get(id);
    match (object.kind, object.life) {
        (Kind::Heap, Life::Live) => {}
        (Kind::Heap, _) => return fault(Rule::DoubleFree, "the object was freed before"),
        // That it comes from malloc, the caller owes. Another input may be the same object, and is gone with it.
        // A caller may also give a pointer into an object, whose start the program knows how to find.
        (Kind::Input, Life::Live) if pointer.offset != Offset::ZERO => return Err(step.unsupported(GIVEN)),
        (Kind::Input, Life::Live) => {
            let span = step.span;
            if step.state.memory.inputs() > 1 {
                step.engine.lose_aliasing(span);
            }
            step.engine.demanded.insert(Rule::InvalidFree);
        }
        (Kind::Input, _) => return fault(Rule::DoubleFree, "the object was freed before"),
        _ => return fault(Rule::InvalidFree, "the object does not come from malloc"),
    }
    if pointer.offset.open.is_some() || pointer.offset.known != 0 {
        return fault(Rule::InvalidFree, "the pointer does not point to the start of the object");
    }
    Ok(Some(id))
}

fn release(step: &mut Step<'_, '_>, object: ObjectId) {
    let object = step.state.memory.get_mut(object);
    object.life = Life::Freed;
    object.release();
}
