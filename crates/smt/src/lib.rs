//! Terms, models and Z3: the one place of the product that talks to an SMT solver.
//!
//! # Is this for you?
//!
//! Yes, if a question about a program can be put as "are there values such that …": does an
//! invariant survive one more round of a loop, which input takes this path, is there a list that
//! makes this test true. Terms range over truth values, unbounded integers, reals, bit-vectors,
//! arrays, uninterpreted functions and sorts, and datatypes, with quantifiers where needed.
//!
//! # Show me
//!
//! ```
//! use smt::{Outcome, Solver, SortId, TermPool};
//!
//! // Is there a rectangle with area 91 and circumference 40?
//! let t = TermPool::new();
//! let (a, b) = (t.var("a", SortId::INT), t.var("b", SortId::INT));
//! let mut solver = Solver::new(&t);
//! solver.assert(t.eq(t.mul(a, b), t.int(91)));
//! solver.assert(t.eq(t.add(a, b), t.int(20)));
//! match solver.check() {
//!     Outcome::Sat(model) => {
//!         let a = model.eval(a).unwrap();
//!         assert!(a == smt::Value::Int(7.into()) || a == smt::Value::Int(13.into()));
//!     }
//!     other => panic!("{other:?}"),
//! }
//!
//! // Not if the first side shall be even.
//! solver.push();
//! solver.assert(t.eq(t.int_mod(a, t.int(2)), t.int(0)));
//! assert!(solver.check().is_unsat());
//! solver.pop();
//! ```
//!
//! # What is where
//!
//! - [`TermPool`] holds terms and makes them: `t.add(a, b)`, `t.ite(c, x, y)`, `t.bv_ult(a, b)`.
//!   It is a handle to a store shared by all its clones and usable from all threads; a [`TermId`]
//!   made on one thread works on every other. Terms are simplified as they are built.
//! - [`Solver`] takes assertions in scopes and answers within a [`Budget`]. One solver serves one
//!   thread at a time; make as many as you like.
//! - [`Outcome`] is `Sat` with a [`Model`], `Unsat` with a core, or `Unknown` with its [`Why`].
//! - [`Model`] and [`Evaluator`] give values of terms, by our own evaluation.
//! - [`smtlib`] writes any query as SMT-LIB text; [`DumpDir`] keeps every query a solver is asked.
//!
//! # Which solver when
//!
//! | query | [`Strategy`] |
//! |---|---|
//! | incremental, mixed theories, quantifiers | `Default` |
//! | one-shot nonlinear integers | `Logic(Logic::QfNia)` |
//! | one-shot nonlinear reals | `Nlsat` |
//! | floating values, alone or with bit-vectors | `Logic(Logic::QfFpbv)` |
//! | one-shot bit-vectors, with arrays | `Logic(Logic::QfBv)`, `Logic(Logic::QfAufbv)` |
//!
//! # What is promised
//!
//! `Sat` is never returned on Z3's word alone: the model is evaluated on everything asserted first
//! (see [`Solver`]). `Unknown` is never swallowed. Limits in [`Budget::resources`] give the same
//! answer on every machine; wall-clock limits do not. No operation recurses along the depth of a
//! term, so terms may be arbitrarily deep.

mod arena;
pub mod bits;
pub mod build;
mod build_bitvec;
mod build_float;
mod dump;
pub mod eval;
mod hash;
pub mod model;
pub mod options;
pub mod outcome;
mod pool;
mod simplify;
pub mod smtlib;
mod solver;
pub mod sort;
mod substitute;
pub mod term;
mod typing;
pub mod value;
mod z3;

pub use bits::Bits;
pub use dashu_int::IBig as Int;
pub use dashu_ratio::RBig as Rational;
pub use dump::{Dump, DumpDir};
pub use eval::{EvalError, Evaluator, Memo};
pub use model::{FuncInterp, Model};
pub use options::{Budget, Logic, Options, Strategy};
pub use outcome::{Outcome, Statistics, Why};
pub use pool::TermPool;
pub use solver::{Interrupter, Solver, ask_twice};
pub use sort::{Constructor, DatatypeDecl, DatatypeId, FieldSort, FuncId, Sort, SortId};
pub use term::{Op, TermId};
pub use value::{ArrayValue, DataValue, Value};
pub use z3::version as z3_version;
