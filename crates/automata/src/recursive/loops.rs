//! Loops of a machine, and the phony separator that marks their iterations.
//!
//! Source: Driscoll, Burton, Reps 2011, §2.6. A type that no message has is emitted at the start of each iteration, on
//! both sides, so that the packets of producer and consumer cannot get out of step.
//!
//! Departure: the separator stands on the way from a loop's head *into* its body, so that a loop of n iterations has n
//! separators whether it is a `while`, a `do` or a procedure that calls itself; leaving the loop has none.

use super::{Edge, Label, Machine, ModuleId, StateId};
use crate::alphabet::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Where iterations begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// A loop inside a module, with the states of its body.
    Loop { module: ModuleId, head: StateId, body: BTreeSet<StateId> },
    /// A module that is called again before it has returned.
    Recursion { module: ModuleId },
}

impl Machine {
    /// The loops that emit something, directly or through calls.
    pub fn loops(&self) -> Vec<Head> {
        let emits = self.modules_that_emit();
        let mut heads = Vec::new();
        for id in self.ids() {
            let module = self.module(id);
            let out = module.successors();
            let back = retreating(module.states, module.entry.index(), |state| {
                out[state].iter().map(|&edge| module.edges[edge].to.index()).collect()
            });
            let mut bodies: BTreeMap<usize, BTreeSet<StateId>> = BTreeMap::new();
            for (from, head) in back {
                let body = bodies.entry(head).or_insert_with(|| BTreeSet::from([StateId::new(head)]));
                let mut open = vec![StateId::new(from)];
                while let Some(state) = open.pop() {
                    if body.insert(state) {
                        open.extend(module.edges.iter().filter(|edge| edge.to == state).map(|edge| edge.from));
                    }
                }
            }
            for (head, body) in bodies {
                let inside = |edge: &&Edge| body.contains(&edge.from) && body.contains(&edge.to);
                let emitting = |edge: &Edge| match edge.label {
                    Label::Silent => false,
                    Label::Emit(_) => true,
                    Label::Call { module, .. } => emits[module.index()],
                };
                if module.edges.iter().filter(inside).any(emitting) {
                    heads.push(Head::Loop { module: id, head: StateId::new(head), body });
                }
            }
        }
        let back = retreating(self.modules.len(), self.main.index(), |module| {
            let edges = self.modules[module].edges.iter();
            edges
                .filter_map(
                    |edge| if let Label::Call { module, .. } = edge.label { Some(module.index()) } else { None },
                )
                .collect()
        });
        let called_again: BTreeSet<usize> = back.into_iter().map(|(_, module)| module).collect();
        let recursive = called_again.into_iter().filter(|&module| emits[module]);
        heads.extend(recursive.map(|module| Head::Recursion { module: ModuleId::new(module) }));
        heads
    }

    /// Emits `separator` at the start of every iteration of these loops.
    pub fn separate(&mut self, heads: &[Head], separator: Symbol, tag: u32) {
        for head in heads {
            match head {
                Head::Loop { module, head, body } => {
                    let module = &mut self.modules[module.index()];
                    let inside = module.add_state();
                    for edge in &mut module.edges {
                        if edge.from == *head && body.contains(&edge.to) {
                            edge.from = inside;
                        }
                    }
                    module.add_edge(*head, inside, Label::Emit(separator), tag);
                }
                Head::Recursion { module } => {
                    let module = &mut self.modules[module.index()];
                    let entry = module.add_state();
                    module.add_edge(entry, module.entry, Label::Emit(separator), tag);
                    module.entry = entry;
                }
            }
        }
    }

    fn modules_that_emit(&self) -> Vec<bool> {
        let emits = |module: &super::Module| module.edges.iter().any(|edge| matches!(edge.label, Label::Emit(_)));
        let mut emitting: Vec<bool> = self.modules.iter().map(emits).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (number, module) in self.modules.iter().enumerate() {
                let through =
                    |edge: &Edge| matches!(edge.label, Label::Call { module, .. } if emitting[module.index()]);
                if !emitting[number] && module.edges.iter().any(through) {
                    emitting[number] = true;
                    changed = true;
                }
            }
        }
        emitting
    }
}

/// The edges of a graph that lead back to a node of the current depth-first path.
fn retreating(nodes: usize, root: usize, out: impl Fn(usize) -> Vec<usize>) -> Vec<(usize, usize)> {
    let mut seen = vec![false; nodes];
    let mut on_path = vec![false; nodes];
    let mut back = Vec::new();
    let mut path = vec![(root, out(root), 0)];
    seen[root] = true;
    on_path[root] = true;
    while let Some((node, targets, position)) = path.last_mut() {
        let node = *node;
        let Some(&to) = targets.get(*position) else {
            on_path[node] = false;
            path.pop();
            continue;
        };
        *position += 1;
        if on_path[to] {
            back.push((node, to));
        } else if !std::mem::replace(&mut seen[to], true) {
            on_path[to] = true;
            path.push((to, out(to), 0));
        }
    }
    back
}
