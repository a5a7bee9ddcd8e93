//! Where addresses of variables go: those that a callee keeps lead to stores that nobody sees coming.
//!
//! A variable whose address is an argument is followed through the call, because the parameter's value is the address.
//! That fails where the callee stores the address elsewhere, returns it, looks at it as a pointer of another type, or
//! hands it to a library function that writes to it.
//!
//! Flow-insensitive inclusion over the local pointers of all functions. *Guarantee*: an address that is not kept is
//! dereferenced, compared or passed on, and nothing else. *Cost*: edges times levels.

use super::cells::{Reached, without_conversions};
use super::sites::{Does, Sites};
use ir::{Base, CallGraph, Callee, Expr, ExprKind, FunctionId, LocalId, Lvalue, Program, Stmt, StmtKind, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Escape {
    /// It is dereferenced, compared and passed on to others who do the same.
    Nowhere,
    /// A library function may write to where it leads.
    Written,
    /// It may be somewhere when the call is over, or leads to something of another type.
    Kept,
}

type Pointer = (FunctionId, LocalId);

pub(super) struct Escapes {
    levels: BTreeMap<Pointer, Escape>,
}

impl Escapes {
    pub fn new(program: &Program, graph: &CallGraph, sites: &Sites) -> Escapes {
        let mut flow = Flow { program, graph, sites, levels: BTreeMap::new(), edges: BTreeSet::new() };
        for (function, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| flow.statement(function, stmt));
        }
        let Flow { mut levels, edges, .. } = flow;
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in &edges {
                let level = levels.get(to).copied().unwrap_or(Escape::Nowhere);
                let known = levels.entry(*from).or_insert(Escape::Nowhere);
                changed |= *known < level;
                *known = level.max(*known);
            }
        }
        Escapes { levels }
    }

    fn of(&self, pointer: Pointer) -> Escape {
        self.levels.get(&pointer).copied().unwrap_or(Escape::Nowhere)
    }

    /// What becomes of an address that is this argument of the call.
    pub fn of_argument(
        &self,
        program: &Program,
        graph: &CallGraph,
        callee: &Callee,
        position: usize,
        arg: &Expr,
    ) -> Escape {
        let plain = without_conversions(arg);
        let targets = match callee {
            Callee::Function(id) => vec![*id],
            Callee::Pointer(pointer) => graph.targets(program, pointer),
            Callee::Intrinsic(_) => return Escape::Kept,
        };
        let mut level = if targets.is_empty() { Escape::Kept } else { Escape::Nowhere };
        for target in targets {
            let called = &program.functions[target];
            level = level.max(match (&called.body, called.params.get(position)) {
                // The exploration sees the address in the call itself.
                (None, _) => Escape::Nowhere,
                (Some(_), Some(_)) if !passable(program, plain.ty, arg.ty) => Escape::Kept,
                (Some(_), Some(param)) => self.of((target, *param)),
                (Some(_), None) => Escape::Kept,
            });
        }
        level
    }
}

/// Whether a pointer may be handed on as this type: the same, or one that cannot be dereferenced.
fn passable(program: &Program, from: TypeId, to: TypeId) -> bool {
    let (Some(from), Some(to)) = (program.types.pointee(from), program.types.pointee(to)) else { return false };
    let same = || matches!((Reached::of(program, from), Reached::of(program, to)), (Some(a), Some(b)) if a == b);
    from == to || matches!(program.types.get(to), Type::Void) || same()
}

struct Flow<'p> {
    program: &'p Program,
    graph: &'p CallGraph,
    sites: &'p Sites,
    levels: BTreeMap<Pointer, Escape>,
    /// What flows from one pointer to another.
    edges: BTreeSet<(Pointer, Pointer)>,
}

impl<'p> Flow<'p> {
    fn raise(&mut self, pointer: Pointer, level: Escape) {
        let known = self.levels.entry(pointer).or_insert(Escape::Nowhere);
        *known = level.max(*known);
    }

