//! The shards of a verb on many items: every run where its item was listed.

use super::Part;
use crate::command::each;
use crate::report::Report;
use serde_json::Value;
use std::collections::BTreeMap;

pub fn joined(parts: &[Part]) -> Report {
    let items = parts[0].rest()["items"].as_array().into_iter().flatten();
    let order: BTreeMap<&str, usize> = items.filter_map(Value::as_str).zip(0..).collect();
    let of = |part: &'_ Part| part.document["result"]["runs"].as_array().cloned().unwrap_or_default();
    let mut runs: Vec<Value> = parts.iter().flat_map(of).collect();
    runs.sort_by_key(|run| order.get(each::name_of(run)).copied());
    let verb = parts[0].document["result"]["verb"].as_str().unwrap_or_default();
    let mut report = each::told(verb, &runs);
    report.seed = parts[0].document["seed"].as_u64();
    report
}
