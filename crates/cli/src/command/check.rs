//! `plumb check`: the front end alone, and what it saw.

use super::sources::{self, Input};
use crate::args::{Check, Shared};
use crate::report::{Failure, Report};
use cfront::Loaded;
use diagnostics::{Finding, Rule, Severity};
use ir::{CallGraph, Cfg, Loops};
use serde_json::{Value, json};
use std::path::PathBuf;

pub fn check(args: &Check, shared: &Shared) -> Result<Report, Failure> {
    let options = sources::options(&args.sources.compile, &args.flags, shared)?;
    let loaded = match sources::read("check", &args.sources, &options)? {
        Input::Program(loaded) => *loaded,
        Input::Refused(report) => return Ok(*report),
    };
    let mut report = of_program(&args.sources.files, &loaded);
    report.sources = loaded.program.sources;
    // The process ends soon; taking the bodies apart would only cost time.
    std::mem::forget(loaded.program.functions);
    Ok(report)
}

/// What is in a program that is read already.
pub fn of_program(files: &[PathBuf], loaded: &Loaded) -> Report {
    let Loaded { program, findings } = loaded;
    let mut report = Report::new("check");
    report.findings.clone_from(findings);
    let graph = CallGraph::new(program);
    let mut functions = Vec::new();
    let (mut statements, mut loops) = (0, 0);
    for (id, function, body) in program.defined_functions() {
        let cfg = Cfg::new(program, id).expect("a defined function should have a control-flow graph");
        let loop_count = Loops::new(&cfg).loops.len();
        loops += loop_count;
        statements += function.stmt_count;
        // What has no model is not an error of the program, but whoever runs or proves it will meet it.
        body.walk(&mut |stmt| {
            if let Some(what) = stmt.obstacle() {
                let mut finding = Finding::new(Rule::Unsupported, stmt.span, format!("no model of {what}"));
                finding.severity = Severity::Warning;
                report.findings.push(finding);
            }
        });
        let mut described = crate::render::location(function.span, &program.sources);
        described["name"] = json!(function.name);
        described["parameters"] = json!(function.params.len());
        described["statements"] = json!(function.stmt_count);
        described["loops"] = json!(loop_count);
        described["recursive"] = json!(graph.is_recursive(id));
        functions.push(described);
    }
    let external: Vec<&str> =
        program.functions.values().filter(|f| f.body.is_none()).map(|f| f.name.as_str()).collect();
    let read: Vec<&str> =
        program.sources.files().filter(|(_, f)| !f.system && f.text.is_some()).map(|(_, f)| f.path.as_str()).collect();
    let named = match files {
        few if few.len() <= 4 => few.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "),
        many => format!("{} files", many.len()),
    };
    report.text = format!(
        "{named}: {}, {}, {}, {}\n",
        count(functions.len(), "function"),
        count(statements as usize, "statement"),
        count(loops, "loop"),
        count(program.globals.len(), "global object"),
    );
    if !external.is_empty() {
        report.text.push_str(&format!("calls outside: {}\n", external.join(", ")));
    }
    report.result.insert("files".into(), json!(read));
    report.result.insert("functions".into(), Value::Array(functions));
    report.result.insert("external".into(), json!(external));
    report.result.insert("globals".into(), json!(program.globals.len()));
    report
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
