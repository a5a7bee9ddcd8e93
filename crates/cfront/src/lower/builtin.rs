//! Calls of the compiler's own functions, `__builtin_…` and `va_…`.

use super::call::Pending;
use super::declarator::Qual;
use super::lvalue::Operand;
use super::scope::Entity;
use super::{Lowered, Lowerer};
use crate::order::Deed;
use crate::parse::invented::{
    ASM_GOTO_CALL, COMPUTED_GOTO_CALL, IMAGINARY_PART_CALL, LABEL_ADDRESS_CALL, REAL_PART_CALL,
};
use diagnostics::Span;
use ir::{BinaryOp, Callee, Expr, ExprKind, FloatKind, IntKind, Intrinsic, Linkage, StmtKind, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

impl<'u> Lowerer<'u, '_> {
    /// Lowers calls that have a meaning of their own. `None`: an ordinary call.
    pub(super) fn builtin_call(&mut self, node: &CallExpression, span: Span) -> Lowered<Option<Operand>> {
        let Expression::Identifier(name) = &node.callee.node else { return Ok(None) };
        let name = self.src.name(name);
        let args = node.arguments.as_slice();
        match name {
            "alloca" if !self.src.defines(name) => return self.alloca(args, span).map(Some),
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" if !self.src.defines(name) => {
                return self.set_jump(args, span).map(Some);
            }
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" if !self.src.defines(name) => {
                return self.long_jump(args, span).map(Some);
            }
            // The parser takes `asm("…")` for a call.
            "asm" | "__asm" | "__asm__" => {
                return match args {
                    [Node { node: Expression::StringLiteral(text), .. }]
                        if self.string_text(text)?.units.is_empty() =>
                    {
                        Ok(Some(self.void_value(span)))
                    }
                    _ => self.unsupported("inline assembly"),
                };
            }
            _ if name.starts_with("__builtin_") => {}
            _ if name.starts_with("__sync_") => return self.sync_call(&name[7..], args, span),
            _ if name.starts_with("__atomic_") => return self.atomic_call(&name[9..], args, span),
            _ if name == REAL_PART_CALL || name == IMAGINARY_PART_CALL => {
                let [value] = args else { return self.fail(span, "a part of one number") };
                let index = u32::from(name == IMAGINARY_PART_CALL);
                return self.complex_part(value, index, span).map(Some);
            }
            "creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl" | "conj" | "conjf" | "conjl"
                if args.len() == 1 && !self.src.defines(name) =>
            {
                return self.complex_function(name, &args[0], span);
            }
            _ if name == LABEL_ADDRESS_CALL => return self.label_address(args, span).map(Some),
            _ if name == COMPUTED_GOTO_CALL => return self.computed_goto(args, span).map(Some),
            _ if name == ASM_GOTO_CALL => return self.unsupported("inline assembly"),
            _ => return Ok(None),
        }
        if matches!(self.names.get(name), Some(Entity::Local(_))) {
            return Ok(None);
        }
        let int = self.program.types.int(IntKind::Int);
        let value = match (&name[10..], args) {
            ("expect" | "expect_with_probability", [value, expected, ..]) => {
                let (value, _) = self.in_some_order(
                    span,
                    |this| this.rvalue(value),
                    Self::keep,
                    |this| this.rvalue(expected),
                    Self::keep,
                )?;
                let long = self.program.types.int(IntKind::Long);
                self.assign_convert(value, long, "argument")?
            }
            ("constant_p", [value]) => {
                let folded = self.quietly(|this| {
                    this.without_evaluation(|this| this.rvalue(value).ok().and_then(|value| this.fold(&value)))
                });
                let constant = matches!(value.node, Expression::StringLiteral(_))
                    || matches!(folded, Some(c) if !matches!(c, super::constant::Constant::Address(..)));
                // Of what is no constant here, the optimiser may find out that it is one.
                if !constant
                    && self.is_run()
                    && let Some(Operand::Function { id, .. }) = self.builtin_function("__builtin_constant_p", span)
                {
                    let pending = Pending { callee: Callee::Function(id), args: Vec::new(), result: int };
                    return Ok(Some(self.call_into_temporary(pending, span)));
                }
                Expr::int(constant as i128, int, span)
            }
            ("choose_expr", [choice, first, second]) => {
                let choice = self.integer_constant(choice, "the choice")?;
                return self.operand(if choice != 0 { first } else { second }).map(Some);
            }
            ("types_compatible_p", [first, second]) => {
                let (a, b) = (self.compared_type(first)?, self.compared_type(second)?);
                let same = self.same_type(a.ty, b.ty) && self.same_enumeration(a, b)?;
                Expr::int(same as i128, int, span)
            }
            ("va_start", [list, ..]) => return self.va_call(Intrinsic::VaStart, &[list], span).map(Some),
            ("va_end", [list]) => return self.va_call(Intrinsic::VaEnd, &[list], span).map(Some),
            ("va_copy", [to, from]) => return self.va_call(Intrinsic::VaCopy, &[to, from], span).map(Some),
            ("alloca" | "alloca_with_align", args) => return self.alloca(&args[..args.len().min(1)], span).map(Some),
            ("prefetch", args) => {
                for argument in args {
                    self.effects(argument)?;
                }
                return Ok(Some(self.void_value(span)));
            }
            ("assume_aligned", [pointer, ..]) => {
                let value = self.rvalue(pointer)?;
                let void = self.program.types.void();
                let pointer = self.types().pointer(void);
                self.assign_convert(value, pointer, "argument")?
            }
            // How much of the object is seen depends on the optimiser. Headers ask it for checks that have no model.
            ("object_size" | "dynamic_object_size", [_, _]) if !self.in_system_header(span) => {
                return self.unsupported("`__builtin_object_size`, whose value depends on the optimiser");
            }
            ("object_size" | "dynamic_object_size", [_, kind]) => {
                let kind = self.integer_constant(kind, "the kind of size")?;
                let unknown = if kind < 2 { u64::MAX } else { 0 };
                self.size_constant(unknown, span)
            }
            ("trap", []) => {
                let Some(Operand::Function { id, .. }) = self.builtin_function("__builtin_abort", span) else {
                    return Ok(None);
                };
                let result = self.program.types.void();
                let pending = Pending { callee: Callee::Function(id), args: Vec::new(), result };
                return Ok(Some(self.call_into_temporary(pending, span)));
            }
            ("inf" | "huge_val", []) => self.float_constant(f64::INFINITY, FloatKind::Double, span),
            ("inff" | "huge_valf", []) => self.float_constant(f64::INFINITY, FloatKind::Float, span),
            ("infl" | "huge_vall", []) => self.float_constant(f64::INFINITY, FloatKind::Extended, span),
            ("nan" | "nans", [_]) => self.float_constant(f64::NAN, FloatKind::Double, span),
            ("nanf" | "nansf", [_]) => self.float_constant(f64::NAN, FloatKind::Float, span),
            ("nanl" | "nansl", [_]) => self.float_constant(f64::NAN, FloatKind::Extended, span),
            ("isnan" | "isnanf" | "isnanl", [x]) => {
                let x = self.float_argument(x)?;
                self.operate(BinaryOp::Ne, x.clone(), x, span)?
            }
            ("isinf" | "isinff" | "isinfl", [x]) => {
                let x = self.float_argument(x)?;
                self.is_infinite(x, span)?
            }
            ("isinf_sign", [x]) => {
                let x = self.float_argument(x)?;
                let (low, high) = self.infinities(&x, span);
                let above = self.operate(BinaryOp::Eq, x.clone(), high, span)?;
                let below = self.operate(BinaryOp::Eq, x, low, span)?;
                self.operate(BinaryOp::Sub, above, below, span)?
            }
            ("isfinite" | "finite" | "finitef" | "finitel", [x]) => {
                let x = self.float_argument(x)?;
                let (low, high) = self.infinities(&x, span);
                let above = self.operate(BinaryOp::Lt, low, x.clone(), span)?;
                let below = self.operate(BinaryOp::Lt, x, high, span)?;
                Expr::new(ExprKind::Logical(ir::LogicalOp::And, Box::new(above), Box::new(below)), int, span)
            }
            ("isnormal", [x]) => {
                let x = self.float_argument(x)?;
                self.class_test(x, span)?
            }
            ("fpclassify", [nan, inf, normal, subnormal, zero, x]) => {
                self.fpclassify([nan, inf, normal, subnormal, zero], x, span)?
            }
            ("signbit", [x]) => return self.signbit(x, span).map(Some),
            ("isgreater", [x, y]) => self.ordered(BinaryOp::Gt, x, y, span)?,
            ("isgreaterequal", [x, y]) => self.ordered(BinaryOp::Ge, x, y, span)?,
            ("isless", [x, y]) => self.ordered(BinaryOp::Lt, x, y, span)?,
            ("islessequal", [x, y]) => self.ordered(BinaryOp::Le, x, y, span)?,
            ("islessgreater", [x, y]) => {
                let less = self.ordered(BinaryOp::Lt, x, y, span)?;
                let more = self.ordered(BinaryOp::Gt, x, y, span)?;
                Expr::new(ExprKind::Logical(ir::LogicalOp::Or, Box::new(less), Box::new(more)), int, span)
            }
            ("isunordered", [x, y]) => {
                let x = self.float_argument(x)?;
                let y = self.float_argument(y)?;
                let first = self.operate(BinaryOp::Ne, x.clone(), x, span)?;
                let second = self.operate(BinaryOp::Ne, y.clone(), y, span)?;
                Expr::new(ExprKind::Logical(ir::LogicalOp::Or, Box::new(first), Box::new(second)), int, span)
            }
            (overflow, [a, b, c]) if overflow_operator(overflow).is_some() => {
                return self.overflow(overflow, a, b, c, span).map(Some);
            }
            ("frame_address", [level]) if self.is_zero(level) && self.frame.function.is_some() => {
                // Some object of this call: where frames are is for nobody to rely on.
                let byte = self.program.types.int(IntKind::UChar);
                let whole = self.temporary_place(byte, span);
                let pointer = self.types().pointer(byte);
                let address = Expr::new(ExprKind::AddressOf(whole), pointer, span);
                let void = self.program.types.void();
                let pointer = self.types().pointer(void);
                self.convert(address, pointer, false)
            }
            ("return_address" | "frame_address" | "extract_return_addr", _) => {
                return self.unsupported("the address of a stack frame");
            }
            ("setjmp", _) => return self.set_jump(args, span).map(Some),
            ("longjmp", _) => return self.long_jump(args, span).map(Some),
            ("shuffle", _) => return self.shuffle(args, span).map(Some),
            ("complex", _) => return self.complex_of_parts(args, span).map(Some),
            ("creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl" | "conj" | "conjf" | "conjl", [value]) => {
                return self.complex_function(&name[10..], value, span);
            }
            ("classify_type", [value]) => {
                let operand = self.without_evaluation(|this| this.operand(value))?;
                Expr::int(self.type_class(operand.qual().ty), int, span)
            }
            (fortified, _) if fortified.starts_with("__") && fortified.ends_with("_chk") => {
                return self.fortified(name, args, span).map(Some);
            }
            _ => {
                if self.names.get(name).is_none() && self.builtin_function(name, span).is_none() {
                    return self.unsupported(format!("the compiler's function {name}"));
                }
                return Ok(None);
            }
        };
        Ok(Some(Operand::Value(value)))
    }

    /// Whether an expression is the constant 0.
    fn is_zero(&mut self, node: &Node<Expression>) -> bool {
        let value = self.quietly(|this| this.without_evaluation(|this| this.rvalue(node)));
        value.ok().and_then(|value| self.fold_int(&value)) == Some(0)
    }

    /// The number that `__builtin_classify_type` gives to values of a type, after the conversions of arguments.
    fn type_class(&self, ty: TypeId) -> i128 {
        if let Some(super::parts::Tuple::Complex { .. }) = self.tuple(ty) {
            return 9;
        }
        match self.program.types.get(ty) {
            Type::Void => 0,
            Type::Int(_) => 1,
            Type::Pointer { .. } | Type::Array { .. } | Type::Function(_) => 5,
            Type::Float(_) => 8,
            Type::Record(id) => match self.program.types.records[*id].kind {
                ir::RecordKind::Struct => 12,
                ir::RecordKind::Union => 13,
            },
        }
    }

    /// `__builtin_types_compatible_p` reaches us with each type inside a `sizeof`.
    fn compared_type(&mut self, node: &Node<Expression>) -> Lowered<Qual> {
        match &node.node {
            Expression::SizeOfTy(name) => self.type_name(&name.node.0),
            Expression::SizeOfVal(value) => self.type_of_expression(&value.node.0),
            _ => self.fail(self.src.span(node.span), "a type should stand here"),
        }
    }

    fn va_call(&mut self, intrinsic: Intrinsic, lists: &[&Node<Expression>], span: Span) -> Lowered<Operand> {
        let mut args = Vec::with_capacity(lists.len());
        for list in lists {
            args.push(self.va_list_value(list)?);
        }
        self.note(Deed::Call { callee: Callee::Intrinsic(intrinsic), args: args.clone() }, span);
        self.emit(StmtKind::Call { result: None, callee: Callee::Intrinsic(intrinsic), args }, span);
        Ok(self.void_value(span))
    }

    fn va_list_value(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        let list = self.va_list_type();
        if self.program.types.pointee(value.ty) == self.program.types.element(list) {
            return Ok(value);
        }
        let ty = self.describe(value.ty);
        self.fail(value.span, format!("a `va_list` is needed, and this has type `{ty}`"))
    }

    pub(super) fn va_arg(&mut self, node: &VaArgExpression, span: Span) -> Lowered<Operand> {
        let list = self.va_list_value(&node.va_list)?;
        let qual = self.type_name(&node.type_name)?;
        self.check_supported(qual.ty)?;
        let pending = Pending { callee: Callee::Intrinsic(Intrinsic::VaArg), args: vec![list], result: qual.ty };
        self.note(Deed::Call { callee: pending.callee.clone(), args: pending.args.clone() }, span);
        Ok(self.call_into_temporary(pending, span))
    }

    fn alloca(&mut self, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let [size] = args else { return self.fail(span, "`alloca` takes one argument") };
        let size = self.rvalue(size)?;
        let ulong = self.program.types.int(IntKind::ULong);
        let size = self.assign_convert(size, ulong, "argument 1 of `alloca`")?;
        let void = self.program.types.void();
        let result = self.types().pointer(void);
        let pending = Pending { callee: Callee::Intrinsic(Intrinsic::Alloca), args: vec![size], result };
        Ok(self.call_into_temporary(pending, span))
    }

    // Floating point.

    fn float_constant(&mut self, value: f64, kind: FloatKind, span: Span) -> Expr {
        let ty = self.program.types.float(kind);
        match kind {
            FloatKind::Extended => {
                let bits = ir::arith::double_to_extended(value);
                Expr::new(ExprKind::Extended(bits), ty, span)
            }
            _ => Expr::new(ExprKind::Float(value), ty, span),
        }
    }

    /// A floating argument that is used more than once.
    fn float_argument(&mut self, node: &Node<Expression>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        if self.program.types.float_kind(value.ty).is_none() {
            let double = self.program.types.float(FloatKind::Double);
            let value = self.assign_convert(value, double, "argument")?;
            return Ok(self.reusable(value));
        }
        Ok(self.reusable(value))
    }

    /// A value that can be written several times without being computed several times.
    pub(super) fn reusable(&mut self, value: Expr) -> Expr {
        let plain = match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) => true,
            ExprKind::Load(lvalue) => lvalue.as_local().is_some(),
            _ => false,
        };
        if plain || self.constant_only || self.names.at_file_scope() { value } else { self.spill(value) }
    }

    fn infinities(&mut self, x: &Expr, span: Span) -> (Expr, Expr) {
        let kind = self.program.types.float_kind(x.ty).unwrap_or(FloatKind::Double);
        (self.float_constant(f64::NEG_INFINITY, kind, span), self.float_constant(f64::INFINITY, kind, span))
    }

    fn is_infinite(&mut self, x: Expr, span: Span) -> Lowered<Expr> {
        let int = self.program.types.int(IntKind::Int);
        let (low, high) = self.infinities(&x, span);
        let above = self.operate(BinaryOp::Eq, x.clone(), high, span)?;
        let below = self.operate(BinaryOp::Eq, x, low, span)?;
        Ok(Expr::new(ExprKind::Logical(ir::LogicalOp::Or, Box::new(above), Box::new(below)), int, span))
    }

    /// Whether a number is normal: finite and not below the smallest normal magnitude.
    fn class_test(&mut self, x: Expr, span: Span) -> Lowered<Expr> {
        let int = self.program.types.int(IntKind::Int);
        let kind = self.program.types.float_kind(x.ty).unwrap_or(FloatKind::Double);
        let (low, high) = self.infinities(&x, span);
        let and =
            |a: Expr, b: Expr| Expr::new(ExprKind::Logical(ir::LogicalOp::And, Box::new(a), Box::new(b)), int, span);
        let least = self.smallest_normal(kind, false, span);
        let most_negative = self.smallest_normal(kind, true, span);
        let above = self.operate(BinaryOp::Ge, x.clone(), least, span)?;
        let below_infinity = self.operate(BinaryOp::Lt, x.clone(), high, span)?;
        let below = self.operate(BinaryOp::Le, x.clone(), most_negative, span)?;
        let above_infinity = self.operate(BinaryOp::Gt, x, low, span)?;
        let (positive, negative) = (and(above, below_infinity), and(below, above_infinity));
        Ok(Expr::new(ExprKind::Logical(ir::LogicalOp::Or, Box::new(positive), Box::new(negative)), int, span))
    }

    fn smallest_normal(&mut self, kind: FloatKind, negative: bool, span: Span) -> Expr {
        let sign = if negative { -1.0 } else { 1.0 };
        match kind {
            FloatKind::Float => self.float_constant(sign * f32::MIN_POSITIVE as f64, kind, span),
            FloatKind::Double => self.float_constant(sign * f64::MIN_POSITIVE, kind, span),
            FloatKind::Extended => {
                // Exponent field 1, the integer bit set.
                let bits = (1u128 << 64) | (1u128 << 63) | if negative { 1u128 << 79 } else { 0 };
                Expr::new(ExprKind::Extended(bits), self.program.types.float(kind), span)
            }
        }
    }

    fn fpclassify(&mut self, classes: [&Node<Expression>; 5], x: &Node<Expression>, span: Span) -> Lowered<Expr> {
        let int = self.program.types.int(IntKind::Int);
        let x = self.float_argument(x)?;
        let mut values = Vec::with_capacity(5);
        for class in classes {
            let value = self.rvalue(class)?;
            values.push(self.assign_convert(value, int, "argument")?);
        }
        let [nan, inf, normal, subnormal, zero] =
            <[Expr; 5]>::try_from(values).expect("five values should be there, because five were pushed");
        let is_nan = self.operate(BinaryOp::Ne, x.clone(), x.clone(), span)?;
        let is_inf = self.is_infinite(x.clone(), span)?;
        let is_normal = self.class_test(x.clone(), span)?;
        let naught = Expr::int(0, int, span);
        let is_zero = self.operate(BinaryOp::Eq, x, naught, span)?;
        let choose = |c: Expr, a: Expr, b: Expr| {
            Expr::new(ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), int, span)
        };
        let rest = choose(is_zero, zero, subnormal);
        let rest = choose(is_normal, normal, rest);
        let rest = choose(is_inf, inf, rest);
        Ok(choose(is_nan, nan, rest))
    }

    fn signbit(&mut self, x: &Node<Expression>, span: Span) -> Lowered<Operand> {
        let value = self.rvalue(x)?;
        let kind = self.program.types.float_kind(value.ty).unwrap_or(FloatKind::Double);
        let name = match kind {
            FloatKind::Float => "__builtin_signbitf",
            FloatKind::Double => "__builtin_signbit",
            FloatKind::Extended => "__builtin_signbitl",
        };
        let ty = self.program.types.float(kind);
        let value = self.assign_convert(value, ty, "argument")?;
        let Some(Operand::Function { id, .. }) = self.builtin_function(name, span) else {
            return self.unsupported(name);
        };
        let result = self.program.types.int(IntKind::Int);
        Ok(self.call_into_temporary(Pending { callee: Callee::Function(id), args: vec![value], result }, span))
    }

    /// A comparison that is quiet about values that are no numbers.
    fn ordered(&mut self, op: BinaryOp, x: &Node<Expression>, y: &Node<Expression>, span: Span) -> Lowered<Expr> {
        let (x, y) = self.in_some_order(
            span,
            |this| this.float_argument(x),
            Self::keep,
            |this| this.float_argument(y),
            Self::keep,
        )?;
        self.operate(op, x, y, span)
    }

    // Arithmetic that tells of overflow.

    fn overflow(
        &mut self,
        name: &str,
        a: &Node<Expression>,
        b: &Node<Expression>,
        to: &Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let Some((op, predicate)) = overflow_operator(name) else { return self.unsupported(name) };
        let (start, from) = (self.mark(), self.noted());
        let left = self.rvalue(a)?;
        let (mark, first) = (self.mark(), self.noted());
        let right = self.rvalue(b)?;
        let left = self.keep(left, mark);
        let (mark, second) = (self.mark(), self.noted());
        let pointer = self.rvalue(to)?;
        let mut operands = [left, right];
        self.keep_all(&mut operands, mark);
        self.unordered(start, from..first, first..second, span);
        self.unordered(start, from..second, second..self.noted(), span);
        self.sequence_point(from);
        let [left, right] = operands;
        let left = self.require_integer(left, "the operand")?;
        let right = self.require_integer(right, "the operand")?;
        let target = if predicate { Some(pointer.ty) } else { self.program.types.pointee(pointer.ty) };
        let Some(target) = target.filter(|t| self.program.types.int_kind(*t).is_some()) else {
            return self.fail(span, "the result needs an integer type");
        };
        let kinds = [left.ty, right.ty, target].map(|ty| self.program.types.int_kind(ty).unwrap_or(IntKind::Int));
        if kinds.iter().any(|kind| kind.bits() > 64) {
            return self.unsupported("overflow checks on 128-bit integers");
        }
        // Two unsigned factors can need all 128 bits; everything else fits 127 and a sign.
        let unsigned = op == BinaryOp::Mul && !kinds[0].is_signed() && !kinds[1].is_signed();
        let wide = self.program.types.int(if unsigned { IntKind::UInt128 } else { IntKind::Int128 });
        let left = self.convert(left, wide, false);
        let right = self.convert(right, wide, false);
        let exact = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), wide, span);
        let exact = self.spill(exact);
        let result = self.convert(exact.clone(), target, true);
        let result = self.spill(result);
        if !predicate {
            let Operand::Place(place) = self.deref(pointer, span)? else {
                return self.fail(span, "the result needs an object");
            };
            self.note_write(&place.lvalue, span);
            self.emit(StmtKind::Assign { target: place.lvalue, value: result.clone() }, span);
        }
        let back = self.convert(result, wide, false);
        let differs = self.operate(BinaryOp::Ne, back, exact, span)?;
        let boolean = self.program.types.int(IntKind::Bool);
        Ok(Operand::Value(self.convert(differs, boolean, false)))
    }

    /// `__builtin___memcpy_chk(d, s, n, size)` is `memcpy(d, s, n)`: we check bounds ourselves.
    fn fortified(&mut self, name: &'u str, args: &[Node<Expression>], span: Span) -> Lowered<Operand> {
        let plain = name["__builtin___".len()..].trim_end_matches("_chk");
        let keep = match plain {
            "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => 3,
            "strcpy" | "strcat" | "stpcpy" => 2,
            _ => return self.unsupported(format!("the compiler's function {name}")),
        };
        let (Some(ty), true) = (self.library_type(plain), args.len() >= keep) else {
            return self.unsupported(format!("the compiler's function {name}"));
        };
        let Some(signature) = self.program.types.signature(ty).cloned() else {
            return self.unsupported(format!("the compiler's function {name}"));
        };
        let mut values: Vec<Expr> = Vec::with_capacity(keep);
        let (start, from) = (self.mark(), self.noted());
        let mut bounds = vec![from];
        for (argument, &param) in args[..keep].iter().zip(&signature.params) {
            let mark = self.mark();
            let value = self.rvalue(argument)?;
            self.keep_all(&mut values, mark);
            bounds.push(self.noted());
            values.push(self.assign_convert(value, param, "argument")?);
        }
        for operand in bounds.windows(2) {
            self.unordered(start, from..operand[0], operand[0]..operand[1], span);
        }
        let id = self.link.function(self.program, plain, ty, Linkage::External, span);
        self.sequence_point(from);
        let pending = Pending { callee: Callee::Function(id), args: values, result: signature.result };
        self.note(Deed::Call { callee: pending.callee.clone(), args: pending.args.clone() }, span);
        Ok(self.call_into_temporary(pending, span))
    }
}

/// The operator of `add_overflow`, `saddl_overflow`, `mul_overflow_p` and so on; whether it only predicts.
fn overflow_operator(name: &str) -> Option<(BinaryOp, bool)> {
    let (stem, predicate) = match name.strip_suffix("_overflow") {
        Some(stem) => (stem, false),
        None => (name.strip_suffix("_overflow_p")?, true),
    };
    let stem = match stem {
        "add" | "sub" | "mul" => stem,
        _ => stem.strip_prefix(['s', 'u'])?.trim_end_matches('l'),
    };
    match stem {
        "add" => Some((BinaryOp::Add, predicate)),
        "sub" => Some((BinaryOp::Sub, predicate)),
        "mu" | "mul" => Some((BinaryOp::Mul, predicate)),
        _ => None,
    }
}
