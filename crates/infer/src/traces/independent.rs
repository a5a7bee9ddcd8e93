//! Rows that are independent of each other up to a degree, so that equations of a few rows are equations of all rows.
//!
//! Of each row the monomials are formed; it is kept if they are not in the span of those before
//! ([`RowSpace`]). There are at most as many such rows as monomials. A polynomial of that degree is zero on all rows
//! exactly if it is zero on these, up to a chance of 2^-61 a row.

use super::row_space::{MODULUS, RowSpace, multiply, residue};
use algebra::{Monomial, largest_degree};

/// Monomials that are followed; the degree is the largest that has no more, or 1.
const MOST_TERMS: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct Independent {
    width: usize,
    /// For each monomial but the first, an earlier one and the column that leads to it.
    steps: Vec<(usize, usize)>,
    space: RowSpace,
    kept: Vec<i64>,
    residues: Vec<u64>,
}

impl Independent {
    pub(super) fn new(width: usize) -> Independent {
        let monomials = match width {
            0 => Vec::new(),
            _ => Monomial::up_to(width, largest_degree(width, MOST_TERMS).max(1)),
        };
        let step = |monomial: &Monomial| {
            let column = monomial.exponents().iter().position(|&e| e > 0)?;
            let smaller = monomial.div(&Monomial::variable(column, width))?;
            Some((monomials.binary_search(&smaller).ok()?, column))
        };
        let steps: Vec<(usize, usize)> = monomials.iter().map(|m| step(m).unwrap_or((0, 0))).collect();
        let residues = vec![1; steps.len()];
        Independent { width, space: RowSpace::new(steps.len()), steps, kept: Vec::new(), residues }
    }

    /// Keeps the row if it is independent of those kept.
    pub(super) fn push(&mut self, row: &[i64]) {
        if self.space.is_full() || self.width == 0 {
            return;
        }
        for (index, &(smaller, column)) in self.steps.iter().enumerate().skip(1) {
            let cell = residue(row[column]);
            self.residues[index] = match smaller {
                0 => cell,
                _ => multiply(self.residues[smaller], cell),
            };
        }
        debug_assert!(self.residues.iter().all(|residue| *residue < MODULUS), "residues should be reduced");
        if self.space.insert(&self.residues) {
            self.kept.extend_from_slice(row);
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.kept.chunks_exact(self.width.max(1))
    }
}
