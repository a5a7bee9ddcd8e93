//! Values made of several numbers: vectors and complex numbers.
//!
//! In the program model such a type is a record, and an operation is written out on its parts. So nothing above the front
//! end has to know of it: copying, passing, storing and looking at the bytes is what it is for any record. What the
//! operations mean is in [`super::vector`] and [`super::complex`].

use super::{Lowered, Lowerer};
use diagnostics::Span;
use hashbrown::HashMap;
use ir::layout::Member;
use ir::{
    Expr, ExprKind, IntKind, LocalId, Lvalue, Packing, Record, RecordId, RecordKind, Step, StmtKind, Type, TypeId,
};

/// What a record of parts stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tuple {
    /// `count` numbers of the type `of`.
    Vector { of: TypeId, count: u64 },
    /// The real part, then the imaginary one.
    Complex { of: TypeId },
}

/// The tuple types of a unit.
#[derive(Default)]
pub struct Tuples {
    types: HashMap<Tuple, TypeId>,
    meanings: HashMap<RecordId, Tuple>,
    /// The parts of values that were made where nothing can be emitted: in static initialisers.
    constants: HashMap<LocalId, Vec<Expr>>,
}

impl Lowerer<'_, '_> {
    /// The record that stands for a tuple.
    pub(super) fn tuple_type(&mut self, tuple: Tuple) -> TypeId {
        if let Some(&known) = self.tuples.types.get(&tuple) {
            return known;
        }
        let of = match tuple {
            Tuple::Vector { of, .. } | Tuple::Complex { of } => of,
        };
        let name = ir::print_type(self.program, None, of);
        let (name, members, align) = match tuple {
            Tuple::Vector { of, count } => {
                let bytes = self.program.types.size_of(of).unwrap_or(1) * count;
                let array = self.types().array(of, count);
                (format!(".vector of {count} {name}"), vec![Member::plain("elements", array)], bytes)
            }
            Tuple::Complex { of } => {
                (format!(".complex {name}"), vec![Member::plain("real", of), Member::plain("imaginary", of)], 1)
            }
        };
        let record = self.program.types.records.push(Record::declared(RecordKind::Struct, name, Span::NONE));
        self.types().define_record(record, members, Packing::Natural, align);
        let ty = self.types().intern(Type::Record(record));
        self.tuples.types.insert(tuple, ty);
        self.tuples.meanings.insert(record, tuple);
        ty
    }

    /// The variables of one function are numbered as those of another are.
    pub(super) fn forget_constants(&mut self) {
        self.tuples.constants.clear();
    }

    /// What a type stands for, if it is tuple.
    pub(super) fn tuple(&self, ty: TypeId) -> Option<Tuple> {
        match self.program.types.get(ty) {
            Type::Record(record) => self.tuples.meanings.get(record).copied(),
            _ => None,
        }
    }

    /// The parts of a value, each of which may be used once or more: they read an object and compute nothing.
    pub(super) fn parts(&mut self, value: Expr) -> Lowered<Vec<Expr>> {
        let span = value.span;
        let ExprKind::Load(lvalue) = value.kind else { return self.fail(span, "a value of this type is an object") };
        if let Some(parts) = lvalue.as_local().and_then(|local| self.tuples.constants.get(&local)) {
            return Ok(parts.clone());
        }
        let Some(tuple) = self.tuple(value.ty) else { return self.fail(span, "a value without parts") };
        let count = match tuple {
            Tuple::Vector { count, .. } => count,
            Tuple::Complex { .. } => 2,
        };
        Ok((0..count).map(|index| Expr::load(self.part(&lvalue, tuple, index, span))).collect())
    }

    /// The object that is one part of another.
    pub(super) fn part(&mut self, whole: &Lvalue, tuple: Tuple, index: u64, span: Span) -> Lvalue {
        let mut lvalue = whole.clone();
        match tuple {
            Tuple::Vector { of, .. } => {
                let long = self.program.types.int(IntKind::Long);
                lvalue.path.push(Step::Field(0));
                lvalue.path.push(Step::Index(Expr::int(index as i128, long, span)));
                lvalue.ty = of;
            }
            Tuple::Complex { of } => {
                lvalue.path.push(Step::Field(index as u32));
                lvalue.ty = of;
            }
        }
        lvalue.span = span;
        lvalue
    }

    /// The value that has these parts, which must have the type of a part.
    pub(super) fn assembled(&mut self, tuple: Tuple, parts: Vec<Expr>, span: Span) -> Expr {
        let ty = self.tuple_type(tuple);
        let local = self.temporary(ty, span);
        let target = Lvalue::local(local, ty, span);
        if self.constant_only || self.names.at_file_scope() {
            self.tuples.constants.insert(local, parts);
            return Expr::load(target);
        }
        for (index, value) in parts.into_iter().enumerate() {
            let target = self.part(&target, tuple, index as u64, span);
            self.emit(StmtKind::Assign { target, value }, span);
        }
        Expr::load(target)
    }

    /// A conversion as if by assignment between tuples, or to or from one; `None` where neither type is.
    pub(super) fn tuple_convert(&mut self, value: &Expr, to: TypeId) -> Lowered<Option<Expr>> {
        let span = value.span;
        match (self.tuple(value.ty), self.tuple(to)) {
            (None, None) => Ok(None),
            (from, Some(Tuple::Complex { of })) if !matches!(from, Some(Tuple::Vector { .. })) => {
                let parts = self.complex_parts(value.clone())?;
                let parts = parts.map(|part| self.convert(part, of, false));
                Ok(Some(self.assembled(Tuple::Complex { of }, parts.to_vec(), span)))
            }
            (Some(Tuple::Complex { .. }), None) if self.program.types.int_kind(to) == Some(IntKind::Bool) => {
                let truth = self.complex_truth(value.clone())?;
                Ok(Some(self.convert(truth, to, false)))
            }
            (Some(Tuple::Complex { .. }), None) if self.program.types.is_arithmetic(to) => {
                let [real, _] = self.complex_parts(value.clone())?;
                Ok(Some(self.convert(real, to, false)))
            }
            _ => Ok(None),
        }
    }
}
