//! Inputs that drive a program to a place: a label, a line, a broken assertion, any error, every branch.
//!
//! *Question*: with which input does control come here, or why can it not?
//!
//! *Source*: T. Nguyen, "Automating Program Verification and Repair Using Invariant Analysis and Test Input
//! Generation", 2017, chapter 5 (reachability and its equivalence with template-based synthesis); the search is
//! [`symex::explore`].
//!
//! *Phases*: [`symex::targets`] (what the user names, marked in a copy of the program) → [`symex::explore`] (paths, and inputs that
//! take them) → [`replay`] (each input is run on the compiled program before it is believed) → for what stays open,
//! [`impossibility`] (a proof by induction). [`suite`] makes a test suite of inputs for all branches, [`reduction`] turns
//! reachability into synthesis and back. [`faults`] asks for everything that can go wrong in a function.
//!
//! *Guarantee*: `Reached` has an input with which the compiled program came there; undefined behaviour that compilers do not
//! notice was seen by the VM instead, and is said not to be replayed. `Unreachable` means that every path was followed
//! without anything left out, or that a proof was found: no input comes there without undefined behaviour before.
//! Everything else is `Unknown`, with the reason.

pub mod driver;
pub mod faults;
pub mod impossibility;
pub mod reduction;
pub mod replayer;
pub mod suite;

use diagnostics::{Assumption, Reason, Rule, Span};
use ir::{Branch, FunctionId, Globals, Outcome, Program};
use replay::Sources;
use replayer::Replayer;
use symex::explore::{self, Client, Exploration, GoalId, Loss, Lost, Met, Scenario, Witness};
use symex::targets::mark;
pub use symex::targets::{Kind, Target, TargetError, Wanted};

/// How places are looked for.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub search: explore::Config,
    /// How the program is compiled, for replays. Without it nothing is ever `Reached`.
    pub sources: Option<Sources>,
    /// What globals hold when the entry is called.
    pub globals: Globals,
    /// Whether what the search leaves open is tried to be proved impossible.
    pub prove: bool,
    /// The one branch that a test suite is for, of [`suite::branches`].
    pub branch: Option<usize>,
}

/// Whether an input leads there. What is judged is that none does: `Refuted` is reached, `Proved` unreachable.
pub type Verdict = diagnostics::Verdict<Arrival>;

/// How the arrival was seen; the input stands in [`Found::witness`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The compiled program went there.
    pub replayed: bool,
}

/// The word for a verdict.
pub fn word<W>(verdict: &diagnostics::Verdict<W>) -> &'static str {
    match verdict {
        diagnostics::Verdict::Refuted { .. } => "reached",
        diagnostics::Verdict::Proved { .. } => "unreachable",
        other => other.name(),
    }
}

/// A decision on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub span: Span,
    pub outcome: Outcome,
}

/// What is known about one target.
#[derive(Clone, Debug)]
pub struct Found {
    pub target: Target,
    pub verdict: Verdict,
    /// An input that leads there; also one that could not be replayed.
    pub witness: Option<Witness>,
    pub path: Vec<Turn>,
    /// What else there is to say of an input that leads there.
    pub remark: Option<String>,
    /// What `unreachable` rests on.
    pub assumptions: Vec<Assumption>,
}

impl Found {
    /// Why nothing is known, how it is known that nothing leads there, or what happens where something does.
    pub fn why(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Unknown { why } => Some(&why.said),
            Verdict::Proved { how } => Some(how),
            _ => self.remark.as_deref(),
        }
    }

    pub fn is_reached(&self) -> bool {
        self.verdict.witness().is_some()
    }

    /// Whether the compiled program went there.
    pub fn is_replayed(&self) -> bool {
        self.verdict.witness().is_some_and(|arrival| arrival.replayed)
    }
}

/// How many targets came out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub reached: usize,
    pub unreachable: usize,
    pub unknown: usize,
}

impl Counts {
    pub fn of(all: &[Found]) -> Counts {
        let reached = all.iter().filter(|found| found.is_reached()).count();
        let unreachable = all.iter().filter(|found| found.verdict.is_proof()).count();
        Counts { reached, unreachable, unknown: all.len() - reached - unreachable }
    }
}

#[derive(Clone, Debug)]
pub struct PlacesReport {
    /// In the order asked for.
    pub targets: Vec<Found>,
    pub search: Exploration,
}

