//! Relations with `min` and `max`: conjunctions cannot say `y <= max(x, 5)`, but many programs rest on it.
//!
//! *Source*: T. Nguyen, 2017, §3.3, after X. Allamigeon, S. Gaubert, É. Goubault, 2008 and 2010. A max-plus half-space
//! max(c₀, cᵢ + xᵢ) ≥ xⱼ is a disjunction of bounds on differences that share xⱼ; min-plus is its mirror image.
//!
//! *Departures*: the hull of a set of variables is taken apart by the variables that really occur: a half-space in which
//! a coefficient is −∞ belongs to a smaller set, and one with a single finite coefficient is a zone or an interval,
//! which [`bounds`](super::bounds) has. So for each right side and each set of two or three left sides only the
//! half-spaces with all coefficients finite are wanted ([`half_spaces`]); these are the general max-plus and min-plus
//! polyhedra of up to three variables. With more variables than [`MOST_GENERAL`] the weak form of §3.3.3 takes their
//! place, whose coefficients are all alike ([`weak`]). Relations of many variables, `i == min(p, q, r, s)`, come from
//! minimal hitting sets: every row needs a variable of the set that equals `i` ([`extremes`]).
//!
//! *Spurious relations*: a hull of finitely many points has steps wherever samples are thin. A disjunction is kept only
//! if about [`EXPECTED`] different values would break it were its parts independent of each other, if values come
//! right up to the limit of each part where it is the only one to hold, and if it is not one of many steps of one
//! staircase, which are the shadow of a curve.
//!
//! *Guarantee*: every relation holds of every row; half-spaces are exact for the near rows (property test), of which at
//! most [`MOST_ROWS`] are used to make them.

use super::bounds::{Plan, ranges};
use super::claim::Claim;
use super::wording::Wording;
use algebra::Polynomial;
use algebra::tropical::Needs;
use logic::{Predicate, Relation, Term};
use observe::samples::{Evidence, Samples};
use std::collections::BTreeMap;

/// Locations with more variables get the weak form only.
pub const MOST_GENERAL: usize = 8;

/// Locations with more variables get no relations of `min` and `max`.
pub const MOST_VARIABLES: usize = 24;

/// Rows that would have to break a disjunction if its parts were independent.
const EXPECTED: f64 = 12.0;

/// The same where every part only cuts a corner off bounds that hold anyway, as samples that are thin in a corner do.
const EXPECTED_CORNER: f64 = 100.0;

/// A part of a larger shift must be attained; values near the limit do not do.
const LARGE_SHIFT: i128 = 16;

/// A staircase of more steps is the shadow of a curve.
const MOST_STEPS: usize = 3;

/// Largest needs, by the number of left sides, beyond which points are taken to lie on a curve. Of n independent points
/// about ln n are largest in two directions and (ln n)²/2 in three.
const MOST_NEEDS: [usize; 3] = [1, 30, 70];

/// Near rows from which half-spaces are made.
const MOST_ROWS: usize = 4_000;

/// Of how many rows one is looked at before all are, how many that must be, and by how much what they show may be too little.
const GLANCE: usize = 7;
const FEWEST_GLANCED: usize = 300;
const MARGIN: f64 = 8.0;

/// Sets of variables looked at when hitting sets are enumerated.
const MOST_SETS: usize = 3_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    Max,
    Min,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Max, Side::Min];

    fn sign(self) -> i128 {
        match self {
            Side::Max => 1,
            Side::Min => -1,
        }
    }
}

/// `right <= max(left + shift, ..)`, or `right >= min(left + shift, ..)`. No variable stands for zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HalfSpace {
    pub side: Side,
    pub right: Option<usize>,
    pub left: Vec<(Option<usize>, i128)>,
    /// Whether equality holds.
    pub exact: bool,
}

