//! The search: candidates in the order of their costs, on all cores, until some pass.
//!
//! Phases: single edits by ranges of costs ([`singles`]); when none passes and two edits are allowed, pairs of edits that
//! each make some failing tests pass ([`pairs`]).
//!
//! Before conditions are added anywhere, every condition is forced to true and to false, every statement removed, every
//! value replaced by a few others, to see which of these make some failing test pass. A condition, a guard or a guarded
//! value can do at each visit only what forcing does, so where forcing helps no test, adding is put last or left out.
//!
//! *Guarantee*: the answer depends on the program, the tests and the limits in [`Limits`], not on threads. Work is cut
//! into pieces of fixed size and the answers are taken in order. Running out of time is the exception, and is said.

use super::costs::{RANGES, SLACK};
use super::enumerate::{Hints, OpenCandidate, Promise, candidates, combinations};
use super::number;
use super::scope::same;
use super::sites::{NodeRef, PlaceId, SiteId, Usage, bare};
use super::symbolic;
use super::template::{Added, Candidate, Change, Replacement, Template};
use super::trial::Trial;
use diagnostics::Deadline;
use exec::Ending;
use ir::{BinaryOp, Expr, ExprKind, FunctionId, StmtId};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// A change, or several together, that passes all tests in the VM.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub changes: Vec<Change>,
    pub templates: Vec<Template>,
    pub cost: u32,
}

/// What the search found, and whether time ran out before it was done.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub found: Vec<Found>,
    pub cut_short: bool,
    /// The limit of work was reached before all candidates were tried.
    pub worked_out: bool,
}

/// Work in a search for one edit, and for two, in the units of [`Trial::spent`]: some ten seconds on two cores each.
const WORK: u64 = 5_000_000_000;
const WORK_PAIRS: u64 = 4_000_000_000;

/// Whether a repair passes when its text is compiled. Asked of the first ones until one does, because the search goes on
/// until then.
pub type Confirm<'c> = dyn FnMut(&Trial<'_>, &Found) -> bool + 'c;

/// Who finds the numbers of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solver {
    /// Runs of the changed program ([`number`]).
    Enumerate,
    /// The symbolic executor ([`symbolic`]).
    Reach,
    /// The first, then the second for what is left.
    #[default]
    Portfolio,
}

/// Takes over what was found in a piece of work; those that come before the first confirmed one must be confirmed.
fn take(outcome: &mut Outcome, trial: &Trial<'_>, mut new: Vec<Found>, confirm: &mut Confirm<'_>) {
    new.sort_by_key(|found| found.cost);
    for found in new {
        if !outcome.found.is_empty() || confirm(trial, &found) {
            outcome.found.push(found);
        }
    }
}

/// Candidates of one range that are tried at most.
const MOST: usize = 150_000;
/// Candidates in a piece of work; results are looked at after each.
const PIECE: usize = 384;
/// How many candidates beyond the first repair the search goes on, within [`SLACK`].
const MORE: usize = 5_000;
/// Failing tests that are looked at when something is forced.
const FORCED: usize = 12;

enum Item {
    Plain(Candidate),
    Open(OpenCandidate),
}

impl Item {
    fn cost(&self) -> u32 {
        match self {
            Item::Plain(candidate) => candidate.cost,
            Item::Open(open) => open.candidate.cost,
        }
    }
}

