//! Statements and the ways out of blocks: how one path goes on, and where it becomes two.

use super::access::Spot;
use super::arithmetic;
use super::calls::Called;
use super::engine::Engine;
use super::feasibility::Answer;
use super::goals::{GoalId, Met};
use super::memory::{Kind, Object};
use super::state::{Loss, Slot, State, Trail};
use super::step::{Eval, Halt, Sides, Step};
use super::value::{Integer, Truth, Value};
use diagnostics::{Rule, Span};
use exec::memory::Fault;
use exec::vm::Class;
use ir::{
    Arm, AssertKind, BlockId, Branch, EntityRef, Expr, FunctionId, LocalId, Lvalue, OrderKind, Outcome, Stmt, StmtKind,
    Terminator, TracePoint, Type,
};
use smt::TermId;
use std::rc::Rc;
use std::sync::Arc;

/// Blocks a state may run before others get their turn.
const TURN: u32 = 2_000;

/// How often a statement may be run anew without a fork.
const RETRIES: u32 = 10_000;

impl<'p> Engine<'p> {
    /// Runs a state until it forks, ends, meets a goal or has had its turn.
    pub fn advance(&mut self, mut state: State) -> Vec<State> {
        let mut blocks = 0;
        let mut retries = 0;
        loop {
            if state.frames.is_empty() {
                return self.next_call(state);
            }
            let frame = state.frame();
            let (function, block, index) = (frame.function, frame.block, frame.index);
            let code = self.code(function);
            let body = &code.cfg.blocks[block];
            if let Some(&stmt) = body.stmts.get(index as usize) {
                let mut step = Step { engine: self, state: &mut state, span: stmt.span, guards: Vec::new() };
                step.come_to(stmt.span);
                match step.statement(stmt) {
                    Ok(Called::Inside) => {}
                    Ok(Called::Done) => {
                        state.frame_mut().index += 1;
                        state.splits = 0;
                        retries = 0;
                        if !self.goals.met.is_empty() {
                            return vec![state];
                        }
                    }
                    Err(halt) => match self.halted(state, halt, stmt.span, function, Some(stmt)) {
                        Some(mut states) if states.len() == 1 => {
                            state = states.pop().expect("there should be one state, because it was counted");
                            // Every retry knows more than the one before; this many are never needed.
                            retries += 1;
                            if retries > RETRIES {
                                self.give_up(Loss::Values, stmt.span);
                                return Vec::new();
                            }
                        }
                        states => return states.unwrap_or_default(),
                    },
                }
                continue;
            }
            blocks += 1;
            self.blocks_entered += 1;
            state.steps += 1;
            if state.steps > self.config.max_steps {
                self.give_up(Loss::Steps { bound: self.config.max_steps }, Span::NONE);
                return Vec::new();
            }
            let mut states = self.leave_block(state, function, &body.terminator);
            if states.len() != 1 || blocks >= TURN || !self.goals.met.is_empty() {
                return states;
            }
            state = states.pop().expect("there should be one state, because it was counted");
        }
    }

    fn give_up(&mut self, loss: Loss, span: Span) {
        self.lose(loss, span);
        self.endings.lost += 1;
    }

    /// What follows from a statement that stopped; `None` if the path is over.
    fn halted(
        &mut self,
        mut state: State,
        halt: Halt,
        span: Span,
        function: FunctionId,
        stmt: Option<&Stmt>,
    ) -> Option<Vec<State>> {
        if !state.watches.is_empty() && matches!(halt, Halt::Fault(_) | Halt::Excluded | Halt::Exit(_)) {
            Step { engine: self, state: &mut state, span, guards: Vec::new() }.end_inside();
        }
        match halt {
            Halt::Fork(condition) => {
                let (yes, no) = self.fork(state, condition, span);
                Some(yes.into_iter().chain(no).collect())
            }
            Halt::Split { term, value } => {
                let equal = self.pool.eq(term, self.pool.bits(self.pool.width(term), value));
                let (yes, no) = self.fork(state, equal, span);
                let yes = yes.map(|mut state| {
                    state.path.pin(term, value);
                    state
                });
                let no = no.map(|mut state| {
                    state.splits += 1;
                    state
                });
                Some(yes.into_iter().chain(no).collect())
            }
            Halt::Fault(fault) => {
                self.fault(state, fault, span, function, stmt);
                None
            }
            Halt::Lost(loss) => {
                self.give_up(loss, span);
                None
            }
            Halt::Excluded => {
                self.endings.excluded += 1;
                None
            }
            Halt::Exit(_) => {
                self.endings.finished += 1;
                None
            }
        }
    }

