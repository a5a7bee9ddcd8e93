//! What a relation claims at one visit, as equations between terms.

use super::{Evaluation, Frame, GaveUp, Place, RESOURCES, Value};
use exec::ValueType;
use exec::snapshot::decayed_length;
use infer::{Affine, ArrayExpr as Right, ArrayInvariant, Builtin, Ratio, unflat};
use ir::{BinaryOp, IntKind, Length, TracePoint, Type};
use smt::{FuncId, Solver, TermId};
use std::collections::HashSet;
use std::rc::Rc;
use symex::number::{Number, Ring};

impl Evaluation<'_> {
    /// A trace statement is passed: the relations of its location must hold here.
    pub(super) fn visit(&mut self, point: &TracePoint, frame: &mut Frame) -> Result<(), GaveUp> {
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
        // What a program may assume of an index, a relation has to show.
        let known = self.conditions.len();
        let equations = self.equations(invariant, point, frame);
        let mut claims: Vec<TermId> = self.conditions.drain(known..).collect();
        claims.extend(equations.ok()?);
        // In a loop most was shown a round ago, and for a longer array most for a shorter one.
        let assumed: HashSet<TermId> = self.conditions.iter().copied().collect();
        let is_shown =
            |claim: &TermId| self.shown.get(claim).is_some_and(|from| from.iter().all(|term| assumed.contains(term)));
        claims.retain(|claim| self.truth(*claim) != Some(true) && !is_shown(claim));
        let claim = self.pool.and(&claims);
        if let Some(truth) = self.truth(claim) {
            return Some(truth);
        }
        let from = [self.about(claim), self.conditions.clone()].into_iter().find(|from| self.follows(claim, from))?;
        let from: Rc<[TermId]> = from.into();
        self.shown.extend(claims.into_iter().map(|claim| (claim, from.clone())));
        Some(true)
    }

    /// The conditions that speak of what a claim speaks of; mostly it follows from them alone.
    fn about(&self, claim: TermId) -> Vec<TermId> {
        let symbols: HashSet<FuncId> = self.pool.symbols(&[claim]).into_iter().collect();
        let speaks = |term: &TermId| self.pool.symbols(&[*term]).iter().any(|symbol| symbols.contains(symbol));
        self.conditions.iter().copied().filter(speaks).collect()
    }

    fn follows(&self, claim: TermId, from: &[TermId]) -> bool {
        let options =
            smt::Options { budget: smt::Budget::resources(RESOURCES).and_millis(8_000), ..Default::default() };
        let mut solver = Solver::with_options(&self.pool, options);
        from.iter().for_each(|condition| solver.assert(*condition));
        solver.assert(self.pool.not(claim));
        solver.check().is_unsat()
    }

    /// The equations of a relation.
    fn equations(
        &mut self,
        invariant: &ArrayInvariant,
        point: &TracePoint,
        frame: &mut Frame,
    ) -> Result<Vec<TermId>, GaveUp> {
        let ArrayInvariant { relation, names } = invariant;
        let view = View { names: &names.arrays, scalars: &names.scalars, point };
        let scalars: Vec<Option<i64>> = names.scalars.iter().map(|name| self.scalar(name, point, frame)).collect();
        let pivot = self.array(relation.pivot, &view, frame)?;
        let places: usize = pivot.extents.iter().product::<u64>() as usize;
        let extents: Vec<usize> = pivot.extents.iter().map(|extent| *extent as usize).collect();
        if !relation.domain.is_inside(&extents, &scalars) {
            return Err("a bound that depends on inputs, or leads out of the array");
        }
        let mut claims = Vec::new();
        for place in 0..places {
            let at = unflat(&extents, place);
            if !relation.domain.contains(&at, &scalars) {
                continue;
            }
            let indices: Vec<Number> =
                at.iter().map(|index| self.arithmetic().literal((*index).into(), IntKind::Long)).collect();
            let left = self.element(&pivot, &indices)?;
            let (right, below) = self.right(&relation.right, &view, &at, &scalars, frame)?;
            let left = self.exact(Ring::Mul, &left, &self.whole(below))?;
            claims.push(self.equal(&left, &right));
        }
        Ok(claims)
    }

    fn scalar(&mut self, name: &str, point: &TracePoint, frame: &mut Frame) -> Option<i64> {
        let (_, value) = point.values.iter().find(|(shown, _)| shown == name)?;
        match self.value(value, frame).ok()? {
            Value::Number(number) => self.literal(&number).and_then(|value| i64::try_from(value).ok()),
            Value::Pointer(_) => None,
        }
    }

    fn array(&mut self, array: usize, view: &View<'_>, frame: &mut Frame) -> Result<ArrayView, GaveUp> {
        let name = &view.names[array];
        let (_, value) =
            view.point.values.iter().find(|(shown, _)| shown == name).ok_or("an array that is not shown")?;
        let Value::Pointer(Some(place)) = self.value(value, frame)? else { return Err("a null pointer") };
        if place.moved.is_some() {
            return Err("a pointer that depends on inputs");
        }
        let types = &self.program.types;
        let mut ty = types.pointee(value.ty).ok_or("a pointer to nothing")?;
        let step = self.size_of(ty, frame)?.max(1);
        let rest = self.state.objects[place.object.0 as usize].size.saturating_sub(place.offset.max(0) as u64);
        let declared = match decayed_length(self.program, &self.program.functions[frame.function], value) {
            Some(Length::Fixed(length)) => length,
            _ => u64::MAX,
        };
        let outer = declared.min(rest / step);
        let mut extents = vec![outer];
        while let Type::Array { of, .. } = self.program.types.get(ty).clone() {
            extents.push(self.size_of(ty, frame)? / self.size_of(of, frame)?.max(1));
            ty = of;
        }
        let Some(ValueType::Int(kind)) = ValueType::of(&self.program.types, ty) else { return Err("a floating array") };
        Ok(ArrayView { place, extents, kind })
    }

    /// An element of an array, whose indices may depend on inputs.
    fn element(&mut self, array: &ArrayView, indices: &[Number]) -> Result<Number, GaveUp> {
        let mut place = array.place.clone();
        let mut step = array.kind.bytes() as i64;
        let steps: Vec<i64> = array
            .extents
            .iter()
            .rev()
            .map(|extent| {
                let own = step;
                step *= *extent as i64;
                own
            })
            .collect();
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
            let room = symex::Range::of(*kind);
            left.range.within(&room) && right.range.within(&room)
        };
        let kind = kinds.into_iter().find(fits).unwrap_or(IntKind::Int128);
        (self.arithmetic().convert(left, kind), self.arithmetic().convert(right, kind))
    }

    /// The exact result, in a type that has room for it.
    fn exact(&self, op: Ring, left: &Number, right: &Number) -> Result<Number, GaveUp> {
        for kind in [IntKind::Int, IntKind::Long, IntKind::Int128] {
            let room = symex::Range::of(kind);
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
                let value =
                    view.point.values.iter().find(|(shown, _)| shown == name).ok_or("a scalar that is not shown")?;
                match self.value(&value.1, frame)? {
                    Value::Number(number) => Ok((number, 1)),
                    Value::Pointer(_) => Err("a pointer"),
                }
            }
            Right::Element { array, indices } => {
                let array = self.array(*array, view, frame)?;
                let mut numbers = Vec::new();
                for index in indices {
                    let (number, below) = self.right(index, view, at, scalars, frame)?;
                    let number = match (below, self.literal(&number)) {
                        (1, _) => number,
                        (below, Some(value)) if value % i128::from(below) == 0 => {
                            self.arithmetic().literal(value / i128::from(below), IntKind::Long)
                        }
                        _ => return Err("an index that is a fraction"),
                    };
                    numbers.push(self.arithmetic().convert(&number, IntKind::Long));
                }
                for (number, extent) in numbers.iter().zip(&array.extents) {
                    self.between(number, 0, *extent as i64 - 1);
                }
                Ok((self.element(&array, &numbers)?, 1))
            }
            Right::Apply(function, arguments) => {
                let mut numbers = Vec::new();
                for argument in arguments {
                    let (number, below) = self.right(argument, view, at, scalars, frame)?;
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
                let below = ratios.iter().fold(1i64, |all, (_, d)| {
                    all / algebra::gcd(all.unsigned_abs().into(), d.unsigned_abs().into()) as i64 * d
                });
                let mut sum = self.whole(ratios[0].0 * (below / ratios[0].1));
                for ((_, part), (n, d)) in parts.iter().zip(&ratios[1..]) {
                    let (value, inner) = self.right(part, view, at, scalars, frame)?;
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
        Ok(self.arithmetic().computed(op, &left, &right))
    }
}

/// An array at a visit.
struct ArrayView {
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
