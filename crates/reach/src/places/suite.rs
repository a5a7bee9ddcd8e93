//! A test suite that takes every branch that can be taken, and what is known about the others.
//!
//! Each input that the search finds is run at once on the compiled program with counters at all branches, so that one
//! test settles every branch it happens to take. Tests that add nothing to the others are left out at the end.
//!
//! A test says what the program should give, so its run must be defined: every input is run under the compiler's
//! sanitizers too, and in the VM where it takes numbers only. One with which something goes wrong is a [`Fault`], never
//! a test; the branches it came to before that count.

use super::driver;
use super::replayer::{Replayer, Wrong};
use super::{Config, Found, Hit, Spans, judge};
use exec::ValueType;
use exec::{Ending, Scalar};
use ir::{FunctionId, GlobalId, Program};
use std::collections::{BTreeSet, HashMap};
use symex::explore::{self, Client, Exploration, Given, GoalId, Loss, Lost, Met, Scenario, Witness};
use symex::targets::{self, Target};

/// What a test's run gave.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    Value(ValueType, Scalar),
    /// It returned nothing, or no number.
    Nothing,
    Exit(i32),
}

/// An input with which something goes wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    pub witness: Witness,
    pub wrong: Wrong,
}

#[derive(Clone, Debug)]
pub struct Test {
    pub witness: Witness,
    pub expected: Expected,
    pub stdout: Vec<u8>,
    /// The branches it takes, by number.
    pub takes: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
pub struct SuiteReport {
    /// Every branch, in the order of the text.
    pub branches: Vec<Found>,
    pub tests: Vec<Test>,
    /// Inputs with which something goes wrong, one for each thing that does.
    pub faults: Vec<Fault>,
    /// How many inputs were left out because the function reaches beyond what it was given.
    pub beyond_input: usize,
    pub search: Exploration,
}

/// Inputs for one branch that are tried before it is given up.
const ATTEMPTS: u32 = 12;

/// The branches of all functions that the entry can reach.
pub fn branches(program: &Program, entry: FunctionId) -> Vec<Target> {
    targets::branches(program, &targets::functions_in_reach(program, entry))
}

/// Makes a test suite for the branches of all functions that the entry can reach, or for one of them.
pub fn cover(program: &Program, entry: FunctionId, config: &Config) -> SuiteReport {
    let functions = targets::functions_in_reach(program, entry);
    let mut branches = targets::branches(program, &functions);
    if let Some(only) = config.branch {
        branches = branches.into_iter().skip(only).take(1).collect();
    }
    let marked = targets::mark(program, &branches);
    let replayer = Replayer::new(program, &marked.program, entry, &branches, config.sources.as_ref());
    let spans = Spans::new(&marked.program);
    let result =
        program.types.signature(program.functions[entry].ty).and_then(|s| ValueType::of(&program.types, s.result));
    let mut collector = Collector {
        program,
        replayer: &replayer,
        spans: &spans,
        result,
        hits: vec![None; branches.len()],
        tests: Vec::new(),
        faults: Vec::new(),
        known: HashMap::new(),
    };
    let scenario = Scenario::open_call(&marked.program, entry);
    let mut search = replayer
        .build_beside(|| explore::explore(&marked.program, &scenario, &marked.goals, &config.search, &mut collector));
    // Tests start from the initial values of globals, but what they do not take may be taken with others.
    if config.globals == ir::Globals::Any {
        let named: BTreeSet<GlobalId> = functions.iter().flat_map(|f| ir::named_globals(program, *f)).collect();
        for id in ir::open_globals(program, entry).intersection(&named) {
            let global = &program.globals[*id];
            search.losses.push(Lost { loss: Loss::Globals { name: global.name.clone() }, span: global.span });
        }
    }
    let Collector { hits, mut tests, mut faults, .. } = collector;
    reduce(&mut tests);
    let beyond_input = faults.iter().filter(|fault| fault.wrong.beyond_input).count();
    let mut told = BTreeSet::new();
    faults.retain(|fault| !fault.wrong.beyond_input && told.insert(fault.wrong.what.clone()));
    let judged = branches.iter().zip(hits).map(|(target, hit)| judge(program, entry, target, hit, &search, config));
    SuiteReport { branches: judged.collect(), tests, faults, beyond_input, search }
}

struct Collector<'a> {
    program: &'a Program,
    replayer: &'a Replayer<'a>,
    spans: &'a Spans,
    result: Option<ValueType>,
    hits: Vec<Option<Hit>>,
    tests: Vec<Test>,
    faults: Vec<Fault>,
    /// Inputs that were run, by their text: paths often share a witness.
    known: HashMap<String, Result<Ran, String>>,
}

