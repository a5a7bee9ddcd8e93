//! A run of the program on concrete inputs, with the rules as its operations, to see whether it goes the way that was
//! asked for. It shares no code with the precondition: statements are executed forwards on values, operators of C are
//! those of [`ir::arith`], operations are evaluated by [`rewriting::Normaliser`], and the branches taken are compared
//! with the path.

use super::operations::{Meaning, Operations};
use super::route::{Sign, is_written_if};
use super::translate::Place;
use ir::arith::{self, Defined};
use ir::{
    Base, Block, Callee, Expr, ExprKind, FunctionId, IntKind, Intrinsic, LogicalOp, Loop, LoopKind, Lvalue, Program,
    Stmt, StmtId, StmtKind, TypeId, UnaryOp,
};
use rewriting::{Names, Normaliser, SortId, Store, Stuck, SymbolId, System, TermId, show};
use std::collections::HashMap;

/// How a replay went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Why the run did not go the way of the path, if so.
    pub failure: Option<String>,
    /// The path that was taken, in the notation of paths, as far as the run went.
    pub path: String,
}

/// Steps and nesting that a replay may take.
const STEPS: u64 = 1_000_000;

pub struct Replayer<'a> {
    pub program: &'a Program,
    pub operations: &'a Operations,
    pub system: &'a System,
    /// How deeply evaluation of operations may nest.
    pub nesting: u32,
}

impl Replayer<'_> {
    /// Runs the function on these inputs; `answers` are those of nondeterministic calls.
    pub fn replay(
        &self,
        function: FunctionId,
        inputs: &[(Place, TermId)],
        answers: &[TermId],
        signs: &[Sign],
        store: &mut Store,
    ) -> Replay {
        let mut run = Run {
            replayer: self,
            store,
            normaliser: Normaliser::new(self.system, STEPS, self.nesting),
            values: inputs.iter().copied().collect(),
            frame: function,
            calls: 0,
            answers,
            signs,
            counted: 0,
            steps: STEPS,
        };
        let mut path = Vec::new();
        let body = self.program.functions[function].body.as_ref();
        let end = match body {
            Some(body) => run.block(body, &mut path),
            None => Ok(Flow::Normal),
        };
        let failure = match end {
            Err(End::Done) => None,
            Err(End::Failed(why)) => Some(why),
            Ok(_) if run.signs.is_empty() => None,
            Ok(_) => Some("the run ends before the path does".to_string()),
        };
        Replay { failure, path: path.join(" ") }
    }
}

/// How statements end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Normal,
    Break,
    Continue,
    Return,
}

enum End {
    /// The whole path was seen.
    Done,
    Failed(String),
}

type Ran<T> = Result<T, End>;

struct Run<'a> {
    replayer: &'a Replayer<'a>,
    store: &'a mut Store,
    normaliser: Normaliser<'a>,
    values: HashMap<Place, TermId>,
    frame: FunctionId,
    /// Depth of calls of functions with a body; their branches are not part of the path.
    calls: u32,
    answers: &'a [TermId],
    /// What is still to be seen.
    signs: &'a [Sign],
    /// Iterations seen of the loop that the next sign counts.
    counted: u32,
    steps: u64,
}

fn failed<T>(why: impl Into<String>) -> Ran<T> {
    Err(End::Failed(why.into()))
}

