//! C's integers as terms: which operation of the solver each operation of C is.
//!
//! *Ranges*: every number carries an interval that holds wherever the expression is evaluated without undefined
//! behaviour. It decides which wrap-arounds can happen at all. Where at most two can, the result is a choice between
//! sums, which solvers like better than a remainder.

use super::Ints;
use dashu_base::DivEuclid;
use ir::IntKind;
use smt::{Int, SortId, TermId, TermPool};

/// The integers from `lo` to `hi`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub lo: Int,
    pub hi: Int,
}

impl Range {
    pub fn of(kind: IntKind) -> Range {
        Range::of_bits(kind.bits(), kind.is_signed())
    }

    pub fn of_bits(bits: u32, signed: bool) -> Range {
        let bits = bits as usize;
        if signed {
            Range { lo: -(Int::ONE << (bits - 1)), hi: (Int::ONE << (bits - 1)) - Int::ONE }
        } else {
            Range { lo: Int::ZERO, hi: (Int::ONE << bits) - Int::ONE }
        }
    }

    pub fn point(value: impl Into<Int>) -> Range {
        let value = value.into();
        Range { lo: value.clone(), hi: value }
    }

    pub fn within(&self, other: &Range) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The common part; `other` where there is none, since then nothing is evaluated.
    pub fn meet(&self, other: &Range) -> Range {
        let lo = self.lo.clone().max(other.lo.clone());
        let hi = self.hi.clone().min(other.hi.clone());
        if lo <= hi { Range { lo, hi } } else { other.clone() }
    }

    pub fn hull(&self, other: &Range) -> Range {
        Range { lo: self.lo.clone().min(other.lo.clone()), hi: self.hi.clone().max(other.hi.clone()) }
    }

    pub fn is_natural(&self) -> bool {
        self.lo >= Int::ZERO
    }

    fn add(&self, other: &Range) -> Range {
        Range { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi }
    }

    fn neg(&self) -> Range {
        Range { lo: -self.hi.clone(), hi: -self.lo.clone() }
    }

    fn mul(&self, other: &Range) -> Range {
        let corners = [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        let lo = corners.iter().min().cloned().unwrap_or(Int::ZERO);
        let hi = corners.into_iter().max().unwrap_or(Int::ZERO);
        Range { lo, hi }
    }
}

/// An integer of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    pub term: TermId,
    pub kind: IntKind,
    pub range: Range,
}

/// The operations that need no fresh symbols.
#[derive(Clone, Copy)]
pub struct Arithmetic<'a> {
    pub pool: &'a TermPool,
    pub ints: Ints,
}

/// The three operations whose exact result may leave the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ring {
    Add,
    Sub,
    Mul,
}

