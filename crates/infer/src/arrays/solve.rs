//! From relations among single elements to one relation among arrays: how indices and coefficients depend on the pivot's.
//!
//! *Question*: `A[1] = B[C[2]]` or `B[C[3]]`, and `A[2] = B[C[5]]`: which affine index fits, so that `A[i] = B[C[p*i + q]]`?
//!
//! *Source*: Nguyen 2017, Lemma 4.2.25 (k + 1 elements of a k-dimensional pivot determine the coefficients, the rest
//! verifies them) and §4.3.1 (the same question as a formula of linear integer arithmetic).
//!
//! Two solvers for one question. [`direct`] takes every choice of one candidate for each of the k + 1 corners, solves
//! for the coefficients and lets the caller verify; its cost is the product of the numbers of candidates. [`by_smt`]
//! asks for coefficients that fit some candidate of every corner and of as many further elements as are given; what the
//! caller refuses is excluded and asked again. [`solve`] takes the one that is cheaper by [`SMT_COSTS`]; on random
//! inputs both find the same relations (test `solvers_agree`).

use super::affine::{Affine, Ratio};
use super::expression::Expr;
use super::table::Group;
use smt::{Outcome, Solver, SortId, TermId, TermPool, Value};

/// An element of the pivot and what it equals, each of one skeleton.
#[derive(Clone, Debug)]
pub struct Corner {
    pub at: Vec<i64>,
    pub candidates: Vec<Expr>,
}

/// A corner, and its neighbours in some directions.
#[derive(Clone, Debug)]
pub struct Corners {
    /// Of the pivot.
    pub extents: Vec<usize>,
    pub base: Corner,
    /// For each index of the pivot, the neighbour along it, if the relation may move along that index.
    pub neighbours: Vec<Option<Corner>>,
}

/// As many choices of candidates as one question to the solver costs: a choice takes about 0.4 µs to solve and to refuse,
/// a question about 4 ms (bench, section `arrays`).
pub const SMT_COSTS: usize = 10_000;
/// Choices that are tried at most.
const MOST_CHOICES: usize = 400_000;
/// Answers of the solver that are tried at most.
const MOST_ANSWERS: usize = 60;

impl Corners {
    fn choices(&self) -> usize {
        let others = self.neighbours.iter().flatten().map(|corner| corner.candidates.len());
        others.fold(self.base.candidates.len(), usize::saturating_mul)
    }
}

/// Offers relations that fit the corners to `verify` until it takes one. `further` are more elements of the pivot with
/// all they equal.
pub fn solve(corners: &Corners, further: &[Corner], group: &Group<'_>, verify: &mut dyn FnMut(Expr) -> bool) -> bool {
    if corners.choices() <= SMT_COSTS || corners.choices() <= MOST_CHOICES && further.is_empty() {
        return direct(corners, group, verify);
    }
    by_smt(corners, further, group, verify)
}

/// Tries every choice of candidates.
pub fn direct(corners: &Corners, group: &Group<'_>, verify: &mut dyn FnMut(Expr) -> bool) -> bool {
    let directions: Vec<usize> = (0..corners.neighbours.len()).filter(|d| corners.neighbours[*d].is_some()).collect();
    let lists: Vec<&[Expr]> = std::iter::once(&corners.base)
        .chain(corners.neighbours.iter().flatten())
        .map(|corner| corner.candidates.as_slice())
        .collect();
    if lists.iter().any(|list| list.is_empty()) {
        return false;
    }
    let mut chosen = vec![0; lists.len()];
    for _ in 0..MOST_CHOICES {
        let base = &lists[0][chosen[0]];
        let others: Vec<(usize, &Expr)> =
            directions.iter().enumerate().map(|(n, d)| (*d, &lists[n + 1][chosen[n + 1]])).collect();
        if let Some(fitted) = fitted(corners, base, &others, group)
            && offer(fitted, corners, group, verify)
        {
            return true;
        }
        let Some(next) = (0..lists.len()).rev().find(|list| chosen[*list] + 1 < lists[*list].len()) else {
            return false;
        };
        chosen[next] += 1;
        chosen[next + 1..].fill(0);
    }
    false
}

/// Offers a relation as it is and, where indices run out of their arrays, with one of them or all modulo the length.
fn offer(fitted: Expr, corners: &Corners, group: &Group<'_>, verify: &mut dyn FnMut(Expr) -> bool) -> bool {
    let wrapped = wrapped(&fitted, corners, group);
    verify(fitted) || wrapped.into_iter().any(verify)
}

