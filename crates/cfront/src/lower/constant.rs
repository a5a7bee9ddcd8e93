//! Values of constant expressions, computed on the lowered form so that the rules of typing exist once.
//!
//! Operators mean what [`ir::arith`] says. An overflow in a constant wraps, as compilers fold it (`1 << 31` is a flag in
//! many programs); what has no value at all, as a division by zero, is no constant.

use super::{Lowered, Lowerer};
use ir::arith::{self, Defined, Float, Scalar};
use ir::{Base, BinaryOp, Expr, ExprKind, FloatKind, FunctionId, GlobalId, IntKind, LogicalOp, Lvalue, Step, Type};
use ir::{TypeId, UnaryOp};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// A constant. Pointers that stem from integers are integers.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    Int(i128),
    Float(Float),
    Address(Anchor, i64),
}

/// What an address constant is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    Global(GlobalId),
    Function(FunctionId),
}

/// The value of an operation on constants.
fn folded(result: Defined<Scalar>) -> Option<Constant> {
    match result {
        Ok(Scalar::Int(_, value)) => Some(Constant::Int(value)),
        Ok(Scalar::Float(value)) => Some(Constant::Float(value)),
        Ok(Scalar::Pointer(address)) => Some(Constant::Int(address.into())),
        Err(undefined) => undefined.wrapped().map(Constant::Int),
    }
}

