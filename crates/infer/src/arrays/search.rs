//! What one array is, in terms of the others: corners, what they equal, and the relation through them.
//!
//! For each pivot the elements that nothing explains yet are looked at. One of them and its nearest neighbours along
//! each index are the *corners*; a *stage* tells what each corner equals, stages going from plain copies to sums,
//! functions and coefficients inside nestings; [`solve`](super::solve) puts a relation through the corners; it is
//! verified on every element at every visit ([`held`](super::held)), and where it holds is its domain. Then the rest of
//! the pivot is looked at: so conditional relations come piece by piece.

use super::candidates::{Candidates, MOST_FOR_PAIRS};
use super::domain::{Domain, Moving};
use super::expression::Expr;
use super::known_equations::{Explained, equations};
use super::solve::{Corner, Corners, solve};
use super::support::PlacedRelation;
use super::table::{Group, Visit, flat, unflat};
use super::universe::{Leaf, Universe};
use super::{ArrayForm, ArrayRelation, Config};
use diagnostics::Verdict;
use std::collections::{BTreeMap, BTreeSet};

/// Visits whose values are hashed; all others verify.
const MATCHED: usize = 16;
/// Relations of one pivot.
const MOST_PIECES: usize = 12;
/// Corners that lead nowhere before a pivot is given up.
const PATIENCE: usize = 6;

/// What a corner is compared with, simplest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// A number that only depends on the indices.
    Constant,
    /// An element of another array, or a scalar.
    Copy,
    /// A multiple of one, plus a number.
    Multiple,
    /// An element, or a multiple, of the same array.
    Within,
    /// An element looked up by an element, and so on.
    LookUp,
    /// A multiple of such.
    LookUpMultiple,
    /// A function of two.
    Pair,
    /// A sum of two with factors.
    TwoTerms,
    /// A function of a function, or what is looked up by a function.
    Deep,
    /// Looked up by a multiple of an element.
    InnerMultiple,
    /// A sum of several.
    ManyTerms,
    /// What a function of the user's gives.
    Call,
}

impl Stage {
    const ALL: [Stage; 11] = [
        Stage::Constant,
        Stage::Copy,
        Stage::Multiple,
        Stage::Within,
        Stage::LookUp,
        Stage::LookUpMultiple,
        Stage::Pair,
        Stage::TwoTerms,
        Stage::Deep,
        Stage::InnerMultiple,
        Stage::ManyTerms,
    ];

    fn is_nested(self) -> bool {
        !matches!(
            self,
            Stage::Constant | Stage::Copy | Stage::Multiple | Stage::Within | Stage::TwoTerms | Stage::ManyTerms
        )
    }

    /// At how many matched visits an element must differ from its commonest value to be told from others.
    pub(super) fn tells(self) -> usize {
        match self {
            Stage::Constant => 0,
            Stage::Copy | Stage::LookUp | Stage::Call => 1,
            Stage::Multiple | Stage::Within | Stage::LookUpMultiple => 2,
            _ => 5,
        }
    }

    /// How many places along an index are tried for a neighbour.
    fn looks_around(self) -> usize {
        if self <= Stage::LookUpMultiple { 16 } else { 4 }
    }

    /// Changes between visits that must speak for a relation; and, where there are none, different values beyond the
    /// corners.
    pub(super) fn asks(self) -> (usize, usize) {
        match self {
            Stage::Constant => (0, 2),
            Stage::Copy => (4, 1),
            Stage::Multiple | Stage::Within => (8, 3),
            Stage::LookUp => (10, 1),
            Stage::LookUpMultiple => (16, 4),
            Stage::Pair | Stage::TwoTerms => (24, 8),
            Stage::Call => (12, 4),
            Stage::Deep | Stage::InnerMultiple | Stage::ManyTerms => (32, 10),
        }
    }
}

/// Another corner.
struct Neighbour {
    to: Vec<i64>,
    candidates: Candidates,
}

pub(super) struct Search<'s> {
    pub(super) universe: Universe<'s>,
    pub(super) config: &'s Config,
    /// The visits that are not in the universe, those of other shapes included, each with its group.
    pub(super) rest: Vec<(&'s Group<'s>, &'s Visit)>,
    /// Items that functions are applied to.
    pub(super) operands: Vec<usize>,
}

