//! Typed reads and writes, and pointer arithmetic.

use super::address::FIRST_SLOT;
use super::object::count;
use super::{Address, Checked, Fault, Memory, Slot, State};
use diagnostics::Rule;

/// What an access wanted, for the explanation of a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

macro_rules! typed {
    ($($load:ident $store:ident $ty:ident)*) => { $(
        #[doc = concat!("Reads a `", stringify!($ty), "`, all of whose bits must have been written, at an aligned address.")]
        #[inline(always)]
        pub fn $load(&self, address: Address) -> Checked<$ty> {
            self.load::<{ size_of::<$ty>() }>(address, size_of::<$ty>() as u64).map($ty::from_le_bytes)
        }

        #[doc = concat!("Writes a `", stringify!($ty), "` at an aligned address.")]
        #[inline(always)]
        pub fn $store(&mut self, address: Address, value: $ty) -> Checked<()> {
            self.store(address, size_of::<$ty>() as u64, value.to_le_bytes())
        }
    )* };
}

impl Slot {
    /// Data and shadow at an offset.
    ///
    /// # Safety
    /// `offset + N` does not exceed the size of the object.
    #[inline(always)]
    unsafe fn bytes<const N: usize>(&self, offset: usize) -> ([u8; N], [u8; N]) {
        // SAFETY: the caller keeps inside the object, whose block has room for data and shadow of its size.
        unsafe {
            (
                self.data.add(offset).cast::<[u8; N]>().read_unaligned(),
                self.shadow.add(offset).cast::<[u8; N]>().read_unaligned(),
            )
        }
    }

    /// Sets data, and the shadow to "written".
    ///
    /// # Safety
    /// `offset + N` does not exceed the size of the object.
    #[inline(always)]
    unsafe fn set_bytes<const N: usize>(&self, offset: usize, bytes: [u8; N]) {
        // SAFETY: the caller keeps inside the object, whose block has room for data and shadow of its size.
        unsafe {
            self.data.add(offset).cast::<[u8; N]>().write_unaligned(bytes);
            self.shadow.add(offset).cast::<[u8; N]>().write_unaligned([0xFF; N]);
        }
    }
}

