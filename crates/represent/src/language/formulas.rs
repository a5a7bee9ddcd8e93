//! Expressions of normalisation programs as formulas.

use super::{Read, Reader, Role, refuse};
use crate::formula::{Cmp, Formula, ParamId, Reference};
use diagnostics::Span;
use ir::arith::{self, Defined};
use ir::{Base, BinaryOp, Expr, ExprKind, IntKind, LogicalOp, Lvalue, Step, TypeId, UnaryOp};

impl Reader<'_> {
    /// What an lvalue other than a local names: a parameter and indices.
    pub(super) fn place(&mut self, lvalue: &Lvalue) -> Read<(ParamId, Vec<Formula>)> {
        let Base::Deref(pointer) = &lvalue.base else {
            return refuse(lvalue.span, "only parameters and local integers can be used");
        };
        let mut indices = Vec::new();
        let mut pointer = &**pointer;
        let mut offset = Formula::Int(0);
        let local = loop {
            match &pointer.kind {
                ExprKind::Binary(BinaryOp::PointerAdd, base, index) => {
                    offset = offset.plus(self.formula(index)?);
                    pointer = base;
                }
                ExprKind::Load(inner) => match inner.as_local().filter(|l| self.param_of.contains_key(l)) {
                    Some(local) => break local,
                    None => return refuse(lvalue.span, "only arrays that are parameters can be used"),
                },
                ExprKind::Convert { value, .. } => pointer = value,
                _ => return refuse(lvalue.span, "only arrays that are parameters can be used"),
            }
        };
        let param = self.param_of[&local];
        if !self.params[param.0 as usize].pointer {
            indices.push(offset);
        } else if offset != Formula::Int(0) {
            let name = self.name(local);
            return refuse(
                lvalue.span,
                format!("`{name}` is used as an array; declare it as one, `{name}[n]`, so that its length is known"),
            );
        }
        for step in &lvalue.path {
            match step {
                Step::Index(index) => indices.push(self.formula(index)?),
                Step::Field(_) => return refuse(lvalue.span, "members of records cannot be inverted"),
            }
        }
        Ok((param, indices))
    }

    pub(super) fn formula(&mut self, expr: &Expr) -> Read<Formula> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Formula::Int(*value)),
            ExprKind::Load(lvalue) => self.load(lvalue),
            ExprKind::Unary(UnaryOp::Neg, a) => match (self.formula(a)?, self.int_kind(a.ty, span)?) {
                (Formula::Int(n), kind) => constant(arith::negate(kind, n), span),
                (a, _) => Ok(Formula::Int(0).less(a)),
            },
            ExprKind::Unary(UnaryOp::Not, a) => Ok(self.truth(a)?.negate()),
            ExprKind::Binary(op, a, b) => {
                let integers = [a, b].iter().all(|e| self.program.types.int_kind(e.ty).is_some());
                if !integers {
                    return refuse(span, "only integers can be inverted");
                }
                let kinds = (self.int_kind(a.ty, span)?, self.int_kind(b.ty, span)?);
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                if let (Formula::Int(a), Formula::Int(b)) = (&a, &b) {
                    return constant(arith::binary(*op, kinds.0, *a, kinds.1, *b), span);
                }
                Ok(match op {
                    BinaryOp::Add => a.plus(b),
                    BinaryOp::Sub => a.less(b),
                    BinaryOp::Mul => a.times(b),
                    BinaryOp::Div | BinaryOp::Rem => {
                        let Formula::Int(divisor) = b else {
                            return refuse(span, "a division by something that is not constant cannot be inverted");
                        };
                        if divisor == 0 {
                            return refuse(span, "a division by zero");
                        }
                        let (a, b) = (Box::new(a), Box::new(b));
                        if *op == BinaryOp::Div { Formula::Div(a, b) } else { Formula::Rem(a, b) }
                    }
                    BinaryOp::Eq => Formula::eq(a, b),
                    BinaryOp::Ne => Formula::compare(Cmp::Ne, a, b),
                    BinaryOp::Lt => Formula::lt(a, b),
                    BinaryOp::Le => Formula::le(a, b),
                    BinaryOp::Gt => Formula::lt(b, a),
                    BinaryOp::Ge => Formula::le(b, a),
                    _ => return refuse(span, format!("the operator `{}` cannot be inverted", op.symbol())),
                })
            }
            ExprKind::Logical(op, a, b) => {
                let parts = [self.truth(a)?, self.truth(b)?];
                Ok(if *op == LogicalOp::And { Formula::and(parts) } else { Formula::or(parts) })
            }
            ExprKind::Conditional(c, a, b) => {
                let (c, a, b) = (self.truth(c)?, self.formula(a)?, self.formula(b)?);
                Ok(Formula::choice(c, a, b))
            }
            ExprKind::Convert { value, .. } => {
                let inner = self.formula(value)?;
                if let Formula::Int(n) = inner {
                    let kind = self.int_kind(expr.ty, span)?;
                    return Ok(Formula::Int(kind.wrap(n)));
                }
                let (from, to) = (self.int_kind(value.ty, span)?, self.int_kind(expr.ty, span)?);
                if to == IntKind::Bool && from != IntKind::Bool && !is_truth(value) {
                    return Ok(Formula::compare(Cmp::Ne, inner, Formula::Int(0)));
                }
                if to != IntKind::Bool && to.bits() < from.bits() {
                    return refuse(span, format!("the conversion to `{}` loses a part of the value", to.c_name()));
                }
                Ok(inner)
            }
            ExprKind::Float(_) | ExprKind::Extended(_) => refuse(span, "only integers can be inverted"),
            ExprKind::Unary(UnaryOp::Complement, a) => match (self.formula(a)?, self.int_kind(a.ty, span)?) {
                (Formula::Int(n), kind) => Ok(Formula::Int(arith::complement(kind, n))),
                _ => refuse(span, "the operator `~` cannot be inverted"),
            },
            ExprKind::AddressOf(_) | ExprKind::Function(_) => refuse(span, "an address cannot be inverted"),
        }
    }

    pub(super) fn int_kind(&self, ty: TypeId, span: Span) -> Read<IntKind> {
        self.program.types.int_kind(ty).map_or_else(|| refuse(span, "only integers can be inverted"), Ok)
    }

    /// A formula that is 0 or 1.
    pub(super) fn truth(&mut self, expr: &Expr) -> Read<Formula> {
        let formula = self.formula(expr)?;
        Ok(match formula {
            Formula::Compare(..) | Formula::And(_) | Formula::Or(_) | Formula::Not(_) => formula,
            Formula::Int(n) => Formula::Int((n != 0) as i128),
            other => Formula::compare(Cmp::Ne, other, Formula::Int(0)),
        })
    }

    pub(super) fn load(&mut self, lvalue: &Lvalue) -> Read<Formula> {
        let Some(local) = lvalue.as_local() else {
            let (param, indices) = self.place(lvalue)?;
            let declared = &self.params[param.0 as usize];
            if declared.role == Role::Output {
                return refuse(
                    lvalue.span,
                    format!("`{}` is part of the canonical value and is read here", declared.name),
                );
            }
            return Ok(Formula::Ref(Reference { param, indices }));
        };
        if let Some(&param) = self.param_of.get(&local) {
            if self.program.types.int_kind(lvalue.ty).is_none() {
                return refuse(lvalue.span, "an address cannot be inverted");
            }
            return Ok(Formula::scalar(param));
        }
        if self.stepped.contains(&local) {
            return Ok(Formula::Var(self.var(local)));
        }
        match self.values.get(&local) {
            Some(value) => Ok(value.clone()),
            None => refuse(lvalue.span, format!("`{}` has no value that is known here", self.name(local))),
        }
    }
}

/// The value of an operation on constants.
fn constant(result: Defined<i128>, span: Span) -> Read<Formula> {
    result.map_or_else(|undefined| refuse(span, format!("{undefined}")), |value| Ok(Formula::Int(value)))
}

/// Whether an expression is 0 or 1 by what it says.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(op, ..) => {
            matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
        }
        _ => false,
    }
}
