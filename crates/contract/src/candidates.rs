//! Candidates for clauses: the relations that runs show, case by case, and forms that are cheap to try.
//!
//! A harness shows the numbers before and after a call, once for all calls and once for each case that the result
//! tells apart (`\result == 0`, `\result < 0`, …). [`infer`] finds the relations of each; one of a case that all calls
//! have is left to these. Pointers are no numbers to `infer`: that one is null, is what it was, or is an argument, are
//! forms of our own, and so are the few values that a result has.

use crate::harness::{Case, LOOK, Subject};
use crate::variants::Outline;
use crate::vocabulary::{Shape, Term};
use crate::{Candidate, Condition, Config, Origin, Requirement, Unexplained, Work, each, harnesses, load_harnessed};
use cfront::Loaded;
use exec::{Scalar, ValueType};
use infer::Preconditions;
use infer::{InferReport, LocationReport};
use logic::{Arithmetic, Predicate, Relation};
use observe::locations::{Request, VALID};
use observe::runs::Limits;
use std::collections::{BTreeMap, BTreeSet};

/// Relations of one case that are kept, and of one function.
const MOST_OF_CASE: usize = 8;
const MOST: usize = 28;
/// Values that a result may have to be listed.
const MOST_VALUES: usize = 4;

/// Loads the program with a harness for every function that shows what it does.
pub fn look(config: &Config, works: &mut [Work]) -> Result<Loaded, String> {
    load_harnessed(config, works, &|work| {
        let assumed: Vec<String> = work.requires.iter().filter_map(|condition| condition.c.clone()).collect();
        work.subject.look(&assumed)
    })
}

/// Runs every function and keeps what was seen.
pub fn find(loaded: &Loaded, config: &Config, works: &mut [Work]) {
    let entries = harnesses(&loaded.program, works, LOOK);
    let outline = Outline::of(&loaded.program);
    each(works, |work| {
        let Some(&entry) = entries.get(&work.subject.key) else { return };
        let (program, _) = outline.reached(&loaded.program, entry, &BTreeMap::new());
        let looking = infer::Config {
            seed: config.seed,
            deadline: config.deadline.clone(),
            request: Request { ghosts: false, ..Request::default() },
            limits: Limits { runs: 1_500, total_steps: 60_000_000, ..Limits::default() },
            ..infer::Config::default()
        };
        match infer::infer(&program, entry, &looking) {
            Ok(found) => take(work, &loaded.program, found),
            Err(why) => work.notes.push(why.into()),
        }
    });
}

fn take(work: &mut Work, program: &ir::Program, found: InferReport) {
    work.runs = found.runs;
    requirements(work, program, &found.preconditions);
    let cases = work.subject.cases();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (number, case) in cases.iter().enumerate() {
        let name = format!("vtrace_{}_{number}", work.subject.key);
        let at: Vec<&LocationReport> = found
            .locations
            .iter()
            .filter(|report| report.location.name.strip_suffix(VALID).unwrap_or(&report.location.name) == name)
            .collect();
        let mut of_case: Vec<Candidate> = Vec::new();
        for report in at {
            for invariant in &report.invariants {
                of_case.extend(relation(&work.subject, case, report, &invariant.predicate, &mut known));
            }
            if number == 0 {
                of_case.extend(values(&work.subject, report));
            }
        }
        of_case.sort_by_key(|candidate| candidate.rank);
        of_case.truncate(MOST_OF_CASE);
        candidates.extend(of_case);
    }
    candidates.extend(pointers(&work.subject));
    candidates.extend(nullness(work));
    candidates.sort_by_key(|candidate| candidate.rank);
    candidates.truncate(MOST);
    work.clauses.extend(candidates);
}

