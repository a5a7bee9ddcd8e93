//! The compiled function with its checking loop, run in sandboxed children that share the rows of the domain.
//!
//! A child gets a *job* (a file of words) and keeps a *page* (a mapped file) that tells how far it is, which survives
//! any crash. When a child ends before its work does, a second one starts at the row the first was in and notes every
//! input before the call: what it was called with last is what it failed on. A call that comes back but takes long is
//! found by that second child to be no hang.

use super::answer::{Answer, Object, Value};
use super::engine::{Engine, EngineError, Extent, Fault, Found, Limits, Method, Search, Tally};
use super::generate::{checking_loop, every_call};
use super::shape::{Argument, Problem, Shape, Space};
use super::unwritten::Watch;
use algebra::permutation::Permutation;
use diagnostics::Shard;
use exec::{Budget, Ending, Input, Limit, Scalar, ValueType};
use replay::{Binary, CompileError, Conditions, Recipe, Scratch, Source, compile, hand_over, object_code};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const STATE: usize = 0;
const ROW: usize = 1;
const TUPLES: usize = 3;
const CALLS: usize = 4;
const CHECKS: usize = 5;
const ELAPSED: usize = 6;
const DIGEST: usize = 7;
const PROCESSOR: usize = 9;
const UNTIL: usize = 10;
const INPUT: usize = 16;

const DONE: u64 = 1;
const VIOLATED: u64 = 2;
const STUCK: u64 = 3;

/// What a child is to do; the numbers are the runtime's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Search = 0,
    Sample = 1,
    Answer = 2,
    /// Calls with representatives only, and digests the answers.
    Represent = 3,
}

/// Domains smaller than this are not worth a second process.
const WORTH_SHARING: u128 = 1 << 16;

/// How the function is compiled.
#[derive(Clone, Debug)]
pub struct Build {
    pub files: Vec<PathBuf>,
    /// Texts that replace files, by index.
    pub texts: Vec<(usize, String)>,
    /// The file that defines the function.
    pub unit: usize,
    pub flags: Vec<String>,
    pub compiler: Option<String>,
    pub sanitize: bool,
    /// Whether some file defines `main`, which then gets another name.
    pub has_main: bool,
    /// No call can fail, so the compiler may leave out those whose answers it knows.
    pub total: bool,
    /// Where calls may read what was never written.
    pub watch: Option<Watch>,
    /// What was compiled from this, by what was put behind the unit: several problems are checked by the same loop.
    pub compiled: Arc<Mutex<BTreeMap<String, Arc<Binary>>>>,
}

/// The compiler, the flags, and whether there are sanitizers.
type RuntimeKey = (Option<String>, Vec<String>, bool);

/// The runtimes that this process has compiled.
static RUNTIMES: Mutex<BTreeMap<RuntimeKey, Arc<Vec<u8>>>> = Mutex::new(BTreeMap::new());

