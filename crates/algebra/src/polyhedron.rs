//! The convex hull of finitely many points, as equations and facets.
//!
//! *Question*: which linear inequalities hold of all samples, each as tight as can be?
//!
//! *Source*: the double description method of T. S. Motzkin et al., 1953, as told by K. Fukuda and A. Prodon, "Double
//! description method revisited", 1996. The facets c₀ + c·x ≥ 0 of a hull are the extreme rays of the cone of all
//! (c₀, c) that are non-negative on every point (1, x), so the points are the constraints and the rays are the answer.
//!
//! *Worked example*: the points 1, 3 and 2 of the line give the rays (-1, 1) and (3, -1): x ≥ 1 and x ≤ 3.
//!
//! *Guarantee*: exact. Every point satisfies every result; every valid inequality is a non-negative combination of the
//! facets, plus any combination of the equations. So the region is the smallest convex one.
//!
//! *Cost*: exponential in the dimension (the number of facets is), quadratic in the facets for each point outside the
//! hull so far; points inside cost one pass over the facets.

use crate::content::content;
use dashu_base::Signed;
use dashu_int::{IBig, UBig};

/// Coefficients (c₀, c₁, …) of an affine form, coprime integers.
pub type Form = Vec<IBig>;

/// The smallest polyhedron around some points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hull {
    /// Forms that are zero on every point, a basis of all such forms.
    pub equations: Vec<Form>,
    /// Forms that are non-negative on every point and zero on a facet.
    pub facets: Vec<Form>,
}

/// A ray of the dual cone with the constraints it is zero on, by number.
#[derive(Clone, Debug)]
struct Ray {
    form: Form,
    tight: Vec<u64>,
}

impl Ray {
    fn mark(&mut self, constraint: usize) {
        if self.tight.len() <= constraint / 64 {
            self.tight.resize(constraint / 64 + 1, 0);
        }
        self.tight[constraint / 64] |= 1 << (constraint % 64);
    }
}

/// The hull of points of one dimension. There is no hull of no points.
pub fn hull(points: &[Vec<IBig>]) -> Option<Hull> {
    hull_within(points, usize::MAX)
}

/// The hull, unless the hull of some first points has more facets than `most`.
pub fn hull_within(points: &[Vec<IBig>], most: usize) -> Option<Hull> {
    let dimension = points.first()?.len();
    let mut lines: Vec<Form> = (0..=dimension).map(|i| unit(i, dimension + 1)).collect();
    let mut rays: Vec<Ray> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        assert_eq!(point.len(), dimension, "points should be of one dimension");
        match lines.iter().position(|line| value(line, point) != IBig::ZERO) {
            Some(index) => {
                let line = lines.swap_remove(index);
                split(line, number, point, &mut lines, &mut rays);
            }
            None => cut(number, point, &mut rays),
        }
        if rays.len() > most {
            return None;
        }
    }
    // 1 ≥ 0 is a ray when the points do not span; it says nothing.
    let trivial = |form: &Form| form[1..].iter().all(|c| *c == IBig::ZERO);
    let mut facets: Vec<Form> = rays.into_iter().map(|ray| ray.form).filter(|form| !trivial(form)).collect();
    facets.sort();
    lines.sort();
    Some(Hull { equations: lines, facets })
}

fn unit(index: usize, length: usize) -> Form {
    (0..length).map(|i| if i == index { IBig::ONE } else { IBig::ZERO }).collect()
}

/// The form's value at a point.
pub fn value(form: &Form, point: &[IBig]) -> IBig {
    form[1..].iter().zip(point).fold(form[0].clone(), |sum, (c, x)| sum + c * x)
}

/// `a * x + b * y`, made primitive without a change of sign.
fn combine(a: &IBig, x: &Form, b: &IBig, y: &Form) -> Form {
    let mut form: Form = x.iter().zip(y).map(|(x, y)| a * x + b * y).collect();
    let content = content(&form);
    if content > UBig::ONE {
        let content = IBig::from(content);
        form.iter_mut().for_each(|c| *c = &*c / &content);
    }
    form
}

/// A constraint that some line of the cone violates: the line becomes a ray, everything else is moved along it onto
/// the constraint.
fn split(mut line: Form, number: usize, point: &[IBig], lines: &mut [Form], rays: &mut Vec<Ray>) {
    let mut height = value(&line, point);
    if height.is_negative() {
        line.iter_mut().for_each(|c| *c = -&*c);
        height = -height;
    }
    for other in lines {
        let excess = value(other, point);
        *other = combine(&height, other, &-excess, &line);
    }
    for ray in rays.iter_mut() {
        let excess = value(&ray.form, point);
        ray.form = combine(&height, &ray.form, &-excess, &line);
        ray.mark(number);
    }
    let mut new = Ray { form: line, tight: Vec::new() };
    (0..number).for_each(|earlier| new.mark(earlier));
    rays.push(new);
}

