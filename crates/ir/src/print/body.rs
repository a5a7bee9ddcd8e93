//! Statements and expressions.

use super::{Printer, int_type_name, intrinsic_name, is_identifier, quote};
use crate::ctype::{FloatKind, IntKind, Type, TypeId};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, LogicalOp, Lvalue, Step, UnaryOp};
use crate::stmt::{AssertKind, Block, Callee, LoopKind, OrderKind, Stmt, StmtKind};
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        if self.heads_only {
            self.out.push_str("{…}");
            return;
        }
        self.out.push_str("{\n");
        self.indent += 1;
        if !block.locals.is_empty() {
            self.line_start();
            self.out.push_str("scope ");
            for (i, local) in block.locals.iter().enumerate() {
                if i > 0 {
                    self.out.push_str(", ");
                }
                self.local_ref(*local);
            }
            self.out.push_str(";\n");
        }
        for stmt in &block.stmts {
            self.line_start();
            self.stmt(stmt);
            self.out.push('\n');
        }
        self.indent -= 1;
        self.line_start();
        self.out.push('}');
    }

    fn line_start(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                self.lvalue(target);
                self.out.push_str(" = ");
                self.expr(value);
                self.out.push(';');
            }
            StmtKind::Zero(target) => {
                self.out.push_str("zero ");
                self.lvalue(target);
                self.out.push(';');
            }
            StmtKind::Call { result, callee, args } => {
                if let Some(result) = result {
                    self.lvalue(result);
                    self.out.push_str(" = ");
                }
                self.out.push_str("call ");
                match callee {
                    Callee::Function(id) => self.function_ref(*id),
                    Callee::Pointer(pointer) => {
                        self.out.push('*');
                        self.atom(pointer);
                    }
                    Callee::Intrinsic(intrinsic) => self.out.push_str(intrinsic_name(*intrinsic)),
                }
                self.out.push('(');
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.expr(arg);
                }
                self.out.push_str(");");
            }
            StmtKind::Live(local) => {
                self.out.push_str("live ");
                self.local_ref(*local);
                self.out.push(';');
            }
            StmtKind::If { cond, then, otherwise } => {
                self.out.push_str("if ");
                self.expr(cond);
                self.out.push(' ');
                self.block(then);
                if *otherwise != Block::default() && !self.heads_only {
                    self.out.push_str(" else ");
                    self.block(otherwise);
                }
            }
            StmtKind::Loop(looped) => match looped.kind {
                LoopKind::While | LoopKind::For => {
                    self.out.push_str(if looped.kind == LoopKind::While { "while " } else { "for " });
                    self.extra_block("pre", &looped.pre, "", " ");
                    if let Some(cond) = &looped.cond {
                        self.expr(cond);
                        self.out.push(' ');
                    }
                    self.block(&looped.body);
                    self.extra_block("step", &looped.step, " ", "");
                }
                LoopKind::DoWhile => {
                    self.out.push_str("do ");
                    self.block(&looped.body);
                    self.extra_block("step", &looped.step, " ", "");
                    self.extra_block("pre", &looped.pre, " ", "");
                    self.out.push_str(" while");
                    if let Some(cond) = &looped.cond {
                        self.out.push(' ');
                        self.expr(cond);
                    }
                    self.out.push(';');
                }
            },
            StmtKind::Switch { value, arms, default, body } => {
                self.out.push_str("switch ");
                self.expr(value);
                for (i, arm) in arms.iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { " with " });
                    put!(self, "{}", arm.low);
                    if arm.high != arm.low {
                        put!(self, "..{}", arm.high);
                    }
                    self.out.push_str(" => ");
                    self.label_ref(arm.label);
                }
                if let Some(label) = default {
                    self.out.push_str(if arms.is_empty() { " with " } else { ", " });
                    self.out.push_str("default => ");
                    self.label_ref(*label);
                }
                self.out.push(' ');
                self.block(body);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::Break => self.out.push_str("break;"),
            StmtKind::Continue => self.out.push_str("continue;"),
            StmtKind::Goto(label) => {
                self.out.push_str("goto ");
                self.label_ref(*label);
                self.out.push(';');
            }
            StmtKind::Label(label) => {
                self.label_ref(*label);
                self.out.push(':');
            }
            StmtKind::Return(value) => {
                self.out.push_str("return");
                if let Some(value) = value {
                    self.out.push(' ');
                    self.expr(value);
                }
                self.out.push(';');
            }
            StmtKind::Assume(cond) => {
                self.out.push_str("assume ");
                self.expr(cond);
                self.out.push(';');
            }
            StmtKind::Assert { cond, kind, text } => {
                self.out.push_str(match kind {
                    AssertKind::Assert => "assert ",
                    AssertKind::Verifier => "assert verifier ",
                    AssertKind::ReachError => "assert reach_error ",
                });
                self.expr(cond);
                put!(self, " {};", quote(text.as_bytes()));
            }
            StmtKind::Trace(point) => {
                put!(self, "trace {} (", quote(point.name.as_bytes()));
                for (i, (name, value)) in point.values.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    put!(self, "{} = ", quote(name.as_bytes()));
                    self.expr(value);
                }
                self.out.push_str(");");
            }
            StmtKind::Unordered(open) => {
                let kind = match open.kind {
                    OrderKind::Undefined => "undefined",
                    OrderKind::Open => "open",
                };
                put!(self, "unordered {kind} {};", quote(open.what.as_bytes()));
            }
            StmtKind::Unsupported(what) => put!(self, "unsupported {};", quote(what.as_bytes())),
        }
    }

    fn extra_block(&mut self, keyword: &str, block: &Block, before: &str, after: &str) {
        if *block != Block::default() {
            put!(self, "{before}{keyword} ");
            self.block(block);
            self.out.push_str(after);
        }
    }

    /// An expression as an operand: in parentheses unless it is an atom.
    fn atom(&mut self, expr: &Expr) {
        let plain = match &expr.kind {
            ExprKind::Int(_) => self.program.types.int_kind(expr.ty).is_some(),
            ExprKind::Float(_) => {
                matches!(self.program.types.float_kind(expr.ty), Some(FloatKind::Float | FloatKind::Double))
            }
            ExprKind::Extended(_) | ExprKind::Load(_) | ExprKind::AddressOf(_) | ExprKind::Function(_) => {
                self.program.is_implied(expr)
            }
            ExprKind::Unary(..) => self.program.is_implied(expr),
            ExprKind::Binary(..) | ExprKind::Logical(..) | ExprKind::Conditional(..) | ExprKind::Convert { .. } => {
                false
            }
        };
        if plain {
            self.expr(expr);
        } else {
            self.out.push('(');
            self.expr(expr);
            self.out.push(')');
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        let types = &self.program.types;
        let stated = match &expr.kind {
            ExprKind::Int(value) => match types.int_kind(expr.ty) {
                Some(IntKind::Int) => {
                    put!(self, "{value}");
                    true
                }
                Some(IntKind::UInt128) => {
                    put!(self, "{}_uint128", *value as u128);
                    true
                }
                Some(kind) => {
                    put!(self, "{value}_{}", int_type_name(kind));
                    true
                }
                None => {
                    put!(self, "{value}");
                    false
                }
            },
            ExprKind::Float(value) => {
                if value.is_finite() {
                    put!(self, "{value:?}");
                } else {
                    put!(self, "f64(0x{:x})", value.to_bits());
                }
                match types.float_kind(expr.ty) {
                    Some(FloatKind::Float) => {
                        self.out.push_str("_float");
                        true
                    }
                    kind => kind == Some(FloatKind::Double),
                }
            }
            ExprKind::Extended(bits) => {
                put!(self, "x80(0x{bits:x})");
                self.program.is_implied(expr)
            }
            ExprKind::Load(lvalue) => {
                self.lvalue(lvalue);
                self.program.is_implied(expr)
            }
            ExprKind::AddressOf(lvalue) => {
                self.out.push('&');
                self.lvalue(lvalue);
                self.program.is_implied(expr)
            }
            ExprKind::Function(id) => {
                self.function_ref(*id);
                self.program.is_implied(expr)
            }
            ExprKind::Unary(op, operand) => {
                self.out.push(match op {
                    UnaryOp::Neg => '-',
                    UnaryOp::Complement => '~',
                    UnaryOp::Not => '!',
                });
                // A minus right before a digit would read as one constant.
                let number = matches!(operand.kind, ExprKind::Int(_) | ExprKind::Float(_));
                if *op == UnaryOp::Neg && number {
                    self.out.push('(');
                    self.expr(operand);
                    self.out.push(')');
                } else {
                    self.atom(operand);
                }
                self.program.is_implied(expr)
            }
            ExprKind::Binary(op, left, right) => {
                self.atom(left);
                match op {
                    BinaryOp::PointerAdd => self.out.push_str(" +ptr "),
                    BinaryOp::PointerDiff => self.out.push_str(" -ptr "),
                    op => put!(self, " {} ", op.symbol()),
                }
                self.atom(right);
                self.program.is_implied(expr)
            }
            ExprKind::Logical(op, left, right) => {
                self.atom(left);
                self.out.push_str(if *op == LogicalOp::And { " && " } else { " || " });
                self.atom(right);
                self.program.is_implied(expr)
            }
            ExprKind::Conditional(cond, a, b) => {
                self.atom(cond);
                self.out.push_str(" ? ");
                self.atom(a);
                self.out.push_str(" : ");
                self.atom(b);
                self.program.is_implied(expr)
            }
            ExprKind::Convert { value, explicit } => {
                self.atom(value);
                self.out.push_str(if *explicit { " cast " } else { " as " });
                self.ty(expr.ty);
                true
            }
        };
        if !stated {
            self.out.push_str(" : ");
            self.ty(expr.ty);
        }
    }

    pub(super) fn lvalue(&mut self, lvalue: &Lvalue) {
        match &lvalue.base {
            Base::Local(id) => self.local_ref(*id),
            Base::Global(id) => self.global_ref(*id),
            Base::Deref(pointer) => {
                self.out.push_str("(*");
                self.expr(pointer);
                self.out.push(')');
            }
        }
        let mut ty = self.program.base_type(self.locals, &lvalue.base);
        for step in &lvalue.path {
            match step {
                Step::Field(index) => self.field_ref(ty, *index),
                Step::Index(index) => {
                    self.out.push('[');
                    self.expr(index);
                    self.out.push(']');
                }
            }
            ty = ty.and_then(|ty| self.program.types.step(ty, step));
        }
        if ty != Some(lvalue.ty) {
            self.out.push('!');
            self.ty(lvalue.ty);
        }
    }

    fn field_ref(&mut self, record: Option<TypeId>, index: u32) {
        let fields = record.and_then(|ty| match self.program.types.get(ty) {
            Type::Record(id) => self.program.types.records.get(*id)?.fields.as_ref(),
            _ => None,
        });
        let name = fields.and_then(|fields| fields.get(index as usize)).map_or("", |field| field.name.as_str());
        let unique = fields.is_some_and(|fields| fields.iter().filter(|f| f.name == name).count() == 1);
        if unique && is_identifier(name) {
            put!(self, ".{name}");
        } else {
            put!(self, ".#{index}");
        }
    }
}
