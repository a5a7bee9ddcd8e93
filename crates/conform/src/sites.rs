//! The calls that read or write, one by one: what each moves, and who said so.
//!
//! In order of strength: a line of `--io-sites`, a comment at the call, the user's table, the built-in table. A site
//! whose pattern cannot be told (a format that is not constant) is kept with its trouble, so that the verdict can say
//! it.

use super::cells::without_conversions;
use super::ends::{Ends, Notice};
use super::format;
use super::kinds::{Item, Kinds, What};
use super::memory;
use super::table::{Action, Io, ListedSite, Moves, Role, plain};
use super::targets::Targets;
use diagnostics::{SourceMap, Span};
use ir::{Base, Callee, Expr, ExprKind, FunctionId, GlobalKind, InitValue, Lvalue, Program, Stmt, StmtId, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// A call that was considered.
#[derive(Clone, Debug)]
pub struct Site {
    pub function: FunctionId,
    pub stmt: StmtId,
    pub span: Span,
    pub callee: String,
    pub does: Does,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Does {
    Moves(Moves),
    /// Said not to be input or output.
    Nothing,
    Fails,
    /// What it moves cannot be told.
    Untold(String),
}

/// All sites of one side.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    pub all: Vec<Site>,
    by_stmt: BTreeMap<(FunctionId, StmtId), usize>,
    /// Of calls through pointers, by the function that is reached.
    by_target: BTreeMap<(FunctionId, StmtId, FunctionId), usize>,
    /// Calls of functions that hand on the result of a read, where nobody asks whether it was the end of the input.
    pub(super) unwatched: BTreeSet<(FunctionId, StmtId)>,
}

impl Sites {
    /// What a call through a pointer means when it reaches this function.
    pub(super) fn find_target(&self, function: FunctionId, stmt: StmtId, target: FunctionId) -> Option<usize> {
        self.by_target.get(&(function, stmt, target)).copied()
    }

    pub fn find(&self, function: FunctionId, stmt: StmtId) -> Option<usize> {
        self.by_stmt.get(&(function, stmt)).copied()
    }
}

/// Finds the sites of one side.
pub fn sites(program: &Program, role: Role, io: &mut Io) -> Result<Sites, String> {
    let mut found = Sites::default();
    let listed = io.side(role).sites.clone();
    // A call that is said to be nothing may be one of the other side.
    let must = |line: &ListedSite| !matches!(line.action, Action::Ignored | Action::Fails);
    let numbered = listed.iter().flatten().enumerate();
    let mut unused: BTreeSet<usize> = numbered.filter(|(_, line)| must(line)).map(|(number, _)| number).collect();
    let graph = ir::CallGraph::new(program);
    let targets = Targets::new(program, &graph);
    let mut deciding = Deciding { program, role, ends: Ends::new(program), handing: Vec::new() };
    for (function, _, body) in program.defined_functions() {
        let mut calls: Vec<(&Stmt, &str)> = Vec::new();
        body.walk(&mut |stmt| {
            if let StmtKind::Call { callee: Callee::Function(callee), .. } = &stmt.kind {
                calls.push((stmt, &program.functions[*callee].name));
            } else if let StmtKind::Call { callee: Callee::Pointer(_), .. } = &stmt.kind {
                calls.push((stmt, "a pointer"));
            }
        });
        let comments = comments(&calls, &program.sources, role, &mut io.kinds)?;
        for (index, (stmt, callee)) in calls.iter().enumerate() {
            // A function of the program that wraps a library function of that name is looked into.
            let counts = told(io, role, callee) || is_library(program, stmt);
            let usual = io.action(role, callee).filter(|_| counts && !is_error_stream(program, stmt, callee));
            let mut said = true;
            let action = match (&listed, comments.get(&index)) {
                (Some(listed), _) => {
                    let here =
                        listed.iter().enumerate().filter(|(_, line)| names(line, stmt, callee, &program.sources));
                    let here: Vec<(usize, &ListedSite)> = here.collect();
                    for (number, _) in &here {
                        unused.remove(number);
                    }
                    let fails = io.fails.iter().any(|name| name == callee).then_some(Action::Fails);
                    here.first().map(|(_, line)| line.action.clone()).or(fails)
                }
                (None, Some(comment)) => Some(comment.clone()),
                (None, None) => {
                    said = false;
                    usual.clone()
                }
            };
            let Some(action) = action else {
                let StmtKind::Call { callee: Callee::Pointer(pointer), .. } = &stmt.kind else { continue };
                if listed.is_some() {
                    continue;
                }
                for target in targets.of(program, &graph, function, pointer) {
                    let name = &program.functions[target].name;
                    let counts = told(io, role, name) || program.functions[target].body.is_none();
                    let Some(action) = io.action(role, name).filter(|_| counts) else { continue };
                    let does = deciding.decide(function, stmt, action, io);
                    found.by_target.insert((function, stmt.id, target), found.all.len());
                    found.all.push(Site { function, stmt: stmt.id, span: stmt.span, callee: name.clone(), does });
                }
                continue;
            };
            let does = deciding.decide(function, stmt, action, io);
            let does = match (does, usual.filter(|_| said)) {
                (Does::Moves(moves), Some(usual)) => {
                    retold(moves, deciding.decide(function, stmt, usual, io), &io.kinds)
                }
                (does, _) => does,
            };
            found.by_stmt.insert((function, stmt.id), found.all.len());
            found.all.push(Site { function, stmt: stmt.id, span: stmt.span, callee: callee.to_string(), does });
        }
    }
    if let (Some(listed), Some(number)) = (&listed, unused.first()) {
        let line = &listed[*number];
        return Err(format!("{}:{}:{} has no call of `{}`", line.file, line.line, line.column, line.callee));
    }
    found.unwatched = deciding.ends.unwatched(&deciding.handing);
    Ok(found)
}

/// What somebody says about a single call changes what it moves, and nothing of how it behaves at the end of the input.
fn retold(moves: Moves, usual: Does, kinds: &Kinds) -> Does {
    match usual {
        Does::Moves(usual) if kinds.show(&usual.pattern) == kinds.show(&moves.pattern) => Does::Moves(usual),
        Does::Moves(usual) => Does::Moves(Moves { end: usual.end, returned: usual.returned, ..moves }),
        _ => Does::Moves(moves),
    }
}

fn told(io: &Io, role: Role, name: &str) -> bool {
    let table = if role == Role::Producer { &io.writes } else { &io.reads };
    table.contains_key(name) || io.fails.iter().any(|fail| fail == name)
}

fn is_library(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Call { callee: Callee::Function(callee), .. } = &stmt.kind else { return false };
    program.functions[*callee].body.is_none()
}

fn is_error_stream(program: &Program, stmt: &Stmt, callee: &str) -> bool {
    let StmtKind::Call { args, .. } = &stmt.kind else { return false };
    let Some(position) = Io::stream(callee) else { return false };
    let Some(stream) = args.get(position as usize - 1) else { return false };
    match &without_conversions(stream).kind {
        ExprKind::Load(Lvalue { base: Base::Global(id), path, .. }) => {
            path.is_empty() && program.globals[*id].name == "stderr"
        }
        // The descriptor of the same.
        ExprKind::Int(descriptor) => *descriptor == 2,
        _ => false,
    }
}

fn names(line: &ListedSite, stmt: &Stmt, callee: &str, sources: &SourceMap) -> bool {
    let Some(region) = sources.used(stmt.span) else { return false };
    line.callee == callee
        && line.line == region.start.line
        && line.column == region.start.column
        && sources.file(region.start.file).path == line.file
}

/// What comments of the form `/* plumb: writes u32 */` say about calls, by the number of the call.
fn comments(
    calls: &[(&Stmt, &str)],
    sources: &SourceMap,
    role: Role,
    kinds: &mut Kinds,
) -> Result<BTreeMap<usize, Action>, String> {
    let mut by_line: BTreeMap<(diagnostics::FileId, u32), Vec<usize>> = BTreeMap::new();
    for (index, (stmt, _)) in calls.iter().enumerate() {
        if let Some(region) = sources.used(stmt.span) {
            by_line.entry((region.start.file, region.start.line)).or_default().push(index);
        }
    }
    let mut said = BTreeMap::new();
    for ((file, line), here) in by_line {
        let file = sources.file(file);
        let own = file.line(line).and_then(|text| Some((text, mark(text)?)));
        // A comment that stands alone speaks of the next line.
        let above = || {
            let text = file.line(line.checked_sub(1)?)?.trim();
            let alone = text.starts_with("/*") && text.find("*/") == Some(text.len().saturating_sub(2));
            (alone || text.starts_with("//")).then_some(())?;
            Some((text, mark(text)?))
        };
        let Some((_, (column, words))) = own.or_else(above) else { continue };
        let words = words.trim();
        let (verb, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let place = format!("{}:{line}", file.path);
        let action = match (verb, role) {
            ("writes", Role::Producer) | ("reads", Role::Consumer) => {
                let pattern = kinds.pattern(rest).map_err(|why| format!("{place}: {why}"))?;
                Action::Moves(Moves { pattern, ..Moves::default() })
            }
            ("writes" | "reads", _) => continue,
            ("ignore", _) => Action::Ignored,
            ("fails", _) => Action::Fails,
            _ => {
                return Err(format!(
                    "{place}: `plumb: {words}` is not understood; write `plumb: writes TYPES`, `plumb: reads TYPES`, \
                     `plumb: ignore` or `plumb: fails`"
                ));
            }
        };
        // The outermost call that starts last before the comment is meant.
        let start = |index: &usize| sources.used(calls[*index].0.span).map_or(0, |region| region.start.column);
        let outer = |index: &&usize| {
            !here.iter().any(|other| {
                let (inner, outer) = (calls[**index].0.span, calls[*other].0.span);
                other != *index && outer.contains(inner) && outer != inner
            })
        };
        let outermost: Vec<usize> = here.iter().filter(outer).copied().collect();
        let before = outermost.iter().filter(|index| start(index) as usize <= column).max_by_key(|index| start(index));
        if let Some(index) = before.or(outermost.first()) {
            said.insert(*index, action);
        }
    }
    Ok(said)
}

/// Where a `plumb:` comment starts on the line, and what it says.
fn mark(text: &str) -> Option<(usize, &str)> {
    let at = text.find("plumb:")?;
    let opened = text[..at].trim_end();
    if !opened.ends_with("/*") && !opened.ends_with("//") {
        return None;
    }
    let words = &text[at + "plumb:".len()..];
    Some((at, words.split("*/").next().unwrap_or(words)))
}

/// Decides what calls move.
struct Deciding<'p> {
    program: &'p Program,
    role: Role,
    ends: Ends,
    /// Functions that hand on what a read returned, what it returns at the end, and whether that is a count.
    handing: Vec<(FunctionId, i128, bool)>,
}

impl Deciding<'_> {
    fn decide(&mut self, function: FunctionId, stmt: &Stmt, action: Action, io: &mut Io) -> Does {
        let StmtKind::Call { args, result, .. } = &stmt.kind else { return Does::Nothing };
        let program = self.program;
        let argument = |position: u32| args.get(position as usize - 1);
        let formatted = matches!(action, Action::Format(_));
        if let StmtKind::Call { callee: Callee::Function(callee), .. } = &stmt.kind
            && plain(&program.functions[*callee].name) == "getdelim"
            && argument(3).and_then(super::ends::integer) != Some(i128::from(b'\n'))
        {
            return Does::Untold("what ends a piece is no newline".to_string());
        }
        let mut moves = match action {
            Action::Ignored => return Does::Nothing,
            Action::Fails => return Does::Fails,
            Action::Moves(moves) => moves,
            Action::Format(position) => match argument(position).and_then(|format| string(program, format)) {
                Some(text) => match format::pattern(&text, self.role, &mut io.kinds) {
                    Ok((pattern, assigned)) => {
                        Moves { pattern, end: Some(-1), returned: Some((assigned, Some(assigned))), ..Moves::default() }
                    }
                    Err(why) => return Does::Untold(why),
                },
                None => return Does::Untold("its format is not a constant string".to_string()),
            },
            Action::Text { position, newline } => {
                let mut pattern = match argument(position).and_then(|text| string(program, text)) {
                    Some(text) => format::text(&text, &mut io.kinds),
                    None => vec![Item::once(io.kinds.builtin("ascii-word"))],
                };
                pattern.extend(newline.then(|| Item::once(io.kinds.builtin("newline"))));
                Moves { pattern, ..Moves::default() }
            }
            Action::Memory { pointer, size } => {
                // Who reads into a buffer of characters and does not insist on all of them takes fewer too.
                let count = size.last().and_then(|position| argument(*position));
                let partial = match (self.role, result, count) {
                    (Role::Consumer, Some(result), Some(count)) => {
                        self.ends.notice(program, function, result, 0, true) != Notice::Nobody
                            && !self.ends.insists(program, function, result, count)
                    }
                    _ => false,
                };
                memory::moved(program, pointer, &size, args, partial, &mut io.kinds)
            }
        };
        if self.role == Role::Producer {
            moves.end = None;
            // What `printf` returns is a number of characters.
            if formatted {
                moves.returned = None;
            }
            // A function of one parameter writes it, if it writes a number.
            let number =
                matches!(moves.pattern[..], [Item { what: What::Kind(kind), .. }] if io.kinds.bits(kind).is_some());
            if moves.value.is_none() && args.len() == 1 && number {
                moves.value = Some(1);
            }
        } else {
            moves.asked = match moves.value {
                // What is read to where a pointer leads may be asked about by anybody.
                Some(1..) => true,
                _ => result.as_ref().is_some_and(|result| self.ends.asks(program, function, result, moves.end)),
            };
        }
        if let (Role::Consumer, Some(end)) = (self.role, moves.end) {
            // A character is asked about for many reasons, a count only for one.
            let any = moves.value != Some(0);
            let notice = result.as_ref().map(|result| self.ends.notice(program, function, result, end, any));
            match notice {
                Some(Notice::Here) => {}
                Some(Notice::Handed) => self.handing.push((function, end, any)),
                Some(Notice::Nobody) | None => moves.end = None,
            }
        }
        Does::Moves(moves)
    }
}

/// The bytes of a constant string that an expression points to, without the zero at its end.
pub(super) fn string(program: &Program, expr: &Expr) -> Option<Vec<u8>> {
    let ExprKind::AddressOf(Lvalue { base: Base::Global(id), path, .. }) = &without_conversions(expr).kind else {
        return None;
    };
    let global = &program.globals[*id];
    if global.kind != GlobalKind::StringLiteral && !global.is_const {
        return None;
    }
    let first = |step: &ir::Step| matches!(step, ir::Step::Index(index) if index.kind == ExprKind::Int(0));
    if !path.iter().all(first) {
        return None;
    }
    let mut bytes = Vec::new();
    for item in &global.init.as_ref()?.items {
        match &item.value {
            InitValue::Bytes(more) if item.offset as usize == bytes.len() => bytes.extend(more),
            _ => return None,
        }
    }
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    bytes.truncate(end);
    Some(bytes)
}
