//! Predicates as terms of the solver, over unbounded integers and reals.
//!
//! The caller says what each variable is, so the same predicate can speak about any step of an unrolled program. The
//! encoding has the predicate's value under every model under which the predicate is defined; where it is not, the
//! solver chooses. [`Predicate::divisors`] lists the terms that must not be zero for it to be defined.

use super::{Operator, Predicate, Relation, Term};
use smt::{Int, Sort, SortId, TermId, TermPool};

/// Why a predicate cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotEncodable {
    /// The caller has no term for this variable.
    Unknown(String),
    /// The variable's term is not of the sort its use needs.
    Sort(String),
    /// `%`, `mod`, `div` or a congruence on reals.
    NotInteger(&'static str),
    /// The solver's theories have no exponentials.
    Exponential(String),
    /// Its exact value needs more bits than are worth asking about.
    TooWide,
}

impl std::fmt::Display for NotEncodable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotEncodable::Unknown(name) => write!(f, "`{name}` is not a variable here"),
            NotEncodable::Sort(name) => write!(f, "`{name}` is not a number, or not an array of numbers"),
            NotEncodable::Exponential(term) => write!(f, "the solver has no exponentials such as `{term}`"),
            NotEncodable::TooWide => f.write_str("its values need too many bits"),
            NotEncodable::NotInteger(what) => write!(f, "`{what}` of a number that is not an integer"),
        }
    }
}

impl std::error::Error for NotEncodable {}

/// The term of a variable: an integer, a real, or an array (of arrays) from integers to one of them.
type Lookup<'a> = &'a dyn Fn(&str) -> Option<TermId>;

impl Predicate {
    /// The predicate as a truth-valued term.
    pub fn to_smt(&self, pool: &TermPool, lookup: Lookup<'_>) -> Result<TermId, NotEncodable> {
        Encoder { pool, lookup }.predicate(self)
    }

    /// The divisors inside: where all of them differ from zero, `/`, `%`, `div` and `mod` are defined.
    pub fn divisors(&self) -> Vec<&Term> {
        let mut divisors = Vec::new();
        self.walk_terms(&mut |term| {
            if let Term::Binary(_, _, divisor) = term {
                divisors.push(&**divisor);
            }
        });
        divisors
    }
}

impl Term {
    /// The term as an integer or a real.
    pub fn to_smt(&self, pool: &TermPool, lookup: Lookup<'_>) -> Result<TermId, NotEncodable> {
        Encoder { pool, lookup }.term(self)
    }
}

/// How comparisons are encoded; the connectives are the same for all.
pub(super) trait Comparing {
    fn pool(&self) -> &TermPool;
    fn compared(&self, relation: Relation, left: &Term, right: &Term) -> Result<TermId, NotEncodable>;
    fn congruent(&self, left: &Term, right: &Term, modulus: &Int) -> Result<TermId, NotEncodable>;

    fn predicate(&self, predicate: &Predicate) -> Result<TermId, NotEncodable> {
        let pool = self.pool();
        let all = |parts: &[Predicate]| parts.iter().map(|part| self.predicate(part)).collect::<Result<Vec<_>, _>>();
        Ok(match predicate {
            Predicate::Const(value) => pool.bool(*value),
            Predicate::Compare(relation, left, right) => self.compared(*relation, left, right)?,
            Predicate::Congruent(left, right, modulus) => self.congruent(left, right, modulus)?,
            Predicate::Not(part) => pool.not(self.predicate(part)?),
            Predicate::And(parts) => pool.and(&all(parts)?),
            Predicate::Or(parts) => pool.or(&all(parts)?),
            Predicate::Implies(left, right) => pool.implies(self.predicate(left)?, self.predicate(right)?),
        })
    }
}

/// A comparison of floating variables with each other or with numbers that are values of their format, as IEEE 754
/// compares: false of a NaN. `None` for anything else; sums and products of floating values mean something else to a
/// predicate, which knows no rounding.
pub(super) fn compared_floats(
    pool: &TermPool,
    lookup: Lookup<'_>,
    relation: Relation,
    left: &Term,
    right: &Term,
) -> Option<TermId> {
    let variable = |term: &Term| match term {
        Term::Var(name) => lookup(name).filter(|term| pool.float_format(*term).is_some()),
        _ => None,
    };
    let format = variable(left).or(variable(right)).and_then(|term| pool.float_format(term))?;
    let side = |term: &Term| match term {
        Term::Const(value) => {
            let double = value.to_f64();
            let exact = matches!(&double, dashu_base::Approximation::Exact(_));
            let (double, float) = (double.value(), ieee::Value::from_f64(format, double.value()));
            (exact && float.to_f64() == double).then(|| pool.float(float))
        }
        _ => variable(term).filter(|term| pool.float_format(*term) == Some(format)),
    };
    let (left, right) = (side(left)?, side(right)?);
    Some(match relation {
        Relation::Eq => pool.fp_eq(left, right),
        Relation::Ne => pool.not(pool.fp_eq(left, right)),
        Relation::Lt => pool.fp_lt(left, right),
        Relation::Le => pool.fp_le(left, right),
        Relation::Gt => pool.fp_lt(right, left),
        Relation::Ge => pool.fp_le(right, left),
    })
}

struct Encoder<'a> {
    pool: &'a TermPool,
    lookup: Lookup<'a>,
}

