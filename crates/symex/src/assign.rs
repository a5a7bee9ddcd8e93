//! What statements without control flow do to the state: scalars, and whole records and arrays.

use super::access::Location;
use super::evaluate::{Evaluation, Value};
use super::number::Ring;
use super::objects::{CellId, Holds};
use ir::hazards::Hazard;
use ir::{Base, Expr, IntKind, Lvalue};
use smt::TermId;

/// How many elements are copied or cleared one by one where a part of an array is meant.
const ELEMENT_LIMIT: u64 = 64;

impl Evaluation<'_, '_> {
    /// `target = value`.
    pub fn assign(&mut self, target: &Lvalue, value: &Expr) {
        if self.objects.program.types.is_scalar(target.ty) {
            let value = self.value(value);
            self.assign_value(target, &value);
            return;
        }
        let source = self.source(value);
        match self.target(target) {
            Some(location) => copy_object(self, &location, source.as_ref()),
            None => self.write_somewhere(target),
        }
    }

    /// The same with a value that has been computed.
    pub fn assign_value(&mut self, target: &Lvalue, value: &Value) {
        match self.target(target) {
            Some(location) => self.write(&location, value),
            None => self.write_somewhere(target),
        }
    }

    /// The object that is written. What must hold where a constant object is written through a pointer is not known.
    pub fn target(&mut self, target: &Lvalue) -> Option<Location> {
        let location = self.location(target)?;
        if let Base::Deref(pointer) = &target.base
            && self.objects.is_constant(location.place.object)
        {
            self.reopen(Hazard::Access, pointer.as_ref().into());
        }
        Some(location)
    }

    /// A write whose place is not known.
    fn write_somewhere(&mut self, target: &Lvalue) {
        if matches!(target.base, Base::Deref(_)) {
            self.notes.obstacle("a write through a pointer that is not followed", target.span);
            self.state.forget_exposed(self.objects);
        }
        // Otherwise it is a member of a union, which has no cell, in an object that is named.
    }

    pub fn zero(&mut self, target: &Lvalue) {
        match self.target(target) {
            Some(location) => zero_object(self, &location),
            None => self.write_somewhere(target),
        }
    }

    /// The cells below a location, each with the number of its elements there (`None` if unknown or infinite).
    fn parts(&self, at: &Location) -> Vec<(CellId, Option<u64>)> {
        let objects = self.objects;
        let around = if at.index.is_some() { objects.extents(&at.place).map_or(0, |extents| extents.len()) } else { 0 };
        let cells = objects.cells_below(at.place.object, &at.place.fields);
        let count = |cell: CellId| {
            let inner = &objects.cell(cell).extents[around.min(objects.cell(cell).extents.len())..];
            inner.iter().try_fold(1u64, |product, extent| product.checked_mul((*extent)?))
        };
        cells.into_iter().map(|cell| (cell, count(cell))).collect()
    }

    /// The number of element `position` among the `count` elements at a location.
    fn nth(&self, index: TermId, count: u64, position: u64) -> TermId {
        let arithmetic = self.objects.arithmetic();
        let literal = |value: u64| arithmetic.literal(i128::from(value), IntKind::Long);
        let (start, _) = arithmetic.ring(Ring::Mul, &arithmetic.of_type(index, IntKind::Long), &literal(count));
        arithmetic.ring(Ring::Add, &start, &literal(position)).0.term
    }

    fn zero_term(&self, holds: Holds) -> TermId {
        match holds {
            Holds::Int(kind, _) => self.objects.arithmetic().literal(0, kind).term,
            Holds::Float(kind) => self.objects.floating().zero(kind),
            Holds::Pointer => self.null_offset(),
        }
    }
}

/// Copies a record or array; from an unknown source if there is none.
pub fn copy_object(evaluation: &mut Evaluation<'_, '_>, to: &Location, from: Option<&Location>) {
    let objects = evaluation.objects;
    let parts = evaluation.parts(to);
    let mut values: Vec<(CellId, Option<TermId>)> = Vec::new();
    for (cell, count) in parts {
        let about = objects.cell(cell);
        let rest = &about.fields[to.place.fields.len()..];
        let source = from.and_then(|from| {
            let fields: Vec<u32> = from.place.fields.iter().chain(rest).copied().collect();
            let source = objects.cell_of(from.place.object, &fields)?;
            let same_pointer = objects.places.get(&source) == objects.places.get(&cell);
            (objects.cell(source).holds == about.holds && same_pointer).then_some((source, from.index))
        });
        let Some((source, source_index)) = source else {
            values.push((cell, None));
            continue;
        };
        let source_term = evaluation.state.get(objects, source);
        let source_is_array = !objects.cell(source).extents.is_empty();
        let value = match (to.index, source_index, count) {
            (None, None, _) => Some(source_term),
            (to_index, from_index, Some(count)) if count <= ELEMENT_LIMIT => {
                let pool = &objects.pool;
                let to_is_array = !about.extents.is_empty();
                let mut array = evaluation.state.get(objects, cell);
                for position in 0..count {
                    let place = |index: Option<TermId>| match index {
                        Some(index) => evaluation.nth(index, count, position),
                        None => objects.arithmetic().literal(i128::from(position), IntKind::Long).term,
                    };
                    let element =
                        if source_is_array { pool.select(source_term, place(from_index)) } else { source_term };
                    array = if to_is_array { pool.store(array, place(to_index), element) } else { element };
                }
                Some(array)
            }
            _ => None,
        };
        values.push((cell, value));
    }
    // All reads come before all writes: the two objects may be parts of one array.
    for (cell, value) in values {
        match value {
            Some(term) => evaluation.state.set(cell, term),
            None => evaluation.state.forget(cell),
        }
    }
}

/// Sets everything at a location to zero.
pub fn zero_object(evaluation: &mut Evaluation<'_, '_>, at: &Location) {
    let objects = evaluation.objects;
    for (cell, count) in evaluation.parts(at) {
        let about = objects.cell(cell);
        let zero = evaluation.zero_term(about.holds);
        let pool = &objects.pool;
        let value = match (at.index, count) {
            (None, _) if about.extents.is_empty() => Some(zero),
            (None, _) => Some(pool.const_array(pool.sort_of(about.symbol), zero)),
            (Some(index), Some(count)) if count <= ELEMENT_LIMIT => {
                let mut array = evaluation.state.get(objects, cell);
                for position in 0..count {
                    array = pool.store(array, evaluation.nth(index, count, position), zero);
                }
                Some(array)
            }
            _ => None,
        };
        match value {
            Some(term) => evaluation.state.set(cell, term),
            None => evaluation.state.forget(cell),
        }
    }
}
