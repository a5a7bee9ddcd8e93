//! Format strings of `printf` and `scanf`, taken apart.
//!
//! A format string is a sequence of pieces: text that stands for itself, and directives that begin with `%`. What
//! type of argument a directive consumes follows from the directive alone, so [`Print::argument`] also answers the
//! question "which types does this constant format claim" without any run.

use ir::IntKind;

/// A part of a `printf` format string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece<'a, D> {
    Literal(&'a [u8]),
    Directive(D),
}

/// A length modifier: `hh`, `h`, none, `l`, `ll` (or `q`), `j`, `z`, `t`, `L`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    Char,
    Short,
    None,
    Long,
    LongLong,
    Max,
    Size,
    PtrDiff,
    LongDouble,
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Amount {
    Number(u32),
    /// `*`: an argument of type `int`.
    Argument,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// a space
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
}

/// A directive of `printf`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Print {
    pub flags: Flags,
    pub width: Option<Amount>,
    pub precision: Option<Amount>,
    pub length: Length,
    pub conversion: Conversion,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// `d i`
    Signed,
    /// `u o x X`
    Unsigned(Radix),
    /// `c`
    Char,
    /// `s`
    Str,
    /// `p`
    Pointer,
    /// `f e g a`, and whether in capitals.
    Float(Notation, bool),
    /// `n`
    Count,
    /// `m`: the text for `errno`.
    ErrorText,
    /// `%%`
    Percent,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Radix {
    Decimal,
    Octal,
    LowerHex,
    UpperHex,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    Fixed,
    Scientific,
    Shorter,
    Hex,
}

/// The type of the argument that a directive consumes, after the default promotions where the type is a value's, and
/// before them (what is stored through the pointer) where it is a pointer's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    Int(IntKind),
    Double,
    LongDouble,
    /// `char *`, read as a string.
    CString,
    /// `void *`.
    Pointer,
    /// A pointer to where an integer is stored.
    ToInt(IntKind),
    ToFloat,
    ToDouble,
    ToLongDouble,
    /// A pointer to characters that are written.
    ToChars,
}

/// Why a format string cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// The C library does not define what happens.
    Invalid(String),
    /// It does, but we have no model of it.
    Unsupported(String),
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Decimal digits; `None` if there are none or the number is beyond what an `int` holds.
    fn number(&mut self) -> Result<Option<u32>, FormatError> {
        let start = self.at;
        let mut value = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        if value > i32::MAX as u32 {
            return Err(FormatError::Invalid("a width or precision in the format is too large".into()));
        }
        Ok((self.at > start).then_some(value))
    }

    fn length(&mut self) -> Length {
        if self.eat(b'h') {
            if self.eat(b'h') { Length::Char } else { Length::Short }
        } else if self.eat(b'l') {
            if self.eat(b'l') { Length::LongLong } else { Length::Long }
        } else if self.eat(b'q') {
            Length::LongLong
        } else if self.eat(b'j') {
            Length::Max
        } else if self.eat(b'z') {
            Length::Size
        } else if self.eat(b't') {
            Length::PtrDiff
        } else if self.eat(b'L') {
            Length::LongDouble
        } else {
            Length::None
        }
    }

    /// The directive as written, for messages.
    fn shown(&self, start: usize) -> String {
        String::from_utf8_lossy(&self.text[start..self.at.min(self.text.len())]).into_owned()
    }
}

/// Takes a `printf` format apart.
pub fn parse_print(text: &[u8]) -> Result<Vec<Piece<'_, Print>>, FormatError> {
    let mut pieces = Vec::new();
    let mut cursor = Cursor { text, at: 0 };
    while cursor.at < text.len() {
        let start = cursor.at;
        if !cursor.eat(b'%') {
            cursor.at = text[start..].iter().position(|&b| b == b'%').map_or(text.len(), |n| start + n);
            pieces.push(Piece::Literal(&text[start..cursor.at]));
            continue;
        }
        pieces.push(Piece::Directive(print_directive(&mut cursor, start)?));
    }
    Ok(pieces)
}

