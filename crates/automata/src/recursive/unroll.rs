//! Recursion written out for some levels, so that what [`super::regular`] mixes up happens only further down.
//!
//! The modules of a recursive component are copied level by level; calls inside a copy go to the next level, and the last
//! level calls itself as before. The language stays the same. Made finite, the outer levels are exact: a counterexample
//! that is nested no deeper is not lost.

use super::{Calls, Label, Machine, ModuleId};
use crate::summaries::{Limits, Stopped};
use std::collections::BTreeMap;

impl Machine {
    /// The same language with recursion written out for so many levels.
    pub fn unroll(&self, levels: usize) -> Machine {
        self.unroll_within(levels, &Limits::NONE).expect("without limits nothing should stop it")
    }

    /// The same within limits.
    pub fn unroll_within(&self, levels: usize, limits: &Limits<'_>) -> Result<Machine, Stopped> {
        let mut held: usize = self.modules.iter().map(|module| module.edges.len()).sum();
        let calls = Calls::of(self);
        let mut machine = self.clone();
        for (component, members) in calls.members.iter().enumerate() {
            if !calls.recursive[component] {
                continue;
            }
            // The outermost level keeps the names that callers know.
            let mut level: BTreeMap<ModuleId, ModuleId> = members.iter().map(|member| (*member, *member)).collect();
            for _ in 0..levels {
                held += members.iter().map(|member| self.module(*member).edges.len()).sum::<usize>();
                limits.hold(held)?;
                let next: BTreeMap<ModuleId, ModuleId> =
                    members.iter().map(|member| (*member, machine.add_module(self.module(*member).clone()))).collect();
                for copy in level.values() {
                    for edge in &mut machine.modules[copy.index()].edges {
                        if let Label::Call { module, .. } = &mut edge.label
                            && let Some(inner) = next.get(module)
                        {
                            *module = *inner;
                        }
                    }
                }
                level = next;
            }
            for copy in level.values() {
                for edge in &mut machine.modules[copy.index()].edges {
                    if let Label::Call { module, .. } = &mut edge.label
                        && let Some(same) = level.get(module)
                    {
                        *module = *same;
                    }
                }
            }
        }
        Ok(machine)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Alphabet, Inclusion, grammar, includes, regular, trace};

    #[test]
    fn trees_of_the_wrong_order_are_told_apart() {
        let mut alphabet = Alphabet::new();
        let mut parse = |text: &str| grammar::parse(text, &mut alphabet).unwrap().machine;
        let writer = parse("tree = leaf | node number tree tree ;");
        let reader = parse("tree = leaf | node tree number tree ;");
        let finite = |levels| regular(&reader.unroll(levels), 10_000).nfa;
        assert!(matches!(includes(&writer, &finite(2)), Inclusion::Excluded(_)));
        for levels in 0..4 {
            assert!(matches!(includes(&reader, &finite(levels)), Inclusion::Included), "{levels} levels");
        }
        let word: Vec<_> = ["node", "leaf", "number", "leaf"].map(|name| alphabet.intern(name)).to_vec();
        assert!(trace(&reader.unroll(3), &word).is_some());
        assert!(trace(&reader.unroll(3), &word[..3]).is_none());
    }
}
