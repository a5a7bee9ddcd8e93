//! A [`ConformReport`] as text and JSON.

use crate::args::{Shared, When};
use crate::exit::Exit;
use crate::report::Report;
use automata::nested::{Letter, Nested};
use automata::{Alphabet, StateId};
use conform::{
    Automaton, Breadth, ConformReport, Counterexample, Level, Missed, MutationScore, NestedReport, SideReport,
    Validation, Verdict, word,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::Duration;

/// Symbols of a message that text shows.
const SHOWN: usize = 60;

/// States of an automaton that a document has, as many as of those that are inferred.
const MOST_STATES: usize = 40;

/// Places of writes whose changes might go unnoticed that text shows.
const UNNOTICED: usize = 4;

fn exit(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Proved { .. } => Exit::Clean,
        Verdict::Refuted { .. } => Exit::Found,
        _ => Exit::Inconclusive,
    }
}

/// What became of two automata.
pub(super) fn nested(found: &NestedReport, enrich: bool, draw: bool, elapsed: Duration) -> Report {
    let mut report = Report::new("conform");
    report.exit = exit(&found.verdict);
    let mut put = |key: &str, value: Value| drop(report.result.insert(key.into(), value));
    put("verdict", json!(word(&found.verdict)));
    put("why", json!(found.why()));
    put("model", json!(if enrich { "pushdown" } else { "nested" }));
    put("counterexample", found.counterexample.as_ref().map_or(Value::Null, counterexample));
    put("mutation", json!({ "caught": found.mutation.0, "total": found.mutation.1, "missed": [] }));
    let side = |nested: &Nested| {
        let (states, moves, automaton) = (nested.states(), nested.internals.len(), given(nested, &found.alphabet));
        json!({ "functions": null, "pruned": null, "states": states, "io_calls": moves, "automaton": automaton })
    };
    put("producer", side(&found.producer));
    let mut consumer = side(&found.consumer);
    add_breadth(found.breadth.as_ref(), &mut consumer);
    put("consumer", consumer);
    put("approximations", json!([]));
    put("elapsed_ms", json!(elapsed.as_millis() as u64));
    if draw {
        report.text =
            found.producer.dot(&found.alphabet, "producer") + &found.consumer.dot(&found.alphabet, "consumer");
        return report;
    }
    let why = found.why().map_or(String::new(), |why| format!(": {why}"));
    let _ = writeln!(report.text, "{}{why}", word(&found.verdict));
    if let Some(counterexample) = &found.counterexample {
        write_counterexample(counterexample, &mut report.text);
    }
    if found.counterexample.is_none() {
        let (caught, total) = found.mutation;
        let score = MutationScore { caught, total, missed: Vec::new() };
        write_worth(found.breadth.as_ref(), &score, &mut report.text);
    }
    report.summary = format!("{} ({})", word(&found.verdict), if enrich { "enriched" } else { "calls compared" });
    report
}

pub(super) fn report(found: &ConformReport, confirmed: Option<&Validation>, draw: bool, shared: &Shared) -> Report {
    let mut report = Report::new("conform");
    report.exit = exit(&found.verdict);
    document(found, &mut report);
    if let Some(confirmed) = confirmed {
        report.result.insert("confirmation".into(), confirmation(confirmed));
    }
    if draw {
        report.text = format!("{}{}", found.producer.dot, found.consumer.dot);
        return report;
    }
    let text = &mut report.text;
    let why = found.why().map_or(String::new(), |why| format!(": {why}"));
    // A verdict that says nothing is said in red.
    let wanted = match shared.color {
        When::Always => true,
        When::Never => false,
        When::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    };
    let red = wanted && found.verdict == Verdict::Vacuous && shared.out.is_none();
    let (on, off) = if red { ("\u{1b}[31m", "\u{1b}[0m") } else { ("", "") };
    let _ = writeln!(text, "{on}{}{why}{off}", word(&found.verdict));
    if let Some(counterexample) = &found.counterexample {
        write_counterexample(counterexample, text);
    }
    match confirmed {
        Some(Validation::Validated { args, input, message, ending, given, sought }) => {
            let found = if *sought { "found by following the path" } else { "guessed" };
            let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
            let args = if args.is_empty() { String::new() } else { format!(" with the arguments {}", args.join(" ")) };
            let _ = writeln!(
                text,
                "confirmed: on the input {:?}{args} ({found}) the producer writes {} bytes ({}) and the consumer fails: {ending}",
                String::from_utf8_lossy(input),
                message.len(),
                hex(message)
            );
            if !given.is_empty() {
                let _ = writeln!(text, "  with bodies made up for {}", given.join(", "));
            }
        }
        Some(Validation::NotValidated(why)) => {
            let _ = writeln!(text, "not confirmed: {why}");
        }
        None => {}
    }
    if found.counterexample.is_none() {
        write_worth(found.breadth.as_ref(), &found.mutation, text);
    }
    for (side, name) in [(&found.producer, "producer"), (&found.consumer, "consumer")] {
        if let Some(language) = &side.language {
            let _ = writeln!(text, "{name}: {language}");
        }
        if shared.verbose {
            let _ = writeln!(
                text,
                "{name}: {} functions, {} after pruning, {} states, {} calls that read or write, {} ms",
                side.functions,
                side.pruned,
                side.states,
                side.io_calls,
                side.elapsed.as_millis()
            );
        }
    }
    for approximation in &found.approximations {
        let _ = writeln!(text, "note: {approximation}");
    }
    report.summary = format!("{} ({} model)", word(&found.verdict), found.approach.name());
    report
}

