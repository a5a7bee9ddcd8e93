//! The program as one graph: calls that can be followed are replaced by the body of what they call.
//!
//! Each followed call gets a frame of its own, so that the variables of two calls of one function are different
//! objects. A node is a run of statements of one frame; an edge is a jump, a call or a return. *Cut nodes* start where
//! the state of the program is of interest: at the entry, at the heads of loops, at trace points.
//!
//! A recursive function is laid out once, in a frame that stands for any one of its activations. A call of it leads to
//! the entry of that layout, which is a cut node, and past the call, where only what holds of its results is known
//! ([`Exit::Call`]).
//!
//! *Invariant*: every cycle passes through a cut node: those of a function's own graph through the entry of a loop, the
//! others through the entry of a recursive function.
//!
//! *Guarantee*: every run is a path, if what a call that is not followed into does counts as one step, and what happens
//! inside a recursive call is a path to there. *Cost*: bounded by [`NODE_LIMIT`] nodes; calls beyond it, or deeper than
//! [`DEPTH_LIMIT`], are not followed.

use diagnostics::Span;
use ir::{
    Arm, BlockId, CallGraph, Callee, Cfg, EntityRef, Expr, ExprKind, FunctionId, Loops, Lvalue, Stmt, StmtId, StmtKind,
    Terminator, TracePoint,
};
use std::collections::{BTreeSet, HashMap};
use symex::library::Effect;
use symex::{Flow, FrameId, ObjectId, Objects};

pub const NODE_LIMIT: usize = 20_000;
pub const DEPTH_LIMIT: usize = 24;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// Why a node is one where the state is of interest.
#[derive(Clone, Debug)]
pub struct Mark<'p> {
    /// The loop whose iterations start here, or the place where an irreducible one is entered.
    pub head: Option<Span>,
    pub trace: Option<&'p TracePoint>,
    /// The recursive function of which activations start here.
    pub called: Option<FunctionId>,
    pub span: Span,
    /// The statement whose scope counts.
    pub scope: Option<StmtId>,
}

impl Mark<'_> {
    const PLAIN: Mark<'static> = Mark { head: None, trace: None, called: None, span: Span::NONE, scope: None };
}

#[derive(Clone, Copy, Debug)]
pub enum Item<'p> {
    /// A statement that stays as it is; a call among them is not followed.
    Stmt(&'p Stmt),
    /// A followed call: the parameters are bound.
    Enter { stmt: &'p Stmt, callee: FrameId, args: &'p [Expr] },
    /// The result of the entry, of which only matters that computing it is defined.
    Result(&'p Expr),
    /// The end of a followed call: the result goes to the caller.
    Leave { value: Option<&'p Expr>, caller: FrameId, result: Option<&'p Lvalue> },
}

#[derive(Clone, Debug)]
pub enum Exit<'p> {
    Goto(NodeId),
    Branch {
        cond: &'p Expr,
        then: NodeId,
        otherwise: NodeId,
    },
    Switch {
        value: &'p Expr,
        arms: &'p [Arm],
        targets: Vec<NodeId>,
        default: NodeId,
    },
    /// A call of a recursive function: its activation starts at `entry`, in the frame `callee`, and the caller goes on
    /// at `after`.
    Call {
        stmt: &'p Stmt,
        callee: FrameId,
        entry: NodeId,
        after: NodeId,
    },
    End,
}

