//! For programs: one document, `{"schema":1,"command":…,"seed":…,"elapsed_ms":…,"stopped":…,"sources":[…],"result":{…}}`.

use super::Setting;
use crate::report::Report;
use diagnostics::{Assumption, Finding, SourceMap, Span};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The document of a report.
pub fn document(report: &Report, setting: &Setting<'_>) -> Value {
    let elapsed_ms = setting.elapsed.as_millis() as u64;
    if let Some(joined) = &report.document {
        let mut document = joined.clone();
        document["elapsed_ms"] = json!(elapsed_ms);
        return document;
    }
    let mut result = report.result.clone();
    if !result.contains_key("files") {
        let files: Vec<&str> = files(&report.sources).map(|(path, _)| path).collect();
        result.insert("files".into(), json!(files));
    }
    let findings: Vec<Value> = report.findings.iter().map(|f| finding(f, &report.sources)).collect();
    result.insert("findings".into(), Value::Array(findings));
    let sources: Vec<Value> = files(&report.sources).map(|(path, text)| source(path, text)).collect();
    let mut document = json!({
        "schema": 1,
        "command": report.command,
        "seed": report.seed.unwrap_or(setting.shared.seed),
        "elapsed_ms": elapsed_ms,
        "stopped": report.exit.stopped(),
        "sources": sources,
        "result": result,
    });
    if let Some(shard) = &report.shard {
        document["shard"] = shard.clone();
    }
    document
}

/// What a verdict takes for granted, each as a clause.
pub fn assumptions_json(assumptions: &[Assumption]) -> Value {
    assumptions.iter().map(Assumption::to_string).collect()
}

/// The user's files with their texts, those that were named first.
fn files(sources: &SourceMap) -> impl Iterator<Item = (&str, &str)> {
    let files = sources.files().map(|(_, file)| file).filter(|file| !file.system);
    let files = files.filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?)));
    // The text of an argument can be pointed into like a file, under the name of its flag.
    files.filter(|(path, _)| !path.starts_with("--"))
}

/// A file that the run has read, so that whoever shows it later can tell whether the lines are still those.
fn source(path: &str, text: &str) -> Value {
    json!({ "file": path, "sha256": digest(text) })
}

/// The hash of a text. Nothing here needs one that cannot be forged; this one is there already, for the guards of pages,
/// and is the same in every version and in other tools.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn render(report: &Report, setting: &Setting<'_>) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(&document(report, setting)).expect("a JSON value should always print");
    bytes.push(b'\n');
    bytes
}

fn finding(finding: &Finding, sources: &SourceMap) -> Value {
    let mut value = location(finding.span, sources);
    value["rule"] = json!(finding.rule.id());
    value["severity"] = json!(finding.severity.name());
    value["message"] = json!(finding.message);
    value["help"] = json!(finding.help);
    let notes = finding.notes.iter().map(|note| {
        let mut value = location(note.span, sources);
        value["message"] = json!(note.message);
        value
    });
    value["notes"] = notes.collect();
    value
}

/// `{file,line,column}` of the place where a reader meets the span; the members are null when there is none.
pub fn location(span: Span, sources: &SourceMap) -> Value {
    match sources.used(span) {
        Some(region) => json!({
            "file": sources.file(region.start.file).path,
            "line": region.start.line,
            "column": region.start.column,
        }),
        None => json!({ "file": null, "line": null, "column": null }),
    }
}
