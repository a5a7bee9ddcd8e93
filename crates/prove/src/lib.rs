//! Does a claim hold on every run?
//!
//! *Question*: which assertions and relations hold whatever the input, and for which is there an input that breaks
//! them?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, §3.5–3.6 (KIP): candidates seen in runs are proved by k-induction over SMT, with those already
//! proved as lemmas.
//!
//! *Departures*: candidates at all locations are tried together ([`induction`]); equations are settled in their ideal
//! and inequalities modulo it before a nonlinear solver is asked ([`entail`]); powers and divisors are candidates of
//! their own ([`candidate`]), which `divbin`, `hard` and `dijkstra` need; a refutation is replayed ([`replay`]).
//!
//! *Phases*: [`exploration`] (claims whose paths end soon are decided by following them) → observe (`infer` runs the program and finds candidates) → [`encode`] (the transition system) → [`proof`]
//! (invariants, then claims) → [`counterexample`] and [`replay`] for what is not proved.
//!
//! *Guarantee*: `Proved` holds on every run of the program under the assumptions named with it. `Refuted` was seen in
//! the VM, and says whether the compiled program showed it too. Everything else is `Unknown`.
//!
//! ```
//! use diagnostics::Verdict;
//!
//! let text = "void __VERIFIER_assert(int);
//!             int half(unsigned n) { unsigned h = n / 2; __VERIFIER_assert(h <= n); return (int)h; }";
//! let program = cfront::load_text(&[("half.c", text)]).expect("this is C").program;
//! let entry = program.find_function("half").expect("the function should be there");
//! let config = prove::Config { paths: true, ..prove::Config::default() };
//! let report = prove::prove(&program, entry, &config).expect("the claim should be looked at");
//! let [claim] = &report.properties[..] else { panic!("there is one claim") };
//! assert!(matches!(claim.verdict, Verdict::Proved { .. }));
//! // What the proof takes for granted stands beside it.
//! assert!(claim.assumptions.is_empty());
//! ```

mod blame;
mod blocking_lemmas;
mod calls;
pub mod candidate;
pub mod certificate;
pub mod counterexample;
mod dead_ends;
pub mod encode;
pub mod entail;
mod exploration;
mod globals;
pub mod graph;
pub mod implied;
pub mod induction;
pub mod linearise;
mod obligations;
mod operations;
pub mod proof;
pub mod proposals;
pub mod refinement;
mod relevance;
pub mod replayer;
mod show;
pub mod system;
mod unrolling;
mod unwritten;
mod vacuity;

pub use candidate::{Candidate, Claim};
pub use certificate::{Certificate, CertifiedClaim, Rejected};
pub use encode::{Encoding, encode};
pub use entail::Method;
pub use induction::Tally;
pub use refinement::{RefinementReport, refine};
use replay::Sources;
pub use symex::{Floats, Ints};
pub use system::{Cut, CutId, Obligation, Path, Property, PropertyId, PropertyKind, Quotient, System, Transition};

use candidate::{Found, conjuncts, holds_of_some_rows};
use counterexample::{Search, Target};
use diagnostics::Deadline;
use diagnostics::{Assumption, Operations, Reason, Span, Verdict, Why, Witness};
use entail::{Answer, Effort};
use exec::Input;
use exploration::Decision;
pub use infer::Refusal;
use infer::{FormConfig, LocationReport, falsify, observe, relations};
use ir::{FunctionId, Program, StmtKind};
use logic::Predicate;
use observe::guards;
use observe::locations::{Request, instrument};
use observe::runs::Observations;
use proof::{Argument, Proof};
use rayon::prelude::*;
use replayer::Replayer;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use vacuity::Vacuity;

/// How a program is proved.
#[derive(Clone, Debug)]
pub struct Config {
    /// How candidates are found.
    pub infer: infer::Config,
    pub encoding: Encoding,
    /// Steps of induction that are tried.
    pub max_k: usize,
    /// Invariants that the user asks about, by the name of the location.
    pub asked: Vec<(String, Predicate)>,
    /// Further candidates, by the name of the location (`--using`).
    pub using: Vec<(String, Predicate)>,
    /// Whether claims are decided by following paths where that ends. What is proved so has no certificate.
    pub paths: bool,
    /// Whether pointers that are inputs are taken to lead to objects that do not overlap, where paths are followed.
    pub separate: bool,
    /// Whether the plain k of each claim is found out as well: that of k-induction on the claim alone.
    pub plain: bool,
    /// How the program is compiled, for replays.
    pub sources: Option<Sources>,
    pub deadline: Deadline,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            infer: infer::Config::default(),
            encoding: Encoding::default(),
            max_k: 5,
            asked: Vec::new(),
            using: Vec::new(),
            paths: false,
            separate: false,
            plain: false,
            sources: None,
            deadline: Deadline::default(),
        }
    }
}

