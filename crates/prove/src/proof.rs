//! Invariants that prove claims, found in stages from cheap to dear.
//!
//! *Phases*: all candidates jointly, without nonlinear solving; then, as long as some claim is open, the candidates
//! that were dropped again, with the solver and what is proved as lemmas; then k-induction on the open claims.
//!
//! *Guarantee*: an outcome `Proved` rests on invariants that are inductive together ([`joint`]) and on a way-by-way
//! argument from them to the claim. Nothing else counts as a proof.

use super::candidate::Candidate;
use super::entail::{Answer, Effort, Method};
use super::induction::{Dropped, Inductive, Tally, discharge, holds_after, joint};
use super::system::{PropertyId, System};
use diagnostics::Deadline;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// What is proved of a system so far.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Inductive together.
    pub invariants: Vec<Candidate>,
    pub methods: Vec<Method>,
    /// For each invariant, those its preservation rests on.
    pub rests_on: Vec<BTreeSet<usize>>,
    /// What was tried and is not proved.
    pub open: Vec<(Candidate, Dropped)>,
    pub tally: Tally,
}

/// How a claim is proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Steps of induction: 1 is the ordinary kind.
    pub k: usize,
    pub method: Method,
    /// The invariants used, by number, with all that they rest on.
    pub lemmas: BTreeSet<usize>,
}

impl Proof {
    /// Tries candidates, with what is proved as lemmas, and keeps what is inductive.
    pub fn extend(&mut self, system: &System, candidates: &[Candidate], effort: Effort, deadline: &Deadline) {
        let fresh: Vec<Candidate> =
            candidates.iter().filter(|candidate| !self.invariants.contains(candidate)).cloned().collect();
        let Inductive { candidates, methods, rests_on, dropped, tally, .. } =
            joint(system, &fresh, &self.invariants, effort, deadline);
        let known = self.invariants.len();
        self.invariants.extend(candidates);
        self.methods.extend(methods);
        // An invariant found later may rest on any that were lemmas then.
        let lemmas: BTreeSet<usize> = (0..known).collect();
        self.rests_on.extend(
            rests_on
                .into_iter()
                .map(|used| used.into_iter().map(|n| n + known).chain(lemmas.iter().copied()).collect()),
        );
        self.open = dropped;
        self.tally.add(tally);
    }

    /// The cheap stage, for all candidates.
    pub fn start(system: &System, candidates: &[Candidate], deadline: &Deadline) -> Proof {
        let mut proof = Proof::default();
        proof.extend(system, candidates, Effort::CHEAP.deadline(deadline.at), deadline);
        proof
    }

    /// What was dropped once more, with the nonlinear solver; rounds as long as they prove something.
    pub fn retry(&mut self, system: &System, effort: Effort, deadline: &Deadline) {
        loop {
            let dropped: Vec<Candidate> = self
                .open
                .iter()
                .filter(|(_, why)| *why != Dropped::NotExpressible)
                .map(|(candidate, _)| candidate.clone())
                .collect();
            let before = self.invariants.len();
            if dropped.is_empty() || deadline.is_over() {
                return;
            }
            self.extend(system, &dropped, effort, deadline);
            if self.invariants.len() == before {
                return;
            }
        }
    }

    /// The argument for a claim by ordinary induction, if there is one.
    pub fn argue(&mut self, system: &System, property: PropertyId, effort: Effort) -> Option<Argument> {
        let always = system.pool.bool(true);
        let ways: Vec<_> = system.ways_to(property).into_iter().filter(|way| way.claim != always).collect();
        let answers: Vec<Answer> =
            ways.par_iter().map(|way| discharge(system, way, &self.invariants, effort)).collect();
        answers.iter().for_each(|answer| self.tally.note(answer));
        let mut argument = Argument { k: 1, method: Method::Algebra, lemmas: BTreeSet::new() };
        for answer in answers {
            let Answer::Holds { method, used } = answer else { return None };
            argument.method = argument.method.max(method);
            argument.lemmas.extend(used);
        }
        argument.lemmas = self.with_their_support(argument.lemmas);
        Some(argument)
    }

    /// The argument by k-induction, for k from 2.
    pub fn argue_by_steps(
        &self,
        system: &System,
        property: PropertyId,
        most: usize,
        effort: Effort,
        deadline: &Deadline,
    ) -> Option<Argument> {
        let ways = system.ways_to(property);
        (2..=most).find_map(|k| {
            let mut method = Method::Algebra;
            for way in &ways {
                if deadline.is_over() {
                    return None;
                }
                match holds_after(system, way, &self.invariants, k, effort) {
                    Answer::Holds { method: with, .. } => method = method.max(with),
                    _ => return None,
                }
            }
            Some(Argument { k, method, lemmas: (0..self.invariants.len()).collect() })
        })
    }

    /// These and all that they rest on.
    pub fn with_their_support(&self, lemmas: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut work: Vec<usize> = lemmas.into_iter().collect();
        while let Some(lemma) = work.pop() {
            if all.insert(lemma) {
                work.extend(self.rests_on[lemma].iter().copied());
            }
        }
        all
    }
}
