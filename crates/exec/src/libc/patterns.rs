//! regex.h and fnmatch.h, matched by the C library of this machine, as it does the functions of math.h.
//!
//! What is matched are copies; a pattern that is very long, or a text, has no model, because time and stack that the
//! library takes are its own.

use super::{Answer, Entry, bad_argument, int, library, string_argument};
use crate::memory::Address;
use crate::vm::{Call, Stop, Value};
use std::ffi::CString;
use std::mem::MaybeUninit;

pub(super) const MODELS: &[Entry] = &[
    ("int regcomp(void *, const char *, int)", regcomp),
    ("int regexec(const void *, const char *, size_t, void *, int)", regexec),
    ("size_t regerror(int, const void *, char *, size_t)", regerror),
    ("void regfree(void *)", regfree),
    ("int fnmatch(const char *, const char *, int)", fnmatch),
];

const LONGEST_PATTERN: usize = 2048;
const LONGEST_TEXT: usize = 1 << 20;
/// The size of `regex_t`, and where the number of groups is in it.
const PATTERN_BYTES: u64 = 64;
const GROUPS_AT: u64 = 48;
/// Matches that are told at a time.
const MOST_MATCHES: u64 = 1 << 12;

/// A compiled pattern, and whether it tells where it matched.
pub(super) struct Pattern(Box<libc::regex_t>, bool);

// SAFETY: what the pattern points to belongs to it alone, and the library keeps nothing about threads in it.
unsafe impl Send for Pattern {}

impl Drop for Pattern {
    fn drop(&mut self) {
        // SAFETY: the pattern was compiled, and is released once.
        unsafe { libc::regfree(&mut *self.0) }
    }
}

/// A text as C has it.
fn c_text(call: &mut Call<'_, '_>, index: usize, longest: usize) -> Result<CString, Stop> {
    let text = string_argument(call, index)?;
    if text.len() > longest {
        return Err(Stop::unsupported(format!("a pattern or text of {} bytes to match", text.len())));
    }
    CString::new(text).map_err(|_| Stop::unsupported("a text with a null character to match"))
}

fn regcomp(call: &mut Call<'_, '_>) -> Answer {
    let (place, flags) = (call.pointer(0)?, call.i32(2)?);
    let text = c_text(call, 1, LONGEST_PATTERN)?;
    let mut compiled = Box::new(MaybeUninit::<libc::regex_t>::zeroed());
    // SAFETY: the record has room for a pattern, and the text ends with a null character.
    let code = unsafe { libc::regcomp(compiled.as_mut_ptr(), text.as_ptr(), flags) };
    if code != 0 {
        return int(code);
    }
    // SAFETY: it was filled in, as the code says.
    let compiled = unsafe { Box::from_raw(Box::into_raw(compiled).cast::<libc::regex_t>()) };
    let compiled = Pattern(compiled, flags & libc::REG_NOSUB == 0);
    // The number of groups is the one member that the standard names.
    // SAFETY: the record is so long, and all of it was zero before it was filled in.
    let groups =
        unsafe { (&raw const *compiled.0).cast::<u8>().add(GROUPS_AT as usize).cast::<u64>().read_unaligned() };
    let memory = call.memory();
    memory.fill(place, 0, PATTERN_BYTES)?;
    memory.store_u64(place.plus(GROUPS_AT), groups)?;
    library(call).patterns.insert(place, compiled);
    int(0)
}

fn regexec(call: &mut Call<'_, '_>) -> Answer {
    let (place, count, matches, flags) = (call.pointer(0)?, call.u64(2)?, call.pointer(3)?, call.i32(4)?);
    if flags & !(libc::REG_NOTBOL | libc::REG_NOTEOL) != 0 {
        return Err(Stop::unsupported("`regexec` with other flags than `REG_NOTBOL` and `REG_NOTEOL`"));
    }
    let text = c_text(call, 1, LONGEST_TEXT)?;
    let told = count.min(MOST_MATCHES) as usize;
    let mut found = vec![libc::regmatch_t { rm_so: -1, rm_eo: -1 }; told];
    let Some(pattern) = library(call).patterns.get(&place) else {
        return bad_argument("the pattern is not one that `regcomp` compiled, or it was released");
    };
    // SAFETY: the pattern is compiled, the text ends with a null character, and there is room for `told` matches.
    let (code, tells) =
        unsafe { (libc::regexec(&*pattern.0, text.as_ptr(), told, found.as_mut_ptr(), flags), pattern.1) };
    if code == 0 && tells {
        for (i, one) in found.iter().enumerate() {
            call.memory().store_i32(matches.plus(8 * i as u64), one.rm_so)?;
            call.memory().store_i32(matches.plus(8 * i as u64 + 4), one.rm_eo)?;
        }
    }
    int(code)
}

fn regerror(call: &mut Call<'_, '_>) -> Answer {
    let (code, buffer, size) = (call.i32(0)?, call.pointer(2)?, call.u64(3)?);
    if !(0..=16).contains(&code) {
        return bad_argument(format!("{code} is no error of `regcomp` or `regexec`"));
    }
    let mut text = [0u8; 256];
    // SAFETY: the library writes at most as many bytes as it is told there are, and needs no pattern for its texts.
    let length = unsafe { libc::regerror(code, std::ptr::null(), text.as_mut_ptr().cast(), text.len()) };
    let told = length.saturating_sub(1).min(text.len() - 1);
    if size > 0 {
        let kept = told.min(size as usize - 1);
        call.memory().write_c_string(buffer, &text[..kept])?;
    }
    Ok(Value::unsigned(length as u64))
}

fn regfree(call: &mut Call<'_, '_>) -> Answer {
    let place: Address = call.pointer(0)?;
    match library(call).patterns.remove(&place) {
        Some(_) => Ok(Value::NONE),
        None => bad_argument("the pattern is not one that `regcomp` compiled, or it was released"),
    }
}

fn fnmatch(call: &mut Call<'_, '_>) -> Answer {
    let flags = call.i32(2)?;
    let (pattern, text) = (c_text(call, 0, LONGEST_PATTERN)?, c_text(call, 1, LONGEST_PATTERN)?);
    // SAFETY: both end with a null character.
    int(unsafe { libc::fnmatch(pattern.as_ptr(), text.as_ptr(), flags) })
}