impl Build {
    fn text(&self, index: usize) -> Result<String, EngineError> {
        if let Some((_, text)) = self.texts.iter().find(|(i, _)| *i == index) {
            return Ok(text.clone());
        }
        let path = &self.files[index];
        let bytes = fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn runtime(&self, recipe: &Recipe, cancel: &AtomicBool) -> Result<Arc<Vec<u8>>, EngineError> {
        let key = (recipe.compiler.clone(), recipe.flags.clone(), recipe.sanitize);
        let known = || RUNTIMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(object) = known().get(&key) {
            return Ok(object.clone());
        }
        let alone = Recipe {
            sources: vec![Source::text("plumb-symmetry-runtime.c", include_str!("runtime.c"))],
            objects: Vec::new(),
            ..recipe.clone()
        };
        let object = Arc::new(object_code(&alone, 0, Some(cancel)).map_err(|error| error.to_string())?);
        known().insert(key, object.clone());
        Ok(object)
    }

    /// The program with this text behind the unit of the function, compiled unless it was before.
    fn compile(&self, behind: &str, is_aliasing: bool, cancel: &AtomicBool) -> Result<Arc<Binary>, EngineError> {
        let known = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        // Copies with changed texts share what is kept, and are not what it was compiled from.
        if self.texts.is_empty()
            && let Some(binary) = known().get(behind)
        {
            return Ok(binary.clone());
        }
        let mut recipe = self.recipe(behind)?;
        recipe.objects.push(self.runtime(&recipe, cancel)?);
        if is_aliasing {
            recipe.flags.push("-fno-strict-aliasing".to_string());
        }
        let binary = Arc::new(compile(&recipe, Some(cancel)).map_err(|error| wording(&error))?);
        if self.texts.is_empty() {
            known().insert(behind.to_string(), binary.clone());
        }
        Ok(binary)
    }

    /// The recipe of the program alone, with this text behind the unit of the function.
    pub fn recipe(&self, behind: &str) -> Result<Recipe, EngineError> {
        let mut sources = Vec::new();
        for (index, path) in self.files.iter().enumerate() {
            let is_replaced = self.texts.iter().any(|(replaced, _)| *replaced == index);
            // A unit that is as it was is compiled once for all functions.
            if index != self.unit && !self.has_main && !is_replaced {
                sources.push(Source::file(path));
                continue;
            }
            let mut text = String::new();
            if self.has_main {
                let shown = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
                text += &format!("#define main plumb_users_main\n# 1 \"{shown}\"\n");
            }
            text += &self.text(index)?;
            if index == self.unit {
                text += "\n#undef main\n";
                text += behind;
            }
            sources.push(Source::text(path, text));
        }
        let mut recipe = Recipe::new(sources);
        // The user's flags come later, so that they win.
        recipe.flags = std::iter::once("-O2".to_string()).chain(self.flags.iter().cloned()).collect();
        recipe.compiler = self.compiler.clone();
        recipe.sanitize = self.sanitize;
        Ok(recipe)
    }
}

pub struct Native<'a> {
    pub problem: &'a Problem,
    pub method: Method,
    pub limits: Limits<'a>,
    spaces: Vec<Space>,
    binary: Arc<Binary>,
    sanitize: bool,
    watch: Option<&'a Watch>,
    files: &'a [PathBuf],
    unit: usize,
}

/// How a child ended.
struct Ended {
    page: Vec<u64>,
    answers: Vec<u64>,
    /// `None` if it came to its end.
    fault: Option<Fault>,
    /// The state of the page says that a row took too long.
    stuck: bool,
    stopped: bool,
}

#[derive(Clone, Copy)]
struct Job<'a> {
    mode: Mode,
    shape: usize,
    careful: bool,
    /// The rows to begin with.
    from: u64,
    deadline: u64,
    /// The directory with the file from which further rows are taken.
    untaken: Option<&'a Path>,
    generators: bool,
    space: &'a Space,
    list: &'a [Vec<Scalar>],
}

