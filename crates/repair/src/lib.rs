//! The small edit that makes the tests pass.
//!
//! *Question*: which change of one expression, statement or constant (or of two) makes a program pass a suite of tests
//! that it fails?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, chapter 5 (CETI): statistical fault localisation, templates with parameters at the suspicious
//! statements, and the reduction of "which parameters pass the tests" to reachability.
//!
//! *Departures*: templates apply at every expression, not only at assigned values, and at statements and definitions;
//! numbers come one at a time, since freeing all constants of a statement passes the tests for the wrong reason; the
//! enumerative solver runs the changed program instead of reasoning about it, and forces conditions and values before it
//! guesses them; patches are ranked, and compared on inputs that the tests lack.
//!
//! *Phases*: [`suite`] (the tests) → [`localize`] (scores) → [`sites`] and [`scope`] (what can be changed, and to what) →
//! [`enumerate`] (candidates by cost) → [`search`] with [`trial`], [`number`] and [`symbolic`] → [`rewrite`] (edits of the text) →
//! [`compiled`] (the last word) → [`distinguish`] (inputs on which patches differ).
//!
//! *Guarantee*: every patch that is shown passes every test when its text is compiled and run. Whether it is *right* the
//! tests cannot say; how many other repairs there are is said with it. "No repair" means none of the candidates passes.
//!
//! ```
//! use repair::{Build, Conclusion, Config, repair, suite::parse_csv};
//!
//! let folder = tempfile::tempdir().expect("a folder should be made");
//! let path = folder.path().join("larger.c");
//! std::fs::write(&path, "int larger(int a, int b) { return a < b ? a : b; }").expect("the file should be written");
//! let build = Build { files: vec![path.clone()], options: Default::default() };
//! let program = cfront::load(&[path], &build.options).expect("this is C").program;
//! let entry = program.find_function("larger").expect("the function should be there");
//! let tests = parse_csv("a,b,expected\n1,2,2\n5,3,5\n4,4,4\n-1,7,7\n", &program, entry).expect("these are tests");
//! let report = repair(&program, entry, &tests, &build, &Config::default()).expect("the tests can be run");
//! assert_eq!(report.conclusion, Conclusion::Repaired);
//! ```

pub mod compiled;
pub mod costs;
pub mod distinguish;
pub mod enumerate;
pub mod instance;
pub mod instantiate;
pub mod localize;
mod number;
pub mod rewrite;
pub mod scope;
pub mod search;
pub mod sites;
pub mod suite;
mod symbolic;
pub mod template;
pub mod text;
pub mod trial;

pub use compiled::Build;
pub use localize::{Metric, Suspicious};
pub use search::Solver;
pub use suite::{Expected, Test};
pub use template::Template;

use cfront::edit::{Edit, apply, unified_diff};
use compiled::Compiled;
use diagnostics::Deadline;
use diagnostics::Rule;
use enumerate::Hints;
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Limit, Outcome};
use instantiate::Context;
use ir::{FunctionId, Program, StmtId};
use localize::localize;
use rayon::prelude::*;
use scope::Scope;
use search::Found;
use sites::Sites;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use trial::Trial;

/// How a program is repaired.
#[derive(Clone, Debug)]
pub struct Config {
    pub metric: Metric,
    /// Lines that are looked at.
    pub top: usize,
    pub min_score: f64,
    /// Stop after the ranking of lines.
    pub localize_only: bool,
    pub solver: Solver,
    /// Edits in one repair.
    pub edits: usize,
    /// Patches that are shown.
    pub patches: usize,
    pub deadline: Deadline,
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            metric: Metric::default(),
            top: 80,
            min_score: 0.2,
            localize_only: false,
            solver: Solver::default(),
            edits: 2,
            patches: 3,
            deadline: Deadline::default(),
            seed: 1,
        }
    }
}

/// What came of it. It is no verdict: a repair passes the tests and promises nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// All tests pass as it is.
    NothingToRepair,
    Repaired,
    NoRepair,
    /// Time ran out, or the tests cannot be run.
    Unknown,
}

