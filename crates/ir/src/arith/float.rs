//! Floating values: IEEE 754 single and double precision, and x87's extended one.

use super::integer::holds;
use super::{Case, Defined, Operation, Scalar, Undefined};
use crate::ctype::{FloatKind, IntKind};
use crate::expr::BinaryOp;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round, Status};

/// A value of a floating type. Equality is that of C: NaN equals nothing, and the zeros equal each other.
#[derive(Clone, Copy, Debug)]
pub enum Float {
    Single(f32),
    Double(f64),
    /// The 80 bits of the x87 format.
    Extended(u128),
}

impl PartialEq for Float {
    fn eq(&self, other: &Float) -> bool {
        self.kind() == other.kind() && self.compare(BinaryOp::Eq, *other)
    }
}

fn x87(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits)
}

/// The nearest `double` to a `long double`, given by its bits.
pub fn extended_to_double(bits: u128) -> f64 {
    let converted: Double = x87(bits).convert(&mut false).value;
    f64::from_bits(converted.to_bits() as u64)
}

/// The `long double` equal to a `double`: its 80 bits.
pub fn double_to_extended(value: f64) -> u128 {
    let converted: X87DoubleExtended = Double::from_bits(value.to_bits().into()).convert(&mut false).value;
    converted.to_bits()
}

impl Float {
    pub fn kind(self) -> FloatKind {
        match self {
            Float::Single(_) => FloatKind::Float,
            Float::Double(_) => FloatKind::Double,
            Float::Extended(_) => FloatKind::Extended,
        }
    }

    /// The value of that type nearest to a `double`.
    pub fn from_f64(kind: FloatKind, value: f64) -> Float {
        Float::Double(value).convert(kind)
    }

    /// The nearest `double`.
    pub fn to_f64(self) -> f64 {
        match self {
            Float::Single(value) => value.into(),
            Float::Double(value) => value,
            Float::Extended(bits) => extended_to_double(bits),
        }
    }

    /// The `long double` equal to it.
    fn widened(self) -> X87DoubleExtended {
        match self {
            Float::Extended(bits) => x87(bits),
            other => x87(double_to_extended(other.to_f64())),
        }
    }

    pub fn is_zero(self) -> bool {
        self.widened().is_zero()
    }

    pub fn negate(self) -> Float {
        match self {
            Float::Single(value) => Float::Single(-value),
            Float::Double(value) => Float::Double(-value),
            Float::Extended(bits) => Float::Extended(bits ^ (1 << 79)),
        }
    }

    /// The sum, difference, product or quotient of two values of one type.
    pub fn binary(self, op: BinaryOp, right: Float) -> Float {
        match (self, right) {
            (Float::Single(a), Float::Single(b)) => Float::Single(apply(op, a, b)),
            (Float::Double(a), Float::Double(b)) => Float::Double(apply(op, a, b)),
            (Float::Extended(a), Float::Extended(b)) => {
                let (a, b) = (x87(a), x87(b));
                let result = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => unreachable!("{op:?} should not be asked of floating values, because the program is verified"),
                };
                Float::Extended(result.value.to_bits())
            }
            _ => unreachable!("the operands of {op:?} should have one type, because the program is verified"),
        }
    }

    /// Whether a comparison holds.
    pub fn compare(self, op: BinaryOp, right: Float) -> bool {
        holds(op, self.widened().partial_cmp(&right.widened()))
    }

    pub fn convert(self, to: FloatKind) -> Float {
        match (self, to) {
            (Float::Single(_), FloatKind::Float) | (Float::Extended(_), FloatKind::Extended) => self,
            (Float::Extended(bits), FloatKind::Float) => {
                let converted: Single = x87(bits).convert(&mut false).value;
                Float::Single(f32::from_bits(converted.to_bits() as u32))
            }
            // Every `float` is a `double`, so what comes from one is rounded once.
            (_, FloatKind::Float) => Float::Single(self.to_f64() as f32),
            (_, FloatKind::Double) => Float::Double(self.to_f64()),
            (_, FloatKind::Extended) => Float::Extended(double_to_extended(self.to_f64())),
        }
    }

    /// The value nearest to an integer of that type.
    pub fn from_int(from: IntKind, value: i128, to: FloatKind) -> Float {
        let wide = from == IntKind::UInt128;
        match to {
            FloatKind::Float => Float::Single(if wide { value as u128 as f32 } else { value as f32 }),
            FloatKind::Double => Float::Double(if wide { value as u128 as f64 } else { value as f64 }),
            FloatKind::Extended => {
                let converted = match wide {
                    true => X87DoubleExtended::from_u128(value as u128),
                    false => X87DoubleExtended::from_i128(value),
                };
                Float::Extended(converted.value.to_bits())
            }
        }
    }

    /// The integer part as a value of that type; for `_Bool` whether it differs from zero.
    pub fn to_int(self, to: IntKind) -> Defined<i128> {
        let exact = self.widened();
        if to == IntKind::Bool {
            return Ok((!exact.is_zero()).into());
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
            return Err(Box::new(Undefined {
                case: Case::Unrepresentable,
                operation: Operation::Convert(to),
                left: Scalar::Float(self),
                right: None,
            }));
        }
        Ok(result)
    }
}

fn apply<T>(op: BinaryOp, a: T, b: T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T> + std::ops::Div<Output = T>,
{
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => unreachable!("{op:?} should not be asked of floating values, because the program is verified"),
    }
}

impl std::fmt::Display for Float {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Float::Single(value) => write!(f, "{value}"),
            Float::Double(value) => write!(f, "{value}"),
            Float::Extended(bits) => write!(f, "{}", x87(*bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_round_once_and_check_ranges() {
        let int = |value: f64, to| Float::Double(value).to_int(to).ok();
        assert_eq!(int(-1.9, IntKind::Int), Some(-1));
        assert_eq!(int(-0.9, IntKind::UInt), Some(0));
        assert_eq!(int(-1.0, IntKind::UInt), None);
        assert_eq!(int(2147483647.5, IntKind::Int), Some(i32::MAX as i128));
        assert_eq!(int(2147483648.0, IntKind::Int), None);
        assert_eq!(int(f64::NAN, IntKind::Int), None);
        assert_eq!(int(0.1, IntKind::Bool), Some(1));
        assert_eq!(int(1e38, IntKind::UInt128), Some(1e38 as u128 as i128));
        let third =
            Float::from_f64(FloatKind::Extended, 1.0).binary(BinaryOp::Div, Float::from_f64(FloatKind::Extended, 3.0));
        assert_eq!(third.to_f64(), 1.0 / 3.0);
        assert_ne!(third, Float::from_f64(FloatKind::Extended, 1.0 / 3.0), "a long double has more digits");
    }
}
