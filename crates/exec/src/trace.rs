//! What a program's variables were, each time a run came by a place of interest.
//!
//! A [`Trace`] holds *points* (a name and a list of typed variables) and, for each point, *rows*: one value per
//! variable, in the order the run made them. The VM and the native reader both fill it through a [`Recorder`];
//! `infer` reads it, and a [`Predicate`](logic::Predicate) is evaluated on its rows.
//!
//! *Storage.* A row is a fixed number of 64-bit cells, row after row in one vector per point. A variable's C type
//! says how its cells are read, so nothing but the bits is stored: integers of up to 64 bits take one cell (sign- or
//! zero-extended), 128-bit integers two (low half first), floating values one (the bits of an `f64`; a `long double`
//! is rounded to the nearest). Appending a row is a copy of a few words.
//!
//! *Guarantee.* A recorder never holds more cells than its limit: rows past it are counted in
//! [`Point::dropped`], not kept, so an endless loop through a trace point cannot eat the machine.

use crate::snapshot::{ArraySpec, Snapshot, Snapshots};
use logic::{Scalar, Valuation, Variable};
use std::collections::{HashMap, HashSet};

/// A point of one [`Trace`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PointId(pub u32);

/// A place and the rows recorded there.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    name: String,
    variables: Vec<Variable>,
    /// The cell at which each variable's value starts within a row.
    starts: Vec<u32>,
    stride: usize,
    cells: Vec<u64>,
    /// Of a point without variables the cells say nothing, so rows are counted.
    rows: usize,
    dropped: u64,
}

impl Point {
    fn new(name: String, variables: Vec<Variable>) -> Point {
        let mut starts = Vec::with_capacity(variables.len());
        let mut stride = 0;
        for variable in &variables {
            starts.push(stride as u32);
            stride += variable.ty.cells();
        }
        Point { name, variables, starts, stride, cells: Vec::new(), rows: 0, dropped: 0 }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The position of a variable in a row.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    /// Cells per row.
    pub fn stride(&self) -> usize {
        self.stride
    }

    pub fn len(&self) -> usize {
        self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Rows that were made but not kept, because the recorder was full.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    pub fn row(&self, index: usize) -> Row<'_> {
        assert!(index < self.rows, "row {index} of {} should exist", self.rows);
        Row { point: self, cells: &self.cells[index * self.stride..(index + 1) * self.stride] }
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + DoubleEndedIterator {
        (0..self.rows).map(|i| self.row(i))
    }

    /// Keeps the first of equal rows, order unchanged.
    pub fn dedup(&mut self) {
        if self.stride == 0 {
            self.rows = self.rows.min(1);
            return;
        }
        let mut keep = Vec::with_capacity(self.rows);
        let mut seen: HashSet<&[u64]> = HashSet::with_capacity(self.rows.min(1 << 16));
        for (index, row) in self.cells.chunks_exact(self.stride).enumerate() {
            if seen.insert(row) {
                keep.push(index);
            }
        }
        drop(seen);
        let stride = self.stride;
        for (to, &from) in keep.iter().enumerate() {
            self.cells.copy_within(from * stride..(from + 1) * stride, to * stride);
        }
        self.rows = keep.len();
        self.cells.truncate(self.rows * stride);
    }
}

/// One row of a point.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    point: &'a Point,
    cells: &'a [u64],
}

impl<'a> Row<'a> {
    pub fn variables(&self) -> &'a [Variable] {
        &self.point.variables
    }

    pub fn get(&self, variable: usize) -> Scalar {
        let ty = self.point.variables[variable].ty;
        ty.decode(&self.cells[self.point.starts[variable] as usize..])
    }

    /// The value of the variable of that name.
    pub fn named(&self, name: &str) -> Option<Scalar> {
        self.point.index_of(name).map(|i| self.get(i))
    }

    pub fn values(self) -> impl ExactSizeIterator<Item = Scalar> + 'a {
        (0..self.point.variables.len()).map(move |i| self.get(i))
    }

    /// The bits, as the module documentation lays them out. Equal rows of a point have equal cells.
    pub fn cells(&self) -> &'a [u64] {
        self.cells
    }
}

impl Valuation for Row<'_> {
    fn value_of(&self, name: &str) -> Option<Scalar> {
        self.named(name)
    }
}

impl std::fmt::Debug for Row<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.point.variables.iter().map(|v| &v.name);
        f.debug_map().entries(names.zip(self.values())).finish()
    }
}

/// Points with their rows, of one run or of several merged.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    points: Vec<Point>,
    known: HashMap<(String, Vec<Variable>), PointId>,
}

