//! From the program to its transition system.
//!
//! *Source*: D. Beyer et al., Software model checking via large-block encoding, 2009, for the idea that everything
//! between two cut points becomes one formula. *Departure*: ways are kept apart while at most [`Encoding::states`]
//! reach a node and merged beyond that, because a prover that works algebraically needs conditions and updates path
//! by path.
//!
//! *Phases*: the graph with calls replaced by bodies ([`graph`](super::graph)) → which pointers are followed
//! ([`symex::pointers`]) → cut points → symbolic execution from each cut point to the next ones.
//!
//! *Recursion*: the activations of a recursive function are a part of the system of their own, which starts with any
//! arguments of any call. Where a call has come back, any result is possible of which holds what holds at the trace
//! points [`result_of`] the function ([`System::results`]); what that is, is for the prover to find.
//!
//! *What is left open*, always by making the system larger: calls that are not followed (several targets, library
//! functions) give any result and change what they may reach; claims inside them get an obligation
//! nobody can discharge, and trace points inside them a cut where anything may hold. After something unsupported
//! control may be anywhere in any state.
//!
//! *Guarantee*: that of [`System`]. `tests/system_runs.rs` runs random programs in the VM and finds each run in the
//! system.

use super::globals;
use super::graph::{
    Exit, Graph, Item, Mark, Node, NodeId, bodies_run, meets_foreign_code, meets_unknown_code, read_globals,
    written_globals,
};
use super::obligations::FramedSites;
use super::system::{
    Assumption, Cut, CutId, InputVariable, Layout, Named, Obligation, Path, Position, Property, PropertyId,
    PropertyKind, StateVariable, System, Transition, VariableId,
};
use diagnostics::Span;
use exec::ValueType;
use ir::hazards::{Hazard, NodeKey};
use ir::{
    AssertKind, CallGraph, EntityRef, Expr, FunctionId, Globals, Initialised, LocalKind, Program, Stmt, StmtId,
    StmtKind,
};
use observe::locations::{call_of, result_of};
use smt::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use symex::number::Range;
use symex::{CellId, Evaluation, Floats, FrameId, Ints, Notes, ObjectId, Objects, Owner, State, Value};

/// How a program is turned into a system.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub ints: Ints,
    pub floats: Floats,
    /// Whether each operation that may overflow, divide by zero or leave an array is a claim. If not, these are
    /// assumptions.
    pub checks: bool,
    /// What globals hold when the entry is called.
    pub globals: Globals,
    /// How many ways to one node are kept apart.
    pub states: usize,
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding { ints: Ints::Math, floats: Floats::Exact, checks: false, globals: Globals::Any, states: 64 }
    }
}

