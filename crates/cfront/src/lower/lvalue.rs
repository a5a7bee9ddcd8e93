//! Operands: objects and values, and the way from one to the other.

use super::declarator::Qual;
use super::scope::Entity;
use super::{Lowered, Lowerer, Stop};
use crate::order::Deed;
use diagnostics::{Finding, Rule, Span};
use ir::{Base, BinaryOp, Expr, ExprKind, FunctionId, GlobalKind, IntKind, Lvalue, Step, Type, TypeId};
use lang_c::ast::*;
use lang_c::span::Node;

/// An object, or part of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub lvalue: Lvalue,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
    /// The width, if it is a bit-field.
    pub bits: Option<u32>,
}

impl Place {
    pub fn new(lvalue: Lvalue) -> Place {
        Place { lvalue, is_const: false, is_volatile: false, is_atomic: false, bits: None }
    }
}

/// What an expression denotes before arrays decay and objects are read.
#[derive(Clone, Debug)]
pub enum Operand {
    Value(Expr),
    Place(Place),
    Function { id: FunctionId, ty: TypeId, span: Span },
}

impl Operand {
    pub fn qual(&self) -> Qual {
        match self {
            Operand::Value(value) => Qual::plain(value.ty),
            Operand::Place(place) => {
                let (is_const, is_volatile, is_atomic) = (place.is_const, place.is_volatile, place.is_atomic);
                Qual { is_const, is_volatile, is_atomic, ..Qual::plain(place.lvalue.ty) }
            }
            Operand::Function { ty, .. } => Qual::plain(*ty),
        }
    }
}

