//! What can be said of floating terms without a solver. There is little: addition does not associate, and `x == x` is
//! false of a NaN.

use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{Op, TermId};

/// Whether a term has no NaN among its values.
pub(super) fn is_number(pool: &TermPool, term: TermId) -> bool {
    match pool.op(term) {
        Op::Float(value) => !value.is_nan(),
        Op::FpFromBv { .. } => true,
        Op::FpNeg | Op::FpAbs | Op::FpRound(_) | Op::FpConvert(_) => is_number(pool, pool.args(term)[0]),
        _ => false,
    }
}

/// A conversion to the format a term has already is none, and a detour over a wider format none either.
pub(super) fn convert(pool: &TermPool, format: ieee::Format, term: TermId) -> TermId {
    let has = |term: TermId| match pool.sort(pool.sort_of(term)) {
        Sort::Float(format) => *format,
        _ => unreachable!("a conversion should be of a floating value, because terms are well sorted"),
    };
    if has(term) == format {
        return term;
    }
    match pool.op(term) {
        // Formats ascend, and each contains the values of the smaller ones.
        Op::FpConvert(_) if has(pool.args(term)[0]) == format && format < has(term) => pool.args(term)[0],
        _ => pool.raw(Op::FpConvert(format), &[term]),
    }
}
