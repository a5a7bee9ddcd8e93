//! Verdicts about many programs in one process, for `tools/attack/run`.
//!
//! A request on standard input is `program BYTES` and as many bytes of C without directives, then lines of these, then `end`:
//!
//! ```text
//! prove ENTRY math|machine claims|operations any|initial
//! reach ENTRY LABEL
//! infer ENTRY
//! row PLACE NAME=NUMBER …       what a run has shown at a place of trace; relations of `infer` are tried on it
//! ```
//!
//! The answer has a line for each verdict, with tabs between its parts, then `done`:
//!
//! ```text
//! claim KIND VERDICT LINE TEXT
//! place VERDICT LABEL
//! relation kept|broken PLACE TEXT ROW
//! error TEXT
//! panic TEXT
//! ```
//!
//! Nothing is compiled: a refutation is one that the virtual machine has seen, and nothing is ever `reached`.
//! `PLUMB_ATTACK_MS` is the time for a question.

use diagnostics::{Deadline, Verdict};
use ir::{FunctionId, Globals, Program};
use logic::{Number, Predicate, Undefined};
use prove::{Config, Encoding, Ints};
use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use symex::targets::{self, Wanted};

type Row = BTreeMap<String, i128>;

/// Stops what takes too long: one thread for all questions.
struct Watch {
    start: Instant,
    /// When to stop, in milliseconds after `start`; 0 for never.
    until: AtomicU64,
    stop: std::sync::Mutex<Arc<AtomicBool>>,
}

impl Watch {
    fn begin(time: Duration) -> Arc<Watch> {
        let watch =
            Arc::new(Watch { start: Instant::now(), until: AtomicU64::new(0), stop: std::sync::Mutex::default() });
        let watched = Arc::clone(&watch);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(time / 8);
                let until = watched.until.load(Ordering::Acquire);
                if until != 0 && watched.start.elapsed().as_millis() as u64 >= until {
                    watched.stop.lock().expect("nobody should panic with the lock").store(true, Ordering::Relaxed);
                }
            }
        });
        watch
    }

    fn deadline(&self, time: Duration) -> Deadline {
        let cancel = Arc::new(AtomicBool::new(false));
        *self.stop.lock().expect("nobody should panic with the lock") = Arc::clone(&cancel);
        self.until.store((self.start.elapsed() + time).as_millis() as u64, Ordering::Release);
        Deadline { at: Some(Instant::now() + time), cancel, ..Deadline::default() }
    }
}

struct Question<'a> {
    program: &'a Program,
    entry: FunctionId,
    deadline: Deadline,
    time: Duration,
}

fn config(question: &Question<'_>, encoding: Encoding) -> Config {
    let observed_until = Instant::now() + question.time / 2;
    let mut config = Config { encoding, paths: true, deadline: question.deadline.clone(), ..Config::default() };
    config.infer.request.loops = true;
    config.infer.request.ghosts = !config.encoding.checks;
    config.infer.deadline = question.deadline.by(observed_until);
    config.infer.forms.cancel = Some(question.deadline.cancel.clone());
    config
}

fn prove_claims(question: &Question<'_>, words: &[&str], answer: &mut Vec<String>) {
    let encoding = Encoding {
        ints: if words[0] == "machine" { Ints::Machine } else { Ints::Math },
        checks: words[1] == "operations",
        globals: if words[2] == "initial" { Globals::Initial } else { Globals::Any },
        ..Encoding::default()
    };
    match prove::prove(question.program, question.entry, &config(question, encoding)) {
        Err(why) => answer.push(format!("error\t{why}")),
        Ok(report) => answer.extend(report.properties.iter().map(|claim| {
            let line = question.program.sources.used(claim.span).map_or(0, |region| region.start.line);
            let text = claim.text.replace(['\n', '\t'], " ");
            format!("claim\t{}\t{}\t{line}\t{text}", claim.kind.name(), claim.verdict.name())
        })),
    }
}

fn reach_place(question: &Question<'_>, label: &str, answer: &mut Vec<String>) {
    let wanted = [(label.to_string(), Wanted::parse(label))];
    let found = match targets::resolve(question.program, &wanted) {
        Ok(found) => found,
        Err(error) => return answer.push(format!("error\t{}", error.message)),
    };
    let search = symex::explore::Config { stop: Some(question.deadline.cancel.clone()), ..Default::default() };
    let config = reach::places::Config { search, prove: true, ..Default::default() };
    let report = reach::places::reach(question.program, question.entry, &found, &config);
    answer.extend(report.targets.iter().map(|place| format!("place\t{}\t{}", place.verdict.name(), place.target.name)));
}

