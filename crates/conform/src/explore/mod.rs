//! From a program to a machine: every path through what matters, with the variables that are known on it.
//!
//! *Source*: E. Driscoll, A. Burton, T. Reps, Checking Conformance of a Producer and a Consumer, 2011, §2.3 (one
//! automaton per procedure, linked by calls). *Departures*: a state is a place in the control flow **and** what is known
//! about the variables that matter ([`super::slice`]), so that return codes, flags and state machines decide where a
//! path goes on; a procedure has one module for each way its variables can be when it is called, and one exit for each
//! way they can be when it returns. That is the tabulation of T. Reps, S. Horwitz, M. Sagiv (1995) over constants.
//!
//! *Notation*: a module is a function with an entry valuation; an exit is a result with a valuation.
//!
//! *Example*: `r = f(); if (r < 0) exit(1); put(c);` where `f` returns -1 or 0: the module of `f` has two exits, the
//! path after the first ends in a failure and is in no word.
//!
//! *Guarantee*: over-approximation, with the provisos that the report's `approximations` list: every message of a
//! terminating run that ends well is a word of the machine. What is not followed is any value.
//!
//! *Cost*: one state per place and valuation; [`Budget`] bounds them, and a variable with too many values is no longer
//! followed and the exploration starts again.

mod calls;
mod exits;
mod moves;

use super::cells::{CellId, Place, Root};
use super::evaluate::{Evaluator, Valuation};
use super::kinds::{KindId, Kinds};
use super::live::Live;
use super::model::{Model, Spot};
use super::slice::Slice;
use super::symbols::{Constants, Symbols};
use super::value::Value;
use automata::{Label, Machine, Module, StateId, Symbol};
use diagnostics::Deadline;
use diagnostics::Span;
use hashbrown::{HashMap, HashSet};
use ir::{BlockId, Callee, Expr, FunctionId, LoopKind, Lvalue, Stmt, StmtId, StmtKind, Stop, Terminator};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// How much may be explored.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// States of all modules.
    pub states: usize,
    /// Edges of all modules.
    pub edges: usize,
    /// What is known at all states together: with the states and edges, what bounds the memory.
    pub known: usize,
    /// Valuations at one place of a module, counters of unrolled loops aside.
    pub valuations: usize,
    /// Modules of one function.
    pub modules: usize,
    /// Rounds of one unrolled loop.
    pub rounds: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { states: 250_000, edges: 4_000_000, known: 8_000_000, valuations: 4_000, modules: 400, rounds: 10_000 }
    }
}

/// Where an edge of the machine comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    pub span: Span,
    /// The function that is called there.
    pub callee: String,
    /// The function the call stands in.
    pub function: String,
    /// The kind that is moved, if it is not a call of a function of the program.
    pub kind: Option<KindId>,
}

/// A machine, and what its tags mean.
pub(super) struct Explored {
    pub machine: Machine,
    pub tags: Vec<Tag>,
    /// The constants that were written, by kind.
    pub written: BTreeMap<KindId, BTreeSet<i128>>,
    /// Functions that are in the machine.
    pub functions: BTreeSet<FunctionId>,
    /// What was approximated, with its place.
    pub notes: BTreeSet<(Spot, String)>,
    /// Why no verdict can be given.
    pub obstacles: BTreeSet<(Spot, String)>,
    /// Fields that are followed because the user says that their type has one object.
    pub fields: BTreeSet<CellId>,
    /// Sites that are in the machine.
    pub sites: BTreeSet<usize>,
}

/// What an exploration needs to know besides the program.
pub(super) struct Setting<'a> {
    pub kinds: &'a mut Kinds,
    pub symbols: &'a mut Symbols,
    /// Whether constants are part of the symbols; for a consumer, the constants of the producer.
    pub values: Option<&'a Constants>,
    /// The symbol that marks rounds of loops.
    pub separator: Option<Symbol>,
    pub budget: Budget,
    pub deadline: &'a Deadline,
}

