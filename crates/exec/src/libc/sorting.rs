//! stdlib.h: `qsort` and `bsearch`.
//!
//! `qsort` is the merge sort of glibc: the halves first, then their merge, taking from the left half while it is not
//! greater. The result is stable and the comparisons come in the same order as natively, so that a program that
//! counts or prints them agrees with its native run.
//!
//! The comparison must be one order (7.22.5p4), and what is searched must be in it (7.22.5.1p2). Where the comparison
//! function changes nothing, so that nobody sees further calls, neighbours are compared once more in both directions after
//! sorting, and all elements of a short array with the key before a search. *Missed*: contradictions among elements that
//! are not neighbours, of functions that keep a record, and long arrays that are not in order.

use super::{Answer, Entry, bad_argument, null};
use crate::memory::Address;
use crate::vm::{Argument, Call, Stop, Value};
use ir::{Base, Callee, EntityRef, FunctionId, Lvalue, Program, StmtKind, TypeId};

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

/// The longest array that is looked at as a whole before a search.
const SEARCHED: u64 = 256;

/// Whether a function changes nothing but variables of its own, and whatever it calls neither.
fn only_looks(program: &Program, id: FunctionId, depth: u32) -> bool {
    let Some(body) = &program.functions[id].body else {
        let does = ir::library::summary(&program.functions[id].name, false, true);
        return does.writes.is_empty() && !does.anything && !does.runs;
    };
    let own = |target: &Lvalue| matches!(target.base, Base::Local(_));
    let mut looks = depth > 0;
    body.walk(&mut |stmt| {
        looks &= match &stmt.kind {
            StmtKind::Assign { target, .. } | StmtKind::Zero(target) => own(target),
            StmtKind::Call { result, callee: Callee::Function(called), .. } => {
                result.as_ref().is_none_or(own) && (!looks || only_looks(program, *called, depth - 1))
            }
            StmtKind::Call { .. } | StmtKind::Trace(_) | StmtKind::Unordered(_) | StmtKind::Unsupported(_) => false,
            _ => true,
        };
    });
    looks
}

/// Whether further calls of a comparison function go unnoticed.
fn may_ask_again(call: &Call<'_, '_>, compare: Address) -> bool {
    const DEPTH: u32 = 4;
    let program = call.machine.program();
    compare.as_function().is_some_and(|index| {
        (index as usize) < program.functions.len() && only_looks(program, FunctionId::new(index as usize), DEPTH)
    })
}

/// How a result of a comparison is said.
fn said(result: i32) -> &'static str {
    match result {
        0 => "equal to",
        ..0 => "less than",
        _ => "greater than",
    }
}

impl Sort {
    /// Refuses a comparison that says two things about elements that came to lie side by side.
    fn check(&self, call: &mut Call<'_, '_>, order: &[u64]) -> Result<(), Stop> {
        if !may_ask_again(call, self.compare) {
            return Ok(());
        }
        for pair in order.windows(2) {
            let (there, back) = (self.compare(call, pair[0], pair[1])?, self.compare(call, pair[1], pair[0])?);
            if there.signum() != -back.signum() {
                return bad_argument(format!(
                    "the comparison function contradicts itself: element {} is {} element {}, which is {} it",
                    pair[0],
                    said(there),
                    pair[1],
                    said(back)
                ));
            }
        }
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
    sort.check(call, &order)?;
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
    if count <= SEARCHED && may_ask_again(call, compare) {
        check_order(call, base, count, size, compare)?;
    }
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

/// Refuses an array in which elements that are less than the key do not come first, and those that are greater last.
fn check_order(call: &mut Call<'_, '_>, base: Address, count: u64, size: u64, compare: Address) -> Result<(), Stop> {
    let mut before = 1;
    for index in 0..count {
        let now = compare_key(call, compare, base.plus(index * size))?.signum();
        if now > before {
            return bad_argument(format!(
                "the array that `bsearch` is given is not in order: the key is {} element {}, and {} element {index}",
                said(before),
                index - 1,
                said(now)
            ));
        }
        before = now;
    }
    Ok(())
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
