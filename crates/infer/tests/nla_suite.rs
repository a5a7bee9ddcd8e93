//! The programs of `suites/nla` and `suites/disjunctive`: every trace point is reached with generated inputs, and the
//! documented equations are among what follows from the ones that are found.

use algebra::ideal::{Basis, Budget};
use algebra::{Monomial, Polynomial};
use dashu_int::IBig;
use infer::{Config, Evidence, Form, FormConfig, Location, LocationReport, Variable, infer, observe};
use ir::{FunctionId, Program};
use logic::{Number, Predicate, Relation, Term};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn suite(name: &str) -> Vec<PathBuf> {
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
struct Documented {
    location: String,
    required: bool,
    predicate: Predicate,
}

fn documented(path: &Path) -> Vec<Documented> {
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

fn load(path: &Path) -> (Program, FunctionId) {
    let program = cfront::load(&[path.to_path_buf()], &Default::default()).unwrap().program;
    let entry = program.find_function("mainQ").unwrap();
    (program, entry)
}

fn holds(predicate: &Predicate, variables: &[Variable], row: &[i64]) -> bool {
    let lookup = |name: &str, _: &[Number]| {
        let column = variables.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("{name} should be shown"));
        Ok(Number::Small(row[column].into()))
    };
    predicate.evaluate(&lookup) == Ok(true)
}

/// The difference of the two sides of an equation, if it is a polynomial in the variables; of cases, the product.
fn polynomial(predicate: &Predicate, variables: &[Variable]) -> Option<Polynomial> {
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

fn of_term(term: &Term, variables: &[Variable]) -> Option<Polynomial> {
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

/// Whether no power of two in the row is marked as too large.
fn has_powers(variables: &[Variable], row: &[i64]) -> bool {
    variables.iter().zip(row).all(|(v, cell)| !v.name.starts_with("2^") || *cell > 0)
}

/// What is wrong with what was observed of a program: rows that contradict the documents, places without rows.
fn complaints(name: &str, facts: &[Documented], location: &Location, evidence: &Evidence) -> Vec<String> {
    let variables = evidence.variables();
    let mut wrong = Vec::new();
    if evidence.near.is_empty() || evidence.far.is_empty() {
        wrong.push(format!("{name}: too few rows at {}", location.name));
    }
    for guard in &location.guards {
        if let Some(row) = evidence.rows().find(|row| !holds(guard, variables, row)) {
            wrong.push(format!("{name} {}: the guard {guard} does not hold of {row:?}", location.name));
        }
    }
    for fact in facts.iter().filter(|fact| fact.location == location.name) {
        let contradicts = |row: &&[i64]| has_powers(variables, row) && !holds(&fact.predicate, variables, row);
        if let Some(row) = evidence.rows().find(contradicts) {
            wrong.push(format!("{name} {}: {} does not hold of {row:?}", location.name, fact.predicate));
        }
    }
    wrong
}

/// The documented equations that do not follow from those that are reported.
fn unfound(name: &str, facts: &[Documented], report: &LocationReport) -> Vec<String> {
    let variables = &report.location.variables;
    let wanted = facts.iter().filter(|fact| fact.location == report.location.name && fact.required);
    let wanted: Vec<(&Documented, Polynomial)> =
        wanted.filter_map(|fact| Some((fact, polynomial(&fact.predicate, variables)?))).collect();
    let found = report.invariants.iter().filter(|i| matches!(i.form, Form::Equality | Form::Disjunction));
    let budget = Budget { degree: 8, steps: 500_000 };
    let basis = Basis::new(found.filter_map(|i| polynomial(&i.predicate, variables)), budget);
    let lost = wanted.iter().filter(|(_, polynomial)| !basis.contains(polynomial, budget));
    lost.map(|(fact, _)| format!("{name} {}: {} is not found", report.location.name, fact.predicate)).collect()
}

fn each(suite_name: &str, judge: impl Fn(&Path, &str, &[Documented]) -> Vec<String> + Sync) {
    let wrong: Vec<String> = suite(suite_name)
        .par_iter()
        .flat_map_iter(|path| judge(path, &path.file_stem().unwrap().to_string_lossy(), &documented(path)))
        .collect();
    assert!(wrong.is_empty(), "{} complaints:\n{}", wrong.len(), wrong.join("\n"));
}

fn observed(path: &Path, name: &str, facts: &[Documented]) -> Vec<String> {
    let (program, entry) = load(path);
    let observations = observe(&program, entry, &Config::default()).unwrap();
    assert_eq!(ir::verify(&observations.instrumented.program), [], "{name}");
    let locations = observations.locations();
    let known = |fact: &Documented| locations.iter().any(|location| location.name == fact.location);
    assert!(facts.iter().all(known), "{name}: a location is missing");
    let seen = locations.iter().enumerate();
    seen.flat_map(|(i, location)| complaints(name, facts, location, &observations.evidence_at(i).0)).collect()
}

#[test]
fn trace_points_are_reached_and_rows_are_right() {
    each("nla", observed);
    each("disjunctive", observed);
}

#[test]
fn documented_equations_are_found() {
    let forms = FormConfig { forms: BTreeSet::from([Form::Equality, Form::Disjunction]), ..FormConfig::default() };
    each("nla", |path, name, facts| {
        let (program, entry) = load(path);
        let report = infer(&program, entry, &Config { forms: forms.clone(), ..Config::default() }).unwrap();
        report.locations.iter().flat_map(|location| unfound(name, facts, location)).collect()
    });
}
