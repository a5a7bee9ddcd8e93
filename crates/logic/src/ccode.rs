//! Predicates as C expressions that compile.
//!
//! Fractions do not exist in C, so both sides of a comparison are multiplied until they are gone; powers become
//! products, `2^x` a shift, `min`, `max` and `abs` conditionals, and the mathematical `div` and `mod` are built from C's.
//!
//! *Guarantee.* With [`Arithmetic::Wide`] the expression has the predicate's value wherever that is defined and every
//! intermediate result fits 128 bits. With [`Arithmetic::AsDeclared`] it reads as a programmer would write it and has
//! the predicate's value wherever C's own arithmetic on the declared types does not overflow ([`Arithmetic::Long`]: on
//! `long long`); unsigned variables are
//! cast to a wider signed type, since C would otherwise wrap `u - v` and misread `u > -1`. On floating variables C
//! rounds and the predicate does not.

use super::number::is_negative;
use super::{Operator, Predicate, Term};
use crate::ValueType;
use dashu_base::{Abs, Gcd};
use dashu_int::IBig;
use dashu_ratio::RBig;
use ir::IntKind;

/// The integer types in which the expression computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    AsDeclared,
    /// Every integer variable of at most 64 bits is converted to `long long`; for readers that know no wider type.
    Long,
    /// Every integer variable is converted to `__int128`.
    Wide,
}

/// How to write C.
#[derive(Clone, Copy)]
pub struct CStyle<'a> {
    /// The type of a variable (for an array, of its elements); unknown ones count as `int`.
    pub types: &'a dyn Fn(&str) -> Option<ValueType>,
    pub arithmetic: Arithmetic,
}

/// Why a predicate has no form in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotC(pub String);

impl std::fmt::Display for NotC {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotC {}

/// Longer expressions help nobody and can grow without bound by repetition.
const LONGEST: usize = 100_000;

/// A piece of C and how tightly it binds.
struct Piece {
    text: String,
    binds: Binds,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Unary,
    Atom,
}

impl Piece {
    fn new(binds: Binds, text: String) -> Piece {
        Piece { text, binds }
    }

    /// The text, in parentheses if it binds looser than `least`.
    fn at(&self, least: Binds) -> String {
        if self.binds < least { format!("({})", self.text) } else { self.text.clone() }
    }
}

impl Predicate {
    /// The predicate in C; see the module documentation for what is promised.
    pub fn to_c(&self, style: &CStyle<'_>) -> Result<String, NotC> {
        style.predicate(self).map(|piece| piece.text)
    }
}

impl Term {
    /// The term in C, if it has no fractions.
    pub fn to_c(&self, style: &CStyle<'_>) -> Result<String, NotC> {
        style.term(self).map(|piece| piece.text)
    }
}

impl CStyle<'_> {
    fn predicate(&self, predicate: &Predicate) -> Result<Piece, NotC> {
        let piece = match predicate {
            Predicate::Const(value) => Piece::new(Binds::Atom, u8::from(*value).to_string()),
            Predicate::Compare(relation, left, right) => {
                let (left, right) = self.without_fractions(left, right)?;
                let (left, right) = (self.term(&left)?, self.term(&right)?);
                let text = format!("{} {} {}", left.at(Binds::Sum), relation.symbol(), right.at(Binds::Sum));
                Piece::new(Binds::Compare, text)
            }
            Predicate::Congruent(left, right, modulus) => {
                let difference = match right {
                    Term::Const(zero) if zero.is_zero() => left.clone(),
                    _ => Term::Sum(vec![left.clone(), right.clone().negated()]),
                };
                self.integral(&difference, "===")?;
                let modulus = self.constant(modulus)?;
                let difference = self.term(&difference)?.at(Binds::Unary);
                let text = format!("{difference} % {} == 0", modulus.at(Binds::Unary));
                Piece::new(Binds::Compare, text)
            }
            Predicate::Not(part) => Piece::new(Binds::Unary, format!("!{}", self.predicate(part)?.at(Binds::Atom))),
            Predicate::And(parts) => self.joined(parts, " && ", Binds::And)?,
            Predicate::Or(parts) => self.joined(parts, " || ", Binds::Or)?,
            Predicate::Implies(left, right) => {
                let (left, right) = (self.predicate(left)?, self.predicate(right)?);
                // Compilers warn about `&&` within `||` without parentheses.
                let right = if right.binds == Binds::And { format!("({})", right.text) } else { right.at(Binds::Or) };
                Piece::new(Binds::Or, format!("!{} || {right}", left.at(Binds::Atom)))
            }
        };
        short(piece)
    }

