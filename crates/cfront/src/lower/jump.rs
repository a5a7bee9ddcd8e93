//! Jumps that name no label: computed `goto`, and `setjmp` with `longjmp`.
//!
//! A label whose address is taken is an element of a hidden constant array of the function, so that addresses of labels
//! differ, have differences, and can be kept in tables of static storage. `goto *e;` keeps `e` in a variable and goes to
//! one switch at the end of the function, which finds the label by its place in that array. An address that is no
//! label of this function makes the subtraction undefined, as the jump is.

use super::call::Pending;
use super::lvalue::Operand;
use super::{Lowered, Lowerer};
use crate::order::Deed;
use diagnostics::Span;
use ir::{
    Arm, BinaryOp, Block, Callee, Expr, ExprKind, GlobalId, GlobalKind, IntKind, Intrinsic, Label, LabelId, Length,
    Linkage, LocalId, Lvalue, Step, Stmt, StmtKind, Type,
};
use lang_c::ast::*;
use lang_c::span::Node;

/// The labels of one function that are jumped to by address.
#[derive(Default)]
pub struct LabelAddresses {
    /// The array whose elements stand for them.
    array: Option<GlobalId>,
    labels: Vec<LabelId>,
    /// Where the jumps meet, and the variable that says where they go.
    dispatch: Option<(LabelId, LocalId)>,
    /// The most labels there can be.
    pub capacity: u64,
}

