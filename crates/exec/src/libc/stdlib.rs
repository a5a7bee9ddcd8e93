//! stdlib.h and inttypes.h: numbers from text, integer arithmetic, and the end of the program.

use super::errno::{self, EINVAL, ERANGE};
use super::{Answer, Entry, bad_argument, fault, int, library, run_at_exit, string_argument};
use crate::format::binary::Fit;
use crate::format::number;
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};
use diagnostics::Rule;
use ir::FloatKind;

pub(super) const MODELS: &[Entry] = &[
    ("int atoi(const char *)", |call| int(decimal(call)? as i32)),
    ("long atol(const char *)", |call| Ok(Value::signed(decimal(call)?))),
    ("long long atoll(const char *)", |call| Ok(Value::signed(decimal(call)?))),
    ("double atof(const char *)", |call| {
        Ok(Value::double(f64::from_bits(float(call, FloatKind::Double, false)? as u64)))
    }),
    ("long strtol(const char *, char **, int)", |call| signed(call, false)),
    ("long long strtoll(const char *, char **, int)", |call| signed(call, false)),
    ("intmax_t strtoimax(const char *, char **, int)", |call| signed(call, false)),
    ("unsigned long strtoul(const char *, char **, int)", |call| unsigned(call, false)),
    ("unsigned long long strtoull(const char *, char **, int)", |call| unsigned(call, false)),
    ("uintmax_t strtoumax(const char *, char **, int)", |call| unsigned(call, false)),
    ("long __isoc23_strtol(const char *, char **, int)", |call| signed(call, true)),
    ("long long __isoc23_strtoll(const char *, char **, int)", |call| signed(call, true)),
    ("intmax_t __isoc23_strtoimax(const char *, char **, int)", |call| signed(call, true)),
    ("unsigned long __isoc23_strtoul(const char *, char **, int)", |call| unsigned(call, true)),
    ("unsigned long long __isoc23_strtoull(const char *, char **, int)", |call| unsigned(call, true)),
    ("uintmax_t __isoc23_strtoumax(const char *, char **, int)", |call| unsigned(call, true)),
    ("double strtod(const char *, char **)", |call| {
        Ok(Value::double(f64::from_bits(float(call, FloatKind::Double, true)? as u64)))
    }),
    ("float strtof(const char *, char **)", |call| {
        Ok(Value::float(f32::from_bits(float(call, FloatKind::Float, true)? as u32)))
    }),
    ("long double strtold(const char *, char **)", |call| Ok(Value::extended(float(call, FloatKind::Extended, true)?))),
    ("int abs(int)", |call| absolute(call, 32)),
    ("long labs(long)", |call| absolute(call, 64)),
    ("long long llabs(long long)", |call| absolute(call, 64)),
    ("intmax_t imaxabs(intmax_t)", |call| absolute(call, 64)),
    ("div_t div(int, int)", |call| divide(call, 4)),
    ("ldiv_t ldiv(long, long)", |call| divide(call, 8)),
    ("lldiv_t lldiv(long long, long long)", |call| divide(call, 8)),
    ("imaxdiv_t imaxdiv(intmax_t, intmax_t)", |call| divide(call, 8)),
    ("void exit(int)", exit),
    ("void _Exit(int)", exit_at_once),
    ("void _exit(int)", exit_at_once),
    ("void abort(void)", |_| fault(Rule::Aborted, "the program calls `abort`")),
    ("int atexit(void (*)(void))", atexit),
    ("int at_quick_exit(void (*)(void))", |call| {
        let function = call.pointer(0)?;
        library(call).at_quick_exit.push(function);
        int(0)
    }),
    ("void quick_exit(int)", |call| {
        let status = call.i32(0)?;
        while let Some(function) = library(call).at_quick_exit.pop() {
            call.machine.call(function, &[])?;
        }
        library(call).streams.discard_pending();
        Err(Stop::Exit(status))
    }),
    ("void __assert_fail(const char *, const char *, unsigned, const char *)", assert_fail),
    ("void __assert(const char *, const char *, int)", assert_fail),
];

/// The text of the first argument, byte by byte.
fn text<'c>(call: &'c mut Call<'_, '_>) -> Result<impl FnMut(usize) -> Result<u8, Stop> + 'c, Stop> {
    let start = call.pointer(0)?;
    let memory = call.memory();
    Ok(move |i: usize| Ok(memory.load_u8(start.plus(i as u64))?))
}

