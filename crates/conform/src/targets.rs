//! What a call through a pointer can reach: per variable, per field, per parameter, whatever flows into it.
//!
//! Flow-insensitive inclusion: `work = unzip` puts `unzip` into the set of `work`, `p = q` puts the set of `q` into
//! that of `p`, a call puts the arguments into the parameters. Elements of an array share one set, and so do the same
//! fields of all objects of a type. What cannot be followed (a pointer read through a pointer, or returned by a library
//! function) falls back to all functions of a fitting type whose address is taken ([`ir::CallGraph::targets`]).
//!
//! *Guarantee*: no smaller than the real set, with the provisos of the call graph. *Cost*: edges times functions.

use super::cells::without_conversions;
use ir::{
    Base, CallGraph, Callee, Expr, ExprKind, FunctionId, GlobalId, InitValue, LocalId, Lvalue, Program, RecordId, Step,
    StmtKind, Type, TypeId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What holds a pointer to a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    Field(RecordId, u32),
    Result(FunctionId),
}

/// The targets of all calls through pointers.
pub(super) struct Targets {
    sets: BTreeMap<Holder, BTreeSet<FunctionId>>,
    /// Holders that something unknown flows into.
    open: BTreeSet<Holder>,
    /// Functions that are stored through pointers, so that any holder may have them.
    loose: BTreeSet<FunctionId>,
    /// Something unknown is stored through a pointer.
    blurred: bool,
}

/// Where a value comes from.
enum Origin {
    Function(FunctionId),
    Holder(Holder),
    Nothing,
    Anything,
}

struct Flow<'p> {
    program: &'p Program,
    graph: &'p CallGraph,
    targets: Targets,
    copies: BTreeSet<(Holder, Holder)>,
}

impl Targets {
    pub fn new(program: &Program, graph: &CallGraph) -> Targets {
        let targets = Targets { sets: BTreeMap::new(), open: BTreeSet::new(), loose: BTreeSet::new(), blurred: false };
        let mut flow = Flow { program, graph, targets, copies: BTreeSet::new() };
        flow.collect();
        let Flow { mut targets, copies, .. } = flow;
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in &copies {
                if targets.open.contains(from) {
                    changed |= targets.open.insert(*to);
                }
                let known = targets.sets.get(from).cloned().unwrap_or_default();
                let set = targets.sets.entry(*to).or_default();
                let before = set.len();
                set.extend(known);
                changed |= set.len() > before;
            }
        }
        targets
    }

    /// What a call through this pointer may reach, ascending.
    pub fn of(&self, program: &Program, graph: &CallGraph, function: FunctionId, pointer: &Expr) -> Vec<FunctionId> {
        let mut origins = Vec::new();
        origin(program, function, pointer, &mut origins);
        let mut found = BTreeSet::new();
        let fits = |id: &&FunctionId| {
            let to = program.types.pointee(pointer.ty);
            to.is_some_and(|to| program.types.matches(program.functions[**id].ty, to))
        };
        for origin in origins {
            match origin {
                Origin::Function(id) => drop(found.insert(id)),
                Origin::Holder(holder) if !self.open.contains(&holder) && !self.blurred => {
                    found.extend(self.loose.iter().filter(fits));
                    found.extend(self.sets.get(&holder).into_iter().flatten());
                }
                Origin::Nothing => {}
                Origin::Holder(_) | Origin::Anything => return graph.targets(program, pointer),
            }
        }
        found.into_iter().collect()
    }
}

