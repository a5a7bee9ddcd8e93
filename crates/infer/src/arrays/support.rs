//! Where a relation holds, at all visits, and whether enough speaks for it.
//!
//! The matched visits tell the places at which a relation holds; all other visits, those of other shapes included, can
//! only take places away, or show that a number is a scalar, or a bound.
//!
//! *What must speak for a relation*: each element it covers counts the visits at which it has another value than its
//! commonest; a stage with more freedom asks for more of them ([`Stage::asks`]). Where nothing changes between visits,
//! the different values inside one visit count instead, less the corners, which any affine index can meet.
//!
//! *Moving bounds*: in the middle of a loop a relation holds up to where the loop has come. If all visits that break it
//! break it from a scalar on (`i < n`), that is its bound.

use super::affine::{Ratio, ScalarPart};
use super::domain::{Domain, Moving, Values, longest_run};
use super::expression::{Argument, At, Expr};
use super::search::{Search, Stage};
use super::table::{Table, Visit, flat, unflat};
use super::{ArrayRelation, Config};
use std::collections::BTreeSet;

/// Places at which a relation may be found broken before it is given up.
const MOST_BROKEN: usize = 20_000;
/// Elements inside a moving bound that show nothing yet.
const MOST_ACCIDENTAL: usize = 8;

/// A relation with the elements of the pivot it holds for.
pub(super) struct PlacedRelation {
    pub(super) expr: Expr,
    pub(super) places: Vec<usize>,
    pub(super) moving: Vec<Moving>,
}

/// What speaks for a relation.
#[derive(Default)]
struct Evidence {
    /// Elements, each counted at every visit that it has a value at.
    seen: usize,
    /// Of those, the ones that have another value than their commonest.
    changes: usize,
    /// Different values within one visit.
    values: usize,
}

