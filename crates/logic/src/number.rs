//! Exact numbers that are small most of the time.
//!
//! Values of program variables fit an `i128`, and so do nearly all intermediate results; the big representation is
//! entered only when a checked operation fails, and never left. Whether a number is an integer or a real is a matter of
//! its type, not of its value: `Real` may hold 2.

use dashu_base::{Abs, Signed};
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

#[derive(Clone, Debug)]
pub enum Number {
    Small(i128),
    Big(IBig),
    Real(RBig),
}

impl Number {
    /// A constant: an integer if it is whole.
    pub fn constant(value: &RBig) -> Number {
        if value.is_int() { Number::integer(value.numerator().clone()) } else { Number::Real(value.clone()) }
    }

    pub fn integer(value: IBig) -> Number {
        i128::try_from(&value).map_or(Number::Big(value), Number::Small)
    }

    /// The exact value of a finite floating number.
    pub fn float(value: f64) -> Option<Number> {
        RBig::try_from(value).ok().map(Number::Real)
    }

    pub fn is_integer(&self) -> bool {
        !matches!(self, Number::Real(_))
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Small(value) => *value == 0,
            Number::Big(value) => value.is_zero(),
            Number::Real(value) => value.is_zero(),
        }
    }

    /// The integer, if it is of integer type.
    pub fn to_int(&self) -> Option<IBig> {
        match self {
            Number::Small(value) => Some(IBig::from(*value)),
            Number::Big(value) => Some(value.clone()),
            Number::Real(_) => None,
        }
    }

    pub fn to_rational(&self) -> RBig {
        match self {
            Number::Small(value) => RBig::from(IBig::from(*value)),
            Number::Big(value) => RBig::from(value.clone()),
            Number::Real(value) => value.clone(),
        }
    }

    fn combine(
        &self,
        other: &Number,
        small: impl Fn(i128, i128) -> Option<i128>,
        big: impl Fn(IBig, IBig) -> IBig,
        real: impl Fn(RBig, RBig) -> RBig,
    ) -> Number {
        if let (Number::Small(a), Number::Small(b)) = (self, other)
            && let Some(result) = small(*a, *b)
        {
            return Number::Small(result);
        }
        match (self.to_int(), other.to_int()) {
            (Some(a), Some(b)) => Number::integer(big(a, b)),
            _ => Number::Real(real(self.to_rational(), other.to_rational())),
        }
    }

    pub fn add(&self, other: &Number) -> Number {
        self.combine(other, i128::checked_add, |a, b| a + b, |a, b| a + b)
    }

    pub fn mul(&self, other: &Number) -> Number {
        self.combine(other, i128::checked_mul, |a, b| a * b, |a, b| a * b)
    }

    pub fn neg(&self) -> Number {
        match self {
            Number::Small(value) => {
                value.checked_neg().map_or_else(|| Number::integer(-IBig::from(*value)), Number::Small)
            }
            Number::Big(value) => Number::integer(-value.clone()),
            Number::Real(value) => Number::Real(-value.clone()),
        }
    }

    pub fn abs(&self) -> Number {
        match self {
            Number::Real(value) => Number::Real(value.clone().abs()),
            integer if integer.compare(&Number::Small(0)).is_lt() => integer.neg(),
            integer => integer.clone(),
        }
    }

    /// By repeated squaring; the caller bounds the exponent.
    pub fn power(&self, mut exponent: u32) -> Number {
        let (mut base, mut result) = (self.clone(), Number::Small(1));
        if let Number::Real(_) = self {
            result = Number::Real(RBig::ONE);
        }
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(&base);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base.mul(&base);
            }
        }
        result
    }

    /// C's `/`: truncating on integers, exact on reals. The divisor must not be zero.
    pub fn quotient(&self, other: &Number) -> Number {
        self.combine(other, i128::checked_div, |a, b| a / b, |a, b| a / b)
    }

    /// C's `%`, on integers. The divisor must not be zero.
    pub fn remainder(&self, other: &Number) -> Option<Number> {
        let integers = self.is_integer() && other.is_integer();
        // The last function is not reached; it only has to have the right type.
        integers.then(|| self.combine(other, i128::checked_rem, |a, b| a % b, |a, _| a))
    }

    /// The remainder that is never negative, on integers. The divisor must not be zero.
    pub fn modulo(&self, other: &Number) -> Option<Number> {
        let remainder = self.remainder(other)?;
        let negative = remainder.compare(&Number::Small(0)).is_lt();
        Some(if negative { remainder.add(&other.abs()) } else { remainder })
    }

    /// The quotient that goes with [`Number::modulo`].
    pub fn div(&self, other: &Number) -> Option<Number> {
        let rest = self.modulo(other)?;
        Some(self.add(&rest.neg()).quotient(other))
    }

    pub fn compare(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Small(a), Number::Small(b)) => a.cmp(b),
            _ => match (self.to_int(), other.to_int()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => self.to_rational().cmp(&other.to_rational()),
            },
        }
    }

    /// How many bits it takes to write it down, roughly; evaluation stops before numbers fill the memory.
    pub(super) fn bits(&self) -> usize {
        use dashu_base::BitTest;
        match self {
            Number::Small(_) => 128,
            Number::Big(value) => value.bit_len(),
            Number::Real(value) => value.numerator().bit_len() + value.denominator().bit_len(),
        }
    }
}

