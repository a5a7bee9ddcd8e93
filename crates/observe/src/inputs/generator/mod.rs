//! Makes inputs: numbers by classes of magnitude, and objects for parameters that are no numbers.

mod wide;

use super::conditions::{Condition, prefix};
use super::constants::{asks, constants};
use super::objects::{Objects, takes_objects};
use super::values::{Values, real, whole};
use super::{Candidate, Parameter, Showed, parameters};
use crate::Refusal;
use crate::harness::Extent;
use exec::{Given, Input, Scalar, ValueType};
use fastrand::Rng;
use ir::{FunctionId, IntKind, Program};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The largest magnitude of each class, and how often it is taken at first.
pub(super) const CLASSES: [(i128, u32); 5] = [(3, 15), (20, 25), (100, 25), (300, 27), (10_000, 8)];
/// Classes up to this one are near.
const LAST_NEAR: usize = 2;
/// Strings and arrays that are not longer are near.
const NEAR_LENGTH: usize = 24;
/// Answers to `nondet` for each input; after them the answer is zero.
const ANSWERS: usize = 24;
/// Inputs that are kept to be changed.
const CORPUS: usize = 256;

/// Makes inputs.
pub struct Generator {
    parameters: Vec<Parameter>,
    given: Vec<Option<Values>>,
    constants: Vec<i128>,
    asks: bool,
    /// Questions that are all answered; none for as many as chance has it.
    questions: Vec<Option<(i128, i128)>>,
    assumptions: Vec<Condition>,
    /// For an entry that takes more than numbers.
    objects: Option<Box<Objects>>,
    /// Which numbers the user or an assumption has a say in.
    fixed: Vec<bool>,
    rng: Rng,
    weights: [u32; CLASSES.len()],
    /// For each parameter: negative values tried, and those that no assumption excluded.
    negatives: Vec<(u32, u32)>,
    corpus: Vec<Input>,
    known: HashSet<Vec<u64>>,
    /// Inputs that failed an assumption and could not be repaired.
    pub excluded: u64,
}

