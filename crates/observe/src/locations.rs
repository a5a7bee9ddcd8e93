//! The places where relations are looked for, and a program that shows what its variables are there.
//!
//! *Question*: where is it worth looking, and which values does the reader want to see related?
//!
//! The program's own trace points (`vtrace1(x, y)`) are the locations if it has any; else the head of every loop and
//! every exit of the entry function are. Places the user names come on top. [`instrument`] returns a copy of the program
//! in which each location is a trace statement, so that the VM records rows there and the prover finds its cut points.
//! What is added are temporaries that nothing else reads:
//!
//! ```text
//! int f(int x) {              x_0 = x; n1 = 0; 2^n1 = 1;                    (entry value, ghosts)
//!   while (x > 0)             n1 = 0; 2^n1 = 1; loop { trace "loop at line 2" (x, x_0, n1, 2^n1); if !(x > 0) break;
//!     x = x - 2;                x = x - 2; n1 = n1 + 1; 2^n1 = 2^n1 * 2 }
//!   return x; }               trace "return at line 4" (x, x_0, n1, 2^n1); return x;
//! ```
//!
//! *Recursive functions* are looked at where a call starts (`call of f`) and where it ends (`result of f`), if that is
//! wanted; at the end the parameters are shown as they were at the start, under their own names.
//!
//! *Ghosts*: `nK` counts the completed rounds of loop K since it was last entered, 0 before that. Loops are numbered in
//! the order of the text; one that begins with `vtraceK` has number K. The power is an `unsigned long` that wraps to zero
//! after 2^63; a reader of rows takes zero for "too large".
//!
//! *Guarantee*: the copy is well-formed ([`ir::verify`]) and does what the program does; every value that a location
//! shows exists whenever it is reached.

use super::assigned::{Assigned, Locals};
use super::guards::{self, Anchor, Context};
use super::shown_at as arrays;
use super::{Kind, Location, Role, Variable};
use diagnostics::Span;
use exec::Scalar;
use exec::ValueType;
use exec::trace::Row;
use ir::{
    Base, BinaryOp, Block, CallGraph, Cfg, Expr, ExprKind, Function, FunctionId, GlobalId, GlobalKind, IntKind, Local,
    LocalId, LoopKind, Lvalue, Program, Stmt, StmtId, StmtKind, TracePoint, TypeId,
};
use logic::{Predicate, Term};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What the user wants to see besides what is looked at anyway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub at: Vec<At>,
    /// Whether rounds of loops are counted.
    pub ghosts: bool,
    /// Whether everything is looked at that a proof by induction needs: the heads of loops even where the program has
    /// trace points of its own, and the calls and results of recursive functions.
    pub loops: bool,
    /// Whether powers are numbers that do not wrap: for reasoning only, since a long run would fault.
    pub unbounded: bool,
    /// Whether locations show arrays.
    pub arrays: bool,
    /// The function whose loops and exits are looked at, if it is not the entry itself.
    pub subject: Option<FunctionId>,
}

impl Default for Request {
    fn default() -> Request {
        Request { at: Vec::new(), ghosts: true, loops: false, unbounded: false, arrays: false, subject: None }
    }
}

/// A place that the user names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// Before the first statement that begins on the line. An empty file name means any file of the program.
    Line { file: String, line: u32 },
    /// After the label.
    Label(String),
}

/// A program that shows its variables.
#[derive(Clone, Debug)]
pub struct Instrumented {
    pub program: Program,
    pub entry: FunctionId,
    /// In the order of the text, function by function.
    pub locations: Vec<Location>,
    /// For each location its trace statements in `program`. The values of each are the location's variables, in order.
    pub points: Vec<Vec<(FunctionId, StmtId)>>,
    /// For each location the arrays that its trace statements show behind the variables, if that was asked for.
    pub arrays: Vec<Vec<ShownArray>>,
    /// For each location where it is in the program as it was given; the first place if there are several.
    pub anchors: Vec<Anchor>,
    pub ghosts: Vec<Ghost>,
    /// What was asked for and could not be found, in whole sentences.
    pub notes: Vec<String>,
}

