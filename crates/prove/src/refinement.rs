//! The relations that `infer` finds, those proved that can be, and without those that an input refutes.
//!
//! *Question*: which of the relations seen hold on every run?
//!
//! *Source*: T. Nguyen, 2017, §3.5 (KIP) for proofs of candidates; that a counterexample goes back to where candidates
//! come from is its §3.6 and the future work of chapter 6.
//!
//! *Phases*: observe → all candidates proved together → for what is left, inputs from the transition system that break
//! it → these are run, and the locations they speak of looked at again; until no such input is found, or for [`ROUNDS`].
//!
//! *Guarantee*: `Proved` as for [`prove`](super::prove); every other relation held of every row seen, those of the
//! refuting inputs included, and is `Observed`.

use super::candidate::{Candidate, Claim};
use super::counterexample::{Search, find_each};
use super::entail::Effort;
use super::induction::Tally;
use super::proof::Proof;
use super::replayer::Replayer;
use super::unrolling::prove_by_unrolling;
use super::{Config, Refusal, Session, conjuncts, system_of};
use diagnostics::{Assumption, Span};
use exec::Input;
use infer::{
    self, ArrayInvariant, Form, FormConfig, InferReport, LocationReport, arrays, falsify, infer_prepared, join_arrays,
    observe_with, relations_at, relations_of,
};
use ir::arith::{self, Case, undefined_cases};
use ir::{Base, Block, Callee, Expr, ExprKind, FunctionId, IntKind, Lvalue, Program, StmtKind};
use logic::Predicate;
use observe::harness::HarnessArray;
use observe::inputs::{returns_pointer, takes_objects};
use observe::locations::instrument;
use std::collections::{BTreeSet, HashMap};

/// How often inputs that refute are looked for.
pub const ROUNDS: usize = 4;

/// Relations of one location that are tried, the most informative: each costs questions to the solver, and where there are
/// hundreds nobody reads the others.
const MOST_TRIED: usize = 60;

/// Statements of a function that takes arrays, calls inlined, up to which its relations among numbers are proved:
/// induction over more takes minutes.
const MOST_INLINED: usize = 90;
/// As many statements as a read of a table of so many bytes is worth, for every loop around it.
const TABLE_COUNTS: usize = 70;
const LARGE_TABLE: u64 = 64;

#[derive(Clone, Debug, Default)]
pub struct RefinementReport {
    pub found: InferReport,
    /// What the proofs stand on.
    pub assumptions: Vec<Assumption>,
    /// What the model replaces by arbitrary values, with its place.
    pub obstacles: Vec<(String, Span)>,
    pub tally: Tally,
    /// Relations that were seen and then broken by an input that was made for it.
    pub refuted: usize,
}

/// Finds the relations of a program as [`infer`](infer::infer) does, and proves or refutes what it can. An error is a
/// whole sentence for the user.
pub fn refine(program: &Program, entry: FunctionId, config: &Config) -> Result<RefinementReport, Refusal> {
    let Some(prepared) = arrays::prepare(program, entry, &config.infer)? else {
        // Relations over objects are only observed: the transition system knows no objects of inputs. A function that
        // takes nothing and returns a pointer has no others.
        let takes_nothing = program.functions[entry].params.is_empty();
        if takes_objects(program, entry) || takes_nothing && returns_pointer(program, entry) {
            let found = infer::infer(program, entry, &config.infer)?;
            return Ok(RefinementReport { found, ..RefinementReport::default() });
        }
        return refine_prepared(program, entry, &[], config);
    };
    let of_harness = Config { infer: prepared.config, ..config.clone() };
    let mut refinement = refine_prepared(&prepared.program, prepared.entry, &prepared.made, &of_harness)?;
    refinement.assumptions.extend(prepared.assumptions);
    Ok(refinement)
}

/// How often the statements of a block read a large table that never changes.
fn tables_read(program: &Program, block: &Block) -> usize {
    let is_table = |lvalue: &Lvalue| match &lvalue.base {
        Base::Global(global) => {
            let about = &program.globals[*global];
            about.is_const && program.types.size_of(about.ty).is_some_and(|size| size >= LARGE_TABLE)
        }
        _ => false,
    };
    let mut count = 0;
    block.walk(&mut |stmt| {
        for expr in stmt.exprs() {
            expr.walk(&mut |part| count += usize::from(matches!(&part.kind, ExprKind::Load(l) if is_table(l))));
        }
    });
    count
}

