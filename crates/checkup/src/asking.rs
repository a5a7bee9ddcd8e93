//! One question about one function, answered by the verb that knows.

use super::assumptions::{self, Assumption};
use super::judgement;
use super::place;
use super::programs::{COMPILER_TIME, Linked};
use super::report::{Answer, Class, Confirmation, Ended, Fact, Fault, Question, Reason, Remark};
use cfront::preprocess::Options;
use diagnostics::{Deadline, Finding, Rule, Span, Verdict};
use exec::vm::{Image, Machine};
use exec::{Budget, Ending, Input, Scalar};
use ir::{FunctionId, Outcome, StmtKind};
use reach::{Evidence, FoundFault};
use replay::Sources;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use symex::explore::{self, Bounds, Given, Loss, Witness};

/// So many runs show which relations may hold; with more of them they are also proved, where that can be.
pub(crate) const FEW_RUNS: u64 = 300;

/// Undefined runs of a question about relations that are run again.
const MOST_RUNS: usize = 3;

/// Steps of a run, on average.
const MOST_STEPS: u64 = 20_000;

/// What an answer about a function says of the variables that others may have changed before.
const INITIAL: &str = "variables that hold what they were initialised with when the function is called";

/// How deep a question is gone into.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Depth {
    /// Elements of arrays and characters of strings that are tried.
    pub(crate) size: u32,
    pub(crate) rounds_of_loops: u32,
    /// How many pointers lead from one object of the input to the next.
    pub(crate) pointers: u32,
    /// Calls inside calls.
    pub(crate) nesting: u32,
    /// Blocks that a search may enter.
    pub(crate) blocks: u64,
    /// The most time, should the bounds above not end it.
    pub(crate) time: Duration,
}

/// What is asked, of whom, and how much it may cost.
pub(crate) struct Asking<'a> {
    pub(crate) linked: &'a Linked,
    pub(crate) function: FunctionId,
    pub(crate) question: Question,
    pub(crate) depth: Depth,
    pub(crate) seed: u64,
    pub(crate) deadline: Instant,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) search_deadline: Instant,
    /// Raised earlier: what a search has found must be run yet.
    pub(crate) stop_search: Arc<AtomicBool>,
    pub(crate) assumptions: &'a [Assumption],
    /// Faults that are known already.
    pub(crate) known: &'a BTreeSet<(Rule, Span)>,
}

/// An answer, and the faults in it as the program knows them.
pub(crate) struct Answered {
    pub(crate) answer: Answer,
    pub(crate) spans: BTreeSet<(Rule, Span)>,
}

pub(crate) fn ask(asking: &Asking<'_>) -> Answered {
    let started = Instant::now();
    let mut answered = match asking.question {
        Question::Run => asking.run(),
        Question::Faults => asking.faults(),
        Question::Claims => asking.claims(),
        Question::Relations => asking.relations(),
        Question::Symmetries => asking.symmetries(),
    };
    answered.answer.elapsed_ms = started.elapsed().as_millis() as u64;
    answered
}

/// An answer that says nothing yet.
pub(crate) fn blank(linked: &Linked, function: FunctionId, question: Question) -> Answer {
    Answer {
        question,
        function: linked.name(function).to_string(),
        place: place(&linked.program.sources, linked.program.functions[function].span),
        ended: Ended::NotBegun,
        is_entry: linked.entries.contains(&function),
        faults: Vec::new(),
        facts: Vec::new(),
        reasons: Vec::new(),
        within: Vec::new(),
        elapsed_ms: 0,
        command: command(linked, function, question),
    }
}

