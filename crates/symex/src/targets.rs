//! From what the user names to places of the program, and a copy of the program in which they are marked.
//!
//! A place is marked by a trace point in front of it, so that both engines notice when control comes by: also at a
//! label, which is no statement that does anything.

use crate::explore::Goal;
use crate::explore::goals::order;
use diagnostics::{SourceMap, Span};
use ir::{AssertKind, Block, Branch, Cfg, EntityRef, FunctionId, Outcome, Program, Stmt, StmtId, StmtKind, TracePoint};
use std::collections::HashMap;

/// What the user asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A label, or a function by its name.
    Name(String),
    Line {
        file: Option<String>,
        line: u32,
    },
    /// The assertions of the program, broken.
    Assert,
    /// A broken assertion, an abort, undefined behaviour.
    Error,
}

impl Wanted {
    /// `LABEL`, `FILE:LINE`, `LINE`, `assert` or `error`.
    pub fn parse(text: &str) -> Wanted {
        if let Ok(line) = text.parse() {
            return Wanted::Line { file: None, line };
        }
        if let Some((file, line)) = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            return Wanted::Line { file: Some(file.to_string()), line };
        }
        match text {
            "assert" => Wanted::Assert,
            "error" => Wanted::Error,
            name => Wanted::Name(name.to_string()),
        }
    }
}

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Control comes to the statement.
    Place,
    /// The claim is broken.
    Claim(AssertKind),
    /// Anything goes wrong.
    Error,
    /// A branching statement goes this way.
    Branch(Outcome),
}

#[derive(Clone, Debug)]
pub struct Target {
    /// As the user knows it.
    pub name: String,
    pub kind: Kind,
    /// Function and statement, in the program as it was given; none for [`Kind::Error`].
    pub at: Option<(FunctionId, StmtId)>,
    pub span: Span,
}

/// Why something cannot be looked for: a message and the next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetError {
    pub message: String,
    pub help: String,
}

/// The program with its targets marked.
pub struct Marked {
    pub program: Program,
    /// One for each target.
    pub goals: Vec<Goal>,
}

/// Finds what is asked for.
pub fn resolve(program: &Program, wanted: &[(String, Wanted)]) -> Result<Vec<Target>, TargetError> {
    let mut targets = Vec::new();
    for (text, wanted) in wanted {
        match wanted {
            Wanted::Error => {
                targets.push(Target { name: text.clone(), kind: Kind::Error, at: None, span: Span::NONE });
            }
            Wanted::Assert => targets.extend(claims(program)?),
            Wanted::Name(name) => targets.extend(named(program, name)?),
            Wanted::Line { file, line } => targets.extend(line_targets(program, text, file.as_deref(), *line)?),
        }
    }
    Ok(targets)
}

fn claims(program: &Program) -> Result<Vec<Target>, TargetError> {
    let mut targets = Vec::new();
    for (id, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Assert { kind, .. } = &stmt.kind {
                let target = Target {
                    name: "assert".to_string(),
                    kind: Kind::Claim(*kind),
                    at: Some((id, stmt.id)),
                    span: stmt.span,
                };
                targets.push(target);
            }
        });
    }
    if targets.is_empty() {
        return Err(TargetError {
            message: "the program has no assertion".to_string(),
            help: "--target error looks for everything that can go wrong".to_string(),
        });
    }
    Ok(targets)
}

fn named(program: &Program, name: &str) -> Result<Vec<Target>, TargetError> {
    let (in_function, label) = match name.rsplit_once(':') {
        Some((function, label)) => (Some(function), label),
        None => (None, name),
    };
    let mut targets = Vec::new();
    let mut known = Vec::new();
    for (id, function, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            let StmtKind::Label(at) = &stmt.kind else { return };
            let here = &function.labels[*at];
            if !here.name.is_empty() {
                known.push(here.name.clone());
            }
            if here.name == label && in_function.is_none_or(|wanted| wanted == function.name) {
                let (kind, span) = (Kind::Place, stmt.span);
                targets.push(Target { name: name.to_string(), kind, at: Some((id, stmt.id)), span });
            }
        });
    }
    if targets.is_empty()
        && let Some(id) = program.find_function(name)
        && let Some(first) = program.functions[id].body.as_ref().and_then(|body| first_statement(body))
    {
        let span = first.span;
        targets.push(Target { name: name.to_string(), kind: Kind::Place, at: Some((id, first.id)), span });
    }
    if !targets.is_empty() {
        return Ok(targets);
    }
    known.sort();
    known.dedup();
    known.truncate(20);
    let help = match known.is_empty() {
        true => "the program has no labels; --target takes FILE:LINE, a line, `assert` or `error` too".to_string(),
        false => {
            format!("labels of the program: {}; --target takes FILE:LINE, `assert` and `error` too", known.join(", "))
        }
    };
    Err(TargetError { message: format!("no label or function `{name}` is in these files"), help })
}

fn first_statement(body: &Block) -> Option<&Stmt> {
    body.stmts.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Block(inner) => first_statement(inner),
        _ => Some(stmt),
    })
}