impl Exit<'_> {
    /// Where control may go, in the order of the text; two ways may lead to one node.
    pub fn targets(&self) -> Vec<NodeId> {
        match self {
            Exit::Goto(to) => vec![*to],
            Exit::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Exit::Switch { targets, default, .. } => targets.iter().copied().chain([*default]).collect(),
            Exit::Call { entry, after, .. } => vec![*entry, *after],
            Exit::End => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Node<'p> {
    pub frame: FrameId,
    pub mark: Option<Mark<'p>>,
    pub items: Vec<Item<'p>>,
    pub exit: Exit<'p>,
}

pub struct Graph<'p> {
    /// The entry is number 0.
    pub nodes: Vec<Node<'p>>,
    /// For each frame, the one that made it.
    pub parents: Vec<Option<FrameId>>,
    pub flows: Vec<Flow<'p>>,
    /// Calls that are not followed, with the functions whose bodies they may run.
    pub opaque: HashMap<(FrameId, StmtId), Vec<FunctionId>>,
    /// Some call goes through a pointer that may lead to a function of another unit.
    pub calls_outside: bool,
    /// A position for each node such that edges lead to larger ones, those into cut nodes aside.
    pub order: Vec<u32>,
}

/// Where control goes when the function returns.
#[derive(Clone, Copy)]
struct Return<'p> {
    to: NodeId,
    caller: FrameId,
    result: Option<&'p Lvalue>,
}

struct Builder<'a, 'p> {
    objects: &'a mut Objects<'p>,
    calls: &'a CallGraph,
    nodes: Vec<Node<'p>>,
    parents: Vec<Option<FrameId>>,
    flows: Vec<Flow<'p>>,
    opaque: HashMap<(FrameId, StmtId), Vec<FunctionId>>,
    serial: HashMap<FunctionId, u32>,
    /// The layouts of recursive functions: their frames and entries.
    recursive: HashMap<FunctionId, (FrameId, NodeId)>,
    /// Those that are not laid out yet.
    promised: Vec<FunctionId>,
    /// Pointers to functions may come from other units.
    open: bool,
    calls_outside: bool,
}

impl<'p> Graph<'p> {
    /// The graph of everything that a run from `entry` does. `objects` gets the frames.
    pub fn new(objects: &mut Objects<'p>, calls: &CallGraph, entry: FunctionId) -> Graph<'p> {
        let program = objects.program;
        let mut builder = Builder {
            objects,
            calls,
            nodes: Vec::new(),
            parents: Vec::new(),
            flows: Vec::new(),
            opaque: HashMap::new(),
            serial: HashMap::new(),
            recursive: HashMap::new(),
            promised: Vec::new(),
            open: !ir::starts_program(program, entry) || meets_foreign_code(program, calls, entry),
            calls_outside: false,
        };
        let frame = builder.frame(entry, None);
        let start = builder.node(frame);
        for &param in &builder.objects.program.functions[entry].params {
            builder.flows.push(Flow::UnknownParam { frame, param });
        }
        builder.nodes[start.0 as usize].mark = Some(Mark::PLAIN);
        let first = builder.function(entry, frame, None, 0);
        builder.nodes[start.0 as usize].exit = Exit::Goto(first);
        builder.keep_promises();
        let Builder { nodes, parents, flows, opaque, calls_outside, .. } = builder;
        let mut graph = Graph { nodes, parents, flows, opaque, calls_outside, order: Vec::new() };
        graph.join_marks();
        graph.order = graph.topological();
        graph
    }

    pub fn node(&self, id: NodeId) -> &Node<'p> {
        &self.nodes[id.0 as usize]
    }

    /// The frame and those it was called from.
    pub fn chain(&self, frame: FrameId) -> Vec<FrameId> {
        let mut chain = vec![frame];
        while let Some(parent) = chain.last().and_then(|last| self.parents[last.0 as usize]) {
            chain.push(parent);
        }
        chain
    }

    /// The bodies that some call may run without being followed.
    pub fn unfollowed(&self) -> BTreeSet<FunctionId> {
        self.opaque.values().flatten().copied().collect()
    }

    fn successors(&self, node: NodeId) -> Vec<NodeId> {
        self.node(node).exit.targets()
    }