impl HalfSpace {
    fn part(&self, variable: Option<usize>, shift: i128, width: usize) -> Polynomial {
        let cell = |v: Option<usize>| v.map_or_else(Polynomial::zero, |v| Polynomial::variable(v, width));
        let sum = cell(variable).add(&Polynomial::constant(shift, width)).sub(&cell(self.right));
        if self.side == Side::Max { sum } else { sum.scale(&(-1).into()) }
    }

    pub fn claim(&self, width: usize) -> Claim {
        let parts: Vec<Polynomial> = self.left.iter().map(|&(v, c)| self.part(v, c, width)).collect();
        let any = Claim::Any(parts.iter().cloned().map(Claim::NonNegative).collect());
        if !self.exact {
            return any;
        }
        let others = parts.into_iter().map(|p| Claim::NonNegative(p.scale(&(-1).into())));
        Claim::All(others.chain([any]).collect())
    }

    pub fn predicate(&self, wording: &Wording<'_>, denominator: i64) -> Predicate {
        let mut left = self.left.clone();
        // Variables first, the constant last.
        left.sort_by_key(|(v, _)| v.map_or(usize::MAX, |v| v));
        let (right, shift) = match self.right {
            Some(v) => (wording.variable(v), 0),
            // Against a constant: the first variable stands alone.
            None => (wording.shifted(None, -left[0].1, denominator), left[0].1),
        };
        let parts = left.iter().map(|&(v, c)| wording.shifted(v, c - shift, denominator)).collect();
        let (parts, relation) = match self.side {
            Side::Max => (Term::Max(parts), Relation::Le),
            Side::Min => (Term::Min(parts), Relation::Ge),
        };
        match self.right {
            _ if self.exact => right.compare(Relation::Eq, parts),
            Some(_) => right.compare(relation, parts),
            None => parts.compare(relation.swapped(), right),
        }
    }
}

fn cell(row: &[i64], variable: Option<usize>) -> i128 {
    variable.map_or(0, |v| row[v].into())
}

/// The minimal shifts, all finite, for which the half-space with these sides holds of all rows.
pub fn half_spaces<'r>(
    rows: impl Iterator<Item = &'r [i64]>,
    side: Side,
    right: Option<usize>,
    left: &[Option<usize>],
) -> Vec<HalfSpace> {
    let mut needs = Needs::new(left.len());
    let mut need = vec![0i128; left.len()];
    let sign = side.sign();
    for row in rows {
        let target = cell(row, right);
        for (need, &variable) in need.iter_mut().zip(left) {
            *need = sign * (target - cell(row, variable));
        }
        needs.insert(&need);
        if needs.len() > MOST_NEEDS[left.len().min(3) - 1] {
            return Vec::new(); // A curve: its staircase would be as long.
        }
    }
    let finite = |cover: Vec<Option<i128>>| cover.into_iter().collect::<Option<Vec<i128>>>();
    let shifts = needs.covers().into_iter().filter_map(finite);
    shifts
        .map(|shifts| {
            let left = left.iter().copied().zip(shifts.into_iter().map(|c| sign * c)).collect();
            HalfSpace { side, right, left, exact: false }
        })
        .collect()
}

/// Near rows to make half-spaces from: all, or as many as are used spread over all.
fn thinned(near: &Samples) -> impl Iterator<Item = &[i64]> + Clone {
    near_rows(near, MOST_ROWS)
}

fn near_rows(near: &Samples, most: usize) -> impl Iterator<Item = &[i64]> + Clone {
    let step = near.len().div_ceil(most).max(1);
    (0..near.len()).step_by(step).map(|index| near.row(index))
}

/// All relations of the columns, which have one denominator. `variables` is the number of variables of a weak relation.
pub fn tropical(evidence: &Evidence, columns: &[usize], variables: usize, sides: &[Side]) -> Vec<HalfSpace> {
    let mut found = extremes(evidence, columns, sides);
    let general = if columns.len() <= MOST_GENERAL { general(evidence, columns, sides) } else { Vec::new() };
    let weak = if columns.len() > MOST_GENERAL { weak(evidence, columns, variables, sides) } else { Vec::new() };
    for relation in general.into_iter().chain(weak) {
        if !found.contains(&relation) {
            found.push(relation);
        }
    }
    found
}

