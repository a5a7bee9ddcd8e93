//! Which expressions may be a standard stream or its descriptor.
//!
//! *Guarantee*: an expression that is not one of these holds the stream only if it was read from memory that was written as
//! another type, or came out of a function without a body. Of descriptors, those that are written through pointers to variables
//! are missed too. Flow is not followed: a variable that ever holds the stream may always hold it.

use super::cells::without_conversions;
use ir::{
    Base, CallGraph, Callee, Expr, ExprKind, FunctionId, GlobalId, LocalId, Lvalue, Program, Step, StmtKind, TypeId,
};
use std::collections::BTreeSet;

/// What can hold a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Local(FunctionId, LocalId),
    Global(GlobalId),
    /// A member, in all records of the type.
    Member(TypeId, u32),
    /// Elements of arrays, and what pointers lead to.
    Elements(TypeId),
    Result(FunctionId),
}

pub(super) struct Standard<'p> {
    program: &'p Program,
    stream: &'static str,
    descriptor: i128,
    holders: BTreeSet<Holder>,
}

impl<'p> Standard<'p> {
    pub fn new(program: &'p Program, graph: &CallGraph, stream: &'static str, descriptor: i128) -> Standard<'p> {
        let mut standard = Standard { program, stream, descriptor, holders: BTreeSet::new() };
        loop {
            let before = standard.holders.len();
            for (id, _, _) in program.defined_functions() {
                standard.spread(graph, id);
            }
            standard.spread_initial();
            if standard.holders.len() == before {
                return standard;
            }
        }
    }

    /// Whether the value of an expression in a function may be the stream or its descriptor.
    pub fn may_be(&self, function: FunctionId, expr: &Expr) -> bool {
        let expr = without_conversions(expr);
        match &expr.kind {
            ExprKind::Int(value) => *value == self.descriptor,
            ExprKind::Load(Lvalue { base: Base::Global(id), path, .. })
                if path.is_empty() && self.program.globals[*id].name == self.stream =>
            {
                true
            }
            ExprKind::Load(lvalue) => {
                let by_pointer = self.program.types.is_pointer(lvalue.ty) && lvalue.path.is_empty();
                self.holders.contains(&self.holder(function, lvalue))
                    || by_pointer && self.holders.contains(&Holder::Elements(lvalue.ty))
            }
            ExprKind::Conditional(_, a, b) => self.may_be(function, a) || self.may_be(function, b),
            _ => false,
        }
    }

    fn holder(&self, function: FunctionId, lvalue: &Lvalue) -> Holder {
        match (&lvalue.base, lvalue.path.split_last()) {
            (Base::Local(local), None) => Holder::Local(function, *local),
            (Base::Global(global), None) => Holder::Global(*global),
            (base, Some((Step::Field(field), before))) => {
                let locals = &self.program.functions[function].locals;
                let ty = self.program.base_type(Some(locals), base);
                let types = &self.program.types;
                match before.iter().try_fold(ty, |ty, step| ty.map(|ty| types.step(ty, step))) {
                    Some(Some(record)) => Holder::Member(record, *field),
                    _ => Holder::Elements(lvalue.ty),
                }
            }
            _ => Holder::Elements(lvalue.ty),
        }
    }

    fn spread(&mut self, graph: &CallGraph, id: FunctionId) {
        let program = self.program;
        let Some(body) = &program.functions[id].body else { return };
        let mut found = Vec::new();
        body.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { target, value } if self.may_be(id, value) => {
                found.push(self.holder(id, target));
                // A pointer to a variable may be what is written through.
                if let Base::Deref(_) = target.base {
                    found.push(Holder::Elements(target.ty));
                }
            }
            StmtKind::Return(Some(value)) if self.may_be(id, value) => found.push(Holder::Result(id)),
            StmtKind::Call { result, callee, args } => {
                let targets = match callee {
                    Callee::Function(target) => vec![*target],
                    Callee::Pointer(pointer) => graph.targets(program, pointer),
                    Callee::Intrinsic(_) => Vec::new(),
                };
                for target in targets {
                    let called = &program.functions[target];
                    let passed = called.params.iter().zip(args).filter(|(_, arg)| self.may_be(id, arg));
                    found.extend(passed.map(|(param, _)| Holder::Local(target, *param)));
                    let is_number = called.name.starts_with("fileno") && args.iter().any(|arg| self.may_be(id, arg));
                    if let Some(result) = result
                        && (is_number || self.holders.contains(&Holder::Result(target)))
                    {
                        found.push(self.holder(id, result));
                    }
                }
            }
            _ => {}
        });
        self.holders.extend(found);
    }

    fn spread_initial(&mut self) {
        let mut found = Vec::new();
        for (id, global) in self.program.globals.iter().filter(|(_, global)| self.program.types.is_scalar(global.ty)) {
            let items = global.init.as_ref().map_or(&[][..], |init| &init.items);
            if let [ir::InitItem { value: ir::InitValue::Expr(value), .. }] = items
                && matches!(without_conversions(value).kind, ExprKind::Int(value) if value == self.descriptor)
            {
                found.push(Holder::Global(id));
            }
        }
        self.holders.extend(found);
    }
}
