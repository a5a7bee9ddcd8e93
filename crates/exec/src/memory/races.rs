//! Data races: conflicting accesses that nothing orders.
//!
//! *Question.* Did two threads access the same byte, at least one of them writing and not both atomically, so that neither
//! access happens before the other?
//!
//! *Source.* Vector clocks for the order (Lamport 1978, Mattern 1989), epochs for the last accesses (Flanagan and Freund,
//! FastTrack, PLDI 2009); the edges are those of C11 5.1.2.4, and of POSIX for its own objects.
//!
//! *Departures.* Per byte the last write is kept and of each thread the last read since. Memory is sequentially consistent:
//! every read sees the latest write of the schedule. The edges of relaxed operations and fences are those of C11, so a program
//! that relies on more than it asked for is still caught by its races, though not by its values.
//!
//! *Guarantee.* What is reported is a race of this run by C11's definition: no edge that the program established is missing,
//! because whatever we are unsure about makes an edge. Missed are races of schedules that were not run; races hidden by an
//! accidental edge (two threads that happened to take the same mutex in between); races with an access before the last one of
//! the same thread to that byte; races on objects that the library owns; and plain accesses that the front end took for atomic.
//!
//! *Cost*: some 24 bytes for each byte that is touched while there is more than one thread, and a few hundred instructions
//! an access. A program that never makes a thread pays one comparison an access.

use super::access::Access;
use super::{Address, Checked, Fault, Memory, ObjectKind, State};
use diagnostics::{Rule, Span};
use std::collections::{BTreeMap, HashMap};

/// How far each thread has come, as far as somebody knows.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Clock(Vec<u32>);

impl Clock {
    pub fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// The thread has come one step further.
    pub fn tick(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }

    /// Knows what the other knows, too.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// A C11 memory order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    acquires: bool,
    releases: bool,
}

impl Order {
    /// By the number that `__ATOMIC_…` gives it; what is none counts as the strongest.
    pub fn of_number(number: i32) -> Order {
        Order { acquires: !matches!(number, 0 | 3), releases: !matches!(number, 0..=2) }
    }
}

/// One access, as it is told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Event {
    thread: u32,
    /// The thread's own time.
    time: u32,
    span: Span,
    /// The calls that led there, in `stacks`.
    stack: u32,
    atomic: bool,
}

/// The last accesses of a byte; numbers of events.
#[derive(Clone, Default)]
struct Cell {
    write: Option<u32>,
    reads: Vec<u32>,
}

#[derive(Default)]
struct ThreadClocks {
    now: Clock,
    /// What relaxed loads have seen, for an acquire fence.
    seen: Clock,
    /// What was known at the last release fence.
    fenced: Clock,
}

/// Everything known about the order of accesses.
#[derive(Default)]
pub(crate) struct Races {
    threads: Vec<ThreadClocks>,
    current: usize,
    events: Vec<Event>,
    numbers: HashMap<Event, u32>,
    /// By the start of the object.
    cells: HashMap<u64, Vec<Cell>>,
    stacks: Vec<Vec<(String, Span)>>,
    stack_numbers: HashMap<Vec<(String, Span)>, u32>,
    /// Where the run is.
    place: Option<Span>,
    stack: u32,
    /// Set inside an atomic operation.
    atomic: Option<Order>,
    /// Where the current atomic operation has read.
    loaded: Vec<u64>,
    /// What stores to atomic objects released, by address.
    released: BTreeMap<u64, Clock>,
}

impl Races {
    fn number(&mut self, event: Event) -> u32 {
        if let Some(&known) = self.numbers.get(&event) {
            return known;
        }
        self.events.push(event);
        let number = self.events.len() as u32 - 1;
        self.numbers.insert(event, number);
        number
    }

    /// Whether an earlier access happened before what the current thread does now.
    fn is_before(&self, event: &Event) -> bool {
        let thread = event.thread as usize;
        thread == self.current || event.time <= self.threads[self.current].now.get(thread)
    }

