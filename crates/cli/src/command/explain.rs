//! `plumb explain`: the rule catalogue, for people.

use crate::args::Explain;
use crate::report::{Failure, Report};
use diagnostics::Rule;
use serde_json::{Value, json};
use std::fmt::Write as _;

pub fn explain(args: &Explain) -> Result<Report, Failure> {
    let rules = match &args.rule {
        None => Rule::ALL.to_vec(),
        Some(id) => vec![Rule::from_id(id).ok_or_else(|| {
            Failure::new(format!("there is no rule `{id}`")).with_help("`plumb explain` without a name lists them all")
        })?],
    };
    let mut report = Report::new("explain");
    match &rules[..] {
        [rule] => {
            let _ = write!(report.text, "{}: {}\n\n{}\n", rule.id(), rule.summary(), rule.explanation());
        }
        rules => {
            let width = rules.iter().map(|rule| rule.id().len()).max().unwrap_or(0);
            for rule in rules {
                let _ = writeln!(report.text, "{:width$}  {}", rule.id(), rule.summary());
            }
        }
    }
    let described = rules.iter().map(|rule| {
        json!({ "id": rule.id(), "severity": rule.severity().name(), "summary": rule.summary(), "explanation": rule.explanation() })
    });
    report.result.insert("rules".into(), Value::Array(described.collect()));
    Ok(report)
}
