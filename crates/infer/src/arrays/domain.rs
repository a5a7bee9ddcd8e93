//! Which indices of the pivot a relation holds for, said so that a reader sees the pattern.
//!
//! A set of places is described as one condition for each index (a range, a step, what is left out of a period, or a
//! list) and, where those are not enough, one condition between two indices (`i < j`). What cannot be said that way is
//! cut down to a part that can.

use super::table::{flat, unflat};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The values that one index takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// From the first up to, and without, the second.
    Range(i64, i64),
    /// Those of a range whose remainder by the period is this one.
    Every {
        from: i64,
        to: i64,
        period: i64,
        rest: i64,
    },
    /// Those of a range whose remainders by the period are not among these.
    Except {
        from: i64,
        to: i64,
        period: i64,
        rests: Vec<i64>,
    },
    Set(Vec<i64>),
}

impl Values {
    fn of(set: &BTreeSet<i64>) -> Values {
        let (Some(&first), Some(&last)) = (set.first(), set.last()) else { return Values::Set(Vec::new()) };
        let (count, to) = (set.len() as i64, last + 1);
        if to - first == count {
            return Values::Range(first, to);
        }
        if count >= 3 {
            for period in 2..=(to - first).min(64) {
                let rest = first.rem_euclid(period);
                let every = (first..to).filter(|v| v.rem_euclid(period) == rest);
                if every.clone().count() as i64 == count && every.clone().all(|v| set.contains(&v)) {
                    return Values::Every { from: first, to, period, rest };
                }
            }
        }
        if count >= 4 {
            for period in 2..=((to - first) / 2).min(16) {
                let missing: BTreeSet<i64> =
                    (first..to).filter(|v| !set.contains(v)).map(|v| v.rem_euclid(period)).collect();
                let fits = |v: i64| missing.contains(&v.rem_euclid(period)) != set.contains(&v);
                if (missing.len() as i64) < period && missing.len() <= 2 && (first..to).all(fits) {
                    return Values::Except { from: first, to, period, rests: missing.into_iter().collect() };
                }
            }
        }
        Values::Set(set.iter().copied().collect())
    }

    /// The first value, and the one behind the last.
    pub fn hull(&self) -> (i64, i64) {
        match self {
            Values::Range(from, to) | Values::Every { from, to, .. } | Values::Except { from, to, .. } => (*from, *to),
            Values::Set(set) => (set.first().copied().unwrap_or(0), set.last().map_or(0, |last| last + 1)),
        }
    }

    /// Those of a longer array that go on with the pattern, where it goes on to the end of this one.
    pub fn beyond(&self, extent: usize) -> Values {
        let mut opened = self.clone();
        opened.open(true);
        let goes_on = (0..extent as i64).all(|value| opened.contains(value) == self.contains(value));
        if goes_on { opened } else { self.clone() }
    }

    /// The same values and, on one side, all of the pattern that lie beyond: [`i64::MIN`] or [`i64::MAX`] as the bound.
    fn open(&mut self, upper: bool) {
        let (Values::Range(from, to) | Values::Every { from, to, .. } | Values::Except { from, to, .. }) = self else {
            return;
        };
        if upper { *to = i64::MAX } else { *from = i64::MIN }
    }

    pub fn contains(&self, value: i64) -> bool {
        match self {
            Values::Range(from, to) => (*from..*to).contains(&value),
            Values::Every { from, to, period, rest } => {
                (*from..*to).contains(&value) && value.rem_euclid(*period) == *rest
            }
            Values::Except { from, to, period, rests } => {
                (*from..*to).contains(&value) && !rests.contains(&value.rem_euclid(*period))
            }
            Values::Set(set) => set.contains(&value),
        }
    }
}

/// A condition between two indices: `first - second` or `first + second` against a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Between {
    pub first: usize,
    pub second: usize,
    /// Whether the indices are added; else subtracted.
    pub sum: bool,
    pub relation: logic::Relation,
    pub bound: i64,
}

impl Between {
    fn holds(&self, at: &[i64]) -> bool {
        let (a, b) = (at[self.first], at[self.second]);
        let value = if self.sum { a + b } else { a - b };
        self.relation.holds(value.cmp(&self.bound))
    }
}

/// A bound that moves with a scalar of the location: the index is smaller than `scalar + offset`, or at least that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moving {
    pub index: usize,
    pub scalar: usize,
    pub offset: i64,
    /// Whether the bound is an upper one.
    pub upper: bool,
}

impl Moving {
    /// Whether the place is on the right side of the bound, at a visit with these scalars.
    pub fn admits(&self, at: &[i64], scalars: &[Option<i64>]) -> bool {
        self.bound(scalars).is_some_and(|bound| (at[self.index] < bound) == self.upper)
    }