/// The system of the runs that start with a call of `entry`, which should have a body.
pub fn encode(program: &Program, entry: FunctionId, encoding: &Encoding) -> System {
    let calls = CallGraph::new(program);
    let mut objects = Objects::new(program, TermPool::new(), encoding.ints, encoding.floats, encoding.checks);
    let graph = Graph::new(&mut objects, &calls, entry);
    let mut notes = Notes::default();
    let mut open = ir::open_globals(program, entry);
    if encoding.globals == Globals::Initial && !open.is_empty() {
        notes.assume(diagnostics::Assumption::InitialGlobals);
        open.clear();
    }
    let open: BTreeSet<ObjectId> = open.into_iter().map(|global| objects.global(global)).collect();
    let mut lost = written_globals(&objects, &graph.unfollowed());
    let everything: BTreeSet<FunctionId> = program.defined_functions().map(|(id, ..)| id).collect();
    let written = written_globals(&objects, &everything);
    let foreign = graph.calls_outside || meets_foreign_code(program, &calls, entry);
    if foreign {
        lost.extend(&written);
    }
    // What ran before the entry may have left any address in a pointer.
    lost.extend(&open);
    // Pointers that are inputs, or in globals that are, may lead to whatever other units can name.
    let outside = meets_unknown_code(program, &calls, entry) || !ir::starts_program(program, entry);
    objects.finish(&graph.flows, &lost, outside);
    objects.find_outlived(&graph.parents);
    let laid_out: BTreeSet<FunctionId> = objects.frames.iter().map(|frame| frame.function).collect();
    let initialised: HashMap<FunctionId, Initialised> =
        laid_out.into_iter().map(|id| (id, Initialised::of(program, id))).collect();
    let with_value = objects.frames.iter().flat_map(|frame| {
        let locals = &initialised[&frame.function].before_addressed;
        locals.iter().map(|local| frame.objects[local.index()])
    });
    let with_value = with_value.collect();
    objects.set_initialised(with_value);

    let initial = globals::initial_values(&objects, &open, &mut notes);
    let constants = globals::constants(&objects, &initial, &written);
    let used: BTreeSet<ObjectId> = read_globals(&objects, &bodies_run(program, &calls, &[entry]));
    let open = open.intersection(&used).map(|id| objects.object(*id).name.clone()).collect();
    let mut encoder = Encoder {
        encoding,
        objects: &objects,
        calls: &calls,
        graph: &graph,
        notes,
        initial,
        constants,
        foreign: if foreign { written } else { BTreeSet::new() },
        variables: Vec::new(),
        cuts: Vec::new(),
        cut_of: HashMap::new(),
        nodes_of_cuts: HashMap::new(),
        alive: Vec::new(),
        computed: HashMap::new(),
        shadows: HashMap::new(),
        transitions: Vec::new(),
        obligations: Vec::new(),
        properties: Vec::new(),
        property_of: HashMap::new(),
        check_of: HashMap::new(),
        chaos: Vec::new(),
        given: Vec::new(),
        passed: Vec::new(),
        here: Position::default(),
        initialised,
        sites: HashMap::new(),
        decided: HashSet::new(),
        asked: HashSet::new(),
    };
    encoder.declare();
    encoder.claims(entry);
    encoder.find_cuts();
    for (cut, node) in encoder.starts() {
        encoder.explore(cut, node);
    }
    encoder.break_loose();
    let inputs = encoder.inputs(entry);
    let results = encoder.results();
    let layout = encoder.layout();
    let passed = encoder.passes();
    let Encoder { notes, variables, cuts, transitions, obligations, properties, given, .. } = encoder;
    System {
        pool: objects.pool.clone(),
        variables,
        cuts,
        transitions,
        obligations,
        properties,
        given,
        passed,
        layout,
        results,
        inputs,
        open,
        assumptions: notes.assumptions,
        obstacles: notes.obstacles,
    }
}

pub(super) struct Encoder<'a, 'p> {
    pub(super) encoding: &'a Encoding,
    pub(super) objects: &'a Objects<'p>,
    pub(super) calls: &'a CallGraph,
    pub(super) graph: &'a Graph<'p>,
    pub(super) notes: Notes,
    pub(super) initial: BTreeMap<CellId, TermId>,
    pub(super) constants: BTreeMap<CellId, TermId>,
    /// The globals that functions of other units may change by calling functions of this program.
    pub(super) foreign: BTreeSet<ObjectId>,
    /// One for each cell, in order, then those for values that a trace point computes.
    pub(super) variables: Vec<StateVariable>,
    pub(super) cuts: Vec<Cut>,
    pub(super) cut_of: HashMap<NodeId, CutId>,
    pub(super) nodes_of_cuts: HashMap<CutId, NodeId>,
    /// The frames that exist at each cut.
    pub(super) alive: Vec<Vec<FrameId>>,
    /// Values of trace points that are no plain terms over the state: kept in variables of their own.
    pub(super) computed: HashMap<CutId, Vec<(VariableId, FrameId, &'p Expr)>>,
    /// Cuts of trace points in functions that are not followed, and the variables that arriving makes arbitrary.
    pub(super) shadows: HashMap<(FunctionId, StmtId), (CutId, Vec<VariableId>)>,
    pub(super) transitions: Vec<Transition>,
    pub(super) obligations: Vec<Obligation>,
    pub(super) properties: Vec<Property>,
    pub(super) property_of: HashMap<(FunctionId, StmtId), PropertyId>,
    /// The properties of sites, by what is claimed and where.
    pub(super) check_of: HashMap<SiteClaim, PropertyId>,
    /// Where control breaks loose: at something unsupported.
    pub(super) chaos: Vec<Chaos>,
    pub(super) given: Vec<Assumption>,
    /// The ways past sites that cannot fail there.
    pub(super) passed: Vec<(SiteClaim, Assumption)>,
    /// What is being executed.
    pub(super) here: Position,
    pub(super) initialised: HashMap<FunctionId, Initialised>,
    /// The sites of what is executed, by its frame and its node.
    pub(super) sites: HashMap<(FrameId, NodeKey), FramedSites>,
    /// Those of which the evaluation knew what must hold.
    pub(super) decided: HashSet<(NodeKey, Hazard)>,
    /// Those of which something was asked.
    pub(super) asked: HashSet<(Hazard, Span)>,
}

/// What is claimed of the sites at one place.
pub(super) type SiteClaim = (PropertyKind, &'static str, FunctionId, Span);

/// A way to where control breaks loose.
pub(super) struct Chaos {
    from: CutId,
    path: Path,
    at: Position,
    span: Span,
}

impl<'p> Encoder<'_, 'p> {
    pub(super) fn program(&self) -> &'p Program {
        self.objects.program
    }

