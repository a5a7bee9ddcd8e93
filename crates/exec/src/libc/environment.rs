//! Clocks, locale.h and the like: what a program sees of the world around it, made the same for every run.

use super::{Answer, Entry, int, library, library_string, null, string_argument, threads};
use crate::vm::{Call, Stop, Value};

pub(super) const MODELS: &[Entry] = &[
    ("time_t time(time_t *)", time),
    ("clock_t clock(void)", |call| Ok(Value::signed(tick(call) * 1000))),
    ("double difftime(time_t, time_t)", |call| Ok(Value::double(call.i64(0)? as f64 - call.i64(1)? as f64))),
    ("int gettimeofday(void *, void *)", gettimeofday),
    ("int clock_gettime(int, void *)", clock_gettime),
    ("char *setlocale(int, const char *)", setlocale),
    ("void *localeconv(void)", localeconv),
    ("unsigned sleep(unsigned)", |call| sleep(call, 1_000_000_000)),
    ("int usleep(useconds_t)", |call| sleep(call, 1000)),
];

/// What `time` says: 2020-01-01 00:00:00 UTC. A run that depends on the date would not be the same twice.
pub const TIME: i64 = 1_577_836_800;

/// Milliseconds that have passed: one for every time the program asks.
fn tick(call: &mut Call<'_, '_>) -> i64 {
    let library = library(call);
    library.ticks += 1;
    library.ticks
}

/// Sleeps so many times `unit` nanoseconds. One thread alone need not wait for time to pass.
fn sleep(call: &mut Call<'_, '_>, unit: u64) -> Answer {
    let length = call.u64(0)?.saturating_mul(unit);
    if call.machine.has_threads() { threads::sleep(call, length) } else { int(0) }
}

fn time(call: &mut Call<'_, '_>) -> Answer {
    let place = call.pointer(0)?;
    if !place.is_null() {
        call.memory().store_i64(place, TIME)?;
    }
    Ok(Value::signed(TIME))
}

/// Seconds and a fraction, both `long`, as `struct timeval` and `struct timespec` have them.
fn store_time(call: &mut Call<'_, '_>, index: usize, per_second: i64) -> Result<(), Stop> {
    let place = call.pointer(index)?;
    let milliseconds = tick(call) + (call.machine.now() / 1_000_000) as i64;
    if !place.is_null() {
        let memory = call.memory();
        memory.store_i64(place, TIME + milliseconds / 1000)?;
        memory.store_i64(place.plus(8), milliseconds % 1000 * (per_second / 1000))?;
    }
    Ok(())
}

fn gettimeofday(call: &mut Call<'_, '_>) -> Answer {
    store_time(call, 0, 1_000_000)?;
    int(0)
}

fn clock_gettime(call: &mut Call<'_, '_>) -> Answer {
    store_time(call, 1, 1_000_000_000)?;
    int(0)
}

/// There is the C locale and no other.
fn setlocale(call: &mut Call<'_, '_>) -> Answer {
    let wanted = if call.pointer(1)?.is_null() { b"C".to_vec() } else { string_argument(call, 1)? };
    match wanted.as_slice() {
        b"" | b"C" | b"POSIX" => Ok(Value::pointer(library_string(call, b"C")?)),
        _ => null(),
    }
}

/// `struct lconv` of the C locale: strings that are empty but for the decimal point, and numbers that say nothing.
fn localeconv(call: &mut Call<'_, '_>) -> Answer {
    let (empty, point) = (library_string(call, b"")?, library_string(call, b".")?);
    let record = call.memory().allocate_library(96, "the conventions of the locale")?;
    for index in 0..10 {
        let text = if index == 0 { point } else { empty };
        call.memory().store_pointer(record.plus(index * 8), text)?;
    }
    call.memory().write(record.plus(80), &[127; 16])?;
    Ok(Value::pointer(record))
}
