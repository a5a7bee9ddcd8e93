//! The machine: everything a run has, and the way in.

use super::model::{Argument, Library};
use super::stop::Stop;
use crate::memory::{Address, Memory};
use ir::{Program, Types};

/// A machine that runs a program, again and again if asked to.
pub struct Machine<'p> {
    pub memory: Memory<'p>,
    pub(super) program: &'p Program,
    pub(super) library: Box<dyn Library>,
    /// The arguments of the library calls being made.
    pub(super) arguments: Vec<Argument>,
}

impl<'p> Machine<'p> {
    pub fn types(&self) -> &'p Types {
        &self.program.types
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The memory and the state of the library, which must be of type `L`.
    pub fn library_as<L: Library>(&mut self) -> (&mut Memory<'p>, &mut L) {
        let library = self.library.as_any_mut().downcast_mut();
        (&mut self.memory, library.expect("the models of a library should ask for its own state"))
    }

    /// The next argument of a `va_list`; `None` when there is none left.
    pub fn next_of_list(&mut self, _list: Address) -> Result<Option<Argument>, Stop> {
        Ok(None)
    }
}
