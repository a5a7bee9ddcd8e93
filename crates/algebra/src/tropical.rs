//! The max-plus convex hull of finitely many points, as half-spaces.
//!
//! *Question*: which disjunctions such as "y ≤ 5 or y ≤ x" hold of all samples, each as tight as can be?
//!
//! *Source*: X. Allamigeon, S. Gaubert, É. Goubault, "The tropical double description method", 2010; used for
//! invariants by T. Nguyen, 2017, §3.3.2.
//!
//! *Departures*: a half-space max(c₀, cᵢ+xᵢ) ≥ max(d₀, dᵢ+xᵢ) is the conjunction of the half-spaces with a single term
//! on the right, so only max over i≠j of (cᵢ + xᵢ) ≥ xⱼ is looked for, where x₀ stands for the constant 0. For a fixed
//! j, a point p satisfies it exactly if cᵢ ≥ pⱼ − pᵢ for *some* i. The valid c are thus an intersection of unions of
//! half-lines, and the facets are its minimal elements: a staircase, kept as an antichain and refined point by point.
//! No polar cone is formed.
//!
//! *Worked example*: the points (x, y) = (0, 5), (5, 5), (7, 7). For y on the right: max(c₀, c₁ + x) ≥ y. (0, 5) needs
//! c₀ ≥ 5 or c₁ ≥ 5; (5, 5) needs c₀ ≥ 5 or c₁ ≥ 0; (7, 7) needs c₀ ≥ 7 or c₁ ≥ 0. The minimal solutions are
//! (7, −∞), (5, 0), (−∞, 5): y ≤ 7, y ≤ max(5, x), y ≤ x + 5.
//!
//! *Guarantee*: exact. The half-spaces hold of every point and their intersection is the hull (property test against
//! the definition of the hull); none of one staircase implies another of it.
//!
//! *Cost*: a point costs one pass over the staircase, and a quadratic pruning when it changes it. The staircase of m
//! points in n dimensions has O(m^⌊n/2⌋) steps.

/// `max over i of (cᵢ + xᵢ) ≥ x_j`, where coordinate 0 is the constant 0 and a missing coefficient is −∞.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HalfSpace {
    /// The right side: 0 for the constant, i for the i-th coordinate (from 1).
    pub right: usize,
    /// The coefficients of the left side, by coordinate; `None` at `right`.
    pub left: Vec<Option<i128>>,
}

impl HalfSpace {
    /// Whether a point satisfies it.
    pub fn holds(&self, point: &[i128]) -> bool {
        let at = |i: usize| if i == 0 { 0 } else { point[i - 1] };
        self.left.iter().enumerate().any(|(i, c)| c.is_some_and(|c| c + at(i) >= at(self.right)))
    }
}

/// The half-spaces whose intersection is the max-plus hull of the points. For min-plus, negate the points.
/// Values must be below 2^126 in magnitude, so that differences fit.
pub fn hull(points: &[Vec<i128>]) -> Vec<HalfSpace> {
    let Some(first) = points.first() else { return Vec::new() };
    let coordinates = first.len() + 1;
    let mut found = Vec::new();
    for right in 0..coordinates {
        let mut staircase: Vec<Vec<Option<i128>>> = vec![vec![None; coordinates]];
        for point in points {
            assert_eq!(point.len() + 1, coordinates, "points should be of one dimension");
            refine(&mut staircase, point, right);
        }
        staircase.sort();
        found.extend(staircase.into_iter().map(|left| HalfSpace { right, left }));
    }
    found
}

/// Raises what does not cover the point in every minimal way.
fn refine(staircase: &mut Vec<Vec<Option<i128>>>, point: &[i128], right: usize) {
    let at = |i: usize| if i == 0 { 0 } else { point[i - 1] };
    let needed = |i: usize| at(right) - at(i);
    let covers = |c: &Vec<Option<i128>>| (0..c.len()).any(|i| i != right && c[i].is_some_and(|c| c >= needed(i)));
    let (mut kept, raised): (Vec<_>, Vec<_>) = staircase.drain(..).partition(covers);
    let mut candidates: Vec<Vec<Option<i128>>> = raised
        .into_iter()
        .flat_map(|low| {
            (0..low.len()).filter(move |&i| i != right).map(move |i| {
                let mut higher = low.clone();
                higher[i] = Some(needed(i));
                higher
            })
        })
        .collect();
    candidates.sort();
    candidates.dedup();
    // A kept element is minimal already; a candidate can only be above a kept one or another candidate.
    let below = |a: &Vec<Option<i128>>, b: &Vec<Option<i128>>| a.iter().zip(b).all(|(a, b)| a <= b);
    candidates.retain(|c| !kept.iter().any(|k| below(k, c)));
    let minimal: Vec<_> =
        candidates.iter().filter(|c| !candidates.iter().any(|o| o != *c && below(o, c))).cloned().collect();
    kept.extend(minimal);
    *staircase = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_worked_example() {
        let hull = hull(&[vec![0, 5], vec![5, 5], vec![7, 7]]);
        let above_y: Vec<_> = hull.iter().filter(|h| h.right == 2).map(|h| (h.left[0], h.left[1])).collect();
        assert_eq!(above_y, [(None, Some(5)), (Some(5), Some(0)), (Some(7), None)]);
    }

    /// The definition: q is in the hull if it is max over k of (λₖ + pₖ) with the largest λₖ equal to 0. The best
    /// choice of λₖ is the largest that does not exceed q anywhere.
    fn in_hull(points: &[Vec<i128>], q: &[i128]) -> bool {
        let weights: Vec<i128> =
            points.iter().map(|p| p.iter().zip(q).map(|(p, q)| q - p).min().unwrap_or(0).min(0)).collect();
        weights.contains(&0)
            && (0..q.len()).all(|i| points.iter().zip(&weights).map(|(p, w)| p[i] + w).max() == Some(q[i]))
    }

    proptest! {
        #[test]
        fn half_spaces_cut_out_exactly_the_hull(dimension in 1usize..4, sample in proptest::collection::vec(proptest::collection::vec(-2i128..3, 3), 1..7)) {
            let points: Vec<Vec<i128>> = sample.into_iter().map(|p| p[..dimension].to_vec()).collect();
            let spaces = hull(&points);
            let mut q = vec![-3i128; dimension];
            loop {
                let expected = in_hull(&points, &q);
                let inside = spaces.iter().all(|h| h.holds(&q));
                prop_assert_eq!(expected, inside, "{:?}", q);
                let Some(i) = q.iter().position(|&x| x < 3) else { break };
                q[..i].fill(-3);
                q[i] += 1;
            }
        }
    }
}