/// Explores, giving up variables until it fits the budget.
pub(super) fn explore<'p>(
    model: &Model<'p>,
    mut slice: Slice<'p>,
    setting: &mut Setting,
) -> Result<(Explored, Slice<'p>), String> {
    let mut dropped: BTreeSet<(Spot, String)> = BTreeSet::new();
    let mut lost: BTreeSet<String> = BTreeSet::new();
    let mut first = true;
    let mut rounds: Vec<Vec<CellId>> = Vec::new();
    loop {
        let live = Live::new(model, &slice, setting.deadline);
        let mut explorer = Explorer::new(model, &slice, &live, setting);
        let outcome = explorer.run();
        if std::mem::take(&mut first) {
            let mixed = slice.mixed_and_followed(model, &explorer.counters);
            let (asked, data): (Vec<CellId>, Vec<CellId>) =
                mixed.into_iter().partition(|cell| slice.equated.contains(cell));
            rounds.extend([data, asked].into_iter().filter(|cells| !cells.is_empty()));
        }
        let given_up = match outcome {
            Ok(()) => {
                let mut explored = explorer.finish();
                explored.notes.extend(dropped);
                if !lost.is_empty() {
                    let names: Vec<&str> = lost.iter().map(String::as_str).collect();
                    let why = format!("some variables take too many values and are not followed: {}", names.join(", "));
                    explored.notes.insert((Spot(Span::NONE), why));
                }
                return Ok((explored, slice));
            }
            // At first all that gets other values than constants goes at once, but for what is compared with constants.
            Err(_) if !rounds.is_empty() => rounds.remove(0),
            Err(Overflow::Cells(cells)) => cells,
            Err(Overflow::Step(key)) => {
                let why = "a loop of too many rounds is not unrolled".to_string();
                let body = &model.functions[&key.0];
                let block = body.cfg.block_of(key.1);
                let found = block.and_then(|block| body.cfg.blocks[block].stmts.iter().find(|s| s.id == key.1));
                dropped.insert((Spot(found.map_or(Span::NONE, |stmt| stmt.span)), why));
                slice.steps.remove(&key);
                Vec::new()
            }
            Err(Overflow::States) => {
                return Err(format!(
                    "the {} is too large: more than {} states or {} edges even with no variable followed",
                    model.role.name(),
                    setting.budget.states,
                    setting.budget.edges
                ));
            }
        };
        drop(live);
        for cell in given_up {
            lost.insert(model.cells.get(cell).name.clone());
            slice.drop_cell(cell);
        }
        slice = super::slice::narrow(model, slice, setting.deadline);
    }
}

enum Overflow {
    Cells(Vec<CellId>),
    Step((FunctionId, StmtId)),
    States,
}

/// A place of one module with a valuation.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    block: BlockId,
    index: usize,
    at: Valuation,
}

/// A call as it stands in the program.
#[derive(Clone, Copy)]
struct Calling<'p> {
    stmt: &'p Stmt,
    callee: &'p Callee,
    args: &'p [Expr],
    result: Option<&'p Lvalue>,
}

/// A way a module returns.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Exit {
    result: Value,
    at: Valuation,
}

/// A call that waits for exits of what it calls.
#[derive(Clone)]
struct Waiting<'p> {
    module: usize,
    from: StateId,
    point: Point,
    result: Option<&'p Lvalue>,
    /// Cells of the caller that were handed over by their addresses.
    lent: BTreeSet<CellId>,
    tag: u32,
    /// Nobody asks there whether the result was the end of the input.
    unwatched: bool,
}

struct Building<'p> {
    function: FunctionId,
    machine: Module,
    points: HashMap<Rc<Point>, StateId>,
    /// How many valuations each place has.
    crowd: HashMap<(BlockId, usize), usize>,
    exits: Vec<Exit>,
    waiting: Vec<Waiting<'p>>,
}

