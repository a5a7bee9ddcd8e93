//! The VM.

mod machine;
pub mod model;
mod stop;
mod value;

pub use machine::Machine;
pub use model::{Argument, Call, Library, LibraryTable, Model, Rest};
pub use stop::Stop;
pub use value::{Class, Value};
