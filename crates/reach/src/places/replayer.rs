//! Does the compiled program really go there with these inputs?
//!
//! The user's own text is compiled with counters at the targets and around the conditions, and run with the input. Where
//! no counter can stand (inside a macro, in a header) the VM says which way the run goes, and counts only if the
//! compiled program ends the same way. Undefined behaviour is looked for with the compiler's sanitizers, and with the
//! VM where those are blind.

use cfront::probe::Position;
use diagnostics::{Finding, Rule, Span};
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Outcome, Recorder, Scalar};
use ir::{FunctionId, GlobalId, GlobalKind, Program, StmtId, StmtKind};
use symex::targets::{Kind, Target, arm_values, point_name};

use replay::{Binary, Conditions, Marks, Sources, Unmarked};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use symex::explore::{Given, Witness};

/// A run of the compiled program.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The targets it came to, by number.
    pub reached: BTreeSet<usize>,
    pub ending: Ending,
    pub stdout: Vec<u8>,
}

/// What goes wrong in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    pub what: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// The compiled program showed it.
    pub natively: bool,
    /// The function reaches beyond an object that it was given: its callers owe it a larger one.
    pub beyond_input: bool,
    /// The file names and lines at which the run was when it went wrong, the innermost call first; empty if unknown.
    pub places: Vec<(String, u32)>,
    /// What kind of object was left, or used after its end.
    pub object: Option<ObjectKind>,
}

/// Whose an object is, as the address sanitizer tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    /// Allocated by the program itself.
    Heap,
    Stack,
    Global,
    /// Given to the entry.
    Input,
}

/// Runs longer than this are none.
const BUDGET: Budget = Budget { steps: 20_000_000, memory: 1 << 28, depth: 5_000, output: 1 << 20, time_ms: 5_000 };

const SIGABRT: i32 = 6;

pub struct Replayer<'a> {
    /// The program as it was given, whose statements the targets name.
    program: &'a Program,
    /// The same with the targets marked.
    marked: &'a Program,
    entry: FunctionId,
    targets: &'a [Target],
    sources: Option<&'a Sources>,
    build: OnceLock<Result<Build, String>>,
    sanitized: OnceLock<Option<Build>>,
    /// Runs and builds end soon after this is raised.
    cancel: Option<Arc<AtomicBool>>,
}

struct Build {
    binary: Binary,
    unmarked: Unmarked,
    plan: Plan,
}

/// The values from one number to another that an arm of a `switch` stands for.
type Values = (i128, i128);

/// Which counter tells about which target.
#[derive(Clone, Default)]
struct Plan {
    marks: Marks,
    /// Target and its counter.
    counted: Vec<(usize, usize)>,
    /// Target, number among the outcomes, and which of the two.
    outcomes: Vec<(usize, usize, bool)>,
    /// Target, number among the switches, and the values that lead there; none for all others.
    selected: Vec<(usize, usize, Option<Values>)>,
    /// The arms of each switch.
    arms: Vec<Vec<Values>>,
}

