//! The memory of the analysed program: objects with bounds, a life and an account of what was written.
//!
//! Every variable that needs an address, heap block, string literal and library object is an *object*. A pointer is
//! an [`Address`]: 64 bits in which the object can be read off, so that pointers and integers convert into each other
//! freely and pointers survive being copied a byte at a time. Every bit of an object has a shadow bit that tells
//! whether it was written.
//!
//! What is checked, and the rule a violation is reported under:
//!
//! - reads and writes stay inside the object ([`Rule::OutOfBounds`]), go to a live one ([`Rule::UseAfterFree`],
//!   [`Rule::UseAfterScope`]), to an object at all ([`Rule::NullDereference`], [`Rule::InvalidPointer`]), at the
//!   alignment of the accessed type ([`Rule::MisalignedAccess`]);
//! - typed reads and C strings see only written bits ([`Rule::UninitialisedRead`]); copies of memory carry the
//!   shadow along instead;
//! - writes spare string literals and `const` objects ([`Rule::WriteToConstant`]);
//! - only live heap objects are freed, by their start ([`Rule::DoubleFree`], [`Rule::InvalidFree`]).
//!
//! *Guarantee*: none of these is reported for an operation that C defines. Missed: a stale pointer whose slot has
//! been used 256 times since (see [`address`]); arithmetic on integers that leads from one object into another;
//! misalignment that a native run would have because its object lies at an odd address, and any misalignment in a
//! program with packed records; and a read of stale bytes
//! that the program itself copied over a valid object, until the copy is used.
//!
//! *Cost*: an access is an index into the slot table, one comparison for bounds, life and generation together, and
//! one for the shadow. Memory is twice the size of the objects and some 100 bytes each; all of it but the shadow of
//! larger objects counts against the limit.

mod access;
pub mod address;
mod bulk;
mod fault;
mod object;
pub(crate) mod races;
mod reach;
mod storage;

pub use address::{Address, LARGEST_OBJECT};
pub use fault::{Checked, Fault, OutOfMemory};
pub use object::{ObjectInfo, ObjectKind, State};
pub use reach::Kept;

use address::{FIRST_SLOT, FUNCTION_SLOT, SLOTS};
use diagnostics::{Rule, Span};
use object::Object;
use races::Races;
use std::cell::RefCell;
use std::collections::VecDeque;
use storage::{Block, Mark, Storage};

/// What an access needs to know of a slot. An ended object has sizes of zero, so that one comparison refuses it.
#[derive(Clone, Copy)]
struct Slot {
    base: u64,
    /// Bytes that may be read.
    readable: u32,
    /// Bytes that may be written: none of a constant.
    writable: u32,
    data: *mut u8,
    shadow: *mut u8,
}

