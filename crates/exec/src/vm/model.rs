//! How library functions are modelled: native functions that work on the machine.
//!
//! A library is a [`LibraryTable`]: a look-up by name, done once when a calling function is compiled, and a state of
//! its own per run ([`Library`]) that holds streams, `errno` and the like. A [`Model`] gets a [`Call`]: its arguments
//! with the types they were passed as, the machine with its memory, and the state. It gives back the value in the
//! canonical form of its declared result type, or the reason to stop.
//!
//! ```text
//! fn strlen(call: &mut Call<'_, '_>) -> Result<Value, Stop> {
//!     let length = call.machine.memory.c_string_length(call.pointer(0)?)?;
//!     Ok(Value::unsigned(length))
//! }
//! ```
//!
//! Models of functions with `...` take their arguments from [`Call::rest`], and those that are handed a `va_list`
//! from [`Rest::List`]; [`Call::next_argument`] reads either. [`Machine::call`] calls back into the program.

use super::machine::Machine;
use super::stop::Stop;
use super::value::{Class, Value};
use crate::memory::{Address, Memory};
use crate::outcome::{Budget, Input};
use diagnostics::{Rule, Span};
use ir::{FloatKind, IntKind, TypeId};
use std::any::Any;

/// The model of one library function.
pub type Model = fn(&mut Call<'_, '_>) -> Result<Value, Stop>;

/// A library: what stands behind the functions and objects that a program declares and does not define.
#[derive(Clone, Copy)]
pub struct LibraryTable {
    /// The model of the function with this name.
    pub find: fn(&str) -> Option<Model>,
    /// The names of the variables that programs may declare `extern` and find defined (`stdout`, `environ`).
    pub objects: &'static [&'static str],
    /// The state for a run.
    pub start: fn(&Input, &Budget) -> Box<dyn Library>,
    /// A stream that reads these bytes: what a `FILE *` of an input points to.
    pub open: fn(&mut Machine<'_>, &[u8]) -> Result<Address, Stop>,
    /// What happens when `main` returns or the program exits: handlers run, streams are flushed.
    pub leave: fn(&mut Machine<'_>) -> Result<(), Stop>,
}

/// The state of a library during a run.
pub trait Library: Any + Send {
    /// Gives one of the table's `objects` its first value. The object at `at` exists, as large as the program
    /// declares it, and holds zeros; what it is to point to is made here.
    fn object(&mut self, name: &str, at: Address, memory: &mut Memory<'_>) -> Result<(), Stop>;

    /// Hands over what the run wrote to its standard streams: output, and errors.
    fn take_output(&mut self) -> (Vec<u8>, Vec<u8>);

    /// What was opened and is open still, with the place.
    fn left_open(&self) -> Vec<(String, Span)>;

    /// Another thread runs from here on: what is each thread's own changes.
    fn switch_thread(&mut self, from: usize, to: usize);

    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// An argument as it was passed. For a record the value is the address of the caller's copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    pub ty: TypeId,
    pub value: Value,
}

/// Where the arguments of a variadic function come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// The arguments of this call from this position on.
    Direct(usize),
    /// The `va_list` at this address; taking an argument advances it.
    List(Address),
}

/// A call of a model.
pub struct Call<'m, 'p> {
    pub machine: &'m mut Machine<'p>,
    /// Of the call in the program.
    pub span: Span,
    /// Where to write the result, if the function returns a record; null if nobody wants it.
    pub result: Address,
    pub(super) start: usize,
    pub(super) count: usize,
}

impl<'m, 'p> Call<'m, 'p> {
    /// The number of arguments.
    pub fn count(&self) -> usize {
        self.count
    }

    /// An argument with its type; a call that passes fewer is a finding.
    pub fn argument(&self, index: usize) -> Result<Argument, Stop> {
        if index >= self.count {
            let message = format!("the call passes {} arguments, and the function takes more", self.count);
            return Err(Stop::fault(Rule::BadCall, message));
        }
        Ok(self.machine.arguments[self.start + index])
    }

    /// The class of an argument.
    pub fn class(&self, index: usize) -> Result<Class, Stop> {
        let argument = self.argument(index)?;
        Class::of(self.machine.types(), argument.ty)
            .ok_or_else(|| Stop::fault(Rule::BadCall, "the call passes a record to a library function"))
    }

    fn of_kind(&self, index: usize, what: &str, fits: impl Fn(Class) -> bool) -> Result<Value, Stop> {
        if fits(self.class(index)?) {
            return Ok(self.argument(index)?.value);
        }
        let message = format!("argument {} should be {what}", index + 1);
        Err(Stop::fault(Rule::BadCall, message))
    }

    /// An argument that is a pointer. An integer is taken too, as programs without prototypes pass `0`.
    pub fn pointer(&self, index: usize) -> Result<Address, Stop> {
        self.of_kind(index, "a pointer", |class| !matches!(class, Class::Float(_))).map(Value::as_pointer)
    }

    /// An integer argument, as its mathematical value in the type it was passed as.
    pub fn int(&self, index: usize) -> Result<i128, Stop> {
        match self.class(index)? {
            Class::Int(kind) => Ok(self.argument(index)?.value.as_int(kind)),
            Class::Pointer => Ok(i128::from(self.argument(index)?.value.as_u64())),
            Class::Float(_) => Err(Stop::fault(Rule::BadCall, format!("argument {} should be an integer", index + 1))),
        }
    }

    /// An argument of type `int`.
    pub fn i32(&self, index: usize) -> Result<i32, Stop> {
        Ok(IntKind::Int.wrap(self.int(index)?) as i32)
    }

    /// An argument of type `long`.
    pub fn i64(&self, index: usize) -> Result<i64, Stop> {
        Ok(self.int(index)? as i64)
    }

    /// An argument of type `size_t`.
    pub fn u64(&self, index: usize) -> Result<u64, Stop> {
        Ok(self.int(index)? as u64)
    }

    /// An argument of type `double`.
    pub fn double(&self, index: usize) -> Result<f64, Stop> {
        self.of_kind(index, "a double", |class| class == Class::Float(FloatKind::Double)).map(Value::as_double)
    }

    /// An argument of type `float`.
    pub fn float(&self, index: usize) -> Result<f32, Stop> {
        self.of_kind(index, "a float", |class| class == Class::Float(FloatKind::Float)).map(Value::as_float)
    }

    /// An argument of type `long double`: its 80 bits.
    pub fn extended(&self, index: usize) -> Result<u128, Stop> {
        self.of_kind(index, "a long double", |class| class == Class::Float(FloatKind::Extended)).map(Value::as_extended)
    }

    /// The arguments after the first `named` ones.
    pub fn rest(&self, named: usize) -> Rest {
        Rest::Direct(named)
    }

    /// The next of the variable arguments; `None` when there is none left.
    pub fn next_argument(&mut self, rest: &mut Rest) -> Result<Option<Argument>, Stop> {
        match rest {
            Rest::Direct(next) if *next < self.count => {
                *next += 1;
                self.argument(*next - 1).map(Some)
            }
            Rest::Direct(_) => Ok(None),
            Rest::List(list) => self.machine.next_of_list(*list),
        }
    }

    pub fn memory(&mut self) -> &mut Memory<'p> {
        &mut self.machine.memory
    }

    /// The state of the library, which must be of type `L`.
    pub fn library<L: Library>(&mut self) -> &mut L {
        self.machine.library_as::<L>().1
    }

    /// The memory and the state of the library, both at once.
    pub fn memory_and_library<L: Library>(&mut self) -> (&mut Memory<'p>, &mut L) {
        self.machine.library_as::<L>()
    }
}
