//! Equations that are products, told as cases: `(x - y)*(x - z) == 0` is `x == y || x == z`.
//!
//! *Guarantee*: the disjunction holds exactly where the equation does ([`algebra::factor`] divides exactly).

use super::claim::Claim;
use super::wording::Wording;
use algebra::Polynomial;
use algebra::factor::factors;
use logic::Predicate;

/// The cases of an equation; `None` if it does not come apart.
pub fn cases(equation: &Polynomial) -> Option<Vec<Polynomial>> {
    if equation.degree() < 2 || equation.degree() > 4 {
        return None;
    }
    let mut parts = factors(equation);
    parts.dedup();
    (parts.len() > 1).then_some(parts)
}

pub fn claim(cases: &[Polynomial]) -> Claim {
    Claim::Any(cases.iter().cloned().map(Claim::Zero).collect())
}

pub fn predicate(cases: &[Polynomial], wording: &Wording<'_>) -> Predicate {
    Predicate::any(cases.iter().map(|case| wording.equation(case)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::Variable;

    #[test]
    fn products_become_cases() {
        let variables: Vec<Variable> = ["x", "y", "z"].iter().map(|n| Variable::int(*n)).collect();
        let v: [Polynomial; 3] = std::array::from_fn(|i| Polynomial::variable(i, 3));
        let [x, y, z] = &v;
        let cases = cases(&x.sub(y).mul(&x.sub(z))).unwrap();
        assert_eq!(predicate(&cases, &Wording::new(&variables)).to_string(), "x == z || x == y");
        assert_eq!(super::cases(&x.mul(y).sub(z)), None);
    }
}
