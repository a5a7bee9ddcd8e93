//! Clauses proved, callees before callers.
//!
//! For every function the clauses that nothing spoke against are claimed together behind a call of it, and those that
//! are not proved are dropped until all that is left is proved at once (Houdini). A claim that fails ends its run, so that a
//! claim behind it is known to hold only where the former does: that is why nothing counts but a round in which all
//! claims are proved.
//!
//! | way | the program | assumed beside the requirements |
//! |---|---|---|
//! | as it is | bodies of all callees | what [`prove`] names |
//! | copies | parameters that lead to one object each are copies of it | that pointer inputs do not overlap, unless [`Sources`] say so |
//! | by contract | callees that change only numbers are their contracts, buffers hold anything | as above, and [`Assumption::BuffersApart`] |
//!
//! *Recursion*: in the body of a function, a call of itself or of one that calls it is a call of the contract, with the
//! clauses that are being claimed: induction on the depth of calls, of which only those that come back matter. A
//! recursive group is dropped and claimed again until all of its functions keep their clauses.
//!
//! *Guarantee*: a stand-in claims the requirements of its callee; where one of these claims is not proved, the round
//! does not count. Clauses of callees are taken only where they are proved, with their assumptions; one that assumes
//! how its parameters lie to each other is not taken, as nobody sees to it at the call.

use crate::buffers::anything_in_buffers;
use crate::harness::{PROVE, PROVE_COPIED, STAND_IN};
use crate::separation::{Meetings, Sources};
use crate::variants::Outline;
use crate::{Config, Origin, Standing, Work, harnesses};
use diagnostics::{Assumption, Deadline, Verdict};
use ir::{CallGraph, FunctionId, Program, StmtKind};
use prove::PropertyKind;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Rounds of dropping for one function and way.
const ROUNDS: usize = 6;
/// The least and the most time for one round.
const LEAST: Duration = Duration::from_millis(300);

/// Which program a proof is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    AsItIs,
    Copies,
    ByContract,
}

/// What is found of a group: by the number of the function, its clauses that are proved.
type Found = Vec<(usize, Vec<(usize, Standing)>)>;

/// What a function offers its callers: which clauses are proved, by number.
type Known = BTreeMap<FunctionId, Contract>;

#[derive(Clone, Debug, Default)]
struct Contract {
    proved: BTreeSet<usize>,
    assumptions: BTreeSet<Assumption>,
}

struct Prover<'a> {
    program: &'a Program,
    outline: Outline,
    config: &'a Config,
    graph: CallGraph,
    plain: BTreeMap<String, FunctionId>,
    copied: BTreeMap<String, FunctionId>,
    stand_ins: BTreeMap<FunctionId, FunctionId>,
    /// Of these, the ones that leave buffers out.
    skipping: BTreeSet<FunctionId>,
    /// The functions themselves, by number of the work.
    own: Vec<Option<FunctionId>>,
    /// How many clauses stand-ins have.
    clauses: BTreeMap<FunctionId, usize>,
}

/// Proves what it can of all clauses that nothing spoke against.
pub fn prove(program: &Program, config: &Config, works: &mut [Work]) {
    let own: Vec<Option<FunctionId>> = works.iter().map(|work| work.in_program(program)).collect();
    let stood = harnesses(program, works, STAND_IN);
    let stand_ins =
        works.iter().zip(&own).filter_map(|(work, own)| Some(((*own)?, *stood.get(&work.subject.key)?))).collect();
    let prover = Prover {
        program,
        outline: Outline::of(program),
        config,
        graph: CallGraph::new(program),
        plain: harnesses(program, works, PROVE),
        copied: harnesses(program, works, PROVE_COPIED),
        skipping: works
            .iter()
            .filter(|work| work.skips_buffers)
            .filter_map(|work| stood.get(&work.subject.key).copied())
            .collect(),
        clauses: works.iter().filter_map(|work| Some((*stood.get(&work.subject.key)?, work.clauses.len()))).collect(),
        stand_ins,
        own,
    };
    let number: BTreeMap<FunctionId, usize> =
        prover.own.iter().enumerate().filter_map(|(index, id)| Some(((*id)?, index))).collect();
    let mut known = Known::new();
    for level in levels(&prover.graph) {
        let groups: Vec<Vec<usize>> = level
            .iter()
            .map(|group| group.iter().filter_map(|id| number.get(id).copied()).collect())
            .filter(|group: &Vec<usize>| !group.is_empty())
            .collect();
        let left = groups.len();
        let shared: &[Work] = works;
        let found: Vec<Found> = groups.par_iter().map(|group| prover.group(group, shared, &known, left)).collect();
        for (index, standings) in found.into_iter().flatten() {
            let Some(id) = prover.own[index] else { continue };
            let contract = known.entry(id).or_default();
            for (number, standing) in standings {
                if let Standing::Proved { assumptions, .. } = &standing
                    && !assumptions.contains(&Assumption::SeparateInputs)
                {
                    contract.proved.insert(number);
                    contract.assumptions.extend(assumptions.iter().cloned());
                }
                works[index].clauses[number].standing = Some(standing);
            }
        }
    }
}

