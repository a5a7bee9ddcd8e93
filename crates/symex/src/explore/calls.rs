//! Calls: frames of functions that have a body, models of those that have none, and the calls of a scenario.

use super::access::Place;
use super::arithmetic;
use super::engine::{Engine, MOST_GLOBAL};
use super::inputs::{InputBuilder, scalar};
use super::library;
use super::memory::{Kind, Life, Object};
use super::path::{Assignment, PathCondition};
use super::scenario::{Argument, Call, Scenario};
use super::state::{Asked, Frame, Loss, Meeting, Returned, Slot, State};
use super::step::{Eval, Halt, Step};
use super::value::{Integer, Offset, Pointer, Target, Truth, Value};
use crate::number::{Number, Range};
use diagnostics::{Rule, Span};
use exec::Scalar;
use exec::ValueType;
use exec::memory::Fault;
use exec::vm::Class;
use ir::{BinaryOp, Callee, EntityRef, Expr, ExprKind, FunctionId, GlobalId, IntKind, Intrinsic, Lvalue, Type, TypeId};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// How far a call statement is.
pub enum Called {
    /// The callee runs now; the statement is finished when it returns.
    Inside,
    Done,
}

/// An argument that was evaluated.
#[derive(Clone, Debug)]
pub enum Passed {
    Scalar(Value),
    /// A record to be copied.
    Record(Place, u64),
}

