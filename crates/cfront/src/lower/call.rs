//! Calls: callee, arguments with their conversions, result.

use super::lvalue::{Operand, Place};
use super::scope::{Entity, Symbol};
use super::{Lowered, Lowerer, declarator::Qual};
use crate::order::Deed;
use diagnostics::{Finding, Rule, Span};
use ir::{Callee, Expr, ExprKind, IntKind, Linkage, Lvalue, Signature, StmtKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// A call that is ready except for where its result goes.
pub struct Pending {
    pub callee: Callee,
    pub args: Vec<Expr>,
    pub result: TypeId,
}

/// What became of a call expression.
pub enum Outcome {
    /// Not emitted yet: its result has the type that was asked for.
    Pending(Pending),
    Done(Operand),
}

impl<'u> Lowerer<'u, '_> {
    pub(super) fn call_operand(&mut self, node: &Node<CallExpression>, span: Span) -> Lowered<Operand> {
        match self.call_value(node, span, None)? {
            Outcome::Done(operand) => Ok(operand),
            Outcome::Pending(pending) => Ok(self.call_into_temporary(pending, span)),
        }
    }

    pub(super) fn call_effects(&mut self, node: &Node<CallExpression>, span: Span) -> Lowered<()> {
        if self.convention_call(&node.node, span)? {
            return Ok(());
        }
        if let Some(operand) = self.builtin_call(&node.node, span)? {
            drop(operand);
            return Ok(());
        }
        let pending = self.prepare_call(&node.node, span)?;
        self.emit_call(pending, None, span);
        Ok(())
    }

    /// Lowers a call; if its result has type `wanted` it is left to the caller to say where it goes.
    pub(super) fn call_value(
        &mut self,
        node: &Node<CallExpression>,
        span: Span,
        wanted: Option<TypeId>,
    ) -> Lowered<Outcome> {
        if let Some(pending) = self.nondet_call(&node.node, span)? {
            return Ok(match wanted {
                Some(ty) if ty == pending.result => Outcome::Pending(pending),
                _ => Outcome::Done(self.call_into_temporary(pending, span)),
            });
        }
        if self.convention_call(&node.node, span)? {
            return Ok(Outcome::Done(self.void_value(span)));
        }
        if let Some(operand) = self.builtin_call(&node.node, span)? {
            return Ok(Outcome::Done(operand));
        }
        let pending = self.prepare_call(&node.node, span)?;
        Ok(match wanted {
            Some(ty) if ty == pending.result => Outcome::Pending(pending),
            _ => Outcome::Done(self.call_into_temporary(pending, span)),
        })
    }

    pub(super) fn emit_call(&mut self, pending: Pending, result: Option<Lvalue>, span: Span) {
        self.emit(StmtKind::Call { result, callee: pending.callee, args: pending.args }, span);
    }

    pub(super) fn call_into_temporary(&mut self, pending: Pending, span: Span) -> Operand {
        let ty = pending.result;
        if self.program.types.is_void(ty) {
            self.emit_call(pending, None, span);
            return self.void_value(span);
        }
        let target = self.temporary_place(ty, span);
        self.emit_call(pending, Some(target.clone()), span);
        if self.program.types.is_scalar(ty) {
            Operand::Value(Expr::load(target))
        } else {
            Operand::Place(Place::new(target))
        }
    }

    fn prepare_call(&mut self, node: &CallExpression, span: Span) -> Lowered<Pending> {
        let (start, from) = (self.mark(), self.noted());
        let (callee, signature, name, environment) = self.callee(&node.callee)?;
        let mut callee = callee;
        let mut bounds = vec![from, self.noted()];
        self.check_supported(signature.result)?;
        if !self.program.types.is_void(signature.result) && !self.program.types.is_complete(signature.result) {
            let ty = self.describe(signature.result);
            return self.fail(span, format!("the function returns the incomplete type `{ty}`"));
        }
        let (given, expected) = (node.arguments.len(), signature.params.len());
        let counted = !signature.unprototyped;
        if counted && (given < expected || (given > expected && !signature.variadic)) {
            let than = if given < expected { "few" } else { "many" };
            return self.fail(span, format!("too {than} arguments for {name}: {given} given, {expected} expected"));
        }
        // Arguments that were lowered from right to left are turned around at the end.
        let backwards = self.is_backwards(span);
        let positions: Vec<usize> = if backwards { (0..given).rev().collect() } else { (0..given).collect() };
        let mut args: Vec<Expr> = Vec::with_capacity(given);
        for index in positions {
            let argument = &node.arguments[index];
            let mark = self.mark();
            let value = self.argument(argument)?;
            if self.mark() > mark {
                if let Callee::Pointer(pointer) = &mut callee {
                    let before = self.mark();
                    *pointer = self.keep(pointer.clone(), mark);
                    let mark = mark + (self.mark() - before);
                    self.keep_all(&mut args, mark);
                } else {
                    self.keep_all(&mut args, mark);
                }
            }
            let value = match signature.params.get(index) {
                Some(&param) if counted => {
                    self.assign_convert(value, param, &format!("argument {} of {name}", index + 1))?
                }
                _ => {
                    self.check_supported(value.ty)?;
                    self.default_promote(value)
                }
            };
            args.push(value);
            bounds.push(self.noted());
        }
        if backwards {
            args.reverse();
        }
        if let Some(environment) = environment {
            args.insert(0, environment);
        }
        for operand in bounds.windows(2).skip(1) {
            self.unordered(start, from..operand[0], operand[0]..operand[1], span);
        }
        // The call comes after all of them, and they are complete then.
        self.sequence_point(from);
        self.note(Deed::Call { callee: callee.clone(), args: args.clone() }, span);
        Ok(Pending { callee, args, result: signature.result })
    }

    /// The value of an argument; one of record type is the object itself.
    pub(super) fn argument(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        if self.program.types.is_void(value.ty) {
            return self.fail(value.span, "an argument has type `void`");
        }
        Ok(value)
    }

    /// What is called, its type, its name for people, and what a nested function gets besides its arguments.
    fn callee(&mut self, node: &Node<Expression>) -> Lowered<(Callee, Signature, String, Option<Expr>)> {
        let span = self.src.span(node.span);
        if let Expression::Identifier(name) = &node.node
            && let Some(Entity::Nested(number)) = self.names.get(&name.node.name)
        {
            let (id, ty, environment) = self.nested_callee(number, span)?;
            let Some(signature) = self.program.types.signature(ty).cloned() else {
                return self.fail(span, "this is not a function");
            };
            return Ok((Callee::Function(id), signature, format!("`{}`", name.node.name), Some(environment)));
        }
        if let Expression::Identifier(name) = &node.node
            && self.names.get(&name.node.name).is_none()
            && !name.node.name.starts_with("__builtin_")
            && !matches!(name.node.name.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
        {
            self.declare_implicitly(name);
        }
        let operand = match self.operand(node)? {
            Operand::Function { id, ty, .. } => {
                let Some(signature) = self.program.types.signature(ty).cloned() else {
                    return self.fail(span, "this is not a function");
                };
                let name = format!("`{}`", self.program.functions[id].name);
                return Ok((Callee::Function(id), signature, name, None));
            }
            operand => operand,
        };
        let pointer = self.value_of(operand)?;
        let target = self.program.types.pointee(pointer.ty);
        match target.and_then(|to| self.program.types.signature(to)).cloned() {
            Some(signature) => {
                if let ExprKind::Function(id) = pointer.kind {
                    let name = format!("`{}`", self.program.functions[id].name);
                    return Ok((Callee::Function(id), signature, name, None));
                }
                Ok((Callee::Pointer(pointer), signature, "the called function".into(), None))
            }
            None => {
                let ty = self.describe(pointer.ty);
                self.fail(span, format!("the called object has type `{ty}` and is not a function"))
            }
        }
    }

    fn declare_implicitly(&mut self, node: &Node<Identifier>) {
        let name = self.src.name(node);
        let span = self.src.span(node.span);
        let kept = self.src.kept_macros.contains(name);
        let known = self.library_type(name);
        let ty = known.unwrap_or_else(|| {
            let result = self.program.types.int(IntKind::Int);
            let signature = Signature { result, params: Vec::new(), variadic: false, unprototyped: true };
            self.types().intern(Type::Function(signature))
        });
        // Once is enough: later calls find the symbol.
        if !kept && !self.linked.contains_key(name) {
            let message = format!("`{name}` is called without a declaration");
            self.report(Finding::new(Rule::ImplicitDeclaration, span, message));
        }
        let id = match self.linked.get(name) {
            Some(&id) => id,
            None => self.add_symbol(Symbol::declared(name, Qual::plain(ty), Linkage::External, span)),
        };
        self.names.declare(name, Entity::Symbol(id));
    }
}
