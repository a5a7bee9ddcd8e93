//! Which variables are still asked about: what is known of the others is forgotten, so that paths meet again.
//!
//! Backward liveness over the statements and branches that matter, across calls: a variable is live where a function
//! returns if it is live after one of its calls, and a call uses whatever the callee can read. A local whose address is
//! taken is always live, which the exploration knows by itself.
//!
//! *Cost*: rounds over all functions until nothing changes; sets are bit sets over the variables that are followed.

use super::cells::{CellId, Place, Root, without_conversions};
use super::kinds::What;
use super::model::{Call, Model, Target};
use super::sites::Does;
use super::slice::Slice;
use diagnostics::Deadline;
use hashbrown::HashMap;
use ir::{BitSet, BlockId, Callee, Expr, ExprKind, FunctionId, Lvalue, Stmt, StmtKind, Terminator};
use std::collections::BTreeMap;

/// The live cells before each statement of each block, at its end, and where functions return.
pub(super) struct Live {
    index: HashMap<CellId, usize>,
    at: HashMap<(FunctionId, BlockId), Vec<BitSet>>,
    exit: BTreeMap<FunctionId, BitSet>,
    /// Live at some point.
    somewhere: BitSet,
}

impl Live {
    pub fn new(model: &Model, slice: &Slice, deadline: &Deadline) -> Live {
        let followed = model.cells.ids().filter(|cell| slice.follows(*cell));
        let index: HashMap<CellId, usize> = followed.enumerate().map(|(number, cell)| (cell, number)).collect();
        let empty = BitSet::empty(index.len());
        let functions: Vec<FunctionId> = model.functions.keys().copied().collect();
        let mut analysis = Analysis {
            model,
            slice,
            index,
            entry: functions
                .iter()
                .map(|id| (*id, vec![empty.clone(); model.functions[id].cfg.blocks.len()]))
                .collect(),
            exit: functions.iter().map(|id| (*id, empty.clone())).collect(),
            reads: functions.iter().map(|id| (*id, empty.clone())).collect(),
            locals: BTreeMap::new(),
            empty,
        };
        for (cell, number) in &analysis.index {
            if let Root::Local(owner, _) = model.cells.get(*cell).root {
                analysis.locals.entry(owner).or_insert_with(|| analysis.empty.clone()).insert(*number);
            }
        }
        analysis.find_reads(&functions, deadline);
        let mut changed = true;
        while changed && !deadline.is_cancelled() {
            changed = false;
            for id in &functions {
                changed |= analysis.function(*id, deadline);
            }
        }
        let mut at = HashMap::new();
        for id in &functions {
            for block in model.functions[id].cfg.blocks.keys() {
                let mut points = Vec::new();
                analysis.block(*id, block, &mut false, |live| points.push(live.clone()));
                points.reverse();
                at.insert((*id, block), points);
            }
        }
        let mut somewhere = analysis.empty.clone();
        for set in at.values().flatten() {
            somewhere.join(set);
        }
        Live { index: analysis.index, at, exit: analysis.exit, somewhere }
    }

    /// Whether a cell is asked about after this point.
    pub fn is_live(&self, function: FunctionId, block: BlockId, index: usize, cell: CellId) -> bool {
        let Some(number) = self.index.get(&cell) else { return false };
        self.at.get(&(function, block)).and_then(|points| points.get(index)).is_some_and(|set| set.contains(*number))
    }

    /// Whether a store here is asked about later.
    pub fn is_wanted(
        &self,
        model: &Model,
        function: FunctionId,
        block: BlockId,
        index: usize,
        target: &Lvalue,
    ) -> bool {
        let place = model.cells.place(model.program, function, target);
        let changed = model.cells.designated(model.program, place);
        changed.into_iter().any(|cell| self.is_asked(model, function, block, index, cell))
    }

    /// Whether a cell is asked about after this point, by whoever has its address too.
    pub fn is_asked(&self, model: &Model, function: FunctionId, block: BlockId, index: usize, cell: CellId) -> bool {
        self.is_live(function, block, index, cell) || self.is_lent(model, cell)
    }

    /// A local whose address is taken counts as live everywhere, once it is live somewhere.
    fn is_lent(&self, model: &Model, cell: CellId) -> bool {
        let found = model.cells.get(cell);
        let Some(number) = self.index.get(&cell) else { return false };
        found.addressed && matches!(found.root, Root::Local(..)) && self.somewhere.contains(*number)
    }

    /// Whether a cell is asked about after the function returns.
    pub fn outlives(&self, function: FunctionId, cell: CellId) -> bool {
        let Some(number) = self.index.get(&cell) else { return false };
        self.exit.get(&function).is_some_and(|set| set.contains(*number))
    }
}

struct Analysis<'m, 'p> {
    model: &'m Model<'p>,
    slice: &'m Slice<'p>,
    index: HashMap<CellId, usize>,
    empty: BitSet,
    entry: BTreeMap<FunctionId, Vec<BitSet>>,
    exit: BTreeMap<FunctionId, BitSet>,
    locals: BTreeMap<FunctionId, BitSet>,
    /// What a function and what it calls can read of globals and fields.
    reads: BTreeMap<FunctionId, BitSet>,
}