    fn bound(&self, scalars: &[Option<i64>]) -> Option<i64> {
        scalars[self.scalar].map(|scalar| scalar.saturating_add(self.offset))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// One for each index of the pivot.
    pub values: Vec<Values>,
    pub between: Option<Between>,
    /// Bounds that replace those of the ranges.
    pub moving: Vec<Moving>,
}

impl Domain {
    /// All places of an array.
    pub fn whole(extents: &[usize]) -> Domain {
        let values = extents.iter().map(|extent| Values::Range(0, *extent as i64)).collect();
        Domain { values, between: None, moving: Vec::new() }
    }

    /// Leaves out the bounds that moving ones stand for: those that no place comes up to that is on the right side of
    /// the moving one. `visits` are the scalars of all visits.
    pub fn open(&mut self, extents: &[usize], visits: &[&[Option<i64>]]) {
        for moving in &self.moving {
            let values = &mut self.values[moving.index];
            let mut opened = values.clone();
            opened.open(moving.upper);
            let mut at = vec![0; extents.len()];
            // One that leads out of the array needs the fixed one beside it.
            let extent = extents[moving.index] as i64;
            let leads_out = |scalars: &&[Option<i64>]| {
                moving.bound(scalars).is_none_or(|bound| if moving.upper { bound > extent } else { bound < 0 })
            };
            if visits.iter().any(leads_out) {
                continue;
            }
            let same = (0..extent).all(|value| {
                at[moving.index] = value;
                opened.contains(value) == values.contains(value)
                    || !visits.iter().any(|scalars| moving.admits(&at, scalars))
            });
            if same {
                *values = opened;
            }
        }
    }

    /// Whether all its places are places of an array of these extents, at a visit with these scalars.
    pub fn is_inside(&self, extents: &[usize], scalars: &[Option<i64>]) -> bool {
        let mut ranges = Vec::new();
        for (index, values) in self.values.iter().enumerate() {
            let (mut low, mut high) = values.hull();
            for moving in self.moving.iter().filter(|moving| moving.index == index) {
                let Some(bound) = moving.bound(scalars) else { return false };
                if moving.upper { high = high.min(bound) } else { low = low.max(bound) }
            }
            ranges.push((low, high));
        }
        let is_empty = ranges.iter().any(|(low, high)| low >= high);
        is_empty || ranges.iter().zip(extents).all(|((low, high), extent)| *low >= 0 && *high <= *extent as i64)
    }

    /// Whether the place belongs to it at a visit with these scalars.
    pub fn contains(&self, at: &[i64], scalars: &[Option<i64>]) -> bool {
        at.iter().zip(&self.values).all(|(index, values)| values.contains(*index))
            && self.between.as_ref().is_none_or(|between| between.holds(at))
            && self.moving.iter().all(|moving| moving.admits(at, scalars))
    }

    /// The places of an array of these extents, by their row-major numbers; moving bounds are left out.
    pub fn places(&self, extents: &[usize]) -> Vec<usize> {
        let fixed = Domain { moving: Vec::new(), ..self.clone() };
        (0..extents.iter().product()).filter(|place| fixed.contains(&unflat(extents, *place), &[])).collect()
    }

