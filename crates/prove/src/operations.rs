//! Operations decided by following paths: each is defined on all of them, or undefined on one.
//!
//! *Question*: which operations that induction left open are defined on every run, and which input makes one of them undefined?
//!
//! The paths are followed as in [`super::exploration`], but where an operation may be undefined the path forks, and the side on
//! which it is ends there with a fault. A search without losses has seen every fault there is; if there is none, every operation
//! is defined.
//!
//! *Guarantee*: `Proved` only after a search without losses, for the kinds that it looks at ([`is_seen`]). Accesses are not
//! proved where pointers are converted to types of stricter alignment, or lead to objects of inner blocks, because
//! neither is followed. `Refuted` was seen in the VM.
//!
//! A path ends where it reads what was never written, which is a fault of its own. What would go wrong behind it is looked for in
//! the program that asks for such values ([`unwritten`]).

use super::exploration::{self, ClaimSite, Decision, Found, Hunt};
use super::graph::bodies_run;
use super::replayer::Replayer;
use super::system::{Property, PropertyKind};
use super::{Config, PropertyReport, conditions_of, unwritten};
use diagnostics::{Reason, Rule, Span, Witness};
use ir::{
    Base, Block, CallGraph, Callee, Expr, ExprKind, FunctionId, Globals, LocalId, Lvalue, Program, StmtKind, Type,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use symex::explore::{self, Client, GoalId, Met, Scenario};
use symex::targets::{Kind, Target, mark};

/// Inputs that are replayed for one place and rule.
const ATTEMPTS: u32 = 3;

/// Decides what is open in a report, claims and operations alike.
pub(super) fn decide(
    program: &Program,
    entry: FunctionId,
    claims: &[ClaimSite],
    properties: &mut [PropertyReport],
    config: &Config,
) {
    let Followed { mut decisions, mut reads_unwritten } = follow(program, entry, claims, properties, config);
    for pointers in [false, true] {
        if !reads_unwritten || config.deadline.is_over() {
            break;
        }
        let Some(opened) = unwritten::as_inputs(program, entry, pointers) else { continue };
        let config = Config { sources: None, ..config.clone() };
        let again = follow(&opened, entry, &exploration::claims(&opened, entry), properties, &config);
        for (number, decision) in again.decisions {
            // What holds there holds of some values that these variables have.
            let is_refuted = matches!(decision, Decision::Refuted(_));
            if is_refuted && decisions.get(&number).is_some_and(Decision::is_open) {
                decisions.insert(number, exploration::of_unwritten(decision));
            }
        }
        reads_unwritten = again.reads_unwritten;
    }
    for (number, decision) in &decisions {
        exploration::refine(&mut properties[*number], decision);
    }
    rename_conditions(properties);
}

/// What one search says of what is open in a report, by number.
struct Followed {
    decisions: BTreeMap<usize, Decision>,
    /// Whether a path ends because it reads what was never written.
    reads_unwritten: bool,
}

fn follow(
    program: &Program,
    entry: FunctionId,
    claims: &[ClaimSite],
    properties: &[PropertyReport],
    config: &Config,
) -> Followed {
    let deadline = Instant::now() + config.deadline.left();
    let mut targets = exploration::targets(claims);
    targets.push(Target { name: "error".to_string(), kind: Kind::Error, at: None, span: Span::NONE });
    let marked = mark(program, &targets);
    let scenario = match config.encoding.globals {
        Globals::Any => Scenario::open_entry(&marked.program, entry),
        Globals::Initial => Scenario::open_call(&marked.program, entry),
    };
    let replayer = Replayer::new(program, program, entry, config.sources.as_ref());
    let found = vec![Found::default(); claims.len()];
    let claimed = Hunt { replayer: &replayer, program, entry, claims, found };
    let open = properties.iter().map(|p| p.verdict.is_unknown());
    let open: Vec<Option<Property>> =
        properties.iter().zip(open).map(|(p, open)| open.then(|| property_of(p))).collect();
    let errors = GoalId(2 * claims.len() as u32);
    let mut watch = Faults { claimed, errors, open: &open, refuted: BTreeMap::new(), attempts: BTreeMap::new() };
    let search = exploration::with_deadline(&config.deadline, deadline, |stop| {
        let search = exploration::search_config(config, stop);
        explore::explore(&marked.program, &scenario, &marked.goals, &search, &mut watch)
    });
    let Faults { claimed, refuted, .. } = watch;
    let assumptions = exploration::assumptions(program, entry, &search, config);
    let met = &search.settled[claims.len()..2 * claims.len()];
    // Not told apart here: any path that an assumption ends may have been on its way to a claim.
    let dead_end = search.endings.excluded > 0;
    let mut decisions = BTreeMap::new();
    for (number, (found, met)) in claimed.found.into_iter().zip(met).enumerate() {
        if open[number].is_some() {
            decisions.insert(number, exploration::judge(program, found, *met, dead_end, &search, &assumptions));
        }
    }
    let is_strict = converts_to_stricter(program, entry) || addresses_inner(program, entry) || has_packed(program);
    // A path that ends may have been on its way to any operation, which would then hold for want of runs. And a copy of what has
    // no value is no read: where it is read, the place of the copy may be to blame.
    let is_cut_off = search.faults.iter().any(|(fault, _)| fault.rule != Rule::Aborted);
    for (number, property) in properties.iter().enumerate().skip(claims.len()) {
        if open[number].is_none() || property.kind == PropertyKind::Invariant {
            continue;
        }
        let decision = match refuted.get(&number) {
            Some(witness) => Decision::Refuted(witness.clone()),
            None if !search.is_complete() => Decision::Open(exploration::losses(program, &search)),
            None if property.kind == PropertyKind::Bounds && is_strict => {
                let said = "alignment, and the ends of inner blocks, are not followed on paths";
                Decision::open(Reason::Unmodelled, said)
            }
            None if !is_seen(property.kind) => {
                Decision::open(Reason::Unmodelled, "operations of this kind are not followed")
            }
            None if is_cut_off || dead_end => {
                Decision::open(Reason::CutOff, "a path ends at this operation or before it")
            }
            None => Decision::Proved { how: exploration::how(&search), assumptions: Vec::new() },
        };
        decisions.insert(number, decision);
    }
    let reads_unwritten = search.faults.iter().any(|(fault, _)| fault.rule == Rule::UninitialisedRead);
    Followed { decisions, reads_unwritten }
}

/// What proofs rest on where other operations are open has changed with these.
fn rename_conditions(properties: &mut [PropertyReport]) {
    let all = conditions_of(properties.iter().map(|property| property.kind));
    let left = conditions_of(properties.iter().filter(|p| !p.verdict.is_proof()).map(|p| p.kind));
    for property in properties {
        property.assumptions.retain(|assumption| !all.contains(assumption));
        property.assumptions.extend(left.iter().cloned());
    }
}

fn property_of(report: &PropertyReport) -> Property {
    let PropertyReport { kind, span, text, .. } = report;
    Property { kind: *kind, text: text.clone(), span: *span, met: true, unmodelled: None }
}

/// Watches for inputs with which something goes wrong.
struct Faults<'a> {
    claimed: Hunt<'a>,
    errors: GoalId,
    open: &'a [Option<Property>],
    refuted: BTreeMap<usize, Witness>,
    attempts: BTreeMap<(u32, Rule), u32>,
}

