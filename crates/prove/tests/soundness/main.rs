//! No wrong `proved` and no wrong `refuted`: random small programs, decided by running them on all their inputs.
//!
//! The programs bound their inputs, so that the VM can run every one of them. What it sees is compared with what
//! `prove` says, which never learns what the inputs are. A run that ends in undefined behaviour or does not end says
//! nothing about what would have come later.
//!
//! `PLUMB_SOUNDNESS` is the number of programs (`make soundness N=10000`), `PLUMB_SOUNDNESS_FROM` the first seed,
//! `PLUMB_SOUNDNESS_MS` the processor time for each proof, which other work on the machine does not shorten.

mod generate;

use cpu_time::ProcessTime;
use diagnostics::{Rule, Span, Verdict};
use exec::vm::{Image, Machine, Options};
use exec::{Budget, Ending, Input, Recorder, Scalar};
use generate::{BUDGET, Row, Sketch, number};
use ir::{FunctionId, Program};
use logic::{Number, Undefined};
use observe::runs::Limits;
use prove::{Config, Encoding, Ints, PropertyKind, PropertyReport};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// After so many milliseconds of processor time a program's proof is stopped, wherever it is. That must not make a
/// verdict wrong either.
const PATIENCE: u64 = 400;

fn load(text: &str) -> (Program, FunctionId) {
    let loaded = cfront::load_text(&[("random.c", text)]).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let entry = loaded.program.find_function("mainQ").expect("mainQ should be there");
    (loaded.program, entry)
}

/// The rows at each place, over all inputs.
fn rows(sketch: &Sketch, inputs: &[Input]) -> Vec<Vec<Row>> {
    let (program, entry) = load(&sketch.traced());
    let image = Image::new(&program, exec::libc::LIBRARY);
    let mut machine = Machine::new(&image);
    let mut rows = vec![Vec::new(); sketch.places];
    for input in inputs {
        let options = Options { recorder: Some(Recorder::new(image.points().clone())), ..Options::default() };
        let run = machine.run(entry, input, &BUDGET, options);
        for (_, point) in run.trace.expect("a recorder was given").points() {
            let place: usize = point.name().trim_start_matches("vtrace").parse().expect("a place has a number");
            for row in point.rows().take(40) {
                let value = |name: &str| match row.named(name) {
                    Some(Scalar::Int(value)) => value,
                    other => panic!("{name} should be a number at a place: {other:?}"),
                };
                rows[place - 1].push(generate::SHOWN.iter().map(|name| (name.to_string(), value(name))).collect());
            }
        }
    }
    rows
}

/// What runs on all inputs showed.
#[derive(Default)]
struct Seen {
    /// What was violated, where, and by which inputs first.
    violated: BTreeMap<(&'static str, (u32, u32)), Input>,
    /// Whether every run ended by itself and without undefined behaviour.
    finished: bool,
}

fn rule_kind(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::AssertionFailed => Some("assert"),
        Rule::SignedOverflow => Some("overflow"),
        Rule::DivisionByZero => Some("division"),
        Rule::BadShift => Some("shift"),
        Rule::OutOfBounds | Rule::InvalidPointer => Some("bounds"),
        _ => None,
    }
}

fn property_kind(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Assert | PropertyKind::Unreachable => "assert",
        PropertyKind::Overflow => "overflow",
        PropertyKind::DivisionByZero => "division",
        PropertyKind::Shift => "shift",
        PropertyKind::Conversion => "conversion",
        PropertyKind::Bounds => "bounds",
        PropertyKind::Pointer => "pointer",
        PropertyKind::Initialised => "initialised",
        PropertyKind::Call | PropertyKind::Defined => "call",
        PropertyKind::Invariant => "invariant",
    }
}

/// The line, and where in the text it is: two operations of one line are different places.
fn place(program: &Program, span: Span) -> (u32, u32) {
    (program.sources.used(span).map_or(0, |region| region.start.line), span.lo)
}

fn decide(program: &Program, entry: FunctionId, inputs: &[Input], text: &str) -> Seen {
    let image = Image::new(program, exec::libc::LIBRARY);
    let mut machine = Machine::new(&image);
    let mut seen = Seen { finished: true, ..Seen::default() };
    for input in inputs {
        match machine.run(entry, input, &BUDGET, Options::default()).outcome.ending {
            Ending::Faulted(finding) => {
                if let Some(kind) = rule_kind(finding.rule) {
                    let key = (kind, place(program, finding.span));
                    seen.violated.entry(key).or_insert(input.clone());
                }
                seen.finished &= finding.rule == Rule::AssertionFailed;
            }
            Ending::Returned(_) | Ending::Assumed { .. } => {}
            Ending::OutOfBudget { .. } => seen.finished = false,
            other => panic!("a run should not end like this: {other:?}\n{text}"),
        }
    }
    seen
}

