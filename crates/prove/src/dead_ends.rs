//! Assumptions that no path gets past, seen while paths are followed.
//!
//! A claim that no path comes to holds. That says something if branches lead elsewhere, and nothing if all paths to it end at an
//! assumption that is never true: then it is [vacuous](super::vacuity). So every assumption gets a mark before and a mark
//! behind it, and one whose first mark was passed and whose second was not is a dead end.
//!
//! *Guarantee*: where a search without losses found no dead end and nothing undefined, a claim that it did not come to is one
//! that branches keep control from.

use super::graph::bodies_run;
use ir::{Block, CallGraph, FunctionId, Program, Stmt, StmtKind, TracePoint};
use symex::explore::Goal;

/// The program with marks around its assumptions.
pub(super) struct Marks {
    pub program: Program,
    count: usize,
}

fn name(number: usize, side: &str) -> String {
    format!("plumb assumption {number} {side}")
}

impl Marks {
    pub fn new(program: &Program, entry: FunctionId) -> Marks {
        let mut marks = Marks { program: program.clone(), count: 0 };
        for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
            let function = &mut marks.program.functions[id];
            if let Some(body) = &mut function.body {
                surround(body, &mut marks.count);
            }
            function.number_statements();
        }
        marks
    }

    /// The marks as goals, two for each assumption.
    pub fn goals(&self) -> Vec<Goal> {
        (0..self.count).flat_map(|k| [name(k, "before"), name(k, "behind")]).map(Goal::Point).collect()
    }

    /// Whether an assumption was come to and never passed, by which of the goals were met.
    pub fn has_dead_end(met: &[bool]) -> bool {
        met.chunks(2).any(|sides| sides == [true, false])
    }
}

fn surround(block: &mut Block, count: &mut usize) {
    let mut stmts = Vec::with_capacity(block.stmts.len());
    for mut stmt in std::mem::take(&mut block.stmts) {
        for inner in stmt.blocks_mut() {
            surround(inner, count);
        }
        if !matches!(stmt.kind, StmtKind::Assume(_)) {
            stmts.push(stmt);
            continue;
        }
        let span = stmt.span;
        let mark = |side| {
            let point = TracePoint { name: name(*count, side), values: Vec::new() };
            Stmt::new(StmtKind::Trace(point), span)
        };
        stmts.extend([mark("before"), stmt, mark("behind")]);
        *count += 1;
    }
    block.stmts = stmts;
}
