//! `plumb reach --list-paths`: what a path can choose.

use crate::command::sources;
use crate::report::{Failure, Report};
use ir::Program;
use reach::paths::skeleton::skeleton;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub fn list(program: Program, asked: Option<&str>) -> Result<Report, Failure> {
    let mut report = Report::new("reach");
    let chosen = match asked {
        Some(_) => Some(sources::entry(&program, asked)?),
        None => None,
    };
    let mut functions = Vec::new();
    for (id, function, _) in program.defined_functions() {
        if chosen.is_some_and(|chosen| chosen != id) {
            continue;
        }
        let skeleton = skeleton(function, &program.sources);
        let line = |span| program.sources.used(span).map(|region| region.start.line);
        let text = |span| {
            let region = program.sources.used(span)?;
            program.sources.file(region.start.file).line(region.start.line).map(|text| text.trim().to_string())
        };
        let out = &mut report.text;
        if !functions.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "{} at {}", function.name, program.sources.describe(function.span));
        for statement in &skeleton.statements {
            let place = line(statement.span).map_or(String::new(), |line| format!("line {line}"));
            let shown = format!("{:indent$}{}", "", statement.choices, indent = 2 * statement.depth + 2);
            let _ = writeln!(out, "{shown:<34} {place:<9} {}", text(statement.span).unwrap_or_default());
        }
        let or_empty = |text: &str| if text.is_empty() { "(nothing to choose)".to_string() } else { text.to_string() };
        let _ = writeln!(out, "  all:     {}", or_empty(&skeleton.notation));
        let _ = writeln!(out, "  example: --path '{}'", skeleton.example);
        let statements: Vec<Value> = skeleton
            .statements
            .iter()
            .map(|s| json!({"kind": s.kind, "line": line(s.span), "depth": s.depth, "choices": s.choices}))
            .collect();
        let file = program.sources.used(function.span);
        functions.push(json!({
            "name": function.name,
            "file": file.map(|region| program.sources.file(region.start.file).path.clone()),
            "line": line(function.span),
            "notation": skeleton.notation,
            "example": skeleton.example,
            "statements": statements,
        }));
    }
    report.result.insert("functions".into(), Value::Array(functions));
    report.sources = program.sources;
    Ok(report)
}
