//! Which heap objects the program can still get at.
//!
//! *Question*: of what was not freed, what is lost? As in memcheck, every word of memory that was written and is the address
//! of a place in a live heap object keeps that object, if it lies in a variable, in the library, or in an object that is
//! kept. *Missed*: a number that happens to be an address keeps an object too.

use super::address::FIRST_SLOT;
use super::{Address, Memory, ObjectKind, State};
use diagnostics::Span;

/// A heap object that was not freed.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    pub address: Address,
    pub size: u64,
    /// Where it was allocated.
    pub made: Span,
    /// Whether some pointer leads into it.
    pub reachable: bool,
}

impl Memory<'_> {
    /// The live heap objects. `registers` are further words that may hold addresses.
    pub fn kept_heap(&self, registers: &[u64]) -> Vec<Kept> {
        let mut reachable = vec![false; self.objects.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut visit = |word: u64, open: &mut Vec<usize>| {
            let Some(index) = self.live_heap_slot(Address(word)) else { return };
            if !std::mem::replace(&mut reachable[index], true) {
                open.push(index);
            }
        };
        for &word in registers {
            visit(word, &mut open);
        }
        for (index, object) in self.objects.iter().enumerate().skip(FIRST_SLOT) {
            if object.kind != ObjectKind::Heap && object.state == State::Live {
                self.each_word(index, |word| visit(word, &mut open));
            }
        }
        while let Some(index) = open.pop() {
            self.each_word(index, |word| visit(word, &mut open));
        }
        let live =
            |&(_, object): &(usize, &super::Object<'_>)| object.kind == ObjectKind::Heap && object.state == State::Live;
        let kept = self.objects.iter().enumerate().skip(FIRST_SLOT).filter(live);
        kept.map(|(index, object)| Kept {
            address: Address(self.slots[index].base),
            size: object.size,
            made: object.made,
            reachable: reachable[index],
        })
        .collect()
    }

    /// The slot of a live heap object in which a place lies, or right behind which.
    fn live_heap_slot(&self, address: Address) -> Option<usize> {
        let info = self.info(address)?;
        let inside = info.offset >= 0 && info.offset as u64 <= info.size;
        (info.kind == ObjectKind::Heap && info.state == State::Live && inside).then(|| address.slot())
    }

    /// Every aligned word of an object that was written as a whole.
    fn each_word(&self, index: usize, mut visit: impl FnMut(u64)) {
        let (object, slot) = (&self.objects[index], &self.slots[index]);
        if slot.data.is_null() {
            return;
        }
        for at in (0..object.size as usize / 8).map(|word| word * 8) {
            // SAFETY: the block of an object has room for data and shadow of its size, and `at + 8` does not exceed it.
            let (data, shadow) = unsafe {
                (slot.data.add(at).cast::<u64>().read_unaligned(), slot.shadow.add(at).cast::<u64>().read_unaligned())
            };
            if shadow == u64::MAX {
                visit(data);
            }
        }
    }
}
