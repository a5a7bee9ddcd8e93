//! Calls that need a look at the types: variadic ones, through pointers, of models, and from models back.
//!
//! The 24 bytes of a `va_list` hold the number of the call whose arguments it walks, the position of the next one
//! and a mark. So a list can be copied, passed on and stored like any other object, and one whose call has returned
//! is recognised.

use super::arithmetic;
use super::bytecode::{Code, Site};
use super::machine::{Frame, Machine, Variadic};
use super::model::{Argument, Call, Model};
use super::stop::Stop;
use super::value::{Class, Value};
use crate::Scalar;
use crate::memory::{Address, ObjectKind, StackMark};
use crate::outcome::Limit;
use diagnostics::{Rule, Span};
use ir::arith::Float;
use ir::{FloatKind, FunctionId, IntKind, Signature, TypeId};

/// Whether a call is done or has become a frame that waits to be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entered {
    Frame,
    Done,
}

/// What a call costs in steps, besides the instructions of the callee.
pub(super) const CALL_STEPS: i64 = 8;
/// How deep models may call back into the program that calls models.
const DEEPEST_NESTING: u32 = 200;
/// What a call takes of the stack at least: where it returns to, and the frame pointer of the caller.
const FRAME: u64 = 16;
const LIST_MARK: u64 = 0x7661_5F6C_6973_7400;

impl<'p> Machine<'p> {
    /// Makes the frame of a call whose arguments are laid out from register `base` on.
    #[inline]
    pub(super) fn push_frame(&mut self, code: &'p Code, base: u32, wanted: bool) -> Result<(), Stop> {
        if self.frames.len() >= self.clock.budget.depth as usize {
            return Err(Stop::Limit(Limit::Depth));
        }
        let end = (base + code.registers) as usize;
        if end + 4 > self.registers.len() {
            self.registers.resize((end + 4) * 2, 0);
        }
        let mark = self.memory.stack_mark();
        for object in &code.objects {
            let (name, span) = match object.local {
                Some(local) => {
                    let local = &self.image.program.functions[code.function].locals[local];
                    (local.name.as_str(), local.span)
                }
                None => ("", Span::NONE),
            };
            let made =
                self.memory.push_object(ObjectKind::Local, object.size, object.align, object.is_const, name, span);
            match made {
                Ok(address) => self.registers[base as usize + object.reg as usize] = address.0,
                Err(out) => {
                    self.memory.cut_stack(mark, Span::NONE);
                    return Err(out.into());
                }
            }
        }
        if self.memory.stack_bytes() + self.frames.len() as u64 * FRAME > self.policy.stack {
            return Err(self.out_of_stack(mark));
        }
        self.frames.push(Frame { code, pc: 0, base, mark, variadic: false, wanted });
        Ok(())
    }

    #[cold]
    fn out_of_stack(&mut self, mark: StackMark) -> Stop {
        let (calls, bytes) = (self.frames.len() + 1, self.memory.stack_bytes());
        self.memory.cut_stack(mark, Span::NONE);
        let message = format!("{calls} calls, with {bytes} bytes of variables, need more than the stack has");
        Stop::fault(Rule::StackExhausted, message)
    }

    /// Ends the call that runs; tells whether its result was wanted.
    #[inline]
    pub(super) fn pop_frame(&mut self, span: Span) -> bool {
        let frame = self.frames.pop().expect("a frame should be running");
        if frame.variadic {
            self.variadics.pop();
        }
        if !self.memory.is_at(frame.mark) {
            self.memory.cut_stack(frame.mark, span);
        }
        if !self.landings.is_empty() {
            self.drop_landings();
        }
        frame.wanted
    }

    /// Calls a function by its number with the arguments a site describes, which start at register `window`.
    pub(super) fn enter(&mut self, id: FunctionId, site: &Site, window: u32, wanted: bool) -> Result<Entered, Stop> {
        let function = &self.program().functions[id];
        if function.body.is_none() {
            let Some(model) = self.image.model(id) else {
                let what = format!("call to `{}`, which has no definition and no model", function.name);
                return Err(Stop::Unsupported(what));
            };
            self.call_model(model, site, window)?;
            return Ok(Entered::Done);
        }
        let given = self.window_arguments(site, window);
        self.enter_with(id, given, site.returns_record, window, wanted)
    }