impl Generator {
    /// A generator for the entry of a program.
    pub fn new(
        program: &Program,
        entry: FunctionId,
        ranges: &[(String, Values)],
        seed: u64,
    ) -> Result<Generator, Refusal> {
        let function = &program.functions[entry];
        let parameters = parameters(program, entry);
        let mut given = vec![None; parameters.len()];
        for (name, values) in ranges {
            let place = parameters.iter().position(|p| p.name == *name).ok_or_else(|| {
                let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
                let is_other = function.params.iter().any(|p| function.locals[*p].name == *name);
                Refusal::Request(match is_other {
                    true => format!("`{name}` is no number, so that no values can be said for it."),
                    false => format!("`{}` has no parameter `{name}`; it has: {}.", function.name, names.join(", ")),
                })
            })?;
            given[place] = Some(values.clone());
        }
        let mut assumptions = Vec::new();
        if let Some(body) = &function.body
            && function.name != "main"
        {
            prefix(program, function, body, &mut assumptions);
        }
        let objects = takes_objects(program, entry).then(|| Box::new(Objects::new(program, entry)));
        let fixed = given.iter().map(|values| values.is_some() || !assumptions.is_empty()).collect();
        Ok(Generator {
            objects,
            fixed,
            negatives: vec![(0, 0); parameters.len()],
            constants: constants(program),
            asks: asks(program),
            questions: Vec::new(),
            parameters,
            given,
            assumptions,
            rng: Rng::with_seed(seed),
            weights: CLASSES.map(|(_, weight)| weight),
            corpus: Vec::new(),
            known: HashSet::new(),
            excluded: 0,
        })
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The next inputs, each a new one; fewer than asked for when new ones have become rare.
    pub fn batch(&mut self, count: usize) -> Vec<Candidate> {
        let mut batch = Vec::with_capacity(count);
        for _ in 0..count * 8 {
            if batch.len() == count {
                break;
            }
            let candidate = self.candidate();
            if let Some(candidate) = candidate
                && self.known.insert(key(&candidate.input))
            {
                batch.push(candidate);
            }
        }
        batch
    }

    /// An input that need not be new.
    pub fn any(&mut self) -> Input {
        let class = self.class();
        let mut params = self.values(class);
        if !self.satisfy(&mut params, class) {
            self.excluded += 1;
        }
        let nondet = self.answers(class);
        self.with_objects(Input { params, nondet, ..Input::default() }, class)
    }

    /// Takes the user's word for the lengths of parameters (`--extent`).
    pub fn set_extents(&mut self, said: &[(String, Extent)]) {
        if let Some(objects) = &mut self.objects {
            objects.set_extents(said);
        }
    }

    /// Which number is taken for the length of which buffer: the names of both.
    pub fn recognised_lengths(&self) -> Vec<(String, String)> {
        self.objects.as_ref().map_or_else(Vec::new, |objects| objects.recognised())
    }

    /// The input with objects for the parameters that are no numbers.
    fn with_objects(&mut self, mut input: Input, class: usize) -> Input {
        if let Some(objects) = &self.objects {
            input.arguments = objects.arguments(&mut self.rng, class, &mut input.params, &self.fixed);
            input.globals = objects.globals(&mut self.rng, class);
        }
        input
    }

    /// Answers these questions of `nondet` in every input, each with a value of its range if it has one.
    pub fn answer_all(&mut self, questions: Vec<Option<(i128, i128)>>) {
        self.questions = questions;
    }

    /// A given input as a candidate.
    pub fn adopt(&mut self, input: Input) -> Candidate {
        self.known.insert(key(&input));
        let near = self.is_near(&input);
        Candidate { input, near, class: LAST_NEAR }
    }

    /// Takes note of what a run showed.
    pub fn learn(&mut self, candidate: &Candidate, showed: Showed) {
        let went_well = !matches!(showed, Showed::Excluded | Showed::Faulted);
        let counts = if self.objects.is_some() { went_well } else { showed != Showed::Excluded };
        for (index, value) in candidate.input.params.iter().enumerate() {
            if real(*value) < 0.0 {
                self.negatives[index].0 += 1;
                self.negatives[index].1 += u32::from(counts);
            }
        }
        if let Some(objects) = &mut self.objects {
            objects.learn(&candidate.input.arguments, went_well);
        }
        match showed {
            Showed::News => {
                if self.corpus.len() == CORPUS {
                    let old = self.rng.usize(..CORPUS);
                    self.corpus.swap_remove(old);
                }
                self.corpus.push(candidate.input.clone());
            }
            Showed::Expensive if candidate.class > LAST_NEAR => {
                // Long runs of large values show little that smaller ones do not.
                let weight = &mut self.weights[candidate.class];
                *weight = (*weight - *weight / 4).max(2);
            }
            _ => {}
        }
    }

    fn candidate(&mut self) -> Option<Candidate> {
        let class = self.class();
        let from_corpus = !self.corpus.is_empty() && self.rng.u32(..100) < if self.objects.is_some() { 50 } else { 25 };
        if from_corpus && self.objects.is_some() {
            let input = self.changed_objects(class);
            return Some(Candidate { near: self.is_near(&input), input, class });
        }
        let mut input = if from_corpus {
            self.mutant(class)
        } else {
            Input { params: self.values(class), nondet: self.answers(class), ..Input::default() }
        };
        if !self.satisfy(&mut input.params, class) {
            self.excluded += 1;
            return None;
        }
        let input = self.with_objects(input, class);
        Some(Candidate { near: self.is_near(&input), input, class })
    }

    fn class(&mut self) -> usize {
        let total: u32 = self.weights.iter().sum();
        let mut at = self.rng.u32(..total);
        for (class, weight) in self.weights.iter().enumerate() {
            if at < *weight {
                return class;
            }
            at -= weight;
        }
        0
    }

    /// Whether every value is in the inner part of its range: small, or within half of the user's range from the end
    /// that is next to zero. A range that starts elsewhere loses both ends, so that neither is taken for a bound.
    fn is_near(&self, input: &Input) -> bool {
        let small = CLASSES[LAST_NEAR].0 as f64;
        let inner = |(value, given): (&Scalar, &Option<Values>)| {
            let value = real(*value);
            let (low, high) = match given {
                None => return value.abs() <= small,
                Some(Values::Range { low, high }) => (*low as f64, *high as f64),
                Some(Values::Reals { low, high }) => (*low, *high),
                Some(Values::Set(set)) => {
                    let numbers = || set.iter().map(|s| real(*s));
                    (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max))
                }
            };
            let (low, high) = inner_half(low, high);
            low <= value && value <= high
        };
        let answers = input.nondet.iter().all(|answer| real(*answer).abs() <= small);
        let mut objects = true;
        for given in &input.arguments {
            given.walk(&mut |part| {
                objects &= match part {
                    Given::Scalar(ValueType::Int(kind), _) if kind.bytes() == 1 => true,
                    Given::Scalar(_, value) => real(*value).abs() <= small,
                    Given::Text { bytes, .. } | Given::File(bytes) => bytes.len() <= NEAR_LENGTH,
                    Given::Array(_, parts) => parts.len() <= NEAR_LENGTH,
                    _ => true,
                };
            });
        }
        objects && answers && input.params.iter().zip(&self.given).all(inner)
    }

