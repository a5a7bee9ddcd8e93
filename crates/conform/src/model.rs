//! One side as the inference sees it: the program, its control flow, and what each call means.

use super::callbacks;
use super::cells::{CellId, Cells, Place, Root};
use super::sites::{Does, Sites};
use super::streams::Streams;
use super::table::{Foreign, Io, Role, foreign};
use super::targets::Targets;
use super::value::{Constant, Value};
use diagnostics::Span;
use hashbrown::HashMap;
use ir::{
    Base, BlockId, CallGraph, Callee, Cfg, Expr, ExprKind, FunctionId, GlobalId, LogicalOp, Loop, Program, Stmt,
    StmtId, StmtKind, Terminator, UnaryOp, arith,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a call means for the messages.
#[derive(Clone, Debug)]
pub(super) enum Call {
    /// Input or output, by the number of the site.
    Site(usize),
    /// The program ends with the status that the first argument says.
    Exit,
    /// The program fails.
    Fails,
    /// One of these runs; or something that has no body, if the flag says so.
    Functions(Vec<Target>, bool),
    /// A function without a body: no message, any result.
    Library,
    /// One of these values is returned, and nothing else happens.
    Returns(Vec<i128>),
    /// The next read of a character finds one that was read already.
    PutBack,
    /// A call through a pointer that nothing is known about.
    Unresolved,
    /// A function without a body that may move something: the clause says why no verdict can be given.
    Foreign(String),
}

/// What a call can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A function with a body.
    Function(FunctionId),
    /// Input or output, reached through a pointer.
    Site(usize),
    /// A failure, reached through a pointer.
    Fails(FunctionId),
}

impl Target {
    pub fn function(self) -> Option<FunctionId> {
        if let Target::Function(id) = self { Some(id) } else { None }
    }
}

pub(super) struct Model<'p> {
    pub program: &'p Program,
    streams: Streams<'p>,
    pub role: Role,
    pub sites: &'p Sites,
    pub cells: Cells,
    pub graph: CallGraph,
    pub entry: FunctionId,
    /// The exit statuses of success.
    pub success: &'p [i128],
    /// Variables with one value throughout.
    pub fixed: BTreeMap<CellId, i128>,
    /// Globals that keep what they are initialised with: constants, and tables that nobody writes to.
    pub constant: BTreeSet<GlobalId>,
    pub functions: BTreeMap<FunctionId, Body<'p>>,
    /// Temporaries that hold the value of a variable from before a step: `n--` reads through one.
    pub copies: BTreeMap<CellId, CellId>,
    /// Variables that the user does not want followed.
    pub forgotten: BTreeSet<CellId>,
    /// What the calls may change whose functions have bodies that are not looked into.
    pub overwritten: BTreeMap<(FunctionId, StmtId), Overwritten>,
    /// What functions change whose bodies are not looked into.
    effects: BTreeMap<FunctionId, Overwritten>,
    /// What callers of the inference should know, with the place.
    pub notes: BTreeSet<(Spot, String)>,
}

/// The globals and fields that a call may change, with the values that they may have then; beside those, each may be
/// as it was. A variable that may be anything has the value [`Value::Unknown`] among others.
pub(super) type Overwritten = BTreeMap<CellId, BTreeSet<Value>>;

/// A span that orders notes by where they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot(pub Span);

impl Ord for Spot {
    fn cmp(&self, other: &Spot) -> std::cmp::Ordering {
        (self.0.lo, self.0.hi).cmp(&(other.0.lo, other.0.hi))
    }
}

impl PartialOrd for Spot {
    fn partial_cmp(&self, other: &Spot) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A function that the entry reaches.
pub(super) struct Body<'p> {
    pub cfg: Cfg<'p>,
    pub calls: HashMap<StmtId, Call>,
    pub loops: Vec<(&'p Stmt, &'p Loop)>,
    /// Where each block leads, without the ways that what is assumed closes; nothing for blocks that it cuts off.
    pub succs: Vec<Vec<BlockId>>,
    pub reachable: Vec<bool>,
    /// For each branching block, the blocks between it and where its ways meet again.
    pub regions: BTreeMap<BlockId, Vec<BlockId>>,
    /// Where the ways of a block meet again.
    pub meets: Vec<Option<BlockId>>,
    pub recursive: bool,
}

