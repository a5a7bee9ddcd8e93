//! The ways in which an operation on integers can be undefined, as data.

use super::integer::exact;
use crate::ctype::IntKind;
use crate::expr::BinaryOp;
use diagnostics::Rule;

/// One way in which an operation can be undefined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Case {
    /// The exact result is no value of the signed type (C11 6.5p5). Negation is subtraction from zero.
    Overflow,
    /// The divisor is zero (6.5.5p5).
    ZeroDivisor,
    /// The smallest value by -1: the quotient is no value of the type, and the remainder goes with it (6.5.5p6).
    QuotientOverflow,
    /// The amount is negative, or not less than the width of the shifted type (6.5.7p3).
    ShiftAmount,
    /// A left shift of a negative value, or of a one into or past the sign bit (6.5.7p4). It is asked only of amounts
    /// that are no [`Case::ShiftAmount`].
    LeftShift,
    /// A floating value whose integer part is no value of the type; infinities and NaN (6.3.1.4p1).
    Unrepresentable,
}

impl Case {
    pub const ALL: [Case; 6] = [
        Case::Overflow,
        Case::ZeroDivisor,
        Case::QuotientOverflow,
        Case::ShiftAmount,
        Case::LeftShift,
        Case::Unrepresentable,
    ];

    /// The rule that is broken.
    pub fn rule(self) -> Rule {
        match self {
            Case::Overflow | Case::QuotientOverflow => Rule::SignedOverflow,
            Case::ZeroDivisor => Rule::DivisionByZero,
            Case::ShiftAmount | Case::LeftShift => Rule::BadShift,
            Case::Unrepresentable => Rule::BadConversion,
        }
    }

    /// Whether `left op right` is of this case, no earlier one of the list being it.
    pub(super) fn applies(self, op: BinaryOp, kind: IntKind, left: i128, right_kind: IntKind, right: i128) -> bool {
        let width = kind.bits();
        match self {
            Case::Overflow => exact(op, left, right).is_none_or(|value| !kind.contains(value)),
            Case::ZeroDivisor => right == 0,
            Case::QuotientOverflow => left == kind.min() && right == -1,
            Case::ShiftAmount => (right_kind.is_signed() && right < 0) || right as u128 >= u128::from(width),
            Case::LeftShift => {
                let bits = left as u128 & (u128::MAX >> (128 - width));
                bits >> (width - 1 - right as u32) != 0
            }
            Case::Unrepresentable => false,
        }
    }
}

/// How the operator can be undefined on operands of the type (for a shift: of the left operand), in the order in which
/// they are asked. Comparisons, bit operations and pointer arithmetic never are, as far as numbers go.
pub fn undefined_cases(op: BinaryOp, kind: IntKind) -> &'static [Case] {
    use BinaryOp::*;
    // `_Bool` is computed with as `int`.
    match (op, kind.is_signed() || kind == IntKind::Bool) {
        (Add | Sub | Mul, true) => &[Case::Overflow],
        (Div | Rem, true) => &[Case::ZeroDivisor, Case::QuotientOverflow],
        (Div | Rem, false) => &[Case::ZeroDivisor],
        (Shl, true) => &[Case::ShiftAmount, Case::LeftShift],
        (Shl, false) | (Shr, _) => &[Case::ShiftAmount],
        (Add | Sub | Mul, false) | (BitAnd | BitOr | BitXor, _) => &[],
        (Eq | Ne | Lt | Le | Gt | Ge | PointerAdd | PointerDiff, _) => &[],
    }
}
