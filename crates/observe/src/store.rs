//! The rows seen at one location while runs go on: distinct, bounded in number, extremes kept.
//!
//! *Question*: is there anything here that the rows kept so far do not say?
//!
//! A row is kept if it is new and there is room, or if it moves the end of an interval, a difference or a sum of two
//! variables. News for the search is a row outside of the linear span of the monomials of earlier rows
//! ([`Echelon`], modulo one prime): while the rank grows, some equation that held so far has just been refuted.
//!
//! *Guarantee*: rows that were visited and not kept lie between kept ones in every octagon direction. They may still
//! refute an equation; what is reported is checked on further runs for that reason.

use super::{Evidence, Kind, Role, Samples, Variable};
use algebra::Monomial;
use algebra::echelon::Echelon;
use algebra::largest_degree;
use algebra::prime::Prime;
use exec::Scalar;
use exec::trace::{Point, Row};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Rows of a run beyond this number are thinned.
const WHOLE_RUN: usize = 256;
/// Columns of the rank, at most.
const COLUMNS: usize = 200;
/// Fractional digits of floating values, in bits.
const MOST_FRACTION: i32 = 40;

pub(super) struct Store {
    variables: Vec<Variable>,
    /// Most rows of each part, extremes aside.
    limit: usize,
    /// Cells: integers as they are, floating values as their bits. Each row with whether a near run made it.
    rows: Vec<(Box<[i64]>, bool)>,
    index: HashMap<Box<[i64]>, usize>,
    parts: [usize; 2],
    /// Of the near rows, and of the far ones.
    extremes: [Extremes; 2],
    rank: Rank,
    pub visits: u64,
    /// Rows with a value that does not fit.
    pub unfit: u64,
    /// Visits that the recorder had no room for.
    pub unrecorded: u64,
}

/// What taking rows in has shown.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Gain {
    pub rows: usize,
    pub rank: bool,
}