impl<'p> Model<'p> {
    pub fn new(program: &'p Program, role: Role, io: &'p Io, sites: &'p Sites) -> Result<Model<'p>, String> {
        let side = io.side(role);
        let entry = entry(program, side.entry.as_deref(), role)?;
        let graph = CallGraph::new(program);
        let targets = Targets::new(program, &graph);
        let cells = Cells::new(program, &graph, entry, sites, &io.one, side.assume.keys().cloned().collect());
        let mut fixed = BTreeMap::new();
        for (name, value) in &side.assume {
            let global = program.globals.iter().filter(|(_, g)| g.name == *name);
            let mut found: Vec<CellId> = global.filter_map(|(id, _)| cells.find(Root::Global(id), None)).collect();
            if name.contains('.') {
                found.extend(cells.ids().filter(|id| cells.get(*id).name == *name));
            }
            if found.is_empty() {
                return Err(format!(
                    "`{name}`, which is assumed to be {value} in the {}, is no global integer of it",
                    role.name()
                ));
            }
            fixed.extend(found.into_iter().map(|cell| (cell, *value)));
        }
        for (id, global) in program.globals.iter().filter(|(_, global)| global.is_const) {
            let items = global.init.as_ref().map_or(&[][..], |init| &init.items);
            if let (Some(cell), [ir::InitItem { value: ir::InitValue::Expr(value), .. }]) =
                (cells.find(Root::Global(id), None), items)
                && let ExprKind::Int(value) = super::cells::without_conversions(value).kind
            {
                fixed.insert(cell, value);
            }
        }
        let streams = Streams::new(program, &graph, role, entry, &side.success, sites);
        let mut model = Model {
            program,
            streams,
            role,
            sites,
            cells,
            graph,
            entry,
            success: &side.success,
            fixed,
            constant: constant(program),
            functions: BTreeMap::new(),
            copies: BTreeMap::new(),
            forgotten: BTreeSet::new(),
            overwritten: BTreeMap::new(),
            effects: BTreeMap::new(),
            notes: BTreeSet::new(),
        };
        let unwanted = |name: &str, is_field: bool| {
            let field = name.rsplit_once('.').map_or(name, |(_, field)| field);
            io.forget.iter().any(|pattern| {
                let (name, pattern) = match pattern.strip_prefix('.') {
                    Some(pattern) if is_field => (field, pattern),
                    Some(_) => return false,
                    None => (name, pattern.as_str()),
                };
                match pattern.strip_suffix('*') {
                    Some(start) => name.starts_with(start),
                    None => name == pattern,
                }
            })
        };
        let cells = model.cells.ids().filter(|cell| {
            let cell = model.cells.get(*cell);
            // A field of a record without a name has no dot in its own.
            unwanted(&cell.name, matches!(cell.root, Root::Record(_)) || cell.name.contains('.'))
        });
        model.forgotten = cells.collect();
        let mut open = vec![entry];
        while let Some(id) = open.pop() {
            if model.functions.contains_key(&id) {
                continue;
            }
            let body = model.body(id, io, &targets);
            for call in body.calls.values() {
                if let Call::Functions(targets, _) = call {
                    open.extend(targets.iter().filter_map(|target| target.function()));
                }
            }
            model.functions.insert(id, body);
        }
        model.find_copies();
        Ok(model)
    }

    fn find_copies(&mut self) {
        let mut spoiled = BTreeSet::new();
        for (id, body) in &self.functions {
            for stmt in body.cfg.blocks.values().flat_map(|block| &block.stmts) {
                let StmtKind::Assign { target, value } = &stmt.kind else { continue };
                let Some(to) = target.as_local() else { continue };
                if self.program.functions[*id].locals[to].kind != ir::LocalKind::Temporary {
                    continue;
                }
                let from = match &value.kind {
                    ExprKind::Load(from) => self.cells.place(self.program, *id, from),
                    _ => Place::Elsewhere,
                };
                let Some(to) = self.cells.find(Root::Local(*id, to), None) else { continue };
                match from {
                    Place::Cell(from) if self.copies.get(&to).is_none_or(|known| *known == from) => {
                        self.copies.insert(to, from);
                    }
                    _ => drop(spoiled.insert(to)),
                }
            }
        }
        self.copies.retain(|to, _| !spoiled.contains(to));
    }

    fn body(&mut self, id: FunctionId, io: &Io, targets: &Targets) -> Body<'p> {
        let program = self.program;
        let cfg = Cfg::new(program, id).expect("a function with a body should have a control-flow graph");
        let succs: Vec<Vec<BlockId>> = cfg.blocks.keys().map(|block| self.open_ways(&cfg, block)).collect();
        let mut reachable = vec![false; succs.len()];
        let mut open = vec![cfg.entry()];
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut reachable[block.as_u32() as usize], true) {
                open.extend(&succs[block.as_u32() as usize]);
            }
        }
        let mut calls = HashMap::new();
        let mut loops = Vec::new();
        for (block, contents) in cfg.blocks.iter().filter(|(block, _)| reachable[block.as_u32() as usize]) {
            for (index, stmt) in contents.stmts.iter().enumerate() {
                if let StmtKind::Call { callee, .. } = &stmt.kind
                    && let Some(call) = self.classify(id, stmt, callee, io, targets)
                {
                    let disturbed = self.told_nothing(callee, io) && !matches!(call, Call::Fails | Call::Returns(_));
                    let why =
                        disturbed.then(|| self.streams.disturbed(&self.graph, id, &cfg, (block, index))).flatten();
                    calls.insert(stmt.id, why.map_or(call, Call::Foreign));
                }
            }
        }
        let text = program.functions[id].body.as_ref().expect("a function with a body should have one");
        text.walk(&mut |stmt| {
            if let StmtKind::Loop(looped) = &stmt.kind {
                loops.push((stmt, &**looped));
            }
        });
        let meets = meets(&cfg, &succs, &reachable);
        let branching = cfg.blocks.keys().filter(|block| succs[block.as_u32() as usize].len() > 1);
        let regions = branching.map(|block| (block, region(&succs, block, meets[block.as_u32() as usize]))).collect();
        let recursive = self.graph.is_recursive(id);
        Body { cfg, calls, loops, succs, reachable, regions, meets, recursive }
    }

    /// Whether the built-in tables alone say what a call moves.
    fn told_nothing(&self, callee: &Callee, io: &Io) -> bool {
        let is_told = |id: &FunctionId| {
            let name = &self.program.functions[*id].name;
            [&io.writes, &io.reads].iter().any(|table| table.contains_key(name)) || io.returns.contains_key(name)
        };
        io.builtin && io.side(self.role).sites.is_none() && !matches!(callee, Callee::Function(id) if is_told(id))
    }

    /// What a function and what it calls may change of globals and fields.
    fn overwritten_by(&self, id: FunctionId) -> Overwritten {
        let program = self.program;
        let mut written = Overwritten::new();
        let mut add = |cell: CellId, value: Value| {
            written.entry(cell).or_default().insert(value);
        };
        for id in self.graph.reachable(id) {
            let Some(text) = &program.functions[id].body else { continue };
            text.walk(&mut |stmt| {
                let (target, value) = match &stmt.kind {
                    StmtKind::Assign { target, value } => (Some(target), self.constant_value(value)),
                    StmtKind::Zero(target) if program.types.is_scalar(target.ty) => (Some(target), Value::int(0)),
                    StmtKind::Zero(target) => (Some(target), Value::Unknown),
                    StmtKind::Call { result, args, callee } => {
                        // What a function with a body stores is seen where it does.
                        let seen = matches!(callee, Callee::Function(id) if program.functions[*id].body.is_some());
                        let handed = args.iter().filter(|_| !seen).flat_map(|arg| self.cells.handed(program, id, arg));
                        handed.for_each(|cell| add(cell, Value::Unknown));
                        (result.as_ref(), Value::Unknown)
                    }
                    StmtKind::Live(local) => {
                        let made = self.cells.of_local(program, id, *local);
                        made.into_iter().for_each(|cell| add(cell, Value::Unknown));
                        (None, Value::Unknown)
                    }
                    _ => (None, Value::Unknown),
                };
                let Some(target) = target else { return };
                match self.cells.place(program, id, target) {
                    Place::Cell(cell) => add(cell, value),
                    place => {
                        let changed = self.cells.designated(program, place);
                        changed.into_iter().for_each(|cell| add(cell, Value::Unknown));
                    }
                }
            });
        }
        written.retain(|cell, _| !matches!(self.cells.get(*cell).root, Root::Local(..)));
        written
    }

    /// A constant as it is written.
    fn constant_value(&self, expr: &Expr) -> Value {
        match (&super::cells::without_conversions(expr).kind, self.assumed(expr)) {
            (ExprKind::Function(id), _) => Value::Is(Constant::Function(*id)),
            (ExprKind::Int(_), Some(value)) => Value::int(value),
            _ => Value::Unknown,
        }
    }

    /// Notes what a call changes of which the bodies are not looked into.
    fn note_overwritten(&mut self, function: FunctionId, stmt: &Stmt, called: &[FunctionId]) {
        let mut all = Overwritten::new();
        for id in called.iter().filter(|id| self.program.functions[**id].body.is_some()) {
            let known = self.effects.get(id).cloned();
            let effect = known.unwrap_or_else(|| self.overwritten_by(*id));
            self.effects.insert(*id, effect.clone());
            for (cell, values) in effect {
                all.entry(cell).or_default().extend(values);
            }
        }
        if !all.is_empty() {
            self.overwritten.insert((function, stmt.id), all);
        }
    }

    /// Where a block leads, as far as what is assumed leaves it open.
    fn open_ways(&self, cfg: &Cfg, block: BlockId) -> Vec<BlockId> {
        match &cfg.blocks[block].terminator {
            Terminator::Branch { cond, then, otherwise, .. } => match self.assumed(cond) {
                Some(0) => vec![*otherwise],
                Some(_) => vec![*then],
                None => cfg.succs(block),
            },
            _ => cfg.succs(block),
        }
    }

    /// The value of an expression that depends on nothing but what is assumed.
    fn assumed(&self, expr: &Expr) -> Option<i128> {
        let kind = |ty| self.program.types.int_kind(ty);
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Load(lvalue) => match (&lvalue.base, &lvalue.path[..]) {
                (Base::Global(id), []) => self.fixed.get(&self.cells.find(Root::Global(*id), None)?).copied(),
                _ => None,
            },
            ExprKind::Convert { value, .. } => Some(kind(expr.ty)?.wrap(self.assumed(value)?)),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(i128::from(self.assumed(inner)? == 0)),
            ExprKind::Logical(op, a, b) => match (op, self.assumed(a), self.assumed(b)) {
                (LogicalOp::And, Some(0), _) | (LogicalOp::And, _, Some(0)) => Some(0),
                (LogicalOp::Or, Some(a), _) if a != 0 => Some(1),
                (LogicalOp::Or, _, Some(b)) if b != 0 => Some(1),
                // Neither operand decided it alone.
                (_, Some(_), Some(_)) => Some((*op == LogicalOp::And).into()),
                _ => None,
            },
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.assumed(left)?, self.assumed(right)?);
                arith::binary(*op, kind(left.ty)?, a, kind(right.ty)?, b).ok()
            }
            _ => None,
        }
    }

    fn classify(
        &mut self,
        function: FunctionId,
        stmt: &Stmt,
        callee: &Callee,
        io: &Io,
        targets: &Targets,
    ) -> Option<Call> {
        let program = self.program;
        let named = match callee {
            Callee::Intrinsic(_) => return None,
            Callee::Function(id) => vec![*id],
            Callee::Pointer(pointer) => targets.of(program, &self.graph, function, pointer),
        };
        if let Some(site) = self.sites.find(function, stmt.id) {
            self.note_overwritten(function, stmt, &named);
            match self.sites.all[site].does {
                Does::Nothing => return Some(Call::Library),
                Does::Fails => return Some(Call::Fails),
                Does::Moves(_) | Does::Untold(_) => return Some(Call::Site(site)),
            }
        }
        if named.is_empty() {
            self.notes.insert((Spot(stmt.span), "a call through a pointer that no function is known for".to_string()));
            return Some(Call::Unresolved);
        }
        if let [only] = named[..] {
            let called = &program.functions[only];
            if let Some(values) = io.returns.get(&called.name) {
                self.note_overwritten(function, stmt, &named);
                return Some(Call::Returns(values.clone()));
            }
            if called.body.is_none() {
                return Some(self.bodiless(only, stmt, io));
            }
        }
        let mut reached = Vec::new();
        let mut unseen = Vec::new();
        let mut library = false;
        for target in named {
            let site = self.sites.find_target(function, stmt.id, target);
            match site.map(|site| (&self.sites.all[site].does, site)) {
                Some((Does::Moves(_) | Does::Untold(_), site)) => {
                    reached.push(Target::Site(site));
                    unseen.push(target);
                }
                Some((Does::Fails, _)) => reached.push(Target::Fails(target)),
                _ if program.functions[target].body.is_some() => reached.push(Target::Function(target)),
                Some((Does::Nothing, _)) => library = true,
                None if io.returns.contains_key(&program.functions[target].name) => library = true,
                None => match self.bodiless(target, stmt, io) {
                    Call::Library => library = true,
                    Call::Fails => reached.push(Target::Fails(target)),
                    Call::Foreign(why) => return Some(Call::Foreign(why)),
                    _ => {
                        let name = &program.functions[target].name;
                        return Some(Call::Foreign(format!("`{name}` may be called through a pointer here")));
                    }
                },
            }
        }
        self.note_overwritten(function, stmt, &unseen);
        Some(if reached.is_empty() { Call::Library } else { Call::Functions(reached, library) })
    }

    /// What a call of a function without a body means.
    fn bodiless(&mut self, id: FunctionId, stmt: &Stmt, io: &Io) -> Call {
        let called = &self.program.functions[id];
        let call = library(&called.name, called.noreturn);
        let StmtKind::Call { args, .. } = &stmt.kind else { return call };
        match self.called_back(id, args, io).or_else(|| self.foreign(id, io)) {
            Some(why) if matches!(call, Call::Library) => Call::Foreign(why),
            _ => call,
        }
    }

    /// Why what a function without a body calls leaves the messages open; nothing if it does not. What is called there
    /// changes is not followed.
    fn called_back(&mut self, id: FunctionId, args: &[Expr], io: &Io) -> Option<String> {
        let program = self.program;
        let name = &program.functions[id].name;
        let given = callbacks::given(program, &self.graph, args);
        if given.is_empty() {
            return None;
        }
        let moves = |site: &super::Site| matches!(site.does, Does::Moves(_) | Does::Untold(_));
        let moving: BTreeSet<FunctionId> =
            self.sites.all.iter().filter(|site| moves(site)).map(|site| site.function).collect();
        if given.iter().any(|back| self.graph.reachable(*back).iter().any(|reached| moving.contains(reached))) {
            let verb = self.role.verb();
            return Some(format!("`{name}` may call a function that {verb}, which is not followed"));
        }
        if callbacks::may_end(program, &self.graph, &given, self.success, &io.fails) {
            return Some(format!("`{name}` may call a function that ends the program, which is not followed"));
        }
        for back in given {
            let changed = self.overwritten_by(back);
            self.forgotten.extend(changed.into_keys());
        }
        None
    }

    /// Why a call of a function without a body leaves the messages open; nothing if it moves none. Where the user says
    /// what reads and writes, nothing else does.
    fn foreign(&self, id: FunctionId, io: &Io) -> Option<String> {
        let name = &self.program.functions[id].name;
        if !io.builtin || io.side(self.role).sites.is_some() {
            return None;
        }
        let verb = self.role.verb();
        let table = if self.role == Role::Producer { "writes" } else { "reads" };
        match foreign(self.role, name) {
            Foreign::Quiet => None,
            Foreign::Moves => Some(format!("what `{name}` {verb} is not known; [{table}] of the io file can say it")),
            Foreign::Disturbs => Some(format!("what `{name}` does to the stream is not followed")),
            Foreign::Stranger => Some(format!(
                "`{name}` has no body here, and what it {verb} is not known; [returns] {name} = [] in the io file says \
                 that it is nothing"
            )),
        }
    }

    pub fn name(&self, id: FunctionId) -> &'p str {
        &self.program.functions[id].name
    }

    /// `file:line` of a span.
    pub fn place(&self, span: Span) -> String {
        place(self.program, span)
    }
}

