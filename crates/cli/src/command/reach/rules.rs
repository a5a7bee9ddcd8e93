//! The file of rules of `plumb reach`, with its problems as findings.

use crate::command::sources::in_text;
use crate::report::Failure;
use diagnostics::{Finding, Rule, SourceMap, Span};
use rewriting::{Problem, Reading, Severity, System, read_rules, read_trs};
use std::path::Path;

/// Rules, and where their text is in the source map.
pub struct Rules {
    pub system: System,
    pub findings: Vec<Finding>,
    pub is_usable: bool,
    text: Option<Text>,
}

struct Text {
    path: String,
    base: u32,
}

/// Reads the file; without one there are integers and truth values only.
pub fn read(path: Option<&Path>, sources: &mut SourceMap) -> Result<Rules, Failure> {
    let Some(path) = path else {
        let mut system = System::default();
        system.finish();
        return Ok(Rules { system, findings: Vec::new(), is_usable: true, text: None });
    };
    let shown = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| Failure::new(format!("{shown} cannot be read: {error}")))?;
    let text = String::from_utf8(text).map_err(|_| Failure::new(format!("{shown} is not text in UTF-8")))?;
    let is_trs = path.extension().is_some_and(|extension| extension == "trs");
    let Reading { system, problems } = if is_trs { read_trs(&text) } else { read_rules(&text) };
    let base = sources.append_text(&shown, &text);
    let text = Text { path: shown, base };
    let finding = |problem: &Problem| {
        let rule = if problem.severity == Severity::Error { Rule::BadRules } else { Rule::DoubtfulRules };
        let span = in_text(sources, &text.path, text.base, problem.line, problem.column, problem.length);
        let finding = Finding::new(rule, span, problem.message.clone());
        match &problem.help {
            Some(help) => finding.with_help(help.clone()),
            None => finding,
        }
    };
    let findings: Vec<Finding> = problems.iter().map(finding).collect();
    let is_usable = problems.iter().all(|problem| problem.severity != Severity::Error);
    Ok(Rules { system, findings, is_usable, text: Some(text) })
}

impl Rules {
    /// The span of a place in the rules.
    pub fn span(&self, sources: &SourceMap, (line, column): (u32, u32)) -> Option<Span> {
        self.text.as_ref().map(|text| in_text(sources, &text.path, text.base, line, column, 1))
    }
}
