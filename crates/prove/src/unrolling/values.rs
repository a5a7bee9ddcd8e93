//! Expressions and memory of an evaluation: what a value is, where it lies, and what a read or write does.

use super::{Evaluation, Frame, GaveUp, MOST_CHOICES, Place, Value};
use ir::{Base, BinaryOp, EntityRef, Expr, ExprKind, IntKind, LogicalOp, Lvalue, Step, Type, TypeId, UnaryOp};
use smt::TermId;
use symex::number::Number;

impl Evaluation<'_> {
    /// Where an lvalue is, which no input changes.
    pub(super) fn fixed(&mut self, lvalue: &Lvalue, frame: &mut Frame) -> Result<Place, GaveUp> {
        let place = self.place(lvalue, frame)?;
        if place.moved.is_some() { Err("a place that depends on inputs") } else { Ok(place) }
    }

    pub(super) fn place(&mut self, lvalue: &Lvalue, frame: &mut Frame) -> Result<Place, GaveUp> {
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
                    let Value::Number(index) = self.value(index, frame)? else {
                        return Err("an index that is no number");
                    };
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

    pub(super) fn advance(&mut self, place: &mut Place, index: Number, size: i64) -> Result<(), GaveUp> {
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

    pub(super) fn write(&mut self, place: &Place, ty: TypeId, value: Value) -> Result<(), GaveUp> {
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

    pub(super) fn zero(&mut self, place: &Place, ty: TypeId, frame: &mut Frame) -> Result<(), GaveUp> {
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
    pub(super) fn copy(&mut self, target: &Lvalue, value: &Expr, frame: &mut Frame) -> Result<(), GaveUp> {
        let ExprKind::Load(source) = &value.kind else { return Err("a copy of something that is no object") };
        let (from, to) = (self.fixed(source, frame)?, self.fixed(target, frame)?);
        let size = self.size_of(target.ty, frame)? as i64;
        let source = &self.state.objects[from.object.0 as usize];
        if source.is_zeroed {
            return Err("a copy of zeros");
        }
        let cells: Vec<(i64, Value)> = source
            .cells
            .range(from.offset..from.offset + size)
            .map(|(at, v)| (at - from.offset + to.offset, v.clone()))
            .collect();
        let object = &mut self.state.objects[to.object.0 as usize];
        let old: Vec<i64> = object.cells.range(to.offset..to.offset + size).map(|(at, _)| *at).collect();
        for at in &old {
            object.cells.remove(at);
        }
        object.cells.extend(cells);
        Ok(())
    }

    pub(super) fn number_at(&mut self, place: &Place, kind: IntKind) -> Result<Number, GaveUp> {
        match self.read(place, Some(kind))? {
            Value::Number(number) => Ok(number),
            Value::Pointer(_) => Err("a pointer that is read as a number"),
        }
    }

    /// What a place holds; `None` as the kind for a pointer.
    pub(super) fn read(&mut self, place: &Place, kind: Option<IntKind>) -> Result<Value, GaveUp> {
        let object = &self.state.objects[place.object.0 as usize];
        let size = kind.map_or(8, IntKind::bytes) as i64;
        let Some((index, step)) = &place.moved else {
            let Some(found) = object.cells.get(&place.offset) else {
                let inside = place.offset >= 0 && (place.offset + size) as u64 <= object.size;
                let near = object.cells.range(place.offset - 15..place.offset + size);
                let torn = near.into_iter().any(|(at, v)| at + width(v) > place.offset);
                return match kind {
                    Some(kind) if object.is_zeroed && inside && !torn => {
                        Ok(Value::Number(self.arithmetic().literal(0, kind)))
                    }
                    _ if torn => Err("memory that is used with two types"),
                    _ if !inside => Err("a read outside of an object"),
                    _ => Err("a read of something that was not written"),
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
        // A run that reads elsewhere has no defined behaviour.
        let (first, last) =
            (-place.offset.div_euclid(step), (object.size as i64 - size - place.offset).div_euclid(step));
        let constant = object.constant;
        self.between(&index, first, last);
        if let Some(global) = constant {
            let name = format!("table{} {} {step} {kind:?}", global.index(), place.offset);
            let sort = self.arithmetic().sort(kind);
            let table = self.pool.function(&name, &[self.pool.bitvec_sort(64)], sort);
            let term = self.pool.app(table, &[index.term]);
            return Ok(Value::Number(self.arithmetic().of_type(term, kind)));
        }
        if last.checked_sub(first).is_none_or(|count| count < 0 || count as u64 >= MOST_CHOICES) {
            return Err("a read from a large array at a place that depends on inputs");
        }
        let mut chosen: Option<Number> = None;
        for n in (first..=last).rev() {
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

    /// Lets a number be one of these, both included, from here on: what a program assumes, and a relation claims.
    pub(super) fn between(&mut self, number: &Number, first: i64, last: i64) {
        let bound = |bound: i64| self.arithmetic().literal(bound.into(), IntKind::Long);
        let below = self.arithmetic().less(number, &bound(first));
        let above = self.arithmetic().less(&bound(last), number);
        let both = self.pool.and(&[self.pool.not(below), self.pool.not(above)]);
        if self.truth(both) != Some(true) {
            self.conditions.push(both);
        }
    }

    /// Evaluates what is only evaluated where a condition holds: what it assumes is assumed there only.
    fn under<T>(
        &mut self,
        condition: TermId,
        evaluate: impl FnOnce(&mut Self) -> Result<T, GaveUp>,
    ) -> Result<T, GaveUp> {
        let known = self.conditions.len();
        let value = evaluate(self)?;
        let assumed: Vec<TermId> = self.conditions.drain(known..).collect();
        self.conditions.extend(assumed.iter().map(|term| self.pool.implies(condition, *term)));
        Ok(value)
    }

    pub(super) fn condition(&mut self, expr: &Expr, frame: &mut Frame) -> Result<TermId, GaveUp> {
        match &expr.kind {
            ExprKind::Logical(op, left, right) => {
                let left = self.condition(left, frame)?;
                match (op, self.truth(left)) {
                    (LogicalOp::And, Some(false)) | (LogicalOp::Or, Some(true)) => return Ok(left),
                    _ => {}
                }
                let reached = if *op == LogicalOp::And { left } else { self.pool.not(left) };
                let right = self.under(reached, |this| this.condition(right, frame))?;
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
                    (Value::Number(left), Value::Number(right)) => Ok(self.arithmetic().compared(*op, &left, &right)),
                    (Value::Pointer(left), Value::Pointer(right)) => {
                        compare_pointers(*op, left, right).map(|t| self.pool.bool(t))
                    }
                    _ => Err("a pointer compared with a number"),
                }
            }
            _ => match self.value(expr, frame)? {
                Value::Number(number) => Ok(self.pool.not(self.arithmetic().is_zero(&number))),
                Value::Pointer(pointer) => Ok(self.pool.bool(pointer.is_some())),
            },
        }
    }

    pub(super) fn value(&mut self, expr: &Expr, frame: &mut Frame) -> Result<Value, GaveUp> {
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
                    _ => {
                        let zero = self.arithmetic().literal(0, inner.kind);
                        self.defined(BinaryOp::Sub, &zero, &inner)
                    }
                })
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                let condition = self.condition(cond, frame)?;
                match self.truth(condition) {
                    Some(true) => self.value(then, frame),
                    Some(false) => self.value(otherwise, frame),
                    None => {
                        let chosen = self.under(condition, |this| this.value(then, frame))?;
                        let refused = self.pool.not(condition);
                        match (chosen, self.under(refused, |this| this.value(otherwise, frame))?) {
                            (Value::Number(a), Value::Number(b)) => number(self.arithmetic().choose(condition, &a, &b)),
                            _ => Err("a choice of pointers"),
                        }
                    }
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

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        frame: &mut Frame,
    ) -> Result<Value, GaveUp> {
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
        if matches!(op, BinaryOp::PointerAdd | BinaryOp::PointerDiff) {
            return Err("an operator on pointers");
        }
        Ok(Value::Number(self.defined(op, &left, &right)))
    }

    /// The result on runs where the operation is defined: others may do anything.
    fn defined(&mut self, op: BinaryOp, left: &Number, right: &Number) -> Number {
        let arithmetic = self.arithmetic();
        let (a, b) = arithmetic.operands(left, right);
        let claims: Vec<TermId> = arithmetic.claims(op, &a, &b).into_iter().map(|(_, claim)| claim).collect();
        let result = arithmetic.computed(op, &a, &b);
        let result = if left.kind == IntKind::Bool { arithmetic.convert(&result, left.kind) } else { result };
        for claim in claims {
            if self.truth(claim) != Some(true) {
                self.conditions.push(claim);
            }
        }
        result
    }
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
            if a.object != b.object {
                // Literals may share their bytes, and the end of one object may be the start of another.
                return Err("a comparison of pointers to different objects");
            }
            return Ok(ir::arith::holds(op, Some(a.offset.cmp(&b.offset))));
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
