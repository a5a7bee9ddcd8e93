//! signal.h: handlers are called where the program itself raises a signal.
//!
//! Nothing else sends one: what would raise a signal in a process (a division by zero, a wild access) is a finding here,
//! and time does not pass, so that `alarm` never rings. Masks are kept by nobody.

use super::{Answer, Entry, bad_argument, fault, int, library};
use crate::memory::Address;
use crate::vm::{Argument, Call, Stop, Value};
use diagnostics::Rule;
use ir::IntKind;

pub(super) const MODELS: &[Entry] = &[
    ("void *signal(int, void *)", signal),
    ("int sigaction(int, const void *, void *)", sigaction),
    ("int raise(int)", raise),
    ("int kill(int, int)", kill),
    ("int sigemptyset(void *)", |call| fill(call, 0)),
    ("int sigfillset(void *)", |call| fill(call, 0xff)),
    ("int sigaddset(void *, int)", |_| int(0)),
    ("int sigdelset(void *, int)", |_| int(0)),
    ("int sigprocmask(int, const void *, void *)", |_| int(0)),
    ("unsigned alarm(unsigned)", |_| int(0)),
];

const DEFAULT: Address = Address(0);
const IGNORE: Address = Address(1);
/// The sizes of `sigset_t` and `struct sigaction`, whose first member is the handler.
const SET_BYTES: u64 = 128;
const ACTION_BYTES: usize = 152;

fn fill(call: &mut Call<'_, '_>, byte: u8) -> Answer {
    let set = call.pointer(0)?;
    call.memory().fill(set, byte, SET_BYTES)?;
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
        if flags & libc::SA_SIGINFO != 0 {
            return Err(Stop::unsupported("signal handlers that take a siginfo_t"));
        }
        replace(call, number, handler)?;
    }
    if !old.is_null() {
        call.memory().write(old, &[0; ACTION_BYTES])?;
        call.memory().store_pointer(old, before)?;
    }
    int(0)
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
            call.machine.call(handler, &[Argument { ty, value: Value::signed(i64::from(number)) }])?;
        }
    }
    int(0)
}
