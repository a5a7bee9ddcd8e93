//! A path in the making: where control is, what memory holds, what is known.

use super::memory::{Memory, ObjectId};
use super::path::{Assignment, PathCondition};
use super::scenario::Scenario;
use super::value::Value;
use diagnostics::{Reason, Span};
use exec::ValueType;
use ir::{BlockId, Branch, FunctionId, TypeId};
use smt::TermId;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Where the value of a local is kept.
#[derive(Clone, Debug)]
pub enum Slot {
    /// A scalar whose address nobody takes.
    Register(Option<Value>),
    Object(ObjectId),
    /// An array of variable length whose declaration was not reached yet.
    Nowhere,
}

/// Arguments behind the named ones, with their types.
pub type Rest = Arc<Vec<(TypeId, Value)>>;

/// A call in progress.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub block: BlockId,
    /// Of the statement to be executed next; past the last one it is the terminator.
    pub index: u32,
    pub locals: Vec<Slot>,
    /// How often each branching block went both ways in this call.
    pub rounds: BTreeMap<BlockId, u32>,
    /// The arguments behind the named ones.
    pub rest: Rest,
    /// Objects to end with the call.
    pub own: Vec<ObjectId>,
}

/// What a call that has just returned gives.
#[derive(Clone, Debug)]
pub enum Returned {
    Nothing,
    Scalar(Value),
    /// A record, in an object of its own.
    Record(ObjectId),
}

/// The branches a path went through, newest first; shared by all paths that begin alike.
#[derive(Debug)]
pub struct Trail {
    pub function: FunctionId,
    pub branch: Branch,
    pub before: Option<Arc<Trail>>,
    pub length: u32,
}

impl Drop for Trail {
    /// A long trail is taken apart step by step; letting it fall by itself would recurse along its length.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(trail) = next {
            next = Arc::try_unwrap(trail).ok().and_then(|mut trail| trail.before.take());
        }
    }
}

/// What the program has asked for so far, besides its parameters.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Answers to `nondet` calls, in order.
    pub nondet: Vec<(TermId, ValueType)>,
    /// Bytes read from standard input, or tried to be read.
    pub stdin: u32,
    /// Numbers read from standard input by `scanf`: whether there is one, the number, its type.
    pub tokens: Vec<(TermId, TermId, ValueType)>,
}

/// A pointer that is an input and leads into the object of an earlier one: both by their numbers among the inputs, and how
/// many bytes into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    pub input: usize,
    pub with: usize,
    pub offset: u64,
}

#[derive(Clone)]
pub struct State {
    /// Unique in a search, in the order states are made.
    pub number: u64,
    pub frames: Vec<Arc<Frame>>,
    pub memory: Memory,
    pub path: PathCondition,
    pub model: Rc<Assignment>,
    pub returned: Option<Returned>,
    pub asked: Arc<Asked>,
    pub trail: Option<Arc<Trail>>,
    /// How often the path could have gone another way.
    pub forks: u32,
    /// Blocks entered.
    pub steps: u64,
    /// Which call of the scenario is being made.
    pub call: usize,
    /// For each goal that is a sequence, how much of it has been passed.
    pub progress: Arc<Vec<u32>>,
    /// How many values of a term were told apart by forking at this statement.
    pub splits: u32,
    /// Arguments behind the named ones, by the number that a `va_list` holds.
    pub lists: Arc<Vec<Rest>>,
    pub scenario: Arc<Scenario>,
    /// Pointers that are inputs and lead into the object of an earlier one.
    pub meetings: Arc<Vec<Meeting>>,
    /// Expressions in progress whose operands have no order.
    pub watches: Vec<Arc<super::sequencing::Watch>>,
}

impl State {
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a running state should have a frame, because it ends when the last one does")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        let frame = self.frames.last_mut();
        Arc::make_mut(frame.expect("a running state should have a frame, because it ends when the last one does"))
    }

    /// Notes a branch that was taken.
    pub fn went(&mut self, function: FunctionId, branch: Branch) {
        let length = self.trail.as_ref().map_or(0, |trail| trail.length) + 1;
        self.trail = Some(Arc::new(Trail { function, branch, before: self.trail.take(), length }));
    }
}

