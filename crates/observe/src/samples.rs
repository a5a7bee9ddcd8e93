//! The values that variables had at a location: distinct rows of integers.
//!
//! All forms work on integers. A floating variable is a column of integers over a common denominator, so its exact
//! values take part in exact arithmetic; the denominator is put back when a relation is printed.
//!
//! *Cost*: eight bytes a value and eight for the hash of a row. A million rows of six variables take under 80 MB.

use exec::ValueType;
use logic::Term;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Int,
    /// The values are the cells divided by this number, which is positive.
    Real {
        denominator: i64,
    },
}

/// Where a column comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A variable of the program, or a column of a trace file.
    Program,
    /// The value that a parameter had on entry (`x_0` for `x`), where the program changes the parameter.
    Entry,
    /// The value about to be returned, under the name `result`.
    Result,
    /// The number of completed rounds of a loop since it was last entered (`n1`), or two to that power (`2^n1`). A
    /// power that does not fit is 0.
    Ghost,
    /// A term that the user asked for.
    User,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name that predicates use. For ghost powers and unnamed terms it is the text of the term.
    pub name: String,
    pub kind: Kind,
    pub role: Role,
    /// What the name stands for; the variable of that name, unless it is a ghost power or a user's term.
    pub term: Term,
    /// The C type of the column, which decides how relations are written as C; `None` for rows of a trace file.
    pub ty: Option<ValueType>,
}

impl Variable {
    pub fn new(name: impl Into<String>, kind: Kind, role: Role) -> Variable {
        let name = name.into();
        Variable { term: Term::var(name.clone()), name, kind, role, ty: None }
    }

    /// An integer of the program.
    pub fn int(name: impl Into<String>) -> Variable {
        Variable::new(name, Kind::Int, Role::Program)
    }

    /// Whether it is a power of two that counts rounds of a loop.
    pub fn is_power(&self) -> bool {
        self.role == Role::Ghost && matches!(self.term, Term::Exponential(..))
    }

    pub fn denominator(&self) -> i64 {
        match self.kind {
            Kind::Int => 1,
            Kind::Real { denominator } => denominator,
        }
    }
}

/// Rows that are kept to be shown.
const SOME_ROWS: usize = 1000;

/// The distinct rows seen at one location.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    variables: Vec<Variable>,
    cells: Vec<i64>,
    /// Hashes of the rows that are kept. Two rows of one hash of 64 bits count as the same; at a million rows that
    /// loses a row with a chance below one in ten million, and a lost row can only make a relation too strong.
    known: HashSet<u64, IdentityHasher>,
    hasher: RowHasher,
    visits: u64,
}

impl Samples {
    pub fn new(variables: Vec<Variable>) -> Samples {
        Samples { variables, ..Samples::default() }
    }

    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Adds a visit; tells whether the row is new.
    pub fn push(&mut self, row: &[i64]) -> bool {
        assert_eq!(row.len(), self.variables.len(), "a row should have a cell for every variable");
        self.visits += 1;
        let new = self.known.insert(self.hasher.hash(row));
        if new {
            self.cells.extend_from_slice(row);
        }
        new
    }

    /// The number of distinct rows.
    pub fn len(&self) -> usize {
        self.cells.len().checked_div(self.variables.len()).unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How often the location was visited, repetitions included.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Visits whose rows are known, or are not kept.
    pub fn count_visits(&mut self, more: u64) {
        self.visits += more;
    }

    /// Says how often the location was visited, where rows were added that are no visits of their own.
    pub fn set_visits(&mut self, visits: u64) {
        self.visits = visits;
    }

    /// Whether the row is among those kept.
    pub fn contains(&self, row: &[i64]) -> bool {
        self.known.contains(&self.hasher.hash(row))
    }

    pub fn row(&self, index: usize) -> &[i64] {
        let width = self.variables.len();
        &self.cells[index * width..(index + 1) * width]
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        self.cells.chunks_exact(self.variables.len().max(1))
    }

    pub fn column(&self, variable: usize) -> impl Iterator<Item = i64> + '_ {
        self.rows().map(move |row| row[variable])
    }

