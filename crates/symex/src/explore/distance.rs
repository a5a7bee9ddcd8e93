//! How many blocks it takes at least from a place to the nearest open goal, across calls and returns.
//!
//! A state's distance counts from the top frame, or through its return to a place in a caller. Where there is no way
//! at all the state cannot come to a goal, and need not be followed. So the graph must not miss an edge: a call through a
//! pointer may be of every function whose address is taken and whose type fits, a function without a body may call
//! back all of those, and behind an unsupported statement there may be anything.
//!
//! *Cost*: a few passes over the blocks of the functions in reach, each time goals were settled.

use super::engine::Engine;
use super::library;
use super::state::State;
use ir::{CallGraph, Callee, FunctionId, Program, Stmt, StmtKind, Stop, Terminator};
use std::collections::HashMap;

/// No way.
pub const FAR: u32 = u32::MAX;

/// What counts for a place behind which there may be anything.
const UNKNOWN: u32 = 10_000;

struct Marks {
    /// Statement of the block, and what it takes from there.
    inside: Vec<(u32, u32)>,
    /// What it takes from the end of the block.
    after: u32,
}

struct Reach {
    blocks: Vec<Marks>,
    /// From the start of each block to a return.
    exits: Vec<u32>,
}

pub struct Distances {
    functions: HashMap<FunctionId, Reach>,
    /// Any statement may be a goal.
    everywhere: bool,
}

impl Distances {
    /// The distances to the open goals, for functions that a call of the roots can reach.
    pub fn new(engine: &mut Engine<'_>, graph: &CallGraph, roots: &[FunctionId]) -> Distances {
        let everywhere = engine.goals.is_everywhere();
        let mut distances = Distances { functions: HashMap::new(), everywhere };
        if everywhere {
            return distances;
        }
        let program = engine.program;
        let mut ids: Vec<FunctionId> = roots.iter().flat_map(|root| graph.reachable(*root)).collect();
        // A function without a body may call back.
        ids.extend(graph.address_taken());
        ids.sort();
        ids.dedup();
        ids.retain(|id| program.functions[*id].body.is_some());
        for &id in &ids {
            let code = engine.code(id);
            let count = code.cfg.blocks.len();
            let blocks = (0..count).map(|_| Marks { inside: Vec::new(), after: FAR }).collect();
            let mut exits = vec![FAR; count];
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for (block, body) in code.cfg.blocks.iter().rev() {
                    let best = match &body.terminator {
                        Terminator::Return(_) => 0,
                        _ => {
                            let next = code.cfg.succs(block).into_iter();
                            next.map(|b| exits[b.as_u32() as usize].saturating_add(1)).min().unwrap_or(FAR)
                        }
                    };
                    let known = &mut exits[block.as_u32() as usize];
                    if best < *known {
                        *known = best;
                        changed = true;
                    }
                }
            }
            distances.functions.insert(id, Reach { blocks, exits });
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &id in ids.iter().rev() {
                changed |= distances.improve(engine, graph, program, id);
            }
        }
        distances
    }

    fn improve(&mut self, engine: &mut Engine<'_>, graph: &CallGraph, program: &Program, id: FunctionId) -> bool {
        let code = engine.code(id);
        let mut changed = false;
        for (block, body) in code.cfg.blocks.iter().rev() {
            let number = block.as_u32() as usize;
            let mut inside = Vec::new();
            for (index, stmt) in (0u32..).zip(&body.stmts) {
                let cost = self.cost(engine, graph, program, id, stmt);
                if cost < FAR {
                    inside.push((index, cost));
                }
            }
            let mut after = match &body.terminator {
                Terminator::Stop(Stop::Unsupported) => UNKNOWN,
                _ => FAR,
            };
            for edge in code.cfg.edges(block) {
                let is_goal = edge.branch.is_some_and(|branch| engine.goals.open_branch(id, branch).is_some());
                let beyond = self.start_of(id, edge.to.as_u32() as usize).saturating_add(1);
                after = after.min(if is_goal { 0 } else { beyond });
            }
            let reach = self.functions.get_mut(&id).expect("a function in reach should have distances");
            let marks = &mut reach.blocks[number];
            if marks.after != after || marks.inside != inside {
                marks.after = after;
                marks.inside = inside;
                changed = true;
            }
        }
        changed
    }

    /// What it takes from a statement to a goal, at it or inside what it calls.
    fn cost(
        &self,
        engine: &Engine<'_>,
        graph: &CallGraph,
        program: &Program,
        function: FunctionId,
        stmt: &Stmt,
    ) -> u32 {
        match &stmt.kind {
            StmtKind::Trace(point) if engine.goals.wants_point(&point.name) => 0,
            StmtKind::Assert { .. } if engine.goals.open_claim(function, stmt.id).is_some() => 0,
            StmtKind::Call { callee: Callee::Function(callee), .. } => self.entering(graph, program, *callee),
            StmtKind::Call { callee: Callee::Pointer(pointer), .. } => {
                let targets = graph.targets(program, pointer).into_iter();
                targets.map(|callee| self.entering(graph, program, callee)).min().unwrap_or(FAR)
            }
            _ => FAR,
        }
    }

    fn entering(&self, graph: &CallGraph, program: &Program, callee: FunctionId) -> u32 {
        let function = &program.functions[callee];
        if function.body.is_some() {
            return self.start_of(callee, 0).saturating_add(1);
        }
        // Control may come back elsewhere.
        if function.name.contains("longjmp") {
            return UNKNOWN;
        }
        if library::calls_nothing_back(&function.name) {
            return FAR;
        }
        let back = graph.may_call_back(program, callee).into_iter();
        back.map(|id| self.start_of(id, 0).saturating_add(2)).min().unwrap_or(FAR)
    }

    fn start_of(&self, function: FunctionId, block: usize) -> u32 {
        self.from(function, block, 0)
    }

    fn from(&self, function: FunctionId, block: usize, index: u32) -> u32 {
        let Some(reach) = self.functions.get(&function) else { return UNKNOWN };
        let marks = &reach.blocks[block];
        let inside = marks.inside.iter().filter(|(at, _)| *at >= index).map(|(_, cost)| *cost).min();
        inside.unwrap_or(FAR).min(marks.after)
    }

    /// The distance of a state; [`FAR`] if it cannot come to an open goal.
    pub fn of(&self, state: &State) -> u32 {
        if self.everywhere {
            return 0;
        }
        let mut best = FAR;
        let mut walked = 0u32;
        for (depth, frame) in state.frames.iter().rev().enumerate() {
            let Some(reach) = self.functions.get(&frame.function) else { return UNKNOWN };
            let block = frame.block.as_u32() as usize;
            // Callers go on behind the call they wait for.
            let index = if depth == 0 { frame.index } else { frame.index + 1 };
            let here = self.from(frame.function, block, index);
            best = best.min(walked.saturating_add(here));
            walked = walked.saturating_add(reach.exits[block]);
            if walked == FAR {
                return best;
            }
        }
        best
    }
}
