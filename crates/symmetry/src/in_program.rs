//! Symmetries of a function of a loaded program: how it is compiled, and what it has been found to have.

use super::discover::{EngineFactory, Work, discover, why_nothing};
use super::engine::{EngineError, Limits, Method};
use super::native::{Build, Native};
use super::shape::{Problem, Request};
use super::signature::{Signature, signature};
use super::unwritten::{self, Watch};
use super::{Config, Verdict, is_total, remembered};
use diagnostics::Deadline;
use ir::{FunctionId, Program};
use replay::Sources;
use std::time::Duration;

/// The checking of C functions.
pub struct Compiled<'a> {
    pub build: Build,
    pub config: Config<'a>,
}

impl EngineFactory for Compiled<'_> {
    fn with(&self, problem: Problem, work: &mut Work<'_>) -> Result<(), EngineError> {
        let native = Native::new(&problem, &self.build, self.config.method, self.config.limits)?;
        work(&problem, &native)
    }
}

/// How the checking program of a function is built.
pub fn build(sources: &Sources, sanitize: bool, program: &Program, entry: FunctionId, signature: &Signature) -> Build {
    let unit = match signature.unit {
        Some(unit) => unit as usize,
        None => unit_of(program, entry, sources),
    };
    let options = &sources.options;
    let flags = sources.files.get(unit).map_or(&options.flags[..], |file| options.flags_of(file));
    Build {
        files: sources.files.clone(),
        texts: Vec::new(),
        unit,
        flags: flags.to_vec(),
        compiler: Some(options.cc.clone()),
        sanitize,
        compiled: Default::default(),
        total: !sanitize && is_total(program, entry),
        watch: unwritten::may_be_read(program, entry).then(|| Watch::new(options)),
        has_main: program.find_function("main").is_some_and(|id| program.functions[id].body.is_some()),
    }
}

/// The file that a function stands in, by the order of the files; those that include it count as it.
fn unit_of(program: &Program, entry: FunctionId, sources: &Sources) -> usize {
    let span = program.functions[entry].span;
    let path = program.sources.used(span).map(|region| program.sources.file(region.start.file).path.clone());
    let same = |file: &std::path::PathBuf| path.as_deref() == file.to_str();
    sources.files.iter().position(same).unwrap_or(0)
}

/// For one call: a function that takes longer is not worth asking without being told more.
const CALL: Duration = Duration::from_secs(2);

/// The relations that a function has, each with its verdict's word, looked for without being told anything.
pub fn discover_in(
    program: &Program,
    entry: FunctionId,
    sources: &Sources,
    deadline: &Deadline,
    seed: u64,
) -> Result<Vec<(String, &'static str)>, EngineError> {
    let signature = signature(program, entry)?;
    if let Some(why) = why_nothing(&signature) {
        return Err(EngineError::Failed(why));
    }
    let reasons = remembered(program, entry);
    let limits = Limits { deadline, call: CALL, jobs: 1 };
    let config = Config { method: Method::Orbits, seed, limits, remembered: &reasons, part: None };
    let factory = Compiled { build: build(sources, false, program, entry, &signature), config };
    let (found, _) = discover(&signature, &Request::new(Vec::new()), &factory, &config)?;
    let told = found.iter().filter_map(|discovery| {
        let verdict = match discovery.report.verdict {
            Verdict::Proved { .. } => "holds",
            Verdict::Observed { .. } => "observed",
            _ => return None,
        };
        Some((discovery.problem.relation_text(discovery.problem.shapes.last()?), verdict))
    });
    Ok(told.collect())
}
