//! stdlib.h: `malloc` and its kin.
//!
//! An allocation that the budget of the run does not allow ends the run: that is not the null pointer a program would
//! see on a machine with more memory. Only a request that no machine grants (larger than half the address space, or
//! whose size overflows) gives null, as it does natively.

use super::errno::{self, EINVAL, ENOMEM};
use super::{Answer, Entry, bad_argument, int, null};
use crate::memory::{Address, ObjectKind};
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("void *malloc(size_t)", malloc),
    ("void *calloc(size_t, size_t)", calloc),
    ("void *realloc(void *, size_t)", realloc),
    ("void *reallocarray(void *, size_t, size_t)", reallocarray),
    ("void free(void *)", free),
    ("void cfree(void *)", free),
    ("void *aligned_alloc(size_t, size_t)", aligned_alloc),
    ("void *memalign(size_t, size_t)", aligned_alloc),
    ("void *valloc(size_t)", valloc),
    ("int posix_memalign(void **, size_t, size_t)", posix_memalign),
    ("size_t malloc_usable_size(void *)", malloc_usable_size),
];

/// `PTRDIFF_MAX`: glibc refuses larger requests.
const LARGEST_REQUEST: u64 = i64::MAX as u64;

fn refused(call: &mut Call<'_, '_>) -> Answer {
    errno::set(call, ENOMEM)?;
    null()
}

fn allocate(call: &mut Call<'_, '_>, size: Option<u64>, zeroed: bool) -> Answer {
    match size {
        Some(size) if size <= LARGEST_REQUEST => {
            let span = call.span;
            let made = call.memory().allocate_heap(size, zeroed, span)?;
            call.machine.note_allocation(made);
            Ok(Value::pointer(made))
        }
        _ => refused(call),
    }
}

fn malloc(call: &mut Call<'_, '_>) -> Answer {
    let size = call.u64(0)?;
    allocate(call, Some(size), false)
}

fn calloc(call: &mut Call<'_, '_>) -> Answer {
    let size = call.u64(0)?.checked_mul(call.u64(1)?);
    allocate(call, size, true)
}

fn resize(call: &mut Call<'_, '_>, old: Address, size: Option<u64>) -> Answer {
    let span = call.span;
    match size {
        // glibc frees the object and gives null.
        Some(0) if !old.is_null() => {
            call.memory().free(old, span)?;
            null()
        }
        Some(size) if size <= LARGEST_REQUEST => {
            let made = call.memory().reallocate(old, size, span)??;
            call.machine.note_allocation(made);
            Ok(Value::pointer(made))
        }
        _ => refused(call),
    }
}

fn realloc(call: &mut Call<'_, '_>) -> Answer {
    let (old, size) = (call.pointer(0)?, call.u64(1)?);
    resize(call, old, Some(size))
}

fn reallocarray(call: &mut Call<'_, '_>) -> Answer {
    let (old, size) = (call.pointer(0)?, call.u64(1)?.checked_mul(call.u64(2)?));
    resize(call, old, size)
}

fn free(call: &mut Call<'_, '_>) -> Answer {
    let (address, span) = (call.pointer(0)?, call.span);
    call.memory().free(address, span)?;
    Ok(Value::NONE)
}

fn aligned(call: &mut Call<'_, '_>, align: u64, size: u64) -> Result<Option<Address>, Stop> {
    if align > 1 << 20 {
        return Err(Stop::unsupported("an alignment of more than a mebibyte"));
    }
    if size > LARGEST_REQUEST {
        return Ok(None);
    }
    let span = call.span;
    let made = call.memory().allocate(ObjectKind::Heap, size, align.max(16), false, "", span)?;
    call.machine.note_allocation(made);
    Ok(Some(made))
}

fn aligned_alloc(call: &mut Call<'_, '_>) -> Answer {
    let (align, size) = (call.u64(0)?, call.u64(1)?);
    if !align.is_power_of_two() {
        return bad_argument(format!("the alignment {align} is not a power of two"));
    }
    match aligned(call, align, size)? {
        Some(address) => Ok(Value::pointer(address)),
        None => refused(call),
    }
}

fn valloc(call: &mut Call<'_, '_>) -> Answer {
    let size = call.u64(0)?;
    match aligned(call, 4096, size)? {
        Some(address) => Ok(Value::pointer(address)),
        None => refused(call),
    }
}

fn posix_memalign(call: &mut Call<'_, '_>) -> Answer {
    let (place, align, size) = (call.pointer(0)?, call.u64(1)?, call.u64(2)?);
    if !align.is_power_of_two() || align % 8 != 0 {
        return int(EINVAL);
    }
    match aligned(call, align, size)? {
        Some(address) => {
            call.memory().store_pointer(place, address)?;
            int(0)
        }
        None => int(ENOMEM),
    }
}

/// The size asked for: what lies beyond belongs to the allocator, even if glibc would allow it.
fn malloc_usable_size(call: &mut Call<'_, '_>) -> Answer {
    let address = call.pointer(0)?;
    let size = call.memory().info(address).map_or(0, |info| info.size);
    Ok(Value::unsigned(size))
}
