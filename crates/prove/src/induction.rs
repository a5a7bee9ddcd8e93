//! Which candidates hold at their cut points on every run?
//!
//! *Source*: T. Nguyen, 2017, §3.5: k-induction with lemmas, candidates checked in parallel. The joint method is that
//! of C. Flanagan and K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", 2001.
//!
//! *Departures*: all candidates at all cut points are assumed at once and those that some transition does not preserve
//! are dropped, until none is. What remains is inductive together, so that equations which need each other are proved
//! (those of `egcd1` are k-inductive for no k one by one). A candidate is looked at again only when something its
//! argument rested on was dropped. Cuts that do not lead back to each other are done one level after the other: what holds at
//! the first of a hundred loops in a row is settled before the second is looked at, so that nothing that falls there shakes
//! what comes later, and what was done when the time ends is kept.
//!
//! *Recursion*: what is claimed of the results of a recursive function is assumed of every call of it that has come
//! back. The call ended before, so this is the same induction.
//!
//! *Guarantee*: the remaining candidates hold whenever their cut point is reached: by induction over the number of
//! transitions of a run, where the entry has no candidates. A candidate dropped is not thereby false.
//!
//! *Cost*: one question for each candidate and transition into its cut, and those asked again.

use super::candidate::{Candidate, Claim, State, said_of};
use super::entail::{Answer, Effort, Method, Premises};
use super::system::{CutId, Obligation, Path, System, Transition};
use diagnostics::Deadline;
use diagnostics::Progress;
use rayon::prelude::*;
use smt::TermId;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Why a candidate is no longer assumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// A state that satisfies all assumptions leads to one that violates it.
    NotPreserved,
    /// No argument was found within the effort.
    Open,
    /// It cannot be said in the terms of the system.
    NotExpressible,
}

/// How questions were settled, for the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub algebra: u64,
    pub linear: u64,
    pub nonlinear: u64,
    pub failed: u64,
    pub open: u64,
}

impl Tally {
    pub fn note(&mut self, answer: &Answer) {
        match answer {
            Answer::Holds { method: Method::Algebra, .. } => self.algebra += 1,
            Answer::Holds { method: Method::Linear, .. } => self.linear += 1,
            Answer::Holds { method: Method::Nonlinear, .. } => self.nonlinear += 1,
            Answer::Fails(_) => self.failed += 1,
            Answer::Open => self.open += 1,
        }
    }

    pub fn add(&mut self, other: Tally) {
        self.algebra += other.algebra;
        self.linear += other.linear;
        self.nonlinear += other.nonlinear;
        self.failed += other.failed;
        self.open += other.open;
    }
}

/// Candidates that are inductive together, with the methods that were needed.
#[derive(Clone, Debug, Default)]
pub struct Inductive {
    pub candidates: Vec<Candidate>,
    /// For each candidate the strongest method any of its transitions needed.
    pub methods: Vec<Method>,
    /// For each candidate, the candidates its preservation rests on.
    pub rests_on: Vec<BTreeSet<usize>>,
    pub dropped: Vec<(Candidate, Dropped)>,
    pub tally: Tally,
    /// Whether all cuts were done; if not, what is claimed at the others was dropped as open.
    pub complete: bool,
}

/// Finds the largest part of the candidates that is inductive together, given lemmas that hold anyway.
pub fn joint(
    system: &System,
    candidates: &[Candidate],
    lemmas: &[Candidate],
    effort: Effort,
    deadline: &Deadline,
) -> Inductive {
    let mut round = Joint::new(system, candidates, lemmas, effort);
    for level in levels(system) {
        round.begin(&level);
        while !round.pending.is_empty() {
            if deadline.is_over() {
                return round.finished(false);
            }
            round.step(&deadline.progress);
        }
        round.settle(&level);
    }
    round.finished(true)
}