/// What callers owe, as far as the runs tell, and what is undefined whatever they do.
fn requirements(work: &mut Work, program: &ir::Program, found: &Preconditions) {
    for precondition in &found.required {
        let text = precondition.text.clone();
        let of_extent = text.contains("extent(");
        let acsl = of_acsl(&text);
        if let Some(pointer) = acsl.strip_suffix(" != \\null") {
            work.subject.needed.insert(pointer.to_string());
        }
        let known = work.requires.iter().any(|condition| condition.requirement.text == acsl);
        if known {
            continue;
        }
        work.requires.push(Condition {
            requirement: Requirement {
                is_acsl: !acsl.contains("extent("),
                text: acsl,
                origin: Origin::Found,
                broken: precondition.broken,
                example: precondition.shown.clone(),
            },
            c: (!of_extent).then(|| text.clone()),
        });
    }
    for unexplained in &found.unexplained {
        work.unexplained.push(Unexplained {
            runs: unexplained.runs,
            input: unexplained.shown.clone(),
            message: unexplained.finding.message.clone(),
            place: program.sources.describe(unexplained.finding.span),
        });
    }
    work.unexplained.truncate(3);
}

/// A requirement in ACSL: `p != 0` is `p != \null`, `n <= extent(p)` that so many elements are valid.
fn of_acsl(text: &str) -> String {
    if let Some(pointer) = text.strip_suffix(" != 0")
        && !pointer.contains(' ')
        && !pointer.contains('(')
    {
        return format!("{pointer} != \\null");
    }
    if let Some((length, rest)) = text.split_once(" <= extent(")
        && let Some(pointer) = rest.strip_suffix(')')
    {
        return format!("\\valid({pointer} + (0 .. {length} - 1))");
    }
    if let Some((pointer, least)) = text.strip_prefix("extent(").and_then(|rest| rest.split_once(") >= "))
        && let Ok(least) = least.parse::<u64>()
    {
        return format!("\\valid({pointer} + (0 .. {}))", least.saturating_sub(1));
    }
    text.to_string()
}

/// The term that a column shows, and whether it is the old value.
fn column<'s>(subject: &'s Subject, name: &str) -> Option<(&'s Term, bool)> {
    if name == "plumb_r" {
        return subject.terms.iter().find(|term| term.c == "plumb_r").map(|term| (term, false));
    }
    let old = name.strip_prefix("plumb_o");
    let number = old.or_else(|| name.strip_prefix("plumb_n"))?;
    let term = subject.terms.get(number.parse::<usize>().ok()?)?;
    Some((term, old.is_some()))
}

/// A column as ACSL writes it.
fn shown(subject: &Subject, name: &str) -> Option<String> {
    let (term, old) = column(subject, name)?;
    Some(if old && !term.is_parameter { format!("\\old({})", term.text) } else { term.text.clone() })
}

fn relation(
    subject: &Subject,
    case: &Case,
    report: &LocationReport,
    predicate: &Predicate,
    known: &mut BTreeSet<String>,
) -> Option<Candidate> {
    let names: Vec<String> = predicate.variables().into_iter().map(str::to_string).collect();
    let terms: Vec<(&Term, bool)> = names.iter().map(|name| column(subject, name)).collect::<Option<_>>()?;
    let renamed = predicate.substitute(&|name| shown(subject, name).map(logic::Term::var));
    let plain = renamed.to_string();
    // A case repeats nothing that all calls have.
    let is_known = if case.text.is_empty() { !known.insert(plain.clone()) } else { known.contains(&plain) };
    if is_known {
        return None;
    }
    let is_new = |(term, old): &(&Term, bool)| !old && (term.changes || term.of_result);
    let says_something = terms.iter().any(is_new);
    // What holds of the inputs alone promises nothing, unless a result tells it.
    if names.is_empty() || !says_something && case.text.is_empty() {
        return None;
    }
    // The case itself, and what its type says of a number, go without saying.
    if let [(term, old)] = terms.as_slice()
        && (is_of_type(predicate, term) || term.c == "plumb_r" && !old && repeats(case, predicate))
    {
        return None;
    }
    let wide = terms.iter().any(|(term, _)| matches!(term.number(), Some(ValueType::Int(kind)) if kind.bytes() >= 8))
        || plain.contains('*')
        || plain.contains('^');
    let arithmetic = if wide { Arithmetic::Wide } else { Arithmetic::Long };
    let c = infer::shown::c_with(predicate, &report.location.variables, arithmetic).ok()?;
    let mut needs: Vec<String> = terms.iter().flat_map(|(term, _)| subject.needs(term)).collect();
    needs.sort();
    needs.dedup();
    let kind = match predicate {
        Predicate::Compare(Relation::Eq, ..) => 0,
        Predicate::Or(_) => 6,
        Predicate::Compare(..) if names.len() > 1 => 8,
        Predicate::Compare(..) => 5,
        _ => 9,
    };
    let changed = u32::from(!says_something) * 3;
    let rank = kind * 4 + changed + u32::from(!case.text.is_empty()) + names.len() as u32;
    let is_acsl =
        !plain.contains(" mod ") && !plain.contains(" div ") && !plain.contains("===") && !plain.contains('^');
    Some(guarded(subject, case, &needs, &acsl_of(&plain), &c, rank, is_acsl))
}

