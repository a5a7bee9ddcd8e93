//! Ends of programs, output that is let go, and arithmetic.

use super::super::arithmetic;
use super::super::floats;
use super::super::memory::{Kind, Memory, Object, ObjectId};
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Float, Integer, Pointer, Truth, Value};
use super::{Entry, Request};
use diagnostics::{Rule, Span};
use exec::memory::Fault;
use ir::{BinaryOp, FloatKind, IntKind};

pub const MODELS: &[Entry] = &[
    ("abort", |_, _| Err(Halt::Fault(Fault::new(Rule::Aborted, "the program calls `abort`")))),
    ("__builtin_trap", |_, _| Err(Halt::Fault(Fault::new(Rule::Aborted, "the program calls `__builtin_trap`")))),
    ("__builtin_unreachable", |_, _| {
        Err(Halt::Fault(Fault::new(Rule::BadArgument, "`__builtin_unreachable` is reached")))
    }),
    ("exit", |_, request| Err(Halt::Exit(status(request)))),
    ("_exit", |_, request| Err(Halt::Exit(status(request)))),
    ("_Exit", |_, request| Err(Halt::Exit(status(request)))),
    ("quick_exit", |_, request| Err(Halt::Exit(status(request)))),
    ("abs", magnitude),
    ("labs", magnitude),
    ("llabs", magnitude),
    ("__builtin_expect", |_, request| Ok(request.args.first().cloned())),
    ("__builtin_constant_p", |_, _| Ok(Some(Value::int(IntKind::Int, 0)))),
    ("__builtin_prefetch", |_, _| Ok(None)),
    ("__errno_location", |step, _| {
        // Any call of the library may leave an error there, also one that succeeds, and so may whoever ran before.
        let span = step.span;
        step.engine.lose(Loss::Globals { name: "errno".to_string() }, span);
        let object = step.engine.library_objects["__errno_location"];
        Ok(Some(Value::Pointer(Pointer::to_object(object))))
    }),
    ("printf", |step, request| formats(step, request, 0)),
    ("fprintf", |step, request| formats(step, request, 1)),
    ("vprintf", |step, request| formats(step, request, 0)),
    ("vfprintf", |step, request| formats(step, request, 1)),
    ("dprintf", |step, request| formats(step, request, 1)),
    ("__printf_chk", |step, request| formats(step, request, 1)),
    ("__fprintf_chk", |step, request| formats(step, request, 2)),
    ("puts", prints),
    ("fputs", prints),
    ("fwrite", |step, request| reported(step, request, request.args.get(2).cloned())),
    ("perror", |_, _| Ok(None)),
    ("fflush", |step, request| reported(step, request, Some(Value::int(IntKind::Int, 0)))),
    ("setbuf", |step, request| {
        lends(step, request);
        Ok(None)
    }),
    ("setvbuf", |step, request| {
        lends(step, request);
        reported(step, request, Some(Value::int(IntKind::Int, 0)))
    }),
    ("putchar", written),
    ("putc", written),
    ("fputc", written),
    ("fabs", float_magnitude),
    ("fabsf", float_magnitude),
    ("fabsl", float_magnitude),
    ("sqrt", |step, request| known_double(step, request, f64::sqrt)),
    ("floor", |step, request| known_double(step, request, f64::floor)),
    ("ceil", |step, request| known_double(step, request, f64::ceil)),
    ("trunc", |step, request| known_double(step, request, f64::trunc)),
];

/// The object behind `errno`.
pub fn errno_object(memory: &mut Memory) -> ObjectId {
    memory.add(Object::zeroed(Kind::Global, 4, "errno", Span::NONE))
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

/// Output has no effect on which way a program goes, unless it looks at how much was written.
fn prints(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    if !request.wanted {
        return Ok(None);
    }
    let span = step.span;
    step.engine.lose(Loss::External { name: "printf".to_string() }, span);
    Ok(Some(Value::int(IntKind::Int, 1)))
}

/// As [`prints`], with a format that may say where to write: `%n`.
fn formats(step: &mut Step<'_, '_>, request: &Request, format: usize) -> Eval<Option<Value>> {
    let text = request.pointer(step, format)?;
    let place = step.follow(&text)?;
    let at = step.fixed(&place, 1, false)?;
    let object = step.state.memory.get(place.object);
    let known = object.known_bytes(at, object.size - at).and_then(|bytes| bytes.split(|byte| *byte == 0).next());
    if known.is_none_or(crate::library::stores_counts) {
        let span = step.span;
        step.engine.lose(Loss::External { name: "printf".to_string() }, span);
    }
    prints(step, request)
}

/// A buffer of the program that a stream is given: whatever the stream does changes it.
fn lends(step: &mut Step<'_, '_>, request: &Request) {
    if !matches!(request.args.get(1), Some(Value::Pointer(pointer)) if *pointer == Pointer::NULL) {
        let span = step.span;
        step.engine.lose(Loss::External { name: "setvbuf".to_string() }, span);
    }
}

fn written(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let character = request.args.first().cloned();
    reported(step, request, character)
}

/// What a call of an output function gives if all goes well; that it may not is a loss where somebody looks.
fn reported(step: &mut Step<'_, '_>, request: &Request, value: Option<Value>) -> Eval<Option<Value>> {
    if request.wanted {
        let span = step.span;
        step.engine.lose(Loss::External { name: "an output function".to_string() }, span);
    }
    Ok(value)
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

fn known_double(step: &mut Step<'_, '_>, request: &Request, function: fn(f64) -> f64) -> Eval<Option<Value>> {
    match request.args.first() {
        Some(Value::Float(Float::Concrete(FloatKind::Double, value))) => {
            Ok(Some(Value::double(function(value.as_double()))))
        }
        _ => Err(step.unsupported("a function of math.h on an unknown value")),
    }
}
