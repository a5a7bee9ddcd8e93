//! Assignments and increments, as statements and as values.

use super::expression::compound_operator;
use super::lvalue::{Operand, Place};
use super::{Lowered, Lowerer};
use crate::order::Deed;
use diagnostics::Span;
use ir::{BinaryOp, Expr, ExprKind, IntKind, StmtKind, Type};
use lang_c::ast::*;
use lang_c::span::Node;

impl<'u> Lowerer<'u, '_> {
    fn check_assignable(&mut self, place: &Place, span: Span) -> Lowered<()> {
        self.check_supported(place.lvalue.ty)?;
        if place.is_const {
            return self.fail(span, "an object declared `const` is assigned to");
        }
        match self.program.types.get(place.lvalue.ty) {
            Type::Array { .. } => self.fail(span, "an array cannot be assigned to"),
            Type::Function(_) => self.fail(span, "a function cannot be assigned to"),
            _ if !self.program.types.is_complete(place.lvalue.ty) => {
                self.fail(span, "an object of incomplete type cannot be assigned to")
            }
            _ => Ok(()),
        }
    }

    fn assigned_place(&mut self, node: &Node<Expression>) -> Lowered<Place> {
        let place = self.place(node, "an assignment")?;
        self.check_assignable(&place, self.src.span(node.span))?;
        Ok(place)
    }

    /// `a = b`. The result is the new value of `a`.
    pub(super) fn assign(&mut self, node: &BinaryOperatorExpression, span: Span, wanted: bool) -> Lowered<Operand> {
        let (start, from) = (self.mark(), self.noted());
        if self.is_backwards(span) {
            let value = self.rvalue(&node.rhs)?;
            let (mark, middle) = (self.mark(), self.noted());
            let place = self.assigned_place(&node.lhs)?;
            let value = self.keep(value, mark);
            self.unordered(start, from..middle, middle..self.noted(), span);
            self.stored(start, from, &place.lvalue, span);
            return self.store(place, Operand::Value(value), span, wanted);
        }
        let place = self.assigned_place(&node.lhs)?;
        let (mark, middle) = (self.mark(), self.noted());
        let ty = place.lvalue.ty;
        let target = place.lvalue.clone();
        // `x = f(..)` stores the result directly when nothing has to be converted.
        if let Expression::Call(call) = &node.rhs.node {
            let value = self.call_value(call, self.src.span(node.rhs.span), Some(ty))?;
            let place = self.keep_place(place, mark);
            self.unordered(start, from..middle, middle..self.noted(), span);
            self.stored(start, from, &target, span);
            return match value {
                super::call::Outcome::Pending(pending) if self.is_atomic(&place) => {
                    let operand = self.call_into_temporary(pending, span);
                    self.store(place, operand, span, wanted)
                }
                super::call::Outcome::Pending(pending) => {
                    self.emit_call(pending, Some(place.lvalue.clone()), span);
                    Ok(Operand::Place(place))
                }
                super::call::Outcome::Done(operand) => self.store(place, operand, span, wanted),
            };
        }
        let operand = self.operand(&node.rhs)?;
        let place = self.keep_place(place, mark);
        let mark = self.mark();
        let value = self.value_of(operand)?;
        let place = self.keep_place(place, mark);
        self.unordered(start, from..middle, middle..self.noted(), span);
        self.stored(start, from, &target, span);
        self.store(place, Operand::Value(value), span, wanted)
    }

    /// Emits the assignment and gives the value it leaves behind.
    fn store(&mut self, place: Place, operand: Operand, span: Span, wanted: bool) -> Lowered<Operand> {
        let mark = self.mark();
        let value = self.value_of(operand)?;
        let value = self.limit_height(value);
        let place = self.keep_place(place, mark);
        let value = self.assign_convert(value, place.lvalue.ty, "assignment")?;
        self.put(place, value, span, wanted)
    }

    /// Assigns a converted value. If the value of the assignment is wanted and reading the object back might give
    /// another one, it goes through a temporary.
    pub(super) fn put(&mut self, place: Place, mut value: Expr, span: Span, wanted: bool) -> Lowered<Operand> {
        let target = place.lvalue.clone();
        if self.is_atomic(&place) {
            let value = self.reusable(value);
            let result = Operand::Value(value.clone());
            self.atomically(None, span, |this| {
                this.emit(StmtKind::Assign { target, value }, span);
                Ok(())
            })?;
            return Ok(result);
        }
        if !wanted || (is_fixed(&target) && !place.is_volatile) || place.bits.is_some() {
            self.emit(StmtKind::Assign { target, value }, span);
            return Ok(Operand::Place(place));
        }
        if !self.program.types.is_scalar(place.lvalue.ty) {
            self.emit(StmtKind::Assign { target, value }, span);
            return Ok(Operand::Place(place));
        }
        let plain = matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_));
        let temporary = matches!(&value.kind, ExprKind::Load(lvalue)
            if matches!(lvalue.base, ir::Base::Local(l) if self.frame.locals[l].kind == ir::LocalKind::Temporary));
        if !plain && !temporary {
            value = self.spill(value);
        }
        let result = Operand::Value(value.clone());
        self.emit(StmtKind::Assign { target, value }, span);
        Ok(result)
    }

    /// `a op= b`: the object is found once, the right side computed, then the object read and written.
    pub(super) fn compound_assign(
        &mut self,
        node: &BinaryOperatorExpression,
        span: Span,
        wanted: bool,
    ) -> Lowered<Operand> {
        let Some(op) = compound_operator(&node.operator.node) else {
            return self.fail(span, "an operator that is not known");
        };
        let (start, from) = (self.mark(), self.noted());
        let place = self.assigned_place(&node.lhs)?;
        let target = place.lvalue.clone();
        // The old value is read when the right operand is there; going backwards, before.
        let (mut mark, middle) = (self.mark(), self.noted());
        let atomic = self.is_atomic(&place);
        let early =
            if self.is_backwards(span) && !atomic { Some(self.value_of(Operand::Place(place.clone()))?) } else { None };
        let right = self.rvalue(&node.rhs)?;
        let before = self.mark();
        let place = self.keep_place(place, mark);
        mark += self.mark() - before;
        let end = self.noted();
        if atomic {
            return self.atomically(None, span, |this| {
                let left = this.value_of(Operand::Place(place.clone()))?;
                let value = this.operate(op, left, right, span)?;
                let value = this.assign_convert(value, place.lvalue.ty, "assignment")?;
                this.put(place, value, span, wanted)
            });
        }
        let left = match early {
            Some(left) => self.keep(left, mark),
            None => self.value_of(Operand::Place(place.clone()))?,
        };
        let read = self.noted();
        self.note(Deed::Read(target.clone()), span);
        self.unordered(start, middle..end, read..self.noted(), span);
        self.unordered(start, from..middle, middle..end, span);
        self.stored(start, from, &target, span);
        self.note(Deed::Risk, span);
        // What is stored has the width of the field anyway; only what goes down to the low bits can differ.
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            self.check_widths(op, &left, &right)?;
        }
        let value = self.operate(op, left, right, span)?;
        let value = self.assign_convert(value, place.lvalue.ty, "assignment")?;
        self.put(place, value, span, wanted)
    }

    /// `++`, `--`: before (`old` false) or after (`old` true) the value is taken.
    pub(super) fn increment(
        &mut self,
        node: &Node<Expression>,
        minus: bool,
        old: bool,
        wanted: bool,
        span: Span,
    ) -> Lowered<Operand> {
        let (start, from) = (self.mark(), self.noted());
        let place = self.place(node, if minus { "`--`" } else { "`++`" })?;
        self.check_assignable(&place, span)?;
        self.stored(start, from, &place.lvalue, span);
        self.note(Deed::Risk, span);
        if self.is_atomic(&place) {
            return self.atomically(None, span, |this| this.step(place, minus, old, wanted, span));
        }
        self.step(place, minus, old, wanted, span)
    }

    /// Adds one to an object, or takes one away.
    fn step(&mut self, place: Place, minus: bool, old: bool, wanted: bool, span: Span) -> Lowered<Operand> {
        let ty = place.lvalue.ty;
        let mut current = self.value_of(Operand::Place(place.clone()))?;
        if !matches!(self.tuple(current.ty), Some(super::parts::Tuple::Complex { .. })) {
            current = self.require_scalar(current, "the operand")?;
        }
        if old && wanted {
            current = self.spill(current);
        }
        let int = self.program.types.int(IntKind::Int);
        let one = Expr::int(1, int, span);
        let op = if minus { BinaryOp::Sub } else { BinaryOp::Add };
        let value = self.operate(op, current.clone(), one, span)?;
        let value = if value.ty == ty { value } else { self.convert(value, ty, false) };
        let left = self.put(place, value, span, wanted && !old)?;
        Ok(if old && wanted {
            // The value has the type of the object, also where a bit-field was promoted.
            self.tuple_operand(current)?
        } else {
            left
        })
    }
}

/// Whether the lvalue names the same object whatever is assigned.
fn is_fixed(lvalue: &ir::Lvalue) -> bool {
    !matches!(lvalue.base, ir::Base::Deref(_))
        && lvalue.path.iter().all(|step| match step {
            ir::Step::Field(_) => true,
            ir::Step::Index(index) => matches!(index.kind, ExprKind::Int(_)),
        })
}
