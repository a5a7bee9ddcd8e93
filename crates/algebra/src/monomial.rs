//! Products of powers of variables, ordered by degree and then reverse lexicographically.

use smallvec::SmallVec;
use std::cmp::Ordering;

/// The exponents of the variables. All monomials of one computation have the same number of variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Monomial(SmallVec<[u16; 12]>);

impl Monomial {
    pub fn one(variables: usize) -> Monomial {
        Monomial(SmallVec::from_elem(0, variables))
    }

    pub fn variable(index: usize, variables: usize) -> Monomial {
        let mut monomial = Monomial::one(variables);
        monomial.0[index] = 1;
        monomial
    }

    pub fn new(exponents: &[u16]) -> Monomial {
        Monomial(SmallVec::from_slice(exponents))
    }

    pub fn exponents(&self) -> &[u16] {
        &self.0
    }

    pub fn degree(&self) -> u32 {
        self.0.iter().map(|&e| u32::from(e)).sum()
    }

    pub fn is_one(&self) -> bool {
        self.0.iter().all(|&e| e == 0)
    }

    pub fn mul(&self, other: &Monomial) -> Monomial {
        Monomial(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }

    pub fn divides(&self, other: &Monomial) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a <= b)
    }

    /// The quotient, if this is divisible by `other`.
    pub fn div(&self, other: &Monomial) -> Option<Monomial> {
        other.divides(self).then(|| Monomial(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect()))
    }

    pub fn lcm(&self, other: &Monomial) -> Monomial {
        Monomial(self.0.iter().zip(&other.0).map(|(a, b)| *a.max(b)).collect())
    }

    /// Whether no variable occurs in both.
    pub fn is_coprime(&self, other: &Monomial) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| *a == 0 || *b == 0)
    }

    /// All monomials up to a degree, smallest first.
    pub fn up_to(variables: usize, degree: u32) -> Vec<Monomial> {
        let all: Vec<usize> = (0..variables).collect();
        Monomial::up_to_in(&all, variables, degree, |_| true)
    }

    /// The monomials up to a degree in some of the variables that are wanted, smallest first. A multiple of an unwanted
    /// monomial must be unwanted too.
    pub fn up_to_in(
        chosen: &[usize],
        variables: usize,
        degree: u32,
        wanted: impl Fn(&Monomial) -> bool,
    ) -> Vec<Monomial> {
        let mut found = vec![Monomial::one(variables)];
        // Each with the place of the last chosen variable used: going on from there gives every product once.
        let mut layer = vec![(0, Monomial::one(variables))];
        for _ in 0..degree {
            let mut next = Vec::new();
            for (from, monomial) in &layer {
                for (place, &variable) in chosen.iter().enumerate().skip(*from) {
                    let product = monomial.mul(&Monomial::variable(variable, variables));
                    if wanted(&product) {
                        next.push((place, product));
                    }
                }
            }
            found.extend(next.iter().map(|(_, monomial)| monomial.clone()));
            layer = next;
        }
        found.sort();
        found
    }
}

/// Graded reverse lexicographic: the variables that come first are the larger ones.
impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        self.degree().cmp(&other.degree()).then_with(|| {
            let difference = self.0.iter().zip(&other.0).rev().find(|(a, b)| a != b);
            difference.map_or(Ordering::Equal, |(a, b)| b.cmp(a))
        })
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The largest degree for which all monomials in so many variables number at most `limit`; at least 1.
pub fn largest_degree(variables: usize, limit: usize) -> u32 {
    let mut degree = 1;
    while degree < 8 && count_monomials(variables, degree + 1) <= limit {
        degree += 1;
    }
    degree
}

/// The number of monomials up to a degree: the binomial of `variables + degree` over `degree`.
pub fn count_monomials(variables: usize, degree: u32) -> usize {
    (1..=degree as usize).fold(1usize, |product, i| product.saturating_mul(variables + i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_follow_the_limit() {
        assert_eq!((largest_degree(4, 200), largest_degree(12, 200), largest_degree(60, 200)), (5, 2, 1));
    }

    #[test]
    fn the_order_is_graded_reverse_lexicographic() {
        let m = Monomial::new;
        // x² > xy > y² > xz > yz > z² > x, the textbook example.
        let descending =
            [m(&[2, 0, 0]), m(&[1, 1, 0]), m(&[0, 2, 0]), m(&[1, 0, 1]), m(&[0, 1, 1]), m(&[0, 0, 2]), m(&[1, 0, 0])];
        assert!(descending.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn monomials_up_to_a_degree_are_counted_by_the_binomial() {
        assert_eq!(Monomial::up_to(6, 2).len(), 28);
        assert_eq!(Monomial::up_to(4, 5).len(), 126);
        assert_eq!(Monomial::up_to(0, 3).len(), 1);
        assert!(Monomial::up_to(3, 3).windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn division_and_multiples() {
        let a = Monomial::new(&[2, 1]);
        let b = Monomial::new(&[1, 1]);
        assert_eq!(a.div(&b), Some(Monomial::new(&[1, 0])));
        assert_eq!(b.div(&a), None);
        assert_eq!(a.lcm(&Monomial::new(&[0, 3])), Monomial::new(&[2, 3]));
        assert!(Monomial::new(&[1, 0]).is_coprime(&Monomial::new(&[0, 4])));
    }
}
