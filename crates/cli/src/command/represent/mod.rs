//! `plumb represent`: does a client depend on how its data is written down?

mod listing;
pub(crate) mod sample;
mod trying;

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::Represent;
use crate::exit::Exit;
use crate::report::{Failure, Report};
use cfront::Loaded;
use diagnostics::{Finding, Rule};
use ir::{FunctionId, Program};
use represent::clients::Lineup;
use represent::codec::Codec;
use represent::language::{Normalisation, Refusal, normalisation};
use represent::values::Values;
use represent::variants::{BadSample, Material, Normaliser, variants};
use represent::{invert::invert, show::show};
use std::path::{Path, PathBuf};

pub fn represent(args: &Represent, context: &Context<'_>) -> Result<Report, Failure> {
    let (deadline, shared) = (context.deadline(), context.shared);
    context.status_line.say("represent: reading C");
    let mut options = sources::options(&args.compile, &args.flags, context.shared)?;
    // What `plumb.h` looks for.
    options.flags.insert(0, "-D__PLUMB__=1".to_string());
    let Loaded { program, .. } = match sources::read_files("represent", &args.files, &options)? {
        Read::Program(loaded) => *loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let entry = function(&program, args)?;
    let mut clients = trying::clients(args)?;
    if let Some(item) = args.parts.item {
        clients = clients.into_iter().skip(item).take(1).collect();
    }
    let read = normalisation(&program, entry).and_then(invert);
    let inverse = match read {
        Ok(inverse) => inverse,
        Err(refusal) => return Ok(refused(refusal, program)),
    };
    let text = show(&inverse);
    let Some(data) = args.data.as_deref().filter(|_| !args.show_inverse) else {
        if !args.show_inverse {
            return Err(Failure::new("there is no sample to make variants of")
                .with_help("--data FILE gives one; --show-inverse prints the inverse"));
        }
        return Ok(listing::inverse(&inverse, text, program.sources));
    };
    let name = data.display().to_string();
    let bytes = std::fs::read(data).map_err(|error| Failure::new(format!("{name} cannot be read: {error}")))?;
    let codec = codec(&program, &inverse.normalisation, args)?;
    let (values, form) = sample::read(&inverse.normalisation, codec, &bytes, data)?;
    let normaliser = Normaliser::new(&program, &inverse.normalisation);
    let canonical = match normaliser.canonical(&values) {
        Ok(canonical) => canonical,
        Err(bad) => {
            drop(normaliser);
            return Ok(unusable(bad, &name, program));
        }
    };
    let material = Material {
        inverse: &inverse,
        normaliser: &normaliser,
        sample: &values,
        canonical: &canonical,
        seed: shared.seed,
        cancel: &deadline.cancel,
    };
    let encode = |values: &Values| sample::write(&inverse.normalisation, &form, values);
    let mut listed: Vec<listing::Listed> = Vec::new();
    let pool = super::threads(shared)?;
    context.status_line.say("represent: making variants");
    deadline.progress.count("variants", args.count as u64);
    let made = pool.install(|| {
        variants(&material, args.count, |variant, values| {
            let width = args.count.to_string().len();
            let file = format!("variant{:0width$}.{}", listed.len() + 1, form.extension());
            if let Some(folder) = &args.variants {
                let bytes =
                    encode(values).map_err(|why| Failure::new(format!("a variant cannot be written: {why}")))?;
                write_file(folder, &file, &bytes)?;
            }
            deadline.progress.add(1);
            listed.push(listing::Listed { file, choices: listing::choices(&inverse.normalisation, variant, values) });
            Ok::<(), Failure>(())
        })
    })?;
    if !clients.is_empty() {
        context.status_line.say("represent: trying clients");
    }
    let lineup = || Lineup::new(&material, &made.variants);
    let examined = pool.install(|| trying::try_all(args, &clients, lineup, form.extension(), &encode, &deadline))?;
    let outcome = listing::Outcome {
        material: &material,
        text,
        made: &made,
        listed: &listed,
        clients: &clients,
        examined: &examined,
    };
    let mut report = outcome.report(args.variants.as_deref());
    drop(normaliser);
    report.sources = program.sources;
    Ok(report)
}

/// The clients by name, for `--each=client`.
pub fn client_names(args: &Represent) -> Result<Vec<String>, Failure> {
    let clients = trying::clients(args)?;
    if clients.is_empty() {
        return Err(Failure::new("there are no clients to ask about").with_help("--client NAME=COMMAND names one"));
    }
    Ok(clients.into_iter().map(|client| client.name).collect())
}

fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path: PathBuf = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, bytes))
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", path.display())))
}

/// The normalisation function: the one asked for, or the only one.
fn function(program: &Program, args: &Represent) -> Result<FunctionId, Failure> {
    if args.entry.is_some() {
        return sources::entry(program, args.entry.as_deref());
    }
    let mut defined: Vec<(&str, FunctionId)> = program
        .defined_functions()
        // What is `static` helps others.
        .filter(|(_, f, _)| f.linkage == ir::Linkage::External)
        .map(|(id, f, _)| (f.name.as_str(), id))
        .filter(|(name, _)| *name != "main")
        .filter(|(name, _)| ![&args.load, &args.store].iter().any(|other| other.as_deref() == Some(*name)))
        .collect();
    if let [(_, only)] = defined[..] {
        return Ok(only);
    }
    defined.sort_unstable();
    let names: Vec<&str> = defined.iter().map(|(name, _)| *name).take(20).collect();
    Err(match names.is_empty() {
        true => Failure::new("the files define no function to invert"),
        false => Failure::new("the files define several functions")
            .with_help(format!("--entry takes one of: {}", names.join(", "))),
    })
}

/// The functions of `--load` and `--store`.
fn codec<'p>(
    program: &'p Program,
    normalisation: &Normalisation,
    args: &Represent,
) -> Result<Option<Codec<'p>>, Failure> {
    let (Some(load), Some(store)) = (&args.load, &args.store) else { return Ok(None) };
    let (load, store) = (sources::entry(program, Some(load))?, sources::entry(program, Some(store))?);
    Codec::new(program, normalisation, load, store).map(Some).map_err(Failure::new)
}

fn refused(refusal: Refusal, program: Program) -> Report {
    let mut report = Report::new("represent");
    report.exit = Exit::BadInput;
    report.findings.push(Finding::new(Rule::NotInvertible, refusal.span, refusal.reason));
    report.sources = program.sources;
    report.summary = "the program cannot be inverted".to_string();
    report
}

fn unusable(bad: BadSample, name: &str, program: Program) -> Report {
    let mut report = Report::new("represent");
    report.exit = Exit::BadInput;
    report.findings.push(Finding::new(Rule::BadSample, bad.span, bad.message));
    report.sources = program.sources;
    report.summary = format!("{name} is no sample of this program");
    report
}
