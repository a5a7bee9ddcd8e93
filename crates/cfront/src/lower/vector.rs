//! Vectors of GNU C: operations element by element.
//!
//! A scalar operand counts for every element. Comparisons give 0 or -1 in a signed integer type of the elements' width.
//! Elements narrower than `int` are computed in `int` and cut back, as scalars are when they are assigned. A cast between
//! types of one size takes the bytes as they are.

use super::lvalue::{Operand, Place};
use super::parts::Tuple;
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{Base, BinaryOp, Expr, ExprKind, IntKind, LogicalOp, Lvalue, Step, StmtKind, Type, TypeId, UnaryOp};
use lang_c::ast::*;
use lang_c::span::Node;

/// The most bytes that a vector may have; more would be written out to very many statements.
const MAX_BYTES: u64 = 1 << 10;

impl Lowerer<'_, '_> {
    /// The type that `vector_size(bytes)` makes of a type.
    pub(super) fn vector_type(&mut self, of: TypeId, bytes: u64) -> TypeId {
        let size = self.program.types.size_of(of).unwrap_or(0);
        let is_number = self.program.types.is_arithmetic(of);
        if !is_number
            || size == 0
            || bytes == 0
            || bytes > MAX_BYTES
            || !bytes.is_multiple_of(size)
            || !bytes.is_power_of_two()
        {
            return self.placeholder("a vector of an unusual size or element");
        }
        self.tuple_type(Tuple::Vector { of, count: bytes / size })
    }

    fn vector(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match self.tuple(ty) {
            Some(Tuple::Vector { of, count }) => Some((of, count)),
            _ => None,
        }
    }

    /// The elements of an operand of a vector operator.
    fn operand_elements(&mut self, value: Expr, of: TypeId, count: u64) -> Lowered<Vec<Expr>> {
        if self.vector(value.ty).is_some() {
            let elements = self.parts(value.clone())?;
            if elements.len() as u64 != count {
                return self.fail(value.span, "the operands are vectors of different lengths");
            }
            return Ok(elements);
        }
        let value = self.assign_convert(value, of, "an operand")?;
        let value = self.reusable(value);
        Ok(vec![value; count as usize])
    }

    /// A binary operator where an operand is a vector; `None` where none is.
    pub(super) fn vector_operate(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Lowered<Option<Expr>> {
        let Some((of, count)) = self.vector(left.ty).or_else(|| self.vector(right.ty)) else { return Ok(None) };
        let lefts = self.operand_elements(left.clone(), of, count)?;
        let rights = self.operand_elements(right.clone(), of, count)?;
        let result = if op.is_comparison() { self.mask_type(of) } else { of };
        let mut parts = Vec::with_capacity(lefts.len());
        for (left, right) in lefts.into_iter().zip(rights) {
            let value = self.operate(op, left, right, span)?;
            let value = match op.is_comparison() {
                true => Expr { ty: value.ty, span, kind: ExprKind::Unary(UnaryOp::Neg, Box::new(value)) },
                false => value,
            };
            parts.push(self.convert(value, result, false));
        }
        Ok(Some(self.assembled(Tuple::Vector { of: result, count }, parts, span)))
    }

    /// The type of the elements of a comparison.
    fn mask_type(&self, of: TypeId) -> TypeId {
        let kind = match self.program.types.size_of(of) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            Some(16) => IntKind::Int128,
            _ => IntKind::Long,
        };
        self.program.types.int(kind)
    }

    /// `-v`, `~v`; `None` where the operand is no vector.
    pub(super) fn vector_unary(&mut self, op: UnaryOp, value: &Expr, span: Span) -> Lowered<Option<Expr>> {
        let Some((of, count)) = self.vector(value.ty) else { return Ok(None) };
        let mut parts = Vec::with_capacity(count as usize);
        for element in self.parts(value.clone())? {
            let element = self.promote(element);
            let ty = element.ty;
            let value = Expr::new(ExprKind::Unary(op, Box::new(element)), ty, span);
            parts.push(self.convert(value, of, false));
        }
        Ok(Some(self.assembled(Tuple::Vector { of, count }, parts, span)))
    }

    /// The array inside a vector that is indexed.
    pub(super) fn elements_place(&mut self, mut place: Place) -> Place {
        if self.vector(place.lvalue.ty).is_some() {
            self.step_into_field(&mut place, 0);
        }
        place
    }

