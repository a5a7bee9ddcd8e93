//! Ends of programs and arithmetic.

use super::super::arithmetic;
use super::super::floats;
use super::super::memory::{Kind, Memory, Object, ObjectId};
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Float, Integer, Pointer, Truth, Value};
use super::{Entry, Request};
use diagnostics::{Rule, Span};
use exec::memory::Fault;
use ieee::Rounding;
use ir::{BinaryOp, IntKind};
use smt::{SortId, TermId, TermPool};

pub const MODELS: &[Entry] = &[
    ("abort", |_, _| Err(Halt::Fault(Fault::new(Rule::Aborted, "the program calls `abort`")))),
    ("__builtin_trap", |_, _| Err(Halt::Fault(Fault::new(Rule::Aborted, "the program calls `__builtin_trap`")))),
    ("__builtin_unreachable", |_, _| {
        Err(Halt::Fault(Fault::new(Rule::BadArgument, "`__builtin_unreachable` is reached")))
    }),
    ("exit", |_, request| exit(request)),
    ("_exit", |_, request| exit(request)),
    ("_Exit", |_, request| exit(request)),
    ("quick_exit", |_, request| exit(request)),
    ("abs", magnitude),
    ("labs", magnitude),
    ("llabs", magnitude),
    ("__builtin_expect", |_, request| Ok(request.args.first().cloned())),
    ("__builtin_constant_p", |step, _| {
        // What the optimiser finds out is up to it.
        let found = format!("constant {}", step.engine.fresh_number());
        let found = Truth::Symbolic(step.engine.pool.var(&found, SortId::BOOL));
        Ok(Some(Value::Int(arithmetic::from_truth(&step.engine.pool, found, IntKind::Int))))
    }),
    ("__builtin_prefetch", |_, _| Ok(None)),
    ("__errno_location", |step, _| {
        // Any call of the library may leave an error there, also one that succeeds, and so may whoever ran before.
        let span = step.span;
        step.engine.lose(Loss::Globals { name: "errno".to_string() }, span);
        let object = step.engine.library_objects["__errno_location"];
        Ok(Some(Value::Pointer(Pointer::to_object(object))))
    }),
    ("gettext", |step, request| translated(step, request, 0)),
    ("dgettext", |step, request| translated(step, request, 1)),
    ("dcgettext", |step, request| translated(step, request, 1)),
    ("fabs", float_magnitude),
    ("fabsf", float_magnitude),
    ("fabsl", float_magnitude),
    ("fmod", remainder),
    ("fmodf", remainder),
    ("__builtin_signbit", sign),
    ("__builtin_signbitf", sign),
    ("__builtin_signbitl", sign),
    ("sqrt", root),
    ("sqrtf", root),
    ("floor", |step, request| rounded(step, request, Rounding::Down)),
    ("floorf", |step, request| rounded(step, request, Rounding::Down)),
    ("floorl", |step, request| rounded(step, request, Rounding::Down)),
    ("ceil", |step, request| rounded(step, request, Rounding::Up)),
    ("ceilf", |step, request| rounded(step, request, Rounding::Up)),
    ("ceill", |step, request| rounded(step, request, Rounding::Up)),
    ("trunc", |step, request| rounded(step, request, Rounding::ToZero)),
    ("truncf", |step, request| rounded(step, request, Rounding::ToZero)),
    ("truncl", |step, request| rounded(step, request, Rounding::ToZero)),
    ("round", |step, request| rounded(step, request, Rounding::Away)),
    ("roundf", |step, request| rounded(step, request, Rounding::Away)),
    ("roundl", |step, request| rounded(step, request, Rounding::Away)),
];

/// The object behind `errno`.
pub fn errno_object(memory: &mut Memory) -> ObjectId {
    memory.add(Object::zeroed(Kind::Global, 4, "errno", Span::NONE))
}

pub fn exit(request: &Request) -> Eval<Option<Value>> {
    Err(Halt::Exit(status(request)))
}

fn status(request: &Request) -> Option<i32> {
    match request.args.first() {
        Some(Value::Int(Integer::Concrete(_, value))) => Some(*value as i32),
        _ => None,
    }
}

