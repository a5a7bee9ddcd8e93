//! What was found in the form that every verb's findings have, for SARIF, JSON, pages and build servers.

use super::baseline::Baseline;
use crate::command::sources::in_text;
use crate::report::{Case, CaseState, Detail, Relation, Report};
use checkup::{Class, Confirmation, Ended, Fault, Place, Question, Remark, Report as Found};
use diagnostics::{Finding, Note, Rule, Severity, SourceMap, Span};
use std::collections::BTreeMap;

/// Texts of the files that places stand in.
#[derive(Default)]
struct Texts {
    sources: SourceMap,
    /// Where the text of each file begins.
    bases: BTreeMap<String, Option<u32>>,
}

impl Texts {
    fn span(&mut self, place: &Place) -> Span {
        let sources = &mut self.sources;
        let base = self.bases.entry(place.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&place.file).ok()?;
            Some(sources.append_text(&place.file, &String::from_utf8_lossy(&bytes)))
        });
        let Some(base) = *base else { return Span::NONE };
        let length = if place.end_line == place.line { place.end_column.saturating_sub(place.column) } else { 1 };
        in_text(sources, &place.file, base, place.line, place.column, length)
    }

    fn of_remark(&mut self, remark: &Remark) -> Span {
        remark.place.as_ref().map_or(Span::NONE, |place| self.span(place))
    }
}

/// Adds findings and relations to a report.
pub(super) fn add(report: &mut Report, found: &Found, known: &Baseline) {
    let mut texts = Texts::default();
    let owed = found.preconditions.iter().filter(|fault| fault.class == Class::Precondition);
    for fault in found.findings.iter().chain(owed) {
        let Some(rule) = Rule::ALL.iter().copied().find(|rule| rule.id() == fault.rule) else { continue };
        let mut finding = Finding::new(rule, texts.span(&fault.place), message(fault));
        finding.severity = if fault.class == Class::Bug { Severity::Error } else { Severity::Note };
        finding.help = Some(format!("show it again: {}", fault.command));
        for remark in &fault.remarks {
            finding.notes.push(Note { span: texts.of_remark(remark), message: remark.text.clone() });
        }
        let path = fault.path.iter().map(|step| (texts.of_remark(step), step.text.clone())).collect();
        report.findings.push(finding);
        report.details.push(Detail {
            fingerprint: Some(fault.fingerprint.clone()),
            path,
            is_known: known.has(&fault.fingerprint),
        });
    }
    for file in found.unreadable() {
        let Some(why) = &file.unreadable else { continue };
        let mut finding = Finding::new(Rule::Preprocess, texts.of_remark(why), format!("{}: {}", file.path, why.text));
        finding.severity = Severity::Warning;
        report.findings.push(finding);
        report.details.push(Detail::default());
    }
    for fact in &found.facts {
        let span = fact.place.as_ref().map(|place| texts.span(place));
        let Some((kind, verdict)) = words(&fact.kind, &fact.verdict) else { continue };
        let location = if fact.location.contains(&fact.function) {
            fact.location.clone()
        } else {
            format!("{} of {}", fact.location, fact.function)
        };
        report.relations.push(Relation { location, span, kind, text: fact.text.clone(), verdict });
    }
    report.sources = texts.sources;
    report.cases = cases(found, known);
}

/// Every function as a case: what is wrong with it, or why it was not looked at to the end.
fn cases(found: &Found, known: &Baseline) -> Vec<Case> {
    let mut cases = Vec::new();
    for function in &found.functions {
        let is_here = |fault: &&Fault| {
            fault.function == function.name
                && function.place.as_ref().is_some_and(|place| place.file == fault.place.file)
                && !known.has(&fault.fingerprint)
        };
        let messages: Vec<String> =
            found.findings.iter().filter(is_here).map(|fault| format!("{}: {}", fault.place, message(fault))).collect();
        let answers = found.answers.iter().filter(|answer| {
            answer.question == Question::Faults && answer.function == function.name && answer.place == function.place
        });
        let answers: Vec<_> = answers.collect();
        let open = answers.iter().find(|answer| matches!(answer.ended, Ended::NotBegun | Ended::Time | Ended::Bug));
        let state = match (messages.is_empty(), open) {
            (false, _) => CaseState::Failed(messages),
            (true, Some(open)) => CaseState::Skipped(open.ended.name().to_string()),
            (true, None) => CaseState::Passed,
        };
        let seconds = answers.iter().map(|answer| answer.elapsed_ms as f64 / 1000.0).sum();
        let suite = function.place.as_ref().map_or_else(|| "project".to_string(), |place| place.file.clone());
        cases.push(Case { suite, name: function.name.clone(), state, seconds });
    }
    for file in found.unreadable() {
        let why = file.unreadable.as_ref().map(|why| why.text.clone()).unwrap_or_default();
        let state = CaseState::Skipped(why);
        cases.push(Case { suite: file.path.clone(), name: "could be read".to_string(), state, seconds: 0.0 });
    }
    cases
}

fn message(fault: &Fault) -> String {
    let seen = match fault.shown {
        Confirmation::Compiled => "the compiled program shows it",
        Confirmation::Vm => "a run in the VM shows it",
        Confirmation::Nothing => "not run",
    };
    let who = match fault.class {
        Class::Bug => format!("`{}`", fault.entry),
        _ => format!("callers of `{}` must not let this happen: called", fault.entry),
    };
    match fault.class {
        Class::Bug => format!("{}, {who} called with {} ({seen})", fault.message, fault.input),
        _ => format!("{}; {who} with {} ({seen})", fault.message, fault.input),
    }
}

/// The words of a relation as reports have them. A document of a cache could hold others.
fn words(kind: &str, verdict: &str) -> Option<(&'static str, &'static str)> {
    const OTHERS: [&str; 6] = ["symmetry", "assert", "invariant", "unreachable", "overflow", "claim"];
    const VERDICTS: [&str; 7] =
        ["proved", "proved over the reals", "refuted", "observed", "vacuous", "unknown", "holds"];
    let kind = infer::Form::ALL
        .map(infer::Form::name)
        .into_iter()
        .chain(OTHERS)
        .find(|known| *known == kind)
        .unwrap_or("claim");
    Some((kind, VERDICTS.into_iter().find(|known| *known == verdict)?))
}
