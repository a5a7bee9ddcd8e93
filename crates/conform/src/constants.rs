//! Which variables can hold a constant at all.
//!
//! Flow-insensitive: a constant, a comparison, the address of a function, or something that can hold one, flows into
//! the variable. Following the others would split paths by what conditions tell about them and gain nothing.
//!
//! A variable that gets other values as well (`fd = open(…)`) is *mixed*: it is followed too, and given up first when
//! the budget does not allow all.

use super::cells::{CellId, Place, Root, without_conversions};
use super::model::{Call, Model};
use super::slice::Slice;
use ir::{BinaryOp, Callee, Expr, ExprKind, FunctionId, StmtKind, UnaryOp};
use std::collections::BTreeSet;

/// The cells that get something that is no constant as well.
pub(super) fn mixed(model: &Model, slice: &Slice, hopeful: &BTreeSet<CellId>) -> BTreeSet<CellId> {
    let mut found = BTreeSet::new();
    let entry = &model.program.functions[model.entry];
    found.extend(entry.params.iter().filter_map(|param| model.cells.find(Root::Local(model.entry, *param), None)));
    // Whether a pointer to data is null is asked often and decides little.
    found.extend(model.cells.ids().filter(|cell| {
        let cell = model.cells.get(*cell);
        let data = model.program.types.pointee(cell.ty).is_some_and(|to| model.program.types.signature(to).is_none());
        data && matches!(cell.root, Root::Global(_) | Root::Record(_))
    }));
    let mut read_into: BTreeSet<CellId> = BTreeSet::new();
    for (id, body) in &model.functions {
        for block in body.cfg.blocks.values() {
            for stmt in &block.stmts {
                if let (StmtKind::Call { result: Some(target), .. }, Some(Call::Site(_))) =
                    (&stmt.kind, body.calls.get(&stmt.id))
                    && let Place::Cell(cell) = model.cells.place(model.program, *id, target)
                {
                    read_into.insert(cell);
                }
            }
        }
    }
    // Functions that return something that is no constant as well.
    let mut results: BTreeSet<FunctionId> = BTreeSet::new();
    for (id, body) in &model.functions {
        let text = model.program.functions[*id].body.as_ref();
        text.expect("a function that is reached should have a body").walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { target, value } => {
                // A value that was read comes by way of a temporary.
                let read = matches!(&without_conversions(value).kind, ExprKind::Load(from)
                    if matches!(model.cells.place(model.program, *id, from), Place::Cell(from)
                        if is_temporary(model, from) && read_into.contains(&from)));
                if let Place::Cell(cell) = model.cells.place(model.program, *id, target)
                    && (!may_be_constant(model, *id, value, hopeful)
                        || !slice.counts(*id, stmt.id, cell)
                        || read && !slice.equated.contains(&cell))
                {
                    found.insert(cell);
                }
            }
            StmtKind::Return(Some(value)) if !may_be_constant(model, *id, value, hopeful) => {
                results.insert(*id);
            }
            StmtKind::Call { args, result, .. } => {
                // What is read is a constant only to who asks for one.
                if let (Some(Call::Site(_)), Some(target)) = (body.calls.get(&stmt.id), result)
                    && let Place::Cell(cell) = model.cells.place(model.program, *id, target)
                    && !slice.equated.contains(&cell)
                    && !is_temporary(model, cell)
                {
                    found.insert(cell);
                }
                let opaque =
                    !matches!(body.calls.get(&stmt.id), Some(Call::Site(_) | Call::Returns(_) | Call::Functions(..)));
                if !opaque {
                    return;
                }
                let passed = args.iter().filter_map(|arg| match &without_conversions(arg).kind {
                    ExprKind::AddressOf(lvalue) => Some(lvalue),
                    _ => None,
                });
                for target in result.iter().chain(passed) {
                    if let Place::Cell(cell) = model.cells.place(model.program, *id, target) {
                        found.insert(cell);
                    }
                }
            }
            _ => {}
        });
    }
    // What flows out of a mixed cell is mixed.
    let mut changed = true;
    while changed {
        changed = false;
        for (id, body) in &model.functions {
            let flows = |found: &BTreeSet<CellId>, value: &Expr| {
                let mut any = false;
                value.walk(&mut |part| {
                    if let ExprKind::Load(lvalue) = &part.kind
                        && let Place::Cell(cell) = model.cells.place(model.program, *id, lvalue)
                    {
                        any |= found.contains(&cell);
                    }
                });
                // Whether two numbers are equal is one of two constants.
                any && !matches!(value.kind, ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _))
                    && !matches!(value.kind, ExprKind::Binary(op, ..) if op.is_comparison())
            };
            let text = model.program.functions[*id].body.as_ref();
            text.expect("a function that is reached should have a body").walk(&mut |stmt| {
                let (target, hit) = match &stmt.kind {
                    StmtKind::Assign { target, value } => (target, flows(&found, value)),
                    StmtKind::Return(Some(value)) if flows(&found, value) => {
                        changed |= results.insert(*id);
                        return;
                    }
                    StmtKind::Call { result: Some(target), .. } => {
                        let Some(Call::Functions(targets, _)) = body.calls.get(&stmt.id) else { return };
                        (target, targets.iter().filter_map(|t| t.function()).any(|t| results.contains(&t)))
                    }
                    _ => return,
                };
                if let (true, Place::Cell(to)) = (hit, model.cells.place(model.program, *id, target)) {
                    changed |= found.insert(to);
                }
            });
        }
    }
    found
}

