//! Short vectors of the integer kernel of a matrix that has too few rows to pin its kernel down.
//!
//! *Question*: of the relations that so few samples leave possible, which are too simple to be chance?
//!
//! As many relations as there are columns more than rows hold of any rows, but their coefficients are as large as
//! determinants. A law has small ones. So the lattice of all integer relations is reduced, and its short vectors are
//! looked at: in 165 terms from 100 rows those of laws have lengths up to 10^3, the others from 10^10.
//!
//! *Method*: modulo the product M of a few primes the kernel has a basis with one vector for each free column. The
//! relations modulo M, restricted to the free columns and some of the others, are a lattice whose determinant is a power
//! of M, in which a relation that is not short in truth is about as long as that determinant's root
//! ([`ShortKernel::chance`]). Taking only some of the other columns keeps the dimension small and loses nothing: short
//! vectors stay short, and the entries left out follow from the free ones. Each short vector is completed modulo M and
//! then checked exactly on every row.
//!
//! *Guarantee*: every relation returned is exactly zero on the rows given, and they are linearly independent. A relation
//! may be missed: one that is not short, or all of them when the budget runs out.
//!
//! *Cost*: that of [`lattice::reduce`] in a dimension between the kernel's and the number of columns.

use crate::echelon::{Echelon, NullVector};
use crate::lattice;
use crate::nullspace::{Relation, Rows};
use crate::prime::Prime;
use crate::reconstruct::join;
use dashu_base::RemEuclid;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Primes whose product is the modulus: its square root of products must fit the reduction's integers.
const PRIMES: usize = 3;

/// Bits that a relation by chance should have in each entry; more columns are taken until it does.
const CHANCE_BITS: usize = 22;

/// Short relations of a kernel, the shortest first.
#[derive(Clone, PartialEq, Debug)]
pub struct ShortKernel {
    /// With the square root of the sum of the squared coefficients.
    pub relations: Vec<(Relation, f64)>,
    /// The rank of the rows.
    pub rank: usize,
    /// About how long the shortest relation would be if there were none but by chance.
    pub chance: f64,
}

/// The short relations that hold of these rows, up to a dimension and a number of steps of the reduction; `None` if that
/// is not enough.
pub fn short_kernel(matrix: &impl Rows, rows: &[usize], dimension: usize, steps: usize) -> Option<ShortKernel> {
    let kernel = Kernel::new(matrix, rows)?;
    let (free, pivots) = (kernel.vectors.len(), matrix.columns() - kernel.vectors.len());
    let bits = 31 * PRIMES;
    let taken = (CHANCE_BITS * free).div_ceil(bits - CHANCE_BITS).clamp(pivots.min(4), pivots);
    if free == 0 {
        return Some(ShortKernel { relations: Vec::new(), rank: pivots, chance: f64::INFINITY });
    }
    if free + taken > dimension {
        return None;
    }
    let columns = kernel.columns(taken);
    let mut basis: Vec<Vec<i128>> = Vec::with_capacity(free + taken);
    let unit = |place: usize, value: i128| {
        let mut row = vec![0; free + taken];
        row[place] = value;
        row
    };
    for place in 0..taken {
        basis.push(unit(free + place, kernel.modulus));
    }
    for (place, vector) in kernel.vectors.iter().enumerate() {
        let mut row = unit(place, 1);
        for (own, column) in row[free..].iter_mut().zip(&columns) {
            *own = entry(vector, *column).map_or(0, |value| centred(value, kernel.modulus));
        }
        basis.push(row);
    }
    if !lattice::reduce(&mut basis, steps) {
        return None;
    }
    let chance = (kernel.modulus as f64).powf(taken as f64 / (free + taken) as f64);
    let mut relations: Vec<(Relation, f64)> = Vec::new();
    for vector in &basis {
        let relation = kernel.completed(&vector[..free]);
        let length = relation.entries.iter().map(|(_, c)| c.to_f64().value().powi(2)).sum::<f64>().sqrt();
        if length > 0.0 && length < chance && rows.iter().all(|&row| matrix.vanishes(row, &relation)) {
            relations.push((relation, length));
        }
    }
    relations.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    Some(ShortKernel { relations, rank: pivots, chance })
}

/// The kernel modulo the product of some primes: a vector for each free column, with entries in the others.
struct Kernel {
    modulus: i128,
    vectors: Vec<Vec<(usize, i128)>>,
    free: Vec<usize>,
    columns: usize,
}