/// Looks for single edits.
pub fn singles(
    trial: &mut Trial<'_>,
    hints: &mut Hints,
    solver: Solver,
    deadline: &Deadline,
    confirm: &mut Confirm<'_>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let limit = trial.spent.load(Ordering::Relaxed) + WORK;
    let (mut beyond, mut cut) = (0, false);
    for (index, range) in RANGES.into_iter().enumerate() {
        let first = outcome.found.iter().map(|found| found.cost).min();
        if beyond > MORE || first.is_some_and(|first| range.start > first + SLACK) {
            break;
        }
        match index {
            1 => force_conditions(trial, hints),
            2 => force_values(trial, hints),
            _ => {}
        }
        if deadline.is_over() {
            outcome.cut_short = outcome.found.is_empty();
            break;
        }
        let batch = candidates(&trial.context, hints, range);
        let mut items: Vec<Item> = batch.candidates.into_iter().map(Item::Plain).collect();
        items.extend(batch.open.into_iter().map(Item::Open));
        items.sort_by_key(Item::cost);
        cut |= items.len() > MOST;
        items.truncate(MOST);
        deadline.progress.count("edits", items.len() as u64);
        for piece in items.chunks(PIECE) {
            if deadline.is_over() {
                outcome.cut_short = outcome.found.is_empty();
                outcome.found.sort_by_key(|found| found.cost);
                return outcome;
            }
            if trial.spent.load(Ordering::Relaxed) > limit {
                outcome.worked_out = true;
                break;
            }
            if let Some(first) = outcome.found.iter().map(|found| found.cost).min() {
                beyond += piece.len();
                if piece[0].cost() > first + SLACK || beyond > MORE {
                    break;
                }
            }
            let new = try_piece(trial, piece, &hints.constants, solver, deadline);
            deadline.progress.add(piece.len() as u64);
            take(&mut outcome, trial, new, confirm);
            trial.reorder();
        }
        if outcome.worked_out {
            break;
        }
    }
    outcome.worked_out |= cut;
    outcome.found.sort_by_key(|found| found.cost);
    outcome
}

fn try_piece(trial: &Trial<'_>, piece: &[Item], constants: &[i128], solver: Solver, deadline: &Deadline) -> Vec<Found> {
    let symbolically = solver == Solver::Reach && symbolic::applies(trial);
    let tried: Vec<Vec<Found>> = piece
        .par_iter()
        .map(|item| match item {
            Item::Plain(candidate) => match trial.passes(&[&candidate.change]) {
                Ok(()) => vec![Found {
                    changes: vec![candidate.change.clone()],
                    templates: vec![candidate.template],
                    cost: candidate.cost,
                }],
                Err(_) => Vec::new(),
            },
            Item::Open(open) if symbolically => solved(trial, open, deadline).into_iter().collect(),
            Item::Open(open) => number::solve(trial, open, constants)
                .into_iter()
                .map(|(change, more)| Found {
                    changes: vec![change],
                    templates: vec![open.candidate.template],
                    cost: open.candidate.cost + more,
                })
                .collect(),
        })
        .collect();
    tried.into_iter().flatten().collect()
}

/// What the symbolic executor makes of a template.
fn solved(trial: &Trial<'_>, open: &OpenCandidate, deadline: &Deadline) -> Option<Found> {
    if deadline.is_over() {
        return None;
    }
    let change = symbolic::solve(trial, open)?;
    Some(Found { changes: vec![change], templates: vec![open.candidate.template], cost: open.candidate.cost })
}

/// Statements whose linear combinations the symbolic executor looks at.
const MOST_COMBINATIONS: usize = 16;

/// Looks for linear combinations of all variables with the symbolic executor.
pub fn combined(trial: &mut Trial<'_>, hints: &Hints, deadline: &Deadline, confirm: &mut Confirm<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    if !symbolic::applies(trial) {
        return outcome;
    }
    let mut open = combinations(&trial.context, hints);
    open.truncate(MOST_COMBINATIONS);
    let found: Vec<Option<Found>> = open.par_iter().map(|open| solved(trial, open, deadline)).collect();
    take(&mut outcome, trial, found.into_iter().flatten().collect(), confirm);
    outcome.cut_short = outcome.found.is_empty() && deadline.is_over();
    outcome
}

/// A few failing tests, spread over all of them.
fn sample(failing: &[usize], most: usize) -> Vec<usize> {
    let mut sorted = failing.to_vec();
    sorted.sort_unstable();
    let step = sorted.len().div_ceil(most).max(1);
    sorted.into_iter().step_by(step).collect()
}

