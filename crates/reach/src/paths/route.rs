//! The statements that a path goes through, in the order they run; or the place where the path cannot be one.
//!
//! A path is statically plausible if the program could take it were every value free to change between any two
//! statements. This is decided here, by following the path through the structured program.
//!
//! `&&`, `||` and `?:` are no branching statements of the notation. Where the front end had to make an `if` of one, the
//! whole is a single step of the route.

use super::error::PathError;
use super::notation::{At, CaseValue, ItemKind, LoopPath, Sequence};
use diagnostics::{SourceMap, Span};
use ir::{Arm, Block, Expr, Function, LabelId, Loop, LoopKind, Stmt, StmtId, StmtKind};

/// One step of a route.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A statement that runs as a whole.
    Run(&'a Stmt),
    /// The condition has this truth value.
    Require { cond: &'a Expr, value: bool },
    /// The switch goes to this label, or past its end.
    Case { value: &'a Expr, arms: &'a [Arm], label: Option<LabelId>, default: Option<LabelId> },
    /// So many iterations of a loop, whatever happens in them; then it is left, or the path stops.
    Power { looped: &'a Loop, times: u32, leaves: bool, span: Span },
}

/// What a run along the path shows, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// The condition of an `if`.
    Branch(StmtId, bool),
    /// The label that a `switch` goes to.
    Case(StmtId, Option<LabelId>),
    /// The body of a loop starts.
    Iteration(StmtId),
    /// A loop is left, other than by `return`.
    Left(StmtId),
    /// So many iterations of a loop, whatever else is seen until it is left or would start again.
    Count { id: StmtId, times: u32, leaves: bool },
}

#[derive(Clone, Debug, Default)]
pub struct Route<'a> {
    pub steps: Vec<Step<'a>>,
    pub signs: Vec<Sign>,
}

/// How a sequence of statements ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Normal,
    Break(Span),
    Continue,
    Return(Span),
    /// The path stops here.
    Stop(At),
}

/// Whether the statement is an `if` of the user's, and not one that stands for `&&`, `||` or `?:`.
pub fn is_written_if(sources: &SourceMap, stmt: &Stmt) -> bool {
    let StmtKind::If { cond, .. } = &stmt.kind else { return false };
    let start = Span::new(stmt.span.lo, stmt.span.lo + 1);
    let text = sources.written(start).and_then(|region| {
        let file = sources.file(region.start.file);
        file.line(region.start.line)?.get(region.start.column as usize - 1..)
    });
    match text {
        Some(text) => {
            let after = text.strip_prefix("if").and_then(|rest| rest.chars().next());
            text.starts_with("if") && after.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_')
        }
        None => stmt.span.lo < cond.span.lo,
    }
}

/// Whether there is anything to choose inside.
pub fn has_choices(sources: &SourceMap, block: &Block) -> bool {
    let mut found = false;
    block.walk(&mut |stmt| {
        found |= is_written_if(sources, stmt) || matches!(stmt.kind, StmtKind::Loop(_) | StmtKind::Switch { .. });
    });
    found
}

/// The route of a path through a function.
pub fn route<'a>(function: &'a Function, sources: &'a SourceMap, path: &Sequence) -> Result<Route<'a>, PathError> {
    let mut walker = Walker { sources, route: Route::default() };
    if let Some(body) = &function.body {
        walker.sequence(&body.stmts, path)?;
    }
    Ok(walker.route)
}

struct Walker<'a> {
    sources: &'a SourceMap,
    route: Route<'a>,
}

/// The items of a sequence that are still to come.
struct Cursor<'p> {
    sequence: &'p Sequence,
    next: usize,
}

impl<'a> Walker<'a> {
    fn place(&self, span: Span) -> String {
        match self.sources.used(span) {
            Some(region) => format!("line {}", region.start.line),
            None => "an unknown line".to_string(),
        }
    }

    fn name(&self, stmt: &Stmt) -> String {
        let what = match &stmt.kind {
            StmtKind::If { .. } => "`if`",
            StmtKind::Switch { .. } => "`switch`",
            StmtKind::Loop(looped) => match looped.kind {
                LoopKind::While => "`while` loop",
                LoopKind::DoWhile => "`do` loop",
                LoopKind::For => "`for` loop",
            },
            _ => "statement",
        };
        format!("the {what} at {}", self.place(stmt.span))
    }

