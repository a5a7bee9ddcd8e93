//! Readable expressions denote the language of their automaton.

use crate::generator::{all_words, nfa};
use automata::{Alphabet, grammar, regex, regular};

#[test]
fn expressions_denote_their_automaton() {
    let mut alphabet = Alphabet::new();
    let symbols = ["a", "b"].map(|name| alphabet.intern(name));
    let mut shown = 0;
    for seed in 0..3000 {
        let nfa = nfa(&mut fastrand::Rng::with_seed(seed), &symbols);
        let Some(text) = regex::regex(&nfa, &alphabet) else { continue };
        if text == "∅" {
            assert!(all_words(&symbols, 5).iter().all(|word| !nfa.accepts(word)), "seed {seed}");
            continue;
        }
        shown += 1;
        let spec = grammar::parse(&format!("f = {text} ;"), &mut alphabet).unwrap();
        let (there, here) = (nfa.minimise(1000), regular(&spec.machine, 10_000).nfa.minimise(10_000));
        let plain = |nfa: Option<automata::Nfa>| {
            let mut nfa = nfa.unwrap();
            nfa.arcs.iter_mut().for_each(|arc| arc.tag = 0);
            nfa
        };
        assert_eq!(plain(there), plain(here), "seed {seed}: {text}");
    }
    assert!(shown > 1500, "{shown} expressions");
}

#[test]
fn the_smallest_automaton_has_the_same_language() {
    let mut alphabet = Alphabet::new();
    let symbols = ["a", "b"].map(|name| alphabet.intern(name));
    for seed in 0..2000 {
        let nfa = nfa(&mut fastrand::Rng::with_seed(seed), &symbols);
        let small = nfa.minimise(1000).unwrap();
        // No smaller one: distinct states differ in some word shorter than the number of states.
        let words = all_words(&symbols, 5);
        for word in &words {
            let accepted = nfa.accepts(word);
            assert_eq!(accepted, small.accepts(word), "seed {seed}");
            assert_eq!(accepted, nfa.trim().accepts(word), "seed {seed}");
        }
        let behaviour = |state: usize| {
            let mut from = small.clone();
            from.initial = vec![automata::StateId::new(state)];
            words.iter().map(|word| from.accepts(word)).collect::<Vec<_>>()
        };
        if small.states <= 5 {
            let behaviours: std::collections::BTreeSet<_> = (0..small.states).map(behaviour).collect();
            assert_eq!(behaviours.len(), small.states, "seed {seed}: not the smallest");
        }
    }
}