impl<'p> Step<'_, 'p> {
    pub fn call(&mut self, result: Option<&'p Lvalue>, callee: &'p Callee, args: &'p [Expr]) -> Eval<Called> {
        if let Some(returned) = self.state.returned.clone() {
            self.receive(result, returned)?;
            self.state.returned = None;
            return Ok(Called::Done);
        }
        let id = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => match self.callee(pointer)? {
                Some(id) => id,
                None => {
                    for arg in args {
                        self.argument(arg)?;
                    }
                    self.enter_call_of(args);
                    self.returns_zero(result)?;
                    return Ok(Called::Done);
                }
            },
            Callee::Intrinsic(intrinsic) => {
                self.intrinsic(*intrinsic, result, args)?;
                return Ok(Called::Done);
            }
        };
        let function = &self.engine.program.functions[id];
        if function.body.is_none() {
            self.enter_call_of(args);
            let value = library::call(self, id, args, result)?;
            if let (Some(target), Some(value)) = (result, value)
                && let Some(class) = Class::of(&self.engine.program.types, target.ty)
            {
                let value = self.fit(value, class)?;
                self.put(target, value, class)?;
            }
            return Ok(Called::Done);
        }
        let mut passed = Vec::new();
        for arg in args {
            passed.push((arg.ty, self.argument(arg)?));
        }
        if self.state.frames.len() >= self.engine.config.max_nesting as usize {
            return Err(Halt::Lost(Loss::Nesting { bound: self.engine.config.max_nesting }));
        }
        if !self.engine.program.call_agrees(id, args) {
            let message = format!("the call does not give `{}` what it takes", function.name);
            return Err(Halt::Fault(Fault::new(Rule::BadCall, message)));
        }
        self.enter_call_of(args);
        self.enter_call(id, passed)?;
        Ok(Called::Inside)
    }

    /// A value of a model in the form of the declared result.
    fn fit(&mut self, value: Value, class: Class) -> Eval<Value> {
        let from = match &value {
            Value::Int(value) => Class::Int(value.kind()),
            Value::Float(value) => Class::Float(value.kind()),
            Value::Pointer(_) => Class::Pointer,
        };
        if from == class { Ok(value) } else { self.convert(value, from, class) }
    }

    /// A function that callers give returns zero: floating values and records are returned otherwise than in a register.
    fn returns_zero(&mut self, result: Option<&'p Lvalue>) -> Eval<()> {
        let Some(target) = result else { return Ok(()) };
        match Class::of(&self.engine.program.types, target.ty) {
            Some(class @ Class::Int(kind)) => self.put(target, Value::int(kind, 0), class),
            Some(class @ Class::Pointer) => self.put(target, Value::Pointer(Pointer::NULL), class),
            _ => Err(self.unsupported("a function of the caller that returns no integer and no pointer")),
        }
    }

    /// The function that is called; none for one that callers give.
    fn callee(&mut self, pointer: &'p Expr) -> Eval<Option<FunctionId>> {
        let to = self.engine.program.types.pointee(pointer.ty);
        let value = self.pointer(pointer)?;
        if let Some(null) = value.null {
            let pool = self.engine.pool.clone();
            self.assume(pool.not(null))?;
            self.engine.demanded.insert(Rule::NullDereference);
        }
        match value.target {
            Target::Function(id) => {
                let types = &self.engine.program.types;
                let fits = to.is_some_and(|to| types.matches(self.engine.program.functions[id].ty, to));
                if fits {
                    return Ok(Some(id));
                }
                let message =
                    format!("`{}` is called through a pointer of another type", self.engine.program.functions[id].name);
                Err(Halt::Fault(Fault::new(Rule::BadCall, message)))
            }
            Target::Nothing => Err(Halt::Fault(Fault::new(Rule::NullDereference, "a call through a null pointer"))),
            Target::Object(object) if self.state.memory.get(object).kind == Kind::Callback => {
                let name = self.state.memory.get(object).name.to_string();
                self.engine.lose(Loss::Callback { name }, self.span);
                Ok(None)
            }
            Target::Object(_) => Err(Halt::Fault(Fault::new(Rule::BadCall, "a call through a pointer to an object"))),
        }
    }

    pub fn argument(&mut self, arg: &'p Expr) -> Eval<Passed> {
        if Class::of(&self.engine.program.types, arg.ty).is_some() {
            return self.value(arg).map(Passed::Scalar);
        }
        let ExprKind::Load(lvalue) = &arg.kind else {
            return Err(self.unsupported("an argument that is no scalar and no object"));
        };
        let size = self.size_of(arg.ty)?;
        let place = self.place(lvalue)?;
        self.check(&place, size, false)?;
        Ok(Passed::Record(place, size))
    }

    /// Makes the frame of a call.
    pub fn enter_call(&mut self, id: FunctionId, passed: Vec<(TypeId, Passed)>) -> Eval<()> {
        self.look_for_meetings(id, &passed);
        let program = self.engine.program;
        let function = &program.functions[id];
        let code = self.engine.code(id);
        let mut locals = Vec::with_capacity(function.locals.len());
        let mut own = Vec::new();
        for (local, declared) in &function.locals {
            locals.push(if code.registers[local] {
                Slot::Register(None)
            } else {
                match program.types.size_of(declared.ty) {
                    None => Slot::Nowhere,
                    Some(size) if size > self.engine.config.max_object => return Err(Halt::Lost(Loss::Memory)),
                    Some(size) => {
                        let object = Object::unset(Kind::Local, size, &declared.name, declared.span);
                        let object = self.state.memory.add(object);
                        own.push(object);
                        Slot::Object(object)
                    }
                }
            });
        }
        let mut passed = passed.into_iter();
        for &param in &function.params {
            let Some((_, value)) = passed.next() else { break };
            let ty = function.locals[param].ty;
            match (value, &locals[param.index()]) {
                (Passed::Scalar(value), slot) => {
                    let class = Class::of(&program.types, ty);
                    let slot = slot.clone();
                    let value = match class {
                        Some(class) => self.fit(value, class)?,
                        None => return Err(self.unsupported("a scalar passed for a record")),
                    };
                    match slot {
                        Slot::Object(object) => {
                            let size = program.types.size_of(ty).unwrap_or(0);
                            self.store_at(object, 0, size, value);
                        }
                        _ => locals[param.index()] = Slot::Register(Some(value)),
                    }
                }
                (Passed::Record(place, size), Slot::Object(object)) => {
                    let to = Place { object: *object, offset: Offset::ZERO, bits: None };
                    self.copy_value(&to, &place, ty, size)?;
                }
                _ => return Err(self.unsupported("a record passed for a scalar")),
            }
        }
        let mut rest = Vec::new();
        for (ty, value) in passed {
            match value {
                Passed::Scalar(value) => rest.push((ty, value)),
                Passed::Record(..) => return Err(self.unsupported("a record among variable arguments")),
            }
        }
        let block = code.cfg.entry();
        self.state.frames.push(Arc::new(Frame {
            function: id,
            block,
            index: 0,
            locals,
            rounds: BTreeMap::new(),
            rest: Arc::new(rest),
            own,
        }));
        *self.engine.visits.entry((id, block)).or_default() += 1;
        Ok(())
    }

    /// Leaves the call with the value of its `return`.
    pub fn leave_call(&mut self, value: Option<&'p Expr>) -> Eval<()> {
        let returned = match value {
            None => Returned::Nothing,
            Some(value) if self.engine.program.types.is_void(value.ty) => Returned::Nothing,
            Some(value) => match self.argument(value)? {
                Passed::Scalar(value) => Returned::Scalar(value),
                Passed::Record(place, size) => {
                    let object =
                        self.state.memory.add(Object::unset(Kind::Local, size, "a returned record", self.span));
                    let to = Place { object, offset: Offset::ZERO, bits: None };
                    self.copy(&to, &place, size)?;
                    Returned::Record(object)
                }
            },
        };
        self.leave_watches();
        let frame = self.state.frames.pop().expect("a call that is left should have a frame");
        for &object in &frame.own {
            let object = self.state.memory.get_mut(object);
            object.life = Life::Ended;
            object.release();
        }
        self.state.returned = Some(returned);
        Ok(())
    }

    fn receive(&mut self, result: Option<&'p Lvalue>, returned: Returned) -> Eval<()> {
        let Some(target) = result else { return Ok(()) };
        match returned {
            Returned::Scalar(value) => {
                let class = Class::of(&self.engine.program.types, target.ty)
                    .ok_or_else(|| self.unsupported("a scalar returned for a record"))?;
                let value = self.fit(value, class)?;
                self.put(target, value, class)
            }
            Returned::Record(object) => {
                let size = self.size_of(target.ty)?;
                let to = self.place(target)?;
                self.copy_value(&to, &Place { object, offset: Offset::ZERO, bits: None }, target.ty, size)
            }
            Returned::Nothing => {
                let message = "the function returned without a value, and the value is used";
                Err(Halt::Fault(Fault::new(Rule::MissingReturn, message)))
            }
        }
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, result: Option<&'p Lvalue>, args: &'p [Expr]) -> Eval<()> {
        match intrinsic {
            Intrinsic::Nondet => {
                let Some(target) = result else {
                    // Nobody wants the answer; it is taken all the same.
                    return self.ask_nondet(ValueType::Int(IntKind::Int)).map(|_| ());
                };
                let Some(ty) = ValueType::of(&self.engine.program.types, target.ty) else {
                    return Err(self.unsupported("an unknown value that is no number"));
                };
                let class = Class::of(&self.engine.program.types, target.ty)
                    .ok_or_else(|| self.unsupported("an unknown value that is no number"))?;
                let (_, value) = scalar(&self.engine.pool, &nondet_name(self.state.asked.nondet.len(), ty), ty);
                self.put(target, value, class)?;
                self.ask_nondet(ty)?;
                Ok(())
            }
            Intrinsic::Alloca => {
                let size = self.int(&args[0])?;
                let size = self.known_int(&size)? as u64;
                if size > self.engine.config.max_object {
                    return Err(Halt::Lost(Loss::Memory));
                }
                let object = Object::unset(Kind::Local, size, "an object of alloca", self.span);
                // The number the object will have, so that nothing changes if the target forks.
                let id = super::memory::ObjectId(self.state.memory.len());
                let target = result.ok_or_else(|| self.unsupported("alloca without a use"))?;
                self.put(target, Value::Pointer(Pointer::to_object(id)), Class::Pointer)?;
                self.state.memory.add(object);
                self.state.frame_mut().own.push(id);
                Ok(())
            }
            Intrinsic::SetJump | Intrinsic::LongJump => Err(self.unsupported("setjmp and longjmp")),
            Intrinsic::Bind => Err(self.unsupported("a pointer to a function inside another function")),
            Intrinsic::VaEnd => Ok(()),
            Intrinsic::VaStart => {
                if self.state.frames.len() == 1 {
                    let name = "...".to_string();
                    return Err(Halt::Lost(Loss::Input { name }));
                }
                let list = self.pointer(&args[0])?;
                let place = self.follow(&list)?;
                let number = self.state.lists.len() as i128;
                self.store(&place, Value::int(IntKind::Int, number), 4)?;
                let cursor = Place { offset: place.offset.plus(&self.engine.pool, Offset::known(4)), ..place };
                self.store(&cursor, Value::int(IntKind::Int, 0), 4)?;
                let rest = self.state.frame().rest.clone();
                Arc::make_mut(&mut self.state.lists).push(rest);
                Ok(())
            }
            Intrinsic::VaCopy => {
                let (to, from) = (self.pointer(&args[0])?, self.pointer(&args[1])?);
                let (to, from) = (self.follow(&to)?, self.follow(&from)?);
                self.copy(&to, &from, 8)
            }
            Intrinsic::VaArg => {
                let list = self.pointer(&args[0])?;
                let place = self.follow(&list)?;
                let target = result.ok_or_else(|| self.unsupported("va_arg without a use"))?;
                let class = Class::of(&self.engine.program.types, target.ty)
                    .ok_or_else(|| self.unsupported("va_arg of a record"))?;
                let (given, value, cursor, next) = self.list_argument(&place)?;
                let fits = match (Class::of(&self.engine.program.types, given), class) {
                    (Some(Class::Int(from)), Class::Int(to)) => from.bytes() == to.bytes(),
                    (from, to) => from == Some(to),
                };
                if !fits {
                    let message = "`va_arg` asks for another type than was passed";
                    return Err(Halt::Fault(Fault::new(Rule::BadCall, message)));
                }
                let value = self.fit(value, class)?;
                self.put(target, value, class)?;
                self.store(&cursor, Value::int(IntKind::Int, next), 4)
            }
        }
    }

    /// The next argument of a list with its type, where its cursor is, and what the cursor becomes.
    fn list_argument(&mut self, place: &Place) -> Eval<(TypeId, Value, Place, i128)> {
        let number = self.load(place, Class::Int(IntKind::Int))?;
        let cursor = Place { offset: place.offset.plus(&self.engine.pool, Offset::known(4)), ..*place };
        let next = self.load(&cursor, Class::Int(IntKind::Int))?;
        let (Value::Int(Integer::Concrete(_, number)), Value::Int(Integer::Concrete(_, next))) = (number, next) else {
            return Err(self.unsupported("a list of arguments that is not known"));
        };
        let value = self.state.lists.get(number as usize).and_then(|rest| rest.get(next as usize)).cloned();
        match value {
            Some((ty, value)) => Ok((ty, value, cursor, next + 1)),
            None => Err(Halt::Fault(Fault::new(Rule::BadCall, "va_arg asks for more arguments than were passed"))),
        }
    }

    /// The arguments that are left of a list.
    pub fn list_rest(&mut self, list: &Pointer) -> Eval<Vec<Value>> {
        let place = self.follow(list)?;
        let number = self.load(&place, Class::Int(IntKind::Int))?;
        let cursor = Place { offset: place.offset.plus(&self.engine.pool, Offset::known(4)), ..place };
        let next = self.load(&cursor, Class::Int(IntKind::Int))?;
        let (Value::Int(Integer::Concrete(_, number)), Value::Int(Integer::Concrete(_, next))) = (number, next) else {
            return Err(self.unsupported("a list of arguments that is not known"));
        };
        let rest = usize::try_from(number).ok().and_then(|number| self.state.lists.get(number));
        let rest = rest.ok_or_else(|| self.unsupported("a list of arguments that is not known"))?;
        Ok(rest.iter().skip(next as usize).map(|(_, value)| value.clone()).collect())
    }

    /// Notes that a `nondet` call was answered.
    fn ask_nondet(&mut self, ty: ValueType) -> Eval<()> {
        let (term, _) = scalar(&self.engine.pool, &nondet_name(self.state.asked.nondet.len(), ty), ty);
        Arc::make_mut(&mut self.state.asked).nondet.push((term, ty));
        Ok(())
    }
}

