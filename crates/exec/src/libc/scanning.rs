//! stdio.h: the `scanf` family.

use super::printing::{Passed, format_stop, store_integer, title};
use super::stdio::stream;
use super::streams::{StreamId, Streams};
use super::{Answer, Entry, errno, int, library};
use crate::format::directive::FormatError;
use crate::format::scan::{Scanner, scan};
use crate::memory::Address;
use crate::vm::{Call, Class, Rest, Stop};
use ir::{FloatKind, IntKind};

pub(super) const MODELS: &[Entry] = &[
    ("int scanf(const char *, ...)", |call| run(call, Source::Stream(Streams::STDIN), 0, Rest::Direct(1))),
    ("int vscanf(const char *, va_list)", |call| {
        let list = Rest::List(call.pointer(1)?);
        run(call, Source::Stream(Streams::STDIN), 0, list)
    }),
    ("int fscanf(FILE *, const char *, ...)", |call| {
        let id = stream(call, 0)?;
        run(call, Source::Stream(id), 1, Rest::Direct(2))
    }),
    ("int vfscanf(FILE *, const char *, va_list)", |call| {
        let (id, list) = (stream(call, 0)?, Rest::List(call.pointer(2)?));
        run(call, Source::Stream(id), 1, list)
    }),
    ("int sscanf(const char *, const char *, ...)", |call| {
        let text = Source::Text(call.pointer(0)?);
        run(call, text, 1, Rest::Direct(2))
    }),
    ("int vsscanf(const char *, const char *, va_list)", |call| {
        let (text, list) = (Source::Text(call.pointer(0)?), Rest::List(call.pointer(2)?));
        run(call, text, 1, list)
    }),
];

/// Where the input comes from: a stream, or a string from here on.
#[derive(Clone, Copy)]
enum Source {
    Stream(StreamId),
    Text(Address),
}

struct Input<'c, 'm, 'p> {
    passed: Passed<'c, 'm, 'p>,
    source: Source,
}

impl Input<'_, '_, '_> {
    /// The next argument: a pointer to something that `fits`, as far as its type says what it points to.
    fn target(&mut self, wanted: &str, fits: impl Fn(Class) -> bool) -> Result<Address, Stop> {
        let (argument, address) = self.passed.pointer_to(wanted)?;
        let types = self.passed.call.machine.types();
        let pointee = types.pointee(argument.ty).and_then(|ty| Class::of(types, ty));
        match pointee {
            Some(class) if !fits(class) => self.passed.mismatch(wanted, format!("a pointer to {}", title(class))),
            _ => Ok(address),
        }
    }
}

impl Scanner for Input<'_, '_, '_> {
    type Error = Stop;

    fn next(&mut self) -> Result<Option<u8>, Stop> {
        let call = &mut *self.passed.call;
        match &mut self.source {
            Source::Stream(id) => match library(call).streams.read(*id)? {
                Ok(byte) => Ok(byte),
                Err(code) => {
                    errno::set(call, code)?;
                    Ok(None)
                }
            },
            Source::Text(at) => match call.memory().load_u8(*at)? {
                0 => Ok(None),
                byte => {
                    *at = at.plus(1);
                    Ok(Some(byte))
                }
            },
        }
    }

    fn unread(&mut self, byte: u8) {
        match &mut self.source {
            Source::Stream(id) => library(self.passed.call).streams.unread(*id, byte),
            Source::Text(at) => *at = Address(at.0 - 1),
        }
    }

    fn store_integer(&mut self, kind: IntKind, value: i128) -> Result<(), Stop> {
        let wanted = format!("a pointer to `{}`", kind.c_name());
        let fits = |class| matches!(class, Class::Int(given) if given.bytes() == kind.bytes());
        let address = self.target(&wanted, fits)?;
        store_integer(self.passed.call, address, kind, value)
    }

    fn store_float(&mut self, kind: FloatKind, bits: u128) -> Result<(), Stop> {
        let wanted = format!("a pointer to `{}`", kind.c_name());
        let address = self.target(&wanted, |class| class == Class::Float(kind))?;
        let memory = self.passed.call.memory();
        match kind {
            FloatKind::Float => memory.store_u32(address, bits as u32)?,
            FloatKind::Double => memory.store_u64(address, bits as u64)?,
            FloatKind::Extended => memory.store_u128(address, bits)?,
        }
        Ok(())
    }

    fn store_chars(&mut self, bytes: &[u8], terminated: bool) -> Result<(), Stop> {
        let fits = |class| matches!(class, Class::Int(given) if given.bytes() == 1);
        let address = self.target("a pointer to characters", fits)?;
        let memory = self.passed.call.memory();
        if terminated {
            memory.write_c_string(address, bytes)?;
        } else {
            memory.write(address, bytes)?;
        }
        Ok(())
    }

    fn bad_format(&mut self, error: FormatError) -> Stop {
        format_stop(error)
    }
}

fn run(call: &mut Call<'_, '_>, source: Source, format: usize, rest: Rest) -> Answer {
    let format = super::string_argument(call, format)?;
    let mut input = Input { passed: Passed::new(call, rest), source };
    int(scan(&format, &mut input)?)
}
