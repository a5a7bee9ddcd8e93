//! Everything that can go wrong in a function: each undefined operation, broken claim and crash, with an input for it.
//!
//! *Question*: which operations of this function, or of what it calls, go wrong for some input?
//!
//! One search follows the paths and notes the first inputs with which each operation goes wrong, by its rule and place.
//! Then the compiled program runs on them under the compiler's sanitizers, and the VM where those are blind.
//!
//! *Guarantee*: [`Evidence::Compiled`] and [`Evidence::Vm`] mean that a run went wrong at that very line. What a search
//! believes and no run shows is [`Evidence::Unconfirmed`], with the reason. Deliberate endings (`abort`, `exit`) are none.
//!
//! *May miss* whatever the search leaves out ([`Exploration::losses`]).

use super::replayer::{ObjectKind, Replayer, Wrong, file_name};
use super::{Config, Spans, Turn};
use diagnostics::{Finding, Note, Rule, Span};
use exec::Scalar;
use ir::{FunctionId, Globals, Program};
use replay::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use symex::explore::{self, Client, Exploration, Given, Goal, GoalId, Met, Scenario, Witness};

/// What a run showed of a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The compiled program went wrong there; whose object it misused, where the sanitizer tells.
    Compiled { object: Option<ObjectKind> },
    /// The VM saw it; the compiled program does not notice.
    Vm,
    /// Nothing but the search says so.
    Unconfirmed { why: String },
}

#[derive(Clone, Debug)]
pub struct FoundFault {
    pub rule: Rule,
    /// A clause without a full stop.
    pub message: String,
    pub span: Span,
    /// Where the object was made, and where it ended.
    pub notes: Vec<Note>,
    pub witness: Witness,
    pub path: Vec<Turn>,
    pub evidence: Evidence,
}

#[derive(Clone, Debug)]
pub struct FaultsReport {
    /// By their places in the text.
    pub faults: Vec<FoundFault>,
    pub search: Exploration,
}

/// Inputs for one fault that are tried on the compiled program.
const ATTEMPTS: usize = 3;

/// Looks for all that can go wrong when the entry is called. Faults that are `known` already are not looked at again. The
/// search ends when its own flag is raised, builds and runs when `cancel` is.
pub fn faults(
    program: &Program,
    entry: FunctionId,
    config: &Config,
    known: &BTreeSet<(Rule, Span)>,
    cancel: Option<Arc<AtomicBool>>,
) -> FaultsReport {
    let spans = Spans::new(program);
    let mut hunt = Hunt { spans: &spans, known, found: BTreeMap::new() };
    let scenario = match config.globals {
        Globals::Any => Scenario::open_entry(program, entry),
        Globals::Initial => Scenario::open_call(program, entry),
    };
    let search = explore::Config { max_inputs: 2 * ATTEMPTS as u32, ..config.search.clone() };
    let search = explore::explore(program, &scenario, &[Goal::Error], &search, &mut hunt);
    let replayer = Replayer::new(program, program, entry, &[], config.sources.as_ref());
    let replayer = replayer.cancelled_by(cancel);
    let confirmed = |candidates| shrunk(program, &replayer, confirmed(program, &replayer, candidates));
    let faults = hunt.found.into_values().map(confirmed).collect();
    FaultsReport { faults, search }
}

/// What runs in the VM have found, with their inputs, as far as the compiled program or the VM shows it again.
pub fn faults_of_runs(
    program: &Program,
    entry: FunctionId,
    sources: Option<&Sources>,
    runs: Vec<(Finding, Witness)>,
    cancel: Option<Arc<AtomicBool>>,
) -> Vec<FoundFault> {
    let replayer = Replayer::new(program, program, entry, &[], sources).cancelled_by(cancel);
    let found = runs.into_iter().map(|(Finding { rule, span, message, notes, .. }, witness)| {
        let path = Vec::new();
        let evidence = Evidence::Unconfirmed { why: "it was not run".to_string() };
        confirmed(program, &replayer, vec![FoundFault { rule, message, span, notes, witness, path, evidence }])
    });
    found.filter(|fault| !matches!(fault.evidence, Evidence::Unconfirmed { .. })).collect()
}

struct Hunt<'a> {
    spans: &'a Spans,
    known: &'a BTreeSet<(Rule, Span)>,
    /// By place and rule.
    found: BTreeMap<(u32, u32, Rule), Vec<FoundFault>>,
}

