//! The input side of `scanf`.
//!
//! Follows glibc where it departs from the standard: at most one byte is ever pushed back, `0x` without digits is a
//! zero for `%x`, and a number out of range is the nearest one `strtol` can give, cut to the type.

use super::directive::{FormatError, Piece, Scan, ScanConversion, integer, is_space, parse_scan};
use super::number;
use ir::{FloatKind, IntKind};

/// Where the bytes come from and the values go.
pub trait Scanner {
    type Error;

    /// The next byte; `None` at the end of the input.
    fn next(&mut self) -> Result<Option<u8>, Self::Error>;
    /// Takes the last byte back, which was `byte`. Never called twice in a row.
    fn unread(&mut self, byte: u8);
    /// Stores through the next argument, a pointer to `kind`.
    fn store_integer(&mut self, kind: IntKind, value: i128) -> Result<(), Self::Error>;
    fn store_float(&mut self, kind: FloatKind, bits: u128) -> Result<(), Self::Error>;
    /// Stores bytes, with a zero after them if they are a string.
    fn store_chars(&mut self, bytes: &[u8], terminated: bool) -> Result<(), Self::Error>;
    /// The format string itself is at fault.
    fn bad_format(&mut self, error: FormatError) -> Self::Error;
}

/// Why a scan stopped before the end of the format.
enum Stop<E> {
    /// The input ended where something was expected.
    Input,
    /// The input does not match.
    Matching,
    Error(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Stop<E> {
        Stop::Error(error)
    }
}

/// Reads by the format. The result is that of `scanf`: the number of values stored, or -1 if the input ended before
/// the first.
pub fn scan<S: Scanner>(format: &[u8], scanner: &mut S) -> Result<i32, S::Error> {
    let pieces = parse_scan(format).map_err(|error| scanner.bad_format(error))?;
    let mut run = Run { scanner, read: 0, stored: 0 };
    for piece in pieces {
        let step = match piece {
            Piece::Literal(text) => text.iter().try_for_each(|&byte| run.literal(byte)),
            Piece::Directive(directive) => run.directive(&directive),
        };
        match step {
            Ok(()) => {}
            Err(Stop::Input) if run.stored == 0 => return Ok(-1),
            Err(Stop::Input | Stop::Matching) => break,
            Err(Stop::Error(error)) => return Err(error),
        }
    }
    Ok(run.stored)
}

struct Run<'a, S: Scanner> {
    scanner: &'a mut S,
    read: u64,
    stored: i32,
}

type Step<S> = Result<(), Stop<<S as Scanner>::Error>>;

