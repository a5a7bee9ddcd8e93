//! Output: what a call reads of its arguments is looked at as the C library looks at it.
//!
//! What goes to a stream is let go, because no program sees it again; whether it could be written is up to the world, so
//! that the result of such a call is anything. What `sprintf` and its kin write to a buffer is there afterwards: text,
//! characters and strings with open bytes as they are. For a number that is open the paths part by its sign and how many
//! digits it has, which settles where everything stands; the digits themselves are terms.
//!
//! *Guarantee*: a call that is undefined (a string without an end, a null stream, arguments that do not fit the format)
//! is a fault, so that a search without one has looked at its output too. A stream that the caller gave may write to memory
//! that other inputs lead to. Formats that are not known, and addresses or open floating values as text, are losses.

use super::super::arithmetic;
use super::super::engine::STREAMS;
use super::super::evaluate::select;
use super::super::inputs::scalar;
use super::super::memory::Kind;
use super::super::sequencing::Touched;
use super::super::state::Loss;
use super::super::step::{Eval, Halt, Step};
use super::super::value::{Float, Integer, Offset, Pointer, Target, Value};
use super::strings::{byte, is_byte, measure};
use super::{Entry, Request, files, plain};
use diagnostics::Rule;
use exec::ValueType;
use exec::format::directive::{Amount, Argument, Conversion, FormatError, Piece, Print, Radix, parse_print};
use exec::format::print::{Arguments, print_one};
use exec::memory::Fault;
use ir::{BinaryOp, FloatKind, IntKind};

pub const MODELS: &[Entry] = &[
    ("printf", |step, request| to_stream(step, request, None, Rest::after(0))),
    ("__printf_chk", |step, request| to_stream(step, request, None, Rest::after(1))),
    ("vprintf", |step, request| to_stream(step, request, None, Rest::list(0))),
    ("__vprintf_chk", |step, request| to_stream(step, request, None, Rest::list(1))),
    ("fprintf", |step, request| to_stream(step, request, Some(0), Rest::after(1))),
    ("__fprintf_chk", |step, request| to_stream(step, request, Some(0), Rest::after(2))),
    ("vfprintf", |step, request| to_stream(step, request, Some(0), Rest::list(1))),
    ("__vfprintf_chk", |step, request| to_stream(step, request, Some(0), Rest::list(2))),
    ("dprintf", |step, request| to_stream(step, request, None, Rest::after(1))),
    ("sprintf", |step, request| to_buffer(step, request, None, Rest::after(1))),
    ("__sprintf_chk", |step, request| to_buffer(step, request, None, Rest::after(3))),
    ("vsprintf", |step, request| to_buffer(step, request, None, Rest::list(1))),
    ("__vsprintf_chk", |step, request| to_buffer(step, request, None, Rest::list(3))),
    ("snprintf", |step, request| to_buffer(step, request, Some(1), Rest::after(2))),
    ("__snprintf_chk", |step, request| to_buffer(step, request, Some(1), Rest::after(4))),
    ("vsnprintf", |step, request| to_buffer(step, request, Some(1), Rest::list(2))),
    ("__vsnprintf_chk", |step, request| to_buffer(step, request, Some(1), Rest::list(4))),
    ("puts", |step, request| {
        string(step, request, 0)?;
        anything(step, request, IntKind::Int)
    }),
    ("fputs", |step, request| {
        string(step, request, 0)?;
        stream(step, request, 1)?;
        anything(step, request, IntKind::Int)
    }),
    ("putchar", |step, request| anything(step, request, IntKind::Int)),
    ("putc", character),
    ("fputc", character),
    ("fwrite", |step, request| {
        let size = (request.known(step, 1)? as u64).saturating_mul(request.known(step, 2)? as u64);
        stream(step, request, 3)?;
        if size > 0 {
            let from = request.pointer(step, 0)?;
            // All of it is there; whether it has values is looked at after that, a byte at a time.
            let place = step.follow(&from)?;
            step.fixed(&place, size, false)?;
            for at in 0..size {
                byte(step, &from, at)?;
            }
        }
        anything(step, request, IntKind::ULong)
    }),
    ("perror", |step, request| {
        if !is_null(&request.pointer(step, 0)?) {
            string(step, request, 0)?;
        }
        Ok(None)
    }),
    ("warn", |step, request| diagnosed(step, request, Rest::after(0))),
    ("warnx", |step, request| diagnosed(step, request, Rest::after(0))),
    ("vwarn", |step, request| diagnosed(step, request, Rest::list(0))),
    ("vwarnx", |step, request| diagnosed(step, request, Rest::list(0))),
    ("err", |step, request| diagnosed(step, request, Rest::after(1)).and_then(|_| plain::exit(request))),
    ("errx", |step, request| diagnosed(step, request, Rest::after(1)).and_then(|_| plain::exit(request))),
    ("verr", |step, request| diagnosed(step, request, Rest::list(1)).and_then(|_| plain::exit(request))),
    ("verrx", |step, request| diagnosed(step, request, Rest::list(1)).and_then(|_| plain::exit(request))),
    ("fflush", |step, request| {
        // Null stands for all streams.
        if !is_null(&request.pointer(step, 0)?) {
            stream(step, request, 0)?;
        }
        anything(step, request, IntKind::Int)
    }),
    ("setbuf", buffering),
    ("setvbuf", buffering),
];