    pub(super) fn function_of(&self, frame: FrameId) -> FunctionId {
        self.objects.frames[frame.0 as usize].function
    }

    // ----- what there is -----

    fn declare(&mut self) {
        let cells = self.objects.cells.iter();
        self.variables = cells.map(|cell| StateVariable { name: cell.name.clone(), symbol: cell.symbol }).collect();
        if self.encoding.ints == Ints::Math && !self.encoding.checks {
            self.notes.assume(diagnostics::Assumption::NoOverflow);
        }
    }

    /// Numbers the claims of all functions that a run may come to, in the order of the text.
    fn claims(&mut self, entry: FunctionId) {
        for id in bodies_run(self.program(), self.calls, &[entry]) {
            let Some(body) = &self.program().functions[id].body else { continue };
            body.walk(&mut |stmt| {
                if let StmtKind::Assert { kind, text, .. } = &stmt.kind {
                    let kind = match kind {
                        AssertKind::Assert | AssertKind::Verifier => PropertyKind::Assert,
                        AssertKind::ReachError => PropertyKind::Unreachable,
                    };
                    let property = PropertyId(self.properties.len() as u32);
                    self.properties.push(Property {
                        kind,
                        text: text.clone(),
                        span: stmt.span,
                        met: false,
                        unmodelled: None,
                    });
                    self.property_of.insert((id, stmt.id), property);
                }
            });
        }
    }

    /// Which nodes follow which, and where claims and cuts are among them.
    fn layout(&self) -> Layout {
        let mut layout = Layout { cuts: vec![None; self.cuts.len()], ..Layout::default() };
        for (node, number) in self.graph.nodes.iter().zip(0..) {
            layout.followers.push(node.exit.targets().into_iter().map(|to| to.0).collect());
            for (item, position) in node.items.iter().zip(0..) {
                if let Item::Stmt(stmt) = item
                    && let Some(property) = self.property_of.get(&(self.function_of(node.frame), stmt.id))
                {
                    let at = Position { node: number, item: position };
                    layout.claims.entry(*property).or_default().push(at);
                }
            }
        }
        for (node, cut) in &self.cut_of {
            layout.cuts[cut.0 as usize] = Some(node.0);
        }
        layout
    }

    fn starts(&self) -> Vec<(CutId, NodeId)> {
        let mut starts: Vec<(CutId, NodeId)> = self.cut_of.iter().map(|(node, cut)| (*cut, *node)).collect();
        starts.sort();
        starts
    }

    fn find_cuts(&mut self) {
        for node in (0..self.graph.nodes.len() as u32).map(NodeId) {
            let Some(mark) = self.graph.node(node).mark.clone() else { continue };
            let cut = CutId(self.cuts.len() as u32);
            self.cut_of.insert(node, cut);
            self.nodes_of_cuts.insert(cut, node);
            let frame = self.graph.node(node).frame;
            let made = self.cut(cut, frame, &mark);
            self.cuts.push(made);
        }
    }

