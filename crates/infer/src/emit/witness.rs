//! SV-COMP witnesses, YAML format 2.0: of correctness, one entry of type `invariant_set`, and of violation.
//!
//! Expressions are C over the variables in scope, computed in `long long`, which validators know. Relations that speak
//! of ghosts, entry values or the result have no place in the format and are left out with a note. The unique
//! identifier is made from the content, so that the same program and relations give the same witness.

use super::super::InferReport;
use super::super::shown;
use super::{Spot, find, speaks_of_role};
use diagnostics::Span;
use ir::{Block, Callee, FunctionId, Intrinsic, Program, Stmt, StmtKind};
use logic::Arithmetic;
use observe::samples::Role;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A point in time, in seconds since 1970 (UTC).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment(pub u64);

impl std::fmt::Display for Moment {
    /// As ISO 8601 has it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (days, seconds) = (self.0 / 86_400, self.0 % 86_400);
        // Years that start in March, so that the leap day is the last: eras of 400 years have 146,097 days.
        let days = days + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = era * 400 + year + next;
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// The witness and what was left out.
pub fn witness(program: &Program, report: &InferReport, version: &str, created: Moment) -> (String, Vec<String>) {
    let mut content = String::new();
    let mut notes = Vec::new();
    let mut left_out = 0;
    for location in report.locations.iter().filter(|l| !l.invariants.is_empty()) {
        let found = find(program, location);
        let span = found.map(|found| match found.spot {
            Spot::Head { looped, .. } => looped,
            Spot::Before(span) | Spot::After(span) => span,
        });
        let (Some(found), Some(region)) = (found, span.and_then(|span| program.sources.used(span))) else {
            notes.push(format!("`{}` has no place in the text", location.location.name));
            continue;
        };
        if matches!(found.spot, Spot::After(_)) {
            notes.push(format!("`{}` is left out: no statement follows it", location.location.name));
            continue;
        }
        let kind = if matches!(found.spot, Spot::Head { .. }) { "loop_invariant" } else { "location_invariant" };
        for invariant in &location.invariants {
            let variables = &location.location.variables;
            let out_of_scope = [Role::Ghost, Role::Result, Role::Entry];
            let expression = match out_of_scope.into_iter().any(|role| speaks_of_role(invariant, variables, role)) {
                true => None,
                false => shown::c_with(&invariant.predicate, variables, Arithmetic::Long).ok(),
            };
            let Some(expression) = expression else {
                left_out += 1;
                continue;
            };
            let file = quoted(&program.sources.file(region.start.file).path);
            let function = quoted(&program.functions[found.function].name);
            let (line, column) = (region.start.line, region.start.column);
            let value = quoted(&expression);
            let _ = write!(
                content,
                "    - invariant:\n        type: {kind}\n        location:\n          file_name: {file}\n          \
                 line: {line}\n          column: {column}\n          function: {function}\n        \
                 value: {value}\n        format: c_expression\n"
            );
        }
    }
    if left_out > 0 {
        notes.push(format!("{left_out} relations speak of ghosts, entry values or the result and are left out"));
    }
    let body = if content.is_empty() { "  content: []\n".to_string() } else { format!("  content:\n{content}") };
    (document(program, "invariant_set", &body, version, created), notes)
}

/// A run that breaks a claim, as a violation witness tells it.
#[derive(Clone, Debug)]
pub struct Violation<'a> {
    pub entry: FunctionId,
    /// The values of the entry's parameters.
    pub params: &'a [(String, String)],
    /// What nondeterministic calls returned, in order.
    pub nondet: &'a [String],
    /// The claim.
    pub target: Span,
}

