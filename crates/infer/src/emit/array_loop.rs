//! Array relations as C (loops with assertions) and as ACSL (`\forall`).
//!
//! ```text
//! for (long i = 0; i < 6; i++) for (long j = 0; j < 4; j++) assert(A[i][j] == B[4*i + j]);
//! \forall integer i, j; 0 <= i < 6 && 0 <= j < 4 ==> A[i][j] == B[4*i + j]
//! ```
//!
//! Fractions are multiplied out, so that the assertion compares whole numbers. What a function of the user's gives is an
//! array that C cannot name in an expression, and a call has no place in ACSL: both are left out, with the reason.

use super::super::arrays::domain::{Domain, Values};
use super::super::arrays::expression::Expr;
use super::super::arrays::shown::{Bounds, Names};
use super::super::arrays::{Affine, ArrayInvariant};

/// A C statement that checks the relation.
pub fn array_loop(invariant: &ArrayInvariant) -> Result<String, String> {
    let (names, relation) = (&invariant.names, &invariant.relation);
    let dimensions = relation.domain.values.len();
    let claim = format!("assert({});", equation(invariant, true)?);
    let (mut loops, mut conditions) = (String::new(), Vec::new());
    for (n, values) in relation.domain.values.iter().enumerate() {
        let index = &names.indices[n];
        let Bounds { from, to, further } = names.bounds(&relation.domain, n);
        loops.push_str(&format!("for (long {index} = {from}; {index} < {to}; {index}++) "));
        conditions.extend(further);
        conditions.extend(restrictions(values, index));
    }
    conditions.extend(between(&relation.domain, names, dimensions));
    let guard = if conditions.is_empty() { String::new() } else { format!("if ({}) ", conditions.join(" && ")) };
    Ok(format!("{loops}{guard}{claim}"))
}

/// The relation as an ACSL predicate.
pub fn array_acsl(invariant: &ArrayInvariant) -> Result<String, String> {
    let (names, relation) = (&invariant.names, &invariant.relation);
    let dimensions = relation.domain.values.len();
    let equation = equation(invariant, false)?;
    let mut conditions = Vec::new();
    for (n, values) in relation.domain.values.iter().enumerate() {
        let index = &names.indices[n];
        let Bounds { from, to, further } = names.bounds(&relation.domain, n);
        conditions.push(format!("{from} <= {index} < {to}"));
        conditions.extend(further);
        conditions.extend(restrictions(values, index));
    }
    conditions.extend(between(&relation.domain, names, dimensions));
    let indices = names.indices[..dimensions].join(", ");
    Ok(format!("\\forall integer {indices}; {} ==> {equation}", conditions.join(" && ")))
}

fn restrictions(values: &Values, index: &str) -> Vec<String> {
    match values {
        Values::Range(..) => Vec::new(),
        Values::Every { period, rest, .. } => vec![format!("{index} % {period} == {rest}")],
        Values::Except { period, rests, .. } => {
            rests.iter().map(|rest| format!("{index} % {period} != {rest}")).collect()
        }
        Values::Set(set) => {
            let each: Vec<String> = set.iter().map(|value| format!("{index} == {value}")).collect();
            vec![format!("({})", each.join(" || "))]
        }
    }
}

fn between(domain: &Domain, names: &Names, dimensions: usize) -> Option<String> {
    domain.between.as_ref()?;
    // The conditions of the names end with the one between two indices.
    names.conditions(domain, dimensions).pop()
}

/// Both sides, over whole numbers.
fn equation(invariant: &ArrayInvariant, in_c: bool) -> Result<String, String> {
    let (names, relation) = (&invariant.names, &invariant.relation);
    let mut calls = false;
    let mut fraction_inside = false;
    relation.right.walk(&mut |part| {
        calls |= matches!(part, Expr::Call { .. });
        if let Expr::Linear { parts, constant } = part {
            let whole = constant.denominator == 1 && parts.iter().all(|(factor, _)| factor.denominator == 1);
            fraction_inside |= !whole && !std::ptr::eq(part, &raw const relation.right);
        }
    });
    if calls {
        return Err("it calls a function of the program".to_string());
    }
    if fraction_inside {
        return Err("an index is a fraction of an element".to_string());
    }
    let left = names.left(relation, relation.domain.values.len());
    let (scale, right) = whole(&relation.right);
    let wide = |text: String| if in_c { format!("(long)({text})") } else { text };
    let left = if scale == 1 { left } else { format!("{scale}*{}", wide(left)) };
    // Element times factor is computed in the type of the element unless it is widened.
    let right = if in_c { widened(names, &right) } else { names.operators(&right) };
    Ok(format!("{left} == {right}"))
}

/// The expression times the common denominator of its outermost sum.
fn whole(expr: &Expr) -> (i64, Expr) {
    match expr {
        Expr::Linear { parts, constant } => {
            let denominators = parts.iter().map(|(factor, _)| factor.denominator).chain([constant.denominator]);
            let scale =
                denominators.fold(1, |all, d| all / super::super::arrays::affine::gcd(all.into(), d.into()) as i64 * d);
            let by = |number: &Affine| Affine {
                coefficients: number.coefficients.iter().map(|c| c * (scale / number.denominator)).collect(),
                constant: number.constant * (scale / number.denominator),
                denominator: 1,
                ..number.clone()
            };
            let parts = parts.iter().map(|(factor, part)| (by(factor), part.clone())).collect();
            (scale, Expr::Linear { parts, constant: by(constant) })
        }
        Expr::Number(number) if number.denominator > 1 => {
            let whole = Affine { denominator: 1, ..number.clone() };
            (number.denominator, Expr::Number(whole))
        }
        other => (1, other.clone()),
    }
}

/// As C, with elements of sums widened.
fn widened(names: &Names, expr: &Expr) -> String {
    let Expr::Linear { parts, constant } = expr else { return names.operators(expr) };
    let mut text: Vec<String> = parts
        .iter()
        .map(|(factor, part)| format!("({})*(long)({})", names.affine(factor), names.operators(part)))
        .collect();
    if !constant.is(0) {
        text.push(format!("({})", names.affine(constant)));
    }
    text.join(" + ")
}
