//! The candidates at statements: calls with arguments exchanged, statements deleted, guarded and inserted.

use super::{Enumerator, alike};
use crate::costs;
use crate::instantiate::Context;
use crate::scope::{AtomId, same};
use crate::sites::PlaceId;
use crate::template::{Added, Change, Replacement, Template};
use ir::{BinaryOp, FunctionId, StmtId, StmtKind, TypeId};

impl Enumerator<'_> {
    pub(super) fn place(&mut self, id: PlaceId) {
        let place = self.context.sites.place(id);
        let far = self.far(place.score);
        if place.connective.is_some() {
            self.emit(Change::Connective { place: id }, Template::Operator, costs::CONNECTIVE + far);
            return;
        }
        let Some(kind) = stmt_kind(self.context, place.function, place.stmt) else { return };
        if let StmtKind::Call { args, .. } = kind {
            let count = args.len().min(8);
            for first in 0..count {
                for second in first + 1..count {
                    if args[first].ty == args[second].ty && !same(&args[first], &args[second]) {
                        let change = Change::Swap { place: id, first: first as u8, second: second as u8 };
                        self.emit(change, Template::Arguments, costs::ARGUMENTS_SWAPPED + far);
                    }
                }
            }
        }
        if !place.is_statement {
            return;
        }
        let removable = !matches!(kind, StmtKind::Live(_) | StmtKind::Label(_) | StmtKind::Block(_));
        let useful = self.hints.removals.get(&id).copied();
        if removable {
            self.emit(Change::Remove { place: id }, Template::Delete, costs::STATEMENT_DELETED + far);
            let unlikely = if useful == Some(false) { costs::UNLIKELY } else { 0 };
            let scope = self.context.scope(place.function, place.stmt);
            if self.wants(costs::STATEMENT_GUARDED + far + unlikely) && !matches!(kind, StmtKind::Return(_)) {
                for (condition, cost) in self.predicates(scope) {
                    let change = Change::Guard { place: id, condition };
                    self.emit(change, Template::Guard, costs::STATEMENT_GUARDED + cost + far + unlikely);
                }
            }
        }
        self.insertions(id, far);
    }

    fn insertions(&mut self, id: PlaceId, far: u32) {
        let base = costs::INSERTED + far;
        if !self.wants(costs::LEAST_INSERTED + far) {
            return;
        }
        let place = self.context.sites.place(id);
        let types = &self.context.program.types;
        let scope = self.context.scope(place.function, place.stmt);
        let mut added: Vec<(Added, u32)> = Vec::new();
        if place.in_loop_or_switch {
            added.push((Added::Break, costs::BREAK));
        }
        if place.in_loop {
            added.push((Added::Continue, costs::CONTINUE));
        }
        let atoms: Vec<(AtomId, TypeId, bool)> = scope
            .values(|ty| types.is_arithmetic(ty))
            .map(|(id, atom)| (id, atom.expr.ty, atom.is_variable && !atom.is_const))
            .collect();
        for &(target, ty, assignable) in &atoms {
            if !assignable {
                continue;
            }
            for c in [1, -1] {
                let sum = Replacement::binary(BinaryOp::Add, Replacement::Atom(target), Replacement::Int(c));
                added.push((Added::Assign(target, sum), costs::COUNT));
            }
            for c in [0, 1, -1] {
                added.push((Added::Assign(target, Replacement::Int(c)), costs::RESET));
            }
            for &(source, other, _) in &atoms {
                if source != target && alike(types, other, ty) {
                    added.push((Added::Assign(target, Replacement::Atom(source)), costs::COPY));
                    for (op, cost) in costs::ACCUMULATE {
                        let sum = Replacement::binary(op, Replacement::Atom(target), Replacement::Atom(source));
                        added.push((Added::Assign(target, sum), cost));
                    }
                }
            }
            let own = self.hints.constants.iter().copied().filter(|c| !(-1..=1).contains(c)).take(8);
            for c in own {
                added.push((Added::Assign(target, Replacement::Int(c)), costs::ASSIGN_CONSTANT));
                let sum = Replacement::binary(BinaryOp::Add, Replacement::Atom(target), Replacement::Int(c));
                added.push((Added::Assign(target, sum), costs::ASSIGN_CONSTANT));
            }
        }
        let function = &self.context.program.functions[place.function];
        let result = types.signature(function.ty).map(|signature| signature.result);
        let mut returned: Vec<(Added, u32)> = Vec::new();
        if let Some(result) = result {
            if types.is_void(result) {
                returned.push((Added::Return(Replacement::Int(0)), costs::RETURN_CONSTANT));
            } else if types.is_arithmetic(result) && function.name != "main" {
                for c in [0, 1, -1] {
                    returned.push((Added::Return(Replacement::Int(c)), costs::RETURN_CONSTANT));
                }
                returned.extend(
                    atoms.iter().map(|(atom, ..)| (Added::Return(Replacement::Atom(*atom)), costs::RETURN_VARIABLE)),
                );
            }
        }
        let last = place.is_last;
        for (added, cost) in added.iter().chain(&returned) {
            for after in [false, true] {
                if after && !last {
                    continue;
                }
                let change = Change::Insert { place: id, after, condition: None, added: added.clone() };
                self.emit(change, Template::Insert, base + cost);
            }
        }
    }

    /// A statement that is run only under a condition.
    pub(super) fn conditional_addition(&mut self, id: PlaceId, after: bool, added: &Added) {
        let place = self.context.sites.place(id);
        let base = costs::INSERTED_UNDER_CONDITION + self.far(place.score);
        if !self.wants(base) {
            return;
        }
        let scope = self.context.scope(place.function, place.stmt);
        for (condition, cost) in self.predicates(scope) {
            let change = Change::Insert { place: id, after, condition: Some(condition), added: added.clone() };
            self.emit(change, Template::Insert, base + cost);
        }
    }
}

fn stmt_kind<'p>(context: &Context<'p>, function: FunctionId, stmt: StmtId) -> Option<&'p StmtKind> {
    let mut found = None;
    context.program.functions[function].body.as_ref()?.walk(&mut |other| {
        if other.id == stmt {
            found = Some(&other.kind);
        }
    });
    found
}