    fn fault(&mut self, state: State, fault: Box<Fault>, span: Span, function: FunctionId, stmt: Option<&Stmt>) {
        self.endings.faulted += 1;
        let claim = stmt.filter(|_| fault.rule == Rule::AssertionFailed);
        let goal = claim.and_then(|stmt| self.goals.open_claim(function, stmt.id));
        let told = self.told.entry((span.lo, fault.rule.id())).or_default();
        let error = self.goals.open_error().filter(|_| *told < self.config.max_inputs);
        *told += 1;
        for goal in goal.into_iter().chain(error) {
            self.meet(&state, goal, Some((fault.clone(), span)));
        }
        self.faults.entry((span.lo, fault.rule.id())).or_insert((fault, span));
    }

    /// Tells that a path came to a goal.
    pub fn meet(&mut self, state: &State, goal: GoalId, fault: Option<(Box<Fault>, Span)>) {
        let model = self.readable_model(state);
        let witness = self.witness(state, &model);
        let path = trail(state.trail.as_ref());
        self.goals.met.push(Met { goal, witness, path, fault });
    }

    /// The state on both sides of a condition, as far as they are possible.
    pub fn fork(&mut self, mut state: State, condition: TermId, span: Span) -> (Option<State>, Option<State>) {
        let pool = self.pool.clone();
        let mut step = Step { engine: self, state: &mut state, span, guards: Vec::new() };
        match step.sides(condition) {
            Err(_) => {
                let loss = self.gave_up();
                self.give_up(loss, span);
                (None, None)
            }
            Ok(Sides::Only(true)) => (Some(state), None),
            Ok(Sides::Only(false)) => (None, Some(state)),
            Ok(Sides::Both) => {
                state.forks += 1;
                if state.forks > self.config.max_depth {
                    self.give_up(Loss::Depth { bound: self.config.max_depth }, span);
                    return (None, None);
                }
                let side = state.model.holds(condition) == Some(true);
                let negation = pool.not(condition);
                let (mine, theirs) = if side { (condition, negation) } else { (negation, condition) };
                let mut other = state.clone();
                other.number = self.fresh_number();
                // Asked before, so this only looks the answer up.
                let Answer::Possible(values) = self.feasibility.ask(&other.path, theirs) else {
                    unreachable!("both sides should be possible, because that was the answer just now")
                };
                other.model = Rc::new(other.model.with(&values));
                self.learn(&mut other, theirs);
                self.learn(&mut state, mine);
                if side { (Some(state), Some(other)) } else { (Some(other), Some(state)) }
            }
        }
    }

    fn leave_block(&mut self, mut state: State, function: FunctionId, terminator: &Terminator<'p>) -> Vec<State> {
        match terminator {
            Terminator::Goto(next) => {
                self.enter(&mut state, function, *next);
                vec![state]
            }
            Terminator::Branch { stmt, cond, then, otherwise } => {
                self.branch(state, function, stmt, cond, *then, *otherwise)
            }
            Terminator::Switch { stmt, value, arms, targets, default } => {
                self.switch(state, function, stmt, value, arms, targets, *default)
            }
            Terminator::Return(stmt) => {
                let value = stmt.and_then(|stmt| match &stmt.kind {
                    StmtKind::Return(value) => value.as_ref(),
                    _ => None,
                });
                let span = stmt.map_or(Span::NONE, |stmt| stmt.span);
                let mut step = Step { engine: self, state: &mut state, span, guards: Vec::new() };
                step.come_to(span);
                match step.leave_call(value) {
                    Ok(()) => vec![state],
                    Err(halt) => self.halted(state, halt, span, function, *stmt).unwrap_or_default(),
                }
            }
            Terminator::Stop(_) => {
                // A call that does not come back has ended the path already, unless it did come back.
                self.endings.finished += 1;
                Vec::new()
            }
        }
    }

