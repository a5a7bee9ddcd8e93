//! From C text to the program model.
//!
//! [`load`] is the way in: files to a checked, linked [`Program`] and the findings made on the way. Its stages are
//! modules of their own: [`preprocess`] (the user's compiler, and where each token came from), [`parse`] (the syntax
//! tree), the lowering (type checking and the program model), the linking of units. [`edit`] goes the other way, from
//! spans to changes of the user's files; [`mutate`] makes small changes of a function in that way.
//!
//! *Absent*: nothing here runs a program or decides whether it is right; nothing prints.

pub mod edit;
mod link;
mod lower;
pub mod mutate;
pub mod order;
pub mod parse;
pub mod preprocess;
pub mod probe;
mod startup;

use diagnostics::{Finding, Rule, Severity, SourceMap, Span};
use ir::{DataModel, Program};
use preprocess::{EnvironmentError, Options, Unit};
use std::collections::HashSet;
use std::path::PathBuf;

pub use lower::describe_type;

/// A program, and what was found on the way that does not make it worthless.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub program: Program,
    /// Warnings.
    pub findings: Vec<Finding>,
}

/// Why there is no program.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The program is wrong: at least one of the findings is an error.
    Program { findings: Vec<Finding>, sources: SourceMap },
    /// The environment is: no compiler, no such file.
    Environment(EnvironmentError),
}

/// Reads, checks and links C files.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Loaded, Failure> {
    load_with(paths, options, &[])
}

/// As [`load`], with further text of C behind each unit, by the order of the files.
pub fn load_with(paths: &[PathBuf], options: &Options, behind: &[String]) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let mut findings = Vec::new();
    let mut units = Vec::new();
    let mut base = 0;
    for (index, path) in paths.iter().enumerate() {
        match preprocess::preprocess(path, options, &mut sources, base) {
            Ok(mut unit) => {
                behind.get(index).iter().for_each(|text| unit.append(text));
                base = unit.end();
                units.push(unit);
            }
            Err(preprocess::Failure::Program { findings: more, end }) => {
                base = end;
                findings.extend(more);
            }
            Err(preprocess::Failure::Environment(error)) => return Err(Failure::Environment(error)),
        }
    }
    finish(units, sources, findings)
}

/// The syntax trees of C files, printed for looking at.
pub fn syntax_trees(paths: &[PathBuf], options: &Options) -> Result<String, preprocess::Failure> {
    let mut text = String::new();
    for path in paths {
        let unit = preprocess::preprocess(path, options, &mut SourceMap::new(), 0)?;
        let printed = parse::on_big_stack(|| {
            parse::parse(&unit).map(|tree| {
                let mut printed = String::new();
                lang_c::visit::Visit::visit_translation_unit(&mut lang_c::print::Printer::new(&mut printed), &tree);
                printed
            })
        });
        match printed {
            Ok(printed) => text.push_str(&printed),
            Err(finding) => return Err(preprocess::Failure::Program { findings: vec![*finding], end: unit.end() }),
        }
    }
    Ok(text)
}

/// As [`load`], for text that needs no preprocessing: name and text of each unit.
pub fn load_text(texts: &[(&str, &str)]) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let mut units = Vec::new();
    let mut base = 0;
    for (name, text) in texts {
        match Unit::from_preprocessed(name, text.as_bytes(), &mut sources, base) {
            Ok(unit) => {
                base = unit.end();
                units.push(unit);
            }
            Err(preprocess::Failure::Program { findings, .. }) => return Err(Failure::Program { findings, sources }),
            Err(preprocess::Failure::Environment(error)) => return Err(Failure::Environment(error)),
        }
    }
    finish(units, sources, Vec::new())
}

