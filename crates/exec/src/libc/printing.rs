//! stdio.h: the `printf` family.

use super::stdio::{put, stream};
use super::streams::{StreamId, Streams};
use super::{Answer, Entry, errno, fault, int, refuse_overlap};
use crate::format::directive::FormatError;
use crate::format::print::{Arguments, print};
use crate::memory::Address;
use crate::vm::{Argument, Call, Class, Rest, Stop, Value};
use diagnostics::Rule;
use ir::{FloatKind, IntKind};

pub(super) const MODELS: &[Entry] = &[
    ("int printf(const char *, ...)", |call| to_stdout(call, 0, Rest::Direct(1))),
    ("int vprintf(const char *, va_list)", |call| {
        let list = list(call, 1)?;
        to_stdout(call, 0, list)
    }),
    ("int __printf_chk(int, const char *, ...)", |call| to_stdout(call, 1, Rest::Direct(2))),
    ("int __vprintf_chk(int, const char *, va_list)", |call| {
        let list = list(call, 2)?;
        to_stdout(call, 1, list)
    }),
    ("int fprintf(FILE *, const char *, ...)", |call| to_stream(call, 1, Rest::Direct(2))),
    ("int vfprintf(FILE *, const char *, va_list)", |call| {
        let list = list(call, 2)?;
        to_stream(call, 1, list)
    }),
    ("int __fprintf_chk(FILE *, int, const char *, ...)", |call| to_stream(call, 2, Rest::Direct(3))),
    ("int __vfprintf_chk(FILE *, int, const char *, va_list)", |call| {
        let list = list(call, 3)?;
        to_stream(call, 2, list)
    }),
    ("int dprintf(int, const char *, ...)", |call| to_descriptor(call, Rest::Direct(2))),
    ("int vdprintf(int, const char *, va_list)", |call| {
        let list = list(call, 2)?;
        to_descriptor(call, list)
    }),
    ("int sprintf(char *, const char *, ...)", |call| to_buffer(call, None, 1, Rest::Direct(2))),
    ("int vsprintf(char *, const char *, va_list)", |call| {
        let list = list(call, 2)?;
        to_buffer(call, None, 1, list)
    }),
    ("int __sprintf_chk(char *, int, size_t, const char *, ...)", |call| to_buffer(call, None, 3, Rest::Direct(4))),
    ("int __vsprintf_chk(char *, int, size_t, const char *, va_list)", |call| {
        let list = list(call, 4)?;
        to_buffer(call, None, 3, list)
    }),
    ("int snprintf(char *, size_t, const char *, ...)", |call| {
        let size = call.u64(1)?;
        to_buffer(call, Some(size), 2, Rest::Direct(3))
    }),
    ("int vsnprintf(char *, size_t, const char *, va_list)", |call| {
        let (size, list) = (call.u64(1)?, list(call, 3)?);
        to_buffer(call, Some(size), 2, list)
    }),
    ("int __snprintf_chk(char *, size_t, int, size_t, const char *, ...)", |call| {
        let size = call.u64(1)?;
        to_buffer(call, Some(size), 4, Rest::Direct(5))
    }),
    ("int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list)", |call| {
        let (size, list) = (call.u64(1)?, list(call, 5)?);
        to_buffer(call, Some(size), 4, list)
    }),
    ("int asprintf(char **, const char *, ...)", |call| to_heap(call, 1, Rest::Direct(2))),
    ("int vasprintf(char **, const char *, va_list)", |call| {
        let list = list(call, 2)?;
        to_heap(call, 1, list)
    }),
    ("int __asprintf_chk(char **, int, const char *, ...)", |call| to_heap(call, 2, Rest::Direct(3))),
    ("int __vasprintf_chk(char **, int, const char *, va_list)", |call| {
        let list = list(call, 3)?;
        to_heap(call, 2, list)
    }),
];

fn list(call: &Call<'_, '_>, index: usize) -> Result<Rest, Stop> {
    Ok(Rest::List(call.pointer(index)?))
}

