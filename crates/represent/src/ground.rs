//! The conditions of an inverse without quantifiers, for one canonical value.
//!
//! The values of the outputs are put in; equations that leave one scalar open say what it is; quantifiers and sums whose
//! bounds are then known are expanded. Where a bound is itself to be chosen, the expansion goes a little further than
//! the sample did, with the bound as a condition on each instance, and the bound is required to lie there ("we
//! instantiate all non-constant quantifier bounds", section 4.2 of the source).
//!
//! *Guarantee*: what meets the ground conditions meets those of the inverse, but for outputs at chosen places where they
//! are too many to list; the run of the inverse checks these. *May miss*: what [`Ground::narrowed`] says.

use super::execute::Frame;
use super::formula::{Cmp, Formula, ParamId, PolynomialOfFormulas as _, Reference, VarId};
use super::invert::{Inverse, Undo};
use super::language::{Normalisation, Role};
use super::values::{Value, Values};
use std::collections::{BTreeMap, BTreeSet};

/// How many instances of conditions are made before the data counts as too large to solve for.
const MOST_INSTANCES: usize = 400_000;
/// How many elements of the canonical value are told to the solver.
const MOST_LOOKED_UP: usize = 2000;

/// Why there are no (more) solutions.
#[derive(Clone, PartialEq, Debug)]
pub enum Exhausted {
    /// All that differ were given, within what the question was narrowed down to.
    NoMore,
    /// A clause.
    Unknown(String),
}

/// See the module documentation.
#[derive(Default)]
pub struct Ground {
    pub conditions: Vec<Formula>,
    /// The branches of the program, over what is chosen.
    pub branches: Vec<Formula>,
    /// Scalars that the equations fix.
    pub known: BTreeMap<u32, i64>,
    /// What is to be chosen.
    pub scalars: BTreeSet<ParamId>,
    pub elements: Vec<Reference>,
    /// The lengths of the arrays, over what is chosen.
    pub lengths: BTreeMap<u32, Vec<Formula>>,
    /// Outputs whose place is chosen: functions of their indices.
    pub looked_up: Vec<ParamId>,
    /// What the question was narrowed down to beyond what the program asks: clauses.
    pub narrowed: Vec<String>,
    about_elements: BTreeMap<(u32, Vec<i128>), Vec<usize>>,
    about_scalars: BTreeMap<u32, Vec<usize>>,
}

impl Ground {
    pub fn of(inverse: &Inverse, canonical: &Values, sample: &Values) -> Result<Ground, Exhausted> {
        let normalisation = &inverse.normalisation;
        let mut expansion = Expansion::new(normalisation, canonical, sample);
        let conditions = inverse.ensure.formulas();
        expansion.learn_from(&conditions);
        let mut ground = Ground::default();
        for condition in &conditions {
            match expansion.expand(condition, &BTreeMap::new())? {
                Formula::And(parts) => ground.conditions.extend(parts),
                other => ground.conditions.push(other),
            }
        }
        ground.bound_lengths(inverse, sample, &mut expansion)?;
        if !expansion.bounds.is_empty() {
            ground.narrowed.push("loops do few more rounds than for the sample".to_string());
        }
        ground.conditions.append(&mut expansion.bounds);
        ground.conditions.retain(|f| *f != Formula::TRUE);
        ground.look_up_outputs(normalisation, canonical);
        ground.list_mentions(normalisation);
        for branch in &inverse.branches {
            ground.branches.push(expansion.expand(branch, &BTreeMap::new())?);
        }
        let deciding: Vec<ParamId> = ground.branches.iter().flat_map(Formula::references).map(|r| r.param).collect();
        ground.scalars.extend(deciding.iter().filter(|&&id| normalisation.param(id).dims.is_empty()));
        ground.scalars.extend(open_scalars(inverse));
        ground.known = expansion.known;
        Ok(ground)
    }

    /// The conditions that mention a scalar.
    pub fn about_scalar(&self, id: ParamId) -> impl Iterator<Item = &Formula> {
        self.about_scalars.get(&id.0).into_iter().flatten().map(|&at| &self.conditions[at])
    }

    /// The conditions that mention an element, by the array and the indices.
    pub fn about_element(&self, place: &(u32, Vec<i128>)) -> impl Iterator<Item = &Formula> {
        self.about_elements.get(place).into_iter().flatten().map(|&at| &self.conditions[at])
    }

