//! Integer formulas: what normalisation programs compute, and what an inverse has to ensure.
//!
//! Arithmetic is that of mathematical integers; a truth value is 1 or 0, as in C. [`Sum`](Formula::Sum) and
//! [`Forall`](Formula::Forall) are what C has no expression for: they stand for loops. A [`Polynomial`] is the normal
//! form of the arithmetic part, over *atoms*: references, variables and everything that is not `+ - *`.

use dashu_base::{Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter of the normalisation program, by its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ParamId(pub u32);

/// A loop counter, an index variable, or a variable bound in a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    Int(i128),
    /// A scalar parameter (no indices), or an element of an array.
    Ref(Reference),
    Var(VarId),
    /// How long the array of the canonical value is in a dimension.
    Length(ParamId, u32),
    Add(Box<Formula>, Box<Formula>),
    Sub(Box<Formula>, Box<Formula>),
    Mul(Box<Formula>, Box<Formula>),
    /// C's division, towards zero.
    Div(Box<Formula>, Box<Formula>),
    Rem(Box<Formula>, Box<Formula>),
    Compare(Cmp, Box<Formula>, Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    /// The sum of the body over `0 <= var < count`.
    Sum {
        var: VarId,
        count: Box<Formula>,
        body: Box<Formula>,
    },
    /// The body holds for all `from <= var < to`.
    Forall {
        var: VarId,
        from: Box<Formula>,
        to: Box<Formula>,
        body: Box<Formula>,
    },
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reference {
    pub param: ParamId,
    pub indices: Vec<Formula>,
}

impl Reference {
    pub fn scalar(param: ParamId) -> Reference {
        Reference { param, indices: Vec::new() }
    }
}

impl Formula {
    pub const TRUE: Formula = Formula::Int(1);
    pub const FALSE: Formula = Formula::Int(0);

    pub fn scalar(param: ParamId) -> Formula {
        Formula::Ref(Reference::scalar(param))
    }

    pub fn plus(self, other: Formula) -> Formula {
        match (&self, &other) {
            (Formula::Int(a), Formula::Int(b)) if a.checked_add(*b).is_some() => Formula::Int(a + b),
            (Formula::Int(0), _) => other,
            (_, Formula::Int(0)) => self,
            (_, Formula::Int(b)) if *b < 0 && *b > i128::MIN => self.less(Formula::Int(-b)),
            _ => Formula::Add(Box::new(self), Box::new(other)),
        }
    }

    pub fn less(self, other: Formula) -> Formula {
        match (&self, &other) {
            (Formula::Int(a), Formula::Int(b)) if a.checked_sub(*b).is_some() => Formula::Int(a - b),
            (_, Formula::Int(0)) => self,
            _ if self == other => Formula::Int(0),
            _ => Formula::Sub(Box::new(self), Box::new(other)),
        }
    }

    pub fn times(self, other: Formula) -> Formula {
        match (&self, &other) {
            (Formula::Int(a), Formula::Int(b)) if a.checked_mul(*b).is_some() => Formula::Int(a * b),
            (Formula::Int(0), _) | (_, Formula::Int(0)) => Formula::Int(0),
            (Formula::Int(1), _) => other,
            (_, Formula::Int(1)) => self,
            _ => Formula::Mul(Box::new(self), Box::new(other)),
        }
    }

    pub fn compare(cmp: Cmp, a: Formula, b: Formula) -> Formula {
        if let (Formula::Int(x), Formula::Int(y)) = (&a, &b) {
            return Formula::Int(cmp.holds(*x, *y) as i128);
        }
        Formula::Compare(cmp, Box::new(a), Box::new(b))
    }

    pub fn eq(a: Formula, b: Formula) -> Formula {
        Formula::compare(Cmp::Eq, a, b)
    }

    pub fn le(a: Formula, b: Formula) -> Formula {
        Formula::compare(Cmp::Le, a, b)
    }

    pub fn lt(a: Formula, b: Formula) -> Formula {
        Formula::compare(Cmp::Lt, a, b)
    }

    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::joined(parts, true)
    }

    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::joined(parts, false)
    }

    /// Each part once. Of a conjunction, what is true is left out and what is false decides; else the other way round.
    fn joined(parts: impl IntoIterator<Item = Formula>, all: bool) -> Formula {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Formula::Int(n) if (n != 0) == all => {}
                Formula::Int(_) => return if all { Formula::FALSE } else { Formula::TRUE },
                Formula::And(inner) if all => kept.extend(inner),
                Formula::Or(inner) if !all => kept.extend(inner),
                other => kept.push(other),
            }
        }
        let mut seen = BTreeSet::new();
        kept.retain(|part| seen.insert(part.clone()));
        match kept.len() {
            0 => {
                if all {
                    Formula::TRUE
                } else {
                    Formula::FALSE
                }
            }
            1 => kept.remove(0),
            _ if all => Formula::And(kept),
            _ => Formula::Or(kept),
        }
    }

    /// The negation, pushed inwards.
    pub fn negate(&self) -> Formula {
        match self {
            Formula::Int(n) => Formula::Int((*n == 0) as i128),
            Formula::Compare(Cmp::Eq, a, b) => Formula::Compare(Cmp::Ne, a.clone(), b.clone()),
            Formula::Compare(Cmp::Ne, a, b) => Formula::Compare(Cmp::Eq, a.clone(), b.clone()),
            Formula::Compare(Cmp::Lt, a, b) => Formula::Compare(Cmp::Le, b.clone(), a.clone()),
            Formula::Compare(Cmp::Le, a, b) => Formula::Compare(Cmp::Lt, b.clone(), a.clone()),
            Formula::And(parts) => Formula::or(parts.iter().map(Formula::negate)),
            Formula::Or(parts) => Formula::and(parts.iter().map(Formula::negate)),
            Formula::Not(inner) => (**inner).clone(),
            other => Formula::Not(Box::new(other.clone())),
        }
    }

    /// `guard ==> self`.
    pub fn given(self, guard: &Formula) -> Formula {
        Formula::or([guard.negate(), self])
    }

    pub fn choice(cond: Formula, yes: Formula, no: Formula) -> Formula {
        // Inside a choice the same condition is decided already.
        let yes = match yes {
            Formula::If(same, inner, _) if *same == cond => *inner,
            other => other,
        };
        let no = match no {
            Formula::If(same, _, inner) if *same == cond => *inner,
            other => other,
        };
        match cond {
            _ if yes == no => yes,
            Formula::Int(0) => no,
            Formula::Int(_) => yes,
            cond => Formula::If(Box::new(cond), Box::new(yes), Box::new(no)),
        }
    }

    /// The parts directly inside.
    pub fn parts(&self) -> Vec<&Formula> {
        match self {
            Formula::Int(_) | Formula::Var(_) | Formula::Length(..) => Vec::new(),
            Formula::Ref(reference) => reference.indices.iter().collect(),
            Formula::Add(a, b)
            | Formula::Sub(a, b)
            | Formula::Mul(a, b)
            | Formula::Div(a, b)
            | Formula::Rem(a, b)
            | Formula::Compare(_, a, b) => vec![a, b],
            Formula::And(parts) | Formula::Or(parts) => parts.iter().collect(),
            Formula::Not(a) => vec![a],
            Formula::If(c, a, b) => vec![c, a, b],
            Formula::Sum { count, body, .. } => vec![count, body],
            Formula::Forall { from, to, body, .. } => vec![from, to, body],
        }
    }

    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Formula)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Rebuilt from the bottom; `change` sees each formula after its parts were changed.
    pub fn map(&self, change: &impl Fn(Formula) -> Formula) -> Formula {
        let go = |f: &Formula| f.map(change);
        let rebuilt = match self {
            Formula::Int(_) | Formula::Var(_) | Formula::Length(..) => self.clone(),
            Formula::Ref(r) => Formula::Ref(Reference { param: r.param, indices: r.indices.iter().map(go).collect() }),
            Formula::Add(a, b) => go(a).plus(go(b)),
            Formula::Sub(a, b) => go(a).less(go(b)),
            Formula::Mul(a, b) => go(a).times(go(b)),
            Formula::Div(a, b) => Formula::Div(Box::new(go(a)), Box::new(go(b))),
            Formula::Rem(a, b) => Formula::Rem(Box::new(go(a)), Box::new(go(b))),
            Formula::Compare(cmp, a, b) => Formula::compare(*cmp, go(a), go(b)),
            Formula::And(parts) => Formula::and(parts.iter().map(go)),
            Formula::Or(parts) => Formula::or(parts.iter().map(go)),
            Formula::Not(a) => go(a).negate(),
            Formula::If(c, a, b) => Formula::choice(go(c), go(a), go(b)),
            Formula::Sum { var, count, body } => {
                Formula::Sum { var: *var, count: Box::new(go(count)), body: Box::new(go(body)) }
            }
            Formula::Forall { var, from, to, body } => {
                Formula::Forall { var: *var, from: Box::new(go(from)), to: Box::new(go(to)), body: Box::new(go(body)) }
            }
        };
        change(rebuilt)
    }

    /// With variables replaced. Bound variables are unique in a program, so nothing is captured.
    pub fn with_vars(&self, values: &BTreeMap<VarId, Formula>) -> Formula {
        self.map(&|f| match &f {
            Formula::Var(var) => values.get(var).cloned().unwrap_or(f),
            _ => f,
        })
    }

    pub fn with_var(&self, var: VarId, value: &Formula) -> Formula {
        self.map(&|f| if f == Formula::Var(var) { value.clone() } else { f })
    }

    /// With references replaced; `value` sees them with their indices already changed.
    pub fn with_refs(&self, value: &impl Fn(&Reference) -> Option<Formula>) -> Formula {
        self.map(&|f| match &f {
            Formula::Ref(reference) => value(reference).unwrap_or(f),
            _ => f,
        })
    }

    pub fn mentions_var(&self, var: VarId) -> bool {
        let mut found = false;
        self.walk(&mut |f| found |= *f == Formula::Var(var));
        found
    }

    /// The references inside, nested ones included, in order.
    pub fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        self.walk(&mut |f| {
            if let Formula::Ref(reference) = f {
                found.push(reference);
            }
        });
        found
    }

    pub fn polynomial(&self) -> Polynomial {
        match self {
            Formula::Int(n) => Polynomial::constant((*n).into()),
            Formula::Add(a, b) => a.polynomial().plus(&b.polynomial()),
            Formula::Sub(a, b) => a.polynomial().minus(&b.polynomial()),
            Formula::Mul(a, b) => a.polynomial().times(&b.polynomial()),
            Formula::Ref(r) => Polynomial::atom(Formula::Ref(Reference {
                param: r.param,
                indices: r.indices.iter().map(|i| i.polynomial().to_formula()).collect(),
            })),
            other => Polynomial::atom(other.clone()),
        }
    }
}

