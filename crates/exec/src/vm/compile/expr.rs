//! Expressions: from a tree to a register that holds its value.
//!
//! Expressions have no side effects, so the register of a local serves as an operand without a copy, and a result
//! may be written straight into the local being assigned: every instruction reads its operands before it writes.

use super::super::bytecode::{Op, Reg};
use super::super::value::{Class, Value};
use super::{Compiler, deep};
use crate::memory::Address;
use diagnostics::Span;
use ir::{BinaryOp, EntityRef, Expr, ExprKind, FloatKind, IntKind, Type, TypeId, UnaryOp};

/// The integer types that have instructions of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    I32,
    U32,
    I64,
    U64,
}

fn width(kind: IntKind) -> Option<Width> {
    match kind {
        IntKind::Int => Some(Width::I32),
        IntKind::UInt => Some(Width::U32),
        IntKind::Long | IntKind::LongLong => Some(Width::I64),
        IntKind::ULong | IntKind::ULongLong => Some(Width::U64),
        _ => None,
    }
}

/// Whether a conversion leaves the register as it is.
fn is_free(from: Class, to: Class) -> bool {
    let kind = |class| match class {
        Class::Int(kind) => Some(kind),
        Class::Pointer => Some(IntKind::ULong),
        Class::Float(_) => None,
    };
    if from == to {
        return true;
    }
    let (Some(from), Some(to)) = (kind(from), kind(to)) else { return false };
    if from.bytes() == 16 || to.bytes() == 16 {
        return from.bytes() == to.bytes();
    }
    to != IntKind::Bool && (to.bytes() == 8 || (to.contains(from.min()) && to.contains(from.max())))
}

