//! From a violation to the smallest one.
//!
//! *Smallest*, of a domain that was searched completely: among the shortest arrays, the least bound on the magnitude of
//! all values for which there is one, and then the first in order, without negative numbers if that is possible. A
//! tuple and its arrangements have the same values, so a bound that admits one admits the other, and the least bound is
//! found by bisection. *Of samples*: one that gets no smaller by moving a single value towards zero.

use super::domain::{Values, magnitude};
use super::engine::{Engine, EngineError, Extent, Found, Limits, Method, Search, Tally};
use super::shape::Space;
use exec::Scalar;

/// The smallest, with the tally of a search in order up to it; `None` if time ran out first.
pub fn smallest(
    engine: &dyn Engine,
    shape: usize,
    space: &Space,
    found: &Found,
) -> Result<Option<(Found, Tally)>, EngineError> {
    let there_is = |bound: i128| -> Result<Option<bool>, EngineError> {
        let search = engine.search(shape, &space.within(bound, false), Extent::Whole)?;
        Ok((!search.stopped).then_some(search.found.is_some()))
    };
    let (mut below, mut bound) = (-1i128, found.input().iter().map(magnitude).max().unwrap_or(0));
    while bound.saturating_sub(below) > 1 {
        let middle = below + bound.saturating_sub(below) / 2;
        match there_is(middle)? {
            Some(true) => bound = middle,
            Some(false) => below = middle,
            None => return Ok(None),
        }
    }
    for positive in [true, false] {
        let search = engine.search(shape, &space.within(bound, positive), Extent::First)?;
        if let Search { found: Some(found), tally, .. } = search {
            return Ok(Some((found, tally)));
        }
        if search.stopped {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Rounds of making a sampled tuple smaller; each round makes one value at least one smaller.
const ROUNDS: usize = 200;

/// A smaller tuple that is still one.
pub fn shrunk(
    engine: &dyn Engine,
    shape: usize,
    domains: &[&Values],
    method: Method,
    found: Found,
    limits: &Limits<'_>,
) -> Result<Found, EngineError> {
    let mut best = found;
    for _ in 0..ROUNDS {
        let input = best.input().to_vec();
        let mut candidates = Vec::new();
        for (slot, values) in domains.iter().enumerate() {
            for value in smaller(&input[slot]) {
                if values.contains(&value) {
                    let mut candidate = input.clone();
                    candidate[slot] = value;
                    candidates.push(candidate);
                }
            }
        }
        if limits.deadline.is_over() {
            break;
        }
        match engine.sample(shape, &candidates, method)?.found {
            Some(smaller) if weight(smaller.input()) < weight(best.input()) => best = smaller,
            _ => break,
        }
    }
    Ok(best)
}

fn weight(input: &[Scalar]) -> i128 {
    // Negative numbers weigh a little more, so that a change of sign ends.
    let one = |value: &Scalar| match value {
        Scalar::Int(int) => 2 * int.saturating_abs().min(1 << 100) + i128::from(*int < 0),
        Scalar::Float(float) => (float.abs() * 1024.0) as i128 * 2 + i128::from(*float < 0.0),
    };
    input.iter().map(one).sum()
}

/// Candidates for a value, the boldest first.
fn smaller(value: &Scalar) -> Vec<Scalar> {
    match *value {
        Scalar::Int(0) => Vec::new(),
        Scalar::Int(int) => {
            let mut smaller = vec![0, int / 2, int - int.signum()];
            smaller.extend((int < 0).then_some(-int));
            smaller.retain(|s| *s != int);
            smaller.dedup();
            smaller.into_iter().map(Scalar::Int).collect()
        }
        Scalar::Float(0.0) => Vec::new(),
        Scalar::Float(float) => {
            let mut smaller = vec![0.0, float.trunc(), (float / 2.0).trunc()];
            smaller.extend((float < 0.0).then_some(-float));
            smaller.retain(|s| *s != float);
            smaller.into_iter().map(Scalar::Float).collect()
        }
    }
}
