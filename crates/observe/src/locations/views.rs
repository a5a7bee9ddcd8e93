//! What is seen from a place: the variables that have a value there, entry values, results and rounds of loops.

use super::edits::Edits;
use super::reads::{self, Askers, Read, Reader};
use super::sites::{Reason, Site, kind_of, name_of, statements};
use super::{Ghost, POWER, Request, ShownArray, arrays};
use crate::assigned::{Assigned, Locals};
use crate::guards::{self, Anchor, Context};
use crate::{Kind, Location, Role, Variable};
use diagnostics::Span;
use exec::ValueType;
use ir::{
    Base, BinaryOp, Block, Cfg, Expr, ExprKind, Function, FunctionId, GlobalId, GlobalKind, IntKind, Local, LocalId,
    LogicalOp, Lvalue, Program, Stmt, StmtId, StmtKind, TracePoint, TypeId,
};
use logic::Term;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A location as it is seen from one statement.
#[derive(Clone)]
pub(super) struct View {
    pub(super) function: FunctionId,
    pub(super) anchor: Anchor,
    is_trace: bool,
    /// Whether all places of its name are one location.
    pub(super) is_shared: bool,
    pub(super) location: Location,
    /// One for each variable of the location.
    pub(super) values: Vec<Expr>,
    pub(super) arrays: Vec<(ShownArray, Expr)>,
    /// What is read through pointers: the last variables, as many as there are reads.
    reads: Vec<ReadAt>,
}

/// A number behind a parameter, now or when the function was called.
#[derive(Clone)]
struct ReadAt {
    parameter: LocalId,
    read: Read,
    is_old: bool,
}

/// What the name of a location ends with at which everything that pointers lead to can be read.
pub const VALID: &str = ", pointers valid";

/// What is to be added to one function.
pub(super) struct Plan<'p> {
    program: &'p Program,
    pub(super) function: FunctionId,
    body: &'p Function,
    contexts: BTreeMap<Anchor, Context<'p>>,
    reachable: BTreeMap<Anchor, Locals>,
    globals: Vec<GlobalId>,
    /// The parameters that the function changes, each with the local that keeps its first value.
    entries: Vec<(LocalId, LocalId, String)>,
    ghosts: BTreeMap<StmtId, (Ghost, [String; 2])>,
    /// The type of powers.
    power: IntKind,
    result: String,
    with_arrays: bool,
    with_reads: bool,
    /// The parameters that are pointers, with what can be read through them; none unless that was asked for.
    reads: Vec<ReadAt>,
}

impl<'p> Plan<'p> {
    pub(super) fn new(
        program: &'p Program,
        copy: &mut Program,
        (function, entry): (FunctionId, FunctionId),
        anchors: BTreeSet<Anchor>,
        request: &Request,
    ) -> Plan<'p> {
        let body = &program.functions[function];
        let cfg = Cfg::new(program, function).expect("a function with a site should have a body");
        let assigned = Assigned::new(&cfg);
        let reachable = anchors.iter().filter_map(|&anchor| Some((anchor, assigned.at(anchor)?))).collect();
        let mut names: HashSet<String> = body.locals.values().map(|local| local.name.clone()).collect();
        names.extend(program.globals.values().map(|global| global.name.clone()));
        let mut unique = |wanted: String| {
            let mut name = wanted;
            while !names.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        let mut changed = guards::address_taken(body);
        statements(program, function, &mut |stmt| changed.extend(guards::written_local(stmt)));
        let mut plan = Plan {
            program,
            function,
            body,
            contexts: guards::contexts(body, &anchors),
            reachable,
            globals: observable_globals(program, function),
            entries: Vec::new(),
            ghosts: BTreeMap::new(),
            power: if request.unbounded { IntKind::Long } else { IntKind::ULong },
            result: unique("result".to_string()),
            with_arrays: request.arrays,
            with_reads: request.reads && function == request.subject.unwrap_or(entry),
            reads: Vec::new(),
        };
        if request.reads && function == request.subject.unwrap_or(entry) {
            plan.reads = parameter_reads(program, function, &changed);
        }
        let locals = &mut copy.functions[function].locals;
        for &param in &body.params {
            let local = &body.locals[param];
            if changed.contains(param) && !local.name.is_empty() && numeric(program, local.ty).is_some() {
                let kept = locals.push(Local::temporary(local.ty, local.span));
                plan.entries.push((param, kept, unique(format!("{}_0", local.name))));
            }
        }
        // What a harness calls works on arrays, whose indices count the rounds: few, so that powers of them would only be
        // interpolated.
        if request.ghosts && request.subject.is_none() {
            for (looped, number) in loop_numbers(body) {
                let counter = locals.push(Local::temporary(program.types.int(IntKind::Long), body.span));
                let power = locals.push(Local::temporary(program.types.int(plan.power), body.span));
                let name = unique(format!("n{number}"));
                let names = [name.clone(), format!("{POWER}{name}")];
                plan.ghosts.insert(looped, (Ghost { function, number, counter, power }, names));
            }
        }
        plan
    }

