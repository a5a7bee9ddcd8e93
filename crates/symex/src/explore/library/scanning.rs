//! `sscanf` of texts that are known, by the rules of [`exec::format::scan`].

use super::super::step::{Eval, Halt, Step};
use super::super::value::{Float, Value};
use super::printing::{bad_format, known_byte};
use super::{Entry, Request};
use exec::format::directive::FormatError;
use exec::format::scan::{self, Scanner};
use exec::vm;
use ir::{FloatKind, IntKind};

pub const MODELS: &[Entry] = &[("sscanf", read), ("__isoc99_sscanf", read), ("__isoc23_sscanf", read)];

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
                    step.store_at(object, at, 1, Value::Int(known_byte(*byte)));
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