impl Trace {
    pub fn new() -> Trace {
        Trace::default()
    }

    /// The point of that name and variables, made if it is new. Two places with one name but different variables are
    /// two points.
    pub fn declare(&mut self, name: &str, variables: &[Variable]) -> PointId {
        let key = (name.to_string(), variables.to_vec());
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = PointId(self.points.len() as u32);
        self.points.push(Point::new(key.0.clone(), key.1.clone()));
        self.known.insert(key, id);
        id
    }

    /// The first point of that name.
    pub fn find(&self, name: &str) -> Option<PointId> {
        self.points.iter().position(|p| p.name == name).map(|i| PointId(i as u32))
    }

    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.0 as usize]
    }

    /// The points in the order of their declaration, those without rows included.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (PointId, &Point)> {
        self.points.iter().enumerate().map(|(i, p)| (PointId(i as u32), p))
    }

    /// Rows of all points together.
    pub fn row_count(&self) -> usize {
        self.points.iter().map(|p| p.rows).sum()
    }

    /// Appends the rows of another run, matching points by name and variables.
    pub fn merge(&mut self, other: &Trace) {
        for point in &other.points {
            let id = self.declare(&point.name, &point.variables);
            let mine = &mut self.points[id.0 as usize];
            mine.cells.extend_from_slice(&point.cells);
            mine.rows += point.rows;
            mine.dropped += point.dropped;
        }
    }

    /// Keeps the first of equal rows at every point.
    pub fn dedup(&mut self) {
        for point in &mut self.points {
            point.dedup();
        }
    }
}

/// Fills a [`Trace`] during one run.
#[derive(Clone, Debug)]
pub struct Recorder {
    trace: Trace,
    /// Cells that may still be written.
    room: usize,
    scratch: Vec<u64>,
    /// What arrays held, if that was asked for.
    pub(crate) snapshots: Option<Snapshots>,
}

impl Recorder {
    /// 128 MiB of cells.
    pub const DEFAULT_LIMIT: usize = 16 << 20;

    /// A recorder whose points are declared already; they keep their ids. Rows in `trace` are dropped.
    pub fn new(mut trace: Trace) -> Recorder {
        for point in &mut trace.points {
            point.cells.clear();
            point.rows = 0;
            point.dropped = 0;
        }
        Recorder { trace, room: Recorder::DEFAULT_LIMIT, scratch: Vec::new(), snapshots: None }
    }

    /// Sets how many cells may be held; a row without variables counts as one.
    pub fn with_limit(mut self, cells: usize) -> Recorder {
        self.room = cells;
        self
    }

    /// Keeps the elements of arrays as well: for each point those that it shows.
    pub fn with_arrays(mut self, specs: Vec<Vec<ArraySpec>>) -> Recorder {
        self.snapshots = Some(Snapshots::new(specs));
        self
    }

    pub fn declare(&mut self, name: &str, variables: &[Variable]) -> PointId {
        self.trace.declare(name, variables)
    }

    /// Appends a row, one value per variable.
    pub fn row(&mut self, point: PointId, values: &[Scalar]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let variables = &self.trace.points[point.0 as usize].variables;
        assert_eq!(values.len(), variables.len(), "a row should have one value per variable");
        for (value, variable) in values.iter().zip(variables) {
            variable.ty.encode(*value, &mut scratch);
        }
        self.cells(point, &scratch);
        self.scratch = scratch;
    }

    /// The fast path: appends a row of cells laid out as the module documentation says. The engine's registers can
    /// usually be handed over as they are, provided that they are sign- or zero-extended by their type.
    #[inline]
    pub fn cells(&mut self, point: PointId, cells: &[u64]) {
        let point = &mut self.trace.points[point.0 as usize];
        assert_eq!(cells.len(), point.stride, "a row should have the cells its point declares");
        let cost = cells.len().max(1);
        if cost > self.room {
            point.dropped += 1;
            return;
        }
        self.room -= cost;
        point.rows += 1;
        point.cells.extend_from_slice(cells);
    }

