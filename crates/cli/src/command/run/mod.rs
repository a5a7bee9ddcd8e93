//! `plumb run`: one run of a program, in the VM or natively.

mod suppressions;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{Engine, EvaluationOrder, Leaks, Rules, Run};
use crate::exit::Exit;
use crate::output::write_whole;
use crate::report::{Failure, Passthrough, Report};
use cfront::Loaded;
use cfront::order::Order;
use cfront::preprocess::Options;
use diagnostics::{Finding, Rule, Span};
use exec::ValueType;
use exec::coverage::Coverage;
use exec::vm::{self, Image, Machine, Policy, Schedule};
use exec::{Budget, Ending, Folder, Input, Limit, Outcome, Recorder, Scalar, Trace, parse_integer};
use ir::{FunctionId, Program, StmtKind};
use replay::Conditions;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{IsTerminal, Read as _};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use suppressions::{Functions, Suppressions};

/// Rows kept of trace points, in cells of eight bytes: half a gigabyte.
const TRACE_CELLS: usize = 1 << 26;

pub fn run(args: &Run, context: &Context<'_>) -> Result<Report, Failure> {
    let mut options = sources::options(&args.sources.compile, &[], context.shared)?;
    if args.engine == Engine::Native && !(args.dir.is_empty() && args.env.is_empty()) {
        return Err(Failure::new("--dir and --env are for the VM; a native run has the sandbox's own")
            .with_help("leave them out, or use --engine vm"));
    }
    if args.engine == Engine::Native && args.order != EvaluationOrder::Left {
        return Err(Failure::new("the compiler chooses the order of evaluation of a native run")
            .with_help("leave out --order, or use --engine vm"));
    }
    if args.engine == Engine::Native
        && (args.keep_going || args.suppressions.is_some() || args.gen_suppressions.is_some())
    {
        return Err(
            Failure::new("a native run has no findings to go on after or to suppress").with_help("use --engine vm")
        );
    }
    let seed = context.shared.seed;
    options.order = match args.order {
        EvaluationOrder::Left | EvaluationOrder::All => Order::Left,
        EvaluationOrder::Right => Order::Right,
        EvaluationOrder::Random => Order::Random(seed),
    };
    options.shifts_wrap = args.rules != Rules::Iso;
    options.threads = args.engine == Engine::Vm;
    options.mixed_units = args.engine == Engine::Vm;
    let Loaded { program, .. } = match sources::read("run", &args.sources, &options)? {
        Read::Program(loaded) => *loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let mut report = match args.order {
        EvaluationOrder::All => in_all_orders(args, context, &program, &options)?,
        _ => of_program(args, context, &program, &options)?,
    };
    report.sources = program.sources;
    if report.exit == Exit::Found {
        report.status = Some(args.error_exitcode);
    }
    Ok(report)
}

/// The folders of the host that the program may use.
fn folders(args: &Run) -> Result<Vec<Folder>, Failure> {
    let folder = |given: &PathBuf| {
        let text = given.as_os_str().as_bytes();
        let (path, read_only) = match text.strip_suffix(b":ro") {
            Some(path) => (PathBuf::from(OsStr::from_bytes(path)), true),
            None => (given.clone(), false),
        };
        match path.is_dir() {
            true => Ok(Folder { path, read_only }),
            false => Err(Failure::new(format!("--dir: {} is no folder", path.display()))),
        }
    };
    args.dir.iter().map(folder).collect()
}

fn environment(args: &Run) -> Result<Vec<(String, String)>, Failure> {
    let variable = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_string(), value.to_string())),
        _ => Err(Failure::new(format!("--env: `{text}` is not of the form NAME=VALUE"))),
    };
    args.env.iter().map(variable).collect()
}

