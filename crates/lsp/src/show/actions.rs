//! What can be done with what is known: write it into the file, keep an input as a test, repair, explain.

use super::View;
use crate::Question;
use crate::answers::{Answer, each, text};
use crate::outline::Lines;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, CreateFile, DocumentChangeOperation,
    DocumentChanges, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::str::FromStr;

/// The command that explains a rule.
pub(crate) const EXPLAIN: &str = "plumb.explain";

/// What an action that is worked out only when it is chosen asks.
pub(crate) fn question(data: &Value) -> Option<(Uri, Question)> {
    let uri = Uri::from_str(text(&data["uri"])).ok()?;
    if let Some(function) = data["assertions"].as_str() {
        return Some((uri, Question::Assertions(function.to_string())));
    }
    Some((uri, Question::Repair(PathBuf::from(data["repair"].as_str()?))))
}

/// `tests` is the file of tests that belongs to this file, if there is one.
pub(crate) fn actions(view: &View<'_>, params: &CodeActionParams, tests: Option<PathBuf>) -> Vec<CodeActionOrCommand> {
    let mut found = Vec::new();
    for diagnostic in &params.context.diagnostics {
        if let Some(NumberOrString::String(rule)) = &diagnostic.code {
            let arguments = Some(vec![json!(rule)]);
            let command = Command { title: format!("Explain {rule}"), command: EXPLAIN.to_string(), arguments };
            found.push(CodeActionOrCommand::Command(command));
        }
    }
    let (first, last) = (params.range.start.line + 1, params.range.end.line + 1);
    let touched = |lines: &Lines| lines.first <= last && first <= lines.last;
    for (function, lines) in view.outline.functions.iter().filter(|(_, lines)| touched(lines)) {
        let mut add = |action: CodeAction| found.push(CodeActionOrCommand::CodeAction(action));
        for (line, property) in view.properties(function) {
            if first <= line && line <= last && text(&property["verdict"]) == "refuted" {
                failing_input(view, function, line, property).into_iter().for_each(&mut add);
            }
        }
        annotations(view, function, *lines, (first, last)).into_iter().for_each(&mut add);
        tests_of_branches(view, function).into_iter().for_each(&mut add);
    }
    if let Some(tests) = tests {
        let name = tests.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let data = json!({ "uri": view.uri.as_str(), "repair": tests });
        found.push(CodeActionOrCommand::CodeAction(later(format!("Repair, so that the tests in {name} pass"), data)));
    }
    found
}

/// The action with its edit, after its question was answered; none if the answer is of no use.
pub(crate) fn resolved(view: &View<'_>, action: CodeAction, answer: &Answer) -> Option<CodeAction> {
    let result = answer.result()?;
    let edits = match action.data.as_ref()?.get("repair") {
        Some(_) => repair(view, result)?,
        None => insertions(answer.added(text(&result["emitted"][view.path]), view.outline)?),
    };
    (!edits.is_empty()).then(|| CodeAction { edit: Some(in_place(view.uri, edits)), ..action })
}

fn later(title: String, data: Value) -> CodeAction {
    CodeAction { title, kind: Some(CodeActionKind::REFACTOR), data: Some(data), ..CodeAction::default() }
}

fn now(title: String, kind: CodeActionKind, edit: WorkspaceEdit) -> CodeAction {
    CodeAction { title, kind: Some(kind), edit: Some(edit), ..CodeAction::default() }
}

/// Edits of the file itself.
// A client's own type has `Uri` as a key; nothing of it can change.
#[allow(clippy::mutable_key_type)]
fn in_place(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some([(uri.clone(), edits)].into()), ..WorkspaceEdit::default() }
}

/// Lines, each before another.
fn insertions(lines: Vec<(u32, &str)>) -> Vec<TextEdit> {
    let place = |line: u32| Range::new(Position::new(line - 1, 0), Position::new(line - 1, 0));
    let at_lines = lines.chunk_by(|a, b| a.0 == b.0);
    let joined = |chunk: &[(u32, &str)]| chunk.iter().map(|(_, text)| format!("{text}\n")).collect::<String>();
    at_lines.map(|chunk| TextEdit::new(place(chunk[0].0), joined(chunk))).collect()
}