impl Asking<'_> {
    fn blank(&self) -> Answered {
        Answered { answer: blank(self.linked, self.function, self.question), spans: BTreeSet::new() }
    }

    fn options(&self) -> Options {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Options { time_limit: left.clamp(Duration::from_millis(200), COMPILER_TIME), ..self.linked.options.clone() }
    }

    fn deadline(&self) -> Deadline {
        Deadline { at: Some(self.deadline), cancel: self.stop.clone(), ..Deadline::default() }
    }

    /// The program as it is, in the VM.
    fn run(&self) -> Answered {
        let mut answered = self.blank();
        let left = self.deadline.saturating_duration_since(Instant::now());
        let budget = Budget { steps: 50_000_000, time_ms: left.as_millis() as u64, ..Budget::default() };
        let image = Image::new(&self.linked.program, exec::libc::LIBRARY);
        let options = exec::vm::Options { cancel: Some(self.stop.clone()), ..Default::default() };
        let run = Machine::new(&image).run(self.function, &Input::default(), &budget, options);
        let answer = &mut answered.answer;
        answer.ended = Ended::Done;
        match run.outcome.ending {
            Ending::Faulted(finding) if finding.rule != Rule::Aborted => {
                let Finding { rule, span, message, notes, .. } = *finding;
                let witness = Witness::default();
                let fault =
                    FoundFault { rule, message, span, notes, witness, path: Vec::new(), evidence: Evidence::Vm };
                answer.faults.extend(self.fault(&fault));
                answered.spans.insert((rule, span));
            }
            Ending::Unsupported { what, .. } => {
                answer.ended = Ended::Open;
                answer.reasons.push(Reason::Construct { what });
            }
            Ending::OutOfBudget { .. } => {
                answer.ended = Ended::Open;
                answer.reasons.push(Reason::Bounds);
            }
            Ending::Interrupted => answer.ended = Ended::Time,
            _ => {}
        }
        answered
    }

    /// Everything that can go wrong, by symbolic execution and runs of the compiled program.
    fn faults(&self) -> Answered {
        let mut answered = self.blank();
        let size = self.depth.size;
        let bounds = Bounds { array: size, string: size, depth: self.depth.pointers, stdin: 4 * size, arguments: 2 };
        let search = explore::Config {
            bounds,
            max_loop: self.depth.rounds_of_loops,
            max_nesting: self.depth.nesting,
            max_blocks: self.depth.blocks,
            max_terms: 1_000_000,
            separate: true,
            seed: self.seed,
            stop: Some(self.stop_search.clone()),
            ..explore::Config::default()
        };
        let sources = Some(Sources { files: self.linked.files.clone(), options: self.options() });
        let config = reach::Config { search, sources, globals: ir::Globals::Initial, ..reach::Config::default() };
        let found = reach::faults(&self.linked.program, self.function, &config, self.known, Some(self.stop.clone()));
        let answer = &mut answered.answer;
        for fault in &found.faults {
            answer.faults.extend(self.fault(fault));
            if !matches!(fault.evidence, Evidence::Unconfirmed { .. }) {
                answered.spans.insert((fault.rule, fault.span));
            }
        }
        let mut within = BTreeSet::new();
        let mut reasons = BTreeSet::new();
        for lost in &found.search.losses {
            match self.bound(&lost.loss) {
                Some(bound) => _ = within.insert(bound),
                None => _ = reasons.insert(reason(self.linked, &lost.loss)),
            }
        }
        // What a search has found and there was no time to run is no answer yet.
        let is_cut = self.stop.load(Ordering::Relaxed);
        if is_cut && found.faults.iter().any(|fault| matches!(fault.evidence, Evidence::Unconfirmed { .. })) {
            reasons.insert(Reason::Time);
        }
        within.extend(self.assumed(&found.search));
        answer.within = within.into_iter().collect();
        answer.reasons = reasons.into_iter().collect();
        answer.ended = match () {
            () if answer.reasons.contains(&Reason::Interrupted) => Ended::Interrupted,
            () if answer.reasons.contains(&Reason::Time) => Ended::Time,
            () if !answer.reasons.is_empty() => Ended::Open,
            () if !answer.within.is_empty() => Ended::Within,
            () => Ended::Done,
        };
        answered
    }

    /// The bound that a loss stands for, where all that lies within it was looked at. What was given up at some place
    /// because it was too much is none: nobody could say which inputs were tried.
    fn bound(&self, loss: &Loss) -> Option<String> {
        let Depth { size, rounds_of_loops, pointers, .. } = self.depth;
        Some(match loss {
            Loss::Input { .. } => format!(
                "arrays of up to {size} elements, strings of up to {size} characters, and objects up to {pointers} pointers away"
            ),
            Loss::Loop { .. } => format!("up to {rounds_of_loops} rounds of a loop that inputs decide"),
            Loss::Stdin { bound } => format!("up to {bound} bytes of standard input"),
            Loss::Depth { bound } => format!("paths of up to {bound} decisions"),
            Loss::Nesting { bound } => format!("calls nested up to {bound} deep"),
            Loss::Allocation { bound } => format!("allocations of up to {bound} bytes where inputs decide their size"),
            Loss::Environment => "an empty environment".to_string(),
            Loss::Volatile => "volatile objects that only the program changes".to_string(),
            Loss::Callback { .. } => "functions of callers that return zero and change nothing".to_string(),
            Loss::Globals { .. } => INITIAL.to_string(),
            _ => return None,
        })
    }

    /// What a search assumed of all inputs.
    fn assumed(&self, search: &explore::Exploration) -> Vec<String> {
        let mut assumed: Vec<String> = search.assumptions.iter().map(|text| (*text).to_string()).collect();
        if !ir::open_globals(&self.linked.program, self.function).is_empty() {
            assumed.push(INITIAL.to_string());
        }
        if search.demanded.contains(&Rule::NullDereference) {
            assumed.push("pointers that are not null where the function follows them unasked".to_string());
        }
        if search.demanded.contains(&Rule::InvalidFree) {
            assumed.push("objects from `malloc` where the function frees them".to_string());
        }
        assumed
    }

    /// The assertions that the function reaches.
    fn claims(&self) -> Answered {
        let mut answered = self.blank();
        if let Some(refused) = self.refusal_of_floats() {
            refuse(&mut answered.answer, refused);
            return answered;
        }
        let deadline = self.deadline();
        let half = Instant::now() + self.deadline.saturating_duration_since(Instant::now()) / 2;
        let looking = infer::Config {
            seed: self.seed,
            request: observe::locations::Request { loops: true, ghosts: true, ..Default::default() },
            deadline: deadline.by(half),
            forms: infer::FormConfig { cancel: Some(deadline.cancel.clone()), ..Default::default() },
            ..infer::Config::default()
        };
        let sources = Some(Sources { files: self.linked.files.clone(), options: self.options() });
        let encoding = prove::Encoding { globals: ir::Globals::Any, ..prove::Encoding::default() };
        let config = prove::Config { infer: looking, encoding, sources, deadline, ..prove::Config::default() };
        let proved = match prove::prove(&self.linked.program, self.function, &config) {
            Ok(proved) => proved,
            Err(why) => {
                refuse(&mut answered.answer, Reason::Refused { why: why.into() });
                return answered;
            }
        };
        let answer = &mut answered.answer;
        answer.ended = Ended::Done;
        for property in &proved.properties {
            let place = place(&self.linked.program.sources, property.span);
            answer.facts.push(Fact {
                question: self.question,
                function: answer.function.clone(),
                location: place.as_ref().map(ToString::to_string).unwrap_or_default(),
                place,
                kind: property.kind.name().to_string(),
                text: property.text.clone(),
                verdict: property.verdict.name().to_string(),
            });
            match &property.verdict {
                Verdict::Unknown { why } => {
                    answer.ended = Ended::Open;
                    answer.reasons.push(Reason::Other { why: why.said.clone() });
                }
                Verdict::Refuted { witness } => {
                    let named = |(name, value): &(String, String)| format!("{name} = {value}");
                    let input = witness.inputs.iter().map(named).collect::<Vec<_>>().join(", ");
                    let is_start = self.linked.is_start(self.function);
                    let class = match (witness.replayed, is_start) {
                        (false, _) => Class::Suspicion,
                        (true, true) => Class::Bug,
                        (true, false) if answer.is_entry => Class::Precondition,
                        (true, false) => Class::Internal,
                    };
                    let message = format!("`{}` does not hold", property.text);
                    if let Some(mut fault) = self.described(Rule::AssertionFailed, property.span, message, class) {
                        fault.input = if input.is_empty() { "any input".to_string() } else { input };
                        fault.shown = if witness.replayed { Confirmation::Compiled } else { Confirmation::Nothing };
                        fault.command.clone_from(&answer.command);
                        answer.faults.push(fault);
                    }
                }
                _ => {}
            }
        }
        self.note_the_end(answer);
        answered
    }

    /// Relations among variables, seen in runs and proved where that is quick.
    fn relations(&self) -> Answered {
        let mut answered = self.blank();
        if let Some(refused) = self.refusal_of_floats() {
            refuse(&mut answered.answer, refused);
            return answered;
        }
        let deadline =
            Deadline { at: Some(self.search_deadline), cancel: self.stop_search.clone(), ..Deadline::default() };
        let runs = self.depth.blocks;
        let limits = infer::Limits { runs, total_steps: runs * MOST_STEPS, ..infer::Limits::default() };
        let looking = infer::Config {
            seed: self.seed,
            limits,
            deadline: deadline.clone(),
            forms: infer::FormConfig { cancel: Some(deadline.cancel.clone()), ..Default::default() },
            ..infer::Config::default()
        };
        let program = &self.linked.program;
        let found = if runs <= FEW_RUNS {
            infer::infer(program, self.function, &looking)
        } else {
            let config = prove::Config { infer: looking, deadline, ..prove::Config::default() };
            prove::refine(program, self.function, &config).map(|refined| refined.found)
        };
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                refuse(&mut answered.answer, Reason::Refused { why: why.into() });
                return answered;
            }
        };
        let is_over = Instant::now() >= self.search_deadline;
        self.undefined_runs(&found.preconditions, &mut answered);
        let answer = &mut answered.answer;
        // So many runs are a bound that the answer names, whatever there was no time for behind them.
        let is_bounded = if is_over { found.runs >= FEW_RUNS } else { runs <= FEW_RUNS };
        answer.ended = match (is_bounded, is_over) {
            (true, _) => Ended::Within,
            (false, true) => Ended::Time,
            (false, false) => Ended::Done,
        };
        answer.within.extend(is_bounded.then(|| format!("what {} runs show", found.runs)));
        answer.reasons.extend((answer.ended == Ended::Time).then_some(Reason::Time));
        for location in &found.locations {
            let place = location.location.span.and_then(|span| place(&self.linked.program.sources, span));
            let variables = &location.location.variables;
            let numbers = location
                .invariants
                .iter()
                .map(|invariant| (invariant.form, infer::text_of(&invariant.predicate, variables), &invariant.verdict));
            let arrays = location.arrays.iter().map(|found| (found.form(), found.text(), &found.relation.verdict));
            for (form, text, verdict) in numbers.chain(arrays) {
                answer.facts.push(Fact {
                    question: self.question,
                    function: answer.function.clone(),
                    location: location.location.name.clone(),
                    place: place.clone(),
                    kind: form.name().to_string(),
                    text,
                    verdict: verdict.name().to_string(),
                });
            }
        }
        if found.locations.iter().all(|location| location.visits == 0) {
            answer.ended = Ended::Open;
            answer.reasons.push(Reason::Other { why: "no run came to a place of interest".to_string() });
        }
        answered
    }

    /// What has gone wrong in runs that were made to see relations, and that nothing callers owe accounts for: their inputs are of another kind than those of a search,
    /// among them what functions of the project make.
    fn undefined_runs(&self, seen: &infer::Preconditions, answered: &mut Answered) {
        let unexplained = seen.unexplained.iter().map(|found| (&found.finding, &found.input));
        let function = &self.linked.program.functions[self.function];
        let name = |param: &ir::LocalId| function.locals[*param].name.clone();
        // What a search knows of with any objects may also happen to those that the project makes itself.
        let is_new = |finding: &Finding, witness: &Witness| {
            !self.known.contains(&(finding.rule, finding.span)) || witness.names_functions()
        };
        let witness = |input: &Input| Witness {
            given: function.params.iter().map(name).zip(input.arguments.iter().cloned()).collect(),
            globals: input.globals.clone(),
            stdin: input.stdin.clone(),
            ..Witness::default()
        };
        let runs = unexplained.map(|(finding, input)| (finding.clone(), witness(input)));
        let runs = runs.filter(|(finding, witness)| {
            finding.rule != Rule::Aborted && witness.given.len() == function.params.len() && is_new(finding, witness)
        });
        let runs: Vec<_> = runs.take(MOST_RUNS).collect();
        if runs.is_empty() {
            return;
        }
        let sources = Sources { files: self.linked.files.clone(), options: self.options() };
        let program = &self.linked.program;
        for fault in reach::faults_of_runs(program, self.function, Some(&sources), runs, Some(self.stop.clone())) {
            answered.answer.faults.extend(self.fault(&fault));
            answered.spans.insert((fault.rule, fault.span));
        }
    }

    fn symmetries(&self) -> Answered {
        let mut answered = self.blank();
        let options = self.options();
        let sources = Sources { files: self.linked.files.clone(), options };
        let found = symmetry::discover_in(&self.linked.program, self.function, &sources, &self.deadline(), self.seed);
        let answer = &mut answered.answer;
        match found {
            Ok(found) => {
                answer.ended = Ended::Done;
                for (text, verdict) in found {
                    answer.facts.push(Fact {
                        question: self.question,
                        function: answer.function.clone(),
                        location: answer.function.clone(),
                        place: answer.place.clone(),
                        kind: "symmetry".to_string(),
                        text,
                        verdict: verdict.to_string(),
                    });
                }
                self.note_the_end(answer);
            }
            // A build that is cut short refuses nothing.
            Err(_) if Instant::now() >= self.deadline => self.note_the_end(answer),
            Err(why) => refuse(answer, Reason::Refused { why: why.to_string() }),
        }
        answered
    }

    /// A search for relations can always have more to try; what was cut short says so.
    fn note_the_end(&self, answer: &mut Answer) {
        if Instant::now() >= self.deadline {
            answer.ended = Ended::Time;
            answer.reasons.push(Reason::Time);
        }
    }

    fn refusal_of_floats(&self) -> Option<Reason> {
        let flag = self.linked.float_flag.as_ref()?;
        Some(Reason::Refused { why: format!("`{flag}` changes what floating operations give, and has no model") })
    }

    /// A fault with everything that can be said of it; none for a place that is nowhere, or an input that callers do not give.
    fn fault(&self, found: &FoundFault) -> Option<Fault> {
        if !assumptions::allow(self.assumptions, self.linked.name(self.function), &found.witness) {
            return None;
        }
        let class = judgement::class(self.linked, self.function, found);
        let program = &self.linked.program;
        let sources = &program.sources;
        let mut fault = self.described(found.rule, found.span, found.message.clone(), class)?;
        fault.input = reach::one_line(program, &found.witness);
        fault.nulls = judgement::nulls(&found.witness);
        let remark = |span: Span, text: String| Remark { place: place(sources, span), text };
        fault.remarks = found.notes.iter().map(|note| remark(note.span, note.message.clone())).collect();
        fault.path = found.path.iter().map(|turn| remark(turn.span, went(turn.outcome))).collect();
        (fault.shown, fault.why) = match &found.evidence {
            Evidence::Compiled { .. } => (Confirmation::Compiled, None),
            Evidence::Vm => (Confirmation::Vm, None),
            Evidence::Unconfirmed { why } => (Confirmation::Nothing, Some(why.clone())),
        };
        fault.command = shows_again(self.linked, self.function, &found.witness);
        if class != Class::Suspicion {
            fault.test = self.test(&found.witness);
        }
        Some(fault)
    }

    /// What every fault has.
    fn described(&self, rule: Rule, span: Span, message: String, class: Class) -> Option<Fault> {
        let (program, sources) = (&self.linked.program, &self.linked.program.sources);
        let entry = &program.functions[self.function];
        let at = place(sources, span)?;
        let function = function_at(self.linked, span).unwrap_or_else(|| entry.name.clone());
        let line = sources.used(span).and_then(|region| sources.file(region.start.file).line(region.start.line));
        let fingerprint = fingerprint(rule, &at.file, &function, line.unwrap_or_default());
        Some(Fault {
            class,
            harm: judgement::harm(rule),
            shown: Confirmation::Nothing,
            rule: rule.id().to_string(),
            message,
            function,
            place: at,
            entry: entry.name.clone(),
            entry_place: place(sources, entry.span),
            input: String::new(),
            nulls: Vec::new(),
            remarks: Vec::new(),
            path: Vec::new(),
            command: String::new(),
            test: None,
            why: None,
            fingerprint,
        })
    }

    /// A C program that makes the call.
    fn test(&self, witness: &Witness) -> Option<String> {
        let program = &self.linked.program;
        let region = program.sources.used(program.functions[self.function].span)?;
        let source = &program.sources.file(region.start.file).path;
        let others: Vec<String> =
            self.linked.files.iter().map(|file| file.display().to_string()).filter(|file| file != source).collect();
        let test = reach::Test {
            witness: witness.clone(),
            expected: reach::Expected::Nothing,
            stdout: Vec::new(),
            takes: BTreeSet::new(),
        };
        Some(reach::replaying_program(program, self.function, source, &others, &[test]))
    }
}

