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
//! *Guarantee*: `proved` means on every run without undefined behaviour, for arrays that do not overlap and the lengths
//! that the harness gives; where a parameter is a length, every length up to [`LONGEST`] is evaluated. What this does not model (floating point, writes at places that depend on inputs, loops and returns that do,
//! library functions) makes it give up: then nothing is proved.
//!
//! *Cost*: bounded by [`MOST_STEPS`] statements and the solver's budget for each relation.

mod claims;
mod values;

use diagnostics::Verdict;
use infer::ArrayInvariant;
use ir::{
    Block, Callee, EntityRef, Expr, FunctionId, GlobalId, InitValue, IntKind, Intrinsic, Length, LocalId, LoopKind,
    Lvalue, Program, Stmt, StmtKind, Type, TypeId,
};
use observe::harness::{HarnessArray, LONGEST, Long};
use observe::locations::Instrumented;
use smt::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use symex::Ints;
use symex::number::{Arithmetic, Number};

/// Statements that are evaluated.
const MOST_STEPS: usize = 300_000;
/// Parameters that are lengths of arrays.
const MOST_LENGTHS: usize = 2;
/// Calls inside each other.
const DEEPEST: usize = 48;
/// Elements that a read at an unknown place chooses from.
const MOST_CHOICES: u64 = 512;
/// What the solver may use for one relation.
const RESOURCES: u32 = 4_000_000;

/// Why an evaluation was given up.
type GaveUp = &'static str;

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
    /// Globals that hold anything when the entry is called: reading one before it is written gives up.
    open_globals: &'e BTreeSet<GlobalId>,
    pool: TermPool,
    state: State,
    /// What is assumed of inputs, and the branches taken.
    conditions: Vec<TermId>,
    shown: Lemmas,
    steps: usize,
    /// How often a value was asked for at a place.
    asked: HashMap<(ObjectId, i64), usize>,
    cancel: &'e AtomicBool,
    /// For each relation that is left, how often its location was passed.
    open: Vec<Pending<'e>>,
}

/// What was shown, with the conditions that it follows from. They may be those of a shorter array: elements have the same
/// names in every case.
type Lemmas = HashMap<TermId, Rc<[TermId]>>;

struct Pending<'e> {
    location: &'e str,
    invariant: &'e ArrayInvariant,
    visits: usize,
    failed: bool,
}

/// Marks the relations that hold on every run, and counts them. `found` has the names of locations and their relations; `made` are the
/// arrays that the entry makes: where a parameter is a length, every length is a case of its own; `open_globals` hold
/// anything when the entry is called.
pub(super) fn prove_by_unrolling(
    instrumented: &Instrumented,
    made: &[HarnessArray],
    found: &mut [(String, Vec<ArrayInvariant>)],
    open_globals: &BTreeSet<GlobalId>,
    cancel: &Arc<AtomicBool>,
) -> usize {
    let mut open: Vec<Pending<'_>> = found
        .iter()
        .flat_map(|(location, invariants)| {
            invariants.iter().map(|invariant| Pending {
                location: location.as_str(),
                invariant,
                visits: 0,
                failed: false,
            })
        })
        .collect();
    let (pool, mut shown, mut steps) = (TermPool::new(), Lemmas::new(), 0);
    pool.cancelled_by(cancel);
    for case in cases(made) {
        if open.iter().all(|open| open.failed) {
            return 0;
        }
        let mut evaluation = Evaluation {
            program: &instrumented.program,
            open_globals,
            pool: pool.clone(),
            state: State::default(),
            conditions: Vec::new(),
            shown,
            steps,
            asked: HashMap::new(),
            cancel,
            open,
        };
        if evaluation.run(instrumented.entry, &case).is_err() {
            return 0;
        }
        (open, shown, steps) = (evaluation.open, evaluation.shown, evaluation.steps);
    }
    let proved: Vec<bool> = open.iter().map(|open| open.visits > 0 && !open.failed).collect();
    let count = proved.iter().filter(|proved| **proved).count();
    let invariants = found.iter_mut().flat_map(|(_, invariants)| invariants);
    for (invariant, _) in invariants.zip(proved).filter(|(_, proved)| *proved) {
        invariant.relation.verdict = Verdict::Proved { how: "evaluation of all runs".to_string() };
    }
    count
}

