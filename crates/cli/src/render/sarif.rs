//! For editors and code hosts: SARIF 2.1.0. Rules and their help come from the catalogue.

use super::tone::Tone;
use crate::exit::Exit;
use crate::report::{Detail, Report};
use diagnostics::{Finding, Place, Rule, SourceMap, Span};
use serde_json::{Value, json};

/// What a verdict is to SARIF. What failed is a finding with a rule of its own already.
fn kind(verdict: &str) -> Option<&'static str> {
    match (verdict, Tone::of(verdict)) {
        // Whether a place can be reached was asked for; neither answer is better than the other.
        ("reached" | "unreachable", _) | (_, Tone::Seen | Tone::Plain) => Some("informational"),
        (_, Tone::Good) => Some("pass"),
        (_, Tone::Open) => Some("open"),
        (_, Tone::Hollow) => Some("notApplicable"),
        (_, Tone::Bad) => None,
    }
}

pub fn render(report: &Report) -> Vec<u8> {
    let mut rules: Vec<Value> = Rule::ALL
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id(),
                "shortDescription": { "text": rule.summary() },
                "fullDescription": { "text": rule.explanation() },
                "help": {
                    "text": rule.explanation(),
                    "markdown": format!("{}\n\n`plumb explain {}` says the same.", rule.explanation(), rule.id()),
                },
                "defaultConfiguration": { "level": rule.severity().name() },
            })
        })
        .collect();
    let detail = |number: usize| report.details.get(number);
    let findings = report.findings.iter().enumerate();
    let mut results: Vec<Value> =
        findings.map(|(number, finding)| self::finding(finding, detail(number), report)).collect();
    // Relations are no trouble, so they have no rule of the catalogue; those that occur are listed behind it.
    let mut kinds: Vec<&str> = Vec::new();
    for relation in &report.relations {
        let Some(kind) = kind(relation.verdict) else { continue };
        let index = kinds.iter().position(|known| *known == relation.kind).unwrap_or_else(|| {
            kinds.push(relation.kind);
            kinds.len() - 1
        });
        let text = format!("{} at {}: {}", relation.verdict, relation.location, relation.text);
        let mut result = json!({
            "ruleId": format!("relation-{}", relation.kind),
            "ruleIndex": rules.len() + index,
            "kind": kind,
            "level": "none",
            "message": { "text": text },
        });
        if let Some(location) = relation.span.and_then(|span| location(span, &report.sources)) {
            result["locations"] = json!([location]);
        }
        results.push(result);
    }
    rules.extend(kinds.iter().map(|kind| {
        json!({
            "id": format!("relation-{kind}"),
            "shortDescription": { "text": format!("a verdict of the kind {kind}: what holds, or was seen, at a place") },
            "help": { "text": "docs/soundness.md says what each verdict means and what it assumes." },
            "defaultConfiguration": { "level": "none" },
        })
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
            "invocations": [{
                "executionSuccessful": matches!(report.exit, Exit::Clean | Exit::Found | Exit::Nothing),
                "exitCode": report.exit as u8,
            }],
            "originalUriBaseIds": { SOURCE_ROOT: {
                "description": { "text": "the folder in which plumb was started" },
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    let mut bytes = serde_json::to_vec_pretty(&document).expect("a JSON value should always print");
    bytes.push(b'\n');
    bytes
}

/// What relative paths are relative to.
const SOURCE_ROOT: &str = "%SRCROOT%";

fn finding(finding: &Finding, detail: Option<&Detail>, report: &Report) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
        "level": finding.severity.name(),
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
    if let Some(detail) = detail {
        if let Some(fingerprint) = &detail.fingerprint {
            result["partialFingerprints"] = json!({ "plumb/v1": fingerprint });
        }
        if detail.is_known {
            result["baselineState"] = json!("unchanged");
        }
        if let Some(flow) = flow(finding, detail, report) {
            result["codeFlows"] = json!([flow]);
        }
    }
    result
}

/// The decisions on the way to a finding, and the finding itself at the end.
fn flow(finding: &Finding, detail: &Detail, report: &Report) -> Option<Value> {
    // A path can have any number of turns; the last ones tell most.
    const MOST: usize = 100;
    let turns = detail.path.iter().skip(detail.path.len().saturating_sub(MOST));
    let last = (finding.span, finding.message.clone());
    let mut steps = Vec::new();
    for (span, text) in turns.chain(std::iter::once(&last)) {
        let Some(mut location) = location(*span, &report.sources) else { continue };
        location["message"] = json!({ "text": text });
        steps.push(json!({ "location": location }));
    }
    (steps.len() > 1).then(|| json!({ "threadFlows": [{ "locations": steps }] }))
}

fn location(span: Span, sources: &SourceMap) -> Option<Value> {
    let region = sources.used(span)?;
    let path = &sources.file(region.start.file).path;
    let mut artifact = json!({ "uri": uri(path) });
    if !path.starts_with('/') {
        artifact["uriBaseId"] = json!(SOURCE_ROOT);
    }
    Some(json!({ "physicalLocation": {
        "artifactLocation": artifact,
        "region": {
            "startLine": region.start.line,
            "startColumn": column(region.start, sources),
            "endLine": region.end.line,
            "endColumn": column(region.end, sources),
        },
    } }))
}

/// A column in UTF-16 units, as SARIF counts; ours are bytes.
fn column(place: Place, sources: &SourceMap) -> usize {
    let bytes = place.column.saturating_sub(1) as usize;
    let line = sources.file(place.file).line(place.line).unwrap_or("");
    line.get(..bytes).map_or(bytes, |before| before.encode_utf16().count()) + 1
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
