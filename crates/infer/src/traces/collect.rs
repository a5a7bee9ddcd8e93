//! Rows of traces, gathered into evidence.
//!
//! Distinct rows are kept up to a bound. Beyond it a row is kept only if its hash ends in enough zero bits, one more
//! each time the bound is reached: a sample of the distinct rows that does not depend on their order, and in which the
//! commonest row is no likelier than the rarest. From then on two kinds of rows are kept besides: those that are extreme
//! in some octagonal direction ([`Extremes`]), so that bounds are those of all rows, and those that are independent up to
//! a degree ([`Independent`]), so that equations of that degree are.
//!
//! One row in eight, chosen by its hash, is held out to test candidates, unless there are too few rows to spare any.
//!
//! *Merging*: what was gathered of parts of the rows joins to what would have been gathered of all
//! ([`Collector::merge`]): samples by their hashes, extremes by their rows, spaces by their independent rows.

use super::super::arrays::{ArrayVariable, Grid, Table, Visit};
use super::super::exponentials;
use super::super::terms::{self, BoundTerms, Unplaced, UserTerm};
use super::super::{Location, LocationKind};
use super::extremes::Extremes;
use super::independent::Independent;
use super::number::MOST_DECIMALS;
use super::{ArrayRow, Column, Declared, Place, Sink, Skipped};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::Number;
use observe::samples::{Evidence, Kind, Role, Samples, Variable};
use std::collections::{BTreeMap, HashMap};

/// Distinct rows kept for one location.
const MOST_ROWS: usize = 1 << 16;
/// Cells kept in all, of eight bytes.
const MOST_CELLS: usize = 1 << 23;
/// Rows whose arrays are kept.
const MOST_ARRAY_ROWS: usize = 512;
/// Rows of one location that are kept for what they refuted.
const MOST_PINNED: usize = 1024;
/// With fewer distinct rows, none is held out.
const FEWEST_TO_SPLIT: usize = 200;

/// What was read of one location.
#[derive(Clone, Debug)]
pub struct Traced {
    pub location: Location,
    pub evidence: Evidence,
    /// Rows read, those skipped not counted.
    pub rows: u64,
    /// Whether all distinct rows are in the evidence.
    pub complete: bool,
    /// Whether the rows kept have the octagon of all rows.
    pub octagons_complete: bool,
    /// The arrays, if rows have some.
    pub table: Option<Table>,
    pub notes: Vec<String>,
}

/// Keeps distinct rows of all locations.
#[derive(Clone, Debug)]
pub struct Collector {
    terms: Vec<UserTerm>,
    /// Empty for all.
    chosen: Vec<String>,
    /// Distinct rows kept for one location.
    most_rows: usize,
    names: HashMap<String, Place>,
    gathered: Vec<Gathered>,
    cells: usize,
}

impl Default for Collector {
    fn default() -> Collector {
        Collector::new(Vec::new(), Vec::new())
    }
}

impl Collector {
    /// Terms become columns; of the columns of the file only the chosen ones are kept, or all if none are.
    pub fn new(terms: Vec<UserTerm>, chosen: Vec<String>) -> Collector {
        let (names, gathered) = (HashMap::new(), Vec::new());
        Collector { terms, chosen, most_rows: MOST_ROWS, names, gathered, cells: 0 }
    }

    /// Keeps at most so many distinct rows of a location, and what stands for the others.
    pub fn keeping(self, most_rows: usize) -> Collector {
        Collector { most_rows, ..self }
    }

    /// Takes in what another one, with the same terms and chosen columns, gathered of other rows. An error is a whole
    /// sentence; nothing is taken of the location that it is about.
    pub fn merge(&mut self, other: Collector) -> Result<(), String> {
        for theirs in other.gathered {
            match self.names.get(&theirs.name) {
                Some(place) => self.gathered[place.0].merge(theirs, self.most_rows)?,
                None => {
                    self.names.insert(theirs.name.clone(), Place(self.gathered.len()));
                    self.gathered.push(theirs);
                }
            }
        }
        self.count_cells();
        while self.cells > MOST_CELLS {
            let largest = self.largest();
            self.gathered[largest].thin();
            self.count_cells();
        }
        Ok(())
    }

    fn count_cells(&mut self) {
        self.cells = self.gathered.iter().map(|g| g.kept_rows() * g.variables.len()).sum();
    }

    /// What was gathered so far of one location.
    pub fn so_far(&self, place: Place) -> Traced {
        self.gathered[place.0].clone().finish()
    }