    fn cut(&mut self, id: CutId, frame: FrameId, mark: &Mark<'p>) -> Cut {
        let line = |span: Span| self.program().sources.used(span).map(|region| region.start.line);
        let name = match (mark.trace, mark.head, mark.called) {
            (Some(point), ..) => point.name.clone(),
            (None, _, Some(function)) => call_of(&self.program().functions[function].name),
            (None, Some(span), None) => match line(span) {
                Some(line) => format!("loop at line {line}"),
                None => format!("loop {}", id.0),
            },
            (None, None, None) => String::from("entry"),
        };
        let mut names = BTreeMap::new();
        for (value_name, value) in mark.trace.iter().flat_map(|point| &point.values) {
            if let Some(named) = self.trace_value(id, frame, value_name, value) {
                names.insert(value_name.clone(), named);
            }
        }
        // Where an activation ends, the names of parameters mean what it started with.
        let is_result = mark.trace.is_some_and(|point| self.is_result(frame, point));
        for (name, object) in self.scope(frame, mark.scope) {
            if names.contains_key(&name) || is_result {
                continue;
            }
            let scalar = self.objects.cell_of(object, &[]).map(|cell| self.objects.cell(cell));
            let Some(cell) = scalar.filter(|cell| cell.extents.is_empty()) else { continue };
            if let Some(ty) = ValueType::of(&self.program().types, self.objects.object(object).ty) {
                names.insert(name, Named { term: cell.symbol, ty });
            }
        }
        let alive = self.graph.chain(frame);
        self.alive.push(alive.clone());
        let facts = self.objects.cells.iter().filter_map(|cell| {
            let owner = self.objects.object(cell.object).owner;
            let lives = if let Owner::Local(frame, _) = owner { alive.contains(&frame) } else { true };
            (lives && cell.extents.is_empty()).then(|| self.objects.type_fact(cell.symbol, cell.holds))?
        });
        let facts = facts.collect();
        let span = (!mark.span.is_none()).then_some(mark.span);
        Cut { name, span, names, facts }
    }

    fn is_result(&self, frame: FrameId, point: &ir::TracePoint) -> bool {
        point.name == result_of(&self.program().functions[self.function_of(frame)].name)
    }

    /// For each recursive function, the cuts where its activations end.
    fn results(&self) -> BTreeMap<FunctionId, Vec<CutId>> {
        let mut results: BTreeMap<FunctionId, Vec<CutId>> = BTreeMap::new();
        for (cut, node) in self.starts() {
            let node = self.graph.node(node);
            let stands_for_all = self.graph.parents[node.frame.0 as usize].is_none() && node.frame != FrameId(0);
            if let Some(point) = node.mark.as_ref().and_then(|mark| mark.trace)
                && stands_for_all
                && self.is_result(node.frame, point)
            {
                results.entry(self.function_of(node.frame)).or_default().push(cut);
            }
        }
        results
    }

    /// The variables that a name may mean here, inner ones in place of the outer ones they hide.
    fn scope(&self, frame: FrameId, stmt: Option<StmtId>) -> BTreeMap<String, ObjectId> {
        let mut scope = BTreeMap::new();
        for (id, global) in &self.program().globals {
            if global.kind == ir::GlobalKind::Variable {
                scope.insert(global.name.clone(), self.objects.global(id));
            }
        }
        let function = &self.program().functions[self.function_of(frame)];
        let locals = match stmt {
            Some(stmt) => function.in_scope(stmt),
            None => function.params.clone(),
        };
        for local in locals {
            let about = &function.locals[local];
            if !about.name.is_empty() && about.kind != LocalKind::Temporary {
                scope.insert(about.name.clone(), self.objects.local(frame, local));
            }
        }
        scope
    }

    /// What a value of a trace point is in terms of the state there.
    fn trace_value(&mut self, cut: CutId, frame: FrameId, name: &str, value: &'p Expr) -> Option<Named> {
        let ty = ValueType::of(&self.program().types, value.ty)?;
        let mut state = State::at_cut(self.objects);
        let mut notes = Notes::default();
        let mut evaluation = Evaluation::new(self.objects, &mut state, &mut notes, frame, None);
        let term = scalar_term(&mut evaluation, value)?;
        if state.path.fresh.is_empty() {
            return Some(Named { term, ty });
        }
        let variable = VariableId(self.variables.len() as u32);
        let symbol = self.objects.fresh(name, self.objects.pool.sort_of(term));
        self.variables.push(StateVariable { name: format!("{name} at cut {}", cut.0), symbol });
        self.computed.entry(cut).or_default().push((variable, frame, value));
        Some(Named { term: symbol, ty })
    }

