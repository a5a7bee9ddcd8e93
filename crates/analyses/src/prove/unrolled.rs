//! Array relations proved by evaluating the whole program with symbols for its inputs.
//!
//! *Question*: does `r[i] == S[t[i]]` hold at the end of every run, whatever `t` holds?
//!
//! Where loops end after a number of rounds that no input changes, one evaluation over bit-vectors is all runs at once:
//! loops are unrolled, calls followed, branches on inputs joined. At each location the relation is taken apart, one
//! equation for each index of its domain, and the solver is asked for an input that breaks one. The source of these
//! relations (Nguyen 2017, §4.5) leaves their proof open, because provers of its kind have no arrays; here every element
//! is a term of its own. A constant table that is looked up by an input is a function of which nothing else is known:
//! what is proved holds for any contents of the table.
//!
//! *Guarantee*: `proved` means on every run without undefined behaviour, for the lengths of arrays that the harness
//! gives. What this does not model (floating point, writes at places that depend on inputs, loops and returns that do,
//! library functions) makes it give up: then nothing is proved.
//!
//! *Cost*: bounded by [`MOST_STEPS`] statements and the solver's budget for each relation.

use crate::infer::ArrayInvariant;
use crate::infer::arrays::affine::Ratio;
use crate::infer::arrays::functions::Builtin;
use crate::infer::arrays::table::unflat;
use crate::infer::arrays::{Affine, ArrayRelation, Expr as Right};
use crate::infer::locations::Instrumented;
use diagnostics::Verdict;
use exec::symbolic::Ints;
use exec::symbolic::number::{Arithmetic, Number, Ring};
use exec::trace::ValueType;
use ir::{
    Base, BinaryOp, Block, Callee, EntityRef, Expr, ExprKind, FunctionId, GlobalId, InitValue, IntKind, Intrinsic,
    Length, LocalId, LogicalOp, LoopKind, Lvalue, Program, Step, Stmt, StmtKind, TracePoint, Type, TypeId, UnaryOp,
};
use smt::{Solver, TermId, TermPool};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

/// Statements that are evaluated.
const MOST_STEPS: usize = 150_000;
/// Calls inside each other.
const DEEPEST: usize = 48;
/// Elements that a read at an unknown place chooses from.
const MOST_CHOICES: u64 = 512;
/// What the solver may use for one relation.
const RESOURCES: u32 = 4_000_000;

/// Why an evaluation was given up.
type GaveUp = &'static str;

/// A place inside an object that holds no value.
const UNWRITTEN: GaveUp = "a read of something that was not written";

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct ObjectId(u32);

/// A place in memory: an offset in an object, plus a multiple of a number that depends on inputs.
#[derive(Clone, PartialEq, Debug)]
struct Place {
    object: ObjectId,
    offset: i64,
    moved: Option<(Number, i64)>,
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Number(Number),
    /// Null, or a place.
    Pointer(Option<Place>),
}

#[derive(Clone, Debug)]
struct Object {
    size: u64,
    cells: BTreeMap<i64, Value>,
    /// What was never written is zero.
    is_zeroed: bool,
    /// A table that never changes.
    constant: Option<GlobalId>,
}

#[derive(Clone, Default)]
struct State {
    objects: Vec<Object>,
    globals: HashMap<GlobalId, ObjectId>,
}

#[derive(Clone)]
struct Frame {
    function: FunctionId,
    locals: HashMap<LocalId, ObjectId>,
}

/// How a statement ends.
enum Flow {
    On,
    Break,
    Continue,
    Return(Option<Value>),
}

struct Evaluation<'e> {
    program: &'e Program,
    pool: TermPool,
    state: State,
    /// What is assumed of inputs, and the branches taken.
    conditions: Vec<TermId>,
    steps: usize,
    symbols: usize,
    cancel: &'e AtomicBool,
    /// For each relation that is left, how often its location was passed.
    open: Vec<Open<'e>>,
}

struct Open<'e> {
    location: &'e str,
    invariant: &'e ArrayInvariant,
    visits: usize,
    failed: bool,
}

/// Marks the relations that hold on every run. `found` has the names of locations and their relations.
pub(super) fn prove_unrolled(instrumented: &Instrumented, found: &mut [(String, Vec<ArrayInvariant>)], cancel: &AtomicBool) {
    let mut proved: Vec<Vec<bool>> = Vec::new();
    {
        let open = found.iter().flat_map(|(location, invariants)| {
            invariants.iter().map(|invariant| Open { location: location.as_str(), invariant, visits: 0, failed: false })
        });
        let mut evaluation = Evaluation {
            program: &instrumented.program,
            pool: TermPool::new(),
            state: State::default(),
            conditions: Vec::new(),
            steps: 0,
            symbols: 0,
            cancel,
            open: open.collect(),
        };
        if evaluation.open.is_empty() {
            return;
        }
        let ended = evaluation.run(instrumented.entry);
        let mut shown = evaluation.open.iter().map(|open| ended.is_ok() && open.visits > 0 && !open.failed);
        for (_, invariants) in found.iter() {
            proved.push(shown.by_ref().take(invariants.len()).collect());
        }
    }
    for ((_, invariants), proved) in found.iter_mut().zip(proved) {
        for (invariant, proved) in invariants.iter_mut().zip(proved) {
            if proved {
                invariant.relation.verdict = Verdict::Proved { how: "evaluation of all runs".to_string() };
            }
        }
    }
}

