//! Rows that are extreme in some direction `±x`, `±x ± y`, so that octagons of a few rows are octagons of all rows.

use observe::samples::Variable;

/// For more columns the pairs are too many; only single columns are followed.
pub(super) const MOST_PAIRED: usize = 64;

/// The extreme rows so far. A direction is a pair of columns and a sign, or one column.
#[derive(Clone, Debug)]
pub(super) struct Extremes {
    width: usize,
    /// What each column is multiplied by, to bring two columns to one denominator.
    weights: Vec<i64>,
    plain: bool,
    /// Smallest and largest value in each direction.
    low: Vec<i64>,
    high: Vec<i64>,
    /// The rows that have them, `width` cells each.
    lowest: Vec<i64>,
    highest: Vec<i64>,
    empty: bool,
    /// Whether no value was beyond what can be told apart.
    exact: bool,
}

impl Extremes {
    pub(super) fn new(variables: &[Variable]) -> Extremes {
        let width = variables.len();
        let pairs = if width <= MOST_PAIRED { width * (width.max(1) - 1) / 2 } else { 0 };
        let directions = width + 2 * pairs;
        let largest = variables.iter().map(|v| v.denominator()).max().unwrap_or(1);
        // Denominators of decimals divide each other; for others the direction is followed in cells, inexactly.
        let weights: Vec<i64> = variables
            .iter()
            .map(|v| if largest % v.denominator() == 0 { largest / v.denominator() } else { 1 })
            .collect();
        Extremes {
            width,
            plain: weights.iter().all(|w| *w == 1),
            weights,
            low: vec![i64::MAX; directions],
            high: vec![i64::MIN; directions],
            lowest: vec![0; directions * width],
            highest: vec![0; directions * width],
            empty: true,
            exact: width <= MOST_PAIRED && variables.iter().all(|v| largest % v.denominator() == 0),
        }
    }

    pub(super) fn push(&mut self, row: &[i64]) {
        self.empty = false;
        let small = row.iter().fold(0, |all, cell| all | cell.unsigned_abs()) < 1 << 62;
        if self.plain && small {
            // Most rows are extreme nowhere; one pass without branches tells.
            let mut beyond = false;
            let mut at = 0;
            for (i, &x) in row.iter().enumerate() {
                beyond |= (x < self.low[at]) | (x > self.high[at]);
                at += 1;
                if self.width <= MOST_PAIRED {
                    let rest = &row[i + 1..];
                    let (low, high) = (&self.low[at..at + 2 * rest.len()], &self.high[at..at + 2 * rest.len()]);
                    for ((&y, low), high) in rest.iter().zip(low.chunks_exact(2)).zip(high.chunks_exact(2)) {
                        let (sum, difference) = (x + y, x - y);
                        beyond |= (sum < low[0]) | (sum > high[0]) | (difference < low[1]) | (difference > high[1]);
                    }
                    at += 2 * rest.len();
                }
            }
            if !beyond {
                return;
            }
        }
        self.push_slowly(row);
    }

    fn push_slowly(&mut self, row: &[i64]) {
        let weighed = |i: usize| row[i].saturating_mul(self.weights[i]);
        self.exact &= (0..self.width).all(|i| weighed(i).unsigned_abs() < 1 << 62);
        let mut values = Vec::with_capacity(self.low.len());
        for (i, &cell) in row.iter().enumerate() {
            values.push(cell);
            if self.width <= MOST_PAIRED {
                for j in i + 1..self.width {
                    values.push(weighed(i).saturating_add(weighed(j)));
                    values.push(weighed(i).saturating_sub(weighed(j)));
                }
            }
        }
        for (direction, value) in values.into_iter().enumerate() {
            let cells = direction * self.width..(direction + 1) * self.width;
            if value < self.low[direction] || value == i64::MAX && self.low[direction] == i64::MAX {
                self.low[direction] = value;
                self.lowest[cells.clone()].copy_from_slice(row);
            }
            if value > self.high[direction] || value == i64::MIN && self.high[direction] == i64::MIN {
                self.high[direction] = value;
                self.highest[cells].copy_from_slice(row);
            }
        }
    }

    /// Takes in the extremes of other rows of the same columns.
    pub(super) fn join(&mut self, other: &Extremes) {
        other.rows().for_each(|row| self.push(row));
        self.exact &= other.exact;
    }

    /// Whether the extreme rows have the octagon of all rows.
    pub(super) fn exact(&self) -> bool {
        self.exact
    }

    /// The extreme rows, some of them several times.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[i64]> {
        let count = if self.empty { 0 } else { usize::MAX };
        let width = self.width.max(1);
        self.lowest.chunks_exact(width).chain(self.highest.chunks_exact(width)).take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::{Kind, Role};
    use proptest::prelude::*;

    proptest! {
        /// The rows given span the octagon of all rows, by trying every direction.
        #[test]
        fn the_octagon_is_that_of_all_rows(
            rows in proptest::collection::vec(proptest::collection::vec(prop_oneof![20 => -9i64..9, 4 => any::<i64>().prop_map(|c| c / 400), 1 => any::<i64>()], 3), 1..20),
            denominator in proptest::sample::select(vec![1i64, 10, 100]),
        ) {
            let mut variables = vec![Variable::int("x"), Variable::int("y"), Variable::int("z")];
            if denominator > 1 {
                variables[1] = Variable::new("y", Kind::Real { denominator }, Role::Program);
            }
            let mut extremes = Extremes::new(&variables);
            rows.iter().for_each(|row| extremes.push(row));
            let kept: Vec<&[i64]> = extremes.rows().collect();
            prop_assert!(kept.iter().all(|row| rows.iter().any(|r| r == row)));
            if !extremes.exact() {
                return Ok(());
            }
            let value = |row: &[i64], (i, a): (usize, i128), (j, b): (usize, i128)| {
                let cell = |i: usize| i128::from(row[i]) * i128::from(denominator / variables[i].denominator());
                a * cell(i) + b * cell(j)
            };
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                for signs in [(1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let of = |row: &[i64]| value(row, (i, signs.0), (j, signs.1));
                    let all = rows.iter().map(|r| of(r)).max();
                    prop_assert_eq!(kept.iter().map(|r| of(r)).max(), all);
                }
            }
        }
    }
}
