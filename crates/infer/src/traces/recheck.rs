//! Relations tested on a second reading, where the first could not keep all rows.
//!
//! Comparisons of polynomials over whole numbers are evaluated in 128 bits. Everything else, and what does not fit, is
//! evaluated exactly. A row on which a relation has no value counts for nothing: the first reading left it out too.

use super::super::{Invariant, LocationReport};
use super::{Column, Declared, Place, Sink, Skipped};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::{Number, Prepared, Undefined};
use std::collections::HashMap;

/// Tests the relations of reports on the rows it is given.
#[derive(Debug)]
pub struct Recheck {
    locations: Vec<Tested>,
    names: HashMap<String, Place>,
}

/// The relations of one location, made ready for the columns of a file.
#[derive(Debug)]
pub(super) struct Tested {
    /// Over the columns of the file, users' terms written out.
    tests: Vec<Test>,
    columns: Vec<Column>,
    index: HashMap<String, usize>,
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
        let written_out = |name: &str| {
            report.location.variables.iter().find(|v| v.name == name).map(|variable| variable.term.clone())
        };
        let test = |invariant: &Invariant| Test {
            predicate: Prepared::new(invariant.predicate.substitute(&written_out), &|_| None),
            broken: false,
        };
        let tests = report.invariants.iter().map(test).collect();
        Tested { tests, columns: Vec::new(), index: HashMap::new(), rows: 0 }
    }

    /// Says what the columns of the rows are.
    pub(super) fn of_columns(&mut self, columns: &[Column]) {
        self.columns = columns.to_vec();
        self.index = columns.iter().enumerate().map(|(index, column)| (column.name.clone(), index)).collect();
        for test in &mut self.tests {
            let predicate = test.predicate.predicate.clone();
            test.predicate = Prepared::new(predicate, &|name| self.index.get(name).copied());
        }
    }

    /// Tests the relations that no row broke yet, and calls `broken` with the numbers of those that this one breaks.
    pub(super) fn row(&mut self, cells: &[i64], decimals: &[u8], broken: &mut impl FnMut(usize)) {
        self.rows += 1;
        let (columns, index) = (&self.columns, &self.index);
        let value = |name: &str, _: &[Number]| {
            let &column = index.get(name).ok_or_else(|| Undefined::Unknown(name.to_string()))?;
            let below = decimals.get(column).copied().unwrap_or(0);
            Ok(if below > 0 || columns[column].declared == Declared::Real {
                let below = IBig::from(10).pow(below.into());
                Number::Real(RBig::from(IBig::from(cells[column])) / RBig::from(below))
            } else {
                Number::Small(cells[column].into())
            })
        };
        let whole = |column: usize| decimals.is_empty().then(|| cells[column].into());
        for (number, test) in self.tests.iter_mut().enumerate().filter(|(_, test)| !test.broken) {
            test.broken = match test.predicate.quickly(&whole) {
                Some(holds) => !holds,
                None => test.predicate.predicate.evaluate(&value) == Ok(false),
            };
            if test.broken {
                broken(number);
            }
        }
    }
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
        for ((tested, report), &rows) in self.locations.into_iter().zip(reports).zip(rows) {
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
