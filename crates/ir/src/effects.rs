//! What a call may read and write: a summary for every function, over the calls it makes.
//!
//! *Question*: can the order of two evaluations be exchanged without anybody noticing?
//!
//! Memory is told apart by [`Region`]: each global, each local of the function at hand, what a parameter's pointer leads
//! to, and the rest of what pointers can reach. A pointer's region comes from what is assigned to the variable that
//! holds it (flow is not followed); a pointer that comes out of memory, out of a call or out of a number may point to
//! everything whose address is taken. What a callee does to its parameters' targets happens, at a call, to the targets of
//! the arguments.
//!
//! *Guarantee*: on every defined run, what a call reads and writes lies in the regions of its summary; a function of
//! which nothing is known does [`Summary::anything`]. There may be regions that no run touches.
//! *Cost*: one walk over the bodies, then rounds over the calls until nothing is added, at most as many as calls nest.

use crate::expr::{Base, Expr, ExprKind, Lvalue};
use crate::library;
use crate::program::{FunctionId, GlobalId, InitValue, LocalId, Program};
use crate::stmt::{Callee, Intrinsic, StmtKind};
use crate::{GlobalKind, Type, TypeId, Types};
use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// A part of the memory, as seen from inside a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Region {
    Global(GlobalId),
    Local(LocalId),
    /// What the argument for this parameter points to, and everything that can be reached from there.
    Param(u32),
    /// Memory that the program allocated.
    Heap,
    /// Every object whose address is taken, and allocated memory.
    Memory,
    /// Files, the clock, the state of the library.
    World,
    /// The library's last error, where the program looks at it.
    LastError,
}

/// What a call may do.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    pub reads: BTreeSet<Region>,
    pub writes: BTreeSet<Region>,
    /// Nothing is known of it.
    pub anything: bool,
    /// Control may not come back: the run ends, or goes round for ever.
    pub ends: bool,
    /// It goes round in loops or calls itself, so that it may not come back in some states.
    pub loops: bool,
    /// It claims something: an assertion, an assumption, a trace point.
    pub claims: bool,
    /// It runs code of the program.
    pub runs: bool,
}

/// A call inside a function: what it calls and the regions its arguments lead to.
#[derive(Clone)]
struct Site {
    callee: Target,
    args: Vec<BTreeSet<Region>>,
}

#[derive(Clone)]
enum Target {
    Function(FunctionId),
    /// Any function whose address is taken.
    Pointer,
}

/// Where the pointers of one function lead.
#[derive(Clone, Default)]
struct Pointers {
    /// For each variable that only assignments change, the regions of what it was assigned.
    of: BTreeMap<LocalId, BTreeSet<Region>>,
    addressed: EntitySet<LocalId>,
}

pub struct Effects<'p> {
    program: &'p Program,
    addressed: EntitySet<GlobalId>,
    pointers: SecondaryMap<FunctionId, Pointers>,
    summaries: SecondaryMap<FunctionId, Summary>,
    callbacks: Vec<FunctionId>,
    watches_errors: bool,
}

