//! What a `printf` conversion writes.

use super::binary::{self, Magnitude, Unpacked};
use super::decimal::Decimal;
use super::directive::{Amount, Argument, Conversion, FormatError, Length, Notation, Piece, Print, Radix, parse_print};
use ir::{FloatKind, IntKind};

/// The arguments after the format, in order. The implementor checks that each has the type asked for.
pub trait Arguments {
    type Error;

    /// An integer of this type, as its default promotion passes it. The signedness may differ; the value is the one
    /// the type asked for gives the bits.
    fn integer(&mut self, kind: IntKind) -> Result<i128, Self::Error>;
    fn double(&mut self) -> Result<f64, Self::Error>;
    /// The 80 bits of a `long double`.
    fn long_double(&mut self) -> Result<u128, Self::Error>;
    /// The address a pointer holds.
    fn pointer(&mut self) -> Result<u64, Self::Error>;
    /// The bytes of a string up to its terminator, at most `limit` of them; `None` for a null pointer.
    fn string(&mut self, limit: Option<usize>) -> Result<Option<Vec<u8>>, Self::Error>;
    /// `%n`: stores the number of bytes written so far through the next argument, a pointer to `kind`.
    fn store_count(&mut self, kind: IntKind, count: u64) -> Result<(), Self::Error>;
    /// The text for the present value of `errno`.
    fn error_text(&mut self) -> Vec<u8>;
    /// The format string itself is at fault.
    fn bad_format(&mut self, error: FormatError) -> Self::Error;
}

/// Appends what `printf` writes for this format and these arguments.
pub fn print<A: Arguments>(format: &[u8], arguments: &mut A, out: &mut Vec<u8>) -> Result<(), A::Error> {
    let pieces = parse_print(format).map_err(|error| arguments.bad_format(error))?;
    let start = out.len();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.extend_from_slice(text),
            Piece::Directive(directive) => print_directive(&directive, start, arguments, out)?,
        }
    }
    Ok(())
}

/// Appends what `printf` writes for one directive.
pub fn print_one<A: Arguments>(directive: &Print, arguments: &mut A, out: &mut Vec<u8>) -> Result<(), A::Error> {
    let start = out.len();
    print_directive(directive, start, arguments, out)
}