/// The groups of functions that call each other, by how deep their calls go: those of one level do not need each other.
fn levels(graph: &CallGraph) -> Vec<Vec<Vec<FunctionId>>> {
    let mut depth: BTreeMap<FunctionId, usize> = BTreeMap::new();
    let mut levels: Vec<Vec<Vec<FunctionId>>> = Vec::new();
    for group in graph.components() {
        let callees = group.iter().flat_map(|id| graph.callees(*id));
        let level = callees.filter_map(|id| depth.get(id)).map(|depth| depth + 1).max().unwrap_or(0);
        depth.extend(group.iter().map(|id| (*id, level)));
        if levels.len() <= level {
            levels.resize_with(level + 1, Vec::new);
        }
        levels[level].push(group.clone());
    }
    levels
}

impl Prover<'_> {
    /// Proves the clauses of functions that call each other, or of one alone.
    fn group(&self, group: &[usize], works: &[Work], known: &Known, beside: usize) -> Found {
        let recursive = group.iter().any(|index| self.own[*index].is_some_and(|id| self.graph.is_recursive(id)));
        if !recursive {
            return group.iter().map(|index| (*index, self.one(*index, &works[*index], known, beside))).collect();
        }
        // Every round claims and takes for granted the same clauses; it counts when none is lost.
        let mut open: BTreeMap<usize, BTreeSet<usize>> =
            group.iter().map(|index| (*index, alive(&works[*index]))).collect();
        let mut assumed = known.clone();
        for _ in 0..ROUNDS {
            for (index, clauses) in &open {
                if let Some(id) = self.own[*index] {
                    assumed.insert(id, Contract { proved: clauses.clone(), assumptions: BTreeSet::new() });
                }
            }
            let mut lost = false;
            let mut standings = Vec::new();
            for (&index, clauses) in &mut open {
                let proved = self.rounds(index, &works[index], clauses, Mode::ByContract, &assumed, beside);
                lost |= proved.len() < clauses.len();
                *clauses = proved.iter().map(|(number, _)| *number).collect();
                standings.push((index, proved));
            }
            if !lost {
                // What one of them assumes, all do.
                let all: BTreeSet<Assumption> =
                    standings.iter().flat_map(|(_, s)| s).flat_map(|(_, s)| named(s)).collect();
                if all.contains(&Assumption::SeparateInputs) {
                    return Vec::new();
                }
                for (_, standing) in standings.iter_mut().flat_map(|(_, standings)| standings) {
                    if let Standing::Proved { how, assumptions } = standing {
                        *how = format!("induction on the contract; {how}");
                        assumptions.clone_from(&all);
                    }
                }
                return standings;
            }
            if open.values().all(BTreeSet::is_empty) {
                break;
            }
        }
        Vec::new()
    }

    /// Proves the clauses of a function that does not call itself; those of the user for themselves, before what was found.
    fn one(&self, index: usize, work: &Work, known: &Known, beside: usize) -> Vec<(usize, Standing)> {
        let is_given = |number: &usize| work.clauses[*number].origin == Origin::User;
        let (given, rest) = alive(work).into_iter().partition::<BTreeSet<usize>, _>(is_given);
        let mut found = self.some(index, work, given, known, beside);
        found.extend(self.some(index, work, rest, known, beside));
        found
    }

    fn some(
        &self,
        index: usize,
        work: &Work,
        mut open: BTreeSet<usize>,
        known: &Known,
        beside: usize,
    ) -> Vec<(usize, Standing)> {
        let mut found = Vec::new();
        let pointers = work.subject.terms.iter().any(|term| term.is_parameter && term.is_pointer());
        let calls = self.own[index]
            .is_some_and(|id| self.graph.callees(id).iter().any(|callee| self.stand_ins.contains_key(callee)));
        let modes: &[Mode] = match (pointers, calls) {
            (false, false) => &[Mode::AsItIs],
            (false, true) => &[Mode::ByContract, Mode::AsItIs],
            (true, _) => &[Mode::AsItIs, Mode::Copies, Mode::ByContract],
        };
        for mode in modes {
            if open.is_empty() || self.config.deadline.is_over() {
                break;
            }
            let proved = self.rounds(index, work, &open, *mode, known, beside);
            open.retain(|number| proved.iter().all(|(known, _)| known != number));
            found.extend(proved);
        }
        found
    }

    /// Claims these clauses and drops what is not proved, until all that is left is.
    fn rounds(
        &self,
        index: usize,
        work: &Work,
        clauses: &BTreeSet<usize>,
        mode: Mode,
        known: &Known,
        beside: usize,
    ) -> Vec<(usize, Standing)> {
        let mut open = clauses.clone();
        for _ in 0..ROUNDS {
            if open.is_empty() || self.config.deadline.is_over() {
                break;
            }
            let Some(round) = self.round(index, work, &open, mode, known, beside) else { return Vec::new() };
            if round.len() == open.len() {
                return round;
            }
            open = round.iter().map(|(number, _)| *number).collect();
        }
        Vec::new()
    }

    /// One round: which of the claims are proved. None if what they rest on is not.
    fn round(
        &self,
        index: usize,
        work: &Work,
        claims: &BTreeSet<usize>,
        mode: Mode,
        known: &Known,
        beside: usize,
    ) -> Option<Vec<(usize, Standing)>> {
        let key = &work.subject.key;
        let own = self.own[index]?;
        let mut instead = BTreeMap::new();
        if mode == Mode::ByContract {
            let offers = |callee: &FunctionId| known.get(callee).is_some_and(|contract| !contract.proved.is_empty());
            instead = self.stand_ins.iter().filter(|(callee, _)| offers(callee)).map(|(a, b)| (*a, *b)).collect();
        }
        if self.graph.is_recursive(own) && !instead.contains_key(&own) {
            return None;
        }
        let plain = *self.plain.get(key)?;
        let copied = self.copied.get(key);
        if mode == Mode::Copies && copied.is_none() {
            return None;
        }
        let mut rests_on: BTreeSet<Assumption> = BTreeSet::new();
        let mut separate = false;
        let mut entry = plain;
        if let Some(&copied) = copied {
            let (program, functions) = self.outline.reached(self.program, copied, &instead);
            match Sources::of(&program, copied, &functions, mode == Mode::ByContract).meetings() {
                // Then a copy is as good as the object itself, and nothing is left to ask about in the next way.
                Meetings::None if mode == Mode::Copies => return None,
                Meetings::None => entry = copied,
                Meetings::Named if mode == Mode::AsItIs => {}
                Meetings::Named => {
                    entry = copied;
                    separate = true;
                    rests_on.insert(Assumption::SeparateInputs);
                }
                Meetings::Others if mode == Mode::Copies => return None,
                Meetings::Others => {}
            }
        }
        let (mut program, functions) = self.outline.reached(self.program, entry, &instead);
        only(&mut program, entry, claims, work.clauses.len())?;
        for (callee, stand_in) in &instead {
            if functions.contains(stand_in) {
                only(&mut program, *stand_in, &known[callee].proved, self.clauses[stand_in])?;
                rests_on.extend(known[callee].assumptions.iter().cloned());
            }
        }
        let how = match instead.values().any(|id| functions.contains(id)) {
            true => "by the contracts of what it calls",
            false => "",
        };
        if mode == Mode::ByContract {
            // Stand-ins leave buffers out, so that nothing may depend on them.
            let (changed, is_other) = anything_in_buffers(&program, &functions)?;
            let skips = functions.iter().any(|id| self.skipping.contains(id));
            if !is_other && !skips && how.is_empty() {
                // Nothing is different from the way before.
                return None;
            }
            program = changed;
            rests_on.insert(Assumption::BuffersApart);
        }
        // The program as it is has little to offer where pointers are not followed.
        let hopeless = mode == Mode::AsItIs && entry == plain && copied.is_some();
        let time = self.time(beside) / if hopeless { 4 } else { 1 };
        let proving = prove::Config {
            infer: infer::Config {
                seed: self.config.seed,
                request: observe::locations::Request { loops: true, ghosts: false, ..Default::default() },
                deadline: self.until(time / 2),
                limits: observe::runs::Limits { runs: 400, total_steps: 20_000_000, ..Default::default() },
                ..infer::Config::default()
            },
            paths: true,
            separate,
            deadline: self.until(time),
            ..prove::Config::default()
        };
        let found = prove::prove(&program, entry, &proving).ok()?;
        let (mut ours, mut rest): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
        let within = claim_spans(&program, entry);
        let owed: BTreeSet<(u32, u32)> =
            instead.values().filter(|id| functions.contains(id)).flat_map(|id| claim_spans(&program, *id)).collect();
        for property in &found.properties {
            if property.kind == PropertyKind::Invariant {
                continue;
            }
            let span = (property.span.lo, property.span.hi);
            if within.contains(&span) {
                ours.push(property);
            } else if owed.contains(&span) {
                rest.push(property);
            }
        }
        if rest.iter().any(|property| !matches!(property.verdict, Verdict::Proved { .. } | Verdict::Vacuous)) {
            return None;
        }
        ours.sort_by_key(|property| property.span.lo);
        // A claim that folds to a constant may be gone; then it is not known which is which.
        if ours.len() != claims.len() {
            return None;
        }
        let standing = |property: &prove::PropertyReport| match &property.verdict {
            Verdict::Proved { how: by } => {
                let mut assumptions = rests_on.clone();
                assumptions.extend(property.assumptions.iter().cloned());
                let how = if how.is_empty() { by.clone() } else { format!("{how}; {by}") };
                Some(Standing::Proved { how, assumptions })
            }
            _ => None,
        };
        Some(claims.iter().zip(ours).filter_map(|(number, property)| Some((*number, standing(property)?))).collect())
    }

    fn time(&self, beside: usize) -> Duration {
        let threads = rayon::current_num_threads().max(1);
        let share = self.config.deadline.left() / (beside.div_ceil(threads).max(1) as u32 * 4);
        share.min(self.config.patience).max(LEAST)
    }

    fn until(&self, time: Duration) -> Deadline {
        let at = Instant::now() + time;
        let at = self.config.deadline.at.map_or(at, |end| end.min(at));
        Deadline { at: Some(at), ..self.config.deadline.clone() }
    }
}

