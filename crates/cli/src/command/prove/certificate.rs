//! Certificates as files, and their check.

use super::asked::Asked;
use super::{encoding, implied, request, sources};
use crate::args::{FloatModel, IntModel, Prove, Shared};
use crate::command::sources::Input as Read;
use crate::exit::Exit;
use crate::output::write_whole;
use crate::render::json::assumptions_json;
use crate::report::{Failure, Report};
use certify::Reading;
use diagnostics::{Assumption, Deadline};
use ir::Program;
use prove::certificate::{Certificate, CertifiedClaim, Rejected, check as check_system};
use prove::{PropertyId, ProveReport, conditions_of, system_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What the file says it is.
const KIND: &str = "plumbline-certificate";

pub(super) fn write(
    path: &Path,
    args: &Prove,
    shared: &Shared,
    asked: &Asked,
    program: &Program,
    found: &ProveReport,
) -> Result<(), Failure> {
    let line = |span| program.sources.used(span).map_or(0, |region| region.start.line);
    let certificate = found.certificate(&line);
    let invariants: Vec<Value> =
        certificate.invariants.iter().map(|(at, text)| json!({ "location": at, "text": text })).collect();
    let placed = |(at, text): &(String, String)| json!({ "location": at, "text": text });
    let asked_about: Vec<Value> = certificate.asked.iter().map(placed).collect();
    let claims: Vec<Value> =
        certificate.claims.iter().map(|c| json!({ "text": c.text, "line": c.line, "k": c.k })).collect();
    let files: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let document = json!({
        "schema": 1,
        "kind": KIND,
        "files": files,
        "flags": sources::options(&args.compile, &args.flags, shared)?.flags,
        "entry": args.entry,
        "ints": if args.ints == IntModel::Math { "math" } else { "machine" },
        "floats": if args.floats == FloatModel::Exact { "exact" } else { "real" },
        "overflow": args.overflow,
        "globals": if args.world.globals() == ir::Globals::Any { "any" } else { "initial" },
        "at": asked.at,
        "invariants": invariants,
        "claims": claims,
        "asked": asked_about,
    });
    let mut bytes = serde_json::to_vec_pretty(&document).expect("a JSON value should always print");
    bytes.push(b'\n');
    write_whole(path, &bytes)
}

/// A certificate with what it says about how the program is read.
pub(crate) struct Document {
    certificate: Certificate,
    files: Vec<PathBuf>,
    flags: Vec<String>,
    entry: Option<String>,
    ints: IntModel,
    floats: FloatModel,
    overflow: bool,
    globals: ir::Globals,
    at: Vec<String>,
}

pub(crate) fn read(path: &Path) -> Result<Document, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    let wrong = |why: &str| {
        Failure::new(format!("{} is not a certificate: {why}", path.display()))
            .with_help("`plumb prove FILE --certificate FILE` writes one")
    };
    let document: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
    if document["kind"] != KIND || document["schema"] != 1 {
        return Err(wrong("its `kind` and `schema` are not those of a certificate"));
    }
    let list = |name: &str| document[name].as_array().ok_or_else(|| wrong(&format!("`{name}` is missing")));
    let text_of = |value: &Value, name: &str| {
        value.as_str().map(str::to_string).ok_or_else(|| wrong(&format!("a `{name}` is not a text")))
    };
    let number_of =
        |value: &Value, name: &str| value.as_u64().ok_or_else(|| wrong(&format!("a `{name}` is not a number")));
    let mut certificate = Certificate::default();
    let placed = |value: &Value| Ok((text_of(&value["location"], "location")?, text_of(&value["text"], "text")?));
    certificate.invariants = list("invariants")?.iter().map(placed).collect::<Result<_, Failure>>()?;
    // A certificate of an earlier version asks about nothing.
    let asked = document["asked"].as_array().map_or(&[][..], Vec::as_slice);
    certificate.asked = asked.iter().map(placed).collect::<Result<_, Failure>>()?;
    for claim in list("claims")? {
        certificate.claims.push(CertifiedClaim {
            text: text_of(&claim["text"], "text")?,
            line: number_of(&claim["line"], "line")? as u32,
            k: number_of(&claim["k"], "k")?.min(50) as usize,
        });
    }
    Ok(Document {
        certificate,
        files: list("files")?
            .iter()
            .map(|file| text_of(file, "files").map(PathBuf::from))
            .collect::<Result<Vec<_>, _>>()?,
        flags: list("flags")?.iter().map(|flag| text_of(flag, "flags")).collect::<Result<Vec<_>, _>>()?,
        entry: document["entry"].as_str().map(str::to_string),
        ints: match document["ints"].as_str() {
            Some("math") => IntModel::Math,
            Some("machine") => IntModel::Machine,
            _ => return Err(wrong("`ints` is neither math nor machine")),
        },
        floats: match document["floats"].as_str() {
            Some("exact") => FloatModel::Exact,
            Some("real") => FloatModel::Real,
            _ => return Err(wrong("`floats` is neither exact nor real")),
        },
        overflow: document["overflow"].as_bool().ok_or_else(|| wrong("`overflow` is missing"))?,
        globals: match document["globals"].as_str() {
            Some("any") => ir::Globals::Any,
            Some("initial") => ir::Globals::Initial,
            _ => return Err(wrong("`globals` is neither any nor initial")),
        },
        at: list("at")?.iter().map(|at| text_of(at, "at")).collect::<Result<Vec<_>, _>>()?,
    })
}

