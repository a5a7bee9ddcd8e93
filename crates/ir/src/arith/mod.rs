//! What C's operators and conversions mean on concrete values, and where they mean nothing.
//!
//! This is the one home of that meaning. The VM off its fast path, the front end's constant folding, replays and the
//! analyses' constants call it; an engine that computes by itself (the VM's fast path, terms of a solver) is compared
//! with it by the twin tests `arith_twins`, and this module with the C compiler.
//!
//! *Integers* are given by their mathematical values, those of `unsigned __int128` by their bit pattern. An operation
//! is done in the type the program model states, exactly, and then judged by the range of that type, so arithmetic in
//! a type narrower than `int`, which C does not have, is judged by the narrow range; in `_Bool` it is that of `int`,
//! converted. What the compiler defines is
//! defined here: conversions to signed types wrap, and `>>` of a negative value keeps the sign. *Shifts* follow C11 as
//! the sanitizers of GCC and Clang read it: a left shift of a signed value must not move a one into or past the sign
//! bit, which rules out every negative value, although compilers do not take advantage of that.
//!
//! *Undefined cases are data*: [`undefined_cases`] lists the [`Case`]s of an operator on a type. The concrete check
//! goes through that list, and so do the symbolic engines when they collect what must hold for an operation to be
//! defined; what is undefined here and nowhere else, or the other way round, cannot happen. An [`Undefined`] names the
//! case, and with it the rule that is broken, and the operands.
//!
//! *Floating values* are IEEE 754 single and double and the 80 bits of x87, rounded to nearest, as on x86-64. Nothing
//! is undefined among them; which NaN a computation gives is left open, as C does.
//!
//! *Addresses* are numbers here. Whether a pointer may be formed or two may be compared is for the memory to say.

mod cases;
mod float;
mod integer;

pub use cases::{Case, undefined_cases};
pub use float::{Float, double_to_extended, extended_to_double};
pub use integer::{binary, bit_field, compare, complement, holds, negate, wrapping};

use crate::ctype::{FloatKind, IntKind, Type, TypeId, Types};
use crate::expr::{BinaryOp, UnaryOp};
use diagnostics::Rule;

/// A scalar type, without what a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    Int(IntKind),
    Float(FloatKind),
    Pointer,
}

impl Class {
    /// `None` for types that are not scalar.
    pub fn of(types: &Types, ty: TypeId) -> Option<Class> {
        match types.get(ty) {
            Type::Int(kind) => Some(Class::Int(*kind)),
            Type::Float(kind) => Some(Class::Float(*kind)),
            Type::Pointer { .. } => Some(Class::Pointer),
            _ => None,
        }
    }

    /// The size in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Class::Int(kind) => kind.bytes(),
            Class::Float(kind) => kind.bytes(),
            Class::Pointer => 8,
        }
    }

    /// Whether a value is wider than a pointer.
    pub fn is_wide(self) -> bool {
        self.bytes() > 8
    }
}

/// A value of a scalar type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    /// The mathematical value; that of `unsigned __int128` as its bit pattern.
    Int(IntKind, i128),
    Float(Float),
    /// The address.
    Pointer(u64),
}

impl Scalar {
    /// An integer of the type, converted as C converts it.
    pub fn int(kind: IntKind, value: i128) -> Scalar {
        Scalar::Int(kind, kind.wrap(value))
    }

    pub fn class(self) -> Class {
        match self {
            Scalar::Int(kind, _) => Class::Int(kind),
            Scalar::Float(value) => Class::Float(value.kind()),
            Scalar::Pointer(_) => Class::Pointer,
        }
    }

    /// Whether it counts as true: whether it differs from zero.
    pub fn is_true(self) -> bool {
        match self {
            Scalar::Int(_, value) => value != 0,
            Scalar::Float(value) => !value.is_zero(),
            Scalar::Pointer(address) => address != 0,
        }
    }

    /// `op self`.
    pub fn unary(self, op: UnaryOp) -> Defined<Scalar> {
        match (op, self) {
            (UnaryOp::Not, _) => Ok(Scalar::Int(IntKind::Int, (!self.is_true()).into())),
            (UnaryOp::Neg, Scalar::Int(kind, value)) => Ok(Scalar::Int(kind, negate(kind, value)?)),
            (UnaryOp::Complement, Scalar::Int(kind, value)) => Ok(Scalar::Int(kind, complement(kind, value))),
            (UnaryOp::Neg, Scalar::Float(value)) => Ok(Scalar::Float(value.negate())),
            _ => unreachable!("{op:?} should not meet {self:?}, because the program is verified"),
        }
    }

