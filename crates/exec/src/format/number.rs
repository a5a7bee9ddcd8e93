//! Numbers read from text: the subject sequences of `strtol` and `strtod`, and their values.
//!
//! The text is asked for byte by byte, and never further than the number goes, because a program may keep a number
//! at the very end of an array that has no terminator. A caller whose text does end gives zero bytes past its end.

use super::binary::{self, Fit};
use super::directive::is_space;
use dashu_int::UBig;
use ir::FloatKind;

/// An integer as `strtol` finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerText {
    /// Bytes up to the end of the number, white space before it included; 0 if there is none.
    pub length: usize,
    pub negative: bool,
    /// `None` if it is larger than any 64-bit integer.
    pub magnitude: Option<u64>,
}

impl IntegerText {
    /// The value as `strtol` gives it for a type of `bits` bits, and whether it is in range.
    pub fn signed(&self, bits: u32) -> (i64, bool) {
        let max = (1i128 << (bits - 1)) - 1;
        let value = self.magnitude.map(|m| if self.negative { -i128::from(m) } else { i128::from(m) });
        match value {
            Some(value) if -max - 1 <= value && value <= max => (value as i64, true),
            _ => ((if self.negative { -max - 1 } else { max }) as i64, false),
        }
    }

    /// As `strtoul`: a minus sign negates the value in the unsigned type.
    pub fn unsigned(&self) -> (u64, bool) {
        match self.magnitude {
            Some(m) => (if self.negative { m.wrapping_neg() } else { m }, true),
            None => (u64::MAX, false),
        }
    }
}

fn digit_value(byte: u8) -> u32 {
    match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'a'..=b'z' => u32::from(byte - b'a') + 10,
        b'A'..=b'Z' => u32::from(byte - b'A') + 10,
        _ => u32::MAX,
    }
}

/// White space and a sign: where they end, and whether the sign is a minus.
fn skip_sign<E>(at: &mut impl FnMut(usize) -> Result<u8, E>) -> Result<(usize, bool), E> {
    let mut i = 0;
    while is_space(at(i)?) {
        i += 1;
    }
    let sign = at(i)?;
    Ok((i + usize::from(sign == b'-' || sign == b'+'), sign == b'-'))
}

/// Reads an integer in the base, 2 to 36, or 0 for the base its prefix says. `binary` admits C23's `0b`.
pub fn integer<E>(mut at: impl FnMut(usize) -> Result<u8, E>, base: u32, binary: bool) -> Result<IntegerText, E> {
    let (mut i, negative) = skip_sign(&mut at)?;
    let mut base = base;
    if at(i)? == b'0' && matches!(base, 0 | 2 | 16) {
        let letter = at(i + 1)?.to_ascii_lowercase();
        if letter == b'x' && base != 2 && digit_value(at(i + 2)?) < 16 {
            base = 16;
            i += 2;
        } else if letter == b'b' && base != 16 && binary && digit_value(at(i + 2)?) < 2 {
            base = 2;
            i += 2;
        } else if base == 0 {
            base = 8;
        }
    }
    if base == 0 {
        base = 10;
    }
    let start = i;
    let mut magnitude = Some(0u64);
    loop {
        let digit = digit_value(at(i)?);
        if digit >= base {
            break;
        }
        let scaled = magnitude.and_then(|m| m.checked_mul(u64::from(base)));
        magnitude = scaled.and_then(|m| m.checked_add(u64::from(digit)));
        i += 1;
    }
    Ok(IntegerText { length: if i == start { 0 } else { i }, negative, magnitude })
}

/// A floating number as `strtod` finds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatText {
    /// Bytes up to the end of the number, white space before it included.
    pub length: usize,
    pub negative: bool,
    pub value: FloatValue,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatValue {
    Infinity,
    /// A payload in parentheses is read and forgotten.
    Nan,
    /// The digits as an integer, times `10^exponent`.
    Decimal {
        digits: Vec<u8>,
        exponent: i64,
    },
    /// The hexadecimal digits as an integer, times `2^exponent`.
    Hex {
        digits: Vec<u8>,
        exponent: i64,
    },
}