    /// A loop head that does nothing but lead on to a trace point is one cut with it: `while (1) { vtrace1(x); …`.
    fn join_marks(&mut self) {
        let mut entered = vec![0u32; self.nodes.len()];
        for node in (0..self.nodes.len() as u32).map(NodeId) {
            for to in self.successors(node) {
                entered[to.0 as usize] += 1;
            }
        }
        for id in 0..self.nodes.len() {
            let node = &self.nodes[id];
            let Some(mark) = node.mark.as_ref().filter(|mark| mark.head.is_some() && mark.trace.is_none()) else {
                continue;
            };
            let head = mark.head;
            let to = match &node.exit {
                Exit::Goto(to) => *to,
                Exit::Branch { cond, then, .. } if matches!(cond.kind, ExprKind::Int(value) if value != 0) => *then,
                _ => continue,
            };
            let follower = &self.nodes[to.0 as usize];
            let is_trace = follower.mark.as_ref().is_some_and(|mark| mark.trace.is_some() && mark.head.is_none());
            if !node.items.is_empty() || entered[to.0 as usize] != 1 || follower.frame != node.frame || !is_trace {
                continue;
            }
            let mut mark = self.nodes[to.0 as usize].mark.take();
            if let Some(mark) = &mut mark {
                mark.head = head;
            }
            self.nodes[id].mark = mark;
            self.nodes[id].exit = Exit::Goto(to);
        }
    }

    fn topological(&self) -> Vec<u32> {
        let mut finished: Vec<NodeId> = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        let inner = |node: NodeId| -> Vec<NodeId> {
            self.successors(node).into_iter().filter(|to| self.node(*to).mark.is_none()).collect()
        };
        for root in (0..self.nodes.len() as u32).map(NodeId) {
            if seen[root.0 as usize] {
                continue;
            }
            seen[root.0 as usize] = true;
            let mut open = vec![(root, inner(root))];
            while let Some((node, rest)) = open.last_mut() {
                match rest.pop() {
                    Some(next) if !seen[next.0 as usize] => {
                        seen[next.0 as usize] = true;
                        let more = inner(next);
                        open.push((next, more));
                    }
                    Some(_) => {}
                    None => {
                        finished.push(*node);
                        open.pop();
                    }
                }
            }
        }
        let mut order = vec![0; self.nodes.len()];
        for (position, node) in (0u32..).zip(finished.iter().rev()) {
            order[node.0 as usize] = position;
        }
        order
    }
}

