//! What is known about an object besides its bytes: enough to explain what went wrong with it.

use super::storage::Block;
use diagnostics::Span;

/// How an object came to be, which decides who may end it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Global,
    StringLiteral,
    Local,
    /// An array of variable length, or storage from `alloca`.
    Dynamic,
    Heap,
    /// An object of the library: what `stdout` points to, `errno`, the strings of `argv`.
    Library,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    Live,
    /// By `free` or `realloc`.
    Freed,
    /// The block or call it belonged to is over.
    ScopeEnded,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'p> {
    pub size: u64,
    pub kind: ObjectKind,
    pub state: State,
    pub is_const: bool,
    pub generation: u8,
    /// The name in the source; empty for heap objects and other unnamed ones.
    pub name: &'p str,
    pub made: Span,
    pub ended: Span,
    pub block: Block,
}

/// An object as seen from an address, for messages and for the models of library functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectInfo<'p> {
    pub kind: ObjectKind,
    pub state: State,
    pub size: u64,
    /// Of the address asked for, from the start of the object; negative before it.
    pub offset: i64,
    pub is_const: bool,
    pub name: &'p str,
    pub made: Span,
    pub ended: Span,
}

impl ObjectInfo<'_> {
    /// The object as a message names it: "`a`", "a heap object of 8 bytes".
    pub fn title(&self) -> String {
        let bytes = count(self.size, "byte");
        match self.kind {
            ObjectKind::StringLiteral => format!("a string literal of {bytes}"),
            ObjectKind::Heap => format!("a heap object of {bytes}"),
            ObjectKind::Dynamic if self.name.is_empty() => format!("an object of {bytes} on the stack"),
            _ if self.name.is_empty() || self.name.contains('.') => format!("an unnamed object of {bytes}"),
            ObjectKind::Library => format!("{} ({bytes})", self.name),
            _ => format!("`{}` ({bytes})", self.name),
        }
    }
}

/// "1 byte", "4 bytes".
pub(crate) fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
