//! The compiler's functions on bits: counts, positions and orders of bytes.

use super::super::arithmetic::{integer, machine, number};
use super::super::step::{Eval, Step};
use super::super::value::Value;
use super::{Entry, Request};
use diagnostics::Rule;
use ir::IntKind;
use smt::{TermId, TermPool};

pub const MODELS: &[Entry] = &[
    ("__builtin_popcount", |step, request| counted(step, request, 32, ones)),
    ("__builtin_popcountl", |step, request| counted(step, request, 64, ones)),
    ("__builtin_popcountll", |step, request| counted(step, request, 64, ones)),
    ("__builtin_parity", |step, request| counted(step, request, 32, parity)),
    ("__builtin_parityl", |step, request| counted(step, request, 64, parity)),
    ("__builtin_parityll", |step, request| counted(step, request, 64, parity)),
    ("__builtin_clz", |step, request| of_nonzero(step, request, 32, leading_zeros)),
    ("__builtin_clzl", |step, request| of_nonzero(step, request, 64, leading_zeros)),
    ("__builtin_clzll", |step, request| of_nonzero(step, request, 64, leading_zeros)),
    ("__builtin_ctz", |step, request| of_nonzero(step, request, 32, trailing_zeros)),
    ("__builtin_ctzl", |step, request| of_nonzero(step, request, 64, trailing_zeros)),
    ("__builtin_ctzll", |step, request| of_nonzero(step, request, 64, trailing_zeros)),
    ("__builtin_clrsb", |step, request| counted(step, request, 32, redundant_signs)),
    ("__builtin_clrsbl", |step, request| counted(step, request, 64, redundant_signs)),
    ("__builtin_clrsbll", |step, request| counted(step, request, 64, redundant_signs)),
    ("ffs", |step, request| counted(step, request, 32, first_one)),
    ("ffsl", |step, request| counted(step, request, 64, first_one)),
    ("ffsll", |step, request| counted(step, request, 64, first_one)),
    ("__builtin_bswap16", |step, request| swapped(step, request, IntKind::UShort)),
    ("__builtin_bswap32", |step, request| swapped(step, request, IntKind::UInt)),
    ("__builtin_bswap64", |step, request| swapped(step, request, IntKind::ULong)),
];

/// A number of 32 bits that is computed from a term of so many bits.
type Count = fn(&TermPool, TermId, u32) -> TermId;

/// The first argument, as so many bits.
fn argument(step: &Step<'_, '_>, request: &Request, width: u32) -> Eval<TermId> {
    let value = request.int(step, 0)?;
    let number = number(&step.engine.pool, &value);
    Ok(step.engine.pool.bv_resize(number.term, width, number.kind.is_signed()))
}

fn counted(step: &mut Step<'_, '_>, request: &Request, width: u32, count: Count) -> Eval<Option<Value>> {
    let argument = argument(step, request, width)?;
    let pool = &step.engine.pool;
    let result = machine(pool).of_type(count(pool, argument, width), IntKind::Int);
    Ok(Some(Value::Int(integer(pool, result))))
}

/// Of zero the compiler's functions may give anything.
fn of_nonzero(step: &mut Step<'_, '_>, request: &Request, width: u32, count: Count) -> Eval<Option<Value>> {
    let argument = argument(step, request, width)?;
    let pool = step.engine.pool.clone();
    let holds = pool.ne(argument, pool.bits(width, 0));
    step.require(holds, Rule::BadArgument, "a zero has no position of a one")?;
    counted(step, request, width, count)
}

fn swapped(step: &mut Step<'_, '_>, request: &Request, kind: IntKind) -> Eval<Option<Value>> {
    let argument = argument(step, request, kind.bits())?;
    let pool = &step.engine.pool;
    let byte = |k: u32| pool.bv_extract(argument, k * 8 + 7, k * 8);
    let swapped = (1..kind.bits() / 8).fold(byte(0), |high, k| pool.bv_concat(high, byte(k)));
    Ok(Some(Value::Int(integer(pool, machine(pool).of_type(swapped, kind)))))
}

fn bit(pool: &TermPool, term: TermId, k: u32) -> TermId {
    pool.bv_extract(term, k, k)
}

fn is_one(pool: &TermPool, term: TermId, k: u32) -> TermId {
    pool.eq(bit(pool, term, k), pool.bits(1, 1))
}

fn ones(pool: &TermPool, term: TermId, width: u32) -> TermId {
    (0..width).fold(pool.bits(32, 0), |sum, k| pool.bv_add(sum, pool.bv_resize(bit(pool, term, k), 32, false)))
}

fn parity(pool: &TermPool, term: TermId, width: u32) -> TermId {
    let odd = (1..width).fold(bit(pool, term, 0), |odd, k| pool.bv_xor(odd, bit(pool, term, k)));
    pool.bv_resize(odd, 32, false)
}

fn leading_zeros(pool: &TermPool, term: TermId, width: u32) -> TermId {
    // The last choice made is the outermost: the highest one decides.
    (0..width).fold(pool.bits(32, width), |rest, k| pool.ite(is_one(pool, term, k), pool.bits(32, width - 1 - k), rest))
}

fn trailing_zeros(pool: &TermPool, term: TermId, width: u32) -> TermId {
    (0..width).rev().fold(pool.bits(32, width), |rest, k| pool.ite(is_one(pool, term, k), pool.bits(32, k), rest))
}

/// Bits below the sign bit that are like it.
fn redundant_signs(pool: &TermPool, term: TermId, width: u32) -> TermId {
    let sign = pool.bv_ashr(term, pool.bits(width, width - 1));
    pool.bv_sub(leading_zeros(pool, pool.bv_xor(term, sign), width), pool.bits(32, 1))
}

fn first_one(pool: &TermPool, term: TermId, width: u32) -> TermId {
    let none = pool.eq(term, pool.bits(width, 0));
    pool.ite(none, pool.bits(32, 0), pool.bv_add(trailing_zeros(pool, term, width), pool.bits(32, 1)))
}
