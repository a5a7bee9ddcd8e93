//! Relations of a stream of rows, refined as it grows.
//!
//! *Question*: what holds of the rows so far, and which row breaks it?
//!
//! *Method*: relations are looked for each time the rows of a location have doubled, and of many rows each time there are
//! four times as many, in what the [`Collector`] keeps of them. Between two looks every row is tried on the relations that
//! were told, some hundred rows at a time, or fewer when no more are there yet. One that is broken is told with the first
//! row that breaks it ([`Event::Broken`]); the row is kept, so that no later look finds the same again. When the stream
//! pauses or ends, what is out of date is looked for once more. When the work is to stop, nothing is: what was told and
//! not broken stands.
//!
//! *Guarantee*: bounds of octagons, and equations up to the degree that [`Independent`](super::independent) follows, are
//! those of all rows; every other relation told holds of the rows kept at the look that found it and of all rows since.
//!
//! *Cost*: memory does not grow with the rows. A row costs what keeping it and evaluating the relations costs, looks are as
//! many as the logarithm of the rows.

use super::collect::{Collector, Traced};
use super::recheck::{Breach, Tested};
use super::{ArrayRow, Column, Place, Sink, Skipped};
use crate::{FormConfig, LocationReport, relations, shown};

/// Distinct rows of a location that are kept: looks must be quick.
const KEPT_ROWS: usize = 4096;

/// Rows after which relations are looked for first.
const FIRST_LOOK: u64 = 32;

/// Rows from which on looks are rarer.
const MANY_ROWS: u64 = 4096;

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
    /// The last look, with what it found tested on the rows since then.
    last: Option<(LocationReport, Tested)>,
    /// The relations of the last look that rows broke, by number.
    broken: Vec<usize>,
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

    /// The rows so far are tried on what was told.
    pub fn catch_up(&mut self) {
        (0..self.watched.len()).for_each(|index| self.try_rows(index));
    }

    /// The stream has paused: what rows have broken is looked for again.
    pub fn pause(&mut self) {
        self.catch_up();
        for index in 0..self.watched.len() {
            let watched = &self.watched[index];
            if watched.is_stale || watched.last.is_none() && watched.rows > watched.looked_at {
                self.look(index);
            }
        }
    }

    /// The stream has ended, or the work is to stop: what holds of every location, and what was gathered.
    pub fn finish(mut self) -> Vec<(Traced, LocationReport)> {
        self.catch_up();
        let mut found = Vec::new();
        for (index, watched) in std::mem::take(&mut self.watched).into_iter().enumerate() {
            let traced = self.collector.so_far(Place(index));
            let looked = if self.forms.is_cancelled() { None } else { Some(self.report(&traced)) };
            let report = looked.filter(|_| !self.forms.is_cancelled()).or_else(|| watched.what_stands(&traced));
            let report = report.unwrap_or_else(|| self.report(&traced));
            found.push((traced, report));
        }
        found
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
        if self.forms.is_cancelled() {
            return; // It may have been cut short.
        }
        let watched = &mut self.watched[index];
        watched.looked_at = watched.rows;
        watched.next_look = (watched.rows * if watched.rows < MANY_ROWS { 2 } else { 4 }).max(FIRST_LOOK);
        watched.is_stale = false;
        let text = |invariant: &crate::Invariant| shown::text(&invariant.predicate, &report.location.variables);
        let texts: Vec<String> = report.invariants.iter().map(text).collect();
        let mut tested = Tested::new(&report);
        tested.of_columns(&watched.columns);
        tested.start_after(watched.rows);
        let fresh: Vec<String> = texts.iter().filter(|text| !watched.told.contains(text)).cloned().collect();
        let is_news = texts != watched.told;
        watched.told = texts;
        watched.broken.clear();
        watched.last = Some((report.clone(), tested));
        if is_news {
            (self.say)(Event::Listed { report, fresh });
        }
    }

    /// Tries the rows that wait on what was told of a location.
    fn try_rows(&mut self, index: usize) {
        let mut breaches = Vec::new();
        if let Some((_, tested)) = &mut self.watched[index].last {
            tested.test_rows(&mut |breach| breaches.push(breach));
        }
        self.tell(index, breaches);
    }

    fn tell(&mut self, index: usize, breaches: Vec<Breach>) {
        for Breach { relation, row, cells, decimals } in breaches {
            let watched = &mut self.watched[index];
            watched.is_stale = true;
            watched.broken.push(relation);
            let cell = |(index, column): (usize, &Column)| {
                (column.name.clone(), decimal(cells[index], decimals.get(index).copied().unwrap_or(0)))
            };
            let values = watched.columns.iter().enumerate().map(cell).collect();
            let (location, relation) = (watched.name.clone(), watched.told[relation].clone());
            self.collector.pin(Place(index), &cells, &decimals);
            (self.say)(Event::Broken { location, row, relation, values });
        }
    }
}

impl Watched {
    /// What the last look found and no row since has broken.
    fn what_stands(self, traced: &Traced) -> Option<LocationReport> {
        let (mut report, _) = self.last?;
        let mut number = 0..;
        report.invariants.retain(|_| number.next().is_some_and(|number| !self.broken.contains(&number)));
        report.visits = traced.rows;
        Some(report)
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
                last: None,
                broken: Vec::new(),
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
        let mut breaches = Vec::new();
        if let Some((_, tested)) = &mut watched.last {
            tested.row(cells, decimals, &mut |breach| breaches.push(breach));
        }
        if !breaches.is_empty() {
            self.tell(place.0, breaches);
        }
        if self.watched[place.0].rows >= self.watched[place.0].next_look && !self.forms.is_cancelled() {
            self.try_rows(place.0);
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
