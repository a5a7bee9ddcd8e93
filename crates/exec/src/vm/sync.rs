//! What threads wait for: mutexes, conditions, semaphores, barriers, each other; and the order these make.
//!
//! Everything is known by its address; the bytes there stay the program's own, but for the marks that `…_init` leaves. An
//! operation either is done or gives [`Stop::Wait`], after which the scheduler makes the same call again when the wait is over.

use super::machine::Machine;
use super::stop::Stop;
use super::threads::Threads;
use crate::memory::Address;
use crate::memory::races::{Clock, thread_name};
use diagnostics::{Rule, Span};
use std::collections::BTreeMap;

/// What a thread waits for, and how long at most.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wait {
    pub what: Awaited,
    /// In nanoseconds of the run's own time.
    pub until: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    Lock { at: Address, shared: bool },
    Signal(Address),
    Semaphore(Address),
    Barrier { at: Address, round: u64 },
    Thread(usize),
    Once(Address),
    Time,
}

/// How far a wait on a condition, or for a time, has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    #[default]
    None,
    Waiting,
    Woken,
    TimedOut,
}

impl Phase {
    pub(super) fn timed_out(self) -> Phase {
        Phase::TimedOut
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LockKind {
    #[default]
    Plain,
    Recursive,
    /// Errors are answered instead of being undefined.
    Checking,
}

/// A mutex or a lock for readers and a writer.
#[derive(Clone, Default, Debug)]
pub struct Lock {
    pub kind: LockKind,
    owner: Option<usize>,
    depth: u32,
    readers: Vec<usize>,
    taken: Option<Span>,
    clock: Clock,
}

#[derive(Clone, Default, Debug)]
struct Semaphore {
    value: u32,
    clock: Clock,
}

#[derive(Clone, Default, Debug)]
struct Barrier {
    needed: u32,
    arrived: u32,
    round: u64,
    clock: Clock,
    last: Clock,
}

#[derive(Clone, Default, Debug)]
struct Once {
    runs: bool,
    done: bool,
    clock: Clock,
}

/// The objects that threads wait for.
#[derive(Default)]
pub(super) struct Synchronisation {
    locks: BTreeMap<Address, Lock>,
    /// The threads that wait on each condition.
    conditions: BTreeMap<Address, Vec<usize>>,
    signals: BTreeMap<Address, Clock>,
    semaphores: BTreeMap<Address, Semaphore>,
    barriers: BTreeMap<Address, Barrier>,
    onces: BTreeMap<Address, Once>,
    /// The destructors of the keys; none for a key that was deleted.
    pub keys: Vec<Option<Address>>,
    /// The run's own time, in nanoseconds.
    pub now: u64,
    /// The wait of a program that has no second thread.
    pub alone: Phase,
    /// What the only thread keeps under its keys.
    pub specific: BTreeMap<u32, u64>,
}

/// What came of an operation on a lock that does not wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tried {
    Done,
    /// Somebody else has it.
    Busy,
    /// The calling thread has it already.
    Own,
    NotOwner,
}

impl Threads<'_> {
    fn phase(&mut self) -> &mut Phase {
        match self.all.get_mut(self.current) {
            Some(thread) => &mut thread.phase,
            None => &mut self.sync.alone,
        }
    }
}

