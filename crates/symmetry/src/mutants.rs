//! How much a relation sees: which small faults it tells from the function as it is.
//!
//! *Question*: of the first-order mutants of the function, how many does the check catch? A mutant is *killed* if its
//! answers violate the relation, or if a call of it crashes or hangs. *Not counted* are mutants that do not compile, that
//! the compiler translates to the same object code as the function (equivalent) or as an earlier mutant (the same fault),
//! and, where the whole domain is searched, those that survive and answer as the function does to every tuple of it: no
//! test over the domain can tell them apart.

use super::engine::{Engine, EngineError, Extent, Limits};
use super::native::{Build, Native};
use super::shape::{Problem, Space};
use super::{Broken, Config, Sampling, Verdict};
use cfront::mutate::{Mutant, Mutants, mutants};
use cfront::preprocess::Options;
use cfront::probe::SitesFailure;
use diagnostics::{Deadline, Progress, Reason};
use ir::{FunctionId, Program};
use rayon::prelude::*;
use replay::object_code;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

/// A call of a mutant that takes this long hangs; the function's own calls are over long before.
const CALL: Duration = Duration::from_millis(300);

#[derive(Clone, PartialEq, Debug)]
pub struct MutantsReport {
    pub killed: Vec<Judged>,
    pub survivors: Vec<Judged>,
    /// Survived, and equal to the function on the whole domain.
    pub equal_on_domain: Vec<Judged>,
    /// Time ran out before they were judged.
    pub undecided: usize,
    pub same_code: usize,
    pub repeated: usize,
    pub not_compiled: usize,
    /// Places inside macros and included files.
    pub out_of_reach: usize,
}

