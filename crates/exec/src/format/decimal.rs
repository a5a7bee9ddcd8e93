//! The exact decimal expansion of a binary floating value, and its rounding to a number of digits.
//!
//! Every finite binary value has a finite decimal expansion: `m * 2^-k` is `m * 5^k / 10^k`. All of its digits are
//! computed once and rounded as digits, so any precision is right, ties included.

use dashu_int::UBig;

/// `0.d1 d2 d3 … * 10^point`, with `d1` not zero; no digits at all for zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    pub digits: Vec<u8>,
    pub point: i32,
}

impl Decimal {
    pub const ZERO: Decimal = Decimal { digits: Vec::new(), point: 0 };

    /// The value `mantissa * 2^exponent`.
    pub fn exact(mantissa: u64, exponent: i32) -> Decimal {
        if mantissa == 0 {
            return Decimal::ZERO;
        }
        // Fewer fives to multiply by, for the many values that are short in binary.
        let spare = mantissa.trailing_zeros().min((-exponent).max(0) as u32);
        let (mantissa, exponent) = (mantissa >> spare, exponent + spare as i32);
        let scaled = if exponent >= 0 {
            UBig::from(mantissa) << exponent as usize
        } else {
            UBig::from(5u8).pow((-exponent) as usize) * mantissa
        };
        let mut digits: Vec<u8> = scaled.to_string().bytes().map(|digit| digit - b'0').collect();
        let point = digits.len() as i32 + exponent.min(0);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Decimal { digits, point }
    }

    /// Keeps the first `count` digits, rounding to nearest, ties to even. A negative `count` keeps nothing.
    fn rounded(&self, count: i64) -> Decimal {
        if count >= self.digits.len() as i64 {
            return self.clone();
        }
        if count < 0 {
            return Decimal::ZERO;
        }
        let count = count as usize;
        let mut digits = self.digits[..count].to_vec();
        let rest = &self.digits[count..];
        let odd = digits.last().is_some_and(|d| d % 2 == 1);
        let up = rest[0] > 5 || (rest[0] == 5 && (rest.len() > 1 || odd));
        let mut point = self.point;
        if up {
            while digits.last() == Some(&9) {
                digits.pop();
            }
            match digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    digits.push(1);
                    point += 1;
                }
            }
        } else {
            while digits.last() == Some(&0) {
                digits.pop();
            }
        }
        if digits.is_empty() { Decimal::ZERO } else { Decimal { digits, point } }
    }

    fn digit(&self, place: i64) -> u8 {
        usize::try_from(place).ok().and_then(|place| self.digits.get(place)).copied().unwrap_or(0) + b'0'
    }

    /// The digits before the point and `places` digits after it, in ASCII.
    pub fn fixed(&self, places: usize) -> (Vec<u8>, Vec<u8>) {
        let rounded = self.rounded(i64::from(self.point) + places as i64);
        let point = i64::from(rounded.point);
        let mut whole: Vec<u8> = (0..point.max(0)).map(|place| rounded.digit(place)).collect();
        if whole.is_empty() {
            whole.push(b'0');
        }
        let fraction = (0..places as i64).map(|place| rounded.digit(point + place)).collect();
        (whole, fraction)
    }

    /// One digit before the point, `places` after it, and the power of ten to scale by.
    pub fn scientific(&self, places: usize) -> (u8, Vec<u8>, i32) {
        let rounded = self.rounded(places as i64 + 1);
        let fraction = (1..=places as i64).map(|place| rounded.digit(place)).collect();
        let exponent = if rounded.digits.is_empty() { 0 } else { rounded.point - 1 };
        (rounded.digit(0), fraction, exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(mantissa: u64, exponent: i32, places: usize) -> String {
        let (whole, fraction) = Decimal::exact(mantissa, exponent).fixed(places);
        format!("{}.{}", String::from_utf8(whole).unwrap(), String::from_utf8(fraction).unwrap())
    }

    #[test]
    fn ties_go_to_even() {
        assert_eq!(fixed(1, -1, 0), "0.");
        assert_eq!(fixed(3, -1, 0), "2.");
        assert_eq!(fixed(5, -1, 0), "2.");
        assert_eq!(fixed(1, -3, 2), "0.12");
        assert_eq!(fixed(3, -3, 2), "0.38");
        assert_eq!(fixed(199, -1, 0), "100.");
    }

    #[test]
    fn all_digits_are_there() {
        assert_eq!(fixed(1, -4, 8), "0.06250000");
        assert_eq!(fixed(1, 10, 1), "1024.0");
        assert_eq!(Decimal::exact(1, -1074).digits.len(), 751);
        assert_eq!(Decimal::exact(1, -1074).scientific(3), (b'4', b"941".to_vec(), -324));
        assert_eq!(Decimal::ZERO.scientific(2), (b'0', b"00".to_vec(), 0));
    }
}