    /// What is seen at a site of this function; `None` if control cannot reach it.
    pub(super) fn view(&mut self, site: &Site) -> Option<View> {
        let assigned = self.reachable.get(&site.anchor)?;
        let context = self.contexts.get(&site.anchor)?;
        let mut view = View {
            function: self.function,
            anchor: site.anchor,
            is_trace: site.reason == Reason::Trace,
            is_shared: matches!(site.reason, Reason::Trace | Reason::Result),
            location: Location {
                name: name_of(self.program, site),
                kind: kind_of(site),
                pointers_valid: false,
                span: Some(site.span),
                variables: Vec::new(),
                guards: Vec::new(),
            },
            values: Vec::new(),
            arrays: Vec::new(),
            reads: Vec::new(),
        };
        let mut shown: Vec<(LocalId, String)> = Vec::new();
        if let Some(point) = self.trace_at(site) {
            for (name, value) in &point.values {
                if view.location.variables.iter().all(|v| v.name != *name) {
                    self.show(&mut view, name.clone(), Role::Program, value.clone());
                    if let ExprKind::Load(lvalue) = &value.kind
                        && let Some(local) = lvalue.as_local()
                    {
                        shown.push((local, name.clone()));
                    }
                }
            }
        } else if site.reason == Reason::Result {
            self.show_activation(site, &mut view);
        } else {
            for local in self.visible(context) {
                let Local { name, ty, is_volatile, .. } = &self.body.locals[local];
                if assigned.contains(local) && !is_volatile && numeric(self.program, *ty).is_some() {
                    let value = Expr::load(Lvalue::local(local, *ty, site.span));
                    self.show(&mut view, name.clone(), Role::Program, value);
                    shown.push((local, name.clone()));
                }
            }
            self.show_globals(site, &mut view);
            self.show_nullness(site, assigned, &mut view);
            // Where a call starts, what the parameters were and what they are is the same.
            for (param, kept, name) in self.entries.iter().filter(|_| site.reason != Reason::Called) {
                let ty = self.body.locals[*param].ty;
                let value = Expr::load(Lvalue::local(*kept, ty, site.span));
                self.show(&mut view, name.clone(), Role::Entry, value);
            }
            if let Some(value) = self.returned(site, &shown) {
                self.show(&mut view, self.result.clone(), Role::Result, value);
            }
        }
        let latest = context.loops.len().saturating_sub(MOST_ROUNDS);
        let is_near = |number: usize| number >= latest || context.around.contains(&number);
        let rounds = context.loops.iter().enumerate().filter(|(number, _)| is_near(*number));
        for (_, looped) in rounds.filter(|_| site.reason != Reason::Result) {
            if let Some((ghost, [counter, power])) = self.ghosts.get(looped) {
                let types = &self.program.types;
                let load = |local, kind| Expr::load(Lvalue::local(local, types.int(kind), site.span));
                self.show(&mut view, counter.clone(), Role::Ghost, load(ghost.counter, IntKind::Long));
                self.show(&mut view, power.clone(), Role::Ghost, load(ghost.power, self.power));
                let last = view.location.variables.last_mut().expect("the power should be the last variable");
                last.term = Term::exponential(2, Term::var(counter.clone()));
            }
        }
        if self.with_arrays && site.reason != Reason::Result {
            let visible: Vec<LocalId> = self.visible(context).into_iter().filter(|l| assigned.contains(*l)).collect();
            let declared = self.visible(context);
            view.arrays =
                arrays::shown(self.program, self.function, self.trace_at(site), &visible, &declared, site.span);
        }
        let name = |local: LocalId| shown.iter().find(|(id, _)| *id == local).map(|(_, name)| name.clone());
        for fact in &context.facts {
            if let Some(guard) = guards::fact(&self.program.types, fact, &name)
                && !guard.variables().is_empty()
                && !view.location.guards.contains(&guard)
            {
                view.location.guards.push(guard);
            }
        }
        Some(view)
    }