impl Analysis<'_, '_> {
    /// The locals of a function, which no callee overwrites.
    fn own(&self, id: FunctionId) -> BitSet {
        self.locals.get(&id).cloned().unwrap_or_else(|| self.empty.clone())
    }

    fn find_reads(&mut self, functions: &[FunctionId], deadline: &Deadline) {
        let mut changed = true;
        while changed && !deadline.is_cancelled() {
            changed = false;
            for id in functions {
                let mut read = self.empty.clone();
                let body = &self.model.functions[id];
                let reached = body.cfg.blocks.iter().filter(|(block, _)| body.reachable[block.as_u32() as usize]);
                for (block, contents) in reached {
                    self.terminator(*id, block, &mut read);
                    for stmt in contents.stmts.iter().filter(|s| self.slice.stmts.contains(&(*id, s.id))) {
                        self.uses(*id, stmt, &mut read);
                    }
                }
                for (cell, number) in &self.index {
                    if matches!(self.model.cells.get(*cell).root, Root::Local(owner, _) if owner == *id) {
                        read.remove(*number);
                    }
                }
                let known = self.reads.get_mut(id).expect("every function should have a set");
                changed |= known.join(&read);
            }
        }
    }

    fn function(&mut self, id: FunctionId, deadline: &Deadline) -> bool {
        let body = &self.model.functions[&id];
        let mut any = false;
        loop {
            let mut changed = false;
            for block in body.cfg.blocks.keys().collect::<Vec<_>>().into_iter().rev() {
                let live = self.block(id, block, &mut any, |_| {});
                let entry =
                    &mut self.entry.get_mut(&id).expect("every function should have entries")[block.as_u32() as usize];
                if *entry != live {
                    *entry = live;
                    changed = true;
                }
            }
            any |= changed;
            if !changed || deadline.is_cancelled() {
                return any;
            }
        }
    }

    /// What is live where a block begins; `point` is told what is live at its end and before each statement, backward.
    fn block(&mut self, id: FunctionId, block: BlockId, any: &mut bool, mut point: impl FnMut(&BitSet)) -> BitSet {
        let body = &self.model.functions[&id];
        let contents = &body.cfg.blocks[block];
        let mut live = self.empty.clone();
        let entries = &self.entry[&id];
        if !body.reachable[block.as_u32() as usize] {
            (0..=contents.stmts.len()).for_each(|_| point(&live));
            return live;
        }
        // A branch that does not matter is jumped over.
        let branching = body.succs[block.as_u32() as usize].len() > 1;
        if branching && !self.slice.branches.contains(&(id, block)) {
            match body.meets[block.as_u32() as usize] {
                Some(meet) => drop(live.join(&entries[meet.as_u32() as usize])),
                None => drop(live.join(&self.exit[&id])),
            }
        } else {
            for next in &body.succs[block.as_u32() as usize] {
                live.join(&entries[next.as_u32() as usize]);
            }
        }
        if matches!(contents.terminator, Terminator::Return(_)) {
            live.join(&self.exit[&id]);
        }
        self.terminator(id, block, &mut live);
        point(&live);
        for stmt in contents.stmts.iter().rev() {
            if let Some(Call::Functions(targets, open)) = body.calls.get(&stmt.id) {
                let mut through = self.empty.clone();
                // A call that is not known to matter yet may turn out to, by what is live after it.
                let mut skipped = *open || !self.slice.stmts.contains(&(id, stmt.id));
                for target in targets {
                    match target {
                        Target::Function(target) => {
                            if let Some(exit) = self.exit.get_mut(target) {
                                *any |= exit.join(&live);
                            }
                            skipped |= !self.slice.explores(*target);
                            through.join(&self.entry[target][0]);
                        }
                        Target::Site(_) => skipped = true,
                        Target::Fails(_) => {}
                    }
                }
                // What every callee overwrites before it asks is not live before the call.
                if !skipped {
                    through.join(&self.own(id));
                    live.meet(&through);
                }
            }
            if self.slice.stmts.contains(&(id, stmt.id)) {
                let target = match &stmt.kind {
                    StmtKind::Assign { target, .. } => Some(target),
                    StmtKind::Call { result, .. } => result.as_ref(),
                    _ => None,
                };
                if let Some(Place::Cell(cell)) =
                    target.map(|target| self.model.cells.place(self.model.program, id, target))
                    && let Some(number) = self.index.get(&cell)
                {
                    live.remove(*number);
                }
                if let StmtKind::Live(local) = stmt.kind
                    && let Some(cell) = self.model.cells.find(Root::Local(id, local), None)
                    && let Some(number) = self.index.get(&cell)
                {
                    live.remove(*number);
                }
                self.uses(id, stmt, &mut live);
            }
            point(&live);
        }
        live
    }

