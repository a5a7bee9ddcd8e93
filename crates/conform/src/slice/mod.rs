//! What of a program decides which messages it moves: the rest is left out before anything is explored.
//!
//! *Question*: which statements, branches and variables can make a difference to the sequence of reads and writes, or
//! to whether the program ends well?
//!
//! Weiser's slicing, driven by control dependence through post-dominators: a branch matters if something between it
//! and the point where its ways meet again matters; the variables of a condition that matters matter; an assignment
//! to a variable that matters matters; a function matters if it does something that matters to its callers.
//!
//! *Example*: `if (verbose) fprintf(stderr, …)` matters to nobody, so `verbose` is not followed, though fifty branches
//! ask about it.
//!
//! The first round is flow-insensitive and finds candidates. The second starts again with nothing and asks liveness
//! ([`super::live`]) whether an assignment is ever asked about: `ifd = in` matters only where somebody tests `ifd` before
//! it is set anew.
//!
//! *Guarantee*: leaving the rest out loses no message of a terminating run. Loops that move nothing are taken to end.
//! *Cost*: rounds times the size of the program; real programs take fewer than ten rounds.

mod counting;

pub(super) use counting::step_of;

use super::cells::{CellId, Place, Root, without_conversions};
use super::kinds::What;
use super::live::Live;
use super::model::{Call, Model, Target};
use super::sites::Does;
use diagnostics::Deadline;
use hashbrown::{HashMap, HashSet};
use ir::{BlockId, Callee, Expr, ExprKind, FunctionId, Lvalue, Stmt, StmtId, StmtKind, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// What matters.
pub(super) struct Slice<'p> {
    cells: Vec<bool>,
    pub stmts: HashSet<(FunctionId, StmtId)>,
    pub branches: HashSet<(FunctionId, BlockId)>,
    /// Functions that do something that matters to their callers.
    pub functions: BTreeSet<FunctionId>,
    /// Functions whose result matters.
    pub results: BTreeSet<FunctionId>,
    /// Functions that can move something, calls included.
    pub moving: BTreeSet<FunctionId>,
    /// Globals and fields that a function and what it calls read or write.
    pub touched: BTreeMap<FunctionId, BTreeSet<CellId>>,
    /// Assignments `i = i + c` that may be computed, because the loop they step has a constant bound.
    pub steps: HashMap<(FunctionId, StmtId), Option<&'p Expr>>,
    /// Assignments whose arithmetic feeds itself: computing it would never end.
    pub cyclic: HashSet<(FunctionId, StmtId)>,
    /// The largest constant a cell is compared with.
    pub compared: HashMap<CellId, i128>,
    /// The constants that elements of arrays are compared with.
    pub asked: HashMap<CellId, BTreeSet<i128>>,
    /// Cells of which it is asked whether they are equal to a constant, or have a bit set.
    pub equated: BTreeSet<CellId>,
    /// Whether the numbers that are written matter.
    pub values: bool,
    /// Variables that get other values than constants as well.
    pub mixed: BTreeSet<CellId>,
    /// Variables that get nothing but constants as they are written: states and return codes.
    pub literal: BTreeSet<CellId>,
}

impl Slice<'_> {
    pub fn follows(&self, cell: CellId) -> bool {
        self.cells[cell.index()]
    }

    /// Whether a call of the function is looked into.
    pub fn explores(&self, id: FunctionId) -> bool {
        self.functions.contains(&id) || self.results.contains(&id)
    }

    /// Whether an assignment to itself is counted: its loop has a bound, or the counter is compared with small numbers.
    pub fn counts(&self, function: FunctionId, stmt: StmtId, cell: CellId) -> bool {
        !self.cyclic.contains(&(function, stmt))
            || self.steps.contains_key(&(function, stmt))
            || self.compared.get(&cell).is_some_and(|limit| (0..=super::evaluate::MAX_COUNT).contains(limit))
    }

    /// The variables that get other values than constants as well; counters of loops that are unrolled stay.
    /// Whether a local pointer is null is worth knowing: it is how functions tell that they failed.
    pub fn mixed_and_followed(&self, model: &Model, counters: &BTreeSet<CellId>) -> Vec<CellId> {
        let pointer = |cell: CellId| {
            let found = model.cells.get(cell);
            matches!(found.root, Root::Local(..)) && model.program.types.is_pointer(found.ty)
        };
        let mixed = self.mixed.iter().copied();
        mixed.filter(|cell| self.follows(*cell) && !counters.contains(cell) && !pointer(*cell)).collect()
    }

    /// Stops following a variable.
    pub fn drop_cell(&mut self, cell: CellId) {
        self.cells[cell.index()] = false;
        for touched in self.touched.values_mut() {
            touched.remove(&cell);
        }
    }
}

