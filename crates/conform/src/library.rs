//! What library functions without side effects return, where their arguments are known.

use super::cells::{Root, without_conversions};
use super::evaluate::{Evaluator, Valuation};
use super::sites::string;
use super::value::Value;
use ir::{Base, Callee, Expr, ExprKind, Lvalue};

/// What is known about the result of a call of a function without a body.
pub(super) fn result(evaluator: &Evaluator, at: &Valuation, callee: &Callee, args: &[Expr]) -> Value {
    let Callee::Function(id) = callee else { return Value::Unknown };
    match (evaluator.model.name(*id), args) {
        ("memcmp" | "strncmp", [a, b, count]) => {
            let Some(count) = evaluator.value(at, count).as_int() else { return Value::Unknown };
            compared(evaluator, at, a, b, count)
        }
        ("__builtin_expect", [value, _]) => evaluator.value(at, value),
        ("feof" | "feof_unlocked", _) => at.get(evaluator.model.cells.end()).cloned().unwrap_or(Value::Unknown),
        // Devices are taken to work.
        ("ferror" | "ferror_unlocked" | "fflush" | "fclose", _) => Value::int(0),
        _ => Value::Unknown,
    }
}

/// Equal if all bytes are known and the same, different as soon as two known ones differ.
fn compared(evaluator: &Evaluator, at: &Valuation, a: &Expr, b: &Expr, count: i128) -> Value {
    let (Some(a), Some(b), Ok(count)) = (bytes(evaluator, at, a), bytes(evaluator, at, b), usize::try_from(count))
    else {
        return Value::Unknown;
    };
    let mut equal = true;
    for index in 0..count {
        match (a.get(index).copied().flatten(), b.get(index).copied().flatten()) {
            (Some(a), Some(b)) if a != b => return Value::Not(vec![0]),
            (Some(_), Some(_)) => {}
            _ => equal = false,
        }
    }
    if equal { Value::int(0) } else { Value::Unknown }
}

/// The bytes that are known of what an expression points to.
fn bytes(evaluator: &Evaluator, at: &Valuation, pointer: &Expr) -> Option<Vec<Option<u8>>> {
    let program = evaluator.model.program;
    if let Some(text) = string(program, pointer) {
        return Some(text.into_iter().chain([0]).map(Some).collect());
    }
    let ExprKind::AddressOf(Lvalue { base, path, ty, .. }) = &without_conversions(pointer).kind else { return None };
    let first = matches!(&path[..], [ir::Step::Index(index)] if index.kind == ExprKind::Int(0));
    if !first || program.types.size_of(*ty) != Some(1) {
        return None;
    }
    let root = match base {
        Base::Local(id) => Root::Local(evaluator.function, *id),
        Base::Global(id) => Root::Global(*id),
        Base::Deref(_) => return None,
    };
    let cells = evaluator.model.cells.elements(root);
    let known = |cell| at.get(cell).and_then(Value::as_int).map(|value| value as u8);
    (!cells.is_empty()).then(|| cells.into_iter().map(known).collect())
}
