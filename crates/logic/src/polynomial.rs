//! Sums of multiples of products of atoms, exactly: the normal form of `+`, `-` and `*`.
//!
//! An atom is whatever its owner does not take apart: a variable, an element of an array, a quotient. Two expressions
//! that differ by the laws of a commutative ring are the same polynomial. Coefficients are numbers without bounds, so
//! nothing is lost, whatever the constants of a program are.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Mul};

/// Atoms with their exponents, in ascending order; the empty product is 1.
pub type Product<A> = Vec<(A, u32)>;

/// What coefficients have to offer; the default is zero.
pub trait Coefficient: Clone + PartialEq + Default + AddAssign + Mul<Output = Self> + From<i8> {}

impl<C: Clone + PartialEq + Default + AddAssign + Mul<Output = C> + From<i8>> Coefficient for C {}

/// A polynomial. *Invariant*: no coefficient is zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Polynomial<A, C> {
    terms: BTreeMap<Product<A>, C>,
}

impl<A: Clone + Ord, C: Coefficient> Polynomial<A, C> {
    pub fn zero() -> Polynomial<A, C> {
        Polynomial { terms: BTreeMap::new() }
    }

    pub fn constant(value: C) -> Polynomial<A, C> {
        let mut polynomial = Polynomial::zero();
        polynomial.add_term(Product::new(), value);
        polynomial
    }

    pub fn atom(atom: A) -> Polynomial<A, C> {
        Polynomial { terms: BTreeMap::from([(vec![(atom, 1)], C::from(1))]) }
    }

    /// The products with their coefficients, in the order of their atoms.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&Product<A>, &C)> {
        self.terms.iter()
    }

    /// Each atom, as often as it stands in a product.
    pub fn atoms(&self) -> impl Iterator<Item = &A> {
        self.terms.keys().flatten().map(|(atom, _)| atom)
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number that it is, if it mentions no atom.
    pub fn as_constant(&self) -> Option<C> {
        match self.terms.len() {
            0 => Some(C::default()),
            1 => self.terms.get(&Product::new()).cloned(),
            _ => None,
        }
    }

    /// Takes the constant term out.
    pub fn take_constant(&mut self) -> C {
        self.terms.remove(&Product::new()).unwrap_or_default()
    }

    pub fn add_term(&mut self, product: Product<A>, coefficient: C) {
        let sum = self.terms.entry(product.clone()).or_default();
        *sum += coefficient;
        if *sum == C::default() {
            self.terms.remove(&product);
        }
    }

    pub fn add_scaled(&mut self, other: &Polynomial<A, C>, factor: &C) {
        for (product, coefficient) in &other.terms {
            self.add_term(product.clone(), coefficient.clone() * factor.clone());
        }
    }

    pub fn scaled(&self, factor: &C) -> Polynomial<A, C> {
        let mut multiple = Polynomial::zero();
        multiple.add_scaled(self, factor);
        multiple
    }

    pub fn plus(mut self, other: &Polynomial<A, C>) -> Polynomial<A, C> {
        self.add_scaled(other, &C::from(1));
        self
    }

    pub fn minus(&self, other: &Polynomial<A, C>) -> Polynomial<A, C> {
        let mut difference = self.clone();
        difference.add_scaled(other, &C::from(-1));
        difference
    }

    pub fn times(&self, other: &Polynomial<A, C>) -> Polynomial<A, C> {
        let mut result = Polynomial::zero();
        for (left, x) in &self.terms {
            for (right, y) in &other.terms {
                result.add_term(multiplied(left, right), x.clone() * y.clone());
            }
        }
        result
    }

    /// `self = coefficient * atom + rest`, if the atom has no other power and `hides` says of no other atom that it
    /// stands inside.
    pub fn split(&self, atom: &A, hides: impl Fn(&A) -> bool) -> Option<(Polynomial<A, C>, Polynomial<A, C>)> {
        let (mut coefficient, mut rest) = (Polynomial::zero(), Polynomial::zero());
        for (product, factor) in &self.terms {
            let (hits, others): (Product<A>, Product<A>) = product.iter().cloned().partition(|(a, _)| a == atom);
            if others.iter().any(|(a, _)| hides(a)) || hits.iter().any(|(_, exponent)| *exponent > 1) {
                return None;
            }
            let target = if hits.is_empty() { &mut rest } else { &mut coefficient };
            target.terms.insert(others, factor.clone());
        }
        Some((coefficient, rest))
    }
}

impl<A: Clone + Ord, C: Coefficient> Default for Polynomial<A, C> {
    fn default() -> Polynomial<A, C> {
        Polynomial::zero()
    }
}

fn multiplied<A: Clone + Ord>(left: &Product<A>, right: &Product<A>) -> Product<A> {
    let mut exponents: BTreeMap<A, u32> = left.iter().cloned().collect();
    for (atom, exponent) in right {
        *exponents.entry(atom.clone()).or_default() += exponent;
    }
    exponents.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::IBig;

    type Sum = Polynomial<char, IBig>;

    #[test]
    fn the_binomial_theorem() {
        let sum = Sum::atom('x').plus(&Sum::atom('y'));
        let square = sum.times(&sum);
        let terms: Vec<(String, IBig)> = square
            .terms()
            .map(|(product, c)| (product.iter().map(|(a, n)| format!("{a}{n}")).collect(), c.clone()))
            .collect();
        assert_eq!(terms, [("x1y1".to_string(), 2.into()), ("x2".to_string(), 1.into()), ("y2".to_string(), 1.into())]);
        assert!(square.minus(&square).is_zero());
    }

    #[test]
    fn large_coefficients_stay_exact() {
        let large = Sum::constant(IBig::from(i128::MAX));
        let square = large.times(&large);
        assert_eq!(square.as_constant(), Some(IBig::from(i128::MAX) * IBig::from(i128::MAX)));
    }

    #[test]
    fn an_atom_is_split_off_where_it_stands_alone() {
        let (x, y) = (Sum::atom('x'), Sum::atom('y'));
        let product = x.times(&y).plus(&x.scaled(&3.into())).plus(&Sum::constant(7.into()));
        let (coefficient, rest) = product.split(&'x', |_| false).expect("x is linear");
        assert_eq!(coefficient, y.plus(&Sum::constant(3.into())));
        assert_eq!(rest.as_constant(), Some(7.into()));
        assert_eq!(x.times(&x).split(&'x', |_| false), None);
        assert_eq!(product.split(&'x', |other| *other == 'y'), None);
    }
}
