//! Inputs that drive a program along a given path, for programs over abstract data types.
//!
//! *Question*: which values of the parameters make this function go exactly this way, when what its operations do is
//! given by rules?
//!
//! *Source*: S. Antoy, D. Hamlet, "Testing by Narrowing" (extended abstract): the weakest precondition along a path is
//! computed backwards over the structured program and narrowed to `true`.
//!
//! *Departures*: integers of C mix with abstract values, and go to SMT. That a computation has a value (an operation has
//! a rule for its arguments, a sum fits its type) is demanded separately, so that every solution can be run. Loops with
//! a number of iterations only may contain further loops, `break` and `continue` ([`abstraction`]).
//!
//! *Worked example*: `if (!is_null(t)) …` along `T` needs `not(is_null(t))`; `is_null` needs `t`, `null` fails and
//! `tree(u, v, w)` succeeds. That is the one most general solution.
//!
//! *Phases*: [`notation`] (the path is read) → [`route`] (the statements it goes through; impossible paths end here) →
//! [`operations`] and [`translate`] (C as terms) → [`precondition`] → [`rewriting::narrow()`] with [`integers`] →
//! [`replay`] (each solution is run).
//!
//! *Guarantee*: `Reached` has an input that was run and went the way. `Unreachable` means that the search space is
//! exhausted: no input goes this way without undefined behaviour. Everything else is `Unknown`, with the bound.

pub mod abstraction;
pub mod error;
pub mod integers;
pub mod notation;
pub mod operations;
pub mod precondition;
pub mod replay;
pub mod route;
pub mod skeleton;
pub mod translate;

use diagnostics::Reason;
pub use error::PathError;
use hashbrown::HashMap;
use integers::Integers;
use ir::{FunctionId, IntKind, Program};
use operations::Operations;
use replay::{Replay, Replayer};
use rewriting::show::show_value;
use rewriting::{Bound, Builtin, Ending, Head, Limits, Names, Solution, SortId, System, TermId, VarId, narrow, show};
use translate::{Place, Translator};

/// How a path is solved.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub limits: Limits,
    /// Whether free variables are given their smallest values.
    pub ground: bool,
}

/// Whether an input takes the path. What is judged is that none does; the inputs are the solutions of the report.
pub type Verdict = diagnostics::Verdict<()>;

/// One way to drive the program along the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathSolution {
    /// Inputs and their values.
    pub bindings: Vec<(String, String)>,
    /// Variables in the values that may have any value.
    pub free: Vec<String>,
    /// What the values were chosen to satisfy, and the values before that: only where integers are constrained.
    pub general: Option<General>,
    /// The path that was taken, and why it is not the one asked for, if so.
    pub replay: Replay,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct General {
    pub bindings: Vec<(String, String)>,
    pub constraints: Vec<String>,
    /// How many of the constraints, which come first, are more than that a value fits its C type.
    pub telling: usize,
}

#[derive(Clone, Debug)]
pub struct PathReport {
    pub verdict: Verdict,
    /// Why there may be more solutions.
    pub remark: Option<String>,
    pub solutions: Vec<PathSolution>,
    /// Whether these are all.
    pub complete: bool,
    /// The precondition, and how many operations and variables occur in it.
    pub precondition: String,
    pub size: u64,
    pub states: u64,
    pub rewrites: u64,
    pub questions: u64,
}

impl PathReport {
    /// Why nothing is known, or why there may be more solutions.
    pub fn why(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Unknown { why } => Some(&why.said),
            _ => self.remark.as_deref(),
        }
    }
}

/// The text of a precondition is cut beyond this size.
const SHOWN: u64 = 2_000;

