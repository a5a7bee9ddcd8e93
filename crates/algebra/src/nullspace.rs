//! The exact nullspace of a tall integer matrix: all linear relations among its columns that every row satisfies.
//!
//! *Question*: which combinations of these terms are zero on every sample?
//!
//! *Departures* from the source (T. Nguyen, 2017, §3.2.1, which solves the equations over the rationals): the system is
//! solved modulo 31-bit primes, the solution is lifted to rationals, and the lifted solution is checked exactly on
//! *every* row. Rows that a solution fails on are exactly the rows worth adding, so most rows are only checked, never
//! eliminated.
//!
//! *Phases*: eliminate rows until `PATIENCE` rows in a row bring nothing new; lift the nullspace, taking further primes
//! until it lifts; check all rows exactly; add the first row that fails and go on.
//!
//! *Guarantee*: what is returned is a basis of the nullspace over the rationals, with coprime integer entries. The
//! primes and the row order cannot change the answer: each vector is zero on every row by exact arithmetic, and there
//! are not too few, because the rank modulo a prime is at most the true rank.
//!
//! *Cost*: rank² · columns for the elimination, rows · entries for the check; linear in the rows.

use crate::content::content;
use crate::echelon::{Echelon, NullVector};
use crate::prime::Prime;
use crate::reconstruct::{fraction, join};
use dashu_base::{Gcd, Signed};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::{Ordering, Reverse};

/// Consecutive rows that must bring nothing new before a solution is lifted.
const PATIENCE: usize = 16;

/// A matrix whose rows can be had modulo a prime and checked exactly, without being stored as large integers.
pub trait Rows {
    fn rows(&self) -> usize;
    fn columns(&self) -> usize;
    /// Fills `out` with the row modulo the prime.
    fn modulo(&self, row: usize, prime: Prime, out: &mut [u32]);
    /// Whether the combination of the row's entries is exactly zero.
    fn vanishes(&self, row: usize, relation: &Relation) -> bool;
}

/// Coefficients of a linear relation among columns: sparse, ascending, coprime, the last one positive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    pub entries: Vec<(usize, IBig)>,
}

impl Relation {
    /// Clears denominators and common factors.
    pub(crate) fn from_fractions(fractions: Vec<(usize, RBig)>) -> Relation {
        let multiple = fractions.iter().fold(UBig::ONE, |m, (_, f)| {
            let d = f.denominator();
            &m / (&m).gcd(d) * d
        });
        let mut entries: Vec<(usize, IBig)> = fractions
            .into_iter()
            .map(|(column, f)| (column, f.numerator() * IBig::from(&multiple / f.denominator())))
            .collect();
        let common = content(entries.iter().map(|(_, c)| c));
        let flip = entries.last().is_some_and(|(_, c)| c.is_negative());
        let divisor = if flip { -IBig::from(common) } else { IBig::from(common) };
        entries.iter_mut().for_each(|(_, c)| *c = &*c / &divisor);
        Relation { entries }
    }
}

/// A basis of the nullspace, in the order of the vectors' last columns.
pub fn nullspace(matrix: &impl Rows) -> Vec<Relation> {
    nullspace_within(matrix, usize::MAX).relations
}

/// Relations that hold of all rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// In the order of the vectors' last columns.
    pub relations: Vec<Relation>,
    /// Whether nothing was left out.
    pub complete: bool,
}

/// The vectors of the nullspace's basis that can be lifted with so many primes, that is, whose entries have numerators
/// and denominators of at most 15 bits for each prime. The others are left out.
pub fn nullspace_within(matrix: &impl Rows, most_primes: usize) -> Found {
    let mut chosen = Vec::new();
    let mut next = 0;
    let mut checked = 0;
    let mut primes = Prime::all();
    let mut prime = primes.next().expect("there are primes below 2^31");
    let mut echelon = Echelon::new(prime, matrix.columns());
    let mut row = vec![0; matrix.columns()];
    loop {
        let mut quiet = 0;
        while next < matrix.rows() && quiet < PATIENCE && echelon.rank() < matrix.columns() {
            matrix.modulo(next, prime, &mut row);
            if echelon.insert(&row) {
                chosen.push(next);
                quiet = 0;
            } else {
                quiet += 1;
            }
            next += 1;
        }
        let found = lift(matrix, &chosen, &echelon, prime, most_primes);
        if !found.complete && next < matrix.rows() && echelon.rank() < matrix.columns() {
            // Large entries may come from rows that are still missing; without a solution to check, take them all.
            for index in next..matrix.rows() {
                matrix.modulo(index, prime, &mut row);
                if echelon.insert(&row) {
                    chosen.push(index);
                }
            }
            next = matrix.rows();
            continue;
        }
        // The relations lie in the span of those before, so rows that passed once need not be looked at again.
        let passes = |row: &usize| found.relations.iter().all(|relation| matrix.vanishes(*row, relation));
        let Some(failing) = (checked..matrix.rows()).find(|row| !passes(row)) else { return found };
        checked = failing;
        matrix.modulo(failing, prime, &mut row);
        if echelon.insert(&row) {
            chosen.push(failing);
        } else {
            // The rows chosen are independent over the rationals, this one too, and so modulo all but a few primes.
            chosen.push(failing);
            let independent = |prime: Prime| {
                let mut echelon = Echelon::new(prime, matrix.columns());
                let mut keeps = |&index: &usize| {
                    matrix.modulo(index, prime, &mut row);
                    echelon.insert(&row)
                };
                chosen.iter().all(&mut keeps).then_some((prime, echelon))
            };
            (prime, echelon) = primes
                .find_map(independent)
                .expect("a matrix should not have a minor divisible by every prime of 31 bits");
        }
    }
}