    /// The row of a location that was taken last is kept, whatever else is not.
    pub(super) fn pin(&mut self, place: Place, cells: &[i64], decimals: &[u8]) {
        self.gathered[place.0].pin(cells, decimals);
    }

    /// The names of all columns read, chosen or not.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.gathered.iter().flat_map(|gathered| gathered.columns.iter().map(|column| column.name.as_str()))
    }

    pub fn finish(self) -> Vec<Traced> {
        self.gathered.into_iter().map(Gathered::finish).collect()
    }

    /// The place of the location with the most cells.
    fn largest(&self) -> usize {
        let cells = |g: &Gathered| g.kept_rows() * g.variables.len();
        (0..self.gathered.len()).max_by_key(|&i| cells(&self.gathered[i])).unwrap_or(0)
    }
}

impl Sink for Collector {
    fn location(&mut self, name: &str, columns: &[Column]) -> Result<Place, String> {
        if let Some(&place) = self.names.get(name) {
            if self.gathered[place.0].columns != columns {
                return Err(format!("`{name}` was declared before with other columns"));
            }
            return Ok(place);
        }
        for (index, column) in columns.iter().enumerate() {
            if columns[..index].iter().any(|other| other.name == column.name) {
                return Err(format!("two columns of `{name}` are called `{}`", column.name));
            }
        }
        let place = Place(self.gathered.len());
        self.gathered.push(Gathered::new(name, columns, &self.terms, &self.chosen));
        self.names.insert(name.to_string(), place);
        Ok(place)
    }

    fn row(&mut self, place: Place, cells: &[i64], decimals: &[u8]) -> Result<(), String> {
        let gathered = &mut self.gathered[place.0];
        let added = gathered.row(cells, decimals)?;
        self.cells += added;
        if added > 0 && gathered.kept_rows() > self.most_rows {
            gathered.thin();
            self.count_cells();
        }
        if self.cells > MOST_CELLS {
            let largest = self.largest();
            self.gathered[largest].thin();
            self.count_cells();
        }
        Ok(())
    }

    fn skipped(&mut self, place: Place, why: Skipped) {
        *self.gathered[place.0].skipped.entry(why).or_default() += 1;
    }

    fn note(&mut self, place: Place, note: String) {
        self.gathered[place.0].notes.push(note);
    }

    fn arrays(&mut self, place: Place, row: ArrayRow) {
        let gathered = &mut self.gathered[place.0];
        if gathered.arrays.len() < MOST_ARRAY_ROWS && !gathered.arrays.contains(&row) {
            gathered.arrays.push(row);
        } else {
            gathered.arrays_left_out += 1;
        }
    }
}

/// Columns of one place that are looked at: equations have a term for each, and what is kept grows with their square.
const MOST_COLUMNS: usize = 300;

/// The rows of one location.
#[derive(Clone, Debug)]
struct Gathered {
    name: String,
    columns: Vec<Column>,
    /// The columns of the file that are kept, by index.
    kept: Vec<usize>,
    bound: BoundTerms,
    /// The columns kept and then the terms.
    variables: Vec<Variable>,
    /// Whether the columns of the file, and no others, are kept.
    plain: bool,
    /// The decimals that columns have, if they are plain and some are reals.
    places: Option<Vec<Option<u8>>>,
    /// Near and far.
    samples: [Samples; 2],
    hashes: [Vec<u64>; 2],
    /// A row is kept if the hash has none of these bits.
    mask: u64,
    extremes: Option<Box<[Extremes; 2]>>,
    independent: Option<Box<Independent>>,
    /// Rows that are kept for what they refuted.
    pinned: Vec<Vec<i64>>,
    rows: u64,
    skipped: BTreeMap<Skipped, u64>,
    without_value: u64,
    arrays: Vec<ArrayRow>,
    arrays_left_out: u64,
    notes: Vec<String>,
    /// The row at hand, as it will be kept.
    row: Vec<i64>,
}