/// What a verdict is worth: what the consumer refuses, and what would have been noticed.
fn write_worth(breadth: Option<&Breadth>, score: &MutationScore, text: &mut String) {
    let Some(breadth) = breadth else { return };
    let _ = match &breadth.rejected {
        Some(rejected) => writeln!(text, "the consumer refuses, for example, {}", phrase(rejected)),
        None => writeln!(text, "the consumer refuses nothing: this says nothing about the pair"),
    };
    let MutationScore { caught, total, missed } = score;
    let mut places: Vec<String> = Vec::new();
    for Missed { symbol, place, .. } in missed {
        let place = format!("{symbol} at {place}");
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let _ = writeln!(text, "of {total} single changes of the producer, {caught} would have been caught");
    let more = places.len().saturating_sub(UNNOTICED);
    places.truncate(UNNOTICED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    if !places.is_empty() {
        let _ = writeln!(text, "  changes of {}{more} might go unnoticed", places.join(", "));
    }
}

fn write_counterexample(found: &Counterexample, text: &mut String) {
    let _ = writeln!(text, "message: {}", phrase(&found.message));
    for written in found.path.iter().take(SHOWN) {
        let through = match written.through.is_empty() {
            true => String::new(),
            false => format!(" (called from {})", written.through.iter().rev().cloned().collect::<Vec<_>>().join(", ")),
        };
        let by = match written.callee.is_empty() {
            true => String::new(),
            false => format!(" by {} in {}", written.callee, written.function),
        };
        let _ = writeln!(text, "  {:12} {}{by}{through}", written.symbol, written.place);
    }
    if found.path.len() > SHOWN {
        let _ = writeln!(text, "  … and {} more", found.path.len() - SHOWN);
    }
    let next = found.message.get(found.taken).map_or("the end of the message", String::as_str);
    let _ = writeln!(text, "the consumer takes {} of it and then gets {next}", found.taken);
    if !found.expected.is_empty() {
        let _ = writeln!(text, "it would have accepted {}", found.expected.join(", "));
    }
    for place in found.stuck_at.iter().take(5) {
        let _ = writeln!(text, "  at {place}");
    }
}

/// An argument as it is told: in quotes where it would not be seen to be one, and cut where it is long.
fn quoted(arg: &str) -> String {
    const MOST: usize = 40;
    let count = arg.chars().count();
    if count > MOST {
        return format!("{:?}… ({count} characters)", arg.chars().take(MOST).collect::<String>());
    }
    let is_plain = !arg.is_empty() && arg.chars().all(|c| c.is_ascii_graphic() && c != '"');
    if is_plain { arg.to_string() } else { format!("{arg:?}") }
}

fn confirmation(confirmed: &Validation) -> Value {
    match confirmed {
        Validation::Validated { args, input, message, ending, given, sought } => json!({
            "confirmed": true,
            "followed_path": sought,
            "args": args,
            "given": given,
            "input": String::from_utf8_lossy(input),
            "message": hex(message),
            "ending": ending,
        }),
        Validation::NotValidated(why) => json!({ "confirmed": false, "why": why }),
    }
}

/// The first bytes, in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    let shown = bytes.iter().take(16).map(|byte| format!("{byte:02x}"));
    shown.collect::<Vec<_>>().join(" ") + if bytes.len() > 16 { " …" } else { "" }
}

/// A message as people read it: repetitions are counted.
fn phrase(word: &[String]) -> String {
    if word.is_empty() {
        return "the empty message".to_string();
    }
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for symbol in word {
        match groups.last_mut() {
            Some((last, count)) if last == symbol => *count += 1,
            _ => groups.push((symbol, 1)),
        }
    }
    let shown = groups.iter().take(SHOWN).map(|(symbol, count)| match count {
        1 => symbol.to_string(),
        2 => format!("{symbol} {symbol}"),
        _ => format!("{symbol}{{{count}}}"),
    });
    let rest = if groups.len() > SHOWN { " …" } else { "" };
    shown.collect::<Vec<_>>().join(" ") + rest
}

fn document(found: &ConformReport, report: &mut Report) {
    let mut put = |key: &str, value: Value| drop(report.result.insert(key.into(), value));
    put("verdict", json!(word(&found.verdict)));
    put("why", json!(found.why()));
    put("model", json!(found.approach.name()));
    put(
        "granularity",
        json!(match found.level {
            Level::Types => "types",
            Level::Bytes => "bytes",
            Level::Bits => "bits",
        }),
    );
    put("counterexample", found.counterexample.as_ref().map_or(Value::Null, counterexample));
    let missed = found.mutation.missed.iter();
    let missed = missed.map(|m| json!({ "symbol": m.symbol, "at": m.place, "change": m.change }));
    let missed: Vec<Value> = missed.collect();
    put("mutation", json!({ "caught": found.mutation.caught, "total": found.mutation.total, "missed": missed }));
    put("producer", side(&found.producer));
    let mut consumer = side(&found.consumer);
    add_breadth(found.breadth.as_ref(), &mut consumer);
    put("consumer", consumer);
    put("approximations", json!(found.approximations));
    let elapsed = found.producer.elapsed + found.consumer.elapsed + found.checking;
    put("elapsed_ms", json!(elapsed.as_millis() as u64));
}

fn add_breadth(breadth: Option<&Breadth>, consumer: &mut Value) {
    consumer["universal"] = json!(breadth.map(|breadth| breadth.universal));
    consumer["nearly_universal"] = json!(breadth.map(|breadth| breadth.nearly));
    consumer["refuses"] = json!(breadth.and_then(|breadth| breadth.rejected.as_ref()));
}

fn counterexample(found: &Counterexample) -> Value {
    let path = found.path.iter().map(|written| {
        json!({
            "symbol": written.symbol,
            "at": written.place,
            "function": written.function,
            "callee": written.callee,
            "called_from": written.through,
        })
    });
    json!({
        "message": found.message,
        "producer_path": path.collect::<Vec<_>>(),
        "stuck_at": { "after": found.taken, "places": found.stuck_at },
        "expected": found.expected,
        "truncated": found.truncated,
    })
}

fn side(found: &SideReport) -> Value {
    json!({
        "functions": found.functions,
        "pruned": found.pruned,
        "states": found.states,
        "io_calls": found.io_calls,
        "language": found.language,
        "automaton": found.automaton.as_ref().map(automaton),
        "elapsed_ms": found.elapsed.as_millis() as u64,
    })
}

fn automaton(found: &Automaton) -> Value {
    let moves = found.moves.iter().map(|(from, symbol, to)| json!({ "from": from, "symbol": symbol, "to": to }));
    json!({
        "states": found.states,
        "accepting": found.accepting,
        "moves": moves.collect::<Vec<_>>(),
        "exact": found.exact,
    })
}

/// An automaton as it was given; nothing if it is too large to be looked at.
fn given(nested: &Nested, alphabet: &Alphabet) -> Option<Value> {
    if !(1..=MOST_STATES).contains(&nested.states()) {
        return None;
    }
    let step = |from: StateId, kind: &str, letter: Letter, to: StateId| {
        let (kind, symbol) = match letter {
            Letter::Epsilon => ("silent", None),
            Letter::Any => (kind, None),
            Letter::Is(symbol) => (kind, Some(alphabet.name(symbol))),
        };
        json!({ "from": from.index(), "kind": kind, "symbol": symbol, "to": to.index() })
    };
    let mut moves: Vec<Value> = nested.internals.iter().map(|at| step(at.from, "internal", at.letter, at.to)).collect();
    moves.extend(nested.calls.iter().map(|at| step(at.from, "call", at.letter, at.to)));
    moves.extend(nested.returns.iter().map(|at| {
        let mut value = step(at.from, "return", at.letter, at.to);
        value["call"] = json!(at.call.index());
        value
    }));
    let indices = |states: &[StateId]| states.iter().map(|state| state.index()).collect::<Vec<usize>>();
    Some(json!({
        "states": nested.states(),
        "names": nested.names,
        "initial": indices(&nested.initial),
        "accepting": indices(&nested.accepting),
        "moves": moves,
        "exact": true,
    }))
}
