//! The weakest precondition along a path: what must hold of the inputs for the program to go exactly this way.
//!
//! *Source*: S. Antoy, D. Hamlet, "Testing by Narrowing", §2 and §5: `wp(P, C, T)` from the end of the path to its start;
//! a loop with a number of iterations and no path for them by power functions.
//!
//! *Notation*: `W` is the condition, `D` the demands ([`super::translate`]) that have been met on the way.

use super::abstraction::{self, Arguments, Iteration, State};
use super::route::{Route, Step};
use super::translate::{Effect, Translated, Translator};
use hashbrown::HashMap;
use ir::{LoopKind, StmtKind};
use rewriting::{Builtin, Head, SortId, TermId, VarId};

/// What must hold before a path.
#[derive(Clone, Copy, Debug)]
pub struct Precondition {
    /// What the program tests.
    pub condition: TermId,
    /// That everything it computes has a value.
    pub requirements: TermId,
}

/// A step of the route as terms.
enum Lowered {
    Effect(Effect),
    Power { iteration: Box<Iteration>, is_do: bool, times: u32, leaves: bool },
}

/// The weakest precondition of `true` after the route.
pub fn precondition(translator: &mut Translator<'_>, route: &Route<'_>) -> Translated<Precondition> {
    // Forwards, so that nondeterministic values are numbered in the order in which they are asked for.
    let mut steps = Vec::new();
    for step in &route.steps {
        steps.push(lowered(translator, step)?);
    }
    let yes = translator.truth(true);
    let mut before = Precondition { condition: yes, requirements: yes };
    for (index, step) in steps.iter().enumerate().rev() {
        before = match step {
            Lowered::Effect(effect) => before_effect(translator, effect, before),
            Lowered::Power { iteration, is_do, times, leaves } => {
                before_power(translator, iteration, (*is_do, *times, *leaves), index, before)
            }
        };
    }
    translator.system.finish();
    Ok(before)
}

fn lowered(translator: &mut Translator<'_>, step: &Step<'_>) -> Translated<Lowered> {
    Ok(match step {
        Step::Run(stmt) => match &stmt.kind {
            StmtKind::If { .. } | StmtKind::Block(_) => {
                let mut state = State::new(translator);
                abstraction::stmts(translator, std::slice::from_ref(*stmt), &mut state)?;
                let assigned = state.values.into_iter().collect();
                Lowered::Effect(Effect { assigned, required: vec![state.required], requirements: vec![state.fine] })
            }
            _ => Lowered::Effect(translator.effect(stmt)?),
        },
        Step::Require { cond, value } => {
            let (term, requirements) = translator.test(cond)?;
            let term = if *value { term } else { translator.not(term) };
            Lowered::Effect(Effect { assigned: Vec::new(), required: vec![term], requirements })
        }
        Step::Case { value, arms, label, default } => {
            let (term, requirements) = translator.number(value)?;
            let mut inside = Vec::new();
            for arm in arms.iter() {
                let (low, high) = (translator.store.int(arm.low), translator.store.int(arm.high));
                let condition = if arm.low == arm.high {
                    translator.build(Builtin::Eq, &[term, low])
                } else {
                    let above = translator.build(Builtin::Le, &[low, term]);
                    let below = translator.build(Builtin::Le, &[term, high]);
                    translator.and(above, below)
                };
                inside.push((arm.label, condition));
            }
            // The default is taken if no arm is; an arm and the default may share a label.
            let mut required = translator.truth(label == default);
            for (at, condition) in inside.into_iter().rev() {
                let hit = translator.truth(Some(at) == *label);
                required = translator.build(Builtin::If, &[condition, hit, required]);
            }
            Lowered::Effect(Effect { assigned: Vec::new(), required: vec![required], requirements })
        }
        Step::Power { looped, times, leaves, .. } => {
            let once = std::mem::replace(&mut translator.once, false);
            let iteration = abstraction::iteration(translator, looped);
            translator.once = once;
            Lowered::Power {
                iteration: Box::new(iteration?),
                is_do: looped.kind == LoopKind::DoWhile,
                times: *times,
                leaves: *leaves,
            }
        }
    })
}

fn before_effect(translator: &mut Translator<'_>, effect: &Effect, after: Precondition) -> Precondition {
    let assigned = effect.assigned.iter();
    let values: HashMap<VarId, TermId> =
        assigned.filter_map(|(place, value)| Some((translator.known_var(*place)?, *value))).collect();
    let mut known = HashMap::new();
    let mut condition = translator.substitute_sharing(after.condition, &values, &mut known);
    let mut requirements = translator.substitute_sharing(after.requirements, &values, &mut known);
    for &one in effect.required.iter().rev() {
        condition = translator.and(one, condition);
    }
    for &one in effect.requirements.iter().rev() {
        requirements = translator.and(one, requirements);
    }
    Precondition { condition, requirements }
}

