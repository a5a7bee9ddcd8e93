//! Builders for bit-vectors, including conversions and overflow predicates.

use crate::Int;
use crate::pool::TermPool;
use crate::term::{Op, TermId};

impl TermPool {
    /// Bitwise complement.
    pub fn bv_not(&self, a: TermId) -> TermId {
        self.build(Op::BvNot, &[a])
    }

    /// Wrapping negation in two's complement.
    pub fn bv_neg(&self, a: TermId) -> TermId {
        self.build(Op::BvNeg, &[a])
    }

    /// The unsigned number a bit-vector stands for.
    pub fn bv_to_int(&self, a: TermId) -> TermId {
        self.build(Op::BvToInt, &[a])
    }

    /// Bitwise and.
    pub fn bv_and(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvAnd, &[a, b])
    }

    /// Bitwise or.
    pub fn bv_or(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvOr, &[a, b])
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvXor, &[a, b])
    }

    /// Wrapping sum.
    pub fn bv_add(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvAdd, &[a, b])
    }

    /// Wrapping difference.
    pub fn bv_sub(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvSub, &[a, b])
    }

    /// Wrapping product.
    pub fn bv_mul(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvMul, &[a, b])
    }

    /// Unsigned quotient; all ones if the divisor is zero.
    pub fn bv_udiv(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvUdiv, &[a, b])
    }

    /// Unsigned remainder; the dividend if the divisor is zero.
    pub fn bv_urem(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvUrem, &[a, b])
    }

    /// Signed quotient, truncated towards zero as in C.
    pub fn bv_sdiv(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvSdiv, &[a, b])
    }

    /// Signed remainder with the dividend's sign as in C.
    pub fn bv_srem(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvSrem, &[a, b])
    }

    /// Shift left; zero if the distance reaches the width.
    pub fn bv_shl(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvShl, &[a, b])
    }

    /// Shift right filling with zeros.
    pub fn bv_lshr(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvLshr, &[a, b])
    }

    /// Shift right filling with the sign.
    pub fn bv_ashr(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvAshr, &[a, b])
    }

    /// Concatenation; the first argument is the high part.
    pub fn bv_concat(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvConcat, &[a, b])
    }

    /// Unsigned less than.
    pub fn bv_ult(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvUlt, &[a, b])
    }

    /// Unsigned at most.
    pub fn bv_ule(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvUle, &[a, b])
    }

    /// Signed less than.
    pub fn bv_slt(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvSlt, &[a, b])
    }

    /// Signed at most.
    pub fn bv_sle(&self, a: TermId, b: TermId) -> TermId {
        self.build(Op::BvSle, &[a, b])
    }

    /// Bits `high` down to `low`, both included.
    pub fn bv_extract(&self, a: TermId, high: u32, low: u32) -> TermId {
        self.build(Op::BvExtract { high, low }, &[a])
    }

    /// Wider by `by` zero bits.
    pub fn bv_zero_extend(&self, a: TermId, by: u32) -> TermId {
        self.build(Op::BvZeroExtend(by), &[a])
    }

    /// Wider by `by` copies of the sign.
    pub fn bv_sign_extend(&self, a: TermId, by: u32) -> TermId {
        self.build(Op::BvSignExtend(by), &[a])
    }

    /// The bit-vector at another width, as C converts integers: cut off or extended.
    pub fn bv_resize(&self, a: TermId, width: u32, signed: bool) -> TermId {
        let old = self.width(a);
        if width <= old {
            self.bv_extract(a, width - 1, 0)
        } else if signed {
            self.bv_sign_extend(a, width - old)
        } else {
            self.bv_zero_extend(a, width - old)
        }
    }

    /// The two's complement number a bit-vector stands for.
    pub fn bv_to_signed_int(&self, a: TermId) -> TermId {
        let width = self.width(a);
        let number = self.bv_to_int(a);
        let modulus = self.int(Int::ONE << width as usize);
        let negative = self.bv_slt(a, self.bits(width, 0));
        self.ite(negative, self.sub(number, modulus), number)
    }

    /// An integer modulo two to the width.
    pub fn int_to_bv(&self, a: TermId, width: u32) -> TermId {
        self.build(Op::IntToBv(width), &[a])
    }

    /// One bit: 1 if the condition holds.
    pub fn bv_from_bool(&self, condition: TermId, width: u32) -> TermId {
        self.ite(condition, self.bits(width, 1), self.bits(width, 0))
    }

    /// The sum does not fit.
    pub fn bv_add_overflows(&self, a: TermId, b: TermId, signed: bool) -> TermId {
        self.one_bit_wider(Op::BvAdd, a, b, signed)
    }

    /// The difference does not fit.
    pub fn bv_sub_overflows(&self, a: TermId, b: TermId, signed: bool) -> TermId {
        if signed { self.one_bit_wider(Op::BvSub, a, b, true) } else { self.bv_ult(a, b) }
    }

    /// One more bit holds every sum and difference; the result fits if narrowing loses nothing.
    fn one_bit_wider(&self, op: Op, a: TermId, b: TermId, signed: bool) -> TermId {
        let width = self.width(a);
        let a_wide = self.bv_resize(a, width + 1, signed);
        let b_wide = self.bv_resize(b, width + 1, signed);
        let exact = self.build(op, &[a_wide, b_wide]);
        let wrapped = self.bv_extract(exact, width - 1, 0);
        self.ne(exact, self.bv_resize(wrapped, width + 1, signed))
    }

    /// The product does not fit.
    pub fn bv_mul_overflows(&self, a: TermId, b: TermId, signed: bool) -> TermId {
        self.build(Op::BvMulOverflow { signed }, &[a, b])
    }

    /// The opposite does not fit: the argument is the smallest signed number.
    pub fn bv_neg_overflows(&self, a: TermId) -> TermId {
        self.eq(a, self.smallest(self.width(a)))
    }

    /// The signed quotient does not fit: the smallest number divided by -1.
    pub fn bv_sdiv_overflows(&self, a: TermId, b: TermId) -> TermId {
        let minus_one = self.bits(self.width(b), -1);
        self.and(&[self.bv_neg_overflows(a), self.eq(b, minus_one)])
    }

    fn smallest(&self, width: u32) -> TermId {
        self.bits(width, Int::ONE << (width as usize - 1))
    }
}