/// What stays the same of a fault while lines above it come and go: its rule, its function, and how its line reads.
fn fingerprint(rule: Rule, file: &str, function: &str, line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut digest = Sha256::new();
    digest.update(format!("{} {file} {function} {}", rule.id(), words.join(" ")));
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn refuse(answer: &mut Answer, reason: Reason) {
    answer.ended = Ended::Refused;
    answer.reasons.push(reason);
}

fn went(outcome: Outcome) -> String {
    match outcome {
        Outcome::True => "taken".to_string(),
        Outcome::False => "not taken".to_string(),
        Outcome::Arm(index) => format!("case {}", index + 1),
        Outcome::Default => "default".to_string(),
    }
}

fn reason(linked: &Linked, loss: &Loss) -> Reason {
    match loss {
        Loss::External { name } => Reason::NoModel { name: name.clone(), is_system: is_system(linked, name) },
        Loss::Unsupported { what } => Reason::Construct { what: what.clone() },
        Loss::Order { what } => Reason::Other { why: format!("an order of evaluation that C leaves open: {what}") },
        Loss::Loop { .. }
        | Loss::Depth { .. }
        | Loss::Steps { .. }
        | Loss::Effort { .. }
        | Loss::Nesting { .. }
        | Loss::Values
        | Loss::Input { .. }
        | Loss::Globals { .. }
        | Loss::Stdin { .. }
        | Loss::Callback { .. }
        | Loss::Allocation { .. }
        | Loss::Memory => Reason::Bounds,
        Loss::Solver => Reason::Solver,
        Loss::Aliasing => Reason::Aliasing,
        Loss::Environment | Loss::Volatile | Loss::Addresses => Reason::Surroundings,
        Loss::Time => Reason::Time,
        Loss::Interrupted => Reason::Interrupted,
    }
}

/// Whether a function is declared in a header of the system, or by nobody.
fn is_system(linked: &Linked, name: &str) -> bool {
    let program = &linked.program;
    let region = program.find_function(name).and_then(|id| program.sources.used(program.functions[id].span));
    region.is_none_or(|region| program.sources.file(region.start.file).system)
}

/// The function whose text a span stands in: the one whose name stands last before it in the same unit.
fn function_at(linked: &Linked, span: Span) -> Option<String> {
    let functions = linked.program.defined_functions().map(|(_, function, _)| function);
    let before = functions.filter(|function| function.span.lo <= span.lo);
    before.max_by_key(|function| function.span.lo).map(|function| function.name.clone())
}

/// Whether the functions that an entry reaches claim anything.
pub(crate) fn reaches_claims(linked: &Linked, entry: FunctionId) -> bool {
    let mut found = false;
    for id in linked.graph.reachable(entry).into_iter().chain([entry]) {
        if let Some(body) = &linked.program.functions[id].body {
            body.walk(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Assert { .. }));
        }
    }
    found
}

