//! C's floating values as terms: which operation of the solver each operation of C is.
//!
//! [`Floats::Exact`] is IEEE 754 as x86-64 computes it: every operation rounds once, to the nearest value with ties to
//! even; infinities, NaN and both zeros are values. [`Floats::Real`] takes them for the real numbers they stand for, without
//! rounding: what follows from that is no fact about the program, and whoever uses it says so.

use super::Floats;
use super::number::{Arithmetic, Number, Range};
use ieee::{Format, Value};
use ir::{BinaryOp, FloatKind, IntKind};
use smt::{Int, Op, Rational, SortId, TermId, TermPool};

/// The format of a floating type on x86-64.
pub fn format(kind: FloatKind) -> Format {
    match kind {
        FloatKind::Float => Format::Single,
        FloatKind::Double => Format::Double,
        FloatKind::Extended => Format::Extended,
    }
}

/// The operations on floating terms.
#[derive(Clone, Copy)]
pub struct Floating<'a> {
    pub pool: &'a TermPool,
    pub floats: Floats,
}

impl Floating<'_> {
    pub fn sort(&self, kind: FloatKind) -> SortId {
        match self.floats {
            Floats::Exact => self.pool.float_sort(format(kind)),
            Floats::Real => SortId::REAL,
        }
    }

    /// A value; `None` for infinities and NaN among the reals.
    pub fn constant(&self, value: Value) -> Option<TermId> {
        match self.floats {
            Floats::Exact => Some(self.pool.float(value)),
            // Wider values are no constants of any program we have seen; their rounding would be a mistake.
            Floats::Real if Value::from_f64(value.format(), value.to_f64()) != value => None,
            Floats::Real => Rational::try_from(value.to_f64()).ok().map(|value| self.pool.real(value)),
        }
    }

    pub fn zero(&self, kind: FloatKind) -> TermId {
        match self.floats {
            Floats::Exact => self.pool.float(Value::zero(format(kind))),
            Floats::Real => self.pool.real(Int::ZERO),
        }
    }

    /// The condition that a value is not zero, which a NaN is not.
    pub fn is_nonzero(&self, term: TermId) -> TermId {
        match self.pool.float_format(term) {
            Some(format) => self.pool.not(self.pool.fp_eq(term, self.pool.float(Value::zero(format)))),
            None => self.pool.ne(term, self.pool.real(Int::ZERO)),
        }
    }

    pub fn negate(&self, term: TermId) -> TermId {
        match self.floats {
            Floats::Exact => self.pool.fp_neg(term),
            Floats::Real => self.pool.neg(term),
        }
    }

    pub fn magnitude(&self, term: TermId) -> TermId {
        match self.floats {
            Floats::Exact => self.pool.fp_abs(term),
            Floats::Real => self.pool.abs(term),
        }
    }

    /// `a op b` for one of the four operations of arithmetic.
    pub fn arithmetic(&self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        match (self.floats, op) {
            (Floats::Exact, BinaryOp::Add) => pool.fp_add(a, b),
            (Floats::Exact, BinaryOp::Sub) => pool.fp_sub(a, b),
            (Floats::Exact, BinaryOp::Mul) => pool.fp_mul(a, b),
            (Floats::Exact, BinaryOp::Div) => pool.fp_div(a, b),
            (Floats::Real, BinaryOp::Add) => pool.add(a, b),
            (Floats::Real, BinaryOp::Sub) => pool.sub(a, b),
            (Floats::Real, BinaryOp::Mul) => pool.mul(a, b),
            (Floats::Real, BinaryOp::Div) => pool.real_div(a, b),
            _ => unreachable!("{op:?} should not be asked of floating values, because the program is verified"),
        }
    }

    /// `a op b` for a comparison.
    pub fn compare(&self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        match (self.floats, op) {
            (Floats::Exact, BinaryOp::Eq) => pool.fp_eq(a, b),
            (Floats::Exact, BinaryOp::Ne) => pool.not(pool.fp_eq(a, b)),
            (Floats::Exact, BinaryOp::Lt) => pool.fp_lt(a, b),
            (Floats::Exact, BinaryOp::Le) => pool.fp_le(a, b),
            (Floats::Exact, BinaryOp::Gt) => pool.fp_lt(b, a),
            (Floats::Exact, BinaryOp::Ge) => pool.fp_le(b, a),
            (Floats::Real, BinaryOp::Eq) => pool.eq(a, b),
            (Floats::Real, BinaryOp::Ne) => pool.ne(a, b),
            (Floats::Real, BinaryOp::Lt) => pool.lt(a, b),
            (Floats::Real, BinaryOp::Le) => pool.le(a, b),
            (Floats::Real, BinaryOp::Gt) => pool.gt(a, b),
            (Floats::Real, BinaryOp::Ge) => pool.ge(a, b),
            _ => unreachable!("{op:?} should be a comparison"),
        }
    }

    /// C's conversion between floating types.
    pub fn convert(&self, term: TermId, to: FloatKind) -> TermId {
        match self.floats {
            Floats::Exact => self.pool.fp_convert(term, format(to)),
            Floats::Real => term,
        }
    }

    /// C's conversion of an integer.
    pub fn of_number(&self, arithmetic: Arithmetic<'_>, number: &Number, to: FloatKind) -> TermId {
        let pool = self.pool;
        if self.floats == Floats::Real {
            return pool.to_real(arithmetic.to_int(number));
        }
        let signed = number.kind.is_signed();
        // On every run without overflow a number is within its type, so that its bits are the number.
        let bits = match pool.op(number.term) {
            Op::Int(value) => pool.bits(number.kind.bits(), value.clone()),
            _ if pool.sort_of(number.term) == SortId::INT => pool.int_to_bv(number.term, number.kind.bits()),
            _ => number.term,
        };
        pool.fp_from_bv(bits, signed, format(to))
    }

    /// C's conversion to an integer type other than `_Bool`, and the condition under which it is defined.
    pub fn to_number(&self, arithmetic: Arithmetic<'_>, term: TermId, kind: IntKind) -> (Number, TermId) {
        let pool = self.pool;
        if self.floats == Floats::Real {
            let whole = pool.truncate(term);
            return (arithmetic.from_int(whole, kind), arithmetic.in_range(whole, &Range::of(kind)));
        }
        let (width, signed) = (kind.bits(), kind.is_signed());
        let bits = pool.fp_to_bv(term, width, signed);
        let number = match (arithmetic.ints, signed) {
            (super::Ints::Machine, _) => bits,
            (super::Ints::Math, true) => pool.bv_to_signed_int(bits),
            (super::Ints::Math, false) => pool.bv_to_int(bits),
        };
        (arithmetic.of_type(number, kind), pool.fp_fits(term, width, signed))
    }
}