fn named(standing: &Standing) -> BTreeSet<Assumption> {
    match standing {
        Standing::Proved { assumptions, .. } => assumptions.clone(),
        _ => BTreeSet::new(),
    }
}

/// What is still to be proved.
fn alive(work: &Work) -> BTreeSet<usize> {
    let is_open = |clause: &&crate::Candidate| clause.alive && clause.standing.is_none();
    work.clauses.iter().enumerate().filter(|(_, clause)| is_open(clause)).map(|(number, _)| number).collect()
}

/// Keeps of a harness only these of its clauses, whether it claims or assumes them. `None` unless all are there, as it is
/// not known then which is which.
fn only(program: &mut Program, harness: FunctionId, kept: &BTreeSet<usize>, clauses: usize) -> Option<()> {
    let name = program.functions[harness].name.clone();
    let assumes = name.starts_with(STAND_IN);
    let function = &mut program.functions[harness];
    let body = function.body.as_mut()?;
    let mut number = 0;
    body.walk_mut(&mut |stmt| {
        let is_clause = match &stmt.kind {
            StmtKind::Assume(_) => assumes,
            StmtKind::Assert { .. } => !assumes,
            _ => false,
        };
        if is_clause {
            if !kept.contains(&number) {
                stmt.kind = StmtKind::Block(ir::Block::default());
            }
            number += 1;
        }
    });
    function.number_statements();
    (number == clauses).then_some(())
}

/// Where the claims of a harness stand.
fn claim_spans(program: &Program, harness: FunctionId) -> BTreeSet<(u32, u32)> {
    let mut spans = BTreeSet::new();
    if let Some(body) = &program.functions[harness].body {
        body.walk(&mut |stmt| {
            if let StmtKind::Assert { .. } = stmt.kind {
                spans.insert((stmt.span.lo, stmt.span.hi));
            }
        });
    }
    spans
}