struct Slicer<'m, 'p> {
    model: &'m Model<'p>,
    slice: Slice<'p>,
    values: bool,
    changed: bool,
    deadline: &'m Deadline,
}

/// Finds what matters. With `values`, the numbers that are written matter too. What is found when the time is over is
/// incomplete, and the exploration says so.
pub(super) fn slice<'p>(model: &Model<'p>, values: bool, deadline: &Deadline) -> Slice<'p> {
    let slice = Slice {
        cells: vec![false; model.cells.len()],
        stmts: HashSet::new(),
        branches: HashSet::new(),
        functions: BTreeSet::new(),
        results: BTreeSet::from([model.entry]),
        moving: moving(model),
        touched: BTreeMap::new(),
        steps: HashMap::new(),
        cyclic: HashSet::new(),
        compared: HashMap::new(),
        asked: HashMap::new(),
        equated: BTreeSet::new(),
        values,
        mixed: BTreeSet::new(),
        literal: BTreeSet::new(),
    };
    let mut slicer = Slicer { model, slice, values, changed: true, deadline };
    for state in [model.cells.end(), model.cells.put_back()] {
        slicer.slice.cells[state.index()] = true;
    }
    while slicer.changed && !deadline.is_cancelled() {
        slicer.changed = false;
        for id in model.functions.keys() {
            slicer.round(*id);
        }
    }
    slicer.find_steps();
    slicer.find_cyclic();
    slicer.give_up_the_unknown();
    slicer.refine();
    slicer.find_touched();
    slicer.slice
}

/// Finds again what matters, when variables are no longer followed.
pub(super) fn narrow<'p>(model: &Model<'p>, slice: Slice<'p>, deadline: &Deadline) -> Slice<'p> {
    let values = slice.values;
    let mut slicer = Slicer { model, slice, values, changed: true, deadline };
    slicer.refine();
    slicer.find_touched();
    slicer.slice
}

/// The functions that can read or write, themselves or by a call.
pub(super) fn moving(model: &Model) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (id, body) in &model.functions {
            let moves = |call: &Call| match call {
                Call::Site(_) | Call::PutBack => true,
                Call::Functions(targets, _) => targets.iter().any(|target| reaches(*target, &found)),
                _ => false,
            };
            if !found.contains(id) && body.calls.values().any(moves) {
                found.insert(*id);
                changed = true;
            }
        }
    }
    found
}

/// Whether a call of the target can move something.
pub(super) fn reaches(target: Target, moving: &BTreeSet<FunctionId>) -> bool {
    match target {
        Target::Function(id) => moving.contains(&id),
        Target::Site(_) => true,
        Target::Fails(_) => false,
    }
}

