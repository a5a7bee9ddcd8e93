//! What does every function need, change and promise?
//!
//! *Question*: which specification do the functions of these files have, of which nobody wrote any: what callers owe
//! ([`requires`](FunctionContract::requires)), what a call may change ([`assigns`](FunctionContract::assigns)), and what
//! holds when it comes back ([`ensures`](FunctionContract::ensures))?
//!
//! *Source*: M. Ernst et al., "The Daikon system for dynamic detection of likely invariants", 2007, for candidates from
//! runs; C. Flanagan, R. Leino, "Houdini, an annotation assistant for ESC/Java", 2001, for keeping those that are
//! provable together; ACSL for how they are written.
//!
//! *Phases*: [`assigned`] (which places a call may change) → [`candidates`] (relations of runs, and forms of our own, in
//! the words of [`vocabulary`]) → [`trial`] (fresh inputs, in the VM and compiled, for each candidate) → [`proving`]
//! (callees before callers; a callee's contract in place of its body; recursion by induction on the contract).
//!
//! *Departures*: clauses are C, evaluated by functions that are put behind the user's text ([`harness`]); so the VM, the
//! compiled program and the prover read the same clause. What `prove` finds about a harness is what is known of the
//! clause, so that this crate argues nothing by itself but what follows from replacing calls by contracts and buffers by
//! anything ([`buffers`]).
//!
//! *Guarantee*: a clause that is [`Standing::Proved`] holds on every call that comes back and meets the requirements,
//! under the assumptions that stand beside it. [`Standing::Observed`] held in as many runs as it says, and on fresh
//! inputs of the compiled program. `assigns` is that of [`assigned`]. *May miss*: anything.

pub mod acsl;
pub mod annotations;
pub mod assigned;
mod buffers;
mod candidates;
mod harness;
pub mod markdown;
mod mathematics;
mod proving;
mod separation;
mod trial;
mod variants;
mod vocabulary;

use annotations::Annotation;
use assigned::Assigned;
use cfront::preprocess::Options;
use cfront::{Failure, Loaded, load_with};
use diagnostics::{Assumption, Deadline, Span};
use harness::Subject;
use ir::effects::Effects;
use ir::{CallGraph, FunctionId, Program};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// How contracts are looked for.
#[derive(Clone, Debug)]
pub struct Config {
    /// The files that the program was loaded from, and how.
    pub files: Vec<PathBuf>,
    pub options: Options,
    /// The functions that are asked about; all of the files if there are none.
    pub entries: Vec<String>,
    /// What holds whenever a function is called (`--assume`): the function, and the condition in ACSL or C.
    pub assumed: Vec<(String, String)>,
    pub seed: u64,
    /// How many inputs each clause is tried on in the VM; none where only proofs are asked about.
    pub inputs: usize,
    /// Whether clauses are proved, or only observed.
    pub proves: bool,
    /// For one function's proofs, at most.
    pub patience: Duration,
    pub deadline: Deadline,
}

/// Inputs in the VM for one function, if nothing else is asked for.
pub const INPUTS: usize = 400;

/// What is known of a clause.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing {
    /// Holds whenever the function comes back, under the assumptions.
    Proved { how: String, assumptions: BTreeSet<Assumption> },
    /// Held in so many runs in the VM, and as many of the compiled program on fresh inputs.
    Observed { runs: u64, natively: u64 },
    /// Of a clause that the user wrote: fails on the input.
    Refuted { input: String, natively: bool },
    /// Of a clause that the user wrote: neither proved nor refuted.
    Unknown { why: String },
}

/// Where a clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Found,
    /// Stands in a comment of the program, or was given with the question.
    User,
}

/// A clause of a contract.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// In ACSL.
    pub text: String,
    /// Whether it is ACSL that every reader of it understands.
    pub is_acsl: bool,
    pub standing: Standing,
    pub origin: Origin,
    /// The smaller, the more it tells.
    pub rank: u32,
}

/// What callers owe.
#[derive(Clone, PartialEq, Debug)]
pub struct Requirement {
    pub text: String,
    pub is_acsl: bool,
    pub origin: Origin,
    /// Undefined runs that broke it, and one of them.
    pub broken: usize,
    pub example: String,
}

/// An undefined run that no requirement accounts for.
#[derive(Clone, PartialEq, Debug)]
pub struct Unexplained {
    pub runs: usize,
    pub input: String,
    pub message: String,
    pub place: String,
}

