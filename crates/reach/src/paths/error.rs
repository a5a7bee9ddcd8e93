//! What keeps a path from being solved, with the place: in the path, in the C files or in both.

use super::notation::{At, Malformed};
use diagnostics::Span;

/// What kind of mistake it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The text of the path is malformed, or the path cannot be a path of the function.
    Path,
    /// C and rules disagree about a sort.
    Sort,
    /// C on the path that has no meaning here.
    Unsupported,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathError {
    pub kind: Kind,
    pub message: String,
    /// In the text of the path.
    pub at: Option<At>,
    /// In the program.
    pub span: Option<Span>,
    /// In the rules: line and column.
    pub rules: Option<(u32, u32)>,
    pub help: Option<String>,
}

impl PathError {
    fn new(kind: Kind, message: impl Into<String>) -> PathError {
        PathError { kind, message: message.into(), at: None, span: None, rules: None, help: None }
    }

    pub fn path(at: At, message: impl Into<String>) -> PathError {
        PathError { at: Some(at), ..PathError::new(Kind::Path, message) }
    }

    pub fn unsupported(span: Span, message: impl Into<String>) -> PathError {
        PathError { span: Some(span), ..PathError::new(Kind::Unsupported, message) }
    }

    pub fn sort(span: Span, message: impl Into<String>) -> PathError {
        PathError { span: Some(span), ..PathError::new(Kind::Sort, message) }
    }

    pub fn near(mut self, span: Span) -> PathError {
        self.span = Some(span);
        self
    }

    pub fn with_help(mut self, help: impl Into<String>) -> PathError {
        self.help = Some(help.into());
        self
    }
}

impl From<Malformed> for PathError {
    fn from(malformed: Malformed) -> PathError {
        PathError::path(malformed.at, malformed.message)
    }
}
