//! Orbits: one representative of all arrangements of a tuple, and the arrangements.
//!
//! The representatives are the tuples whose permuted part ascends. `theta[i]` of an arrangement is the place in the
//! representative that its element `i` comes from, so the arrangement is θ.x. Of elements that are equal, any may come
//! from any of their places; what that leaves open is the stabiliser's business, see the module above.

use super::domain::Values;
use super::shape::Space;
use exec::Scalar;

/// Calls `visit` with every representative, fixed slots first; it says whether to go on.
pub fn representatives(space: &Space, k: usize, visit: &mut dyn FnMut(&[Scalar]) -> bool) {
    let mut tuple = Vec::new();
    fixed(&space.fixed, space, k, &mut tuple, visit);
}

fn fixed(
    left: &[Values],
    space: &Space,
    k: usize,
    tuple: &mut Vec<Scalar>,
    visit: &mut dyn FnMut(&[Scalar]) -> bool,
) -> bool {
    let Some((values, rest)) = left.split_first() else { return ascending(space, k, 0, tuple, visit) };
    for i in 0..values.count() {
        tuple.push(values.get(i));
        let go_on = fixed(rest, space, k, tuple, visit);
        tuple.pop();
        if !go_on {
            return false;
        }
    }
    true
}

fn ascending(
    space: &Space,
    k: usize,
    from: u128,
    tuple: &mut Vec<Scalar>,
    visit: &mut dyn FnMut(&[Scalar]) -> bool,
) -> bool {
    if k == 0 {
        return visit(tuple);
    }
    for i in from..space.union.count() {
        tuple.push(space.union.get(i));
        let go_on = ascending(space, k - 1, i, tuple, visit);
        tuple.pop();
        if !go_on {
            return false;
        }
    }
    true
}

/// The distinct arrangements of a tuple that ascends, itself first.
pub fn arrangements(ascending: &[Scalar]) -> Vec<Vec<usize>> {
    let mut ranks = vec![0usize; ascending.len()];
    for i in 1..ascending.len() {
        ranks[i] = ranks[i - 1] + usize::from(ascending[i] != ascending[i - 1]);
    }
    let mut theta: Vec<usize> = (0..ascending.len()).collect();
    let mut all = vec![theta.clone()];
    while advance(&mut ranks, &mut theta) {
        all.push(theta.clone());
    }
    all
}

/// The next arrangement in lexicographic order of the values; the places travel along with them.
fn advance(ranks: &mut [usize], theta: &mut [usize]) -> bool {
    let Some(i) = ranks.windows(2).rposition(|w| w[0] < w[1]) else { return false };
    let j = ranks.iter().rposition(|&r| r > ranks[i]).expect("a later rank should be larger, because the next one is");
    ranks.swap(i, j);
    theta.swap(i, j);
    ranks[i + 1..].reverse();
    theta[i + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_tuple_is_an_arrangement_of_one_representative() {
        for (count, k) in [(1i128, 3), (2, 3), (3, 3), (4, 2), (3, 5), (3, 0), (3, 1)] {
            let values = Values::Range { lo: 0, hi: count - 1 };
            let space = Space { fixed: Vec::new(), union: values, own: None };
            let mut seen = BTreeSet::new();
            let mut total = 0;
            representatives(&space, k, &mut |tuple| {
                for theta in arrangements(tuple) {
                    let arranged: Vec<String> = theta.iter().map(|&i| format!("{:?}", tuple[i])).collect();
                    seen.insert(arranged);
                    total += 1;
                }
                true
            });
            assert_eq!((seen.len(), total), (count.pow(k as u32) as usize, count.pow(k as u32)));
        }
    }
}