impl<'p> Slicer<'_, 'p> {
    fn round(&mut self, id: FunctionId) {
        let model = self.model;
        let body = &model.functions[&id];
        let mut matters: Vec<bool> = Vec::with_capacity(body.cfg.blocks.len());
        for (number, block) in body.cfg.blocks.values().enumerate() {
            let mut any = false;
            if !body.reachable[number] {
                matters.push(false);
                continue;
            }
            for stmt in &block.stmts {
                any |= self.statement(id, stmt);
            }
            match &block.terminator {
                Terminator::Return(stmt) if self.slice.results.contains(&id) => {
                    any = true;
                    if let Some(Stmt { kind: StmtKind::Return(Some(value)), .. }) = stmt {
                        self.mark(id, value);
                    }
                }
                Terminator::Stop(_) => any = true,
                _ => {}
            }
            matters.push(any);
        }
        for (block, region) in &body.regions {
            if self.slice.branches.contains(&(id, *block))
                || !region.iter().any(|inside| matters[inside.as_u32() as usize])
            {
                continue;
            }
            self.slice.branches.insert((id, *block));
            self.changed = true;
        }
        for (block, contents) in body.cfg.blocks.iter() {
            if !self.slice.branches.contains(&(id, block)) {
                continue;
            }
            match &contents.terminator {
                Terminator::Branch { cond, .. } => self.mark(id, cond),
                Terminator::Switch { value, .. } => self.mark(id, value),
                _ => {}
            }
        }
    }

    fn add_function(&mut self, id: FunctionId) {
        self.changed |= self.slice.functions.insert(id);
    }

    /// Whether the statement matters; what it depends on is marked.
    fn statement(&mut self, id: FunctionId, stmt: &'p Stmt) -> bool {
        let matters = match &stmt.kind {
            StmtKind::Assign { target, value } => {
                let hit = self.target(id, target);
                if hit {
                    self.mark(id, value);
                }
                hit
            }
            StmtKind::Zero(target) => self.target(id, target),
            StmtKind::Live(local) => {
                let cells = self.model.cells.of_local(self.model.program, id, *local);
                cells.into_iter().any(|cell| self.slice.follows(cell))
            }
            StmtKind::Call { callee, args, result } => self.call(id, stmt, callee, args, result.as_ref()),
            // Who asserts fails otherwise.
            StmtKind::Assert { cond, .. } => {
                self.add_function(id);
                self.mark(id, cond);
                true
            }
            StmtKind::Assume(cond) => {
                let mut any = false;
                cond.walk(&mut |part| any |= self.loads_followed(id, part));
                any
            }
            _ => false,
        };
        if matters {
            self.changed |= self.slice.stmts.insert((id, stmt.id));
        }
        matters
    }

    fn loads_followed(&self, id: FunctionId, part: &Expr) -> bool {
        let ExprKind::Load(lvalue) = &part.kind else { return false };
        matches!(self.model.cells.place(self.model.program, id, lvalue), Place::Cell(cell) if self.slice.follows(cell))
    }

    /// Whether a store here changes a variable that matters.
    fn target(&mut self, id: FunctionId, target: &'p Lvalue) -> bool {
        let model = self.model;
        match model.cells.place(model.program, id, target) {
            Place::Cell(cell) => {
                let hit = self.slice.follows(cell);
                if hit && !matches!(model.cells.get(cell).root, Root::Local(..)) {
                    self.add_function(id);
                }
                hit
            }
            Place::Array(root) => {
                let hit = model.cells.elements(root).into_iter().any(|cell| self.slice.follows(cell));
                if hit && !matches!(root, Root::Local(..)) {
                    self.add_function(id);
                }
                hit
            }
            Place::Through(pointer, ty) => {
                let reached = model.cells.addressed_of(model.program, ty);
                let hit = reached.iter().any(|cell| self.slice.follows(*cell));
                if hit {
                    self.mark(id, pointer);
                    self.add_function(id);
                }
                hit
            }
            Place::Elsewhere => false,
        }
    }

    fn call(
        &mut self,
        id: FunctionId,
        stmt: &'p Stmt,
        callee: &'p Callee,
        args: &'p [Expr],
        result: Option<&'p Lvalue>,
    ) -> bool {
        let model = self.model;
        let wanted = result.is_some_and(|result| self.target(id, result));
        let passes = args.iter().any(|arg| self.passes_followed(id, arg));
        let Some(call) = model.functions[&id].calls.get(&stmt.id) else { return wanted };
        match call {
            Call::Site(site) => {
                self.add_function(id);
                self.site(id, *site, args);
                true
            }
            Call::Exit => {
                self.add_function(id);
                if let Some(status) = args.first() {
                    self.mark(id, status);
                }
                true
            }
            Call::Fails => {
                self.add_function(id);
                true
            }
            Call::Functions(targets, _) => {
                let mut any = wanted || passes;
                for target in targets {
                    let target = match target {
                        Target::Function(target) => target,
                        Target::Site(site) => {
                            any = true;
                            self.add_function(id);
                            self.site(id, *site, args);
                            continue;
                        }
                        Target::Fails(_) => {
                            any = true;
                            self.add_function(id);
                            continue;
                        }
                    };
                    if wanted {
                        self.changed |= self.slice.results.insert(*target);
                    }
                    if self.slice.functions.contains(target) {
                        any = true;
                        self.add_function(id);
                    }
                    if self.slice.explores(*target) {
                        for (param, arg) in model.program.functions[*target].params.iter().zip(args) {
                            let cell = model.cells.find(Root::Local(*target, *param), None);
                            if cell.is_some_and(|cell| self.slice.follows(cell)) {
                                self.mark(id, arg);
                            }
                        }
                    }
                }
                if any && let Callee::Pointer(pointer) = callee {
                    self.mark(id, pointer);
                }
                any
            }
            Call::Library => {
                let name = if let Callee::Function(callee) = callee { model.name(*callee) } else { "" };
                if wanted && matches!(name, "memcmp" | "strncmp") {
                    let arrays = args.iter().filter_map(|arg| match &without_conversions(arg).kind {
                        ExprKind::AddressOf(Lvalue { base: ir::Base::Local(local), .. }) => Some(*local),
                        _ => None,
                    });
                    let cells = arrays.flat_map(|local| model.cells.elements(Root::Local(id, local)));
                    cells.for_each(|cell| self.follow(cell));
                }
                wanted || passes || self.overwrites(id, stmt)
            }
            Call::Returns(_) => wanted || passes || self.overwrites(id, stmt),
            Call::PutBack => {
                self.add_function(id);
                args.iter().take(1).for_each(|arg| self.mark(id, arg));
                true
            }
            Call::Unresolved | Call::Foreign(_) => {
                self.add_function(id);
                true
            }
        }
    }

    /// Whether a call that is not looked into changes something that matters.
    fn overwrites(&mut self, id: FunctionId, stmt: &Stmt) -> bool {
        let written = self.model.overwritten.get(&(id, stmt.id));
        let hit = written.is_some_and(|written| written.keys().any(|cell| self.slice.follows(*cell)));
        if hit {
            self.add_function(id);
        }
        hit
    }

    /// What a site asks about: widths, and with values the number that is written.
    fn site(&mut self, id: FunctionId, site: usize, args: &'p [Expr]) {
        let Does::Moves(moves) = &self.model.sites.all[site].does else { return };
        for item in &moves.pattern {
            if let What::Width(position) = item.what
                && let Some(arg) = args.get(position as usize - 1)
            {
                self.mark(id, arg);
            }
        }
        if let Some(block) = &moves.block {
            for position in block.size.iter().chain([&block.pointer]) {
                args.get(*position as usize - 1).into_iter().for_each(|arg| self.mark(id, arg));
            }
        }
        let written = moves.value.filter(|_| self.values && self.model.role == super::Role::Producer);
        if let Some(arg) = written.and_then(|position| args.get((position as usize).wrapping_sub(1))) {
            self.mark(id, arg);
            if let ExprKind::AddressOf(lvalue) = &without_conversions(arg).kind
                && moves.pointer.is_some()
                && let Place::Cell(cell) = self.model.cells.place(self.model.program, id, lvalue)
            {
                self.follow(cell);
            }
        }
    }

    fn passes_followed(&self, id: FunctionId, arg: &Expr) -> bool {
        let handed = self.model.cells.handed(self.model.program, id, arg);
        handed.into_iter().any(|cell| self.slice.follows(cell))
    }

    fn mark(&mut self, id: FunctionId, expr: &'p Expr) {
        let model = self.model;
        let mut found = Vec::new();
        expr.walk(&mut |part| {
            if let ExprKind::Load(lvalue) = &part.kind {
                match model.cells.place(model.program, id, lvalue) {
                    Place::Cell(cell) => found.push(cell),
                    Place::Through(_, ty) => found.extend(model.cells.addressed_of(model.program, ty)),
                    Place::Array(_) | Place::Elsewhere => {}
                }
            }
        });
        found.into_iter().for_each(|cell| self.follow(cell));
    }

    fn follow(&mut self, cell: CellId) {
        let model = self.model;
        // A frame of a function that calls itself is not told from the others when its address is passed on.
        let lost = match model.cells.get(cell).root {
            Root::Local(owner, _) => {
                model.cells.get(cell).addressed && model.functions.get(&owner).is_none_or(|b| b.recursive)
            }
            _ => false,
        };
        let unwanted = lost || model.fixed.contains_key(&cell) || model.forgotten.contains(&cell);
        if !unwanted && !self.slice.cells[cell.index()] {
            self.slice.cells[cell.index()] = true;
            self.changed = true;
        }
    }

    /// Globals and fields that never get a constant are worth nothing: conditions would tell them apart for no use.
    fn give_up_the_unknown(&mut self) {
        let hopeful = super::constants::hopeful(self.model);
        self.slice.mixed = super::constants::mixed(self.model, &self.slice, &hopeful);
        self.slice.literal = super::constants::literal(self.model);
        for cell in self.model.cells.ids() {
            if !matches!(self.model.cells.get(cell).root, Root::Local(..) | Root::End | Root::PutBack)
                && !hopeful.contains(&cell)
            {
                self.slice.cells[cell.index()] = false;
            }
        }
    }

    /// Starts again with nothing, and takes in only assignments whose variable is asked about later.
    fn refine(&mut self) {
        let model = self.model;
        self.slice.stmts.clear();
        self.slice.branches.clear();
        self.slice.functions.clear();
        self.slice.results = BTreeSet::from([model.entry]);
        self.changed = true;
        while self.changed && !self.deadline.is_cancelled() {
            self.changed = false;
            let live = Live::new(model, &self.slice, self.deadline);
            let mut settled = false;
            // Control dependence needs no new liveness, so it is settled first.
            while !settled && !self.deadline.is_cancelled() {
                let before = self.changed;
                self.changed = false;
                for id in model.functions.keys() {
                    self.refined_round(*id, &live);
                }
                settled = !self.changed;
                self.changed |= before;
            }
        }
    }

    fn refined_round(&mut self, id: FunctionId, live: &Live) {
        let model = self.model;
        let body = &model.functions[&id];
        let mut matters: Vec<bool> = Vec::with_capacity(body.cfg.blocks.len());
        for (block, contents) in body.cfg.blocks.iter() {
            if !body.reachable[block.as_u32() as usize] {
                matters.push(false);
                continue;
            }
            let mut any = match contents.terminator {
                Terminator::Return(_) => self.slice.results.contains(&id),
                Terminator::Stop(_) => true,
                _ => false,
            };
            for (index, stmt) in contents.stmts.iter().enumerate() {
                let hit = match &stmt.kind {
                    StmtKind::Assign { target, .. } | StmtKind::Zero(target) => {
                        let wanted = live.is_wanted(model, id, block, index + 1, target);
                        if wanted && !self.is_own(id, target) {
                            self.add_function(id);
                        }
                        wanted
                    }
                    StmtKind::Live(local) => {
                        let cells = model.cells.of_local(model.program, id, *local);
                        let hit = cells.iter().any(|cell| live.is_live(id, block, index + 1, *cell));
                        // An object that is reached by its type is made anew for everybody.
                        let shared = |cell: &CellId| !matches!(model.cells.get(*cell).root, Root::Local(..));
                        if hit && cells.iter().any(shared) {
                            self.add_function(id);
                        }
                        hit
                    }
                    StmtKind::Assert { .. } => {
                        self.add_function(id);
                        true
                    }
                    StmtKind::Assume(cond) => {
                        let mut any = false;
                        cond.walk(&mut |part| {
                            if let ExprKind::Load(lvalue) = &part.kind {
                                any |= live.is_wanted(model, id, block, index + 1, lvalue);
                            }
                        });
                        any
                    }
                    StmtKind::Call { args, result, .. } => {
                        let wanted =
                            result.as_ref().is_some_and(|target| live.is_wanted(model, id, block, index + 1, target));
                        if wanted && result.as_ref().is_some_and(|target| !self.is_own(id, target)) {
                            self.add_function(id);
                        }
                        let written = model.overwritten.get(&(id, stmt.id));
                        let handed: Vec<CellId> = args
                            .iter()
                            .flat_map(|arg| model.cells.handed(model.program, id, arg))
                            .chain(written.into_iter().flat_map(|written| written.keys().copied()))
                            .collect();
                        let mut asked =
                            handed.iter().filter(|cell| live.is_asked(model, id, block, index + 1, **cell)).peekable();
                        let passes = asked.peek().is_some();
                        // Who hands a global or an object to a library function changes it.
                        let shared = asked.any(|cell| !matches!(model.cells.get(*cell).root, Root::Local(..)));
                        if shared && matches!(body.calls.get(&stmt.id), Some(Call::Library | Call::Returns(_))) {
                            self.add_function(id);
                        }
                        self.refined_call(id, stmt, wanted, passes)
                    }
                    _ => false,
                };
                if hit {
                    self.changed |= self.slice.stmts.insert((id, stmt.id));
                    any = true;
                }
            }
            matters.push(any);
        }
        for (block, region) in &body.regions {
            if region.iter().any(|inside| matters[inside.as_u32() as usize]) {
                self.changed |= self.slice.branches.insert((id, *block));
            }
        }
    }

    fn refined_call(&mut self, id: FunctionId, stmt: &Stmt, wanted: bool, passes: bool) -> bool {
        match self.model.functions[&id].calls.get(&stmt.id) {
            Some(Call::Site(_) | Call::Exit | Call::Fails | Call::PutBack | Call::Unresolved | Call::Foreign(_)) => {
                self.add_function(id);
                true
            }
            Some(Call::Functions(targets, _)) => {
                let mut any = wanted || passes;
                for target in targets {
                    match target {
                        Target::Function(target) => {
                            if wanted {
                                self.changed |= self.slice.results.insert(*target);
                            }
                            if self.slice.functions.contains(target) {
                                any = true;
                                self.add_function(id);
                            }
                        }
                        Target::Site(_) | Target::Fails(_) => {
                            any = true;
                            self.add_function(id);
                        }
                    }
                }
                any
            }
            Some(Call::Library | Call::Returns(_)) | None => wanted || passes,
        }
    }

    /// Whether an lvalue is a local of the function.
    fn is_own(&self, id: FunctionId, target: &Lvalue) -> bool {
        match self.model.cells.place(self.model.program, id, target) {
            Place::Cell(cell) => matches!(self.model.cells.get(cell).root, Root::Local(..)),
            Place::Array(root) => matches!(root, Root::Local(..)),
            Place::Through(..) => false,
            Place::Elsewhere => true,
        }
    }

    fn find_touched(&mut self) {
        let model = self.model;
        let mut own: BTreeMap<FunctionId, BTreeSet<CellId>> = BTreeMap::new();
        for (id, body) in &model.functions {
            let mut touched = BTreeSet::new();
            let mut add = |place: Place| touched.extend(model.cells.designated(model.program, place));
            let mut all: Vec<&Expr> = Vec::new();
            let mut handed: Vec<CellId> = Vec::new();
            for (block, contents) in body.cfg.blocks.iter() {
                for stmt in contents.stmts.iter().filter(|stmt| self.slice.stmts.contains(&(*id, stmt.id))) {
                    all.extend(stmt.exprs());
                    match &stmt.kind {
                        StmtKind::Assign { target, .. } | StmtKind::Zero(target) => {
                            add(model.cells.place(model.program, *id, target));
                        }
                        StmtKind::Call { result, args, .. } => {
                            result.iter().for_each(|target| add(model.cells.place(model.program, *id, target)));
                            handed.extend(args.iter().flat_map(|arg| model.cells.handed(model.program, *id, arg)));
                            let written = model.overwritten.get(&(*id, stmt.id));
                            handed.extend(written.into_iter().flat_map(|written| written.keys().copied()));
                        }
                        StmtKind::Live(local) => handed.extend(model.cells.of_local(model.program, *id, *local)),
                        _ => {}
                    }
                }
                match &contents.terminator {
                    Terminator::Branch { cond, .. } if self.slice.branches.contains(&(*id, block)) => all.push(cond),
                    Terminator::Switch { value, .. } if self.slice.branches.contains(&(*id, block)) => all.push(value),
                    Terminator::Return(Some(stmt)) => all.extend(stmt.exprs()),
                    _ => {}
                }
            }
            for expr in all {
                expr.walk(&mut |part| {
                    if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind {
                        add(model.cells.place(model.program, *id, lvalue));
                    }
                });
            }
            touched.extend(handed);
            touched.retain(|cell| self.slice.follows(*cell) && !matches!(model.cells.get(*cell).root, Root::Local(..)));
            if model.role == super::Role::Consumer && self.slice.moving.contains(id) {
                touched.extend([model.cells.end(), model.cells.put_back()]);
            }
            own.insert(*id, touched);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (id, body) in &model.functions {
                let mut more = BTreeSet::new();
                for call in body.calls.values() {
                    if let Call::Functions(targets, _) = call {
                        let called = targets.iter().filter_map(|target| target.function());
                        let called = called.filter(|target| self.slice.explores(*target));
                        more.extend(called.filter_map(|target| own.get(&target)).flatten().copied());
                    }
                }
                let touched = own.get_mut(id).expect("every function should have its own set");
                let before = touched.len();
                touched.extend(more);
                changed |= touched.len() > before;
            }
        }
        self.slice.touched = own;
    }
}