fn force_conditions(trial: &Trial<'_>, hints: &mut Hints) {
    let tests = sample(&trial.failing, FORCED);
    let helps = |change: &Change| trial.answers(&[change], &tests).is_some_and(|answers| answers.passed != 0);
    let sites = trial.context.sites;
    let conditions: Vec<SiteId> = (0..sites.sites.len() as u32).map(SiteId).collect();
    hints.conditions = conditions
        .par_iter()
        .filter(|id| {
            let site = sites.site(**id);
            let core = bare(&site.expr);
            site.usage != Usage::Value
                || site.is_whole
                || matches!(&core.kind, ExprKind::Binary(op, ..) if op.is_comparison())
                || matches!(core.kind, ExprKind::Logical(..) | ExprKind::Unary(ir::UnaryOp::Not, _))
        })
        .map(|id| {
            let forced = |value| helps(&Change::Expression { site: *id, new: Replacement::Int(value) });
            (*id, Promise { when_true: forced(1), when_false: forced(0) })
        })
        .collect::<Vec<_>>()
        .into_iter()
        .collect();
    let places: Vec<PlaceId> = (0..sites.places.len() as u32).map(PlaceId).collect();
    hints.removals = places
        .par_iter()
        .filter(|id| sites.place(**id).is_statement)
        .map(|id| (*id, helps(&Change::Remove { place: *id })))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<BTreeMap<_, _>>();
}

/// Which values and statements some failing test wants.
fn force_values(trial: &Trial<'_>, hints: &mut Hints) {
    let tests = sample(&trial.failing, FORCED);
    let helps = |change: &Change| trial.answers(&[change], &tests).is_some_and(|answers| answers.passed != 0);
    let context = &trial.context;
    let types = &context.program.types;
    let mut values: Vec<(SiteId, Replacement)> = Vec::new();
    for (index, site) in context.sites.sites.iter().enumerate() {
        let core = bare(&site.expr);
        let id = SiteId(index as u32);
        if !site.is_whole || site.at_definition || site.usage != Usage::Value || !types.is_arithmetic(core.ty) {
            continue;
        }
        let node = &site.nodes[0];
        let scope = context.scope(node.function, node.stmt);
        let plain = [
            Replacement::Int(0),
            Replacement::Int(1),
            Replacement::Int(-1),
            Replacement::Neg(Box::new(Replacement::Original)),
        ];
        values.extend(plain.map(|new| (id, new)));
        for step in [1, -1] {
            values.push((id, Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Int(step))));
        }
        for &constant in hints.constants.iter().filter(|c| !(-1..=1).contains(*c)).take(12) {
            values.push((id, Replacement::Int(constant)));
            values.push((id, Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Int(constant))));
            values.push((id, Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Int(-constant))));
        }
        let atoms = scope.values(|ty| types.is_arithmetic(ty)).filter(|(_, atom)| !same(&atom.expr, core));
        for (atom, _) in atoms.take(14) {
            values.push((id, Replacement::Atom(atom)));
            values.push((id, Replacement::binary(BinaryOp::Add, Replacement::Original, Replacement::Atom(atom))));
            values.push((id, Replacement::binary(BinaryOp::Sub, Replacement::Original, Replacement::Atom(atom))));
        }
    }
    hints.values = values
        .into_par_iter()
        .filter(|(site, new)| helps(&Change::Expression { site: *site, new: new.clone() }))
        .collect();
    hints.values.truncate(160);
    let additions = candidates(context, hints, 40..50).candidates;
    let additions: Vec<(PlaceId, bool, Added)> = additions
        .into_par_iter()
        .filter_map(|candidate| match &candidate.change {
            Change::Insert { place, after, condition: None, added } if helps(&candidate.change) => {
                Some((*place, *after, added.clone()))
            }
            _ => None,
        })
        .collect();
    hints.additions = additions;
    hints.additions.truncate(120);
}

/// Candidates that may be one half of a repair.
const HALVES: usize = 12_000;
/// Pairs that are tried at most.
const MOST_PAIRS: usize = 60_000;

