//! What the arrays of a program are at its locations, from runs on generated inputs.
//!
//! Numbers among the parameters come from the generator that scalar relations use; the elements of arrays that a harness
//! makes, and answers to `nondet`, are drawn here: over the whole range of their type, small, or as indices, one kind
//! for all elements of a run, so that what only holds of indices shows as well as what only holds of large values.
//!
//! *Guarantee*: the same seed gives the same visits, whatever the number of threads.

use super::super::{Config, Location, Refusal};
use super::table::{ArrayVariable, Grid, Table, Visit};
use exec::ValueType;
use exec::snapshot::{ArraySpec, ArrayValue, Snapshot};
use exec::vm::{self, Image, Machine};
use exec::{Budget, Ending, Input, Recorder, Scalar};
use fastrand::Rng;
use ir::{Base, Callee, ExprKind, FunctionId, IntKind, Program, StmtKind};
use observe::harness::{HarnessArray, Long};
use observe::inputs::{Candidate, Generator, asks};
use observe::locations::{Instrumented, ShownArray, instrument};
use rayon::prelude::*;

/// Visits of one location that are kept.
const MOST_VISITS: usize = 192;
/// Cells of all visits of one location.
const MOST_CELLS: usize = 6 << 20;
/// Inputs of one batch.
const BATCH: usize = 32;
/// Answers to `nondet` of an input, where no harness tells how many are needed.
const ANSWERS: usize = 2048;
/// The largest denominator of floating elements.
const LARGEST_DENOMINATOR: i64 = 1 << 20;

/// The tables of a program's locations. More runs can be added at any time.
pub struct ArrayObservations {
    pub instrumented: Instrumented,
    generator: Generator,
    made: Vec<HarnessArray>,
    asks: bool,
    rng: Rng,
    /// For each location.
    pub tables: Vec<Table>,
    cells: Vec<usize>,
    steps: u64,
    /// For each location the arrays that have values that are not looked at.
    unfit: Vec<Vec<bool>>,
    raw: Vec<Vec<RawVisit>>,
    pub runs: u64,
}

/// A visit before floating elements have a denominator.
#[derive(Clone, PartialEq)]
struct RawVisit {
    scalars: Vec<Option<i64>>,
    arrays: Vec<Option<ArrayValue>>,
    is_last: bool,
}

impl ArrayObservations {
    /// Nothing seen yet; `None` if no location shows an array that can change.
    pub fn new(
        program: &Program,
        entry: FunctionId,
        made: &[HarnessArray],
        config: &Config,
    ) -> Result<Option<ArrayObservations>, Refusal> {
        let instrumented = instrument(program, entry, &super::findings::request(&config.request));
        let changing = |arrays: &Vec<ShownArray>| arrays.iter().any(|array| !array.is_constant);
        if !instrumented.arrays.iter().any(changing) {
            return Ok(None);
        }
        let generator = Generator::new(program, entry, &config.ranges, config.seed ^ 0x5eed)?;
        let asks = asks(program);
        let tables: Vec<Table> = (0..instrumented.locations.len()).map(|at| empty(&instrumented, at)).collect();
        let count = tables.len();
        Ok(Some(ArrayObservations {
            unfit: tables.iter().map(|table| vec![false; table.arrays.len()]).collect(),
            instrumented,
            generator,
            made: made.to_vec(),
            asks,
            rng: Rng::with_seed(config.seed ^ 0xa44a),
            tables,
            cells: vec![0; count],
            steps: 0,
            raw: vec![Vec::new(); count],
            runs: 0,
        }))
    }