    fn joined(&self, parts: &[Predicate], operator: &str, binds: Binds) -> Result<Piece, NotC> {
        let mut texts = Vec::new();
        for part in parts {
            texts.push(self.predicate(part)?.at(Binds::Compare));
        }
        if texts.is_empty() {
            return Ok(Piece::new(Binds::Atom, u8::from(binds == Binds::And).to_string()));
        }
        Ok(Piece::new(binds, texts.join(operator)))
    }

    fn is_real(&self, term: &Term) -> bool {
        match term {
            Term::Const(value) => !value.is_int(),
            Term::Var(name) | Term::Element(name, _) => (self.types)(name).is_some_and(|ty| !ty.is_int()),
            _ => term.children().into_iter().any(|child| self.is_real(child)),
        }
    }

    fn integral(&self, term: &Term, operator: &str) -> Result<(), NotC> {
        if self.is_real(term) { Err(NotC(format!("C has no `{operator}` on floating values"))) } else { Ok(()) }
    }

    /// Both sides multiplied by the same positive number, so that no fraction is left.
    fn without_fractions(&self, left: &Term, right: &Term) -> Result<(Term, Term), NotC> {
        let ((left, below_left), (right, below_right)) = (self.scaled(left)?, self.scaled(right)?);
        let common = lcm(&below_left, &below_right);
        Ok((times(left, &common / below_left), times(right, &common / below_right)))
    }

    /// A term without fractions and a positive number: their quotient is the given term.
    fn scaled(&self, term: &Term) -> Result<(Term, IBig), NotC> {
        Ok(match term {
            Term::Const(value) => (Term::int(value.numerator().clone()), IBig::from(value.denominator().clone())),
            Term::Var(_) => (term.clone(), IBig::ONE),
            Term::Element(_, indices) => {
                indices.iter().try_for_each(|index| self.integral(index, "[]"))?;
                (term.clone(), IBig::ONE)
            }
            Term::Neg(part) => {
                let (part, below) = self.scaled(part)?;
                (part.negated(), below)
            }
            Term::Abs(part) => {
                let (part, below) = self.scaled(part)?;
                (Term::Abs(Box::new(part)), below)
            }
            Term::Sum(parts) => self.scaled_alike(parts, Term::sum)?,
            Term::Min(parts) => self.scaled_alike(parts, Term::Min)?,
            Term::Max(parts) => self.scaled_alike(parts, Term::Max)?,
            Term::Product(parts) => {
                let mut below = IBig::ONE;
                let mut factors = Vec::new();
                for part in parts {
                    let (factor, denominator) = self.scaled(part)?;
                    below *= denominator;
                    factors.push(factor);
                }
                if factors.len() > 1 && factors[0] == Term::int(1) {
                    factors.remove(0);
                }
                (Term::product(factors), below)
            }
            Term::Power(base, exponent) => {
                let (base, below) = self.scaled(base)?;
                (base.power(*exponent), below.pow(*exponent as usize))
            }
            Term::Exponential(_, exponent) => {
                self.integral(exponent, "^")?;
                (term.clone(), IBig::ONE)
            }
            Term::Binary(Operator::Quotient, left, right) if self.is_real(term) => {
                let ((left, below_left), (right, below_right)) = (self.scaled(left)?, self.scaled(right)?);
                let (left, right) = (times(left, below_right), times(right, below_left));
                (Term::binary(Operator::Quotient, left, right), IBig::ONE)
            }
            Term::Binary(operator, left, right) => {
                self.integral(left, operator.symbol())?;
                self.integral(right, operator.symbol())?;
                (term.clone(), IBig::ONE)
            }
        })
    }

    fn scaled_alike(&self, parts: &[Term], build: fn(Vec<Term>) -> Term) -> Result<(Term, IBig), NotC> {
        let scaled: Result<Vec<(Term, IBig)>, NotC> = parts.iter().map(|part| self.scaled(part)).collect();
        let scaled = scaled?;
        let common = scaled.iter().fold(IBig::ONE, |common, (_, below)| lcm(&common, below));
        let parts = scaled.into_iter().map(|(part, below)| times(part, &common / below)).collect();
        Ok((build(parts), common))
    }

