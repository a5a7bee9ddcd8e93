//! Solving `ensure` with a canonical value at hand, many times and differently each time.
//!
//! The values of the outputs are put in; quantifiers and sums whose bounds are then known are expanded. Where a bound
//! is itself to be chosen, the expansion goes a little further than the sample did, with the bound as a condition on
//! each instance, and the bound is required to lie there ("we instantiate all non-constant quantifier bounds", section
//! 4.2 of the source). What is left is given to the solver once. For each solution the way through the program's
//! branches is prescribed, in turn; random values are then tried for some scalars, one after the other, each kept if
//! the rest can still be solved. Scalars and elements of arrays then walk away from the solver's values: a change is kept
//! if every condition that mentions what changes still holds.
//!
//! Outputs whose place is chosen are told to the solver as functions of their indices, where they are not too many.
//!
//! *May miss*: solutions with bounds far above the sample's.

use super::encode::Encoder;
use super::execute::{Chosen, Frame};
use super::formula::{Formula, ParamId, PolynomialOfFormulas as _, Reference, VarId};
use super::invert::Inverse;
use super::language::Role;
use super::values::{Value, Values};
use smt::{Budget, Model, Options, Outcome, TermId};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Solver's units of work for one question.
const EFFORT: u32 = 5_000_000;
/// How many instances of conditions are made before the data counts as too large to solve for.
const MOST_INSTANCES: usize = 400_000;
/// How many solutions of each way the solver is asked for before walking is enough but for one in so many, and for how many
/// scalars it is asked for a random value each time.
const SOLVED_PER_WAY: usize = 3;
const RARELY: u8 = 24;
const WISHES: usize = 2;
/// How many elements of the canonical value are told to the solver.
const MOST_LOOKED_UP: usize = 2000;
/// How many ways through the branches are told apart.
const MOST_WAYS: usize = 64;

pub struct Ensurer<'i> {
    inverse: &'i Inverse,
    sample: &'i Values,
    canonical: &'i Values,
    encoder: Encoder,
    solver: smt::Solver,
    /// The conditions without quantifiers, and for each element those that mention it.
    ground: Vec<Formula>,
    mentions: BTreeMap<(u32, Vec<i128>), Vec<usize>>,
    /// The same for scalars.
    scalar_mentions: BTreeMap<u32, Vec<usize>>,
    /// Scalars that branches depend on.
    deciding: BTreeSet<ParamId>,
    /// Solutions of the solver for each way, from which others are found by walking.
    bases: Vec<Vec<Chosen>>,
    /// Scalars that can be more than one thing.
    free: Vec<ParamId>,
    fixed: BTreeMap<u32, i64>,
    elements: Vec<Reference>,
    ways: Vec<Vec<bool>>,
    branches: Vec<TermId>,
    next_way: usize,
    seen: HashSet<Vec<i64>>,
    /// The lengths of the arrays, over what is chosen.
    lengths: BTreeMap<u32, Vec<Formula>>,
    random: fastrand::Rng,
    /// What the question was narrowed down to beyond what the program asks: clauses.
    narrowed: Vec<String>,
}

/// Why there are no (more) solutions.
#[derive(Clone, PartialEq, Debug)]
pub enum Exhausted {
    /// All that differ were given, within what the question was narrowed down to.
    NoMore,
    /// A clause.
    Unknown(String),
}

struct Expansion<'a> {
    frame: Frame<'a>,
    sample: Frame<'a>,
    known: BTreeMap<u32, i64>,
    bounds: Vec<Formula>,
    instances: usize,
}

