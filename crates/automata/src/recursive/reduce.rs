//! Each module made deterministic and as small as possible, calls taken as letters.
//!
//! Source: E. Driscoll, A. Burton, T. Reps, "Checking conformance of a producer and a consumer", 2011, §2.2: "turns what
//! would be a multiplicative factor into an additive one".
//!
//! Departures: several exits are several kinds of acceptance. A call of a module in which the program can end is also
//! the last letter of a word, so that `exit(0)` in a callee is not lost when nothing can be accepted after the call.

use super::{Edge, Label, Machine, Module, ModuleId, NEVER, StateId};
use crate::finite::deterministic::{Deterministic, Kinds, Source};
use crate::summaries::{Limits, Stopped};
use std::collections::BTreeSet;

/// Kinds of acceptance beside the exit numbers.
const END: u32 = u32::MAX - 1;
const ENDS_IN_CALLEE: u32 = u32::MAX;

impl Machine {
    /// The same language with the smallest deterministic module for each. A module whose subset construction would
    /// pass eight times its size (and a thousand states) stays as it is.
    pub fn reduce(&self) -> Machine {
        self.reduce_within(&Limits::NONE).expect("without limits nothing should stop the construction")
    }

    /// The same within limits. A module whose subsets have more members than may be held stays as it is.
    pub fn reduce_within(&self, limits: &Limits<'_>) -> Result<Machine, Stopped> {
        let can_end = self.modules_that_end();
        let mut modules = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            modules.push(reduced(module, &can_end, limits)?.unwrap_or_else(|| module.clone()));
        }
        Ok(Machine { modules, main: self.main })
    }

    /// Whether the program can end inside each module; in a pruned machine, all states count as reachable.
    fn modules_that_end(&self) -> Vec<bool> {
        let mut can_end: Vec<bool> = self.modules.iter().map(|module| !module.ends.is_empty()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (number, module) in self.modules.iter().enumerate() {
                let through = |edge: &Edge| matches!(edge.label, Label::Call { module, .. } if can_end[module.index()]);
                if !can_end[number] && module.edges.iter().any(through) {
                    can_end[number] = true;
                    changed = true;
                }
            }
        }
        can_end
    }
}

fn reduced(module: &Module, can_end: &[bool], limits: &Limits<'_>) -> Result<Option<Module>, Stopped> {
    let sink = module.states;
    let mut kinds = vec![Kinds::new(); module.states + 1];
    for (number, exit) in module.exits.iter().enumerate() {
        kinds[exit.index()].insert(number as u32);
    }
    for end in &module.ends {
        kinds[end.index()].insert(END);
    }
    kinds[sink].insert(ENDS_IN_CALLEE);
    let mut arcs = Vec::new();
    for edge in &module.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        match edge.label {
            Label::Silent => arcs.push((from, None, to, edge.tag)),
            Label::Emit(_) => arcs.push((from, Some(edge.label), to, edge.tag)),
            Label::Call { module: called, exit } => {
                if exit != NEVER {
                    arcs.push((from, Some(edge.label), to, edge.tag));
                }
                if can_end[called.index()] {
                    arcs.push((from, Some(Label::Call { module: called, exit: NEVER }), sink, edge.tag));
                }
            }
        }
    }
    let source = Source { kinds, initial: vec![module.entry.index()], arcs };
    let Some(large) = source.determinise(8 * module.states + 1000, limits)? else { return Ok(None) };
    Ok(Some(rebuilt(&module.name, module.exits.len(), &large.minimise(limits)?)))
}

fn rebuilt(name: &str, exits: usize, small: &Deterministic<Label>) -> Module {
    let mut module = Module::new(name);
    module.states = small.kinds.len().max(1);
    let mut exit_states = vec![Vec::new(); exits];
    for (state, row) in small.next.iter().enumerate() {
        let from = StateId::new(state);
        for &kind in &small.kinds[state] {
            match kind {
                END => module.ends.push(from),
                ENDS_IN_CALLEE => {}
                exit => exit_states[exit as usize].push(from),
            }
        }
        let returning: BTreeSet<ModuleId> = row.keys().filter_map(|label| returning_callee(*label)).collect();
        for (&label, &(to, tag)) in row {
            match label {
                Label::Call { module: called, exit: NEVER } => {
                    if !returning.contains(&called) {
                        module.add_edge(from, from, label, tag);
                    }
                }
                _ => module.add_edge(from, StateId::new(to), label, tag),
            }
        }
    }
    for states in exit_states {
        let exit = match states[..] {
            [only] => only,
            _ => {
                let shared = module.add_state();
                states.iter().for_each(|&state| module.add_edge(state, shared, Label::Silent, 0));
                shared
            }
        };
        module.exits.push(exit);
    }
    module
}

fn returning_callee(label: Label) -> Option<ModuleId> {
    match label {
        Label::Call { exit: NEVER, .. } => None,
        Label::Call { module, .. } => Some(module),
        _ => None,
    }
}
