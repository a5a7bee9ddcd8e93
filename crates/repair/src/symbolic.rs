//! What the symbolic executor does for repairs: numbers for the holes of a template, and inputs on which two repairs
//! differ.
//!
//! *Numbers* (Theorem 5.2.3 put to work): the holes become variables of the program whose first values are open, and a few
//! tests are followed together ([`synthesise`]). Numbers that are found are tried on the whole suite in the VM; the
//! first test that breaks joins, and the search repeats.
//!
//! *Differing inputs*: the program is doubled, one copy for each repair, each with variables of its own; a function calls
//! both with the same open inputs, and the place where the answers differ is to be reached.
//!
//! *Guarantee*: numbers in the answer pass all tests in the VM; inputs are run by the caller before they are shown. *May
//! miss* what the executor gives up on within the time. Tests of whole programs are not calls, and get no answer here.

use super::enumerate::OpenCandidate;
use super::instantiate::{Changed, Context};
use super::suite::Expected;
use super::template::Change;
use super::trial::Trial;
use diagnostics::{Deadline, Span};
use exec::{Input, Scalar};
use ir::{
    Base, BinaryOp, Block, Callee, Expr, ExprKind, Function, FunctionId, Global, GlobalId, GlobalKind, InitValue,
    Initializer, IntKind, Linkage, Local, LocalId, LocalKind, Lvalue, PrimaryMap, Program, Signature, Stmt, StmtKind,
    TracePoint, Type,
};
use reach::{KnownCase, synthesise};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use symex::explore::{Argument, Client, Config, Given, Goal, GoalId, Met, Scenario, Witness, explore};

/// Rounds of adding a test that breaks.
const ROUNDS: usize = 10;
/// Failing tests, and as many passing ones, that a search starts with.
const FIRST: usize = 2;
/// Time for one template, and for one pair of repairs.
const TIME: Duration = Duration::from_millis(1_500);

/// Whether the tests are calls of a function with numbers.
pub fn applies(trial: &Trial<'_>) -> bool {
    let calls = trial.tests.iter().all(|test| matches!(test.expected, Expected::Value(Scalar::Int(_))));
    calls && trial.context.program.functions[trial.entry].name != "main"
}

/// The change with numbers that pass all tests, if they are found.
pub fn solve(trial: &Trial<'_>, open: &OpenCandidate) -> Option<Change> {
    let (program, holes) = opened(trial, open)?;
    let stop = Arc::new(AtomicBool::new(false));
    let watch = Watch::new(stop.clone(), trial.deadline.by(Instant::now() + TIME.min(trial.deadline.left())));
    let config = Config { stop: Some(stop.clone()), ..Config::default() };
    let mut asked: Vec<usize> = trial.failing.iter().copied().take(FIRST).collect();
    asked.extend(trial.passing.iter().copied().take(FIRST));
    let mut answer = None;
    for _ in 0..ROUNDS {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let known: Vec<KnownCase> = asked.iter().filter_map(|test| case(trial, *test)).collect();
        let Some(values) = synthesise(&program, trial.entry, &holes, &known, &config).values else { break };
        let number = |value: &Scalar| if let Scalar::Int(value) = value { *value } else { 0 };
        let numbers: Vec<i128> = values.iter().map(number).collect();
        let change = open.candidate.change.filled(&numbers);
        match trial.passes(&[&change]) {
            Ok(()) => {
                answer = Some(change);
                break;
            }
            Err(Some(test)) if !asked.contains(&test) => asked.push(test),
            Err(_) => break,
        }
    }
    watch.end();
    answer
}

fn case(trial: &Trial<'_>, test: usize) -> Option<KnownCase> {
    let test = &trial.tests[test];
    let Expected::Value(expected) = test.expected else { return None };
    Some(KnownCase { args: test.input.params.iter().map(|value| Argument::Concrete(*value)).collect(), expected })
}

