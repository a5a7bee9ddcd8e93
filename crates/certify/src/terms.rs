//! What operators give, as terms over unbounded integers, and when they are defined.
//!
//! The second writing of what [`ir::arith`] says of concrete values, kept apart from the first symbolic one on purpose;
//! a test compares it with [`ir::arith`] on the values at the edges of all types.

use super::Stopped;
use ir::{BinaryOp, IntKind, UnaryOp};
use smt::{TermId, TermPool};

/// What is claimed of an operation so that it is defined, as the prover's certificates word it.
pub(crate) const OVERFLOW: &str = "no signed overflow";
pub(crate) const DIVISION: &str = "no division by zero";
pub(crate) const SHIFT: &str = "shift within the width of its operand";

/// A value and what must hold for it to be one.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub value: TermId,
    pub needs: Vec<(&'static str, TermId)>,
}

impl Given {
    pub fn plain(value: TermId) -> Given {
        Given { value, needs: Vec::new() }
    }
}

fn not_read(what: &str) -> Stopped {
    Stopped::NotRead(what.to_string())
}

/// Integers as this reading knows them: those of at most 64 bits.
pub(crate) fn readable(kind: IntKind) -> Result<IntKind, Stopped> {
    match kind {
        IntKind::Int128 | IntKind::UInt128 => Err(not_read("an integer of 128 bits")),
        kind => Ok(kind),
    }
}

/// The values of a type.
pub(crate) fn in_range(pool: &TermPool, kind: IntKind, value: TermId) -> TermId {
    pool.and(&[pool.le(pool.int(kind.min()), value), pool.le(value, pool.int(kind.max()))])
}

/// A number as a type holds it that wraps.
pub(crate) fn wrapped(pool: &TermPool, kind: IntKind, value: TermId) -> TermId {
    if kind == IntKind::Bool {
        return truth(pool, pool.ne(value, pool.int(0)));
    }
    let size = pool.int(1i128 << kind.bits());
    match kind.is_signed() {
        false => pool.int_mod(value, size),
        true => {
            let half = pool.int(1i128 << (kind.bits() - 1));
            pool.sub(pool.int_mod(pool.add(value, half), size), half)
        }
    }
}

/// C's 0 or 1.
pub(crate) fn truth(pool: &TermPool, holds: TermId) -> TermId {
    pool.ite(holds, pool.int(1), pool.int(0))
}

pub(crate) fn is_true(pool: &TermPool, value: TermId) -> TermId {
    pool.ne(value, pool.int(0))
}

pub(crate) fn unary(pool: &TermPool, op: UnaryOp, kind: IntKind, value: TermId) -> Result<Given, Stopped> {
    let kind = readable(kind)?;
    Ok(match op {
        UnaryOp::Not => Given::plain(truth(pool, pool.eq(value, pool.int(0)))),
        UnaryOp::Complement => {
            let exact = pool.sub(pool.int(-1), value);
            Given::plain(wrapped(pool, kind, exact))
        }
        UnaryOp::Neg => arithmetic(pool, kind, pool.neg(value)),
    })
}

/// A result that is computed exactly and then held by a type.
fn arithmetic(pool: &TermPool, kind: IntKind, exact: TermId) -> Given {
    match kind.is_signed() {
        true => Given { value: exact, needs: vec![(OVERFLOW, in_range(pool, kind, exact))] },
        false => Given::plain(wrapped(pool, kind, exact)),
    }
}

/// The quotient that is cut toward zero; the solver's is cut so that the remainder is not negative.
fn quotient(pool: &TermPool, a: TermId, b: TermId) -> TermId {
    let zero = pool.int(0);
    let size = |x: TermId| pool.ite(pool.lt(x, zero), pool.neg(x), x);
    let sizes = pool.int_div(size(a), size(b));
    pool.ite(pool.eq(pool.lt(a, zero), pool.lt(b, zero)), sizes, pool.neg(sizes))
}