fn print_directive(cursor: &mut Cursor<'_>, start: usize) -> Result<Print, FormatError> {
    let mut flags = Flags::default();
    loop {
        match cursor.peek() {
            Some(b'-') => flags.left = true,
            Some(b'+') => flags.plus = true,
            Some(b' ') => flags.space = true,
            Some(b'#') => flags.alternate = true,
            Some(b'0') => flags.zero = true,
            // Groups thousands as the locale says; the C locale has no groups.
            Some(b'\'') => {}
            _ => break,
        }
        cursor.at += 1;
    }
    let width = amount(cursor)?;
    if cursor.peek() == Some(b'$') {
        return Err(FormatError::Unsupported("numbered arguments in a format string (`%1$d`)".into()));
    }
    let precision = if cursor.eat(b'.') { Some(amount(cursor)?.unwrap_or(Amount::Number(0))) } else { None };
    let length = cursor.length();
    let letter = cursor.peek();
    cursor.at += 1;
    let conversion = match letter {
        Some(b'd' | b'i') => Conversion::Signed,
        Some(b'u') => Conversion::Unsigned(Radix::Decimal),
        Some(b'o') => Conversion::Unsigned(Radix::Octal),
        Some(b'x') => Conversion::Unsigned(Radix::LowerHex),
        Some(b'X') => Conversion::Unsigned(Radix::UpperHex),
        Some(b'c') => Conversion::Char,
        Some(b's') => Conversion::Str,
        Some(b'p') => Conversion::Pointer,
        Some(letter @ (b'f' | b'F')) => Conversion::Float(Notation::Fixed, letter == b'F'),
        Some(letter @ (b'e' | b'E')) => Conversion::Float(Notation::Scientific, letter == b'E'),
        Some(letter @ (b'g' | b'G')) => Conversion::Float(Notation::Shorter, letter == b'G'),
        Some(letter @ (b'a' | b'A')) => Conversion::Float(Notation::Hex, letter == b'A'),
        Some(b'n') => Conversion::Count,
        Some(b'm') => Conversion::ErrorText,
        Some(b'%') => Conversion::Percent,
        Some(b'C' | b'S') => return Err(FormatError::Unsupported("wide characters in `printf`".into())),
        Some(_) => return Err(FormatError::Invalid(format!("`{}` is not a conversion", cursor.shown(start)))),
        None => return Err(FormatError::Invalid(format!("the format ends inside `{}`", cursor.shown(start)))),
    };
    let directive = Print { flags, width, precision, length, conversion };
    match (conversion, length) {
        (Conversion::Char | Conversion::Str, Length::Long) => {
            Err(FormatError::Unsupported("wide characters in `printf`".into()))
        }
        (Conversion::Float(..), Length::None | Length::Long | Length::LongDouble)
        | (Conversion::Char | Conversion::Str | Conversion::Pointer, Length::None)
        | (Conversion::ErrorText | Conversion::Percent, _)
        | (Conversion::Signed | Conversion::Unsigned(_) | Conversion::Count, _) => Ok(directive),
        _ => Err(FormatError::Invalid(format!("the length modifier does not fit in `{}`", cursor.shown(start)))),
    }
}

fn amount(cursor: &mut Cursor<'_>) -> Result<Option<Amount>, FormatError> {
    if cursor.eat(b'*') { Ok(Some(Amount::Argument)) } else { Ok(cursor.number()?.map(Amount::Number)) }
}

impl Print {
    /// The type of the argument that is printed or, for `%n`, stored to; `None` if the directive takes none.
    /// The arguments of `*` come before it and are of type `int`.
    pub fn argument(&self) -> Option<Argument> {
        match self.conversion {
            Conversion::Signed => Some(Argument::Int(integer(self.length, true))),
            Conversion::Unsigned(_) => Some(Argument::Int(integer(self.length, false))),
            Conversion::Char => Some(Argument::Int(IntKind::Int)),
            Conversion::Str => Some(Argument::CString),
            Conversion::Pointer => Some(Argument::Pointer),
            Conversion::Float(..) if self.length == Length::LongDouble => Some(Argument::LongDouble),
            Conversion::Float(..) => Some(Argument::Double),
            Conversion::Count => Some(Argument::ToInt(integer(self.length, true))),
            Conversion::ErrorText | Conversion::Percent => None,
        }
    }
}

/// The integer type that a length modifier names, before promotion.
pub fn integer(length: Length, signed: bool) -> IntKind {
    let kind = match length {
        Length::Char => IntKind::SChar,
        Length::Short => IntKind::Short,
        Length::None => IntKind::Int,
        Length::Long | Length::Max | Length::Size | Length::PtrDiff => IntKind::Long,
        // glibc takes `L` before an integer conversion for `ll`.
        Length::LongLong | Length::LongDouble => IntKind::LongLong,
    };
    if signed { kind } else { kind.to_unsigned() }
}

/// A directive of `scanf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scan {
    /// `*`: read, but not stored.
    pub suppress: bool,
    pub width: Option<u32>,
    pub length: Length,
    pub conversion: ScanConversion,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScanConversion {
    /// White space in the format: any amount of it in the input.
    Space,
    /// `d u o x i`: signed or not, and the base; 0 for `i`.
    Integer {
        signed: bool,
        base: u32,
    },
    Float,
    Str,
    Chars,
    /// `[…]`: the accepted bytes.
    Set(Box<[bool; 256]>),
    Count,
    /// `%%`: skips white space, then a percent sign.
    Percent,
}