/// The general max-plus and min-plus polyhedra of all sets of up to three variables, less what is likely spurious.
pub fn general(evidence: &Evidence, columns: &[usize], sides: &[Side]) -> Vec<HalfSpace> {
    let near = if evidence.near.is_empty() { &evidence.far } else { &evidence.near };
    let everything: Vec<Option<usize>> = std::iter::once(None).chain(columns.iter().copied().map(Some)).collect();
    let mut found = Vec::new();
    for left in subsets(&everything) {
        for &right in &everything {
            let variables = left.iter().chain([&right]).filter(|v| v.is_some()).count();
            if left.contains(&right) || variables > 3 {
                continue;
            }
            for &side in sides {
                let steps = half_spaces(thinned(near), side, right, &left);
                if steps.len() > 40 {
                    continue;
                }
                let steps: Vec<HalfSpace> = steps.into_iter().filter(|step| is_supported(step, evidence)).collect();
                if steps.len() <= MOST_STEPS {
                    found.extend(steps);
                }
            }
        }
    }
    found
}

/// The subsets of two or three members.
fn subsets<T: Copy>(all: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    for (i, &a) in all.iter().enumerate() {
        for (j, &b) in all.iter().enumerate().skip(i + 1) {
            found.push(vec![a, b]);
            found.extend(all.iter().skip(j + 1).map(|&c| vec![a, b, c]));
        }
    }
    found
}

/// Weak relations of so many variables: `right + d <= max(0, x, ..)` with the one parameter as tight as can be.
pub fn weak(evidence: &Evidence, columns: &[usize], variables: usize, sides: &[Side]) -> Vec<HalfSpace> {
    let near = if evidence.near.is_empty() { &evidence.far } else { &evidence.near };
    let everything: Vec<Option<usize>> = std::iter::once(None).chain(columns.iter().copied().map(Some)).collect();
    let mut found = Vec::new();
    for left in subsets(&everything) {
        for &right in columns {
            let count = left.iter().filter(|v| v.is_some()).count() + 1;
            if left.contains(&Some(right)) || count > variables.min(3) {
                continue;
            }
            for &side in sides {
                let sign = side.sign();
                // The shift that every row needs: the least of the parts' needs.
                let need = |row: &[i64]| left.iter().map(|&v| sign * (cell(row, Some(right)) - cell(row, v))).min();
                let Some(shift) = thinned(near).filter_map(need).max() else { continue };
                let parts = left.iter().map(|&v| (v, sign * shift)).collect();
                let relation = HalfSpace { side, right: Some(right), left: parts, exact: false };
                if is_supported(&relation, evidence) {
                    found.push(relation);
                }
            }
        }
    }
    found
}

/// Whether one row in so many gives hope that a relation is supported. Nearly all are not, and few rows tell.
fn is_promising(relation: &HalfSpace, evidence: &Evidence) -> bool {
    if evidence.len() < GLANCE * FEWEST_GLANCED {
        return true;
    }
    let sign = relation.side.sign();
    let (mut broken, mut rows) = (vec![0u64; relation.left.len()], 0u64);
    for index in (0..evidence.len()).step_by(GLANCE) {
        let row = evidence.row(index);
        let target = cell(row, relation.right);
        let mut any = false;
        for (broken, &(variable, shift)) in broken.iter_mut().zip(&relation.left) {
            let fails = sign * (cell(row, variable) + shift - target) < 0;
            any |= !fails;
            *broken += u64::from(fails);
        }
        if !any {
            return false;
        }
        rows += 1;
    }
    // One more than were seen, lest a part that few rows break be taken for one that none does.
    let expected = broken.iter().fold(rows as f64, |product, &count| product * (count + 1) as f64 / rows as f64);
    expected * GLANCE as f64 * MARGIN >= EXPECTED
}

