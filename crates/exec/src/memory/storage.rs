//! Where the bytes of objects are kept: blocks cut out of chunks, and a stack for the objects of calls.
//!
//! Every block is a pair of equally long byte ranges, the data and its *shadow*. A shadow bit is 1 when the data bit
//! under it was written. Blocks up to 256 KiB come from free lists by size class, larger ones are chunks of their
//! own that come zeroed and untouched from the system, so reserving much and using little is cheap.
//!
//! Blocks are raw pointers into chunks that this module owns and never moves; they are valid until the storage is
//! dropped or, for a large block, until it is given back.

use super::OutOfMemory;
use std::ptr;

const CHUNK: usize = 256 << 10;
const STACK_CHUNK: usize = 1 << 20;
/// The smallest block.
pub(crate) const SMALLEST: usize = 16;
/// Sizes that are multiples of 16 up to here have a class each; above, every power of two is one.
const FINE: usize = 1024;
const FINE_CLASSES: usize = FINE / 16;
const CLASSES: usize = FINE_CLASSES + 8;
const LARGE: u8 = u8::MAX;
const ON_STACK: u8 = u8::MAX - 1;

struct Chunk {
    data: Box<[u8]>,
    shadow: Box<[u8]>,
}

impl Chunk {
    fn new(size: usize) -> Chunk {
        Chunk { data: vec![0; size].into_boxed_slice(), shadow: vec![0; size].into_boxed_slice() }
    }
}

/// Room for one object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub data: *mut u8,
    pub shadow: *mut u8,
    class: u8,
    /// The index of the chunk, for a large block.
    large: u32,
}

impl Block {
    pub const NONE: Block = Block { data: ptr::null_mut(), shadow: ptr::null_mut(), class: ON_STACK, large: 0 };
}

/// A height of the stack to come back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mark {
    chunk: u32,
    at: u32,
}

#[derive(Default)]
pub(crate) struct Storage {
    small: Vec<Chunk>,
    /// The chunk being cut up, and how far it is.
    cutting: usize,
    cut: usize,
    free: Vec<Vec<Block>>,
    large: Vec<Option<Chunk>>,
    free_large: Vec<u32>,
    stack: Stack,
}

/// Chunks for the objects of calls.
#[derive(Default)]
pub(crate) struct Stack {
    chunks: Vec<Chunk>,
    top: Mark,
}

fn class_of(size: usize) -> usize {
    let size = size.max(1);
    if size <= FINE {
        size.div_ceil(16) - 1
    } else {
        FINE_CLASSES + (size.next_power_of_two().trailing_zeros() - FINE.trailing_zeros()) as usize - 1
    }
}

fn size_of_class(class: usize) -> usize {
    if class < FINE_CLASSES { (class + 1) * 16 } else { FINE << (class - FINE_CLASSES + 1) }
}

/// The bytes that a block for an object of this size takes.
pub(crate) fn room(size: usize) -> usize {
    if size > CHUNK { size } else { size_of_class(class_of(size)) }
}

/// The same for an object on the stack.
#[inline]
pub(crate) fn room_on_stack(size: usize) -> usize {
    size.max(1).next_multiple_of(SMALLEST)
}

impl Storage {
    pub fn new() -> Storage {
        Storage { free: vec![Vec::new(); CLASSES], ..Storage::default() }
    }

    /// Forgets all blocks, and keeps the chunks for the next run.
    pub fn reset(&mut self) {
        self.cutting = 0;
        self.cut = 0;
        self.free.iter_mut().for_each(Vec::clear);
        self.large.clear();
        self.free_large.clear();
        self.stack.top = Mark::default();
    }

    /// A block whose shadow says "nothing written"; the data is arbitrary, and zero if the block is large. Small blocks
    /// that were given back keep their size, so the chunks of all sizes together are held to `limit` here.
    pub fn take(&mut self, size: usize, limit: u64) -> Result<Block, OutOfMemory> {
        if size > CHUNK {
            return Ok(self.take_large(size));
        }
        let class = class_of(size);
        let block = match self.free[class].pop() {
            Some(block) => block,
            None => self.cut_block(class, limit)?,
        };
        // SAFETY: the block has at least `size` bytes of shadow, see `cut_block`.
        unsafe { ptr::write_bytes(block.shadow, 0, size) };
        Ok(block)
    }

