//! A form in which predicates that say the same are usually written the same.
//!
//! Both sides of a comparison are brought to one polynomial with whole, coprime coefficients; the constant goes to the
//! right, and the first monomial of an equation is positive: `2*x <= 4*y - 6` becomes `x - 2*y <= -3`. Conjunctions
//! and disjunctions are flattened, freed of repetitions and constants, and ordered (unless a part could guard another
//! against division by zero or a negative exponent); negations move to the comparisons.
//!
//! *Invariant*: where the variables are finite and the original is defined, the result is defined and has the same value
//! (`normalising_keeps_the_meaning`). It may
//! be defined where the original is not: `x/y - x/y == 0` becomes `true`. Operands of divisions are left as they are,
//! because folding fractions there could turn a real into an integer, which divides differently.

use super::number::is_negative;
use super::{Predicate, Relation, Term};
use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::collections::{BTreeMap, HashSet};

/// Products of sums are multiplied out up to this many monomials.
const MOST_MONOMIALS: usize = 500;

/// Factors, by their text (which identifies them), with exponents.
type Monomial = BTreeMap<String, (u32, Term)>;

/// Larger degree first, then by text: `x^2 + x*y + x + 1`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    degree: std::cmp::Reverse<u32>,
    factors: Vec<(String, std::cmp::Reverse<u32>)>,
}

#[derive(Clone, Default)]
struct Polynomial(BTreeMap<Key, (RBig, Monomial)>);

impl Polynomial {
    fn constant(value: RBig) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add(value, Monomial::new());
        polynomial
    }

    fn atom(term: Term) -> Polynomial {
        let mut polynomial = Polynomial::default();
        polynomial.add(RBig::ONE, Monomial::from([(term.to_string(), (1, term))]));
        polynomial
    }

    fn add(&mut self, coefficient: RBig, monomial: Monomial) {
        let degree = std::cmp::Reverse(monomial.values().map(|(exponent, _)| exponent).sum());
        let factors = monomial.iter().map(|(name, (exponent, _))| (name.clone(), std::cmp::Reverse(*exponent)));
        let key = Key { degree, factors: factors.collect() };
        let entry = self.0.entry(key.clone()).or_insert((RBig::ZERO, monomial));
        entry.0 += coefficient;
        if entry.0.is_zero() {
            self.0.remove(&key);
        }
    }

    fn plus(mut self, other: Polynomial) -> Polynomial {
        for (_, (coefficient, monomial)) in other.0 {
            self.add(coefficient, monomial);
        }
        self
    }

    fn scaled(mut self, factor: &RBig) -> Polynomial {
        if factor.is_zero() {
            return Polynomial::default();
        }
        self.0.values_mut().for_each(|(coefficient, _)| *coefficient *= factor);
        self
    }

    /// `None` if it would have too many monomials.
    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.0.len() * other.0.len() > MOST_MONOMIALS {
            return None;
        }
        let mut result = Polynomial::default();
        for (a, left) in self.0.values() {
            for (b, right) in other.0.values() {
                let mut monomial = left.clone();
                for (name, (exponent, term)) in right {
                    monomial.entry(name.clone()).or_insert((0, term.clone())).0 += exponent;
                }
                result.add(a * b, monomial);
            }
        }
        Some(result)
    }

    fn of(term: &Term) -> Polynomial {
        match term {
            Term::Const(value) => Polynomial::constant(value.clone()),
            Term::Neg(part) => Polynomial::of(part).scaled(&RBig::NEG_ONE),
            Term::Sum(parts) => parts.iter().fold(Polynomial::default(), |sum, part| sum.plus(Polynomial::of(part))),
            Term::Product(parts) => {
                let mut product = Polynomial::constant(RBig::ONE);
                for part in parts {
                    match product.times(&Polynomial::of(part)) {
                        Some(next) => product = next,
                        None => return Polynomial::atom(term.clone()),
                    }
                }
                product
            }
            Term::Power(base, exponent) => {
                let base = Polynomial::of(base);
                if base.0.len() == 1 && *exponent <= 1000 || base.0.len() > 1 && *exponent <= 8 {
                    let mut product = Polynomial::constant(RBig::ONE);
                    for _ in 0..*exponent {
                        match product.times(&base) {
                            Some(next) => product = next,
                            None => return Polynomial::atom(term.clone()),
                        }
                    }
                    return product;
                }
                Polynomial::atom(term.clone())
            }
            // Divisions depend on the type of their operands, so they are left alone.
            Term::Var(_) | Term::Element(..) | Term::Binary(..) => Polynomial::atom(term.clone()),
            Term::Exponential(base, exponent) => {
                Polynomial::atom(Term::exponential(*base, Polynomial::of(exponent).into_term()))
            }
            Term::Min(parts) => Polynomial::extreme(parts, Term::Min),
            Term::Max(parts) => Polynomial::extreme(parts, Term::Max),
            Term::Abs(part) => Polynomial::atom(Term::Abs(Box::new(Polynomial::of(part).into_term()))),
        }
    }

    fn extreme(parts: &[Term], build: fn(Vec<Term>) -> Term) -> Polynomial {
        let mut parts: Vec<Term> = parts.iter().map(|part| Polynomial::of(part).into_term()).collect();
        parts.sort_by_cached_key(Term::to_string);
        parts.dedup();
        if parts.len() == 1 { Polynomial::of(&parts.remove(0)) } else { Polynomial::atom(build(parts)) }
    }

    fn into_term(self) -> Term {
        let mut parts = Vec::new();
        for (_, (coefficient, monomial)) in self.0 {
            let mut factors: Vec<Term> = monomial
                .into_values()
                .map(|(exponent, term)| if exponent == 1 { term } else { term.power(exponent) })
                .collect();
            if factors.is_empty() || (coefficient != RBig::ONE && coefficient != RBig::NEG_ONE) {
                factors.insert(0, Term::Const(coefficient));
                parts.push(Term::product(factors));
            } else if coefficient == RBig::NEG_ONE {
                parts.push(Term::product(factors).negated());
            } else {
                parts.push(Term::product(factors));
            }
        }
        Term::sum(parts)
    }

    /// Takes the constant out.
    fn take_constant(&mut self) -> RBig {
        let key = Key { degree: std::cmp::Reverse(0), factors: Vec::new() };
        self.0.remove(&key).map_or(RBig::ZERO, |(value, _)| value)
    }

    /// The positive number by which to multiply to get whole, coprime coefficients.
    fn scale(&self) -> RBig {
        let (mut above, mut below) = (UBig::ZERO, UBig::ONE);
        for (coefficient, _) in self.0.values() {
            let numerator = coefficient.numerator().clone().unsigned_abs();
            above = if above.is_zero() { numerator } else { above.gcd(&numerator) };
            let denominator = coefficient.denominator();
            below = &below / (&below).gcd(denominator) * denominator;
        }
        if above.is_zero() { RBig::ONE } else { RBig::from(IBig::from(below)) / RBig::from(IBig::from(above)) }
    }
}