/// What running an input came to.
#[derive(Clone)]
struct Ran {
    /// The branches it took, up to what went wrong.
    reached: BTreeSet<usize>,
    /// What went wrong.
    wrong: Option<String>,
}

impl Collector<'_> {
    fn run(&mut self, witness: &Witness) -> Result<Ran, String> {
        let text = driver::one_line(self.program, witness);
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        let outcome = self.replayer.checked(witness).map(|(replay, wrong)| {
            if let Some(wrong) = wrong {
                let what = Some(wrong.what.clone());
                self.faults.push(Fault { witness: witness.clone(), wrong });
                return Ran { reached: replay.reached, wrong: what };
            }
            let expected = match &replay.ending {
                Ending::Returned(Some(value)) => match self.result {
                    Some(ty) => Some(Expected::Value(ty, *value)),
                    None => Some(Expected::Nothing),
                },
                Ending::Returned(None) => Some(Expected::Nothing),
                Ending::Exited(status) => Some(Expected::Exit(*status)),
                _ => None,
            };
            if let Some(expected) = expected {
                self.tests.push(Test {
                    witness: witness.clone(),
                    expected,
                    stdout: replay.stdout,
                    takes: replay.reached.clone(),
                });
            }
            Ran { reached: replay.reached, wrong: None }
        });
        self.known.insert(text, outcome.clone());
        outcome
    }
}

impl Client for Collector<'_> {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        let number = met.goal.0 as usize;
        let attempts = self.hits[number].as_ref().map_or(0, |hit| hit.attempts) + 1;
        let path = self.spans.path(&met.path);
        let mut hit = Hit { witness: met.witness, path, replayed: false, confirmed: false, what: None, attempts };
        match self.run(&hit.witness) {
            Ok(Ran { reached, wrong }) => {
                let mut settled = Vec::new();
                let tested = wrong.is_none();
                for &other in &reached {
                    // A branch that only inputs take with which something goes wrong has no test yet.
                    let better = |known: &Hit| !known.confirmed || known.what.is_some() && tested;
                    if self.hits[other].as_ref().is_none_or(better) {
                        let what = wrong.as_ref().map(|what| format!("no test: then {what}"));
                        let confirmed = Hit { replayed: true, confirmed: true, what, ..hit.clone() };
                        self.hits[other] = Some(confirmed);
                    }
                    if let Some(known) = &mut self.hits[other] {
                        known.attempts = known.attempts.max(attempts);
                    }
                    if tested {
                        settled.push(GoalId(other as u32));
                    }
                }
                if !reached.contains(&number) && self.hits[number].as_ref().is_none_or(|known| !known.confirmed) {
                    hit.what = Some(match wrong {
                        Some(what) => format!("before the compiled program gets there with this input, {what}"),
                        None => "the compiled program does not go there with this input".to_string(),
                    });
                    self.hits[number] = Some(hit);
                }
                if attempts >= ATTEMPTS {
                    settled.push(met.goal);
                }
                settled
            }
            Err(why) => {
                hit.what = Some(why);
                self.hits[number] = Some(hit);
                if attempts >= ATTEMPTS { vec![met.goal] } else { Vec::new() }
            }
        }
    }
}

