//! Which operations may call themselves forever.
//!
//! *Source*: C. S. Lee, N. D. Jones, A. M. Ben-Amram, "The Size-Change Principle for Program Termination", 2001.
//!
//! *Notation*: a graph of a call from `f` to `g` says of an argument of `g` that it is an argument of `f` (`Same`) or a
//! part of one (`Smaller`). If every graph from an operation to itself that is its own composition has an argument
//! that gets smaller, no evaluation is endless.
//!
//! *Guarantee*: an operation that is not reported ends on all finite arguments, unless there are too many graphs to
//! look at. One that is reported may end all the same, when integers or conditions see to it.

use crate::signature::SymbolId;
use crate::system::{Pattern, System};
use crate::term::{Head, Store, TermId, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Beyond this many graphs nothing is said.
const MOST: usize = 3_000;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    Same,
    Smaller,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Graph {
    from: SymbolId,
    to: SymbolId,
    /// From argument to argument, sorted.
    arcs: Vec<(u32, u32, Change)>,
}

/// For each operation that may not end, the rule through which it may come back to itself; sorted.
pub fn unbounded_recursion(system: &System) -> Vec<usize> {
    let mut start: BTreeMap<Graph, usize> = BTreeMap::new();
    for (index, rule) in system.rules.iter().enumerate() {
        let mut store = Store::new();
        let slots: Vec<VarId> = (0..rule.slots).map(|_| store.fresh("", crate::SortId::BOOL)).collect();
        let terms: Vec<TermId> = slots.iter().map(|slot| store.var(*slot)).collect();
        let right = rule.result.run(&mut store, &system.signature, |slot| terms[slot]);
        let lefts: Vec<TermId> = rule.patterns.iter().map(|p| term_of(&mut store, p, &terms)).collect();
        let mut seen = BTreeSet::new();
        let mut open = vec![right];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            open.extend(store.args(term));
            if let Head::Symbol(to) = store.head(term)
                && !system.signature.is_constructor(to)
            {
                let mut arcs = Vec::new();
                for (j, arg) in (0u32..).zip(store.args(term)) {
                    for (i, left) in (0u32..).zip(&lefts) {
                        if arg == left {
                            arcs.push((i, j, Change::Same));
                        } else if is_part(&store, *arg, *left) {
                            arcs.push((i, j, Change::Smaller));
                        }
                    }
                }
                arcs.sort_unstable();
                start.entry(Graph { from: rule.operation, to, arcs }).or_insert(index);
            }
        }
    }
    let mut all = start.clone();
    let mut open: Vec<(Graph, usize)> = start.iter().map(|(graph, rule)| (graph.clone(), *rule)).collect();
    while let Some((graph, rule)) = open.pop() {
        for second in start.keys().filter(|second| second.from == graph.to) {
            let both = compose(&graph, second);
            if !all.contains_key(&both) {
                all.insert(both.clone(), rule);
                open.push((both, rule));
            }
        }
        if all.len() > MOST {
            return Vec::new();
        }
    }
    let mut found: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for (graph, rule) in &all {
        let endless = graph.from == graph.to
            && compose(graph, graph) == *graph
            && !graph.arcs.iter().any(|(i, j, change)| i == j && *change == Change::Smaller);
        if endless {
            let known = found.entry(graph.from).or_insert(*rule);
            *known = (*known).min(*rule);
        }
    }
    let mut rules: Vec<usize> = found.into_values().collect();
    rules.sort_unstable();
    rules
}

fn compose(first: &Graph, second: &Graph) -> Graph {
    let mut arcs: BTreeMap<(u32, u32), Change> = BTreeMap::new();
    for (i, j, one) in &first.arcs {
        for (_, k, two) in second.arcs.iter().filter(|(from, ..)| from == j) {
            let change = *one.max(two);
            let known = arcs.entry((*i, *k)).or_insert(change);
            *known = change.max(*known);
        }
    }
    Graph { from: first.from, to: second.to, arcs: arcs.into_iter().map(|((i, k), change)| (i, k, change)).collect() }
}

fn is_part(store: &Store, part: TermId, whole: TermId) -> bool {
    store.args(whole).iter().any(|arg| *arg == part || is_part(store, part, *arg))
}

fn term_of(store: &mut Store, pattern: &Pattern, slots: &[TermId]) -> TermId {
    match pattern {
        Pattern::Slot(slot) => slots[*slot as usize],
        Pattern::Int(value) => store.int(*value),
        Pattern::Constructor(symbol, inner) => {
            let args: Vec<TermId> = inner.iter().map(|p| term_of(store, p, slots)).collect();
            store.construct(*symbol, &args)
        }
    }
}
