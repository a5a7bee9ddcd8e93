//! Lazy evaluation to a constructor under the bindings of a state: rewriting of needed redexes as far as it goes, and
//! then what would have to be known about a variable to go on.
//!
//! *Invariant*: a result goes to the table shared by all states only if no binding was looked at on the way.

use crate::arithmetic::{Computed, compute};
use crate::layer::{Known, Layer};
use crate::signature::{SortId, SymbolId};
use crate::system::{Operation, System};
use crate::term::{Builtin, Head, Store, TermId, VarId};
use crate::tree::{Case, Tree};
use hashbrown::HashMap;
use std::rc::Rc;

/// What has to be known to go on. The ways of one need together cover all values that can matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Need {
    /// The variable starts with one of these constructors.
    Constructor { var: VarId, cases: Vec<SymbolId> },
    /// The integer is one of these.
    Integer { term: TermId, cases: Vec<i128> },
    /// The comparison holds, or does not.
    Truth { comparison: TermId },
    /// One of these groups of rules is taken for the term.
    Choice { term: TermId, choice: u32, groups: u32 },
    /// More steps: one of several groups of rules is not done yet.
    Time,
    /// Any of these needs alone would do.
    Any(Vec<Need>),
}

/// Why there is no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No rule applies, under these bindings or any further ones.
    Nothing,
    Need(Box<Need>),
    /// The steps of this turn are used up.
    Fuel,
    /// Evaluation nests too deeply.
    Depth,
    /// An integer beyond 128 bits.
    TooLarge,
}

pub type Evaluated = Result<TermId, Stop>;

pub struct Evaluator<'a> {
    pub system: &'a System,
    pub store: &'a mut Store,
    /// Results that hold in all states.
    everywhere: HashMap<TermId, Known>,
    pub layer: Rc<Layer>,
    /// Whether a binding was looked at.
    depends: bool,
    pub fuel: u64,
    depth: u32,
    deepest: u32,
    /// Rewriting steps made in all.
    pub steps: u64,
}

