//! Text made and taken apart: `sprintf`, `snprintf` and `sscanf`.
//!
//! The text of values is that of [`exec::format`]. A value that is open is printed in two steps: the paths part by its
//! sign and its number of digits, which settle where everything stands, and the digits themselves are terms.

use super::super::arithmetic;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Float, Integer, Pointer, Value};
use super::strings::{byte, is_byte};
use super::{Entry, Request};
use diagnostics::Rule;
use exec::format::directive::{Amount, Conversion, FormatError, Piece, Print, Radix, parse_print};
use exec::format::print::{self, Arguments};
use exec::format::scan::{self, Scanner};
use exec::memory::Fault;
use exec::vm;
use ir::{BinaryOp, FloatKind, IntKind};

pub const MODELS: &[Entry] = &[
    ("sprintf", |step, request| write(step, request, None, 1)),
    ("__sprintf_chk", |step, request| write(step, request, None, 3)),
    ("snprintf", |step, request| {
        let size = request.known(step, 1)? as u64;
        write(step, request, Some(size), 2)
    }),
    ("__snprintf_chk", |step, request| {
        let size = request.known(step, 1)? as u64;
        write(step, request, Some(size), 4)
    }),
    ("sscanf", read),
    ("__isoc99_sscanf", read),
    ("__isoc23_sscanf", read),
];

/// Writes the text of the arguments behind the format, as much of it as there is room for, and gives its length.
fn write(step: &mut Step<'_, '_>, request: &Request, size: Option<u64>, format: usize) -> Eval<Option<Value>> {
    let to = request.pointer(step, 0)?;
    let pattern = request.known_text(step, format)?;
    let pieces = parse_print(&pattern).map_err(|error| bad_format(step, error))?;
    let mut given = Given { step, request, next: format + 1, amounts: 0, digits: None, open: Vec::new(), to };
    let mut text = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(bytes) => text.extend(bytes.iter().map(known_byte)),
            Piece::Directive(directive) => text.extend(given.field(&directive)?),
        }
    }
    let length = text.len() as u64;
    let room = size.map_or(length, |size| length.min(size.saturating_sub(1)));
    if size != Some(0) {
        let place = step.follow(&to)?;
        let at = step.fixed(&place, room + 1, true)?;
        text.truncate(room as usize);
        text.push(known_byte(&0));
        for (at, byte) in (at..).zip(text) {
            step.store_at(place.object, at, 1, Value::Int(byte));
        }
    }
    Ok(Some(Value::int(IntKind::Int, length.into())))
}

fn known_byte(byte: &u8) -> Integer {
    Integer::Concrete(IntKind::UChar, (*byte).into())
}

fn bad_format(step: &Step<'_, '_>, error: FormatError) -> Halt {
    match error {
        FormatError::Invalid(message) => Halt::Fault(Fault::new(Rule::BadArgument, message)),
        FormatError::Unsupported(what) => step.unsupported(&what),
    }
}

/// The arguments behind a format. Of an open value the engine gets one that takes as much room; what stands in the place
/// of its last bytes is kept aside.
struct Given<'a, 's, 'p> {
    step: &'a mut Step<'s, 'p>,
    request: &'a Request,
    next: usize,
    /// How many of the next arguments are widths and precisions.
    amounts: usize,
    /// The base of the number that comes then, and the letter of its digit ten.
    digits: Option<(u32, u8)>,
    open: Vec<Integer>,
    /// Where the text goes. It must not be read from there.
    to: Pointer,
}