    /// Whether the pointers among the parameters, and a result that is one, lead somewhere.
    fn show_nullness(&self, site: &Site, assigned: &Locals, view: &mut View) {
        if !self.with_reads {
            return;
        }
        let mut pointers: Vec<(String, Expr)> = Vec::new();
        for &param in &self.body.params {
            let Local { name, ty, is_volatile, .. } = &self.body.locals[param];
            if self.program.types.is_pointer(*ty) && assigned.contains(param) && !name.is_empty() && !is_volatile {
                pointers.push((name.clone(), Expr::load(Lvalue::local(param, *ty, site.span))));
            }
        }
        if let Anchor::Before(id) = site.anchor
            && let Some(StmtKind::Return(Some(value))) = self.statement(id).map(|stmt| &stmt.kind)
            && self.program.types.is_pointer(value.ty)
        {
            pointers.push((self.result.clone(), value.clone()));
        }
        let int = self.program.types.int(IntKind::Int);
        for (name, pointer) in pointers {
            let zero = Expr::int(0, int, site.span);
            let (ty, span) = (pointer.ty, site.span);
            let null = Expr::new(ExprKind::Convert { value: Box::new(zero), explicit: false }, ty, span);
            let leads = ExprKind::Binary(BinaryOp::Ne, Box::new(pointer), Box::new(null));
            self.show(view, format!("({name} != 0)"), Role::Program, Expr::new(leads, int, span));
        }
    }

    /// The location of a view with what parameters lead to; `None` where they lead to no numbers.
    pub(super) fn view_through(&self, view: &View) -> Option<View> {
        if self.reads.is_empty() || view.is_trace || view.is_shared || view.anchor == Anchor::Start {
            return None;
        }
        let mut through = View { arrays: Vec::new(), ..view.clone() };
        through.location.name += VALID;
        through.location.pointers_valid = true;
        let assigned = self.reachable.get(&view.anchor)?;
        let int = self.program.types.int(IntKind::Int);
        for read in self.reads.iter().filter(|read| read.is_old || assigned.contains(read.parameter)) {
            let (name, role) = match read.is_old {
                true => (format!("\\old({})", read.read.name), Role::Entry),
                false => (read.read.name.clone(), Role::Program),
            };
            let kind = if read.read.ty.is_int() { Kind::Int } else { Kind::Real { denominator: 1 } };
            let variable = Variable { ty: Some(read.read.ty), ..Variable::new(name, kind, role) };
            through.location.variables.push(variable);
            // Its place is taken by what the rewritten function reads.
            through.values.push(Expr::int(0, int, Span::NONE));
            through.reads.push(read.clone());
        }
        Some(through)
    }

    fn show_globals(&self, site: &Site, view: &mut View) {
        for &id in &self.globals {
            let global = &self.program.globals[id];
            let hidden = self.body.locals.values().any(|local| local.name == global.name);
            if !hidden && view.location.variables.iter().all(|v| v.name != global.name) {
                let value = Expr::load(Lvalue::global(id, global.ty, site.span));
                self.show(view, global.name.clone(), Role::Program, value);
            }
        }
    }

    /// What an activation started with, the globals, and what it returns.
    fn show_activation(&self, site: &Site, view: &mut View) {
        for &param in &self.body.params {
            let Local { name, ty, is_volatile, .. } = &self.body.locals[param];
            if name.is_empty() || *is_volatile {
                continue;
            }
            let kept = self.entries.iter().find(|(of, ..)| *of == param).map_or(param, |(_, kept, _)| *kept);
            self.show(view, name.clone(), Role::Program, Expr::load(Lvalue::local(kept, *ty, site.span)));
        }
        self.show_globals(site, view);
        if let Anchor::Before(id) = site.anchor
            && let Some(StmtKind::Return(Some(value))) = self.statement(id).map(|stmt| &stmt.kind)
        {
            self.show(view, self.result.clone(), Role::Result, value.clone());
        }
    }

