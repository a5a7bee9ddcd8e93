//! Invariants from property-directed reachability: what the solver of Horn clauses finds for the open claims.
//!
//! *Question*: which formula at each cut point shows that no way leads to a state where a claim is false?
//!
//! The system is written as clauses ([`smt::horn`]): a relation for each cut, one clause for each transition, and one for each
//! way to a claim on which it fails. Runs suggest nothing here, so that this also finds what runs do not show: bounds that
//! hold by the conditions alone, and invariants with cases.
//!
//! *Departures*: variables that no condition depends on are left out; products of unknowns, functions and floating operations
//! become unknown values, the same wherever the same term stands. Both make the clauses weaker, so that a solution of them
//! is one of the system.
//!
//! *Guarantee*: none by itself. The conjuncts of a solution are candidates like any other, and count only when
//! [`super::induction::joint`] has found them inductive.

use super::candidate::{Candidate, Claim, State};
use super::system::{CutId, Path, PropertyId, System};
use smt::horn::{Clause, Clauses, Derivation, RelationId};
use smt::{Op, Sort, TermId};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// Beyond so many variables of a cut the search has never ended.
const MOST_VARIABLES: usize = 200;

/// Candidates that should prove these claims together; none if nothing is found in time.
pub(super) fn invariants(
    system: &System,
    properties: &[PropertyId],
    known: &[Candidate],
    timeout: Duration,
) -> Vec<Candidate> {
    let Some(clauses) = clauses(system, properties, known) else { return Vec::new() };
    match smt::horn::solve(&system.pool, &clauses, 1, timeout) {
        Derivation::Safe(solution) => {
            let at_cuts = (0..).map(CutId).zip(solution).skip(1);
            at_cuts
                .flat_map(|(cut, parts)| {
                    parts.into_iter().map(move |term| Candidate { cut, claim: Claim::Formula { term } })
                })
                .collect()
        }
        Derivation::Bad | Derivation::Unknown(_) => Vec::new(),
    }
}

fn clauses(system: &System, properties: &[PropertyId], known: &[Candidate]) -> Option<Clauses> {
    let pool = &system.pool;
    let mut simplifier = Simplifier { system, unknown: HashMap::new() };
    let ways: Vec<_> = properties.iter().flat_map(|id| system.ways_to(*id)).collect();
    let always = pool.bool(true);
    let ways: Vec<_> = ways.into_iter().filter(|way| way.claim != always).collect();
    let facts = |simplifier: &mut Simplifier, from: CutId, path: &Path| -> Vec<TermId> {
        let unchanged = HashMap::new();
        let start = State { pool, cut: system.cut(from), values: &unchanged };
        let invariants = known.iter().filter(|known| known.cut == from && known.is_plain());
        let mut facts = system.facts_on(from, path);
        facts.extend(invariants.filter_map(|known| known.assumed(&start)));
        facts.into_iter().map(|fact| simplifier.simplified(fact)).filter(|fact| *fact != always).collect()
    };
    let transitions: Vec<Vec<TermId>> =
        system.transitions.iter().map(|t| facts(&mut simplifier, t.from, &t.path)).collect();
    let claims: Vec<(Vec<TermId>, TermId)> = ways
        .iter()
        .map(|way| (facts(&mut simplifier, way.from, &way.path), simplifier.simplified(way.claim)))
        .collect();
    let mut updates: Vec<HashMap<TermId, TermId>> = Vec::new();
    for transition in &system.transitions {
        let values = transition.updates.iter();
        updates.push(values.map(|(id, value)| (system.symbol(*id), simplifier.simplified(*value))).collect());
    }
    let conditions =
        transitions.iter().flatten().chain(claims.iter().flat_map(|(facts, claim)| facts.iter().chain([claim])));
    let state = relevant(system, &conditions.copied().collect::<Vec<_>>(), &updates);
    if state.len() > MOST_VARIABLES {
        return None;
    }
    let body = |cut: CutId| Some((RelationId(cut.0), state.clone()));
    let mut clauses = Clauses { relations: vec![state.clone(); system.cuts.len()], clauses: Vec::new() };
    clauses.clauses.push(Clause { body: None, condition: always, head: body(CutId(0)) });
    for ((transition, facts), updates) in system.transitions.iter().zip(&transitions).zip(&updates) {
        let values = state.iter().map(|symbol| updates.get(symbol).copied().unwrap_or(*symbol)).collect();
        let head = Some((RelationId(transition.to.0), values));
        clauses.clauses.push(Clause { body: body(transition.from), condition: pool.and(facts), head });
    }
    for (way, (facts, claim)) in ways.iter().zip(&claims) {
        let condition = pool.and(&facts.iter().copied().chain([pool.not(*claim)]).collect::<Vec<_>>());
        clauses.clauses.push(Clause { body: body(way.from), condition, head: None });
    }
    Some(clauses)
}

