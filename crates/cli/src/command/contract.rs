//! `plumb contract`: what every function needs, changes and promises.

use super::Context;
use super::sources::{self, Input as Read};
use crate::args::{Contract, ContractEmit};
use crate::exit::Exit;
use crate::report::{Failure, Relation, Report};
use contract::{Clause, Config, FunctionContract, Origin, Standing};
use diagnostics::Assumption;
use ir::Program;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

/// Clauses of one function that are listed unless all are asked for.
const LISTED: usize = 10;
/// The most time for one round of one function's proofs.
const PATIENCE: Duration = Duration::from_millis(2_500);

pub fn contract(args: &Contract, context: &Context<'_>) -> Result<Report, Failure> {
    context.status_line.say("contract: reading C");
    let options = sources::options(&args.compile, &args.flags, context.shared)?;
    let loaded = match sources::read_files("contract", &args.files, &options)? {
        Read::Program(loaded) => loaded,
        Read::Refused(report) => return Ok(*report),
    };
    let config = Config {
        files: args.files.clone(),
        options,
        entries: args.entry.clone(),
        assumed: args.assume.iter().map(|text| assumed(text)).collect(),
        seed: context.shared.seed,
        inputs: ::contract::INPUTS,
        proves: !args.no_prove,
        patience: PATIENCE,
        deadline: context.deadline(),
    };
    context.status_line.say("contract: running the functions and proving what they promise");
    let program = &loaded.program;
    let found = super::threads(context.shared)?
        .install(|| ::contract::contract(program, &config))
        .map_err(|why| Failure::new(why).with_help("plumb check FILE says what is in a file"))?;
    let mut report = listed(program, &found, args.all);
    if let Some(what) = args.emit {
        emit(what, program, &found, &mut report)?;
    }
    report.sources = loaded.program.sources;
    Ok(report)
}

/// `f: n <= 64` is said of `f`; without a name before a colon, of all functions.
fn assumed(text: &str) -> (String, String) {
    match text.split_once(':') {
        Some((name, rest)) if name.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
            (name.trim().to_string(), rest.trim().to_string())
        }
        _ => (String::new(), text.trim().to_string()),
    }
}

fn listed(program: &Program, found: &::contract::Report, all: bool) -> Report {
    let mut report = Report::new("contract");
    let mut functions = Vec::new();
    for contract in &found.functions {
        write_contract(program, contract, if all { usize::MAX } else { LISTED }, &mut report.text);
        functions.push(document(program, contract));
        for clause in &contract.ensures {
            report.relations.push(Relation {
                location: contract.name.clone(),
                span: Some(contract.span),
                kind: "ensures",
                text: clause.text.clone(),
                verdict: word(&clause.standing),
            });
        }
    }
    for note in &found.notes {
        let _ = writeln!(report.text, "note: {note}");
    }
    if found.cut_short {
        let _ = writeln!(report.text, "note: The time was over before all was proved; --time gives more.");
    }
    let count = |word_: &str| report.relations.iter().filter(|relation| relation.verdict == word_).count();
    let (proved, observed, refuted, unknown) = (count("proved"), count("observed"), count("refuted"), count("unknown"));
    let requires: usize = found.functions.iter().map(|contract| contract.requires.len()).sum();
    report.exit = match () {
        () if found.functions.is_empty() => Exit::Nothing,
        () if refuted > 0 => Exit::Found,
        () if unknown > 0 => Exit::Inconclusive,
        () => Exit::Clean,
    };
    let mut parts = vec![format!("{proved} proved"), format!("{observed} observed")];
    parts.extend((refuted > 0).then(|| format!("{refuted} refuted")));
    parts.extend((unknown > 0).then(|| format!("{unknown} unknown")));
    let s = |count: usize| if count == 1 { "" } else { "s" };
    let number = found.functions.len();
    report.summary = match number {
        0 => "no function here can be given a contract".to_string(),
        _ => format!(
            "{number} contract{}: {requires} requirement{}, {} clause{} ({})",
            s(number),
            s(requires),
            report.relations.len(),
            s(report.relations.len()),
            parts.join(", ")
        ),
    };
    report.result.insert("functions".into(), Value::Array(functions));
    report.result.insert("tried_natively".into(), json!({ "clauses": found.tried, "fell": found.fell }));
    report.result.insert("notes".into(), json!(found.notes));
    report
}

fn word(standing: &Standing) -> &'static str {
    match standing {
        Standing::Proved { .. } => "proved",
        Standing::Observed { .. } => "observed",
        Standing::Refuted { .. } => "refuted",
        Standing::Unknown { .. } => "unknown",
    }
}

