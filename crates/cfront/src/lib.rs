//! From C text to the program model.
//!
//! [`load`] is the way in: files to a checked, linked [`Program`] and the findings made on the way. Its stages are
//! modules of their own: [`preprocess`] (the user's compiler, and where each token came from), [`parse`] (the syntax
//! tree), the lowering (type checking and the program model), the linking of units. [`edit`] goes the other way, from
//! spans to changes of the user's files.
//!
//! *Absent*: nothing here runs a program or decides whether it is right; nothing prints.

pub mod edit;
mod link;
mod lower;
pub mod parse;
pub mod preprocess;
pub mod probe;

use diagnostics::{Finding, Severity, SourceMap, Span};
use ir::Program;
use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use lang_c::span::Node;
use preprocess::{Options, Trouble, Unit};
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
    Environment(Trouble),
}

/// Reads, checks and links C files.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Loaded, Failure> {
    let mut sources = SourceMap::new();
    let mut findings = Vec::new();
    let mut units = Vec::new();
    let mut base = 0;
    for path in paths {
        match preprocess::preprocess(path, options, &mut sources, base) {
            Ok(unit) => {
                base = unit.end();
                units.push(unit);
            }
            Err(preprocess::Failure::Program { findings: more, end }) => {
                base = end;
                findings.extend(more);
            }
            Err(preprocess::Failure::Environment(trouble)) => return Err(Failure::Environment(trouble)),
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
            Err(preprocess::Failure::Environment(trouble)) => return Err(Failure::Environment(trouble)),
        }
    }
    finish(units, sources, Vec::new())
}

/// Parses, lowers and links preprocessed units, whose origins are in `sources`.
pub fn finish(units: Vec<Unit>, sources: SourceMap, findings: Vec<Finding>) -> Result<Loaded, Failure> {
    // Trees can be deep, so everything that walks or drops them runs on a stack for that.
    parse::on_big_stack(move || {
        let mut findings = findings;
        let mut program = Program { sources, ..Program::default() };
        let mut trees = Vec::with_capacity(units.len());
        for unit in &units {
            match parse::parse(unit) {
                Ok(tree) => trees.push(tree),
                Err(finding) => findings.push(*finding),
            }
        }
        if trees.len() == units.len() && !has_errors(&findings) {
            lower_all(&units, trees, &mut program, &mut findings);
        }
        if has_errors(&findings) {
            return Err(Failure::Program { findings, sources: program.sources });
        }
        Ok(Loaded { program, findings })
    })
}

fn lower_all(units: &[Unit], trees: Vec<parse::Ast>, program: &mut Program, findings: &mut Vec<Finding>) {
    let defined: HashSet<String> = trees.iter().flat_map(|tree| defined_functions(tree)).collect();
    let mut linker = link::Linker::new();
    for (index, (unit, tree)) in units.iter().zip(trees).enumerate() {
        let kept_macros = unit.kept_macros.iter().cloned().collect();
        let source = lower::UnitSource {
            index: index as u32,
            base: unit.base,
            text: &unit.text,
            bytes: unit.bytes(Span::new(unit.base, unit.base + unit.text.len() as u32)),
            kept_macros: &kept_macros,
            defined: &defined,
            lost: &tree.unsupported,
            packs: preprocess::pack_limits(&unit.pragmas),
        };
        lower::lower_unit(&tree, source, program, &mut linker, findings);
        tree.drop_aside();
    }
    if !has_errors(findings) {
        linker.finish(program, units.len(), findings);
    }
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The names of the functions a unit defines.
fn defined_functions(tree: &TranslationUnit) -> impl Iterator<Item = String> {
    tree.0.iter().filter_map(|Node { node, .. }| {
        let ExternalDeclaration::FunctionDefinition(definition) = node else { return None };
        parse::declared_name(&definition.node.declarator.node).map(str::to_string)
    })
}
