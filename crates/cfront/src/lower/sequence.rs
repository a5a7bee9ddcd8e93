//! Evaluations that C leaves without an order: what each operand reads, writes and calls while it is lowered.
//!
//! *Question*: would another order of evaluation, which a compiler may choose, do something else?
//!
//! While a full expression is lowered, every access and call is noted. Where C leaves open which of two operands comes
//! first, the notes of one are set against those of the other (C17 6.5p2–3, 6.5.2.2p10, 6.7.9p23): a pair of which one
//! writes may be a conflict, and an `Unordered` statement is put before both. Whether two such accesses meet depends on
//! what called functions do, so the pairs are kept until all units are lowered and decided by
//! [`settle`](crate::order::settle), which takes the statement out again where nothing meets.
//!
//! A write is *pending* until a sequence point: the store of `i = i++` comes after the values of its operands but not
//! after their side effects.

use super::{Lowered, Lowerer};
use crate::order::{Candidate, Deed, Evaluation, placeholder};
use diagnostics::Span;
use ir::{Lvalue, Stmt, StmtKind};

/// The notes of one operand.
pub(super) type Notes = std::ops::Range<usize>;

impl Lowerer<'_, '_> {
    /// The position in the notes, to make a range of later.
    pub(super) fn noted(&self) -> usize {
        self.frame.notes.len()
    }

    /// Forgets what belongs to the full expression before.
    pub(super) fn begin_full_expression(&mut self) {
        if self.frame.inside_expression == 0 {
            self.frame.notes.clear();
        }
    }

    pub(super) fn note(&mut self, deed: Deed, span: Span) {
        if self.unevaluated > 0 || self.constant_only || self.frame.function.is_none() {
            return;
        }
        // One is enough of what has no place of its own.
        if matches!(deed, Deed::Risk)
            && matches!(self.frame.notes.last(), Some(Evaluation { deed: Deed::Risk, sure: true, .. }))
        {
            return;
        }
        self.frame.notes.push(Evaluation { deed, span, text: String::new(), pending: true, sure: true });
    }

    pub(super) fn note_write(&mut self, target: &Lvalue, span: Span) {
        // A temporary has one writer and its readers come later.
        if let ir::Base::Local(local) = target.base
            && self.frame.locals[local].kind == ir::LocalKind::Temporary
        {
            return;
        }
        self.note(Deed::Write(target.clone()), span);
    }

    /// Whether something was noted since that is more than a look.
    pub(super) fn has_effects(&self, since: usize) -> bool {
        let notes = self.frame.notes.get(since..).unwrap_or_default();
        notes.iter().any(|e| matches!(e.deed, Deed::Write(_) | Deed::Call { .. }))
    }

    /// The side effects noted since are complete.
    pub(super) fn sequence_point(&mut self, since: usize) {
        for evaluation in self.frame.notes.iter_mut().skip(since) {
            evaluation.pending = false;
        }
    }

    /// What was noted since happens on some runs only.
    pub(super) fn only_perhaps(&mut self, since: usize) {
        for evaluation in self.frame.notes.iter_mut().skip(since) {
            evaluation.sure = false;
        }
    }

    /// Two operands without an order, whose statements begin at `mark`.
    pub(super) fn unordered(&mut self, mark: usize, first: Notes, second: Notes, span: Span) {
        self.candidate(mark, first, second, span, false);
    }

    /// As [`Self::unordered`], for evaluations that do not interleave: initialisers of one list.
    pub(super) fn in_any_order(&mut self, mark: usize, first: Notes, second: Notes, span: Span) {
        self.candidate(mark, first, second, span, true);
    }

    /// Notes the store of an assignment, which is not ordered with the side effects of its operands, noted since.
    pub(super) fn stored(&mut self, mark: usize, since: usize, target: &Lvalue, span: Span) {
        let before = self.noted();
        self.note_write(target, span);
        let Some(store) = self.frame.notes.get(before).cloned() else { return };
        let operands = self.frame.notes.get(since..before).unwrap_or_default();
        let pending: Vec<Evaluation> =
            operands.iter().filter(|e| e.pending && may_meet(e, &store) && is_write(e)).cloned().collect();
        if !pending.is_empty() {
            self.keep_candidate(mark, pending, vec![store], span, false);
        }
    }

