//! From units to linked programs: what can be read is read, the rest is said.

use super::cache::Digests;
use super::place;
use super::project::Project;
use super::report::{FileReport, Place, Remark};
use cfront::preprocess::{self, Options};
use diagnostics::{Finding, Rule, Severity, SourceMap};
use ir::{CallGraph, FunctionId, Linkage, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// Units that were read and linked.
pub(crate) struct Linked {
    pub(crate) program: Program,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) options: Options,
    pub(crate) graph: CallGraph,
    /// The functions written in the project's own files, in their order.
    pub(crate) own: Vec<FunctionId>,
    /// Those among them that are called from outside.
    pub(crate) entries: BTreeSet<FunctionId>,
    /// A flag under which floating operations give something else than the model says.
    pub(crate) float_flag: Option<String>,
    /// What the keys of kept answers are made of, once somebody asks.
    pub(crate) digests: OnceLock<Digests>,
}

/// What was read of a project.
pub(crate) struct Programs {
    pub(crate) linked: Vec<Linked>,
    pub(crate) files: Vec<FileReport>,
    pub(crate) warnings: Vec<(Finding, Option<Place>)>,
    /// What was done otherwise than the build does it.
    pub(crate) notes: Vec<String>,
}

/// Reads the project's programs. `asked` are the functions the user wants to start with.
pub(crate) fn read(project: &Project, base: &Options, asked: &[String], is_over: &dyn Fn() -> bool) -> Programs {
    let mut unreadable: BTreeMap<usize, Remark> = BTreeMap::new();
    let mut programs = Programs { linked: Vec::new(), files: Vec::new(), warnings: Vec::new(), notes: Vec::new() };
    for (number, unit) in project.units.iter().enumerate() {
        if let Some((flag, danger)) = unit.flags.iter().find_map(|flag| Some((flag, sandbox::dangerous(flag)?))) {
            let text = format!("its compiler flag {flag} {}", danger.what());
            unreadable.insert(number, Remark { place: None, text });
        }
    }
    let mut queue = project.programs();
    let mut lines: BTreeMap<usize, u32> = BTreeMap::new();
    while !queue.is_empty() && !is_over() {
        let mut group = queue.remove(0);
        group.retain(|unit| !unreadable.contains_key(unit));
        if group.is_empty() {
            continue;
        }
        match read_group(project, &group, base) {
            Ok((linked, findings)) => {
                let sources = &linked.program.sources;
                for &unit in &group {
                    let known = sources.find_file(&project.units[unit].path.to_string_lossy());
                    lines.insert(unit, known.map_or(0, |file| sources.file(file).line_count()));
                }
                programs.warnings.extend(findings.into_iter().map(|finding| {
                    let at = place(sources, finding.span);
                    (finding, at)
                }));
                let libraries = group.iter().map(|unit| &project.units[*unit]).filter(|unit| unit.is_library);
                let libraries = libraries.map(|unit| unit.path.display().to_string()).collect();
                programs.linked.push(linked.with_entries(asked, &libraries));
            }
            Err(Refused { units }) => {
                let mut apart = Vec::new();
                for (unit, why) in units {
                    group.retain(|other| *other != unit);
                    match why {
                        Refusal::Unreadable(why) => _ = unreadable.insert(unit, why),
                        Refusal::Misfit(why) => {
                            let path = project.units[unit].path.display();
                            let at = why.place.map(|at| format!(" ({}:{})", at.file, at.line)).unwrap_or_default();
                            programs
                                .notes
                                .push(format!("{path} is looked at apart from its program: {}{at}.", why.text));
                            apart.push(vec![unit]);
                        }
                    }
                }
                queue.insert(0, group);
                queue.extend(apart);
            }
        }
    }
    let mut functions: BTreeMap<String, u32> = BTreeMap::new();
    for linked in &programs.linked {
        for id in &linked.own {
            let at = place(&linked.program.sources, linked.program.functions[*id].span);
            *functions.entry(at.map(|at| at.file).unwrap_or_default()).or_default() += 1;
        }
    }
    for (number, unit) in project.units.iter().enumerate() {
        let path = unit.path.display().to_string();
        let count = functions.get(&path).copied().unwrap_or(0);
        let unreadable = unreadable.remove(&number).or_else(|| {
            let not_read = Remark { place: None, text: "the time was over before it was read".to_string() };
            (!lines.contains_key(&number)).then_some(not_read)
        });
        let lines = lines.get(&number).copied().unwrap_or(0);
        programs.files.push(FileReport { path, lines, functions: count, unreadable });
    }
    programs
}

/// Units that cannot be part of a program, and why.
struct Refused {
    units: Vec<(usize, Refusal)>,
}

#[derive(Clone)]
enum Refusal {
    Unreadable(Remark),
    /// It can be read, and does not fit the others.
    Misfit(Remark),
}