/// A test that the program fails.
#[derive(Clone, PartialEq, Debug)]
pub struct FailingTest {
    /// Its number in the suite, from 0.
    pub test: usize,
    /// What happened instead, a clause.
    pub got: String,
}

/// A repair as edits of the user's files.
#[derive(Clone, Debug)]
pub struct Patch {
    pub edits: Vec<Edit>,
    /// Of the first edit.
    pub file: String,
    pub line: u32,
    pub before: String,
    pub after: String,
    pub diff: String,
    pub templates: Vec<Template>,
    pub cost: u32,
    pub tests_passed: usize,
    /// The texts of the changed files, by path.
    pub texts: BTreeMap<String, String>,
    /// The changes, for running it again.
    pub found: Found,
    pub distinguishing: Vec<distinguish::Distinguishing>,
}

#[derive(Clone, Debug)]
pub struct RepairReport {
    pub conclusion: Conclusion,
    pub failing: Vec<FailingTest>,
    pub total: usize,
    pub suspicious: Vec<Suspicious>,
    /// Changed programs that were run.
    pub candidates: u64,
    pub patches: Vec<Patch>,
    /// Further repairs that pass the tests in the VM and are not shown.
    pub others: usize,
    pub notes: Vec<String>,
}

/// Steps that a test of the program as it is may take.
const FIRST_STEPS: u64 = 20_000_000;
/// Steps within which most tests end.
const SOON: u64 = 200_000;

/// Repairs a program. An error is a whole sentence for the user.
pub fn repair(
    program: &Program,
    entry: FunctionId,
    tests: &[Test],
    build: &Build,
    config: &Config,
) -> Result<RepairReport, String> {
    let image = Image::new(program, exec::libc::LIBRARY);
    let first = Budget { steps: FIRST_STEPS, memory: 256 << 20, depth: 4_000, output: 4 << 20, time_ms: 10_000 };
    let mut runs = first_runs(&image, entry, tests, first, &config.deadline);
    let excused = excuse(program, entry, tests, build, &mut runs, &config.deadline.cancel);
    let mut report = RepairReport {
        conclusion: Conclusion::Unknown,
        failing: failing(&runs),
        total: tests.len(),
        suspicious: Vec::new(),
        candidates: 0,
        patches: Vec::new(),
        others: 0,
        notes: Vec::new(),
    };
    if !excused.is_empty() {
        report.notes.push(format!(
            "in {} tests the VM sees undefined behaviour and the compiled program answers as expected; they count as \
             passing, and only the compiled patches are tried on them",
            excused.len()
        ));
    }
    if config.deadline.is_cancelled() {
        return Ok(report);
    }
    if let Some(why) = unsupported(&runs) {
        report.notes.push(format!("a test cannot be run: {why}"));
        return Ok(report);
    }
    if report.failing.is_empty() {
        report.conclusion = Conclusion::NothingToRepair;
        return Ok(report);
    }
    let judged = |(test, (_, passed)): (usize, &(_, bool))| (!excused.contains(&test)).then_some(*passed);
    let passed: Vec<Option<bool>> = runs.iter().enumerate().map(judged).collect();
    let budget = budget_of(&runs, first);
    let coverage: Vec<_> = runs.into_iter().filter_map(|(run, passed)| Some((run.coverage?, passed))).collect();
    let scores = localize(program, &coverage, config.metric, config.top, config.min_score);
    drop(coverage);
    report.suspicious.clone_from(&scores.table);
    if config.localize_only {
        report.conclusion = Conclusion::NoRepair;
        return Ok(report);
    }
    let sites = sites::find(program, &scores);
    let scopes = scopes(program, &sites);
    let context = Context { program, sites: &sites, scopes: &scopes, holes: Vec::new() };
    let trial = Trial::new(context, &image, entry, tests, &passed, budget, config.deadline.clone());
    let mut session = Session { trial, build, config, constants: scope::constants(program), report };
    session.look();
    let mut report = session.report;
    report.candidates = session.trial.tried.load(Ordering::Relaxed);
    Ok(report)
}

