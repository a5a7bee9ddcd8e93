//! Which variables certainly have a value at a place.
//!
//! *Question*: may a variable be read here on every run that comes by? Reading one that holds no value is undefined,
//! so observing it would make a good program fault.
//!
//! A forward analysis on the control-flow graph: a local has a value after it was assigned as a whole, and has none
//! after its declaration is reached again. Values written through pointers are not seen.
//!
//! *Guarantee*: a local in the answer has a value each time. Locals that only a callee fills (`scanf("%d", &x)`) are
//! missing.

use super::guards::Anchor;
use ir::dataflow::forward;
use ir::{
    BitSet, BlockId, Cfg, EntityRef, LocalId, LocalKind, Lvalue, SecondaryMap, Stmt, StmtId, StmtKind, Terminator,
};

/// Locals of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Locals(BitSet);

impl Locals {
    pub fn contains(&self, id: LocalId) -> bool {
        self.0.contains(id.index())
    }

    fn set(&mut self, id: LocalId, value: bool) {
        if value { self.0.insert(id.index()) } else { self.0.remove(id.index()) }
    }

    fn meet(&mut self, other: &Locals) {
        self.0.meet(&other.0);
    }
}

/// The answers for one function.
pub struct Assigned<'g, 'p> {
    cfg: &'g Cfg<'p>,
    /// At the start of each block; `None` where nothing is known to lead there.
    starts: SecondaryMap<BlockId, Option<Locals>>,
}

impl<'g, 'p> Assigned<'g, 'p> {
    pub fn new(cfg: &'g Cfg<'p>) -> Assigned<'g, 'p> {
        let locals = &cfg.function().locals;
        let mut entry = Locals(BitSet::empty(locals.len()));
        for (id, local) in locals {
            if local.kind == LocalKind::Parameter {
                entry.set(id, true);
            }
        }
        Assigned { cfg, starts: forward(cfg, entry, transfer, Locals::meet) }
    }

    /// The locals that have a value at the anchor; `None` if control cannot reach it.
    pub fn at(&self, anchor: Anchor) -> Option<Locals> {
        match anchor {
            Anchor::Start => self.starts[self.cfg.entry()].clone(),
            Anchor::Before(stmt) => self.before(stmt),
            Anchor::Head(looped) => {
                let head = self.cfg.blocks.iter().find(|(_, block)| block.loop_head == Some(looped));
                head.and_then(|(block, _)| self.starts[block].clone())
            }
            Anchor::After(label) => {
                // Labels are not listed in their block, so the answer is what holds all along it.
                let block = self.cfg.block_of(label)?;
                let mut state = self.starts[block].clone()?;
                let mut met = state.clone();
                for stmt in &self.cfg.blocks[block].stmts {
                    transfer(&mut state, stmt);
                    met.meet(&state);
                }
                Some(met)
            }
            Anchor::End => {
                let ends = self.cfg.blocks.iter().filter(|(_, b)| matches!(b.terminator, Terminator::Return(None)));
                let mut states = ends.filter_map(|(block, _)| self.end_of(block));
                let first = states.next()?;
                Some(states.fold(first, |mut met, state| {
                    met.meet(&state);
                    met
                }))
            }
        }
    }

    fn end_of(&self, block: BlockId) -> Option<Locals> {
        let mut state = self.starts[block].clone()?;
        self.cfg.blocks[block].stmts.iter().for_each(|stmt| transfer(&mut state, stmt));
        Some(state)
    }

    fn before(&self, stmt: StmtId) -> Option<Locals> {
        let block = self.cfg.block_of(stmt)?;
        let body = &self.cfg.blocks[block];
        // A loop decides in its head, which other ways than the one from before it lead to: fewer have a value there.
        let mut state = self.starts[block].clone()?;
        if body.loop_head == Some(stmt) {
            return Some(state);
        }
        for earlier in body.stmts.iter().take_while(|earlier| earlier.id != stmt) {
            transfer(&mut state, earlier);
        }
        Some(state)
    }
}

fn transfer(state: &mut Locals, stmt: &Stmt) {
    let whole = |target: &Lvalue| target.as_local();
    match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => {
            if let Some(id) = whole(target) {
                state.set(id, true);
            }
        }
        StmtKind::Call { result: Some(target), .. } => {
            if let Some(id) = whole(target) {
                state.set(id, true);
            }
        }
        StmtKind::Live(id) => state.set(*id, false),
        _ => {}
    }
}
