//! What all paths of a search share: the program made ready, the solver, the goals, and what was left out.

use super::Config;
use super::feasibility::{Answer, Feasibility};
use super::goals::Goals;
use super::inputs::{Given, Symbols, Witness, read_off, scalar_of};
use super::memory::{Kind, Memory, Object, ObjectId};
use super::path::Assignment;
use super::state::{Loss, Lost, State};
use super::tables::Tables;
use super::value::{Float, Integer, Offset, Pointer, Target, Value};
use diagnostics::{Assumption, Rule, Span};
use exec::Scalar;
use exec::ValueType;
use exec::memory::Fault;
use exec::vm::{self, Class};
use ir::{
    Base, BinaryOp, BlockId, Cfg, EntityRef, Expr, ExprKind, FloatKind, FunctionId, GlobalId, GlobalKind, InitValue,
    IntKind, LocalId, Lvalue, Program, SecondaryMap, Step as Part, StmtKind, Type, UnaryOp,
};
use smt::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A function made ready.
pub struct Code<'p> {
    pub cfg: Cfg<'p>,
    /// Locals that are kept in registers: scalars whose address nobody takes.
    pub registers: SecondaryMap<LocalId, bool>,
}

/// How paths ended, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Endings {
    /// Returned, or exited.
    pub finished: u64,
    /// In undefined behaviour, a broken claim or an abort.
    pub faulted: u64,
    /// An assumption was false.
    pub excluded: u64,
    /// Given up.
    pub lost: u64,
    /// No way on leads to a goal.
    pub pruned: u64,
}

