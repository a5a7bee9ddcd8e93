//! Inputs on which a claim fails, from the transition system.
//!
//! *Question*: is there a run from the entry that comes to a claim in a state where it is false?
//!
//! Ways from the entry are followed breadth first, so that the shortest failing run is found first. A way that the
//! solver finds impossible is not followed further.
//!
//! *Guarantee*: none by itself. The system may allow more than the program does, so whoever asks must run the inputs.
//!
//! *Cost*: bounded by [`Search`]: ways followed, and the solver's work on each.

use super::candidate::{Candidate, State};
use super::entail::Effort;
use super::induction::CutPath;
use super::system::{CutId, Obligation, Path, System};
use exec::{Input, Scalar, ValueType};
use smt::{Model, Options, Outcome, Solver, TermId, Value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    pub ways: usize,
    pub transitions: usize,
    /// Units of the solver's work for each question.
    pub effort: u32,
    /// Questions that may stay open. Where the solver cannot tell the first ones apart, it cannot the longer ones.
    pub open: u32,
    pub deadline: Option<Instant>,
}

impl Search {
    /// For relations that were seen, which are many and mostly true.
    pub const QUICK: Search = Search { ways: 16, transitions: 8, effort: 12_000, open: 8, deadline: None };
}

impl Default for Search {
    fn default() -> Search {
        Search { ways: 200, transitions: 40, effort: 400_000, open: u32::MAX, deadline: None }
    }
}

/// A claim that a run may come to.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// One of the program's own claims, by each way that leads to it.
    Property(&'a [&'a Obligation]),
    /// An invariant at a cut.
    Candidate(&'a Candidate),
}

/// Inputs that should break the claim, shortest runs first, until `accept` takes one.
pub fn find(
    system: &System,
    target: Target,
    search: Search,
    cancel: &AtomicBool,
    accept: &mut dyn FnMut(&Input) -> bool,
) -> Option<Input> {
    let mut found = None;
    let ends: Vec<CutId> = match target {
        Target::Property(obligations) => obligations.iter().map(|obligation| obligation.from).collect(),
        Target::Candidate(candidate) => vec![candidate.cut],
    };
    let following = Following { distances: Some(system.distances_to(&ends)), ..Following::new(system, search) };
    following.follow(cancel, &mut |questions, way| {
        for (path, claim) in claims_at(system, way, target) {
            if let Outcome::Sat(model) = questions.ask(&path, Some(claim))
                && let Some(input) = input_of(system, &path, &model)
                && accept(&input)
            {
                found = Some(input);
                return false;
            }
        }
        true
    });
    found
}

/// Tries to break many candidates at once. `broken` is shown inputs that should break one of those it is given, and says
/// which of them each really breaks; those are not looked at again.
pub fn find_each(
    system: &System,
    mut candidates: Vec<Candidate>,
    search: Search,
    cancel: &AtomicBool,
    broken: &mut dyn FnMut(&Input, &[Candidate]) -> Vec<bool>,
) {
    Following::new(system, search).follow(cancel, &mut |questions, way| {
        let state = State { pool: &system.pool, cut: system.cut(way.to), values: &way.values };
        while !cancel.load(Ordering::Relaxed) {
            let here = candidates.iter().filter(|candidate| candidate.cut == way.to);
            let claims: Vec<TermId> = here.filter_map(|candidate| candidate.shown(&state, None)).collect();
            if claims.is_empty() {
                break;
            }
            let outcome = questions.ask(&way.path, Some(system.pool.and(&claims)));
            let Outcome::Sat(model) = outcome else { break };
            let Some(input) = input_of(system, &way.path, &model) else { break };
            let mut gone = broken(&input, &candidates).into_iter();
            let before = candidates.len();
            candidates.retain(|_| !gone.next().unwrap_or(false));
            if candidates.len() == before {
                break;
            }
        }
        !candidates.is_empty()
    });
}

/// Ways followed from the entry, and the questions asked about them.
struct Following<'a> {
    system: &'a System,
    search: Search,
    open: u32,
    /// How far each cut is from what is looked for, if that is one thing.
    distances: Option<BTreeMap<CutId, usize>>,
}

