//! The slow twin: nested-word inclusion as the source does it.
//!
//! Determinise the consumer, complement it, intersect the result with the producer and look whether anything is left
//! (Driscoll, Burton, Reps 2011, §2.5 and §3.4–3.5; determinisation after Alur and Madhusudan 2009). Everything is
//! built in full before the next step begins, which is why it is slow, and why it shares nothing with
//! [`crate::nested_includes`] and [`crate::includes`], whose answers it checks in tests and whose speed it is measured
//! against.

use crate::alphabet::Symbol;
use crate::finite::Nfa;
use crate::nested::{Call, Internal, Letter, Nested, Return};
use crate::recursive::{Machine, StateId};
use crate::summaries::{Limits, Stopped};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Whether every nested word of the producer is one of the consumer. Symbols must be spelled out.
pub fn slow_nested_includes(producer: &Nested, consumer: &Nested, limits: &Limits<'_>) -> Result<bool, Stopped> {
    let mut letters = Letters::default();
    letters.collect(producer);
    letters.collect(consumer);
    let complement = determinise(consumer, &letters, limits)?.complement();
    let left = intersect(producer, &complement, limits)?;
    Ok(is_empty(&left, limits)?.is_none())
}

/// Whether every word of the producer is accepted by the consumer: the producer's calls become part of its words and
/// the consumer is enriched to accept them anywhere.
pub fn slow_includes(producer: &Machine, consumer: &Nfa, limits: &Limits<'_>) -> Result<bool, Stopped> {
    let used = producer.symbols().into_iter().chain(consumer.symbols()).map(Symbol::index).max();
    let fresh = used.map_or(0, |used| used + 1);
    let (call, back) = (Symbol::new(fresh), Symbol::new(fresh + 1));
    let nested = Nested::of_machine(producer, call, back);
    let enriched = Nested::from(consumer).enrich(&BTreeSet::from([call]), &BTreeSet::from([back]));
    slow_nested_includes(&nested, &enriched, limits)
}

#[derive(Default)]
struct Letters {
    internals: BTreeSet<Symbol>,
    calls: BTreeSet<Symbol>,
    returns: BTreeSet<Symbol>,
}

impl Letters {
    fn collect(&mut self, nested: &Nested) {
        let is = |letter: Letter| match letter {
            Letter::Is(symbol) => Some(symbol),
            Letter::Epsilon => None,
            Letter::Any => panic!("transitions for any symbol should have been spelled out before"),
        };
        self.internals.extend(nested.internals.iter().filter_map(|at| is(at.letter)));
        self.calls.extend(nested.calls.iter().filter_map(|at| is(at.letter)));
        self.returns.extend(nested.returns.iter().filter_map(|at| is(at.letter)));
    }
}

/// A deterministic nested-word automaton whose transitions are total; state 0 is initial.
///
/// A state is a relation between states before the innermost open call and states now, with the knowledge whether
/// there is an open call: a return at the outermost level takes state 0 as its call predecessor, and so may a return
/// that matches a call made in state 0.
struct Total {
    accepting: Vec<bool>,
    internals: HashMap<(usize, Symbol), usize>,
    calls: HashMap<(usize, Symbol), usize>,
    returns: HashMap<(usize, usize, Symbol), usize>,
}

type Relation = (bool, BTreeSet<(StateId, StateId)>);