fn read_group(project: &Project, group: &[usize], base: &Options) -> Result<(Linked, Vec<Finding>), Refused> {
    let mut options = Options { file_flags: BTreeMap::new(), ..base.clone() };
    // The flags that most units have are those of the program; what links it gets them too.
    if let Some(&first) = group.first() {
        options.flags.clone_from(&project.units[first].flags);
    }
    for &unit in group {
        let unit = &project.units[unit];
        if unit.flags != options.flags {
            options.file_flags.insert(unit.path.clone(), unit.flags.clone());
        }
    }
    let files: Vec<PathBuf> = group.iter().map(|unit| project.units[*unit].path.clone()).collect();
    let mut sources = SourceMap::new();
    let mut units = Vec::new();
    let mut refused = Vec::new();
    let mut base = 0;
    for (&number, path) in group.iter().zip(&files) {
        match preprocess::preprocess(path, &options, &mut sources, base) {
            Ok(unit) => {
                base = unit.end();
                units.push(unit);
            }
            Err(preprocess::Failure::Program { findings, end }) => {
                base = end;
                refused.push((number, Refusal::Unreadable(first_of(&findings, &sources))));
            }
            Err(preprocess::Failure::Environment(trouble)) => {
                let why = Remark { place: None, text: trouble.message };
                refused.push((number, Refusal::Unreadable(why)));
            }
        }
    }
    if !refused.is_empty() {
        return Err(Refused { units: refused });
    }
    let ranges: Vec<(u32, u32)> = units.iter().map(|unit| (unit.base, unit.end())).collect();
    match cfront::finish(units, sources, Vec::new()) {
        Ok(loaded) => {
            let program = loaded.program;
            let flags = group.iter().flat_map(|unit| &project.units[*unit].flags);
            let flags: Vec<String> = flags.cloned().collect();
            let float_flag = preprocess::unmodelled_float_flag(&flags).map(str::to_string);
            let float_flag = float_flag.filter(|_| program.uses_floats());
            let graph = CallGraph::new(&program);
            let own = own(&program);
            let (entries, digests) = (BTreeSet::new(), OnceLock::new());
            let linked = Linked { program, files, options, graph, own, entries, float_flag, digests };
            Ok((linked, loaded.findings))
        }
        Err(cfront::Failure::Program { findings, sources }) => {
            let mut units: BTreeMap<usize, Refusal> = BTreeMap::new();
            for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
                let within = |(low, high): &(u32, u32)| (*low..*high).contains(&finding.span.lo);
                let index = ranges.iter().position(within).unwrap_or(ranges.len() - 1);
                let is_misfit = finding.rule == Rule::LinkError && group.len() > 1;
                let why = first_of(std::slice::from_ref(finding), &sources);
                let why = if is_misfit { Refusal::Misfit(why) } else { Refusal::Unreadable(why) };
                let known = units.entry(group[index]).or_insert_with(|| why.clone());
                if matches!((&*known, &why), (Refusal::Misfit(_), Refusal::Unreadable(_))) {
                    *known = why;
                }
            }
            Err(Refused { units: units.into_iter().collect() })
        }
        Err(cfront::Failure::Environment(trouble)) => {
            let why = Remark { place: None, text: trouble.message };
            Err(Refused { units: group.iter().map(|unit| (*unit, Refusal::Unreadable(why.clone()))).collect() })
        }
    }
}

fn first_of(findings: &[Finding], sources: &SourceMap) -> Remark {
    match findings.first() {
        Some(finding) => Remark { place: place(sources, finding.span), text: finding.message.clone() },
        None => Remark { place: None, text: "the compiler refused it".to_string() },
    }
}

/// The functions that are written in the user's own files, in their order.
fn own(program: &Program) -> Vec<FunctionId> {
    let is_own = |id: &FunctionId| {
        let region = program.sources.used(program.functions[*id].span);
        region.is_some_and(|region| !program.sources.file(region.start.file).system)
    };
    program.defined_functions().map(|(id, _, _)| id).filter(is_own).collect()
}

impl Linked {
    pub(crate) fn name(&self, id: FunctionId) -> &str {
        &self.program.functions[id].name
    }

    /// Whether it is where the whole program starts, so that its input is whatever the world gives.
    pub(crate) fn is_start(&self, id: FunctionId) -> bool {
        matches!(self.name(id), "main" | "mainQ")
    }

    /// Finds out which functions are called from outside: those the user names; of a program where it starts and what
    /// nobody calls; of a library everything that others can name, or that is called through a pointer alone. `libraries`
    /// are files that the build puts into one, be they part of a program too.
    fn with_entries(mut self, asked: &[String], libraries: &BTreeSet<String>) -> Linked {
        if !asked.is_empty() {
            self.entries = self.own.iter().copied().filter(|id| asked.iter().any(|n| n == self.name(*id))).collect();
            return self;
        }
        let is_program = self.own.iter().any(|id| self.is_start(*id));
        let is_entry = |id: &FunctionId| {
            let is_called = !self.graph.callers(*id).iter().all(|caller| caller == id);
            let is_named = self.program.functions[*id].linkage == Linkage::External;
            let at = place(&self.program.sources, self.program.functions[*id].span);
            let is_shared = !is_program || at.is_some_and(|at| libraries.contains(&at.file));
            self.is_start(*id) || !is_called && (is_named || is_shared) || is_named && is_shared
        };
        self.entries = self.own.iter().copied().filter(is_entry).collect();
        self
    }
}

/// How long one call of the compiler may take.
pub(crate) const COMPILER_TIME: Duration = Duration::from_secs(30);
