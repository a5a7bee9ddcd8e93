//! Inputs that make a program show what it can do.
//!
//! *Question*: which values of the parameters (and answers to `nondet`) are worth a run?
//!
//! Values come from classes of magnitude, because relations show on small numbers and false bounds break on large ones:
//! tiny, small and medium inputs are *near*, large ones *far* ([`Evidence`](super::Evidence)). Inside a class they are
//! uniform or log-uniform, boundary values, constants of the program text and their neighbours, or related to another
//! parameter. Inputs that showed something new are changed a little and tried again.
//!
//! *Assumptions* at the start of the entry that speak of parameters only are looked at before a run. An input that fails
//! them is repaired, one parameter at a time: the value under which most of them hold is taken from all values of the
//! class. So `s * s <= n && n < (s + 1) * (s + 1)` is met by nearly every input although chance alone meets it rarely.
//! Classes and signs that assumptions exclude are tried less and less.
//!
//! *Guarantee*: the same seed and the same answers of [`Generator::learn`] give the same inputs. A parameter for which
//! the user gave values gets no other.

use super::guards::{self, Fact};
use exec::ValueType;
use exec::{Input, Scalar, parse_integer};
use fastrand::Rng;
use ir::{
    BinaryOp, Block, Callee, ExprKind, Function, FunctionId, IntKind, Intrinsic, LocalId, LogicalOp, Program, StmtKind,
    UnaryOp,
};
use logic::{Operator, Predicate, Relation, Term};
use std::collections::{BTreeSet, HashSet};

/// The values that the user allows a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Both ends included.
    Range {
        low: i128,
        high: i128,
    },
    /// Both ends included; only quotients by powers of two are tried.
    Reals {
        low: f64,
        high: f64,
    },
    Set(Vec<Scalar>),
}

impl Values {
    /// Reads `x=0..300` or `x=1,2,5`.
    pub fn parse(text: &str) -> Result<(String, Values), String> {
        let wanted = "write it as `x=0..300` or `x=1,2,5`";
        let (name, values) = text.split_once('=').ok_or_else(|| format!("`{text}` has no `=`: {wanted}"))?;
        let (name, values) = (name.trim(), values.trim());
        if name.is_empty() || values.is_empty() {
            return Err(format!("`{text}` lacks a name or values: {wanted}"));
        }
        let Some((low, high)) = values.split_once("..") else {
            let set: Result<Vec<Scalar>, String> = values.split(',').map(|value| scalar(value.trim())).collect();
            return Ok((name.to_string(), Values::Set(set?)));
        };
        let values = match (scalar(low.trim())?, scalar(high.trim_start_matches('=').trim())?) {
            (Scalar::Int(low), Scalar::Int(high)) if low <= high => Values::Range { low, high },
            (Scalar::Int(_), Scalar::Int(_)) => return Err(format!("the range `{values}` of `{name}` is empty")),
            (low, high) => {
                let (low, high) = (real(low), real(high));
                if low > high || !low.is_finite() || !high.is_finite() {
                    return Err(format!("the range `{values}` of `{name}` is empty"));
                }
                Values::Reals { low, high }
            }
        };
        Ok((name.to_string(), values))
    }
}

fn real(value: Scalar) -> f64 {
    match value {
        Scalar::Int(value) => value as f64,
        Scalar::Float(value) => value,
    }
}

fn scalar(text: &str) -> Result<Scalar, String> {
    if let Some(value) = parse_integer(text) {
        return Ok(Scalar::Int(value));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Scalar::Float(value)),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// A parameter of the entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: ValueType,
}

/// The parameters of an entry; an error names the one that is no number. `main` has none: its arguments are texts.
pub fn parameters(program: &Program, entry: FunctionId) -> Result<Vec<Parameter>, String> {
    let function = &program.functions[entry];
    if function.name == "main" {
        return Ok(Vec::new());
    }
    let parameter = |&param: &LocalId| {
        let local = &function.locals[param];
        let ty = ValueType::of(&program.types, local.ty).ok_or_else(|| {
            format!("The parameter `{}` of `{}` is no number, so no inputs can be made.", local.name, function.name)
        })?;
        Ok(Parameter { name: local.name.clone(), ty })
    };
    function.params.iter().map(parameter).collect()
}

/// Reads inputs, one a line: values separated by spaces, commas or semicolons; `#` starts a comment. Values beyond the
/// parameters are answers to `nondet`.
pub fn parse_inputs(text: &str, parameters: &[Parameter]) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty());
        let values: Result<Vec<Scalar>, String> = words.map(scalar).collect();
        let mut values = values.map_err(|why| format!("line {}: {why}", index + 1))?;
        if values.is_empty() && !line.contains([',', ';']) {
            continue;
        }
        if values.len() < parameters.len() {
            let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
            let given = values.len();
            return Err(format!("line {}: {given} values for {} ({})", index + 1, parameters.len(), names.join(", ")));
        }
        let nondet = values.split_off(parameters.len());
        inputs.push(Input { params: values, nondet, ..Input::default() });
    }
    Ok(inputs)
}