fn determinise(nested: &Nested, letters: &Letters, limits: &Limits<'_>) -> Result<Total, Stopped> {
    let closures = nested.closures();
    let closed = |pairs: BTreeSet<(StateId, StateId)>| -> BTreeSet<(StateId, StateId)> {
        pairs.into_iter().flat_map(|(e, q)| closures[q.index()].iter().map(move |&q| (e, q))).collect()
    };
    let mut states: Vec<Relation> = Vec::new();
    let mut number: BTreeMap<Relation, usize> = BTreeMap::new();
    let mut intern = |states: &mut Vec<Relation>, relation: Relation| {
        *number.entry(relation.clone()).or_insert_with(|| {
            states.push(relation);
            states.len() - 1
        })
    };
    let start = closed(nested.initial.iter().map(|&q| (q, q)).collect());
    intern(&mut states, (false, start));
    let mut total =
        Total { accepting: Vec::new(), internals: HashMap::new(), calls: HashMap::new(), returns: HashMap::new() };
    let mut done = 0;
    while done < states.len() {
        let (inside, relation) = states[done].clone();
        for &symbol in &letters.internals {
            let step = nested.internals.iter().filter(|at| at.letter == Letter::Is(symbol));
            let next = step.flat_map(|at| relation.iter().filter(|(_, q)| *q == at.from).map(|&(e, _)| (e, at.to)));
            let to = intern(&mut states, (inside, closed(next.collect())));
            total.internals.insert((done, symbol), to);
        }
        for &symbol in &letters.calls {
            let step = nested.calls.iter().filter(|at| at.letter == Letter::Is(symbol));
            let next = step.flat_map(|at| relation.iter().filter(|(_, q)| *q == at.from).map(|&(_, q)| (q, at.to)));
            let to = intern(&mut states, (true, closed(next.collect())));
            total.calls.insert((done, symbol), to);
        }
        // Returns between this state and all those before it, in both roles.
        for other in 0..=done {
            for (exit, before) in [(done, other), (other, done)] {
                for &symbol in &letters.returns {
                    limits.check(states.len().max(total.returns.len()))?;
                    let next = after_return(nested, &states[exit], before == 0, &states[before], symbol);
                    if let Some((inside, next)) = next {
                        let to = intern(&mut states, (inside, closed(next)));
                        total.returns.insert((exit, before, symbol), to);
                    }
                }
            }
        }
        done += 1;
    }
    let accepts = |relation: &Relation| relation.1.iter().any(|(_, q)| nested.accepting.contains(q));
    total.accepting = states.iter().map(accepts).collect();
    Ok(total)
}

fn after_return(
    nested: &Nested,
    exit: &Relation,
    from_start: bool,
    before: &Relation,
    symbol: Symbol,
) -> Option<Relation> {
    let steps = || nested.returns.iter().filter(move |at| at.letter == Letter::Is(symbol));
    if !exit.0 {
        // No call is open: only an initial call predecessor makes sense.
        let next = steps()
            .filter(|at| nested.initial.contains(&at.call))
            .flat_map(|at| exit.1.iter().filter(move |(_, q)| *q == at.from).map(move |&(e, _)| (e, at.to)));
        return from_start.then(|| (false, next.collect()));
    }
    let next = steps()
        .filter(|at| exit.1.contains(&(at.call, at.from)))
        .flat_map(|at| before.1.iter().filter(move |(_, q)| *q == at.call).map(move |&(e, _)| (e, at.to)));
    Some((before.0, next.collect()))
}

impl Total {
    fn complement(mut self) -> Total {
        self.accepting.iter_mut().for_each(|accepting| *accepting = !*accepting);
        self
    }
}