    /// As [`Machine::enter`], for a function with a body and the given arguments.
    pub(super) fn enter_with(
        &mut self,
        id: FunctionId,
        mut given: Vec<Argument>,
        returns_record: bool,
        window: u32,
        wanted: bool,
    ) -> Result<Entered, Stop> {
        let function = &self.program().functions[id];
        let rest = given.split_off(function.params.len().min(given.len()));
        let signature = self.signature(function.ty);
        let values = self.fit_arguments(id, signature, &given, rest.len())?;
        let mut at = window as usize + usize::from(returns_record);
        // A bound argument makes the window longer than the caller left room for.
        let end = at + values.len() * 2 + 2;
        if end > self.registers.len() {
            self.registers.resize(end * 2, 0);
        }
        for (class, value) in values {
            self.registers[at] = value.low();
            at += 1;
            if class.is_some_and(Class::is_wide) {
                self.registers[at] = value.high();
                at += 1;
            }
        }
        let code = self.code(id);
        self.push_frame(code, window, wanted)?;
        if signature.variadic {
            let rest = rest.into_iter().map(|argument| self.keep_record(argument)).collect::<Result<_, Stop>>()?;
            self.variadic_calls += 1;
            self.variadics.push(Variadic { number: self.variadic_calls, arguments: rest, lists: 0 });
            self.frames.last_mut().expect("the frame was just pushed").variadic = true;
        }
        Ok(Entered::Frame)
    }

    /// A record among variable arguments is copied, because the caller may change it while the list is walked.
    fn keep_record(&mut self, argument: Argument) -> Result<Argument, Stop> {
        if Class::of(self.types(), argument.ty).is_some() {
            return Ok(argument);
        }
        let size = self.types().size_of(argument.ty).unwrap_or(0);
        let align = self.types().align_of(argument.ty);
        let copy = self.memory.push_object(ObjectKind::Dynamic, size, align, false, "", Span::NONE)?;
        self.memory.copy(copy, argument.value.as_pointer(), size)?;
        Ok(Argument { ty: argument.ty, value: Value::pointer(copy) })
    }