fn library(name: &str, noreturn: bool) -> Call {
    match name {
        "exit" | "_exit" | "_Exit" | "quick_exit" => Call::Exit,
        "err" | "errx" | "verr" | "verrx" => Call::Exit,
        "ungetc" => Call::PutBack,
        "abort"
        | "__assert_fail"
        | "__assert_perror_fail"
        | "__assert"
        | "__assert_rtn"
        | "__chk_fail"
        | "__fortify_fail"
        | "__stack_chk_fail"
        | "__builtin_abort"
        | "__builtin_trap"
        | "__builtin_unreachable" => Call::Fails,
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "setjmp" | "_setjmp" | "sigsetjmp"
        | "__sigsetjmp" => Call::Foreign(format!("where `{name}` goes on is not followed")),
        _ if noreturn => Call::Foreign(format!(
            "`{name}` has no body here and does not return, and whether the program ends well there is not known; \
             fail = [\"{name}\"] in the io file says that it does not"
        )),
        _ => Call::Library,
    }
}

/// `file:line` of a span.
pub(super) fn place(program: &Program, span: Span) -> String {
    match program.sources.used(span) {
        Some(region) => format!("{}:{}", program.sources.file(region.start.file).path, region.start.line),
        None => "?".to_string(),
    }
}

/// The globals with an initialiser that nobody assigns to or takes the address of.
fn constant(program: &Program) -> BTreeSet<GlobalId> {
    let kept = |(_, global): &(GlobalId, &ir::Global)| global.init.is_some() && !global.is_volatile;
    let mut found: BTreeSet<GlobalId> = program.globals.iter().filter(kept).map(|(id, _)| id).collect();
    let plain: BTreeSet<GlobalId> = found
        .iter()
        .copied()
        .filter(|id| !program.globals[*id].is_const && program.globals[*id].kind != ir::GlobalKind::StringLiteral)
        .collect();
    let mut lose = |lvalue: &ir::Lvalue| {
        if let Base::Global(id) = lvalue.base
            && plain.contains(&id)
        {
            found.remove(&id);
        }
    };
    let addressed = |expr: &Expr, lose: &mut dyn FnMut(&ir::Lvalue)| {
        expr.walk(&mut |part| {
            if let ExprKind::AddressOf(lvalue) = &part.kind {
                lose(lvalue);
            }
        });
    };
    for global in program.globals.values() {
        for item in global.init.iter().flat_map(|init| &init.items) {
            if let ir::InitValue::Expr(value) = &item.value {
                addressed(value, &mut lose);
            }
        }
    }
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            stmt.exprs().into_iter().for_each(|expr| addressed(expr, &mut lose));
            match &stmt.kind {
                StmtKind::Assign { target, .. }
                | StmtKind::Zero(target)
                | StmtKind::Call { result: Some(target), .. } => lose(target),
                _ => {}
            }
        });
    }
    found
}

