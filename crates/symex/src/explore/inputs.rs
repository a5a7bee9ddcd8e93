//! What a run is given: parameters of any type as symbols, and how their values are read off a model.
//!
//! A number is a symbol. A pointer leads to an object made for it: an array of as many elements as the bounds say, for
//! characters a string that ends with a zero at the latest there. It may be null where the program asks whether it is.
//! Records are symbols field by field, bit-fields among them; pointers inside them lead on, down to the depth of the
//! bounds. What the last of them lead to is not given: a path that looks there is a loss, one that does not is as good as
//! any. A pointer to a function is null or leads to one that returns zero. A stream is one that nothing is known of.
//!
//! Where the program writes to what an input leads to, pointers of one type are also tried that lead to the same object, or
//! one element into it.
//!
//! What lies beyond a bound is not given: a program that looks there loses the path, and the loss is noted.

use super::access::write;
use super::arithmetic::machine;
use super::memory::{Kind, Memory, Object, ObjectId};
use super::path::Assignment;
use super::value::{Float, Integer, Pointer, Value};
use diagnostics::Span;
pub use exec::Given;
use exec::Scalar;
use exec::ValueType;
use ir::{GlobalId, IntKind, Length, Program, RecordKind, Type, TypeId, Types};
use smt::{SortId, TermId, TermPool};
use std::collections::BTreeSet;

/// How large inputs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Elements of an array behind a pointer.
    pub array: u32,
    /// Characters of a string, without the zero at its end.
    pub string: u32,
    /// How many pointers lead from one input object to the next.
    pub depth: u32,
    /// Arguments of the program, its name aside.
    pub arguments: u32,
    /// Bytes of standard input.
    pub stdin: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { array: 8, string: 8, depth: 3, arguments: 2, stdin: 64 }
    }
}

/// An input as symbols.
#[derive(Clone, Debug)]
pub enum Symbols {
    Scalar(TermId, ValueType),
    /// Name and offset of each member.
    Record(Vec<(String, u64, Symbols)>),
    /// The size of an element, and the elements.
    Array(u64, Vec<Symbols>),
    Pointer(Box<Pointed>),
    /// A bit-field: its first bit, counted from the byte that the member is said to start in, and its bits.
    Bits(u32, TermId),
    /// A function, and the truth value that says whether there is none.
    Callback(TermId),
    /// A stream, and the truth value that says whether there is none.
    Stream(TermId),
    /// Nothing that can be chosen: zero.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Pointed {
    /// The truth value that says whether the pointer is null; none if it never is.
    pub null: Option<TermId>,
    pub object: ObjectId,
    pub size: u64,
    pub contents: Symbols,
    /// It is a string.
    pub text: bool,
}

impl Symbols {
    /// Every term inside: the numbers, and whether pointers are null.
    pub fn terms(&self, out: &mut Vec<TermId>) {
        match self {
            Symbols::Scalar(term, _) => out.push(*term),
            Symbols::Record(parts) => parts.iter().for_each(|(_, _, part)| part.terms(out)),
            Symbols::Array(_, parts) => parts.iter().for_each(|part| part.terms(out)),
            Symbols::Pointer(pointed) => {
                out.extend(pointed.null);
                pointed.contents.terms(out);
            }
            Symbols::Bits(_, term) | Symbols::Callback(term) | Symbols::Stream(term) => out.push(*term),
            Symbols::Nothing => {}
        }
    }

    /// The numbers inside, bit-fields aside.
    pub fn scalars(&self, out: &mut Vec<(TermId, ValueType)>) {
        match self {
            Symbols::Scalar(term, ty) => out.push((*term, *ty)),
            Symbols::Record(parts) => parts.iter().for_each(|(_, _, part)| part.scalars(out)),
            Symbols::Array(_, parts) => parts.iter().for_each(|part| part.scalars(out)),
            Symbols::Pointer(pointed) => pointed.contents.scalars(out),
            Symbols::Bits(..) | Symbols::Callback(_) | Symbols::Stream(_) | Symbols::Nothing => {}
        }
    }
}

/// An input that takes a path.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Witness {
    /// The entry's parameters, and whatever else was left open by name.
    pub given: Vec<(String, Given)>,
    /// Globals that hold something when the entry is called on which the path depends.
    pub globals: Vec<(GlobalId, Given)>,
    /// `argv[0]`, where the path depends on it.
    pub name: Option<Vec<u8>>,
    /// Answers to `nondet` calls, in order.
    pub nondet: Vec<(ValueType, Scalar)>,
    pub stdin: Vec<u8>,
    /// The arguments of a program.
    pub args: Vec<Vec<u8>>,
}

