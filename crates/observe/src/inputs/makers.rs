//! The program's own functions that make values: constructors, initialisers, allocators, and what callbacks may be.

use super::roles::{Holder, Roles};
use ir::{CallGraph, Callee, FunctionId, Program, RecordId, StmtKind, Type, TypeId};
use std::collections::BTreeMap;

/// A function that makes a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constructor {
    pub(super) function: FunctionId,
    /// It initialises what its first argument points to, instead of returning something.
    pub(super) first: bool,
}

/// The functions that make objects of record types.
pub(super) fn makers(program: &Program, graph: &CallGraph, entry: FunctionId) -> BTreeMap<RecordId, Vec<Constructor>> {
    let mut makers: BTreeMap<RecordId, Vec<Constructor>> = BTreeMap::new();
    let record_behind = |ty: TypeId| match program.types.get(program.types.pointee(ty)?) {
        Type::Record(record) => Some(*record),
        _ => None,
    };
    for (function, about, _) in program.defined_functions() {
        if function == entry || about.name == "main" {
            continue;
        }
        let Some(signature) = program.types.signature(about.ty) else { continue };
        if signature.variadic {
            continue;
        }
        let taken: Vec<RecordId> = about.params.iter().filter_map(|p| record_behind(about.locals[*p].ty)).collect();
        match record_behind(signature.result) {
            Some(made) if !taken.contains(&made) && allocates(program, graph, function) => {
                makers.entry(made).or_default().push(Constructor { function, first: false });
            }
            _ => {
                let first = about.params.first().map(|p| about.locals[*p].ty);
                let name = about.name.to_ascii_lowercase();
                let named = ["init", "reset", "setup", "create"].into_iter().any(|word| name.contains(word));
                let returns_number =
                    program.types.is_void(signature.result) || program.types.int_kind(signature.result).is_some();
                if let Some(made) = first.and_then(record_behind)
                    && named
                    && returns_number
                    && !leads_to_const(&program.types, first.unwrap_or(signature.result))
                {
                    makers.entry(made).or_default().push(Constructor { function, first: true });
                }
            }
        }
    }
    makers
}

/// The functions that allocate something and return a pointer to numbers in it, by what it leads to; not those that take
/// such a pointer themselves.
pub(super) fn middles(
    program: &Program,
    graph: &CallGraph,
    roles: &Roles,
    entry: FunctionId,
) -> BTreeMap<TypeId, Vec<FunctionId>> {
    let mut known: BTreeMap<TypeId, Vec<FunctionId>> = BTreeMap::new();
    for (function, about, _) in program.defined_functions() {
        let Some(signature) = program.types.signature(about.ty) else { continue };
        let Some(to) = program.types.pointee(signature.result) else { continue };
        let takes_one = (0..about.params.len())
            .any(|k| roles.get(Holder::Parameter(function, k)).is_some_and(|role| role.reaches_back));
        let fits = function != entry && !signature.variadic && !takes_one && program.types.is_arithmetic(to);
        if fits && allocates(program, graph, function) {
            known.entry(to).or_default().push(function);
        }
    }
    known
}

/// Whether a function, or one that it calls, allocates memory.
fn allocates(program: &Program, graph: &CallGraph, function: FunctionId) -> bool {
    let mut all = graph.reachable(function);
    all.push(function);
    all.into_iter().any(|id| {
        let mut found = false;
        if let Some(body) = &program.functions[id].body {
            body.walk(&mut |stmt| {
                found |= match &stmt.kind {
                    StmtKind::Call { callee: Callee::Function(callee), .. } => {
                        matches!(program.functions[*callee].name.as_str(), "malloc" | "calloc" | "realloc")
                    }
                    // Allocators that can be replaced are called through pointers.
                    StmtKind::Call { callee: Callee::Pointer(_), result: Some(result), .. } => {
                        program.types.is_pointer(result.ty)
                    }
                    _ => false,
                };
            });
        }
        found
    })
}

/// The functions that pointers of each type may lead to.
pub(super) fn callables(program: &Program) -> BTreeMap<TypeId, Vec<String>> {
    let mut known: BTreeMap<TypeId, Vec<String>> = BTreeMap::new();
    for function in program.functions.values() {
        let is_known = function.body.is_some() || (exec::libc::LIBRARY.find)(&function.name).is_some();
        let names = known.entry(function.ty).or_default();
        if is_known && function.name != "main" && !names.contains(&function.name) {
            names.push(function.name.clone());
        }
    }
    known
}

/// Whether what a pointer leads to is not to be written through it.
pub(super) fn leads_to_const(types: &ir::Types, pointer: TypeId) -> bool {
    matches!(types.get(pointer), Type::Pointer { to_const: true, .. })
}