struct Explorer<'m, 'p, 's, 'a> {
    model: &'m Model<'p>,
    slice: &'m Slice<'p>,
    live: &'m Live,
    setting: &'s mut Setting<'a>,
    modules: Vec<Building<'p>>,
    contexts: HashMap<(FunctionId, Valuation), usize>,
    contexts_of: HashMap<FunctionId, usize>,
    open: VecDeque<(usize, StateId, Rc<Point>)>,
    tags: Vec<Tag>,
    tag_of: HashMap<(FunctionId, StmtId, Option<KindId>), u32>,
    /// The constants that each call was seen to write.
    constants: HashMap<(FunctionId, StmtId), BTreeSet<i128>>,
    states: usize,
    edges: usize,
    known: usize,
    written: BTreeMap<KindId, BTreeSet<i128>>,
    notes: BTreeSet<(Spot, String)>,
    obstacles: BTreeSet<(Spot, String)>,
    fields: BTreeSet<CellId>,
    sites: BTreeSet<usize>,
    /// Loops whose rounds are marked, and functions whose calls are.
    separated: (HashSet<(FunctionId, StmtId)>, HashSet<FunctionId>),
    /// Cells that count rounds of unrolled loops.
    counters: BTreeSet<CellId>,
}

impl<'m, 'p, 's, 'a> Explorer<'m, 'p, 's, 'a> {
    fn new(model: &'m Model<'p>, slice: &'m Slice<'p>, live: &'m Live, setting: &'s mut Setting<'a>) -> Self {
        let separated = match setting.separator {
            Some(_) => super::packets::separated(model, slice),
            None => Default::default(),
        };
        let mut counters = BTreeSet::new();
        for (function, stmt) in slice.steps.keys() {
            let body = &model.functions[function];
            let Some(block) = body.cfg.block_of(*stmt) else { continue };
            let found = body.cfg.blocks[block].stmts.iter().find(|s| s.id == *stmt);
            if let Some(Stmt { kind: StmtKind::Assign { target, .. }, .. }) = found
                && let Place::Cell(cell) = model.cells.place(model.program, *function, target)
            {
                counters.insert(cell);
            }
        }
        Explorer {
            model,
            slice,
            live,
            setting,
            modules: Vec::new(),
            contexts: HashMap::new(),
            contexts_of: HashMap::new(),
            open: VecDeque::new(),
            tags: Vec::new(),
            tag_of: HashMap::new(),
            constants: HashMap::new(),
            states: 0,
            edges: 0,
            known: 0,
            written: BTreeMap::new(),
            notes: model.notes.clone(),
            obstacles: BTreeSet::new(),
            fields: BTreeSet::new(),
            sites: BTreeSet::new(),
            separated,
            counters,
        }
    }

    fn evaluator(&self, function: FunctionId) -> Evaluator<'m, 'p> {
        Evaluator { model: self.model, slice: self.slice, function }
    }

    fn run(&mut self) -> Result<(), Overflow> {
        self.setting.deadline.progress.count("states", None);
        let start = self.initial();
        self.module(self.model.entry, start)?;
        while let Some((module, state, point)) = self.open.pop_front() {
            if self.setting.deadline.is_cancelled() {
                let why = format!("the time was over before the {} was looked through", self.model.role.name());
                self.obstacles.insert((Spot(Span::NONE), why));
                break;
            }
            self.step(module, state, &point)?;
            self.setting.deadline.progress.add(1);
        }
        Ok(())
    }

    /// What is known when the program starts: globals have their initial values.
    fn initial(&self) -> Valuation {
        let mut at = Valuation::default();
        let program = self.model.program;
        for cell in self.model.cells.ids().filter(|cell| self.slice.follows(*cell)) {
            let found = self.model.cells.get(cell);
            let Root::Global(id) = found.root else { continue };
            // Who starts in the middle finds globals as somebody left them.
            if self.model.name(self.model.entry) != "main" {
                break;
            }
            let Some(init) = &program.globals[id].init else { continue };
            let evaluator = self.evaluator(self.model.entry);
            // Bytes of strings are not looked at.
            let covers = |item: &&ir::InitItem| match &item.value {
                ir::InitValue::Expr(_) => item.offset == found.offset,
                ir::InitValue::Bytes(bytes) => (item.offset..item.offset + bytes.len() as u64).contains(&found.offset),
            };
            let value = init.items.iter().rfind(covers).map_or(Value::int(0), |item| match &item.value {
                ir::InitValue::Expr(value) => evaluator.value(&at, value),
                ir::InitValue::Bytes(_) => Value::Unknown,
            });
            at.set(cell, value);
        }
        at.set(self.model.cells.end(), Value::int(0));
        at.retain(|cell| self.slice.touched[&self.model.entry].contains(&cell));
        at
    }