/// An array at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownArray {
    pub name: String,
    /// It never changes.
    pub is_constant: bool,
}

/// The ghost variables of a loop. As numbers they are unbounded: whoever reasons about them should not let them wrap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ghost {
    pub function: FunctionId,
    pub number: u32,
    /// A `long`.
    pub counter: LocalId,
    /// An `unsigned long`, or a `long` where it is to be without bounds.
    pub power: LocalId,
}

/// What makes a site a location.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Reason {
    Trace,
    Loop,
    Return,
    End,
    /// A recursive function is entered.
    Called,
    /// A recursive function is left.
    Result,
    Line(u32),
    Label(String),
}

/// A place to be observed, in the program as it was given.
struct Site {
    function: FunctionId,
    anchor: Anchor,
    reason: Reason,
    span: Span,
}

/// The name of the place where activations of a recursive function start.
pub fn call_of(function: &str) -> String {
    format!("call of {function}")
}

/// The name of the places where activations of a recursive function end. The names of parameters mean there what they
/// were at the start; besides them there are globals, and the one other name is that of the result.
pub fn result_of(function: &str) -> String {
    format!("result of {function}")
}

/// Whether the powers that a relation speaks of are in a row: one that has become too large is zero there.
pub fn powers_fit(predicate: &Predicate, row: &Row<'_>) -> bool {
    let is_power = |name: &&str| name.starts_with("2^");
    predicate.variables().into_iter().filter(is_power).all(|name| row.named(name) != Some(Scalar::Int(0)))
}

/// Copies a program so that it shows its variables at the locations of interest.
pub fn instrument(program: &Program, entry: FunctionId, request: &Request) -> Instrumented {
    let widened = request.arrays.then(|| arrays::with_pointers(program));
    let program = widened.as_ref().unwrap_or(program);
    let mut notes = Vec::new();
    let sites = sites(program, entry, request, &mut notes);
    let mut copy = program.clone();
    let mut views = Vec::new();
    let mut plans: Vec<Plan> = Vec::new();
    for site in &sites {
        if plans.last().is_none_or(|plan| plan.function != site.function) {
            let own = sites.iter().filter(|other| other.function == site.function);
            plans.push(Plan::new(program, &mut copy, site.function, own.map(|other| other.anchor).collect(), request));
        }
        let plan = plans.last_mut().expect("a plan should be there, because it was pushed if missing");
        match plan.view(site) {
            Some(view) => views.push(view),
            None => notes.push(format!("Control cannot reach the place of `{}`.", name_of(program, site))),
        }
    }
    let joined = join(&mut views);
    let arrays: Vec<Vec<ShownArray>> = joined.iter().map(|(.., arrays)| arrays.clone()).collect();
    let (locations, anchors): (Vec<Location>, Vec<Anchor>) =
        joined.into_iter().map(|(location, anchor, _)| (location, anchor)).unzip();
    let ghosts = plans.iter().flat_map(|plan| plan.used_ghosts(&views)).collect();
    for plan in &plans {
        plan.rewrite(&mut copy, &views);
    }
    let points = points(&copy, &locations, &arrays);
    Instrumented { program: copy, entry, locations, points, arrays, anchors, ghosts, notes }
}