impl Store {
    pub fn new(variables: &[Variable], limit: usize) -> Store {
        let program: Vec<usize> = (0..variables.len()).filter(|&v| variables[v].role != Role::Ghost).collect();
        Store {
            variables: variables.to_vec(),
            limit,
            rows: Vec::new(),
            index: HashMap::new(),
            parts: [0, 0],
            extremes: [Extremes::new(program.clone()), Extremes::new(program.clone())],
            rank: Rank::new(program),
            visits: 0,
            unfit: 0,
            unrecorded: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Rows beyond this number cannot raise the rank any more.
    pub fn columns(&self) -> usize {
        self.rank.steps.len()
    }

    /// Takes in the rows that one run left at the location.
    pub fn take(&mut self, point: &Point, near: bool) -> Gain {
        let mut gain = Gain::default();
        self.visits += point.len() as u64 + point.dropped();
        self.unrecorded += point.dropped();
        if self.variables.is_empty() {
            return gain;
        }
        let stride = point.len().div_ceil(WHOLE_RUN / 2).max(1);
        let mut cells = Vec::with_capacity(self.variables.len());
        for (index, row) in point.rows().enumerate() {
            if !self.cells(row, &mut cells) {
                self.unfit += 1;
                continue;
            }
            let ends = index < WHOLE_RUN / 4 || index + WHOLE_RUN / 4 >= point.len();
            let wanted = point.len() <= WHOLE_RUN || ends || index % stride == 0;
            let step = self.push(&cells, near, wanted);
            gain.rows += step.rows;
            gain.rank |= step.rank;
        }
        gain
    }

    fn push(&mut self, cells: &[i64], near: bool, wanted: bool) -> Gain {
        if let Some(&known) = self.index.get(cells) {
            let (_, was_near) = &mut self.rows[known];
            // What a near run shows is near, whatever showed it first.
            if near && !*was_near {
                *was_near = true;
                self.parts[0] += 1;
                self.parts[1] -= 1;
            }
            return Gain::default();
        }
        let part = usize::from(!near);
        let room = wanted && self.parts[part] < self.limit;
        let extreme = self.extremes[part].extend(cells, &self.variables, !room);
        if room {
            self.parts[part] += 1;
            self.index.insert(cells.into(), self.rows.len());
            self.rows.push((cells.into(), near));
        }
        let rank = (room || extreme) && self.rank.insert(cells, &self.variables);
        Gain { rows: usize::from(room), rank }
    }

    /// The cells of a row, or `false` if a value does not fit.
    fn cells(&self, row: Row<'_>, cells: &mut Vec<i64>) -> bool {
        cells.clear();
        for (value, variable) in row.values().zip(&self.variables) {
            cells.push(match value {
                Scalar::Int(value) => match i64::try_from(value) {
                    Ok(value) => value,
                    // A power of two that has grown too large is marked as such.
                    Err(_) if variable.role == Role::Ghost => 0,
                    Err(_) => return false,
                },
                // Adding zero takes the sign off a negative one.
                Scalar::Float(value) if dyadic(value).is_some() => (value + 0.0).to_bits() as i64,
                Scalar::Float(_) => return false,
            });
        }
        true
    }

    /// The rows that are kept, those of near runs marked: first the ones there was room for, then the extremes.
    fn kept(&self) -> Vec<(&[i64], bool)> {
        let mut all: Vec<(&[i64], bool)> = self.rows.iter().map(|(row, near)| (&**row, *near)).collect();
        let mut extra: HashSet<&[i64]> = HashSet::new();
        for (extremes, near) in self.extremes.iter().zip([true, false]) {
            let rows = extremes.rows().filter(|row| !self.index.contains_key(*row));
            all.extend(rows.filter(|row| extra.insert(row)).map(|row| (row, near)));
        }
        all
    }

    /// The rows as evidence. Floating columns become integers over the least common power of two; rows that do not fit
    /// then are left out and counted.
    pub fn evidence(&self) -> (Evidence, u64) {
        let kept = self.kept();
        let mut variables = self.variables.clone();
        let mut shifts = vec![0u32; variables.len()];
        for (column, variable) in variables.iter_mut().enumerate() {
            if let Kind::Real { denominator } = &mut variable.kind {
                let fraction =
                    |(row, _): &(&[i64], bool)| dyadic(f64::from_bits(row[column] as u64)).unwrap_or((0, 0)).1;
                shifts[column] = kept.iter().map(fraction).max().unwrap_or(0);
                *denominator = 1 << shifts[column];
            }
        }
        // Where all rows come from one side there is nothing to compare with, so the first half counts as near.
        let only_far = self.parts[0] == 0;
        let mut evidence = Evidence { near: Samples::new(variables.clone()), far: Samples::new(variables.clone()) };
        let mut lost = 0;
        let mut cells = vec![0; variables.len()];
        for (index, (row, near)) in kept.iter().enumerate() {
            let fits = row.iter().enumerate().all(|(column, &cell)| {
                cells[column] = match variables[column].kind {
                    Kind::Int => cell,
                    Kind::Real { .. } => {
                        let (mantissa, fraction) = dyadic(f64::from_bits(cell as u64)).unwrap_or((0, 0));
                        let scaled = i128::from(mantissa) << (shifts[column] - fraction);
                        let Ok(scaled) = i64::try_from(scaled) else { return false };
                        scaled
                    }
                };
                true
            });
            if !fits {
                lost += 1;
            } else if *near || (only_far && index * 2 < kept.len()) {
                evidence.near.push(&cells);
            } else {
                evidence.far.push(&cells);
            }
        }
        // Repetitions are not told apart by part; they are counted with the near ones.
        let counted = evidence.near.visits() + evidence.far.visits();
        evidence.near.count_visits(self.visits.saturating_sub(self.unfit + lost + counted));
        (evidence, lost)
    }
}

/// A floating value as an integer over two to the second number, if there is such an integer of 63 bits and the
/// exponent is at most [`MOST_FRACTION`].
fn dyadic(value: f64) -> Option<(i64, u32)> {
    if !value.is_finite() {
        return None;
    }
    if value == 0.0 {
        return Some((0, 0));
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mut mantissa, mut exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = mantissa.trailing_zeros() as i32;
    mantissa >>= zeros;
    exponent += zeros;
    if exponent > 0 {
        if exponent + (64 - mantissa.leading_zeros() as i32) > 62 {
            return None;
        }
        mantissa <<= exponent;
        exponent = 0;
    }
    let signed = if value < 0.0 { -mantissa } else { mantissa };
    (-exponent <= MOST_FRACTION).then_some((signed, exponent.unsigned_abs()))
}

/// The ends of every interval, difference and sum.
struct Extremes {
    columns: Vec<usize>,
    ends: Vec<[End; 2]>,
}

/// The lowest or highest value in a direction, with the row that has it unless that is kept elsewhere.
#[derive(Clone)]
struct End {
    value: f64,
    row: Option<Arc<[i64]>>,
}

impl Extremes {
    fn new(columns: Vec<usize>) -> Extremes {
        // Quadratic in the variables; past some dozens only intervals are kept track of.
        let pairs = if columns.len() <= 24 { columns.len() * columns.len().saturating_sub(1) } else { 0 };
        let open = [f64::INFINITY, f64::NEG_INFINITY].map(|value| End { value, row: None });
        Extremes { ends: vec![open; columns.len() + pairs], columns }
    }

    /// Takes a row in, to be kept here if it moves an end; tells whether it did.
    fn extend(&mut self, cells: &[i64], variables: &[Variable], keep: bool) -> bool {
        let number = |column: usize| match variables[column].kind {
            Kind::Int => cells[column] as f64,
            Kind::Real { .. } => f64::from_bits(cells[column] as u64),
        };
        let mut shared: Option<Arc<[i64]>> = None;
        let mut moved = false;
        let mut see = |[low, high]: &mut [End; 2], value: f64| {
            let beyond = [value < low.value, value > high.value];
            for (end, beyond) in [low, high].into_iter().zip(beyond) {
                if beyond {
                    moved = true;
                    end.value = value;
                    end.row = keep.then(|| shared.get_or_insert_with(|| cells.into()).clone());
                }
            }
        };
        let (single, pairs) = self.ends.split_at_mut(self.columns.len());
        for (end, &column) in single.iter_mut().zip(&self.columns) {
            see(end, number(column));
        }
        let mut pairs = pairs.iter_mut();
        for (at, &a) in self.columns.iter().enumerate() {
            for &b in &self.columns[at + 1..] {
                let (Some(difference), Some(sum)) = (pairs.next(), pairs.next()) else { return moved };
                see(difference, number(a) - number(b));
                see(sum, number(a) + number(b));
            }
        }
        moved
    }

    /// The rows kept here, some more than once.
    fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.ends.iter().flatten().filter_map(|end| end.row.as_deref())
    }
}

/// The rank of the rows' monomials.
struct Rank {
    columns: Vec<usize>,
    /// For each monomial but the first, an earlier one and the variable that leads to it.
    steps: Vec<(usize, usize)>,
    prime: Prime,
    echelon: Echelon,
    /// Rows since the rank last grew.
    quiet: usize,
    seen: usize,
}

impl Rank {
    fn new(columns: Vec<usize>) -> Rank {
        let prime = Prime::all().next().expect("there should be primes below 2^31");
        let mut monomials = if columns.is_empty() {
            Vec::new()
        } else {
            Monomial::up_to(columns.len(), largest_degree(columns.len(), COLUMNS))
        };
        monomials.truncate(COLUMNS);
        let place: HashMap<&Monomial, usize> = monomials.iter().enumerate().map(|(i, m)| (m, i)).collect();
        let step = |monomial: &Monomial| {
            let variable = monomial.exponents().iter().position(|&e| e > 0)?;
            let smaller = monomial.div(&Monomial::variable(variable, columns.len()))?;
            Some((place[&smaller], variable))
        };
        let steps: Vec<(usize, usize)> = monomials.iter().map(|m| step(m).unwrap_or((0, 0))).collect();
        Rank { echelon: Echelon::new(prime, steps.len()), columns, steps, prime, quiet: 0, seen: 0 }
    }

    /// Takes a row in; tells whether the rank grew.
    fn insert(&mut self, cells: &[i64], variables: &[Variable]) -> bool {
        self.seen += 1;
        // Once many rows have brought nothing, a look at some of them is enough.
        let bored = self.quiet > 100 && !self.seen.is_multiple_of(8);
        if self.steps.is_empty() || self.echelon.rank() == self.steps.len() || bored {
            return false;
        }
        let residue = |&column: &usize| match variables[column].kind {
            Kind::Int => self.prime.reduce_i128(cells[column].into()),
            Kind::Real { .. } => {
                let (mantissa, fraction) = dyadic(f64::from_bits(cells[column] as u64)).unwrap_or((0, 0));
                let inverse = self.prime.inverse(self.prime.pow(2, fraction));
                self.prime.mul(self.prime.reduce_i128(mantissa.into()), inverse)
            }
        };
        let residues: Vec<u32> = self.columns.iter().map(residue).collect();
        let mut row = vec![1u32; self.steps.len()];
        for (index, &(smaller, variable)) in self.steps.iter().enumerate().skip(1) {
            row[index] = self.prime.mul(row[smaller], residues[variable]);
        }
        let grew = self.echelon.insert(&row);
        self.quiet = if grew { 0 } else { self.quiet + 1 };
        grew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_values_are_integers_over_powers_of_two() {
        assert_eq!(dyadic(0.75), Some((3, 2)));
        assert_eq!(dyadic(-6.0), Some((-6, 0)));
        assert_eq!(dyadic(1e15), Some((1_000_000_000_000_000, 0)));
        assert_eq!((dyadic(0.1), dyadic(f64::NAN), dyadic(1e300)), (None, None, None));
    }

    #[test]
    fn a_near_visit_makes_a_far_row_near() {
        let mut store = Store::new(&[Variable::int("x")], 10);
        store.push(&[1], false, true);
        store.push(&[2], false, true);
        store.push(&[1], true, true);
        let (evidence, _) = store.evidence();
        assert_eq!((evidence.near.row(0), evidence.far.row(0)), (&[1][..], &[2][..]));
    }

    #[test]
    fn extremes_are_kept_beyond_the_limit() {
        let mut store = Store::new(&[Variable::int("x"), Variable::int("y")], 2);
        for row in [[0, 0], [9, 9], [5, 5], [6, 4], [1, 8]] {
            store.push(&row, true, true);
        }
        // (5, 5) lies between the first two in every direction; of the others (1, 8) is the lowest x - y seen and
        // (6, 4) the highest.
        assert_eq!((store.len(), store.kept().len()), (2, 4));
    }
}
