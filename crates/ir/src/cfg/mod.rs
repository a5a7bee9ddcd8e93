//! The control-flow graph of a function, derived from its structured body.
//!
//! Blocks hold references to the statements themselves, so nothing has to be kept in step. `Logical` and
//! `Conditional` stay inside expressions: a branch is a condition the user wrote in an `if`, a loop or a `switch`.
//!
//! ```text
//! while (i < n) { if (a[i]) break; i++; }        b0: goto b1
//!                                                 b1: branch i < n → b2, b5      (head of the loop)
//!                                                 b2: branch a[i]  → b3, b4
//!                                                 b3: goto b5                     (the break)
//!                                                 b4: i = i + 1; goto b1
//!                                                 b5: return
//! ```
//!
//! *Invariants*, asserted by `tests/graphs.rs` on random programs: blocks are numbered in reverse postorder, so that
//! `b0` is the entry and only retreating edges lead to smaller or equal numbers; every block is reachable from the
//! entry (statements that control cannot reach, conditions aside, are in no block); each other statement but `Block`
//! is in exactly one; predecessors mirror successors. `Block` statements belong to none: they do nothing.
//!
//! Conditions are not evaluated: both sides of `if (0)` are reachable here. A loop without a condition has no exit
//! of its own.
//!
//! *Cost*: linear in the size of the function.

mod build;
mod show;

use crate::expr::Expr;
use crate::program::{Function, FunctionId, Program};
use crate::stmt::{Arm, Stmt, StmtId};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

/// A block of one [`Cfg`]. Not to be confused with a [`Block`](crate::Block), which is text between braces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "b");

pub struct Cfg<'p> {
    pub program: &'p Program,
    pub function: FunctionId,
    pub blocks: PrimaryMap<BlockId, BasicBlock<'p>>,
    block_of: SecondaryMap<StmtId, PackedOption<BlockId>>,
}

pub struct BasicBlock<'p> {
    /// Assignments, calls and whatever else goes on to the next, in order; jumps and labels are left out.
    pub stmts: Vec<&'p Stmt>,
    pub terminator: Terminator<'p>,
    /// In ascending order, each once.
    pub preds: Vec<BlockId>,
    /// The loop statement whose iterations start here.
    pub loop_head: Option<StmtId>,
}

/// How control leaves a block.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator<'p> {
    Goto(BlockId),
    /// An `if` or the condition of a loop.
    Branch {
        stmt: &'p Stmt,
        cond: &'p Expr,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        stmt: &'p Stmt,
        value: &'p Expr,
        arms: &'p [Arm],
        /// Where each arm leads.
        targets: Vec<BlockId>,
        /// Where all other values lead.
        default: BlockId,
    },
    /// The statement, or `None` where the end of the body is reached.
    Return(Option<&'p Stmt>),
    /// Control does not come past the last statement of the block.
    Stop(Stop),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// It calls a function that does not return.
    NoReturn,
    /// It is unsupported: what follows it is unknown.
    Unsupported,
}

/// Which way a branching statement went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Outcome {
    False,
    True,
    Arm(u32),
    /// No arm matched.
    Default,
}

/// A branch for the purpose of coverage: a statement and the way it went.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Branch {
    pub stmt: StmtId,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub to: BlockId,
    /// `None` where there is no choice.
    pub branch: Option<Branch>,
}

impl<'p> Terminator<'p> {
    /// The ways out, in the order of the outcomes; two may lead to one block.
    pub fn edges(&self) -> Vec<Edge> {
        match self {
            Terminator::Goto(to) => vec![Edge { to: *to, branch: None }],
            Terminator::Branch { stmt, then, otherwise, .. } => {
                let edge = |to, outcome| Edge { to, branch: Some(Branch { stmt: stmt.id, outcome }) };
                vec![edge(*then, Outcome::True), edge(*otherwise, Outcome::False)]
            }
            Terminator::Switch { stmt, targets, default, .. } => {
                let edge = |to, outcome| Edge { to, branch: Some(Branch { stmt: stmt.id, outcome }) };
                let arms = (0u32..).zip(targets).map(|(index, to)| edge(*to, Outcome::Arm(index)));
                arms.chain([edge(*default, Outcome::Default)]).collect()
            }
            Terminator::Return(_) | Terminator::Stop(_) => Vec::new(),
        }
    }

    /// The statement that decides; none for `Goto`, `Stop` and the end of the body.
    pub fn stmt(&self) -> Option<&'p Stmt> {
        match self {
            Terminator::Branch { stmt, .. } | Terminator::Switch { stmt, .. } => Some(stmt),
            Terminator::Return(stmt) => *stmt,
            Terminator::Goto(_) | Terminator::Stop(_) => None,
        }
    }
}

impl<'p> Cfg<'p> {
    /// The graph of a function, or `None` if it has no body. The function should be well-formed.
    pub fn new(program: &'p Program, function: FunctionId) -> Option<Cfg<'p>> {
        let body = program.functions[function].body.as_ref()?;
        Some(build::build(program, function, body))
    }

    pub fn entry(&self) -> BlockId {
        BlockId::from_u32(0)
    }

    pub fn function(&self) -> &'p Function {
        &self.program.functions[self.function]
    }

    /// The blocks that follow, ascending, each once.
    pub fn succs(&self, block: BlockId) -> Vec<BlockId> {
        let mut succs: Vec<BlockId> = self.edges(block).into_iter().map(|edge| edge.to).collect();
        succs.sort();
        succs.dedup();
        succs
    }

    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.blocks[block].preds
    }

    pub fn edges(&self, block: BlockId) -> Vec<Edge> {
        self.blocks[block].terminator.edges()
    }

    /// The block in which a statement runs (for `if`, loops and `switch`: in which it decides; for a loop without a
    /// condition: in which its iterations start). `None` if control cannot reach it.
    pub fn block_of(&self, stmt: StmtId) -> Option<BlockId> {
        self.block_of[stmt].expand()
    }

    /// The blocks that end the call: `Return` and `Stop`.
    pub fn exits(&self) -> impl Iterator<Item = BlockId> + '_ {
        let ends = |terminator: &Terminator| matches!(terminator, Terminator::Return(_) | Terminator::Stop(_));
        self.blocks.iter().filter(move |(_, block)| ends(&block.terminator)).map(|(id, _)| id)
    }

    /// Every branch of the function that control may reach, in block order.
    pub fn branches(&self) -> impl Iterator<Item = Branch> + '_ {
        self.blocks.values().flat_map(|block| block.terminator.edges()).filter_map(|edge| edge.branch)
    }

    /// The graph as lists of successors, for the algorithms on plain graphs.
    pub fn successor_lists(&self) -> Vec<Vec<u32>> {
        self.blocks.keys().map(|block| self.succs(block).into_iter().map(|b| b.as_u32()).collect()).collect()
    }
}
