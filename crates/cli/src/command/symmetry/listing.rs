//! What was found, as text, findings and JSON.

use super::program::arguments;
use crate::exit::Exit;
use crate::report::{Relation, Report};
use diagnostics::{Finding, Rule, Shard, Span};
use exec::Scalar;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use symmetry::answer::{Answer, Object, Value as Position};
use symmetry::discover::Discovery;
use symmetry::domain::Sampling;
use symmetry::engine::Fault;
use symmetry::mutants::{Judged, MutantsReport};
use symmetry::native::describe;
use symmetry::relation::{Follow, Shorthand};
use symmetry::shape::{Problem, Shape};
use symmetry::signature::{ResultKind, Signature};
use symmetry::{Broken, SymmetryReport, Verdict, Violation};

/// `getmid(1, 0, 2)`.
fn call(problem: &Problem, shape: &Shape, input: &[Scalar]) -> String {
    let shown: Vec<String> = arguments(shape, input)
        .iter()
        .zip(&problem.signature.parameters)
        .map(
            |(value, parameter)| {
                if value.is_null() { parameter.name.clone() } else { value.to_string().replace(',', ", ") }
            },
        )
        .collect();
    format!("{}({})", problem.signature.name, shown.join(", "))
}

fn shown(answer: &Answer) -> String {
    let object = |o: &Object| {
        let values: Vec<String> = o.values.iter().map(Position::to_string).collect();
        if o.scalar { values.concat() } else { format!("[{}]", values.join(", ")) }
    };
    match &answer.objects[..] {
        [one] => object(one),
        many => many.iter().map(|o| format!("{} {}", o.name, object(o))).collect::<Vec<_>>().join(", "),
    }
}

fn answer_json(answer: &Answer) -> Value {
    let position = |p: &Position| match p {
        Position::Int(int) => i64::try_from(*int).map_or_else(|_| json!(int.to_string()), |int| json!(int)),
        Position::Float(float) if float.is_finite() => json!(float),
        Position::Float(float) => json!(float.to_string()),
        Position::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
    };
    let object = |o: &Object| match (&o.values[..], o.scalar) {
        ([one], true) => position(one),
        (values, _) => values.iter().map(position).collect(),
    };
    match &answer.objects[..] {
        [one] => object(one),
        many => Value::Object(many.iter().map(|o| (o.name.clone(), object(o))).collect()),
    }
}

/// Arguments by name.
fn input_json(problem: &Problem, shape: &Shape, input: &[Scalar]) -> Value {
    let names = problem.signature.parameters.iter().map(|p| p.name.clone());
    let given = names.zip(arguments(shape, input)).filter(|(_, value)| !value.is_null());
    Value::Object(given.collect())
}

fn relation_json(shape: &Shape) -> Value {
    let relation = shape.homomorphism();
    json!({ "k": relation.k(), "l": relation.l(), "tau": relation.tau().to_string(), "sigma": relation.sigma().to_string() })
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved { .. } => "holds",
        Verdict::Refuted { witness: Broken::Violation(_) } => "violated",
        Verdict::Refuted { witness: Broken::Fault { fault, .. } } => match fault {
            Fault::Crashed(_) => "crashed",
            Fault::Hung(_) => "hangs",
            Fault::Undefined(_) => "undefined",
            Fault::Garbage(_) => "bad-answer",
        },
        other => other.name(),
    }
}

fn exit(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Refuted { .. } => Exit::Found,
        Verdict::Vacuous | Verdict::Unknown { .. } => Exit::Inconclusive,
        _ => Exit::Clean,
    }
}

/// Sizes beyond 64 bits are strings of digits.
fn size_json(size: u128) -> Value {
    u64::try_from(size).map_or_else(|_| json!(size.to_string()), |size| json!(size))
}

fn counted(number: u64, what: &str) -> String {
    // Thousands are easier to read apart.
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {what}{}", if number == 1 { "" } else { "s" })
}

/// What a proof for a domain consists of.
fn proof([tuples, calls, checks]: [u64; 3], assuming: bool) -> String {
    let assumption = if assuming { "; assuming that an answer depends on its question alone" } else { "" };
    let (calls, checks) = (counted(calls, "call"), counted(checks, "comparison"));
    format!("  proved for all {}, with {calls} and {checks}{assumption}\n", counted(tuples, "tuple"))
}

/// The members that count, and add up over the parts of a domain.
pub const COUNTS: [&str; 3] = ["tuples", "calls", "checks"];

