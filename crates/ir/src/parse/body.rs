//! Statements and expressions.

use super::lexer::{Sigil, Token};
use super::{Parsed, Parser};
use crate::ctype::{FloatKind, IntKind, Type, TypeId};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, LogicalOp, Lvalue, Step, UnaryOp};
use crate::print::{INTRINSICS, intrinsic_name};
use crate::program::{FunctionId, GlobalId, LocalId};
use crate::stmt::{Arm, AssertKind, Block, Callee, Loop, LoopKind, OrderKind, Stmt, StmtKind, TracePoint, Unordered};
use crate::typing::Implied;
use diagnostics::Span;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.nested(Self::block_inner)
    }

    fn block_inner(&mut self) -> Parsed<Block> {
        self.punct("{")?;
        let mut block = Block::default();
        if self.accept_word("scope") {
            loop {
                block.locals.push(self.local()?);
                if self.accept(";") {
                    break;
                }
                if !self.accept(",") {
                    return self.unexpected("`,` or `;`");
                }
            }
        }
        while !self.accept("}") {
            let kind = self.stmt()?;
            block.stmts.push(Stmt::new(kind, Span::NONE));
        }
        Ok(block)
    }

    fn optional_block(&mut self, keyword: &str) -> Parsed<Block> {
        if self.accept_word(keyword) { self.block() } else { Ok(Block::default()) }
    }

    fn stmt(&mut self) -> Parsed<StmtKind> {
        let word = match self.peek() {
            Token::Punct("{") => return Ok(StmtKind::Block(self.block()?)),
            Token::Ref(Sigil::Label, _) => {
                let label = self.label()?;
                self.punct(":")?;
                return Ok(StmtKind::Label(label));
            }
            Token::Ref(Sigil::Local | Sigil::Global, _) | Token::Punct("(") => return self.assignment(),
            Token::Ident(word) => word.clone(),
            _ => return self.unexpected("a statement or `}`"),
        };
        self.next();
        match word.as_str() {
            "if" => {
                let cond = self.expr()?;
                let then = self.block()?;
                let otherwise = self.optional_block("else")?;
                return Ok(StmtKind::If { cond, then, otherwise });
            }
            "while" | "for" => {
                let kind = if word == "while" { LoopKind::While } else { LoopKind::For };
                let pre = self.optional_block("pre")?;
                let cond = if self.is_punct("{") { None } else { Some(self.expr()?) };
                let body = self.block()?;
                let step = self.optional_block("step")?;
                return Ok(StmtKind::Loop(Box::new(Loop { kind, pre, cond, body, step })));
            }
            "switch" => return self.switch(),
            _ => {}
        }
        let kind = match word.as_str() {
            "zero" => StmtKind::Zero(self.lvalue()?),
            "call" => self.call(None)?,
            "live" => StmtKind::Live(self.local()?),
            "do" => {
                let body = self.block()?;
                let step = self.optional_block("step")?;
                let pre = self.optional_block("pre")?;
                self.keyword("while")?;
                let cond = if self.is_punct(";") { None } else { Some(self.expr()?) };
                StmtKind::Loop(Box::new(Loop { kind: LoopKind::DoWhile, pre, cond, body, step }))
            }
            "break" => StmtKind::Break,
            "continue" => StmtKind::Continue,
            "goto" => StmtKind::Goto(self.label()?),
            "return" => StmtKind::Return(if self.is_punct(";") { None } else { Some(self.expr()?) }),
            "assume" => StmtKind::Assume(self.expr()?),
            "assert" => {
                let kind = if self.accept_word("verifier") {
                    AssertKind::Verifier
                } else if self.accept_word("reach_error") {
                    AssertKind::ReachError
                } else {
                    AssertKind::Assert
                };
                let cond = self.expr()?;
                let text = self.string("the claim as a string")?;
                StmtKind::Assert { cond, kind, text }
            }
            "trace" => {
                let name = self.string("the name of the trace point")?;
                let mut values = Vec::new();
                self.punct("(")?;
                while !self.accept(")") {
                    if !values.is_empty() {
                        self.punct(",")?;
                    }
                    let name = self.string("the name of a value")?;
                    self.punct("=")?;
                    let value = self.expr()?;
                    values.push((name, value));
                }
                StmtKind::Trace(TracePoint { name, values })
            }
            "unordered" => {
                let kind = if self.accept_word("undefined") {
                    OrderKind::Undefined
                } else if self.accept_word("open") {
                    OrderKind::Open
                } else {
                    return self.error("`undefined` or `open` is expected");
                };
                StmtKind::Unordered(Unordered::somewhere(kind, self.string("what is not ordered, as a string")?))
            }
            "unsupported" => StmtKind::Unsupported(self.string("what is not supported, as a string")?),
            _ => return self.error_before(format!("no statement begins with `{word}`")),
        };
        self.punct(";")?;
        Ok(kind)
    }

    fn assignment(&mut self) -> Parsed<StmtKind> {
        let target = self.lvalue()?;
        self.punct("=")?;
        let kind = if self.accept_word("call") {
            self.call(Some(target))?
        } else {
            StmtKind::Assign { target, value: self.expr()? }
        };
        self.punct(";")?;
        Ok(kind)
    }

    /// What follows `call`.
    fn call(&mut self, result: Option<Lvalue>) -> Parsed<StmtKind> {
        let callee = match self.peek() {
            Token::Ref(Sigil::Function, _) => Callee::Function(FunctionId::from_u32(self.reference(Sigil::Function)?)),
            Token::Punct("*") => {
                self.next();
                Callee::Pointer(self.atom()?)
            }
            Token::Ident(word) => match INTRINSICS.into_iter().find(|i| intrinsic_name(*i) == word) {
                Some(intrinsic) => {
                    self.next();
                    Callee::Intrinsic(intrinsic)
                }
                None => return self.unexpected("a function, `*` or an intrinsic"),
            },
            _ => return self.unexpected("a function, `*` or an intrinsic"),
        };
        let mut args = Vec::new();
        self.punct("(")?;
        while !self.accept(")") {
            if !args.is_empty() {
                self.punct(",")?;
            }
            args.push(self.expr()?);
        }
        Ok(StmtKind::Call { result, callee, args })
    }

    fn switch(&mut self) -> Parsed<StmtKind> {
        let value = self.expr()?;
        let mut arms = Vec::new();
        let mut default = None;
        if self.accept_word("with") {
            loop {
                if self.accept_word("default") {
                    self.punct("=>")?;
                    default = Some(self.label()?);
                    break;
                }
                let low = self.arm_value()?;
                let high = if self.accept("..") { self.arm_value()? } else { low };
                self.punct("=>")?;
                arms.push(Arm { low, high, label: self.label()? });
                if !self.accept(",") {
                    break;
                }
            }
        }
        let body = self.block()?;
        Ok(StmtKind::Switch { value, arms, default, body })
    }

    fn arm_value(&mut self) -> Parsed<i128> {
        let sign = if self.accept("-") { "-" } else { "" };
        if let Token::Number { digits, suffix: None } = self.peek()
            && let Ok(value) = format!("{sign}{digits}").parse()
        {
            self.next();
            return Ok(value);
        }
        self.unexpected("the value of an arm")
    }

    // Expressions.

    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::expr_inner)
    }

    fn expr_inner(&mut self) -> Parsed<Expr> {
        let left = self.atom()?;
        let expr = match self.peek() {
            Token::Ident(word) if word == "as" || word == "cast" => {
                let explicit = word == "cast";
                self.next();
                let ty = self.ty()?;
                return Ok(Expr::new(ExprKind::Convert { value: Box::new(left), explicit }, ty, Span::NONE));
            }
            Token::Punct("?") => {
                self.next();
                let a = self.atom()?;
                self.punct(":")?;
                let b = self.atom()?;
                self.implied(ExprKind::Conditional(Box::new(left), Box::new(a), Box::new(b)))?
            }
            Token::Punct(symbol @ ("&&" | "||")) => {
                let op = if *symbol == "&&" { LogicalOp::And } else { LogicalOp::Or };
                self.next();
                let right = self.atom()?;
                self.implied(ExprKind::Logical(op, Box::new(left), Box::new(right)))?
            }
            Token::Punct(symbol) => match BinaryOp::NUMERIC.into_iter().find(|op| op.symbol() == *symbol) {
                Some(op) => {
                    self.next();
                    let pointers = matches!(op, BinaryOp::Add | BinaryOp::Sub) && self.accept_word("ptr");
                    let op = match op {
                        BinaryOp::Add if pointers => BinaryOp::PointerAdd,
                        BinaryOp::Sub if pointers => BinaryOp::PointerDiff,
                        op => op,
                    };
                    let right = self.atom()?;
                    self.implied(ExprKind::Binary(op, Box::new(left), Box::new(right)))?
                }
                None => left,
            },
            _ => left,
        };
        self.stated(expr)
    }

    /// A type after the expression, if it is not the one implied.
    fn stated(&mut self, mut expr: Expr) -> Parsed<Expr> {
        if self.accept(":") {
            expr.ty = self.ty()?;
        }
        Ok(expr)
    }

    fn implied(&mut self, kind: ExprKind) -> Parsed<Expr> {
        let ty = match self.program.implied_type(&kind) {
            Implied::Is(ty) => ty,
            Implied::PointerTo(to) => self.program.types.pointer(to),
            // Names are resolved before, so that nothing is unclear; a conversion states its type itself.
            Implied::Unclear => return self.error("the type of the expression is not clear"),
        };
        Ok(Expr::new(kind, ty, Span::NONE))
    }

    fn atom(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Token::Number { .. } => self.number(""),
            Token::Punct("-") if matches!(self.peek_at(1), Token::Number { .. }) => {
                self.next();
                self.number("-")
            }
            Token::Punct(sign @ ("-" | "~" | "!")) => {
                let op = match *sign {
                    "-" => UnaryOp::Neg,
                    "~" => UnaryOp::Complement,
                    _ => UnaryOp::Not,
                };
                self.next();
                let operand = self.nested(Self::atom)?;
                self.implied(ExprKind::Unary(op, Box::new(operand)))
            }
            Token::Punct("&") => {
                self.next();
                let lvalue = self.lvalue()?;
                self.implied(ExprKind::AddressOf(lvalue))
            }
            Token::Punct("(") if *self.peek_at(1) == Token::Punct("*") => self.load(),
            Token::Punct("(") => {
                self.next();
                let inner = self.expr()?;
                self.punct(")")?;
                Ok(inner)
            }
            Token::Ref(Sigil::Local | Sigil::Global, _) => self.load(),
            Token::Ref(Sigil::Function, _) => {
                let id = FunctionId::from_u32(self.reference(Sigil::Function)?);
                self.implied(ExprKind::Function(id))
            }
            Token::Ident(word) if word == "f64" || word == "x80" => {
                let double = word == "f64";
                self.next();
                self.punct("(")?;
                let bits = self.hex()?;
                self.punct(")")?;
                if !double {
                    return self.implied(ExprKind::Extended(bits));
                }
                let Ok(bits) = u64::try_from(bits) else { return self.error_before("too many bits for a double") };
                let float = self.accept_word("_float");
                let ty = self.float_type(if float { FloatKind::Float } else { FloatKind::Double });
                Ok(Expr::new(ExprKind::Float(f64::from_bits(bits)), ty, Span::NONE))
            }
            _ => self.unexpected("an expression"),
        }
    }

    fn load(&mut self) -> Parsed<Expr> {
        self.lvalue().map(Expr::load)
    }

    fn float_type(&self, kind: FloatKind) -> TypeId {
        self.program.types.float(kind)
    }

    fn hex(&mut self) -> Parsed<u128> {
        if let Token::Number { digits, suffix: None } = self.peek()
            && let Some(Ok(bits)) = digits.strip_prefix("0x").map(|digits| u128::from_str_radix(digits, 16))
        {
            self.next();
            return Ok(bits);
        }
        self.unexpected("bits as a hexadecimal number")
    }

    fn number(&mut self, sign: &str) -> Parsed<Expr> {
        let Token::Number { digits, suffix } = self.next() else { return self.error_before("expected a number") };
        let text = format!("{sign}{digits}");
        let ty = match &suffix {
            None => None,
            Some(suffix) => match self.scalar_type(suffix) {
                Some(ty) => Some(ty),
                None => return self.error_before(format!("`{suffix}` is not a scalar type")),
            },
        };
        if digits.contains(['.', 'e']) && !digits.starts_with("0x") {
            let Ok(value) = text.parse::<f64>() else { return self.error_before("the number is malformed") };
            let ty = ty.unwrap_or(self.float_type(FloatKind::Double));
            return Ok(Expr::new(ExprKind::Float(value), ty, Span::NONE));
        }
        let ty = ty.unwrap_or(self.program.types.int(IntKind::Int));
        // Values of `unsigned __int128` are written as what they mean and stored as a bit pattern.
        let value = if *self.program.types.get(ty) == Type::Int(IntKind::UInt128) {
            text.parse::<u128>().ok().map(|value| value as i128)
        } else {
            text.parse().ok()
        };
        match value {
            Some(value) => Ok(Expr::int(value, ty, Span::NONE)),
            None => self.error_before("the number is malformed or too large"),
        }
    }

    pub(super) fn lvalue(&mut self) -> Parsed<Lvalue> {
        let base = match self.peek() {
            Token::Ref(Sigil::Local, _) => Base::Local(LocalId::from_u32(self.reference(Sigil::Local)?)),
            Token::Ref(Sigil::Global, _) => Base::Global(GlobalId::from_u32(self.reference(Sigil::Global)?)),
            Token::Punct("(") => {
                self.next();
                self.punct("*")?;
                let pointer = self.expr()?;
                self.punct(")")?;
                Base::Deref(Box::new(pointer))
            }
            _ => return self.unexpected("an lvalue"),
        };
        let mut ty = self.program.base_type(self.locals.as_ref(), &base);
        let mut path = Vec::new();
        loop {
            let step = if self.accept(".") {
                self.field(ty)?
            } else if self.accept("[") {
                let index = self.expr()?;
                self.punct("]")?;
                Step::Index(index)
            } else {
                break;
            };
            ty = ty.and_then(|ty| self.program.types.step(ty, &step));
            path.push(step);
        }
        if self.accept("!") {
            ty = Some(self.ty()?);
        }
        match ty {
            Some(ty) => Ok(Lvalue { base, path, ty, span: Span::NONE }),
            None => self.error("the path does not fit the object: state its type with `!`"),
        }
    }

    fn field(&mut self, ty: Option<TypeId>) -> Parsed<Step> {
        if let Token::Hash(index) = *self.peek() {
            self.next();
            return Ok(Step::Field(index));
        }
        let Token::Ident(word) = self.peek() else { return self.unexpected("the name or `#` number of a field") };
        let fields = ty.and_then(|ty| match self.program.types.get(ty) {
            Type::Record(id) => self.program.types.records[*id].fields.as_ref(),
            _ => None,
        });
        match fields.and_then(|fields| fields.iter().position(|field| field.name == *word)) {
            Some(index) => {
                self.next();
                Ok(Step::Field(index as u32))
            }
            None => self.error(format!("there is no field `{word}` here")),
        }
    }
}
