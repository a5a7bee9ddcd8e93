//! Claims decided by following paths: all of them to their ends, or one that breaks a claim.
//!
//! *Question*: is there an input with which a claim of the program fails, and if every path was followed, is there none?
//!
//! Before anything is argued by induction, [`symex::explore`] follows the paths of the program with its inputs open:
//! integers as bit-vectors, floats as IEEE 754 values, memory object by object. A program that takes no inputs has one path,
//! which is its run. An input that breaks a claim is replayed in the VM before it is believed. If no path is left and nothing was
//! left out, the claims that were not broken hold.
//!
//! *Guarantee*: a claim is `Proved` only if the search ended without a [`Loss`]; what operations ask to be defined
//! is demanded of the paths and named as an assumption where an input may break it. `Refuted` was seen in the VM. A claim that no
//! path came to is left open if a path ended at an assumption that is never true, or in undefined behaviour: it may be vacuous.
//!
//! *May be missed*: everything behind a loss (loops whose rounds the inputs decide, sizes of inputs, constructs without a model);
//! that is for the induction.

use super::candidate::Claim;
use super::dead_ends::Marks;
use super::graph::bodies_run;
use super::operations;
use super::replayer::Replayer;
use super::system::{Property, PropertyKind};
use super::unwritten;
use super::{Config, PropertyReport, ProveReport};
use diagnostics::{Assumption, Deadline, Reason, Rule, Verdict, Why, Witness};
use exec::{Input, Scalar};
use ir::{AssertKind, CallGraph, FunctionId, Globals, Program, StmtId, StmtKind};
use observe::inputs::c;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use symex::explore::{self, Client, Exploration, Given, GoalId, Met, Scenario};
use symex::targets::{Kind, Target, mark};

/// How often an input for one claim is replayed before the claim is left alone.
const ATTEMPTS: u32 = 8;

/// The time that is given to paths before induction is tried: most programs that have few paths need less than a second. One
/// without loops is nothing for induction.
pub(super) fn first(program: &Program, entry: FunctionId, config: &Config) -> Duration {
    let mut loops = false;
    for function in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let Some(body) = &program.functions[function].body else { continue };
        body.walk(&mut |stmt| loops |= matches!(stmt.kind, StmtKind::Loop(_) | StmtKind::Goto(_)));
    }
    if loops { Duration::from_secs(1) } else { (config.deadline.left() / 3).max(Duration::from_secs(1)) }
}

/// What following the paths says of a claim.
#[derive(Clone, Debug)]
pub(super) enum Decision {
    Proved {
        how: String,
        assumptions: Vec<Assumption>,
    },
    Refuted(Witness),
    /// Why it is open, for people.
    Open(Why),
}

/// A claim of the program.
#[derive(Clone, Debug)]
pub(super) struct ClaimSite {
    pub function: FunctionId,
    pub stmt: StmtId,
    pub property: Property,
}

/// The claims that a run may come to, in the order in which the encoder numbers them.
pub(super) fn claims(program: &Program, entry: FunctionId) -> Vec<ClaimSite> {
    let mut found = Vec::new();
    for function in bodies_run(program, &CallGraph::new(program), &[entry]) {
        let Some(body) = &program.functions[function].body else { continue };
        body.walk(&mut |stmt| {
            if let StmtKind::Assert { kind, text, .. } = &stmt.kind {
                let kind = match kind {
                    AssertKind::Assert | AssertKind::Verifier => PropertyKind::Assert,
                    AssertKind::ReachError => PropertyKind::Unreachable,
                };
                let property = Property { kind, text: text.clone(), span: stmt.span, met: true, unmodelled: None };
                found.push(ClaimSite { function, stmt: stmt.id, property });
            }
        });
    }
    found
}

/// Follows the paths of a program for so long at most.
pub(super) fn decide(
    program: &Program,
    entry: FunctionId,
    claims: &[ClaimSite],
    config: &Config,
    patience: Duration,
) -> Vec<Decision> {
    if claims.is_empty() {
        return Vec::new();
    }
    let deadline = Instant::now() + patience.min(config.deadline.left());
    let Followed { mut decisions, mut reads_unwritten } = follow(program, entry, claims, config, deadline);
    // What was never written may be anything: the claims are looked at again with that as an input.
    for pointers in [false, true] {
        if !reads_unwritten || !decisions.iter().any(Decision::is_open) {
            break;
        }
        let Some(opened) = unwritten::as_inputs(program, entry, pointers) else { continue };
        let config = Config { sources: None, ..config.clone() };
        let again = follow(&opened, entry, &self::claims(&opened, entry), &config, deadline);
        for (decision, other) in decisions.iter_mut().zip(again.decisions) {
            // Not all pointers were tried.
            let counts = !pointers || matches!(other, Decision::Refuted(_));
            if decision.is_open() && counts {
                *decision = of_unwritten(other);
            }
        }
        reads_unwritten = again.reads_unwritten;
    }
    decisions
}

