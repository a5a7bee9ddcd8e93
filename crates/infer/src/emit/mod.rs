//! Relations written back: into the program's text, or into a file for other tools.
//!
//! | | what it is | where relations go |
//! |---|---|---|
//! | [`acsl`] | the C file with annotations for Frama-C | before the loop, or before the statement |
//! | [`c_assert`] | the C file with assertions | into the loop's condition, or before the statement |
//! | [`witness`] | an SV-COMP correctness witness | a list of places and expressions |
//!
//! Nothing here touches files: edits are applied to the texts that the program was read from. A place that cannot be
//! edited (text inside a macro) and a relation that cannot be said there (ghost counters) are left out with a note.

mod acsl;
mod array_loop;
mod c_assert;
mod text;
mod witness;

pub use acsl::acsl;
pub use array_loop::{array_acsl, array_loop};
pub use c_assert::c_assert;
pub use witness::{Moment, Violation, violation, witness};

use super::{Invariant, Location, LocationKind, LocationReport};
use cfront::edit::{self, Edit};
use diagnostics::Span;
use ir::{Block, ExprKind, FunctionId, LoopKind, Program, Stmt, StmtKind};
use observe::samples::{Role, Variable};
use std::collections::BTreeMap;

/// Changed files by their paths, and what was left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Emitted {
    pub files: BTreeMap<String, String>,
    pub notes: Vec<String>,
}

/// Where a location is in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spot {
    /// Each time before the condition of the loop is looked at (before the body, of `do`).
    Head {
        looped: Span,
        kind: LoopKind,
    },
    Before(Span),
    After(Span),
}

/// The spot of a location, its function, and the first spot of a trace point itself.
#[derive(Clone, Copy, Debug)]
struct Found {
    function: FunctionId,
    spot: Spot,
    /// The statement of the location, where that is not the loop.
    statement: Span,
}

fn find(program: &Program, report: &LocationReport) -> Option<Found> {
    let span = report.location.span?;
    program.defined_functions().find_map(|(function, _, body)| {
        let spot = find_in(body, span, &report.location, None)?;
        Some(Found { function, spot, statement: span })
    })
}

fn find_in(block: &Block, span: Span, at: &Location, head_of: Option<(Span, LoopKind)>) -> Option<Spot> {
    let mut first = true;
    for stmt in &block.stmts {
        if stmt.span == span && is_target(stmt, at) {
            return Some(match (&stmt.kind, head_of.filter(|_| first)) {
                (StmtKind::Loop(looped), _) if at.kind == LocationKind::Loop => {
                    Spot::Head { looped: span, kind: looped.kind }
                }
                (StmtKind::Trace(_), Some((looped, kind))) => Spot::Head { looped, kind },
                (StmtKind::Label(_), _) => Spot::After(span),
                _ if at.kind == LocationKind::End => Spot::After(span),
                _ => Spot::Before(span),
            });
        }
        if !matches!(stmt.kind, StmtKind::Live(_)) {
            first = false;
        }
        let inner = match &stmt.kind {
            StmtKind::Loop(looped) => {
                let forever = match &looped.cond {
                    None => true,
                    Some(cond) => matches!(cond.kind, ExprKind::Int(value) if value != 0),
                };
                let at_head = looped.kind == LoopKind::DoWhile || forever && looped.pre.stmts.is_empty();
                let head = at_head.then_some((stmt.span, looped.kind));
                find_in(&looped.body, span, at, head)
                    .or_else(|| find_in(&looped.pre, span, at, None))
                    .or_else(|| find_in(&looped.step, span, at, None))
            }
            // The block of a loop's body, braces and all.
            StmtKind::Block(inner) => find_in(inner, span, at, head_of),
            _ => stmt.blocks().into_iter().find_map(|inner| find_in(inner, span, at, None)),
        };
        if inner.is_some() {
            return inner;
        }
    }
    None
}

/// Statements that one declaration was lowered to may share a span; the kind of the location is meant.
fn is_target(stmt: &Stmt, at: &Location) -> bool {
    match &stmt.kind {
        StmtKind::Trace(point) => point.name == at.name || matches!(at.kind, LocationKind::Line | LocationKind::End),
        StmtKind::Loop(_) => at.kind != LocationKind::Return,
        StmtKind::Return(_) => at.kind != LocationKind::Loop,
        StmtKind::Block(_) | StmtKind::Live(_) => false,
        _ => !matches!(at.kind, LocationKind::Loop | LocationKind::Return),
    }
}

/// The variables that a relation speaks of, terms written out.
fn speaks_of<'v>(invariant: &Invariant, variables: &'v [Variable]) -> Vec<&'v Variable> {
    let written_out = invariant
        .predicate
        .substitute(&|name| variables.iter().find(|v| v.name == name).map(|variable| variable.term.clone()));
    variables.iter().filter(|v| written_out.variables().contains(v.name.as_str())).collect()
}

fn speaks_of_role(invariant: &Invariant, variables: &[Variable], role: Role) -> bool {
    speaks_of(invariant, variables).iter().any(|v| v.role == role)
}

/// Applies the edits; a file that cannot take them is named.
fn applied(program: &Program, edits: &[Edit], mut notes: Vec<String>) -> Emitted {
    let mut files = BTreeMap::new();
    match edit::apply(&program.sources, edits) {
        Ok(texts) => {
            for (file, text) in texts {
                files.insert(program.sources.file(file).path.clone(), text);
            }
        }
        Err(overlap) => notes.push(format!("the file is left as it is: {overlap}")),
    }
    Emitted { files, notes }
}

/// The entry value `x_0` is that of the parameter `x`.
fn parameter_of(variable: &Variable) -> &str {
    variable.name.trim_end_matches('_').trim_end_matches("_0")
}

#[cfg(test)]
mod tests;
