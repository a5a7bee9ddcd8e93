//! What is told already: relations that say the same from two sides are told once.
//!
//! *Example*: `r[i] == a[i] ^ b[i]` and `a[i] == r[i] ^ b[i]` are the same equations among elements.

use super::ArrayRelation;
use super::expression::Expr;
use super::functions::Builtin;
use super::support::PlacedRelation;
use super::table::{Group, flat, unflat};
use super::universe::Leaf;
use std::collections::{HashMap, HashSet};

/// Equations among elements that are known, so that none is told twice from another side.
#[derive(Default)]
pub(super) struct KnownEquations {
    equations: HashSet<Vec<Leaf>>,
    /// Of an element, another that is known to be equal: what follows from two copies is not told as a third.
    equal: HashMap<Leaf, Leaf>,
}

/// A relation, and the equations among elements that it stands for.
pub(super) struct Explained {
    pub(super) relation: ArrayRelation,
    /// Elements of the pivot: the first, and how many.
    pub(super) first: usize,
    pub(super) covered: usize,
    /// `None` if it cannot be read from another side.
    pub(super) equations: Option<Vec<Vec<Leaf>>>,
}

impl Explained {
    /// The array that is copied from, if it is a copy.
    pub(super) fn copied(&self) -> Option<usize> {
        match &self.relation.right {
            Expr::Element { array, .. } if self.equations.is_some() => Some(*array),
            _ => None,
        }
    }
}

impl KnownEquations {
    /// Whether a relation says something about its elements that was not said from another side.
    pub(super) fn is_new(&mut self, explained: &Explained) -> bool {
        let Some(equations) = &explained.equations else { return true };
        let is_copy = explained.copied().is_some();
        let tell = |equation: &&Vec<Leaf>| match equation.as_slice() {
            [a, b] if is_copy => self.join(*a, *b),
            _ => self.equations.insert((*equation).clone()),
        };
        let new = equations.iter().filter(tell).count();
        new * 5 > equations.len()
    }

    /// Makes two elements equal; whether they were not known to be.
    fn join(&mut self, a: Leaf, b: Leaf) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        a != b && self.equal.insert(a, b).is_none()
    }

    fn root(&self, mut of: Leaf) -> Leaf {
        while let Some(next) = self.equal.get(&of) {
            of = *next;
        }
        of
    }
}

/// The equations among elements that a relation stands for; `None` if it cannot be read from another side.
pub(super) fn equations(
    group: &Group<'_>,
    pivot: usize,
    held: &PlacedRelation,
    scalars: &[Option<i64>],
) -> Option<Vec<Vec<Leaf>>> {
    let equation = |place: &usize| {
        let mut leaves = equated(group, &held.expr, &unflat(group.extents(pivot), *place), scalars)?;
        leaves.push(Leaf { array: pivot, flat: *place });
        leaves.sort_unstable();
        Some(leaves)
    };
    held.places.iter().map(equation).collect()
}

/// The elements on the right, where the equation can be read from any side: copies, sums without factors, `xor`.
fn equated(group: &Group<'_>, expr: &Expr, at: &[i64], scalars: &[Option<i64>]) -> Option<Vec<Leaf>> {
    match expr {
        Expr::Element { array, indices } => {
            let number = |index: &Expr| match index {
                Expr::Number(number) => number.whole(at, scalars),
                _ => None,
            };
            let indices: Option<Vec<i64>> = indices.iter().map(number).collect();
            Some(vec![Leaf { array: *array, flat: flat(group.extents(*array), &indices?)? }])
        }
        Expr::Apply(Builtin::Xor, parts) => {
            let parts: Option<Vec<Vec<Leaf>>> = parts.iter().map(|part| equated(group, part, at, scalars)).collect();
            Some(parts?.concat())
        }
        Expr::Linear { parts, .. } => {
            let mut leaves = Vec::new();
            for (factor, part) in parts {
                if !factor.is(1) && !factor.is(-1) {
                    return None;
                }
                leaves.extend(equated(group, part, at, scalars)?);
            }
            Some(leaves)
        }
        _ => None,
    }
}
