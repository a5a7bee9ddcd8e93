//! A predicate made ready for many rows: columns instead of names, machine words instead of unbounded numbers.
//!
//! Comparisons of polynomials with constants over whole numbers, and what `&&` and `||` make of them, are evaluated in
//! 128 bits. Everything else, and what does not fit, is left to [`Predicate::evaluate`], with which the tests compare it.

use crate::{Predicate, Relation, Term};

/// A predicate and, where it has one, its quick form.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub predicate: Predicate,
    quick: Option<Quick>,
}

#[derive(Clone, Debug)]
enum Quick {
    Compare {
        relation: Relation,
        /// Coefficients, and the columns multiplied.
        monomials: Vec<(i128, Vec<usize>)>,
        constant: i128,
    },
    All(Vec<Quick>),
    Any(Vec<Quick>),
}

impl Prepared {
    /// `column` says where a variable stands in a row.
    pub fn new(predicate: Predicate, column: &dyn Fn(&str) -> Option<usize>) -> Prepared {
        let quick = Quick::new(&predicate, column);
        Prepared { predicate, quick }
    }

    /// Whether it holds of a row of whole numbers; `None` if there is no quick form, 128 bits do not suffice, or a cell
    /// it looks at is no whole number.
    pub fn quickly(&self, cell: &impl Fn(usize) -> Option<i128>) -> Option<bool> {
        self.quick.as_ref()?.holds(cell)
    }
}

impl Quick {
    fn new(predicate: &Predicate, column: &dyn Fn(&str) -> Option<usize>) -> Option<Quick> {
        let all = |parts: &[Predicate]| parts.iter().map(|part| Quick::new(part, column)).collect::<Option<Vec<_>>>();
        match predicate {
            Predicate::And(parts) => return Some(Quick::All(all(parts)?)),
            Predicate::Or(parts) => return Some(Quick::Any(all(parts)?)),
            _ => {}
        }
        let Predicate::Compare(relation, left, Term::Const(constant)) = predicate.normalise() else { return None };
        let parts = if let Term::Sum(parts) = left { parts } else { vec![left] };
        let monomials = parts.iter().map(|part| monomial(part, column)).collect::<Option<Vec<_>>>()?;
        let constant = constant.is_int().then(|| i128::try_from(constant.numerator()).ok()).flatten()?;
        Some(Quick::Compare { relation, monomials, constant })
    }

    fn holds(&self, cell: &impl Fn(usize) -> Option<i128>) -> Option<bool> {
        let (parts, decisive) = match self {
            Quick::Compare { relation, monomials, constant } => {
                let mut sum = 0i128;
                for (coefficient, columns) in monomials {
                    let mut product = *coefficient;
                    for &column in columns {
                        product = product.checked_mul(cell(column)?)?;
                    }
                    sum = sum.checked_add(product)?;
                }
                return Some(relation.holds(sum.cmp(constant)));
            }
            Quick::All(parts) => (parts, false),
            Quick::Any(parts) => (parts, true),
        };
        for part in parts {
            if part.holds(cell)? == decisive {
                return Some(decisive);
            }
        }
        Some(!decisive)
    }
}

fn monomial(term: &Term, column: &dyn Fn(&str) -> Option<usize>) -> Option<(i128, Vec<usize>)> {
    match term {
        Term::Const(value) if value.is_int() => Some((i128::try_from(value.numerator()).ok()?, Vec::new())),
        Term::Var(name) => Some((1, vec![column(name)?])),
        Term::Neg(part) => {
            let (coefficient, columns) = monomial(part, column)?;
            Some((coefficient.checked_neg()?, columns))
        }
        Term::Power(base, exponent @ 0..=20) => {
            let (coefficient, columns) = monomial(base, column)?;
            Some((coefficient.checked_pow(*exponent)?, columns.repeat(*exponent as usize)))
        }
        Term::Product(factors) => {
            let (mut coefficient, mut columns) = (1i128, Vec::new());
            for factor in factors {
                let (c, more) = monomial(factor, column)?;
                coefficient = coefficient.checked_mul(c)?;
                columns.extend(more);
            }
            Some((coefficient, columns))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, Undefined};
    use proptest::prelude::*;

    /// What both readings say of `x`, `y` and `z`.
    fn check(text: &str, row: [i64; 3]) -> Option<bool> {
        let names = ["x", "y", "z"];
        let place = |name: &str| names.iter().position(|n| *n == name);
        let predicate = Predicate::parse(text).expect("the text should be a predicate");
        let slow = predicate.evaluate(&|name, _| {
            place(name).map(|i| Number::Small(row[i].into())).ok_or_else(|| Undefined::Unknown(name.to_string()))
        });
        let quick = Prepared::new(predicate, &place).quickly(&|column| Some(row[column].into()));
        if let Some(quick) = quick {
            assert_eq!(Ok(quick), slow, "{text} of {row:?}");
        }
        quick
    }

    #[test]
    fn forms_of_inference_have_a_quick_form() {
        for text in ["2*x - 3*y*z == 7", "x^3 - y >= -2", "x == 1 || x == y + z", "x <= y && y <= z", "x != y"] {
            assert!(check(text, [3, -4, 5]).is_some(), "{text}");
        }
        assert_eq!(check("x^5 == y", [i64::MAX, 1, 0]), None);
        assert_eq!(check("x / y == z", [7, 0, 1]), None);
    }

    proptest! {
        #[test]
        fn both_readings_agree(
            a in -9i64..9, b in -9i64..9, c in -9i64..9, relation in 0usize..6, join in 0usize..3,
            row in prop::array::uniform3(prop_oneof![-3i64..3, any::<i64>()]),
        ) {
            let relation = ["==", "!=", "<", "<=", ">", ">="][relation];
            let first = format!("{a}*x*y + {b}*z {relation} {c}");
            let text = [first.clone(), format!("{first} || x == {b}"), format!("{first} && y >= {a}")];
            check(&text[join], row);
        }
    }
}
