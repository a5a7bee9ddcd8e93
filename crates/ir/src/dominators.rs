//! Which blocks every path to a block comes through, and which every path from it comes through.
//!
//! *Source*: K. Cooper, T. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001.
//! *Departures*: none in the algorithm. Post-dominators are dominators of the reversed graph with one more node that
//! all exits lead to; a block that reaches no exit (an endless loop) has no post-dominators and says so.
//!
//! *Notation*: *a* dominates *b* if every path from the entry to *b* contains *a*; a block dominates itself. The
//! immediate dominator is the closest other one. The frontier of *a* is where its dominance ends: blocks that *a* does
//! not strictly dominate, with a predecessor that it does dominate.
//!
//! *Example*: in the diamond `0→1, 0→2, 1→3, 2→3` the immediate dominator of 3 is 0, and the frontier of 1 and of 2
//! is {3}.
//!
//! *Guarantee*: exact. `tests/graphs.rs` compares with sets iterated to a fixed point on random graphs.
//! *Cost*: quadratic at worst, near linear on graphs of real programs.

use crate::cfg::{BlockId, Cfg};
use cranelift_entity::EntityRef;

/// The immediate dominator of each node of a graph; `None` for the entry and for what it does not reach.
pub fn immediate_dominators(successors: &[Vec<u32>], entry: u32) -> Vec<Option<u32>> {
    let order = postorder(successors, entry);
    let mut rank = vec![None; successors.len()]; // place in the postorder; the entry has the highest
    for (place, &node) in order.iter().enumerate() {
        rank[node as usize] = Some(place);
    }
    let mut preds = vec![Vec::new(); successors.len()];
    for &node in &order {
        for &succ in &successors[node as usize] {
            preds[succ as usize].push(node);
        }
    }
    let mut idom: Vec<Option<u32>> = vec![None; successors.len()];
    idom[entry as usize] = Some(entry);
    let intersect = |idom: &[Option<u32>], mut a: u32, mut b: u32| {
        while a != b {
            let (ra, rb) = (rank[a as usize], rank[b as usize]);
            let lower = if ra < rb { &mut a } else { &mut b };
            *lower = idom[*lower as usize].expect("a node met on the way up should have a dominator already");
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|node| **node != entry) {
            let known = preds[node as usize].iter().copied().filter(|pred| idom[*pred as usize].is_some());
            let new = known.reduce(|a, b| intersect(&idom, a, b));
            if new != idom[node as usize] {
                idom[node as usize] = new;
                changed = true;
            }
        }
    }
    idom[entry as usize] = None;
    idom
}

/// The nodes that the entry reaches, each after those it leads to, back edges aside.
fn postorder(successors: &[Vec<u32>], entry: u32) -> Vec<u32> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut open = vec![(entry, 0)];
    seen[entry as usize] = true;
    while let Some((node, edge)) = open.last_mut() {
        match successors[*node as usize].get(*edge) {
            Some(&succ) => {
                *edge += 1;
                if !std::mem::replace(&mut seen[succ as usize], true) {
                    open.push((succ, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order
}

/// A tree over the blocks of a [`Cfg`]: of dominators or of post-dominators.
pub struct Dominators {
    idom: Vec<Option<BlockId>>,
    /// When a walk over the tree enters and leaves each block, so that a question about ancestors is two
    /// comparisons; `None` for blocks that are not in it.
    interval: Vec<Option<(u32, u32)>>,
    children: Vec<Vec<BlockId>>,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Dominators {
        let idom = immediate_dominators(&cfg.successor_lists(), cfg.entry().as_u32());
        let roots = vec![cfg.entry()];
        Dominators::from_parents(idom.into_iter().map(|d| d.map(BlockId::from_u32)).collect(), roots)
    }

    pub fn post(cfg: &Cfg) -> Dominators {
        let count = cfg.blocks.len();
        let exit = count as u32;
        let mut reversed: Vec<Vec<u32>> =
            cfg.blocks.keys().map(|block| cfg.preds(block).iter().map(|b| b.as_u32()).collect()).collect();
        reversed.push(cfg.exits().map(|b| b.as_u32()).collect());
        let idom = immediate_dominators(&reversed, exit);
        let parents = idom[..count].iter().map(|d| d.filter(|d| *d != exit).map(BlockId::from_u32)).collect();
        let roots = cfg.blocks.keys().filter(|block| idom[block.index()] == Some(exit)).collect();
        Dominators::from_parents(parents, roots)
    }

    fn from_parents(idom: Vec<Option<BlockId>>, roots: Vec<BlockId>) -> Dominators {
        let mut children = vec![Vec::new(); idom.len()];
        for (index, parent) in idom.iter().enumerate() {
            if let Some(parent) = parent {
                children[parent.index()].push(BlockId::from_u32(index as u32));
            }
        }
        let mut interval = vec![None; idom.len()];
        let mut clock = 0;
        for root in roots {
            let mut open = vec![(root, clock, 0)];
            clock += 1;
            while let Some((node, start, next)) = open.last_mut() {
                match children[node.index()].get(*next) {
                    Some(&child) => {
                        *next += 1;
                        open.push((child, clock, 0));
                        clock += 1;
                    }
                    None => {
                        interval[node.index()] = Some((*start, clock));
                        open.pop();
                    }
                }
            }
        }
        Dominators { idom, interval, children }
    }

    /// The closest other block that dominates; `None` for the entry. In a tree of post-dominators: for blocks whose
    /// ways lead to different exits, and for those that reach none.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.idom[block.index()]
    }

    /// Whether `a` dominates `b`. A block that reaches no exit is post-dominated by nothing, itself included.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        match (self.interval[a.index()], self.interval[b.index()]) {
            (Some((from, to)), Some((at, _))) => from <= at && at < to,
            _ => false,
        }
    }

    /// The blocks immediately dominated.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block.index()]
    }

    /// The block and those that dominate it, closest first; empty if it is not in the tree.
    pub fn above(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let first = self.interval[block.index()].map(|_| block);
        std::iter::successors(first, |block| self.immediate(*block))
    }

    /// The frontier of each block, for a tree made by [`Dominators::new`] of this graph.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let mut frontiers = vec![Vec::new(); self.idom.len()];
        for block in cfg.blocks.keys() {
            for &pred in cfg.preds(block) {
                let mut runner = Some(pred);
                while let Some(at) = runner.filter(|at| Some(*at) != self.immediate(block)) {
                    if !frontiers[at.index()].contains(&block) {
                        frontiers[at.index()].push(block);
                    }
                    runner = self.immediate(at);
                }
            }
        }
        frontiers
    }
}
