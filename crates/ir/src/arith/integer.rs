//! Operators on integers.

use super::cases::undefined_cases;
use super::{Defined, Operation, Scalar, Undefined};
use crate::ctype::IntKind;
use crate::expr::{BinaryOp, UnaryOp};
use std::cmp::Ordering;

/// `left op right` for integers of type `kind`. For shifts the right operand has type `right_kind`. Comparisons give
/// 0 or 1.
pub fn binary(op: BinaryOp, kind: IntKind, left: i128, right_kind: IntKind, right: i128) -> Defined<i128> {
    if kind == IntKind::Bool && !op.is_comparison() {
        let right_kind = if right_kind == IntKind::Bool { IntKind::Int } else { right_kind };
        return binary(op, IntKind::Int, left, right_kind, right).map(|value| kind.wrap(value));
    }
    for &case in undefined_cases(op, kind) {
        if case.applies(op, kind, left, right_kind, right) {
            return Err(Box::new(Undefined {
                case,
                operation: Operation::Binary(op),
                left: Scalar::Int(kind, left),
                right: Some(Scalar::Int(right_kind, right)),
            }));
        }
    }
    Ok(wrapping(op, kind, left, right))
}

/// The result in two's complement: that of C where C defines one, and else what hardware and compilers that fold
/// constants give. The divisor must not be zero, and the amount of a shift must be less than the width.
pub fn wrapping(op: BinaryOp, kind: IntKind, left: i128, right: i128) -> i128 {
    use BinaryOp::*;
    let wide = kind == IntKind::UInt128;
    let result = match op {
        Add => left.wrapping_add(right),
        Sub => left.wrapping_sub(right),
        Mul => left.wrapping_mul(right),
        Div if wide => (left as u128 / right as u128) as i128,
        Rem if wide => (left as u128 % right as u128) as i128,
        Div => left.wrapping_div(right),
        Rem => left.wrapping_rem(right),
        BitAnd => left & right,
        BitOr => left | right,
        BitXor => left ^ right,
        Shl => left << right as u32,
        Shr if wide => ((left as u128) >> right as u32) as i128,
        Shr => left >> right as u32,
        Eq | Ne | Lt | Le | Gt | Ge => return compare(op, kind, left, right).into(),
        PointerAdd | PointerDiff => {
            unreachable!("pointer arithmetic should not be asked for here, because it needs a size")
        }
    };
    kind.wrap(result)
}

/// The mathematical result of `+`, `-` or `*` on signed integers, if it has 128 bits.
pub(super) fn exact(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        _ => unreachable!("{op:?} should have no case of overflow"),
    }
}

/// `-value` in type `kind`.
pub fn negate(kind: IntKind, value: i128) -> Defined<i128> {
    match binary(BinaryOp::Sub, kind, 0, kind, value) {
        Err(undefined) => Err(Box::new(Undefined {
            operation: Operation::Unary(UnaryOp::Neg),
            left: Scalar::Int(kind, value),
            right: None,
            ..*undefined
        })),
        defined => defined,
    }
}

/// `~value` in type `kind`.
pub fn complement(kind: IntKind, value: i128) -> i128 {
    kind.wrap(!value)
}

/// Whether a comparison holds of two integers of one type.
pub fn compare(op: BinaryOp, kind: IntKind, left: i128, right: i128) -> bool {
    let order = if kind == IntKind::UInt128 { (left as u128).cmp(&(right as u128)) } else { left.cmp(&right) };
    holds(op, Some(order))
}

/// Whether a comparison holds for operands in this order; unordered operands, where one is NaN, are only unequal.
pub fn holds(op: BinaryOp, order: Option<Ordering>) -> bool {
    match (op, order) {
        (BinaryOp::Ne, order) => order != Some(Ordering::Equal),
        (_, None) => false,
        (BinaryOp::Eq, Some(order)) => order.is_eq(),
        (BinaryOp::Lt, Some(order)) => order.is_lt(),
        (BinaryOp::Le, Some(order)) => order.is_le(),
        (BinaryOp::Gt, Some(order)) => order.is_gt(),
        (BinaryOp::Ge, Some(order)) => order.is_ge(),
        _ => unreachable!("{op:?} should be a comparison"),
    }
}

/// The value that a bit-field of that type and width has after `value` was stored in it: the low bits, with the sign
/// of the topmost one if the type is signed.
pub fn bit_field(kind: IntKind, width: u32, value: i128) -> i128 {
    let unused = 128 - width;
    if kind.is_signed() { (value << unused) >> unused } else { (((value << unused) as u128) >> unused) as i128 }
}

#[cfg(test)]
mod tests {
    use super::super::Case;
    use super::*;
    use diagnostics::Rule;

    #[test]
    fn shifts_follow_the_sanitizer() {
        let shl = |kind, a, b| binary(BinaryOp::Shl, kind, a, IntKind::Int, b).ok();
        assert_eq!(shl(IntKind::Int, 1, 30), Some(1 << 30));
        assert_eq!(shl(IntKind::Int, 1, 31), None);
        assert_eq!(shl(IntKind::Int, -1, 0), None);
        assert_eq!(shl(IntKind::Int, 1, 32), None);
        assert_eq!(shl(IntKind::Int, 1, -1), None);
        assert_eq!(shl(IntKind::UInt, 3, 31), Some(1 << 31));
        assert_eq!(binary(BinaryOp::Shr, IntKind::Int, -8, IntKind::Int, 1).ok(), Some(-4));
        // An amount of type `unsigned __int128` is a bit pattern: this one is large, not negative.
        let wide = binary(BinaryOp::Shr, IntKind::Int, 1, IntKind::UInt128, -1);
        assert_eq!(wide.unwrap_err().case, Case::ShiftAmount);
    }

    #[test]
    fn division_has_two_ways_to_fail() {
        let rule = |a, b| binary(BinaryOp::Rem, IntKind::Int, a, IntKind::Int, b).unwrap_err().rule();
        assert_eq!(rule(1, 0), Rule::DivisionByZero);
        assert_eq!(rule(i32::MIN as i128, -1), Rule::SignedOverflow);
    }

    #[test]
    fn bit_fields_keep_their_low_bits() {
        assert_eq!(bit_field(IntKind::Int, 3, 5), -3);
        assert_eq!(bit_field(IntKind::UInt, 3, 13), 5);
        assert_eq!(bit_field(IntKind::Bool, 1, 1), 1);
        assert_eq!(bit_field(IntKind::ULong, 64, -1), u64::MAX as i128);
    }
}
