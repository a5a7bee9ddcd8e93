//! Where relations between two variables hold, as shapes to be drawn.
//!
//! A predicate becomes a function of the plane that is positive inside, negative outside and zero on the border: the
//! slack of a comparison, the smaller of two slacks for `&&`, the larger for `||`. The plane is cut into cells; the part
//! of a cell where the function is not negative is found from its values at the four corners, as if it were linear
//! between them (marching squares). Half-planes, and what `min` and `max` make of them, are linear but for the cells
//! with their corners, so shapes are right to a fraction of a cell.
//!
//! *Guarantee*: what is drawn is a picture over the reals, for people; nothing is concluded from it.

use super::svg::Path;
use logic::{Operator, Predicate, Relation, Term};

/// Cells in each direction.
const CELLS: usize = 96;

/// The part of the plane that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub x: (f64, f64),
    pub y: (f64, f64),
}

/// The names of the two variables.
pub type Axes<'a> = (&'a str, &'a str);

/// A term at a point; nothing where it has no value, or needs other variables.
fn value(term: &Term, axes: Axes<'_>, at: (f64, f64)) -> Option<f64> {
    let of = |term: &Term| value(term, axes, at);
    let all = |terms: &[Term]| terms.iter().map(of).collect::<Option<Vec<f64>>>();
    Some(match term {
        Term::Const(number) => number.to_f64().value(),
        Term::Var(name) if name == axes.0 => at.0,
        Term::Var(name) if name == axes.1 => at.1,
        Term::Var(_) | Term::Element(..) => return None,
        Term::Neg(inner) => -of(inner)?,
        Term::Sum(terms) => all(terms)?.into_iter().sum(),
        Term::Product(terms) => all(terms)?.into_iter().product(),
        Term::Power(base, exponent) => of(base)?.powi(i32::try_from(*exponent).ok()?),
        Term::Exponential(base, exponent) => f64::from(*base).powf(of(exponent)?),
        Term::Binary(Operator::Quotient, left, right) => of(left)? / of(right)?,
        Term::Binary(..) => return None,
        Term::Min(terms) => all(terms)?.into_iter().reduce(f64::min)?,
        Term::Max(terms) => all(terms)?.into_iter().reduce(f64::max)?,
        Term::Abs(inner) => of(inner)?.abs(),
    })
}

/// How far a point is inside; negative outside.
fn slack(predicate: &Predicate, axes: Axes<'_>, at: (f64, f64)) -> Option<f64> {
    let of = |predicate: &Predicate| slack(predicate, axes, at);
    Some(match predicate {
        Predicate::Const(true) => f64::INFINITY,
        Predicate::Const(false) => f64::NEG_INFINITY,
        Predicate::Compare(relation, left, right) => {
            let difference = value(right, axes, at)? - value(left, axes, at)?;
            match relation {
                Relation::Le | Relation::Lt => difference,
                Relation::Ge | Relation::Gt => -difference,
                Relation::Eq => -difference.abs(),
                Relation::Ne => difference.abs(),
            }
        }
        Predicate::Congruent(..) => return None,
        Predicate::Not(inner) => -of(inner)?,
        Predicate::And(parts) => parts.iter().map(of).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)?,
        Predicate::Or(parts) => parts.iter().map(of).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)?,
        Predicate::Implies(given, then) => f64::max(-of(given)?, of(then)?),
    })
}

/// The shapes of a set of relations.
pub struct Shapes {
    /// Where all that bound an area hold.
    pub region: Path,
    /// Where equations hold, inside the region.
    pub curves: Path,
}

/// Whether there is something to draw of a relation.
pub fn can_be_drawn(predicate: &Predicate, axes: Axes<'_>) -> bool {
    // Any point will do: whether there is a value depends on the form alone.
    slack(predicate, axes, (1.0, 2.0)).is_some()
}

fn is_equation(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::Compare(Relation::Eq, ..))
}

/// The shapes of relations, with points of the window placed by `place`.
pub fn shapes(
    relations: &[Predicate],
    axes: Axes<'_>,
    window: Window,
    place: impl Fn(f64, f64) -> (f64, f64),
) -> Shapes {
    let step = ((window.x.1 - window.x.0) / CELLS as f64, (window.y.1 - window.y.0) / CELLS as f64);
    let corner = |column: usize, row: usize| (window.x.0 + column as f64 * step.0, window.y.0 + row as f64 * step.1);
    let sampled = |of: &dyn Fn((f64, f64)) -> f64| -> Vec<f64> {
        let all = (0..=CELLS).flat_map(|row| (0..=CELLS).map(move |column| (column, row)));
        all.map(|(column, row)| of(corner(column, row))).collect()
    };
    let bounds: Vec<&Predicate> = relations.iter().filter(|relation| !is_equation(relation)).collect();
    let inside = |at: (f64, f64)| {
        let slacks =
            bounds.iter().map(|bound| slack(bound, axes, at).filter(|s| !s.is_nan()).unwrap_or(f64::NEG_INFINITY));
        slacks.fold(f64::INFINITY, f64::min)
    };
    let mut region = Path::default();
    if !bounds.is_empty() {
        let values = sampled(&inside);
        fill(&values, &corner, &place, &mut region);
    }
    let mut curves = Path::default();
    for equation in relations.iter() {
        let Predicate::Compare(Relation::Eq, left, right) = equation else { continue };
        let difference = |at| Some(value(left, axes, at)? - value(right, axes, at)?);
        let values = sampled(&|at| difference(at).unwrap_or(f64::NAN));
        // A curve along the border of the region belongs to it.
        let margin = step.0.abs().max(step.1.abs());
        trace(&values, &corner, &|at| inside(at) >= -margin, &place, &mut curves);
    }
    Shapes { region, curves }
}

