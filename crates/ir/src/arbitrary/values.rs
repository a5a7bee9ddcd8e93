//! Expressions and lvalues of a wanted type.

use super::Generator;
use crate::ctype::{FloatKind, IntKind, Type, TypeId};
use crate::expr::{Base, BinaryOp, Expr, ExprKind, LogicalOp, Lvalue, Step, UnaryOp};
use crate::program::FunctionId;
use diagnostics::Span;

fn new(kind: ExprKind, ty: TypeId) -> Expr {
    Expr::new(kind, ty, Span::NONE)
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Generator<'_> {
    /// A scalar, most often an `int`.
    pub(super) fn condition(&mut self) -> Expr {
        let mut scalars = vec![self.int()];
        scalars.extend(self.objects.iter().copied().filter(|ty| self.program.types.is_scalar(*ty)));
        let ty = self.pick(&scalars);
        self.value(ty, 3)
    }

    /// A value of the type that initialisers may have.
    pub(super) fn constant(&mut self, ty: TypeId) -> Expr {
        match self.program.types.get(ty).clone() {
            Type::Int(kind) => self.int_constant(kind, ty),
            Type::Float(kind) => self.float_constant(kind, ty),
            _ => {
                let globals: Vec<_> = self.program.globals.iter().filter(|(_, g)| g.ty == self.pointee(ty)).collect();
                let candidate = globals.first().map(|(id, global)| Lvalue::global(*id, global.ty, Span::NONE));
                match candidate {
                    Some(lvalue) if self.choose(2) == 1 => new(ExprKind::AddressOf(lvalue), ty),
                    _ => {
                        let zero = new(ExprKind::Int(0), self.int());
                        new(ExprKind::Convert { value: boxed(zero), explicit: self.choose(2) == 1 }, ty)
                    }
                }
            }
        }
    }

    fn pointee(&self, ty: TypeId) -> TypeId {
        self.program.types.pointee(ty).unwrap_or(self.program.types.void())
    }

    fn int_constant(&mut self, kind: IntKind, ty: TypeId) -> Expr {
        let value = match self.choose(6) {
            0 => 0,
            1 => 1,
            2 => kind.min(),
            3 => kind.max(),
            4 => kind.wrap(-1),
            _ => kind.wrap(self.choose(usize::MAX) as i128),
        };
        new(ExprKind::Int(value), ty)
    }

    fn float_constant(&mut self, kind: FloatKind, ty: TypeId) -> Expr {
        let choice = self.choose(7);
        if kind == FloatKind::Extended {
            let one = 0x3fff_8000_0000_0000_0000u128;
            return new(ExprKind::Extended(if choice == 0 { 0 } else { one }), ty);
        }
        let value = [0.0, -0.0, 1.5, -3.0, f64::INFINITY, f64::NAN, 1e-30f32 as f64][choice];
        new(ExprKind::Float(value), ty)
    }

    pub(super) fn value(&mut self, ty: TypeId, depth: u32) -> Expr {
        let shape = self.program.types.get(ty).clone();
        if !self.program.types.is_scalar(ty) {
            return Expr::load(self.lvalue(ty, depth, true));
        }
        if depth == 0 {
            return self.constant(ty);
        }
        let depth = depth - 1;
        match (self.choose(10), shape) {
            (0, _) => self.constant(ty),
            (1, _) => Expr::load(self.lvalue(ty, depth, true)),
            (2, _) => {
                let cond = self.condition_of(depth);
                let (a, b) = (self.value(ty, depth), self.value(ty, depth));
                new(ExprKind::Conditional(boxed(cond), boxed(a), boxed(b)), ty)
            }
            (choice, Type::Pointer { to, .. }) => self.pointer(choice, ty, to, depth),
            (3 | 4, shape) => {
                let from = if matches!(shape, Type::Int(_)) {
                    let scalars: Vec<TypeId> =
                        self.objects.iter().copied().filter(|ty| self.program.types.is_scalar(*ty)).collect();
                    self.pick(&scalars)
                } else {
                    self.int()
                };
                let value = self.value(from, depth);
                new(ExprKind::Convert { value: boxed(value), explicit: self.choose(2) == 1 }, ty)
            }
            (5, _) => new(ExprKind::Unary(UnaryOp::Neg, boxed(self.value(ty, depth))), ty),
            (6, Type::Int(_)) => {
                let left = self.value(ty, depth);
                let right_type = self.pick(&[self.int(), self.program.types.int(IntKind::ULong)]);
                let right = self.value(right_type, depth);
                let op = self.pick(&[BinaryOp::Shl, BinaryOp::Shr]);
                new(ExprKind::Binary(op, boxed(left), boxed(right)), ty)
            }
            (7, Type::Int(IntKind::Int)) => self.truth(depth),
            (7, Type::Int(IntKind::Long)) => {
                let pointer = self.program.types.pointer(self.int());
                let (p, q) = (self.value(pointer, depth), self.value(pointer, depth));
                new(ExprKind::Binary(BinaryOp::PointerDiff, boxed(p), boxed(q)), ty)
            }
            (8, Type::Int(_)) => new(ExprKind::Unary(UnaryOp::Complement, boxed(self.value(ty, depth))), ty),
            (_, shape) => {
                use BinaryOp::*;
                let any = [Add, Sub, Mul, Div];
                let integer = [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor];
                let op = if matches!(shape, Type::Int(_)) { self.pick(&integer) } else { self.pick(&any) };
                let (a, b) = (self.value(ty, depth), self.value(ty, depth));
                new(ExprKind::Binary(op, boxed(a), boxed(b)), ty)
            }
        }
    }

    fn condition_of(&mut self, depth: u32) -> Expr {
        self.value(self.int(), depth)
    }

    /// An `int` that is 0 or 1.
    fn truth(&mut self, depth: u32) -> Expr {
        use BinaryOp::*;
        let int = self.int();
        let scalars: Vec<TypeId> =
            self.objects.iter().copied().filter(|ty| self.program.types.is_scalar(*ty)).collect();
        let ty = self.pick(&scalars);
        let left = self.value(ty, depth);
        if self.choose(3) == 2 {
            return new(ExprKind::Unary(UnaryOp::Not, boxed(left)), int);
        }
        let right = self.value(ty, depth);
        let kind = match self.choose(3) {
            0 => ExprKind::Binary(self.pick(&[Eq, Ne, Lt, Le, Gt, Ge]), boxed(left), boxed(right)),
            1 => ExprKind::Logical(LogicalOp::And, boxed(left), boxed(right)),
            _ => ExprKind::Logical(LogicalOp::Or, boxed(left), boxed(right)),
        };
        new(kind, int)
    }

    fn pointer(&mut self, choice: usize, ty: TypeId, to: TypeId, depth: u32) -> Expr {
        if self.program.types.signature(to).is_some() {
            let id = (0..self.program.functions.len())
                .map(|index| FunctionId::from_u32(index as u32))
                .find(|id| self.program.functions[*id].ty == to);
            return match id {
                Some(id) => new(ExprKind::Function(id), ty),
                None => self.constant(ty),
            };
        }
        match choice {
            3 | 4 if self.program.types.is_complete(to) => {
                let base = self.value(ty, depth);
                let index = self.value(self.program.types.int(IntKind::Long), depth);
                new(ExprKind::Binary(BinaryOp::PointerAdd, boxed(base), boxed(index)), ty)
            }
            5 => {
                let value = self.value(self.program.types.int(IntKind::ULong), depth);
                new(ExprKind::Convert { value: boxed(value), explicit: true }, ty)
            }
            _ if self.program.types.is_complete(to) => new(ExprKind::AddressOf(self.lvalue(to, depth, false)), ty),
            _ => self.constant(ty),
        }
    }

    /// An object of the type: a part of something in scope if there is one, else what some pointer points to.
    pub(super) fn lvalue(&mut self, ty: TypeId, depth: u32, bit_fields: bool) -> Lvalue {
        let mut found: Vec<(Base, Vec<Option<u32>>)> = Vec::new();
        for id in self.scope.clone() {
            self.parts(Base::Local(id), self.locals[id].ty, ty, bit_fields, &mut Vec::new(), &mut found);
        }
        for (id, global) in self.program.globals.iter() {
            self.parts(Base::Global(id), global.ty, ty, bit_fields, &mut Vec::new(), &mut found);
        }
        if found.is_empty() || self.choose(4) == 3 {
            let pointer_type = self.program.types.pointer(ty);
            let pointer = self.value(pointer_type, depth.saturating_sub(1).min(1));
            return Lvalue { base: Base::Deref(boxed(pointer)), path: Vec::new(), ty, span: Span::NONE };
        }
        let (base, path) = found.swap_remove(self.choose(found.len()));
        let long = self.program.types.int(IntKind::Long);
        let path = path
            .into_iter()
            .map(|step| match step {
                Some(field) => Step::Field(field),
                None => Step::Index(self.value(long, depth.saturating_sub(1))),
            })
            .collect();
        Lvalue { base, path, ty, span: Span::NONE }
    }

    /// The paths from an object of type `from` to parts of type `to`; `None` stands for an index.
    fn parts(
        &self,
        base: Base,
        from: TypeId,
        to: TypeId,
        bit_fields: bool,
        path: &mut Vec<Option<u32>>,
        found: &mut Vec<(Base, Vec<Option<u32>>)>,
    ) {
        if from == to {
            found.push((base.clone(), path.clone()));
        }
        if path.len() == 3 {
            return;
        }
        match self.program.types.get(from) {
            Type::Array { of, .. } => {
                path.push(None);
                self.parts(base, *of, to, bit_fields, path, found);
                path.pop();
            }
            Type::Record(id) => {
                let fields = self.program.types.records[*id].fields.iter().flatten();
                for (index, field) in fields.enumerate().filter(|(_, field)| bit_fields || field.bits.is_none()) {
                    path.push(Some(index as u32));
                    self.parts(base.clone(), field.ty, to, bit_fields, path, found);
                    path.pop();
                }
            }
            _ => {}
        }
    }
}
