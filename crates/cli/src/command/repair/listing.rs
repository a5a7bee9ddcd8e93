//! What `plumb repair` found, as text and as JSON.

use super::proved::Checked;
use crate::args::Repair;
use crate::command::sources::line;
use crate::exit::Exit;
use crate::report::Report;
use diagnostics::{Finding, Rule, Severity, SourceMap, Span};
use exec::{Input, Scalar};
use ir::{FunctionId, Program};
use repair::{Conclusion, Expected, Patch, RepairReport, Test};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// Failing tests and lines that are shown without `--verbose`.
const SHOWN: usize = 5;

/// What there is to say.
pub(super) struct Said<'a> {
    pub args: &'a Repair,
    pub program: &'a Program,
    pub entry: FunctionId,
    pub tests: &'a [Test],
    pub found: &'a RepairReport,
    /// What `prove` says of each patch, if it was asked.
    pub checked: &'a [Option<Checked>],
}

impl Said<'_> {
    pub fn report(&self, elapsed: Duration, verbose: bool) -> Report {
        let Said { args, program, entry, tests, found, checked } = *self;
        let mut report = report(args, program, entry, tests, found, elapsed);
        report.text = text(self, verbose);
        let patches = found.patches.iter().zip(checked);
        report.result.insert(
            "patches".into(),
            patches.map(|(patch, checked)| patch_json(patch, checked.as_ref(), found, program, entry)).collect(),
        );
        report
    }
}

fn report(
    args: &Repair,
    program: &Program,
    entry: FunctionId,
    tests: &[Test],
    found: &RepairReport,
    elapsed: Duration,
) -> Report {
    let mut report = Report::new("repair");
    report.told = true;
    report.exit = match found.conclusion {
        Conclusion::NothingToRepair | Conclusion::Repaired => Exit::Clean,
        Conclusion::NoRepair if args.localize_only => Exit::Clean,
        Conclusion::NoRepair => Exit::Found,
        Conclusion::Unknown => Exit::Inconclusive,
    };
    report.summary = summary(args, found);
    let name = match found.conclusion {
        Conclusion::Repaired => "repaired",
        Conclusion::NothingToRepair => "nothing-to-repair",
        Conclusion::NoRepair if args.localize_only => "localized",
        Conclusion::NoRepair => "no-repair",
        Conclusion::Unknown => "unknown",
    };
    let failing: Vec<Value> = found
        .failing
        .iter()
        .map(|failing| {
            let test = &tests[failing.test];
            json!({ "test": failing.test + 1, "line": test.line, "input": input(program, entry, &test.input),
                    "expected": expected(&test.expected), "got": failing.got })
        })
        .collect();
    let result = &mut report.result;
    result.insert("verdict".into(), json!(name));
    result.insert("tests".into(), json!({ "total": found.total, "failing": found.failing.len() }));
    result.insert("failing".into(), json!(failing));
    let suspicious = found.suspicious.iter().map(
        |row| json!({ "file": row.file, "line": row.line, "score": (row.score * 1e4).round() / 1e4, "text": row.text }),
    );
    result.insert("suspicious".into(), suspicious.collect());
    result.insert("candidates".into(), json!(found.candidates));
    result.insert("other_repairs".into(), json!(found.others));
    result.insert("notes".into(), json!(found.notes));
    result.insert("elapsed_ms".into(), json!(elapsed.as_millis() as u64));
    report
}

/// That tests fail, at the line to look at.
pub(super) fn finding(found: &RepairReport, sources: &mut SourceMap) -> Option<Finding> {
    let (total, failing) = (found.total, found.failing.len());
    if failing == 0 {
        return None;
    }
    let fail = format!("{failing} of {total} tests {}", if failing == 1 { "fails" } else { "fail" });
    Some(match (found.patches.first(), found.suspicious.first()) {
        (Some(patch), _) => {
            let span = line(sources, &patch.file, patch.line);
            let mut finding = Finding::new(Rule::TestsFail, span, format!("{fail}; a change here makes them pass"));
            finding.severity = Severity::Warning;
            finding.with_help(patch.diff.trim_end())
        }
        (None, Some(row)) => {
            let span = line(sources, &row.file, row.line);
            Finding::new(Rule::TestsFail, span, format!("{fail}; this line is the most suspicious"))
        }
        (None, None) => Finding::new(Rule::TestsFail, Span::NONE, fail),
    })
}

fn patch_json(
    patch: &Patch,
    checked: Option<&Checked>,
    found: &RepairReport,
    program: &Program,
    entry: FunctionId,
) -> Value {
    let distinguishing: Vec<Value> = patch
        .distinguishing
        .iter()
        .map(|d| {
            json!({ "other": d.other + 1, "input": input(program, entry, &d.input), "this": d.this, "that": d.that })
        })
        .collect();
    json!({
        "file": patch.file,
        "line": patch.line,
        "before": patch.before,
        "after": patch.after,
        "diff": patch.diff,
        "template": templates(patch),
        "tests_passed": patch.tests_passed,
        "tests_total": found.total,
        "checked": checked.map(|checked| json!({ "verdict": checked.verdict, "text": checked.text })),
        "distinguishing": distinguishing,
    })
}