/// Minima and maxima have a backslash in ACSL.
fn acsl_of(text: &str) -> String {
    text.replace("min(", "\\min(").replace("max(", "\\max(").replace("abs(", "\\abs(")
}

/// A clause in its case, where what it speaks of is there.
fn guarded(
    subject: &Subject,
    case: &Case,
    needs: &[String],
    text: &str,
    c: &str,
    rank: u32,
    is_acsl: bool,
) -> Candidate {
    let mut when: Vec<String> = Vec::new();
    let mut said: Vec<String> = Vec::new();
    if !case.text.is_empty() {
        when.push(case.c.clone());
        said.push(case.text.clone());
    }
    for need in needs {
        let name = need.trim_end_matches(" != 0");
        let is_needed = column(subject, name).is_some_and(|(term, _)| subject.needed.contains(&term.text));
        if is_needed {
            continue;
        }
        when.push(need.clone());
        if need == "plumb_r != 0" {
            if !said.contains(&"\\result != \\null".to_string()) {
                said.push("\\result != \\null".to_string());
            }
        } else if let Some(pointer) = shown(subject, name) {
            said.push(format!("{pointer} != \\null"));
        }
    }
    said.dedup();
    when.dedup();
    let (text, c_text) = match when.is_empty() {
        true => (text.to_string(), c.to_string()),
        false => (format!("{} ==> {text}", said.join(" && ")), format!("!({}) || ({c})", when.join(" && "))),
    };
    Candidate {
        text,
        is_acsl,
        c: c_text,
        when: (!when.is_empty()).then(|| when.join(" && ")),
        rank,
        origin: Origin::Found,
        alive: true,
        standing: None,
    }
}

/// Whether a bound is that of the type.
fn is_of_type(predicate: &Predicate, term: &Term) -> bool {
    let Some(ValueType::Int(kind)) = term.number() else { return false };
    let name = predicate.variables().into_iter().next().unwrap_or_default().to_string();
    struct Only<'a>(&'a str, i128);
    impl logic::Valuation for Only<'_> {
        fn value_of(&self, name: &str) -> Option<Scalar> {
            (name == self.0).then_some(Scalar::Int(self.1))
        }
    }
    let holds = |value: i128| predicate.holds(&Only(&name, value)) == Ok(true);
    matches!(predicate, Predicate::Compare(relation, ..) if *relation != Relation::Ne)
        && holds(kind.min())
        && holds(kind.max())
}

/// Whether a relation says no more of the result than the case does.
fn repeats(case: &Case, predicate: &Predicate) -> bool {
    let text = predicate.to_string();
    let sides: &[&str] = match case.c.as_str() {
        "plumb_r == 0" => &["plumb_r == 0", "plumb_r <= 0", "plumb_r >= 0"],
        "plumb_r < 0" => &["plumb_r <= -1", "plumb_r < 0"],
        "plumb_r > 0" | "plumb_r != 0" => &["plumb_r >= 1", "plumb_r > 0"],
        _ => &[],
    };
    sides.contains(&text.as_str())
}

