//! The JSON document of a command, as pages read it.
//!
//! Only the frame of a document is required ([`Document::read`]). Inside, a member that is missing or of another type
//! reads as empty: a page shows what it understands, and a document of a later version is no reason to show nothing.

pub use crate::place::Place;

use serde_json::Value;

/// The commands whose documents there are pages for.
const COMMANDS: [&str; 13] = [
    "check-up",
    "each",
    "infer",
    "prove",
    "reach",
    "symmetry",
    "conform",
    "repair",
    "represent",
    "check",
    "run",
    "dump",
    "explain",
];

#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub command: &'static str,
    pub stopped: &'a str,
    pub seed: Option<u64>,
    pub elapsed_ms: Option<u64>,
    /// The files that were read, each with the hash of its text.
    pub sources: &'a [Value],
    pub result: &'a Value,
}

impl<'a> Document<'a> {
    /// The frame of a document, or why this is none.
    pub fn read(value: &'a Value) -> Result<Document<'a>, String> {
        let Some(schema) = value.get("schema") else { return Err("it has no `schema`".to_string()) };
        if schema.as_u64() != Some(1) {
            return Err("its `schema` is not 1".to_string());
        }
        let command = value.get("command").and_then(Value::as_str).ok_or("it does not say which `command` wrote it")?;
        let command = COMMANDS.into_iter().find(|known| *known == command);
        let command = command.ok_or("its `command` is not one of those that write documents")?;
        let result = value.get("result").filter(|result| result.is_object()).ok_or("it has no `result`")?;
        Ok(Document {
            command,
            stopped: text(value, "stopped"),
            seed: value.get("seed").and_then(Value::as_u64),
            elapsed_ms: value.get("elapsed_ms").and_then(Value::as_u64),
            sources: list(value, "sources"),
            result,
        })
    }
}

impl Place {
    /// The place of a value with the members `file` and `line`.
    pub fn of(value: &Value) -> Option<Place> {
        let line = value.get("line")?.as_u64().and_then(|line| u32::try_from(line).ok())?;
        Some(Place { file: value.get("file")?.as_str()?.to_string(), line })
    }
}

pub fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or("")
}

pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub fn texts<'a>(value: &'a Value, name: &str) -> Vec<&'a str> {
    list(value, name).iter().filter_map(Value::as_str).collect()
}

pub fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name).and_then(Value::as_u64)
}

pub fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The members of an object in their order.
pub fn members<'a>(value: &'a Value, name: &str) -> Vec<(&'a str, &'a Value)> {
    let object = value.get(name).and_then(Value::as_object);
    object.map_or(Vec::new(), |object| object.iter().map(|(name, value)| (name.as_str(), value)).collect())
}

/// A value as a person writes it: text without its quotes.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string().replace(',', ", "),
    }
}