pub struct Engine<'p> {
    pub program: &'p Program,
    pub pool: TermPool,
    pub config: Config,
    pub feasibility: Feasibility,
    pub goals: Goals,
    /// Paths that end in an error are looked for.
    pub wants_errors: bool,
    /// What operations ask to be defined that was simply demanded of a path: the rules that other inputs may break.
    pub demanded: BTreeSet<Rule>,
    pub endings: Endings,
    pub blocks_entered: u64,
    pub merges: u64,
    /// The first fault that ended a path, for the report.
    pub faults: BTreeMap<(u32, &'static str), (Box<Fault>, Span)>,
    /// How many paths came to each of them.
    pub told: BTreeMap<(u32, &'static str), u32>,
    losses: BTreeMap<Loss, Span>,
    codes: Vec<Option<Rc<Code<'p>>>>,
    /// How often each block was entered.
    pub visits: BTreeMap<(FunctionId, BlockId), u64>,
    /// Inputs by name, with their symbols.
    pub inputs: Vec<(String, Symbols)>,
    /// Globals that hold anything when the entry is called, with their symbols.
    pub globals: Vec<(GlobalId, Symbols)>,
    /// Globals that a pointer from outside may lead to.
    pub aliasable: BTreeSet<GlobalId>,
    /// Whether the program runs code that names one of those.
    pub names_aliasable: bool,
    /// Variables of other units or of a library that the program names, and that hold anything.
    pub declared: BTreeSet<GlobalId>,
    /// Calls whose pointers meet, until it matters whether they do.
    pub parked: Vec<State>,
    /// Whether it does.
    pub pointers_may_meet: bool,
    /// What was assumed instead of being tried.
    pub assumptions: BTreeSet<Assumption>,
    /// Of an entry that takes arguments: how many there are, and their strings, the program's name first.
    pub arguments: Option<(TermId, Vec<Symbols>)>,
    /// The condition that a program gets no more arguments than the bounds say.
    pub argument_cap: Option<TermId>,
    /// What is written while sides of a branch are tried out.
    pub written: Option<super::merge::Written>,
    /// Whether some object may be read as another type than it was written as.
    pub puns: bool,
    /// The globals that a function and those that it calls name, where pointers are restricted.
    pub named: BTreeMap<FunctionId, BTreeSet<GlobalId>>,
    /// Objects of the C library, by the function that hands them out.
    pub library_objects: BTreeMap<&'static str, ObjectId>,
    /// What is known of constant tables.
    pub tables: Tables,
    numbers: u64,
}

impl<'p> Engine<'p> {
    pub fn new(program: &'p Program, config: Config, goals: Goals) -> Engine<'p> {
        let pool = TermPool::new();
        // A check that takes long must not outlast the wish to stop.
        if let Some(stop) = &config.stop {
            pool.cancelled_by(stop);
        }
        Engine {
            feasibility: Feasibility::new(&pool, config.seed, config.stop.clone()),
            program,
            pool,
            wants_errors: goals.wants_errors(),
            config,
            goals,
            demanded: BTreeSet::new(),
            endings: Endings::default(),
            blocks_entered: 0,
            merges: 0,
            faults: BTreeMap::new(),
            told: BTreeMap::new(),
            losses: BTreeMap::new(),
            codes: program.functions.keys().map(|_| None).collect(),
            visits: BTreeMap::new(),
            inputs: Vec::new(),
            globals: Vec::new(),
            aliasable: BTreeSet::new(),
            names_aliasable: false,
            declared: BTreeSet::new(),
            parked: Vec::new(),
            pointers_may_meet: false,
            assumptions: BTreeSet::new(),
            arguments: None,
            argument_cap: None,
            written: None,
            named: BTreeMap::new(),
            puns: super::aliasing::may_pun(program),
            library_objects: BTreeMap::new(),
            tables: Tables::new(),
            numbers: 0,
        }
    }

    pub fn fresh_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Notes that something is left out.
    pub fn lose(&mut self, loss: Loss, span: Span) {
        self.losses.entry(loss).or_insert(span);
    }

    /// Notes that not all inputs which point into one object, or into a global, are tried.
    pub fn lose_aliasing(&mut self, span: Span) {
        if self.config.separate {
            self.assumptions.insert(Assumption::SeparateInputs);
        } else {
            self.pointers_may_meet = true;
            self.lose(Loss::Aliasing, span);
        }
    }

    pub fn losses(&self) -> Vec<Lost> {
        self.losses.iter().map(|(loss, span)| Lost { loss: loss.clone(), span: *span }).collect()
    }

    pub fn is_stopped(&self) -> bool {
        self.config.stop.as_ref().is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// What an unanswered question is put down to.
    pub fn gave_up(&self) -> Loss {
        if self.is_stopped() { Loss::Time } else { Loss::Solver }
    }

    /// Adds a condition that the model of the state satisfies.
    pub fn learn(&mut self, state: &mut State, condition: TermId) {
        let pool = self.pool.clone();
        if let smt::Op::And = pool.op(condition) {
            for part in pool.args(condition) {
                self.learn(state, *part);
            }
        } else {
            if state.path.settled(condition) == Some(true) || matches!(pool.op(condition), smt::Op::True) {
                return;
            }
            let symbols = self.feasibility.symbols(condition);
            state.path.add(condition, &symbols);
        }
        state.path.settle(condition, pool.not(condition), true);
    }

    /// The code of a function that has a body.
    pub fn code(&mut self, id: FunctionId) -> Rc<Code<'p>> {
        if let Some(code) = &self.codes[id.index()] {
            return code.clone();
        }
        let cfg = Cfg::new(self.program, id).expect("a function that is run should have a body");
        let function = &self.program.functions[id];
        let mut registers = SecondaryMap::new();
        for (local, declared) in &function.locals {
            registers[local] = self.program.types.is_scalar(declared.ty) && !declared.is_volatile;
        }
        if let Some(body) = &function.body {
            body.walk(&mut |stmt| {
                for expr in stmt.exprs() {
                    expr.walk(&mut |inner| {
                        if let ExprKind::AddressOf(lvalue) = &inner.kind
                            && let Base::Local(local) = lvalue.base
                        {
                            registers[local] = false;
                        }
                    });
                }
                // A scalar that is written or cleared as a union or record part is no register; those have paths.
                if let StmtKind::Zero(Lvalue { base: Base::Local(local), .. }) = &stmt.kind {
                    registers[*local] = false;
                }
            });
        }
        let code = Rc::new(Code { cfg, registers });
        self.codes[id.index()] = Some(code.clone());
        code
    }

    /// Whether an expression is a condition in itself, so that a conversion of it changes nothing.
    pub fn is_condition(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Logical(..) => true,
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Convert { value, .. } => {
                self.program.types.int_kind(expr.ty).is_some() && self.is_condition(value)
            }
            _ => false,
        }
    }

    // ----- globals -----

    /// Globals are the first objects of every state, in order.
    pub fn global_object(&self, id: GlobalId) -> ObjectId {
        ObjectId(id.index() as u32)
    }

    /// Finds the globals that a pointer from outside may lead to: those that other units can name, and those whose
    /// address is taken.
    pub fn find_aliasable(&mut self, graph: &ir::CallGraph, roots: &[FunctionId]) {
        let program = self.program;
        self.aliasable = ir::exposed_globals(program);
        let mut named = BTreeSet::new();
        for function in roots.iter().flat_map(|root| graph.reachable(*root)) {
            named.extend(ir::named_globals(program, function));
        }
        self.names_aliasable = !named.is_disjoint(&self.aliasable);
        let is_declared = |id: &GlobalId| {
            let global = &program.globals[*id];
            let size = program.types.size_of(global.ty).unwrap_or(0);
            global.init.is_none() && !self.is_library_object(*id) && (1..=MOST_GLOBAL).contains(&size)
        };
        // A variable that is named nowhere else may be reached through another one's initial value.
        for global in program.globals.values() {
            for item in global.init.iter().flat_map(|init| &init.items) {
                if let InitValue::Expr(value) = &item.value {
                    value.walk(&mut |part| {
                        if let ExprKind::AddressOf(Lvalue { base: Base::Global(id), .. }) = &part.kind {
                            named.insert(*id);
                        }
                    });
                }
            }
        }
        self.declared = named.into_iter().filter(is_declared).collect();
    }

    pub fn is_aliasable(&self, object: ObjectId) -> bool {
        self.aliasable.iter().any(|id| self.global_object(*id) == object)
    }

    /// Objects of the C library that exist though nothing defines them: the standard streams.
    pub fn is_library_object(&self, id: GlobalId) -> bool {
        matches!(self.program.globals[id].name.as_str(), "stdin" | "stdout" | "stderr")
    }

    /// The memory a run starts with.
    pub fn globals(&mut self) -> Memory {
        let mut memory = Memory::default();
        let program = self.program;
        for (id, global) in &program.globals {
            let kind = if global.kind == GlobalKind::StringLiteral { Kind::StringLiteral } else { Kind::Global };
            let declared = program.types.size_of(global.ty).unwrap_or(0);
            // A flexible array member with an initialiser makes the object larger than its type.
            let items = global.init.iter().flat_map(|init| &init.items);
            let end = |item: &ir::InitItem| {
                item.offset
                    + match &item.value {
                        InitValue::Bytes(bytes) => bytes.len() as u64,
                        InitValue::Expr(expr) => program.types.size_of(expr.ty).unwrap_or(0),
                    }
            };
            let size = items.filter(|item| item.bits.is_none()).map(end).max().unwrap_or(0).max(declared);
            let mut object = Object::zeroed(kind, size, &global.name, global.span);
            // Streams are told apart by their number: the address of nothing.
            let stream = ["stdin", "stdout", "stderr"].iter().position(|name| *name == global.name);
            if let (true, Some(stream)) = (self.is_library_object(id) && global.init.is_none(), stream) {
                let pointer = Pointer::address(STREAMS + stream as i64);
                super::access::write(&self.pool, &mut object, 0, 8, Value::Pointer(pointer));
            }
            for item in global.init.iter().flat_map(|init| &init.items) {
                self.initialise(&mut object, item);
            }
            object.is_const = global.is_const || kind == Kind::StringLiteral;
            if global.init.is_none() && !self.is_library_object(id) && !self.declared.contains(&id) {
                object.horizon = Some(0);
            }
            memory.add(object);
        }
        self.library_objects = super::library::objects(program, &self.pool, &mut memory);
        memory
    }

    fn initialise(&mut self, object: &mut Object, item: &ir::InitItem) {
        match &item.value {
            InitValue::Bytes(bytes) => object.put_bytes(item.offset, bytes),
            InitValue::Expr(expr) => {
                let Some(value) = self.constant(expr) else {
                    let what = format!("the initial value of `{}`", object.name);
                    self.lose(Loss::Unsupported { what }, expr.span);
                    return;
                };
                match (item.bits, &value) {
                    (Some(bits), Value::Int(Integer::Concrete(_, value))) => {
                        for k in 0..u64::from(bits.width) {
                            let at = bits.offset + k;
                            let old = object.raw_byte(at / 8);
                            let bit = 1u8 << (at % 8);
                            let new = if value >> k & 1 == 1 { old | bit } else { old & !bit };
                            object.put_bytes(at / 8, &[new]);
                        }
                    }
                    _ => {
                        let size = self.program.types.size_of(expr.ty).unwrap_or(0);
                        super::access::write(&self.pool, object, item.offset, size, value);
                    }
                }
            }
        }
    }

    /// The value of a constant expression.
    fn constant(&self, expr: &Expr) -> Option<Value> {
        let types = &self.program.types;
        let class = Class::of(types, expr.ty)?;
        Some(match &expr.kind {
            ExprKind::Int(value) => match class {
                Class::Int(kind) => Value::int(kind, *value),
                _ => Value::Pointer(Pointer::address(*value as i64)),
            },
            ExprKind::Float(value) => match class {
                Class::Float(kind) => Value::Float(super::floats::known(kind, *value)),
                _ => return None,
            },
            ExprKind::Extended(bits) => Value::Float(Float::Concrete(FloatKind::Extended, vm::Value::extended(*bits))),
            ExprKind::Function(id) => Value::Pointer(Pointer::to_function(*id)),
            ExprKind::AddressOf(lvalue) => Value::Pointer(self.constant_address(lvalue)?),
            ExprKind::Convert { value, .. } => {
                let from = Class::of(types, value.ty)?;
                match (self.constant(value)?, class) {
                    (value @ Value::Pointer(_), Class::Pointer) => value,
                    (Value::Pointer(pointer), Class::Int(kind)) if kind.bytes() == 8 => match pointer.target {
                        Target::Nothing => Value::int(kind, i128::from(pointer.offset.known)),
                        _ => Value::Int(Integer::Address(kind, pointer)),
                    },
                    (Value::Int(Integer::Address(_, pointer)), Class::Pointer) => Value::Pointer(pointer),
                    (Value::Int(Integer::Concrete(_, value)), Class::Pointer) => {
                        Value::Pointer(Pointer::address(value as i64))
                    }
                    (Value::Int(Integer::Concrete(kind, value)), to) => {
                        known(to, vm::convert(from, to, vm::Value::int(kind, value)).ok()?)
                    }
                    (Value::Float(Float::Concrete(_, value)), to) => known(to, vm::convert(from, to, value).ok()?),
                    _ => return None,
                }
            }
            ExprKind::Unary(op, operand) => match (op, self.constant(operand)?) {
                (UnaryOp::Neg, Value::Int(Integer::Concrete(kind, value))) => {
                    Value::int(kind, ir::arith::negate(kind, value).ok()?)
                }
                (UnaryOp::Complement, Value::Int(Integer::Concrete(kind, value))) => {
                    Value::int(kind, ir::arith::complement(kind, value))
                }
                (UnaryOp::Not, Value::Int(Integer::Concrete(_, value))) => {
                    Value::int(IntKind::Int, (value == 0).into())
                }
                (UnaryOp::Neg, Value::Float(value)) => Value::Float(super::floats::negate(&self.pool, &value)),
                _ => return None,
            },
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.constant(left)?, self.constant(right)?);
                match (a, b) {
                    (Value::Int(Integer::Concrete(kind, a)), Value::Int(Integer::Concrete(other, b))) => {
                        let value = ir::arith::binary(*op, kind, a, other, b).ok()?;
                        Value::int(if op.is_comparison() { IntKind::Int } else { kind }, value)
                    }
                    (Value::Pointer(pointer), Value::Int(Integer::Concrete(_, index)))
                        if *op == BinaryOp::PointerAdd =>
                    {
                        let size = types.pointee(left.ty).and_then(|to| types.size_of(to)).unwrap_or(1);
                        let by = Offset::known((index as i64).wrapping_mul(size as i64));
                        Value::Pointer(Pointer { offset: pointer.offset.plus(&self.pool, by), ..pointer })
                    }
                    (Value::Float(a), Value::Float(b)) if !op.is_comparison() => {
                        Value::Float(super::floats::binary(&self.pool, *op, &a, &b))
                    }
                    _ => return None,
                }
            }
            ExprKind::Conditional(condition, yes, no) => match self.constant(condition)? {
                Value::Int(Integer::Concrete(_, value)) => return self.constant(if value != 0 { yes } else { no }),
                _ => return None,
            },
            ExprKind::Load(_) | ExprKind::Logical(..) => return None,
        })
    }

    fn constant_address(&self, lvalue: &Lvalue) -> Option<Pointer> {
        let types = &self.program.types;
        let (mut pointer, mut ty) = match &lvalue.base {
            Base::Global(id) => (Pointer::to_object(self.global_object(*id)), self.program.globals[*id].ty),
            Base::Deref(inner) => {
                let Value::Pointer(pointer) = self.constant(inner)? else { return None };
                (pointer, types.pointee(inner.ty)?)
            }
            Base::Local(_) => return None,
        };
        for part in &lvalue.path {
            let by = match (part, types.get(ty)) {
                (Part::Field(index), _) => {
                    let field = types.field(ty, *index)?;
                    ty = field.ty;
                    field.offset as i64
                }
                (Part::Index(index), Type::Array { of, .. }) => {
                    let Value::Int(Integer::Concrete(_, index)) = self.constant(index)? else { return None };
                    ty = *of;
                    (index as i64).wrapping_mul(types.size_of(*of)? as i64)
                }
                _ => return None,
            };
            pointer.offset = pointer.offset.plus(&self.pool, Offset::known(by));
        }
        Some(pointer)
    }

    // ----- witnesses -----

    /// A model of the path whose numbers are small and whose characters can be printed, as far as that is easy to have. A
    /// number that the path does not ask for is zero, so that an input shows what it is about.
    pub fn readable_model(&mut self, state: &State) -> Rc<Assignment> {
        let mut symbols = Vec::new();
        self.inputs.iter().for_each(|(_, input)| input.scalars(&mut symbols));
        self.globals.iter().for_each(|(_, input)| input.scalars(&mut symbols));
        if let Some((_, strings)) = &self.arguments {
            strings.iter().for_each(|input| input.scalars(&mut symbols));
        }
        symbols.extend(state.asked.nondet.iter().copied());
        symbols.extend(state.asked.tokens.iter().map(|(_, term, ty)| (*term, *ty)));
        let byte = ValueType::Int(IntKind::UChar);
        symbols.extend((0..state.asked.stdin).map(|k| (super::library::input::stdin_symbols(&self.pool, k).1, byte)));
        let pool = self.pool.clone();
        let mut wishes = Vec::new();
        let mut numbers = Vec::new();
        for (term, ty) in symbols {
            let ValueType::Int(kind) = ty else { continue };
            let width = kind.bits();
            if width < 8 || !state.path.mentions(&self.feasibility.symbols(term)) {
                continue;
            }
            numbers.extend((width > 8).then_some((term, width)));
            let literal = |value: i64| pool.bits(width, value);
            wishes.push(if width == 8 {
                pool.and(&[pool.bv_ule(literal(32), term), pool.bv_ule(term, literal(126))])
            } else if kind.is_signed() {
                pool.and(&[pool.bv_sle(literal(-SMALL), term), pool.bv_sle(term, literal(SMALL))])
            } else {
                pool.bv_ule(term, literal(SMALL))
            });
        }
        let mut path = state.path.clone();
        let mut model = state.model.clone();
        // A program without even a name is what hardly any system starts.
        if let Some((count, _)) = &self.arguments {
            let is_named = pool.bv_sle(pool.bits(32, 1), *count);
            self.grant(&mut path, &mut model, is_named);
        }
        wishes.retain(|wish| pool.op(*wish) != &smt::Op::True);
        if wishes.len() <= 1 || !self.grant(&mut path, &mut model, pool.and(&wishes)) {
            for wish in wishes.into_iter().take(WISHES) {
                self.grant(&mut path, &mut model, wish);
            }
        }
        for (term, width) in numbers.into_iter().take(ZEROS) {
            let symbols = self.feasibility.symbols(term);
            let (&[symbol], false) = (&*symbols, is_zero(&model, term)) else { continue };
            let zero = smt::Value::Bits(smt::Bits::new(width, &0.into()));
            let tried = model.with(&[(symbol, zero)]);
            let mut conditions = path.about(&symbols).flat_map(|group| &group.conditions);
            if is_zero(&tried, term) && conditions.all(|condition| tried.holds(*condition) == Some(true)) {
                model = Rc::new(tried);
            }
        }
        model
    }

    /// Adds a wish to a path if it can be had.
    fn grant(&mut self, path: &mut super::path::PathCondition, model: &mut Rc<Assignment>, wish: TermId) -> bool {
        if model.holds(wish) != Some(true) {
            let Answer::Possible(values) = self.feasibility.ask(path, wish) else { return false };
            *model = Rc::new(model.with(&values));
        }
        let symbols = self.feasibility.symbols(wish);
        path.add(wish, &symbols);
        true
    }

    /// The input that a model of a state stands for.
    pub fn witness(&mut self, state: &State, model: &Assignment) -> Witness {
        let mut globals = Vec::new();
        for (id, symbols) in self.globals.clone() {
            if self.depends(state, &symbols) {
                globals.push((id, read_off(model, &symbols)));
            }
        }
        let mut given: Vec<(String, Given)> =
            self.inputs.iter().map(|(name, symbols)| (name.clone(), read_off(model, symbols))).collect();
        for meeting in state.meetings.iter() {
            given[meeting.input].1 = match given[meeting.with].1 {
                Given::Null => Given::Null,
                _ => Given::Within { argument: meeting.with, offset: meeting.offset },
            };
        }
        let nondet = state.asked.nondet.iter().map(|(term, ty)| (*ty, scalar_of(model, *term, *ty))).collect();
        let mut stdin = Vec::new();
        for k in 0..state.asked.stdin {
            let (more, byte) = super::library::input::stdin_symbols(&self.pool, k);
            if model.holds(more) != Some(true) {
                break;
            }
            match scalar_of(model, byte, ValueType::Int(IntKind::UChar)) {
                Scalar::Int(value) => stdin.push(value as u8),
                Scalar::Float(_) => {}
            }
        }
        for (more, term, ty) in &state.asked.tokens {
            if model.holds(*more) != Some(true) {
                break;
            }
            let text = match scalar_of(model, *term, *ty) {
                Scalar::Int(value) => format!("{value}\n"),
                Scalar::Float(value) => format!("{value:?}\n"),
            };
            stdin.extend(text.bytes());
        }
        let (mut args, mut name) = (Vec::new(), None);
        if let Some((count, strings)) = self.arguments.clone() {
            let Scalar::Int(count) = scalar_of(model, count, ValueType::Int(IntKind::Int)) else {
                unreachable!("a count should be an integer, because its symbol is")
            };
            for (k, symbols) in strings.iter().enumerate().take(count.max(0) as usize) {
                let mut bytes = match read_off(model, symbols) {
                    Given::Text { bytes, .. } => bytes,
                    _ => Vec::new(),
                };
                let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                bytes.truncate(end);
                match k {
                    0 => name = self.depends(state, symbols).then_some(bytes),
                    _ => args.push(bytes),
                }
            }
        }
        Witness { given, globals, nondet, stdin, name, args }
    }

    /// Whether the path says anything about an input.
    fn depends(&mut self, state: &State, symbols: &Symbols) -> bool {
        let mut terms = Vec::new();
        symbols.terms(&mut terms);
        terms.into_iter().any(|term| state.path.mentions(&self.feasibility.symbols(term)))
    }
}

/// Bytes of a global up to which each of its scalars is an input.
pub const MOST_GLOBAL: u64 = 4096;

/// Numbers up to this are readable.
const SMALL: i64 = 100;

/// Numbers that are tried to be zero.
const ZEROS: usize = 32;

fn is_zero(model: &Assignment, term: TermId) -> bool {
    model.value(term).is_ok_and(|value| value.as_bits().is_some_and(smt::Bits::is_zero))
}

/// Inputs that are tried to be made readable one by one.
const WISHES: usize = 12;

/// The "addresses" of the standard streams.
pub const STREAMS: i64 = 0x7000_0000;

fn known(class: Class, value: vm::Value) -> Value {
    match class {
        Class::Int(kind) => Value::int(kind, value.as_int(kind)),
        Class::Float(kind) => Value::Float(Float::Concrete(kind, value)),
        Class::Pointer => Value::Pointer(Pointer::address(value.as_u64() as i64)),
    }
}
