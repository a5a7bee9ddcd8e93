//! Gaussian elimination over the rationals: the slow twin of [`nullspace`](crate::nullspace()).

use crate::nullspace::Relation;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The reduced row echelon form, as rows with their leading columns.
pub fn reduced_rows(rows: &[Vec<i128>], columns: usize) -> Vec<(usize, Vec<RBig>)> {
    let mut done: Vec<(usize, Vec<RBig>)> = Vec::new();
    for row in rows {
        let mut row: Vec<RBig> = row.iter().map(|&entry| RBig::from(IBig::from(entry))).collect();
        for (lead, pivot) in &done {
            let factor = row[*lead].clone();
            for column in 0..columns {
                row[column] -= &factor * &pivot[column];
            }
        }
        let Some(lead) = row.iter().position(|entry| *entry != RBig::ZERO) else { continue };
        let scale = row[lead].clone();
        row.iter_mut().for_each(|entry| *entry /= &scale);
        for (_, other) in &mut done {
            let factor = other[lead].clone();
            for column in 0..columns {
                other[column] -= &factor * &row[column];
            }
        }
        done.push((lead, row));
        done.sort_by_key(|(lead, _)| *lead);
    }
    done
}

/// The nullspace, as [`nullspace`](crate::nullspace()) gives it, from the echelon form.
pub fn nullspace(rows: &[Vec<i128>], columns: usize) -> Vec<Relation> {
    let reduced = reduced_rows(rows, columns);
    (0..columns)
        .filter(|column| reduced.iter().all(|(lead, _)| lead != column))
        .map(|free| {
            let mut entries: Vec<(usize, RBig)> = reduced
                .iter()
                .filter(|(_, row)| row[free] != RBig::ZERO)
                .map(|(lead, row)| (*lead, -row[free].clone()))
                .collect();
            entries.push((free, RBig::ONE));
            Relation::from_fractions(entries)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::nullspace::{Matrix, nullspace as fast, nullspace_within};
    use crate::prime::Prime;
    use dashu_base::BitTest;
    use proptest::prelude::*;

    /// Small entries make dependent rows likely, large ones make the solution need several primes, and multiples of the
    /// first primes make it look different modulo these.
    fn entry() -> impl Strategy<Value = i128> {
        let primes: Vec<i128> = Prime::all().take(2).map(|prime| prime.value().into()).collect();
        let multiple = (proptest::sample::select(primes), -2i128..3).prop_map(|(prime, factor)| prime * factor);
        prop_oneof![-2i128..3, any::<i64>().prop_map(i128::from), multiple]
    }

    proptest! {
        #[test]
        fn the_fast_nullspace_agrees(
            columns in 1usize..7,
            seed in proptest::collection::vec(proptest::collection::vec(entry(), 7), 0..9),
        ) {
            let rows: Vec<Vec<i128>> = seed.into_iter().map(|row| row[..columns].to_vec()).collect();
            let all = super::nullspace(&rows, columns);
            prop_assert_eq!(fast(&Matrix::new(columns, rows.clone())), all.clone());
            // With few primes, only relations of the basis, and all of those with small entries.
            let few = nullspace_within(&Matrix::new(columns, rows), 2);
            prop_assert!(few.relations.iter().all(|relation| all.contains(relation)));
            let is_small = |r: &crate::Relation| r.entries.iter().all(|(_, c)| c.bit_len() < 28);
            prop_assert!(all.iter().filter(|r| is_small(r)).all(|r| few.relations.contains(r)));
        }
    }
}
