//! Evaluation of formulas, and the running of inverses and normalisation programs on values.
//!
//! The inner loops of a typical program copy a row. Where loops hold nothing but one assignment of an element to an
//! element and all indices are linear in the counters, the block is copied at once.

use super::formula::{Formula, ParamId, Reference, VarId};
use super::invert::{Inverse, Undo};
use super::language::{Counter, Normalisation, Role, Statement};
use super::values::{Array, Value, Values, arbitrary, fits};
use std::collections::BTreeMap;

/// Why a run did not come to its end: a clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Stuck(pub String);

type Done<T> = Result<T, Stuck>;

fn stuck<T>(why: impl Into<String>) -> Done<T> {
    Err(Stuck(why.into()))
}

/// What formulas are evaluated over.
pub struct Frame<'a> {
    pub normalisation: &'a Normalisation,
    pub values: Values,
    vars: Vec<i128>,
}

impl<'a> Frame<'a> {
    pub fn new(normalisation: &'a Normalisation, values: Values) -> Frame<'a> {
        Frame { normalisation, values, vars: vec![0; normalisation.vars.len()] }
    }

    pub fn evaluate(&mut self, formula: &Formula) -> Done<i128> {
        let overflow = || Stuck("a number became too large".into());
        Ok(match formula {
            Formula::Int(n) => *n,
            Formula::Var(var) => self.vars[var.0 as usize],
            Formula::Ref(reference) => {
                if reference.indices.is_empty() {
                    return match self.values.scalar(reference.param) {
                        Some(value) => Ok(i128::from(value)),
                        None => stuck(format!("`{}` has no value yet", self.name(reference))),
                    };
                }
                let offset = self.offset(reference)?;
                match self.values.array(reference.param) {
                    Some(array) => i128::from(array.elements[offset]),
                    None => return stuck(format!("`{}` has no value yet", self.name(reference))),
                }
            }
            Formula::Length(id, dimension) => match self.values.array(*id) {
                Some(array) => array.dims[*dimension as usize] as i128,
                None => return stuck("the canonical value is not known"),
            },
            Formula::Add(a, b) => self.evaluate(a)?.checked_add(self.evaluate(b)?).ok_or_else(overflow)?,
            Formula::Sub(a, b) => self.evaluate(a)?.checked_sub(self.evaluate(b)?).ok_or_else(overflow)?,
            Formula::Mul(a, b) => self.evaluate(a)?.checked_mul(self.evaluate(b)?).ok_or_else(overflow)?,
            Formula::Div(a, b) => self.evaluate(a)?.checked_div(self.evaluate(b)?).ok_or_else(overflow)?,
            Formula::Rem(a, b) => self.evaluate(a)?.checked_rem(self.evaluate(b)?).ok_or_else(overflow)?,
            Formula::Compare(cmp, a, b) => cmp.holds(self.evaluate(a)?, self.evaluate(b)?) as i128,
            Formula::And(parts) => {
                for part in parts {
                    if self.evaluate(part)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Formula::Or(parts) => {
                for part in parts {
                    if self.evaluate(part)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Formula::Not(inner) => (self.evaluate(inner)? == 0) as i128,
            Formula::If(c, a, b) => {
                let chosen = if self.evaluate(c)? != 0 { a } else { b };
                self.evaluate(chosen)?
            }
            Formula::Sum { var, count, body } => {
                let count = self.evaluate(count)?;
                let mut sum = 0i128;
                for i in 0..count {
                    self.vars[var.0 as usize] = i;
                    sum = sum.checked_add(self.evaluate(body)?).ok_or_else(overflow)?;
                }
                sum
            }
            Formula::Forall { var, from, to, body } => {
                for i in self.evaluate(from)?..self.evaluate(to)? {
                    self.vars[var.0 as usize] = i;
                    if self.evaluate(body)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
        })
    }

    fn name(&self, reference: &Reference) -> &'a str {
        &self.normalisation.param(reference.param).name
    }

    fn offset(&mut self, reference: &Reference) -> Done<usize> {
        let mut indices = Vec::with_capacity(reference.indices.len());
        for index in &reference.indices {
            indices.push(self.evaluate(index)?);
        }
        let found = self.values.array(reference.param).and_then(|array| array.offset(&indices));
        found.map_or_else(|| stuck(format!("an index of `{}` lies outside: {indices:?}", self.name(reference))), Ok)
    }

    /// The lengths of an array, from the scalars.
    pub fn lengths(&mut self, dims: &[Formula]) -> Done<Vec<usize>> {
        let mut lengths = Vec::new();
        for dim in dims {
            let length = self.evaluate(dim)?;
            match usize::try_from(length).ok().filter(|n| *n <= LONGEST) {
                Some(length) => lengths.push(length),
                None => return stuck(format!("an array would have the length {length}")),
            }
        }
        if lengths.iter().try_fold(1usize, |a, b| a.checked_mul(*b)).is_none_or(|n| n > LONGEST) {
            return stuck("an array would be too large");
        }
        Ok(lengths)
    }

    /// The values of the counter.
    fn rounds(&mut self, counter: &Counter) -> Done<impl Iterator<Item = i128> + use<>> {
        let (from, to, step) = (self.evaluate(&counter.from)?, self.evaluate(&counter.to)?, counter.step);
        let distance = if step > 0 { to.saturating_sub(from) } else { from.saturating_sub(to) };
        let size = step.abs();
        let rounds = if distance <= 0 { 0 } else { (distance + size - 1) / size };
        Ok((0..rounds).map(move |round| from + round * step))
    }
}

/// The largest array.
const LONGEST: usize = 1 << 28;

/// A run of an inverse.
pub struct Execution<'a> {
    frame: Frame<'a>,
    /// For each array of the representation, which elements are set.
    set: BTreeMap<u32, Vec<bool>>,
    random: fastrand::Rng,
    seed: u64,
    source: Source<'a>,
    by_chance: bool,
}

/// Arrays longer than this are not put into another order as a whole: hardly any order of so many fits.
const MOST_SHUFFLED: usize = 64;

/// Where the elements come from that may be anything.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    Chance,
    /// From the same place of the sample, where it has one.
    Sample(&'a Values),
    /// From the sample's array in another order: what is stored in another order is made of the same parts.
    Shuffled(&'a Values),
}

/// What an inverse made.
#[derive(Clone, Debug)]
pub struct Preimage {
    pub values: Values,
    /// How many elements of each array were left to chance.
    pub slack: BTreeMap<u32, usize>,
    /// Whether anything at all was left to chance.
    pub by_chance: bool,
}

/// Runs an inverse on a canonical value, with what `ensure` chose.
pub fn execute(
    inverse: &Inverse,
    canonical: &Values,
    chosen: &Chosen,
    seed: u64,
    source: Source<'_>,
) -> Done<Preimage> {
    let normalisation = &inverse.normalisation;
    let mut values = canonical.of_role(normalisation, Role::Output);
    for (&id, &value) in &chosen.scalars {
        values.set(ParamId(id), Value::Scalar(value));
    }
    let mut execution = Execution {
        frame: Frame::new(normalisation, values),
        set: BTreeMap::new(),
        random: fastrand::Rng::with_seed(seed),
        seed,
        source,
        by_chance: false,
    };
    // Scalars first: lengths depend on them.
    execution.scalars(&inverse.body);
    for id in normalisation.ids(Role::Input) {
        let param = normalisation.param(id);
        if param.dims.is_empty() {
            continue;
        }
        // Lengths that are sums over another array need what is chosen of it.
        let mut array = Array::new(execution.frame.lengths(&param.dims)?);
        let mut set = vec![false; array.elements.len()];
        for ((_, indices), &value) in chosen.elements.range((id.0, Vec::new())..(id.0 + 1, Vec::new())) {
            if let Some(offset) = array.offset(indices) {
                array.elements[offset] = value;
                set[offset] = true;
            }
        }
        execution.set.insert(id.0, set);
        execution.frame.values.set(id, Value::Array(array));
    }
    execution.steps(&inverse.body)?;
    let mut slack = BTreeMap::new();
    for (id, set) in std::mem::take(&mut execution.set) {
        let id = ParamId(id);
        let kind = normalisation.param(id).kind;
        let mut open = 0;
        for (offset, set) in set.iter().enumerate() {
            if !set {
                open += 1;
                let value = execution.any(id, offset, kind);
                execution.put(id, offset, value);
            }
        }
        slack.insert(id.0, open);
    }
    let by_chance = execution.by_chance;
    Ok(Preimage { values: execution.frame.values.of_role(normalisation, Role::Input), slack, by_chance })
}

/// What `ensure` chose.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Chosen {
    pub scalars: BTreeMap<u32, i64>,
    pub elements: BTreeMap<(u32, Vec<i128>), i64>,
}

impl<'a> Execution<'a> {
    fn any(&mut self, id: ParamId, offset: usize, kind: ir::IntKind) -> i64 {
        self.by_chance = true;
        let sampled = match self.source {
            Source::Chance => None,
            Source::Sample(sample) => sample.array(id).and_then(|array| array.elements.get(offset).copied()),
            Source::Shuffled(sample) => {
                let array = sample.array(id).filter(|array| array.elements.len() <= MOST_SHUFFLED);
                array.and_then(|array| {
                    // The order is the same for all elements of one run, so that each part is taken once.
                    let mut order: Vec<usize> = (0..array.elements.len()).collect();
                    fastrand::Rng::with_seed(self.seed).shuffle(&mut order);
                    order.get(offset).map(|at| array.elements[*at])
                })
            }
        };
        sampled.unwrap_or_else(|| arbitrary(kind, &mut self.random))
    }

    fn put(&mut self, id: ParamId, offset: usize, value: i64) {
        if let Some(array) = self.frame.values.array_mut(id) {
            array.elements[offset] = value;
        }
    }

    /// Elements that are read before anything was written get any value.
    fn prepare(&mut self, formula: &Formula) -> Done<()> {
        for reference in formula.references() {
            if reference.indices.is_empty() || self.frame.normalisation.param(reference.param).role == Role::Output {
                continue;
            }
            // Inner references come later in the walk, but their elements must have values first.
            for index in &reference.indices {
                self.prepare(index)?;
            }
            let Ok(offset) = self.frame.offset(reference) else { continue };
            let Some(set) = self.set.get(&reference.param.0) else { continue };
            let is_set = set[offset];
            let kind = self.frame.normalisation.param(reference.param).kind;
            if !is_set {
                let value = self.any(reference.param, offset, kind);
                self.put(reference.param, offset, value);
                self.mark(reference, offset);
            }
        }
        Ok(())
    }

    fn mark(&mut self, reference: &Reference, offset: usize) {
        if let Some(set) = self.set.get_mut(&reference.param.0) {
            set[offset] = true;
        }
    }

    fn evaluate(&mut self, formula: &Formula) -> Done<i128> {
        self.prepare(formula)?;
        self.frame.evaluate(formula)
    }

    /// Does what can be done without arrays.
    fn scalars(&mut self, steps: &[Undo]) {
        for step in steps {
            match step {
                Undo::Assign { target, .. } | Undo::Choose { target } if target.indices.is_empty() => {
                    // One that needs an array has to wait, and so has what needs it.
                    let _ = self.step(step);
                }
                Undo::If { cond, then, otherwise } => {
                    if let Ok(value) = self.frame.evaluate(cond) {
                        self.scalars(if value != 0 { then } else { otherwise });
                    }
                }
                _ => {}
            }
        }
    }

    fn steps(&mut self, steps: &[Undo]) -> Done<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Undo) -> Done<()> {
        match step {
            Undo::Assign { target, value } => {
                let value = self.evaluate(value)?;
                self.assign(target, value)
            }
            Undo::Choose { target } => {
                let kind = self.frame.normalisation.param(target.param).kind;
                if target.indices.is_empty() {
                    if self.frame.values.scalar(target.param).is_none() {
                        self.by_chance = true;
                        let sampled = match self.source {
                            Source::Sample(sample) => sample.scalar(target.param),
                            Source::Chance | Source::Shuffled(_) => None,
                        };
                        let value = sampled.unwrap_or_else(|| arbitrary(kind, &mut self.random));
                        self.frame.values.set(target.param, Value::Scalar(value));
                    }
                    return Ok(());
                }
                self.prepare(&Formula::Ref(target.clone()))
            }
            Undo::Assume { cond, .. } => match self.evaluate(cond)? {
                0 => stuck("an assumption does not hold"),
                _ => Ok(()),
            },
            Undo::Set { var, value } => {
                let value = self.evaluate(value)?;
                self.frame.vars[var.0 as usize] = value;
                Ok(())
            }
            Undo::If { cond, then, otherwise } => {
                let chosen = if self.evaluate(cond)? != 0 { then } else { otherwise };
                self.steps(chosen)
            }
            Undo::For { counter, body } => {
                for bound in [&counter.from, &counter.to] {
                    self.prepare(bound)?;
                }
                if let Some((counters, target, source)) = nest(counter, body)
                    && self.copy_block(&counters, target, source)?
                {
                    return Ok(());
                }
                for round in self.frame.rounds(counter)? {
                    self.frame.vars[counter.var.0 as usize] = round;
                    self.steps(body)?;
                }
                Ok(())
            }
        }
    }

    fn assign(&mut self, target: &Reference, value: i128) -> Done<()> {
        let param = self.frame.normalisation.param(target.param);
        if !fits(param.kind, value) {
            return stuck(format!("`{}` would be {value}, which its type cannot hold", param.name));
        }
        let value = value as i64;
        if target.indices.is_empty() {
            self.frame.values.set(target.param, Value::Scalar(value));
            return Ok(());
        }
        for index in &target.indices {
            self.prepare(index)?;
        }
        let offset = self.frame.offset(target)?;
        if self.set[&target.param.0][offset] {
            let before = self.frame.values.array(target.param).map(|a| a.elements[offset]);
            if before != Some(value) {
                return stuck(format!("an element of `{}` is set twice", param.name));
            }
        }
        self.put(target.param, offset, value);
        self.mark(target, offset);
        Ok(())
    }

    /// `for (i = …) for (j = …) x[a*i + b*j + c] = y[d*i + e*j + f]` at once. Says whether it was done.
    fn copy_block(&mut self, counters: &[&Counter], target: &Reference, source: &Reference) -> Done<bool> {
        let normalisation = self.frame.normalisation;
        let (to, from) = (normalisation.param(target.param), normalisation.param(source.param));
        let fitting = to.kind.min() <= from.kind.min() && from.kind.max() <= to.kind.max();
        let ready = from.role == Role::Output && !target.indices.is_empty() && !source.indices.is_empty() && fitting;
        let linear = |r: &Reference| r.indices.iter().all(|i| counters.iter().all(|c| is_linear(i, c.var)));
        if !ready || !linear(target) || !linear(source) {
            return Ok(false);
        }
        let mut ranges = Vec::new();
        for counter in counters {
            for bound in [&counter.from, &counter.to] {
                self.prepare(bound)?;
            }
            let mut rounds = self.frame.rounds(counter)?;
            let Some(first) = rounds.next() else { return Ok(true) };
            self.frame.vars[counter.var.0 as usize] = first;
            ranges.push((first, rounds.count() + 1));
        }
        for index in &target.indices {
            self.prepare(index)?;
        }
        // What is linear is extreme at the corners: if they lie inside, so does all the rest.
        for corner in 1..1usize << counters.len() {
            for (at, (counter, (first, count))) in counters.iter().zip(&ranges).enumerate() {
                let rounds = if corner >> at & 1 == 1 { *count as i128 - 1 } else { 0 };
                self.frame.vars[counter.var.0 as usize] = first + counter.step * rounds;
            }
            self.frame.offset(target)?;
            self.frame.offset(source)?;
        }
        for (counter, (first, _)) in counters.iter().zip(&ranges) {
            self.frame.vars[counter.var.0 as usize] = *first;
        }
        let start = [self.frame.offset(target)? as i64, self.frame.offset(source)? as i64];
        let mut strides = Vec::new();
        for (counter, (first, count)) in counters.iter().zip(&ranges) {
            let mut stride = [0, 0];
            if *count > 1 {
                self.frame.vars[counter.var.0 as usize] = first + counter.step;
                stride = [self.frame.offset(target)? as i64 - start[0], self.frame.offset(source)? as i64 - start[1]];
                self.frame.vars[counter.var.0 as usize] = *first;
                if stride[0] == 0 {
                    return Ok(false);
                }
            }
            strides.push(stride);
        }
        let Some(mut elements) = self.frame.values.take_array(target.param) else { return Ok(false) };
        let mut set = self.set.remove(&target.param.0).unwrap_or_default();
        let mut clash = false;
        if let Some(rows) = self.frame.values.array(source.param) {
            let (last, outer) = (ranges.len() - 1, &ranges[..ranges.len() - 1]);
            let mut rounds = vec![0usize; outer.len()];
            'blocks: loop {
                let mut at = start;
                for (round, stride) in rounds.iter().zip(&strides) {
                    at = [at[0] + *round as i64 * stride[0], at[1] + *round as i64 * stride[1]];
                }
                for _ in 0..ranges[last].1 {
                    let (to, value) = (at[0] as usize, rows.elements[at[1] as usize]);
                    clash |= set[to] && elements.elements[to] != value;
                    elements.elements[to] = value;
                    set[to] = true;
                    at = [at[0] + strides[last][0], at[1] + strides[last][1]];
                }
                for position in (0..outer.len()).rev() {
                    rounds[position] += 1;
                    if rounds[position] < outer[position].1 {
                        continue 'blocks;
                    }
                    rounds[position] = 0;
                }
                break;
            }
        }
        self.frame.values.set(target.param, Value::Array(elements));
        self.set.insert(target.param.0, set);
        match clash {
            true => stuck(format!("an element of `{}` is set twice", to.name)),
            false => Ok(true),
        }
    }
}

/// A loop that does nothing but copy, with the loops directly inside it, if their bounds do not depend on each other.
fn nest<'u>(counter: &'u Counter, body: &'u [Undo]) -> Option<(Vec<&'u Counter>, &'u Reference, &'u Reference)> {
    match body {
        [Undo::Assign { target, value: Formula::Ref(source) }] => Some((vec![counter], target, source)),
        [Undo::For { counter: inner, body }] => {
            let (mut counters, target, source) = nest(inner, body)?;
            let depends = |c: &&Counter| c.from.mentions_var(counter.var) || c.to.mentions_var(counter.var);
            if counters.len() >= 4 || counters.iter().any(depends) {
                return None;
            }
            counters.insert(0, counter);
            Some((counters, target, source))
        }
        _ => None,
    }
}

/// Whether a formula is linear in a variable, with a factor that does not depend on it.
fn is_linear(formula: &Formula, var: VarId) -> bool {
    match formula {
        Formula::Var(_) => true,
        Formula::Add(a, b) | Formula::Sub(a, b) => is_linear(a, var) && is_linear(b, var),
        Formula::Mul(a, b) => {
            (is_linear(a, var) && !b.mentions_var(var)) || (!a.mentions_var(var) && is_linear(b, var))
        }
        other => !other.mentions_var(var),
    }
}

/// Runs a normalisation program and watches that every output is assigned exactly once.
pub fn check_outputs(normalisation: &Normalisation, representation: &Values, canonical: &Values) -> Done<()> {
    let mut frame = Frame::new(normalisation, representation.of_role(normalisation, Role::Input));
    let mut written: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
    for id in normalisation.ids(Role::Output) {
        let length = canonical.array(id).map_or(1, |a| a.elements.len());
        written.insert(id.0, vec![false; length]);
    }
    watch(&mut frame, &normalisation.body, canonical, &mut written)?;
    for (id, written) in &written {
        if let Some(missing) = written.iter().position(|w| !w) {
            let param = &normalisation.params[*id as usize];
            return match param.dims.is_empty() {
                true => stuck(format!("the output `{}` is not assigned", param.name)),
                false => stuck(format!("element {missing} of the output `{}` is not assigned", param.name)),
            };
        }
    }
    Ok(())
}

fn watch(
    frame: &mut Frame<'_>,
    statements: &[Statement],
    canonical: &Values,
    written: &mut BTreeMap<u32, Vec<bool>>,
) -> Done<()> {
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => {
                let mut indices = Vec::new();
                for index in &target.indices {
                    indices.push(frame.evaluate(index)?);
                }
                let name = frame.name(target);
                let offset = match canonical.array(target.param) {
                    Some(array) => array.offset(&indices),
                    None => Some(0),
                };
                let Some(offset) = offset else { return stuck(format!("an index of `{name}` lies outside")) };
                let flag = written.get_mut(&target.param.0).and_then(|w| w.get_mut(offset));
                if flag.is_none_or(|flag| std::mem::replace(flag, true)) {
                    return stuck(format!("the output `{name}{}` is assigned twice", brackets(&indices)));
                }
            }
            Statement::Set { var, value, .. } => {
                let value = frame.evaluate(value)?;
                frame.vars[var.0 as usize] = value;
            }
            Statement::Assume { .. } => {}
            Statement::If { cond, then, otherwise, .. } => {
                let chosen = if frame.evaluate(cond)? != 0 { then } else { otherwise };
                watch(frame, chosen, canonical, written)?;
            }
            Statement::For { counter, body, .. } => {
                for round in frame.rounds(counter)? {
                    frame.vars[counter.var.0 as usize] = round;
                    watch(frame, body, canonical, written)?;
                }
            }
        }
    }
    Ok(())
}

fn brackets(indices: &[i128]) -> String {
    indices.iter().map(|i| format!("[{i}]")).collect()
}
