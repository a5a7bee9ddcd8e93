//! Why no runs of a program were made.

use std::fmt;

/// Why nothing could be observed. The variant is for programs, the text a whole sentence for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// What was asked for does not fit the program, such as a range for a parameter that it does not have. Asking
    /// otherwise helps, and no answer may pass over it.
    Request(String),
    /// The function cannot be given inputs. Other ways of looking at it may still lead somewhere.
    Inputs(String),
    /// The program could not be compiled.
    Compiler(String),
}

impl Refusal {
    /// The sentence.
    pub fn text(&self) -> &str {
        match self {
            Refusal::Request(text) | Refusal::Inputs(text) | Refusal::Compiler(text) => text,
        }
    }

    /// The same with more words before it.
    pub fn prefixed(self, with: &str) -> Refusal {
        let longer = |text: String| format!("{with}{text}");
        match self {
            Refusal::Request(text) => Refusal::Request(longer(text)),
            Refusal::Inputs(text) => Refusal::Inputs(longer(text)),
            Refusal::Compiler(text) => Refusal::Compiler(longer(text)),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for Refusal {}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> String {
        refusal.to_string()
    }
}
