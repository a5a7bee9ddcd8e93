//! Builders of floating terms: IEEE 754, rounding to the nearest value with ties to even, as C's operators do.

use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{Op, TermId};
use ieee::{Format, Value};

impl TermPool {
    /// A floating value.
    pub fn float(&self, value: Value) -> TermId {
        self.raw(Op::Float(value), &[])
    }

    /// The format of a floating term; `None` for other sorts.
    pub fn float_format(&self, term: TermId) -> Option<Format> {
        match self.sort(self.sort_of(term)) {
            Sort::Float(format) => Some(*format),
            _ => None,
        }
    }

    /// Sum.
    pub fn fp_add(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpAdd, &[a, b])
    }

    /// Difference.
    pub fn fp_sub(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpSub, &[a, b])
    }

    /// Product.
    pub fn fp_mul(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpMul, &[a, b])
    }

    /// Quotient; by zero it is infinite, or a NaN.
    pub fn fp_div(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpDiv, &[a, b])
    }

    /// The value with the other sign.
    pub fn fp_neg(&self, a: TermId) -> TermId {
        self.build(Op::FpNeg, &[a])
    }

    /// Magnitude.
    pub fn fp_abs(&self, a: TermId) -> TermId {
        self.build(Op::FpAbs, &[a])
    }

    /// The whole number that a value is rounded to.
    pub fn fp_round(&self, a: TermId, rounding: ieee::Rounding) -> TermId {
        self.build(Op::FpRound(rounding), &[a])
    }

    /// Square root; a NaN below zero.
    pub fn fp_sqrt(&self, a: TermId) -> TermId {
        self.build(Op::FpSqrt, &[a])
    }

    /// `a == b` as C means it.
    pub fn fp_eq(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpEq, &[a, b])
    }

    /// `a < b`.
    pub fn fp_lt(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpLt, &[a, b])
    }

    /// `a <= b`.
    pub fn fp_le(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::FpLe, &[a, b])
    }

    /// The value in another format, rounded.
    pub fn fp_convert(&self, a: TermId, format: Format) -> TermId {
        self.build(Op::FpConvert(format), &[a])
    }

    /// The value of an integer, rounded.
    pub fn fp_from_bv(&self, a: TermId, signed: bool, format: Format) -> TermId {
        self.build(Op::FpFromBv { format, signed }, &[a])
    }

    /// The value that is in memory as these bits.
    ///
    /// # Panics
    /// For the x87 format, whose bits are no SMT-LIB encoding.
    pub fn fp_from_bits(&self, a: TermId, format: Format) -> TermId {
        self.build(Op::FpFromBits(format), &[a])
    }

    /// Whether a value fits an integer type when its fraction is cut off. No NaN does.
    pub fn fp_fits(&self, a: TermId, width: u32, signed: bool) -> TermId {
        let format = self.float_format(a).expect("a floating term should be given, because others have no fraction");
        let (low, high) = if signed { (width - 1, width - 1) } else { (0, width) };
        // Values are cut off towards zero, so what lies less than one below the least integer fits. Where that bound is
        // no value of the format, no value lies between it and the least integer.
        let least = if signed { Value::power_of_two(format, low as i32).neg() } else { Value::zero(format) };
        let below = least.sub(Value::from_signed(format, 1));
        let above = if below.order(least) == Some(std::cmp::Ordering::Less) {
            self.fp_lt(self.float(below), a)
        } else {
            self.fp_le(self.float(least), a)
        };
        let end = Value::power_of_two(format, high as i32);
        self.and(&[above, self.fp_lt(a, self.float(end))])
    }

    /// The integer that is left when the fraction is cut off; zero where it does not fit.
    pub fn fp_to_bv(&self, a: TermId, width: u32, signed: bool) -> TermId {
        let fits = self.fp_fits(a, width, signed);
        let cut = self.build(Op::FpToBv { width, signed }, &[a]);
        self.ite(fits, cut, self.bits(width, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, TermPool};

    /// What fits an integer type is what the value itself says of every border.
    #[test]
    fn values_fit_where_they_can_be_cut_off() {
        let pool = TermPool::new();
        for format in Format::ALL {
            let x = pool.var(&format!("{format:?}"), pool.float_sort(format));
            for (width, signed) in
                [(8, true), (8, false), (32, true), (32, false), (64, true), (64, false), (128, true)]
            {
                let (fits, cut) = (pool.fp_fits(x, width, signed), pool.fp_to_bv(x, width, signed));
                let border = Value::power_of_two(format, width as i32 - i32::from(signed));
                let half = Value::from_f64(format, 0.5);
                let near = [border, border.neg(), Value::zero(format), Value::nan(format), half, half.neg()];
                for value in near {
                    for step in [0.0, 0.5, 1.0, -0.5, -1.0, 0.75, -0.75] {
                        let value = value.add(Value::from_f64(format, step));
                        let mut model = Model::new(&pool);
                        model.set(x, crate::Value::Float(value));
                        let expected = match signed {
                            true => value.to_signed(width).map(crate::Int::from),
                            false => value.to_unsigned(width).map(crate::Int::from),
                        };
                        let what = format!("{value} as {width} bits, signed: {signed}");
                        assert_eq!(model.eval(fits).unwrap(), crate::Value::Bool(expected.is_some()), "{what}");
                        let bits = crate::Bits::new(width, &expected.unwrap_or(crate::Int::ZERO));
                        assert_eq!(model.eval(cut).unwrap(), crate::Value::Bits(bits), "{what}");
                    }
                }
            }
        }
    }
}
