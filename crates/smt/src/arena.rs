//! An append-only store with stable indices that any thread can read without a lock.
//!
//! Terms are read far more often than they are made, so reading must not contend. Slots live in
//! chunks of doubling size; neither a chunk nor a filled slot ever moves, hence `get` can hand out
//! references that live as long as the arena. The price is that nothing is ever freed before the
//! whole arena is; dropping it is a loop over the slots, never a recursion over the terms.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const FIRST: u32 = 1 << 8;
const CHUNKS: usize = 24;

/// One chunk; slots are filled in any order by racing threads.
type Chunk<T> = Box<[OnceLock<T>]>;

/// See the module documentation.
pub(crate) struct Arena<T> {
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    next: AtomicU32,
}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Arena { chunks: [const { OnceLock::new() }; CHUNKS], next: AtomicU32::new(0) }
    }

    /// Number of slots handed out so far.
    pub(crate) fn len(&self) -> usize {
        self.next.load(Ordering::Acquire) as usize
    }

    pub(crate) fn push(&self, value: T) -> u32 {
        let index = self.next.fetch_add(1, Ordering::AcqRel);
        assert!(
            index < u32::MAX - FIRST,
            "an arena should stay below four billion entries, because ids are 32 bits wide"
        );
        let (chunk, offset) = place(index);
        let slots =
            self.chunks[chunk].get_or_init(|| (0..(FIRST as usize) << chunk).map(|_| OnceLock::new()).collect());
        if slots[offset].set(value).is_err() {
            unreachable!("a slot should be filled once, because indices are handed out once");
        }
        index
    }

    pub(crate) fn get(&self, index: u32) -> &T {
        let (chunk, offset) = place(index);
        self.chunks[chunk]
            .get()
            .and_then(|slots| slots[offset].get())
            .expect("an id should belong to the pool it is used with, because ids are indices")
    }
}

/// Chunk `k` holds `FIRST << k` slots, so the position follows from the leading bit.
fn place(index: u32) -> (usize, usize) {
    let shifted = index + FIRST;
    let chunk = shifted.ilog2() - FIRST.ilog2();
    (chunk as usize, (shifted - (FIRST << chunk)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_finds_its_value_across_chunk_borders() {
        let arena = Arena::new();
        for i in 0..5000u32 {
            assert_eq!(arena.push(i * 3), i);
        }
        assert!((0..5000).all(|i| *arena.get(i) == i * 3));
        assert_eq!(arena.len(), 5000);
    }
}