impl Client for Hunt<'_> {
    /// No input settles the goal: the search goes on to the next thing that can go wrong.
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        let Some((fault, span)) = met.fault else { return Vec::new() };
        // A program that calls `abort` means to end.
        if fault.rule == Rule::Aborted || self.known.contains(&(fault.rule, span)) {
            return Vec::new();
        }
        let candidates = self.found.entry((span.lo, span.hi, fault.rule)).or_default();
        let is_new = candidates.iter().all(|known| known.witness != met.witness);
        if candidates.len() < ATTEMPTS && is_new {
            candidates.push(FoundFault {
                rule: fault.rule,
                message: fault.message,
                span,
                notes: fault.notes,
                witness: met.witness,
                path: self.spans.path(&met.path),
                evidence: Evidence::Unconfirmed { why: "it was not run".to_string() },
            });
        }
        Vec::new()
    }
}

/// The first candidate that a run confirms, or else the first.
fn confirmed(program: &Program, replayer: &Replayer<'_>, mut candidates: Vec<FoundFault>) -> FoundFault {
    let mut first_reason = None;
    for number in 0..candidates.len() {
        match evidence(program, replayer, &candidates[number]) {
            Evidence::Unconfirmed { why } => first_reason = first_reason.or(Some(why)),
            seen => {
                let fault = candidates.swap_remove(number);
                return FoundFault { evidence: seen, ..fault };
            }
        }
    }
    let why = first_reason.unwrap_or_default();
    FoundFault { evidence: Evidence::Unconfirmed { why }, ..candidates.swap_remove(0) }
}

/// The lengths of arrays that are tried in place of a longer one.
const SHORTER: [usize; 3] = [1, 2, 4];

/// The same fault with buffers that are no longer than it needs, as far as a few runs tell.
fn shrunk(program: &Program, replayer: &Replayer<'_>, mut fault: FoundFault) -> FoundFault {
    if !matches!(fault.evidence, Evidence::Compiled { .. }) {
        return fault;
    }
    for number in 0..fault.witness.given.len() {
        for shorter in shorter(&fault.witness, number) {
            let mut tried = fault.clone();
            tried.witness.given[number].1 = shorter;
            if evidence(program, replayer, &tried) == fault.evidence {
                fault = tried;
                break;
            }
        }
    }
    fault
}

/// Shorter buffers in place of an input, the shortest first: numbers among the inputs may be their lengths.
fn shorter(witness: &Witness, number: usize) -> Vec<Given> {
    match &witness.given[number].1 {
        Given::Object { contents, .. } => {
            let Given::Array(element, parts) = &**contents else { return Vec::new() };
            let mut counts: BTreeSet<usize> = SHORTER.into_iter().collect();
            counts.extend(witness.given.iter().filter_map(|(_, given)| match given {
                Given::Scalar(_, Scalar::Int(value)) => usize::try_from(*value).ok().filter(|count| *count > 0),
                _ => None,
            }));
            let cut = |count: usize| Given::Object {
                size: element * count as u64,
                contents: Box::new(Given::Array(*element, parts[..count].to_vec())),
            };
            counts.into_iter().filter(|count| *count < parts.len()).map(cut).collect()
        }
        Given::Text { size, bytes } => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            let cut = Given::Text { size: end as u64 + 1, bytes: bytes[..end].to_vec() };
            if end as u64 + 1 < *size { vec![cut] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

fn evidence(program: &Program, replayer: &Replayer<'_>, fault: &FoundFault) -> Evidence {
    let unconfirmed = |why: String| Evidence::Unconfirmed { why };
    let wrong = match replayer.goes_wrong(&fault.witness) {
        Ok(Some(wrong)) => wrong,
        Ok(None) => return unconfirmed("no run with this input shows it".to_string()),
        Err(why) => return unconfirmed(why),
    };
    if wrong.beyond_input {
        return unconfirmed("the input is too small for what the function reads of it".to_string());
    }
    match is_at(program, fault.span, &wrong) {
        true if wrong.natively => Evidence::Compiled { object: wrong.object },
        true => Evidence::Vm,
        false => unconfirmed(format!("with this input something else goes wrong first: {}", wrong.what)),
    }
}

/// Whether a run went wrong at a span: its line is the innermost of the trace that stands in the program's own files, or
/// the library was called from there.
fn is_at(program: &Program, span: Span, wrong: &Wrong) -> bool {
    let Some(region) = program.sources.used(span) else { return false };
    let name = file_name(&program.sources.file(region.start.file).path);
    let own: BTreeSet<String> =
        program.sources.files().filter(|(_, file)| !file.system).map(|(_, file)| file_name(&file.path)).collect();
    let innermost = wrong.places.iter().find(|(file, _)| own.contains(file));
    innermost.is_some_and(|(file, line)| *file == name && (region.start.line..=region.end.line).contains(line))
}