    /// Notes an access of a byte; gives the access that it races with.
    fn access(&mut self, start: u64, size: usize, offset: usize, writes: bool) -> Option<(Event, bool)> {
        let event = Event {
            thread: self.current as u32,
            time: self.threads[self.current].now.get(self.current),
            span: self.place.unwrap_or(Span::NONE),
            stack: self.stack,
            atomic: self.atomic.is_some(),
        };
        let number = self.number(event);
        let cells = self.cells.entry(start).or_default();
        if cells.len() < size {
            cells.resize_with(size, Cell::default);
        }
        let mut cell = std::mem::take(&mut cells[offset]);
        let races = |other: u32| {
            let other = self.events[other as usize];
            let is_ordered = self.is_before(&other) || (other.atomic && event.atomic);
            (!is_ordered).then_some(other)
        };
        let mut found = cell.write.and_then(&races).map(|other| (other, true));
        if writes && found.is_none() {
            found = cell.reads.iter().find_map(|&read| races(read)).map(|other| (other, false));
        }
        if writes {
            cell.write = Some(number);
            cell.reads.clear();
        } else {
            let events = &self.events;
            cell.reads.retain(|&read| events[read as usize].thread != event.thread);
            cell.reads.push(number);
        }
        if let Some(cells) = self.cells.get_mut(&start) {
            cells[offset] = cell;
        }
        found
    }

    /// The edges that an access inside an atomic operation makes.
    fn synchronise(&mut self, address: u64, writes: bool) {
        let Some(order) = self.atomic else { return };
        let current = self.current;
        if !writes {
            self.loaded.push(address);
            if let Some(released) = self.released.get(&address) {
                let thread = &mut self.threads[current];
                if order.acquires { thread.now.join(released) } else { thread.seen.join(released) }
            }
            return;
        }
        let thread = &mut self.threads[current];
        let gives = if order.releases { thread.now.clone() } else { thread.fenced.clone() };
        let released = self.released.entry(address).or_default();
        // A store that did not read begins a new release sequence.
        if !self.loaded.contains(&address) {
            *released = Clock::default();
        }
        released.join(&gives);
        if order.releases {
            thread.now.tick(current);
        }
    }
}

