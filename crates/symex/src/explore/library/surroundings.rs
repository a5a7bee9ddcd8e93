//! What the system answers: clocks, chance, who runs the program, and texts that the library gives.
//!
//! Every answer is anything that the function may give, and two calls need not agree. A replay cannot bring an answer
//! about, so that a place which depends on one stays a proposal.
//!
//! *Guarantee*: all answers are followed. A text of the library may be printed and compared with null; what it holds and
//! where it lies is a loss where somebody looks. A handler of a signal may run at any time, so that only those without
//! code of the program are taken.

use super::super::access::Place;
use super::super::arithmetic;
use super::super::inputs::scalar;
use super::super::memory::{Kind, Object};
use super::super::state::Loss;
use super::super::step::{Eval, Step};
use super::super::value::{Offset, Pointer, Target, Value};
use super::printing::{anything, is_null, string};
use super::{Entry, Request};
use crate::number::{Number, Range};
use exec::ValueType;
use ir::IntKind;
use smt::SortId;

pub const MODELS: &[Entry] = &[
    ("time", time),
    ("clock", |step, request| anything(step, request, IntKind::Long)),
    ("rand", chance),
    ("random", chance),
    ("srand", |_, _| Ok(None)),
    ("srandom", |_, _| Ok(None)),
    ("getpid", |step, request| anything(step, request, IntKind::Int)),
    ("getppid", |step, request| anything(step, request, IntKind::Int)),
    ("getuid", |step, request| anything(step, request, IntKind::UInt)),
    ("geteuid", |step, request| anything(step, request, IntKind::UInt)),
    ("getgid", |step, request| anything(step, request, IntKind::UInt)),
    ("getegid", |step, request| anything(step, request, IntKind::UInt)),
    ("isatty", |step, request| anything(step, request, IntKind::Int)),
    ("sleep", |step, request| anything(step, request, IntKind::UInt)),
    ("usleep", |step, request| anything(step, request, IntKind::Int)),
    ("signal", signal),
    ("strerror", |step, _| text(step, "strerror", false)),
    ("strsignal", |step, _| text(step, "strsignal", true)),
    ("getenv", |step, request| {
        string(step, request, 0)?;
        text(step, "getenv", true)
    }),
    ("secure_getenv", |step, request| {
        string(step, request, 0)?;
        text(step, "secure_getenv", true)
    }),
    ("strcoll", |step, request| {
        // In some order of some locale. Strings that differ may be equal in it, so nothing is said but that both end.
        string(step, request, 0)?;
        string(step, request, 1)?;
        anything(step, request, IntKind::Int)
    }),
];

/// `time`: the same number as result and where the argument points, if it does.
fn time(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let to = request.pointer(step, 0)?;
    let is_wanted = !is_null(&to) && !step.decide(to.is_null())?;
    let place = if is_wanted {
        let place = step.follow(&to)?;
        let at = step.fixed(&place, 8, true)?;
        Some(Place { offset: Offset::known(at as i64), ..place })
    } else {
        None
    };
    let name = format!("time {}", step.engine.fresh_number());
    let value = scalar(&step.engine.pool, &name, ValueType::Int(IntKind::Long)).1;
    if let Some(place) = place {
        step.store(&place, value.clone(), 8)?;
    }
    Ok(Some(value))
}

/// A number from 0 to 2^31 - 1, whatever it was seeded with.
fn chance(step: &mut Step<'_, '_>, _: &Request) -> Eval<Option<Value>> {
    let pool = step.engine.pool.clone();
    let name = format!("chance {}", step.engine.fresh_number());
    let term = pool.bv_zero_extend(pool.var(&name, pool.bitvec_sort(31)), 1);
    let range = Range { lo: 0.into(), hi: i32::MAX.into() };
    Ok(Some(Value::Int(arithmetic::integer(&pool, Number { term, kind: IntKind::Int, range }))))
}

/// `SIG_DFL` and `SIG_IGN` run nothing of the program. What was there before may be anything, a function too.
fn signal(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let handler = request.pointer(step, 1)?;
    let is_plain = handler.target == Target::Nothing
        && handler.offset.open.is_none()
        && handler.null.is_none()
        && (0..=1).contains(&handler.offset.known);
    if request.wanted || !is_plain {
        let span = step.span;
        step.engine.lose(Loss::External { name: "signal".to_string() }, span);
    }
    if !request.wanted {
        return Ok(None);
    }
    Err(step.unsupported("the handler of a signal that was there before"))
}

/// A text of the library, or null.
fn text(step: &mut Step<'_, '_>, name: &str, may_be_null: bool) -> Eval<Option<Value>> {
    let length = u64::from(step.engine.config.bounds.string);
    let mut object = Object::zeroed(Kind::Text, length + 1, name, step.span);
    let number = step.engine.fresh_number();
    for at in 0..length {
        let label = format!("byte {at} of text {number}");
        let (_, value) = scalar(&step.engine.pool, &label, ValueType::Int(IntKind::UChar));
        super::super::access::write(&step.engine.pool, &mut object, at, 1, value);
    }
    object.horizon = Some(length);
    let object = step.state.memory.add(object);
    let null = may_be_null.then(|| step.engine.pool.var(&format!("text {number} is null"), SortId::BOOL));
    Ok(Some(Value::Pointer(Pointer { null, ..Pointer::to_object(object) })))
}
