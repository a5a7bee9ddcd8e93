//! Linear factors of polynomials in several variables over the rationals.
//!
//! *Question*: is an equation a product, so that it says "this or that is zero"?
//!
//! *Method*: a linear factor that mentions v has, at every point of the other variables, a root in v that is rational.
//! So the polynomial is restricted to lines in direction v, through a base point and through the base point moved by
//! one along each other variable; the rational roots on these lines give the candidates (a root at the base and one for
//! each move determine the factor), and exact division decides.
//!
//! *Worked example*: p = (x - y)(x - 2z) with v = x and the base y = 2, z = 3: roots 2 and 6. Moving y to 3 gives 3 and
//! 6, moving z to 4 gives 2 and 8. From 2 → 3 → 2 comes x - y; from 6 → 6 → 8 comes x - 2z; other paths do not divide.
//!
//! *Guarantee*: the product of the factors is the polynomial up to a constant. A factor may be missed if a number on the
//! way is too large to try its divisors; then the rest stays in one piece.

use crate::monomial::Monomial;
use crate::polynomial::Polynomial;
use dashu_base::Abs;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Numbers above this are not searched for divisors.
const LARGEST: i64 = 1_000_000_000;

/// Base points that are tried: on a line on which another factor is zero there is nothing to see.
const BASES: i64 = 12;

/// Candidates tried for one polynomial and one variable.
const MOST_CANDIDATES: usize = 2_000;

/// Splits off linear factors; what cannot be split is one factor more. Factors are primitive and in a fixed order;
/// constants are left out.
pub fn factors(polynomial: &Polynomial) -> Vec<Polynomial> {
    let mut rest = polynomial.clone().primitive();
    let Some(variables) = rest.leading().map(|(m, _)| m.exponents().len()) else { return Vec::new() };
    let mut found = Vec::new();
    for variable in 0..variables {
        while rest.degree() > 1
            && let Some((factor, quotient)) = factor_with(&rest, variable, variables)
        {
            found.push(factor);
            rest = quotient.primitive();
        }
    }
    if rest.degree() > 0 {
        found.push(rest);
    }
    found.sort_by(|a, b| a.degree().cmp(&b.degree()).then_with(|| a.terms().cmp(b.terms())));
    found
}

/// A linear factor that mentions the variable, and the quotient.
fn factor_with(polynomial: &Polynomial, variable: usize, variables: usize) -> Option<(Polynomial, Polynomial)> {
    let occurs = |v: usize| polynomial.terms().iter().any(|(m, _)| m.exponents()[v] > 0);
    if !occurs(variable) {
        return None;
    }
    let others: Vec<usize> = (0..variables).filter(|&v| v != variable && occurs(v)).collect();
    let (base, restrictions) = (0..BASES).find_map(|number| {
        let base: Vec<i64> = (0..variables as i64).map(|v| 2 + v % 5 + v % 3 + number * (2 * v + 1)).collect();
        let moved = others.iter().map(|&other| {
            let mut point = base.clone();
            point[other] += 1;
            restricted(polynomial, variable, &point)
        });
        let all: Vec<Vec<IBig>> = [restricted(polynomial, variable, &base)].into_iter().chain(moved).collect();
        all.iter().all(|coefficients| !coefficients.is_empty()).then_some((base, all))
    })?;
    let at_base = roots(&restrictions[0])?;
    let moved: Vec<Vec<RBig>> = restrictions[1..].iter().map(|line| roots(line)).collect::<Option<_>>()?;
    let mut tried = 0;
    for root in &at_base {
        let mut choice = vec![0; others.len()];
        loop {
            tried += 1;
            if tried > MOST_CANDIDATES || moved.iter().any(Vec::is_empty) {
                return None;
            }
            // v - root - sum of slope * (other - base) is the candidate.
            let mut constant = -root.clone();
            let mut slopes = Vec::new();
            for (place, &other) in others.iter().enumerate() {
                let slope = &moved[place][choice[place]] - root;
                constant += &slope * RBig::from(IBig::from(base[other]));
                slopes.push((other, -slope));
            }
            slopes.push((variable, RBig::ONE));
            let candidate = linear(&slopes, &constant, variables);
            if let Some(quotient) = divide(polynomial, &candidate) {
                return Some((candidate, quotient));
            }
            let Some(place) = (0..choice.len()).find(|&p| choice[p] + 1 < moved[p].len()) else { break };
            choice[..place].fill(0);
            choice[place] += 1;
        }
    }
    None
}

fn linear(slopes: &[(usize, RBig)], constant: &RBig, variables: usize) -> Polynomial {
    let common = slopes.iter().fold(IBig::from(constant.denominator().clone()), |product, (_, slope)| {
        product * IBig::from(slope.denominator().clone())
    });
    let whole = |fraction: &RBig| fraction.numerator() * (&common / IBig::from(fraction.denominator().clone()));
    let terms = slopes.iter().map(|(v, slope)| (Monomial::variable(*v, variables), whole(slope)));
    Polynomial::from_terms(terms.chain([(Monomial::one(variables), whole(constant))])).primitive()
}

