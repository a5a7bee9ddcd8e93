//! `plumb reach --all-branches`: the test suite, and the verdict on every branch.

use super::places;
use crate::args::{Reach, ReachEmit};
use crate::command::Context;
use crate::exit::Exit;
use crate::output;
use crate::report::{Failure, Report};
use cfront::preprocess::Options;
use diagnostics::Finding;
use exec::Scalar;
use ir::{FunctionId, Program};
use reach::places::suite::{self, Expected, SuiteReport, Test};
use reach::places::{Counts, Kind, driver};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

pub fn cover(
    args: &Reach,
    context: &Context<'_>,
    program: &Program,
    entry: FunctionId,
    options: Options,
) -> Result<Report, Failure> {
    if args.emit == Some(ReachEmit::Synthesis) {
        return Err(Failure::new("--emit synthesis takes a target").with_help("give one with --target"));
    }
    let config = places::config(args, context, options);
    let found = super::super::threads(context.shared)?.install(|| suite::cover(program, entry, &config));
    let mut report = Report::new("reach");
    say(&mut report, &found, program, entry, context.shared.verbose);
    let mut written = Vec::new();
    let table = suite::csv(program, entry, &found.tests);
    let driver = match args.emit {
        Some(ReachEmit::CDriver) => Some(driver_text(args, program, entry, &found.tests)?),
        _ => None,
    };
    // A suite goes to a folder; in another format than text `-o` names the file of the report.
    let is_text = context.shared.format == crate::args::Format::Text;
    if let Some(folder) = context.shared.out.as_deref().filter(|_| is_text) {
        output::make_folder(folder)?;
        let mut write = |name: &str, text: &str| -> Result<(), Failure> {
            output::write_whole(&folder.join(name), text.as_bytes())?;
            written.push(folder.join(name).display().to_string());
            Ok(())
        };
        write("tests.csv", &table)?;
        if let Some(text) = &driver {
            write("driver.c", text)?;
        }
    } else {
        report.text += "\n";
        report.text += driver.as_deref().unwrap_or(&table);
    }
    if !written.is_empty() {
        let _ = write!(report.summary, "; wrote {}", written.join(" and "));
    }
    report.result.insert("written".into(), json!(written));
    report.result.insert("emitted".into(), json!({"csv": table, "driver": driver}));
    Ok(report)
}

/// The program that replays the tests. It includes the file of the entry by its full name, to be compiled anywhere.
fn driver_text(args: &Reach, program: &Program, entry: FunctionId, tests: &[Test]) -> Result<String, Failure> {
    let span = program.functions[entry].span;
    let path = program.sources.used(span).map(|region| program.sources.file(region.start.file).path.clone());
    let path = path.unwrap_or_else(|| args.files[0].display().to_string());
    let full = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string();
    let others: Vec<String> =
        args.files.iter().filter(|file| file.display().to_string() != path).map(|file| full(file)).collect();
    Ok(driver::replaying_program(program, entry, &full(Path::new(&path)), &others, tests))
}

fn say(report: &mut Report, found: &SuiteReport, program: &Program, entry: FunctionId, verbose: bool) {
    let Counts { reached, unreachable, unknown } = Counts::of(&found.branches);
    report.exit = match (found.faults.is_empty(), unknown) {
        (false, _) => Exit::Found,
        (true, 0) => Exit::Clean,
        (true, _) => Exit::Inconclusive,
    };
    let function = &program.functions[entry];
    for fault in &found.faults {
        let inputs = driver::one_line(program, &fault.witness);
        let given = if inputs.is_empty() { "without inputs".to_string() } else { format!("with {inputs}") };
        let message = format!("{}, {given}", fault.wrong.what);
        report.findings.push(Finding::new(fault.wrong.rule, function.span, message));
    }
    for branch in &found.branches {
        let place = program.sources.describe(branch.target.span);
        let _ = writeln!(report.text, "{:<12} {place} {}", reach::word(&branch.verdict), branch.target.name);
        if !branch.verdict.is_proof()
            && let Some(why) = branch.why()
        {
            let _ = writeln!(report.text, "  {why}");
        }
        report.relations.push(places::relation(program, branch, "branch", format!("{place} {}", branch.target.name)));
    }
    let total = found.branches.len();
    let tests = match found.tests.len() {
        1 => "1 test".to_string(),
        n => format!("{n} tests"),
    };
    report.summary =
        format!("{tests}; {total} branches: {reached} reached, {unreachable} unreachable, {unknown} unknown");
    if found.beyond_input > 0 {
        let inputs =
            if found.beyond_input == 1 { "1 input".to_string() } else { format!("{} inputs", found.beyond_input) };
        let note = format!(
            "note: {inputs} left out: `{}` reaches beyond the objects it is given there, which its callers must not let happen\n",
            function.name
        );
        report.summary.insert_str(0, &note);
    }
    if verbose {
        let _ = write!(report.summary, "\n{}", places::effort(&found.search));
    }
    let branches: Vec<Value> = found
        .branches
        .iter()
        .map(|branch| {
            let mut value = places::target(program, branch);
            let outcome = match branch.target.kind {
                Kind::Branch(outcome) => places::outcome(outcome),
                _ => String::new(),
            };
            if let Some(object) = value.as_object_mut() {
                object.insert("outcome".into(), json!(outcome));
                let function = branch.target.at.map(|(id, _)| program.functions[id].name.clone());
                object.insert("function".into(), json!(function));
            }
            value
        })
        .collect();
    report.result.insert("function".into(), json!(program.functions[entry].name));
    report.result.insert("targets".into(), Value::Array(branches));
    report.result.insert("tests".into(), Value::Array(found.tests.iter().map(|made| test(program, made)).collect()));
    report.result.insert("left_out".into(), json!(found.beyond_input));
    report.result.insert(
        "coverage".into(),
        json!({"branches": total, "reached": reached, "unreachable": unreachable, "unknown": unknown}),
    );
    report.result.insert("search".into(), places::search(program, &found.search));
}

fn test(program: &Program, test: &Test) -> Value {
    let expected = match &test.expected {
        Expected::Value(_, Scalar::Int(value)) => {
            json!({"value": i64::try_from(*value).map_or(json!(value.to_string()), |v| json!(v))})
        }
        Expected::Value(_, Scalar::Float(value)) => json!({"value": value}),
        Expected::Nothing => Value::Null,
        Expected::Exit(status) => json!({"exit": status, "stdout": String::from_utf8_lossy(&test.stdout)}),
    };
    json!({"inputs": places::inputs(program, &test.witness), "expected": expected, "branches": test.takes.len()})
}