    /// A term without fractions, except inside a real quotient that was given one.
    fn term(&self, term: &Term) -> Result<Piece, NotC> {
        let piece = match term {
            Term::Const(value) if value.is_int() => self.constant(value.numerator())?,
            Term::Const(value) => {
                let (above, below) = (value.numerator(), IBig::from(value.denominator().clone()));
                let (above, below) = (self.constant(above)?, self.constant(&below)?);
                Piece::new(Binds::Product, format!("(double){} / {}", above.at(Binds::Unary), below.at(Binds::Unary)))
            }
            Term::Var(name) => self.variable(name, name.clone()),
            Term::Element(name, indices) => {
                let mut text = name.clone();
                for index in indices {
                    // An index is narrowed again: pointers are not indexed by 128-bit numbers everywhere.
                    let narrow = CStyle { arithmetic: Arithmetic::AsDeclared, ..*self };
                    text += &format!("[{}]", narrow.term(index)?.text);
                }
                self.variable(name, text)
            }
            Term::Neg(part) => Piece::new(Binds::Unary, format!("-{}", self.term(part)?.at(Binds::Atom))),
            Term::Sum(parts) => self.sum(parts)?,
            Term::Product(factors) => self.product(factors.iter())?,
            Term::Power(_, 0) => Piece::new(Binds::Atom, "1".to_string()),
            Term::Power(base, exponent) => {
                let base = self.term(base)?.at(Binds::Unary);
                if base.len().saturating_mul(*exponent as usize) > LONGEST {
                    return Err(too_long());
                }
                let binds = if *exponent == 1 { Binds::Unary } else { Binds::Product };
                Piece::new(binds, vec![base; *exponent as usize].join("*"))
            }
            Term::Exponential(2, exponent) => {
                self.integral(exponent, "^")?;
                let one = if self.arithmetic == Arithmetic::Wide { "(__int128)1" } else { "1L" };
                Piece::new(Binds::Atom, format!("({one} << {})", self.term(exponent)?.at(Binds::Unary)))
            }
            Term::Exponential(base, _) => return Err(NotC(format!("C has no powers of {base}"))),
            Term::Binary(operator, left, right) => self.division(*operator, left, right)?,
            Term::Min(parts) => self.extreme(parts, "<=")?,
            Term::Max(parts) => self.extreme(parts, ">=")?,
            Term::Abs(part) => {
                let part = self.term(part)?;
                let (plain, tight) = (part.at(Binds::Sum), part.at(Binds::Atom));
                Piece::new(Binds::Atom, format!("({plain} < 0 ? -{tight} : {plain})"))
            }
        };
        short(piece)
    }

    fn variable(&self, name: &str, text: String) -> Piece {
        let Some(ValueType::Int(kind)) = (self.types)(name).or(Some(ValueType::Int(IntKind::Int))) else {
            return Piece::new(Binds::Atom, text);
        };
        let cast = match (self.arithmetic, kind) {
            (Arithmetic::Wide, IntKind::Int128) => None,
            (Arithmetic::Wide, _) => Some("__int128"),
            (Arithmetic::AsDeclared, IntKind::UInt) => Some("long long"),
            (Arithmetic::Long, IntKind::Long | IntKind::LongLong | IntKind::Int128) => None,
            (Arithmetic::AsDeclared | Arithmetic::Long, IntKind::ULong | IntKind::ULongLong | IntKind::UInt128) => {
                Some("__int128")
            }
            (Arithmetic::Long, _) => Some("long long"),
            // Types narrower than int are promoted to it.
            (Arithmetic::AsDeclared, _) => None,
        };
        match cast {
            Some(cast) => Piece::new(Binds::Unary, format!("({cast}){text}")),
            None => Piece::new(Binds::Atom, text),
        }
    }

    fn constant(&self, value: &IBig) -> Result<Piece, NotC> {
        if let Ok(value) = i64::try_from(value) {
            return Ok(match value {
                // C has no negative literals, and this one's opposite does not fit.
                i64::MIN => Piece::new(Binds::Atom, "(-9223372036854775807 - 1)".to_string()),
                0.. => Piece::new(Binds::Atom, value.to_string()),
                _ => Piece::new(Binds::Unary, value.to_string()),
            });
        }
        let Ok(size) = i128::try_from(value.clone().abs()) else {
            return Err(NotC("a constant has more than 127 bits".to_string()));
        };
        let (high, low) = (size >> 64, size as u64);
        let text = format!("((__int128){high} << 64 | {low}u)");
        Ok(if is_negative(&RBig::from(value.clone())) {
            Piece::new(Binds::Unary, format!("-{text}"))
        } else {
            Piece::new(Binds::Atom, text)
        })
    }