impl Arithmetic<'_> {
    pub fn sort(&self, kind: IntKind) -> SortId {
        match self.ints {
            Ints::Math => SortId::INT,
            Ints::Machine => self.pool.bitvec_sort(kind.bits()),
        }
    }

    /// A term of the type, of which no more than the type is known.
    pub fn of_type(&self, term: TermId, kind: IntKind) -> Number {
        Number { term, kind, range: Range::of(kind) }
    }

    /// A constant. `unsigned __int128` comes as its bit pattern.
    pub fn literal(&self, value: i128, kind: IntKind) -> Number {
        let value = if kind == IntKind::UInt128 { Int::from(value as u128) } else { Int::from(value) };
        self.constant(value, kind)
    }

    pub fn constant(&self, value: Int, kind: IntKind) -> Number {
        let term = match self.ints {
            Ints::Math => self.pool.int(value.clone()),
            Ints::Machine => self.pool.bits(kind.bits(), value.clone()),
        };
        Number { term, kind, range: Range::point(value) }
    }

    /// One if the condition holds, else zero.
    pub fn from_truth(&self, condition: TermId, kind: IntKind) -> Number {
        let (one, zero) = (self.literal(1, kind), self.literal(0, kind));
        let range = Range { lo: Int::ZERO, hi: Int::ONE };
        Number { term: self.pool.ite(condition, one.term, zero.term), kind, range }
    }

    pub fn is_zero(&self, number: &Number) -> TermId {
        if number.range.lo > Int::ZERO || number.range.hi < Int::ZERO {
            return self.pool.bool(false);
        }
        self.pool.eq(number.term, self.literal(0, number.kind).term)
    }

    pub fn choose(&self, condition: TermId, then: &Number, other: &Number) -> Number {
        Number {
            term: self.pool.ite(condition, then.term, other.term),
            kind: then.kind,
            range: then.range.hull(&other.range),
        }
    }

    /// C's conversion between integer types.
    pub fn convert(&self, number: &Number, to: IntKind) -> Number {
        if to == IntKind::Bool {
            return self.from_truth(self.pool.not(self.is_zero(number)), to);
        }
        match self.ints {
            Ints::Math => self.wrap(number.term, &number.range, to, &Range::of(to)),
            Ints::Machine => {
                let term = self.pool.bv_resize(number.term, to.bits(), number.kind.is_signed());
                let target = Range::of(to);
                let range = if number.range.within(&target) { number.range.clone() } else { target };
                Number { term, kind: to, range }
            }
        }
    }

    /// The value of a bit-field of that width after an assignment.
    pub fn cut_to(&self, number: &Number, width: u32) -> Number {
        let signed = number.kind.is_signed();
        if width >= number.kind.bits() {
            return number.clone();
        }
        let target = Range::of_bits(width, signed);
        match self.ints {
            Ints::Math => self.wrap(number.term, &number.range, number.kind, &target),
            Ints::Machine => {
                let low = self.pool.bv_extract(number.term, width - 1, 0);
                let term = self.pool.bv_resize(low, number.kind.bits(), signed);
                Number { term, kind: number.kind, range: target }
            }
        }
    }

    /// The value congruent to `term`, which lies in `range`, that lies in `target`, whose length is a power of two.
    fn wrap(&self, term: TermId, range: &Range, kind: IntKind, target: &Range) -> Number {
        if range.within(target) {
            return Number { term, kind, range: range.clone() };
        }
        let pool = self.pool;
        let modulus = &target.hi - &target.lo + Int::ONE;
        let round = |value: &Int| (value - &target.lo).div_euclid(&modulus);
        let (first, last) = (round(&range.lo), round(&range.hi));
        let shifted = |rounds: &Int| pool.sub(term, pool.int(rounds * &modulus));
        if &last - &first <= Int::from(2) {
            let mut wrapped = shifted(&last);
            let mut rounds = last.clone();
            while rounds > first {
                let start = &target.lo + &rounds * &modulus;
                rounds -= Int::ONE;
                wrapped = pool.ite(pool.lt(term, pool.int(start)), shifted(&rounds), wrapped);
            }
            let range = match first == last {
                true => Range { lo: &range.lo - &last * &modulus, hi: &range.hi - &last * &modulus },
                false => target.clone(),
            };
            return Number { term: wrapped, kind, range };
        }
        let low = pool.int(target.lo.clone());
        let rest = pool.int_mod(pool.sub(term, low), pool.int(modulus));
        Number { term: pool.add(rest, low), kind, range: target.clone() }
    }

    /// The result of the operation, and the claim that it is exact for a signed type (`None` if it cannot fail).
    pub fn ring(&self, op: Ring, left: &Number, right: &Number) -> (Number, Option<TermId>) {
        let (pool, kind) = (self.pool, left.kind);
        let target = Range::of(kind);
        let range = match op {
            Ring::Add => left.range.add(&right.range),
            Ring::Sub => left.range.add(&right.range.neg()),
            Ring::Mul => left.range.mul(&right.range),
        };
        let may_leave = !range.within(&target);
        let (a, b) = (left.term, right.term);
        match self.ints {
            Ints::Math => {
                let exact = match op {
                    Ring::Add => pool.add(a, b),
                    Ring::Sub => pool.sub(a, b),
                    Ring::Mul => pool.mul(a, b),
                };
                if kind.is_signed() {
                    let fits = may_leave.then(|| self.in_range(exact, &target));
                    (Number { term: exact, kind, range: range.meet(&target) }, fits)
                } else {
                    (self.wrap(exact, &range, kind, &target), None)
                }
            }
            Ints::Machine => {
                let term = match op {
                    Ring::Add => pool.bv_add(a, b),
                    Ring::Sub => pool.bv_sub(a, b),
                    Ring::Mul => pool.bv_mul(a, b),
                };
                let fits = (may_leave && kind.is_signed()).then(|| {
                    pool.not(match op {
                        Ring::Add => pool.bv_add_overflows(a, b, true),
                        Ring::Sub => pool.bv_sub_overflows(a, b, true),
                        Ring::Mul => pool.bv_mul_overflows(a, b, true),
                    })
                });
                // A bit-vector wraps whatever the range says, so only an exact result may keep a smaller one.
                let range = if may_leave { target } else { range };
                (Number { term, kind, range }, fits)
            }
        }
    }

    /// `lo <= term <= hi` for a term of sort integer.
    pub fn in_range(&self, term: TermId, range: &Range) -> TermId {
        let pool = self.pool;
        pool.and(&[pool.le(pool.int(range.lo.clone()), term), pool.le(term, pool.int(range.hi.clone()))])
    }

    /// `left < right` as the type orders its values.
    pub fn less(&self, left: &Number, right: &Number) -> TermId {
        if left.range.hi < right.range.lo {
            return self.pool.bool(true);
        }
        if left.range.lo >= right.range.hi {
            return self.pool.bool(false);
        }
        match (self.ints, left.kind.is_signed()) {
            (Ints::Math, _) => self.pool.lt(left.term, right.term),
            (Ints::Machine, true) => self.pool.bv_slt(left.term, right.term),
            (Ints::Machine, false) => self.pool.bv_ult(left.term, right.term),
        }
    }

    pub fn complement(&self, number: &Number) -> Number {
        let kind = number.kind;
        if kind == IntKind::Bool {
            // Computed as an `int`, which is -1 or -2, and not zero.
            return self.literal(1, kind);
        }
        let target = Range::of(kind);
        let top = if kind.is_signed() { Int::NEG_ONE } else { target.hi.clone() };
        let range = Range { lo: &top - &number.range.hi, hi: &top - &number.range.lo };
        let term = match self.ints {
            Ints::Math => self.pool.sub(self.pool.int(top), number.term),
            Ints::Machine => self.pool.bv_not(number.term),
        };
        Number { term, kind, range }
    }

    /// The integer the number stands for, as an unbounded one.
    pub fn to_int(&self, number: &Number) -> TermId {
        match (self.ints, number.kind.is_signed()) {
            (Ints::Math, _) => number.term,
            (Ints::Machine, true) => self.pool.bv_to_signed_int(number.term),
            (Ints::Machine, false) => self.pool.bv_to_int(number.term),
        }
    }

    /// An unbounded integer, known to be a value of the type, as one of the type.
    pub fn from_int(&self, term: TermId, kind: IntKind) -> Number {
        match self.ints {
            Ints::Math => self.of_type(term, kind),
            Ints::Machine => self.of_type(self.pool.int_to_bv(term, kind.bits()), kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Model, Value};

    /// Every conversion and ring operation on small and extreme values is what C makes of it.
    #[test]
    fn conversions_and_operations_agree_with_c() {
        let pool = TermPool::new();
        let kinds: Vec<IntKind> = IntKind::ALL.into_iter().filter(|kind| kind.bits() <= 64).collect();
        for ints in [Ints::Math, Ints::Machine] {
            let arithmetic = Arithmetic { pool: &pool, ints };
            let value_of = |number: &Number, model: &Model| match model.eval(number.term).unwrap() {
                Value::Int(value) => value,
                Value::Bits(bits) if number.kind.is_signed() => bits.signed(),
                Value::Bits(bits) => bits.unsigned(),
                other => panic!("{other:?}"),
            };
            for &from in &kinds {
                let samples = [from.min(), from.min() + 1, -1, 0, 1, 5, 127, 128, from.max() - 1, from.max()];
                let samples: Vec<i128> = samples.into_iter().filter(|v| from.contains(*v)).collect();
                let x = pool.var(&format!("{ints:?} {from:?} x"), arithmetic.sort(from));
                let y = pool.var(&format!("{ints:?} {from:?} y"), arithmetic.sort(from));
                let (left, right) = (arithmetic.of_type(x, from), arithmetic.of_type(y, from));
                for &a in &samples {
                    let mut model = Model::new(&pool);
                    let set = |model: &mut Model, var, v: i128| {
                        let literal = model.pool().clone();
                        let literal = Arithmetic { pool: &literal, ints }.literal(v, from).term;
                        let value = Model::new(model.pool()).eval(literal).unwrap();
                        model.set(var, value);
                    };
                    set(&mut model, x, a);
                    for &to in &kinds {
                        let converted = arithmetic.convert(&left, to);
                        assert_eq!(value_of(&converted, &model), Int::from(to.wrap(a)), "{a} {from:?} -> {to:?}");
                    }
                    for &b in &samples {
                        set(&mut model, y, b);
                        // C computes nothing in `_Bool`.
                        for (op, exact) in [(Ring::Add, a + b), (Ring::Sub, a - b), (Ring::Mul, a.wrapping_mul(b))] {
                            if from == IntKind::Bool {
                                continue;
                            }
                            let (result, fits) = arithmetic.ring(op, &left, &right);
                            if from.is_signed() && !from.contains(exact) {
                                assert_eq!(model.eval(fits.unwrap()).unwrap(), Value::Bool(false), "{a} {op:?} {b}");
                                continue;
                            }
                            assert_eq!(
                                value_of(&result, &model),
                                Int::from(from.wrap(exact)),
                                "{from:?} {a} {op:?} {b}"
                            );
                        }
                        assert_eq!(model.eval(arithmetic.less(&left, &right)).unwrap(), Value::Bool(a < b));
                    }
                }
            }
        }
    }
}