/// The arguments that a format asks for, checked against what was passed.
pub(super) struct Passed<'c, 'm, 'p> {
    pub call: &'c mut Call<'m, 'p>,
    pub rest: Rest,
    /// How many arguments were taken.
    taken: usize,
    /// The strings that were read, for the check that the output does not overwrite them.
    strings: Vec<(Address, u64)>,
}

impl<'c, 'm, 'p> Passed<'c, 'm, 'p> {
    pub fn new(call: &'c mut Call<'m, 'p>, rest: Rest) -> Passed<'c, 'm, 'p> {
        Passed { call, rest, taken: 0, strings: Vec::new() }
    }

    /// The next argument and its class.
    pub fn next(&mut self, wanted: &str) -> Result<(Argument, Class), Stop> {
        self.taken += 1;
        let Some(argument) = self.call.next_argument(&mut self.rest)? else {
            return fault(
                Rule::BadFormat,
                format!("the format wants {wanted} as argument {} after it, and there is none", self.taken),
            );
        };
        match Class::of(self.call.machine.types(), argument.ty) {
            Some(class) => Ok((argument, class)),
            None => self.mismatch(wanted, "a structure".into()),
        }
    }

    pub fn mismatch<T>(&self, wanted: &str, given: String) -> Result<T, Stop> {
        let message = format!("the format wants {wanted} as argument {} after it, and is given {given}", self.taken);
        fault(Rule::BadFormat, message)
    }

    pub fn pointer_to(&mut self, wanted: &str) -> Result<(Argument, Address), Stop> {
        let (argument, class) = self.next(wanted)?;
        match class {
            Class::Pointer => Ok((argument, argument.value.as_pointer())),
            other => self.mismatch(wanted, title(other)),
        }
    }
}

pub(super) fn title(class: Class) -> String {
    match class {
        Class::Int(kind) => format!("`{}`", kind.c_name()),
        Class::Float(kind) => format!("`{}`", kind.c_name()),
        Class::Pointer => "a pointer".into(),
    }
}

impl Arguments for Passed<'_, '_, '_> {
    type Error = Stop;

    fn integer(&mut self, kind: IntKind) -> Result<i128, Stop> {
        // What is narrower than `int` is passed as one.
        let promoted = if kind.bytes() < 4 { IntKind::Int } else { kind };
        let wanted = format!("`{}`", promoted.c_name());
        let (argument, class) = self.next(&wanted)?;
        match class {
            Class::Int(given) if given.bytes().max(4) == promoted.bytes() => {
                Ok(kind.wrap(argument.value.as_int(given)))
            }
            other => self.mismatch(&wanted, title(other)),
        }
    }

    fn double(&mut self) -> Result<f64, Stop> {
        let (argument, class) = self.next("`double`")?;
        match class {
            Class::Float(FloatKind::Double) => Ok(argument.value.as_double()),
            other => self.mismatch("`double`", title(other)),
        }
    }

    fn long_double(&mut self) -> Result<u128, Stop> {
        let (argument, class) = self.next("`long double`")?;
        match class {
            Class::Float(FloatKind::Extended) => Ok(argument.value.as_extended()),
            other => self.mismatch("`long double`", title(other)),
        }
    }

    fn pointer(&mut self) -> Result<u64, Stop> {
        Ok(self.pointer_to("a pointer")?.1.0)
    }

    fn string(&mut self, limit: Option<usize>) -> Result<Option<Vec<u8>>, Stop> {
        let (_, address) = self.pointer_to("a string")?;
        if address.is_null() {
            return self.mismatch("a string", "a null pointer".into());
        }
        let memory = self.call.memory();
        let length = memory.bounded_length(address, limit.map_or(u64::MAX, |limit| limit as u64))?;
        let text = memory.read(address, length)?.to_vec();
        self.strings.push((address, length + 1));
        Ok(Some(text))
    }

    fn store_count(&mut self, kind: IntKind, count: u64) -> Result<(), Stop> {
        let (_, address) = self.pointer_to("a pointer to an integer")?;
        store_integer(self.call, address, kind, i128::from(count))
    }

