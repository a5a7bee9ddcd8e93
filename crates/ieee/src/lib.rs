//! IEEE 754 values of C's three floating types on x86-64, and what its operators do to them.
//!
//! `float` is binary32, `double` binary64, and `long double` the x87 format with 64 bits of significand. Every operation
//! rounds once, to the nearest value with ties to even, which is what SSE and x87 do in their default modes
//! (`FLT_EVAL_METHOD` is 0). Operators and conversions are those of `rustc_apfloat`, which LLVM's were translated to.
//!
//! *Canonical form*: there is one NaN of each format. C cannot tell NaNs apart except by looking at their bytes, so
//! whoever gives bytes away must not take those of a NaN from here.

use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// One of the three formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Format {
    Single,
    Double,
    /// The x87 format: 15 bits of exponent and 64 of significand, the leading one among them.
    Extended,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Single, Format::Double, Format::Extended];

    /// Bits of the exponent.
    pub fn exponent(self) -> u32 {
        match self {
            Format::Single => 8,
            Format::Double => 11,
            Format::Extended => 15,
        }
    }

    /// Bits of the significand, the leading one included.
    pub fn significand(self) -> u32 {
        match self {
            Format::Single => 24,
            Format::Double => 53,
            Format::Extended => 64,
        }
    }
}

/// Which of its two neighbours among the whole numbers a value becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// `floor`
    Down,
    /// `ceil`
    Up,
    /// `trunc`
    ToZero,
    /// `rint`: the nearest, the even one of two that are as near.
    Even,
    /// `round`: the nearest, the larger one of two that are as near.
    Away,
}

/// A value of a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value {
    format: Format,
    /// As memory has it, the first byte the least significant.
    bits: u128,
}

/// Calls the same method on the number of each format.
macro_rules! in_format {
    ($value:expr, $number:ident => $result:expr) => {
        match $value.format {
            Format::Single => {
                let $number = Single::from_bits($value.bits);
                $result
            }
            Format::Double => {
                let $number = Double::from_bits($value.bits);
                $result
            }
            Format::Extended => {
                let $number = X87DoubleExtended::from_bits($value.bits);
                $result
            }
        }
    };
}

/// Makes a number of a format by an expression in which `F` is its type.
macro_rules! make {
    ($format:expr, $F:ident => $number:expr) => {
        match $format {
            Format::Single => {
                type $F = Single;
                Value::canonical(Format::Single, $number.to_bits())
            }
            Format::Double => {
                type $F = Double;
                Value::canonical(Format::Double, $number.to_bits())
            }
            Format::Extended => {
                type $F = X87DoubleExtended;
                Value::canonical(Format::Extended, $number.to_bits())
            }
        }
    };
}

impl Value {
    fn canonical(format: Format, bits: u128) -> Value {
        let value = Value { format, bits };
        if value.is_nan() { Value::nan(format) } else { value }
    }

    /// The value that memory holds.
    pub fn from_bits(format: Format, bits: u128) -> Value {
        Value::canonical(format, bits)
    }

    /// What memory holds.
    pub fn to_bits(self) -> u128 {
        self.bits
    }

    pub fn format(self) -> Format {
        self.format
    }

    pub fn nan(format: Format) -> Value {
        let bits = match format {
            Format::Single => Single::NAN.to_bits(),
            Format::Double => Double::NAN.to_bits(),
            Format::Extended => X87DoubleExtended::NAN.to_bits(),
        };
        Value { format, bits }
    }

    pub fn zero(format: Format) -> Value {
        Value { format, bits: 0 }
    }

    pub fn infinity(format: Format, negative: bool) -> Value {
        let infinity = make!(format, F => F::INFINITY);
        if negative { infinity.neg() } else { infinity }
    }

    /// A `double` rounded to the format.
    pub fn from_f64(format: Format, value: f64) -> Value {
        Value::from_bits(Format::Double, u128::from(value.to_bits())).convert(format)
    }

