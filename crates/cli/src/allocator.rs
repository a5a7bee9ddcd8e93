//! The memory of the process, by way of mimalloc.
//!
//! Trees of small nodes are made and dropped by the million; the system's allocator takes a third of the front end's time
//! on them. The `mimalloc` crate asks for every block with its alignment, and mimalloc then takes more memory than needed
//! for all sizes that are no power of two. Rust's alignments are nearly always those that any block of that size has.

use std::alloc::{GlobalAlloc, Layout};

pub struct Allocator;

/// Blocks of at least this size have this alignment, as `malloc` promises for the largest basic type of C. Smaller blocks
/// are multiples of eight bytes and so aligned to that.
const ALIGNED: usize = 16;

fn is_plain(layout: Layout) -> bool {
    layout.align() <= 8 || layout.align() <= ALIGNED && layout.size() >= ALIGNED
}

// SAFETY: all blocks come from mimalloc and go back to it; `is_plain` lets only those be taken without stating an alignment
// that `mi_malloc` aligns as the layout asks. mimalloc never unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: any size may be asked for.
        unsafe {
            match is_plain(layout) {
                true => libmimalloc_sys::mi_malloc(layout.size()).cast(),
                false => libmimalloc_sys::mi_malloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: any size may be asked for.
        unsafe {
            match is_plain(layout) {
                true => libmimalloc_sys::mi_zalloc(layout.size()).cast(),
                false => libmimalloc_sys::mi_zalloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block is one of ours, as the caller promises.
        unsafe { libmimalloc_sys::mi_free(block.cast()) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let is_plain = is_plain(layout) && (layout.align() <= 8 || size >= ALIGNED);
        // SAFETY: the block is one of ours, as the caller promises.
        unsafe {
            match is_plain {
                true => libmimalloc_sys::mi_realloc(block.cast(), size).cast(),
                false => libmimalloc_sys::mi_realloc_aligned(block.cast(), size, layout.align()).cast(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_as_asked() {
        for align in [1, 2, 4, 8, 16, 32, 64] {
            for size in 1..300 {
                let layout = Layout::from_size_align(size, align).expect("the layout should be one");
                // SAFETY: the size is not zero, and the block goes back with the layout it has.
                unsafe {
                    let block = Allocator.alloc(layout);
                    assert_eq!(block as usize % align, 0, "{layout:?}");
                    let grown = Allocator.realloc(block, layout, size + 40);
                    assert_eq!(grown as usize % align, 0, "{layout:?} grown");
                    Allocator.dealloc(grown, Layout::from_size_align_unchecked(size + 40, align));
                }
            }
        }
    }
}