    /// `self op right`: an `int` for a comparison, else of the type of `self`. Pointer arithmetic, which needs a
    /// size, is [`pointer_add`] and [`pointer_diff`].
    pub fn binary(self, op: BinaryOp, right: Scalar) -> Defined<Scalar> {
        let truth = |holds: bool| Ok(Scalar::Int(IntKind::Int, holds.into()));
        match (self, right) {
            (Scalar::Int(kind, a), Scalar::Int(_, b)) if op.is_comparison() => truth(compare(op, kind, a, b)),
            (Scalar::Int(kind, a), Scalar::Int(other, b)) => Ok(Scalar::Int(kind, binary(op, kind, a, other, b)?)),
            (Scalar::Float(a), Scalar::Float(b)) if op.is_comparison() => truth(a.compare(op, b)),
            (Scalar::Float(a), Scalar::Float(b)) => Ok(Scalar::Float(a.binary(op, b))),
            (Scalar::Pointer(a), Scalar::Pointer(b)) if op.is_comparison() => truth(holds(op, Some(a.cmp(&b)))),
            _ => unreachable!("{self:?} {op:?} {right:?} should not occur, because the program is verified"),
        }
    }

    /// C's conversion to another scalar type.
    pub fn convert(self, to: Class) -> Defined<Scalar> {
        Ok(match (self, to) {
            (Scalar::Int(_, value), Class::Int(to)) => Scalar::int(to, value),
            (Scalar::Int(from, value), Class::Float(to)) => Scalar::Float(Float::from_int(from, value, to)),
            (Scalar::Int(_, value), Class::Pointer) => Scalar::Pointer(value as u64),
            (Scalar::Float(value), Class::Int(to)) => Scalar::Int(to, value.to_int(to)?),
            (Scalar::Float(value), Class::Float(to)) => Scalar::Float(value.convert(to)),
            (Scalar::Pointer(address), Class::Int(to)) => Scalar::int(to, address.into()),
            (Scalar::Pointer(_), Class::Pointer) => self,
            (Scalar::Pointer(_), Class::Float(_)) | (Scalar::Float(_), Class::Pointer) => {
                unreachable!("pointers and floating values should not be converted, because the program is verified")
            }
        })
    }
}

/// The address of the element that many elements of that size further on.
pub fn pointer_add(address: u64, elements: i64, size: u64) -> u64 {
    address.wrapping_add((elements as u64).wrapping_mul(size))
}

/// How many elements of that size one address is after another. The size is not zero.
pub fn pointer_diff(left: u64, right: u64, size: u64) -> i64 {
    (left.wrapping_sub(right) as i64).wrapping_div(size as i64)
}

/// What was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// To an integer type.
    Convert(IntKind),
}

/// An operation without a value: why, and on what.
#[derive(Clone, PartialEq, Debug)]
pub struct Undefined {
    pub case: Case,
    pub operation: Operation,
    /// The first or only operand.
    pub left: Scalar,
    pub right: Option<Scalar>,
}

/// The result of an operation that may be undefined. The reason is boxed because it is rare.
pub type Defined<T> = Result<T, Box<Undefined>>;

impl Undefined {
    /// The rule that is broken.
    pub fn rule(&self) -> Rule {
        self.case.rule()
    }

    /// The value that two's complement hardware gives, and to which compilers fold constants: `INT_MAX + 1` and
    /// `1 << 31` have one. There is none for a divisor of zero, a bad amount of a shift, and a floating value that
    /// does not fit.
    pub fn wrapped(&self) -> Option<i128> {
        match (self.operation, self.left, self.right, self.case) {
            (_, _, _, Case::ZeroDivisor | Case::ShiftAmount | Case::Unrepresentable) => None,
            (Operation::Unary(_), Scalar::Int(kind, value), ..) => Some(kind.wrap(value.wrapping_neg())),
            (Operation::Binary(op), Scalar::Int(kind, a), Some(Scalar::Int(_, b)), _) => Some(wrapping(op, kind, a, b)),
            _ => None,
        }
    }
}