    /// The nearest `double`.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(Format::Double).bits as u64)
    }

    /// A signed integer rounded to the format.
    pub fn from_signed(format: Format, value: i128) -> Value {
        make!(format, F => F::from_i128_r(value, Round::NearestTiesToEven).value)
    }

    /// An unsigned integer rounded to the format.
    pub fn from_unsigned(format: Format, value: u128) -> Value {
        make!(format, F => F::from_u128_r(value, Round::NearestTiesToEven).value)
    }

    /// Two to a power; infinite where that is too large.
    pub fn power_of_two(format: Format, exponent: i32) -> Value {
        let one = Value::from_signed(format, 1);
        match format {
            Format::Single => Value::canonical(format, Single::from_bits(one.bits).scalbn(exponent).to_bits()),
            Format::Double => Value::canonical(format, Double::from_bits(one.bits).scalbn(exponent).to_bits()),
            Format::Extended => {
                Value::canonical(format, X87DoubleExtended::from_bits(one.bits).scalbn(exponent).to_bits())
            }
        }
    }

    /// The same value in another format, rounded.
    pub fn convert(self, to: Format) -> Value {
        in_format!(self, number => match to {
            Format::Single => {
                let converted: Single = FloatConvert::<Single>::convert(number, &mut false).value;
                Value::canonical(to, converted.to_bits())
            }
            Format::Double => {
                let converted: Double = FloatConvert::<Double>::convert(number, &mut false).value;
                Value::canonical(to, converted.to_bits())
            }
            Format::Extended => {
                let converted: X87DoubleExtended = FloatConvert::<X87DoubleExtended>::convert(number, &mut false).value;
                Value::canonical(to, converted.to_bits())
            }
        })
    }

    /// The value cut off to a signed integer of so many bits; `None` if it does not fit.
    pub fn to_signed(self, width: u32) -> Option<i128> {
        in_format!(self, number => {
            let cut = number.to_i128_r(width as usize, Round::TowardZero, &mut false);
            (!cut.status.contains(Status::INVALID_OP)).then_some(cut.value)
        })
    }

    /// The value cut off to an unsigned integer of so many bits; `None` if it does not fit.
    pub fn to_unsigned(self, width: u32) -> Option<u128> {
        in_format!(self, number => {
            let cut = number.to_u128_r(width as usize, Round::TowardZero, &mut false);
            (!cut.status.contains(Status::INVALID_OP)).then_some(cut.value)
        })
    }

    #[must_use]
    #[allow(clippy::should_implement_trait)] // The operators of Rust say nothing about rounding.
    pub fn add(self, other: Value) -> Value {
        self.combine(other, |a, b| (a + b).value, |a, b| (a + b).value, |a, b| (a + b).value)
    }

    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn sub(self, other: Value) -> Value {
        self.combine(other, |a, b| (a - b).value, |a, b| (a - b).value, |a, b| (a - b).value)
    }

    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn mul(self, other: Value) -> Value {
        self.combine(other, |a, b| (a * b).value, |a, b| (a * b).value, |a, b| (a * b).value)
    }

    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn div(self, other: Value) -> Value {
        self.combine(other, |a, b| (a / b).value, |a, b| (a / b).value, |a, b| (a / b).value)
    }

    fn combine(
        self,
        other: Value,
        single: fn(Single, Single) -> Single,
        double: fn(Double, Double) -> Double,
        extended: fn(X87DoubleExtended, X87DoubleExtended) -> X87DoubleExtended,
    ) -> Value {
        assert_eq!(self.format, other.format, "operands should have one format, because C converts them first");
        let (a, b) = (self.bits, other.bits);
        let bits = match self.format {
            Format::Single => single(Single::from_bits(a), Single::from_bits(b)).to_bits(),
            Format::Double => double(Double::from_bits(a), Double::from_bits(b)).to_bits(),
            Format::Extended => extended(X87DoubleExtended::from_bits(a), X87DoubleExtended::from_bits(b)).to_bits(),
        };
        Value::canonical(self.format, bits)
    }

    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Value {
        Value::canonical(self.format, in_format!(self, number => (-number).to_bits()))
    }

    #[must_use]
    pub fn abs(self) -> Value {
        if self.is_negative() { self.neg() } else { self }
    }

    /// A whole number. The sign of zero stays.
    #[must_use]
    pub fn round(self, rounding: Rounding) -> Value {
        let mode = match rounding {
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::ToZero => Round::TowardZero,
            Rounding::Even => Round::NearestTiesToEven,
            Rounding::Away => Round::NearestTiesToAway,
        };
        Value::canonical(self.format, in_format!(self, number => number.round_to_integral(mode).value.to_bits()))
    }

    /// The square root, of `float` and `double` alone.
    #[must_use]
    pub fn sqrt(self) -> Value {
        assert!(self.format != Format::Extended, "square roots should be of `float` or `double`");
        // A double has more than twice the digits of a float, so that rounding a root twice is rounding it once.
        Value::from_f64(self.format, self.to_f64().sqrt())
    }

    /// How two values compare; `None` if one is a NaN. Both zeros are equal.
    pub fn order(self, other: Value) -> Option<Ordering> {
        assert_eq!(self.format, other.format, "operands should have one format, because C converts them first");
        match self.format {
            Format::Single => Single::from_bits(self.bits).partial_cmp(&Single::from_bits(other.bits)),
            Format::Double => Double::from_bits(self.bits).partial_cmp(&Double::from_bits(other.bits)),
            Format::Extended => {
                X87DoubleExtended::from_bits(self.bits).partial_cmp(&X87DoubleExtended::from_bits(other.bits))
            }
        }
    }

    pub fn is_nan(self) -> bool {
        in_format!(self, number => number.is_nan())
    }

    pub fn is_infinite(self) -> bool {
        in_format!(self, number => number.is_infinite())
    }

    pub fn is_zero(self) -> bool {
        in_format!(self, number => number.is_zero())
    }

    /// Whether the sign is set, also that of a zero; a NaN counts as positive.
    pub fn is_negative(self) -> bool {
        !self.is_nan() && in_format!(self, number => number.is_negative())
    }

    /// Sign, biased exponent and the bits of the significand behind the leading one, as SMT-LIB writes a value that is
    /// no NaN.
    pub fn parts(self) -> (bool, u32, u64) {
        let (exponent, fraction) = (self.format.exponent(), self.format.significand() - 1);
        let mantissa = (self.bits & ((1 << fraction) - 1)) as u64;
        // The x87 format writes the leading one.
        let written = u32::from(self.format == Format::Extended);
        let biased = (self.bits >> (fraction + written)) & ((1 << exponent) - 1);
        (self.bits >> (fraction + written + exponent) & 1 == 1, biased as u32, mantissa)
    }

    /// The value of these parts.
    pub fn from_parts(format: Format, negative: bool, biased: u32, fraction: u64) -> Value {
        let (exponent, width) = (format.exponent(), format.significand() - 1);
        let written = u32::from(format == Format::Extended);
        let leading = u128::from(biased != 0) << width;
        let mut bits = u128::from(fraction) | if written == 1 { leading } else { 0 };
        bits |= u128::from(biased) << (width + written);
        bits |= u128::from(negative) << (width + written + exponent);
        Value::canonical(format, bits)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        in_format!(self, number => write!(f, "{number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<f64> {
        let near = [0.0, 1.0, 1.5, 0.1, 3.0, 16_777_216.0, 16_777_217.0, 2_147_483_647.0, 9.007e15, 1e-45, 5e-324];
        let far = [f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN, 3.4e38, 1e-40];
        near.iter().chain(&far).flat_map(|value| [*value, -value]).collect()
    }

    /// The machine that runs the test is the oracle for two of the formats.
    #[test]
    fn operations_are_those_of_the_machine() {
        for a in samples() {
            for b in samples() {
                let (x, y) = (Value::from_f64(Format::Double, a), Value::from_f64(Format::Double, b));
                let same = |ours: Value, theirs: f64| {
                    assert_eq!(ours, Value::from_f64(Format::Double, theirs), "{a} and {b}");
                };
                same(x.add(y), a + b);
                same(x.sub(y), a - b);
                same(x.mul(y), a * b);
                same(x.div(y), a / b);
                assert_eq!(x.order(y), a.partial_cmp(&b));
                let (x, y) = (x.convert(Format::Single), y.convert(Format::Single));
                let (a, b) = (a as f32, b as f32);
                let same = |ours: Value, theirs: f32| {
                    assert_eq!(ours, Value::from_bits(Format::Single, theirs.to_bits().into()), "{a} and {b}");
                };
                same(x.add(y), a + b);
                same(x.mul(y), a * b);
                same(x.div(y), a / b);
            }
        }
    }

    #[test]
    fn integers_are_rounded_to_even_and_cut_off() {
        for value in [0, 1, -1, 16_777_217, i128::from(i64::MAX), i128::from(i64::MIN), (1 << 53) + 1] {
            assert_eq!(Value::from_signed(Format::Double, value).to_f64(), value as f64);
            assert_eq!(Value::from_signed(Format::Single, value).to_f64(), f64::from(value as f32));
        }
        let just_below = Value::from_f64(Format::Double, 2_147_483_647.9);
        assert_eq!(just_below.to_signed(32), Some(2_147_483_647));
        assert_eq!(Value::from_f64(Format::Double, 2_147_483_648.0).to_signed(32), None);
        assert_eq!(Value::from_f64(Format::Double, -0.9).to_unsigned(32), Some(0));
        assert_eq!(Value::nan(Format::Single).to_signed(64), None);
    }

    #[test]
    fn parts_make_the_value_again() {
        for format in Format::ALL {
            for value in samples().into_iter().filter(|value| !value.is_nan()) {
                let value = Value::from_f64(format, value);
                let (negative, biased, fraction) = value.parts();
                assert_eq!(Value::from_parts(format, negative, biased, fraction), value, "{value}");
            }
            assert_eq!(Value::power_of_two(format, 3), Value::from_signed(format, 8));
        }
        assert!(Value::power_of_two(Format::Single, 128).is_infinite());
    }
}