impl Gathered {
    fn new(name: &str, columns: &[Column], terms: &[UserTerm], chosen: &[String]) -> Gathered {
        let all: Vec<Variable> = columns
            .iter()
            .map(|column| {
                let kind = if column.declared == Declared::Real { Kind::Real { denominator: 1 } } else { Kind::Int };
                let role = match column.name.as_str() {
                    "result" => Role::Result,
                    entry if entry.strip_suffix("_0").is_some_and(|of| columns.iter().any(|c| c.name == of)) => {
                        Role::Entry
                    }
                    _ => Role::Program,
                };
                Variable::new(column.name.clone(), kind, role)
            })
            .collect();
        let (bound, mut notes) = BoundTerms::new(terms, &all);
        let mut kept: Vec<usize> =
            (0..all.len()).filter(|&i| chosen.is_empty() || chosen.contains(&all[i].name)).collect();
        if kept.len() > MOST_COLUMNS {
            notes.push(format!(
                "Of {} columns the first {MOST_COLUMNS} are looked at; `--vars` chooses others.",
                kept.len()
            ));
            kept.truncate(MOST_COLUMNS);
        }
        let mut variables: Vec<Variable> = kept.iter().map(|&i| all[i].clone()).collect();
        variables.extend(bound.terms().iter().map(|term| terms::user_variable(term, Kind::Int)));
        let plain = bound.terms().is_empty() && kept.len() == all.len();
        Gathered {
            name: name.to_string(),
            columns: columns.to_vec(),
            kept,
            bound,
            samples: [Samples::new(variables.clone()), Samples::new(variables.clone())],
            variables,
            plain,
            places: None,
            hashes: Default::default(),
            mask: 0,
            extremes: None,
            independent: None,
            pinned: Vec::new(),
            rows: 0,
            skipped: BTreeMap::new(),
            without_value: 0,
            arrays: Vec::new(),
            arrays_left_out: 0,
            notes,
            row: Vec::new(),
        }
    }

    /// Takes a row; tells how many cells more are kept.
    fn row(&mut self, cells: &[i64], decimals: &[u8]) -> Result<usize, String> {
        self.rows += 1;
        if self.plain && decimals.is_empty() && self.places.is_none() {
            return Ok(self.keep(cells, hash(cells, decimals)));
        }
        if self.plain && self.scale(cells, decimals) {
            let row = std::mem::take(&mut self.row);
            let added = self.keep(&row, hash(cells, decimals));
            self.row = row;
            return Ok(added);
        }
        if let Some(place) = self.place(cells, decimals)? {
            self.rows -= 1;
            match place {
                Unplaced::Undefined(_) => self.without_value += 1,
                Unplaced::TooWide => *self.skipped.entry(Skipped::TooWide).or_default() += 1,
            }
            return Ok(0);
        }
        let row = std::mem::take(&mut self.row);
        let added = self.keep(&row, hash(cells, decimals));
        self.row = row;
        Ok(added)
    }

    /// Brings a row of plain columns over their denominators, in `self.row`, unless that takes larger ones.
    fn scale(&mut self, cells: &[i64], decimals: &[u8]) -> bool {
        let Some(places) = &self.places else { return false };
        self.row.clear();
        for (column, (&cell, places)) in cells.iter().zip(places).enumerate() {
            let own = decimals.get(column).copied().unwrap_or(0);
            let scaled = match places {
                None => (own == 0).then_some(cell),
                Some(places) => places.checked_sub(own).and_then(|more| cell.checked_mul(10i64.pow(more.into()))),
            };
            let Some(scaled) = scaled else { return false };
            self.row.push(scaled);
        }
        true
    }

    /// The decimals of plain columns, as their variables now are.
    fn count_places(&mut self) {
        let places = |variable: &Variable| match variable.kind {
            Kind::Real { denominator } => Some(denominator.ilog10() as u8),
            Kind::Int => None,
        };
        let all: Vec<Option<u8>> = self.variables.iter().map(places).collect();
        self.places = (self.plain && all.iter().any(Option::is_some)).then_some(all);
    }

