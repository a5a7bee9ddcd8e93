//! setjmp.h: a jump back to a call that is still in progress.

use super::super::access::Place;
use super::super::arithmetic;
use super::super::state::Returned;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Integer, Truth, Value};
use super::{Entry, Request};
use crate::memory::Fault;
use crate::vm::Class;
use diagnostics::Rule;
use ir::{BinaryOp, Expr, IntKind};
use std::sync::Arc;

pub const MODELS: &[Entry] = &[
    ("setjmp", setjmp),
    ("_setjmp", setjmp),
    ("__sigsetjmp", setjmp),
    ("sigsetjmp", setjmp),
];

pub fn is_longjmp(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp")
}

fn setjmp(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let pointer = request.pointer(step, 0)?;
    let place = step.follow(&pointer)?;
    let number = step.state.jumps.len() as i128;
    step.store(&place, Value::int(IntKind::Int, number), 4)?;
    let frame = step.state.frame();
    let here = (step.state.frames.len(), frame.block, frame.index);
    Arc::make_mut(&mut step.state.jumps).push(here);
    Ok(Some(Value::int(IntKind::Int, 0)))
}

/// Leaves the calls made since, and lets the `setjmp` return the value.
pub fn longjmp<'p>(step: &mut Step<'_, 'p>, args: &'p [Expr]) -> Eval<()> {
    let [buffer, value] = args else { return Err(step.unsupported("a jump with unexpected arguments")) };
    let pointer = step.pointer(buffer)?;
    let place: Place = step.follow(&pointer)?;
    let number = match step.load(&place, Class::Int(IntKind::Int))? {
        Value::Int(Integer::Known(_, number)) => number as usize,
        _ => return Err(step.unsupported("a jump to a place that is not known")),
    };
    let value = step.int(value)?;
    // Zero is given as one, so that the caller can tell.
    let zero = arithmetic::compare(&step.engine.pool, BinaryOp::Eq, &value, &Integer::Known(value.kind(), 0));
    let value = match zero {
        Truth::Known(false) => value,
        zero => if step.decide(zero)? { Integer::Known(IntKind::Int, 1) } else { value },
    };
    let Some(&(depth, block, index)) = step.state.jumps.get(number).filter(|(depth, ..)| *depth <= step.state.frames.len())
    else {
        let message = "a jump to a call that has returned";
        return Err(Halt::Fault(Fault::new(Rule::BadArgument, message)));
    };
    step.state.frames.truncate(depth);
    let frame = step.state.frame_mut();
    frame.block = block;
    frame.index = index;
    step.state.returned = Some(Returned::Scalar(Value::Int(value)));
    Ok(())
}
