//! The binary floating formats of C on x86-64: taken apart into integers, and put together with correct rounding.
//!
//! Bits travel as `u128`: the low 32 of a `float`, the low 64 of a `double`, the low 80 of a `long double`.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use ir::FloatKind;

/// A floating value, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unpacked {
    pub negative: bool,
    pub magnitude: Magnitude,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Magnitude {
    Zero,
    /// `mantissa * 2^exponent`, the mantissa not zero.
    Finite {
        mantissa: u64,
        exponent: i32,
    },
    Infinite,
    Nan,
}

/// How a value fitted the format it was rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    Exact,
    Inexact,
    /// Too large: the result is an infinity.
    Overflow,
    /// Inexact, and so small that the result is subnormal or zero.
    Underflow,
}

/// Bits of the mantissa, the leading one included.
pub fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float => 24,
        FloatKind::Double => 53,
        FloatKind::Extended => 64,
    }
}

/// The exponent of the smallest positive value, which is a power of two.
pub fn least_exponent(kind: FloatKind) -> i32 {
    match kind {
        FloatKind::Float => -149,
        FloatKind::Double => -1074,
        FloatKind::Extended => -16445,
    }
}

/// Every finite value is less than two to this.
pub fn end_exponent(kind: FloatKind) -> i32 {
    match kind {
        FloatKind::Float => 128,
        FloatKind::Double => 1024,
        FloatKind::Extended => 16384,
    }
}

/// Takes the bits of a value apart.
pub fn unpack(kind: FloatKind, bits: u128) -> Unpacked {
    let (negative, biased, fraction, fraction_bits, top) = match kind {
        FloatKind::Float => (bits >> 31 & 1 == 1, (bits >> 23 & 0xff) as i32, (bits & 0x7f_ffff) as u64, 23, 0xff),
        FloatKind::Double => {
            (bits >> 63 & 1 == 1, (bits >> 52 & 0x7ff) as i32, (bits & 0xf_ffff_ffff_ffff) as u64, 52, 0x7ff)
        }
        FloatKind::Extended => (bits >> 79 & 1 == 1, (bits >> 64 & 0x7fff) as i32, bits as u64, 63, 0x7fff),
    };
    let magnitude = if biased == top {
        // The leading one of a `long double` is stored, and says nothing about an infinity.
        let payload = if kind == FloatKind::Extended { fraction << 1 } else { fraction };
        if payload == 0 { Magnitude::Infinite } else { Magnitude::Nan }
    } else {
        let implicit = if biased == 0 || kind == FloatKind::Extended { 0 } else { 1u64 << fraction_bits };
        let mantissa = fraction | implicit;
        let exponent = biased.max(1) - (top >> 1) - fraction_bits;
        if mantissa == 0 { Magnitude::Zero } else { Magnitude::Finite { mantissa, exponent } }
    };
    Unpacked { negative, magnitude }
}

pub fn unpack_double(value: f64) -> Unpacked {
    unpack(FloatKind::Double, u128::from(value.to_bits()))
}

/// Puts the bits of a value together. A finite magnitude must fit the format exactly.
fn pack(kind: FloatKind, negative: bool, magnitude: Magnitude) -> u128 {
    let fraction_bits = precision(kind) - 1;
    let (top, width) = match kind {
        FloatKind::Float => (0xffu128, 32),
        FloatKind::Double => (0x7ff, 64),
        FloatKind::Extended => (0x7fff, 80),
    };
    let stored = if kind == FloatKind::Extended { 64 } else { fraction_bits };
    let special = |payload: u128| {
        let integer_bit = if kind == FloatKind::Extended { 1u128 << 63 } else { 0 };
        top << stored | integer_bit | payload
    };
    let body = match magnitude {
        Magnitude::Zero => 0,
        Magnitude::Infinite => special(0),
        Magnitude::Nan => special(1 << (fraction_bits - 1)),
        Magnitude::Finite { mantissa, exponent } => {
            let mantissa = u128::from(mantissa);
            if mantissa >> fraction_bits == 0 {
                debug_assert_eq!(exponent, least_exponent(kind), "a short mantissa should be a subnormal one");
                mantissa
            } else {
                let biased = (exponent - least_exponent(kind) + 1) as u128;
                let kept = if kind == FloatKind::Extended { mantissa } else { mantissa & ((1 << fraction_bits) - 1) };
                biased << stored | kept
            }
        }
    };
    body | u128::from(negative) << (width - 1)
}

pub fn infinity(kind: FloatKind, negative: bool) -> u128 {
    pack(kind, negative, Magnitude::Infinite)
}

/// The quiet NaN without payload.
pub fn nan(kind: FloatKind, negative: bool) -> u128 {
    pack(kind, negative, Magnitude::Nan)
}

