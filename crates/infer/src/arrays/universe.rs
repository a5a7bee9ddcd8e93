//! What can stand on the right of a relation: every element, and every element looked up by an element, with its values.
//!
//! An *item* has the values that it takes over some visits. Two items are equal on these visits if their values hash
//! alike, and differ by a factor and a summand if their normal forms do: the differences to the first value, divided by
//! their greatest common divisor, the first that is not zero positive. So what an element equals is one look at a table,
//! however many elements there are.
//!
//! *Example*: over three visits `A[1]` is 10, 24, 3 and `B[2]` is 1, 3, 0. The differences are 14, -7 and 2, -1; the
//! normal form of both is 2, -1, and `A[1] = 7*B[2] + 3`.
//!
//! *Cost*: the number of items times the number of visits looked at. Items of nestings are limited to [`MOST_ITEMS`].

use super::affine::{Ratio, gcd, reduce};
use super::expression::Expr;
use super::table::{Group, Visit, unflat};
use hashbrown::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

/// Items that are made at most.
pub const MOST_ITEMS: usize = 300_000;
/// Items of arrays that are looked up by two items at once.
const MOST_FOR_PAIRS: usize = 48;

#[derive(Clone, Debug)]
pub struct Item {
    pub expr: Expr,
    pub values: Box<[i64]>,
    /// 0 for an element, 1 for one that is looked up by an element, and so on.
    pub level: usize,
    /// All values are the same.
    pub is_constant: bool,
    /// The innermost elements; of one that is looked up by a number that never changes, that element as well.
    pub leaves: Vec<Leaf>,
    /// It is looked up by a number that never changes: another name for an element.
    pub is_alias: bool,
    /// All values are whole and may serve as indices.
    is_index: bool,
}

/// An element by its array and row-major number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Leaf {
    pub array: usize,
    pub flat: usize,
}

pub struct Universe<'g> {
    pub group: &'g Group<'g>,
    /// The visits that values are taken at.
    pub visits: Vec<&'g Visit>,
    pub items: Vec<Item>,
    /// Items of level 0 come first.
    pub elements: usize,
    of_leaf: HashMap<Leaf, u32>,
    exact: HashMap<u64, Vec<u32>>,
    normal: HashMap<u64, Vec<u32>>,
    /// Whether items were left out.
    pub is_cut: bool,
}

fn hash_of(values: impl Iterator<Item = i64>) -> u64 {
    // The same hash in every run, so that results are.
    let mut hasher = DefaultHasher::new();
    values.for_each(|value| hasher.write_i64(value));
    hasher.finish()
}

/// The differences to the first value in normal form; `None` if all are zero, or too large.
fn normal_form(values: &[i64]) -> Option<Vec<i64>> {
    let first = values[0];
    let differences: Option<Vec<i64>> = values.iter().map(|value| value.checked_sub(first)).collect();
    let mut differences = differences?;
    let sign = differences.iter().find(|d| **d != 0)?.signum();
    let divisor = differences.iter().fold(0, |g, d| gcd(g, i128::from(*d))) as i64 * sign;
    differences.iter_mut().for_each(|d| *d /= divisor);
    Some(differences)
}

/// `left = factor * right + constant` on all visits, if there are such numbers.
pub fn affinely(left: &[i64], right: &[i64]) -> Option<(Ratio, Ratio)> {
    let second = (1..right.len()).find(|n| right[*n] != right[0])?;
    let (l0, r0) = (i128::from(left[0]), i128::from(right[0]));
    let (above, below) = (i128::from(left[second]) - l0, i128::from(right[second]) - r0);
    let (factor, divisor) = reduce(above, below)?;
    let holds = |(l, r): (&i64, &i64)| (i128::from(*l) - l0) * divisor == (i128::from(*r) - r0) * factor;
    if factor == 0 || !left.iter().zip(right).all(holds) {
        return None;
    }
    Some(((factor, divisor), reduce(l0 * divisor - r0 * factor, divisor)?))
}