/// The arguments that a format is about: where the format is, and whether what follows is a list.
#[derive(Clone, Copy)]
struct Rest {
    format: usize,
    is_list: bool,
}

impl Rest {
    const fn after(format: usize) -> Rest {
        Rest { format, is_list: false }
    }

    const fn list(format: usize) -> Rest {
        Rest { format, is_list: true }
    }
}

/// A message of `err.h`, which may have no text of its own.
fn diagnosed(step: &mut Step<'_, '_>, request: &Request, rest: Rest) -> Eval<Option<Value>> {
    match is_null(&request.pointer(step, rest.format)?) {
        true => Ok(None),
        false => to_stream(step, request, None, rest),
    }
}

/// Whether something could be written is up to the world: the result is anything.
pub fn anything(step: &mut Step<'_, '_>, request: &Request, kind: IntKind) -> Eval<Option<Value>> {
    if !request.wanted {
        return Ok(None);
    }
    let name = format!("outcome {} of output", step.engine.fresh_number());
    Ok(Some(scalar(&step.engine.pool, &name, ValueType::Int(kind)).1))
}

pub fn is_null(pointer: &Pointer) -> bool {
    pointer.target == Target::Nothing && pointer.offset.open.is_none() && pointer.offset.known == 0
}

/// Looks at a stream that is written to.
pub fn stream(step: &mut Step<'_, '_>, request: &Request, index: usize) -> Eval<()> {
    let pointer = request.pointer(step, index)?;
    let is_standard = pointer.target == Target::Nothing
        && pointer.offset.open.is_none()
        && (STREAMS..STREAMS + 3).contains(&pointer.offset.known);
    if is_standard {
        return Ok(());
    }
    if is_null(&pointer) {
        return Err(Halt::Fault(Fault::new(Rule::NullDereference, "a null pointer is used as a stream")));
    }
    let place = step.follow(&pointer)?;
    let span = step.span;
    match files::opened(step, &place)? {
        Some(Kind::Stream) => {}
        // A caller can make one that writes to an array.
        Some(_) => {
            if step.state.memory.inputs() > 0 || step.engine.names_aliasable {
                step.engine.lose_aliasing(span);
            }
        }
        None => step.engine.lose(Loss::Unsupported { what: "output to a file".to_string() }, span),
    }
    Ok(())
}

/// Looks at a string that is read and let go.
pub fn string(step: &mut Step<'_, '_>, request: &Request, index: usize) -> Eval<()> {
    let pointer = request.pointer(step, index)?;
    passed_over(step, &pointer)
}

/// Whether a pointer leads to the start of a text that the library gave.
fn is_text(step: &Step<'_, '_>, pointer: &Pointer) -> bool {
    let Target::Object(object) = pointer.target else { return false };
    pointer.offset == Offset::ZERO && step.state.memory.get(object).kind == Kind::Text
}

