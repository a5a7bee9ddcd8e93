//! Terms that the user asked for, as columns of their own; and the restriction to chosen variables.
//!
//! A term such as `2^x`, `r / y` or `mod(r, 256)` is evaluated on every row and takes part in all forms like a
//! variable ([`Role::User`]). A term that was given a name (`t = 2^x`) is shown by that name, one without by its text.
//!
//! Terms mean what [`logic`] says: `r / y` truncates as C does when both are integers and is exact as soon as
//! one is a fraction or a floating variable. A row on which a term has no value (division by zero, `2^x` of a negative
//! `x`), or a value that does not fit 64 bits, is left out of all columns, and a note says how many were.

use dashu_base::Gcd;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::{Number, ParseError, Term, Undefined};
use observe::samples::{Evidence, Kind, Role, Samples, Variable};
use std::collections::HashMap;

/// A term with the name it is shown by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserTerm {
    pub name: String,
    pub term: Term,
}

impl UserTerm {
    /// Reads `t = 2^x`, or a term alone, whose text is then its name.
    pub fn parse(text: &str) -> Result<UserTerm, ParseError> {
        if let Some((name, rest)) = text.split_once('=')
            && is_identifier(name.trim())
        {
            let offset = text.len() - rest.len();
            let term =
                Term::parse(rest).map_err(|error| ParseError { at: error.at + offset, message: error.message })?;
            return Ok(UserTerm { name: name.trim().to_string(), term });
        }
        let term = Term::parse(text)?;
        Ok(UserTerm { name: term.to_string(), term })
    }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Terms with their variables looked up among the columns of one location.
#[derive(Clone, Debug, Default)]
pub struct BoundTerms {
    terms: Vec<UserTerm>,
    columns: HashMap<String, usize>,
}

/// A value as a numerator over a positive denominator.
pub type Fraction = (i64, i64);

/// Why a row has no place among the samples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unplaced {
    Undefined(Undefined),
    /// The value needs more than 64 bits.
    TooWide,
}

impl BoundTerms {
    /// The terms that speak only of these columns, and a note for each that does not.
    pub fn new(terms: &[UserTerm], variables: &[Variable]) -> (BoundTerms, Vec<String>) {
        let columns: HashMap<String, usize> =
            variables.iter().enumerate().map(|(index, variable)| (variable.name.clone(), index)).collect();
        let mut bound = BoundTerms { terms: Vec::new(), columns };
        let mut notes = Vec::new();
        for term in terms {
            let mut missing = None;
            term.term.walk(&mut |part| match part {
                Term::Var(name) if !bound.columns.contains_key(name) => missing = Some(name.clone()),
                Term::Element(name, _) => missing = Some(name.clone()),
                _ => {}
            });
            match missing {
                Some(name) => {
                    notes.push(format!("The term `{}` is left out: there is no variable `{name}` here.", term.name));
                }
                None if bound.columns.contains_key(&term.name) => {
                    notes.push(format!("The term `{}` is left out: a variable has that name.", term.name));
                }
                None => bound.terms.push(term.clone()),
            }
        }
        (bound, notes)
    }

    pub fn terms(&self) -> &[UserTerm] {
        &self.terms
    }

    /// Whether a division is applied to something that holds this column, so that its type decides the value.
    pub fn divides(&self, column: usize) -> bool {
        let mut found = false;
        for term in &self.terms {
            term.term.walk(&mut |part| {
                if let Term::Binary(..) = part {
                    part.walk(&mut |inner| {
                        found |= matches!(inner, Term::Var(name) if self.columns.get(name) == Some(&column));
                    });
                }
            });
        }
        found
    }

    /// The values of the terms on a row.
    pub fn evaluate(&self, cell: &dyn Fn(usize) -> Number) -> Result<Vec<Fraction>, Unplaced> {
        self.terms
            .iter()
            .map(|term| {
                let value = term.term.evaluate(&|name, _| match self.columns.get(name) {
                    Some(&column) => Ok(cell(column)),
                    None => Err(Undefined::Unknown(name.to_string())),
                });
                fraction(&value.map_err(Unplaced::Undefined)?)
            })
            .collect()
    }
}

fn fraction(number: &Number) -> Result<Fraction, Unplaced> {
    if let Number::Small(value) = number {
        return i64::try_from(*value).map(|value| (value, 1)).map_err(|_| Unplaced::TooWide);
    }
    let value = number.to_rational();
    let above = i64::try_from(value.numerator()).map_err(|_| Unplaced::TooWide)?;
    let below = i64::try_from(value.denominator()).map_err(|_| Unplaced::TooWide)?;
    Ok((above, below))
}

/// The exact value of a cell of a column.
pub fn cell_value(variable: &Variable, cell: i64) -> Number {
    match variable.kind {
        Kind::Int => Number::Small(cell.into()),
        Kind::Real { denominator } => Number::Real(RBig::from(IBig::from(cell)) / RBig::from(IBig::from(denominator))),
    }
}

/// The least number that both divide, if it fits.
pub(super) fn common_denominator(a: i64, b: i64) -> Option<i64> {
    let divisor = i64::try_from((a.unsigned_abs()).gcd(b.unsigned_abs())).ok()?;
    (a / divisor).checked_mul(b)
}

