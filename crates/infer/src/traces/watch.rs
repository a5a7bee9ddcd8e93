//! Relations of a stream of rows, refined as it grows.
//!
//! *Question*: what holds of the rows so far, and which row breaks it?
//!
//! *Method*: relations are looked for each time the rows of a location have doubled, in what the [`Collector`] keeps of
//! them. Between two looks every row is tried on the relations that were told. One that it breaks is told at once
//! ([`Event::Broken`]); the row is kept, so that no later look finds the same again. When the stream pauses or ends, what
//! is out of date is looked for once more.
//!
//! *Guarantee*: bounds of octagons, and equations up to the degree that [`Independent`](super::independent) follows, are
//! those of all rows; every other relation told holds of the rows kept at the look that found it and of all rows since.
//!
//! *Cost*: memory does not grow with the rows. A row costs what keeping it and evaluating the relations costs, looks are as
//! many as the logarithm of the rows.

use super::collect::{Collector, Traced};
use super::recheck::Tested;
use super::{ArrayRow, Column, Place, Sink, Skipped};
use crate::{FormConfig, LocationReport, relations, shown};

/// Distinct rows of a location that are kept: looks must be quick.
const KEPT_ROWS: usize = 4096;

/// Rows after which relations are looked for first.
const FIRST_LOOK: u64 = 32;

/// Something that those who watch want to know.
#[derive(Clone, Debug)]
pub enum Event {
    /// The relations of a location after so many rows, with the texts of those that were not told before.
    Listed { report: LocationReport, fresh: Vec<String> },
    /// A row broke a relation that was told. Rows of a location are counted from 1.
    Broken { location: String, row: u64, relation: String, values: Vec<(String, String)> },
}

/// A sink that tells what it sees.
pub struct Watch<F> {
    collector: Collector,
    forms: FormConfig,
    watched: Vec<Watched>,
    say: F,
}

/// What was told of one location.
struct Watched {
    name: String,
    columns: Vec<Column>,
    told: Vec<String>,
    tested: Option<Tested>,
    rows: u64,
    looked_at: u64,
    next_look: u64,
    /// Whether something that was told is broken.
    is_stale: bool,
}

impl<F: FnMut(Event)> Watch<F> {
    pub fn new(collector: Collector, forms: FormConfig, say: F) -> Watch<F> {
        Watch { collector: collector.keeping(KEPT_ROWS), forms, watched: Vec::new(), say }
    }

    /// The stream has paused: what rows have broken is looked for again.
    pub fn pause(&mut self) {
        for index in 0..self.watched.len() {
            let watched = &self.watched[index];
            if watched.is_stale || watched.tested.is_none() && watched.rows > watched.looked_at {
                self.look(index);
            }
        }
    }

    /// The stream has ended: the last look at every location, and what was gathered.
    pub fn finish(self) -> Vec<(Traced, LocationReport)> {
        let places = 0..self.watched.len();
        places
            .map(|index| {
                let traced = self.collector.so_far(Place(index));
                let report = self.report(&traced);
                (traced, report)
            })
            .collect()
    }

    fn report(&self, traced: &Traced) -> LocationReport {
        let found = match traced.evidence.is_empty() {
            true => Default::default(),
            false => relations(&traced.location, &traced.evidence, &self.forms),
        };
        let mut report = LocationReport {
            location: traced.location.clone(),
            visits: traced.rows,
            samples: traced.evidence.len(),
            invariants: found.invariants,
            arrays: Vec::new(),
            notes: traced.notes.iter().cloned().chain(found.notes).collect(),
            rows: traced.evidence.some_rows(),
        };
        report.settle();
        report
    }

    fn look(&mut self, index: usize) {
        let report = self.report(&self.collector.so_far(Place(index)));
        let watched = &mut self.watched[index];
        watched.looked_at = watched.rows;
        watched.next_look = (watched.rows * 2).max(FIRST_LOOK);
        watched.is_stale = false;
        let text = |invariant: &crate::Invariant| shown::text(&invariant.predicate, &report.location.variables);
        let texts: Vec<String> = report.invariants.iter().map(text).collect();
        let mut tested = Tested::new(&report);
        tested.of_columns(&watched.columns);
        watched.tested = Some(tested);
        let fresh: Vec<String> = texts.iter().filter(|text| !watched.told.contains(text)).cloned().collect();
        let is_news = texts != watched.told;
        watched.told = texts;
        if is_news {
            (self.say)(Event::Listed { report, fresh });
        }
    }
}

impl<F: FnMut(Event)> Sink for Watch<F> {
    fn location(&mut self, name: &str, columns: &[Column]) -> Result<Place, String> {
        let place = self.collector.location(name, columns)?;
        if place.0 == self.watched.len() {
            self.watched.push(Watched {
                name: name.to_string(),
                columns: columns.to_vec(),
                told: Vec::new(),
                tested: None,
                rows: 0,
                looked_at: 0,
                next_look: FIRST_LOOK,
                is_stale: false,
            });
        }
        Ok(place)
    }

    fn row(&mut self, place: Place, cells: &[i64], decimals: &[u8]) -> Result<(), String> {
        self.collector.row(place, cells, decimals)?;
        let watched = &mut self.watched[place.0];
        watched.rows += 1;
        let mut broken = Vec::new();
        if let Some(tested) = &mut watched.tested {
            tested.row(cells, decimals, &mut |number| broken.push(number));
        }
        if !broken.is_empty() {
            watched.is_stale = true;
            self.collector.pin(place, cells, decimals);
            let cell = |(index, column): (usize, &Column)| {
                (column.name.clone(), decimal(cells[index], decimals.get(index).copied().unwrap_or(0)))
            };
            let values: Vec<(String, String)> = watched.columns.iter().enumerate().map(cell).collect();
            for number in broken {
                (self.say)(Event::Broken {
                    location: watched.name.clone(),
                    row: watched.rows,
                    relation: watched.told[number].clone(),
                    values: values.clone(),
                });
            }
        }
        if self.watched[place.0].rows >= self.watched[place.0].next_look {
            self.look(place.0);
        }
        Ok(())
    }

    fn skipped(&mut self, place: Place, why: Skipped) {
        self.collector.skipped(place, why);
    }

    fn note(&mut self, place: Place, note: String) {
        self.collector.note(place, note);
    }

    fn arrays(&mut self, place: Place, row: ArrayRow) {
        self.collector.arrays(place, row);
    }
}

/// A number of so many decimals as it is written.
fn decimal(cell: i64, decimals: u8) -> String {
    if decimals == 0 {
        return cell.to_string();
    }
    let (digits, places) = (cell.unsigned_abs().to_string(), usize::from(decimals));
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{}{whole}.{fraction}", if cell < 0 { "-" } else { "" })
}
