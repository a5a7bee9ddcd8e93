//! What calls do to the state: the ones that are followed, and the ones of which only the effects are known.

use super::encode::{Encoder, scalar_term};
use super::graph::{bodies_run, written_globals};
use super::system::{Cut, CutId, Named, Property, PropertyId, PropertyKind, StateVariable, Transition, VariableId};
use diagnostics::Span;
use exec::ValueType;
use ir::{Callee, Expr, FunctionId, Intrinsic, Lvalue, Stmt, StmtKind};
use observe::locations::result_of;
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet};
use symex::access::Location;
use symex::library::{Effect, effect_of_call};
use symex::{Evaluation, FrameId, Holds, Place, Returned, State, Value, copy_object};

impl<'p> Encoder<'_, 'p> {
    pub(super) fn enter(&mut self, cut: CutId, frame: FrameId, callee: FrameId, args: &'p [Expr], state: &mut State) {
        let objects = self.objects;
        let function = &self.program().functions[self.function_of(callee)];
        enum Bound {
            Scalar(Value),
            Whole(Option<Location>),
        }
        let values: Vec<Bound> = self.evaluate(cut, frame, state, |e| {
            let bind = |arg: &Expr| match objects.program.types.is_scalar(arg.ty) {
                true => Bound::Scalar(e.value(arg)),
                false => Bound::Whole(e.source(arg)),
            };
            args.iter().map(bind).collect()
        });
        // A jump may pass a declaration, after which the variable must not hold what it held in an earlier call.
        if !function.labels.is_empty() {
            for local in function.locals.keys().filter(|local| !function.params.contains(local)) {
                state.forget_object(objects, objects.local(callee, local));
            }
        }
        self.evaluate(cut, callee, state, |e| {
            for (position, &param) in function.params.iter().enumerate() {
                let object = objects.local(callee, param);
                let place = Place { object, fields: Vec::new(), ty: function.locals[param].ty };
                let location = Location { place, index: None };
                match values.get(position) {
                    // A call without a prototype may pass something else than the parameter's type.
                    Some(_)
                        if args[position].ty != function.locals[param].ty
                            && !objects.program.types.is_pointer(args[position].ty) =>
                    {
                        e.state.forget_object(objects, object);
                    }
                    Some(Bound::Scalar(value)) => e.write(&location, value),
                    Some(Bound::Whole(source)) => copy_object(e, &location, source.as_ref()),
                    None => e.state.forget_object(objects, object),
                }
            }
        });
    }

    pub(super) fn leave(
        &mut self,
        cut: CutId,
        frame: FrameId,
        value: Option<&'p Expr>,
        caller: FrameId,
        result: Option<&'p Lvalue>,
        state: &mut State,
    ) {
        let objects = self.objects;
        let Some(value) = value else {
            if let Some(target) = result {
                self.put_unknown(cut, caller, target, state);
            }
            return;
        };
        if objects.program.types.is_scalar(value.ty) {
            let returned = self.evaluate(cut, frame, state, |e| e.value(value));
            if let Some(target) = result {
                if target.ty == value.ty || objects.program.types.is_pointer(value.ty) {
                    self.evaluate(cut, caller, state, |e| e.assign_value(target, &returned));
                } else {
                    self.put_unknown(cut, caller, target, state);
                }
            }
            return;
        }
        let source = self.evaluate(cut, frame, state, |e| e.source(value));
        let Some(target) = result else { return };
        self.evaluate(cut, caller, state, |e| match e.target(target) {
            Some(location) => copy_object(e, &location, source.as_ref()),
            None => {
                e.notes.obstacle("a record is written where it is not followed", target.span);
                e.state.forget_exposed(objects);
            }
        });
    }

    /// An activation of a recursive function starts: its parameters are bound, and nothing is known of its variables.
    pub(super) fn activate(&mut self, cut: CutId, frame: FrameId, stmt: &'p Stmt, callee: FrameId, state: &mut State) {
        let StmtKind::Call { args, .. } = &stmt.kind else { return };
        let objects = self.objects;
        let function = &self.program().functions[self.function_of(callee)];
        // The caller may be another activation of the same frame, so the arguments are taken before its variables go.
        self.enter(cut, frame, callee, args, state);
        for local in function.locals.keys().filter(|local| !function.params.contains(local)) {
            state.forget_object(objects, objects.local(callee, local));
        }
    }

    /// A call of a recursive function has come back: what it may have changed is unknown, and so is the result, but for
    /// what holds where activations end.
    pub(super) fn come_back(&mut self, cut: CutId, frame: FrameId, stmt: &'p Stmt, callee: FrameId, state: &mut State) {
        let StmtKind::Call { result, args, .. } = &stmt.kind else { return };
        let objects = self.objects;
        let id = self.function_of(callee);
        let function = &self.program().functions[id];
        let given: Vec<Option<TermId>> =
            self.evaluate(cut, frame, state, |e| args.iter().map(|arg| scalar_term(e, arg)).collect());
        let bodies = bodies_run(self.program(), self.calls, &[id]);
        state.forget_exposed(objects);
        for object in written_globals(objects, &bodies.into_iter().collect()).union(&self.foreign) {
            state.forget_object(objects, *object);
        }
        let types = &self.program().types;
        let result_type = types.signature(function.ty).map(|signature| signature.result);
        let value = result_type.filter(|ty| types.is_scalar(*ty)).map(|ty| {
            let value = self.evaluate(cut, frame, state, |e| e.fresh_value(ty, "result"));
            (ty, value)
        });
        let mut names = BTreeMap::new();
        for (name, shown) in self.shown_at_results(id) {
            let param = function.params.iter().position(|p| function.locals[*p].name == name);
            let mut globals = self.program().globals.iter().filter(|(_, global)| global.name == name);
            let global = globals.next();
            let is_clear = globals.next().is_none();
            let term = match (param, global, &value) {
                (None, Some(_), _) if !is_clear => None,
                // A call without a prototype may pass something else than the parameter's type.
                (Some(position), ..) if args.get(position).is_some_and(|arg| arg.ty == shown) => given[position],
                (Some(_), ..) => None,
                (None, Some((global, about)), _) if about.ty == shown => {
                    let cell = objects.cell_of(objects.global(global), &[]);
                    cell.filter(|cell| objects.cell(*cell).extents.is_empty()).map(|cell| state.get(objects, cell))
                }
                (None, None, Some((ty, Value::Number(number)))) if *ty == shown => Some(number.term),
                (None, None, Some((ty, Value::Float(term)))) if *ty == shown => Some(*term),
                _ => None,
            };
            let ty = ValueType::of(types, shown);
            names.extend(term.zip(ty).map(|value| (name, value)));
        }
        state.path.returned.push(Returned { function: id, when: objects.pool.bool(true), names });
        match (result, value) {
            (Some(target), Some((ty, value))) if ty == target.ty || types.is_pointer(ty) => {
                self.evaluate(cut, frame, state, |e| e.assign_value(target, &value));
            }
            (Some(target), _) => self.put_unknown(cut, frame, target, state),
            (None, _) => {}
        }
    }

    /// The names and types of what is shown where a function's activations end.
    fn shown_at_results(&self, function: FunctionId) -> Vec<(String, ir::TypeId)> {
        let about = &self.program().functions[function];
        let mut shown = Vec::new();
        if let Some(body) = &about.body {
            body.walk(&mut |stmt| match &stmt.kind {
                StmtKind::Trace(point) if point.name == result_of(&about.name) => {
                    shown = point.values.iter().map(|(name, value)| (name.clone(), value.ty)).collect();
                }
                _ => {}
            });
        }
        shown
    }

    /// Anything may be in the object now.
    fn put_unknown(&mut self, cut: CutId, frame: FrameId, target: &'p Lvalue, state: &mut State) {
        let objects = self.objects;
        self.evaluate(cut, frame, state, |e| {
            if objects.program.types.is_scalar(target.ty) {
                let value = e.fresh_value(target.ty, "result");
                e.assign_value(target, &value);
            } else {
                match e.target(target) {
                    Some(location) => copy_object(e, &location, None),
                    None => e.state.forget_exposed(objects),
                }
            }
        });
    }

    #[expect(clippy::too_many_arguments, reason = "a call has that many parts")]
    pub(super) fn call(
        &mut self,
        cut: CutId,
        frame: FrameId,
        stmt: &'p Stmt,
        result: Option<&'p Lvalue>,
        callee: &'p Callee,
        args: &'p [Expr],
        state: &mut State,
    ) {
        let objects = self.objects;
        let program = self.program();
        let pool = &objects.pool;
        let values: Vec<Value> = self.evaluate(cut, frame, state, |e| args.iter().map(|arg| e.value(arg)).collect());
        self.decide_call(stmt);
        let (name, effect) = match callee {
            Callee::Intrinsic(Intrinsic::Nondet) => {
                let Some(target) = result else { return };
                let value = self.evaluate(cut, frame, state, |e| {
                    let value = e.fresh_value(target.ty, "nondet");
                    e.assign_value(target, &value);
                    value
                });
                if let Value::Number(number) = &value {
                    state.path.answers.push((number.term, pool.bool(true)));
                } else if let Value::Float(term) = value {
                    state.path.answers.push((term, pool.bool(true)));
                }
                return;
            }
            Callee::Intrinsic(Intrinsic::Alloca) => ("alloca", Effect::Pure),
            Callee::Intrinsic(Intrinsic::SetJump) => ("setjmp", Effect::Chaos),
            Callee::Intrinsic(Intrinsic::LongJump) => ("longjmp", Effect::Chaos),
            Callee::Intrinsic(Intrinsic::Bind) => ("a nested function's address", Effect::Chaos),
            Callee::Intrinsic(_) => ("an argument list", Effect::WritesArguments),
            Callee::Function(id) if program.functions[*id].body.is_none() => {
                let name = program.functions[*id].name.as_str();
                (name, effect_of_call(program, name, args))
            }
            Callee::Function(id) => (program.functions[*id].name.as_str(), Effect::Unknown),
            Callee::Pointer(_) => ("a function pointer", Effect::Unknown),
        };
        match effect {
            Effect::Magnitude => {
                if let (Some(target), [arg], [value]) = (result, args, &values[..])
                    && target.ty == arg.ty
                {
                    let value = value.clone();
                    self.evaluate(cut, frame, state, |e| {
                        let magnitude = magnitude(e, value, arg);
                        e.assign_value(target, &magnitude);
                    });
                } else if let Some(target) = result {
                    self.put_unknown(cut, frame, target, state);
                }
                return;
            }
            Effect::Pure => {}
            Effect::Prints | Effect::WritesArguments => state.forget_exposed(objects),
            Effect::Ends => {
                state.dead = true;
                return;
            }
            Effect::Chaos => {
                self.notes.obstacle(format!("`{name}` is not supported"), stmt.span);
                self.loosen(cut, stmt.span, state);
                return;
            }
            Effect::Unknown => {
                self.notes.obstacle(format!("a call of {name} is not followed"), stmt.span);
                self.unfollowed(cut, frame, stmt, callee, state);
                if state.dead {
                    return;
                }
            }
        }
        if let Some(target) = result {
            self.put_unknown(cut, frame, target, state);
        }
    }

    /// A call of which only is known which bodies it may run.
    fn unfollowed(&mut self, cut: CutId, frame: FrameId, stmt: &'p Stmt, callee: &'p Callee, state: &mut State) {
        let objects = self.objects;
        let mut bodies: BTreeSet<FunctionId> =
            self.graph.opaque.get(&(frame, stmt.id)).into_iter().flatten().copied().collect();
        if let Callee::Pointer(pointer) = callee
            && self.calls.targets(self.program(), pointer).is_empty()
        {
            // The pointer comes from somewhere outside.
            let all: Vec<FunctionId> = self.calls.address_taken().collect();
            bodies.extend(bodies_run(self.program(), self.calls, &all));
        }
        let mut breaks_loose = false;
        for &id in &bodies {
            let function = &self.program().functions[id];
            let Some(body) = &function.body else { continue };
            let mut claims = Vec::new();
            let mut points = Vec::new();
            body.walk(&mut |inner| match &inner.kind {
                StmtKind::Assert { .. } => claims.push(inner.id),
                StmtKind::Trace(_) => points.push(inner),
                StmtKind::Unordered(_) => breaks_loose = true,
                _ if inner.obstacle().is_some() => breaks_loose = true,
                StmtKind::Call { callee: Callee::Function(target), args, .. } => {
                    let target = &self.program().functions[*target];
                    let effect = effect_of_call(self.program(), &target.name, args);
                    breaks_loose |= target.body.is_none() && effect == Effect::Chaos;
                }
                _ => {}
            });
            for claim in claims {
                if let Some(&property) = self.property_of.get(&(id, claim)) {
                    self.cannot_hold(cut, property, state);
                }
            }
            for point in points {
                self.shadow(cut, id, point, state);
            }
            if self.encoding.checks {
                let text = "every operation of a function that is not followed is defined";
                let next = PropertyId(self.properties.len() as u32);
                let key = (PropertyKind::Defined, text, id, Span::NONE);
                let property = *self.check_of.entry(key).or_insert(next);
                if property == next {
                    let text = format!("every operation in `{}` is defined", function.name);
                    let (kind, span) = (PropertyKind::Defined, function.span);
                    self.properties.push(Property { kind, text, span, met: true, unmodelled: None });
                }
                self.cannot_hold(cut, property, state);
            }
        }
        state.forget_exposed(objects);
        for object in written_globals(objects, &bodies).union(&self.foreign) {
            state.forget_object(objects, *object);
        }
        if breaks_loose {
            self.loosen(cut, stmt.span, state);
        }
    }

    /// An obligation that nobody can discharge, for a claim in code that is not followed.
    pub(super) fn cannot_hold(&mut self, cut: CutId, property: PropertyId, state: &State) {
        let mut state = state.clone();
        let claim = state.fresh_truth(self.objects);
        self.oblige(property, cut, state.path, claim);
    }

    /// A trace point in code that is not followed: it is reached with anything.
    fn shadow(&mut self, from: CutId, function: FunctionId, stmt: &'p Stmt, state: &State) {
        let StmtKind::Trace(point) = &stmt.kind else { return };
        let objects = self.objects;
        let (cut, variables) = match self.shadows.get(&(function, stmt.id)) {
            Some(known) => known.clone(),
            None => {
                let cut = CutId(self.cuts.len() as u32);
                let mut names = BTreeMap::new();
                let mut variables = Vec::new();
                for (name, value) in &point.values {
                    let Some(ty) = ValueType::of(&self.program().types, value.ty) else { continue };
                    let sort = objects.leaf_sort(match ty {
                        ValueType::Int(kind) => Holds::Int(kind, None),
                        ValueType::Float(kind) => Holds::Float(kind),
                    });
                    let symbol = objects.fresh(name, sort);
                    variables.push(VariableId(self.variables.len() as u32));
                    self.variables.push(StateVariable { name: format!("{name} at cut {}", cut.0), symbol });
                    names.insert(name.clone(), Named { term: symbol, ty });
                }
                self.cuts.push(Cut { name: point.name.clone(), span: Some(stmt.span), names, facts: Vec::new() });
                self.shadows.insert((function, stmt.id), (cut, variables.clone()));
                (cut, variables)
            }
        };
        let mut state = state.clone();
        let mut updates = BTreeMap::new();
        for variable in variables {
            let sort = objects.pool.sort_of(self.variables[variable.0 as usize].symbol);
            updates.insert(variable, state.fresh(objects, "unknown", sort, None));
        }
        self.transitions.push(Transition { from, to: cut, path: state.path, updates });
    }
}

/// The magnitude of a number.
fn magnitude(evaluation: &mut Evaluation<'_, '_>, value: Value, arg: &Expr) -> Value {
    match value {
        Value::Float(term) => Value::Float(evaluation.objects.floating().magnitude(term)),
        Value::Number(number) => Value::Number(evaluation.magnitude(&number, arg.into())),
        Value::Truth(_) => value,
        _ => evaluation.fresh_value(arg.ty, "magnitude"),
    }
}