impl Witness {
    /// Whether functions of the program are part of it: they make objects of it, or are pointed to.
    pub fn names_functions(&self) -> bool {
        let names = |part: &Given| match part {
            Given::Made { .. } => true,
            Given::Function(name) => name != exec::given::CALLBACK,
            _ => false,
        };
        let mut found = false;
        self.given.iter().for_each(|(_, given)| given.walk(&mut |part| found |= names(part)));
        found
    }

    /// Whether a function that callers give is part of it.
    pub fn has_callback(&self) -> bool {
        let mut found = false;
        let given = self.given.iter().map(|(_, given)| given);
        for given in given.chain(self.globals.iter().map(|(_, given)| given)) {
            given.walk(&mut |part| found |= matches!(part, Given::Function(name) if name == exec::given::CALLBACK));
        }
        found
    }
}

/// A symbol for a scalar.
pub fn scalar(pool: &TermPool, name: &str, ty: ValueType) -> (TermId, Value) {
    match ty {
        ValueType::Int(kind) => {
            let term = pool.var(name, pool.bitvec_sort(kind.bits()));
            (term, Value::Int(Integer::Symbolic(machine(pool).of_type(term, kind))))
        }
        ValueType::Float(kind) => {
            let term = pool.var(name, super::floats::exact(pool).sort(kind));
            (term, Value::Float(Float::Symbolic(kind, term)))
        }
    }
}

/// Makes the objects of inputs.
pub struct InputBuilder<'a> {
    pub program: &'a Program,
    pub pool: &'a TermPool,
    pub memory: &'a mut Memory,
    pub bounds: Bounds,
    /// Of the objects that pointers lead to.
    pub kind: Kind,
    /// What could not be given as it might be: names of inputs.
    pub cut: Vec<String>,
}

