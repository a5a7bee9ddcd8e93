//! From the structured body to blocks.
//!
//! Statements are laid out one after another into rough blocks, some of them empty or out of reach. Then empty ones
//! that only lead on are skipped, chains are joined, and what the entry reaches is numbered.

use super::{BasicBlock, BlockId, Cfg, Stop, Terminator};
use crate::program::{FunctionId, LabelId, Program};
use crate::stmt::{Block, Callee, LoopKind, Stmt, StmtId, StmtKind};
use cranelift_entity::{PrimaryMap, SecondaryMap};

struct Rough<'p> {
    stmts: Vec<&'p Stmt>,
    /// Everything that runs here, jumps and labels included.
    holds: Vec<StmtId>,
    terminator: Option<Terminator<'p>>,
    loop_head: Option<StmtId>,
}

struct Builder<'p> {
    program: &'p Program,
    rough: PrimaryMap<BlockId, Rough<'p>>,
    labels: SecondaryMap<LabelId, Option<BlockId>>,
    current: BlockId,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
struct Targets {
    on_break: Option<BlockId>,
    on_continue: Option<BlockId>,
}

pub(super) fn build<'p>(program: &'p Program, function: FunctionId, body: &'p Block) -> Cfg<'p> {
    let mut builder =
        Builder { program, rough: PrimaryMap::new(), labels: SecondaryMap::new(), current: BlockId::from_u32(0) };
    let entry = builder.fresh();
    builder.current = entry;
    builder.block(body, Targets { on_break: None, on_continue: None });
    builder.end(Terminator::Return(None));
    builder.finish(function, entry)
}

impl<'p> Builder<'p> {
    fn fresh(&mut self) -> BlockId {
        self.rough.push(Rough { stmts: Vec::new(), holds: Vec::new(), terminator: None, loop_head: None })
    }

    fn label(&mut self, label: LabelId) -> BlockId {
        if let Some(block) = self.labels[label] {
            return block;
        }
        let block = self.fresh();
        self.labels[label] = Some(block);
        block
    }

    /// Ends the current block. What is laid out next, before a block is chosen, cannot be reached.
    fn end(&mut self, terminator: Terminator<'p>) {
        self.rough[self.current].terminator = Some(terminator);
        self.current = self.fresh();
    }

    fn go_to(&mut self, next: BlockId) {
        self.rough[self.current].terminator = Some(Terminator::Goto(next));
        self.current = next;
    }

    fn jump(&mut self, target: Option<BlockId>) {
        // Only a malformed body jumps nowhere; treating that as the end keeps the graph a graph.
        self.end(target.map_or(Terminator::Return(None), Terminator::Goto));
    }