    fn cut_block(&mut self, class: usize, limit: u64) -> Result<Block, OutOfMemory> {
        let size = size_of_class(class);
        if self.cutting < self.small.len() && self.cut + size > CHUNK {
            if ((self.cutting + 1) * CHUNK) as u64 > limit {
                return Err(OutOfMemory);
            }
            self.cutting += 1;
            self.cut = 0;
        }
        if self.cutting == self.small.len() {
            self.small.push(Chunk::new(CHUNK));
            self.cut = 0;
        }
        let chunk = &mut self.small[self.cutting];
        let block = Block {
            data: chunk.data[self.cut..self.cut + size].as_mut_ptr(),
            shadow: chunk.shadow[self.cut..self.cut + size].as_mut_ptr(),
            class: class as u8,
            large: 0,
        };
        self.cut += size;
        Ok(block)
    }

    fn take_large(&mut self, size: usize) -> Block {
        let mut chunk = Chunk::new(size);
        let (data, shadow) = (chunk.data.as_mut_ptr(), chunk.shadow.as_mut_ptr());
        let large = match self.free_large.pop() {
            Some(index) => {
                self.large[index as usize] = Some(chunk);
                index
            }
            None => {
                self.large.push(Some(chunk));
                self.large.len() as u32 - 1
            }
        };
        Block { data, shadow, class: LARGE, large }
    }

    pub fn give_back(&mut self, block: Block) {
        match block.class {
            LARGE => {
                self.large[block.large as usize] = None;
                self.free_large.push(block.large);
            }
            // The stack is cut back as a whole.
            ON_STACK => {}
            class => self.free[class as usize].push(block),
        }
    }

    /// Puts another stack in place of this one.
    pub fn swap_stack(&mut self, other: &mut Stack) {
        std::mem::swap(&mut self.stack, other);
    }

    pub fn mark(&self) -> Mark {
        self.stack.top
    }

    pub fn cut_back(&mut self, mark: Mark) {
        self.stack.top = mark;
    }

    /// Room on top of the stack, with a shadow that says "nothing written".
    #[inline]
    pub fn push(&mut self, size: usize) -> Block {
        let room = room_on_stack(size);
        let at = self.stack.top.at as usize;
        match self.stack.chunks.get_mut(self.stack.top.chunk as usize) {
            Some(chunk) if room <= chunk.data.len() - at => {
                self.stack.top.at += room as u32;
                // SAFETY: `at + room` does not exceed the length of data and shadow, which is one and the same.
                unsafe {
                    let block = Block {
                        data: chunk.data.as_mut_ptr().add(at),
                        shadow: chunk.shadow.as_mut_ptr().add(at),
                        class: ON_STACK,
                        large: 0,
                    };
                    ptr::write_bytes(block.shadow, 0, size);
                    block
                }
            }
            _ => self.push_in_next_chunk(room),
        }
    }

    #[cold]
    fn push_in_next_chunk(&mut self, room: usize) -> Block {
        let Stack { chunks, top } = &mut self.stack;
        let next = if chunks.is_empty() { 0 } else { top.chunk as usize + 1 };
        let length = room.max(STACK_CHUNK);
        if chunks.get(next).is_none_or(|chunk| chunk.data.len() < room) {
            // Chunks above the top hold nothing, so a chunk that is too small can be replaced.
            chunks.truncate(next);
            chunks.push(Chunk::new(length));
        }
        *top = Mark { chunk: next as u32, at: room as u32 };
        let chunk = &mut chunks[next];
        chunk.shadow[..room].fill(0);
        Block { data: chunk.data.as_mut_ptr(), shadow: chunk.shadow.as_mut_ptr(), class: ON_STACK, large: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_fits_its_class() {
        for size in 1..=CHUNK {
            let class = class_of(size);
            assert!(class < CLASSES && size_of_class(class) >= size);
            assert!(class == 0 || size_of_class(class - 1) < size, "the class is the smallest that fits");
        }
    }

    #[test]
    fn the_stack_grows_over_chunks_and_comes_back() {
        let mut storage = Storage::new();
        let first = storage.push(100);
        let mark = storage.mark();
        let big = storage.push(STACK_CHUNK);
        assert_ne!(first.data, big.data);
        storage.cut_back(mark);
        let again = storage.push(STACK_CHUNK);
        assert_eq!(big.data, again.data);
    }
}