    /// A cast to or from a vector, which takes the bytes as they are; `None` where neither is one.
    pub(super) fn vector_cast(&mut self, operand: &Operand, to: TypeId, span: Span) -> Lowered<Option<Operand>> {
        let from = operand.qual().ty;
        if self.vector(from).is_none() && self.vector(to).is_none() {
            return Ok(None);
        }
        if from == to {
            return Ok(Some(operand.clone()));
        }
        let value = self.value_of(operand.clone())?;
        let types = &self.program.types;
        if types.size_of(value.ty) != types.size_of(to) || self.constant_only {
            let (from, into) = (self.describe(value.ty), self.describe(to));
            return self.fail(span, format!("a value of type `{from}` cannot be cast to `{into}`"));
        }
        let kept = self.temporary_place(value.ty, span);
        let pointer = self.types().pointer(value.ty);
        self.emit(StmtKind::Assign { target: kept.clone(), value }, span);
        let address = Expr::new(ExprKind::AddressOf(kept), pointer, span);
        let wanted = self.types().pointer(to);
        let address = self.convert(address, wanted, true);
        let seen = Lvalue { base: Base::Deref(Box::new(address)), path: Vec::new(), ty: to, span };
        let target = self.temporary_place(to, span);
        self.emit(StmtKind::Assign { target: target.clone(), value: Expr::load(seen) }, span);
        Ok(Some(match self.program.types.is_scalar(to) {
            true => Operand::Value(Expr::load(target)),
            false => Operand::Place(Place::new(target)),
        }))
    }

    /// `__builtin_shuffle(v, mask)` and `__builtin_shuffle(v, w, mask)`: elements chosen by number.
    pub(super) fn shuffle(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let mut values: Vec<Expr> = Vec::with_capacity(args.len());
        for arg in args {
            let mark = self.mark();
            let value = self.rvalue(arg)?;
            self.keep_all(&mut values, mark);
            values.push(value);
        }
        let (sources, mask) = match &values[..] {
            [v, mask] => (vec![v.clone()], mask.clone()),
            [v, w, mask] => (vec![v.clone(), w.clone()], mask.clone()),
            _ => return self.fail(span, "`__builtin_shuffle` takes two or three vectors"),
        };
        let Some((of, count)) = self.vector(sources[0].ty) else {
            return self.fail(span, "`__builtin_shuffle` takes vectors");
        };
        let long = self.program.types.int(IntKind::Long);
        let numbers = self.parts(mask)?;
        let mut parts = Vec::with_capacity(numbers.len());
        for number in numbers {
            let number = self.convert(number, long, false);
            let low = Expr::int(i128::from(count) - 1, long, span);
            let index = self.operate(BinaryOp::BitAnd, number.clone(), low, span)?;
            let mut chosen = Vec::with_capacity(2);
            for source in &sources {
                let ExprKind::Load(whole) = &source.kind else { return self.fail(span, "a vector is an object") };
                let mut lvalue = whole.clone();
                lvalue.path.push(Step::Field(0));
                lvalue.path.push(Step::Index(index.clone()));
                lvalue.ty = of;
                chosen.push(Expr::load(lvalue));
            }
            let second = chosen.pop();
            parts.push(match (chosen.pop(), second) {
                (Some(first), Some(second)) => {
                    let bit = Expr::int(i128::from(count), long, span);
                    let high = self.operate(BinaryOp::BitAnd, number, bit, span)?;
                    let kind = ExprKind::Conditional(Box::new(high), Box::new(second), Box::new(first));
                    Expr::new(kind, of, span)
                }
                (_, only) => only.unwrap_or_else(|| Expr::int(0, of, span)),
            });
        }
        let value = self.assembled(Tuple::Vector { of, count }, parts, span);
        self.tuple_operand(value)
    }

    /// A tuple as an operand: an object, as records are.
    pub(super) fn tuple_operand(&mut self, value: Expr) -> Lowered<Operand> {
        Ok(match value.kind {
            ExprKind::Load(lvalue) if matches!(self.program.types.get(value.ty), Type::Record(_)) => {
                Operand::Place(Place::new(lvalue))
            }
            _ => Operand::Value(value),
        })
    }

    /// `a && b` of vectors is C++'s alone; of complex numbers it is a question about both parts.
    pub(super) fn both(&self, first: Expr, second: Expr, op: LogicalOp, span: Span) -> Expr {
        let int = self.program.types.int(IntKind::Int);
        Expr::new(ExprKind::Logical(op, Box::new(first), Box::new(second)), int, span)
    }
}
