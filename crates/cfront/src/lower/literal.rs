//! Literals: integers with C's typing rules, floating values rounded once, characters and strings.

use super::lvalue::{Operand, Place};
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{DataModel, Type, TypeId};
use ir::{Expr, ExprKind, FloatKind, GlobalId, GlobalKind, InitItem, InitValue, Initializer, IntKind, Linkage, Lvalue};
use lang_c::ast::*;
use lang_c::span::Node;
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};

/// The type of the elements of a string or of a character constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Plain,
    Wide,
    Char16,
    Char32,
}

impl Encoding {
    pub fn element(self, data: &DataModel) -> IntKind {
        match self {
            Encoding::Plain => data.char_kind(),
            Encoding::Wide => data.wchar,
            Encoding::Char16 => IntKind::UShort,
            Encoding::Char32 => IntKind::UInt,
        }
    }
}

/// The value of a literal's text between the quotes.
pub struct Text {
    pub encoding: Encoding,
    /// The type of the elements.
    pub element: IntKind,
    /// Code units, without a terminator.
    pub units: Vec<u32>,
}

impl Text {
    /// The bytes in memory.
    pub fn bytes(&self) -> Vec<u8> {
        match self.element.bytes() {
            1 => self.units.iter().map(|&u| u as u8).collect(),
            2 => self.units.iter().flat_map(|&u| (u as u16).to_le_bytes()).collect(),
            _ => self.units.iter().flat_map(|&u| u.to_le_bytes()).collect(),
        }
    }
}

/// Splits `L"ab"` into its encoding and the bytes between the quotes.
fn unquote(literal: &[u8]) -> Option<(Encoding, bool, &[u8])> {
    let start = literal.iter().position(|&b| b == b'"' || b == b'\'')?;
    let (encoding, utf8) = match &literal[..start] {
        b"" => (Encoding::Plain, false),
        b"u8" => (Encoding::Plain, true),
        b"L" => (Encoding::Wide, false),
        b"u" => (Encoding::Char16, false),
        b"U" => (Encoding::Char32, false),
        _ => return None,
    };
    let end = literal.len().checked_sub(1).filter(|&end| end > start)?;
    Some((encoding, utf8, &literal[start + 1..end]))
}

/// Decodes escapes into code units.
fn decode(body: &[u8], encoding: Encoding, element: IntKind, units: &mut Vec<u32>) -> Result<(), String> {
    let mut i = 0;
    while i < body.len() {
        let byte = body[i];
        i += 1;
        if byte != b'\\' {
            if byte >= 0x80 && encoding != Encoding::Plain {
                // Wide literals hold characters, not bytes: decode one from the source's UTF-8.
                let rest = &body[i - 1..];
                let length = (1..=4.min(rest.len())).find(|&n| std::str::from_utf8(&rest[..n]).is_ok());
                let Some(length) = length else { return Err("the literal is not valid UTF-8".into()) };
                let text = std::str::from_utf8(&rest[..length]).unwrap_or_default();
                for c in text.chars() {
                    push_character(c as u32, element, units);
                }
                i += length - 1;
            } else {
                units.push(byte as u32);
            }
            continue;
        }
        let Some(&escape) = body.get(i) else { return Err("the literal ends in a backslash".into()) };
        i += 1;
        let simple = match escape {
            b'n' => Some(10),
            b't' => Some(9),
            b'r' => Some(13),
            b'a' => Some(7),
            b'b' => Some(8),
            b'f' => Some(12),
            b'v' => Some(11),
            b'e' | b'E' => Some(27),
            b'\\' | b'\'' | b'"' | b'?' => Some(escape as u32),
            _ => None,
        };
        if let Some(value) = simple {
            units.push(value);
            continue;
        }
        let (radix, most, start) = match escape {
            b'0'..=b'7' => (8, 3, i - 1),
            b'x' => (16, usize::MAX, i),
            b'u' => (16, 4, i),
            b'U' => (16, 8, i),
            other => {
                units.push(other as u32);
                continue;
            }
        };
        let digits = body[start..].iter().take(most).take_while(|b| (**b as char).is_digit(radix)).count();
        if digits == 0 {
            return Err("an escape sequence without digits".into());
        }
        let value = body[start..start + digits]
            .iter()
            .fold(0u32, |n, b| n.wrapping_mul(radix).wrapping_add((*b as char).to_digit(radix).unwrap_or(0)));
        i = start + digits;
        match escape {
            b'u' | b'U' => match (encoding, char::from_u32(value)) {
                (Encoding::Plain, Some(c)) => {
                    let mut buffer = [0; 4];
                    units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
                }
                (_, Some(_)) => push_character(value, element, units),
                (_, None) => return Err("the escape sequence names no character".into()),
            },
            _ => units.push(match element.bytes() {
                1 => value & 0xff,
                2 => value & 0xffff,
                _ => value,
            }),
        }
    }
    Ok(())
}

