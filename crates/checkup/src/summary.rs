//! From answers to a report: each fault once, the worst first, and why questions stayed open; and from the reports of parts
//! to the report of the whole.

use super::programs::Linked;
use super::report::{Answer, Class, Ended, Fault, FileReport, FunctionReport, OpenGroup, Question, Reason, Report};
use super::{Config, place};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

pub(crate) fn report(config: &Config, linked: &[Linked], files: Vec<FileReport>, answers: Vec<Answer>) -> Report {
    let interrupted = config.interrupted.load(Ordering::Relaxed);
    of_answers(files, functions(linked), answers, config.project.notes.clone(), interrupted)
}

/// Why reports are no parts of one check-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotParts {
    /// There is none.
    Nothing,
    /// They speak of different files or functions.
    Different,
}

/// The report of a check-up whose functions were dealt to several runs.
pub fn joined(parts: &[Report]) -> Result<Report, NotParts> {
    let first = parts.first().ok_or(NotParts::Nothing)?;
    if parts.iter().any(|part| (&part.files, &part.functions) != (&first.files, &first.functions)) {
        return Err(NotParts::Different);
    }
    // Questions stand in the order of the functions they are about.
    let order: BTreeMap<_, usize> = first.functions.iter().zip(0..).map(|(f, at)| ((&f.place, &f.name), at)).collect();
    let mut answers: Vec<Answer> = parts.iter().flat_map(|part| part.answers.clone()).collect();
    answers.sort_by_key(|answer| (order.get(&(&answer.place, &answer.function)).copied(), answer.question));
    let mut notes = Vec::new();
    for note in parts.iter().flat_map(|part| &part.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let interrupted = parts.iter().any(|part| part.interrupted);
    Ok(of_answers(first.files.clone(), first.functions.clone(), answers, notes, interrupted))
}

fn of_answers(
    files: Vec<FileReport>,
    functions: Vec<FunctionReport>,
    mut answers: Vec<Answer>,
    notes: Vec<String>,
    interrupted: bool,
) -> Report {
    let mut best: BTreeMap<Cause, Fault> = BTreeMap::new();
    for answer in &answers {
        for fault in &answer.faults {
            match best.get_mut(&Cause::of(fault)) {
                Some(known) if weight(known) <= weight(fault) => {}
                Some(known) => *known = fault.clone(),
                None => _ = best.insert(Cause::of(fault), fault.clone()),
            }
        }
    }
    let mut faults: Vec<Fault> = best.into_values().collect();
    faults.sort_by_cached_key(|fault| (rank(fault), fault.place.clone(), fault.rule.clone()));
    tell_apart(&mut faults);
    // Details keep each fault where it was found; what was judged over all of them stands in the lists.
    for answer in &mut answers {
        answer.facts.sort_by(|a, b| (&a.place, &a.location).cmp(&(&b.place, &b.location)));
    }
    let of = |classes: &[Class]| faults.iter().filter(|fault| classes.contains(&fault.class)).cloned().collect();
    Report {
        files,
        functions,
        findings: of(&[Class::Bug]),
        preconditions: of(&[Class::Precondition, Class::Internal]),
        suspicions: of(&[Class::Suspicion]),
        facts: answers.iter().flat_map(|answer| answer.facts.clone()).collect(),
        open: open(&answers),
        answers,
        notes,
        interrupted,
        remembered: false,
    }
}

/// What makes two faults one: the engines name an operation by its statement or by its expression, which on one line is
/// the same; and whoever leaves an object that is too small does so at every access of a loop.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cause {
    rule: String,
    /// Where the function stands that goes wrong.
    file: String,
    function: String,
    /// Of the object's allocation, or else of the operation.
    line: u32,
    is_object: bool,
}

