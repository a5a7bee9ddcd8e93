//! What we say about a program, and where in it: source files and spans, findings, verdicts, the rule catalogue; and how
//! far the work on it is.
//!
//! Everything here is data. Nothing in this crate reads a file, prints, or knows about C; the front end fills
//! the [`SourceMap`], the engines make [`Finding`]s, and the command line renders them.
//!
//! A [`Span`] is two offsets into the *program text*: the preprocessed text of all translation units laid end
//! to end. The [`SourceMap`] resolves a span in two ways, because a token that came out of a macro has two
//! homes: [`SourceMap::written`] is where its characters stand (the macro's body, or its argument), and
//! [`SourceMap::used`] is where the reader of the program meets it (the place of the macro call).

mod assumption;
mod deadline;
mod finding;
mod progress;
mod rules;
mod shard;
mod source;
mod span;
mod verdict;

pub use assumption::{Assumption, Length, Operations};
pub use deadline::Deadline;
pub use finding::{Finding, Note, Severity};
pub use progress::{Progress, Stage};
pub use rules::Rule;
pub use shard::Shard;
pub use source::{FileId, Origin, Place, Region, SourceFile, SourceMap};
pub use span::Span;
pub use verdict::{Reason, Verdict, Why, Witness};
