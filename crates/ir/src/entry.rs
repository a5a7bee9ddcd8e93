//! What is known of the globals when an entry is called.
//!
//! *Question*: a function is asked about on its own. Which globals may hold something else than their initial values
//! when it is called?
//!
//! The start of a program (`main`, and `mainQ` by DIG's convention, whose programs are whole) finds every global as it
//! was initialised. Any other function may be called after anything: by then a global holds whatever its type allows,
//! unless nothing can have written it. That is certain of constants, and of an object without external linkage that no
//! body of the program assigns and whose address nobody takes. `static` variables of functions are such globals too.
//!
//! *Guarantee*: a global that is not listed holds its initial value whenever the entry is called, in every program that
//! the given units are part of and that has no undefined behaviour.

use crate::{
    Base, Expr, ExprKind, FunctionId, GlobalId, GlobalKind, InitValue, Linkage, Lvalue, Program, Stmt, StmtKind,
};
use std::collections::BTreeSet;

/// What the globals hold when the entry is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Globals {
    /// Anything their types allow, unless the program starts there.
    #[default]
    Any,
    /// Their initial values, which is an assumption where the program does not start there.
    Initial,
}

/// Whether a program starts with this function, so that nothing ran before.
pub fn starts_program(program: &Program, entry: FunctionId) -> bool {
    matches!(program.functions[entry].name.as_str(), "main" | "mainQ")
}

/// The globals that may hold anything their type allows when the entry is called.
pub fn open_globals(program: &Program, entry: FunctionId) -> BTreeSet<GlobalId> {
    if starts_program(program, entry) { BTreeSet::new() } else { changeable_globals(program) }
}

/// The globals that may hold anything their type allows once something has run.
pub fn changeable_globals(program: &Program) -> BTreeSet<GlobalId> {
    let mut touched = exposed_globals(program);
    let mut all_followed = true;
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            all_followed &= stmt.obstacle().is_none();
            touched.extend(target(stmt).and_then(global));
        });
    }
    let is_open = |id: &GlobalId| !is_fixed(program, *id) && (!all_followed || touched.contains(id));
    program.globals.keys().filter(is_open).collect()
}

/// The globals that a pointer from outside may lead to: other units can name them, or their address is taken. Constants
/// are not among them.
pub fn exposed_globals(program: &Program) -> BTreeSet<GlobalId> {
    let is_shared = |id: &GlobalId| {
        let global = &program.globals[*id];
        global.linkage == Linkage::External && global.kind == GlobalKind::Variable
    };
    let mut exposed: BTreeSet<GlobalId> = program.globals.keys().filter(is_shared).collect();
    let mut addresses = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let ExprKind::AddressOf(lvalue) = &part.kind {
                exposed.extend(global(lvalue));
            }
        });
    };
    for global in program.globals.values() {
        for item in global.init.iter().flat_map(|init| &init.items) {
            if let InitValue::Expr(value) = &item.value {
                addresses(value);
            }
        }
    }
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| stmt.exprs().into_iter().for_each(&mut addresses));
    }
    exposed.retain(|id| !is_fixed(program, *id));
    exposed
}

/// The globals that the body of a function reads or writes by name.
pub fn named_globals(program: &Program, function: FunctionId) -> BTreeSet<GlobalId> {
    let mut named = BTreeSet::new();
    let Some(body) = &program.functions[function].body else { return named };
    body.walk(&mut |stmt| {
        named.extend(target(stmt).and_then(global));
        for expr in stmt.exprs() {
            expr.walk(&mut |part| {
                if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind {
                    named.extend(global(lvalue));
                }
            });
        }
    });
    named
}

fn is_fixed(program: &Program, id: GlobalId) -> bool {
    let global = &program.globals[id];
    global.is_const || global.kind == GlobalKind::StringLiteral
}

fn global(lvalue: &Lvalue) -> Option<GlobalId> {
    if let Base::Global(id) = lvalue.base { Some(id) } else { None }
}

/// What a statement writes by name.
fn target(stmt: &Stmt) -> Option<&Lvalue> {
    match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
        StmtKind::Call { result, .. } => result.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Function, Global, Initializer, IntKind};
    use diagnostics::Span;

    fn global(program: &mut Program, name: &str, linkage: Linkage, is_const: bool) -> GlobalId {
        let ty = program.types.int(IntKind::Int);
        program.globals.push(Global {
            name: name.into(),
            ty,
            kind: GlobalKind::Variable,
            linkage,
            is_const,
            is_volatile: false,
            init: Some(Initializer::default()),
            span: Span::NONE,
        })
    }

    #[test]
    fn what_others_can_write_is_open_unless_the_program_starts_here() {
        let mut program = Program::default();
        let shared = global(&mut program, "shared", Linkage::External, false);
        global(&mut program, "table", Linkage::External, true);
        global(&mut program, "own", Linkage::Internal { unit: 0 }, false);
        let ty = program.types.void();
        let mut entry =
            |name: &str| program.functions.push(Function::declared(name, ty, Linkage::External, Span::NONE));
        let (main, other) = (entry("main"), entry("add"));
        assert!(open_globals(&program, main).is_empty());
        assert_eq!(open_globals(&program, other), BTreeSet::from([shared]));
    }
}