/// The few values that a result has.
fn values(subject: &Subject, report: &LocationReport) -> Option<Candidate> {
    let at = report.location.variables.iter().position(|variable| variable.name == "plumb_r")?;
    let seen: BTreeSet<i64> = report.rows.iter().filter_map(|row| row.get(at).copied()).collect();
    if !(2..=MOST_VALUES).contains(&seen.len()) || report.rows.len() < 8 {
        return None;
    }
    let of = |name: &str| seen.iter().rev().map(|value| format!("{name} == {value}")).collect::<Vec<_>>().join(" || ");
    let all = Case { text: String::new(), c: "1".to_string() };
    Some(guarded(subject, &all, &[], &of("\\result"), &of("plumb_r"), 2, true))
}

/// What may be said of pointers.
fn pointers(subject: &Subject) -> Vec<Candidate> {
    let mut found = Vec::new();
    let all = Case { text: String::new(), c: "1".to_string() };
    let result = subject.terms.iter().find(|term| term.c == "plumb_r" && term.is_pointer());
    let mut add = |needs: &[String], text: String, c: String, rank: u32| {
        found.push(guarded(subject, &all, needs, &text, &c, rank, true));
    };
    if let Some(Term { ty: Shape::Pointer(to), .. }) = result {
        add(&[], "\\result != \\null".into(), "plumb_r != 0".into(), 3);
        add(&[], "\\result == \\null".into(), "plumb_r == 0".into(), 3);
        for (number, term) in subject.terms.iter().enumerate().filter(|(_, term)| !term.of_result) {
            let Shape::Pointer(other) = term.ty else { continue };
            if other != *to && term.is_parameter || term.needs.len() > 1 {
                continue;
            }
            let (name, which) = (&term.text, if term.is_parameter { 'o' } else { 'n' });
            let same = format!("(const void *)plumb_r == (const void *)plumb_{which}{number}");
            let needs = subject.needs(term);
            if other == *to {
                add(&needs, format!("\\result == {name}"), same.clone(), 4);
                add(&needs, format!("\\result == \\null || \\result == {name}"), format!("plumb_r == 0 || {same}"), 7);
            }
        }
    }
    let is_set = |(_, term): &(usize, &Term)| term.is_pointer() && term.changes && term.c != "plumb_r";
    for (number, term) in subject.terms.iter().enumerate().filter(is_set) {
        let needs = subject.needs(term);
        let name = &term.text;
        if !term.of_result {
            let same = format!("plumb_n{number} == plumb_o{number}");
            add(&needs, format!("{name} == \\old({name})"), same, 24);
        }
        add(&needs, format!("{name} != \\null"), format!("plumb_n{number} != 0"), 26);
        add(&needs, format!("{name} == \\null"), format!("plumb_n{number} == 0"), 14);
    }
    found
}

/// What a call with a null pointer gives, where that is allowed.
fn nullness(work: &Work) -> Vec<Candidate> {
    let subject = &work.subject;
    let mut found = Vec::new();
    let Some(result) = subject.terms.iter().find(|term| term.c == "plumb_r") else { return found };
    for (number, term) in subject.terms.iter().enumerate().filter(|(_, term)| term.is_parameter && term.is_pointer()) {
        let needed = format!("{} != \\null", term.text);
        if work.requires.iter().any(|condition| condition.requirement.text == needed) {
            continue;
        }
        let case = Case { text: format!("{} == \\null", term.text), c: format!("plumb_o{number} == 0") };
        if result.is_pointer() {
            found.push(guarded(subject, &case, &[], "\\result == \\null", "plumb_r == 0", 9, true));
            continue;
        }
        for value in [0, -1, 1, -2] {
            let (text, c) = (format!("\\result == {value}"), format!("plumb_r == {value}"));
            found.push(guarded(subject, &case, &[], &text, &c, 9, true));
        }
    }
    found
}
