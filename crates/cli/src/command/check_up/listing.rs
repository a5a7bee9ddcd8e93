//! What a check-up says: each verb's own words, then a table of what was asked and what came of it.

use super::phase::{Answered, Phase};
use crate::exit::Exit;
use crate::report::Report;
use diagnostics::{Finding, Severity};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Joins the reports of the phases; what they own moves into the whole.
pub(super) fn report(phases: &mut [Phase], verbose: bool) -> Report {
    let mut whole = Report::new("check-up");
    let mut table = Vec::new();
    let mut list = Vec::new();
    for phase in phases.iter_mut() {
        let mut result = None;
        if let Some(part) = phase.report.take() {
            // Of what came to nothing the table says why.
            if !part.text.is_empty() && (!phase.verdicts.is_empty() || phase.verb == "check") {
                let _ = writeln!(whole.text, "{}", shown(phase));
                for line in part.text.trim_end().lines() {
                    let _ = writeln!(whole.text, "{}", format!("  {line}").trim_end());
                }
                whole.text.push('\n');
            }
            // Several verbs can meet the same trouble; the first has said what there is to say.
            for finding in part.findings {
                let same = |told: &Finding| told.rule == finding.rule && told.span == finding.span;
                if finding.span.is_none() || !whole.findings.iter().any(same) {
                    whole.findings.push(finding);
                }
            }
            whole.relations.extend(part.relations);
            result = Some(part.result);
        }
        if phase.answered != Answered::NotBegun {
            table.push((shown(phase), answer(phase, verbose)));
        }
        list.push(described(phase, result));
    }
    table.extend(not_begun(phases));
    let width = table.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
    for (what, answer) in &table {
        let _ = writeln!(whole.text, "{what:width$}  {answer}");
    }
    whole.summary = summary(phases, &whole.findings);
    whole.result.insert("phases".into(), Value::Array(list));
    whole
}

fn shown(phase: &Phase) -> String {
    phase.entry.as_ref().map_or(phase.verb.to_string(), |entry| format!("{} {entry}", phase.verb))
}

/// One row for all questions that there was no time for.
fn not_begun(phases: &[Phase]) -> Option<(String, String)> {
    let mut left = phases.iter().filter(|phase| phase.answered == Answered::NotBegun);
    let first = left.next()?;
    let why = first.why.as_deref().unwrap_or_default();
    Some(match left.count() {
        0 => (shown(first), format!("unknown: {why}")),
        more => (format!("{} and {more} more", shown(first)), format!("unknown: {why}")),
    })
}

/// The beginning of a text of several lines, as one.
fn one_line(text: &str) -> String {
    const MOST: usize = 200;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}

/// `3 proved, 1 refuted; stopped after 5 s`.
fn answer(phase: &Phase, verbose: bool) -> String {
    let counts: Vec<String> = phase.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let counted = match (counts.is_empty(), phase.exit) {
        (false, _) => counts.join(", "),
        (true, Exit::Inconclusive) => "unknown".to_string(),
        (true, _) if phase.closing.is_empty() => "nothing wrong".to_string(),
        (true, _) => phase.closing.clone(),
    };
    let why = match (&phase.why, phase.answered) {
        // The verb's closing line says again what was counted.
        (Some(_), Answered::Done) if !counts.is_empty() => String::new(),
        (Some(why), _) => format!(": {}", one_line(why)),
        (None, _) => String::new(),
    };
    let time = if verbose { format!(" ({:.1} s)", phase.elapsed.as_secs_f64()) } else { String::new() };
    format!("{counted}{why}{time}")
}

fn described(phase: &Phase, result: Option<Map<String, Value>>) -> Value {
    let words = phase.command.iter().map(String::as_str);
    json!({
        "name": phase.verb,
        "entry": phase.entry,
        "command": shlex::try_join(words).ok(),
        "verdicts": phase.verdicts,
        "elapsed_ms": phase.elapsed.as_millis() as u64,
        "stopped": phase.answered.name(),
        "why": phase.why,
        "result": result,
    })
}

fn summary(phases: &[Phase], findings: &[Finding]) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let open = phases.iter().filter(|phase| phase.exit == Exit::Inconclusive).count();
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    let mut found = match errors {
        0 => "nothing wrong was found".to_string(),
        n => counted(n, "finding"),
    };
    if errors < findings.len() {
        found += &format!(", {}", counted(findings.len() - errors, "warning"));
    }
    match open {
        0 => format!("{found}; {} asked", counted(phases.len(), "question")),
        _ => format!("{found}; {} asked, {open} not fully answered", counted(phases.len(), "question")),
    }
}