impl<'a> Native<'a> {
    pub fn new(
        problem: &'a Problem,
        build: &'a Build,
        method: Method,
        limits: Limits<'a>,
    ) -> Result<Native<'a>, EngineError> {
        let spaces: Vec<Space> = problem.shapes.iter().map(|s| problem.space(s)).collect::<Result<_, _>>()?;
        // Records are filled in arrays of bytes.
        let is_record = |argument: &Argument| matches!(argument, Argument::Record { .. });
        let fills_records = problem.shapes.iter().flat_map(|shape| &shape.arguments).any(is_record);
        let behind = checking_loop(problem, &spaces, build.total);
        let binary = build.compile(&behind, fills_records, &limits.deadline.cancel)?;
        let Build { sanitize, watch, files, unit, .. } = build;
        let (sanitize, watch, unit) = (*sanitize, watch.as_ref(), *unit);
        Ok(Native { problem, method, limits, spaces, binary, sanitize, watch, files, unit })
    }

    fn shape(&self, index: usize) -> &Shape {
        &self.problem.shapes[index]
    }

    fn words(&self, job: &Job<'_>) -> Vec<u64> {
        let shape = self.shape(job.shape);
        let mut words = vec![
            job.mode as u64,
            job.shape as u64,
            job.careful.into(),
            job.from,
            job.deadline,
            job.generators.into(),
            self.limits.call.as_nanos() as u64,
            self.sanitize.into(),
        ];
        let permuted = shape.slots.get(shape.fixed()).and_then(|s| s.ty);
        let mut domains: Vec<(&super::domain::Values, Option<ValueType>)> =
            job.space.fixed.iter().zip(&shape.slots).map(|(v, s)| (v, s.ty)).collect();
        domains.push((&job.space.union, permuted));
        domains.extend(job.space.own.iter().flatten().map(|v| (v, permuted)));
        words.push(domains.len() as u64);
        for (values, ty) in domains {
            match values {
                super::domain::Values::Range { lo, .. } => {
                    words.extend([0, u64::try_from(values.count()).unwrap_or(u64::MAX), *lo as u64]);
                }
                super::domain::Values::Set(set) => {
                    words.extend([1, set.len() as u64]);
                    words.extend(set.iter().map(|v| cell(v, ty)));
                }
            }
        }
        words.push(job.list.len() as u64);
        for tuple in job.list {
            words.extend(tuple.iter().zip(&shape.slots).map(|(v, s)| cell(v, s.ty)));
        }
        words
    }

    fn run(&self, job: &Job<'_>, cancel: &AtomicBool) -> Result<Ended, EngineError> {
        self.run_for(self.limits.deadline.left(), job, cancel)
    }

    fn run_for(&self, time: Duration, job: &Job<'_>, cancel: &AtomicBool) -> Result<Ended, EngineError> {
        let shape = self.shape(job.shape);
        let bytes = |words: &[u64]| words.iter().flat_map(|w| w.to_ne_bytes()).collect::<Vec<u8>>();
        let page = vec![0u64; INPUT + shape.slots.len() + shape.k];
        let files = [(PathBuf::from("job"), bytes(&self.words(job))), (PathBuf::from("page"), bytes(&page))];
        let links: Vec<PathBuf> = job.untaken.iter().map(|rows| rows.join(UNTAKEN)).collect();
        let conditions =
            Conditions { files: &files, links: &links, cancel: Some(cancel), trace_cells: 0, ..Conditions::default() };
        let budget = Budget { time_ms: (time.as_millis() as u64).max(1), ..Budget::default() };
        let run = self.binary.run(&Input::default(), &budget, &conditions);
        let run = run.map_err(|error| format!("the checking program cannot be run: {error}"))?;
        let words = |name: &str| -> Vec<u64> {
            let bytes = run.directory.read(name, MOST_LEFT).unwrap_or_default();
            bytes
                .chunks_exact(8)
                .map(|c| u64::from_ne_bytes(c.try_into().expect("a chunk should have 8 bytes")))
                .collect()
        };
        let mut seen = words("page");
        seen.resize(page.len(), 0);
        let (state, ended) = (seen[STATE], &run.outcome.ending);
        let stopped = matches!(ended, Ending::Interrupted | Ending::OutOfBudget { limit: Limit::Time, .. });
        let finished = matches!(ended, Ending::Exited(0)) && matches!(state, DONE | VIOLATED | STUCK);
        let fault = (!finished && !stopped).then(|| fault(ended, &run.outcome.stderr, self.sanitize));
        Ok(Ended { page: seen, answers: words("answers"), fault, stuck: finished && state == STUCK, stopped })
    }

    /// Runs a job to its end, starting again where it failed to find out on what.
    fn settle(&self, job: Job<'_>, cancel: &AtomicBool) -> Result<Search, EngineError> {
        let ended = self.run(&job, cancel)?;
        let tally = tally(&ended.page);
        if ended.stopped {
            return Ok(Search { tally, stopped: true, ..Search::default() });
        }
        if ended.fault.is_none() && !ended.stuck {
            let found = (ended.page[STATE] == VIOLATED).then(|| self.violation(&ended.page, self.shape(job.shape)));
            return Ok(Search { tally, found, ..Search::default() });
        }
        let row = ended.page[ROW];
        let deadline = if job.untaken.is_some() { ended.page[UNTIL] } else { job.deadline };
        let again = self.run(&Job { careful: true, from: row, deadline, ..job }, cancel)?;
        let tally = tally.then(self::tally(&again.page));
        if again.stopped {
            return Ok(Search { tally, stopped: true, ..Search::default() });
        }
        let input = || self.tuple(&again.page, self.shape(job.shape));
        let fault = again.fault.or(again.stuck.then_some(Fault::Hung(self.limits.call)));
        let found = match fault {
            Some(fault) => Some(Found::Fault { input: input(), fault }),
            None => (again.page[STATE] == VIOLATED).then(|| self.violation(&again.page, self.shape(job.shape))),
        };
        let lost = match (&ended.fault, &found) {
            (Some(fault), None) => {
                Some(format!("A call failed ({}), and did not when it was made again.", describe(fault)))
            }
            _ => None,
        };
        Ok(Search { tally, found, stopped: false, lost })
    }

    fn tuple(&self, page: &[u64], shape: &Shape) -> Vec<Scalar> {
        let cells = page[INPUT..].iter().zip(&shape.slots);
        cells.map(|(cell, slot)| slot.ty.expect("slots of C functions should have types").decode(&[*cell])).collect()
    }

    fn violation(&self, page: &[u64], shape: &Shape) -> Found {
        let theta = page[INPUT + shape.slots.len()..].iter().take(shape.k).map(|&i| i as usize).collect();
        // A child that scribbled over its page gets the identity, which the replay then does not confirm.
        let theta = Permutation::new(theta).unwrap_or_else(|| Permutation::identity(shape.k));
        Found::Violation { input: self.tuple(page, shape), theta }
    }

    /// A digest of what the function answers to all representatives: equal for functions that are equal on the domain
    /// and have the relation. `None` if it could not be had.
    pub fn digest(&self) -> Result<Option<Vec<[u64; 2]>>, EngineError> {
        let mut digests = Vec::new();
        for index in 0..self.problem.shapes.len() {
            let job = Job { mode: Mode::Represent, ..self.job(index, &self.spaces[index]) };
            let ended = self.run(&job, &self.limits.deadline.cancel)?;
            if ended.fault.is_some() || ended.stopped || ended.stuck {
                return Ok(None);
            }
            digests.push([ended.page[DIGEST], ended.page[DIGEST + 1]]);
        }
        Ok(Some(digests))
    }

    fn job<'j>(&self, shape: usize, space: &'j Space) -> Job<'j> {
        let generators = self.method == Method::Generators;
        Job {
            mode: Mode::Search,
            shape,
            careful: false,
            from: 0,
            deadline: u64::MAX,
            untaken: None,
            generators,
            space,
            list: &[],
        }
    }

    fn answer(&self, shape: &Shape, cells: &[u64]) -> Answer {
        let mut at = 0;
        let mut objects = Vec::new();
        for output in &shape.outputs {
            let values = output.types.iter().zip(&cells[at..]).map(|(ty, cell)| {
                match ty.expect("outputs of C functions should have types").decode(&[*cell]) {
                    Scalar::Int(int) => Value::Int(int),
                    Scalar::Float(float) => Value::Float(float),
                }
            });
            objects.push(Object { name: output.name.clone(), values: values.collect(), scalar: output.scalar });
            at += output.types.len();
        }
        Answer { objects }
    }
}