/// The places to look at, function by function, the one that the user asks about first, each in the order of the text.
fn sites(program: &Program, entry: FunctionId, request: &Request, notes: &mut Vec<String>) -> Vec<Site> {
    let subject = request.subject.unwrap_or(entry);
    let mut functions: Vec<FunctionId> = vec![subject];
    functions.extend([entry].into_iter().chain(CallGraph::new(program).reachable(entry)).filter(|id| *id != subject));
    let mut met = BTreeSet::new();
    functions.retain(|id| met.insert(*id));
    functions.retain(|id| program.functions[*id].body.is_some());
    let mut sites = Vec::new();
    for &function in &functions {
        statements(program, function, &mut |stmt| {
            if let StmtKind::Trace(_) = &stmt.kind {
                let anchor = Anchor::Before(stmt.id);
                sites.push(Site { function, anchor, reason: Reason::Trace, span: stmt.span });
            }
        });
    }
    let has_traces = !sites.is_empty();
    if !has_traces && functions.contains(&subject) {
        statements(program, subject, &mut |stmt| {
            let (anchor, reason) = match &stmt.kind {
                StmtKind::Loop(_) => (Anchor::Head(stmt.id), Reason::Loop),
                StmtKind::Return(_) => (Anchor::Before(stmt.id), Reason::Return),
                _ => return,
            };
            sites.push(Site { function: subject, anchor, reason, span: stmt.span });
        });
        if runs_off_the_end(program, subject) {
            let body = program.functions[subject].body.as_ref();
            let span = body.and_then(|body| body.stmts.last()).map(|last| last.span);
            let span = span.unwrap_or(program.functions[subject].span);
            sites.push(Site { function: subject, anchor: Anchor::End, reason: Reason::End, span });
        }
    }
    if request.loops {
        for &function in functions.iter().filter(|id| has_traces || **id != subject) {
            statements(program, function, &mut |stmt| {
                if let StmtKind::Loop(looped) = &stmt.kind
                    && !begins_with_trace(looped)
                {
                    sites.push(Site { function, anchor: Anchor::Head(stmt.id), reason: Reason::Loop, span: stmt.span });
                }
            });
        }
    }
    if request.loops {
        let calls = CallGraph::new(program);
        for &function in functions.iter().filter(|id| calls.is_recursive(**id)) {
            activations(program, function, &mut sites);
        }
    }
    for at in &request.at {
        let found = functions.iter().find_map(|&function| asked(program, function, at));
        match (found, at) {
            (Some(site), _) => sites.push(site),
            (None, At::Line { file, line }) => {
                let place = if file.is_empty() { format!("line {line}") } else { format!("{file}:{line}") };
                notes.push(format!("No statement that the entry can reach begins at {place}."));
            }
            (None, At::Label(name)) => {
                notes.push(format!("No function that the entry can reach has a label `{name}`."))
            }
        }
    }
    let order: Vec<FunctionId> = functions;
    sites.sort_by_key(|site| order.iter().position(|id| *id == site.function));
    sites
}

/// The places where activations of a recursive function start and end.
fn activations(program: &Program, function: FunctionId, sites: &mut Vec<Site>) {
    let span = program.functions[function].span;
    sites.push(Site { function, anchor: Anchor::Start, reason: Reason::Called, span });
    statements(program, function, &mut |stmt| {
        if let StmtKind::Return(_) = &stmt.kind {
            let anchor = Anchor::Before(stmt.id);
            sites.push(Site { function, anchor, reason: Reason::Result, span: stmt.span });
        }
    });
    if runs_off_the_end(program, function) {
        sites.push(Site { function, anchor: Anchor::End, reason: Reason::Result, span });
    }
}

/// Whether a function without a result may end without a `return`.
fn runs_off_the_end(program: &Program, function: FunctionId) -> bool {
    let ends = Cfg::new(program, function)
        .is_some_and(|cfg| cfg.exits().any(|b| cfg.blocks[b].terminator == ir::Terminator::Return(None)));
    let result = program.types.signature(program.functions[function].ty).map(|signature| signature.result);
    ends && result.is_some_and(|ty| program.types.is_void(ty))
}

/// Whether the first thing a round does is to pass a trace point: then that is its head.
fn begins_with_trace(looped: &ir::Loop) -> bool {
    let first = looped.body.stmts.iter().find(|stmt| !matches!(stmt.kind, StmtKind::Live(_)));
    let always = looped.cond.as_ref().is_none_or(|cond| matches!(cond.kind, ExprKind::Int(value) if value != 0));
    always && looped.pre.stmts.is_empty() && first.is_some_and(|stmt| matches!(stmt.kind, StmtKind::Trace(_)))
}