/// Runs of the program in several orders of evaluation, and whether they differ. A program in which no order matters is
/// run once.
fn in_all_orders(args: &Run, context: &Context<'_>, program: &Program, options: &Options) -> Result<Report, Failure> {
    let entry = sources::entry(program, args.entry.as_deref())?;
    let input = input(args, program, entry)?;
    let first = once(args, context, program, options, entry, &input)?;
    let open: Vec<(Span, String)> = program
        .defined_functions()
        .flat_map(|(_, _, body)| {
            let mut found = Vec::new();
            body.walk(&mut |stmt| {
                if let StmtKind::Unordered(open) = &stmt.kind {
                    found.push((stmt.span, open.what.clone()));
                }
            });
            found
        })
        .collect();
    let mut tried = 1;
    let mut differing: Option<(String, Outcome)> = None;
    let seeds = (0..TRIED_ORDERS).map(|n| Order::Random(context.shared.seed.wrapping_add(n)));
    for order in std::iter::once(Order::Right).chain(seeds) {
        if open.is_empty() || differing.is_some() {
            break;
        }
        let options = Options { order, ..options.clone() };
        let Read::Program(loaded) = sources::read("run", &args.sources, &options)? else { break };
        let entry = sources::entry(&loaded.program, args.entry.as_deref())?;
        let done = once(args, context, &loaded.program, &options, entry, &input)?;
        tried += 1;
        if !same_result(&first.outcome, &done.outcome) {
            let name = match order {
                Order::Random(seed) => format!("--order random --seed {seed}"),
                _ => "--order right".to_string(),
            };
            differing = Some((name, done.outcome));
        }
    }
    let mut report = report(args, program, first);
    report.result.insert("orders".into(), json!(tried));
    report.result.insert("orders_differ".into(), json!(differing.is_some()));
    let said = match &differing {
        None if open.is_empty() => "no order of evaluation that C leaves open matters here".to_string(),
        None => format!("{tried} orders of evaluation gave the same result"),
        Some((name, _)) => format!("another order of evaluation gives another result: {name}"),
    };
    if let Some((name, outcome)) = differing {
        let (span, what) = open.first().cloned().unwrap_or((Span::NONE, String::new()));
        let message = format!("the result depends on an order that C leaves open: {what}");
        let mut finding = Finding::new(Rule::OpenOrder, span, message);
        finding.help = Some(format!("with {name} the run {}", ended(&outcome)));
        report.findings.push(finding);
        report.exit = Exit::Found;
    }
    report.summary = format!("{}\n{said}", report.summary);
    Ok(report)
}

/// How many orders are tried beside those from left to right and from right to left.
const TRIED_ORDERS: u64 = 14;

fn same_result(a: &Outcome, b: &Outcome) -> bool {
    let endings = match (&a.ending, &b.ending) {
        (Ending::Faulted(x), Ending::Faulted(y)) => x.rule == y.rule && x.span == y.span,
        (x, y) => x == y,
    };
    endings && a.stdout == b.stdout && a.stderr == b.stderr
}

fn ended(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Exited(status) => format!("exits with status {status} and writes {} bytes", outcome.stdout.len()),
        Ending::Returned(Some(value)) => format!("returns {}", number(*value)),
        Ending::Faulted(finding) => format!("ends with: {}", finding.message),
        _ => "ends in another way".to_string(),
    }
}

/// One run of a program that is read already.
pub fn of_program(args: &Run, context: &Context<'_>, program: &Program, options: &Options) -> Result<Report, Failure> {
    let entry = sources::entry(program, args.entry.as_deref())?;
    let input = input(args, program, entry)?;
    let done = once(args, context, program, options, entry, &input)?;
    if let Some(path) = &args.traces {
        write_whole(path, rows(&done.trace).as_bytes())?;
    }
    let report = report(args, program, done);
    if let Some(path) = &args.gen_suppressions {
        let lines = suppressions::of_findings(&report.findings, &program.sources, &Functions::of(program));
        write_whole(path, lines.as_bytes())?;
    }
    Ok(report)
}

fn once(
    args: &Run,
    context: &Context<'_>,
    program: &Program,
    options: &Options,
    entry: FunctionId,
    input: &Input,
) -> Result<Done, Failure> {
    context.status_line.say(format!("run: {}", program.functions[entry].name));
    let budget = Budget {
        steps: args.steps,
        memory: args.memory << 20,
        depth: args.depth,
        time_ms: (context.shared.seconds() * 1000.0) as u64,
        ..Budget::default()
    };
    Ok(match args.engine {
        Engine::Vm => {
            let policy = policy(args, program)?;
            in_schedules(args, context, |seed| {
                let interrupted = context.interrupted.clone();
                in_vm(args, program, entry, input, &budget, interrupted, policy.clone(), Schedule { seed })
            })
        }
        Engine::Native => natively(args, options, program, entry, input, &budget, context.interrupted)?,
    })
}

