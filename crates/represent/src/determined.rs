//! The symbolic set of determined elements: each entry stands for one element in every round of some loops.
//!
//! *Source*: the sets {S | Q} of section 3.2 of the paper named in [`super`].

use super::formula::{Formula, PolynomialOfFormulas as _, Reference, VarId};
use super::language::{Counter, Normalisation};
use std::collections::BTreeMap;

/// An element that is determined, for all values of the variables in the domain.
#[derive(Clone, Debug)]
pub struct Entry {
    pub reference: Reference,
    pub domain: Vec<Counter>,
    /// When it was determined, if that depends.
    pub guard: Vec<Formula>,
    /// What it was set to, where that is known here.
    pub value: Option<Formula>,
}

/// An entry with variables of its own.
pub struct Renamed {
    pub entry: Entry,
    names: BTreeMap<VarId, VarId>,
}

impl Renamed {
    /// What a variable is called now.
    pub fn of(&self, var: VarId) -> VarId {
        self.names[&var]
    }
}

impl Entry {
    /// With fresh variables in place of those of the domain.
    pub fn renamed(&self, normalisation: &mut Normalisation) -> Renamed {
        let mut names = BTreeMap::new();
        let mut values = BTreeMap::new();
        let mut entry = self.clone();
        for counter in &mut entry.domain {
            let name = format!("{}2", normalisation.vars[counter.var.0 as usize]);
            let fresh = normalisation.fresh_var(&name);
            names.insert(counter.var, fresh);
            counter.from = counter.from.with_vars(&values);
            counter.to = counter.to.with_vars(&values);
            values.insert(counter.var, Formula::Var(fresh));
            counter.var = fresh;
        }
        for index in &mut entry.reference.indices {
            *index = index.with_vars(&values);
        }
        for guard in &mut entry.guard {
            *guard = guard.with_vars(&values);
        }
        entry.value = entry.value.map(|v| v.with_vars(&values));
        Renamed { entry, names }
    }

    /// What the element was set to, if the reference is this entry's, for fitting values of its variables.
    pub fn value_at(&self, reference: &Reference) -> Option<Formula> {
        let value = self.value.as_ref()?;
        if self.reference.param != reference.param || !self.guard.is_empty() {
            return None;
        }
        if self.domain.is_empty() {
            return (self.reference == *reference).then(|| value.clone());
        }
        // Only where each variable of the domain is an index of its own, plus a constant.
        let mut values = BTreeMap::new();
        for (pattern, index) in self.reference.indices.iter().zip(&reference.indices) {
            let pattern = pattern.polynomial();
            if pattern == index.polynomial() {
                continue;
            }
            let counter = self.domain.iter().find(|c| {
                let split = pattern.split_off(&Formula::Var(c.var));
                split.is_some_and(|(factor, rest)| factor.as_int() == Some(1) && rest.as_int().is_some())
            })?;
            let (_, rest) = pattern.split_off(&Formula::Var(counter.var))?;
            let solution = index.polynomial().minus(&rest).to_formula();
            if values.insert(counter.var, solution).is_some() {
                return None;
            }
        }
        let whole = self.domain.iter().all(|c| values.contains_key(&c.var) && c.step.abs() == 1);
        if !whole {
            return None;
        }
        let inside = self.domain.iter().flat_map(|c| {
            let at = Formula::Var(c.var);
            let (low, high) = match c.step > 0 {
                true => (Formula::le(c.from.clone(), at.clone()), Formula::lt(at, c.to.clone())),
                false => (Formula::lt(c.to.clone(), at.clone()), Formula::le(at, c.from.clone())),
            };
            [low.with_vars(&values), high.with_vars(&values)]
        });
        Some(Formula::choice(Formula::and(inside), value.with_vars(&values), Formula::Ref(reference.clone())))
    }
}