/// The witness of a violation: one entry of type `violation_sequence`. The values of parameters are assumed at the
/// first statement of the entry. What nondeterministic calls returned is told if all are made in one place; which call
/// gave which value is not known otherwise, and then only the target is named.
pub fn violation(program: &Program, run: &Violation<'_>, version: &str, created: Moment) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    let mut content = String::from("  content:\n");
    let first = program.functions[run.entry].body.as_ref().and_then(|body| first_statement(&body.stmts));
    let assumed: Vec<String> = run.params.iter().map(|(name, value)| format!("{name} == {value}")).collect();
    if !assumed.is_empty() {
        match first.and_then(|span| location(program, span, true)) {
            Some(at) => waypoint(&mut content, "assumption", &at, Some((&assumed.join(" && "), "c_expression"))),
            None => notes.push("the values of the parameters have no place in the text".to_string()),
        }
    }
    let calls = nondet_calls(program);
    match calls.as_slice() {
        [] => {}
        [call] => match location(program, *call, false) {
            Some(at) => run.nondet.iter().for_each(|value| {
                let result = format!("\\result == {value}");
                waypoint(&mut content, "function_return", &at, Some((&result, "acsl_expression")));
            }),
            None => notes.push("the nondeterministic call has no place in the text".to_string()),
        },
        _ => notes.push("nondeterministic values come from several calls and are left out of the witness".to_string()),
    }
    match location(program, run.target, true) {
        Some(at) => waypoint(&mut content, "target", &at, None),
        None => notes.push("the claim has no place in the text".to_string()),
    }
    (document(program, "violation_sequence", &content, version, created), notes)
}

fn waypoint(content: &mut String, kind: &str, location: &str, constraint: Option<(&str, &str)>) {
    let _ = write!(
        content,
        "    - segment:\n      - waypoint:\n          type: {kind}\n          action: follow\n{location}"
    );
    if let Some((value, format)) = constraint {
        let value = quoted(value);
        let _ = write!(content, "          constraint:\n            value: {value}\n            format: {format}\n");
    }
}

/// Where a waypoint is: at the start of a statement, or at the last character of a call.
fn location(program: &Program, span: Span, start: bool) -> Option<String> {
    let region = program.sources.used(span)?;
    let (line, column) = match start {
        true => (region.start.line, region.start.column),
        false => (region.end.line, region.end.column.saturating_sub(1).max(1)),
    };
    let within = |function: &ir::Function| function.body.as_ref().is_some_and(|body| contains(body, span));
    let function = program.functions.iter().find(|(_, function)| within(function));
    let function = function.map_or(String::new(), |(_, f)| format!("            function: {}\n", quoted(&f.name)));
    let file = quoted(&program.sources.file(region.start.file).path);
    Some(format!(
        "          location:\n            file_name: {file}\n            line: {line}\n            column: {column}\n{function}"
    ))
}

fn contains(block: &Block, span: Span) -> bool {
    let mut found = false;
    block.walk(&mut |stmt| found |= stmt.span == span);
    found
}

fn first_statement(stmts: &[Stmt]) -> Option<Span> {
    stmts.iter().find(|stmt| !matches!(stmt.kind, StmtKind::Live(_))).map(|stmt| stmt.span)
}

fn nondet_calls(program: &Program) -> Vec<Span> {
    let mut calls = Vec::new();
    for (_, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::Nondet), .. } = stmt.kind {
                calls.push(stmt.span);
            }
        });
    }
    calls
}

/// The entry around its content.
fn document(program: &Program, entry_type: &str, body: &str, version: &str, created: Moment) -> String {
    let mut task = String::new();
    let mut hashes = String::new();
    for (_, file) in program.sources.files().filter(|(_, file)| !file.system && file.text.is_some()) {
        let path = quoted(&file.path);
        let _ = writeln!(task, "        - {path}");
        let hash = hex(&Sha256::digest(file.text.as_deref().unwrap_or_default().as_bytes()));
        let _ = writeln!(hashes, "        {path}: \"{hash}\"");
    }
    let uuid = uuid(&[task.as_str(), &hashes, body, version]);
    format!(
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{uuid}\"\n    \
         creation_time: \"{created}\"\n    producer:\n      name: \"Plumbline\"\n      version: {version}\n    task:\n      \
         input_files:\n{task}      input_file_hashes:\n{hashes}      specification: \"G ! call(reach_error())\"\n      \
         data_model: LP64\n      language: C\n{body}",
        version = quoted(version),
    )
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Made from the content, in the form of version 8 (RFC 9562), which leaves the bits to the maker.
fn uuid(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part.as_bytes()));
    let mut bytes = hash.finalize()[..16].to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// A double-quoted scalar of YAML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
