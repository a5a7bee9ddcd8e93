//! One column as a sum of multiples of the others: the last step of Gaussian elimination, exactly.

use super::affine::{Ratio, reduce};
use algebra::{Matrix, nullspace_within};

/// The factors of the other columns in a sum that is the last column in all rows; `None` if there is none, or the
/// factors are large. Of columns that depend on each other the first are used.
pub fn last_by_others(rows: &[Vec<i64>]) -> Option<Vec<Ratio>> {
    let columns = rows.first()?.len();
    let entries = rows.iter().map(|row| row.iter().map(|cell| i128::from(*cell)).collect()).collect();
    let found = nullspace_within(&Matrix::new(columns, entries), 4);
    let relation =
        found.relations.iter().find(|r| r.entries.last().is_some_and(|(column, _)| *column == columns - 1))?;
    let whole = |value: &dashu_int::IBig| i128::try_from(value).ok();
    let (_, own) = relation.entries.last()?;
    let own = whole(own)?;
    let mut factors = vec![(0, 1); columns - 1];
    for (column, value) in &relation.entries[..relation.entries.len() - 1] {
        factors[*column] = reduce(whole(value)?.checked_neg()?, own)?;
    }
    Some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact() {
        let rows: Vec<Vec<i64>> = [[1, 4], [3, 1], [0, 7], [5, 5]].map(|[x, y]| vec![1, x, y, 6 + x - 2 * y]).to_vec();
        assert_eq!(last_by_others(&rows), Some(vec![(6, 1), (1, 1), (-2, 1)]));
    }
}