    /// A description of a set of places, or of a large part of it. `None` for an empty one.
    pub fn describe(places: &[usize], extents: &[usize]) -> Option<Domain> {
        if places.is_empty() {
            return None;
        }
        let mut held = vec![false; extents.iter().product()];
        places.iter().for_each(|place| held[*place] = true);
        let all: Vec<Vec<i64>> = places.iter().map(|place| unflat(extents, *place)).collect();
        let product = box_around(&all, extents.len());
        if product.places(extents).len() == places.len() {
            return Some(product);
        }
        if let Some(between) = between(&all, &held, extents) {
            return Some(between);
        }
        // Rows of one pattern: the commonest pattern of the inner indices, and the outer ones that have it.
        let outer = extents.len() - 1;
        if outer == 0 {
            return Some(product);
        }
        let mut patterns: BTreeMap<Vec<i64>, Vec<Vec<i64>>> = BTreeMap::new();
        let mut rows: BTreeMap<Vec<i64>, Vec<i64>> = BTreeMap::new();
        for at in &all {
            rows.entry(at[..outer].to_vec()).or_default().push(at[outer]);
        }
        for (row, pattern) in rows {
            patterns.entry(pattern).or_default().push(row);
        }
        let (pattern, rows) = patterns.into_iter().max_by_key(|(pattern, rows)| pattern.len() * rows.len())?;
        let part: Vec<usize> = rows
            .iter()
            .flat_map(|row| pattern.iter().map(move |last| row.iter().copied().chain([*last]).collect::<Vec<i64>>()))
            .filter_map(|at| flat(extents, &at))
            .collect();
        let at: Vec<Vec<i64>> = part.iter().map(|place| unflat(extents, *place)).collect();
        let product = box_around(&at, extents.len());
        let fits = product.places(extents).iter().all(|place| held[*place]);
        if fits { Some(product) } else { largest_run(&held, extents) }
    }
}

fn box_around(places: &[Vec<i64>], dimensions: usize) -> Domain {
    let values = (0..dimensions).map(|d| Values::of(&places.iter().map(|at| at[d]).collect()));
    Domain { values: values.collect(), between: None, moving: Vec::new() }
}

/// The whole array with one condition between two indices.
fn between(places: &[Vec<i64>], held: &[bool], extents: &[usize]) -> Option<Domain> {
    use logic::Relation;
    let bounds = places.iter().fold(vec![(i64::MAX, i64::MIN); extents.len()], |mut bounds, at| {
        bounds.iter_mut().zip(at).for_each(|(b, i)| *b = (b.0.min(*i), b.1.max(*i)));
        bounds
    });
    let values: Vec<Values> = bounds.iter().map(|(low, high)| Values::Range(*low, high + 1)).collect();
    for first in 0..extents.len() {
        for second in first + 1..extents.len() {
            for sum in [false, true] {
                let value = |at: &Vec<i64>| if sum { at[first] + at[second] } else { at[first] - at[second] };
                let (low, high) = places.iter().map(value).fold((i64::MAX, i64::MIN), |(l, h), v| (l.min(v), h.max(v)));
                let tried = [(Relation::Eq, low), (Relation::Ne, 0), (Relation::Lt, high + 1), (Relation::Ge, low)];
                for (relation, bound) in tried {
                    let between = Between { first, second, sum, relation, bound };
                    let domain = Domain { values: values.clone(), between: Some(between), moving: Vec::new() };
                    let inside = domain.places(extents);
                    if inside.len() == places.len() && inside.iter().all(|place| held[*place]) {
                        return Some(domain);
                    }
                }
            }
        }
    }
    None
}

/// A part of the places: the longest run along the last index.
fn largest_run(held: &[bool], extents: &[usize]) -> Option<Domain> {
    let places: Vec<Vec<i64>> = longest_run(held, *extents.last()?)?.map(|place| unflat(extents, place)).collect();
    Some(box_around(&places, extents.len()))
}

/// The longest run of places that hold, in rows of a length; the first of several.
pub fn longest_run(held: &[bool], row_length: usize) -> Option<Range<usize>> {
    let length = row_length.max(1);
    let mut best: Option<Range<usize>> = None;
    for (row, held) in held.chunks(length).enumerate() {
        let mut at = row * length;
        for run in held.chunk_by(|a, b| a == b) {
            if run[0] && best.as_ref().is_none_or(|best| run.len() > best.len()) {
                best = Some(at..at + run.len());
            }
            at += run.len();
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(places: &[usize], extents: &[usize]) -> Domain {
        let domain = Domain::describe(places, extents).unwrap();
        assert!(domain.places(extents).iter().all(|place| places.contains(place)), "only what holds is described");
        domain
    }

    #[test]
    fn patterns_are_recognised() {
        let range = |from, to| Values::Range(from, to);
        assert_eq!(described(&[2, 3, 4], &[9]).values, [range(2, 5)]);
        assert_eq!(described(&[0, 2, 4], &[5]).values, [Values::Every { from: 0, to: 5, period: 2, rest: 0 }]);
        let but_fourths: Vec<usize> = (5..44).filter(|i| i % 4 != 0).collect();
        let except = Values::Except { from: 5, to: 44, period: 4, rests: vec![0] };
        assert_eq!(described(&but_fourths, &[44]).values, [except]);
        let rows: Vec<usize> = (0..24).collect();
        assert_eq!(described(&rows, &[10, 4]).values, [range(0, 6), range(0, 4)]);
    }

    #[test]
    fn triangles_are_recognised() {
        let below: Vec<usize> = (0..16).filter(|n| n / 4 > n % 4).collect();
        let domain = described(&below, &[4, 4]);
        assert_eq!(domain.places(&[4, 4]), below);
        assert!(domain.between.is_some());
    }

    #[test]
    fn the_whole_is_kept_or_a_part() {
        // A row and a stray element: the row is said.
        let domain = described(&[4, 5, 6, 7, 10], &[4, 4]);
        assert_eq!(domain.places(&[4, 4]), [4, 5, 6, 7]);
    }
}