    /// Adds a value to a view, if it is a number.
    fn show(&self, view: &mut View, name: String, role: Role, value: Expr) {
        let Some(ty) = numeric(self.program, value.ty) else { return };
        let kind = if ty.is_int() { Kind::Int } else { Kind::Real { denominator: 1 } };
        view.location.variables.push(Variable { ty: Some(ty), ..Variable::new(name, kind, role) });
        view.values.push(value);
    }

    fn statement(&self, id: StmtId) -> Option<&'p Stmt> {
        let mut found = None;
        statements(self.program, self.function, &mut |stmt| {
            if stmt.id == id {
                found = Some(stmt);
            }
        });
        found
    }

    fn trace_at(&self, site: &Site) -> Option<&'p TracePoint> {
        match (&site.reason, site.anchor) {
            (Reason::Trace, Anchor::Before(id)) => match &self.statement(id)?.kind {
                StmtKind::Trace(point) => Some(point),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value that the statement at the site returns, unless a variable that is shown holds it.
    fn returned(&self, site: &Site, shown: &[(LocalId, String)]) -> Option<Expr> {
        let Anchor::Before(id) = site.anchor else { return None };
        let StmtKind::Return(Some(value)) = &self.statement(id)?.kind else { return None };
        let mut bare = value;
        while let ExprKind::Convert { value: inner, .. } = &bare.kind
            && let (Some(from), Some(to)) =
                (self.program.types.int_kind(inner.ty), self.program.types.int_kind(bare.ty))
            && to.contains(IntKind::min(from))
            && to.contains(IntKind::max(from))
        {
            bare = inner;
        }
        if let ExprKind::Load(lvalue) = &bare.kind
            && lvalue.as_local().is_some_and(|local| shown.iter().any(|(id, _)| *id == local))
        {
            return None;
        }
        Some(value.clone())
    }

    /// The parameters and variables that a reader sees in a context, outermost first, without those that inner ones
    /// hide.
    fn visible(&self, context: &Context<'_>) -> Vec<LocalId> {
        let all: Vec<LocalId> = self.body.params.iter().chain(&context.scope).copied().collect();
        let name = |id: LocalId| &self.body.locals[id].name;
        let hidden = |index: usize| all[index + 1..].iter().any(|&inner| name(inner) == name(all[index]));
        (0..all.len()).filter(|&i| !name(all[i]).is_empty() && !hidden(i)).map(|i| all[i]).collect()
    }

    /// The ghosts that some view shows.
    pub(super) fn used_ghosts(&self, views: &[View]) -> Vec<Ghost> {
        let own = views.iter().filter(|view| view.function == self.function);
        let ghosts = own.flat_map(|view| &view.location.variables).filter(|v| v.role == Role::Ghost);
        let shown: HashSet<&str> = ghosts.map(|v| v.name.as_str()).collect();
        self.ghosts.values().filter(|(_, names)| shown.contains(names[0].as_str())).map(|(ghost, _)| *ghost).collect()
    }

    /// Puts the trace statements, the entry values and the ghosts into the copy.
    pub(super) fn rewrite(&self, copy: &mut Program, views: &[View], askers: Option<Askers>) {
        let mut first = Vec::new();
        let olds = askers.map_or_else(Vec::new, |askers| self.read_olds(copy, views, askers, &mut first));
        let used = self.used_ghosts(views);
        let mut edits = Edits {
            program: self.program,
            traces: BTreeMap::new(),
            power: self.power,
            ghosts: self.ghosts.iter().filter(|(_, (g, _))| used.contains(g)).map(|(id, (g, _))| (*id, *g)).collect(),
        };
        for view in views.iter().filter(|view| view.function == self.function) {
            let names = view.location.variables.iter().map(|variable| variable.name.clone());
            let mut values: Vec<(String, Expr)> = names.zip(view.values.iter().cloned()).collect();
            values.extend(view.arrays.iter().map(|(array, value)| (array.name.clone(), value.clone())));
            values.extend(arrays::lengths(self.program, self.body, &view.arrays));
            let span = view.location.span.unwrap_or(Span::NONE);
            let stmt = match askers.filter(|_| !view.reads.is_empty()) {
                Some(askers) => self.read_at(copy, view, values, askers, &olds),
                None => {
                    let point = TracePoint { name: view.location.name.clone(), values };
                    Stmt::new(StmtKind::Trace(point), span)
                }
            };
            edits.traces.entry(view.anchor).or_default().push((stmt, view.is_trace));
        }
        let mut body = self.body.body.clone().expect("a function with a site should have a body");
        edits.block(&mut body);
        for (param, kept, _) in &self.entries {
            let (ty, span) = (self.body.locals[*param].ty, self.body.locals[*param].span);
            let value = Expr::load(Lvalue::local(*param, ty, span));
            first.push(Stmt::new(StmtKind::Assign { target: Lvalue::local(*kept, ty, span), value }, span));
        }
        for ghost in &used {
            first.extend(edits.reset(ghost, self.body.span));
        }
        let start = edits.traces.get(&Anchor::Start).into_iter().flatten().map(|(stmt, _)| stmt.clone());
        first.splice(0..0, start);
        body.stmts.splice(0..0, first);
        if let Some(last) = edits.traces.get(&Anchor::End) {
            body.stmts.extend(last.iter().map(|(stmt, _)| stmt.clone()));
        }
        let function = &mut copy.functions[self.function];
        function.body = Some(body);
        function.number_statements();
    }
}

impl Plan<'_> {
    /// Reads at the start of the function what some view shows as it was then.
    fn read_olds(&self, copy: &mut Program, views: &[View], askers: Askers, first: &mut Vec<Stmt>) -> Vec<Old> {
        let own = views.iter().filter(|view| view.function == self.function);
        let mut wanted: Vec<&ReadAt> = Vec::new();
        for read in own.flat_map(|view| &view.reads).filter(|read| read.is_old) {
            if wanted.iter().all(|known| known.parameter != read.parameter || known.read.name != read.read.name) {
                wanted.push(read);
            }
        }
        let mut reader = Reader { copy, function: self.function, askers, span: self.body.span };
        let mut olds = Vec::new();
        for wanted in wanted {
            let valid = reader.flag(first);
            let ty = self.body.locals[wanted.parameter].ty;
            let pointer = Expr::load(Lvalue::local(wanted.parameter, ty, self.body.span));
            let value = reader.read(&wanted.read, pointer, valid, first);
            olds.push(Old { parameter: wanted.parameter, name: wanted.read.name.clone(), value, valid });
        }
        olds
    }

    /// A trace statement behind reads, passed if all that is read is there.
    fn read_at(
        &self,
        copy: &mut Program,
        view: &View,
        mut values: Vec<(String, Expr)>,
        askers: Askers,
        olds: &[Old],
    ) -> Stmt {
        let span = view.location.span.unwrap_or(Span::NONE);
        let start = view.location.variables.len() - view.reads.len();
        let mut reader = Reader { copy, function: self.function, askers, span };
        let mut stmts = Vec::new();
        let valid = reader.flag(&mut stmts);
        let mut conditions = vec![valid];
        for (index, at) in view.reads.iter().enumerate() {
            let old = olds.iter().find(|old| at.is_old && old.parameter == at.parameter && old.name == at.read.name);
            let value = match old {
                Some(old) => {
                    conditions.push(old.valid);
                    old.value
                }
                None => {
                    let ty = self.body.locals[at.parameter].ty;
                    let pointer = Expr::load(Lvalue::local(at.parameter, ty, span));
                    reader.read(&at.read, pointer, valid, &mut stmts)
                }
            };
            values[start + index].1 = reader.load(value);
        }
        let int = self.program.types.int(IntKind::Int);
        let mut condition = reader.load(valid);
        for flag in conditions.into_iter().skip(1) {
            let both = ExprKind::Logical(LogicalOp::And, Box::new(condition), Box::new(reader.load(flag)));
            condition = Expr::new(both, int, span);
        }
        let point = TracePoint { name: view.location.name.clone(), values };
        let then = Block { locals: Vec::new(), stmts: vec![Stmt::new(StmtKind::Trace(point), span)] };
        stmts.push(Stmt::new(StmtKind::If { cond: condition, then, otherwise: Block::default() }, span));
        Stmt::new(StmtKind::Block(Block { locals: Vec::new(), stmts }), span)
    }
}

