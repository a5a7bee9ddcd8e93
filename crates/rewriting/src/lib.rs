//! Terms over constructors and operations, rules that say what the operations do, and narrowing: the search for values
//! of variables that make a term true.
//!
//! ```
//! let text = "sort nat = zero | s(nat)\n\
//!             add(zero, Y) -> Y\n\
//!             add(s(X), Y) -> s(add(X, Y))\n\
//!             is_two(s(s(zero))) -> true";
//! let rewriting::Reading { system, problems } = rewriting::read_rules(text);
//! assert!(problems.is_empty());
//! let mut store = rewriting::Store::new();
//! let nat = system.signature.find_sort("nat").unwrap();
//! let (x, y) = (store.fresh("x", nat), store.fresh("y", nat));
//! let symbol = |name| rewriting::Head::Symbol(system.signature.find_symbol(name).unwrap());
//! let (tx, ty) = (store.var(x), store.var(y));
//! let sum = store.make(symbol("add"), &[tx, ty]);
//! let goal = store.make(symbol("is_two"), &[sum]);
//! let found = rewriting::narrow(&system, &mut store, &[x, y], &[goal], &rewriting::Limits::default(),
//!                               &mut rewriting::Undecided, &|| false);
//! assert_eq!(found.solutions.len(), 3); // 0 + 2, 1 + 1, 2 + 0
//! assert_eq!(found.ending, rewriting::Ending::Exhausted);
//! ```
//!
//! The way in is [`read_rules`] (or [`read_trs`]) for a [`System`], [`Store`] for terms, [`narrow()`] for solutions and
//! [`normalise`] for plain evaluation. Integers are built in; what narrowing needs to know about them it asks of a
//! [`Decider`] that the caller supplies.
//!
//! *Absent*: nothing here knows C, SMT or files.

pub mod arithmetic;
pub mod check;
pub mod code;
mod evaluate;
mod inference;
mod layer;
mod lexer;
pub mod narrow;
pub mod normalise;
mod parse;
pub mod problem;
mod raw;
mod resolve;
pub mod show;
pub mod signature;
mod sizechange;
pub mod smallest;
pub mod solution;
pub mod system;
pub mod term;
mod tpdb;
pub mod tree;

pub use narrow::{Bound, Decider, Decision, Ending, Found, Limits, Undecided, narrow};
pub use normalise::{Normaliser, Stuck};
pub use problem::{Problem, Severity};
pub use resolve::{Reading, read_rules, read_trs};
pub use show::{Names, show};
pub use signature::{Signature, SortId, Symbol, SymbolId, SymbolKind};
pub use solution::Solution;
pub use system::{Pattern, Rule, System};
pub use term::{Builtin, Head, Store, TermId, VarId};
