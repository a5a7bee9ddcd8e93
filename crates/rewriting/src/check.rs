//! What is doubtful about a whole system: rules that overlap and disagree, operations that may not end, sorts without
//! finite values. These are warnings: narrowing works all the same, but an operation may not be a function then, or a
//! search may not end.

use crate::normalise::{Normaliser, Stuck};
use crate::problem::{At, Problem};
use crate::signature::{SortId, SymbolId, SymbolKind};
use crate::sizechange;
use crate::smallest::Smallest;
use crate::system::{Pattern, Rule, System};
use crate::term::{Store, TermId};

pub fn problems(system: &System) -> Vec<Problem> {
    let mut found = Vec::new();
    for (id, symbol) in system.signature.symbols() {
        if symbol.kind == SymbolKind::Operation {
            overlaps(system, id, &mut found);
        }
    }
    for rule in sizechange::unbounded_recursion(system) {
        let rule = &system.rules[rule];
        let name = &system.signature.symbol(rule.operation).name;
        found.push(
            Problem::warning(
                rule.at,
                format!("`{name}` may not end: no argument gets smaller when it comes back to itself"),
            )
            .with_help("a search over such rules ends only at a bound"),
        );
    }
    let smallest = Smallest::new(system);
    for (sort, declared) in system.signature.sorts() {
        if !smallest.has_value(sort) {
            let at = declared.constructors.first().map_or(At::default(), |c| system.signature.symbol(*c).at);
            found.push(
                Problem::warning(at, format!("the sort `{}` has no finite values", declared.name))
                    .with_help("add a constructor without arguments"),
            );
        }
    }
    found
}

fn overlaps(system: &System, operation: SymbolId, found: &mut Vec<Problem>) {
    let rules: Vec<&Rule> = system.rules_of(operation).collect();
    for (index, second) in rules.iter().enumerate() {
        for first in &rules[..index] {
            if let Agreement::Different(example) = agreement(system, first, second) {
                let name = &system.signature.symbol(operation).name;
                let line = first.at.line;
                found.push(
                    Problem::warning(
                        second.at,
                        format!("this rule of `{name}` overlaps with that of line {line}, and the results differ for `{example}`"),
                    )
                    .with_help("rules are equations and are not tried in order: make the left-hand sides exclude each other"),
                );
            }
        }
    }
}

enum Agreement {
    /// No arguments match both.
    Apart,
    Same,
    /// With the arguments that match both.
    Different(String),
}

/// Whether rules that overlap always give the same.
pub(crate) fn rules_agree(system: &System, operation: SymbolId) -> bool {
    let rules: Vec<&Rule> = system.rules_of(operation).collect();
    let pairs = rules.iter().enumerate().flat_map(|(i, second)| rules[..i].iter().map(move |first| (first, second)));
    pairs.into_iter().all(|(first, second)| !matches!(agreement(system, first, second), Agreement::Different(_)))
}

/// The results of two rules on arguments that match both. Equal terms agree, and so do terms that plain evaluation
/// makes equal.
fn agreement(system: &System, first: &Rule, second: &Rule) -> Agreement {
    let mut store = Store::new();
    let (mut one, mut two) = (vec![None; first.slots], vec![None; second.slots]);
    let sorts = &system.signature.symbol(first.operation).args;
    let mut args = Vec::new();
    for ((a, b), sort) in first.patterns.iter().zip(&second.patterns).zip(sorts) {
        match meet(system, &mut store, a, b, *sort, &mut one, &mut two) {
            Some(term) => args.push(term),
            None => return Agreement::Apart,
        }
    }
    let bound = |slots: &[Option<TermId>], slot: usize| slots[slot].expect("patterns should set all variables");
    let left = first.result.run(&mut store, &system.signature, |slot| bound(&one, slot));
    let right = second.result.run(&mut store, &system.signature, |slot| bound(&two, slot));
    let mut names = crate::show::Names::default();
    let call = store.apply(&system.signature, first.operation, &args);
    if left == right || normal(system, &mut store, left) == normal(system, &mut store, right) {
        return Agreement::Same;
    }
    Agreement::Different(crate::show::show(system, &store, call, &mut names))
}

/// The term as far as rules that need no guessing take it.
fn normal(system: &System, store: &mut Store, term: TermId) -> TermId {
    let mut normaliser = Normaliser::new(system, 1_000, 200);
    match normaliser.normalise(store, term) {
        Ok(value) => value,
        Err(Stuck::NoRule(_) | Stuck::TooLong | Stuck::TooLarge) => term,
    }
}

/// What matches both patterns.
fn meet(
    system: &System,
    store: &mut Store,
    a: &Pattern,
    b: &Pattern,
    sort: SortId,
    one: &mut [Option<TermId>],
    two: &mut [Option<TermId>],
) -> Option<TermId> {
    match (a, b) {
        (Pattern::Slot(x), Pattern::Slot(y)) => {
            let var = store.fresh("", sort);
            let term = store.var(var);
            one[*x as usize] = Some(term);
            two[*y as usize] = Some(term);
            Some(term)
        }
        (Pattern::Slot(x), other) => {
            let term = instance(store, other, two);
            one[*x as usize] = Some(term);
            Some(term)
        }
        (other, Pattern::Slot(y)) => {
            let term = instance(store, other, one);
            two[*y as usize] = Some(term);
            Some(term)
        }
        (Pattern::Int(x), Pattern::Int(y)) => (x == y).then(|| store.int(*x)),
        (Pattern::Constructor(x, inner), Pattern::Constructor(y, other)) if x == y => {
            let sorts = &system.signature.symbol(*x).args;
            let pairs = inner.iter().zip(other).zip(sorts);
            let args: Option<Vec<TermId>> =
                pairs.map(|((a, b), sort)| meet(system, store, a, b, *sort, one, two)).collect();
            Some(store.construct(*x, &args?))
        }
        _ => None,
    }
}

/// The pattern with fresh variables.
fn instance(store: &mut Store, pattern: &Pattern, slots: &mut [Option<TermId>]) -> TermId {
    let term = match pattern {
        Pattern::Slot(_) => {
            let var = store.fresh("", SortId::BOOL);
            store.var(var)
        }
        Pattern::Int(value) => store.int(*value),
        Pattern::Constructor(symbol, inner) => {
            let args: Vec<TermId> = inner.iter().map(|p| instance(store, p, slots)).collect();
            store.construct(*symbol, &args)
        }
    };
    if let Pattern::Slot(slot) = pattern {
        slots[*slot as usize] = Some(term);
    }
    term
}