    /// Brings the row to the columns kept, over their denominators, in `self.row`; or tells why it cannot be.
    fn place(&mut self, cells: &[i64], decimals: &[u8]) -> Result<Option<Unplaced>, String> {
        let decimals_of = |i: usize| decimals.get(i).copied().unwrap_or(0).min(MOST_DECIMALS);
        for i in (0..cells.len()).filter(|&i| decimals_of(i) > 0) {
            let column = &mut self.columns[i];
            match column.declared {
                Declared::Int => {
                    return Err(format!("`{}` is declared as an integer and has decimals here", column.name));
                }
                Declared::Open => {
                    // From now on the column is one of reals, which divide differently.
                    if self.bound.divides(i) && self.rows > 1 {
                        return Err(format!(
                            "`{}` has decimals from here on, and a term divides it, which on whole numbers means \
                             something else; write the first value with a decimal point as well",
                            column.name
                        ));
                    }
                    column.declared = Declared::Real;
                }
                Declared::Real => {}
            }
        }
        let columns = &self.columns;
        let value = |i: usize| {
            if columns[i].declared == Declared::Real {
                let below = IBig::from(10).pow(decimals_of(i).into());
                Number::Real(RBig::from(IBig::from(cells[i])) / RBig::from(below))
            } else {
                Number::Small(cells[i].into())
            }
        };
        let of_terms = match self.bound.evaluate(&value) {
            Ok(values) => values,
            Err(why) => return Ok(Some(why)),
        };
        let of_columns = self.kept.iter().map(|&i| (cells[i], 10i64.pow(decimals_of(i).into())));
        let fractions: Vec<(i64, i64)> = of_columns.chain(of_terms).collect();
        let mut wanted = Vec::with_capacity(fractions.len());
        for ((_, below), variable) in fractions.iter().zip(&self.variables) {
            match terms::common_denominator(*below, variable.denominator()) {
                Some(common) => wanted.push(common),
                None => return Ok(Some(Unplaced::TooWide)),
            }
        }
        self.row.clear();
        for ((above, below), common) in fractions.iter().zip(&wanted) {
            match above.checked_mul(common / below) {
                Some(cell) => self.row.push(cell),
                None => return Ok(Some(Unplaced::TooWide)),
            }
        }
        let grows = wanted.iter().zip(&self.variables).any(|(w, v)| *w != v.denominator());
        if grows && !self.rescale(&wanted) {
            return Ok(Some(Unplaced::TooWide));
        }
        Ok(None)
    }

    /// Brings the rows kept to larger denominators; refuses if one would not fit.
    fn rescale(&mut self, denominators: &[i64]) -> bool {
        let factors: Vec<i64> = denominators.iter().zip(&self.variables).map(|(d, v)| d / v.denominator()).collect();
        let scaled =
            |row: &[i64]| row.iter().zip(&factors).map(|(c, f)| c.checked_mul(*f)).collect::<Option<Vec<i64>>>();
        let extreme_rows = self.extremes.iter().flat_map(|both| both.iter()).flat_map(Extremes::rows);
        let independent_rows = self.independent.iter().flat_map(|independent| independent.rows());
        let all = self.samples.iter().flat_map(|s| s.rows()).chain(extreme_rows).chain(independent_rows);
        if !all.chain(self.pinned.iter().map(Vec::as_slice)).all(|row| scaled(row).is_some()) {
            return false;
        }
        let mut variables = self.variables.clone();
        for (variable, &denominator) in variables.iter_mut().zip(denominators) {
            if denominator > 1 {
                variable.kind = Kind::Real { denominator };
            }
        }
        for samples in &mut self.samples {
            let mut fresh = Samples::new(variables.clone());
            samples.rows().filter_map(scaled).for_each(|row| {
                fresh.push(&row);
            });
            fresh.count_visits(samples.visits() - fresh.visits());
            *samples = fresh;
        }
        if let Some(both) = &mut self.extremes {
            for extremes in both.iter_mut() {
                let mut fresh = Extremes::new(&variables);
                extremes.rows().filter_map(scaled).for_each(|row| fresh.push(&row));
                *extremes = fresh;
            }
        }
        if let Some(independent) = &mut self.independent {
            let mut fresh = Independent::new(variables.len());
            independent.rows().filter_map(scaled).for_each(|row| fresh.push(&row));
            **independent = fresh;
        }
        self.pinned = self.pinned.iter().filter_map(|row| scaled(row)).collect();
        self.variables = variables;
        self.count_places();
        true
    }

    /// How many distinct rows of the sample are kept.
    fn kept_rows(&self) -> usize {
        self.hashes[0].len() + self.hashes[1].len()
    }

    fn pin(&mut self, cells: &[i64], decimals: &[u8]) {
        let row = match self.place(cells, decimals) {
            Ok(None) => self.row.clone(),
            _ => return,
        };
        if self.pinned.len() == MOST_PINNED {
            self.pinned.remove(0);
        }
        self.pinned.push(row);
    }

    /// From now on extremes and independent rows are followed.
    fn summarise(&mut self) {
        if self.extremes.is_some() {
            return;
        }
        let mut both = [Extremes::new(&self.variables), Extremes::new(&self.variables)];
        let mut independent = Independent::new(self.variables.len());
        for (extremes, samples) in both.iter_mut().zip(&self.samples) {
            for row in samples.rows() {
                extremes.push(row);
                independent.push(row);
            }
        }
        self.extremes = Some(Box::new(both));
        self.independent = Some(Box::new(independent));
    }