/// The cuts in an order in which each comes behind those that lead to it, unless they lead to each other: then they are of one
/// level.
fn levels(system: &System) -> Vec<Vec<CutId>> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); system.cuts.len()];
    for transition in &system.transitions {
        let results = transition.path.returned.iter().filter_map(|call| system.results.get(&call.function)).flatten();
        before[transition.to.0 as usize].extend(results.chain([&transition.from]).map(|cut| cut.0));
    }
    let mut level_of = vec![0; system.cuts.len()];
    let mut levels: Vec<Vec<CutId>> = Vec::new();
    // A component comes before those from which it is followed, which here are those that it leads to.
    for component in ir::components(&before) {
        let own: BTreeSet<u32> = component.iter().copied().collect();
        let earlier = component.iter().flat_map(|&cut| &before[cut as usize]).filter(|cut| !own.contains(*cut));
        let level = earlier.map(|&cut| level_of[cut as usize] + 1).max().unwrap_or(0);
        component.iter().for_each(|&cut| level_of[cut as usize] = level);
        levels.resize_with(levels.len().max(level + 1), Vec::new);
        levels[level].extend(component.into_iter().map(CutId));
    }
    levels
}

/// What an answer rests on, and the method.
type Support = (BTreeSet<usize>, Method);

struct Joint<'a> {
    system: &'a System,
    candidates: &'a [Candidate],
    lemmas: &'a [Candidate],
    effort: Effort,
    /// The candidates and the lemmas of each cut.
    candidates_at: Vec<Vec<usize>>,
    lemmas_at: Vec<Vec<&'a Candidate>>,
    /// The transitions into each cut.
    into: Vec<Vec<usize>>,
    alive: Vec<bool>,
    why: Vec<Dropped>,
    /// The cuts that are done.
    settled: Vec<bool>,
    /// Questions to ask: a transition and a candidate at its end.
    pending: BTreeSet<(usize, usize)>,
    /// The answers about cuts that are not done yet.
    support: BTreeMap<(usize, usize), Support>,
    /// The same of cuts that are done.
    done: Vec<((usize, usize), Support)>,
    tally: Tally,
}

