//! Narrowing: all values of variables under which terms become true.
//!
//! *Question*: for which inputs does this condition hold, when the operations in it are given by rules?
//!
//! *Source*: S. Antoy, R. Echahed, M. Hanus, "A Needed Narrowing Strategy", 1994; S. Antoy, D. Hamlet, "Testing by
//! Narrowing", §3–4: breadth-first control, with the needed redexes rewritten eagerly.
//!
//! *Departures*: a step does not rewrite the goal; it binds a variable and evaluates again. What was evaluated before
//! the step is remembered ([`crate::layer`]), so the work is that of the step alone. Variables that stand for parts of
//! a split variable are the same in all branches of the search, which lets these share terms and results. Comparisons
//! of integers that rewriting cannot settle are collected and asked of a [`Decider`].
//!
//! *Worked example*: `is_two(add(x, y))` with the rules of the crate's first example. Evaluation stops at `add`, which
//! needs `x`: the state splits into `x = zero` and `x = s(x1)`. The first needs `y` three times over and is solved by
//! `y = s(s(zero))`; the second goes on with `add(x1, y)`.
//!
//! *Guarantee*: every solution found is one, for all values of its free variables. If the search ends as `Exhausted`,
//! each solution is an instance of one that was found. For rules that overlap without agreeing, "solution" means that
//! some choice of rules makes the goals true.
//!
//! *Cost*: a state costs the evaluation since its parent, and memory for what that learned. States are kept in a
//! queue by depth, so a search without bounds is fair: an evaluation that does not end is broken off and queued again.

use crate::arithmetic;
use crate::evaluate::{Evaluator, Need, Stop};
use crate::layer::{Known, Layer};
use crate::signature::SymbolId;
use crate::solution::Solution;
use crate::system::System;
use crate::term::{Builtin, Head, Store, TermId, VarId};
use std::collections::VecDeque;
use std::rc::Rc;

/// Whether integers can be as wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Yes, with these values; a variable that is not mentioned may have any.
    Yes(Vec<(VarId, i128)>),
    No,
    Unknown,
}

/// Who knows about integers. A literal is a comparison ([`Builtin::Eq`], [`Builtin::Lt`], [`Builtin::Le`]) of
/// arithmetic terms, and whether it holds. Values of open sorts are compared by `Eq` only.
pub trait Decider {
    fn decide(&mut self, store: &Store, literals: &[(TermId, bool)]) -> Decision;

    /// As [`Decider::decide`], when the values are what matters.
    fn values(&mut self, store: &Store, literals: &[(TermId, bool)]) -> Decision {
        self.decide(store, literals)
    }
}

/// Knows nothing about integers.
pub struct Undecided;

impl Decider for Undecided {
    fn decide(&mut self, _: &Store, literals: &[(TermId, bool)]) -> Decision {
        if literals.is_empty() { Decision::Yes(Vec::new()) } else { Decision::Unknown }
    }
}

/// What bounds a search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Solutions wanted.
    pub solutions: Option<usize>,
    /// Narrowing steps of one derivation.
    pub depth: Option<u32>,
    /// Terms made in all, which is what memory goes into.
    pub terms: usize,
    /// How deeply evaluation may nest; it uses the stack.
    pub nesting: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { solutions: None, depth: None, terms: 6_000_000, nesting: 500 }
    }
}

/// Steps that a state may take before it goes to the end of the queue.
const TURN: u64 = 2_000;

/// The longest turn: a state that comes back gets twice the steps, but the caller must be able to stop the search.
const LONGEST_TURN: u64 = 200_000;

fn longer(turn: u64) -> u64 {
    (turn * 2).min(LONGEST_TURN)
}

/// Why a search could not look everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// The depth of derivations.
    Depth,
    /// The number of terms.
    Terms,
    /// The nesting of evaluations.
    Nesting,
    /// The caller wanted to stop.
    Stopped,
    /// The decider could not tell.
    Undecided,
    /// An integer beyond 128 bits.
    Integers,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// There are no further solutions.
    Exhausted,
    /// As many as wanted were found; there may be more.
    Enough,
    /// There may be more beyond this bound.
    Bounded(Bound),
}

