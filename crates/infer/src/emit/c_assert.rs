//! The program with assertions.
//!
//! A relation at a loop head is asserted inside the loop's condition, `while (assert(x >= 0), x > 0)`, since that is
//! where the head is; elsewhere before the statement. Arithmetic is done in 128 bits, so that the assertion does not
//! overflow where the program does not. The entry value of a parameter is kept in a constant at the start of the body.

use super::super::shown;
use super::super::{InferReport, LocationReport};
use super::text::Place;
use super::{Emitted, Spot, applied, array_loop, find, parameter_of, speaks_of, speaks_of_role};
use cfront::edit::{Edit, Refusal};
use ir::{FunctionId, LoopKind, Program};
use observe::samples::{Role, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The files with assertions for every location that is in them.
pub fn c_assert(program: &Program, report: &InferReport) -> Emitted {
    let (mut edits, mut notes) = (Vec::new(), Vec::new());
    let mut kept: BTreeMap<FunctionId, BTreeSet<String>> = BTreeMap::new();
    for location in report.locations.iter().filter(|l| !l.invariants.is_empty() || !l.arrays.is_empty()) {
        match insert(program, location, &mut kept) {
            Ok(more) => edits.extend(more),
            Err(why) => notes.push(format!("`{}` has no assertions: {why}", location.location.name)),
        }
    }
    for (function, declarations) in kept {
        let function = &program.functions[function];
        let declared = Place::new(&program.sources, function.span).map(|place| {
            let body = place.body()?;
            Some(place.insert(body, declarations.into_iter().collect::<String>()))
        });
        match declared {
            Ok(Some(edit)) => edits.push(edit),
            _ => notes.push(format!("the entry values of `{}` could not be kept", function.name)),
        }
    }
    let files: BTreeSet<_> = edits.iter().map(|edit| edit.file).collect();
    for file in files {
        let text = program.sources.file(file).text.as_deref().unwrap_or_default();
        if !text.contains("assert.h") {
            edits.insert(0, Edit { file, range: 0..0, replacement: "#include <assert.h>\n".to_string() });
        }
    }
    applied(program, &edits, notes)
}

fn insert(
    program: &Program,
    report: &LocationReport,
    kept: &mut BTreeMap<FunctionId, BTreeSet<String>>,
) -> Result<Vec<Edit>, Refusal> {
    let found = find(program, report).ok_or(Refusal::NoSource)?;
    let variables = &report.location.variables;
    let mut claims = Vec::new();
    for invariant in &report.invariants {
        let hidden = [Role::Ghost, Role::Result].into_iter().any(|role| speaks_of_role(invariant, variables, role));
        let Some(text) = (!hidden).then(|| shown::c(&invariant.predicate, variables).ok()).flatten() else { continue };
        for entry in speaks_of(invariant, variables).into_iter().filter(|v| v.role == Role::Entry) {
            kept.entry(found.function).or_default().insert(declaration(entry));
        }
        claims.push(format!("assert({text})"));
    }
    // A loop is no expression, so it has no place in the condition of another.
    let loops: Vec<String> = report.arrays.iter().filter_map(|array| array_loop(array).ok()).collect();
    let in_condition =
        matches!(found.spot, Spot::Head { looped, kind: LoopKind::While | LoopKind::For } if looped == found.statement);
    if claims.is_empty() && (loops.is_empty() || in_condition) {
        return Ok(Vec::new());
    }
    let lines: Vec<String> = claims.iter().map(|claim| format!("{claim};")).chain(loops).collect();
    let sources = &program.sources;
    match found.spot {
        // A trace point at the head is a statement like any other.
        Spot::Head { looped, .. } if looped != found.statement => {
            Ok(Place::new(sources, found.statement)?.lines_before(&lines, &lines))
        }
        Spot::Head { looped, kind } => {
            let place = Place::new(sources, looped)?;
            let joined = claims.join(", ");
            let edit = match kind {
                LoopKind::DoWhile => place.do_body().map(|at| place.insert(at, format!(" {}", lines.join(" ")))),
                LoopKind::While | LoopKind::For => place.condition().map(|(at, empty)| {
                    let rest = if empty { "1" } else { "" };
                    place.insert(at, if rest.is_empty() { format!("{joined}, ") } else { format!(" {joined}, {rest}") })
                }),
            };
            edit.map(|edit| vec![edit]).ok_or(Refusal::Scattered)
        }
        Spot::Before(span) => Ok(Place::new(sources, span)?.lines_before(&lines, &lines)),
        Spot::After(span) => Ok(vec![Place::new(sources, span)?.lines_after(&lines)]),
    }
}

fn declaration(entry: &Variable) -> String {
    let ty = shown::type_of(entry).map_or("long", |ty| ty.c_name());
    format!("\n    const {ty} {} = {};", entry.name, parameter_of(entry))
}
