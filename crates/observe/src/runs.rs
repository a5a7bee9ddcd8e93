//! Runs of the instrumented program, and what was seen in them.
//!
//! *Question*: what values do the variables take at each location, over inputs enough to tell relations from accidents?
//!
//! Inputs are made and run in batches, side by side, and taken in in the order they were made. After each batch the
//! search goes on while something was new lately: an outcome of a branch, a location, a row that raises the rank of the
//! monomials at a location ([`store`](super::store)). It ends when nothing was, or when a limit, the deadline or the
//! user ends it; what was seen until then is the result.
//!
//! *Which rows count*: runs that an assumption excludes leave nothing. Runs that fault, fail an assertion or exhaust
//! their budget leave the rows up to there: those were reached by defined behaviour.
//!
//! *Guarantee*: the same seed gives the same rows, whatever the number of threads. A deadline or a request to stop cuts
//! the search at a batch, and is the only thing that makes a result depend on the machine.

use super::inputs::{Candidate, Generator, Showed};
use super::locations::Instrumented;
use super::native::Natively;
use super::store::{Gain, Store};
use super::{Evidence, Location};
use diagnostics::{Deadline, Finding};
use exec::Variable;
use exec::coverage::Coverage;
use exec::trace::{Point, PointId, Trace};
use exec::vm::{self, Image, Machine};
use exec::{Budget, Ending, Input, Outcome, Recorder};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Runs that count.
    pub runs: u64,
    /// Rows of each part of a location's evidence, extremes aside.
    pub rows: usize,
    /// Steps of one run.
    pub steps: u64,
    /// Steps of all runs.
    pub total_steps: u64,
    /// Cells of eight bytes that one run may record.
    pub cells: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { runs: 4000, rows: 2000, steps: 300_000, total_steps: 1_000_000_000, cells: 1 << 17 }
    }
}

/// Inputs of one batch.
const BATCH: usize = 64;
/// Native runs that count, at most: each is a process.
const NATIVE_RUNS: u64 = 500;
/// Batches without news after which a search ends.
const PATIENCE: usize = 5;

/// Said of a location without variables.
pub const NO_NUMBERS: &str = "There are no numbers to look at here.";

/// Failing inputs that are remembered.
const KEPT_FAILURES: usize = 32;

/// Runs of an entry that takes objects, which are remembered.
const KEPT_CALLS: usize = 3000;

/// A run of an entry that takes objects, to its end.
#[derive(Clone, Debug)]
pub struct Call {
    pub input: Input,
    /// What went wrong, if it did.
    pub finding: Option<Finding>,
}

/// Runs inputs, in order.
pub trait Runner {
    /// The trace points that runs record, without rows.
    fn points(&self) -> &Trace;
    fn run(&self, candidates: &[Candidate]) -> Vec<Ran>;
}

/// A run by some engine.
pub struct Ran {
    pub outcome: Outcome,
    pub trace: Trace,
    pub coverage: Option<Coverage>,
}

/// Is shown the rows that a run left at a location, by the location's index.
pub type See<'a> = dyn FnMut(usize, &Point) + 'a;

struct InVm<'a> {
    image: Image<'a>,
    entry: ir::FunctionId,
    budget: Budget,
    cells: usize,
    cancel: Arc<AtomicBool>,
}

impl Runner for InVm<'_> {
    fn points(&self) -> &Trace {
        self.image.points()
    }

    fn run(&self, candidates: &[Candidate]) -> Vec<Ran> {
        let start = || Machine::new(&self.image);
        let one = |machine: &mut Machine, candidate: &Candidate| {
            let options = vm::Options {
                coverage: true,
                recorder: Some(Recorder::new(self.image.points().clone()).with_limit(self.cells)),
                cancel: Some(self.cancel.clone()),
                ..vm::Options::default()
            };
            let run = machine.run(self.entry, &candidate.input, &self.budget, options);
            Ran { outcome: run.outcome, trace: run.trace.unwrap_or_default(), coverage: run.coverage }
        };
        candidates.par_iter().with_min_len(8).map_init(start, one).collect()
    }
}