impl Engine for Native<'_> {
    fn search(&self, shape: usize, space: &Space, extent: Extent) -> Result<Search, EngineError> {
        let size = space.size(self.shape(shape).k);
        let part = if let Extent::Part(shard) = extent { Some(shard) } else { None };
        let shared = extent != Extent::First && (size >= WORTH_SHARING || part.is_some());
        let children = if shared { self.limits.jobs.max(1) } else { 1 };
        let untaken = match shared {
            false => None,
            true => {
                Some(all_rows(children, part).map_err(|error| format!("the children cannot share the rows: {error}"))?)
            }
        };
        self.limits.deadline.progress.count("tuples", u64::try_from(size).ok());
        let job = match &untaken {
            Some(rows) => Job { deadline: 0, untaken: Some(rows.path()), ..self.job(shape, space) },
            None => self.job(shape, space),
        };
        let found = AtomicBool::new(false);
        let results: Mutex<Vec<Result<Search, EngineError>>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let (found, results) = (&found, &results);
            for _ in 0..children {
                scope.spawn(move || {
                    let result = self.settle(job, found);
                    if matches!(&result, Ok(search) if search.found.is_some()) {
                        found.store(true, Ordering::Relaxed);
                    }
                    results.lock().unwrap_or_else(|p| p.into_inner()).push(result);
                });
            }
            // The children look at one flag; it is set when one of them found something, and when all shall stop.
            for round in 1.. {
                if results.lock().unwrap_or_else(|p| p.into_inner()).len() == children {
                    break;
                }
                if self.limits.deadline.is_over() {
                    found.store(true, Ordering::Relaxed);
                }
                if round % LOOKS == 0
                    && let Some(rows) = &untaken
                {
                    self.limits.deadline.progress.set(tuples_done(rows));
                }
                std::thread::sleep(LOOK);
            }
        });
        let mut joined = Search::default();
        for result in results.into_inner().unwrap_or_else(|p| p.into_inner()) {
            let search = result?;
            joined.tally = joined.tally.beside(search.tally);
            joined.stopped |= search.stopped;
            joined.lost = joined.lost.or(search.lost);
            joined.found = joined.found.or(search.found);
        }
        // Others were stopped because of what was found.
        joined.stopped &= joined.found.is_none();
        Ok(joined)
    }

    fn sample(&self, shape: usize, tuples: &[Vec<Scalar>], method: Method) -> Result<Search, EngineError> {
        let generators = method == Method::Generators;
        let job = Job { mode: Mode::Sample, list: tuples, generators, ..self.job(shape, &self.spaces[shape]) };
        let search = self.settle(job, &self.limits.deadline.cancel)?;
        self.limits.deadline.progress.add(search.tally.tuples);
        Ok(search)
    }

    fn alone(&self, shape: usize, input: &[Scalar]) -> Result<Result<Answer, Fault>, EngineError> {
        let list = [input.to_vec()];
        let job = Job { mode: Mode::Answer, list: &list, ..self.job(shape, &self.spaces[shape]) };
        // One call is made even if everything else shall stop: it completes what was found.
        let ended = self.run_for(self.limits.call * 12, &job, &AtomicBool::new(false))?;
        if ended.stopped || ended.stuck {
            return Ok(Err(Fault::Hung(self.limits.call)));
        }
        match ended.fault {
            Some(fault) => Ok(Err(fault)),
            None => {
                let mut cells = ended.answers;
                cells.resize(self.shape(shape).positions(), 0);
                Ok(Ok(self.answer(self.shape(shape), &cells)))
            }
        }
    }

    fn answers(&self, shape: usize, inputs: &[Vec<Scalar>]) -> Result<Vec<Option<Answer>>, EngineError> {
        let job = Job { mode: Mode::Answer, list: inputs, ..self.job(shape, &self.spaces[shape]) };
        let ended = self.run(&job, &self.limits.deadline.cancel)?;
        let positions = self.shape(shape).positions();
        let answered = (ended.page[CALLS] as usize).min(inputs.len());
        let mut cells = ended.answers;
        cells.resize(positions * inputs.len(), 0);
        let answer = |i: usize| self.answer(self.shape(shape), &cells[i * positions..][..positions]);
        Ok((0..inputs.len()).map(|i| (i < answered).then(|| answer(i))).collect())
    }

    fn reads_unwritten(&self) -> Option<String> {
        let text = every_call(self.problem, &self.spaces);
        self.watch?.why_not(self.files, self.unit, &text, self.limits.deadline)
    }
}