/// Looks for two edits that repair the program together.
pub fn pairs(trial: &mut Trial<'_>, hints: &Hints, deadline: &Deadline, confirm: &mut Confirm<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let limit = trial.spent.load(Ordering::Relaxed) + WORK_PAIRS;
    let asked = sample(&trial.failing, 24);
    let few = sample(&trial.failing, 8);
    let all = u64::MAX >> (64 - asked.len());
    let mut halves: Vec<Candidate> = Vec::new();
    for range in [0..26, 26..38] {
        halves.extend(candidates(&trial.context, hints, range).candidates);
    }
    outcome.worked_out |= halves.len() > HALVES;
    halves.truncate(HALVES);
    // What each half does to the failing tests, and to the passing tests that stop most candidates.
    let guards: Vec<usize> = trial.passing.iter().copied().take(40).collect();
    let mut judged: Vec<(usize, u64, u64)> = Vec::new();
    for (offset, piece) in halves.chunks(PIECE).enumerate() {
        if deadline.is_over() {
            outcome.cut_short = true;
            return outcome;
        }
        // Half of the work is left to the pairs.
        if trial.spent.load(Ordering::Relaxed) > limit - WORK_PAIRS / 2 {
            outcome.worked_out = true;
            break;
        }
        let answers: Vec<Option<(u64, u64)>> = piece
            .par_iter()
            .map(|half| {
                // Most halves change nothing for the failing tests, and a few of them show it.
                if trial.answers(&[&half.change], &few)?.passed == 0 {
                    return None;
                }
                let fixed = trial.answers(&[&half.change], &asked)?.passed;
                if fixed == 0 {
                    return None;
                }
                let kept = trial.answers(&[&half.change], &guards)?.passed;
                Some((fixed, kept))
            })
            .collect();
        let numbered = answers.into_iter().enumerate();
        judged.extend(numbered.filter_map(|(i, answer)| answer.map(|(fixed, kept)| (offset * PIECE + i, fixed, kept))));
    }
    let clean = if guards.is_empty() { 0 } else { u64::MAX >> (64 - guards.len()) };
    let harmless = |kept: u64| kept & clean == clean;
    let mut pairs: Vec<(u32, usize, usize)> = Vec::new();
    for (i, &(a, fixed_a, kept_a)) in judged.iter().enumerate() {
        for &(b, fixed_b, kept_b) in &judged[i + 1..] {
            let complete = fixed_a | fixed_b == all;
            if complete && !same_text(trial, &halves[a].change, &halves[b].change) {
                let harm = u32::from(!harmless(kept_a)) + u32::from(!harmless(kept_b));
                pairs.push((halves[a].cost + halves[b].cost + 30 * harm, a, b));
            }
        }
    }
    pairs.sort_unstable();
    outcome.worked_out |= pairs.len() > MOST_PAIRS;
    pairs.truncate(MOST_PAIRS);
    // Edits that undo each other's harm: one that passes all failing tests, and any cheap one.
    let cheap = halves.iter().take_while(|half| half.cost < 20).count().min(600);
    let strong: Vec<usize> = judged.iter().filter(|(_, fixed, _)| *fixed == all).map(|(a, ..)| *a).take(60).collect();
    for &a in &strong {
        for b in 0..cheap {
            if a != b && !same_text(trial, &halves[a].change, &halves[b].change) {
                pairs.push((200 + halves[a].cost + halves[b].cost, a, b));
            }
        }
    }
    for (a, b) in exchanges(trial, &halves) {
        pairs.push((halves[a].cost + halves[b].cost, a, b));
    }
    // Faults that hide each other: neither edit alone shows anything.
    let hidden = changing(trial, &halves, &few);
    for (i, &a) in hidden.iter().enumerate() {
        for &b in &hidden[i + 1..] {
            if !same_text(trial, &halves[a].change, &halves[b].change) {
                pairs.push((300 + halves[a].cost + halves[b].cost, a, b));
            }
        }
    }
    pairs.sort_unstable();
    deadline.progress.count("pairs of edits", pairs.len() as u64);
    for piece in pairs.chunks(PIECE) {
        if deadline.is_over() {
            outcome.cut_short = outcome.found.is_empty();
            break;
        }
        if trial.spent.load(Ordering::Relaxed) > limit {
            outcome.worked_out = true;
            break;
        }
        if let Some(first) = outcome.found.first()
            && piece[0].0 > first.cost + SLACK
        {
            break;
        }
        let tried: Vec<Option<Found>> = piece
            .par_iter()
            .map(|&(cost, a, b)| {
                let (a, b) = (&halves[a], &halves[b]);
                trial.passes(&[&a.change, &b.change]).ok().map(|()| Found {
                    changes: vec![a.change.clone(), b.change.clone()],
                    templates: vec![a.template, b.template],
                    cost,
                })
            })
            .collect();
        deadline.progress.add(piece.len() as u64);
        take(&mut outcome, trial, tried.into_iter().flatten().collect(), confirm);
        trial.reorder();
    }
    outcome.found.sort_by_key(|found| found.cost);
    outcome
}

