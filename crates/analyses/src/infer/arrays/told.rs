//! What is told already: relations that say the same from two sides are told once.
//!
//! *Example*: `r[i] == a[i] ^ b[i]` and `a[i] == r[i] ^ b[i]` are the same equations among elements.

use super::ArrayRelation;
use super::expression::Expr;
use super::functions::Builtin;
use super::held::Held;
use super::table::{Group, flat, unflat};
use super::universe::Leaf;
use std::collections::HashSet;

/// Equations among elements that are known, so that none is told twice from another side.
#[derive(Default)]
pub(super) struct Told(HashSet<Vec<Leaf>>);

/// A relation, and the equations among elements that it stands for.
pub(super) struct Explained {
    pub(super) relation: ArrayRelation,
    /// Elements of the pivot.
    pub(super) covered: usize,
    /// `None` if it cannot be read from another side.
    pub(super) equations: Option<Vec<Vec<Leaf>>>,
}

impl Told {
    /// Whether a relation says something about its elements that was not said from another side.
    pub(super) fn is_new(&mut self, explained: &Explained) -> bool {
        let Some(equations) = &explained.equations else { return true };
        let new = equations.iter().filter(|equation| self.0.insert((*equation).clone())).count();
        new * 5 > equations.len()
    }
}

/// The equations among elements that a relation stands for; `None` if it cannot be read from another side.
pub(super) fn equations(
    group: &Group<'_>,
    pivot: usize,
    held: &Held,
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
