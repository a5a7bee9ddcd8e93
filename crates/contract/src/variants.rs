//! Programs made for one proof: what a harness can reach and no more, with stand-ins in place of callees.

use crate::harness;
use ir::{CallGraph, Callee, Expr, ExprKind, FunctionId, Length, Program, RecordKind, StmtKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A program without the harnesses. All that the user wrote stays, whether it is called or not: which globals are ever
/// set, whose address is taken and what other files may call is a question about the whole program.
pub struct Outline {
    bare: Program,
}

impl Outline {
    pub fn of(program: &Program) -> Outline {
        let mut bare = program.clone();
        for function in bare.functions.values_mut().filter(|function| harness::is_ours(&function.name)) {
            function.body = None;
        }
        Outline { bare }
    }

    /// The program with `entry` and what it reaches where calls of these functions are those of others; and what that
    /// is. Calls that stand in `entry` itself are left alone.
    pub fn reached(
        &self,
        program: &Program,
        entry: FunctionId,
        instead: &BTreeMap<FunctionId, FunctionId>,
    ) -> (Program, Vec<FunctionId>) {
        let mut copy = self.bare.clone();
        let mut open = vec![entry];
        let mut seen = BTreeSet::from([entry]);
        while let Some(id) = open.pop() {
            let mut function = program.functions[id].clone();
            let mut called = Vec::new();
            let mut by_pointer = false;
            if let Some(body) = &mut function.body {
                body.walk_mut(&mut |stmt| {
                    if let StmtKind::Call { callee, .. } = &mut stmt.kind {
                        match callee {
                            Callee::Function(target) => {
                                if id != entry
                                    && let Some(other) = instead.get(target)
                                {
                                    *target = *other;
                                }
                                called.push(*target);
                            }
                            Callee::Pointer(_) => by_pointer = true,
                            Callee::Intrinsic(_) => {}
                        }
                    }
                });
            }
            copy.functions[id] = function;
            if by_pointer {
                called.extend(CallGraph::new(program).address_taken());
            }
            for target in called {
                if program.functions[target].body.is_some() && seen.insert(target) {
                    open.push(target);
                }
            }
        }
        (copy, seen.into_iter().collect())
    }
}

/// Whether every pointer to this type is used for one object: none is computed with, indexed, or made of a pointer to
/// something else, so that a copy of the one object stands for it.
pub fn is_single(program: &Program, functions: &[FunctionId], to: ir::TypeId) -> bool {
    let types = &program.types;
    let leads = |ty: ir::TypeId| types.pointee(ty) == Some(to);
    let mut single = !types.has_volatile_parts
        && match types.get(to) {
            Type::Void | Type::Function(_) => false,
            // What stands behind the last member may belong to it.
            Type::Record(record) => {
                let fields = types.records[*record].fields.as_deref().unwrap_or_default();
                let ends_open =
                    |ty| matches!(types.get(ty), Type::Array { length, .. } if !matches!(length, Length::Fixed(2..)));
                types.records[*record].kind == RecordKind::Struct
                    && !fields.last().is_none_or(|field| ends_open(field.ty))
            }
            _ => types.size_of(to).is_some(),
        };
    for id in functions {
        let Some(body) = &program.functions[*id].body else { continue };
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |part| match &part.kind {
                    ExprKind::Binary(op, left, _) if *op == ir::BinaryOp::PointerAdd || *op == ir::BinaryOp::PointerDiff => {
                        single &= !leads(left.ty);
                    }
                    ExprKind::Binary(op, left, right) if op.is_comparison() && types.is_pointer(left.ty) => {
                        let is_null = |side: &Expr| matches!(&side.kind, ExprKind::Convert { value, .. } if matches!(value.kind, ExprKind::Int(0)));
                        single &= !leads(left.ty) || is_null(left) || is_null(right);
                    }
                    ExprKind::Convert { value, .. } if types.is_pointer(value.ty) || types.is_pointer(part.ty) => {
                        let is_null = matches!(value.kind, ExprKind::Int(0));
                        let truth = types.int_kind(part.ty) == Some(ir::IntKind::Bool);
                        // Another type's pointer made of this one may look beside the object.
                        single &= is_null || truth || !leads(value.ty) && !leads(part.ty) || part.ty == value.ty
                            || types.pointee(part.ty) == types.pointee(value.ty);
                    }
                    _ => {}
                });
            }
        });
    }
    single
}
