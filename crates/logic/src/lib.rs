//! Statements about a program's variables: the shared noun of `infer`, `prove`, `reach` and `repair`.
//!
//! A [`Predicate`] is a tree over named variables. It is parsed from text ([`Predicate::parse`]), evaluated exactly on
//! a trace row ([`Predicate::holds`]), brought to a comparable form ([`Predicate::normalise`]), printed for people
//! (`Display`) and as C ([`Predicate::to_c`]), and encoded for the solver ([`Predicate::to_smt`]).
//!
//! *Meaning.* Numbers are exact: unbounded integers, and rationals for floating variables and fractions. There is no
//! overflow and no rounding. Every term is an integer or a real: variables by their C type, constants by whether they
//! are whole, results real as soon as one operand is. Two operators depend on it:
//!
//! | written | on integers | on reals |
//! |---|---|---|
//! | `a / b` | C: truncates towards zero | exact |
//! | `a % b` | C: sign of the dividend | undefined |
//! | `a div b`, `a mod b` | mathematical: the remainder is never negative | undefined |
//!
//! `div(a, b)` and `mod(a, b)` are the same. A quotient of two literals, `1/2`, is that fraction. `x^3` and `x**3` are
//! powers; `2^x` is an exponential, of a whole base and an integer that is not negative. `a === b (mod m)` is congruence.
//! Comparisons chain: `11 >= y >= 5`. `==>` binds loosest, to the right; then `||`, `&&`, `!`, comparisons.
//!
//! A predicate may be *undefined* on a row (division by zero, `2^x` of a negative `x`, a value that is not finite). `&&`, `||` and `==>` look at
//! their operands from left to right and only as far as needed, as C does.

mod ccode;
mod display;
mod encode;
mod evaluate;
mod machine;
mod normalise;
mod number;
mod parse;
pub mod polynomial;
mod prepared;
mod substitute;
mod value;

pub use ccode::{Arithmetic, CStyle, NotC};
pub use encode::NotEncodable;
pub use evaluate::Undefined;
pub use number::Number;
pub use parse::ParseError;
pub use prepared::{Block, Cell, Prepared};
pub use value::{Scalar, Valuation, ValueType, Variable, parse_integer};

use dashu_int::IBig;
use dashu_ratio::RBig;
use std::collections::BTreeSet;

/// A number-valued expression. The constructors ([`Term::sum`], [`Term::product`], …) make the canonical forms that
/// printing and parsing preserve.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Const(RBig),
    Var(String),
    /// An element of an array variable: `A[i][j]`.
    Element(String, Vec<Term>),
    Neg(Box<Term>),
    /// At least two summands.
    Sum(Vec<Term>),
    /// At least two factors.
    Product(Vec<Term>),
    Power(Box<Term>, u32),
    /// A base of at least two to the power of an integer term that is not negative.
    Exponential(u32, Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    /// At least one argument.
    Min(Vec<Term>),
    /// At least one argument.
    Max(Vec<Term>),
    Abs(Box<Term>),
}

/// The operators of which there is a C meaning and a mathematical one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Operator {
    /// `/`, as C's.
    Quotient,
    /// `%`, as C's.
    Remainder,
    /// `div`: the quotient that goes with `mod`.
    Div,
    /// `mod`: the remainder that is never negative.
    Mod,
}

impl Operator {
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Quotient => "/",
            Operator::Remainder => "%",
            Operator::Div => "div",
            Operator::Mod => "mod",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Relation {
    pub const ALL: [Relation; 6] = [Relation::Eq, Relation::Ne, Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge];

    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Eq => "==",
            Relation::Ne => "!=",
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Gt => ">",
            Relation::Ge => ">=",
        }
    }

    /// What holds exactly when this does not.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
            Relation::Lt => Relation::Ge,
            Relation::Le => Relation::Gt,
            Relation::Gt => Relation::Le,
            Relation::Ge => Relation::Lt,
        }
    }

    /// What holds of `(b, a)` exactly when this holds of `(a, b)`.
    pub fn swapped(self) -> Relation {
        match self {
            Relation::Lt => Relation::Gt,
            Relation::Le => Relation::Ge,
            Relation::Gt => Relation::Lt,
            Relation::Ge => Relation::Le,
            same => same,
        }
    }

    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Eq => order.is_eq(),
            Relation::Ne => order.is_ne(),
            Relation::Lt => order.is_lt(),
            Relation::Le => order.is_le(),
            Relation::Gt => order.is_gt(),
            Relation::Ge => order.is_ge(),
        }
    }
}