/// Whether it holds of all rows, and would be broken by many were its parts independent.
fn is_supported(relation: &HalfSpace, evidence: &Evidence) -> bool {
    if !is_promising(relation, evidence) {
        return false;
    }
    let sign = relation.side.sign();
    let mut broken = vec![0u64; relation.left.len()];
    // How far each part is from holding, at worst, on near and on far rows.
    let mut worst = vec![[i128::MAX; 2]; relation.left.len()];
    let mut rows = 0u64;
    for (far, row) in evidence.near.rows().map(|row| (0, row)).chain(evidence.far.rows().map(|row| (1, row))) {
        let target = cell(row, relation.right);
        let mut any = false;
        for (part, &(variable, shift)) in relation.left.iter().enumerate() {
            let excess = sign * (cell(row, variable) + shift - target);
            any |= excess >= 0;
            broken[part] += u64::from(excess < 0);
            worst[part][far] = worst[part][far].min(excess);
        }
        if !any {
            return false;
        }
        rows += 1;
    }
    let expected = |broken: &[u64], rows: u64| {
        broken.iter().fold(rows as f64, |product, &count| product * count as f64 / rows as f64)
    };
    let corner = worst.iter().all(|[near, far]| far >= near);
    let enough = if corner { EXPECTED_CORNER } else { EXPECTED };
    if expected(&broken, rows) < enough {
        return false;
    }
    // Rows of one run share values, so only different values of the variables that occur count; and each part must be
    // crisp where it is the only one to hold: attained often, or with values right up to the limit.
    let mut variables: Vec<usize> = relation.left.iter().filter_map(|(v, _)| *v).chain(relation.right).collect();
    variables.sort_unstable();
    let place = |v: Option<usize>| v.and_then(|v| variables.binary_search(&v).ok());
    let (left, right): (Vec<(Option<usize>, i128)>, _) =
        (relation.left.iter().map(|&(v, c)| (place(v), c)).collect(), place(relation.right));
    let mut seen = evidence.near.project(&variables);
    let mut narrow = vec![0; variables.len()];
    for row in evidence.far.rows() {
        narrow.iter_mut().zip(&variables).for_each(|(cell, &v)| *cell = row[v]);
        seen.push(&narrow);
    }
    let mut broken = vec![0u64; relation.left.len()];
    let mut alone: Vec<BTreeMap<i128, u64>> = vec![BTreeMap::new(); relation.left.len()];
    for row in seen.rows() {
        let target = cell(row, right);
        let mut holding = None;
        let mut count = 0;
        for (part, &(variable, shift)) in left.iter().enumerate() {
            let excess = sign * (cell(row, variable) + shift - target);
            broken[part] += u64::from(excess < 0);
            if excess >= 0 {
                (holding, count) = (Some((part, excess)), count + 1);
            }
        }
        if let (Some((part, excess)), 1) = (holding, count) {
            *alone[part].entry(excess).or_default() += 1;
        }
    }
    let crisp = |(part, alone): (usize, &BTreeMap<i128, u64>)| {
        let attained = alone.get(&0).is_some_and(|count| *count >= 3);
        let dense = alone.keys().take_while(|excess| **excess <= 3).count() >= 2;
        attained || dense && relation.left[part].1.abs() <= LARGE_SHIFT
    };
    expected(&broken, seen.len() as u64) >= enough / 2.0 && alone.iter().enumerate().all(crisp)
}

