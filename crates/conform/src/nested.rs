//! Comparison with the calls in the message: nested words.
//!
//! *Source*: Driscoll, Burton, Reps 2011, §2.4: where both sides are known to call in the same way, leaving enrichment
//! out gives a stricter answer. A call reads `call`, a return `return`, whoever is called; functions that move nothing
//! do not count.

use super::verdict::mutated;
use super::{Breadth, Counterexample, Verdict, compatible, incompatible, undecided};
use automata::nested::{Call, Internal, Letter, Return, read as read_automaton};
use automata::{
    Alphabet, Checker, Inclusion, Limits, Machine, Nested, NestedInclusion, StateId, Symbol, Tagged, nested_includes,
    universality,
};
use diagnostics::Reason;
use std::collections::{BTreeMap, BTreeSet};

/// Compares two machines, calls included.
pub(super) fn compare(
    producer: &Machine,
    consumer: &Machine,
    alphabet: &Alphabet,
    limits: &Limits,
) -> (Verdict, Option<Counterexample>) {
    let mut alphabet = alphabet.clone();
    let (call, back) = (alphabet.intern("call"), alphabet.intern("return"));
    let (producer, consumer) = (Nested::of_machine(producer, call, back), Nested::of_machine(consumer, call, back));
    included(&producer, &consumer, &alphabet, limits)
}

fn included(
    producer: &Nested,
    consumer: &Nested,
    alphabet: &Alphabet,
    limits: &Limits,
) -> (Verdict, Option<Counterexample>) {
    match nested_includes(producer, consumer, limits) {
        NestedInclusion::Included => (compatible(), None),
        NestedInclusion::Unknown(why) => (undecided(why), None),
        NestedInclusion::Excluded(found) => {
            let show = |word: &[Tagged]| word.iter().map(|letter| letter.show(alphabet)).collect::<Vec<_>>();
            let expected = sorted(show(&found.expected), found.may_end);
            let counterexample = Counterexample {
                message: show(&found.word),
                path: Vec::new(),
                taken: found.position,
                stuck_at: Vec::new(),
                expected,
                truncated: false,
            };
            (incompatible(), Some(counterexample))
        }
    }
}

/// How two automata get on.
#[derive(Clone, Debug)]
pub struct NestedReport {
    pub verdict: Verdict,
    /// What else there is to say of it.
    pub remark: Option<String>,
    pub counterexample: Option<Counterexample>,
    /// Changes of the producer that were caught, and tried.
    pub mutation: (usize, usize),
    pub breadth: Option<Breadth>,
    pub producer: Nested,
    pub consumer: Nested,
    /// The names of their symbols.
    pub alphabet: Alphabet,
}

impl NestedReport {
    /// Why, for a verdict that is not plain.
    pub fn why(&self) -> Option<&str> {
        super::why(&self.verdict, &self.remark)
    }
}

/// The most changes of the producer that are tried.
const MUTANTS: usize = 60;

/// Compares two nested-word automata in OpenNWA's text format. An error is a whole sentence, with the place.
pub fn conform_automata(
    producer: (&str, &str),
    consumer: (&str, &str),
    enrich: bool,
    limits: &Limits,
) -> Result<NestedReport, String> {
    let mut alphabet = Alphabet::new();
    let mut read =
        |(name, text): (&str, &str)| read_automaton(text, &mut alphabet).map_err(|error| format!("{name}:{error}"));
    let (producer, consumer) = (read(producer)?, read(consumer)?);
    let internal: BTreeSet<Symbol> = producer.internal_symbols().union(&consumer.internal_symbols()).copied().collect();
    // Where calls do not count, the names of calls do not either, as long as there is one.
    let any = if internal.is_empty() {
        producer.symbols().union(&consumer.symbols()).copied().collect()
    } else {
        internal.clone()
    };
    let flat = producer.spelled_out(&any).to_machine();
    let mut report = NestedReport {
        verdict: Verdict::unknown(Reason::Exhausted, ""),
        remark: None,
        counterexample: None,
        mutation: (0, 0),
        breadth: None,
        producer,
        consumer,
        alphabet,
    };
    let (producer, consumer, alphabet) = (&report.producer, &report.consumer, &report.alphabet);
    // An enriched consumer never looks at its stack: it is the finite automaton without calls.
    let finite = consumer.spelled_out(&any).collapse();
    let mut checker = Checker::new(&finite);
    let name = |symbol: &Symbol| alphabet.name(*symbol).to_string();
    let (verdict, counterexample) = match enrich {
        false => included(producer, consumer, alphabet, limits),
        true => match checker.includes(&flat, limits) {
            Inclusion::Included => (compatible(), None),
            Inclusion::Unknown(why) => (undecided(why), None),
            Inclusion::Excluded(found) => {
                let expected = found.stuck.expected.iter().map(|(symbol, _)| name(symbol)).collect();
                let counterexample = Counterexample {
                    message: found.word.iter().map(name).collect(),
                    path: Vec::new(),
                    taken: found.stuck.position,
                    stuck_at: found.stuck.states.iter().map(|state| consumer.names[state.index()].clone()).collect(),
                    expected: sorted(expected, found.stuck.may_end),
                    truncated: found.truncated,
                };
                (incompatible(), Some(counterexample))
            }
        },
    };
    (report.verdict, report.counterexample) = (verdict, counterexample);
    if let Ok(found) = universality(&mut checker, &internal, limits) {
        report.breadth = Some(Breadth {
            universal: found.breadth == automata::Breadth::Universal,
            nearly: found.breadth == automata::Breadth::Nearly,
            rejected: found.rejected.map(|word| word.iter().map(name).collect()),
        });
    }
    if !report.verdict.is_proof() {
        return Ok(report);
    }
    report.mutation = match enrich {
        true => {
            let tried = mutated(&flat, &BTreeMap::new(), &internal, MUTANTS, &mut checker, limits);
            (tried.iter().filter(|(_, noticed)| *noticed).count(), tried.len())
        }
        false => changed(producer, consumer, alphabet, limits),
    };
    // Without enrichment calls decide as well, and a consumer of every row of symbols may refuse.
    let calls = !producer.calls.is_empty() || !consumer.calls.is_empty();
    let every = match &report.breadth {
        Some(breadth) if enrich || !calls => match (breadth.universal, breadth.nearly) {
            (true, _) => Some("every"),
            (_, true) => Some("nearly every"),
            _ => None,
        },
        _ => match included(&everything(producer, consumer), consumer, alphabet, limits).0 {
            Verdict::Proved { .. } => Some("every"),
            _ => None,
        },
    };
    if let Some(every) = every {
        report.verdict = Verdict::Vacuous;
        report.remark = Some(format!("the consumer accepts {every} message"));
    }
    Ok(report)
}