/// Parses, lowers and links preprocessed units, whose origins are in `sources`.
pub fn finish(units: Vec<Unit>, sources: SourceMap, findings: Vec<Finding>) -> Result<Loaded, Failure> {
    // Trees can be deep, so everything that walks or drops them runs on a stack for that.
    parse::on_big_stack(move || {
        let mut findings = findings;
        let strict_aliasing = units.iter().all(|unit| unit.data.strict_aliasing);
        let shared = |data: DataModel| DataModel { strict_aliasing, ..data };
        let data = shared(units.first().map(|unit| unit.data).unwrap_or_default());
        // Files may have flags of their own, but one program has one model of its data.
        for unit in units.iter().filter(|unit| shared(unit.data) != data) {
            let message = format!("{} is compiled for another data model than the files before it", unit.path);
            findings.push(Finding::new(Rule::LinkError, Span::new(unit.base, unit.base + 1), message));
        }
        let mut program = Program { sources, data, ..Program::default() };
        let mut parsers = Vec::with_capacity(units.len());
        for unit in &units {
            match parse::Declarations::new(unit) {
                Ok(parser) => parsers.push(parser),
                Err(finding) => findings.push(*finding),
            }
        }
        if parsers.len() == units.len() && !has_errors(&findings) {
            lower_all(&units, parsers, &mut program, &mut findings);
        }
        if has_errors(&findings) {
            return Err(Failure::Program { findings, sources: program.sources });
        }
        Ok(Loaded { program, findings })
    })
}

fn lower_all(
    units: &[Unit],
    parsers: Vec<parse::Declarations<'_>>,
    program: &mut Program,
    findings: &mut Vec<Finding>,
) {
    let definitions: Vec<Vec<parse::Definition>> = parsers.iter().map(parse::Declarations::defined_functions).collect();
    let shared: HashSet<&str> =
        definitions.iter().flatten().filter(|found| !found.is_static).map(|found| found.name.as_str()).collect();
    let acting: HashSet<&str> =
        definitions.iter().flatten().filter(|found| found.acts).map(|found| found.name.as_str()).collect();
    let mut linker = link::Linker::new();
    let mut lowered = Vec::new();
    let mut refused = Vec::new();
    for (index, (unit, mut declarations)) in units.iter().zip(parsers).enumerate() {
        // What is said about types where the syntax is wrong would only hide the reason.
        if !refused.is_empty() {
            refused.extend(syntax_error(&mut declarations));
            continue;
        }
        for pragma in unit.pragmas.iter().filter(|pragma| preprocess::changes_language(&pragma.text)) {
            let span = Span::new(pragma.at, pragma.at + 1);
            // Headers choose instructions for the functions on vectors that they define.
            let file = program.sources.written(span).map(|region| region.start.file);
            if file.is_some_and(|file| program.sources.file(file).system) {
                continue;
            }
            lowered.push(Finding::new(Rule::Unsupported, span, format!("#pragma {}", pragma.text.trim())));
        }
        let kept_macros = unit.kept_macros.iter().cloned().collect();
        let mangled = declarations.mangled_names().map(str::to_string).collect();
        for pragma in unit.pragmas.iter().filter(|pragma| renames(&pragma.text)) {
            let what = format!("`#pragma {}`", pragma.text.trim());
            linker.startup.obstacle(what, Span::new(pragma.at, pragma.at));
        }
        let own = definitions[index].iter().map(|found| found.name.as_str()).collect();
        let source = lower::UnitSource {
            index: index as u32,
            base: unit.base,
            text: &unit.text,
            bytes: unit.bytes(Span::new(unit.base, unit.base + unit.text.len() as u32)),
            kept_macros: &kept_macros,
            shared: &shared,
            own: &own,
            acting: &acting,
            mangled: &mangled,
            packs: preprocess::pack_limits(&unit.pragmas),
            order: unit.order,
            compiled_with: preprocess::compiled_with(&unit.pragmas),
        };
        if let Err(finding) = lower::lower_unit(&mut declarations, source, program, &mut linker, &mut lowered) {
            refused.push(*finding);
        }
    }
    findings.extend(if refused.is_empty() { lowered } else { refused });
    if !has_errors(findings) {
        linker.finish(program, units.len(), findings);
    }
}

/// Whether a pragma gives names another meaning.
fn renames(pragma: &str) -> bool {
    matches!(pragma.split_whitespace().next(), Some("weak" | "redefine_extname"))
}

/// Parses without further use.
fn syntax_error(declarations: &mut parse::Declarations<'_>) -> Option<Finding> {
    loop {
        match declarations.next() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(finding) => return Some(*finding),
        }
    }
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