/// The text of a joined document that says what held of all parts.
pub fn held(result: &Value, assuming: bool, function: Option<&str>) -> String {
    let count = |member: &str| result[member].as_u64().unwrap_or(0);
    let text = |member: &str| result[member].as_str().unwrap_or_default();
    let verdict = text("verdict");
    let heading = format!("{verdict}  {}: {}\n", function.unwrap_or_default(), text("text"));
    heading
        + &match verdict {
            "holds" => proof(COUNTS.map(count), assuming),
            _ => format!("  no violation by {}; no proof, since {}\n", counted(count("tuples"), "tuple"), text("why")),
        }
}

/// The exit status that belongs to a verdict's word.
pub fn verdict_exit(verdict: &str) -> Exit {
    match verdict {
        "holds" | "observed" => Exit::Clean,
        "unknown" => Exit::Inconclusive,
        _ => Exit::Found,
    }
}

/// Turns the report of a part into one that claims nothing of the whole: what held of this part says nothing of the others.
/// What a part breaks is broken, and stays as it is.
pub(super) fn of_part(report: &mut Report, problem: &Problem, found: &SymmetryReport, shard: Shard) -> Value {
    let tallies: Vec<[u64; 3]> = found.by_shape.iter().map(|t| [t.tuples, t.calls, t.checks]).collect();
    let mut rest = json!({
        "verdict": null,
        "why": null,
        "tallies": tallies,
        "assuming": problem.signature.result == ResultKind::Any,
        "function": problem.signature.name,
        "text": report.text,
    });
    if let Verdict::Proved { .. } | Verdict::Observed { .. } = &found.verdict {
        rest["verdict"] = report.result["verdict"].clone();
        rest["why"] = report.result["why"].clone();
        let why = format!("this is part {} of {} of the domain", shard.index(), shard.of());
        let tuples = counted(found.tally.tuples, "tuple");
        let text = report.result["text"].as_str().unwrap_or_default();
        report.text = format!("unknown  {}: {text}\n  {why}: no violation by {tuples}\n", problem.signature.name);
        report.summary = format!("part {shard}: no violation");
        report.result["verdict"] = json!("unknown");
        report.result["why"] = json!(why);
        report.relations.clear();
    }
    rest
}

pub(super) fn checked(
    problem: &Problem,
    found: &SymmetryReport,
    mutants: Option<&MutantsReport>,
    span: Span,
    verbose: bool,
) -> Report {
    let mut report = Report::new("symmetry");
    report.exit = exit(&found.verdict);
    let index = match found.verdict.witness() {
        Some(Broken::Violation(violation)) => violation.shape,
        Some(Broken::Fault { shape, .. }) => *shape,
        None => problem.shapes.len() - 1,
    };
    let shape = &problem.shapes[index];
    let text = problem.relation_text(shape);
    let name = verdict_name(&found.verdict);
    let tally = &found.tally;
    let _ = writeln!(report.text, "{name}  {}: {text}", problem.signature.name);
    match &found.verdict {
        Verdict::Proved { .. } | Verdict::ProvedOverReals { .. } => {
            report.text +=
                &proof([tally.tuples, tally.calls, tally.checks], problem.signature.result == ResultKind::Any);
        }
        Verdict::Observed { .. } => {
            let why = found.no_proof.as_deref().unwrap_or_default();
            let _ =
                writeln!(report.text, "  no violation by {}; no proof, since {why}", counted(tally.tuples, "tuple"));
        }
        Verdict::Refuted { witness: Broken::Violation(violation) } => {
            violated(problem, shape, violation, span, &mut report)
        }
        Verdict::Refuted { witness: Broken::Fault { input, fault, replayed, .. } } => {
            faulted(problem, shape, input, fault, *replayed, span, &mut report)
        }
        Verdict::Unknown { why } => {
            let _ = writeln!(report.text, "  {why}");
        }
        Verdict::Vacuous => {}
    }
    if verbose {
        let _ = writeln!(report.text, "  {} in {:.3} s", counted(tally.calls, "call"), tally.elapsed.as_secs_f64());
    }
    let notes: Vec<&String> = problem.notes.iter().chain(&found.notes).collect();
    report.result.insert("verdict".into(), json!(name));
    report.result.insert("domain".into(), json!(problem.domain_text()));
    report.result.insert("domain_size".into(), size_json(found.domain));
    report.result.insert("tuples".into(), json!(tally.tuples));
    report.result.insert("calls".into(), json!(tally.calls));
    report.result.insert("checks".into(), json!(tally.checks));
    report.result.insert("elapsed_ns".into(), json!(tally.elapsed.as_nanos() as u64));
    report.result.insert("processor_ns".into(), json!(tally.processor.as_nanos() as u64));
    report.result.insert("permute".into(), json!(problem.request.permute));
    report.result.insert("relation".into(), relation_json(shape));
    report.result.insert("text".into(), json!(text));
    report.result.insert("violation".into(), violation_json(problem, shape, found.verdict.witness()));
    report.result.insert(
        "why".into(),
        match &found.verdict {
            Verdict::Observed { .. } => json!(found.no_proof),
            Verdict::Unknown { why } => json!(why.said),
            Verdict::Refuted { witness: Broken::Fault { fault, .. } } => json!(describe(fault)),
            _ => Value::Null,
        },
    );
    report.result.insert("notes".into(), json!(notes));
    if let Some(mutants) = mutants {
        judged(mutants, problem, &mut report);
    }
    report.relations.push(Relation {
        location: problem.signature.name.clone(),
        span: Some(span),
        kind: "symmetry",
        text,
        verdict: name,
    });
    let said: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    report.summary = said + name;
    report
}