/// `atoi` and its kin: what `strtol` gives, without a word about errors.
fn decimal(call: &mut Call<'_, '_>) -> Result<i64, Stop> {
    let found = number::integer(text(call)?, 10, false)?;
    Ok(if found.length == 0 { 0 } else { found.signed(64).0 })
}

/// Stores where the number ended, if the program wants to know.
fn store_end(call: &mut Call<'_, '_>, length: usize) -> Result<(), Stop> {
    let (start, place) = (call.pointer(0)?, call.pointer(1)?);
    if !place.is_null() {
        call.memory().store_pointer(place, start.plus(length as u64))?;
    }
    Ok(())
}

fn integer(call: &mut Call<'_, '_>, binary: bool) -> Result<Option<number::IntegerText>, Stop> {
    let base = call.i32(2)?;
    if base < 0 || base == 1 || base > 36 {
        errno::set(call, EINVAL)?;
        return Ok(None);
    }
    let found = number::integer(text(call)?, base as u32, binary)?;
    store_end(call, found.length)?;
    Ok((found.length > 0).then_some(found))
}

fn signed(call: &mut Call<'_, '_>, binary: bool) -> Answer {
    let Some(found) = integer(call, binary)? else { return Ok(Value::signed(0)) };
    let (value, fits) = found.signed(64);
    if !fits {
        errno::set(call, ERANGE)?;
    }
    Ok(Value::signed(value))
}

fn unsigned(call: &mut Call<'_, '_>, binary: bool) -> Answer {
    let Some(found) = integer(call, binary)? else { return Ok(Value::unsigned(0)) };
    let (value, fits) = found.unsigned();
    if !fits {
        errno::set(call, ERANGE)?;
    }
    Ok(Value::unsigned(value))
}

fn float(call: &mut Call<'_, '_>, kind: FloatKind, has_end: bool) -> Result<u128, Stop> {
    let found = number::float(text(call)?)?;
    if has_end {
        store_end(call, found.as_ref().map_or(0, |f| f.length))?;
    }
    let Some(found) = found else { return Ok(0) };
    let (bits, fit) = found.bits(kind);
    if matches!(fit, Fit::Overflow | Fit::Underflow) {
        errno::set(call, ERANGE)?;
    }
    Ok(bits)
}

fn absolute(call: &mut Call<'_, '_>, bits: u32) -> Answer {
    let value = call.i64(0)?;
    if value == i64::MIN >> (64 - bits) {
        return fault(Rule::SignedOverflow, format!("the absolute value of {value} does not fit its type"));
    }
    Ok(Value::signed(value.abs()))
}

/// The structure that `div` gives: quotient, then remainder.
fn divide(call: &mut Call<'_, '_>, bytes: usize) -> Answer {
    let (dividend, divisor) = (call.i64(0)?, call.i64(1)?);
    if divisor == 0 {
        return fault(Rule::DivisionByZero, format!("{dividend} is divided by zero"));
    }
    if divisor == -1 && dividend == i64::MIN >> (64 - 8 * bytes) {
        return fault(Rule::SignedOverflow, format!("{dividend} / -1 does not fit its type"));
    }
    let result = call.result;
    if !result.is_null() {
        let (quotient, remainder) = (dividend / divisor, dividend % divisor);
        let mut record = quotient.to_le_bytes()[..bytes].to_vec();
        record.extend_from_slice(&remainder.to_le_bytes()[..bytes]);
        call.memory().write(result, &record)?;
    }
    Ok(Value::NONE)
}

fn exit(call: &mut Call<'_, '_>) -> Answer {
    let status = call.i32(0)?;
    run_at_exit(call.machine)?;
    Err(Stop::Exit(status))
}

/// Without handlers, and without writing what streams still hold.
fn exit_at_once(call: &mut Call<'_, '_>) -> Answer {
    let status = call.i32(0)?;
    library(call).streams.discard_pending();
    Err(Stop::Exit(status))
}

fn atexit(call: &mut Call<'_, '_>) -> Answer {
    let function = call.pointer(0)?;
    if function == Address::NULL {
        return bad_argument("`atexit` is given a null pointer");
    }
    library(call).at_exit.push(function);
    int(0)
}

fn assert_fail(call: &mut Call<'_, '_>) -> Answer {
    let text = string_argument(call, 0)?;
    fault(Rule::AssertionFailed, format!("the assertion `{}` does not hold", String::from_utf8_lossy(&text)))
}
