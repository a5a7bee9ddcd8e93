//! Does the reader accept all that the writer can write?
//!
//! *Source*: E. Driscoll, A. Burton, T. Reps, Checking Conformance of a Producer and a Consumer, ESEC/FSE 2011 (PCCA).
//! From each of two programs the language of its messages is inferred, as a recursive state machine over message types;
//! the question is whether the producer's is included in the consumer's.
//!
//! *Departures*. (1) A consumer accepts only where it ends well: a return of `main` or an `exit` with a status of
//! success. In the source every early error return counts, and its verdict about bzip2 says nothing for that reason.
//! (2) Variables that hold constants (flags, return codes, states of a decoder) are part of the control state
//! ([`explore`]). (3) The consumer is a finite automaton, made by copying callees into callers; the source's enriched
//! consumer is one too, in disguise, and the disguise is what its determinisation blows up on. Recursion of the consumer
//! is collapsed inside its components. (4) Units of one size may be read as units of another, within their boundaries ([`granularity`]). (5) Every
//! verdict says what it is worth: whether the consumer rejects anything at all, and how many small changes of the
//! producer would have been caught.
//!
//! *Phases*: [`table`] and [`sites`] decide which calls read and write, and [`ends`] who notices that the input is over;
//! [`slice`] finds what matters to them; [`explore`] makes the machines; [`verdict`] compares them; [`validate`] runs
//! the pair, on inputs that [`follow`] the path of the counterexample.
//!
//! *Guarantee*: both languages are over-approximations, as in the source: a counterexample may be a message that no run
//! of the producer writes, and a compatible pair may have a message that the consumer would refuse by what it says; runs of
//! both programs look for one ([`refused_in_runs`]). `approximations` lists what was approximated beyond that.
//!
//! ```
//! use conform::{Config, Input, conform, word};
//!
//! let load = |text: &str| cfront::load_text(&[("side.c", text)]).expect("this is C").program;
//! let writer = load("int putchar(int); int main(void) { putchar(1); putchar(2); return 0; }");
//! let reader = load("int getchar(void); int main(void) { return getchar() == -1 || getchar() == -1 || getchar() == -1; }");
//! let report = conform(Input::Program(&writer), Input::Program(&reader), &Config::default()).expect("both move bytes");
//! // The reader wants a third byte.
//! assert_eq!(word(&report.verdict), "incompatible");
//! ```

mod callbacks;
mod cells;
mod constants;
mod ends;
mod escapes;
mod evaluate;
mod explore;
mod follow;
mod format;
mod granularity;
mod kinds;
mod library;
mod live;
mod memory;
mod model;
mod nested;
mod objects;
mod packets;
mod sites;
mod slice;
mod standard;
mod streams;
mod symbols;
mod table;
mod targets;
mod validate;
mod value;
mod verdict;

pub use explore::{Budget, Tag};
pub use granularity::Level;
pub use kinds::{Form, Item, KindId, Kinds, Pattern, Repeat, Text, What};
pub use nested::{NestedReport, conform_automata};
pub use sites::{Does, Site, Sites, sites};
pub use table::{Action, Block, Io, ListedSite, Moves, Role, Side};
pub use validate::{Runnable, Validation, refused_in_runs, validate};

use automata::Alphabet;
use automata::Stopped;
use automata::grammar::Spec;
use diagnostics::{Deadline, Reason, Span};
use ir::Program;
use std::time::Duration;

/// One side of the comparison.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    Program(&'a Program),
    /// A specification of the format, with the name of its file.
    Spec(&'a Spec, &'a Alphabet, &'a str),
}

/// How the languages are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approach {
    /// Both as finite automata that return to any caller: the source's cheap model.
    Finite,
    /// The producer as it is, the consumer as a finite automaton.
    Pushdown,
    /// Both as nested words: calls and returns are part of the message.
    Nested,
}

impl Approach {
    pub fn name(self) -> &'static str {
        match self {
            Approach::Finite => "finite",
            Approach::Pushdown => "pushdown",
            Approach::Nested => "nested",
        }
    }
}

/// How two programs are compared.
#[derive(Clone, Debug)]
pub struct Config {
    pub io: Io,
    pub approach: Approach,
    /// Whether constants are part of the message types.
    pub values: bool,
    /// Whether rounds of loops are marked.
    pub separator: bool,
    /// How fine messages are told apart; by default by bytes.
    pub level: Option<Level>,
    pub budget: Budget,
    /// The most changes of the producer that are tried.
    pub mutants: usize,
    pub deadline: Deadline,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            io: Io::default(),
            approach: Approach::Pushdown,
            values: false,
            separator: false,
            level: None,
            budget: Budget::default(),
            mutants: 60,
            deadline: Deadline::default(),
        }
    }
}