    /// Lowers two operands without an order, the left one first or, if the order is asked for, the right one. What was
    /// lowered first is kept while the other one runs.
    pub(super) fn in_some_order<A, B>(
        &mut self,
        span: Span,
        left: impl FnOnce(&mut Self) -> Lowered<A>,
        keep_left: impl FnOnce(&mut Self, A, usize) -> A,
        right: impl FnOnce(&mut Self) -> Lowered<B>,
        keep_right: impl FnOnce(&mut Self, B, usize) -> B,
    ) -> Lowered<(A, B)> {
        let (start, from) = (self.mark(), self.noted());
        if self.is_backwards(span) {
            let right = right(self)?;
            let (mark, middle) = (self.mark(), self.noted());
            let left = left(self)?;
            let right = keep_right(self, right, mark);
            self.unordered(start, from..middle, middle..self.noted(), span);
            return Ok((left, right));
        }
        let left = left(self)?;
        let (mark, middle) = (self.mark(), self.noted());
        let right = right(self)?;
        let left = keep_left(self, left, mark);
        self.unordered(start, from..middle, middle..self.noted(), span);
        Ok((left, right))
    }

    /// Whether the operands of the expression are evaluated from right to left.
    pub(super) fn is_backwards(&self, span: Span) -> bool {
        if self.constant_only || self.frame.function.is_none() {
            return false;
        }
        self.src.order.is_backwards(span)
    }

    fn candidate(&mut self, mark: usize, first: Notes, second: Notes, span: Span, indeterminate: bool) {
        let (Some(a), Some(b)) = (self.frame.notes.get(first), self.frame.notes.get(second)) else { return };
        if !a.iter().any(|x| b.iter().any(|y| may_meet(x, y))) {
            return;
        }
        let (a, b) = (a.to_vec(), b.to_vec());
        self.keep_candidate(mark, a, b, span, indeterminate);
    }

    fn keep_candidate(
        &mut self,
        mark: usize,
        mut first: Vec<Evaluation>,
        mut second: Vec<Evaluation>,
        span: Span,
        indeterminate: bool,
    ) {
        let Some(function) = self.frame.function else { return };
        for evaluation in first.iter_mut().chain(&mut second) {
            evaluation.text = self.text_of(evaluation.span);
        }
        let candidate = Candidate { function, first, second, indeterminate };
        let number = self.link.open_orders.len();
        self.link.open_orders.push(candidate);
        let stmt = Stmt::new(StmtKind::Unordered(placeholder(number)), span);
        self.frame.stmts.insert(mark, stmt);
    }

    /// What the user wrote, on one line.
    fn text_of(&self, span: Span) -> String {
        let start = span.lo.saturating_sub(self.src.base) as usize;
        let end = span.hi.saturating_sub(self.src.base) as usize;
        let text = if span.is_none() { "" } else { self.src.text.get(start..end).unwrap_or("") };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn is_write(evaluation: &Evaluation) -> bool {
    matches!(evaluation.deed, Deed::Write(_))
}

/// Whether two evaluations could meet at all, by a look that costs nothing.
fn may_meet(a: &Evaluation, b: &Evaluation) -> bool {
    let (x, y) = match (&a.deed, &b.deed) {
        (Deed::Write(x), Deed::Write(y) | Deed::Read(y)) | (Deed::Read(x), Deed::Write(y)) => (x, y),
        (x, y) => return matches!(x, Deed::Call { .. }) || matches!(y, Deed::Call { .. }),
    };
    match (&x.base, &y.base) {
        (ir::Base::Local(x), ir::Base::Local(y)) => x == y,
        (ir::Base::Global(x), ir::Base::Global(y)) => x == y,
        (ir::Base::Local(_), ir::Base::Global(_)) | (ir::Base::Global(_), ir::Base::Local(_)) => false,
        _ => true,
    }
}