/// The numbers of an expression, in a fixed order.
fn numbers(expr: &Expr, group: &Group<'_>) -> Vec<Affine> {
    let mut numbers = Vec::new();
    expr.clone().numbers_mut(None, group, &mut |number, _| numbers.push(number.clone()));
    numbers
}

fn constant_of(number: &Affine) -> Ratio {
    (number.constant.into(), number.denominator.into())
}

/// The relation whose numbers go through those of the chosen candidates.
fn fitted(corners: &Corners, base: &Expr, others: &[(usize, &Expr)], group: &Group<'_>) -> Option<Expr> {
    let at = &corners.base.at;
    let there: Vec<(usize, i64, Vec<Affine>)> = others
        .iter()
        .filter_map(|(direction, expr)| {
            let corner = corners.neighbours[*direction].as_ref()?;
            Some((*direction, corner.at[*direction] - at[*direction], numbers(expr, group)))
        })
        .collect();
    let mut fitted = base.clone();
    let (mut position, mut failed) = (0, false);
    fitted.numbers_mut(None, group, &mut |number, _| {
        let mut steps = vec![None; at.len()];
        for (direction, distance, numbers) in &there {
            steps[*direction] = numbers.get(position).map(|n| (*distance, constant_of(n)));
        }
        position += 1;
        match Affine::through(at, constant_of(number), &steps) {
            Some(affine) => *number = affine,
            None => failed = true,
        }
    });
    (!failed).then_some(fitted)
}

/// The relation with one index that leaves its array wrapped around, for each such index, and with all of them.
fn wrapped(expr: &Expr, corners: &Corners, group: &Group<'_>) -> Vec<Expr> {
    let leaves = |number: &Affine, length: Option<usize>| {
        let (mut low, mut high) = (number.constant, number.constant);
        for (coefficient, extent) in number.coefficients.iter().zip(&corners.extents) {
            let reach = coefficient.saturating_mul(*extent as i64 - 1);
            low = low.saturating_add(reach.min(0));
            high = high.saturating_add(reach.max(0));
        }
        let length = length.filter(|length| *length > 1 && (low < 0 || high >= *length as i64))?;
        number.modulo(length as i64)
    };
    let mut leaving = 0;
    let mut all = expr.clone();
    all.numbers_mut(None, group, &mut |number, length| {
        if let Some(modulo) = leaves(number, length) {
            *number = modulo;
            leaving += 1;
        }
    });
    let only = |which: usize| {
        let mut one = expr.clone();
        let mut met = 0;
        one.numbers_mut(None, group, &mut |number, length| {
            if let Some(modulo) = leaves(number, length) {
                if met == which {
                    *number = modulo;
                }
                met += 1;
            }
        });
        one
    };
    match leaving {
        0 => Vec::new(),
        1 => vec![all],
        several => (0..several).map(only).chain([all]).collect(),
    }
}

