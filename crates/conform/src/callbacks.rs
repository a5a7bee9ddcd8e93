//! What functions without bodies may call: functions that they are given, themselves or in a record, such as comparisons
//! and handlers of signals.
//!
//! A handler may run wherever the program is. It leaves the language as it is if it moves nothing, if it does not end
//! the program with success, and if what it changes is not followed; [`super::model`] asks about the first two and
//! stops following what it changes.
//!
//! *Guarantee*: in a run without undefined behaviour nothing else of the program is called, except by what the program
//! hands over behind a pointer inside of a record.

use super::cells::without_conversions;
use super::ends::integer;
use super::objects::records_within;
use super::table::is_good_status;
use ir::{CallGraph, Callee, Expr, ExprKind, FunctionId, Program, StmtKind, Type, TypeId};
use std::collections::BTreeSet;

/// The functions that a call with these arguments lets the callee call.
pub(super) fn given(program: &Program, graph: &CallGraph, args: &[Expr]) -> BTreeSet<FunctionId> {
    let signature =
        |pointer: TypeId| program.types.pointee(pointer).filter(|to| program.types.signature(*to).is_some());
    let mut found = BTreeSet::new();
    for arg in args {
        let plain = without_conversions(arg);
        if let ExprKind::Function(id) = plain.kind {
            found.insert(id);
            continue;
        }
        if signature(plain.ty).is_some() {
            found.extend(graph.targets(program, plain));
            continue;
        }
        let Some(to) = program.types.pointee(plain.ty) else { continue };
        let fields = records_within(program, to).into_iter().flat_map(|record| &program.types.records[record].fields);
        for called in fields.flatten().filter_map(|field| signature(element(program, field.ty))) {
            found.extend(graph.address_taken().filter(|id| program.types.matches(program.functions[*id].ty, called)));
        }
    }
    found
}

fn element(program: &Program, ty: TypeId) -> TypeId {
    match program.types.get(ty) {
        Type::Array { of, .. } => element(program, *of),
        _ => ty,
    }
}

/// Whether one of these functions may end the program with one of the statuses, calls of `fails` aside.
pub(super) fn may_end(
    program: &Program,
    graph: &CallGraph,
    from: &BTreeSet<FunctionId>,
    success: &[i128],
    fails: &[String],
) -> bool {
    let is_failure = |id: FunctionId| fails.contains(&program.functions[id].name);
    let mut seen = BTreeSet::new();
    let mut open: Vec<FunctionId> = from.iter().copied().collect();
    let mut ends = false;
    while let Some(id) = open.pop() {
        if is_failure(id) || !seen.insert(id) {
            continue;
        }
        let function = &program.functions[id];
        let Some(body) = &function.body else {
            // Handed over itself: its status is the caller's business.
            ends |=
                matches!(function.name.as_str(), "exit" | "_exit" | "_Exit" | "quick_exit" | "longjmp" | "siglongjmp");
            continue;
        };
        body.walk(&mut |stmt| {
            let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
            match callee {
                Callee::Function(id) => match program.functions[*id].name.as_str() {
                    "exit" | "_exit" | "_Exit" | "quick_exit" => {
                        let status = args.first().and_then(integer);
                        ends |= status.is_none_or(|status| is_good_status(success, status));
                    }
                    "longjmp" | "_longjmp" | "siglongjmp" => ends = true,
                    _ => open.push(*id),
                },
                Callee::Pointer(pointer) => open.extend(graph.targets(program, pointer)),
                Callee::Intrinsic(_) => {}
            }
        });
    }
    ends
}