    /// The module of a function that is called with these values.
    fn module(&mut self, function: FunctionId, at: Valuation) -> Result<usize, Overflow> {
        let start = BlockId::from_u32(0);
        let at = self.pruned(function, start, 0, at);
        if let Some(known) = self.contexts.get(&(function, at.clone())) {
            return Ok(*known);
        }
        let count = self.contexts_of.entry(function).or_default();
        *count += 1;
        if *count > self.setting.budget.modules {
            let entries: Vec<&Valuation> =
                self.contexts.keys().filter(|(other, _)| *other == function).map(|(_, at)| at).collect();
            return Err(self.most_varied(&entries));
        }
        let number = self.modules.len();
        let name = match *count {
            1 => self.model.name(function).to_string(),
            count => format!("{}#{count}", self.model.name(function)),
        };
        self.modules.push(Building {
            function,
            machine: Module::new(name),
            points: HashMap::new(),
            crowd: HashMap::new(),
            exits: Vec::new(),
            waiting: Vec::new(),
        });
        self.contexts.insert((function, at.clone()), number);
        let entry = StateId::new(0);
        let from = match self.setting.separator.filter(|_| self.separated.1.contains(&function)) {
            Some(separator) => {
                let between = self.modules[number].machine.add_state();
                self.modules[number].machine.add_edge(entry, between, Label::Emit(separator), u32::MAX);
                between
            }
            None => entry,
        };
        self.enter(number, from, start, at, None)?;
        Ok(number)
    }

    /// The variable with the most values, the first to be given up.
    fn most_varied(&self, all: &[&Valuation]) -> Overflow {
        let mut seen: BTreeMap<CellId, BTreeSet<Option<&Value>>> = BTreeMap::new();
        for at in all {
            for (cell, _) in at.iter() {
                seen.entry(*cell).or_default();
            }
        }
        for at in all {
            for (cell, values) in &mut seen {
                values.insert(at.get(*cell));
            }
        }
        let varied = || seen.iter().filter(|(cell, values)| values.len() > 1 && !self.counters.contains(cell));
        let mixed: Vec<CellId> =
            varied().map(|(cell, _)| *cell).filter(|cell| self.slice.mixed.contains(cell)).collect();
        if !mixed.is_empty() {
            return Overflow::Cells(mixed);
        }
        // A variable that gets only written constants is a state or a return code, and the last to go.
        match varied().max_by_key(|(cell, values)| {
            (!self.slice.literal.contains(cell), values.len(), std::cmp::Reverse(cell.index()))
        }) {
            Some((cell, _)) => Overflow::Cells(vec![*cell]),
            None => match seen.keys().find(|cell| self.counters.contains(cell)) {
                Some(cell) => Overflow::Cells(vec![*cell]),
                None => Overflow::States,
            },
        }
    }

    /// A valuation without what is not asked about any more.
    fn pruned(&self, function: FunctionId, block: BlockId, index: usize, mut at: Valuation) -> Valuation {
        at.retain(|cell| match self.model.cells.get(cell).root {
            // What was lent by its address is asked about by whoever owns it.
            Root::Local(owner, _) if owner != function => true,
            Root::Local(..) if self.model.cells.get(cell).addressed => true,
            _ => self.live.is_live(function, block, index, cell),
        });
        at
    }

    /// The state of a point, where only what is asked about later is known.
    fn arrive(&mut self, module: usize, mut point: Point) -> Result<StateId, Overflow> {
        point.at = self.pruned(self.modules[module].function, point.block, point.index, point.at);
        self.state(module, point)
    }

