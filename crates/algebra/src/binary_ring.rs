//! Linear relations among the columns of a matrix modulo a power of two: what machine arithmetic keeps when it wraps.
//!
//! *Question*: which combinations of these terms are multiples of 2^w on every row?
//!
//! *Method*: generators of the relations are kept and cut down row by row. At first every vector is a relation, and the
//! unit vectors generate them. A row maps each generator to a residue; the one whose residue has the fewest factors of two
//! divides all the others, so multiples of it are subtracted from them, and it is itself multiplied by what makes its
//! residue vanish (W. C. Brown, "Matrices over commutative rings", 1993, for the ring; the procedure is the usual
//! elimination with pivots of least valuation).
//!
//! *Guarantee*: the vectors generate all relations modulo 2^w of the rows given (compared with all vectors of small rings
//! in a test).
//!
//! *Cost*: columns² for each row.

/// Generators of the relations among columns modulo 2^w.
#[derive(Clone, Debug)]
pub struct Relations {
    bits: u32,
    generators: Vec<Vec<u64>>,
}

impl Relations {
    /// Those of no rows: everything. `bits` is at most 64.
    pub fn new(columns: usize, bits: u32) -> Relations {
        assert!((1..=64).contains(&bits), "a word should have between 1 and 64 bits");
        let unit = |place: usize| (0..columns).map(|column| u64::from(column == place)).collect();
        Relations { bits, generators: (0..columns).map(unit).collect() }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Keeps the relations that hold of this row too, and tells whether some did not.
    pub fn insert(&mut self, row: &[u64]) -> bool {
        let mask = self.mask();
        let residue = |vector: &Vec<u64>| {
            vector.iter().zip(row).fold(0u64, |sum, (c, x)| sum.wrapping_add(c.wrapping_mul(*x))) & mask
        };
        let residues: Vec<u64> = self.generators.iter().map(residue).collect();
        let pivot = (0..residues.len()).filter(|&i| residues[i] != 0).min_by_key(|&i| residues[i].trailing_zeros());
        let Some(pivot) = pivot else { return false };
        let twos = residues[pivot].trailing_zeros();
        let inverse = odd_inverse(residues[pivot] >> twos);
        let own = self.generators[pivot].clone();
        for (vector, residue) in self.generators.iter_mut().zip(&residues) {
            let factor = (residue >> twos).wrapping_mul(inverse);
            if factor != 0 {
                for (entry, other) in vector.iter_mut().zip(&own) {
                    *entry = entry.wrapping_sub(factor.wrapping_mul(*other)) & mask;
                }
            }
        }
        // Of the pivot only multiples of 2^(w - twos) are left; of an odd residue none.
        if twos == 0 {
            self.generators.swap_remove(pivot);
        } else {
            self.generators[pivot] = own.iter().map(|entry| entry << (self.bits - twos) & mask).collect();
        }
        true
    }

    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// The relations with an odd coefficient, each with a one where the others of them have zeros: other relations hold
    /// modulo a smaller power already. Columns that come last are preferred for the ones.
    pub fn primitive(&self) -> Vec<Vec<u64>> {
        let mask = self.mask();
        let mut rest = self.generators.clone();
        let mut found: Vec<(usize, Vec<u64>)> = Vec::new();
        let columns = rest.first().map_or(0, Vec::len);
        for column in (0..columns).rev() {
            let Some(place) = rest.iter().position(|vector| vector[column] & 1 == 1) else { continue };
            let mut vector = rest.swap_remove(place);
            let inverse = odd_inverse(vector[column]);
            vector.iter_mut().for_each(|entry| *entry = entry.wrapping_mul(inverse) & mask);
            for other in rest.iter_mut().chain(found.iter_mut().map(|(_, other)| other)) {
                let factor = other[column];
                for (entry, own) in other.iter_mut().zip(&vector) {
                    *entry = entry.wrapping_sub(factor.wrapping_mul(*own)) & mask;
                }
            }
            found.push((column, vector));
        }
        found.into_iter().map(|(_, vector)| vector).collect()
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
pub fn odd_inverse(odd: u64) -> u64 {
    // Right modulo 8 to start with; each step doubles the digits.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_wrapping_law_is_found() {
        // y = 31 * x + 7 and z = x * x, in words of 32 bits.
        let mut relations = Relations::new(4, 32);
        for x in [0u32, 1, 5, 77, 1 << 20, 4_000_000_000, 123_456_789] {
            let (y, square) = (x.wrapping_mul(31).wrapping_add(7), x.wrapping_mul(x));
            relations.insert(&[1, x.into(), square.into(), y.into()]);
        }
        let law = vec![(1u64 << 32) - 7, (1 << 32) - 31, 0, 1];
        assert_eq!(relations.primitive(), [law]);
    }

    proptest! {
        /// The definition: a vector is a relation exactly if it is a combination of the generators.
        #[test]
        fn the_generators_generate_all_relations(rows in proptest::collection::vec(proptest::collection::vec(0u64..8, 3), 0..4)) {
            let mut relations = Relations::new(3, 3);
            rows.iter().for_each(|row| {
                relations.insert(row);
            });
            let mut generated = std::collections::BTreeSet::from([vec![0u64; 3]]);
            for vector in &relations.generators {
                let multiples = |v: &Vec<u64>| {
                    let v = v.clone();
                    (0..8u64).map(move |k| v.iter().zip(vector).map(|(a, b)| (a + k * b) % 8).collect::<Vec<u64>>())
                };
                generated = generated.iter().flat_map(multiples).collect();
            }
            for n in 0..512u64 {
                let vector = vec![n % 8, n / 8 % 8, n / 64];
                let holds = rows.iter().all(|row| row.iter().zip(&vector).map(|(a, b)| a * b).sum::<u64>() % 8 == 0);
                prop_assert_eq!(holds, generated.contains(&vector), "{:?}", vector);
            }
        }
    }
}