    /// Runs inputs until so many count, or nothing comes of it.
    pub fn run(&mut self, count: usize, config: &Config) {
        let program = std::mem::take(&mut self.instrumented.program);
        let image = Image::new(&program, exec::libc::LIBRARY);
        let specs = image.arrays();
        let budget = Budget { steps: config.limits.steps * 4, time_ms: 10_000, memory: 1 << 28, ..Budget::default() };
        let (mut left, mut attempts) = (count, count * 12);
        while left > 0 && attempts > 0 && !config.deadline.is_over() && self.steps < config.limits.total_steps {
            let batch: Vec<Input> = match &config.inputs {
                Some(inputs) => inputs.clone(),
                None => self.inputs(BATCH.min(left.max(8))),
            };
            attempts = attempts.saturating_sub(batch.len().max(1));
            let start = || Machine::new(&image);
            let one = |machine: &mut Machine, input: &Input| {
                let recorder = Recorder::new(image.points().clone()).with_limit(0).with_arrays(specs.clone());
                let options = vm::Options {
                    recorder: Some(recorder),
                    cancel: Some(config.deadline.cancel.clone()),
                    ..vm::Options::default()
                };
                machine.run(self.instrumented.entry, input, &budget, options)
            };
            let runs: Vec<vm::Run> = batch.par_iter().with_min_len(4).map_init(start, one).collect();
            for run in runs {
                self.steps += run.outcome.steps;
                if matches!(run.outcome.ending, Ending::Assumed { .. } | Ending::Interrupted) {
                    continue;
                }
                self.runs += 1;
                left = left.saturating_sub(1);
                for snapshot in run.snapshots {
                    self.take(&image, &specs, snapshot);
                }
            }
            // Without anything to choose, every run is the same.
            if config.inputs.is_some() || batch.is_empty() {
                break;
            }
        }
        drop(image);
        self.instrumented.program = program;
        self.settle();
    }

    fn inputs(&mut self, count: usize) -> Vec<Input> {
        let varied = self.asks || !self.made.is_empty();
        let scalars: Vec<Candidate> = self.generator.batch(count);
        let mut inputs: Vec<Input> = scalars.into_iter().map(|candidate| candidate.input).collect();
        // Where the numbers are used up, arrays still differ.
        while varied && inputs.len() < count {
            let again = self.generator.any();
            inputs.push(again);
        }
        for input in &mut inputs {
            if varied {
                input.nondet = self.answers(&input.params);
            }
        }
        if inputs.is_empty() && self.runs == 0 {
            inputs.push(Input::default());
        }
        inputs
    }

    /// Values for the elements of arrays, in the order they are asked for.
    fn answers(&mut self, params: &[Scalar]) -> Vec<Scalar> {
        let style = self.rng.u8(..10);
        if self.made.is_empty() {
            return (0..ANSWERS).map(|_| self.element(style, ValueType::Int(IntKind::Int), 16)).collect();
        }
        let mut answers = Vec::new();
        let made = self.made.clone();
        for array in made.iter().filter(|array| array.filled) {
            let length = match array.length {
                Long::Fixed(length) => length,
                Long::Parameter(number) => match params.get(number) {
                    Some(Scalar::Int(length)) => u64::try_from(*length).unwrap_or(0).min(4096),
                    _ => 0,
                },
            };
            for _ in 0..length * array.inner {
                let value = match array.range {
                    Some((low, high)) => Scalar::Int(self.rng.i128(low..=high)),
                    None => self.element(style, array.element, length),
                };
                answers.push(value);
            }
        }
        answers
    }

    fn element(&mut self, style: u8, ty: ValueType, length: u64) -> Scalar {
        match ty {
            ValueType::Float(_) => {
                let whole = self.rng.i32(-200..200);
                Scalar::Float(f64::from(whole) / if style < 5 { 1.0 } else { 4.0 })
            }
            ValueType::Int(kind) => {
                let narrow = kind.bytes() <= 2;
                let (low, high) = match style {
                    0..=4 if narrow => (kind.min(), kind.max()),
                    0..=4 => (-1000, 1000),
                    5..=7 => (-20, 20),
                    _ => (0, i128::from(length.max(2)) - 1),
                };
                Scalar::Int(kind.wrap(self.rng.i128(low.max(kind.min())..=high.min(kind.max()))))
            }
        }
    }

