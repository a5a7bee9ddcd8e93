//! Convex hulls of terms: every linear inequality among them that holds, each as tight as can be.
//!
//! *Source*: T. Nguyen, 2017, §3.2.2 ("Using Polyhedra"). The terms are those of a shape that the user gives, such as
//! `c1*x^2 + c2*y^2 + c3*z^2` (names that are not variables are free coefficients), or the variables, three at a time.
//!
//! *Guarantee*: exact ([`algebra::polyhedron`]). Facets that a far row breaks are dropped.
//!
//! *Cost*: exponential in the number of terms, so hulls of too many facets are given up. Points that lie far out in some
//! direction go first: those that come later are mostly inside and cost one pass over the facets.

use super::claim::{Check, Claim, Measure};
use algebra::polyhedron::hull_within;
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use logic::Term;
use observe::samples::{Evidence, Variable};
use std::collections::BTreeSet;

/// Hulls with more facets are given up.
pub const MOST_FACETS: usize = 400;

/// Points from which a hull is made.
const MOST_POINTS: usize = 3_000;

/// A hull that was not given up: polynomials that are not negative on any row, and those that are zero on all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facets {
    pub bounds: Vec<Polynomial>,
    pub equations: Vec<Polynomial>,
}

/// The hull of some monomials; `None` if it has too many facets.
pub fn facets(evidence: &Evidence, terms: &[Monomial]) -> Option<Facets> {
    let near = if evidence.near.is_empty() { &evidence.far } else { &evidence.near };
    let width = evidence.variables().len();
    let measures: Vec<Measure> =
        terms.iter().map(|m| Measure::new(&Polynomial::from_terms([(m.clone(), IBig::ONE)]))).collect();
    let points: BTreeSet<Vec<IBig>> = near.rows().map(|row| measures.iter().map(|m| m.value(row)).collect()).collect();
    let Some(points) = outermost_first(points.into_iter().collect(), terms.len()) else {
        return Some(Facets::default());
    };
    let hull = hull_within(&points, MOST_FACETS)?;
    let polynomial = |form: &Vec<IBig>| {
        let constant = (Monomial::one(width), form[0].clone());
        Polynomial::from_terms(terms.iter().cloned().zip(form[1..].iter().cloned()).chain([constant])).coprime()
    };
    let holds = |claim: Claim| {
        let check = Check::new(&claim);
        evidence.rows().all(|row| check.holds(row))
    };
    let bounds = hull.facets.iter().map(polynomial).filter(|p| holds(Claim::NonNegative(p.clone()))).collect();
    let equations = hull.equations.iter().map(polynomial).filter(|p| holds(Claim::Zero(p.clone()))).collect();
    Some(Facets { bounds, equations })
}

/// The points that are extreme in the directions of an octagon first, then as many others as are used.
fn outermost_first(mut points: Vec<Vec<IBig>>, dimension: usize) -> Option<Vec<Vec<IBig>>> {
    points.first()?;
    let mut first = BTreeSet::new();
    for i in 0..dimension {
        for j in i..dimension {
            for sign in [1, -1] {
                let along = |p: &Vec<IBig>| if i == j { p[i].clone() } else { &p[i] + IBig::from(sign) * &p[j] };
                first.extend((0..points.len()).max_by_key(|&k| along(&points[k])));
                first.extend((0..points.len()).min_by_key(|&k| along(&points[k])));
            }
        }
    }
    let mut ordered: Vec<Vec<IBig>> = first.iter().map(|&k| std::mem::take(&mut points[k])).collect();
    let rest: Vec<Vec<IBig>> = points.into_iter().filter(|p| p.len() == dimension && dimension > 0).collect();
    let step = rest.len().div_ceil(MOST_POINTS).max(1);
    ordered.extend(rest.into_iter().step_by(step));
    Some(ordered)
}