/// Demands that a string has an end. Which one does not matter, so that one which is there whatever the bytes are,
/// and however long the string, need not be looked for.
fn passed_over(step: &mut Step<'_, '_>, pointer: &Pointer) -> Eval<()> {
    let ends = match (pointer.target, pointer.offset.open, u64::try_from(pointer.offset.known)) {
        (Target::Object(object), None, Ok(at)) => {
            let object = step.state.memory.get(object);
            object.kind != Kind::Text && object.is_text_from(at)
        }
        _ => false,
    };
    if ends || is_text(step, pointer) {
        let place = step.follow(pointer)?;
        step.state.note(Touched::Bytes(place.object, 0, u64::MAX), false);
        return Ok(());
    }
    measure(step, pointer).map(|_| ())
}

fn character(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    stream(step, request, 1)?;
    anything(step, request, IntKind::Int)
}

/// A buffer that a stream gets must live as long as the stream, which nothing here watches.
fn buffering(step: &mut Step<'_, '_>, request: &Request) -> Eval<Option<Value>> {
    stream(step, request, 0)?;
    if !is_null(&request.pointer(step, 1)?) {
        let span = step.span;
        step.engine.lose(Loss::Unsupported { what: "a buffer given to a stream".to_string() }, span);
    }
    anything(step, request, IntKind::Int)
}

fn to_stream(step: &mut Step<'_, '_>, request: &Request, to: Option<usize>, rest: Rest) -> Eval<Option<Value>> {
    if let Some(index) = to {
        stream(step, request, index)?;
    }
    let Some(format) = format(step, request, rest.format)? else {
        let span = step.span;
        step.engine.lose(Loss::Unsupported { what: "a format that is not known".to_string() }, span);
        return anything(step, request, IntKind::Int);
    };
    let mut passed = Passed::new(step, request, rest)?;
    for piece in pieces(step, &format)? {
        if let Piece::Directive(directive) = piece {
            passed.look_at(step, &directive)?;
        }
    }
    anything(step, request, IntKind::Int)
}

fn to_buffer(step: &mut Step<'_, '_>, request: &Request, size: Option<usize>, rest: Rest) -> Eval<Option<Value>> {
    let buffer = request.pointer(step, 0)?;
    let size = size.map(|index| request.known(step, index)).transpose()?.map(|size| size as u64);
    let Some(format) = format(step, request, rest.format)? else {
        return Err(step.unsupported("a format that is not known"));
    };
    let mut passed = Passed::new(step, request, rest)?;
    let mut text = Vec::new();
    for piece in pieces(step, &format)? {
        match piece {
            Piece::Literal(bytes) => text.extend(bytes.iter().copied().map(known_byte)),
            Piece::Directive(directive) => passed.write(step, &directive, &mut text)?,
        }
    }
    let length = Value::int(IntKind::Int, text.len() as i128);
    let kept = match size {
        None => text.len(),
        Some(0) => return Ok(Some(length)),
        Some(size) => text.len().min((size - 1) as usize),
    };
    let place = step.follow(&buffer)?;
    let at = step.fixed(&place, kept as u64 + 1, true)?;
    passed.strings.push((request.pointer(step, rest.format)?, format.len() as u64 + 1));
    for (pointer, length) in passed.strings {
        if pointer.target == buffer.target && length > 0 {
            let source = step.follow(&pointer)?;
            let start = step.fixed(&source, length, false)?;
            if start < at + kept as u64 + 1 && at < start + length {
                return Err(Halt::Fault(Fault::new(Rule::MemoryOverlap, "the regions given to `sprintf` overlap")));
            }
        }
    }
    text.truncate(kept);
    text.push(known_byte(0));
    for (offset, value) in (at..).zip(text) {
        step.store_at(place.object, offset, 1, Value::Int(value));
    }
    Ok(Some(length))
}

pub fn known_byte(byte: u8) -> Integer {
    Integer::Concrete(IntKind::UChar, byte.into())
}

/// The bytes of a format, if all are known.
fn format(step: &mut Step<'_, '_>, request: &Request, index: usize) -> Eval<Option<Vec<u8>>> {
    let pointer = request.pointer(step, index)?;
    let mut text = Vec::new();
    loop {
        match byte(step, &pointer, text.len() as u64)?.known() {
            Some(0) => return Ok(Some(text)),
            Some(value) => text.push(value as u8),
            None => return Ok(None),
        }
    }
}

