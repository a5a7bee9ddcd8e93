//! Relations tested on rows as they come, and on a second reading where the first could not keep all rows.
//!
//! Rows are gathered in blocks, on which most relations are evaluated column by column ([`Prepared::failures`]); what has
//! no such form, or might not fit, is evaluated exactly. A row on which a relation has no value counts for nothing: the
//! first reading left it out too.

use super::super::{Invariant, Kind, LocationReport};
use super::{Column, Declared, Place, Sink, Skipped};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::{Block, Cell, Number, Prepared, Undefined};
use std::collections::HashMap;

/// Rows of a block: its columns should fit the fastest memory.
const BLOCK_ROWS: usize = 512;

/// Tests the relations of reports on the rows it is given.
#[derive(Debug)]
pub struct Recheck {
    locations: Vec<Tested>,
    names: HashMap<String, Place>,
}

/// A relation that a row broke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Breach {
    pub(super) relation: usize,
    /// From 1, of the rows that were tested.
    pub(super) row: u64,
    pub(super) cells: Vec<i64>,
    pub(super) decimals: Vec<u8>,
}

/// The relations of one location, made ready for the columns of a file.
#[derive(Debug)]
pub(super) struct Tested {
    /// Over the columns of the file, users' terms written out.
    tests: Vec<Test>,
    /// The denominators of the columns that are reals.
    reals: HashMap<String, i64>,
    names: HashMap<String, usize>,
    /// For each column of the file.
    cells: Vec<Cell>,
    /// Rows that are not tested yet, and the row at hand.
    block: Block,
    scaled: Vec<i64>,
    rows: u64,
}

#[derive(Debug)]
struct Test {
    predicate: Prepared,
    broken: bool,
}

impl Tested {
    /// The columns are those of [`Tested::of_columns`].
    pub(super) fn new(report: &LocationReport) -> Tested {
        let variables = &report.location.variables;
        let written_out = |name: &str| variables.iter().find(|v| v.name == name).map(|variable| variable.term.clone());
        let test = |invariant: &Invariant| Test {
            predicate: Prepared::new(invariant.predicate.substitute(&written_out), &|_| None),
            broken: false,
        };
        let reals = variables.iter().filter_map(|variable| match variable.kind {
            Kind::Real { denominator } => Some((variable.name.clone(), denominator)),
            Kind::Int => None,
        });
        Tested {
            tests: report.invariants.iter().map(test).collect(),
            reals: reals.collect(),
            names: HashMap::new(),
            cells: Vec::new(),
            block: Block::default(),
            scaled: Vec::new(),
            rows: 0,
        }
    }

    /// Says what the columns of the rows are.
    pub(super) fn of_columns(&mut self, columns: &[Column]) {
        let real = |column: &Column| {
            let declared = (column.declared == Declared::Real).then_some(1);
            self.reals.get(&column.name).copied().or(declared)
        };
        let cell = |(index, column)| Cell { column: index, denominator: real(column) };
        let cells: Vec<Cell> = columns.iter().enumerate().map(cell).collect();
        if cells == self.cells && columns.iter().all(|column| self.names.contains_key(&column.name)) {
            return; // Declared again, while rows wait.
        }
        self.cells = cells;
        self.names = columns.iter().enumerate().map(|(index, column)| (column.name.clone(), index)).collect();
        self.block = Block::new(columns.len());
        for test in &mut self.tests {
            let predicate = test.predicate.predicate.clone();
            test.predicate = Prepared::new(predicate, &|name| self.names.get(name).map(|&index| self.cells[index]));
        }
    }

    /// Says how many rows came before those that are to be tested.
    pub(super) fn start_after(&mut self, rows: u64) {
        self.rows = rows;
    }

    /// Takes a row; `broken` hears of the relations that no row broke before, now or when rows are tested next.
    pub(super) fn row(&mut self, cells: &[i64], decimals: &[u8], broken: &mut impl FnMut(Breach)) {
        if self.scales(cells, decimals) {
            self.block.push(self.scaled.iter().copied());
            if self.block.len() == BLOCK_ROWS {
                self.test_rows(broken);
            }
            return;
        }
        self.test_rows(broken);
        self.rows += 1;
        let below = |column: usize| decimals.get(column).copied().unwrap_or(0);
        let value = |column: usize| match (below(column), self.cells[column].denominator) {
            (0, None) => Number::Small(cells[column].into()),
            (places, _) => ratio(cells[column], IBig::from(10).pow(places.into())),
        };
        for (relation, test) in self.tests.iter_mut().enumerate().filter(|(_, test)| !test.broken) {
            test.broken = fails(&test.predicate, &self.names, &value);
            if test.broken {
                broken(Breach { relation, row: self.rows, cells: cells.to_vec(), decimals: decimals.to_vec() });
            }
        }
    }