    /// Runs statements along a whole sequence; nothing of it may be left over.
    fn sequence(&mut self, stmts: &'a [Stmt], sequence: &Sequence) -> Result<Flow, PathError> {
        let mut cursor = Cursor { sequence, next: 0 };
        let mut flow = self.stmts(stmts, &mut cursor)?;
        if let Some(item) = sequence.items.get(cursor.next) {
            let why = match flow {
                Flow::Normal => "there is no further branching statement here".to_string(),
                Flow::Break(span) => format!("the loop is left by `break` at {}", self.place(span)),
                Flow::Return(span) => format!("the function returns at {}", self.place(span)),
                Flow::Continue => "the iteration ends by `continue` here".to_string(),
                Flow::Stop(_) => "the path stops before".to_string(),
            };
            let error = PathError::path(item.at, format!("nothing can follow: {why}"));
            return Err(match flow {
                Flow::Break(span) | Flow::Return(span) => error.near(span),
                _ => error,
            });
        }
        if let (Flow::Normal, Some(at)) = (flow, sequence.stop) {
            flow = Flow::Stop(at);
        }
        Ok(flow)
    }

    fn stmts(&mut self, stmts: &'a [Stmt], cursor: &mut Cursor<'_>) -> Result<Flow, PathError> {
        for stmt in stmts {
            let flow = self.stmt(stmt, cursor)?;
            if flow != Flow::Normal {
                return Ok(flow);
            }
        }
        Ok(Flow::Normal)
    }

    fn run(&mut self, stmts: &'a [Stmt]) {
        self.route.steps.extend(stmts.iter().map(Step::Run));
    }

    fn stmt(&mut self, stmt: &'a Stmt, cursor: &mut Cursor<'_>) -> Result<Flow, PathError> {
        match &stmt.kind {
            StmtKind::Block(block) => self.stmts(&block.stmts, cursor),
            StmtKind::If { .. } if !is_written_if(self.sources, stmt) => {
                self.run(std::slice::from_ref(stmt));
                Ok(Flow::Normal)
            }
            StmtKind::If { .. } | StmtKind::Loop(_) | StmtKind::Switch { .. } => self.branching(stmt, cursor),
            StmtKind::Break => Ok(Flow::Break(stmt.span)),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Return(_) => {
                self.run(std::slice::from_ref(stmt));
                Ok(Flow::Return(stmt.span))
            }
            StmtKind::Goto(_) => {
                Err(PathError::unsupported(stmt.span, "`goto` on the path: it has no place in the notation of paths"))
            }
            _ => {
                self.run(std::slice::from_ref(stmt));
                Ok(Flow::Normal)
            }
        }
    }

    fn branching(&mut self, stmt: &'a Stmt, cursor: &mut Cursor<'_>) -> Result<Flow, PathError> {
        let Some(item) = cursor.sequence.items.get(cursor.next) else {
            return match cursor.sequence.stop {
                Some(at) => Ok(Flow::Stop(at)),
                None => {
                    let wanted = match &stmt.kind {
                        StmtKind::If { .. } => "T or F",
                        StmtKind::Switch { .. } => "{ } with the case",
                        _ => "[ ] with its iterations",
                    };
                    let message = format!("the path ends before {}", self.name(stmt));
                    let help = format!("add {wanted}, or `..` to stop before it");
                    Err(PathError::path(cursor.sequence.end, message).near(stmt.span).with_help(help))
                }
            };
        };
        cursor.next += 1;
        let wrong = |walker: &Self, written: &str, wanted: &str| {
            let message = format!("{written} stands for {}, which wants {wanted}", walker.name(stmt));
            Err(PathError::path(item.at, message).near(stmt.span))
        };
        let written = match &item.kind {
            ItemKind::Branch { taken: true, .. } => "`T`",
            ItemKind::Branch { taken: false, .. } => "`F`",
            ItemKind::Loop(_) => "`[ ]`",
            ItemKind::Case { .. } => "`{ }`",
        };
        match (&stmt.kind, &item.kind) {
            (StmtKind::If { cond, then, otherwise }, ItemKind::Branch { taken, inner }) => {
                self.route.steps.push(Step::Require { cond, value: *taken });
                self.route.signs.push(Sign::Branch(stmt.id, *taken));
                let block = if *taken { then } else { otherwise };
                self.inner(&block.stmts, inner.as_ref(), cursor, item.at)
            }
            (StmtKind::Loop(looped), ItemKind::Loop(path)) => self.looped(stmt, looped, path, item.at),
            (StmtKind::Switch { value, arms, default, body }, ItemKind::Case { value: case, inner }) => {
                let arm = |wanted: i128| arms.iter().find(|arm| arm.low <= wanted && wanted <= arm.high);
                let label = match case {
                    CaseValue::Int(wanted) => match arm(*wanted) {
                        Some(arm) => Some(arm.label),
                        None => {
                            let message = format!("{} has no case {wanted}", self.name(stmt));
                            return Err(PathError::path(item.at, message).near(stmt.span));
                        }
                    },
                    CaseValue::Default => *default,
                };
                self.route.steps.push(Step::Case { value, arms, label, default: *default });
                self.route.signs.push(Sign::Case(stmt.id, label));
                let stmts = match label {
                    None => &[][..],
                    Some(label) => {
                        let at = body.stmts.iter().position(|s| matches!(s.kind, StmtKind::Label(l) if l == label));
                        match at {
                            Some(at) => &body.stmts[at..],
                            None => {
                                let message = "a case inside another statement of the switch";
                                return Err(PathError::unsupported(stmt.span, message));
                            }
                        }
                    }
                };
                match self.inner(stmts, inner.as_ref(), cursor, item.at)? {
                    Flow::Break(_) => Ok(Flow::Normal),
                    flow => Ok(flow),
                }
            }
            (StmtKind::If { .. }, _) => wrong(self, written, "T or F"),
            (StmtKind::Switch { .. }, _) => wrong(self, written, "a case: {3} or {default}"),
            _ => wrong(self, written, "[ ] with its iterations"),
        }
    }