impl<'p> Effects<'p> {
    pub fn new(program: &'p Program) -> Effects<'p> {
        let mut effects = Effects {
            program,
            addressed: EntitySet::new(),
            pointers: SecondaryMap::new(),
            summaries: SecondaryMap::new(),
            callbacks: Vec::new(),
            watches_errors: program.functions.values().any(|f| f.name == "__errno_location"),
        };
        effects.find_addresses();
        for (id, function, _) in program.defined_functions() {
            let positions = function.params.iter().zip(0u32..);
            for (&param, position) in positions {
                effects.pointers[id].of.entry(param).or_default().insert(Region::Param(position));
            }
        }
        for (id, _, _) in program.defined_functions() {
            effects.follow_pointers(id);
        }
        let mut sites: SecondaryMap<FunctionId, Vec<Site>> = SecondaryMap::new();
        for (id, _, _) in program.defined_functions() {
            let (summary, calls) = effects.own(id);
            effects.summaries[id] = summary;
            sites[id] = calls;
        }
        for (id, function) in &program.functions {
            if function.body.is_none() {
                effects.summaries[id] = library::summary(&function.name, function.noreturn, effects.watches_errors);
            }
        }
        loop {
            let mut changed = false;
            for (id, _, _) in program.defined_functions() {
                for site in &sites[id] {
                    let mut more = effects.at(&site.callee, &site.args);
                    // What stands in this function's own variables is nobody else's business.
                    more.reads.retain(|region| !matches!(region, Region::Local(_)));
                    more.writes.retain(|region| !matches!(region, Region::Local(_)));
                    changed |= effects.summaries[id].add(&more);
                }
            }
            if !changed {
                break;
            }
        }
        effects.find_recursion(&sites);
        effects
    }

    fn find_addresses(&mut self) {
        let program = self.program;
        let mut globals = EntitySet::new();
        let mut functions = BTreeSet::new();
        for global in program.globals.values() {
            for item in global.init.iter().flat_map(|init| &init.items) {
                if let InitValue::Expr(value) = &item.value {
                    addresses(value, &mut globals, &mut EntitySet::new(), &mut functions);
                }
            }
        }
        for (id, _, body) in program.defined_functions() {
            let mut locals = EntitySet::new();
            body.walk(&mut |stmt| {
                for expr in stmt.exprs() {
                    addresses(expr, &mut globals, &mut locals, &mut functions);
                }
            });
            self.pointers[id].addressed = locals;
        }
        self.addressed = globals;
        self.callbacks = functions.into_iter().collect();
    }

    /// Unites, for every variable that holds a pointer, the regions of all that is assigned to it.
    fn follow_pointers(&mut self, id: FunctionId) {
        let function = &self.program.functions[id];
        let Some(body) = &function.body else { return };
        loop {
            let mut found: Vec<(LocalId, BTreeSet<Region>)> = Vec::new();
            body.walk(&mut |stmt| match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    if let Some(local) = target.as_local() {
                        found.push((local, self.target(id, value)));
                    }
                }
                StmtKind::Call { result: Some(target), callee, .. } => {
                    if let Some(local) = target.as_local() {
                        let region = if self.allocates(callee) { Region::Heap } else { Region::Memory };
                        found.push((local, BTreeSet::from([region])));
                    }
                }
                _ => {}
            });
            let mut changed = false;
            for (local, regions) in found {
                let known = self.pointers[id].of.entry(local).or_default();
                for region in regions {
                    changed |= known.insert(region);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether what a call returns points to memory that it allocated, or nowhere.
    fn allocates(&self, callee: &Callee) -> bool {
        let Callee::Function(id) = callee else { return false };
        let function = &self.program.functions[*id];
        let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
        function.body.is_none() && library::ALLOCATES.contains(&name)
    }

    /// What a call may get hold of by its arguments. Functions of the library look at what an argument points to, and
    /// not further.
    fn arguments(&self, within: FunctionId, callee: &Callee, args: &[Expr]) -> Vec<BTreeSet<Region>> {
        let is_library = |id: &FunctionId| {
            let function = &self.program.functions[*id];
            function.body.is_none() && !library::summary(&function.name, function.noreturn, false).anything
        };
        let direct = matches!(callee, Callee::Function(id) if is_library(id));
        let is_pointer = |arg: &Expr| self.program.types.is_pointer(arg.ty);
        let region = |arg| if direct && is_pointer(arg) { self.target(within, arg) } else { self.reach(within, arg) };
        args.iter().map(region).collect()
    }

    /// What a function does itself, and the calls it makes.
    fn own(&self, id: FunctionId) -> (Summary, Vec<Site>) {
        let function = &self.program.functions[id];
        let mut summary = Summary { runs: true, ends: function.noreturn, ..Summary::default() };
        let mut sites = Vec::new();
        let Some(body) = &function.body else { return (summary, sites) };
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                self.expression_reads(id, expr, &mut summary.reads);
            }
            let written = match &stmt.kind {
                StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
                StmtKind::Call { result, .. } => result.as_ref(),
                _ => None,
            };
            if let Some(target) = written {
                summary.writes.extend(self.regions(id, target));
            }
            match &stmt.kind {
                // An answer of `nondet` is any value, whoever asks first.
                StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::Nondet), .. } => {}
                _ if stmt.obstacle().is_some() => summary.anything = true,
                StmtKind::Call { callee: Callee::Intrinsic(_), args, .. } => {
                    for arg in args {
                        summary.writes.extend(self.target(id, arg));
                    }
                }
                StmtKind::Call { callee, args, .. } => {
                    let args = self.arguments(id, callee, args);
                    let callee = match callee {
                        Callee::Function(target) => Target::Function(*target),
                        _ => Target::Pointer,
                    };
                    sites.push(Site { callee, args });
                }
                StmtKind::Loop(looped) => {
                    summary.loops = true;
                    let endless = match &looped.cond {
                        None => true,
                        Some(cond) => matches!(cond.kind, ExprKind::Int(value) if value != 0),
                    };
                    let mut left = false;
                    looped.body.walk(&mut |inner| {
                        left |= matches!(inner.kind, StmtKind::Break | StmtKind::Goto(_) | StmtKind::Return(_));
                    });
                    summary.ends |= endless && !left;
                }
                StmtKind::Goto(_) => summary.loops = true,
                StmtKind::Assert { .. } | StmtKind::Trace(_) => summary.claims = true,
                // A run on which an assumption is false ends there.
                StmtKind::Assume(_) => {
                    summary.claims = true;
                    summary.loops = true;
                }
                _ => {}
            }
        });
        summary.reads.retain(|region| !matches!(region, Region::Local(_)));
        summary.writes.retain(|region| !matches!(region, Region::Local(_)));
        (summary, sites)
    }

    fn find_recursion(&mut self, sites: &SecondaryMap<FunctionId, Vec<Site>>) {
        let callees: SecondaryMap<FunctionId, BTreeSet<FunctionId>> = {
            let mut callees: SecondaryMap<FunctionId, BTreeSet<FunctionId>> = SecondaryMap::new();
            for (id, _, _) in self.program.defined_functions() {
                for site in &sites[id] {
                    match site.callee {
                        Target::Function(target) => {
                            callees[id].insert(target);
                        }
                        Target::Pointer => callees[id].extend(&self.callbacks),
                    }
                }
            }
            callees
        };
        for (id, _, _) in self.program.defined_functions() {
            let mut open: Vec<FunctionId> = callees[id].iter().copied().collect();
            let mut seen = BTreeSet::new();
            while let Some(next) = open.pop() {
                if seen.insert(next) {
                    open.extend(&callees[next]);
                }
            }
            self.summaries[id].loops |= seen.contains(&id);
        }
    }

    /// What a call does, in the regions of the function it stands in.
    pub fn of_call(&self, within: FunctionId, callee: &Callee, args: &[Expr]) -> Summary {
        let args = self.arguments(within, callee, args);
        match callee {
            Callee::Function(id) => self.at(&Target::Function(*id), &args),
            Callee::Pointer(_) => self.at(&Target::Pointer, &args),
            Callee::Intrinsic(Intrinsic::Nondet) => Summary::default(),
            Callee::Intrinsic(intrinsic) if intrinsic.obstacle().is_some() => Summary::unknown(),
            Callee::Intrinsic(_) => Summary { writes: args.into_iter().flatten().collect(), ..Summary::default() },
        }
    }

    fn at(&self, callee: &Target, args: &[BTreeSet<Region>]) -> Summary {
        match callee {
            Target::Function(id) => substituted(&self.summaries[*id], args),
            Target::Pointer if self.callbacks.is_empty() => Summary::unknown(),
            Target::Pointer => {
                let mut all = Summary::default();
                for id in &self.callbacks {
                    all.add(&substituted(&self.summaries[*id], args));
                }
                all
            }
        }
    }

    /// The regions of an object.
    pub fn regions(&self, within: FunctionId, lvalue: &Lvalue) -> BTreeSet<Region> {
        match &lvalue.base {
            Base::Local(local) => BTreeSet::from([Region::Local(*local)]),
            Base::Global(global) => BTreeSet::from([Region::Global(*global)]),
            Base::Deref(pointer) => self.target(within, pointer),
        }
    }

    /// What evaluating an expression reads.
    pub fn expression_reads(&self, within: FunctionId, expr: &Expr, reads: &mut BTreeSet<Region>) {
        expr.walk(&mut |part| {
            if let ExprKind::Load(lvalue) = &part.kind {
                reads.extend(self.regions(within, lvalue).into_iter().filter(|region| !self.is_constant(*region)));
            }
        });
    }

    fn is_constant(&self, region: Region) -> bool {
        let Region::Global(id) = region else { return false };
        let global = &self.program.globals[id];
        global.is_const || global.kind == GlobalKind::StringLiteral
    }

    /// What a pointer points to.
    fn target(&self, within: FunctionId, pointer: &Expr) -> BTreeSet<Region> {
        let memory = || BTreeSet::from([Region::Memory]);
        match &pointer.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => BTreeSet::new(),
            ExprKind::AddressOf(lvalue) => self.regions(within, lvalue),
            ExprKind::Load(lvalue) => match lvalue.as_local() {
                Some(local) if !self.pointers[within].addressed.contains(local) => {
                    self.pointers[within].of.get(&local).cloned().unwrap_or_default()
                }
                _ => match &lvalue.base {
                    // What is reached from a parameter stays reached from it.
                    Base::Deref(_) => {
                        let mut regions = self.regions(within, lvalue);
                        if regions.iter().any(|region| !matches!(region, Region::Param(_))) {
                            regions.insert(Region::Memory);
                        }
                        regions.retain(|region| matches!(region, Region::Param(_) | Region::Memory));
                        regions
                    }
                    _ => memory(),
                },
            },
            ExprKind::Convert { value, .. } => {
                if self.program.types.is_pointer(value.ty) || matches!(value.kind, ExprKind::Int(_)) {
                    self.target(within, value)
                } else {
                    memory()
                }
            }
            ExprKind::Binary(crate::BinaryOp::PointerAdd, base, _) => self.target(within, base),
            ExprKind::Conditional(_, a, b) => {
                let mut regions = self.target(within, a);
                regions.extend(self.target(within, b));
                regions
            }
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Logical(..) => memory(),
        }
    }

    /// What can be reached from a value that is passed: nothing from a number that was never a pointer.
    fn reach(&self, within: FunctionId, value: &Expr) -> BTreeSet<Region> {
        let types = &self.program.types;
        match types.get(value.ty) {
            Type::Pointer { .. } => {
                let mut regions = self.target(within, value);
                let leads_on = regions.iter().any(|region| match region {
                    Region::Global(id) => holds_pointers(types, self.program.globals[*id].ty),
                    Region::Local(id) => holds_pointers(types, self.program.functions[within].locals[*id].ty),
                    Region::Heap => true,
                    _ => false,
                });
                if leads_on {
                    regions.insert(Region::Memory);
                }
                regions
            }
            Type::Float(_) => BTreeSet::new(),
            // A number may be an address in disguise only if it is as wide as one; a record may have pointers in it.
            _ if types.size_of(value.ty).is_some_and(|size| size < 8) => BTreeSet::new(),
            Type::Int(_) if matches!(value.kind, ExprKind::Int(_)) => BTreeSet::new(),
            _ => BTreeSet::from([Region::Memory]),
        }
    }

    /// Whether two regions of one function may have an object in common.
    pub fn overlap(&self, within: FunctionId, a: Region, b: Region) -> bool {
        use Region::*;
        match (a, b) {
            (Memory | Param(_) | Heap, Memory | Param(_) | Heap) => true,
            (Global(id), Memory | Param(_)) | (Memory | Param(_), Global(id)) => self.addressed.contains(id),
            (Local(id), Memory | Param(_)) | (Memory | Param(_), Local(id)) => {
                self.pointers[within].addressed.contains(id)
            }
            (LastError, Memory) | (Memory, LastError) => true,
            _ => a == b,
        }
    }

    /// What a call and an evaluation beside it have in common, if their order can be noticed.
    pub fn meeting(&self, within: FunctionId, a: &Summary, b: &Summary) -> Option<Meeting> {
        if a.anything && b.does_something() || b.anything && a.does_something() {
            return Some(Meeting::Anything);
        }
        let pairs = [(&a.writes, &b.writes), (&a.writes, &b.reads), (&a.reads, &b.writes)];
        for (left, right) in pairs {
            for &x in left {
                if let Some(&y) = right.iter().find(|&&y| self.overlap(within, x, y)) {
                    return Some(Meeting::Region(if matches!(x, Region::Memory | Region::Param(_) | Region::Heap) {
                        y
                    } else {
                        x
                    }));
                }
            }
        }
        if a.ends && b.runs || b.ends && a.runs || a.loops && b.claims || b.loops && a.claims {
            return Some(Meeting::Control);
        }
        None
    }

    /// Whether pointers can lead to the object.
    pub fn is_addressed(&self, within: FunctionId, region: Region) -> bool {
        match region {
            Region::Global(id) => self.addressed.contains(id),
            Region::Local(id) => self.pointers[within].addressed.contains(id),
            _ => true,
        }
    }
}