/// The nullspace of the chosen rows over the rationals, as far as the primes reach.
fn lift(matrix: &impl Rows, chosen: &[usize], echelon: &Echelon, prime: Prime, most_primes: usize) -> Found {
    let mut modulus = IBig::from(prime.value());
    let mut vectors = with_residues(echelon.nullspace());
    let mut lifted: Vec<Option<Relation>> = vec![None; vectors.len()];
    let mut primes = Prime::all().filter(|p| *p != prime);
    let mut used = 1;
    loop {
        for (place, (vector, residues)) in lifted.iter_mut().zip(&vectors).filter(|(place, _)| place.is_none()) {
            let entries = vector.entries.iter().zip(residues);
            let fractions: Option<Vec<(usize, RBig)>> =
                entries.map(|((column, _), residue)| Some((*column, fraction(residue, &modulus)?))).collect();
            let relation = fractions.map(Relation::from_fractions);
            *place = relation.filter(|relation| chosen.iter().all(|&row| matrix.vanishes(row, relation)));
        }
        if lifted.iter().all(Option::is_some) || used >= most_primes {
            let complete = lifted.iter().all(Option::is_some);
            return Found { relations: lifted.into_iter().flatten().collect(), complete };
        }
        // Not enough bits yet: solve the same rows modulo one more prime.
        let further = primes.next().expect("a solution should lift before the primes of 31 bits are used up");
        let mut other = Echelon::new(further, matrix.columns());
        let mut row = vec![0; matrix.columns()];
        for &index in chosen {
            matrix.modulo(index, further, &mut row);
            other.insert(&row);
        }
        let solution = other.nullspace();
        match free(&solution).cmp(&free(vectors.iter().map(|(vector, _)| vector))) {
            // This prime divides a minor; it says nothing about the solution.
            Ordering::Less => {}
            // The primes before do: 2^31 - 1 is one, and a favourite value of programs.
            Ordering::Greater => {
                lifted = vec![None; solution.len()];
                vectors = with_residues(solution);
                modulus = IBig::from(further.value());
                used = 1;
            }
            Ordering::Equal => {
                for ((vector, residues), found) in vectors.iter_mut().zip(&solution) {
                    align(vector, residues, found, &modulus, further);
                }
                modulus *= IBig::from(further.value());
                used += 1;
            }
        }
    }
}

/// Each vector with the residues of its entries.
fn with_residues(solution: Vec<NullVector>) -> Vec<(NullVector, Vec<IBig>)> {
    let with = |vector: NullVector| {
        let residues = vector.entries.iter().map(|(_, entry)| IBig::from(*entry)).collect();
        (vector, residues)
    };
    solution.into_iter().map(with).collect()
}

/// The free columns, so that of two solutions modulo different primes the greater is the truer one: a prime that divides
/// a minor makes columns free that are not, and so more of them, or earlier ones.
fn free<'v>(solution: impl IntoIterator<Item = &'v NullVector>) -> (Reverse<usize>, Vec<usize>) {
    let columns: Vec<usize> = solution.into_iter().map(|vector| vector.free).collect();
    (Reverse(columns.len()), columns)
}

/// Joins a vector with its image modulo a further prime. An entry may be zero modulo one prime and not another, so the
/// columns are merged.
fn align(vector: &mut NullVector, residues: &mut Vec<IBig>, found: &NullVector, modulus: &IBig, prime: Prime) {
    let mut columns: Vec<usize> = vector.entries.iter().chain(&found.entries).map(|(column, _)| *column).collect();
    columns.sort_unstable();
    columns.dedup();
    let merged = columns
        .iter()
        .map(|column| {
            let old = vector.entries.iter().position(|(c, _)| c == column).map_or(IBig::ZERO, |i| residues[i].clone());
            let new = found.entries.iter().find(|(c, _)| c == column).map_or(0, |(_, entry)| *entry);
            join(&old, modulus, new, prime)
        })
        .collect();
    vector.entries = columns.into_iter().map(|column| (column, 0)).collect();
    *residues = merged;
}

/// A matrix of stored integers.
#[derive(Clone, Debug)]
pub struct Matrix {
    columns: usize,
    entries: Vec<Vec<i128>>,
}

impl Matrix {
    pub fn new(columns: usize, entries: Vec<Vec<i128>>) -> Matrix {
        assert!(entries.iter().all(|row| row.len() == columns), "rows should be of one length");
        Matrix { columns, entries }
    }
}

impl Rows for Matrix {
    fn rows(&self) -> usize {
        self.entries.len()
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn modulo(&self, row: usize, prime: Prime, out: &mut [u32]) {
        for (place, &entry) in out.iter_mut().zip(&self.entries[row]) {
            *place = prime.reduce_i128(entry);
        }
    }

    fn vanishes(&self, row: usize, relation: &Relation) -> bool {
        let row = &self.entries[row];
        relation.entries.iter().map(|(column, c)| c * IBig::from(row[*column])).sum::<IBig>() == IBig::ZERO
    }
}