    pub fn enter(&mut self, state: &mut State, function: FunctionId, block: BlockId) {
        *self.visits.entry((function, block)).or_default() += 1;
        let frame = state.frame_mut();
        frame.block = block;
        frame.index = 0;
    }

    /// Notes the branch and goes where it leads.
    fn take(&mut self, state: &mut State, function: FunctionId, branch: Branch, to: BlockId) {
        state.went(function, branch);
        if let Some(goal) = self.goals.open_branch(function, branch) {
            self.meet(state, goal, None);
        }
        self.enter(state, function, to);
    }

    fn branch(
        &mut self,
        mut state: State,
        function: FunctionId,
        stmt: &'p Stmt,
        cond: &'p Expr,
        then: BlockId,
        otherwise: BlockId,
    ) -> Vec<State> {
        let span = cond.span;
        let mut step = Step { engine: self, state: &mut state, span, guards: Vec::new() };
        step.come_to(span);
        let truth = match step.truth(cond) {
            Ok(truth) => truth,
            Err(halt) => return self.halted(state, halt, span, function, None).unwrap_or_default(),
        };
        let way = |value: bool| {
            let outcome = if value { Outcome::True } else { Outcome::False };
            (Branch { stmt: stmt.id, outcome }, if value { then } else { otherwise })
        };
        let condition = match truth {
            Truth::Concrete(value) => {
                self.feasibility.decisions.trivial += 1;
                let (branch, to) = way(value);
                self.take(&mut state, function, branch, to);
                return vec![state];
            }
            Truth::Symbolic(condition) => condition,
        };
        let mut step = Step { engine: self, state: &mut state, span, guards: Vec::new() };
        match step.sides(condition) {
            Ok(Sides::Only(value)) => {
                let (branch, to) = way(value);
                self.take(&mut state, function, branch, to);
                vec![state]
            }
            Ok(Sides::Both) => {
                if let Some(merged) = self.merge(&state, function, stmt.id, condition, then, otherwise) {
                    return vec![merged];
                }
                if matches!(stmt.kind, StmtKind::Loop(_)) {
                    let here = state.frame().block;
                    let rounds = state.frame_mut().rounds.entry(here).or_insert(0);
                    *rounds += 1;
                    if *rounds > self.config.max_loop {
                        // Only the way out of the loop is followed.
                        self.lose(Loss::Loop { bound: self.config.max_loop }, span);
                        let (_, out) = self.fork(state, condition, span);
                        let mut states = Vec::new();
                        states.extend(out.map(|mut state| {
                            let (branch, to) = way(false);
                            self.take(&mut state, function, branch, to);
                            state
                        }));
                        return states;
                    }
                }
                let (yes, no) = self.fork(state, condition, span);
                let mut states = Vec::new();
                for (side, value) in [(yes, true), (no, false)] {
                    states.extend(side.map(|mut state| {
                        let (branch, to) = way(value);
                        self.take(&mut state, function, branch, to);
                        state
                    }));
                }
                states
            }
            Err(halt) => self.halted(state, halt, span, function, None).unwrap_or_default(),
        }
    }

