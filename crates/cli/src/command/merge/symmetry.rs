//! The shards of a symmetry: each checked some of the rows of the domain.
//!
//! If no shard found anything, the counts add up to those of the whole domain, and what held of all parts holds. If one
//! did, it went on to the smallest input over the whole domain, so that its document is that of the whole; of several the
//! one about the shortest arrays is, because an uncut run would have come there first.

use super::Part;
use crate::command::symmetry::{COUNTS, held, verdict_exit};
use crate::report::{Failure, Report};
use serde_json::{Value, json};

pub fn joined(parts: &[Part]) -> Result<Report, Failure> {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    // The numbers of shapes that a part searched to their end.
    let shapes = |part: &Part| part.rest()["tallies"].as_array().map_or(0, Vec::len);
    let broken = parts.iter().filter(|part| part.rest()["verdict"].is_null() && !is_open(part));
    let deciding = broken.min_by_key(|part| shapes(part)).or_else(|| parts.iter().find(|part| is_open(part)));
    let mut document = deciding.unwrap_or(&parts[0]).document.clone();
    let add = |member: &str, at: usize, upto: usize| -> u64 {
        let own = parts.iter().flat_map(|part| part.rest()["tallies"].as_array().into_iter().flatten().take(upto));
        let in_shapes: u64 = own.map(|tally| number(&tally[at])).sum();
        let last = deciding.map_or(0, |part| {
            let whole = number(&part.document["result"][member]);
            let tallies = part.rest()["tallies"].as_array().into_iter().flatten();
            whole.saturating_sub(tallies.map(|tally| number(&tally[at])).sum())
        });
        in_shapes + last
    };
    let upto = deciding.map_or(usize::MAX, shapes);
    let counts: Vec<u64> = COUNTS.iter().enumerate().map(|(at, member)| add(member, at, upto)).collect();
    let longest = |member: &str| parts.iter().map(|part| number(&part.document["result"][member])).max();
    let (elapsed, processor) = (longest("elapsed_ns"), longest("processor_ns"));
    let rest = parts[0].rest().clone();
    let result = &mut document["result"];
    for (member, count) in COUNTS.iter().zip(&counts) {
        result[*member] = json!(count);
    }
    result["elapsed_ns"] = json!(elapsed);
    result["processor_ns"] = json!(processor);
    let mut report = Report::new("symmetry");
    match deciding {
        None if counts[0] == 0 => {
            return Err(Failure::new("the domain is empty: no tuple satisfies --assume"));
        }
        None => {
            result["verdict"] = rest["verdict"].clone();
            result["why"] = rest["why"].clone();
            result["domain_size"] = json!(counts[0]);
            report.text = held(result, rest["assuming"].as_bool() == Some(true), rest["function"].as_str());
        }
        Some(part) if is_open(part) => {
            result["why"] = json!(format!("stopped after {} tuples without a violation", counts[0]));
            report.text = format!("unknown  {}\n", result["why"].as_str().unwrap_or_default());
        }
        Some(part) => report.text = part.rest()["text"].as_str().unwrap_or_default().to_string(),
    }
    let verdict = result["verdict"].as_str().unwrap_or_default().to_string();
    report.exit = verdict_exit(&verdict);
    report.summary = verdict;
    if let Some(frame) = document.as_object_mut() {
        frame.shift_remove("shard");
        frame.insert("stopped".into(), json!(report.exit.stopped()));
    }
    report.document = Some(document);
    Ok(report)
}

/// Its time was over before its part was.
fn is_open(part: &Part) -> bool {
    part.document["result"]["verdict"] == "unknown" && part.rest()["verdict"].is_null()
}