    /// Values of one class for all parameters, or now and then of a class for each.
    fn values(&mut self, class: usize) -> Vec<Scalar> {
        let mixed = self.rng.u32(..100) < 25;
        let mut values: Vec<Scalar> = Vec::with_capacity(self.parameters.len());
        for index in 0..self.parameters.len() {
            let class = if mixed { self.rng.usize(..=class) } else { class };
            let related = index > 0 && self.rng.u32(..100) < 12;
            let value = if related { self.relative(&values, class) } else { self.value(index, class) };
            let value = self.fit(index, value);
            values.push(value);
        }
        values
    }

    /// A value that has to do with one chosen before: equal, a multiple, a neighbour.
    fn relative(&mut self, before: &[Scalar], class: usize) -> Scalar {
        let other = before[self.rng.usize(..before.len())];
        let Scalar::Int(other) = other else { return other };
        let bound = CLASSES[class].0;
        Scalar::Int(match self.rng.u32(..6) {
            0 | 1 => other,
            2 => other.saturating_mul(self.rng.i128(2..=4)).clamp(-bound.max(300), bound.max(300)),
            3 => other.saturating_add(1),
            4 => other.saturating_sub(1),
            _ => other.saturating_neg(),
        })
    }

    fn value(&mut self, index: usize, class: usize) -> Scalar {
        let (bound, far) = (CLASSES[class].0, class > LAST_NEAR);
        match self.given[index].clone() {
            Some(Values::Set(set)) => return set[self.rng.usize(..set.len())],
            Some(Values::Range { low, high }) => {
                let (near_low, near_high) = inner_half(low as f64, high as f64);
                let (from, to) = if far { (low, high) } else { (near_low.ceil() as i128, near_high.floor() as i128) };
                let (from, to) = if from <= to { (from, to) } else { (low, high) };
                return Scalar::Int(match self.rng.u32(..10) {
                    0 => [from, to][self.rng.usize(..2)],
                    1 => [from.saturating_add(1), to.saturating_sub(1)][self.rng.usize(..2)].clamp(low, high),
                    _ => self.rng.i128(from..=to),
                });
            }
            Some(Values::Reals { low, high }) => {
                let (from, to) = if far { (low, high) } else { inner_half(low, high) };
                let step = f64::from(1u32 << self.rng.u32(..5));
                let value = ((from + (to - from) * self.rng.f64()) * step).floor() / step;
                return Scalar::Float(value.clamp(low, high));
            }
            None => {}
        }
        match self.parameters[index].ty {
            ValueType::Int(IntKind::Bool) => Scalar::Int(self.rng.i128(0..=1)),
            ValueType::Int(kind) => {
                if far && self.rng.u32(..100) < 2 {
                    let limits = [kind.min(), kind.max(), kind.max() - 1];
                    return Scalar::Int(limits[self.rng.usize(..3)]);
                }
                Scalar::Int(self.number(index, bound, kind.is_signed()))
            }
            ValueType::Float(_) => {
                let whole = self.number(index, bound, true) as f64;
                let part = f64::from(self.rng.u32(..8)) / 8.0;
                Scalar::Float(if self.rng.bool() { whole } else { whole + part })
            }
        }
    }