impl<'s> Search<'s> {
    fn at<'a>(&'a self, visit: &'a Visit, indices: &'a [i64]) -> At<'a> {
        At { group: self.group(), visit, functions: &self.config.functions, indices }
    }

    /// Whether the pivot's element equals the expression at a visit; `None` if the element has no value there.
    pub(super) fn holds(&self, pivot: usize, expr: &Expr, visit: &Visit, indices: &[i64]) -> Option<bool> {
        let left = self.group().element(visit, pivot, indices)?;
        let right = expr.value(&self.at(visit, indices));
        Some(right.is_some_and(|right| equal(left, right)))
    }

    pub(super) fn holds_matched(&self, pivot: usize, expr: &Expr, indices: &[i64]) -> bool {
        self.universe.visits.iter().all(|visit| self.holds(pivot, expr, visit, indices) == Some(true))
    }

    /// Where the relation holds at all visits.
    pub(super) fn verify(&self, pivot: usize, extents: &[usize], expr: Expr) -> Option<PlacedRelation> {
        let places: Vec<usize> = (0..self.group().size(pivot))
            .filter(|place| self.holds_matched(pivot, &expr, &unflat(extents, *place)))
            .collect();
        if places.is_empty() {
            return None;
        }
        let domain = Domain::describe(&places, extents)?;
        let beyond: Vec<Values> = domain.values.iter().zip(extents).map(|(v, extent)| v.beyond(*extent)).collect();
        let mut held = vec![false; self.group().size(pivot)];
        places.iter().for_each(|place| held[*place] = true);
        let mut expr = expr;
        let mut broken = self.broken(pivot, extents, &expr, &held, &beyond);
        if !broken.is_empty() {
            // Numbers that were the same at all matched visits may be scalars that differ elsewhere.
            for variant in self.with_scalars(&expr) {
                let less = self.broken(pivot, extents, &variant, &held, &beyond);
                if less.len() < broken.len() {
                    (expr, broken) = (variant, less);
                }
            }
        }
        if broken.is_empty() {
            return short(places, extents).map(|places| PlacedRelation { expr, places, moving: Vec::new() });
        }
        if let Some(moving) = self.moving(extents.len(), &broken) {
            return short(places, extents).map(|places| PlacedRelation { expr, places, moving: vec![moving] });
        }
        let lost: BTreeSet<usize> = broken.iter().filter_map(|(_, indices)| flat(extents, indices)).collect();
        if broken.iter().any(|(_, indices)| flat(extents, indices).is_none()) {
            return None;
        }
        let places: Vec<usize> = places.into_iter().filter(|place| !lost.contains(place)).collect();
        short(places, extents).map(|places| PlacedRelation { expr, places, moving: Vec::new() })
    }

    /// The visits beside the matched ones, and the places, at which a relation does not hold although it does at that
    /// place, or along that whole index, at the matched ones.
    fn broken(
        &self,
        pivot: usize,
        extents: &[usize],
        expr: &Expr,
        held: &[bool],
        beyond: &[Values],
    ) -> Vec<(&'s Visit, Vec<i64>)> {
        let mut broken: Vec<(&Visit, Vec<i64>)> = Vec::new();
        for (group, visit) in &self.rest {
            let own = group.extents(pivot);
            if own.len() != extents.len() {
                continue;
            }
            let same = own == extents;
            for place in 0..group.size(pivot) {
                if same && !held[place] {
                    continue;
                }
                let indices = unflat(own, place);
                let concerned = match flat(extents, &indices) {
                    Some(known) => held[known],
                    None => indices.iter().zip(beyond).all(|(index, values)| values.contains(*index)),
                };
                if !concerned {
                    continue;
                }
                let right = expr.value(&At { group, visit, functions: &self.config.functions, indices: &indices });
                if !same_value(group.element(visit, pivot, &indices), right, expr) {
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
    pub(super) fn convinces(
        &self,
        stage: Stage,
        pivot: usize,
        held: &PlacedRelation,
        corners: usize,
        new: usize,
    ) -> bool {
        let size = self.group().size(pivot);
        let Evidence { seen, changes, values } = self.evidence(pivot, held);
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
        // Inside bounds that move there may be nothing that was ever written.
        let empty = !held.moving.is_empty() && seen < MOST_ACCIDENTAL;
        // Some affine index meets any three elements sooner or later.
        let met = new * 2 < size && new < corners + 3 && !self.is_natural(&held.expr);
        if scattered
            || empty
            || met
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

    /// Whether all indices are those of the pivot, or their mirror, with a distance: what one expects of a program. What
    /// is looked up by a table that never changes has many names, and one of them is always near.
    fn is_natural(&self, expr: &Expr) -> bool {
        let mut natural = true;
        expr.clone().numbers_mut(None, self.group(), &mut |number, length| {
            let plain = number.modulus == 0 && number.coefficients.iter().all(|c| c.abs() <= number.denominator);
            natural &= length.is_none() || plain;
        });
        let table = |index: &Expr| matches!(index, Expr::Element { array, .. } if self.group().table.arrays[*array].is_constant);
        expr.walk(&mut |part| natural &= !matches!(part, Expr::Element { indices, .. } if indices.iter().any(table)));
        natural
    }

    /// What there is to see where a relation speaks: elements that have a value at a visit inside the moving bounds.
    fn evidence(&self, pivot: usize, held: &PlacedRelation) -> Evidence {
        let extents = self.group().extents(pivot);
        let mut found = Evidence::default();
        let mut within: BTreeSet<i64> = BTreeSet::new();
        for place in &held.places {
            let at = unflat(extents, *place);
            let inside = |visit: &&&Visit| held.moving.iter().all(|moving| moving.admits(&at, &visit.scalars));
            let visits = self.group().visits.iter().filter(inside);
            let mut values: Vec<i64> = visits.filter_map(|visit| visit.arrays[pivot].as_ref()?.get(*place)).collect();
            within.extend(values.first());
            values.sort_unstable();
            let commonest = values.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0);
            found.seen += values.len();
            found.changes += values.len() - commonest;
            if found.changes > 10_000 {
                break;
            }
        }
        found.values = within.len();
        found
    }
}

/// Whether a relation holds at every visit of a table.
pub(super) fn holds_of(table: &Table, config: &Config, relation: &ArrayRelation) -> bool {
    table.groups().iter().all(|group| {
        let extents = group.extents(relation.pivot);
        let places: Vec<Vec<i64>> = (0..group.size(relation.pivot)).map(|place| unflat(extents, place)).collect();
        group.visits.iter().all(|visit| {
            let inside = extents.is_empty() || relation.domain.is_inside(extents, &visit.scalars);
            inside
                && places.iter().filter(|at| relation.domain.contains(at, &visit.scalars)).all(|indices| {
                    let right = relation.right.value(&At { group, visit, functions: &config.functions, indices });
                    same_value(group.element(visit, relation.pivot, indices), right, &relation.right)
                })
        })
    })
}

/// Whether both sides have the same value. Of an element without a value nothing is true, unless a function of the
/// program, given whole arrays, leaves the same one without.
fn same_value(left: Option<Ratio>, right: Option<Ratio>, expr: &Expr) -> bool {
    let is_fixed = |index: &Expr| matches!(index, Expr::Number(number) if number.is_constant());
    match (left, right, expr) {
        (Some(left), Some(right), _) => equal(left, right),
        (None, None, Expr::Call { given, .. }) => given.iter().all(|given| match given {
            Argument::Value(_) => true,
            Argument::Slice { indices, .. } => indices.iter().all(is_fixed),
        }),
        _ => false,
    }
}

fn equal(left: Ratio, right: Ratio) -> bool {
    left.0 * right.1 == right.0 * left.1
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
    let mut held = vec![false; extents.iter().product()];
    places.iter().for_each(|place| held[*place] = true);
    longest_run(&held, held.len()).filter(|run| run.len() >= 8).map(Iterator::collect)
}
