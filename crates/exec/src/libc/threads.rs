//! pthread.h, threads.h, semaphore.h: threads and what they wait for.
//!
//! What they do is in [`crate::vm`]; here are the names, the errors they answer with, and what is undefined: a lock given
//! back by another thread than the one that took it, a lock destroyed while it is held or used afterwards, a plain mutex taken
//! twice by one thread (it waits for itself), a join twice.
//!
//! These models are found by name and are not among [`super::names`]: those who reason about programs take what is there for
//! functions of one thread.

use super::{Answer, bad_argument, fault, int, null};
use crate::memory::Address;
use crate::memory::races::Order;
use crate::vm::{Awaited, Call, LockKind, Model, Stop, Tried, Value, Wait};
use diagnostics::Rule;

const SECOND: u64 = 1_000_000_000;
const EPERM: i32 = 1;
const EAGAIN: i32 = 11;
const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const EDEADLK: i32 = 35;
const ETIMEDOUT: i32 = 110;
/// What `thrd_…`, `mtx_…` and `cnd_…` answer.
const C11_BUSY: i32 = 1;
const C11_TIMED_OUT: i32 = 4;
/// Offsets in glibc's objects that static initialisers set.
const KIND_OF_MUTEX: u64 = 16;
const MUTEX_BYTES: usize = 40;
const CONDITION_BYTES: usize = 48;
const RWLOCK_BYTES: usize = 56;
const SEMAPHORE_BYTES: usize = 32;
/// `PTHREAD_CREATE_DETACHED`, which is kept at the start of the attributes.
const DETACHED: i32 = 1;
const BARRIER_SERIAL_THREAD: i32 = -1;

