//! Rules for connectives, choices and quantifiers.

use super::{WIDTH_LIMIT, ordered_equality};
use crate::hash::IdSet;
use crate::pool::TermPool;
use crate::sort::SortId;
use crate::term::{Op, TermId};

/// The argument of a negation.
pub(super) fn negated(pool: &TermPool, term: TermId) -> Option<TermId> {
    matches!(pool.op(term), Op::Not).then(|| pool.args(term)[0])
}

fn complementary(pool: &TermPool, a: TermId, b: TermId) -> bool {
    negated(pool, a) == Some(b) || negated(pool, b) == Some(a)
}

pub(super) fn not(pool: &TermPool, a: TermId) -> TermId {
    negated(pool, a).unwrap_or_else(|| pool.raw(Op::Not, &[a]))
}

/// `and` (or `or`): neutral elements vanish, nested ones of the same kind are merged while short,
/// repeated arguments collapse, and an argument beside its negation decides the whole.
/// Arguments keep the order in which they were given: it is the order people read in dumps.
pub(super) fn connective(pool: &TermPool, and: bool, args: &[TermId]) -> TermId {
    let (neutral, absorbing) = (pool.bool(and), pool.bool(!and));
    let op = if and { Op::And } else { Op::Or };
    let mut kept: Vec<TermId> = Vec::with_capacity(args.len());
    let mut seen: IdSet<TermId> = IdSet::default();
    let room = WIDTH_LIMIT.saturating_sub(args.len());
    let mut spliced = 0;
    let mut add = |kept: &mut Vec<TermId>, term: TermId| -> bool {
        if term == absorbing {
            return false;
        }
        if term == neutral || !seen.insert(term) {
            return true;
        }
        kept.push(term);
        let clash = match negated(pool, term) {
            Some(inner) => seen.contains(&inner),
            None => {
                // Looking for the negation would intern it; comparing is cheap while short.
                kept.len() <= WIDTH_LIMIT && kept.iter().any(|k| negated(pool, *k) == Some(term))
            }
        };
        !clash
    };
    for arg in args {
        let inner = pool.args(*arg);
        if *pool.op(*arg) == op && spliced + inner.len() <= room {
            spliced += inner.len();
            for term in inner {
                if !add(&mut kept, *term) {
                    return absorbing;
                }
            }
        } else if !add(&mut kept, *arg) {
            return absorbing;
        }
    }
    match kept.len() {
        0 => neutral,
        1 => kept[0],
        _ => pool.raw(op, &kept),
    }
}

pub(super) fn xor(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    // Exclusive or is the negation of equivalence; one normal form serves both.
    let same = equivalence(pool, a, b);
    pool.not(same)
}

pub(super) fn equivalence(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    if a == b {
        return pool.bool(true);
    }
    if complementary(pool, a, b) {
        return pool.bool(false);
    }
    for (side, other) in [(a, b), (b, a)] {
        match pool.op(side) {
            Op::True => return other,
            Op::False => return pool.not(other),
            _ => {}
        }
    }
    // Negations move out, so that (= a (not b)) and (not (= a b)) are one term.
    let (inner_a, inner_b) = (negated(pool, a), negated(pool, b));
    let plain = ordered_equality(pool, inner_a.unwrap_or(a), inner_b.unwrap_or(b));
    if inner_a.is_some() == inner_b.is_some() { plain } else { pool.not(plain) }
}

pub(super) fn ite(pool: &TermPool, mut condition: TermId, mut then: TermId, mut other: TermId) -> TermId {
    while let Some(inner) = negated(pool, condition) {
        condition = inner;
        (then, other) = (other, then);
    }
    match pool.op(condition) {
        Op::True => return then,
        Op::False => return other,
        _ => {}
    }
    // A choice on the same condition inside a branch has been made already.
    if matches!(pool.op(then), Op::Ite) && pool.args(then)[0] == condition {
        then = pool.args(then)[1];
    }
    if matches!(pool.op(other), Op::Ite) && pool.args(other)[0] == condition {
        other = pool.args(other)[2];
    }
    if then == other {
        return then;
    }
    if pool.sort_of(then) == SortId::BOOL {
        let then = if then == condition { pool.bool(true) } else { then };
        let other = if other == condition { pool.bool(false) } else { other };
        match (pool.op(then), pool.op(other)) {
            (Op::True, _) => return pool.or(&[condition, other]),
            (_, Op::False) => return pool.and(&[condition, then]),
            (Op::False, _) => return pool.and(&[pool.not(condition), other]),
            (_, Op::True) => return pool.or(&[pool.not(condition), then]),
            _ => return pool.raw(Op::Ite, &[condition, then, other]),
        }
    }
    pool.raw(Op::Ite, &[condition, then, other])
}

/// `(= literal (ite c literal literal))` as a condition on `c`.
pub(super) fn equal_to_choice(pool: &TermPool, literal: TermId, choice: TermId) -> Option<TermId> {
    if !pool.op(literal).is_literal() || !matches!(pool.op(choice), Op::Ite) {
        return None;
    }
    let [condition, then, other] = pool.args(choice) else {
        return None;
    };
    if !pool.op(*then).is_literal() || !pool.op(*other).is_literal() {
        return None;
    }
    Some(match (*then == literal, *other == literal) {
        (true, true) => pool.bool(true),
        (true, false) => *condition,
        (false, true) => pool.not(*condition),
        (false, false) => pool.bool(false),
    })
}

pub(super) fn distinct(pool: &TermPool, args: &[TermId]) -> TermId {
    if let [a, b] = args {
        return pool.not(pool.eq(*a, *b));
    }
    let different: IdSet<TermId> = args.iter().copied().collect();
    if different.len() < args.len() {
        return pool.bool(false);
    }
    if args.iter().all(|a| pool.op(*a).is_literal()) {
        return pool.bool(true);
    }
    pool.raw(Op::Distinct, args)
}

/// No sort is empty, so a constant body is the whole.
pub(super) fn quantifier(pool: &TermPool, op: Op, args: &[TermId]) -> TermId {
    match pool.op(args[0]) {
        Op::True | Op::False => args[0],
        _ => pool.raw(op, args),
    }
}
