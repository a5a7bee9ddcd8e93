//! Machines: operations that keep the language, and inclusion in finite automata.

use crate::generator::{all_words, machine, nfa, short_words, symbols};
use automata::{
    Changes, Checker, Inclusion, Limits, collapsed, continuations, includes, mutations, regular, trace, universality,
};
use std::collections::BTreeMap;

#[test]
fn operations_keep_the_language() {
    let symbols = symbols(2);
    let mut exact = 0;
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let machine = machine(&mut random, &symbols);
        let words = short_words(&machine, 4);
        let same = |what: &str, other: &automata::Machine| {
            other.validate().unwrap_or_else(|flaw| panic!("seed {seed}, {what}: {flaw}"));
            assert_eq!(words, short_words(other, 4), "seed {seed}, {what}\n{machine:#?}\n{other:#?}");
        };
        let pruned = machine.prune().machine;
        same("prune", &pruned);
        same("reduce", &pruned.reduce());
        same("reduce without prune", &machine.reduce());
        same("inline", &machine.inline(40));
        same("inline, prune, reduce", &machine.inline(1000).prune().machine.reduce());

        // Separators that are taken out again leave no trace, and neither does splitting in two parts of which one is gone.
        let mut separated = machine.clone();
        let separator = automata::Symbol::new(7);
        separated.separate(&machine.loops(), separator, 0);
        separated.split(separator, &[]);
        same("separate", &separated);
        let mut split = machine.clone();
        split.split(symbols[0], &[separator, symbols[0]]);
        split.split(separator, &[]);
        same("split", &split);

        let regular = regular(&pruned, 200);
        if regular.is_exact() {
            same("as a machine again", &automata::Machine::from(&regular.nfa));
        }
        let finite = collapsed(&pruned);
        exact += usize::from(regular.is_exact());
        for word in all_words(&symbols, 4) {
            let inside = words.contains(&word);
            assert_eq!(inside, machine.accepts(&word), "seed {seed}, {word:?}");
            let accepted = regular.nfa.accepts(&word);
            assert!(accepted || !inside, "seed {seed}: the regular language loses {word:?}");
            assert!(!regular.is_exact() || accepted == inside, "seed {seed}: not exact at {word:?}\n{pruned:#?}");
            assert!(
                finite.accepts(&word) || !accepted,
                "seed {seed}: the finite model is not the coarsest at {word:?}"
            );
        }
    }
    assert!(exact > 700, "most machines should have exact regular languages, {exact} did");
}

#[test]
fn inclusion_is_right_and_counterexamples_are_shortest() {
    let symbols = symbols(2);
    let (mut included, mut excluded) = (0, 0);
    for seed in 0..4000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let producer = machine(&mut random, &symbols);
        let consumer = nfa(&mut random, &symbols);
        let outside: Vec<_> = short_words(&producer, 5).into_iter().filter(|word| !consumer.accepts(word)).collect();
        let shortest = outside.iter().map(Vec::len).min();
        match includes(&producer, &consumer) {
            Inclusion::Included => {
                included += usize::from(producer.shortest_word().is_some());
                assert_eq!(shortest, None, "seed {seed}: {outside:?} was missed\n{producer:#?}\n{consumer:#?}");
            }
            Inclusion::Excluded(found) => {
                excluded += 1;
                assert!(!consumer.accepts(&found.word), "seed {seed}: {found:?} is accepted");
                assert!(producer.accepts(&found.word), "seed {seed}: {found:?} is not emitted");
                assert_eq!(automata::summaries::word(&found.path), found.word);
                if found.word.len() <= 5 {
                    assert_eq!(shortest, Some(found.word.len()), "seed {seed}: {found:?}");
                } else {
                    assert_eq!(shortest, None, "seed {seed}: {found:?}");
                }
                let stuck = &found.stuck;
                assert!(stuck.position <= found.word.len());
                if let Some(symbol) = found.word.get(stuck.position) {
                    assert!(stuck.expected.iter().all(|(expected, _)| expected != symbol), "seed {seed}");
                } else {
                    assert!(!stuck.may_end, "seed {seed}");
                }
            }
            Inclusion::Unknown(stopped) => panic!("seed {seed}: {stopped}"),
        }
    }
    assert!(included > 500 && excluded > 500, "{included} included, {excluded} not");
}

