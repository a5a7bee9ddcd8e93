//! Conversions: promotions, the usual arithmetic conversions, and conversions as if by assignment.

use super::{Lowered, Lowerer, Stop};
use diagnostics::Span;
use ir::{Expr, ExprKind, FloatKind, IntKind, Type, TypeId};

impl<'u> Lowerer<'u, '_> {
    /// The type both operands of an arithmetic operator are converted to.
    pub(super) fn common_arithmetic(&self, a: TypeId, b: TypeId) -> Option<TypeId> {
        let types = &self.program.types;
        let float = match (types.float_kind(a), types.float_kind(b)) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (one, other) => one.or(other),
        };
        match float {
            Some(kind) => (types.is_arithmetic(a) && types.is_arithmetic(b)).then(|| types.float(kind)),
            None => Some(types.int(types.int_kind(a)?.common(types.int_kind(b)?))),
        }
    }

    pub(super) fn promote(&mut self, value: Expr) -> Expr {
        match self.program.types.int_kind(value.ty) {
            Some(kind) => {
                let ty = self.program.types.int(kind.promoted());
                self.convert(value, ty, false)
            }
            None => value,
        }
    }

    /// The default argument promotions.
    pub(super) fn default_promote(&mut self, value: Expr) -> Expr {
        if self.program.types.float_kind(value.ty) == Some(FloatKind::Float) {
            let double = self.program.types.float(FloatKind::Double);
            return self.convert(value, double, false);
        }
        self.promote(value)
    }

    /// A conversion between scalars that is known to be allowed. Implicit ones of literals give the literal of the
    /// other type, since that is what the reader of the program means.
    pub(super) fn convert(&mut self, value: Expr, to: TypeId, explicit: bool) -> Expr {
        if value.ty == to {
            return value;
        }
        if !explicit {
            if self.program.types.is_pointer(to) && self.program.types.matches(value.ty, to) {
                return value;
            }
            if let ExprKind::Int(n) = value.kind {
                match self.program.types.get(to) {
                    Type::Int(kind) if kind.contains(n) && (n >= 0 || *kind != IntKind::UInt128) => {
                        return Expr { kind: ExprKind::Int(n), ty: to, span: value.span };
                    }
                    Type::Float(FloatKind::Double) if (n as f64) as i128 == n && n.unsigned_abs() < 1 << 100 => {
                        return Expr { kind: ExprKind::Float(n as f64), ty: to, span: value.span };
                    }
                    Type::Float(FloatKind::Float) if (n as f32) as i128 == n && n.unsigned_abs() < 1 << 100 => {
                        return Expr { kind: ExprKind::Float(n as f32 as f64), ty: to, span: value.span };
                    }
                    _ => {}
                }
            }
        }
        let span = value.span;
        Expr { kind: ExprKind::Convert { value: Box::new(value), explicit }, ty: to, span }
    }

    /// Whether the expression is a null pointer constant: zero, or zero cast to `void *`.
    pub(super) fn is_null_constant(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Convert { value: inner, .. } => {
                let to_void = matches!(self.program.types.get(value.ty),
                    Type::Pointer { to, .. } if self.program.types.is_void(*to));
                (to_void || self.program.types.int_kind(value.ty).is_some()) && self.is_null_constant(inner)
            }
            ExprKind::Int(0) => true,
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Conditional(..) | ExprKind::Logical(..) => {
                self.program.types.int_kind(value.ty).is_some() && self.fold_int(value) == Some(0)
            }
            _ => false,
        }
    }

    /// Whether two types say the same, enumerations being their representation: for pointers that meet.
    pub(super) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        self.program.types.matches(a, b)
    }

    /// Converts as an assignment to `to` does. `what` names the place for messages: "assignment", "argument 2 of `f`".
    pub(super) fn assign_convert(&mut self, value: Expr, to: TypeId, what: &str) -> Lowered<Expr> {
        if value.ty == to {
            return Ok(value);
        }
        let span = value.span;
        self.check_supported(to)?;
        self.check_supported(value.ty)?;
        if let Some(converted) = self.tuple_convert(&value, to)? {
            return Ok(converted);
        }
        let types = &self.program.types;
        let (from_type, to_type) = (types.get(value.ty), types.get(to));
        match (from_type, to_type) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => {}
            (Type::Pointer { .. }, Type::Int(IntKind::Bool)) => {}
            (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => {
                let (a, b) = (*a, *b);
                let fine = types.is_void(a)
                    || types.is_void(b)
                    || self.compatible(a, b)
                    || self.is_null_constant(&value)
                    || self.same_but_sign(a, b);
                if !fine {
                    let (from, into) = (self.describe(value.ty), self.describe(to));
                    self.warn(span, format!("{what}: `{from}` does not fit the pointer type `{into}`"));
                }
            }
            (Type::Int(_), Type::Pointer { .. }) => {
                if !self.is_null_constant(&value) {
                    let (from, into) = (self.describe(value.ty), self.describe(to));
                    self.warn(span, format!("{what}: the integer type `{from}` becomes the pointer type `{into}`"));
                }
            }
            (Type::Pointer { .. }, Type::Int(_)) => {
                let (from, into) = (self.describe(value.ty), self.describe(to));
                self.warn(span, format!("{what}: the pointer type `{from}` becomes the integer type `{into}`"));
            }
            _ => return self.mismatch(value.ty, to, what, span),
        }
        Ok(self.convert(value, to, false))
    }

    /// Compilers are silent about `char *` for `unsigned char *` and the like unless asked, and so are we.
    pub(super) fn same_but_sign(&self, a: TypeId, b: TypeId) -> bool {
        match (self.program.types.int_kind(a), self.program.types.int_kind(b)) {
            (Some(a), Some(b)) => a.rank() == b.rank(),
            _ => false,
        }
    }

    fn mismatch<T>(&mut self, from: TypeId, to: TypeId, what: &str, span: Span) -> Lowered<T> {
        if self.program.types.is_void(from) {
            return self.fail(span, format!("{what}: there is no value, the expression has type `void`"));
        }
        let (from, to) = (self.describe(from), self.describe(to));
        self.fail(span, format!("{what}: a value of type `{from}` cannot become `{to}`"))
    }

    /// A cast, checked.
    pub(super) fn cast(&mut self, value: Expr, to: TypeId, span: Span) -> Lowered<Expr> {
        self.check_supported(to)?;
        self.check_supported(value.ty)?;
        let types = &self.program.types;
        let allowed = match (types.get(value.ty), types.get(to)) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => true,
            (Type::Pointer { .. } | Type::Int(_), Type::Pointer { .. }) => true,
            (Type::Pointer { .. }, Type::Int(_)) => true,
            _ => value.ty == to,
        };
        if !allowed {
            let (from, into) = (self.describe(value.ty), self.describe(to));
            return self.fail(span, format!("a value of type `{from}` cannot be cast to `{into}`"));
        }
        if value.ty == to && !self.program.types.is_scalar(to) {
            return Ok(value);
        }
        Ok(Expr { kind: ExprKind::Convert { value: Box::new(value), explicit: true }, ty: to, span })
    }

    pub(super) fn require_scalar(&mut self, value: Expr, what: &str) -> Lowered<Expr> {
        if self.program.types.is_scalar(value.ty) {
            return Ok(value);
        }
        self.check_supported(value.ty)?;
        let ty = self.describe(value.ty);
        self.fail(value.span, format!("{what} must be a number or a pointer, and this has type `{ty}`"))
    }

    pub(super) fn require_integer(&mut self, value: Expr, what: &str) -> Lowered<Expr> {
        if self.program.types.int_kind(value.ty).is_some() {
            return Ok(value);
        }
        self.check_supported(value.ty)?;
        let ty = self.describe(value.ty);
        self.fail(value.span, format!("{what} must be an integer, and this has type `{ty}`"))
    }

    pub(super) fn unsupported<T>(&self, what: impl Into<String>) -> Lowered<T> {
        Err(Stop::Unsupported(what.into()))
    }
}
