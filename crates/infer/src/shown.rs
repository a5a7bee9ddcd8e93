//! A relation as people read it, as C, and the terms it is about.
//!
//! Predicates of invariants speak of the names of columns. A column that is a term (`2^n1`, `r / y`) is written out,
//! except that in text a term the user named (`t = 2^x`) stays under its name.

use exec::ValueType;
use ir::{FloatKind, IntKind};
use logic::{Arithmetic, CStyle, NotC, Predicate, Term};
use observe::samples::{Kind, Role, Variable};
use std::collections::BTreeSet;

/// The relation for people.
pub fn text(predicate: &Predicate, variables: &[Variable]) -> String {
    let named = |variable: &Variable| variable.role == Role::User && variable.name != variable.term.to_string();
    predicate
        .substitute(&|name| {
            let variable = variables.iter().find(|v| v.name == name)?;
            match variable.term == Term::var(name) && !is_path(name) {
                true => Some(Term::var(parenthesised(variable))),
                false => (!named(variable)).then(|| variable.term.clone()),
            }
        })
        .to_string()
}

/// The relation as a C expression over the program's variables, and over entry values and ghosts by their names. It
/// has the relation's value wherever all intermediate results fit `__int128`.
pub fn c(predicate: &Predicate, variables: &[Variable]) -> Result<String, NotC> {
    c_with(predicate, variables, Arithmetic::Wide)
}

/// As [`c`], with arithmetic in other types; conversions are left out where nothing is computed.
pub fn c_with(predicate: &Predicate, variables: &[Variable], arithmetic: Arithmetic) -> Result<String, NotC> {
    let types = |name: &str| variables.iter().find(|v| v.name == name || parenthesised(v) == name).and_then(type_of);
    let arithmetic = if computes_nothing(predicate, variables) { Arithmetic::AsDeclared } else { arithmetic };
    in_scope(predicate, variables).to_c(&CStyle { types: &types, arithmetic })
}

/// Terms written out, and the texts of trace arguments made factors: `vtrace1(i + 1)` has a column `i + 1`.
pub(super) fn in_scope(predicate: &Predicate, variables: &[Variable]) -> Predicate {
    let written_out =
        predicate.substitute(&|name| variables.iter().find(|v| v.name == name).map(|variable| variable.term.clone()));
    written_out.substitute(&|name| {
        let variable = variables.iter().find(|v| v.name == name)?;
        (!is_path(name)).then(|| Term::var(parenthesised(variable)))
    })
}

fn parenthesised(variable: &Variable) -> String {
    format!("({})", variable.name)
}

/// The C type that decides how the column is written; a column of a trace file counts as `long` or `double`.
pub(super) fn type_of(variable: &Variable) -> Option<ValueType> {
    variable.ty.or(Some(match variable.kind {
        Kind::Real { .. } => ValueType::Float(FloatKind::Double),
        Kind::Int => ValueType::Int(IntKind::Long),
    }))
}

/// A name, a path to a field, an element at constant indices, or something in parentheses: `strlen(s)`, `\\old(*p)`.
fn is_path(name: &str) -> bool {
    matches!(Term::parse(name), Ok(Term::Var(_) | Term::Element(..))) || is_enclosed(name)
}

/// Whether a name ends with the parenthesis that belongs to its first one, with nothing but a word before it.
fn is_enclosed(name: &str) -> bool {
    let Some(start) = name.find('(') else { return false };
    let is_word = name[..start].trim_start_matches('\\').chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut depth = 0;
    let close = name[start..].find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    is_word && close.is_some_and(|close| start + close + 1 == name.len())
}

/// Comparisons of variables and constants cannot overflow.
fn computes_nothing(predicate: &Predicate, variables: &[Variable]) -> bool {
    let mut plain = true;
    predicate.walk_terms(&mut |term| {
        plain &= match term {
            Term::Const(value) => value.is_int(),
            Term::Var(name) => variables.iter().any(|v| v.name == *name && v.term == *term),
            Term::Min(_) | Term::Max(_) => true,
            _ => false,
        };
    });
    fn congruence(predicate: &Predicate) -> bool {
        matches!(predicate, Predicate::Congruent(..)) || predicate.children().into_iter().any(congruence)
    }
    plain && !congruence(predicate)
}

