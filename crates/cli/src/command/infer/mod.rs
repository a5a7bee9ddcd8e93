//! `plumb infer`: which relations hold, from runs of a program or from files of traces.

mod follow;
mod listing;
mod pairs;
mod program;
mod traces;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{Emit, Infer};
use crate::report::{Failure, Report};
use infer::arrays;
use infer::terms::UserTerm;
use infer::{Form, FormConfig};
use ir::Program;
use logic::Term;
use observe::harness::Extent;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the flags ask for, read and checked.
struct Wanted {
    forms: FormConfig,
    terms: Vec<UserTerm>,
    vars: Vec<String>,
    arrays: arrays::Options,
}

pub fn infer(args: &Infer, context: &Context<'_>) -> Result<Report, Failure> {
    if args.follow {
        if let Some(flag) = only_for_programs(args) {
            return Err(Failure::new(format!("{flag} needs a program, and --follow takes traces")));
        }
        return follow::infer(args, context);
    }
    let files = traces::files(args)?;
    if !files.is_empty() {
        let deadline = context.deadline();
        let wanted = wanted(args, &deadline.cancel)?;
        context.status_line.say("infer: reading traces and looking for relations");
        return super::threads(context.shared)?.install(|| traces::infer(args, context, &files, &wanted, &deadline));
    }
    context.status_line.say("infer: reading C");
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let loaded = match sources::read_files("infer", &args.files, &options)? {
        Read::Program(loaded) => loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let mut report = of_program(args, context, &loaded.program)?;
    report.sources = loaded.program.sources;
    Ok(report)
}

/// The relations of a program that is read already.
pub fn of_program(args: &Infer, context: &Context<'_>, program: &Program) -> Result<Report, Failure> {
    let deadline = context.deadline();
    let wanted = wanted(args, &deadline.cancel)?;
    context.status_line.say("infer: running the program and looking for relations");
    super::threads(context.shared)?.install(|| program::infer(args, context, program, &wanted, deadline))
}

fn wanted(args: &Infer, stop: &Arc<AtomicBool>) -> Result<Wanted, Failure> {
    let mut forms = FormConfig {
        degree: args.degree,
        bound_degree: args.bound_degree,
        tropical_variables: args.min_max_variables.into(),
        cancel: Some(stop.clone()),
        ..FormConfig::default()
    };
    if !args.forms.is_empty() {
        forms.forms = chosen_forms(&args.forms)?;
    }
    for text in &args.shape {
        let shape = Term::parse(text).map_err(|error| Failure::new(format!("--shape '{text}': {error}")))?;
        forms.shapes.push(shape);
        forms.forms.insert(Form::Polyhedron);
    }
    let mut terms = Vec::new();
    for text in &args.term {
        let term = UserTerm::parse(text).map_err(|error| {
            Failure::new(format!("--term '{text}': {error}"))
                .with_help("write a term such as 'r/y', or give it a name: 't = 2^x'")
        })?;
        terms.push(term);
    }
    let mut extents = Vec::new();
    for text in &args.extent {
        extents.push(Extent::parse(text).map_err(|why| Failure::new(format!("--extent: {why}")))?);
    }
    let arrays = arrays::Options { repeats: args.repeats.into(), functions: args.functions.clone(), extents };
    Ok(Wanted { forms, terms, vars: args.vars.clone(), arrays })
}

fn chosen_forms(names: &[String]) -> Result<BTreeSet<Form>, Failure> {
    let mut forms = BTreeSet::new();
    for name in names {
        match Form::ALL.into_iter().find(|form| form.name() == name) {
            Some(form) => {
                forms.insert(form);
            }
            None if name == "all" => forms.extend(Form::ALL),
            None => {
                let known: Vec<&str> = Form::ALL.iter().map(|form| form.name()).collect();
                return Err(Failure::new(format!("--forms does not know `{name}`"))
                    .with_help(format!("it takes all, or some of: {}", known.join(", "))));
            }
        }
    }
    Ok(forms)
}

/// Flags that only make sense for a program.
fn only_for_programs(args: &Infer) -> Option<&'static str> {
    [
        (args.entry.is_some(), "--entry"),
        (!args.at.is_empty(), "--at"),
        (!args.input.is_empty(), "--input"),
        (args.inputs.is_some(), "--inputs"),
        (args.no_prove, "--no-prove"),
        (!args.extent.is_empty(), "--extent"),
        (args.emit == Some(Emit::Acsl), "--emit acsl"),
        (args.emit == Some(Emit::CAssert), "--emit c-assert"),
        (args.emit == Some(Emit::Witness), "--emit witness"),
    ]
    .into_iter()
    .find_map(|(given, flag)| given.then_some(flag))
}

/// Terms and variables that no location has are mistakes of the invocation.
fn check_names<'v>(
    wanted: &Wanted,
    names: impl Iterator<Item = &'v str>,
    all: impl Iterator<Item = &'v str>,
) -> Result<(), Failure> {
    let (kept, all): (BTreeSet<&str>, BTreeSet<&str>) = (names.collect(), all.collect());
    let known = || all.iter().copied().collect::<Vec<_>>().join(", ");
    for name in &wanted.vars {
        if !all.contains(name.as_str()) && !kept.contains(name.as_str()) {
            return Err(Failure::new(format!("--vars: no location has a variable `{name}`"))
                .with_help(format!("there are: {}", known())));
        }
    }
    for term in &wanted.terms {
        if !kept.contains(term.name.as_str()) {
            return Err(Failure::new(format!("--term: no location has the variables of `{}`", term.term))
                .with_help(format!("there are: {}", known())));
        }
    }
    Ok(())
}