/// The command line that asks a question alone.
pub(crate) fn command(linked: &Linked, function: FunctionId, question: Question) -> String {
    let mut words = vec!["plumb".to_string(), question.verb().to_string()];
    words.extend(linked.files.iter().map(|file| file.display().to_string()));
    words.extend(["--entry".to_string(), linked.name(function).to_string()]);
    match question {
        Question::Faults => words.extend(["--target", "error"].map(String::from)),
        Question::Symmetries => words.push("--discover".to_string()),
        Question::Run | Question::Claims | Question::Relations => {}
    }
    flags(linked, question == Question::Run, &mut words);
    shell(&words)
}

fn flags(linked: &Linked, is_run: bool, words: &mut Vec<String>) {
    let flags = &linked.options.flags;
    if flags.is_empty() {
        return;
    }
    if is_run {
        // What follows `--` are the arguments of a program that is run.
        words.push(format!("--cflags={}", shell(flags)));
    } else {
        words.push("--".to_string());
        words.extend(flags.iter().cloned());
    }
}

fn shell(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// A command that shows a fault again: a run with the input where one can be given on a command line, else the search.
fn shows_again(linked: &Linked, entry: FunctionId, witness: &Witness) -> String {
    let mut words = vec!["plumb".to_string(), "run".to_string()];
    words.extend(linked.files.iter().map(|file| file.display().to_string()));
    flags(linked, true, &mut words);
    if linked.name(entry) == "main" && witness.nondet.is_empty() && witness.globals.is_empty() {
        let args: Option<Vec<String>> = witness.args.iter().cloned().map(|arg| String::from_utf8(arg).ok()).collect();
        if let Some(args) = args {
            words.extend((!args.is_empty()).then(|| "--".to_string()));
            words.extend(args);
            let run = shell(&words);
            return match witness.stdin.is_empty() {
                true => run,
                false => format!("printf '{}' | {run}", octal(&witness.stdin)),
            };
        }
    }
    let number = |given: &Given| match given {
        Given::Scalar(_, Scalar::Int(value)) => Some(value.to_string()),
        Given::Scalar(_, Scalar::Float(value)) if value.is_finite() => Some(format!("{value:?}")),
        _ => None,
    };
    let numbers: Option<Vec<String>> = witness.given.iter().map(|(_, given)| number(given)).collect();
    match numbers {
        Some(numbers) if witness.globals.is_empty() && witness.nondet.is_empty() && linked.name(entry) != "main" => {
            words.extend(["--entry".to_string(), linked.name(entry).to_string()]);
            words.extend((!numbers.is_empty()).then(|| "--".to_string()));
            words.extend(numbers);
            shell(&words)
        }
        _ => command(linked, entry, Question::Faults),
    }
}

/// Bytes for `printf`, which reads octal escapes everywhere.
fn octal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\\' | b'\'' | b'%' => text += &format!("\\{byte:03o}"),
            0x20..=0x7e => text.push(byte.into()),
            b'\n' => text += "\\n",
            other => text += &format!("\\{other:03o}"),
        }
    }
    text.replace('%', "%%")
}