/// The product with a deterministic automaton.
fn intersect(nested: &Nested, total: &Total, limits: &Limits<'_>) -> Result<Nested, Stopped> {
    let width = total.accepting.len();
    let pair = |q: StateId, d: usize| StateId::new(q.index() * width + d);
    let mut product = Nested { names: vec![String::new(); nested.states() * width], ..Nested::default() };
    limits.check(product.states())?;
    product.initial = nested.initial.iter().map(|&q| pair(q, 0)).collect();
    for &q in &nested.accepting {
        product.accepting.extend((0..width).filter(|&d| total.accepting[d]).map(|d| pair(q, d)));
    }
    for at in &nested.internals {
        for d in 0..width {
            let to = match at.letter {
                Letter::Is(symbol) => total.internals[&(d, symbol)],
                _ => d,
            };
            product.internals.push(Internal { from: pair(at.from, d), letter: at.letter, to: pair(at.to, to) });
        }
    }
    for at in &nested.calls {
        let Letter::Is(symbol) = at.letter else { continue };
        for d in 0..width {
            let to = total.calls[&(d, symbol)];
            product.calls.push(Call { from: pair(at.from, d), letter: at.letter, to: pair(at.to, to) });
        }
    }
    for at in &nested.returns {
        let Letter::Is(symbol) = at.letter else { continue };
        for (&(exit, before, back), &to) in &total.returns {
            if back == symbol {
                let (from, call) = (pair(at.from, exit), pair(at.call, before));
                product.returns.push(Return { from, call, letter: at.letter, to: pair(at.to, to) });
            }
        }
        limits.check(product.returns.len())?;
    }
    Ok(product)
}

/// A state in which some word is accepted; nothing when there is no word. Saturates the pairs of states between which
/// a word without open calls or unmatched returns leads.
fn is_empty(nested: &Nested, limits: &Limits<'_>) -> Result<Option<StateId>, Stopped> {
    let states = nested.states();
    let mut out = vec![Vec::new(); states];
    nested.internals.iter().for_each(|at| out[at.from.index()].push(at.to));
    let mut calls_from = vec![Vec::new(); states];
    nested.calls.iter().for_each(|at| calls_from[at.from.index()].push(at.to));
    let mut returns_of = HashMap::<(StateId, StateId), Vec<StateId>>::new();
    nested.returns.iter().for_each(|at| returns_of.entry((at.from, at.call)).or_default().push(at.to));

    // Pairs (entry, state) for the entries that are needed; callers wait for exits of their entry.
    let mut matched: HashSet<(StateId, StateId)> = HashSet::new();
    let mut by_entry: HashMap<StateId, Vec<StateId>> = HashMap::new();
    let mut callers: HashMap<StateId, Vec<(StateId, StateId)>> = HashMap::new();
    let mut level_zero: HashSet<StateId> = nested.initial.iter().copied().collect();
    let initial: HashSet<StateId> = level_zero.clone();
    let mut unmatched = vec![Vec::new(); states];
    for at in nested.returns.iter().filter(|at| initial.contains(&at.call)) {
        unmatched[at.from.index()].push(at.to);
    }
    let mut open: Vec<(StateId, StateId)> = level_zero.iter().map(|&q| (q, q)).collect();
    while let Some((entry, state)) = open.pop() {
        if !matched.insert((entry, state)) {
            continue;
        }
        limits.check(matched.len())?;
        by_entry.entry(entry).or_default().push(state);
        open.extend(out[state.index()].iter().map(|&to| (entry, to)));
        // The outermost level goes on behind unmatched returns as if it began there.
        if level_zero.contains(&entry) {
            for &to in &unmatched[state.index()] {
                if !level_zero.insert(to) {
                    continue;
                }
                open.push((to, to));
                // What was found from `to` as a callee holds there too; now its unmatched returns count as well.
                for at in by_entry.remove(&to).unwrap_or_default() {
                    matched.remove(&(to, at));
                    open.push((to, at));
                }
            }
        }
        for &target in &calls_from[state.index()] {
            callers.entry(target).or_default().push((entry, state));
            open.push((target, target));
            for &last in by_entry.get(&target).into_iter().flatten() {
                open.extend(returns_of.get(&(last, state)).into_iter().flatten().map(|&to| (entry, to)));
            }
        }
        for &(outer, before) in callers.get(&entry).into_iter().flatten() {
            open.extend(returns_of.get(&(state, before)).into_iter().flatten().map(|&to| (outer, to)));
        }
    }
    // Every pair was reached from an initial state, whatever calls are open.
    let mut reached = matched.iter().map(|&(_, state)| state);
    Ok(reached.find(|state| nested.accepting.contains(state)))
}
