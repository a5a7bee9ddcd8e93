//! signal.h: handlers are called where the program itself raises a signal.
//!
//! Nothing else sends one: what would raise a signal in a process (a division by zero, a wild access) is a finding here,
//! and time does not pass, so that `alarm` never rings. Masks are kept by nobody.

use super::{Answer, Entry, bad_argument, fault, int, library};
use crate::memory::Address;
use crate::vm::{Argument, Call, Stop, Value};
use diagnostics::Rule;
use ir::{IntKind, TypeId};

pub(super) const MODELS: &[Entry] = &[
    ("void *signal(int, void *)", signal),
    ("int sigaction(int, const void *, void *)", sigaction),
    ("int raise(int)", raise),
    ("int kill(int, int)", kill),
    ("int sigemptyset(void *)", |call| fill(call, 0)),
    ("int sigfillset(void *)", |call| fill(call, 0xff)),
    ("int sigaddset(void *, int)", |call| member(call, |bits, one| bits | one)),
    ("int sigdelset(void *, int)", |call| member(call, |bits, one| bits & !one)),
    ("int sigismember(const void *, int)", |call| {
        let (place, one) = bit(call)?;
        let bits = call.memory().load_u64(place)?;
        int((bits & one != 0).into())
    }),
    ("int sigprocmask(int, const void *, void *)", sigprocmask),
    ("int pthread_sigmask(int, const void *, void *)", sigprocmask),
    ("int siginterrupt(int, int)", |_| int(0)),
    ("int setitimer(int, const void *, void *)", |_| int(0)),
    ("unsigned alarm(unsigned)", |_| int(0)),
];

const DEFAULT: Address = Address(0);
const IGNORE: Address = Address(1);
/// The sizes of `sigset_t` and `struct sigaction`, whose first member is the handler.
const SET_BYTES: u64 = 128;
const ACTION_BYTES: usize = 152;
/// The size of `siginfo_t`, which starts with the number of the signal.
const INFO_BYTES: u64 = 128;

fn fill(call: &mut Call<'_, '_>, byte: u8) -> Answer {
    let set = call.pointer(0)?;
    call.memory().fill(set, byte, SET_BYTES)?;
    int(0)
}

/// The word of a set that a signal is in, and its bit there.
fn bit(call: &mut Call<'_, '_>) -> Result<(Address, u64), Stop> {
    let (set, number) = (call.pointer(0)?, call.i32(1)?);
    match u64::try_from(number - 1) {
        Ok(place) if place < 64 => Ok((set, 1 << place)),
        _ => bad_argument(format!("there is no signal {number}")),
    }
}

fn member(call: &mut Call<'_, '_>, change: fn(u64, u64) -> u64) -> Answer {
    let (place, one) = bit(call)?;
    let bits = call.memory().load_u64(place)?;
    call.memory().store_u64(place, change(bits, one))?;
    int(0)
}

/// Nothing is ever held back; whoever asks is told so.
fn sigprocmask(call: &mut Call<'_, '_>) -> Answer {
    let before = call.pointer(2)?;
    if !before.is_null() {
        call.memory().fill(before, 0, SET_BYTES)?;
    }
    int(0)
}

fn replace(call: &mut Call<'_, '_>, number: i32, handler: Address) -> Result<Address, Stop> {
    if !(1..65).contains(&number) {
        return bad_argument(format!("there is no signal {number}"));
    }
    Ok(library(call).handlers.insert(number, handler).unwrap_or(DEFAULT))
}

fn signal(call: &mut Call<'_, '_>) -> Answer {
    let (number, handler) = (call.i32(0)?, call.pointer(1)?);
    Ok(Value::pointer(replace(call, number, handler)?))
}

fn sigaction(call: &mut Call<'_, '_>) -> Answer {
    let (number, new, old) = (call.i32(0)?, call.pointer(1)?, call.pointer(2)?);
    let before = library(call).handlers.get(&number).copied().unwrap_or(DEFAULT);
    if !new.is_null() {
        let handler = call.memory().load_pointer(new)?;
        let flags = call.memory().load_i32(new.plus(136))?;
        replace(call, number, handler)?;
        if flags & libc::SA_SIGINFO != 0 {
            library(call).informed.insert(number);
        } else {
            library(call).informed.remove(&number);
        }
    }
    if !old.is_null() {
        call.memory().write(old, &[0; ACTION_BYTES])?;
        call.memory().store_pointer(old, before)?;
    }
    int(0)
}

/// The types of what a handler takes.
fn handler_parameters(call: &Call<'_, '_>, handler: Address) -> Vec<TypeId> {
    let program = call.machine.program();
    let function = handler.as_function().and_then(|index| program.functions.values().nth(index as usize));
    let signature = function.and_then(|function| program.types.signature(function.ty));
    signature.map(|signature| signature.params.clone()).unwrap_or_default()
}

fn raise(call: &mut Call<'_, '_>) -> Answer {
    let number = call.i32(0)?;
    send(call, number)
}

fn kill(call: &mut Call<'_, '_>) -> Answer {
    let number = call.i32(1)?;
    send(call, number)
}

fn send(call: &mut Call<'_, '_>, number: i32) -> Answer {
    let handler = library(call).handlers.get(&number).copied().unwrap_or(DEFAULT);
    match handler {
        IGNORE => {}
        DEFAULT => match number {
            libc::SIGCHLD | libc::SIGCONT | libc::SIGURG | libc::SIGWINCH => {}
            _ => return fault(Rule::Aborted, format!("the program ends itself by signal {number}")),
        },
        handler => {
            let ty = call.machine.types().int(IntKind::Int);
            let mut arguments = vec![Argument { ty, value: Value::signed(i64::from(number)) }];
            if library(call).informed.contains(&number) {
                let record = call.memory().allocate_library(INFO_BYTES, "what a signal handler is told")?;
                call.memory().store_i32(record, number)?;
                // What it was in the middle of is not told.
                let pointers = handler_parameters(call, handler).into_iter().skip(1);
                let values = [record, Address::NULL].map(Value::pointer);
                arguments.extend(pointers.zip(values).map(|(ty, value)| Argument { ty, value }));
            }
            call.machine.call(handler, &arguments)?;
        }
    }
    int(0)
}