impl<'i> Ensurer<'i> {
    pub fn new(
        inverse: &'i Inverse,
        canonical: &'i Values,
        sample: &'i Values,
        seed: u64,
    ) -> Result<Ensurer<'i>, Exhausted> {
        let normalisation = &inverse.normalisation;
        let outputs = canonical.of_role(normalisation, Role::Output);
        let mut expansion = Expansion {
            frame: Frame::new(normalisation, outputs),
            sample: Frame::new(normalisation, sample.clone()),
            known: BTreeMap::new(),
            bounds: Vec::new(),
            instances: 0,
        };
        let conditions = inverse.ensure.formulas();
        // Equations that leave one scalar open say what it is.
        loop {
            let before = expansion.known.len();
            for condition in &conditions {
                expansion.learn(condition);
            }
            if expansion.known.len() == before {
                break;
            }
        }
        let mut ground = Vec::new();
        for condition in &conditions {
            let expanded = expansion.expand(condition, &BTreeMap::new())?;
            match expanded {
                Formula::And(parts) => ground.extend(parts),
                Formula::Int(1) => {}
                other => ground.push(other),
            }
        }
        // Arrays stay about as large as the sample's.
        let mut narrowed = Vec::new();
        let mut lengths = BTreeMap::new();
        for id in normalisation.ids(Role::Input) {
            let assigned = |dim: &Formula| dim.with_refs(&|r| inverse.values.get(&r.param).cloned());
            let dims = normalisation.param(id).dims.iter().map(assigned);
            let dims = dims.map(|dim| expansion.expand(&dim, &BTreeMap::new())).collect::<Result<Vec<Formula>, _>>()?;
            let size = dims.iter().cloned().fold(Formula::Int(1), Formula::times);
            let now = sample.array(id).map_or(0, |a| a.elements.len()) as i128;
            lengths.insert(id.0, dims);
            if size.references().is_empty() {
                continue;
            }
            let most = (now * 2).max(now + 64);
            narrowed.push(format!("`{}` has at most {most} elements", normalisation.param(id).name));
            ground.push(Formula::le(size, Formula::Int(most)));
        }
        if !expansion.bounds.is_empty() {
            narrowed.push("loops do few more rounds than for the sample".to_string());
        }
        ground.append(&mut expansion.bounds);
        ground.retain(|f| *f != Formula::TRUE);
        // Outputs at places that are chosen too. Where they are many, conditions on them are left to the run.
        let looked_up: BTreeSet<ParamId> = ground.iter().flat_map(|f| f.references()).map(|r| r.param).collect();
        let mut looked_up: Vec<ParamId> =
            looked_up.into_iter().filter(|&id| normalisation.param(id).role == Role::Output).collect();
        if looked_up.iter().filter_map(|&id| canonical.array(id)).map(|a| a.elements.len()).sum::<usize>()
            > MOST_LOOKED_UP
        {
            ground.retain(|f| !f.references().iter().any(|r| looked_up.contains(&r.param)));
            looked_up.clear();
        }
        let mut elements = BTreeSet::new();
        let mut scalars = BTreeSet::new();
        let mut mentions: BTreeMap<(u32, Vec<i128>), Vec<usize>> = BTreeMap::new();
        let mut scalar_mentions: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, formula) in ground.iter().enumerate() {
            let mut inside = BTreeSet::new();
            for reference in formula.references() {
                match constant_indices(reference) {
                    _ if reference.indices.is_empty() => {
                        scalars.insert(reference.param);
                        let list = scalar_mentions.entry(reference.param.0).or_default();
                        if list.last() != Some(&at) {
                            list.push(at);
                        }
                    }
                    Some(indices) if normalisation.param(reference.param).role == Role::Input => {
                        elements.insert(reference.clone());
                        inside.insert((reference.param.0, indices));
                    }
                    _ => {}
                }
            }
            for element in inside {
                mentions.entry(element).or_default().push(at);
            }
        }
        let mut branches = Vec::new();
        for branch in &inverse.branches {
            branches.push(expansion.expand(branch, &BTreeMap::new())?);
        }
        let deciding: BTreeSet<ParamId> = branches.iter().flat_map(|b| b.references()).map(|r| r.param).collect();
        scalars.extend(deciding.iter().filter(|&&id| normalisation.param(id).dims.is_empty()));
        let encoder = Encoder::new(normalisation);
        let options = Options { budget: Budget::resources(EFFORT), label: "ensure".into(), ..Options::default() };
        let mut solver = smt::Solver::with_options(&encoder.pool, options);
        for formula in &ground {
            solver.assert(encoder.truth(formula));
        }
        for (id, array) in looked_up.iter().filter_map(|&id| Some((id, canonical.array(id)?))) {
            for (at, &value) in array.elements.iter().enumerate() {
                let indices = array.indices(at).into_iter().map(|i| Formula::Int(i as i128)).collect();
                let element = encoder.reference(&Reference { param: id, indices });
                solver.assert(encoder.pool.eq(element, encoder.pool.int(value)));
            }
        }
        let ranged = scalars.iter().map(|&id| Reference::scalar(id)).chain(elements.iter().cloned());
        for reference in ranged {
            let kind = normalisation.param(reference.param).kind;
            let term = encoder.reference(&reference);
            let (low, high) = (kind.min().max(i128::from(i64::MIN)), kind.max().min(i128::from(i64::MAX)));
            if (low, high) != (kind.min(), kind.max()) && narrowed.len() < 8 {
                narrowed.push(format!("`{}` is below 2^63", normalisation.param(reference.param).name));
            }
            solver.assert(encoder.pool.ge(term, encoder.pool.int(low)));
            solver.assert(encoder.pool.le(term, encoder.pool.int(high)));
        }
        let branches: Vec<TermId> = branches.iter().map(|b| encoder.truth(b)).collect();
        let mut ensurer = Ensurer {
            inverse,
            sample,
            canonical,
            encoder,
            solver,
            ground,
            mentions,
            scalar_mentions,
            deciding,
            bases: Vec::new(),
            free: Vec::new(),
            fixed: expansion.known,
            elements: elements.into_iter().collect(),
            ways: Vec::new(),
            branches,
            next_way: 0,
            seen: HashSet::new(),
            lengths,
            random: fastrand::Rng::with_seed(seed),
            narrowed,
        };
        ensurer.find_free(&scalars)?;
        ensurer.find_ways();
        Ok(ensurer)
    }

    fn solve(&mut self, wishes: &[TermId]) -> Result<Option<Model>, Exhausted> {
        match self.solver.check_assuming(wishes) {
            Outcome::Sat(model) => Ok(Some(model)),
            Outcome::Unsat { .. } => Ok(None),
            Outcome::Unknown { why } => Err(Exhausted::Unknown(why.to_string())),
        }
    }

    fn find_free(&mut self, scalars: &BTreeSet<ParamId>) -> Result<(), Exhausted> {
        let Some(model) = self.solve(&[])? else {
            return Err(Exhausted::Unknown("no representation meets the conditions of the inverse".into()));
        };
        for &id in scalars {
            let term = self.encoder.reference(&Reference::scalar(id));
            let value = integer(&model, term);
            let other = self.encoder.pool.ne(term, self.encoder.pool.int(value));
            match self.solve(&[other]) {
                Ok(None) => {
                    self.fixed.insert(id.0, value);
                }
                _ => self.free.push(id),
            }
        }
        Ok(())
    }

    /// The ways through the branches, by asking for a new one until there is none.
    fn find_ways(&mut self) {
        if self.branches.is_empty() {
            self.ways.push(Vec::new());
            return;
        }
        let pool = self.encoder.pool.clone();
        self.solver.push();
        while self.ways.len() < MOST_WAYS {
            let Ok(Some(model)) = self.solve(&[]) else { break };
            let truth = |t: &TermId| model.eval(*t).ok().and_then(|v| v.as_bool()).unwrap_or(false);
            let way: Vec<bool> = self.branches.iter().map(truth).collect();
            let same: Vec<TermId> =
                self.branches.iter().zip(&way).map(|(&b, &yes)| if yes { b } else { pool.not(b) }).collect();
            self.solver.assert(pool.not(pool.and(&same)));
            self.ways.push(way);
        }
        self.solver.pop();
        if self.ways.is_empty() {
            self.ways.push(Vec::new());
        }
    }

    /// What the question was narrowed down to, as clauses; nothing if solutions are all there are.
    pub fn narrowed(&self) -> &[String] {
        &self.narrowed
    }

    /// How many ways through the branches there are.
    pub fn ways(&self) -> usize {
        self.ways.len()
    }

    /// Another solution. The first ones of each way come from the solver; later ones mostly from walking away from
    /// those, which takes no time.
    pub fn another(&mut self) -> Result<Chosen, Exhausted> {
        let way = self.next_way % self.ways.len();
        self.next_way += 1;
        self.bases.resize(self.ways.len(), Vec::new());
        let known = self.bases[way].len();
        let walks = known >= SOLVED_PER_WAY && self.random.u8(0..RARELY) != 0;
        for _ in 0..if walks { 20 } else { 0 } {
            let mut chosen = self.bases[way][self.random.usize(0..known)].clone();
            self.walk(&mut chosen);
            if self.is_new(&chosen) {
                return Ok(chosen);
            }
        }
        let mut chosen = self.solved(way)?;
        self.bases[way].push(chosen.clone());
        for _ in 0..20 {
            self.walk(&mut chosen);
            if self.is_new(&chosen) {
                return Ok(chosen);
            }
        }
        // The same again and again: from now on what was given is excluded.
        loop {
            let pool = self.encoder.pool.clone();
            let differs: Vec<TermId> = self
                .relevant(&chosen)
                .map(|(reference, value)| pool.ne(self.encoder.reference(&reference), pool.int(value)))
                .collect();
            if differs.is_empty() {
                return Err(Exhausted::NoMore);
            }
            self.solver.assert(pool.or(&differs));
            let model = self.solve(&[])?.ok_or(Exhausted::NoMore)?;
            chosen = self.read(&model);
            if self.is_new(&chosen) {
                return Ok(chosen);
            }
        }
    }

    /// What a choice consists of: the scalars, and the elements that the arrays have if they are as long as these say.
    fn relevant<'c>(&'c self, chosen: &'c Chosen) -> impl Iterator<Item = (Reference, i64)> + 'c {
        let scalars = self.free.iter().map(|&id| (Reference::scalar(id), chosen.scalars[&id.0]));
        let elements = self.elements.iter().filter_map(|element| {
            let indices = constant_indices(element)?;
            let outside = indices
                .iter()
                .zip(&self.lengths[&element.param.0])
                .any(|(index, length)| chosen.evaluate(length, self.canonical).is_some_and(|length| *index >= length));
            let value = chosen.elements.get(&(element.param.0, indices))?;
            (!outside).then(|| (element.clone(), *value))
        });
        scalars.chain(elements)
    }

    /// Whether this was not chosen before; from now on it was.
    fn is_new(&mut self, chosen: &Chosen) -> bool {
        let relevant: Vec<i64> = self.relevant(chosen).map(|(_, value)| value).collect();
        self.seen.insert(relevant)
    }

    /// A solution by the solver, with random values for some scalars where that is possible.
    fn solved(&mut self, way: usize) -> Result<Chosen, Exhausted> {
        let pool = self.encoder.pool.clone();
        let taken = self.branches.iter().zip(&self.ways[way]);
        let mut wishes: Vec<TermId> = taken.map(|(&b, &yes)| if yes { b } else { pool.not(b) }).collect();
        // An earlier solution is as good a start as a new one.
        let mut chosen = match self.bases[way].last() {
            Some(base) => base.clone(),
            None => match self.solve(&wishes)? {
                Some(model) => self.read(&model),
                None => {
                    wishes.clear();
                    let model = self.solve(&wishes)?.ok_or(Exhausted::NoMore)?;
                    self.read(&model)
                }
            },
        };
        let mut order = self.free.clone();
        self.random.shuffle(&mut order);
        for id in order.into_iter().take(WISHES) {
            let term = self.encoder.reference(&Reference::scalar(id));
            let value = self.candidate(id);
            wishes.push(pool.eq(term, pool.int(value)));
            match self.solve(&wishes) {
                Ok(Some(better)) => chosen = self.read(&better),
                _ => {
                    wishes.pop();
                }
            }
        }
        Ok(chosen)
    }

    /// The solution nearest to the sample in which some scalars, and the elements of one array, are as wanted.
    pub fn nearest(&mut self, scalars: &BTreeMap<u32, i64>, array: Option<(u32, &Chosen)>) -> Option<Chosen> {
        let pool = self.encoder.pool.clone();
        let equal = |this: &Self, reference: &Reference, value: i64| {
            pool.eq(this.encoder.reference(reference), pool.int(value))
        };
        let mut wishes = Vec::new();
        for &id in &self.free {
            if let Some(value) = scalars.get(&id.0) {
                wishes.push(equal(self, &Reference::scalar(id), *value));
            }
        }
        if let Some((id, chosen)) = array {
            for reference in self.elements.iter().filter(|r| r.param.0 == id) {
                let indices = constant_indices(reference).unwrap_or_default();
                if let Some(value) = chosen.elements.get(&(id, indices)) {
                    wishes.push(equal(self, reference, *value));
                }
            }
        }
        let mut model = self.solve(&wishes).ok()??;
        // As in the sample wherever that is possible, scalars first and one by one.
        let mut groups: Vec<Vec<TermId>> = Vec::new();
        for &id in self.free.iter().filter(|id| !scalars.contains_key(&id.0)) {
            groups.extend(self.sample.scalar(id).map(|value| vec![equal(self, &Reference::scalar(id), value)]));
        }
        let mut arrays: BTreeMap<u32, Vec<TermId>> = BTreeMap::new();
        for reference in self.elements.iter().filter(|r| array.is_none_or(|(id, _)| r.param.0 != id)) {
            let place = self.sample.array(reference.param).zip(constant_indices(reference));
            let value = place.and_then(|(a, indices)| a.offset(&indices).map(|at| a.elements[at]));
            if let Some(value) = value {
                arrays.entry(reference.param.0).or_default().push(equal(self, reference, value));
            }
        }
        for whole in arrays.into_values() {
            groups.push(whole.clone());
            groups.extend(whole.into_iter().take(64).map(|one| vec![one]));
        }
        for group in groups {
            let before = wishes.len();
            wishes.extend(group);
            match self.solve(&wishes) {
                Ok(Some(better)) => model = better,
                _ => wishes.truncate(before),
            }
        }
        Some(self.read(&model))
    }

    fn read(&self, model: &Model) -> Chosen {
        let mut chosen = Chosen::default();
        chosen.scalars.extend(self.fixed.iter().map(|(&id, &value)| (id, value)));
        for &id in &self.free {
            let value = integer(model, self.encoder.reference(&Reference::scalar(id)));
            chosen.scalars.insert(id.0, value);
        }
        for reference in &self.elements {
            if let Some(indices) = constant_indices(reference) {
                let value = integer(model, self.encoder.reference(reference));
                chosen.elements.insert((reference.param.0, indices), value);
            }
        }
        chosen
    }

    fn candidate(&mut self, id: ParamId) -> i64 {
        let param = self.inverse.normalisation.param(id);
        let now = self.sample.scalar(id).unwrap_or(0);
        let value = match self.random.u8(0..6) {
            0 => now.saturating_add(self.random.i64(-2..=2)),
            1 => self.random.i64(0..=4),
            2 => now / self.random.i64(2..=4),
            3 => now.saturating_add(self.random.i64(1..=8)),
            4 => self.random.i64(0..=now.saturating_abs().min(1 << 40).saturating_mul(2) + 8),
            _ => super::values::arbitrary(param.kind, &mut self.random),
        };
        let (low, high) = (param.kind.min() as i64, param.kind.max().min(i128::from(i64::MAX)) as i64);
        value.clamp(low, high)
    }

    /// Changes scalars and elements at random as long as all conditions hold.
    fn walk(&mut self, chosen: &mut Chosen) {
        for id in self.free.clone() {
            if self.deciding.contains(&id) || self.random.bool() {
                continue;
            }
            let (before, value) = (chosen.scalars[&id.0], self.candidate(id));
            chosen.scalars.insert(id.0, value);
            let asked = self.scalar_mentions.get(&id.0).map_or(&[][..], |m| m);
            if !asked.iter().all(|&i| chosen.holds(&self.ground[i], self.canonical)) {
                chosen.scalars.insert(id.0, before);
            }
        }
        if self.elements.is_empty() {
            return;
        }
        let normalisation = &self.inverse.normalisation;
        let reach: i64 = chosen.elements.values().map(|v| v.saturating_abs()).max().unwrap_or(0).clamp(4, 1 << 40);
        let places: Vec<(u32, Vec<i128>)> = chosen.elements.keys().cloned().collect();
        for _ in 0..(places.len() * 2).min(200) {
            let first = self.random.usize(0..places.len());
            let kind = normalisation.params[places[first].0 as usize].kind;
            let mut change = Vec::new();
            if self.random.bool() {
                let second = self.random.usize(0..places.len());
                if places[second].0 != places[first].0 {
                    continue;
                }
                change.push((first, chosen.elements[&places[second]]));
                change.push((second, chosen.elements[&places[first]]));
            } else {
                let value = match self.random.u8(0..3) {
                    0 => self.random.i64(0..=reach),
                    1 => self.random.i64(0..=reach.saturating_mul(2)),
                    _ => chosen.elements[&places[first]].saturating_add(self.random.i64(-3..=3)),
                };
                if !kind.contains(i128::from(value)) {
                    continue;
                }
                change.push((first, value));
            }
            let before: Vec<(usize, i64)> = change.iter().map(|&(at, _)| (at, chosen.elements[&places[at]])).collect();
            for &(at, value) in &change {
                chosen.elements.insert(places[at].clone(), value);
            }
            let holds = change.iter().all(|(at, _)| {
                let asked = self.mentions.get(&places[*at]).map_or(&[][..], |m| m);
                asked.iter().all(|&i| chosen.holds(&self.ground[i], self.canonical))
            });
            if !holds {
                for &(at, value) in &before {
                    chosen.elements.insert(places[at].clone(), value);
                }
            }
        }
    }
}