/// What is done about findings.
fn policy(args: &Run, program: &Program) -> Result<Policy, Failure> {
    let mut policy = Policy {
        keep_going: args.keep_going,
        flat: args.rules == Rules::Abi,
        stack: args.stack.saturating_mul(1 << 20),
        suppressed: None,
    };
    if let Some(path) = &args.suppressions {
        let lines = Suppressions::read(path)?;
        let (functions, sources) = (Functions::of(program), program.sources.clone());
        policy.suppressed =
            Some(Arc::new(move |finding: &Finding| lines.cover(finding.rule, &functions.home(&sources, finding.span))));
    }
    Ok(policy)
}

/// A run by either engine.
struct Done {
    outcome: Outcome,
    trace: Trace,
    coverage: Option<Coverage>,
    /// What the engine could not enforce or keep.
    notes: Vec<String>,
    /// What was found before the end.
    passed: Vec<Finding>,
    /// How often something was found that is suppressed.
    suppressed: u64,
    /// Whether there was more than one thread.
    threaded: bool,
}

/// Runs of schedules, one after the other, up to the first in which something is found or that does not end by itself.
fn in_schedules(args: &Run, context: &Context<'_>, run: impl Fn(u64) -> Done) -> Done {
    let first = context.shared.seed;
    let mut done = run(first);
    for number in 1..args.schedules {
        let ended = matches!(done.outcome.ending, Ending::Exited(_) | Ending::Returned(_));
        // Without a second thread there is one schedule.
        if !done.threaded || !ended || !done.passed.is_empty() {
            break;
        }
        done = run(first.wrapping_add(number));
        if matches!(done.outcome.ending, Ending::Faulted(_)) || !done.passed.is_empty() {
            let seed = first.wrapping_add(number);
            done.notes.push(format!("schedule {} of {}; --seed {seed} runs it again", number + 1, args.schedules));
        }
    }
    done
}

#[allow(clippy::too_many_arguments)]
fn in_vm(
    args: &Run,
    program: &Program,
    entry: FunctionId,
    input: &Input,
    budget: &Budget,
    interrupted: Arc<AtomicBool>,
    policy: Policy,
    schedule: Schedule,
) -> Done {
    let mut image = Image::new(program, exec::libc::LIBRARY);
    if args.rules == Rules::Iso {
        image = image.judging_strictly();
    }
    let options = vm::Options {
        coverage: args.coverage,
        recorder: (image.points().points().len() > 0)
            .then(|| Recorder::new(image.points().clone()).with_limit(TRACE_CELLS)),
        cancel: Some(interrupted),
        policy,
        leaks: args.leaks.map(|leaks| match leaks {
            Leaks::Lost => vm::Leaks::Lost,
            Leaks::All => vm::Leaks::All,
        }),
        schedule: Some(schedule),
    };
    let vm::Run { outcome, coverage, trace, passed, suppressed, threaded, .. } =
        Machine::new(&image).run(entry, input, budget, options);
    Done { outcome, trace: trace.unwrap_or_default(), coverage, notes: Vec::new(), passed, suppressed, threaded }
}

fn natively(
    args: &Run,
    options: &Options,
    program: &Program,
    entry: FunctionId,
    input: &Input,
    budget: &Budget,
    interrupted: &AtomicBool,
) -> Result<Done, Failure> {
    let prepared = replay::prepare(program, &args.sources.files, options, entry)
        .map_err(|error| Failure::new(error.to_string()))?;
    let binary =
        replay::compile(&prepared.recipe, Some(interrupted)).map_err(|error| Failure::new(error.to_string()))?;
    let conditions = Conditions { cancel: Some(interrupted), ..Conditions::default() };
    let run = binary
        .run(input, budget, &conditions)
        .map_err(|error| Failure::new(format!("the compiled program could not be started: {error}")))?;
    let mut notes = run.notes;
    for missed in &prepared.unobserved {
        notes.push(format!("{}: {}", program.sources.describe(missed.span), missed.why));
    }
    let outcome = run.outcome;
    Ok(Done { outcome, trace: run.trace, coverage: None, notes, passed: Vec::new(), suppressed: 0, threaded: false })
}

