//! Numbers that make a template pass: the search of one integer parameter.
//!
//! *Question*: for which n does the program with `n` in the hole pass all tests?
//!
//! Start from the failing tests and ask at points spread over the line, denser around the old value. Where the answers of
//! two neighbouring points differ, halve the gap until the number is known at which they change. A number that all asked
//! tests accept is tried on the whole suite; the first test that breaks joins the asked ones, and the search repeats. This
//! is the loop of counterexample-guided synthesis, with thresholds in place of a solver: programs compare the number with
//! something or add it to something, so the numbers that a test accepts are a few intervals.
//!
//! *Guarantee*: every number in the answer passes all tests. *May miss* numbers whose interval lies between two points
//! that answer alike.
//!
//! Of an interval, those numbers are given that a person might have written: constants of the program, the roundest, the
//! one nearest to the old value.

use super::enumerate::OpenCandidate;
use super::suite::{Expected, Test};
use super::template::Change;
use super::trial::Trial;
use exec::{Ending, Outcome, Scalar};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds of adding a test that breaks.
const ROUNDS: usize = 12;
/// Tests asked about at a time.
const MOST_ASKED: usize = 24;
/// How many failing tests the search starts from.
const FIRST_ASKED: usize = 3;
/// Questions to the VM for one template.
const MOST_QUESTIONS: usize = 600;

/// The numbers that pass, the likelier first, with a cost to be added; none if there are none.
pub fn solve(trial: &Trial<'_>, open: &OpenCandidate, constants: &[i128]) -> Vec<(Change, u32)> {
    let mut search = Search {
        trial,
        change: &open.candidate.change,
        asked: trial.failing.iter().copied().take(FIRST_ASKED).collect(),
        known: BTreeMap::new(),
        questions: 0,
    };
    let mut points = points(open, constants);
    points.extend(search.aimed(open));
    points.sort_unstable();
    points.dedup();
    points.retain(|point| open.kind.contains(*point));
    for _ in 0..ROUNDS {
        let Some(accepted) = search.accepted(&points, constants, open.from) else { return Vec::new() };
        let chosen = choose(&accepted, constants, open.from);
        let mut broken = None;
        let mut passing = Vec::new();
        for number in chosen {
            match search.trial.passes(&[&search.change.filled(&[number])]) {
                Ok(()) => passing.push(number),
                Err(test) => broken = broken.or(test),
            }
        }
        if !passing.is_empty() {
            let rank = |number: &i128| {
                let familiar = constants.contains(number);
                (if familiar { 0 } else { 3 }, roundness(*number), number.abs_diff(open.from))
            };
            passing.sort_by_key(rank);
            return passing
                .into_iter()
                .enumerate()
                .map(|(i, number)| {
                    let strange = if constants.contains(&number) { 0 } else { roundness(number).min(6) };
                    (open.candidate.change.filled(&[number]), strange + i as u32)
                })
                .collect();
        }
        match broken {
            Some(test) if !search.asked.contains(&test) && search.asked.len() < MOST_ASKED => {
                search.asked.push(test);
                search.known.clear();
            }
            _ => return Vec::new(),
        }
    }
    Vec::new()
}

struct Search<'a, 'p> {
    trial: &'a Trial<'p>,
    change: &'a Change,
    asked: Vec<usize>,
    known: BTreeMap<i128, u64>,
    questions: usize,
}

/// Where a number of the output is seen to depend on the number in the hole, how far apart two of them are looked at.
const STRIDES: [i128; 4] = [1, -1, 64, 4096];

impl Search<'_, '_> {
    /// Numbers that a straight line through two outputs leads to: a sum or a product changes its output in proportion.
    fn aimed(&mut self, open: &OpenCandidate) -> Vec<i128> {
        let mut aimed = Vec::new();
        let failing = &self.trial.failing;
        // The first, the last and one between: they need not take the same way.
        let ends = BTreeSet::from([0, failing.len() / 2, failing.len() - 1]);
        for test in ends.into_iter().map(|at| failing[at]) {
            let test = &self.trial.tests[test];
            let number_at = |value: i128| {
                self.trial.tried.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let outcome = self.trial.outcome(&[&self.change.filled(&[value])], &test.input)?;
                differing(test, &outcome)
            };
            let Some((at, wanted)) = number_at(open.from) else { continue };
            for stride in STRIDES {
                let Some((next, same)) = number_at(open.from + stride) else { continue };
                if same != wanted || next == at {
                    continue;
                }
                let exact = open.from + (wanted - at) * stride / (next - at);
                let reach = (stride / (next - at)).abs().clamp(1, 12);
                aimed.extend([exact, exact - 1, exact + 1, exact - reach, exact + reach]);
            }
        }
        aimed
    }
    fn ask(&mut self, number: i128) -> Option<u64> {
        if let Some(answers) = self.known.get(&number) {
            return Some(*answers);
        }
        self.questions += 1;
        if self.questions > MOST_QUESTIONS {
            return None;
        }
        let answers = self.trial.answers(&[&self.change.filled(&[number])], &self.asked)?.passed;
        self.known.insert(number, answers);
        Some(answers)
    }