fn integer(model: &Model, term: TermId) -> i64 {
    let value = model.eval(term).ok();
    value.and_then(|v| v.as_int().and_then(|i| i64::try_from(i).ok())).unwrap_or(0)
}

fn constant_indices(reference: &Reference) -> Option<Vec<i128>> {
    reference.indices.iter().map(|i| if let Formula::Int(n) = i { Some(*n) } else { None }).collect()
}

/// Conditions over what is chosen. Arrays have no lengths yet, so that elements are known by their indices only.
impl Chosen {
    fn holds(&self, formula: &Formula, canonical: &Values) -> bool {
        self.evaluate(formula, canonical).is_some_and(|v| v != 0)
    }

    fn evaluate(&self, formula: &Formula, canonical: &Values) -> Option<i128> {
        let number = |f: &Formula| self.evaluate(f, canonical);
        let holds = |f: &Formula| self.holds(f, canonical);
        Some(match formula {
            Formula::Int(n) => *n,
            Formula::Ref(r) if r.indices.is_empty() => i128::from(*self.scalars.get(&r.param.0)?),
            Formula::Ref(r) => {
                let indices = r.indices.iter().map(number).collect::<Option<Vec<_>>>()?;
                let given = || canonical.array(r.param).and_then(|a| Some(a.elements[a.offset(&indices)?]));
                i128::from(given().or_else(|| self.elements.get(&(r.param.0, indices.clone())).copied())?)
            }
            Formula::Add(a, b) => number(a)?.checked_add(number(b)?)?,
            Formula::Sub(a, b) => number(a)?.checked_sub(number(b)?)?,
            Formula::Mul(a, b) => number(a)?.checked_mul(number(b)?)?,
            Formula::Div(a, b) => number(a)?.checked_div(number(b)?)?,
            Formula::Rem(a, b) => number(a)?.checked_rem(number(b)?)?,
            Formula::Compare(cmp, a, b) => cmp.holds(number(a)?, number(b)?) as i128,
            Formula::And(parts) => parts.iter().all(holds) as i128,
            Formula::Or(parts) => parts.iter().any(holds) as i128,
            Formula::Not(inner) => !holds(inner) as i128,
            Formula::If(c, a, b) => number(if holds(c) { a } else { b })?,
            Formula::Var(_) | Formula::Length(..) | Formula::Sum { .. } | Formula::Forall { .. } => return None,
        })
    }
}