impl<'a> Replayer<'a> {
    pub fn new(
        program: &'a Program,
        marked: &'a Program,
        entry: FunctionId,
        targets: &'a [Target],
        sources: Option<&'a Sources>,
    ) -> Replayer<'a> {
        let (build, sanitized) = (OnceLock::new(), OnceLock::new());
        Replayer { program, marked, entry, targets, sources, build, sanitized, cancel: None }
    }

    /// The same with a flag that ends runs and builds.
    pub fn cancelled_by(self, cancel: Option<Arc<AtomicBool>>) -> Replayer<'a> {
        Replayer { cancel, ..self }
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions { cancel: self.cancel.as_deref(), ..Conditions::default() }
    }

    /// Compiles a program, or a part of one: a run that calls what is not there ends.
    fn compile_part(&self, mut recipe: replay::Recipe) -> Result<Binary, String> {
        let cancel = self.cancel.as_deref();
        let refused = match replay::compile(&recipe, cancel) {
            Ok(binary) => return Ok(binary),
            Err(refused) => refused,
        };
        let undefined = refused.undefined();
        // Without optimisation an inline function may be lost.
        let is_lost = |name: &String| self.program.defined_functions().any(|(_, function, _)| function.name == *name);
        if recipe.unoptimized && undefined.iter().any(is_lost) {
            recipe.unoptimized = false;
            return self.compile_part(recipe);
        }
        let is_variable =
            |name: &String| self.program.globals.values().any(|global| global.name == *name && global.init.is_none());
        (recipe.missing_variables, recipe.missing) = undefined.into_iter().partition(is_variable);
        // An inline function may have no definition to call.
        let lacks_entry = recipe.entry.as_ref().is_some_and(|entry| recipe.missing.contains(&entry.name));
        if recipe.missing.is_empty() && recipe.missing_variables.is_empty() || lacks_entry {
            return Err(refused.to_string());
        }
        replay::compile(&recipe, cancel).map_err(|_| refused.to_string())
    }

    /// Compiles the program, which may be done ahead of the first replay.
    pub fn build(&self) -> Result<(), String> {
        self.compiled().map(|_| ())
    }

    /// Compiles the program while a search goes on: most of the time of a small program is the compiler's. Without a thread for it,
    /// it is compiled when the first input is there.
    pub fn build_beside<R>(&self, search: impl FnOnce() -> R) -> R {
        if self.sources.is_none() {
            return search();
        }
        std::thread::scope(|scope| {
            let build = std::thread::Builder::new().spawn_scoped(scope, || self.build());
            let found = search();
            // The panic of a thread that nobody asks about would lose its words.
            if let Some(Err(panic)) = build.ok().map(|build| build.join()) {
                std::panic::resume_unwind(panic);
            }
            found
        })
    }

    fn compiled(&self) -> Result<&Build, String> {
        self.build.get_or_init(|| self.make(false)).as_ref().map_err(Clone::clone)
    }

    /// The program with the compiler's sanitizers, if it has them.
    fn sanitized(&self) -> Option<&Build> {
        self.sanitized.get_or_init(|| self.make(true).ok()).as_ref()
    }

    fn make(&self, sanitize: bool) -> Result<Build, String> {
        let sources = self.sources.ok_or("there is no source to compile")?;
        let mut plan = self.plan()?;
        let compile = |marks: &Marks| {
            let (files, options) = (&sources.files, &sources.options);
            let (mut prepared, unmarked) = replay::prepare_marked(self.program, files, options, self.entry, &[], marks)
                .map_err(|why| why.to_string())?;
            (prepared.recipe.sanitize, prepared.recipe.unoptimized) = (sanitize, sanitize);
            Ok::<_, String>((self.compile_part(prepared.recipe)?, unmarked))
        };
        let (binary, unmarked) = match compile(&plan.marks) {
            // The unit of the entry may not see a global of another one; then globals stay as they are.
            Err(_) if !plan.marks.globals.is_empty() => {
                plan.marks.globals.clear();
                compile(&plan.marks)?
            }
            compiled => compiled?,
        };
        Ok(Build { binary, unmarked, plan })
    }

    fn plan(&self) -> Result<Plan, String> {
        let mut plan = Plan::default();
        let mut statements: HashMap<(FunctionId, StmtId), Vec<Values>> = HashMap::new();
        for (id, _, body) in self.program.defined_functions() {
            body.walk(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Switch { .. }) {
                    statements.insert((id, stmt.id), arm_values(stmt));
                }
            });
        }
        let mut known: HashMap<Span, usize> = HashMap::new();
        for (number, target) in self.targets.iter().enumerate() {
            match (&target.kind, target.at) {
                (Kind::Place | Kind::Claim(_), _) => {
                    plan.counted.push((number, plan.marks.counted.len()));
                    plan.marks.counted.push(Position::Before(target.span));
                }
                (Kind::Branch(outcome), Some(at)) => match (outcome, statements.get(&at)) {
                    (ir::Outcome::True | ir::Outcome::False, _) => {
                        let outcomes = &mut plan.marks.outcomes;
                        let place = *known.entry(target.span).or_insert_with(|| {
                            outcomes.push(target.span);
                            outcomes.len() - 1
                        });
                        plan.outcomes.push((number, place, *outcome == ir::Outcome::True));
                    }
                    (outcome, Some(arms)) => {
                        let selected = &mut plan.marks.selected;
                        let place = *known.entry(target.span).or_insert_with(|| {
                            selected.push(target.span);
                            plan.arms.push(arms.clone());
                            selected.len() - 1
                        });
                        let values = match outcome {
                            ir::Outcome::Arm(index) => Some(arms[*index as usize]),
                            _ => None,
                        };
                        plan.selected.push((number, place, values));
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        plan.marks.arguments = self.arguments()?;
        if plan.marks.arguments.is_some() {
            plan.marks.globals = self.globals().into_iter().map(|id| self.program.globals[id].name.clone()).collect();
        }
        Ok(plan)
    }

    /// The globals that a replay sets: those that the driver can name. A `static` variable of a function keeps its
    /// initial value.
    fn globals(&self) -> Vec<GlobalId> {
        let is_named = |id: &GlobalId| {
            let global = &self.program.globals[*id];
            let others = self.program.globals.values().filter(|other| other.name == global.name).count();
            global.kind == GlobalKind::Variable && global.init.is_some() && others == 1
        };
        ir::open_globals(self.program, self.entry).into_iter().filter(is_named).collect()
    }

    /// The arguments of the entry's call, if it takes more than numbers or globals are set before it.
    fn arguments(&self) -> Result<Option<Vec<String>>, String> {
        let function = &self.program.functions[self.entry];
        let types = &self.program.types;
        let is_number = |ty| types.is_arithmetic(ty);
        let takes_numbers = function.params.iter().all(|param| is_number(function.locals[*param].ty));
        if function.name == "main" || takes_numbers && self.globals().is_empty() {
            return Ok(None);
        }
        replay::argument_expressions(self.program, self.entry).map(Some)
    }

    /// The numbers that the compiled entry reads its arguments from.
    fn input(&self, witness: &Witness, sets_globals: bool) -> Result<Input, String> {
        let mut params = Vec::new();
        for (_, given) in &witness.given {
            given.encode(&mut params)?;
        }
        if sets_globals {
            for id in self.globals() {
                let size = self.program.types.size_of(self.program.globals[id].ty).unwrap_or(0);
                let given = witness.globals.iter().find(|(known, _)| *known == id).map(|(_, given)| given.clone());
                match given {
                    Some(contents) => Given::Object { size, contents: Box::new(contents) }.encode(&mut params)?,
                    None => params.push(Scalar::Int(0)),
                }
            }
        }
        let name = witness.name.clone().map(String::from_utf8).transpose();
        let name = name.map_err(|_| "the name of the program is no text in UTF-8".to_string())?;
        let args: Result<Vec<String>, _> = witness.args.iter().cloned().map(String::from_utf8).collect();
        let args = args.map_err(|_| "an argument of the program is no text in UTF-8".to_string())?;
        let nondet = witness.nondet.iter().map(|(_, value)| *value).collect();
        Ok(Input { name, args, stdin: witness.stdin.clone(), params, nondet, ..Input::default() })
    }

    /// An error is an input that no run can be given.
    fn run(&self, build: &Build, witness: &Witness) -> Result<std::io::Result<replay::Run>, String> {
        let input = self.input(witness, !build.plan.marks.globals.is_empty())?;
        Ok(build.binary.run(&input, &BUDGET, &self.conditions()))
    }

    /// Runs the compiled program. An error says why that cannot be done.
    pub fn replay(&self, witness: &Witness) -> Result<Replay, String> {
        let build = self.compiled()?;
        let run = self.run(build, witness)?.map_err(|error| format!("the compiled program cannot be run: {error}"))?;
        let ending = run.outcome.ending.clone();
        if matches!(ending, Ending::Assumed { .. }) {
            return Ok(Replay { reached: BTreeSet::new(), ending, stdout: run.outcome.stdout });
        }
        let mut reached = self.passed(build, &run);
        self.fill_in(build, witness, &run.outcome, &mut reached);
        Ok(Replay { reached, ending, stdout: run.outcome.stdout })
    }

    /// As [`Replayer::replay`], and whether something goes wrong; then only what comes before that counts as reached.
    pub fn checked(&self, witness: &Witness) -> Result<(Replay, Option<Wrong>), String> {
        let replay = self.replay(witness)?;
        if matches!(replay.ending, Ending::Assumed { .. }) {
            return Ok((replay, None));
        }
        let Some(wrong) = self.goes_wrong(witness)? else { return Ok((replay, None)) };
        let mut before = Replay { reached: BTreeSet::new(), ..replay };
        let broken = matches!(wrong.rule, Rule::AssertionFailed | Rule::Aborted);
        match self.sanitized() {
            // The sanitized program stops at the first thing that is undefined.
            Some(build) if wrong.natively => {
                if let Ok(run) = self.run(build, witness)? {
                    before.reached = self.passed(build, &run);
                }
            }
            _ if broken => before.reached = self.replay(witness)?.reached,
            _ => {}
        }
        Ok((before, Some(wrong)))
    }

    /// The targets whose counters tell that a run came there.
    fn passed(&self, build: &Build, run: &replay::Run) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let (plan, ending) = (&build.plan, &run.outcome.ending);
        let passed = |counter: usize| run.counters.get(counter).is_some_and(|count| *count > 0);
        for &(target, counter) in &plan.counted {
            let comes_by = passed(counter);
            let is_there = match self.targets[target].kind {
                Kind::Claim(_) => comes_by && self.breaks(ending, target),
                _ => comes_by,
            };
            if is_there {
                reached.insert(target);
            }
        }
        let outcomes = plan.marks.counted.len();
        for &(target, place, side) in &plan.outcomes {
            if passed(outcomes + 2 * place + usize::from(side)) {
                reached.insert(target);
            }
        }
        for (place, arms) in plan.arms.iter().enumerate() {
            let name = format!("switch {place}");
            let Some((_, point)) = run.trace.points().find(|(_, point)| point.name() == name) else { continue };
            for row in point.rows() {
                let Some(Scalar::Int(value)) = row.values().next() else { continue };
                let matches = |(low, high): (i128, i128)| (low..=high).contains(&value);
                for &(target, at, values) in &plan.selected {
                    let taken = values.map_or_else(|| !arms.iter().any(|arm| matches(*arm)), matches);
                    if at == place && taken {
                        reached.insert(target);
                    }
                }
            }
        }
        reached
    }

    /// Whether a run that came by a claim ended there.
    fn breaks(&self, ending: &Ending, target: usize) -> bool {
        let line = self.program.sources.used(self.targets[target].span).map(|region| region.start.line);
        match ending {
            // The message of `assert` names the line.
            Ending::Faulted(finding) if finding.rule == Rule::AssertionFailed => {
                let named = finding.message.split(':').nth(1).and_then(|text| text.trim().parse::<u32>().ok());
                named.is_none() || named == line
            }
            Ending::Killed { signal } => *signal == SIGABRT,
            _ => false,
        }
    }

    /// Targets without a counter: the VM tells, if it sees the run end as the compiled program did.
    fn fill_in(&self, build: &Build, witness: &Witness, native: &Outcome, reached: &mut BTreeSet<usize>) {
        let Unmarked { counted, outcomes, selected } = &build.unmarked;
        if counted.is_empty() && outcomes.is_empty() && selected.is_empty() {
            return;
        }
        let Some((outcome, points, coverage)) = self.in_vm(witness) else { return };
        let same = match (&outcome.ending, &native.ending) {
            (Ending::Faulted(a), Ending::Faulted(b)) => a.rule == b.rule,
            (Ending::Faulted(a), Ending::Killed { signal }) => {
                matches!(a.rule, Rule::Aborted | Rule::AssertionFailed) && *signal == SIGABRT
            }
            (a, b) => a == b,
        };
        if !same || outcome.stdout != native.stdout {
            return;
        }
        for &(target, counter) in &build.plan.counted {
            if counted.contains(&counter) && points.contains(&point_name(target)) {
                reached.insert(target);
            }
            if let (true, Kind::Claim(_), Ending::Faulted(finding)) =
                (counted.contains(&counter), &self.targets[target].kind, &outcome.ending)
            {
                let line = |span| self.program.sources.used(span).map(|region| (region.start.file, region.start.line));
                if finding.rule == Rule::AssertionFailed && line(finding.span) == line(self.targets[target].span) {
                    reached.insert(target);
                }
            }
        }
        for &(target, place, side) in &build.plan.outcomes {
            if outcomes.contains(&place)
                && let Some((function, stmt)) = self.targets[target].at
                && coverage.went(function, stmt, side)
            {
                reached.insert(target);
            }
        }
    }

    /// The input as the VM takes it: objects as they are, not as numbers.
    fn vm_input(&self, witness: &Witness) -> Result<Input, String> {
        let function = &self.program.functions[self.entry];
        let is_number = |param: &ir::LocalId| self.program.types.is_arithmetic(function.locals[*param].ty);
        if witness.globals.is_empty() && (function.name == "main" || function.params.iter().all(is_number)) {
            return self.input(witness, false);
        }
        Ok(Input {
            stdin: witness.stdin.clone(),
            arguments: witness.given.iter().map(|(_, given)| given.clone()).collect(),
            globals: witness.globals.clone(),
            nondet: witness.nondet.iter().map(|(_, value)| *value).collect(),
            ..Input::default()
        })
    }

    /// A run in the VM: how it ended, the marks it passed, and its coverage.
    fn in_vm(&self, witness: &Witness) -> Option<(Outcome, BTreeSet<String>, exec::coverage::Coverage)> {
        let input = &self.vm_input(witness).ok()?;
        let image = Image::new(self.marked, exec::libc::LIBRARY);
        let options =
            Options { coverage: true, recorder: Some(Recorder::new(image.points().clone())), ..Options::default() };
        let run = Machine::new(&image).run(self.entry, input, &BUDGET, options);
        if matches!(run.outcome.ending, Ending::Unsupported { .. } | Ending::OutOfBudget { .. }) {
            return None;
        }
        let trace = run.trace?;
        let passed = trace.points().filter(|(_, point)| point.rows().next().is_some());
        let points = passed.map(|(_, point)| point.name().to_string()).collect();
        Some((run.outcome, points, run.coverage?))
    }

    /// Whether something goes wrong with this input, and what.
    pub fn goes_wrong(&self, witness: &Witness) -> Result<Option<Wrong>, String> {
        let run = |build: &Build| Ok::<_, String>(self.run(build, witness)?.ok().map(|run| run.outcome));
        let wrong = |what: String, rule: Rule, said: &str| {
            let beyond_input = self.is_beyond_input(witness, said);
            let places = if said.is_empty() { place_in_message(&what) } else { places_in_trace(said) };
            Ok(Some(Wrong { what, rule, natively: true, beyond_input, places, object: object_kind(said) }))
        };
        let ended = |signal: i32, said: &str| {
            let rule = if signal == SIGABRT { Rule::Aborted } else { Rule::Crashed };
            wrong(format!("the program is ended by signal {signal}"), rule, said)
        };
        let is_made = witness.names_functions();
        let sanitized = match is_made {
            true => self.run_in_c(witness),
            false => self.sanitized().map(run).transpose()?.flatten(),
        };
        if let Some(outcome) = sanitized {
            let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
            let what = said.lines().find(|line| line.contains("runtime error") || line.contains("ERROR")).map(|line| {
                let text = line.split("runtime error:").nth(1).or_else(|| line.split("AddressSanitizer:").nth(1));
                replay::same_in_every_run(text.unwrap_or(line).trim())
            });
            match (outcome.ending, what) {
                (Ending::Faulted(finding), None) => return wrong(finding.message.clone(), finding.rule, ""),
                (_, Some(what)) => return wrong(what, Rule::Sanitizer, &said),
                (Ending::Killed { signal }, None) => return ended(signal, &said),
                _ => {}
            }
        }
        let compiled = if is_made { None } else { run(self.compiled()?)? };
        match compiled.map(|outcome| outcome.ending) {
            Some(Ending::Faulted(finding)) => return wrong(finding.message.clone(), finding.rule, ""),
            Some(Ending::Killed { signal }) => return ended(signal, ""),
            _ => {}
        }
        // The VM watches more than sanitizers do: values that were never written.
        if let Some((outcome, _, _)) = self.in_vm(witness)
            && let Ending::Faulted(finding) = outcome.ending
        {
            let Finding { message, rule, span, .. } = *finding;
            let leaves = matches!(rule, Rule::OutOfBounds | Rule::NullDereference | Rule::InvalidPointer);
            let has_objects = witness.given.iter().any(|(_, given)| !matches!(given, Given::Scalar(..)));
            let beyond_input = leaves && has_objects && self.program.functions[self.entry].name != "main";
            let region = self.program.sources.used(span);
            let place = |region: diagnostics::Region| {
                (file_name(&self.program.sources.file(region.start.file).path), region.start.line)
            };
            let places = region.map(place).into_iter().collect();
            return Ok(Some(Wrong { what: message, rule, natively: false, beyond_input, places, object: None }));
        }
        Ok(None)
    }

    /// A run with sanitizers of a program that makes its input by C of its own: what functions of the program make is no
    /// list of numbers. None where that is no C.
    fn run_in_c(&self, witness: &Witness) -> Option<Outcome> {
        let (program, sources) = (self.program, self.sources?);
        let function = &program.functions[self.entry];
        let made = witness.given.iter().zip(&function.params).enumerate().map(|(k, ((_, given), param))| {
            let ty = ir::c_type(program, Some(function), function.locals[*param].ty);
            let mut before = String::new();
            let value = observe::inputs::c::argument(given, &ty, &format!("{MADE}{k}"), &mut before);
            format!("__extension__ ({{ {} {value}; }})", before.replace('\n', " "))
        });
        let marks = Marks { arguments: Some(made.collect()), ..Marks::default() };
        let (files, options) = (&sources.files, &sources.options);
        let (prepared, _) = replay::prepare_marked(program, files, options, self.entry, &[], &marks).ok()?;
        let mut recipe = prepared.recipe;
        recipe.entry.as_mut()?.outside = None;
        (recipe.sanitize, recipe.unoptimized) = (true, true);
        let binary = self.compile_part(recipe).ok()?;
        binary.run(&Input::default(), &BUDGET, &self.conditions()).ok().map(|run| run.outcome)
    }

    /// Whether a sanitizer says that an object of the input is left, or a pointer of the input that leads nowhere is
    /// followed. What a whole program does with its input is its own affair.
    fn is_beyond_input(&self, witness: &Witness, said: &str) -> bool {
        if self.program.functions[self.entry].name == "main" {
            return false;
        }
        let null = witness.given.iter().any(|(_, given)| has_null(given));
        let nowhere = said.contains("null pointer") || said.contains("SEGV on unknown address 0x0000000000");
        let left = said.contains("heap-buffer-overflow") && is_given(said) || said.contains(MADE);
        left || null && nowhere
    }
}

/// Compiles a unit of a program with sanitizers ahead of the first input that is run there. What cannot be compiled is told
/// when it is needed.
pub fn compile_ahead(program: &Program, sources: &Sources, unit: usize, cancel: &AtomicBool) {
    let mut recipe = replay::units(program, &sources.files, &sources.options);
    (recipe.sanitize, recipe.unoptimized) = (true, true);
    let _ = replay::compile_ahead(&recipe, unit, Some(cancel));
}

/// The last part of a path: compilers, sanitizers and users write the folders before it in different ways.
pub(super) fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_string()
}

