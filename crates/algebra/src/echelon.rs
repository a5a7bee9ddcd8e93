//! A row echelon form modulo a prime that grows row by row.
//!
//! Rows are kept monic and are not reduced against later pivots, so inserting a row is one sweep over the pivots.
//! Sums are kept lazily: an entry is below 2·p² while a sweep runs and is reduced when it is looked at, which leaves
//! one multiplication, one addition and one conditional subtraction for each entry.
//!
//! *Cost*: inserting the r-th row of n columns takes r·n steps.

use crate::prime::Prime;

/// The rows inserted so far, in echelon form.
#[derive(Clone, Debug)]
pub struct Echelon {
    prime: Prime,
    columns: usize,
    /// Monic rows with the column of their leading one, in ascending order of that column.
    rows: Vec<(usize, Vec<u32>)>,
    /// Reused by every insertion.
    sums: Vec<u64>,
}

impl Echelon {
    pub fn new(prime: Prime, columns: usize) -> Echelon {
        Echelon { prime, columns, rows: Vec::new(), sums: Vec::new() }
    }

    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row; tells whether it was independent of those before.
    pub fn insert(&mut self, row: &[u32]) -> bool {
        assert_eq!(row.len(), self.columns, "a row should have an entry for every column");
        let p = u64::from(self.prime.value());
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        sums.extend(row.iter().map(|&entry| u64::from(entry)));
        for (lead, pivot) in &self.rows {
            let factor = sums[*lead] % p;
            sums[*lead] = 0;
            if factor != 0 {
                add_multiple(&mut sums[lead + 1..], &pivot[lead + 1..], p - factor, p * p);
            }
        }
        let independent = self.keep(&sums);
        self.sums = sums;
        independent
    }

    /// Makes a reduced row monic and files it under its leading column, if it has one.
    fn keep(&mut self, sums: &[u64]) -> bool {
        let p = u64::from(self.prime.value());
        let mut row: Vec<u32> = sums.iter().map(|&sum| (sum % p) as u32).collect();
        let Some(lead) = row.iter().position(|&entry| entry != 0) else { return false };
        let inverse = self.prime.inverse(row[lead]);
        row[lead..].iter_mut().for_each(|entry| *entry = self.prime.mul(*entry, inverse));
        let place = self.rows.partition_point(|(column, _)| *column < lead);
        self.rows.insert(place, (lead, row));
        true
    }

    /// A basis of the vectors that every row annihilates: one for each column that leads no row, with a one there,
    /// zeros in the other such columns, and otherwise entries only in leading columns before it.
    pub fn nullspace(&self) -> Vec<NullVector> {
        let reduced = self.reduced();
        let mut leads = vec![false; self.columns];
        reduced.iter().for_each(|(lead, _)| leads[*lead] = true);
        (0..self.columns)
            .filter(|&column| !leads[column])
            .map(|free| {
                let mut entries: Vec<(usize, u32)> = reduced
                    .iter()
                    .filter(|(_, row)| row[free] != 0)
                    .map(|(lead, row)| (*lead, self.prime.neg(row[free])))
                    .collect();
                entries.push((free, 1));
                NullVector { free, entries }
            })
            .collect()
    }

    /// The rows reduced against all others.
    fn reduced(&self) -> Vec<(usize, Vec<u32>)> {
        let p = u64::from(self.prime.value());
        let mut done: Vec<(usize, Vec<u32>)> = Vec::with_capacity(self.rows.len());
        for (lead, row) in self.rows.iter().rev() {
            let mut sums: Vec<u64> = row.iter().map(|&entry| u64::from(entry)).collect();
            // The rows in `done` come in descending order of their leading column and do not touch each other's.
            for (later, pivot) in &done {
                let factor = sums[*later] % p;
                if factor != 0 {
                    add_multiple(&mut sums[*later..], &pivot[*later..], p - factor, p * p);
                }
            }
            done.push((*lead, sums.iter().map(|&sum| (sum % p) as u32).collect()));
        }
        done.reverse();
        done
    }
}

/// A vector of the nullspace, sparse: its entries ascend by column and end with the free column's one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NullVector {
    pub free: usize,
    pub entries: Vec<(usize, u32)>,
}

/// `sums += factor * row`, each sum kept below `bound` = p² plus one product.
fn add_multiple(sums: &mut [u64], row: &[u32], factor: u64, bound: u64) {
    for (sum, &entry) in sums.iter_mut().zip(row) {
        let next = *sum + factor * u64::from(entry);
        *sum = if next >= bound { next - bound } else { next };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_matrix_by_hand() {
        let prime = Prime::all().next().unwrap();
        let mut echelon = Echelon::new(prime, 4);
        assert!(echelon.insert(&[0, 1, 2, 3]));
        assert!(echelon.insert(&[1, 1, 1, 1]));
        assert!(!echelon.insert(&[1, 2, 3, 4]));
        assert_eq!(echelon.rank(), 2);
        let p = prime.value();
        let vectors = echelon.nullspace();
        // x2 free: x0 = x2, x1 = -2 x2; x3 free: x0 = 2 x3, x1 = -3 x3.
        assert_eq!(vectors[0].entries, [(0, 1), (1, p - 2), (2, 1)]);
        assert_eq!(vectors[1].entries, [(0, 2), (1, p - 3), (3, 1)]);
    }
}
