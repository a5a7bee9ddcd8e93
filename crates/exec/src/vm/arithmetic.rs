//! What operators and conversions mean, for every type: the slow, general form.
//!
//! The specialised instructions do the same on the types that matter; when one of them finds that its operation is
//! undefined it comes here for the explanation, and the tests compare the two.
//!
//! *Integers* are computed as mathematical numbers in `i128` and then judged by the range of their type. *Shifts*
//! follow C11 as GCC's sanitizer reads it: an amount must be at least 0 and less than the width, and a left shift of
//! a signed value must not move a one into or past the sign bit, which includes every negative value.

use super::value::{Class, Value};
use crate::memory::{Checked, Fault};
use diagnostics::Rule;
use ir::{BinaryOp, FloatKind, IntKind};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

/// `left op right` for integers of type `kind`, given by their mathematical values (`unsigned __int128` by its bit
/// pattern). For shifts the right operand has type `right_kind`. Comparisons give 0 or 1.
pub fn evaluate(op: BinaryOp, kind: IntKind, left: i128, right_kind: IntKind, right: i128) -> Checked<i128> {
    use BinaryOp::*;
    match op {
        Add | Sub | Mul => add_sub_mul(op, kind, left, right),
        Div | Rem => divide(op, kind, left, right),
        BitAnd => Ok(left & right),
        BitOr => Ok(left | right),
        BitXor => Ok(left ^ right),
        Shl | Shr => shift(op, kind, left, right_kind, right),
        Eq | Ne | Lt | Le | Gt | Ge => {
            let order = if kind == IntKind::UInt128 { (left as u128).cmp(&(right as u128)) } else { left.cmp(&right) };
            Ok(holds(op, Some(order)) as i128)
        }
        PointerAdd | PointerDiff => {
            unreachable!("pointer arithmetic should not be asked for here, because it needs the memory")
        }
    }
}

/// Whether a comparison holds for operands in this order; unordered operands are only unequal.
fn holds(op: BinaryOp, order: Option<std::cmp::Ordering>) -> bool {
    match (op, order) {
        (BinaryOp::Ne, None) => true,
        (_, None) => false,
        (BinaryOp::Eq, Some(order)) => order.is_eq(),
        (BinaryOp::Ne, Some(order)) => order.is_ne(),
        (BinaryOp::Lt, Some(order)) => order.is_lt(),
        (BinaryOp::Le, Some(order)) => order.is_le(),
        (BinaryOp::Gt, Some(order)) => order.is_gt(),
        (_, Some(order)) => order.is_ge(),
    }
}

fn add_sub_mul(op: BinaryOp, kind: IntKind, left: i128, right: i128) -> Checked<i128> {
    let exact = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        _ => left.checked_mul(right),
    };
    if !kind.is_signed() {
        let wrapped = match op {
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Sub => left.wrapping_sub(right),
            _ => left.wrapping_mul(right),
        };
        return Ok(kind.wrap(wrapped));
    }
    exact.filter(|&value| kind.contains(value)).ok_or_else(|| overflow(op, kind, left, right))
}

fn overflow(op: BinaryOp, kind: IntKind, left: i128, right: i128) -> Box<Fault> {
    let message = format!("{left} {} {right} does not fit `{}`", op.symbol(), kind.c_name());
    Fault::new(Rule::SignedOverflow, message)
}

fn divide(op: BinaryOp, kind: IntKind, left: i128, right: i128) -> Checked<i128> {
    if right == 0 {
        let what = if op == BinaryOp::Div { "division" } else { "remainder" };
        let left = display(kind, left);
        return Err(Fault::new(Rule::DivisionByZero, format!("{what} of {left} by zero")));
    }
    if kind == IntKind::UInt128 {
        let (left, right) = (left as u128, right as u128);
        return Ok(if op == BinaryOp::Div { left / right } else { left % right } as i128);
    }
    // The quotient of the smallest value and -1 does not fit, and then the remainder is undefined too.
    if kind.is_signed() && left == kind.min() && right == -1 {
        return Err(overflow(op, kind, left, right));
    }
    Ok(if op == BinaryOp::Div { left / right } else { left % right })
}

fn display(kind: IntKind, value: i128) -> String {
    if kind == IntKind::UInt128 { (value as u128).to_string() } else { value.to_string() }
}