    fn error_text(&mut self) -> Vec<u8> {
        // `errno` that cannot be read was never made, for want of memory, and so never set.
        errno::text(errno::get(self.call).unwrap_or(0))
    }

    fn bad_format(&mut self, error: FormatError) -> Stop {
        format_stop(error)
    }
}

pub(super) fn format_stop(error: FormatError) -> Stop {
    match error {
        FormatError::Invalid(message) => Stop::fault(Rule::BadFormat, message),
        FormatError::Unsupported(what) => Stop::unsupported(what),
    }
}

pub(super) fn store_integer(call: &mut Call<'_, '_>, address: Address, kind: IntKind, value: i128) -> Result<(), Stop> {
    let memory = call.memory();
    match kind.bytes() {
        1 => memory.store_u8(address, value as u8)?,
        2 => memory.store_u16(address, value as u16)?,
        4 => memory.store_u32(address, value as u32)?,
        _ => memory.store_u64(address, value as u64)?,
    }
    Ok(())
}

/// What a format and its arguments make.
struct Formatted {
    text: Vec<u8>,
    /// Where the format and the strings among the arguments are, with their terminators.
    read: Vec<(Address, u64)>,
}

fn formatted(call: &mut Call<'_, '_>, format: usize, rest: Rest) -> Result<Formatted, Stop> {
    let address = call.pointer(format)?;
    let format = call.memory().c_string(address)?.to_vec();
    let mut passed = Passed::new(call, rest);
    passed.strings.push((address, format.len() as u64 + 1));
    let mut text = Vec::new();
    print(&format, &mut passed, &mut text)?;
    Ok(Formatted { text, read: passed.strings })
}

fn put_text(call: &mut Call<'_, '_>, id: StreamId, text: &[u8]) -> Answer {
    let done = put(call, id, text)?;
    int(if done { text.len() as i32 } else { -1 })
}

fn to_stdout(call: &mut Call<'_, '_>, format: usize, rest: Rest) -> Answer {
    let Formatted { text, .. } = formatted(call, format, rest)?;
    put_text(call, Streams::STDOUT, &text)
}

fn to_stream(call: &mut Call<'_, '_>, format: usize, rest: Rest) -> Answer {
    let id = stream(call, 0)?;
    let Formatted { text, .. } = formatted(call, format, rest)?;
    put_text(call, id, &text)
}

/// The text that the format in an argument makes.
pub(super) fn text_of(call: &mut Call<'_, '_>, format: usize, rest: Rest) -> Result<Vec<u8>, Stop> {
    Ok(formatted(call, format, rest)?.text)
}

fn to_descriptor(call: &mut Call<'_, '_>, rest: Rest) -> Answer {
    let descriptor = call.i32(0)?;
    let text = text_of(call, 1, rest)?;
    if !super::unix::put(call, descriptor, &text)? {
        return int(-1);
    }
    int(text.len() as i32)
}

fn to_buffer(call: &mut Call<'_, '_>, size: Option<u64>, format: usize, rest: Rest) -> Answer {
    let buffer = call.pointer(0)?;
    let Formatted { text, read } = formatted(call, format, rest)?;
    let kept = match size {
        None => text.len(),
        Some(0) => return int(text.len() as i32),
        Some(size) => text.len().min((size - 1).min(usize::MAX as u64) as usize),
    };
    for (string, length) in read {
        refuse_overlap("sprintf", buffer, kept as u64 + 1, string, length)?;
    }
    call.memory().write_c_string(buffer, &text[..kept])?;
    int(text.len() as i32)
}

fn to_heap(call: &mut Call<'_, '_>, format: usize, rest: Rest) -> Answer {
    let place = call.pointer(0)?;
    let Formatted { text, .. } = formatted(call, format, rest)?;
    let span = call.span;
    let memory = call.memory();
    let buffer = memory.allocate_heap(text.len() as u64 + 1, false, span)?;
    memory.write_c_string(buffer, &text)?;
    memory.store_pointer(place, buffer)?;
    Ok(Value::signed(text.len() as i64))
}