/// The contract of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionContract {
    pub name: String,
    pub span: Span,
    /// The signature in C.
    pub signature: String,
    pub requires: Vec<Requirement>,
    pub assigns: Vec<String>,
    /// Why it is not known what is assigned, if so.
    pub assigns_anything: Option<String>,
    /// Whether ACSL can write all of `assigns`.
    pub assigns_acsl: bool,
    /// Whether it may release memory that its callers know.
    pub releases: bool,
    /// The most telling first.
    pub ensures: Vec<Clause>,
    pub unexplained: Vec<Unexplained>,
    pub runs: u64,
    /// Why there is no more, in whole sentences.
    pub notes: Vec<String>,
}

/// The contracts of a program, in the order of the text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    pub functions: Vec<FunctionContract>,
    /// Clauses that were dropped because the compiled program broke them on fresh inputs, and those that were tried.
    pub tried: usize,
    pub fell: usize,
    pub notes: Vec<String>,
    pub cut_short: bool,
}

impl FunctionContract {
    pub fn proved(&self) -> usize {
        self.ensures.iter().filter(|clause| matches!(clause.standing, Standing::Proved { .. })).count()
    }

    pub fn observed(&self) -> usize {
        self.ensures.iter().filter(|clause| matches!(clause.standing, Standing::Observed { .. })).count()
    }
}

/// What is worked out about one function on the way.
struct Work {
    subject: Subject,
    assigned: Assigned,
    annotation: Annotation,
    requires: Vec<Condition>,
    clauses: Vec<Candidate>,
    unexplained: Vec<Unexplained>,
    runs: u64,
    natively: u64,
    /// Parameters that lead to one object each, of which proofs take a copy.
    copied: Vec<harness::Copied>,
    /// What a stand-in gives any value to, if that can be written.
    changed: Option<Vec<(String, exec::ValueType)>>,
    /// Whether a stand-in leaves out that buffers of characters are filled.
    skips_buffers: bool,
    /// Inputs that break clauses of the user.
    against: Vec<(usize, exec::Input)>,
    /// C does not take its harness.
    is_left_out: bool,
    notes: Vec<String>,
}

/// A requirement as C and as ACSL.
#[derive(Clone, Debug)]
struct Condition {
    requirement: Requirement,
    /// None for what C cannot compute, as the extent of a buffer.
    c: Option<String>,
}

/// A clause that may be dropped.
#[derive(Clone, Debug)]
struct Candidate {
    text: String,
    is_acsl: bool,
    /// Over the names of harnesses.
    c: String,
    /// When it says something, if not always.
    when: Option<String>,
    rank: u32,
    origin: Origin,
    /// Whether nothing speaks against it yet.
    alive: bool,
    standing: Option<Standing>,
}

/// Finds the contracts of the functions of a program. An error is a whole sentence for the user.
pub fn contract(program: &Program, config: &Config) -> Result<Report, String> {
    let graph = CallGraph::new(program);
    let effects = Effects::new(program);
    let assigned = assigned::assigned(program, &graph, &effects);
    let mut report = Report::default();
    let mut works = subjects(program, config, &assigned, &mut report)?;
    annotations::read(program, config, &mut works)?;

    let looked = candidates::look(config, &mut works)?;
    annotations::keep_requirements(&looked.program, &mut works);
    candidates::find(&looked, config, &mut works);
    works.iter_mut().for_each(Work::order);
    trial::prepare(program, &graph, &mut works);
    let harnessed = trial::load(config, &mut works)?;
    annotations::keep_clauses(&harnessed.program, &mut works);
    trial::run_in_vm(&harnessed, config, &mut works);
    trial::run_compiled(&harnessed, config, &mut works, &mut report);
    if config.proves {
        proving::prove(&harnessed.program, config, &mut works);
    }
    works.iter_mut().for_each(Work::settle);
    report.cut_short = config.deadline.is_over();
    report.functions = works.into_iter().map(|work| finished(program, work)).collect();
    Ok(report)
}

