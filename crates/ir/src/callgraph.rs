//! Who calls whom, through pointers too, and which functions are recursive.
//!
//! *Targets of a call through a pointer*: the functions whose address is taken anywhere in the program (in any
//! expression but a direct call, or in an initialiser) and whose type matches the one the pointer points to
//! ([`Types::matches`](crate::Types::matches)). A call through a pointer of another type than the function's is
//! undefined in C, so no defined run has a target outside of this set, with one exception: a pointer that comes from
//! a function without a body (`dlsym`, a library's own callback) can point to code that is not in the program.
//!
//! *Not included*: a function without a body may call whatever its arguments let it reach (`qsort` its comparison).
//! Such calls are no edges here. [`CallGraph::may_call_back`] says which functions they could reach.
//!
//! *Guarantee*: with those two provisos every call of a defined run is an edge. There may be edges that no run takes:
//! flow is not followed, so a table of handlers of one signature is not told apart from another table of theirs.
//! *Cost*: linear in the program, plus call sites through pointers times functions whose address is taken.

use crate::expr::{Expr, ExprKind};
use crate::program::{FunctionId, InitValue, Program};
use crate::scc::components;
use crate::stmt::{Callee, StmtId, StmtKind};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};

/// A statement that calls, and what it may call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub stmt: StmtId,
    /// Whether the callee is named.
    pub direct: bool,
    /// Ascending. Calls of intrinsics are no call sites.
    pub targets: Vec<FunctionId>,
}

pub struct CallGraph {
    sites: SecondaryMap<FunctionId, Vec<CallSite>>,
    callees: SecondaryMap<FunctionId, Vec<FunctionId>>,
    callers: SecondaryMap<FunctionId, Vec<FunctionId>>,
    address_taken: EntitySet<FunctionId>,
    components: Vec<Vec<FunctionId>>,
    component_of: SecondaryMap<FunctionId, u32>,
}

impl CallGraph {
    pub fn new(program: &Program) -> CallGraph {
        let address_taken = address_taken(program);
        let mut graph = CallGraph {
            sites: SecondaryMap::new(),
            callees: SecondaryMap::new(),
            callers: SecondaryMap::new(),
            address_taken,
            components: Vec::new(),
            component_of: SecondaryMap::new(),
        };
        for (id, _, body) in program.defined_functions() {
            let mut sites = Vec::new();
            body.walk(&mut |stmt| {
                let StmtKind::Call { callee, .. } = &stmt.kind else { return };
                let (direct, targets) = match callee {
                    Callee::Function(target) => (true, vec![*target]),
                    Callee::Pointer(pointer) => (false, graph.targets(program, pointer)),
                    Callee::Intrinsic(_) => return,
                };
                sites.push(CallSite { stmt: stmt.id, direct, targets });
            });
            let mut callees: Vec<FunctionId> = sites.iter().flat_map(|site| site.targets.iter().copied()).collect();
            callees.sort();
            callees.dedup();
            for callee in &callees {
                graph.callers[*callee].push(id);
            }
            graph.callees[id] = callees;
            graph.sites[id] = sites;
        }
        let lists: Vec<Vec<u32>> =
            program.functions.keys().map(|id| graph.callees[id].iter().map(|c| c.as_u32()).collect()).collect();
        for component in components(&lists) {
            let members: Vec<FunctionId> = component.into_iter().map(FunctionId::from_u32).collect();
            for member in &members {
                graph.component_of[*member] = graph.components.len() as u32;
            }
            graph.components.push(members);
        }
        graph
    }

    /// What a call through this pointer may reach.
    pub fn targets(&self, program: &Program, pointer: &Expr) -> Vec<FunctionId> {
        let Some(to) = program.types.pointee(pointer.ty) else { return Vec::new() };
        let fits = |id: &FunctionId| program.types.matches(program.functions[*id].ty, to);
        self.address_taken().filter(fits).collect()
    }

    pub fn sites(&self, caller: FunctionId) -> &[CallSite] {
        &self.sites[caller]
    }

    /// Ascending.
    pub fn callees(&self, caller: FunctionId) -> &[FunctionId] {
        &self.callees[caller]
    }

    /// Ascending.
    pub fn callers(&self, callee: FunctionId) -> &[FunctionId] {
        &self.callers[callee]
    }

    /// The functions whose address is taken somewhere, ascending.
    pub fn address_taken(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let mut ids: Vec<FunctionId> = self.address_taken.iter().collect();
        ids.sort();
        ids.into_iter()
    }

    /// What a function without a body may call: any whose address it could have been given.
    pub fn may_call_back(&self, program: &Program, callee: FunctionId) -> Vec<FunctionId> {
        if program.functions[callee].body.is_some() { Vec::new() } else { self.address_taken().collect() }
    }

    /// Groups of functions that call each other, callees before callers; one that is not recursive is a group of
    /// its own.
    pub fn components(&self) -> &[Vec<FunctionId>] {
        &self.components
    }

    /// Whether a call of the function can lead to another call of it.
    pub fn is_recursive(&self, id: FunctionId) -> bool {
        let component = &self.components[self.component_of[id] as usize];
        component.len() > 1 || self.callees[id].contains(&id)
    }

    /// The functions a call of this one can reach, itself included, ascending.
    pub fn reachable(&self, from: FunctionId) -> Vec<FunctionId> {
        let mut seen = EntitySet::new();
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(&self.callees[id]);
            }
        }
        let mut reached: Vec<FunctionId> = seen.iter().collect();
        reached.sort_by_key(|id| id.index());
        reached
    }
}

fn address_taken(program: &Program) -> EntitySet<FunctionId> {
    let mut taken = EntitySet::new();
    let mut look = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let ExprKind::Function(id) = part.kind {
                taken.insert(id);
            }
        });
    };
    for global in program.globals.values() {
        for item in global.init.iter().flat_map(|init| &init.items) {
            if let InitValue::Expr(value) = &item.value {
                look(value);
            }
        }
    }
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| stmt.exprs().into_iter().for_each(&mut look));
    }
    taken
}