impl InputBuilder<'_> {
    /// An input of a scalar or record type at an offset of an object.
    pub fn fill(&mut self, name: &str, ty: TypeId, object: ObjectId, at: u64, depth: u32) -> Symbols {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) => {
                let ty = ValueType::of(types, ty).expect("an arithmetic type should have a kind");
                let (term, value) = scalar(self.pool, name, ty);
                let size = match ty {
                    ValueType::Int(kind) => kind.bytes(),
                    ValueType::Float(kind) => kind.bytes(),
                };
                write(self.pool, self.memory.get_mut(object), at, size, value);
                Symbols::Scalar(term, ty)
            }
            Type::Pointer { to, .. } => {
                let (symbols, pointer) = self.pointer(name, *to, None, depth);
                write(self.pool, self.memory.get_mut(object), at, 8, Value::Pointer(pointer));
                symbols
            }
            Type::Array { of, length: Length::Fixed(count) } => {
                let size = types.size_of(*of).unwrap_or(0);
                let element = |k: u64| format!("{name}[{k}]");
                let parts = (0..*count).map(|k| self.fill(&element(k), *of, object, at + k * size, depth)).collect();
                Symbols::Array(size, parts)
            }
            Type::Record(record) => {
                let record = &types.records[*record];
                if record.kind == RecordKind::Union && !types.holds_pointers(ty) {
                    return self.fill_bytes(name, types.size_of(ty).unwrap_or(0), object, at);
                }
                let mut parts = Vec::new();
                let mut bit_fields = Vec::new();
                for field in record.fields.iter().flatten() {
                    let inner = format!("{name}.{}", field.name);
                    if let Some(bits) = field.bits {
                        let term = self.pool.var(&inner, self.pool.bitvec_sort(bits.width));
                        let first = bits.offset - field.offset * 8;
                        parts.push((field.name.clone(), field.offset, Symbols::Bits(first as u32, term)));
                        bit_fields.push((bits.offset, bits.width, term));
                        continue;
                    }
                    let part = self.fill(&inner, field.ty, object, at + field.offset, depth);
                    parts.push((field.name.clone(), field.offset, part));
                    // A pointer is no bytes here, so of a union with pointers only the first member is given.
                    if record.kind == RecordKind::Union {
                        self.cut.push(name.to_string());
                        break;
                    }
                }
                self.fill_bits(object, at, &mut bit_fields);
                Symbols::Record(parts)
            }
            _ => Symbols::Nothing,
        }
    }

    /// Bit-fields share bytes: each byte is put together from those that lie in it, with zeros between them.
    fn fill_bits(&mut self, object: ObjectId, at: u64, fields: &mut [(u64, u32, TermId)]) {
        fields.sort_unstable_by_key(|(first, _, _)| *first);
        let bytes: BTreeSet<u64> = fields
            .iter()
            .filter(|(_, width, _)| *width > 0)
            .flat_map(|(first, width, _)| first / 8..=(first + u64::from(*width) - 1) / 8)
            .collect();
        for byte in bytes {
            let (low, high) = (byte * 8, byte * 8 + 8);
            let mut term: Option<TermId> = None;
            let mut next = low;
            let mut put = |part: TermId| term = Some(term.map_or(part, |rest| self.pool.bv_concat(part, rest)));
            for &(first, width, field) in fields.iter() {
                let (from, to) = (first.max(low), (first + u64::from(width)).min(high));
                // The members of a union lie over each other; the first one is given.
                if from < next || from >= to {
                    continue;
                }
                if from > next {
                    put(self.pool.bits((from - next) as u32, 0));
                }
                put(self.pool.bv_extract(field, (to - first - 1) as u32, (from - first) as u32));
                next = to;
            }
            if next < high {
                put(self.pool.bits((high - next) as u32, 0));
            }
            let term = term.expect("a byte should have bits, because a field lies in it");
            let value = super::arithmetic::integer(self.pool, machine(self.pool).of_type(term, IntKind::UChar));
            write(self.pool, self.memory.get_mut(object), at + byte, 1, Value::Int(value));
        }
    }

    /// A union varies by every member: each of its bytes is an input.
    fn fill_bytes(&mut self, name: &str, size: u64, object: ObjectId, at: u64) -> Symbols {
        let byte = ValueType::Int(IntKind::UChar);
        let mut parts = Vec::new();
        for k in 0..size {
            let (term, value) = scalar(self.pool, &format!("byte {k} of {name}"), byte);
            write(self.pool, self.memory.get_mut(object), at + k, 1, value);
            parts.push(Symbols::Scalar(term, byte));
        }
        Symbols::Array(1, parts)
    }

    /// A pointer to an object of its own, of a given number of elements or as many as the bounds say.
    pub fn pointer(&mut self, name: &str, to: TypeId, count: Option<u64>, depth: u32) -> (Symbols, Pointer) {
        let types = &self.program.types;
        if matches!(types.get(to), Type::Function(_)) {
            let object = self.memory.add(Object::zeroed(Kind::Callback, 1, name, Span::NONE));
            let null = self.pool.var(&format!("{name} == NULL"), SortId::BOOL);
            return (Symbols::Callback(null), Pointer { null: Some(null), ..Pointer::to_object(object) });
        }
        if is_stream(types, to) {
            let object = self.memory.add(Object::zeroed(Kind::InputStream, STREAM, name, Span::NONE));
            let null = self.pool.var(&format!("{name} == NULL"), SortId::BOOL);
            return (Symbols::Stream(null), Pointer { null: Some(null), ..Pointer::to_object(object) });
        }
        let is_character = matches!(types.get(to), Type::Int(kind) if kind.bytes() == 1 && *kind != IntKind::Bool);
        let element = match types.get(to) {
            Type::Void => types.int(IntKind::UChar),
            _ => to,
        };
        let size = types.size_of(element).filter(|size| *size > 0);
        let Some(size) = size.filter(|_| depth > 0) else { return self.unseen(name, size.unwrap_or(1)) };
        let text = is_character && count.is_none() && types.int_kind(to).is_some_and(IntKind::is_plain_char);
        let count = count.unwrap_or(match types.get(to) {
            // A record behind a pointer is one record.
            Type::Record(_) => 1,
            Type::Pointer { .. } => u64::from(self.bounds.array.min(2)),
            _ if text => u64::from(self.bounds.string) + 1,
            _ => u64::from(self.bounds.array),
        });
        let bytes = size * count;
        let mut made = Object::zeroed(self.kind, bytes, name, Span::NONE);
        made.horizon = Some(if text { bytes - 1 } else { bytes });
        let object = self.memory.add(made);
        let filled = if text { count - 1 } else { count };
        let parts = (0..filled)
            .map(|k| {
                let inner = if count == 1 { format!("(*{name})") } else { format!("{name}[{k}]") };
                self.fill(&inner, element, object, k * size, depth - 1)
            })
            .collect();
        let null = self.pool.var(&format!("{name} == NULL"), SortId::BOOL);
        let pointed = Pointed { null: Some(null), object, size: bytes, contents: Symbols::Array(size, parts), text };
        (Symbols::Pointer(Box::new(pointed)), Pointer { null: Some(null), ..Pointer::to_object(object) })
    }

    /// A pointer to an object beyond the bounds, of which no byte is given.
    fn unseen(&mut self, name: &str, size: u64) -> (Symbols, Pointer) {
        let size = size.min(MOST_UNSEEN);
        let mut made = Object::zeroed(self.kind, size, name, Span::NONE);
        made.horizon = Some(0);
        let object = self.memory.add(made);
        let null = self.pool.var(&format!("{name} == NULL"), SortId::BOOL);
        let pointed = Pointed { null: Some(null), object, size, contents: Symbols::Nothing, text: false };
        (Symbols::Pointer(Box::new(pointed)), Pointer { null: Some(null), ..Pointer::to_object(object) })
    }
}