/// What a search gave.
#[derive(Clone, Debug)]
pub struct Found {
    pub solutions: Vec<Solution>,
    pub ending: Ending,
    /// States looked at.
    pub states: u64,
    /// Rewriting steps made.
    pub rewrites: u64,
}

/// A list that grows at the front and shares its tail.
#[derive(Debug)]
struct List<T> {
    item: T,
    next: Option<Rc<List<T>>>,
}

type Shared<T> = Option<Rc<List<T>>>;

fn items<T: Copy>(list: &Shared<T>) -> Vec<T> {
    std::iter::successors(list.as_deref(), |l| l.next.as_deref()).map(|l| l.item).collect()
}

struct State {
    layer: Rc<Layer>,
    /// Terms and the truth value each must have, the next first.
    goals: Shared<(TermId, bool)>,
    /// Comparisons of unknown integers, the latest first.
    literals: Shared<(TermId, bool)>,
    /// Whether literals were added since the decider was asked.
    unchecked: bool,
    depth: u32,
    turn: u64,
}

/// What became of a state.
enum Turn {
    Solved(State),
    Dead,
    Split(State, Need),
    Again(State),
    Bounded(Bound),
}

/// All values of `inputs` under which all goals are true. `stop` is asked between states.
pub fn narrow(
    system: &System,
    store: &mut Store,
    inputs: &[VarId],
    goals: &[TermId],
    limits: &Limits,
    decider: &mut dyn Decider,
    stop: &dyn Fn() -> bool,
) -> Found {
    let goals = goals.iter().rev().fold(None, |next, goal| Some(Rc::new(List { item: (*goal, true), next })));
    let start = State { layer: Rc::default(), goals, literals: None, unchecked: false, depth: 0, turn: TURN };
    let mut search = Search { evaluator: Evaluator::new(system, store, limits.nesting), decider, undecided: false };
    let mut queue = VecDeque::from([start]);
    let mut found = Found { solutions: Vec::new(), ending: Ending::Exhausted, states: 0, rewrites: 0 };
    let mut bound = None;
    let overlapping = system.operations.iter().any(|o| o.tree.as_ref().is_some_and(|tree| tree.has_choice()));
    while let Some(state) = queue.pop_front() {
        if stop() {
            bound = Some(Bound::Stopped);
            break;
        }
        if search.evaluator.store.len() > limits.terms {
            bound = Some(Bound::Terms);
            break;
        }
        found.states += 1;
        search.undecided = false;
        let turn = search.turn(state);
        if search.undecided {
            bound = bound.or(Some(Bound::Undecided));
        }
        match turn {
            Turn::Dead => {}
            Turn::Bounded(which) => bound = bound.or(Some(which)),
            Turn::Again(state) | Turn::Split(state, _) if limits.depth.is_some_and(|most| state.depth >= most) => {
                bound = bound.or(Some(Bound::Depth));
            }
            Turn::Again(state) => queue.push_back(State { depth: state.depth + 1, turn: longer(state.turn), ..state }),
            Turn::Split(state, need) => search.split(&state, &need, &mut queue),
            Turn::Solved(state) => {
                let Some(solution) = search.solution(&state, inputs) else {
                    bound = bound.or(Some(Bound::Undecided));
                    continue;
                };
                let store = &*search.evaluator.store;
                // Needed narrowing finds no solution twice. With a choice of rules one may be an instance of another.
                if overlapping && found.solutions.iter().any(|known| solution.is_instance_of(known, store)) {
                    continue;
                }
                found.solutions.push(solution);
                if limits.solutions.is_some_and(|most| found.solutions.len() >= most) {
                    if !queue.is_empty() {
                        found.ending = Ending::Enough;
                    }
                    break;
                }
            }
        }
    }
    if let (Some(bound), Ending::Exhausted) = (bound, found.ending) {
        found.ending = Ending::Bounded(bound);
    }
    found.rewrites = search.evaluator.steps;
    found
}

