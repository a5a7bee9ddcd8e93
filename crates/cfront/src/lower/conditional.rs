//! `c ? a : b`: its value, its type, its effects.

use super::expression::is_missing;
use super::lvalue::Operand;
use super::parts::Tuple;
use super::{Lowered, Lowerer};
use crate::order::Deed;
use diagnostics::Span;
use ir::{BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind, Type, TypeId};
use lang_c::ast::*;

impl Lowerer<'_, '_> {
    pub(super) fn conditional(&mut self, node: &ConditionalExpression, span: Span) -> Lowered<Operand> {
        let from = self.noted();
        let mut cond = self.condition(&node.condition)?;
        self.sequence_point(from);
        let from = self.noted();
        let missing = is_missing(&node.then_expression);
        if missing {
            // GNU `a ?: b`: the condition is the value, computed once.
            cond = match cond.kind {
                ExprKind::Load(ref lvalue) if lvalue.as_local().is_some() => cond,
                _ => self.spill(cond),
            };
        }
        let given = cond.clone();
        let (then, then_stmts) =
            self.buffered(|this| if missing { Ok(Operand::Value(given)) } else { this.operand(&node.then_expression) });
        let then = then?;
        let (otherwise, else_stmts) = self.buffered(|this| this.operand(&node.else_expression));
        let otherwise = otherwise?;
        self.only_perhaps(from);
        let (then, mut then_stmts, otherwise, mut else_stmts) =
            self.common_complex(then, then_stmts, otherwise, else_stmts, span)?;
        // A record is chosen by copying it.
        if let (Operand::Place(a), Operand::Place(b)) = (&then, &otherwise)
            && let (Type::Record(x), Type::Record(y)) =
                (self.program.types.get(a.lvalue.ty), self.program.types.get(b.lvalue.ty))
        {
            if x != y {
                return self.fail(span, "the two choices have different struct or union types");
            }
            self.check_supported(a.lvalue.ty)?;
            let target = self.temporary_place(a.lvalue.ty, span);
            for (place, stmts) in [(a, &mut then_stmts), (b, &mut else_stmts)] {
                self.note(Deed::Read(place.lvalue.clone()), span);
                let value = Expr::load(place.lvalue.clone());
                stmts.push(Stmt::new(StmtKind::Assign { target: target.clone(), value }, span));
            }
            self.emit_if(cond, then_stmts, else_stmts, span);
            return Ok(Operand::Place(super::lvalue::Place::new(target)));
        }
        let (is_void_then, is_void_else) = (self.is_void_operand(&then), self.is_void_operand(&otherwise));
        if is_void_then || is_void_else {
            if !then_stmts.is_empty() || !else_stmts.is_empty() {
                self.emit_if(cond, then_stmts, else_stmts, span);
            }
            return Ok(self.void_value(span));
        }
        let (then, more) = self.buffered(|this| this.value_of(then));
        then_stmts.extend(more);
        let (otherwise, more) = self.buffered(|this| this.value_of(otherwise));
        else_stmts.extend(more);
        self.only_perhaps(from);
        let (then, otherwise) = (then?, otherwise?);
        let ty = self.conditional_type(&then, &otherwise, span)?;
        let then = self.convert(then, ty, false);
        let otherwise = self.convert(otherwise, ty, false);
        if then_stmts.is_empty() && else_stmts.is_empty() {
            let kind = ExprKind::Conditional(Box::new(cond), Box::new(then), Box::new(otherwise));
            return Ok(Operand::Value(Expr::new(kind, ty, span)));
        }
        let target = self.temporary_place(ty, span);
        then_stmts.push(Stmt::new(StmtKind::Assign { target: target.clone(), value: then }, span));
        else_stmts.push(Stmt::new(StmtKind::Assign { target: target.clone(), value: otherwise }, span));
        self.emit_if(cond, then_stmts, else_stmts, span);
        Ok(Operand::Value(Expr::load(target)))
    }