    /// Takes in what was gathered of other rows of the same location.
    fn merge(&mut self, mut other: Gathered, most_rows: usize) -> Result<(), String> {
        let names = |gathered: &Gathered| gathered.variables.iter().map(|v| v.name.clone()).collect::<Vec<_>>();
        if names(self) != names(&other) || self.columns.len() != other.columns.len() {
            return Err(format!("`{}` has other columns in one part than in another", self.name));
        }
        let common = |(a, b): (&Variable, &Variable)| terms::common_denominator(a.denominator(), b.denominator());
        let denominators: Option<Vec<i64>> = self.variables.iter().zip(&other.variables).map(common).collect();
        let fits = denominators.is_some_and(|denominators| {
            let differs = |g: &Gathered| g.variables.iter().zip(&denominators).any(|(v, d)| v.denominator() != *d);
            (!differs(self) || self.rescale(&denominators)) && (!differs(&other) || other.rescale(&denominators))
        });
        if !fits {
            return Err(format!("values of `{}` do not fit 64 bits over a common denominator", self.name));
        }
        for (own, theirs) in self.columns.iter_mut().zip(&other.columns) {
            if theirs.declared == Declared::Real {
                own.declared = Declared::Real;
            }
        }
        if self.extremes.is_some() || other.extremes.is_some() {
            self.summarise();
            other.summarise();
        }
        while self.mask < other.mask {
            self.thin();
        }
        for part in 0..2 {
            let visits = self.samples[part].visits() + other.samples[part].visits();
            for (row, &hash) in other.samples[part].rows().zip(&other.hashes[part]) {
                if hash & self.mask == 0 && self.samples[part].push(row) {
                    self.hashes[part].push(hash);
                }
            }
            self.samples[part].set_visits(visits);
            if let (Some(own), Some(theirs)) = (&mut self.extremes, &other.extremes) {
                own[part].join(&theirs[part]);
            }
        }
        if let (Some(own), Some(theirs)) = (&mut self.independent, &other.independent) {
            theirs.rows().for_each(|row| own.push(row));
        }
        self.pinned.extend(other.pinned);
        self.pinned.truncate(MOST_PINNED);
        self.rows += other.rows;
        self.without_value += other.without_value;
        for (why, rows) in other.skipped {
            *self.skipped.entry(why).or_default() += rows;
        }
        for row in other.arrays {
            if self.arrays.len() < MOST_ARRAY_ROWS && !self.arrays.contains(&row) {
                self.arrays.push(row);
            } else {
                self.arrays_left_out += 1;
            }
        }
        self.arrays_left_out += other.arrays_left_out;
        let fresh: Vec<String> = other.notes.into_iter().filter(|note| !self.notes.contains(note)).collect();
        self.notes.extend(fresh);
        while self.kept_rows() > most_rows {
            self.thin();
        }
        Ok(())
    }

    fn keep(&mut self, row: &[i64], hash: u64) -> usize {
        let part = usize::from(hash >> 61 == 0);
        if let Some(extremes) = &mut self.extremes {
            extremes[part].push(row);
        }
        if let Some(independent) = &mut self.independent {
            independent.push(row);
        }
        if hash & self.mask != 0 {
            self.samples[part].count_visits(1);
            return 0;
        }
        if !self.samples[part].push(row) {
            return 0;
        }
        self.hashes[part].push(hash);
        row.len()
    }

    /// Drops about half of the rows kept.
    fn thin(&mut self) {
        self.summarise();
        self.mask = self.mask << 1 | 1;
        for part in 0..2 {
            let mut fresh = Samples::new(self.variables.clone());
            let old = &self.samples[part];
            for (row, hash) in old.rows().zip(&self.hashes[part]) {
                if hash & self.mask == 0 {
                    fresh.push(row);
                }
            }
            fresh.count_visits(old.visits() - fresh.visits());
            self.samples[part] = fresh;
            self.hashes[part].retain(|hash| hash & self.mask == 0);
        }
    }

