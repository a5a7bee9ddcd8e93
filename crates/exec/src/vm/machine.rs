//! The machine: everything a run has.

use super::bytecode::Code;
use super::continuation::{Passed, Policy};
use super::image::Image;
use super::model::{Argument, Library};
use super::stop::Stop;
use super::threads::Threads;
use crate::Scalar;
use crate::coverage::Coverage;
use crate::memory::{Address, Memory, StackMark};
use crate::outcome::{Budget, Input, Limit};
use crate::trace::Recorder;
use diagnostics::Span;
use ir::{EntityRef, FunctionId, Program, Types};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A machine that runs a program, again and again if asked to.
pub struct Machine<'p> {
    pub memory: Memory<'p>,
    pub(super) image: &'p Image<'p>,
    pub(super) library: Box<dyn Library>,
    /// The arguments of the library calls being made.
    pub(super) arguments: Vec<Argument>,
    pub(super) registers: Vec<u64>,
    pub(super) frames: Vec<Frame<'p>>,
    /// The variable arguments of the calls that have some, by ascending number of the call.
    pub(super) variadics: Vec<Variadic>,
    pub(super) variadic_calls: u64,
    pub(super) nondet: Vec<Scalar>,
    pub(super) nondet_taken: usize,
    pub(super) recorder: Option<Recorder>,
    pub(super) coverage: Option<Coverage>,
    pub(super) clock: Clock,
    /// What is done about findings, and those that the run went past.
    pub(super) policy: Policy,
    pub(super) passed: Passed,
    pub(super) threads: Threads<'p>,
    /// How many times the interpreter has called itself through a model.
    pub(super) nesting: u32,
    /// What `setjmp` noted, by ascending depth of the calls.
    pub(super) landings: Vec<super::jumps::Landing>,
    pub(super) landings_made: u64,
    /// Whether what the program leaves behind is told, and where it comes from.
    pub(super) leaks: Option<super::leftovers::Leaks>,
    pub(super) allocations: super::leftovers::Allocations,
    /// Functions bound to a first argument; their addresses follow those of the program's functions.
    pub(super) bound: Vec<(FunctionId, Address)>,
}

/// The variable arguments of a call.
pub(super) struct Variadic {
    pub number: u64,
    pub arguments: Vec<Argument>,
    /// How many lists were started on them and not ended.
    pub lists: u32,
}

/// A call in progress.
pub(super) struct Frame<'p> {
    pub code: &'p Code,
    /// The instruction to go on with; after a stop, the one after the place.
    pub pc: u32,
    /// The first register.
    pub base: u32,
    pub mark: StackMark,
    /// Whether an entry of `variadics` belongs to the call.
    pub variadic: bool,
    /// Whether the caller uses the result.
    pub wanted: bool,
}

/// How much a run may still do.
pub(super) struct Clock {
    pub budget: Budget,
    /// Steps until the next look at the clock.
    pub fuel: i64,
    /// What the fuel was when it was last filled.
    filled: i64,
    spent: u64,
    deadline: Instant,
    cancel: Option<Arc<AtomicBool>>,
    /// Steps between two looks.
    share: u64,
}

/// Steps between two looks at the clock.
const TICK: u64 = 1 << 20;

impl Clock {
    pub fn new(budget: Budget, cancel: Option<Arc<AtomicBool>>) -> Clock {
        let now = Instant::now();
        let deadline =
            now.checked_add(Duration::from_millis(budget.time_ms)).unwrap_or(now + Duration::from_secs(1 << 30));
        let mut clock = Clock { budget, fuel: 0, filled: 0, spent: 0, deadline, cancel, share: TICK };
        clock.fill();
        clock
    }

    fn fill(&mut self) {
        self.filled = self.budget.steps.saturating_sub(self.spent).min(self.share) as i64;
        self.fuel = self.filled;
    }

    /// From here on so many steps are taken between two looks.
    pub fn set_share(&mut self, share: u64) {
        self.spent = self.steps();
        self.share = share;
        self.fill();
    }

    pub fn steps(&self) -> u64 {
        self.spent + (self.filled - self.fuel) as u64
    }

    /// The fuel is used up: may the run go on?
    #[cold]
    pub fn look(&mut self) -> Result<(), Stop> {
        self.spent = self.steps();
        self.fill();
        if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Stop::Interrupted);
        }
        if self.spent >= self.budget.steps {
            return Err(Stop::Limit(Limit::Steps));
        }
        if Instant::now() >= self.deadline {
            return Err(Stop::Limit(Limit::Time));
        }
        Ok(())
    }
}

impl<'p> Machine<'p> {
    /// A machine for the program of the image.
    pub fn new(image: &'p Image<'p>) -> Machine<'p> {
        let budget = Budget::default();
        Machine {
            memory: Memory::new(budget.memory),
            image,
            library: (image.library.start)(&Input::default(), &budget),
            arguments: Vec::new(),
            registers: vec![0; 1 << 12],
            frames: Vec::new(),
            variadics: Vec::new(),
            variadic_calls: 0,
            nondet: Vec::new(),
            nondet_taken: 0,
            recorder: None,
            coverage: None,
            clock: Clock::new(budget, None),
            policy: Policy::default(),
            passed: Passed::default(),
            threads: Threads::default(),
            nesting: 0,
            landings: Vec::new(),
            landings_made: 0,
            leaks: None,
            allocations: Default::default(),
            bound: Vec::new(),
        }
    }

    pub fn program(&self) -> &'p Program {
        self.image.program
    }

    pub fn types(&self) -> &'p Types {
        &self.image.program.types
    }

    pub fn budget(&self) -> &Budget {
        &self.clock.budget
    }

    /// Charges a model's work to the step budget: for models whose time depends on the data.
    pub fn charge(&mut self, steps: u64) -> Result<(), Stop> {
        self.clock.fuel = self.clock.fuel.saturating_sub(steps.min(i64::MAX as u64) as i64);
        if self.clock.fuel < 0 { self.clock.look() } else { Ok(()) }
    }

    /// The memory and the state of the library, which must be of type `L`.
    pub fn library_as<L: Library>(&mut self) -> (&mut Memory<'p>, &mut L) {
        let library = self.library.as_any_mut().downcast_mut();
        (&mut self.memory, library.expect("the models of a library should ask for its own state"))
    }

    /// The span of the operation being done.
    pub fn span(&self) -> Span {
        self.frames.last().map_or(Span::NONE, |frame| frame.code.spans[frame.pc.saturating_sub(1) as usize])
    }

    /// The function with this name that an address belongs to, for messages.
    pub(super) fn function_name(&self, id: FunctionId) -> &'p str {
        &self.program().functions[id].name
    }

    pub(super) fn code(&self, id: FunctionId) -> &'p Code {
        debug_assert!(id.index() < self.program().functions.len());
        self.image.code(id, self.coverage.is_some())
    }
}