/// What two evaluations have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    Region(Region),
    /// One of them may end the run before the other.
    Control,
    /// Nothing is known of one of them.
    Anything,
}

impl Summary {
    /// A function of which nothing is known.
    pub fn unknown() -> Summary {
        Summary { anything: true, claims: true, runs: true, ..Summary::default() }
    }

    /// Whether a function that can do anything could notice it, or change what it sees.
    fn does_something(&self) -> bool {
        let visible = |region: &Region| !matches!(region, Region::Local(_));
        self.anything || self.ends || self.claims || self.reads.iter().chain(&self.writes).any(visible)
    }

    fn add(&mut self, other: &Summary) -> bool {
        let before = (self.reads.len(), self.writes.len(), self.flags());
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.anything |= other.anything;
        self.ends |= other.ends;
        self.loops |= other.loops;
        self.claims |= other.claims;
        self.runs |= other.runs;
        before != (self.reads.len(), self.writes.len(), self.flags())
    }

    fn flags(&self) -> [bool; 5] {
        [self.anything, self.ends, self.loops, self.claims, self.runs]
    }
}

/// A summary with the arguments in place of the parameters.
fn substituted(summary: &Summary, args: &[BTreeSet<Region>]) -> Summary {
    let replace = |regions: &BTreeSet<Region>| {
        let mut replaced = BTreeSet::new();
        for region in regions {
            match region {
                Region::Param(position) => match args.get(*position as usize) {
                    Some(regions) => replaced.extend(regions),
                    None => {
                        replaced.insert(Region::Memory);
                    }
                },
                other => {
                    replaced.insert(*other);
                }
            }
        }
        replaced
    };
    Summary { reads: replace(&summary.reads), writes: replace(&summary.writes), ..summary.clone() }
}

/// Whether an object of this type may hold pointers, or bytes of one.
pub fn holds_pointers(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Void | Type::Pointer { .. } | Type::Function(_) => true,
        Type::Int(kind) => kind.bits() >= 64,
        Type::Float(_) => false,
        // Bytes can be a pointer's.
        Type::Array { of, .. } => {
            holds_pointers(types, *of) || matches!(types.get(*of), Type::Int(kind) if kind.bits() == 8)
        }
        Type::Record(id) => match &types.records[*id].fields {
            Some(fields) => fields.iter().any(|field| holds_pointers(types, field.ty)),
            None => true,
        },
    }
}

fn addresses(
    expr: &Expr,
    globals: &mut EntitySet<GlobalId>,
    locals: &mut EntitySet<LocalId>,
    functions: &mut BTreeSet<FunctionId>,
) {
    expr.walk(&mut |part| match &part.kind {
        ExprKind::AddressOf(lvalue) => match lvalue.base {
            Base::Global(id) => {
                globals.insert(id);
            }
            Base::Local(id) => {
                locals.insert(id);
            }
            Base::Deref(_) => {}
        },
        ExprKind::Function(id) => {
            functions.insert(*id);
        }
        _ => {}
    });
}