/// How many ended objects rest before the first slot is used again. Few on the stack, to stay in the cache.
const HEAP_REST: usize = 4096;
const STACK_REST: usize = 256;
/// What an object costs beyond the room for its bytes, for the budget: its records, twice because the tables are copied
/// as they grow, and the shadow of a block of the smallest size. Programs that hold millions of tiny objects would
/// otherwise use several times what they may.
const OVERHEAD: u64 = (2 * (size_of::<Slot>() + size_of::<Object<'static>>()) + storage::SMALLEST) as u64;

/// The objects of the calls of one thread.
#[derive(Default)]
pub(crate) struct CallStack {
    stack: Vec<(u32, Mark)>,
    stack_bytes: u64,
    storage: storage::Stack,
}

/// A height of the stack of call objects, to come back to.
#[derive(Clone, Copy, Debug, Default)]
pub struct StackMark {
    objects: u32,
    storage: Mark,
}

pub struct Memory<'p> {
    slots: Vec<Slot>,
    objects: Vec<Object<'p>>,
    storage: Storage,
    /// The slots of the objects on the stack, in the order they were made, with the height below each.
    stack: Vec<(u32, Mark)>,
    /// The sizes of these objects together.
    stack_bytes: u64,
    resting_heap: VecDeque<u32>,
    resting_stack: VecDeque<u32>,
    used: u64,
    limit: u64,
    /// Whether accesses at any address are allowed (see [`Memory::set_lenient`]).
    lenient: bool,
    /// Whether accesses are noted in `races`.
    watching: bool,
    races: RefCell<Races>,
}

// SAFETY: the raw pointers lead into chunks that the storage owns, and nothing else has them.
unsafe impl Send for Memory<'_> {}

impl<'p> Memory<'p> {
    /// An empty memory. `limit` is the number of bytes that may be in use at a time.
    pub fn new(limit: u64) -> Memory<'p> {
        let mut memory = Memory {
            slots: Vec::new(),
            objects: Vec::new(),
            storage: Storage::new(),
            stack: Vec::new(),
            stack_bytes: 0,
            resting_heap: VecDeque::new(),
            resting_stack: VecDeque::new(),
            used: 0,
            limit,
            lenient: false,
            watching: false,
            races: RefCell::default(),
        };
        memory.reset(limit);
        memory
    }

    /// Ends all objects and starts anew, keeping the room.
    pub fn reset(&mut self, limit: u64) {
        self.slots.clear();
        self.objects.clear();
        self.stack.clear();
        self.stack_bytes = 0;
        self.resting_heap.clear();
        self.resting_stack.clear();
        self.storage.reset();
        self.used = 0;
        self.limit = limit;
        self.watching = false;
        self.races = RefCell::default();
        for slot in 0..FIRST_SLOT {
            let base = if slot == FUNCTION_SLOT { Address::of_function(0).0 } else { u64::MAX };
            let nothing = std::ptr::null_mut();
            self.slots.push(Slot { base, readable: 0, writable: 0, data: nothing, shadow: nothing });
            self.objects.push(Object {
                size: 0,
                kind: ObjectKind::Library,
                state: State::Live,
                is_const: true,
                generation: 0,
                name: "",
                made: Span::NONE,
                ended: Span::NONE,
                block: Block::NONE,
            });
        }
    }

    /// Bytes in use, with what objects cost besides their contents.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts an object against the limit, with the room that `room_for` says its bytes take.
    fn reserve(&mut self, size: u64, room_for: fn(usize) -> usize) -> Result<(), OutOfMemory> {
        if size > LARGEST_OBJECT {
            return Err(OutOfMemory);
        }
        let used = self.used + room_for(size as usize) as u64 + OVERHEAD;
        if used > self.limit {
            return Err(OutOfMemory);
        }
        self.used = used;
        Ok(())
    }

    /// A slot that is free for use, with the generation it is in.
    fn free_slot(&mut self, on_stack: bool) -> Result<(usize, u8), OutOfMemory> {
        let (resting, rest) =
            if on_stack { (&mut self.resting_stack, STACK_REST) } else { (&mut self.resting_heap, HEAP_REST) };
        let slot = if resting.len() > rest { resting.pop_front() } else { None };
        if let Some(slot) = slot {
            let slot = slot as usize;
            return Ok((slot, self.objects[slot].generation.wrapping_add(1)));
        }
        let slot = self.slots.len();
        if slot >= SLOTS {
            return Err(OutOfMemory);
        }
        self.slots.push(self.slots[address::NULL_SLOT]);
        self.objects.push(self.objects[address::NULL_SLOT]);
        Ok((slot, 0))
    }

    fn install(&mut self, slot: usize, align: u64, object: Object<'p>) -> Address {
        let base = Address::base(slot, object.generation, align);
        self.slots[slot] = Slot {
            base: base.0,
            readable: object.size as u32,
            writable: if object.is_const { 0 } else { object.size as u32 },
            data: object.block.data,
            shadow: object.block.shadow,
        };
        self.objects[slot] = object;
        base
    }

    /// Makes an object that lives until the end of the run, or until [`Memory::free`] if it is of kind `Heap`.
    /// Its bytes are unwritten; `is_const` objects are given their value with [`Memory::initialise`].
    pub fn allocate(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        is_const: bool,
        name: &'p str,
        made: Span,
    ) -> Result<Address, OutOfMemory> {
        self.reserve(size, storage::room)?;
        let (slot, generation) = self.free_slot(false)?;
        let block = self.storage.take(size as usize, self.limit)?;
        let object =
            Object { size, kind, state: State::Live, is_const, generation, name, made, ended: Span::NONE, block };
        Ok(self.install(slot, align, object))
    }

    /// The allocation of `malloc` and, with `zeroed`, of `calloc`: aligned to 16 bytes.
    pub fn allocate_heap(&mut self, size: u64, zeroed: bool, made: Span) -> Result<Address, OutOfMemory> {
        let address = self.allocate(ObjectKind::Heap, size, 16, false, "", made)?;
        if zeroed {
            self.zero_whole(address);
        }
        Ok(address)
    }

    /// An object of the library, zeroed and writable: `errno`, a `FILE`, the buffer of `asctime`.
    pub fn allocate_library(&mut self, size: u64, name: &'p str) -> Result<Address, OutOfMemory> {
        let address = self.allocate(ObjectKind::Library, size, 16, false, name, Span::NONE)?;
        self.zero_whole(address);
        Ok(address)
    }

    /// A string of the library with its terminating zero: an element of `argv`, the answer of `strerror`.
    pub fn allocate_string(&mut self, bytes: &[u8], is_const: bool, name: &'p str) -> Result<Address, OutOfMemory> {
        let size = bytes.len() as u64 + 1;
        let address = self.allocate(ObjectKind::Library, size, 1, is_const, name, Span::NONE)?;
        self.initialise(address, 0, bytes);
        self.initialise(address, bytes.len() as u64, &[0]);
        Ok(address)
    }

    /// Writes the first value of an object that was just made, constant or not.
    pub fn initialise(&mut self, object: Address, offset: u64, bytes: &[u8]) {
        let slot = &self.slots[object.slot()];
        let size = self.objects[object.slot()].size;
        assert!(
            offset + bytes.len() as u64 <= size,
            "an initial value should lie inside its object, because the program was verified"
        );
        // SAFETY: the range lies inside the object, whose block has room for data and shadow of its size.
        unsafe {
            slot.data.add(offset as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            slot.shadow.add(offset as usize).write_bytes(0xFF, bytes.len());
        }
    }

    /// Allows accesses at any address. In a program with packed records a pointer to a member may be misaligned because
    /// the compiler put the member there; compilers for x86-64 read and write through it all the same, and what else is
    /// misaligned cannot be told apart from that.
    pub(crate) fn set_lenient(&mut self, lenient: bool) {
        self.lenient = lenient;
    }

    /// Where the object in a slot starts.
    pub(crate) fn start_of_slot(&self, slot: u32) -> Address {
        Address(self.slots[slot as usize].base)
    }

    /// Makes a whole object zero, constant or not.
    pub(crate) fn zero_whole(&mut self, object: Address) {
        let slot = &self.slots[object.slot()];
        let size = self.objects[object.slot()].size as usize;
        // SAFETY: the block of an object has room for data and shadow of its size.
        unsafe {
            slot.data.write_bytes(0, size);
            slot.shadow.write_bytes(0xFF, size);
        }
    }

    /// Forgets what a whole object holds: a declaration is reached again. Wakes it if its scope had ended.
    pub(crate) fn forget(&mut self, object: Address) {
        let at = object.slot();
        self.forget_accesses(Address(self.slots[at].base));
        let Object { size, is_const, block, .. } = self.objects[at];
        self.objects[at].state = State::Live;
        let slot = &mut self.slots[at];
        slot.readable = size as u32;
        slot.writable = if is_const { 0 } else { size as u32 };
        // SAFETY: the block of an object has room for a shadow of its size.
        unsafe { block.shadow.write_bytes(0, size as usize) };
    }

    /// Lets a constant local be written while it is given its value, or no more.
    pub(crate) fn set_writable(&mut self, object: Address, writable: bool) {
        let slot = &mut self.slots[object.slot()];
        slot.writable = if writable { slot.readable } else { 0 };
    }

    /// Ends the scope of an object that stays on the stack until its call returns.
    pub(crate) fn end_scope(&mut self, object: Address, at: Span) {
        let index = object.slot();
        self.slots[index].readable = 0;
        self.slots[index].writable = 0;
        self.objects[index].state = State::ScopeEnded;
        self.objects[index].ended = at;
    }

    /// Puts another thread's stack in place of the current one.
    pub(crate) fn swap_stack(&mut self, other: &mut CallStack) {
        std::mem::swap(&mut self.stack, &mut other.stack);
        std::mem::swap(&mut self.stack_bytes, &mut other.stack_bytes);
        self.storage.swap_stack(&mut other.storage);
    }

    /// Ends the scope of an object; whether it is one of variable length, whose room comes free.
    pub(crate) fn end_scope_of(&mut self, object: Address, at: Span) -> bool {
        if self.objects[object.slot()].kind != ObjectKind::Dynamic {
            self.end_scope(object, at);
            return false;
        }
        self.end_object(object, at);
        true
    }

    /// The height of the stack now.
    #[inline]
    pub(crate) fn stack_mark(&self) -> StackMark {
        StackMark { objects: self.stack.len() as u32, storage: self.storage.mark() }
    }

    /// Bytes of the objects on the stack.
    #[inline]
    pub(crate) fn stack_bytes(&self) -> u64 {
        self.stack_bytes
    }

    /// Whether nothing was put on the stack since the mark.
    #[inline]
    pub(crate) fn is_at(&self, mark: StackMark) -> bool {
        self.stack.len() == mark.objects as usize
    }

    /// Makes an object on the stack.
    pub(crate) fn push_object(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        is_const: bool,
        name: &'p str,
        made: Span,
    ) -> Result<Address, OutOfMemory> {
        self.reserve(size, storage::room_on_stack)?;
        let (slot, generation) = self.free_slot(true)?;
        let below = self.storage.mark();
        let block = self.storage.push(size as usize);
        self.stack.push((slot as u32, below));
        self.stack_bytes += size;
        let object =
            Object { size, kind, state: State::Live, is_const, generation, name, made, ended: Span::NONE, block };
        Ok(self.install(slot, align, object))
    }

    /// Ends an object of the stack early: an array of variable length that is declared again. Its room comes free
    /// if nothing was put on top of it.
    pub(crate) fn end_object(&mut self, object: Address, at: Span) {
        match self.stack.last() {
            Some(&(slot, storage)) if slot as usize == object.slot() => {
                let mark = StackMark { objects: self.stack.len() as u32 - 1, storage };
                self.cut_stack(mark, at);
            }
            _ => self.end_scope(object, at),
        }
    }

    /// Ends the objects that were put on the stack since the mark.
    pub(crate) fn cut_stack(&mut self, mark: StackMark, at: Span) {
        while self.stack.len() > mark.objects as usize {
            let (slot, _) =
                self.stack.pop().expect("the stack should not be empty, because it is longer than the mark");
            let index = slot as usize;
            self.forget_accesses(Address(self.slots[index].base));
            self.slots[index].readable = 0;
            self.slots[index].writable = 0;
            let object = &mut self.objects[index];
            self.used -= storage::room_on_stack(object.size as usize) as u64 + OVERHEAD;
            self.stack_bytes -= object.size;
            object.state = State::ScopeEnded;
            object.ended = at;
            self.resting_stack.push_back(slot);
        }
        self.storage.cut_back(mark.storage);
    }

    /// The `free` of C: `address` is null or the start of a live heap object.
    pub fn free(&mut self, address: Address, at: Span) -> Checked<()> {
        if address.is_null() {
            return Ok(());
        }
        self.check_freeable(address, "free")?;
        self.note_end(address)?;
        self.forget_accesses(address);
        let index = address.slot();
        self.slots[index].readable = 0;
        self.slots[index].writable = 0;
        let object = &mut self.objects[index];
        object.state = State::Freed;
        object.ended = at;
        self.used -= storage::room(object.size as usize) as u64 + OVERHEAD;
        self.storage.give_back(object.block);
        object.block = Block::NONE;
        self.resting_heap.push_back(index as u32);
        Ok(())
    }

    fn check_freeable(&self, address: Address, verb: &str) -> Checked<()> {
        let Some(info) = self.info(address) else {
            return Err(Fault::new(Rule::InvalidFree, format!("{verb} of {address:?}, which is not in any object")));
        };
        if info.kind != ObjectKind::Heap {
            let message = format!("{verb} of a pointer into {}, which malloc did not return", info.title());
            return Err(self.explain(address, Fault::new(Rule::InvalidFree, message)));
        }
        if info.state == State::Freed {
            let message = format!("{verb} of {}, which was freed before", info.title());
            return Err(self.explain(address, Fault::new(Rule::DoubleFree, message)));
        }
        if info.offset != 0 {
            let message = format!("{verb} of a pointer to offset {} of {}", info.offset, info.title());
            return Err(self.explain(address, Fault::new(Rule::InvalidFree, message)));
        }
        Ok(())
    }

    /// The `realloc` of C for a request that is granted: the object moves, always, and its contents with it.
    pub fn reallocate(&mut self, address: Address, size: u64, at: Span) -> Checked<Result<Address, OutOfMemory>> {
        if address.is_null() {
            return Ok(self.allocate_heap(size, false, at));
        }
        self.check_freeable(address, "realloc")?;
        let old = self.objects[address.slot()].size;
        let new = match self.allocate_heap(size, false, at) {
            Ok(new) => new,
            Err(out) => return Ok(Err(out)),
        };
        self.copy(new, address, old.min(size))?;
        self.free(address, at)?;
        Ok(Ok(new))
    }

    /// The object that an address belongs to, live or ended, as long as its slot is not in use again.
    pub fn info(&self, address: Address) -> Option<ObjectInfo<'p>> {
        let index = address.slot();
        if index < FIRST_SLOT {
            return None;
        }
        let slot = self.slots.get(index)?;
        let object = &self.objects[index];
        if slot.base >> 55 != address.0 >> 55 {
            return None;
        }
        Some(ObjectInfo {
            kind: object.kind,
            state: object.state,
            size: object.size,
            offset: address.0.wrapping_sub(slot.base) as i64,
            is_const: object.is_const,
            name: object.name,
            made: object.made,
            ended: object.ended,
        })
    }

    /// Adds the notes that tell where the object of the address was made and where it ended.
    pub fn explain(&self, address: Address, mut fault: Box<Fault>) -> Box<Fault> {
        let Some(info) = self.info(address) else { return fault };
        if !info.made.is_none() {
            let verb = if info.kind == ObjectKind::Heap { "allocated" } else { "declared" };
            fault = fault.with_note(info.made, format!("{} is {verb} here", info.title()));
        }
        if !info.ended.is_none() && info.state != State::Live {
            let what = if info.state == State::Freed { "it was freed here" } else { "its lifetime ended here" };
            fault = fault.with_note(info.ended, what);
        }
        fault
    }
}

#[cfg(test)]
mod tests;
