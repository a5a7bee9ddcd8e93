//! Expressions: values, conditions and pointers, as far as they are known.

use super::access::Spot;
use super::arithmetic::{self, address_term, from_truth};
use super::floats;
use super::memory::{Kind, Life};
use super::sequencing::Touched;
use super::state::{Loss, Slot};
use super::step::{Eval, Halt, Step};
use super::value::{Float, Integer, Offset, Pointer, Symbolic, Target, Truth, Value};
use crate::number::{Number, Range};
use diagnostics::Rule;
use exec::memory::Fault;
use exec::vm::{self, Class};
use ir::{BinaryOp, EntityRef, Expr, ExprKind, FloatKind, IntKind, LocalId, LocalKind, LogicalOp, UnaryOp};

impl<'p> Step<'_, 'p> {
    pub fn class(&self, expr: &Expr) -> Eval<Class> {
        Class::of(&self.engine.program.types, expr.ty).ok_or_else(|| self.unsupported("a value that is no scalar"))
    }

    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &'p Expr) -> Eval<Value> {
        // Expressions nest as deep as the user writes them.
        stacker::maybe_grow(64 << 10, 1 << 20, || self.value_inside(expr))
    }

    fn value_inside(&mut self, expr: &'p Expr) -> Eval<Value> {
        let class = self.class(expr)?;
        match &expr.kind {
            ExprKind::Int(value) => Ok(match class {
                Class::Int(kind) => Value::int(kind, *value),
                _ => Value::Pointer(Pointer::address(*value as i64)),
            }),
            ExprKind::Float(value) => Ok(Value::Float(match class {
                Class::Float(kind) => floats::known(kind, *value),
                _ => floats::known(FloatKind::Double, *value),
            })),
            ExprKind::Extended(bits) => {
                Ok(Value::Float(Float::Concrete(FloatKind::Extended, vm::Value::extended(*bits))))
            }
            ExprKind::Load(lvalue) => match self.spot(lvalue)? {
                Spot::Register(local) => self.register(local),
                Spot::Memory(place) => {
                    self.read_as(lvalue, &place);
                    self.load(&place, class)
                }
            },
            ExprKind::AddressOf(lvalue) => {
                let Spot::Memory(place) = self.spot_up_to(lvalue, 1)? else {
                    unreachable!("an object whose address is taken should be in memory")
                };
                let pointer = Pointer { target: Target::Object(place.object), offset: place.offset, null: None };
                self.require_within(&pointer)?;
                Ok(Value::Pointer(pointer))
            }
            ExprKind::Function(id) => Ok(Value::Pointer(Pointer::to_function(*id))),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Logical(..) => self.truth_value(expr, class),
            ExprKind::Binary(op, ..) if op.is_comparison() => self.truth_value(expr, class),
            ExprKind::Unary(op, operand) => match (self.value(operand)?, op) {
                (Value::Int(value), UnaryOp::Neg) => {
                    let (result, claims) = arithmetic::negate(&self.engine.pool, &value)?;
                    self.require_all(claims)?;
                    Ok(Value::Int(result))
                }
                (Value::Int(value), _) => Ok(Value::Int(arithmetic::complement(&self.engine.pool, &value))),
                (Value::Float(value), _) => Ok(Value::Float(floats::negate(&self.engine.pool, &value))),
                (Value::Pointer(_), _) => Err(self.unsupported("arithmetic on a pointer")),
            },
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Convert { value, .. } => {
                let from = self.class(value)?;
                if class == Class::Int(IntKind::Bool) {
                    let truth = self.truth(value)?;
                    return Ok(Value::Int(from_truth(&self.engine.pool, truth, IntKind::Bool)));
                }
                let value = self.value(value)?;
                self.convert(value, from, class)
            }
        }
    }

    fn truth_value(&mut self, expr: &'p Expr, class: Class) -> Eval<Value> {
        let truth = self.truth(expr)?;
        let kind = if let Class::Int(kind) = class { kind } else { IntKind::Int };
        Ok(Value::Int(from_truth(&self.engine.pool, truth, kind)))
    }

    /// Notes an access of a variable that the text has.
    pub fn touch_register(&mut self, local: LocalId, writes: bool) {
        if self.state.watches.is_empty() {
            return;
        }
        let function = &self.engine.program.functions[self.state.frame().function];
        if function.locals[local].kind != LocalKind::Temporary {
            self.state.note(Touched::Register(local), writes);
        }
    }

    fn register(&mut self, local: LocalId) -> Eval<Value> {
        self.touch_register(local, false);
        match &self.state.frame().locals[local.index()] {
            Slot::Register(Some(value)) => Ok(value.clone()),
            _ => {
                let function = &self.engine.program.functions[self.state.frame().function];
                let message = format!("`{}` has no value yet", function.locals[local].name);
                Err(Halt::Fault(Fault::new(Rule::UninitialisedRead, message)))
            }
        }
    }

    /// An expression of integer type.
    pub fn int(&mut self, expr: &'p Expr) -> Eval<Integer> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            Value::Pointer(pointer) => Ok(Integer::Address(IntKind::ULong, pointer)),
            Value::Float(_) => Err(self.unsupported("a floating value in place of an integer")),
        }
    }

    /// An expression of pointer type.
    pub fn pointer(&mut self, expr: &'p Expr) -> Eval<Pointer> {
        let value = self.value(expr)?;
        self.as_pointer(value)
    }

    pub fn as_pointer(&mut self, value: Value) -> Eval<Pointer> {
        match value {
            Value::Pointer(pointer) => Ok(pointer),
            Value::Int(Integer::Address(_, pointer)) => Ok(pointer),
            Value::Int(value) => Ok(Pointer::address(self.known_int(&value)? as i64)),
            Value::Float(_) => Err(self.unsupported("a floating value in place of a pointer")),
        }
    }

    /// Whether a scalar expression is not zero.
    pub fn truth(&mut self, expr: &'p Expr) -> Eval<Truth> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.truth_inside(expr))
    }

    fn truth_inside(&mut self, expr: &'p Expr) -> Eval<Truth> {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => Ok(self.truth(operand)?.negated(&self.engine.pool)),
            ExprKind::Logical(op, left, right) => self.logical(*op, left, right),
            ExprKind::Binary(op, left, right) if op.is_comparison() => self.comparison(*op, left, right),
            ExprKind::Convert { value, .. }
                if matches!(self.class(expr)?, Class::Int(_)) && self.engine.is_condition(value) =>
            {
                self.truth(value)
            }
            _ => {
                let value = self.value(expr)?;
                Ok(self.is_nonzero(&value))
            }
        }
    }

    pub fn is_nonzero(&self, value: &Value) -> Truth {
        let pool = &self.engine.pool;
        let truth = match value {
            Value::Int(value) => arithmetic::is_nonzero(pool, value),
            Value::Float(value) => floats::is_nonzero(pool, value),
            Value::Pointer(pointer) => pointer.is_null().negated(pool),
        };
        self.known_truth(truth)
    }

    /// A condition that was settled on the path is no question any more.
    pub fn known_truth(&self, truth: Truth) -> Truth {
        match truth {
            Truth::Symbolic(term) => self.state.path.settled(term).map_or(truth, Truth::Concrete),
            known => known,
        }
    }

    fn logical(&mut self, op: LogicalOp, left: &'p Expr, right: &'p Expr) -> Eval<Truth> {
        let first = self.truth(left)?;
        let first = self.known_truth(first);
        let pool = self.engine.pool.clone();
        let first = match (op, first) {
            (LogicalOp::And, Truth::Concrete(false)) => return Ok(Truth::Concrete(false)),
            (LogicalOp::Or, Truth::Concrete(true)) => return Ok(Truth::Concrete(true)),
            (_, Truth::Concrete(_)) => return self.truth(right),
            (_, Truth::Symbolic(first)) => first,
        };
        let guard = if op == LogicalOp::And { first } else { pool.not(first) };
        let second = self.under(guard, |step| step.truth(right))?.term(&pool);
        Ok(Truth::of(&pool, if op == LogicalOp::And { pool.and(&[first, second]) } else { pool.or(&[first, second]) }))
    }

    /// Evaluates something that is evaluated only if the guard holds.
    pub fn under<T>(&mut self, guard: smt::TermId, evaluate: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        self.guards.push(guard);
        let result = evaluate(self);
        self.guards.pop();
        match result {
            // Undefined under every circumstance: then the guard must be false, or this is the fault.
            Err(Halt::Fault(_) | Halt::Lost(_) | Halt::Excluded) => {
                Err(Halt::Fork(self.guards.first().copied().unwrap_or(guard)))
            }
            result => result,
        }
    }

    fn conditional(&mut self, condition: &'p Expr, yes: &'p Expr, no: &'p Expr) -> Eval<Value> {
        let truth = self.truth(condition)?;
        let term = match self.known_truth(truth) {
            Truth::Concrete(value) => return self.value(if value { yes } else { no }),
            Truth::Symbolic(term) => term,
        };
        let pool = self.engine.pool.clone();
        let first = self.under(term, |step| step.value(yes))?;
        let second = self.under(pool.not(term), |step| step.value(no))?;
        match select(&pool, term, &first, &second) {
            Some(value) => Ok(value),
            None => {
                let chosen = self.decide(Truth::Symbolic(term))?;
                Ok(if chosen { first } else { second })
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Eval<Truth> {
        let (a, b) = (self.value(left)?, self.value(right)?);
        let truth = self.compare(op, &a, &b)?;
        Ok(self.known_truth(truth))
    }

    pub fn compare(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Eval<Truth> {
        let pool = self.engine.pool.clone();
        match (a, b) {
            (Value::Float(a), Value::Float(b)) => Ok(floats::compare(&pool, op, a, b)),
            (Value::Pointer(a), Value::Pointer(b)) => self.compare_pointers(op, a, b),
            (Value::Int(Integer::Address(_, a)), Value::Int(Integer::Address(_, b))) => self.compare_pointers(op, a, b),
            (Value::Int(Integer::Address(_, a)), Value::Int(Integer::Concrete(_, 0)))
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) =>
            {
                self.compare_pointers(op, a, &Pointer::NULL)
            }
            (Value::Int(a), Value::Int(b)) => {
                self.watch_addresses(a);
                self.watch_addresses(b);
                Ok(arithmetic::compare(&pool, op, a, b))
            }
            _ => Err(self.unsupported("a comparison of values of different kinds")),
        }
    }

    fn watch_addresses(&mut self, value: &Integer) {
        if matches!(value, Integer::Address(..)) {
            self.engine.lose(Loss::Addresses, self.span);
        }
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: &Pointer, b: &Pointer) -> Eval<Truth> {
        let pool = self.engine.pool.clone();
        let nullable = a.null.is_some() || b.null.is_some();
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && (nullable || a.target != b.target) {
            self.watch_aliases(a, b);
            if a.target != b.target && self.may_coincide(a, b) {
                self.engine.lose(Loss::Addresses, self.span);
            }
            // Equal if both are null, or neither is and they lead to the same place.
            let (null_a, null_b) = (a.is_null().term(&pool), b.is_null().term(&pool));
            let same = if a.target == b.target {
                pool.eq(a.offset.term(&pool), b.offset.term(&pool))
            } else {
                pool.bool(false)
            };
            let both = pool.and(&[null_a, null_b]);
            let neither = pool.and(&[pool.not(null_a), pool.not(null_b), same]);
            let equal = pool.or(&[both, neither]);
            return Ok(Truth::of(&pool, if op == BinaryOp::Eq { equal } else { pool.not(equal) }));
        }
        for pointer in [a, b] {
            if let Some(null) = pointer.null {
                self.assume(pool.not(null))?;
            }
        }
        if a.target != b.target {
            // C leaves the order of different objects undefined; programs ask for it all the same.
            self.engine.lose(Loss::Addresses, self.span);
        }
        let of = |pointer: &Pointer| {
            let base = if a.target == b.target { pointer.offset.term(&pool) } else { address_term(&pool, pointer) };
            arithmetic::integer(&pool, arithmetic::machine(&pool).of_type(base, IntKind::Long))
        };
        Ok(arithmetic::compare(&pool, op, &of(a), &of(b)))
    }

    /// Whether pointers to different objects may be equal all the same: C does not say what lies behind an object, where
    /// an object lies that is no more, and whether literals share their bytes.
    fn may_coincide(&self, a: &Pointer, b: &Pointer) -> bool {
        let object = |pointer: &Pointer| match pointer.target {
            Target::Object(object) => Some(self.state.memory.get(object)),
            _ => None,
        };
        let is_inside = |pointer: &Pointer| {
            object(pointer).is_none_or(|object| {
                let known = pointer.offset.open.is_none().then_some(pointer.offset.known);
                let inside = known.is_some_and(|at| at >= 0 && (at as u64) < object.size);
                object.life == Life::Live && (inside || object.horizon.is_some())
            })
        };
        // Numbers that programs use as marks lie where no object does.
        let is_mark = |pointer: &Pointer| {
            pointer.target == Target::Nothing
                && pointer.offset.open.is_none()
                && (pointer.offset.known == -1 || pointer.offset.known.unsigned_abs() < 1 << 12)
        };
        if is_mark(a) || is_mark(b) {
            return false;
        }
        match (object(a), object(b)) {
            (Some(x), Some(y)) => {
                let literals = x.kind == Kind::StringLiteral && y.kind == Kind::StringLiteral;
                literals || !is_inside(a) || !is_inside(b)
            }
            // A number may be the address of anything; a function is no object.
            _ => a.target == Target::Nothing || b.target == Target::Nothing,
        }
    }

    /// Pointers to different objects of which one is an input: with another input they may lead to one object.
    fn watch_aliases(&mut self, a: &Pointer, b: &Pointer) {
        let kind = |pointer: &Pointer| match pointer.target {
            Target::Object(object) => Some(self.state.memory.get(object).kind),
            _ => None,
        };
        let may_meet = |one: Option<Kind>, other: Option<Kind>| {
            one == Some(Kind::Input) && matches!(other, Some(Kind::Input | Kind::Global | Kind::StringLiteral))
        };
        let is_callback = |kind| kind == Some(Kind::Callback);
        let is_code = |pointer: &Pointer| is_callback(kind(pointer)) || matches!(pointer.target, Target::Function(_));
        if a.target != b.target
            && is_code(a)
            && is_code(b)
            && let Some(callback) = [a, b].into_iter().find(|pointer| is_callback(kind(pointer)))
            && let Target::Object(object) = callback.target
        {
            let name = self.state.memory.get(object).name.to_string();
            self.engine.lose(Loss::Callback { name }, self.span);
        }
        if a.target != b.target && (may_meet(kind(a), kind(b)) || may_meet(kind(b), kind(a))) {
            self.engine.lose_aliasing(self.span);
        }
        // Calls may give one text or stream again, also one that somebody else was given.
        let is_library = |kind| matches!(kind, Some(Kind::Text | Kind::Stream | Kind::InputStream));
        let (x, y) = (kind(a), kind(b));
        if a.target != b.target && (is_library(x) && y.is_some() || is_library(y) && x.is_some()) {
            self.engine.lose(Loss::Addresses, self.span);
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Eval<Value> {
        let stride = || self.engine.program.types.pointee(left.ty);
        match op {
            BinaryOp::PointerAdd => {
                let to = stride();
                let pointer = self.pointer(left)?;
                let index = self.int(right)?;
                let size = match to {
                    Some(to) => self.size_of(to)?,
                    None => 1,
                };
                let by = self.scaled(&index, size)?;
                let moved = self.moved(&pointer, by);
                self.require_within(&moved)?;
                Ok(Value::Pointer(moved))
            }
            BinaryOp::PointerDiff => {
                let to = stride();
                let (a, b) = (self.pointer(left)?, self.pointer(right)?);
                let size = match to {
                    Some(to) => self.size_of(to)?.max(1),
                    None => 1,
                };
                self.difference(&a, &b, size)
            }
            _ => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                self.operate(op, a, b)
            }
        }
    }

    pub fn moved(&self, pointer: &Pointer, by: Offset) -> Pointer {
        Pointer { offset: pointer.offset.plus(&self.engine.pool, by), ..*pointer }
    }

    fn difference(&mut self, a: &Pointer, b: &Pointer, size: u64) -> Eval<Value> {
        if a.target != b.target {
            self.watch_aliases(a, b);
            if self.may_coincide(a, b) {
                self.engine.lose(Loss::Addresses, self.span);
            }
            let message = "pointers to different objects are subtracted";
            return Err(Halt::Fault(Fault::new(Rule::InvalidPointer, message)));
        }
        let pool = &self.engine.pool;
        if a.offset.open.is_none() && b.offset.open.is_none() {
            let bytes = a.offset.known.wrapping_sub(b.offset.known);
            return Ok(Value::int(IntKind::Long, i128::from(bytes / size as i64)));
        }
        let bytes = pool.bv_sub(a.offset.term(pool), b.offset.term(pool));
        let term = if size == 1 { bytes } else { pool.bv_sdiv(bytes, pool.bits(64, size)) };
        Ok(Value::Int(arithmetic::integer(pool, arithmetic::machine(pool).of_type(term, IntKind::Long))))
    }

    /// An arithmetic operator on two values.
    pub fn operate(&mut self, op: BinaryOp, a: Value, b: Value) -> Eval<Value> {
        let pool = self.engine.pool.clone();
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => {
                self.watch_addresses(&a);
                self.watch_addresses(&b);
                let (result, claims) = arithmetic::binary(&pool, op, &a, &b)?;
                self.require_all(claims)?;
                Ok(Value::Int(result))
            }
            (Value::Float(a), Value::Float(b)) => Ok(Value::Float(floats::binary(&pool, op, &a, &b))),
            _ => Err(self.unsupported("an operation on values of different kinds")),
        }
    }

    /// C's conversion between scalar types, `_Bool` as a target aside.
    pub fn convert(&mut self, value: Value, from: Class, to: Class) -> Eval<Value> {
        let pool = self.engine.pool.clone();
        match (value, to) {
            (value, Class::Int(IntKind::Bool)) => {
                let truth = self.is_nonzero(&value);
                Ok(Value::Int(from_truth(&pool, truth, IntKind::Bool)))
            }
            (Value::Int(value), Class::Int(kind)) => {
                if kind.bytes() != 8 {
                    self.watch_addresses(&value);
                }
                Ok(Value::Int(arithmetic::convert(&pool, &value, kind)))
            }
            (Value::Float(value), Class::Float(kind)) => Ok(Value::Float(floats::convert(&pool, &value, kind))),
            (value @ Value::Pointer(_), Class::Pointer) => Ok(value),
            (Value::Pointer(pointer), Class::Int(kind)) => {
                if pointer.target == Target::Nothing && pointer.null.is_none() {
                    return Ok(Value::int(kind, i128::from(pointer.offset.known as u64)));
                }
                let address = Integer::Address(IntKind::ULong, pointer);
                if kind.bytes() != 8 {
                    self.watch_addresses(&address);
                }
                Ok(Value::Int(arithmetic::convert(&pool, &address, kind)))
            }
            (value @ Value::Int(_), Class::Pointer) => {
                let Value::Int(value) = value else { unreachable!() };
                match arithmetic::convert(&pool, &value, IntKind::Long) {
                    Integer::Address(_, pointer) => Ok(Value::Pointer(pointer)),
                    Integer::Concrete(_, address) => Ok(Value::Pointer(Pointer::address(address as i64))),
                    Integer::Symbolic(number) => {
                        let address = self.concretise(number.term)?;
                        Ok(Value::Pointer(self.pointer_at(address as i64)))
                    }
                }
            }
            (Value::Int(value), Class::Float(kind)) => self.int_to_float(&value, kind),
            (Value::Float(value), Class::Int(kind)) => self.float_to_int(&value, kind),
            _ => {
                let _ = from;
                Err(self.unsupported("a conversion between a pointer and a floating value"))
            }
        }
    }

    /// The pointer whose number a program has computed.
    fn pointer_at(&self, address: i64) -> Pointer {
        let (high, low) = (address >> 32, address & 0xffff_ffff);
        match u32::try_from(high - 1).ok().filter(|id| *id < self.state.memory.len()) {
            Some(id) => {
                Pointer { target: Target::Object(super::memory::ObjectId(id)), offset: Offset::known(low), null: None }
            }
            None => Pointer::address(address),
        }
    }

    fn int_to_float(&mut self, value: &Integer, to: FloatKind) -> Eval<Value> {
        if let Integer::Concrete(kind, value) = value {
            let converted = vm::convert(Class::Int(*kind), Class::Float(to), vm::Value::int(*kind, *value))?;
            return Ok(Value::Float(Float::Concrete(to, converted)));
        }
        self.watch_addresses(value);
        let pool = &self.engine.pool;
        let number = arithmetic::number(pool, value);
        let term = floats::exact(pool).of_number(arithmetic::machine(pool), &number, to);
        Ok(Value::Float(floats::float(pool, to, term)))
    }

    fn float_to_int(&mut self, value: &Float, to: IntKind) -> Eval<Value> {
        match value {
            Float::Concrete(from, value) => {
                let converted = vm::convert(Class::Float(*from), Class::Int(to), *value)?;
                Ok(Value::int(to, converted.as_int(to)))
            }
            Float::Symbolic(_, term) => {
                let pool = self.engine.pool.clone();
                let (number, fits) = floats::exact(&pool).to_number(arithmetic::machine(&pool), *term, to);
                self.require(fits, Rule::BadConversion, "the floating value does not fit the integer type")?;
                Ok(Value::Int(arithmetic::integer(&pool, number)))
            }
        }
    }
}

/// One of two values of the same kind, as one term; `None` if that cannot be said.
pub fn select(pool: &smt::TermPool, condition: smt::TermId, yes: &Value, no: &Value) -> Option<Value> {
    if yes == no {
        return Some(yes.clone());
    }
    match (yes, no) {
        (
            Value::Int(a @ (Integer::Concrete(..) | Integer::Symbolic(_))),
            Value::Int(b @ (Integer::Concrete(..) | Integer::Symbolic(_))),
        ) if a.kind().bits() == b.kind().bits() => {
            let (a, b) = (arithmetic::number(pool, a), arithmetic::number(pool, b));
            let range = if a.kind == b.kind { a.range.hull(&b.range) } else { Range::of(a.kind) };
            let term = pool.ite(condition, a.term, b.term);
            Some(Value::Int(arithmetic::integer(pool, Number { term, kind: a.kind, range })))
        }
        (Value::Float(a), Value::Float(b)) if a.kind() == b.kind() => {
            let (x, y) = (floats::term(pool, a), floats::term(pool, b));
            Some(Value::Float(floats::float(pool, a.kind(), pool.ite(condition, x, y))))
        }
        // Two places in one object: the offset is chosen.
        (Value::Pointer(a), Value::Pointer(b)) if a.target == b.target && a.null.is_none() && b.null.is_none() => {
            if !matches!(a.target, Target::Object(_)) {
                return None;
            }
            let offset = match (a.offset, b.offset) {
                (Offset { known: x, open: None }, Offset { known: y, open: None }) => {
                    let apart = y.wrapping_sub(x);
                    let term = pool.ite(condition, pool.bits(64, 0), pool.bits(64, apart));
                    Offset {
                        known: x,
                        open: Some(Symbolic {
                            low: apart.min(0),
                            high: apart.max(0),
                            ..Symbolic::any(term, apart.unsigned_abs())
                        }),
                    }
                }
                (x, y) => {
                    let term = pool.ite(condition, x.term(pool), y.term(pool));
                    Offset { known: 0, open: Some(Symbolic::any(term, 1)) }
                }
            };
            Some(Value::Pointer(Pointer { target: a.target, offset, null: None }))
        }
        _ => None,
    }
}

impl From<Box<Fault>> for Halt {
    fn from(fault: Box<Fault>) -> Halt {
        Halt::Fault(fault)
    }
}