/// Solves the path of a function; `stop` is asked now and then.
pub fn solve(
    program: &Program,
    function: FunctionId,
    path: &str,
    system: &System,
    config: &Config,
    stop: &dyn Fn() -> bool,
) -> Result<PathReport, PathError> {
    let path = notation::parse(path)?;
    let route = route::route(&program.functions[function], &program.sources, &path)?;
    let operations = Operations::new(program, &system.signature)?;
    let mut system = system.clone();
    let mut translator = Translator::new(program, &operations, &mut system, function);
    let mut inputs = parameters(&mut translator, function)?;
    let mut before = precondition::precondition(&mut translator, &route)?;
    let answers = translator.answers.clone();
    inputs.extend(further_inputs(&mut translator, &mut before, function, &inputs));
    let mut store = std::mem::take(&mut translator.store);
    drop(translator);

    let vars: Vec<VarId> = inputs.iter().map(|input| input.var).collect();
    let mut integers = Integers::new(inputs.iter().filter_map(|input| Some((input.var, input.kind?))).collect());
    let goals = [before.condition, before.requirements];
    let found = narrow(&system, &mut store, &vars, &goals, &config.limits, &mut integers, stop);

    let replayer = Replayer { program, operations: &operations, system: &system, nesting: config.limits.nesting };
    let mut solutions = Vec::new();
    for solution in &found.solutions {
        let replay = match solution.ground(&system, &mut store) {
            Some(values) => {
                let mut given = Vec::new();
                let mut answered = vec![None; answers.len()];
                for (input, (_, value)) in inputs.iter().zip(&values) {
                    match input.place {
                        Place::Nondet(number) => answered[number as usize] = Some(*value),
                        place => given.push((place, *value)),
                    }
                }
                let zero = store.int(0);
                let answered: Vec<TermId> = answered.into_iter().map(|value| value.unwrap_or(zero)).collect();
                replayer.replay(function, &given, &answered, &route.signs, &mut store)
            }
            None => Replay { failure: Some("a sort has no finite values".to_string()), path: String::new() },
        };
        solutions.push(shown(&system, &mut store, solution, &inputs, config.ground, replay));
    }
    let size = store.size(before.condition);
    let mut names = Names::default();
    inputs.iter().for_each(|input| names.set(input.var, &input.name));
    let precondition =
        if size <= SHOWN { show(&system, &store, before.condition, &mut names) } else { "…".to_string() };
    let replayed = solutions.iter().any(|solution| solution.replay.failure.is_none());
    let bound = bound_text(found.ending, &config.limits);
    let undecided = |why: Option<String>| match (why, found.ending) {
        (Some(why), Ending::Bounded(Bound::Stopped)) => Verdict::unknown(Reason::Stopped, why),
        (why, _) => Verdict::unknown(Reason::Bounded, why.unwrap_or_default()),
    };
    let (verdict, remark) = match (solutions.is_empty(), found.ending) {
        (true, Ending::Exhausted) => (Verdict::Proved { how: "the search space is exhausted".to_string() }, None),
        (true, _) => (undecided(bound), None),
        (false, _) if !replayed => {
            let why = solutions.iter().find_map(|solution| solution.replay.failure.clone());
            let why = format!("no solution could be replayed: {}", why.unwrap_or_default());
            (Verdict::unknown(Reason::Unconfirmed, why), None)
        }
        (false, _) => (Verdict::Refuted { witness: () }, bound),
    };
    Ok(PathReport {
        verdict,
        remark,
        complete: found.ending == Ending::Exhausted,
        solutions,
        precondition,
        size,
        states: found.states,
        rewrites: found.rewrites,
        questions: integers.questions,
    })
}

fn bound_text(ending: Ending, limits: &Limits) -> Option<String> {
    let Ending::Bounded(bound) = ending else { return None };
    Some(match bound {
        Bound::Depth => {
            format!("the search stopped at {} narrowing steps (--depth)", limits.depth.unwrap_or_default())
        }
        Bound::Terms => format!("the search stopped at {} terms", limits.terms),
        Bound::Nesting => format!("an evaluation nests more than {} deep", limits.nesting),
        Bound::Stopped => "the search was stopped by the time limit or the user".to_string(),
        Bound::Undecided => "the solver could not decide about integers".to_string(),
        Bound::Integers => "an integer beyond 128 bits came up".to_string(),
    })
}

/// Something the caller or the surroundings choose.
struct Input {
    name: String,
    place: Place,
    var: VarId,
    kind: Option<IntKind>,
}

fn parameters(translator: &mut Translator<'_>, function: FunctionId) -> Result<Vec<Input>, PathError> {
    let program = translator.program;
    let declared = &program.functions[function];
    let mut inputs = Vec::new();
    for &param in &declared.params {
        let local = &declared.locals[param];
        // A parameter of another type is of no matter unless the path uses it, which is an error then.
        let Some(sort) = translator.operations.sort(program, local.ty) else { continue };
        let place = Place::Local(function, param);
        let var = translator.var(place, sort);
        let kind = program.types.int_kind(local.ty).filter(|kind| *kind != IntKind::Bool);
        inputs.push(Input { name: local.name.clone(), place, var, kind });
    }
    Ok(inputs)
}