    fn block(&mut self, block: &'p Block, targets: Targets) {
        for stmt in &block.stmts {
            self.stmt(stmt, targets);
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt, targets: Targets) {
        let here = |builder: &mut Self| builder.rough[builder.current].holds.push(stmt.id);
        match &stmt.kind {
            StmtKind::Assign { .. }
            | StmtKind::Zero(_)
            | StmtKind::Live(_)
            | StmtKind::Assume(_)
            | StmtKind::Assert { .. }
            | StmtKind::Trace(_)
            | StmtKind::Call { .. }
            | StmtKind::Unordered(_)
            | StmtKind::Unsupported(_) => {
                here(self);
                self.rough[self.current].stmts.push(stmt);
                if let Some(stop) = self.stops(stmt) {
                    self.end(Terminator::Stop(stop));
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                here(self);
                let (yes, no, after) = (self.fresh(), self.fresh(), self.fresh());
                self.end(Terminator::Branch { stmt, cond, then: yes, otherwise: no });
                for (start, block) in [(yes, then), (no, otherwise)] {
                    self.current = start;
                    self.block(block, targets);
                    self.go_to(after);
                }
            }
            StmtKind::Loop(looped) => {
                let (head, onward, after) = (self.fresh(), self.fresh(), self.fresh());
                self.rough[head].loop_head = Some(stmt.id);
                let inside = Targets { on_break: Some(after), on_continue: Some(onward) };
                self.go_to(head);
                let body = if looped.kind == LoopKind::DoWhile { head } else { self.fresh() };
                if looped.kind == LoopKind::DoWhile {
                    self.block(&looped.body, inside);
                    self.go_to(onward);
                }
                self.block(&looped.pre, inside);
                match &looped.cond {
                    Some(cond) => {
                        here(self);
                        self.end(Terminator::Branch { stmt, cond, then: body, otherwise: after });
                    }
                    None => {
                        self.rough[head].holds.push(stmt.id);
                        self.end(Terminator::Goto(body));
                    }
                }
                if looped.kind != LoopKind::DoWhile {
                    self.current = body;
                    self.block(&looped.body, inside);
                    self.go_to(onward);
                    self.block(&looped.step, inside);
                    self.end(Terminator::Goto(head));
                }
                self.current = after;
            }
            StmtKind::Switch { value, arms, default, body } => {
                here(self);
                let after = self.fresh();
                let arm_blocks = arms.iter().map(|arm| self.label(arm.label)).collect();
                let default = default.map_or(after, |label| self.label(label));
                self.end(Terminator::Switch { stmt, value, arms, targets: arm_blocks, default });
                self.block(body, Targets { on_break: Some(after), ..targets });
                self.go_to(after);
            }
            StmtKind::Block(block) => self.block(block, targets),
            StmtKind::Break => {
                here(self);
                self.jump(targets.on_break);
            }
            StmtKind::Continue => {
                here(self);
                self.jump(targets.on_continue);
            }
            StmtKind::Goto(label) => {
                here(self);
                let target = self.label(*label);
                self.jump(Some(target));
            }
            StmtKind::Label(label) => {
                let block = self.label(*label);
                self.go_to(block);
                here(self);
            }
            StmtKind::Return(_) => {
                here(self);
                self.end(Terminator::Return(Some(stmt)));
            }
        }
    }

    fn stops(&self, stmt: &Stmt) -> Option<Stop> {
        match &stmt.kind {
            _ if stmt.obstacle().is_some() => Some(Stop::Unsupported),
            StmtKind::Call { callee: Callee::Function(id), .. } if self.program.functions[*id].noreturn => {
                Some(Stop::NoReturn)
            }
            _ => None,
        }
    }

    /// The first block from here on that does something, or where iterations start. Going round in circles of empty
    /// blocks ends at one of them.
    fn skip_empty(&self, from: BlockId) -> BlockId {
        let mut at = from;
        for _ in 0..self.rough.len() {
            let block = &self.rough[at];
            match block.terminator {
                Some(Terminator::Goto(next)) if block.holds.is_empty() && block.loop_head.is_none() => at = next,
                _ => break,
            }
        }
        at
    }

    fn retarget(&mut self, change: impl Fn(&Self, BlockId) -> BlockId) {
        for id in self.rough.keys() {
            let mut terminator = self.rough[id].terminator.take();
            for target in terminator.iter_mut().flat_map(targets_mut) {
                *target = change(self, *target);
            }
            self.rough[id].terminator = terminator;
        }
    }

    fn finish(mut self, function: FunctionId, entry: BlockId) -> Cfg<'p> {
        // Resolved before anything changes, because a terminator is missing while it is being changed.
        let skipped: SecondaryMap<BlockId, BlockId> =
            self.rough.keys().fold(SecondaryMap::with_default(entry), |mut map, id| {
                map[id] = self.skip_empty(id);
                map
            });
        self.retarget(|_, target| skipped[target]);
        let entry = skipped[entry];
        let order = self.reverse_postorder(entry);

        let mut pred_count: SecondaryMap<BlockId, u32> = SecondaryMap::new();
        pred_count[entry] = 1;
        for &id in &order {
            for target in self.rough[id].terminator.iter_mut().flat_map(targets_mut) {
                pred_count[*target] += 1;
            }
        }
        // Joins a block to the one before if that is the only way in. In reverse postorder such a pair is met in
        // order, and the earlier one may itself have been joined already.
        let mut joined_to: SecondaryMap<BlockId, Option<BlockId>> = SecondaryMap::new();
        for &id in &order {
            let keeper = joined_to[id].unwrap_or(id);
            while let Some(Terminator::Goto(next)) = self.rough[keeper].terminator {
                if pred_count[next] != 1 || self.rough[next].loop_head.is_some() || next == keeper || next == entry {
                    break;
                }
                let next_block = &mut self.rough[next];
                let (stmts, holds) = (std::mem::take(&mut next_block.stmts), std::mem::take(&mut next_block.holds));
                let terminator = next_block.terminator.take();
                joined_to[next] = Some(keeper);
                let block = &mut self.rough[keeper];
                block.stmts.extend(stmts);
                block.holds.extend(holds);
                block.terminator = terminator;
            }
        }

        let order = self.reverse_postorder(entry);
        let mut numbers: SecondaryMap<BlockId, BlockId> = SecondaryMap::with_default(BlockId::from_u32(0));
        for (number, id) in (0u32..).zip(&order) {
            numbers[*id] = BlockId::from_u32(number);
        }
        self.retarget(|_, target| numbers[target]);
        let mut cfg = Cfg { program: self.program, function, blocks: PrimaryMap::new(), block_of: SecondaryMap::new() };
        for id in order {
            let rough = &mut self.rough[id];
            let terminator = rough
                .terminator
                .take()
                .expect("a reachable block should have been ended, because all code is laid out");
            let number = cfg.blocks.push(BasicBlock {
                stmts: std::mem::take(&mut rough.stmts),
                terminator,
                preds: Vec::new(),
                loop_head: rough.loop_head,
            });
            for stmt in &rough.holds {
                cfg.block_of[*stmt] = number.into();
            }
        }
        for id in cfg.blocks.keys() {
            for succ in cfg.succs(id) {
                cfg.blocks[succ].preds.push(id);
            }
        }
        cfg
    }

    fn reverse_postorder(&mut self, entry: BlockId) -> Vec<BlockId> {
        let mut visited: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut order = Vec::new();
        let mut open: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        let succs = |builder: &mut Self, id: BlockId| -> Vec<BlockId> {
            builder.rough[id].terminator.iter_mut().flat_map(targets_mut).map(|target| *target).collect()
        };
        visited[entry] = true;
        let first = succs(self, entry);
        open.push((entry, first));
        // Targets are taken from the end, so that the first one comes first in the order that results.
        while let Some((id, rest)) = open.last_mut() {
            match rest.pop() {
                Some(next) if !visited[next] => {
                    visited[next] = true;
                    let targets = succs(self, next);
                    open.push((next, targets));
                }
                Some(_) => {}
                None => {
                    order.push(*id);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

fn targets_mut<'a>(terminator: &'a mut Terminator) -> Vec<&'a mut BlockId> {
    match terminator {
        Terminator::Goto(to) => vec![to],
        Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { targets, default, .. } => targets.iter_mut().chain([default]).collect(),
        Terminator::Return(_) | Terminator::Stop(_) => Vec::new(),
    }
}