type Corner<'a> = dyn Fn(usize, usize) -> (f64, f64) + 'a;
type Placing<'a> = dyn Fn(f64, f64) -> (f64, f64) + 'a;

/// The corners of a cell in order, with their values.
fn cell(values: &[f64], corner: &Corner<'_>, column: usize, row: usize) -> [((f64, f64), f64); 4] {
    let at = |column: usize, row: usize| (corner(column, row), values[row * (CELLS + 1) + column]);
    [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)]
}

/// Where the value is zero between two corners.
fn crossing((one, a): ((f64, f64), f64), (other, b): ((f64, f64), f64)) -> (f64, f64) {
    let part = if a.is_finite() && b.is_finite() && a != b { a / (a - b) } else { 0.5 };
    (one.0 + (other.0 - one.0) * part, one.1 + (other.1 - one.1) * part)
}

/// Adds the area where values are not negative: rows of whole cells as one rectangle, border cells piece by piece.
fn fill(values: &[f64], corner: &Corner<'_>, place: &Placing<'_>, path: &mut Path) {
    let polygon = |points: &[(f64, f64)], path: &mut Path| {
        for (number, &(x, y)) in points.iter().enumerate() {
            let point = place(x, y);
            if number == 0 {
                path.go(point)
            } else {
                path.to(point)
            };
        }
        path.close();
    };
    for row in 0..CELLS {
        let is_whole = |column: usize| cell(values, corner, column, row).iter().all(|(_, value)| *value >= 0.0);
        let mut column = 0;
        while column < CELLS {
            let run = (column..CELLS).take_while(|column| is_whole(*column)).count();
            if run > 0 {
                let ends = (column, column + run);
                polygon(
                    &[corner(ends.0, row), corner(ends.1, row), corner(ends.1, row + 1), corner(ends.0, row + 1)],
                    path,
                );
                column += run;
                continue;
            }
            let corners = cell(values, corner, column, row);
            let mut points = Vec::new();
            for (number, here) in corners.iter().enumerate() {
                let next = &corners[(number + 1) % 4];
                if here.1 >= 0.0 {
                    points.push(here.0);
                }
                if (here.1 >= 0.0) != (next.1 >= 0.0) {
                    points.push(crossing(*here, *next));
                }
            }
            if points.len() > 2 {
                polygon(&points, path);
            }
            column += 1;
        }
    }
}

/// Adds the lines along which values change their sign.
fn trace(
    values: &[f64],
    corner: &Corner<'_>,
    wanted: &dyn Fn((f64, f64)) -> bool,
    place: &Placing<'_>,
    path: &mut Path,
) {
    for row in 0..CELLS {
        for column in 0..CELLS {
            let corners = cell(values, corner, column, row);
            if corners.iter().any(|(_, value)| value.is_nan()) {
                continue;
            }
            let sides = (0..4).map(|side| (corners[side], corners[(side + 1) % 4]));
            let cut: Vec<(f64, f64)> =
                sides.filter(|(a, b)| (a.1 >= 0.0) != (b.1 >= 0.0)).map(|(a, b)| crossing(a, b)).collect();
            for ends in cut.chunks_exact(2) {
                if wanted(((ends[0].0 + ends[1].0) / 2.0, (ends[0].1 + ends[1].1) / 2.0)) {
                    path.go(place(ends[0].0, ends[0].1)).to(place(ends[1].0, ends[1].1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { x: (0.0, 10.0), y: (0.0, 10.0) };

    /// The points that a region is drawn by.
    fn drawn(relations: &[&str]) -> Vec<(f64, f64)> {
        let relations: Vec<Predicate> = relations.iter().map(|text| Predicate::parse(text).unwrap()).collect();
        let points = std::cell::RefCell::new(Vec::new());
        shapes(&relations, ("x", "y"), WINDOW, |x, y| {
            points.borrow_mut().push((x, y));
            (x, y)
        });
        points.into_inner()
    }

    #[test]
    fn regions_are_those_of_their_relations() {
        let inside = |relations: &[&str], holds: fn(f64, f64) -> bool| {
            let points = drawn(relations);
            assert!(!points.is_empty() && points.iter().all(|(x, y)| holds(*x, *y)), "{relations:?}: {points:?}");
        };
        inside(&["x <= y"], |x, y| x <= y + 1e-6);
        inside(&["x + y <= 10", "x - y <= 0"], |x, y| x + y <= 10.0 + 1e-6 && x <= y + 1e-6);
        inside(&["y <= max(x - 5, 3)"], |x, y| y <= f64::max(x - 5.0, 3.0) + 0.11);
        inside(&["x <= 2 || x >= 8"], |x, _| x <= 2.11 || x >= 7.89);
        inside(&["y == max(x, 5)"], |x, y| (y - x.max(5.0)).abs() < 0.11);
        assert!(drawn(&["x <= 0 - 1"]).is_empty());
    }

    #[test]
    fn what_needs_other_variables_is_not_drawn() {
        let drawn = |text: &str| can_be_drawn(&Predicate::parse(text).unwrap(), ("x", "y"));
        assert!(drawn("x == 2^y") && drawn("y == max(x, 5)") && drawn("x >= 0"));
        assert!(!drawn("x <= z") && !drawn("x === 0 (mod 4)") && !drawn("A[x] == y"));
    }
}
