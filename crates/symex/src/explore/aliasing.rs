//! Objects that are written as one type and read as another.
//!
//! *Question*: does the program read an object as C lets it (C17 6.5p7)? Optimisers believe so, and put a read before a write
//! that is of another type: after `*(long *)p = 1; *(long long *)q = 2` with `p == q` the compiled program may find 1.
//!
//! *Departures*: what counts is as what the bytes were *last written*, for declared objects as well as for those of the heap.
//! That is how compilers understand the rule, and it leaves alone who uses an array of characters as storage. Members of two
//! records disagree unless the one record is part of the other. Accesses through a union, and copies of bytes, agree with
//! everything.
//!
//! *Guarantee*: a path on which nothing was noted reads scalars as what they were written as. *May miss*: parameters that are
//! read as something else, and objects that hold their initial value.

use super::access::Place;
use super::memory::Stored;
use super::state::Loss;
use super::step::Step;
use ir::{Base, Expr, ExprKind, InitValue, Lvalue, Program, RecordId, RecordKind, Step as Part, Type, TypeId, Types};
use std::collections::BTreeSet;

/// Whether some pointer is converted so that an object may be read as another type than it was written as. Most programs have
/// none, and nothing is noted in them.
pub fn may_pun(program: &Program) -> bool {
    if !program.data.strict_aliasing {
        return false;
    }
    let types = &program.types;
    // What is made of pointers that say nothing about what they lead to, and what these are made of.
    let (mut sides, mut found) = (BTreeSet::new(), false);
    let mut look = |expr: &Expr| {
        expr.walk(&mut |part| {
            let ExprKind::Convert { value, .. } = &part.kind else { return };
            match (told(types, value.ty), told(types, part.ty)) {
                (Some(from), Some(to)) => found |= !agree(types, from, to),
                (None, Some(one)) | (Some(one), None) if types.is_pointer(part.ty) || types.is_pointer(value.ty) => {
                    sides.insert(one);
                }
                _ => {}
            }
        });
    };
    for global in program.globals.values() {
        for item in global.init.iter().flat_map(|init| &init.items) {
            if let InitValue::Expr(value) = &item.value {
                look(value);
            }
        }
    }
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        body.walk(&mut |stmt| stmt.exprs().into_iter().for_each(&mut look));
    }
    found || sides.iter().any(|a| sides.range(a..).any(|b| !agree(types, *a, *b)))
}

/// What a pointer says that it leads to: nothing, if it leads to `void`, to characters or to a function.
fn told(types: &Types, pointer: TypeId) -> Option<TypeId> {
    let to = types.innermost(types.pointee(pointer)?);
    match types.get(to) {
        Type::Void | Type::Function(_) => None,
        Type::Int(kind) if is_character(*kind) => None,
        _ => Some(to),
    }
}

fn is_character(kind: ir::IntKind) -> bool {
    kind.bits() == 8
}

/// Whether an object that was written as one of the types may be read as the other.
fn agree(types: &Types, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (types.innermost(a), types.innermost(b));
    match (types.get(a), types.get(b)) {
        _ if types.matches(a, b) => true,
        (Type::Int(kind), _) | (_, Type::Int(kind)) if is_character(*kind) => true,
        (Type::Int(x), Type::Int(y)) => x.to_unsigned() == y.to_unsigned(),
        (Type::Pointer { .. }, Type::Pointer { .. }) => match (told(types, a), told(types, b)) {
            (Some(x), Some(y)) => agree(types, x, y),
            _ => true,
        },
        (Type::Record(x), _) if contains(types, *x, b) => true,
        (_, Type::Record(y)) => contains(types, *y, a),
        _ => false,
    }
}

/// Whether a type is that of a member of a record, however deep.
fn contains(types: &Types, record: RecordId, ty: TypeId) -> bool {
    types.records[record].fields.iter().flatten().any(|field| {
        let inner = types.innermost(field.ty);
        types.matches(inner, ty)
            || match types.get(inner) {
                Type::Record(inner) => contains(types, *inner, ty),
                Type::Int(x) => types.int_kind(ty).is_some_and(|y| x.to_unsigned() == y.to_unsigned()),
                _ => false,
            }
    })
}

impl Step<'_, '_> {
    /// What an access names: the scalar, and what it is part of. Nothing, if it agrees with all others.
    fn named(&self, lvalue: &Lvalue) -> Option<Stored> {
        let types = &self.engine.program.types;
        let mut ty = match &lvalue.base {
            Base::Local(id) => self.engine.program.functions[self.state.frame().function].locals[*id].ty,
            Base::Global(id) => self.engine.program.globals[*id].ty,
            Base::Deref(pointer) => types.pointee(pointer.ty)?,
        };
        let whole = types.innermost(ty);
        for part in &lvalue.path {
            if let Type::Record(record) = types.get(ty)
                && types.records[*record].kind == RecordKind::Union
            {
                return None;
            }
            ty = match part {
                Part::Field(index) => types.field(ty, *index)?.ty,
                Part::Index(_) => types.element(ty)?,
            };
        }
        let is_character = types.int_kind(ty).is_some_and(is_character);
        let size = types.size_of(ty)?;
        (!is_character && types.is_scalar(ty)).then_some(Stored { size, scalar: ty, whole })
    }

    /// Notes as what a scalar is written.
    pub fn written_as(&mut self, lvalue: &Lvalue, place: &Place) {
        if !self.engine.puns || place.bits.is_some() || place.offset.open.is_some() {
            return;
        }
        if let (Some(stored), Ok(at)) = (self.named(lvalue), u64::try_from(place.offset.known)) {
            self.state.memory.get_mut(place.object).note_stored(at, stored);
        }
    }

    /// Notes that a scalar is read as another type than it was written as.
    pub fn read_as(&mut self, lvalue: &Lvalue, place: &Place) {
        if !self.engine.puns || place.bits.is_some() {
            return;
        }
        let Some(read) = self.named(lvalue) else { return };
        let program = self.engine.program;
        let types = &program.types;
        let (at, size) = match (place.offset.open, u64::try_from(place.offset.known)) {
            (None, Ok(at)) => (at, read.size),
            _ => (0, u64::MAX),
        };
        let object = self.state.memory.get(place.object);
        let other = object
            .stored_in(at, size)
            .map(|(_, stored)| stored)
            .find(|stored| !agree(types, stored.scalar, read.scalar) || !parts_agree(types, stored.whole, read.whole));
        if let Some(other) = other {
            let name = |stored: &Stored| {
                let ty = if types.matches(stored.scalar, read.scalar) { stored.whole } else { stored.scalar };
                ir::c_type(program, None, ty)
            };
            let what = format!("an object that is written as `{}` and read as `{}`", name(&other), name(&read));
            self.engine.lose(Loss::Unsupported { what }, self.span);
        }
    }
}

/// Whether scalars that agree may be one, if they are named as parts of these. A scalar that is named alone may be part of
/// anything.
fn parts_agree(types: &Types, a: TypeId, b: TypeId) -> bool {
    let is_record = |ty| matches!(types.get(ty), Type::Record(_));
    !is_record(a) || !is_record(b) || agree(types, a, b)
}