    /// Numbers that all asked tests accept: ends of intervals, and points inside.
    fn accepted(&mut self, points: &[i128], constants: &[i128], from: i128) -> Option<BTreeSet<i128>> {
        let all = u64::MAX >> (64 - self.asked.len());
        let mut seen = 0u64;
        for &point in points {
            seen |= self.ask(point)?;
        }
        // Each failing test must be passed somewhere, and nothing but the point itself can tell between equal answers.
        if self.known.len() > 1 && self.known.values().all(|answers| *answers == self.known[&points[0]]) && seen != all
        {
            return None;
        }
        let sorted: Vec<i128> = self.known.keys().copied().collect();
        let mut gaps: Vec<(i128, i128)> = sorted.windows(2).map(|pair| (pair[0], pair[1])).collect();
        while let Some((low, high)) = gaps.pop() {
            if high - low <= 1 {
                continue;
            }
            let (a, b) = (self.ask(low)?, self.ask(high)?);
            if a != b {
                let middle = low + (high - low) / 2;
                self.ask(middle)?;
                gaps.push((low, middle));
                gaps.push((middle, high));
            }
        }
        let mut accepted: BTreeSet<i128> =
            self.known.iter().filter(|(_, answers)| **answers == all).map(|(number, _)| *number).collect();
        if accepted.is_empty() {
            return None;
        }
        // Inside the intervals, what a person might have written.
        let ends: Vec<i128> = accepted.iter().copied().collect();
        for pair in ends.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            let inside = |number: &i128| low < *number && *number < high;
            let round = roundest(low, high);
            for number in constants.iter().copied().chain([round, from]).filter(inside) {
                if self.ask(number)? == all {
                    accepted.insert(number);
                }
            }
        }
        Some(accepted)
    }
}

/// The first number of an outcome that is not the one a test wants, and the one it wants.
fn differing(test: &Test, outcome: &Outcome) -> Option<(i128, i128)> {
    match (&test.expected, &outcome.ending) {
        (Expected::Value(Scalar::Int(wanted)), Ending::Returned(Some(Scalar::Int(value)))) => Some((*value, *wanted)),
        (Expected::Output { stdout: Some(text), .. }, Ending::Exited(_)) => {
            let (wanted, own) = (integers(text), integers(&outcome.stdout));
            let differ = wanted.iter().zip(&own).position(|(a, b)| a != b)?;
            (wanted.len() == own.len()).then(|| (own[differ], wanted[differ]))
        }
        _ => None,
    }
}

fn integers(text: &[u8]) -> Vec<i128> {
    let text = String::from_utf8_lossy(text);
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '-').filter(|word| !word.is_empty());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Where the line is looked at.
fn points(open: &OpenCandidate, constants: &[i128]) -> Vec<i128> {
    let mut points = BTreeSet::new();
    let offsets =
        [0i128, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 25, 40, 100, 250, 600, 1500, 5000, 20_000, 100_000, 1_000_000];
    for offset in offsets {
        for base in [open.from, 0] {
            points.insert(base + offset);
            points.insert(base - offset);
        }
    }
    // Of characters each may be the one.
    if open.kind.bytes() == 1 {
        points.extend(32..127);
    }
    for constant in constants.iter().take(24) {
        points.extend([constant - 1, *constant, constant + 1]);
    }
    points.into_iter().filter(|point| open.kind.contains(*point)).collect()
}

/// At most a few of the accepted numbers, the likelier first.
fn choose(accepted: &BTreeSet<i128>, constants: &[i128], from: i128) -> Vec<i128> {
    let mut chosen: Vec<i128> = Vec::new();
    let mut put = |number: Option<i128>| {
        if let Some(number) = number
            && !chosen.contains(&number)
        {
            chosen.push(number);
        }
    };
    put(constants.iter().copied().find(|number| accepted.contains(number)));
    put(accepted.iter().copied().min_by_key(|number| (roundness(*number), number.abs_diff(from))));
    put(accepted.iter().copied().min_by_key(|number| number.abs_diff(from)));
    put(accepted.first().copied());
    put(accepted.last().copied());
    chosen
}

/// How many digits are left without the zeros at the end.
fn roundness(number: i128) -> u32 {
    let mut rest = number.unsigned_abs();
    if rest == 0 {
        return 0;
    }
    while rest.is_multiple_of(10) {
        rest /= 10;
    }
    let mut digits = 0;
    let five = rest.is_multiple_of(5);
    while rest > 0 {
        rest /= 10;
        digits += 2;
    }
    if five { digits - 1 } else { digits }
}

/// The roundest number between two.
fn roundest(low: i128, high: i128) -> i128 {
    let mut step = 1i128;
    let mut best = low;
    while step <= high - low + 1 {
        let next = low.div_euclid(step) * step + step;
        if next < high {
            best = next;
        }
        step *= 10;
    }
    best
}