    /// The same visits with only these variables, in this order.
    pub fn project(&self, variables: &[usize]) -> Samples {
        let mut projected = Samples::new(variables.iter().map(|&v| self.variables[v].clone()).collect());
        let mut narrow = vec![0; variables.len()];
        for row in self.rows() {
            for (cell, &variable) in narrow.iter_mut().zip(variables) {
                *cell = row[variable];
            }
            projected.push(&narrow);
        }
        projected.visits = self.visits;
        projected
    }
}

/// What was seen at one location, in two parts. Candidates come from `near` and must hold of `far` as well.
///
/// For a program, `near` has the runs on inputs of a smaller range: a bound that only echoes the range is then broken
/// by the first runs of the larger one. For a trace file, `far` has the rows held out. The two share no row.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub near: Samples,
    pub far: Samples,
}

impl Evidence {
    pub fn variables(&self) -> &[Variable] {
        self.near.variables()
    }

    /// All rows, those of `near` first.
    pub fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.near.rows().chain(self.far.rows())
    }

    /// The row of this number, in the order of [`Evidence::rows`].
    pub fn row(&self, index: usize) -> &[i64] {
        match index.checked_sub(self.near.len()) {
            None => self.near.row(index),
            Some(index) => self.far.row(index),
        }
    }

    /// At most [`SOME_ROWS`] rows, spread evenly: enough for a picture. Those of `far` would leave the others in one spot
    /// of it, so they are taken only where there are no others.
    pub fn some_rows(&self) -> Vec<Vec<i64>> {
        let samples = if self.near.is_empty() { &self.far } else { &self.near };
        let step = samples.len().div_ceil(SOME_ROWS).max(1);
        samples.rows().step_by(step).map(<[i64]>::to_vec).collect()
    }

    /// The rows in which every power of two among the ghosts fits.
    pub fn with_powers(&self) -> Evidence {
        let powers: Vec<usize> = (0..self.variables().len()).filter(|&v| self.variables()[v].is_power()).collect();
        let part = |samples: &Samples| {
            let mut kept = Samples::new(samples.variables().to_vec());
            for row in samples.rows().filter(|row| powers.iter().all(|&power| row[power] > 0)) {
                kept.push(row);
            }
            kept
        };
        Evidence { near: part(&self.near), far: part(&self.far) }
    }

    pub fn len(&self) -> usize {
        self.near.len() + self.far.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The hashes are hashed already.
#[derive(Clone, Copy, Default, Debug)]
struct IdentityHasher;

impl BuildHasher for IdentityHasher {
    type Hasher = Identity;

    fn build_hasher(&self) -> Identity {
        Identity(0)
    }
}

struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole words should be hashed, because the set holds u64");
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Rows may come from an adversary's trace file, so the hash is keyed anew in every process. Which rows are kept does
/// not depend on the key, up to collisions.
#[derive(Clone, Debug, Default)]
struct RowHasher(RandomState);

impl RowHasher {
    fn hash(&self, row: &[i64]) -> u64 {
        self.0.hash_one(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_kept_once_and_visits_counted() {
        let mut samples = Samples::new(vec![Variable::int("x"), Variable::int("y")]);
        assert!(samples.push(&[1, 2]));
        assert!(samples.push(&[2, 2]));
        assert!(!samples.push(&[1, 2]));
        assert_eq!((samples.len(), samples.visits()), (2, 3));
        assert_eq!(samples.column(0).collect::<Vec<_>>(), [1, 2]);
        let y = samples.project(&[1]);
        assert_eq!((y.len(), y.visits(), y.row(0)), (1, 3, &[2][..]));
    }

    #[test]
    fn no_variables_means_no_rows() {
        let mut samples = Samples::new(Vec::new());
        samples.push(&[]);
        assert_eq!((samples.len(), samples.visits()), (0, 1));
    }
}