fn shift(op: BinaryOp, kind: IntKind, left: i128, right_kind: IntKind, right: i128) -> Checked<i128> {
    let width = kind.bits();
    let negative = right_kind.is_signed() && right < 0;
    if negative || right as u128 >= u128::from(width) {
        let (amount, name) = (display(right_kind, right), kind.c_name());
        let message = format!("shift of a `{name}`, which has {width} bits, by {amount}");
        return Err(Fault::new(Rule::BadShift, message));
    }
    let amount = right as u32;
    if op == BinaryOp::Shr {
        return Ok(if kind == IntKind::UInt128 { ((left as u128) >> amount) as i128 } else { left >> amount });
    }
    if kind.is_signed() {
        let bits = left as u128 & (u128::MAX >> (128 - width));
        if bits >> (width - 1 - amount) != 0 {
            let why = if left < 0 { "of a negative value" } else { "moves a one into or past the sign bit" };
            let message = format!("left shift {left} << {amount} {why}");
            return Err(Fault::new(Rule::BadShift, message));
        }
    }
    Ok(kind.wrap(((left as u128) << amount) as i128))
}

/// `-value` in type `kind`.
pub fn negate(kind: IntKind, value: i128) -> Checked<i128> {
    if kind.is_signed() && value == kind.min() {
        let message = format!("-({value}) does not fit `{}`", kind.c_name());
        return Err(Fault::new(Rule::SignedOverflow, message));
    }
    Ok(kind.wrap(value.wrapping_neg()))
}

/// `left op right` for `long double`: the value, or 0 or 1 for a comparison.
pub fn evaluate_extended(op: BinaryOp, left: Value, right: Value) -> Value {
    let (a, b) = (extended(left), extended(right));
    if op.is_comparison() {
        return Value::signed(holds(op, a.partial_cmp(&b)) as i64);
    }
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        _ => a / b,
    };
    Value::extended(result.value.to_bits())
}

pub fn negate_extended(value: Value) -> Value {
    Value::extended(value.as_extended() ^ (1 << 79))
}

fn extended(value: Value) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(value.as_extended())
}

/// The nearest `double` to a `long double`, given by its bits.
pub fn extended_to_double(bits: u128) -> f64 {
    let converted: Double = X87DoubleExtended::from_bits(bits).convert(&mut false).value;
    f64::from_bits(converted.to_bits() as u64)
}

/// The `long double` equal to a `double`: its 80 bits.
pub fn double_to_extended(value: f64) -> u128 {
    let converted: X87DoubleExtended = Double::from_bits(u128::from(value.to_bits())).convert(&mut false).value;
    converted.to_bits()
}

/// C's conversion of a scalar from one class to another.
pub fn convert(from: Class, to: Class, value: Value) -> Checked<Value> {
    match (from, to) {
        (Class::Int(from), Class::Int(to)) => Ok(Value::int(to, value.as_int(from))),
        (Class::Pointer, Class::Pointer) => Ok(value),
        (Class::Pointer, Class::Int(to)) => Ok(Value::int(to, i128::from(value.as_u64()))),
        (Class::Int(from), Class::Pointer) => Ok(Value::unsigned(value.as_int(from) as u64)),
        (Class::Int(from), Class::Float(to)) => Ok(int_to_float(from, to, value)),
        (Class::Float(from), Class::Int(to)) => float_to_int(from, to, value),
        (Class::Float(from), Class::Float(to)) => Ok(float_to_float(from, to, value)),
        // Well-formed programs convert pointers to integers and back, never to floating values.
        (Class::Pointer, Class::Float(to)) => Ok(int_to_float(IntKind::ULong, to, value)),
        (Class::Float(from), Class::Pointer) => float_to_int(from, IntKind::ULong, value),
    }
}

fn int_to_float(from: IntKind, to: FloatKind, value: Value) -> Value {
    let int = value.as_int(from);
    let unsigned_wide = from == IntKind::UInt128;
    match to {
        FloatKind::Float => Value::float(if unsigned_wide { int as u128 as f32 } else { int as f32 }),
        FloatKind::Double => Value::double(if unsigned_wide { int as u128 as f64 } else { int as f64 }),
        FloatKind::Extended => {
            let converted = if unsigned_wide {
                X87DoubleExtended::from_u128(int as u128)
            } else {
                X87DoubleExtended::from_i128(int)
            };
            Value::extended(converted.value.to_bits())
        }
    }
}

