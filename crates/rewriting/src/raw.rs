//! Rules as they are written, before names mean anything.

use crate::problem::{At, Problem};
use crate::term::Builtin;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawTerm {
    pub kind: RawKind,
    pub at: At,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RawKind {
    Var(String),
    /// `_`.
    Anything,
    Int(i128),
    /// A name with its arguments; without parentheses there are none.
    Name(String, Vec<RawTerm>),
    Builtin(Builtin, Vec<RawTerm>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawSort {
    pub name: String,
    pub at: At,
    pub constructors: Vec<RawSymbol>,
}

/// A constructor, or an operation with its declared sorts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawSymbol {
    pub name: String,
    pub at: At,
    pub args: Vec<(String, At)>,
    pub result: Option<(String, At)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawRule {
    pub left: RawTerm,
    pub right: RawTerm,
}

#[derive(Clone, Debug, Default)]
pub struct Raw {
    pub sorts: Vec<RawSort>,
    pub operations: Vec<RawSymbol>,
    pub rules: Vec<RawRule>,
    pub problems: Vec<Problem>,
    /// TPDB files: what never starts a left-hand side is a constructor, and nothing has a sort.
    pub unsorted: bool,
}