/// As [`refine`], for an entry that takes numbers only; `made` are the arrays that it makes itself.
fn refine_prepared(
    program: &Program,
    entry: FunctionId,
    made: &[HarnessArray],
    config: &Config,
) -> Result<RefinementReport, Refusal> {
    let is_long = !made.is_empty() && inlined(program, entry, &mut HashMap::new()) > MOST_INLINED;
    let wants_numbers = config.infer.forms.forms.iter().any(|form| !matches!(form, Form::Flat | Form::Nested));
    let mut refinement = if is_long || !wants_numbers {
        RefinementReport { found: infer_prepared(program, entry, made, &config.infer)?, ..RefinementReport::default() }
    } else {
        refine_numbers(program, entry, made, config)?
    };
    if is_long && wants_numbers {
        let why =
            "The function is long, with those that it calls: of its relations only those among arrays are proved.";
        refinement.found.notes.push(why.to_string());
    }
    prove_arrays(program, entry, made, config, &mut refinement);
    Ok(refinement)
}

/// The statements of a function with those of the functions that it calls, as often as it calls them; reads of large
/// tables, which the solver finds hard, count as many.
fn inlined(program: &Program, function: FunctionId, known: &mut HashMap<FunctionId, usize>) -> usize {
    if let Some(&count) = known.get(&function) {
        return count;
    }
    // A call of itself adds nothing that was not counted.
    known.insert(function, 0);
    let mut count = 0usize;
    let body = program.functions[function].body.iter();
    body.for_each(|body| {
        body.walk(&mut |stmt| {
            count += 1;
            match &stmt.kind {
                StmtKind::Call { callee: Callee::Function(callee), .. } => {
                    count = count.saturating_add(inlined(program, *callee, known));
                }
                StmtKind::Loop(looped) => count += TABLE_COUNTS * tables_read(program, &looped.body),
                _ => {}
            }
        });
    });
    known.insert(function, count);
    count
}

/// Settles the relations among numbers, and finds those among arrays.
fn refine_numbers(
    program: &Program,
    entry: FunctionId,
    made: &[HarnessArray],
    config: &Config,
) -> Result<RefinementReport, Refusal> {
    let mut looking = config.infer.clone();
    looking.request.loops = true;
    let mut observations = observe_with(program, entry, made, &looking)?;
    let mut relations = falsify::falsify(&mut observations, &looking);
    // Before the proofs, which may take all the time there is.
    let of_arrays = arrays::array_findings(program, entry, made, &config.infer)?;
    let system = system_of(program, entry, &looking.request, &config.encoding);
    system.pool.cancelled_by(&config.deadline.cancel);
    let mut refuted: Vec<Vec<Predicate>> = vec![Vec::new(); relations.len()];
    let mut proof = Proof::default();
    for round in 1..=ROUNDS {
        let mut session = Session::new(program, &observations, &system, config);
        let tried: Vec<LocationReport> = relations.iter().map(first).collect();
        let mut candidates = session.first_candidates(&tried);
        candidates.extend(helpers(&session, &looking));
        // What is proved stays proved, whatever is seen later.
        session.proof = proof;
        session.proof.extend(&system, &candidates, session.effort(Effort::CHEAP), &config.deadline);
        // Inputs that the user gave are all there are.
        let is_last = round == ROUNDS || looking.inputs.is_some() || config.deadline.is_cancelled();
        let (inputs, broken) = if is_last { Default::default() } else { session.refute_relations(&tried) };
        if inputs.is_empty() {
            // The dear means are for what no input breaks.
            session.proof.retry(&system, session.effort(Effort::BY_CASES), &config.deadline);
            let effort = session.effort(Effort::shared_by(session.proof.open.len()));
            session.proof.retry(&system, effort, &config.deadline);
        }
        proof = std::mem::take(&mut session.proof);
        if inputs.is_empty() {
            break;
        }
        observations.add(inputs);
        let again: Vec<usize> = (0..relations.len()).filter(|&index| !broken[index].is_empty()).collect();
        for (&index, report) in again.iter().zip(relations_at(&observations, &again, &looking)) {
            relations[index] = report;
        }
        for ((report, refuted), broken) in relations.iter_mut().zip(&mut refuted).zip(broken) {
            refuted.extend(broken);
            // The row that refuted it may not have been kept.
            let LocationReport { location, invariants, .. } = report;
            invariants.retain(|invariant| !refuted.contains(&location.spelled_out(&invariant.predicate)));
        }
    }
    let session = Session { proof, ..Session::new(program, &observations, &system, config) };
    for report in &mut relations {
        session.mark(report);
        report.settle();
    }
    let tally = session.proof.tally;
    drop(session);
    falsify::attack(&mut observations, &mut relations, &looking);
    let asked = instrument(program, entry, &config.infer.request).locations;
    let asked: BTreeSet<&str> = asked.iter().map(|location| location.name.as_str()).collect();
    relations.retain(|report| asked.contains(report.location.name.as_str()));
    join_arrays(&mut relations, of_arrays);
    let found = InferReport {
        locations: relations,
        runs: observations.runs,
        excluded: observations.excluded,
        notes: observations.notes(),
        ..InferReport::default()
    };
    Ok(RefinementReport {
        found,
        assumptions: system.assumptions.iter().cloned().collect(),
        obstacles: system.obstacles.clone(),
        tally,
        refuted: refuted.iter().map(Vec::len).sum(),
    })
}