    #[allow(clippy::too_many_arguments)] // The parts of the terminator, taken apart once.
    fn switch(
        &mut self,
        mut state: State,
        function: FunctionId,
        stmt: &'p Stmt,
        value: &'p Expr,
        arms: &'p [Arm],
        targets: &[BlockId],
        default: BlockId,
    ) -> Vec<State> {
        let span = value.span;
        let mut step = Step { engine: self, state: &mut state, span, guards: Vec::new() };
        step.come_to(span);
        let value = match step.int(value) {
            Ok(value) => value,
            Err(halt) => return self.halted(state, halt, span, function, None).unwrap_or_default(),
        };
        let kind = value.kind();
        let pool = self.pool.clone();
        let matches = |arm: &Arm| -> Truth {
            let low = Integer::Concrete(kind, arm.low);
            let high = Integer::Concrete(kind, arm.high);
            if arm.low == arm.high {
                return arithmetic::compare(&pool, ir::BinaryOp::Eq, &value, &low);
            }
            let above = arithmetic::compare(&pool, ir::BinaryOp::Ge, &value, &low).term(&pool);
            let below = arithmetic::compare(&pool, ir::BinaryOp::Le, &value, &high).term(&pool);
            Truth::of(&pool, pool.and(&[above, below]))
        };
        let mut states = Vec::new();
        let mut rest = Some(state);
        for ((number, arm), target) in (0u32..).zip(arms).zip(targets) {
            let Some(mut state) = rest.take() else { break };
            let branch = Branch { stmt: stmt.id, outcome: Outcome::Arm(number) };
            match matches(arm) {
                Truth::Concrete(false) => {
                    self.feasibility.decisions.trivial += 1;
                    rest = Some(state);
                }
                Truth::Concrete(true) => {
                    self.feasibility.decisions.trivial += 1;
                    self.take(&mut state, function, branch, *target);
                    states.push(state);
                }
                Truth::Symbolic(condition) => {
                    let (yes, no) = self.fork(state, condition, span);
                    if let Some(mut state) = yes {
                        self.take(&mut state, function, branch, *target);
                        states.push(state);
                    }
                    rest = no;
                }
            }
        }
        if let Some(mut state) = rest {
            let branch = Branch { stmt: stmt.id, outcome: Outcome::Default };
            self.take(&mut state, function, branch, default);
            states.push(state);
        }
        states
    }
}

/// The branches of a path, oldest first.
pub fn trail(newest: Option<&Arc<Trail>>) -> Vec<(FunctionId, Branch)> {
    let mut path = Vec::new();
    let mut next = newest;
    while let Some(trail) = next {
        path.push((trail.function, trail.branch));
        next = trail.before.as_ref();
    }
    path.reverse();
    path
}