impl Cmp {
    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
        }
    }
}

/// The arithmetic part of a formula in normal form.
pub type Polynomial = logic::polynomial::Polynomial<Formula, IBig>;

/// What polynomials are in terms of formulas.
pub trait PolynomialOfFormulas: Sized {
    /// The number that it is, if it is one that a formula can have.
    fn as_int(&self) -> Option<i128>;

    /// `self = coefficient * atom + rest`, if the atom stands nowhere else.
    fn split_off(&self, atom: &Formula) -> Option<(Self, Self)>;

    /// Two formulas without minus signs whose difference this is.
    fn sides(&self) -> (Formula, Formula);

    fn to_formula(&self) -> Formula {
        match self.sides() {
            (plus, Formula::Int(0)) => plus,
            (plus, minus) => plus.less(minus),
        }
    }
}

impl PolynomialOfFormulas for Polynomial {
    fn as_int(&self) -> Option<i128> {
        self.as_constant().and_then(|value| value.try_into().ok())
    }

    fn split_off(&self, atom: &Formula) -> Option<(Polynomial, Polynomial)> {
        self.split(atom, |other| {
            let mut inside = false;
            other.walk(&mut |f| inside |= f == atom);
            inside
        })
    }

    fn sides(&self) -> (Formula, Formula) {
        let (mut plus, mut minus) = (Formula::Int(0), Formula::Int(0));
        // The constant comes last, as people write it.
        let constant = self.terms().filter(|(product, _)| product.is_empty());
        for (product, factor) in self.terms().filter(|(product, _)| !product.is_empty()).chain(constant) {
            let magnitude = number(factor.clone().unsigned_abs());
            let atoms = product.iter().flat_map(|(atom, exponent)| std::iter::repeat_n(atom, *exponent as usize));
            let term = atoms.cloned().reduce(Formula::times);
            let term = term.map_or(magnitude.clone(), |t| magnitude.times(t));
            let side = if factor.is_positive() { &mut plus } else { &mut minus };
            *side = std::mem::replace(side, Formula::Int(0)).plus(term);
        }
        (plus, minus)
    }
}

/// A number as a formula; one that is too large for a constant is put together from several.
fn number(value: UBig) -> Formula {
    match i128::try_from(&value) {
        Ok(value) => Formula::Int(value),
        Err(_) => {
            let (high, low) = (&value >> 126, value.clone() & ((UBig::ONE << 126) - UBig::ONE));
            let shifted = Formula::Mul(Box::new(number(high)), Box::new(Formula::Int(1 << 126)));
            Formula::Add(Box::new(shifted), Box::new(number(low)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_beyond_the_constants_stay_exact() {
        let x = Formula::Var(VarId(0));
        let large = Formula::Mul(Box::new(Formula::Int(i128::MAX)), Box::new(Formula::Int(i128::MAX)));
        let product = Formula::Mul(Box::new(large.clone()), Box::new(x.clone()));
        let polynomial = product.polynomial();
        assert_eq!(polynomial, polynomial.to_formula().polynomial());
        assert_eq!(large.polynomial().as_int(), None);
        let (coefficient, rest) = polynomial.split_off(&x).expect("x is linear");
        assert_eq!(coefficient, large.polynomial());
        assert!(rest.is_zero());
    }
}
