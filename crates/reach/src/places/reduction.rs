//! Reachability as template synthesis, and template synthesis as reachability.
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, section 5.2: Theorem 5.2.5 ([`synthesis_of`]) and Theorem 5.2.3 ([`reachability_of`]).
//!
//! *Departures*: C has no exceptions, so coming to the location sets a flag and leaves the function it stands in. The two are
//! the same where that is the entry; else the callers go on, and an input after which they do not come back is no
//! solution. Template
//! parameters are variables at file scope, which every function sees, instead of further parameters of every function;
//! that keeps the user's text as it is. Tests that run one after the other in the reachability program share the
//! program's other variables; [`solve`] gives each test fresh ones.
//!
//! *Worked example* (Figures 5.3 and 5.6): `P(x, y)` with a label `L` becomes
//!
//! ```text
//! int plumb_c0; int plumb_c1;                                                        the holes
//! int P(int x, int y) { … L: plumb_reached = 1; return 0; … }
//! int plumb_q(void) { int x = plumb_c0; int y = plumb_c1; plumb_reached = 0; P(x, y); return plumb_reached; }
//! ```
//!
//! with the one test `plumb_q() == 1`; its solutions are the inputs that reach `L`.

use cfront::preprocess::Options;
use cfront::probe::{Action, Position, Probe, Sites, SitesFailure};
use exec::Scalar;
use exec::ValueType;
use ir::{FunctionId, GlobalId, Program};
use std::fmt::Write as _;
use std::path::PathBuf;
use symex::explore::{self, Argument, Call, Client, Exploration, Given, Goal, GoalId, Met, Scenario, Witness};
use symex::targets::Target;

/// A template parameter: a variable at file scope that is to be given a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hole {
    pub name: String,
    /// Its type as C writes it.
    pub ty: String,
}

/// One test: arguments and the result, as C expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    pub args: Vec<String>,
    pub expected: String,
}

/// A program with holes and the tests it shall pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Synthesis {
    /// C that compiles; it declares the holes.
    pub text: String,
    pub holes: Vec<Hole>,
    /// The function that the tests call.
    pub entry: String,
    pub tests: Vec<Case>,
}

/// The starting function of a synthesis instance.
pub const STARTING: &str = "plumb_q";

/// The starting function of a reachability program, and the label it leads to.
pub const MAIN: &str = "plumb_p";
pub const LABEL: &str = "plumb_L";

/// The synthesis instance that is solved by exactly the inputs that lead the entry to the target (Theorem 5.2.5).
pub fn synthesis_of(
    program: &Program,
    entry: FunctionId,
    target: &Target,
    files: &[PathBuf],
    options: &Options,
) -> Result<Synthesis, String> {
    let function = &program.functions[entry];
    let mut holes = Vec::new();
    let mut inputs = String::new();
    let mut args = Vec::new();
    for (number, &param) in function.params.iter().enumerate() {
        let local = &function.locals[param];
        let Some(ty) = ValueType::of(&program.types, local.ty) else {
            return Err(format!("the parameter `{}` is no number, so it cannot be a template parameter", local.name));
        };
        let hole = Hole { name: format!("plumb_c{number}"), ty: ty.c_name().to_string() };
        let name = if local.name.is_empty() { format!("plumb_x{number}") } else { local.name.clone() };
        let _ = writeln!(inputs, "    {} {name} = {};", hole.ty, hole.name);
        args.push(name);
        holes.push(hole);
    }
    if target.at.is_none() {
        return Err("only a place in the text can be a target here".to_string());
    }
    let sites = Sites::read(files, options).map_err(|failure| match failure {
        SitesFailure::Environment(error) => error.message,
        SitesFailure::Program(_) => "the program's files cannot be read again".to_string(),
    })?;
    let unit = sites.unit_of(target.span).unwrap_or(0);
    if sites.unit_of(function.span).unwrap_or(0) != unit {
        return Err("the target and the entry stand in different files".to_string());
    }
    let action = Action::Code { text: format!("plumb_reached = 1{}", leaving(program, target)) };
    let probed = sites.insert(&[Probe { position: Position::Before(target.span), action }]);
    if let Some((_, why)) = probed.refused.first() {
        return Err(why.to_string());
    }
    let Some(changed) = probed.texts.get(&unit) else { return Err("the target is not in these files".to_string()) };
    let mut text = String::from("/* A synthesis instance: values for the holes such that the test passes.\n");
    let _ = writeln!(text, "   Holes: {}.", list(&holes));
    let _ = writeln!(text, "   Test:  {STARTING}() == 1. */\nstatic int plumb_reached;");
    for hole in &holes {
        let _ = writeln!(text, "{} {};", hole.ty, hole.name);
    }
    let path = files[unit].display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "#line 1 \"{path}\"");
    text += changed;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = writeln!(text, "\nint {STARTING}(void) {{\n{inputs}    plumb_reached = 0;");
    let _ = writeln!(text, "    {}({});\n    return plumb_reached;\n}}", function.name, args.join(", "));
    let tests = vec![Case { args: Vec::new(), expected: "1".to_string() }];
    Ok(Synthesis { text, holes, entry: STARTING.to_string(), tests })
}

