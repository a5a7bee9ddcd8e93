//! The copy of a function with trace statements, entry values and counted rounds.

use super::Ghost;
use crate::guards::Anchor;
use diagnostics::Span;
use ir::{BinaryOp, Block, Expr, ExprKind, IntKind, LocalId, LoopKind, Lvalue, Program, Stmt, StmtId, StmtKind};
use std::collections::BTreeMap;

/// The changes to the body of one function.
pub(super) struct Edits<'p> {
    pub(super) program: &'p Program,
    /// The statement to put there, and whether it takes the place of the one that is there.
    pub(super) traces: BTreeMap<Anchor, Vec<(Stmt, bool)>>,
    pub(super) ghosts: BTreeMap<StmtId, Ghost>,
    pub(super) power: IntKind,
}

impl Edits<'_> {
    pub(super) fn block(&self, block: &mut Block) {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let mut replaced = false;
            for (trace, replaces) in self.at(Anchor::Before(stmt.id)) {
                stmts.push(trace.clone());
                replaced |= *replaces;
            }
            if let Some(ghost) = self.ghosts.get(&stmt.id) {
                stmts.extend(self.reset(ghost, stmt.span));
            }
            self.inside(&mut stmt);
            let id = stmt.id;
            if !replaced {
                stmts.push(stmt);
            }
            stmts.extend(self.at(Anchor::After(id)).iter().map(|(trace, _)| trace.clone()));
        }
        block.stmts = stmts;
    }

    fn at(&self, anchor: Anchor) -> &[(Stmt, bool)] {
        self.traces.get(&anchor).map_or(&[], Vec::as_slice)
    }

    fn inside(&self, stmt: &mut Stmt) {
        stmt.blocks_mut().into_iter().for_each(|block| self.block(block));
        let (id, span) = (stmt.id, stmt.span);
        let StmtKind::Loop(looped) = &mut stmt.kind else { return };
        if let Some(ghost) = self.ghosts.get(&id) {
            // The step is where a round ends, also one that `continue` ends; in a `do`-loop that is where the
            // condition is looked at.
            let counted = self.count(ghost, span);
            match looped.kind {
                LoopKind::DoWhile => looped.pre.stmts.splice(0..0, counted).for_each(drop),
                LoopKind::While | LoopKind::For => looped.step.stmts.extend(counted),
            }
        }
        let head = if looped.kind == LoopKind::DoWhile { &mut looped.body } else { &mut looped.pre };
        let traces = self.at(Anchor::Head(id)).iter().map(|(trace, _)| trace.clone());
        head.stmts.splice(0..0, traces).for_each(drop);
    }

    /// The loop is entered.
    pub(super) fn reset(&self, ghost: &Ghost, span: Span) -> [Stmt; 2] {
        self.updates(ghost, span, |_, kind, first| Expr::int(first, self.program.types.int(kind), span))
    }

    /// A round of the loop is done.
    fn count(&self, ghost: &Ghost, span: Span) -> [Stmt; 2] {
        self.updates(ghost, span, |local, kind, first| {
            let ty = self.program.types.int(kind);
            let (op, by) = if first == 0 { (BinaryOp::Add, 1) } else { (BinaryOp::Mul, 2) };
            let value = Box::new(Expr::load(Lvalue::local(local, ty, span)));
            Expr::new(ExprKind::Binary(op, value, Box::new(Expr::int(by, ty, span))), ty, span)
        })
    }

    fn updates(&self, ghost: &Ghost, span: Span, value: impl Fn(LocalId, IntKind, i128) -> Expr) -> [Stmt; 2] {
        [(ghost.counter, IntKind::Long, 0), (ghost.power, self.power, 1)].map(|(local, kind, first)| {
            let target = Lvalue::local(local, self.program.types.int(kind), span);
            Stmt::new(StmtKind::Assign { target, value: value(local, kind, first) }, span)
        })
    }
}
