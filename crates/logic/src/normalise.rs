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
use super::polynomial::{Polynomial, Product};
use super::{Predicate, Relation, Term};
use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;

/// Products of sums are multiplied out up to this many monomials.
const MOST_MONOMIALS: usize = 500;

/// A term that is not taken apart, known by its text.
#[derive(Clone)]
struct Atom {
    text: String,
    term: Term,
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        self.text == other.text
    }
}

impl Eq for Atom {}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Atom) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Atom {
    fn cmp(&self, other: &Atom) -> Ordering {
        self.text.cmp(&other.text)
    }
}

type Normal = Polynomial<Atom, RBig>;

fn atom(term: Term) -> Normal {
    Polynomial::atom(Atom { text: term.to_string(), term })
}

/// `None` if it would have too many monomials.
fn product(left: &Normal, right: &Normal) -> Option<Normal> {
    (left.terms().len() * right.terms().len() <= MOST_MONOMIALS).then(|| left.times(right))
}

fn polynomial(term: &Term) -> Normal {
    match term {
        Term::Const(value) => Polynomial::constant(value.clone()),
        Term::Neg(part) => polynomial(part).scaled(&RBig::NEG_ONE),
        Term::Sum(parts) => parts.iter().fold(Polynomial::zero(), |sum, part| sum.plus(&polynomial(part))),
        Term::Product(parts) => {
            let one = Polynomial::constant(RBig::ONE);
            let whole = parts.iter().try_fold(one, |so_far, part| product(&so_far, &polynomial(part)));
            whole.unwrap_or_else(|| atom(term.clone()))
        }
        Term::Power(base, exponent) => {
            let base = polynomial(base);
            let (monomials, one) = (base.terms().len(), Polynomial::constant(RBig::ONE));
            let whole = (monomials == 1 && *exponent <= 1000 || monomials > 1 && *exponent <= 8)
                .then(|| (0..*exponent).try_fold(one, |so_far, _| product(&so_far, &base)));
            whole.flatten().unwrap_or_else(|| atom(term.clone()))
        }
        // Divisions depend on the type of their operands, so they are left alone.
        Term::Var(_) | Term::Element(..) | Term::Binary(..) => atom(term.clone()),
        Term::Exponential(base, exponent) => atom(Term::exponential(*base, into_term(polynomial(exponent)))),
        Term::Min(parts) => extreme(parts, Term::Min),
        Term::Max(parts) => extreme(parts, Term::Max),
        Term::Abs(part) => atom(Term::Abs(Box::new(into_term(polynomial(part))))),
    }
}

fn extreme(parts: &[Term], build: fn(Vec<Term>) -> Term) -> Normal {
    let mut parts: Vec<Term> = parts.iter().map(|part| into_term(polynomial(part))).collect();
    parts.sort_by_cached_key(Term::to_string);
    parts.dedup();
    if parts.len() == 1 { polynomial(&parts.remove(0)) } else { atom(build(parts)) }
}

/// Larger degree first, then by text: `x^2 + x*y + x + 1`.
fn ordered(polynomial: &Normal) -> Vec<(&Product<Atom>, &RBig)> {
    let mut terms: Vec<_> = polynomial.terms().collect();
    terms.sort_by_cached_key(|(product, _)| {
        let degree: u32 = product.iter().map(|(_, exponent)| exponent).sum();
        let factors: Vec<(String, Reverse<u32>)> =
            product.iter().map(|(atom, exponent)| (atom.text.clone(), Reverse(*exponent))).collect();
        (Reverse(degree), factors)
    });
    terms
}

fn into_term(polynomial: Normal) -> Term {
    let mut parts = Vec::new();
    for (product, coefficient) in ordered(&polynomial) {
        let mut factors: Vec<Term> = product
            .iter()
            .map(|(atom, exponent)| if *exponent == 1 { atom.term.clone() } else { atom.term.clone().power(*exponent) })
            .collect();
        if factors.is_empty() || (*coefficient != RBig::ONE && *coefficient != RBig::NEG_ONE) {
            factors.insert(0, Term::Const(coefficient.clone()));
            parts.push(Term::product(factors));
        } else if *coefficient == RBig::NEG_ONE {
            parts.push(Term::product(factors).negated());
        } else {
            parts.push(Term::product(factors));
        }
    }
    Term::sum(parts)
}

/// The positive number by which to multiply to get whole, coprime coefficients.
fn scale(polynomial: &Normal) -> RBig {
    let (mut above, mut below) = (UBig::ZERO, UBig::ONE);
    for (_, coefficient) in polynomial.terms() {
        let numerator = coefficient.numerator().clone().unsigned_abs();
        above = if above.is_zero() { numerator } else { above.gcd(&numerator) };
        let denominator = coefficient.denominator();
        below = &below / (&below).gcd(denominator) * denominator;
    }
    if above.is_zero() { RBig::ONE } else { RBig::from(IBig::from(below)) / RBig::from(IBig::from(above)) }
}

impl Term {
    /// The term as a polynomial in normal form.
    pub fn normalise(&self) -> Term {
        into_term(polynomial(self))
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
    let mut difference = polynomial(left).minus(&polynomial(right));
    difference = difference.scaled(&scale(&difference));
    let mut relation = relation;
    let first = ordered(&difference).first().map(|(product, c)| !product.is_empty() && is_negative(c));
    if first == Some(true) {
        difference = difference.scaled(&RBig::NEG_ONE);
        relation = relation.swapped();
    }
    let constant = -difference.take_constant();
    if difference.is_zero() {
        return Predicate::Const(relation.holds(RBig::ZERO.cmp(&constant)));
    }
    Predicate::Compare(relation, into_term(difference), Term::Const(constant))
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