/// What is known about one claim.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    pub kind: PropertyKind,
    pub span: Span,
    pub text: String,
    pub verdict: Verdict,
    /// Steps of induction that the proof took, with the lemmas.
    pub k: Option<usize>,
    /// Steps that the claim alone would take, if that was asked for and is known.
    pub plain_k: Option<usize>,
    /// The invariants that the proof rests on, with their places.
    pub lemmas: Vec<String>,
    pub assumptions: Vec<Assumption>,
}

/// What was proved and what was not.
#[derive(Clone, Debug, Default)]
pub struct ProveReport {
    /// In the order of the text.
    pub properties: Vec<PropertyReport>,
    /// The inductive invariants, by the name of the location.
    pub invariants: Vec<(String, Claim)>,
    /// Those among them that were asked about.
    pub asked: Vec<(String, String)>,
    pub tally: Tally,
    /// What the model replaces by arbitrary values, with its place.
    pub obstacles: Vec<(String, Span)>,
    pub notes: Vec<String>,
}

impl ProveReport {
    /// What the proved claims rest on.
    pub fn certificate(&self, line: &dyn Fn(Span) -> u32) -> Certificate {
        let invariants = self.invariants.iter().map(|(place, claim)| (place.clone(), claim.to_string())).collect();
        // An invariant that was asked about is among the invariants.
        // What all paths show is no induction, and has no steps.
        let is_claim = |p: &&PropertyReport| p.kind != PropertyKind::Invariant && p.verdict.is_proof() && p.k.is_some();
        let claims = self.properties.iter().filter(is_claim);
        let certified =
            |p: &PropertyReport| CertifiedClaim { text: p.text.clone(), line: line(p.span), k: p.k.unwrap_or(1) };
        Certificate { invariants, claims: claims.map(certified).collect(), asked: self.asked.clone() }
    }
}

/// The claims of the text that a run may come to, and where they stand.
pub fn claims(program: &Program, entry: FunctionId) -> Vec<(String, Span)> {
    let claims = exploration::claims(program, entry).into_iter();
    claims.map(|claim| (claim.property.text, claim.property.span)).collect()
}

/// The program with one of its [`claims`], by its number, as the only one. The others are assumptions: a run ends where one of them
/// fails, so that this one says what it said before.
pub fn alone(program: &Program, entry: FunctionId, claim: usize) -> Program {
    let mut alone = program.clone();
    let others = exploration::claims(program, entry).into_iter().enumerate().filter(|(number, _)| *number != claim);
    for (_, other) in others {
        if let Some(body) = &mut alone.functions[other.function].body {
            body.walk_mut(&mut |stmt| {
                if let StmtKind::Assert { cond, .. } = &stmt.kind
                    && stmt.id == other.stmt
                {
                    stmt.kind = StmtKind::Assume(cond.clone());
                }
            });
        }
    }
    alone
}

/// Proves the program's claims and those that are asked about, or refutes them.
pub fn prove(program: &Program, entry: FunctionId, config: &Config) -> Result<ProveReport, Refusal> {
    let claims = exploration::claims(program, entry);
    let mut decisions = Vec::new();
    let follows = config.paths && config.encoding.floats == Floats::Exact;
    if follows && config.encoding.checks {
        decisions = vec![Decision::open(Reason::Exhausted, ""); claims.len()];
    } else if follows {
        decisions = exploration::decide(program, entry, &claims, config, exploration::first(program, entry, config));
        if !claims.is_empty() && config.asked.is_empty() && !decisions.iter().any(Decision::is_open) {
            return Ok(exploration::report(&claims, &decisions));
        }
    }
    let argued = match follows {
        false => prove_by_induction(program, entry, &decisions, config),
        // The rest of the time is for paths again: a claim that induction finds hard may have an input that breaks it.
        true => {
            let deadline = Instant::now() + config.deadline.left().mul_f64(INDUCTION);
            exploration::with_deadline(&config.deadline, deadline, |cancel| {
                let deadline = Deadline { at: Some(deadline), cancel, ..config.deadline.clone() };
                prove_by_induction(program, entry, &decisions, &Config { deadline, ..config.clone() })
            })
        }
    };
    let mut report = match argued {
        Ok(report) => report,
        // Paths may still be followed where induction cannot begin, but not past a question that does not fit.
        Err(why @ (Refusal::Inputs(_) | Refusal::Compiler(_)))
            if !decisions.is_empty() && config.asked.is_empty() && !config.encoding.checks =>
        {
            let later = exploration::decide(program, entry, &claims, config, config.deadline.left());
            return Ok(ProveReport { notes: vec![why.into()], ..exploration::report(&claims, &later) });
        }
        Err(why) => return Err(why),
    };
    let is_open = |property: &PropertyReport| property.verdict.is_unknown();
    if !follows || config.deadline.is_over() || !report.properties.iter().any(is_open) {
        return Ok(report);
    }
    if config.encoding.checks {
        operations::decide(program, entry, &claims, &mut report.properties, config);
    } else if report.properties.iter().zip(&decisions).any(|(property, _)| is_open(property)) {
        let later = exploration::decide(program, entry, &claims, config, config.deadline.left());
        for (property, decision) in report.properties.iter_mut().zip(&later).filter(|(property, _)| is_open(property)) {
            exploration::refine(property, decision);
        }
    }
    Ok(report)
}

