//! The space that rows span, known by its relations: in memory that does not grow with the rows, and mergeable.
//!
//! *Question*: does this row say anything that no row before it said?
//!
//! *Method*: what is kept is the other side of a nullspace, a basis of the relations that hold of all rows so far, modulo
//! the prime 2^61 - 1. A row on which some relation fails cuts the basis down by one vector. Whether one fails is told
//! by one sum: that of a combination of all relations with factors that look random.
//!
//! *Merging*: the space of two sets of rows is that of one with the rows of the other inserted that were independent
//! there. Whoever keeps those rows, at most as many as columns, can merge what was seen apart.
//!
//! *Guarantee*: a row that is said to be new is independent of the rows before. A new row may be taken for an old one with
//! a chance of about 2^-61.
//!
//! *Cost*: a sum over the columns for a row that is not new; columns · relations for one that is.

/// The modulus, a prime of Mersenne's.
pub(super) const MODULUS: u64 = (1 << 61) - 1;

/// Products of residues that fit one sum of 128 bits.
const LAZY: usize = 32;

/// The residue of a whole number.
pub(super) fn residue(value: i64) -> u64 {
    // Most values are small and not negative.
    if (value as u64) < MODULUS { value as u64 } else { value.rem_euclid(MODULUS as i64) as u64 }
}

pub(super) fn multiply(a: u64, b: u64) -> u64 {
    reduced(u128::from(a) * u128::from(b))
}

fn reduced(value: u128) -> u64 {
    let low = value as u64 & MODULUS;
    let middle = (value >> 61) as u64 & MODULUS;
    let high = (value >> 122) as u64;
    let sum = low + middle + high;
    let folded = (sum & MODULUS) + (sum >> 61);
    if folded >= MODULUS { folded - MODULUS } else { folded }
}

fn inverse(value: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, value, MODULUS - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

fn dot(a: &[u64], b: &[u64]) -> u64 {
    let mut total = 0;
    for (a, b) in a.chunks(LAZY).zip(b.chunks(LAZY)) {
        let sum: u128 = a.iter().zip(b).map(|(&x, &y)| u128::from(x) * u128::from(y)).sum();
        total = reduced(u128::from(total) + u128::from(reduced(sum)));
    }
    total
}

/// The rows inserted so far.
#[derive(Clone, Debug)]
pub(super) struct RowSpace {
    columns: usize,
    /// A basis of the relations that hold of all rows.
    relations: Vec<Vec<u64>>,
    /// A combination of the relations.
    probe: Vec<u64>,
    /// Where the factors of the next combination come from.
    state: u64,
}

impl RowSpace {
    /// The space of no rows.
    pub(super) fn new(columns: usize) -> RowSpace {
        let unit = |place: usize| (0..columns).map(|column| u64::from(column == place)).collect();
        let relations = (0..columns).map(unit).collect();
        let mut space = RowSpace { columns, relations, probe: Vec::new(), state: 0x9E37_79B9_7F4A_7C15 };
        space.choose_probe();
        space
    }

    #[cfg(test)]
    pub(super) fn rank(&self) -> usize {
        self.columns - self.relations.len()
    }

    /// Whether no row can be new any more.
    pub(super) fn is_full(&self) -> bool {
        self.relations.is_empty()
    }

    /// Whether the row, of residues, is in the span of those before.
    pub(super) fn contains(&self, row: &[u64]) -> bool {
        self.is_full() || dot(&self.probe, row) == 0
    }

    /// Adds a row of residues; tells whether it was new.
    pub(super) fn insert(&mut self, row: &[u64]) -> bool {
        assert_eq!(row.len(), self.columns, "a row should have an entry for every column");
        if self.contains(row) {
            return false;
        }
        let failing = |relation: &Vec<u64>| dot(relation, row);
        let values: Vec<u64> = self.relations.iter().map(failing).collect();
        let pivot = values.iter().position(|value| *value != 0);
        let pivot = pivot.expect("a combination of relations should fail only where one of them does");
        let scale = inverse(values[pivot]);
        let lost = std::mem::take(&mut self.relations[pivot]);
        for (relation, value) in
            self.relations.iter_mut().zip(&values).filter(|(r, value)| !r.is_empty() && **value != 0)
        {
            let factor = MODULUS - multiply(*value, scale);
            for (entry, other) in relation.iter_mut().zip(&lost).filter(|(_, other)| **other != 0) {
                *entry = reduced(u128::from(*entry) + u128::from(factor) * u128::from(*other));
            }
        }
        self.relations.swap_remove(pivot);
        self.choose_probe();
        true
    }

    fn choose_probe(&mut self) {
        let mut probe = vec![0; self.columns];
        for relation in &self.relations {
            self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let factor = (self.state ^ self.state >> 31) & MODULUS;
            for (sum, entry) in probe.iter_mut().zip(relation).filter(|(_, entry)| **entry != 0) {
                *sum = reduced(u128::from(*sum) + u128::from(factor) * u128::from(*entry));
            }
        }
        self.probe = probe;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algebra::echelon::Echelon;
    use algebra::prime::Prime;
    use proptest::prelude::*;

    #[test]
    fn residues_are_those_of_whole_numbers() {
        for (a, b) in [(3i64, -5i64), (i64::MIN, i64::MAX), (-1, i64::MIN), (1 << 60, (1 << 61) - 1)] {
            let product = (i128::from(a) * i128::from(b)).rem_euclid(i128::from(MODULUS));
            assert_eq!(i128::from(multiply(residue(a), residue(b))), product, "{a} * {b}");
        }
        assert_eq!(multiply(inverse(residue(-7)), residue(-7)), 1);
    }

    proptest! {
        /// The slow twin: elimination modulo another prime says of every row whether it is new.
        #[test]
        fn new_rows_are_those_that_raise_the_rank(
            base in proptest::collection::vec(proptest::collection::vec(-9i64..9, 7), 1..6),
            mixed in proptest::collection::vec(proptest::collection::vec(-3i64..4, 6), 1..30),
        ) {
            let mut space = RowSpace::new(7);
            let prime = Prime::all().nth(1).unwrap();
            let mut echelon = Echelon::new(prime, 7);
            let mut independent = Vec::new();
            for factors in &mixed {
                let row: Vec<i64> = (0..7).map(|c| base.iter().zip(factors).map(|(b, f)| b[c] * f).sum()).collect();
                let residues: Vec<u64> = row.iter().map(|&x| residue(x)).collect();
                let is_new = space.insert(&residues);
                prop_assert_eq!(is_new, echelon.insert(&row.iter().map(|&x| prime.reduce_i128(x.into())).collect::<Vec<u32>>()));
                independent.extend(is_new.then_some(residues));
            }
            prop_assert_eq!(space.rank(), echelon.rank());
            // Merged from two halves.
            let (mut left, mut right) = (RowSpace::new(7), RowSpace::new(7));
            for (index, row) in independent.iter().enumerate() {
                if index % 2 == 0 { left.insert(row) } else { right.insert(row) };
            }
            independent.iter().skip(1).step_by(2).for_each(|row| { left.insert(row); });
            prop_assert_eq!(left.rank(), space.rank());
            prop_assert!(independent.iter().all(|row| left.contains(row)));
        }
    }
}