fn float_to_int(from: FloatKind, to: IntKind, value: Value) -> Checked<Value> {
    let wide = match from {
        FloatKind::Float => double_to_extended(f64::from(value.as_float())),
        FloatKind::Double => double_to_extended(value.as_double()),
        FloatKind::Extended => value.as_extended(),
    };
    let exact = X87DoubleExtended::from_bits(wide);
    if to == IntKind::Bool {
        return Ok(Value::unsigned(!exact.is_zero() as u64));
    }
    let mut inexact = false;
    let (status, result) = if to == IntKind::UInt128 {
        let converted = exact.to_u128_r(128, Round::TowardZero, &mut inexact);
        (converted.status, converted.value as i128)
    } else {
        let converted = exact.to_i128_r(128, Round::TowardZero, &mut inexact);
        (converted.status, converted.value)
    };
    if status.contains(Status::INVALID_OP) || !to.contains(result) {
        let shown = match from {
            FloatKind::Float => value.as_float().to_string(),
            FloatKind::Double => value.as_double().to_string(),
            FloatKind::Extended => exact.to_string(),
        };
        let message = format!("{shown} does not fit `{}`", to.c_name());
        return Err(Fault::new(Rule::BadConversion, message));
    }
    Ok(Value::int(to, result))
}

fn float_to_float(from: FloatKind, to: FloatKind, value: Value) -> Value {
    use FloatKind::*;
    match (from, to) {
        (Float, Double) => Value::double(f64::from(value.as_float())),
        (Double, Float) => Value::float(value.as_double() as f32),
        (Float, Extended) => Value::extended(double_to_extended(f64::from(value.as_float()))),
        (Double, Extended) => Value::extended(double_to_extended(value.as_double())),
        (Extended, Double) => Value::double(extended_to_double(value.as_extended())),
        (Extended, Float) => {
            let converted: Single = extended(value).convert(&mut false).value;
            Value::float(f32::from_bits(converted.to_bits() as u32))
        }
        _ => value,
    }
}

/// Whether a scalar counts as true.
pub fn is_true(class: Class, value: Value) -> bool {
    match class {
        Class::Float(FloatKind::Float) => value.as_float() != 0.0,
        Class::Float(FloatKind::Double) => value.as_double() != 0.0,
        Class::Float(FloatKind::Extended) => !extended(value).is_zero(),
        _ => value.0 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_follow_the_sanitizer() {
        let shl = |kind, a, b| evaluate(BinaryOp::Shl, kind, a, IntKind::Int, b).ok();
        assert_eq!(shl(IntKind::Int, 1, 30), Some(1 << 30));
        assert_eq!(shl(IntKind::Int, 1, 31), None);
        assert_eq!(shl(IntKind::Int, -1, 0), None);
        assert_eq!(shl(IntKind::Int, 1, 32), None);
        assert_eq!(shl(IntKind::Int, 1, -1), None);
        assert_eq!(shl(IntKind::UInt, 3, 31), Some(1 << 31));
        assert_eq!(evaluate(BinaryOp::Shr, IntKind::Int, -8, IntKind::Int, 1).ok(), Some(-4));
    }

    #[test]
    fn division_has_two_ways_to_fail() {
        let rule = |a, b| evaluate(BinaryOp::Rem, IntKind::Int, a, IntKind::Int, b).unwrap_err().rule;
        assert_eq!(rule(1, 0), Rule::DivisionByZero);
        assert_eq!(rule(i32::MIN as i128, -1), Rule::SignedOverflow);
    }

    #[test]
    fn floating_conversions_round_once_and_check_ranges() {
        let int = |value: f64, to| {
            convert(Class::Float(FloatKind::Double), Class::Int(to), Value::double(value)).map(|v| v.as_int(to)).ok()
        };
        assert_eq!(int(-1.9, IntKind::Int), Some(-1));
        assert_eq!(int(-0.9, IntKind::UInt), Some(0));
        assert_eq!(int(-1.0, IntKind::UInt), None);
        assert_eq!(int(2147483647.5, IntKind::Int), Some(i32::MAX as i128));
        assert_eq!(int(2147483648.0, IntKind::Int), None);
        assert_eq!(int(f64::NAN, IntKind::Int), None);
        assert_eq!(int(0.1, IntKind::Bool), Some(1));
        assert_eq!(int(1e38, IntKind::UInt128), Some(1e38 as u128 as i128));
        let third = evaluate_extended(
            BinaryOp::Div,
            Value::extended(double_to_extended(1.0)),
            Value::extended(double_to_extended(3.0)),
        );
        assert_eq!(extended_to_double(third.as_extended()), 1.0 / 3.0);
        assert_ne!(third.as_extended(), double_to_extended(1.0 / 3.0), "a long double has more digits");
    }
}