    /// A number of at most this magnitude.
    fn number(&mut self, index: usize, bound: i128, signed: bool) -> i128 {
        let (tried, passed) = self.negatives.get(index).copied().unwrap_or((0, 0));
        let hopeless = tried >= 20 && passed * 20 < tried;
        let negative = signed && self.rng.u32(..100) < if hopeless { 3 } else { 40 };
        let magnitude = match self.rng.u32(..100) {
            0..=54 => self.rng.i128(0..=bound),
            55..=79 => {
                let bits = self.rng.u32(0..=bound.ilog2());
                self.rng.i128(0..=bound.min((2 << bits) - 1))
            }
            80..=89 => [0, 1, bound][self.rng.usize(..3)],
            _ => {
                if self.constants.is_empty() {
                    return self.rng.i128(0..=bound);
                }
                let constant = self.constants[self.rng.usize(..self.constants.len())] + self.rng.i128(-1..=1);
                return if signed { constant } else { constant.abs() };
            }
        };
        if negative { -magnitude } else { magnitude }
    }

    fn answers(&mut self, class: usize) -> Vec<Scalar> {
        if !self.asks {
            return Vec::new();
        }
        let truths = self.rng.u32(..100) < 35;
        if !self.questions.is_empty() {
            let ranges = self.questions.clone();
            let one = |range: Option<(i128, i128)>| match range {
                Some((low, high)) => self.rng.i128(low..=high),
                None if truths => self.rng.i128(0..=1),
                None => self.number(usize::MAX, CLASSES[class].0, true),
            };
            return ranges.into_iter().map(one).map(Scalar::Int).collect();
        }
        let count = self.rng.usize(1..=ANSWERS);
        let answer = |this: &mut Generator| {
            let value = if truths { this.rng.i128(0..=1) } else { this.number(usize::MAX, CLASSES[class].0, true) };
            Scalar::Int(value)
        };
        (0..count).map(|_| answer(self)).collect()
    }

    /// An input that showed something, with some values of its objects changed.
    fn changed_objects(&mut self, class: usize) -> Input {
        let mut input = self.corpus[self.rng.usize(..self.corpus.len())].clone();
        let Some(objects) = &self.objects else { return input };
        for _ in 0..self.rng.u32(1..=3) {
            objects.mutate(&mut self.rng, class, &mut input.arguments);
        }
        let numbers = input.arguments.iter().filter_map(|given| match given {
            Given::Scalar(_, value) => Some(*value),
            _ => None,
        });
        let numbers: Vec<Scalar> = numbers.collect();
        for (index, value) in numbers.into_iter().enumerate() {
            input.params[index] = self.fit(index, value);
        }
        let mut fitted = input.params.iter();
        for given in &mut input.arguments {
            if let Given::Scalar(_, value) = given {
                *value = *fitted.next().expect("each number of the arguments should be a parameter");
            }
        }
        if self.asks && self.rng.bool() {
            input.nondet = self.answers(class);
        }
        input
    }

    /// An input that showed something, changed a little.
    fn mutant(&mut self, class: usize) -> Input {
        let mut input = self.corpus[self.rng.usize(..self.corpus.len())].clone();
        let other = self.rng.usize(..self.corpus.len());
        let count = input.params.len();
        if count > 0 && (input.nondet.is_empty() || self.rng.bool()) {
            let index = self.rng.usize(..count);
            let nudge = self.rng.i128(-2..=2);
            let value = match (input.params[index], self.rng.u32(..6)) {
                (Scalar::Int(v), 0 | 1) => Scalar::Int(v.saturating_add(nudge)),
                (Scalar::Int(v), 2) => Scalar::Int(v.saturating_mul(2)),
                (Scalar::Float(v), 0..=2) => Scalar::Float(v + nudge as f64 / 2.0),
                (_, 3) => self.corpus[other].params[index],
                (v, 4) => {
                    let swapped = self.rng.usize(..count);
                    let theirs = std::mem::replace(&mut input.params[swapped], v);
                    input.params[swapped] = self.fit(swapped, v);
                    theirs
                }
                _ => self.value(index, class),
            };
            input.params[index] = self.fit(index, value);
        } else if !input.nondet.is_empty() {
            let at = self.rng.usize(..input.nondet.len());
            match self.rng.u32(..4) {
                0 => input.nondet[at] = Scalar::Int(self.number(usize::MAX, CLASSES[class].0, true)),
                1 if input.nondet.len() < ANSWERS => {
                    let again = input.nondet[at];
                    input.nondet.insert(at, again);
                }
                2 if input.nondet.len() > 1 => drop(input.nondet.remove(at)),
                _ => {
                    let theirs = &self.corpus[other].nondet;
                    input.nondet.truncate(at);
                    input.nondet.extend(theirs.iter().skip(at));
                }
            }
        }
        input
    }