/// `FILE:LINE` of a word such as `src/a.c:12:7`.
fn place_of_word(word: &str) -> Option<(String, u32)> {
    let mut parts = word.trim_end_matches(':').split(':');
    let (file, line) = (parts.next()?, parts.next()?);
    Some((file_name(file), line.parse().ok()?)).filter(|(file, _)| !file.is_empty())
}

/// Where the message of `assert` says that it stands: `program: a.c:12: f: Assertion …`.
fn place_in_message(message: &str) -> Vec<(String, u32)> {
    message.split_whitespace().find_map(place_of_word).into_iter().collect()
}

/// The places in the first trace of a sanitizer's report, innermost first. What follows it tells about the object.
fn places_in_trace(said: &str) -> Vec<(String, u32)> {
    let mut places = Vec::new();
    for line in said.lines() {
        if line.contains("runtime error:") {
            places.extend(line.split_whitespace().next().and_then(place_of_word));
        } else if let Some((_, frame)) = line.split_once(" in ").filter(|_| line.trim_start().starts_with('#')) {
            places.extend(frame.rsplit_once(' ').and_then(|(_, place)| place_of_word(place)));
        } else if !places.is_empty() {
            break;
        }
    }
    places
}

/// What the names of objects begin with that C of ours makes.
const MADE: &str = "plumb_made_";

