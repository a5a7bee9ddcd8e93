//! What can be chosen in a function, and one path through it as an example.

use super::route::is_written_if;
use diagnostics::{SourceMap, Span};
use ir::{Block, Function, LoopKind, Stmt, StmtKind};

/// A branching statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branching {
    /// How many others it stands in.
    pub depth: usize,
    pub kind: &'static str,
    pub span: Span,
    /// What a path can say about it.
    pub choices: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skeleton {
    pub statements: Vec<Branching>,
    /// All choices in one line: `T([T|F T|F; ..])|F`.
    pub notation: String,
    /// A path that the notation allows.
    pub example: String,
}

pub fn skeleton(function: &Function, sources: &SourceMap) -> Skeleton {
    let empty = Block::default();
    let body = function.body.as_ref().unwrap_or(&empty);
    let mut statements = Vec::new();
    let notation = notation(sources, &body.stmts, 0, &mut statements);
    let (example, _) = example(sources, &body.stmts);
    Skeleton { statements, notation, example }
}

fn notation(sources: &SourceMap, stmts: &[Stmt], depth: usize, found: &mut Vec<Branching>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for stmt in stmts {
        let part = match &stmt.kind {
            StmtKind::Block(block) => notation(sources, &block.stmts, depth, found),
            StmtKind::If { then, otherwise, .. } if is_written_if(sources, stmt) => {
                let index = found.len();
                found.push(Branching { depth, kind: "if", span: stmt.span, choices: String::new() });
                let inside = |text: String| if text.is_empty() { text } else { format!("({text})") };
                let then = inside(notation(sources, &then.stmts, depth + 1, found));
                let otherwise = inside(notation(sources, &otherwise.stmts, depth + 1, found));
                let dots = |text: &str| if text.is_empty() { "" } else { "(..)" };
                found[index].choices = format!("T{} | F{}", dots(&then), dots(&otherwise));
                format!("T{then}|F{otherwise}")
            }
            StmtKind::Loop(looped) => {
                let kind = match looped.kind {
                    LoopKind::While => "while",
                    LoopKind::DoWhile => "do",
                    LoopKind::For => "for",
                };
                found.push(Branching { depth, kind, span: stmt.span, choices: "[ iterations ] | [#n]".to_string() });
                let inside = notation(sources, &looped.body.stmts, depth + 1, found);
                if inside.is_empty() { "[(); ..]".to_string() } else { format!("[{inside}; ..]") }
            }
            StmtKind::Switch { arms, default, body, .. } => {
                let mut cases: Vec<String> = arms.iter().map(|arm| format!("{{{}}}", arm.low)).collect();
                cases.extend(default.is_some().then(|| "{default}".to_string()));
                found.push(Branching { depth, kind: "switch", span: stmt.span, choices: cases.join(" | ") });
                let inside = notation(sources, &body.stmts, depth + 1, found);
                let inside = if inside.is_empty() { inside } else { format!("({inside})") };
                format!("{}{inside}", cases.join("|"))
            }
            _ => continue,
        };
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts.join(" ")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Normal,
    Break,
    Continue,
    Return,
    Stop,
}

/// A path that takes the first branch everywhere and goes round each loop once.
fn example(sources: &SourceMap, stmts: &[Stmt]) -> (String, Flow) {
    let mut parts: Vec<String> = Vec::new();
    let mut ended = Flow::Normal;
    for stmt in stmts {
        let (part, flow) = match &stmt.kind {
            StmtKind::Block(block) => example(sources, &block.stmts),
            StmtKind::If { then, .. } if is_written_if(sources, stmt) => {
                let (inside, flow) = example(sources, &then.stmts);
                (if inside.is_empty() { "T".to_string() } else { format!("T({inside})") }, flow)
            }
            StmtKind::Loop(looped) => {
                let (inside, flow) = example(sources, &looped.body.stmts);
                let inside = if inside.is_empty() { "()".to_string() } else { inside };
                match flow {
                    Flow::Normal | Flow::Continue if looped.cond.is_none() => (format!("[{inside}; ..]"), Flow::Stop),
                    Flow::Normal | Flow::Continue | Flow::Break => (format!("[{inside}]"), Flow::Normal),
                    other => (format!("[{inside}]"), other),
                }
            }
            StmtKind::Switch { arms, default, body, .. } => {
                let first = arms.first().map(|arm| (format!("{{{}}}", arm.low), arm.label));
                let Some((case, label)) = first.or(default.map(|label| ("{default}".to_string(), label))) else {
                    continue;
                };
                let at = body.stmts.iter().position(|s| matches!(s.kind, StmtKind::Label(l) if l == label));
                let (inside, flow) = example(sources, at.map_or(&[][..], |at| &body.stmts[at..]));
                let flow = if flow == Flow::Break { Flow::Normal } else { flow };
                (if inside.is_empty() { case } else { format!("{case}({inside})") }, flow)
            }
            StmtKind::Break => (String::new(), Flow::Break),
            StmtKind::Continue => (String::new(), Flow::Continue),
            StmtKind::Return(_) => (String::new(), Flow::Return),
            _ => continue,
        };
        if !part.is_empty() {
            parts.push(part);
        }
        if flow != Flow::Normal {
            ended = flow;
            break;
        }
    }
    (parts.join(" "), ended)
}
