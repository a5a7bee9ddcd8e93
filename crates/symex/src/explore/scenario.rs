//! What is run: calls one after another, with arguments that are given or left open.
//!
//! One call with open parameters is the question "which input leads there". Several calls with known arguments, what
//! each should return, and a few open globals or parameters of the same name in all of them are the question "which
//! values make all these tests pass".

use exec::Scalar;
use ir::{FunctionId, GlobalId, Program};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scenario {
    /// Each starts from the initial values of the globals. A path whose call does not return what is expected ends.
    pub calls: Vec<Call>,
    /// Globals whose initial values are inputs, the same in all calls.
    pub open_globals: Vec<GlobalId>,
    /// Globals that hold anything their type allows when a call is made.
    pub entry_globals: Vec<GlobalId>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub function: FunctionId,
    /// One for each parameter.
    pub args: Vec<Argument>,
    pub expect: Option<Scalar>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    Concrete(Scalar),
    /// A pointer to an array of these values.
    Array(Vec<Scalar>),
    /// An input by name; the same name means the same value in every call.
    Input(String),
    /// A pointer to so many elements, which are inputs.
    Inputs(String, u64),
    /// `argc` of a program, and `argv`.
    ArgumentCount,
    Arguments,
    /// The environment of a program, which is not followed.
    Environment,
}

impl Scenario {
    /// One call with everything open. `main` gets arguments of a program, everything else its parameters as inputs.
    pub fn open_call(program: &Program, function: FunctionId) -> Scenario {
        let entry = &program.functions[function];
        let is_main = entry.name == "main" && entry.params.len() >= 2;
        let mut args = Vec::new();
        for (number, &param) in entry.params.iter().enumerate() {
            let local = &entry.locals[param];
            let name = if local.name.is_empty() { format!("arg{number}") } else { local.name.clone() };
            args.push(match (is_main, number) {
                (true, 0) => Argument::ArgumentCount,
                (true, 1) => Argument::Arguments,
                (true, _) => Argument::Environment,
                _ => match local.declared_elements() {
                    Some(count) => Argument::Inputs(name, count),
                    None => Argument::Input(name),
                },
            });
        }
        let calls = vec![Call { function, args, expect: None }];
        Scenario { calls, open_globals: Vec::new(), entry_globals: Vec::new() }
    }

    /// The same with globals that hold anything by the time of the call, if the program does not start with it.
    pub fn open_entry(program: &Program, function: FunctionId) -> Scenario {
        let entry_globals = ir::open_globals(program, function).into_iter().collect();
        Scenario { entry_globals, ..Scenario::open_call(program, function) }
    }
}