/// A location with the relations that are tried.
fn first(report: &LocationReport) -> LocationReport {
    let invariants = report.invariants.iter().take(MOST_TRIED).cloned().collect();
    LocationReport { invariants, rows: Vec::new(), notes: Vec::new(), ..report.clone() }
}

/// Gives array relations that hold on every run their verdict.
fn prove_arrays(
    program: &Program,
    entry: FunctionId,
    made: &[HarnessArray],
    config: &Config,
    refinement: &mut RefinementReport,
) {
    let found = &mut refinement.found.locations;
    if found.iter().all(|report| report.arrays.is_empty()) {
        return;
    }
    let instrumented = instrument(program, entry, &arrays::findings::request(&config.infer.request));
    let mut open: Vec<(String, Vec<ArrayInvariant>)> =
        found.iter_mut().map(|report| (report.location.name.clone(), std::mem::take(&mut report.arrays))).collect();
    let mut open_globals = ir::open_globals(&instrumented.program, instrumented.entry);
    let takes_initial = config.encoding.globals == ir::Globals::Initial && !open_globals.is_empty();
    if takes_initial {
        open_globals.clear();
    }
    let proved = prove_by_unrolling(&instrumented, made, &mut open, &open_globals, &config.deadline.cancel);
    for (report, (_, invariants)) in found.iter_mut().zip(open) {
        report.arrays = invariants;
    }
    let initial = takes_initial.then_some(Assumption::InitialGlobals);
    let assumed =
        [Assumption::InBounds, Assumption::NoOverflow].into_iter().chain(assumed_operations(program)).chain(initial);
    for assumption in assumed.filter(|_| proved > 0) {
        if refinement.assumptions.iter().all(|known| *known != assumption) {
            refinement.assumptions.push(assumption);
        }
    }
}

/// What the unrolled runs take for granted beyond the absence of overflow, if the program has operators that need it.
fn assumed_operations(program: &Program) -> BTreeSet<Assumption> {
    let mut assumed = BTreeSet::new();
    let mut look = |expr: &Expr| {
        let ExprKind::Binary(op, left, right) = &expr.kind else { return };
        let Some(kind) = program.types.int_kind(left.ty) else { return };
        let defined = |by: i128| arith::binary(*op, kind, 0, IntKind::Int128, by).is_ok();
        for case in undefined_cases(*op, kind) {
            // Constant divisors and amounts are seen to be right.
            let constant = matches!(right.kind, ExprKind::Int(by) if defined(by));
            match case {
                Case::ZeroDivisor if !constant => assumed.insert(Assumption::NoDivisionByZero),
                Case::ShiftAmount if !constant => assumed.insert(Assumption::NoBadShift),
                Case::LeftShift => assumed.insert(Assumption::NoBadShift),
                _ => false,
            };
        }
    };
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        body.walk(&mut |stmt| stmt.exprs().into_iter().for_each(|expr| expr.walk(&mut look)));
    }
    assumed
}