/// The program with the template in it, its holes as variables.
fn opened(trial: &Trial<'_>, open: &OpenCandidate) -> Option<(Program, Vec<GlobalId>)> {
    let mut program = trial.context.program.clone();
    let ty = program.types.int(IntKind::Int);
    let hole = |number: u8| Global {
        name: format!("plumb.c{number}"),
        ty,
        kind: GlobalKind::Variable,
        linkage: Linkage::External,
        is_const: false,
        is_volatile: false,
        init: Some(Initializer::default()),
        span: Span::NONE,
    };
    let holes: Vec<GlobalId> = (0..open.holes).map(|number| program.globals.push(hole(number))).collect();
    let context =
        Context { program: &program, sites: trial.context.sites, scopes: trial.context.scopes, holes: holes.clone() };
    let changed = context.instantiate([&open.candidate.change])?;
    if !changed.globals.is_empty() {
        return None;
    }
    for (id, function) in changed.functions {
        program.functions[id] = function;
        program.functions[id].number_statements();
    }
    Some((program, holes))
}

/// An input on which the program answers differently with the first changes and with the second, as far as the executor
/// sees.
pub fn differing(trial: &Trial<'_>, first: &[&Change], second: &[&Change]) -> Option<Input> {
    let changed = |changes: &[&Change]| trial.context.instantiate(changes.iter().copied());
    let (program, entry) = doubled(trial.context.program, trial.entry, changed(first)?, changed(second)?)?;
    let stop = Arc::new(AtomicBool::new(false));
    let watch = Watch::new(stop.clone(), trial.deadline.by(Instant::now() + TIME.min(trial.deadline.left())));
    let config = Config { stop: Some(stop), ..Config::default() };
    let mut found = First(None);
    let scenario = Scenario::open_call(&program, entry);
    explore(&program, &scenario, &[Goal::Point(DIFFERENT.into())], &config, &mut found);
    watch.end();
    let witness = found.0?;
    let function = &program.functions[entry];
    let value = |param: &LocalId| {
        let name = &function.locals[*param].name;
        match witness.given.iter().find(|(known, _)| known == name) {
            Some((_, Given::Scalar(_, value))) => *value,
            _ => Scalar::Int(0),
        }
    };
    Some(Input { params: function.params.iter().map(value).collect(), ..Input::default() })
}

const DIFFERENT: &str = "plumb.different";

/// The program twice, with other definitions in each copy, and a function that calls both entries.
fn doubled(program: &Program, entry: FunctionId, first: Changed, second: Changed) -> Option<(Program, FunctionId)> {
    let mut double = program.clone();
    put(&mut double, first);
    // The second copy: every function with a body and every variable once more.
    let mut copy = program.clone();
    put(&mut copy, second);
    let mut functions: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
    for (id, function) in &copy.functions {
        if function.body.is_some() {
            functions.insert(id, double.functions.push(function.clone()));
        }
    }
    let mut globals: BTreeMap<GlobalId, GlobalId> = BTreeMap::new();
    for (id, global) in &copy.globals {
        let changes = !global.is_const && global.kind != GlobalKind::StringLiteral && global.init.is_some();
        if changes || global.init != program.globals[id].init {
            let mut twin = global.clone();
            twin.name += ".twin";
            globals.insert(id, double.globals.push(twin));
        }
    }
    for &id in functions.values() {
        if let Some(body) = &mut double.functions[id].body {
            body.walk_mut(&mut |stmt| redirect(stmt, &functions, &globals));
        }
    }
    // Addresses in initial values of the copy would lead to the first one's variables.
    for &id in globals.values() {
        let init = double.globals[id].init.as_mut()?;
        for item in &mut init.items {
            if let InitValue::Expr(expr) = &mut item.value {
                redirect_expr(expr, &functions, &globals);
            }
        }
    }
    let twin = *functions.get(&entry)?;
    let compare = comparing(&mut double, entry, twin)?;
    let id = double.functions.push(compare);
    double.functions[id].number_statements();
    Some((double, id))
}

fn put(program: &mut Program, changed: Changed) {
    for (id, function) in changed.functions {
        program.functions[id] = function;
        program.functions[id].number_statements();
    }
    for (id, init) in changed.globals {
        program.globals[id].init = Some(init);
    }
}

