//! Accesses that need a look at the type of the object: those through pointers that were converted from another type.
//!
//! *Question*: is an object accessed as a type that its own allows (6.5p7)? Checking each access would cost much, and nearly
//! all go through pointers that were never anything else. So a pointer counts as *changed* if it is converted from a
//! pointer to another type than `void`, or comes from a variable that was assigned such a pointer, or from a
//! parameter that some call in the program passes one for. *Missed*: what goes through memory, calls through pointers and
//! results of functions; objects on the heap, whose type is that of the last store.

use super::super::bytecode::Op;
use super::Compiler;
use super::place::Place;
use ir::{
    Base, BinaryOp, Block, Callee, EntitySet, Expr, ExprKind, FunctionId, IntKind, LocalId, Lvalue, Program, StmtKind,
    Type, TypeId, Types,
};
use std::collections::HashMap;

/// The parameters for which some call passes a pointer that was changed.
pub(in super::super) type ChangedParameters = HashMap<FunctionId, EntitySet<LocalId>>;

/// Whether values are read and written one character at a time through such a type, which is always allowed.
fn is_character(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar))
}

/// Whether a pointer was changed, as far as the expression and the changed variables say.
fn is_changed(types: &Types, pointer: &Expr, changed: &EntitySet<LocalId>) -> bool {
    match &pointer.kind {
        ExprKind::Convert { value, .. } => match (types.pointee(value.ty), types.pointee(pointer.ty)) {
            (Some(from), Some(to)) => {
                let anything = |ty| matches!(types.get(ty), Type::Void) || is_character(types, ty);
                let void = matches!(types.get(from), Type::Void);
                let differs = !types.matches(from, to) && !void && !anything(to);
                // What becomes a pointer to anything may become one to another type.
                differs || anything(to) && !anything(from) || is_changed(types, value, changed)
            }
            _ => false,
        },
        ExprKind::Load(lvalue) => lvalue.as_local().is_some_and(|local| changed.contains(local)),
        ExprKind::AddressOf(Lvalue { base: Base::Deref(inner), .. }) => is_changed(types, inner, changed),
        ExprKind::Binary(BinaryOp::PointerAdd, base, _) => is_changed(types, base, changed),
        ExprKind::Conditional(_, a, b) => is_changed(types, a, changed) || is_changed(types, b, changed),
        _ => false,
    }
}

/// Adds the variables that are assigned changed pointers.
fn spread(types: &Types, body: &Block, changed: &mut EntitySet<LocalId>) {
    loop {
        let mut more = false;
        body.walk(&mut |stmt| {
            if let StmtKind::Assign { target, value } = &stmt.kind
                && let Some(local) = target.as_local()
                && types.is_pointer(target.ty)
                && is_changed(types, value, changed)
            {
                more |= changed.insert(local);
            }
        });
        if !more {
            return;
        }
    }
}

/// The parameters of all functions for which calls pass changed pointers; one step, as calls are written.
pub(in super::super) fn changed_parameters(program: &Program) -> ChangedParameters {
    let mut parameters = ChangedParameters::new();
    for (_, _, body) in program.defined_functions() {
        let mut changed = EntitySet::new();
        spread(&program.types, body, &mut changed);
        body.walk(&mut |stmt| {
            let StmtKind::Call { callee: Callee::Function(callee), args, .. } = &stmt.kind else { return };
            for (param, arg) in program.functions[*callee].params.iter().zip(args) {
                if is_changed(&program.types, arg, &changed) {
                    parameters.entry(*callee).or_default().insert(*param);
                }
            }
        });
    }
    parameters
}

impl Compiler<'_> {
    /// The variables of the function that may hold changed pointers; nothing where types are not judged.
    pub(super) fn changed_pointers(&self, body: &Block) -> Option<EntitySet<LocalId>> {
        if !self.image.is_strict() || !self.program.data.strict_aliasing {
            return None;
        }
        let mut changed = self.image.changed_parameters(self.id).cloned().unwrap_or_default();
        spread(self.types, body, &mut changed);
        Some(changed)
    }

    /// Where a scalar is that is read or written, with a look at the type of its object where that may be another.
    pub(super) fn accessed(&mut self, lvalue: &Lvalue) -> Place {
        let place = self.place(lvalue, false);
        if let Some(changed) = &self.changed
            && let Base::Deref(pointer) = &lvalue.base
            && !place.is_bit_field()
            && !is_character(self.types, lvalue.ty)
            && is_changed(self.types, pointer, changed)
        {
            let address = self.address(&place, lvalue.span);
            self.emit(Op::CheckType(address, lvalue.ty), lvalue.span);
        }
        place
    }
}

/// Whether the object of type `whole` has, so many bytes from its start, a part that may be accessed as a scalar of type
/// `access`. Bit-fields and pointers are not told apart.
pub(in super::super) fn allows(types: &Types, whole: TypeId, offset: u64, access: TypeId) -> bool {
    match types.get(whole) {
        Type::Array { of, .. } => match types.size_of(*of) {
            Some(size) if size > 0 => allows(types, *of, offset % size, access),
            _ => true,
        },
        Type::Record(id) => {
            let fields = types.records[*id].fields.as_deref().unwrap_or_default();
            fields.iter().any(|field| {
                let size = types.size_of(field.ty).unwrap_or(u64::MAX);
                // A flexible array has no size of its own.
                let within = offset >= field.offset && (size == 0 || offset - field.offset < size);
                field.bits.is_some() || within && allows(types, field.ty, offset - field.offset, access)
            })
        }
        Type::Int(declared) => {
            // `long` and `long long` are two types of one size, which C keeps apart and programs do not.
            offset == 0 && matches!(types.get(access), Type::Int(kind) if kind.bytes() == declared.bytes())
        }
        Type::Float(declared) => offset == 0 && matches!(types.get(access), Type::Float(kind) if kind == declared),
        Type::Pointer { .. } => offset == 0 && matches!(types.get(access), Type::Pointer { .. }),
        Type::Void | Type::Function(_) => true,
    }
}