impl<'p> Builder<'_, 'p> {
    fn frame(&mut self, function: FunctionId, parent: Option<FrameId>) -> FrameId {
        let prefix = match parent {
            None => String::new(),
            Some(_) => {
                let serial = self.serial.entry(function).or_insert(0);
                *serial += 1;
                let name = &self.objects.program.functions[function].name;
                if *serial == 1 { name.clone() } else { format!("{name}#{serial}") }
            }
        };
        self.parents.push(parent);
        self.objects.add_frame(function, &prefix)
    }

    fn node(&mut self, frame: FrameId) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { frame, mark: None, items: Vec::new(), exit: Exit::End });
        id
    }

    fn at(&mut self, node: NodeId) -> &mut Node<'p> {
        &mut self.nodes[node.0 as usize]
    }

    /// Lays out the body of a function and gives its first node.
    fn function(&mut self, function: FunctionId, frame: FrameId, back: Option<Return<'p>>, depth: usize) -> NodeId {
        let program = self.objects.program;
        let Some(cfg) = Cfg::new(program, function) else { return self.node(frame) };
        let loops = Loops::new(&cfg);
        let starts: Vec<NodeId> = cfg.blocks.keys().map(|_| self.node(frame)).collect();
        let start = |block: BlockId| starts[block.index()];
        let mut spans = HashMap::new();
        if let Some(body) = &program.functions[function].body {
            body.walk(&mut |stmt| {
                spans.insert(stmt.id, stmt.span);
            });
        }
        for node in loops.loops.values() {
            for &head in &node.entries {
                let block = &cfg.blocks[head];
                let first = block.stmts.first().copied().or(block.terminator.stmt());
                let scope = block.loop_head.or(first.map(|stmt| stmt.id));
                let span = scope.and_then(|stmt| spans.get(&stmt).copied()).unwrap_or(Span::NONE);
                self.at(start(head)).mark = Some(Mark { head: Some(span), trace: None, called: None, span, scope });
            }
        }
        for (id, block) in &cfg.blocks {
            let mut current = start(id);
            for &stmt in &block.stmts {
                current = self.stmt(stmt, frame, current, depth);
            }
            let exit = match &block.terminator {
                Terminator::Goto(to) => Exit::Goto(start(*to)),
                Terminator::Branch { cond, then, otherwise, .. } => {
                    Exit::Branch { cond, then: start(*then), otherwise: start(*otherwise) }
                }
                Terminator::Switch { value, arms, targets, default, .. } => Exit::Switch {
                    value,
                    arms,
                    targets: targets.iter().map(|to| start(*to)).collect(),
                    default: start(*default),
                },
                Terminator::Return(stmt) => {
                    let value = match stmt.map(|stmt| &stmt.kind) {
                        Some(StmtKind::Return(value)) => value.as_ref(),
                        _ => None,
                    };
                    self.leave(frame, current, value, back)
                }
                Terminator::Stop(_) => Exit::End,
            };
            self.at(current).exit = exit;
        }
        start(cfg.entry())
    }

    /// Ends a node with a return.
    fn leave(&mut self, frame: FrameId, node: NodeId, value: Option<&'p Expr>, back: Option<Return<'p>>) -> Exit<'p> {
        let Some(back) = back else {
            self.at(node).items.extend(value.map(Item::Result));
            return Exit::End;
        };
        self.at(node).items.push(Item::Leave { value, caller: back.caller, result: back.result });
        if let Some(target) = back.result {
            self.flows.push(match value {
                Some(value) => Flow::Assign { target: (back.caller, target), value: (frame, value) },
                None => Flow::Unknown { target: (back.caller, target) },
            });
        }
        Exit::Goto(back.to)
    }

    /// Lays out one statement at the end of a node and gives the node that goes on.
    fn stmt(&mut self, stmt: &'p Stmt, frame: FrameId, current: NodeId, depth: usize) -> NodeId {
        match &stmt.kind {
            StmtKind::Trace(point) => {
                let here = self.at(current);
                let fits = here.items.is_empty() && here.mark.as_ref().is_none_or(|mark| mark.trace.is_none());
                let node = if fits { current } else { self.node(frame) };
                if node != current {
                    self.at(current).exit = Exit::Goto(node);
                }
                let mark = self.at(node).mark.get_or_insert(Mark::PLAIN);
                mark.trace = Some(point);
                mark.span = stmt.span;
                mark.scope = Some(stmt.id);
                node
            }
            StmtKind::Call { result, callee, args } => match self.followed(callee, args, depth) {
                Some(function) => {
                    let inner = self.frame(function, Some(frame));
                    let params = &self.objects.program.functions[function].params;
                    for (position, &param) in params.iter().enumerate() {
                        self.flows.push(match args.get(position) {
                            Some(value) => Flow::Bind { frame: inner, param, value: (frame, value) },
                            None => Flow::UnknownParam { frame: inner, param },
                        });
                    }
                    self.at(current).items.push(Item::Enter { stmt, callee: inner, args });
                    let after = self.node(frame);
                    let back = Return { to: after, caller: frame, result: result.as_ref() };
                    let entry = self.function(function, inner, Some(back), depth + 1);
                    self.at(current).exit = Exit::Goto(entry);
                    after
                }
                None => {
                    if let Some(target) = result {
                        self.flows.push(Flow::Unknown { target: (frame, target) });
                    }
                    if let Some(function) = self.recursive(callee, args) {
                        let (inner, entry) = self.activation(function);
                        let after = self.node(frame);
                        self.at(current).exit = Exit::Call { stmt, callee: inner, entry, after };
                        return after;
                    }
                    self.calls_outside |= matches!(callee, Callee::Pointer(pointer) if self.may_lead_outside(pointer));
                    let bodies = self.may_run(callee);
                    self.opaque.insert((frame, stmt.id), bodies);
                    self.at(current).items.push(Item::Stmt(stmt));
                    current
                }
            },
            StmtKind::Assign { target, value } => {
                self.flows.push(Flow::Assign { target: (frame, target), value: (frame, value) });
                self.at(current).items.push(Item::Stmt(stmt));
                current
            }
            _ => {
                self.at(current).items.push(Item::Stmt(stmt));
                current
            }
        }
    }

    /// The one function a call leads to, if its body can take the place of the call.
    fn followed(&self, callee: &Callee, args: &[Expr], depth: usize) -> Option<FunctionId> {
        let program = self.objects.program;
        let function = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => match self.calls.targets(program, pointer)[..] {
                [single] if !self.may_lead_outside(pointer) => single,
                _ => return None,
            },
            Callee::Intrinsic(_) => return None,
        };
        let body = program.functions[function].body.as_ref()?;
        let mut size = 0;
        body.walk(&mut |_| size += 1);
        let fits = depth < DEPTH_LIMIT && self.nodes.len() + size < NODE_LIMIT;
        (fits && !self.calls.is_recursive(function) && program.call_agrees(function, args)).then_some(function)
    }

    /// Whether a pointer may lead to a function that this program does not pass around: a caller or another unit gave it. What
    /// is in a constant table was put there by the program.
    fn may_lead_outside(&self, pointer: &Expr) -> bool {
        let is_constant = matches!(&pointer.kind, ExprKind::Load(Lvalue { base: ir::Base::Global(id), .. })
            if self.objects.program.globals[*id].is_const);
        self.open && !is_constant
    }

    /// The recursive function that a call names, if there is room for it.
    fn recursive(&self, callee: &Callee, args: &[Expr]) -> Option<FunctionId> {
        let Callee::Function(function) = callee else { return None };
        let body = self.objects.program.functions[*function].body.as_ref()?;
        let mut size = 0;
        body.walk(&mut |_| size += 1);
        let fits = self.recursive.contains_key(function) || self.nodes.len() + size < NODE_LIMIT;
        let agrees = self.objects.program.call_agrees(*function, args);
        (fits && agrees && self.calls.is_recursive(*function)).then_some(*function)
    }

    /// The frame and the entry that stand for every activation of a recursive function.
    fn activation(&mut self, function: FunctionId) -> (FrameId, NodeId) {
        if let Some(known) = self.recursive.get(&function) {
            return *known;
        }
        self.parents.push(None);
        let name = format!("any {}", self.objects.program.functions[function].name);
        let frame = self.objects.add_frame(function, &name);
        for &param in &self.objects.program.functions[function].params {
            self.flows.push(Flow::UnknownParam { frame, param });
        }
        let entry = self.node(frame);
        let span = self.objects.program.functions[function].span;
        self.at(entry).mark = Some(Mark { called: Some(function), span, ..Mark::PLAIN });
        self.recursive.insert(function, (frame, entry));
        self.promised.push(function);
        (frame, entry)
    }

    /// Lays out the recursive functions that are called. Which are is found out on the way.
    fn keep_promises(&mut self) {
        while let Some(function) = self.promised.pop() {
            let (frame, entry) = self.recursive[&function];
            let first = self.function(function, frame, None, 0);
            // A trace point at the start of the body shows what the activation starts with, so it is one cut with it.
            let at_start = self.nodes[first.0 as usize].mark.as_ref().filter(|mark| mark.head.is_none());
            let leads_on = at_start.and_then(|mark| mark.trace);
            if let (Some(trace), Some(mark)) = (leads_on, &mut self.at(entry).mark) {
                mark.trace = Some(trace);
                self.nodes[first.0 as usize].mark = None;
            }
            self.at(entry).exit = Exit::Goto(first);
        }
    }

    /// The bodies that a call which is not followed may run.
    fn may_run(&self, callee: &Callee) -> Vec<FunctionId> {
        let program = self.objects.program;
        let targets = match callee {
            Callee::Function(id) => vec![*id],
            Callee::Pointer(pointer) => self.calls.targets(program, pointer),
            Callee::Intrinsic(_) => Vec::new(),
        };
        bodies_run(program, self.calls, &targets)
    }
}