impl<'s> Search<'s> {
    /// A search among the visits of one shape, which those of other shapes verify.
    pub(super) fn new(group: &'s Group<'s>, others: &'s [Group<'s>], config: &'s Config) -> Search<'s> {
        // Visits at which much has happened come first: in others the work of a loop is yet to be done.
        let filled = |visit: &Visit| {
            let grids = visit.arrays.iter().flatten();
            grids
                .map(|grid| (0..grid.cells.len()).filter(|n| grid.get(*n).is_some_and(|v| v != 0)).count())
                .sum::<usize>()
        };
        let mut order: Vec<(bool, usize, usize)> =
            group.visits.iter().enumerate().map(|(n, visit)| (!visit.is_last, usize::MAX - filled(visit), n)).collect();
        order.sort_unstable();
        let (matched, rest) = order.split_at(order.len().min(MATCHED));
        let take = |of: &[(bool, usize, usize)]| of.iter().map(|(.., n)| group.visits[*n]).collect::<Vec<_>>();
        let depth = if config.nested { config.depth } else { 1 };
        let universe = Universe::new(group, take(matched), depth, config.repeats);
        let operands = universe.items.iter().enumerate();
        let operands = operands
            .filter(|(_, item)| item.level <= 1 && !item.is_alias && (!item.is_constant || universe.is_single()));
        let mut operands: Vec<usize> = operands.map(|(n, _)| n).collect();
        if operands.len() > MOST_FOR_PAIRS {
            operands.retain(|n| universe.items[*n].level == 0);
        }
        let mut rest: Vec<(&Group<'_>, &Visit)> = take(rest).into_iter().map(|visit| (group, visit)).collect();
        for other in others.iter().filter(|other| other.extents != group.extents) {
            rest.extend(other.visits.iter().map(|visit| (other, *visit)));
        }
        Search { universe, config, rest, operands }
    }

    pub(super) fn group(&self) -> &'s Group<'s> {
        self.universe.group
    }

    /// The relations that explain an array.
    pub(super) fn explain(&self, pivot: usize) -> Vec<Explained> {
        let extents = self.group().extents(pivot).to_vec();
        let size = self.group().size(pivot);
        let mut open: BTreeSet<usize> =
            (0..size).filter(|flat| self.universe.item_of(Leaf { array: pivot, flat: *flat }).is_some()).collect();
        if self.universe.is_single() {
            return self.explain_once(pivot, &extents, &open);
        }
        let mut found = self.explain_by_calls(pivot, &extents, &open);
        let mut failures = 0;
        let mut tried: BTreeSet<usize> = BTreeSet::new();
        for _ in 0..MOST_PIECES {
            if failures == PATIENCE {
                break;
            }
            let Some(seed) = self.seed(&open, &tried, failures) else { break };
            tried.insert(seed);
            match self.relation_at(pivot, &extents, seed, &open) {
                Some((stage, held)) => {
                    held.places.iter().for_each(|place| {
                        open.remove(place);
                    });
                    found.extend(self.relation(pivot, &extents, stage, held));
                }
                None => failures += 1,
            }
        }
        self.other_copies(pivot, &extents, &mut found);
        found
    }

    /// A copy of one array may be a copy of another too.
    fn other_copies(&self, pivot: usize, extents: &[usize], found: &mut Vec<Explained>) {
        let all: BTreeSet<usize> = (0..self.group().size(pivot)).collect();
        let copied: Vec<(usize, usize)> = found.iter().filter_map(|e| Some((e.first, e.copied()?))).collect();
        let mut seen: BTreeSet<usize> = copied.iter().map(|(_, array)| *array).collect();
        for (seed, _) in copied {
            let at = unflat(extents, seed);
            for (skeleton, candidates) in self.candidates(Stage::Copy, pivot, extents, &at) {
                let Expr::Element { array, .. } = skeleton else { continue };
                if !seen.insert(array) {
                    continue;
                }
                let base = BTreeMap::from([(skeleton, candidates)]);
                let held = self.through_neighbours(Stage::Copy, pivot, extents, (&at, &base), &all);
                found.extend(held.and_then(|held| self.relation(pivot, extents, Stage::Copy, held)));
            }
        }
    }

    /// What functions of the user's give, whatever else explains the pivot: they were asked for.
    fn explain_by_calls(&self, pivot: usize, extents: &[usize], open: &BTreeSet<usize>) -> Vec<Explained> {
        let mut found = Vec::new();
        let mut open = open.clone();
        while let Some(seed) = open.pop_first().filter(|_| !self.config.functions.is_empty() && self.config.nested) {
            let at = unflat(extents, seed);
            open.insert(seed);
            let base = self.candidates(Stage::Call, pivot, extents, &at);
            match self.through_neighbours(Stage::Call, pivot, extents, (&at, &base), &open) {
                Some(held) => {
                    open.retain(|place| !held.places.contains(place));
                    found.extend(self.relation(pivot, extents, Stage::Call, held));
                }
                // The next row; its elements would not fare differently.
                None => {
                    let row = extents.get(1..).map_or(1, |inner| inner.iter().product::<usize>()).max(1);
                    open.retain(|place| *place >= (seed / row + 1) * row);
                }
            }
            open.remove(&seed);
        }
        found
    }

    /// The relations that a single visit allows: one of each skeleton that covers the whole pivot, since nothing tells
    /// which of them is meant.
    fn explain_once(&self, pivot: usize, extents: &[usize], open: &BTreeSet<usize>) -> Vec<Explained> {
        let mut found = self.constant_parts(pivot, extents, open);
        let Some(seed) = open.first().filter(|_| open.len() == self.group().size(pivot)) else { return found };
        let at = unflat(extents, *seed);
        if !found.is_empty() {
            return found;
        }
        for stage in [Stage::Copy, Stage::Within, Stage::LookUp, Stage::Pair] {
            if !self.looks_for(stage) {
                continue;
            }
            for (skeleton, candidates) in self.candidates(stage, pivot, extents, &at) {
                let base = BTreeMap::from([(skeleton, candidates)]);
                let held = self.through_neighbours(stage, pivot, extents, (&at, &base), open);
                found.extend(held.and_then(|held| self.relation(pivot, extents, stage, held)));
            }
        }
        found
    }

    /// The parts of a pivot that only depend on the indices.
    fn constant_parts(&self, pivot: usize, extents: &[usize], open: &BTreeSet<usize>) -> Vec<Explained> {
        let mut found = Vec::new();
        let mut left = open.clone();
        let mut failures = 0;
        while failures < PATIENCE && found.len() < 4 && self.config.flat {
            let Some(&seed) = left.iter().nth(failures.min(left.len().saturating_sub(1))) else { break };
            let at = unflat(extents, seed);
            let base = self.candidates(Stage::Constant, pivot, extents, &at);
            match self.through_neighbours(Stage::Constant, pivot, extents, (&at, &base), &left) {
                Some(held) => {
                    for place in &held.places {
                        left.remove(place);
                    }
                    found.extend(self.relation(pivot, extents, Stage::Constant, held));
                }
                None => failures += 1,
            }
        }
        found
    }

    fn looks_for(&self, stage: Stage) -> bool {
        if stage.is_nested() { self.config.nested } else { self.config.flat }
    }

    /// The next element to look at: the first that is open, then others spread over what is open.
    fn seed(&self, open: &BTreeSet<usize>, tried: &BTreeSet<usize>, failures: usize) -> Option<usize> {
        let skip = open.len() * failures / PATIENCE;
        let after = open.iter().skip(skip).find(|place| !tried.contains(place));
        after.or_else(|| open.iter().find(|place| !tried.contains(place))).copied()
    }

    fn relation(&self, pivot: usize, extents: &[usize], stage: Stage, held: PlacedRelation) -> Option<Explained> {
        let mut domain = Domain::describe(&held.places, extents)?;
        let equations = equations(self.group(), pivot, &held, &self.universe.visits[0].scalars);
        domain.moving.clone_from(&held.moving);
        let visits = self.group().visits.iter().chain(self.rest.iter().map(|(_, visit)| visit));
        domain.open(extents, &visits.map(|visit| visit.scalars.as_slice()).collect::<Vec<_>>());
        self.follow_sizes(pivot, extents, &mut domain);
        // What a shorter array does not have cannot be said of it.
        let shorter = |(group, visit): &(&Group<'_>, &Visit)| {
            let own = group.extents(pivot);
            own.len() == extents.len() && !domain.is_inside(own, &visit.scalars)
        };
        if self.rest.iter().any(shorter) {
            return None;
        }
        let form = if stage.is_nested() || held.expr.depth() > 1 { ArrayForm::Nested } else { ArrayForm::Flat };
        let visits = self.group().visits.len();
        let verdict = Verdict::Observed { visits: visits as u64 };
        let relation = ArrayRelation { form, pivot, right: held.expr, domain, verdict };
        Some(Explained { relation, first: *held.places.first()?, covered: held.places.len(), equations })
    }

    /// Lets values that go on to the end of an index end where a scalar says how long the array is, if lengths differ.
    fn follow_sizes(&self, pivot: usize, extents: &[usize], domain: &mut Domain) {
        let all = || self.universe.visits.iter().chain(self.rest.iter().map(|(_, visit)| visit));
        let sizes = |index: usize| {
            all().filter_map(move |visit| Some((visit, *visit.arrays[pivot].as_ref()?.extents.get(index)? as i64)))
        };
        for (index, extent) in extents.iter().enumerate() {
            let beyond = domain.values[index].beyond(*extent);
            let moves = domain.moving.iter().any(|moving| moving.index == index && moving.upper);
            if beyond == domain.values[index] || moves || sizes(index).all(|(_, size)| size == *extent as i64) {
                continue;
            }
            let scalar = (0..self.group().table.scalars.len())
                .find(|scalar| sizes(index).all(|(visit, size)| visit.scalars[*scalar] == Some(size)));
            if let Some(scalar) = scalar {
                domain.values[index] = beyond;
                domain.moving.push(Moving { index, scalar, offset: 0, upper: true });
            }
        }
    }

    /// The simplest relation through an element.
    fn relation_at(
        &self,
        pivot: usize,
        extents: &[usize],
        seed: usize,
        open: &BTreeSet<usize>,
    ) -> Option<(Stage, PlacedRelation)> {
        let at = unflat(extents, seed);
        // What a function is given it does not compute; only what it equals is of interest.
        let given = self.group().table.arrays[pivot].is_given;
        for stage in Stage::ALL.into_iter().filter(|stage| !given || *stage <= Stage::LookUpMultiple) {
            let base =
                if self.looks_for(stage) { self.candidates(stage, pivot, extents, &at) } else { Candidates::new() };
            if let Some(held) = self.through_neighbours(stage, pivot, extents, (&at, &base), open) {
                return Some((stage, held));
            }
        }
        None
    }

    /// The best relation through a corner and its neighbours along all indices, or along some only.
    fn through_neighbours(
        &self,
        stage: Stage,
        pivot: usize,
        extents: &[usize],
        (at, base): (&[i64], &Candidates),
        open: &BTreeSet<usize>,
    ) -> Option<PlacedRelation> {
        if base.is_empty() {
            return None;
        }
        let neighbours: Vec<Option<Neighbour>> =
            (0..extents.len()).map(|d| self.neighbour(stage, pivot, extents, (at, base), d, open)).collect();
        let ways = subsets(&neighbours);
        ways.iter().find_map(|moving| self.through(stage, pivot, extents, (at, base), moving, open))
    }

    /// The nearest open place along an index that equals something of the same kind, ahead if there is one.
    fn neighbour(
        &self,
        stage: Stage,
        pivot: usize,
        extents: &[usize],
        (at, base): (&[i64], &Candidates),
        direction: usize,
        open: &BTreeSet<usize>,
    ) -> Option<Neighbour> {
        let length = extents[direction] as i64;
        let there = |index: i64| {
            let mut there = at.to_vec();
            there[direction] = index;
            flat(extents, &there).filter(|place| open.contains(place)).map(|_| there)
        };
        let ahead = (at[direction] + 1..length).filter_map(there);
        let nearest = ahead.chain((0..at[direction]).rev().filter_map(there)).take(stage.looks_around());
        let with = nearest.map(|to| {
            let candidates = self.candidates(stage, pivot, extents, &to);
            Neighbour { to, candidates }
        });
        with.into_iter().find(|neighbour| base.keys().any(|skeleton| neighbour.candidates.contains_key(skeleton)))
    }

    /// The best relation through a corner and its neighbours.
    fn through(
        &self,
        stage: Stage,
        pivot: usize,
        extents: &[usize],
        (at, base): (&[i64], &Candidates),
        moving: &[Option<&Neighbour>],
        open: &BTreeSet<usize>,
    ) -> Option<PlacedRelation> {
        let corners_used = 1 + moving.iter().flatten().count();
        let probes = probes(extents, at, moving, open);
        let mut best: Option<(usize, u64, PlacedRelation)> = None;
        for (skeleton, candidates) in base {
            let corner = |at: &[i64], candidates: &[Expr]| Corner { at: at.to_vec(), candidates: candidates.to_vec() };
            let others: Option<Vec<Option<Corner>>> = moving
                .iter()
                .map(|neighbour| match neighbour {
                    None => Some(None),
                    Some(Neighbour { to, candidates }) => candidates.get(skeleton).map(|list| Some(corner(to, list))),
                })
                .collect();
            let Some(others) = others else { continue };
            let corners = Corners { extents: extents.to_vec(), base: corner(at, candidates), neighbours: others };
            let further: Vec<Corner> = probes
                .iter()
                .filter_map(|probe| {
                    let lists = self.candidates(stage, pivot, extents, probe);
                    lists.get(skeleton).map(|list| corner(probe, list))
                })
                .collect();
            solve(&corners, &further, self.group(), &mut |expr| {
                if !probes.is_empty() && !probes.iter().any(|probe| self.holds_matched(pivot, &expr, probe)) {
                    return false;
                }
                let Some(held) = self.verify(pivot, extents, expr) else { return false };
                let new = held.places.iter().filter(|place| open.contains(place)).count();
                if !self.convinces(stage, pivot, &held, corners_used, new) {
                    return false;
                }
                let weight = held.expr.weight();
                let all = new == open.len();
                if best.as_ref().is_none_or(|(count, heavy, _)| {
                    (new, std::cmp::Reverse(weight)) > (*count, std::cmp::Reverse(*heavy))
                }) {
                    best = Some((new, weight, held));
                }
                all && weight < 24
            });
        }
        best.map(|(.., held)| held)
    }
}

/// The directions to move along: all, then all but one, and so on down to one.
fn subsets(neighbours: &[Option<Neighbour>]) -> Vec<Vec<Option<&Neighbour>>> {
    let present: Vec<usize> = (0..neighbours.len()).filter(|d| neighbours[*d].is_some()).collect();
    let mut masks: Vec<u32> = (0..1u32 << present.len()).collect();
    masks.sort_by_key(|mask| mask.count_ones());
    // A relation that moves along nothing is one of a single element, unless the pivot has no more.
    if present.len() > 1 || !present.is_empty() {
        masks.retain(|mask| mask.count_ones() < present.len() as u32);
    }
    let chosen = |mask: u32| {
        let kept = |d: usize| present.iter().position(|p| *p == d).is_some_and(|bit| mask & 1 << bit == 0);
        (0..neighbours.len()).map(|d| neighbours[d].as_ref().filter(|_| kept(d))).collect()
    };
    masks.into_iter().map(chosen).collect()
}

/// Open places one step beyond the neighbours: where a relation that goes on must hold somewhere.
fn probes(extents: &[usize], at: &[i64], moving: &[Option<&Neighbour>], open: &BTreeSet<usize>) -> Vec<Vec<i64>> {
    let mut probes = Vec::new();
    for (direction, to) in moving.iter().enumerate() {
        let Some(Neighbour { to, .. }) = to else { continue };
        let step = to[direction] - at[direction];
        for times in [2, 3] {
            let mut probe = at.to_vec();
            probe[direction] += times * step;
            if flat(extents, &probe).is_some_and(|place| open.contains(&place)) {
                probes.push(probe);
            }
        }
    }
    probes
}
