//! Index variables: what they are at each place, as formulas over counters and inputs.
//!
//! A variable that each round of a loop steps by the same amount has a closed form; one that is stepped by an amount
//! that depends on the round is a sum. `m = 0; for i < n { for j < c[i] { … m = m + 1 } }` gives, inside,
//! m = sum(i2 < i, c[i2]) + j. A variable for which no such form is found has none, and conditions that name it are
//! checked when the inverse runs instead of being solved before.

use super::formula::{Formula, PolynomialOfFormulas as _, Reference, VarId};
use super::language::{Counter, Normalisation, SUM_VAR, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// The values of index variables at one place.
#[derive(Clone, Debug, Default)]
pub struct Indices {
    values: BTreeMap<VarId, Formula>,
    unknown: BTreeSet<VarId>,
}

/// An element that some statements mention, with the loops and conditions among those statements that lead to it.
pub struct Element {
    pub reference: Reference,
    pub domain: Vec<Counter>,
    pub guard: Vec<Formula>,
}

impl Indices {
    pub fn resolve(&self, formula: &Formula) -> Formula {
        formula.with_vars(&self.values)
    }

    pub fn set(&mut self, var: VarId, value: &Formula) {
        let value = self.resolve(value);
        if self.unknown.iter().any(|&other| value.mentions_var(other)) {
            self.values.remove(&var);
            self.unknown.insert(var);
        } else {
            self.unknown.remove(&var);
            self.values.insert(var, value.polynomial().to_formula());
        }
    }

    fn forget(&mut self, var: VarId) {
        self.values.remove(&var);
        self.unknown.insert(var);
    }

    /// At the start of a round, from those before the loop.
    pub fn in_round(&self, normalisation: &mut Normalisation, counter: &Counter, body: &[Statement]) -> Indices {
        self.stepped(normalisation, counter, body, counter.distance(&Formula::Var(counter.var)))
    }

    pub fn after_loop(&self, normalisation: &mut Normalisation, counter: &Counter, body: &[Statement]) -> Indices {
        self.stepped(normalisation, counter, body, counter.distance(&counter.to))
    }

    fn stepped(
        &self,
        normalisation: &mut Normalisation,
        counter: &Counter,
        body: &[Statement],
        done: Formula,
    ) -> Indices {
        let mut after = self.clone();
        for (var, amount) in effects(normalisation, body) {
            let total = amount.map(|amount| times(normalisation, counter, &self.resolve(&amount), &done));
            match (total, self.values.get(&var)) {
                (Some(total), Some(start)) => {
                    let value = start.clone().plus(total).polynomial().to_formula();
                    after.values.insert(var, value);
                }
                _ => after.forget(var),
            }
        }
        after
    }

    /// After a conditional.
    pub fn join(&self, other: &Indices, cond: &Formula) -> Indices {
        let mut joined = self.clone();
        joined.unknown.extend(&other.unknown);
        joined.values.retain(|var, _| other.values.contains_key(var) && !other.unknown.contains(var));
        for (var, value) in &mut joined.values {
            *value = Formula::choice(cond.clone(), value.clone(), other.values[var].clone());
        }
        joined
    }
}

/// The sum of an amount over the rounds that are done.
fn times(normalisation: &mut Normalisation, counter: &Counter, amount: &Formula, done: &Formula) -> Formula {
    // Bounds are in order, and the last step may go beyond the end.
    let step = counter.step.abs();
    let rounds = match step {
        1 => done.polynomial().to_formula(),
        _ => Formula::Div(Box::new(done.clone().plus(Formula::Int(step - 1))), Box::new(Formula::Int(step))),
    };
    if !amount.mentions_var(counter.var) {
        return amount.clone().times(rounds);
    }
    let mut nested = false;
    amount.walk(&mut |f| nested |= matches!(f, Formula::Sum { .. }));
    let var = if nested { normalisation.fresh_var("s2") } else { SUM_VAR };
    let round = counter.from.clone().plus(Formula::Int(counter.step).times(Formula::Var(var)));
    let body = Box::new(amount.with_var(counter.var, &round));
    Formula::Sum { var, count: Box::new(rounds), body }
}

/// What statements add to each variable they set; nothing where they do something else to it.
fn effects(normalisation: &mut Normalisation, statements: &[Statement]) -> BTreeMap<VarId, Option<Formula>> {
    let mut effects: BTreeMap<VarId, Option<Formula>> = BTreeMap::new();
    let merge = |var: VarId, amount: Option<Formula>, effects: &mut BTreeMap<VarId, Option<Formula>>| {
        let before = effects.remove(&var).unwrap_or(Some(Formula::Int(0)));
        effects.insert(var, before.zip(amount).map(|(a, b)| a.plus(b)));
    };
    for statement in statements {
        match statement {
            Statement::Set { var, value, .. } => {
                let split = value.polynomial().split_off(&Formula::Var(*var));
                let amount = split.filter(|(factor, _)| factor.as_int() == Some(1)).map(|(_, rest)| rest.to_formula());
                merge(*var, amount, &mut effects);
            }
            Statement::For { counter, body, .. } => {
                let done = counter.distance(&counter.to);
                for (var, amount) in self::effects(normalisation, body) {
                    let total = amount.map(|amount| times(normalisation, counter, &amount, &done));
                    merge(var, total, &mut effects);
                }
            }
            Statement::If { cond, then, otherwise, .. } => {
                let (first, second) = (self::effects(normalisation, then), self::effects(normalisation, otherwise));
                let both: BTreeSet<VarId> = first.keys().chain(second.keys()).copied().collect();
                for var in both {
                    let of = |side: &BTreeMap<VarId, Option<Formula>>| {
                        side.get(&var).cloned().unwrap_or(Some(Formula::Int(0)))
                    };
                    let amount = of(&first).zip(of(&second)).map(|(yes, no)| Formula::choice(cond.clone(), yes, no));
                    merge(var, amount, &mut effects);
                }
            }
            Statement::Assign { .. } | Statement::Assume { .. } => {}
        }
    }
    // An amount that names a variable which itself is stepped is no amount.
    let stepped: Vec<VarId> = effects.keys().copied().collect();
    for amount in effects.values_mut() {
        if amount.as_ref().is_some_and(|a| stepped.iter().any(|&v| a.mentions_var(v))) {
            *amount = None;
        }
    }
    effects
}

/// Calls `visit` on every formula of the statements.
pub fn walk_formulas(statements: &[Statement], visit: &mut impl FnMut(&Formula)) {
    for statement in statements {
        match statement {
            Statement::Assign { target, value, .. } => {
                target.indices.iter().for_each(&mut *visit);
                visit(value);
            }
            Statement::Set { value, .. } => visit(value),
            Statement::Assume { cond, .. } => visit(cond),
            Statement::If { cond, then, otherwise, .. } => {
                visit(cond);
                walk_formulas(then, visit);
                walk_formulas(otherwise, visit);
            }
            Statement::For { counter, body, .. } => {
                visit(&counter.from);
                visit(&counter.to);
                walk_formulas(body, visit);
            }
        }
    }
}

/// Calls `visit` on every element that the statements mention. Elements of which the place is not known are given
/// with the variable itself in the index.
pub fn elements(
    normalisation: &mut Normalisation,
    at: &mut Indices,
    statements: &[Statement],
    domain: &mut Vec<Counter>,
    guard: &mut Vec<Formula>,
    visit: &mut impl FnMut(Element),
) {
    let mentioned =
        |at: &Indices, f: &Formula, domain: &[Counter], guard: &[Formula], visit: &mut dyn FnMut(Element)| {
            for reference in at.resolve(f).references() {
                if !reference.indices.is_empty() {
                    visit(Element { reference: reference.clone(), domain: domain.to_vec(), guard: guard.to_vec() });
                }
            }
        };
    for statement in statements {
        match statement {
            Statement::Assign { target, value, .. } => {
                for index in &target.indices {
                    mentioned(at, index, domain, guard, visit);
                }
                mentioned(at, value, domain, guard, visit);
            }
            Statement::Set { var, value, .. } => {
                mentioned(at, value, domain, guard, visit);
                at.set(*var, value);
            }
            Statement::Assume { cond, .. } => mentioned(at, cond, domain, guard, visit),
            Statement::If { cond, then, otherwise, .. } => {
                mentioned(at, cond, domain, guard, visit);
                let cond = at.resolve(cond);
                let mut second = at.clone();
                guard.push(cond.clone());
                elements(normalisation, at, then, domain, guard, visit);
                guard.pop();
                guard.push(cond.negate());
                elements(normalisation, &mut second, otherwise, domain, guard, visit);
                guard.pop();
                *at = at.join(&second, &cond);
            }
            Statement::For { counter, body, .. } => {
                mentioned(at, &counter.from, domain, guard, visit);
                mentioned(at, &counter.to, domain, guard, visit);
                let resolved = counter.map(|bound| at.resolve(bound));
                let mut inside = at.in_round(normalisation, &resolved, body);
                domain.push(resolved.clone());
                elements(normalisation, &mut inside, body, domain, guard, visit);
                domain.pop();
                *at = at.after_loop(normalisation, &resolved, body);
            }
        }
    }
}