impl Client for Faults<'_> {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        if met.goal != self.errors {
            return self.claimed.met(met);
        }
        // The search goes on: other operations may be undefined elsewhere.
        let Some((fault, span)) = &met.fault else { return Vec::new() };
        let attempts = self.attempts.entry((span.lo, fault.rule)).or_default();
        *attempts += 1;
        if *attempts > ATTEMPTS {
            return Vec::new();
        }
        let Some(input) = exploration::input(&met.witness) else { return Vec::new() };
        for (number, property) in self.open.iter().enumerate() {
            let Some(property) = property else { continue };
            if !concerns(property.kind, fault.rule)
                || !meets(*span, property.span)
                || self.refuted.contains_key(&number)
            {
                continue;
            }
            if let Some(seen) = self.claimed.replayer.breaks(property, &input) {
                let inputs = exploration::shown(self.claimed.program, self.claimed.entry, &input);
                self.refuted.insert(number, Witness { inputs, replayed: seen.natively });
            }
        }
        Vec::new()
    }
}

/// Whether a fault may be one of an operation of this kind.
fn concerns(kind: PropertyKind, rule: Rule) -> bool {
    match kind {
        PropertyKind::Overflow => rule == Rule::SignedOverflow,
        PropertyKind::DivisionByZero => rule == Rule::DivisionByZero,
        PropertyKind::Shift => rule == Rule::BadShift,
        PropertyKind::Conversion => rule == Rule::BadConversion,
        PropertyKind::Initialised => rule == Rule::UninitialisedRead,
        PropertyKind::Assert | PropertyKind::Unreachable | PropertyKind::Invariant => false,
        // Everything about memory and calls.
        PropertyKind::Bounds | PropertyKind::Pointer | PropertyKind::Call | PropertyKind::Defined => !matches!(
            rule,
            Rule::SignedOverflow
                | Rule::DivisionByZero
                | Rule::BadShift
                | Rule::BadConversion
                | Rule::AssertionFailed
                | Rule::Aborted
        ),
    }
}