fn templates(patch: &Patch) -> String {
    patch.templates.iter().map(|template| template.name()).collect::<Vec<_>>().join(" + ")
}

fn summary(args: &Repair, found: &RepairReport) -> String {
    let (total, failing) = (found.total, found.failing.len());
    match found.conclusion {
        Conclusion::NothingToRepair => format!("nothing to repair: all {total} tests pass"),
        Conclusion::NoRepair if args.localize_only => format!("{failing} of {total} tests fail"),
        Conclusion::Repaired => {
            let others = found.patches.len() - 1 + found.others;
            let plural = if others == 1 { "repair also does" } else { "repairs also do" };
            format!(
                "repaired: the first patch passes all {total} tests, of which {failing} failed; {others} other {plural}"
            )
        }
        Conclusion::NoRepair => {
            format!(
                "no repair: {failing} of {total} tests fail, and none of {} candidates passes all",
                found.candidates
            )
        }
        Conclusion::Unknown => match found.notes.first() {
            Some(note) => format!("unknown: {note}"),
            None => "unknown: stopped before the tests were run".into(),
        },
    }
}

fn text(said: &Said<'_>, verbose: bool) -> String {
    let Said { args, program, entry, tests, found, checked } = *said;
    let mut out = String::new();
    let shown = if verbose { usize::MAX } else { SHOWN };
    if !found.failing.is_empty() {
        let _ = writeln!(out, "failing tests, {} of {}:", found.failing.len(), found.total);
        for failing in found.failing.iter().take(shown) {
            let test = &tests[failing.test];
            let given = input(program, entry, &test.input);
            let wanted = expected(&test.expected);
            let _ = writeln!(out, "  {:>4}  {given}  expected {wanted}, got {}", failing.test + 1, failing.got);
        }
        if found.failing.len() > shown {
            let _ = writeln!(out, "  ... and {} more", found.failing.len() - shown);
        }
    }
    if !found.suspicious.is_empty() {
        let rows = if args.localize_only { usize::MAX } else { shown };
        let _ = writeln!(out, "\nsuspicious lines:\n  rank  score  line");
        let mut rank = 0;
        for (index, row) in found.suspicious.iter().enumerate().take(rows) {
            if index == 0 || row.score != found.suspicious[index - 1].score {
                rank = index + 1;
            }
            let _ = writeln!(out, "  {rank:>4}  {:>5.2}  {}:{}  {}", row.score, row.file, row.line, row.text);
        }
        if found.suspicious.len() > rows {
            let _ = writeln!(out, "  ... and {} more", found.suspicious.len() - rows);
        }
    }
    for (index, patch) in found.patches.iter().enumerate() {
        let _ = writeln!(
            out,
            "\npatch {} ({}), {}:{}, passes {} of {} tests when compiled:\n{}",
            index + 1,
            templates(patch),
            patch.file,
            patch.line,
            patch.tests_passed,
            found.total,
            patch.diff.trim_end()
        );
        if let Some(Some(checked)) = checked.get(index) {
            let _ = writeln!(out, "  {}", checked.text);
        }
        for d in patch.distinguishing.iter().filter(|d| d.other < index) {
            let given = input(program, entry, &d.input);
            let _ = writeln!(out, "  differs from patch {} on {given}: {} against {}", d.other + 1, d.this, d.that);
        }
    }
    if !found.patches.is_empty() {
        let others = found.patches.len() - 1 + found.others;
        let plural = if others == 1 { "repair also does" } else { "repairs also do" };
        let _ = writeln!(out, "\npasses the tests; {others} other {plural}");
    }
    if found.conclusion != Conclusion::Unknown {
        for note in &found.notes {
            let _ = writeln!(out, "\nnote: {note}");
        }
    }
    out
}

fn scalar(value: &Scalar) -> String {
    match value {
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => value.to_string(),
    }
}

/// An input as a user writes it.
fn input(program: &Program, entry: FunctionId, input: &Input) -> String {
    let function = &program.functions[entry];
    if function.name != "main" {
        let named = function.params.iter().zip(&input.params);
        let parts: Vec<String> =
            named.map(|(&param, value)| format!("{}={}", function.locals[param].name, scalar(value))).collect();
        return parts.join(" ");
    }
    let mut parts = Vec::new();
    if !input.args.is_empty() {
        parts.push(format!("args {}", input.args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" ")));
    }
    if !input.stdin.is_empty() {
        parts.push(format!("stdin {:?}", String::from_utf8_lossy(&input.stdin)));
    }
    if parts.is_empty() { "no input".into() } else { parts.join(", ") }
}

fn quoted(arg: &str) -> String {
    let plain = !arg.is_empty() && arg.chars().all(|c| c.is_alphanumeric() || "-_./+=:,".contains(c));
    if plain { arg.to_string() } else { format!("'{}'", arg.replace('\'', "'\\''")) }
}

fn expected(expected: &Expected) -> String {
    match expected {
        Expected::Value(value) => scalar(value),
        Expected::Output { stdout, exit } => {
            let mut parts = Vec::new();
            if let Some(stdout) = stdout {
                parts.push(format!("{:?}", String::from_utf8_lossy(stdout.trim_ascii_end())));
            }
            if let Some(exit) = exit {
                parts.push(format!("exit status {exit}"));
            }
            parts.join(", ")
        }
    }
}