    /// Goes to a point without a message.
    fn pass(&mut self, module: usize, from: StateId, to: Point) -> Result<(), Overflow> {
        let to = self.arrive(module, to)?;
        self.silent(module, from, to);
        Ok(())
    }

    fn silent(&mut self, module: usize, from: StateId, to: StateId) {
        self.modules[module].machine.add_edge(from, to, Label::Silent, u32::MAX);
    }

    /// The state of a point, made and put on the list if it is new.
    fn state(&mut self, module: usize, point: Point) -> Result<StateId, Overflow> {
        if let Some(known) = self.modules[module].points.get(&point) {
            return Ok(*known);
        }
        self.states += 1;
        let place = (point.block, point.index);
        let crowd = self.modules[module].crowd.entry(place).or_default();
        *crowd += 1;
        let crowd = *crowd;
        if crowd > self.setting.budget.valuations && crowd.is_power_of_two() || crowd > self.setting.budget.rounds {
            self.thin_out(module, place)?;
        }
        self.known += point.at.len();
        self.edges += 1;
        let Budget { states, edges, known, .. } = self.setting.budget;
        if self.states > states || self.edges > edges || self.known > known {
            let all: Vec<&Valuation> = self.modules.iter().flat_map(|m| m.points.keys().map(|p| &p.at)).collect();
            return Err(self.most_varied(&all));
        }
        let building = &mut self.modules[module];
        let state = building.machine.add_state();
        let point = Rc::new(point);
        building.points.insert(point.clone(), state);
        self.open.push_back((module, state, point));
        Ok(state)
    }

    /// Complains if a place has too many valuations.
    fn thin_out(&self, module: usize, place: (BlockId, usize)) -> Result<(), Overflow> {
        let building = &self.modules[module];
        let here: Vec<&Valuation> =
            building.points.keys().filter(|p| (p.block, p.index) == place).map(|p| &p.at).collect();
        let without: HashSet<Valuation> = here
            .iter()
            .map(|at| {
                let mut at = (*at).clone();
                at.retain(|cell| !self.counters.contains(&cell));
                at
            })
            .collect();
        if without.len() > self.setting.budget.valuations {
            return Err(self.most_varied(&here));
        }
        if here.len() >= self.setting.budget.rounds {
            let function = building.function;
            let own = self.slice.steps.keys().filter(|(owner, _)| *owner == function);
            return Err(own.min().map_or(Overflow::States, |step| Overflow::Step(*step)));
        }
        Ok(())
    }

    /// Goes from a state to the start of a block.
    fn enter(
        &mut self,
        module: usize,
        from: StateId,
        block: BlockId,
        at: Valuation,
        round: Option<Symbol>,
    ) -> Result<(), Overflow> {
        let function = self.modules[module].function;
        let head = self.model.functions[&function].cfg.blocks[block].loop_head;
        let marked = head.filter(|head| self.separated.0.contains(&(function, *head))).filter(|head| {
            let looped = self.model.functions[&function].loops.iter().find(|(stmt, _)| stmt.id == *head);
            // A loop that asks first is marked where its condition leads into the body.
            looped.is_some_and(|(_, looped)| looped.kind == LoopKind::DoWhile || looped.cond.is_none())
        });
        let to = self.arrive(module, Point { block, index: 0, at })?;
        let label = match round.or(self.setting.separator.filter(|_| marked.is_some())) {
            Some(separator) => Label::Emit(separator),
            None => Label::Silent,
        };
        self.modules[module].machine.add_edge(from, to, label, u32::MAX);
        Ok(())
    }

    fn tag(&mut self, function: FunctionId, stmt: &Stmt, callee: &str, kind: Option<KindId>) -> u32 {
        let (tags, name) = (&mut self.tags, self.model.name(function));
        *self.tag_of.entry((function, stmt.id, kind)).or_insert_with(|| {
            tags.push(Tag { span: stmt.span, callee: callee.to_string(), function: name.to_string(), kind });
            tags.len() as u32 - 1
        })
    }