    /// Two choices of which one is complex, both as complex numbers.
    fn common_complex(
        &mut self,
        then: Operand,
        mut then_stmts: Vec<Stmt>,
        otherwise: Operand,
        mut else_stmts: Vec<Stmt>,
        span: Span,
    ) -> Lowered<(Operand, Vec<Stmt>, Operand, Vec<Stmt>)> {
        let of = |this: &Self, ty| match this.tuple(ty) {
            Some(Tuple::Complex { of }) => Some(of),
            _ => None,
        };
        let (a, b) = (then.qual().ty, otherwise.qual().ty);
        if a == b || of(self, a).is_none() && of(self, b).is_none() {
            return Ok((then, then_stmts, otherwise, else_stmts));
        }
        let common = self.common_arithmetic(of(self, a).unwrap_or(a), of(self, b).unwrap_or(b));
        let Some(common) = common else { return self.fail(span, "the choices do not fit together") };
        let ty = self.tuple_type(Tuple::Complex { of: common });
        let mut converted = Vec::with_capacity(2);
        for (operand, stmts) in [(then, &mut then_stmts), (otherwise, &mut else_stmts)] {
            let (value, more) = self.buffered(|this| {
                let value = this.value_of(operand)?;
                this.assign_convert(value, ty, "a choice")
            });
            stmts.extend(more);
            converted.push(self.tuple_operand(value?)?);
        }
        let otherwise = converted.pop();
        match (converted.pop(), otherwise) {
            (Some(then), Some(otherwise)) => Ok((then, then_stmts, otherwise, else_stmts)),
            _ => self.unsupported("a choice without values"),
        }
    }

    pub(super) fn emit_if(&mut self, cond: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>, span: Span) {
        let then = Block { locals: Vec::new(), stmts: then };
        let otherwise = Block { locals: Vec::new(), stmts: otherwise };
        self.emit(StmtKind::If { cond, then, otherwise }, span);
    }

    pub(super) fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Lowered<TypeId> {
        if let Some(common) = self.common_arithmetic(a.ty, b.ty) {
            self.check_widths(BinaryOp::BitOr, a, b)?;
            return Ok(common);
        }
        let types = &self.program.types;
        match (types.get(a.ty).clone(), types.get(b.ty).clone()) {
            (Type::Pointer { to: x, to_const: p }, Type::Pointer { to: y, to_const: q }) => {
                let to = if self.is_null_constant(a) && types.is_void(x) {
                    y
                } else if self.is_null_constant(b) && types.is_void(y) {
                    x
                } else if types.is_void(x) || types.is_void(y) {
                    types.void()
                } else {
                    if !self.compatible(x, y) {
                        let (x, y) = (self.describe(a.ty), self.describe(b.ty));
                        self.warn(span, format!("the choices have the unrelated pointer types `{x}` and `{y}`"));
                    }
                    x
                };
                Ok(self.types().intern(Type::Pointer { to, to_const: p || q }))
            }
            (Type::Pointer { .. }, Type::Int(_)) => {
                if !self.is_null_constant(b) {
                    self.warn(span, "one choice is a pointer and the other an integer");
                }
                Ok(a.ty)
            }
            (Type::Int(_), Type::Pointer { .. }) => {
                if !self.is_null_constant(a) {
                    self.warn(span, "one choice is a pointer and the other an integer");
                }
                Ok(b.ty)
            }
            _ => {
                self.check_supported(a.ty)?;
                self.check_supported(b.ty)?;
                let (x, y) = (self.describe(a.ty), self.describe(b.ty));
                self.fail(span, format!("the choices have the types `{x}` and `{y}`, which do not fit together"))
            }
        }
    }

    pub(super) fn conditional_effects(&mut self, node: &ConditionalExpression, span: Span) -> Lowered<()> {
        if self.assert_conditional(node, span)? {
            return Ok(());
        }
        let from = self.noted();
        let cond = self.condition(&node.condition)?;
        self.sequence_point(from);
        let from = self.noted();
        let (then, then_stmts) = self.buffered(|this| match is_missing(&node.then_expression) {
            true => Ok(()),
            false => this.effects(&node.then_expression),
        });
        let (otherwise, else_stmts) = self.buffered(|this| this.effects(&node.else_expression));
        self.only_perhaps(from);
        then?;
        otherwise?;
        if !then_stmts.is_empty() || !else_stmts.is_empty() {
            self.emit_if(cond, then_stmts, else_stmts, span);
        }
        Ok(())
    }
}