/// Halves that together exchange two variables or two constants of one statement.
fn exchanges(trial: &Trial<'_>, halves: &[Candidate]) -> Vec<(usize, usize)> {
    let context = &trial.context;
    let mut by_statement: BTreeMap<(FunctionId, StmtId), Vec<Moved<'_>>> = BTreeMap::new();
    for (number, half) in halves.iter().enumerate() {
        let Change::Expression { site: id, new } = &half.change else { continue };
        let site = context.sites.site(*id);
        let NodeRef { function, stmt, .. } = site.nodes[0];
        let old = match &bare(&site.expr).kind {
            ExprKind::Int(value) => Leaf::Constant(*value),
            ExprKind::Load(_) => Leaf::Variable(bare(&site.expr)),
            _ => continue,
        };
        let new = match new {
            Replacement::Int(value) => Leaf::Constant(*value),
            Replacement::Atom(atom) => Leaf::Variable(&context.scope(function, stmt).atom(*atom).expr),
            _ => continue,
        };
        by_statement.entry((function, stmt)).or_default().push(Moved { half: number, site: *id, old, new });
    }
    let mut found = Vec::new();
    for halves in by_statement.values() {
        for (i, a) in halves.iter().enumerate() {
            let back = |b: &&Moved<'_>| b.site != a.site && b.old.is(&a.new) && b.new.is(&a.old);
            found.extend(halves[i + 1..].iter().filter(back).map(|b| (a.half, b.half)));
        }
    }
    found
}

/// A half that puts one leaf in place of another.
struct Moved<'a> {
    half: usize,
    site: SiteId,
    old: Leaf<'a>,
    new: Leaf<'a>,
}

enum Leaf<'a> {
    Constant(i128),
    Variable(&'a Expr),
}

impl Leaf<'_> {
    fn is(&self, other: &Leaf<'_>) -> bool {
        match (self, other) {
            (Leaf::Constant(a), Leaf::Constant(b)) => a == b,
            (Leaf::Variable(a), Leaf::Variable(b)) => same(a, b),
            _ => false,
        }
    }
}

/// The cheapest halves that change what failing tests give, without a crash.
fn changing(trial: &Trial<'_>, halves: &[Candidate], tests: &[usize]) -> Vec<usize> {
    let tests = &tests[..tests.len().min(3)];
    let before: Vec<Option<exec::Outcome>> =
        tests.iter().map(|&test| trial.outcome(&[], &trial.tests[test].input)).collect();
    let changes = |half: &Candidate| {
        tests.iter().zip(&before).any(|(&test, before)| {
            let after = trial.outcome(&[&half.change], &trial.tests[test].input);
            match (before, after) {
                (Some(before), Some(after)) => {
                    let answers = matches!(after.ending, Ending::Returned(_) | Ending::Exited(_));
                    answers && (after.ending != before.ending || after.stdout != before.stdout)
                }
                _ => false,
            }
        })
    };
    let cheap: Vec<usize> = (0..halves.len()).take_while(|i| halves[*i].cost < 20).take(3_000).collect();
    let mut found: Vec<usize> = cheap.into_par_iter().filter(|i| changes(&halves[*i])).collect();
    found.truncate(400);
    found
}

/// Whether two changes touch the same text, so that they cannot be made together.
fn same_text(trial: &Trial<'_>, a: &Change, b: &Change) -> bool {
    let sites = trial.context.sites;
    let range = |change: &Change| match change {
        Change::Expression { site, .. } => sites.site(*site).text.clone(),
        Change::Connective { place }
        | Change::Swap { place, .. }
        | Change::Remove { place }
        | Change::Guard { place, .. }
        | Change::Insert { place, .. } => sites.place(*place).text.clone(),
        Change::Constant { constant, .. } => sites.constant(*constant).text.clone(),
    };
    let (a, b) = (range(a), range(b));
    a.file == b.file && a.start < b.end && b.start < a.end
}