/// An input to be run.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub input: Input,
    /// Whether all its values are small.
    pub near: bool,
    class: usize,
}

/// What a run of a candidate showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Showed {
    /// An assumption excluded it.
    Excluded,
    /// A branch outcome or a relation's end that no run before showed.
    News,
    Nothing,
    /// It ran out of budget, and showed nothing new.
    Expensive,
}

/// The largest magnitude of each class, and how often it is taken at first.
const CLASSES: [(i128, u32); 5] = [(3, 15), (20, 25), (100, 25), (300, 27), (10_000, 8)];
/// Classes up to this one are near.
const LAST_NEAR: usize = 2;
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
    /// A generator for the entry of a program. An error is a whole sentence for the user.
    pub fn new(
        program: &Program,
        entry: FunctionId,
        ranges: &[(String, Values)],
        seed: u64,
    ) -> Result<Generator, String> {
        let function = &program.functions[entry];
        let parameters = parameters(program, entry)?;
        let mut given = vec![None; parameters.len()];
        for (name, values) in ranges {
            let place = parameters.iter().position(|p| p.name == *name).ok_or_else(|| {
                let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
                format!("`{}` has no parameter `{name}`; it has: {}.", function.name, names.join(", "))
            })?;
            given[place] = Some(values.clone());
        }
        let mut assumptions = Vec::new();
        if let Some(body) = &function.body
            && function.name != "main"
        {
            prefix(program, function, body, &mut assumptions);
        }
        Ok(Generator {
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
        Input { params, nondet: self.answers(class), ..Input::default() }
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
        for (index, value) in candidate.input.params.iter().enumerate() {
            if real(*value) < 0.0 {
                self.negatives[index].0 += 1;
                self.negatives[index].1 += u32::from(showed != Showed::Excluded);
            }
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
        let mut input = if !self.corpus.is_empty() && self.rng.u32(..100) < 25 {
            self.mutant(class)
        } else {
            Input { params: self.values(class), nondet: self.answers(class), ..Input::default() }
        };
        if !self.satisfy(&mut input.params, class) {
            self.excluded += 1;
            return None;
        }
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
        answers && input.params.iter().zip(&self.given).all(inner)
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

fn whole(value: &Scalar) -> Option<i128> {
    match value {
        Scalar::Int(value) => Some(*value),
        Scalar::Float(_) => None,
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
    input.params.iter().chain(&input.nondet).map(bits).collect()
}

/// Whether the program asks for values while it runs.
pub fn asks(program: &Program) -> bool {
    let mut asks = false;
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            asks |= matches!(&stmt.kind, StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::Nondet), .. });
        });
    }
    asks
}

/// The numbers that the program compares something with, and the values its switches tell apart.
fn constants(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut note = |value: i128| {
        if value.abs() <= 1 << 31 {
            found.insert(value);
        }
    };
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Switch { arms, .. } = &stmt.kind {
                arms.iter().take(64).for_each(|arm| note(arm.low));
            }
            for expr in stmt.exprs() {
                expr.walk(&mut |e| {
                    if let ExprKind::Binary(op, a, b) = &e.kind
                        && (op.is_comparison() || *op == BinaryOp::Rem)
                    {
                        for side in [a, b] {
                            side.walk(&mut |part| {
                                if let ExprKind::Int(value) = part.kind {
                                    note(value);
                                }
                            });
                        }
                    }
                });
            }
        });
    }
    found.into_iter().take(200).collect()
}

/// The assumptions on parameters that every run meets first. Answers whether the statements after the block are
/// reached in the same way.
fn prefix(program: &Program, function: &Function, block: &Block, out: &mut Vec<Condition>) -> bool {
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Live(_) | StmtKind::Trace(_) => {}
            StmtKind::Assign { target, .. } if target.as_local().is_some_and(|l| !function.params.contains(&l)) => {}
            StmtKind::Block(inner) => {
                if !prefix(program, function, inner, out) {
                    return false;
                }
            }
            StmtKind::Assume(condition) => {
                let mut parts = Vec::new();
                conjuncts(condition, true, &mut parts);
                for part in parts {
                    let name = |local: LocalId| {
                        let index = function.params.iter().position(|param| *param == local)?;
                        Some(index.to_string())
                    };
                    let predicate = guards::fact(&program.types, &part, &name);
                    out.extend(predicate.and_then(|predicate| Condition::new(&predicate)));
                }
            }
            _ => return false,
        }
    }
    true
}

fn conjuncts<'p>(condition: &'p ir::Expr, truth: bool, out: &mut Vec<Fact<'p>>) {
    match (&condition.kind, truth) {
        (ExprKind::Logical(LogicalOp::And, a, b), true) | (ExprKind::Logical(LogicalOp::Or, a, b), false) => {
            conjuncts(a, truth, out);
            conjuncts(b, truth, out);
        }
        (ExprKind::Unary(UnaryOp::Not, a), _) => conjuncts(a, !truth, out),
        _ => out.push(Fact { condition, truth }),
    }
}

