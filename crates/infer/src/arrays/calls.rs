//! Functions of the user's program as functions that relations may go through: they are run in the VM.
//!
//! Each function has a harness of its own ([`harness`]) that takes numbers and elements, calls it, and shows what it
//! wrote and returned. The harness runs on a thread of its own, which owns the program; what was asked before is
//! remembered.

use super::functions::{Gave, Given, Takes, UserFunction};
use super::table::Grid;
use crate::Refusal;
use diagnostics::Rule;
use exec::ValueType;
use exec::snapshot::ArrayValue;
use exec::vm::{self, Image, Machine};
use exec::{Budget, Ending, Input, Recorder, Scalar};
use ir::{ExprKind, FunctionId, Local, Lvalue, Program, Stmt, StmtKind, TracePoint};
use observe::harness::{Extent, Filled, Harness, Long, harness, written_parameters};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

/// Calls that are remembered.
const MOST_REMEMBERED: usize = 1 << 16;

/// What one call may use.
fn budget() -> Budget {
    Budget { steps: 2_000_000, time_ms: 5_000, memory: 1 << 26, ..Budget::default() }
}

type Question = (Input, Sender<Option<Gave>>);

/// A function of a program.
pub struct Called {
    name: String,
    takes: Vec<Takes>,
    returns: bool,
    asked: Mutex<Sender<Question>>,
    known: Mutex<HashMap<Vec<i64>, Option<Gave>>>,
}