/// What else the precondition depends on: global variables and nondeterministic values. Anything else was never set.
fn further_inputs(
    translator: &mut Translator<'_>,
    before: &mut precondition::Precondition,
    function: FunctionId,
    known: &[Input],
) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut unset: HashMap<VarId, TermId> = HashMap::new();
    for var in translator.store.variables(&[before.condition, before.requirements]) {
        if known.iter().any(|input| input.var == var) {
            continue;
        }
        match translator.place_of(var) {
            Some(place @ Place::Global(global)) => {
                let ty = translator.program.globals[global].ty;
                let kind = translator.program.types.int_kind(ty).filter(|kind| *kind != IntKind::Bool);
                inputs.push(Input { name: translator.name(place), place, var, kind });
            }
            Some(Place::Nondet(_)) => {}
            Some(Place::Local(..) | Place::Result(_)) | None => {
                let undefined = translator.store.make(Head::Builtin(Builtin::Undefined), &[]);
                unset.insert(var, undefined);
            }
        }
    }
    for (number, kind) in translator.answers.clone().into_iter().enumerate() {
        let place = Place::Nondet(number as u32);
        let sort = if kind == IntKind::Bool { SortId::BOOL } else { SortId::INT };
        let var = translator.var(place, sort);
        let kind = Some(kind).filter(|kind| *kind != IntKind::Bool);
        inputs.push(Input { name: translator.name(place), place, var, kind });
    }
    debug_assert!(translator.frame == function, "the frame should be that of the path again");
    before.condition = translator.substitute(before.condition, &unset);
    before.requirements = translator.substitute(before.requirements, &unset);
    inputs.sort_by_key(|input| input.place);
    inputs
}

fn shown(
    system: &System,
    store: &mut rewriting::Store,
    solution: &Solution,
    inputs: &[Input],
    ground: bool,
    replay: Replay,
) -> PathSolution {
    let values = match ground {
        true => solution.ground(system, store).unwrap_or_else(|| solution.values.clone()),
        false => solution.concrete(system, store),
    };
    let mut names = Names::avoiding(inputs.iter().map(|input| input.name.clone()));
    for input in inputs.iter().filter(|input| solution.leaves_open(input.var, store)) {
        names.set(input.var, &input.name);
    }
    let text = |names: &mut Names, values: &[(VarId, TermId)]| -> Vec<(String, String)> {
        let one = |(input, (var, term)): (&Input, &(VarId, TermId))| {
            (input.name.clone(), show_value(system, store, *term, store.var_sort(*var), names))
        };
        inputs.iter().zip(values).map(one).collect()
    };
    let general = (!solution.literals.is_empty()).then(|| {
        let bindings = text(&mut names, &solution.values);
        let constraint = |&(term, holds): &(TermId, bool)| {
            let text = show(system, store, term, &mut names);
            if holds { text } else { format!("not({text})") }
        };
        let (fits, tells): (Vec<_>, Vec<_>) = solution.literals.iter().partition(|(term, _)| is_range(store, *term));
        let constraints = tells.iter().chain(&fits).map(constraint).collect();
        General { bindings, constraints, telling: tells.len() }
    });
    let bindings = text(&mut names, &values);
    let terms: Vec<TermId> = values.iter().map(|(_, term)| *term).collect();
    let free = store.variables(&terms).into_iter().map(|var| names.name(var)).collect();
    PathSolution { bindings, free, general, replay }
}

/// Whether a comparison only says that a value fits a C type.
fn is_range(store: &rewriting::Store, term: TermId) -> bool {
    let ends = |kind: IntKind| kind.bits() > 1 && kind.bits() <= 64;
    let bounds = |value: i128| {
        IntKind::ALL.into_iter().filter(|kind| ends(*kind)).any(|kind| value == kind.min() || value == kind.max())
    };
    let is_bound = |term: &TermId| store.as_int(*term).is_some_and(|value| value != 0 && bounds(value));
    store.head(term) == Head::Builtin(Builtin::Le) && store.args(term).iter().any(is_bound)
}
