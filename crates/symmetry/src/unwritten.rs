//! Whether calls read what was never written: what the stack or the heap holds from earlier calls.
//!
//! The compiled function answers with whatever lies there, the same in every call perhaps, and no text tells for arrays that
//! loops fill. So where the text leaves it open, every tuple of the domain is given to the function once more, in the
//! virtual machine, which notices each use of a byte that nobody wrote.
//!
//! *Guarantee*: where nothing is said, no call with a tuple of the domain reads what was never written. *Cost*: a call in the
//! virtual machine for each tuple; what is not done when time is over is not known.

use super::generate::EVERY_CALL;
use super::memory::called;
use diagnostics::{Deadline, Finding, Rule};
use exec::vm::{Image, Machine, Options, Policy};
use exec::{Budget, Ending, Input};
use ir::hazards::NodeKey;
use ir::{Base, Callee, Cfg, ExprKind, FunctionId, Initialised, Intrinsic, LocalKind, Program, StmtKind, Terminator};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the text leaves it open: a variable that others fill, or that is filled in part, memory of the heap, a result
/// that is not returned.
pub fn may_be_read(program: &Program, entry: FunctionId) -> bool {
    called(program, entry).into_iter().any(|id| {
        let function = &program.functions[id];
        let Some(body) = &function.body else { return touches_memory(program, id) };
        let known = Initialised::of(program, id);
        let mut open = false;
        body.walk(&mut |stmt| {
            open |= matches!(stmt.kind, StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::Alloca), .. });
            for expr in stmt.exprs() {
                expr.walk(&mut |part| {
                    open |= match &part.kind {
                        ExprKind::Load(lvalue) => match lvalue.base {
                            Base::Local(local) => {
                                let is_variable = function.locals[local].kind != LocalKind::Parameter;
                                is_variable && !known.loads.contains(&NodeKey::of(part))
                            }
                            _ => false,
                        },
                        ExprKind::AddressOf(lvalue) => match lvalue.base {
                            Base::Local(local) => !known.before_addressed.contains(&local),
                            _ => false,
                        },
                        _ => false,
                    };
                });
            }
        });
        open || may_end_without_value(program, id)
    })
}

/// Whether a function without a body takes or gives a pointer.
fn touches_memory(program: &Program, id: FunctionId) -> bool {
    program.types.signature(program.functions[id].ty).is_none_or(|about| {
        let is_pointer = |ty| program.types.pointee(ty).is_some();
        about.unprototyped || is_pointer(about.result) || about.params.iter().any(|ty| is_pointer(*ty))
    })
}

fn may_end_without_value(program: &Program, id: FunctionId) -> bool {
    let about = program.types.signature(program.functions[id].ty);
    if about.is_some_and(|about| program.types.is_void(about.result)) {
        return false;
    }
    Cfg::new(program, id)
        .is_none_or(|cfg| cfg.exits().any(|block| matches!(cfg.blocks[block].terminator, Terminator::Return(None))))
}

/// How the program is read for the virtual machine, and what was seen in it.
#[derive(Clone, Debug)]
pub struct Watch {
    options: cfront::preprocess::Options,
    /// By what was put behind the unit: several relations of one domain are about the same calls.
    seen: Arc<Mutex<BTreeMap<String, Option<String>>>>,
}

impl Watch {
    pub fn new(options: &cfront::preprocess::Options) -> Watch {
        Watch { options: options.clone(), seen: Arc::default() }
    }

    /// Makes the calls of a text that stands behind a unit. What they may read unwritten, or why that is not known, is a
    /// clause.
    pub fn why_not(&self, files: &[PathBuf], unit: usize, calls: &str, deadline: &Deadline) -> Option<String> {
        let known = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(said) = known().get(calls) {
            return said.clone();
        }
        let said = self.call(files, unit, calls, deadline);
        known().insert(calls.to_string(), said.clone());
        said
    }

    fn call(&self, files: &[PathBuf], unit: usize, calls: &str, deadline: &Deadline) -> Option<String> {
        let mut behind = vec![String::new(); files.len()];
        behind[unit] = calls.to_string();
        let unknown = |why: &str| Some(format!("whether all that is read was written is not known ({why})"));
        let Ok(loaded) = cfront::load_with(files, &self.options, &behind) else {
            return unknown("the calls cannot be made in the virtual machine");
        };
        let program = &loaded.program;
        let entry =
            program.find_function(EVERY_CALL).expect("the text that makes the calls should define its function");
        let image = Image::new(program, exec::libc::LIBRARY);
        let time_ms = deadline.left().as_millis().try_into().unwrap_or(u64::MAX);
        let budget = Budget { steps: u64::MAX, time_ms, ..Budget::default() };
        let policy = Policy { suppressed: Some(Arc::new(has_a_value)), ..Policy::default() };
        let options = Options { cancel: Some(Arc::clone(&deadline.cancel)), policy, ..Options::default() };
        match Machine::new(&image).run(entry, &Input::default(), &budget, options).outcome.ending {
            Ending::Returned(_) => None,
            Ending::Faulted(finding) => Some(format!("in a call: {}", finding.message)),
            Ending::Unsupported { what, .. } => unknown(&format!("the virtual machine has no model of {what}")),
            Ending::OutOfBudget { .. } | Ending::Interrupted => unknown("not every call was made again in time"),
            _ => unknown("a call ended the program"),
        }
    }
}

/// Undefined behaviour to which compilers give a value that follows from the operands: it says nothing about what is read.
fn has_a_value(finding: &Finding) -> bool {
    matches!(finding.rule, Rule::SignedOverflow | Rule::BadShift | Rule::BadConversion)
}
