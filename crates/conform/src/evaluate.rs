//! What an expression is worth where some variables are known, and what a condition tells about them.

use super::cells::{CellId, Place, Root, without_conversions};
use super::model::Model;
use super::slice::{Slice, step_of};
use super::value::{Constant, Value};
use ir::arith::{self, Defined};
use ir::{
    Base, BinaryOp, Expr, ExprKind, FunctionId, InitValue, IntKind, LogicalOp, Lvalue, Step, Stmt, Type, TypeId,
    UnaryOp,
};

/// The cells that something is known about, ascending.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(super) struct Valuation(Vec<(CellId, Value)>);

impl Valuation {
    pub fn get(&self, cell: CellId) -> Option<&Value> {
        self.0.binary_search_by_key(&cell, |(cell, _)| *cell).ok().map(|index| &self.0[index].1)
    }

    pub fn set(&mut self, cell: CellId, value: Value) {
        match (self.0.binary_search_by_key(&cell, |(cell, _)| *cell), value) {
            (Ok(index), Value::Unknown) => drop(self.0.remove(index)),
            (Ok(index), value) => self.0[index].1 = value,
            (Err(_), Value::Unknown) => {}
            (Err(index), value) => self.0.insert(index, (cell, value)),
        }
    }

    pub fn retain(&mut self, keep: impl Fn(CellId) -> bool) {
        self.0.retain(|(cell, _)| keep(*cell));
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &(CellId, Value)> {
        self.0.iter()
    }
}

pub(super) struct Evaluator<'m, 'p> {
    pub model: &'m Model<'p>,
    pub slice: &'m Slice<'p>,
    pub function: FunctionId,
}

/// Whether conversions may change the sign of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signs {
    Stay,
    Change,
}

/// The largest constant up to which a counter without a constant bound is counted.
pub(super) const MAX_COUNT: i128 = 8;

