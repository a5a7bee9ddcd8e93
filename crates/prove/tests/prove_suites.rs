//! `prove` on the programs of `suites/`: the documented post-conditions are proved, and of the wrong versions what is
//! violated never is.
//!
//! Of the wrong versions every tenth is looked at; all of them with `PLUMB_ALL_WRONG=1` (`make soundness`).

use diagnostics::Deadline;
use diagnostics::{Rule, Span, Verdict};
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Scalar};
use ir::{FunctionId, Program};
use observe::locations::Request;
use observe::runs::Limits;
use prove::certificate::{self, Rejected};
use prove::{Claim, Config, PropertyReport, ProveReport, system_of};
use replay::Sources;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

fn suite(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name);
    let entries = std::fs::read_dir(folder).expect("the suite should be there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder should be readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

fn load(path: &Path) -> (Program, FunctionId) {
    let loaded = cfront::load(&[path.to_path_buf()], &Default::default());
    let program = loaded.unwrap_or_else(|e| panic!("{}: {e:?}", path.display())).program;
    let entry = program.find_function("mainQ").expect("mainQ should be there");
    (program, entry)
}

fn with_sources(path: &Path) -> Config {
    let sources = Sources { files: vec![path.to_path_buf()], options: Default::default() };
    Config { sources: Some(sources), ..Config::default() }
}

fn line(program: &Program, span: Span) -> u32 {
    program.sources.used(span).map_or(0, |region| region.start.line)
}

fn name(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Judges all files, side by side, and fails with all complaints.
fn each(files: &[PathBuf], judge: impl Fn(&Path) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = judge(path);
                    complaints.lock().expect("nobody should have panicked").extend(found);
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("nobody should have panicked");
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

fn unproved(path: &Path, report: &ProveReport) -> Vec<String> {
    let mut open: Vec<String> = report
        .properties
        .iter()
        .filter(|property| !matches!(property.verdict, Verdict::Proved { .. }))
        .map(|property| format!("{}: {}: {:?}", name(path), property.text, property.verdict))
        .collect();
    if report.properties.is_empty() {
        open.push(format!("{}: there should be claims", name(path)));
    }
    open
}

fn prove_all(suite_name: &str, programs: usize) {
    let files = suite(suite_name);
    assert_eq!(files.len(), programs);
    each(&files, |path| {
        let (program, entry) = load(path);
        let report = prove::prove(&program, entry, &with_sources(path)).expect("the program should be fit to prove");
        unproved(path, &report)
    });
}

#[test]
fn every_claim_of_the_nonlinear_suite_is_proved() {
    prove_all("nla", 27);
}

#[test]
fn every_claim_of_the_disjunctive_suite_is_proved() {
    prove_all("disjunctive", 14);
}

#[test]
fn certificates_are_accepted_and_forged_ones_rejected() {
    let wanted = ["cohendiv", "egcd1", "geo1", "sqrt1", "ex1", "bubble3", "prodbin"];
    let files: Vec<PathBuf> =
        suite("nla").into_iter().chain(suite("disjunctive")).filter(|path| wanted.contains(&&*name(path))).collect();
    assert_eq!(files.len(), wanted.len());
    let forged = AtomicUsize::new(0);
    each(&files, |path| {
        let (program, entry) = load(path);
        let report = prove::prove(&program, entry, &with_sources(path)).expect("the program should be fit to prove");
        let written = report.certificate(&|span| line(&program, span));
        let system = system_of(&program, entry, &Request::default(), &Config::default().encoding);
        let line_of = |id| line(&program, system.property(id).span);
        let mut wrong = Vec::new();
        match certificate::check(&system, &written, &line_of, &Deadline::default()) {
            Ok(proved) if proved.len() == report.properties.len() => {}
            other => wrong.push(format!("{}: the certificate should be accepted: {other:?}", name(path))),
        }
        for (index, (_, claim)) in report.invariants.iter().enumerate().step_by(5) {
            let Claim::Predicate(predicate) = claim else { continue };
            let Some(variable) = predicate.variables().into_iter().next() else { continue };
            let mut forgery = written.clone();
            forgery.invariants[index].1 = format!("{variable} >= 1000003 && {variable} <= 1000002");
            forged.fetch_add(1, Ordering::Relaxed);
            let checked = certificate::check(&system, &forgery, &line_of, &Deadline::default());
            if !matches!(checked, Err(Rejected::NotInductive(_))) {
                wrong.push(format!("{}: {} should be rejected: {checked:?}", name(path), forgery.invariants[index].1));
            }
        }
        wrong
    });
    assert!(forged.into_inner() > wanted.len(), "something should have been forged");
}

/// The input that the header of a wrong version names.
fn violating(path: &Path, program: &Program, entry: FunctionId) -> Input {
    let text = std::fs::read_to_string(path).expect("the program should be readable");
    let header = text.lines().find_map(|line| line.strip_prefix("//~ violated-by:"));
    let header = header.unwrap_or_else(|| panic!("{} should name an input", path.display()));
    let value = |wanted: &str| {
        let named = header.split_whitespace().filter_map(|word| word.split_once('='));
        let found = named.filter(|(name, _)| *name == wanted).map(|(_, value)| value).next();
        let found = found.unwrap_or_else(|| panic!("{} should give {wanted}", path.display()));
        match found.parse::<i128>() {
            Ok(value) => Scalar::Int(value),
            Err(_) => Scalar::Float(found.parse().expect("a number")),
        }
    };
    let function = &program.functions[entry];
    let params = function.params.iter().map(|&param| value(&function.locals[param].name)).collect();
    Input { params, ..Input::default() }
}

/// `prove` with little patience.
fn prove_in_a_hurry(path: &Path, program: &Program, entry: FunctionId) -> ProveReport {
    let mut config = with_sources(path);
    let limits = Limits { runs: 400, rows: 300, steps: 50_000, total_steps: 20_000_000, ..Limits::default() };
    config.infer = infer::Config { limits, ..infer::Config::default() };
    config.infer.deadline.cancel = config.deadline.cancel.clone();
    let (done, wait) = channel::<()>();
    let cancel = config.deadline.cancel.clone();
    let timer = std::thread::spawn(move || {
        if wait.recv_timeout(Duration::from_secs(3)).is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
    });
    let report = prove::prove(program, entry, &config).expect("the program should be fit to prove");
    // The timer may have ended already.
    let _ = done.send(());
    timer.join().expect("the timer should not panic");
    report
}

#[test]
fn what_a_wrong_version_violates_is_never_proved() {
    let all: Vec<PathBuf> = suite("nla/wrong").into_iter().chain(suite("disjunctive/wrong")).collect();
    let every = if std::env::var("PLUMB_ALL_WRONG").is_ok() { 1 } else { 10 };
    let files: Vec<PathBuf> = all.into_iter().step_by(every).collect();
    let refuted = AtomicUsize::new(0);
    each(&files, |path| {
        let (program, entry) = load(path);
        let input = violating(path, &program, entry);
        let image = Image::new(&program, exec::libc::LIBRARY);
        let failed =
            match Machine::new(&image).run(entry, &input, &Budget::default(), Options::default()).outcome.ending {
                Ending::Faulted(finding) if finding.rule == Rule::AssertionFailed => line(&program, finding.span),
                other => return vec![format!("{}: an assertion should fail: {other:?}", name(path))],
            };
        let report = prove_in_a_hurry(path, &program, entry);
        let there = |property: &&PropertyReport| line(&program, property.span) == failed;
        let mut wrong = Vec::new();
        match report.properties.iter().find(there).map(|property| &property.verdict) {
            Some(Verdict::Proved { how }) => {
                wrong.push(format!("{}: line {failed} is said to be proved: {how}", name(path)));
            }
            Some(Verdict::Refuted { .. }) => {
                refuted.fetch_add(1, Ordering::Relaxed);
            }
            Some(_) => {}
            None => wrong.push(format!("{}: line {failed} should be a claim", name(path))),
        }
        for property in &report.properties {
            if let Verdict::Refuted { witness } = &property.verdict
                && !witness.replayed
            {
                wrong.push(format!("{}: {} should be replayed: {witness:?}", name(path), property.text));
            }
        }
        wrong
    });
    let refuted = refuted.into_inner();
    println!("{refuted} of {} wrong versions are refuted", files.len());
    assert!(refuted * 2 > files.len(), "most of the wrong versions should be refuted");
}