    /// Counts rows that were lost before they reached the recorder.
    pub fn note_dropped(&mut self, point: PointId, rows: u64) {
        self.trace.points[point.0 as usize].dropped += rows;
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    pub fn finish(self) -> Trace {
        self.trace
    }

    /// The rows, and what arrays held if that was asked for.
    pub fn finish_with_arrays(self) -> (Trace, Vec<Snapshot>) {
        (self.trace, self.snapshots.map(Snapshots::finish).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{FloatKind, IntKind};
    use logic::ValueType;
    use proptest::prelude::*;

    const ALL: [ValueType; 17] = {
        let mut all = [ValueType::Float(FloatKind::Double); 17];
        let mut i = 0;
        while i < 14 {
            all[i] = ValueType::Int(IntKind::ALL[i]);
            i += 1;
        }
        all[14] = ValueType::Float(FloatKind::Float);
        all[16] = ValueType::Float(FloatKind::Extended);
        all
    };

    #[test]
    fn every_type_gives_back_its_extreme_values() {
        for ty in ALL {
            let values = match ty {
                ValueType::Int(kind) => vec![Scalar::Int(kind.min()), Scalar::Int(kind.max()), Scalar::Int(0)],
                ValueType::Float(_) => vec![Scalar::Float(-0.5), Scalar::Float(f64::INFINITY)],
            };
            for value in values {
                let mut cells = Vec::new();
                ty.encode(value, &mut cells);
                assert_eq!(cells.len(), ty.cells());
                assert_eq!(ty.decode(&cells), value, "{}", ty.c_name());
            }
        }
    }

    #[test]
    fn points_are_told_apart_by_name_and_variables() {
        let mut trace = Trace::new();
        let a = trace.declare("p", &[Variable::int("x")]);
        let b = trace.declare("p", &[Variable::int("y")]);
        assert_ne!(a, b);
        assert_eq!(trace.declare("p", &[Variable::int("x")]), a);
        assert_eq!(trace.find("p"), Some(a));
        assert_eq!(trace.find("q"), None);
    }

    #[test]
    fn merging_appends_and_dedup_keeps_the_first() {
        let run = |values: &[i128]| {
            let mut recorder = Recorder::new(Trace::new());
            let p = recorder.declare("p", &[Variable::int("x"), Variable::double("d")]);
            for &v in values {
                recorder.row(p, &[Scalar::Int(v), Scalar::Float(v as f64 / 2.0)]);
            }
            recorder.finish()
        };
        let mut trace = run(&[3, 1, 3]);
        trace.merge(&run(&[1, 2]));
        let p = trace.find("p").unwrap();
        assert_eq!(trace.point(p).len(), 5);
        trace.dedup();
        let xs: Vec<Scalar> = trace.point(p).rows().map(|r| r.named("x").unwrap()).collect();
        assert_eq!(xs, [Scalar::Int(3), Scalar::Int(1), Scalar::Int(2)]);
        assert_eq!(trace.point(p).row(2).get(1), Scalar::Float(1.0));
    }

    #[test]
    fn a_full_recorder_counts_what_it_does_not_keep() {
        let mut recorder = Recorder::new(Trace::new()).with_limit(5);
        let p = recorder.declare("p", &[Variable::int("x"), Variable::int("y")]);
        let empty = recorder.declare("here", &[]);
        for i in 0..4 {
            recorder.row(p, &[Scalar::Int(i), Scalar::Int(-i)]);
        }
        recorder.row(empty, &[]);
        recorder.row(empty, &[]);
        let trace = recorder.finish();
        assert_eq!((trace.point(p).len(), trace.point(p).dropped()), (2, 2));
        assert_eq!((trace.point(empty).len(), trace.point(empty).dropped()), (1, 1));
        assert_eq!(trace.row_count(), 3);
    }

    proptest! {
        #[test]
        fn rows_of_mixed_types_come_back(
            types in proptest::collection::vec(0..ALL.len(), 0..6),
            seeds in proptest::collection::vec(any::<i128>(), 1..8),
        ) {
            let variables: Vec<Variable> =
                types.iter().enumerate().map(|(i, &t)| Variable::new(format!("v{i}"), ALL[t])).collect();
            let mut recorder = Recorder::new(Trace::new());
            let p = recorder.declare("p", &variables);
            let mut expected = Vec::new();
            for seed in seeds {
                let row: Vec<Scalar> = variables
                    .iter()
                    .enumerate()
                    .map(|(i, v)| match v.ty {
                        ValueType::Int(kind) => Scalar::Int(kind.wrap(seed.rotate_left(i as u32 * 17))),
                        ValueType::Float(_) => Scalar::Float(seed as f64 / 3.0),
                    })
                    .collect();
                recorder.row(p, &row);
                expected.push(row);
            }
            let trace = recorder.finish();
            let rows: Vec<Vec<Scalar>> = trace.point(p).rows().map(|r| r.values().collect()).collect();
            prop_assert_eq!(rows, expected);
        }
    }
}