impl<'p> Step<'_, 'p> {
    pub fn statement(&mut self, stmt: &'p Stmt) -> Eval<Called> {
        match &stmt.kind {
            StmtKind::Assign { target, value } => self.assign(target, value)?,
            StmtKind::Zero(target) => {
                let size = self.size_of(target.ty)?;
                let place = self.place(target)?;
                self.zero(&place, size)?;
            }
            StmtKind::Call { result, callee, args } => return self.call(result.as_ref(), callee, args),
            StmtKind::Live(local) => self.declare(*local)?,
            StmtKind::Assume(condition) => {
                let truth = self.truth(condition)?;
                match truth {
                    Truth::Concrete(true) => {}
                    Truth::Concrete(false) => return Err(Halt::Excluded),
                    Truth::Symbolic(condition) => self.assume(condition)?,
                }
            }
            StmtKind::Assert { cond, kind, text } => self.claim(stmt, cond, *kind, text)?,
            StmtKind::Trace(point) => self.pass(point),
            // The path goes on in one of the orders, and there are others.
            StmtKind::Unordered(open) => match open.kind {
                OrderKind::Open => self.watch(open),
                OrderKind::Undefined => self.engine.lose(Loss::Order { what: open.what.clone() }, stmt.span),
            },
            StmtKind::Unsupported(what) => return Err(self.unsupported(what)),
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Switch { .. }
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(_) => {
                unreachable!("control flow should be in the graph, because that is what it is made of")
            }
        }
        Ok(Called::Done)
    }

    fn assign(&mut self, target: &'p Lvalue, value: &'p Expr) -> Eval<()> {
        let Some(class) = Class::of(&self.engine.program.types, target.ty) else {
            // Whole records and arrays are copied.
            let ir::ExprKind::Load(source) = &value.kind else {
                return Err(self.unsupported("a record that is no copy of another"));
            };
            let size = self.size_of(target.ty)?;
            let from = self.place(source)?;
            let to = self.place(target)?;
            return self.copy_value(&to, &from, target.ty, size);
        };
        let value = self.value(value)?;
        self.put(target, value, class)
    }

    /// Writes a scalar to an lvalue.
    pub fn put(&mut self, target: &'p Lvalue, value: Value, class: Class) -> Eval<()> {
        match self.spot(target)? {
            Spot::Register(local) => {
                self.touch_register(local, true);
                self.state.frame_mut().locals[local.index()] = Slot::Register(Some(value));
                Ok(())
            }
            Spot::Memory(place) => {
                self.store(&place, value, class.bytes())?;
                self.written_as(target, &place);
                self.written_through(target);
                Ok(())
            }
        }
    }

    fn declare(&mut self, local: LocalId) -> Eval<()> {
        let function = &self.engine.program.functions[self.state.frame().function];
        let declared = &function.locals[local];
        match &self.state.frame().locals[local.index()] {
            Slot::Register(_) => self.state.frame_mut().locals[local.index()] = Slot::Register(None),
            Slot::Object(object)
                if !matches!(self.engine.program.types.get(declared.ty), Type::Array { .. })
                    || self.engine.program.types.size_of(declared.ty).is_some() =>
            {
                let object = *object;
                self.state.memory.get_mut(object).forget();
                self.scramble_padding(object, declared.ty);
            }
            _ => {
                let size = self.size_of(declared.ty)?;
                if size > self.engine.config.max_object {
                    return Err(Halt::Lost(Loss::Memory));
                }
                let object = self.state.memory.add(Object::unset(Kind::Local, size, &declared.name, declared.span));
                let frame = self.state.frame_mut();
                frame.locals[local.index()] = Slot::Object(object);
                frame.own.push(object);
            }
        }
        Ok(())
    }

    fn claim(&mut self, stmt: &'p Stmt, cond: &'p Expr, kind: AssertKind, text: &str) -> Eval<()> {
        let truth = self.truth(cond)?;
        let function = self.state.frame().function;
        let wanted = self.engine.goals.open_claim(function, stmt.id).is_some() || self.engine.wants_errors;
        let message = || match kind {
            AssertKind::ReachError => "`reach_error` is reached".to_string(),
            _ => format!("`{text}` does not hold"),
        };
        let holds = match truth {
            Truth::Concrete(value) => value,
            Truth::Symbolic(_) if wanted => self.decide(truth)?,
            Truth::Symbolic(condition) => {
                return match self.assume(condition) {
                    Err(Halt::Excluded) => Err(Halt::Fault(Fault::new(Rule::AssertionFailed, message()))),
                    result => result,
                };
            }
        };
        if holds { Ok(()) } else { Err(Halt::Fault(Fault::new(Rule::AssertionFailed, message()))) }
    }

    fn pass(&mut self, point: &TracePoint) {
        for goal in self.engine.goals.at_point(&point.name) {
            let Some((place, names)) = self.engine.goals.sequence(goal) else {
                self.engine.meet(self.state, goal, None);
                continue;
            };
            let done = self.state.progress[place] as usize;
            if names.get(done) == Some(&point.name) {
                let is_last = done + 1 == names.len();
                Arc::make_mut(&mut self.state.progress)[place] += 1;
                if is_last {
                    self.engine.meet(self.state, goal, None);
                }
            }
        }
    }
}
