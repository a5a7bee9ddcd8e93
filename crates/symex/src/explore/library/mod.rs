//! Models of library functions on values that may be open.
//!
//! | file | what |
//! |---|---|
//! | [`strings`] | string.h: copies, comparisons, searches |
//! | [`numbers`] | numbers in strings |
//! | [`scanning`] | text taken apart |
//! | [`characters`] | ctype.h, with the tables its macros read |
//! | [`bits`] | the compiler's functions on bits |
//! | [`heap`] | malloc and its kin |
//! | [`input`] | standard input as bytes that are inputs |
//! | [`printing`] | output: to streams, where it is let go, and to buffers |
//! | [`files`] | streams and files that are opened, closed and read |
//! | [`surroundings`] | what the system answers: clocks, chance, names, texts of the library |
//! | [`plain`] | ends of programs, small arithmetic |
//!
//! A function without a model gives anything, and the search notes that: a path that depends on it is a proposal until
//! it is replayed.

pub mod bits;
pub mod characters;
pub mod files;
pub mod heap;
pub mod input;
pub mod numbers;
pub mod plain;
pub mod printing;
pub mod scanning;
pub mod strings;
pub mod surroundings;

use super::inputs::scalar;
use super::memory::{Kind, Memory, Object, ObjectId};
use super::sequencing::Touched;
use super::state::Loss;
use super::step::{Eval, Step};
use super::value::{Integer, Pointer, Target, Value};
use exec::ValueType;
use ir::effects::Region;
use ir::{Expr, FunctionId, IntKind, Lvalue, Program, Type, TypeId, Types};
use smt::{SortId, TermPool};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

/// A call of a model, with its arguments evaluated.
pub struct Request {
    pub args: Vec<Value>,
    /// Somebody uses the result.
    pub wanted: bool,
}

pub type Model = for<'a, 'b, 'p> fn(&'a mut Step<'b, 'p>, &Request) -> Eval<Option<Value>>;

pub type Entry = (&'static str, Model);

static MODELS: LazyLock<HashMap<&'static str, Model>> = LazyLock::new(|| {
    let tables = [
        bits::MODELS,
        strings::MODELS,
        numbers::MODELS,
        scanning::MODELS,
        characters::MODELS,
        files::MODELS,
        heap::MODELS,
        input::MODELS,
        plain::MODELS,
        printing::MODELS,
        surroundings::MODELS,
    ];
    tables.into_iter().flatten().copied().collect()
});

fn find(name: &str) -> Option<Model> {
    MODELS.get(name).or_else(|| MODELS.get(name.strip_prefix("__builtin_")?)).copied()
}

/// Whether the function has a model and calls nothing back, now or later. What `signal` is given may be called.
pub fn calls_nothing_back(name: &str) -> bool {
    name != "signal" && find(name).is_some()
}

/// The objects of the library that the program can get at, made after its globals.
pub fn objects(program: &Program, pool: &TermPool, memory: &mut Memory) -> BTreeMap<&'static str, ObjectId> {
    let mut made = BTreeMap::new();
    for (name, make) in characters::TABLES {
        if program.find_function(name).is_some_and(|id| program.functions[id].body.is_none()) {
            made.insert(*name, make(pool, memory));
        }
    }
    if program.find_function("__errno_location").is_some() {
        made.insert("__errno_location", plain::errno_object(memory));
    }
    made
}

/// Calls a function that has no body.
pub fn call<'p>(
    step: &mut Step<'_, 'p>,
    id: FunctionId,
    args: &'p [Expr],
    result: Option<&'p Lvalue>,
) -> Eval<Option<Value>> {
    let function = &step.engine.program.functions[id];
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        values.push(match step.argument(arg)? {
            super::calls::Passed::Scalar(value) => value,
            super::calls::Passed::Record(..) => {
                return Err(step.unsupported("a record passed to a function without a body"));
            }
        });
    }
    let request = Request { args: values, wanted: result.is_some() };
    note(step, &function.name, &request);
    if let Some(model) = find(&function.name) {
        return model(step, &request);
    }
    let (span, name) = (step.span, function.name.clone());
    step.engine.lose(Loss::External { name: name.clone() }, span);
    match result {
        None => Ok(None),
        Some(target) => match ValueType::of(&step.engine.program.types, target.ty) {
            // One symbol for each place of a call: what it gives is not known, and may be the same again.
            Some(ty) => {
                let label = format!("{name} at {} after {}", span.lo, step.state.steps);
                Ok(Some(scalar(&step.engine.pool, &label, ty).1))
            }
            None if is_text(&step.engine.program.types, target.ty) => Ok(Some(unknown_text(step, &name))),
            None => Err(step.unsupported(&format!("the external function `{name}`, which returns no number,"))),
        },
    }
}

