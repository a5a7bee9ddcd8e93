//! Other terms in place of variables.

use super::{Predicate, Term};

/// What to write for a variable; `None` leaves it.
type Replacement<'a> = &'a dyn Fn(&str) -> Option<Term>;

impl Term {
    /// The term with variables replaced, all at once: what is put in is not looked at again. Array elements keep their
    /// array, and their indices are replaced.
    pub fn substitute(&self, replacement: Replacement<'_>) -> Term {
        let one = |part: &Term| Box::new(part.substitute(replacement));
        let all = |parts: &[Term]| parts.iter().map(|part| part.substitute(replacement)).collect();
        match self {
            Term::Const(_) => self.clone(),
            Term::Var(name) => replacement(name).unwrap_or_else(|| self.clone()),
            Term::Element(name, indices) => Term::Element(name.clone(), all(indices)),
            Term::Neg(part) => Term::Neg(one(part)),
            Term::Sum(parts) => Term::Sum(all(parts)),
            Term::Product(parts) => Term::Product(all(parts)),
            Term::Power(base, exponent) => Term::Power(one(base), *exponent),
            Term::Exponential(base, exponent) => Term::Exponential(*base, one(exponent)),
            Term::Binary(operator, left, right) => Term::Binary(*operator, one(left), one(right)),
            Term::Min(parts) => Term::Min(all(parts)),
            Term::Max(parts) => Term::Max(all(parts)),
            Term::Abs(part) => Term::Abs(one(part)),
        }
    }
}

impl Predicate {
    /// The predicate with variables replaced in all its terms, all at once.
    pub fn substitute(&self, replacement: Replacement<'_>) -> Predicate {
        let all = |parts: &[Predicate]| parts.iter().map(|part| part.substitute(replacement)).collect();
        match self {
            Predicate::Const(_) => self.clone(),
            Predicate::Compare(relation, left, right) => {
                Predicate::Compare(*relation, left.substitute(replacement), right.substitute(replacement))
            }
            Predicate::Congruent(left, right, modulus) => {
                let (left, right) = (left.substitute(replacement), right.substitute(replacement));
                Predicate::Congruent(left, right, modulus.clone())
            }
            Predicate::Not(part) => part.substitute(replacement).negate(),
            Predicate::And(parts) => Predicate::And(all(parts)),
            Predicate::Or(parts) => Predicate::Or(all(parts)),
            Predicate::Implies(left, right) => left.substitute(replacement).implies(right.substitute(replacement)),
        }
    }
}