/// What was seen at the locations of a program. More runs can be added at any time.
pub struct Observations {
    pub instrumented: Instrumented,
    pub generator: Generator,
    stores: Vec<Store>,
    coverage: Option<Coverage>,
    limits: Limits,
    deadline: Deadline,
    /// Runs that counted.
    pub runs: u64,
    /// Inputs that an assumption excluded.
    pub excluded: u64,
    /// The last thing the engine had no model of, if any, with the number of runs that came to it.
    unsupported: Option<(String, u64)>,
    exhausted: u64,
    /// Inputs on which the program did something wrong, the first few.
    failures: Vec<Input>,
    calls: Vec<Call>,
    steps: u64,
    /// The compiled program, if runs are native.
    native: Option<Arc<Natively>>,
    /// Why the search ended before it had nothing more to find.
    cut: Option<&'static str>,
}

impl Observations {
    pub fn new(instrumented: Instrumented, generator: Generator, limits: Limits, deadline: Deadline) -> Observations {
        let stores = instrumented.locations.iter().map(|l| Store::new(&l.variables, limits.rows)).collect();
        Observations {
            instrumented,
            generator,
            stores,
            coverage: None,
            limits,
            deadline,
            runs: 0,
            excluded: 0,
            unsupported: None,
            exhausted: 0,
            failures: Vec::new(),
            calls: Vec::new(),
            steps: 0,
            native: None,
            cut: None,
        }
    }

    /// From now on runs are those of the compiled program.
    pub fn run_natively(&mut self, native: Natively) {
        self.limits.runs = self.limits.runs.min(NATIVE_RUNS);
        self.native = Some(Arc::new(native));
    }

    pub fn locations(&self) -> &[Location] {
        &self.instrumented.locations
    }

    /// Runs generated inputs until they show nothing new.
    pub fn search(&mut self) {
        self.run_in(|this, engine| {
            this.search_with(engine, BATCH);
        });
    }

    /// Runs these inputs.
    pub fn add(&mut self, inputs: Vec<Input>) {
        self.run_in(|this, engine| this.add_with(engine, inputs));
    }

    /// Runs as many fresh inputs as this number and shows what they leave, by location, to `see`. It is taken in as
    /// well.
    pub fn run_fresh(&mut self, count: usize, see: &mut See<'_>) {
        self.run_in(|this, engine| {
            let points = this.points(engine.points());
            let mut left = count;
            this.deadline.progress.count("runs on fresh inputs", count as u64);
            while left > 0 && !this.deadline.is_over() && this.steps < this.limits.total_steps {
                let batch = this.generator.batch(left.min(BATCH));
                if batch.is_empty() {
                    break;
                }
                left -= batch.len();
                this.take_batch(engine, &batch, &points, see);
            }
        });
    }

    /// As [`Observations::run_fresh`], on inputs that are chosen against relations ([`Generator::wide`]) and for at most
    /// so many steps each and in all.
    /// `turn` counts what was tried, over all calls.
    pub fn run_wide(&mut self, turn: &mut usize, count: usize, steps: u64, total_steps: u64, see: &mut See<'_>) {
        let limits = self.limits;
        let until = self.steps.saturating_add(total_steps);
        self.limits.steps = limits.steps.min(steps);
        self.run_in(|this, engine| {
            let points = this.points(engine.points());
            let mut done = 0;
            this.deadline.progress.count("runs on inputs of every magnitude", count as u64);
            while done < count && !this.deadline.is_over() && this.steps < until {
                let batch = this.generator.wide(turn, (count - done).min(BATCH));
                if batch.is_empty() {
                    break;
                }
                done += batch.len();
                let exhausted = this.exhausted;
                this.take_batch(engine, &batch, &points, see);
                // They are meant to be long, and cut short on purpose.
                this.exhausted = exhausted;
            }
        });
        self.limits = limits;
    }

