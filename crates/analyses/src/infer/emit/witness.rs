//! An SV-COMP correctness witness, YAML format 2.0: one entry of type `invariant_set`.
//!
//! Expressions are C over the variables in scope, computed in `long long`, which validators know. Relations that speak
//! of ghosts, entry values or the result have no place in the format and are left out with a note. The unique
//! identifier is made from the content, so that the same program and relations give the same witness.

use super::super::InferReport;
use super::super::samples::Role;
use super::super::shown;
use super::{Spot, find, speaks_of_role};
use exec::predicate::Arithmetic;
use ir::Program;
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
    let mut task = String::new();
    let mut hashes = String::new();
    for (_, file) in program.sources.files().filter(|(_, file)| !file.system && file.text.is_some()) {
        let path = quoted(&file.path);
        let _ = writeln!(task, "        - {path}");
        let hash = hex(&Sha256::digest(file.text.as_deref().unwrap_or_default().as_bytes()));
        let _ = writeln!(hashes, "        {path}: \"{hash}\"");
    }
    let body = if content.is_empty() { "  content: []\n".to_string() } else { format!("  content:\n{content}") };
    let uuid = uuid(&[task.as_str(), &hashes, &body, version]);
    let text = format!(
        "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{uuid}\"\n    \
         creation_time: \"{created}\"\n    producer:\n      name: \"Plumbline\"\n      version: {version}\n    task:\n      \
         input_files:\n{task}      input_file_hashes:\n{hashes}      specification: \"G ! call(reach_error())\"\n      \
         data_model: LP64\n      language: C\n{body}",
        version = quoted(version),
    );
    (text, notes)
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
