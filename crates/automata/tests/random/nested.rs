//! Nested-word automata: the fast inclusion, the slow twin and the definition; enrichment; conversions.

use crate::generator::{machine, nfa, short_words, symbols};
use automata::nested::{Call, Internal, Letter, Return};
use automata::twin::{slow_includes, slow_nested_includes};
use automata::{Inclusion, Limits, Nested, NestedInclusion, StateId, Symbol, Tagged, includes, nested_includes};
use std::collections::BTreeSet;

const INTERNALS: [usize; 2] = [0, 1];
const CALLS: [usize; 2] = [2, 3];
const RETURNS: [usize; 2] = [4, 5];

fn pick(random: &mut fastrand::Rng, from: &[usize]) -> Letter {
    Letter::Is(Symbol::new(from[random.usize(0..from.len())]))
}

fn nested(random: &mut fastrand::Rng) -> Nested {
    let states = random.usize(1..=4);
    let state = |random: &mut fastrand::Rng| StateId::new(random.usize(0..states));
    let mut nested = Nested::default();
    (0..states).for_each(|number| _ = nested.add_state(number.to_string()));
    nested.initial = vec![state(random)];
    nested.accepting = vec![state(random)];
    for _ in 0..random.usize(0..=5) {
        let letter = if random.usize(0..5) == 0 { Letter::Epsilon } else { pick(random, &INTERNALS) };
        nested.internals.push(Internal { from: state(random), letter, to: state(random) });
    }
    for _ in 0..random.usize(0..=3) {
        nested.calls.push(Call { from: state(random), letter: pick(random, &CALLS), to: state(random) });
    }
    for _ in 0..random.usize(0..=5) {
        // Mostly returns that match a call that exists.
        let call = match nested.calls.len() {
            0 => state(random),
            calls => nested.calls[random.usize(0..calls)].from,
        };
        nested.returns.push(Return { from: state(random), call, letter: pick(random, &RETURNS), to: state(random) });
    }
    nested
}

fn all_nested_words(length: usize) -> Vec<Vec<Tagged>> {
    let internals = INTERNALS.map(|number| Tagged::Internal(Symbol::new(number)));
    let calls = CALLS.map(|number| Tagged::Call(Symbol::new(number)));
    let returns = RETURNS.map(|number| Tagged::Return(Symbol::new(number)));
    let letters = [internals, calls, returns].concat();
    let mut words = vec![Vec::new()];
    let mut last = words.clone();
    for _ in 0..length {
        let longer = |word: &Vec<Tagged>| {
            let word = word.clone();
            letters.iter().map(move |&letter| word.iter().copied().chain([letter]).collect())
        };
        last = last.iter().flat_map(longer).collect();
        words.extend(last.clone());
    }
    words
}

#[test]
fn nested_inclusion_agrees_with_its_twin_and_the_definition() {
    let words = all_nested_words(3);
    let limits = Limits::default();
    let (mut included, mut excluded) = (0, 0);
    for seed in 0..6000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (producer, consumer) = (nested(&mut random), nested(&mut random));
        let slow =
            slow_nested_includes(&producer, &consumer, &limits).expect("small pairs should be within the limits");
        // The definition is slow; a part of the pairs is enough for it.
        let outside =
            || words.iter().filter(|word| producer.accepts(word) && !consumer.accepts(word)).map(Vec::len).min();
        let shortest = if seed % 6 == 0 { Some(outside()) } else { None };
        match nested_includes(&producer, &consumer, &limits) {
            NestedInclusion::Included => {
                included += 1;
                assert!(slow, "seed {seed}: the twin finds a difference\n{producer:?}\n{consumer:?}");
                assert!(shortest.is_none_or(|shortest| shortest.is_none()), "seed {seed}");
            }
            NestedInclusion::Excluded(found) => {
                excluded += 1;
                assert!(!slow, "seed {seed}: the twin finds no difference, but {found:?}\n{producer:?}\n{consumer:?}");
                assert!(producer.accepts(&found.word), "seed {seed}: {found:?} is not a word of the producer");
                assert!(!consumer.accepts(&found.word), "seed {seed}: {found:?} is accepted");
                if let Some(shortest) = shortest {
                    let expected = if found.word.len() <= 3 { Some(found.word.len()) } else { None };
                    assert_eq!(shortest, expected, "seed {seed}: {found:?}");
                }
                if let Some(letter) = found.word.get(found.position) {
                    let readable = found.expected.contains(letter);
                    assert!(!readable || matches!(letter, Tagged::Return(_)), "seed {seed}: {found:?}");
                } else {
                    assert!(!found.may_end, "seed {seed}: {found:?}");
                }
            }
            NestedInclusion::Unknown(stopped) => panic!("seed {seed}: {stopped}"),
        }
    }
    assert!(included > 500 && excluded > 500, "{included} included, {excluded} not");
}

#[test]
fn pushdown_inclusion_agrees_with_the_twin() {
    let symbols = symbols(2);
    let limits = Limits::default();
    let (mut included, mut excluded) = (0, 0);
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (producer, consumer) = (machine(&mut random, &symbols), nfa(&mut random, &symbols));
        let slow = slow_includes(&producer, &consumer, &limits).expect("small pairs should be within the limits");
        let fast = matches!(includes(&producer, &consumer), Inclusion::Included);
        assert_eq!(fast, slow, "seed {seed}\n{producer:#?}\n{consumer:#?}");
        if fast { included += 1 } else { excluded += 1 }
    }
    assert!(included > 300 && excluded > 300, "{included} included, {excluded} not");
}

#[test]
fn finite_inclusion_agrees_with_the_twin() {
    let symbols = symbols(2);
    let limits = Limits::default();
    for seed in 0..3000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (producer, consumer) = (nfa(&mut random, &symbols), nfa(&mut random, &symbols));
        let slow = slow_nested_includes(&Nested::from(&producer), &Nested::from(&consumer), &limits).unwrap();
        let machine = Nested::from(&producer).to_machine();
        assert_eq!(matches!(includes(&machine, &consumer), Inclusion::Included), slow, "seed {seed}");
    }
}

/// After enrichment the stack of a consumer is never tested: it is a finite automaton.
#[test]
fn an_enriched_consumer_is_a_finite_automaton() {
    let limits = Limits::default();
    let set = |numbers: [usize; 2]| numbers.map(Symbol::new).into_iter().collect::<BTreeSet<Symbol>>();
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (producer, consumer) = (nested(&mut random), nested(&mut random));
        let enriched = consumer.enrich(&set(CALLS), &set(RETURNS));
        let as_source = matches!(nested_includes(&producer, &enriched, &limits), NestedInclusion::Included);
        let as_finite = matches!(includes(&producer.to_machine(), &consumer.collapse()), Inclusion::Included);
        assert_eq!(as_source, as_finite, "seed {seed}\n{producer:?}\n{consumer:?}");
    }
}

/// A machine and the nested-word automaton made from it have the same words, call structure aside.
#[test]
fn machines_become_nested_word_automata_and_come_back() {
    let symbols = symbols(2);
    for seed in 0..1500 {
        let machine = machine(&mut fastrand::Rng::with_seed(seed), &symbols);
        let nested = Nested::of_machine(&machine, Symbol::new(8), Symbol::new(9));
        let back = nested.to_machine().prune().machine;
        assert_eq!(short_words(&machine, 3), short_words(&back, 3), "seed {seed}\n{machine:#?}");
    }
}
