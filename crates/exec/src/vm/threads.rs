//! Threads under a deterministic scheduler.
//!
//! One thread runs at a time, on the machine's own frames and registers; those of the others wait in a [`Thread`]. The run
//! goes from one to another where a thread waits, ends or calls the library, and at backward jumps when its share of steps is
//! used up; which one comes next, and how long a share is, is drawn from a seed. So a schedule is its seed, and comes again
//! with it. Within straight code nothing comes in between, which no program may rely on and none can tell without a data
//! race, and those are found whatever the schedule ([`crate::memory::races`]).
//!
//! *Departures* from POSIX and C11: memory is sequentially consistent; nobody wakes without a reason (no spurious wakeups, no
//! interrupted waits); time passes only when all threads wait, and then far enough for the first who waits for a time; no
//! cancellation and no signals between threads. A thread may not wait inside a function that the library has called
//! (a comparison of `qsort`, a destructor): that is unsupported.
//!
//! *Guarantee.* A deadlock that is reported is one: no thread of this schedule can go on, ever. What holds of one schedule need
//! not hold of another; [`super::run::Options::schedule`] says which one is run.

use super::machine::{Frame, Machine, Variadic};
use super::model::Argument;
use super::stop::Stop;
use super::sync::{Synchronisation, Wait};
use super::value::Value;
use crate::memory::races::{Clock, thread_name};
use crate::memory::{Address, CallStack, Fault};
use diagnostics::{Rule, Span};
use std::collections::BTreeMap;

/// Which schedule is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    pub seed: u64,
}

/// What a thread has when it does not run.
#[derive(Default)]
struct Context<'p> {
    frames: Vec<Frame<'p>>,
    registers: Vec<u64>,
    variadics: Vec<Variadic>,
    landings: Vec<super::jumps::Landing>,
    arguments: Vec<Argument>,
    stack: CallStack,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    Ready,
    Waiting(Wait),
    /// With what it returned.
    Ended(u64),
}

pub(super) struct Thread<'p> {
    context: Context<'p>,
    state: State,
    /// Where it was made.
    made: Span,
    /// Whether somebody waited for its end, or said that nobody will.
    pub joined: bool,
    pub detached: bool,
    /// How far a wait on a condition has come.
    pub phase: super::sync::Phase,
    /// What it keeps under each key.
    pub specific: BTreeMap<u32, u64>,
    /// All it had done when it ended.
    pub clock: Clock,
}

/// The threads of a run.
#[derive(Default)]
pub(super) struct Threads<'p> {
    /// Whether there may be any.
    pub schedule: Option<Schedule>,
    random: u64,
    pub current: usize,
    /// Empty as long as there is only the main one.
    pub all: Vec<Thread<'p>>,
    pub sync: Synchronisation,
}

/// Threads that there may be at a time, ended ones included.
const MOST_THREADS: usize = 4096;
/// The longest share of steps.
const LONGEST_SHARE: u64 = 400;

impl<'p> Thread<'p> {
    fn new(made: Span) -> Thread<'p> {
        Thread {
            context: Context::default(),
            state: State::Ready,
            made,
            joined: false,
            detached: false,
            phase: super::sync::Phase::None,
            specific: BTreeMap::new(),
            clock: Clock::default(),
        }
    }

    /// What it returned, once it has ended.
    pub fn result(&self) -> Option<u64> {
        match self.state {
            State::Ended(result) => Some(result),
            _ => None,
        }
    }
}