/// What holds as annotations for Frama-C: of the whole function, and of the line alone; and as assertions.
fn annotations(view: &View<'_>, function: &str, lines: Lines, (first, last): (u32, u32)) -> Vec<CodeAction> {
    let Some(answer) = view.answer(Question::Infer(function.to_string())) else { return Vec::new() };
    let emitted = answer.result().map_or("", |result| text(&result["emitted"][view.path]));
    let Some(added) = answer.added(emitted, view.outline).filter(|_| !emitted.is_empty()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut offer = |title: String, range: (u32, u32)| {
        let within: Vec<_> = added.iter().filter(|(line, _)| range.0 <= *line && *line <= range.1).copied().collect();
        if !within.is_empty() {
            found.push(now(title, CodeActionKind::REFACTOR, in_place(view.uri, insertions(within))));
        }
    };
    if lines.first < first || last < lines.last {
        offer("Write what holds here as ACSL".to_string(), (first, last));
    }
    offer(format!("Write all that holds in {function} as ACSL"), (lines.first, lines.last));
    if !found.is_empty() {
        let data = json!({ "uri": view.uri.as_str(), "assertions": function });
        found.push(later(format!("Write all that holds in {function} as assertions"), data));
    }
    found
}

/// A function at the end of the file that calls this one with the input.
fn failing_input(view: &View<'_>, function: &str, line: u32, property: &Value) -> Option<CodeAction> {
    let inputs: Vec<&Value> = each(&property["witness"]["inputs"]).collect();
    let checked = view.answer(Question::Check)?.result()?;
    let described = each(&checked["functions"]).find(|described| text(&described["name"]) == function)?;
    // Inputs that are not all of the parameters, or are no numbers, cannot be written as a call.
    let is_number = |value: &&Value| text(&value["value"]).parse::<f64>().is_ok();
    if described["parameters"].as_u64() != Some(inputs.len() as u64) || !inputs.iter().all(is_number) {
        return None;
    }
    let values: Vec<&str> = inputs.iter().map(|input| text(&input["value"])).collect();
    let test = format!(
        "\n/* Found by plumb: {} does not hold here. */\nvoid test_{function}_line_{line}(void) {{\n    {function}({});\n}}\n",
        text(&property["text"]).replace("*/", "* /"),
        values.join(", ")
    );
    let end = view.text.end_of(view.text.lines());
    let break_before = if view.text.line(view.text.lines()).is_empty() { "" } else { "\n" };
    let edit = TextEdit::new(Range::new(end, end), format!("{break_before}{test}"));
    let title = format!("Add the failing input {function}({}) as a test", values.join(", "));
    Some(now(title, CodeActionKind::QUICKFIX, in_place(view.uri, vec![edit])))
}

/// A new file with inputs that take the branches, and what the function answers.
fn tests_of_branches(view: &View<'_>, function: &str) -> Option<CodeAction> {
    let result = view.answer(Question::Reach(function.to_string()))?.result()?;
    let csv = result["emitted"]["csv"].as_str().filter(|_| each(&result["tests"]).next().is_some())?;
    let stem = view.uri.as_str().strip_suffix(".c")?;
    let uri = Uri::from_str(&format!("{stem}.{function}.csv")).ok()?;
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    let created = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
    let filled = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(TextEdit::new(start, csv.to_string()))],
    };
    let operations =
        vec![DocumentChangeOperation::Op(ResourceOp::Create(created)), DocumentChangeOperation::Edit(filled)];
    let changes = Some(DocumentChanges::Operations(operations));
    let edit = WorkspaceEdit { document_changes: changes, ..WorkspaceEdit::default() };
    Some(now(format!("Write tests that take the branches of {function}"), CodeActionKind::SOURCE, edit))
}

/// The first patch, if the lines it replaces are still there.
fn repair(view: &View<'_>, result: &Value) -> Option<Vec<TextEdit>> {
    let patch = result["patches"].get(0).filter(|patch| view.is_here(patch))?;
    let line = u32::try_from(patch["line"].as_u64()?).ok()?;
    let (before, after) = (text(&patch["before"]), text(&patch["after"]));
    let count = before.lines().count() as u32;
    let is_there = before.lines().zip(line..).all(|(expected, line)| view.text.line(line).trim() == expected.trim());
    let range = Range::new(Position::new(line - 1, 0), view.text.end_of(line + count.max(1) - 1));
    let indent = &view.text.line(line)[..view.text.line(line).len() - view.text.line(line).trim_start().len()];
    let is_indented = after.starts_with([' ', '\t']);
    let lines: Vec<String> =
        after.lines().map(|line| if is_indented { line.to_string() } else { format!("{indent}{line}") }).collect();
    is_there.then(|| vec![TextEdit::new(range, lines.join("\n"))])
}
