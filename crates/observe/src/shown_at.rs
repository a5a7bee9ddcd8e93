//! Which arrays a location shows, as values of its trace statement.
//!
//! A trace point shows the arrays and pointers among its arguments. Other places show the arrays that a reader sees
//! there: parameters and variables, globals that the function speaks of, and the constant tables that it or a function
//! it calls looks something up in.

use super::locations::ShownArray;
use diagnostics::Span;
use ir::{
    Base, CallGraph, Expr, ExprKind, Function, FunctionId, GlobalId, GlobalKind, IntKind, Length, LocalId, Lvalue,
    Program, Step, TracePoint, Type, TypeId,
};
use std::collections::BTreeSet;

/// A copy of the program that has a type of pointers to the elements of every array.
pub(super) fn with_pointers(program: &Program) -> Program {
    let mut copy = program.clone();
    let elements: Vec<TypeId> = program.types.iter().filter_map(|(id, _)| program.types.element(id)).collect();
    for element in elements {
        copy.types.intern(Type::Pointer { to: element, to_const: false });
    }
    copy
}

/// Elements of a table that lookups go through.
const LARGEST_TABLE: u64 = 1 << 16;

/// The arrays of a place of a function: those of a trace point, or those that can be seen. `assigned` are the locals
/// that certainly have a value, `declared` all that are visible.
pub(super) fn shown(
    program: &Program,
    function: FunctionId,
    point: Option<&TracePoint>,
    assigned: &[LocalId],
    declared: &[LocalId],
    span: Span,
) -> Vec<(ShownArray, Expr)> {
    let body = &program.functions[function];
    let mut arrays: Vec<(ShownArray, Expr)> = Vec::new();
    let mut add = |name: &str, is_constant: bool, value: Expr| {
        if holds_numbers(program, value.ty) && arrays.iter().all(|(array, _)| array.name != name) {
            arrays.push((ShownArray { name: name.to_string(), is_constant }, value));
        }
    };
    match point {
        Some(point) => {
            for (name, value) in &point.values {
                add(name, false, value.clone());
            }
        }
        None => {
            for &local in declared {
                let about = &body.locals[local];
                if about.name.is_empty() || about.is_volatile {
                    continue;
                }
                if let Some(first) = first_element(program, Lvalue::local(local, about.ty, span)) {
                    add(&about.name, about.is_const, first);
                } else if assigned.contains(&local) && program.types.is_pointer(about.ty) {
                    add(&about.name, false, Expr::load(Lvalue::local(local, about.ty, span)));
                }
            }
        }
    }
    for global in spoken_of(program, function) {
        let about = &program.globals[global];
        let hidden = body.locals.values().any(|local| local.name == about.name);
        let small = program.types.size_of(about.ty).is_some_and(|size| size <= LARGEST_TABLE * 8);
        if hidden || about.is_volatile || about.init.is_none() || !small || point.is_some() && !about.is_const {
            continue;
        }
        if let Some(first) = first_element(program, Lvalue::global(global, about.ty, span)) {
            add(&about.name, about.is_const, first);
        }
    }
    arrays
}

/// The lengths of variable arrays inside what is shown, as further values of the trace statement.
pub(super) fn lengths(program: &Program, body: &Function, arrays: &[(ShownArray, Expr)]) -> Vec<(String, Expr)> {
    let mut lengths: Vec<LocalId> = Vec::new();
    for (_, value) in arrays {
        let mut ty = program.types.pointee(value.ty);
        // The outermost length of an array that is no pointer.
        if let ExprKind::AddressOf(Lvalue { base: Base::Local(local), path, .. }) = &value.kind
            && path.len() == 1
            && let Type::Array { length: Length::Variable(length), .. } = program.types.get(body.locals[*local].ty)
        {
            lengths.push(*length);
        }
        while let Some(Type::Array { of, length }) = ty.map(|ty| program.types.get(ty)) {
            if let Length::Variable(local) = length {
                lengths.push(*local);
            }
            ty = Some(*of);
        }
    }
    lengths.sort_unstable();
    lengths.dedup();
    let value = |local: LocalId| {
        let ty = body.locals[local].ty;
        (format!("{LENGTH}{}", ir::EntityRef::index(local)), Expr::load(Lvalue::local(local, ty, body.span)))
    };
    lengths.into_iter().map(value).collect()
}

/// No variable has such a name.
const LENGTH: &str = "length of ";

/// Whether a value of a trace statement is there for the length of an array only.
pub(super) fn is_length(name: &str) -> bool {
    name.starts_with(LENGTH)
}

/// An array as the address of its first element; `None` for what is no array.
fn first_element(program: &Program, array: Lvalue) -> Option<Expr> {
    let Type::Array { of, .. } = *program.types.get(array.ty) else { return None };
    let span = array.span;
    let pointer = program.types.iter().find(|(_, ty)| **ty == Type::Pointer { to: of, to_const: false })?.0;
    let long = program.types.int(IntKind::Long);
    let mut path = array.path;
    path.push(Step::Index(Expr::int(0, long, span)));
    Some(Expr::new(ExprKind::AddressOf(Lvalue { path, ty: of, ..array }), pointer, span))
}

/// Whether a pointer leads to numbers, or to arrays of numbers.
fn holds_numbers(program: &Program, ty: TypeId) -> bool {
    let Some(mut ty) = program.types.pointee(ty) else { return false };
    while let Type::Array { of, .. } = program.types.get(ty) {
        ty = *of;
    }
    program.types.is_arithmetic(ty)
}

/// The globals that a function speaks of, and the constant ones that functions it calls do.
fn spoken_of(program: &Program, function: FunctionId) -> Vec<GlobalId> {
    let mut found = BTreeSet::new();
    let reachable = CallGraph::new(program).reachable(function);
    for id in std::iter::once(function).chain(reachable) {
        let Some(body) = &program.functions[id].body else { continue };
        body.walk(&mut |stmt| {
            let mut note = |lvalue: &Lvalue| {
                if let Base::Global(global) = lvalue.base
                    && matches!(program.globals[global].kind, GlobalKind::Variable | GlobalKind::StaticLocal)
                    && (id == function || program.globals[global].is_const)
                {
                    found.insert(global);
                }
            };
            if let ir::StmtKind::Assign { target, .. } | ir::StmtKind::Zero(target) = &stmt.kind {
                note(target);
            }
            for expr in stmt.exprs() {
                expr.walk(&mut |part| {
                    if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind {
                        note(lvalue);
                    }
                });
            }
        });
    }
    found.into_iter().collect()
}
