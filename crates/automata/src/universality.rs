//! Is it worth anything that a consumer accepts: does it reject at all?
//!
//! A consumer that accepts every word makes "compatible" vacuous. One that accepts almost every word makes it almost
//! so; *nearly universal* means here: of the words of each length from 1 to 6 over the alphabet, at least nine in ten
//! are accepted. Words are counted length by length over the subsets they lead to, and no further than the first length
//! that decides: making the automaton deterministic for that is the exponential way.

use crate::alphabet::Symbol;
use crate::inclusion::Checker;
use crate::summaries::{Limits, Stopped};
use std::collections::BTreeSet;

/// Lengths whose words are counted.
const COUNTED: usize = 6;
/// The share from which a language is called nearly universal.
const NEARLY: f64 = 0.9;

#[derive(Clone, Debug, PartialEq)]
pub struct Universality {
    pub breadth: Breadth,
    /// A shortest word that is rejected.
    pub rejected: Option<Vec<Symbol>>,
    /// Accepted shares of the words of length 1, 2, … up to the first that is too small.
    pub shares: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// Every word is accepted.
    Universal,
    /// Nearly every word is accepted.
    Nearly,
    Selective,
}

/// How much of all words over an alphabet a consumer accepts.
pub fn universality(
    checker: &mut Checker<'_>,
    alphabet: &BTreeSet<Symbol>,
    limits: &Limits<'_>,
) -> Result<Universality, Stopped> {
    let rejected = checker.shortest_rejected(alphabet, limits)?;
    if rejected.is_none() {
        return Ok(Universality { breadth: Breadth::Universal, rejected, shares: vec![1.0; COUNTED] });
    }
    let shares = checker.shares(alphabet, COUNTED, NEARLY, limits)?;
    let nearly = !alphabet.is_empty() && shares.iter().all(|&share| share >= NEARLY);
    Ok(Universality { breadth: if nearly { Breadth::Nearly } else { Breadth::Selective }, rejected, shares })
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
        universality(&mut Checker::new(&nfa), &symbols, &Limits::default())
            .expect("small automata should be within the limits")
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
        assert_eq!(most.rejected, Some(vec![]));
    }

    #[test]
    fn half_is_selective() {
        let half = of("half = a (a | b)* ;");
        assert_eq!((half.breadth, half.shares), (Breadth::Selective, vec![0.5]));
        let long = of("long = (a | b) (a | b) (a | b)* ;");
        assert_eq!((long.breadth, long.shares), (Breadth::Selective, vec![0.0]));
    }
}