impl<'a> Joint<'a> {
    fn new(system: &'a System, candidates: &'a [Candidate], lemmas: &'a [Candidate], effort: Effort) -> Joint<'a> {
        let unchanged = HashMap::new();
        let mut why = vec![Dropped::Open; candidates.len()];
        let alive: Vec<bool> = candidates
            .iter()
            .zip(&mut why)
            .map(|(candidate, why)| {
                let state = State { pool: &system.pool, cut: system.cut(candidate.cut), values: &unchanged };
                // Nothing is claimed of the entry: a run may start in any state there.
                let sayable = candidate.cut != CutId(0) && candidate.assumed(&state).is_some();
                if !sayable {
                    *why = Dropped::NotExpressible;
                }
                sayable
            })
            .collect();
        let cuts = system.cuts.len();
        let mut candidates_at = vec![Vec::new(); cuts];
        candidates.iter().enumerate().for_each(|(c, candidate)| candidates_at[candidate.cut.0 as usize].push(c));
        let mut lemmas_at = vec![Vec::new(); cuts];
        lemmas.iter().for_each(|lemma| lemmas_at[lemma.cut.0 as usize].push(lemma));
        let mut into = vec![Vec::new(); cuts];
        system.transitions.iter().enumerate().for_each(|(t, way)| into[way.to.0 as usize].push(t));
        Joint {
            system,
            candidates,
            lemmas,
            effort,
            candidates_at,
            lemmas_at,
            into,
            alive,
            why,
            settled: vec![false; cuts],
            pending: BTreeSet::new(),
            support: BTreeMap::new(),
            done: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// The candidates at a cut that are not dropped.
    fn alive_at(&self, cut: CutId) -> impl Iterator<Item = usize> {
        self.candidates_at[cut.0 as usize].iter().copied().filter(|&c| self.alive[c])
    }

    /// Asks about all that is claimed at some cuts.
    fn begin(&mut self, level: &[CutId]) {
        let questions = level.iter().flat_map(|&cut| {
            let into = &self.into[cut.0 as usize];
            self.alive_at(cut).flat_map(move |candidate| into.iter().map(move |&transition| (transition, candidate)))
        });
        self.pending = questions.collect();
    }

    /// Takes what is left at some cuts for good.
    fn settle(&mut self, level: &[CutId]) {
        level.iter().for_each(|cut| self.settled[cut.0 as usize] = true);
        self.done.extend(std::mem::take(&mut self.support));
    }

    /// Asks everything that is pending, drops what is not preserved and finds out what must be asked again.
    fn step(&mut self, progress: &Progress) {
        let mut by_transition: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (transition, candidate) in std::mem::take(&mut self.pending) {
            by_transition.entry(transition).or_default().push(candidate);
        }
        let work: Vec<(usize, Vec<usize>)> = by_transition.into_iter().collect();
        progress.count("questions about relations", work.iter().map(|(_, asked)| asked.len() as u64).sum::<u64>());
        let ask = |(transition, asked): &(usize, Vec<usize>)| {
            let answers = self.ask(*transition, asked);
            progress.add(asked.len() as u64);
            answers
        };
        let answers: Vec<(Vec<Answer>, Vec<Vec<usize>>)> = work.par_iter().map(ask).collect();
        let mut fallen = BTreeSet::new();
        for ((transition, asked), (answers, assumed)) in work.iter().zip(answers) {
            for (&candidate, answer) in asked.iter().zip(answers) {
                self.tally.note(&answer);
                match answer {
                    Answer::Holds { method, used } => {
                        let used =
                            used.into_iter().filter_map(|number| assumed.get(number)).flatten().copied().collect();
                        self.support.insert((*transition, candidate), (used, method));
                    }
                    Answer::Fails(_) => {
                        self.why[candidate] = Dropped::NotPreserved;
                        fallen.insert(candidate);
                    }
                    Answer::Open => {
                        fallen.insert(candidate);
                    }
                }
            }
        }
        for &candidate in &fallen {
            self.alive[candidate] = false;
        }
        let alive = &self.alive;
        self.support.retain(|(_, candidate), _| alive[*candidate]);
        let shaken = self.support.iter().filter(|(_, (used, _))| !used.is_disjoint(&fallen)).map(|(key, _)| *key);
        self.pending = shaken.collect();
        for key in &self.pending {
            self.support.remove(key);
        }
    }

    /// The answers about candidates at the end of a transition, and the candidates that each assumption stands for.
    fn ask(&self, transition: usize, asked: &[usize]) -> (Vec<Answer>, Vec<Vec<usize>>) {
        if self.effort.is_over() {
            return (vec![Answer::Open; asked.len()], Vec::new());
        }
        let way = &self.system.transitions[transition];
        let (unchanged, values) = (HashMap::new(), self.system.values_after(way));
        let start = State { pool: &self.system.pool, cut: self.system.cut(way.from), values: &unchanged };
        let end = State { pool: &self.system.pool, cut: self.system.cut(way.to), values: &values };
        let assumed: Vec<usize> = self.alive_at(way.from).collect();
        let mut assumptions: Vec<TermId> = assumed.iter().filter_map(|&c| self.candidates[c].assumed(&start)).collect();
        assert_eq!(assumptions.len(), assumed.len(), "a candidate that is alive should be expressible at its cut");
        let mut stands_for: Vec<Vec<usize>> = assumed.iter().map(|&c| vec![c]).collect();
        for (fact, behind) in known_of_results(self.system, &way.path, self.candidates, &|c| self.alive[c]) {
            assumptions.push(fact);
            stands_for.push(behind);
        }
        let lemmas = &self.lemmas_at[way.from.0 as usize];
        let mut facts = self.system.facts_on(way.from, &way.path);
        facts.extend(lemmas.iter().filter_map(|lemma| lemma.assumed(&start)));
        facts
            .extend(known_of_results(self.system, &way.path, self.lemmas, &|_| true).into_iter().map(|(fact, _)| fact));
        // What the claim needs of the candidate's own kind at the start must be alive there, and then counts as used.
        let claims: Vec<Option<TermId>> = asked
            .iter()
            .map(|&c| {
                let candidate = &self.candidates[c];
                let same = |other: &&Candidate| other.same_claim(candidate);
                let before = assumed.iter().map(|&a| &self.candidates[a]).find(same);
                let before = before.or_else(|| lemmas.iter().copied().find(same));
                candidate.shown(&end, before.map(|before| (before, &start)))
            })
            .collect();
        let sayable: Vec<TermId> = claims.iter().flatten().copied().collect();
        let quotients = way.path.quotients.clone();
        let premises = Premises::new(&self.system.pool, facts, assumptions, quotients, sayable.clone(), self.effort);
        let mut answers = premises.imply_each(&sayable).into_iter();
        let answers = asked.iter().zip(claims).map(|(&c, claim)| {
            let mut answer = claim.and_then(|_| answers.next()).unwrap_or(Answer::Open);
            if let Answer::Holds { used, .. } = &mut answer
                && !matches!(self.candidates[c].claim, Claim::Predicate(_))
            {
                let own = assumed.iter().position(|&a| self.candidates[a].same_claim(&self.candidates[c]));
                used.extend(own);
            }
            answer
        });
        (answers.collect(), stands_for)
    }

    /// What holds at the cuts that are done.
    fn finished(self, complete: bool) -> Inductive {
        let is_kept = |&c: &usize| self.alive[c] && self.settled[self.candidates[c].cut.0 as usize];
        let kept: Vec<usize> = (0..self.candidates.len()).filter(is_kept).collect();
        let new_number: HashMap<usize, usize> = kept.iter().enumerate().map(|(new, &old)| (old, new)).collect();
        let mut methods = vec![Method::Algebra; kept.len()];
        let mut rests_on = vec![BTreeSet::new(); kept.len()];
        for ((_, candidate), (used, method)) in &self.done {
            let new = new_number[candidate];
            methods[new] = methods[new].max(*method);
            rests_on[new].extend(used.iter().map(|old| new_number[old]));
        }
        let gone = (0..self.candidates.len()).filter(|c| !is_kept(c));
        Inductive {
            candidates: kept.iter().map(|&c| self.candidates[c].clone()).collect(),
            methods,
            rests_on,
            dropped: gone.map(|c| (self.candidates[c].clone(), self.why[c])).collect(),
            tally: self.tally,
            complete,
        }
    }
}

/// What claims about results say of the calls that have come back on a way, and the claims behind each fact: one for
/// each place where the function ends.
fn known_of_results(
    system: &System,
    path: &Path,
    claims: &[Candidate],
    counts: &dyn Fn(usize) -> bool,
) -> Vec<(TermId, Vec<usize>)> {
    let mut known = Vec::new();
    for call in &path.returned {
        let Some((first, others)) = system.results.get(&call.function).and_then(|ends| ends.split_first()) else {
            continue;
        };
        let at = |cut: CutId| (0..claims.len()).filter(move |&c| claims[c].cut == cut && counts(c));
        for claim in at(*first) {
            let Claim::Predicate(predicate) = &claims[claim].claim else { continue };
            let same = |cut: &CutId| at(*cut).find(|&c| claims[c].same_claim(&claims[claim]));
            let Some(rest) = others.iter().map(same).collect::<Option<Vec<usize>>>() else { continue };
            if let Some(fact) = said_of(&system.pool, predicate, &|name| call.names.get(name).copied()) {
                known.push((system.pool.implies(call.when, fact), [claim].into_iter().chain(rest).collect()));
            }
        }
    }
    known
}

/// Whether an obligation is met, given invariants.
pub fn discharge(system: &System, obligation: &Obligation, invariants: &[Candidate], effort: Effort) -> Answer {
    holds_on(system, (obligation.from, &obligation.path), obligation.claim, invariants, effort)
}

/// Whether a claim holds on a way, given invariants at the cut where it starts; what is used is by their numbers.
fn holds_on(
    system: &System,
    (from, path): (CutId, &Path),
    claim: TermId,
    invariants: &[Candidate],
    effort: Effort,
) -> Answer {
    // To set up a solver costs as much as many questions.
    if effort.is_over() {
        return Answer::Open;
    }
    let unchanged = HashMap::new();
    let start = State { pool: &system.pool, cut: system.cut(from), values: &unchanged };
    let here = (0..invariants.len()).filter(|&i| invariants[i].cut == from);
    let mut assumed: Vec<(TermId, Vec<usize>)> =
        here.filter_map(|i| Some((invariants[i].assumed(&start)?, vec![i]))).collect();
    assumed.extend(known_of_results(system, path, invariants, &|_| true));
    let facts = system.facts_on(from, path);
    let assumptions = assumed.iter().map(|(fact, _)| *fact).collect();
    let premises = Premises::new(&system.pool, facts, assumptions, path.quotients.clone(), vec![claim], effort);
    match premises.imply(claim) {
        Answer::Holds { method, used } => {
            let used = used.into_iter().filter_map(|number| assumed.get(number)).flat_map(|(_, behind)| behind.clone());
            Answer::Holds { method, used: used.collect() }
        }
        other => other,
    }
}

/// States that satisfy the invariants and the candidate, and from which a transition leads to one where the candidate
/// is false; with the cut where each is.
pub fn step_failures(
    system: &System,
    candidate: &Candidate,
    invariants: &[Candidate],
    effort: Effort,
) -> Vec<(CutId, smt::Model)> {
    let mut assumed = invariants.to_vec();
    assumed.push(candidate.clone());
    let into = system.transitions.iter().filter(|transition| transition.to == candidate.cut);
    let failure = |transition: &Transition| {
        let values = system.values_after(transition);
        let end = State { pool: &system.pool, cut: system.cut(transition.to), values: &values };
        let claim = candidate.shown(&end, None)?;
        match holds_on(system, (transition.from, &transition.path), claim, &assumed, effort) {
            Answer::Fails(model) => Some((transition.from, model)),
            _ => None,
        }
    };
    into.filter_map(failure).collect()
}

/// Several transitions in a row, as one way: the start is the state before the first.
#[derive(Clone, Debug)]
pub struct CutPath {
    pub from: CutId,
    pub to: CutId,
    pub path: Path,
    /// The values of the state variables at the end, in terms of the start; those that changed.
    pub values: HashMap<TermId, TermId>,
    /// The cuts passed, with the values of the state variables there.
    pub passed: Vec<(CutId, HashMap<TermId, TermId>)>,
}

impl CutPath {
    /// Standing still.
    pub fn start(cut: CutId) -> CutPath {
        CutPath { from: cut, to: cut, path: Path::default(), values: HashMap::new(), passed: Vec::new() }
    }

    /// This way and then a transition, whose fresh symbols are renamed apart by the step's number.
    pub fn then(&self, system: &System, transition: &Transition) -> CutPath {
        assert_eq!(self.to, transition.from, "a way should go on where it ended");
        let step = self.passed.len();
        let renaming = self.renaming(system, &transition.path, step);
        let path = self.extended(system, &transition.path, &renaming);
        let changed: Vec<(TermId, TermId)> = transition
            .updates
            .iter()
            .map(|(variable, value)| (system.symbol(*variable), system.pool.substitute(*value, &renaming)))
            .collect();
        let mut values = self.values.clone();
        values.extend(changed);
        let mut passed = self.passed.clone();
        passed.push((self.to, self.values.clone()));
        CutPath { from: self.from, to: transition.to, path, values, passed }
    }

    /// The way to a claim at its end, with the claim in terms of the start.
    pub fn to_claim(&self, system: &System, obligation: &Obligation) -> (Path, TermId) {
        let renaming = self.renaming(system, &obligation.path, self.passed.len());
        let path = self.extended(system, &obligation.path, &renaming);
        (path, system.pool.substitute(obligation.claim, &renaming))
    }

    /// What the symbols of one more step stand for: the state where it starts, and fresh symbols of its own.
    fn renaming(&self, system: &System, path: &Path, step: usize) -> HashMap<TermId, TermId> {
        let pool = &system.pool;
        let mut renaming = self.values.clone();
        for &symbol in &path.fresh {
            let smt::Op::App(function) = pool.op(symbol) else { continue };
            let name = format!("{}@{step}", pool.func(*function).name);
            renaming.insert(symbol, pool.var(&name, pool.sort_of(symbol)));
        }
        renaming
    }

    fn extended(&self, system: &System, path: &Path, renaming: &HashMap<TermId, TermId>) -> Path {
        let pool = &system.pool;
        let new = |term: TermId| pool.substitute(term, renaming);
        let mut longer = self.path.clone();
        longer.conditions.extend(path.conditions.iter().map(|&term| new(term)));
        longer.definitions.extend(path.definitions.iter().map(|&term| new(term)));
        longer.quotients.extend(path.quotients.iter().map(|q| super::system::Quotient {
            dividend: new(q.dividend),
            divisor: new(q.divisor),
            quotient: new(q.quotient),
            remainder: new(q.remainder),
        }));
        longer.fresh.extend(path.fresh.iter().map(|&term| new(term)));
        longer.answers.extend(path.answers.iter().map(|&(condition, answer)| (new(condition), new(answer))));
        longer.returned.extend(path.returned.iter().map(|call| super::system::Returned {
            function: call.function,
            when: new(call.when),
            names: call.names.iter().map(|(name, &(term, ty))| (name.clone(), (new(term), ty))).collect(),
        }));
        longer
    }

    /// What is known on the way: its path, the facts of all cuts passed and of the last, and invariants at each.
    pub fn facts(&self, system: &System, path: &Path, invariants: &[Candidate]) -> Vec<TermId> {
        let pool = &system.pool;
        let mut facts = path.conditions.clone();
        facts.extend(&path.definitions);
        for (cut, values) in self.passed.iter().chain([&(self.to, self.values.clone())]) {
            let state = State { pool, cut: system.cut(*cut), values };
            facts.extend(state.cut.facts.iter().map(|&fact| pool.substitute(fact, values)));
            // Only predicates: the witness of another kind would be one symbol for several states.
            let sayable = invariants.iter().filter(|i| i.cut == *cut && matches!(i.claim, Claim::Predicate(_)));
            facts.extend(sayable.filter_map(|invariant| invariant.assumed(&state)));
        }
        facts.extend(known_of_results(system, path, invariants, &|_| true).into_iter().map(|(fact, _)| fact));
        facts
    }
}

/// Every way of exactly so many transitions that ends at a cut, and every shorter one from the entry; `None` if there
/// are more than `limit`.
pub fn ways_to(system: &System, to: CutId, transitions: usize, limit: usize) -> Option<Vec<CutPath>> {
    let mut found = Vec::new();
    let distance = system.distances_to(&[to]);
    let starts = distance.iter().filter(|(_, steps)| **steps <= transitions).map(|(cut, _)| *cut);
    let mut open: Vec<CutPath> = starts.map(CutPath::start).collect();
    while let Some(way) = open.pop() {
        let length = way.passed.len();
        if way.to == to && (length == transitions || way.from == CutId(0)) {
            found.push(way.clone());
        }
        if found.len() + open.len() > limit {
            return None;
        }
        if length < transitions {
            for transition in system.transitions.iter().filter(|t| t.from == way.to) {
                if distance.get(&transition.to).is_some_and(|steps| length + 1 + steps <= transitions) {
                    open.push(way.then(system, transition));
                }
            }
        }
    }
    Some(found)
}

/// Whether a claim follows on every way of `k` steps to it: plain k-induction. The last step is the one to the claim;
/// claims passed before are among the conditions of the way.
pub fn holds_after(
    system: &System,
    obligation: &Obligation,
    invariants: &[Candidate],
    k: usize,
    effort: Effort,
) -> Answer {
    let Some(ways) = ways_to(system, obligation.from, k.saturating_sub(1), 400) else { return Answer::Open };
    let answers: Vec<Answer> = ways
        .par_iter()
        .map(|way| {
            let (path, claim) = way.to_claim(system, obligation);
            let facts = way.facts(system, &path, invariants);
            Premises::new(&system.pool, facts, Vec::new(), path.quotients, vec![claim], effort).imply(claim)
        })
        .collect();
    weakest(answers)
}

/// Whether a candidate is k-inductive: it holds at the end of every way of `k` transitions on which it held at every
/// visit before, and of every shorter one from the entry. Invariants are lemmas.
pub fn is_k_inductive(
    system: &System,
    candidate: &Candidate,
    invariants: &[Candidate],
    k: usize,
    effort: Effort,
) -> Answer {
    let Some(ways) = ways_to(system, candidate.cut, k, 400) else { return Answer::Open };
    let assumed: Vec<Candidate> = invariants.iter().cloned().chain([candidate.clone()]).collect();
    let answers: Vec<Answer> = ways
        .par_iter()
        .filter(|way| !way.passed.is_empty())
        .map(|way| {
            let end = State { pool: &system.pool, cut: system.cut(way.to), values: &way.values };
            let Some(claim) = candidate.shown(&end, None) else { return Answer::Open };
            let mut earlier = way.clone();
            let last = earlier.passed.pop();
            let (to, values) = last.expect("a way that is not empty should have passed a cut");
            (earlier.to, earlier.values) = (to, values);
            let mut facts = earlier.facts(system, &way.path, &assumed);
            facts.extend(end.cut.facts.iter().map(|&fact| system.pool.substitute(fact, &way.values)));
            let lemmas = invariants.iter().filter(|i| i.cut == way.to && matches!(i.claim, Claim::Predicate(_)));
            facts.extend(lemmas.filter_map(|lemma| lemma.assumed(&end)));
            Premises::new(&system.pool, facts, Vec::new(), way.path.quotients.clone(), vec![claim], effort).imply(claim)
        })
        .collect();
    weakest(answers)
}

fn weakest(answers: Vec<Answer>) -> Answer {
    let mut method = Method::Algebra;
    let mut open = false;
    for answer in answers {
        match answer {
            Answer::Holds { method: with, .. } => method = method.max(with),
            Answer::Fails(model) => return Answer::Fails(model),
            Answer::Open => open = true,
        }
    }
    if open { Answer::Open } else { Answer::Holds { method, used: BTreeSet::new() } }
}

#[cfg(test)]
mod tests {
    use super::super::system::{Cut, Named, StateVariable, VariableId};
    use super::*;
    use exec::ValueType;
    use logic::Predicate;
    use smt::{SortId, TermPool};

    /// One loop over integers: the entry is cut 0, the loop head cut 1. Texts are predicates over the variables; an
    /// update `x := e` is the equation `x == e`.
    fn one_loop(names: &[&str], assume: &[&str], start: &[&str], rounds: &[(&[&str], &[&str])]) -> System {
        let pool = TermPool::new();
        let variables: Vec<StateVariable> = names
            .iter()
            .map(|name| StateVariable { name: name.to_string(), symbol: pool.var(name, SortId::INT) })
            .collect();
        let named = variables
            .iter()
            .map(|v| (v.name.clone(), Named { term: v.symbol, ty: ValueType::Int(ir::IntKind::Int) }))
            .collect::<BTreeMap<_, _>>();
        let cut = |name: &str| Cut { name: name.into(), span: None, names: named.clone(), facts: Vec::new() };
        let cuts = vec![cut("entry"), cut("loop")];
        let term = |text: &str| {
            let lookup = |name: &str| named.get(name).map(|n| n.term);
            Predicate::parse(text).unwrap().to_smt(&pool, &lookup).unwrap()
        };
        let transition = |from: u32, conditions: &[&str], updates: &[&str]| Transition {
            from: CutId(from),
            to: CutId(1),
            path: Path { conditions: conditions.iter().map(|c| term(c)).collect(), ..Path::default() },
            updates: updates
                .iter()
                .map(|update| {
                    let (name, value) = update.split_once(":=").unwrap();
                    let index = names.iter().position(|n| *n == name.trim()).unwrap();
                    let lookup = |name: &str| named.get(name).map(|n| n.term);
                    let value = logic::Term::parse(value).unwrap().to_smt(&pool, &lookup).unwrap();
                    (VariableId(index as u32), value)
                })
                .collect(),
        };
        let mut transitions = vec![transition(0, assume, start)];
        transitions.extend(rounds.iter().map(|(conditions, updates)| transition(1, conditions, updates)));
        System {
            pool: pool.clone(),
            variables,
            cuts,
            transitions,
            obligations: Vec::new(),
            properties: Vec::new(),
            given: Vec::new(),
            passed: Vec::new(),
            layout: Default::default(),
            results: BTreeMap::new(),
            open: Vec::new(),
            inputs: Vec::new(),
            assumptions: BTreeSet::new(),
            obstacles: Vec::new(),
        }
    }

    fn candidates(texts: &[&str]) -> Vec<Candidate> {
        let claim = |text: &&str| Claim::Predicate(Predicate::parse(text).unwrap());
        texts.iter().map(|text| Candidate { cut: CutId(1), claim: claim(text) }).collect()
    }

    fn proved(system: &System, texts: &[&str]) -> Vec<String> {
        let result = joint(system, &candidates(texts), &[], Effort::FULL, &Deadline::default());
        assert!(result.complete);
        result.candidates.iter().map(|c| c.claim.to_string()).collect()
    }

    /// Figure 3.11.
    fn sqrt() -> System {
        one_loop(
            &["x", "a", "s", "t"],
            &["x >= 0"],
            &["a := 0", "s := 1", "t := 1"],
            &[(&["s <= x"], &["a := a + 1", "t := t + 2", "s := s + t + 2"])],
        )
    }

    #[test]
    fn the_square_root_of_the_source() {
        let found = proved(&sqrt(), &["t == 2*a + 1", "4*s == t^2 + 2*t + 1", "s == (a + 1)^2", "s >= t", "9989 >= x"]);
        assert_eq!(found, ["t == 2*a + 1", "4*s == t^2 + 2*t + 1", "s == (a + 1)^2", "s >= t"]);
        // Modulo the equations `s - t` is the square of `a`; without them it is not inductive for any k.
        assert_eq!(proved(&sqrt(), &["s >= t"]).len(), 0);
    }

    #[test]
    fn rotation_needs_three_steps_alone_and_one_together() {
        let system =
            one_loop(&["x", "y", "z"], &[], &["x := 0", "y := 1", "z := 2"], &[(&[], &["x := y", "y := z", "z := x"])]);
        let alone = &candidates(&["x != y"])[0];
        for k in 1..=3 {
            let answer = is_k_inductive(&system, alone, &[], k, Effort::FULL);
            assert_eq!(matches!(answer, Answer::Holds { .. }), k == 3, "k = {k}: {answer:?}");
        }
        assert_eq!(proved(&system, &["x != y"]).len(), 0);
        assert_eq!(proved(&system, &["x != y", "y != z", "z != x"]).len(), 3);
    }

    #[test]
    fn equations_that_need_each_other_are_proved_together() {
        let egcd = one_loop(
            &["x", "y", "a", "b", "p", "q", "r", "s"],
            &["x >= 1", "y >= 1"],
            &["a := x", "b := y", "p := 1", "q := 0", "r := 0", "s := 1"],
            &[
                (&["a > b"], &["a := a - b", "p := p - q", "r := r - s"]),
                (&["a < b"], &["b := b - a", "q := q - p", "s := s - r"]),
            ],
        );
        let equations = ["a == p*x + r*y", "b == q*x + s*y", "x == a*s - b*r", "y == b*p - a*q", "p*s - q*r == 1"];
        assert_eq!(proved(&egcd, &equations).len(), 5);
        assert_eq!(proved(&egcd, &["a == p*x + r*y", "p*s - q*r == 2"]).len(), 0);
        let with_bounds: Vec<&str> = equations.iter().copied().chain(["a >= 1", "b >= 1", "a >= 2"]).collect();
        assert_eq!(proved(&egcd, &with_bounds).len(), 7);
    }

    #[test]
    fn a_geometric_variable_stays_one() {
        let doubling = one_loop(&["b", "B"], &["B >= 1"], &["b := B"], &[(&["b <= 100"], &["b := 2*b"])]);
        let claim = Claim::Geometric { of: "b".into(), unit: Some("B".into()), ratio: 2 };
        let candidate = Candidate { cut: CutId(1), claim };
        let result = joint(&doubling, std::slice::from_ref(&candidate), &[], Effort::FULL, &Deadline::default());
        assert_eq!(result.candidates.len(), 1);
        let tripling = one_loop(&["b", "B"], &["B >= 1"], &["b := B"], &[(&["b <= 100"], &["b := 3*b"])]);
        let result = joint(&tripling, &[candidate], &[], Effort::FULL, &Deadline::default());
        assert_eq!(result.candidates.len(), 0);
    }
}