/// Where the user asks for some forms or variables only, the others still help to prove them.
fn helpers(session: &Session<'_>, looking: &infer::Config) -> Vec<Candidate> {
    let usual = FormConfig { cancel: looking.forms.cancel.clone(), ..FormConfig::default() };
    if looking.vars.is_empty() && looking.forms.forms.is_superset(&usual.forms) {
        return Vec::new();
    }
    let everything = infer::Config { forms: usual, vars: Vec::new(), ..looking.clone() };
    session.first_candidates(&relations_of(session.observations, &everything))
}

impl Session<'_> {
    /// Inputs that break relations which are not proved, and the relations that each location loses by them.
    fn refute_relations(&self, relations: &[LocationReport]) -> (Vec<Input>, Vec<Vec<Predicate>>) {
        let mut broken: Vec<Vec<Predicate>> = vec![Vec::new(); relations.len()];
        let mut open: Vec<Candidate> = Vec::new();
        for report in relations {
            for invariant in &report.invariants {
                let spelled = report.location.spelled_out(&invariant.predicate);
                if !self.is_shown(&report.location.name, &spelled) {
                    let claim = Claim::Predicate(spelled);
                    let cuts = self.cuts(&report.location.name).into_iter();
                    open.extend(cuts.map(|cut| Candidate { cut, claim: claim.clone() }));
                }
            }
        }
        let observed = &self.observations.instrumented.program;
        let entry = self.observations.instrumented.entry;
        let replayer = Replayer::new(self.program, observed, entry, None);
        let mut inputs = Vec::new();
        let search = Search { deadline: self.config.deadline.at, ..Search::QUICK };
        find_each(self.system, open, search, &self.config.deadline.cancel, &mut |input, candidates| {
            let named: Vec<(&str, &Predicate)> = candidates.iter().map(|c| self.as_relation(c)).collect();
            let violated = replayer.violated(&named, input);
            for ((location, predicate), _) in named.iter().zip(&violated).filter(|(_, violated)| **violated) {
                let at = relations.iter().position(|report| report.location.name == *location);
                if let Some(list) = at.map(|at| &mut broken[at])
                    && !list.contains(predicate)
                {
                    list.push((*predicate).clone());
                }
            }
            if violated.contains(&true) {
                inputs.push(input.clone());
            }
            violated
        });
        (inputs, broken)
    }

    fn as_relation<'c>(&'c self, candidate: &'c Candidate) -> (&'c str, &'c Predicate) {
        let Claim::Predicate(predicate) = &candidate.claim else {
            unreachable!("only predicates should be tried, because relations are predicates")
        };
        (&self.system.cut(candidate.cut).name, predicate)
    }

    /// Whether each part of a relation is proved at every cut of its location.
    fn is_shown(&self, location: &str, relation: &Predicate) -> bool {
        conjuncts(relation.clone()).iter().all(|part| self.is_proved(location, part))
    }

    /// Gives the relations of a location their verdicts.
    fn mark(&self, report: &mut LocationReport) {
        let LocationReport { location, invariants, .. } = report;
        for invariant in invariants {
            let spelled = location.spelled_out(&invariant.predicate);
            if self.is_shown(&location.name, &spelled) {
                let methods = conjuncts(spelled).into_iter().filter_map(|part| self.method_of(&location.name, part));
                let how = methods
                    .max()
                    .map_or("induction".into(), |method| format!("induction, by {}", self.name_of(method)));
                invariant.verdict = self.proved(how);
            }
        }
    }

    fn method_of(&self, location: &str, part: Predicate) -> Option<super::Method> {
        let claim = Claim::Predicate(part);
        let cuts = self.cuts(location);
        let known = self.proof.invariants.iter().zip(&self.proof.methods);
        known.filter(|(i, _)| cuts.contains(&i.cut) && i.claim == claim).map(|(_, method)| *method).max()
    }
}