fn entry(program: &Program, asked: Option<&str>, role: Role) -> Result<FunctionId, String> {
    let name = asked.unwrap_or("main");
    program.find_function(name).filter(|id| program.functions[*id].body.is_some()).ok_or_else(|| {
        format!(
            "the {} has no function `{name}` to start with; `entry` in [{}] names another",
            role.name(),
            role.name()
        )
    })
}

/// The blocks that are reached from `from` without passing `deadline`.
fn region(succs: &[Vec<BlockId>], from: BlockId, deadline: Option<BlockId>) -> Vec<BlockId> {
    let mut seen = BTreeSet::new();
    let mut open = succs[from.as_u32() as usize].clone();
    while let Some(block) = open.pop() {
        if Some(block) != deadline && seen.insert(block) {
            open.extend(&succs[block.as_u32() as usize]);
        }
    }
    seen.into_iter().collect()
}

/// The closest block that every way from a block to an exit passes; nothing if the ways end apart.
fn meets(cfg: &Cfg, succs: &[Vec<BlockId>], reachable: &[bool]) -> Vec<Option<BlockId>> {
    let exit = succs.len();
    let mut reversed: Vec<Vec<u32>> = vec![Vec::new(); exit + 1];
    for block in cfg.blocks.keys().filter(|block| reachable[block.as_u32() as usize]) {
        let from = block.as_u32();
        succs[from as usize].iter().for_each(|to| reversed[to.as_u32() as usize].push(from));
        if succs[from as usize].is_empty() {
            reversed[exit].push(from);
        }
    }
    let above = ir::immediate_dominators(&reversed, exit as u32);
    let block = |number: u32| (number != exit as u32).then(|| BlockId::from_u32(number));
    above[..exit].iter().map(|number| number.and_then(block)).collect()
}