fn push_character(code: u32, element: IntKind, units: &mut Vec<u32>) {
    if element.bytes() == 2 && code > 0xffff {
        let code = code - 0x10000;
        units.extend([0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff)]);
    } else {
        units.push(code);
    }
}

/// Finds the pieces of a run of adjacent string literals in the source text.
fn literal_pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        while i < bytes.len() && bytes[i] != b'"' {
            i += 1;
        }
        if i >= bytes.len() {
            break;
        }
        let prefix = bytes[start..i].iter().rposition(|b| !b.is_ascii_alphanumeric()).map_or(start, |p| start + p + 1);
        i += 1;
        while i < bytes.len() && bytes[i] != b'"' {
            i += if bytes[i] == b'\\' { 2 } else { 1 };
        }
        i = (i + 1).min(bytes.len());
        pieces.push(&bytes[prefix..i]);
    }
    pieces
}

impl<'u> Lowerer<'u, '_> {
    pub(super) fn constant(&mut self, node: &Node<Constant>) -> Lowered<Expr> {
        let span = self.src.span(node.span);
        match &node.node {
            Constant::Integer(integer) => {
                let value = self.integer(integer, span)?;
                Ok(if integer.suffix.imaginary { self.imaginary(value) } else { value })
            }
            Constant::Float(float) => {
                let value = self.float(float, span)?;
                Ok(if float.suffix.imaginary { self.imaginary(value) } else { value })
            }
            Constant::Character(text) => {
                let original = &self.src.bytes[node.span.start.min(self.src.bytes.len())..];
                let original = original.get(..node.span.end - node.span.start).unwrap_or(text.as_bytes());
                let original = if original.len() == text.len() { original } else { text.as_bytes() };
                self.character(original, span)
            }
        }
    }

    fn integer(&mut self, integer: &Integer, span: Span) -> Lowered<Expr> {
        use IntKind::*;
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let Ok(value) = u128::from_str_radix(&integer.number, radix) else {
            return self.fail(span, "the integer is too large for any type");
        };
        let decimal = integer.base == IntegerBase::Decimal;
        let candidates: &[IntKind] = match (integer.suffix.size, integer.suffix.unsigned, decimal) {
            (IntegerSize::Int, false, true) => &[Int, Long, LongLong, Int128],
            (IntegerSize::Int, false, false) => &[Int, UInt, Long, ULong],
            (IntegerSize::Int, true, _) => &[UInt, ULong],
            (IntegerSize::Long, false, true) => &[Long, LongLong, Int128],
            (IntegerSize::Long, false, false) => &[Long, ULong],
            (IntegerSize::Long, true, _) => &[ULong],
            (IntegerSize::LongLong, false, true) => &[LongLong, Int128],
            (IntegerSize::LongLong, false, false) => &[LongLong, ULongLong],
            (IntegerSize::LongLong, true, _) => &[ULongLong],
        };
        match candidates.iter().find(|kind| value <= IntKind::max(**kind) as u128) {
            Some(&kind) => Ok(Expr::int(value as i128, self.program.types.int(kind), span)),
            None => self.fail(span, "the integer is too large for its type"),
        }
    }

    fn float(&mut self, float: &Float, span: Span) -> Lowered<Expr> {
        let kind = match &float.suffix.format {
            FloatFormat::Double if self.program.data.single_constants => FloatKind::Float,
            FloatFormat::Float => FloatKind::Float,
            FloatFormat::Double => FloatKind::Double,
            FloatFormat::LongDouble => FloatKind::Extended,
            FloatFormat::TS18661Format(format) => match (&format.format, format.width) {
                (TS18661FloatFormat::BinaryInterchange, 32) => FloatKind::Float,
                (TS18661FloatFormat::BinaryInterchange, 64) => FloatKind::Double,
                (TS18661FloatFormat::BinaryExtended, 32) => FloatKind::Double,
                (TS18661FloatFormat::BinaryExtended, 64) => FloatKind::Extended,
                _ => return self.unsupported("_Float128 and decimal floating types"),
            },
        };
        let ty = self.float_type(kind);
        self.check_supported(ty)?;
        let mut text = match float.base {
            FloatBase::Decimal => float.number.to_string(),
            FloatBase::Hexadecimal => format!("0x{}", float.number),
        };
        if float.base == FloatBase::Hexadecimal && !text.contains(['p', 'P']) {
            text.push_str("p0");
        }
        let value = match kind {
            FloatKind::Float => {
                text.parse::<Single>().ok().map(|x| ExprKind::Float(f32::from_bits(x.to_bits() as u32) as f64))
            }
            FloatKind::Double => {
                text.parse::<Double>().ok().map(|x| ExprKind::Float(f64::from_bits(x.to_bits() as u64)))
            }
            FloatKind::Extended => text.parse::<X87DoubleExtended>().ok().map(|x| ExprKind::Extended(x.to_bits())),
        };
        match value {
            Some(kind) => Ok(Expr::new(kind, ty, span)),
            None => self.fail(span, format!("`{text}` is not a floating constant")),
        }
    }

    fn character(&mut self, literal: &[u8], span: Span) -> Lowered<Expr> {
        let Some((encoding, _, body)) = unquote(literal) else {
            return self.fail(span, "this is not a character constant");
        };
        let mut units = Vec::new();
        let kind = encoding.element(&self.program.data);
        if let Err(message) = decode(body, encoding, kind, &mut units) {
            return self.fail(span, message);
        }
        if units.is_empty() {
            return self.fail(span, "an empty character constant");
        }
        if encoding != Encoding::Plain {
            let value = kind.wrap(*units.last().unwrap_or(&0) as i128);
            return Ok(Expr::int(value, self.program.types.int(kind), span));
        }
        // One character has the value of a `char`; several are packed into an `int`, the last four counting.
        let value = match units.as_slice() {
            [one] => kind.wrap(*one as i128),
            many => many.iter().fold(0i128, |n, &unit| IntKind::Int.wrap((n << 8) | (unit & 0xff) as i128)),
        };
        Ok(Expr::int(value, self.program.types.int(IntKind::Int), span))
    }

    /// The contents of a string literal.
    pub(super) fn string_text(&mut self, node: &Node<StringLiteral>) -> Lowered<Text> {
        let span = self.src.span(node.span);
        let original = self.src.bytes.get(node.span.start..node.span.end).unwrap_or(b"");
        let mut pieces = literal_pieces(original);
        if pieces.len() != node.node.len() {
            pieces = node.node.iter().map(|piece| piece.as_bytes()).collect();
        }
        let mut encoding = Encoding::Plain;
        let mut bodies = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let Some((own, _, body)) = unquote(piece) else { return self.fail(span, "this is not a string literal") };
            if own != Encoding::Plain {
                encoding = own;
            }
            bodies.push(body);
        }
        let mut units = Vec::new();
        let element = encoding.element(&self.program.data);
        for body in bodies {
            if let Err(message) = decode(body, encoding, element, &mut units) {
                return self.fail(span, message);
            }
        }
        Ok(Text { encoding, element, units })
    }

    /// The array object behind a string literal.
    pub(super) fn string_operand(&mut self, node: &Node<StringLiteral>) -> Lowered<Operand> {
        let span = self.src.span(node.span);
        let text = self.string_text(node)?;
        let global = self.string_global(&text, span);
        Ok(Operand::Place(self.constant_place(global, span)))
    }

    /// The name of the function, as `__func__` gives it.
    pub(super) fn function_name_operand(&mut self, span: Span) -> Operand {
        let global = match self.frame.name_object {
            Some(global) => global,
            None => {
                let units = self.frame.name.bytes().map(u32::from).collect();
                let text = Text { encoding: Encoding::Plain, element: self.program.data.char_kind(), units };
                self.string_global(&text, span)
            }
        };
        self.frame.name_object = Some(global);
        Operand::Place(self.constant_place(global, span))
    }

    fn constant_place(&mut self, global: GlobalId, span: Span) -> Place {
        let ty = self.program.globals[global].ty;
        // In C a string literal is an array of plain `char`, though it must not be written.
        Place::new(Lvalue::global(global, ty, span))
    }

    /// The object of the literal at this place of the text. C leaves open whether two literals share their bytes, so that
    /// every one has an object, and those who compare pointers know what it is.
    fn string_global(&mut self, text: &Text, span: Span) -> GlobalId {
        let element = self.program.types.int(text.element);
        let ty = self.types().array(element, text.units.len() as u64 + 1);
        let bytes = text.bytes();
        if let Some(global) = self.link.literals.get(&span) {
            return *global;
        }
        let init = Initializer {
            items: if bytes.is_empty() {
                Vec::new()
            } else {
                vec![InitItem { offset: 0, bits: None, value: InitValue::Bytes(bytes) }]
            },
        };
        let name = format!(".str.{}", self.program.globals.len());
        let global = self.program.globals.push(ir::Global {
            name,
            ty,
            kind: GlobalKind::StringLiteral,
            linkage: Linkage::Internal { unit: self.src.index },
            is_const: true,
            is_volatile: false,
            init: Some(init),
            span,
        });
        if span != Span::NONE {
            self.link.literals.insert(span, global);
        }
        global
    }

    /// Whether an array type may be initialised by a string of this encoding.
    pub(super) fn takes_string(&self, ty: TypeId, encoding: Encoding) -> bool {
        let Type::Array { of, .. } = self.program.types.get(ty) else { return false };
        let Some(kind) = self.program.types.int_kind(*of) else { return false };
        match encoding {
            Encoding::Plain => kind.bytes() == 1 && kind != IntKind::Bool,
            other => kind.bytes() == other.element(&self.program.data).bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(body: &str, encoding: Encoding) -> Vec<u32> {
        let mut units = Vec::new();
        decode(body.as_bytes(), encoding, encoding.element(&DataModel::default()), &mut units).unwrap();
        units
    }

    #[test]
    fn escapes() {
        assert_eq!(units(r"a\n\0\x41\101\\", Encoding::Plain), [97, 10, 0, 0x41, 0x41, 92]);
        assert_eq!(units(r"\1234", Encoding::Plain), [0o123, b'4' as u32]);
        assert_eq!(units("é", Encoding::Plain), [0xc3, 0xa9]);
        assert_eq!(units("é", Encoding::Wide), [0xe9]);
        assert_eq!(units(r"\u00e9", Encoding::Plain), [0xc3, 0xa9]);
        assert_eq!(units("\u{1f600}", Encoding::Char16), [0xd83d, 0xde00]);
    }

    #[test]
    fn adjacent_literals_are_found_in_the_text() {
        let text = b"\"a\\\"b\"  L\"c\" u8\"\"";
        let pieces: Vec<&[u8]> = vec![b"\"a\\\"b\"", b"L\"c\"", b"u8\"\""];
        assert_eq!(literal_pieces(text), pieces);
    }
}