/// Where a statement stands: file and line.
fn line_of(sources: &SourceMap, span: Span) -> Option<(&str, u32)> {
    let region = sources.used(span)?;
    Some((sources.file(region.start.file).path.as_str(), region.start.line))
}

/// The statements by which control comes to a line: the first of each stretch, in every function that has the line. There are
/// several where a line has code of two branches, or stands in a header that several files include.
fn line_targets(program: &Program, text: &str, file: Option<&str>, line: u32) -> Result<Vec<Target>, TargetError> {
    let sources = &program.sources;
    let same_file = |path: &str| match file {
        None => true,
        Some(file) => path == file || path.ends_with(&format!("/{file}")) || file.ends_with(&format!("/{path}")),
    };
    if let Some(file) = file
        && !sources.files().any(|(_, known)| same_file(&known.path))
    {
        let mut known: Vec<&str> = sources.files().filter(|(_, f)| !f.system).map(|(_, f)| f.path.as_str()).collect();
        known.sort_unstable();
        return Err(TargetError {
            message: format!("the file {file} is not part of the program"),
            help: format!("files of the program: {}", known.join(", ")),
        });
    }
    let mut targets: Vec<Target> = Vec::new();
    let (mut before, mut after) = (None::<u32>, None::<u32>);
    // A line alone means a line of a file that the program was given as, not of a header.
    let main_files: Vec<&str> = program
        .defined_functions()
        .filter_map(|(_, function, _)| line_of(sources, function.span))
        .map(|(path, _)| path)
        .filter(|path| !path.ends_with(".h"))
        .collect();
    let line_in_file = |span: Span| {
        let (path, at) = line_of(sources, span)?;
        (same_file(path) && (file.is_some() || main_files.contains(&path))).then_some(at)
    };
    for (id, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| match line_in_file(stmt.span).filter(|_| !matches!(stmt.kind, StmtKind::Block(_))) {
            Some(at) if at < line => before = before.max(Some(at)),
            Some(at) if at > line => after = Some(after.map_or(at, |known| known.min(at))),
            _ => {}
        });
        let mut firsts = Vec::new();
        first_on_line(body, &|stmt| line_in_file(stmt.span) == Some(line), false, &mut firsts);
        targets.extend(firsts.into_iter().map(|(stmt, span)| Target {
            name: text.to_string(),
            kind: Kind::Place,
            at: Some((id, stmt)),
            span,
        }));
    }
    targets.sort_by_key(|target| target.span.lo);
    match targets.is_empty() {
        false => Ok(targets),
        true => {
            let near: Vec<String> = [before, after].into_iter().flatten().map(|line| line.to_string()).collect();
            let help = match near.is_empty() {
                true => "the file has no functions with statements".to_string(),
                false => format!("the nearest lines with statements: {}", near.join(", ")),
            };
            let place = file.map_or(format!("line {line}"), |file| format!("{file}:{line}"));
            Err(TargetError { message: format!("no statement begins at {place}"), help })
        }
    }
}

/// Collects the statements on a line that control can come to without having passed another one of it. `passed` says that
/// it has.
fn first_on_line(
    block: &Block,
    is_on_line: &impl Fn(&Stmt) -> bool,
    mut passed: bool,
    found: &mut Vec<(StmtId, Span)>,
) {
    for stmt in &block.stmts {
        // A label can be come to from anywhere.
        passed &= !matches!(stmt.kind, StmtKind::Label(_));
        if !passed && !matches!(stmt.kind, StmtKind::Block(_)) && is_on_line(stmt) {
            found.push((stmt.id, stmt.span));
            passed = true;
        }
        for inner in stmt.blocks() {
            first_on_line(inner, is_on_line, passed, found);
        }
        // Nor is it known which way control came out of a block with labels.
        passed &= !stmt.blocks().into_iter().any(has_label);
    }
}

fn has_label(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Label(_)) || stmt.blocks().into_iter().any(has_label))
}

/// Every branch of the functions, in the order of the text.
pub fn branches(program: &Program, functions: &[FunctionId]) -> Vec<Target> {
    let mut targets = Vec::new();
    for &id in functions {
        let Some(cfg) = Cfg::new(program, id) else { continue };
        let mut all: Vec<Branch> = cfg.branches().collect();
        // Branches in code that control cannot come to are branches all the same.
        if let Some(body) = &program.functions[id].body {
            body.walk(&mut |stmt| all.extend(dead_branches(&cfg, stmt)));
        }
        all.sort_by_key(|branch| (branch.stmt, order(branch.outcome)));
        all.dedup();
        let mut spans = HashMap::new();
        if let Some(body) = &program.functions[id].body {
            body.walk(&mut |stmt| {
                spans.insert(stmt.id, (stmt.span, arm_values(stmt)));
            });
        }
        for branch in all {
            let (span, arms) = &spans[&branch.stmt];
            let outcome = match branch.outcome {
                Outcome::True => "true".to_string(),
                Outcome::False => "false".to_string(),
                Outcome::Default => "default".to_string(),
                Outcome::Arm(index) => match arms[index as usize] {
                    (low, high) if low == high => format!("case {low}"),
                    (low, high) => format!("case {low} ... {high}"),
                },
            };
            targets.push(Target {
                name: outcome,
                kind: Kind::Branch(branch.outcome),
                at: Some((id, branch.stmt)),
                span: *span,
            });
        }
    }
    targets
}