/// Argues by induction what the paths have left open.
fn prove_by_induction(
    program: &Program,
    entry: FunctionId,
    decisions: &[Decision],
    config: &Config,
) -> Result<ProveReport, Refusal> {
    // Relations that somebody asks about may be of any variable, every operation may be a claim, and a certificate is about the
    // program as it is.
    let asks_all = !config.asked.is_empty() || !config.using.is_empty() || config.encoding.checks || !config.paths;
    let sliced = if asks_all { None } else { relevance::slice(program, entry) };
    let followed = sliced.as_ref().unwrap_or(program);
    let mut looking = config.infer.clone();
    looking.request.loops = true;
    looking.deadline = config.deadline.part(OBSERVATION).sooner(&looking.deadline);
    looking.relations_until = config.deadline.part(2.0 * OBSERVATION).at;
    looking.forms.cancel = Some(config.deadline.cancel.clone());
    if looking.vars.is_empty() && !asks_all {
        looking.vars = relevance::nearest(followed, entry);
    }
    let mut observations = observe(followed, entry, &looking)?;
    let relations = falsify::falsify(&mut observations, &looking);
    let system = system_of(followed, entry, &looking.request, &config.encoding);
    system.pool.cancelled_by(&config.deadline.cancel);
    let mut session = Session::new(program, &observations, &system, config);
    // Claims of the text are numbered first, and in the same order.
    session.decided = (0..).map(PropertyId).zip(decisions.iter().cloned()).filter(|(_, d)| !d.is_open()).collect();
    session.check_names()?;
    session.proof = Proof::start(&system, &session.first_candidates(&relations), &config.deadline.part(SEARCH));
    session.argue_all();
    for stage in [Stage::Polyhedra, Stage::BlockingLemmas, Stage::Solver, Stage::Steps] {
        if session.is_settled() || config.deadline.is_over() {
            break;
        }
        session.advance(stage);
    }
    session.refute_all();
    Ok(session.report())
}

/// The transition system of a program as it is looked at: every location is a cut point. Rounds of loops are counted
/// by numbers without bounds, so they are counted only where integers have none.
pub fn system_of(program: &Program, entry: FunctionId, request: &Request, encoding: &Encoding) -> System {
    let ghosts = request.ghosts && encoding.ints == Ints::Math && !encoding.checks;
    let request = Request { ghosts, unbounded: true, loops: true, ..request.clone() };
    encode(&instrument(program, entry, &request).program, entry, encoding)
}

/// The part of the time that induction may take before paths are followed once more.
const INDUCTION: f64 = 0.6;

/// The part of that in which runs are made; relations may be looked for in as much again.
const OBSERVATION: f64 = 0.25;

/// The part of the time that is left which one search for invariants may take, so that there is some to use them.
const SEARCH: f64 = 0.7;

/// What is tried when the cheap means leave a claim open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Convex hulls of three variables as further candidates.
    Polyhedra,
    /// Relations that exclude the states from which induction fails.
    BlockingLemmas,
    /// Candidates that were dropped, with the nonlinear solver.
    Solver,
    /// More steps of induction.
    Steps,
}

/// How often states from which induction fails are looked at, and how many relations each may suggest.
const BLOCKING_ROUNDS: usize = 6;
const MOST_BLOCKING_LEMMAS: usize = 24;

/// How many claims of the text are tried at cuts, all together.
const MOST_CLAIMS_AT_CUTS: usize = 4_000;

/// Claims that are still looked at when the time is over, if runs have failed.
const MOST_LATE: usize = 16;

struct Session<'a> {
    program: &'a Program,
    observations: &'a Observations,
    evidence: Vec<infer::Evidence>,
    /// The number of the first location of each name.
    location_of: BTreeMap<String, usize>,
    system: &'a System,
    config: &'a Config,
    proof: Proof,
    arguments: BTreeMap<PropertyId, Argument>,
    refuted: BTreeMap<PropertyId, Witness>,
    refuted_asked: BTreeMap<usize, Witness>,
    /// What following paths has decided.
    decided: BTreeMap<PropertyId, Decision>,
}

