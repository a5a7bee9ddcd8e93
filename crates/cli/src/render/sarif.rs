//! For editors and code hosts: SARIF 2.1.0. Rules and their help come from the catalogue.

use crate::exit::Exit;
use crate::report::Report;
use diagnostics::{Rule, Severity, SourceMap, Span};
use serde_json::{Value, json};

pub fn render(report: &Report) -> Vec<u8> {
    let rules: Vec<Value> = Rule::ALL
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id(),
                "shortDescription": { "text": rule.summary() },
                "fullDescription": { "text": rule.explanation() },
                "help": { "text": rule.explanation() },
                "defaultConfiguration": { "level": level(rule.severity()) },
            })
        })
        .collect();
    let mut results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let mut result = json!({
                "ruleId": finding.rule.id(),
                "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
                "level": level(finding.severity),
                "message": { "text": match &finding.help {
                    Some(help) => format!("{}\n{help}", finding.message),
                    None => finding.message.clone(),
                } },
            });
            if let Some(location) = location(finding.span, &report.sources) {
                result["locations"] = json!([location]);
            }
            let related: Vec<Value> = finding
                .notes
                .iter()
                .enumerate()
                .filter_map(|(id, note)| {
                    let mut location = location(note.span, &report.sources)?;
                    location["id"] = json!(id);
                    location["message"] = json!({ "text": note.message });
                    Some(location)
                })
                .collect();
            if !related.is_empty() {
                result["relatedLocations"] = json!(related);
            }
            result
        })
        .collect();
    // Relations are no trouble, so they have no rule of the catalogue.
    results.extend(report.relations.iter().map(|relation| {
        let text = format!("{} at {}: {}", relation.verdict, relation.location, relation.text);
        let mut result = json!({
            "ruleId": format!("relation-{}", relation.kind),
            "kind": "informational",
            "level": "none",
            "message": { "text": text },
        });
        if let Some(location) = relation.span.and_then(|span| location(span, &report.sources)) {
            result["locations"] = json!([location]);
        }
        result
    }));
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "plumb",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{ "executionSuccessful": matches!(report.exit, Exit::Clean | Exit::Found) }],
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    let mut bytes = serde_json::to_vec_pretty(&document).expect("a JSON value should always print");
    bytes.push(b'\n');
    bytes
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

fn location(span: Span, sources: &SourceMap) -> Option<Value> {
    let region = sources.used(span)?;
    Some(json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&sources.file(region.start.file).path) },
        "region": {
            "startLine": region.start.line,
            "startColumn": region.start.column,
            "endLine": region.end.line,
            "endColumn": region.end.column,
        },
    } }))
}

/// A path as a relative or absolute URI: whatever is not unreserved is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(byte as char);
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