/// Inputs for one target that are tried before it is given up.
const ATTEMPTS: u32 = 12;

/// Looks for inputs that lead to the targets.
pub fn reach(program: &Program, entry: FunctionId, targets: &[Target], config: &Config) -> PlacesReport {
    let marked = mark(program, targets);
    let replayer = Replayer::new(program, &marked.program, entry, targets, config.sources.as_ref());
    let spans = Spans::new(&marked.program);
    let mut hunt = Hunt { replayer: &replayer, targets, spans: &spans, found: vec![None; targets.len()] };
    let scenario = match config.globals {
        Globals::Any => Scenario::open_entry(&marked.program, entry),
        Globals::Initial => Scenario::open_call(&marked.program, entry),
    };
    let search = replayer
        .build_beside(|| explore::explore(&marked.program, &scenario, &marked.goals, &config.search, &mut hunt));
    let found = hunt.found;
    let results =
        targets.iter().zip(found).map(|(target, found)| judge(program, entry, target, found, &search, config));
    PlacesReport { targets: one_for_each_place(program, results.collect()), search }
}

/// A line, or a label in a header, may stand for several statements: it is reached if one of them is, and unreachable only
/// if all are.
fn one_for_each_place(program: &Program, results: Vec<Found>) -> Vec<Found> {
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Refuted { .. } => 2,
        Verdict::Proved { .. } => 0,
        _ => 1,
    };
    let place = |found: &Found| {
        let is_line = matches!(Wanted::parse(&found.target.name), Wanted::Line { .. });
        let position = (!is_line).then(|| program.sources.describe(found.target.span));
        (found.target.kind == Kind::Place).then(|| (found.target.name.clone(), position))
    };
    let mut kept: Vec<Found> = Vec::new();
    for found in results {
        let this = place(&found);
        match kept.iter_mut().find(|known| this.is_some() && place(known) == this) {
            Some(known) if rank(&found.verdict) > rank(&known.verdict) => *known = found,
            Some(_) => {}
            None => kept.push(found),
        }
    }
    kept
}

/// Where the statements of a program stand.
struct Spans(std::collections::HashMap<(FunctionId, ir::StmtId), Span>);

impl Spans {
    fn new(program: &Program) -> Spans {
        let mut spans = std::collections::HashMap::new();
        for (id, _, body) in program.defined_functions() {
            body.walk(&mut |stmt| {
                spans.insert((id, stmt.id), stmt.span);
            });
        }
        Spans(spans)
    }

    fn path(&self, path: &[(FunctionId, Branch)]) -> Vec<Turn> {
        let turn = |(function, branch): &(FunctionId, Branch)| Turn {
            span: self.0.get(&(*function, branch.stmt)).copied().unwrap_or(Span::NONE),
            outcome: branch.outcome,
        };
        path.iter().map(turn).collect()
    }
}

/// What the search came to for a target.
#[derive(Clone, Debug)]
struct Hit {
    witness: Witness,
    path: Vec<Turn>,
    replayed: bool,
    confirmed: bool,
    what: Option<String>,
    attempts: u32,
}

struct Hunt<'a> {
    replayer: &'a Replayer<'a>,
    targets: &'a [Target],
    spans: &'a Spans,
    found: Vec<Option<Hit>>,
}

impl Client for Hunt<'_> {
    fn met(&mut self, met: Met) -> Vec<GoalId> {
        let number = met.goal.0 as usize;
        let attempts = self.found[number].as_ref().map_or(0, |hit| hit.attempts) + 1;
        let path = self.spans.path(&met.path);
        let mut hit = Hit { witness: met.witness, path, replayed: false, confirmed: false, what: None, attempts };
        if self.targets[number].kind == Kind::Error {
            match self.replayer.goes_wrong(&hit.witness) {
                Ok(Some(wrong)) => {
                    hit.confirmed = true;
                    hit.replayed = wrong.natively;
                    hit.what = Some(wrong.what);
                }
                Ok(None) => {
                    let what = met.fault.map(|(fault, _)| fault.message);
                    hit.what =
                        Some(format!("{} was not seen in a run", what.unwrap_or_else(|| "the error".to_string())));
                }
                Err(why) => hit.what = Some(why),
            }
        } else {
            match self.replayer.replay(&hit.witness) {
                Ok(replay) if replay.reached.contains(&number) => {
                    hit.confirmed = true;
                    hit.replayed = true;
                }
                Ok(_) => hit.what = Some("the compiled program does not go there with this input".to_string()),
                Err(why) => hit.what = Some(why),
            }
        }
        let done = hit.confirmed || attempts >= ATTEMPTS;
        self.found[number] = Some(hit);
        if done { vec![met.goal] } else { Vec::new() }
    }
}