/// A producer of every row of the letters that either side has, calls and returns in any order.
fn everything(producer: &Nested, consumer: &Nested) -> Nested {
    let only = StateId::new(0);
    let sides = [producer, consumer];
    let read = |letter: Letter| letter != Letter::Epsilon;
    let internals: BTreeSet<Letter> =
        sides.iter().flat_map(|side| side.internals.iter().map(|edge| edge.letter)).filter(|l| read(*l)).collect();
    let calls: BTreeSet<Letter> = sides.iter().flat_map(|side| side.calls.iter().map(|edge| edge.letter)).collect();
    let returns: BTreeSet<Letter> = sides.iter().flat_map(|side| side.returns.iter().map(|edge| edge.letter)).collect();
    Nested {
        names: vec!["anything".to_string()],
        initial: vec![only],
        accepting: vec![only],
        internals: internals.into_iter().map(|letter| Internal { from: only, letter, to: only }).collect(),
        calls: calls.into_iter().map(|letter| Call { from: only, letter, to: only }).collect(),
        returns: returns.into_iter().map(|letter| Return { from: only, call: only, letter, to: only }).collect(),
    }
}

/// Internal transitions of the producer that are left out, and whether that is noticed.
fn changed(producer: &Nested, consumer: &Nested, alphabet: &Alphabet, limits: &Limits) -> (usize, usize) {
    let (mut caught, mut total) = (0, 0);
    let stride = producer.internals.len().div_ceil(MUTANTS).max(1);
    for number in (0..producer.internals.len()).step_by(stride) {
        let mut other = producer.clone();
        if other.internals[number].letter == automata::nested::Letter::Epsilon {
            continue;
        }
        other.internals[number].letter = automata::nested::Letter::Epsilon;
        match included(&other, consumer, alphabet, limits).0 {
            Verdict::Refuted { .. } => caught += 1,
            Verdict::Proved { .. } => {}
            _ => break,
        }
        total += 1;
    }
    (caught, total)
}

/// What a reader expects, each once.
pub(super) fn sorted(mut expected: Vec<String>, may_end: bool) -> Vec<String> {
    expected.sort_unstable();
    expected.dedup();
    expected.extend(may_end.then(|| "the end of the message".to_string()));
    expected
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a producer that may send anything comes to with a consumer of one symbol, and with one of all.
    #[test]
    fn a_producer_of_any_symbol() {
        let any = "nwa p: { Q0: { a }  Qf: { b }  Sigma: { x, y }  Delta_i: { (a, @, b), (a, x, b), (a, y, b) } }";
        let one = "nwa c: { Q0: { a }  Qf: { b }  Sigma: { x, y }  Delta_i: { (a, x, b) } }";
        let both = "nwa c: { Q0: { a }  Qf: { b }  Sigma: { x, y }  Delta_i: { (a, x, b), (a, y, b) } }";
        let calls = "nwa p: { Q0: { a }  Qf: { b }  Sigma: { x }  Delta_c: { (a, @, b) }  Delta_r: {} }";
        let answer = |producer, consumer, enrich| {
            let found = conform_automata(("p", producer), ("c", consumer), enrich, &Limits::default());
            found.expect("the automata should be read").verdict
        };
        for enrich in [true, false] {
            assert_eq!(answer(any, one, enrich), incompatible());
            assert_eq!(answer(any, both, enrich), compatible());
        }
        // A call that stays open is a word all the same, and without calls an empty one.
        assert_eq!(answer(calls, one, true), incompatible());
    }
}
