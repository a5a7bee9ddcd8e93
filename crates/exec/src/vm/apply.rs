//! One call of a function on given arrays: what is in its memory before, and what is in it afterwards.
//!
//! [`Machine::run`] starts programs, whose inputs are numbers. A function that is a piece of a program also takes
//! pointers; here each one points to an object of its own, filled with the bytes that are given.

use super::calls::scalar_value;
use super::machine::Machine;
use super::model::Argument;
use super::run::Options;
use super::stop::Stop;
use super::value::{Class, Value};
use crate::Scalar;
use crate::memory::{Address, ObjectKind};
use crate::outcome::{Budget, Ending, Input};
use ir::{EntityRef, FunctionId, Local};

/// What a parameter is given.
#[derive(Clone, Debug)]
pub enum Given<'a> {
    Scalar(Scalar),
    /// The bytes of the object that the pointer points to the start of, which is not to be written.
    Object(&'a [u8]),
    /// The same for an object that may be written.
    Writable(&'a [u8]),
    /// A pointer to an object of so many bytes that holds nothing yet.
    Unwritten(u64),
}

/// A call that has ended.
#[derive(Clone, Debug)]
pub struct Applied {
    pub ending: Ending,
    /// The bytes of each object that may be written, after the call, in the order of the parameters; none if a byte of it still
    /// has no value.
    pub objects: Vec<Option<Vec<u8>>>,
}

impl<'p> Machine<'p> {
    /// Calls a function, in fresh memory. There must be as many things given as it has parameters.
    pub fn apply(&mut self, entry: FunctionId, given: &[Given<'_>], budget: &Budget, options: Options) -> Applied {
        self.begin(&Input::default(), budget, options);
        let mut objects = Vec::new();
        let result = self.apply_inside(entry, given, &mut objects);
        let after = objects.into_iter().map(|(address, length)| {
            let bytes = self.memory.read(address, length);
            bytes.ok().map(<[u8]>::to_vec)
        });
        let after = after.collect();
        let ending = match result {
            Ok(ending) => ending,
            Err(stop) => self.ending(stop),
        };
        Applied { ending, objects: after }
    }

    fn apply_inside(
        &mut self,
        entry: FunctionId,
        given: &[Given<'_>],
        objects: &mut Vec<(Address, u64)>,
    ) -> Result<Ending, Stop> {
        self.make_globals()?;
        let function = &self.program().functions[entry];
        assert_eq!(function.params.len(), given.len(), "each parameter should be given something");
        let mut arguments = Vec::new();
        for (&param, given) in function.params.iter().zip(given) {
            let local = &function.locals[param];
            let value = match (given, Class::of(self.types(), local.ty)) {
                (Given::Scalar(scalar), Some(class)) => scalar_value(class, *scalar),
                (Given::Object(bytes), _) => {
                    Value::pointer(self.object(local, bytes.len() as u64, Some(bytes), true)?)
                }
                (Given::Writable(bytes), _) => {
                    let length = bytes.len() as u64;
                    objects.push((self.object(local, length, Some(bytes), false)?, length));
                    Value::pointer(objects[objects.len() - 1].0)
                }
                (Given::Unwritten(length), _) => {
                    objects.push((self.object(local, *length, None, false)?, *length));
                    Value::pointer(objects[objects.len() - 1].0)
                }
                (Given::Scalar(_), None) => {
                    return Err(Stop::unsupported(format!("the parameter `{}`, which is no number", local.name)));
                }
            };
            arguments.push(Argument { ty: local.ty, value });
        }
        let value = self.call(Address::of_function(entry.index() as u32), &arguments)?;
        let signature = self.types().signature(function.ty).expect("a function should have a function type");
        self.returned(signature.result, value)
    }

    /// The object that a parameter points to.
    fn object(&mut self, local: &'p Local, length: u64, bytes: Option<&[u8]>, is_const: bool) -> Result<Address, Stop> {
        let address = self.memory.allocate(ObjectKind::Global, length, 16, is_const, &local.name, local.span)?;
        if let Some(bytes) = bytes {
            self.memory.initialise(address, 0, bytes);
        }
        Ok(address)
    }
}