fn pieces<'f>(step: &Step<'_, '_>, format: &'f [u8]) -> Eval<Vec<Piece<'f, Print>>> {
    parse_print(format).map_err(|error| bad_format(step, error))
}

pub fn bad_format(step: &Step<'_, '_>, error: FormatError) -> Halt {
    match error {
        FormatError::Invalid(message) => Halt::Fault(Fault::new(Rule::BadFormat, message)),
        FormatError::Unsupported(what) => step.unsupported(&what),
    }
}

/// The arguments after a format, in order.
struct Passed {
    values: Vec<Value>,
    taken: usize,
    /// The strings that were read, with how many of their bytes.
    strings: Vec<(Pointer, u64)>,
}

impl Passed {
    fn new(step: &mut Step<'_, '_>, request: &Request, rest: Rest) -> Eval<Passed> {
        let first = rest.format + 1;
        let values = if rest.is_list {
            let list = request.pointer(step, first)?;
            step.list_rest(&list)?
        } else {
            request.args.get(first..).unwrap_or_default().to_vec()
        };
        Ok(Passed { values, taken: 0, strings: Vec::new() })
    }

    fn next(&mut self, wanted: &str) -> Eval<Value> {
        self.taken += 1;
        self.values.get(self.taken - 1).cloned().ok_or_else(|| {
            let message = format!("the format wants {wanted} as argument {} after it, and there is none", self.taken);
            Halt::Fault(Fault::new(Rule::BadFormat, message))
        })
    }

    fn mismatch(&self, wanted: &str, given: &str) -> Halt {
        let message = format!("the format wants {wanted} as argument {} after it, and is given {given}", self.taken);
        Halt::Fault(Fault::new(Rule::BadFormat, message))
    }

    fn integer(&mut self, step: &Step<'_, '_>, kind: IntKind) -> Eval<Integer> {
        // What is narrower than `int` is passed as one.
        let promoted = if kind.bytes() < 4 { IntKind::Int } else { kind };
        let wanted = format!("`{}`", promoted.c_name());
        match self.next(&wanted)? {
            Value::Int(value) if value.kind().bytes().max(4) == promoted.bytes() => {
                Ok(arithmetic::convert(&step.engine.pool, &value, kind))
            }
            other => Err(self.mismatch(&wanted, &title(&other))),
        }
    }

    fn float(&mut self, kind: FloatKind) -> Eval<Float> {
        let wanted = format!("`{}`", kind.c_name());
        match self.next(&wanted)? {
            Value::Float(value) if value.kind() == kind => Ok(value),
            other => Err(self.mismatch(&wanted, &title(&other))),
        }
    }

    fn pointer(&mut self, wanted: &str) -> Eval<Pointer> {
        match self.next(wanted)? {
            Value::Pointer(pointer) => Ok(pointer),
            other => Err(self.mismatch(wanted, &title(&other))),
        }
    }

    /// A string, and how many of its bytes at most.
    fn string(&mut self, step: &mut Step<'_, '_>, precision: Option<Integer>) -> Eval<(Pointer, Option<u64>)> {
        let pointer = self.pointer("a string")?;
        if is_null(&pointer) {
            return Err(self.mismatch("a string", "a null pointer"));
        }
        // A negative precision is as good as none.
        let limit = precision.map(|value| step.known_int(&value)).transpose()?;
        Ok((pointer, limit.and_then(|limit| u64::try_from(limit).ok())))
    }

    fn amount(&mut self, step: &Step<'_, '_>, amount: Option<Amount>) -> Eval<Option<Integer>> {
        Ok(match amount {
            None => None,
            Some(Amount::Number(number)) => Some(Integer::Concrete(IntKind::Int, number.into())),
            Some(Amount::Argument) => Some(self.integer(step, IntKind::Int)?),
        })
    }