/// Whether an object that the address sanitizer tells about is an input: the driver has allocated it, and no function of the
/// program.
fn is_given(said: &str) -> bool {
    let Some(stack) = said.split("allocated by").nth(1) else { return false };
    let by_driver = stack.lines().find(|line| line.trim_start().starts_with("#1 "));
    stack.contains("plumb_object") || by_driver.is_some_and(|line| line.contains(" in plumb_entry"))
}

/// Whose the object is that the address sanitizer complains about.
fn object_kind(said: &str) -> Option<ObjectKind> {
    let headline = said.lines().find(|line| line.contains("AddressSanitizer:"))?;
    let given = is_given(said);
    let has = |words: &[&str]| words.iter().any(|word| headline.contains(word));
    if has(&["heap-buffer-overflow", "heap-use-after-free", "double-free"]) {
        return Some(if given { ObjectKind::Input } else { ObjectKind::Heap });
    }
    if has(&["stack-buffer", "stack-use-after", "dynamic-stack"]) {
        return Some(ObjectKind::Stack);
    }
    has(&["global-buffer-overflow"]).then_some(ObjectKind::Global)
}

/// Whether a pointer that is given leads nowhere.
fn has_null(given: &Given) -> bool {
    match given {
        Given::Null => true,
        Given::Object { contents, .. } => has_null(contents),
        Given::Record(parts) => parts.iter().any(|(_, _, part)| has_null(part)),
        Given::Array(_, parts) => parts.iter().any(has_null),
        Given::Made { arguments, .. } => arguments.iter().any(has_null),
        _ => false,
    }
}