/// How often the children are looked at, and after how many looks it is told how far they are.
const LOOK: Duration = Duration::from_millis(2);
const LOOKS: u32 = 50;

/// The most that a child may leave in a file: answers of as many tuples as one child is asked about.
const MOST_LEFT: u64 = 1 << 30;

/// The name of the file from which children take rows.
const UNTAKEN: &str = "untaken";

/// A directory with that file, of which no row is taken and to which no child has come. A part has some of the rows.
fn all_rows(children: usize, part: Option<Shard>) -> std::io::Result<Scratch> {
    let scratch = Scratch::new("rows")?;
    let (number, parts) = part.map_or((0, 1), |shard| (u64::from(shard.index() - 1), u64::from(shard.of())));
    let words = [0, 0, children as u64, number, parts, 0];
    hand_over(&scratch.path().join(UNTAKEN), &words.map(u64::to_ne_bytes).concat())?;
    Ok(scratch)
}

/// The tuples that children have told of, in the last word of that file.
fn tuples_done(rows: &Scratch) -> u64 {
    let bytes = rows.read(UNTAKEN, 64).unwrap_or_default();
    bytes.last_chunk().map_or(0, |word| u64::from_ne_bytes(*word))
}

pub fn cell(value: &Scalar, ty: Option<ValueType>) -> u64 {
    let mut cells = Vec::with_capacity(1);
    match ty {
        Some(ty) => ty.encode(*value, &mut cells),
        None => cells.push(0),
    }
    cells[0]
}