/// The functions with bodies that calls of these may run: what they call, and what library functions that are not
/// known may call back.
pub fn bodies_run(program: &ir::Program, calls: &CallGraph, targets: &[FunctionId]) -> Vec<FunctionId> {
    let mut open = targets.to_vec();
    let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = &program.functions[id];
        if function.body.is_some() {
            open.extend(calls.callees(id));
        } else if matches!(symex::library::effect(&function.name), Effect::Unknown | Effect::Chaos) {
            // What calls nothing back itself may still register a handler, or start a thread.
            open.extend(calls.may_call_back(program, id));
        }
    }
    seen.into_iter().filter(|id| program.functions[*id].body.is_some()).collect()
}

/// Whether code of which nothing is known runs at all when a run starts at `entry`: then every global that other units
/// can name may be reached.
pub fn meets_unknown_code(program: &ir::Program, calls: &CallGraph, entry: FunctionId) -> bool {
    let reached = calls.reachable(entry);
    reached.into_iter().any(|id| {
        let function = &program.functions[id];
        let unknown = symex::library::effect(&function.name) == symex::library::Effect::Unknown;
        let pointers = |ty| program.types.is_pointer(ty);
        function.body.is_none() && unknown
            || id == entry
                && function.name != "main"
                && function.params.iter().any(|p| pointers(function.locals[*p].ty))
    })
}

