//! Two ways that meet again at once become one: `if (a > m) m = a;` is a choice of values, not two paths.
//!
//! Both sides are tried out under their guard. If they do nothing but assign scalars, and what differs afterwards can be
//! said as one term, the state goes on where they meet. A side that would fork, call, fail or come to a goal keeps the
//! paths apart.
//!
//! *What pays*: a loop of n rounds with such a branch in it has one path instead of 2^n. The price is larger terms.

use super::access::read;
use super::calls::Called;
use super::engine::Engine;
use super::evaluate::select;
use super::memory::ObjectId;
use super::state::{Slot, State};
use super::step::Step;
use exec::vm::Class;
use ir::{BlockId, Branch, EntityRef, FunctionId, Outcome, Stmt, StmtId, StmtKind, Terminator};
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// Statements a side may have.
const LENGTH: usize = 6;

/// A scalar that a side wrote.
pub type Written = BTreeMap<(ObjectId, u64), Class>;

impl<'p> Engine<'p> {
    /// The state where both sides of a branch have met again, if they can be one.
    pub fn merge(
        &mut self,
        state: &State,
        function: FunctionId,
        stmt: StmtId,
        condition: TermId,
        then: BlockId,
        otherwise: BlockId,
    ) -> Option<State> {
        // What the sides touch is noted on one path at a time.
        if !self.config.merge || !state.watches.is_empty() {
            return None;
        }
        let is_goal = |outcome| self.goals.open_branch(function, Branch { stmt, outcome }).is_some();
        if is_goal(Outcome::True) || is_goal(Outcome::False) {
            return None;
        }
        let code = self.code(function);
        let side = |block: BlockId| -> Option<(Vec<&'p Stmt>, BlockId)> {
            let body = &code.cfg.blocks[block];
            let Terminator::Goto(next) = body.terminator else { return None };
            let simple = |stmt: &&Stmt| match &stmt.kind {
                StmtKind::Assign { target, .. } => self.program.types.is_scalar(target.ty),
                StmtKind::Live(local) => code.registers[*local],
                _ => false,
            };
            let fits = body.preds.len() == 1 && body.stmts.len() <= LENGTH && body.stmts.iter().all(simple);
            fits.then(|| (body.stmts.clone(), next))
        };
        let (yes, no, join) = match (side(then), side(otherwise)) {
            (Some((yes, a)), Some((no, b))) if a == b => (yes, no, a),
            (Some((yes, a)), _) if a == otherwise => (yes, Vec::new(), otherwise),
            (_, Some((no, b))) if b == then => (Vec::new(), no, then),
            _ => return None,
        };
        let mut written = Written::new();
        let first = self.try_side(state.clone(), condition, &yes, &mut written)?;
        let mut second = state.clone();
        // What the first side demands under its guard holds on the second in any case.
        second.path = first.path.clone();
        second.model = first.model.clone();
        let negation = self.pool.not(condition);
        let mut merged = self.try_side(second, negation, &no, &mut written)?;
        if first.memory.len() != merged.memory.len() {
            return None;
        }
        let pool = self.pool.clone();
        // What is declared inside a side is out of scope where they meet.
        let inner: BTreeSet<usize> = yes
            .iter()
            .chain(&no)
            .filter_map(|stmt| if let StmtKind::Live(local) = &stmt.kind { Some(local.index()) } else { None })
            .collect();
        let mut locals = Vec::new();
        for (index, (a, b)) in first.frame().locals.iter().zip(&merged.frame().locals).enumerate() {
            match (a, b) {
                (Slot::Register(a), Slot::Register(b)) if a == b => {}
                (Slot::Register(_), Slot::Register(_)) if inner.contains(&index) => locals.push((index, None)),
                (Slot::Register(Some(a)), Slot::Register(Some(b))) => {
                    locals.push((index, Some(select(&pool, condition, a, b)?)));
                }
                (Slot::Register(_), Slot::Register(_)) => return None,
                _ => {}
            }
        }
        let mut values = Vec::new();
        for (&(object, at), &class) in &written {
            let a = read(&pool, first.memory.get(object), at, class).ok()?;
            let b = read(&pool, merged.memory.get(object), at, class).ok()?;
            let stored = first.memory.get(object).stored_at(at);
            if stored != merged.memory.get(object).stored_at(at) {
                return None;
            }
            values.push((object, at, class.bytes(), select(&pool, condition, &a, &b)?, stored));
        }
        for (index, value) in locals {
            merged.frame_mut().locals[index] = Slot::Register(value);
        }
        for (object, at, size, value, stored) in values {
            let object = merged.memory.get_mut(object);
            super::access::write(&pool, object, at, size, value);
            stored.into_iter().for_each(|stored| object.note_stored(at, stored));
        }
        self.merges += 1;
        self.enter(&mut merged, function, join);
        Some(merged)
    }

    /// Executes the statements of a side under its guard.
    fn try_side(
        &mut self,
        mut state: State,
        guard: TermId,
        stmts: &[&'p Stmt],
        written: &mut Written,
    ) -> Option<State> {
        let kept = self.written.replace(std::mem::take(written));
        let mut fine = true;
        for stmt in stmts {
            let mut step = Step { engine: self, state: &mut state, span: stmt.span, guards: vec![guard] };
            if !matches!(step.statement(stmt), Ok(Called::Done)) {
                fine = false;
                break;
            }
        }
        *written = std::mem::replace(&mut self.written, kept).unwrap_or_default();
        fine.then_some(state)
    }
}
