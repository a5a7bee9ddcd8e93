//! A check-up as a person reads it: what is wrong, what callers owe, what was learnt, and why questions stayed open, on
//! one screen. With `-v` all of it.

use super::baseline::Baseline;
use checkup::{Confirmation, Ended, Fact, Fault, OpenGroup, Question, Reason, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How much of each part is shown.
struct Limits {
    findings: usize,
    preconditions: usize,
    facts: usize,
    reasons: usize,
}

const SCREEN: Limits = Limits { findings: 5, preconditions: 6, facts: 5, reasons: 4 };
const ALL: Limits = Limits { findings: usize::MAX, preconditions: usize::MAX, facts: usize::MAX, reasons: usize::MAX };

/// Longer lines are cut.
const WIDTH: usize = 118;

pub(super) fn text(found: &Report, known: &Baseline, verbose: bool) -> String {
    let limits = if verbose { ALL } else { SCREEN };
    let mut out = String::new();
    findings(found, known, &limits, &mut out);
    preconditions(found, known, &limits, &mut out);
    facts(found, &limits, &mut out);
    unreadable(found, verbose, &mut out);
    open(found, &limits, verbose, &mut out);
    for note in &found.notes {
        let _ = writeln!(out, "note: {note}");
    }
    if verbose {
        questions(found, &mut out);
    }
    out
}

/// `2 findings, 3 preconditions in 12 files and 214 functions; 300 questions asked, 280 answered, 20 open`.
pub(super) fn totals(found: &Report, known: &Baseline) -> String {
    let (old, new): (Vec<&Fault>, Vec<&Fault>) = found.findings.iter().partition(|fault| known.has(&fault.fingerprint));
    let mut said = match new.len() {
        0 => "nothing wrong was found".to_string(),
        n => counted(n, "finding"),
    };
    if !old.is_empty() {
        let _ = write!(said, " that the baseline does not have, {} that it has", old.len());
    }
    let owed = found.preconditions.len();
    if owed > 0 {
        let _ = write!(said, ", {}", counted(owed, "precondition"));
    }
    let _ =
        write!(said, " in {} of {}", counted(found.functions.len(), "function"), counted(found.files.len(), "file"));
    let open = found.left_open();
    let _ = write!(said, "; {} asked, {} answered", counted(found.asked(), "question"), found.answered());
    if found.within_bounds() > 0 {
        let _ = write!(said, " ({} within bounds)", found.within_bounds());
    }
    if open > 0 {
        let _ = write!(said, ", {open} open");
    }
    if found.remembered {
        said += "; nothing has changed since the last run";
    }
    said
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A line that fits, with its end cut off if it must be.
fn cut(line: &str, width: usize) -> String {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(width) {
        Some(_) => line.chars().take(width.saturating_sub(1)).collect::<String>() + "…",
        None => line,
    }
}

fn findings(found: &Report, known: &Baseline, limits: &Limits, out: &mut String) {
    let new: Vec<&Fault> = found.findings.iter().filter(|fault| !known.has(&fault.fingerprint)).collect();
    for (number, fault) in (1..).zip(new.iter().take(limits.findings)) {
        let _ = writeln!(out, "{number}. {}: {} in `{}`", fault.place, fault.rule, fault.function);
        let _ = writeln!(out, "   {}", cut(&cause(fault), WIDTH));
        let called = if fault.entry == fault.function { String::new() } else { format!("`{}` called ", fault.entry) };
        let seen = match fault.shown {
            Confirmation::Compiled => "the compiled program shows it",
            Confirmation::Vm => "a run in the VM shows it",
            Confirmation::Nothing => "not run",
        };
        let _ = writeln!(out, "   {} ({seen})", cut(&format!("{called}with {}", fault.input), WIDTH));
        let _ = writeln!(out, "   again: {}", fault.command);
    }
    if new.len() > limits.findings {
        let _ = writeln!(out, "   and {} more; -v shows all", new.len() - limits.findings);
    }
    if !new.is_empty() {
        out.push('\n');
    }
}

/// One line of cause: what is wrong, and with which object.
fn cause(fault: &Fault) -> String {
    let mut text = fault.message.clone();
    if let Some(remark) = fault.remarks.first() {
        let _ = write!(text, "; {}", remark.text);
        if let Some(place) = &remark.place {
            let _ = write!(text, " at {place}");
        }
    }
    text
}

/// What a function needs, in one line for each function.
fn preconditions(found: &Report, known: &Baseline, limits: &Limits, out: &mut String) {
    let mut functions: Vec<(&str, Vec<&Fault>)> = Vec::new();
    let is_shown = |fault: &&Fault| !known.has(&fault.fingerprint);
    for fault in found.preconditions.iter().filter(is_shown) {
        match functions.iter_mut().find(|(name, _)| *name == fault.entry) {
            Some((_, faults)) => faults.push(fault),
            None => functions.push((&fault.entry, vec![fault])),
        }
    }
    if functions.is_empty() {
        return;
    }
    let _ = writeln!(out, "What callers owe ({}):", counted(functions.len(), "function"));
    let width = functions.iter().take(limits.preconditions).map(|(name, _)| name.len()).max().unwrap_or(0).min(28);
    for (name, faults) in functions.iter().take(limits.preconditions) {
        let _ = writeln!(out, "  {name:width$}  {}", cut(&needs(faults), WIDTH - width));
    }
    if functions.len() > limits.preconditions {
        let _ =
            writeln!(out, "  and {} more; -v shows all", counted(functions.len() - limits.preconditions, "function"));
    }
    out.push('\n');
}

/// `p and q not NULL; with n = 0: division by zero (a.c:12)`.
fn needs(faults: &[&Fault]) -> String {
    let mut parts = Vec::new();
    let mut nulls: Vec<&str> = Vec::new();
    for fault in faults {
        match &fault.nulls[..] {
            [only] if fault.rule == "null-dereference" => {
                if !nulls.contains(&only.as_str()) {
                    nulls.push(only);
                }
            }
            _ => parts.push(format!(
                "with {}: {} ({}:{})",
                cut(&fault.input, 48),
                cut(&fault.message, 60),
                fault.place.file,
                fault.place.line
            )),
        }
    }
    if !nulls.is_empty() {
        parts.insert(usize::from(!parts.is_empty()), format!("{} not NULL", nulls.join(" and ")));
    }
    parts.join("; ")
}

/// The most telling relation of each function.
fn facts(found: &Report, limits: &Limits, out: &mut String) {
    let claims: Vec<&Fact> = found.facts.iter().filter(|fact| fact.question == Question::Claims).collect();
    let mut told: BTreeMap<&str, Vec<&Fact>> = BTreeMap::new();
    for fact in found.facts.iter().filter(|fact| fact.question != Question::Claims) {
        told.entry(&fact.function).or_default().push(fact);
    }
    if told.is_empty() && claims.is_empty() {
        return;
    }
    let mut best: Vec<(&str, Vec<&Fact>)> = told.into_iter().collect();
    for (_, facts) in &mut best {
        facts.sort_by_key(|fact| value(fact));
    }
    best.sort_by_key(|(name, facts)| (facts.first().map(|fact| value(fact)), *name));
    let relations: usize = best.iter().map(|(_, facts)| facts.len()).sum();
    let mut said = Vec::new();
    if relations > 0 {
        said.push(format!("{} of {}", counted(relations, "relation"), counted(best.len(), "function")));
    }
    if !claims.is_empty() {
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        claims.iter().for_each(|claim| *verdicts.entry(&claim.verdict).or_default() += 1);
        let verdicts: Vec<String> = verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        said.push(format!("{} ({})", counted(claims.len(), "claim"), verdicts.join(", ")));
    }
    let _ = writeln!(out, "Learnt: {}", said.join(", "));
    let width = best.iter().take(limits.facts).map(|(name, _)| name.len()).max().unwrap_or(0).min(28);
    let shown = if limits.facts == usize::MAX { usize::MAX } else { 2 };
    for (name, facts) in best.iter().take(limits.facts) {
        let texts: Vec<String> = facts.iter().take(shown).map(|fact| told_at(fact)).collect();
        let line = texts.join("; ");
        let line = if limits.facts == usize::MAX { line } else { cut(&line, WIDTH - width) };
        let _ = writeln!(out, "  {name:width$}  {line}");
    }
    if best.len() > limits.facts {
        let _ = writeln!(out, "  and {} more; -v shows all", counted(best.len() - limits.facts, "function"));
    }
    if best.iter().flat_map(|(_, facts)| facts).any(|fact| fact.verdict == "proved") {
        let _ = writeln!(
            out,
            "  proved means on every run on which all operations are defined; `plumb infer` names what it rests on"
        );
    }
    out.push('\n');
}

/// A relation with its verdict and its place: one that holds at one return need not hold at another.
fn told_at(fact: &Fact) -> String {
    match fact.location.as_str() {
        "" => format!("{} ({})", fact.text, fact.verdict),
        location if fact.kind == "symmetry" || location == fact.function => format!("{} ({})", fact.text, fact.verdict),
        location => format!("{} ({}, {location})", fact.text, fact.verdict),
    }
}

/// What a relation is worth to a reader, the least first.
fn value(fact: &Fact) -> (u8, u8, bool, usize) {
    let strength = match fact.verdict.as_str() {
        "proved" | "holds" => 0,
        "proved over the reals" => 1,
        _ => 2,
    };
    let kind = match fact.kind.as_str() {
        "symmetry" | "flat" | "nested" => 0,
        // That one variable has one value at some place is no relation.
        "equality" if variables(&fact.text) < 2 => 4,
        "equality" => 1,
        "max-plus" | "min-plus" | "disjunction" => 2,
        "congruence" => 3,
        _ => 4,
    };
    (kind, strength, !fact.location.starts_with("return"), fact.text.len())
}

/// How many different names a relation has.
fn variables(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())).collect::<BTreeSet<_>>().len()
}