fn nondet_name(number: usize, ty: ValueType) -> String {
    format!("nondet {number} of {}", ty.c_name())
}

/// Ways for pointers of one call to meet that are tried.
const MOST_MEETINGS: usize = 12;

impl<'p> Engine<'p> {
    /// The state before the first call of the scenario.
    pub fn start(&mut self, scenario: &Scenario) -> State {
        let memory = self.globals();
        let number = self.fresh_number();
        let progress = Arc::new(vec![0; self.goals.sequence_count()]);
        let mut state = State {
            number,
            frames: Vec::new(),
            memory,
            path: PathCondition::default(),
            model: Rc::new(Assignment::new(&self.pool)),
            returned: None,
            asked: Arc::new(Asked::default()),
            trail: None,
            forks: 0,
            steps: 0,
            call: 0,
            progress,
            splits: 0,
            lists: Arc::new(Vec::new()),
            watches: Vec::new(),
            scenario: Arc::new(scenario.clone()),
            meetings: Arc::default(),
        };
        self.open_globals(&mut state);
        state
    }

    /// Gives the globals that are inputs their symbols.
    fn open_globals(&mut self, state: &mut State) {
        let scenario = state.scenario.clone();
        for &id in &scenario.open_globals {
            let object = self.global_object(id);
            let global = &self.program.globals[id];
            let (name, ty) = (global.name.clone(), global.ty);
            let symbols = self.make(state, |builder| builder.fill(&name, ty, object, 0, builder.bounds.depth));
            if !self.inputs.iter().any(|(known, _)| *known == name) {
                self.inputs.push((name, symbols));
            }
        }
        for &id in &scenario.entry_globals {
            self.open_at_entry(state, id);
        }
        // What another unit keeps in them no replay can choose, so that they are no part of a witness.
        for id in self.declared.clone() {
            let global = &self.program.globals[id];
            let (symbol, ty) = (format!("{} of another unit", global.name), global.ty);
            let object = self.global_object(id);
            self.make(state, |builder| builder.fill(&symbol, ty, object, 0, builder.bounds.depth));
        }
    }