impl Comparing for Encoder<'_> {
    fn pool(&self) -> &TermPool {
        self.pool
    }

    fn compared(&self, relation: Relation, left: &Term, right: &Term) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        if let Some(compared) = compared_floats(pool, self.lookup, relation, left, right) {
            return Ok(compared);
        }
        let (left, right) = self.alike(self.term(left)?, self.term(right)?);
        Ok(match relation {
            Relation::Eq => pool.eq(left, right),
            Relation::Ne => pool.ne(left, right),
            Relation::Lt => pool.lt(left, right),
            Relation::Le => pool.le(left, right),
            Relation::Gt => pool.gt(left, right),
            Relation::Ge => pool.ge(left, right),
        })
    }

    fn congruent(&self, left: &Term, right: &Term, modulus: &Int) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        let (left, right) = (self.integer(left, "===")?, self.integer(right, "===")?);
        let rest = pool.int_mod(pool.sub(left, right), pool.int(modulus.clone()));
        Ok(pool.eq(rest, pool.int(0)))
    }
}

impl Encoder<'_> {
    fn is_real(&self, term: TermId) -> bool {
        self.pool.sort_of(term) == SortId::REAL
    }

    fn real(&self, term: TermId) -> TermId {
        if self.is_real(term) { term } else { self.pool.to_real(term) }
    }

    /// Both as integers, or both as reals.
    fn alike(&self, left: TermId, right: TermId) -> (TermId, TermId) {
        if self.is_real(left) == self.is_real(right) { (left, right) } else { (self.real(left), self.real(right)) }
    }

    fn all_alike(&self, parts: &[Term]) -> Result<Vec<TermId>, NotEncodable> {
        let parts: Result<Vec<TermId>, NotEncodable> = parts.iter().map(|part| self.term(part)).collect();
        let parts = parts?;
        let any_real = parts.iter().any(|part| self.is_real(*part));
        Ok(if any_real { parts.into_iter().map(|part| self.real(part)).collect() } else { parts })
    }

    fn integer(&self, term: &Term, operator: &'static str) -> Result<TermId, NotEncodable> {
        let term = self.term(term)?;
        if self.is_real(term) { Err(NotEncodable::NotInteger(operator)) } else { Ok(term) }
    }

    fn variable(&self, name: &str, indices: &[Term]) -> Result<TermId, NotEncodable> {
        let mut term = (self.lookup)(name).ok_or_else(|| NotEncodable::Unknown(name.to_string()))?;
        for index in indices {
            let is_array =
                matches!(self.pool.sort(self.pool.sort_of(term)), Sort::Array(index, _) if *index == SortId::INT);
            if !is_array {
                return Err(NotEncodable::Sort(name.to_string()));
            }
            term = self.pool.select(term, self.integer(index, "[]")?);
        }
        let sort = self.pool.sort_of(term);
        if sort == SortId::INT || sort == SortId::REAL { Ok(term) } else { Err(NotEncodable::Sort(name.to_string())) }
    }

    fn term(&self, term: &Term) -> Result<TermId, NotEncodable> {
        let pool = self.pool;
        Ok(match term {
            Term::Const(value) if value.is_int() => pool.int(value.numerator().clone()),
            Term::Const(value) => pool.real(value.clone()),
            Term::Var(name) => self.variable(name, &[])?,
            Term::Element(name, indices) => self.variable(name, indices)?,
            Term::Neg(part) => pool.neg(self.term(part)?),
            Term::Sum(parts) => match self.all_alike(parts)?.as_slice() {
                [] => pool.int(0),
                parts => pool.sum(parts),
            },
            Term::Product(parts) => match self.all_alike(parts)?.as_slice() {
                [] => pool.int(1),
                parts => pool.product(parts),
            },
            Term::Power(base, exponent) => pool.pow(self.term(base)?, *exponent),
            // A caller that keeps the power in a variable of its own gives it under the text of the term.
            Term::Exponential(..) => {
                let text = term.to_string();
                (self.lookup)(&text).ok_or(NotEncodable::Exponential(text))?
            }
            Term::Binary(Operator::Quotient, left, right) => {
                let (left, right) = self.alike(self.term(left)?, self.term(right)?);
                if self.is_real(left) { pool.real_div(left, right) } else { pool.c_div(left, right) }
            }
            Term::Binary(operator, left, right) => {
                let (left, right) = (self.integer(left, operator.symbol())?, self.integer(right, operator.symbol())?);
                match operator {
                    Operator::Quotient | Operator::Remainder => pool.c_rem(left, right),
                    Operator::Div => pool.int_div(left, right),
                    Operator::Mod => pool.int_mod(left, right),
                }
            }
            Term::Min(parts) => self.fold(parts, TermPool::min)?,
            Term::Max(parts) => self.fold(parts, TermPool::max)?,
            Term::Abs(part) => pool.abs(self.term(part)?),
        })
    }

    fn fold(&self, parts: &[Term], join: fn(&TermPool, TermId, TermId) -> TermId) -> Result<TermId, NotEncodable> {
        let parts = self.all_alike(parts)?.into_iter();
        parts.reduce(|a, b| join(self.pool, a, b)).ok_or_else(|| NotEncodable::Unknown("min of nothing".to_string()))
    }
}