impl<'u> Lowerer<'u, '_> {
    /// Lowers an expression that C wants to be an integer constant and gives its value.
    pub(super) fn integer_constant(&mut self, node: &Node<Expression>, what: &str) -> Lowered<i128> {
        let span = self.src.span(node.span);
        let before = std::mem::replace(&mut self.constant_only, true);
        let (value, stmts) = self.buffered(|this| this.rvalue(node));
        self.constant_only = before;
        let value = value?;
        if stmts.is_empty()
            && self.program.types.int_kind(value.ty).is_some()
            && let Some(n) = self.fold_int(&value)
        {
            return Ok(n);
        }
        self.fail(span, format!("{what} must be an integer constant"))
    }

    pub(super) fn fold_int(&self, value: &Expr) -> Option<i128> {
        match self.fold(value)? {
            Constant::Int(n) => Some(n),
            _ => None,
        }
    }

    fn truth(&self, value: &Expr) -> Option<bool> {
        match self.fold(value)? {
            Constant::Int(n) => Some(n != 0),
            Constant::Float(x) => Some(!x.is_zero()),
            // The address of an object is never null.
            Constant::Address(..) => Some(true),
        }
    }

    /// The value of a constant expression; `None` if it is not one.
    pub(super) fn fold(&self, value: &Expr) -> Option<Constant> {
        use Constant::*;
        Some(match &value.kind {
            ExprKind::Int(n) => Int(*n),
            ExprKind::Float(x) => {
                Float(arith::Float::from_f64(self.program.types.float_kind(value.ty).unwrap_or(FloatKind::Double), *x))
            }
            ExprKind::Extended(bits) => Float(arith::Float::Extended(*bits)),
            ExprKind::Load(_) => return None,
            ExprKind::AddressOf(lvalue) => self.fold_address(lvalue)?,
            ExprKind::Function(id) => Address(Anchor::Function(*id), 0),
            ExprKind::Unary(UnaryOp::Not, operand) => Int(!self.truth(operand)? as i128),
            ExprKind::Unary(op, operand) => match (self.fold(operand)?, op) {
                (Int(n), _) => folded(Scalar::Int(self.kind(value.ty)?, n).unary(*op))?,
                (Float(x), UnaryOp::Neg) => Float(x.negate()),
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => self.fold_binary(*op, a, b)?,
            ExprKind::Logical(LogicalOp::And, a, b) => Int((self.truth(a)? && self.truth(b)?) as i128),
            ExprKind::Logical(LogicalOp::Or, a, b) => Int((self.truth(a)? || self.truth(b)?) as i128),
            ExprKind::Conditional(c, a, b) => self.fold(if self.truth(c)? { a } else { b })?,
            ExprKind::Convert { value: inner, .. } => self.fold_convert(self.fold(inner)?, inner.ty, value.ty)?,
        })
    }

    /// The integer type in which a constant of that type is kept: pointers are addresses.
    fn kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.program.types.get(ty) {
            Type::Int(kind) => Some(*kind),
            Type::Pointer { .. } => Some(IntKind::ULong),
            _ => None,
        }
    }

    fn fold_convert(&self, value: Constant, from: TypeId, to: TypeId) -> Option<Constant> {
        use Constant::*;
        Some(match (value, self.program.types.get(to)) {
            (Int(n), Type::Int(_) | Type::Pointer { .. }) => Int(self.kind(to)?.wrap(n)),
            (Int(n), Type::Float(kind)) => Float(arith::Float::from_int(self.kind(from)?, n, *kind)),
            (Float(x), Type::Float(kind)) => Float(x.convert(*kind)),
            (Float(x), Type::Int(kind)) => Int(x.to_int(*kind).ok()?),
            (Address(anchor, offset), Type::Pointer { .. }) => Address(anchor, offset),
            (Address(..), Type::Int(IntKind::Bool)) => Int(1),
            (Address(anchor, offset), Type::Int(kind)) if kind.bytes() == 8 => Address(anchor, offset),
            _ => return None,
        })
    }

    fn fold_binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Constant> {
        use Constant::*;
        let (left, right) = (self.fold(a)?, self.fold(b)?);
        match (left, right) {
            (Int(x), Int(y)) => match op {
                BinaryOp::PointerAdd => Some(Int(arith::pointer_add(x as u64, y as i64, self.stride(a.ty)?).into())),
                BinaryOp::PointerDiff => {
                    let size = self.stride(a.ty).filter(|size| *size > 0)?;
                    Some(Int(arith::pointer_diff(x as u64, y as u64, size).into()))
                }
                _ => folded(Scalar::Int(self.kind(a.ty)?, x).binary(op, Scalar::Int(self.kind(b.ty)?, y))),
            },
            (Float(x), Float(y)) => folded(Scalar::Float(x).binary(op, Scalar::Float(y))),
            (Address(anchor, offset), Int(n)) => {
                let step = match op {
                    BinaryOp::PointerAdd => n.checked_mul(self.stride(a.ty)? as i128)?,
                    BinaryOp::Add => n,
                    BinaryOp::Sub => -n,
                    BinaryOp::Eq if n == 0 => return Some(Int(0)),
                    BinaryOp::Ne if n == 0 => return Some(Int(1)),
                    _ => return None,
                };
                Some(Address(anchor, i64::try_from(offset as i128 + step).ok()?))
            }
            (Int(n), Address(anchor, offset)) if op == BinaryOp::Add => {
                Some(Address(anchor, i64::try_from(offset as i128 + n).ok()?))
            }
            (Address(p, x), Address(q, y)) if p == q => Some(Int(match op {
                BinaryOp::PointerDiff => ((x - y) as i128).checked_div(self.stride(a.ty)? as i128)?,
                BinaryOp::Sub => (x - y) as i128,
                _ if op.is_comparison() => arith::holds(op, Some(x.cmp(&y))).into(),
                _ => return None,
            })),
            _ => None,
        }
    }

    /// The size of what a pointer type points to; 1 for `void` and functions, as in GNU C.
    fn stride(&self, pointer: TypeId) -> Option<u64> {
        let to = self.program.types.pointee(pointer)?;
        match self.program.types.get(to) {
            Type::Void | Type::Function(_) => Some(1),
            _ => self.program.types.size_of(to),
        }
    }

    fn fold_address(&self, lvalue: &Lvalue) -> Option<Constant> {
        let (start, mut ty) = match &lvalue.base {
            Base::Local(_) => return None,
            Base::Global(id) => (Constant::Address(Anchor::Global(*id), 0), self.program.globals[*id].ty),
            Base::Deref(pointer) => (self.fold(pointer)?, self.program.types.pointee(pointer.ty)?),
        };
        let mut offset = 0i128;
        for step in &lvalue.path {
            match step {
                Step::Field(index) => {
                    let field = self.program.types.field(ty, *index)?;
                    offset += field.offset as i128;
                    ty = field.ty;
                }
                Step::Index(index) => {
                    ty = self.program.types.element(ty)?;
                    offset += self.fold_int(index)?.checked_mul(self.program.types.size_of(ty)? as i128)?;
                }
            }
        }
        Some(match start {
            Constant::Int(n) => Constant::Int(IntKind::ULong.wrap(n + offset)),
            Constant::Address(anchor, at) => Constant::Address(anchor, i64::try_from(at as i128 + offset).ok()?),
            _ => return None,
        })
    }

    /// A constant as an expression of type `ty`.
    pub(super) fn constant_expr(&mut self, value: Constant, ty: TypeId, span: diagnostics::Span) -> Expr {
        match value {
            Constant::Int(n) if self.program.types.is_pointer(ty) => {
                let ulong = self.program.types.int(IntKind::ULong);
                let value = Expr::int(n, ulong, span);
                Expr { kind: ExprKind::Convert { value: Box::new(value), explicit: false }, ty, span }
            }
            Constant::Int(n) => Expr::int(n, ty, span),
            Constant::Float(Float::Extended(bits)) => Expr::new(ExprKind::Extended(bits), ty, span),
            Constant::Float(x) => Expr::new(ExprKind::Float(x.to_f64()), ty, span),
            Constant::Address(anchor, offset) => {
                let char_type = self.program.types.int(self.program.data.char_kind());
                let bytes = self.types().pointer(char_type);
                let start = match anchor {
                    Anchor::Global(id) => {
                        let object = self.program.globals[id].ty;
                        let pointer = self.types().pointer(object);
                        Expr::new(ExprKind::AddressOf(Lvalue::global(id, object, span)), pointer, span)
                    }
                    Anchor::Function(id) => {
                        let function = self.program.functions[id].ty;
                        let pointer = self.types().pointer(function);
                        Expr::new(ExprKind::Function(id), pointer, span)
                    }
                };
                if offset == 0 {
                    return self.convert(start, ty, false);
                }
                let long = self.program.types.int(IntKind::Long);
                let start = self.convert(start, bytes, false);
                let offset = Expr::int(offset as i128, long, span);
                let kind = ExprKind::Binary(BinaryOp::PointerAdd, Box::new(start), Box::new(offset));
                let moved = Expr::new(kind, bytes, span);
                self.convert(moved, ty, false)
            }
        }
    }
}
