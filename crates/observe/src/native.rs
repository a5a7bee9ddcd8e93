//! Runs of the program as the user's compiler makes it, with probes at the locations.
//!
//! The compiler's sanitizers stop a run at the first undefined behaviour, as the VM does, so that no row comes from
//! wrapped numbers. Ghosts and entry values have no text in the user's program and are left out, and so are results
//! and places where no probe can stand; a note names the latter.

use super::guards::Anchor;
use super::inputs::Candidate;
use super::locations::Instrumented;
use super::runs::{Ran, Runner};
use super::{Location, Refusal, Role};
use cfront::preprocess::Options;
use cfront::probe::Position;
use diagnostics::Deadline;
use diagnostics::Span;
use exec::Variable;
use exec::trace::Trace;
use exec::{Budget, Ending, Outcome};
use ir::{Program, StmtKind};
use rayon::prelude::*;
use replay::{Binary, Conditions, Watch, compile, prepare_watched};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rows that one run may record, in cells of eight bytes.
const CELLS: usize = 1 << 17;

/// A compiled program.
pub struct Natively {
    binary: Binary,
    points: Trace,
    cancel: Arc<AtomicBool>,
}

impl Natively {
    /// Compiles the program with probes, and leaves in the locations only what they show. An error is a sentence for
    /// the user.
    pub fn build(
        program: &Program,
        paths: &[PathBuf],
        options: &Options,
        mut instrumented: Instrumented,
        deadline: &Deadline,
    ) -> Result<(Natively, Instrumented), Refusal> {
        let own = |location: &Location| {
            let mut found = false;
            for (_, _, body) in program.defined_functions() {
                body.walk(&mut |stmt| found |= matches!(&stmt.kind, StmtKind::Trace(p) if p.name == location.name));
            }
            found
        };
        let mut watches = Vec::new();
        for (location, anchor) in instrumented.locations.iter_mut().zip(&instrumented.anchors) {
            location.variables.retain(|v| v.role == Role::Program);
            if own(location) {
                continue;
            }
            let span = location.span.unwrap_or(Span::NONE);
            let position = match anchor {
                Anchor::Head(_) => Position::LoopHead(span),
                Anchor::Before(_) | Anchor::After(_) => Position::Before(span),
                Anchor::Start | Anchor::End => {
                    let note = format!("`{}` is not observed: native runs have no probe there.", location.name);
                    instrumented.notes.push(note);
                    continue;
                }
            };
            let variables = location.variables.iter().filter_map(|v| Some(Variable::new(v.name.clone(), v.ty?)));
            watches.push(Watch { position, name: location.name.clone(), variables: variables.collect() });
        }
        let entry = instrumented.entry;
        let mut prepared = prepare_watched(program, paths, options, entry, &watches).map_err(|why| refused(&why))?;
        for missed in &prepared.unobserved {
            instrumented.notes.push(format!("{}: {}.", program.sources.describe(missed.span), missed.why));
        }
        prepared.recipe.sanitize = true;
        let binary = compile(&prepared.recipe, Some(&deadline.cancel)).map_err(|why| refused(&why))?;
        let native = Natively { binary, points: prepared.recipe.points, cancel: deadline.cancel.clone() };
        Ok((native, instrumented))
    }
}

fn refused(why: &dyn std::fmt::Display) -> Refusal {
    Refusal::Compiler(format!("{why}."))
}

impl Runner for Natively {
    fn points(&self) -> &Trace {
        &self.points
    }

    fn run(&self, candidates: &[Candidate]) -> Vec<Ran> {
        let budget = Budget { time_ms: 2_000, output: 1 << 20, ..Budget::default() };
        let conditions = Conditions { trace_cells: CELLS, cancel: Some(&self.cancel), ..Conditions::default() };
        let one = |candidate: &Candidate| match self.binary.run(&candidate.input, &budget, &conditions) {
            Ok(run) => Ran { outcome: run.outcome, trace: run.trace, coverage: None },
            Err(error) => {
                let what = format!("the compiled program could not be started: {error}");
                let ending = Ending::Unsupported { what, span: Span::NONE };
                let outcome = Outcome { ending, stdout: Vec::new(), stderr: Vec::new(), steps: 0 };
                Ran { outcome, trace: self.points.clone(), coverage: None }
            }
        };
        candidates.par_iter().map(one).collect()
    }
}