impl Threads<'_> {
    pub fn start(schedule: Option<Schedule>) -> Self {
        let random = schedule.map_or(0, |schedule| schedule.seed).wrapping_mul(0x2545_F491_4F6C_DD1D);
        Threads { schedule, random, ..Threads::default() }
    }

    /// The next number of the schedule (SplitMix64).
    pub fn draw(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn has_threads(&self) -> bool {
        !self.threads.all.is_empty()
    }

    /// Whether another thread may run before the next instruction.
    fn may_switch(&self) -> bool {
        self.has_threads() && self.nesting == 1 && !self.memory.is_atomic()
    }

    /// The share of the running thread is used up; whether another one comes now.
    pub(super) fn is_turn_over(&mut self) -> Result<bool, Stop> {
        self.clock.look()?;
        if !self.may_switch() {
            return Ok(false);
        }
        self.clock.set_share(16 + self.threads.draw(LONGEST_SHARE as usize) as u64);
        Ok(true)
    }

    /// Whether the schedule has another thread run before this call of the library.
    pub(super) fn yields_here(&mut self) -> bool {
        self.may_switch() && self.threads.draw(4) == 0
    }

    /// Makes a thread that will call a function; its number.
    pub(crate) fn make_thread(&mut self, function: Address, argument: Argument) -> Result<usize, Stop> {
        if self.threads.schedule.is_none() {
            return Err(Stop::unsupported("threads, but for `plumb run`"));
        }
        if self.types().has_thread_locals {
            return Err(Stop::unsupported("threads of a program with `_Thread_local` variables"));
        }
        if self.threads.all.len() >= MOST_THREADS {
            return Err(Stop::unsupported("so many threads"));
        }
        if self.threads.all.is_empty() {
            let mut main = Thread::new(Span::NONE);
            main.specific = std::mem::take(&mut self.threads.sync.specific);
            self.threads.all.push(main);
            self.memory.watch();
            self.clock.set_share(LONGEST_SHARE);
        }
        let made = self.span();
        let number = self.threads.all.len();
        self.threads.all.push(Thread::new(made));
        self.memory.fork_clock();
        // The first frame is made on the new thread's own stack.
        let creator = self.threads.current;
        self.swap_context(creator);
        self.swap_context(number);
        let entered = self.enter_first(function, argument);
        self.swap_context(number);
        self.swap_context(creator);
        entered?;
        Ok(number)
    }

    fn enter_first(&mut self, function: Address, argument: Argument) -> Result<(), Stop> {
        self.registers.resize(1 << 8, 0);
        let id = self.function_at(function)?;
        if self.program().functions[id].body.is_none() {
            return Err(Stop::unsupported("a thread that starts in a library function"));
        }
        self.enter_with(id, vec![argument], false, 0, true)?;
        Ok(())
    }

    /// Exchanges what the machine runs on with what a thread keeps.
    fn swap_context(&mut self, thread: usize) {
        let Context { frames, registers, variadics, landings, arguments, stack } =
            &mut self.threads.all[thread].context;
        std::mem::swap(&mut self.frames, frames);
        std::mem::swap(&mut self.registers, registers);
        std::mem::swap(&mut self.variadics, variadics);
        std::mem::swap(&mut self.landings, landings);
        std::mem::swap(&mut self.arguments, arguments);
        self.memory.swap_stack(stack);
    }

    /// Another thread, or the same again, goes on.
    pub(super) fn switch(&mut self) -> Result<(), Stop> {
        let ready: Vec<usize> = (0..self.threads.all.len()).filter(|&thread| self.can_run(thread)).collect();
        let next = match ready.len() {
            0 => self.first_timeout()?,
            count => ready[self.threads.draw(count)],
        };
        self.run_thread(next);
        Ok(())
    }

    fn run_thread(&mut self, next: usize) {
        self.threads.all[next].state = State::Ready;
        let current = self.threads.current;
        if next != current {
            self.swap_context(current);
            self.swap_context(next);
            self.threads.current = next;
            self.memory.set_current_thread(next);
            self.library.switch_thread(current, next);
        }
    }

    fn can_run(&self, thread: usize) -> bool {
        match self.threads.all[thread].state {
            State::Ready => true,
            State::Waiting(wait) => self.is_over(thread, wait),
            State::Ended(_) => false,
        }
    }

    /// Nobody can run: time passes until somebody's wait ends by it. Without one it is a deadlock.
    fn first_timeout(&mut self) -> Result<usize, Stop> {
        let timed = self.threads.all.iter().enumerate().filter_map(|(number, thread)| match thread.state {
            State::Waiting(wait) => wait.until.map(|until| (until, number)),
            _ => None,
        });
        match timed.min() {
            Some((until, number)) => {
                self.threads.sync.now = self.threads.sync.now.max(until);
                let thread = &mut self.threads.all[number];
                thread.phase = thread.phase.timed_out();
                Ok(number)
            }
            None => Err(Stop::Fault(self.deadlock())),
        }
    }

    fn deadlock(&self) -> Box<Fault> {
        let current = self.threads.current;
        let mut waiting = Vec::new();
        for (number, thread) in self.threads.all.iter().enumerate() {
            if let State::Waiting(wait) = thread.state {
                waiting.push((number, wait));
            }
        }
        let what = |(number, wait): &(usize, Wait)| format!("{} waits for {}", thread_name(*number), self.what(wait));
        let told: Vec<String> = waiting.iter().map(what).collect();
        let mut fault = Fault::new(Rule::Deadlock, format!("no thread can go on: {}", told.join("; ")));
        for (number, wait) in &waiting {
            if let Some((owner, span)) = self.holder(wait) {
                fault = fault.with_note(span, format!("{} took {} here", thread_name(owner), self.what(wait)));
            }
            if *number == current {
                continue;
            }
            let frames = &self.threads.all[*number].context.frames;
            if let Some(frame) = frames.last() {
                let span = frame.code.spans[(frame.pc as usize).min(frame.code.spans.len() - 1)];
                fault = fault.with_note(span, format!("{} waits here", thread_name(*number)));
            }
        }
        fault
    }

    /// The running thread waits: its call is made again when the wait is over.
    pub(super) fn block(&mut self, wait: Wait) -> Result<(), Stop> {
        if self.nesting != 1 {
            return Err(Stop::unsupported("a thread that waits inside a function that the library calls"));
        }
        if self.threads.all.is_empty() {
            // Nobody will ever come; unless time does.
            let Some(until) = wait.until else {
                let message = format!("the only thread waits for {}", self.what(&wait));
                let mut fault = Fault::new(Rule::Deadlock, message);
                if let Some((_, span)) = self.holder(&wait) {
                    fault = fault.with_note(span, format!("{} was taken here", self.what(&wait)));
                }
                return Err(Stop::Fault(fault));
            };
            self.threads.sync.now = self.threads.sync.now.max(until);
            self.threads.sync.alone = self.threads.sync.alone.timed_out();
            return Ok(());
        }
        let current = self.threads.current;
        self.threads.all[current].state = State::Waiting(wait);
        self.switch()
    }

    /// The running thread has ended. `false` if it was the last.
    pub(super) fn end_thread(&mut self, result: u64) -> Result<bool, Stop> {
        while !self.frames.is_empty() {
            self.pop_frame(Span::NONE);
        }
        let current = self.threads.current;
        if self.threads.all.is_empty() {
            return Ok(false);
        }
        self.run_destructors(current)?;
        let mut clock = Clock::default();
        self.memory.release(&mut clock);
        let thread = &mut self.threads.all[current];
        thread.clock = clock;
        thread.state = State::Ended(result);
        if self.threads.all.iter().all(|thread| thread.result().is_some()) {
            return Ok(false);
        }
        self.switch()?;
        Ok(true)
    }

    /// Runs the destructors of what the thread keeps under keys.
    fn run_destructors(&mut self, thread: usize) -> Result<(), Stop> {
        // POSIX allows to stop after a few rounds.
        for _ in 0..4 {
            let kept = std::mem::take(&mut self.threads.all[thread].specific);
            let mut any = false;
            for (key, value) in kept {
                let Some(Some(destructor)) = self.threads.sync.keys.get(key as usize).copied() else { continue };
                if value == 0 || destructor.is_null() {
                    continue;
                }
                any = true;
                let id = self.function_at(destructor)?;
                let function = &self.program().functions[id];
                let Some(&parameter) = function.params.first() else { continue };
                let ty = function.locals[parameter].ty;
                self.call(destructor, &[Argument { ty, value: Value::unsigned(value) }])?;
            }
            if !any {
                break;
            }
        }
        Ok(())
    }

    /// Notes the calls that led to where the run is.
    pub(super) fn note_calls(&mut self) {
        const KEPT: usize = 6;
        let mut calls = Vec::new();
        for pair in self.frames.windows(2).rev().take(KEPT) {
            let (caller, callee) = (&pair[0], &pair[1]);
            let at = caller.code.spans[caller.pc.saturating_sub(1) as usize];
            calls.push((self.function_name(callee.code.function).to_string(), at));
        }
        if let Some(thread) = self.threads.all.get(self.threads.current)
            && !thread.made.is_none()
            && let Some(first) = self.frames.first()
        {
            calls.push((self.function_name(first.code.function).to_string(), thread.made));
        }
        self.memory.set_calls(calls);
    }
}
