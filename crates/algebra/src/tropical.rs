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
//! *Cost*: a point costs one pass over the largest needs so far, which are few unless the points lie on a curve; one of
//! those costs a pass over the staircase, and a quadratic pruning when it changes it. The staircase of m
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
        let mut needs = Needs::new(coordinates - 1);
        for point in points {
            assert_eq!(point.len() + 1, coordinates, "points should be of one dimension");
            let at = |i: usize| if i == 0 { 0 } else { point[i - 1] };
            let need: Vec<i128> = (0..coordinates).filter(|&i| i != right).map(|i| at(right) - at(i)).collect();
            needs.insert(&need);
        }
        found.extend(needs.covers().into_iter().map(|mut left| {
            left.insert(right, None);
            HalfSpace { right, left }
        }));
    }
    found
}

/// Points, as what they ask of coefficients: a vector `c` covers a need `n` if cᵢ ≥ nᵢ for *some* i. Only the largest
/// needs are kept, since what covers a larger one covers the smaller.
#[derive(Clone, Debug)]
pub struct Needs {
    width: usize,
    /// An antichain, flat. The need that last made others superfluous comes first, because it is likely to do so again.
    largest: Vec<i128>,
}

impl Needs {
    pub fn new(width: usize) -> Needs {
        Needs { width, largest: Vec::new() }
    }

    pub fn insert(&mut self, need: &[i128]) {
        let width = self.width;
        let above = |a: &[i128], b: &[i128]| a.iter().zip(b).all(|(a, b)| a >= b);
        if let Some(place) = self.largest.chunks_exact(width).position(|kept| above(kept, need)) {
            for i in 0..width {
                self.largest.swap(i, place * width + i);
            }
            return;
        }
        let mut end = 0;
        for start in (0..self.largest.len()).step_by(width) {
            if !above(need, &self.largest[start..start + width]) {
                self.largest.copy_within(start..start + width, end);
                end += width;
            }
        }
        self.largest.truncate(end);
        self.largest.extend_from_slice(need);
    }

    /// How many needs are kept.
    pub fn len(&self) -> usize {
        self.largest.len() / self.width
    }

    pub fn is_empty(&self) -> bool {
        self.largest.is_empty()
    }

    /// The minimal vectors that cover every need, in ascending order; `None` stands for −∞.
    pub fn covers(&self) -> Vec<Vec<Option<i128>>> {
        let mut staircase: Vec<Vec<Option<i128>>> = vec![vec![None; self.width]];
        // In a fixed order, so that the answer does not depend on the order of insertion even in time.
        let mut needs: Vec<&[i128]> = self.largest.chunks_exact(self.width).collect();
        needs.sort();
        for need in needs {
            refine(&mut staircase, need);
        }
        staircase.sort();
        staircase
    }
}

/// Raises what does not cover the need in every minimal way.
fn refine(staircase: &mut Vec<Vec<Option<i128>>>, need: &[i128]) {
    let covers = |c: &Vec<Option<i128>>| c.iter().zip(need).any(|(c, need)| c.is_some_and(|c| c >= *need));
    let (mut kept, raised): (Vec<_>, Vec<_>) = staircase.drain(..).partition(covers);
    let mut candidates: Vec<Vec<Option<i128>>> = raised
        .into_iter()
        .flat_map(|low| {
            (0..low.len()).map(move |i| {
                let mut higher = low.clone();
                higher[i] = Some(need[i]);
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
