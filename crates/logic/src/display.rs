//! Predicates and terms as text for people, which parses back to the same tree.

use super::number::is_negative;
use super::{Predicate, Term};
use dashu_ratio::RBig;
use std::fmt::{self, Display, Formatter};

/// How tightly a term must bind where it is written; looser terms get parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Sum,
    Product,
    Unary,
    Atom,
}

fn tightness(term: &Term) -> Tightness {
    match term {
        Term::Const(value) if !value.is_int() => Tightness::Product,
        Term::Const(value) if is_negative(value) => Tightness::Unary,
        Term::Sum(_) => Tightness::Sum,
        Term::Product(_) | Term::Binary(..) => Tightness::Product,
        Term::Neg(_) => Tightness::Unary,
        // A power as the base of a power needs parentheses, like a sign.
        Term::Power(..) | Term::Exponential(..) => Tightness::Unary,
        Term::Const(_) | Term::Var(_) | Term::Element(..) | Term::Min(_) | Term::Max(_) | Term::Abs(_) => {
            Tightness::Atom
        }
    }
}

fn write_at(f: &mut Formatter<'_>, term: &Term, least: Tightness) -> fmt::Result {
    if tightness(term) < least { write!(f, "({term})") } else { write!(f, "{term}") }
}

fn write_list(f: &mut Formatter<'_>, name: &str, parts: &[Term]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
    }
    f.write_str(")")
}

/// A summand after the first, with its sign as the operator.
fn write_summand(f: &mut Formatter<'_>, term: &Term) -> fmt::Result {
    let opposite = |value: &RBig| Term::Const(-value.clone());
    match term {
        Term::Const(value) if is_negative(value) => write!(f, " - {}", opposite(value)),
        Term::Product(factors) => match factors.as_slice() {
            [Term::Const(value), rest @ ..] if is_negative(value) => {
                f.write_str(" - ")?;
                write_factors(f, std::iter::once(&opposite(value)).chain(rest))
            }
            _ => write!(f, " + {term}"),
        },
        Term::Neg(part) => {
            // The parser moves the sign into a leading constant; parentheses keep it out.
            let leads_with_constant = match &**part {
                Term::Const(_) => true,
                Term::Product(factors) => matches!(factors.first(), Some(Term::Const(_))),
                _ => false,
            };
            if leads_with_constant {
                write!(f, " - ({part})")
            } else {
                f.write_str(" - ").and_then(|()| write_at(f, part, Tightness::Product))
            }
        }
        Term::Sum(_) => write!(f, " + ({term})"),
        _ => write!(f, " + {term}"),
    }
}

fn write_factors<'a>(f: &mut Formatter<'_>, factors: impl Iterator<Item = &'a Term>) -> fmt::Result {
    for (i, factor) in factors.enumerate() {
        // Only in front is `1/2*x` read as the fraction times `x`.
        let fraction_in_front = i == 0 && matches!(factor, Term::Const(_));
        f.write_str(if i == 0 { "" } else { "*" })?;
        write_at(f, factor, if fraction_in_front { Tightness::Product } else { Tightness::Unary })?;
    }
    Ok(())
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Const(value) => write!(f, "{value}"),
            Term::Var(name) => f.write_str(name),
            Term::Element(name, indices) => {
                f.write_str(name)?;
                indices.iter().try_for_each(|index| write!(f, "[{index}]"))
            }
            Term::Neg(part) => {
                f.write_str("-")?;
                // `-3` is a literal, so the opposite of three needs its parentheses.
                if matches!(**part, Term::Const(_)) {
                    write!(f, "({part})")
                } else {
                    write_at(f, part, Tightness::Unary)
                }
            }
            Term::Sum(parts) => parts.iter().enumerate().try_for_each(|(i, part)| match (i, part) {
                (0, Term::Sum(_)) => write!(f, "({part})"),
                (0, _) => write!(f, "{part}"),
                _ => write_summand(f, part),
            }),
            Term::Product(factors) => write_factors(f, factors.iter()),
            Term::Power(base, exponent) => {
                write_at(f, base, Tightness::Atom)?;
                write!(f, "^{exponent}")
            }
            Term::Exponential(base, exponent) => {
                write!(f, "{base}^")?;
                // `2^3` is a power of a number; this is an exponential that happens to be constant.
                if matches!(**exponent, Term::Const(_)) {
                    write!(f, "({exponent})")
                } else {
                    write_at(f, exponent, Tightness::Atom)
                }
            }
            Term::Binary(operator, left, right) => {
                match &**left {
                    Term::Binary(..) => write!(f, "({left})")?,
                    _ => write_at(f, left, Tightness::Product)?,
                }
                write!(f, " {} ", operator.symbol())?;
                // Two literals with a slash between them would be a fraction.
                if matches!((&**left, &**right), (Term::Const(_), Term::Const(_))) {
                    write!(f, "({right})")
                } else {
                    write_at(f, right, Tightness::Unary)
                }
            }
            Term::Min(parts) => write_list(f, "min", parts),
            Term::Max(parts) => write_list(f, "max", parts),
            Term::Abs(part) => write_list(f, "abs", std::slice::from_ref(part)),
        }
    }
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut Formatter<'_>, parts: &[Predicate], operator: &str, plain: fn(&Predicate) -> bool| {
            parts.iter().enumerate().try_for_each(|(i, part)| {
                f.write_str(if i == 0 { "" } else { operator })?;
                if plain(part) { write!(f, "{part}") } else { write!(f, "({part})") }
            })
        };
        let tight: fn(&Predicate) -> bool =
            |p| !matches!(p, Predicate::And(_) | Predicate::Or(_) | Predicate::Implies(..));
        match self {
            Predicate::Const(value) => write!(f, "{value}"),
            Predicate::Compare(relation, left, right) => write!(f, "{left} {} {right}", relation.symbol()),
            Predicate::Congruent(left, right, modulus) => write!(f, "{left} === {right} (mod {modulus})"),
            Predicate::Not(part) => write!(f, "!({part})"),
            Predicate::And(parts) => joined(f, parts, " && ", tight),
            Predicate::Or(parts) => {
                joined(f, parts, " || ", |p| !matches!(p, Predicate::Or(_) | Predicate::Implies(..)))
            }
            Predicate::Implies(left, right) => {
                if matches!(**left, Predicate::Implies(..)) {
                    write!(f, "({left})")?
                } else {
                    write!(f, "{left}")?
                }
                write!(f, " ==> {right}")
            }
        }
    }
}