/// A number behind a parameter as it was when the function was called.
struct Old {
    parameter: LocalId,
    name: String,
    value: LocalId,
    /// Whether it was there.
    valid: LocalId,
}

/// Loops before a location whose rounds it shows, besides those around it.
const MOST_ROUNDS: usize = 12;

/// Numbers that one location shows through pointers.
const MOST_READS: usize = 14;

/// What can be read through the parameters of a function: now where they still are what they were, and at the start
/// where the function may have changed it since.
fn parameter_reads(program: &Program, function: FunctionId, changed: &ir::EntitySet<LocalId>) -> Vec<ReadAt> {
    let body = &program.functions[function];
    let mut now = Vec::new();
    let mut olds = Vec::new();
    for (position, &parameter) in body.params.iter().enumerate() {
        let local = &body.locals[parameter];
        if local.name.is_empty() || local.is_volatile {
            continue;
        }
        let is_moved = changed.contains(parameter);
        for read in reads::through(program, local.ty, &local.name) {
            if is_moved || reads::may_change(program, function, position) {
                olds.push(ReadAt { parameter, read: read.clone(), is_old: true });
            }
            if !is_moved {
                now.push(ReadAt { parameter, read, is_old: false });
            }
        }
    }
    now.truncate(MOST_READS);
    olds.truncate(MOST_READS - now.len());
    now.extend(olds);
    now
}