/// The globals and fields to which nothing but written constants are assigned.
pub(super) fn literal(model: &Model) -> BTreeSet<CellId> {
    let (mut found, mut spoiled) = (BTreeSet::new(), BTreeSet::new());
    for id in model.functions.keys() {
        let text = model.program.functions[*id].body.as_ref();
        text.expect("a function that is reached should have a body").walk(&mut |stmt| {
            let (target, constant) = match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    let value = &without_conversions(value).kind;
                    (target, matches!(value, ExprKind::Int(_) | ExprKind::Function(_)))
                }
                StmtKind::Call { result: Some(target), .. } => (target, false),
                _ => return,
            };
            if let Place::Cell(cell) = model.cells.place(model.program, *id, target) {
                if constant {
                    found.insert(cell)
                } else {
                    spoiled.insert(cell)
                };
            }
        });
    }
    found.retain(|cell| !spoiled.contains(cell) && !matches!(model.cells.get(*cell).root, Root::Local(..)));
    found
}

/// The cells that can hold a constant.
pub(super) fn hopeful(model: &Model) -> BTreeSet<CellId> {
    let mut found = BTreeSet::new();
    for cell in model.cells.ids() {
        if let Root::Global(id) = model.cells.get(cell).root
            && model.program.globals[id].init.is_some()
        {
            found.insert(cell);
        }
    }
    let mut results: BTreeSet<FunctionId> = BTreeSet::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (id, body) in &model.functions {
            let text = model.program.functions[*id].body.as_ref();
            text.expect("a function that is reached should have a body").walk(&mut |stmt| match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    if let Place::Cell(cell) = model.cells.place(model.program, *id, target)
                        && !found.contains(&cell)
                        && may_be_constant(model, *id, value, &found)
                    {
                        changed |= found.insert(cell);
                    } else if let Place::Through(_, ty) = model.cells.place(model.program, *id, target)
                        && may_be_constant(model, *id, value, &found)
                    {
                        for cell in model.cells.addressed_of(model.program, ty) {
                            changed |= found.insert(*cell);
                        }
                    }
                }
                StmtKind::Return(Some(value)) if may_be_constant(model, *id, value, &found) => {
                    changed |= results.insert(*id);
                }
                StmtKind::Call { callee, args, result } => {
                    let call = body.calls.get(&stmt.id);
                    let known = match call {
                        Some(Call::Site(_) | Call::Returns(_)) => true,
                        Some(Call::Functions(targets, _)) => {
                            for target in targets.iter().filter_map(|target| target.function()) {
                                for (param, arg) in model.program.functions[target].params.iter().zip(args) {
                                    if let Some(cell) = model.cells.find(Root::Local(target, *param), None)
                                        && may_be_constant(model, *id, arg, &found)
                                    {
                                        changed |= found.insert(cell);
                                    }
                                }
                            }
                            targets.iter().any(|t| t.function().is_none_or(|target| results.contains(&target)))
                        }
                        _ => matches!(callee, Callee::Function(callee) if model.name(*callee) == "memcmp"),
                    };
                    if let (true, Some(target)) = (known, result)
                        && let Place::Cell(cell) = model.cells.place(model.program, *id, target)
                    {
                        changed |= found.insert(cell);
                    }
                }
                _ => {}
            });
        }
    }
    found
}

fn is_temporary(model: &Model, cell: CellId) -> bool {
    match model.cells.get(cell).root {
        Root::Local(owner, id) => model.program.functions[owner].locals[id].kind == ir::LocalKind::Temporary,
        _ => false,
    }
}

fn may_be_constant(model: &Model, id: FunctionId, expr: &Expr, found: &BTreeSet<CellId>) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Function(_) | ExprKind::AddressOf(_) | ExprKind::Logical(..) => true,
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Unary(_, inner) | ExprKind::Convert { value: inner, .. } => may_be_constant(model, id, inner, found),
        ExprKind::Binary(op, ..) if op.is_comparison() => true,
        ExprKind::Binary(BinaryOp::BitOr | BinaryOp::BitAnd, a, b) => {
            may_be_constant(model, id, a, found) || may_be_constant(model, id, b, found)
        }
        ExprKind::Binary(_, a, b) => may_be_constant(model, id, a, found) && may_be_constant(model, id, b, found),
        ExprKind::Conditional(_, a, b) => may_be_constant(model, id, a, found) || may_be_constant(model, id, b, found),
        ExprKind::Load(lvalue) => match model.cells.place(model.program, id, lvalue) {
            Place::Cell(cell) => found.contains(&cell),
            Place::Through(_, ty) => {
                model.cells.addressed_of(model.program, ty).iter().any(|cell| found.contains(cell))
            }
            Place::Array(_) => true,
            Place::Elsewhere => false,
        },
        ExprKind::Float(_) | ExprKind::Extended(_) => false,
    }
}