    fn finish(mut self) -> Traced {
        let complete = self.mask == 0;
        let octagons_complete = self.extremes.iter().flat_map(|both| both.iter()).all(Extremes::exact);
        let kept = self.kept_rows();
        if let Some(both) = self.extremes.take() {
            for (extremes, samples) in both.iter().zip(&mut self.samples) {
                let visits = samples.visits();
                extremes.rows().for_each(|row| {
                    samples.push(row);
                });
                samples.set_visits(visits);
            }
        }
        let visits = self.samples[0].visits();
        let independent = self.independent.take();
        let further = independent.iter().flat_map(|independent| independent.rows());
        for row in further.chain(self.pinned.iter().map(Vec::as_slice)) {
            if !self.samples[1].contains(row) {
                self.samples[0].push(row);
            }
        }
        self.samples[0].set_visits(visits);
        let [mut near, mut far] = self.samples;
        if complete && kept < FEWEST_TO_SPLIT {
            let visits = near.visits() + far.visits();
            far.rows().for_each(|row| {
                near.push(row);
            });
            near.set_visits(visits);
            far = Samples::new(near.variables().to_vec());
        }
        let mut notes = self.notes;
        let table = (!self.arrays.is_empty()).then(|| table(&self.arrays, &mut notes));
        if self.arrays.len() == MOST_ARRAY_ROWS && self.arrays_left_out > 0 {
            notes.push(format!("Arrays are looked at in the first {MOST_ARRAY_ROWS} rows only."));
        }
        for (why, rows) in self.skipped {
            let why = match why {
                Skipped::NotFinite => "a value is missing or not a finite number",
                Skipped::TooWide => "a value does not fit 64 bits over the common denominator of its column",
                Skipped::Malformed => "they are not of the format",
            };
            notes.push(format!("{rows} rows are skipped because {why}."));
        }
        if self.without_value > 0 {
            notes.push(terms::rows_left_out(self.without_value));
        }
        let evidence = exponentials::extend(Evidence { near, far });
        let variables = evidence.variables().to_vec();
        // A declared real stays one, whatever its values are.
        Traced {
            location: Location {
                name: self.name,
                kind: LocationKind::File,
                pointers_valid: false,
                span: None,
                variables,
                guards: Vec::new(),
            },
            evidence,
            rows: self.rows,
            complete,
            octagons_complete,
            table,
            notes,
        }
    }
}

/// The rows as a table; an array whose numbers have no common denominator in 64 bits is left out.
fn table(rows: &[ArrayRow], notes: &mut Vec<String>) -> Table {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.arrays) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let scalars: Vec<String> =
        rows.first().map(|r| r.scalars.iter().map(|(n, _)| n.clone()).collect()).unwrap_or_default();
    let of = |row: &ArrayRow, name: &str| row.arrays.iter().find(|(n, _)| n == name).map(|(_, array)| array.clone());
    let mut arrays = Vec::new();
    for name in &names {
        let cells = rows.iter().filter_map(|row| of(row, name)).flat_map(|array| array.cells);
        let places = cells.map(|(_, places)| places).max().unwrap_or(0).min(MOST_DECIMALS);
        arrays.push(ArrayVariable { denominator: 10i64.pow(places.into()), ..ArrayVariable::new(name.clone()) });
    }
    let mut visits = Vec::new();
    let mut wide = vec![false; names.len()];
    for row in rows {
        let grids = names.iter().enumerate().map(|(n, name)| {
            let array = of(row, name)?;
            let below = arrays[n].denominator;
            let scaled = array
                .cells
                .iter()
                .map(|(value, places)| value.checked_mul(below / 10i64.pow((*places).min(MOST_DECIMALS).into())));
            let cells: Option<Vec<i64>> = scaled.collect();
            wide[n] |= cells.is_none();
            Some(Grid::new(array.extents, cells?))
        });
        let arrays = grids.collect();
        visits.push(Visit { scalars: row.scalars.iter().map(|(_, value)| *value).collect(), arrays, is_last: true });
    }
    for (n, name) in names.iter().enumerate().filter(|(n, _)| wide[*n]) {
        notes.push(format!("`{name}` has numbers that do not fit 64 bits over one denominator, and is left out."));
        visits.iter_mut().for_each(|visit| visit.arrays[n] = None);
    }
    Table { scalars, arrays, visits }
}

/// The same for the same values. The zeros at its end decide whether a row is kept, its first bits whether it is held
/// out; so all bits must be well mixed.
fn hash(cells: &[i64], decimals: &[u8]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15u64;
    for (i, &cell) in cells.iter().enumerate() {
        let decimals = u64::from(decimals.get(i).copied().unwrap_or(0));
        hash = (hash ^ (cell as u64) ^ decimals << 56).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash ^= hash >> 32;
    }
    hash = hash.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ hash >> 29
}
