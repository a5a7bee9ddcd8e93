//! What one element equals, stage by stage: the candidates that relations are put through.
//!
//! Every method offers expressions that have the element's value at all matched visits. The cheap stages are looks at
//! the tables of the [`universe`](super::universe); functions of two items and sums of two try pairs, with a look-up
//! instead of the second loop where the function can be turned round (`xor`, sums).

use super::Affine;
use super::affine::{Ratio, reduce};
use super::expression::{Argument, Expr};
use super::functions::{Builtin, Takes};
use super::search::{Search, Stage};
use super::table::{Visit, flat, unflat};
use super::universe::{Item, Leaf, affinely};
use std::collections::BTreeMap;

/// What one corner may equal, nearest first.
const MOST_CANDIDATES: usize = 48;
/// Items that every two of are combined.
pub(super) const MOST_FOR_PAIRS: usize = 700;
/// Items that functions of two of are looked at from outside: their remainders, and what is looked up by them.
const MOST_AROUND: usize = 128;
/// Factors of the first of two summands.
const FACTORS: [i64; 12] = [1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 8, 10];
/// Factors of an element that is looked up by a multiple of another, and the longest table of such elements.
const OUTER_FACTORS: [i64; 11] = [1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 10];
const LONGEST_TABLE: usize = 4096;
/// Calls of a function of the user's that are tried for one element, and elements that it may be given.
const MOST_CALLS: usize = 4096;
const MOST_ARGUMENTS: usize = 40;
/// Elements that sums of several are looked for among.
const MOST_FOR_SUMS: usize = 120;

/// What an element equals, by skeleton.
pub(super) type Candidates = BTreeMap<Expr, Vec<Expr>>;