fn statements<'p>(program: &'p Program, function: FunctionId, visit: &mut impl FnMut(&'p Stmt)) {
    if let Some(body) = &program.functions[function].body {
        body.walk(visit);
    }
}

/// Where a place that the user names is in a function.
fn asked(program: &Program, function: FunctionId, at: &At) -> Option<Site> {
    let mut found = None;
    statements(program, function, &mut |stmt| {
        if found.is_some() {
            return;
        }
        match (at, &stmt.kind) {
            (At::Label(name), StmtKind::Label(id)) if program.functions[function].labels[*id].name == *name => {
                let reason = Reason::Label(name.clone());
                found = Some(Site { function, anchor: Anchor::After(stmt.id), reason, span: stmt.span });
            }
            (At::Line { .. }, StmtKind::Label(_) | StmtKind::Block(_) | StmtKind::Live(_)) => {}
            (At::Line { file, line }, _) => {
                let Some(region) = program.sources.used(stmt.span) else { return };
                let path = &program.sources.file(region.start.file).path;
                let same_file = file.is_empty() || path == file || path.ends_with(&format!("/{file}"));
                if same_file && region.start.line == *line {
                    let reason = Reason::Line(*line);
                    found = Some(Site { function, anchor: Anchor::Before(stmt.id), reason, span: stmt.span });
                }
            }
            _ => {}
        }
    });
    found
}

fn name_of(program: &Program, site: &Site) -> String {
    let line = program.sources.used(site.span).map_or_else(|| "?".to_string(), |r| r.start.line.to_string());
    match (&site.reason, site.anchor) {
        (Reason::Trace, Anchor::Before(id)) => {
            let mut name = String::new();
            statements(program, site.function, &mut |stmt| match &stmt.kind {
                StmtKind::Trace(point) if stmt.id == id => name.clone_from(&point.name),
                _ => {}
            });
            name
        }
        (Reason::Loop, _) => format!("loop at line {line}"),
        (Reason::End, _) => format!("end of {}", program.functions[site.function].name),
        (Reason::Called, _) => call_of(&program.functions[site.function].name),
        (Reason::Result, _) => result_of(&program.functions[site.function].name),
        (Reason::Line(line), _) => format!("line {line}"),
        (Reason::Label(name), _) => name.clone(),
        (Reason::Return | Reason::Trace, _) => format!("return at line {line}"),
    }
}

/// A location as it is seen from one statement.
struct View {
    function: FunctionId,
    anchor: Anchor,
    is_trace: bool,
    /// Whether all places of its name are one location.
    is_shared: bool,
    location: Location,
    /// One for each variable of the location.
    values: Vec<Expr>,
    arrays: Vec<(ShownArray, Expr)>,
}

/// What is to be added to one function.
struct Plan<'p> {
    program: &'p Program,
    function: FunctionId,
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
}

