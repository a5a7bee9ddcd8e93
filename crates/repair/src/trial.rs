//! Trying candidates: the changed program runs the tests in the VM until one fails.
//!
//! Failing tests come first, since most candidates change nothing for them; then the passing tests in the order in which
//! they have stopped candidates before. Only the functions that change are compiled again ([`Image::changed`]), so a
//! candidate that fails its first test costs some tens of microseconds.
//!
//! *Guarantee*: a candidate that [`Trial::passes`] passes every test in the VM. The order of the tests changes how long it takes, never the answer.

use super::instantiate::{Changed, Context};
use super::suite::Test;
use super::template::Change;
use diagnostics::Deadline;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Outcome};
use ir::FunctionId;
use std::sync::atomic::{AtomicU64, Ordering};

/// What making a changed program costs, and starting a run of it, in steps.
const CHANGE: u64 = 20_000;
const RUN: u64 = 2_000;

pub struct Trial<'p> {
    pub context: Context<'p>,
    pub image: &'p Image<'p>,
    pub entry: FunctionId,
    pub tests: &'p [Test],
    /// Of the tests, those that fail and those that pass at the start. Tests that the VM cannot judge are in neither.
    pub failing: Vec<usize>,
    pub passing: Vec<usize>,
    pub budget: Budget,
    pub deadline: Deadline,
    /// How many changed programs were run.
    pub tried: AtomicU64,
    /// What that took, in steps of the VM; making a changed program and starting a run count as so many.
    pub spent: AtomicU64,
    /// How many candidates each test stopped.
    stopped: Vec<AtomicU64>,
}

/// What a changed program does to a few tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// One bit for each test that was asked about.
    pub passed: u64,
}

impl<'p> Trial<'p> {
    /// Of tests that the VM cannot judge, `passed` says nothing.
    pub fn new(
        context: Context<'p>,
        image: &'p Image<'p>,
        entry: FunctionId,
        tests: &'p [Test],
        passed: &[Option<bool>],
        budget: Budget,
        deadline: Deadline,
    ) -> Trial<'p> {
        let with = |wanted: bool| (0..tests.len()).filter(|t| passed[*t] == Some(wanted)).collect();
        Trial {
            context,
            image,
            entry,
            tests,
            failing: with(false),
            passing: with(true),
            budget,
            deadline,
            tried: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            stopped: tests.iter().map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Puts the tests that stop most candidates first.
    pub fn reorder(&mut self) {
        let stopped = &self.stopped;
        let count = |t: &usize| std::cmp::Reverse(stopped[*t].load(Ordering::Relaxed));
        self.failing.sort_by_key(|t| (count(t), *t));
        self.passing.sort_by_key(|t| (count(t), *t));
    }

    fn options(&self) -> Options {
        Options { cancel: Some(self.deadline.cancel.clone()), ..Options::default() }
    }

    /// The program with these changes, if they fit and there is time to run it: the searches ask about thousands between
    /// two looks at the clock.
    fn changed(&self, changes: &[&Change]) -> Option<Changed> {
        if self.deadline.is_over() {
            return None;
        }
        self.context.instantiate(changes.iter().copied())
    }

    /// Runs one test of a changed program.
    fn run(&self, machine: &mut Machine<'_>, test: usize) -> bool {
        let test = &self.tests[test];
        let run = machine.run(self.entry, &test.input, &self.budget, self.options());
        self.spent.fetch_add(RUN + run.outcome.steps, Ordering::Relaxed);
        test.passed(&run.outcome)
    }

    /// Whether the program with these changes passes all tests; if not, the first test that fails.
    pub fn passes(&self, changes: &[&Change]) -> Result<(), Option<usize>> {
        let Some(changed) = self.changed(changes) else { return Err(None) };
        self.tried.fetch_add(1, Ordering::Relaxed);
        self.with_machine(&changed, |machine| {
            for &test in self.failing.iter().chain(&self.passing) {
                if !self.run(machine, test) {
                    self.stopped[test].fetch_add(1, Ordering::Relaxed);
                    return Err(Some(test));
                }
            }
            Ok(())
        })
    }

    /// Which of up to 64 tests the program passes with these changes; `None` if they do not fit.
    pub fn answers(&self, changes: &[&Change], tests: &[usize]) -> Option<Answers> {
        let changed = self.changed(changes)?;
        self.tried.fetch_add(1, Ordering::Relaxed);
        Some(self.with_machine(&changed, |machine| {
            let mut answers = Answers::default();
            for (bit, &test) in tests.iter().take(64).enumerate() {
                answers.passed |= u64::from(self.run(machine, test)) << bit;
            }
            answers
        }))
    }

    /// What the program with these changes does with an input.
    pub fn outcome(&self, changes: &[&Change], input: &exec::Input) -> Option<Outcome> {
        let changed = self.changed(changes)?;
        Some(
            self.with_machine(&changed, |machine| machine.run(self.entry, input, &self.budget, self.options()).outcome),
        )
    }

    fn with_machine<T>(&self, changed: &Changed, work: impl FnOnce(&mut Machine<'_>) -> T) -> T {
        self.spent.fetch_add(CHANGE, Ordering::Relaxed);
        let image = Image::changed(self.image, &changed.functions, &changed.globals);
        work(&mut Machine::new(&image))
    }
}