    /// Arrays stay about as large as the sample's.
    fn bound_lengths(
        &mut self,
        inverse: &Inverse,
        sample: &Values,
        expansion: &mut Expansion<'_>,
    ) -> Result<(), Exhausted> {
        let normalisation = &inverse.normalisation;
        for id in normalisation.ids(Role::Input) {
            let assigned = |dim: &Formula| dim.with_refs(&|r| inverse.values.get(&r.param).cloned());
            let dims = normalisation.param(id).dims.iter().map(assigned);
            let dims = dims.map(|dim| expansion.expand(&dim, &BTreeMap::new())).collect::<Result<Vec<Formula>, _>>()?;
            let size = dims.iter().cloned().fold(Formula::Int(1), Formula::times);
            let now = sample.array(id).map_or(0, |a| a.elements.len()) as i128;
            self.lengths.insert(id.0, dims);
            if !size.references().is_empty() {
                let most = (now * 2).max(now + 64);
                self.narrowed.push(format!("`{}` has at most {most} elements", normalisation.param(id).name));
                self.conditions.push(Formula::le(size, Formula::Int(most)));
            }
        }
        Ok(())
    }

    /// Finds the outputs at places that are chosen. Where they are many, conditions on them are left to the run.
    fn look_up_outputs(&mut self, normalisation: &Normalisation, canonical: &Values) {
        let mentioned: BTreeSet<ParamId> =
            self.conditions.iter().flat_map(Formula::references).map(|r| r.param).collect();
        self.looked_up = mentioned.into_iter().filter(|&id| normalisation.param(id).role == Role::Output).collect();
        let elements = self.looked_up.iter().filter_map(|&id| canonical.array(id)).map(|a| a.elements.len());
        if elements.sum::<usize>() > MOST_LOOKED_UP {
            let looked_up = std::mem::take(&mut self.looked_up);
            self.conditions.retain(|f| !f.references().iter().any(|r| looked_up.contains(&r.param)));
        }
    }

    /// Lists what is to be chosen, and the conditions that mention it.
    fn list_mentions(&mut self, normalisation: &Normalisation) {
        let mut elements = BTreeSet::new();
        for (at, formula) in self.conditions.iter().enumerate() {
            let mut inside = BTreeSet::new();
            for reference in formula.references() {
                match constant_indices(reference) {
                    _ if reference.indices.is_empty() => {
                        self.scalars.insert(reference.param);
                        let list = self.about_scalars.entry(reference.param.0).or_default();
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
                self.about_elements.entry(element).or_default().push(at);
            }
        }
        self.elements = elements.into_iter().collect();
    }
}

/// Scalars that may be anything and can be few things: they are chosen one by one, so that all of them are seen.
fn open_scalars(inverse: &Inverse) -> impl Iterator<Item = ParamId> + '_ {
    inverse.body.iter().filter_map(|step| match step {
        Undo::Choose { target } if target.indices.is_empty() => {
            (inverse.normalisation.param(target.param).kind.bits() <= 8).then_some(target.param)
        }
        _ => None,
    })
}

/// The indices of an element whose place is known.
pub fn constant_indices(reference: &Reference) -> Option<Vec<i128>> {
    reference.indices.iter().map(|i| if let Formula::Int(n) = i { Some(*n) } else { None }).collect()
}

/// Formulas with what is known put in and quantifiers expanded.
struct Expansion<'a> {
    frame: Frame<'a>,
    sample: Frame<'a>,
    known: BTreeMap<u32, i64>,
    bounds: Vec<Formula>,
    instances: usize,
}

impl<'a> Expansion<'a> {
    fn new(normalisation: &'a Normalisation, canonical: &Values, sample: &Values) -> Expansion<'a> {
        Expansion {
            frame: Frame::new(normalisation, canonical.of_role(normalisation, Role::Output)),
            sample: Frame::new(normalisation, sample.clone()),
            known: BTreeMap::new(),
            bounds: Vec::new(),
            instances: 0,
        }
    }

    /// Learns scalars until no condition says another.
    fn learn_from(&mut self, conditions: &[Formula]) {
        loop {
            let before = self.known.len();
            conditions.iter().for_each(|condition| self.learn(condition));
            if self.known.len() == before {
                break;
            }
        }
    }

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

    /// An equation that leaves one scalar open says what it is.
    fn learn(&mut self, condition: &Formula) {
        let parts = match condition {
            Formula::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        for part in parts {
            let Formula::Compare(Cmp::Eq, a, b) = self.known(&part, &BTreeMap::new()) else { continue };
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
