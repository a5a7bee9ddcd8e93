//! What a check-up has to say: plain data that can be kept on disk and read again, without the programs it is about.

use serde::{Deserialize, Serialize};

/// A range of a file: lines and columns from 1, columns in bytes, the end one past the last character.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Place {
    /// As the user gave it, or as the compiler names it.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What is asked of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// The program is run as it is, without arguments and input.
    Run,
    /// What can go wrong, and with which input.
    Faults,
    /// Do its assertions hold on every run?
    Claims,
    /// Which relations hold among its variables?
    Relations,
    /// Do permuted inputs give permuted outputs?
    Symmetries,
}

impl Question {
    /// The verb that answers it.
    pub fn verb(self) -> &'static str {
        match self {
            Question::Run => "run",
            Question::Faults => "reach",
            Question::Claims => "prove",
            Question::Relations => "infer",
            Question::Symmetries => "symmetry",
        }
    }
}

/// How the answering of a question ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All that was asked was looked at.
    Done,
    /// All of it within bounds that are named was looked at: [`Answer::within`]. What lies beyond them nobody knows.
    Within,
    /// Something was left out on the way.
    Open,
    /// The time was over.
    Time,
    Interrupted,
    /// It is not a question that can be asked of this function.
    Refused,
    NotBegun,
    /// We are wrong.
    Bug,
}

impl Ended {
    /// Whether there is an answer, be it for all inputs or for those within bounds that are named.
    pub fn is_answered(self) -> bool {
        matches!(self, Ended::Done | Ended::Within)
    }

    pub fn name(self) -> &'static str {
        match self {
            Ended::Done => "done",
            Ended::Within => "within",
            Ended::Open => "open",
            Ended::Time => "time",
            Ended::Interrupted => "interrupted",
            Ended::Refused => "refused",
            Ended::NotBegun => "not-begun",
            Ended::Bug => "bug",
        }
    }
}

/// What a fault is to whoever reads about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The program goes wrong with an input that it must stand: a mistake of the program.
    Bug,
    /// The function goes wrong with an argument that its callers may be expected not to give.
    Precondition,
    /// The same of a function that only the project itself calls: its callers were not seen to do so.
    Internal,
    /// A search believes so, and no run shows it.
    Suspicion,
}

/// What shows a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmation {
    /// A run of the compiled program.
    Compiled,
    /// A run in the VM.
    Vm,
    Nothing,
}

/// How bad it is: the order of the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harm {
    /// Memory that belongs to something else is written or read.
    Memory,
    /// The program ends.
    Crash,
    /// A claim of the program's own is broken.
    Claim,
    /// A result is wrong, or what the optimiser makes of it.
    Value,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Remark {
    pub place: Option<Place>,
    pub text: String,
}

/// Something that goes wrong, with the input that shows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fault {
    pub class: Class,
    pub harm: Harm,
    pub shown: Confirmation,
    /// The id of its rule in the catalogue.
    pub rule: String,
    /// One line of cause.
    pub message: String,
    pub place: Place,
    /// The function whose text it stands in.
    pub function: String,
    /// The function that is called with the input.
    pub entry: String,
    pub entry_place: Option<Place>,
    /// The input in one line.
    pub input: String,
    /// Parameters of the entry that are null pointers in the input.
    pub nulls: Vec<String>,
    /// Where objects were made, and what else belongs to it.
    pub remarks: Vec<Remark>,
    /// The decisions on the way, oldest first.
    pub path: Vec<Remark>,
    /// A command line that shows it again.
    pub command: String,
    /// A C program that makes the call.
    pub test: Option<String>,
    /// Why no run shows it.
    pub why: Option<String>,
    /// Stays the same while lines above it come and go.
    pub fingerprint: String,
}

/// Something that holds, or was seen to hold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fact {
    pub question: Question,
    pub function: String,
    /// The location as the verb names it.
    pub location: String,
    pub place: Option<Place>,
    /// The form of the relation, or the kind of claim.
    pub kind: String,
    pub text: String,
    /// The verdict's word.
    pub verdict: String,
}

/// Why a question has no full answer.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A function without body or model is called.
    NoModel {
        name: String,
        /// It is declared by the system and not by the project, so that no file of it can be added.
        is_system: bool,
    },
    /// A construct without a model.
    Construct {
        what: String,
    },
    /// A loop, a path, an input or an effort bound was met.
    Bounds,
    /// The time was over.
    Time,
    Interrupted,
    /// Inputs that point into one object were not tried.
    Aliasing,
    /// The environment, volatile objects or addresses as numbers.
    Surroundings,
    Solver,
    /// The verb cannot be asked about such a function; a whole sentence.
    Refused {
        why: String,
    },
    /// Something else.
    Other {
        why: String,
    },
}

/// What came of one question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub question: Question,
    pub function: String,
    pub place: Option<Place>,
    pub ended: Ended,
    /// Whether the function is called from outside, or by the project alone.
    pub is_entry: bool,
    pub faults: Vec<Fault>,
    pub facts: Vec<Fact>,
    pub reasons: Vec<Reason>,
    /// The bounds and assumptions that the answer stands on, as clauses.
    pub within: Vec<String>,
    pub elapsed_ms: u64,
    /// A command line that asks the same.
    pub command: String,
}

/// A file of the project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FileReport {
    pub path: String,
    pub lines: u32,
    pub functions: u32,
    /// Why it could not be read, if so: what the compiler or the front end said first.
    pub unreadable: Option<Remark>,
}

/// A function of the project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FunctionReport {
    pub name: String,
    pub place: Option<Place>,
    pub statements: u32,
    pub is_entry: bool,
    /// The functions of the project that it calls.
    pub calls: Vec<String>,
}

/// Questions that stayed open for the same reason.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OpenGroup {
    pub reason: Reason,
    pub questions: usize,
    pub functions: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub files: Vec<FileReport>,
    pub functions: Vec<FunctionReport>,
    /// Mistakes, the worst first.
    pub findings: Vec<Fault>,
    /// What functions need of their callers, the worst first.
    pub preconditions: Vec<Fault>,
    /// What only a search believes.
    pub suspicions: Vec<Fault>,
    pub facts: Vec<Fact>,
    /// Every question, with its answer.
    pub answers: Vec<Answer>,
    /// Why questions stayed open, what would help most first.
    pub open: Vec<OpenGroup>,
    /// What was left out of the project, in whole sentences.
    pub notes: Vec<String>,
    pub interrupted: bool,
    /// Whether all of it is from an earlier run on the same files.
    pub remembered: bool,
}

impl Report {
    /// Questions that were begun.
    pub fn asked(&self) -> usize {
        self.answers.iter().filter(|answer| !matches!(answer.ended, Ended::NotBegun | Ended::Refused)).count()
    }

    /// Questions with an answer, be it full or within bounds.
    pub fn answered(&self) -> usize {
        self.answers.iter().filter(|answer| answer.ended.is_answered()).count()
    }

    /// Questions that were answered within bounds only.
    pub fn within_bounds(&self) -> usize {
        self.answers.iter().filter(|answer| answer.ended == Ended::Within).count()
    }

    /// Questions without an answer, be they begun or not.
    pub fn left_open(&self) -> usize {
        self.answers.iter().filter(|answer| !answer.ended.is_answered() && answer.ended != Ended::Refused).count()
    }

    pub fn unreadable(&self) -> impl Iterator<Item = &FileReport> {
        self.files.iter().filter(|file| file.unreadable.is_some())
    }

    pub fn has_bug(&self) -> bool {
        self.answers.iter().any(|answer| answer.ended == Ended::Bug)
    }
}
