//! Inputs chosen against what ordinary ones suggest.
//!
//! Ordinary inputs are small, because relations show on small numbers. What holds of all of them may still be false:
//! `n >= 1` when zero was rare, `result <= 62` when one character of 256 gives 63, `s >= 0` until an unsigned sum wraps.
//! So here come the values that such relations are about: zero and its neighbours, the ends of the types, powers of two and
//! what is next to them, the program's own constants, and numbers of every magnitude.
//!
//! Domains small enough are run through: with parameters of few values in all, every combination comes once.
//!
//! *Guarantee*: as for other inputs: the user's ranges and the assumptions that can be checked are respected, and the same
//! seed gives the same inputs.

use super::{Candidate, Generator, LAST_NEAR, Values, key, whole};
use exec::{Input, Scalar, ValueType};
use ir::IntKind;

/// Combinations of parameter values up to which all are run.
const EXHAUSTED: u128 = 1 << 12;

/// Values of one parameter of which all are run when it is the only one.
const SWEPT: i128 = 1 << 11;

impl Generator {
    /// As many inputs chosen against relations, each a new one; fewer when there are no more. `turn` counts what was
    /// tried, over all calls.
    pub fn wide(&mut self, turn: &mut usize, count: usize) -> Vec<Candidate> {
        // What is behind pointers depends on the numbers beside it; ordinary inputs vary both together.
        if self.objects.is_some() {
            return Vec::new();
        }
        let mut found = Vec::with_capacity(count);
        let domains: Vec<Option<(i128, i128)>> = (0..self.parameters.len()).map(|p| self.domain(p)).collect();
        let special: Vec<Vec<i128>> = (0..self.parameters.len()).map(|p| self.special(p)).collect();
        let all = domains.iter().try_fold(1u128, |product, domain| {
            let (low, high) = (*domain)?;
            product.checked_mul(u128::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?)
        });
        let all = all.filter(|all| *all <= EXHAUSTED && !self.asks);
        let last = *turn + if all.is_some() { EXHAUSTED as usize } else { 8 * count };
        while found.len() < count && *turn < last && all.is_none_or(|all| (*turn as u128) < all) {
            let turn = std::mem::replace(turn, *turn + 1);
            let mut params: Vec<Scalar> = match all {
                Some(_) => nth(turn as u128, &domains).into_iter().map(Scalar::Int).collect(),
                None => (0..self.parameters.len()).map(|p| self.wide_value(p, turn, &special[p])).collect(),
            };
            for (index, value) in params.iter_mut().enumerate() {
                *value = self.fit(index, *value);
            }
            if !self.holds(&params) {
                // An input that meets them may be near to it.
                if !self.satisfy(&mut params, LAST_NEAR + 1) {
                    self.excluded += 1;
                    continue;
                }
            }
            let input = Input { params, nondet: self.wide_answers(), ..Input::default() };
            if self.known.insert(key(&input)) {
                found.push(Candidate { near: self.is_near(&input), input, class: LAST_NEAR + 1 });
            }
        }
        found
    }

    fn holds(&self, params: &[Scalar]) -> bool {
        match params.iter().map(whole).collect::<Option<Vec<i128>>>() {
            Some(values) => self.assumptions.iter().all(|condition| condition.holds(&values)),
            None => true,
        }
    }

    /// The least and the largest value of a parameter, if it takes whole numbers.
    fn domain(&self, parameter: usize) -> Option<(i128, i128)> {
        match (&self.given[parameter], self.parameters[parameter].ty) {
            (Some(Values::Range { low, high }), _) => Some((*low, *high)),
            (Some(_), _) => None,
            (None, ValueType::Int(IntKind::Bool)) => Some((0, 1)),
            (None, ValueType::Int(IntKind::UInt128)) => Some((0, i128::MAX)),
            (None, ValueType::Int(kind)) => Some((kind.min(), kind.max())),
            (None, ValueType::Float(_)) => None,
        }
    }

    /// The values that relations tend to forget, those of small magnitude first.
    fn special(&self, parameter: usize) -> Vec<i128> {
        let (low, high) = self.domain(parameter).unwrap_or((-(1 << 40), 1 << 40));
        let mut values = vec![0, 1, -1, low, high, low.saturating_add(1), high.saturating_sub(1), low / 2, high / 2];
        for &constant in &self.constants {
            for value in [constant - 1, constant, constant + 1, -constant] {
                values.push(value);
            }
        }
        for bit in 1..63 {
            let power = 1i128 << bit;
            values.extend([power, power - 1, power + 1, -power]);
        }
        let mut seen = std::collections::HashSet::new();
        values.retain(|value| (low..=high).contains(value) && seen.insert(*value));
        values
    }

    fn wide_value(&mut self, parameter: usize, turn: usize, special: &[i128]) -> Scalar {
        let parameters = self.parameters.len();
        if let ValueType::Float(_) = self.parameters[parameter].ty {
            return self.value(parameter, turn % super::CLASSES.len());
        }
        let Some((low, high)) = self.domain(parameter) else { return self.value(parameter, LAST_NEAR + 1) };
        // First every special value of each parameter, then alone a sweep around zero, then mixtures.
        if turn < special.len() * parameters {
            if turn % parameters == parameter {
                return Scalar::Int(special[turn / parameters % special.len()]);
            }
            return self.value(parameter, self.usual_class());
        }
        let after = turn - special.len() * parameters;
        if parameters == 1 && (after as i128) < SWEPT {
            return Scalar::Int((after as i128 - SWEPT / 4).clamp(low, high));
        }
        match self.rng.u32(..10) {
            0..=2 => Scalar::Int(special[self.rng.usize(..special.len())]),
            3..=4 => self.value(parameter, self.usual_class()),
            5 => Scalar::Int(self.rng.i128(low..=high)),
            _ => {
                // Of every magnitude alike.
                let bits = self.rng.u32(1..=63);
                let magnitude = self.rng.i128(0..1i128 << bits);
                let value = if low < 0 && self.rng.bool() { -magnitude } else { magnitude };
                Scalar::Int(value.clamp(low, high))
            }
        }
    }

    /// A class of magnitude that changes from input to input: mostly a small one, so that one parameter is tried against
    /// usual values of the others.
    fn usual_class(&self) -> usize {
        self.known.len() % (LAST_NEAR + 2)
    }

    fn wide_answers(&mut self) -> Vec<Scalar> {
        let class = self.usual_class();
        let mut answers = self.answers(class);
        let ranges = self.questions.clone();
        for (index, answer) in answers.iter_mut().enumerate() {
            if self.rng.u32(..4) != 0 {
                continue;
            }
            *answer = Scalar::Int(match ranges.get(index).copied().flatten() {
                Some((low, high)) => {
                    [low, high, 0i128.clamp(low, high), self.rng.i128(low..=high)][self.rng.usize(..4)]
                }
                None => {
                    let power = 1i128 << self.rng.u32(0..31);
                    [0, 1, -1, power, power - 1, -power][self.rng.usize(..6)]
                }
            });
        }
        answers
    }
}

/// The n-th combination of values of these domains.
fn nth(mut n: u128, domains: &[Option<(i128, i128)>]) -> Vec<i128> {
    let digit = |domain: &Option<(i128, i128)>| {
        let (low, high) = domain.unwrap_or((0, 0));
        let size = (high - low) as u128 + 1;
        let value = low + (n % size) as i128;
        n /= size;
        value
    };
    domains.iter().map(digit).collect()
}
