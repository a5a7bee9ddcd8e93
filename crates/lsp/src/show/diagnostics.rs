//! What is wrong with the file: the findings of all answers, each once.

use super::View;
use crate::Question;
use crate::answers::{Answer, each, text};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range,
};
use serde_json::Value;

/// Who says it, for editors that show several tools.
const SOURCE: &str = "plumb";

pub(crate) fn diagnostics(view: &View<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut add = |question: Question| {
        let Some(answer) = view.answer(question) else { return };
        match &answer.document {
            Ok(_) => found.extend(findings(view, answer)),
            // A file that nothing can be asked about: the reason stands at its beginning.
            Err(why) if view.outline.functions.is_empty() => found.push(Diagnostic {
                range: Range::new(Position::new(0, 0), Position::new(0, 0)),
                severity: Some(DiagnosticSeverity::ERROR),
                source: Some(SOURCE.to_string()),
                message: why.clone(),
                ..Diagnostic::default()
            }),
            Err(_) => {}
        }
    };
    add(Question::Check);
    for (function, _) in &view.outline.functions {
        add(Question::Prove(function.clone()));
        add(Question::Reach(function.clone()));
        add(Question::Infer(function.clone()));
    }
    found.sort_by_key(|diagnostic| (diagnostic.range.start, diagnostic.message.clone()));
    // Two questions may come upon the same.
    found.dedup_by(|a, b| a.range.start == b.range.start && a.code == b.code);
    found
}

fn findings(view: &View<'_>, answer: &Answer) -> Vec<Diagnostic> {
    let Some(result) = answer.result() else { return Vec::new() };
    let here = each(&result["findings"]).filter(|finding| view.is_here(finding));
    here.filter_map(|finding| diagnostic(view, answer, finding)).collect()
}

fn diagnostic(view: &View<'_>, answer: &Answer, finding: &Value) -> Option<Diagnostic> {
    let line = answer.line(&finding["line"], view.outline)?;
    let column = finding["column"].as_u64().and_then(|column| u32::try_from(column).ok());
    let mut message = text(&finding["message"]).to_string();
    if let Some(help) = finding["help"].as_str() {
        message += &format!("\nhelp: {help}");
    }
    let notes = each(&finding["notes"]).filter(|note| view.is_here(note)).filter_map(|note| {
        let line = answer.line(&note["line"], view.outline)?;
        let column = note["column"].as_u64().and_then(|column| u32::try_from(column).ok());
        let location = Location::new(view.uri.clone(), view.text.word(line, column));
        Some(DiagnosticRelatedInformation { location, message: text(&note["message"]).to_string() })
    });
    Some(Diagnostic {
        range: view.text.word(line, column),
        severity: Some(match text(&finding["severity"]) {
            "error" => DiagnosticSeverity::ERROR,
            "warning" => DiagnosticSeverity::WARNING,
            _ => DiagnosticSeverity::INFORMATION,
        }),
        code: finding["rule"].as_str().map(|rule| NumberOrString::String(rule.to_string())),
        source: Some(SOURCE.to_string()),
        message,
        related_information: Some(notes.collect()),
        ..Diagnostic::default()
    })
}