#[derive(Default, Debug)]
struct Counts {
    proved: AtomicU64,
    refuted: AtomicU64,
    unknown: AtomicU64,
    /// Claims that no input violates and that are not proved, on programs whose runs all end.
    missed: AtomicU64,
    checks_proved: AtomicU64,
    checks_refuted: AtomicU64,
    checks_unknown: AtomicU64,
    /// Relations said to be proved.
    settled: AtomicU64,
}

fn configuration(seed: u64) -> Config {
    let ints = if seed % 6 == 5 { Ints::Machine } else { Ints::Math };
    // Few ways, so that they are merged, now and then.
    let states = if seed % 7 == 3 { 1 } else { 64 };
    let limits = Limits { runs: 200, rows: 200, steps: 5_000, total_steps: 2_000_000, cells: 1 << 14 };
    let mut config = Config {
        infer: infer::Config { limits, ..infer::Config::default() },
        encoding: Encoding { ints, checks: seed % 4 == 1, states, ..Encoding::default() },
        max_k: 3,
        ..Config::default()
    };
    config.infer.deadline.cancel = config.deadline.cancel.clone();
    config
}

/// Programs looked at side by side.
fn workers() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX))
}

/// What `ask` says, stopped after a while. The clock is that of the whole process, of which this is one worker's part.
fn stopped_after_a_while<T>(config: &Config, ask: impl FnOnce() -> T) -> T {
    let (done, wait) = channel::<()>();
    let cancel = config.deadline.cancel.clone();
    let patience = Duration::from_millis(number("PLUMB_SOUNDNESS_MS", PATIENCE)) * workers();
    let start = ProcessTime::now();
    let timer = std::thread::spawn(move || {
        while start.elapsed() < patience {
            if wait.recv_timeout(Duration::from_millis(5)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
        cancel.store(true, Ordering::Relaxed);
    });
    let answer = ask();
    // The timer may have ended already.
    let _ = done.send(());
    timer.join().expect("the timer should not panic");
    answer
}

/// Relations of the program with trace points that are said to be proved, and a row that breaks them.
fn wrongly_settled(sketch: &Sketch, config: &Config, rows: &[Vec<Row>], counts: &Counts) -> Vec<String> {
    let text = sketch.traced();
    let (program, entry) = load(&text);
    let refinement = stopped_after_a_while(config, || prove::refine(&program, entry, config));
    let mut wrong = Vec::new();
    for report in refinement.unwrap_or_else(|e| panic!("{e}\n{text}")).found.locations {
        let Some(place) = report.location.name.strip_prefix("vtrace").and_then(|n| n.parse::<usize>().ok()) else {
            continue;
        };
        for invariant in report.invariants.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. })) {
            counts.settled.fetch_add(1, Ordering::Relaxed);
            let breaks = |row: &&Row| {
                let value = |name: &str, _: &[Number]| match row.get(name) {
                    Some(value) => Ok(Number::Small(*value)),
                    None => Err(Undefined::Unknown(name.into())),
                };
                invariant.predicate.evaluate(&value) == Ok(false)
            };
            if let Some(row) = rows[place - 1].iter().find(breaks) {
                let said = &invariant.predicate;
                wrong.push(format!("{said} at vtrace{place} is said to be proved, but fails of {row:?}\n{text}"));
            }
        }
    }
    wrong
}

/// What is wrong with a verdict.
fn complaint(program: &Program, property: &PropertyReport, seen: &Seen, all: &[PropertyReport]) -> Option<String> {
    let kind = property_kind(property.kind);
    let (line, start) = place(program, property.span);
    let on_line = |p: &&PropertyReport| property_kind(p.kind) == kind && place(program, p.span).0 == line;
    let exact = seen.violated.get(&(kind, (line, start)));
    let violations = || seen.violated.iter().filter(|((k, at), _)| *k == kind && at.0 == line);
    let said = format!("`{}` ({kind}, line {line})", property.text);
    match &property.verdict {
        Verdict::Vacuous => exact.map(|input| format!("{said} is said to be vacuous, but fails on {:?}", input.params)),
        Verdict::Proved { how } => {
            // Two operations of one line are told apart by where they start; where the VM points elsewhere in the line, one
            // of them must be open.
            let violated = exact.or_else(|| {
                let open = all.iter().filter(on_line).any(|p| !matches!(p.verdict, Verdict::Proved { .. }));
                violations().map(|(_, seen)| seen).next().filter(|_| !open)
            });
            violated.map(|input| format!("{said} is said to be proved ({how}), but fails on {:?}", input.params))
        }
        Verdict::Refuted { witness } if seen.finished && violations().next().is_none() => {
            Some(format!("{said} is said to be refuted by {:?}, but holds", witness.inputs))
        }
        _ => None,
    }
}

/// The inputs of a refutation, run.
fn fails_on_witness(program: &Program, entry: FunctionId, property: &PropertyReport) -> bool {
    let Verdict::Refuted { witness } = &property.verdict else { return true };
    let values: Vec<Scalar> =
        witness.inputs.iter().map(|(_, value)| Scalar::Int(value.parse().expect("inputs are integers"))).collect();
    let (params, nondet) = values.split_at(2);
    let input = Input { params: params.to_vec(), nondet: nondet.to_vec(), ..Input::default() };
    let image = Image::new(program, exec::libc::LIBRARY);
    match Machine::new(&image).run(entry, &input, &Budget::default(), Options::default()).outcome.ending {
        Ending::Faulted(finding) => {
            rule_kind(finding.rule) == Some(property_kind(property.kind))
                && place(program, finding.span).0 == place(program, property.span).0
        }
        _ => false,
    }
}

