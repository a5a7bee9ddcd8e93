//! Decimal numbers, exactly and fast.

/// What a field of a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    /// The mantissa, and how many of its digits stand behind the point; no zero among them at the end.
    Number(i64, u8),
    /// `nan`, `inf`.
    NotFinite,
    /// A number of more digits than fit.
    TooWide,
    /// Something else.
    NotANumber,
}

/// More decimals than this have no denominator in 64 bits.
pub(super) const MOST_DECIMALS: u8 = 18;

/// Reads a whole number that ends at `end` or with the line, blanks around it allowed, and moves behind the `end`.
/// `None`, with `at` unmoved, if it is anything else.
#[inline]
pub(super) fn whole(line: &[u8], at: &mut usize, end: u8) -> Option<i64> {
    let mut i = *at;
    while line.get(i) == Some(&b' ') {
        i += 1;
    }
    let value = digits(line, &mut i)?;
    while line.get(i) == Some(&b' ') {
        i += 1;
    }
    match line.get(i) {
        None => {}
        Some(&byte) if byte == end => i += 1,
        Some(_) => return None,
    }
    *at = i;
    Some(value)
}

/// Reads a sign and up to eighteen digits, and moves behind them. `None` if there are none or more, which take the
/// careful way: eighteen cannot overflow.
#[inline]
pub(super) fn digits(line: &[u8], at: &mut usize) -> Option<i64> {
    let negative = line.get(*at) == Some(&b'-');
    let first = *at + usize::from(negative);
    let mut i = first;
    let mut value = 0u64;
    while let Some(&byte) = line.get(i) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        i += 1;
    }
    if i == first || i - first > 18 {
        return None;
    }
    *at = i;
    let value = value as i64;
    Some(if negative { -value } else { value })
}

/// Reads a decimal of up to eighteen digits, `-12.50`; `None` if it is anything else.
fn decimal(text: &[u8]) -> Option<Field> {
    let (negative, rest) = text.strip_prefix(b"-").map_or((false, text), |rest| (true, rest));
    let point = rest.iter().position(|byte| *byte == b'.')?;
    if rest.len() > 19 || point == 0 || point + 1 == rest.len() {
        return None;
    }
    let mut value = 0i64;
    for byte in rest[..point].iter().chain(&rest[point + 1..]) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    let mut places = (rest.len() - point - 1) as u8;
    while places > 0 && value % 10 == 0 {
        value /= 10;
        places -= 1;
    }
    Some(Field::Number(if negative { -value } else { value }, places))
}

/// Reads any field, without blanks around it.
pub(super) fn field(text: &[u8]) -> Field {
    decimal(text).unwrap_or_else(|| any_field(text))
}

fn any_field(text: &[u8]) -> Field {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let lower = digits.to_ascii_lowercase();
    if matches!(lower.as_slice(), b"nan" | b"inf" | b"infinity" | b"1.#inf" | b"1.#qnan") {
        return Field::NotFinite;
    }
    let (mantissa, exponent) = match lower.iter().position(|b| *b == b'e') {
        Some(at) => {
            let exponent = std::str::from_utf8(&lower[at + 1..]).ok().and_then(|text| text.parse::<i64>().ok());
            match exponent {
                Some(exponent) => (&lower[..at], exponent),
                None => return Field::NotANumber,
            }
        }
        None => (&lower[..], 0),
    };
    let point = mantissa.iter().position(|b| *b == b'.');
    let (before, after) = match point {
        Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
        None => (mantissa, &[][..]),
    };
    if before.is_empty() && after.is_empty() || !before.iter().chain(after).all(u8::is_ascii_digit) {
        return Field::NotANumber;
    }
    let all: Vec<u8> = before.iter().chain(after).copied().collect();
    let first = all.iter().position(|b| *b != b'0').unwrap_or(all.len());
    let last = all.iter().rposition(|b| *b != b'0').map_or(first, |at| at + 1);
    if first >= last {
        return Field::Number(0, 0);
    }
    // The value is the digits times ten to this power.
    let power = exponent - after.len() as i64 + (all.len() - last) as i64;
    let mut value = 0i128;
    for digit in &all[first..last] {
        value = value * 10 + i128::from(digit - b'0');
        if value > 1 << 64 {
            return Field::TooWide;
        }
    }
    let mut decimals = 0;
    if power >= 0 {
        for _ in 0..power.min(20) {
            value = value.saturating_mul(10);
        }
    } else if -power > MOST_DECIMALS.into() {
        return Field::TooWide;
    } else {
        decimals = -power as u8;
    }
    let value = if negative { -value } else { value };
    i64::try_from(value).map_or(Field::TooWide, |value| Field::Number(value, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_of_every_kind() {
        for (text, expected) in [
            ("0", Field::Number(0, 0)),
            ("-0.0", Field::Number(0, 0)),
            ("+12", Field::Number(12, 0)),
            ("1.50", Field::Number(15, 1)),
            (".5", Field::Number(5, 1)),
            ("7.", Field::Number(7, 0)),
            ("1.25e1", Field::Number(125, 1)),
            ("2E3", Field::Number(2000, 0)),
            ("120e-1", Field::Number(12, 0)),
            ("-9223372036854775808", Field::Number(i64::MIN, 0)),
            ("9223372036854775808", Field::TooWide),
            ("1e400", Field::TooWide),
            ("1e-19", Field::TooWide),
            ("1e999999999999999999999", Field::NotANumber),
            ("NaN", Field::NotFinite),
            ("-inf", Field::NotFinite),
            ("", Field::NotANumber),
            (".", Field::NotANumber),
            ("-", Field::NotANumber),
            ("1e", Field::NotANumber),
            ("0x10", Field::NotANumber),
            ("1 2", Field::NotANumber),
        ] {
            assert_eq!(field(text.as_bytes()), expected, "{text}");
        }
    }

    proptest! {
        /// The fast way and the careful way read the same number.
        #[test]
        fn whole_numbers_agree(value: i64, shift in 0u32..64) {
            let value = value >> shift;
            let text = format!(" {value} ; 7");
            prop_assert_eq!(field(value.to_string().as_bytes()), Field::Number(value, 0));
            let mut at = 0;
            match whole(text.as_bytes(), &mut at, b';') {
                Some(found) => {
                    prop_assert_eq!(found, value);
                    prop_assert_eq!(whole(text.as_bytes(), &mut at, b';'), Some(7));
                }
                None => prop_assert!(value.unsigned_abs() >= 10u64.pow(18)),
            }
        }

        #[test]
        fn decimals_agree(text in "-?[0-9]{1,12}\\.[0-9]{0,12}") {
            let quick = decimal(text.as_bytes());
            prop_assert!(quick.is_none_or(|field| field == any_field(text.as_bytes())), "{text}");
            prop_assert!(quick.is_some() || text.ends_with('.') || text.len() > 19, "{text}");
        }
    }
}
