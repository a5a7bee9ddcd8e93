//! Complex numbers: what the operators do to real and imaginary parts.
//!
//! A real operand stays real, as compilers have it: in `x * z` both parts of `z` are multiplied by `x`, so that no zero
//! of the missing part gets into the result. Products of two complex numbers are computed by the plain formula; where that
//! gives no number, and for quotients, it is the compiler's library that says what comes out (`__muldc3`, `__divdc3`),
//! which the VM has models of.

use super::lvalue::Operand;
use super::parts::Tuple;
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{
    BinaryOp, Block, Callee, Expr, ExprKind, FloatKind, IntKind, Linkage, LogicalOp, Signature, Stmt, StmtKind, Type,
    TypeId, UnaryOp,
};
use lang_c::ast::*;
use lang_c::span::Node;

impl<'u> Lowerer<'u, '_> {
    pub(super) fn complex_type(&mut self, of: TypeId) -> TypeId {
        if self.unsupported_type(of).is_some() || !self.program.types.is_arithmetic(of) {
            return self.placeholder("complex numbers of this type");
        }
        self.tuple_type(Tuple::Complex { of })
    }

    fn complex(&self, ty: TypeId) -> Option<TypeId> {
        match self.tuple(ty) {
            Some(Tuple::Complex { of }) => Some(of),
            _ => None,
        }
    }

    /// The real and the imaginary part of any number.
    pub(super) fn complex_parts(&mut self, value: Expr) -> Lowered<[Expr; 2]> {
        if self.complex(value.ty).is_some() {
            let mut parts = self.parts(value)?.into_iter();
            if let (Some(real), Some(imaginary)) = (parts.next(), parts.next()) {
                return Ok([real, imaginary]);
            }
            return self.unsupported("a complex number without parts");
        }
        if !self.program.types.is_arithmetic(value.ty) {
            let ty = self.describe(value.ty);
            return self.fail(value.span, format!("a value of type `{ty}` cannot become a complex number"));
        }
        let zero = self.zero_of(value.ty, value.span);
        Ok([value, zero])
    }

    fn zero_of(&mut self, ty: TypeId, span: Span) -> Expr {
        let int = self.program.types.int(IntKind::Int);
        let zero = Expr::int(0, int, span);
        self.convert(zero, ty, false)
    }

    /// Whether a complex number is not zero.
    pub(super) fn complex_truth(&mut self, value: Expr) -> Lowered<Expr> {
        let int = self.program.types.int(IntKind::Int);
        let span = value.span;
        let [real, imaginary] = self.complex_parts(value)?;
        let (real, imaginary) = (self.truth_value(real, int), self.truth_value(imaginary, int));
        Ok(self.both(real, imaginary, LogicalOp::Or, span))
    }

    /// An imaginary constant.
    pub(super) fn imaginary(&mut self, value: Expr) -> Expr {
        let (of, span) = (value.ty, value.span);
        let zero = self.zero_of(of, span);
        self.assembled(Tuple::Complex { of }, vec![zero, value], span)
    }

    /// `__real__ z` and `__imag__ z`: parts of an object, or of a value.
    pub(super) fn complex_part(&mut self, node: &Node<Expression>, index: u32, span: Span) -> Lowered<Operand> {
        match self.operand(node)? {
            Operand::Place(mut place) if self.complex(place.lvalue.ty).is_some() => {
                let whole = Expr::load(place.lvalue.clone());
                if self.constant_only {
                    return Ok(Operand::Value(self.complex_parts(whole)?[index as usize].clone()));
                }
                self.step_into_field(&mut place, index);
                place.lvalue.span = span;
                Ok(Operand::Place(place))
            }
            operand if index == 0 => Ok(operand),
            operand => {
                let value = self.value_of(operand)?;
                let [_, imaginary] = self.complex_parts(value)?;
                Ok(Operand::Value(imaginary))
            }
        }
    }

    /// `-z`, `~z` (the conjugate), `!z`; `None` where the operand is not complex.
    pub(super) fn complex_unary(&mut self, op: UnaryOp, value: &Expr, span: Span) -> Lowered<Option<Expr>> {
        let Some(of) = self.complex(value.ty) else { return Ok(None) };
        let [real, imaginary] = self.complex_parts(value.clone())?;
        let negated = |value: Expr| Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(value)), of, span);
        let parts = match op {
            UnaryOp::Neg => vec![negated(real), negated(imaginary)],
            UnaryOp::Complement => vec![real, negated(imaginary)],
            UnaryOp::Not => {
                let int = self.program.types.int(IntKind::Int);
                let truth = self.complex_truth(value.clone())?;
                return Ok(Some(Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(truth)), int, span)));
            }
        };
        Ok(Some(self.assembled(Tuple::Complex { of }, parts, span)))
    }

    /// A binary operator where an operand is complex; `None` where none is.
    pub(super) fn complex_operate(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        let (a, b) = (self.complex(left.ty), self.complex(right.ty));
        if a.is_none() && b.is_none() {
            return Ok(None);
        }
        let Some(of) = self.common_arithmetic(a.unwrap_or(left.ty), b.unwrap_or(right.ty)) else {
            let (a, b) = (self.describe(left.ty), self.describe(right.ty));
            return self.fail(span, format!("`{}` cannot be applied to `{a}` and `{b}`", op.symbol()));
        };
        let lefts = self.complex_parts(left.clone())?.map(|part| self.convert(part, of, false));
        let rights = self.complex_parts(right.clone())?.map(|part| self.convert(part, of, false));
        // A real operand appears twice.
        let [left_real, left_imaginary] = lefts.map(|part| self.reusable(part));
        let [right_real, right_imaginary] = rights.map(|part| self.reusable(part));
        let mut apply = |op, a: &Expr, b: &Expr| self.operate(op, a.clone(), b.clone(), span);
        let parts = match (op, a.is_some(), b.is_some()) {
            (BinaryOp::Eq | BinaryOp::Ne, ..) => {
                let real = apply(op, &left_real, &right_real)?;
                let imaginary = apply(op, &left_imaginary, &right_imaginary)?;
                let both = if op == BinaryOp::Eq { LogicalOp::And } else { LogicalOp::Or };
                return Ok(Some(self.both(real, imaginary, both, span)));
            }
            (BinaryOp::Add | BinaryOp::Sub, true, false) => {
                vec![apply(op, &left_real, &right_real)?, left_imaginary]
            }
            (BinaryOp::Add, false, true) => vec![apply(op, &left_real, &right_real)?, right_imaginary],
            (BinaryOp::Sub, false, true) => {
                let negated = Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(right_imaginary)), of, span);
                vec![apply(op, &left_real, &right_real)?, negated]
            }
            (BinaryOp::Add | BinaryOp::Sub, true, true) => {
                vec![apply(op, &left_real, &right_real)?, apply(op, &left_imaginary, &right_imaginary)?]
            }
            (BinaryOp::Mul | BinaryOp::Div, true, false) => {
                vec![apply(op, &left_real, &right_real)?, apply(op, &left_imaginary, &right_real)?]
            }
            (BinaryOp::Mul, false, true) => {
                vec![apply(op, &left_real, &right_real)?, apply(op, &left_real, &right_imaginary)?]
            }
            (BinaryOp::Mul, true, true) => {
                let real = {
                    let (first, second) =
                        (apply(op, &left_real, &right_real)?, apply(op, &left_imaginary, &right_imaginary)?);
                    apply(BinaryOp::Sub, &first, &second)?
                };
                let imaginary = {
                    let (first, second) =
                        (apply(op, &left_real, &right_imaginary)?, apply(op, &left_imaginary, &right_real)?);
                    apply(BinaryOp::Add, &first, &second)?
                };
                let plain = self.assembled(Tuple::Complex { of }, vec![real, imaginary], span);
                let operands = [left_real, left_imaginary, right_real, right_imaginary];
                return self.checked_product(plain, of, operands, span).map(Some);
            }
            (BinaryOp::Div, _, true) if self.program.types.float_kind(of).is_some() => {
                let operands = [left_real, left_imaginary, right_real, right_imaginary];
                let ty = self.complex_record(of);
                let target = self.temporary_place(ty, span);
                let call = self.library_operation("div", of, operands, target.clone(), span)?;
                self.frame.stmts.push(call);
                return Ok(Some(Expr::load(target)));
            }
            _ => return self.unsupported(format!("the operator `{}` on complex numbers", op.symbol())),
        };
        Ok(Some(self.assembled(Tuple::Complex { of }, parts, span)))
    }

    fn complex_record(&mut self, of: TypeId) -> TypeId {
        self.tuple_type(Tuple::Complex { of })
    }

    /// A product, computed once more by the library if neither part is a number.
    fn checked_product(&mut self, plain: Expr, of: TypeId, operands: [Expr; 4], span: Span) -> Lowered<Expr> {
        if self.program.types.float_kind(of).is_none() || self.constant_only || self.names.at_file_scope() {
            return Ok(plain);
        }
        let ExprKind::Load(target) = &plain.kind else { return Ok(plain) };
        let [real, imaginary] = self.complex_parts(plain.clone())?;
        let real = self.operate(BinaryOp::Ne, real.clone(), real, span)?;
        let imaginary = self.operate(BinaryOp::Ne, imaginary.clone(), imaginary, span)?;
        let cond = self.both(real, imaginary, LogicalOp::And, span);
        let call = self.library_operation("mul", of, operands, target.clone(), span)?;
        let then = Block { locals: Vec::new(), stmts: vec![call] };
        self.emit(StmtKind::If { cond, then, otherwise: Block::default() }, span);
        Ok(plain)
    }

    /// A call of the function of the compiler's library that multiplies or divides complex numbers.
    fn library_operation(
        &mut self,
        verb: &str,
        of: TypeId,
        operands: [Expr; 4],
        target: ir::Lvalue,
        span: Span,
    ) -> Lowered<Stmt> {
        if self.constant_only || self.names.at_file_scope() {
            return self.unsupported("a quotient of complex numbers in a static initialiser");
        }
        let mode = match self.program.types.float_kind(of) {
            Some(FloatKind::Float) => "sc3",
            Some(FloatKind::Double) => "dc3",
            Some(FloatKind::Extended) => "xc3",
            None => return self.unsupported("a quotient of complex integers"),
        };
        let result = self.complex_record(of);
        let signature = Signature { result, params: vec![of; 4], variadic: false, unprototyped: false };
        let ty = self.types().intern(Type::Function(signature));
        let name = format!("__{verb}{mode}");
        let function = self.link.function(self.program, &name, ty, Linkage::External, span);
        let call = StmtKind::Call { result: Some(target), callee: Callee::Function(function), args: operands.to_vec() };
        Ok(Stmt::new(call, span))
    }

    /// `__builtin_complex(real, imaginary)`.
    pub(super) fn complex_of_parts(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let [real, imaginary] = args else { return self.fail(span, "`__builtin_complex` takes two numbers") };
        let (real, imaginary) =
            self.in_some_order(span, |this| this.rvalue(real), Self::keep, |this| this.rvalue(imaginary), Self::keep)?;
        let of = real.ty;
        let imaginary = self.assign_convert(imaginary, of, "argument 2 of `__builtin_complex`")?;
        let value = self.assembled(Tuple::Complex { of }, vec![real, imaginary], span);
        self.tuple_operand(value)
    }

    /// The two functions of complex.h that give back a part, and the conjugate.
    pub(super) fn complex_function(
        &mut self,
        name: &str,
        arg: &Node<Expression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let (function, of) = match name {
            "creal" | "cimag" | "conj" => (name, FloatKind::Double),
            _ if name.ends_with('f') => (&name[..name.len() - 1], FloatKind::Float),
            _ => (&name[..name.len() - 1], FloatKind::Extended),
        };
        let ty = self.program.types.float(of);
        let ty = self.complex_record(ty);
        let value = self.rvalue(arg)?;
        let value = self.assign_convert(value, ty, "argument")?;
        let [real, imaginary] = self.complex_parts(value.clone())?;
        Ok(match function {
            "creal" => Some(Operand::Value(real)),
            "cimag" => Some(Operand::Value(imaginary)),
            "conj" => match self.complex_unary(UnaryOp::Complement, &value, span)? {
                Some(value) => Some(self.tuple_operand(value)?),
                None => None,
            },
            _ => None,
        })
    }
}