fn violated(problem: &Problem, shape: &Shape, violation: &Violation, span: Span, report: &mut Report) {
    let (one, other) = (call(problem, shape, &violation.input), call(problem, shape, &violation.permuted_input));
    let (answer, permuted) = (shown(&violation.output), shown(&violation.permuted_output));
    let seen = if violation.minimal { "the smallest such input, replayed" } else { "replayed" };
    let width = one.chars().count().max(other.chars().count());
    let _ = writeln!(report.text, "  {one:width$} = {answer}");
    let _ = writeln!(report.text, "  {other:width$} = {permuted}");
    let eta = shape.homomorphism().of(&violation.theta);
    let should = match eta.is_identity() {
        true => "outputs should stay the same".to_string(),
        false => format!("outputs should be permuted by {eta}"),
    };
    let _ = writeln!(report.text, "  inputs permuted by {}, {should}; {seen}", violation.theta);
    let message = match violation.input == violation.permuted_input {
        // The inputs that are exchanged are equal, so this is one call.
        true => format!("{one} gives {answer}, which {eta} should not change, since equal inputs may change places"),
        false if eta.is_identity() => format!("{one} gives {answer}, but {other} gives {permuted}"),
        false => format!("{one} gives {answer}, but {other} gives {permuted}; outputs should be permuted by {eta}"),
    };
    report.findings.push(Finding::new(Rule::SymmetryViolated, span, message));
}

fn faulted(
    problem: &Problem,
    shape: &Shape,
    input: &[Scalar],
    fault: &Fault,
    replayed: bool,
    span: Span,
    report: &mut Report,
) {
    let call = call(problem, shape, input);
    let what = describe(fault);
    let seen = if replayed { "replayed" } else { "not replayed" };
    let _ = writeln!(report.text, "  {call}: {what}; {seen}");
    let rule = match fault {
        Fault::Crashed(_) => Rule::Crashed,
        Fault::Hung(_) => Rule::DoesNotReturn,
        Fault::Undefined(_) => Rule::Sanitizer,
        Fault::Garbage(_) => Rule::BadAnswer,
    };
    report.findings.push(Finding::new(rule, span, format!("{call}: {what}")));
}

fn violation_json(problem: &Problem, shape: &Shape, witness: Option<&Broken>) -> Value {
    match witness {
        Some(Broken::Violation(violation)) => json!({
            "input": input_json(problem, shape, &violation.input),
            "permutation": violation.theta.to_string(),
            "permuted_input": input_json(problem, shape, &violation.permuted_input),
            "output": answer_json(&violation.output),
            "permuted_output": answer_json(&violation.permuted_output),
            "minimal": violation.minimal,
            "replayed": true,
        }),
        Some(Broken::Fault { input, replayed, .. }) => json!({
            "input": input_json(problem, shape, input),
            "permutation": null,
            "permuted_input": null,
            "output": null,
            "permuted_output": null,
            "minimal": problem.request.sampling == Sampling::Exhaustive,
            "replayed": replayed,
        }),
        None => Value::Null,
    }
}