/// Whether the consumer reads all that the producer writes. `Vacuous`: it does, but it accepts (nearly) everything, or
/// would hardly notice a change of the producer.
pub type Verdict = diagnostics::Verdict<Refusal>;

/// How a refusal of the consumer is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// From the languages: by the types and the order of what is written.
    Language,
    /// From runs of both programs: by what is written.
    Runs,
}

/// The word for a verdict.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved { .. } => "compatible",
        Verdict::Refuted { .. } => "incompatible",
        other => other.name(),
    }
}

fn compatible() -> Verdict {
    Verdict::Proved { how: "inclusion of languages".to_string() }
}

fn incompatible() -> Verdict {
    Verdict::Refuted { witness: Refusal::Language }
}

/// The comparison did not come to an end.
fn undecided(why: Stopped) -> Verdict {
    let reason = if why == Stopped::Interrupted { Reason::Stopped } else { Reason::Bounded };
    Verdict::unknown(reason, why.to_string())
}

/// Why a verdict is not plain.
fn why<'a>(verdict: &'a Verdict, remark: &'a Option<String>) -> Option<&'a str> {
    match verdict {
        Verdict::Unknown { why } => Some(&why.said),
        _ => remark.as_deref(),
    }
}

/// A symbol of a counterexample and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    pub symbol: String,
    /// `file:line`.
    pub place: String,
    pub callee: String,
    pub function: String,
    /// The calls that lead there, outermost first, as `file:line`.
    pub through: Vec<String>,
    /// The call, in a program.
    pub span: Span,
    /// Whether the call begins with it, or has written something before.
    pub begins: bool,
}

/// A message that the producer can write and the consumer refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    pub message: Vec<String>,
    pub path: Vec<Written>,
    /// How many symbols the consumer took.
    pub taken: usize,
    /// Where it stands then.
    pub stuck_at: Vec<String>,
    /// What it would have accepted there, each once.
    pub expected: Vec<String>,
    /// Whether only the beginning of an enormous message is here.
    pub truncated: bool,
}

/// The smallest deterministic automaton of the messages of a side. It starts in state 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    pub states: usize,
    pub accepting: Vec<usize>,
    /// From a state, by a symbol, to a state.
    pub moves: Vec<(usize, String, usize)>,
    /// Whether it has no other messages than the side: recursion that is made finite adds some.
    pub exact: bool,
}

/// What was inferred of one side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SideReport {
    /// Functions with bodies.
    pub functions: usize,
    /// Functions that remain.
    pub pruned: usize,
    pub states: usize,
    /// Calls that read or write.
    pub io_calls: usize,
    /// The language, where it is small.
    pub language: Option<String>,
    /// The language as an automaton, where it is small.
    pub automaton: Option<Automaton>,
    /// For drawing.
    pub dot: String,
    pub elapsed: Duration,
}

/// How much the consumer accepts.
#[derive(Clone, PartialEq, Debug)]
pub struct Breadth {
    pub universal: bool,
    pub nearly: bool,
    /// A shortest message it refuses.
    pub rejected: Option<Vec<String>>,
}

/// How many single changes of the producer would have been caught.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MutationScore {
    pub caught: usize,
    pub total: usize,
    /// Those that would not, in the order of the producer.
    pub missed: Vec<Missed>,
}

/// A change of the producer after which the consumer accepts everything still: data that is read as bytes to the end
/// hides whatever goes wrong before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    pub symbol: String,
    /// `file:line`.
    pub place: String,
    /// What was changed: `dropped`, `doubled`, or `written as` something else.
    pub change: String,
}

/// How two programs get on.
#[derive(Clone, Debug)]
pub struct ConformReport {
    pub verdict: Verdict,
    /// What else there is to say of it: why it is worth nothing, or what refuses.
    pub remark: Option<String>,
    pub approach: Approach,
    pub level: Level,
    pub counterexample: Option<Counterexample>,
    pub mutation: MutationScore,
    pub producer: SideReport,
    pub consumer: SideReport,
    pub breadth: Option<Breadth>,
    pub approximations: Vec<String>,
    pub checking: Duration,
}

impl ConformReport {
    /// Why, for a verdict that is not plain.
    pub fn why(&self) -> Option<&str> {
        why(&self.verdict, &self.remark)
    }
}

/// Compares a producer with a consumer. An error is a whole sentence for the user.
pub fn conform(producer: Input, consumer: Input, config: &Config) -> Result<ConformReport, String> {
    verdict::conform(producer, consumer, config)
}
