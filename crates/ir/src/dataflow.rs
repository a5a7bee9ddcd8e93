//! What analyses of data flow share: the sets that they keep, and the rounds over the blocks of a function.
//!
//! The numbers of a [`BitSet`] stand for whatever its user counts: locals, statements, cells.

use crate::{BlockId, Cfg, SecondaryMap, Stmt};
use std::collections::BTreeSet;

/// What holds at the start of each block on every way from the entry; nothing where no way leads.
///
/// `transfer` changes a state as a statement does, and `meet` keeps of the first state what holds in the second as well.
/// Blocks are in reverse postorder, and the first whose start has changed is next, so that most are looked at twice.
pub fn forward<S: Clone + PartialEq>(
    cfg: &Cfg<'_>,
    entry: S,
    transfer: impl Fn(&mut S, &Stmt),
    meet: impl Fn(&mut S, &S),
) -> SecondaryMap<BlockId, Option<S>> {
    let mut starts: SecondaryMap<BlockId, Option<S>> = SecondaryMap::new();
    starts[cfg.entry()] = Some(entry);
    let mut open = BTreeSet::from([cfg.entry()]);
    while let Some(block) = open.pop_first() {
        let Some(mut state) = starts[block].clone() else { continue };
        cfg.blocks[block].stmts.iter().for_each(|stmt| transfer(&mut state, stmt));
        for next in cfg.succs(block) {
            let mut met = state.clone();
            if let Some(known) = &starts[next] {
                meet(&mut met, known);
            }
            if starts[next].as_ref() != Some(&met) {
                starts[next] = Some(met);
                open.insert(next);
            }
        }
    }
    starts
}

/// A set of numbers below a size that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// The empty set of numbers below `size`.
    pub fn empty(size: usize) -> BitSet {
        BitSet(vec![0; size.div_ceil(64)])
    }

    /// All numbers below `size`.
    pub fn full(size: usize) -> BitSet {
        let mut words = vec![u64::MAX; size.div_ceil(64)];
        if let (Some(last), rest @ 1..) = (words.last_mut(), size % 64) {
            *last = (1 << rest) - 1;
        }
        BitSet(words)
    }

    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Nothing is in a set beyond its size.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds all of the other, which is as large; whether that changed anything.
    pub fn join(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Keeps what the other has too; whether that changed anything.
    pub fn meet(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *mine & !theirs != 0;
            *mine &= theirs;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_does_what_a_set_of_numbers_does() {
        let numbers = |set: &BitSet| (0..200).filter(|n| set.contains(*n)).collect::<BTreeSet<usize>>();
        for size in [0, 1, 63, 64, 65, 130] {
            assert_eq!(numbers(&BitSet::full(size)), (0..size).collect());
            assert_eq!(BitSet::full(size).len(), size);
            assert!(BitSet::empty(size).is_empty());
        }
        let of = |step: usize| {
            let mut set = BitSet::empty(130);
            (0..130).step_by(step).for_each(|n| set.insert(n));
            set
        };
        let (twos, threes) = (of(2), of(3));
        let (mut joined, mut met) = (twos.clone(), twos.clone());
        assert!(joined.join(&threes) && !joined.join(&threes));
        assert!(met.meet(&threes) && !met.meet(&threes));
        assert_eq!(numbers(&joined), numbers(&twos).union(&numbers(&threes)).copied().collect());
        assert_eq!(numbers(&met), numbers(&of(6)));
        met.remove(6);
        assert!(!met.contains(6) && met.contains(12));
    }
}