fn judged(mutants: &MutantsReport, problem: &Problem, report: &mut Report) {
    let (killed, total) = (mutants.killed.len(), mutants.total());
    let percent = if total == 0 { 0.0 } else { 100.0 * killed as f64 / total as f64 };
    let _ = writeln!(report.text, "mutants: {killed} of {total} killed ({percent:.0} %)");
    let line =
        |judged: &Judged| format!("line {}: {} -> {} ({})", judged.line, judged.before, judged.after, judged.kind);
    for survivor in &mutants.survivors {
        let _ = writeln!(report.text, "  survives  {}", line(survivor));
    }
    for equal in &mutants.equal_on_domain {
        let _ = writeln!(
            report.text,
            "  equal     {}: answers as `{}` does on the whole domain",
            line(equal),
            problem.signature.name
        );
    }
    let apart = [
        (mutants.same_code, "compiled to the same code as the function"),
        (mutants.repeated, "compiled to the same code as another mutant"),
        (mutants.not_compiled, "did not compile"),
        (mutants.out_of_reach, "are in macros or included files"),
        (mutants.undecided, "were not judged in time"),
    ];
    let apart: Vec<String> = apart.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !apart.is_empty() {
        let _ = writeln!(report.text, "  not counted: {}", apart.join(", "));
    }
    let entry = |judged: &Judged| {
        let mut value = json!({
            "kind": judged.kind, "file": judged.file, "line": judged.line, "before": judged.before, "after": judged.after,
        });
        if !judged.by.is_empty() {
            value["by"] = json!(judged.by);
        }
        value
    };
    let all = |list: &[Judged]| list.iter().map(entry).collect::<Vec<Value>>();
    report.result.insert(
        "mutants".into(),
        json!({
            "total": total,
            "killed": killed,
            "survivors": all(&mutants.survivors),
            "killed_list": all(&mutants.killed),
            "equal_on_domain": all(&mutants.equal_on_domain),
            "same_code": mutants.same_code,
            "repeated": mutants.repeated,
            "not_compiled": mutants.not_compiled,
            "out_of_reach": mutants.out_of_reach,
            "undecided": mutants.undecided,
        }),
    );
}

pub(super) fn discovered(signature: &Signature, found: &[Discovery], notes: &[String], span: Span) -> Report {
    let mut report = Report::new("symmetry");
    let mut list = Vec::new();
    let mut said: Vec<String> = notes.to_vec();
    for discovery in found {
        let problem = &discovery.problem;
        let Some(shape) = problem.shapes.last() else { continue };
        let verdict = verdict_name(&discovery.report.verdict);
        let text = problem.relation_text(shape);
        let flags = flags(problem);
        let tuples = counted(discovery.report.tally.tuples, "tuple");
        let _ = writeln!(report.text, "{verdict}  {}: {text}  ({tuples})\n  {flags}", signature.name);
        let outputs: Map<String, Value> =
            shape.outputs.iter().map(|o| (o.name.clone(), json!(o.types.len()))).collect();
        list.push(json!({
            "permute": problem.request.permute,
            "outputs": outputs,
            "relation": relation_json(shape),
            "verdict": verdict,
            "domain": problem.domain_text(),
            "domain_size": size_json(discovery.report.domain),
            "text": text,
            "flags": flags,
        }));
        for note in &problem.notes {
            if !said.contains(note) {
                said.push(note.clone());
            }
        }
        report.relations.push(Relation {
            location: signature.name.clone(),
            span: Some(span),
            kind: "symmetry",
            text,
            verdict,
        });
    }
    report.result.insert("discovered".into(), Value::Array(list));
    report.result.insert("notes".into(), json!(said));
    let closing = match found.len() {
        0 => "no symmetry found".to_string(),
        n => counted(n as u64, "relation"),
    };
    report.summary = said.iter().map(|note| format!("note: {note}\n")).collect::<String>() + &closing;
    report
}

/// Time ran out, or the user interrupted, while the checking program was compiled.
pub(super) fn stopped() -> Report {
    let mut report = Report::new("symmetry");
    let why = "stopped before anything was checked";
    report.exit = Exit::Inconclusive;
    report.result.insert("verdict".into(), json!("unknown"));
    report.result.insert("why".into(), json!(why));
    report.summary = format!("unknown: {why}");
    report
}

/// The flags that ask for a relation that was found.
fn flags(problem: &Problem) -> String {
    let mut text = format!("--permute {}", problem.request.permute.join(","));
    for length in &problem.request.lengths {
        let _ = write!(text, " --length {length}");
    }
    if !problem.request.observe.is_empty() {
        let _ = write!(text, " --observe {}", problem.request.observe.join(","));
    }
    match &problem.request.follow {
        Follow::Images { tau, sigma } => {
            let quoted = |flag: &str, image: &Option<String>| {
                image.as_ref().map_or(String::new(), |image| format!(" {flag} '{image}'"))
            };
            text += &quoted("--tau", tau);
            text += &quoted("--sigma", sigma);
        }
        Follow::Shorthand(parts) => {
            for (name, how) in parts {
                let how = if *how == Shorthand::Permuted { "permuted" } else { "same" };
                let name = name.as_ref().map_or(String::new(), |name| format!("{name}="));
                let _ = write!(text, " --output {name}{how}");
            }
        }
    }
    text
}
