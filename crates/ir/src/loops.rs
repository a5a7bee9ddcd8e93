//! The loops of a graph and how they nest, irreducible ones included.
//!
//! *Source*: B. Steensgaard, Sequentializing Program Dependence Graphs for Irreducible Programs, 1993: a strongly
//! connected component is a loop, its entries are the blocks that can be reached from outside it; without the edges
//! into its entries, the components that remain inside are its inner loops.
//!
//! *Relation to natural loops*: a loop with one entry is the natural loop of that head, all its back edges taken
//! together. A loop with several entries (a `goto` into a loop body) has no head that dominates it; it is reported
//! with all its entries, and [`Loops::irreducible`] lists those.
//!
//! *Example*: `0→1, 1→2, 2→1, 2→3` has the loop {1, 2} with entry 1. With `0→2` as well it has two entries.
//!
//! *Guarantee*: exact; every cycle of the graph goes through an entry of some loop that contains it.
//! `tests/graphs.rs` compares with natural loops found through dominators.
//! *Cost*: the size of the graph times the number of loops.

use crate::cfg::{BlockId, Cfg};
use crate::scc::components_where;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl, packed_option::PackedOption};

/// A loop of one [`Loops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

#[derive(Clone, Debug)]
pub struct LoopNode {
    /// Where control can come in, ascending; one for a reducible loop: its head.
    pub entries: Vec<BlockId>,
    /// All its blocks, those of inner loops included, ascending.
    pub blocks: Vec<BlockId>,
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

impl LoopNode {
    /// The head of a reducible loop.
    pub fn head(&self) -> Option<BlockId> {
        if let [head] = self.entries[..] { Some(head) } else { None }
    }

    pub fn contains(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// The edges that leave the loop, as blocks inside and outside.
    pub fn exits(&self, cfg: &Cfg) -> Vec<(BlockId, BlockId)> {
        let leaving = |from: &BlockId| {
            let from = *from;
            cfg.succs(from).into_iter().filter(|to| !self.contains(*to)).map(move |to| (from, to)).collect::<Vec<_>>()
        };
        self.blocks.iter().flat_map(leaving).collect()
    }
}

/// The loops of a function; outer ones come before inner ones.
pub struct Loops {
    pub loops: PrimaryMap<LoopId, LoopNode>,
    innermost: SecondaryMap<BlockId, PackedOption<LoopId>>,
}

impl Loops {
    pub fn new(cfg: &Cfg) -> Loops {
        let successors = cfg.successor_lists();
        let mut result = Loops { loops: PrimaryMap::new(), innermost: SecondaryMap::new() };
        let everything: Vec<u32> = (0..successors.len() as u32).collect();
        // Regions still to be searched: their blocks, the entries whose incoming edges do not count, the loop.
        let mut open: Vec<(Vec<u32>, Vec<BlockId>, Option<LoopId>)> = vec![(everything, Vec::new(), None)];
        while let Some((region, heads, parent)) = open.pop() {
            let mut inside: EntitySet<BlockId> = EntitySet::new();
            inside.extend(region.iter().map(|b| BlockId::from_u32(*b)));
            let is_head = |node: u32| heads.contains(&BlockId::from_u32(node));
            let mut components =
                components_where(&successors, |node| inside.contains(BlockId::from_u32(node)), |_, to| !is_head(to));
            components.sort();
            for component in components {
                let loops_back = |node: &u32| successors[*node as usize].iter().any(|to| *to == *node && !is_head(*to));
                if component.len() == 1 && !loops_back(&component[0]) {
                    continue;
                }
                let blocks: Vec<BlockId> = component.iter().map(|b| BlockId::from_u32(*b)).collect();
                let comes_in = |block: &BlockId| {
                    *block == cfg.entry() || cfg.preds(*block).iter().any(|p| blocks.binary_search(p).is_err())
                };
                let entries: Vec<BlockId> = blocks.iter().copied().filter(comes_in).collect();
                let depth = parent.map_or(1, |parent: LoopId| result.loops[parent].depth + 1);
                let id =
                    result.loops.push(LoopNode { entries: entries.clone(), blocks: blocks.clone(), parent, depth });
                for block in blocks {
                    result.innermost[block] = id.into();
                }
                open.push((component, entries, Some(id)));
            }
        }
        result
    }

    /// The innermost loop around a block.
    pub fn of(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block].expand()
    }

    /// The loop whose only entry this is.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.loops.iter().find(|(_, node)| node.head() == Some(block)).map(|(id, _)| id)
    }

    /// How many loops are around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.of(block).map_or(0, |id| self.loops[id].depth)
    }

    /// The loops that can be entered in several places.
    pub fn irreducible(&self) -> impl Iterator<Item = LoopId> + '_ {
        self.loops.iter().filter(|(_, node)| node.entries.len() > 1).map(|(id, _)| id)
    }

    pub fn children(&self, parent: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        self.loops.iter().filter(move |(_, node)| node.parent == parent).map(|(id, _)| id)
    }
}