impl Compiler<'_> {
    /// The canonical register contents of a constant of at most 64 bits.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(value) if !self.class_of(expr).is_wide() => Some(*value as i64),
            ExprKind::Convert { value, .. } => {
                let (from, to) = (Class::of(self.types, value.ty)?, self.class_of(expr));
                if let ExprKind::Int(_) = value.kind
                    && !to.is_wide()
                {
                    let inner = self.constant(value)?;
                    return match (from, to) {
                        (Class::Int(_), Class::Int(kind)) => Some(kind.wrap(i128::from(inner)) as i64),
                        (Class::Int(_), Class::Pointer) => Some(inner),
                        _ => None,
                    };
                }
                None
            }
            _ => None,
        }
    }

    fn small_constant(&self, expr: &Expr) -> Option<i32> {
        self.constant(expr).and_then(|value| i32::try_from(value).ok())
    }

    /// Evaluates a scalar expression. The result is in `wanted` if one is given, else wherever it suits.
    pub(super) fn expr(&mut self, expr: &Expr, wanted: Option<Reg>) -> Reg {
        deep(|| self.expr_inside(expr, wanted))
    }

    /// Evaluates a scalar expression into a register.
    pub(super) fn expr_to(&mut self, expr: &Expr, target: Reg) {
        let reg = self.expr(expr, Some(target));
        debug_assert_eq!(reg, target);
    }

    fn settle_in(&mut self, reg: Reg, wanted: Option<Reg>, class: Class, span: Span) -> Reg {
        match wanted {
            Some(target) if target != reg => {
                self.emit(if class.is_wide() { Op::MovWide(target, reg) } else { Op::Mov(target, reg) }, span);
                target
            }
            _ => reg,
        }
    }

    fn target(&mut self, wanted: Option<Reg>, class: Class) -> Reg {
        wanted.unwrap_or_else(|| self.take_for(class))
    }

    fn load_constant(&mut self, value: Value, class: Class, wanted: Option<Reg>, span: Span) -> Reg {
        let target = self.target(wanted, class);
        if class.is_wide() {
            self.wides.push(value.0);
            self.emit(Op::ConstWide(target, self.wides.len() as u32 - 1), span);
        } else {
            self.emit(Op::Const(target, value.as_i64()), span);
        }
        target
    }

    fn expr_inside(&mut self, expr: &Expr, wanted: Option<Reg>) -> Reg {
        let span = expr.span;
        let class = self.class_of(expr);
        if let Some(value) = self.constant(expr) {
            return self.load_constant(Value::signed(value), class, wanted, span);
        }
        match &expr.kind {
            ExprKind::Int(value) => self.load_constant(Value(*value as u128), class, wanted, span),
            ExprKind::Float(value) => {
                let value = match class {
                    Class::Float(FloatKind::Float) => Value::float(*value as f32),
                    _ => Value::double(*value),
                };
                self.load_constant(value, class, wanted, span)
            }
            ExprKind::Extended(bits) => self.load_constant(Value::extended(*bits), class, wanted, span),
            ExprKind::Load(lvalue) => {
                if let Some(reg) = self.register_of(lvalue) {
                    return self.settle_in(reg, wanted, class, span);
                }
                let mark = self.next;
                let place = self.accessed(lvalue);
                // The operands of the load may be temporaries above the mark; it reads them before it writes.
                let target = wanted.unwrap_or(mark as Reg);
                self.load(&place, class, target, span);
                self.next = mark;
                self.target(wanted, class)
            }
            ExprKind::AddressOf(lvalue) => {
                let mark = self.next;
                let place = self.place(lvalue, true);
                let reg = self.address(&place, span);
                self.next = mark;
                match wanted {
                    None if u32::from(reg) < mark => reg,
                    _ => {
                        let target = self.target(wanted, class);
                        self.settle_in(reg, Some(target), class, span)
                    }
                }
            }
            ExprKind::Function(id) => {
                let address = Address::of_function(id.index() as u32);
                self.load_constant(Value::pointer(address), class, wanted, span)
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, class, wanted, span),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, left, right, wanted),
            ExprKind::Logical(..) => {
                let (yes, end) = (self.label(), self.label());
                let target = self.target(wanted, class);
                self.branch(expr, yes, true);
                self.emit(Op::Const(target, 0), span);
                self.emit(Op::Jump(end), span);
                self.place_label(yes);
                self.emit(Op::Const(target, 1), span);
                self.place_label(end);
                target
            }
            ExprKind::Conditional(cond, yes, no) => {
                let (otherwise, end) = (self.label(), self.label());
                let target = self.target(wanted, class);
                let mark = self.next;
                self.branch(cond, otherwise, false);
                self.expr_to(yes, target);
                self.emit(Op::Jump(end), span);
                self.place_label(otherwise);
                self.next = mark;
                self.expr_to(no, target);
                self.place_label(end);
                self.next = mark;
                target
            }
            ExprKind::Convert { value, .. } => {
                let from = self.class_of(value);
                if is_free(from, class) {
                    return self.expr(value, wanted);
                }
                let mark = self.next;
                let operand = self.expr(value, None);
                self.next = mark;
                let target = self.target(wanted, class);
                self.convert(from, class, target, operand, span);
                target
            }
        }
    }

    pub(super) fn convert(&mut self, from: Class, to: Class, target: Reg, operand: Reg, span: Span) {
        use FloatKind::{Double, Float};
        let narrow = !from.is_wide() && !to.is_wide();
        let op = match (from, to) {
            _ if is_free(from, to) => {
                if target == operand {
                    return;
                }
                if to.is_wide() { Op::MovWide(target, operand) } else { Op::Mov(target, operand) }
            }
            (Class::Int(_) | Class::Pointer, Class::Int(IntKind::Bool)) if narrow => Op::SetNeK(target, operand, 0),
            (Class::Int(_) | Class::Pointer, Class::Int(kind)) if narrow => match (kind.bytes(), kind.is_signed()) {
                (1, true) => Op::SignExtend8(target, operand),
                (1, false) => Op::ZeroExtend8(target, operand),
                (2, true) => Op::SignExtend16(target, operand),
                (2, false) => Op::ZeroExtend16(target, operand),
                (4, true) => Op::SignExtend32(target, operand),
                _ => Op::ZeroExtend32(target, operand),
            },
            (Class::Int(kind), Class::Float(float)) if narrow => {
                let unsigned = !kind.is_signed() && kind.bytes() == 8;
                match (float, unsigned) {
                    (Double, false) => Op::SignedToF64(target, operand),
                    (Double, true) => Op::UnsignedToF64(target, operand),
                    (_, false) => Op::SignedToF32(target, operand),
                    (_, true) => Op::UnsignedToF32(target, operand),
                }
            }
            (Class::Float(Float), Class::Float(Double)) => Op::F32ToF64(target, operand),
            (Class::Float(Double), Class::Float(Float)) => Op::F64ToF32(target, operand),
            (Class::Float(Double), Class::Int(IntKind::Int)) => Op::F64ToI32(target, operand),
            (Class::Float(Double), Class::Int(IntKind::Long | IntKind::LongLong)) => Op::F64ToI64(target, operand),
            _ => Op::Convert(from, to, target, operand),
        };
        self.emit(op, span);
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, class: Class, wanted: Option<Reg>, span: Span) -> Reg {
        let mark = self.next;
        if op == UnaryOp::Not {
            let from = self.class_of(operand);
            let reg = self.truth_operand(operand, from);
            self.next = mark;
            let target = self.target(wanted, class);
            self.emit(Op::SetEqK(target, reg, 0), span);
            return target;
        }
        let reg = self.expr(operand, None);
        self.next = mark;
        let target = self.target(wanted, class);
        let op = match (op, class) {
            (UnaryOp::Neg, Class::Float(FloatKind::Float)) => Op::NegF32(target, reg),
            (UnaryOp::Neg, Class::Float(FloatKind::Double)) => Op::NegF64(target, reg),
            (UnaryOp::Neg, Class::Float(FloatKind::Extended)) => Op::NegX(target, reg),
            (UnaryOp::Neg, Class::Int(kind)) => match width(kind) {
                Some(Width::I32) => Op::NegI32(target, reg),
                Some(Width::I64) => Op::NegI64(target, reg),
                Some(Width::U32) => Op::NegU32(target, reg),
                Some(Width::U64) => Op::NegU64(target, reg),
                None => Op::NegAny(kind, target, reg),
            },
            (_, Class::Int(kind)) => match width(kind) {
                Some(Width::U32) => Op::NotU32(target, reg),
                Some(_) => Op::Not(target, reg),
                None => Op::NotAny(kind, target, reg),
            },
            _ => unreachable!("`-` and `~` should have arithmetic operands, because the program is verified"),
        };
        self.emit(op, span);
        target
    }

    /// A register that is zero exactly if the expression counts as false.
    pub(super) fn truth_operand(&mut self, expr: &Expr, class: Class) -> Reg {
        match class {
            Class::Int(kind) if kind.bytes() < 16 => self.expr(expr, None),
            Class::Pointer => self.expr(expr, None),
            _ => {
                let mark = self.next;
                let reg = self.expr(expr, None);
                self.next = mark;
                let target = self.take(1);
                self.emit(Op::Convert(class, Class::Int(IntKind::Bool), target, reg), expr.span);
                target
            }
        }
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr, wanted: Option<Reg>) -> Reg {
        use BinaryOp::*;
        match op {
            PointerAdd => self.pointer_add(expr, left, right, wanted),
            PointerDiff => self.pointer_diff(expr, left, right, wanted),
            Eq | Ne | Lt | Le | Gt | Ge => self.comparison(expr, op, left, right, wanted),
            _ => match self.class_of(expr) {
                Class::Int(kind) => self.int_arithmetic(expr, op, kind, left, right, wanted),
                Class::Float(kind) => self.float_arithmetic(expr, op, kind, left, right, wanted),
                Class::Pointer => unreachable!("arithmetic on pointers should be PointerAdd, because of the verifier"),
            },
        }
    }

    fn int_arithmetic(
        &mut self,
        expr: &Expr,
        op: BinaryOp,
        kind: IntKind,
        left: &Expr,
        right: &Expr,
        wanted: Option<Reg>,
    ) -> Reg {
        use BinaryOp::*;
        let class = Class::Int(kind);
        let mark = self.next;
        let commutes = matches!(op, Add | Mul | BitAnd | BitOr | BitXor);
        let (left, right) = if commutes && self.small_constant(left).is_some() { (right, left) } else { (left, right) };
        let right_kind = self.types.int_kind(right.ty).unwrap_or(kind);
        let Some(width) = width(kind).filter(|_| right_kind.bytes() < 16) else {
            let a = self.expr(left, None);
            let b = self.expr(right, None);
            self.next = mark;
            let target = self.target(wanted, class);
            self.emit(Op::Arith(op, kind, right_kind, target, a, b), expr.span);
            return target;
        };
        if let Some(k) = self.small_constant(right)
            && let Some(make) = with_constant(op, width, k)
        {
            let a = self.expr(left, None);
            self.next = mark;
            let target = self.target(wanted, class);
            self.emit(make(target, a), expr.span);
            return target;
        }
        let a = self.expr(left, None);
        let b = self.expr(right, None);
        self.next = mark;
        let d = self.target(wanted, class);
        use Width::*;
        let op = match (op, width) {
            (Add, I32) => Op::AddI32(d, a, b),
            (Add, I64) => Op::AddI64(d, a, b),
            (Add, U32) => Op::AddU32(d, a, b),
            (Add, U64) => Op::AddU64(d, a, b),
            (Sub, I32) => Op::SubI32(d, a, b),
            (Sub, I64) => Op::SubI64(d, a, b),
            (Sub, U32) => Op::SubU32(d, a, b),
            (Sub, U64) => Op::SubU64(d, a, b),
            (Mul, I32) => Op::MulI32(d, a, b),
            (Mul, I64) => Op::MulI64(d, a, b),
            (Mul, U32) => Op::MulU32(d, a, b),
            (Mul, U64) => Op::MulU64(d, a, b),
            (Div, I32) => Op::DivI32(d, a, b),
            (Div, I64) => Op::DivI64(d, a, b),
            (Div, _) => Op::DivU(kind, d, a, b),
            (Rem, I32) => Op::RemI32(d, a, b),
            (Rem, I64) => Op::RemI64(d, a, b),
            (Rem, _) => Op::RemU(kind, d, a, b),
            (Shl, I32) => Op::ShlI32(d, a, b),
            (Shl, I64) => Op::ShlI64(d, a, b),
            (Shl, U32) => Op::ShlU32(d, a, b),
            (Shl, U64) => Op::ShlU64(d, a, b),
            (Shr, I32) => Op::ShrI32(d, a, b),
            (Shr, I64) => Op::ShrI64(d, a, b),
            (Shr, U32) => Op::ShrU32(d, a, b),
            (Shr, U64) => Op::ShrU64(d, a, b),
            (BitAnd, _) => Op::And(d, a, b),
            (BitOr, _) => Op::Or(d, a, b),
            (BitXor, _) => Op::Xor(d, a, b),
            _ => Op::Arith(op, kind, right_kind, d, a, b),
        };
        self.emit(op, expr.span);
        d
    }

    fn float_arithmetic(
        &mut self,
        expr: &Expr,
        op: BinaryOp,
        kind: FloatKind,
        left: &Expr,
        right: &Expr,
        wanted: Option<Reg>,
    ) -> Reg {
        use BinaryOp::*;
        let mark = self.next;
        let a = self.expr(left, None);
        let b = self.expr(right, None);
        self.next = mark;
        let d = self.target(wanted, Class::Float(kind));
        let op = match (kind, op) {
            (FloatKind::Float, Add) => Op::AddF32(d, a, b),
            (FloatKind::Float, Sub) => Op::SubF32(d, a, b),
            (FloatKind::Float, Mul) => Op::MulF32(d, a, b),
            (FloatKind::Float, Div) => Op::DivF32(d, a, b),
            (FloatKind::Double, Add) => Op::AddF64(d, a, b),
            (FloatKind::Double, Sub) => Op::SubF64(d, a, b),
            (FloatKind::Double, Mul) => Op::MulF64(d, a, b),
            (FloatKind::Double, Div) => Op::DivF64(d, a, b),
            (FloatKind::Extended, op) => Op::ArithX(op, d, a, b),
            (_, op) => unreachable!("{op:?} should not be asked of floating values, because the program is verified"),
        };
        self.emit(op, expr.span);
        d
    }

    fn comparison(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr, wanted: Option<Reg>) -> Reg {
        use BinaryOp::*;
        let class = self.class_of(left);
        let result = self.class_of(expr);
        let mark = self.next;
        // Ordering a pointer against a constant needs no check: constants are null or integers, which nobody judges.
        // A constant goes to the right, and `>` becomes `<` with its operands exchanged where there is no constant.
        let (op, left, right) =
            if self.small_constant(left).is_some() { (op.mirrored(), right, left) } else { (op, left, right) };
        if let Some(k) = self.small_constant(right)
            && !class.is_wide()
        {
            let a = self.expr(left, None);
            self.next = mark;
            let d = self.target(wanted, result);
            let op = match (op, is_unsigned(class)) {
                (Eq, _) => Op::SetEqK(d, a, k),
                (Ne, _) => Op::SetNeK(d, a, k),
                (Lt, false) => Op::SetLtSK(d, a, k),
                (Le, false) => Op::SetLeSK(d, a, k),
                (Gt, false) => Op::SetGtSK(d, a, k),
                (_, false) => Op::SetGeSK(d, a, k),
                (Lt, true) => Op::SetLtUK(d, a, k),
                (Le, true) => Op::SetLeUK(d, a, k),
                (Gt, true) => Op::SetGtUK(d, a, k),
                (_, true) => Op::SetGeUK(d, a, k),
            };
            self.emit(op, expr.span);
            return d;
        }
        let a = self.expr(left, None);
        let b = self.expr(right, None);
        if class == Class::Pointer {
            self.check_pointers(op, a, b, expr.span);
        }
        self.next = mark;
        let d = self.target(wanted, result);
        let (order, a, b) = match op {
            Gt => (Lt, b, a),
            Ge => (Le, b, a),
            other => (other, a, b),
        };
        let op = match (class, order) {
            (Class::Float(FloatKind::Float), Eq) => Op::SetEqF32(d, a, b),
            (Class::Float(FloatKind::Float), Ne) => Op::SetNeF32(d, a, b),
            (Class::Float(FloatKind::Float), Lt) => Op::SetLtF32(d, a, b),
            (Class::Float(FloatKind::Float), _) => Op::SetLeF32(d, a, b),
            (Class::Float(FloatKind::Double), Eq) => Op::SetEqF64(d, a, b),
            (Class::Float(FloatKind::Double), Ne) => Op::SetNeF64(d, a, b),
            (Class::Float(FloatKind::Double), Lt) => Op::SetLtF64(d, a, b),
            (Class::Float(FloatKind::Double), _) => Op::SetLeF64(d, a, b),
            (Class::Float(FloatKind::Extended), order) => Op::ArithX(order, d, a, b),
            (Class::Int(kind), order) if kind.bytes() == 16 => Op::Arith(order, kind, kind, d, a, b),
            (_, Eq) => Op::SetEq(d, a, b),
            (_, Ne) => Op::SetNe(d, a, b),
            (class, Lt) if is_unsigned(class) => Op::SetLtU(d, a, b),
            (class, _) if is_unsigned(class) => Op::SetLeU(d, a, b),
            (_, Lt) => Op::SetLtS(d, a, b),
            _ => Op::SetLeS(d, a, b),
        };
        self.emit(op, expr.span);
        d
    }

    /// The size of the elements that arithmetic on this pointer type counts in.
    pub(super) fn stride(&mut self, pointer: TypeId, span: Span) -> Stride {
        let to =
            self.types.pointee(pointer).expect("pointer arithmetic should be on pointers, because of the verifier");
        match self.types.get(to) {
            Type::Void | Type::Function(_) => Stride::Fixed(1),
            _ => self.size(to, span),
        }
    }

    fn pointer_add(&mut self, expr: &Expr, pointer: &Expr, index: &Expr, wanted: Option<Reg>) -> Reg {
        let mark = self.next;
        let base = self.expr(pointer, None);
        let stride = self.stride(pointer.ty, expr.span);
        let constant = self.constant(index);
        if let (Some(k), Stride::Fixed(size)) = (constant, stride)
            && let Some(bytes) = k.checked_mul(size as i64).and_then(|bytes| i32::try_from(bytes).ok())
        {
            self.next = mark;
            let target = self.target(wanted, Class::Pointer);
            self.emit(Op::IndexK(target, base, bytes), expr.span);
            return target;
        }
        let by = self.expr(index, None);
        let op = self.index_op(base, by, stride, expr.span);
        self.next = mark;
        let target = self.target(wanted, Class::Pointer);
        self.emit(op(target), expr.span);
        target
    }

    /// The instruction that adds `by` elements to `base`, but for its destination.
    pub(super) fn index_op(
        &mut self,
        base: Reg,
        by: Reg,
        stride: Stride,
        span: Span,
    ) -> impl FnOnce(Reg) -> Op + use<> {
        let (scale, stride_reg) = match stride {
            Stride::Fixed(size) if size <= u64::from(u32::MAX) => (size as u32, None),
            Stride::Fixed(size) => {
                let reg = self.take(1);
                self.emit(Op::Const(reg, size as i64), span);
                (0, Some(reg))
            }
            Stride::Computed(reg) => (0, Some(reg)),
        };
        move |target| match stride_reg {
            None => Op::Index(target, base, by, scale),
            Some(reg) => Op::IndexBy(target, base, by, reg),
        }
    }

    fn pointer_diff(&mut self, expr: &Expr, left: &Expr, right: &Expr, wanted: Option<Reg>) -> Reg {
        let mark = self.next;
        let a = self.expr(left, None);
        let b = self.expr(right, None);
        let stride = self.stride(left.ty, expr.span);
        self.next = mark;
        let target = self.target(wanted, self.class_of(expr));
        match stride {
            Stride::Fixed(size) => {
                self.emit(Op::PointerDiff(target, a, b, u32::try_from(size).unwrap_or(u32::MAX)), expr.span)
            }
            Stride::Computed(reg) => self.emit(Op::PointerDiffBy(target, a, b, reg), expr.span),
        }
        target
    }
}