fn infer_relations(question: &Question<'_>, rows: &[(String, Row)], answer: &mut Vec<String>) {
    let refinement = match prove::refine(question.program, question.entry, &config(question, Encoding::default())) {
        Ok(refinement) => refinement,
        Err(why) => return answer.push(format!("error\t{why}")),
    };
    for location in &refinement.found.locations {
        let place = &location.location.name;
        for invariant in location.invariants.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. })) {
            let broken = rows.iter().filter(|(at, _)| at == place).find(|(_, row)| breaks(row, &invariant.predicate));
            let (word, row) = broken.map_or(("kept", String::new()), |(_, row)| ("broken", format!("{row:?}")));
            answer.push(format!("relation\t{word}\t{place}\t{}\t{row}", invariant.predicate));
        }
    }
}

fn breaks(row: &Row, relation: &Predicate) -> bool {
    let value = |name: &str, _: &[Number]| match row.get(name) {
        Some(value) => Ok(Number::Small(*value)),
        None => Err(Undefined::Unknown(name.into())),
    };
    relation.evaluate(&value) == Ok(false)
}

fn row(words: &[&str]) -> Option<(String, Row)> {
    let (place, values) = words.split_first()?;
    let value = |word: &&str| word.split_once('=').and_then(|(name, value)| Some((name.into(), value.parse().ok()?)));
    Some(((*place).to_string(), values.iter().filter_map(value).collect()))
}

fn main() {
    let milliseconds = std::env::var("PLUMB_ATTACK_MS").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    let time = Duration::from_millis(milliseconds);
    let watch = Watch::begin(time);
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line).expect("standard input should be readable") == 0 {
            return;
        }
        let length = line.trim().strip_prefix("program ").and_then(|n| n.parse().ok()).expect("a request has a length");
        let mut text = vec![0; length];
        input.read_exact(&mut text).expect("the text should follow");
        let text = String::from_utf8(text).expect("the text should be UTF-8");
        let (mut questions, mut rows) = (Vec::new(), Vec::new());
        loop {
            line.clear();
            input.read_line(&mut line).expect("a request should have an end");
            match line.trim() {
                "end" => break,
                words if words.starts_with("row ") => rows.extend(row(&words.split(' ').skip(1).collect::<Vec<_>>())),
                words => questions.push(words.to_string()),
            }
        }
        let answered = catch_unwind(AssertUnwindSafe(|| answer(&text, &questions, &rows, time, &watch)));
        let lines = answered.unwrap_or_else(|panic| {
            let said =
                panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            vec![format!("panic\t{}", said.unwrap_or_default().replace('\n', " "))]
        });
        let mut output = std::io::stdout().lock();
        for line in lines {
            writeln!(output, "{line}").expect("somebody should read");
        }
        writeln!(output, "done").expect("somebody should read");
        output.flush().expect("somebody should read");
    }
}

fn answer(text: &str, questions: &[String], rows: &[(String, Row)], time: Duration, watch: &Watch) -> Vec<String> {
    let mut answer = Vec::new();
    let loaded = match cfront::load_text(&[("program.c", text)]) {
        Ok(loaded) => loaded,
        Err(cfront::Failure::Program { findings, sources }) => {
            let said =
                findings.iter().map(|finding| format!("{}: {}", sources.describe(finding.span), finding.message));
            return vec![format!("error\tnot read: {}", said.collect::<Vec<_>>().join("; ").replace('\n', " "))];
        }
        Err(cfront::Failure::Environment(error)) => return vec![format!("error\t{}", error.message)],
    };
    let program = &loaded.program;
    for question in questions {
        let words: Vec<&str> = question.split(' ').collect();
        let entry = program.find_function(words[1]).expect("a question should name a function");
        let asked = Question { program, entry, deadline: watch.deadline(time), time };
        match words[0] {
            "prove" => prove_claims(&asked, &words[2..], &mut answer),
            "reach" => reach_place(&asked, words[2], &mut answer),
            "infer" => infer_relations(&asked, rows, &mut answer),
            other => panic!("`{other}` is no question"),
        }
    }
    answer
}