/// The lengths that parameters have, all together: for each case the parameters by their number, with their values. None
/// if there are too many.
fn cases(made: &[HarnessArray]) -> Vec<Vec<(usize, i128)>> {
    let lengths: BTreeSet<usize> = made
        .iter()
        .filter_map(|array| match array.length {
            Long::Parameter(number) => Some(number),
            Long::Fixed(_) => None,
        })
        .collect();
    if lengths.len() > MOST_LENGTHS {
        return Vec::new();
    }
    let mut cases = vec![Vec::new()];
    for number in lengths {
        let longer = |case: &Vec<(usize, i128)>| {
            let case = case.clone();
            (1..=LONGEST).map(move |length| case.iter().copied().chain([(number, length)]).collect::<Vec<_>>())
        };
        cases = cases.iter().flat_map(longer).collect();
    }
    cases
}

impl<'e> Evaluation<'e> {
    fn arithmetic(&self) -> Arithmetic<'_> {
        Arithmetic { pool: &self.pool, ints: Ints::Machine }
    }

    /// Evaluates the entry with these values of parameters, and any of the others.
    fn run(&mut self, entry: FunctionId, case: &[(usize, i128)]) -> Result<(), GaveUp> {
        if self.program.types.has_volatile_parts {
            return Err("a volatile object");
        }
        // Before any branch, so that all branches mean the same objects; one that fails will fail where it is used.
        for global in self.program.globals.keys() {
            let _ = self.global(global);
        }
        let about = &self.program.functions[entry];
        let mut arguments = Vec::new();
        for (number, param) in about.params.iter().enumerate() {
            let ty = about.locals[*param].ty;
            arguments.push(match (case.iter().find(|(n, _)| *n == number), self.program.types.int_kind(ty)) {
                (Some((_, length)), Some(kind)) => Value::Number(self.arithmetic().literal(*length, kind)),
                _ => self.symbol(ty, &format!("parameter {number}"))?,
            });
        }
        self.call(entry, arguments, 0).map(|_| ())
    }

    /// Any number of a type.
    fn symbol(&mut self, ty: TypeId, name: &str) -> Result<Value, GaveUp> {
        let kind = self.program.types.int_kind(ty).ok_or("an input that is no integer")?;
        let sort = self.arithmetic().sort(kind);
        let term = self.pool.var(&format!("{name} {}", kind.c_name()), sort);
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
        let Type::Array { of, length } = self.program.types.get(ty).clone() else {
            return Err("a type without a size");
        };
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
        if about.is_volatile {
            return Err("a volatile object");
        }
        if self.open_globals.contains(&global) {
            self.state.globals.insert(global, id);
            return Ok(id);
        }
        let mut cells = BTreeMap::new();
        for item in &about.init.as_ref().ok_or("a global of another program")?.items {
            if item.bits.is_some() {
                return Err("a bit-field");
            }
            match &item.value {
                InitValue::Bytes(bytes) => {
                    let types = &self.program.types;
                    let element = types.int_kind(types.innermost(about.ty)).filter(|kind| kind.bytes() == 1);
                    let element = element.ok_or("a string inside a record, or a wide one")?;
                    for (n, byte) in bytes.iter().enumerate() {
                        let value = self.arithmetic().literal(element.wrap(i128::from(*byte)), element);
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
            if of.is_volatile {
                return Err("a volatile object");
            }
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
        if self.steps > MOST_STEPS || self.steps.is_multiple_of(256) && self.cancel.load(Ordering::Relaxed) {
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
            StmtKind::Unordered(_) => return Err("an order of evaluation that C leaves open"),
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

    fn branch(
        &mut self,
        cond: &Expr,
        then: &Block,
        otherwise: &Block,
        frame: &mut Frame,
        depth: usize,
    ) -> Result<Flow, GaveUp> {
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
                    (Some(Value::Number(a)), None) | (None, Some(Value::Number(a)))
                        if mine.is_zeroed && theirs.is_zeroed =>
                    {
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
            Callee::Function(function) if !self.program.call_agrees(*function, args) => {
                return Err("a call that does not give a function what it takes");
            }
            Callee::Function(function) => {
                let arguments = args.iter().map(|arg| self.value(arg, frame)).collect::<Result<Vec<_>, _>>()?;
                self.call(*function, arguments, depth + 1)?
            }
            Callee::Intrinsic(Intrinsic::Nondet) => {
                let result = result.ok_or("an input that nobody takes")?;
                let place = self.fixed(result, frame)?;
                let count = self.asked.entry((place.object, place.offset)).or_insert(0);
                *count += 1;
                let name = format!("input {count} of {} at {}", place.object.0, place.offset);
                Some(self.symbol(result.ty, &name)?)
            }
            _ => return Err("a call through a pointer"),
        };
        if let Some(result) = result {
            let place = self.place(result, frame)?;
            self.write(&place, result.ty, value.ok_or("a function without a result")?)?;
        }
        Ok(())
    }
}