impl<'a> Session<'a> {
    fn new(
        program: &'a Program,
        observations: &'a Observations,
        system: &'a System,
        config: &'a Config,
    ) -> Session<'a> {
        let evidence = observations.evidence().into_iter().map(|(evidence, _)| evidence).collect();
        let mut location_of = BTreeMap::new();
        for (number, location) in observations.locations().iter().enumerate() {
            location_of.entry(location.name.clone()).or_insert(number);
        }
        Session {
            program,
            observations,
            evidence,
            location_of,
            system,
            config,
            proof: Proof::default(),
            arguments: BTreeMap::new(),
            refuted: BTreeMap::new(),
            refuted_asked: BTreeMap::new(),
            decided: BTreeMap::new(),
        }
    }

    fn effort(&self, effort: Effort) -> Effort {
        effort.deadline(self.config.deadline.at)
    }

    /// The cuts that a location has; several if its function is called from several places.
    fn cuts(&self, location: &str) -> Vec<CutId> {
        self.system.cuts_named(location)
    }

    fn check_names(&self) -> Result<(), Refusal> {
        for (location, predicate) in self.config.asked.iter().chain(&self.config.using) {
            let Some(&cut) = self.cuts(location).first() else {
                let known: BTreeSet<&str> = self.system.cuts[1..].iter().map(|cut| cut.name.as_str()).collect();
                let known: Vec<&str> = known.into_iter().collect();
                let known = known.join(", ");
                let text = format!("there is no location `{location}` that can be reached; there are: {known}");
                return Err(Refusal::Request(text));
            };
            let names = &self.system.cut(cut).names;
            if let Some(unknown) = predicate.variables().into_iter().find(|name| !names.contains_key(*name)) {
                let known: Vec<&str> = names.keys().map(String::as_str).collect();
                let text = format!("`{unknown}` is not a variable at {location}; there are: {}", known.join(", "));
                return Err(Refusal::Request(text));
            }
        }
        Ok(())
    }

    /// What runs, the text and the user suggest.
    fn first_candidates(&self, relations: &[LocationReport]) -> Vec<Candidate> {
        let mut found = Found::default();
        for (location, predicate) in self.config.asked.iter().chain(&self.config.using) {
            self.cuts(location).into_iter().for_each(|cut| found.add(cut, Claim::Predicate(predicate.clone())));
        }
        for ((location, report), evidence) in self.observations.locations().iter().zip(relations).zip(&self.evidence) {
            let invariants =
                report.invariants.iter().map(|invariant| report.location.spelled_out(&invariant.predicate));
            let seen = invariants.chain(location.guards.iter().cloned()).flat_map(conjuncts).map(Claim::Predicate);
            let claims: Vec<Claim> = seen.chain(proposals::proposals(evidence)).collect();
            for cut in self.cuts(&location.name) {
                claims.iter().for_each(|claim| found.add(cut, claim.clone()));
            }
        }
        self.add_claims_of_the_text(&mut found);
        found.candidates
    }

    fn add_claims_of_the_text(&self, found: &mut Found) {
        let claims = self.claims_of_the_text();
        let near = self.nearest_claims(&claims);
        for (number, (_, claim)) in claims.iter().enumerate() {
            let variables = claim.variables();
            for cut in (1..self.system.cuts.len() as u32).map(CutId) {
                if self.config.deadline.is_over() {
                    return;
                }
                let names = &self.system.cut(cut).names;
                let is_near = near.as_ref().is_none_or(|near| near.contains(&(cut, number)));
                if is_near && variables.iter().all(|name| names.contains_key(*name)) && self.is_seen(cut, claim) {
                    found.add(cut, Claim::Predicate(claim.clone()));
                }
            }
        }
    }

    /// Where there are too many claims and cuts to try each claim at each cut: the claims that stand nearest to each.
    fn nearest_claims(&self, claims: &[(Span, Predicate)]) -> Option<BTreeSet<(CutId, usize)>> {
        let cuts = self.system.cuts.len().saturating_sub(1).max(1);
        if claims.len().saturating_mul(cuts) <= MOST_CLAIMS_AT_CUTS {
            return None;
        }
        let each = (MOST_CLAIMS_AT_CUTS / cuts).max(1);
        let mut near = BTreeSet::new();
        for cut in (1..self.system.cuts.len() as u32).map(CutId) {
            let place = self.system.cut(cut).span.map_or(0, |span| span.lo);
            let mut by_distance: Vec<usize> = (0..claims.len()).collect();
            by_distance.sort_by_key(|&number| claims[number].0.lo.abs_diff(place));
            near.extend(by_distance.into_iter().take(each).map(|number| (cut, number)));
        }
        Some(near)
    }

    /// Assertions and assumptions of the entry, which often hold elsewhere too.
    fn claims_of_the_text(&self) -> Vec<(Span, Predicate)> {
        let function = &self.program.functions[self.observations.instrumented.entry];
        let mut claims = Vec::new();
        let Some(body) = &function.body else { return claims };
        body.walk(&mut |stmt| {
            if let StmtKind::Assert { cond, .. } | StmtKind::Assume(cond) = &stmt.kind {
                let name = |local| Some(function.locals[local].name.clone()).filter(|name| !name.is_empty());
                let said = guards::predicate(&self.program.types, cond, &name).into_iter().flat_map(conjuncts);
                claims.extend(said.map(|claim| (stmt.span, claim)));
            }
        });
        claims
    }

    /// Whether nothing seen at the cut speaks against the claim.
    fn is_seen(&self, cut: CutId, claim: &Predicate) -> bool {
        let name = &self.system.cut(cut).name;
        let at = self.location_of.get(name).copied();
        at.is_none_or(|at| holds_of_some_rows(claim, &self.evidence[at]))
    }

    fn advance(&mut self, stage: Stage) {
        let deadline = &self.config.deadline.part(SEARCH);
        match stage {
            Stage::Solver => self.proof.retry(self.system, self.effort(Effort::LIGHT), deadline),
            Stage::Polyhedra => {
                let mut found = Found::default();
                let forms = FormConfig {
                    forms: BTreeSet::from([infer::Form::Polyhedron]),
                    cancel: Some(deadline.cancel.clone()),
                    ..self.config.infer.forms.clone()
                };
                let locations = self.observations.locations();
                let hull = |(location, evidence)| match deadline.is_over() {
                    true => Vec::new(),
                    false => relations(location, evidence, &forms).invariants,
                };
                let hulls: Vec<_> = locations.par_iter().zip(&self.evidence).map(hull).collect();
                for (location, invariants) in locations.iter().zip(hulls) {
                    for cut in self.cuts(&location.name) {
                        for invariant in &invariants {
                            found.add(cut, Claim::Predicate(invariant.predicate.clone()));
                        }
                    }
                }
                // Together with what was dropped: either may need the other.
                let dropped = self.proof.open.iter().map(|(candidate, _)| candidate.clone());
                let again: Vec<Candidate> = dropped.chain(found.candidates).collect();
                self.proof.extend(self.system, &again, self.effort(Effort::BY_CASES), deadline);
            }
            Stage::BlockingLemmas => self.add_blocking_lemmas(),
            Stage::Steps => {
                let open = self.open_properties();
                deadline.progress.count("claims, in several steps,", open.len() as u64);
                for property in open {
                    deadline.progress.add(1);
                    let (most, effort) = (self.config.max_k, self.effort(Effort::FULL));
                    if let Some(argument) = self.proof.argue_by_steps(self.system, property, most, effort, deadline) {
                        self.arguments.insert(property, argument);
                    }
                }
                return;
            }
        }
        self.argue_all();
    }

    /// Looks at the states from which induction fails, and adds what runs have in common and such a state lacks; rounds
    /// as long as something new comes up and a claim is open.
    fn add_blocking_lemmas(&mut self) {
        let deadline = &self.config.deadline;
        let mut tried: BTreeSet<(CutId, String)> = BTreeSet::new();
        let wanted: Vec<Candidate> = self.wanted_at_cuts();
        for _ in 0..BLOCKING_ROUNDS {
            let mut found = Found::default();
            for (cut, model) in self.counterexamples_to_induction(&wanted) {
                let name = &self.system.cut(cut).name;
                let Some(&at) = self.location_of.get(name) else { continue };
                let value = |term| match model.eval(term) {
                    Ok(smt::Value::Int(value)) => i128::try_from(&value).ok(),
                    _ => None,
                };
                let names = &self.system.cut(cut).names;
                let state = names.iter().filter_map(|(name, named)| Some((name.clone(), value(named.term)?))).collect();
                for barrier in
                    blocking_lemmas::blocking_lemmas(&self.evidence[at], &state).into_iter().take(MOST_BLOCKING_LEMMAS)
                {
                    if tried.insert((cut, barrier.to_string())) {
                        self.cuts(name).into_iter().for_each(|cut| found.add(cut, Claim::Predicate(barrier.clone())));
                    }
                }
            }
            if found.candidates.is_empty() || deadline.is_over() {
                return;
            }
            let dropped = self.proof.open.iter().map(|(candidate, _)| candidate.clone());
            let again: Vec<Candidate> = dropped.chain(found.candidates).collect();
            self.proof.extend(self.system, &again, self.effort(Effort::BY_CASES), deadline);
            self.argue_all();
            if self.is_settled() {
                return;
            }
        }
    }

    /// What is to be shown at cuts: what the user asks about, and what the text claims, where runs do not contradict it.
    fn wanted_at_cuts(&self) -> Vec<Candidate> {
        let mut found = Found::default();
        for (location, predicate) in &self.config.asked {
            self.cuts(location).into_iter().for_each(|cut| found.add(cut, Claim::Predicate(predicate.clone())));
        }
        self.add_claims_of_the_text(&mut found);
        found.candidates
    }

    /// States that satisfy everything proved and from which one step leads to where a claim is false, or something wanted
    /// at a cut no longer holds.
    fn counterexamples_to_induction(&self, wanted: &[Candidate]) -> Vec<(CutId, smt::Model)> {
        let effort = self.effort(Effort::BY_CASES);
        let mut failures = Vec::new();
        for property in self.open_properties() {
            for way in self.system.ways_to(property) {
                if effort.is_over() {
                    return failures;
                }
                let answer = induction::discharge(self.system, way, &self.proof.invariants, effort);
                if let Answer::Fails(model) = answer {
                    failures.push((way.from, model));
                }
            }
        }
        for candidate in wanted.iter().filter(|candidate| !self.proof.invariants.contains(candidate)) {
            let answers = induction::step_failures(self.system, candidate, &self.proof.invariants, effort);
            failures.extend(answers);
        }
        failures
    }

    fn argue_all(&mut self) {
        let open = self.open_properties();
        self.config.deadline.progress.count("claims", open.len() as u64);
        for property in open {
            if self.config.deadline.is_over() {
                return;
            }
            self.config.deadline.progress.add(1);
            if let Some(argument) = self.proof.argue(self.system, property, self.effort(Effort::FULL)) {
                self.arguments.insert(property, argument);
            }
        }
    }

    fn open_properties(&self) -> Vec<PropertyId> {
        let all = (0..self.system.properties.len() as u32).map(PropertyId);
        all.filter(|id| !self.arguments.contains_key(id) && !self.decided.contains_key(id)).collect()
    }

    /// Whether the invariant asked about holds at every cut of its location.
    fn is_proved(&self, location: &str, predicate: &Predicate) -> bool {
        let claim = Claim::Predicate(predicate.clone());
        let proved = |cut: CutId| self.proof.invariants.iter().any(|i| i.cut == cut && i.claim == claim);
        let cuts = self.cuts(location);
        !cuts.is_empty() && cuts.into_iter().all(proved)
    }

    fn is_settled(&self) -> bool {
        self.open_properties().is_empty() && self.config.asked.iter().all(|(at, p)| self.is_proved(at, p))
    }

    fn refute_all(&mut self) {
        let observed = &self.observations.instrumented.program;
        let entry = self.observations.instrumented.entry;
        let replayer = Replayer::new(self.program, observed, entry, self.config.sources.as_ref());
        let search = Search { deadline: self.config.deadline.at, ..Search::default() };
        let open = self.open_properties();
        self.config.deadline.progress.count("claims to be refuted", open.len() as u64);
        let failures = self.observations.failures();
        for (number, id) in open.into_iter().enumerate() {
            // What a run has shown costs little to show again.
            let is_shown = number < MOST_LATE && !failures.is_empty();
            if self.config.deadline.is_over() && !is_shown {
                return;
            }
            self.config.deadline.progress.add(1);
            let property = self.system.property(id);
            let ways = self.system.ways_to(id);
            let mut seen = None;
            let mut accept = |input: &Input| {
                seen = replayer.breaks(property, input);
                seen.is_some()
            };
            let failed = failures.iter().find(|input| accept(input)).cloned();
            let target = Target::Property(&ways);
            let input = failed.or_else(|| {
                counterexample::find(self.system, target, search, &self.config.deadline.cancel, &mut accept)
            });
            if let (Some(input), Some(seen)) = (input, seen) {
                let input = without_unused(input, &|shorter| replayer.breaks(property, shorter) == Some(seen));
                self.refuted.insert(id, self.witness(&input, seen.natively));
            }
        }
        for (number, (location, predicate)) in self.config.asked.iter().enumerate() {
            if self.is_proved(location, predicate) {
                continue;
            }
            for cut in self.cuts(location) {
                let candidate = Candidate { cut, claim: Claim::Predicate(predicate.clone()) };
                let mut seen = None;
                let mut accept = |input: &Input| {
                    seen = replayer.violates(location, predicate, input);
                    seen.is_some()
                };
                let target = Target::Candidate(&candidate);
                let input =
                    counterexample::find(self.system, target, search, &self.config.deadline.cancel, &mut accept);
                if let (Some(input), Some(seen)) = (input, seen) {
                    let fails = |shorter: &Input| replayer.violates(location, predicate, shorter) == Some(seen);
                    let input = without_unused(input, &fails);
                    self.refuted_asked.insert(number, self.witness(&input, seen.natively));
                    break;
                }
            }
        }
    }

    fn witness(&self, input: &Input, replayed: bool) -> Witness {
        let entry = self.observations.instrumented.entry;
        Witness { inputs: exploration::shown(self.program, entry, input), replayed }
    }

    fn report(mut self) -> ProveReport {
        let assumptions: Vec<Assumption> = self.system.assumptions.iter().cloned().collect();
        let proved: BTreeSet<PropertyId> = self.arguments.keys().copied().collect();
        let vacuity = Vacuity::of(self.system, &self.proof.invariants, &proved, self.effort(Effort::FULL));
        let mut properties: Vec<PropertyReport> = Vec::new();
        for id in (0..self.system.properties.len() as u32).map(PropertyId) {
            let property = self.system.property(id);
            if let Some(decision) = self.decided.get(&id) {
                properties.push(exploration::of_claim(property, decision));
                continue;
            }
            let argument = self.arguments.get(&id);
            let verdict = match (argument, self.refuted.get(&id)) {
                // That an error is not reached is what is claimed; of an assertion it says nothing.
                (Some(_), _) if !property.met && property.kind == PropertyKind::Assert => self.vacuous(),
                (Some(_), _) if vacuity.covers(self.system, id) => self.vacuous(),
                (Some(argument), _) => self.proved(self.how(argument)),
                (None, Some(witness)) => Verdict::Refuted { witness: witness.clone() },
                (None, None) => Verdict::Unknown { why: self.why_open(property.unmodelled.as_deref()) },
            };
            let argument = argument.filter(|_| verdict.is_proof());
            properties.push(PropertyReport {
                kind: property.kind,
                span: property.span,
                text: property.text.clone(),
                verdict,
                k: argument.map(|argument| argument.k),
                plain_k: argument.and_then(|_| self.plain_k_of(id)),
                lemmas: argument.map_or(Vec::new(), |argument| self.lemmas(argument)),
                assumptions: assumptions.clone(),
            });
        }
        let mut asked = Vec::new();
        for (number, (location, predicate)) in self.config.asked.iter().enumerate() {
            let proved = self.is_proved(location, predicate);
            let is_vacuous = self.cuts(location).into_iter().all(|cut| vacuity.covers_cut(self.system, cut));
            let verdict = match self.refuted_asked.remove(&number) {
                _ if proved && is_vacuous => self.vacuous(),
                _ if proved => self.proved("induction, together with the other invariants".into()),
                Some(witness) => Verdict::Refuted { witness },
                None => Verdict::Unknown { why: self.why_open(None) },
            };
            let proved = proved && !is_vacuous;
            asked.extend(proved.then(|| (location.clone(), predicate.to_string())));
            let cut = self.cuts(location).first().copied();
            properties.push(PropertyReport {
                kind: PropertyKind::Invariant,
                span: cut.and_then(|cut| self.system.cut(cut).span).unwrap_or(Span::NONE),
                text: format!("{predicate} at {location}"),
                verdict,
                k: proved.then_some(1),
                plain_k: cut.filter(|_| proved).and_then(|cut| self.plain_k(cut, predicate)),
                lemmas: if proved { self.support_of(cut, predicate) } else { Vec::new() },
                assumptions: assumptions.clone(),
            });
        }
        let open = properties.iter().filter(|p| !p.verdict.is_proof()).map(|p| p.kind);
        let conditions = conditions_of(open);
        properties.iter_mut().for_each(|property| property.assumptions.extend(conditions.iter().cloned()));
        let place = |candidate: &Candidate| self.system.cut(candidate.cut).name.clone();
        let mut listed = BTreeSet::new();
        let ordered = self.proof.invariants.iter().filter(|i| listed.insert((place(i), i.claim.to_string())));
        let ordered: Vec<(String, Claim)> = ordered.map(|i| (place(i), i.claim.clone())).collect();
        ProveReport {
            properties,
            invariants: ordered,
            asked,
            tally: self.proof.tally,
            obstacles: self.system.obstacles.clone(),
            notes: self.observations.notes(),
        }
    }

    /// Whether floating values took part as the real numbers they are not.
    fn is_over_reals(&self) -> bool {
        self.system.assumptions.contains(&Assumption::Reals)
    }

    /// What a proof in this system shows.
    fn proved(&self, how: String) -> Verdict {
        if self.is_over_reals() { Verdict::ProvedOverReals { how } } else { Verdict::Proved { how } }
    }

    fn vacuous(&self) -> Verdict {
        match self.is_over_reals() {
            true => Verdict::unknown(Reason::CutOff, "no way leads there over the reals, which says nothing of floats"),
            false => Verdict::Vacuous,
        }
    }

    fn how(&self, argument: &Argument) -> String {
        let method = self.name_of(argument.method);
        match argument.k {
            1 => format!("induction, by {method}"),
            k => format!("{k}-induction, by {method}"),
        }
    }

    fn name_of(&self, method: Method) -> &'static str {
        match self.config.encoding.ints {
            Ints::Machine => "bit-vectors",
            Ints::Math => method.name(),
        }
    }

    fn lemmas(&self, argument: &Argument) -> Vec<String> {
        argument.lemmas.iter().map(|&lemma| self.described(&self.proof.invariants[lemma])).collect()
    }

    fn support_of(&self, cut: Option<CutId>, predicate: &Predicate) -> Vec<String> {
        let claim = Claim::Predicate(predicate.clone());
        let own = self.proof.invariants.iter().position(|i| Some(i.cut) == cut && i.claim == claim);
        let Some(own) = own else { return Vec::new() };
        let support = self.proof.with_their_support(BTreeSet::from([own]));
        support.into_iter().filter(|&i| i != own).map(|i| self.described(&self.proof.invariants[i])).collect()
    }

    fn described(&self, candidate: &Candidate) -> String {
        format!("{} at {}", candidate.claim, self.system.cut(candidate.cut).name)
    }

    /// Why a claim is neither proved nor refuted; `unmodelled` is what stands in the way of this one.
    fn why_open(&self, unmodelled: Option<&str>) -> Why {
        if let Some(what) = unmodelled {
            return Why::new(Reason::Unmodelled, format!("not decided: {what}"));
        }
        if self.config.deadline.is_cancelled() {
            return Why::new(Reason::Stopped, "stopped before it was decided");
        }
        let mut why = Why::new(Reason::Exhausted, "no proof and no failing input was found");
        if let Some((what, _)) = self.system.obstacles.first() {
            why = Why::new(Reason::Unmodelled, format!("{why}; beyond the model: {what}"));
        }
        if let Some(open) = self.system.open.first() {
            why.said +=
                &format!("; `{open}` may hold anything when the entry is called (--globals initial assumes not)");
        }
        why
    }

    fn plain_k_of(&self, property: PropertyId) -> Option<usize> {
        let ways = self.system.ways_to(property);
        let holds = |k: usize| {
            ways.iter().all(|way| {
                let answer = induction::holds_after(self.system, way, &[], k, self.effort(Effort::LIGHT));
                matches!(answer, Answer::Holds { .. })
            })
        };
        if self.config.plain { (1..=self.config.max_k).find(|&k| holds(k)) } else { None }
    }

    fn plain_k(&self, cut: CutId, predicate: &Predicate) -> Option<usize> {
        let candidate = Candidate { cut, claim: Claim::Predicate(predicate.clone()) };
        (1..=self.config.max_k).find(|&k| {
            let answer = induction::is_k_inductive(self.system, &candidate, &[], k, self.effort(Effort::LIGHT));
            matches!(answer, Answer::Holds { .. })
        })
    }
}