impl Kernel {
    fn new(matrix: &impl Rows, rows: &[usize]) -> Option<Kernel> {
        let mut row = vec![0; matrix.columns()];
        let mut solve = |prime: Prime| {
            let mut echelon = Echelon::new(prime, matrix.columns());
            for &index in rows {
                matrix.modulo(index, prime, &mut row);
                echelon.insert(&row);
            }
            echelon.nullspace()
        };
        let free = |solution: &[NullVector]| solution.iter().map(|vector| vector.free).collect::<Vec<usize>>();
        // A prime that divides a minor has other free columns than most. 2^31 - 1 is a favourite value of programs, so
        // it is left out from the start.
        let mut solutions: Vec<(Prime, Vec<NullVector>)> = Vec::new();
        for prime in Prime::all().skip(1).take(4 * PRIMES) {
            let solution = solve(prime);
            if let Some((_, other)) = solutions.first() {
                if solution.len() > other.len() {
                    continue;
                }
                if free(&solution) != free(other) {
                    solutions.clear();
                }
            }
            solutions.push((prime, solution));
            if solutions.len() == PRIMES {
                break;
            }
        }
        if solutions.len() < PRIMES {
            return None;
        }
        let free = free(&solutions[0].1);
        let mut modulus = IBig::ONE;
        let mut vectors: Vec<Vec<IBig>> = vec![vec![IBig::ZERO; matrix.columns()]; free.len()];
        for (prime, solution) in &solutions {
            for (vector, found) in vectors.iter_mut().zip(solution) {
                let mut dense = vec![0; matrix.columns()];
                found.entries.iter().for_each(|(column, value)| dense[*column] = *value);
                for (entry, next) in vector.iter_mut().zip(dense) {
                    *entry = join(entry, &modulus, next, *prime);
                }
            }
            modulus *= IBig::from(prime.value());
        }
        let small = |value: &IBig| i128::try_from(value).expect("a product of three primes of 31 bits should fit");
        let sparse = |vector: Vec<IBig>| {
            vector.iter().map(small).enumerate().filter(|(_, value)| *value != 0).collect::<Vec<(usize, i128)>>()
        };
        let vectors = vectors.into_iter().map(sparse).collect();
        Some(Kernel { modulus: small(&modulus), vectors, free, columns: matrix.columns() })
    }

    /// So many columns that are not free: those in which most vectors have an entry.
    fn columns(&self, count: usize) -> Vec<usize> {
        let mut entries = vec![0usize; self.columns];
        for (column, _) in self.vectors.iter().flatten() {
            entries[*column] += 1;
        }
        let mut pivots: Vec<usize> = (0..self.columns).filter(|column| !self.free.contains(column)).collect();
        pivots.sort_by_key(|&column| (std::cmp::Reverse(entries[column]), column));
        pivots.truncate(count);
        pivots
    }

    /// The relation with these entries in the free columns and the smallest residues in the others.
    fn completed(&self, free: &[i128]) -> Relation {
        let modulus = IBig::from(self.modulus);
        let mut entries = vec![IBig::ZERO; self.columns];
        for (vector, &factor) in self.vectors.iter().zip(free).filter(|(_, factor)| **factor != 0) {
            let factor = IBig::from(factor);
            for (column, value) in vector {
                entries[*column] += &factor * IBig::from(*value);
            }
        }
        for (&column, &value) in self.free.iter().zip(free) {
            entries[column] = IBig::from(value);
        }
        let whole = |(column, value): (usize, IBig)| {
            let residue = i128::try_from(IBig::from(value.rem_euclid(&modulus))).expect("a residue should fit");
            let value = centred(residue, self.modulus);
            (value != 0).then(|| (column, RBig::from(IBig::from(value))))
        };
        Relation::from_fractions(entries.into_iter().enumerate().filter_map(whole).collect())
    }
}

fn entry(vector: &[(usize, i128)], column: usize) -> Option<i128> {
    vector.binary_search_by_key(&column, |(c, _)| *c).ok().map(|place| vector[place].1)
}

fn centred(residue: i128, modulus: i128) -> i128 {
    if residue > modulus / 2 { residue - modulus } else { residue }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nullspace::Matrix;

    /// Numbers that look random and are the same every time.
    fn random(state: &mut u64, limit: i128) -> i128 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        i128::from(*state >> 20) % (2 * limit + 1) - limit
    }

    #[test]
    fn laws_are_found_among_what_chance_allows() {
        // Forty columns, twenty rows: of twenty independent relations three are laws.
        let laws: [[(usize, i128); 3]; 3] =
            [[(0, 3), (7, -5), (37, 1)], [(2, 1), (9, 12), (38, 1)], [(4, -7), (5, 2), (39, 1)]];
        let mut state = 7;
        let rows: Vec<Vec<i128>> = (0..20)
            .map(|_| {
                let mut row: Vec<i128> = (0..40).map(|_| random(&mut state, 1_000_000)).collect();
                for law in &laws {
                    row[law[2].0] = -(law[0].1 * row[law[0].0] + law[1].1 * row[law[1].0]);
                }
                row
            })
            .collect();
        let matrix = Matrix::new(40, rows);
        let all: Vec<usize> = (0..20).collect();
        let found = short_kernel(&matrix, &all, 100, 1_000_000).unwrap();
        assert_eq!(found.rank, 20);
        let lengths: Vec<f64> = found.relations.iter().map(|(_, length)| *length).collect();
        assert!(lengths.len() >= 3 && lengths[2] < 20.0 && lengths.get(3).is_none_or(|l| *l > 100.0), "{lengths:?}");
        for law in &laws {
            let expected = Relation { entries: law.iter().map(|(c, v)| (*c, IBig::from(*v))).collect() };
            assert!(found.relations[..3].iter().any(|(relation, _)| *relation == expected), "{law:?}");
        }
    }

    #[test]
    fn nothing_is_short_where_there_is_no_law() {
        let mut state = 11;
        let rows: Vec<Vec<i128>> = (0..20).map(|_| (0..30).map(|_| random(&mut state, 1_000_000)).collect()).collect();
        let all: Vec<usize> = (0..20).collect();
        let found = short_kernel(&Matrix::new(30, rows), &all, 100, 1_000_000).unwrap();
        assert!(found.relations.iter().all(|(_, length)| *length > 1000.0), "{found:?}");
        let full = Matrix::new(2, vec![vec![1, 0], vec![0, 1]]);
        assert_eq!(short_kernel(&full, &[0, 1], 100, 100).unwrap().relations, []);
    }
}