impl Following<'_> {
    fn new(system: &System, search: Search) -> Following<'_> {
        Following { system, search, open: 0, distances: None }
    }

    /// Whether a way of so many transitions to a cut can be one to what is looked for.
    fn leads_there(&self, cut: CutId, passed: usize) -> bool {
        let left = self.distances.as_ref().map(|distances| distances.get(&cut));
        left.is_none_or(|left| left.is_some_and(|left| passed + left <= self.search.transitions))
    }

    /// Shows ways from the entry to `visit`, the shortest first, as long as it wants more.
    fn follow(mut self, cancel: &AtomicBool, visit: &mut dyn FnMut(&mut Self, &CutPath) -> bool) {
        let mut ways = VecDeque::from([CutPath::start(CutId(0))]);
        ways.retain(|way| self.leads_there(way.to, 0));
        for _ in 0..self.search.ways {
            let Some(way) = ways.pop_front() else { return };
            let is_over = self.search.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let gives_up = is_over || self.open > self.search.open || cancel.load(Ordering::Relaxed);
            if gives_up || !visit(&mut self, &way) {
                return;
            }
            if way.passed.len() < self.search.transitions {
                let on = self.system.transitions.iter().filter(|t| t.from == way.to);
                for transition in on.filter(|t| self.leads_there(t.to, way.passed.len() + 1)).collect::<Vec<_>>() {
                    let longer = way.then(self.system, transition);
                    if !self.ask(&longer.path, None).is_unsat() {
                        ways.push_back(longer);
                    }
                }
            }
        }
    }

    /// Whether the path can be taken, and the claim be false at its end if there is one.
    fn ask(&mut self, path: &Path, claim: Option<TermId>) -> Outcome {
        let Following { system, search, .. } = self;
        let effort = Effort { linear: search.effort, deadline: search.deadline, ..Effort::CHEAP };
        let budget = effort.budget(search.effort);
        let mut solver = Solver::with_options(&system.pool, Options { budget, ..Options::default() });
        let ranges = system.inputs.iter().filter_map(|input| input.range);
        for fact in path.conditions.iter().chain(&path.definitions).copied().chain(ranges) {
            solver.assert(fact);
        }
        if let Some(claim) = claim {
            solver.assert(system.pool.not(claim));
        }
        let outcome = solver.check();
        self.open += u32::from(matches!(outcome, Outcome::Unknown { .. }));
        outcome
    }
}

fn claims_at(system: &System, way: &CutPath, target: Target) -> Vec<(Path, TermId)> {
    match target {
        Target::Property(obligations) => {
            let here = obligations.iter().filter(|obligation| obligation.from == way.to);
            here.map(|obligation| way.to_claim(system, obligation)).collect()
        }
        Target::Candidate(candidate) if candidate.cut == way.to => {
            let state = State { pool: &system.pool, cut: system.cut(way.to), values: &way.values };
            candidate.shown(&state, None).map(|claim| (way.path.clone(), claim)).into_iter().collect()
        }
        Target::Candidate(_) => Vec::new(),
    }
}

/// The inputs of a model; `None` if one has no value of its type.
fn input_of(system: &System, path: &Path, model: &Model) -> Option<Input> {
    let params = system.inputs.iter().map(|input| scalar(model, input.symbol, Some(input.ty)));
    let made = path.answers.iter().filter(|(condition, _)| matches!(model.eval(*condition), Ok(Value::Bool(true))));
    let nondet = made.map(|(_, answer)| scalar(model, *answer, None));
    Some(Input { params: params.collect::<Option<_>>()?, nondet: nondet.collect::<Option<_>>()?, ..Input::default() })
}

fn scalar(model: &Model, term: TermId, ty: Option<ValueType>) -> Option<Scalar> {
    match model.eval(term).ok()? {
        Value::Int(value) => {
            let value = i128::try_from(&value).ok()?;
            match ty {
                Some(ValueType::Int(kind)) if !kind.contains(value) => None,
                Some(ValueType::Float(_)) => Some(Scalar::Float(value as f64)),
                _ => Some(Scalar::Int(value)),
            }
        }
        Value::Real(value) => Some(Scalar::Float(value.to_f64_fast())),
        Value::Float(value) => Some(Scalar::Float(value.to_f64())),
        Value::Bits(bits) => match ty {
            Some(ValueType::Int(kind)) if kind.is_signed() => i128::try_from(&bits.signed()).ok().map(Scalar::Int),
            _ => i128::try_from(&bits.unsigned()).ok().map(Scalar::Int),
        },
        Value::Bool(value) => Some(Scalar::Int(value.into())),
        _ => None,
    }
}