impl Search<'_> {
    /// What an element of the pivot equals, by skeleton, nearest first.
    pub(super) fn candidates(&self, stage: Stage, pivot: usize, extents: &[usize], at: &[i64]) -> Candidates {
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
                let factor = reduce(n * i128::from(self.denominator_of(item)), d * own)?;
                Some((narrow(factor)?, item.expr.clone()))
            })
            .collect();
        let constant = narrow(reduce(constant.0, constant.1 * own)?)?;
        Some(Expr::Linear { parts: parts?, constant })
    }

    /// Whether a relation of an element may speak of these others.
    pub(super) fn may_use(&self, leaf: Leaf, item: &Item, within: bool) -> bool {
        item.leaves.iter().all(|other| other.array != leaf.array || within && other.flat < leaf.flat)
    }

    pub(super) fn single(&self, stage: Stage, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        let is_level = |other: &Item| match stage {
            Stage::LookUp | Stage::LookUpMultiple => other.level > 0 && self.may_use(leaf, other, true),
            Stage::Within => other.level == 0 && other.leaves[0].array == leaf.array && other.leaves[0] != leaf,
            _ => other.level == 0 && self.may_use(leaf, other, false),
        };
        let same = |other: &Item| self.denominator_of(other) == self.group().table.arrays[leaf.array].denominator;
        if matches!(stage, Stage::Copy | Stage::LookUp | Stage::Within) {
            let equal = self.universe.equal(&item.values);
            equal.filter(|other| is_level(other) && same(other)).for_each(|other| offer(other.expr.clone()));
            if matches!(stage, Stage::Copy) {
                for scalar in 0..self.group().table.scalars.len() {
                    let values: Vec<Option<i64>> = self.universe.visits.iter().map(|v| v.scalars[scalar]).collect();
                    if !item.is_constant && values.iter().zip(&item.values).all(|(s, v)| *s == Some(*v)) {
                        offer(Expr::Scalar(scalar));
                    }
                }
            }
        }
        if stage == Stage::Multiple {
            self.of_scalars(leaf, item, offer);
        }
        if matches!(stage, Stage::Multiple | Stage::LookUpMultiple | Stage::Within) {
            for (factor, constant, other) in self.universe.alike(&item.values) {
                // A copy is a corner of `A[i] == B[i] + i`; within one array copies were offered already.
                let again = stage == Stage::Within && (factor, constant) == ((1, 1), (0, 1));
                if is_level(other) && !again && simple(factor) {
                    self.scaled(leaf.array, &[(factor, other)], constant).into_iter().for_each(&mut *offer);
                }
            }
        }
    }

    /// Multiples of a scalar plus a number.
    fn of_scalars(&self, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        let own = i128::from(self.group().table.arrays[leaf.array].denominator);
        let over = |(n, d): Ratio| {
            let (n, d) = reduce(n, d * own)?;
            Some(Affine::fraction(i64::try_from(n).ok()?, i64::try_from(d).ok()?, 0))
        };
        for scalar in 0..self.group().table.scalars.len() {
            let values: Option<Vec<i64>> = self.universe.visits.iter().map(|visit| visit.scalars[scalar]).collect();
            let found = values.and_then(|values| affinely(&item.values, &values));
            let Some((factor, constant)) = found.filter(|(factor, _)| simple(*factor)) else { continue };
            if let (Some(factor), Some(constant)) = (over(factor), over(constant)) {
                offer(Expr::Linear { parts: vec![(factor, Expr::Scalar(scalar))], constant });
            }
        }
    }

    fn operands(&self, leaf: Leaf) -> Vec<&Item> {
        let items = self.operands.iter().map(|n| &self.universe.items[*n]);
        let mut usable: Vec<&Item> = items.filter(|item| self.may_use(leaf, item, true)).collect();
        if usable.len() > MOST_FOR_PAIRS {
            // Of very many, those at the same place and next to it.
            let at = unflat(self.group().extents(leaf.array), leaf.flat);
            usable.retain(|item| {
                let there = unflat(self.group().extents(item.leaves[0].array), item.leaves[0].flat);
                there.len() == at.len() && there.iter().zip(&at).all(|(a, b)| (a - b).abs() <= 2)
            });
            usable.truncate(MOST_FOR_PAIRS);
        }
        usable
    }

    fn wants(&self, function: Builtin) -> bool {
        self.config.builtins.contains(&function)
    }

    /// Functions of two items; sums and differences are found as sums of two terms.
    pub(super) fn pairs(&self, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        if item.is_constant && !self.universe.is_single() {
            return;
        }
        let operands = self.operands(leaf);
        if self.wants(Builtin::Xor) {
            for first in &operands {
                let rest: Vec<i64> = item.values.iter().zip(&first.values).map(|(v, x)| v ^ x).collect();
                if rest.iter().all(|r| *r == rest[0]) && rest[0] != 0 && !self.universe.is_single() {
                    offer(Expr::Apply(Builtin::Xor, vec![first.expr.clone(), Expr::number(rest[0])]));
                    continue;
                }
                let found = self.universe.equal(&rest).filter(|second| second.level <= 1 && !second.is_alias);
                for second in found.filter(|second| second.expr > first.expr && self.may_use(leaf, second, true)) {
                    offer(Expr::Apply(Builtin::Xor, vec![first.expr.clone(), second.expr.clone()]));
                }
            }
        }
        let others: Vec<Builtin> = [Builtin::Mult, Builtin::And, Builtin::Or, Builtin::Mod, Builtin::Div]
            .into_iter()
            .filter(|function| self.wants(*function))
            .collect();
        for (n, first) in operands.iter().enumerate() {
            for &function in &others {
                let from = if function.is_commutative() { n + 1 } else { 0 };
                for second in operands[from..].iter().filter(|second| second.leaves != first.leaves) {
                    if applies(function, item, first, second) {
                        offer(Expr::Apply(function, vec![first.expr.clone(), second.expr.clone()]));
                    }
                }
                if matches!(function, Builtin::Mult) {
                    continue;
                }
                for &constant in &self.config.constants {
                    let fits = |(v, x): (&i64, &i64)| function.apply(*x, constant) == Some(*v);
                    if item.values.iter().zip(&first.values).all(fits) && *item.values != *first.values {
                        offer(Expr::Apply(function, vec![first.expr.clone(), Expr::number(constant)]));
                    }
                }
            }
        }
    }

    /// Sums of two items with factors.
    pub(super) fn two_terms(&self, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        if item.is_constant || self.universe.visits.len() < 4 {
            return;
        }
        for first in self.operands(leaf) {
            for factor in FACTORS {
                let rest: Option<Vec<i64>> =
                    item.values.iter().zip(&first.values).map(|(v, x)| v.checked_sub(x.checked_mul(factor)?)).collect();
                let Some(rest) = rest else { continue };
                for (other, constant, second) in self.universe.alike(&rest) {
                    let usable = second.level <= 1
                        && !second.is_alias
                        && second.leaves != first.leaves
                        && affinely(&first.values, &second.values).is_none()
                        && self.may_use(leaf, second, true);
                    // Each pair once, with the factor that is in the list.
                    let first_listed = FACTORS.iter().any(|f| other == (i128::from(*f), 1)) && second.expr < first.expr;
                    if usable && !first_listed && simple(other) {
                        let mut parts = [((i128::from(factor), 1), first), (other, second)];
                        // The larger factor first, as one writes it.
                        parts.sort_by_key(|((n, d), _)| std::cmp::Reverse((n / d).abs()));
                        self.scaled(leaf.array, &parts, constant).into_iter().for_each(&mut *offer);
                    }
                }
            }
        }
    }

    /// Functions of three items, remainders of functions, and arrays looked up by either.
    pub(super) fn deep(&self, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        if item.is_constant || self.config.depth < 2 {
            return;
        }
        let operands = self.operands(leaf);
        let few = operands.len() <= MOST_FOR_PAIRS / 2;
        if self.wants(Builtin::Xor) && few {
            for (n, first) in operands.iter().enumerate() {
                for second in operands[n + 1..].iter().filter(|second| second.leaves != first.leaves) {
                    // What cancels out says nothing.
                    if first.values == second.values {
                        continue;
                    }
                    let rest = item.values.iter().zip(&first.values).zip(&second.values).map(|((v, x), y)| v ^ x ^ y);
                    let rest: Vec<i64> = rest.collect();
                    if *rest == *first.values || *rest == *second.values {
                        continue;
                    }
                    let inner = || Expr::Apply(Builtin::Xor, vec![first.expr.clone(), second.expr.clone()]);
                    if rest.iter().all(|r| *r == rest[0]) {
                        offer(Expr::Apply(Builtin::Xor, vec![inner(), Expr::number(rest[0])]));
                    }
                    for third in self.universe.equal(&rest).filter(|third| third.level <= 1 && !third.is_alias) {
                        if third.expr > second.expr && self.may_use(leaf, third, true) {
                            offer(Expr::Apply(Builtin::Xor, vec![inner(), third.expr.clone()]));
                        }
                    }
                }
            }
        }
        if operands.len() <= MOST_AROUND {
            self.around(leaf, item, &operands, offer);
        }
    }

    /// `T[f(x, y)]`, `f(x, y) % c`, `T[f(x, y) % c]`.
    fn around(&self, leaf: Leaf, item: &Item, operands: &[&Item], offer: &mut dyn FnMut(Expr)) {
        let tables: Vec<usize> = (0..self.group().extents.len())
            .filter(|table| {
                self.group().extents(*table).len() == 1 && *table != leaf.array && self.group().size(*table) > 1
            })
            .collect();
        let functions: Vec<Builtin> =
            [Builtin::Add, Builtin::Sub, Builtin::Mult, Builtin::Xor, Builtin::And, Builtin::Or]
                .into_iter()
                .filter(|function| self.wants(*function))
                .collect();
        let remainders: Vec<i64> = if self.wants(Builtin::Mod) {
            self.config.constants.iter().copied().filter(|c| *c > 1).take(12).collect()
        } else {
            Vec::new()
        };
        // A table that an index is taken from is used twice.
        let tables_of = |operands: &[&Item]| -> Vec<usize> {
            let uses = |table: usize| operands.iter().any(|o| o.leaves.iter().any(|leaf| leaf.array == table));
            tables.iter().copied().filter(|table| self.config.repeats > 1 || !uses(*table)).collect()
        };
        let looked_up = |table: usize, visit: usize, index: i64| {
            self.universe.visits[visit].arrays[table].as_ref().and_then(|grid| grid.at(&[index]))
        };
        for first in operands {
            let tables = tables_of(&[*first]);
            for &function in [Builtin::And, Builtin::Mod, Builtin::Div].iter().filter(|f| self.wants(**f)) {
                for &constant in self.config.constants.iter().take(24) {
                    let value = |visit: usize| function.apply(first.values[visit], constant);
                    for &table in &tables {
                        let fits = |v: usize| value(v).and_then(|x| looked_up(table, v, x)) == Some(item.values[v]);
                        if (0..item.values.len()).all(fits) {
                            let index = Expr::Apply(function, vec![first.expr.clone(), Expr::number(constant)]);
                            offer(Expr::Element { array: table, indices: vec![index] });
                        }
                    }
                }
            }
        }
        for (n, first) in operands.iter().enumerate() {
            for &function in &functions {
                let from = if function.is_commutative() { n } else { 0 };
                for second in &operands[from..] {
                    let doubles = matches!(function, Builtin::Add | Builtin::Mult);
                    if first.leaves == second.leaves && (first.expr != second.expr || !doubles) {
                        continue;
                    }
                    let tables = tables_of(&[*first, *second]);
                    let value = |visit: usize| function.apply(first.values[visit], second.values[visit]);
                    let inner = || Expr::Apply(function, vec![first.expr.clone(), second.expr.clone()]);
                    let all = |test: &dyn Fn(usize) -> bool| (0..item.values.len()).all(test);
                    for &table in &tables {
                        if all(&|v| value(v).and_then(|x| looked_up(table, v, x)) == Some(item.values[v])) {
                            offer(Expr::Element { array: table, indices: vec![inner()] });
                        }
                    }
                    if function == Builtin::Xor || function == Builtin::And || function == Builtin::Or {
                        continue;
                    }
                    for &divisor in &remainders {
                        let rest = |v: usize| value(v).and_then(|x| x.checked_rem(divisor));
                        // Where the remainder never differs it says nothing.
                        if all(&|v| rest(v) == Some(item.values[v])) && !all(&|v| rest(v) == value(v)) {
                            offer(Expr::Apply(Builtin::Mod, vec![inner(), Expr::number(divisor)]));
                        }
                        for &table in &tables {
                            if all(&|v| rest(v).and_then(|x| looked_up(table, v, x)) == Some(item.values[v]))
                                && !all(&|v| rest(v) == value(v))
                            {
                                let remainder = Expr::Apply(Builtin::Mod, vec![inner(), Expr::number(divisor)]);
                                offer(Expr::Element { array: table, indices: vec![remainder] });
                            }
                        }
                    }
                }
            }
        }
    }

    /// `w * T[y*x + z]`: two visits tell the numbers inside, the others verify them.
    pub(super) fn inner_multiples(&self, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        if item.is_constant || self.universe.visits.len() < 4 {
            return;
        }
        let inside: Vec<&Item> =
            self.operands(leaf).into_iter().filter(|inner| inner.level == 0 && !inner.is_constant).collect();
        for table in (0..self.group().extents.len()).filter(|table| *table != leaf.array) {
            let &[length] = self.group().extents(table) else { continue };
            if !(3..=LONGEST_TABLE).contains(&length) {
                continue;
            }
            for outer in OUTER_FACTORS {
                if item.values.iter().any(|value| value.checked_rem(outer) != Some(0)) {
                    continue;
                }
                let wanted: Vec<i64> = item.values.iter().map(|value| value / outer).collect();
                self.inner_multiple(table, length, &wanted, &inside, &mut |looked_up| {
                    offer(match outer {
                        1 => looked_up,
                        _ => Expr::Linear {
                            parts: vec![(Affine::constant(outer, 0), looked_up)],
                            constant: Affine::constant(0, 0),
                        },
                    });
                });
            }
        }
    }

    /// The elements of a table at a multiple of an item that have these values.
    fn inner_multiple(
        &self,
        table: usize,
        length: usize,
        wanted: &[i64],
        inside: &[&Item],
        offer: &mut dyn FnMut(Expr),
    ) {
        let grid = |visit: usize| self.universe.visits[visit].arrays[table].as_ref();
        let places = |visit: usize| -> Vec<i64> {
            let Some(grid) = grid(visit) else { return Vec::new() };
            (0..length).filter(|n| grid.get(*n) == Some(wanted[visit])).map(|n| n as i64).take(8).collect()
        };
        let mut all: Vec<Vec<i64>> = Vec::with_capacity(wanted.len());
        for visit in 0..wanted.len() {
            all.push(places(visit));
            if all[visit].is_empty() {
                return;
            }
        }
        for inner in inside {
            let Some(other) = (1..inner.values.len()).find(|n| inner.values[*n] != inner.values[0]) else { continue };
            for (&here, &there) in all[0].iter().flat_map(|a| all[other].iter().map(move |b| (a, b))) {
                let below = i128::from(inner.values[other]) - i128::from(inner.values[0]);
                let Some((n, d)) = super::affine::reduce(i128::from(there - here), below) else { continue };
                let constant = super::affine::reduce(i128::from(here) * d - i128::from(inner.values[0]) * n, d);
                let Some(constant) = constant else { continue };
                let fits = |visit: usize| {
                    let index = super::affine::plus((i128::from(inner.values[visit]) * n, d), constant);
                    let index = index.and_then(super::affine::whole);
                    index.is_some_and(|index| grid(visit).and_then(|grid| grid.at(&[index])) == Some(wanted[visit]))
                };
                let plain = (n, d, constant.0) == (1, 1, 0);
                if n != 0 && !plain && simple((n, d)) && (0..wanted.len()).all(fits) {
                    let index = self.scaled(table, &[((n, d), *inner)], constant);
                    index.into_iter().for_each(|index| offer(Expr::Element { array: table, indices: vec![index] }));
                }
            }
        }
    }

    /// What functions of the user's give for scalars, elements, arrays and rows of arrays.
    pub(super) fn calls(&self, leaf: Leaf, at: &[i64], offer: &mut dyn FnMut(Expr)) {
        let visits = &self.universe.visits;
        let extents = self.group().extents(leaf.array);
        for (number, function) in self.config.functions.iter().enumerate() {
            // What each parameter may be given.
            let choices: Vec<Vec<Argument>> = function
                .takes()
                .iter()
                .filter_map(|takes| match takes {
                    Takes::Result(_) => None,
                    Takes::Scalar => Some(self.scalar_arguments(leaf)),
                    Takes::Array(shape) => Some(self.slices(leaf, shape)),
                })
                .collect();
            let count = choices.iter().map(Vec::len).fold(1, usize::saturating_mul);
            if count == 0 || count > MOST_CALLS {
                continue;
            }
            let shapes: Vec<&Vec<usize>> = function
                .takes()
                .iter()
                .filter_map(|t| if let Takes::Result(shape) = t { Some(shape) } else { None })
                .collect();
            // The value, or the element of an array that lies where the pivot's last indices say.
            let mut ends: Vec<(usize, Vec<Expr>)> = Vec::new();
            if function.returns() {
                ends.push((0, Vec::new()));
            }
            for (result, shape) in shapes.iter().enumerate() {
                if shape.len() <= extents.len() && extents[extents.len() - shape.len()..] == shape[..] {
                    let last = at[at.len() - shape.len()..].iter().map(|index| Expr::number(*index));
                    ends.push((result, last.collect()));
                }
            }
            for choice in 0..count {
                let mut rest = choice;
                let given: Vec<Argument> = choices
                    .iter()
                    .map(|list| {
                        let argument = list[rest % list.len()].clone();
                        rest /= list.len();
                        argument
                    })
                    .collect();
                for (result, indices) in &ends {
                    let (result, indices) = (*result, indices.clone());
                    let call = Expr::Call { function: number, given: given.clone(), result, indices };
                    if visits.iter().all(|visit| self.holds(leaf.array, &call, visit, at) == Some(true)) {
                        offer(call);
                    }
                }
            }
        }
    }

    /// The scalars of the location and, if they are few, elements.
    fn scalar_arguments(&self, leaf: Leaf) -> Vec<Argument> {
        let scalars = (0..self.group().table.scalars.len()).map(Expr::Scalar);
        let near = self.operands(leaf).into_iter().filter(|item| item.level == 0).map(|item| item.expr.clone());
        let near: Vec<Expr> = near.collect();
        let elements = if near.len() <= MOST_ARGUMENTS { near } else { Vec::new() };
        scalars.chain(elements).map(Argument::Value).collect()
    }

    /// The arrays, and rows of arrays, of a shape; none that the pivot's element is in.
    fn slices(&self, leaf: Leaf, shape: &[usize]) -> Vec<Argument> {
        let mut slices = Vec::new();
        for array in (0..self.group().extents.len()).filter(|array| *array != leaf.array) {
            let extents = self.group().extents(array);
            if extents.len() < shape.len() || extents[extents.len() - shape.len()..] != *shape {
                continue;
            }
            let outer = &extents[..extents.len() - shape.len()];
            for place in 0..outer.iter().product::<usize>() {
                let indices = unflat(outer, place).into_iter().map(Expr::number).collect();
                slices.push(Argument::Slice { array, indices });
            }
        }
        slices
    }

    /// Sums of several elements of small arrays, by the nullspace of their values at all visits.
    pub(super) fn many_terms(&self, leaf: Leaf, item: &Item, offer: &mut dyn FnMut(Expr)) {
        let items = self.universe.items[..self.universe.elements].iter();
        let usable: Vec<&Item> = items.filter(|other| !other.is_constant && self.may_use(leaf, other, true)).collect();
        let visits = &self.group().visits;
        if item.is_constant || usable.len() < 3 || usable.len() > MOST_FOR_SUMS || visits.len() < usable.len() + 6 {
            return;
        }
        let cell = |visit: &Visit, leaf: Leaf| visit.arrays[leaf.array].as_ref().and_then(|grid| grid.get(leaf.flat));
        let rows: Vec<Vec<i64>> = visits
            .iter()
            .filter_map(|visit| {
                let left = std::iter::once(Some(1)).chain(usable.iter().map(|other| cell(visit, other.leaves[0])));
                left.chain([cell(visit, leaf)]).collect()
            })
            .collect();
        let Some(sum) = super::sums::last_by_others(&rows) else { return };
        let parts: Vec<(Ratio, &Item)> =
            sum[1..].iter().zip(&usable).filter(|(factor, _)| factor.0 != 0).map(|(f, other)| (*f, *other)).collect();
        if (3..=8).contains(&parts.len()) {
            self.scaled(leaf.array, &parts, sum[0]).into_iter().for_each(offer);
        }
    }
}

/// Factors that a program may well have.
fn simple((numerator, denominator): Ratio) -> bool {
    numerator.abs() <= 1 << 40 && denominator <= 1024 && (denominator <= 64 || numerator.abs() <= 64)
}

fn applies(function: Builtin, item: &Item, first: &Item, second: &Item) -> bool {
    let fits = |n: usize| function.apply(first.values[n], second.values[n]) == Some(item.values[n]);
    (0..item.values.len()).all(fits) && *item.values != *first.values && *item.values != *second.values
}

/// How many values are not the commonest.
fn uncommon(values: &[i64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    values.len() - sorted.chunk_by(|a, b| a == b).map(<[i64]>::len).max().unwrap_or(0)
}