impl Run<'_> {
    fn line(&self, span: diagnostics::Span) -> String {
        let region = self.replayer.program.sources.used(span);
        region.map_or("an unknown line".to_string(), |region| format!("line {}", region.start.line))
    }

    /// The run shows a sign; compares it with the path.
    fn see(&mut self, seen: Sign, span: diagnostics::Span) -> Ran<()> {
        if self.calls > 0 {
            return Ok(());
        }
        match self.signs.first() {
            None => Err(End::Done),
            Some(&Sign::Count { id, times, leaves }) => {
                match seen {
                    Sign::Iteration(at) if at == id => {
                        if self.counted == times {
                            return if leaves {
                                failed(format!("the loop at {} goes round more than {times} times", self.line(span)))
                            } else {
                                Err(End::Done)
                            };
                        }
                        self.counted += 1;
                    }
                    Sign::Left(at) if at == id => {
                        if self.counted != times {
                            let (line, counted) = (self.line(span), self.counted);
                            return failed(format!("the loop at {line} is left after {counted} iterations"));
                        }
                        if !leaves {
                            return Err(End::Done);
                        }
                        self.counted = 0;
                        self.signs = &self.signs[1..];
                    }
                    _ => {}
                }
                Ok(())
            }
            Some(wanted) if *wanted == seen => {
                self.signs = &self.signs[1..];
                Ok(())
            }
            Some(wanted) => failed(format!("at {} the run shows {seen:?}, and the path {wanted:?}", self.line(span))),
        }
    }

    /// The loop that is being counted is about to be tested again after all its iterations: with `..` that is enough.
    fn tested(&mut self, id: StmtId) -> Ran<()> {
        match self.signs.first() {
            Some(&Sign::Count { id: counted, times, leaves: false })
                if counted == id && self.counted == times && self.calls == 0 =>
            {
                Err(End::Done)
            }
            None if self.calls == 0 => Err(End::Done),
            _ => Ok(()),
        }
    }

    fn block(&mut self, block: &Block, path: &mut Vec<String>) -> Ran<Flow> {
        self.stmts(&block.stmts, path)
    }

    fn stmts(&mut self, stmts: &[Stmt], path: &mut Vec<String>) -> Ran<Flow> {
        for stmt in stmts {
            let flow = self.stmt(stmt, path)?;
            if flow != Flow::Normal {
                return Ok(flow);
            }
        }
        Ok(Flow::Normal)
    }

    /// Runs a part whose choices stand in brackets, and writes them even if the run ends inside.
    fn bracketed<T>(
        &mut self,
        path: &mut Vec<String>,
        write: impl FnOnce(&str) -> String,
        work: impl FnOnce(&mut Self, &mut Vec<String>) -> Ran<T>,
    ) -> Ran<T> {
        let mut inner = Vec::new();
        let result = work(self, &mut inner);
        path.push(write(&inner.join(" ")));
        result
    }

    fn stmt(&mut self, stmt: &Stmt, path: &mut Vec<String>) -> Ran<Flow> {
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            return failed(format!("the run takes more than {STEPS} steps"));
        }
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block, path),
            StmtKind::If { cond, then, otherwise } => {
                let taken = self.condition(cond)?;
                let block = if taken { then } else { otherwise };
                if self.calls > 0 || !is_written_if(&self.replayer.program.sources, stmt) {
                    return self.block(block, path);
                }
                self.see(Sign::Branch(stmt.id, taken), stmt.span)?;
                let letter = if taken { "T" } else { "F" };
                let write =
                    |inner: &str| if inner.is_empty() { letter.to_string() } else { format!("{letter}({inner})") };
                self.bracketed(path, write, |run, inner| run.block(block, inner))
            }
            StmtKind::Loop(looped) => {
                let mut iterations: Vec<String> = Vec::new();
                let result = self.looped(stmt, looped, &mut iterations);
                if self.calls == 0 {
                    iterations.iter_mut().filter(|text| text.is_empty()).for_each(|text| *text = "()".to_string());
                    if result.is_err() {
                        iterations.push("..".to_string());
                    }
                    path.push(format!("[{}]", iterations.join("; ")));
                }
                result
            }
            StmtKind::Switch { value, arms, default, body } => {
                let number = self.int(value)?;
                let arm = arms.iter().find(|arm| arm.low <= number && number <= arm.high);
                let label = arm.map(|arm| arm.label).or(*default);
                self.see(Sign::Case(stmt.id, label), stmt.span)?;
                let case = if arm.is_some() { format!("{{{number}}}") } else { "{default}".to_string() };
                let at = body.stmts.iter().position(|s| matches!(s.kind, StmtKind::Label(l) if Some(l) == label));
                let stmts = match (label, at) {
                    (None, _) => &[][..],
                    (Some(_), Some(at)) => &body.stmts[at..],
                    (Some(_), None) => return failed("a case inside another statement"),
                };
                let write = |inner: &str| if inner.is_empty() { case.clone() } else { format!("{case}({inner})") };
                let flow = self.bracketed(path, write, |run, inner| run.stmts(stmts, inner))?;
                Ok(if flow == Flow::Break { Flow::Normal } else { flow })
            }
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Return(value) => {
                if let Some(value) = value
                    && self.replayer.operations.sort(self.replayer.program, value.ty).is_some()
                {
                    let value = self.value(value)?;
                    self.values.insert(Place::Result(self.frame), value);
                }
                Ok(Flow::Return)
            }
            StmtKind::Assign { target, value } => {
                let place = self.place(target)?;
                let value = self.value(value)?;
                self.values.insert(place, value);
                Ok(Flow::Normal)
            }
            StmtKind::Zero(target) => {
                let place = self.place(target)?;
                let zero = match self.replayer.operations.sort(self.replayer.program, target.ty) {
                    Some(SortId::BOOL) => self.store.truth(false),
                    _ => self.store.int(0),
                };
                self.values.insert(place, zero);
                Ok(Flow::Normal)
            }
            StmtKind::Live(local) => {
                self.values.remove(&Place::Local(self.frame, *local));
                Ok(Flow::Normal)
            }
            StmtKind::Assume(cond) | StmtKind::Assert { cond, .. } => {
                if self.condition(cond)? {
                    return Ok(Flow::Normal);
                }
                failed(format!("the condition stated at {} does not hold", self.line(stmt.span)))
            }
            StmtKind::Call { result, callee, args } => {
                self.call(result.as_ref(), callee, args, stmt)?;
                Ok(Flow::Normal)
            }
            StmtKind::Label(_) | StmtKind::Trace(_) => Ok(Flow::Normal),
            StmtKind::Goto(_) | StmtKind::Unordered(_) | StmtKind::Unsupported(_) => {
                failed("a statement without a meaning here")
            }
        }
    }

    fn looped(&mut self, stmt: &Stmt, looped: &Loop, iterations: &mut Vec<String>) -> Ran<Flow> {
        let mut unseen = Vec::new();
        let mut first = true;
        loop {
            let is_do = looped.kind == LoopKind::DoWhile;
            if !(is_do && first) {
                self.tested(stmt.id)?;
                self.block(&looped.pre, &mut unseen)?;
                let goes_on = match &looped.cond {
                    Some(cond) => self.condition(cond)?,
                    None => true,
                };
                if !goes_on {
                    break;
                }
            }
            first = false;
            self.see(Sign::Iteration(stmt.id), stmt.span)?;
            let mut inner = Vec::new();
            let flow = self.block(&looped.body, &mut inner);
            iterations.push(inner.join(" "));
            match flow? {
                Flow::Normal | Flow::Continue => {}
                Flow::Break => break,
                Flow::Return => return Ok(Flow::Return),
            }
            self.block(&looped.step, &mut unseen)?;
        }
        self.see(Sign::Left(stmt.id), stmt.span)?;
        Ok(Flow::Normal)
    }

    fn place(&self, lvalue: &Lvalue) -> Ran<Place> {
        match lvalue.base {
            Base::Local(local) if lvalue.path.is_empty() => Ok(Place::Local(self.frame, local)),
            Base::Global(global) if lvalue.path.is_empty() => Ok(Place::Global(global)),
            _ => failed("a place that is not a whole variable"),
        }
    }

    fn load(&mut self, lvalue: &Lvalue) -> Ran<TermId> {
        let place = self.place(lvalue)?;
        if let Place::Global(global) = place
            && let Some(symbol) = self.replayer.operations.constant(global)
        {
            return self.operation(symbol, &[], lvalue.span);
        }
        match self.values.get(&place) {
            Some(value) => Ok(*value),
            None => failed(format!("a variable without a value is used at {}", self.line(lvalue.span))),
        }
    }

    fn value(&mut self, expr: &Expr) -> Ran<TermId> {
        match self.replayer.operations.sort(self.replayer.program, expr.ty) {
            Some(SortId::BOOL) => {
                let value = self.condition(expr)?;
                Ok(self.store.truth(value))
            }
            Some(SortId::INT) => {
                let value = self.int(expr)?;
                Ok(self.store.int(value))
            }
            _ => match &expr.kind {
                ExprKind::Load(lvalue) => self.load(lvalue),
                ExprKind::Conditional(c, a, b) => {
                    let chosen = if self.condition(c)? { a } else { b };
                    self.value(chosen)
                }
                ExprKind::Convert { value, .. } => self.value(value),
                _ => failed("an expression without a meaning here"),
            },
        }
    }

    fn condition(&mut self, expr: &Expr) -> Ran<bool> {
        Ok(match &expr.kind {
            ExprKind::Logical(LogicalOp::And, a, b) => self.condition(a)? && self.condition(b)?,
            ExprKind::Logical(LogicalOp::Or, a, b) => self.condition(a)? || self.condition(b)?,
            _ => self.int(expr)? != 0,
        })
    }

    fn kind(&self, ty: TypeId) -> Ran<IntKind> {
        self.replayer.program.types.int_kind(ty).map_or_else(|| failed("a value that is not an integer"), Ok)
    }

    /// The integer that an expression is in C.
    fn int(&mut self, expr: &Expr) -> Ran<i128> {
        let kind = self.kind(expr.ty)?;
        match &expr.kind {
            ExprKind::Int(value) => Ok(*value),
            ExprKind::Load(lvalue) => {
                let value = self.load(lvalue)?;
                let truth = self.store.as_truth(value).map(i128::from);
                truth.or(self.store.as_int(value)).map_or_else(|| failed("a value that is not an integer"), Ok)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => Ok((!self.condition(inner)?).into()),
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let value = self.int(inner)?;
                self.defined(arith::negate(kind, value), expr)
            }
            ExprKind::Unary(UnaryOp::Complement, inner) => Ok(arith::complement(kind, self.int(inner)?)),
            ExprKind::Logical(..) => Ok(self.condition(expr)?.into()),
            ExprKind::Conditional(c, a, b) => {
                let chosen = if self.condition(c)? { a } else { b };
                self.int(chosen)
            }
            ExprKind::Convert { value, .. } => Ok(kind.wrap(self.int(value)?)),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.int(a)?, self.int(b)?);
                self.defined(arith::binary(*op, self.kind(a.ty)?, x, self.kind(b.ty)?, y), expr)
            }
            _ => failed("an expression without a meaning here"),
        }
    }

    fn defined(&self, result: Defined<i128>, expr: &Expr) -> Ran<i128> {
        result.or_else(|undefined| {
            failed(format!("the arithmetic at {} has no value in C: {undefined}", self.line(expr.span)))
        })
    }

    fn operation(&mut self, symbol: SymbolId, args: &[TermId], span: diagnostics::Span) -> Ran<TermId> {
        let system = self.replayer.system;
        let term = self.store.apply(&system.signature, symbol, args);
        match self.normaliser.normalise(self.store, term) {
            Ok(value) => Ok(value),
            Err(stuck) => {
                let why = match stuck {
                    Stuck::NoRule(at) => {
                        format!("no rule applies to `{}`", show(system, self.store, at, &mut Names::default()))
                    }
                    Stuck::TooLong => "evaluation takes too long".to_string(),
                    Stuck::TooLarge => "an integer beyond 128 bits".to_string(),
                };
                failed(format!("at {}: {why}", self.line(span)))
            }
        }
    }

    fn application(
        &mut self,
        symbol: SymbolId,
        args: &[Expr],
        update: Option<(usize, &Lvalue)>,
        stmt: &Stmt,
    ) -> Ran<TermId> {
        let sorts = self.replayer.system.signature.symbol(symbol).args.clone();
        let mut terms = Vec::new();
        for (index, (arg, sort)) in args.iter().zip(sorts).enumerate() {
            terms.push(match (update, sort) {
                (Some((updated, target)), _) if updated == index => self.load(target)?,
                (_, SortId::BOOL) => {
                    let value = self.condition(arg)?;
                    self.store.truth(value)
                }
                (_, SortId::INT) => {
                    let value = self.int(arg)?;
                    self.store.int(value)
                }
                _ => self.value(arg)?,
            });
        }
        self.operation(symbol, &terms, stmt.span)
    }

    /// A value as the C type of the place holds it.
    fn converted(&mut self, value: TermId, ty: TypeId, stmt: &Stmt) -> Ran<TermId> {
        let Some(kind) = self.replayer.program.types.int_kind(ty) else { return Ok(value) };
        let number = self.store.as_truth(value).map(i128::from).or(self.store.as_int(value));
        match number {
            Some(number) if kind == IntKind::Bool => Ok(self.store.truth(number != 0)),
            Some(number) if kind.contains(number) => Ok(self.store.int(number)),
            _ => failed(format!("the result of the call at {} does not fit its type", self.line(stmt.span))),
        }
    }

    fn call(&mut self, result: Option<&Lvalue>, callee: &Callee, args: &[Expr], stmt: &Stmt) -> Ran<()> {
        let value = match callee {
            Callee::Intrinsic(Intrinsic::Nondet) => match self.answers.split_first() {
                Some((first, rest)) => {
                    self.answers = rest;
                    *first
                }
                None => return failed("more nondeterministic values are asked for than the path has"),
            },
            Callee::Function(function) => match self.replayer.operations.meaning(*function) {
                Some(Meaning::Value(symbol)) => self.application(symbol, args, None, stmt)?,
                Some(Meaning::Update(symbol, index)) => {
                    let ExprKind::AddressOf(target) = &args[index].kind else {
                        return failed("an argument that is not the address of a variable");
                    };
                    let value = self.application(symbol, args, Some((index, target)), stmt)?;
                    let place = self.place(target)?;
                    self.values.insert(place, value);
                    return Ok(());
                }
                Some(Meaning::NoEffect) => return Ok(()),
                Some(Meaning::Body) => match self.enter(*function, args)? {
                    Some(value) => value,
                    None => return Ok(()),
                },
                None => return failed("a function without rules or body is called"),
            },
            _ => return failed("a call without a meaning here"),
        };
        if let Some(target) = result {
            let value = self.converted(value, target.ty, stmt)?;
            let place = self.place(target)?;
            self.values.insert(place, value);
        }
        Ok(())
    }

    fn enter(&mut self, function: FunctionId, args: &[Expr]) -> Ran<Option<TermId>> {
        let callee = &self.replayer.program.functions[function];
        let mut values = Vec::new();
        for (param, arg) in callee.params.iter().zip(args) {
            values.push((Place::Local(function, *param), self.value(arg)?));
        }
        let caller = std::mem::replace(&mut self.frame, function);
        self.values.remove(&Place::Result(function));
        self.values.extend(values);
        self.calls += 1;
        if let Some(body) = &callee.body {
            self.block(body, &mut Vec::new())?;
        }
        self.calls -= 1;
        self.frame = caller;
        Ok(self.values.get(&Place::Result(function)).copied())
    }
}