impl Memory<'_> {
    /// From here on accesses are watched; there is one thread, of number 0.
    pub(crate) fn watch(&mut self) {
        let mut races = Races::default();
        races.threads.push(ThreadClocks::default());
        races.threads[0].now.tick(0);
        races.stacks.push(Vec::new());
        self.races.replace(races);
        self.watching = true;
    }

    pub(crate) fn is_watching(&self) -> bool {
        self.watching
    }

    /// Does something that is no access of the program.
    pub(crate) fn unwatched<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.watching, false);
        let done = work(self);
        self.watching = before;
        done
    }

    /// A new thread that knows all the current one knows; its number.
    pub(crate) fn fork_clock(&mut self) {
        let races = self.races.get_mut();
        let current = races.current;
        let mut now = races.threads[current].now.clone();
        let number = races.threads.len();
        now.tick(number);
        races.threads.push(ThreadClocks { now, ..ThreadClocks::default() });
        races.threads[current].now.tick(current);
    }

    pub(crate) fn set_current_thread(&mut self, thread: usize) {
        self.races.get_mut().current = thread;
    }

    /// What the current thread has done so far, for someone who waits for it.
    pub(crate) fn release(&mut self, clock: &mut Clock) {
        let races = self.races.get_mut();
        let current = races.current;
        if let Some(thread) = races.threads.get_mut(current) {
            clock.join(&thread.now);
            thread.now.tick(current);
        }
    }

    /// The current thread knows what was released.
    pub(crate) fn acquire(&mut self, clock: &Clock) {
        let races = self.races.get_mut();
        let current = races.current;
        if let Some(thread) = races.threads.get_mut(current) {
            thread.now.join(clock);
        }
    }

    pub(crate) fn begin_atomic(&mut self, order: Order) {
        let races = self.races.get_mut();
        races.atomic = Some(order);
        races.loaded.clear();
    }

    pub(crate) fn end_atomic(&mut self) {
        self.races.get_mut().atomic = None;
    }

    pub(crate) fn is_atomic(&self) -> bool {
        self.watching && self.races.borrow().atomic.is_some()
    }

    pub(crate) fn fence(&mut self, order: Order) {
        let races = self.races.get_mut();
        let current = races.current;
        if let Some(thread) = races.threads.get_mut(current) {
            if order.acquires {
                let seen = thread.seen.clone();
                thread.now.join(&seen);
            }
            if order.releases {
                thread.fenced = thread.now.clone();
                thread.now.tick(current);
            }
        }
    }

    /// Where the run is, for what is told of a race later.
    pub(crate) fn set_place(&mut self, span: Span) {
        self.races.get_mut().place = Some(span);
    }

    /// The calls that led here: each with the name of what was called and where from.
    pub(crate) fn set_calls(&mut self, calls: Vec<(String, Span)>) {
        let races = self.races.get_mut();
        let known = races.stack_numbers.get(&calls).copied();
        races.stack = known.unwrap_or_else(|| {
            races.stacks.push(calls.clone());
            let number = races.stacks.len() as u32 - 1;
            races.stack_numbers.insert(calls, number);
            number
        });
    }

    /// Notes an access that is allowed otherwise; refuses one that races with an earlier one.
    #[cold]
    #[inline(never)]
    pub(super) fn note(&self, access: Access, address: Address, length: u64) -> Checked<()> {
        let Some(info) = self.info(address) else { return Ok(()) };
        let shared =
            matches!(info.kind, ObjectKind::Global | ObjectKind::Local | ObjectKind::Dynamic | ObjectKind::Heap);
        if !shared || info.is_const || info.offset < 0 || length == 0 {
            return Ok(());
        }
        let mut races = self.races.borrow_mut();
        let (offset, writes) = (info.offset as u64, access == Access::Write);
        let start = address.0.wrapping_sub(offset);
        let mut found = None;
        for at in offset..(offset + length).min(info.size) {
            let race = races.access(start, info.size as usize, at as usize, writes);
            found = found.or(race);
        }
        races.synchronise(address.0, writes);
        let Some((other, other_writes)) = found else { return Ok(()) };
        // What follows a race is judged as if there were an order, so that each is told once.
        let verb = |writes, atomic| match (writes, atomic) {
            (true, false) => "write",
            (false, false) => "read",
            (true, true) => "atomic write",
            (false, true) => "atomic read",
        };
        let now = verb(writes, races.atomic.is_some());
        let before = verb(other_writes, other.atomic);
        let message = format!(
            "{now} of {} at offset {offset} of {} by {} races with a {before} by {}",
            super::object::count(length, "byte"),
            info.title(),
            thread_name(races.current),
            thread_name(other.thread as usize),
        )
        .replace("a atomic", "an atomic");
        let mut fault = Fault::new(Rule::DataRace, message);
        fault = fault.with_note(other.span, format!("the {before} by {} is here", thread_name(other.thread as usize)));
        for (name, span) in races.stacks[other.stack as usize].clone() {
            fault = fault.with_note(span, format!("in a call of `{name}` made here"));
        }
        drop(races);
        Err(self.explain(address, fault))
    }

    /// Forgets what is known of accesses to an object that ended.
    pub(super) fn forget_accesses(&mut self, start: Address) {
        if self.watching {
            self.races.get_mut().cells.remove(&start.0);
        }
    }

    /// Whether the object is in use, for `free`: freeing is a write of all of it.
    pub(super) fn note_end(&self, address: Address) -> Checked<()> {
        match self.info(address) {
            Some(info) if self.watching && info.state == State::Live && info.offset == 0 => {
                self.note(Access::Write, address, info.size)
            }
            _ => Ok(()),
        }
    }
}

/// What a thread is called.
pub(crate) fn thread_name(thread: usize) -> String {
    if thread == 0 { String::from("the main thread") } else { format!("thread {thread}") }
}
