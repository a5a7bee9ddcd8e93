//! Pointers, the objects they and lvalues lead to, and reading and writing scalars there.
//!
//! An access whose place is known adds to the path that it is within its object: otherwise it would be undefined.

use super::evaluate::{Evaluation, Operation, Value, literal};
use super::number::{Number, Range, Ring};
use super::objects::{CellId, Holds, Owner, Place};
use diagnostics::{Assumption, Span};
use ir::hazards::Hazard;
use ir::{Base, BinaryOp, Expr, IntKind, Length, Lvalue, RecordKind, Step, Type, TypeId};
use smt::TermId;

/// An object, or a part of one, whose value is followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub place: Place,
    /// The number of the element, if the place is inside arrays.
    pub index: Option<TermId>,
}

impl Evaluation<'_, '_> {
    pub(super) fn points_to(&self, place: &Place, pointer: TypeId) -> bool {
        let types = &self.objects.program.types;
        types.pointee(pointer).is_some_and(|to| types.matches(to, place.ty))
    }

    pub(super) fn pointer_add(&mut self, pointer: Value, count: &Number, ty: TypeId, at: Operation) -> Value {
        match pointer {
            Value::Pointer(place, offset) if self.points_to(&place, ty) => {
                let arithmetic = self.objects.arithmetic();
                let offset = arithmetic.of_type(offset, IntKind::Long);
                let (sum, _) = arithmetic.ring(Ring::Add, &offset, count);
                match self.elements(&place).filter(|_| self.objects.outlives_pointers(place.object)) {
                    // The model of an assumed access goes by the access; a pointer that only moves is left alone.
                    Some(elements) if self.is_wanted() => {
                        let inside = self.inside(sum.term, elements, true);
                        self.oblige(Hazard::PointerArithmetic, inside, at, Assumption::InBounds);
                    }
                    _ => self.notes.assume(Assumption::InBounds),
                }
                Value::Pointer(place, sum.term)
            }
            _ => Value::Unknown,
        }
    }

    /// The number of elements that a pointer into the place moves among, if it is known.
    fn elements(&self, place: &Place) -> Option<i64> {
        let extents = self.objects.extents(place)?;
        let count = extents.iter().try_fold(1u64, |product, extent| product.checked_mul((*extent)?))?;
        i64::try_from(count).ok()
    }

    /// That an offset is one of so many elements, or of one past the last.
    fn inside(&self, offset: TermId, elements: i64, past_the_end: bool) -> TermId {
        let (pool, arithmetic) = (self.pool(), self.objects.arithmetic());
        let number = arithmetic.of_type(offset, IntKind::Long);
        let end = arithmetic.literal(i128::from(elements), IntKind::Long);
        let not_before = pool.not(arithmetic.less(&number, &arithmetic.literal(0, IntKind::Long)));
        let not_after =
            if past_the_end { pool.not(arithmetic.less(&end, &number)) } else { arithmetic.less(&number, &end) };
        pool.and(&[not_before, not_after])
    }

    /// Two pointers into one place are subtracted or ordered: neither may be null, or of a dead object.
    pub(super) fn both_inside(&mut self, place: &Place, a: TermId, b: TermId, at: Operation) {
        if self.is_wanted()
            && self.objects.outlives_pointers(place.object)
            && let Some(elements) = self.elements(place)
        {
            let inside = [self.inside(a, elements, true), self.inside(b, elements, true)];
            self.oblige(Hazard::PointerComparison, self.pool().and(&inside), at, Assumption::InBounds);
        }
    }