/// Whether a search sees every fault of operations of this kind. What library functions ask of their arguments it does not see.
fn is_seen(kind: PropertyKind) -> bool {
    matches!(
        kind,
        PropertyKind::Overflow
            | PropertyKind::DivisionByZero
            | PropertyKind::Shift
            | PropertyKind::Conversion
            | PropertyKind::Bounds
            | PropertyKind::Pointer
            | PropertyKind::Initialised
    )
}

/// A fault is told of a statement, an operation is a part of one.
fn meets(fault: Span, operation: Span) -> bool {
    fault.is_none() || operation.is_none() || fault.lo < operation.hi && operation.lo < fault.hi
}

/// Everything that the functions of a run evaluate.
fn each_expression(program: &Program, entry: FunctionId, look: &mut dyn FnMut(FunctionId, &Expr)) {
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let Some(body) = &program.functions[id].body else { continue };
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |part| look(id, part));
            }
        });
    }
}

/// Whether the address of a variable of an inner block is taken: a pointer may outlive the block.
pub(super) fn addresses_inner(program: &Program, entry: FunctionId) -> bool {
    let mut inner: BTreeMap<FunctionId, BTreeSet<LocalId>> = BTreeMap::new();
    for (id, _, body) in program.defined_functions() {
        let of_function = inner.entry(id).or_default();
        for stmt in &body.stmts {
            collect_locals(stmt, of_function);
        }
    }
    let mut found = false;
    each_expression(program, entry, &mut |id, expr| {
        if let ExprKind::AddressOf(Lvalue { base: Base::Local(local), .. }) = &expr.kind {
            found |= inner.get(&id).is_some_and(|locals| locals.contains(local));
        }
    });
    found
}

fn collect_locals(stmt: &ir::Stmt, found: &mut BTreeSet<LocalId>) {
    let blocks: Vec<&Block> = stmt.blocks();
    for block in blocks {
        found.extend(block.locals.iter().copied());
        block.stmts.iter().for_each(|stmt| collect_locals(stmt, found));
    }
}

/// Whether a pointer becomes one to a type of stricter alignment, other than what `malloc` and its kin gave.
fn converts_to_stricter(program: &Program, entry: FunctionId) -> bool {
    let types = &program.types;
    let given = allocated(program, entry);
    let mut found = false;
    each_expression(program, entry, &mut |id, expr| {
        let ExprKind::Convert { value, .. } = &expr.kind else { return };
        let (Type::Pointer { to, .. }, Type::Pointer { to: from, .. }) = (types.get(expr.ty), types.get(value.ty))
        else {
            // A number may be any address.
            found |= types.is_pointer(expr.ty) && !matches!(value.kind, ExprKind::Int(_));
            return;
        };
        let is_given = matches!(&value.kind, ExprKind::Load(Lvalue { base: Base::Local(local), path, .. })
            if path.is_empty() && given.contains(&(id, *local)));
        let stricter = types.align_of(*to) > types.align_of(*from);
        found |= stricter && !is_given;
    });
    found
}

/// Whether a record is laid out so that a member may lie where its type could not.
fn has_packed(program: &Program) -> bool {
    let types = &program.types;
    types.records.values().any(|record| {
        let fields = record.fields.iter().flatten().filter(|field| field.bits.is_none());
        let strictest = fields.clone().map(|field| types.align_of(field.ty)).max().unwrap_or(1);
        record.align < strictest || fields.clone().any(|field| field.offset % types.align_of(field.ty).max(1) != 0)
    })
}

/// Locals that only ever hold what an allocation gave.
fn allocated(program: &Program, entry: FunctionId) -> BTreeSet<(FunctionId, LocalId)> {
    let (mut given, mut others) = (BTreeSet::new(), BTreeSet::new());
    for id in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let Some(body) = &program.functions[id].body else { continue };
        body.walk(&mut |stmt| {
            let (target, allocates) = match &stmt.kind {
                StmtKind::Call { result: Some(target), callee, .. } => {
                    let allocates = matches!(callee, Callee::Function(callee)
                        if matches!(program.functions[*callee].name.as_str(), "malloc" | "calloc" | "realloc"));
                    (target, allocates)
                }
                StmtKind::Assign { target, .. } => (target, false),
                _ => return,
            };
            if let Base::Local(local) = target.base {
                if allocates {
                    given.insert((id, local))
                } else {
                    others.insert((id, local))
                };
            }
        });
    }
    given.difference(&others).copied().collect()
}
