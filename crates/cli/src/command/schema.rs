//! `plumb schema`: what is in the JSON documents, for programs that read them.

use crate::report::Report;
use serde_json::Value;

/// The schema, as the book has it.
const SCHEMA: &str = include_str!("../../../../docs/plumbline.schema.json");

pub fn schema() -> Report {
    let mut report = Report::new("schema");
    report.text = SCHEMA.to_string();
    let read: Value = serde_json::from_str(SCHEMA).expect("the schema should be JSON, because a test reads it");
    report.result.insert("json_schema".into(), read);
    report
}