    fn take(&mut self, image: &Image<'_>, specs: &[Vec<ArraySpec>], snapshot: Snapshot) {
        let point = image.points().point(snapshot.point);
        let fits = |(location, arrays): (&Location, &Vec<ShownArray>)| {
            let mut names = location.variables.iter().map(|v| &v.name).chain(arrays.iter().map(|a| &a.name));
            let shown = point.variables().iter().map(|v| &v.name);
            point.name() == location.name
                && shown.clone().count() >= names.clone().count()
                && names.by_ref().zip(shown).all(|(a, b)| a == b)
        };
        let at = self.instrumented.locations.iter().zip(&self.instrumented.arrays).position(fits);
        let Some(at) = at else { return };
        let location = &self.instrumented.locations[at];
        let mut starts = Vec::new();
        let mut cell = 0;
        for variable in point.variables() {
            starts.push(cell);
            cell += variable.ty.cells();
        }
        let scalars = location.variables.iter().enumerate().map(|(n, _)| {
            let ty = point.variables()[n].ty;
            match ty.decode(&snapshot.row[starts[n]..]) {
                Scalar::Int(value) => i64::try_from(value).ok(),
                Scalar::Float(_) => None,
            }
        });
        let scalars: Vec<Option<i64>> = scalars.collect();
        let first = location.variables.len();
        let own = &specs[snapshot.point.0 as usize];
        let arrays = (0..self.tables[at].arrays.len()).map(|n| {
            let spec = own.iter().position(|spec| spec.value == starts[first + n])?;
            snapshot.arrays[spec].clone()
        });
        let visit = RawVisit { scalars, arrays: arrays.collect(), is_last: snapshot.is_last };
        let cells = visit.arrays.iter().flatten().map(|array| array.cells.len()).sum::<usize>();
        let known = &mut self.raw[at];
        let others = known.iter().filter(|v| !v.is_last).count();
        let room = if visit.is_last { known.len() - others < MOST_VISITS } else { others < MOST_VISITS / 2 };
        if room && self.cells[at] + cells <= MOST_CELLS && !known.contains(&visit) {
            self.cells[at] += cells;
            known.push(visit);
        }
    }

    /// Brings what was seen to the tables.
    fn settle(&mut self) {
        for (at, raw) in self.raw.iter_mut().enumerate() {
            let table = &mut self.tables[at];
            for array in 0..table.arrays.len() {
                if let Some(ValueType::Float(_)) = table.arrays[array].ty {
                    let new = raw.iter().filter_map(|visit| visit.arrays[array].as_ref());
                    let mut needed = new.flat_map(defined).map(|cell| denominator(f64::from_bits(cell)));
                    let needed = needed.try_fold(1i64, |most, one| Some(most.max(one?)));
                    match needed.filter(|needed| *needed <= table.arrays[array].denominator || table.visits.is_empty())
                    {
                        Some(needed) => table.arrays[array].denominator = needed.max(table.arrays[array].denominator),
                        None => self.unfit[at][array] = true,
                    }
                }
            }
            for visit in raw.drain(..) {
                let arrays = visit.arrays.into_iter().enumerate().map(|(n, grid)| {
                    if self.unfit[at][n] {
                        return None;
                    }
                    grid.map(|grid| numbers(grid, &table.arrays[n]))
                });
                let arrays = arrays.collect();
                table.visits.push(Visit { scalars: visit.scalars, arrays, is_last: visit.is_last });
            }
        }
    }

    /// What is to be said about a location, in whole sentences.
    pub fn notes(&self, at: usize) -> Vec<String> {
        let unfit = self.unfit[at].iter().zip(&self.tables[at].arrays).filter(|(unfit, _)| **unfit);
        unfit
            .map(|(_, array)| {
                format!(
                    "`{}` has elements that are not finite or have too many binary digits, and is left out.",
                    array.name
                )
            })
            .collect()
    }
}

fn defined(grid: &ArrayValue) -> impl Iterator<Item = u64> + '_ {
    let written = |n: usize| grid.written.get(n).copied().unwrap_or(true);
    grid.cells.iter().enumerate().filter(move |(n, _)| written(*n)).map(|(_, cell)| *cell)
}

/// The power of two that makes a floating number whole.
fn denominator(value: f64) -> Option<i64> {
    let mut by = 1;
    while by <= LARGEST_DENOMINATOR {
        let scaled = value * by as f64;
        if scaled.fract() == 0.0 && scaled.abs() < 1e15 {
            return Some(by);
        }
        by *= 2;
    }
    None
}