/// The monomials of a shape: what its free coefficients multiply. `None` if it is not a sum of such products.
pub fn shape(term: &Term, variables: &[Variable]) -> Option<Vec<Monomial>> {
    let summands = match term {
        Term::Sum(parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let mut found = BTreeSet::new();
    for summand in &summands {
        let mut monomial = Monomial::one(variables.len());
        collect(summand, 1, variables, &mut monomial)?;
        if !monomial.is_one() {
            found.insert(monomial);
        }
    }
    (!found.is_empty()).then(|| found.into_iter().collect())
}

fn collect(term: &Term, times: u32, variables: &[Variable], monomial: &mut Monomial) -> Option<()> {
    match term {
        Term::Const(_) => {}
        Term::Var(name) => {
            if let Some(index) = variables.iter().position(|v| v.name == *name) {
                for _ in 0..times.min(8) {
                    *monomial = monomial.mul(&Monomial::variable(index, variables.len()));
                }
            }
        }
        Term::Neg(part) => collect(part, times, variables, monomial)?,
        Term::Power(base, exponent) => collect(base, times.checked_mul(*exponent)?, variables, monomial)?,
        Term::Product(parts) => parts.iter().try_for_each(|part| collect(part, times, variables, monomial))?,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::samples::Samples;
    use proptest::prelude::*;

    fn evidence(names: &[&str], rows: &[Vec<i64>]) -> Evidence {
        let mut near = Samples::new(names.iter().map(|n| Variable::int(*n)).collect());
        let far = near.clone();
        rows.iter().for_each(|row| {
            near.push(row);
        });
        Evidence { near, far }
    }

    #[test]
    fn shapes_name_the_terms() {
        let variables: Vec<Variable> = ["x", "y"].iter().map(|n| Variable::int(*n)).collect();
        let of = |text: &str| shape(&Term::parse(text).unwrap(), &variables);
        let (x2, xy) = (Monomial::new(&[2, 0]), Monomial::new(&[1, 1]));
        assert_eq!(of("c1*x^2 + c2*x*y + c3"), Some(vec![xy, x2]));
        assert_eq!(of("min(x, y)"), None);
        assert_eq!(of("c1 + 3"), None);
    }

    #[test]
    fn a_disc_has_a_quadratic_facet() {
        let rows: Vec<Vec<i64>> = (-5..=5)
            .flat_map(|x| (-5..=5).map(move |y| vec![x, y]))
            .filter(|p| p[0] * p[0] + p[1] * p[1] <= 25)
            .collect();
        let given = evidence(&["x", "y"], &rows);
        let found = facets(&given, &[Monomial::new(&[2, 0]), Monomial::new(&[0, 2])]).unwrap();
        let (x, y) = (Polynomial::variable(0, 2), Polynomial::variable(1, 2));
        let disc = Polynomial::constant(25, 2).sub(&x.mul(&x)).sub(&y.mul(&y));
        assert!(found.bounds.contains(&disc));
        assert_eq!(facets(&evidence(&["x"], &[]), &[Monomial::new(&[1])]), Some(Facets::default()));
    }

    proptest! {
        /// The underapproximation theorem in the plane: a point is in the region exactly if it is a convex combination
        /// of samples, that is, if it lies in a triangle of three of them.
        #[test]
        fn the_region_is_the_hull(rows in proptest::collection::vec(proptest::collection::vec(-3i64..4, 2), 1..7)) {
            let given = evidence(&["x", "y"], &rows);
            let found = facets(&given, &[Monomial::variable(0, 2), Monomial::variable(1, 2)]).unwrap();
            let bounds: Vec<Check> = found.bounds.into_iter().map(|p| Check::new(&Claim::NonNegative(p))).collect();
            let equations: Vec<Check> = found.equations.into_iter().map(|p| Check::new(&Claim::Zero(p))).collect();
            let turn = |a: &[i64], b: &[i64], c: &[i64]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            let within = |p: &[i64], a: &[i64], b: &[i64], c: &[i64]| {
                let turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
                let boxed = (0..2).all(|i| (a[i].min(b[i]).min(c[i])..=a[i].max(b[i]).max(c[i])).contains(&p[i]));
                boxed && (turns.iter().all(|t| *t >= 0) || turns.iter().all(|t| *t <= 0))
            };
            for n in 0..81i64 {
                let p = [n % 9 - 4, n / 9 - 4];
                let inside = rows.iter().any(|a| rows.iter().any(|b| rows.iter().any(|c| within(&p, a, b, c))));
                let claimed = bounds.iter().chain(&equations).all(|check| check.holds(&p));
                prop_assert_eq!(inside, claimed, "{:?}", p);
            }
        }
    }
}