/// A size in bytes: known, or in a register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stride {
    Fixed(u64),
    Computed(Reg),
}

pub(super) fn is_unsigned(class: Class) -> bool {
    match class {
        Class::Int(kind) => !kind.is_signed() && kind.bytes() == 8,
        Class::Pointer => true,
        Class::Float(_) => false,
    }
}

/// The instruction with a constant right operand, if there is one for it.
fn with_constant(op: BinaryOp, width: Width, k: i32) -> Option<impl FnOnce(Reg, Reg) -> Op> {
    use BinaryOp::*;
    use Width::*;
    let bits = if matches!(width, I32 | U32) { 32 } else { 64 };
    let make: fn(Reg, Reg, i32) -> Op = match (op, width) {
        (Add, I32) => Op::AddI32K,
        (Add, I64) => Op::AddI64K,
        (Add, U32) => Op::AddU32K,
        (Add, U64) => Op::AddU64K,
        (Sub, I32) => Op::SubI32K,
        (Sub, I64) => Op::SubI64K,
        (Sub, U32) if k != i32::MIN => |d, a, k| Op::AddU32K(d, a, -k),
        (Sub, U64) if k != i32::MIN => |d, a, k| Op::AddU64K(d, a, -k),
        (Mul, I32) => Op::MulI32K,
        (Mul, I64) => Op::MulI64K,
        (Mul, U32) => Op::MulU32K,
        (Mul, U64) => Op::MulU64K,
        (Div | Rem, _) if k == 0 || k == -1 => return None,
        (Div, I32) => Op::DivI32K,
        (Div, I64) => Op::DivI64K,
        (Div, _) => Op::DivUK,
        (Rem, I32) => Op::RemI32K,
        (Rem, I64) => Op::RemI64K,
        (Rem, _) => Op::RemUK,
        (Shl | Shr, _) if !(0..bits).contains(&k) => return None,
        (Shl, I32) => Op::ShlI32K,
        (Shl, I64) => Op::ShlI64K,
        (Shl, U32) => Op::ShlU32K,
        (Shl, U64) => Op::ShlU64K,
        (Shr, I32 | I64) => Op::ShrSK,
        (Shr, _) => Op::ShrUK,
        (BitAnd, _) => Op::AndK,
        (BitOr, _) => Op::OrK,
        (BitXor, _) => Op::XorK,
        _ => return None,
    };
    Some(move |d, a| make(d, a, k))
}