/// The functions that stand in the files.
fn subjects(
    program: &Program,
    config: &Config,
    assigned: &ir::SecondaryMap<FunctionId, Assigned>,
    report: &mut Report,
) -> Result<Vec<Work>, String> {
    for name in &config.entries {
        if program.find_function(name).is_none_or(|id| program.functions[id].body.is_none()) {
            return Err(format!("There is no function `{name}` with a body in the files."));
        }
    }
    let mut works = Vec::new();
    let mut defined: Vec<_> = program.defined_functions().collect();
    defined.sort_by_key(|(_, function, _)| function.span.lo);
    for (id, function, _) in defined {
        let wanted = config.entries.is_empty() || config.entries.contains(&function.name);
        let place = program.sources.used(function.span);
        let file = place.map(|region| program.sources.file(region.start.file).path.clone());
        let unit = config.files.iter().position(|path| Some(path.to_string_lossy().as_ref()) == file.as_deref());
        let Some(unit) = unit.filter(|_| wanted && function.name != "main") else { continue };
        let named: Vec<ir::GlobalId> = assigned[id]
            .places
            .iter()
            .filter_map(|place| match place.root {
                assigned::Root::Global(id) => Some(id),
                assigned::Root::Parameter(_) => None,
            })
            .chain(ir::named_globals(program, id))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter(|id| is_seen(program, *id, unit))
            .filter(|id| !function.params.iter().any(|p| function.locals[*p].name == program.globals[*id].name))
            .collect();
        match Subject::new(program, id, unit, &named) {
            Ok(mut subject) => {
                subject.forget_released(&assigned[id]);
                subject.terms.iter_mut().for_each(|term| term.changes = assigned[id].may_change(program, term));
                works.push(Work::new(subject, assigned[id].clone()));
            }
            Err(why) => report.notes.push(format!("`{}` has no contract: {why}.", function.name)),
        }
    }
    Ok(works)
}

/// Whether text behind a unit can name the global, and means it by its name.
fn is_seen(program: &Program, id: ir::GlobalId, unit: usize) -> bool {
    let global = &program.globals[id];
    let is_own =
        |other: &ir::Global| matches!(other.linkage, ir::Linkage::Internal { unit: own } if own as usize == unit);
    let is_variable = |other: &ir::Global| other.kind == ir::GlobalKind::Variable;
    let hides = |other: &ir::Global| is_variable(other) && other.name == global.name && is_own(other);
    is_variable(global)
        && match global.linkage {
            ir::Linkage::External => !program.globals.values().any(hides),
            ir::Linkage::Internal { .. } => is_own(global),
        }
}

/// Loads the program with harnesses behind its units. Functions whose harness C does not take are found by halves and
/// left out.
fn load_harnessed(
    config: &Config,
    works: &mut [Work],
    text: &(dyn Fn(&Work) -> String + Sync),
) -> Result<Loaded, String> {
    let units = config.files.len();
    let behind = |chosen: &[usize], works: &[Work]| {
        let mut texts = vec![String::new(); units];
        for &index in chosen {
            let work = &works[index];
            let unit = &mut texts[work.subject.unit];
            if unit.is_empty() {
                unit.push_str(harness::PRELUDE);
            }
            unit.push_str(&text(work));
        }
        texts
    };
    let all: Vec<usize> = (0..works.len()).filter(|index| !works[*index].is_left_out).collect();
    let first = match load_with(&config.files, &config.options, &behind(&all, works)) {
        Ok(loaded) => return Ok(loaded),
        Err(failure) => message(&failure),
    };
    let mut good = Vec::new();
    let mut open = vec![all];
    let mut refused = BTreeSet::new();
    while let Some(part) = open.pop() {
        if load_with(&config.files, &config.options, &behind(&part, works)).is_ok() {
            good.extend(part);
        } else if let [only] = part.as_slice() {
            refused.insert(*only);
        } else {
            let (left, right) = part.split_at(part.len() / 2);
            open.extend([right.to_vec(), left.to_vec()]);
        }
    }
    for index in refused {
        works[index].leave_out(format!("It cannot be called from text behind the file: {first}."));
    }
    good.sort_unstable();
    load_with(&config.files, &config.options, &behind(&good, works)).map_err(|failure| message(&failure))
}

fn message(failure: &Failure) -> String {
    match failure {
        Failure::Program { findings, .. } => {
            findings.first().map_or("the text is not C".to_string(), |finding| finding.message.clone())
        }
        Failure::Environment(error) => error.message.clone(),
    }
}

