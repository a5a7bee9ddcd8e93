//! One statement on one path: what it asks, and how it may stop.
//!
//! A statement runs from its start to its end or not at all. Where it comes to a question that has two answers it stops
//! with [`Halt::Fork`], and is run anew on both paths, where the answer is known. For that reason everything that
//! changes the state comes after the last question; what is learned on the way (conditions that hold) may stay.
//!
//! *Guards.* The right operand of `a && b` is evaluated under the guard `a`: what must hold for it to be defined must
//! hold only if `a` does. So a condition becomes one term, and control forks once for an `if`, not for each operand.

use super::arithmetic::Claim;
use super::engine::Engine;
use super::feasibility::Answer;
use super::state::{Loss, State};
use super::value::{Integer, Truth};
use diagnostics::{Rule, Span};
use exec::memory::Fault;
use smt::TermId;
use std::rc::Rc;

/// Why a statement did not come to its end.
#[derive(Debug)]
pub enum Halt {
    /// The condition can be true and false.
    Fork(TermId),
    /// The term can have this value and may have others.
    Split { term: TermId, value: i128 },
    /// The program does something undefined, aborts, or breaks a claim of its own.
    Fault(Box<Fault>),
    /// The path is given up.
    Lost(Loss),
    /// An assumption is false: the path does not count.
    Excluded,
    /// The program ends.
    Exit(Option<i32>),
}

pub type Eval<T> = Result<T, Halt>;

pub struct Step<'a, 'p> {
    pub engine: &'a mut Engine<'p>,
    pub state: &'a mut State,
    /// Of the statement.
    pub span: Span,
    /// What holds where the current operand is evaluated.
    pub guards: Vec<TermId>,
}

/// What can be true of a condition on a path.
pub enum Sides {
    Only(bool),
    Both,
}

