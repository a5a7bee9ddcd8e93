//! From polynomials to predicates that read as a person would write them.
//!
//! An equation has one variable alone on the left where that leaves at most one minus on the right
//! (`x == q*y + r`, `4*s == t^2 + 2*t + 1`), else its sides are sums without a minus (`p*s == q*r + 1`). A bound has a
//! variable alone on the left if there is one (`k <= M*N - 1`).

use algebra::{Monomial, Polynomial, content};
use dashu_base::{Abs, Signed};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::{Predicate, Relation, Term};
use observe::samples::{Role, Variable};

/// Writes claims about cells as predicates about the values of these variables.
#[derive(Clone, Copy, Debug)]
pub struct Wording<'v> {
    variables: &'v [Variable],
}

/// A summand of a polynomial: its monomial and coefficient.
type Part = (Monomial, IBig);

impl<'v> Wording<'v> {
    pub fn new(variables: &'v [Variable]) -> Wording<'v> {
        Wording { variables }
    }

    /// From the cells to the values they stand for, up to a positive factor.
    pub fn unscaled(&self, polynomial: &Polynomial) -> Polynomial {
        let terms = polynomial.terms().iter().map(|(monomial, coefficient)| {
            let factor = monomial
                .exponents()
                .iter()
                .zip(self.variables)
                .filter(|(e, _)| **e > 0)
                .fold(IBig::ONE, |product, (&e, v)| product * IBig::from(v.denominator()).pow(usize::from(e)));
            (monomial.clone(), coefficient * factor)
        });
        Polynomial::from_terms(terms).coprime()
    }

    /// `polynomial == 0`.
    pub fn equation(&self, polynomial: &Polynomial) -> Predicate {
        let parts: Vec<Part> = self.unscaled(&polynomial.clone().primitive()).terms().to_vec();
        let alone = (0..parts.len()).filter_map(|i| Some((self.reading(&parts, i)?, i))).min();
        if let Some((_, index)) = alone {
            let (monomial, coefficient) = parts[index].clone();
            let flip = !coefficient.is_negative();
            let rest = parts.iter().enumerate().filter(|(i, _)| *i != index);
            let rest: Vec<Part> = rest.map(|(_, (m, c))| (m.clone(), if flip { -c } else { c.clone() })).collect();
            return self.sum(&[(monomial, coefficient.abs())]).compare(Relation::Eq, self.sum(&rest));
        }
        let (left, right) = sides(parts);
        // The side with the constant is the right one.
        let (left, right) = if left.iter().any(|(m, _)| m.is_one()) { (right, left) } else { (left, right) };
        self.sum(&left).compare(Relation::Eq, self.sum(&right))
    }

    /// How the equation reads with this part alone on the left, the smaller the better; `None` if it should not.
    fn reading(&self, parts: &[Part], index: usize) -> Option<(bool, bool, usize, IBig, usize)> {
        let (monomial, coefficient) = &parts[index];
        if monomial.degree() != 1 {
            return None;
        }
        let variable = monomial.exponents().iter().position(|&e| e > 0)?;
        let elsewhere = parts.iter().enumerate().any(|(i, (m, _))| i != index && m.exponents()[variable] > 0);
        let positive = !coefficient.is_negative();
        let others = parts.iter().enumerate().filter(|(i, (m, _))| *i != index && !m.is_one());
        let minuses = others.filter(|(_, (_, c))| c.is_negative() != positive).count();
        let size = coefficient.clone().abs();
        let dull = matches!(self.variables[variable].role, Role::Ghost);
        (!elsewhere && minuses <= 1).then_some((dull, size != IBig::ONE, minuses, size, variable))
    }

    /// `polynomial >= 0`.
    pub fn bound(&self, polynomial: &Polynomial) -> Predicate {
        let unscaled = self.unscaled(polynomial);
        let (constant, parts): (Vec<Part>, Vec<Part>) = unscaled.terms().iter().cloned().partition(|(m, _)| m.is_one());
        let constant = constant.into_iter().next().map_or(IBig::ZERO, |(_, c)| c);
        let (above, below) = sides(parts);
        let with = |parts: &[Part], constant: IBig| {
            let one = Monomial::one(self.variables.len());
            let extra = (constant != IBig::ZERO).then_some((one, constant));
            self.sum(&parts.iter().cloned().chain(extra).collect::<Vec<_>>())
        };
        let alone = |parts: &[Part]| matches!(parts, [(m, c)] if m.degree() == 1 && *c == IBig::ONE);
        let first = |parts: &[Part]| parts.iter().filter_map(|(m, _)| m.exponents().iter().position(|&e| e > 0)).min();
        let flip = match (above.is_empty(), below.is_empty()) {
            (true, _) => true,
            (_, true) => false,
            _ if alone(&above) && alone(&below) => first(&below) < first(&above),
            _ => !alone(&above) && (alone(&below) || below.len() < above.len()),
        };
        if below.is_empty() && above.len() == 1 || above.is_empty() && below.len() == 1 {
            // A bound of one term: divide by its coefficient, so that halves and thirds are seen.
            let (monomial, coefficient) = above.iter().chain(&below).next().expect("one part").clone();
            let limit = if flip { constant } else { -constant };
            let limit = Term::Const(RBig::from(limit) / RBig::from(coefficient));
            let relation = if flip { Relation::Le } else { Relation::Ge };
            return self.sum(&[(monomial, IBig::ONE)]).compare(relation, limit);
        }
        // Without a second side the constant stands there alone; otherwise it joins the side that is not alone.
        if flip {
            with(&below, IBig::ZERO).compare(Relation::Le, with(&above, constant))
        } else {
            with(&above, IBig::ZERO).compare(Relation::Ge, with(&below, -constant))
        }
    }

    /// `polynomial === 0 (mod modulus)`, with the constant on the right and not negative.
    pub fn congruence(&self, polynomial: &Polynomial, modulus: &IBig) -> Predicate {
        let (constant, parts): (Vec<Part>, Vec<Part>) =
            polynomial.terms().iter().cloned().partition(|(m, _)| m.is_one());
        let constant = constant.into_iter().next().map_or(IBig::ZERO, |(_, c)| c);
        let residue = ((-constant % modulus) + modulus) % modulus;
        Predicate::Congruent(self.sum(&parts), Term::int(residue), modulus.clone())
    }

    /// The value of a variable's cell plus a number of cells; the constant alone without a variable. All variables of a
    /// relation with `min` or `max` have this denominator.
    pub fn shifted(&self, variable: Option<usize>, cells: i128, denominator: i64) -> Term {
        let shift = RBig::from(IBig::from(cells)) / RBig::from(IBig::from(denominator));
        match variable {
            None => Term::Const(shift),
            Some(v) if shift.is_zero() => self.variable(v),
            Some(v) => Term::Sum(vec![self.variable(v), Term::Const(shift)]),
        }
    }

    pub fn variable(&self, variable: usize) -> Term {
        Term::var(self.variables[variable].name.clone())
    }

    pub fn sum(&self, parts: &[Part]) -> Term {
        let mut parts = parts.to_vec();
        // Larger degrees first, then in the order of the variables; the constant last. A minus does not come first
        // unless it must.
        parts.sort_by(|(a, _), (b, _)| b.degree().cmp(&a.degree()).then_with(|| b.exponents().cmp(a.exponents())));
        if let Some(first) = parts.iter().position(|(m, c)| !c.is_negative() && !m.is_one()) {
            let part = parts.remove(first);
            parts.insert(0, part);
        }
        Term::sum(parts.iter().map(|(m, c)| self.part(m, c)).collect())
    }

    fn part(&self, monomial: &Monomial, coefficient: &IBig) -> Term {
        let powers = monomial.exponents().iter().enumerate().filter(|(_, e)| **e > 0);
        let mut factors: Vec<Term> =
            powers.map(|(v, &e)| if e == 1 { self.variable(v) } else { self.variable(v).power(e.into()) }).collect();
        if factors.is_empty() {
            return Term::int(coefficient.clone());
        }
        let size = coefficient.clone().abs();
        if size != IBig::ONE {
            factors.insert(0, Term::int(size));
        }
        let product = Term::product(factors);
        if coefficient.is_negative() { product.negated() } else { product }
    }
}

/// The parts with positive coefficients, and the others with their signs turned.
fn sides(parts: Vec<Part>) -> (Vec<Part>, Vec<Part>) {
    let (below, above): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|(_, c)| c.is_negative());
    (above, below.into_iter().map(|(m, c)| (m, -c)).collect())
}