impl Cause {
    fn of(fault: &Fault) -> Cause {
        let made = fault.remarks.iter().find(|remark| remark.text == symex::explore::ALLOCATED);
        let made = made.and_then(|remark| remark.place.as_ref()).filter(|made| made.file == fault.place.file);
        // On one line a fault is the same whoever is said to be in it.
        let function = if made.is_some() { fault.function.clone() } else { String::new() };
        Cause {
            rule: fault.rule.clone(),
            file: fault.place.file.clone(),
            function,
            line: made.map_or(fault.place.line, |made| made.line),
            is_object: made.is_some(),
        }
    }
}

/// Which of two tellings of the same fault is the better: the surer, then the one with the shorter input.
fn weight(fault: &Fault) -> (Class, super::Confirmation, usize) {
    (fault.class, fault.shown, fault.input.len())
}

/// The order of the list.
fn rank(fault: &Fault) -> (Class, super::Confirmation, super::Harm, bool) {
    (fault.class, fault.shown, fault.harm, !fault.nulls.is_empty())
}

/// Faults on lines that read alike have the same fingerprint; their order in the file tells them apart.
fn tell_apart(faults: &mut [Fault]) {
    let mut order: Vec<usize> = (0..faults.len()).collect();
    order.sort_by_key(|number| faults[*number].place.clone());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for number in order {
        let count = seen.entry(faults[number].fingerprint.clone()).or_default();
        *count += 1;
        if *count > 1 {
            faults[number].fingerprint += &format!("-{count}");
        }
    }
}

/// Why questions stayed open: the reason that concerns most functions first. Most reasons of a question are its own
/// business; what is counted is the one that would help most, so that every open question is counted once.
fn open(answers: &[Answer]) -> Vec<OpenGroup> {
    let is_open = |answer: &&Answer| !answer.ended.is_answered() && answer.ended != Ended::Refused;
    let mut counts: BTreeMap<&Reason, usize> = BTreeMap::new();
    for answer in answers.iter().filter(is_open) {
        for reason in &answer.reasons {
            *counts.entry(reason).or_default() += 1;
        }
    }
    let mut groups: BTreeMap<Reason, (usize, BTreeSet<String>)> = BTreeMap::new();
    for answer in answers.iter().filter(is_open) {
        let main = answer.reasons.iter().max_by_key(|reason| (telling(reason), counts[*reason], *reason));
        let unsaid = Reason::Other { why: "no reason is known".to_string() };
        let group = groups.entry(main.unwrap_or(&unsaid).clone()).or_default();
        group.0 += 1;
        group.1.insert(answer.function.clone());
    }
    let mut open: Vec<OpenGroup> = groups
        .into_iter()
        .map(|(reason, (questions, functions))| OpenGroup {
            reason,
            questions,
            functions: functions.into_iter().collect(),
        })
        .collect();
    open.sort_by(|a, b| (b.questions, &a.reason).cmp(&(a.questions, &b.reason)));
    open
}

/// Reasons that a user can do something about come before those of the search.
fn telling(reason: &Reason) -> u8 {
    match reason {
        Reason::Interrupted => 5,
        Reason::NoModel { .. } => 4,
        Reason::Construct { .. } => 3,
        Reason::Time => 2,
        Reason::Bounds => 1,
        _ => 0,
    }
}

fn functions(linked: &[Linked]) -> Vec<FunctionReport> {
    let mut seen = BTreeSet::new();
    let mut list = Vec::new();
    for program in linked {
        for &id in &program.own {
            let function = &program.program.functions[id];
            let at = place(&program.program.sources, function.span);
            if !seen.insert((at.clone(), function.name.clone())) {
                continue;
            }
            let called = program.graph.callees(id).iter().filter(|callee| program.own.contains(callee));
            let calls: BTreeSet<String> = called.map(|callee| program.name(*callee).to_string()).collect();
            list.push(FunctionReport {
                name: function.name.clone(),
                place: at,
                statements: function.stmt_count,
                is_entry: program.entries.contains(&id),
                calls: calls.into_iter().collect(),
            });
        }
    }
    list
}

impl Report {
    /// The questions of one kind.
    pub fn answers_to(&self, question: Question) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(move |answer| answer.question == question)
    }
}
