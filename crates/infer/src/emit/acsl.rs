//! The program with ACSL annotations.
//!
//! At a loop head the relations become one `loop invariant` annotation (Frama-C takes one annotation for a loop, so
//! several relations share a block comment), elsewhere an `assert` each. ACSL computes in unbounded integers, so no
//! conversions are written; the entry value of `x` is `\at(x,Pre)`, a minimum `\min`.
//!
//! Ghost counters and the value about to be returned have no name in ACSL at that place: such relations are given as
//! ordinary comments.

use super::super::shown;
use super::super::{InferReport, Invariant, LocationReport};
use super::text::Place;
use super::{Emitted, Spot, applied, array_acsl, find, parameter_of, speaks_of_role};
use cfront::edit::{Edit, Refusal};
use exec::ValueType;
use ir::{IntKind, Program};
use logic::{Arithmetic, CStyle, NotC, Predicate, Term};
use observe::samples::{Role, Variable};

/// The files with annotations for every location that is in them.
pub fn acsl(program: &Program, report: &InferReport) -> Emitted {
    let (mut edits, mut notes) = (Vec::new(), Vec::new());
    for location in report.locations.iter().filter(|l| !l.invariants.is_empty() || !l.arrays.is_empty()) {
        match annotate(program, location) {
            Ok(more) => edits.extend(more),
            Err(why) => notes.push(format!("`{}` is not annotated: {why}", location.location.name)),
        }
    }
    applied(program, &edits, notes)
}

fn annotate(program: &Program, report: &LocationReport) -> Result<Vec<Edit>, Refusal> {
    let found = find(program, report).ok_or(Refusal::NoSource)?;
    let variables = &report.location.variables;
    let (mut said, mut unsaid) = (Vec::new(), Vec::new());
    for invariant in &report.invariants {
        match expression(invariant, variables) {
            Ok(text) => said.push(text),
            Err(why) => {
                unsaid.push(format!("observed, not in ACSL ({why}): {}", shown::text(&invariant.predicate, variables)))
            }
        }
    }
    for array in &report.arrays {
        match array_acsl(array) {
            Ok(text) => said.push(text),
            Err(why) => unsaid.push(format!("observed, not in ACSL ({why}): {}", array.text())),
        }
    }
    match found.spot {
        Spot::Head { looped, .. } => {
            let place = Place::new(&program.sources, looped)?;
            let indent = place.indent().unwrap_or_default();
            let mut lines: Vec<String> = unsaid.iter().map(|text| format!("// {text}")).collect();
            match said.as_slice() {
                [] => {}
                [one] => lines.push(format!("//@ loop invariant {one};")),
                several => {
                    let clauses: Vec<String> = several.iter().map(|text| format!("loop invariant {text};")).collect();
                    lines.push(format!("/*@ {}\n{indent}  @*/", clauses.join(&format!("\n{indent}  @ "))));
                }
            }
            if place.indent().is_some() {
                let text: String = lines.iter().map(|line| format!("{line}\n{indent}")).collect();
                return Ok(vec![place.insert_before(text)]);
            }
            let clauses: String = said.iter().map(|text| format!("loop invariant {text}; ")).collect();
            Ok(if clauses.is_empty() { Vec::new() } else { vec![place.insert_before(format!("/*@ {clauses}*/ "))] })
        }
        Spot::Before(span) => {
            let place = Place::new(&program.sources, span)?;
            let lines: Vec<String> = said
                .iter()
                .map(|text| format!("//@ assert {text};"))
                .chain(unsaid.iter().map(|text| format!("// {text}")))
                .collect();
            let inline: Vec<String> = said.iter().map(|text| format!("/*@ assert {text}; */")).collect();
            Ok(if inline.is_empty() && place.indent().is_none() {
                Vec::new()
            } else {
                place.lines_before(&lines, &inline)
            })
        }
        Spot::After(span) => {
            let lines: Vec<String> = said
                .iter()
                .map(|text| format!("//@ assert {text};"))
                .chain(unsaid.iter().map(|text| format!("// {text}")))
                .collect();
            Ok(vec![Place::new(&program.sources, span)?.lines_after(&lines)])
        }
    }
}

fn expression(invariant: &Invariant, variables: &[Variable]) -> Result<String, NotC> {
    for (role, why) in [(Role::Ghost, "it counts rounds"), (Role::Result, "it speaks of the result")] {
        if speaks_of_role(invariant, variables, role) {
            return Err(NotC(why.to_string()));
        }
    }
    let plain = shown::in_scope(&invariant.predicate, variables).substitute(&|name| {
        let variable = variables.iter().find(|v| v.name == name && v.role == Role::Entry)?;
        Some(Term::var(format!("\\at({},Pre)", parameter_of(variable))))
    });
    let mut whole = true;
    plain.walk_terms(&mut |term| whole &= !matches!(term, Term::Const(value) if !value.is_int()));
    // A fraction inside a minimum is cleared by multiplying all its arguments, which only the C form does.
    let written = if whole { with_extremes(&plain, variables) } else { plain };
    written.to_c(&style(&|name| real(name, variables)))
}

/// All integers are unbounded, so they count as `int`, which needs no conversion.
fn style<'a>(types: &'a dyn Fn(&str) -> Option<ValueType>) -> CStyle<'a> {
    CStyle { types, arithmetic: Arithmetic::AsDeclared }
}

fn real(name: &str, variables: &[Variable]) -> Option<ValueType> {
    let ty = variables.iter().find(|v| v.name == name).and_then(shown::type_of);
    Some(ty.filter(|ty| !ty.is_int()).unwrap_or(ValueType::Int(IntKind::Int)))
}

/// `min` and `max` as the functions of ACSL, which take two arguments.
fn with_extremes(predicate: &Predicate, variables: &[Variable]) -> Predicate {
    let all = |parts: &[Predicate]| parts.iter().map(|part| with_extremes(part, variables)).collect();
    match predicate {
        Predicate::Compare(relation, left, right) => {
            Predicate::Compare(*relation, extremes(left, variables), extremes(right, variables))
        }
        Predicate::And(parts) => Predicate::And(all(parts)),
        Predicate::Or(parts) => Predicate::Or(all(parts)),
        Predicate::Not(part) => with_extremes(part, variables).negate(),
        Predicate::Implies(left, right) => with_extremes(left, variables).implies(with_extremes(right, variables)),
        other => other.clone(),
    }
}

fn extremes(term: &Term, variables: &[Variable]) -> Term {
    let all = |parts: &[Term]| parts.iter().map(|part| extremes(part, variables)).collect();
    match term {
        Term::Min(parts) | Term::Max(parts) => {
            let name = if matches!(term, Term::Min(_)) { "\\min" } else { "\\max" };
            let types = |name: &str| real(name, variables);
            let texts: Option<Vec<String>> =
                parts.iter().map(|part| extremes(part, variables).to_c(&style(&types)).ok()).collect();
            let joined =
                texts.and_then(|texts| texts.into_iter().rev().reduce(|rest, part| format!("{name}({part}, {rest})")));
            joined.map_or_else(|| term.clone(), Term::var)
        }
        Term::Sum(parts) => Term::Sum(all(parts)),
        Term::Product(parts) => Term::Product(all(parts)),
        Term::Neg(part) => Term::Neg(Box::new(extremes(part, variables))),
        other => other.clone(),
    }
}