    fn inputs(&self, entry: FunctionId) -> Vec<InputVariable> {
        let function = &self.program().functions[entry];
        let mut inputs = Vec::new();
        for &param in &function.params {
            let about = &function.locals[param];
            let Some(ty) = ValueType::of(&self.program().types, about.ty) else { continue };
            let Some(cell) = self.objects.cell_of(self.objects.local(FrameId(0), param), &[]) else { continue };
            let symbol = self.objects.cell(cell).symbol;
            let range = match ty {
                ValueType::Int(kind) if self.encoding.ints == Ints::Math => {
                    Some(self.objects.arithmetic().in_range(symbol, &Range::of(kind)))
                }
                _ => None,
            };
            inputs.push(InputVariable { name: about.name.clone(), symbol, ty, range });
        }
        inputs
    }

    // ----- from one cut point to the next -----

    fn explore(&mut self, cut: CutId, start: NodeId) {
        let mut first = State::at_cut(self.objects);
        for (cell, term) in if cut.0 == 0 { &self.initial } else { &self.constants } {
            first.set(*cell, *term);
        }
        let mut pending: BTreeMap<(u32, NodeId), Vec<State>> = BTreeMap::new();
        pending.insert((self.graph.order[start.0 as usize], start), vec![first]);
        // Where ways will have to be joined they are joined at once: two by two the formulas stay small.
        let most = if self.most_ways(start) > self.encoding.states { 1 } else { self.encoding.states };
        while let Some(((_, node), mut states)) = pending.pop_first() {
            if states.len() > most {
                states = vec![State::merge(self.objects, states)];
            }
            for state in states {
                for (to, state) in self.run(cut, node, state) {
                    match self.cut_of.get(&to) {
                        Some(&target) => self.arrive(cut, target, state),
                        None => pending.entry((self.graph.order[to.0 as usize], to)).or_default().push(state),
                    }
                }
            }
        }
    }