/// A directive with the values of its `*` filled in.
struct Field {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

fn print_directive<A: Arguments>(
    directive: &Print,
    start: usize,
    arguments: &mut A,
    out: &mut Vec<u8>,
) -> Result<(), A::Error> {
    let flags = directive.flags;
    let mut left = flags.left;
    let width = match directive.width {
        None => 0,
        Some(Amount::Number(n)) => n as usize,
        Some(Amount::Argument) => {
            let width = arguments.integer(IntKind::Int)?;
            left |= width < 0;
            width.unsigned_abs() as usize
        }
    };
    let precision = match directive.precision {
        None => None,
        Some(Amount::Number(n)) => Some(n as usize),
        Some(Amount::Argument) => usize::try_from(arguments.integer(IntKind::Int)?).ok(),
    };
    // A field of gigabytes would exhaust our memory, not the program's.
    if width.max(precision.unwrap_or(0)) > 1 << 26 {
        return Err(arguments.bad_format(FormatError::Unsupported("a field of more than 64 MiB in `printf`".into())));
    }
    let field = Field {
        left,
        zero: flags.zero,
        plus: flags.plus,
        space: flags.space,
        alternate: flags.alternate,
        width,
        precision,
    };
    match directive.conversion {
        Conversion::Signed => {
            let value = arguments.integer(kind_of(directive))?;
            field.put_integer(value.unsigned_abs(), Radix::Decimal, field.sign(value < 0), out);
        }
        Conversion::Unsigned(radix) => {
            let value = arguments.integer(kind_of(directive))?;
            field.put_integer(value.unsigned_abs(), radix, b"", out);
        }
        Conversion::Char => {
            let value = arguments.integer(IntKind::Int)?;
            field.put_text(&[value as u8], out);
        }
        Conversion::Str => match arguments.string(precision)? {
            Some(text) => field.put_text(&text, out),
            // glibc prints the word only if all of it fits the precision.
            None if precision.is_none_or(|p| p >= 6) => field.put_text(b"(null)", out),
            None => field.put_text(b"", out),
        },
        Conversion::Pointer => match arguments.pointer()? {
            0 => field.put_text(b"(nil)", out),
            address => {
                let field = Field { alternate: true, ..field };
                field.put_integer(u128::from(address), Radix::LowerHex, field.sign(false), out);
            }
        },
        Conversion::Float(notation, upper) => {
            let (kind, bits) = if directive.length == Length::LongDouble {
                (FloatKind::Extended, arguments.long_double()?)
            } else {
                (FloatKind::Double, u128::from(arguments.double()?.to_bits()))
            };
            field.put_float(kind, bits, notation, upper, out);
        }
        Conversion::Count => {
            let written = (out.len() - start) as u64;
            arguments.store_count(kind_of(directive), written)?;
        }
        Conversion::ErrorText => {
            let text = arguments.error_text();
            let shown = precision.map_or(text.len(), |p| p.min(text.len()));
            field.put_text(&text[..shown], out);
        }
        Conversion::Percent => out.push(b'%'),
    }
    Ok(())
}

fn kind_of(directive: &Print) -> IntKind {
    match directive.argument() {
        Some(Argument::Int(kind) | Argument::ToInt(kind)) => kind,
        other => panic!("an integer conversion should take an integer, because it prints one, but takes {other:?}"),
    }
}

impl Field {
    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        }
    }

    fn put_text(&self, text: &[u8], out: &mut Vec<u8>) {
        self.put(b"", text, false, out);
    }

    /// A sign or radix prefix and a body, padded to the width: after, before, or with zeros in between.
    fn put(&self, prefix: &[u8], body: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let padding = self.width.saturating_sub(prefix.len() + body.len());
        let filled = |n: usize, byte: u8| std::iter::repeat_n(byte, n);
        if self.left {
            out.extend_from_slice(prefix);
            out.extend_from_slice(body);
            out.extend(filled(padding, b' '));
        } else if zeros {
            out.extend_from_slice(prefix);
            out.extend(filled(padding, b'0'));
            out.extend_from_slice(body);
        } else {
            out.extend(filled(padding, b' '));
            out.extend_from_slice(prefix);
            out.extend_from_slice(body);
        }
    }

    fn put_integer(&self, value: u128, radix: Radix, sign: &[u8], out: &mut Vec<u8>) {
        let mut digits = match radix {
            Radix::Decimal => value.to_string(),
            Radix::Octal => format!("{value:o}"),
            Radix::LowerHex => format!("{value:x}"),
            Radix::UpperHex => format!("{value:X}"),
        };
        if value == 0 && self.precision == Some(0) {
            digits.clear();
        }
        if let Some(missing) = self.precision.and_then(|p| p.checked_sub(digits.len())) {
            digits.insert_str(0, &"0".repeat(missing));
        }
        if self.alternate && radix == Radix::Octal && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let prefix: &[u8] = match radix {
            Radix::LowerHex if self.alternate && value != 0 => b"0x",
            Radix::UpperHex if self.alternate && value != 0 => b"0X",
            _ => b"",
        };
        self.put(&[sign, prefix].concat(), digits.as_bytes(), self.zero && self.precision.is_none(), out);
    }

    fn put_float(&self, kind: FloatKind, bits: u128, notation: Notation, upper: bool, out: &mut Vec<u8>) {
        let Unpacked { negative, magnitude } = binary::unpack(kind, bits);
        let sign = self.sign(negative);
        let decimal = match magnitude {
            Magnitude::Infinite | Magnitude::Nan => {
                let lower: &[u8] = if magnitude == Magnitude::Nan { b"nan" } else { b"inf" };
                let text = if upper { lower.to_ascii_uppercase() } else { lower.to_vec() };
                return self.put(sign, &text, false, out);
            }
            _ if notation == Notation::Hex => {
                let (prefix, mut body) = self.hex(kind, magnitude);
                let mut prefix = [sign, prefix].concat();
                if upper {
                    prefix.make_ascii_uppercase();
                    body.make_ascii_uppercase();
                }
                return self.put(&prefix, &body, self.zero, out);
            }
            Magnitude::Zero => Decimal::ZERO,
            Magnitude::Finite { mantissa, exponent } => Decimal::exact(mantissa, exponent),
        };
        let body = match notation {
            Notation::Fixed => self.fixed(&decimal, self.precision.unwrap_or(6), false),
            Notation::Scientific => self.scientific(&decimal, self.precision.unwrap_or(6), upper, false),
            _ => {
                let significant = self.precision.unwrap_or(6).max(1);
                let (_, _, exponent) = decimal.scientific(significant - 1);
                let strip = !self.alternate;
                if exponent >= -4 && i64::from(exponent) < significant as i64 {
                    self.fixed(&decimal, (significant as i64 - 1 - i64::from(exponent)) as usize, strip)
                } else {
                    self.scientific(&decimal, significant - 1, upper, strip)
                }
            }
        };
        self.put(sign, &body, self.zero, out);
    }

    fn fixed(&self, decimal: &Decimal, places: usize, strip: bool) -> Vec<u8> {
        let (whole, fraction) = decimal.fixed(places);
        self.joined(whole, fraction, strip)
    }

    fn joined(&self, mut whole: Vec<u8>, mut fraction: Vec<u8>, strip: bool) -> Vec<u8> {
        while strip && fraction.last() == Some(&b'0') {
            fraction.pop();
        }
        if !fraction.is_empty() || self.alternate {
            whole.push(b'.');
        }
        whole.append(&mut fraction);
        whole
    }

    fn scientific(&self, decimal: &Decimal, places: usize, upper: bool, strip: bool) -> Vec<u8> {
        let (digit, fraction, exponent) = decimal.scientific(places);
        let mut body = self.joined(vec![digit], fraction, strip);
        body.push(if upper { b'E' } else { b'e' });
        body.push(if exponent < 0 { b'-' } else { b'+' });
        body.extend(format!("{:02}", exponent.unsigned_abs()).bytes());
        body
    }

    /// `%a`: one hexadecimal digit before the point. That digit is 1 for a normal `double` and 0 for a subnormal
    /// one; of a `long double` it is the first four bits of the mantissa. That is how glibc does it.
    fn hex(&self, kind: FloatKind, magnitude: Magnitude) -> (&'static [u8], Vec<u8>) {
        let (mantissa, exponent) = match magnitude {
            Magnitude::Finite { mantissa, exponent } => (mantissa, exponent),
            _ => (0, 0),
        };
        let fraction_bits = if kind == FloatKind::Extended { 60 } else { 52 };
        let mut leading = mantissa >> fraction_bits;
        let mut fraction = mantissa & ((1 << fraction_bits) - 1);
        let mut scale = if mantissa == 0 { 0 } else { exponent + fraction_bits };
        let mut places = fraction_bits as usize / 4;
        match self.precision {
            Some(precision) if precision < places => {
                let drop = 4 * (places - precision) as u32;
                let below = fraction & ((1u64 << drop) - 1);
                let half = 1u64 << (drop - 1);
                fraction >>= drop;
                let odd = if precision == 0 { leading & 1 } else { fraction & 1 };
                if below > half || (below == half && odd == 1) {
                    fraction += 1;
                    if fraction >> (4 * precision) != 0 {
                        fraction = 0;
                        leading += 1;
                        if leading == 16 {
                            leading = 1;
                            scale += 4;
                        }
                    }
                }
                places = precision;
            }
            _ => {}
        }
        let mut digits = if places == 0 { Vec::new() } else { format!("{fraction:0places$x}").into_bytes() };
        match self.precision {
            Some(precision) => digits.resize(precision.max(places), b'0'),
            None => {
                while digits.last() == Some(&b'0') {
                    digits.pop();
                }
            }
        }
        let mut body = self.joined(format!("{leading:x}").into_bytes(), digits, false);
        body.extend(format!("p{scale:+}").bytes());
        (b"0x", body)
    }
}