/// A term as a polynomial over the cells of these variables, up to a positive factor; `None` if it is not one.
pub fn polynomial(term: &Term, variables: &[Variable]) -> Option<Polynomial> {
    let (numerator, _) = fraction(term, variables)?;
    Some(numerator)
}

/// Both sides of a comparison as one polynomial over cells, `left - right`, up to a positive factor.
pub fn difference(left: &Term, right: &Term, variables: &[Variable]) -> Option<Polynomial> {
    polynomial(&Term::sum(vec![left.clone(), right.clone().negated()]), variables)
}

/// A polynomial over cells and a positive number: their quotient is the term.
fn fraction(term: &Term, variables: &[Variable]) -> Option<(Polynomial, IBig)> {
    let width = variables.len();
    match term {
        Term::Const(value) => {
            Some((Polynomial::constant(value.numerator().clone(), width), IBig::from(value.denominator().clone())))
        }
        Term::Var(name) => {
            let index = variables.iter().position(|v| v.name == *name)?;
            Some((Polynomial::variable(index, width), IBig::from(variables[index].denominator())))
        }
        Term::Neg(part) => {
            let (part, below) = fraction(part, variables)?;
            Some((part.scale(&IBig::NEG_ONE), below))
        }
        Term::Sum(parts) => parts.iter().try_fold((Polynomial::zero(), IBig::ONE), |(sum, below), part| {
            let (part, denominator) = fraction(part, variables)?;
            let common = IBig::from(content([&below, &denominator]));
            let sum = sum.scale(&(&denominator / &common)).add(&part.scale(&(&below / &common)));
            Some((sum, &below / &common * denominator))
        }),
        Term::Product(parts) => {
            parts.iter().try_fold((Polynomial::constant(1, width), IBig::ONE), |(p, below), part| {
                let (part, denominator) = fraction(part, variables)?;
                Some((p.mul(&part), below * denominator))
            })
        }
        Term::Power(base, exponent) if *exponent <= 8 => {
            let (base, below) = fraction(base, variables)?;
            Some((base.pow(*exponent, width), below.pow(*exponent as usize)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::Kind;

    fn check(variables: &[Variable], cases: &[(&str, &str)]) {
        let wording = Wording::new(variables);
        for (given, expected) in cases {
            let Predicate::Compare(relation, left, right) = Predicate::parse(given).unwrap() else { panic!("{given}") };
            let polynomial = difference(&left, &right, variables).unwrap();
            let written = match relation {
                Relation::Eq => wording.equation(&polynomial),
                Relation::Ge => wording.bound(&polynomial),
                _ => panic!("{given}"),
            };
            assert_eq!(written.to_string(), *expected, "{given}");
        }
    }

    #[test]
    fn equations_and_bounds_read_well() {
        let names = ["x", "y", "q", "r", "a", "b", "s", "t", "k", "M", "N"];
        let variables: Vec<Variable> = names.iter().map(|n| Variable::int(*n)).collect();
        check(
            &variables,
            &[
                ("a*y - b == 0", "b == y*a"),
                ("r + q*y - x == 0", "x == y*q + r"),
                ("2*a - t + 1 == 0", "t == 2*a + 1"),
                ("t^2 + 2*t - 4*s + 1 == 0", "4*s == t^2 + 2*t + 1"),
                ("a*b - q*r - 1 == 0", "a*b == q*r + 1"),
                ("x - 5 == 0", "x == 5"),
                ("x + y + q - r - a - b == 0", "x + y + q == r + a + b"),
                ("x*k - x - y + 1 == 0", "y == x*k - x + 1"),
                ("y - 5 >= 0", "y >= 5"),
                ("11 - y >= 0", "y <= 11"),
                ("y - x >= 0", "x <= y"),
                ("M*N - k - 1 >= 0", "k <= M*N - 1"),
                ("r - 2*y*a >= 0", "r >= 2*y*a"),
                ("7 - x - y >= 0", "x + y <= 7"),
                ("x - 2*r + 3 >= 0", "x >= 2*r - 3"),
            ],
        );
    }

    #[test]
    fn denominators_are_put_back() {
        let half = |name| Variable::new(name, Kind::Real { denominator: 2 }, Role::Program);
        let variables = [half("h"), Variable::int("n")];
        check(
            &variables,
            &[("2*h - n == 0", "n == 2*h"), ("h - 3/2 >= 0", "h >= 3/2"), ("h - n - 1/2 >= 0", "2*h >= 2*n + 1")],
        );
    }
}