/// Whether functions of other units run when a run starts at `entry`: those may call any function that has external
/// linkage. What belongs to the C library calls what it is given, and nothing else.
pub fn meets_foreign_code(program: &ir::Program, calls: &CallGraph, entry: FunctionId) -> bool {
    calls.reachable(entry).into_iter().any(|id| {
        let function = &program.functions[id];
        let unknown = symex::library::effect(&function.name) == symex::library::Effect::Unknown;
        function.body.is_none() && unknown && exec::libc::lookup(&function.name).is_none()
    })
}

/// The globals that these bodies assign by name.
pub fn written_globals(objects: &Objects<'_>, bodies: &BTreeSet<FunctionId>) -> BTreeSet<ObjectId> {
    let mut written = BTreeSet::new();
    for id in bodies {
        let Some(body) = &objects.program.functions[*id].body else { continue };
        body.walk(&mut |stmt| {
            let target = match &stmt.kind {
                StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
                StmtKind::Call { result, .. } => result.as_ref(),
                _ => None,
            };
            if let Some(Lvalue { base: ir::Base::Global(global), .. }) = target {
                written.insert(objects.global(*global));
            }
        });
    }
    written
}

/// The globals that these bodies read by name.
pub fn read_globals(objects: &Objects<'_>, bodies: &[FunctionId]) -> BTreeSet<ObjectId> {
    let mut read = BTreeSet::new();
    for id in bodies {
        let Some(body) = &objects.program.functions[*id].body else { continue };
        body.walk(&mut |stmt| {
            for expr in stmt.exprs() {
                expr.walk(&mut |part| {
                    if let ExprKind::Load(Lvalue { base: ir::Base::Global(global), .. }) = &part.kind {
                        read.insert(objects.global(*global));
                    }
                });
            }
        });
    }
    read
}