    fn terminator(&self, id: FunctionId, block: BlockId, live: &mut BitSet) {
        let contents = &self.model.functions[&id].cfg.blocks[block];
        let decides = self.slice.branches.contains(&(id, block));
        match &contents.terminator {
            Terminator::Branch { cond, .. } if decides => self.expression(id, cond, live),
            Terminator::Switch { value, .. } if decides => self.expression(id, value, live),
            Terminator::Return(Some(Stmt { kind: StmtKind::Return(Some(value)), .. }))
                if self.slice.results.contains(&id) =>
            {
                self.expression(id, value, live);
            }
            _ => {}
        }
    }

    /// What a statement that matters asks about.
    fn uses(&self, id: FunctionId, stmt: &Stmt, live: &mut BitSet) {
        let body = &self.model.functions[&id];
        match &stmt.kind {
            StmtKind::Call { callee, args, result } => {
                result.iter().flat_map(Lvalue::children).for_each(|expr| self.expression(id, expr, live));
                if let Callee::Pointer(pointer) = callee {
                    self.expression(id, pointer, live);
                }
                match body.calls.get(&stmt.id) {
                    Some(Call::Functions(targets, _)) => {
                        for target in targets {
                            match target {
                                Target::Function(target) => self.arguments(id, *target, args, live),
                                Target::Site(site) => self.site(id, *site, args, live),
                                Target::Fails(_) => {}
                            }
                        }
                    }
                    Some(Call::Site(site)) => self.site(id, *site, args, live),
                    Some(Call::Exit | Call::PutBack) => args.iter().for_each(|arg| self.expression(id, arg, live)),
                    Some(Call::Library) => {
                        let name = if let Callee::Function(callee) = callee { self.model.name(*callee) } else { "" };
                        if name.starts_with("feof")
                            && let Some(number) = self.index.get(&self.model.cells.end())
                        {
                            live.insert(*number);
                        }
                        if matches!(name, "memcmp" | "strncmp") {
                            args.iter().for_each(|arg| {
                                self.expression(id, arg, live);
                                self.array(id, arg, live);
                            });
                        }
                    }
                    _ => {}
                }
            }
            _ => stmt.exprs().into_iter().for_each(|expr| self.expression(id, expr, live)),
        }
        // The bound of an unrolled loop is asked about at its step.
        if let Some(Some(bound)) = self.slice.steps.get(&(id, stmt.id)) {
            self.expression(id, bound, live);
        }
    }

    fn arguments(&self, id: FunctionId, target: FunctionId, args: &[Expr], live: &mut BitSet) {
        for (param, arg) in self.model.program.functions[target].params.iter().zip(args) {
            let cell = self.model.cells.find(Root::Local(target, *param), None);
            let number = cell.and_then(|cell| self.index.get(&cell));
            if number.is_some_and(|number| self.entry[&target][0].contains(*number)) {
                self.expression(id, arg, live);
            }
        }
        if let Some(reads) = self.reads.get(&target) {
            live.join(reads);
        }
    }

    fn site(&self, id: FunctionId, site: usize, args: &[Expr], live: &mut BitSet) {
        for state in [self.model.cells.end(), self.model.cells.put_back()] {
            if let Some(number) = self.index.get(&state) {
                live.insert(*number);
            }
        }
        let Does::Moves(moves) = &self.model.sites.all[site].does else { return };
        let widths = moves.pattern.iter().filter_map(|item| match item.what {
            What::Width(position) => Some(position),
            _ => None,
        });
        let written = moves.value.filter(|_| self.slice.values && self.model.role == super::Role::Producer);
        let sizes = moves.block.iter().flat_map(|block| block.size.iter().chain([&block.pointer])).copied();
        for position in widths.chain(written).chain(sizes) {
            if let Some(arg) = args.get((position as usize).wrapping_sub(1)) {
                self.expression(id, arg, live);
            }
        }
    }

    fn expression(&self, id: FunctionId, expr: &Expr, live: &mut BitSet) {
        expr.walk(&mut |part| {
            match &part.kind {
                ExprKind::Load(lvalue) => self.used(id, lvalue, live),
                // An address of an array is no question about its elements.
                ExprKind::AddressOf(lvalue) if lvalue.path.is_empty() => self.used(id, lvalue, live),
                _ => {}
            }
        });
    }

    fn used(&self, id: FunctionId, lvalue: &Lvalue, live: &mut BitSet) {
        let model = self.model;
        let mut add = |cell: CellId| {
            if let Some(number) = self.index.get(&cell) {
                live.insert(*number);
            }
        };
        let place = model.cells.place(model.program, id, lvalue);
        model.cells.designated(model.program, place).into_iter().for_each(&mut add);
    }

    /// The elements of a local array whose address is passed to a function that compares them.
    fn array(&self, id: FunctionId, arg: &Expr, live: &mut BitSet) {
        let ExprKind::AddressOf(Lvalue { base: ir::Base::Local(local), .. }) = &without_conversions(arg).kind else {
            return;
        };
        for cell in self.model.cells.elements(Root::Local(id, *local)) {
            if let Some(number) = self.index.get(&cell) {
                live.insert(*number);
            }
        }
    }
}
