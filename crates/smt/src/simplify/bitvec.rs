//! Rules for bit-vectors.

use super::ordered_equality;
use crate::bits::Bits;
use crate::pool::TermPool;
use crate::term::{Op, TermId};

fn literal(pool: &TermPool, term: TermId) -> Option<&Bits> {
    match pool.op(term) {
        Op::Bits(bits) => Some(bits),
        _ => None,
    }
}

fn make(pool: &TermPool, bits: Bits) -> TermId {
    pool.raw(Op::Bits(bits), &[])
}

pub(super) fn bit_vector(pool: &TermPool, op: Op, args: &[TermId]) -> TermId {
    let short = match args {
        [a] => unary(pool, &op, *a),
        [a, b] => binary(pool, &op, *a, *b),
        _ => None,
    };
    if let Some(term) = short {
        return term;
    }
    let commutes = matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvMulOverflow { .. });
    if commutes {
        let mut sorted = args.to_vec();
        sorted.sort_by_key(|t| (pool.op(*t).is_literal(), pool.node(*t).hash, *t));
        return pool.raw(op, &sorted);
    }
    pool.raw(op, args)
}

fn unary(pool: &TermPool, op: &Op, a: TermId) -> Option<TermId> {
    let inner = || pool.args(a)[0];
    match (op, pool.op(a)) {
        (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => Some(inner()),
        (Op::BvZeroExtend(0) | Op::BvSignExtend(0), _) => Some(a),
        (Op::BvZeroExtend(n), Op::BvZeroExtend(m)) => Some(pool.raw(Op::BvZeroExtend(n + m), &[inner()])),
        (Op::BvSignExtend(n), Op::BvSignExtend(m)) => Some(pool.raw(Op::BvSignExtend(n + m), &[inner()])),
        (Op::IntToBv(width), Op::BvToInt) if pool.width(inner()) == *width => Some(inner()),
        (Op::BvExtract { high, low }, _) => extract(pool, a, *high, *low),
        _ => None,
    }
}

/// Looks through the operators that only move bits; each step makes the operand smaller.
fn extract(pool: &TermPool, mut a: TermId, mut high: u32, mut low: u32) -> Option<TermId> {
    let (start, before) = (a, (high, low));
    loop {
        if low == 0 && high + 1 == pool.width(a) {
            return Some(a);
        }
        let args = pool.args(a);
        match pool.op(a) {
            Op::BvExtract { low: inner, .. } => {
                (high, low) = (high + inner, low + inner);
                a = args[0];
            }
            Op::BvConcat => {
                let split = pool.width(args[1]);
                if high < split {
                    a = args[1];
                } else if low >= split {
                    (high, low) = (high - split, low - split);
                    a = args[0];
                } else {
                    break;
                }
            }
            Op::BvZeroExtend(_) if low >= pool.width(args[0]) => {
                return Some(make(pool, Bits::zero(high - low + 1)));
            }
            Op::BvZeroExtend(_) | Op::BvSignExtend(_) if high < pool.width(args[0]) => {
                a = args[0];
            }
            Op::Bits(bits) => return Some(make(pool, bits.extract(high, low))),
            _ => break,
        }
    }
    let changed = a != start || (high, low) != before;
    changed.then(|| pool.raw(Op::BvExtract { high, low }, &[a]))
}

fn binary(pool: &TermPool, op: &Op, a: TermId, b: TermId) -> Option<TermId> {
    let width = pool.width(a);
    let zero = || make(pool, Bits::zero(width));
    let one = |bits: &Bits| bits.unsigned() == crate::Int::ONE;
    let (left, right) = (literal(pool, a), literal(pool, b));
    // For commutative operators the literal, if there is one, and the other side.
    let mixed = match (left, right) {
        (Some(k), None) => Some((k, b)),
        (None, Some(k)) => Some((k, a)),
        _ => None,
    };
    match op {
        Op::BvAdd => {
            let (k, x) = mixed?;
            if k.is_zero() {
                return Some(x);
            }
            // (x + c) + k becomes x + (c + k): loops counting by literals stay shallow.
            let inner = matches!(pool.op(x), Op::BvAdd).then(|| pool.args(x))?;
            let c = literal(pool, inner[1])?;
            let total = c.add(k);
            Some(if total.is_zero() { inner[0] } else { pool.raw(Op::BvAdd, &[inner[0], make(pool, total)]) })
        }
        Op::BvSub => {
            if a == b {
                return Some(zero());
            }
            let k = right?;
            Some(pool.bv_add(a, make(pool, k.neg())))
        }
        Op::BvMul => {
            let (k, x) = mixed?;
            if k.is_zero() { Some(zero()) } else { one(k).then_some(x) }
        }
        Op::BvAnd | Op::BvOr if a == b => Some(a),
        Op::BvXor if a == b => Some(zero()),
        Op::BvAnd => {
            let (k, x) = mixed?;
            if k.is_zero() { Some(zero()) } else { k.is_ones().then_some(x) }
        }
        Op::BvOr => {
            let (k, x) = mixed?;
            if k.is_ones() { Some(make(pool, k.clone())) } else { k.is_zero().then_some(x) }
        }
        Op::BvXor => {
            let (k, x) = mixed?;
            if k.is_ones() { Some(pool.bv_not(x)) } else { k.is_zero().then_some(x) }
        }
        Op::BvUdiv | Op::BvSdiv if width > 1 && right.is_some_and(one) => Some(a),
        Op::BvUrem if right.is_some_and(one) => Some(zero()),
        Op::BvShl | Op::BvLshr | Op::BvAshr => {
            let k = right?;
            let far = k.unsigned() >= crate::Int::from(width);
            if k.is_zero() { Some(a) } else { (far && !matches!(op, Op::BvAshr)).then(zero) }
        }
        Op::BvUlt => {
            let never = a == b || right.is_some_and(Bits::is_zero) || left.is_some_and(Bits::is_ones);
            never.then(|| pool.bool(false))
        }
        Op::BvUle => {
            let always = a == b || left.is_some_and(Bits::is_zero) || right.is_some_and(Bits::is_ones);
            // One normal form for order facts: (ule a b) is (not (ult b a)).
            Some(if always { pool.bool(true) } else { pool.not(pool.bv_ult(b, a)) })
        }
        Op::BvSlt if a == b => Some(pool.bool(false)),
        Op::BvSle => Some(if a == b { pool.bool(true) } else { pool.not(pool.bv_slt(b, a)) }),
        Op::BvMulOverflow { signed } => {
            let (k, _) = mixed?;
            // In one bit the literal 1 reads as -1 when signed.
            let harmless = k.is_zero() || (one(k) && !(*signed && width == 1));
            harmless.then(|| pool.bool(false))
        }
        _ => None,
    }
}

/// An equation with a literal: invertible operators move to the literal's side.
pub(super) fn equal_literal(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    let (mut x, mut k) = match (literal(pool, a), literal(pool, b)) {
        (Some(k), _) => (b, k.clone()),
        (_, Some(k)) => (a, k.clone()),
        _ => return ordered_equality(pool, a, b),
    };
    for _ in 0..super::WIDTH_LIMIT {
        let args = pool.args(x);
        match pool.op(x) {
            Op::BvNot => (x, k) = (args[0], k.not()),
            Op::BvNeg => (x, k) = (args[0], k.neg()),
            Op::BvAdd if literal(pool, args[1]).is_some() => {
                let c = literal(pool, args[1]).expect("just looked at");
                (x, k) = (args[0], k.sub(c));
            }
            Op::BvXor if literal(pool, args[1]).is_some() => {
                let c = literal(pool, args[1]).expect("just looked at");
                (x, k) = (args[0], k.xor(c));
            }
            Op::BvZeroExtend(by) if *by > 0 => {
                let inner = pool.width(args[0]);
                if !k.extract(k.width() - 1, inner).is_zero() {
                    return pool.bool(false);
                }
                (x, k) = (args[0], k.extract(inner - 1, 0));
            }
            Op::BvSignExtend(by) => {
                let low = k.extract(pool.width(args[0]) - 1, 0);
                if low.sign_extend(*by) != k {
                    return pool.bool(false);
                }
                (x, k) = (args[0], low);
            }
            _ => break,
        }
    }
    let k = make(pool, k);
    match pool.op(x) {
        Op::Bits(_) => pool.bool(x == k),
        Op::Ite => super::boolean::equal_to_choice(pool, k, x).unwrap_or_else(|| ordered_equality(pool, x, k)),
        _ => ordered_equality(pool, x, k),
    }
}
