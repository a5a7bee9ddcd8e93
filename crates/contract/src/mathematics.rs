//! Whether C computes what ACSL means.
//!
//! ACSL reads `a + b` as the sum of two numbers, and compares numbers; C wraps, converts or is undefined. A clause that
//! the user wrote is computed as C, so it is taken only where nothing in it can differ: every integer operation has a
//! result that fits its type whatever its operands, and every conversion keeps the value. Of floating numbers only
//! comparisons are read, as ACSL's are real numbers and no operation on those rounds.

use ir::{BinaryOp, Expr, ExprKind, FloatKind, FunctionId, IntKind, LogicalOp, Program, StmtKind, Types, UnaryOp};

/// Integers that an expression may be; none for what is no integer.
type Bounds = Option<(i128, i128)>;

/// For the claims or assumptions of a function, in order: whether C computes them as ACSL does. What they take from
/// variables of these names counts.
pub fn of_clauses(program: &Program, function: FunctionId, assumes: bool, through: &str) -> Vec<bool> {
    let function = &program.functions[function];
    let types = &program.types;
    let Some(body) = &function.body else { return Vec::new() };
    let mut before = true;
    let mut found = Vec::new();
    body.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Assign { target, value } => {
            let name = target.as_local().map(|local| function.locals[local].name.as_str());
            before &= !name.is_some_and(|name| name.starts_with(through)) || bounds(types, value).is_some();
        }
        StmtKind::Assume(cond) if assumes => found.push(bounds(types, cond).is_some()),
        StmtKind::Assert { cond, .. } if !assumes => found.push(bounds(types, cond).is_some()),
        _ => {}
    });
    found.into_iter().map(|is| is && before).collect()
}

/// What an expression may be, if C computes it as ACSL does.
fn bounds(types: &Types, expr: &Expr) -> Option<Bounds> {
    for child in expr.children() {
        bounds(types, child)?;
    }
    let kind = types.int_kind(expr.ty);
    let of_kind = kind.map(|kind| (kind.min(), kind.max()));
    let fits = |found: (i128, i128)| {
        let (low, high) = of_kind?;
        (low <= found.0 && found.1 <= high).then_some(Some(found))
    };
    match &expr.kind {
        ExprKind::Int(value) => Some(Some((*value, *value))),
        // A number with digits behind the point may be another in C.
        ExprKind::Float(value) => (value.fract() == 0.0 && value.abs() < 1e15).then_some(None),
        ExprKind::Extended(_) => None,
        ExprKind::Load(_) | ExprKind::AddressOf(_) | ExprKind::Function(_) => Some(of_kind),
        ExprKind::Convert { value, .. } => converted(types, expr, bounds(types, value)?),
        ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Logical(LogicalOp::And | LogicalOp::Or, ..) => Some(Some((0, 1))),
        ExprKind::Unary(UnaryOp::Neg, value) => {
            let (low, high) = bounds(types, value)??;
            fits((high.checked_neg()?, low.checked_neg()?))
        }
        ExprKind::Unary(UnaryOp::Complement, _) => None,
        ExprKind::Conditional(_, a, b) => Some(match (bounds(types, a)?, bounds(types, b)?) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            _ => None,
        }),
        ExprKind::Binary(op, ..) if op.is_comparison() => Some(Some((0, 1))),
        ExprKind::Binary(BinaryOp::PointerAdd, ..) => Some(None),
        ExprKind::Binary(BinaryOp::PointerDiff, ..) => Some(of_kind),
        ExprKind::Binary(op, a, b) => fits(result(*op, bounds(types, a)??, bounds(types, b)??)?),
    }
}

fn result(op: BinaryOp, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    match op {
        BinaryOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        BinaryOp::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        BinaryOp::Mul => {
            let products = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        // By a constant, which is not zero.
        BinaryOp::Div | BinaryOp::Rem if b.0 == b.1 && b.0 != 0 => {
            let most = a.0.checked_abs()?.max(a.1.checked_abs()?);
            Some((if a.0 < 0 || b.0 < 0 { -most } else { 0 }, most))
        }
        _ => None,
    }
}

fn converted(types: &Types, expr: &Expr, of: Bounds) -> Option<Bounds> {
    match (types.int_kind(expr.ty), types.float_kind(expr.ty), of) {
        (Some(IntKind::Bool), ..) => Some(Some((0, 1))),
        (Some(kind), _, Some((low, high))) => (kind.min() <= low && high <= kind.max()).then_some(of),
        (Some(_), _, None) => None,
        (None, Some(FloatKind::Double | FloatKind::Extended), Some((low, high))) => {
            (low.abs().max(high.abs()) <= 1 << 53).then_some(None)
        }
        (None, Some(FloatKind::Float), Some((low, high))) => (low.abs().max(high.abs()) <= 1 << 24).then_some(None),
        (None, Some(kind), None) => (kind != FloatKind::Float).then_some(None),
        (None, None, _) => Some(None),
    }
}
