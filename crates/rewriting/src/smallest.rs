//! The smallest value of each sort.

use crate::signature::{SortId, SymbolId};
use crate::system::System;
use crate::term::{Store, TermId};

/// For each sort the constructor that its smallest value starts with, and the size of that value.
pub struct Smallest {
    start: Vec<Option<(u64, Option<SymbolId>)>>,
}

impl Smallest {
    pub fn new(system: &System) -> Smallest {
        let signature = &system.signature;
        let number = |sort: SortId| crate::solution::is_numbered(system, sort);
        let mut start: Vec<Option<(u64, Option<SymbolId>)>> =
            signature.sorts().map(|(sort, _)| number(sort).then_some((1, None))).collect();
        loop {
            let mut changed = false;
            for (sort, declared) in signature.sorts() {
                for &constructor in &declared.constructors {
                    let args = &signature.symbol(constructor).args;
                    let sizes = args.iter().map(|arg| start[arg.0 as usize].map(|(size, _)| size));
                    let Some(size) = sizes.sum::<Option<u64>>().and_then(|inside| inside.checked_add(1)) else {
                        continue;
                    };
                    let known = &mut start[sort.0 as usize];
                    if known.is_none_or(|(before, _)| size < before) {
                        *known = Some((size, Some(constructor)));
                        changed = true;
                    }
                }
            }
            if !changed {
                return Smallest { start };
            }
        }
    }

    /// Whether the sort has a finite value.
    pub fn has_value(&self, sort: SortId) -> bool {
        self.start[sort.0 as usize].is_some()
    }

    /// The smallest value, the earliest constructor in case of doubt; 0 for integers and the first of an open sort.
    pub fn value(&self, system: &System, store: &mut Store, sort: SortId) -> Option<TermId> {
        let (_, constructor) = self.start[sort.0 as usize]?;
        let Some(constructor) = constructor else { return Some(store.int(0)) };
        let args = &system.signature.symbol(constructor).args;
        let args: Vec<TermId> = args.iter().map(|arg| self.value(system, store, *arg)).collect::<Option<_>>()?;
        Some(store.construct(constructor, &args))
    }
}