/// `is_do`, `times`, `leaves` of a loop whose iterations are not said.
fn before_power(
    translator: &mut Translator<'_>,
    iteration: &Iteration,
    (is_do, times, leaves): (bool, u32, bool),
    number: usize,
    after: Precondition,
) -> Precondition {
    let Iteration { tested, condition, after: round } = iteration;
    let left = tested.map(translator);
    let after_left = Precondition {
        condition: translator.substitute(after.condition, &left),
        requirements: translator.substitute(after.requirements, &left),
    };
    let mut terms = vec![*condition, round.broken, round.fine, round.required, tested.fine, tested.required];
    terms.extend([after.condition, after.requirements, after_left.condition, after_left.requirements]);
    let arguments = Arguments::of(translator, &terms, round);
    let own = arguments.terms(translator);
    let powers = power_functions(translator, &arguments, round, number);

    // The state after k iterations.
    let states: Vec<HashMap<VarId, TermId>> = (0..=times)
        .map(|k| {
            let count = translator.store.int(k.into());
            let args: Vec<TermId> = std::iter::once(count).chain(own.iter().copied()).collect();
            let power = |&(var, operation): &(VarId, _)| (var, translator.store.make(Head::Symbol(operation), &args));
            powers.iter().map(power).collect()
        })
        .collect();
    let mut shared: Vec<HashMap<TermId, TermId>> = vec![HashMap::new(); states.len()];
    let mut at = |translator: &mut Translator<'_>, k: usize, term: TermId| {
        translator.substitute_sharing(term, &states[k], &mut shared[k])
    };
    let times = times as usize;
    let yes = translator.truth(true);
    let (mut conditions, mut requirements) = (Vec::new(), Vec::new());
    for k in 0..times {
        if !is_do {
            conditions.push(at(translator, k, *condition));
        }
        conditions.push(at(translator, k, round.required));
        requirements.push(at(translator, k, round.fine));
        if k + 1 < times {
            let broken = at(translator, k, round.broken);
            conditions.push(translator.not(broken));
            if is_do {
                conditions.push(at(translator, k, *condition));
            }
        }
    }
    let mut end = Precondition { condition: yes, requirements: yes };
    if leaves {
        let broken = if times > 0 { at(translator, times - 1, round.broken) } else { translator.truth(false) };
        let (fails, last, fine) = if is_do {
            (at(translator, times - 1, *condition), after, yes)
        } else {
            let required = at(translator, times, tested.required);
            conditions.push(translator.choice(broken, yes, required));
            (at(translator, times, *condition), after_left, at(translator, times, tested.fine))
        };
        let fails = translator.not(fails);
        let last_condition = at(translator, times, last.condition);
        let by_condition = translator.and(fails, last_condition);
        let by_break = at(translator, times, after.condition);
        end.condition = translator.choice(broken, by_break, by_condition);
        let last_demands = at(translator, times, last.requirements);
        let by_condition = translator.and(fine, last_demands);
        let by_break = at(translator, times, after.requirements);
        end.requirements = translator.choice(broken, by_break, by_condition);
    }
    conditions.push(end.condition);
    requirements.push(end.requirements);
    let all = |translator: &mut Translator<'_>, terms: Vec<TermId>| {
        terms.into_iter().rev().fold(yes, |rest, term| translator.and(term, rest))
    };
    Precondition { condition: all(translator, conditions), requirements: all(translator, requirements) }
}

/// For each variable that an iteration sets, the operation `power(k, state)`: its value after `k` iterations. The rules
/// are those of the source: `power(k, s) -> if(k == 0, s, power(k - 1, body(s)))`.
fn power_functions(
    translator: &mut Translator<'_>,
    arguments: &Arguments,
    round: &State,
    number: usize,
) -> Vec<(VarId, rewriting::SymbolId)> {
    let set: Vec<usize> =
        (0..arguments.places.len()).filter(|i| round.values.contains_key(&arguments.places[*i])).collect();
    let own = arguments.terms(translator);
    let mut next = own.clone();
    for &index in &set {
        let name = format!("body#{number}#{}", translator.name(arguments.places[index]));
        let operation = translator.system.add_operation(&name, arguments.sorts.clone(), arguments.sorts[index]);
        arguments.rule(translator, operation, round.values[&arguments.places[index]]);
        next[index] = translator.store.make(Head::Symbol(operation), &own);
    }
    let count = translator.store.fresh("k", SortId::INT);
    let k = translator.store.var(count);
    let (zero, one) = (translator.store.int(0), translator.store.int(1));
    let is_zero = translator.store.make(Head::Builtin(Builtin::Eq), &[k, zero]);
    let fewer = translator.store.make(Head::Builtin(Builtin::Sub), &[k, one]);
    let with_count = Arguments {
        places: arguments.places.clone(),
        vars: std::iter::once(count).chain(arguments.vars.iter().copied()).collect(),
        sorts: std::iter::once(SortId::INT).chain(arguments.sorts.iter().copied()).collect(),
    };
    let mut powers = Vec::new();
    for &index in &set {
        let name = translator.name(arguments.places[index]);
        let name = if set.len() == 1 { format!("power#{number}") } else { format!("power_{name}#{number}") };
        let operation = translator.system.add_operation(&name, with_count.sorts.clone(), arguments.sorts[index]);
        let args: Vec<TermId> = std::iter::once(fewer).chain(next.iter().copied()).collect();
        let again = translator.store.make(Head::Symbol(operation), &args);
        let result = translator.store.make(Head::Builtin(Builtin::If), &[is_zero, own[index], again]);
        with_count.rule(translator, operation, result);
        powers.push((arguments.vars[index], operation));
    }
    powers
}