impl Machine<'_> {
    /// Whether what a thread waits for has come.
    pub(super) fn is_over(&self, thread: usize, wait: Wait) -> bool {
        let sync = &self.threads.sync;
        match wait.what {
            Awaited::Lock { at, shared } => {
                sync.locks.get(&at).is_none_or(|lock| lock.owner.is_none() && (shared || lock.readers.is_empty()))
            }
            Awaited::Signal(_) => self.threads.all[thread].phase == Phase::Woken,
            Awaited::Semaphore(at) => sync.semaphores.get(&at).is_some_and(|semaphore| semaphore.value > 0),
            Awaited::Barrier { at, round } => sync.barriers.get(&at).is_none_or(|barrier| barrier.round != round),
            Awaited::Thread(other) => self.threads.all[other].result().is_some(),
            Awaited::Once(at) => sync.onces.get(&at).is_none_or(|once| once.done),
            Awaited::Time => false,
        }
    }

    /// What is waited for, as a message names it.
    pub(super) fn what(&self, wait: &Wait) -> String {
        let name = |at| self.memory.info(at).map_or(String::from("an object"), |info| info.title());
        match wait.what {
            Awaited::Lock { at, .. } => format!("the lock {}", name(at)),
            Awaited::Signal(at) => format!("a signal of {}", name(at)),
            Awaited::Semaphore(at) => format!("the semaphore {}", name(at)),
            Awaited::Barrier { at, .. } => format!("the barrier {}", name(at)),
            Awaited::Thread(other) => format!("the end of {}", thread_name(other)),
            Awaited::Once(at) => format!("the routine of {}", name(at)),
            Awaited::Time => String::from("a time"),
        }
    }

    /// Who has the lock that is waited for, and since where.
    pub(super) fn holder(&self, wait: &Wait) -> Option<(usize, Span)> {
        let Awaited::Lock { at, .. } = wait.what else { return None };
        let lock = self.threads.sync.locks.get(&at)?;
        Some((lock.owner.or(lock.readers.first().copied())?, lock.taken?))
    }

    /// The lock at an address: one that `…_init` made, or one of the kind that its initialiser says.
    pub(crate) fn lock(&mut self, at: Address, kind: LockKind) -> &mut Lock {
        self.threads.sync.locks.entry(at).or_insert_with(|| Lock { kind, ..Lock::default() })
    }

    /// A new lock; another one that was there is gone.
    pub(crate) fn make_lock(&mut self, at: Address, kind: LockKind) {
        self.threads.sync.locks.insert(at, Lock { kind, ..Lock::default() });
    }

    /// Ends a lock, which nobody may hold.
    pub(crate) fn end_lock(&mut self, at: Address) -> Result<(), Stop> {
        match self.threads.sync.locks.remove(&at) {
            Some(lock) if lock.owner.is_some() || !lock.readers.is_empty() => {
                Err(Stop::fault(Rule::BadArgument, "a lock is destroyed while it is held"))
            }
            _ => Ok(()),
        }
    }

    /// Takes a lock if that can be done at once.
    pub(crate) fn try_lock(&mut self, at: Address, shared: bool) -> Tried {
        let (current, span) = (self.threads.current, self.span());
        let Some(lock) = self.threads.sync.locks.get_mut(&at) else { return Tried::Busy };
        if lock.owner == Some(current) {
            if lock.kind != LockKind::Recursive {
                return Tried::Own;
            }
            lock.depth += 1;
            return Tried::Done;
        }
        if lock.owner.is_some() || (!shared && !lock.readers.is_empty()) {
            let own = !shared && lock.readers.contains(&current);
            return if own { Tried::Own } else { Tried::Busy };
        }
        if shared {
            lock.readers.push(current);
        } else {
            lock.owner = Some(current);
            lock.depth = 1;
        }
        lock.taken = Some(span);
        let clock = lock.clock.clone();
        self.memory.acquire(&clock);
        Tried::Done
    }

    /// Gives a lock back.
    pub(crate) fn unlock(&mut self, at: Address) -> Tried {
        let current = self.threads.current;
        let Some(lock) = self.threads.sync.locks.get_mut(&at) else { return Tried::NotOwner };
        if lock.owner == Some(current) {
            lock.depth -= 1;
            if lock.depth > 0 {
                return Tried::Done;
            }
            lock.owner = None;
        } else if let Some(reader) = lock.readers.iter().position(|&reader| reader == current) {
            lock.readers.remove(reader);
        } else {
            return Tried::NotOwner;
        }
        self.memory.release(&mut lock.clock);
        Tried::Done
    }

    /// Whether somebody holds the lock.
    pub(crate) fn is_held(&self, at: Address) -> bool {
        self.threads.sync.locks.get(&at).is_some_and(|lock| lock.owner.is_some() || !lock.readers.is_empty())
    }

    /// Waits on a condition, giving the mutex back meanwhile: `true` when it was signalled, `false` when the time was over.
    pub(crate) fn wait_on(&mut self, condition: Address, mutex: Address, until: Option<u64>) -> Result<bool, Stop> {
        let current = self.threads.current;
        match *self.threads.phase() {
            Phase::None => {
                if self.unlock(mutex) != Tried::Done {
                    return Err(Stop::fault(Rule::BadArgument, "a wait on a condition without holding the mutex"));
                }
                self.threads.sync.conditions.entry(condition).or_default().push(current);
                *self.threads.phase() = Phase::Waiting;
                Err(Stop::Wait(Wait { what: Awaited::Signal(condition), until }))
            }
            Phase::Waiting => Err(Stop::Wait(Wait { what: Awaited::Signal(condition), until })),
            phase => {
                self.lock(mutex, LockKind::Plain);
                if self.try_lock(mutex, false) != Tried::Done {
                    return Err(Stop::Wait(Wait { what: Awaited::Lock { at: mutex, shared: false }, until: None }));
                }
                if let Some(waiting) = self.threads.sync.conditions.get_mut(&condition) {
                    waiting.retain(|&thread| thread != current);
                }
                if phase == Phase::Woken {
                    let clock = self.threads.sync.signals.get(&condition).cloned().unwrap_or_default();
                    self.memory.acquire(&clock);
                }
                *self.threads.phase() = Phase::None;
                Ok(phase == Phase::Woken)
            }
        }
    }

    /// Wakes one of those who wait on a condition, or all.
    pub(crate) fn wake(&mut self, condition: Address, all: bool) {
        let clock = self.threads.sync.signals.entry(condition).or_default();
        self.memory.release(clock);
        let asleep: Vec<usize> = self.threads.sync.conditions.get(&condition).map_or(Vec::new(), |waiting| {
            waiting.iter().copied().filter(|&thread| self.threads.all[thread].phase == Phase::Waiting).collect()
        });
        let chosen = if all || asleep.is_empty() { asleep } else { vec![asleep[self.threads.draw(asleep.len())]] };
        for thread in chosen {
            self.threads.all[thread].phase = Phase::Woken;
        }
    }

    pub(crate) fn make_semaphore(&mut self, at: Address, value: u32) {
        self.threads.sync.semaphores.insert(at, Semaphore { value, clock: Clock::default() });
    }

    /// The value of a semaphore; `None` if there is none.
    pub(crate) fn semaphore(&self, at: Address) -> Option<u32> {
        self.threads.sync.semaphores.get(&at).map(|semaphore| semaphore.value)
    }

    pub(crate) fn end_semaphore(&mut self, at: Address) {
        self.threads.sync.semaphores.remove(&at);
    }

    /// One more.
    pub(crate) fn post(&mut self, at: Address) {
        if let Some(semaphore) = self.threads.sync.semaphores.get_mut(&at) {
            semaphore.value += 1;
            self.memory.release(&mut semaphore.clock);
        }
    }

    /// One less, if there is one.
    pub(crate) fn take_one(&mut self, at: Address) -> bool {
        match self.threads.sync.semaphores.get_mut(&at) {
            Some(semaphore) if semaphore.value > 0 => {
                semaphore.value -= 1;
                let clock = semaphore.clock.clone();
                self.memory.acquire(&clock);
                true
            }
            _ => false,
        }
    }

    /// Ends a wait for a time: whether it was over.
    pub(crate) fn takes_timeout(&mut self) -> bool {
        let phase = self.threads.phase();
        let over = *phase == Phase::TimedOut;
        if over {
            *phase = Phase::None;
        }
        over
    }

    pub(crate) fn make_barrier(&mut self, at: Address, needed: u32) {
        self.threads.sync.barriers.insert(at, Barrier { needed, ..Barrier::default() });
    }

    /// Waits until enough threads are there: whether the caller is the one that opened the barrier.
    pub(crate) fn arrive(&mut self, at: Address) -> Result<bool, Stop> {
        let waiting = *self.threads.phase() == Phase::Waiting;
        let Some(barrier) = self.threads.sync.barriers.get_mut(&at) else {
            return Err(Stop::fault(Rule::BadArgument, "a barrier that was not initialised"));
        };
        if waiting {
            let clock = barrier.last.clone();
            self.memory.acquire(&clock);
            *self.threads.phase() = Phase::None;
            return Ok(false);
        }
        self.memory.release(&mut barrier.clock);
        barrier.arrived += 1;
        if barrier.arrived >= barrier.needed {
            barrier.arrived = 0;
            barrier.round += 1;
            barrier.last = std::mem::take(&mut barrier.clock);
            let clock = barrier.last.clone();
            self.memory.acquire(&clock);
            return Ok(true);
        }
        let round = barrier.round;
        *self.threads.phase() = Phase::Waiting;
        Err(Stop::Wait(Wait { what: Awaited::Barrier { at, round }, until: None }))
    }

    /// Whether the caller is to run the routine of a control: the first who comes.
    pub(crate) fn begins_once(&mut self, at: Address) -> Result<bool, Stop> {
        let once = self.threads.sync.onces.entry(at).or_default();
        if once.done {
            let clock = once.clock.clone();
            self.memory.acquire(&clock);
            return Ok(false);
        }
        if once.runs {
            return Err(Stop::Wait(Wait { what: Awaited::Once(at), until: None }));
        }
        once.runs = true;
        Ok(true)
    }

    pub(crate) fn ends_once(&mut self, at: Address) {
        if let Some(once) = self.threads.sync.onces.get_mut(&at) {
            once.done = true;
            self.memory.release(&mut once.clock);
        }
    }

    /// Waits for the end of a thread: what it returned.
    pub(crate) fn join(&mut self, thread: usize) -> Result<u64, Stop> {
        let wait = Wait { what: Awaited::Thread(thread), until: None };
        let Some(other) = self.threads.all.get_mut(thread) else {
            return Err(Stop::fault(Rule::BadArgument, "the end of a thread that was never made is waited for"));
        };
        if other.joined || other.detached {
            let what = if other.detached { "is detached" } else { "was joined before" };
            return Err(Stop::fault(Rule::BadArgument, format!("join of {}, which {what}", thread_name(thread))));
        }
        if thread == self.threads.current {
            return Err(Stop::fault(Rule::Deadlock, "a thread waits for its own end"));
        }
        let Some(result) = other.result() else { return Err(Stop::Wait(wait)) };
        other.joined = true;
        let clock = other.clock.clone();
        self.memory.acquire(&clock);
        Ok(result)
    }

    /// Says that nobody will wait for a thread.
    pub(crate) fn detach(&mut self, thread: usize) -> Result<(), Stop> {
        match self.threads.all.get_mut(thread) {
            Some(other) if !other.joined && !other.detached => {
                other.detached = true;
                Ok(())
            }
            None if thread == 0 => Ok(()),
            _ => Err(Stop::fault(Rule::BadArgument, "detach of a thread that is not joinable")),
        }
    }

    pub(crate) fn current_thread(&self) -> usize {
        self.threads.current
    }

    pub(crate) fn now(&self) -> u64 {
        self.threads.sync.now
    }

    pub(crate) fn make_key(&mut self, destructor: Address) -> u32 {
        self.threads.sync.keys.push(Some(destructor));
        self.threads.sync.keys.len() as u32 - 1
    }

    pub(crate) fn end_key(&mut self, key: u32) {
        if let Some(destructor) = self.threads.sync.keys.get_mut(key as usize) {
            *destructor = None;
        }
    }

    pub(crate) fn has_key(&self, key: u32) -> bool {
        self.threads.sync.keys.get(key as usize).is_some_and(Option::is_some)
    }

    /// What the running thread keeps under its keys.
    pub(crate) fn specific(&mut self) -> &mut BTreeMap<u32, u64> {
        match self.threads.all.get_mut(self.threads.current) {
            Some(thread) => &mut thread.specific,
            None => &mut self.threads.sync.specific,
        }
    }
}