/// Leaves out tests whose branches others take: repeatedly the one that takes most of what is left is kept.
fn reduce(tests: &mut Vec<Test>) {
    let mut left: BTreeSet<usize> = tests.iter().flat_map(|test| test.takes.iter().copied()).collect();
    let mut keep = BTreeSet::new();
    while !left.is_empty() {
        let gain = |test: &Test| test.takes.intersection(&left).count();
        let best = (0..tests.len()).max_by_key(|k| (gain(&tests[*k]), std::cmp::Reverse(*k)));
        let Some(best) = best.filter(|k| gain(&tests[*k]) > 0) else { break };
        keep.insert(best);
        for branch in &tests[best].takes {
            left.remove(branch);
        }
    }
    // A program without branches has one test all the same.
    if keep.is_empty() && !tests.is_empty() {
        keep.insert(0);
    }
    let mut number = 0;
    tests.retain(|_| {
        number += 1;
        keep.contains(&(number - 1))
    });
}

/// The suite as comma-separated values: a column for each input, and `expected`; for whole programs `args`, `stdin`,
/// `exit` and `stdout`.
pub fn csv(program: &Program, entry: FunctionId, tests: &[Test]) -> String {
    let function = &program.functions[entry];
    let is_main = function.name == "main";
    let nondets = tests.iter().map(|test| test.witness.nondet.len()).max().unwrap_or(0);
    let reads = tests.iter().any(|test| !test.witness.stdin.is_empty());
    let mut header: Vec<String> = Vec::new();
    if is_main {
        header.push("args".to_string());
    } else {
        let names = tests.first().map(|test| test.witness.given.iter().map(|(name, _)| name.clone()));
        header.extend(names.into_iter().flatten());
    }
    header.extend((1..=nondets).map(|k| format!("nondet{k}")));
    if is_main || reads {
        header.push("stdin".to_string());
    }
    if is_main {
        header.extend(["exit".to_string(), "stdout".to_string()]);
    } else {
        header.push("expected".to_string());
    }
    let mut text = header.join(",") + "\n";
    for test in tests {
        let mut row: Vec<String> = Vec::new();
        if is_main {
            let args: Vec<String> = test.witness.args.iter().map(|arg| word(arg)).collect();
            row.push(cell(&args.join(" ")));
        } else {
            row.extend(test.witness.given.iter().map(|(_, given)| cell(&value(given))));
        }
        for k in 0..nondets {
            let value = test
                .witness
                .nondet
                .get(k)
                .map_or("0".to_string(), |(ty, value)| driver::shown(&Given::Scalar(*ty, *value)));
            row.push(value);
        }
        if is_main || reads {
            row.push(cell(&escaped(&test.witness.stdin)));
        }
        let expected = match &test.expected {
            Expected::Value(ty, value) => driver::shown(&Given::Scalar(*ty, *value)),
            Expected::Nothing => String::new(),
            Expected::Exit(status) => status.to_string(),
        };
        row.push(expected);
        if is_main {
            row.push(cell(&escaped(&test.stdout)));
        }
        text += &(row.join(",") + "\n");
    }
    text
}

/// An input as a cell: arrays as numbers with spaces between, strings as they are.
fn value(given: &Given) -> String {
    match given {
        Given::Text { bytes, .. } => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            escaped(&bytes[..end])
        }
        Given::Object { contents, .. } => value(contents),
        Given::Array(_, parts) => parts.iter().map(value).collect::<Vec<_>>().join(" "),
        other => driver::shown(other),
    }
}

/// Bytes on one line: `\n`, `\t`, `\r`, `\0` and `\\`, and `\xNN` for whatever else is no printable ASCII.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\r' => text += "\\r",
            0 => text += "\\0",
            b'\\' => text += "\\\\",
            0x20..=0x7e => text.push(byte.into()),
            other => text += &format!("\\x{other:02x}"),
        }
    }
    text
}

/// A word as a shell reads it back.
fn word(bytes: &[u8]) -> String {
    let text = escaped(bytes);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// A target's place, for the listing.
pub fn title(program: &Program, target: &Target) -> String {
    format!("{} {}", program.sources.describe(target.span), target.name)
}