/// Digits beyond this many cannot change how a value rounds, except that one of them is not zero: the midpoint
/// between two `long double`s has fewer than 11,600 digits.
const ENOUGH_DIGITS: usize = 12_000;

/// Reads a floating number; `None` if there is none.
pub fn float<E>(mut at: impl FnMut(usize) -> Result<u8, E>) -> Result<Option<FloatText>, E> {
    let (start, negative) = skip_sign(&mut at)?;
    let mut word = |from: usize, text: &[u8]| -> Result<bool, E> {
        for (k, &expected) in text.iter().enumerate() {
            if at(from + k)?.to_ascii_lowercase() != expected {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if word(start, b"inf")? {
        let length = start + if word(start + 3, b"inity")? { 8 } else { 3 };
        return Ok(Some(FloatText { length, negative, value: FloatValue::Infinity }));
    }
    if word(start, b"nan")? {
        let mut length = start + 3;
        if at(length)? == b'(' {
            let mut end = length + 1;
            while matches!(at(end)?, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_') {
                end += 1;
            }
            if at(end)? == b')' {
                length = end + 1;
            }
        }
        return Ok(Some(FloatText { length, negative, value: FloatValue::Nan }));
    }
    let hex = word(start, b"0x")? && {
        let after = at(start + 2)?;
        digit_value(after) < 16 || (after == b'.' && digit_value(at(start + 3)?) < 16)
    };
    let (radix, per_digit, mark) = if hex { (16, 4, b'p') } else { (10, 1, b'e') };
    let mut i = start + if hex { 2 } else { 0 };
    let mut digits = Vec::new();
    let mut exponent = 0i64;
    let (mut any, mut point) = (false, false);
    loop {
        let byte = at(i)?;
        if byte == b'.' && !point {
            point = true;
        } else if digit_value(byte) < radix {
            any = true;
            let digit = digit_value(byte) as u8;
            if digits.len() < ENOUGH_DIGITS {
                if digit != 0 || !digits.is_empty() {
                    digits.push(digit);
                }
                exponent -= if point { per_digit } else { 0 };
            } else {
                exponent += if point { 0 } else { per_digit };
                if digit != 0 {
                    let last = digits.len() - 1;
                    // Any digit that is not zero keeps the value off the midpoint it might seem to be.
                    digits[last] = digits[last].max(1);
                }
            }
        } else {
            break;
        }
        i += 1;
    }
    if !any {
        return Ok(None);
    }
    if at(i)?.to_ascii_lowercase() == mark {
        let sign = at(i + 1)?;
        let from = i + 1 + usize::from(sign == b'-' || sign == b'+');
        let mut end = from;
        let mut written = 0i64;
        while at(end)?.is_ascii_digit() {
            written = (written * 10 + i64::from(at(end)? - b'0')).min(1 << 40);
            end += 1;
        }
        if end > from {
            exponent += if sign == b'-' { -written } else { written };
            i = end;
        }
    }
    let value = if hex { FloatValue::Hex { digits, exponent } } else { FloatValue::Decimal { digits, exponent } };
    Ok(Some(FloatText { length: i, negative, value }))
}

impl FloatText {
    /// The value in a format, rounded once.
    pub fn bits(&self, kind: FloatKind) -> (u128, Fit) {
        let negative = self.negative;
        let (digits, radix, exponent, per_digit) = match &self.value {
            FloatValue::Infinity => return (binary::infinity(kind, negative), Fit::Exact),
            FloatValue::Nan => return (binary::nan(kind, negative), Fit::Exact),
            FloatValue::Decimal { digits, exponent } => (digits, 10, *exponent, 1),
            FloatValue::Hex { digits, exponent } => (digits, 16, *exponent, 4),
        };
        if digits.is_empty() {
            return (binary::zero(kind, negative), Fit::Exact);
        }
        // Far outside the range of every format the value need not, and could not, be computed.
        let magnitude = digits.len() as i64 * per_digit + exponent;
        if magnitude > 20_000 {
            return (binary::infinity(kind, negative), Fit::Overflow);
        }
        if magnitude < -20_000 {
            return (binary::zero(kind, negative), Fit::Underflow);
        }
        let text: String = digits.iter().map(|&digit| char::from_digit(digit.into(), radix).unwrap_or('0')).collect();
        let whole = UBig::from_str_radix(&text, radix).expect("digits should be below the radix they were read in");
        let power = exponent.unsigned_abs() as usize;
        let scale = if radix == 10 { UBig::from(10u8).pow(power) } else { UBig::ONE << power };
        if exponent >= 0 {
            binary::round_ratio(kind, negative, &(whole * scale), &UBig::ONE)
        } else {
            binary::round_ratio(kind, negative, &whole, &scale)
        }
    }
}

/// Gives the bytes of a text, and zeros past its end.
pub fn bytes_of(text: &[u8]) -> impl FnMut(usize) -> Result<u8, std::convert::Infallible> {
    |i| Ok(text.get(i).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize) {
        let Ok(found) = float(bytes_of(text.as_bytes()));
        found.map_or((0.0, 0), |f| (f64::from_bits(f.bits(FloatKind::Double).0 as u64), f.length))
    }

    #[test]
    fn decimals_agree_with_the_standard_library() {
        let mut state = 7u64;
        for round in 0..20_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits(state);
            if !value.is_finite() {
                continue;
            }
            // Shortest, exact to 17 digits, and cut short: the last is rarely a value's own text.
            for text in [format!("{value:e}"), format!("{value:.16e}"), format!("{value:.9e}")] {
                assert_eq!(double(&text).0, text.parse::<f64>().unwrap(), "{text} in round {round}");
                let Ok(Some(found)) = float(bytes_of(text.as_bytes())) else { panic!("{text} is a number") };
                let float = f32::from_bits(found.bits(FloatKind::Float).0 as u32);
                assert_eq!(float, text.parse::<f32>().unwrap(), "{text} as a float");
            }
        }
    }

    #[test]
    fn where_numbers_end() {
        for (text, value, length) in [
            ("1.5e3x", 1500.0, 5),
            ("  -2", -2.0, 4),
            ("1e", 1.0, 1),
            ("1e+", 1.0, 1),
            (".5.", 0.5, 2),
            (".", 0.0, 0),
            ("0x1p4", 16.0, 5),
            ("0x.8", 0.5, 4),
            ("0xg", 0.0, 1),
            ("0x.", 0.0, 1),
            ("infinite", f64::INFINITY, 3),
            ("-INFINITY", f64::NEG_INFINITY, 9),
            ("1e999999999999", f64::INFINITY, 14),
            ("1e-999999999999", 0.0, 15),
            ("0e999999999999", 0.0, 14),
        ] {
            assert_eq!(double(text), (value, length), "{text}");
        }
        assert_eq!(double("nan(12_a)z").1, 9);
        assert_eq!(double("nan(12-a)z").1, 3);
    }

    #[test]
    fn integers() {
        let read = |text: &str, base| {
            let Ok(found) = integer(bytes_of(text.as_bytes()), base, false);
            found
        };
        assert_eq!(read("  -42abc", 10).signed(64), (-42, true));
        assert_eq!(read("  -42abc", 10).length, 5);
        assert_eq!(read("0x1F", 0).signed(64), (31, true));
        assert_eq!(read("0x", 0).length, 1);
        assert_eq!(read("0xg", 16).length, 1);
        assert_eq!(read("077", 0).signed(64).0, 63);
        assert_eq!(read("zz", 36).signed(64).0, 1295);
        assert_eq!(read("9223372036854775808", 10).signed(64), (i64::MAX, false));
        assert_eq!(read("-9223372036854775808", 10).signed(64), (i64::MIN, true));
        assert_eq!(read("-9999999999999999999999", 10).signed(64), (i64::MIN, false));
        assert_eq!(read("-1", 10).unsigned(), (u64::MAX, true));
        assert_eq!(read("99999999999999999999", 10).unsigned(), (u64::MAX, false));
        assert_eq!(read("+", 10).length, 0);
    }
}