impl Given<'_, '_, '_> {
    /// The text of one conversion.
    fn field(&mut self, directive: &Print) -> Eval<Vec<Integer>> {
        if directive.conversion == Conversion::ErrorText {
            return Err(self.step.unsupported("the text of `errno`"));
        }
        let is_argument = |amount: Option<Amount>| usize::from(matches!(amount, Some(Amount::Argument)));
        self.amounts = is_argument(directive.width) + is_argument(directive.precision);
        self.digits = match directive.conversion {
            Conversion::Signed | Conversion::Unsigned(Radix::Decimal) => Some((10, b'a')),
            Conversion::Unsigned(Radix::Octal) => Some((8, b'a')),
            Conversion::Unsigned(Radix::LowerHex) => Some((16, b'a')),
            Conversion::Unsigned(Radix::UpperHex) => Some((16, b'A')),
            _ => None,
        };
        let mut text = Vec::new();
        print::print_directive(directive, 0, self, &mut text)?;
        let open = std::mem::take(&mut self.open);
        // What stands for open bytes is never a blank, so that blanks behind it fill the field.
        let filling = if open.is_empty() { 0 } else { text.iter().rev().take_while(|byte| **byte == b' ').count() };
        let end = text.len() - filling;
        let mut text: Vec<Integer> = text.iter().map(known_byte).collect();
        text.splice(end - open.len()..end, open);
        Ok(text)
    }

    fn argument(&mut self) -> Eval<Value> {
        self.next += 1;
        let argument = self.request.args.get(self.next - 1).cloned();
        argument.ok_or_else(|| Halt::Fault(Fault::new(Rule::BadArgument, "an argument of the format is missing")))
    }

    /// A number with as many digits as an open one, whose own digits are kept aside.
    fn stand_in(&mut self, value: &Integer, base: u32, ten: u8) -> Eval<i128> {
        let pool = self.step.engine.pool.clone();
        let constant = |value: i128| Integer::Concrete(IntKind::ULong, value);
        let negative = arithmetic::compare(&pool, BinaryOp::Lt, value, &Integer::Concrete(value.kind(), 0));
        let is_negative = self.step.decide(negative)?;
        let mut rest = arithmetic::convert(&pool, value, IntKind::ULong);
        if is_negative {
            rest = arithmetic::negate(&pool, &rest)?.0;
        }
        let zero = arithmetic::compare(&pool, BinaryOp::Eq, &rest, &constant(0));
        if self.step.decide(zero)? {
            return Ok(0);
        }
        let base = i128::from(base);
        let (mut count, mut power) = (1, base);
        while power <= i128::from(u64::MAX) {
            let fits = arithmetic::compare(&pool, BinaryOp::Lt, &rest, &constant(power));
            if self.step.decide(fits)? {
                break;
            }
            (count, power) = (count + 1, power * base);
        }
        let mut digits = Vec::new();
        for _ in 0..count {
            let digit = arithmetic::binary(&pool, BinaryOp::Rem, &rest, &constant(base))?.0;
            rest = arithmetic::binary(&pool, BinaryOp::Div, &rest, &constant(base))?.0;
            let letter = |first: i128| arithmetic::binary(&pool, BinaryOp::Add, &digit, &constant(first));
            let mut shown = Value::Int(letter(b'0'.into())?.0);
            if base > 10 {
                let is_small = arithmetic::compare(&pool, BinaryOp::Lt, &digit, &constant(10)).term(&pool);
                let other = Value::Int(letter(i128::from(ten) - 10)?.0);
                shown = super::super::evaluate::select(&pool, is_small, &shown, &other)
                    .ok_or_else(|| self.step.unsupported("a digit"))?;
            }
            let Value::Int(shown) = shown else { return Err(self.step.unsupported("a digit")) };
            digits.push(arithmetic::convert(&pool, &shown, IntKind::UChar));
        }
        digits.reverse();
        self.open = digits;
        let shown = power / base;
        Ok(if is_negative { -shown } else { shown })
    }
}