    fn signature(&self, ty: TypeId) -> &'p Signature {
        self.types().signature(ty).expect("a function should have a function type, because the program is verified")
    }

    /// The arguments in a window, as the site passes them.
    fn window_arguments(&self, site: &Site, window: u32) -> Vec<Argument> {
        let mut at = window as usize + usize::from(site.returns_record);
        let mut arguments = Vec::with_capacity(site.types.len());
        for &ty in &site.types {
            let wide = Class::of(self.types(), ty).is_some_and(Class::is_wide);
            let value = Value::from_registers(self.registers[at], if wide { self.registers[at + 1] } else { 0 });
            arguments.push(Argument { ty, value });
            at += if wide { 2 } else { 1 };
        }
        arguments
    }

    /// The arguments as the parameters of the function take them. Where the caller had no prototype, promoted
    /// arguments are converted to the parameters' types.
    fn fit_arguments(
        &self,
        id: FunctionId,
        signature: &Signature,
        given: &[Argument],
        further: usize,
    ) -> Result<Vec<(Option<Class>, Value)>, Stop> {
        let function = &self.program().functions[id];
        let name = &function.name;
        let (takes, passes) = (function.params.len(), given.len() + further);
        if given.len() < takes || (further > 0 && !signature.variadic) {
            let message = format!("call of `{name}`, which takes {takes} arguments, with {passes}");
            return Err(self.bad_call(id, message));
        }
        let mut values = Vec::with_capacity(takes);
        for (i, (&param, argument)) in function.params.iter().zip(given).enumerate() {
            let wanted = function.locals[param].ty;
            let classes = (Class::of(self.types(), argument.ty), Class::of(self.types(), wanted));
            let value = match classes {
                (Some(from), Some(to)) if from == to => Some(argument.value),
                (Some(Class::Int(from)), Some(Class::Int(to)))
                    if from.bytes() == to.bytes() || (signature.unprototyped && to.bytes() < from.bytes()) =>
                {
                    Some(Value::int(to, argument.value.as_int(from)))
                }
                (Some(from @ Class::Float(FloatKind::Double)), Some(to @ Class::Float(FloatKind::Float)))
                    if signature.unprototyped =>
                {
                    Some(arithmetic::convert(from, to, argument.value)?)
                }
                (None, None) if self.types().matches(argument.ty, wanted) => Some(argument.value),
                _ => None,
            };
            let Some(value) = value else {
                let message = format!(
                    "call of `{name}` with a `{}` for parameter {}, which is a `{}`",
                    ir::print_type(self.program(), None, argument.ty),
                    i + 1,
                    ir::print_type(self.program(), None, wanted)
                );
                return Err(self.bad_call(id, message));
            };
            values.push((classes.1, value));
        }
        Ok(values)
    }

    fn bad_call(&self, id: FunctionId, message: String) -> Stop {
        let function = &self.program().functions[id];
        let fault = crate::memory::Fault::new(Rule::BadCall, message);
        Stop::Fault(fault.with_note(function.span, format!("`{}` is declared here", function.name)))
    }

    /// Calls what a pointer points to.
    pub(super) fn enter_pointer(
        &mut self,
        pointer: Address,
        site: &Site,
        window: u32,
        wanted: bool,
    ) -> Result<Entered, Stop> {
        if let Some((id, first)) = self.bound_at(pointer) {
            return self.enter_bound(
                id,
                first,
                self.window_arguments(site, window),
                site.returns_record,
                window,
                wanted,
            );
        }
        let id = self.function_at(pointer)?;
        let function = &self.program().functions[id];
        // With one and the same type the verifier has seen to the arguments.
        if function.ty == site.ty && site.plain && function.body.is_some() {
            let code = self.code(id);
            self.push_frame(code, window, wanted)?;
            return Ok(Entered::Frame);
        }
        if function.ty != site.ty && function.body.is_some() {
            let (ours, theirs) = (self.signature(site.ty), self.signature(function.ty));
            let classes = (Class::of(self.types(), ours.result), Class::of(self.types(), theirs.result));
            let void = |ty| self.types().is_void(ty);
            let agrees = match classes {
                (Some(Class::Int(a)), Some(Class::Int(b))) => a.bytes() == b.bytes() && a.is_signed() == b.is_signed(),
                (Some(a), Some(b)) => a == b,
                (None, None) if void(ours.result) || void(theirs.result) => void(ours.result) == void(theirs.result),
                (None, None) => self.types().matches(ours.result, theirs.result),
                _ => false,
            };
            if !agrees || (ours.variadic != theirs.variadic && !ours.unprototyped) {
                let message = format!(
                    "call of `{}`, which is a `{}`, through a pointer to `{}`",
                    function.name,
                    ir::print_type(self.program(), None, function.ty),
                    ir::print_type(self.program(), None, site.ty)
                );
                return Err(self.bad_call(id, message));
            }
        }
        self.enter(id, site, window, wanted)
    }

    /// The function and its first argument that a pointer was bound to.
    fn bound_at(&self, pointer: Address) -> Option<(FunctionId, Address)> {
        let index = pointer.as_function()? as usize;
        self.bound.get(index.checked_sub(self.program().functions.len())?).copied()
    }

    fn enter_bound(
        &mut self,
        id: FunctionId,
        first: Address,
        mut given: Vec<Argument>,
        returns_record: bool,
        window: u32,
        wanted: bool,
    ) -> Result<Entered, Stop> {
        let function = &self.program().functions[id];
        let ty = function.locals[function.params[0]].ty;
        given.insert(0, Argument { ty, value: Value::pointer(first) });
        self.enter_with(id, given, returns_record, window, wanted)
    }

    /// A pointer to a function whose first argument is given already. The same pair has the same address.
    pub(super) fn bind(&mut self, function: Address, first: Address) -> Result<Address, Stop> {
        let id = self.function_at(function)?;
        let known = self.bound.iter().rposition(|known| *known == (id, first));
        let index = known.unwrap_or_else(|| {
            self.bound.push((id, first));
            self.bound.len() - 1
        });
        Ok(Address::of_function((self.program().functions.len() + index) as u32))
    }

    pub(super) fn function_at(&self, pointer: Address) -> Result<FunctionId, Stop> {
        if pointer.is_nullish() {
            return Err(Stop::fault(Rule::NullDereference, "call through a null pointer"));
        }
        match pointer.as_function() {
            Some(index) if (index as usize) < self.program().functions.len() => Ok(FunctionId::from_u32(index)),
            _ => {
                let what = self.memory.info(pointer).map_or_else(|| format!("{pointer:?}"), |info| info.title());
                Err(Stop::fault(Rule::BadCall, format!("call through a pointer to {what}, which is no function")))
            }
        }
    }

    /// Runs a model on the arguments in a window, and leaves its result at the window's start.
    pub(super) fn call_model(&mut self, model: Model, site: &Site, window: u32) -> Result<(), Stop> {
        let start = self.arguments.len();
        let mut at = window as usize;
        let mut result = Address::NULL;
        if site.returns_record {
            result = Address(self.registers[at]);
            at += 1;
        }
        for &ty in &site.types {
            let wide = Class::of(self.types(), ty).is_some_and(Class::is_wide);
            let value = Value::from_registers(self.registers[at], if wide { self.registers[at + 1] } else { 0 });
            self.arguments.push(Argument { ty, value });
            at += if wide { 2 } else { 1 };
        }
        let span = self.span();
        let count = site.types.len();
        let mut call = Call { machine: self, span, result, start, count };
        let value = model(&mut call);
        self.arguments.truncate(start);
        let value = value?;
        if !site.returns_record {
            self.registers[window as usize] = value.low();
            self.registers[window as usize + 1] = value.high();
        }
        Ok(())
    }

    /// Calls a function of the program (or a model) from a model: a comparison of `qsort`, a handler of `atexit`.
    /// Scalars go in and come out; `result` is the type the pointer promises to return.
    pub fn call(&mut self, function: Address, arguments: &[Argument]) -> Result<Value, Stop> {
        let bound = self.bound_at(function);
        let id = match bound {
            Some((id, _)) => id,
            None => self.function_at(function)?,
        };
        if self.nesting >= DEEPEST_NESTING {
            return Err(Stop::Limit(Limit::Depth));
        }
        let window = self.frames.last().map_or(0, |frame| frame.base + frame.code.registers);
        let end = window as usize + arguments.len() * 2 + 3;
        if end > self.registers.len() {
            self.registers.resize(end * 2, 0);
        }
        let callee = &self.program().functions[id];
        let result = self.signature(callee.ty).result;
        // A record that nobody asks for has to go somewhere.
        let returns_record = Class::of(self.types(), result).is_none() && !self.types().is_void(result);
        let site = Site {
            model: None,
            ty: callee.ty,
            types: arguments.iter().map(|argument| argument.ty).collect(),
            returns_record,
            plain: false,
        };
        let mut at = window as usize;
        if returns_record {
            let (size, align) = (self.types().size_of(result).unwrap_or(0), self.types().align_of(result));
            let place = self.memory.allocate(ObjectKind::Library, size, align, false, "a result", Span::NONE)?;
            self.registers[at] = place.0;
            at += 1;
        }
        for argument in arguments {
            self.registers[at] = argument.value.low();
            at += 1;
            if Class::of(self.types(), argument.ty).is_some_and(Class::is_wide) {
                self.registers[at] = argument.value.high();
                at += 1;
            }
        }
        let floor = self.frames.len();
        let entered = match bound {
            Some((id, first)) => self.enter_bound(id, first, arguments.to_vec(), false, window, false)?,
            None => self.enter(id, &site, window, false)?,
        };
        if entered == Entered::Frame {
            self.nesting += 1;
            let done = stacker::maybe_grow(256 << 10, 2 << 20, || self.execute(floor));
            self.nesting -= 1;
            done?;
        }
        Ok(Value::from_registers(self.registers[window as usize], self.registers[window as usize + 1]))
    }

    /// Starts a list on the variable arguments of the current call.
    pub(super) fn start_list(&mut self, list: Address) -> Result<(), Stop> {
        let frame = self.frames.last().expect("a frame should be running");
        if !frame.variadic {
            return Err(Stop::fault(Rule::BadCall, "`va_start` in a function without variable arguments"));
        }
        let Some(variadic) = self.variadics.last_mut() else { return Ok(()) };
        let number = variadic.number;
        variadic.lists += 1;
        self.memory.store_u64(list, number)?;
        self.memory.store_u64(list.plus(8), 0)?;
        self.memory.store_u64(list.plus(16), LIST_MARK)?;
        Ok(())
    }

    /// Ends a list, whose bytes have no value from here on.
    pub(super) fn end_list(&mut self, list: Address) -> Result<(), Stop> {
        if let Ok(number) = self.memory.load_u64(list)
            && let Some(variadic) = self.variadics.iter_mut().find(|variadic| variadic.number == number)
        {
            variadic.lists = variadic.lists.saturating_sub(1);
        }
        Ok(self.memory.forget_range(list, 24)?)
    }

    /// Whether the call that runs ends with a list that `va_end` did not see; asked once. GCC does without `va_end`.
    #[cold]
    pub(super) fn leaves_list(&mut self) -> bool {
        let gnu = self.program().data.shifts_wrap;
        self.variadics.last_mut().is_some_and(|variadic| std::mem::take(&mut variadic.lists) > 0) && !gnu
    }

    /// The next argument of a `va_list`; `None` when there is none left.
    pub fn next_of_list(&mut self, list: Address) -> Result<Option<Argument>, Stop> {
        let number = self.memory.load_u64(list)?;
        let position = self.memory.load_u64(list.plus(8))?;
        if self.memory.load_u64(list.plus(16))? != LIST_MARK {
            return Err(Stop::fault(Rule::InvalidPointer, "a `va_list` that `va_start` did not make"));
        }
        let Ok(index) = self.variadics.binary_search_by_key(&number, |variadic| variadic.number) else {
            return Err(Stop::fault(Rule::UseAfterScope, "a `va_list` of a call that has returned"));
        };
        let argument = self.variadics[index].arguments.get(position as usize).copied();
        if argument.is_some() {
            self.memory.store_u64(list.plus(8), position + 1)?;
        }
        Ok(argument)
    }

    /// `va_arg`: the next argument, which must have been passed as the type that is asked for.
    pub(super) fn list_argument(&mut self, list: Address, ty: TypeId) -> Result<Value, Stop> {
        let name = |ty| ir::print_type(self.program(), None, ty);
        let wanted = name(ty);
        let Some(argument) = self.next_of_list(list)? else {
            return Err(Stop::fault(Rule::BadCall, format!("`va_arg` of a `{wanted}`, and no argument is left")));
        };
        let types = self.types();
        let value = match (Class::of(types, argument.ty), Class::of(types, ty)) {
            (Some(Class::Int(from)), Some(Class::Int(to))) if from.bytes() == to.bytes() => {
                Some(Value::int(to, argument.value.as_int(from)))
            }
            (Some(from), Some(to)) if from == to => Some(argument.value),
            (None, None) if types.matches(argument.ty, ty) => Some(argument.value),
            _ => None,
        };
        value.ok_or_else(|| {
            let given = ir::print_type(self.program(), None, argument.ty);
            Stop::fault(Rule::BadCall, format!("`va_arg` of a `{wanted}` where a `{given}` was passed"))
        })
    }

    /// The next input of the program.
    pub(super) fn next_nondet(&mut self, class: Class) -> Value {
        let scalar = self.nondet.get(self.nondet_taken).copied().unwrap_or(Scalar::Int(0));
        self.nondet_taken += 1;
        scalar_value(class, scalar)
    }
}

/// A given number as a value of a class: integers wrap, the others are converted.
pub(super) fn scalar_value(class: Class, scalar: Scalar) -> Value {
    match (class, scalar) {
        (Class::Int(kind), Scalar::Int(int)) => Value::int(kind, int),
        (Class::Int(kind), Scalar::Float(float)) => Value::int(kind, float as i128),
        (Class::Pointer, Scalar::Int(int)) => Value::int(IntKind::ULong, int),
        (Class::Pointer, Scalar::Float(_)) => Value::NONE,
        (Class::Float(kind), Scalar::Int(int)) => Value::floating(Float::from_int(IntKind::Int128, int, kind)),
        (Class::Float(kind), Scalar::Float(float)) => Value::floating(Float::from_f64(kind, float)),
    }
}