impl Memory<'_> {
    /// The slot of an address, and the offset in it, if `length` bytes may be read there.
    #[inline(always)]
    pub(super) fn readable(&self, address: Address, length: u64) -> Option<(&Slot, usize)> {
        let slot = self.slots.get(address.slot())?;
        let offset = address.0.wrapping_sub(slot.base);
        // With a length of zero the place one past the end is fine; `length.max(1)` would refuse it.
        (offset < (u64::from(slot.readable) + 1).saturating_sub(length)).then_some((slot, offset as usize))
    }

    #[inline(always)]
    pub(super) fn writable(&self, address: Address, length: u64) -> Option<(&Slot, usize)> {
        let slot = self.slots.get(address.slot())?;
        let offset = address.0.wrapping_sub(slot.base);
        (offset < (u64::from(slot.writable) + 1).saturating_sub(length)).then_some((slot, offset as usize))
    }

    /// Reads `N` bytes, all of whose bits must have been written. `align` is a power of two.
    #[inline(always)]
    pub fn load<const N: usize>(&self, address: Address, align: u64) -> Checked<[u8; N]> {
        if let Some((slot, offset)) = self.readable(address, N as u64)
            && address.0 & (align - 1) == 0
        {
            // SAFETY: `readable` made sure that the N bytes lie inside the object, and so inside its block.
            let (data, shadow) = unsafe { slot.bytes::<N>(offset) };
            if shadow == [0xFF; N] {
                if self.watching {
                    self.note(Access::Read, address, N as u64)?;
                }
                return Ok(data);
            }
        }
        if self.forgives(address, align) {
            return self.load(address, 1);
        }
        Err(self.refuse(Access::Read, address, N as u64, align))
    }

    /// Whether the misalignment of an address, if there is any, is to be overlooked.
    fn forgives(&self, address: Address, align: u64) -> bool {
        self.lenient && address.0 & (align - 1) != 0
    }

    /// Writes `N` bytes.
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, address: Address, align: u64, bytes: [u8; N]) -> Checked<()> {
        if let Some((slot, offset)) = self.writable(address, N as u64)
            && address.0 & (align - 1) == 0
        {
            if self.watching {
                self.note(Access::Write, address, N as u64)?;
            }
            // SAFETY: `writable` made sure that the N bytes lie inside the object, and so inside its block.
            unsafe { slot.set_bytes(offset, bytes) };
            return Ok(());
        }
        if self.forgives(address, align) {
            return self.store(address, 1, bytes);
        }
        Err(self.refuse(Access::Write, address, N as u64, align))
    }

    /// Reads `N` bytes `delta` bytes away from `base`, in the object of `base`.
    #[inline(always)]
    pub(crate) fn load_at<const N: usize>(&self, base: Address, delta: i64) -> Checked<[u8; N]> {
        let address = base.plus(delta as u64);
        if let Some(slot) = self.slots.get(base.slot()) {
            let offset = address.0.wrapping_sub(slot.base);
            if offset < (u64::from(slot.readable) + 1).saturating_sub(N as u64) && address.0 & (N as u64 - 1) == 0 {
                // SAFETY: the N bytes lie inside the object, and so inside its block.
                let (data, shadow) = unsafe { slot.bytes::<N>(offset as usize) };
                if shadow == [0xFF; N] {
                    if self.watching {
                        self.note(Access::Read, address, N as u64)?;
                    }
                    return Ok(data);
                }
            }
        }
        if address.slot() == base.slot() && self.forgives(address, N as u64) {
            return self.load(address, 1);
        }
        Err(self.refuse_at(Access::Read, base, delta, N as u64))
    }

    /// Writes `N` bytes `delta` bytes away from `base`, in the object of `base`.
    #[inline(always)]
    pub(crate) fn store_at<const N: usize>(&mut self, base: Address, delta: i64, bytes: [u8; N]) -> Checked<()> {
        let address = base.plus(delta as u64);
        if let Some(slot) = self.slots.get(base.slot()) {
            let offset = address.0.wrapping_sub(slot.base);
            if offset < (u64::from(slot.writable) + 1).saturating_sub(N as u64) && address.0 & (N as u64 - 1) == 0 {
                if self.watching {
                    self.note(Access::Write, address, N as u64)?;
                }
                // SAFETY: the N bytes lie inside the object, and so inside its block.
                unsafe { slot.set_bytes(offset as usize, bytes) };
                return Ok(());
            }
        }
        if address.slot() == base.slot() && self.forgives(address, N as u64) {
            return self.store(address, 1, bytes);
        }
        Err(self.refuse_at(Access::Write, base, delta, N as u64))
    }

    /// Reads `N` bytes at an aligned offset of a global, which is in a slot known beforehand.
    #[inline(always)]
    pub(crate) fn load_in<const N: usize>(&self, slot: u32, offset: u64) -> Checked<[u8; N]> {
        let slot = &self.slots[slot as usize];
        if offset < (u64::from(slot.readable) + 1).saturating_sub(N as u64) && offset & (N as u64 - 1) == 0 {
            // SAFETY: the N bytes lie inside the object, and so inside its block.
            let (data, shadow) = unsafe { slot.bytes::<N>(offset as usize) };
            if shadow == [0xFF; N] {
                if self.watching {
                    self.note(Access::Read, Address(slot.base).plus(offset), N as u64)?;
                }
                return Ok(data);
            }
        }
        Err(self.refuse_at(Access::Read, Address(slot.base), offset as i64, N as u64))
    }

    /// Writes `N` bytes at an aligned offset of a global.
    #[inline(always)]
    pub(crate) fn store_in<const N: usize>(&mut self, slot: u32, offset: u64, bytes: [u8; N]) -> Checked<()> {
        let slot = &self.slots[slot as usize];
        if offset < (u64::from(slot.writable) + 1).saturating_sub(N as u64) && offset & (N as u64 - 1) == 0 {
            if self.watching {
                self.note(Access::Write, Address(slot.base).plus(offset), N as u64)?;
            }
            // SAFETY: the N bytes lie inside the object, and so inside its block.
            unsafe { slot.set_bytes(offset as usize, bytes) };
            return Ok(());
        }
        Err(self.refuse_at(Access::Write, Address(slot.base), offset as i64, N as u64))
    }

    typed! {
        load_u8 store_u8 u8
        load_u16 store_u16 u16
        load_u32 store_u32 u32
        load_u64 store_u64 u64
        load_u128 store_u128 u128
        load_i32 store_i32 i32
        load_i64 store_i64 i64
        load_f32 store_f32 f32
        load_f64 store_f64 f64
    }

    /// Reads a pointer.
    pub fn load_pointer(&self, address: Address) -> Checked<Address> {
        self.load_u64(address).map(Address)
    }

    /// Writes a pointer.
    pub fn store_pointer(&mut self, address: Address, value: Address) -> Checked<()> {
        self.store_u64(address, value.0)
    }

    /// Reads the bits `first..first + width` counted from the lowest bit at `address`, which must all have been
    /// written. At most 128 bits.
    pub fn load_bits(&self, address: Address, first: u64, width: u32) -> Checked<u128> {
        let start = address.plus(first / 8);
        let shift = first % 8;
        let length = (shift + u64::from(width)).div_ceil(8);
        let Some((slot, offset)) = self.readable(start, length) else {
            return Err(self.refuse(Access::Read, start, length, 1));
        };
        if self.watching {
            self.note(Access::Read, start, length)?;
        }
        let (mut value, mut written) = (0u128, 0u128);
        for i in 0..length as usize {
            // SAFETY: `readable` made sure that `length` bytes lie inside the object.
            let (data, shadow) = unsafe { (*slot.data.add(offset + i), *slot.shadow.add(offset + i)) };
            let place = i as i64 * 8 - shift as i64;
            value |= shifted(data, place);
            written |= shifted(shadow, place);
        }
        let mask = mask(width);
        if written & mask != mask {
            return Err(self.refuse_unwritten(start, length));
        }
        Ok(value & mask)
    }

    /// Writes the bits `first..first + width` counted from the lowest bit at `address`.
    pub fn store_bits(&mut self, address: Address, first: u64, width: u32, value: u128) -> Checked<()> {
        let start = address.plus(first / 8);
        let shift = first % 8;
        let length = (shift + u64::from(width)).div_ceil(8);
        let Some((slot, offset)) = self.writable(start, length) else {
            return Err(self.refuse(Access::Write, start, length, 1));
        };
        if self.watching {
            self.note(Access::Write, start, length)?;
        }
        let mask = mask(width);
        let value = value & mask;
        for i in 0..length as usize {
            let place = i as i64 * 8 - shift as i64;
            let (bits, ones) = (byte_at(value, place), byte_at(mask, place));
            // SAFETY: `writable` made sure that `length` bytes lie inside the object.
            unsafe {
                let data = slot.data.add(offset + i);
                *data = (*data & !ones) | bits;
                *slot.shadow.add(offset + i) |= ones;
            }
        }
        Ok(())
    }

    /// The address `bytes` away from `base`, which must stay inside the object or one past its end. Arithmetic on
    /// integers made pointers and on pointers to ended objects is not judged: C programs compute with the latter
    /// after `realloc`, and the access that matters is checked.
    #[inline(always)]
    pub fn offset(&self, base: Address, bytes: i64) -> Checked<Address> {
        let target = base.0.wrapping_add(bytes as u64);
        if let Some(slot) = self.slots.get(base.slot()) {
            let offset = target.wrapping_sub(slot.base);
            if offset <= u64::from(slot.readable) && base.0.wrapping_sub(slot.base) <= u64::from(slot.readable) {
                return Ok(Address(target));
            }
        }
        self.judge_offset(base, bytes)
    }

    #[cold]
    #[inline(never)]
    fn judge_offset(&self, base: Address, bytes: i64) -> Checked<Address> {
        let target = Address(base.0.wrapping_add(bytes as u64));
        if base.is_null() && bytes != 0 {
            let message = format!("{} added to a null pointer", count(bytes.unsigned_abs(), "byte"));
            return Err(Fault::new(Rule::InvalidPointer, message));
        }
        match self.info(base) {
            Some(info) if info.state == State::Live => {
                let message = format!(
                    "pointer arithmetic leads to offset {} of {}, outside the object",
                    info.offset.wrapping_add(bytes),
                    info.title()
                );
                Err(self.explain(base, Fault::new(Rule::OutOfBounds, message)))
            }
            _ => Ok(target),
        }
    }

    /// Makes sure that two pointers may be ordered or subtracted: they belong to one object. Null and integers made
    /// pointers are not judged.
    #[inline(always)]
    pub fn same_object(&self, a: Address, b: Address, verb: &str) -> Checked<()> {
        if a.0 >> 31 == b.0 >> 31 { Ok(()) } else { self.judge_pair(a, b, verb) }
    }

    #[cold]
    #[inline(never)]
    fn judge_pair(&self, a: Address, b: Address, verb: &str) -> Checked<()> {
        let (Some(first), Some(second)) = (self.info(a), self.info(b)) else { return Ok(()) };
        let message = format!("{verb} of pointers into different objects, {} and {}", first.title(), second.title());
        let fault = self.explain(a, Fault::new(Rule::InvalidPointer, message));
        Err(self.explain(b, fault))
    }

    /// Makes sure that a pointer that is used has a value: not where its object is gone (6.2.4p2).
    #[inline]
    pub(crate) fn judge_value(&self, pointer: Address) -> Checked<()> {
        match self.slots.get(pointer.slot()) {
            Some(slot) if slot.readable == 0 && pointer.slot() >= FIRST_SLOT => self.judge_ended(pointer),
            _ => Ok(()),
        }
    }

    #[cold]
    fn judge_ended(&self, pointer: Address) -> Checked<()> {
        let Some(info) = self.info(pointer) else { return Ok(()) };
        let (rule, why) = match info.state {
            State::Live => return Ok(()),
            State::Freed => (Rule::UseAfterFree, "was freed"),
            State::ScopeEnded => (Rule::UseAfterScope, "has ended"),
        };
        let message =
            format!("the value of a pointer into {} is used, which {why}: it has none any more", info.title());
        Err(self.explain(pointer, Fault::new(rule, message)))
    }

    /// Makes sure that `length` bytes at `address` may be read; what they hold does not matter.
    pub fn check_readable(&self, address: Address, length: u64) -> Checked<()> {
        match self.readable(address, length) {
            Some(_) => Ok(()),
            None => Err(self.refuse(Access::Read, address, length, 1)),
        }
    }

    /// Makes sure that `length` bytes at `address` may be written.
    pub fn check_writable(&self, address: Address, length: u64) -> Checked<()> {
        match self.writable(address, length) {
            Some(_) => Ok(()),
            None => Err(self.refuse(Access::Write, address, length, 1)),
        }
    }

    /// Why an access is refused.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(&self, access: Access, address: Address, length: u64, align: u64) -> Box<Fault> {
        let verb = if access == Access::Read { "read" } else { "write" };
        let bytes = count(length, "byte");
        if address.is_nullish() {
            let message = if address.is_null() {
                format!("{verb} of {bytes} through a null pointer")
            } else {
                format!("{verb} of {bytes} through a null pointer plus {}", address.0)
            };
            return Fault::new(Rule::NullDereference, message);
        }
        let Some(info) = self.info(address) else {
            let message = if address.as_function().is_some() {
                format!("{verb} of {bytes} at the address of a function")
            } else {
                format!("{verb} of {bytes} at {address:?}, which is not in any object")
            };
            return Fault::new(Rule::InvalidPointer, message);
        };
        let inside = info.offset >= 0 && (info.offset as u64).saturating_add(length) <= info.size;
        let (rule, message) = match info.state {
            State::Freed => (Rule::UseAfterFree, format!("{verb} of {bytes} in {}, which was freed", info.title())),
            State::ScopeEnded => {
                (Rule::UseAfterScope, format!("{verb} of {bytes} in {}, whose lifetime has ended", info.title()))
            }
            State::Live if !inside => {
                (Rule::OutOfBounds, format!("{verb} of {bytes} at offset {} of {}", info.offset, info.title()))
            }
            State::Live if address.0 & (align - 1) != 0 => (
                Rule::MisalignedAccess,
                format!(
                    "{verb} of {bytes} at offset {} of {}, an address that is no multiple of {align}",
                    info.offset,
                    info.title()
                ),
            ),
            State::Live if access == Access::Write => {
                (Rule::WriteToConstant, format!("{verb} of {bytes} in {}, which is constant", info.title()))
            }
            State::Live => return self.refuse_unwritten(address, length),
        };
        self.explain(address, Fault::new(rule, message))
    }

    /// Why an access `delta` bytes away from `base` is refused. The address may lie among those of another object.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_at(&self, access: Access, base: Address, delta: i64, length: u64) -> Box<Fault> {
        let address = base.plus(delta as u64);
        match self.info(base) {
            Some(info) if info.state == State::Live && address.0 >> 31 != base.0 >> 31 => {
                let verb = if access == Access::Read { "read" } else { "write" };
                let offset = i128::from(info.offset) + i128::from(delta);
                let message = format!("{verb} of {} at offset {offset} of {}", count(length, "byte"), info.title());
                self.explain(base, Fault::new(Rule::OutOfBounds, message))
            }
            None if base.is_nullish() => self.refuse(access, base, length, 1),
            _ => self.refuse(access, address, length, length.next_power_of_two()),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn refuse_unwritten(&self, address: Address, length: u64) -> Box<Fault> {
        let (title, offset) = match self.info(address) {
            Some(info) => (info.title(), info.offset),
            None => (String::from("an object"), 0),
        };
        let bytes = count(length, "byte");
        let message = format!("read of {bytes} at offset {offset} of {title}, not all of which were written");
        self.explain(address, Fault::new(Rule::UninitialisedRead, message))
    }
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The byte with its lowest bit at `place` of the result.
fn shifted(byte: u8, place: i64) -> u128 {
    if place >= 0 { u128::from(byte) << place } else { u128::from(byte) >> -place }
}

/// The byte of `bits` with its lowest bit at `place`.
fn byte_at(bits: u128, place: i64) -> u8 {
    (if place >= 0 { bits >> place } else { bits << -place }) as u8
}