impl<'u> Lowerer<'u, '_> {
    /// The value of an operand: objects are read, arrays and functions become pointers, bit-fields are promoted.
    pub(super) fn value_of(&mut self, operand: Operand) -> Lowered<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function { id, ty, span } => {
                let pointer = self.types().pointer(ty);
                Ok(Expr::new(ExprKind::Function(id), pointer, span))
            }
            Operand::Place(place) => self.read(place),
        }
    }

    fn read(&mut self, place: Place) -> Lowered<Expr> {
        let ty = place.lvalue.ty;
        let span = place.lvalue.span;
        self.check_supported(ty)?;
        match self.program.types.get(ty).clone() {
            Type::Array { of, .. } => Ok(self.decay(place, of)),
            Type::Function(_) => {
                // `*f` of a function pointer is the function again, which decays to the pointer.
                match place.lvalue {
                    Lvalue { base: Base::Deref(pointer), path, .. } if path.is_empty() => Ok(*pointer),
                    _ => self.fail(span, "a function cannot be part of an object"),
                }
            }
            Type::Void => self.fail(span, "the expression has type `void`, so there is no value"),
            _ if !self.program.types.is_complete(ty) => {
                let name = self.describe(ty);
                self.fail(span, format!("the value of the incomplete type `{name}` is used"))
            }
            _ => {
                let bits = place.bits;
                let volatile = place.is_volatile;
                self.note(Deed::Read(place.lvalue.clone()), span);
                let atomic = self.is_atomic(&place) && self.unevaluated == 0 && !self.constant_only;
                let mut value = Expr::load(place.lvalue);
                if atomic {
                    value = self.atomically(None, span, |this| Ok(this.spill(value)))?;
                } else if volatile && self.unevaluated == 0 && self.program.types.is_scalar(ty) && !self.constant_only {
                    value = self.spill(value);
                }
                match (bits, self.program.types.int_kind(ty)) {
                    (Some(width), Some(kind)) if width < 32 || (width == 32 && kind.is_signed()) => {
                        let int = self.program.types.int(IntKind::Int);
                        Ok(self.convert(value, int, false))
                    }
                    _ => Ok(value),
                }
            }
        }
    }

    /// Whether the object is read and written atomically.
    pub(super) fn is_atomic(&self, place: &Place) -> bool {
        if !self.program.data.threads || place.bits.is_some() || !self.program.types.is_scalar(place.lvalue.ty) {
            return false;
        }
        let in_symbol = matches!(place.lvalue.base, Base::Global(global)
            if self.program.globals[global].kind == GlobalKind::Variable)
            && place.lvalue.path.iter().all(|step| matches!(step, Step::Index(_)));
        place.is_atomic || (!in_symbol && self.may_be_atomic(place.lvalue.ty))
    }

    /// An array as the address of its first element.
    fn decay(&mut self, place: Place, of: TypeId) -> Expr {
        let span = place.lvalue.span;
        let pointer = self.types().intern(Type::Pointer { to: of, to_const: place.is_const });
        let long = self.program.types.int(IntKind::Long);
        let mut lvalue = place.lvalue;
        lvalue.path.push(Step::Index(Expr::int(0, long, span)));
        lvalue.ty = of;
        Expr::new(ExprKind::AddressOf(lvalue), pointer, span)
    }

    /// The object an expression denotes.
    pub(super) fn place(&mut self, node: &Node<Expression>, what: &str) -> Lowered<Place> {
        match self.operand(node)? {
            Operand::Place(place) => Ok(place),
            _ => {
                let span = self.src.span(node.span);
                self.fail(span, format!("{what} needs an object, and this is a value"))
            }
        }
    }

    pub(super) fn identifier(&mut self, node: &Node<Identifier>) -> Lowered<Operand> {
        let span = self.src.span(node.span);
        let name = self.src.name(node);
        match self.names.get(name) {
            Some(Entity::Local(id)) => {
                let local = &self.frame.locals[id];
                let (is_const, is_volatile) = (local.is_const, local.is_volatile);
                let lvalue = Lvalue::local(id, local.ty, span);
                Ok(Operand::Place(Place { is_const, is_volatile, ..Place::new(lvalue) }))
            }
            Some(Entity::Captured(capture)) => self.captured_place(capture, span),
            Some(Entity::Nested(number)) => self.nested_operand(number, span),
            Some(Entity::Enumerator { value, ty }) => Ok(Operand::Value(Expr::int(value, ty, span))),
            Some(Entity::Symbol(id)) => {
                let qual = self.symbol(id).qual;
                if self.program.types.signature(qual.ty).is_some() {
                    let id = self.function_of(id);
                    return Ok(Operand::Function { id, ty: qual.ty, span });
                }
                let global = self.global_of(id);
                Ok(Operand::Place(self.global_place(global, qual, span)))
            }
            Some(Entity::Static { global, is_const, is_volatile }) => {
                let ty = self.program.globals[global].ty;
                let lvalue = Lvalue::global(global, ty, span);
                Ok(Operand::Place(Place { is_const, is_volatile, ..Place::new(lvalue) }))
            }
            Some(Entity::Typedef(_)) => self.fail(span, format!("the type `{name}` stands where a value should")),
            Some(Entity::Parameter) => self.unsupported("a parameter of a prototype used as a value"),
            Some(Entity::Broken) => Err(Stop::Reported),
            Some(Entity::Unsupported(what)) => self.unsupported(what),
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                Ok(self.function_name_operand(span))
            }
            None => {
                if let Some(operand) = self.builtin_function(name, span) {
                    return Ok(operand);
                }
                self.report(Finding::new(Rule::Undeclared, span, format!("`{name}` is not declared")));
                // Said once per function and name is enough.
                self.names.declare(name, Entity::Broken);
                Err(Stop::Reported)
            }
        }
    }

    fn global_place(&mut self, global: ir::GlobalId, qual: Qual, span: Span) -> Place {
        let actual = self.program.globals[global].ty;
        let Qual { is_const, is_volatile, is_atomic, .. } = qual;
        if !self.link.is_extended(global) {
            let lvalue = Lvalue::global(global, qual.ty, span);
            return Place { lvalue, is_const, is_volatile, is_atomic, bits: None };
        }
        // The object is larger than its type says, since a flexible array member was initialised. It is seen through a
        // pointer of the type declared here.
        let pointer = self.types().pointer(actual);
        let address = Expr::new(ExprKind::AddressOf(Lvalue::global(global, actual, span)), pointer, span);
        let declared = self.types().pointer(qual.ty);
        let kind = ExprKind::Convert { value: Box::new(address), explicit: false };
        let address = Expr::new(kind, declared, span);
        let lvalue = Lvalue { base: Base::Deref(Box::new(address)), path: Vec::new(), ty: qual.ty, span };
        Place { lvalue, is_const, is_volatile, is_atomic, bits: None }
    }

    /// What a pointer points to.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Lowered<Operand> {
        let Type::Pointer { to, to_const } = *self.program.types.get(pointer.ty) else {
            let ty = self.describe(pointer.ty);
            return self.fail(span, format!("`*` needs a pointer, and this has type `{ty}`"));
        };
        if let ExprKind::Function(id) = pointer.kind {
            return Ok(Operand::Function { id, ty: to, span });
        }
        // `*&x` is `x`.
        if let ExprKind::AddressOf(lvalue) = pointer.kind {
            if lvalue.ty == to {
                let lvalue = Lvalue { span, ..lvalue };
                return Ok(Operand::Place(Place { is_const: to_const, ..Place::new(lvalue) }));
            }
            let pointer = Expr { kind: ExprKind::AddressOf(lvalue), ..pointer };
            let lvalue = Lvalue { base: Base::Deref(Box::new(pointer)), path: Vec::new(), ty: to, span };
            return Ok(Operand::Place(Place { is_const: to_const, ..Place::new(lvalue) }));
        }
        let lvalue = Lvalue { base: Base::Deref(Box::new(pointer)), path: Vec::new(), ty: to, span };
        Ok(Operand::Place(Place { is_const: to_const, ..Place::new(lvalue) }))
    }

    /// `&operand`.
    pub(super) fn address_of(&mut self, node: &Node<Expression>, span: Span) -> Lowered<Expr> {
        match self.operand(node)? {
            Operand::Value(_) => self.fail(span, "`&` needs an object, and this is a value"),
            Operand::Function { id, ty, .. } => {
                let pointer = self.types().pointer(ty);
                Ok(Expr::new(ExprKind::Function(id), pointer, span))
            }
            Operand::Place(place) => {
                if place.bits.is_some() {
                    return self.fail(span, "a bit-field has no address");
                }
                self.check_supported(place.lvalue.ty)?;
                Ok(self.place_address(place, span))
            }
        }
    }

    pub(super) fn place_address(&mut self, place: Place, span: Span) -> Expr {
        let ty = place.lvalue.ty;
        match place.lvalue {
            // `&*p` is `p`.
            Lvalue { base: Base::Deref(pointer), path, .. } if path.is_empty() => Expr { span, ..*pointer },
            lvalue => {
                let pointer = self.types().intern(Type::Pointer { to: ty, to_const: place.is_const });
                Expr::new(ExprKind::AddressOf(lvalue), pointer, span)
            }
        }
    }

    /// `a.b` and `a->b`.
    pub(super) fn member(&mut self, node: &Node<MemberExpression>) -> Lowered<Operand> {
        let span = self.src.span(node.span);
        let name = node.node.identifier.node.name.as_str();
        let place = match node.node.operator.node {
            MemberOperator::Direct => match self.operand(&node.node.expression)? {
                Operand::Place(place) => place,
                Operand::Value(value) => return self.not_a_record(value.ty, name, span),
                Operand::Function { ty, .. } => return self.not_a_record(ty, name, span),
            },
            MemberOperator::Indirect => {
                let pointer = self.rvalue(&node.node.expression)?;
                let at = pointer.span;
                if !self.program.types.is_pointer(pointer.ty) {
                    let ty = self.describe(pointer.ty);
                    return self
                        .fail(at, format!("`->` needs a pointer to a struct or union, and this has type `{ty}`"));
                }
                match self.deref(pointer, at)? {
                    Operand::Place(place) => place,
                    other => return self.not_a_record(other.qual().ty, name, span),
                }
            }
        };
        self.member_of(place, name, span)
    }

    fn not_a_record<T>(&mut self, ty: TypeId, name: &str, span: Span) -> Lowered<T> {
        self.check_supported(ty)?;
        let ty = self.describe(ty);
        self.fail(span, format!("there is no member `{name}` in `{ty}`, which is no struct or union"))
    }

    pub(super) fn member_of(&mut self, mut place: Place, name: &str, span: Span) -> Lowered<Operand> {
        self.check_supported(place.lvalue.ty)?;
        let Type::Record(record) = *self.program.types.get(place.lvalue.ty) else {
            return self.not_a_record(place.lvalue.ty, name, span);
        };
        if self.program.types.records[record].fields.is_none() {
            let ty = self.describe(place.lvalue.ty);
            return self.fail(span, format!("the incomplete type `{ty}` has no members yet"));
        }
        let Some(path) = self.find_member(record, name) else {
            let ty = self.describe(place.lvalue.ty);
            return self.fail(span, format!("`{ty}` has no member `{name}`"));
        };
        for index in path {
            self.step_into_field(&mut place, index);
        }
        place.lvalue.span = span;
        Ok(Operand::Place(place))
    }

    pub(super) fn step_into_field(&mut self, place: &mut Place, index: u32) {
        if let Some(field) = self.program.types.field(place.lvalue.ty, index) {
            place.is_const |= field.is_const;
            place.bits = field.bits.map(|bits| bits.width);
            place.lvalue.ty = field.ty;
        }
        place.lvalue.path.push(Step::Field(index));
    }

    /// `a[i]`, and `i[a]`.
    pub(super) fn index(&mut self, node: &BinaryOperatorExpression, span: Span) -> Lowered<Operand> {
        // An array object is indexed in place; everything else through a pointer.
        let array_or_value = |this: &mut Self| match this.indexed_operand(&node.lhs)? {
            Operand::Place(place) if matches!(this.program.types.get(place.lvalue.ty), Type::Array { .. }) => {
                Ok(Operand::Place(place))
            }
            other => this.value_of(other).map(Operand::Value),
        };
        let (left, right) = self.in_some_order(
            span,
            array_or_value,
            |this, left, mark| match left {
                Operand::Place(place) => Operand::Place(this.keep_place(place, mark)),
                Operand::Value(value) => Operand::Value(this.keep(value, mark)),
                function => function,
            },
            |this| this.rvalue(&node.rhs),
            Self::keep,
        )?;
        let left = match left {
            Operand::Place(mut place) => {
                let of = self.program.types.element(place.lvalue.ty).unwrap_or(place.lvalue.ty);
                let index = self.index_value(right)?;
                place.lvalue.path.push(Step::Index(index));
                place.lvalue.ty = of;
                place.lvalue.span = span;
                return Ok(Operand::Place(place));
            }
            other => self.value_of(other)?,
        };
        let (pointer, index) = if self.program.types.is_pointer(left.ty) { (left, right) } else { (right, left) };
        if !self.program.types.is_pointer(pointer.ty) {
            self.check_supported(pointer.ty)?;
            let ty = self.describe(pointer.ty);
            return self.fail(span, format!("`[]` needs an array or a pointer, and this has type `{ty}`"));
        }
        let address = self.pointer_add(pointer, index, false, span)?;
        self.deref(address, span)
    }

    /// What is indexed; of a vector, its elements.
    fn indexed_operand(&mut self, node: &Node<Expression>) -> Lowered<Operand> {
        Ok(match self.operand(node)? {
            Operand::Place(place) => Operand::Place(self.elements_place(place)),
            other => other,
        })
    }

    pub(super) fn index_value(&mut self, index: Expr) -> Lowered<Expr> {
        let index = self.require_integer(index, "an index")?;
        let long = self.program.types.int(IntKind::Long);
        Ok(self.convert(index, long, false))
    }

    /// Pointer arithmetic: `p + i`, or `p - i`.
    pub(super) fn pointer_add(&mut self, pointer: Expr, index: Expr, minus: bool, span: Span) -> Lowered<Expr> {
        let to = self.program.types.pointee(pointer.ty);
        if let Some(to) = to {
            self.check_supported(to)?;
            let fine = matches!(self.program.types.get(to), Type::Void | Type::Function(_))
                || self.program.types.is_complete(to);
            if !fine {
                let ty = self.describe(pointer.ty);
                return self.fail(span, format!("arithmetic on `{ty}`, a pointer to an incomplete type"));
            }
        }
        let mut index = self.index_value(index)?;
        if minus {
            index = match index.kind {
                ExprKind::Int(n) if n != i64::MIN as i128 => Expr { kind: ExprKind::Int(-n), ..index },
                _ => {
                    let (ty, at) = (index.ty, index.span);
                    Expr::new(ExprKind::Unary(ir::UnaryOp::Neg, Box::new(index)), ty, at)
                }
            };
        }
        // The arithmetic of the decayed array is that of its elements: `a + 2` is `&a[2]`, but only a constant index
        // that lies in the array may say so, since forming `&a[i]` beyond the end is an error of its own.
        let ty = pointer.ty;
        self.note(Deed::Risk, span);
        let kind = ExprKind::Binary(BinaryOp::PointerAdd, Box::new(pointer), Box::new(index));
        Ok(Expr::new(kind, ty, span))
    }
}