const MODELS: &[(&str, Model)] = &[
    ("__plumb_atomic", atomic),
    ("pthread_create", |call| create(call, Some(1), 2)),
    ("pthread_join", |call| join(call, 8)),
    ("pthread_detach", detach),
    ("pthread_exit", |call| Err(Stop::EndThread(call.pointer(0)?.0))),
    ("pthread_self", current),
    ("pthread_equal", equal),
    ("pthread_yield", |_| int(0)),
    ("sched_yield", |_| int(0)),
    ("pthread_attr_init", |call| clear(call, 56)),
    ("pthread_attr_destroy", |_| int(0)),
    ("pthread_attr_setstacksize", |_| int(0)),
    ("pthread_attr_setdetachstate", attribute_detached),
    ("pthread_mutexattr_init", |call| clear(call, 4)),
    ("pthread_mutexattr_destroy", |_| int(0)),
    ("pthread_mutexattr_settype", mutex_attribute),
    ("pthread_mutex_init", mutex_init),
    ("pthread_mutex_destroy", destroy),
    ("pthread_mutex_lock", |call| lock_mutex(call, None)),
    ("pthread_mutex_trylock", try_mutex),
    ("pthread_mutex_timedlock", |call| lock_mutex(call, Some(1))),
    ("pthread_mutex_unlock", unlock_mutex),
    ("pthread_spin_init", spin_init),
    ("pthread_spin_destroy", destroy),
    ("pthread_spin_lock", |call| lock_mutex(call, None)),
    ("pthread_spin_trylock", try_mutex),
    ("pthread_spin_unlock", unlock_mutex),
    ("pthread_rwlock_init", |call| init_lock(call, RWLOCK_BYTES, LockKind::Plain)),
    ("pthread_rwlock_destroy", destroy),
    ("pthread_rwlock_rdlock", |call| lock_shared(call, true)),
    ("pthread_rwlock_wrlock", |call| lock_shared(call, false)),
    ("pthread_rwlock_tryrdlock", |call| try_shared(call, true)),
    ("pthread_rwlock_trywrlock", |call| try_shared(call, false)),
    ("pthread_rwlock_unlock", unlock_mutex),
    ("pthread_condattr_init", |call| clear(call, 4)),
    ("pthread_condattr_destroy", |_| int(0)),
    ("pthread_cond_init", |call| clear(call, CONDITION_BYTES)),
    ("pthread_cond_destroy", |_| int(0)),
    ("pthread_cond_wait", |call| wait(call, false, ETIMEDOUT)),
    ("pthread_cond_timedwait", |call| wait(call, true, ETIMEDOUT)),
    ("pthread_cond_signal", |call| wake(call, false)),
    ("pthread_cond_broadcast", |call| wake(call, true)),
    ("pthread_barrier_init", barrier_init),
    ("pthread_barrier_destroy", |_| int(0)),
    ("pthread_barrier_wait", barrier_wait),
    ("pthread_once", once),
    ("call_once", once),
    ("pthread_key_create", key_create),
    ("pthread_key_delete", key_delete),
    ("pthread_getspecific", get_specific),
    ("pthread_setspecific", set_specific),
    ("sem_init", semaphore_init),
    ("sem_destroy", semaphore_destroy),
    ("sem_wait", |call| semaphore_wait(call, false)),
    ("sem_timedwait", |call| semaphore_wait(call, true)),
    ("sem_trywait", semaphore_try),
    ("sem_post", semaphore_post),
    ("sem_getvalue", semaphore_value),
    ("thrd_create", |call| create(call, None, 1)),
    ("thrd_join", |call| join(call, 4)),
    ("thrd_detach", detach),
    ("thrd_current", current),
    ("thrd_equal", equal),
    ("thrd_yield", |_| Ok(Value::NONE)),
    ("thrd_exit", |call| Err(Stop::EndThread(call.i32(0)? as u64))),
    ("thrd_sleep", sleep_for),
    ("nanosleep", sleep_for),
    ("mtx_init", c11_mutex_init),
    ("mtx_destroy", destroy),
    ("mtx_lock", |call| lock_mutex(call, None)),
    ("mtx_timedlock", |call| lock_mutex(call, Some(1))),
    ("mtx_trylock", |call| {
        Ok(if try_mutex(call)?.as_i32() == 0 { Value::NONE } else { Value::signed(C11_BUSY.into()) })
    }),
    ("mtx_unlock", unlock_mutex),
    ("cnd_init", |call| clear(call, CONDITION_BYTES)),
    ("cnd_destroy", |_| Ok(Value::NONE)),
    ("cnd_wait", |call| wait(call, false, C11_TIMED_OUT)),
    ("cnd_timedwait", |call| wait(call, true, C11_TIMED_OUT)),
    ("cnd_signal", |call| wake(call, false)),
    ("cnd_broadcast", |call| wake(call, true)),
    ("tss_create", key_create),
    ("tss_delete", key_delete),
    ("tss_get", get_specific),
    ("tss_set", set_specific),
];

/// The model of a function for threads.
pub fn find(name: &str) -> Option<Model> {
    MODELS.iter().find(|(known, _)| *known == name).map(|(_, model)| *model)
}

/// Around an atomic operation, or a fence.
fn atomic(call: &mut Call<'_, '_>) -> Answer {
    let (mark, order) = (call.i32(0)?, Order::of_number(call.i32(1)?));
    if call.memory().is_watching() {
        match mark {
            0 => call.memory().begin_atomic(order),
            1 => call.memory().end_atomic(),
            _ => call.memory().fence(order),
        }
    }
    Ok(Value::NONE)
}

/// Writes zeros over an object of the library's own that the program gives room for.
fn clear(call: &mut Call<'_, '_>, bytes: usize) -> Answer {
    let at = call.pointer(0)?;
    call.memory().unwatched(|memory| memory.write(at, &vec![0; bytes]))?;
    int(0)
}

/// `function` is the number of the argument that says what the thread runs; what it is given comes after it.
fn create(call: &mut Call<'_, '_>, attributes: Option<usize>, function: usize) -> Answer {
    let attributes = attributes.map_or(Ok(Address::NULL), |index| call.pointer(index))?;
    let (place, argument, function) = (call.pointer(0)?, call.argument(function + 1)?, call.pointer(function)?);
    call.memory().check_writable(place, 8)?;
    let detached = !attributes.is_null() && call.memory().unwatched(|memory| memory.load_i32(attributes))? == DETACHED;
    let number = call.machine.make_thread(function, argument)?;
    if detached {
        call.machine.detach(number)?;
    }
    // The new thread may find its number there, also if it comes before this call returns.
    call.memory().unwatched(|memory| memory.store_u64(place, number as u64))?;
    int(0)
}