/// The evidence with a column for each term, and notes about terms and rows left out.
pub fn extend(evidence: Evidence, terms: &[UserTerm]) -> (Evidence, Vec<String>) {
    let (bound, mut notes) = BoundTerms::new(terms, evidence.variables());
    if bound.terms.is_empty() {
        return (evidence, notes);
    }
    let variables = evidence.variables().to_vec();
    let mut denominators = vec![1i64; bound.terms.len()];
    let values: Vec<Option<Vec<Fraction>>> = evidence
        .rows()
        .map(|row| {
            let values = bound.evaluate(&|column| cell_value(&variables[column], row[column])).ok()?;
            let wanted: Option<Vec<i64>> =
                values.iter().zip(&denominators).map(|((_, below), d)| common_denominator(*below, *d)).collect();
            denominators = wanted?;
            Some(values)
        })
        .collect();
    let real = |term: &UserTerm| {
        let mut real = false;
        term.term.walk(&mut |part| {
            real |= match part {
                Term::Const(value) => !value.is_int(),
                Term::Var(name) => matches!(variables[bound.columns[name]].kind, Kind::Real { .. }),
                _ => false,
            }
        });
        real
    };
    let mut extended = variables.clone();
    for (term, &denominator) in bound.terms.iter().zip(&denominators) {
        let kind = if real(term) { Kind::Real { denominator } } else { Kind::Int };
        extended.push(user_variable(term, kind));
    }
    let (mut left_out, mut at) = (0u64, 0);
    let mut part = |samples: &Samples| {
        let mut wide = Samples::new(extended.clone());
        let mut cells = Vec::with_capacity(extended.len());
        for row in samples.rows() {
            let value = &values[at];
            at += 1;
            cells.clear();
            cells.extend_from_slice(row);
            let scaled: Option<Vec<i64>> = value.as_ref().and_then(|value| {
                value.iter().zip(&denominators).map(|((above, below), d)| above.checked_mul(d / below)).collect()
            });
            match scaled {
                Some(scaled) => {
                    cells.extend(scaled);
                    wide.push(&cells);
                }
                None => left_out += 1,
            }
        }
        wide.count_visits(samples.visits() - samples.len() as u64);
        wide
    };
    let (near, far) = (part(&evidence.near), part(&evidence.far));
    if left_out > 0 {
        notes.push(rows_left_out(left_out));
    }
    (Evidence { near, far }, notes)
}

pub(super) fn user_variable(term: &UserTerm, kind: Kind) -> Variable {
    Variable { term: term.term.clone(), ..Variable::new(term.name.clone(), kind, Role::User) }
}

pub(super) fn rows_left_out(rows: u64) -> String {
    format!("{rows} rows are left out because a term has no value there, or one that does not fit 64 bits.")
}

/// The evidence with only the variables of these names, and the user's terms.
pub fn choose(evidence: &Evidence, names: &[String]) -> Evidence {
    let chosen: Vec<usize> = (0..evidence.variables().len())
        .filter(|&index| {
            let variable = &evidence.variables()[index];
            variable.role == Role::User || names.contains(&variable.name)
        })
        .collect();
    let near = evidence.near.project(&chosen);
    let mut far = Samples::new(near.variables().to_vec());
    let projected = evidence.far.project(&chosen);
    // Rows that differed may coincide now, and the two parts share no row.
    for row in projected.rows() {
        if !near.contains(row) {
            far.push(row);
        }
    }
    far.count_visits(projected.visits() - far.visits());
    Evidence { near, far }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> Evidence {
        let variables = vec![Variable::int("x"), Variable::int("y")];
        let mut near = Samples::new(variables.clone());
        for (x, y) in [(0, 2), (3, 1), (-1, 4), (7, 0), (62, 5), (63, 1)] {
            near.push(&[x, y]);
        }
        near.push(&[3, 1]);
        Evidence { near, far: Samples::new(variables) }
    }

    #[test]
    fn terms_become_columns() {
        let terms: Vec<UserTerm> =
            ["t = 2^x", "x / y", "mod(x, 4)", "1/2*x", "z + 1", "y = x"].map(|t| UserTerm::parse(t).unwrap()).into();
        let (extended, notes) = extend(evidence(), &terms);
        let names: Vec<&str> = extended.variables().iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["x", "y", "t", "x / y", "x mod 4", "1/2*x"]);
        assert_eq!(extended.variables()[5].kind, Kind::Real { denominator: 2 });
        assert_eq!(extended.variables()[2].term.to_string(), "2^x");
        // 2^-1 has no value, 7/0 neither, and 2^63 does not fit.
        let rows: Vec<&[i64]> = extended.near.rows().collect();
        assert_eq!(rows, [&[0, 2, 1, 0, 0, 0][..], &[3, 1, 8, 3, 3, 3], &[62, 5, 1 << 62, 12, 2, 62]]);
        assert_eq!(notes.len(), 3, "{notes:?}");
        assert!(notes[2].starts_with("3 rows"), "{notes:?}");
    }

    #[test]
    fn names_and_mistakes() {
        assert_eq!(UserTerm::parse("a_1 = x*y").unwrap().name, "a_1");
        assert_eq!(UserTerm::parse("r/y").unwrap().name, "r / y");
        assert_eq!(UserTerm::parse("t = 2^").unwrap_err().at, 6);
        assert!(UserTerm::parse("x == y").is_err());
    }

    #[test]
    fn a_choice_keeps_the_parts_apart() {
        let mut evidence = evidence();
        evidence.far.push(&[9, 2]);
        evidence.far.push(&[9, 77]);
        let y = choose(&evidence, &["y".to_string()]);
        assert_eq!(y.near.len(), 5);
        assert_eq!(y.far.rows().collect::<Vec<_>>(), [[77]]);
        assert_eq!((y.near.visits(), y.far.visits()), (7, 2));
    }
}
