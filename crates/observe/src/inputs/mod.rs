//! Inputs that make a program show what it can do.
//!
//! *Question*: which values of the parameters (and answers to `nondet`) are worth a run?
//!
//! Values come from classes of magnitude, because relations show on small numbers and false bounds break on large ones:
//! tiny, small and medium inputs are *near*, large ones *far* ([`Evidence`](super::Evidence)). Inside a class they are
//! uniform or log-uniform, boundary values, constants of the program text and their neighbours, or related to another
//! parameter. Inputs that showed something new are changed a little and tried again.
//!
//! *Assumptions* at the start of the entry that speak of parameters only are looked at before a run. An input that fails
//! them is repaired, one parameter at a time: the value under which most of them hold is taken from all values of the
//! class. So `s * s <= n && n < (s + 1) * (s + 1)` is met by nearly every input although chance alone meets it rarely.
//! Classes and signs that assumptions exclude are tried less and less.
//!
//! *Objects*: a parameter that is no number is given an object ([`exec::Given`]) by its type and by what the code does
//! with it.
//!
//! | file | what |
//! |---|---|
//! | `generator`, `conditions`, `values` | numbers, the assumptions on them, what the user says about them |
//! | [`c`] | inputs as C that builds them |
//! | `objects`, `makers`, `stubs` | what pointers lead to, records, what the program makes itself, callbacks |
//! | [`roles`] | which number is the length of which buffer, what a `void *` leads to |
//! | `constants` | numbers, characters and strings of the program's text |
//!
//! *Guarantee*: the same seed and the same answers of [`Generator::learn`] give the same inputs. A parameter for which
//! the user gave values gets no other.

pub mod c;
mod conditions;
mod constants;
mod generator;
mod makers;
mod objects;
pub mod roles;
mod stubs;
mod values;

pub use constants::{asks, constants};
pub use generator::Generator;
pub use objects::{returns_pointer, takes_objects};
pub use stubs::{STUB, with_stubs};
pub use values::{Values, parse_inputs};

use exec::{Input, ValueType};
use ir::{FunctionId, LocalId, Program};

/// A parameter of the entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: ValueType,
}

/// The parameters of an entry that are numbers. `main` has none: its arguments are texts.
pub fn parameters(program: &Program, entry: FunctionId) -> Vec<Parameter> {
    let function = &program.functions[entry];
    if function.name == "main" {
        return Vec::new();
    }
    let parameter = |&param: &LocalId| {
        let local = &function.locals[param];
        Some(Parameter { name: local.name.clone(), ty: ValueType::of(&program.types, local.ty)? })
    };
    function.params.iter().filter_map(parameter).collect()
}

/// An input to be run.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub input: Input,
    /// Whether all its values are small.
    pub near: bool,
    class: usize,
}

/// What a run of a candidate showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Showed {
    /// An assumption excluded it.
    Excluded,
    /// A branch outcome or a relation's end that no run before showed.
    News,
    Nothing,
    /// It ran out of budget, and showed nothing new.
    Expensive,
    /// It did something undefined, whatever else it showed.
    Faulted,
}
