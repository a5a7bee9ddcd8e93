//! Where packets begin: the loops and recursive functions whose rounds `--separator` marks.
//!
//! *Source*: Driscoll, Burton, Reps 2011, §2.6: a phony write or read of a type that occurs nowhere else keeps the
//! packets of both sides in step. *Departure*: nothing is inserted into the source; the mark is an edge of the machine,
//! at the start of each round of an outermost loop that moves something, and at each call of a recursive function that
//! does. Loops that are unrolled, and loops inside what is marked, are parts of a packet and get none.

use super::model::{Call, Model};
use super::slice::{Slice, reaches};
use hashbrown::HashSet;
use ir::{FunctionId, StmtId, StmtKind};
use std::collections::BTreeSet;

/// The loops, and the functions.
pub(super) fn separated(model: &Model, slice: &Slice) -> (HashSet<(FunctionId, StmtId)>, HashSet<FunctionId>) {
    let mut loops = HashSet::new();
    let mut functions = HashSet::new();
    let mut inside: BTreeSet<FunctionId> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    // Callers come before callees, so that what is called inside a round is known when it is looked at.
    let mut order: Vec<FunctionId> = model.graph.components().iter().rev().flatten().copied().collect();
    order.retain(|id| model.functions.contains_key(id) && slice.moving.contains(id));
    for id in order {
        let body = &model.functions[&id];
        seen.insert(id);
        let callees = |call: &Call| match call {
            Call::Functions(targets, _) => targets.iter().filter_map(|target| target.function()).collect(),
            _ => Vec::new(),
        };
        if inside.contains(&id) {
            inside.extend(body.calls.values().flat_map(callees));
            continue;
        }
        if body.recursive {
            functions.insert(id);
            inside.extend(body.calls.values().flat_map(callees).filter(|callee| !seen.contains(callee)));
            continue;
        }
        let mut covered: HashSet<StmtId> = HashSet::new();
        for (stmt, looped) in &body.loops {
            let mut moves = false;
            let mut within = Vec::new();
            let mut called = Vec::new();
            let mut unrolled = false;
            for block in looped.blocks() {
                block.walk(&mut |inner| {
                    within.push(inner.id);
                    unrolled |= slice.steps.contains_key(&(id, inner.id)) && is_own_step(&inner.kind);
                    let Some(call) = body.calls.get(&inner.id) else { return };
                    moves |= match call {
                        Call::Site(_) => true,
                        Call::Functions(targets, _) => targets.iter().any(|t| reaches(*t, &slice.moving)),
                        _ => false,
                    };
                    called.extend(callees(call));
                });
            }
            if !moves || covered.contains(&stmt.id) || unrolled {
                continue;
            }
            loops.insert((id, stmt.id));
            covered.extend(within);
            inside.extend(called);
        }
    }
    (loops, functions)
}

fn is_own_step(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Assign { .. })
}