/// `void f(params) { a = first(params); b = second(params); if (a != b) here; }`
fn comparing(program: &mut Program, first: FunctionId, second: FunctionId) -> Option<Function> {
    let entry = &program.functions[first];
    let signature = program.types.signature(entry.ty)?.clone();
    let result = signature.result;
    program.types.int_kind(result)?;
    let span = entry.span;
    let mut locals: PrimaryMap<LocalId, Local> = PrimaryMap::new();
    let params: Vec<LocalId> = entry
        .params
        .iter()
        .map(|&param| locals.push(Local { kind: LocalKind::Parameter, ..entry.locals[param].clone() }))
        .collect();
    let args: Vec<Expr> =
        params.iter().map(|&param| Expr::load(Lvalue::local(param, locals[param].ty, span))).collect();
    let answers = [first, second].map(|callee| (callee, locals.push(Local::temporary(result, span))));
    let mut stmts = Vec::new();
    for (callee, answer) in answers {
        let target = Some(Lvalue::local(answer, result, span));
        let kind = StmtKind::Call { result: target, callee: Callee::Function(callee), args: args.clone() };
        stmts.push(Stmt::new(kind, span));
    }
    let [left, right] = answers.map(|(_, answer)| Box::new(Expr::load(Lvalue::local(answer, result, span))));
    let cond = Expr::new(ExprKind::Binary(BinaryOp::Ne, left, right), program.types.int(IntKind::Int), span);
    let point = Stmt::new(StmtKind::Trace(TracePoint { name: DIFFERENT.into(), values: Vec::new() }), span);
    let then = Block { locals: Vec::new(), stmts: vec![point] };
    stmts.push(Stmt::new(StmtKind::If { cond, then, otherwise: Block::default() }, span));
    let void = program.types.void();
    let ty = program.types.intern(Type::Function(Signature { result: void, ..signature }));
    let body = Some(Block { locals: Vec::new(), stmts });
    Some(Function { params, locals, body, ..Function::declared("plumb_compare", ty, Linkage::External, span) })
}

type Twins<I> = BTreeMap<I, I>;

fn redirect(stmt: &mut Stmt, functions: &Twins<FunctionId>, globals: &Twins<GlobalId>) {
    if let StmtKind::Call { callee: Callee::Function(id), .. } = &mut stmt.kind
        && let Some(twin) = functions.get(id)
    {
        *id = *twin;
    }
    if let StmtKind::Assign { target, .. } | StmtKind::Zero(target) | StmtKind::Call { result: Some(target), .. } =
        &mut stmt.kind
    {
        redirect_base(target, globals);
    }
    for expr in stmt.exprs_mut() {
        redirect_expr(expr, functions, globals);
    }
}

fn redirect_base(lvalue: &mut Lvalue, globals: &Twins<GlobalId>) {
    if let Base::Global(id) = &mut lvalue.base
        && let Some(twin) = globals.get(id)
    {
        *id = *twin;
    }
}

fn redirect_expr(expr: &mut Expr, functions: &Twins<FunctionId>, globals: &Twins<GlobalId>) {
    match &mut expr.kind {
        ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => redirect_base(lvalue, globals),
        ExprKind::Function(id) => {
            if let Some(twin) = functions.get(id) {
                *id = *twin;
            }
        }
        _ => {}
    }
    for child in expr.children_mut() {
        redirect_expr(child, functions, globals);
    }
}

/// Takes the first witness.
struct First(Option<Witness>);

impl Client for First {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        self.0 = Some(met.witness);
        vec![met.goal]
    }
}

/// Says stop when time is over or the search is interrupted.
struct Watch {
    done: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

impl Watch {
    fn new(stop: Arc<AtomicBool>, deadline: Deadline) -> Watch {
        let done = Arc::new(AtomicBool::new(false));
        let seen = done.clone();
        let thread = std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) && !deadline.is_over() {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
        });
        Watch { done, thread }
    }

    fn end(self) {
        self.done.store(true, Ordering::Relaxed);
        // The thread only waits, so it has nothing to panic about.
        let _ = self.thread.join();
    }
}
