//! Conditions: jumps that do not make a value first.

use super::super::bytecode::{Op, Reg, Target};
use super::super::value::Class;
use super::expr::is_unsigned;
use super::{Compiler, deep};
use diagnostics::Span;
use ir::{BinaryOp, Expr, ExprKind, LogicalOp, UnaryOp};

impl Compiler<'_> {
    /// Goes to `label` if the truth of the expression is `when`, and on otherwise.
    pub(super) fn branch(&mut self, expr: &Expr, label: Target, when: bool) {
        deep(|| self.branch_inside(expr, label, when))
    }

    fn branch_inside(&mut self, expr: &Expr, label: Target, when: bool) {
        let mark = self.next;
        if let Some(value) = self.constant(expr) {
            if (value != 0) == when {
                self.emit(Op::Jump(label), expr.span);
            }
            return;
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.branch(operand, label, !when),
            ExprKind::Logical(op, left, right) => {
                // `a && b` is false as soon as `a` is, `a || b` true as soon as `a` is.
                let decides = *op == LogicalOp::Or;
                if decides == when {
                    self.branch(left, label, when);
                    self.branch(right, label, when);
                } else {
                    let past = self.label();
                    self.branch(left, past, decides);
                    self.branch(right, label, when);
                    self.place_label(past);
                }
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() && !self.is_general(left) => {
                self.compare_and_jump(if when { *op } else { op.negated() }, left, right, label, expr.span);
            }
            ExprKind::Convert { value, .. } if self.keeps_truth(value, expr) => self.branch(value, label, when),
            _ => {
                let class = self.class_of(expr);
                let reg = self.truth_operand(expr, class);
                self.emit(if when { Op::JumpNeK(reg, 0, label) } else { Op::JumpEqK(reg, 0, label) }, expr.span);
            }
        }
        self.next = mark;
    }

    /// Whether comparing such operands needs the general instructions. Floating comparisons are among them because
    /// the negation of one is not another.
    fn is_general(&self, operand: &Expr) -> bool {
        let class = self.class_of(operand);
        class.is_wide() || matches!(class, Class::Float(_))
    }

    /// Whether a conversion is zero exactly when its operand is.
    fn keeps_truth(&self, value: &Expr, whole: &Expr) -> bool {
        match (self.class_of(value), self.class_of(whole)) {
            (Class::Int(from), Class::Int(to)) => to.bytes() >= from.bytes() || to == ir::IntKind::Bool,
            (Class::Pointer, Class::Pointer | Class::Int(ir::IntKind::Bool)) => true,
            _ => false,
        }
    }

    /// Checks that two pointers may be compared.
    pub(super) fn check_pointers(&mut self, op: BinaryOp, a: Reg, b: Reg, span: Span) {
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.emit(Op::CheckSame(a, b), span);
        }
        if self.image.is_strict() {
            self.emit(Op::CheckLive(a), span);
            self.emit(Op::CheckLive(b), span);
        }
    }

    fn compare_and_jump(&mut self, op: BinaryOp, left: &Expr, right: &Expr, label: Target, span: Span) {
        use BinaryOp::*;
        let class = self.class_of(left);
        let unsigned = is_unsigned(class);
        let small = |compiler: &Self, expr: &Expr| compiler.constant(expr).and_then(|v| i32::try_from(v).ok());
        let (op, left, right) =
            if small(self, left).is_some() { (op.mirrored(), right, left) } else { (op, left, right) };
        if let Some(k) = small(self, right) {
            let a = self.expr(left, None);
            let op = match (op, unsigned) {
                (Eq, _) => Op::JumpEqK(a, k, label),
                (Ne, _) => Op::JumpNeK(a, k, label),
                (Lt, false) => Op::JumpLtSK(a, k, label),
                (Le, false) => Op::JumpLeSK(a, k, label),
                (Gt, false) => Op::JumpGtSK(a, k, label),
                (_, false) => Op::JumpGeSK(a, k, label),
                (Lt, true) => Op::JumpLtUK(a, k, label),
                (Le, true) => Op::JumpLeUK(a, k, label),
                (Gt, true) => Op::JumpGtUK(a, k, label),
                (_, true) => Op::JumpGeUK(a, k, label),
            };
            self.emit(op, span);
            return;
        }
        let a = self.expr(left, None);
        let b = self.expr(right, None);
        if class == Class::Pointer {
            self.check_pointers(op, a, b, span);
        }
        let (op, a, b) = match op {
            Gt => (Lt, b, a),
            Ge => (Le, b, a),
            other => (other, a, b),
        };
        let op = match (op, unsigned) {
            (Eq, _) => Op::JumpEq(a, b, label),
            (Ne, _) => Op::JumpNe(a, b, label),
            (Lt, false) => Op::JumpLtS(a, b, label),
            (Lt, true) => Op::JumpLtU(a, b, label),
            (_, false) => Op::JumpLeS(a, b, label),
            (_, true) => Op::JumpLeU(a, b, label),
        };
        self.emit(op, span);
    }
}