impl<'g> Universe<'g> {
    /// The items of a group on these visits; `depth` arrays may be nested, each up to `repeats` times.
    pub fn new(group: &'g Group<'g>, visits: Vec<&'g Visit>, depth: usize, repeats: usize) -> Universe<'g> {
        let mut universe = Universe {
            group,
            visits,
            items: Vec::new(),
            elements: 0,
            of_leaf: HashMap::new(),
            exact: HashMap::new(),
            normal: HashMap::new(),
            is_cut: false,
        };
        universe.add_elements();
        universe.elements = universe.items.len();
        let mut from = 0;
        for level in 1..depth {
            let to = universe.items.len();
            universe.look_up(from, to, level, repeats);
            from = to;
        }
        for index in 0..universe.items.len() {
            universe.enter(index as u32);
        }
        universe
    }

    fn add_elements(&mut self) {
        for array in 0..self.group.extents.len() {
            let extents = self.group.extents(array).to_vec();
            for flat in 0..self.group.size(array) {
                let cell = |visit: &&Visit| visit.arrays[array].as_ref().and_then(|grid| grid.get(flat));
                let values: Option<Box<[i64]>> = self.visits.iter().map(cell).collect();
                let Some(values) = values else { continue };
                let leaf = Leaf { array, flat };
                self.of_leaf.insert(leaf, self.items.len() as u32);
                self.items.push(Item {
                    expr: Expr::element(array, &unflat(&extents, flat)),
                    is_constant: values.iter().all(|value| *value == values[0]),
                    values,
                    level: 0,
                    leaves: vec![leaf],
                    is_alias: false,
                    is_index: self.group.table.arrays[array].denominator == 1,
                });
            }
        }
    }

    /// The item of an element.
    pub fn item_of(&self, leaf: Leaf) -> Option<&Item> {
        self.of_leaf.get(&leaf).map(|index| &self.items[*index as usize])
    }

    /// Whether only one visit is looked at, so that constant is not told from changing.
    pub fn is_single(&self) -> bool {
        self.visits.len() == 1
    }

    /// Looks up the items of a range in every array.
    fn look_up(&mut self, from: usize, to: usize, level: usize, repeats: usize) {
        for table in 0..self.group.extents.len() {
            let extents = self.group.extents(table).to_vec();
            if extents.iter().any(|extent| *extent < 2) || extents.is_empty() {
                continue;
            }
            let first_leaf = self.item_of(Leaf { array: table, flat: 0 });
            let fixed = (0..self.group.size(table))
                .all(|flat| self.item_of(Leaf { array: table, flat }).is_some_and(|item| item.is_constant))
                && first_leaf.is_some();
            for index in from..to {
                let item = &self.items[index];
                let uses = count_uses(&item.expr, table);
                let moves = !(item.is_constant && fixed) || self.is_single();
                // An element is not explained by looking itself up.
                if !item.is_index
                    || !moves
                    || uses >= repeats
                    || item.leaves.iter().any(|leaf| leaf.array == table) && repeats < 2
                {
                    continue;
                }
                for position in 0..extents.len() {
                    if extents.len() > 1 && level > 1 {
                        continue;
                    }
                    let extent = extents[position] as i64;
                    if self.items[index].values.iter().any(|value| !(0..extent).contains(value)) {
                        continue;
                    }
                    let rest: usize = extents.iter().product::<usize>() / extents[position];
                    for other in 0..rest {
                        if self.items.len() >= MOST_ITEMS {
                            self.is_cut = true;
                            return;
                        }
                        self.add_looked_up(table, &extents, &[(position, index)], other, level);
                    }
                }
            }
            if level == 1 && extents.len() == 2 && to - from <= MOST_FOR_PAIRS {
                for first in from..to {
                    for second in from..to {
                        let fits = |index: usize, extent: usize| {
                            let item = &self.items[index];
                            item.is_index
                                && item.values.iter().all(|v| (0..extent as i64).contains(v))
                                && item.leaves.iter().all(|leaf| leaf.array != table)
                                && (!item.is_constant || self.is_single())
                        };
                        if fits(first, extents[0]) && fits(second, extents[1]) {
                            self.add_looked_up(table, &extents, &[(0, first), (1, second)], 0, level);
                        }
                    }
                }
            }
        }
    }

    /// Adds the element of an array whose indices are items at some positions and, at the others, those of the number
    /// `other` among all.
    fn add_looked_up(&mut self, table: usize, extents: &[usize], by: &[(usize, usize)], other: usize, level: usize) {
        let free: Vec<usize> = (0..extents.len()).filter(|p| by.iter().all(|(q, _)| q != p)).collect();
        let fixed = unflat(&free.iter().map(|p| extents[*p]).collect::<Vec<_>>(), other);
        let mut indices: Vec<Expr> = vec![Expr::number(0); extents.len()];
        let mut at = vec![0; extents.len()];
        for (position, value) in free.iter().zip(&fixed) {
            indices[*position] = Expr::number(*value);
            at[*position] = *value;
        }
        let mut leaves = Vec::new();
        for (position, index) in by {
            indices[*position] = self.items[*index].expr.clone();
            leaves.extend(&self.items[*index].leaves);
        }
        let mut values = Vec::with_capacity(self.visits.len());
        for (n, visit) in self.visits.iter().enumerate() {
            for (position, index) in by {
                at[*position] = self.items[*index].values[n];
            }
            match visit.arrays[table].as_ref().and_then(|grid| grid.at(&at)) {
                Some(value) => values.push(value),
                None => return,
            }
        }
        let is_alias = !self.is_single() && by.iter().all(|(_, index)| self.items[*index].is_constant);
        if is_alias {
            leaves.extend(super::table::flat(extents, &at).map(|flat| Leaf { array: table, flat }));
        }
        // Looking something up there and back gives nothing new.
        let again = leaves.iter().any(|leaf| self.item_of(*leaf).is_some_and(|item| *item.values == values[..]));
        if again && !self.is_single() && !is_alias {
            return;
        }
        self.items.push(Item {
            expr: Expr::Element { array: table, indices },
            is_constant: values.iter().all(|value| *value == values[0]),
            values: values.into(),
            level,
            leaves,
            is_alias,
            is_index: self.group.table.arrays[table].denominator == 1,
        });
    }

    fn enter(&mut self, index: u32) {
        let item = &self.items[index as usize];
        self.exact.entry(hash_of(item.values.iter().copied())).or_default().push(index);
        if let Some(normal) = normal_form(&item.values).filter(|_| self.visits.len() > 2) {
            self.normal.entry(hash_of(normal.into_iter())).or_default().push(index);
        }
    }

    /// The items of these values.
    pub fn equal(&self, values: &[i64]) -> impl Iterator<Item = &Item> {
        let found = self.exact.get(&hash_of(values.iter().copied()));
        let items = found.into_iter().flatten().map(|index| &self.items[*index as usize]);
        let values = values.to_vec();
        items.filter(move |item| *item.values == values[..])
    }

    /// The items that the values are a multiple of, plus a constant: factor and constant.
    pub fn alike(&self, values: &[i64]) -> Vec<(Ratio, Ratio, &Item)> {
        let Some(normal) = normal_form(values) else { return Vec::new() };
        let found = self.normal.get(&hash_of(normal.into_iter()));
        let items = found.into_iter().flatten().map(|index| &self.items[*index as usize]);
        items
            .filter_map(|item| affinely(values, &item.values).map(|(factor, constant)| (factor, constant, item)))
            .collect()
    }
}

fn count_uses(expr: &Expr, table: usize) -> usize {
    let mut uses = 0;
    // The innermost element is where the nesting starts, not a use of a table.
    expr.walk(&mut |part| {
        if let Expr::Element { array, indices } = part
            && *array == table
            && indices.iter().any(|index| matches!(index, Expr::Element { .. }))
        {
            uses += 1;
        }
    });
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_recognised() {
        let found = affinely(&[10, 24, 3], &[1, 3, 0]).unwrap();
        assert_eq!(found, ((7, 1), (3, 1)));
        assert_eq!(affinely(&[10, 24, 4], &[1, 3, 0]), None);
        assert_eq!(normal_form(&[10, 24, 3]), normal_form(&[1, 3, 0]));
        assert_eq!(normal_form(&[10, 24, 3]), normal_form(&[-1, -3, 0]));
    }
}
