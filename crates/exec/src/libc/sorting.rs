//! stdlib.h: `qsort` and `bsearch`.
//!
//! `qsort` is the merge sort of glibc: the halves first, then their merge, taking from the left half while it is not
//! greater. The result is stable and the comparisons come in the same order as natively, so that a program that
//! counts or prints them agrees with its native run.

use super::{Answer, Entry, bad_argument, null};
use crate::memory::Address;
use crate::vm::{Argument, Call, Stop, Value};
use ir::TypeId;

pub(super) const MODELS: &[Entry] = &[
    ("void qsort(void *, size_t, size_t, int (*)(const void *, const void *))", qsort),
    ("void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *)", qsort_r),
    ("void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *))", bsearch),
    ("void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *))", lfind),
];

/// What is sorted: the order of the elements is worked out on their numbers, and they stay in place meanwhile.
struct Sort {
    base: Address,
    size: u64,
    /// The type of pointers to elements.
    pointer: TypeId,
    compare: Address,
    context: Option<Argument>,
}

impl Sort {
    fn compare(&self, call: &mut Call<'_, '_>, a: u64, b: u64) -> Result<i32, Stop> {
        let element =
            |index: u64| Argument { ty: self.pointer, value: Value::pointer(self.base.plus(index * self.size)) };
        let mut args = vec![element(a), element(b)];
        args.extend(self.context);
        Ok(call.machine.call(self.compare, &args)?.as_i32())
    }

    fn sort(&self, call: &mut Call<'_, '_>, order: &mut [u64], room: &mut Vec<u64>) -> Result<(), Stop> {
        if order.len() <= 1 {
            return Ok(());
        }
        let half = order.len() / 2;
        self.sort(call, &mut order[..half], room)?;
        self.sort(call, &mut order[half..], room)?;
        room.clear();
        let mut merged = std::mem::take(room);
        let (mut left, mut right) = (0, half);
        while left < half && right < order.len() {
            if self.compare(call, order[left], order[right])? <= 0 {
                merged.push(order[left]);
                left += 1;
            } else {
                merged.push(order[right]);
                right += 1;
            }
        }
        merged.extend_from_slice(&order[left..half]);
        merged.extend_from_slice(&order[right..]);
        order.copy_from_slice(&merged);
        *room = merged;
        Ok(())
    }
}

fn sort(call: &mut Call<'_, '_>, context: Option<Argument>) -> Answer {
    let (base, count, size, compare) = (call.pointer(0)?, call.u64(1)?, call.u64(2)?, call.pointer(3)?);
    if count == 0 || size == 0 {
        return Ok(Value::NONE);
    }
    let Some(bytes) = count.checked_mul(size) else {
        return bad_argument("`qsort` is given more bytes than there can be");
    };
    call.memory().check_writable(base, bytes)?;
    let mut order: Vec<u64> = (0..count).collect();
    let sort = Sort { base, size, pointer: call.argument(0)?.ty, compare, context };
    sort.sort(call, &mut order, &mut Vec::new())?;
    // A copy of the array, unwritten bytes included, from which the elements are put in order.
    let span = call.span;
    let memory = call.memory();
    let copy = memory.allocate_heap(bytes, false, span)?;
    memory.copy(copy, base, bytes)?;
    for (to, from) in order.into_iter().enumerate() {
        memory.copy(base.plus(to as u64 * size), copy.plus(from * size), size)?;
    }
    memory.free(copy, span)?;
    Ok(Value::NONE)
}

fn qsort(call: &mut Call<'_, '_>) -> Answer {
    sort(call, None)
}

fn qsort_r(call: &mut Call<'_, '_>) -> Answer {
    let context = call.argument(4)?;
    sort(call, Some(context))
}

/// Compares the key with an element.
fn compare_key(call: &mut Call<'_, '_>, compare: Address, element: Address) -> Result<i32, Stop> {
    let key = call.argument(0)?;
    let element = Argument { ty: call.argument(1)?.ty, value: Value::pointer(element) };
    Ok(call.machine.call(compare, &[key, element])?.as_i32())
}

fn bsearch(call: &mut Call<'_, '_>) -> Answer {
    let (base, count, size) = (call.pointer(1)?, call.u64(2)?, call.u64(3)?);
    let compare = call.pointer(4)?;
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.plus(middle * size);
        match compare_key(call, compare, element)? {
            0 => return Ok(Value::pointer(element)),
            ..0 => high = middle,
            _ => low = middle + 1,
        }
    }
    null()
}

fn lfind(call: &mut Call<'_, '_>) -> Answer {
    let (base, count, size) = (call.pointer(1)?, call.pointer(2)?, call.u64(3)?);
    let compare = call.pointer(4)?;
    let count = call.memory().load_u64(count)?;
    for i in 0..count {
        let element = base.plus(i * size);
        if compare_key(call, compare, element)? == 0 {
            return Ok(Value::pointer(element));
        }
    }
    null()
}
