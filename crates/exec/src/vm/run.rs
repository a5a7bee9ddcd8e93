//! One run: from an input to how it ended.

use super::calls::scalar_value;
use super::continuation::{Passed, Policy};
use super::machine::{Clock, Machine};
use super::model::Argument;
use super::stop::Stop;
use super::threads::{Schedule, Threads};
use super::value::{Class, Value};
use crate::Scalar;
use crate::coverage::Coverage;
use crate::memory::{Address, Fault, ObjectKind};
use crate::outcome::{Budget, Ending, Input, Outcome};
use crate::snapshot::Snapshot;
use crate::trace::{Recorder, Trace};
use diagnostics::{Finding, Rule, Span};
use ir::{EntityRef, FunctionId, GlobalKind, TypeId};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a run should watch.
#[derive(Clone, Default)]
pub struct Options {
    /// Record which statements and branches are executed.
    pub coverage: bool,
    /// Record rows at trace points: made from [`Image::points`](super::Image::points).
    pub recorder: Option<Recorder>,
    /// The run stops soon after this becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
    /// What is done about findings; by default the first one ends the run.
    pub policy: Policy,
    /// Which heap objects are told that are left at the end, and with them files that are open still; none by default.
    pub leaks: Option<super::Leaks>,
    /// The schedule of threads; without one the run ends where a thread is made.
    pub schedule: Option<Schedule>,
}

/// A run with what was watched.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// If it was asked for.
    pub coverage: Option<Coverage>,
    /// If a recorder was given.
    pub trace: Option<Trace>,
    /// What arrays held at trace points, if the recorder keeps that.
    pub snapshots: Vec<Snapshot>,
    /// What was found before the end, where the run went on after findings.
    pub passed: Vec<Finding>,
    /// How often something was found that the policy suppresses.
    pub suppressed: u64,
    /// Whether there was more than one thread.
    pub threaded: bool,
}

/// How many calls a finding shows.
const SHOWN_CALLS: usize = 8;

/// What a program goes by where nobody says.
pub(crate) const PROGRAM: &str = "program";

impl<'p> Machine<'p> {
    /// Runs the program from the start of `entry`. Every run begins with fresh memory; nothing is left of earlier
    /// ones.
    pub fn run(&mut self, entry: FunctionId, input: &Input, budget: &Budget, options: Options) -> Run {
        self.begin(input, budget, options);
        let ending = match self.run_entry(entry, input) {
            Ok(ending) => ending,
            Err(stop) => self.ending(stop),
        };
        if let Ending::Exited(_) | Ending::Returned(_) = ending {
            let left = self.leftovers();
            self.pass_over(left);
        }
        let (stdout, stderr) = self.library.take_output();
        let (trace, snapshots) = self.recorder.take().map(Recorder::finish_with_arrays).unzip();
        Run {
            outcome: Outcome { ending, stdout, stderr, steps: self.clock.steps() },
            coverage: self.coverage.take(),
            trace,
            snapshots: snapshots.unwrap_or_default(),
            passed: std::mem::take(&mut self.passed.findings),
            suppressed: self.passed.suppressed,
            threaded: self.has_threads(),
        }
    }

    /// Forgets everything about earlier runs.
    pub(super) fn begin(&mut self, input: &Input, budget: &Budget, options: Options) {
        self.frames.clear();
        self.arguments.clear();
        self.variadics.clear();
        self.variadic_calls = 0;
        self.nondet.clone_from(&input.nondet);
        self.nondet_taken = 0;
        self.nesting = 0;
        self.landings.clear();
        self.landings_made = 0;
        self.bound.clear();
        self.leaks = options.leaks;
        self.allocations.clear();
        self.memory.reset(budget.memory);
        self.memory.set_lenient(self.image.has_packed_records());
        self.library = (self.image.library.start)(input, budget);
        self.coverage = options.coverage.then(|| Coverage::new(self.program()));
        self.recorder = options.recorder;
        self.policy = options.policy;
        self.passed = Passed::default();
        self.threads = Threads::start(options.schedule);
        self.clock = Clock::new(*budget, options.cancel);
    }

    fn run_entry(&mut self, entry: FunctionId, input: &Input) -> Result<Ending, Stop> {
        self.make_globals()?;
        let function = &self.program().functions[entry];
        if function.body.is_none() {
            return Err(Stop::unsupported(format!("`{}`, which has no definition", function.name)));
        }
        let is_main = function.name == "main";
        self.set_globals(&input.globals)?;
        let arguments = if is_main { self.main_arguments(entry, input)? } else { self.entry_arguments(entry, input)? };
        let result_type = self.types().signature(function.ty).expect("a function should have a function type").result;
        let value = match self.call(Address::of_function(entry.index() as u32), &arguments) {
            // The main thread ended before the others, and now the last of them has.
            Err(Stop::EndThread(_)) if is_main => Value::NONE,
            done => done?,
        };
        (self.image.library.leave)(self)?;
        if is_main {
            let status = if self.types().is_void(result_type) { 0 } else { value.as_i32() };
            return Ok(Ending::Exited(status & 255));
        }
        self.returned(result_type, value)
    }

