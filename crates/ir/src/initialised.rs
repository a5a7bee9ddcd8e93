//! Which reads certainly find a value.
//!
//! *Question*: a local holds nothing when its declaration is reached. Which loads come after a write on every way?
//!
//! A forward analysis on the control-flow graph over *parts* of locals: a part is a local and the fields and constant
//! indices that lead to it. A part has a value if it, something around it, or everything inside it was assigned on
//! every way there.
//!
//! ```text
//! int a[2]; a[0] = 1; a[1] = 2; … a[i] …       a as a whole has a value, so a[i] has
//! ```
//!
//! What is read through a pointer has a value if it had one wherever its address was taken.
//!
//! *Guarantee*: a load in the answer finds what was written, provided that what was copied there had a value, which is a
//! claim of its own. Arrays that a loop fills are missing. *Cost*: blocks times parts, for a few rounds.

use crate::dataflow::{BitSet, forward};
use crate::hazards::NodeKey;
use crate::{
    Base, Cfg, Expr, ExprKind, FunctionId, Length, LocalId, LocalKind, Lvalue, Program, RecordKind, Step, Stmt,
    StmtKind, Type, TypeId,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A local and what leads to a part of it.
type Part = (LocalId, Vec<u32>);

/// Arrays that are longer count as assigned only as a whole.
const MOST_ELEMENTS: u64 = 1024;

/// What one function is known to have given a value before it is read.
#[derive(Clone, Debug, Default)]
pub struct Initialised {
    /// The loads of locals.
    pub loads: HashSet<NodeKey>,
    /// Locals that have a value wherever their address is taken.
    pub before_addressed: BTreeSet<LocalId>,
}

impl Initialised {
    pub fn of(program: &Program, function: FunctionId) -> Initialised {
        let Some(cfg) = Cfg::new(program, function) else { return Initialised::default() };
        let about = &program.functions[function];
        let params = about.locals.iter().filter(|(_, local)| local.kind == LocalKind::Parameter);
        let params: Vec<Part> = params.map(|(id, _)| (id, Vec::new())).collect();
        let parts = Parts::written(&cfg, &params);
        let mut entry = BitSet::empty(parts.numbers.len());
        params.iter().for_each(|part| entry.insert(parts.numbers[part]));
        let transfer = |state: &mut BitSet, stmt: &Stmt| parts.transfer(state, stmt);
        let meet = |state: &mut BitSet, known: &BitSet| {
            state.meet(known);
        };
        let starts = forward(&cfg, entry, transfer, meet);
        let mut reads =
            Reads { program, function, parts: &parts, found: Initialised::default(), open: BTreeSet::new() };
        for (block, body) in &cfg.blocks {
            let Some(mut state) = starts[block].clone() else { continue };
            for stmt in &body.stmts {
                reads.statement(stmt, &state);
                parts.transfer(&mut state, stmt);
            }
            if let Some(stmt) = body.terminator.stmt() {
                reads.statement(stmt, &state);
            }
        }
        let Reads { mut found, open, .. } = reads;
        // After a jump back over a declaration a pointer may lead to what has lost its value.
        let is_param = |id: &LocalId| about.locals[*id].kind == LocalKind::Parameter;
        found.before_addressed =
            about.locals.keys().filter(|id| !open.contains(id) && (about.labels.is_empty() || is_param(id))).collect();
        found
    }
}

/// The parts of locals that a function writes to, by number.
#[derive(Default)]
struct Parts {
    numbers: BTreeMap<Part, usize>,
    of_local: BTreeMap<LocalId, Vec<usize>>,
}

impl Parts {
    fn written(cfg: &Cfg<'_>, params: &[Part]) -> Parts {
        let mut parts = Parts::default();
        params.iter().for_each(|part| parts.number(part.clone()));
        for body in cfg.blocks.values() {
            body.stmts.iter().filter_map(|stmt| written(stmt)).for_each(|part| parts.number(part));
        }
        parts
    }

    fn number(&mut self, part: Part) {
        let (local, next) = (part.0, self.numbers.len());
        if *self.numbers.entry(part).or_insert(next) == next {
            self.of_local.entry(local).or_default().push(next);
        }
    }

    fn transfer(&self, state: &mut BitSet, stmt: &Stmt) {
        if let StmtKind::Live(local) = &stmt.kind {
            self.of_local.get(local).into_iter().flatten().for_each(|number| state.remove(*number));
        } else if let Some(part) = written(stmt) {
            state.insert(self.numbers[&part]);
        }
    }

    fn holds(&self, state: &BitSet, part: &Part) -> bool {
        self.numbers.get(part).is_some_and(|number| state.contains(*number))
    }
}

/// The part that a statement gives a value.
fn written(stmt: &Stmt) -> Option<Part> {
    match &stmt.kind {
        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => part(target),
        StmtKind::Call { result: Some(target), .. } => part(target),
        _ => None,
    }
}

/// The part that an lvalue designates, if it is always the same one.
fn part(lvalue: &Lvalue) -> Option<Part> {
    let (part, whole) = prefix(lvalue)?;
    whole.then_some(part)
}

/// The part of a local up to the first index that is computed, and whether that is all of the lvalue.
fn prefix(lvalue: &Lvalue) -> Option<(Part, bool)> {
    let Base::Local(local) = lvalue.base else { return None };
    let mut path = Vec::new();
    for step in &lvalue.path {
        match step {
            Step::Field(index) => path.push(*index),
            Step::Index(Expr { kind: ExprKind::Int(index), .. }) if u32::try_from(*index).is_ok() => {
                path.push(*index as u32);
            }
            Step::Index(_) => return Some(((local, path), false)),
        }
    }
    Some(((local, path), true))
}

struct Reads<'p> {
    program: &'p Program,
    function: FunctionId,
    parts: &'p Parts,
    found: Initialised,
    /// Locals whose address was taken when they had no value.
    open: BTreeSet<LocalId>,
}