    pub(super) fn compare_pointers(&mut self, op: BinaryOp, left: &Expr, right: &Expr, expr: &Expr) -> Value {
        let pool = self.pool();
        let (a, b) = (self.value(left), self.value(right));
        let (a, b) = match (a, b) {
            (Value::Pointer(p, a), Value::Pointer(q, b)) if p == q => {
                if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    self.both_inside(&p, a, b, expr.into());
                }
                (a, b)
            }
            (Value::Pointer(_, a), Value::Null) => (a, self.null_offset()),
            (Value::Null, Value::Pointer(_, b)) => (self.null_offset(), b),
            (Value::Null, Value::Null) => (self.null_offset(), self.null_offset()),
            _ => return Value::Truth(self.state.fresh_truth(self.objects)),
        };
        let number = |term| self.objects.arithmetic().of_type(term, IntKind::Long);
        let arithmetic = self.objects.arithmetic();
        Value::Truth(match op {
            BinaryOp::Eq => pool.eq(a, b),
            BinaryOp::Ne => pool.ne(a, b),
            BinaryOp::Lt => arithmetic.less(&number(a), &number(b)),
            BinaryOp::Gt => arithmetic.less(&number(b), &number(a)),
            BinaryOp::Le => pool.not(arithmetic.less(&number(b), &number(a))),
            BinaryOp::Ge => pool.not(arithmetic.less(&number(a), &number(b))),
            _ => self.state.fresh_truth(self.objects),
        })
    }

    /// The object an lvalue designates, which is accessed; `None` if it is not followed.
    pub fn location(&mut self, lvalue: &Lvalue) -> Option<Location> {
        let location = self.designated(lvalue, true);
        // Compilers believe that restricted pointers do not meet: which write a read finds is theirs to say.
        let is_open = self.objects.program.types.has_restricted && matches!(lvalue.base, Base::Deref(_));
        location.filter(|_| !is_open)
    }

    /// The same for an address that is only formed: an index may be one past the last.
    pub(super) fn location_unchecked(&mut self, lvalue: &Lvalue) -> Option<Location> {
        self.designated(lvalue, false)
    }

    fn designated(&mut self, lvalue: &Lvalue, accessed: bool) -> Option<Location> {
        let objects = self.objects;
        let types = &objects.program.types;
        let mut here = match &lvalue.base {
            Base::Local(id) => {
                let object = objects.local(self.frame, *id);
                Some(Location {
                    place: Place { object, fields: Vec::new(), ty: objects.object(object).ty },
                    index: None,
                })
            }
            Base::Global(id) => {
                let object = objects.global(*id);
                Some(Location {
                    place: Place { object, fields: Vec::new(), ty: objects.object(object).ty },
                    index: None,
                })
            }
            Base::Deref(pointer) => self.pointed_to(pointer, accessed || !lvalue.path.is_empty()),
        };
        for (position, step) in lvalue.path.iter().enumerate() {
            match step {
                Step::Field(index) => {
                    if let Some(location) = &mut here {
                        let record = location.place.ty;
                        let is_union = matches!(types.get(record), Type::Record(id) if types.records[*id].kind == RecordKind::Union);
                        match types.field(record, *index).filter(|_| !is_union) {
                            Some(field) => {
                                location.place.fields.push(*index);
                                location.place.ty = field.ty;
                            }
                            None => here = None,
                        }
                    }
                }
                Step::Index(index) => {
                    let index_number = self.number(index);
                    let last = position + 1 == lvalue.path.len();
                    here = here.and_then(|location| self.element(location, &index_number, accessed || !last, index));
                }
            }
        }
        here
    }

    fn pointed_to(&mut self, pointer: &Expr, accessed: bool) -> Option<Location> {
        let (pool, objects) = (self.pool(), self.objects);
        let Value::Pointer(place, offset) = self.value(pointer) else { return None };
        if !self.points_to(&place, pointer.ty) {
            return None;
        }
        let extents = objects.extents(&place)?;
        if accessed {
            let claim = match self.elements(&place) {
                Some(elements) => self.inside(offset, elements, false),
                None => {
                    let number = objects.arithmetic().of_type(offset, IntKind::Long);
                    pool.not(objects.arithmetic().less(&number, &objects.arithmetic().literal(0, IntKind::Long)))
                }
            };
            // Where a pointer may outlive what it points to, or the number of elements is not known, being inside is
            // not all that is asked: the site stays open.
            let known = self.elements(&place).is_some()
                && objects.outlives_pointers(place.object)
                && !objects.is_misplaced(&place);
            if known || !self.is_wanted() {
                self.oblige(Hazard::Access, claim, pointer.into(), Assumption::InBounds);
            } else {
                self.assume(claim);
            }
        }
        Some(Location { place, index: (!extents.is_empty()).then_some(offset) })
    }

    /// The element of the array at a location. `accessed` if its value is used, not only its address.
    fn element(&mut self, at: Location, index: &Number, accessed: bool, written: &Expr) -> Option<Location> {
        let (pool, objects) = (self.pool(), self.objects);
        let arithmetic = objects.arithmetic();
        let Type::Array { of, length } = objects.program.types.get(at.place.ty) else { return None };
        let zero = arithmetic.literal(0, IntKind::Long);
        let not_before = pool.not(arithmetic.less(index, &zero));
        let end = match length {
            Length::Fixed(n) => Some(arithmetic.literal(i128::from(*n), IntKind::Long)),
            // The length is a variable of the function in whose frame the array is.
            Length::Variable(local) => match objects.object(at.place.object).owner {
                Owner::Local(frame, _) => objects.cell_of(objects.local(frame, *local), &[]).map(|cell| {
                    let term = self.state.get(objects, cell);
                    arithmetic.convert(&arithmetic.of_type(term, IntKind::ULong), IntKind::Long)
                }),
                Owner::Global(_) => None,
            },
            Length::Unknown => None,
        };
        match &end {
            Some(end) if accessed => {
                let claim = pool.and(&[not_before, arithmetic.less(index, end)]);
                self.oblige(Hazard::Index, claim, written.into(), Assumption::InBounds);
            }
            // The address of the element past the last may be formed.
            Some(end) if self.is_wanted() => {
                let claim = pool.and(&[not_before, pool.not(arithmetic.less(end, index))]);
                self.oblige(Hazard::Index, claim, written.into(), Assumption::InBounds);
            }
            None if accessed && !self.is_wanted() => {
                self.oblige(Hazard::Index, not_before, written.into(), Assumption::InBounds)
            }
            // An array of which no length is known: the site stays open.
            None if accessed => self.assume(not_before),
            _ => {}
        }
        let flat = match (at.index, length) {
            (None, _) => index.term,
            (Some(outer), Length::Fixed(n)) => {
                let length = arithmetic.literal(i128::from(*n), IntKind::Long);
                let outer = arithmetic.of_type(outer, IntKind::Long);
                let (start, _) = arithmetic.ring(Ring::Mul, &outer, &length);
                arithmetic.ring(Ring::Add, &start, index).0.term
            }
            (Some(_), _) => return None,
        };
        Some(Location { place: Place { ty: *of, ..at.place }, index: Some(flat) })
    }

    fn cell_at(&self, location: &Location) -> Option<CellId> {
        self.objects.cell_of(location.place.object, &location.place.fields)
    }

    /// The scalar at a location.
    pub fn read(&mut self, location: &Location, span: Span) -> Value {
        let objects = self.objects;
        let Some(cell) = self.cell_at(location) else {
            let object = objects.object(location.place.object);
            if !object.uncertain && !objects.program.types.is_pointer(location.place.ty) {
                self.notes.obstacle(format!("the value of a part of `{}` is not followed", object.name), span);
            }
            return self.fresh_value(location.place.ty, "unknown");
        };
        let array = self.state.get(objects, cell);
        let about = objects.cell(cell);
        let term = match location.index {
            Some(index) => {
                let term = self.pool().select(array, index);
                if let Some(assume) = objects.type_fact(term, about.holds)
                    && !self.pool().op(term).is_literal()
                {
                    self.assume(assume);
                }
                term
            }
            None => array,
        };
        match about.holds {
            Holds::Int(kind, width) => {
                let range = width.map_or(Range::of(kind), |width| Range::of_bits(width, kind.is_signed()));
                let range = literal(self.pool(), term).map_or(range, Range::point);
                Value::Number(Number { term, kind, range })
            }
            Holds::Float(_) => {
                self.note_reals();
                Value::Float(term)
            }
            Holds::Pointer => match objects.places.get(&cell) {
                Some(place) => Value::Pointer(place.clone(), term),
                None => Value::Unknown,
            },
        }
    }

    /// Puts a scalar there.
    pub fn write(&mut self, location: &Location, value: &Value) {
        let (objects, pool) = (self.objects, self.pool());
        let Some(cell) = self.cell_at(location) else { return };
        let about = objects.cell(cell);
        let arithmetic = objects.arithmetic();
        let term = match (about.holds, value) {
            (Holds::Int(kind, width), Value::Number(number)) => {
                debug_assert_eq!(kind, number.kind, "a value should be converted before it is stored");
                Some(width.map_or(number.term, |width| arithmetic.cut_to(number, width).term))
            }
            (Holds::Int(kind, width), Value::Truth(condition)) => {
                let number = arithmetic.from_truth(*condition, kind);
                Some(width.map_or(number.term, |width| arithmetic.cut_to(&number, width).term))
            }
            (Holds::Float(_), Value::Float(term)) => Some(*term),
            (Holds::Pointer, Value::Pointer(place, offset)) if objects.places.get(&cell) == Some(place) => {
                Some(*offset)
            }
            (Holds::Pointer, Value::Null) => Some(self.null_offset()),
            _ => None,
        };
        match (location.index, term) {
            (None, Some(term)) => self.state.set(cell, term),
            (None, None) => self.state.forget(cell),
            (Some(index), term) => {
                let array = self.state.get(objects, cell);
                let element = term.unwrap_or_else(|| {
                    let sort = objects.leaf_sort(about.holds);
                    self.state.fresh(objects, "unknown", sort, Some(about.holds))
                });
                self.state.set(cell, pool.store(array, index, element));
            }
        }
    }
}
