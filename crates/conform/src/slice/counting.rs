//! Counting: loops with a bound that may be constant, arithmetic that feeds itself, constants that are compared with.

use super::{Slicer, reaches};
use crate::cells::{CellId, Place, Root, without_conversions};
use crate::model::{Call, Model};
use hashbrown::HashMap;
use ir::{BinaryOp, Callee, Expr, ExprKind, FunctionId, LogicalOp, Stmt, StmtId, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Slicer<'_, 'p> {
    /// Finds counters of loops that move something and end at a bound that may be constant.
    pub(super) fn find_steps(&mut self) {
        let model = self.model;
        for (id, body) in &model.functions {
            for (_, looped) in &body.loops {
                let mut moves = false;
                let mut assigned: BTreeMap<CellId, Vec<(&'p Stmt, Option<&'p Expr>)>> = BTreeMap::new();
                for block in looped.blocks() {
                    block.walk(&mut |stmt| {
                        if let Some(call) = body.calls.get(&stmt.id) {
                            moves |= match call {
                                Call::Site(_) => true,
                                Call::Functions(t, _) => t.iter().any(|t| reaches(*t, &self.slice.moving)),
                                _ => false,
                            };
                        }
                        let (target, value) = match &stmt.kind {
                            StmtKind::Assign { target, value } => (target, Some(value)),
                            StmtKind::Call { result: Some(target), .. } => (target, None),
                            _ => return,
                        };
                        if let Place::Cell(cell) = model.cells.place(model.program, *id, target) {
                            assigned.entry(cell).or_default().push((stmt, value));
                        }
                    });
                }
                let (true, Some(cond)) = (moves, &looped.cond) else { continue };
                for (cell, bound) in bounds(model, *id, cond, looped) {
                    let found = model.cells.get(cell);
                    let private = matches!(found.root, Root::Local(..)) && !found.addressed;
                    let steps = assigned.get(&cell).map_or(&[][..], Vec::as_slice);
                    let all = steps
                        .iter()
                        .all(|(_, value)| value.is_some_and(|value| step_of(model, *id, cell, value).is_some()));
                    if private && all {
                        for (stmt, _) in steps {
                            self.slice.steps.insert((*id, stmt.id), bound);
                        }
                    }
                }
            }
        }
    }

    /// Finds arithmetic that feeds itself, and the constants that variables are compared with.
    pub(super) fn find_cyclic(&mut self) {
        let model = self.model;
        let mut flows: Vec<Vec<u32>> = vec![Vec::new(); model.cells.len()];
        let mut computed: Vec<(FunctionId, StmtId, CellId, Vec<CellId>)> = Vec::new();
        let loads = |id: FunctionId, expr: &Expr| {
            let mut found = Vec::new();
            expr.walk(&mut |part| {
                if let ExprKind::Load(lvalue) = &part.kind
                    && let Place::Cell(cell) = model.cells.place(model.program, id, lvalue)
                {
                    found.push(cell);
                }
            });
            found
        };
        let mut compared = HashMap::new();
        let mut asked: HashMap<CellId, BTreeSet<i128>> = HashMap::new();
        let mut equated = BTreeSet::new();
        for (id, body) in &model.functions {
            let definition = &model.program.functions[*id];
            let text = definition.body.as_ref().expect("a function that is reached should have a body");
            text.walk(&mut |stmt| {
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| {
                        note_comparison(model, *id, part, &mut compared, &mut asked);
                        if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::BitAnd, a, b) = &part.kind
                            && [a, b].into_iter().any(|side| matches!(without_conversions(side).kind, ExprKind::Int(_)))
                        {
                            equated.extend(loads(*id, a).into_iter().chain(loads(*id, b)));
                        }
                    });
                    // A condition that is a variable asks whether it is zero.
                    if matches!(stmt.kind, StmtKind::If { .. } | StmtKind::Loop(_)) {
                        let mut inner = without_conversions(expr);
                        while let ExprKind::Unary(ir::UnaryOp::Not, more) = &inner.kind {
                            inner = without_conversions(more);
                        }
                        if matches!(inner.kind, ExprKind::Load(_)) {
                            equated.extend(loads(*id, inner));
                        }
                    }
                }
                if let StmtKind::Switch { value, arms, .. } = &stmt.kind {
                    for cell in loads(*id, value) {
                        equated.insert(cell);
                        let most = arms.iter().map(|arm| arm.high).max().unwrap_or(0);
                        let known = compared.entry(cell).or_insert(most);
                        *known = (*known).max(most);
                    }
                }
                match &stmt.kind {
                    StmtKind::Assign { target, value } => {
                        let Place::Cell(to) = model.cells.place(model.program, *id, target) else { return };
                        let from = loads(*id, value);
                        from.iter().for_each(|from| flows[from.index()].push(to.index() as u32));
                        if is_arithmetic(value) {
                            computed.push((*id, stmt.id, to, from));
                        }
                    }
                    StmtKind::Call { callee, args, .. } => {
                        note_bytes(model, *id, callee, args, &mut asked);
                        let Some(Call::Functions(targets, _)) = body.calls.get(&stmt.id) else { return };
                        for target in targets.iter().filter_map(|target| target.function()) {
                            for (param, arg) in model.program.functions[target].params.iter().zip(args) {
                                let Some(to) = model.cells.find(Root::Local(target, *param), None) else { continue };
                                let from = loads(*id, arg);
                                from.iter().for_each(|from| flows[from.index()].push(to.index() as u32));
                            }
                        }
                    }
                    _ => {}
                }
            });
        }
        let mut component = vec![0u32; model.cells.len()];
        for (number, members) in ir::components(&flows).into_iter().enumerate() {
            members.into_iter().for_each(|member| component[member as usize] = number as u32);
        }
        for (id, stmt, to, from) in computed {
            if from.iter().any(|from| component[from.index()] == component[to.index()]) {
                self.slice.cyclic.insert((id, stmt));
            }
        }
        self.slice.compared = compared;
        self.slice.asked = asked;
        self.slice.equated = equated;
    }
}

