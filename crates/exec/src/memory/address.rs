//! Addresses: 64-bit integers in which the object can be read off.
//!
//! ```text
//! 63  62......55  54.......31  30.........0
//!  0  generation     slot         place
//! ```
//!
//! An object owns the two gibibytes of addresses with its slot and generation, and starts somewhere inside them
//! (`base`, a multiple of 64 and of its alignment, and different from slot to slot so that hashes of addresses
//! spread). A pointer and its integer are therefore the same 64 bits, casts in either direction cost nothing, and
//! the bytes of a pointer can be copied one at a time without losing what it points to.
//!
//! Slot 0 holds null and small integers, slot 1 the functions. When an object ends, its slot rests in a queue before
//! it is used again with the next generation, so a stale pointer is recognised until the generations have gone
//! round: 256 uses of the same slot.

/// An address of the analysed program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Address(pub u64);

const SLOT_SHIFT: u32 = 31;
const SLOT_BITS: u32 = 24;
const GENERATION_SHIFT: u32 = SLOT_SHIFT + SLOT_BITS;

/// The slot of the addresses that belong to no object.
pub(crate) const NULL_SLOT: usize = 0;
/// The slot of the functions.
pub(crate) const FUNCTION_SLOT: usize = 1;
/// The first slot that objects use. Globals come first, in the order of the program.
pub(crate) const FIRST_SLOT: usize = 2;
/// The number of slots.
pub(crate) const SLOTS: usize = 1 << SLOT_BITS;
/// The largest size an object can have, so that it and the place one past it stay inside the slot's addresses.
pub const LARGEST_OBJECT: u64 = (1 << SLOT_SHIFT) - (4 << 20);
/// Addresses below this count as null when they are accessed: null plus the offset of a member.
const NULL_PAGES: u64 = 1 << 12;
const FUNCTION_STRIDE: u64 = 16;

impl Address {
    pub const NULL: Address = Address(0);

    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Whether an access here is an access through a null pointer.
    pub fn is_nullish(self) -> bool {
        self.0 < NULL_PAGES
    }

    /// The address `bytes` further on, without any check.
    pub fn plus(self, bytes: u64) -> Address {
        Address(self.0.wrapping_add(bytes))
    }

    /// The address that stands for the function with this number.
    pub fn of_function(index: u32) -> Address {
        Address(((FUNCTION_SLOT as u64) << SLOT_SHIFT) + (u64::from(index) + 1) * FUNCTION_STRIDE)
    }

    /// The number of the function this is the address of.
    pub fn as_function(self) -> Option<u32> {
        let place = self.0.checked_sub((FUNCTION_SLOT as u64) << SLOT_SHIFT)?;
        if place == 0 || !place.is_multiple_of(FUNCTION_STRIDE) || self.0 >> SLOT_SHIFT != FUNCTION_SLOT as u64 {
            return None;
        }
        u32::try_from(place / FUNCTION_STRIDE - 1).ok()
    }

    #[inline(always)]
    pub(crate) fn slot(self) -> usize {
        (self.0 >> SLOT_SHIFT) as usize & (SLOTS - 1)
    }

    /// Where the object in this slot and generation starts.
    pub(crate) fn base(slot: usize, generation: u8, align: u64) -> Address {
        let spread = (slot as u64).wrapping_mul(0x9E37_79B1) & 0xF_FFC0;
        let align = align.clamp(64, 1 << 20);
        let start = spread.next_multiple_of(align);
        Address((u64::from(generation) << GENERATION_SHIFT) | ((slot as u64) << SLOT_SHIFT) | start)
    }
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_read_off_addresses() {
        for slot in [FIRST_SLOT, 3, 77, SLOTS - 1] {
            for generation in [0, 1, 255] {
                let base = Address::base(slot, generation, 64);
                assert_eq!(base.slot(), slot);
                assert_eq!(base.0 % 64, 0);
                assert_eq!(base.plus(LARGEST_OBJECT).slot(), slot, "one past the largest object is still its own");
                assert!(base.0 >> 63 == 0 && !base.is_nullish());
            }
        }
    }

    #[test]
    fn functions_have_addresses_of_their_own() {
        for index in [0, 1, 9999] {
            assert_eq!(Address::of_function(index).as_function(), Some(index));
            assert_eq!(Address::of_function(index).plus(1).as_function(), None);
        }
        assert_eq!(Address::NULL.as_function(), None);
        assert_eq!(Address::base(FIRST_SLOT, 0, 1).as_function(), None);
    }
}