impl Called {
    /// The function of that name.
    pub fn new(program: &Program, name: &str, extents: &[(String, Extent)]) -> Result<Called, Refusal> {
        let function = program.find_function(name).filter(|id| program.functions[*id].body.is_some());
        let function = function.ok_or_else(|| {
            let mut known: Vec<&str> = program.defined_functions().map(|(_, f, _)| f.name.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            let known = known.join(", ");
            Refusal::Request(format!("--functions: the program defines no function `{name}`; it defines: {known}."))
        })?;
        let about = &program.functions[function];
        let own: Vec<(String, Extent)> =
            extents.iter().filter(|(n, _)| about.params.iter().any(|p| about.locals[*p].name == *n)).cloned().collect();
        let make = |filled| {
            harness(program, function, &own, &[], filled).map_err(|why| why.prefixed(&format!("--functions {name}: ")))
        };
        let tried = make(Filled::Read)?;
        // What it reads before it writes it is something that it takes.
        let reads = reads_unwritten(&tried);
        let made = if reads { make(Filled::All)? } else { tried };
        let written = written_parameters(program, function);
        let mut takes = Vec::new();
        for (position, param) in about.params.iter().enumerate() {
            let array = made.arrays.iter().find(|array| array.parameter == position);
            takes.push(match array {
                None => Takes::Scalar,
                Some(array) => {
                    let Long::Fixed(length) = array.length else {
                        let text = format!("--functions {name}: the length of `{}` should be a number.", array.name);
                        return Err(Refusal::Request(text));
                    };
                    let mut shape = vec![length as usize];
                    shape.extend(inner_extents(program, about.locals[*param].ty));
                    if !reads && written.contains(&position) { Takes::Result(shape) } else { Takes::Array(shape) }
                }
            });
        }
        let result = program.types.signature(about.ty).map(|signature| signature.result);
        let returns = result.is_some_and(|ty| matches!(ValueType::of(&program.types, ty), Some(ValueType::Int(_))));
        let made = showing(made, function, returns);
        let (asked, questions) = channel::<Question>();
        let results: Vec<usize> = (0..takes.len()).filter(|n| matches!(takes[*n], Takes::Result(_))).collect();
        std::thread::spawn(move || {
            let image = Image::new(&made.program, exec::libc::LIBRARY);
            let specs = image.arrays();
            let mut machine = Machine::new(&image);
            for (input, answer) in questions {
                let recorder = Recorder::new(image.points().clone()).with_arrays(specs.clone());
                let options = vm::Options { recorder: Some(recorder), ..vm::Options::default() };
                let run = machine.run(made.entry, &input, &budget(), options);
                // The asker may have lost interest.
                let _ = answer.send(gave(run, &image, &made, &results, returns));
            }
        });
        Ok(Called { name: name.to_string(), takes, returns, asked: Mutex::new(asked), known: Mutex::default() })
    }
}

fn inner_extents(program: &Program, pointer: ir::TypeId) -> Vec<usize> {
    let mut extents = Vec::new();
    let mut ty = program.types.pointee(pointer);
    while let Some(ir::Type::Array { of, length: ir::Length::Fixed(length) }) = ty.map(|ty| program.types.get(ty)) {
        extents.push(*length as usize);
        ty = Some(*of);
    }
    extents
}

/// Whether some run reads an element that was never written.
pub fn reads_unwritten(made: &Harness) -> bool {
    let image = Image::new(&made.program, exec::libc::LIBRARY);
    let mut machine = Machine::new(&image);
    let params = made.program.functions[made.entry].params.len();
    [1, 2, 4, 3, 8, 6, 10, 5].into_iter().any(|value| {
        let input = Input {
            params: vec![Scalar::Int(value); params],
            nondet: (0..4096).map(|n| Scalar::Int(n * value % 7)).collect(),
            ..Input::default()
        };
        let run = machine.run(made.entry, &input, &budget(), vm::Options::default());
        matches!(run.outcome.ending, Ending::Faulted(finding) if finding.rule == Rule::UninitialisedRead)
    })
}

/// The harness with a trace point behind the call, which shows what it returned and the arrays.
fn showing(mut made: Harness, function: FunctionId, returns: bool) -> Harness {
    let result = made.program.types.signature(made.program.functions[function].ty).map(|signature| signature.result);
    let about = &mut made.program.functions[made.entry];
    let span = about.span;
    let kept =
        result.filter(|_| returns).map(|ty| Lvalue::local(about.locals.push(Local::temporary(ty, span)), ty, span));
    let Some(body) = &mut about.body else { return made };
    let mut values = Vec::new();
    if let Some(StmtKind::Call { result, args, .. }) = body.stmts.last_mut().map(|stmt| &mut stmt.kind) {
        result.clone_from(&kept);
        if let Some(kept) = kept {
            values.push(("value".to_string(), ir::Expr::load(kept)));
        }
        for array in &made.arrays {
            let arg = args[array.parameter].clone();
            // As a pointer, so that its object tells how long it is.
            let ty = arg.ty;
            let arg = ir::Expr::new(ExprKind::Convert { value: Box::new(arg), explicit: true }, ty, span);
            values.push((array.name.clone(), arg));
        }
    }
    body.stmts.push(Stmt::new(StmtKind::Trace(TracePoint { name: "called".to_string(), values }), span));
    about.number_statements();
    made
}

fn gave(run: vm::Run, image: &Image<'_>, made: &Harness, results: &[usize], returns: bool) -> Option<Gave> {
    let snapshot = run.snapshots.into_iter().next();
    let point = image.points().find("called")?;
    let row = run.trace.as_ref()?.point(point).rows().next()?;
    let value = match row.variables().first().map(|_| row.get(0)) {
        Some(Scalar::Int(value)) if returns => i64::try_from(value).ok(),
        _ => None,
    };
    let arrays = results.iter().map(|position| {
        let at = made.arrays.iter().position(|array| array.parameter == *position)?;
        let ArrayValue { extents, cells, written, .. } = snapshot.as_ref()?.arrays.get(at)?.clone()?;
        let extents = extents.iter().map(|extent| *extent as usize).collect();
        let cells = cells.into_iter().map(|cell| cell as i64).collect();
        Some(Grid { extents, cells, defined: written, address: None })
    });
    Some(Gave { value, arrays: arrays.collect::<Option<_>>()? })
}

impl UserFunction for Called {
    fn name(&self) -> &str {
        &self.name
    }

    fn takes(&self) -> &[Takes] {
        &self.takes
    }

    fn returns(&self) -> bool {
        self.returns
    }

    fn call(&self, given: &[Given]) -> Option<Gave> {
        let mut key = Vec::new();
        let mut input = Input::default();
        for given in given {
            match given {
                Given::Scalar(value) => {
                    key.push(*value);
                    input.params.push(Scalar::Int((*value).into()));
                }
                Given::Array(grid) => {
                    // An element without a value cannot be given; zero stands for it, and what comes of it is compared
                    // like anything else.
                    for n in 0..grid.cells.len() {
                        let value = grid.get(n).unwrap_or(0);
                        key.push(value);
                        input.nondet.push(Scalar::Int(value.into()));
                    }
                }
            }
        }
        if let Some(known) = self.known.lock().ok()?.get(&key) {
            return known.clone();
        }
        let (answer, answered) = channel();
        self.asked.lock().ok()?.send((input, answer)).ok()?;
        let gave = answered.recv().ok()?;
        let mut known = self.known.lock().ok()?;
        if known.len() < MOST_REMEMBERED {
            known.insert(key, gave.clone());
        }
        gave
    }
}
