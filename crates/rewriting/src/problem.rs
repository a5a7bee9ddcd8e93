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

/// More problems, and longer messages, than anybody reads: a small text can have any number of them.
const MOST: usize = 100;
const LONGEST: usize = 2000;

/// As many problems as are told, errors before warnings, and a last one that counts the rest.
pub(crate) fn bounded(mut problems: Vec<Problem>) -> Vec<Problem> {
    let total = problems.len();
    if total > MOST {
        let has_error = problems.iter().any(|problem| problem.severity == Severity::Error);
        problems.retain(|problem| !has_error || problem.severity == Severity::Error);
        problems.truncate(MOST);
        if let Some(last) = problems.last().cloned() {
            let message = format!("there are {} more problems, which are not shown", total - problems.len());
            problems.push(Problem { message, help: Some("mend these first".to_string()), ..last });
        }
    }
    for problem in &mut problems {
        if let Some((end, _)) = problem.message.char_indices().nth(LONGEST) {
            problem.message.truncate(end);
            problem.message.push('…');
        }
    }
    problems
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
