//! Contracts as ACSL: comments before the functions of the files.

use crate::{FunctionContract, Report, Standing};
use cfront::edit::Edit;
use ir::Program;
use std::collections::BTreeMap;

/// The clauses of one function, as the lines of one annotation. What ACSL cannot say and what was only observed stands
/// in comments of its own, for a reader and not for a prover.
pub fn annotation(contract: &FunctionContract) -> String {
    let mut lines = Vec::new();
    let mut beside = Vec::new();
    for requirement in &contract.requires {
        match requirement.is_acsl {
            true => lines.push(format!("requires {};", requirement.text)),
            false => beside.push(format!("requires, not in ACSL: {}", requirement.text)),
        }
    }
    if contract.assigns_anything.is_none() && contract.assigns_acsl && !contract.releases {
        match contract.assigns.is_empty() {
            true => lines.push("assigns \\nothing;".to_string()),
            false => lines.push(format!("assigns {};", contract.assigns.join(", "))),
        }
    }
    for clause in &contract.ensures {
        match &clause.standing {
            Standing::Proved { .. } if clause.is_acsl => lines.push(format!("ensures {};", clause.text)),
            Standing::Proved { .. } => beside.push(format!("proved, not in ACSL: {}", clause.text)),
            Standing::Observed { runs, .. } => beside.push(format!("observed in {runs} runs: {}", clause.text)),
            Standing::Refuted { .. } | Standing::Unknown { .. } => {}
        }
    }
    let mut text = String::new();
    for line in beside {
        text += &format!("/* {line} */\n");
    }
    if !lines.is_empty() {
        text += &format!("/*@ {}\n  @*/\n", lines.join("\n  @ "));
    }
    text
}

/// The files with an annotation before every function that has something to say.
pub fn annotated(program: &Program, report: &Report) -> BTreeMap<String, String> {
    let mut edits = Vec::new();
    for contract in &report.functions {
        let text = annotation(contract);
        let Some(region) = program.sources.used(contract.span).filter(|_| !text.is_empty()) else { continue };
        let file = region.start.file;
        let Some(source) = cfront::preprocess::read_text(&program.sources.file(file).path) else { continue };
        let at = start_of(&source, region.start.line as usize);
        edits.push(Edit { file, range: at..at, replacement: text });
    }
    let applied = cfront::edit::apply(&program.sources, &edits).unwrap_or_default();
    applied.into_iter().map(|(file, text)| (program.sources.file(file).path.clone(), text)).collect()
}

/// The offset of the line on which the definition begins whose name is on this one: above it may be its type alone.
fn start_of(source: &str, line: usize) -> usize {
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let mut first = line.saturating_sub(1).min(lines.len());
    while first > 0 {
        let above = lines[first - 1].trim();
        let is_type = !above.is_empty()
            && !above.starts_with('#')
            && above.chars().all(|c| c.is_ascii_alphanumeric() || " _*".contains(c));
        if !is_type {
            break;
        }
        first -= 1;
    }
    lines[..first].iter().map(|line| line.len()).sum()
}