impl<'e> Evaluation<'e> {
    fn arithmetic(&self) -> Arithmetic<'_> {
        Arithmetic { pool: &self.pool, ints: Ints::Machine }
    }

    fn run(&mut self, entry: FunctionId) -> Result<(), GaveUp> {
        // Before any branch, so that all branches mean the same objects; one that fails will fail where it is used.
        for global in self.program.globals.keys() {
            let _ = self.global(global);
        }
        let about = &self.program.functions[entry];
        let mut arguments = Vec::new();
        for param in &about.params {
            arguments.push(self.symbol(about.locals[*param].ty)?);
        }
        self.call(entry, arguments, 0).map(|_| ())
    }

    /// Any number of a type.
    fn symbol(&mut self, ty: TypeId) -> Result<Value, GaveUp> {
        let kind = self.program.types.int_kind(ty).ok_or("an input that is no integer")?;
        self.symbols += 1;
        let sort = self.arithmetic().sort(kind);
        let term = self.pool.var(&format!("input{}", self.symbols), sort);
        if kind == IntKind::Bool {
            let one = self.arithmetic().literal(1, kind).term;
            self.conditions.push(self.pool.bv_ule(term, one));
        }
        Ok(Value::Number(self.arithmetic().of_type(term, kind)))
    }

    /// The value of a number that no input changes.
    fn literal(&self, number: &Number) -> Option<i128> {
        if number.range.lo == number.range.hi {
            return i128::try_from(&number.range.lo).ok();
        }
        // Terms are simplified as they are built, so what has a value is a literal.
        if !self.pool.op(number.term).is_literal() {
            return None;
        }
        let value = smt::Model::new(&self.pool).eval(number.term).ok()?;
        let bits = value.as_bits()?;
        let value = if number.kind.is_signed() { bits.signed() } else { bits.unsigned() };
        i128::try_from(&value).ok()
    }

    fn truth(&self, condition: TermId) -> Option<bool> {
        match condition {
            c if c == self.pool.bool(true) => Some(true),
            c if c == self.pool.bool(false) => Some(false),
            _ => None,
        }
    }

    fn object(&mut self, size: u64) -> ObjectId {
        let id = ObjectId(self.state.objects.len() as u32);
        self.state.objects.push(Object { size, cells: BTreeMap::new(), is_zeroed: false, constant: None });
        id
    }

    fn size_of(&mut self, ty: TypeId, frame: &mut Frame) -> Result<u64, GaveUp> {
        if let Some(size) = self.program.types.size_of(ty) {
            return Ok(size);
        }
        let Type::Array { of, length } = self.program.types.get(ty).clone() else { return Err("a type without a size") };
        let count = match length {
            Length::Fixed(count) => count,
            Length::Unknown => return Err("an array without a length"),
            Length::Variable(local) => {
                let ulong = self.program.types.int(IntKind::ULong);
                let length = Lvalue::local(local, ulong, diagnostics::Span::NONE);
                let place = self.place(&length, frame)?;
                let value = self.number_at(&place, IntKind::ULong)?;
                self.literal(&value).and_then(|n| u64::try_from(n).ok()).ok_or("the length of an array is an input")?
            }
        };
        count.checked_mul(self.size_of(of, frame)?).ok_or("an array that is too long")
    }

    fn local(&mut self, frame: &mut Frame, local: LocalId) -> Result<ObjectId, GaveUp> {
        if let Some(object) = frame.locals.get(&local) {
            return Ok(*object);
        }
        let ty = self.program.functions[frame.function].locals[local].ty;
        let size = self.size_of(ty, frame)?;
        let object = self.object(size);
        frame.locals.insert(local, object);
        Ok(object)
    }

    fn global(&mut self, global: GlobalId) -> Result<ObjectId, GaveUp> {
        if let Some(object) = self.state.globals.get(&global) {
            return Ok(*object);
        }
        let about = &self.program.globals[global];
        let size = self.program.types.size_of(about.ty).ok_or("a global without a size")?;
        let id = self.object(size);
        let mut cells = BTreeMap::new();
        for item in &about.init.as_ref().ok_or("a global of another program")?.items {
            if item.bits.is_some() {
                return Err("a bit-field");
            }
            match &item.value {
                InitValue::Bytes(bytes) => {
                    for (n, byte) in bytes.iter().enumerate() {
                        let value = self.arithmetic().literal(IntKind::Char.wrap(i128::from(*byte)), IntKind::Char);
                        cells.insert(item.offset as i64 + n as i64, Value::Number(value));
                    }
                }
                InitValue::Expr(expr) => {
                    let mut frame = Frame { function: FunctionId::new(0), locals: HashMap::new() };
                    let value = self.value(expr, &mut frame)?;
                    cells.insert(item.offset as i64, value);
                }
            }
        }
        let object = &mut self.state.objects[id.0 as usize];
        (object.cells, object.is_zeroed, object.constant) = (cells, true, about.is_const.then_some(global));
        self.state.globals.insert(global, id);
        Ok(id)
    }

    fn call(&mut self, function: FunctionId, arguments: Vec<Value>, depth: usize) -> Result<Option<Value>, GaveUp> {
        if depth > DEEPEST {
            return Err("calls are too deep");
        }
        let about = &self.program.functions[function];
        let body = about.body.as_ref().ok_or("a function of the library")?;
        let mut frame = Frame { function, locals: HashMap::new() };
        for (local, of) in about.locals.iter() {
            if self.program.types.size_of(of.ty).is_some() {
                self.local(&mut frame, local)?;
            }
        }
        for (param, value) in about.params.iter().zip(arguments) {
            let object = self.local(&mut frame, *param)?;
            self.state.objects[object.0 as usize].cells.insert(0, value);
        }
        match self.block(body, &mut frame, depth)? {
            Flow::Return(value) => Ok(value),
            Flow::On => Ok(None),
            Flow::Break | Flow::Continue => Err("a jump out of a function"),
        }
    }

    fn block(&mut self, block: &Block, frame: &mut Frame, depth: usize) -> Result<Flow, GaveUp> {
        for stmt in &block.stmts {
            match self.stmt(stmt, frame, depth)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn stmt(&mut self, stmt: &Stmt, frame: &mut Frame, depth: usize) -> Result<Flow, GaveUp> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.steps % 256 == 0 && self.cancel.load(Ordering::Relaxed) {
            return Err("it takes too long");
        }
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                if self.program.types.is_scalar(value.ty) {
                    let value = self.value(value, frame)?;
                    let place = self.place(target, frame)?;
                    self.write(&place, target.ty, value)?;
                } else {
                    self.copy(target, value, frame)?;
                }
            }
            StmtKind::Zero(target) => {
                let place = self.fixed(target, frame)?;
                let size = self.size_of(target.ty, frame)? as i64;
                let object = &mut self.state.objects[place.object.0 as usize];
                if place.offset == 0 && size as u64 == object.size {
                    object.cells.clear();
                    object.is_zeroed = true;
                } else {
                    self.zero(&place, target.ty, frame)?;
                }
            }
            StmtKind::Call { result, callee, args } => self.called(result.as_ref(), callee, args, frame, depth)?,
            StmtKind::Live(local) => {
                let ty = self.program.functions[frame.function].locals[*local].ty;
                if self.program.types.size_of(ty).is_none() {
                    frame.locals.remove(local);
                }
                let object = self.local(frame, *local)?;
                let object = &mut self.state.objects[object.0 as usize];
                object.cells.clear();
                object.is_zeroed = false;
            }
            StmtKind::If { cond, then, otherwise } => return self.branch(cond, then, otherwise, frame, depth),
            StmtKind::Loop(looped) => loop {
                if looped.kind != LoopKind::DoWhile {
                    if let Some(leaving) = self.head(looped, frame, depth)? {
                        return Ok(leaving);
                    }
                    if !self.goes_on(looped, frame)? {
                        return Ok(Flow::On);
                    }
                }
                match self.block(&looped.body, frame, depth)? {
                    Flow::Break => return Ok(Flow::On),
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    Flow::On | Flow::Continue => {}
                }
                if let Flow::Return(value) = self.block(&looped.step, frame, depth)? {
                    return Ok(Flow::Return(value));
                }
                if looped.kind == LoopKind::DoWhile {
                    if let Some(leaving) = self.head(looped, frame, depth)? {
                        return Ok(leaving);
                    }
                    if !self.goes_on(looped, frame)? {
                        return Ok(Flow::On);
                    }
                }
            },
            StmtKind::Block(block) => return self.block(block, frame, depth),
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value, frame)).transpose()?;
                return Ok(Flow::Return(value));
            }
            StmtKind::Assume(condition) => {
                let condition = self.condition(condition, frame)?;
                self.conditions.push(condition);
            }
            // A run on which it is false ends here, with a finding of its own.
            StmtKind::Assert { cond, .. } => {
                let condition = self.condition(cond, frame)?;
                self.conditions.push(condition);
            }
            StmtKind::Trace(point) => self.visit(point, frame)?,
            StmtKind::Label(_) => {}
            StmtKind::Switch { .. } | StmtKind::Goto(_) => return Err("a jump"),
            StmtKind::Unsupported(_) => return Err("something that is not supported"),
        }
        Ok(Flow::On)
    }

    /// What a loop computes before its condition; something if that leaves the loop.
    fn head(&mut self, looped: &ir::Loop, frame: &mut Frame, depth: usize) -> Result<Option<Flow>, GaveUp> {
        Ok(match self.block(&looped.pre, frame, depth)? {
            Flow::On => None,
            Flow::Break => Some(Flow::On),
            Flow::Continue => return Err("a jump"),
            other => Some(other),
        })
    }

    fn goes_on(&mut self, looped: &ir::Loop, frame: &mut Frame) -> Result<bool, GaveUp> {
        let Some(cond) = &looped.cond else { return Ok(true) };
        let condition = self.condition(cond, frame)?;
        self.truth(condition).ok_or("the number of rounds of a loop depends on inputs")
    }

    fn branch(&mut self, cond: &Expr, then: &Block, otherwise: &Block, frame: &mut Frame, depth: usize) -> Result<Flow, GaveUp> {
        let condition = self.condition(cond, frame)?;
        match self.truth(condition) {
            Some(true) => return self.block(then, frame, depth),
            Some(false) => return self.block(otherwise, frame, depth),
            None => {}
        }
        let (before, locals) = (self.state.clone(), frame.locals.clone());
        let known = self.conditions.len();
        self.conditions.push(condition);
        let first = self.block(then, frame, depth)?;
        let assumed: Vec<TermId> = self.conditions.drain(known..).skip(1).collect();
        let older = before.objects.len();
        let taken = std::mem::replace(&mut self.state, before);
        let mut taken_locals = std::mem::replace(&mut frame.locals, locals);
        // What one branch makes keeps its number, so that no pointer can mean two things.
        self.state.objects.extend_from_slice(&taken.objects[older..]);
        let not = self.pool.not(condition);
        self.conditions.push(not);
        let second = self.block(otherwise, frame, depth)?;
        let refused: Vec<TermId> = self.conditions.drain(known..).skip(1).collect();
        if !matches!((first, second), (Flow::On, Flow::On)) {
            return Err("a branch that depends on inputs leaves a loop or function");
        }
        self.conditions.extend(assumed.iter().map(|term| self.pool.implies(condition, *term)));
        self.conditions.extend(refused.iter().map(|term| self.pool.implies(not, *term)));
        self.join(condition, &taken.objects[..older])?;
        frame.locals.retain(|local, object| taken_locals.remove(local) == Some(*object));
        Ok(Flow::On)
    }

    /// The state after both branches: `taken` where the condition holds, else the one that is there.
    fn join(&mut self, condition: TermId, taken: &[Object]) -> Result<(), GaveUp> {
        for (n, theirs) in taken.iter().enumerate() {
            let mine = self.state.objects[n].clone();
            if mine.is_zeroed != theirs.is_zeroed {
                return Err("an array that only one branch clears");
            }
            let mut offsets: Vec<i64> = mine.cells.keys().chain(theirs.cells.keys()).copied().collect();
            offsets.sort_unstable();
            offsets.dedup();
            for offset in offsets {
                let value = match (theirs.cells.get(&offset), mine.cells.get(&offset)) {
                    (Some(a), Some(b)) if a == b => continue,
                    (Some(Value::Number(a)), Some(Value::Number(b))) if a.kind == b.kind => {
                        Value::Number(self.arithmetic().choose(condition, a, b))
                    }
                    (Some(Value::Number(a)), None) | (None, Some(Value::Number(a))) if mine.is_zeroed && theirs.is_zeroed => {
                        let zero = self.arithmetic().literal(0, a.kind);
                        let there = theirs.cells.contains_key(&offset);
                        let (x, y) = if there { (a.clone(), zero) } else { (zero, a.clone()) };
                        Value::Number(self.arithmetic().choose(condition, &x, &y))
                    }
                    _ => return Err("a value that only one branch gives"),
                };
                self.state.objects[n].cells.insert(offset, value);
            }
        }
        Ok(())
    }

    fn called(
        &mut self,
        result: Option<&Lvalue>,
        callee: &Callee,
        args: &[Expr],
        frame: &mut Frame,
        depth: usize,
    ) -> Result<(), GaveUp> {
        let value = match callee {
            Callee::Function(function) => {
                let arguments = args.iter().map(|arg| self.value(arg, frame)).collect::<Result<Vec<_>, _>>()?;
                self.call(*function, arguments, depth + 1)?
            }
            Callee::Intrinsic(Intrinsic::Nondet) => {
                let ty = result.ok_or("an input that nobody takes")?.ty;
                Some(self.symbol(ty)?)
            }
            _ => return Err("a call through a pointer"),
        };
        if let Some(result) = result {
            let place = self.place(result, frame)?;
            self.write(&place, result.ty, value.ok_or("a function without a result")?)?;
        }
        Ok(())
    }

    /// Where an lvalue is, which no input changes.
    fn fixed(&mut self, lvalue: &Lvalue, frame: &mut Frame) -> Result<Place, GaveUp> {
        let place = self.place(lvalue, frame)?;
        if place.moved.is_some() { Err("a place that depends on inputs") } else { Ok(place) }
    }

    fn place(&mut self, lvalue: &Lvalue, frame: &mut Frame) -> Result<Place, GaveUp> {
        let types = &self.program.types;
        let (mut place, mut ty) = match &lvalue.base {
            Base::Local(local) => {
                let ty = self.program.functions[frame.function].locals[*local].ty;
                (Place { object: self.local(frame, *local)?, offset: 0, moved: None }, ty)
            }
            Base::Global(global) => {
                let ty = self.program.globals[*global].ty;
                (Place { object: self.global(*global)?, offset: 0, moved: None }, ty)
            }
            Base::Deref(pointer) => {
                let ty = types.pointee(pointer.ty).ok_or("a pointer to nothing")?;
                match self.value(pointer, frame)? {
                    Value::Pointer(Some(place)) => (place, ty),
                    _ => return Err("a null pointer"),
                }
            }
        };
        for step in &lvalue.path {
            match step {
                Step::Index(index) => {
                    ty = self.program.types.element(ty).ok_or("an index into no array")?;
                    let size = self.size_of(ty, frame)? as i64;
                    let Value::Number(index) = self.value(index, frame)? else { return Err("an index that is no number") };
                    self.advance(&mut place, index, size)?;
                }
                Step::Field(field) => {
                    let Type::Record(record) = self.program.types.get(ty) else { return Err("a field of no record") };
                    let fields = self.program.types.records[*record].fields.as_ref().ok_or("an unknown record")?;
                    let field = fields.get(*field as usize).ok_or("an unknown field")?;
                    if field.bits.is_some() {
                        return Err("a bit-field");
                    }
                    place.offset += field.offset as i64;
                    ty = field.ty;
                }
            }
        }
        Ok(place)
    }

    fn advance(&mut self, place: &mut Place, index: Number, size: i64) -> Result<(), GaveUp> {
        match self.literal(&index) {
            Some(index) => {
                let index = i64::try_from(index).map_err(|_| "an index that is too large")?;
                place.offset += index.checked_mul(size).ok_or("an index that is too large")?;
            }
            None if place.moved.is_some() => return Err("two indices that depend on inputs"),
            None => place.moved = Some((self.arithmetic().convert(&index, IntKind::Long), size)),
        }
        Ok(())
    }

    fn write(&mut self, place: &Place, ty: TypeId, value: Value) -> Result<(), GaveUp> {
        if place.moved.is_some() {
            return Err("a write at a place that depends on inputs");
        }
        let size = self.program.types.size_of(ty).ok_or("a type without a size")? as i64;
        let object = &mut self.state.objects[place.object.0 as usize];
        if place.offset < 0 || (place.offset + size) as u64 > object.size {
            return Err("a write outside of an object");
        }
        // A value of another size that lies there in part would be torn.
        let near = object.cells.range(place.offset - 15..place.offset + size).map(|(at, v)| (*at, width(v)));
        let torn = near.filter(|(at, w)| at + w > place.offset).any(|(at, w)| (at, w) != (place.offset, size));
        if torn {
            return Err("memory that is used with two types");
        }
        object.cells.insert(place.offset, value);
        Ok(())
    }

    fn zero(&mut self, place: &Place, ty: TypeId, frame: &mut Frame) -> Result<(), GaveUp> {
        if let Type::Array { of, .. } = self.program.types.get(ty).clone() {
            let step = self.size_of(of, frame)?.max(1);
            for n in 0..self.size_of(ty, frame)? / step {
                let place = Place { offset: place.offset + (n * step) as i64, ..place.clone() };
                self.zero(&place, of, frame)?;
            }
            return Ok(());
        }
        let kind = self.program.types.int_kind(ty).ok_or("zeros in a record")?;
        let zero = self.arithmetic().literal(0, kind);
        self.write(place, ty, Value::Number(zero))
    }

    /// Copies a record or array.
    fn copy(&mut self, target: &Lvalue, value: &Expr, frame: &mut Frame) -> Result<(), GaveUp> {
        let ExprKind::Load(source) = &value.kind else { return Err("a copy of something that is no object") };
        let (from, to) = (self.fixed(source, frame)?, self.fixed(target, frame)?);
        let size = self.size_of(target.ty, frame)? as i64;
        let source = &self.state.objects[from.object.0 as usize];
        if source.is_zeroed {
            return Err("a copy of zeros");
        }
        let cells: Vec<(i64, Value)> =
            source.cells.range(from.offset..from.offset + size).map(|(at, v)| (at - from.offset + to.offset, v.clone())).collect();
        let object = &mut self.state.objects[to.object.0 as usize];
        let old: Vec<i64> = object.cells.range(to.offset..to.offset + size).map(|(at, _)| *at).collect();
        for at in &old {
            object.cells.remove(at);
        }
        object.cells.extend(cells);
        Ok(())
    }

    fn number_at(&mut self, place: &Place, kind: IntKind) -> Result<Number, GaveUp> {
        match self.read(place, Some(kind))? {
            Value::Number(number) => Ok(number),
            Value::Pointer(_) => Err("a pointer that is read as a number"),
        }
    }

    /// What a place holds; `None` as the kind for a pointer.
    fn read(&mut self, place: &Place, kind: Option<IntKind>) -> Result<Value, GaveUp> {
        let object = &self.state.objects[place.object.0 as usize];
        let size = kind.map_or(8, IntKind::bytes) as i64;
        let Some((index, step)) = &place.moved else {
            let Some(found) = object.cells.get(&place.offset) else {
                let inside = place.offset >= 0 && (place.offset + size) as u64 <= object.size;
                let near = object.cells.range(place.offset - 15..place.offset + size);
                let torn = near.into_iter().any(|(at, v)| at + width(v) > place.offset);
                return match kind {
                    Some(kind) if object.is_zeroed && inside && !torn => Ok(Value::Number(self.arithmetic().literal(0, kind))),
                    _ if torn => Err("memory that is used with two types"),
                    _ if !inside => Err("a read outside of an object"),
                    _ => Err(UNWRITTEN),
                };
            };
            return match (found, kind) {
                (Value::Number(number), Some(kind)) if number.kind.bytes() == kind.bytes() => {
                    let number = number.clone();
                    Ok(Value::Number(self.arithmetic().convert(&number, kind)))
                }
                (Value::Pointer(place), None) => Ok(Value::Pointer(place.clone())),
                _ => Err("memory that is used with two types"),
            };
        };
        let kind = kind.ok_or("a pointer at a place that depends on inputs")?;
        let (index, step) = (index.clone(), *step);
        if let Some(global) = object.constant {
            let name = format!("table{} {} {step} {kind:?}", global.index(), place.offset);
            let sort = self.arithmetic().sort(kind);
            let table = self.pool.function(&name, &[self.pool.bitvec_sort(64)], sort);
            let term = self.pool.app(table, &[index.term]);
            return Ok(Value::Number(self.arithmetic().of_type(term, kind)));
        }
        let count = (object.size as i64 - place.offset.max(0)) / step;
        if count <= 0 || count as u64 > MOST_CHOICES {
            return Err("a read from a large array at a place that depends on inputs");
        }
        let mut chosen: Option<Number> = None;
        for n in (0..count).rev() {
            let at = Place { offset: place.offset + n * step, moved: None, ..place.clone() };
            let Ok(Value::Number(value)) = self.read(&at, Some(kind)) else { return Err("an array that is not full") };
            let here = self.pool.eq(index.term, self.arithmetic().literal(n.into(), IntKind::Long).term);
            chosen = Some(match chosen {
                None => value,
                Some(other) => self.arithmetic().choose(here, &value, &other),
            });
        }
        chosen.map(Value::Number).ok_or("an empty array")
    }

    fn condition(&mut self, expr: &Expr, frame: &mut Frame) -> Result<TermId, GaveUp> {
        match &expr.kind {
            ExprKind::Logical(op, left, right) => {
                let left = self.condition(left, frame)?;
                match (op, self.truth(left)) {
                    (LogicalOp::And, Some(false)) | (LogicalOp::Or, Some(true)) => return Ok(left),
                    _ => {}
                }
                let right = self.condition(right, frame)?;
                Ok(match op {
                    LogicalOp::And => self.pool.and(&[left, right]),
                    LogicalOp::Or => self.pool.or(&[left, right]),
                })
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition(inner, frame)?;
                Ok(self.pool.not(inner))
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                match (self.value(left, frame)?, self.value(right, frame)?) {
                    (Value::Number(left), Value::Number(right)) => self.compare(*op, &left, &right),
                    (Value::Pointer(left), Value::Pointer(right)) => compare_pointers(*op, left, right).map(|t| self.pool.bool(t)),
                    _ => Err("a pointer compared with a number"),
                }
            }
            _ => match self.value(expr, frame)? {
                Value::Number(number) => Ok(self.pool.not(self.arithmetic().is_zero(&number))),
                Value::Pointer(pointer) => Ok(self.pool.bool(pointer.is_some())),
            },
        }
    }

    fn compare(&self, op: BinaryOp, left: &Number, right: &Number) -> Result<TermId, GaveUp> {
        let arithmetic = self.arithmetic();
        let equal = || match (self.literal(left), self.literal(right)) {
            (Some(a), Some(b)) => self.pool.bool(a == b),
            _ => self.pool.eq(left.term, right.term),
        };
        Ok(match op {
            BinaryOp::Eq => equal(),
            BinaryOp::Ne => self.pool.not(equal()),
            BinaryOp::Lt => arithmetic.less(left, right),
            BinaryOp::Gt => arithmetic.less(right, left),
            BinaryOp::Ge => self.pool.not(arithmetic.less(left, right)),
            BinaryOp::Le => self.pool.not(arithmetic.less(right, left)),
            _ => return Err("a comparison that is none"),
        })
    }

    fn value(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Value, GaveUp> {
        let types = &self.program.types;
        let kind = types.int_kind(expr.ty);
        let number = |number: Number| Ok(Value::Number(number));
        match &expr.kind {
            ExprKind::Int(value) => number(self.arithmetic().literal(*value, kind.ok_or("a number of an odd type")?)),
            ExprKind::Float(_) | ExprKind::Extended(_) => Err("a floating number"),
            ExprKind::Function(_) => Err("a pointer to a function"),
            ExprKind::Load(lvalue) => {
                if kind.is_none() && !types.is_pointer(expr.ty) {
                    return Err("a value that is neither an integer nor a pointer");
                }
                let place = self.place(lvalue, frame)?;
                self.read(&place, kind)
            }
            ExprKind::AddressOf(lvalue) => Ok(Value::Pointer(Some(self.place(lvalue, frame)?))),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => {
                let condition = self.condition(expr, frame)?;
                number(self.arithmetic().from_truth(condition, IntKind::Int))
            }
            ExprKind::Unary(op, inner) => {
                let Value::Number(inner) = self.value(inner, frame)? else { return Err("a sign of a pointer") };
                number(match op {
                    UnaryOp::Complement => self.arithmetic().complement(&inner),
                    _ => self.arithmetic().ring(Ring::Sub, &self.arithmetic().literal(0, inner.kind), &inner).0,
                })
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                let condition = self.condition(cond, frame)?;
                match self.truth(condition) {
                    Some(true) => self.value(then, frame),
                    Some(false) => self.value(otherwise, frame),
                    None => match (self.value(then, frame)?, self.value(otherwise, frame)?) {
                        (Value::Number(a), Value::Number(b)) => number(self.arithmetic().choose(condition, &a, &b)),
                        _ => Err("a choice of pointers"),
                    },
                }
            }
            ExprKind::Convert { value, .. } => match (self.value(value, frame)?, kind) {
                (Value::Number(value), Some(kind)) => number(self.arithmetic().convert(&value, kind)),
                (Value::Number(value), None) if types.is_pointer(expr.ty) && self.literal(&value) == Some(0) => {
                    Ok(Value::Pointer(None))
                }
                (Value::Pointer(pointer), None) => Ok(Value::Pointer(pointer)),
                _ => Err("a conversion between pointers and numbers"),
            },
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                let condition = self.condition(expr, frame)?;
                number(self.arithmetic().from_truth(condition, IntKind::Int))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, frame),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, frame: &mut Frame) -> Result<Value, GaveUp> {
        let pointee = self.program.types.pointee(left.ty);
        let (left, right) = (self.value(left, frame)?, self.value(right, frame)?);
        let (left, right) = match (left, right) {
            (Value::Number(left), Value::Number(right)) => (left, right),
            (Value::Pointer(Some(mut place)), Value::Number(by)) if op == BinaryOp::PointerAdd => {
                let size = self.size_of(pointee.ok_or("a pointer to nothing")?, frame)? as i64;
                self.advance(&mut place, by, size)?;
                return Ok(Value::Pointer(Some(place)));
            }
            (Value::Pointer(Some(a)), Value::Pointer(Some(b))) if op == BinaryOp::PointerDiff => {
                let size = self.size_of(pointee.ok_or("a pointer to nothing")?, frame)?.max(1) as i64;
                if a.object != b.object || a.moved.is_some() || b.moved.is_some() {
                    return Err("a difference of pointers");
                }
                let difference = (a.offset - b.offset) / size;
                return Ok(Value::Number(self.arithmetic().literal(difference.into(), IntKind::Long)));
            }
            _ => return Err("arithmetic of pointers"),
        };
        self.computed(op, &left, &right).map(Value::Number)
    }

    fn computed(&self, op: BinaryOp, left: &Number, right: &Number) -> Result<Number, GaveUp> {
        let (arithmetic, pool, kind) = (self.arithmetic(), &self.pool, left.kind);
        let signed = kind.is_signed();
        let term = match op {
            BinaryOp::Add => return Ok(arithmetic.ring(Ring::Add, left, right).0),
            BinaryOp::Sub => return Ok(arithmetic.ring(Ring::Sub, left, right).0),
            BinaryOp::Mul => return Ok(arithmetic.ring(Ring::Mul, left, right).0),
            BinaryOp::BitAnd => pool.bv_and(left.term, right.term),
            BinaryOp::BitOr => pool.bv_or(left.term, right.term),
            BinaryOp::BitXor => pool.bv_xor(left.term, right.term),
            BinaryOp::Div if signed => pool.bv_sdiv(left.term, right.term),
            BinaryOp::Div => pool.bv_udiv(left.term, right.term),
            BinaryOp::Rem if signed => pool.bv_srem(left.term, right.term),
            BinaryOp::Rem => pool.bv_urem(left.term, right.term),
            BinaryOp::Shl | BinaryOp::Shr => {
                let by = arithmetic.convert(right, kind).term;
                match op {
                    BinaryOp::Shl => pool.bv_shl(left.term, by),
                    _ if signed => pool.bv_ashr(left.term, by),
                    _ => pool.bv_lshr(left.term, by),
                }
            }
            _ => return Err("an operator on pointers"),
        };
        Ok(arithmetic.of_type(term, kind))
    }

    /// A trace statement is passed: the relations of its location must hold here.
    fn visit(&mut self, point: &TracePoint, frame: &mut Frame) -> Result<(), GaveUp> {
        for n in 0..self.open.len() {
            if self.open[n].location != point.name || self.open[n].failed {
                continue;
            }
            self.open[n].visits += 1;
            let invariant = self.open[n].invariant;
            let shown = self.holds(invariant, point, frame).unwrap_or(false);
            self.open[n].failed = !shown;
        }
        Ok(())
    }

    fn holds(&mut self, invariant: &ArrayInvariant, point: &TracePoint, frame: &mut Frame) -> Option<bool> {
        let claim = self.claim(invariant, point, frame).ok()?;
        if let Some(truth) = self.truth(claim) {
            return Some(truth);
        }
        let options = smt::Options { budget: smt::Budget::resources(RESOURCES).and_millis(8_000), ..Default::default() };
        let mut solver = Solver::with_options(&self.pool, options);
        self.conditions.iter().for_each(|condition| solver.assert(*condition));
        solver.assert(self.pool.not(claim));
        Some(solver.check().is_unsat())
    }

    /// The equations of a relation, all together.
    fn claim(&mut self, invariant: &ArrayInvariant, point: &TracePoint, frame: &mut Frame) -> Result<TermId, GaveUp> {
        let ArrayInvariant { relation, names } = invariant;
        let view = View { names: &names.arrays, scalars: &names.scalars, point };
        let scalars: Vec<Option<i64>> = names.scalars.iter().map(|name| self.scalar(name, point, frame)).collect();
        let pivot = self.shown(relation.pivot, &view, frame)?;
        let places: usize = pivot.extents.iter().product::<u64>() as usize;
        let extents: Vec<usize> = pivot.extents.iter().map(|extent| *extent as usize).collect();
        let mut claims = Vec::new();
        for place in 0..places {
            let at = unflat(&extents, place);
            if relation.domain.moving.iter().any(|m| scalars[m.scalar].is_none()) {
                return Err("a bound that depends on inputs");
            }
            if !relation.domain.contains(&at, &scalars) {
                continue;
            }
            let indices: Vec<Number> =
                at.iter().map(|index| self.arithmetic().literal((*index).into(), IntKind::Long)).collect();
            // An element that was never written has no value to speak of.
            let left = match self.element(&pivot, &indices) {
                Err(UNWRITTEN) => continue,
                other => other?,
            };
            let (right, below) = self.right(&relation.right, relation, &view, &at, &scalars, frame)?;
            let left = self.exact(Ring::Mul, &left, &self.whole(below))?;
            claims.push(self.equal(&left, &right));
        }
        Ok(self.pool.and(&claims))
    }

    fn scalar(&mut self, name: &str, point: &TracePoint, frame: &mut Frame) -> Option<i64> {
        let (_, value) = point.values.iter().find(|(shown, _)| shown == name)?;
        match self.value(value, frame).ok()? {
            Value::Number(number) => self.literal(&number).and_then(|value| i64::try_from(value).ok()),
            Value::Pointer(_) => None,
        }
    }

    fn shown(&mut self, array: usize, view: &View<'_>, frame: &mut Frame) -> Result<Shown, GaveUp> {
        let name = &view.names[array];
        let (_, value) = view.point.values.iter().find(|(shown, _)| shown == name).ok_or("an array that is not shown")?;
        let Value::Pointer(Some(place)) = self.value(value, frame)? else { return Err("a null pointer") };
        if place.moved.is_some() {
            return Err("a pointer that depends on inputs");
        }
        let types = &self.program.types;
        let mut ty = types.pointee(value.ty).ok_or("a pointer to nothing")?;
        let step = self.size_of(ty, frame)?.max(1);
        let rest = self.state.objects[place.object.0 as usize].size.saturating_sub(place.offset.max(0) as u64);
        let outer = decayed(self.program, frame.function, value).unwrap_or(rest / step).min(rest / step);
        let mut extents = vec![outer];
        while let Type::Array { of, .. } = self.program.types.get(ty).clone() {
            extents.push(self.size_of(ty, frame)? / self.size_of(of, frame)?.max(1));
            ty = of;
        }
        let Some(ValueType::Int(kind)) = ValueType::of(&self.program.types, ty) else { return Err("a floating array") };
        Ok(Shown { place, extents, kind })
    }

    /// An element of an array, whose indices may depend on inputs.
    fn element(&mut self, array: &Shown, indices: &[Number]) -> Result<Number, GaveUp> {
        let mut place = array.place.clone();
        let mut step = array.kind.bytes() as i64;
        let steps: Vec<i64> = array.extents.iter().rev().map(|extent| {
            let own = step;
            step *= *extent as i64;
            own
        }).collect();
        for (index, step) in indices.iter().zip(steps.iter().rev()) {
            self.advance(&mut place, index.clone(), *step)?;
        }
        self.number_at(&place, array.kind)
    }

    fn whole(&self, value: i64) -> Number {
        let kind = if i32::try_from(value).is_ok() { IntKind::Int } else { IntKind::Long };
        self.arithmetic().literal(value.into(), kind)
    }

    /// Both numbers in the smallest of `int`, `long` and `__int128` that has room for them.
    fn promoted(&self, left: &Number, right: &Number) -> (Number, Number) {
        let kinds = [IntKind::Int, IntKind::Long, IntKind::Int128];
        let fits = |kind: &IntKind| {
            let room = exec::symbolic::Range::of(*kind);
            left.range.within(&room) && right.range.within(&room)
        };
        let kind = kinds.into_iter().find(fits).unwrap_or(IntKind::Int128);
        (self.arithmetic().convert(left, kind), self.arithmetic().convert(right, kind))
    }

    /// The exact result, in a type that has room for it.
    fn exact(&self, op: Ring, left: &Number, right: &Number) -> Result<Number, GaveUp> {
        for kind in [IntKind::Int, IntKind::Long, IntKind::Int128] {
            let room = exec::symbolic::Range::of(kind);
            if left.range.within(&room) && right.range.within(&room) {
                let (a, b) = (self.arithmetic().convert(left, kind), self.arithmetic().convert(right, kind));
                let (result, overflows) = self.arithmetic().ring(op, &a, &b);
                if overflows.is_none() {
                    return Ok(result);
                }
            }
        }
        Err("numbers that are too large")
    }

    fn equal(&self, left: &Number, right: &Number) -> TermId {
        let (left, right) = self.promoted(left, right);
        self.pool.eq(left.term, right.term)
    }

    /// The right side at a place of the pivot: a number and what it is to be divided by.
    fn right(
        &mut self,
        expr: &Right,
        relation: &ArrayRelation,
        view: &View<'_>,
        at: &[i64],
        scalars: &[Option<i64>],
        frame: &mut Frame,
    ) -> Result<(Number, i64), GaveUp> {
        let affine = |number: &Affine| number.value(at, scalars).ok_or("a number that depends on inputs");
        let narrow = |(n, d): Ratio| {
            let both = (i64::try_from(n), i64::try_from(d));
            if let (Ok(n), Ok(d)) = both { Ok((n, d)) } else { Err("numbers that are too large") }
        };
        match expr {
            Right::Number(number) => {
                let (above, below) = narrow(affine(number)?)?;
                Ok((self.whole(above), below))
            }
            Right::Scalar(scalar) => {
                let name = &view.scalars[*scalar];
                let value = view.point.values.iter().find(|(shown, _)| shown == name).ok_or("a scalar that is not shown")?;
                match self.value(&value.1, frame)? {
                    Value::Number(number) => Ok((number, 1)),
                    Value::Pointer(_) => Err("a pointer"),
                }
            }
            Right::Element { array, indices } => {
                let array = self.shown(*array, view, frame)?;
                let mut numbers = Vec::new();
                for index in indices {
                    let (number, below) = self.right(index, relation, view, at, scalars, frame)?;
                    let number = match (below, self.literal(&number)) {
                        (1, _) => number,
                        (below, Some(value)) if value % i128::from(below) == 0 => {
                            self.arithmetic().literal(value / i128::from(below), IntKind::Long)
                        }
                        _ => return Err("an index that is a fraction"),
                    };
                    numbers.push(self.arithmetic().convert(&number, IntKind::Long));
                }
                let inside = |(n, extent): (&Number, &u64)| self.literal(n).is_none_or(|n| (0..i128::from(*extent)).contains(&n));
                if !numbers.iter().zip(&array.extents).all(inside) {
                    return Err("an index outside of its array");
                }
                Ok((self.element(&array, &numbers)?, 1))
            }
            Right::Apply(function, arguments) => {
                let mut numbers = Vec::new();
                for argument in arguments {
                    let (number, below) = self.right(argument, relation, view, at, scalars, frame)?;
                    if below != 1 {
                        return Err("a function of a fraction");
                    }
                    numbers.push(number);
                }
                self.apply(*function, &numbers).map(|number| (number, 1))
            }
            Right::Linear { parts, constant } => {
                let mut ratios = vec![narrow(affine(constant)?)?];
                for (factor, _) in parts {
                    ratios.push(narrow(affine(factor)?)?);
                }
                let below = ratios.iter().fold(1i64, |all, (_, d)| all / crate::infer::arrays::affine::gcd(all.into(), (*d).into()) as i64 * d);
                let mut sum = self.whole(ratios[0].0 * (below / ratios[0].1));
                for ((_, part), (n, d)) in parts.iter().zip(&ratios[1..]) {
                    let (value, inner) = self.right(part, relation, view, at, scalars, frame)?;
                    if inner != 1 {
                        return Err("a sum of fractions");
                    }
                    let product = self.exact(Ring::Mul, &value, &self.whole(n * (below / d)))?;
                    sum = self.exact(Ring::Add, &sum, &product)?;
                }
                Ok((sum, below))
            }
            Right::Call { .. } => Err("a function of the program"),
        }
    }

    fn apply(&self, function: Builtin, numbers: &[Number]) -> Result<Number, GaveUp> {
        let first = numbers.first().ok_or("a function without arguments")?;
        let second = numbers.get(1).cloned().unwrap_or_else(|| self.whole(0));
        let (left, right) = self.promoted(first, &second);
        let op = match function {
            Builtin::Add => return self.exact(Ring::Add, &left, &right),
            Builtin::Sub => return self.exact(Ring::Sub, &left, &right),
            Builtin::Mult => return self.exact(Ring::Mul, &left, &right),
            Builtin::Not => return Ok(self.arithmetic().complement(&left)),
            Builtin::Xor => BinaryOp::BitXor,
            Builtin::And => BinaryOp::BitAnd,
            Builtin::Or => BinaryOp::BitOr,
            Builtin::Mod => BinaryOp::Rem,
            Builtin::Div => BinaryOp::Div,
        };
        if matches!(op, BinaryOp::Rem | BinaryOp::Div) && self.literal(&right).is_none_or(|by| by == 0 || by == -1) {
            return Err("a division by an input");
        }
        self.computed(op, &left, &right)
    }
}

