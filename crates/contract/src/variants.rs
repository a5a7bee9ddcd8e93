//! Programs made for one proof: what a harness can reach and no more, with stand-ins in place of callees.

use ir::{
    Base, CallGraph, Callee, EntitySet, Expr, ExprKind, FunctionId, GlobalKind, Length, Lvalue, Program, RecordKind,
    StmtKind, Type,
};
use std::collections::{BTreeMap, BTreeSet};

/// What of a program's bodies may be left out where they are not called.
pub struct Outline {
    /// The program with no bodies but those that take addresses of functions or of globals, which say what a pointer
    /// may lead to.
    bare: Program,
    kept: EntitySet<FunctionId>,
}

impl Outline {
    pub fn of(program: &Program) -> Outline {
        let mut bare = Program {
            data: program.data,
            types: program.types.clone(),
            globals: program.globals.clone(),
            functions: Default::default(),
            sources: program.sources.clone(),
        };
        let mut kept = EntitySet::new();
        for (id, function) in &program.functions {
            let mut takes = false;
            if let Some(body) = &function.body {
                body.walk(&mut |stmt| {
                    takes |= stmt.exprs().into_iter().any(|expr| takes_address(program, expr));
                });
            }
            let mut copy = ir::Function { body: None, locals: Default::default(), ..function.clone() };
            if takes {
                kept.insert(id);
                copy = function.clone();
            } else {
                for (_, local) in function.locals.iter().take(function.params.len()) {
                    copy.locals.push(local.clone());
                }
            }
            bare.functions.push(copy);
        }
        Outline { bare, kept }
    }

    /// What `entry` reaches where calls of these functions are those of others. Calls that stand in `entry` itself are
    /// left alone.
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
        debug_assert!(self.kept.keys().all(|id| copy.functions[id].body.is_some()), "what takes addresses should stay");
        (copy, seen.into_iter().collect())
    }
}

fn takes_address(program: &Program, expr: &Expr) -> bool {
    let mut takes = false;
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Function(_) => takes = true,
        ExprKind::AddressOf(Lvalue { base: Base::Global(id), .. }) => {
            takes |= program.globals[*id].kind != GlobalKind::StringLiteral;
        }
        _ => {}
    });
    takes
}

/// Whether every pointer to this type is used for one object: none is computed with, indexed, or made of a pointer to
/// something else, so that a copy of the one object stands for it.
pub fn is_single(program: &Program, functions: &[FunctionId], to: ir::TypeId) -> bool {
    let types = &program.types;
    let leads = |ty: ir::TypeId| types.pointee(ty) == Some(to);
    let mut single = match types.get(to) {
        Type::Void | Type::Function(_) => false,
        // What stands behind the last member may belong to it.
        Type::Record(record) => {
            let fields = types.records[*record].fields.as_deref().unwrap_or_default();
            let ends_open =
                |ty| matches!(types.get(ty), Type::Array { length, .. } if !matches!(length, Length::Fixed(2..)));
            types.records[*record].kind == RecordKind::Struct && !fields.last().is_none_or(|field| ends_open(field.ty))
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
                    // What is released is the object itself, of which there is only a copy.
                    _ => {}
                });
            }
        });
    }
    single
}
