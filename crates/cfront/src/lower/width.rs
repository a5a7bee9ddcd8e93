//! Arithmetic with bit-fields that are wider than `int` and narrower than their type.
//!
//! C leaves the type of such a field open (6.7.2.1p5), and compilers differ: GCC computes in a type of the field's own width,
//! Clang in the declared one. Where both agree there is nothing to do. Where they do not, and nobody said that GCC's rules
//! count, the operation has no model. Under GCC's rules a result of so many bits is cut to them after each operation; that
//! it has a width of its own is kept in its form, a conversion to the type that it has already.

use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{BinaryOp, Expr, ExprKind, IntKind, UnaryOp};

const OWN_WIDTH: &str = "arithmetic with a bit-field wider than `int`, whose width depends on the compiler";

/// A type of GCC for values of so many bits, which are kept in one of C's.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Width {
    bits: u32,
    kind: IntKind,
}

impl Width {
    fn is_own(self) -> bool {
        self.bits < self.kind.bits()
    }

    /// The type that two operands are computed in: that of more bits, of equally many the unsigned one.
    fn common(self, other: Width) -> Width {
        match self.bits.cmp(&other.bits) {
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Less => other,
            _ if other.kind.is_signed() => self,
            _ => other,
        }
    }
}

impl Lowerer<'_, '_> {
    /// The width of a value that is read from such a field, or computed from one.
    fn own_width(&self, value: &Expr) -> Option<Width> {
        let kind = self.program.types.int_kind(value.ty)?;
        match &value.kind {
            ExprKind::Load(lvalue) => {
                let field = self.program.bit_field(Some(&self.frame.locals), lvalue)?;
                let (bits, kind) = (field.bits?.width, self.program.types.int_kind(field.ty)?);
                let keeps = (32..kind.bits()).contains(&bits) && !(bits == 32 && kind.is_signed());
                keeps.then_some(Width { bits, kind })
            }
            ExprKind::Convert { value: inner, explicit: false } if inner.ty == value.ty => match &inner.kind {
                ExprKind::Binary(BinaryOp::Shr, _, by) => match by.kind {
                    ExprKind::Int(cut) => Some(Width { bits: kind.bits() - cut as u32, kind }),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn has_own_width(&self, value: &Expr) -> bool {
        self.own_width(value).is_some()
    }

    /// Refuses operations of which compilers differ in the width, unless GCC's rules count.
    pub(super) fn check_widths(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Lowered<()> {
        if self.program.data.shifts_wrap {
            return Ok(());
        }
        let decides_alone = |value: &Expr| {
            let types = &self.program.types;
            types.float_kind(value.ty).is_some()
                || types.is_pointer(value.ty)
                || types.int_kind(value.ty).is_some_and(|kind| kind.bits() >= 64) && !self.has_own_width(value)
        };
        // Such a literal is the same in every type.
        let is_small = |value: &Expr| match &value.kind {
            ExprKind::Int(value) => (0..=0x7fff_ffff).contains(value),
            ExprKind::Convert { value, .. } => matches!(value.kind, ExprKind::Int(0..=1)),
            _ => false,
        };
        let keeps = op.is_comparison()
            || matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        let is_clear =
            |one: &Expr, other: &Expr| !self.has_own_width(one) || decides_alone(other) || keeps && is_small(other);
        let clear = match op {
            BinaryOp::Shr => true,
            BinaryOp::Shl => !self.has_own_width(left),
            _ => is_clear(left, right) && is_clear(right, left),
        };
        if clear { Ok(()) } else { self.unsupported(OWN_WIDTH) }
    }

    /// The same for an operator on one value.
    pub(super) fn check_width(&self, value: &Expr) -> Lowered<()> {
        if self.has_own_width(value) && !self.program.data.shifts_wrap { self.unsupported(OWN_WIDTH) } else { Ok(()) }
    }

    /// Cuts a value to a width, of which its form then tells.
    fn cut(&mut self, value: Expr, width: Width) -> Expr {
        let span = value.span;
        let ty = self.program.types.int(width.kind);
        let unsigned = self.program.types.int(width.kind.to_unsigned());
        let int = self.program.types.int(IntKind::Int);
        let by = || Box::new(Expr::int(i128::from(width.kind.bits() - width.bits), int, span));
        let value = self.convert(value, unsigned, false);
        let up = Expr::new(ExprKind::Binary(BinaryOp::Shl, Box::new(value), by()), unsigned, span);
        let up = self.convert(up, ty, false);
        let down = Expr::new(ExprKind::Binary(BinaryOp::Shr, Box::new(up), by()), ty, span);
        Expr::new(ExprKind::Convert { value: Box::new(down), explicit: false }, ty, span)
    }

    /// A binary operator as GCC computes it where an operand has a width of its own; nothing otherwise.
    pub(super) fn own_width_operate(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Option<Expr> {
        let widths = (self.own_width(left), self.own_width(right));
        if !self.program.data.shifts_wrap || widths == (None, None) {
            return None;
        }
        let (left, right) = (self.promote(left.clone()), self.promote(right.clone()));
        let plain = |this: &Self, value: &Expr| {
            this.program.types.int_kind(value.ty).map(|kind| Width { bits: kind.bits(), kind })
        };
        let own_left = widths.0.or_else(|| plain(self, &left))?;
        let own_right = widths.1.or_else(|| plain(self, &right))?;
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if is_shift && widths.0.is_none() {
            return None;
        }
        let width = if is_shift { own_left } else { own_left.common(own_right) };
        let ty = self.program.types.int(width.kind);
        let operand = |this: &mut Self, value: Expr, own: Width| {
            let value = this.convert(value, ty, false);
            if width.is_own() && own != width { this.cut(value, width) } else { value }
        };
        let left = operand(self, left, own_left);
        let right = if is_shift { right } else { operand(self, right, own_right) };
        if op.is_comparison() {
            let int = self.program.types.int(IntKind::Int);
            return Some(Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), int, span));
        }
        // A left shift of a signed value moves its bits.
        let wraps = op == BinaryOp::Shl && width.kind.is_signed();
        let computed = if wraps { self.program.types.int(width.kind.to_unsigned()) } else { ty };
        let left = self.convert(left, computed, false);
        let value = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), computed, span);
        let value = self.convert(value, ty, false);
        Some(if width.is_own() { self.cut(value, width) } else { value })
    }

    /// The same for an operator on one value.
    pub(super) fn own_width_unary(&mut self, op: UnaryOp, value: &Expr, span: Span) -> Option<Expr> {
        let width = self.own_width(value).filter(|_| self.program.data.shifts_wrap)?;
        let ty = self.program.types.int(width.kind);
        let value = self.convert(value.clone(), ty, false);
        let value = Expr::new(ExprKind::Unary(op, Box::new(value)), ty, span);
        Some(self.cut(value, width))
    }
}
