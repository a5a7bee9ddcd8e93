//! What is wrong, or doubtful, about a text of rules.

/// Whether the rules can be used all the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Warning,
    Error,
}

/// One thing that is wrong, with its place; lines and columns count from 1, columns in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub severity: Severity,
    pub line: u32,
    pub column: u32,
    /// How many bytes of the line it concerns, at least 1.
    pub length: u32,
    /// A clause without a full stop.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
}

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct At {
    pub line: u32,
    pub column: u32,
    pub length: u32,
}

impl Problem {
    pub(crate) fn error(at: At, message: impl Into<String>) -> Problem {
        Problem::new(Severity::Error, at, message)
    }

    pub(crate) fn warning(at: At, message: impl Into<String>) -> Problem {
        Problem::new(Severity::Warning, at, message)
    }

    fn new(severity: Severity, at: At, message: impl Into<String>) -> Problem {
        Problem {
            severity,
            line: at.line,
            column: at.column,
            length: at.length.max(1),
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }
}
