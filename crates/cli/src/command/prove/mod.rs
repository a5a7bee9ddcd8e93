//! `plumb prove`: claims that hold on all runs, and inputs that break those that do not.

mod asked;
pub(crate) mod certificate;
mod listing;
mod property;
mod witness;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{FloatModel, IntModel, Prove};
use crate::exit::Exit;
use crate::report::{Failure, Report};
use cfront::preprocess::Options;
use infer;
use ir::{FunctionId, Program};
use observe::locations::{Instrumented, Request, instrument};
use prove::implied::Implied;
use prove::{Config, Encoding, Ints};
use replay::Sources;
use serde_json::json;
use std::time::Instant;

pub fn prove(args: &Prove, context: &Context<'_>) -> Result<Report, Failure> {
    if let Some(path) = &args.check {
        context.status_line.say("prove: checking the certificate");
        return certificate::check(path, args, context.shared, &context.deadline());
    }
    context.status_line.say("prove: reading C");
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let loaded = match sources::read_files("prove", &args.files, &options)? {
        Read::Program(loaded) => loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let mut report = of_program(args, context, &loaded.program, options)?;
    report.sources = loaded.program.sources;
    Ok(report)
}

/// The claims of a program by themselves, for `--each=claim`.
pub fn claims(args: &Prove, context: &Context<'_>) -> Result<Vec<String>, Failure> {
    let asks_more = !args.asked.0.is_empty() || args.overflow || args.property.is_some();
    if asks_more || args.certificate.is_some() || args.emit.is_some() || args.check.is_some() {
        return Err(Failure::new("--each=claim asks about the claims of the text, each in a proof of its own")
            .with_help("leave out --invariant, --overflow, --property, --certificate, --check and --emit"));
    }
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let program = sources::read_program("prove", &args.files, &options)?;
    let entry = sources::entry(&program, args.entry.as_deref())?;
    let implied = prove::implied::implied_claims(&program, entry);
    let program = implied.as_ref().map_or(&program, |(claimed, _)| claimed);
    let claims = prove::claims(program, entry).into_iter();
    Ok(claims.map(|(text, span)| format!("{text} at {}", program.sources.describe(span))).collect())
}

/// What can be proved or refuted of a program that is read already.
pub fn of_program(args: &Prove, context: &Context<'_>, program: &Program, options: Options) -> Result<Report, Failure> {
    let (deadline, shared) = (context.deadline(), context.shared);
    // Candidates are looked for in one half of the time, so that the other is left to prove them.
    let observed_until = Instant::now() + context.time() / 2;
    context.status_line.say("prove: looking for invariants and proving claims");
    let entry = sources::entry(program, args.entry.as_deref())?;
    let mut asked = asked::read(args, program, entry)?;
    asked.notes.extend(not_looked_at(program, entry).filter(|_| args.entry.is_none()));
    let property = args.property.as_deref().map(property::read).transpose()?;
    let overflow = args.overflow || property.is_some_and(property::Property::checks);
    let claimed = implied(program, entry, asked.invariants.is_empty() && property.is_none(), overflow);
    let program = match &claimed {
        Some((claimed, implied)) => {
            asked.notes.push(implied.note().to_string());
            claimed
        }
        None => program,
    };
    let alone = args.parts.item.map(|claim| prove::alone(program, entry, claim));
    let program = alone.as_ref().unwrap_or(program);
    if asked.invariants.is_empty() && !overflow && !prove::implied::has_claims(program, entry) {
        return Ok(nothing(overflow));
    }
    let looking = infer::Config {
        seed: shared.seed,
        request: request(&asked.at, overflow),
        ranges: sources::ranges(&args.input)?,
        inputs: sources::inputs(args.inputs.as_deref(), program, entry)?,
        deadline: deadline.by(observed_until),
        forms: infer::FormConfig { cancel: Some(deadline.cancel.clone()), ..infer::FormConfig::default() },
        ..infer::Config::default()
    };
    let config = Config {
        infer: looking,
        encoding: encoding(args.ints, args.floats, overflow, args.world.globals()),
        max_k: args.max_k.into(),
        asked: asked.invariants.clone(),
        using: asked.using.clone(),
        paths: args.certificate.is_none() && args.emit.is_none() && !args.plain_k,
        separate: false,
        plain: args.plain_k,
        sources: Some(Sources { files: args.files.clone(), options }),
        deadline,
    };
    let mut found =
        super::threads(shared)?.install(|| prove::prove(program, entry, &config)).map_err(super::refused)?;
    if let Some(property) = property {
        property.select(program, entry, &mut found.properties);
    }
    if found.properties.is_empty() {
        return Ok(nothing(overflow));
    }
    if let Some(path) = &args.certificate {
        certificate::write(path, args, shared, &asked, program, &found)?;
    }
    let places = instrument(program, entry, &config.infer.request).locations;
    let mut report = listing::report(&found, &asked, &places, program, shared.verbose);
    if args.emit.is_some() {
        witness::write(&mut report, program, entry, &found, places);
    }
    Ok(report)
}

/// A program's own claims that none of its runs comes to, for whoever counts them.
fn not_looked_at(program: &Program, entry: FunctionId) -> Option<String> {
    let functions = prove::implied::claims_elsewhere(program, entry);
    let names: Vec<String> = functions.iter().take(5).map(|id| format!("`{}`", program.functions[*id].name)).collect();
    let more = if functions.len() > names.len() { ", …" } else { "" };
    let entry = &program.functions[entry].name;
    let said = format!("not looked at, since `{entry}` does not call them: the claims in {}{more}", names.join(", "));
    (!names.is_empty()).then_some(said)
}

/// The program with the claims that it implies. Where something else is asked, an ordinary program's `abort` is no answer.
fn implied(program: &Program, entry: FunctionId, plain: bool, overflow: bool) -> Option<(Program, Implied)> {
    if plain && !overflow { prove::implied::implied_claims(program, entry) } else { None }
}

/// Where the proof looks: at all loops, and where the user asks. Rounds are not counted where every operation is a
/// claim, because a counter would be one too.
fn request(at: &[String], overflow: bool) -> Request {
    let at = at.iter().map(|text| sources::place(text)).collect();
    Request { at, loops: true, ghosts: !overflow, ..Request::default() }
}

fn observed(program: &Program, entry: FunctionId, at: &[String], overflow: bool) -> Instrumented {
    instrument(program, entry, &request(at, overflow))
}

fn encoding(ints: IntModel, floats: FloatModel, overflow: bool, globals: ir::Globals) -> Encoding {
    let ints = match ints {
        IntModel::Math => Ints::Math,
        IntModel::Machine => Ints::Machine,
    };
    Encoding { ints, floats: floats.floats(), checks: overflow, globals, ..Encoding::default() }
}

fn nothing(overflow: bool) -> Report {
    let mut report = Report::new("prove");
    report.result.insert("properties".into(), json!([]));
    report.result.insert("invariants".into(), json!([]));
    report.exit = Exit::Nothing;
    report.summary = match overflow {
        true => "nothing to prove: the entry reaches no assertion, and no operation that could go wrong".into(),
        false => format!(
            "nothing to prove: the entry reaches no assertion ({}); --invariant 'EXPR' asks about a relation, \
             --overflow about every operation",
            prove::implied::LOOKED_FOR
        ),
    };
    report
}