    fn sum(&self, parts: &[Term]) -> Result<Piece, NotC> {
        let mut text = String::new();
        for (i, part) in parts.iter().enumerate() {
            let opposite = match part {
                Term::Const(value) => is_negative(value),
                Term::Product(factors) => matches!(factors.first(), Some(Term::Const(v)) if is_negative(v)),
                Term::Neg(_) => true,
                _ => false,
            };
            if i > 0 && opposite {
                let positive = match part {
                    Term::Neg(inner) => self.term(inner)?,
                    other => self.term(&other.clone().negated())?,
                };
                text += &format!(" - {}", positive.at(Binds::Product));
            } else {
                // A sum inside a sum keeps its parentheses, so that the order of evaluation is the tree's.
                let piece = self.term(part)?;
                let piece = if i == 0 { piece.at(Binds::Sum) } else { piece.at(Binds::Product) };
                text += &format!("{}{piece}", if i == 0 { "" } else { " + " });
            }
        }
        Ok(Piece::new(Binds::Sum, text))
    }

    fn product<'t>(&self, factors: impl Iterator<Item = &'t Term>) -> Result<Piece, NotC> {
        let mut texts = Vec::new();
        for factor in factors {
            // A power is a product, and products associate.
            let least = if matches!(factor, Term::Power(..)) { Binds::Product } else { Binds::Unary };
            texts.push(self.term(factor)?.at(least));
        }
        Ok(Piece::new(Binds::Product, texts.join("*")))
    }

    fn division(&self, operator: Operator, left: &Term, right: &Term) -> Result<Piece, NotC> {
        let real = self.is_real(left) || self.is_real(right);
        if real && operator != Operator::Quotient {
            return Err(NotC(format!("C has no `{}` on floating values", operator.symbol())));
        }
        let divisor = self.term(right)?;
        let (a, b) = (self.term(left)?.at(Binds::Unary), divisor.at(Binds::Unary));
        let opposite = format!("-{}", divisor.at(Binds::Atom));
        let modulo = format!("({a} % {b} < 0 ? {a} % {b} + ({b} < 0 ? {opposite} : {b}) : {a} % {b})");
        Ok(match operator {
            Operator::Quotient if real => Piece::new(Binds::Product, format!("(double){a} / {b}")),
            Operator::Quotient => Piece::new(Binds::Product, format!("{a} / {b}")),
            Operator::Remainder => Piece::new(Binds::Product, format!("{a} % {b}")),
            Operator::Mod => Piece::new(Binds::Atom, modulo),
            Operator::Div => Piece::new(Binds::Product, format!("({a} - {modulo}) / {b}")),
        })
    }

    /// Takes the first part that is extreme among itself and those after it.
    fn extreme(&self, parts: &[Term], operator: &str) -> Result<Piece, NotC> {
        let mut texts = Vec::new();
        for part in parts {
            texts.push(self.term(part)?.at(Binds::Sum));
        }
        let Some(mut result) = texts.pop() else {
            return Err(NotC("the minimum or maximum of nothing".to_string()));
        };
        let mut later = vec![result.clone()];
        while let Some(text) = texts.pop() {
            let best: Vec<String> = later.iter().map(|other| format!("{text} {operator} {other}")).collect();
            result = format!("({} ? {text} : {result})", best.join(" && "));
            later.push(text);
            if result.len() > LONGEST {
                return Err(too_long());
            }
        }
        Ok(if parts.len() == 1 { Piece::new(Binds::Sum, result) } else { Piece::new(Binds::Atom, result) })
    }
}

fn lcm(a: &IBig, b: &IBig) -> IBig {
    let divisor = IBig::from(a.gcd(b));
    a / divisor * b
}

fn times(term: Term, factor: IBig) -> Term {
    if factor == IBig::ONE {
        return term;
    }
    match term {
        Term::Const(value) => Term::Const(value * RBig::from(factor)),
        Term::Product(mut factors) => {
            match factors.first_mut() {
                Some(Term::Const(value)) => *value = value.clone() * RBig::from(factor),
                _ => factors.insert(0, Term::int(factor)),
            }
            Term::Product(factors)
        }
        // Multiplying each summand keeps the shape people expect: 2*x + 1, not 2*(x + 1/2).
        Term::Sum(parts) => Term::Sum(parts.into_iter().map(|part| times(part, factor.clone())).collect()),
        Term::Neg(part) => times(*part, -factor),
        other => Term::Product(vec![Term::int(factor), other]),
    }
}

fn too_long() -> NotC {
    NotC(format!("the C expression would be longer than {LONGEST} characters"))
}

fn short(piece: Piece) -> Result<Piece, NotC> {
    if piece.text.len() > LONGEST { Err(too_long()) } else { Ok(piece) }
}