    /// Takes what a directive asks for, and reads what it reads.
    fn look_at(&mut self, step: &mut Step<'_, '_>, directive: &Print) -> Eval<()> {
        self.amount(step, directive.width)?;
        let precision = self.amount(step, directive.precision)?;
        match directive.argument() {
            None => {}
            Some(Argument::Int(kind)) => _ = self.integer(step, kind)?,
            Some(Argument::Double) => _ = self.float(FloatKind::Double)?,
            Some(Argument::LongDouble) => _ = self.float(FloatKind::Extended)?,
            Some(Argument::Pointer) => _ = self.pointer("a pointer")?,
            Some(Argument::CString) => match self.string(step, precision)? {
                (pointer, None) => passed_over(step, &pointer)?,
                (pointer, Some(_)) if is_text(step, &pointer) => passed_over(step, &pointer)?,
                (pointer, Some(limit)) => {
                    let mut at = 0;
                    while at < limit && !is_byte(step, &pointer, at, 0)? {
                        at += 1;
                    }
                }
            },
            Some(_) => return Err(step.unsupported("a length that `%n` stores")),
        }
        Ok(())
    }

    /// Appends what a directive writes.
    fn write(&mut self, step: &mut Step<'_, '_>, directive: &Print, text: &mut Vec<Integer>) -> Eval<()> {
        let width = self.amount(step, directive.width)?.map(|value| step.known_int(&value)).transpose()?;
        let precision = self.amount(step, directive.precision)?;
        let width = width.unwrap_or(0);
        let is_left = directive.flags.left || width < 0;
        let width = width.unsigned_abs() as usize;
        if width as u64 > step.engine.config.max_object {
            return Err(Halt::Lost(Loss::Memory));
        }
        let field = match directive.conversion {
            Conversion::Char => {
                let value = self.integer(step, IntKind::Int)?;
                vec![arithmetic::convert(&step.engine.pool, &value, IntKind::UChar)]
            }
            Conversion::Str => {
                let (pointer, limit) = self.string(step, precision)?;
                let mut bytes = Vec::new();
                while limit.is_none_or(|limit| (bytes.len() as u64) < limit) {
                    let at = bytes.len() as u64;
                    if is_byte(step, &pointer, at, 0)? {
                        break;
                    }
                    bytes.push(byte(step, &pointer, at)?);
                }
                self.strings.push((pointer, bytes.len() as u64));
                bytes
            }
            Conversion::Percent => vec![known_byte(b'%')],
            _ => {
                let precision = precision.map(|value| step.known_int(&value)).transpose()?;
                let mut open = Vec::new();
                let value = match directive.argument() {
                    Some(Argument::Int(kind)) => {
                        let value = self.integer(step, kind)?;
                        Known::Int(match value.known() {
                            Some(value) => value,
                            None => {
                                let stand_in;
                                (stand_in, open) = digits(step, &value, directive.conversion)?;
                                stand_in
                            }
                        })
                    }
                    Some(Argument::Double) => match self.float(FloatKind::Double)? {
                        Float::Concrete(_, value) => Known::Double(value.as_double()),
                        Float::Symbolic(..) => return Err(step.unsupported("an open floating value as text")),
                    },
                    _ => return Err(step.unsupported("an address or a length in a text")),
                };
                // The field is padded here, as every other.
                let precision = precision.and_then(|value| u32::try_from(value).ok());
                let pads_itself = directive.flags.zero && !is_left;
                let inner = Print {
                    width: pads_itself.then_some(Amount::Number(width as u32)),
                    precision: precision.map(Amount::Number),
                    ..*directive
                };
                let mut bytes = Vec::new();
                print_one(&inner, &mut One(value), &mut bytes).map_err(|error| bad_format(step, error))?;
                // The digits come last.
                bytes.truncate(bytes.len() - open.len());
                bytes.into_iter().map(known_byte).chain(open).collect()
            }
        };
        let missing = width.saturating_sub(field.len());
        let padding = std::iter::repeat_n(known_byte(b' '), missing);
        if is_left {
            text.extend(field);
            text.extend(padding);
        } else {
            text.extend(padding);
            text.extend(field);
        }
        Ok(())
    }
}