impl<'p> Plan<'p> {
    fn new(
        program: &'p Program,
        copy: &mut Program,
        function: FunctionId,
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
        };
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
                let names = [name.clone(), format!("2^{name}")];
                plan.ghosts.insert(looped, (Ghost { function, number, counter, power }, names));
            }
        }
        plan
    }

    /// What is seen at a site of this function; `None` if control cannot reach it.
    fn view(&mut self, site: &Site) -> Option<View> {
        let assigned = self.reachable.get(&site.anchor)?;
        let context = self.contexts.get(&site.anchor)?;
        let mut view = View {
            function: self.function,
            anchor: site.anchor,
            is_trace: site.reason == Reason::Trace,
            is_shared: matches!(site.reason, Reason::Trace | Reason::Result),
            location: Location {
                name: name_of(self.program, site),
                span: Some(site.span),
                variables: Vec::new(),
                guards: Vec::new(),
            },
            values: Vec::new(),
            arrays: Vec::new(),
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
        let rounds = if site.reason == Reason::Result { &[][..] } else { &context.loops };
        for looped in rounds {
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
    fn used_ghosts(&self, views: &[View]) -> Vec<Ghost> {
        let shows = |name: &str| {
            let own = views.iter().filter(|view| view.function == self.function);
            own.flat_map(|view| &view.location.variables).any(|v| v.role == Role::Ghost && v.name == name)
        };
        self.ghosts.values().filter(|(_, names)| shows(&names[0])).map(|(ghost, _)| *ghost).collect()
    }

    /// Puts the trace statements, the entry values and the ghosts into the copy.
    fn rewrite(&self, copy: &mut Program, views: &[View]) {
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
            let point = TracePoint { name: view.location.name.clone(), values };
            let stmt = Stmt::new(StmtKind::Trace(point), view.location.span.unwrap_or(Span::NONE));
            edits.traces.entry(view.anchor).or_default().push((stmt, view.is_trace));
        }
        let mut body = self.body.body.clone().expect("a function with a site should have a body");
        edits.block(&mut body);
        let mut first = Vec::new();
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

/// Makes one location of all trace points of one name and the same values, and gives every other location a name of
/// its own.
fn join(views: &mut [View]) -> Vec<(Location, Anchor, Vec<ShownArray>)> {
    let own = |view: &View| -> Vec<(String, Option<ValueType>)> {
        let program = view.location.variables.iter().filter(|v| v.role != Role::Ghost);
        program.map(|v| (v.name.clone(), v.ty)).collect()
    };
    let mut locations: Vec<(Location, Anchor, Vec<ShownArray>)> = Vec::new();
    for index in 0..views.len() {
        let same = |other: &View| {
            let arrays = |view: &View| view.arrays.iter().map(|(array, _)| array.clone()).collect::<Vec<_>>();
            other.is_shared
                && other.location.name == views[index].location.name
                && own(other) == own(&views[index])
                && arrays(other) == arrays(&views[index])
        };
        if views[index].is_shared && views[..index].iter().any(same) {
            continue;
        }
        let members: Vec<usize> = if views[index].is_shared {
            (index..views.len()).filter(|&i| same(&views[i])).collect()
        } else {
            vec![index]
        };
        // Only what all of them show is a value of the location; rounds of different functions are different things.
        let function = views[index].function;
        let one_function = members.iter().all(|&i| views[i].function == function);
        let kept: Vec<Variable> = views[index].location.variables.clone();
        let kept: Vec<Variable> = kept
            .into_iter()
            .filter(|v| v.role != Role::Ghost || one_function)
            .filter(|v| members.iter().all(|&i| views[i].location.variables.iter().any(|other| other.name == v.name)))
            .collect();
        let mut guards = views[index].location.guards.clone();
        guards.retain(|guard| members.iter().all(|&i| views[i].location.guards.contains(guard)));
        let plain = views[index].location.name.clone();
        let is_taken = |name: &str| locations.iter().any(|(l, ..)| l.name == name);
        let mut name = plain.clone();
        if !views[index].is_shared {
            // Rows are told apart by the names of places, of which one line can have many.
            let mut number = 2;
            while is_taken(&name) {
                name = format!("{plain} ({number})");
                number += 1;
            }
        }
        for &i in &members {
            let view = &mut views[i];
            let position = |v: &Variable| view.location.variables.iter().position(|other| other.name == v.name);
            let values = kept.iter().filter_map(position).map(|at| view.values[at].clone()).collect();
            view.values = values;
            view.location.variables.clone_from(&kept);
            view.location.name.clone_from(&name);
        }
        let location = Location { name, variables: kept, guards, ..views[index].location.clone() };
        let arrays = views[index].arrays.iter().map(|(array, _)| array.clone()).collect();
        locations.push((location, views[index].anchor, arrays));
    }
    locations
}

/// The trace statements of each location.
fn points(program: &Program, locations: &[Location], arrays: &[Vec<ShownArray>]) -> Vec<Vec<(FunctionId, StmtId)>> {
    let mut points = vec![Vec::new(); locations.len()];
    for (function, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Trace(point) = &stmt.kind {
                let shows = |(l, arrays): (&Location, &Vec<ShownArray>)| {
                    let names = l.variables.iter().map(|v| &v.name).chain(arrays.iter().map(|a| &a.name));
                    let is_length = |name: &&String| arrays::is_length(name);
                    let shown = point.values.iter().map(|(name, _)| name).take_while(|name| !is_length(name));
                    l.name == point.name && names.eq(shown)
                };
                if let Some(index) = locations.iter().zip(arrays).position(shows) {
                    points[index].push((function, stmt.id));
                }
            }
        });
    }
    points
}

/// The changes to the body of one function.
struct Edits<'p> {
    program: &'p Program,
    /// The statement to put there, and whether it takes the place of the one that is there.
    traces: BTreeMap<Anchor, Vec<(Stmt, bool)>>,
    ghosts: BTreeMap<StmtId, Ghost>,
    power: IntKind,
}

