//! The types that follow from the parts: of a path into an object, and of an expression from its operands.
//!
//! An [`Expr`] states its type. Nearly always that type follows from the operands; the text form uses this to leave
//! it out, the parser to put it back, and the verifier to compare.

use crate::ctype::{FloatKind, IntKind, Length, Type, TypeId, Types};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, Lvalue, Step, UnaryOp};
use crate::layout::Field;
use crate::program::{Function, FunctionId, Local, LocalId, LocalKind, Program};
use crate::stmt::{Block, StmtId};
use cranelift_entity::PrimaryMap;

/// The type that follows from the parts of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Implied {
    Is(TypeId),
    /// A pointer, without a promise not to write, to this type; it may not be interned yet.
    PointerTo(TypeId),
    /// The parts do not fit, or name something that does not exist.
    Unclear,
}

impl Types {
    /// The type of the part of an object of type `ty` that the step leads to.
    pub fn step(&self, ty: TypeId, step: &Step) -> Option<TypeId> {
        match step {
            Step::Field(index) => self.field(ty, *index).map(|field| field.ty),
            Step::Index(_) => self.element(ty),
        }
    }

    /// A field of a record type.
    pub fn field(&self, ty: TypeId, index: u32) -> Option<&Field> {
        let Type::Record(id) = self.get(ty) else { return None };
        self.records.get(*id)?.fields.as_ref()?.get(index as usize)
    }

    /// Whether a value of one type may stand where the other is expected: the same type, up to what engines cannot
    /// tell apart: promises not to write, and array lengths that are not fixed.
    pub fn matches(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => self.matches(*a, *b),
            (Type::Array { of: a, length: m }, Type::Array { of: b, length: n }) => {
                self.matches(*a, *b) && !matches!((m, n), (Length::Fixed(m), Length::Fixed(n)) if m != n)
            }
            (Type::Function(a), Type::Function(b)) => {
                self.matches(a.result, b.result)
                    && (a.unprototyped
                        || b.unprototyped
                        || (a.variadic == b.variadic
                            && a.params.len() == b.params.len()
                            && a.params.iter().zip(&b.params).all(|(a, b)| self.matches(*a, *b))))
            }
            _ => false,
        }
    }

    /// The local that each array length inside the type refers to; records and what they hold are left out, since
    /// their members have fixed lengths.
    pub fn variable_lengths(&self, ty: TypeId) -> Vec<LocalId> {
        let mut found = Vec::new();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match self.get(ty) {
                Type::Array { of, length } => {
                    if let Length::Variable(local) = length {
                        found.push(*local);
                    }
                    open.push(*of);
                }
                Type::Pointer { to, .. } => open.push(*to),
                Type::Function(signature) => {
                    open.push(signature.result);
                    open.extend(&signature.params);
                }
                Type::Void | Type::Int(_) | Type::Float(_) | Type::Record(_) => {}
            }
        }
        found
    }
}

impl Program {
    /// The type of the object an lvalue starts from.
    pub fn base_type(&self, locals: Option<&PrimaryMap<LocalId, Local>>, base: &Base) -> Option<TypeId> {
        match base {
            Base::Local(id) => locals?.get(*id).map(|local| local.ty),
            Base::Global(id) => self.globals.get(*id).map(|global| global.ty),
            Base::Deref(pointer) => self.types.pointee(pointer.ty),
        }
    }

    /// The type at the end of the path. What the lvalue states should be the same.
    pub fn lvalue_type(&self, locals: Option<&PrimaryMap<LocalId, Local>>, lvalue: &Lvalue) -> Option<TypeId> {
        let base = self.base_type(locals, &lvalue.base)?;
        lvalue.path.iter().try_fold(base, |ty, step| self.types.step(ty, step))
    }