/// Variables that are the least or the largest of others, and those that are bounded by the least or largest of three
/// or more.
pub fn extremes(evidence: &Evidence, columns: &[usize], sides: &[Side]) -> Vec<HalfSpace> {
    if columns.len() > MOST_VARIABLES || evidence.len() < 8 {
        return Vec::new();
    }
    let width = evidence.variables().len();
    let single = Plan { pairs: Vec::new(), ..Plan::linear(columns, width) };
    let (near, far) = (ranges(&evidence.near, &single), ranges(&evidence.far, &single));
    let mut found = Vec::new();
    for (place, &right) in columns.iter().enumerate() {
        for &side in sides {
            let sign = side.sign();
            let others: Vec<usize> = columns.iter().copied().filter(|&c| c != right).collect();
            // How often each set of others reaches the variable; a set is a mask of places among the others.
            let mut reaching: BTreeMap<u64, u64> = BTreeMap::new();
            let mut never_above = u64::MAX >> (64 - others.len().max(1));
            let limit = match side {
                Side::Max => near.singles[place].least.min(far.singles[place].least),
                Side::Min => near.singles[place].most.max(far.singles[place].most),
            };
            // A limit that the far rows moved is an echo of the range.
            let firm = match side {
                Side::Max => far.singles[place].least >= near.singles[place].least,
                Side::Min => far.singles[place].most <= near.singles[place].most,
            };
            let constant = 1u64 << others.len();
            for row in evidence.rows() {
                let target = i128::from(row[right]);
                let mut mask = 0;
                for (bit, &other) in others.iter().enumerate() {
                    let excess = sign * (i128::from(row[other]) - target);
                    mask |= u64::from(excess >= 0) << bit;
                    never_above &= !(u64::from(excess > 0) << bit);
                }
                mask |= if firm && target == limit { constant } else { 0 };
                *reaching.entry(mask).or_default() += 1;
            }
            let relation = |mask: u64, exact: bool| {
                let variables = others.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
                let mut left: Vec<(Option<usize>, i128)> = variables.map(|(_, &v)| (Some(v), 0)).collect();
                if mask & constant != 0 {
                    left.push((None, limit));
                }
                HalfSpace { side, right: Some(right), left, exact }
            };
            if others.is_empty() {
                continue;
            }
            // Equality: only others that are never beyond the variable can take part.
            let equal = [0, constant].into_iter().find_map(|extra| {
                let sets = hitting_sets(&reaching, never_above | extra)?;
                let sets: Vec<u64> = sets.into_iter().filter(|s| s.count_ones() <= 8).collect();
                sets.iter().copied().min_by_key(|s| s.count_ones())
            });
            match equal {
                Some(set) if set.count_ones() == 1 => {} // Equal to one of them, or bounded by it: an equation or a zone.
                Some(set) if is_needed(set, &reaching) => found.push(relation(set, true)),
                _ => {
                    let sets = hitting_sets(&reaching, constant - 1).unwrap_or_default();
                    let many = sets.len() > 2 || sets.iter().any(|s| s.count_ones() == 1);
                    let wanted = sets.into_iter().filter(|s| !many && (3..=8).contains(&s.count_ones()));
                    let wanted = wanted.map(|set| relation(set, false));
                    found.extend(wanted.filter(|relation| is_supported(relation, evidence)));
                }
            }
        }
    }
    found
}

/// Whether each member is the only one to reach the variable in some rows.
fn is_needed(set: u64, reaching: &BTreeMap<u64, u64>) -> bool {
    (0..64).filter(|bit| set >> bit & 1 == 1).all(|bit| {
        let alone: u64 = reaching.iter().filter(|(mask, _)| **mask & set == 1 << bit).map(|(_, count)| count).sum();
        alone >= 2
    })
}