impl Term {
    /// The term as a polynomial in normal form.
    pub fn normalise(&self) -> Term {
        Polynomial::of(self).into_term()
    }
}

impl Predicate {
    /// The normal form; see the module documentation.
    pub fn normalise(&self) -> Predicate {
        self.normal(false)
    }

    fn normal(&self, negated: bool) -> Predicate {
        match self {
            Predicate::Const(value) => Predicate::Const(*value != negated),
            Predicate::Compare(relation, left, right) => {
                compare(if negated { relation.negated() } else { *relation }, left, right)
            }
            Predicate::Congruent(left, right, modulus) => {
                // A congruence is about integers; reducing coefficients could hide that an operand is not one.
                let same = Predicate::Congruent(left.clone(), right.clone(), modulus.clone());
                if negated { same.negate() } else { same }
            }
            Predicate::Not(part) => part.normal(!negated),
            Predicate::And(parts) if negated => any(parts.iter().map(|part| part.normal(true))),
            Predicate::And(parts) => all(parts.iter().map(|part| part.normal(false))),
            Predicate::Or(parts) if negated => all(parts.iter().map(|part| part.normal(true))),
            Predicate::Or(parts) => any(parts.iter().map(|part| part.normal(false))),
            Predicate::Implies(left, right) if negated => all([left.normal(false), right.normal(true)].into_iter()),
            Predicate::Implies(left, right) => any([left.normal(true), right.normal(false)].into_iter()),
        }
    }
}

fn compare(relation: Relation, left: &Term, right: &Term) -> Predicate {
    let mut difference = Polynomial::of(left).plus(Polynomial::of(right).scaled(&RBig::NEG_ONE));
    let scale = difference.scale();
    difference = difference.scaled(&scale);
    let mut relation = relation;
    let first_is_negative = difference.0.values().next().is_some_and(|(c, _)| is_negative(c));
    let has_variables = difference.0.keys().next().is_some_and(|key| !key.factors.is_empty());
    if first_is_negative && has_variables {
        difference = difference.scaled(&RBig::NEG_ONE);
        relation = relation.swapped();
    }
    let constant = -difference.take_constant();
    if difference.0.is_empty() {
        return Predicate::Const(relation.holds(RBig::ZERO.cmp(&constant)));
    }
    Predicate::Compare(relation, difference.into_term(), Term::Const(constant))
}

/// Flattened, ordered, without repetitions; `decisive` alone decides, its opposite says nothing.
fn join(parts: impl Iterator<Item = Predicate>, decisive: bool) -> Vec<Predicate> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Predicate::Const(value) if value == decisive => return vec![Predicate::Const(decisive)],
            Predicate::Const(_) => {}
            Predicate::And(inner) if !decisive => flat.extend(inner),
            Predicate::Or(inner) if decisive => flat.extend(inner),
            other => flat.push(other),
        }
    }
    // A part may guard a later one against division by zero or a negative exponent; then the order stays.
    if flat.iter().all(always_defined) {
        flat.sort_by_cached_key(Predicate::to_string);
    }
    let mut seen = HashSet::new();
    flat.retain(|part| seen.insert(part.clone()));
    flat
}

fn always_defined(part: &Predicate) -> bool {
    let mut defined = true;
    part.walk_terms(&mut |term| defined &= !matches!(term, Term::Binary(..) | Term::Exponential(..)));
    defined
}

fn all(parts: impl Iterator<Item = Predicate>) -> Predicate {
    Predicate::all(join(parts, false))
}

fn any(parts: impl Iterator<Item = Predicate>) -> Predicate {
    Predicate::any(join(parts, true))
}