    /// A value as the parameter's type and the user's choice allow.
    fn fit(&self, index: usize, value: Scalar) -> Scalar {
        let value = match (&self.given[index], value) {
            (Some(Values::Range { low, high }), Scalar::Int(v)) => Scalar::Int(v.clamp(*low, *high)),
            (Some(Values::Reals { low, high }), v) => Scalar::Float(real(v).clamp(*low, *high)),
            (Some(Values::Set(set)), v) if !set.contains(&v) => set[0],
            (_, v) => v,
        };
        match (self.parameters[index].ty, value) {
            (ValueType::Int(kind), Scalar::Int(v)) if kind.contains(v) => Scalar::Int(v),
            (ValueType::Int(kind), Scalar::Int(v)) => Scalar::Int(kind.wrap(v)),
            (ValueType::Int(kind), Scalar::Float(v)) => Scalar::Int(kind.wrap(v as i128)),
            (ValueType::Float(_), v) => Scalar::Float(real(v)),
        }
    }

    /// Changes parameters until the assumptions hold; tells whether they do.
    fn satisfy(&mut self, params: &mut [Scalar], class: usize) -> bool {
        if self.assumptions.is_empty() {
            return true;
        }
        let Some(mut values) = params.iter().map(whole).collect::<Option<Vec<i128>>>() else { return true };
        let holding = |values: &[i128], of: &[Condition]| of.iter().filter(|c| c.holds(values)).count();
        let mut best = holding(&values, &self.assumptions);
        let all = self.assumptions.len();
        for _ in 0..3 {
            if best == all {
                break;
            }
            let mut order: Vec<usize> = (0..values.len()).collect();
            self.rng.shuffle(&mut order);
            for index in order {
                if best == all {
                    break;
                }
                let mut ties = 0;
                for value in self.alternatives(index, class) {
                    let old = std::mem::replace(&mut values[index], value);
                    let count = holding(&values, &self.assumptions);
                    // Of equally good values each is as likely as any other.
                    let better = count > best || (count == best && ties > 0 && self.rng.u32(..ties + 1) == 0);
                    ties = if count > best { 1 } else { ties + u32::from(count == best && ties > 0) };
                    if better {
                        best = count;
                    } else {
                        values[index] = old;
                    }
                }
            }
        }
        for (param, value) in params.iter_mut().zip(values) {
            *param = Scalar::Int(value);
        }
        best == all
    }

    /// Values to choose from when a parameter is repaired.
    fn alternatives(&mut self, index: usize, class: usize) -> Vec<i128> {
        let ValueType::Int(kind) = self.parameters[index].ty else { return Vec::new() };
        let (low, high) = match &self.given[index] {
            Some(Values::Range { low, high }) => (*low, *high),
            Some(Values::Set(set)) => return set.iter().filter_map(whole).collect(),
            Some(Values::Reals { .. }) => return Vec::new(),
            None => {
                let bound = CLASSES[class].0.max(CLASSES[1].0);
                (kind.min().max(-bound), if kind == IntKind::UInt128 { bound } else { kind.max().min(bound) })
            }
        };
        if high - low <= 640 {
            return (low..=high).collect();
        }
        (0..400).map(|_| self.rng.i128(low..=high)).collect()
    }
}

/// The half of a range that near inputs come from.
fn inner_half(low: f64, high: f64) -> (f64, f64) {
    let half = (high - low) / 2.0;
    if (-1.0..=1.0).contains(&low) {
        (low, low + half)
    } else if (-1.0..=1.0).contains(&high) {
        (high - half, high)
    } else {
        (low + half / 2.0, high - half / 2.0)
    }
}

