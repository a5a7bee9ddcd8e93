//! Reads of registers that may come before any write.
//!
//! While a function is compiled, every write of a local leaves an `Assigned` mark, its declaration an `Unassigned`
//! one, every read a `Use`. Here a forward analysis over the basic blocks finds the locals that are assigned on all
//! ways to each point (sets meet by intersection; a `Use` counts as an assignment afterwards, since the run does not
//! get past it otherwise). A `Use` of a local that is surely assigned disappears. The others become checks of a flag
//! register that the remaining marks of that local set and clear; marks of other locals disappear too. Then labels
//! become positions.
//!
//! *Guarantee*: a read of a local that no write came before is always found, and nothing else is: the flag is exact.
//! *Cost*: blocks times locals in bits, for a handful of rounds.

use super::super::bytecode::{Op, Reg};
use super::Compiler;
use ir::{BitSet, EntityRef};

fn apply(op: &Op, assigned: &mut BitSet) {
    match op {
        Op::Assigned(local) | Op::Use(local) => assigned.insert(local.index()),
        Op::Unassigned(local) => assigned.remove(local.index()),
        _ => {}
    }
}

pub(super) fn settle_checks(compiler: &mut Compiler<'_>, flags: &[Reg]) {
    let checked = find_checked(compiler, flags.len());
    let needed = {
        let mut needed = BitSet::empty(flags.len());
        for (at, op) in compiler.ops.iter().enumerate() {
            if let Op::Use(local) = op
                && checked[at]
            {
                needed.insert(local.index());
            }
        }
        needed
    };
    let mut ops = Vec::with_capacity(compiler.ops.len());
    let mut spans = Vec::with_capacity(compiler.ops.len());
    for (local, _) in compiler.function.locals.iter().filter(|(local, _)| needed.contains(local.index())) {
        ops.push(Op::Const(flags[local.index()], 0));
        spans.push(compiler.function.span);
    }
    let mut positions = Vec::with_capacity(compiler.ops.len() + 1);
    for (at, (op, span)) in compiler.ops.iter().zip(&compiler.spans).enumerate() {
        positions.push(ops.len() as u32);
        let op = match *op {
            Op::Use(local) if checked[at] => Op::CheckAssigned(flags[local.index()], local),
            Op::Assigned(local) if needed.contains(local.index()) => Op::Const(flags[local.index()], 1),
            Op::Unassigned(local) if needed.contains(local.index()) => Op::Const(flags[local.index()], 0),
            Op::Use(_) | Op::Assigned(_) | Op::Unassigned(_) => continue,
            other => other,
        };
        ops.push(op);
        spans.push(*span);
    }
    positions.push(ops.len() as u32);
    let place = |label: u32| {
        let at =
            compiler.labels[label as usize].expect("a label should stand somewhere, because the program is verified");
        positions[at as usize]
    };
    for op in &mut ops {
        if let Some(target) = op.target_mut() {
            *target = place(*target);
        }
    }
    for table in &mut compiler.switches {
        for target in table.targets_mut() {
            *target = place(*target);
        }
    }
    compiler.ops = ops;
    compiler.spans = spans;
}

/// For each instruction whether it is a `Use` of a local that may be unassigned.
fn find_checked(compiler: &mut Compiler<'_>, locals: usize) -> Vec<bool> {
    let length = compiler.ops.len();
    let position = |label: u32| compiler.labels[label as usize].map_or(length, |at| at as usize);
    // Blocks start at labels and after instructions that jump or end.
    let mut starts = vec![false; length + 1];
    starts[0] = true;
    for label in compiler.labels.iter().flatten() {
        starts[*label as usize] = true;
    }
    let mut ops = compiler.ops.clone();
    for (at, op) in ops.iter_mut().enumerate() {
        if op.ends_block() || op.target_mut().is_some() {
            starts[at + 1] = true;
        }
    }
    let first: Vec<usize> = (0..length).filter(|&at| starts[at]).collect();
    let mut block_at = vec![0; length + 1];
    for (block, &start) in first.iter().enumerate() {
        let end = first.get(block + 1).copied().unwrap_or(length);
        block_at[start..end].fill(block);
    }
    let mut switches = compiler.switches.clone();
    let successors: Vec<Vec<usize>> = (0..first.len())
        .map(|block| {
            let end = first.get(block + 1).copied().unwrap_or(length);
            let mut next = Vec::new();
            let last = &mut ops[end - 1];
            if !last.ends_block() && end < length {
                next.push(block_at[end]);
            }
            if let Some(target) = last.target_mut() {
                let at = position(*target);
                if at < length {
                    next.push(block_at[at]);
                }
            }
            if let Op::Switch(_, table) = last {
                for target in switches[*table as usize].targets_mut() {
                    let at = position(*target);
                    if at < length {
                        next.push(block_at[at]);
                    }
                }
            }
            next
        })
        .collect();
    let mut entry: Vec<BitSet> = vec![BitSet::full(locals); first.len()];
    let mut checked = vec![false; length];
    if length == 0 {
        return checked;
    }
    entry[0] = BitSet::empty(locals);
    let mut reached = vec![false; first.len()];
    reached[0] = true;
    let mut pending = vec![0];
    while let Some(block) = pending.pop() {
        let end = first.get(block + 1).copied().unwrap_or(length);
        let mut assigned = entry[block].clone();
        for op in &compiler.ops[first[block]..end] {
            apply(op, &mut assigned);
        }
        for &next in &successors[block] {
            let lost = entry[next].meet(&assigned);
            if lost || !reached[next] {
                reached[next] = true;
                pending.push(next);
            }
        }
    }
    for (block, &start) in first.iter().enumerate() {
        let end = first.get(block + 1).copied().unwrap_or(length);
        let mut assigned = entry[block].clone();
        for (op, checked) in compiler.ops[start..end].iter().zip(&mut checked[start..end]) {
            if let Op::Use(local) = op {
                *checked = reached[block] && !assigned.contains(local.index());
            }
            apply(op, &mut assigned);
        }
    }
    checked
}