impl Edits<'_> {
    fn block(&self, block: &mut Block) {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let mut replaced = false;
            for (trace, replaces) in self.at(Anchor::Before(stmt.id)) {
                stmts.push(trace.clone());
                replaced |= *replaces;
            }
            if let Some(ghost) = self.ghosts.get(&stmt.id) {
                stmts.extend(self.reset(ghost, stmt.span));
            }
            self.inside(&mut stmt);
            let id = stmt.id;
            if !replaced {
                stmts.push(stmt);
            }
            stmts.extend(self.at(Anchor::After(id)).iter().map(|(trace, _)| trace.clone()));
        }
        block.stmts = stmts;
    }

    fn at(&self, anchor: Anchor) -> &[(Stmt, bool)] {
        self.traces.get(&anchor).map_or(&[], Vec::as_slice)
    }

    fn inside(&self, stmt: &mut Stmt) {
        stmt.blocks_mut().into_iter().for_each(|block| self.block(block));
        let (id, span) = (stmt.id, stmt.span);
        let StmtKind::Loop(looped) = &mut stmt.kind else { return };
        if let Some(ghost) = self.ghosts.get(&id) {
            // The step is where a round ends, also one that `continue` ends; in a `do`-loop that is where the
            // condition is looked at.
            let counted = self.count(ghost, span);
            match looped.kind {
                LoopKind::DoWhile => looped.pre.stmts.splice(0..0, counted).for_each(drop),
                LoopKind::While | LoopKind::For => looped.step.stmts.extend(counted),
            }
        }
        let head = if looped.kind == LoopKind::DoWhile { &mut looped.body } else { &mut looped.pre };
        let traces = self.at(Anchor::Head(id)).iter().map(|(trace, _)| trace.clone());
        head.stmts.splice(0..0, traces).for_each(drop);
    }

    /// The loop is entered.
    fn reset(&self, ghost: &Ghost, span: Span) -> [Stmt; 2] {
        self.updates(ghost, span, |_, kind, first| Expr::int(first, self.program.types.int(kind), span))
    }

    /// A round of the loop is done.
    fn count(&self, ghost: &Ghost, span: Span) -> [Stmt; 2] {
        self.updates(ghost, span, |local, kind, first| {
            let ty = self.program.types.int(kind);
            let (op, by) = if first == 0 { (BinaryOp::Add, 1) } else { (BinaryOp::Mul, 2) };
            let value = Box::new(Expr::load(Lvalue::local(local, ty, span)));
            Expr::new(ExprKind::Binary(op, value, Box::new(Expr::int(by, ty, span))), ty, span)
        })
    }

    fn updates(&self, ghost: &Ghost, span: Span, value: impl Fn(LocalId, IntKind, i128) -> Expr) -> [Stmt; 2] {
        [(ghost.counter, IntKind::Long, 0), (ghost.power, self.power, 1)].map(|(local, kind, first)| {
            let target = Lvalue::local(local, self.program.types.int(kind), span);
            Stmt::new(StmtKind::Assign { target, value: value(local, kind, first) }, span)
        })
    }
}