/// The monomials and the other terms that are compared, in alphabetical order: `x`, `q*y`, `min(x, y)`.
pub fn terms(predicate: &Predicate, variables: &[Variable]) -> Vec<String> {
    fn visit(term: &Term, found: &mut BTreeSet<String>) {
        match term {
            Term::Const(_) => {}
            Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) => parts.iter().for_each(|p| visit(p, found)),
            Term::Neg(part) => visit(part, found),
            Term::Product(factors) => {
                let rest: Vec<Term> = factors.iter().filter(|f| !matches!(f, Term::Const(_))).cloned().collect();
                if !rest.is_empty() {
                    found.insert(Term::product(rest).to_string());
                }
            }
            other => {
                found.insert(other.to_string());
            }
        }
    }
    fn compared(predicate: &Predicate, found: &mut BTreeSet<String>) {
        if let Predicate::Compare(_, left, right) | Predicate::Congruent(left, right, _) = predicate {
            visit(left, found);
            visit(right, found);
        }
        predicate.children().into_iter().for_each(|part| compared(part, found));
    }
    let mut found = BTreeSet::new();
    compared(
        &predicate.substitute(&|name| variables.iter().find(|v| v.name == name).map(|v| v.term.clone())),
        &mut found,
    );
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::terms::{UserTerm, user_variable};
    use super::*;

    fn variables() -> Vec<Variable> {
        let int = Some(ValueType::Int(IntKind::Int));
        let mut variables: Vec<Variable> =
            ["x", "y", "i + 1"].map(|name| Variable { ty: int, ..Variable::int(name) }).into();
        variables.push(Variable::new("n1", Kind::Int, Role::Ghost));
        let power = Term::exponential(2, Term::var("n1"));
        variables.push(Variable { term: power, ..Variable::new("2^n1", Kind::Int, Role::Ghost) });
        for term in ["t = 2^x", "x / y"] {
            variables.push(user_variable(&UserTerm::parse(term).unwrap(), Kind::Int));
        }
        variables
    }

    fn over(left: &str, right: Term) -> Predicate {
        Term::var(left).compare(logic::Relation::Eq, right)
    }

    #[test]
    fn columns_are_written_out_where_they_should_be() {
        let variables = variables();
        let product = |a: &str, b: &str| Term::Product(vec![Term::var(a), Term::var(b)]);
        for (predicate, shown, c_shown, about) in [
            (
                over("x", product("y", "2^n1")),
                "x == y*2^n1",
                "(__int128)x == (__int128)y*((__int128)1 << (__int128)n1)",
                vec!["x", "y*2^n1"],
            ),
            (
                over("t", product("y", "x / y")),
                "t == y*(x / y)",
                "((__int128)1 << (__int128)x) == (__int128)y*((__int128)x / (__int128)y)",
                vec!["2^x", "y*(x / y)"],
            ),
            (
                over("x", product("y", "i + 1")),
                "x == y*(i + 1)",
                "(__int128)x == (__int128)y*(__int128)(i + 1)",
                vec!["x", "y*i + 1"],
            ),
            (Predicate::parse("x >= min(y, 5)").unwrap(), "x >= min(y, 5)", "x >= (y <= 5 ? y : 5)", vec!["x", "y"]),
            (
                Predicate::parse("3*x + 1 <= y").unwrap(),
                "3*x + 1 <= y",
                "3*(__int128)x + 1 <= (__int128)y",
                vec!["x", "y"],
            ),
            (Predicate::parse("x === 1 (mod 4)").unwrap(), "x === 1 (mod 4)", "((__int128)x - 1) % 4 == 0", vec!["x"]),
        ] {
            assert_eq!(text(&predicate, &variables), shown);
            assert_eq!(c(&predicate, &variables).unwrap(), c_shown);
            assert_eq!(terms(&predicate, &variables), about, "{predicate}");
        }
    }
}