/// A constraint on the rays alone: those on the wrong side give way to combinations with their neighbours.
fn cut(number: usize, point: &[IBig], rays: &mut Vec<Ray>) {
    let values: Vec<IBig> = rays.iter().map(|ray| value(&ray.form, point)).collect();
    let mut kept = Vec::with_capacity(rays.len());
    for (i, negative) in values.iter().enumerate().filter(|(_, v)| v.is_negative()) {
        for (j, positive) in values.iter().enumerate().filter(|(_, v)| **v > IBig::ZERO) {
            let shared = common(&rays[i].tight, &rays[j].tight);
            let between = (0..rays.len()).any(|k| k != i && k != j && contains(&rays[k].tight, &shared));
            if !between {
                let form = combine(positive, &rays[i].form, &-negative, &rays[j].form);
                let mut ray = Ray { form, tight: shared };
                ray.mark(number);
                kept.push(ray);
            }
        }
    }
    for (ray, value) in rays.drain(..).zip(values) {
        if value == IBig::ZERO {
            let mut ray = ray;
            ray.mark(number);
            kept.push(ray);
        } else if value > IBig::ZERO {
            kept.push(ray);
        }
    }
    *rays = kept;
}

fn common(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn contains(set: &[u64], subset: &[u64]) -> bool {
    subset.iter().enumerate().all(|(i, word)| word & !set.get(i).copied().unwrap_or(0) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(rows: &[&[i64]]) -> Vec<Vec<IBig>> {
        rows.iter().map(|row| row.iter().map(|&x| IBig::from(x)).collect()).collect()
    }

    fn forms(rows: &[&[i64]]) -> Vec<Form> {
        points(rows)
    }

    #[test]
    fn small_hulls_by_hand() {
        let line = hull(&points(&[&[1], &[3], &[2]])).unwrap();
        assert_eq!(line, Hull { equations: vec![], facets: forms(&[&[-1, 1], &[3, -1]]) });
        let square = hull(&points(&[&[0, 0], &[2, 0], &[0, 2], &[2, 2], &[1, 1]])).unwrap();
        assert_eq!(square.facets, forms(&[&[0, 0, 1], &[0, 1, 0], &[2, -1, 0], &[2, 0, -1]]));
        let segment = hull(&points(&[&[0, 0], &[4, 4]])).unwrap();
        assert_eq!((segment.equations.len(), segment.facets.len()), (1, 2));
        let single = hull(&points(&[&[5, 7]])).unwrap();
        assert_eq!((single.equations.len(), single.facets.len()), (2, 0));
        assert_eq!(hull(&[]), None);
    }

    /// The slow twin in the plane: a line through two points is a facet if all points lie on one side of it.
    fn facets_by_trying_all_pairs(points: &[(i64, i64)]) -> std::collections::BTreeSet<(i64, i64, i64)> {
        let mut found = std::collections::BTreeSet::new();
        for &(ax, ay) in points {
            for &(bx, by) in points {
                let (cx, cy) = (ay - by, bx - ax);
                if (cx, cy) == (0, 0) {
                    continue;
                }
                let c0 = -(cx * ax + cy * ay);
                if points.iter().all(|&(x, y)| c0 + cx * x + cy * y >= 0) {
                    let gcd = |mut a: i64, mut b: i64| {
                        while b != 0 {
                            (a, b) = (b, a % b);
                        }
                        a.abs()
                    };
                    let g = gcd(gcd(c0, cx), cy);
                    found.insert((c0 / g, cx / g, cy / g));
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn plane_hulls_agree_with_trying_all_pairs(sample in proptest::collection::vec((-4i64..5, -4i64..5), 1..12)) {
            let rows: Vec<Vec<IBig>> = sample.iter().map(|&(x, y)| vec![x.into(), y.into()]).collect();
            let hull = hull(&rows).unwrap();
            let tried = facets_by_trying_all_pairs(&sample);
            if hull.equations.is_empty() {
                let found = hull.facets.iter().map(|f| {
                    let at = |i: usize| i64::try_from(&f[i]).unwrap();
                    (at(0), at(1), at(2))
                }).collect();
                prop_assert_eq!(tried, found);
            }
        }

        /// In space: every point satisfies everything, and every facet is touched by points that span it.
        #[test]
        fn space_hulls_are_tight(sample in proptest::collection::vec(proptest::collection::vec(-3i64..4, 3), 1..14)) {
            let rows: Vec<Vec<IBig>> = sample.iter().map(|r| r.iter().map(|&x| IBig::from(x)).collect()).collect();
            let Hull { equations, facets } = hull(&rows).unwrap();
            for row in &rows {
                prop_assert!(equations.iter().all(|form| value(form, row) == IBig::ZERO));
                prop_assert!(facets.iter().all(|form| value(form, row) >= IBig::ZERO));
            }
            for facet in &facets {
                let touching: Vec<Vec<i128>> = sample.iter().zip(&rows).filter(|(_, row)| value(facet, row) == IBig::ZERO)
                    .map(|(r, _)| std::iter::once(1).chain(r.iter().map(|&x| i128::from(x))).collect()).collect();
                let rank = crate::rational::reduced_rows(&touching, 4).len();
                prop_assert_eq!(rank, 3 - equations.len());
            }
        }
    }
}