impl<'p> Evaluator<'_, 'p> {
    fn is_int(&self, ty: TypeId) -> Option<IntKind> {
        self.model.program.types.int_kind(ty)
    }

    /// What is known about an expression.
    pub fn value(&self, at: &Valuation, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Int(value) => of_type(self.is_int(expr.ty).unwrap_or(IntKind::Long), Ok(*value)),
            ExprKind::Function(id) => Value::Is(Constant::Function(*id)),
            ExprKind::Load(lvalue) => self.load(at, lvalue),
            ExprKind::AddressOf(lvalue) => self.address(at, lvalue),
            ExprKind::Convert { value, .. } => self.converted(self.value(at, value), value.ty, expr.ty),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                self.value(at, inner).truth().map_or(Value::Unknown, |truth| Value::int(i128::from(!truth)))
            }
            ExprKind::Unary(op, inner) => match (self.value(at, inner).as_int(), self.is_int(expr.ty)) {
                (Some(value), Some(kind)) if *op == UnaryOp::Neg => of_type(kind, arith::negate(kind, value)),
                (Some(value), Some(kind)) => of_type(kind, Ok(arith::complement(kind, value))),
                _ => Value::Unknown,
            },
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let known = self.value(at, a).compare(*op, &self.value(at, b));
                known.map_or(Value::Unknown, |holds| Value::int(i128::from(holds)))
            }
            // Arithmetic of two variables mixes what was read with what was read: nothing that conditions ask about.
            ExprKind::Binary(op, a, b) if !is_constant(a) && !is_constant(b) => {
                self.trivial(*op, self.value(at, a), self.value(at, b), expr.ty)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, self.value(at, a), self.value(at, b), expr.ty, b.ty),
            ExprKind::Logical(op, a, b) => {
                let known = match (op, self.value(at, a).truth()) {
                    (LogicalOp::And, Some(false)) => Some(false),
                    (LogicalOp::Or, Some(true)) => Some(true),
                    (_, first) => match (op, first, self.value(at, b).truth()) {
                        (LogicalOp::And, _, Some(false)) => Some(false),
                        (LogicalOp::Or, _, Some(true)) => Some(true),
                        (_, Some(_), second) => second,
                        _ => None,
                    },
                };
                known.map_or(Value::Unknown, |holds| Value::int(i128::from(holds)))
            }
            ExprKind::Conditional(cond, a, b) => match self.value(at, cond).truth() {
                Some(true) => self.value(at, a),
                Some(false) => self.value(at, b),
                None => {
                    let (a, b) = (self.value(at, a), self.value(at, b));
                    if a == b { a } else { Value::Unknown }
                }
            },
            ExprKind::Float(_) | ExprKind::Extended(_) => Value::Unknown,
        }
    }

    /// A sum or difference that is nothing or one of its operands: what is left when all was moved, or nothing was yet.
    fn trivial(&self, op: BinaryOp, a: Value, b: Value, ty: TypeId) -> Value {
        match (op, a.as_int(), b.as_int()) {
            _ if self.is_int(ty).is_none() => Value::Unknown,
            (BinaryOp::Sub, Some(a), Some(b)) if a == b => Value::int(0),
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) => a,
            (BinaryOp::Add, Some(0), _) => b,
            _ => Value::Unknown,
        }
    }

    fn binary(&self, op: BinaryOp, a: Value, b: Value, ty: TypeId, right: TypeId) -> Value {
        let (Some(kind), Some(right_kind)) = (self.is_int(ty), self.is_int(right)) else { return Value::Unknown };
        if op == BinaryOp::BitAnd {
            return match (a, b) {
                (Value::Is(Constant::Int(a)), Value::Is(Constant::Int(b))) => Value::int(a & b),
                (Value::Bits { mask, value }, Value::Is(Constant::Int(c)))
                | (Value::Is(Constant::Int(c)), Value::Bits { mask, value })
                    if c & !mask == 0 =>
                {
                    Value::int(value & c)
                }
                (Value::Bits { mask, value }, Value::Is(Constant::Int(c)))
                | (Value::Is(Constant::Int(c)), Value::Bits { mask, value })
                    if value & mask & c != 0 =>
                {
                    Value::Not(vec![0])
                }
                _ => Value::Unknown,
            };
        }
        if op == BinaryOp::BitOr
            && let (Value::Bits { mask, value }, Value::Is(Constant::Int(c)))
            | (Value::Is(Constant::Int(c)), Value::Bits { mask, value }) = (&a, &b)
        {
            return Value::Bits { mask: mask | c, value: value | c };
        }
        // So many elements of a known size: how many bytes at least.
        if op == BinaryOp::Mul
            && let (Value::Range(Some(low), high), Value::Is(Constant::Int(factor)))
            | (Value::Is(Constant::Int(factor)), Value::Range(Some(low), high)) = (&a, &b)
            && *low >= 0
            && *factor > 0
        {
            let high = high.and_then(|high| high.checked_mul(*factor));
            // An unsigned product may come around to zero; a signed one that does not fit is undefined.
            if !kind.is_signed() && !high.is_some_and(|high| kind.contains(high)) {
                return Value::Unknown;
            }
            return low.checked_mul(*factor).map_or(Value::Unknown, |low| Value::Range(Some(low), high));
        }
        let (Some(a), Some(b)) = (a.as_int(), b.as_int()) else { return Value::Unknown };
        of_type(kind, arith::binary(op, kind, a, right_kind, b))
    }

    fn converted(&self, value: Value, from: TypeId, to: TypeId) -> Value {
        let types = &self.model.program.types;
        match (types.get(from), types.get(to)) {
            (Type::Int(_), Type::Int(IntKind::Bool)) => {
                value.truth().map_or(Value::Unknown, |truth| Value::int(i128::from(truth)))
            }
            (&Type::Int(from), &Type::Int(to)) => match value {
                Value::Is(Constant::Int(value)) => of_type(to, Ok(to.wrap(value))),
                // A byte is small, whatever it is.
                Value::Unknown if from.bytes() <= 2 && to.contains(from.min()) && to.contains(from.max()) => {
                    Value::Range(Some(from.min()), Some(from.max()))
                }
                // A number of the narrower type is not larger than its largest.
                Value::Range(Some(low), None) if low >= 0 && from.bits() < 128 && to.contains(from.max()) => {
                    Value::Range(Some(low), Some(from.max()))
                }
                // What is known about a number survives where every value does.
                known if from.bits() < 128 && to.contains(from.min()) && to.contains(from.max()) => known,
                Value::Range(Some(low), Some(high)) if to.contains(low) && to.contains(high) => {
                    Value::Range(Some(low), Some(high))
                }
                // A number that is not negative stays what it is in a type that is as large.
                Value::Range(Some(low), high) if low >= 0 && to.contains(from.max()) => Value::Range(Some(low), high),
                Value::Bits { mask, value } if to.bits() < 128 && !to.is_signed() => {
                    let mask = mask & to.max();
                    if mask == 0 { Value::Unknown } else { Value::Bits { mask, value: value & mask } }
                }
                _ => Value::Unknown,
            },
            (Type::Pointer { .. }, Type::Pointer { .. }) => value,
            (Type::Int(_), Type::Pointer { .. }) => match value {
                Value::Is(Constant::Int(_)) => value,
                _ => Value::Unknown,
            },
            (Type::Pointer { .. }, Type::Int(IntKind::Bool)) => {
                value.truth().map_or(Value::Unknown, |truth| Value::int(i128::from(truth)))
            }
            _ => Value::Unknown,
        }
    }

    /// The cell that an lvalue is, pointers followed where they are known.
    pub fn cell(&self, at: &Valuation, lvalue: &Lvalue) -> Option<CellId> {
        match self.model.cells.place(self.model.program, self.function, lvalue) {
            Place::Cell(cell) => Some(cell),
            Place::Through(pointer, _) => match self.value(at, pointer) {
                Value::Is(Constant::Address(cell)) => Some(cell),
                _ => None,
            },
            Place::Array(root) => {
                let ([Step::Index(index)], false) = (&lvalue.path[..], matches!(root, Root::Record(_))) else {
                    return None;
                };
                let index = u32::try_from(self.value(at, index).as_int()?).ok()?;
                self.model.cells.find(root, Some(index))
            }
            Place::Elsewhere => None,
        }
    }

    fn load(&self, at: &Valuation, lvalue: &Lvalue) -> Value {
        if !lvalue.path.is_empty()
            && let Some(value) = self.constant(at, lvalue)
        {
            return value;
        }
        if let Some(cell) = self.cell(at, lvalue) {
            if let Some(value) = self.model.fixed.get(&cell) {
                return Value::int(*value);
            }
            return at.get(cell).cloned().unwrap_or(Value::Unknown);
        }
        Value::Unknown
    }

    /// The value of a part of a constant object: an element of a table, a field of it.
    fn constant(&self, at: &Valuation, lvalue: &Lvalue) -> Option<Value> {
        let Base::Global(id) = &lvalue.base else { return None };
        let program = self.model.program;
        let global = &program.globals[*id];
        if !self.model.constant.contains(id) {
            return None;
        }
        let mut offset = 0u64;
        let mut ty = global.ty;
        for step in &lvalue.path {
            match step {
                Step::Index(index) => {
                    ty = program.types.element(ty)?;
                    let index = u64::try_from(self.value(at, index).as_int()?).ok()?;
                    offset = offset.checked_add(index.checked_mul(program.types.size_of(ty)?)?)?;
                }
                Step::Field(field) => {
                    let Type::Record(record) = program.types.get(ty) else { return None };
                    let field = program.types.records[*record].fields.as_ref()?.get(*field as usize)?;
                    if field.bits.is_some() {
                        return None;
                    }
                    offset += field.offset;
                    ty = field.ty;
                }
            }
        }
        let size = program.types.size_of(lvalue.ty)?;
        for item in &global.init.as_ref()?.items {
            match &item.value {
                InitValue::Expr(value) if item.offset == offset => return Some(self.value(at, value)),
                InitValue::Bytes(bytes) if size == 1 && item.offset <= offset => {
                    if let Some(byte) = bytes.get((offset - item.offset) as usize) {
                        return Some(Value::int(program.types.int_kind(lvalue.ty)?.wrap((*byte).into())));
                    }
                }
                _ => {}
            }
        }
        (offset < program.types.size_of(global.ty)?).then(|| Value::int(0))
    }

    fn address(&self, at: &Valuation, lvalue: &Lvalue) -> Value {
        if let Place::Through(pointer, _) = self.model.cells.place(self.model.program, self.function, lvalue) {
            return self.value(at, pointer);
        }
        match self.cell(at, lvalue).filter(|cell| self.slice.follows(*cell)) {
            Some(cell) => Value::Is(Constant::Address(cell)),
            // The address of an object is not null.
            None if matches!(lvalue.base, Base::Local(_) | Base::Global(_)) => Value::Is(Constant::Object(lvalue.ty)),
            None => Value::Unknown,
        }
    }

    /// The values of an expression, each with what it tells about variables: conditions are decided both ways.
    pub fn values(&self, at: &Valuation, expr: &Expr) -> Vec<(Valuation, Value)> {
        let known = self.value(at, expr);
        if known != Value::Unknown {
            return vec![(at.clone(), known)];
        }
        match &expr.kind {
            ExprKind::Convert { value, .. } => {
                let inner = self.values(at, value);
                inner.into_iter().map(|(at, known)| (at, self.converted(known, value.ty, expr.ty))).collect()
            }
            ExprKind::Conditional(cond, a, b) => {
                let mut found = Vec::new();
                for (holds, side) in [(true, a), (false, b)] {
                    for at in self.assume(at, cond, holds) {
                        found.extend(self.values(&at, side));
                    }
                }
                found
            }
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => self.decided(at, expr),
            ExprKind::Binary(op, ..) if op.is_comparison() => self.decided(at, expr),
            _ => vec![(at.clone(), Value::Unknown)],
        }
    }

    fn decided(&self, at: &Valuation, cond: &Expr) -> Vec<(Valuation, Value)> {
        let ways = [true, false].into_iter().flat_map(|holds| {
            self.assume(at, cond, holds).into_iter().map(move |at| (at, Value::int(i128::from(holds))))
        });
        ways.collect()
    }

    /// What is known when a condition is true, or false: one valuation for each way that can be.
    pub fn assume(&self, at: &Valuation, cond: &Expr, holds: bool) -> Vec<Valuation> {
        if let Some(known) = self.value(at, cond).truth() {
            return if known == holds { vec![at.clone()] } else { Vec::new() };
        }
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(at, inner, !holds),
            ExprKind::Convert { value, .. } if self.keeps_zero(value.ty, cond.ty) => self.assume(at, value, holds),
            ExprKind::Logical(op, a, b) => {
                // Both operands count when `&&` is true or `||` is false; else the first that decides.
                if (*op == LogicalOp::And) == holds {
                    self.assume(at, a, holds).iter().flat_map(|at| self.assume(at, b, holds)).collect()
                } else {
                    let mut ways = self.assume(at, a, holds);
                    let rest = self.assume(at, a, !holds);
                    ways.extend(rest.iter().flat_map(|at| self.assume(at, b, holds)));
                    ways.sort();
                    ways.dedup();
                    // What is known either way needs no telling apart.
                    if ways.contains(at) { vec![at.clone()] } else { ways }
                }
            }
            ExprKind::Conditional(c, a, b) => {
                let mut ways: Vec<Valuation> =
                    self.assume(at, c, true).iter().flat_map(|at| self.assume(at, a, holds)).collect();
                ways.extend(self.assume(at, c, false).iter().flat_map(|at| self.assume(at, b, holds)));
                ways.sort();
                ways.dedup();
                ways
            }
            ExprKind::Load(lvalue) => {
                let told = if holds { Value::Not(vec![0]) } else { Value::int(0) };
                self.refine(at, lvalue, &told)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let op = if holds { *op } else { op.negated() };
                if let Some(constant) = self.value(at, b).as_int() {
                    return self.compared(at, a, op, constant);
                }
                if let Some(constant) = self.value(at, a).as_int() {
                    return self.compared(at, b, op.mirrored(), constant);
                }
                vec![at.clone()]
            }
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                let (lvalue, mask) = match (self.plain(a, Signs::Change), self.value(at, b).as_int()) {
                    (Some(lvalue), Some(mask)) => (lvalue, mask),
                    _ => match (self.plain(b, Signs::Change), self.value(at, a).as_int()) {
                        (Some(lvalue), Some(mask)) => (lvalue, mask),
                        _ => return vec![at.clone()],
                    },
                };
                // Under conversions that change the sign, only the bits of the variable itself are where they were.
                let bits = self.is_int(lvalue.ty).map_or(0, IntKind::bits);
                if !(0..1 << bits.min(126)).contains(&mask) {
                    return vec![at.clone()];
                }
                match holds {
                    false if mask != 0 => self.refine(at, lvalue, &Value::Bits { mask, value: 0 }),
                    true if mask.count_ones() == 1 => self.refine(at, lvalue, &Value::Bits { mask, value: mask }),
                    _ => vec![at.clone()],
                }
            }
            _ => vec![at.clone()],
        }
    }

    /// Whether a conversion turns zero and nothing else into zero.
    fn keeps_zero(&self, from: TypeId, to: TypeId) -> bool {
        match (self.is_int(from), self.is_int(to)) {
            (Some(_), Some(IntKind::Bool)) => true,
            (Some(from), Some(to)) => to.bits() >= from.bits(),
            _ => self.model.program.types.is_pointer(from) && self.model.program.types.is_pointer(to),
        }
    }

    /// The lvalue under conversions that keep every value, or all its bits if the sign may change.
    fn plain<'e>(&self, expr: &'e Expr, signs: Signs) -> Option<&'e Lvalue> {
        match &expr.kind {
            ExprKind::Load(lvalue) => Some(lvalue),
            ExprKind::Convert { value, .. } => match (self.is_int(value.ty), self.is_int(expr.ty)) {
                // Unsigned numbers of 128 bits are not all numbers of ours.
                (Some(_), Some(IntKind::UInt128)) | (Some(IntKind::UInt128), Some(_)) => None,
                (Some(from), Some(to)) if to.contains(from.min()) && to.contains(from.max()) => {
                    self.plain(value, signs)
                }
                (Some(from), Some(to)) if signs == Signs::Change && to.bits() >= from.bits() => {
                    self.plain(value, signs)
                }
                (None, None) => self.plain(value, signs),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value that a variable must have for its conversions to give a constant; nothing if none does.
    fn undone(&self, side: &Expr, constant: i128) -> Option<i128> {
        match &side.kind {
            ExprKind::Convert { value, .. } => match (self.is_int(value.ty), self.is_int(side.ty)) {
                (Some(from), Some(to)) => {
                    let before = from.wrap(constant);
                    if to.wrap(before) == constant { self.undone(value, before) } else { None }
                }
                _ => self.undone(value, constant),
            },
            _ => Some(constant),
        }
    }

    fn compared(&self, at: &Valuation, side: &Expr, op: BinaryOp, constant: i128) -> Vec<Valuation> {
        // `(flags & 4) == 0` and `x % 2 == 0`: the first is understood.
        if let ExprKind::Binary(BinaryOp::BitAnd, ..) = &without_conversions(side).kind
            && constant == 0
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
        {
            return self.assume(at, side, op == BinaryOp::Ne);
        }
        // `(a == b) == 0`, `!x == 1` and the like.
        if matches!(side.kind, ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _))
            && matches!((op, constant), (BinaryOp::Eq | BinaryOp::Ne, 0 | 1))
        {
            return self.assume(at, side, (op == BinaryOp::Eq) == (constant == 1));
        }
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            let Some(lvalue) = self.plain(side, Signs::Change) else { return vec![at.clone()] };
            return match (self.undone(side, constant), op) {
                (Some(constant), BinaryOp::Eq) => self.refine(at, lvalue, &Value::int(constant)),
                (Some(constant), _) => self.refine(at, lvalue, &Value::Not(vec![constant])),
                (None, BinaryOp::Eq) => Vec::new(),
                (None, _) => vec![at.clone()],
            };
        }
        let Some(lvalue) = self.plain(side, Signs::Stay) else { return vec![at.clone()] };
        let unsigned = self.is_int(lvalue.ty).is_some_and(|kind| !kind.is_signed());
        let low = unsigned.then_some(0);
        let told = match op {
            BinaryOp::Lt => Value::Range(low, Some(constant - 1)),
            BinaryOp::Le => Value::Range(low, Some(constant)),
            BinaryOp::Gt => Value::Range(Some(constant + 1), None),
            _ => Value::Range(Some(constant), None),
        };
        let told = match told {
            Value::Range(Some(low), Some(high)) if low > high => return Vec::new(),
            Value::Range(Some(low), Some(high)) if low == high => Value::int(low),
            told => told,
        };
        self.refine(at, lvalue, &told)
    }

    /// What is known when an expression has a value of this kind.
    pub fn told(&self, at: &Valuation, expr: &Expr, value: &Value) -> Vec<Valuation> {
        match self.plain(expr, Signs::Stay) {
            Some(lvalue) => self.refine(at, lvalue, value),
            None => vec![at.clone()],
        }
    }

    fn refine(&self, at: &Valuation, lvalue: &Lvalue, told: &Value) -> Vec<Valuation> {
        let Some(cell) = self.cell(at, lvalue) else { return vec![at.clone()] };
        if !self.slice.follows(cell) || self.model.fixed.contains_key(&cell) {
            return vec![at.clone()];
        }
        let known = at.get(cell).cloned().unwrap_or(Value::Unknown);
        // An unsigned number that is not zero is at least one, which comparisons understand better.
        let unsigned = self.is_int(lvalue.ty).is_some_and(|kind| !kind.is_signed());
        let positive = Value::Range(Some(1), None);
        let told = if unsigned && *told == Value::Not(vec![0]) { &positive } else { told };
        let Some(both) = known.meet(told) else { return Vec::new() };
        let mut at = at.clone();
        at.set(cell, both);
        vec![at]
    }

    /// What an assignment stores: counting goes on only where it comes to an end.
    pub fn assigned(&self, at: &Valuation, stmt: &Stmt, target: &Lvalue, value: &Expr) -> Vec<(Valuation, Value)> {
        let key = (self.function, stmt.id);
        if !self.slice.cyclic.contains(&key) {
            return self.values(at, value);
        }
        let unknown = || vec![(at.clone(), Value::Unknown)];
        if let Some(bound) = self.slice.steps.get(&key) {
            let known = bound.is_none_or(|bound| self.value(at, bound).as_int().is_some());
            return if known { vec![(at.clone(), self.value(at, value))] } else { unknown() };
        }
        if let ExprKind::Binary(_, a, b) = &without_conversions(value).kind
            && !is_constant(a)
            && !is_constant(b)
        {
            return vec![(at.clone(), self.value(at, value))];
        }
        let Some(cell) = self.cell(at, target) else { return unknown() };
        let Some(step) = step_of(self.model, self.function, cell, value).filter(|step| *step > 0) else {
            return unknown();
        };
        let grows = self.grows(cell, value, step);
        let limit = self.slice.compared.get(&cell).filter(|limit| (0..=MAX_COUNT).contains(*limit));
        let Some(limit) = limit else {
            // What only grows stays as large as it was.
            let grown = match at.get(cell) {
                Some(Value::Is(Constant::Int(now))) if grows && *now >= 0 => Value::Range(Some(now + 1), None),
                Some(Value::Range(Some(low), _)) if grows && *low >= 0 => Value::Range(Some(*low), None),
                _ => Value::Unknown,
            };
            return vec![(at.clone(), grown)];
        };
        let counted = match (at.get(cell), self.value(at, value).as_int()) {
            (_, Some(next)) if next <= *limit => Value::int(next),
            (Some(Value::Is(Constant::Int(now))), _) if grows && now + step <= *limit => Value::int(now + step),
            (Some(Value::Is(Constant::Int(now))), _) if grows && *now >= 0 => Value::Range(Some(limit + 1), None),
            (Some(Value::Range(Some(low), None)), _) if grows && *low > *limit => Value::Range(Some(*low), None),
            _ => Value::Unknown,
        };
        vec![(at.clone(), counted)]
    }

    /// Whether a variable that a step is added to can only become larger: what starts again at its smallest value, or
    /// is cut to a narrower type on the way, grows no more than that. That 64 bits overflow takes longer than anybody
    /// waits, as long as the step is small.
    fn grows<'e>(&self, cell: CellId, value: &'e Expr, step: i128) -> bool {
        let Some(own) = self.is_int(self.model.cells.get(cell).ty) else { return false };
        let keeps = |kind: IntKind| kind.bits() >= own.bits();
        let under_conversions = |mut expr: &'e Expr| {
            while let ExprKind::Convert { value, .. } = &expr.kind {
                if !self.is_int(expr.ty).is_some_and(keeps) {
                    return None;
                }
                expr = value;
            }
            Some(expr)
        };
        let Some(sum) = under_conversions(value) else { return false };
        let ExprKind::Binary(_, variable, _) = &sum.kind else { return false };
        let same = |kind: IntKind| kind.bits() == own.bits() && kind.is_signed() == own.is_signed();
        under_conversions(variable).is_some()
            && self.is_int(sum.ty).is_some_and(same)
            && (own.is_signed() && own.bits() >= 32 || own.bits() >= 64)
            && step <= 1 << 16
    }
}

/// The result of an operation, where it has one that can be compared as a number: large values of
/// `unsigned __int128` come as bit patterns.
fn of_type(kind: IntKind, result: Defined<i128>) -> Value {
    match result {
        Ok(value) if kind != IntKind::UInt128 || value >= 0 => Value::int(value),
        _ => Value::Unknown,
    }
}

fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    expr.walk(&mut |part| constant &= !matches!(part.kind, ExprKind::Load(_)));
    constant
}
