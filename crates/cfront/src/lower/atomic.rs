//! Atomic operations, `__sync_…` and `__atomic_…`, which in a program of one thread are plain ones.

use super::lvalue::{Operand, Place};
use super::{Lowered, Lowerer};
use crate::order::Deed;
use diagnostics::Span;
use ir::{BinaryOp, Expr, StmtKind};
use lang_c::ast::*;
use lang_c::span::Node;

impl Lowerer<'_, '_> {
    fn target_of(&mut self, node: &Node<Expression>, span: Span) -> Lowered<Place> {
        let pointer = self.rvalue(node)?;
        let pointer = self.reusable(pointer);
        match self.deref(pointer, span)? {
            Operand::Place(place) if self.program.types.is_scalar(place.lvalue.ty) => Ok(place),
            _ => self.fail(span, "an atomic operation needs a pointer to a number"),
        }
    }

    /// Reads the object, applies the operator, writes it back; the old or the new value is the result.
    fn read_modify_write(
        &mut self,
        op: Option<BinaryOp>,
        old: bool,
        pointer: &Node<Expression>,
        value: &Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let (start, from) = (self.mark(), self.noted());
        let place = self.target_of(pointer, span)?;
        let (mark, middle) = (self.mark(), self.noted());
        let value = self.rvalue(value)?;
        let place = self.keep_place(place, mark);
        self.unordered(start, from..middle, middle..self.noted(), span);
        self.sequence_point(from);
        self.note_write(&place.lvalue, span);
        let ty = place.lvalue.ty;
        let before = self.spill(Expr::load(place.lvalue.clone()));
        let after = match op {
            None => value,
            Some(op) => self.operate(op, before.clone(), value, span)?,
        };
        // Atomic arithmetic wraps, whatever the type.
        let after = self.convert(after, ty, true);
        let after = self.spill(after);
        self.emit(StmtKind::Assign { target: place.lvalue, value: after.clone() }, span);
        Ok(Operand::Value(if old { before } else { after }))
    }

    pub(super) fn sync_call(&mut self, name: &str, args: &[Node<Expression>], span: Span) -> Lowered<Option<Operand>> {
        match (name, args) {
            ("synchronize", _) => Ok(Some(self.void_value(span))),
            ("lock_test_and_set", [p, v, ..]) => self.read_modify_write(None, true, p, v, span).map(Some),
            ("val_compare_and_swap" | "bool_compare_and_swap", [p, expected, value, ..]) => {
                let place = self.target_of(p, span)?;
                let mark = self.mark();
                let expected = self.rvalue(expected)?;
                let expected = self.reusable(expected);
                let value = self.rvalue(value)?;
                let place = self.keep_place(place, mark);
                self.note_write(&place.lvalue, span);
                let ty = place.lvalue.ty;
                let before = self.spill(Expr::load(place.lvalue.clone()));
                let expected = self.assign_convert(expected, ty, "argument 2")?;
                let value = self.assign_convert(value, ty, "argument 3")?;
                let same = self.operate(BinaryOp::Eq, before.clone(), expected, span)?;
                let same = self.spill(same);
                let store = ir::Stmt::new(StmtKind::Assign { target: place.lvalue, value }, span);
                let then = ir::Block { locals: Vec::new(), stmts: vec![store] };
                self.emit(StmtKind::If { cond: same.clone(), then, otherwise: ir::Block::default() }, span);
                Ok(Some(Operand::Value(if name.starts_with("bool") { same } else { before })))
            }
            (name, [p, v, ..]) => {
                if let Some(op) = name.strip_prefix("fetch_and_").and_then(operator) {
                    return self.read_modify_write(Some(op), true, p, v, span).map(Some);
                }
                if let Some(op) = name.strip_suffix("_and_fetch").and_then(operator) {
                    return self.read_modify_write(Some(op), false, p, v, span).map(Some);
                }
                self.unsupported(format!("the atomic operation __sync_{name}"))
            }
            _ => self.unsupported(format!("the atomic operation __sync_{name}")),
        }
    }

    pub(super) fn atomic_call(
        &mut self,
        name: &str,
        args: &[Node<Expression>],
        span: Span,
    ) -> Lowered<Option<Operand>> {
        match (name, args) {
            ("thread_fence" | "signal_fence", _) => Ok(Some(self.void_value(span))),
            ("load_n", [p, ..]) => {
                let place = self.target_of(p, span)?;
                self.note(Deed::Read(place.lvalue.clone()), span);
                Ok(Some(Operand::Value(self.spill(Expr::load(place.lvalue)))))
            }
            ("store_n", [p, v, ..]) => {
                self.read_modify_write(None, false, p, v, span)?;
                Ok(Some(self.void_value(span)))
            }
            ("exchange_n", [p, v, ..]) => self.read_modify_write(None, true, p, v, span).map(Some),
            (name, [p, v, ..]) => {
                if let Some(op) = name.strip_prefix("fetch_").and_then(operator) {
                    return self.read_modify_write(Some(op), true, p, v, span).map(Some);
                }
                if let Some(op) = name.strip_suffix("_fetch").and_then(operator) {
                    return self.read_modify_write(Some(op), false, p, v, span).map(Some);
                }
                self.unsupported(format!("the atomic operation __atomic_{name}"))
            }
            _ => self.unsupported(format!("the atomic operation __atomic_{name}")),
        }
    }
}

/// The operator in names such as `fetch_and_add`.
fn operator(word: &str) -> Option<BinaryOp> {
    match word {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "or" => Some(BinaryOp::BitOr),
        "and" => Some(BinaryOp::BitAnd),
        "xor" => Some(BinaryOp::BitXor),
        _ => None,
    }
}
