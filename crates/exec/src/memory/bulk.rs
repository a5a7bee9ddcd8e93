//! Ranges of bytes: what the string and stream functions of the library work on, and the copy of records.

use super::access::Access;
use super::{Address, Checked, Memory};

impl Memory<'_> {
    /// The bytes of a range, all of which must have been written.
    pub fn read(&self, address: Address, length: u64) -> Checked<&[u8]> {
        if length == 0 {
            return Ok(&[]);
        }
        let Some((slot, offset)) = self.readable(address, length) else {
            return Err(self.refuse(Access::Read, address, length, 1));
        };
        if self.watching {
            self.note(Access::Read, address, length)?;
        }
        // SAFETY: `readable` made sure that the range lies inside the object. The slices borrow the memory, so
        // nothing writes while they are in use.
        let (data, shadow) = unsafe {
            (
                std::slice::from_raw_parts(slot.data.add(offset), length as usize),
                std::slice::from_raw_parts(slot.shadow.add(offset), length as usize),
            )
        };
        match shadow.iter().position(|&written| written != 0xFF) {
            None => Ok(data),
            Some(first) => Err(self.refuse_unwritten(address.plus(first as u64), 1)),
        }
    }

    /// The bytes of a range of a live object, and for each the bits that were written; `None` if it is not inside one.
    pub(crate) fn view(&self, address: Address, length: u64) -> Option<(&[u8], &[u8])> {
        if length == 0 {
            return Some((&[], &[]));
        }
        let (slot, offset) = self.readable(address, length)?;
        // SAFETY: `readable` made sure that the range lies inside the object. The slices borrow the memory, so
        // nothing writes while they are in use.
        Some(unsafe {
            (
                std::slice::from_raw_parts(slot.data.add(offset), length as usize),
                std::slice::from_raw_parts(slot.shadow.add(offset), length as usize),
            )
        })
    }

    /// Bits of a range that nobody wrote are zero from here on, and count as written. Does nothing outside of objects.
    pub(crate) fn settle(&mut self, address: Address, length: u64) {
        let Some((slot, offset)) = self.readable(address, length) else { return };
        for i in offset..offset + length as usize {
            // SAFETY: `readable` made sure that the range lies inside the object.
            unsafe {
                *slot.data.add(i) &= *slot.shadow.add(i);
                *slot.shadow.add(i) = 0xFF;
            }
        }
    }

    /// Writes a range of bytes.
    pub fn write(&mut self, address: Address, bytes: &[u8]) -> Checked<()> {
        let length = bytes.len() as u64;
        if length == 0 {
            return Ok(());
        }
        let Some((slot, offset)) = self.writable(address, length) else {
            return Err(self.refuse(Access::Write, address, length, 1));
        };
        if self.watching {
            self.note(Access::Write, address, length)?;
        }
        // SAFETY: `writable` made sure that the range lies inside the object. `bytes` is no part of it: a slice of
        // this memory would keep it borrowed.
        unsafe {
            slot.data.add(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            slot.shadow.add(offset).write_bytes(0xFF, bytes.len());
        }
        Ok(())
    }

    /// Sets a range of bytes to one value.
    pub fn fill(&mut self, address: Address, value: u8, length: u64) -> Checked<()> {
        if length == 0 {
            return Ok(());
        }
        let Some((slot, offset)) = self.writable(address, length) else {
            return Err(self.refuse(Access::Write, address, length, 1));
        };
        if self.watching {
            self.note(Access::Write, address, length)?;
        }
        // SAFETY: `writable` made sure that the range lies inside the object.
        unsafe {
            slot.data.add(offset).write_bytes(value, length as usize);
            slot.shadow.add(offset).write_bytes(0xFF, length as usize);
        }
        Ok(())
    }

    /// Copies a range with everything known about it: what was never written stays unwritten in the copy. The
    /// ranges may overlap. A length of zero touches nothing and so allows any addresses.
    pub fn copy(&mut self, to: Address, from: Address, length: u64) -> Checked<()> {
        if length == 0 {
            return Ok(());
        }
        let Some((source, source_offset)) = self.readable(from, length) else {
            return Err(self.refuse(Access::Read, from, length, 1));
        };
        let Some((target, target_offset)) = self.writable(to, length) else {
            return Err(self.refuse(Access::Write, to, length, 1));
        };
        if self.watching {
            self.note(Access::Read, from, length)?;
            self.note(Access::Write, to, length)?;
        }
        // SAFETY: both ranges lie inside their objects; `copy_from` allows them to overlap.
        unsafe {
            target.data.add(target_offset).copy_from(source.data.add(source_offset), length as usize);
            target.shadow.add(target_offset).copy_from(source.shadow.add(source_offset), length as usize);
        }
        Ok(())
    }

    /// Whether two ranges of the same length share a byte.
    pub fn overlap(&self, a: Address, b: Address, length: u64) -> bool {
        a.0.abs_diff(b.0) < length
    }

    /// The length of the C string at `address`: all bytes up to the zero are readable and written.
    pub fn c_string_length(&self, address: Address) -> Checked<u64> {
        self.bounded_length(address, u64::MAX)
    }

    /// As [`Memory::c_string_length`], looking at no more than `most` bytes, as `strnlen` does.
    pub fn bounded_length(&self, address: Address, most: u64) -> Checked<u64> {
        if most == 0 {
            return Ok(0);
        }
        let Some((slot, offset)) = self.readable(address, 1) else {
            return Err(self.refuse(Access::Read, address, 1, 1));
        };
        let room = (u64::from(slot.readable) - offset as u64).min(most);
        // SAFETY: `room` is at most what is left of the object from `offset` on.
        let (data, shadow) = unsafe {
            (
                std::slice::from_raw_parts(slot.data.add(offset), room as usize),
                std::slice::from_raw_parts(slot.shadow.add(offset), room as usize),
            )
        };
        for (i, (&byte, &written)) in data.iter().zip(shadow).enumerate() {
            if written != 0xFF {
                return Err(self.refuse_unwritten(address.plus(i as u64), 1));
            }
            if byte == 0 {
                if self.watching {
                    self.note(Access::Read, address, i as u64 + 1)?;
                }
                return Ok(i as u64);
            }
        }
        if self.watching {
            self.note(Access::Read, address, room)?;
        }
        if room == most { Ok(most) } else { Err(self.refuse(Access::Read, address.plus(room), 1, 1)) }
    }

    /// The C string at `address`, without its zero.
    pub fn c_string(&self, address: Address) -> Checked<&[u8]> {
        let length = self.c_string_length(address)?;
        self.read(address, length)
    }

    /// Writes a C string with its zero.
    pub fn write_c_string(&mut self, address: Address, bytes: &[u8]) -> Checked<()> {
        self.check_writable(address, bytes.len() as u64 + 1)?;
        self.write(address, bytes)?;
        self.store_u8(address.plus(bytes.len() as u64), 0)
    }

    /// Makes a range unwritten again, as `va_end` does with a list.
    pub fn forget_range(&mut self, address: Address, length: u64) -> Checked<()> {
        let Some((slot, offset)) = self.writable(address, length) else {
            return Err(self.refuse(Access::Write, address, length, 1));
        };
        // SAFETY: `writable` made sure that the range lies inside the object.
        unsafe { slot.shadow.add(offset).write_bytes(0, length as usize) };
        Ok(())
    }
}