pub(crate) fn binary(
    pool: &TermPool,
    op: BinaryOp,
    kind: IntKind,
    a: TermId,
    b: TermId,
    constant: Option<i128>,
) -> Result<Given, Stopped> {
    use BinaryOp::*;
    let kind = readable(kind)?;
    if kind == IntKind::Bool && !op.is_comparison() {
        return Err(not_read("arithmetic in `_Bool`"));
    }
    let compared = |holds: TermId| Ok(Given::plain(truth(pool, holds)));
    match op {
        Add => Ok(arithmetic(pool, kind, pool.add(a, b))),
        Sub => Ok(arithmetic(pool, kind, pool.sub(a, b))),
        Mul => Ok(arithmetic(pool, kind, pool.mul(a, b))),
        Div | Rem => {
            let cut = quotient(pool, a, b);
            let value = if op == Div { cut } else { pool.sub(a, pool.mul(b, cut)) };
            let mut needs = vec![(DIVISION, pool.ne(b, pool.int(0)))];
            if kind.is_signed() {
                needs.push((OVERFLOW, in_range(pool, kind, cut)));
            }
            Ok(Given { value, needs })
        }
        Eq => compared(pool.eq(a, b)),
        Ne => compared(pool.ne(a, b)),
        Lt => compared(pool.lt(a, b)),
        Le => compared(pool.le(a, b)),
        Gt => compared(pool.gt(a, b)),
        Ge => compared(pool.ge(a, b)),
        Shl | Shr => {
            let Some(amount) = constant else { return Err(not_read("a shift by an amount that is not constant")) };
            let within = (0..i128::from(kind.bits())).contains(&amount);
            if !within {
                return Ok(Given { value: pool.int(0), needs: vec![(SHIFT, pool.bool(false))] });
            }
            let factor = pool.int(1i128 << amount);
            if op == Shr {
                return Ok(Given::plain(pool.int_div(a, factor)));
            }
            let exact = pool.mul(a, factor);
            Ok(match kind.is_signed() {
                true => {
                    let fits = pool.and(&[pool.ge(a, pool.int(0)), in_range(pool, kind, exact)]);
                    Given { value: exact, needs: vec![(SHIFT, fits)] }
                }
                false => Given::plain(wrapped(pool, kind, exact)),
            })
        }
        BitAnd => match constant {
            // The lowest bits of a number are its remainder.
            Some(mask) if mask >= 0 && (mask + 1) & mask == 0 => Ok(Given::plain(pool.int_mod(a, pool.int(mask + 1)))),
            _ => Err(not_read("`&` with something else than the lowest bits")),
        },
        BitOr | BitXor => Err(not_read("bits that are mixed")),
        PointerAdd | PointerDiff => Err(not_read("a pointer")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::arith;
    use smt::{Solver, TermPool};

    fn edges(kind: IntKind) -> Vec<i128> {
        let mut values = vec![kind.min(), kind.min() + 1, -7, -1, 0, 1, 2, 7, 31, kind.max() - 1, kind.max()];
        values.retain(|value| kind.contains(*value));
        values.sort_unstable();
        values.dedup();
        values
    }

    fn holds(pool: &TermPool, term: TermId) -> bool {
        if term == pool.bool(true) || term == pool.bool(false) {
            return term == pool.bool(true);
        }
        let mut solver = Solver::new(pool);
        solver.assert(pool.not(term));
        solver.check().is_unsat()
    }

    fn agrees(pool: &TermPool, given: &Given, meant: arith::Defined<i128>, what: &str) {
        let defined = given.needs.iter().all(|(_, need)| holds(pool, *need));
        match meant {
            Ok(value) => {
                assert!(defined, "{what} is defined");
                assert!(holds(pool, pool.eq(given.value, pool.int(value))), "{what} is {value}");
            }
            Err(_) => assert!(!defined, "{what} is undefined"),
        }
    }

    /// The second writing says of every operator on the edges of the types what [`ir::arith`] says.
    #[test]
    fn operators_mean_what_the_program_model_says() {
        let pool = TermPool::new();
        for kind in [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::UShort] {
            for a in edges(kind) {
                let left = pool.int(a);
                let given = unary(&pool, UnaryOp::Neg, kind, left).unwrap();
                agrees(&pool, &given, arith::negate(kind, a), &format!("-{a} as {kind:?}"));
                let given = unary(&pool, UnaryOp::Complement, kind, left).unwrap();
                agrees(&pool, &given, Ok(arith::complement(kind, a)), &format!("~{a} as {kind:?}"));
                for b in edges(kind) {
                    for op in BinaryOp::NUMERIC {
                        let Ok(given) = binary(&pool, op, kind, left, pool.int(b), Some(b)) else { continue };
                        let meant = arith::binary(op, kind, a, kind, b);
                        agrees(&pool, &given, meant, &format!("{a} {} {b} as {kind:?}", op.symbol()));
                    }
                }
                for to in IntKind::ALL.into_iter().filter(|to| readable(*to).is_ok()) {
                    let meant = if to == IntKind::Bool { i128::from(a != 0) } else { to.wrap(a) };
                    let given = Given::plain(wrapped(&pool, to, left));
                    agrees(&pool, &given, Ok(meant), &format!("{a} as {to:?}"));
                }
            }
        }
    }
}