    /// The largest number of ways from a cut node to any node before the next cut.
    fn most_ways(&self, start: NodeId) -> usize {
        let mut ways: BTreeMap<(u32, NodeId), usize> =
            BTreeMap::from([((self.graph.order[start.0 as usize], start), 1)]);
        let mut most = 1;
        while let Some(((_, node), count)) = ways.pop_first() {
            most = most.max(count);
            for to in self.graph.node(node).exit.targets() {
                if !self.cut_of.contains_key(&to) {
                    let sum = ways.entry((self.graph.order[to.0 as usize], to)).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
        }
        most
    }

    /// Executes a node and gives the ways out that are not closed.
    fn run(&mut self, cut: CutId, id: NodeId, mut state: State) -> Vec<(NodeId, State)> {
        let graph = self.graph;
        let node = graph.node(id);
        for (item, position) in node.items.iter().zip(0..) {
            self.here = Position { node: id.0, item: position };
            let sites = self.sites_of_item(node.frame, item);
            let before = if sites.is_empty() { Path::default() } else { state.path.clone() };
            match item {
                Item::Stmt(stmt) => self.stmt(cut, node.frame, stmt, &mut state),
                Item::Enter { callee, args, .. } => self.enter(cut, node.frame, *callee, args, &mut state),
                Item::Result(value) => {
                    self.evaluate(cut, node.frame, &mut state, |e| {
                        e.value(value);
                        e.source(value);
                    });
                }
                Item::Leave { value, caller, result } => {
                    self.leave(cut, node.frame, *value, *caller, *result, &mut state);
                }
            }
            self.settle_sites(cut, &sites, &before);
            if state.dead {
                return Vec::new();
            }
        }
        self.here = Position { node: id.0, item: node.items.len() as u32 };
        let sites = self.sites_of_exit(node);
        let before = if sites.is_empty() { Path::default() } else { state.path.clone() };
        let ways = self.leave_node(cut, node, state);
        self.settle_sites(cut, &sites, &before);
        ways
    }

    /// Decides where control goes from a node, and gives the ways that are not closed.
    fn leave_node(&mut self, cut: CutId, node: &Node<'p>, mut state: State) -> Vec<(NodeId, State)> {
        let pool = &self.objects.pool;
        match &node.exit {
            Exit::End => Vec::new(),
            Exit::Goto(to) => vec![(*to, state)],
            Exit::Call { stmt, callee, entry, after } => {
                let mut inner = state.clone();
                self.activate(cut, node.frame, stmt, *callee, &mut inner);
                self.come_back(cut, node.frame, stmt, *callee, &mut state);
                [(*entry, inner), (*after, state)].into_iter().filter(|(_, state)| !state.dead).collect()
            }
            Exit::Branch { cond, then, otherwise } => {
                let condition = self.evaluate(cut, node.frame, &mut state, |e| e.condition(cond));
                if then == otherwise {
                    return vec![(*then, state)];
                }
                let mut other = state.clone();
                state.require(pool, condition);
                other.require(pool, pool.not(condition));
                [(*then, state), (*otherwise, other)].into_iter().filter(|(_, state)| !state.dead).collect()
            }
            Exit::Switch { value, arms, targets, default } => {
                let number = self.evaluate(cut, node.frame, &mut state, |e| e.number(value));
                let mut by_target: BTreeMap<NodeId, Vec<TermId>> = BTreeMap::new();
                let mut any = Vec::new();
                for (arm, target) in arms.iter().zip(targets) {
                    let arithmetic = self.objects.arithmetic();
                    let (low, high) =
                        (arithmetic.literal(arm.low, number.kind), arithmetic.literal(arm.high, number.kind));
                    let matches = if arm.low == arm.high {
                        pool.eq(number.term, low.term)
                    } else {
                        pool.and(&[pool.not(arithmetic.less(&number, &low)), pool.not(arithmetic.less(&high, &number))])
                    };
                    by_target.entry(*target).or_default().push(matches);
                    any.push(matches);
                }
                by_target.entry(*default).or_default().push(pool.not(pool.or(&any)));
                let mut ways = Vec::new();
                for (target, conditions) in by_target {
                    let mut way = state.clone();
                    way.require(pool, pool.or(&conditions));
                    if !way.dead {
                        ways.push((target, way));
                    }
                }
                ways
            }
        }
    }

    pub(super) fn oblige(&mut self, property: PropertyId, from: CutId, path: Path, claim: TermId) {
        self.obligations.push(Obligation { property, from, path, claim, at: self.here });
    }

    /// Comes to the next cut point.
    fn arrive(&mut self, from: CutId, to: CutId, mut state: State) {
        let mut updates = BTreeMap::new();
        if let Some(node) = self.nodes_of_cuts.get(&to)
            && let node = self.graph.node(*node)
            && let Some(point) = node.mark.as_ref().and_then(|mark| mark.trace)
        {
            self.evaluate_shown(from, node.frame, point, &mut state);
        }
        for (variable, frame, value) in self.computed.get(&to).cloned().unwrap_or_default() {
            // What is shown may be undefined as well, and from here on it is not.
            if let Some(term) = self.evaluate(from, frame, &mut state, |e| scalar_term(e, value)) {
                updates.insert(variable, term);
            }
        }
        self.decided.clear();
        self.asked.clear();
        let alive = &self.alive[to.0 as usize];
        for cell in self.objects.cell_ids() {
            // The variables of a call that has returned are set anew before they are read again.
            let owner = self.objects.object(self.objects.cell(cell).object).owner;
            let lives = if let Owner::Local(frame, _) = owner { alive.contains(&frame) } else { true };
            if !lives || self.constants.contains_key(&cell) {
                continue;
            }
            let term = state.get(self.objects, cell);
            if term != self.objects.cell(cell).symbol {
                updates.insert(VariableId(cell.0), term);
            }
        }
        if !state.dead {
            self.transitions.push(Transition { from, to, path: state.path, updates });
        }
    }

    fn stmt(&mut self, cut: CutId, frame: FrameId, stmt: &'p Stmt, state: &mut State) {
        let objects = self.objects;
        match &stmt.kind {
            StmtKind::Assign { target, value } => self.evaluate(cut, frame, state, |e| e.assign(target, value)),
            StmtKind::Zero(target) => self.evaluate(cut, frame, state, |e| e.zero(target)),
            StmtKind::Live(local) => state.forget_object(objects, objects.local(frame, *local)),
            StmtKind::Assume(cond) => {
                let condition = self.evaluate(cut, frame, state, |e| e.condition(cond));
                let path = state.path.clone();
                self.given.push(Assumption { at: self.here, from: cut, path, holds: condition });
                state.require(&objects.pool, condition);
            }
            StmtKind::Assert { cond, .. } => {
                let claim = self.evaluate(cut, frame, state, |e| e.condition(cond));
                if let Some(&property) = self.property_of.get(&(self.function_of(frame), stmt.id)) {
                    self.properties[property.0 as usize].met = true;
                    self.oblige(property, cut, state.path.clone(), claim);
                }
                state.require(&objects.pool, claim);
            }
            StmtKind::Call { result, callee, args } => {
                self.call(cut, frame, stmt, result.as_ref(), callee, args, state);
            }
            StmtKind::Unordered(open) => {
                self.notes.obstacle(format!("the order of evaluation is open: {}", open.what), stmt.span);
                self.loosen(cut, stmt.span, state);
            }
            StmtKind::Unsupported(what) => {
                self.notes.obstacle(what.clone(), stmt.span);
                self.loosen(cut, stmt.span, state);
            }
            // Control flow is in the edges, and trace points are cuts.
            _ => {}
        }
    }

    /// From here on control may be anywhere, so the way ends and every cut point may follow.
    pub(super) fn loosen(&mut self, cut: CutId, span: Span, state: &mut State) {
        self.chaos.push(Chaos { from: cut, path: state.path.clone(), at: self.here, span });
        state.dead = true;
    }

    /// Where control broke loose, every cut point may follow in any state and every claim may be met.
    fn break_loose(&mut self) {
        let chaos = std::mem::take(&mut self.chaos);
        if self.encoding.checks {
            for place in &chaos {
                let text = "every operation from here on is defined";
                let key = (PropertyKind::Defined, text, self.function_of(FrameId(0)), place.span);
                let next = PropertyId(self.properties.len() as u32);
                if *self.check_of.entry(key).or_insert(next) == next {
                    let kind = PropertyKind::Defined;
                    let (text, span) = (text.to_string(), place.span);
                    self.properties.push(Property { kind, text, span, met: true, unmodelled: None });
                }
            }
        }
        for Chaos { from, path, at, .. } in chaos {
            self.here = at;
            for to in (1..self.cuts.len() as u32).map(CutId) {
                let mut state = State::at_cut(self.objects);
                state.path = path.clone();
                let mut updates = BTreeMap::new();
                for (id, variable) in (0u32..).zip(&self.variables) {
                    let holds = self.objects.cells.get(id as usize).filter(|cell| cell.extents.is_empty());
                    let sort = self.objects.pool.sort_of(variable.symbol);
                    let value = state.fresh(self.objects, "unknown", sort, holds.map(|cell| cell.holds));
                    updates.insert(VariableId(id), value);
                }
                self.transitions.push(Transition { from, to, path: state.path, updates });
            }
            for property in (0..self.properties.len() as u32).map(PropertyId) {
                let mut state = State::at_cut(self.objects);
                state.path = path.clone();
                self.cannot_hold(from, property, &state);
            }
        }
    }
}

/// The term of a scalar that is a number.
pub(super) fn scalar_term(evaluation: &mut Evaluation<'_, '_>, value: &Expr) -> Option<TermId> {
    let kind = evaluation.objects.program.types.int_kind(value.ty);
    match evaluation.value(value) {
        Value::Number(number) => Some(number.term),
        Value::Truth(condition) => Some(evaluation.objects.arithmetic().from_truth(condition, kind?).term),
        Value::Float(term) => Some(term),
        Value::Pointer(..) | Value::Null | Value::Unknown => None,
    }
}
