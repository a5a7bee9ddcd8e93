//! Functions for pointers to functions that nobody in the program could fill: each returns anything.
//!
//! A callback of the type `int (*)(void *, const char *)` may be any function its caller likes. Beside the program's own
//! functions of that type an input can name a stub: what it returns is an input of its own (`nondet`), a null pointer
//! where it returns a pointer.

use ir::{
    Block, Callee, Expr, ExprKind, Function, IntKind, Intrinsic, Local, LocalKind, Lvalue, Program, Signature, Stmt,
    StmtKind, Type, TypeId,
};

/// What the names of stubs start with.
pub const STUB: &str = "plumb_stub_";

/// A copy of the program with a stub for every type of function that a pointer leads to; `None` if there is none.
pub fn with_stubs(program: &Program) -> Option<Program> {
    let wanted = program.types.iter().filter_map(|(_, ty)| match ty {
        Type::Pointer { to, .. } => match program.types.get(*to) {
            Type::Function(signature) if !signature.variadic && !signature.unprototyped => {
                Some((*to, signature.clone()))
            }
            _ => None,
        },
        _ => None,
    });
    let mut wanted: Vec<(TypeId, Signature)> = wanted.collect();
    wanted.sort_by_key(|(ty, _)| *ty);
    wanted.dedup_by_key(|(ty, _)| *ty);
    if wanted.is_empty() {
        return None;
    }
    let mut copy = program.clone();
    for (number, (ty, signature)) in wanted.into_iter().enumerate() {
        let stub = stub(&copy, ty, &signature, number + 1);
        copy.functions.push(stub);
    }
    Some(copy)
}

fn stub(program: &Program, ty: TypeId, signature: &Signature, number: usize) -> Function {
    let span = diagnostics::Span::NONE;
    let mut locals = ir::PrimaryMap::new();
    let mut params = Vec::new();
    for param in &signature.params {
        params.push(locals.push(Local { kind: LocalKind::Parameter, ..Local::temporary(*param, span) }));
    }
    let mut body = Block::default();
    let types = &program.types;
    let result = signature.result;
    if types.is_void(result) {
        body.stmts.push(Stmt::new(StmtKind::Return(None), span));
    } else {
        let kept = locals.push(Local::temporary(result, span));
        let place = Lvalue::local(kept, result, span);
        let made = if types.is_arithmetic(result) {
            StmtKind::Call {
                result: Some(place.clone()),
                callee: Callee::Intrinsic(Intrinsic::Nondet),
                args: Vec::new(),
            }
        } else if types.is_pointer(result) {
            let zero = Expr::int(0, types.int(IntKind::Int), span);
            let null = Expr::new(ExprKind::Convert { value: Box::new(zero), explicit: true }, result, span);
            StmtKind::Assign { target: place.clone(), value: null }
        } else {
            StmtKind::Zero(place.clone())
        };
        body.stmts.push(Stmt::new(made, span));
        body.stmts.push(Stmt::new(StmtKind::Return(Some(Expr::load(place))), span));
    }
    Function::of_ours(format!("{STUB}{number}"), ty, params, locals, body, span)
}