    /// The bit-field the lvalue designates, if it does.
    pub fn bit_field<'p>(&'p self, locals: Option<&PrimaryMap<LocalId, Local>>, lvalue: &Lvalue) -> Option<&'p Field> {
        let (Step::Field(index), path) = lvalue.path.split_last()? else { return None };
        let base = self.base_type(locals, &lvalue.base)?;
        let record = path.iter().try_fold(base, |ty, step| self.types.step(ty, step))?;
        self.types.field(record, *index).filter(|field| field.bits.is_some())
    }

    /// The type that follows from the immediate parts of an expression.
    pub fn implied_type(&self, kind: &ExprKind) -> Implied {
        let int = || Implied::Is(self.types.int(IntKind::Int));
        match kind {
            ExprKind::Int(_) => int(),
            ExprKind::Float(_) => Implied::Is(self.types.float(crate::FloatKind::Double)),
            ExprKind::Extended(_) => Implied::Is(self.types.float(crate::FloatKind::Extended)),
            ExprKind::Load(lvalue) => Implied::Is(lvalue.ty),
            ExprKind::AddressOf(lvalue) => Implied::PointerTo(lvalue.ty),
            ExprKind::Function(id) => {
                self.functions.get(*id).map_or(Implied::Unclear, |function| Implied::PointerTo(function.ty))
            }
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Logical(..) => int(),
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Complement, operand) => Implied::Is(operand.ty),
            ExprKind::Binary(op, ..) if op.is_comparison() => int(),
            ExprKind::Binary(BinaryOp::PointerDiff, ..) => Implied::Is(self.types.int(IntKind::Long)),
            ExprKind::Binary(_, left, _) => Implied::Is(left.ty),
            ExprKind::Conditional(_, chosen, _) => Implied::Is(chosen.ty),
            ExprKind::Convert { .. } => Implied::Unclear,
        }
    }

    /// Whether the type an expression states is the one that follows from its parts.
    pub fn is_implied(&self, expr: &Expr) -> bool {
        match self.implied_type(&expr.kind) {
            Implied::Is(ty) => expr.ty == ty,
            Implied::PointerTo(to) => *self.types.get(expr.ty) == Type::Pointer { to, to_const: false },
            Implied::Unclear => false,
        }
    }
}

impl Function {
    /// The locals in scope at a statement: parameters and temporaries, and the variables of the blocks around it,
    /// outermost first. Variables whose declaration comes later in the same block are included, since a jump may
    /// have come past it.
    pub fn in_scope(&self, stmt: StmtId) -> Vec<LocalId> {
        let mut scope: Vec<LocalId> =
            self.locals.iter().filter(|(_, local)| local.kind != LocalKind::Variable).map(|(id, _)| id).collect();
        let mut block = self.body.as_ref();
        while let Some(here) = block {
            scope.extend(&here.locals);
            // Ids ascend in text order, so the statement lies in the last one that does not come after it.
            let after = here.stmts.partition_point(|s| s.id <= stmt);
            let Some(around) = after.checked_sub(1).map(|i| &here.stmts[i]) else { break };
            block = around
                .blocks()
                .into_iter()
                .rfind(|inner| inner.first_id().is_some_and(|first| first <= stmt))
                .filter(|_| around.id != stmt);
        }
        scope
    }
}

impl Block {
    /// The id of the first statement inside.
    pub fn first_id(&self) -> Option<StmtId> {
        self.stmts.first().map(|stmt| stmt.id)
    }
}

impl Program {
    /// Whether a call gives a function what it takes. Where the function is called by a type of its own, the compiler has seen to
    /// that; without a prototype, or through a pointer that was converted, nobody has, and what the function finds is not
    /// what was passed (C17 6.5.2.2p6, p9).
    pub fn call_agrees(&self, callee: FunctionId, args: &[Expr]) -> bool {
        let function = &self.functions[callee];
        let signature = self.types.signature(function.ty);
        // A parameter of an old-style definition is narrowed on entry, and what is passed beyond them is not looked at.
        let narrows = signature.is_some_and(|signature| signature.unprototyped);
        let takes_more = narrows || signature.is_some_and(|signature| signature.variadic);
        let agrees = |(param, arg): (&LocalId, &Expr)| {
            let (wanted, given) = (function.locals[*param].ty, arg.ty);
            match (self.types.get(wanted), self.types.get(given)) {
                (Type::Int(wanted), Type::Int(given)) => {
                    wanted.bytes() == given.bytes() || narrows && wanted.bytes() < given.bytes()
                }
                (Type::Float(wanted), Type::Float(given)) => {
                    wanted == given || narrows && (*wanted, *given) == (FloatKind::Float, FloatKind::Double)
                }
                (Type::Pointer { .. }, Type::Pointer { .. }) => true,
                _ => self.types.matches(given, wanted),
            }
        };
        let (takes, given) = (function.params.len(), args.len());
        (takes == given || takes_more && takes < given) && function.params.iter().zip(args).all(agrees)
    }
}