/// Runs every test on the program as it is. Tests that do not end soon get more steps, unless a few of them do not end
/// then either: a program that hangs hangs often.
fn first_runs(
    image: &Image<'_>,
    entry: FunctionId,
    tests: &[Test],
    budget: Budget,
    deadline: &Deadline,
) -> Vec<(exec::vm::Run, bool)> {
    deadline.progress.count("tests", tests.len() as u64);
    let run = |test: &Test, steps: u64| {
        let options = Options { coverage: true, cancel: Some(deadline.cancel.clone()), ..Options::default() };
        let run = Machine::new(image).run(entry, &test.input, &Budget { steps, ..budget }, options);
        let passed = test.passed(&run.outcome);
        (run, passed)
    };
    let mut runs: Vec<(exec::vm::Run, bool)> =
        tests.par_iter().map(|test| run(test, SOON)).inspect(|_| deadline.progress.add(1)).collect();
    let late: Vec<usize> = (0..runs.len())
        .filter(|t| matches!(runs[*t].0.outcome.ending, Ending::OutOfBudget { limit: Limit::Steps, .. }))
        .collect();
    let (few, rest) = late.split_at(late.len().min(4));
    let again = |chosen: &[usize]| -> Vec<(usize, (exec::vm::Run, bool))> {
        chosen.par_iter().map(|&t| (t, run(&tests[t], budget.steps))).collect()
    };
    let first = again(few);
    let ends = first.iter().any(|(_, (run, _))| !matches!(run.outcome.ending, Ending::OutOfBudget { .. }));
    let more = if ends { again(rest) } else { Vec::new() };
    for (test, outcome) in first.into_iter().chain(more) {
        runs[test] = outcome;
    }
    runs
}

/// Tests that the VM stops because of undefined behaviour which compilers give a meaning to, and that the compiled program
/// passes. They are marked as passed.
fn excuse(
    program: &Program,
    entry: FunctionId,
    tests: &[Test],
    build: &Build,
    runs: &mut [(exec::vm::Run, bool)],
    cancel: &AtomicBool,
) -> BTreeSet<usize> {
    let harmless =
        [Rule::UninitialisedRead, Rule::SignedOverflow, Rule::BadShift, Rule::BadConversion, Rule::Unsequenced];
    let is_doubtful = |run: &exec::vm::Run| matches!(&run.outcome.ending, Ending::Faulted(finding) if harmless.contains(&finding.rule));
    let doubtful: Vec<usize> = (0..runs.len()).filter(|t| is_doubtful(&runs[*t].0)).collect();
    if doubtful.is_empty() {
        return BTreeSet::new();
    }
    let compiled = Compiled::new(build, program, entry, tests, cancel);
    let passed = compiled.passed(&BTreeMap::new()).unwrap_or_default();
    let excused: BTreeSet<usize> = doubtful.into_iter().filter(|t| passed.get(*t).copied().unwrap_or(false)).collect();
    for &test in &excused {
        runs[test].1 = true;
    }
    excused
}

/// What may be written at each place that can be changed.
fn scopes(program: &Program, sites: &Sites) -> BTreeMap<(FunctionId, StmtId), Scope> {
    let mut known = scope::Scopes::new(program);
    let mut scopes = BTreeMap::new();
    let nodes = sites.sites.iter().flat_map(|site| site.nodes.iter().map(|node| (node.function, node.stmt)));
    for at in nodes.chain(sites.places.iter().map(|place| (place.function, place.stmt))) {
        scopes.entry(at).or_insert_with(|| known.at(at.0, at.1));
    }
    scopes
}

/// Budgets that a good candidate keeps within: far more than the passing tests need.
fn budget_of(runs: &[(exec::vm::Run, bool)], first: Budget) -> Budget {
    let most = runs.iter().filter(|(_, passed)| *passed).map(|(run, _)| run.outcome.steps).max().unwrap_or(0);
    let ended = |run: &exec::vm::Run| !matches!(run.outcome.ending, Ending::OutOfBudget { .. });
    let failing = runs.iter().filter(|(run, _)| ended(run)).map(|(run, _)| run.outcome.steps).max().unwrap_or(0);
    let steps = (most.max(failing) * 10).clamp(30_000, FIRST_STEPS);
    Budget { steps, memory: 64 << 20, depth: 1_000, output: 1 << 20, ..first }
}

