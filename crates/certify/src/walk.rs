//! The ways from place to place, one at a time.

use super::terms::{self, Given};
use super::{Conditions, Reading, Statement, Stopped, WAYS};
use diagnostics::{Deadline, Span};
use ir::{
    Base, BasicBlock, BlockId, Callee, Cfg, Expr, ExprKind, FunctionId, GlobalId, GlobalKind, InitValue, IntKind,
    Intrinsic, LocalId, LocalKind, LogicalOp, Loops, Lvalue, Program, Stmt, StmtKind, Stop, Terminator, TracePoint,
    Type, TypeId,
};
use logic::Predicate;
use smt::{Budget, Outcome, Solver, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How long one question to the solver may take, in milliseconds.
const PATIENCE: u64 = 10_000;

/// Calls inside of calls.
const DEPTH: usize = 24;

/// Where a walk is in one function: before the statement of this number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Position {
    function: FunctionId,
    block: BlockId,
    index: usize,
}

/// A place where invariants stand: the positions of all calls that are open, and whether it is the trace point there.
type PlaceKey = (Vec<Position>, bool);

#[derive(Clone)]
struct Frame<'p> {
    at: Position,
    /// Where the result goes, in the caller.
    result: Option<&'p Lvalue>,
}

/// A way so far. Locals are told apart by the depth of their call.
#[derive(Clone)]
struct State<'p> {
    frames: Vec<Frame<'p>>,
    locals: BTreeMap<(usize, LocalId), TermId>,
    globals: BTreeMap<GlobalId, TermId>,
    path: Vec<TermId>,
}

pub(crate) struct Walk<'a, 'p> {
    program: &'p Program,
    entry: FunctionId,
    invariants: &'a [(&'a str, Predicate)],
    statement: &'a Statement,
    deadline: &'a Deadline,
    pool: TermPool,
    symbols: usize,
    bodies: BTreeMap<FunctionId, (Cfg<'p>, BTreeSet<BlockId>)>,
    /// What globals hold that nobody changes, and all of them at the start, where that is known.
    constants: BTreeMap<GlobalId, TermId>,
    initial: BTreeMap<GlobalId, TermId>,
    open: VecDeque<PlaceKey>,
    places: BTreeSet<PlaceKey>,
    /// Names of places that were come to.
    named: BTreeSet<String>,
    /// For each claim how often it was shown, and why it is left aside.
    shown: Vec<usize>,
    aside: BTreeMap<usize, String>,
    ways: usize,
}

fn not_read<T>(what: impl Into<String>) -> Result<T, Stopped> {
    Err(Stopped::NotRead(what.into()))
}