impl<S: Scanner> Run<'_, S> {
    fn next(&mut self) -> Result<Option<u8>, Stop<S::Error>> {
        let byte = self.scanner.next()?;
        self.read += u64::from(byte.is_some());
        Ok(byte)
    }

    fn unread(&mut self, byte: Option<u8>) {
        if let Some(byte) = byte {
            self.read -= 1;
            self.scanner.unread(byte);
        }
    }

    fn literal(&mut self, expected: u8) -> Step<S> {
        match self.next()? {
            None => Err(Stop::Input),
            Some(byte) if byte == expected => Ok(()),
            other => {
                self.unread(other);
                Err(Stop::Matching)
            }
        }
    }

    fn skip_space(&mut self) -> Step<S> {
        loop {
            let byte = self.next()?;
            if !byte.is_some_and(is_space) {
                self.unread(byte);
                return Ok(());
            }
        }
    }

    fn directive(&mut self, directive: &Scan) -> Step<S> {
        use ScanConversion::*;
        if !matches!(directive.conversion, Chars | Set(_) | Count) {
            self.skip_space()?;
        }
        match &directive.conversion {
            Space => Ok(()),
            Percent => self.literal(b'%'),
            Count => {
                if !directive.suppress {
                    let read = i128::from(self.read);
                    self.scanner.store_integer(integer(directive.length, true), read)?;
                }
                Ok(())
            }
            Integer { signed, base } => {
                let value = self.integer(directive.width, *base, *signed)?;
                let kind = integer(directive.length, *signed);
                self.store(directive, |scanner| scanner.store_integer(kind, kind.wrap(value)))
            }
            Float => {
                let kind = match directive.argument() {
                    Some(super::directive::Argument::ToLongDouble) => FloatKind::Extended,
                    Some(super::directive::Argument::ToDouble) => FloatKind::Double,
                    _ => FloatKind::Float,
                };
                let text = self.float_text(directive.width)?;
                let Ok(found) = number::float(number::bytes_of(&text));
                let found = found.ok_or(Stop::Matching)?;
                self.store(directive, |scanner| scanner.store_float(kind, found.bits(kind).0))
            }
            Chars => {
                let width = directive.width.unwrap_or(1) as usize;
                let bytes = self.run_of(width, |_| true)?;
                self.store(directive, |scanner| scanner.store_chars(&bytes, false))
            }
            Str => {
                let width = directive.width.map_or(usize::MAX, |w| w as usize);
                let bytes = self.run_of(width, |byte| !is_space(byte))?;
                self.store(directive, |scanner| scanner.store_chars(&bytes, true))
            }
            Set(set) => {
                let width = directive.width.map_or(usize::MAX, |w| w as usize);
                let bytes = self.run_of(width, |byte| set[usize::from(byte)])?;
                self.store(directive, |scanner| scanner.store_chars(&bytes, true))
            }
        }
    }

    fn store(&mut self, directive: &Scan, put: impl FnOnce(&mut S) -> Result<(), S::Error>) -> Step<S> {
        if !directive.suppress {
            put(self.scanner)?;
            self.stored += 1;
        }
        Ok(())
    }

    /// The longest run of at most `width` accepted bytes, at least one.
    fn run_of(&mut self, width: usize, accept: impl Fn(u8) -> bool) -> Result<Vec<u8>, Stop<S::Error>> {
        let mut bytes = Vec::new();
        while bytes.len() < width {
            match self.next()? {
                None if bytes.is_empty() => return Err(Stop::Input),
                None => break,
                Some(byte) if accept(byte) => bytes.push(byte),
                other => {
                    self.unread(other);
                    break;
                }
            }
        }
        if bytes.is_empty() { Err(Stop::Matching) } else { Ok(bytes) }
    }

    fn integer(&mut self, width: Option<u32>, base: u32, signed: bool) -> Result<i128, Stop<S::Error>> {
        let mut left = width.unwrap_or(u32::MAX);
        let mut text = Vec::new();
        let mut base = base;
        let mut byte = self.next()?;
        if byte.is_none() {
            return Err(Stop::Input);
        }
        if let Some(sign @ (b'-' | b'+')) = byte {
            text.push(sign);
            left -= 1;
            byte = self.next()?;
        }
        if left != 0 && byte == Some(b'0') {
            left -= 1;
            text.push(b'0');
            byte = self.next()?;
            if left != 0 && matches!(byte, Some(b'x' | b'X')) && (base == 0 || base == 16) {
                base = 16;
                left -= 1;
                byte = self.next()?;
            } else if base == 0 {
                base = 8;
            }
        }
        if base == 0 {
            base = 10;
        }
        while let Some(digit) = byte
            && left != 0
            && (digit as char).is_digit(base)
        {
            text.push(digit);
            left -= 1;
            byte = self.next()?;
        }
        self.unread(byte);
        let Ok(found) = number::integer(number::bytes_of(&text), base, false);
        if found.length == 0 {
            return Err(Stop::Matching);
        }
        Ok(if signed { i128::from(found.signed(64).0) } else { i128::from(found.unsigned().0) })
    }

    /// The bytes that could begin a floating number. What follows a false start ("1e+x") is not given back, because
    /// a stream promises to take only one byte back.
    fn float_text(&mut self, width: Option<u32>) -> Result<Vec<u8>, Stop<S::Error>> {
        let mut left = width.unwrap_or(u32::MAX);
        let mut text = Vec::new();
        let mut byte = self.next()?.ok_or(Stop::Input)?;
        left -= 1;
        if byte == b'-' || byte == b'+' {
            text.push(byte);
            byte = self.expect(&mut left)?;
        }
        let signed = text.len();
        match byte.to_ascii_lowercase() {
            b'n' => {
                text.push(byte);
                self.word(b"an", &mut left, &mut text)?;
                return Ok(text);
            }
            b'i' => {
                text.push(byte);
                self.word(b"nf", &mut left, &mut text)?;
                if left != 0
                    && let Some(next) = self.next()?
                {
                    left -= 1;
                    if next.eq_ignore_ascii_case(&b'i') {
                        text.push(next);
                        self.word(b"nity", &mut left, &mut text)?;
                    } else {
                        self.unread(Some(next));
                    }
                }
                return Ok(text);
            }
            _ => {}
        }
        let mut current = Some(byte);
        let (mut hex, mut digit, mut point, mut mark) = (false, false, false, false);
        if left != 0 && byte == b'0' {
            text.push(byte);
            current = self.next()?;
            left -= 1;
            if left != 0
                && let Some(letter @ (b'x' | b'X')) = current
            {
                text.push(letter);
                hex = true;
                current = self.next()?;
                left -= 1;
            } else {
                digit = true;
            }
        }
        let exponent_mark = if hex { b'p' } else { b'e' };
        while let Some(byte) = current {
            if byte.is_ascii_digit() || (!mark && hex && byte.is_ascii_hexdigit()) {
                digit = true;
            } else if mark && text.last() == Some(&exponent_mark) && matches!(byte, b'-' | b'+') {
                // The sign of the exponent.
            } else if digit && !mark && byte.to_ascii_lowercase() == exponent_mark {
                mark = true;
                point = true;
            } else if !point && byte == b'.' {
                point = true;
            } else {
                self.unread(Some(byte));
                break;
            }
            text.push(if mark { byte.to_ascii_lowercase() } else { byte });
            if left == 0 {
                break;
            }
            current = self.next()?;
            left -= u32::from(current.is_some());
        }
        if text.len() == signed || (hex && text.len() == signed + 2) {
            return Err(Stop::Matching);
        }
        Ok(text)
    }

    /// The next byte, which must be there: the input has begun to match.
    fn expect(&mut self, left: &mut u32) -> Result<u8, Stop<S::Error>> {
        if *left == 0 {
            return Err(Stop::Matching);
        }
        *left -= 1;
        self.next()?.ok_or(Stop::Matching)
    }

    fn word(&mut self, rest: &[u8], left: &mut u32, text: &mut Vec<u8>) -> Step<S> {
        for &expected in rest {
            let byte = self.expect(left)?;
            if byte.to_ascii_lowercase() != expected {
                return Err(Stop::Matching);
            }
            text.push(byte);
        }
        Ok(())
    }
}