fn check(seed: u64, counts: &Counts) -> Vec<String> {
    let mut sketch = Sketch::new(seed);
    let inputs = sketch.inputs();
    let rows = rows(&sketch, &inputs);
    let text = sketch.claimed(&rows);
    let (program, entry) = load(&text);
    let seen = decide(&program, entry, &inputs, &text);
    let config = configuration(seed);
    let report = stopped_after_a_while(&config, || prove::prove(&program, entry, &config));
    let report = report.unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut wrong = Vec::new();
    if seed.is_multiple_of(3) && !config.encoding.checks {
        wrong.extend(wrongly_settled(&sketch, &configuration(seed), &rows, counts));
    }
    for property in &report.properties {
        let is_claim = matches!(property.kind, PropertyKind::Assert | PropertyKind::Unreachable);
        let count = match (&property.verdict, is_claim) {
            (Verdict::Proved { .. }, true) => &counts.proved,
            (Verdict::Refuted { .. }, true) => &counts.refuted,
            (_, true) => &counts.unknown,
            (Verdict::Proved { .. }, false) => &counts.checks_proved,
            (Verdict::Refuted { .. }, false) => &counts.checks_refuted,
            (_, false) => &counts.checks_unknown,
        };
        count.fetch_add(1, Ordering::Relaxed);
        let line = place(&program, property.span).0;
        if is_claim
            && seen.finished
            && !seen.violated.keys().any(|(_, at)| at.0 == line)
            && !matches!(property.verdict, Verdict::Proved { .. })
        {
            counts.missed.fetch_add(1, Ordering::Relaxed);
        }
        wrong.extend(complaint(&program, property, &seen, &report.properties));
        if !fails_on_witness(&program, entry, property) {
            wrong.push(format!("`{}` does not fail on its witness: {:?}", property.text, property.verdict));
        }
    }
    // What went wrong must be somebody's claim.
    for ((kind, (line, _)), input) in &seen.violated {
        let mine = |p: &PropertyReport| property_kind(p.kind) == *kind && place(&program, p.span).0 == *line;
        // Operations of functions that are not followed are one claim together.
        let together = |p: &PropertyReport| p.text.starts_with("every operation in");
        if (*kind == "assert" || config.encoding.checks) && !report.properties.iter().any(|p| mine(p) || together(p)) {
            wrong.push(format!("nothing is said about the {kind} at line {line}, which fails on {:?}", input.params));
        }
    }
    let numbered = || text.lines().enumerate().map(|(n, line)| format!("{:3} {line}\n", n + 1)).collect::<String>();
    if std::env::var("PLUMB_SOUNDNESS_SHOW").is_ok() {
        let verdicts = report.properties.iter().map(|p| format!("{}: {:?}\n", p.text, p.verdict)).collect::<String>();
        eprintln!("seed {seed}:\n{}{verdicts}", numbered());
    }
    wrong.into_iter().map(|what| format!("seed {seed}: {what}\n{:?}\n{}", config.encoding, numbered())).collect()
}

#[test]
fn no_wrong_verdicts_on_random_programs() {
    let (from, count) = (number("PLUMB_SOUNDNESS_FROM", 0), number("PLUMB_SOUNDNESS", 60));
    let next = AtomicU64::new(from);
    let counts = Counts::default();
    let wrong = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..workers() {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= from + count {
                        break;
                    }
                    let found = catch_unwind(|| check(seed, &counts));
                    let found = found.unwrap_or_else(|_| vec![format!("seed {seed}: a panic, shown above")]);
                    if (seed - from) % 500 == 499 {
                        eprintln!("{} programs: {counts:?}", seed - from + 1);
                    }
                    found.iter().for_each(|complaint| eprintln!("{complaint}"));
                    wrong.lock().expect("nobody should have panicked").extend(found);
                }
            });
        }
    });
    println!("{count} programs: {counts:?}");
    let wrong = wrong.into_inner().expect("nobody should have panicked");
    assert!(wrong.is_empty(), "{} wrong verdicts:\n{}", wrong.len(), Vec::from_iter(wrong).join("\n"));
    // A prover that decides nothing is never wrong, and its test worthless.
    if count >= 100 {
        let least = |count: &AtomicU64, all: u64, percent: u64| count.load(Ordering::Relaxed) * 100 >= all * percent;
        let claims = [&counts.proved, &counts.refuted, &counts.unknown].map(|n| n.load(Ordering::Relaxed)).iter().sum();
        assert!(least(&counts.proved, claims, 1), "too few claims are proved: {counts:?}");
        assert!(least(&counts.refuted, claims, 1), "too few claims are refuted: {counts:?}");
    }
}