/// A clause without a full stop: what does not work with which values.
impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (left, right) = (ScalarText(self.left), self.right.map(ScalarText));
        let name = match self.left {
            Scalar::Int(kind, _) => kind.c_name(),
            _ => "",
        };
        match (self.operation, right) {
            (Operation::Convert(to), _) => write!(f, "{left} does not fit `{}`", to.c_name()),
            (Operation::Unary(_), _) | (_, None) => write!(f, "-({left}) does not fit `{name}`"),
            (Operation::Binary(op), Some(right)) => match self.case {
                Case::ZeroDivisor => {
                    let what = if op == BinaryOp::Div { "division" } else { "remainder" };
                    write!(f, "{what} of {left} by zero")
                }
                Case::ShiftAmount => {
                    let width = if let Scalar::Int(kind, _) = self.left { kind.bits() } else { 0 };
                    write!(f, "shift of a `{name}`, which has {width} bits, by {right}")
                }
                Case::LeftShift => {
                    let negative = matches!(self.left, Scalar::Int(_, value) if value < 0);
                    let why = if negative { "of a negative value" } else { "moves a one into or past the sign bit" };
                    write!(f, "left shift {left} << {right} {why}")
                }
                Case::Overflow | Case::QuotientOverflow | Case::Unrepresentable => {
                    write!(f, "{left} {} {right} does not fit `{name}`", op.symbol())
                }
            },
        }
    }
}

impl std::error::Error for Undefined {}

/// A scalar as a message shows it.
struct ScalarText(Scalar);

impl std::fmt::Display for ScalarText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Scalar::Int(IntKind::UInt128, value) => write!(f, "{}", value as u128),
            Scalar::Int(_, value) => write!(f, "{value}"),
            Scalar::Float(value) => write!(f, "{value}"),
            Scalar::Pointer(address) => write!(f, "{address:#x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_operands() {
        let shown = |result: Defined<i128>| result.unwrap_err().to_string();
        let int = |op, a, b| shown(binary(op, IntKind::Int, a, IntKind::Int, b));
        assert_eq!(int(BinaryOp::Add, i32::MAX.into(), 1), "2147483647 + 1 does not fit `int`");
        assert_eq!(int(BinaryOp::Rem, i32::MIN.into(), -1), "-2147483648 % -1 does not fit `int`");
        assert_eq!(int(BinaryOp::Rem, 7, 0), "remainder of 7 by zero");
        assert_eq!(int(BinaryOp::Shr, 1, -1), "shift of a `int`, which has 32 bits, by -1");
        assert_eq!(int(BinaryOp::Shl, -1, 1), "left shift -1 << 1 of a negative value");
        assert_eq!(int(BinaryOp::Shl, 1, 31), "left shift 1 << 31 moves a one into or past the sign bit");
        assert_eq!(shown(negate(IntKind::Long, i64::MIN.into())), "-(-9223372036854775808) does not fit `long`");
        assert_eq!(shown(Float::Double(3e9).to_int(IntKind::Int)), "3000000000 does not fit `int`");
        let wide = binary(BinaryOp::Div, IntKind::UInt128, -1, IntKind::UInt128, 0);
        assert_eq!(shown(wide), "division of 340282366920938463463374607431768211455 by zero");
    }

    #[test]
    fn compilers_fold_what_wraps() {
        let folded = |op, a: i128, b| binary(op, IntKind::Int, a, IntKind::Int, b).unwrap_err().wrapped();
        assert_eq!(folded(BinaryOp::Add, i32::MAX.into(), 1), Some(i32::MIN.into()));
        assert_eq!(folded(BinaryOp::Shl, 1, 31), Some(i32::MIN.into()));
        assert_eq!(folded(BinaryOp::Shl, -1, 1), Some(-2));
        assert_eq!(folded(BinaryOp::Div, i32::MIN.into(), -1), Some(i32::MIN.into()));
        assert_eq!(folded(BinaryOp::Rem, i32::MIN.into(), -1), Some(0));
        assert_eq!(folded(BinaryOp::Div, 1, 0), None);
        assert_eq!(folded(BinaryOp::Shl, 1, 32), None);
        assert_eq!(negate(IntKind::Int, i32::MIN.into()).unwrap_err().wrapped(), Some(i32::MIN.into()));
    }

    #[test]
    fn addresses_are_numbers() {
        assert_eq!(pointer_add(16, -2, 4), 8);
        assert_eq!(pointer_diff(8, 16, 4), -2);
        assert!(Scalar::Pointer(1 << 63).binary(BinaryOp::Gt, Scalar::Pointer(1)).unwrap().is_true());
        assert_eq!(
            Scalar::Pointer(0x1_0000_0100).convert(Class::Int(IntKind::Int)).unwrap(),
            Scalar::int(IntKind::Int, 256)
        );
        assert_eq!(Scalar::int(IntKind::Int, -1).convert(Class::Pointer).unwrap(), Scalar::Pointer(u64::MAX));
    }
}