/// The minimal subsets of `allowed` that meet every mask; `None` if there is none, or if there are too many to list.
fn hitting_sets(masks: &BTreeMap<u64, u64>, allowed: u64) -> Option<Vec<u64>> {
    let mut needs: Vec<u64> = masks.keys().map(|mask| mask & allowed).collect();
    needs.sort_by_key(|mask| (mask.count_ones(), *mask));
    needs.dedup();
    if needs.first().is_none_or(|mask| *mask == 0) {
        return None;
    }
    let mut minimal: Vec<u64> = Vec::new();
    for mask in needs {
        if !minimal.iter().any(|m| m & mask == *m) {
            minimal.push(mask);
        }
    }
    let mut sets = vec![0u64];
    for mask in minimal {
        let (mut hit, missed): (Vec<u64>, Vec<u64>) = sets.into_iter().partition(|set| set & mask != 0);
        let grown: Vec<u64> = missed
            .iter()
            .flat_map(|set| (0..64).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| set | 1 << bit))
            .collect();
        for set in grown {
            if !hit.iter().any(|h| h & set == *h) {
                hit.push(set);
            }
        }
        sets = hit;
        if sets.len() > MOST_SETS {
            return None;
        }
    }
    let all = sets.clone();
    sets.retain(|set| !all.iter().any(|other| other != set && other & set == *other));
    sets.sort_unstable();
    Some(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::Variable;
    use proptest::prelude::*;

    fn evidence(names: &[&str], rows: impl IntoIterator<Item = Vec<i64>>) -> Evidence {
        let mut near = Samples::new(names.iter().map(|n| Variable::int(*n)).collect());
        let far = near.clone();
        rows.into_iter().for_each(|row| {
            near.push(&row);
        });
        Evidence { near, far }
    }

    fn texts(evidence: &Evidence) -> Vec<String> {
        let columns: Vec<usize> = (0..evidence.variables().len()).collect();
        let wording = Wording::new(evidence.variables());
        let found = tropical(evidence, &columns, 2, &Side::BOTH);
        found.iter().map(|relation| relation.predicate(&wording, 1).to_string()).collect()
    }

    #[test]
    fn a_bent_line() {
        let rows = (-60..60).flat_map(|x: i64| (x.min(5)..=11).map(|x| vec![x, if x < 5 { 5 } else { x }]));
        assert_eq!(texts(&evidence(&["x", "y"], rows)), ["y == max(x, 5)"]);
    }

    #[test]
    fn the_least_of_four() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as i64 % 61 - 30
        };
        let rows: Vec<Vec<i64>> = (0..400)
            .map(|_| {
                let [p, q, r, s] = std::array::from_fn(|_| random());
                vec![p.min(q).min(r).min(s), p, q, r, s]
            })
            .collect();
        assert_eq!(texts(&evidence(&["i", "p", "q", "r", "s"], rows)), ["i == min(p, q, r, s)"]);
    }

    proptest! {
        /// The definition: a shift vector is listed exactly if it holds of all rows and lowering any coordinate by one
        /// breaks it.
        #[test]
        fn half_spaces_are_minimal(rows in proptest::collection::vec(proptest::collection::vec(-3i64..4, 3), 1..8)) {
            let left = [None, Some(0), Some(1)];
            for side in Side::BOTH {
                let found = half_spaces(rows.iter().map(Vec::as_slice), side, Some(2), &left);
                let holds = |c: &[i128]| rows.iter().all(|row| left.iter().zip(c).any(|(&v, c)| side.sign() * (cell(row, v) - cell(row, Some(2))) + c >= 0));
                let listed: Vec<Vec<i128>> = found.iter().map(|h| h.left.iter().map(|(_, c)| side.sign() * c).collect()).collect();
                for n in 0..15i128.pow(3) {
                    let c = [n % 15 - 7, n / 15 % 15 - 7, n / 225 - 7];
                    let lowered = (0..3).any(|i| { let mut d = c; d[i] -= 1; holds(&d) });
                    // At the edge of the tried cube a coordinate may be lowered for ever: it is not finite then.
                    let inner = c.iter().all(|x| x.abs() < 7);
                    if inner {
                        prop_assert_eq!(holds(&c) && !lowered, listed.contains(&c.to_vec()), "{:?}", c);
                    }
                }
            }
        }

        #[test]
        fn hitting_sets_are_the_minimal_ones(masks in proptest::collection::btree_map(1u64..32, Just(1u64), 1..6)) {
            let found = hitting_sets(&masks, 31).unwrap();
            let hits = |set: u64| masks.keys().all(|m| m & set != 0);
            for set in 0u64..32 {
                let minimal = hits(set) && (0..5).all(|bit| set >> bit & 1 == 0 || !hits(set & !(1 << bit)));
                prop_assert_eq!(minimal, found.contains(&set));
            }
        }
    }
}