fn key(input: &Input) -> Vec<u64> {
    let bits = |value: &Scalar| match value {
        Scalar::Int(value) => *value as u64 ^ ((*value >> 64) as u64).rotate_left(7),
        Scalar::Float(value) => value.to_bits(),
    };
    let mut key: Vec<u64> = input.params.iter().chain(&input.nondet).map(bits).collect();
    if !input.arguments.is_empty() {
        let mut hasher = DefaultHasher::new();
        format!("{:?} {:?}", input.arguments, input.globals).hash(&mut hasher);
        key.push(hasher.finish());
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn generator(text: &str, ranges: &[&str]) -> Result<Generator, Refusal> {
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let ranges: Vec<_> = ranges.iter().map(|range| Values::parse(range).unwrap()).collect();
        Generator::new(&program, program.find_function("f").unwrap(), &ranges, 7)
    }

    fn numbers(candidate: &Candidate) -> Vec<i128> {
        candidate.input.params.iter().map(|value| whole(value).unwrap()).collect()
    }

    #[test]
    fn the_users_values_are_the_only_ones() {
        let text = "int f(int x, unsigned char c, _Bool b) { return x + c + b; }";
        let mut made = generator(text, &["x=10..20", "c=3,5"]).unwrap();
        let batch = made.batch(40);
        assert!(batch.len() > 20);
        for candidate in &batch {
            let values = numbers(candidate);
            assert!((10..=20).contains(&values[0]) && [3, 5].contains(&values[1]) && values[2] <= 1, "{values:?}");
            assert!(!candidate.near || (12..=18).contains(&values[0]), "{values:?}");
        }
        // There are 44 inputs, and no two candidates are the same.
        assert!(made.batch(1000).len() + batch.len() <= 44);
        let refused = generator(text, &["z=1..2"]).err();
        assert!(matches!(refused, Some(Refusal::Request(why)) if why.contains("no parameter `z`")));
    }

    #[test]
    fn assumptions_that_chance_hardly_meets_are_met() {
        let text = "void vassume(int); int f(int x, int y, int n) {\
            vassume(x == y * y && y > 1); vassume(n % 7 == 3); vassume(x < n); return 0; }";
        let mut made = generator(text, &[]).unwrap();
        let batch = made.batch(50);
        assert!(batch.len() > 30, "{} of 50", batch.len());
        let mut seen = BTreeSet::new();
        for candidate in &batch {
            let [x, y, n] = numbers(candidate)[..] else { panic!("three values should be made") };
            assert!(x == y * y && y > 1 && n % 7 == 3 && x < n, "{x} {y} {n}");
            seen.insert(y);
        }
        assert!(seen.len() > 5, "{seen:?}");
    }

    #[test]
    fn every_type_of_parameter_is_given_something() {
        let text = "struct list { int value; struct list *next; char name[8]; unsigned flag : 3; };\
            struct opaque;\
            int f(struct list *l, const char *s, unsigned char *p, unsigned long n, struct opaque *o, int (*g)(int),\
                  void *v, struct list by_value, char **words, _Bool b) {\
                int sum = 0; for (unsigned long i = 0; i < n; i++) sum += p[i]; return sum + *(int *)v; }";
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let program = super::super::with_stubs(&program).unwrap();
        let mut made = Generator::new(&program, program.find_function("f").unwrap(), &[], 7).unwrap();
        assert_eq!(made.recognised_lengths(), [("p".to_string(), "n".to_string())]);
        let batch = made.batch(200);
        assert!(batch.len() > 150);
        let count = |index: usize, test: &dyn Fn(&Given) -> bool| {
            batch.iter().filter(|candidate| test(&candidate.input.arguments[index])).count()
        };
        assert!(count(0, &|l| matches!(l, Given::Object { size: 32, .. })) > 100);
        assert!((1..60).contains(&count(0, &|l| *l == Given::Null)));
        assert!(count(1, &|s| matches!(s, Given::Text { .. })) > 100);
        assert_eq!(count(4, &|o| *o == Given::Null), batch.len());
        assert!(count(5, &|g| matches!(g, Given::Function(name) if name.starts_with("plumb_stub_"))) > 100);
        assert!(count(6, &|v| v.extent() == Some(4)) > 100);
        assert_eq!(count(7, &|r| matches!(r, Given::Record(parts) if parts.len() == 4)), batch.len());
        assert!(count(8, &|w| matches!(w, Given::Object { .. })) > 100);
        let long_enough = batch.iter().filter(|candidate| {
            let Given::Scalar(_, Scalar::Int(n)) = candidate.input.arguments[3] else { return false };
            candidate.input.arguments[2].extent().is_some_and(|extent| i128::from(extent) >= n)
        });
        assert!(long_enough.count() > 140);
    }
}