impl Expansion<'_> {
    /// The formula with what is known put in.
    fn known(&mut self, formula: &Formula, vars: &BTreeMap<VarId, Formula>) -> Formula {
        let values = &self.frame.values;
        let scalars = &self.known;
        formula.with_vars(vars).map(&|f| match &f {
            Formula::Length(id, dimension) => {
                values.array(*id).map_or(f.clone(), |a| Formula::Int(a.dims[*dimension as usize] as i128))
            }
            Formula::Ref(r) => match (values.get(r.param), constant_indices(r)) {
                (Some(Value::Scalar(value)), _) => Formula::Int(i128::from(*value)),
                (Some(Value::Array(array)), Some(indices)) => {
                    let found = array.offset(&indices).map(|at| i128::from(array.elements[at]));
                    found.map_or(f.clone(), Formula::Int)
                }
                _ if r.indices.is_empty() => {
                    scalars.get(&r.param.0).map_or(f.clone(), |v| Formula::Int(i128::from(*v)))
                }
                _ => f,
            },
            Formula::Div(a, b) | Formula::Rem(a, b) => match (&**a, &**b, &f) {
                (Formula::Int(a), Formula::Int(b), Formula::Div(..)) if *b != 0 => Formula::Int(a / b),
                (Formula::Int(a), Formula::Int(b), _) if *b != 0 => Formula::Int(a % b),
                _ => f,
            },
            _ => f,
        })
    }

    fn learn(&mut self, condition: &Formula) {
        let parts = match condition {
            Formula::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        for part in parts {
            let Formula::Compare(super::formula::Cmp::Eq, a, b) = self.known(&part, &BTreeMap::new()) else { continue };
            let difference = a.polynomial().minus(&b.polynomial());
            let atoms: BTreeSet<&Formula> = difference.atoms().collect();
            let [Formula::Ref(only)] = atoms.iter().copied().collect::<Vec<_>>()[..] else { continue };
            let Some((factor, rest)) = difference.split_off(&Formula::Ref(only.clone())) else { continue };
            if let (true, Some(factor), Some(rest)) = (only.indices.is_empty(), factor.as_int(), rest.as_int())
                && factor != 0
                && rest % factor == 0
                && let Ok(value) = i64::try_from(-rest / factor)
            {
                self.known.insert(only.param.0, value);
            }
        }
    }

    /// Without quantifiers and sums.
    fn expand(&mut self, formula: &Formula, vars: &BTreeMap<VarId, Formula>) -> Result<Formula, Exhausted> {
        self.instances += 1;
        if self.instances > MOST_INSTANCES {
            return Err(Exhausted::Unknown("the conditions on this much data are too many to solve".into()));
        }
        let has_binder = {
            let mut found = false;
            formula.walk(&mut |f| found |= matches!(f, Formula::Sum { .. } | Formula::Forall { .. }));
            found
        };
        if !has_binder {
            return Ok(self.known(formula, vars));
        }
        Ok(match formula {
            Formula::Forall { var, from, to, body } => {
                let from = self.expand(from, vars)?;
                let to = self.expand(to, vars)?;
                let mut parts = Vec::new();
                for at in self.range(&from, &to)? {
                    let at = Formula::Int(at);
                    let mut inside = vars.clone();
                    inside.insert(*var, at.clone());
                    let body = self.expand(body, &inside)?;
                    let outside = Formula::or([Formula::lt(at.clone(), from.clone()), Formula::le(to.clone(), at)]);
                    parts.push(Formula::or([outside, body]));
                }
                Formula::and(parts)
            }
            Formula::Sum { var, count, body } => {
                let count = self.expand(count, vars)?;
                let mut sum = Formula::Int(0);
                for at in self.range(&Formula::Int(0), &count)? {
                    let at = Formula::Int(at);
                    let mut inside = vars.clone();
                    inside.insert(*var, at.clone());
                    let term = self.expand(body, &inside)?;
                    let counted = Formula::lt(at, count.clone());
                    sum = sum.plus(Formula::choice(counted, term, Formula::Int(0)));
                }
                sum
            }
            Formula::And(parts) => {
                let parts = parts.iter().map(|p| self.expand(p, vars)).collect::<Result<Vec<_>, _>>()?;
                Formula::and(parts)
            }
            Formula::Or(parts) => {
                let parts = parts.iter().map(|p| self.expand(p, vars)).collect::<Result<Vec<_>, _>>()?;
                Formula::or(parts)
            }
            Formula::Not(a) => self.expand(a, vars)?.negate(),
            Formula::Compare(cmp, a, b) => Formula::compare(*cmp, self.expand(a, vars)?, self.expand(b, vars)?),
            Formula::Add(a, b) => self.expand(a, vars)?.plus(self.expand(b, vars)?),
            Formula::Sub(a, b) => self.expand(a, vars)?.less(self.expand(b, vars)?),
            Formula::Mul(a, b) => self.expand(a, vars)?.times(self.expand(b, vars)?),
            Formula::Div(a, b) => Formula::Div(Box::new(self.expand(a, vars)?), Box::new(self.expand(b, vars)?)),
            Formula::Rem(a, b) => Formula::Rem(Box::new(self.expand(a, vars)?), Box::new(self.expand(b, vars)?)),
            Formula::If(c, a, b) => {
                Formula::choice(self.expand(c, vars)?, self.expand(a, vars)?, self.expand(b, vars)?)
            }
            Formula::Ref(r) => {
                let indices = r.indices.iter().map(|i| self.expand(i, vars)).collect::<Result<Vec<_>, _>>()?;
                self.known(&Formula::Ref(Reference { param: r.param, indices }), &BTreeMap::new())
            }
            Formula::Int(_) | Formula::Var(_) | Formula::Length(..) => self.known(formula, vars),
        })
    }

    /// The values a variable can have. Bounds that are chosen are held near those of the sample.
    fn range(&mut self, from: &Formula, to: &Formula) -> Result<std::ops::Range<i128>, Exhausted> {
        let (low, high) = match (from, to) {
            (Formula::Int(from), Formula::Int(to)) => (*from, *to),
            _ => {
                let now = |this: &mut Self, f: &Formula, otherwise| this.sample.evaluate(f).unwrap_or(otherwise);
                let (first, last) = (now(self, from, 0), now(self, to, 8));
                let low = if let Formula::Int(from) = from { *from } else { first.min(0) };
                let room = ((last - first).max(0) * 2 + 4).clamp(8, 40);
                let high = (low + room).max(last);
                for limit in [Formula::le(to.clone(), Formula::Int(high)), Formula::le(Formula::Int(low), from.clone())]
                {
                    if !self.bounds.contains(&limit) {
                        self.bounds.push(limit);
                    }
                }
                (low, high)
            }
        };
        if high.saturating_sub(low) > MOST_INSTANCES as i128 {
            return Err(Exhausted::Unknown("the conditions on this much data are too many to solve".into()));
        }
        Ok(low..high)
    }
}