fn dead_branches(cfg: &Cfg<'_>, stmt: &Stmt) -> Vec<Branch> {
    if cfg.block_of(stmt.id).is_some() {
        return Vec::new();
    }
    let branch = |outcome| Branch { stmt: stmt.id, outcome };
    match &stmt.kind {
        StmtKind::If { .. } => vec![branch(Outcome::True), branch(Outcome::False)],
        StmtKind::Loop(looped) if looped.cond.is_some() => vec![branch(Outcome::True), branch(Outcome::False)],
        StmtKind::Switch { arms, .. } => {
            let arms = (0..arms.len() as u32).map(|index| branch(Outcome::Arm(index)));
            arms.chain([branch(Outcome::Default)]).collect()
        }
        _ => Vec::new(),
    }
}

pub fn arm_values(stmt: &Stmt) -> Vec<(i128, i128)> {
    match &stmt.kind {
        StmtKind::Switch { arms, .. } => arms.iter().map(|arm| (arm.low, arm.high)).collect(),
        _ => Vec::new(),
    }
}

/// The name of the trace point in front of a target.
pub fn point_name(number: usize) -> String {
    format!("plumb target {number}")
}

/// Puts trace points in front of the places, and says what each target is in the marked program.
pub fn mark(program: &Program, targets: &[Target]) -> Marked {
    let mut marked = program.clone();
    let mut places: HashMap<FunctionId, Vec<(StmtId, usize)>> = HashMap::new();
    for (number, target) in targets.iter().enumerate() {
        if let (Kind::Place, Some((function, stmt))) = (&target.kind, target.at) {
            places.entry(function).or_default().push((stmt, number));
        }
    }
    let mut renumbered: HashMap<(FunctionId, StmtId), StmtId> = HashMap::new();
    for (id, function) in marked.functions.iter_mut() {
        let Some(body) = &mut function.body else { continue };
        let none = Vec::new();
        insert(body, places.get(&id).unwrap_or(&none));
        let mut old = Vec::new();
        body.walk(&mut |stmt| old.push(stmt.id));
        function.number_statements();
        let mut new = Vec::new();
        if let Some(body) = &function.body {
            body.walk(&mut |stmt| new.push((stmt.id, is_mark(stmt))));
        }
        for (old, (new, is_mark)) in old.into_iter().zip(new) {
            if !is_mark {
                renumbered.insert((id, old), new);
            }
        }
    }
    let goals = targets.iter().enumerate().map(|(number, target)| match (&target.kind, target.at) {
        (Kind::Place, _) => Goal::Point(point_name(number)),
        (Kind::Claim(_), Some((function, stmt))) => Goal::Claim(function, renumbered[&(function, stmt)]),
        (Kind::Branch(outcome), Some((function, stmt))) => {
            Goal::Branch(function, Branch { stmt: renumbered[&(function, stmt)], outcome: *outcome })
        }
        _ => Goal::Error,
    });
    let goals = goals.collect();
    Marked { program: marked, goals }
}

fn is_mark(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Trace(point) if point.name.starts_with("plumb target "))
}

fn insert(block: &mut Block, places: &[(StmtId, usize)]) {
    if places.is_empty() {
        return;
    }
    for stmt in &mut block.stmts {
        for inner in stmt.blocks_mut() {
            insert(inner, places);
        }
    }
    let mut stmts = Vec::with_capacity(block.stmts.len());
    for stmt in std::mem::take(&mut block.stmts) {
        let is_label = matches!(stmt.kind, StmtKind::Label(_));
        let marks: Vec<Stmt> = places
            .iter()
            .filter(|(at, _)| *at == stmt.id && !is_mark(&stmt))
            .map(|(_, number)| {
                let point = TracePoint { name: point_name(*number), values: Vec::new() };
                Stmt::new(StmtKind::Trace(point), stmt.span)
            })
            .collect();
        // Control comes to a label from elsewhere, so the mark stands behind it.
        if is_label {
            stmts.push(stmt);
            stmts.extend(marks);
        } else {
            stmts.extend(marks);
            stmts.push(stmt);
        }
    }
    block.stmts = stmts;
}

/// The functions that a call of the entry can lead to, in the order of the text.
pub fn functions_in_reach(program: &Program, entry: FunctionId) -> Vec<FunctionId> {
    let graph = ir::CallGraph::new(program);
    let mut ids: Vec<FunctionId> =
        graph.reachable(entry).into_iter().filter(|id| program.functions[*id].body.is_some()).collect();
    ids.sort_by_key(|id| (program.functions[*id].span.lo, id.index()));
    ids
}