impl MutantsReport {
    pub fn total(&self) -> usize {
        self.killed.len() + self.survivors.len()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    pub kind: &'static str,
    pub file: String,
    pub line: u32,
    pub before: String,
    pub after: String,
    /// `violation`, `crash` or `hang`; empty for survivors.
    pub by: &'static str,
}

/// What became of one.
enum Fate {
    Killed(&'static str),
    Survived,
    EqualOnDomain,
    NotCompiled,
    Undecided,
}

/// Judges all mutants of the function. The relation should hold of the function itself.
pub fn judge(
    problem: &Problem,
    build: &Build,
    options: &Options,
    program: &Program,
    entry: FunctionId,
    config: &Config<'_>,
) -> Result<MutantsReport, EngineError> {
    let made =
        mutants(&build.files, options, &problem.signature.name, &alike(program, entry)).map_err(|why| match why {
            SitesFailure::Environment(trouble) => trouble.message,
            SitesFailure::Program(findings) => {
                findings.first().map_or("the files cannot be read again".to_string(), |f| f.message.clone())
            }
        })?;
    let mut report = MutantsReport {
        killed: Vec::new(),
        survivors: Vec::new(),
        equal_on_domain: Vec::new(),
        undecided: 0,
        same_code: 0,
        repeated: 0,
        not_compiled: 0,
        out_of_reach: made.out_of_reach,
    };
    let builds: Vec<Build> = made.mutants.iter().map(|m| changed(build, &made, m)).collect();
    let original = object(build, build.unit, config).ok_or("the function's own file does not compile alone")?;
    let progress = &config.limits.deadline.progress;
    progress.count("mutants compiled", builds.len() as u64);
    let objects: Vec<Option<Vec<u8>>> = builds
        .par_iter()
        .zip(&made.mutants)
        .map(|(build, mutant)| object(build, mutant.unit, config))
        .inspect(|_| progress.add(1))
        .collect();
    let mut seen = HashSet::new();
    let mut chosen = Vec::new();
    for (index, object) in objects.into_iter().enumerate() {
        match object {
            None if config.limits.deadline.is_over() => report.undecided += 1,
            None => report.not_compiled += 1,
            Some(object) if object == original => report.same_code += 1,
            Some(object) if !seen.insert(object.clone()) => report.repeated += 1,
            Some(_) => chosen.push(index),
        }
    }
    let digest = match problem.request.sampling {
        Sampling::Exhaustive => Native::new(problem, build, config.method, config.limits)?.digest()?,
        _ => None,
    };
    progress.count("mutants", chosen.len() as u64);
    let judge = |&i: &usize| fate(problem, &builds[i], config, digest.as_deref());
    let fates: Vec<Fate> = chosen.par_iter().map(judge).inspect(|_| progress.add(1)).collect::<Result<_, _>>()?;
    for (&index, fate) in chosen.iter().zip(fates) {
        let mut judged = describe(&made, &made.mutants[index]);
        match fate {
            Fate::Killed(by) => {
                judged.by = by;
                report.killed.push(judged);
            }
            Fate::Survived => report.survivors.push(judged),
            Fate::EqualOnDomain => report.equal_on_domain.push(judged),
            Fate::NotCompiled => report.not_compiled += 1,
            Fate::Undecided => report.undecided += 1,
        }
    }
    Ok(report)
}

/// Names of the function's variables that may stand for each other.
fn alike(program: &Program, entry: FunctionId) -> Vec<Vec<String>> {
    let mut by_type: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for local in program.functions[entry].locals.values() {
        let names = by_type.entry(local.ty).or_default();
        if !local.name.is_empty() && !names.contains(&local.name) && program.types.is_scalar(local.ty) {
            names.push(local.name.clone());
        }
    }
    by_type.into_values().filter(|names| names.len() > 1).collect()
}

fn changed(build: &Build, made: &Mutants, mutant: &Mutant) -> Build {
    // A change can make a call fail that could not.
    let mut build = Build { total: false, watch: None, ..build.clone() };
    build.texts.retain(|(unit, _)| *unit != mutant.unit);
    build.texts.push((mutant.unit, made.text(mutant)));
    build
}

/// The object code of the unit alone; `None` if it does not compile.
fn object(build: &Build, unit: usize, config: &Config<'_>) -> Option<Vec<u8>> {
    let recipe = build.recipe("").ok()?;
    object_code(&recipe, unit, Some(&config.limits.deadline.cancel)).ok()
}

fn fate(
    problem: &Problem,
    build: &Build,
    config: &Config<'_>,
    digest: Option<&[[u64; 2]]>,
) -> Result<Fate, EngineError> {
    if config.limits.deadline.is_over() {
        return Ok(Fate::Undecided);
    }
    // The mutants are judged at the same time, so each has one process, and only the mutants are counted.
    let deadline = Deadline { progress: Progress::default(), ..config.limits.deadline.clone() };
    let limits = Limits { call: config.limits.call.min(CALL), jobs: 1, deadline: &deadline };
    let Ok(engine) = Native::new(problem, build, config.method, limits) else {
        // It compiles alone, but not with what is linked to it.
        return Ok(if limits.deadline.is_over() { Fate::Undecided } else { Fate::NotCompiled });
    };
    let verdict = match problem.request.sampling {
        Sampling::Exhaustive | Sampling::Boundary => first_found(problem, &engine)?,
        _ => super::symmetry(problem, &engine, &Config { limits, ..*config })?.verdict,
    };
    Ok(match verdict {
        Verdict::Refuted { witness } => Fate::Killed(match witness {
            Broken::Violation(_) => "violation",
            Broken::Fault { fault: super::Fault::Hung(_), .. } => "hang",
            Broken::Fault { .. } => "crash",
        }),
        Verdict::Unknown { .. } => Fate::Undecided,
        _ => match (digest, engine.digest()?) {
            (Some(one), Some(other)) if *one == *other => Fate::EqualOnDomain,
            _ => Fate::Survived,
        },
    })
}

/// Whether anything is wrong; nobody asks for the smallest input.
fn first_found(problem: &Problem, engine: &Native<'_>) -> Result<Verdict, EngineError> {
    for (index, shape) in problem.shapes.iter().enumerate() {
        let space: Space = problem.space(shape)?;
        let search = engine.search(index, &space, Extent::Whole)?;
        if search.stopped || search.lost.is_some() {
            return Ok(Verdict::unknown(Reason::Stopped, ""));
        }
        match search.found {
            Some(super::Found::Fault { input, fault }) => {
                return Ok(super::broken(Broken::Fault { shape: index, input, fault, replayed: false }));
            }
            Some(super::Found::Violation { input, theta }) => {
                let violation = super::Violation {
                    shape: index,
                    permuted_input: input.clone(),
                    input,
                    theta,
                    output: Default::default(),
                    permuted_output: Default::default(),
                    minimal: false,
                };
                return Ok(super::broken(Broken::Violation(Box::new(violation))));
            }
            None => {}
        }
    }
    Ok(super::tried())
}

fn describe(made: &Mutants, mutant: &Mutant) -> Judged {
    Judged {
        kind: mutant.kind.name(),
        file: made.sources().file(mutant.edit.file).path.clone(),
        line: mutant.line,
        before: mutant.before.clone(),
        after: mutant.after.clone(),
        by: "",
    }
}