fn join(call: &mut Call<'_, '_>, bytes: u64) -> Answer {
    let (thread, place) = (call.u64(0)?, call.pointer(1)?);
    let result = call.machine.join(thread as usize)?;
    if !place.is_null() {
        call.memory().write(place, &result.to_le_bytes()[..bytes as usize])?;
    }
    int(0)
}

fn detach(call: &mut Call<'_, '_>) -> Answer {
    let thread = call.u64(0)?;
    call.machine.detach(thread as usize)?;
    int(0)
}

fn current(call: &mut Call<'_, '_>) -> Answer {
    Ok(Value::unsigned(call.machine.current_thread() as u64))
}

fn equal(call: &mut Call<'_, '_>) -> Answer {
    int((call.u64(0)? == call.u64(1)?).into())
}

fn attribute_detached(call: &mut Call<'_, '_>) -> Answer {
    let (at, state) = (call.pointer(0)?, call.i32(1)?);
    call.memory().unwatched(|memory| memory.store_i32(at, state))?;
    int(0)
}

/// The kind that a number of `PTHREAD_MUTEX_…` means.
fn kind_of(number: i32) -> LockKind {
    match number & 3 {
        1 => LockKind::Recursive,
        2 => LockKind::Checking,
        _ => LockKind::Plain,
    }
}

fn mutex_attribute(call: &mut Call<'_, '_>) -> Answer {
    let (at, kind) = (call.pointer(0)?, call.i32(1)?);
    call.memory().unwatched(|memory| memory.store_i32(at, kind))?;
    int(0)
}

fn init_lock(call: &mut Call<'_, '_>, bytes: usize, kind: LockKind) -> Answer {
    let at = call.pointer(0)?;
    if call.machine.is_held(at) {
        return bad_argument("a lock is initialised while it is held");
    }
    call.memory().unwatched(|memory| memory.write(at, &vec![0; bytes]))?;
    call.machine.make_lock(at, kind);
    int(0)
}

fn mutex_init(call: &mut Call<'_, '_>) -> Answer {
    let attribute = call.pointer(1)?;
    let kind = match attribute.is_null() {
        true => LockKind::Plain,
        false => kind_of(call.memory().unwatched(|memory| memory.load_i32(attribute))?),
    };
    init_lock(call, MUTEX_BYTES, kind)
}

fn c11_mutex_init(call: &mut Call<'_, '_>) -> Answer {
    let kind = if call.i32(1)? & 1 == 1 { LockKind::Recursive } else { LockKind::Plain };
    init_lock(call, MUTEX_BYTES, kind)
}

fn spin_init(call: &mut Call<'_, '_>) -> Answer {
    init_lock(call, 4, LockKind::Plain)
}

/// Ends a lock; its bytes have no value from here on.
fn destroy(call: &mut Call<'_, '_>) -> Answer {
    let at = call.pointer(0)?;
    call.machine.end_lock(at)?;
    call.memory().unwatched(|memory| memory.forget_range(at, 4))?;
    int(0)
}

/// The lock that is an argument, which some initialiser must have made.
fn lock_at(call: &mut Call<'_, '_>) -> Result<(Address, LockKind), Stop> {
    let at = call.pointer(0)?;
    // Bytes that nobody wrote belong to no lock.
    call.memory().unwatched(|memory| memory.load_i32(at))?;
    let said = call.memory().unwatched(|memory| memory.load_i32(at.plus(KIND_OF_MUTEX))).unwrap_or(0);
    let kind = call.machine.lock(at, kind_of(said)).kind;
    Ok((at, kind))
}

/// The length of time in a `timespec`, in nanoseconds.
fn time_at(call: &mut Call<'_, '_>, at: Address) -> Result<u64, Stop> {
    let (seconds, rest) = call
        .memory()
        .unwatched(|memory| Ok::<_, Box<crate::memory::Fault>>((memory.load_i64(at)?, memory.load_i64(at.plus(8))?)))?;
    let nanoseconds = i128::from(seconds) * i128::from(SECOND) + i128::from(rest);
    Ok(nanoseconds.clamp(0, i128::from(u64::MAX)) as u64)
}