/// An object of which nothing is given is no larger than this.
const MOST_UNSEEN: u64 = 1 << 16;

/// Bytes of a `FILE`, which nothing looks into.
pub const STREAM: u64 = 216;

/// Whether a type is the `FILE` of the C library.
fn is_stream(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Record(record) if types.records[*record].name == "_IO_FILE")
}

/// The value a model gives to an input.
pub fn read_off(model: &Assignment, symbols: &Symbols) -> Given {
    match symbols {
        Symbols::Scalar(term, ty) => Given::Scalar(*ty, scalar_of(model, *term, *ty)),
        Symbols::Record(parts) => Given::Record(
            parts.iter().map(|(name, offset, part)| (name.clone(), *offset, read_off(model, part))).collect(),
        ),
        Symbols::Array(size, parts) => Given::Array(*size, parts.iter().map(|part| read_off(model, part)).collect()),
        Symbols::Nothing => Given::Nothing,
        Symbols::Bits(first, term) => {
            let bits = model.value(*term).ok();
            let bits = bits.as_ref().and_then(|value| value.as_bits());
            let width = bits.map_or(0, |bits| bits.width());
            let value = bits.and_then(|bits| i128::try_from(&bits.unsigned()).ok()).unwrap_or(0);
            Given::Bits { first: *first, width, value }
        }
        Symbols::Callback(null) if model.holds(*null) == Some(true) => Given::Null,
        Symbols::Callback(_) => Given::Function(exec::given::CALLBACK.to_string()),
        Symbols::Stream(null) if model.holds(*null) == Some(true) => Given::Null,
        // What it reads is not chosen: nothing is.
        Symbols::Stream(_) => Given::File(Vec::new()),
        Symbols::Pointer(pointed) => {
            if pointed.null.is_some_and(|null| model.holds(null) == Some(true)) {
                return Given::Null;
            }
            let contents = read_off(model, &pointed.contents);
            if let (true, Given::Array(_, parts)) = (pointed.text, &contents) {
                let byte = |part: &Given| match part {
                    Given::Scalar(_, Scalar::Int(value)) => *value as u8,
                    _ => 0,
                };
                return Given::Text { size: pointed.size, bytes: parts.iter().map(byte).collect() };
            }
            Given::Object { size: pointed.size, contents: Box::new(contents) }
        }
    }
}

/// The value of a symbol as a scalar of C.
pub fn scalar_of(model: &Assignment, term: TermId, ty: ValueType) -> Scalar {
    match (model.value(term), ty) {
        (Ok(smt::Value::Bits(bits)), ValueType::Int(kind)) => {
            let value = if kind.is_signed() { bits.signed() } else { bits.unsigned() };
            Scalar::Int(i128::try_from(&value).unwrap_or_else(|_| u128::try_from(&value).unwrap_or(0) as i128))
        }
        // Of a `long double` the nearest `double`: whether that does is for the replay to see.
        (Ok(smt::Value::Float(value)), ValueType::Float(_)) => Scalar::Float(value.to_f64()),
        (_, ValueType::Int(_)) => Scalar::Int(0),
        (_, ValueType::Float(_)) => Scalar::Float(0.0),
    }
}
