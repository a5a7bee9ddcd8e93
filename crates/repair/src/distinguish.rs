//! Inputs on which two repairs answer differently, so that a developer can choose between them.
//!
//! The tests cannot tell the repairs apart, so inputs near the tests are tried: a number of one becomes one more or less,
//! another number of the same test, a constant of the program, or the number of another test. That is where conditions and
//! constants that agree on the tests part. For calls of functions, the symbolic executor looks for what these do not show.
//!
//! *Guarantee*: on an input that is shown, the two programs were run and answered differently. That none is shown does not
//! mean that they are the same.

use super::search::Found;
use super::symbolic;
use super::template::Change;
use super::trial::Trial;
use super::{describe, suite};
use diagnostics::Deadline;
use exec::{Ending, Input, Outcome, Scalar};
use fastrand::Rng;
use rayon::prelude::*;

/// An input, and what two patches answer to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Distinguishing {
    /// The other patch, by its number in the list.
    pub other: usize,
    pub input: Input,
    pub this: String,
    pub that: String,
}

/// Inputs that are tried.
const ROUNDS: usize = 40;
const PER_ROUND: usize = 100;

/// For each pair of repairs, an input on which they differ, if one was found: `(first, second, input, answers)`.
pub fn distinguish(
    trial: &Trial<'_>,
    repairs: &[&Found],
    constants: &[i128],
    seed: u64,
    deadline: &Deadline,
) -> Vec<(usize, usize, Input, String, String)> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    for second in 0..repairs.len() {
        open.extend((0..second).map(|first| (first, second)));
    }
    let mut found = Vec::new();
    let mut rng = Rng::with_seed(seed);
    for _ in 0..ROUNDS {
        if open.is_empty() || deadline.is_over() {
            break;
        }
        let inputs: Vec<Input> = (0..PER_ROUND).map(|_| neighbour(trial, constants, &mut rng)).collect();
        let answers: Vec<Vec<Option<Outcome>>> = inputs
            .par_iter()
            .map(|input| {
                repairs
                    .iter()
                    .map(|found| trial.outcome(&found.changes.iter().collect::<Vec<&Change>>(), input))
                    .collect()
            })
            .collect();
        for (input, outcomes) in inputs.iter().zip(&answers) {
            open.retain(|&(a, b)| {
                let (Some(x), Some(y)) = (&outcomes[a], &outcomes[b]) else { return true };
                if !is_answer(x) || !is_answer(y) || same(x, y) {
                    return true;
                }
                found.push((a, b, input.clone(), describe(x), describe(y)));
                false
            });
        }
    }
    // What no neighbour of a test shows, the symbolic executor is asked for.
    if symbolic::applies(trial) {
        let changes = |at: usize| repairs[at].changes.iter().collect::<Vec<&Change>>();
        let ask = |&(a, b): &(usize, usize)| {
            if deadline.is_over() {
                return None;
            }
            let input = symbolic::differing(trial, &changes(a), &changes(b))?;
            let (x, y) = (trial.outcome(&changes(a), &input)?, trial.outcome(&changes(b), &input)?);
            let differ = is_answer(&x) && is_answer(&y) && !same(&x, &y);
            differ.then(|| (a, b, input, describe(&x), describe(&y)))
        };
        found.par_extend(open.par_iter().filter_map(ask));
    }
    found
}

/// A crash distinguishes nothing that a developer could choose by.
fn is_answer(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Returned(_) | Ending::Exited(_))
}

fn same(a: &Outcome, b: &Outcome) -> bool {
    a.ending == b.ending && suite::trimmed(&a.stdout) == suite::trimmed(&b.stdout)
}

/// A test's input with one or two of its numbers changed.
fn neighbour(trial: &Trial<'_>, constants: &[i128], rng: &mut Rng) -> Input {
    let pick = |rng: &mut Rng| &trial.tests[rng.usize(..trial.tests.len())].input;
    let mut input = pick(rng).clone();
    let other = pick(rng).clone();
    for _ in 0..1 + rng.usize(..2) {
        if !input.params.is_empty() {
            let at = rng.usize(..input.params.len());
            let kinds = match input.params[at] {
                Scalar::Int(value) => {
                    let others: Vec<i128> = ints(&input.params);
                    Scalar::Int(changed(value, &others, other.params.get(at), constants, rng))
                }
                Scalar::Float(value) => Scalar::Float(value + f64::from(rng.i32(-4..=4)) / 2.0),
            };
            input.params[at] = kinds;
        } else if !input.args.is_empty() && (input.stdin.is_empty() || rng.bool()) {
            let at = rng.usize(..input.args.len());
            let text = vary(input.args[at].as_bytes(), constants, rng);
            input.args[at] = String::from_utf8_lossy(&text).into_owned();
        } else {
            input.stdin = vary(&input.stdin, constants, rng);
        }
    }
    input
}

fn ints(params: &[Scalar]) -> Vec<i128> {
    let int = |scalar: &Scalar| if let Scalar::Int(value) = scalar { Some(*value) } else { None };
    params.iter().filter_map(int).collect()
}

fn changed(value: i128, others: &[i128], other: Option<&Scalar>, constants: &[i128], rng: &mut Rng) -> i128 {
    let near = i128::from(rng.i32(-2..=2));
    let number = match rng.u8(..5) {
        0 => value,
        1 if !others.is_empty() => others[rng.usize(..others.len())],
        2 if !constants.is_empty() => constants[rng.usize(..constants.len())],
        3 => match other {
            Some(Scalar::Int(value)) => *value,
            _ => value,
        },
        _ => value + i128::from(rng.i32(-1000..=1000)),
    };
    (number + near).clamp(i128::from(i32::MIN), i128::from(i32::MAX))
}

/// A text with one of its numbers changed, or a character if it has none.
fn vary(text: &[u8], constants: &[i128], rng: &mut Rng) -> Vec<u8> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        while at < text.len() && text[at].is_ascii_digit() {
            at += 1;
        }
        if at > start {
            spans.push((start, at));
        } else {
            at += 1;
        }
    }
    let mut out = text.to_vec();
    if spans.is_empty() {
        if !out.is_empty() {
            let at = rng.usize(..out.len());
            out[at] = b" aAzZ09-"[rng.usize(..8)];
        }
        return out;
    }
    let numbers: Vec<i128> =
        spans.iter().filter_map(|(a, b)| std::str::from_utf8(&text[*a..*b]).ok()?.parse().ok()).collect();
    let chosen = rng.usize(..spans.len());
    let (start, end) = spans[chosen];
    let value = numbers.get(chosen).copied().unwrap_or(0);
    let number = changed(value, &numbers, None, constants, rng);
    out.splice(start..end, number.to_string().into_bytes());
    out
}