/// The symbols of the state on which a condition may depend.
fn relevant(system: &System, conditions: &[TermId], updates: &[HashMap<TermId, TermId>]) -> Vec<TermId> {
    let pool = &system.pool;
    let state: BTreeSet<TermId> = system.variables.iter().map(|variable| variable.symbol).collect();
    let mentioned = |roots: &[TermId]| -> BTreeSet<TermId> {
        pool.postorder(roots).into_iter().filter(|term| state.contains(term)).collect()
    };
    let mut found = mentioned(conditions);
    let mut open: Vec<TermId> = found.iter().copied().collect();
    while let Some(symbol) = open.pop() {
        let values: Vec<TermId> = updates.iter().filter_map(|values| values.get(&symbol).copied()).collect();
        open.extend(mentioned(&values).into_iter().filter(|&other| found.insert(other)));
    }
    // In the order of the program, since terms have none that is the same in every run.
    let of_program = system.variables.iter().map(|variable| variable.symbol);
    of_program.filter(|symbol| found.contains(symbol) && is_solved(system, *symbol)).collect()
}

/// Whether the solver of clauses takes arguments of the term's sort.
fn is_solved(system: &System, term: TermId) -> bool {
    let pool = &system.pool;
    let plain = |sort: &Sort| matches!(sort, Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_));
    match pool.sort(pool.sort_of(term)) {
        Sort::Array(index, element) => plain(pool.sort(*index)) && plain(pool.sort(*element)),
        sort => plain(sort),
    }
}

/// Puts unknown values in place of what the solver of clauses does not reason about.
struct Simplifier<'a> {
    system: &'a System,
    /// What stands for each term that is not looked into.
    unknown: HashMap<TermId, TermId>,
}

impl Simplifier<'_> {
    fn simplified(&mut self, term: TermId) -> TermId {
        let (pool, system) = (&self.system.pool, self.system);
        pool.rewrite(term, !0, |term, args| {
            if args.is_empty() || !self.is_opaque(term, args) {
                return None;
            }
            let rebuilt = pool.build(pool.op(term).clone(), args);
            if pool.args(rebuilt).is_empty() || !is_solved(system, rebuilt) {
                return Some(rebuilt);
            }
            let name = format!("unknown {}", self.unknown.len());
            Some(*self.unknown.entry(rebuilt).or_insert_with(|| pool.var(&name, pool.sort_of(rebuilt))))
        })
    }

    fn is_opaque(&self, term: TermId, args: &[TermId]) -> bool {
        let pool = &self.system.pool;
        let is_number = |arg: &TermId| pool.op(*arg).is_literal();
        match pool.op(term) {
            Op::Mul => args.iter().filter(|arg| !is_number(arg)).count() > 1,
            Op::IntDiv | Op::IntMod | Op::RealDiv => !is_number(&args[1]),
            Op::App(_) | Op::Quant(_) => true,
            _ => args.iter().any(|arg| !is_solved(self.system, *arg)),
        }
    }
}