fn write_contract(program: &Program, contract: &FunctionContract, most: usize, text: &mut String) {
    let _ = writeln!(text, "{}  ({})", contract.signature, program.sources.describe(contract.span));
    for requirement in &contract.requires {
        let why = match (requirement.origin, requirement.broken) {
            (Origin::User, _) => "given".to_string(),
            (Origin::Found, 1) => "without it 1 run was undefined".to_string(),
            (Origin::Found, runs) => format!("without it {runs} runs were undefined"),
        };
        let _ = writeln!(text, "  requires {}  — {why}", requirement.text);
    }
    match (&contract.assigns_anything, contract.assigns.is_empty()) {
        (Some(why), _) => *text += &format!("  assigns  anything: {why}\n"),
        (None, true) => *text += "  assigns  \\nothing\n",
        (None, false) => *text += &format!("  assigns  {}\n", contract.assigns.join(", ")),
    }
    if contract.releases {
        *text += "  releases memory that its callers may know\n";
    }
    let width = contract.ensures.iter().take(most).map(|clause| clause.text.chars().count()).max().unwrap_or(0).min(60);
    for clause in contract.ensures.iter().take(most) {
        let _ = writeln!(text, "  ensures  {:width$}  {}", clause.text, said(clause));
    }
    if contract.ensures.len() > most {
        let _ = writeln!(text, "  … and {} more (--all)", contract.ensures.len() - most);
    }
    let assumptions = assumptions(contract);
    if !assumptions.is_empty() {
        let _ = writeln!(text, "  proved means whenever it returns, assuming {}", Assumption::list(assumptions));
    }
    for unexplained in &contract.unexplained {
        let _ = writeln!(
            text,
            "  undefined in {} runs that meet what it requires: {}, {}\n      with {}",
            unexplained.runs, unexplained.message, unexplained.place, unexplained.input
        );
    }
    for note in &contract.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    text.push('\n');
}

fn said(clause: &Clause) -> String {
    match &clause.standing {
        Standing::Proved { .. } => "proved".to_string(),
        Standing::Observed { runs, natively: 0 } => format!("observed ({runs} runs)"),
        Standing::Observed { runs, natively } => format!("observed ({runs} runs, {natively} compiled)"),
        Standing::Refuted { input, natively } => {
            let where_ = if *natively { "also compiled" } else { "in the VM" };
            format!("refuted with {input}, {where_}")
        }
        Standing::Unknown { why } => format!("unknown: {why}"),
    }
}

/// What the proofs of one contract assume, together.
fn assumptions(contract: &FunctionContract) -> BTreeSet<&Assumption> {
    let standings = contract.ensures.iter().map(|clause| &clause.standing);
    let assumed = standings.filter_map(|standing| match standing {
        Standing::Proved { assumptions, .. } => Some(assumptions),
        _ => None,
    });
    assumed.flatten().collect()
}

fn document(program: &Program, contract: &FunctionContract) -> Value {
    let place = program.sources.used(contract.span);
    let clause = |clause: &Clause| {
        let mut all = json!({
            "text": clause.text,
            "acsl": clause.is_acsl,
            "kind": if clause.origin == Origin::User { "given" } else { "found" },
            "verdict": word(&clause.standing),
        });
        let more = match &clause.standing {
            Standing::Proved { how, assumptions } => json!({
                "how": how,
                "assumptions": assumptions.iter().map(Assumption::to_string).collect::<Vec<_>>(),
            }),
            Standing::Observed { runs, natively } => json!({ "runs": runs, "natively": natively }),
            Standing::Refuted { input, natively } => json!({ "input": input, "replayed": natively }),
            Standing::Unknown { why } => json!({ "why": why }),
        };
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        all
    };
    let requires: Vec<Value> = contract
        .requires
        .iter()
        .map(|requirement| {
            json!({
                "text": requirement.text,
                "acsl": requirement.is_acsl,
                "kind": if requirement.origin == Origin::User { "given" } else { "found" },
                "broken": requirement.broken,
                "example": requirement.example,
            })
        })
        .collect();
    let undefined: Vec<Value> = contract
        .unexplained
        .iter()
        .map(|u| json!({ "runs": u.runs, "input": u.input, "message": u.message, "place": u.place }))
        .collect();
    json!({
        "name": contract.name,
        "signature": contract.signature,
        "file": place.map(|region| program.sources.file(region.start.file).path.clone()),
        "line": place.map(|region| region.start.line),
        "requires": requires,
        "assigns": contract.assigns,
        "assigns_anything": contract.assigns_anything,
        "releases": contract.releases,
        "ensures": contract.ensures.iter().map(clause).collect::<Vec<_>>(),
        "undefined": undefined,
        "runs": contract.runs,
        "notes": contract.notes,
    })
}

fn emit(what: ContractEmit, program: &Program, found: &::contract::Report, report: &mut Report) -> Result<(), Failure> {
    let files: BTreeMap<String, String> = match what {
        ContractEmit::Acsl => ::contract::acsl::annotated(program, found),
        ContractEmit::Md => [("contracts.md".to_string(), ::contract::markdown::documentation(found))].into(),
        ContractEmit::Header => {
            let declared = |contract: &FunctionContract| {
                format!("{}{};\n", ::contract::acsl::annotation(contract), contract.signature)
            };
            let all: Vec<String> = found.functions.iter().map(declared).collect();
            [("contracts.h".to_string(), all.join("\n"))].into()
        }
    };
    if files.len() > 1 {
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        return Err(Failure::new(format!("annotations would go to several files: {}", names.join(", ")))
            .with_help("--format json has them all, in `result.emitted`; or name one file at a time"));
    }
    report.text = files.values().cloned().collect();
    report.relations.clear();
    report.result.insert("emitted".into(), json!(files));
    Ok(())
}