/// Answers at the end that the failure does not need, because the run is over by then, are no part of a witness.
fn without_unused(mut input: Input, fails: &dyn Fn(&Input) -> bool) -> Input {
    while let Some(last) = input.nondet.pop() {
        if !fails(&input) {
            input.nondet.push(last);
            break;
        }
    }
    input
}

/// What proofs rest on if claims of these kinds are not proved themselves: after an operation the model goes on as if it
/// had been defined.
pub fn conditions_of(open: impl Iterator<Item = PropertyKind>) -> BTreeSet<Assumption> {
    let condition = |kind| match kind {
        PropertyKind::Overflow => Some(Operations::Arithmetic),
        PropertyKind::DivisionByZero => Some(Operations::Divisions),
        PropertyKind::Shift => Some(Operations::Shifts),
        PropertyKind::Conversion => Some(Operations::Conversions),
        PropertyKind::Bounds | PropertyKind::Pointer => Some(Operations::Accesses),
        PropertyKind::Initialised => Some(Operations::Reads),
        PropertyKind::Call => Some(Operations::Calls),
        PropertyKind::Defined => Some(Operations::Others),
        PropertyKind::Assert | PropertyKind::Unreachable | PropertyKind::Invariant => None,
    };
    open.filter_map(condition).map(Assumption::WhereNotProved).collect()
}