impl Reads<'_> {
    fn statement(&mut self, stmt: &Stmt, state: &BitSet) {
        for outer in stmt.exprs() {
            outer.walk(&mut |expr| match &expr.kind {
                ExprKind::Load(lvalue) => {
                    if let Some((part, _)) = prefix(lvalue)
                        && self.has_value(state, &part)
                    {
                        self.found.loads.insert(NodeKey::of(expr));
                    }
                }
                ExprKind::AddressOf(Lvalue { base: Base::Local(local), .. })
                    if !self.has_value(state, &(*local, Vec::new())) =>
                {
                    self.open.insert(*local);
                }
                _ => {}
            });
        }
    }

    fn has_value(&self, state: &BitSet, (local, path): &Part) -> bool {
        let around = (0..=path.len()).any(|length| self.parts.holds(state, &(*local, path[..length].to_vec())));
        around || self.is_filled(state, *local, path)
    }

    /// Whether everything inside a part was assigned.
    fn is_filled(&self, state: &BitSet, local: LocalId, path: &[u32]) -> bool {
        let types = &self.program.types;
        let step = |ty: TypeId, index: u32| match types.get(ty) {
            Type::Array { of, .. } => Some(*of),
            _ => types.field(ty, index).map(|field| field.ty),
        };
        let whole = self.program.functions[self.function].locals[local].ty;
        let Some(ty) = path.iter().try_fold(whole, |ty, index| step(ty, *index)) else { return false };
        let inside = match types.get(ty) {
            Type::Array { length: Length::Fixed(length), .. } if *length <= MOST_ELEMENTS => *length as u32,
            Type::Record(id) if types.records[*id].kind == RecordKind::Struct => {
                types.records[*id].fields.as_ref().map_or(0, |fields| fields.len() as u32)
            }
            _ => return false,
        };
        inside > 0
            && (0..inside).all(|index| {
                let part: Vec<u32> = path.iter().copied().chain([index]).collect();
                self.parts.holds(state, &(local, part.clone())) || self.is_filled(state, local, &part)
            })
    }
}