/// A number that takes as much room as an open one, and the digits of the open one.
fn digits(step: &mut Step<'_, '_>, value: &Integer, conversion: Conversion) -> Eval<(i128, Vec<Integer>)> {
    let (base, ten) = match conversion {
        Conversion::Unsigned(Radix::Octal) => (8, b'a'),
        Conversion::Unsigned(Radix::LowerHex) => (16, b'a'),
        Conversion::Unsigned(Radix::UpperHex) => (16, b'A'),
        _ => (10, b'a'),
    };
    let pool = step.engine.pool.clone();
    let constant = |value: i128| Integer::Concrete(IntKind::ULong, value);
    let negative = arithmetic::compare(&pool, BinaryOp::Lt, value, &Integer::Concrete(value.kind(), 0));
    let is_negative = step.decide(negative)?;
    let mut rest = arithmetic::convert(&pool, value, IntKind::ULong);
    if is_negative {
        rest = arithmetic::negate(&pool, &rest)?.0;
    }
    // Zero is written in ways of its own: not at all where the precision is zero, and without a prefix.
    let zero = arithmetic::compare(&pool, BinaryOp::Eq, &rest, &constant(0));
    if step.decide(zero)? {
        return Ok((0, Vec::new()));
    }
    let (mut count, mut power) = (1, base);
    while power <= i128::from(u64::MAX) {
        let fits = arithmetic::compare(&pool, BinaryOp::Lt, &rest, &constant(power));
        if step.decide(fits)? {
            break;
        }
        (count, power) = (count + 1, power * base);
    }
    let mut digits = Vec::new();
    for _ in 0..count {
        let digit = arithmetic::binary(&pool, BinaryOp::Rem, &rest, &constant(base))?.0;
        rest = arithmetic::binary(&pool, BinaryOp::Div, &rest, &constant(base))?.0;
        let from = |first: i128| -> Eval<Integer> {
            Ok(arithmetic::binary(&pool, BinaryOp::Add, &digit, &constant(first))?.0)
        };
        let mut shown = from(b'0'.into())?;
        if base > 10 {
            let is_small = arithmetic::compare(&pool, BinaryOp::Lt, &digit, &constant(10)).term(&pool);
            let letter = from(i128::from(ten) - 10)?;
            shown = match select(&pool, is_small, &Value::Int(shown), &Value::Int(letter)) {
                Some(Value::Int(shown)) => shown,
                _ => return Err(step.unsupported("a digit that is no number")),
            };
        }
        digits.push(arithmetic::convert(&pool, &shown, IntKind::UChar));
    }
    digits.reverse();
    let stand_in = power / base;
    Ok((if is_negative { -stand_in } else { stand_in }, digits))
}

fn title(value: &Value) -> String {
    match value {
        Value::Int(value) => format!("`{}`", value.kind().c_name()),
        Value::Float(value) => format!("`{}`", value.kind().c_name()),
        Value::Pointer(_) => "a pointer".to_string(),
    }
}

/// A number whose text is wanted.
#[derive(Clone, Copy)]
enum Known {
    Int(i128),
    Double(f64),
}

/// The one argument of a directive whose width and precision are numbers.
struct One(Known);

impl One {
    fn other<T>() -> Result<T, FormatError> {
        Err(FormatError::Unsupported("an argument that is no number".to_string()))
    }
}

impl Arguments for One {
    type Error = FormatError;

    fn integer(&mut self, _: IntKind) -> Result<i128, FormatError> {
        match self.0 {
            Known::Int(value) => Ok(value),
            Known::Double(_) => One::other(),
        }
    }

    fn double(&mut self) -> Result<f64, FormatError> {
        match self.0 {
            Known::Double(value) => Ok(value),
            Known::Int(_) => One::other(),
        }
    }

    fn long_double(&mut self) -> Result<u128, FormatError> {
        One::other()
    }

    fn pointer(&mut self) -> Result<u64, FormatError> {
        One::other()
    }

    fn string(&mut self, _: Option<usize>) -> Result<Option<Vec<u8>>, FormatError> {
        One::other()
    }

    fn store_count(&mut self, _: IntKind, _: u64) -> Result<(), FormatError> {
        One::other()
    }

    fn error_text(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn bad_format(&mut self, error: FormatError) -> FormatError {
        error
    }
}
