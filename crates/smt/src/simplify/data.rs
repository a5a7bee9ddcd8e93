//! Rules for arrays and datatypes.

use super::{WIDTH_LIMIT, ordered_equality};
use crate::hash::IdSet;
use crate::pool::TermPool;
use crate::term::{Op, TermId};

/// How many stores a read looks through.
const LOOK_BACK: usize = 256;

/// Literals denote equal values only if they are the same term.
fn certainly_different(pool: &TermPool, a: TermId, b: TermId) -> bool {
    a != b && pool.op(a).is_literal() && pool.op(b).is_literal()
}

pub(super) fn select(pool: &TermPool, mut array: TermId, index: TermId) -> TermId {
    for _ in 0..LOOK_BACK {
        match pool.op(array) {
            Op::ConstArray(_) => return pool.args(array)[0],
            Op::Store => {
                let args = pool.args(array);
                if args[1] == index {
                    return args[2];
                }
                if !certainly_different(pool, args[1], index) {
                    break;
                }
                array = args[0];
            }
            _ => break,
        }
    }
    pool.raw(Op::Select, &[array, index])
}

pub(super) fn store(pool: &TermPool, mut array: TermId, index: TermId, element: TermId) -> TermId {
    // An earlier store at the same place is overwritten.
    while matches!(pool.op(array), Op::Store) && pool.args(array)[1] == index {
        array = pool.args(array)[0];
    }
    if matches!(pool.op(array), Op::ConstArray(_)) && pool.args(array)[0] == element {
        return array;
    }
    if matches!(pool.op(element), Op::Select) && *pool.args(element) == [array, index] {
        return array;
    }
    pool.raw(Op::Store, &[array, index, element])
}

/// Fields and testers of a known constructor.
pub(super) fn inspect(pool: &TermPool, op: Op, value: TermId) -> TermId {
    match (&op, pool.op(value)) {
        (Op::Field(c, i), Op::Construct(d)) if c == d => pool.args(value)[*i as usize],
        (Op::Is(c), Op::Construct(d)) => pool.bool(c == d),
        (Op::Is(c), _) if pool.datatype(c.datatype).constructors.len() == 1 => pool.bool(true),
        _ => pool.raw(op, &[value]),
    }
}

/// Equality of two constructor terms, taken apart as far as constructors go on both sides.
///
/// Values can be as deep as lists are long, hence a stack of pairs; what cannot be decided is
/// collected, and if that is much, the equation is left alone.
pub(super) fn equal_constructors(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    let mut pending = vec![(a, b)];
    let mut seen: IdSet<(TermId, TermId)> = IdSet::default();
    let mut rest = Vec::new();
    while let Some((x, y)) = pending.pop() {
        if x == y || !seen.insert((x, y)) {
            continue;
        }
        if certainly_different(pool, x, y) {
            return pool.bool(false);
        }
        match (pool.op(x), pool.op(y)) {
            (Op::Construct(c), Op::Construct(d)) if c != d => return pool.bool(false),
            (Op::Construct(_), Op::Construct(_)) => {
                pending.extend(pool.args(x).iter().copied().zip(pool.args(y).iter().copied()));
            }
            _ => rest.push((x, y)),
        }
        if rest.len() > WIDTH_LIMIT {
            return ordered_equality(pool, a, b);
        }
    }
    let equations: Vec<_> = rest.iter().rev().map(|(x, y)| pool.eq(*x, *y)).collect();
    pool.and(&equations)
}