fn failing(runs: &[(exec::vm::Run, bool)]) -> Vec<FailingTest> {
    let numbered = runs.iter().enumerate().filter(|(_, (_, passed))| !passed);
    numbered.map(|(test, (run, _))| FailingTest { test, got: describe(&run.outcome) }).collect()
}

/// What a run did, as a clause.
pub fn describe(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Returned(Some(exec::Scalar::Int(value))) => value.to_string(),
        Ending::Returned(Some(exec::Scalar::Float(value))) => value.to_string(),
        Ending::Returned(None) => "returns nothing".into(),
        Ending::Exited(status) => {
            let text = String::from_utf8_lossy(suite::trimmed(&outcome.stdout)).into_owned();
            if *status == 0 { format!("{text:?}") } else { format!("{text:?}, exit status {status}") }
        }
        Ending::Faulted(finding) => format!("crashes: {}", finding.message),
        Ending::Killed { signal } => format!("is ended by signal {signal}"),
        Ending::OutOfBudget { .. } => "does not come to an end".into(),
        Ending::Assumed { .. } => "violates an assumption".into(),
        Ending::Unsupported { what, .. } => format!("meets {what}, which is not supported"),
        Ending::Interrupted => "is interrupted".into(),
    }
}

fn unsupported(runs: &[(exec::vm::Run, bool)]) -> Option<String> {
    runs.iter().find_map(|(run, _)| match &run.outcome.ending {
        Ending::Unsupported { what, .. } => Some(what.clone()),
        _ => None,
    })
}

struct Session<'a> {
    trial: Trial<'a>,
    build: &'a Build,
    config: &'a Config,
    constants: Vec<i128>,
    report: RepairReport,
}

/// Repairs as texts, compiled and run; each once.
struct Confirmed<'a> {
    compiled: Compiled<'a>,
    total: usize,
    known: BTreeMap<String, Option<Patch>>,
    /// What went wrong with the first that did not pass.
    complaint: Option<String>,
}

impl Confirmed<'_> {
    /// The patch of a repair, if its text passes all tests.
    fn patch(&mut self, trial: &Trial<'_>, found: &Found) -> Option<Patch> {
        let mut patch = patch(&trial.context, found)?;
        if let Some(known) = self.known.get(&patch.diff) {
            return known.clone();
        }
        let diff = patch.diff.clone();
        let confirmed = match self.compiled.passed(&patch.texts) {
            Ok(passed) => {
                patch.tests_passed = passed.iter().filter(|passed| **passed).count();
                if patch.tests_passed < self.total {
                    let test = passed.iter().position(|passed| !passed).unwrap_or(0);
                    let what = format!("`{}`: test {} fails when compiled", patch.after, test + 1);
                    self.complaint.get_or_insert(what);
                }
                (patch.tests_passed == self.total).then_some(patch)
            }
            Err(why) => {
                self.complaint.get_or_insert(why);
                None
            }
        };
        self.known.insert(diff, confirmed.clone());
        confirmed
    }
}

