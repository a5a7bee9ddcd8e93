//! The programs of the suites with what is documented of them, for the tests that read them.

use algebra::ideal::{Basis, Budget};
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use infer::{Form, Invariant, Variable};
use ir::{FunctionId, Program};
use logic::{Number, Predicate, Relation, Term};
use std::path::{Path, PathBuf};

pub fn suite(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

/// A line of an `.inv` file.
pub struct Documented {
    pub location: String,
    pub required: bool,
    pub predicate: Predicate,
}

pub fn documented(path: &Path) -> Vec<Documented> {
    let text = std::fs::read_to_string(path.with_extension("inv")).unwrap();
    let lines = text.lines().filter_map(|line| line.split('#').next()).map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let (head, predicate) = line.split_once(':').unwrap();
            let words: Vec<&str> = head.split_whitespace().collect();
            Documented {
                location: words[0].to_string(),
                required: !words.contains(&"?"),
                predicate: Predicate::parse(predicate).unwrap_or_else(|e| panic!("{line}: {e:?}")),
            }
        })
        .collect()
}

pub fn load(path: &Path) -> (Program, FunctionId) {
    let program = cfront::load(&[path.to_path_buf()], &Default::default()).unwrap().program;
    let entry = program.find_function("mainQ").unwrap();
    (program, entry)
}

pub fn holds(predicate: &Predicate, variables: &[Variable], row: &[i64]) -> bool {
    let lookup = |name: &str, _: &[Number]| {
        let column = variables.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("{name} should be shown"));
        Ok(Number::Small(row[column].into()))
    };
    predicate.evaluate(&lookup) == Ok(true)
}

/// The difference of the two sides of an equation, if it is a polynomial in the variables; of cases, the product.
pub fn polynomial(predicate: &Predicate, variables: &[Variable]) -> Option<Polynomial> {
    match predicate {
        Predicate::Compare(Relation::Eq, left, right) => {
            let right = of_term(right, variables)?.mul(&Polynomial::constant(-1, variables.len()));
            Some(of_term(left, variables)?.add(&right))
        }
        Predicate::Or(cases) => {
            let cases: Option<Vec<Polynomial>> = cases.iter().map(|case| polynomial(case, variables)).collect();
            Some(cases?.iter().fold(Polynomial::constant(1, variables.len()), |all, case| all.mul(case)))
        }
        _ => None,
    }
}

pub fn of_term(term: &Term, variables: &[Variable]) -> Option<Polynomial> {
    let stands_for = |v: &Variable| v.term == *term || Term::var(v.name.clone()) == *term;
    if let Some(index) = variables.iter().position(stands_for) {
        return Some(Polynomial::variable(index, variables.len()));
    }
    let count = variables.len();
    let all = |parts: &[Term]| parts.iter().map(|part| of_term(part, variables)).collect::<Option<Vec<_>>>();
    match term {
        Term::Const(value) if value.is_int() => Some(Polynomial::constant(value.numerator().clone(), count)),
        Term::Neg(part) => Some(of_term(part, variables)?.mul(&Polynomial::constant(-1, count))),
        Term::Sum(parts) => Some(all(parts)?.iter().fold(Polynomial::zero(), |sum, part| sum.add(part))),
        Term::Product(parts) => {
            let one = Polynomial::from_terms([(Monomial::one(count), IBig::ONE)]);
            Some(all(parts)?.iter().fold(one, |product, part| product.mul(part)))
        }
        Term::Power(base, exponent) => {
            let base = of_term(base, variables)?;
            Some((0..*exponent).fold(Polynomial::constant(1, count), |product, _| product.mul(&base)))
        }
        _ => None,
    }
}

/// The required equations of a location that do not follow from those among these relations.
pub fn unfound<'f>(
    facts: &'f [Documented],
    location: &str,
    variables: &[Variable],
    invariants: &[Invariant],
) -> Vec<&'f Documented> {
    let found = invariants.iter().filter(|i| matches!(i.form, Form::Equality | Form::Disjunction));
    let budget = Budget { degree: 8, steps: 500_000 };
    let basis = Basis::new(found.filter_map(|i| polynomial(&i.predicate, variables)), budget);
    let wanted = facts.iter().filter(|fact| fact.location == location && fact.required);
    let is_lost = |fact: &&Documented| {
        polynomial(&fact.predicate, variables).is_some_and(|polynomial| !basis.contains(&polynomial, budget))
    };
    wanted.filter(is_lost).collect()
}
