//! Is it worth anything that a consumer accepts: does it reject at all?
//!
//! A consumer that accepts every word makes "compatible" vacuous. One that accepts almost every word makes it almost
//! so; *nearly universal* means here: of the words of each length from 1 to 6 over the alphabet, at least nine in ten
//! are accepted.

use crate::alphabet::Symbol;
use crate::finite::Nfa;
use crate::inclusion::Checker;
use crate::summaries::{Limits, Stopped};
use std::collections::BTreeSet;

/// Lengths whose words are counted.
const COUNTED: usize = 6;
/// The share from which a language is called nearly universal.
const NEARLY: f64 = 0.9;
/// States of the deterministic automaton, above which words are not counted.
const COUNTABLE: usize = 20_000;

#[derive(Clone, Debug, PartialEq)]
pub struct Universality {
    pub breadth: Breadth,
    /// A shortest word that is rejected.
    pub rejected: Option<Vec<Symbol>>,
    /// The length of the longest rejected word, when only finitely many are rejected.
    pub longest_rejected: Option<usize>,
    /// Accepted shares of the words of length 1, 2, …; nothing when the automaton is too large to count.
    pub shares: Option<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// Every word is accepted.
    Universal,
    /// Nearly every word is accepted.
    Nearly,
    Selective,
}

/// How much of all words over an alphabet an automaton accepts.
pub fn universality(nfa: &Nfa, alphabet: &BTreeSet<Symbol>, limits: &Limits<'_>) -> Result<Universality, Stopped> {
    let rejected = Checker::new(nfa).shortest_rejected(alphabet, limits)?;
    if rejected.is_none() {
        let shares = Some(vec![1.0; COUNTED]);
        return Ok(Universality { breadth: Breadth::Universal, rejected, longest_rejected: None, shares });
    }
    let mut within = nfa.clone();
    within.arcs.retain(|arc| arc.symbol.is_none_or(|symbol| alphabet.contains(&symbol)));
    let Some(dfa) = within.deterministic(COUNTABLE) else {
        return Ok(Universality { breadth: Breadth::Selective, rejected, longest_rejected: None, shares: None });
    };
    let counts = dfa.counts(COUNTED);
    let size = alphabet.len() as f64;
    let shares: Vec<f64> = (1..=COUNTED).map(|length| counts[length] / size.powi(length as i32).max(1.0)).collect();
    let nearly = !alphabet.is_empty() && shares.iter().all(|&share| share >= NEARLY);
    Ok(Universality {
        breadth: if nearly { Breadth::Nearly } else { Breadth::Selective },
        rejected,
        longest_rejected: dfa.complement(alphabet).longest(),
        shares: Some(shares),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::Alphabet;
    use crate::grammar;

    fn of(text: &str) -> Universality {
        let mut alphabet = Alphabet::new();
        let symbols = ["a", "b"].map(|name| alphabet.intern(name)).into_iter().collect();
        let spec = grammar::parse(text, &mut alphabet).expect("the specification should be well formed");
        let nfa = crate::regular(&spec.machine, 1000).nfa;
        universality(&nfa, &symbols, &Limits::default()).expect("small automata should be within the limits")
    }

    #[test]
    fn everything_is_universal() {
        let all = of("all = (a | b)* ;");
        assert_eq!((all.breadth, all.rejected), (Breadth::Universal, None));
    }

    #[test]
    fn all_but_the_empty_word_is_nearly_universal() {
        let most = of("most = (a | b)+ ;");
        assert_eq!(most.breadth, Breadth::Nearly);
        assert_eq!((most.rejected, most.longest_rejected), (Some(vec![]), Some(0)));
    }

    #[test]
    fn half_is_selective() {
        let half = of("half = a (a | b)* ;");
        assert_eq!((half.breadth, half.longest_rejected), (Breadth::Selective, None));
        assert_eq!(half.shares.unwrap()[0], 0.5);
        let long = of("long = (a | b) (a | b) (a | b)* ;");
        assert_eq!((long.breadth, long.longest_rejected), (Breadth::Selective, Some(1)));
    }
}