fn unreadable(found: &Report, verbose: bool, out: &mut String) {
    let files: Vec<_> = found.unreadable().collect();
    if files.is_empty() {
        return;
    }
    let all = if files.len() == found.files.len() { " None could." } else { "" };
    let _ = writeln!(out, "Could not be read: {}.{all}", counted(files.len(), "file"));
    let most = if verbose { usize::MAX } else { 4 };
    for file in files.iter().take(most) {
        if let Some(why) = &file.unreadable {
            let place = why.place.as_ref().map_or_else(|| file.path.clone(), ToString::to_string);
            let _ = writeln!(out, "  {place}: {}", cut(&why.text, WIDTH));
        }
    }
    if files.len() > most {
        let _ = writeln!(out, "  and {} more; -v shows all", files.len() - most);
    }
    out.push('\n');
}

fn open(found: &Report, limits: &Limits, verbose: bool, out: &mut String) {
    if found.open.is_empty() {
        return;
    }
    let _ = writeln!(out, "Open: {} of {}", counted(found.left_open(), "question"), found.answers.len());
    for group in found.open.iter().take(limits.reasons) {
        let _ = writeln!(out, "  {}", cut(&reason(group, verbose), if verbose { usize::MAX } else { WIDTH }));
    }
    if found.open.len() > limits.reasons {
        let _ = writeln!(out, "  and {} more; -v shows all", counted(found.open.len() - limits.reasons, "reason"));
    }
}