fn numeric(program: &Program, ty: TypeId) -> Option<ValueType> {
    ValueType::of(&program.types, ty)
}

/// The numbers of a function's loops. The loop that `vtraceK` begins is number K; the others get the numbers that are
/// left, in the order of the text.
fn loop_numbers(function: &Function) -> Vec<(StmtId, u32)> {
    let mut loops: Vec<(StmtId, Option<u32>)> = Vec::new();
    let Some(body) = &function.body else { return Vec::new() };
    body.walk(&mut |stmt| {
        if let StmtKind::Loop(looped) = &stmt.kind {
            let first = looped.blocks().into_iter().find_map(first_statement);
            let number = first.and_then(|first| match &first.kind {
                StmtKind::Trace(point) => point.name.strip_prefix("vtrace")?.parse().ok(),
                _ => None,
            });
            let free = number.filter(|n| loops.iter().all(|(_, taken)| *taken != Some(*n)));
            loops.push((stmt.id, free));
        }
    });
    let taken: BTreeSet<u32> = loops.iter().filter_map(|(_, number)| *number).collect();
    let mut rest = (1..).filter(|number| !taken.contains(number));
    let mut number = |fixed: Option<u32>| fixed.unwrap_or_else(|| rest.next().expect("numbers should not run out"));
    loops.into_iter().map(|(id, fixed)| (id, number(fixed))).collect()
}

fn first_statement(block: &Block) -> Option<&Stmt> {
    block.stmts.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Block(inner) => first_statement(inner),
        _ => Some(stmt),
    })
}

/// The numbers among the globals that the program changes and the function speaks of.
fn observable_globals(program: &Program, function: FunctionId) -> Vec<GlobalId> {
    let mut changed = BTreeSet::new();
    let mut spoken = BTreeSet::new();
    for (id, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            let target = match &stmt.kind {
                StmtKind::Assign { target, .. } | StmtKind::Zero(target) => Some(target),
                StmtKind::Call { result, .. } => result.as_ref(),
                _ => None,
            };
            if let Some(Base::Global(global)) = target.map(|target| &target.base) {
                changed.insert(*global);
                if id == function {
                    spoken.insert(*global);
                }
            }
            for expr in stmt.exprs() {
                expr.walk(&mut |e| {
                    let (lvalue, taken) = match &e.kind {
                        ExprKind::Load(lvalue) => (lvalue, false),
                        ExprKind::AddressOf(lvalue) => (lvalue, true),
                        _ => return,
                    };
                    if let Base::Global(global) = lvalue.base {
                        if taken {
                            changed.insert(global);
                        }
                        if id == function {
                            spoken.insert(global);
                        }
                    }
                });
            }
        });
    }
    let shown = |id: &GlobalId| {
        let global = &program.globals[*id];
        let named = matches!(global.kind, GlobalKind::Variable | GlobalKind::StaticLocal);
        named
            && global.init.is_some()
            && !global.is_const
            && !global.is_volatile
            && numeric(program, global.ty).is_some()
    };
    changed.intersection(&spoken).filter(|id| shown(id)).copied().collect()
}
