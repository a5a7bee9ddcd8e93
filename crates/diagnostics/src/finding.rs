//! A finding: one thing that is wrong with the user's program or input, with the places that show it.

use crate::{Rule, Span};

/// How much a finding weighs. Errors make the exit status 1 (or 2 when the input cannot be read at all).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A further place that helps to understand a finding: where the object was freed, who called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub span: Span,
    pub message: String,
}

/// One thing found. `message` is a clause without a full stop; `help` says what to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    pub notes: Vec<Note>,
    pub help: Option<String>,
}

impl Finding {
    /// A finding of the rule's usual severity.
    pub fn new(rule: Rule, span: Span, message: impl Into<String>) -> Finding {
        Finding { rule, severity: rule.severity(), span, message: message.into(), notes: Vec::new(), help: None }
    }

    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Finding {
        self.notes.push(Note { span, message: message.into() });
        self
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }
}