    fn run_in(&mut self, work: impl FnOnce(&mut Observations, &dyn Runner)) {
        if let Some(native) = self.native.clone() {
            work(self, &*native);
            return;
        }
        // The program is lent to the image while `self` takes rows in.
        let program = std::mem::take(&mut self.instrumented.program);
        let engine = InVm {
            image: Image::new(&program, exec::libc::LIBRARY),
            entry: self.instrumented.entry,
            budget: Budget { steps: self.limits.steps, time_ms: 10_000, memory: 1 << 28, ..Budget::default() },
            cells: self.limits.cells,
            cancel: self.deadline.cancel.clone(),
        };
        if self.coverage.is_none() {
            self.coverage = Some(Coverage::new(&program));
        }
        work(self, &engine);
        drop(engine);
        self.instrumented.program = program;
    }

    /// For each location its point in the traces of an engine.
    fn points(&self, trace: &Trace) -> Vec<Option<PointId>> {
        let find = |location: &Location| {
            let matches = |variables: &[Variable]| {
                variables.iter().map(|v| &v.name).eq(location.variables.iter().map(|v| &v.name))
            };
            trace.points().find(|(_, p)| p.name() == location.name && matches(p.variables())).map(|(id, _)| id)
        };
        self.instrumented.locations.iter().map(find).collect()
    }

    pub(super) fn search_with(&mut self, engine: &dyn Runner, batch: usize) {
        let points = self.points(engine.points());
        let mut quiet = 0;
        let limit = self.runs + self.limits.runs;
        self.deadline.progress.count("runs, at most,", self.limits.runs);
        // Inputs that assumptions exclude are cheap, so there may be many of them for each one that counts.
        let mut attempts = self.limits.runs * 10;
        loop {
            self.cut = match () {
                () if self.deadline.is_over() => Some("the time was up"),
                () if self.runs >= limit => Some("the limit of runs was reached"),
                () if self.steps >= self.limits.total_steps => Some("the limit of steps was reached"),
                () if attempts == 0 => Some("nearly all inputs were excluded by assumptions"),
                () => None,
            };
            if self.cut.is_some() {
                return;
            }
            let inputs = self.generator.batch(batch);
            attempts = attempts.saturating_sub(inputs.len().max(1) as u64);
            if inputs.is_empty() && quiet >= PATIENCE {
                return;
            }
            let gain = self.take_batch(engine, &inputs, &points, &mut |_, _| {});
            quiet = if gain.rank { 0 } else { quiet + 1 };
            if quiet >= PATIENCE && (gain.rows == 0 || self.is_plenty()) {
                return;
            }
        }
    }

    pub(super) fn add_with(&mut self, engine: &dyn Runner, inputs: Vec<Input>) {
        let points = self.points(engine.points());
        let mut rest: Vec<Candidate> = inputs.into_iter().map(|input| self.generator.adopt(input)).collect();
        self.deadline.progress.count("runs", rest.len() as u64);
        while !rest.is_empty() {
            if self.deadline.is_over() {
                self.cut = Some("the time was up");
                return;
            }
            let later = rest.split_off(rest.len().min(BATCH * 4));
            self.take_batch(engine, &rest, &points, &mut |_, _| {});
            rest = later;
        }
    }

    /// Whether every location that is reached has rows enough to tell equations from accidents.
    fn is_plenty(&self) -> bool {
        self.runs >= 3 * BATCH as u64
            && self.stores.iter().all(|store| store.len() == 0 || store.len() >= 2 * store.columns() + 50)
    }

    /// Runs a batch and takes in what it shows; `rank` of the answer says whether there was news.
    fn take_batch(
        &mut self,
        engine: &dyn Runner,
        batch: &[Candidate],
        points: &[Option<PointId>],
        see: &mut See<'_>,
    ) -> Gain {
        let mut all = Gain::default();
        for (candidate, ran) in batch.iter().zip(engine.run(batch)) {
            let (gain, showed) = self.take(candidate, ran, points, see);
            self.generator.learn(candidate, showed);
            all.rows += gain.rows;
            all.rank |= gain.rank;
        }
        self.excluded += std::mem::take(&mut self.generator.excluded);
        all
    }

