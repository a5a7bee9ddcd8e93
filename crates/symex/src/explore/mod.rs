//! Symbolic execution: which inputs take a program where, found by following its paths with unknown inputs.
//!
//! *Question*: is there an input that comes to this place, goes this way at this branch, breaks this claim, or makes all
//! these calls return what they should?
//!
//! *Source*: C. Cadar, D. Dunbar, D. Engler, "KLEE: Unassisted and Automatic Generation of High-Coverage Tests for
//! Complex Systems Programs", OSDI 2008, for the shape of the engine and of its query cache.
//!
//! *Departures*: a path carries a model of its condition, so that of every branch one side costs no query. Integers carry
//! intervals, so that most operations are seen to be defined without a query. Conditions with `&&` and `||` are one
//! branch, as the user wrote them. Sides of a branch that only assign are merged. Every bound that cuts something off is
//! a [`Loss`], and only a search without losses has said that something cannot be reached.
//!
//! ```text
//! Scenario ── explore(goals, config, client) ──▶ client.met(goal, witness) …  ──▶ Exploration { settled, losses, … }
//! ```
//!
//! | file | what |
//! |---|---|
//! | [`scenario`], [`inputs`] | what is called, what is open, and inputs read off a model |
//! | [`goals`] | what is looked for |
//! | [`search`], [`distance`] | which path is next, and which need not be followed |
//! | [`engine`], [`state`], [`memory`], [`path`], [`value`] | a path: control, objects, what is known |
//! | [`execute`], [`calls`], [`merge`], [`library`] | statements, calls, branches that meet again, library functions |
//! | [`step`], [`evaluate`], [`access`], [`arithmetic`], [`floats`], `float_bits` | one statement: questions, expressions, memory |
//! | `aliasing`, `restricted` | objects that are written as one type and read as another, pointers that promise not to meet |
//! | [`tables`] | elements of tables that are too large to choose from |
//! | [`sequencing`] | orders of evaluation that C leaves open |
//! | [`feasibility`], [`orders`] | whether a condition can hold |
//!
//! *Guarantee*: a witness satisfies the condition of a path of the model to the goal; whether the compiled program
//! agrees is for the client to see. If [`Exploration::is_complete`], no input within the bounds of [`inputs`] reaches a
//! goal that was not met without undefined behaviour on the way. Undefined is what the VM finds undefined, except
//! that indices are checked against whole objects and alignment is not checked.
//!
//! *Cost*: paths multiply with every undecided branch; `max_loop`, `max_depth` and the client's patience bound them.

pub mod access;
mod aliasing;
pub mod arithmetic;
pub mod calls;
pub mod distance;
pub mod engine;
pub mod evaluate;
pub mod execute;
pub mod feasibility;
mod float_bits;
pub mod floats;
pub mod goals;
pub mod inputs;
pub mod library;
pub mod memory;
pub mod merge;
pub mod orders;
mod padding;
pub mod path;
mod restricted;
pub mod scenario;
pub mod search;
pub mod sequencing;
pub mod state;
pub mod step;
pub mod tables;
pub mod value;

pub use access::ALLOCATED;
pub use engine::Endings;
pub use feasibility::Decisions;
pub use goals::{Goal, GoalId, Met, branch_goals};
pub use inputs::{Bounds, Given, Witness};
pub use scenario::{Argument, Call, Scenario};
pub use search::{Client, Exploration, explore};
pub use state::{Loss, Lost};

use diagnostics::Progress;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which state is followed next; see [`search`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strategy {
    Depth,
    Breadth,
    Coverage,
    Distance,
    #[default]
    Portfolio,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub strategy: Strategy,
    pub bounds: Bounds,
    /// Undecided rounds of a loop in one call.
    pub max_loop: u32,
    /// Forks of a path.
    pub max_depth: u32,
    /// Blocks of a path.
    pub max_steps: u64,
    /// Calls inside calls.
    pub max_nesting: u32,
    /// Values of a term that are told apart at one statement.
    pub max_values: u32,
    /// Bytes of an object.
    pub max_object: u64,
    /// States waiting; beyond it the newest is followed.
    pub max_states: usize,
    /// Terms of the solver.
    pub max_terms: usize,
    /// Blocks of all paths together: what bounds a search by effort and not by time, so that it ends the same everywhere.
    pub max_blocks: u64,
    /// Whether pointers that are inputs are assumed to lead to objects that do not overlap.
    pub separate: bool,
    /// Whether a null pointer from an allocation that failed is an error where it is followed, not a path to be left out.
    pub failed_allocations: bool,
    /// Inputs that are read off for one operation that goes wrong, each of another path.
    pub max_inputs: u32,
    /// Whether branches that meet again at once are made one.
    pub merge: bool,
    pub seed: u64,
    /// The search stops soon after this becomes true.
    pub stop: Option<Arc<AtomicBool>>,
    /// Set beside `stop` if a person asked for it.
    pub interrupted: Option<Arc<AtomicBool>>,
    /// Where to tell how far the search is.
    pub progress: Progress,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            strategy: Strategy::default(),
            bounds: Bounds::default(),
            max_loop: 64,
            max_depth: 1_000,
            max_steps: 5_000_000,
            max_nesting: 1_000,
            max_values: 64,
            max_object: 1 << 24,
            max_states: 2_000,
            max_terms: 3_000_000,
            max_blocks: u64::MAX,
            separate: false,
            failed_allocations: false,
            max_inputs: u32::MAX,
            merge: true,
            seed: 1,
            stop: None,
            interrupted: None,
            progress: Progress::default(),
        }
    }
}

impl Config {
    /// What a search that was told to stop has lost to.
    fn stop_loss(&self) -> Loss {
        let asked = |flag: &Arc<AtomicBool>| flag.load(std::sync::atomic::Ordering::Relaxed);
        if self.interrupted.as_ref().is_some_and(asked) { Loss::Interrupted } else { Loss::Time }
    }
}