impl Flow<'_> {
    fn collect(&mut self) {
        let program = self.program;
        for (id, global) in program.globals.iter() {
            for item in global.init.iter().flat_map(|init| &init.items) {
                let InitValue::Expr(value) = &item.value else { continue };
                if let ExprKind::Function(function) = without_conversions(value).kind {
                    let holder = member_at(program, global.ty, item.offset).unwrap_or(Holder::Global(id));
                    self.targets.sets.entry(holder).or_default().insert(function);
                }
            }
        }
        for (function, definition, body) in program.defined_functions() {
            body.walk(&mut |stmt| match &stmt.kind {
                StmtKind::Assign { target, value } if is_function_pointer(program, value.ty) => {
                    match holder(program, function, target) {
                        Some(to) => self.flow(function, value, to),
                        // Stored through a pointer: any holder may be meant.
                        None => {
                            let mut origins = Vec::new();
                            origin(program, function, value, &mut origins);
                            for origin in origins {
                                match origin {
                                    Origin::Function(id) => drop(self.targets.loose.insert(id)),
                                    Origin::Nothing => {}
                                    Origin::Holder(_) | Origin::Anything => self.targets.blurred = true,
                                }
                            }
                        }
                    }
                }
                StmtKind::Call { callee, args, result } => {
                    let callees = match callee {
                        Callee::Function(id) => vec![*id],
                        Callee::Pointer(pointer) => self.graph.targets(program, pointer),
                        Callee::Intrinsic(_) => return,
                    };
                    for callee in callees {
                        let called = &program.functions[callee];
                        for (param, arg) in called.params.iter().zip(args) {
                            if is_function_pointer(program, arg.ty) {
                                self.flow(function, arg, Holder::Local(callee, *param));
                            }
                        }
                        let Some(result) = result.as_ref().filter(|r| is_function_pointer(program, r.ty)) else {
                            continue;
                        };
                        if let Some(to) = holder(program, function, result) {
                            if called.body.is_none() {
                                self.targets.open.insert(to);
                            }
                            self.copies.insert((Holder::Result(callee), to));
                        }
                    }
                }
                StmtKind::Return(Some(value)) if is_function_pointer(program, value.ty) => {
                    self.flow(function, value, Holder::Result(function));
                }
                _ => {}
            });
            // The parameters of what the library may call back, or what starts the program, are open.
            if definition.name == "main" {
                self.targets.open.extend(definition.params.iter().map(|param| Holder::Local(function, *param)));
            }
        }
    }

    fn flow(&mut self, function: FunctionId, value: &Expr, to: Holder) {
        let mut origins = Vec::new();
        origin(self.program, function, value, &mut origins);
        for origin in origins {
            match origin {
                Origin::Function(id) => drop(self.targets.sets.entry(to).or_default().insert(id)),
                Origin::Holder(from) => drop(self.copies.insert((from, to))),
                Origin::Nothing => {}
                Origin::Anything => drop(self.targets.open.insert(to)),
            }
        }
    }
}

fn is_function_pointer(program: &Program, ty: TypeId) -> bool {
    program.types.pointee(ty).is_some_and(|to| program.types.signature(to).is_some())
}

fn origin(program: &Program, function: FunctionId, value: &Expr, found: &mut Vec<Origin>) {
    match &without_conversions(value).kind {
        ExprKind::Function(id) => found.push(Origin::Function(*id)),
        ExprKind::Int(_) => found.push(Origin::Nothing),
        ExprKind::Load(lvalue) => found.push(match holder(program, function, lvalue) {
            Some(holder) => Origin::Holder(holder),
            None => Origin::Anything,
        }),
        ExprKind::Conditional(_, a, b) => {
            origin(program, function, a, found);
            origin(program, function, b, found);
        }
        _ => found.push(Origin::Anything),
    }
}

fn holder(program: &Program, function: FunctionId, lvalue: &Lvalue) -> Option<Holder> {
    let mut ty = match &lvalue.base {
        Base::Local(id) => program.functions[function].locals[*id].ty,
        Base::Global(id) => program.globals[*id].ty,
        Base::Deref(pointer) => program.types.pointee(pointer.ty)?,
    };
    let mut held = match lvalue.base {
        Base::Local(id) => Some(Holder::Local(function, id)),
        Base::Global(id) => Some(Holder::Global(id)),
        Base::Deref(_) => None,
    };
    for step in &lvalue.path {
        match step {
            Step::Index(_) => ty = program.types.element(ty)?,
            Step::Field(field) => {
                let Type::Record(record) = program.types.get(ty) else { return None };
                held = Some(Holder::Field(*record, *field));
                ty = program.types.records[*record].fields.as_ref()?.get(*field as usize)?.ty;
            }
        }
    }
    held
}

/// The record field that lies at an offset of an object.
fn member_at(program: &Program, ty: TypeId, offset: u64) -> Option<Holder> {
    match program.types.get(ty) {
        Type::Array { of, .. } => member_at(program, *of, offset % program.types.size_of(*of).filter(|s| *s > 0)?),
        Type::Record(record) => {
            let fields = program.types.records[*record].fields.as_ref()?;
            let index = fields.iter().rposition(|field| field.offset <= offset)?;
            let field = &fields[index];
            let inner = member_at(program, field.ty, offset - field.offset);
            Some(inner.unwrap_or(Holder::Field(*record, index as u32)))
        }
        _ => None,
    }
}