impl<'a> Evaluator<'a> {
    pub fn new(system: &'a System, store: &'a mut Store, deepest: u32) -> Evaluator<'a> {
        Evaluator {
            system,
            store,
            everywhere: HashMap::new(),
            layer: Rc::default(),
            depends: false,
            fuel: 0,
            depth: 0,
            deepest,
            steps: 0,
        }
    }

    fn recall(&mut self, term: TermId) -> Option<Known> {
        if let Some(&known) = self.everywhere.get(&term) {
            return Some(known);
        }
        let known = self.layer.known(term)?;
        self.depends = true;
        Some(known)
    }

    fn learn(&mut self, term: TermId, known: Known) {
        if self.depends {
            self.layer.learn(term, known);
        } else {
            self.everywhere.insert(term, known);
        }
    }

    /// The value of the variable, if it has one.
    pub fn binding(&mut self, var: VarId) -> Option<TermId> {
        let value = self.layer.value(var)?;
        self.depends = true;
        Some(value)
    }

    /// Evaluates until the term starts with a constructor, is an unbound variable, or is arithmetic on unknown integers.
    pub fn evaluate(&mut self, term: TermId) -> Evaluated {
        self.depth += 1;
        let before = std::mem::replace(&mut self.depends, false);
        let result = if self.depth > self.deepest { Err(Stop::Depth) } else { self.reduce(term) };
        self.depends |= before;
        self.depth -= 1;
        result
    }

    fn reduce(&mut self, start: TermId) -> Evaluated {
        let mut term = start;
        loop {
            match self.store.head(term) {
                Head::Int(_) => break,
                Head::Var(var) => match self.binding(var) {
                    Some(value) => {
                        term = value;
                        continue;
                    }
                    None => break,
                },
                Head::Symbol(symbol) if self.system.signature.is_constructor(symbol) => break,
                Head::Symbol(_) | Head::Builtin(_) => {}
            }
            match self.recall(term) {
                Some(Known::To(to)) if to != term => {
                    term = to;
                    continue;
                }
                Some(Known::To(_)) => break,
                Some(Known::Nothing) => return Err(Stop::Nothing),
                None => {}
            }
            if self.fuel == 0 {
                return Err(Stop::Fuel);
            }
            self.fuel -= 1;
            self.steps += 1;
            let step = match self.store.head(term) {
                Head::Symbol(symbol) => self.apply(term, symbol),
                Head::Builtin(builtin) => self.compute(term, builtin),
                Head::Var(_) | Head::Int(_) => unreachable!("variables and integers are done with above"),
            };
            match step {
                // Arithmetic on unknown integers stays as it is.
                Ok(next) if next == term => break,
                Ok(next) => {
                    self.learn(term, Known::To(next));
                    term = next;
                }
                Err(Stop::Nothing) => {
                    self.learn(term, Known::Nothing);
                    if term != start {
                        self.learn(start, Known::Nothing);
                    }
                    return Err(Stop::Nothing);
                }
                Err(stop) => {
                    // The next turn goes on from here.
                    if term != start {
                        self.learn(start, Known::To(term));
                    }
                    return Err(stop);
                }
            }
        }
        if term != start && self.store.as_var(start).is_none() {
            self.learn(start, Known::To(term));
        }
        Ok(term)
    }

    fn apply(&mut self, term: TermId, symbol: SymbolId) -> Evaluated {
        let system = self.system;
        let Some(operation) = system.operation(symbol) else { return Err(Stop::Nothing) };
        let Some(tree) = &operation.tree else { return Err(Stop::Nothing) };
        let mut registers = self.store.args(term).to_vec();
        self.walk(tree, operation, term, &mut registers, &mut 0)
    }

    fn walk(
        &mut self,
        tree: &Tree,
        operation: &Operation,
        term: TermId,
        registers: &mut Vec<TermId>,
        choices: &mut u32,
    ) -> Evaluated {
        match tree {
            Tree::Leaf { rule, registers: slots } => {
                let system = self.system;
                let code = &system.rules[*rule].result;
                Ok(code.run(self.store, &system.signature, |slot| registers[slots[slot]]))
            }
            Tree::Branch { register, cases } => {
                let value = self.evaluate(registers[*register])?;
                registers[*register] = value;
                match self.store.head(value) {
                    Head::Symbol(symbol) => {
                        let case = Case::Constructor(symbol);
                        let Some((_, inner)) = cases.iter().find(|(known, _)| *known == case) else {
                            return Err(Stop::Nothing);
                        };
                        registers.extend_from_slice(self.store.args(value));
                        self.walk(inner, operation, term, registers, choices)
                    }
                    Head::Var(var) if self.store.var_sort(var) != SortId::INT => {
                        let of = |case: &Case| if let Case::Constructor(symbol) = case { Some(*symbol) } else { None };
                        let cases = cases.iter().filter_map(|(case, _)| of(case)).collect();
                        Err(Stop::Need(Box::new(Need::Constructor { var, cases })))
                    }
                    Head::Int(value) => {
                        let case = Case::Int(value);
                        let Some((_, inner)) = cases.iter().find(|(known, _)| *known == case) else {
                            return Err(Stop::Nothing);
                        };
                        self.walk(inner, operation, term, registers, choices)
                    }
                    Head::Var(_) | Head::Builtin(_) => {
                        self.walk_integers(value, cases, operation, term, registers, choices)
                    }
                }
            }
            Tree::Choice(groups) => self.walk_choice(groups, operation, term, registers, choices),
        }
    }

    /// A branch on an integer that is not known: one of the cases may have been settled by an earlier turn.
    fn walk_integers(
        &mut self,
        value: TermId,
        cases: &[(Case, Tree)],
        operation: &Operation,
        term: TermId,
        registers: &mut Vec<TermId>,
        choices: &mut u32,
    ) -> Evaluated {
        let mut open = Vec::new();
        for (case, inner) in cases {
            let Case::Int(case) = *case else { continue };
            let against = self.store.int(case);
            let equal = self.equation(value, against);
            match self.recall(equal) {
                Some(Known::To(truth)) if self.store.as_truth(truth) == Some(true) => {
                    return self.walk(inner, operation, term, registers, choices);
                }
                Some(_) => {}
                None => open.push(case),
            }
        }
        if open.is_empty() {
            return Err(Stop::Nothing);
        }
        Err(Stop::Need(Box::new(Need::Integer { term: value, cases: open })))
    }

    fn walk_choice(
        &mut self,
        groups: &[Tree],
        operation: &Operation,
        term: TermId,
        registers: &mut Vec<TermId>,
        choices: &mut u32,
    ) -> Evaluated {
        let number = *choices;
        *choices += 1;
        if !operation.agrees {
            let Some(group) = self.layer.choice(term, number) else {
                let groups = groups.len() as u32;
                return Err(Stop::Need(Box::new(Need::Choice { term, choice: number, groups })));
            };
            self.depends = true;
            return self.walk(&groups[group as usize], operation, term, registers, choices);
        }
        // Whichever rule applies gives the same, so one that needs no guessing is taken.
        let mut needs: Vec<Need> = Vec::new();
        let mut unfinished = None;
        for group in groups {
            // Half of what is left: a group that does not end must not keep the others from their turn.
            let kept = self.fuel / 2;
            self.fuel -= kept;
            let result = self.walk(group, operation, term, &mut registers.clone(), choices);
            self.fuel += kept;
            match result {
                Ok(result) => return Ok(result),
                Err(Stop::Nothing) => {}
                Err(Stop::Need(need)) => match *need {
                    Need::Any(more) => needs.extend(more),
                    one => needs.push(one),
                },
                Err(stop) => unfinished = Some(stop),
            }
        }
        needs.dedup();
        if unfinished == Some(Stop::Fuel) && !needs.is_empty() {
            needs.push(Need::Time);
            unfinished = None;
        }
        match (needs.len(), unfinished) {
            (_, Some(stop)) => Err(stop),
            (0, None) => Err(Stop::Nothing),
            (1, None) => Err(Stop::Need(Box::new(needs.remove(0)))),
            _ => Err(Stop::Need(Box::new(Need::Any(needs)))),
        }
    }

    /// `a == b` in the form in which it is remembered: the smaller id first, since equality is symmetric.
    fn equation(&mut self, a: TermId, b: TermId) -> TermId {
        self.store.make(Head::Builtin(Builtin::Eq), &[a.min(b), a.max(b)])
    }

    fn truth(&self, value: bool) -> TermId {
        self.store.truth(value)
    }

    /// Evaluates a truth value until it is one.
    fn condition(&mut self, term: TermId) -> Result<bool, Stop> {
        let value = self.evaluate(term)?;
        if let Some(var) = self.store.as_var(value) {
            let cases = vec![SymbolId::TRUE, SymbolId::FALSE];
            return Err(Stop::Need(Box::new(Need::Constructor { var, cases })));
        }
        Ok(self.store.as_truth(value).expect("a condition should be a truth value, because sorts are checked"))
    }

    fn compute(&mut self, term: TermId, builtin: Builtin) -> Evaluated {
        let arg = |this: &Self, index: usize| this.store.arg(term, index);
        match builtin {
            Builtin::Undefined => Err(Stop::Nothing),
            Builtin::Not => {
                let value = self.condition(arg(self, 0))?;
                Ok(self.truth(!value))
            }
            Builtin::And | Builtin::Or => {
                let first = self.condition(arg(self, 0))?;
                if first == (builtin == Builtin::And) { Ok(arg(self, 1)) } else { Ok(self.truth(first)) }
            }
            Builtin::If => {
                let first = self.condition(arg(self, 0))?;
                Ok(arg(self, if first { 1 } else { 2 }))
            }
            Builtin::Defined => self.defined(arg(self, 0)),
            Builtin::Eq => self.equal(arg(self, 0), arg(self, 1), term),
            Builtin::Neg => {
                let a = self.evaluate(arg(self, 0))?;
                match self.store.as_int(a) {
                    Some(a) => self.computed(compute(builtin, a, 0)),
                    None => Ok(self.store.make(Head::Builtin(builtin), &[a])),
                }
            }
            Builtin::Lt | Builtin::Le => {
                let (a, b) = (self.evaluate(arg(self, 0))?, self.evaluate(arg(self, 1))?);
                if let (Some(a), Some(b)) = (self.store.as_int(a), self.store.as_int(b)) {
                    return self.computed(compute(builtin, a, b));
                }
                if a == b {
                    return Ok(self.truth(builtin == Builtin::Le));
                }
                let comparison = self.store.make(Head::Builtin(builtin), &[a, b]);
                self.decided(comparison, term)
            }
            Builtin::Add | Builtin::Sub | Builtin::Mul | Builtin::Div | Builtin::Rem | Builtin::Mod => {
                let (a, b) = (self.evaluate(arg(self, 0))?, self.evaluate(arg(self, 1))?);
                if let (Some(a), Some(b)) = (self.store.as_int(a), self.store.as_int(b)) {
                    return self.computed(compute(builtin, a, b));
                }
                if matches!(builtin, Builtin::Div | Builtin::Rem) {
                    // A quotient has a value only if the divisor is not zero.
                    let zero = self.store.int(0);
                    if b == zero {
                        return Err(Stop::Nothing);
                    }
                    if self.store.as_int(b).is_none() {
                        let is_zero = self.equation(b, zero);
                        if self.decide(is_zero)? {
                            return Err(Stop::Nothing);
                        }
                    }
                }
                Ok(self.store.make(Head::Builtin(builtin), &[a, b]))
            }
        }
    }

    fn computed(&mut self, computed: Computed) -> Evaluated {
        match computed {
            Computed::Int(value) => Ok(self.store.int(value)),
            Computed::Truth(value) => Ok(self.truth(value)),
            Computed::NoValue => Err(Stop::Nothing),
            Computed::TooLarge => Err(Stop::TooLarge),
        }
    }

    /// A comparison of evaluated integers: what an earlier turn settled, or a need.
    fn decide(&mut self, comparison: TermId) -> Result<bool, Stop> {
        match self.recall(comparison) {
            Some(Known::To(truth)) if self.store.as_truth(truth).is_some() => {
                Ok(self.store.as_truth(truth) == Some(true))
            }
            _ => Err(Stop::Need(Box::new(Need::Truth { comparison }))),
        }
    }

    /// As [`Evaluator::decide`], for the value of `term`, which is the comparison before its sides were evaluated. If it
    /// is the same one, the table has been asked already.
    fn decided(&mut self, comparison: TermId, term: TermId) -> Evaluated {
        if comparison == term {
            return Err(Stop::Need(Box::new(Need::Truth { comparison })));
        }
        let value = self.decide(comparison)?;
        Ok(self.truth(value))
    }

    /// Whether two terms are equal, by their values.
    fn equal(&mut self, a: TermId, b: TermId, term: TermId) -> Evaluated {
        let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
        if a == b && self.store.is_data(a) {
            return Ok(self.truth(true));
        }
        let signature = &self.system.signature;
        let structured = |this: &Self, t: TermId| match this.store.head(t) {
            Head::Var(var) => {
                let sort = this.store.var_sort(var);
                sort != SortId::INT && !signature.is_open(sort)
            }
            Head::Symbol(_) => true,
            Head::Int(_) | Head::Builtin(_) => false,
        };
        if structured(self, a) || structured(self, b) {
            return match (self.store.head(a), self.store.head(b)) {
                (Head::Symbol(x), Head::Symbol(y)) if x != y => {
                    // Both sides must have a value all through, as for any other result.
                    let (x, y) = (self.defined(a)?, self.defined(b)?);
                    let both = self.store.make(Head::Builtin(Builtin::And), &[x, y]);
                    Ok(self.store.make(Head::Builtin(Builtin::Not), &[both]))
                }
                (Head::Symbol(_), Head::Symbol(_)) => {
                    let pairs: Vec<(TermId, TermId)> =
                        self.store.args(a).iter().copied().zip(self.store.args(b).iter().copied()).collect();
                    let mut all = self.truth(true);
                    for (x, y) in pairs.into_iter().rev() {
                        let one = self.store.make(Head::Builtin(Builtin::Eq), &[x, y]);
                        all = self.store.make(Head::Builtin(Builtin::And), &[one, all]);
                    }
                    Ok(all)
                }
                (Head::Var(var), _) | (_, Head::Var(var)) => {
                    let cases = signature.sort(self.store.var_sort(var)).constructors.clone();
                    Err(Stop::Need(Box::new(Need::Constructor { var, cases })))
                }
                _ => unreachable!("both sides of an equation should have one sort"),
            };
        }
        if let (Some(a), Some(b)) = (self.store.as_int(a), self.store.as_int(b)) {
            return Ok(self.truth(a == b));
        }
        if a == b {
            return Ok(self.truth(true));
        }
        let comparison = self.equation(a, b);
        self.decided(comparison, term)
    }

    /// True, once the term has been evaluated to a constructor and the same is asked of its arguments.
    fn defined(&mut self, term: TermId) -> Evaluated {
        if self.store.is_data(term) {
            return Ok(self.truth(true));
        }
        let value = self.evaluate(term)?;
        if self.store.is_data(value) || !matches!(self.store.head(value), Head::Symbol(_)) {
            return Ok(self.truth(true));
        }
        let args = self.store.args(value).to_vec();
        let mut all = self.truth(true);
        for arg in args.into_iter().rev() {
            if !self.store.is_data(arg) {
                let one = self.store.make(Head::Builtin(Builtin::Defined), &[arg]);
                all = if self.store.as_truth(all).is_some() {
                    one
                } else {
                    self.store.make(Head::Builtin(Builtin::And), &[one, all])
                };
            }
        }
        Ok(all)
    }
}