/// Names what a decision about a program with further inputs stands on.
pub(super) fn of_unwritten(decision: Decision) -> Decision {
    match decision {
        Decision::Proved { how, mut assumptions } => {
            assumptions.push(Assumption::UnwrittenKeeps);
            Decision::Proved { how, assumptions }
        }
        Decision::Refuted(mut witness) => {
            let what = "variables that are read before they are written".to_string();
            witness.inputs.push((what, "inputs".to_string()));
            Decision::Refuted(witness)
        }
        other => other,
    }
}

/// What one search says.
struct Followed {
    decisions: Vec<Decision>,
    /// Whether a path ends because it reads what was never written.
    reads_unwritten: bool,
}

fn follow(program: &Program, entry: FunctionId, claims: &[ClaimSite], config: &Config, deadline: Instant) -> Followed {
    let surrounded = Marks::new(program, entry);
    let mut marked = mark(&surrounded.program, &targets(&self::claims(&surrounded.program, entry)));
    marked.goals.extend(surrounded.goals());
    let scenario = match config.encoding.globals {
        Globals::Any => Scenario::open_entry(&marked.program, entry),
        Globals::Initial => Scenario::open_call(&marked.program, entry),
    };
    let replayer = Replayer::new(program, program, entry, config.sources.as_ref());
    let found = vec![Found::default(); claims.len()];
    let mut hunt = Hunt { replayer: &replayer, program, entry, claims, found };
    let search = with_deadline(&config.deadline, deadline, |stop| {
        explore::explore(&marked.program, &scenario, &marked.goals, &search_config(config, stop), &mut hunt)
    });
    let found = hunt.found;
    let assumptions = assumptions(program, entry, &search, config);
    let unwritten = search.faults.iter().find(|(fault, _)| fault.rule == Rule::UninitialisedRead);
    let (met, passed) = search.settled[claims.len()..].split_at(claims.len());
    let blocked = Marks::has_dead_end(passed);
    let decide =
        |(found, met): (Found, &bool)| match (judge(program, found, *met, blocked, &search, &assumptions), unwritten) {
            (Decision::Proved { .. }, Some((_, span))) => {
                let place = program.sources.describe(*span);
                Decision::open(Reason::CutOff, format!("a value that was never written is read at {place}"))
            }
            (decision, _) => decision,
        };
    let decisions = found.into_iter().zip(met).map(decide).collect();
    Followed { decisions, reads_unwritten: unwritten.is_some() }
}

pub(super) fn search_config(config: &Config, stop: Arc<AtomicBool>) -> explore::Config {
    explore::Config {
        stop: Some(stop),
        seed: config.infer.seed,
        progress: config.deadline.progress.clone(),
        failed_allocations: true,
        separate: config.separate,
        // Only the time ends a search that could say something of all paths.
        max_loop: u32::MAX,
        max_depth: u32::MAX,
        max_nesting: 10_000,
        max_steps: u64::MAX,
        ..explore::Config::default()
    }
}

/// Every claim broken, and every claim come to.
pub(super) fn targets(claims: &[ClaimSite]) -> Vec<Target> {
    let target = |claim: &ClaimSite, kind| Target {
        name: claim.property.text.clone(),
        kind,
        at: Some((claim.function, claim.stmt)),
        span: claim.property.span,
    };
    let broken = claims.iter().map(|claim| target(claim, Kind::Claim(AssertKind::Assert)));
    broken.chain(claims.iter().map(|claim| target(claim, Kind::Place))).collect()
}

/// Runs a search that is told to stop when its part of the time is over, or the user wants an end.
pub(super) fn with_deadline<T>(limits: &Deadline, end: Instant, search: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
    /// Lets the watcher go, also if the search panics.
    struct Over<'a>(&'a AtomicBool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let stop = Arc::new(AtomicBool::new(limits.is_over()));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if Instant::now() >= end || limits.is_over() {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let ends = Over(&over);
        let result = search(stop.clone());
        drop(ends);
        watcher.thread().unpark();
        result
    })
}

/// What inputs did to a claim.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    refuted: Option<Witness>,
    attempts: u32,
}