impl PartialEq for Number {
    /// Of value, not of type: the integer 2 equals the real 2.
    fn eq(&self, other: &Number) -> bool {
        self.compare(other).is_eq()
    }
}

/// Whether a rational is below zero.
pub(super) fn is_negative(value: &RBig) -> bool {
    value.is_negative()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn division_in_all_four_quadrants() {
        for (a, b, quotient, remainder, div, modulo) in
            [(7, 2, 3, 1, 3, 1), (-7, 2, -3, -1, -4, 1), (7, -2, -3, 1, -3, 1), (-7, -2, 3, -1, 4, 1)]
        {
            let (a, b) = (Number::Small(a), Number::Small(b));
            assert_eq!(a.quotient(&b), Number::Small(quotient));
            assert_eq!(a.remainder(&b), Some(Number::Small(remainder)));
            assert_eq!(a.div(&b), Some(Number::Small(div)));
            assert_eq!(a.modulo(&b), Some(Number::Small(modulo)));
        }
        assert_eq!(Number::Small(i128::MIN).quotient(&Number::Small(-1)), Number::Small(i128::MIN).neg());
    }

    proptest! {
        /// The slow twin is the big representation.
        #[test]
        fn small_and_big_agree(a: i128, b: i128, shift in 0u32..127) {
            let (a, b) = (a >> shift, b >> (shift / 2));
            let (x, y) = (Number::Small(a), Number::Small(b));
            let (p, q) = (IBig::from(a), IBig::from(b));
            prop_assert_eq!(x.add(&y).to_int(), Some(&p + &q));
            prop_assert_eq!(x.mul(&y).to_int(), Some(&p * &q));
            prop_assert_eq!(x.compare(&y), p.cmp(&q));
            if b != 0 {
                prop_assert_eq!(x.quotient(&y).to_int(), Some(&p / &q));
                let (d, m) = (x.div(&y).unwrap(), x.modulo(&y).unwrap());
                prop_assert_eq!(d.mul(&y).add(&m), x);
                prop_assert!(m.compare(&Number::Small(0)).is_ge() && m.compare(&y.abs()).is_lt());
            }
        }

        #[test]
        fn floats_are_exact(value in any::<f64>()) {
            match Number::float(value) {
                None => prop_assert!(!value.is_finite()),
                Some(number) => prop_assert_eq!(number.to_rational().to_f64().value(), value),
            }
        }
    }
}