/// Takes a `scanf` format apart. Literal pieces contain no white space.
pub fn parse_scan(text: &[u8]) -> Result<Vec<Piece<'_, Scan>>, FormatError> {
    let mut pieces = Vec::new();
    let mut cursor = Cursor { text, at: 0 };
    while let Some(byte) = cursor.peek() {
        let start = cursor.at;
        if is_space(byte) {
            while cursor.peek().is_some_and(is_space) {
                cursor.at += 1;
            }
            let conversion = ScanConversion::Space;
            pieces.push(Piece::Directive(Scan { suppress: false, width: None, length: Length::None, conversion }));
        } else if byte == b'%' {
            cursor.at += 1;
            pieces.push(Piece::Directive(scan_directive(&mut cursor, start)?));
        } else {
            while cursor.peek().is_some_and(|b| b != b'%' && !is_space(b)) {
                cursor.at += 1;
            }
            pieces.push(Piece::Literal(&text[start..cursor.at]));
        }
    }
    Ok(pieces)
}

fn scan_directive(cursor: &mut Cursor<'_>, start: usize) -> Result<Scan, FormatError> {
    let suppress = cursor.eat(b'*');
    let width = cursor.number()?;
    match (width, cursor.peek()) {
        (Some(0), _) => return Err(FormatError::Invalid("a field width of zero in a `scanf` format".into())),
        (_, Some(b'$')) => {
            return Err(FormatError::Unsupported("numbered arguments in a format string (`%1$d`)".into()));
        }
        (_, Some(b'm')) => {
            return Err(FormatError::Unsupported("allocation by `scanf` (`%ms`)".into()));
        }
        _ => {}
    }
    let length = cursor.length();
    let letter = cursor.peek();
    cursor.at += 1;
    let integer = |signed, base| ScanConversion::Integer { signed, base };
    let conversion = match letter {
        Some(b'd') => integer(true, 10),
        Some(b'i') => integer(true, 0),
        Some(b'u') => integer(false, 10),
        Some(b'o') => integer(false, 8),
        Some(b'x' | b'X') => integer(false, 16),
        Some(b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G') => ScanConversion::Float,
        Some(b's') => ScanConversion::Str,
        Some(b'c') => ScanConversion::Chars,
        Some(b'[') => ScanConversion::Set(Box::new(scan_set(cursor, start)?)),
        // A pointer made of text would belong to no object.
        Some(b'p') => return Err(FormatError::Unsupported("`%p` in `scanf`".into())),
        Some(b'n') => ScanConversion::Count,
        Some(b'%') => ScanConversion::Percent,
        Some(b'C' | b'S') => return Err(FormatError::Unsupported("wide characters in `scanf`".into())),
        Some(_) => return Err(FormatError::Invalid(format!("`{}` is not a conversion", cursor.shown(start)))),
        None => return Err(FormatError::Invalid(format!("the format ends inside `{}`", cursor.shown(start)))),
    };
    use ScanConversion::*;
    match (&conversion, length) {
        (Str | Chars | Set(_), Length::Long) => Err(FormatError::Unsupported("wide characters in `scanf`".into())),
        (Str | Chars | Set(_) | Percent, Length::None)
        | (Float, Length::None | Length::Long | Length::LongDouble)
        | (Integer { .. } | Count, _) => Ok(Scan { suppress, width, length, conversion }),
        _ => Err(FormatError::Invalid(format!("the length modifier does not fit in `{}`", cursor.shown(start)))),
    }
}

/// The set after `[`, up to and with the closing `]`.
fn scan_set(cursor: &mut Cursor<'_>, start: usize) -> Result<[bool; 256], FormatError> {
    let negated = cursor.eat(b'^');
    let mut set = [false; 256];
    let mut first = true;
    loop {
        let Some(byte) = cursor.peek() else {
            return Err(FormatError::Invalid(format!("the format ends inside `{}`", cursor.shown(start))));
        };
        cursor.at += 1;
        if byte == b']' && !first {
            break;
        }
        let next = (cursor.peek(), cursor.text.get(cursor.at + 1).copied());
        // A range, unless the hyphen is the last thing in the set.
        if let (Some(b'-'), Some(end)) = next
            && end != b']'
            && byte <= end
        {
            (byte..=end).for_each(|b| set[usize::from(b)] = true);
            cursor.at += 2;
        } else {
            set[usize::from(byte)] = true;
        }
        first = false;
    }
    if negated {
        set.iter_mut().for_each(|accepted| *accepted = !*accepted);
    }
    Ok(set)
}

impl Scan {
    /// The type of the argument, a pointer, that the value is stored through; `None` if nothing is stored.
    pub fn argument(&self) -> Option<Argument> {
        if self.suppress {
            return None;
        }
        match &self.conversion {
            ScanConversion::Space | ScanConversion::Percent => None,
            ScanConversion::Integer { signed, .. } => Some(Argument::ToInt(integer(self.length, *signed))),
            ScanConversion::Count => Some(Argument::ToInt(integer(self.length, true))),
            ScanConversion::Float => Some(match self.length {
                Length::LongDouble => Argument::ToLongDouble,
                Length::Long => Argument::ToDouble,
                _ => Argument::ToFloat,
            }),
            ScanConversion::Str | ScanConversion::Chars | ScanConversion::Set(_) => Some(Argument::ToChars),
        }
    }
}

/// `isspace` in the C locale.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