impl<'a, 'p> Walk<'a, 'p> {
    pub fn new(
        program: &'p Program,
        entry: FunctionId,
        invariants: &'a [(&'a str, Predicate)],
        statement: &'a Statement,
        conditions: Conditions,
        deadline: &'a Deadline,
    ) -> Result<Walk<'a, 'p>, Stopped> {
        for (_, predicate) in invariants {
            if !predicate.divisors().iter().all(|term| matches!(term, logic::Term::Const(_))) {
                return not_read("an invariant that divides by a variable");
            }
        }
        let mut walk = Walk {
            program,
            entry,
            invariants,
            statement,
            deadline,
            pool: TermPool::new(),
            symbols: 0,
            bodies: BTreeMap::new(),
            constants: BTreeMap::new(),
            initial: BTreeMap::new(),
            open: VecDeque::new(),
            places: BTreeSet::new(),
            named: BTreeSet::new(),
            shown: vec![0; statement.claims.len()],
            aside: BTreeMap::new(),
            ways: 0,
        };
        walk.read_globals(conditions);
        Ok(walk)
    }

    /// What globals hold before anything happens.
    fn read_globals(&mut self, conditions: Conditions) {
        let program = self.program;
        let mut changed = BTreeSet::new();
        for (_, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                let target = match &stmt.kind {
                    StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
                    StmtKind::Call { result, .. } => result.as_ref(),
                    _ => None,
                };
                let addressed = stmt.exprs().into_iter().flat_map(addresses);
                changed.extend(target.into_iter().chain(addressed).filter_map(|lvalue| match lvalue.base {
                    Base::Global(id) => Some(id),
                    _ => None,
                }));
            });
        }
        for item in program.globals.values().flat_map(|global| &global.init).flat_map(|init| &init.items) {
            if let InitValue::Expr(value) = &item.value {
                changed.extend(addresses(value).into_iter().filter_map(|lvalue| match lvalue.base {
                    Base::Global(id) => Some(id),
                    _ => None,
                }));
            }
        }
        for (id, global) in program.globals.iter() {
            let Some(init) = &global.init else { continue };
            if program.types.int_kind(global.ty).is_none() || global.is_volatile {
                continue;
            }
            let value = match &init.items[..] {
                [] => Some(0),
                [item] => match &item.value {
                    InitValue::Expr(Expr { kind: ExprKind::Int(value), .. }) => Some(*value),
                    _ => None,
                },
                _ => None,
            };
            let Some(value) = value else { continue };
            if conditions.initial_globals || global.is_const {
                self.initial.insert(id, self.pool.int(value));
                if !changed.contains(&id) {
                    self.constants.insert(id, self.pool.int(value));
                }
            }
        }
    }

    pub fn run(&mut self) -> Result<(), Stopped> {
        if self.program.functions[self.entry].body.is_none() {
            return not_read("an entry without a body");
        }
        let start = Position { function: self.entry, block: BlockId::from_u32(0), index: 0 };
        let mut state = self.anything(&[start])?;
        for (id, value) in self.initial.clone() {
            state.globals.insert(id, value);
        }
        self.follow(state, false)?;
        while let Some(place) = self.open.pop_front() {
            let mut state = self.anything(&place.0)?;
            let known = self.invariants_at(&state, place.1)?;
            state.path.extend(known.into_iter().map(|(_, term)| term));
            if place.1
                && let Some(top) = state.frames.last_mut()
            {
                top.at.index += 1;
            }
            self.follow(state, true)?;
        }
        Ok(())
    }

    /// A place of the certificate that no way came to.
    pub fn unread_place(&self) -> Option<&'a str> {
        self.invariants.iter().map(|(place, _)| *place).find(|place| !self.named.contains(*place))
    }

    pub fn outcome(self) -> Reading {
        let (mut claims, mut others) = (Vec::new(), Vec::new());
        for (number, shown) in self.shown.into_iter().enumerate() {
            match (self.aside.get(&number), shown) {
                (Some(why), _) => others.push((number, why.clone())),
                (None, 0) => others.push((number, "no operation or assertion of this kind was met there".to_string())),
                (None, _) => claims.push(number),
            }
        }
        let read = self.invariants.iter().filter(|(place, _)| self.named.contains(*place));
        Reading::Checked { invariants: read.count(), claims, others }
    }

    fn body(&mut self, function: FunctionId) -> &(Cfg<'p>, BTreeSet<BlockId>) {
        let program = self.program;
        self.bodies.entry(function).or_insert_with(|| {
            let cfg = Cfg::new(program, function).expect("a function with a body should have a control-flow graph");
            let loops = Loops::new(&cfg);
            let entries = loops.loops.values().flat_map(|node| node.entries.iter().copied());
            let heads = entries.filter(|head| !leads_to_trace(&cfg, *head)).collect();
            (cfg, heads)
        })
    }

    fn symbol(&mut self, kind: IntKind, path: &mut Vec<TermId>) -> TermId {
        self.symbols += 1;
        let symbol = self.pool.var(&format!("v{}", self.symbols), SortId::INT);
        path.push(terms::in_range(&self.pool, kind, symbol));
        symbol
    }

    fn kind(&self, ty: TypeId) -> Result<IntKind, Stopped> {
        match self.program.types.int_kind(ty) {
            Some(kind) => terms::readable(kind),
            None => not_read(match self.program.types.get(ty) {
                Type::Pointer { .. } => "a pointer",
                Type::Float(_) => "a floating value",
                _ => "an array or a record",
            }),
        }
    }

    /// A state of which nothing is known, with these calls open.
    fn anything(&mut self, positions: &[Position]) -> Result<State<'p>, Stopped> {
        let program = self.program;
        let mut state =
            State { frames: Vec::new(), locals: BTreeMap::new(), globals: BTreeMap::new(), path: Vec::new() };
        for (depth, at) in positions.iter().enumerate() {
            let result = match positions.get(depth.wrapping_sub(1)).filter(|_| depth > 0) {
                None => None,
                Some(caller) => {
                    let (cfg, _) = self.body(caller.function);
                    let call: &'p Stmt = cfg.blocks[caller.block].stmts[caller.index - 1];
                    if let StmtKind::Call { result, .. } = &call.kind { result.as_ref() } else { None }
                }
            };
            state.frames.push(Frame { at: *at, result });
            self.make_locals(&mut state, depth, at.function);
        }
        for (id, global) in program.globals.iter() {
            if let (Some(kind), false) = (program.types.int_kind(global.ty), global.is_volatile) {
                let value = match self.constants.get(&id) {
                    Some(value) => *value,
                    None => self.symbol(kind, &mut state.path),
                };
                state.globals.insert(id, value);
            }
        }
        Ok(state)
    }

    fn make_locals(&mut self, state: &mut State<'p>, depth: usize, function: FunctionId) {
        for (id, local) in self.program.functions[function].locals.iter() {
            if let (Some(kind), false) = (self.program.types.int_kind(local.ty), local.is_volatile) {
                let symbol = self.symbol(kind, &mut state.path);
                state.locals.insert((depth, id), symbol);
            }
        }
    }

    // ----- what is asked -----

    /// Whether something follows from what is known; a model says that it does not.
    fn follows(&self, state: &State, goal: TermId) -> Result<bool, Stopped> {
        if self.deadline.is_over() {
            return not_read("all of it: the time is over");
        }
        let left = u64::try_from(self.deadline.left().as_millis()).unwrap_or(u64::MAX).clamp(1, PATIENCE);
        let mut solver = Solver::new(&self.pool);
        solver.set_budget(Budget::millis(left));
        state.path.iter().for_each(|term| solver.assert(*term));
        solver.assert(self.pool.not(goal));
        match solver.check() {
            Outcome::Unsat { .. } => Ok(true),
            Outcome::Sat(_) => Ok(false),
            Outcome::Unknown { .. } => not_read("arithmetic that the solver gives up on"),
        }
    }

    /// Shows the claims of one text that stand at a place of the source, and goes on as if it held.
    fn claim(&mut self, state: &mut State<'p>, text: &str, span: Span, holds: TermId) -> Result<(), Stopped> {
        let line = self.program.sources.used(span).map_or(0, |region| region.start.line);
        for number in 0..self.statement.claims.len() {
            let claim = &self.statement.claims[number];
            if claim.text != text || claim.line != line || self.aside.contains_key(&number) {
                continue;
            }
            if self.follows(state, holds)? {
                self.shown[number] += 1;
            } else if claim.steps > 1 {
                self.aside.insert(number, format!("it needs {} steps of induction", claim.steps));
            } else {
                return Err(Stopped::Rejected(format!("`{text}` at line {line} does not follow from the invariants")));
            }
        }
        state.path.push(holds);
        Ok(())
    }

    /// The invariants of the place that a state is at, as they are of its values.
    fn invariants_at(&mut self, state: &State<'p>, is_trace: bool) -> Result<Vec<(String, TermId)>, Stopped> {
        let program = self.program;
        let (depth, at) = match state.frames.last() {
            Some(frame) => (state.frames.len() - 1, frame.at),
            None => return Ok(Vec::new()),
        };
        let (cfg, _) = self.body(at.function);
        let block: &BasicBlock<'p> = &cfg.blocks[at.block];
        let stmt: Option<&'p Stmt> = block.stmts.get(at.index).copied().or(block.terminator.stmt());
        let (head, scope) = (block.loop_head, block.loop_head.or(stmt.map(|stmt| stmt.id)));
        let function = &program.functions[at.function];
        let (name, trace) = match stmt.filter(|_| is_trace).map(|stmt| &stmt.kind) {
            Some(StmtKind::Trace(point)) => (point.name.clone(), Some(point)),
            _ => {
                let mut span = stmt.map(|stmt| stmt.span);
                function.body.iter().for_each(|body| {
                    body.walk(&mut |stmt| {
                        if Some(stmt.id) == head {
                            span = Some(stmt.span);
                        }
                    });
                });
                let line = span.and_then(|span| program.sources.used(span)).map(|region| region.start.line);
                (line.map_or(String::new(), |line| format!("loop at line {line}")), None)
            }
        };
        let wanted: Vec<&Predicate> =
            self.invariants.iter().filter(|(place, _)| *place == name).map(|(_, predicate)| predicate).collect();
        self.named.insert(name.clone());
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut names: BTreeMap<String, TermId> = BTreeMap::new();
        for (id, global) in program.globals.iter().filter(|(_, global)| global.kind == GlobalKind::Variable) {
            if let Some(value) = state.globals.get(&id) {
                names.insert(global.name.clone(), *value);
            }
        }
        let locals = scope.map_or_else(|| function.params.clone(), |stmt| function.in_scope(stmt));
        for local in locals {
            let about = &function.locals[local];
            if about.name.is_empty() || about.kind == LocalKind::Temporary {
                continue;
            }
            // An inner variable hides the outer one, also where its values are not read.
            names.remove(&about.name);
            if let Some(value) = state.locals.get(&(depth, local)) {
                names.insert(about.name.clone(), *value);
            }
        }
        if let Some(TracePoint { values, .. }) = trace {
            let mut state = state.clone();
            for (name, value) in values {
                names.remove(name);
                if self.kind(value.ty).is_ok() {
                    let term = self.value(&mut state, value)?;
                    names.insert(name.clone(), term);
                }
            }
        }
        let mut found = Vec::new();
        for predicate in wanted {
            match predicate.to_smt(&self.pool, &|name| names.get(name).copied()) {
                Ok(term) => found.push((predicate.to_string(), term)),
                Err(why) => return not_read(format!("the invariant `{predicate}`: {why}")),
            }
        }
        Ok(found)
    }

    /// Comes to a place: its invariants must hold, and it is looked at from there.
    fn arrive(&mut self, state: &State<'p>, is_trace: bool) -> Result<(), Stopped> {
        for (text, term) in self.invariants_at(state, is_trace)? {
            if !self.follows(state, term)? {
                return Err(Stopped::Rejected(format!("`{text}` is not inductive")));
            }
        }
        let place = (state.frames.iter().map(|frame| frame.at).collect(), is_trace);
        if self.places.insert(place.clone()) {
            self.open.push_back(place);
        }
        Ok(())
    }

    // ----- the walk -----

    /// Follows every way from a state to the next places; the state itself is no place any more if it has `left` one.
    fn follow(&mut self, state: State<'p>, left: bool) -> Result<(), Stopped> {
        let mut open = vec![(state, left)];
        while let Some((mut state, left)) = open.pop() {
            self.ways += 1;
            if self.ways > WAYS {
                return not_read("a program of so many ways");
            }
            let mut left = left;
            while let Some(frame) = state.frames.last() {
                let at = frame.at;
                let (cfg, heads) = self.body(at.function);
                let is_head = at.index == 0 && heads.contains(&at.block) && !left;
                let block: &BasicBlock<'p> = &cfg.blocks[at.block];
                if is_head {
                    self.arrive(&state, false)?;
                    break;
                }
                left = false;
                if let Some(stmt) = block.stmts.get(at.index).copied() {
                    if matches!(stmt.kind, StmtKind::Trace(_)) {
                        self.arrive(&state, true)?;
                        break;
                    }
                    if !self.statement(&mut state, stmt)? {
                        break;
                    }
                    continue;
                }
                let terminator = block.terminator.clone();
                if !self.leave(&mut state, terminator, &mut open)? {
                    break;
                }
            }
        }
        Ok(())
    }

    fn go(state: &mut State, block: BlockId) {
        if let Some(top) = state.frames.last_mut() {
            (top.at.block, top.at.index) = (block, 0);
        }
    }

    /// Does a statement; whether the way goes on.
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) -> Result<bool, Stopped> {
        if let Some(top) = state.frames.last_mut() {
            top.at.index += 1;
        }
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                let value = self.value(state, value)?;
                self.store(state, target, value)?;
            }
            StmtKind::Zero(target) => {
                let zero = self.pool.int(0);
                self.store(state, target, zero)?;
            }
            StmtKind::Live(local) => {
                let depth = state.frames.len() - 1;
                let function = state.frames[depth].at.function;
                if let Some(kind) = self.program.types.int_kind(self.program.functions[function].locals[*local].ty) {
                    let symbol = self.symbol(kind, &mut state.path);
                    state.locals.insert((depth, *local), symbol);
                }
            }
            StmtKind::Assume(cond) => {
                let value = self.value(state, cond)?;
                state.path.push(terms::is_true(&self.pool, value));
            }
            StmtKind::Assert { cond, text, .. } => {
                let value = self.value(state, cond)?;
                let holds = terms::is_true(&self.pool, value);
                self.claim(state, text, stmt.span, holds)?;
            }
            StmtKind::Call { result, callee, args } => return self.call(state, result.as_ref(), callee, args),
            StmtKind::Unordered(open) => {
                return not_read(format!("an order of evaluation that is open: {}", open.what));
            }
            StmtKind::Unsupported(what) => return not_read(what.clone()),
            StmtKind::Trace(_) => {}
            _ => return not_read("a statement inside of a statement"),
        }
        Ok(true)
    }

    fn call(
        &mut self,
        state: &mut State<'p>,
        result: Option<&'p Lvalue>,
        callee: &'p Callee,
        args: &'p [Expr],
    ) -> Result<bool, Stopped> {
        let program = self.program;
        let id = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(_) => return not_read("a call through a pointer"),
            Callee::Intrinsic(Intrinsic::Nondet) => {
                if let Some(target) = result {
                    let kind = self.kind(target.ty)?;
                    let symbol = self.symbol(kind, &mut state.path);
                    self.store(state, target, symbol)?;
                }
                return Ok(true);
            }
            Callee::Intrinsic(_) => return not_read("an argument list of variable length"),
        };
        let function = &program.functions[id];
        if function.body.is_none() {
            return match function.name.as_str() {
                "exit" | "_exit" | "_Exit" | "abort" => {
                    for arg in args {
                        self.value(state, arg)?;
                    }
                    Ok(false)
                }
                name => not_read(format!("a call of `{name}`, which has no body")),
            };
        }
        if state.frames.iter().any(|frame| frame.at.function == id) {
            return not_read(format!("`{}`, which calls itself", function.name));
        }
        let as_taken = |(param, arg): (&LocalId, &Expr)| program.types.matches(function.locals[*param].ty, arg.ty);
        let agrees = args.len() == function.params.len() && function.params.iter().zip(args).all(as_taken);
        if state.frames.len() >= DEPTH || !agrees {
            return not_read(format!("this call of `{}`", function.name));
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(self.value(state, arg)?);
        }
        let depth = state.frames.len();
        let at = Position { function: id, block: BlockId::from_u32(0), index: 0 };
        state.frames.push(Frame { at, result });
        self.make_locals(state, depth, id);
        for (param, value) in function.params.iter().zip(values) {
            self.kind(function.locals[*param].ty)?;
            state.locals.insert((depth, *param), value);
        }
        Ok(true)
    }

    /// Follows the end of a block; whether the way goes on. Other ways are put on the list.
    fn leave(
        &mut self,
        state: &mut State<'p>,
        terminator: Terminator<'p>,
        open: &mut Vec<(State<'p>, bool)>,
    ) -> Result<bool, Stopped> {
        match terminator {
            Terminator::Goto(to) => Self::go(state, to),
            Terminator::Branch { cond, then, otherwise, .. } => {
                let value = self.value(state, cond)?;
                let holds = terms::is_true(&self.pool, value);
                self.part(state, &[(holds, then), (self.pool.not(holds), otherwise)], open);
                return Ok(false);
            }
            Terminator::Switch { value, arms, targets, default, .. } => {
                let value = self.value(state, value)?;
                let mut ways = Vec::new();
                let mut none = Vec::new();
                for (arm, to) in arms.iter().zip(targets) {
                    let pool = &self.pool;
                    let (low, high) = (pool.int(arm.low), pool.int(arm.high));
                    let taken = pool.and(&[pool.le(low, value), pool.le(value, high)]);
                    none.push(pool.not(taken));
                    ways.push((taken, to));
                }
                ways.push((self.pool.and(&none), default));
                self.part(state, &ways, open);
                return Ok(false);
            }
            Terminator::Return(stmt) => {
                let value = match stmt.map(|stmt| &stmt.kind) {
                    Some(StmtKind::Return(Some(value))) => {
                        let wanted = self.program.types.int_kind(value.ty).is_some();
                        if wanted {
                            Some(self.value(state, value)?)
                        } else {
                            return not_read("a result that is no integer");
                        }
                    }
                    _ => None,
                };
                let frame = state.frames.pop().expect("a way should be in a function");
                if state.frames.is_empty() {
                    return Ok(false);
                }
                match (frame.result, value) {
                    (Some(target), Some(value)) => self.store(state, target, value)?,
                    (Some(_), None) => return not_read("a function that returns no value where one is used"),
                    (None, _) => {}
                }
            }
            Terminator::Stop(Stop::NoReturn) => return Ok(false),
            Terminator::Stop(Stop::Unsupported) => return not_read("something that has no model"),
        }
        Ok(true)
    }

    fn part(&self, state: &State<'p>, ways: &[(TermId, BlockId)], open: &mut Vec<(State<'p>, bool)>) {
        for (condition, to) in ways {
            if *condition == self.pool.bool(false) {
                continue;
            }
            let mut state = state.clone();
            state.path.push(*condition);
            Self::go(&mut state, *to);
            open.push((state, false));
        }
    }

    // ----- values -----

    fn cell<'s>(&self, state: &'s mut State<'p>, lvalue: &Lvalue) -> Result<&'s mut TermId, Stopped> {
        let depth = state.frames.len() - 1;
        if !lvalue.path.is_empty() {
            return not_read("an array or a record");
        }
        let found = match lvalue.base {
            Base::Local(id) => state.locals.get_mut(&(depth, id)),
            Base::Global(id) => state.globals.get_mut(&id),
            Base::Deref(_) => return not_read("a pointer"),
        };
        match found {
            Some(cell) => Ok(cell),
            None => not_read("a variable that is no plain integer"),
        }
    }

    fn store(&mut self, state: &mut State<'p>, target: &Lvalue, value: TermId) -> Result<(), Stopped> {
        self.kind(target.ty)?;
        *self.cell(state, target)? = value;
        Ok(())
    }

    /// The value of an expression; what must hold for it is claimed where the certificate says so, and then known.
    fn value(&mut self, state: &mut State<'p>, expr: &Expr) -> Result<TermId, Stopped> {
        self.guarded(state, expr, &[])
    }

    /// The same where an expression is evaluated under conditions only.
    fn guarded(&mut self, state: &mut State<'p>, expr: &Expr, guards: &[TermId]) -> Result<TermId, Stopped> {
        let given = match &expr.kind {
            ExprKind::Int(value) => {
                self.kind(expr.ty)?;
                Given::plain(self.pool.int(*value))
            }
            ExprKind::Load(lvalue) => {
                self.kind(lvalue.ty)?;
                Given::plain(*self.cell(state, lvalue)?)
            }
            ExprKind::Unary(op, inner) => {
                let kind = self.kind(inner.ty)?;
                let value = self.guarded(state, inner, guards)?;
                terms::unary(&self.pool, *op, kind, value)?
            }
            ExprKind::Binary(op, a, b) => {
                let kind = self.kind(a.ty)?;
                let (left, right) = (self.guarded(state, a, guards)?, self.guarded(state, b, guards)?);
                terms::binary(&self.pool, *op, kind, left, right, constant(b))?
            }
            ExprKind::Logical(op, a, b) => {
                let left = self.guarded(state, a, guards)?;
                let left = terms::is_true(&self.pool, left);
                let asked = if *op == LogicalOp::And { left } else { self.pool.not(left) };
                let right = self.guarded(state, b, &with(guards, asked))?;
                let right = terms::is_true(&self.pool, right);
                let both = [left, right];
                let holds = if *op == LogicalOp::And { self.pool.and(&both) } else { self.pool.or(&both) };
                Given::plain(terms::truth(&self.pool, holds))
            }
            ExprKind::Conditional(cond, a, b) => {
                self.kind(expr.ty)?;
                let cond = self.guarded(state, cond, guards)?;
                let holds = terms::is_true(&self.pool, cond);
                let then = self.guarded(state, a, &with(guards, holds))?;
                let other = self.guarded(state, b, &with(guards, self.pool.not(holds)))?;
                Given::plain(self.pool.ite(holds, then, other))
            }
            ExprKind::Convert { value, .. } => {
                let (from, to) = (self.kind(value.ty)?, self.kind(expr.ty)?);
                let inner = self.guarded(state, value, guards)?;
                let keeps = to != IntKind::Bool && to.contains(from.min()) && to.contains(from.max());
                if !keeps && to.is_signed() && to != IntKind::Bool {
                    // Whether such a conversion wraps or is assumed to fit is for the prover's model of integers.
                    return not_read("a conversion to a signed type that does not hold all values");
                }
                Given::plain(if keeps { inner } else { terms::wrapped(&self.pool, to, inner) })
            }
            ExprKind::AddressOf(_) | ExprKind::Function(_) => return not_read("a pointer"),
            ExprKind::Float(_) | ExprKind::Extended(_) => return not_read("a floating value"),
        };
        for (text, need) in given.needs {
            let need = match guards {
                [] => need,
                _ => self.pool.implies(self.pool.and(guards), need),
            };
            self.claim(state, text, expr.span, need)?;
        }
        Ok(given.value)
    }
}

fn with(guards: &[TermId], one: TermId) -> Vec<TermId> {
    guards.iter().copied().chain([one]).collect()
}

/// The number that an expression is, under conversions that keep it.
fn constant(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Convert { value, .. } => constant(value).filter(|value| (0..128).contains(value)),
        _ => None,
    }
}

/// The objects whose addresses an expression takes.
fn addresses(expr: &Expr) -> Vec<&Lvalue> {
    let mut found = Vec::new();
    expr.walk(&mut |part| {
        if let ExprKind::AddressOf(lvalue) = &part.kind {
            found.push(lvalue);
        }
    });
    found
}

/// Whether a block does nothing but lead on to a trace point, which is then the place.
fn leads_to_trace(cfg: &Cfg, block: BlockId) -> bool {
    let mut now = block;
    for _ in 0..8 {
        let contents = &cfg.blocks[now];
        if let Some(first) = contents.stmts.first() {
            return matches!(first.kind, StmtKind::Trace(_));
        }
        now = match &contents.terminator {
            Terminator::Goto(to) => *to,
            Terminator::Branch { cond, then, otherwise, .. } => match cond.kind {
                ExprKind::Int(value) => {
                    if value != 0 {
                        *then
                    } else {
                        *otherwise
                    }
                }
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}