fn note_comparison(
    model: &Model,
    id: FunctionId,
    part: &Expr,
    compared: &mut HashMap<CellId, i128>,
    asked: &mut HashMap<CellId, BTreeSet<i128>>,
) {
    let ExprKind::Binary(op, a, b) = &part.kind else { return };
    if !op.is_comparison() {
        return;
    }
    for (side, other) in [(a, b), (b, a)] {
        let (ExprKind::Load(lvalue), ExprKind::Int(value)) =
            (&without_conversions(side).kind, &without_conversions(other).kind)
        else {
            continue;
        };
        if let Place::Cell(cell) = model.cells.place(model.program, id, lvalue) {
            let known = compared.entry(cell).or_insert(*value);
            *known = (*known).max(*value);
            asked.entry(cell).or_default().insert(*value);
        }
    }
}

/// What `memcmp` compares elements of an array with.
fn note_bytes(
    model: &Model,
    id: FunctionId,
    callee: &Callee,
    args: &[Expr],
    asked: &mut HashMap<CellId, BTreeSet<i128>>,
) {
    let Callee::Function(callee) = callee else { return };
    let ("memcmp" | "strncmp", [a, b, ..]) = (model.name(*callee), args) else { return };
    for (array, constant) in [(a, b), (b, a)] {
        let ExprKind::AddressOf(ir::Lvalue { base: ir::Base::Local(local), .. }) = &without_conversions(array).kind
        else {
            continue;
        };
        let Some(text) = crate::sites::string(model.program, constant) else { continue };
        for (cell, byte) in model.cells.elements(Root::Local(id, *local)).into_iter().zip(text) {
            let kind = model.program.types.int_kind(model.cells.get(cell).ty);
            asked.entry(cell).or_default().insert(kind.map_or(byte.into(), |kind| kind.wrap(byte.into())));
        }
    }
}

fn is_arithmetic(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        use BinaryOp::*;
        found |= matches!(part.kind, ExprKind::Binary(Add | Sub | Mul | Div | Rem | Shl | Shr | PointerAdd, ..));
    });
    found
}

/// The constant that is added when the value is the cell plus or minus a constant.
pub(crate) fn step_of(model: &Model, id: FunctionId, cell: CellId, value: &Expr) -> Option<i128> {
    let ExprKind::Binary(op, a, b) = &without_conversions(value).kind else { return None };
    let ExprKind::Load(lvalue) = &without_conversions(a).kind else { return None };
    let ExprKind::Int(by) = without_conversions(b).kind else { return None };
    match model.cells.place(model.program, id, lvalue) {
        Place::Cell(read) if read == cell || model.copies.get(&read) == Some(&cell) => {}
        _ => return None,
    }
    match op {
        BinaryOp::Add => Some(by),
        BinaryOp::Sub => Some(-by),
        _ => None,
    }
}

/// The cells that a loop's condition compares, and with what; nothing for zero.
fn bounds<'p>(
    model: &Model<'p>,
    id: FunctionId,
    cond: &'p Expr,
    looped: &'p ir::Loop,
) -> Vec<(CellId, Option<&'p Expr>)> {
    let cell = |expr: &'p Expr| {
        let ExprKind::Load(lvalue) = &without_conversions(expr).kind else { return None };
        let Place::Cell(cell) = model.cells.place(model.program, id, lvalue) else { return None };
        // `while (n--)` compares a copy that was made before the step.
        let copied = looped.pre.stmts.iter().find_map(|stmt| {
            let StmtKind::Assign { target, value } = &stmt.kind else { return None };
            let ExprKind::Load(from) = &without_conversions(value).kind else { return None };
            if model.cells.place(model.program, id, target) != Place::Cell(cell) {
                return None;
            }
            if let Place::Cell(from) = model.cells.place(model.program, id, from) { Some(from) } else { None }
        });
        Some(copied.unwrap_or(cell))
    };
    match &cond.kind {
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            let mut found = Vec::new();
            found.extend(cell(a).map(|cell| (cell, Some(&**b))));
            found.extend(cell(b).map(|cell| (cell, Some(&**a))));
            found
        }
        ExprKind::Logical(LogicalOp::And, a, b) => {
            let mut found = bounds(model, id, a, looped);
            found.extend(bounds(model, id, b, looped));
            found
        }
        ExprKind::Convert { value, .. } => bounds(model, id, value, looped),
        _ => cell(cond).map(|cell| (cell, None)).into_iter().collect(),
    }
}