fn judge(
    program: &Program,
    entry: FunctionId,
    target: &Target,
    hit: Option<Hit>,
    search: &Exploration,
    config: &Config,
) -> Found {
    let open = Found {
        target: target.clone(),
        verdict: Verdict::unknown(Reason::Exhausted, ""),
        witness: None,
        path: Vec::new(),
        remark: None,
        assumptions: Vec::new(),
    };
    match hit {
        Some(Hit { confirmed: true, replayed, what, path, witness, .. }) => {
            let verdict = Verdict::Refuted { witness: Arrival { replayed } };
            Found { verdict, remark: what, path, witness: Some(witness), ..open }
        }
        Some(hit) => {
            let why = format!("an input was found, and not confirmed: {}", hit.what.unwrap_or_default());
            let verdict = Verdict::unknown(Reason::Unconfirmed, why);
            Found { verdict, witness: Some(hit.witness), path: hit.path, ..open }
        }
        None if search.is_complete() && unwritten(search).is_none() => {
            let assumptions = assumptions(program, entry, search, config);
            Found { verdict: Verdict::Proved { how: exhausted(search, &assumptions) }, assumptions, ..open }
        }
        None => {
            let stopped = search.losses.iter().any(|lost| lost.loss == Loss::Interrupted);
            let proved = config.prove && !stopped && impossibility::is_impossible(program, entry, target, config);
            if proved {
                let initial: Vec<_> = initial_globals(program, entry, config).into_iter().collect();
                let how = assuming("proved by induction".to_string(), &initial);
                return Found { verdict: Verdict::Proved { how }, assumptions: initial, ..open };
            }
            let reason = if search.is_complete() { Reason::CutOff } else { Lost::reason(&search.losses) };
            Found { verdict: Verdict::unknown(reason, losses(program, search)), ..open }
        }
    }
}

/// What a complete search stands on.
fn assumptions(program: &Program, entry: FunctionId, search: &Exploration, config: &Config) -> Vec<Assumption> {
    initial_globals(program, entry, config).into_iter().chain(search.assumptions.iter().cloned()).collect()
}

/// The assumption that globals are as they were initialised, where it is one.
fn initial_globals(program: &Program, entry: FunctionId, config: &Config) -> Option<Assumption> {
    let assumed = config.globals == Globals::Initial && !ir::open_globals(program, entry).is_empty();
    assumed.then_some(Assumption::InitialGlobals)
}

fn assuming(why: String, assumptions: &[Assumption]) -> String {
    if assumptions.is_empty() { why } else { format!("{why}, assuming {}", Assumption::list(assumptions)) }
}

fn exhausted(search: &Exploration, assumptions: &[Assumption]) -> String {
    let mut why = "all paths were followed".to_string();
    if search.endings.faulted > 0 {
        why += "; what comes behind undefined behaviour or a broken claim does not count";
    }
    assuming(why, assumptions)
}

/// What was left out, in words.
pub fn losses(program: &Program, search: &Exploration) -> String {
    let mut words: Vec<String> = Vec::new();
    for lost in &search.losses {
        let place = program.sources.used(lost.span).map(|_| format!(" at {}", program.sources.describe(lost.span)));
        words.push(format!("{}{}", lost.loss, place.unwrap_or_default()));
    }
    if let Some(span) = unwritten(search) {
        words.push(format!("a value that was never written is read at {}", program.sources.describe(span)));
    }
    words.truncate(4);
    words.join("; ")
}

/// Where a path ended because it read what was never written. That is some value on a machine, and not always undefined
/// in C: bytes of an array or of the heap may be looked at.
fn unwritten(search: &Exploration) -> Option<Span> {
    search.faults.iter().find(|(fault, _)| fault.rule == Rule::UninitialisedRead).map(|(_, span)| *span)
}