impl<'u> Lowerer<'u, '_> {
    /// `&&label`.
    pub(super) fn label_address(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let [Node { node: Expression::Identifier(name), .. }] = args else {
            return self.fail(span, "`&&` needs the name of a label");
        };
        if self.frame.function.is_none() {
            return self.fail(span, "the address of a label outside functions");
        }
        if self.leaves_function(&name.node.name) {
            return self.unsupported("the address of a label of the function around");
        }
        let label = self.label(name);
        let known = self.frame.addresses.labels.iter().position(|known| *known == label);
        let index = known.unwrap_or_else(|| {
            self.frame.addresses.labels.push(label);
            self.frame.addresses.labels.len() - 1
        });
        let element = self.label_element(index, span);
        let void = self.program.types.void();
        let pointer = self.types().pointer(void);
        Ok(Operand::Value(self.convert(element, pointer, false)))
    }

    /// The address of an element of the array of labels.
    fn label_element(&mut self, index: usize, span: Span) -> Expr {
        let byte = self.program.types.int(IntKind::UChar);
        let array = match self.frame.addresses.array {
            Some(array) => array,
            None => {
                let length = Length::Fixed(self.frame.addresses.capacity);
                let ty = self.types().intern(Type::Array { of: byte, length });
                let global = self.program.globals.push(ir::Global {
                    name: format!("labels.{}", self.frame.name),
                    ty,
                    kind: GlobalKind::StaticLocal,
                    linkage: Linkage::Internal { unit: self.src.index },
                    is_const: true,
                    is_volatile: false,
                    init: Some(ir::Initializer::default()),
                    span,
                });
                *self.frame.addresses.array.insert(global)
            }
        };
        let long = self.program.types.int(IntKind::Long);
        let mut lvalue = Lvalue::global(array, byte, span);
        lvalue.path.push(Step::Index(Expr::int(index as i128, long, span)));
        let pointer = self.types().intern(Type::Pointer { to: byte, to_const: true });
        Expr::new(ExprKind::AddressOf(lvalue), pointer, span)
    }

    /// `goto *target;`.
    pub(super) fn computed_goto(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let [target] = args else { return self.fail(span, "`goto *` needs an address") };
        if self.has_cleanups() {
            return self.unsupported("computed goto among variables with the attribute cleanup");
        }
        let value = self.rvalue(target)?;
        let void = self.program.types.void();
        let pointer = self.types().intern(Type::Pointer { to: void, to_const: true });
        let value = self.assign_convert(value, pointer, "the target of `goto`")?;
        let (label, variable) = match self.frame.addresses.dispatch {
            Some(known) => known,
            None => {
                let label = self.frame.labels.push(Label { name: String::new(), span });
                let variable = self.temporary(pointer, span);
                *self.frame.addresses.dispatch.insert((label, variable))
            }
        };
        self.emit(StmtKind::Assign { target: Lvalue::local(variable, pointer, span), value }, span);
        self.emit(StmtKind::Goto(label), span);
        Ok(self.void_value(span))
    }

    /// Puts the switch of the computed jumps behind the body of the function.
    pub(super) fn finish_computed_gotos(&mut self, end: Span) {
        let Some((dispatch, variable)) = self.frame.addresses.dispatch else { return };
        let after = self.frame.labels.push(Label { name: String::new(), span: end });
        self.emit(StmtKind::Goto(after), end);
        self.emit(StmtKind::Label(dispatch), end);
        let first = self.label_element(0, end);
        let ty = self.frame.locals[variable].ty;
        let target = Expr::load(Lvalue::local(variable, ty, end));
        let target = self.convert(target, first.ty, true);
        let long = self.program.types.int(IntKind::Long);
        let place = ExprKind::Binary(BinaryOp::PointerDiff, Box::new(target), Box::new(first));
        let mut arms = Vec::new();
        let mut body = Block::default();
        for (index, label) in self.frame.addresses.labels.clone().into_iter().enumerate() {
            let arm = self.frame.labels.push(Label { name: String::new(), span: end });
            arms.push(Arm { low: index as i128, high: index as i128, label: arm });
            body.stmts.push(Stmt::new(StmtKind::Label(arm), end));
            body.stmts.push(Stmt::new(StmtKind::Goto(label), end));
        }
        let value = Expr::new(place, long, end);
        self.emit(StmtKind::Switch { value, arms, default: None, body }, end);
        // An element that stands for no label was reached by arithmetic, which is undefined.
        if let Some(Operand::Function { id, .. }) = self.builtin_function("__builtin_unreachable", end) {
            self.emit(StmtKind::Call { result: None, callee: Callee::Function(id), args: Vec::new() }, end);
        }
        self.emit(StmtKind::Label(after), end);
    }

    /// `setjmp(buffer)` by any of its names.
    pub(super) fn set_jump(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let Some(buffer) = args.first() else { return self.fail(span, "`setjmp` takes a buffer") };
        let from = self.noted();
        let buffer = self.jump_buffer(buffer)?;
        self.sequence_point(from);
        let result = self.program.types.int(IntKind::Int);
        let pending = Pending { callee: Callee::Intrinsic(Intrinsic::SetJump), args: vec![buffer], result };
        self.note(Deed::Call { callee: pending.callee.clone(), args: pending.args.clone() }, span);
        Ok(self.call_into_temporary(pending, span))
    }

    /// `longjmp(buffer, value)` by any of its names.
    pub(super) fn long_jump(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let [buffer, value] = args else { return self.fail(span, "`longjmp` takes a buffer and a value") };
        let int = self.program.types.int(IntKind::Int);
        let (buffer, value) = self.in_some_order(
            span,
            |this| this.jump_buffer(buffer),
            Self::keep,
            |this| this.rvalue(value),
            Self::keep,
        )?;
        let value = self.assign_convert(value, int, "argument 2 of `longjmp`")?;
        let args = vec![buffer, value];
        self.note(Deed::Call { callee: Callee::Intrinsic(Intrinsic::LongJump), args: args.clone() }, span);
        self.emit(StmtKind::Call { result: None, callee: Callee::Intrinsic(Intrinsic::LongJump), args }, span);
        Ok(self.void_value(span))
    }

    fn jump_buffer(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        if self.program.types.is_pointer(value.ty) {
            return Ok(value);
        }
        let ty = self.describe(value.ty);
        self.fail(value.span, format!("a `jmp_buf` is needed, and this has type `{ty}`"))
    }
}
