//! Arguments of an entry that are more than numbers: their objects are made in the memory of the run.
//!
//! Every object of an input is one of its own on the heap, as large as it is given, so that the first byte beyond it is
//! noticed and a function that frees what it is given can do so. What the program's own functions are to make is made
//! by calling them; an input that they refuse to make (the call is undefined, or an assumption of theirs fails) is
//! excluded like one that an assumption of the entry excludes.

use super::calls::scalar_value;
use super::machine::Machine;
use super::model::Argument;
use super::stop::Stop;
use super::value::{Class, Value};
use crate::Scalar;
use crate::given::Given;
use crate::memory::{Address, ObjectKind};
use crate::outcome::Input;
use diagnostics::Span;
use ir::{EntityRef, FunctionId, GlobalId, Type, TypeId};

impl<'p> Machine<'p> {
    /// The arguments of a call of `function`.
    pub(super) fn given_arguments(&mut self, function: FunctionId, given: &[Given]) -> Result<Vec<Argument>, Stop> {
        let about = &self.program().functions[function];
        let mut arguments: Vec<Argument> = Vec::new();
        for (index, &param) in about.params.iter().enumerate() {
            let local = &about.locals[param];
            let given = given.get(index).unwrap_or(&Given::Nothing);
            let value = match (given, Class::of(self.types(), local.ty)) {
                (Given::Scalar(_, scalar), Some(class)) => scalar_value(class, *scalar),
                (Given::Within { argument, offset }, Some(Class::Pointer)) => {
                    let base = arguments.get(*argument).map_or(Address::NULL, |earlier| earlier.value.as_pointer());
                    if base.is_null() { Value::pointer(base) } else { Value::pointer(base.plus(*offset)) }
                }
                (given, Some(Class::Pointer)) => {
                    Value::pointer(self.pointer_to(given, local.ty, &local.name, local.span)?)
                }
                (_, Some(class)) => scalar_value(class, Scalar::Int(0)),
                (given, None) => {
                    let size = self.types().size_of(local.ty).unwrap_or(0);
                    Value::pointer(self.given_object(given, size, &local.name, local.span)?)
                }
            };
            arguments.push(Argument { ty: local.ty, value });
        }
        Ok(arguments)
    }

    /// Gives globals what they hold when the entry is called.
    pub(super) fn set_globals(&mut self, given: &[(GlobalId, Given)]) -> Result<(), Stop> {
        for (id, given) in given {
            let global = &self.program().globals[*id];
            let size = self.image.global(*id).size;
            let address = self.image.address_of_global(*id);
            // A global that is a pointer is given what it points to.
            match self.types().get(global.ty) {
                Type::Pointer { .. } => {
                    let target = self.pointer_to(given, global.ty, &global.name, global.span)?;
                    self.memory.initialise(address, 0, &target.0.to_le_bytes());
                }
                _ => self.fill_object(address, given, size, &global.name, global.span)?,
            }
        }
        Ok(())
    }

    /// The address that a pointer is given.
    fn pointer_to(&mut self, given: &Given, ty: TypeId, name: &'p str, span: Span) -> Result<Address, Stop> {
        match given {
            Given::Object { size, contents } => self.given_object(contents, *size, name, span),
            Given::Text { size, .. } => self.given_object(given, *size, name, span),
            Given::Function(name) => match self.program().find_function(name) {
                Some(id) => Ok(Address::of_function(id.index() as u32)),
                None => Err(Stop::unsupported(format!("the function `{name}`, which the program does not have"))),
            },
            Given::File(bytes) => {
                let open = self.image.library.open;
                open(self, bytes)
            }
            Given::Made { by, arguments, first } => self.made(by, arguments, *first, span),
            Given::Scalar(_, Scalar::Int(value)) => Ok(Address(*value as u64)),
            Given::Array(..) | Given::Record(_) => {
                let size = self.types().pointee(ty).and_then(|to| self.types().size_of(to)).unwrap_or(0);
                self.given_object(given, size, name, span)
            }
            _ => Ok(Address::NULL),
        }
    }

    fn given_object(&mut self, contents: &Given, size: u64, name: &'p str, span: Span) -> Result<Address, Stop> {
        let address = self.memory.allocate(ObjectKind::Heap, size, 16, false, name, span)?;
        self.fill_object(address, contents, size, name, span)?;
        Ok(address)
    }

    fn fill_object(
        &mut self,
        address: Address,
        contents: &Given,
        size: u64,
        name: &'p str,
        span: Span,
    ) -> Result<(), Stop> {
        let (bytes, pointers) = contents.image(size);
        self.memory.initialise(address, 0, &bytes);
        let void = self.types().void();
        for (at, target) in pointers {
            let to = self.pointer_to(target, void, name, span)?;
            if at + 8 <= size {
                self.memory.initialise(address, at, &to.0.to_le_bytes());
            }
        }
        Ok(())
    }

    /// What a function of the program makes.
    fn made(&mut self, by: &str, given: &[Given], first: bool, span: Span) -> Result<Address, Stop> {
        let maker = self.program().find_function(by).filter(|id| self.program().functions[*id].body.is_some());
        let Some(maker) = maker else {
            return Err(Stop::unsupported(format!("an object made by `{by}`, which has no definition")));
        };
        let arguments = self.given_arguments(maker, given)?;
        let object = arguments.first().map_or(Address::NULL, |argument| argument.value.as_pointer());
        match self.call(Address::of_function(maker.index() as u32), &arguments) {
            Ok(_) if first => Ok(object),
            Ok(value) => Ok(value.as_pointer()),
            Err(Stop::Fault(_) | Stop::Exit(_)) => {
                self.frames.clear();
                Err(Stop::Assumed(span))
            }
            Err(other) => Err(other),
        }
    }

    /// The arguments of an entry, from numbers or from what it is given.
    pub(super) fn entry_arguments(&mut self, entry: FunctionId, input: &Input) -> Result<Vec<Argument>, Stop> {
        if input.arguments.is_empty() {
            return self.parameters(entry, input);
        }
        self.given_arguments(entry, &input.arguments)
    }
}
