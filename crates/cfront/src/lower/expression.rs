//! Expressions: operators, and the side effects inside them as statements.

use super::declarator::{Enumerated, Qual};
use super::lvalue::Operand;
use super::parts::Tuple;
use super::{Lowered, Lowerer};
use crate::order::Deed;
use crate::parse::invented::MISSING_OPERAND;
use diagnostics::Span;
use ir::{
    BinaryOp, Block, Callee, Expr, ExprKind, IntKind, LocalId, LogicalOp, Lvalue, Stmt, StmtKind, Type, TypeId, UnaryOp,
};
use lang_c::ast::*;
use lang_c::span::Node;

impl<'u> Lowerer<'u, '_> {
    /// The value of an expression, after its side effects were emitted.
    pub(super) fn rvalue(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        let operand = self.operand(node)?;
        let value = self.value_of(operand)?;
        Ok(self.limit_height(value))
    }

    /// A value that can be compared with zero.
    pub(super) fn condition(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        if let Some(Tuple::Complex { .. }) = self.tuple(value.ty) {
            return self.complex_truth(value);
        }
        self.require_scalar(value, "a condition")
    }

    /// What an expression denotes. The height of what was made is kept for [`Self::limit_height`].
    pub(super) fn operand(&mut self, node: &Node<Expression>) -> Lowered<Operand> {
        let outer = std::mem::take(&mut self.height);
        let result = self.operand_inner(node);
        self.height = outer.max(self.height + 1);
        result
    }

    fn operand_inner(&mut self, node: &Node<Expression>) -> Lowered<Operand> {
        let span = self.src.span(node.span);
        Ok(match &node.node {
            Expression::Identifier(name) => return self.identifier(name),
            Expression::Constant(constant) => {
                let value = self.constant(constant)?;
                return self.tuple_operand(value);
            }
            Expression::StringLiteral(literal) => return self.string_operand(literal),
            Expression::Member(member) => return self.member(member),
            Expression::Call(call) => return self.call_operand(call, span),
            Expression::CompoundLiteral(literal) => return self.compound_literal(literal),
            Expression::SizeOfTy(name) => Operand::Value(self.size_of_type_name(&name.node.0, span)?),
            Expression::SizeOfVal(value) => Operand::Value(self.size_of_value(&value.node.0, span)?),
            Expression::AlignOf(name) => {
                let qual = self.type_name(&name.node.0)?;
                self.check_supported(qual.ty)?;
                let align = self.align_of(qual);
                Operand::Value(self.size_constant(align, span))
            }
            Expression::UnaryOperator(op) => return self.unary(&op.node, span),
            Expression::Cast(cast) => return self.cast_operand(&cast.node, span),
            Expression::BinaryOperator(op) => return self.binary(&op.node, span),
            Expression::Conditional(conditional) => return self.conditional(&conditional.node, span),
            Expression::Comma(parts) => {
                let Some((last, first)) = parts.split_last() else { return self.fail(span, "an empty expression") };
                for part in first {
                    let from = self.noted();
                    self.effects(part)?;
                    self.sequence_point(from);
                }
                let operand = self.operand(last)?;
                if self.is_void_operand(&operand) {
                    return Ok(operand);
                }
                match operand {
                    Operand::Place(place) if matches!(self.program.types.get(place.lvalue.ty), Type::Record(_)) => {
                        Operand::Place(place)
                    }
                    other => Operand::Value(self.value_of(other)?),
                }
            }
            Expression::OffsetOf(offset) => Operand::Value(self.offset_of(&offset.node, span)?),
            Expression::VaArg(argument) => return self.va_arg(&argument.node, span),
            Expression::Statement(statement) => return self.statement_expression(statement, span, true),
            Expression::GenericSelection(selection) => return self.generic_selection(&selection.node, span),
        })
    }

    pub(super) fn is_void_operand(&self, operand: &Operand) -> bool {
        self.program.types.is_void(operand.qual().ty)
    }

    /// The absent value of a `void` expression. It never gets into the program.
    pub(super) fn void_value(&self, span: Span) -> Operand {
        Operand::Value(Expr::int(0, self.program.types.void(), span))
    }

    /// Lowers an expression for its side effects alone.
    pub(super) fn effects(&mut self, node: &Node<Expression>) -> Lowered<()> {
        let span = self.src.span(node.span);
        match &node.node {
            Expression::Comma(parts) => parts.iter().try_for_each(|part| {
                let from = self.noted();
                self.effects(part)?;
                self.sequence_point(from);
                Ok(())
            }),
            Expression::Call(call) => self.call_effects(call, span),
            Expression::Cast(cast) => {
                let qual = self.type_name(&cast.node.type_name)?;
                if self.program.types.is_void(qual.ty) {
                    return self.effects(&cast.node.expression);
                }
                self.discard(node)
            }
            Expression::Conditional(conditional) => self.conditional_effects(&conditional.node, span),
            Expression::BinaryOperator(op) => match op.node.operator.node {
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => self.logical_effects(&op.node, span),
                BinaryOperator::Assign => self.assign(&op.node, span, false).map(|_| ()),
                ref operator if compound_operator(operator).is_some() => {
                    self.compound_assign(&op.node, span, false).map(|_| ())
                }
                _ => self.discard(node),
            },
            Expression::UnaryOperator(op) => match op.node.operator.node {
                UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => {
                    self.increment(&op.node.operand, false, false, false, span).map(|_| ())
                }
                UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => {
                    self.increment(&op.node.operand, true, false, false, span).map(|_| ())
                }
                _ => self.discard(node),
            },
            Expression::Statement(statement) => self.statement_expression(statement, span, false).map(|_| ()),
            // The rest has no effects of its own; it is lowered for those of its operands.
            _ => self.discard(node),
        }
    }

    /// Lowers an expression whose value nobody wants. Computing it may be undefined all the same, so a value whose
    /// computation can fail is kept in a variable that nobody reads; an object that is only named is not.
    fn discard(&mut self, node: &Node<Expression>) -> Lowered<()> {
        let operand = self.operand(node)?;
        let types = &self.program.types;
        let can_fail = match &operand {
            Operand::Value(value) => ir::hazards::may_fail(types, value),
            Operand::Place(place) => !ir::hazards::of_target(types, &place.lvalue).is_empty(),
            Operand::Function { .. } => false,
        };
        let ty = operand.qual().ty;
        let has_value = types.is_scalar(ty) || matches!(types.get(ty), Type::Record(_) | Type::Array { .. });
        if can_fail && self.is_run() && has_value && types.is_complete(ty) {
            let value = self.value_of(operand)?;
            self.spill(value);
        }
        Ok(())
    }

    /// Whether what is lowered is there to be run, and not for its type or its constant value.
    pub(super) fn is_run(&self) -> bool {
        self.unevaluated == 0 && !self.constant_only && !self.names.at_file_scope()
    }

    fn unary(&mut self, node: &UnaryOperatorExpression, span: Span) -> Lowered<Operand> {
        let operand = &node.operand;
        let (op, value) = match node.operator.node {
            UnaryOperator::PostIncrement => return self.increment(operand, false, true, true, span),
            UnaryOperator::PostDecrement => return self.increment(operand, true, true, true, span),
            UnaryOperator::PreIncrement => return self.increment(operand, false, false, true, span),
            UnaryOperator::PreDecrement => return self.increment(operand, true, false, true, span),
            UnaryOperator::Address => return Ok(Operand::Value(self.address_of(operand, span)?)),
            UnaryOperator::Indirection => {
                let pointer = self.rvalue(operand)?;
                return self.deref(pointer, span);
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let value = self.rvalue(operand)?;
                let tuple_op = match node.operator.node {
                    UnaryOperator::Minus => Some(UnaryOp::Neg),
                    UnaryOperator::Complement => Some(UnaryOp::Complement),
                    _ => None,
                };
                if self.tuple(value.ty).is_some() {
                    let Some(op) = tuple_op else { return self.tuple_operand(value) };
                    let result = match self.vector_unary(op, &value, span)? {
                        Some(result) => Some(result),
                        None => self.complex_unary(op, &value, span)?,
                    };
                    return self.tuple_operand(result.unwrap_or(value));
                }
                let value = if node.operator.node == UnaryOperator::Complement {
                    self.require_integer(value, "the operand of `~`")?
                } else if self.program.types.is_arithmetic(value.ty) {
                    value
                } else {
                    self.check_supported(value.ty)?;
                    let ty = self.describe(value.ty);
                    return self.fail(span, format!("the operand must be a number, and this has type `{ty}`"));
                };
                self.check_width(&value)?;
                let own = match node.operator.node {
                    UnaryOperator::Plus => None,
                    UnaryOperator::Minus => self.own_width_unary(UnaryOp::Neg, &value, span),
                    _ => self.own_width_unary(UnaryOp::Complement, &value, span),
                };
                if let Some(value) = own {
                    return Ok(Operand::Value(value));
                }
                let value = self.promote(value);
                match node.operator.node {
                    UnaryOperator::Plus => return Ok(Operand::Value(value)),
                    UnaryOperator::Minus => (UnaryOp::Neg, value),
                    _ => (UnaryOp::Complement, value),
                }
            }
            UnaryOperator::Negate => (UnaryOp::Not, self.condition(operand)?),
        };
        if op == UnaryOp::Neg && self.wraps(value.ty) {
            let zero = Expr::int(0, value.ty, span);
            return Ok(Operand::Value(self.wrapping(BinaryOp::Sub, zero, value, span)));
        }
        let ty = if op == UnaryOp::Not { self.program.types.int(IntKind::Int) } else { value.ty };
        Ok(Operand::Value(Expr::new(ExprKind::Unary(op, Box::new(value)), ty, span)))
    }

    fn binary(&mut self, node: &BinaryOperatorExpression, span: Span) -> Lowered<Operand> {
        let op = match &node.operator.node {
            BinaryOperator::Index => return self.index(node, span),
            BinaryOperator::Assign => return self.assign(node, span, true),
            BinaryOperator::LogicalAnd => return self.logical(LogicalOp::And, node, span),
            BinaryOperator::LogicalOr => return self.logical(LogicalOp::Or, node, span),
            BinaryOperator::Multiply => BinaryOp::Mul,
            BinaryOperator::Divide => BinaryOp::Div,
            BinaryOperator::Modulo => BinaryOp::Rem,
            BinaryOperator::Plus => BinaryOp::Add,
            BinaryOperator::Minus => BinaryOp::Sub,
            BinaryOperator::ShiftLeft => BinaryOp::Shl,
            BinaryOperator::ShiftRight => BinaryOp::Shr,
            BinaryOperator::Less => BinaryOp::Lt,
            BinaryOperator::Greater => BinaryOp::Gt,
            BinaryOperator::LessOrEqual => BinaryOp::Le,
            BinaryOperator::GreaterOrEqual => BinaryOp::Ge,
            BinaryOperator::Equals => BinaryOp::Eq,
            BinaryOperator::NotEquals => BinaryOp::Ne,
            BinaryOperator::BitwiseAnd => BinaryOp::BitAnd,
            BinaryOperator::BitwiseXor => BinaryOp::BitXor,
            BinaryOperator::BitwiseOr => BinaryOp::BitOr,
            _ => return self.compound_assign(node, span, true),
        };
        let (left, right) = self.in_some_order(
            span,
            |this| this.rvalue(&node.lhs),
            Self::keep,
            |this| this.rvalue(&node.rhs),
            Self::keep,
        )?;
        if !op.is_comparison() {
            self.note(Deed::Risk, span);
        }
        self.check_widths(op, &left, &right)?;
        let value = self.operate(op, left, right, span)?;
        self.tuple_operand(value)
    }

    /// A binary operator on two values, with the conversions C asks for.
    pub(super) fn operate(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Lowered<Expr> {
        self.check_supported(left.ty)?;
        self.check_supported(right.ty)?;
        if let Some(value) = self.vector_operate(op, &left, &right, span)? {
            return Ok(value);
        }
        if let Some(value) = self.complex_operate(op, &left, &right, span)? {
            return Ok(value);
        }
        if let Some(value) = self.own_width_operate(op, &left, &right, span) {
            return Ok(value);
        }
        let pointers = (self.program.types.is_pointer(left.ty), self.program.types.is_pointer(right.ty));
        let int = self.program.types.int(IntKind::Int);
        match (op, pointers) {
            (BinaryOp::Add, (true, false)) => return self.pointer_add(left, right, false, span),
            (BinaryOp::Add, (false, true)) => return self.pointer_add(right, left, false, span),
            (BinaryOp::Sub, (true, false)) => return self.pointer_add(left, right, true, span),
            (BinaryOp::Sub, (true, true)) => return self.pointer_difference(left, right, span),
            (op, (a, b)) if op.is_comparison() && (a || b) => {
                let (left, right) = self.compared_pointers(op, left, right, span)?;
                return Ok(Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), int, span));
            }
            _ => {}
        }
        let integers =
            self.program.types.int_kind(left.ty).is_some() && self.program.types.int_kind(right.ty).is_some();
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && integers {
            let left = self.promote(left);
            let right = self.promote(right);
            let ty = left.ty;
            let kind = self.program.types.int_kind(ty).filter(|kind| kind.is_signed());
            if op == BinaryOp::Shl
                && self.program.data.shifts_wrap
                && let Some(kind) = kind
            {
                let unsigned = self.program.types.int(kind.to_unsigned());
                let left = self.convert(left, unsigned, false);
                let value = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), unsigned, span);
                return Ok(self.convert(value, ty, false));
            }
            return Ok(Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span));
        }
        let only_integers = matches!(
            op,
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr
        );
        let common = self.common_arithmetic(left.ty, right.ty).filter(|_| integers || !only_integers);
        let Some(common) = common else {
            let (a, b) = (self.describe(left.ty), self.describe(right.ty));
            return self.fail(span, format!("`{}` cannot be applied to `{a}` and `{b}`", op.symbol()));
        };
        let left = self.convert(left, common, false);
        let right = self.convert(right, common, false);
        if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) && self.wraps(common) {
            return Ok(self.wrapping(op, left, right, span));
        }
        let ty = if op.is_comparison() { int } else { common };
        Ok(Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span))
    }

    /// Whether arithmetic in this type wraps around because the compiler was told so (`-fwrapv`).
    fn wraps(&self, ty: TypeId) -> bool {
        self.program.data.signed_wraps && self.program.types.int_kind(ty).is_some_and(IntKind::is_signed)
    }

    /// Signed arithmetic that wraps around: that of the unsigned type, converted back.
    fn wrapping(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let signed = left.ty;
        let Some(kind) = self.program.types.int_kind(signed) else { return left };
        let unsigned = self.program.types.int(kind.to_unsigned());
        let left = self.convert(left, unsigned, false);
        let right = self.convert(right, unsigned, false);
        let value = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), unsigned, span);
        self.convert(value, signed, false)
    }

    fn pointer_difference(&mut self, left: Expr, right: Expr, span: Span) -> Lowered<Expr> {
        if !self.compatible(left.ty, right.ty) {
            let (a, b) = (self.describe(left.ty), self.describe(right.ty));
            return self.fail(span, format!("the difference of the unrelated pointers `{a}` and `{b}`"));
        }
        let to = self.program.types.pointee(left.ty).unwrap_or(left.ty);
        let void_like = matches!(self.program.types.get(to), Type::Void | Type::Function(_));
        if !void_like && !self.program.types.is_complete(to) {
            return self.fail(span, "the difference of pointers to an incomplete type");
        }
        let long = self.program.types.int(IntKind::Long);
        Ok(Expr::new(ExprKind::Binary(BinaryOp::PointerDiff, Box::new(left), Box::new(right)), long, span))
    }

    fn compared_pointers(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Lowered<(Expr, Expr)> {
        if self.program.types.is_pointer(left.ty) && self.program.types.is_pointer(right.ty) {
            let (a, b) = (self.program.types.pointee(left.ty), self.program.types.pointee(right.ty));
            let (Some(a), Some(b)) = (a, b) else { return self.fail(span, "a pointer without a target") };
            let void = self.program.types.is_void(a) || self.program.types.is_void(b);
            if !void
                && !self.compatible(a, b)
                && !self.same_but_sign(a, b)
                && !self.is_null_constant(&left)
                && !self.is_null_constant(&right)
            {
                let (x, y) = (self.describe(left.ty), self.describe(right.ty));
                self.warn(span, format!("the unrelated pointers `{x}` and `{y}` are compared"));
            }
            let to = if self.is_null_constant(&left) { right.ty } else { left.ty };
            return Ok((self.convert(left, to, false), self.convert(right, to, false)));
        }
        let (pointer_type, other, other_is_right) =
            if self.program.types.is_pointer(left.ty) { (left.ty, &right, true) } else { (right.ty, &left, false) };
        if self.program.types.int_kind(other.ty).is_none() {
            let (a, b) = (self.describe(left.ty), self.describe(right.ty));
            return self.fail(span, format!("`{}` cannot be applied to `{a}` and `{b}`", op.symbol()));
        }
        if !self.is_null_constant(other) {
            self.warn(span, "a pointer is compared with an integer");
        }
        Ok(if other_is_right {
            (left, self.convert(right, pointer_type, false))
        } else {
            (self.convert(left, pointer_type, false), right)
        })
    }

    fn logical(&mut self, op: LogicalOp, node: &BinaryOperatorExpression, span: Span) -> Lowered<Operand> {
        let int = self.program.types.int(IntKind::Int);
        let from = self.noted();
        let left = self.condition(&node.lhs)?;
        self.sequence_point(from);
        let from = self.noted();
        let (right, stmts) = self.buffered(|this| this.condition(&node.rhs));
        self.only_perhaps(from);
        let right = right?;
        if stmts.is_empty() {
            return Ok(Operand::Value(Expr::new(ExprKind::Logical(op, Box::new(left), Box::new(right)), int, span)));
        }
        let target = self.temporary_place(int, span);
        let otherwise = self.truth_value(left, int);
        self.emit(StmtKind::Assign { target: target.clone(), value: otherwise }, span);
        let mut inner = stmts;
        let value = self.truth_value(right, int);
        inner.push(Stmt::new(StmtKind::Assign { target: target.clone(), value }, span));
        self.emit_branch(op, Expr::load(target.clone()), inner, span);
        Ok(Operand::Value(Expr::load(target)))
    }

    fn emit_branch(&mut self, op: LogicalOp, cond: Expr, stmts: Vec<Stmt>, span: Span) {
        let block = Block { locals: Vec::new(), stmts };
        let (then, otherwise) = match op {
            LogicalOp::And => (block, Block::default()),
            LogicalOp::Or => (Block::default(), block),
        };
        self.emit(StmtKind::If { cond, then, otherwise }, span);
    }

    /// `value != 0` as an `int`, without saying so where it is plain.
    pub(super) fn truth_value(&mut self, value: Expr, int: TypeId) -> Expr {
        let boolean = match &value.kind {
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Int(n) => (*n == 0 || *n == 1) && value.ty == int,
            _ => false,
        };
        if boolean {
            return value;
        }
        let span = value.span;
        let zero = match self.program.types.get(value.ty) {
            Type::Int(_) => Expr::int(0, value.ty, span),
            Type::Float(ir::FloatKind::Extended) => Expr::new(ExprKind::Extended(0), value.ty, span),
            Type::Float(_) => Expr::new(ExprKind::Float(0.0), value.ty, span),
            _ => {
                let zero = Expr::int(0, int, span);
                self.convert(zero, value.ty, false)
            }
        };
        Expr::new(ExprKind::Binary(BinaryOp::Ne, Box::new(value), Box::new(zero)), int, span)
    }

    fn logical_effects(&mut self, node: &BinaryOperatorExpression, span: Span) -> Lowered<()> {
        let op = if node.operator.node == BinaryOperator::LogicalAnd { LogicalOp::And } else { LogicalOp::Or };
        let from = self.noted();
        let left = self.condition(&node.lhs)?;
        self.sequence_point(from);
        let from = self.noted();
        let (done, stmts) = self.buffered(|this| this.effects(&node.rhs));
        self.only_perhaps(from);
        done?;
        if !stmts.is_empty() {
            self.emit_branch(op, left, stmts, span);
        }
        Ok(())
    }

    fn cast_operand(&mut self, node: &CastExpression, span: Span) -> Lowered<Operand> {
        let qual = self.type_name(&node.type_name)?;
        if self.program.types.is_void(qual.ty) {
            self.effects(&node.expression)?;
            return Ok(self.void_value(span));
        }
        let operand = self.operand(&node.expression)?;
        if let Some(cast) = self.vector_cast(&operand, qual.ty, span)? {
            return Ok(cast);
        }
        if self.tuple(qual.ty).is_some() || self.tuple(operand.qual().ty).is_some() {
            let value = self.value_of(operand)?;
            if let Some(converted) = self.tuple_convert(&value, qual.ty)? {
                return self.tuple_operand(converted);
            }
            return Ok(Operand::Value(self.cast(value, qual.ty, span)?));
        }
        // GNU C: a cast to a union makes one with the member of that type.
        if let Type::Record(record) = *self.program.types.get(qual.ty) {
            if operand.qual().ty == qual.ty {
                return Ok(operand);
            }
            let value = self.value_of(operand)?;
            let fields = self.program.types.records[record].fields.as_ref();
            let union = self.program.types.records[record].kind == ir::RecordKind::Union;
            let field = fields.and_then(|fields| fields.iter().position(|f| f.ty == value.ty)).filter(|_| union);
            let Some(index) = field else {
                let (from, to) = (self.describe(value.ty), self.describe(qual.ty));
                return self.fail(span, format!("a value of type `{from}` cannot be cast to `{to}`"));
            };
            let whole = self.temporary_place(qual.ty, span);
            let mut place = super::lvalue::Place::new(whole.clone());
            self.step_into_field(&mut place, index as u32);
            self.emit(StmtKind::Assign { target: place.lvalue, value }, span);
            return Ok(Operand::Place(super::lvalue::Place::new(whole)));
        }
        let value = self.value_of(operand)?;
        Ok(Operand::Value(self.cast(value, qual.ty, span)?))
    }

    pub(super) fn size_constant(&mut self, size: u64, span: Span) -> Expr {
        Expr::int(size as i128, self.program.types.int(IntKind::ULong), span)
    }

    fn size_of_type_name(&mut self, name: &Node<TypeName>, span: Span) -> Lowered<Expr> {
        let qual = self.type_name(name)?;
        for length in self.program.types.variable_lengths(qual.ty) {
            self.ask_for_length(length, span);
        }
        self.size_expr(qual.ty, span)
    }

    /// A length that is not positive is undefined (C17 6.7.6.2p5), also where no array is made.
    fn ask_for_length(&mut self, length: LocalId, span: Span) {
        let [ulong, long, int] = [IntKind::ULong, IntKind::Long, IntKind::Int].map(|kind| self.program.types.int(kind));
        let value = self.convert(Expr::load(Lvalue::local(length, ulong, span)), long, true);
        let least = Box::new(Expr::int(1, long, span));
        let cond = Expr::new(ExprKind::Binary(BinaryOp::Lt, Box::new(value), least), int, span);
        if let Some(Operand::Function { id, .. }) = self.builtin_function("__builtin_unreachable", span) {
            let call = StmtKind::Call { result: None, callee: Callee::Function(id), args: Vec::new() };
            let then = Block { locals: Vec::new(), stmts: vec![Stmt::new(call, span)] };
            self.emit(StmtKind::If { cond, then, otherwise: Block::default() }, span);
        }
    }

    fn size_of_value(&mut self, node: &Node<Expression>, span: Span) -> Lowered<Expr> {
        if let Expression::StringLiteral(literal) = &node.node {
            let text = self.string_text(literal)?;
            let size = (text.units.len() as u64 + 1) * text.element.bytes();
            return Ok(self.size_constant(size, span));
        }
        let operand = self.without_evaluation(|this| this.operand(node))?;
        if matches!(&operand, Operand::Place(place) if place.bits.is_some()) {
            return self.fail(span, "`sizeof` cannot be applied to a bit-field");
        }
        let ty = operand.qual().ty;
        // An operand whose type has a variable length is evaluated.
        if matches!(self.program.types.get(ty), Type::Array { .. })
            && !self.program.types.variable_lengths(ty).is_empty()
        {
            self.operand(node)?;
        }
        self.size_expr(ty, span)
    }

    /// The size of a type: a constant, or a product for arrays of variable length.
    pub(super) fn size_expr(&mut self, ty: TypeId, span: Span) -> Lowered<Expr> {
        self.check_supported(ty)?;
        let ulong = self.program.types.int(IntKind::ULong);
        match self.program.types.get(ty).clone() {
            Type::Void | Type::Function(_) => Ok(self.size_constant(1, span)),
            Type::Array { of, length: ir::Length::Variable(local) } => {
                let length = Expr::load(Lvalue::local(local, ulong, span));
                let element = self.size_expr(of, span)?;
                Ok(Expr::new(ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(element)), ulong, span))
            }
            Type::Array { of, length: ir::Length::Fixed(n) } if self.program.types.size_of(ty).is_none() => {
                let length = self.size_constant(n, span);
                let element = self.size_expr(of, span)?;
                Ok(Expr::new(ExprKind::Binary(BinaryOp::Mul, Box::new(length), Box::new(element)), ulong, span))
            }
            _ => match self.program.types.size_of(ty).filter(|_| self.program.types.is_complete(ty)) {
                Some(size) => Ok(self.size_constant(size, span)),
                None => {
                    let name = self.describe(ty);
                    self.fail(span, format!("the size of the incomplete type `{name}`"))
                }
            },
        }
    }

    fn offset_of(&mut self, node: &OffsetOfExpression, span: Span) -> Lowered<Expr> {
        let qual = self.type_name(&node.type_name)?;
        let pointer = self.types().pointer(qual.ty);
        let null = self.size_constant(0, span);
        let null = self.convert(null, pointer, true);
        let Operand::Place(place) = self.deref(null, span)? else {
            return self.fail(span, "`offsetof` needs a struct or union");
        };
        let mut operand = self.member_of(place, &node.designator.node.base.node.name, span)?;
        for member in &node.designator.node.members {
            let Operand::Place(place) = operand else { return self.fail(span, "`offsetof` needs a member") };
            operand = match &member.node {
                OffsetMember::Member(name) => self.member_of(place, &name.node.name, span)?,
                OffsetMember::IndirectMember(_) => return self.fail(span, "`->` inside `offsetof`"),
                OffsetMember::Index(index) => {
                    let index = self.rvalue(index)?;
                    let index = self.index_value(index)?;
                    let Some(of) = self.program.types.element(place.lvalue.ty) else {
                        return self.fail(span, "an index into something that is no array");
                    };
                    let mut place = place;
                    place.lvalue.path.push(ir::Step::Index(index));
                    place.lvalue.ty = of;
                    Operand::Place(place)
                }
            };
        }
        let Operand::Place(place) = operand else { return self.fail(span, "`offsetof` needs a member") };
        if place.bits.is_some() {
            return self.fail(span, "a bit-field has no offset");
        }
        let address = self.place_address(place, span);
        match self.fold_int(&address) {
            Some(offset) => Ok(self.size_constant(offset as u64, span)),
            // An index that is not constant: GNU C allows it.
            None => {
                let ulong = self.program.types.int(IntKind::ULong);
                Ok(self.convert(address, ulong, true))
            }
        }
    }

    fn generic_selection(&mut self, node: &GenericSelection, span: Span) -> Lowered<Operand> {
        let value = self.without_evaluation(|this| {
            let operand = this.operand(&node.expression)?;
            if matches!(&operand, Operand::Place(place) if place.bits.is_some()) {
                // Compilers do not agree on the type of a bit-field.
                return this.unsupported("`_Generic` of a bit-field");
            }
            this.value_of(operand)
        })?;
        let mut default = None;
        for association in &node.associations {
            match &association.node {
                GenericAssociation::Default(expression) => default = Some(expression),
                GenericAssociation::Type(choice) => {
                    let qual = self.type_name(&choice.node.type_name)?;
                    // The operand is a value, and values have no qualifiers of their own.
                    if qual.is_const || qual.is_volatile {
                        continue;
                    }
                    if self.program.types.has_volatile_parts && self.program.types.is_pointer(value.ty) {
                        return self.unsupported("`_Generic` of a pointer in a program with volatile parts");
                    }
                    let given = Qual { enumerated: Enumerated::Maybe, ..Qual::plain(value.ty) };
                    if self.same_type(qual.ty, value.ty) && self.same_enumeration(qual, given)? {
                        return self.operand(&choice.node.expression);
                    }
                }
            }
        }
        match default {
            Some(expression) => self.operand(expression),
            None => {
                let ty = self.describe(value.ty);
                self.fail(span, format!("no association of `_Generic` is for the type `{ty}`"))
            }
        }
    }

    /// Compatibility as `_Generic` means it: promises not to write count.
    pub(super) fn same_type(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.program.types.get(a), self.program.types.get(b)) {
            (Type::Pointer { to: x, to_const: p }, Type::Pointer { to: y, to_const: q }) => {
                p == q && self.same_type(*x, *y)
            }
            (Type::Pointer { .. }, _) | (_, Type::Pointer { .. }) => false,
            _ => self.compatible(a, b),
        }
    }
}

/// Whether the middle operand of `a ?: b` is absent.
pub(super) fn is_missing(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::Identifier(name) if name.node.name == MISSING_OPERAND)
}

/// The operator inside `+=` and its kin.
pub(super) fn compound_operator(op: &BinaryOperator) -> Option<BinaryOp> {
    Some(match op {
        BinaryOperator::AssignMultiply => BinaryOp::Mul,
        BinaryOperator::AssignDivide => BinaryOp::Div,
        BinaryOperator::AssignModulo => BinaryOp::Rem,
        BinaryOperator::AssignPlus => BinaryOp::Add,
        BinaryOperator::AssignMinus => BinaryOp::Sub,
        BinaryOperator::AssignShiftLeft => BinaryOp::Shl,
        BinaryOperator::AssignShiftRight => BinaryOp::Shr,
        BinaryOperator::AssignBitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::AssignBitwiseXor => BinaryOp::BitXor,
        BinaryOperator::AssignBitwiseOr => BinaryOp::BitOr,
        _ => return None,
    })
}