/// A predicate over parameters by their index, made for being evaluated thousands of times.
enum Condition {
    Compare(Relation, Value, Value),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

enum Value {
    Const(i128),
    Param(usize),
    Neg(Box<Value>),
    Sum(Vec<Value>),
    Product(Vec<Value>),
    Quotient(Box<Value>, Box<Value>),
    Remainder(Box<Value>, Box<Value>),
}

impl Condition {
    /// The predicate's variables are indices of parameters.
    fn new(predicate: &Predicate) -> Option<Condition> {
        let all = |parts: &[Predicate]| parts.iter().map(Condition::new).collect::<Option<Vec<_>>>();
        Some(match predicate {
            Predicate::Compare(relation, a, b) => Condition::Compare(*relation, Value::new(a)?, Value::new(b)?),
            Predicate::Not(part) => Condition::Not(Box::new(Condition::new(part)?)),
            Predicate::And(parts) => Condition::And(all(parts)?),
            Predicate::Or(parts) => Condition::Or(all(parts)?),
            _ => return None,
        })
    }

    /// Whether it holds; where a value is undefined or too large it does not.
    fn holds(&self, params: &[i128]) -> bool {
        match self {
            Condition::Compare(relation, a, b) => match (a.of(params), b.of(params)) {
                (Some(a), Some(b)) => relation.holds(a.cmp(&b)),
                _ => false,
            },
            Condition::Not(part) => !part.holds(params),
            Condition::And(parts) => parts.iter().all(|part| part.holds(params)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(params)),
        }
    }
}

impl Value {
    fn new(term: &Term) -> Option<Value> {
        let all = |parts: &[Term]| parts.iter().map(Value::new).collect::<Option<Vec<_>>>();
        Some(match term {
            Term::Const(value) if value.is_int() => Value::Const(i128::try_from(value.numerator()).ok()?),
            Term::Var(index) => Value::Param(index.parse().ok()?),
            Term::Neg(part) => Value::Neg(Box::new(Value::new(part)?)),
            Term::Sum(parts) => Value::Sum(all(parts)?),
            Term::Product(parts) => Value::Product(all(parts)?),
            Term::Binary(operator, a, b) => {
                let (a, b) = (Box::new(Value::new(a)?), Box::new(Value::new(b)?));
                match operator {
                    Operator::Quotient => Value::Quotient(a, b),
                    Operator::Remainder => Value::Remainder(a, b),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn of(&self, params: &[i128]) -> Option<i128> {
        match self {
            Value::Const(value) => Some(*value),
            Value::Param(index) => params.get(*index).copied(),
            Value::Neg(part) => part.of(params)?.checked_neg(),
            Value::Sum(parts) => parts.iter().try_fold(0i128, |sum, part| sum.checked_add(part.of(params)?)),
            Value::Product(parts) => {
                parts.iter().try_fold(1i128, |product, part| product.checked_mul(part.of(params)?))
            }
            Value::Quotient(a, b) => a.of(params)?.checked_div(b.of(params)?),
            Value::Remainder(a, b) => a.of(params)?.checked_rem(b.of(params)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(text: &str, ranges: &[&str]) -> Result<Generator, String> {
        let program = cfront::load_text(&[("test.c", text)]).unwrap().program;
        let ranges: Vec<_> = ranges.iter().map(|range| Values::parse(range).unwrap()).collect();
        Generator::new(&program, program.find_function("f").unwrap(), &ranges, 7)
    }

    fn numbers(candidate: &Candidate) -> Vec<i128> {
        candidate.input.params.iter().map(|value| whole(value).unwrap()).collect()
    }

    #[test]
    fn ranges_sets_and_mistakes() {
        let parse = |text: &str| Values::parse(text).map(|(_, values)| values);
        assert_eq!(parse("x = -3..300"), Ok(Values::Range { low: -3, high: 300 }));
        assert_eq!(parse("x=0.5..2"), Ok(Values::Reals { low: 0.5, high: 2.0 }));
        assert_eq!(parse("x=1,2,0x10"), Ok(Values::Set([1, 2, 16].map(Scalar::Int).to_vec())));
        for wrong in ["x", "=3", "x=", "x=5..2", "x=a..b", "x=1,,2", "x=nan"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_of_inputs() {
        let parameters = [("x", IntKind::Int), ("y", IntKind::Int)]
            .map(|(name, kind)| Parameter { name: name.to_string(), ty: ValueType::Int(kind) });
        let read = parse_inputs("# two runs\n1, 2\n\n-3;4;9 # and an answer\n", &parameters).unwrap();
        assert_eq!((read.len(), read[1].params.len(), read[1].nondet.len()), (2, 2, 1));
        let short = parse_inputs("1 2\n3\n", &parameters).unwrap_err();
        assert_eq!(short, "line 2: 1 values for 2 (x, y)");
        assert_eq!(parse_inputs("1 two\n", &parameters).unwrap_err(), "line 1: `two` is not a number");
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
        assert!(generator(text, &["z=1..2"]).is_err_and(|why| why.contains("no parameter `z`")));
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
    fn entries_that_take_no_numbers_are_named() {
        assert!(generator("int f(int *p) { return *p; }", &[]).is_err_and(|why| why.contains("`p`")));
    }
}