/// A statement that is true or false of the variables' values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    Const(bool),
    Compare(Relation, Term, Term),
    /// `a === b (mod m)` with a positive modulus.
    Congruent(Term, Term, IBig),
    Not(Box<Predicate>),
    /// At least two parts.
    And(Vec<Predicate>),
    /// At least two parts.
    Or(Vec<Predicate>),
    Implies(Box<Predicate>, Box<Predicate>),
}

impl Term {
    pub fn int(value: impl Into<IBig>) -> Term {
        Term::Const(RBig::from(value.into()))
    }

    pub fn var(name: impl Into<String>) -> Term {
        Term::Var(name.into())
    }

    /// The sum; of one summand it is that summand, of none zero.
    pub fn sum(mut terms: Vec<Term>) -> Term {
        match terms.len() {
            0 => Term::int(0),
            1 => terms.remove(0),
            _ => Term::Sum(terms),
        }
    }

    /// The product; of one factor it is that factor, of none one.
    pub fn product(mut terms: Vec<Term>) -> Term {
        match terms.len() {
            0 => Term::int(1),
            1 => terms.remove(0),
            _ => Term::Product(terms),
        }
    }

    /// The opposite, with the sign in a leading constant where there is one, as the parser reads `-2*x`.
    pub fn negated(self) -> Term {
        match self {
            Term::Const(value) => Term::Const(-value),
            Term::Product(mut factors) if matches!(factors.first(), Some(Term::Const(_))) => {
                if let Some(Term::Const(value)) = factors.first_mut() {
                    *value = -std::mem::take(value);
                }
                Term::Product(factors)
            }
            other => Term::Neg(Box::new(other)),
        }
    }

    pub fn power(self, exponent: u32) -> Term {
        Term::Power(Box::new(self), exponent)
    }

    /// `base^exponent`; the base is at least two.
    pub fn exponential(base: u32, exponent: Term) -> Term {
        Term::Exponential(base, Box::new(exponent))
    }

    pub fn binary(operator: Operator, left: Term, right: Term) -> Term {
        Term::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn compare(self, relation: Relation, other: Term) -> Predicate {
        Predicate::Compare(relation, self, other)
    }

    /// The immediate parts.
    pub fn children(&self) -> Vec<&Term> {
        match self {
            Term::Const(_) | Term::Var(_) => Vec::new(),
            Term::Element(_, parts) | Term::Sum(parts) | Term::Product(parts) => parts.iter().collect(),
            Term::Min(parts) | Term::Max(parts) => parts.iter().collect(),
            Term::Neg(part) | Term::Power(part, _) | Term::Exponential(_, part) | Term::Abs(part) => vec![part],
            Term::Binary(_, left, right) => vec![left, right],
        }
    }

    /// Calls `visit` on this term and everything inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl Predicate {
    /// The conjunction; of one part it is that part, of none true.
    pub fn all(mut parts: Vec<Predicate>) -> Predicate {
        match parts.len() {
            0 => Predicate::Const(true),
            1 => parts.remove(0),
            _ => Predicate::And(parts),
        }
    }

    /// The disjunction; of one part it is that part, of none false.
    pub fn any(mut parts: Vec<Predicate>) -> Predicate {
        match parts.len() {
            0 => Predicate::Const(false),
            1 => parts.remove(0),
            _ => Predicate::Or(parts),
        }
    }

    pub fn negate(self) -> Predicate {
        Predicate::Not(Box::new(self))
    }

    pub fn implies(self, other: Predicate) -> Predicate {
        Predicate::Implies(Box::new(self), Box::new(other))
    }

    /// The immediate parts that are predicates.
    pub fn children(&self) -> Vec<&Predicate> {
        match self {
            Predicate::Const(_) | Predicate::Compare(..) | Predicate::Congruent(..) => Vec::new(),
            Predicate::Not(part) => vec![part],
            Predicate::And(parts) | Predicate::Or(parts) => parts.iter().collect(),
            Predicate::Implies(left, right) => vec![left, right],
        }
    }

    /// Calls `visit` on every term inside, outermost first, in text order.
    pub fn walk_terms<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        if let Predicate::Compare(_, left, right) | Predicate::Congruent(left, right, _) = self {
            left.walk(visit);
            right.walk(visit);
        }
        for child in self.children() {
            child.walk_terms(visit);
        }
    }

    /// The names it speaks about, arrays included, in alphabetical order.
    pub fn variables(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.walk_terms(&mut |term| {
            if let Term::Var(name) | Term::Element(name, _) = term {
                names.insert(name.as_str());
            }
        });
        names
    }
}
