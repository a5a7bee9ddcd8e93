//! Bit-vector values: a width and an unsigned number below two to that width.

use crate::Int;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// A bit-vector constant. All arithmetic wraps at its width, as in SMT-LIB.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    value: UBig,
}

impl Bits {
    /// The number modulo two to the width.
    pub fn new(width: u32, value: &Int) -> Self {
        assert!(width > 0, "a bit-vector should have a positive width, because SMT-LIB has no empty ones");
        let modulus = Int::from(UBig::ONE << width as usize);
        let reduced = euclid(value, &modulus).1;
        let value = UBig::try_from(reduced).expect("a Euclidean remainder should not be negative");
        Bits { width, value }
    }

    fn reduce(width: u32, value: UBig) -> Self {
        let mask = UBig::ones(width as usize);
        Bits { width, value: value & mask }
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Read as an unsigned number.
    pub fn unsigned(&self) -> Int {
        Int::from(self.value.clone())
    }

    /// Read in two's complement.
    pub fn signed(&self) -> Int {
        let number = self.unsigned();
        if self.is_negative() { number - Int::from(UBig::ONE << self.width as usize) } else { number }
    }

    /// The bit of the sign.
    pub fn is_negative(&self) -> bool {
        self.value.bit(self.width as usize - 1)
    }

    /// No bit is set.
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    /// Every bit is set.
    pub fn is_ones(&self) -> bool {
        self.value == UBig::ones(self.width as usize)
    }

    pub(crate) fn zero(width: u32) -> Self {
        Bits::reduce(width, UBig::ZERO)
    }

    pub(crate) fn ones(width: u32) -> Self {
        Bits::reduce(width, UBig::ones(width as usize))
    }

    pub(crate) fn not(&self) -> Self {
        Bits::reduce(self.width, UBig::ones(self.width as usize) ^ &self.value)
    }

    pub(crate) fn neg(&self) -> Self {
        Bits::new(self.width, &-self.unsigned())
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Bits::reduce(self.width, &self.value & &other.value)
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        Bits::reduce(self.width, &self.value | &other.value)
    }

    pub(crate) fn xor(&self, other: &Self) -> Self {
        Bits::reduce(self.width, &self.value ^ &other.value)
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Bits::reduce(self.width, &self.value + &other.value)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Bits::reduce(self.width, &self.value * &other.value)
    }

    /// Division by zero gives all ones.
    pub(crate) fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() { Bits::ones(self.width) } else { Bits::reduce(self.width, &self.value / &other.value) }
    }

    /// Remainder by zero gives the dividend.
    pub(crate) fn urem(&self, other: &Self) -> Self {
        if other.is_zero() { self.clone() } else { Bits::reduce(self.width, &self.value % &other.value) }
    }

    fn magnitude(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Truncates towards zero; defined through [`Bits::udiv`] of the magnitudes, also for zero.
    pub(crate) fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// Sign follows the dividend.
    pub(crate) fn srem(&self, other: &Self) -> Self {
        let rest = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { rest.neg() } else { rest }
    }

    /// The shift distance, or `None` if it pushes everything out.
    fn distance(&self, by: &Self) -> Option<usize> {
        usize::try_from(&by.value).ok().filter(|n| *n < self.width as usize)
    }

    pub(crate) fn shl(&self, by: &Self) -> Self {
        match self.distance(by) {
            Some(n) => Bits::reduce(self.width, &self.value << n),
            None => Bits::zero(self.width),
        }
    }

    pub(crate) fn lshr(&self, by: &Self) -> Self {
        match self.distance(by) {
            Some(n) => Bits::reduce(self.width, &self.value >> n),
            None => Bits::zero(self.width),
        }
    }

    pub(crate) fn ashr(&self, by: &Self) -> Self {
        if self.is_negative() { self.not().lshr(by).not() } else { self.lshr(by) }
    }

    /// `self` becomes the high part.
    pub(crate) fn concat(&self, low: &Self) -> Self {
        Bits::reduce(self.width + low.width, (&self.value << low.width as usize) | &low.value)
    }

    pub(crate) fn extract(&self, high: u32, low: u32) -> Self {
        Bits::reduce(high - low + 1, &self.value >> low as usize)
    }

    pub(crate) fn zero_extend(&self, by: u32) -> Self {
        Bits::reduce(self.width + by, self.value.clone())
    }

    pub(crate) fn sign_extend(&self, by: u32) -> Self {
        Bits::new(self.width + by, &self.signed())
    }

    /// Whether the product does not fit the width.
    pub(crate) fn mul_overflows(&self, other: &Self, signed: bool) -> bool {
        if signed {
            self.mul(other).signed() != self.signed() * other.signed()
        } else {
            self.mul(other).unsigned() != self.unsigned() * other.unsigned()
        }
    }
}

/// Quotient and remainder of SMT-LIB's `div` and `mod`: the remainder is never negative.
pub(crate) fn euclid(a: &Int, b: &Int) -> (Int, Int) {
    use dashu_base::{Signed, UnsignedAbs};
    let quotient = a / b;
    let rest = a - &quotient * b;
    if !rest.is_negative() {
        (quotient, rest)
    } else if b.is_negative() {
        (quotient + Int::ONE, rest - b)
    } else {
        let magnitude = Int::from(b.clone().unsigned_abs());
        (quotient - Int::ONE, rest + magnitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euclid_agrees_with_the_standard_library() {
        for a in -20i64..=20 {
            for b in (-7i64..=7).filter(|b| *b != 0) {
                let (q, r) = euclid(&Int::from(a), &Int::from(b));
                assert_eq!((q, r), (Int::from(a.div_euclid(b)), Int::from(a.rem_euclid(b))));
            }
        }
    }

    /// All pairs of bytes against the machine's own arithmetic.
    #[test]
    fn byte_operations_agree_with_the_machine() {
        let bits = |n: u8| Bits::new(8, &Int::from(n));
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (bits(a), bits(b));
                let (sa, sb) = (a as i8, b as i8);
                assert_eq!(x.add(&y), bits(a.wrapping_add(b)));
                assert_eq!(x.sub(&y), bits(a.wrapping_sub(b)));
                assert_eq!(x.mul(&y), bits(a.wrapping_mul(b)));
                assert_eq!(x.signed(), Int::from(sa));
                assert_eq!(x.udiv(&y), bits(a.checked_div(b).unwrap_or(255)));
                assert_eq!(x.urem(&y), bits(a.checked_rem(b).unwrap_or(a)));
                if b != 0 {
                    assert_eq!(x.sdiv(&y), bits(sa.wrapping_div(sb) as u8));
                    assert_eq!(x.srem(&y), bits(sa.wrapping_rem(sb) as u8));
                }
                let by = u32::from(b);
                assert_eq!(x.shl(&y), bits(a.checked_shl(by).unwrap_or(0)));
                assert_eq!(x.lshr(&y), bits(a.checked_shr(by).unwrap_or(0)));
                let far = if sa < 0 { -1 } else { 0 };
                assert_eq!(x.ashr(&y), bits(sa.checked_shr(by).unwrap_or(far) as u8));
                assert_eq!(x.mul_overflows(&y, false), a.checked_mul(b).is_none());
                assert_eq!(x.mul_overflows(&y, true), sa.checked_mul(sb).is_none());
            }
        }
    }
}
