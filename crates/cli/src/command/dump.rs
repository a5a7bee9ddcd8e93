//! `plumb dump`: the inner forms of a program, for looking at.

use super::sources::{self, Input};
use crate::args::{Dump, IntModel, Shared, Stage};
use crate::report::{Failure, Report};
use ir::{Cfg, FunctionId, Program};
use prove::{Encoding, encode};
use serde_json::json;
use symex::Ints;

pub fn dump(args: &Dump, shared: &Shared) -> Result<Report, Failure> {
    let options = sources::options(&args.sources.compile, &args.flags, shared)?;
    let (text, findings, source_map) = if args.stage == Stage::Ast {
        match cfront::syntax_trees(&args.sources.files, &options) {
            Ok(text) => (text, Vec::new(), diagnostics::SourceMap::new()),
            // The loader gives the same findings, with the sources to show them in.
            Err(_) => match sources::read("dump", &args.sources, &options)? {
                Input::Refused(report) => return Ok(*report),
                Input::Program(_) => return Err(Failure::new("the syntax tree could not be made")),
            },
        }
    } else {
        let loaded = match sources::read("dump", &args.sources, &options)? {
            Input::Program(loaded) => *loaded,
            Input::Refused(report) => return Ok(*report),
        };
        let text = shown(&loaded.program, args)?;
        (text, loaded.findings, loaded.program.sources)
    };
    let mut report = Report::new("dump");
    report.result.insert("text".into(), json!(text));
    report.text = text;
    report.findings = findings;
    report.sources = source_map;
    Ok(report)
}

fn shown(program: &Program, args: &Dump) -> Result<String, Failure> {
    let chosen: Vec<FunctionId> = match &args.function {
        Some(name) => vec![sources::entry(program, Some(name))?],
        None => program.defined_functions().map(|(id, _, _)| id).collect(),
    };
    Ok(match args.stage {
        Stage::Cfg => {
            let graphs = chosen.iter().filter_map(|&id| Cfg::new(program, id));
            graphs.map(|cfg| if args.dot { cfg.to_dot() } else { cfg.to_text() }).collect::<Vec<_>>().join("\n")
        }
        Stage::Smt => {
            let ints = match args.ints {
                IntModel::Math => Ints::Math,
                IntModel::Machine => Ints::Machine,
            };
            let entry = sources::entry(program, args.function.as_deref())?;
            encode(program, entry, &Encoding { ints, ..Encoding::default() }).to_text(&program.sources)
        }
        _ if args.function.is_some() => ir::print_function(program, chosen[0]),
        _ => ir::print_program(program),
    })
}