pub(super) struct Hunt<'a> {
    pub replayer: &'a Replayer<'a>,
    pub program: &'a Program,
    pub entry: FunctionId,
    pub claims: &'a [ClaimSite],
    pub found: Vec<Found>,
}

impl Client for Hunt<'_> {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        let Some(claim) = self.claims.get(met.goal.0 as usize) else { return vec![met.goal] };
        let found = &mut self.found[met.goal.0 as usize];
        found.attempts += 1;
        let is_claim = matches!(claim.property.kind, PropertyKind::Assert | PropertyKind::Unreachable);
        let given = input(&met.witness).or_else(|| is_claim.then(|| input_of_objects(&met.witness)).flatten());
        if let Some(input) = given
            && let Some(seen) = self.replayer.breaks(&claim.property, &input)
        {
            let inputs = shown(self.program, self.entry, &input);
            found.refuted = Some(Witness { inputs, replayed: seen.natively });
            return vec![met.goal];
        }
        if found.attempts >= ATTEMPTS { vec![met.goal] } else { Vec::new() }
    }
}

/// What the VM is given. It takes numbers, and finds globals as they are initialised.
pub(super) fn input(witness: &explore::Witness) -> Option<Input> {
    let mut params = Vec::new();
    for (_, given) in &witness.given {
        let Given::Scalar(_, value) = given else { return None };
        params.push(*value);
    }
    let name = witness.name.clone().map(String::from_utf8).transpose().ok()?;
    let args = witness.args.iter().cloned().map(String::from_utf8).collect::<Result<_, _>>().ok()?;
    let nondet = witness.nondet.iter().map(|(_, value)| *value).collect();
    Some(Input { name, args, stdin: witness.stdin.clone(), params, nondet, ..Input::default() })
}

/// The same where some parameters are no numbers. What goes wrong with an object that is given may be the caller's affair,
/// so that claims of the program alone are tried with those.
fn input_of_objects(witness: &explore::Witness) -> Option<Input> {
    let numbers = explore::Witness { given: Vec::new(), ..witness.clone() };
    let arguments: Vec<Given> = witness.given.iter().map(|(_, given)| given.clone()).collect();
    let number = |given: &Given| match given {
        Given::Scalar(_, value) => Some(*value),
        _ => None,
    };
    let params = arguments.iter().filter_map(number).collect();
    Some(Input { params, arguments, ..input(&numbers)? })
}

/// An input by names and values.
pub(super) fn shown(program: &Program, entry: FunctionId, input: &Input) -> Vec<(String, String)> {
    let function = &program.functions[entry];
    let show = |value: &Scalar| match value {
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => format!("{value:?}"),
    };
    let name = |param: &ir::LocalId| function.locals[*param].name.clone();
    // A pointer into the object of another argument is told by its name.
    let shown_given = |given: &Given| match given {
        Given::Within { argument, offset: 0 } => name(&function.params[*argument]),
        Given::Within { argument, offset } => format!("(char *){} + {offset}", name(&function.params[*argument])),
        other => c::shown(other),
    };
    let params = function.params.iter();
    let mut inputs: Vec<(String, String)> = match input.arguments.is_empty() {
        true => params.zip(&input.params).map(|(param, value)| (name(param), show(value))).collect(),
        false => params.zip(&input.arguments).map(|(param, given)| (name(param), shown_given(given))).collect(),
    };
    inputs.extend(input.nondet.iter().enumerate().map(|(n, value)| (format!("nondet #{}", n + 1), show(value))));
    let text = |bytes: &[u8]| format!("\"{}\"", bytes.escape_ascii());
    inputs.extend(input.name.iter().map(|name| ("argv[0]".to_string(), text(name.as_bytes()))));
    inputs.extend((1..).zip(&input.args).map(|(n, arg): (usize, _)| (format!("argv[{n}]"), text(arg.as_bytes()))));
    inputs.extend((!input.stdin.is_empty()).then(|| ("standard input".to_string(), text(&input.stdin))));
    if inputs.is_empty() && program.asks_nondet() {
        inputs.push(("every nondeterministic value".to_string(), "0".to_string()));
    }
    inputs
}

