//! New bounds from what the program text guarantees and the equations that were found.
//!
//! *Source*: T. Nguyen, 2017, §3.2.2 ("Deduction From Loop Conditions"): from the guard `r >= 2*b` and `b == y*a`
//! follows `r >= 2*y*a`.
//!
//! *Method*: a guard that is a polynomial inequality has each variable replaced by what an equation says it is, where
//! the variable is linear in the equation, has a unit coefficient and occurs in no other of its terms.
//!
//! *Guarantee*: each result follows from the guard and the equation; it is still checked on every row, because the
//! equation is only observed. Guards themselves are not given: they stand in the program.

use super::equalities::weight;
use super::wording::difference;
use algebra::Polynomial;
use dashu_base::Signed;
use dashu_int::IBig;
use logic::{Predicate, Relation};
use observe::samples::Variable;

/// Bounds that follow from a guard and an equation, the lightest first. Each is not negative where both hold.
pub fn deduced(guards: &[Predicate], equations: &[Polynomial], variables: &[Variable]) -> Vec<Polynomial> {
    let mut found: Vec<Polynomial> = Vec::new();
    for guard in guards.iter().flat_map(|guard| inequalities(guard, variables)) {
        for equation in equations {
            for variable in 0..variables.len() {
                if !guard.terms().iter().any(|(m, _)| m.exponents()[variable] > 0) {
                    continue;
                }
                let Some(changed) = replaced(&guard, equation, variable) else { continue };
                if changed.degree() > 0 && changed != guard && !found.contains(&changed) {
                    found.push(changed);
                }
            }
        }
    }
    found.sort_by_cached_key(weight);
    found
}

/// The guard with the variable replaced.
fn replaced(guard: &Polynomial, equation: &Polynomial, variable: usize) -> Option<Polynomial> {
    let mentions: Vec<&(algebra::Monomial, IBig)> =
        equation.terms().iter().filter(|(m, _)| m.exponents()[variable] > 0).collect();
    let [(monomial, coefficient)] = mentions.as_slice() else { return None };
    if monomial.degree() != 1 || (*coefficient != IBig::ONE && *coefficient != IBig::NEG_ONE) {
        return None;
    }
    // The value is `variable - equation`, once the variable's own coefficient is one.
    let equation = if coefficient.is_negative() { equation.scale(&IBig::NEG_ONE) } else { equation.clone() };
    let width = monomial.exponents().len();
    let value = Polynomial::variable(variable, width).sub(&equation);
    let values: Vec<Polynomial> =
        (0..width).map(|v| if v == variable { value.clone() } else { Polynomial::variable(v, width) }).collect();
    Some(guard.substitute(&values, width).coprime())
}

/// A guard as polynomials over cells that are not negative.
fn inequalities(guard: &Predicate, variables: &[Variable]) -> Vec<Polynomial> {
    match guard {
        Predicate::And(parts) => parts.iter().flat_map(|part| inequalities(part, variables)).collect(),
        Predicate::Compare(relation, left, right) => {
            let Some(difference) = difference(left, right, variables) else { return Vec::new() };
            let flipped = || difference.scale(&IBig::NEG_ONE);
            // Among integers `p > 0` is `p - 1 >= 0`; the difference has whole coefficients and whole cells.
            let one = Polynomial::constant(1, variables.len());
            match relation {
                Relation::Ge => vec![difference],
                Relation::Gt => vec![difference.sub(&one)],
                Relation::Le => vec![flipped()],
                Relation::Lt => vec![flipped().sub(&one)],
                Relation::Eq | Relation::Ne => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(text: &str, variables: &[Variable]) -> Polynomial {
        let Ok(Predicate::Compare(_, left, right)) = Predicate::parse(text) else { panic!("{text}") };
        difference(&left, &right, variables).unwrap()
    }

    #[test]
    fn cohen_by_hand() {
        let variables: Vec<Variable> = ["x", "y", "q", "r", "a", "b"].iter().map(|n| Variable::int(*n)).collect();
        let equations = [polynomial("b - y*a == 0", &variables), polynomial("r + q*y - x == 0", &variables)];
        let guard = [Predicate::parse("r >= 2*b && x != 3").unwrap()];
        let found = deduced(&guard, &equations, &variables);
        assert_eq!(found, [polynomial("r - 2*y*a >= 0", &variables), polynomial("x - q*y - 2*b >= 0", &variables)]);
        let strict = [Predicate::parse("b < r").unwrap()];
        assert_eq!(deduced(&strict, &equations[..1], &variables), [polynomial("r - y*a - 1 >= 0", &variables)]);
        assert_eq!(deduced(&guard, &[], &variables), []);
    }
}