/// The reason, whom it concerns, and what would help.
fn reason(group: &OpenGroup, verbose: bool) -> String {
    let most = if verbose { usize::MAX } else { 3 };
    let mut names = group.functions.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    if group.functions.len() > most {
        let _ = write!(names, ", …");
    }
    let n = group.functions.len();
    let (who, calls) = (counted(n, "function"), if n == 1 { "calls" } else { "call" });
    match &group.reason {
        Reason::NoModel { name, is_system: true } => {
            format!("{who} {calls} `{name}`, of which the search has no model ({names})")
        }
        Reason::NoModel { name, is_system: false } => {
            format!("{who} {calls} `{name}`, which these files do not define; add the file that does ({names})")
        }
        Reason::Construct { what } => format!("{who}: {what} has no model ({names})"),
        Reason::Bounds => {
            format!("{who}: paths or inputs beyond the bounds of the search; --time gives more ({names})")
        }
        Reason::Time => format!("{who}: the time was over; --time gives more ({names})"),
        Reason::Interrupted => format!("{who}: interrupted ({names})"),
        Reason::Aliasing => format!("{who}: inputs that point into one object were not tried ({names})"),
        Reason::Surroundings => {
            format!("{who}: the environment, volatile objects, or addresses used as numbers ({names})")
        }
        Reason::Solver => format!("{who}: the solver gave up on a question ({names})"),
        Reason::Refused { why } | Reason::Other { why } => format!("{who}: {why} ({names})"),
    }
}

/// Every question, for those who want to know.
fn questions(found: &Report, out: &mut String) {
    let _ = writeln!(out, "\nQuestions:");
    for answer in &found.answers {
        let mut came = match answer.ended {
            Ended::Done => "answered".to_string(),
            Ended::Within => format!("answered within bounds ({})", answer.within.join("; ")),
            other => other.name().to_string(),
        };
        if !answer.faults.is_empty() {
            let _ = write!(came, ", {}", counted(answer.faults.len(), "fault"));
        }
        if !answer.facts.is_empty() {
            let _ = write!(came, ", {}", counted(answer.facts.len(), "relation"));
        }
        let group = |reason: &Reason| OpenGroup { reason: reason.clone(), questions: 1, functions: Vec::new() };
        let why: Vec<String> = answer
            .reasons
            .iter()
            .map(|why| reason(&group(why), true))
            .map(|text| {
                let text = text.trim_start_matches("0 functions").trim_start_matches(':').trim_start();
                text.trim_end_matches("()").trim_end().to_string()
            })
            .collect();
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join("; ")) };
        let _ = writeln!(
            out,
            "  {} {}  {came}{} ({} ms)",
            answer.question.verb(),
            answer.function,
            cut(&why, 400),
            answer.elapsed_ms
        );
    }
    for fault in &found.suspicions {
        let why = fault.why.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "  not confirmed: {}: {} with {}: {}",
            fault.place,
            fault.message,
            fault.input,
            cut(why, 200)
        );
    }
}