/// The coefficients in powers of the variable, lowest first, at a point of the others.
fn restricted(polynomial: &Polynomial, variable: usize, point: &[i64]) -> Vec<IBig> {
    let mut coefficients = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let exponent = usize::from(monomial.exponents()[variable]);
        if coefficients.len() <= exponent {
            coefficients.resize(exponent + 1, IBig::ZERO);
        }
        let mut product = coefficient.clone();
        for (v, &e) in monomial.exponents().iter().enumerate() {
            if v != variable && e > 0 {
                product *= IBig::from(point[v]).pow(usize::from(e));
            }
        }
        coefficients[exponent] += product;
    }
    while coefficients.last() == Some(&IBig::ZERO) {
        coefficients.pop();
    }
    coefficients
}

/// The rational roots of a polynomial in one variable, ascending; `None` if its numbers are too large to try.
fn roots(coefficients: &[IBig]) -> Option<Vec<RBig>> {
    let mut found = Vec::new();
    let first = coefficients.iter().position(|c| *c != IBig::ZERO)?;
    let coefficients = &coefficients[first..];
    if first > 0 {
        found.push(RBig::ZERO);
    }
    if coefficients.len() > 1 {
        let (above, below) = (divisors(&coefficients[0])?, divisors(&coefficients[coefficients.len() - 1])?);
        for denominator in &below {
            for numerator in &above {
                for sign in [1, -1] {
                    let root = RBig::from(IBig::from(sign * numerator)) / RBig::from(IBig::from(*denominator));
                    let value =
                        coefficients.iter().rev().fold(RBig::ZERO, |sum, c| sum * &root + RBig::from(c.clone()));
                    if value.is_zero() {
                        found.push(root);
                    }
                }
            }
        }
    }
    found.sort();
    found.dedup();
    Some(found)
}

fn divisors(number: &IBig) -> Option<Vec<i64>> {
    let number = i64::try_from(&number.clone().abs()).ok().filter(|n| *n <= LARGEST)?;
    let mut found: Vec<i64> = (1..).take_while(|d| d * d <= number).filter(|d| number % d == 0).collect();
    found.extend(found.clone().into_iter().map(|d| number / d));
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// The exact quotient by a primitive polynomial, if there is one.
pub fn divide(polynomial: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    let (head, leading) = divisor.leading()?;
    let mut rest = polynomial.clone();
    let mut quotient = Polynomial::zero();
    while let Some((monomial, coefficient)) = rest.leading() {
        let shift = monomial.div(head)?;
        // A primitive divisor divides over the integers if it does over the rationals (Gauss).
        if coefficient % leading != IBig::ZERO {
            return None;
        }
        let step = Polynomial::from_terms([(shift, coefficient / leading)]);
        rest = rest.sub(&step.mul(divisor));
        quotient = quotient.add(&step);
    }
    Some(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_worked_example_and_a_square_free_rest() {
        let v: [Polynomial; 3] = std::array::from_fn(|i| Polynomial::variable(i, 3));
        let [x, y, z] = &v;
        let (left, right) = (x.sub(y), x.sub(&z.scale(&2.into())));
        let found = factors(&left.mul(&right));
        assert_eq!(found.len(), 2);
        assert!(found.contains(&left) && found.contains(&right));
        let rest = x.mul(x).add(&y.mul(y)).add(&Polynomial::constant(1, 3));
        assert_eq!(factors(&rest), std::slice::from_ref(&rest));
        assert_eq!(factors(&rest.mul(&left)).len(), 2);
        assert_eq!(factors(&Polynomial::constant(7, 3)), []);
    }

    fn line() -> impl Strategy<Value = Polynomial> {
        proptest::collection::vec(-3i64..4, 4).prop_map(|c| {
            let terms = (0..3).map(|v| (Monomial::variable(v, 3), IBig::from(c[v])));
            Polynomial::from_terms(terms.chain([(Monomial::one(3), IBig::from(c[3]))])).primitive()
        })
    }

    proptest! {
        /// Products of lines come apart into as many factors, and factors always multiply to the polynomial.
        #[test]
        fn products_of_lines_come_apart(lines in proptest::collection::vec(line(), 1..4)) {
            let lines: Vec<Polynomial> = lines.into_iter().filter(|l| l.degree() == 1).collect();
            let product = lines.iter().fold(Polynomial::constant(1, 3), |p, l| p.mul(l));
            let found = factors(&product);
            prop_assert_eq!(found.len(), lines.len());
            let back = found.iter().fold(Polynomial::constant(1, 3), |p, l| p.mul(l));
            prop_assert_eq!(back.primitive(), product.primitive());
        }
    }
}