fn magnitude(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let value = request.int(step, 0)?;
    let kind = value.kind();
    let pool = step.engine.pool.clone();
    let negative = arithmetic::compare(&pool, BinaryOp::Lt, &value, &Integer::Concrete(kind, 0));
    match step.known_truth(negative) {
        Truth::Concrete(false) => Ok(Some(Value::Int(value))),
        Truth::Concrete(true) => {
            let (result, claims) = arithmetic::negate(&pool, &value)?;
            step.require_all(claims)?;
            Ok(Some(Value::Int(result)))
        }
        Truth::Symbolic(condition) => {
            let negated = step.under(condition, |step| {
                let (result, claims) = arithmetic::negate(&pool, &value)?;
                step.require_all(claims)?;
                Ok(result)
            })?;
            Ok(super::super::evaluate::select(&pool, condition, &Value::Int(negated), &Value::Int(value)))
        }
    }
}

/// Without a catalogue of messages, the message itself; whether there is one is up to the surroundings.
fn translated(step: &mut Step<'_, '_>, request: &Request, message: usize) -> Eval<Option<Value>> {
    let span = step.span;
    step.engine.lose(Loss::Environment, span);
    Ok(request.args.get(message).cloned())
}

fn float_magnitude(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let Some(Value::Float(value)) = request.args.first() else {
        return Err(step.unsupported("a call with unexpected arguments"));
    };
    let pool = step.engine.pool.clone();
    Ok(Some(Value::Float(match value {
        Float::Symbolic(kind, term) => Float::Symbolic(*kind, pool.fp_abs(*term)),
        Float::Concrete(kind, known) => {
            let is_negative = floats::to_double(*kind, *known).is_sign_negative();
            if is_negative { floats::negate(&pool, value) } else { value.clone() }
        }
    })))
}

/// The remainder of a division, which is exact. Of operands that are open it may be anything.
fn remainder(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let [Value::Float(dividend), Value::Float(divisor)] = &request.args[..] else {
        return Err(step.unsupported("a call with unexpected arguments"));
    };
    let kind = dividend.kind();
    if let (Float::Concrete(_, dividend), Float::Concrete(_, divisor)) = (dividend, divisor) {
        let rest = floats::to_double(kind, *dividend) % floats::to_double(kind, *divisor);
        return Ok(Some(Value::Float(floats::known(kind, rest))));
    }
    let span = step.span;
    step.engine.lose(Loss::External { name: "fmod".to_string() }, span);
    let pool = step.engine.pool.clone();
    let any = pool.var(&format!("remainder {}", step.engine.fresh_number()), floats::exact(&pool).sort(kind));
    Ok(Some(Value::Float(Float::Symbolic(kind, any))))
}

/// Whether the sign of a number is negative; a value that is no number may have either.
fn sign(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let Some(Value::Float(value)) = request.args.first() else {
        return Err(step.unsupported("a call with unexpected arguments"));
    };
    let pool = step.engine.pool.clone();
    let truth = match value {
        Float::Concrete(kind, known) => Truth::Concrete(floats::to_double(*kind, *known).is_sign_negative()),
        Float::Symbolic(kind, term) => {
            let literal = |number: f64| floats::term(&pool, &floats::known(*kind, number));
            let (zero, one) = (literal(0.0), literal(1.0));
            // The two zeros differ in the sign of what one is divided by them.
            let is_negative_zero = pool.and(&[pool.fp_eq(*term, zero), pool.fp_lt(pool.fp_div(one, *term), zero)]);
            let of_none = pool.var(&format!("sign {}", step.engine.fresh_number()), SortId::BOOL);
            let is_none = pool.and(&[pool.not(pool.fp_eq(*term, *term)), of_none]);
            Truth::of(&pool, pool.or(&[pool.fp_lt(*term, zero), is_negative_zero, is_none]))
        }
    };
    Ok(Some(Value::Int(arithmetic::from_truth(&pool, truth, IntKind::Int))))
}

fn rounded(step: &mut Step<'_, '_>, request: &Request, rounding: Rounding) -> Eval<Option<Value>> {
    on_term(step, request, |pool, term| pool.fp_round(term, rounding))
}

fn root(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    on_term(step, request, TermPool::fp_sqrt)
}

fn on_term(
    step: &mut Step<'_, '_>,
    request: &Request,
    function: impl FnOnce(&TermPool, TermId) -> TermId,
) -> Eval<Option<Value>> {
    let Some(Value::Float(value)) = request.args.first() else {
        return Err(step.unsupported("a call with unexpected arguments"));
    };
    let pool = &step.engine.pool;
    let term = function(pool, floats::term(pool, value));
    Ok(Some(Value::Float(floats::float(pool, value.kind(), term))))
}