/// The moment in a `timespec`, as the run's own time.
fn moment_at(call: &mut Call<'_, '_>, at: Address) -> Result<u64, Stop> {
    let start = super::environment::TIME as u64 * SECOND;
    Ok(time_at(call, at)?.saturating_sub(start))
}

fn lock_mutex(call: &mut Call<'_, '_>, until: Option<usize>) -> Answer {
    let (at, kind) = lock_at(call)?;
    if until.is_some() && call.machine.takes_timeout() {
        return int(ETIMEDOUT);
    }
    match call.machine.try_lock(at, false) {
        Tried::Done => int(0),
        Tried::Own if kind == LockKind::Checking => int(EDEADLK),
        Tried::Own if until.is_none() => {
            fault(Rule::Deadlock, "a thread takes a mutex that it holds already, and waits for itself for ever")
        }
        _ => {
            let until = match until {
                Some(index) => {
                    let at = call.pointer(index)?;
                    Some(moment_at(call, at)?)
                }
                None => None,
            };
            Err(Stop::Wait(Wait { what: Awaited::Lock { at, shared: false }, until }))
        }
    }
}

fn try_mutex(call: &mut Call<'_, '_>) -> Answer {
    let (at, _) = lock_at(call)?;
    int(if call.machine.try_lock(at, false) == Tried::Done { 0 } else { EBUSY })
}

fn unlock_mutex(call: &mut Call<'_, '_>) -> Answer {
    let (at, kind) = lock_at(call)?;
    match call.machine.unlock(at) {
        Tried::Done => int(0),
        _ if kind == LockKind::Checking => int(EPERM),
        _ => bad_argument("a lock is given back by a thread that does not hold it"),
    }
}

fn lock_shared(call: &mut Call<'_, '_>, shared: bool) -> Answer {
    let (at, _) = lock_at(call)?;
    match call.machine.try_lock(at, shared) {
        Tried::Done => int(0),
        Tried::Own => {
            fault(Rule::Deadlock, "a thread takes a lock that it holds already, and waits for itself for ever")
        }
        _ => Err(Stop::Wait(Wait { what: Awaited::Lock { at, shared }, until: None })),
    }
}

fn try_shared(call: &mut Call<'_, '_>, shared: bool) -> Answer {
    let (at, _) = lock_at(call)?;
    int(if call.machine.try_lock(at, shared) == Tried::Done { 0 } else { EBUSY })
}

fn wait(call: &mut Call<'_, '_>, timed: bool, timeout: i32) -> Answer {
    let (condition, mutex) = (call.pointer(0)?, call.pointer(1)?);
    call.memory().unwatched(|memory| memory.load_i32(condition))?;
    let until = match timed {
        true => {
            let at = call.pointer(2)?;
            Some(moment_at(call, at)?)
        }
        false => None,
    };
    int(if call.machine.wait_on(condition, mutex, until)? { 0 } else { timeout })
}

fn wake(call: &mut Call<'_, '_>, all: bool) -> Answer {
    let condition = call.pointer(0)?;
    call.memory().unwatched(|memory| memory.load_i32(condition))?;
    call.machine.wake(condition, all);
    int(0)
}

fn barrier_init(call: &mut Call<'_, '_>) -> Answer {
    let (at, count) = (call.pointer(0)?, call.u64(2)? as u32);
    if count == 0 {
        return int(EINVAL);
    }
    call.memory().unwatched(|memory| memory.write(at, &[0; SEMAPHORE_BYTES]))?;
    call.machine.make_barrier(at, count);
    int(0)
}

fn barrier_wait(call: &mut Call<'_, '_>) -> Answer {
    let at = call.pointer(0)?;
    int(if call.machine.arrive(at)? { BARRIER_SERIAL_THREAD } else { 0 })
}