struct Search<'a> {
    evaluator: Evaluator<'a>,
    decider: &'a mut dyn Decider,
    /// Whether the decider could not tell during this turn.
    undecided: bool,
}

impl Search<'_> {
    fn turn(&mut self, mut state: State) -> Turn {
        self.evaluator.layer = state.layer.clone();
        self.evaluator.fuel = state.turn;
        if state.unchecked && !self.is_possible(&mut state) {
            return Turn::Dead;
        }
        while let Some(goal) = state.goals.clone() {
            let (term, wanted) = goal.item;
            state.goals = goal.next.clone();
            match self.goal(term, wanted, &mut state) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Nothing) => return Turn::Dead,
                Err(stop) => {
                    // The goal is looked at again.
                    state.goals = Some(goal);
                    if state.unchecked && !self.is_possible(&mut state) {
                        return Turn::Dead;
                    }
                    return match stop {
                        Stop::Need(need) => Turn::Split(state, *need),
                        Stop::Fuel => Turn::Again(state),
                        Stop::Depth => Turn::Bounded(Bound::Nesting),
                        Stop::TooLarge => Turn::Bounded(Bound::Integers),
                        Stop::Nothing => unreachable!("this ends the state above"),
                    };
                }
            }
        }
        if state.unchecked && !self.is_possible(&mut state) {
            return Turn::Dead;
        }
        Turn::Solved(state)
    }

    /// Whether the term has the truth value. Connectives whose operands must each have a certain value become goals of
    /// their own, and comparisons become literals, without splitting the state.
    fn goal(&mut self, term: TermId, wanted: bool, state: &mut State) -> Result<bool, Stop> {
        let Head::Builtin(builtin) = self.evaluator.store.head(term) else {
            return self.plain_goal(term, wanted, state);
        };
        let args = self.evaluator.store.args(term).to_vec();
        match (builtin, wanted) {
            (Builtin::Not, _) => {
                state.goals = Some(Rc::new(List { item: (args[0], !wanted), next: state.goals.take() }));
                Ok(true)
            }
            (Builtin::And, true) | (Builtin::Or, false) => {
                let next = Some(Rc::new(List { item: (args[1], wanted), next: state.goals.take() }));
                state.goals = Some(Rc::new(List { item: (args[0], wanted), next }));
                Ok(true)
            }
            _ => self.plain_goal(term, wanted, state),
        }
    }

    fn plain_goal(&mut self, term: TermId, wanted: bool, state: &mut State) -> Result<bool, Stop> {
        match self.evaluator.evaluate(term) {
            Ok(value) => {
                let store = &*self.evaluator.store;
                if let Some(var) = store.as_var(value) {
                    let cases = vec![if wanted { SymbolId::TRUE } else { SymbolId::FALSE }];
                    return Err(Stop::Need(Box::new(Need::Constructor { var, cases })));
                }
                Ok(store.as_truth(value) == Some(wanted))
            }
            // The goal is this comparison and nothing else, so only one of the two ways is of use.
            Err(Stop::Need(need)) => match *need {
                Need::Truth { comparison } if self.is_comparison(term, comparison) => {
                    self.settle(comparison, wanted, state);
                    Ok(true)
                }
                other => Err(Stop::Need(Box::new(other))),
            },
            Err(stop) => Err(stop),
        }
    }

    /// Whether the term evaluates to the comparison.
    fn is_comparison(&mut self, term: TermId, comparison: TermId) -> bool {
        let store = &*self.evaluator.store;
        let (a, b) = (store.head(term), store.head(comparison));
        if a != b || !matches!(a, Head::Builtin(Builtin::Eq | Builtin::Lt | Builtin::Le)) {
            return false;
        }
        let (x, y) = (store.arg(term, 0), store.arg(term, 1));
        let (Ok(x), Ok(y)) = (self.evaluator.evaluate(x), self.evaluator.evaluate(y)) else { return false };
        let args = self.evaluator.store.args(comparison);
        args == [x, y] || a == Head::Builtin(Builtin::Eq) && args == [y, x]
    }

    fn settle(&mut self, comparison: TermId, value: bool, state: &mut State) {
        let truth = self.evaluator.store.truth(value);
        state.layer.learn(comparison, Known::To(truth));
        state.literals = Some(Rc::new(List { item: (comparison, value), next: state.literals.take() }));
        state.unchecked = true;
    }

    fn is_possible(&mut self, state: &mut State) -> bool {
        state.unchecked = false;
        let mut literals = items(&state.literals);
        literals.reverse();
        match self.decider.decide(self.evaluator.store, &literals) {
            Decision::Yes(_) => true,
            Decision::No => false,
            Decision::Unknown => {
                self.undecided = true;
                false
            }
        }
    }

    /// The states that together have all solutions of this one.
    fn split(&mut self, state: &State, need: &Need, queue: &mut VecDeque<State>) {
        let child = |layer: Layer| State {
            layer: Rc::new(layer),
            goals: state.goals.clone(),
            literals: state.literals.clone(),
            unchecked: false,
            depth: state.depth + 1,
            turn: TURN,
        };
        match need {
            Need::Constructor { var, cases } => {
                for &case in cases {
                    let value = self.evaluator.store.split(&self.evaluator.system.signature, *var, case);
                    queue.push_back(child(Layer::above(&state.layer).bind(*var, value)));
                }
            }
            Need::Integer { term, cases } => {
                for &case in cases {
                    let value = self.evaluator.store.int(case);
                    let mut layer = Layer::above(&state.layer);
                    if let Some(var) = self.evaluator.store.as_var(*term) {
                        layer = layer.bind(var, value);
                    }
                    let mut next = child(layer);
                    let (a, b) = ((*term).min(value), (*term).max(value));
                    let equal = self.evaluator.store.make(Head::Builtin(Builtin::Eq), &[a, b]);
                    self.settle(equal, true, &mut next);
                    queue.push_back(next);
                }
            }
            Need::Truth { comparison } => {
                for value in [true, false] {
                    let mut next = child(Layer::above(&state.layer));
                    self.settle(*comparison, value, &mut next);
                    queue.push_back(next);
                }
            }
            Need::Choice { term, choice, groups } => {
                for group in 0..*groups {
                    queue.push_back(child(Layer::above(&state.layer).choose(*term, *choice, group)));
                }
            }
            Need::Time => {
                let next = child(Layer::above(&state.layer));
                queue.push_back(State { turn: longer(state.turn), ..next });
            }
            Need::Any(needs) => needs.iter().for_each(|need| self.split(state, need, queue)),
        }
    }

    fn solution(&mut self, state: &State, inputs: &[VarId]) -> Option<Solution> {
        self.evaluator.layer = state.layer.clone();
        let mut values = Vec::new();
        for &input in inputs {
            let term = self.evaluator.store.var(input);
            values.push((input, self.resolve(term)));
        }
        let mut literals = items(&state.literals);
        literals.reverse();
        let Decision::Yes(integers) = self.decider.values(self.evaluator.store, &literals) else { return None };
        let mut seen = Vec::new();
        for (term, value) in literals {
            let term = self.resolve(term);
            if self.evaluator.store.as_truth(term) != Some(value) && !seen.contains(&(term, value)) {
                seen.push((term, value));
            }
        }
        Some(Solution { values, literals: seen, integers })
    }

    /// The term with all bindings put in.
    fn resolve(&mut self, term: TermId) -> TermId {
        match self.evaluator.store.head(term) {
            Head::Var(var) => match self.evaluator.binding(var) {
                Some(value) => self.resolve(value),
                None => term,
            },
            head => {
                if self.evaluator.store.is_ground(term) {
                    return term;
                }
                let args = self.evaluator.store.args(term).to_vec();
                let args: Vec<TermId> = args.into_iter().map(|arg| self.resolve(arg)).collect();
                match head {
                    Head::Builtin(builtin) => arithmetic::build(self.evaluator.store, builtin, &args),
                    Head::Symbol(symbol) => self.evaluator.store.apply(&self.evaluator.system.signature, symbol, &args),
                    Head::Var(_) | Head::Int(_) => unreachable!("these have no arguments"),
                }
            }
        }
    }
}