impl<'p> Step<'_, 'p> {
    /// Whether a condition holds; a fork if that depends.
    pub fn decide(&mut self, truth: Truth) -> Eval<bool> {
        let condition = match truth {
            Truth::Concrete(value) => {
                self.engine.feasibility.decisions.trivial += 1;
                return Ok(value);
            }
            Truth::Symbolic(term) => term,
        };
        if let Some(&guard) = self.guards.first() {
            // Only what is certain to be evaluated may fork on its own account.
            return Err(Halt::Fork(guard));
        }
        match self.sides(condition)? {
            Sides::Only(value) => Ok(value),
            Sides::Both => Err(Halt::Fork(condition)),
        }
    }

    /// The sides of a condition that are possible. The model of the path is on one of them.
    pub fn sides(&mut self, condition: TermId) -> Eval<Sides> {
        if let Some(value) = self.settled(condition) {
            self.engine.feasibility.decisions.trivial += 1;
            return Ok(Sides::Only(value));
        }
        let pool = self.engine.pool.clone();
        let Some(side) = self.state.model.holds(condition) else { return Err(Halt::Lost(Loss::Solver)) };
        self.engine.feasibility.decisions.by_model += 1;
        let negation = pool.not(condition);
        let other = if side { negation } else { condition };
        match self.engine.feasibility.ask(&self.state.path, other) {
            Answer::Possible(_) => Ok(Sides::Both),
            Answer::Impossible => {
                self.watch_cap(other);
                self.state.path.settle(condition, negation, side);
                Ok(Sides::Only(side))
            }
            Answer::Unknown => {
                // The side of the model is followed, the other given up.
                let (loss, span) = (self.engine.gave_up(), self.span);
                self.engine.lose(loss, span);
                self.learn(if side { condition } else { negation });
                Ok(Sides::Only(side))
            }
        }
    }

    /// A condition that cannot hold only because a program is given so few arguments is a loss, not a fact.
    fn watch_cap(&mut self, condition: TermId) {
        let Some(cap) = self.engine.argument_cap else { return };
        if let Answer::Possible(_) | Answer::Unknown =
            self.engine.feasibility.ask_without(&self.state.path, condition, cap)
        {
            self.engine.lose(Loss::Input { name: "argv".to_string() }, self.span);
        }
    }

    fn settled(&self, condition: TermId) -> Option<bool> {
        match Truth::of(&self.engine.pool, condition) {
            Truth::Concrete(value) => Some(value),
            Truth::Symbolic(term) => self.state.path.settled(term),
        }
    }

    /// Adds a condition that the model of the path satisfies.
    pub fn learn(&mut self, condition: TermId) {
        self.engine.learn(self.state, condition);
    }

    /// Goes on only where the condition holds. The rest of the path is excluded, not explored.
    pub fn assume(&mut self, condition: TermId) -> Eval<()> {
        let condition = self.guarded(condition);
        if self.make_true(condition)? { Ok(()) } else { Err(Halt::Excluded) }
    }

    /// Whether the path can go on with the condition; then it does.
    fn make_true(&mut self, condition: TermId) -> Eval<bool> {
        if let Some(value) = self.settled(condition) {
            return Ok(value);
        }
        if self.state.model.holds(condition) == Some(true) {
            self.learn(condition);
            return Ok(true);
        }
        match self.engine.feasibility.ask(&self.state.path, condition) {
            Answer::Possible(values) => {
                self.state.model = Rc::new(self.state.model.with(&values));
                self.learn(condition);
                Ok(true)
            }
            Answer::Impossible => {
                self.watch_cap(condition);
                let negation = self.engine.pool.not(condition);
                self.state.path.settle(condition, negation, false);
                Ok(false)
            }
            Answer::Unknown => Err(Halt::Lost(self.engine.gave_up())),
        }
    }

    fn guarded(&self, condition: TermId) -> TermId {
        let pool = &self.engine.pool;
        if self.guards.is_empty() { condition } else { pool.implies(pool.and(&self.guards), condition) }
    }

    /// Demands what makes an operation defined. Where somebody looks for errors, the path on which it is not forks
    /// off; else only the other one is followed.
    pub fn require(&mut self, condition: TermId, rule: Rule, message: &str) -> Eval<()> {
        let condition = self.guarded(condition);
        if self.engine.wants_errors {
            return match self.sides(condition)? {
                Sides::Only(true) => Ok(()),
                Sides::Only(false) => Err(Halt::Fault(Fault::new(rule, message))),
                Sides::Both => Err(Halt::Fork(condition)),
            };
        }
        let had = self.settled(condition).is_some();
        if self.make_true(condition)? {
            if !had {
                self.engine.demanded.insert(rule);
            }
            Ok(())
        } else {
            Err(Halt::Fault(Fault::new(rule, message)))
        }
    }

    pub fn require_all(&mut self, claims: Vec<Claim>) -> Eval<()> {
        claims.into_iter().try_for_each(|claim| self.require(claim.holds, claim.rule, claim.message))
    }

    /// Demands what keeps the path within what is modelled, and notes it if that leaves something out.
    pub fn require_or_lose(&mut self, condition: TermId, loss: &Loss) -> Eval<()> {
        if self.can_fail(condition)? {
            self.engine.lose(loss.clone(), self.span);
        }
        let condition = self.guarded(condition);
        if self.make_true(condition)? { Ok(()) } else { Err(Halt::Lost(loss.clone())) }
    }

    /// Whether a condition can be false here.
    pub fn can_fail(&mut self, condition: TermId) -> Eval<bool> {
        let condition = self.guarded(condition);
        Ok(!matches!(self.sides(condition)?, Sides::Only(true)))
    }

    /// The value of a term of bits, as a signed number; its values are told apart by forking.
    pub fn concretise(&mut self, term: TermId) -> Eval<i128> {
        let pool = &self.engine.pool;
        if let smt::Op::Bits(bits) = pool.op(term) {
            return Ok(i128::try_from(&bits.signed()).unwrap_or(0));
        }
        if let Some(value) = self.state.path.pinned(term) {
            return Ok(value);
        }
        if let Some(&guard) = self.guards.first() {
            return Err(Halt::Fork(guard));
        }
        if self.state.splits >= self.engine.config.max_values {
            return Err(Halt::Lost(Loss::Values));
        }
        let value = self.state.model.value(term).ok();
        let Some(value) = value.as_ref().and_then(|value| value.as_bits()) else {
            return Err(Halt::Lost(Loss::Solver));
        };
        Err(Halt::Split { term, value: i128::try_from(&value.signed()).unwrap_or(0) })
    }

    /// The value of an integer as C sees it, by forking if need be.
    pub fn known_int(&mut self, value: &Integer) -> Eval<i128> {
        match value {
            Integer::Concrete(_, value) => Ok(*value),
            Integer::Symbolic(number) => {
                let (kind, term) = (number.kind, number.term);
                Ok(kind.wrap(self.concretise(term)?))
            }
            Integer::Address(..) => Err(self.unsupported("a computation with an address")),
        }
    }

    pub fn unsupported(&self, what: &str) -> Halt {
        Halt::Lost(Loss::Unsupported { what: what.to_string() })
    }
}
