//! One answer of a search: values of the inputs, up to variables that may stay free.

use crate::signature::SortId;
use crate::smallest::Smallest;
use crate::system::System;
use crate::term::{Head, Store, TermId, VarId};
use hashbrown::HashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Each input with its value, in the order in which the inputs were given.
    pub values: Vec<(VarId, TermId)>,
    /// What has to hold of the free variables: comparisons, and whether each holds.
    pub literals: Vec<(TermId, bool)>,
    /// Values for which these hold.
    pub integers: Vec<(VarId, i128)>,
}

impl Solution {
    /// The variables that the values leave open, in the order of their occurrence.
    pub fn free(&self, store: &Store) -> Vec<VarId> {
        let terms: Vec<TermId> = self.values.iter().map(|(_, term)| *term).collect();
        store.variables(&terms)
    }

    /// Whether every instance of this solution is one of the other. Solutions with different literals are never
    /// compared; those that differ only in the names of variables are instances of each other.
    pub fn is_instance_of(&self, other: &Solution, store: &Store) -> bool {
        if !self.literals.is_empty() || !other.literals.is_empty() {
            return self == other;
        }
        let mut bound = HashMap::new();
        let pairs = other.values.iter().zip(&self.values);
        pairs.into_iter().all(|((_, general), (_, special))| is_match(store, *general, *special, &mut bound))
    }

    /// The values with all that is constrained replaced by the integers at hand; variables that may have any value
    /// stay. Values of open sorts are numbered.
    pub fn concrete(&self, system: &System, store: &mut Store) -> Vec<(VarId, TermId)> {
        let mut values: HashMap<VarId, TermId> = HashMap::new();
        for &(var, value) in &self.integers {
            if self.is_constrained(var, store) {
                let value = store.int(value);
                values.insert(var, value);
            }
        }
        self.replaced(system, store, &values)
    }

    fn is_constrained(&self, var: VarId, store: &Store) -> bool {
        let terms: Vec<TermId> = self.literals.iter().map(|(term, _)| *term).collect();
        store.variables(&terms).contains(&var)
    }

    /// The values with every variable replaced by the smallest value it may have; nothing if a sort has none.
    pub fn ground(&self, system: &System, store: &mut Store) -> Option<Vec<(VarId, TermId)>> {
        let smallest = Smallest::new(system);
        let mut values: HashMap<VarId, TermId> = HashMap::new();
        for &(var, value) in &self.integers {
            let value = store.int(value);
            values.insert(var, value);
        }
        for var in self.free(store) {
            if !values.contains_key(&var) {
                let sort = store.var_sort(var);
                let value = smallest.value(system, store, sort)?;
                values.insert(var, value);
            }
        }
        Some(self.replaced(system, store, &values))
    }

    fn replaced(&self, system: &System, store: &mut Store, values: &HashMap<VarId, TermId>) -> Vec<(VarId, TermId)> {
        let of = |(var, term): &(VarId, TermId)| (*var, store.substitute(&system.signature, *term, values));
        self.values.iter().map(of).collect()
    }

    /// Whether the input is as it was: it may have any value.
    pub fn leaves_open(&self, input: VarId, store: &Store) -> bool {
        self.values.iter().any(|(var, term)| *var == input && store.as_var(*term) == Some(input))
    }
}

fn is_match(store: &Store, general: TermId, special: TermId, bound: &mut HashMap<VarId, TermId>) -> bool {
    match store.head(general) {
        Head::Var(var) => *bound.entry(var).or_insert(special) == special,
        head => {
            head == store.head(special)
                && store.args(general).iter().zip(store.args(special)).all(|(g, s)| is_match(store, *g, *s, bound))
        }
    }
}

/// Whether integers or open values are meant when a variable of this sort meets a number.
pub fn is_numbered(system: &System, sort: SortId) -> bool {
    sort == SortId::INT || system.signature.is_open(sort)
}