fn numbers(grid: ArrayValue, variable: &ArrayVariable) -> Grid {
    let mut defined = grid.written;
    let mut cells = Vec::with_capacity(grid.cells.len());
    for (n, cell) in grid.cells.into_iter().enumerate() {
        let value = match variable.ty {
            Some(ValueType::Float(_)) => {
                let scaled = f64::from_bits(cell) * variable.denominator as f64;
                (scaled.fract() == 0.0 && scaled.abs() < 1e15).then_some(scaled as i64)
            }
            Some(ValueType::Int(kind)) if kind.is_signed() => Some(cell as i64),
            _ => i64::try_from(cell).ok(),
        };
        if value.is_none() {
            if defined.is_empty() {
                defined = vec![true; cells.capacity()];
            }
            defined[n] = false;
        }
        cells.push(value.unwrap_or(0));
    }
    let extents = grid.extents.iter().map(|extent| *extent as usize).collect();
    Grid { extents, cells, defined, address: Some(grid.address) }
}

fn empty(instrumented: &Instrumented, at: usize) -> Table {
    let location = &instrumented.locations[at];
    let scalars = location.variables.iter().map(|variable| variable.name.clone()).collect();
    let program = &instrumented.program;
    let element = |name: &str| {
        let mut found = None;
        let (function, id) = *instrumented.points[at].first()?;
        program.functions[function].body.as_ref()?.walk(&mut |stmt| {
            if let (StmtKind::Trace(point), true) = (&stmt.kind, stmt.id == id) {
                found = point.values.iter().find(|(shown, _)| shown == name).map(|(_, value)| value.ty);
            }
        });
        ValueType::of(&program.types, program.types.innermost(program.types.pointee(found?)?))
    };
    let array = |shown: &ShownArray| ArrayVariable {
        is_constant: shown.is_constant,
        ty: element(&shown.name),
        ..ArrayVariable::new(shown.name.clone())
    };
    Table { scalars, arrays: instrumented.arrays[at].iter().map(array).collect(), visits: Vec::new() }
}

/// The order in which arrays are explained, and which the function was given: what it writes last is what it makes,
/// what it never writes it was given.
pub fn pivots(program: &Program, function: FunctionId, arrays: &[ShownArray]) -> Vec<(usize, bool)> {
    let about = &program.functions[function];
    let written = observe::harness::written_parameters(program, function);
    let mut last: Vec<(bool, std::cmp::Reverse<usize>, usize)> = Vec::new();
    for (n, array) in arrays.iter().enumerate() {
        let local = about.locals.iter().find(|(_, local)| local.name == array.name).map(|(id, _)| id);
        let global = program.find_global(&array.name);
        let mut at = 0;
        if let Some(body) = &about.body {
            let mut order = 0;
            body.walk(&mut |stmt| {
                order += 1;
                let speaks = |expr: &ir::Expr| {
                    let mut speaks = false;
                    expr.walk(&mut |part| {
                        if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind {
                            speaks |= matches!(&lvalue.base, Base::Local(id) if Some(*id) == local)
                                || matches!(&lvalue.base, Base::Global(id) if Some(*id) == global);
                        }
                    });
                    speaks
                };
                let base = |target: &ir::Lvalue| match &target.base {
                    Base::Local(id) => Some(*id) == local,
                    Base::Global(id) => Some(*id) == global,
                    Base::Deref(pointer) => speaks(pointer),
                };
                let writes = match &stmt.kind {
                    StmtKind::Assign { target, .. } | StmtKind::Zero(target) => base(target),
                    StmtKind::Call { args, callee, .. } => {
                        let through = match callee {
                            Callee::Function(callee) => observe::harness::written_parameters(program, *callee),
                            _ => Default::default(),
                        };
                        args.iter().enumerate().any(|(n, arg)| through.contains(&n) && speaks(arg))
                    }
                    _ => false,
                };
                if writes {
                    at = order;
                }
            });
        }
        let parameter = local.and_then(|local| about.params.iter().position(|param| *param == local));
        let given = parameter.is_some_and(|parameter| !written.contains(&parameter)) || at == 0;
        last.push((given, std::cmp::Reverse(at), n));
    }
    last.sort_unstable();
    last.into_iter().map(|(given, _, n)| (n, given)).collect()
}
