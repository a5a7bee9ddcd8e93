//! What one array is, in terms of the others: corners, what they equal, and the relation through them.
//!
//! For each pivot the elements that nothing explains yet are looked at. One of them and its nearest neighbours along
//! each index are the *corners*; a *stage* tells what each corner equals, stages going from plain copies to sums,
//! functions and coefficients inside nestings; [`solve`](super::solve) puts a relation through the corners; it is verified on every
//! element at every visit, and where it holds is its domain. Then the rest of the pivot is looked at: so conditional
//! relations come piece by piece.
//!
//! *What must speak for a relation*: each element it covers counts the visits at which it has another value than its
//! commonest; a stage with more freedom asks for more of them ([`Stage::asks`]). Where nothing changes between visits,
//! the different values inside one visit count instead, less the corners, which any affine index can meet.
//!
//! *Moving bounds*: in the middle of a loop a relation holds up to where the loop has come. If all visits that break it
//! break it from a scalar on (`i < n`), that is its bound.

use super::affine::{Affine, Ratio, ScalarPart};
use super::candidates::MOST_FOR_PAIRS;
use super::domain::{Domain, Moving, Values};
use super::expression::{At, Expr};
use super::functions::Builtin;
use super::solve::{Corner, Corners, solve};
use super::table::{Group, Table, Visit, flat, unflat};
use super::universe::{Item, Leaf, Universe};
use super::{ArrayForm, ArrayRelation, Config};
use diagnostics::Verdict;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Visits whose values are hashed; all others verify.
const MATCHED: usize = 16;
/// Relations of one pivot.
const MOST_PIECES: usize = 12;
/// Corners that lead nowhere before a pivot is given up.
const PATIENCE: usize = 6;
/// What one corner may equal, nearest first.
const MOST_CANDIDATES: usize = 48;
/// Places at which a relation may be found broken before it is given up.
const MOST_BROKEN: usize = 20_000;
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
    fn tells(self) -> usize {
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
    fn asks(self) -> (usize, usize) {
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

/// What an element equals, by skeleton.
type Candidates = BTreeMap<Expr, Vec<Expr>>;

/// Another corner.
struct Neighbour {
    to: Vec<i64>,
    candidates: Candidates,
}

/// Equations among elements that are known, so that none is told twice from another side.
#[derive(Default)]
pub(super) struct Told(HashSet<Vec<Leaf>>);

pub(super) struct Search<'s> {
    pub(super) universe: Universe<'s>,
    pub(super) config: &'s Config,
    /// The visits that are not in the universe, those of other shapes included, each with its group.
    rest: Vec<(&'s Group<'s>, &'s Visit)>,
    /// Items that functions are applied to.
    pub(super) operands: Vec<usize>,
}

/// A relation with the elements of the pivot it holds for.
pub(super) struct Held {
    pub(super) expr: Expr,
    pub(super) places: Vec<usize>,
    moving: Vec<Moving>,
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
        found
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

    fn relation(&self, pivot: usize, extents: &[usize], stage: Stage, held: Held) -> Option<Explained> {
        let mut domain = Domain::describe(&held.places, extents)?;
        let equations = equations(self.group(), pivot, &held, &self.universe.visits[0].scalars);
        domain.moving.clone_from(&held.moving);
        self.follow_sizes(pivot, extents, &mut domain);
        let form = if stage.is_nested() || held.expr.depth() > 1 { ArrayForm::Nested } else { ArrayForm::Flat };
        let visits = self.group().visits.len();
        let verdict = Verdict::Observed { visits: visits as u64 };
        let relation = ArrayRelation { form, pivot, right: held.expr, domain, verdict };
        Some(Explained { relation, covered: held.places.len(), equations })
    }

    /// Lets ranges that cover a whole index end where a scalar says how long the array is, if lengths differ.
    fn follow_sizes(&self, pivot: usize, extents: &[usize], domain: &mut Domain) {
        let all = || self.universe.visits.iter().chain(self.rest.iter().map(|(_, visit)| visit));
        let sizes = |index: usize| {
            all().filter_map(move |visit| Some((visit, *visit.arrays[pivot].as_ref()?.extents.get(index)? as i64)))
        };
        for (index, extent) in extents.iter().enumerate() {
            let whole = domain.values[index] == Values::Range(0, *extent as i64);
            let moves = domain.moving.iter().any(|moving| moving.index == index && moving.upper);
            if !whole || moves || sizes(index).all(|(_, size)| size == *extent as i64) {
                continue;
            }
            let scalar = (0..self.group().table.scalars.len())
                .find(|scalar| sizes(index).all(|(visit, size)| visit.scalars[*scalar] == Some(size)));
            if let Some(scalar) = scalar {
                domain.values[index] = Values::Range(0, i64::MAX);
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
    ) -> Option<(Stage, Held)> {
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
    ) -> Option<Held> {
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
    ) -> Option<Held> {
        let corners_used = 1 + moving.iter().flatten().count();
        let probes = probes(extents, at, moving, open);
        let mut best: Option<(usize, u64, Held)> = None;
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

    fn at<'a>(&'a self, visit: &'a Visit, indices: &'a [i64]) -> At<'a> {
        At { group: self.group(), visit, functions: &self.config.functions, indices }
    }

    /// Whether the pivot's element equals the expression at a visit; `None` if the element has no value there.
    pub(super) fn holds(&self, pivot: usize, expr: &Expr, visit: &Visit, indices: &[i64]) -> Option<bool> {
        let left = self.group().element(visit, pivot, indices)?;
        let right = expr.value(&self.at(visit, indices));
        Some(right.is_some_and(|right| equal(left, right)))
    }

    fn holds_matched(&self, pivot: usize, expr: &Expr, indices: &[i64]) -> bool {
        self.universe.visits.iter().all(|visit| self.holds(pivot, expr, visit, indices) == Some(true))
    }

    /// Where the relation holds at all visits.
    pub(super) fn verify(&self, pivot: usize, extents: &[usize], expr: Expr) -> Option<Held> {
        let places: Vec<usize> = (0..self.group().size(pivot))
            .filter(|place| self.holds_matched(pivot, &expr, &unflat(extents, *place)))
            .collect();
        if places.is_empty() {
            return None;
        }
        let whole: Vec<bool> = match Domain::describe(&places, extents) {
            Some(domain) => {
                let ranges = domain.values.iter().zip(extents);
                ranges.map(|(values, extent)| *values == Values::Range(0, *extent as i64)).collect()
            }
            None => return None,
        };
        let held: BTreeSet<usize> = places.iter().copied().collect();
        let mut expr = expr;
        let mut broken = self.broken(pivot, extents, &expr, &held, &whole);
        if !broken.is_empty() {
            // Numbers that were the same at all matched visits may be scalars that differ elsewhere.
            for variant in self.with_scalars(&expr) {
                let less = self.broken(pivot, extents, &variant, &held, &whole);
                if less.len() < broken.len() {
                    (expr, broken) = (variant, less);
                }
            }
        }
        if broken.is_empty() {
            return short(places, extents).map(|places| Held { expr, places, moving: Vec::new() });
        }
        if let Some(moving) = self.moving(extents.len(), &broken) {
            return short(places, extents).map(|places| Held { expr, places, moving: vec![moving] });
        }
        let lost: BTreeSet<usize> = broken.iter().filter_map(|(_, indices)| flat(extents, indices)).collect();
        if broken.iter().any(|(_, indices)| flat(extents, indices).is_none()) {
            return None;
        }
        let places: Vec<usize> = places.into_iter().filter(|place| !lost.contains(place)).collect();
        short(places, extents).map(|places| Held { expr, places, moving: Vec::new() })
    }

    /// The visits beside the matched ones, and the places, at which a relation does not hold although it does at that
    /// place, or along that whole index, at the matched ones.
    fn broken(
        &self,
        pivot: usize,
        extents: &[usize],
        expr: &Expr,
        held: &BTreeSet<usize>,
        whole: &[bool],
    ) -> Vec<(&'s Visit, Vec<i64>)> {
        let mut broken: Vec<(&Visit, Vec<i64>)> = Vec::new();
        for (group, visit) in &self.rest {
            let own = group.extents(pivot);
            if own.len() != extents.len() {
                continue;
            }
            let same = own == extents;
            for place in 0..group.size(pivot) {
                let indices = unflat(own, place);
                let concerned = match flat(extents, &indices) {
                    Some(known) => held.contains(&known),
                    None => !same && indices.iter().zip(extents).zip(whole).all(|((i, e), w)| *w || (*i as usize) < *e),
                };
                if !concerned {
                    continue;
                }
                let right = expr.value(&At { group, visit, functions: &self.config.functions, indices: &indices });
                // Where neither side has a value, nothing is said.
                if !same_value(group.element(visit, pivot, &indices), right) {
                    broken.push((visit, indices));
                    if broken.len() > MOST_BROKEN {
                        return broken;
                    }
                }
            }
        }
        broken
    }

    /// The expression with constants and factors of indices replaced by scalars that had the same value, or nearly, at
    /// all matched visits and have others elsewhere.
    fn with_scalars(&self, expr: &Expr) -> Vec<Expr> {
        let mut variants = Vec::new();
        for scalar in 0..self.group().table.scalars.len() {
            let mut values = self.universe.visits.iter().map(|visit| visit.scalars[scalar]);
            let Some(value) = values.next().flatten() else { continue };
            let differs = self.rest.iter().any(|(_, visit)| visit.scalars[scalar].is_some_and(|other| other != value));
            if values.any(|other| other != Some(value)) || !differs || value.abs() < 2 {
                continue;
            }
            for (constants, factors) in [(true, false), (false, true), (true, true)] {
                let mut variant = expr.clone();
                variant.numbers_mut(None, self.group(), &mut |number, length| {
                    if length.is_none() || number.denominator != 1 || number.modulus != 0 {
                        return;
                    }
                    if constants && (number.constant - value).abs() <= 1 {
                        number.constant -= value;
                        number.scalars.push(ScalarPart { index: None, scalar, factor: 1 });
                    }
                    for (index, coefficient) in number.coefficients.iter_mut().enumerate() {
                        if factors && *coefficient == value {
                            *coefficient = 0;
                            number.scalars.push(ScalarPart { index: Some(index), scalar, factor: 1 });
                        }
                    }
                });
                if variant != *expr && !variants.contains(&variant) {
                    variants.push(variant);
                }
            }
        }
        variants
    }

    /// A bound that moves with a scalar and excludes everything broken.
    fn moving(&self, dimensions: usize, broken: &[(&Visit, Vec<i64>)]) -> Option<Moving> {
        let scalars = self.group().table.scalars.len();
        for index in 0..dimensions {
            for scalar in 0..scalars {
                let value = |visit: &Visit| visit.scalars[scalar];
                let gaps: Option<Vec<i64>> = broken.iter().map(|(v, at)| Some(at[index] - value(v)?)).collect();
                let Some(gaps) = gaps else { continue };
                let (low, high) = (*gaps.iter().min()?, *gaps.iter().max()?);
                let all = || self.group().visits.iter().filter_map(|visit| value(visit));
                let changes = all().max() != all().min();
                // A bound that few visits come up to is an accident.
                let met = |bound: i64| {
                    let (mut breaking, mut reached) = (0, 0);
                    for (_, visit) in &self.rest {
                        let own = broken.iter().filter(|(other, _)| std::ptr::eq(*other, *visit));
                        let mut gaps = own.filter_map(|(_, at)| Some(at[index] - value(visit)?)).peekable();
                        breaking += usize::from(gaps.peek().is_some());
                        reached += usize::from(gaps.any(|gap| gap == bound));
                    }
                    reached * 2 >= breaking
                };
                if changes && (-1..=1).contains(&low) && met(low) {
                    return Some(Moving { index, scalar, offset: low, upper: true });
                }
                if changes && (-2..=1).contains(&high) && met(high) {
                    return Some(Moving { index, scalar, offset: high + 1, upper: false });
                }
            }
        }
        None
    }

    /// Whether enough speaks for a relation.
    fn convinces(&self, stage: Stage, pivot: usize, held: &Held, corners: usize, new: usize) -> bool {
        let size = self.group().size(pivot);
        let (changes, values) = self.evidence(pivot, &held.places);
        let (asked_changes, asked_values) = stage.asks();
        let covers = held.places.len() == size;
        if self.universe.is_single() && !covers {
            let plain = matches!(&held.expr, Expr::Number(number) if number.is_constant());
            let much = if plain { new >= 4 && new * 4 >= size } else { new >= corners + 4 && new * 2 >= size };
            return stage == Stage::Constant && much;
        }
        if new < 2 && !(covers && size == 1) {
            return false;
        }
        // Long arrays are full of accidents of two or three elements.
        let many = if stage >= Stage::Pair { new * 10 >= size || new >= 24 } else { new * 40 >= size || new >= 12 };
        // So are long lists of places.
        let listed = |set: &BTreeSet<i64>| set.len() > 4 && new * 4 < size;
        let extents = self.group().extents(pivot);
        let scattered = Domain::describe(&held.places, extents).is_none_or(|domain| {
            domain.values.iter().any(|v| matches!(v, Values::Set(set) if listed(&set.iter().copied().collect())))
        });
        if scattered
            || stage == Stage::Within && new * 8 < size
            || !many
            || new <= corners && !covers && changes < asked_changes * 4
        {
            return false;
        }
        if stage == Stage::Constant {
            let flat = matches!(&held.expr, Expr::Number(number) if number.is_constant());
            let seen = self.group().visits.len() >= 3;
            return if flat { seen || covers && new >= 3 } else { new >= corners + asked_values };
        }
        if self.universe.is_single() || changes == 0 {
            return values >= corners + asked_values;
        }
        changes >= asked_changes
    }

    /// Changes between visits, and different values within one.
    fn evidence(&self, pivot: usize, places: &[usize]) -> (usize, usize) {
        let visits = &self.group().visits;
        let mut changes = 0;
        let mut within: BTreeSet<i64> = BTreeSet::new();
        for place in places {
            let mut values: Vec<i64> =
                visits.iter().filter_map(|visit| visit.arrays[pivot].as_ref()?.get(*place)).collect();
            within.extend(values.first());
            values.sort_unstable();
            let commonest = values.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0);
            changes += values.len() - commonest;
            if changes > 10_000 {
                break;
            }
        }
        (changes, within.len())
    }

    /// What an element of the pivot equals, by skeleton, nearest first.
    fn candidates(&self, stage: Stage, pivot: usize, extents: &[usize], at: &[i64]) -> Candidates {
        let mut lists: BTreeMap<Expr, Vec<(i64, Expr)>> = BTreeMap::new();
        let Some(leaf) = flat(extents, at).map(|flat| Leaf { array: pivot, flat }) else { return BTreeMap::new() };
        let Some(item) = self.universe.item_of(leaf) else { return BTreeMap::new() };
        if !self.universe.is_single() && stage != Stage::Constant && uncommon(&item.values) < stage.tells() {
            return BTreeMap::new();
        }
        let mut offer = |expr: Expr| {
            let (skeleton, far) = self.skeleton(&expr, at);
            lists.entry(skeleton).or_default().push((far, expr));
        };
        match stage {
            Stage::Constant => {
                if item.is_constant {
                    offer(self.over(pivot, Expr::Number(Affine::constant(item.values[0], 0))));
                }
            }
            Stage::Copy | Stage::Multiple | Stage::Within | Stage::LookUp | Stage::LookUpMultiple => {
                self.single(stage, leaf, item, &mut offer);
            }
            Stage::Pair => self.pairs(leaf, item, &mut offer),
            Stage::TwoTerms => self.two_terms(leaf, item, &mut offer),
            Stage::Deep => self.deep(leaf, item, &mut offer),
            Stage::InnerMultiple => self.inner_multiples(leaf, item, &mut offer),
            Stage::ManyTerms => self.many_terms(leaf, item, &mut offer),
            Stage::Call => self.calls(leaf, at, &mut offer),
        }
        let nearest = |(skeleton, mut list): (Expr, Vec<(i64, Expr)>)| {
            list.sort();
            list.dedup();
            list.truncate(MOST_CANDIDATES);
            (skeleton, list.into_iter().map(|(_, expr)| expr).collect())
        };
        lists.into_iter().map(nearest).collect()
    }

    /// The expression without its numbers, and how far its elements are from a place.
    fn skeleton(&self, expr: &Expr, at: &[i64]) -> (Expr, i64) {
        let mut skeleton = expr.clone();
        let (mut far, mut position) = (0, 0);
        skeleton.numbers_mut(None, self.group(), &mut |number, length| {
            if length.is_some() {
                far += (number.constant - at.get(position % at.len().max(1)).copied().unwrap_or(0)).abs();
                position += 1;
            }
            *number = Affine::constant(0, 0);
        });
        (skeleton, far)
    }

    /// A number of cells as one of values.
    fn over(&self, pivot: usize, expr: Expr) -> Expr {
        match (self.group().table.arrays[pivot].denominator, expr) {
            (1, expr) => expr,
            (below, Expr::Number(number)) => Expr::Number(Affine::fraction(number.constant, below, 0)),
            (_, expr) => expr,
        }
    }

    pub(super) fn denominator_of(&self, item: &Item) -> i64 {
        match &item.expr {
            Expr::Element { array, .. } => self.group().table.arrays[*array].denominator,
            _ => 1,
        }
    }

    /// `factor * item + constant`, where both are of cells.
    pub(super) fn scaled(&self, pivot: usize, parts: &[(Ratio, &Item)], constant: Ratio) -> Option<Expr> {
        let own = i128::from(self.group().table.arrays[pivot].denominator);
        let narrow = |(n, d): Ratio| Some(Affine::fraction(i64::try_from(n).ok()?, i64::try_from(d).ok()?, 0));
        let parts: Option<Vec<(Affine, Expr)>> = parts
            .iter()
            .map(|((n, d), item)| {
                let factor = super::affine::reduce(n * i128::from(self.denominator_of(item)), d * own)?;
                Some((narrow(factor)?, item.expr.clone()))
            })
            .collect();
        let constant = narrow(super::affine::reduce(constant.0, constant.1 * own)?)?;
        Some(Expr::Linear { parts: parts?, constant })
    }

    /// Whether a relation of an element may speak of these others.
    pub(super) fn may_use(&self, leaf: Leaf, item: &Item, within: bool) -> bool {
        item.leaves.iter().all(|other| other.array != leaf.array || within && other.flat < leaf.flat)
    }
}

/// Whether a relation holds at every visit of a table.
pub(super) fn holds_of(table: &Table, config: &Config, relation: &ArrayRelation) -> bool {
    table.groups().iter().all(|group| {
        let extents = group.extents(relation.pivot);
        let places: Vec<Vec<i64>> = (0..group.size(relation.pivot)).map(|place| unflat(extents, place)).collect();
        group.visits.iter().all(|visit| {
            places.iter().filter(|at| relation.domain.contains(at, &visit.scalars)).all(|indices| {
                let right = relation.right.value(&At { group, visit, functions: &config.functions, indices });
                same_value(group.element(visit, relation.pivot, indices), right)
            })
        })
    })
}

/// A relation, and the equations among elements that it stands for.
pub(super) struct Explained {
    pub(super) relation: ArrayRelation,
    /// Elements of the pivot.
    pub(super) covered: usize,
    /// `None` if it cannot be read from another side.
    equations: Option<Vec<Vec<Leaf>>>,
}

impl Told {
    /// Whether a relation says something about its elements that was not said from another side.
    pub(super) fn is_new(&mut self, explained: &Explained) -> bool {
        let Some(equations) = &explained.equations else { return true };
        let new = equations.iter().filter(|equation| self.0.insert((*equation).clone())).count();
        new * 5 > equations.len()
    }
}

fn equations(group: &Group<'_>, pivot: usize, held: &Held, scalars: &[Option<i64>]) -> Option<Vec<Vec<Leaf>>> {
    let equation = |place: &usize| {
        let mut leaves = equated(group, &held.expr, &unflat(group.extents(pivot), *place), scalars)?;
        leaves.push(Leaf { array: pivot, flat: *place });
        leaves.sort_unstable();
        Some(leaves)
    };
    held.places.iter().map(equation).collect()
}

/// The elements on the right, where the equation can be read from any side: copies, sums without factors, `xor`.
fn equated(group: &Group<'_>, expr: &Expr, at: &[i64], scalars: &[Option<i64>]) -> Option<Vec<Leaf>> {
    match expr {
        Expr::Element { array, indices } => {
            let number = |index: &Expr| match index {
                Expr::Number(number) => number.whole(at, scalars),
                _ => None,
            };
            let indices: Option<Vec<i64>> = indices.iter().map(number).collect();
            Some(vec![Leaf { array: *array, flat: flat(group.extents(*array), &indices?)? }])
        }
        Expr::Apply(Builtin::Xor, parts) => {
            let parts: Option<Vec<Vec<Leaf>>> = parts.iter().map(|part| equated(group, part, at, scalars)).collect();
            Some(parts?.concat())
        }
        Expr::Linear { parts, .. } => {
            let mut leaves = Vec::new();
            for (factor, part) in parts {
                if !factor.is(1) && !factor.is(-1) {
                    return None;
                }
                leaves.extend(equated(group, part, at, scalars)?);
            }
            Some(leaves)
        }
        _ => None,
    }
}

/// How many values are not the commonest.
fn uncommon(values: &[i64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    values.len() - sorted.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0)
}

/// Whether both sides have the same value, or neither has one.
fn same_value(left: Option<Ratio>, right: Option<Ratio>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => equal(left, right),
        (None, None) => true,
        _ => false,
    }
}

fn equal(left: Ratio, right: Ratio) -> bool {
    left.0 * right.1 == right.0 * left.1
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

/// The part of a set of places that can be said shortly.
fn short(places: Vec<usize>, extents: &[usize]) -> Option<Vec<usize>> {
    let domain = Domain::describe(&places, extents)?;
    let long = |values: &Values| matches!(values, Values::Set(set) if set.len() > 12);
    if !domain.values.iter().any(long) {
        let described = domain.places(extents);
        return Some(described);
    }
    // A long run of a scattered set, in one dimension.
    if extents.len() > 1 {
        return None;
    }
    let mut best = (0, 0);
    let mut from = 0;
    for n in 1..=places.len() {
        if n == places.len() || places[n] != places[n - 1] + 1 {
            if n - from > best.1 - best.0 {
                best = (from, n);
            }
            from = n;
        }
    }
    (best.1 - best.0 >= 8).then(|| places[best.0..best.1].to_vec())
}