    /// Brings the cells over the denominators of their columns, unless one has more decimals than that, or does not fit.
    fn scales(&mut self, cells: &[i64], decimals: &[u8]) -> bool {
        self.scaled.clear();
        for (column, (&value, cell)) in cells.iter().zip(&self.cells).enumerate() {
            let places = decimals.get(column).copied().unwrap_or(0);
            let scaled = match cell.denominator {
                None => (places == 0).then_some(value),
                Some(denominator) => 10i64
                    .checked_pow(places.into())
                    .filter(|below| denominator % below == 0)
                    .and_then(|below| value.checked_mul(denominator / below)),
            };
            let Some(scaled) = scaled else { return false };
            self.scaled.push(scaled);
        }
        true
    }

    /// Tests the rows that wait.
    pub(super) fn test_rows(&mut self, broken: &mut impl FnMut(Breach)) {
        let block = &self.block;
        let mut breaches: Vec<(usize, usize)> = Vec::new();
        for (relation, test) in self.tests.iter_mut().enumerate().filter(|(_, test)| !test.broken) {
            let first = match test.predicate.failures(block) {
                Some(failures) => failures.first().copied(),
                None => (0..block.len()).find(|&row| {
                    let value = |column: usize| match self.cells[column].denominator {
                        None => Number::Small(block.cell(row, column).into()),
                        Some(denominator) => ratio(block.cell(row, column), denominator.into()),
                    };
                    match test.predicate.quickly(&|column| Some(block.cell(row, column).into())) {
                        Some(holds) => !holds,
                        None => fails(&test.predicate, &self.names, &value),
                    }
                }),
            };
            test.broken = first.is_some();
            breaches.extend(first.map(|row| (row, relation)));
        }
        breaches.sort_unstable();
        for (row, relation) in breaches {
            let written = self.cells.iter().map(|cell| as_written(block.cell(row, cell.column), cell.denominator));
            let (cells, decimals): (Vec<i64>, Vec<u8>) = written.unzip();
            let decimals = if decimals.iter().all(|places| *places == 0) { Vec::new() } else { decimals };
            broken(Breach { relation, row: self.rows + row as u64 + 1, cells, decimals });
        }
        self.rows += block.len() as u64;
        self.block.clear();
    }
}

fn ratio(above: i64, below: IBig) -> Number {
    Number::Real(RBig::from(IBig::from(above)) / RBig::from(below))
}

/// Whether a relation is false of the values that columns have; where it has no value it says nothing.
fn fails(predicate: &Prepared, names: &HashMap<String, usize>, value: &impl Fn(usize) -> Number) -> bool {
    let lookup = |name: &str, _: &[Number]| {
        let &column = names.get(name).ok_or_else(|| Undefined::Unknown(name.to_string()))?;
        Ok(value(column))
    };
    predicate.predicate.evaluate(&lookup) == Ok(false)
}

/// A cell as a reader gives it: the digits, and how many of them are decimals.
fn as_written(cell: i64, denominator: Option<i64>) -> (i64, u8) {
    let (mut cell, mut places) = (cell, denominator.unwrap_or(1).ilog10() as u8);
    while places > 0 && cell % 10 == 0 {
        cell /= 10;
        places -= 1;
    }
    (cell, places)
}

impl Recheck {
    pub fn new(reports: &[LocationReport]) -> Recheck {
        let mut recheck = Recheck { locations: Vec::new(), names: HashMap::new() };
        for (index, report) in reports.iter().enumerate() {
            recheck.names.insert(report.location.name.clone(), Place(index));
            recheck.locations.push(Tested::new(report));
        }
        recheck
    }

    /// Drops the relations that some row broke, and says so; `rows` are those of the first reading.
    pub fn finish(self, reports: &mut [LocationReport], rows: &[u64]) {
        for ((mut tested, report), &rows) in self.locations.into_iter().zip(reports).zip(rows) {
            tested.test_rows(&mut |_| {});
            if tested.rows < rows {
                report.notes.push(
                    "The file could not be read a second time; relations other than bounds are those of the rows kept."
                        .to_string(),
                );
            }
            let mut broken = tested.tests.iter().map(|test| test.broken);
            let before = report.invariants.len();
            report.invariants.retain(|_| broken.next() != Some(true));
            let dropped = before - report.invariants.len();
            if dropped > 0 {
                report
                    .notes
                    .push(format!("{dropped} relations of the rows kept are broken by other rows and not shown."));
            }
        }
    }
}

impl Sink for Recheck {
    fn location(&mut self, name: &str, columns: &[Column]) -> Result<Place, String> {
        let Some(&place) = self.names.get(name) else {
            return Err(format!("`{name}` was not there at the first reading; the file has changed"));
        };
        self.locations[place.0].of_columns(columns);
        Ok(place)
    }

    fn row(&mut self, place: Place, cells: &[i64], decimals: &[u8]) -> Result<(), String> {
        self.locations[place.0].row(cells, decimals, &mut |_| {});
        Ok(())
    }

    fn skipped(&mut self, _: Place, _: Skipped) {}

    fn note(&mut self, _: Place, _: String) {}
}
