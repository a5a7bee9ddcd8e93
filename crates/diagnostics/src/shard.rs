//! Which part of a list of independent work items a run works on.
//!
//! A heavy question is a list of items in a deterministic order. [`Shard::deal`] gives each item to one of so many shards,
//! by cost alone, so that every run of the same question deals alike, and the shards' answers together are those of a run
//! that was not cut.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

/// The `index`-th of `of` parts, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    pub fn new(index: u32, of: u32) -> Option<Shard> {
        (1 <= index && index <= of && of <= Shard::MOST).then_some(Shard { index, of })
    }

    /// More parts than anybody has machines for; it bounds what a list of parts may take.
    pub const MOST: u32 = 100_000;

    /// From 1.
    pub fn index(self) -> u32 {
        self.index
    }

    pub fn of(self) -> u32 {
        self.of
    }

    /// The shard, from 1, that each item goes to: the heaviest item first, each to the shard that has least to do (the rule
    /// of the longest processing time, at most 4/3 of the best balance). Ties go to the earlier item and shard.
    pub fn deal(costs: &[u64], of: u32) -> Vec<u32> {
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by_key(|&item| (Reverse(costs[item]), item));
        let mut loads: BinaryHeap<Reverse<(u64, u32)>> = (1..=of).map(|shard| Reverse((0, shard))).collect();
        let mut dealt = vec![0; costs.len()];
        for item in order {
            let Some(Reverse((load, shard))) = loads.pop() else { break };
            dealt[item] = shard;
            loads.push(Reverse((load.saturating_add(costs[item].max(1)), shard)));
        }
        dealt
    }

    /// Which of the items are this shard's.
    pub fn owned(self, costs: &[u64]) -> Vec<bool> {
        Shard::deal(costs, self.of).into_iter().map(|shard| shard == self.index).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        parts.and_then(|(index, of)| Shard::new(index, of)).ok_or_else(|| {
            format!("`{text}` is not a shard: write K/N, the K-th of N, with K from 1 to N and N up to {}", Shard::MOST)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn every_item_goes_to_one_shard_and_loads_are_even() {
        for of in 1..7u32 {
            let costs: Vec<u64> = (0..100).map(|i| (i * 37) % 41).collect();
            let dealt = Shard::deal(&costs, of);
            let mut loads = vec![0; of as usize];
            for (cost, shard) in costs.iter().zip(&dealt) {
                assert!((1..=of).contains(shard));
                loads[*shard as usize - 1] += cost.max(&1);
            }
            let (least, most) = (loads.iter().min().unwrap(), loads.iter().max().unwrap());
            assert!(most - least <= 41, "{loads:?}");
            for index in 1..=of {
                let owned = Shard::new(index, of).unwrap().owned(&costs);
                assert!(owned.iter().zip(&dealt).all(|(owned, shard)| *owned == (*shard == index)));
            }
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "1/999999999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