    /// The inside of a branch; without parentheses there must be nothing to choose.
    fn inner(
        &mut self,
        stmts: &'a [Stmt],
        inner: Option<&Sequence>,
        cursor: &Cursor<'_>,
        at: At,
    ) -> Result<Flow, PathError> {
        if let Some(inner) = inner {
            return self.sequence(stmts, inner);
        }
        // If the path stops right after this item it may stop inside, too.
        let stops = cursor.next == cursor.sequence.items.len();
        let stop = cursor.sequence.stop.filter(|_| stops);
        let none = Sequence { items: Vec::new(), stop, end: at };
        let mut empty = Cursor { sequence: &none, next: 0 };
        self.stmts(stmts, &mut empty).map_err(|mut error| {
            if error.at == Some(at) && error.help.is_some() {
                error.help = Some("the choices inside a branch follow it in parentheses: T(...)".to_string());
            }
            error
        })
    }

    fn looped(&mut self, stmt: &'a Stmt, looped: &'a Loop, path: &LoopPath, at: At) -> Result<Flow, PathError> {
        match path {
            LoopPath::Count { times, leaves } => {
                if looped.kind == LoopKind::DoWhile && *times == 0 && *leaves {
                    return Err(self.runs_once(stmt, at));
                }
                self.route.steps.push(Step::Power { looped, times: *times, leaves: *leaves, span: stmt.span });
                self.route.signs.push(Sign::Count { id: stmt.id, times: *times, leaves: *leaves });
                Ok(if *leaves { Flow::Normal } else { Flow::Stop(at) })
            }
            LoopPath::Each { iterations, leaves } => self.iterations(stmt, looped, iterations, *leaves, at),
        }
    }

    fn runs_once(&self, stmt: &Stmt, at: At) -> PathError {
        PathError::path(at, format!("{} runs at least once", self.name(stmt))).near(stmt.span)
    }

    /// The condition is looked at, and is as wanted.
    fn condition(&mut self, looped: &'a Loop, value: bool) {
        self.run(&looped.pre.stmts);
        if let Some(cond) = &looped.cond {
            self.route.steps.push(Step::Require { cond, value });
        }
    }

    fn iterations(
        &mut self,
        stmt: &'a Stmt,
        looped: &'a Loop,
        iterations: &[Sequence],
        leaves: bool,
        at: At,
    ) -> Result<Flow, PathError> {
        let last_checked = looped.kind == LoopKind::DoWhile;
        if last_checked && iterations.is_empty() && leaves {
            return Err(self.runs_once(stmt, at));
        }
        for (index, iteration) in iterations.iter().enumerate() {
            let follows = iterations.get(index + 1);
            if !last_checked {
                self.condition(looped, true);
            }
            self.route.signs.push(Sign::Iteration(stmt.id));
            let flow = self.sequence(&looped.body.stmts, iteration)?;
            let ended = match flow {
                Flow::Normal | Flow::Continue => None,
                Flow::Break(span) => Some((format!("the loop is left by `break` at {}", self.place(span)), span)),
                Flow::Return(span) => Some((format!("the function returns at {}", self.place(span)), span)),
                Flow::Stop(_) => Some(("the path stops in the iteration before".to_string(), stmt.span)),
            };
            if let Some((why, span)) = ended {
                if let Some(next) = follows {
                    let at = next.items.first().map_or(next.end, |item| item.at);
                    return Err(PathError::path(at, format!("there is no further iteration: {why}")).near(span));
                }
                if let Flow::Break(_) = flow {
                    self.route.signs.push(Sign::Left(stmt.id));
                    return Ok(Flow::Normal);
                }
                return Ok(flow);
            }
            self.run(&looped.step.stmts);
            if last_checked && (follows.is_some() || leaves) {
                self.condition(looped, follows.is_some());
            }
        }
        if !leaves {
            return Ok(Flow::Stop(at));
        }
        if looped.cond.is_none() {
            let message = format!("{} has no condition: it is left by `break` or `return` only", self.name(stmt));
            let help = "end the iterations with `..`, or with one that breaks";
            return Err(PathError::path(at, message).near(stmt.span).with_help(help));
        }
        if !last_checked {
            self.condition(looped, false);
        }
        self.route.signs.push(Sign::Left(stmt.id));
        Ok(Flow::Normal)
    }
}