impl Session<'_> {
    /// Looks for repairs and keeps the best that pass when they are compiled.
    fn look(&mut self) {
        let deadline = &self.config.deadline;
        let (tests, entry, program) = (self.trial.tests, self.trial.entry, self.trial.context.program);
        let mut confirmed = Confirmed {
            compiled: Compiled::new(self.build, program, entry, tests, &self.config.deadline.cancel),
            total: tests.len(),
            known: BTreeMap::new(),
            complaint: None,
        };
        let mut hints = Hints { constants: self.constants.clone(), ..Hints::default() };
        let mut confirm = |trial: &Trial<'_>, found: &Found| confirmed.patch(trial, found).is_some();
        let mut outcome = search::singles(&mut self.trial, &mut hints, self.config.solver, deadline, &mut confirm);
        if outcome.found.is_empty() && !outcome.cut_short && self.config.solver != Solver::Enumerate {
            let combined = search::combined(&mut self.trial, &hints, deadline, &mut confirm);
            outcome = search::Outcome { worked_out: outcome.worked_out, ..combined };
        }
        if outcome.found.is_empty() && !outcome.cut_short && self.config.edits > 1 {
            let singles_worked_out = outcome.worked_out;
            outcome = search::pairs(&mut self.trial, &hints, deadline, &mut confirm);
            outcome.worked_out |= singles_worked_out;
        }
        // Candidates that came when time was over were not tried.
        outcome.cut_short |= outcome.found.is_empty() && deadline.is_over();
        self.report.conclusion = if outcome.cut_short { Conclusion::Unknown } else { Conclusion::NoRepair };
        if outcome.worked_out && outcome.found.is_empty() {
            self.report.notes.push("the search stopped at its limit of work before all candidates were tried".into());
        }
        if outcome.cut_short {
            self.report.notes.push("time ran out before all candidates were tried".into());
        }
        let mut seen: Vec<String> = Vec::new();
        for found in &outcome.found {
            let Some(plain) = patch(&self.trial.context, found) else { continue };
            if seen.contains(&plain.diff) {
                continue;
            }
            seen.push(plain.diff);
            if self.report.patches.len() < self.config.patches {
                self.report.patches.extend(confirmed.patch(&self.trial, found));
            } else {
                self.report.others += 1;
            }
        }
        if !self.report.patches.is_empty() {
            self.report.conclusion = Conclusion::Repaired;
            self.compare();
        } else if let Some(why) = confirmed.complaint {
            self.report.notes.push(format!("candidates pass in the VM and not when they are compiled, as {why}"));
        }
    }

    fn compare(&mut self) {
        let repairs: Vec<&Found> = self.report.patches.iter().map(|patch| &patch.found).collect();
        let pairs =
            distinguish::distinguish(&self.trial, &repairs, &self.constants, self.config.seed, &self.config.deadline);
        for (first, second, input, a, b) in pairs {
            let both = [(first, second, &a, &b), (second, first, &b, &a)];
            for (own, other, this, that) in both {
                self.report.patches[own].distinguishing.push(distinguish::Distinguishing {
                    other,
                    input: input.clone(),
                    this: this.clone(),
                    that: that.clone(),
                });
            }
        }
        for patch in &mut self.report.patches {
            patch.distinguishing.sort_by_key(|d| d.other);
        }
    }
}

/// The edits of a repair with everything that is shown of them; `None` if they have no text or overlap.
fn patch(context: &Context<'_>, found: &Found) -> Option<Patch> {
    let sources = &context.program.sources;
    let mut edits = Vec::new();
    for change in &found.changes {
        edits.extend(context.edits(change)?);
    }
    let texts = apply(sources, &edits).ok()?;
    let mut diff = String::new();
    let mut by_path = BTreeMap::new();
    for (file, text) in texts {
        let original = sources.file(file);
        diff += &unified_diff(&original.path, original.text.as_deref().unwrap_or_default(), &text);
        by_path.insert(original.path.clone(), text);
    }
    if diff.is_empty() {
        return None;
    }
    let first = edits.first()?;
    let file = sources.file(first.file);
    let text = file.text.as_deref()?;
    let line = text[..first.range.start].matches('\n').count() as u32 + 1;
    let (before, after) = changed_lines(&diff);
    Some(Patch {
        file: file.path.clone(),
        line,
        before,
        after,
        diff,
        templates: found.templates.clone(),
        cost: found.cost,
        tests_passed: 0,
        texts: by_path,
        edits,
        found: found.clone(),
        distinguishing: Vec::new(),
    })
}

/// The lines of a diff that go and those that come.
fn changed_lines(diff: &str) -> (String, String) {
    let lines = |sign: char| {
        let header = format!("{sign}{sign}{sign} ");
        let changed = diff.lines().filter(|line| line.starts_with(sign) && !line.starts_with(&header));
        changed.map(|line| line[1..].trim()).collect::<Vec<_>>().join("\n")
    };
    (lines('-'), lines('+'))
}