    /// Runs from a point to the next calls, branches or exits.
    fn step(&mut self, module: usize, state: StateId, point: &Point) -> Result<(), Overflow> {
        let function = self.modules[module].function;
        let model = self.model;
        let body = &model.functions[&function];
        let block = &body.cfg.blocks[point.block];
        let evaluator = self.evaluator(function);
        let mut at = point.at.clone();
        for (index, stmt) in block.stmts.iter().enumerate().skip(point.index) {
            if let StmtKind::Unordered(open) = &stmt.kind
                && self.is_about_what_matters(function, stmt)
            {
                let what = format!("the order of evaluation is open: {}", open.what);
                self.obstacles.insert((Spot(stmt.span), what));
            }
            if !self.slice.stmts.contains(&(function, stmt.id)) {
                continue;
            }
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    let mut ways = evaluator.assigned(&at, stmt, target, value);
                    for (at, value) in &mut ways {
                        self.assign(function, at, target, value.clone());
                    }
                    match ways.len() {
                        1 => at = ways.swap_remove(0).0,
                        _ => {
                            for (at, _) in ways {
                                self.pass(module, state, Point { block: point.block, index: index + 1, at })?;
                            }
                            return Ok(());
                        }
                    }
                }
                StmtKind::Zero(target) => {
                    let value = match model.program.types.is_scalar(target.ty) {
                        true => Value::int(0),
                        false => Value::Unknown,
                    };
                    self.assign(function, &mut at, target, value);
                    // The elements of an array are zero one by one, and the members of a record.
                    if let Place::Array(root) = model.cells.place(model.program, function, target)
                        && (target.path.is_empty() || matches!(root, Root::Record(_)))
                    {
                        for cell in model.cells.elements(root).into_iter().filter(|cell| self.slice.follows(*cell)) {
                            at.set(cell, Value::int(0));
                        }
                    }
                }
                StmtKind::Live(local) => {
                    for cell in model.cells.of_local(model.program, function, *local) {
                        at.set(cell, Value::Unknown);
                    }
                }
                StmtKind::Assert { cond, .. } | StmtKind::Assume(cond) => {
                    let mut ways = evaluator.assume(&at, cond, true);
                    match ways.len() {
                        0 => return Ok(()),
                        1 => at = ways.swap_remove(0),
                        // Several ways to be true: nothing is learned rather than everything told apart.
                        _ => {}
                    }
                }
                StmtKind::Call { callee, args, result } => {
                    let next = Point { block: point.block, index: index + 1, at };
                    let call = Calling { stmt, callee, args, result: result.as_ref() };
                    return self.call(module, state, next, call);
                }
                _ => {}
            }
        }
        self.leave(module, state, point.block, at)
    }

    /// Whether evaluations whose order is open do anything that matters: if not, every order has the same messages.
    fn is_about_what_matters(&self, function: FunctionId, open: &Stmt) -> bool {
        let body = &self.model.functions[&function];
        let meets =
            |span: Span| span.is_none() || open.span.is_none() || span.lo < open.span.hi && open.span.lo < span.hi;
        body.cfg.blocks.iter().any(|(block, contents)| {
            let asked = match &contents.terminator {
                _ if !self.slice.branches.contains(&(function, block)) => None,
                Terminator::Branch { cond, .. } => Some(cond.span),
                Terminator::Switch { value, .. } => Some(value.span),
                _ => None,
            };
            let done = contents.stmts.iter().filter(|stmt| self.slice.stmts.contains(&(function, stmt.id)));
            done.map(|stmt| stmt.span).chain(asked).any(meets)
        })
    }

    /// Follows the end of a block.
    fn leave(&mut self, module: usize, state: StateId, block: BlockId, at: Valuation) -> Result<(), Overflow> {
        let function = self.modules[module].function;
        let model = self.model;
        let body = &model.functions[&function];
        let evaluator = self.evaluator(function);
        let terminator = &body.cfg.blocks[block].terminator;
        let ways = &body.succs[block.as_u32() as usize];
        let branching = matches!(terminator, Terminator::Branch { .. } | Terminator::Switch { .. });
        // What is assumed may leave one way only; a loop whose rounds are marked is left to the code below.
        if branching
            && let [only] = ways[..]
            && self.setting.separator.is_none()
        {
            return self.enter(module, state, only, at, None);
        }
        if branching && ways.len() > 1 && !self.slice.branches.contains(&(function, block)) {
            return match body.meets[block.as_u32() as usize] {
                Some(meet) => self.enter(module, state, meet, at, None),
                None => self.exit(module, state, Value::Unknown, at),
            };
        }
        match terminator {
            Terminator::Goto(to) => self.enter(module, state, *to, at, None)?,
            Terminator::Branch { stmt, cond, then, otherwise } => {
                let marked = self.separated.0.contains(&(function, stmt.id)) && {
                    let looped = body.loops.iter().find(|(other, _)| other.id == stmt.id);
                    looped.is_some_and(|(_, looped)| looped.kind != LoopKind::DoWhile)
                };
                let round = self.setting.separator.filter(|_| marked);
                for at in evaluator.assume(&at, cond, true) {
                    self.enter(module, state, *then, at, round)?;
                }
                for at in evaluator.assume(&at, cond, false) {
                    self.enter(module, state, *otherwise, at, None)?;
                }
            }
            Terminator::Switch { value, arms, targets, default, .. } => {
                let known = evaluator.value(&at, value);
                let mut rest = vec![at];
                for (arm, target) in arms.iter().zip(targets) {
                    if let Some(now) = known.as_int() {
                        if arm.low <= now && now <= arm.high {
                            return self.enter(module, state, *target, rest.swap_remove(0), None);
                        }
                        continue;
                    }
                    let mut left = Vec::new();
                    for at in rest {
                        if arm.low == arm.high {
                            let taken = evaluator.told(&at, value, &Value::int(arm.low));
                            for at in taken {
                                self.enter(module, state, *target, at, None)?;
                            }
                            left.extend(evaluator.told(&at, value, &Value::Not(vec![arm.low])));
                        } else {
                            let range = Value::Range(Some(arm.low), Some(arm.high));
                            for at in evaluator.told(&at, value, &range) {
                                self.enter(module, state, *target, at, None)?;
                            }
                            left.push(at);
                        }
                    }
                    rest = left;
                }
                for at in rest {
                    self.enter(module, state, *default, at, None)?;
                }
            }
            Terminator::Return(stmt) => {
                let wanted = self.slice.results.contains(&function);
                match stmt.map(|stmt| &stmt.kind) {
                    Some(StmtKind::Return(Some(value))) if wanted => {
                        for (at, result) in evaluator.values(&at, value) {
                            self.exit(module, state, result, at)?;
                        }
                    }
                    // `main` without a return is a success.
                    _ if function == model.entry => self.exit(module, state, Value::int(0), at)?,
                    _ => self.exit(module, state, Value::Unknown, at)?,
                }
            }
            Terminator::Stop(Stop::NoReturn) => {}
            Terminator::Stop(Stop::Unsupported) => {
                for stmt in &body.cfg.blocks[block].stmts {
                    if let Some(what) = stmt.obstacle() {
                        self.obstacles.insert((Spot(stmt.span), format!("{what} cannot be followed")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores a value.
    fn assign(&mut self, function: FunctionId, at: &mut Valuation, target: &Lvalue, value: Value) {
        let model = self.model;
        let evaluator = self.evaluator(function);
        if let Some(cell) = evaluator.cell(at, target) {
            if self.slice.follows(cell) && !model.fixed.contains_key(&cell) {
                if model.cells.is_told(cell) && value != Value::Unknown {
                    self.fields.insert(cell);
                }
                at.set(cell, value);
            }
            return;
        }
        let place = model.cells.place(model.program, function, target);
        for cell in model.cells.designated(model.program, place) {
            at.set(cell, Value::Unknown);
        }
    }
}