/// A trace is a run: edges follow each other, calls return to their own edge, and the word is the one asked for.
#[test]
fn traces_are_runs() {
    use automata::{Label, Move, StateId};
    let symbols = symbols(2);
    let mut seen = 0;
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let machine = machine(&mut random, &symbols);
        for word in short_words(&machine, 3) {
            seen += 1;
            let path = trace(&machine, &word).expect("an accepted word should have a trace");
            assert_eq!(automata::summaries::word(&path), word);
            let mut stack: Vec<(automata::ModuleId, usize)> = Vec::new();
            let (mut module, mut state) = (machine.main, machine.module(machine.main).entry);
            for step in &path {
                let edge = machine.module(step.module).edges[step.edge];
                if step.kind == Move::Leave {
                    assert_eq!(stack.pop(), Some((step.module, step.edge)), "seed {seed}");
                    let Label::Call { module: called, exit } = edge.label else { panic!("seed {seed}") };
                    assert_eq!((module, state), (called, machine.module(called).exits[exit as usize]), "seed {seed}");
                    (module, state) = (step.module, edge.to);
                    continue;
                }
                assert_eq!((module, state), (step.module, edge.from), "seed {seed}");
                match (step.kind, edge.label) {
                    (Move::Silent, Label::Silent) => state = edge.to,
                    (Move::Emit(a), Label::Emit(b)) if a == b => state = edge.to,
                    (Move::Enter, Label::Call { module: called, .. }) => {
                        stack.push((step.module, step.edge));
                        (module, state) = (called, machine.module(called).entry);
                    }
                    other => panic!("seed {seed}: {other:?}"),
                }
            }
            let at: &dyn Fn(&[StateId]) -> bool = &|states| states.contains(&state);
            let accepted = stack.is_empty() && at(&machine.module(module).exits) || at(&machine.module(module).ends);
            assert!(accepted, "seed {seed}: {path:?}");
        }
    }
    assert!(seen > 1000);
}

#[test]
fn continuations_are_those_of_the_words() {
    let symbols = symbols(2);
    for seed in 0..1000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let machine = machine(&mut random, &symbols).prune().machine;
        let words = short_words(&machine, 4);
        for prefix in all_words(&symbols, 2) {
            let (edges, whole) = continuations(&machine, &prefix);
            assert_eq!(whole, words.contains(&prefix), "seed {seed}, {prefix:?}");
            for word in words.iter().filter(|word| word.len() > prefix.len() && word.starts_with(&prefix)) {
                let next = automata::Label::Emit(word[prefix.len()]);
                let found = edges.iter().any(|&(module, edge)| machine.module(module).edges[edge].label == next);
                assert!(found, "seed {seed}: {next:?} after {prefix:?}");
            }
        }
    }
}

/// What is found from where the unchanged producer was is what a search from the start finds.
#[test]
fn changes_are_noticed_as_by_a_search_from_the_start() {
    let symbols = symbols(3);
    let followed = BTreeMap::from([(symbols[0], symbols[2])]);
    let (mut noticed, mut unnoticed) = (0, 0);
    for seed in 0..4000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let producer = machine(&mut random, &symbols[..2]).prune().machine;
        // A consumer of its own language, or of nearly all words: something it accepts, and something it does not.
        let consumer = match random.bool() {
            true => regular(&producer.followed(&followed), 200).nfa,
            false => nfa(&mut random, &symbols),
        };
        let (mut checker, limits) = (Checker::new(&consumer), Limits::default());
        let Some(mut changes) = Changes::new(&producer, &followed, &mut checker, &limits).unwrap() else { continue };
        for mutation in mutations(&producer, &symbols.iter().copied().collect()) {
            let changed = mutation.apply(&producer).followed(&followed);
            let expected = matches!(includes(&changed, &consumer), Inclusion::Excluded(_));
            assert_eq!(changes.noticed(&mutation, &limits), Ok(expected), "seed {seed}: {mutation:?}\n{producer:#?}");
            *if expected { &mut noticed } else { &mut unnoticed } += 1;
        }
    }
    assert!(noticed > 1000 && unnoticed > 1000, "{noticed} noticed, {unnoticed} not");
}

#[test]
fn shares_are_those_of_the_words() {
    let symbols = symbols(2);
    for seed in 0..1000 {
        let nfa = nfa(&mut fastrand::Rng::with_seed(seed), &symbols);
        let alphabet = symbols.iter().copied().collect();
        let found = universality(&mut Checker::new(&nfa), &alphabet, &Limits::default()).unwrap();
        for (length, share) in (1..=4).zip(&found.shares) {
            let words = all_words(&symbols, length).into_iter().filter(|word| word.len() == length);
            let accepted = words.filter(|word| nfa.accepts(word)).count();
            assert_eq!(*share, accepted as f64 / 2f64.powi(length as i32), "seed {seed}, length {length}");
        }
    }
}