/// What a search without losses stands on.
pub(super) fn assumptions(
    program: &Program,
    entry: FunctionId,
    search: &Exploration,
    config: &Config,
) -> Vec<Assumption> {
    let broken = search.faults.iter().map(|(fault, _)| fault.rule);
    let mut named: BTreeSet<Assumption> = search.demanded.iter().copied().chain(broken).filter_map(assumed).collect();
    named.extend(search.assumptions.iter().cloned());
    named.extend(operations::addresses_inner(program, entry).then_some(Assumption::InBounds));
    let takes_initial = config.encoding.globals == Globals::Initial && !ir::open_globals(program, entry).is_empty();
    named.extend(takes_initial.then_some(Assumption::InitialGlobals));
    named.into_iter().collect()
}

/// What is assumed of a program that may break a rule: behind that nothing counts.
fn assumed(rule: Rule) -> Option<Assumption> {
    match rule {
        // The run ends there, as it should.
        Rule::AssertionFailed | Rule::Aborted => None,
        Rule::SignedOverflow => Some(Assumption::NoOverflow),
        Rule::DivisionByZero => Some(Assumption::NoDivisionByZero),
        Rule::BadShift => Some(Assumption::NoBadShift),
        Rule::BadConversion => Some(Assumption::ConversionsFit),
        rule if rule.is_about_access() => Some(Assumption::InBounds),
        Rule::UninitialisedRead => Some(Assumption::Written),
        _ => Some(Assumption::NothingUndefinedBefore),
    }
}

pub(super) fn judge(
    program: &Program,
    found: Found,
    met: bool,
    dead_end: bool,
    search: &Exploration,
    assumptions: &[Assumption],
) -> Decision {
    if let Some(witness) = found.refuted {
        return Decision::Refuted(witness);
    }
    if found.attempts > 0 {
        let said = "an input was found that should break it, and no run confirmed it";
        return Decision::open(Reason::Unconfirmed, said);
    }
    if !search.is_complete() {
        return Decision::Open(losses(program, search));
    }
    let is_cut_off = dead_end || search.faults.iter().any(|(fault, _)| fault.rule != Rule::Aborted);
    if !met && is_cut_off {
        return Decision::open(Reason::CutOff, "no path comes to it, and some end before they could");
    }
    Decision::Proved { how: how(search), assumptions: assumptions.to_vec() }
}

/// What was followed.
pub(super) fn how(search: &Exploration) -> String {
    match search.endings.finished + search.endings.faulted + search.endings.excluded {
        0 | 1 => "its one path".to_string(),
        paths => format!("all {paths} paths"),
    }
}

/// What was left out, in words.
pub(super) fn losses(program: &Program, search: &Exploration) -> Why {
    let mut words: Vec<String> = Vec::new();
    for lost in &search.losses {
        let place = program.sources.used(lost.span).map(|_| format!(" at {}", program.sources.describe(lost.span)));
        words.push(format!("{}{}", lost.loss, place.unwrap_or_default()));
    }
    words.truncate(3);
    Why::new(explore::Lost::reason(&search.losses), words.join("; "))
}

/// A report of claims that were decided by their paths alone.
pub(super) fn report(claims: &[ClaimSite], decisions: &[Decision]) -> ProveReport {
    let properties =
        claims.iter().zip(decisions).map(|(claim, decision)| of_claim(&claim.property, decision)).collect();
    ProveReport { properties, invariants: Vec::<(String, Claim)>::new(), ..ProveReport::default() }
}

/// Gives an open claim the verdict of its paths; what stays open says both why.
pub(super) fn refine(property: &mut PropertyReport, decision: &Decision) {
    let decided =
        Property { kind: property.kind, text: property.text.clone(), span: property.span, met: true, unmodelled: None };
    match (decision, &mut property.verdict) {
        (Decision::Open(paths), Verdict::Unknown { why }) => why.said += &format!("; of its paths: {paths}"),
        _ => *property = of_claim(&decided, decision),
    }
}

pub(super) fn of_claim(property: &Property, decision: &Decision) -> PropertyReport {
    let (verdict, assumptions) = match decision.clone() {
        Decision::Proved { how, assumptions } => (Verdict::Proved { how }, assumptions),
        Decision::Refuted(witness) => (Verdict::Refuted { witness }, Vec::new()),
        Decision::Open(why) => (Verdict::Unknown { why }, Vec::new()),
    };
    PropertyReport {
        kind: property.kind,
        span: property.span,
        text: property.text.clone(),
        verdict,
        k: None,
        plain_k: None,
        lemmas: Vec::new(),
        assumptions,
    }
}

impl Decision {
    pub fn open(reason: Reason, said: impl Into<String>) -> Decision {
        Decision::Open(Why::new(reason, said))
    }

    pub fn is_open(&self) -> bool {
        matches!(self, Decision::Open(_))
    }
}
