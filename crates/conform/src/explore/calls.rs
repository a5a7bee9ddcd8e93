//! Calls: functions of the program, ends of it, and what is passed by.

use super::{Calling, Explorer, Overflow, Point, Waiting};
use crate::cells::{CellId, Root, without_conversions};
use crate::evaluate::Valuation;
use crate::library;
use crate::model::{Call, Spot, Target};
use crate::value::{Constant, Value};
use automata::StateId;
use ir::{Callee, Expr, ExprKind, FunctionId, Lvalue, Type};
use std::collections::BTreeSet;

impl<'p> Explorer<'_, 'p, '_, '_> {
    pub(super) fn call(
        &mut self,
        module: usize,
        state: StateId,
        next: Point,
        call: Calling<'p>,
    ) -> Result<(), Overflow> {
        let Calling { stmt, callee, args, .. } = call;
        let function = self.modules[module].function;
        let model = self.model;
        match model.functions[&function].calls.get(&stmt.id) {
            Some(Call::Site(site)) => self.site(module, state, next, call, *site),
            Some(Call::Exit) => {
                let status = args.first().map(|arg| self.evaluator(function).values(&next.at, arg));
                for (_, status) in status.unwrap_or_else(|| vec![(next.at, Value::int(0))]) {
                    if self.succeeds(&status, true) {
                        if status.as_int().is_none() {
                            let note = "the status of `exit` is not always known, and then counts as success";
                            self.notes.insert((Spot(stmt.span), note.to_string()));
                        }
                        self.modules[module].machine.ends.push(state);
                    }
                }
                Ok(())
            }
            Some(Call::Fails) => Ok(()),
            Some(Call::Functions(targets, open)) => {
                let mut next = next;
                let mut library = *open;
                let known = match callee {
                    Callee::Pointer(pointer) => match self.evaluator(function).value(&next.at, pointer) {
                        Value::Is(Constant::Function(known)) => Some(known),
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(known) = known {
                    let name = model.name(known);
                    let meant = |target: &Target| match target {
                        Target::Function(id) => *id == known,
                        Target::Site(site) => model.sites.all[*site].callee == name,
                        Target::Fails(id) => *id == known,
                    };
                    library = !targets.iter().any(meant);
                    if library && (!*open || model.program.functions[known].body.is_some()) {
                        let why = format!("a call reaches `{name}`, which was not expected of its pointer");
                        self.obstacles.insert((Spot(stmt.span), why));
                    }
                }
                for target in targets {
                    match target {
                        Target::Function(id) if known.is_some_and(|known| known != *id) => {}
                        Target::Function(id) if self.slice.explores(*id) => {
                            self.descend(module, state, &next, call, *id)?;
                        }
                        // Nothing that is followed changes there, but arrays that are handed over.
                        Target::Function(_) => {
                            library = true;
                            self.forget_arrays(function, &mut next.at, args);
                        }
                        Target::Site(site) => {
                            let callee = &model.sites.all[*site].callee;
                            if known.is_none_or(|known| model.name(known) == callee) {
                                self.site(module, state, next.clone(), call, *site)?;
                            }
                        }
                        Target::Fails(_) => {}
                    }
                }
                if library {
                    self.passed_by(module, state, next, call, &[Value::Unknown], *open)?;
                }
                Ok(())
            }
            Some(Call::Returns(values)) => {
                let values: Vec<Value> = match values.is_empty() {
                    true => vec![Value::Unknown],
                    false => values.iter().map(|value| Value::int(*value)).collect(),
                };
                for at in self.overwritten(module, &next, stmt) {
                    self.passed_by(module, state, Point { at, ..next.clone() }, call, &values, true)?;
                }
                Ok(())
            }
            Some(Call::PutBack) => {
                let mut next = next;
                let given = args.first().map_or(Value::Unknown, |arg| self.evaluator(function).value(&next.at, arg));
                // The end of the input cannot be put back.
                if given.as_int() != Some(-1) {
                    next.at.set(model.cells.put_back(), Value::int(1));
                }
                self.passed_by(module, state, next, call, &[given], false)
            }
            Some(Call::Foreign(why)) => {
                self.obstacles.insert((Spot(stmt.span), why.clone()));
                self.passed_by(module, state, next, call, &[Value::Unknown], true)
            }
            Some(Call::Unresolved) => {
                let why = "a call through a pointer that no function is known for".to_string();
                self.obstacles.insert((Spot(stmt.span), why));
                self.passed_by(module, state, next, call, &[Value::Unknown], true)
            }
            Some(Call::Library) | None => {
                let known = library::result(&self.evaluator(function), &next.at, callee, args);
                for at in self.overwritten(module, &next, stmt) {
                    self.passed_by(
                        module,
                        state,
                        Point { at, ..next.clone() },
                        call,
                        std::slice::from_ref(&known),
                        true,
                    )?;
                }
                Ok(())
            }
        }
    }

    /// A call that moves nothing: what it was given the address of is not known afterwards.
    pub(super) fn passed_by(
        &mut self,
        module: usize,
        state: StateId,
        mut next: Point,
        call: Calling,
        values: &[Value],
        writes: bool,
    ) -> Result<(), Overflow> {
        let Calling { callee, args, result, .. } = call;
        let function = self.modules[module].function;
        let model = self.model;
        for (index, arg) in args.iter().enumerate() {
            let reads_only = match callee {
                Callee::Function(id) => {
                    let signature = model.program.types.signature(model.program.functions[*id].ty);
                    let param = signature.and_then(|signature| signature.params.get(index));
                    param.is_some_and(|ty| matches!(model.program.types.get(*ty), Type::Pointer { to_const: true, .. }))
                }
                _ => false,
            };
            if reads_only || !writes {
                continue;
            }
            for cell in model.cells.handed(model.program, function, arg) {
                next.at.set(cell, Value::Unknown);
            }
            if let Value::Is(Constant::Address(cell)) = self.evaluator(function).value(&next.at, arg) {
                next.at.set(cell, Value::Unknown);
            }
        }
        for value in values {
            let mut at = next.at.clone();
            if let Some(target) = result {
                self.assign(function, &mut at, target, value.clone());
            }
            self.pass(module, state, Point { at, ..next.clone() })?;
        }
        Ok(())
    }

    /// The elements of arrays that are handed over are not known afterwards.
    fn forget_arrays(&self, function: FunctionId, at: &mut Valuation, args: &[Expr]) {
        for arg in args {
            if let ExprKind::AddressOf(Lvalue { base: ir::Base::Local(id), path, .. }) = &without_conversions(arg).kind
                && let [] | [ir::Step::Index(_)] = path[..]
            {
                for cell in self.model.cells.elements(Root::Local(function, *id)) {
                    at.set(cell, Value::Unknown);
                }
            }
        }
    }

    /// Calls a function of the program.
    fn descend(
        &mut self,
        module: usize,
        state: StateId,
        next: &Point,
        call: Calling<'p>,
        target: FunctionId,
    ) -> Result<(), Overflow> {
        let Calling { stmt, args, result, .. } = call;
        let function = self.modules[module].function;
        let model = self.model;
        let evaluator = self.evaluator(function);
        let params = &model.program.functions[target].params;
        // Arguments that are conditions are decided both ways, one after the other.
        let mut ways = vec![(next.at.clone(), Vec::<(CellId, Value)>::new())];
        for (param, arg) in params.iter().zip(args) {
            let Some(cell) = model.cells.find(Root::Local(target, *param), None) else { continue };
            if !self.slice.follows(cell) {
                continue;
            }
            let mut more = Vec::new();
            for (at, bound) in ways {
                for (at, value) in evaluator.values(&at, arg) {
                    let mut bound = bound.clone();
                    bound.push((cell, value));
                    more.push((at, bound));
                }
            }
            ways = more;
        }
        let tag = self.tag(function, stmt, model.name(target), None);
        let unwatched = model.sites.unwatched.contains(&(function, stmt.id));
        for (mut at, bound) in ways {
            // Arrays that are handed over may be written to, and so may variables where the pointer is not followed.
            self.forget_arrays(function, &mut at, args);
            for (position, arg) in args.iter().enumerate() {
                let param = params.get(position).and_then(|param| model.cells.find(Root::Local(target, *param), None));
                if !param.is_some_and(|param| self.slice.follows(param))
                    && let Value::Is(Constant::Address(cell)) = evaluator.value(&at, arg)
                {
                    at.set(cell, Value::Unknown);
                }
            }
            let touched = &self.slice.touched[&target];
            let mut entry = at.clone();
            entry.retain(|cell| touched.contains(&cell));
            for (cell, value) in bound {
                entry.set(cell, value);
            }
            let mut lent = BTreeSet::new();
            let mut open: Vec<CellId> = addresses(&entry);
            while let Some(cell) = open.pop() {
                if !touched.contains(&cell) && lent.insert(cell) {
                    let value = at.get(cell).cloned().unwrap_or(Value::Unknown);
                    if let Value::Is(Constant::Address(further)) = value {
                        open.push(further);
                    }
                    entry.set(cell, value);
                }
            }
            let callee = self.module(target, entry)?;
            let waiting =
                Waiting { module, from: state, point: Point { at, ..next.clone() }, result, lent, tag, unwatched };
            self.modules[callee].waiting.push(waiting.clone());
            for exit in 0..self.modules[callee].exits.len() {
                self.resume(callee, exit, &waiting)?;
            }
        }
        Ok(())
    }
}

/// The addresses among the values.
fn addresses(at: &Valuation) -> Vec<CellId> {
    let address = |(_, value): &(CellId, Value)| match value {
        Value::Is(Constant::Address(cell)) => Some(*cell),
        _ => None,
    };
    at.iter().filter_map(address).collect()
}
