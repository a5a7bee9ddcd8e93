//! What a refused memory operation says.

use diagnostics::{Note, Rule, Span};

/// What is wrong with an operation. The interpreter adds the place of the operation and makes a finding of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub rule: Rule,
    /// A clause without a full stop.
    pub message: String,
    /// Where the object was made, and where it ended.
    pub notes: Vec<Note>,
}

/// The result of an operation that may be undefined behaviour. The fault is boxed because it is rare and the
/// result is everywhere.
pub type Checked<T> = Result<T, Box<Fault>>;

impl Fault {
    pub fn new(rule: Rule, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { rule, message: message.into(), notes: Vec::new() })
    }

    pub fn with_note(mut self: Box<Fault>, span: Span, message: impl Into<String>) -> Box<Fault> {
        self.notes.push(Note { span, message: message.into() });
        self
    }
}

/// The program asked for more memory than the budget of the run allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;