    /// The end of a call that returned.
    pub(super) fn returned(&self, result_type: TypeId, value: Value) -> Result<Ending, Stop> {
        Ok(Ending::Returned(match Class::of(self.types(), result_type) {
            Some(Class::Int(kind)) => Some(Scalar::Int(value.as_int(kind))),
            Some(class @ Class::Float(_)) => {
                let double = Class::Float(ir::FloatKind::Double);
                Some(Scalar::Float(super::arithmetic::convert(class, double, value)?.as_double()))
            }
            Some(Class::Pointer) | None => None,
        }))
    }

    pub(super) fn make_globals(&mut self) -> Result<(), Stop> {
        let (program, image) = (self.program(), self.image);
        for (id, global) in &program.globals {
            let made = image.global(id);
            let kind = match global.kind {
                GlobalKind::StringLiteral => ObjectKind::StringLiteral,
                _ => ObjectKind::Global,
            };
            let is_const = global.is_const || global.kind == GlobalKind::StringLiteral;
            let address = self.memory.allocate(kind, made.size, made.align, is_const, &global.name, global.span)?;
            let is_in_order = made.object != id || address == image.address_of_global(id);
            debug_assert!(is_in_order, "globals should come first, in order");
            self.memory.zero_whole(address);
            self.memory.initialise(address, 0, &made.bytes);
        }
        for (id, global) in &program.globals {
            if image.global(id).external {
                self.library.object(&global.name, image.address_of_global(id), &mut self.memory)?;
            }
        }
        Ok(())
    }

    /// `argc`, `argv` and `envp`, as far as `main` takes them.
    fn main_arguments(&mut self, entry: FunctionId, input: &Input) -> Result<Vec<Argument>, Stop> {
        let function = &self.program().functions[entry];
        let types: Vec<_> = function.params.iter().map(|&param| function.locals[param].ty).collect();
        let name = input.name.as_deref().unwrap_or(PROGRAM);
        let mut strings = vec![self.memory.allocate_string(name.as_bytes(), false, "argv[0]")?];
        for arg in &input.args {
            strings.push(self.memory.allocate_string(arg.as_bytes(), false, "an element of argv")?);
        }
        let count = strings.len();
        let argv = self.memory.allocate_library((count as u64 + 1) * 8, "argv")?;
        for (i, string) in strings.into_iter().enumerate() {
            self.memory.store_pointer(argv.plus(i as u64 * 8), string)?;
        }
        let envp = self.memory.allocate_library(8, "envp")?;
        let values = [Value::signed(count as i64), Value::pointer(argv), Value::pointer(envp)];
        Ok(types.into_iter().zip(values).map(|(ty, value)| Argument { ty, value }).collect())
    }

    pub(super) fn parameters(&mut self, entry: FunctionId, input: &Input) -> Result<Vec<Argument>, Stop> {
        let function = &self.program().functions[entry];
        let mut arguments = Vec::new();
        for (i, &param) in function.params.iter().enumerate() {
            let ty = function.locals[param].ty;
            let class = match Class::of(self.types(), ty) {
                Some(class @ (Class::Int(_) | Class::Float(_))) => class,
                _ => {
                    let name = &function.locals[param].name;
                    let what = format!("the parameter `{name}` of the entry `{}`, which is no number", function.name);
                    return Err(Stop::Unsupported(what));
                }
            };
            let scalar = input.params.get(i).copied().unwrap_or(Scalar::Int(0));
            arguments.push(Argument { ty, value: scalar_value(class, scalar) });
        }
        Ok(arguments)
    }

    pub(super) fn ending(&self, stop: Stop) -> Ending {
        let span = self.span();
        match stop {
            Stop::Fault(fault) => Ending::Faulted(Box::new(self.finding(*fault, span))),
            Stop::Exit(status) => Ending::Exited(status & 255),
            Stop::Limit(limit) => Ending::OutOfBudget { limit, span },
            Stop::Unsupported(what) => Ending::Unsupported { what, span },
            Stop::Assumed(span) => Ending::Assumed { span },
            Stop::Interrupted => Ending::Interrupted,
            // Its landing is among the frames, so that one of the interpreters took it.
            Stop::Wait(_) | Stop::Switch => {
                Ending::Unsupported { what: String::from("a thread that waits outside of the program"), span }
            }
            // The last thread has ended, and the process with it.
            Stop::EndThread(_) => Ending::Exited(0),
            Stop::Jump(_) => Ending::Unsupported { what: String::from("a jump out of the program"), span },
        }
    }

    /// The fault with its place and the calls that led there.
    pub(super) fn finding(&self, fault: Fault, span: Span) -> Finding {
        let mut finding = Finding::new(fault.rule, span, fault.message);
        finding.notes = fault.notes;
        if finding.rule == Rule::NullDereference && finding.help.is_none() {
            finding.help = Some(String::from("check the pointer before it is used"));
        }
        for (depth, pair) in self.frames.windows(2).rev().enumerate() {
            if depth == SHOWN_CALLS {
                let more = self.frames.len() - 1 - SHOWN_CALLS;
                finding = finding.with_note(Span::NONE, format!("and {more} more calls"));
                break;
            }
            let (caller, callee) = (&pair[0], &pair[1]);
            let at = caller.code.spans[caller.pc.saturating_sub(1) as usize];
            let name = self.function_name(callee.code.function);
            finding = finding.with_note(at, format!("in a call of `{name}` made here"));
        }
        finding
    }
}