/// Why part of what a program can do was not explored, or not as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// A loop went round more often than the bound with another way out each time.
    Loop {
        bound: u32,
    },
    /// A path had more forks than the bound.
    Depth {
        bound: u32,
    },
    /// A path was longer than the bound.
    Steps {
        bound: u64,
    },
    /// All paths together were longer than the bound.
    Effort {
        bound: u64,
    },
    /// Calls nested deeper than the bound.
    Nesting {
        bound: u32,
    },
    /// A size or an index can have more values than are told apart.
    Values,
    /// The solver gave up on a question.
    Solver,
    /// An input array or string was read to its end, and could be longer.
    Input {
        name: String,
    },
    /// The program writes to what an input points to, and another input might point there too, or to a global.
    Aliasing,
    /// A global was taken to hold its initial value, and may hold another when the entry is called.
    Globals {
        name: String,
    },
    /// The sizes of allocations that inputs decide were told apart up to a number of bytes.
    Allocation {
        bound: u64,
    },
    /// The environment of the program was taken to be empty.
    Environment,
    /// A volatile object, which may change at any time, was taken to hold what was written there.
    Volatile,
    /// More standard input was read than is given.
    Stdin {
        bound: u32,
    },
    /// A construct without a model.
    Unsupported {
        what: String,
    },
    /// Only one of the orders of evaluation that C leaves open was followed.
    Order {
        what: String,
    },
    /// A function without a model: its result was taken to be anything.
    External {
        name: String,
    },
    /// A function that callers give was called, and taken to return zero and to change nothing.
    Callback {
        name: String,
    },
    /// Addresses were used as numbers.
    Addresses,
    Memory,
    Time,
    Interrupted,
}

impl Lost {
    /// What kept a search with these losses from an answer.
    pub fn reason(all: &[Lost]) -> Reason {
        let is = |wanted: fn(&Loss) -> bool| all.iter().any(|lost| wanted(&lost.loss));
        if is(|loss| matches!(loss, Loss::Time | Loss::Interrupted)) {
            Reason::Stopped
        } else if is(|loss| matches!(loss, Loss::Unsupported { .. } | Loss::External { .. } | Loss::Addresses)) {
            Reason::Unmodelled
        } else {
            Reason::Bounded
        }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Loss::Loop { bound } => write!(f, "a loop was followed for {bound} undecided rounds only"),
            Loss::Depth { bound } => write!(f, "paths were followed for {bound} decisions only"),
            Loss::Steps { bound } => write!(f, "paths were followed for {bound} blocks only"),
            Loss::Effort { bound } => write!(f, "the search was ended after {bound} blocks"),
            Loss::Nesting { bound } => write!(f, "calls were followed {bound} deep only"),
            Loss::Values => f.write_str("a size, an index or an argument has too many possible values"),
            Loss::Solver => f.write_str("the solver gave up on a question"),
            Loss::Input { name } => write!(f, "the input `{name}` was not tried longer than the bound"),
            Loss::Aliasing => f.write_str("not all inputs that point into one object, or into a global, were tried"),
            Loss::Globals { name } => {
                write!(f, "the global `{name}` was tried with its initial value only, and may hold another by then")
            }
            Loss::Allocation { bound } => {
                write!(f, "allocations of a size that inputs decide were tried up to {bound} bytes only")
            }
            Loss::Environment => f.write_str("only an empty environment was tried"),
            Loss::Volatile => f.write_str("volatile objects were taken to change only when they are written"),
            Loss::Stdin { bound } => write!(f, "only {bound} bytes of standard input were tried"),
            Loss::Unsupported { what } => write!(f, "{what} has no model"),
            Loss::Order { what } => write!(f, "only one order of evaluation was followed: {what}"),
            Loss::External { name } => write!(f, "the result of the external call `{name}` was taken to be anything"),
            Loss::Callback { name } => {
                write!(f, "the function `{name}` was tried only as one that returns zero and changes nothing")
            }
            Loss::Addresses => f.write_str("addresses were used as numbers"),
            Loss::Memory => f.write_str("the search used up its memory"),
            Loss::Time => f.write_str("the time was over"),
            Loss::Interrupted => f.write_str("the search was interrupted"),
        }
    }
}

/// A loss and where it was met.
#[derive(Clone, Debug)]
pub struct Lost {
    pub loss: Loss,
    pub span: Span,
}