fn tally(page: &[u64]) -> Tally {
    Tally {
        tuples: page[TUPLES],
        calls: page[CALLS],
        checks: page[CHECKS],
        elapsed: Duration::from_nanos(page[ELAPSED]),
        processor: Duration::from_nanos(page[PROCESSOR]),
    }
}

fn fault(ending: &Ending, stderr: &[u8], sanitize: bool) -> Fault {
    let said = String::from_utf8_lossy(stderr);
    if sanitize {
        // `file.c:3:14: runtime error: …` of one sanitizer, `ERROR: AddressSanitizer: …` of the other.
        let told = said.lines().find_map(|line| {
            let runtime = line
                .split_once("runtime error: ")
                .map(|(place, what)| format!("{what} at {}", place.trim_end_matches([':', ' '])));
            let address = || line.split_once("ERROR: AddressSanitizer: ").map(|(_, what)| what.to_string());
            runtime.or_else(address)
        });
        if let Some(told) = told {
            return Fault::Undefined(replay::same_in_every_run(&told));
        }
    }
    Fault::Crashed(match ending {
        Ending::Killed { signal } => match signal_name(*signal) {
            Some(name) => format!("it was ended by signal {signal} ({name})"),
            None => format!("it was ended by signal {signal}"),
        },
        Ending::Exited(status) => format!("it ended the process with status {status}"),
        Ending::Faulted(finding) => finding.message.clone(),
        Ending::Assumed { .. } => "an assumption of the program is false".to_string(),
        Ending::OutOfBudget { limit, .. } => format!("it used up its budget ({limit:?})").to_lowercase(),
        _ => "it ended in an unknown way".to_string(),
    })
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        4 => "illegal instruction",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic exception, such as division by zero",
        11 => "segmentation fault",
        _ => return None,
    })
}

pub fn describe(fault: &Fault) -> String {
    match fault {
        Fault::Crashed(how) => how.clone(),
        Fault::Hung(limit) => format!("it does not come back within {} s", limit.as_secs_f64()),
        Fault::Undefined(what) => format!("undefined behaviour: {what}"),
        Fault::Garbage(what) => what.clone(),
    }
}

fn wording(error: &CompileError) -> String {
    match error {
        CompileError::Refused { messages, .. } if messages.contains("--assume:") => {
            let lines: Vec<&str> = messages.lines().filter(|line| line.contains("error:")).collect();
            let text = lines.iter().filter_map(|l| l.split_once("error: ")).map(|(_, m)| m).collect::<Vec<_>>();
            format!("--assume is not a C expression over the parameters: {}", text.join("; "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_counts_as_we_do() {
        let runtime = include_str!("runtime.c");
        let lists: Vec<Vec<&str>> = runtime
            .split("enum {")
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap_or_default().split(',').map(str::trim).collect())
            .collect();
        let at = |list: usize, name: &str| lists[list].iter().position(|n| *n == format!("PLUMB_{name}"));
        for (name, number) in [
            ("STATE", STATE),
            ("ROW", ROW),
            ("TUPLES", TUPLES),
            ("CALLS", CALLS),
            ("CHECKS", CHECKS),
            ("ELAPSED", ELAPSED),
            ("DIGEST", DIGEST),
            ("PROCESSOR", PROCESSOR),
        ] {
            assert_eq!(at(0, name), Some(number), "{name}");
        }
        assert!(lists[0].contains(&format!("PLUMB_INPUT = {INPUT}").as_str()));
        for (name, number) in [("DONE", DONE), ("VIOLATED", VIOLATED), ("STUCK", STUCK)] {
            assert_eq!(at(1, name), Some(number as usize), "{name}");
        }
        let modes = [
            ("SEARCH", Mode::Search),
            ("SAMPLE", Mode::Sample),
            ("ANSWER", Mode::Answer),
            ("REPRESENT", Mode::Represent),
        ];
        for (name, mode) in modes {
            assert_eq!(at(2, name), Some(mode as usize), "{name}");
        }
    }
}