/// What the program gets: arguments or parameter values, standard input, answers to `nondet`.
fn input(args: &Run, program: &Program, entry: FunctionId) -> Result<Input, Failure> {
    let function = &program.functions[entry];
    let mut input = Input::default();
    if function.name == "main" {
        input.args.clone_from(&args.args);
    } else {
        let types: Vec<Option<ValueType>> =
            function.params.iter().map(|&p| ValueType::of(&program.types, function.locals[p].ty)).collect();
        if types.len() != args.args.len() {
            let names: Vec<&str> = function.params.iter().map(|&p| function.locals[p].name.as_str()).collect();
            return Err(Failure::new(format!(
                "`{}` takes {} values ({}), {} given",
                function.name,
                types.len(),
                names.join(", "),
                args.args.len()
            ))
            .with_help("give the values after `--`, for example `-- 3 -4`"));
        }
        for ((text, ty), &param) in args.args.iter().zip(types).zip(&function.params) {
            let name = &function.locals[param].name;
            let ty = ty.ok_or_else(|| {
                Failure::new(format!("the parameter `{name}` of `{}` is not a number", function.name))
                    .with_help("write a small `main` that calls the function")
            })?;
            input.params.push(scalar(text, ty.is_int(), name)?);
        }
    }
    for text in &args.nondet {
        let is_int = !text.contains(['.', 'e', 'E']) || text.starts_with("0x");
        input.nondet.push(scalar(text, is_int, "--nondet")?);
    }
    input.folders = folders(args)?;
    input.environment = environment(args)?;
    let unreadable = |error| Failure::new(format!("standard input cannot be read: {error}"));
    match &args.stdin {
        Some(path) => {
            input.stdin = std::fs::read(path)
                .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
        }
        None if !std::io::stdin().is_terminal() => {
            std::io::stdin().read_to_end(&mut input.stdin).map_err(unreadable)?;
        }
        None => {}
    }
    Ok(input)
}

fn scalar(text: &str, is_int: bool, what: &str) -> Result<Scalar, Failure> {
    let wrong = || Failure::new(format!("`{text}` is not a value for {what}"));
    if is_int {
        return parse_integer(text).map(Scalar::Int).ok_or_else(wrong);
    }
    text.parse::<f64>().map(Scalar::Float).map_err(|_| wrong())
}

fn report(args: &Run, program: &Program, done: Done) -> Report {
    let mut report = Report::new("run");
    report.findings = done.passed;
    let Outcome { ending, stdout, stderr, steps } = done.outcome;
    let steps_said = if args.engine == Engine::Vm { format!(" after {steps} steps") } else { String::new() };
    // Native runs do not know places.
    let place = |span: Span| (!span.is_none()).then(|| program.sources.describe(span));
    let at = |span: Span| place(span).map_or(String::new(), |place| format!(" at {place}"));
    let (exit, kind, said, mut detail) = match &ending {
        Ending::Exited(status) => {
            // As any other program that runs one does.
            report.status = u8::try_from(*status).ok();
            (Exit::Clean, "exited", format!("exited with status {status}{steps_said}"), json!({ "status": status }))
        }
        Ending::Returned(value) => {
            let value = value.map(number);
            let said = value.as_ref().map_or("returned".to_string(), |value| format!("returned {value}"));
            (Exit::Clean, "returned", format!("{said}{steps_said}"), json!({ "value": value }))
        }
        Ending::Faulted(finding) => {
            report.findings.push((**finding).clone());
            (Exit::Found, "faulted", format!("stopped by a finding{steps_said}"), json!({ "rule": finding.rule.id() }))
        }
        Ending::Killed { signal } => {
            let message = format!("ended by signal {signal}");
            let help = "run the same input with --engine vm to see why";
            report.findings.push(Finding::new(Rule::Crashed, Span::NONE, &message).with_help(help));
            (Exit::Found, "killed", message, json!({ "signal": signal }))
        }
        Ending::Assumed { span } => {
            (Exit::Clean, "assumed", format!("left the program's assumptions{}{steps_said}", at(*span)), json!({}))
        }
        Ending::OutOfBudget { limit, span } => {
            let (name, flag) = limit_name(*limit);
            let more = flag.map_or(String::new(), |flag| format!("; {flag} allows more"));
            let said = format!("inconclusive: out of {name}{}{steps_said}{more}", at(*span));
            (Exit::Inconclusive, "out-of-budget", said, json!({ "limit": name, "place": place(*span) }))
        }
        Ending::Unsupported { what, span } => {
            let said = format!("inconclusive: no model of {what}{}{steps_said}", at(*span));
            (Exit::Inconclusive, "unsupported", said, json!({ "what": what, "place": place(*span) }))
        }
        Ending::Interrupted => (Exit::Interrupted, "interrupted", format!("interrupted{steps_said}"), json!({})),
    };
    detail["kind"] = json!(kind);
    // A run that went past findings and then ended in some other way has still found them.
    report.exit = if exit == Exit::Clean && !report.findings.is_empty() { Exit::Found } else { exit };
    let counted = |count: u64, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
    let mut said = said;
    if args.keep_going && !report.findings.is_empty() {
        let _ = write!(said, "; {}", counted(report.findings.len() as u64, "finding"));
    }
    if done.suppressed > 0 {
        let _ = write!(said, "; {} suppressed", counted(done.suppressed, "finding"));
        report.result.insert("suppressed".into(), json!(done.suppressed));
    }
    report.summary = done.notes.iter().map(|note| format!("note: {note}\n")).collect::<String>() + &said;
    report.result.insert("engine".into(), json!(if args.engine == Engine::Vm { "vm" } else { "native" }));
    report.result.insert("ending".into(), detail);
    report.result.insert("stdout".into(), json!(String::from_utf8_lossy(&stdout)));
    report.result.insert("stderr".into(), json!(String::from_utf8_lossy(&stderr)));
    report.result.insert("steps".into(), json!(steps));
    report.result.insert("notes".into(), json!(done.notes));
    let points = done.trace.points().map(|(_, point)| {
        let names: Vec<&str> = point.variables().iter().map(|v| v.name.as_str()).collect();
        json!({ "name": point.name(), "variables": names, "rows": point.len(), "dropped": point.dropped() })
    });
    report.result.insert("traces".into(), points.collect());
    if let Some(coverage) = &done.coverage {
        let (text, value) = covered(program, coverage);
        report.summary = format!("{text}{}", report.summary);
        report.result.insert("coverage".into(), value);
    }
    report.passthrough = Some(Passthrough { stdout, stderr });
    report
}