/// Asks the solver for numbers that fit a candidate of every corner and every further element.
pub fn by_smt(corners: &Corners, further: &[Corner], group: &Group<'_>, verify: &mut dyn FnMut(Expr) -> bool) -> bool {
    let Some(shape) = corners.base.candidates.first() else { return false };
    let dimensions = corners.base.at.len();
    let count = numbers(shape, group).len();
    let pool = TermPool::new();
    let unknown = |position: usize, part: usize| pool.var(&format!("n{position}_{part}"), SortId::INT);
    // Part 0 is the constant, part d + 1 the coefficient of index d.
    let unknowns: Vec<Vec<TermId>> =
        (0..count).map(|position| (0..=dimensions).map(|part| unknown(position, part)).collect()).collect();
    let mut solver =
        Solver::with_options(&pool, smt::Options { budget: smt::Budget::resources(3_000_000), ..Default::default() });
    for (direction, neighbour) in corners.neighbours.iter().enumerate() {
        if neighbour.is_none() {
            unknowns.iter().for_each(|parts| solver.assert(pool.eq(parts[direction + 1], pool.int(0))));
        }
    }
    let fits = |at: &[i64], expr: &Expr| {
        let numbers = numbers(expr, group);
        let equations = numbers.iter().zip(&unknowns).map(|(number, parts)| {
            let slopes = at.iter().zip(&parts[1..]).map(|(index, part)| pool.mul(pool.int(*index), *part));
            let sum: Vec<TermId> = slopes.chain([parts[0]]).collect();
            match number.denominator {
                1 => pool.eq(pool.sum(&sum), pool.int(number.constant)),
                // Fractions are not for this solver.
                _ => pool.bool(false),
            }
        });
        pool.and(&equations.collect::<Vec<_>>())
    };
    let all = std::iter::once(&corners.base).chain(corners.neighbours.iter().flatten()).chain(further);
    for corner in all {
        let choices: Vec<TermId> = corner.candidates.iter().map(|expr| fits(&corner.at, expr)).collect();
        solver.assert(pool.or(&choices));
    }
    for _ in 0..MOST_ANSWERS {
        let Outcome::Sat(model) = solver.check() else { return false };
        let number = |term: &TermId| match model.eval(*term) {
            Ok(Value::Int(value)) => i64::try_from(&value).ok(),
            _ => None,
        };
        let answers: Option<Vec<Vec<i64>>> = unknowns.iter().map(|parts| parts.iter().map(number).collect()).collect();
        let Some(answers) = answers else { return false };
        let mut expr = shape.clone();
        let mut position = 0;
        expr.numbers_mut(None, group, &mut |number, _| {
            let parts = &answers[position];
            position += 1;
            *number = Affine { coefficients: parts[1..].to_vec(), ..Affine::constant(parts[0], dimensions) };
        });
        if offer(expr, corners, group, verify) {
            return true;
        }
        let same: Vec<TermId> = unknowns
            .iter()
            .zip(&answers)
            .flat_map(|(parts, values)| parts.iter().zip(values).map(|(part, value)| pool.eq(*part, pool.int(*value))))
            .collect();
        solver.assert(pool.not(pool.and(&same)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::table::{ArrayVariable, Grid, Table, Visit};
    use super::*;
    use proptest::prelude::*;

    fn table(arrays: Vec<(&str, Vec<usize>)>) -> Table {
        let grids =
            arrays.iter().map(|(_, extents)| Some(Grid::new(extents.clone(), vec![0; extents.iter().product()])));
        let visit = Visit { scalars: Vec::new(), arrays: grids.collect(), is_last: true };
        let arrays = arrays.into_iter().map(|(name, _)| ArrayVariable::new(name)).collect();
        Table { scalars: Vec::new(), arrays, visits: vec![visit] }
    }

    fn corner(at: &[i64], places: &[i64]) -> Corner {
        Corner { at: at.to_vec(), candidates: places.iter().map(|p| Expr::element(0, &[*p])).collect() }
    }

    /// Example 4.3.1: `A[1]` is `C[2]` or `C[3]`, `A[2]` is `C[5]`, `A[0]` is `C[1]`.
    #[test]
    fn the_running_example() {
        let table = table(vec![("C", vec![7])]);
        let group = &table.groups()[0];
        let corners =
            Corners { extents: vec![3], base: corner(&[1], &[2, 3]), neighbours: vec![Some(corner(&[2], &[5]))] };
        let wanted = Expr::Element {
            array: 0,
            indices: vec![Expr::Number(Affine { coefficients: vec![2], ..Affine::constant(1, 1) })],
        };
        let mut offered = Vec::new();
        let mut verify = |expr: Expr| {
            offered.push(expr.clone());
            expr == wanted
        };
        assert!(direct(&corners, group, &mut verify));
        assert!(by_smt(&corners, &[corner(&[0], &[1])], group, &mut |expr| expr == wanted));
        assert!(offered.len() >= 2, "3*i - 1 fits the two corners as well and should be refused first");
    }

    proptest! {
        /// Whatever one solver can offer that fits all elements, the other can offer too.
        #[test]
        fn solvers_agree(lists in prop::collection::vec(prop::collection::vec(0i64..12, 1..4), 4)) {
            let table = table(vec![("C", vec![12])]);
            let group = &table.groups()[0];
            let corners = Corners { extents: vec![4], base: corner(&[0], &lists[0]), neighbours: vec![Some(corner(&[1], &lists[1]))] };
            let further: Vec<Corner> = (2..4).map(|n| corner(&[n as i64], &lists[n])).collect();
            let fits_all = |expr: &Expr| {
                let Expr::Element { indices, .. } = expr else { return false };
                let Expr::Number(index) = &indices[0] else { return false };
                index.modulus == 0 && lists.iter().enumerate().all(|(n, list)| {
                    index.whole(&[n as i64], &[]).is_some_and(|place| list.contains(&place))
                })
            };
            let found = direct(&corners, group, &mut |expr| fits_all(&expr));
            prop_assert_eq!(found, by_smt(&corners, &further, group, &mut |expr| fits_all(&expr)));
        }
    }
}
