//! `plumb reach --path`: the path solved, and what is said about it.

use super::path_view::{PathView, path_view};
use super::rules::{self, Rules};
use crate::args::Reach;
use crate::command::Context;
use crate::command::sources::in_text;
use crate::exit::Exit;
use crate::report::{Failure, Report};
use diagnostics::{Finding, Rule, SourceMap, Span};
use ir::{FunctionId, Program};
use reach::paths::error::Kind;
use reach::paths::{self, Config, PathError, PathReport, PathSolution, Verdict};
use rewriting::Limits;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

/// Evaluation may nest so deeply on the stack that `main` gives.
const NESTING: u32 = 100_000;

/// The text of a path, and what it is called in messages.
pub struct PathText {
    name: String,
    text: String,
}

/// The path of `--path` or `--path-file`.
pub fn text(args: &Reach) -> Result<Option<PathText>, Failure> {
    if let Some(text) = &args.path {
        return Ok(Some(PathText { name: "--path".to_string(), text: text.clone() }));
    }
    let Some(path) = &args.path_file else { return Ok(None) };
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
    let text = String::from_utf8(text).map_err(|_| Failure::new(format!("{name} is not text in UTF-8")))?;
    Ok(Some(PathText { name, text }))
}

pub fn reach(
    args: &Reach,
    context: &Context<'_>,
    mut program: Program,
    entry: FunctionId,
    path: &PathText,
) -> Result<Report, Failure> {
    let mut report = Report::new("reach");
    let rules = rules::read(args.rules.as_deref(), &mut program.sources)?;
    let base = program.sources.append_text(&path.name, &path.text);
    report.findings = rules.findings.clone();
    if !rules.is_usable {
        report.exit = Exit::BadInput;
        report.summary = "the rules cannot be used".to_string();
        report.sources = program.sources;
        return Ok(report);
    }
    let stop = context.stop();
    let wanted = match (args.all, args.max) {
        (_, Some(most)) => Some(most as usize),
        (true, None) => None,
        (false, None) => Some(1),
    };
    let limits = Limits { solutions: wanted, depth: args.depth, nesting: NESTING, ..Limits::default() };
    let config = Config { limits, ground: args.ground };
    let stopped = || stop.load(Ordering::Relaxed);
    match paths::solve(&program, entry, &path.text, &rules.system, &config, &stopped) {
        Ok(found) => say(&mut report, &found, &program, entry, path, context.shared.verbose),
        Err(error) => {
            report.exit = Exit::BadInput;
            report.summary = match error.kind {
                Kind::Path => "the path cannot be taken".to_string(),
                Kind::Sort => "the program and the rules do not fit together".to_string(),
                Kind::Unsupported => "the path cannot be followed".to_string(),
            };
            report.findings.push(finding(&error, &program.sources, &rules, path, base));
        }
    }
    report.sources = program.sources;
    Ok(report)
}

fn finding(error: &PathError, sources: &SourceMap, rules: &Rules, path: &PathText, base: u32) -> Finding {
    let rule = match error.kind {
        Kind::Path => Rule::BadPath,
        Kind::Sort => Rule::SortMismatch,
        Kind::Unsupported => Rule::UnsupportedOnPath,
    };
    let in_path = error.at.map(|at| in_text(sources, &path.name, base, at.line, at.column, 1));
    let span = in_path.or(error.span).unwrap_or(Span::NONE);
    let mut finding = Finding::new(rule, span, error.message.clone());
    if let (Some(_), Some(near)) = (in_path, error.span) {
        finding = finding.with_note(near, "the statement in question");
    }
    if let Some(at) = error.rules.and_then(|at| rules.span(sources, at)) {
        finding = finding.with_note(at, "the rules have it here");
    }
    match &error.help {
        Some(help) => finding.with_help(help.clone()),
        None => finding,
    }
}