impl Arguments for Given<'_, '_, '_> {
    type Error = Halt;

    fn integer(&mut self, kind: IntKind) -> Eval<i128> {
        let Value::Int(value) = self.argument()? else {
            return Err(self.step.unsupported("an argument of another type than the format asks for"));
        };
        if value.kind().bytes() != kind.bytes().max(4) {
            return Err(self.step.unsupported("an argument of another type than the format asks for"));
        }
        let value = arithmetic::convert(&self.step.engine.pool, &value, kind);
        if self.amounts > 0 {
            self.amounts -= 1;
            return self.step.known_int(&value);
        }
        match (value.known(), self.digits) {
            (Some(value), _) => Ok(value),
            (None, Some((base, ten))) => self.stand_in(&value, base, ten),
            (None, None) => {
                self.open = vec![arithmetic::convert(&self.step.engine.pool, &value, IntKind::UChar)];
                Ok(b'c'.into())
            }
        }
    }

    fn double(&mut self) -> Eval<f64> {
        match self.argument()? {
            Value::Float(Float::Concrete(FloatKind::Double, value)) => Ok(value.as_double()),
            _ => Err(self.step.unsupported("the text of a floating value that depends on inputs")),
        }
    }

    fn long_double(&mut self) -> Eval<u128> {
        Err(self.step.unsupported("the text of a `long double`"))
    }

    fn pointer(&mut self) -> Eval<u64> {
        Err(self.step.unsupported("the text of an address"))
    }

    fn string(&mut self, limit: Option<usize>) -> Eval<Option<Vec<u8>>> {
        let value = self.argument()?;
        let pointer = self.step.as_pointer(value)?;
        if self.step.decide(pointer.is_null())? {
            return Err(Halt::Fault(Fault::new(Rule::BadArgument, "`%s` is given a null pointer")));
        }
        if pointer.target == self.to.target {
            return Err(self.step.unsupported("text printed into the object that it is read from"));
        }
        let mut text = Vec::new();
        while limit.is_none_or(|limit| text.len() < limit) && !is_byte(self.step, &pointer, text.len() as u64, 0)? {
            text.push(byte(self.step, &pointer, text.len() as u64)?);
        }
        self.open = text;
        Ok(Some(vec![b's'; self.open.len()]))
    }

    fn store_count(&mut self, _: IntKind, _: u64) -> Eval<()> {
        Err(self.step.unsupported("`%n`"))
    }

    fn error_text(&mut self) -> Vec<u8> {
        unreachable!("`%m` was refused before")
    }

    fn bad_format(&mut self, error: FormatError) -> Halt {
        bad_format(self.step, error)
    }
}

/// `sscanf` of a known text.
fn read(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    let text = request.known_text(step, 0)?;
    let format = request.known_text(step, 1)?;
    let mut scanned = Scanned { step, text: &text, at: 0, stores: Vec::new() };
    let count = scan::scan(&format, &mut scanned)?;
    let stores = scanned.stores;
    // All places are settled before anything is written.
    let mut places = Vec::new();
    for (k, store) in stores.iter().enumerate() {
        let pointer = request.pointer(step, 2 + k)?;
        let place = step.follow(&pointer)?;
        places.push((place.object, step.fixed(&place, store.len(), true)?));
    }
    for ((object, at), store) in places.into_iter().zip(stores) {
        match store {
            Store::Scalar(value, size) => step.store_at(object, at, size, value),
            Store::Bytes(bytes) => {
                for (at, byte) in (at..).zip(&bytes) {
                    step.store_at(object, at, 1, Value::Int(known_byte(byte)));
                }
            }
        }
    }
    Ok(Some(Value::int(IntKind::Int, count.into())))
}

enum Store {
    Scalar(Value, u64),
    Bytes(Vec<u8>),
}

impl Store {
    fn len(&self) -> u64 {
        match self {
            Store::Scalar(_, size) => *size,
            Store::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

struct Scanned<'a, 's, 'p> {
    step: &'a Step<'s, 'p>,
    text: &'a [u8],
    at: usize,
    stores: Vec<Store>,
}

impl Scanner for Scanned<'_, '_, '_> {
    type Error = Halt;

    fn next(&mut self) -> Eval<Option<u8>> {
        let byte = self.text.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        Ok(byte)
    }

    fn unread(&mut self, _: u8) {
        self.at -= 1;
    }

    fn store_integer(&mut self, kind: IntKind, value: i128) -> Eval<()> {
        self.stores.push(Store::Scalar(Value::int(kind, kind.wrap(value)), kind.bytes()));
        Ok(())
    }

    fn store_float(&mut self, kind: FloatKind, bits: u128) -> Eval<()> {
        let value = match kind {
            FloatKind::Float => vm::Value::float(f32::from_bits(bits as u32)),
            FloatKind::Double => vm::Value::double(f64::from_bits(bits as u64)),
            _ => return Err(self.step.unsupported("a `long double` read from text")),
        };
        self.stores.push(Store::Scalar(Value::Float(Float::Concrete(kind, value)), kind.bytes()));
        Ok(())
    }

    fn store_chars(&mut self, bytes: &[u8], terminated: bool) -> Eval<()> {
        let end: &[u8] = if terminated { &[0] } else { &[] };
        self.stores.push(Store::Bytes([bytes, end].concat()));
        Ok(())
    }

    fn bad_format(&mut self, error: FormatError) -> Halt {
        bad_format(self.step, error)
    }
}