fn once(call: &mut Call<'_, '_>) -> Answer {
    let (at, routine) = (call.pointer(0)?, call.pointer(1)?);
    if call.machine.begins_once(at)? {
        call.machine.call(routine, &[])?;
        call.machine.ends_once(at);
    }
    int(0)
}

fn key_create(call: &mut Call<'_, '_>) -> Answer {
    let (place, destructor) = (call.pointer(0)?, call.pointer(1)?);
    let key = call.machine.make_key(destructor);
    call.memory().store_u32(place, key)?;
    int(0)
}

fn key_of(call: &mut Call<'_, '_>) -> Result<u32, Stop> {
    let key = call.u64(0)? as u32;
    if call.machine.has_key(key) { Ok(key) } else { bad_argument("a key that was not made, or was deleted") }
}

fn key_delete(call: &mut Call<'_, '_>) -> Answer {
    let key = key_of(call)?;
    call.machine.end_key(key);
    int(0)
}

fn get_specific(call: &mut Call<'_, '_>) -> Answer {
    let key = key_of(call)?;
    match call.machine.specific().get(&key) {
        Some(&value) => Ok(Value::unsigned(value)),
        None => null(),
    }
}

fn set_specific(call: &mut Call<'_, '_>) -> Answer {
    let (key, value) = (key_of(call)?, call.pointer(1)?);
    call.machine.specific().insert(key, value.0);
    int(0)
}

fn semaphore_init(call: &mut Call<'_, '_>) -> Answer {
    let (at, value) = (call.pointer(0)?, call.u64(2)? as u32);
    call.memory().unwatched(|memory| memory.write(at, &[0; SEMAPHORE_BYTES]))?;
    call.machine.make_semaphore(at, value);
    int(0)
}

/// The semaphore that is an argument.
fn semaphore_at(call: &mut Call<'_, '_>) -> Result<(Address, u32), Stop> {
    let at = call.pointer(0)?;
    call.memory().unwatched(|memory| memory.load_i32(at))?;
    match call.machine.semaphore(at) {
        Some(value) => Ok((at, value)),
        None => bad_argument("a semaphore that was not initialised, or is destroyed"),
    }
}

fn semaphore_destroy(call: &mut Call<'_, '_>) -> Answer {
    let (at, _) = semaphore_at(call)?;
    call.machine.end_semaphore(at);
    int(0)
}

fn semaphore_wait(call: &mut Call<'_, '_>, timed: bool) -> Answer {
    let (at, _) = semaphore_at(call)?;
    if call.machine.take_one(at) {
        return int(0);
    }
    if timed && call.machine.takes_timeout() {
        super::errno::set(call, ETIMEDOUT)?;
        return int(-1);
    }
    let until = match timed {
        true => {
            let at = call.pointer(1)?;
            Some(moment_at(call, at)?)
        }
        false => None,
    };
    Err(Stop::Wait(Wait { what: Awaited::Semaphore(at), until }))
}

fn semaphore_try(call: &mut Call<'_, '_>) -> Answer {
    let (at, _) = semaphore_at(call)?;
    if call.machine.take_one(at) {
        return int(0);
    }
    super::errno::set(call, EAGAIN)?;
    int(-1)
}

fn semaphore_post(call: &mut Call<'_, '_>) -> Answer {
    let (at, _) = semaphore_at(call)?;
    call.machine.post(at);
    int(0)
}

fn semaphore_value(call: &mut Call<'_, '_>) -> Answer {
    let ((_, value), place) = (semaphore_at(call)?, call.pointer(1)?);
    call.memory().store_i32(place, value as i32)?;
    int(0)
}

/// Sleeps as `nanosleep` does.
fn sleep_for(call: &mut Call<'_, '_>) -> Answer {
    let at = call.pointer(0)?;
    let length = time_at(call, at)?;
    sleep(call, length)
}

/// Sleeps until all others have nothing to do, and time passes.
pub(super) fn sleep(call: &mut Call<'_, '_>, length: u64) -> Answer {
    if call.machine.takes_timeout() {
        return int(0);
    }
    let until = call.machine.now().saturating_add(length);
    Err(Stop::Wait(Wait { what: Awaited::Time, until: Some(until) }))
}