    fn statement(&mut self, function: FunctionId, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                target.children().into_iter().for_each(|expr| self.used(function, expr));
                self.lvalue(function, target);
                let to = target.as_local().map(|local| (function, local));
                self.flows(function, value, value.ty, to);
            }
            StmtKind::Call { callee, args, result } => {
                result.iter().for_each(|target| self.lvalue(function, target));
                for (position, arg) in args.iter().enumerate() {
                    self.argument(function, stmt, callee, position, arg);
                }
                if let Callee::Pointer(pointer) = callee {
                    self.used(function, pointer);
                }
            }
            StmtKind::Return(Some(value)) => self.flows(function, value, value.ty, None),
            StmtKind::Zero(target) => self.lvalue(function, target),
            _ => stmt.exprs().into_iter().for_each(|expr| self.used(function, expr)),
        }
    }

    fn argument(&mut self, function: FunctionId, stmt: &Stmt, callee: &Callee, position: usize, arg: &'p Expr) {
        let program = self.program;
        let targets = match callee {
            Callee::Function(id) => vec![*id],
            Callee::Pointer(pointer) => self.graph.targets(program, pointer),
            Callee::Intrinsic(_) => Vec::new(),
        };
        let moves = |site: Option<usize>| site.is_some_and(|site| matches!(self.sites.all[site].does, Does::Moves(_)));
        let direct = moves(self.sites.find(function, stmt.id));
        if direct {
            // What is read through a pointer is seen where the call is.
            return self.used(function, without_conversions(arg));
        }
        if targets.is_empty() {
            return self.flows(function, arg, arg.ty, None);
        }
        for target in targets {
            let called = &program.functions[target];
            if called.body.is_some() {
                let to = called.params.get(position).map(|param| (target, *param));
                self.flows(function, arg, arg.ty, to);
                continue;
            }
            let signature = program.types.signature(called.ty);
            let param = signature.and_then(|signature| signature.params.get(position));
            let reads = param.is_some_and(|ty| matches!(program.types.get(*ty), Type::Pointer { to_const: true, .. }));
            let level = if reads { Escape::Nowhere } else { Escape::Written };
            self.each_pointer(function, without_conversions(arg), &mut |flow, pointer| flow.raise(pointer, level));
        }
    }

    /// An expression whose value goes to a local pointer, or to where it cannot be followed.
    fn flows(&mut self, function: FunctionId, value: &'p Expr, ty: TypeId, to: Option<Pointer>) {
        let plain = without_conversions(value);
        let same = passable(self.program, plain.ty, ty);
        self.each_pointer(function, plain, &mut |flow, pointer| match to.filter(|_| same) {
            Some(to) => drop(flow.edges.insert((pointer, to))),
            None => flow.raise(pointer, Escape::Kept),
        });
    }

    /// The local pointers whose value an expression may have; what is only used inside of it is looked at too.
    fn each_pointer(&mut self, function: FunctionId, expr: &'p Expr, visit: &mut dyn FnMut(&mut Self, Pointer)) {
        match &expr.kind {
            ExprKind::Load(lvalue) => {
                self.lvalue(function, lvalue);
                if let Some(local) = lvalue.as_local() {
                    visit(self, (function, local));
                }
            }
            ExprKind::Convert { value, .. } => {
                let plain = without_conversions(value);
                if passable(self.program, plain.ty, expr.ty) {
                    self.each_pointer(function, plain, visit);
                } else {
                    self.kept(function, plain);
                }
            }
            ExprKind::Binary(ir::BinaryOp::PointerAdd, pointer, by) => {
                self.each_pointer(function, pointer, visit);
                self.used(function, by);
            }
            ExprKind::Conditional(cond, a, b) => {
                self.used(function, cond);
                self.each_pointer(function, a, visit);
                self.each_pointer(function, b, visit);
            }
            _ => self.used(function, expr),
        }
    }

    /// Every pointer in here is beyond following.
    fn kept(&mut self, function: FunctionId, expr: &'p Expr) {
        self.each_pointer(function, expr, &mut |flow, pointer| flow.raise(pointer, Escape::Kept));
    }

    fn lvalue(&mut self, function: FunctionId, lvalue: &'p Lvalue) {
        lvalue.children().into_iter().for_each(|expr| self.used(function, expr));
    }

    /// An expression that is compared, dereferenced or computed with; conversions inside make other pointers of it.
    fn used(&mut self, function: FunctionId, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Load(lvalue) => self.lvalue(function, lvalue),
            ExprKind::AddressOf(lvalue) => {
                // The address of a variable that holds an address.
                if let Base::Local(local) = lvalue.base
                    && lvalue.path.is_empty()
                {
                    self.raise((function, local), Escape::Kept);
                }
                self.lvalue(function, lvalue);
            }
            ExprKind::Unary(_, a) => self.used(function, a),
            ExprKind::Convert { value, .. } => {
                let pointer = self.program.types.is_pointer(value.ty);
                let truth = self.program.types.int_kind(expr.ty) == Some(ir::IntKind::Bool);
                if pointer && !truth && !passable(self.program, value.ty, expr.ty) {
                    self.kept(function, value);
                } else {
                    self.used(function, value);
                }
            }
            ExprKind::Binary(_, a, b) | ExprKind::Logical(_, a, b) => {
                self.used(function, a);
                self.used(function, b);
            }
            ExprKind::Conditional(cond, a, b) => {
                self.used(function, cond);
                self.used(function, a);
                self.used(function, b);
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => {}
        }
    }
}