/// What ran out, and the option that gives more of it.
fn limit_name(limit: Limit) -> (&'static str, Option<&'static str>) {
    match limit {
        Limit::Steps => ("steps", Some("--steps")),
        Limit::Memory => ("memory", Some("--memory")),
        Limit::Depth => ("call depth", Some("--depth")),
        Limit::Output => ("output", None),
        Limit::Time => ("time", Some("--time")),
        Limit::Processes => ("processes", None),
    }
}

/// Integers that JSON readers may not hold exactly become strings of digits.
fn number(value: Scalar) -> Value {
    match value {
        Scalar::Int(value) => i64::try_from(value).map_or_else(|_| json!(value.to_string()), |value| json!(value)),
        Scalar::Float(value) => json!(value),
    }
}

/// Lines of user code that hold a statement that was not executed.
fn covered(program: &Program, coverage: &Coverage) -> (String, Value) {
    let mut missed = std::collections::BTreeSet::new();
    let mut total = 0;
    for (id, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            total += 1;
            if !coverage.executed(id, stmt.id)
                && let Some(region) = program.sources.used(stmt.span)
            {
                missed.insert((program.sources.file(region.start.file).path.clone(), region.start.line));
            }
        });
    }
    let (statements, branches) = (coverage.statements(), coverage.outcomes());
    let mut text = format!("covered {statements} of {total} statements, {branches} branch outcomes\n");
    for (file, line) in &missed {
        let _ = writeln!(text, "not executed: {file}:{line}");
    }
    let missed: Vec<Value> = missed.iter().map(|(file, line)| json!({ "file": file, "line": line })).collect();
    (text, json!({ "statements": statements, "total": total, "branches": branches, "missed": missed }))
}

/// The rows in DIG's form: a header row for each point, then a row for each visit, separated by semicolons.
fn rows(trace: &Trace) -> String {
    let mut text = String::new();
    for (_, point) in trace.points() {
        let _ = write!(text, "{}", point.name());
        for variable in point.variables() {
            let _ = write!(text, "; {} {}", if variable.ty.is_int() { "I" } else { "D" }, variable.name);
        }
        text.push('\n');
        for row in point.rows() {
            let _ = write!(text, "{}", point.name());
            for value in row.values() {
                match value {
                    Scalar::Int(value) => {
                        let _ = write!(text, "; {value}");
                    }
                    Scalar::Float(value) => {
                        let _ = write!(text, "; {value:?}");
                    }
                }
            }
            text.push('\n');
        }
    }
    text
}
