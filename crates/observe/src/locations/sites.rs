//! Where to look: trace points, heads of loops, exits, activations of recursive functions, and what the user names.

use super::{At, Request, call_of, result_of};
use crate::LocationKind;
use crate::guards::Anchor;
use diagnostics::Span;
use ir::{CallGraph, Cfg, ExprKind, FunctionId, Program, Stmt, StmtKind};
use std::collections::BTreeSet;

/// What makes a site a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reason {
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
pub(super) struct Site {
    pub(super) function: FunctionId,
    pub(super) anchor: Anchor,
    pub(super) reason: Reason,
    pub(super) span: Span,
}

/// The places to look at, function by function, the one that the user asks about first, each in the order of the text.
pub(super) fn sites(program: &Program, entry: FunctionId, request: &Request, notes: &mut Vec<String>) -> Vec<Site> {
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

pub(super) fn statements<'p>(program: &'p Program, function: FunctionId, visit: &mut impl FnMut(&'p Stmt)) {
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

pub(super) fn kind_of(site: &Site) -> LocationKind {
    match (&site.reason, site.anchor) {
        (Reason::Trace, Anchor::Before(_)) => LocationKind::Trace,
        (Reason::Loop, _) => LocationKind::Loop,
        (Reason::End, _) => LocationKind::End,
        (Reason::Called, _) => LocationKind::Call,
        (Reason::Result, _) => LocationKind::Result,
        (Reason::Line(_), _) => LocationKind::Line,
        (Reason::Label(_), _) => LocationKind::Label,
        (Reason::Return | Reason::Trace, _) => LocationKind::Return,
    }
}

pub(super) fn name_of(program: &Program, site: &Site) -> String {
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
