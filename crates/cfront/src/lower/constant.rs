//! Values of constant expressions, computed on the lowered form so that the rules of typing exist once.

use super::{Lowered, Lowerer};
use ir::{Base, BinaryOp, Expr, ExprKind, FloatKind, FunctionId, GlobalId, IntKind, LogicalOp, Lvalue, Step, Type};
use ir::{TypeId, UnaryOp};
use lang_c::ast::Expression;
use lang_c::span::Node;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

/// A constant. Pointers that stem from integers are integers.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    Int(i128),
    Float(f64),
    Extended(X87DoubleExtended),
    Address(Anchor, i64),
}

/// What an address constant is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    Global(GlobalId),
    Function(FunctionId),
}

pub fn extended_of_f64(value: f64) -> X87DoubleExtended {
    Double::from_bits(value.to_bits() as u128).convert(&mut false).value
}

pub fn f64_of_extended(value: X87DoubleExtended) -> f64 {
    let double: Double = value.convert(&mut false).value;
    f64::from_bits(double.to_bits() as u64)
}

fn f32_of_extended(value: X87DoubleExtended) -> f64 {
    let single: Single = value.convert(&mut false).value;
    f32::from_bits(single.to_bits() as u32) as f64
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
            Constant::Float(x) => Some(x != 0.0),
            Constant::Extended(x) => Some(!x.is_zero()),
            // The address of an object is never null.
            Constant::Address(..) => Some(true),
        }
    }

    /// The value of a constant expression; `None` if it is not one.
    pub(super) fn fold(&self, value: &Expr) -> Option<Constant> {
        use Constant::*;
        Some(match &value.kind {
            ExprKind::Int(n) => Int(*n),
            ExprKind::Float(x) => Float(*x),
            ExprKind::Extended(bits) => Extended(X87DoubleExtended::from_bits(*bits)),
            ExprKind::Load(_) => return None,
            ExprKind::AddressOf(lvalue) => self.fold_address(lvalue)?,
            ExprKind::Function(id) => Address(Anchor::Function(*id), 0),
            ExprKind::Unary(UnaryOp::Not, operand) => Int(!self.truth(operand)? as i128),
            ExprKind::Unary(op, operand) => match (self.fold(operand)?, op) {
                (Int(n), UnaryOp::Neg) => Int(self.wrap(value.ty, n.wrapping_neg())?),
                (Int(n), _) => Int(self.wrap(value.ty, !n)?),
                (Float(x), UnaryOp::Neg) => Float(-x),
                (Extended(x), UnaryOp::Neg) => Extended(-x),
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => self.fold_binary(*op, value.ty, a, b)?,
            ExprKind::Logical(LogicalOp::And, a, b) => Int((self.truth(a)? && self.truth(b)?) as i128),
            ExprKind::Logical(LogicalOp::Or, a, b) => Int((self.truth(a)? || self.truth(b)?) as i128),
            ExprKind::Conditional(c, a, b) => self.fold(if self.truth(c)? { a } else { b })?,
            ExprKind::Convert { value: inner, .. } => self.fold_convert(self.fold(inner)?, inner.ty, value.ty)?,
        })
    }

    fn wrap(&self, ty: TypeId, n: i128) -> Option<i128> {
        match self.program.types.get(ty) {
            Type::Int(kind) => Some(kind.wrap(n)),
            Type::Pointer { .. } => Some(IntKind::ULong.wrap(n)),
            _ => None,
        }
    }

    fn fold_convert(&self, value: Constant, from: TypeId, to: TypeId) -> Option<Constant> {
        use Constant::*;
        let unsigned_wide = self.program.types.int_kind(from) == Some(IntKind::UInt128);
        Some(match (value, self.program.types.get(to)) {
            (Int(n), Type::Int(_) | Type::Pointer { .. }) => Int(self.wrap(to, n)?),
            (Int(n), Type::Float(kind)) => match kind {
                FloatKind::Float if unsigned_wide => Float(n as u128 as f32 as f64),
                FloatKind::Float => Float(n as f32 as f64),
                FloatKind::Double if unsigned_wide => Float(n as u128 as f64),
                FloatKind::Double => Float(n as f64),
                FloatKind::Extended if unsigned_wide => Extended(X87DoubleExtended::from_u128(n as u128).value),
                FloatKind::Extended => Extended(X87DoubleExtended::from_i128(n).value),
            },
            (Float(x), Type::Float(kind)) => match kind {
                FloatKind::Float => Float(x as f32 as f64),
                FloatKind::Double => Float(x),
                FloatKind::Extended => Extended(extended_of_f64(x)),
            },
            (Extended(x), Type::Float(kind)) => match kind {
                FloatKind::Float => Float(f32_of_extended(x)),
                FloatKind::Double => Float(f64_of_extended(x)),
                FloatKind::Extended => Extended(x),
            },
            (Float(x), Type::Int(IntKind::Bool)) => Int((x != 0.0) as i128),
            (Extended(x), Type::Int(IntKind::Bool)) => Int(!x.is_zero() as i128),
            (Float(x), Type::Int(kind)) => {
                let n = x.trunc();
                let inside = n.abs() < 1.6e38 && kind.contains(n as i128) && (n >= 0.0 || kind.is_signed());
                Int(inside.then_some(n as i128)?)
            }
            (Extended(x), Type::Int(kind)) => {
                let status = x.to_i128_r(128, rustc_apfloat::Round::TowardZero, &mut false);
                let valid = !status.status.contains(rustc_apfloat::Status::INVALID_OP);
                Int((valid && kind.contains(status.value)).then_some(status.value)?)
            }
            (Address(anchor, offset), Type::Pointer { .. }) => Address(anchor, offset),
            (Address(..), Type::Int(IntKind::Bool)) => Int(1),
            (Address(anchor, offset), Type::Int(kind)) if kind.bytes() == 8 => Address(anchor, offset),
            _ => return None,
        })
    }

    fn fold_binary(&self, op: BinaryOp, ty: TypeId, a: &Expr, b: &Expr) -> Option<Constant> {
        use Constant::*;
        let (left, right) = (self.fold(a)?, self.fold(b)?);
        match (left, right) {
            (Int(x), Int(y)) => {
                if matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerDiff) {
                    let size = self.stride(a.ty)? as i128;
                    return Some(Int(match op {
                        BinaryOp::PointerAdd => self.wrap(ty, x.wrapping_add(y.wrapping_mul(size)))?,
                        _ => (x - y).checked_div(size)?,
                    }));
                }
                let kind = self.program.types.int_kind(a.ty).unwrap_or(IntKind::ULong);
                let n = integer_op(op, kind, x, y)?;
                Some(Int(if op.is_comparison() { n } else { self.wrap(ty, n)? }))
            }
            (Float(x), Float(y)) => {
                let single = self.program.types.float_kind(a.ty) == Some(FloatKind::Float);
                let round = |value: f64| Float(if single { value as f32 as f64 } else { value });
                Some(match op {
                    // A double has more than twice the digits of a float, so rounding twice is exact here.
                    BinaryOp::Add => round(x + y),
                    BinaryOp::Sub => round(x - y),
                    BinaryOp::Mul => round(x * y),
                    BinaryOp::Div => round(x / y),
                    _ => Int(comparison(op, x.partial_cmp(&y))?),
                })
            }
            (Extended(x), Extended(y)) => Some(match op {
                BinaryOp::Add => Extended((x + y).value),
                BinaryOp::Sub => Extended((x - y).value),
                BinaryOp::Mul => Extended((x * y).value),
                BinaryOp::Div => Extended((x / y).value),
                _ => Int(comparison(op, x.partial_cmp(&y))?),
            }),
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
                _ => comparison(op, x.partial_cmp(&y))?,
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
            Constant::Float(x) => Expr::new(ExprKind::Float(x), ty, span),
            Constant::Extended(x) => Expr::new(ExprKind::Extended(x.to_bits()), ty, span),
            Constant::Address(anchor, offset) => {
                let char_type = self.program.types.int(IntKind::Char);
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

fn comparison(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Option<i128> {
    use std::cmp::Ordering::*;
    Some(match op {
        BinaryOp::Eq => order == Some(Equal),
        BinaryOp::Ne => order != Some(Equal),
        BinaryOp::Lt => order == Some(Less),
        BinaryOp::Le => matches!(order, Some(Less | Equal)),
        BinaryOp::Gt => order == Some(Greater),
        BinaryOp::Ge => matches!(order, Some(Greater | Equal)),
        _ => return None,
    } as i128)
}

/// The result before it is cut to its type. Overflow wraps, as compilers fold it; what has no value has none here.
fn integer_op(op: BinaryOp, kind: IntKind, x: i128, y: i128) -> Option<i128> {
    let wide = kind == IntKind::UInt128;
    Some(match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div | BinaryOp::Rem if y == 0 => return None,
        BinaryOp::Div if wide => (x as u128 / y as u128) as i128,
        BinaryOp::Rem if wide => (x as u128 % y as u128) as i128,
        BinaryOp::Div => x.wrapping_div(y),
        BinaryOp::Rem => x.wrapping_rem(y),
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        BinaryOp::Shl | BinaryOp::Shr if !(0..kind.bits() as i128).contains(&y) => return None,
        BinaryOp::Shl => x.wrapping_shl(y as u32),
        BinaryOp::Shr if wide => ((x as u128) >> y) as i128,
        BinaryOp::Shr => x >> y,
        BinaryOp::PointerAdd | BinaryOp::PointerDiff => return None,
        _ if wide => comparison(op, (x as u128).partial_cmp(&(y as u128)))?,
        _ => comparison(op, x.partial_cmp(&y))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_of_wide_and_narrow_integers() {
        use BinaryOp::*;
        assert_eq!(integer_op(Div, IntKind::UInt128, -1, 2), Some(i128::MAX));
        assert_eq!(integer_op(Lt, IntKind::UInt128, -1, 1), Some(0));
        assert_eq!(integer_op(Lt, IntKind::Int, -1, 1), Some(1));
        assert_eq!(integer_op(Div, IntKind::Int, -7, 2), Some(-3));
        assert_eq!(integer_op(Rem, IntKind::Int, -7, 2), Some(-1));
        assert_eq!(integer_op(Rem, IntKind::Int, 1, 0), None);
        assert_eq!(integer_op(Shl, IntKind::Int, 1, 32), None);
        assert_eq!(integer_op(Shr, IntKind::Int, -8, 1), Some(-4));
    }
}
