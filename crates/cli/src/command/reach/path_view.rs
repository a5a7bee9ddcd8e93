//! The way of a path through the source: the lines where it decides, what it decides there, and where it ends.

use diagnostics::Span;
use ir::{FunctionId, Program};
use reach::paths::notation;
use reach::paths::route::{Step, route};
use serde_json::{Value, json};

/// Decisions of a way that a document has.
const MOST: usize = 1_000;

/// A way, in the form of the paths to places.
pub struct PathView {
    pub document: Value,
    /// Whether the path says everything that is decided: of loops that are only counted it does not.
    pub is_whole: bool,
}

/// The way of a path of the function; nothing for a text that is no path of it.
pub fn path_view(program: &Program, function: FunctionId, path: &str) -> Option<PathView> {
    let declared = &program.functions[function];
    let path = notation::parse(path).ok()?;
    let route = route(declared, &program.sources, &path).ok()?;
    let start = program.sources.used(declared.span)?.start;
    let line =
        |span: Span| program.sources.used(span).map(|r| r.start).filter(|p| p.file == start.file).map(|p| p.line);
    let (mut decisions, mut end, mut is_whole) = (Vec::new(), start.line, true);
    for step in &route.steps {
        let (span, outcome) = match step {
            Step::Run(stmt) => (stmt.span, None),
            Step::Require { cond, value } => (cond.span, Some(if *value { "T" } else { "F" }.to_string())),
            Step::Case { value, arms, label, .. } => {
                let arm = arms.iter().find(|arm| Some(arm.label) == *label);
                (value.span, Some(arm.map_or("default".to_string(), |arm| format!("case{}", arm.low))))
            }
            Step::Power { times, span, .. } => {
                is_whole = false;
                (*span, Some(format!("#{times}")))
            }
        };
        let Some(line) = line(span) else { continue };
        end = line;
        decisions.extend(outcome.map(|outcome| json!({ "line": line, "outcome": outcome })));
    }
    let further = decisions.len().saturating_sub(MOST);
    decisions.truncate(MOST);
    let file = &program.sources.file(start.file).path;
    Some(PathView { document: json!({ "file": file, "line": end, "path": decisions, "further": further }), is_whole })
}