/// What the second reading says, for people.
fn told(second: &Reading, certificate: &Certificate) -> String {
    match second {
        Reading::Checked { invariants, claims, others } => {
            let mut text = match (certificate.invariants.len(), claims.len()) {
                (0, claims) => format!("checked independently: {claims} of {} claims\n", certificate.claims.len()),
                (all, claims) => format!(
                    "checked independently: {invariants} of {all} invariants, {claims} of {} claims\n",
                    certificate.claims.len()
                ),
            };
            for (number, why) in others {
                let claim = &certificate.claims[*number];
                text += &format!("  not line {}  {}: {why}\n", claim.line, claim.text);
            }
            text
        }
        Reading::NotRead(what) => format!("not checked independently: the second reading does not know {what}\n"),
        Reading::Rejected(what) => format!("contradicted independently: {what}\n"),
    }
}

/// The same for machines.
fn document(second: &Reading, certificate: &Certificate) -> Value {
    match second {
        Reading::Checked { invariants, claims, others } => {
            let named = |number: &usize| {
                let claim = &certificate.claims[*number];
                json!({ "text": claim.text, "line": claim.line })
            };
            json!({
                "checked": true,
                "invariants": invariants,
                "claims": claims.iter().map(named).collect::<Vec<_>>(),
                "others": others
                    .iter()
                    .map(|(number, why)| json!({ "claim": named(number), "why": why }))
                    .collect::<Vec<_>>(),
            })
        }
        Reading::NotRead(what) => json!({ "checked": false, "why": what }),
        Reading::Rejected(what) => json!({ "checked": false, "rejected": true, "why": what }),
    }
}

pub(super) fn check(path: &Path, args: &Prove, shared: &Shared, deadline: &Deadline) -> Result<Report, Failure> {
    let Document { certificate, files, flags, entry, ints, floats, overflow, globals, at } = read(path)?;
    let files = if args.files.is_empty() { files } else { args.files.clone() };
    let mut options = sources::options(&args.compile, &args.flags, shared)?;
    if options.flags.is_empty() {
        // Whoever wrote the certificate is not the user.
        sources::refuse_dangerous(&flags, &args.compile.allow_compiler_flag)?;
        options.flags = flags;
    }
    let program = match sources::read_files("prove", &files, &options)? {
        Read::Program(loaded) => loaded.program,
        Read::Refused(report) => return Ok(*report),
    };
    let entry = sources::entry(&program, args.entry.as_deref().or(entry.as_deref()))?;
    let program = match implied(&program, entry, certificate.asked.is_empty(), overflow) {
        Some((claimed, _)) => claimed,
        None => program,
    };
    let system = system_of(&program, entry, &request(&at, overflow), &encoding(ints, floats, overflow, globals));
    let line = |id: PropertyId| program.sources.used(system.property(id).span).map_or(0, |region| region.start.line);
    let checked = super::super::threads(shared)?.install(|| check_system(&system, &certificate, &line, deadline));
    let second = checked.as_ref().ok().map(|_| {
        let initial_globals = globals == ir::Globals::Initial || program.functions[entry].name == "main";
        let statement = certify::Statement {
            invariants: certificate.invariants.clone(),
            claims: certificate
                .claims
                .iter()
                .map(|claim| certify::Claim { text: claim.text.clone(), line: claim.line, steps: claim.k })
                .collect(),
        };
        certify::certify(&program, entry, &statement, certify::Conditions { initial_globals }, deadline)
    });
    let mut report = Report::new("prove");
    let mut assumptions = system.assumptions.clone();
    if let Ok(proved) = &checked {
        let all = (0..).map(PropertyId).zip(&system.properties);
        assumptions.extend(conditions_of(all.filter(|(id, _)| !proved.contains(id)).map(|(_, p)| p.kind)));
    }
    let assumptions: Vec<Assumption> = assumptions.into_iter().collect();
    let why = match &checked {
        Ok(_) => None,
        // Another program, or another reading of it, is a mistake of the invocation.
        Err(misfit @ Rejected::Misfit(_)) => return Err(Failure::new(misfit.to_string())),
        Err(rejected) => Some(rejected.to_string()),
    };
    let why = why.or_else(|| match &second {
        Some(Reading::Rejected(what)) => Some(format!("the second reading of the program contradicts it: {what}")),
        _ => None,
    });
    let accepted = why.is_none();
    report.result.insert(
        "check".into(),
        json!({
            "certificate": path.display().to_string(),
            "accepted": accepted,
            "why": why,
            "invariants": certificate.invariants.len(),
            "claims": certificate.claims.len() + certificate.asked.len(),
            "assumptions": assumptions_json(&assumptions),
            "second_reading": second.as_ref().map(|second| document(second, &certificate)),
        }),
    );
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    match why {
        None => {
            for claim in &certificate.claims {
                report.text += &format!("holds  line {}  {}\n", claim.line, claim.text);
            }
            if let Some(second) = &second {
                report.text += &told(second, &certificate);
            }
            for (at, text) in &certificate.asked {
                report.text += &format!("holds  {at}  {text}\n");
            }
            let assuming = match assumptions.is_empty() {
                true => String::new(),
                false => format!(", assuming {}", Assumption::list(&assumptions)),
            };
            report.summary = format!(
                "the certificate holds: {} inductive, {} implied{assuming}",
                counted(certificate.invariants.len(), "invariant"),
                counted(certificate.claims.len() + certificate.asked.len(), "claim"),
            );
        }
        Some(why) => {
            report.exit = Exit::Inconclusive;
            report.summary = format!("the certificate is not accepted: {why}");
        }
    }
    report.sources = program.sources;
    Ok(report)
}