pub fn zero(kind: FloatKind, negative: bool) -> u128 {
    pack(kind, negative, Magnitude::Zero)
}

/// `numerator / denominator`, rounded once to the format, to nearest, ties to even. The denominator is not zero.
pub fn round_ratio(kind: FloatKind, negative: bool, numerator: &UBig, denominator: &UBig) -> (u128, Fit) {
    if *numerator == UBig::ZERO {
        return (zero(kind, negative), Fit::Exact);
    }
    // A quotient of two or three bits more than the format keeps, and whether anything is left below it.
    let bits = precision(kind);
    let shift = i64::from(bits) + 2 - (numerator.bit_len() as i64 - denominator.bit_len() as i64);
    let (top, bottom) = if shift >= 0 {
        (numerator << shift as usize, denominator.clone())
    } else {
        (numerator.clone(), denominator << (-shift) as usize)
    };
    let quotient = &top / &bottom;
    let sticky = &quotient * &bottom != top;
    let quotient = u128::try_from(quotient).expect("the quotient should have at most three bits more than the format");
    round_scaled(kind, negative, quotient, -shift, sticky)
}

/// `(mantissa + s) * 2^exponent`, rounded; `s` is 0, or something strictly between 0 and 1 if `sticky`.
pub fn round_scaled(kind: FloatKind, negative: bool, mantissa: u128, exponent: i64, sticky: bool) -> (u128, Fit) {
    if mantissa == 0 {
        let fit = if sticky { Fit::Underflow } else { Fit::Exact };
        return (zero(kind, negative), fit);
    }
    let bits = i64::from(precision(kind));
    let length = i64::from(128 - mantissa.leading_zeros());
    let least = i64::from(least_exponent(kind));
    // The exponent of the last bit kept.
    let mut last = (exponent + length - bits).max(least);
    let drop = last - exponent;
    let (mut kept, inexact) = if drop <= 0 {
        debug_assert!(!sticky || drop < 0 || drop == 0, "rounding should see the bit below the last one kept");
        // Few enough bits that all are kept. Callers with a sticky part give more bits than the format has.
        (mantissa << (-drop) as u32, sticky)
    } else if drop > 127 {
        (0, true)
    } else {
        let below = mantissa & ((1u128 << drop) - 1);
        let half = 1u128 << (drop - 1);
        let kept = mantissa >> drop;
        let up = below > half || (below == half && (sticky || kept & 1 == 1));
        (kept + u128::from(up), below != 0 || sticky)
    };
    if kept >> bits != 0 {
        kept >>= 1;
        last += 1;
    }
    if kept == 0 {
        return (zero(kind, negative), Fit::Underflow);
    }
    let length = i64::from(128 - kept.leading_zeros());
    if last + length > i64::from(end_exponent(kind)) {
        return (infinity(kind, negative), Fit::Overflow);
    }
    // `last` is the least exponent or the mantissa is full, by the choice of `last`.
    let finite = Magnitude::Finite { mantissa: kept as u64, exponent: last as i32 };
    let subnormal = length < bits;
    let fit = match (inexact, subnormal) {
        (false, _) => Fit::Exact,
        (true, false) => Fit::Inexact,
        (true, true) => Fit::Underflow,
    };
    (pack(kind, negative, finite), fit)
}

/// The value in another format.
pub fn convert(from: FloatKind, bits: u128, to: FloatKind) -> u128 {
    let Unpacked { negative, magnitude } = unpack(from, bits);
    match magnitude {
        Magnitude::Zero => zero(to, negative),
        Magnitude::Infinite => infinity(to, negative),
        Magnitude::Nan => nan(to, negative),
        Magnitude::Finite { mantissa, exponent } => {
            round_scaled(to, negative, u128::from(mantissa), i64::from(exponent), false).0
        }
    }
}

/// The bits of a `double` as the bits of a `long double`: always exact.
pub fn extend(value: f64) -> u128 {
    convert(FloatKind::Double, u128::from(value.to_bits()), FloatKind::Extended)
}

/// The `double` nearest to a `long double`.
pub fn narrow(bits: u128) -> f64 {
    f64::from_bits(convert(FloatKind::Extended, bits, FloatKind::Double) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_survive_the_way_through_extended() {
        for value in [0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-310, f64::INFINITY, 0.1] {
            assert_eq!(narrow(extend(value)).to_bits(), value.to_bits());
        }
        assert!(narrow(extend(f64::NAN)).is_nan());
        assert_eq!(extend(1.0), 0x3fff_8000_0000_0000_0000);
    }

    #[test]
    fn narrowing_rounds_as_the_machine_does() {
        let mut state = 1u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits(state);
            if value.is_nan() {
                continue;
            }
            let float = convert(FloatKind::Double, u128::from(state), FloatKind::Float);
            assert_eq!(float as u32, (value as f32).to_bits(), "{value:e}");
        }
    }
}
