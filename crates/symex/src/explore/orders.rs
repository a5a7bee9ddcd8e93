//! Questions about the order of numbers alone, asked of the integers.
//!
//! Sorting, maxima and searches compare numbers without computing with them. Bit by bit, that `a < b` and `b < c` give
//! `a < c` is hard work for a solver; for integers it is an axiom. So a question in which bit-vectors are only compared as
//! signed numbers and chosen between is put to integers within the range of their width.
//!
//! *Guarantee*: the two questions have the same answers, since no operation is left that could wrap.

use smt::{Bits, FuncId, Int, Model, Op, Sort, SortId, TermId, TermPool, Value};
use std::collections::HashMap;

/// A question put to the integers.
pub struct Orders {
    pub conditions: Vec<TermId>,
    /// Each symbol of bits, its width, and the integer that stands for it.
    symbols: Vec<(FuncId, u32, TermId)>,
}

impl Orders {
    /// The conditions over integers; `None` if they compute with bits.
    pub fn new(pool: &TermPool, conditions: &[TermId]) -> Option<Orders> {
        let mut made: HashMap<TermId, TermId> = HashMap::new();
        let mut symbols = Vec::new();
        for term in pool.postorder(conditions) {
            let args: Vec<TermId> = pool.args(term).iter().map(|arg| made[arg]).collect();
            let width = match pool.sort(pool.sort_of(term)) {
                Sort::BitVec(width) => Some(*width),
                Sort::Bool => None,
                _ => return None,
            };
            let new = match (pool.op(term), width) {
                (Op::App(symbol), Some(width)) if args.is_empty() => {
                    let number = pool.var(&format!("{} as an integer", pool.func(*symbol).name), SortId::INT);
                    symbols.push((*symbol, width, number));
                    number
                }
                (Op::Bits(bits), Some(_)) => pool.int(bits.signed()),
                (Op::Ite, _) => pool.ite(args[0], args[1], args[2]),
                (Op::BvSignExtend(_), Some(_)) => args[0],
                (Op::BvSlt, None) => pool.lt(args[0], args[1]),
                (Op::BvSle, None) => pool.le(args[0], args[1]),
                (Op::Eq, None) => pool.eq(args[0], args[1]),
                (Op::Not | Op::And | Op::Or | Op::Xor | Op::True | Op::False | Op::App(_), None) => {
                    pool.build(pool.op(term).clone(), &args)
                }
                _ => return None,
            };
            made.insert(term, new);
        }
        let mut all: Vec<TermId> = conditions.iter().map(|condition| made[condition]).collect();
        for (_, width, number) in &symbols {
            let half = Int::ONE << (*width as usize - 1);
            all.push(pool.le(pool.int(-half.clone()), *number));
            all.push(pool.lt(*number, pool.int(half)));
        }
        Some(Orders { conditions: all, symbols })
    }

    /// The values of the original symbols.
    pub fn values(&self, model: &Model, pool: &TermPool, conditions: &[TermId]) -> Vec<(FuncId, Value)> {
        let mut values = Vec::new();
        for (symbol, width, number) in &self.symbols {
            if let Ok(Value::Int(value)) = model.eval(*number) {
                values.push((*symbol, Value::Bits(Bits::new(*width, &value))));
            }
        }
        let truths = pool.symbols(conditions).into_iter().filter(|symbol| pool.func(*symbol).range == SortId::BOOL);
        values.extend(truths.map(|symbol| (symbol, model.symbol(symbol))));
        values
    }
}