/// What leaves the function that a target stands in. One that returns a record is not left.
fn leaving(program: &Program, target: &Target) -> &'static str {
    let result = target
        .at
        .and_then(|(id, _)| program.types.signature(program.functions[id].ty))
        .map(|signature| signature.result);
    match result {
        Some(result) if program.types.is_void(result) => "; return",
        Some(result) if program.types.is_scalar(result) => "; return 0",
        _ => "",
    }
}

fn list(holes: &[Hole]) -> String {
    if holes.is_empty() {
        return "none".to_string();
    }
    holes.iter().map(|hole| format!("{} {}", hole.ty, hole.name)).collect::<Vec<_>>().join(", ")
}

/// The program in which a label is reached by exactly the values of the holes that make all tests pass
/// (Theorem 5.2.3). Its starting function takes those values.
pub fn reachability_of(instance: &Synthesis) -> String {
    let mut text =
        String::from("/* A reachability instance: arguments of the starting function that lead to the label.\n");
    let _ = writeln!(text, "   Start: {MAIN}.  Target: {LABEL}. */");
    text += &instance.text;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let params: Vec<String> = instance.holes.iter().map(|hole| format!("{} {}_value", hole.ty, hole.name)).collect();
    let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
    let _ = writeln!(text, "\nint {MAIN}({params}) {{");
    for hole in &instance.holes {
        let _ = writeln!(text, "    {0} = {0}_value;", hole.name);
    }
    let passes: Vec<String> = instance
        .tests
        .iter()
        .map(|case| format!("{}({}) == {}", instance.entry, case.args.join(", "), case.expected))
        .collect();
    let condition = if passes.is_empty() { "1".to_string() } else { passes.join(" &&\n        ") };
    let _ = writeln!(text, "    if ({condition}) {{\n    {LABEL}:\n        return 1;\n    }}\n    return 0;\n}}");
    text
}

/// A test of a program in memory: the arguments and the result.
#[derive(Clone, PartialEq, Debug)]
pub struct KnownCase {
    pub args: Vec<Argument>,
    pub expected: Scalar,
}

/// Values of the holes for which every test gives what it should, by following the paths of all tests together.
pub struct Solved {
    /// The value of each hole; none if there is no solution, or none was found.
    pub values: Option<Vec<Scalar>>,
    /// Whether "none" is final, and how the search went.
    pub search: Exploration,
}

pub fn solve(
    program: &Program,
    entry: FunctionId,
    holes: &[GlobalId],
    tests: &[KnownCase],
    config: &explore::Config,
) -> Solved {
    let call = |case: &KnownCase| Call { function: entry, args: case.args.clone(), expect: Some(case.expected) };
    let scenario =
        Scenario { calls: tests.iter().map(call).collect(), open_globals: holes.to_vec(), entry_globals: Vec::new() };
    let mut first = First(None);
    let search = explore::explore(program, &scenario, &[Goal::Finish], config, &mut first);
    let value = |witness: &Witness, id: &GlobalId| {
        let name = &program.globals[*id].name;
        match witness.given.iter().find(|(known, _)| known == name) {
            Some((_, Given::Scalar(_, value))) => *value,
            _ => Scalar::Int(0),
        }
    };
    let values = first.0.map(|witness| holes.iter().map(|id| value(&witness, id)).collect());
    Solved { values, search }
}

struct First(Option<Witness>);

impl Client for First {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        self.0 = Some(met.witness);
        vec![met.goal]
    }
}
