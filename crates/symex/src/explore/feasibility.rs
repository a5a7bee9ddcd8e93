//! Can a condition hold on a path? Answered by the cheapest means that knows.
//!
//! In this order: the condition is a constant; it was settled before; the path's own model decides one side; the
//! same question about the same part of the path was asked before; Z3. Only the part of the path that shares symbols
//! with the condition is looked at. Z3 keeps the conditions it was asked about last in scopes of their own, so that a
//! search that goes on from where it was adds one condition at a time. Products of unknowns are beyond that solver, and
//! small numbers often do: so they are asked of a solver for bit-vectors, first for values near zero.
//!
//! *Guarantee*: "impossible" is Z3's answer, or its answer to the same question earlier. "Possible" comes with values
//! that were evaluated. Limits are in Z3's own units of work, so that the answers are the same on every machine.

use super::orders::Orders;
use super::path::PathCondition;
use smt::{Budget, FuncId, Logic, Op, Options, Outcome, Solver, Sort, Strategy, TermId, TermPool, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How questions were settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decisions {
    /// By a constant, or because the same condition was settled earlier on the path.
    pub trivial: u64,
    /// One side by the model of the path.
    pub by_model: u64,
    /// The other side by an earlier answer.
    pub cached: u64,
    /// By Z3.
    pub solved: u64,
    /// Not at all.
    pub open: u64,
}

impl Decisions {
    /// Conditions that were decided: each settles at most two sides.
    pub fn total(&self) -> u64 {
        self.trivial + self.by_model
    }
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// With values for the symbols of the part of the path that was looked at.
    Possible(Arc<Vec<(FuncId, Value)>>),
    Impossible,
    Unknown,
}

pub struct Feasibility {
    pool: TermPool,
    solver: Solver,
    /// What the solver has asserted, one scope each.
    asserted: Vec<TermId>,
    /// By the conditions of the part, ascending, and the question.
    answers: HashMap<Box<[TermId]>, Answer>,
    contents: HashMap<TermId, Contents>,
    seed: u32,
    stop: Option<Arc<AtomicBool>>,
    pub decisions: Decisions,
}

/// What is asked about a term again and again.
struct Contents {
    /// Ascending.
    symbols: Arc<[FuncId]>,
    /// Unknowns are multiplied or divided with each other.
    multiplies: bool,
    /// There are floating values in it.
    floats: bool,
}

/// Some tenths of a second, and some seconds, of Z3.
const FIRST_EFFORT: u32 = 400_000;
const EFFORT: u32 = 20_000_000;

/// How far from zero values are that are tried first where numbers are multiplied.
const NEAR: i32 = 31;

/// Answers kept; beyond it they are forgotten all at once.
const REMEMBERED: usize = 200_000;

impl Feasibility {
    pub fn new(pool: &TermPool, seed: u64, stop: Option<Arc<AtomicBool>>) -> Feasibility {
        let options = Options { budget: Budget::resources(FIRST_EFFORT), seed: seed as u32, ..Options::default() };
        Feasibility {
            pool: pool.clone(),
            solver: Solver::with_options(pool, options),
            asserted: Vec::new(),
            answers: HashMap::new(),
            contents: HashMap::new(),
            seed: seed as u32,
            stop,
            decisions: Decisions::default(),
        }
    }

    /// The symbols of a term, ascending.
    pub fn symbols(&mut self, term: TermId) -> Arc<[FuncId]> {
        self.contents(term).symbols.clone()
    }

    fn contents(&mut self, term: TermId) -> &Contents {
        let pool = &self.pool;
        self.contents.entry(term).or_insert_with(|| {
            let mut symbols = pool.symbols(&[term]);
            symbols.sort_unstable();
            let unknown = |arg: &TermId| !matches!(pool.op(*arg), Op::Bits(_));
            let multiplies = pool.postorder(&[term]).into_iter().any(|inner| {
                matches!(pool.op(inner), Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem)
                    && pool.args(inner).iter().all(unknown)
            });
            let floats = pool.postorder(&[term]).into_iter().any(|inner| pool.float_format(inner).is_some());
            Contents { symbols: symbols.into(), multiplies, floats }
        })
    }

    /// Whether the condition can hold together with the path.
    pub fn ask(&mut self, path: &PathCondition, condition: TermId) -> Answer {
        let symbols = self.symbols(condition);
        let mut part: Vec<TermId> = path.about(&symbols).flat_map(|group| group.conditions.iter().copied()).collect();
        let mut key = part.clone();
        key.sort_unstable();
        key.push(condition);
        let key = key.into_boxed_slice();
        if let Some(answer) = self.answers.get(&key) {
            self.decisions.cached += 1;
            return answer.clone();
        }
        part.push(condition);
        self.decisions.solved += 1;
        let answer = self.solve(&part);
        if matches!(answer, Answer::Unknown) {
            self.decisions.open += 1;
            if self.is_stopped() {
                return answer;
            }
        }
        if self.answers.len() >= REMEMBERED {
            self.answers.clear();
        }
        self.answers.insert(key, answer.clone());
        answer
    }

    /// Whether a condition that cannot hold could, if one of the path's conditions were not there.
    pub fn ask_without(&mut self, path: &PathCondition, condition: TermId, without: TermId) -> Answer {
        let symbols = self.symbols(condition);
        let part: Vec<TermId> = path.about(&symbols).flat_map(|group| group.conditions.iter().copied()).collect();
        if !part.contains(&without) {
            return Answer::Impossible;
        }
        let mut rest: Vec<TermId> = part.into_iter().filter(|known| *known != without).collect();
        rest.push(condition);
        self.decisions.solved += 1;
        self.solve(&rest)
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn solve(&mut self, part: &[TermId]) -> Answer {
        if self.is_stopped() {
            return Answer::Unknown;
        }
        if part.iter().any(|condition| self.contents(*condition).multiplies)
            && let Outcome::Sat(model) = self.near_zero(part)
        {
            return self.answer(part, Outcome::Sat(model));
        }
        let common = self.asserted.iter().zip(part).take_while(|(a, b)| a == b).count();
        while self.asserted.len() > common {
            self.solver.pop();
            self.asserted.pop();
        }
        for &condition in &part[common..] {
            self.solver.push();
            self.solver.assert(condition);
            self.asserted.push(condition);
        }
        match self.solver.check() {
            Outcome::Unknown { .. } if !self.is_stopped() => self.solve_afresh(part),
            outcome => self.answer(part, outcome),
        }
    }

    /// What the incremental solver gives up on: the order of numbers is asked of the integers, everything else of a
    /// solver for bit-vectors alone, which may simplify the whole question before it starts.
    fn solve_afresh(&mut self, part: &[TermId]) -> Answer {
        if let Some(orders) = Orders::new(&self.pool, part) {
            match self.one_shot(&orders.conditions, Strategy::Logic(Logic::QfLia), EFFORT) {
                Outcome::Unsat { .. } => return Answer::Impossible,
                Outcome::Sat(model) => {
                    return Answer::Possible(Arc::new(orders.values(&model, &self.pool, part)));
                }
                Outcome::Unknown { .. } => {}
            }
        }
        let floats = part.iter().any(|condition| self.contents(*condition).floats);
        let logic = if floats { Logic::QfFpbv } else { Logic::QfBv };
        let outcome = self.one_shot(part, Strategy::Logic(logic), EFFORT);
        self.answer(part, outcome)
    }

    /// Whether the conditions hold for numbers near zero.
    fn near_zero(&mut self, part: &[TermId]) -> Outcome {
        let mut conditions = part.to_vec();
        for symbol in self.pool.symbols(part) {
            let value = self.pool.app(symbol, &[]);
            if let Sort::BitVec(width @ 8..) = self.pool.sort(self.pool.sort_of(value)) {
                let within = |number: i32| self.pool.bits(*width, number);
                conditions.push(self.pool.bv_sle(within(-NEAR), value));
                conditions.push(self.pool.bv_sle(value, within(NEAR)));
            }
        }
        self.one_shot(&conditions, Strategy::Logic(Logic::QfBv), FIRST_EFFORT)
    }

    fn one_shot(&mut self, conditions: &[TermId], strategy: Strategy, effort: u32) -> Outcome {
        let options = Options { budget: Budget::resources(effort), seed: self.seed, strategy, ..Options::default() };
        let mut solver = Solver::with_options(&self.pool, options);
        conditions.iter().for_each(|condition| solver.assert(*condition));
        solver.check()
    }

    fn answer(&self, part: &[TermId], outcome: Outcome) -> Answer {
        match outcome {
            Outcome::Unsat { .. } => Answer::Impossible,
            Outcome::Sat(model) => {
                let symbols = self.pool.symbols(part);
                let values = symbols.into_iter().map(|symbol| (symbol, model.symbol(symbol)));
                Answer::Possible(Arc::new(values.collect()))
            }
            Outcome::Unknown { .. } => Answer::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    /// The largest of twenty numbers is at least each of them: beyond what bits decide in the time of a test.
    #[test]
    fn orders_are_asked_of_the_integers() {
        let pool = TermPool::new();
        let numbers: Vec<TermId> = (0..20).map(|k| pool.var(&format!("a{k}"), pool.bitvec_sort(32))).collect();
        let largest =
            numbers[1..].iter().fold(numbers[0], |most, number| pool.ite(pool.bv_slt(most, *number), *number, most));
        let mut feasibility = Feasibility::new(&pool, 1, None);
        let path = PathCondition::default();
        assert!(matches!(feasibility.ask(&path, pool.bv_slt(largest, numbers[0])), Answer::Impossible));
        let smaller = pool.bv_slt(numbers[3], largest);
        let Answer::Possible(values) = feasibility.ask(&path, smaller) else { panic!("one can be smaller") };
        let model = Rc::new(super::super::path::Assignment::new(&pool).with(&values));
        assert_eq!(model.holds(smaller), Some(true));
    }

    #[test]
    fn products_are_tried_near_zero_first_and_then_everywhere() {
        let pool = TermPool::new();
        let [a, b] = ["a", "b"].map(|name| pool.var(name, pool.bitvec_sort(32)));
        let is = |number: i32| pool.eq(pool.bv_mul(a, b), pool.bits(32, number));
        let mut feasibility = Feasibility::new(&pool, 1, None);
        let path = PathCondition::default();
        for product in [391, 1_022_117] {
            let Answer::Possible(values) = feasibility.ask(&path, is(product)) else {
                panic!("{product} is a product")
            };
            let model = super::super::path::Assignment::new(&pool).with(&values);
            assert_eq!(model.holds(is(product)), Some(true));
        }
        let odd = pool.eq(pool.bv_mul(pool.bv_mul(a, b), pool.bits(32, 2)), pool.bits(32, 7));
        assert!(matches!(feasibility.ask(&path, odd), Answer::Impossible));
    }
}
