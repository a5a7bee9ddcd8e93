//! The program model that every verb works on.
//!
//! A [`Program`] is what is left of C when syntax is taken out of the way, in the spirit of CIL: structured
//! statements over expressions without side effects, every conversion explicit, every implicit rule of C (array
//! decay, promotions, initialisers, evaluation order) spelled out once by the front end so that no engine has to
//! know it. It keeps what the verbs need and compilers throw away: the loop as the user wrote it, the short-circuit
//! operators inside conditions, block scopes, the spans of every expression node.
//!
//! - [`Type`] and [`Types`]: interned types with the LP64 layout of records ([`layout`]).
//! - [`Expr`] and [`Lvalue`]: values and the objects they are read from.
//! - [`Stmt`], [`Block`]: what a function does.
//! - [`Function`], [`Global`], [`Program`].
//! - [`arith`]: what operators and conversions mean on concrete values, and where they are undefined.
//! - [`print_program`] and [`parse_program`]: the text form. [`verify`]: what a well-formed program is.
//! - [`c_expr`], [`c_type`]: how a user would write it.
//! - [`hazards`]: where evaluation may be undefined.
//! - [`Cfg`], [`Dominators`], [`Loops`], [`CallGraph`]: graphs derived from the structure, never stored.
//!
//! What is deliberately absent: no names that need resolving, no implicit conversions, no side effects inside
//! expressions, no declarations in the middle of expressions, no qualifiers on types except a pointer's promise not
//! to write. What C can say and this model cannot is a [`StmtKind::Unsupported`] statement, which every engine must
//! treat as "unknown from here".

pub mod arbitrary;
pub mod arith;
mod c;
mod callgraph;
mod cfg;
mod ctype;
pub mod dataflow;
mod datamodel;
mod dominators;
pub mod effects;
mod entry;
mod expr;
pub mod hazards;
mod initialised;
pub mod layout;
pub mod library;
mod loops;
mod parse;
pub mod precedence;
mod print;
mod program;
mod scc;
mod stmt;
mod typing;
mod verify;

pub use c::{c_declaration, c_expr, c_lvalue, c_type};
pub use callgraph::{CallGraph, CallSite};
pub use cfg::{BasicBlock, BlockId, Branch, Cfg, Edge, Outcome, Stop, Terminator};
pub use ctype::{FloatKind, IntKind, Length, Signature, Type, TypeId, Types};
pub use dataflow::BitSet;
pub use datamodel::DataModel;
pub use dominators::{Dominators, immediate_dominators};
pub use entry::{Globals, changeable_globals, exposed_globals, named_globals, open_globals, starts_program};
pub use expr::{Base, BinaryOp, Expr, ExprKind, LogicalOp, Lvalue, Step, UnaryOp};
pub use initialised::Initialised;
pub use layout::{BitRange, Field, Packing, Record, RecordId, RecordKind};
pub use loops::{LoopId, LoopNode, Loops};
pub use parse::{MAX_DEPTH, ParseError, parse_program};
pub use print::{print_expr, print_function, print_lvalue, print_program, print_stmt_head, print_type};
pub use program::{
    Function, FunctionId, Global, GlobalId, GlobalKind, InitItem, InitValue, Initializer, Label, LabelId, Linkage,
    Local, LocalId, LocalKind, Program,
};
pub use scc::{components, components_where};
pub use stmt::{
    Arm, AssertKind, Block, Callee, Intrinsic, Loop, LoopKind, OrderKind, Stmt, StmtId, StmtKind, TracePoint, Unordered,
};
pub use typing::Implied;
pub use verify::{Problem, Site, verify, verify_function};

pub use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