    fn take(
        &mut self,
        candidate: &Candidate,
        ran: Ran,
        points: &[Option<PointId>],
        see: &mut See<'_>,
    ) -> (Gain, Showed) {
        self.steps += ran.outcome.steps;
        match &ran.outcome.ending {
            Ending::Assumed { .. } => {
                self.excluded += 1;
                return (Gain::default(), Showed::Excluded);
            }
            // The rows are real but where they end is an accident of the machine, so they would not be the same again.
            Ending::Interrupted => return (Gain::default(), Showed::Nothing),
            Ending::Unsupported { what, .. } => {
                let count = self.unsupported.as_ref().map_or(0, |(_, count)| *count);
                self.unsupported = Some((what.clone(), count + 1));
            }
            Ending::OutOfBudget { .. } => self.exhausted += 1,
            Ending::Faulted(_) if self.failures.len() < KEPT_FAILURES => self.failures.push(candidate.input.clone()),
            _ => {}
        }
        if !candidate.input.arguments.is_empty() && self.calls.len() < KEPT_CALLS {
            let finding = match &ran.outcome.ending {
                Ending::Faulted(finding) => Some(Some((**finding).clone())),
                Ending::Returned(_) => Some(None),
                // Nothing is said about runs that were cut.
                _ => None,
            };
            let input = &candidate.input;
            self.calls.extend(finding.map(|finding| Call { input: input.clone(), finding }));
        }
        self.runs += 1;
        self.deadline.progress.add(1);
        let mut gain = Gain::default();
        if let (Some(all), Some(covered)) = (&mut self.coverage, &ran.coverage) {
            gain.rank |= all.merge(covered);
        }
        for (index, id) in points.iter().enumerate() {
            let Some(id) = id else { continue };
            let point = ran.trace.point(*id);
            see(index, point);
            let more = self.stores[index].take(point, candidate.near);
            gain.rows += more.rows;
            gain.rank |= more.rank;
        }
        let expensive = matches!(ran.outcome.ending, Ending::OutOfBudget { .. });
        let faulted = matches!(ran.outcome.ending, Ending::Faulted(_)) && !candidate.input.arguments.is_empty();
        let showed = match gain.rank {
            _ if faulted => Showed::Faulted,
            true => Showed::News,
            false if expensive => Showed::Expensive,
            false => Showed::Nothing,
        };
        (gain, showed)
    }

    /// Inputs on which the program did something wrong, as many as were kept.
    pub fn failures(&self) -> &[Input] {
        &self.failures
    }

    /// Runs of an entry that takes objects that came to an end, as many as were kept.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// What was seen, location by location, with notes about what is missing from it.
    pub fn evidence(&self) -> Vec<(Evidence, Vec<String>)> {
        (0..self.stores.len()).map(|index| self.evidence_at(index)).collect()
    }

    /// As [`Observations::evidence`], for the location of this index.
    pub fn evidence_at(&self, index: usize) -> (Evidence, Vec<String>) {
        let (store, location) = (&self.stores[index], &self.instrumented.locations[index]);
        let (evidence, lost) = store.evidence();
        let mut notes = Vec::new();
        if store.visits == 0 {
            notes.push(format!("No run reached `{}`, so nothing is known about it.", location.name));
        } else if location.variables.is_empty() {
            notes.push(NO_NUMBERS.to_string());
        }
        let unfit = store.unfit + lost;
        if unfit > 0 {
            notes.push(format!(
                "{unfit} rows were left out because a value is too large, not finite or has too many binary digits."
            ));
        }
        if store.unrecorded > 0 {
            let count = store.unrecorded;
            notes.push(format!("{count} visits of very long runs were not recorded."));
        }
        (evidence, notes)
    }

    /// What the whole search has to say for itself, in whole sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.instrumented.notes.clone();
        if self.runs == 0 && self.excluded > 0 {
            notes.push(format!(
                "All {} inputs that were tried were excluded by assumptions; give ranges with --input or inputs with \
                 --inputs.",
                self.excluded
            ));
        }
        if let Some((what, count)) = &self.unsupported {
            notes.push(format!("{count} runs ended early at something that is not supported: {what}."));
        }
        if self.exhausted > 0 {
            let steps = self.limits.steps;
            notes.push(format!(
                "{} runs were cut off after {steps} steps; their rows up to there count.",
                self.exhausted
            ));
        }
        if let Some(cut) = self.cut {
            notes.push(format!("The search ended early: {cut}."));
        }
        notes
    }
}
