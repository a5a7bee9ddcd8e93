//! The constant that a number's spelling stands for.

use lang_c::ast::{
    Constant, Float, FloatBase, FloatFormat, FloatSuffix, Integer, IntegerBase, IntegerSize, IntegerSuffix,
    TS18661FloatFormat, TS18661FloatType,
};

/// `None` where the spelling is no number of C.
pub fn number(text: &str) -> Option<Constant> {
    let bytes = text.as_bytes();
    let prefix = bytes.get(1).map_or(0, |byte| byte | 0x20);
    match (bytes[0], prefix) {
        (b'0', b'x') => {
            let digits = &text[2..];
            let end = run(digits, u8::is_ascii_hexdigit);
            match digits.as_bytes().get(end).map(|byte| byte | 0x20) {
                Some(b'.' | b'p') => float(digits, FloatBase::Hexadecimal),
                _ => integer(IntegerBase::Hexadecimal, &digits[..end], &digits[end..]),
            }
        }
        (b'0', b'b') => {
            let digits = &text[2..];
            let end = run(digits, |byte| matches!(byte, b'0' | b'1'));
            integer(IntegerBase::Binary, &digits[..end], &digits[end..])
        }
        _ => {
            let end = run(text, u8::is_ascii_digit);
            match bytes.get(end) {
                Some(b'.' | b'e' | b'E') => float(text, FloatBase::Decimal),
                _ if end == 1 || bytes[0] != b'0' => integer(IntegerBase::Decimal, &text[..end], &text[end..]),
                _ if bytes[..end].iter().any(|&byte| byte > b'7') => None,
                _ => integer(IntegerBase::Octal, &text[1..end], &text[end..]),
            }
        }
    }
}

/// How many bytes at the beginning are of a kind.
fn run(text: &str, is: impl Fn(&u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is(byte)).count()
}

fn integer(base: IntegerBase, digits: &str, suffix: &str) -> Option<Constant> {
    if digits.is_empty() {
        return None;
    }
    Some(Constant::Integer(Integer { base, number: digits.into(), suffix: integer_suffix(suffix)? }))
}

fn integer_suffix(text: &str) -> Option<IntegerSuffix> {
    let mut suffix = IntegerSuffix { size: IntegerSize::Int, unsigned: false, imaginary: false };
    let mut rest = text;
    while let Some(&first) = rest.as_bytes().first() {
        let mut length = 1;
        match first {
            b'l' | b'L' if suffix.size == IntegerSize::Int => {
                let twice = rest.as_bytes().get(1) == Some(&first);
                (suffix.size, length) = if twice { (IntegerSize::LongLong, 2) } else { (IntegerSize::Long, 1) };
            }
            b'u' | b'U' if !suffix.unsigned => suffix.unsigned = true,
            b'i' | b'I' | b'j' | b'J' if !suffix.imaginary => suffix.imaginary = true,
            _ => return None,
        }
        rest = &rest[length..];
    }
    Some(suffix)
}

/// `digits . digits exponent suffix`, any of which may be missing where C allows it.
fn float(text: &str, base: FloatBase) -> Option<Constant> {
    let is_hexadecimal = base == FloatBase::Hexadecimal;
    let is_digit = |byte: &u8| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let whole = run(text, is_digit);
    let mut end = whole;
    let mut digits = whole;
    if text.as_bytes().get(end) == Some(&b'.') {
        let fraction = run(&text[end + 1..], is_digit);
        digits += fraction;
        end += 1 + fraction;
    }
    if digits == 0 {
        return None;
    }
    let mark = if is_hexadecimal { b'p' } else { b'e' };
    let exponent = match text.as_bytes().get(end).map(|byte| byte | 0x20) {
        Some(byte) if byte == mark => {
            let sign = usize::from(matches!(text.as_bytes().get(end + 1), Some(b'+' | b'-')));
            let digits = run(&text[end + 1 + sign..], u8::is_ascii_digit);
            if digits == 0 {
                return None;
            }
            1 + sign + digits
        }
        // The exponent of a hexadecimal number is never left out.
        _ if is_hexadecimal => return None,
        _ => 0,
    };
    end += exponent;
    Some(Constant::Float(Float { base, number: text[..end].into(), suffix: float_suffix(&text[end..])? }))
}

fn float_suffix(text: &str) -> Option<FloatSuffix> {
    let is_imaginary = |byte: Option<char>| matches!(byte, Some('i' | 'I' | 'j' | 'J'));
    let (format, imaginary) = match text {
        _ if is_imaginary(text.chars().next()) => (&text[1..], true),
        _ if is_imaginary(text.chars().last()) => (&text[..text.len() - 1], true),
        _ => (text, false),
    };
    let ts = |format, width| FloatFormat::TS18661Format(TS18661FloatType { format, width });
    use TS18661FloatFormat::{BinaryExtended, BinaryInterchange, DecimalExtended, DecimalInterchange};
    let format = match format {
        "" => FloatFormat::Double,
        "f" | "F" => FloatFormat::Float,
        "l" | "L" => FloatFormat::LongDouble,
        "q" | "Q" => ts(BinaryInterchange, 128),
        "df" | "DF" => ts(DecimalInterchange, 32),
        "dd" | "DD" => ts(DecimalInterchange, 64),
        "dl" | "DL" => ts(DecimalInterchange, 128),
        _ => {
            let width = format.get(1..)?;
            let (width, is_extended) = width.strip_suffix('x').map_or((width, false), |width| (width, true));
            let width = width.parse().ok().filter(|width| matches!(width, 16 | 32 | 64 | 128))?;
            match (format.as_bytes()[0], is_extended) {
                (b'f' | b'F', false) => ts(BinaryInterchange, width),
                (b'f' | b'F', true) => ts(BinaryExtended, width),
                (b'd' | b'D', false) => ts(DecimalInterchange, width),
                (b'd' | b'D', true) => ts(DecimalExtended, width),
                _ => return None,
            }
        }
    };
    Some(FloatSuffix { format, imaginary })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["0x", "08", "1.2.3", "1f", "1lul", "0x1.8", "1e", "1e+", "12ab", "0b2", "1.5lf", "1uu"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