fn is_text(types: &Types, ty: TypeId) -> bool {
    let Type::Pointer { to, .. } = types.get(ty) else { return false };
    matches!(types.get(*to), Type::Int(kind) if kind.bytes() == 1 && *kind != IntKind::Bool)
}

/// What a function without a model may give that gives a text: null, or a string no longer than those that are tried as
/// inputs. The loss is noted by then; the program behind the call is looked at all the same.
fn unknown_text(step: &mut Step<'_, '_>, name: &str) -> Value {
    let number = step.engine.fresh_number();
    let length = u64::from(step.engine.config.bounds.string);
    let mut object = Object::zeroed(Kind::Global, length + 1, &format!("the text that `{name}` gives"), step.span);
    for at in 0..length {
        let label = format!("byte {at} of text {number}");
        let (_, value) = scalar(&step.engine.pool, &label, ValueType::Int(IntKind::UChar));
        super::access::write(&step.engine.pool, &mut object, at, 1, value);
    }
    let object = step.state.memory.add(object);
    let is_null = step.engine.pool.var(&format!("text {number} is null"), SortId::BOOL);
    Value::Pointer(Pointer { null: Some(is_null), ..Pointer::to_object(object) })
}

/// Functions whose output nobody in the program sees, and which change nothing else.
const PRINTERS: &[&str] = &["printf", "puts", "putchar", "fprintf", "fputs", "putc", "fputc", "perror", "fflush"];

/// Notes what a call may touch, for expressions whose operands have no order.
fn note(step: &mut Step<'_, '_>, name: &str, request: &Request) {
    if step.state.watches.is_empty() {
        return;
    }
    if PRINTERS.contains(&name.strip_prefix("__builtin_").unwrap_or(name)) && !request.wanted {
        return;
    }
    let summary = ir::library::summary(name, false, false);
    let is_in = |regions: &BTreeSet<Region>, position: u32| {
        regions.contains(&Region::Param(position)) || regions.contains(&Region::Memory)
    };
    for (value, position) in request.args.iter().zip(0..) {
        if let Value::Pointer(Pointer { target: Target::Object(object), .. }) = value {
            let writes = summary.anything || is_in(&summary.writes, position);
            if writes || is_in(&summary.reads, position) {
                step.state.note(Touched::Bytes(*object, 0, u64::MAX), writes);
            }
        }
    }
    let writes = summary.anything || summary.ends || summary.writes.contains(&Region::World);
    if writes || summary.reads.contains(&Region::World) {
        step.state.note(Touched::World, writes);
    }
}

impl Request {
    /// An argument as an integer.
    pub fn int(&self, step: &Step<'_, '_>, index: usize) -> Eval<Integer> {
        match self.args.get(index) {
            Some(Value::Int(value)) => Ok(value.clone()),
            Some(Value::Pointer(pointer)) => Ok(Integer::Address(IntKind::ULong, *pointer)),
            _ => Err(step.unsupported("a call with unexpected arguments")),
        }
    }

    /// An integer argument whose values are told apart by forking.
    pub fn known(&self, step: &mut Step<'_, '_>, index: usize) -> Eval<i128> {
        let value = self.int(step, index)?;
        step.known_int(&value)
    }

    /// A string argument whose bytes are all known.
    pub fn known_text(&self, step: &mut Step<'_, '_>, index: usize) -> Eval<Vec<u8>> {
        let pointer = self.pointer(step, index)?;
        let mut text = Vec::new();
        loop {
            match strings::byte(step, &pointer, text.len() as u64)?.known() {
                Some(0) => return Ok(text),
                Some(byte) => text.push(byte as u8),
                None => return Err(step.unsupported("a format, or a set of characters, that depends on inputs")),
            }
        }
    }

    pub fn pointer(&self, step: &mut Step<'_, '_>, index: usize) -> Eval<Pointer> {
        match self.args.get(index) {
            Some(value) => step.as_pointer(value.clone()),
            None => Err(step.unsupported("a call with unexpected arguments")),
        }
    }
}