/// An array at a visit.
struct Shown {
    place: Place,
    extents: Vec<u64>,
    kind: IntKind,
}

/// The names of a relation, and the statement that shows what they stand for.
struct View<'v> {
    names: &'v [String],
    scalars: &'v [String],
    point: &'v TracePoint,
}

fn width(value: &Value) -> i64 {
    match value {
        Value::Number(number) => number.kind.bytes() as i64,
        Value::Pointer(_) => 8,
    }
}

fn compare_pointers(op: BinaryOp, left: Option<Place>, right: Option<Place>) -> Result<bool, GaveUp> {
    let same = match (&left, &right) {
        (None, None) => true,
        (Some(a), Some(b)) if a.moved.is_none() && b.moved.is_none() => {
            if a.object == b.object {
                return Ok(match op {
                    BinaryOp::Eq => a.offset == b.offset,
                    BinaryOp::Ne => a.offset != b.offset,
                    BinaryOp::Lt => a.offset < b.offset,
                    BinaryOp::Le => a.offset <= b.offset,
                    BinaryOp::Gt => a.offset > b.offset,
                    _ => a.offset >= b.offset,
                });
            }
            false
        }
        (None, Some(_)) | (Some(_), None) => false,
        _ => return Err("pointers that depend on inputs"),
    };
    match op {
        BinaryOp::Eq => Ok(same),
        BinaryOp::Ne => Ok(!same),
        _ => Err("an order of pointers"),
    }
}

/// The length of an array that has decayed to the address of its first element, where its type tells it.
fn decayed(program: &Program, function: FunctionId, value: &Expr) -> Option<u64> {
    let ExprKind::AddressOf(lvalue) = &value.kind else { return None };
    let [Step::Index(_)] = lvalue.path.as_slice() else { return None };
    let ty = match &lvalue.base {
        Base::Local(local) => program.functions[function].locals[*local].ty,
        Base::Global(global) => program.globals[*global].ty,
        Base::Deref(_) => return None,
    };
    match program.types.get(ty) {
        Type::Array { length: Length::Fixed(length), .. } => Some(*length),
        _ => None,
    }
}