fn say(report: &mut Report, found: &PathReport, program: &Program, entry: FunctionId, path: &PathText, verbose: bool) {
    let name = &program.functions[entry].name;
    let verdict = reach::word(&found.verdict);
    report.exit = match &found.verdict {
        Verdict::Refuted { .. } => Exit::Clean,
        Verdict::Proved { .. } => Exit::Found,
        _ => Exit::Inconclusive,
    };
    let shown = path.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let out = &mut report.text;
    let _ = writeln!(out, "{verdict:<12} {name} along {shown}");
    let several = found.solutions.len() > 1;
    for (index, solution) in found.solutions.iter().enumerate() {
        let number = if several { format!("{:>3}. ", index + 1) } else { "  ".to_string() };
        let _ = writeln!(out, "{number}{}", line(solution, verbose));
    }
    let count = match found.solutions.len() {
        1 => "1 solution".to_string(),
        n => format!("{n} solutions"),
    };
    report.summary = match (&found.verdict, found.why()) {
        (Verdict::Proved { .. }, _) => "no input takes this path: the search space is exhausted".to_string(),
        (Verdict::Unknown { .. }, Some(why)) => why.to_string(),
        (_, Some(why)) => format!("{count}; there may be more: {why}"),
        (_, None) if found.complete => format!("{count}, and no others"),
        _ => format!("{count}; there may be more (--all)"),
    };
    if verbose {
        let (size, states, rewrites) = (found.size, found.states, found.rewrites);
        let _ = write!(report.summary, "\nprecondition of size {size}; {states} states, {rewrites} rewriting steps");
        if found.questions > 0 {
            let _ = write!(report.summary, ", {} questions about integers", found.questions);
        }
    }
    let asked = path_view(program, entry, &path.text);
    let solutions = found.solutions.iter().map(|one| solution(one, way_of(one, asked.as_ref(), program, entry)));
    let result = &mut report.result;
    result.insert("function".into(), json!(name));
    result.insert("path".into(), json!(shown));
    result.insert("way".into(), json!(asked.as_ref().map(|path_view| &path_view.document)));
    result.insert("verdict".into(), json!(verdict));
    result.insert("why".into(), json!(found.why()));
    result.insert("complete".into(), json!(found.complete));
    result.insert("precondition".into(), json!({"size": found.size, "text": found.precondition}));
    result.insert("solutions".into(), Value::Array(solutions.collect()));
    result.insert(
        "search".into(),
        json!({"states": found.states, "rewrites": found.rewrites, "questions": found.questions}),
    );
}

fn line(solution: &PathSolution, verbose: bool) -> String {
    let bindings: Vec<String> = solution.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let mut line = if bindings.is_empty() { "(no inputs)".to_string() } else { bindings.join(", ") };
    if let Some(general) = &solution.general {
        let differs = general.bindings.iter().filter(|pair| !solution.bindings.contains(pair));
        let changed: Vec<String> =
            differs.filter(|(name, value)| name != value).map(|(name, value)| format!("{name} = {value}")).collect();
        let telling = general.constraints[..general.telling].iter().cloned();
        let what = changed.into_iter().chain(telling).collect::<Vec<_>>();
        if !what.is_empty() {
            let _ = write!(line, "   (from {})", what.join(", "));
        }
    }
    if let Some(why) = &solution.replay.failure {
        let _ = write!(line, "   — not replayed: {why}");
    } else if verbose {
        let _ = write!(line, "   — took {}", solution.replay.path);
    }
    line
}

/// The way that a solution was seen to go, where the path that was asked for leaves something open.
fn way_of(solution: &PathSolution, asked: Option<&PathView>, program: &Program, entry: FunctionId) -> Option<Value> {
    let is_open = asked.is_some_and(|path_view| !path_view.is_whole) && solution.replay.failure.is_none();
    // A run that is stopped in the middle may not be a path that can be followed to its end.
    path_view(program, entry, &solution.replay.path).filter(|_| is_open).map(|path_view| path_view.document)
}

fn solution(solution: &PathSolution, path_view: Option<Value>) -> Value {
    let object = |pairs: &[(String, String)]| -> Map<String, Value> {
        pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
    };
    let general = solution.general.as_ref();
    json!({
        "bindings": object(&solution.bindings),
        "free": solution.free,
        "replayed": solution.replay.failure.is_none(),
        "path": solution.replay.path,
        "way": path_view,
        "why": solution.replay.failure,
        "general": general.map(|general| object(&general.bindings)),
        "constraints": general.map_or(Vec::new(), |general| general.constraints.clone()),
    })
}