impl Work {
    fn new(subject: Subject, assigned: Assigned) -> Work {
        Work {
            subject,
            assigned,
            annotation: Annotation::default(),
            requires: Vec::new(),
            clauses: Vec::new(),
            unexplained: Vec::new(),
            runs: 0,
            natively: 0,
            copied: Vec::new(),
            changed: None,
            skips_buffers: false,
            against: Vec::new(),
            is_left_out: false,
            notes: Vec::new(),
        }
    }

    fn leave_out(&mut self, why: String) {
        self.clauses.clear();
        self.is_left_out = true;
        self.notes.push(why);
    }

    /// The function itself in another program of the same files.
    fn in_program(&self, program: &Program) -> Option<FunctionId> {
        let of_unit = |linkage| match linkage {
            ir::Linkage::External => true,
            ir::Linkage::Internal { unit } => unit as usize == self.subject.unit,
        };
        let mut named = program.defined_functions().filter(|(_, function, _)| function.name == self.subject.name);
        named.find(|(_, function, _)| of_unit(function.linkage)).map(|(id, ..)| id)
    }

    /// What nothing spoke against and nothing proved was observed.
    fn settle(&mut self) {
        for clause in self.clauses.iter_mut().filter(|clause| clause.standing.is_none()) {
            clause.standing = match clause.origin {
                Origin::Found => (clause.alive && self.runs > 0)
                    .then_some(Standing::Observed { runs: self.runs, natively: self.natively }),
                Origin::User => {
                    Some(Standing::Unknown { why: "no proof and no input that breaks it was found".into() })
                }
            };
        }
    }

    /// Clauses come as harnesses have them, the near ones first.
    fn order(&mut self) {
        let subject = &self.subject;
        self.clauses.sort_by_key(|clause| subject.reach(&clause.c));
    }

    /// The requirements that C can compute.
    fn conditions(&self) -> Vec<String> {
        let mut all: Vec<String> = self.requires.iter().filter_map(|condition| condition.c.clone()).collect();
        // What is behind a pointer is asked about after the pointer.
        all.sort_by_key(|condition| !condition.ends_with(" != 0"));
        all
    }

    fn clause_texts(&self) -> Vec<String> {
        self.clauses.iter().map(|clause| clause.c.clone()).collect()
    }
}

fn finished(program: &Program, work: Work) -> FunctionContract {
    let function = &program.functions[work.subject.function];
    let signature = work.subject.signature(program);
    let mut ensures: Vec<Clause> = work
        .clauses
        .into_iter()
        .filter_map(|candidate| {
            Some(Clause {
                standing: candidate.standing?,
                text: candidate.text,
                is_acsl: candidate.is_acsl,
                origin: candidate.origin,
                rank: candidate.rank,
            })
        })
        .collect();
    let of = |clause: &Clause| match clause.standing {
        _ if clause.origin == Origin::User => 0,
        Standing::Proved { .. } => 1,
        _ => 2,
    };
    ensures.sort_by_key(|clause| (of(clause), clause.rank));
    FunctionContract {
        name: function.name.clone(),
        span: function.span,
        signature,
        requires: work.requires.into_iter().map(|condition| condition.requirement).collect(),
        assigns: work.assigned.places.iter().map(|place| place.text(program, function)).collect(),
        assigns_acsl: work.assigned.places.iter().all(|place| place.has_text(program)),
        releases: work.assigned.releases(),
        assigns_anything: work.assigned.everything,
        ensures,
        unexplained: work.unexplained,
        runs: work.runs,
        notes: work.notes,
    }
}

/// Works on functions side by side.
fn each(works: &mut [Work], work: impl Fn(&mut Work) + Sync + Send) {
    works.par_iter_mut().for_each(work);
}

/// Where the harness functions of a kind are, by the key of the function they are about.
fn harnesses(program: &Program, works: &[Work], prefix: &str) -> BTreeMap<String, FunctionId> {
    let by_name: BTreeMap<&str, FunctionId> = program
        .defined_functions()
        .filter(|(_, function, _)| function.name.starts_with(prefix))
        .map(|(id, function, _)| (function.name.as_str(), id))
        .collect();
    let of = |work: &Work| {
        let name = format!("{prefix}{}", work.subject.key);
        by_name.get(name.as_str()).map(|id| (work.subject.key.clone(), *id))
    };
    works.iter().filter_map(of).collect()
}
