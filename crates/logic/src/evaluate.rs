//! The exact value of a predicate.

use super::{Number, Operator, Predicate, Term};
use crate::{Scalar, Valuation};

/// Why a predicate has no truth value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undefined {
    DivisionByZero,
    /// A floating variable is infinite or not a number.
    NotFinite(String),
    /// `%`, `mod`, `div`, a congruence or an exponent on numbers that are not integers.
    NotInteger(&'static str),
    NegativeExponent,
    /// The variable has no value here.
    Unknown(String),
    /// A number grew past the bound of evaluation.
    TooLarge,
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undefined::DivisionByZero => f.write_str("division by zero"),
            Undefined::NotFinite(name) => write!(f, "`{name}` is not finite"),
            Undefined::NotInteger(what) => write!(f, "`{what}` of a number that is not an integer"),
            Undefined::NegativeExponent => f.write_str("a negative exponent"),
            Undefined::Unknown(name) => write!(f, "`{name}` has no value here"),
            Undefined::TooLarge => f.write_str("a number grew beyond a million bits"),
        }
    }
}

impl std::error::Error for Undefined {}

/// No number may take more bits.
const MOST_BITS: usize = 1 << 20;

/// What a name stands for: a variable (no indices) or an element of an array.
type Lookup<'a> = &'a dyn Fn(&str, &[Number]) -> Result<Number, Undefined>;

impl Predicate {
    /// Whether it holds of a row, whose variables it names.
    pub fn holds(&self, row: &impl Valuation) -> Result<bool, Undefined> {
        self.evaluate(&|name, indices| {
            let value = if indices.is_empty() { row.value_of(name) } else { element(row, name, indices) };
            value.map_or_else(|| Err(Undefined::Unknown(name.to_string())), |v| number(name, v))
        })
    }

    /// Whether it holds, with the values from `lookup`, which gets the indices of an array element or none.
    pub fn evaluate(&self, lookup: Lookup<'_>) -> Result<bool, Undefined> {
        match self {
            Predicate::Const(value) => Ok(*value),
            Predicate::Compare(relation, left, right) => {
                Ok(relation.holds(left.evaluate(lookup)?.compare(&right.evaluate(lookup)?)))
            }
            Predicate::Congruent(left, right, modulus) => {
                let difference = left.evaluate(lookup)?.add(&right.evaluate(lookup)?.neg());
                if modulus <= &dashu_int::IBig::ZERO {
                    return Err(Undefined::DivisionByZero);
                }
                let rest = difference.remainder(&Number::integer(modulus.clone()));
                Ok(rest.ok_or(Undefined::NotInteger("==="))?.is_zero())
            }
            Predicate::Not(part) => Ok(!part.evaluate(lookup)?),
            Predicate::And(parts) => {
                for part in parts {
                    if !part.evaluate(lookup)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Predicate::Or(parts) => {
                for part in parts {
                    if part.evaluate(lookup)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Predicate::Implies(left, right) => Ok(!left.evaluate(lookup)? || right.evaluate(lookup)?),
        }
    }
}

/// A trace records an element under its name as written, `A[0][2]`.
fn element(row: &impl Valuation, name: &str, indices: &[Number]) -> Option<Scalar> {
    let mut full = name.to_string();
    for index in indices {
        full += &format!("[{}]", index.to_int()?);
    }
    row.value_of(&full)
}

fn number(name: &str, value: Scalar) -> Result<Number, Undefined> {
    match value {
        Scalar::Int(int) => Ok(Number::Small(int)),
        Scalar::Float(float) => Number::float(float).ok_or_else(|| Undefined::NotFinite(name.to_string())),
    }
}

impl Term {
    /// The value, with the variables' values from `lookup`.
    pub fn evaluate(&self, lookup: Lookup<'_>) -> Result<Number, Undefined> {
        let value = match self {
            Term::Const(value) => Number::constant(value),
            Term::Var(name) => lookup(name, &[])?,
            Term::Element(name, indices) => {
                let indices: Result<Vec<Number>, Undefined> = indices.iter().map(|i| i.evaluate(lookup)).collect();
                lookup(name, &indices?)?
            }
            Term::Neg(part) => part.evaluate(lookup)?.neg(),
            Term::Sum(parts) => {
                let mut sum = Number::Small(0);
                for part in parts {
                    sum = sum.add(&part.evaluate(lookup)?);
                }
                sum
            }
            Term::Product(parts) => {
                let mut product = Number::Small(1);
                for part in parts {
                    product = bounded(product.mul(&part.evaluate(lookup)?))?;
                }
                product
            }
            Term::Power(base, exponent) => {
                let base = base.evaluate(lookup)?;
                let trivial = [-1, 0, 1].iter().any(|n| base == Number::Small(*n));
                if !trivial && significant_bits(&base).saturating_mul(*exponent as usize) > MOST_BITS {
                    return Err(Undefined::TooLarge);
                }
                base.power(*exponent)
            }
            Term::Exponential(base, exponent) => {
                let exponent = exponent.evaluate(lookup)?.to_int().ok_or(Undefined::NotInteger("^"))?;
                if exponent < dashu_int::IBig::ZERO {
                    return Err(Undefined::NegativeExponent);
                }
                let exponent = u32::try_from(exponent).map_err(|_| Undefined::TooLarge)?;
                let base = Number::Small((*base).into());
                if significant_bits(&base).saturating_mul(exponent as usize) > MOST_BITS {
                    return Err(Undefined::TooLarge);
                }
                base.power(exponent)
            }
            Term::Binary(operator, left, right) => {
                let (left, right) = (left.evaluate(lookup)?, right.evaluate(lookup)?);
                if right.is_zero() {
                    return Err(Undefined::DivisionByZero);
                }
                let result = match operator {
                    Operator::Quotient => Some(left.quotient(&right)),
                    Operator::Remainder => left.remainder(&right),
                    Operator::Div => left.div(&right),
                    Operator::Mod => left.modulo(&right),
                };
                result.ok_or(Undefined::NotInteger(operator.symbol()))?
            }
            Term::Min(parts) | Term::Max(parts) => {
                let wanted =
                    if matches!(self, Term::Min(_)) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater };
                let mut real = false;
                let mut best: Option<Number> = None;
                for part in parts {
                    let value = part.evaluate(lookup)?;
                    real |= !value.is_integer();
                    if best.as_ref().is_none_or(|b| value.compare(b) == wanted) {
                        best = Some(value);
                    }
                }
                let best = best.ok_or_else(|| Undefined::Unknown("min of nothing".to_string()))?;
                // The type is that of all arguments together, as in C's conditional.
                if real { Number::Real(best.to_rational()) } else { best }
            }
            Term::Abs(part) => part.evaluate(lookup)?.abs(),
        };
        bounded(value)
    }
}

fn significant_bits(number: &Number) -> usize {
    match number {
        Number::Small(value) => 128 - value.unsigned_abs().leading_zeros() as usize,
        other => other.bits(),
    }
}

fn bounded(number: Number) -> Result<Number, Undefined> {
    if number.bits() > MOST_BITS { Err(Undefined::TooLarge) } else { Ok(number) }
}