    /// A global that holds anything its type allows when the entry is called.
    fn open_at_entry(&mut self, state: &mut State, id: GlobalId) {
        let object = self.global_object(id);
        let global = &self.program.globals[id];
        let (name, ty) = (global.name.clone(), global.ty);
        // What is only declared holds anything already where it can be given, and is a loss where it is touched; what is
        // written to an output stream is let go, whichever it is.
        let is_apart = !self.is_library_object(id) || matches!(name.as_str(), "stdout" | "stderr");
        if global.init.is_none() && is_apart {
            return;
        }
        if global.init.is_none() || self.program.types.size_of(ty).is_none_or(|size| size > MOST_GLOBAL) {
            self.lose(Loss::Globals { name }, global.span);
            return;
        }
        let symbol = format!("{name} on entry");
        let symbols = self.make(state, |builder| builder.fill(&symbol, ty, object, 0, builder.bounds.depth));
        if !self.globals.iter().any(|(known, _)| *known == id) {
            self.globals.push((id, symbols));
        }
    }

    /// Makes inputs in the memory of a state. What could not be given as it might be is lost.
    fn make<T>(&mut self, state: &mut State, build: impl FnOnce(&mut InputBuilder<'_>) -> T) -> T {
        let mut builder = InputBuilder {
            program: self.program,
            pool: &self.pool,
            memory: &mut state.memory,
            bounds: self.config.bounds,
            kind: Kind::Input,
            cut: Vec::new(),
        };
        let made = build(&mut builder);
        let cut = builder.cut;
        for name in cut {
            self.lose(Loss::Input { name }, Span::NONE);
        }
        made
    }

    /// A state without frames makes the next call of its scenario, after a look at what the last one gave.
    pub fn next_call(&mut self, mut state: State) -> Vec<State> {
        let scenario = state.scenario.clone();
        if let Some(returned) = state.returned.take() {
            let made = &scenario.calls[state.call];
            if let Some(expected) = made.expect {
                match self.as_expected(&mut state, &returned, expected) {
                    Ok(true) => {}
                    Ok(false) => {
                        self.endings.finished += 1;
                        return Vec::new();
                    }
                    Err(loss) => {
                        self.lose(loss, Span::NONE);
                        self.endings.lost += 1;
                        return Vec::new();
                    }
                }
            }
            state.call += 1;
        }
        let Some(call) = scenario.calls.get(state.call) else {
            self.endings.finished += 1;
            if let Some(goal) = self.goals.open_finish() {
                self.meet(&state, goal, None);
            }
            return Vec::new();
        };
        if state.call > 0 {
            // Every call starts from the same memory: tests know nothing of each other.
            state.memory = self.globals();
            self.open_globals(&mut state);
            state.lists = Arc::new(Vec::new());
        }
        let mut passed = Vec::new();
        let function = &self.program.functions[call.function];
        for (param, argument) in function.params.iter().zip(&call.args) {
            let local = &function.locals[*param];
            match self.make_argument(&mut state, argument, local.ty) {
                Ok(value) => passed.push((local.ty, value)),
                Err(loss) => {
                    self.lose(loss, local.span);
                    self.endings.lost += 1;
                    return Vec::new();
                }
            }
        }
        // Where pointers are restricted, calls in which they meet may be undefined.
        if !self.config.separate && !self.program.types.has_restricted && scenario.calls.len() == 1 {
            self.park_meetings(&state, call, &passed);
        }
        let mut step = Step { engine: self, state: &mut state, span: function.span, guards: Vec::new() };
        match step.enter_call(call.function, passed) {
            Ok(()) => vec![state],
            Err(halt) => {
                let loss = match halt {
                    Halt::Lost(loss) => loss,
                    _ => Loss::Unsupported { what: format!("a call of `{}`", function.name) },
                };
                self.lose(loss, function.span);
                self.endings.lost += 1;
                Vec::new()
            }
        }
    }

    /// Makes ready the calls in which a pointer leads where an earlier one does, or one element behind that, and the one
    /// in which all lead to one place. Nobody makes them before it matters; what else can meet is lost all the same.
    fn park_meetings(&mut self, state: &State, call: &Call, passed: &[(TypeId, Passed)]) {
        let types = &self.program.types;
        let number = |k: usize| match call.args.get(k)? {
            Argument::Input(name) | Argument::Inputs(name, _) => {
                self.inputs.iter().position(|(known, _)| known == name)
            }
            _ => None,
        };
        let pointer = |k: usize| match &passed[k] {
            (ty, Passed::Scalar(Value::Pointer(pointer @ Pointer { target: Target::Object(object), .. }))) => {
                let is_input = state.memory.get(*object).kind == Kind::Input;
                Some((types.pointee(*ty).filter(|_| is_input)?, *pointer, state.memory.get(*object).size))
            }
            _ => None,
        };
        let mut variants: Vec<Vec<(usize, usize, u64)>> = Vec::new();
        let mut together = Vec::new();
        for later in 0..passed.len() {
            for earlier in 0..later {
                let (Some((to, _, _)), Some((from, _, size))) = (pointer(later), pointer(earlier)) else { continue };
                if !types.matches(to, from) {
                    continue;
                }
                variants.push(vec![(later, earlier, 0)]);
                if !together.iter().any(|(known, _, _)| *known == later) {
                    together.push((later, earlier, 0));
                }
                let element = types.size_of(to).unwrap_or(0);
                if element > 0 && size >= 2 * element {
                    variants.push(vec![(later, earlier, element)]);
                }
            }
        }
        if together.len() > 1 {
            variants.push(together);
        }
        variants.truncate(MOST_MEETINGS);
        let mut parked = Vec::new();
        for variant in variants {
            let (mut state, mut passed, mut meetings) = (state.clone(), passed.to_vec(), Vec::new());
            for (later, earlier, offset) in variant {
                let (Some((_, base, _)), Some(input), Some(with)) = (pointer(earlier), number(later), number(earlier))
                else {
                    continue;
                };
                let moved = Pointer { offset: Offset::known(offset as i64), ..base };
                passed[later].1 = Passed::Scalar(Value::Pointer(moved));
                meetings.push(Meeting { input, with, offset });
            }
            state.meetings = Arc::new(meetings);
            parked.push((state, passed));
        }
        let (function, span) = (call.function, self.program.functions[call.function].span);
        for (mut state, passed) in parked {
            state.number = self.fresh_number();
            let mut step = Step { engine: self, state: &mut state, span, guards: Vec::new() };
            if step.enter_call(function, passed).is_ok() {
                self.parked.push(state);
            }
        }
    }

    /// Whether the result can be what is expected; then it is, from here on.
    fn as_expected(&mut self, state: &mut State, returned: &Returned, expected: Scalar) -> Result<bool, Loss> {
        let Returned::Scalar(value) = returned else { return Ok(false) };
        let pool = self.pool.clone();
        let truth = match (value, expected) {
            (Value::Int(value), Scalar::Int(expected)) => {
                let kind = value.kind();
                arithmetic::compare(&pool, BinaryOp::Eq, value, &Integer::Concrete(kind, kind.wrap(expected)))
            }
            (Value::Float(value), Scalar::Float(expected)) => {
                let expected = super::floats::known(value.kind(), expected);
                super::floats::compare(&pool, BinaryOp::Eq, value, &expected)
            }
            _ => Truth::Concrete(false),
        };
        match truth {
            Truth::Concrete(value) => Ok(value),
            Truth::Symbolic(condition) => {
                let mut step = Step { engine: self, state, span: Span::NONE, guards: Vec::new() };
                match step.assume(condition) {
                    Ok(()) => Ok(true),
                    Err(Halt::Lost(loss)) => Err(loss),
                    Err(_) => Ok(false),
                }
            }
        }
    }

    fn make_argument(&mut self, state: &mut State, argument: &Argument, ty: TypeId) -> Result<Passed, Loss> {
        let types = &self.program.types;
        match argument {
            Argument::Concrete(Scalar::Int(value)) => match types.get(ty) {
                Type::Int(kind) => Ok(Passed::Scalar(Value::int(*kind, *value))),
                Type::Float(kind) => Ok(Passed::Scalar(Value::Float(super::floats::known(*kind, *value as f64)))),
                _ => Ok(Passed::Scalar(Value::Pointer(Pointer::address(*value as i64)))),
            },
            Argument::Concrete(Scalar::Float(value)) => match types.get(ty) {
                Type::Float(kind) => Ok(Passed::Scalar(Value::Float(super::floats::known(*kind, *value)))),
                _ => Err(Loss::Unsupported { what: "a floating argument for another type".to_string() }),
            },
            Argument::Array(values) => {
                let Some(to) = types.pointee(ty) else {
                    return Err(Loss::Unsupported { what: "an array for a parameter that is no pointer".to_string() });
                };
                let size = types.size_of(to).unwrap_or(1);
                let mut object = Object::zeroed(Kind::Input, size * values.len() as u64, "an array", Span::NONE);
                for (k, value) in (0u64..).zip(values) {
                    let value = match (value, types.get(to)) {
                        (Scalar::Int(value), Type::Int(kind)) => Value::int(*kind, *value),
                        (Scalar::Int(value), Type::Float(kind)) => {
                            Value::Float(super::floats::known(*kind, *value as f64))
                        }
                        (Scalar::Float(value), Type::Float(kind)) => Value::Float(super::floats::known(*kind, *value)),
                        _ => return Err(Loss::Unsupported { what: "elements of this type".to_string() }),
                    };
                    super::access::write(&self.pool, &mut object, k * size, size, value);
                }
                let object = state.memory.add(object);
                Ok(Passed::Scalar(Value::Pointer(Pointer::to_object(object))))
            }
            Argument::Input(name) => self.make_input(state, name, ty, None),
            Argument::Inputs(name, count) => self.make_input(state, name, ty, Some(*count)),
            Argument::ArgumentCount => {
                let most = i64::from(self.config.bounds.arguments) + 1;
                let pool = self.pool.clone();
                let range = Range { lo: 0.into(), hi: IntKind::Int.max().into() };
                let number = Number { term: pool.var("argc", pool.bitvec_sort(32)), kind: IntKind::Int, range };
                let at_least = pool.bv_sle(pool.bits(32, 0), number.term);
                let at_most = pool.bv_sle(number.term, pool.bits(32, most));
                let mut step = Step { engine: self, state, span: Span::NONE, guards: Vec::new() };
                for condition in [at_least, at_most] {
                    step.assume(condition).map_err(|_| Loss::Solver)?;
                }
                self.argument_cap = Some(at_most);
                Ok(Passed::Scalar(Value::Int(Integer::Symbolic(number))))
            }
            Argument::Arguments => Ok(Passed::Scalar(self.make_arguments(state))),
            Argument::Environment => {
                self.lose(Loss::Environment, Span::NONE);
                Ok(Passed::Scalar(Value::Pointer(Pointer::NULL)))
            }
        }
    }

    fn make_input(&mut self, state: &mut State, name: &str, ty: TypeId, count: Option<u64>) -> Result<Passed, Loss> {
        let types = &self.program.types;
        let (symbols, passed) = match types.get(ty) {
            Type::Int(_) | Type::Float(_) => {
                let ty = ValueType::of(types, ty).expect("an arithmetic type should have a kind");
                let (term, value) = scalar(&self.pool, name, ty);
                (super::inputs::Symbols::Scalar(term, ty), Passed::Scalar(value))
            }
            Type::Pointer { to, .. } => {
                let (symbols, pointer) =
                    self.make(state, |builder| builder.pointer(name, *to, count, builder.bounds.depth));
                (symbols, Passed::Scalar(Value::Pointer(pointer)))
            }
            Type::Record(_) => {
                let size = types.size_of(ty).unwrap_or(0);
                // The parameter is a copy, and nothing points to this.
                let object = state.memory.add(Object::zeroed(Kind::Local, size, name, Span::NONE));
                let symbols = self.make(state, |builder| builder.fill(name, ty, object, 0, builder.bounds.depth));
                (symbols, Passed::Record(Place { object, offset: Offset::ZERO, bits: None }, size))
            }
            _ => return Err(Loss::Unsupported { what: format!("the parameter `{name}`, whose type") }),
        };
        if !self.inputs.iter().any(|(known, _)| known == name) {
            self.inputs.push((name.to_string(), symbols));
        }
        Ok(passed)
    }

    /// `argv`: the program's name and strings as many as the bounds say, null from the count on.
    fn make_arguments(&mut self, state: &mut State) -> Value {
        let pool = self.pool.clone();
        let count = pool.var("argc", pool.bitvec_sort(32));
        let character = self.program.types.int(self.program.data.char_kind());
        let bound = self.config.bounds.arguments;
        let mut vector = Object::zeroed(Kind::Argument, (u64::from(bound) + 2) * 8, "argv", Span::NONE);
        let mut strings = Vec::new();
        for k in 0..=bound {
            let mut builder = InputBuilder {
                program: self.program,
                pool: &pool,
                memory: &mut state.memory,
                bounds: self.config.bounds,
                kind: Kind::Argument,
                cut: Vec::new(),
            };
            let (mut symbols, mut pointer) = builder.pointer(&format!("argv[{k}]"), character, None, 1);
            let absent = pool.bv_sle(count, pool.bits(32, k));
            pointer.null = Some(absent);
            if let super::inputs::Symbols::Pointer(pointed) = &mut symbols {
                pointed.null = None;
            }
            super::access::write(&pool, &mut vector, u64::from(k) * 8, 8, Value::Pointer(pointer));
            strings.push(symbols);
        }
        vector.horizon = Some((u64::from(bound) + 2) * 8);
        let vector = state.memory.add(vector);
        self.arguments = Some((count, strings));
        Value::Pointer(Pointer::to_object(vector))
    }
}
