//! `io.toml`: what the user says about reading and writing, from TOML to the plain form of the analysis.
//!
//! ```toml
//! builtin = false                 # leave out the table of library functions
//! big_endian = true               # how bytes of known integers are ordered
//! success = [0]                   # exit statuses of success
//! fail = ["gzip_error"]           # calling these is a failure
//! forget = ["tmp", ".save_*"]     # variables, and with a dot fields, that are not followed
//! one = ["reader", ".zbits"]      # record types, by tag or by a field, with one object in use at a time
//! [writes]                        # functions and macros of the producer
//! put_byte = "u8"
//! bsW = { moves = "u$2", value = 3, otherwise = "data" }
//! log_it = { format = 2 }         # its second parameter is a format of printf
//! [reads]                         # … of the consumer
//! get_byte = "u8"
//! try_byte = { moves = "u8", end = -1 }
//! [functions]                     # of both
//! [opaque]                        # one message type each, not taken apart
//! deflate = "deflated"
//! [types]
//! stamp = "u32"
//! [macros]                        # another definition for a macro
//! GET = "(v) v = get_bits(1)"
//! [returns]                       # what functions may return, whose bodies are not looked at
//! getopt_long = [-1]
//! [assume]                        # globals with one value throughout
//! force = 0
//! [producer]                      # the same for one side: entry, success, assume
//! assume = { decompress = 0 }
//! ```

use crate::report::Failure;
use conform::{Action, Io, Kinds, Moves, Role};
use ir::Program;
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

/// What `io.toml` says that concerns the preprocessor.
#[derive(Default)]
pub struct Macros {
    pub keep: Vec<String>,
    pub replace: Vec<(String, String)>,
}

pub fn read(path: &Path) -> Result<(Io, Macros), Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        Failure::new(format!("{}:{line}: {}", path.display(), error.message()))
    })?;
    parse(&table).map_err(|why| Failure::new(format!("{}: {why}", path.display())))
}

fn parse(table: &Table) -> Result<(Io, Macros), String> {
    let mut io = Io::default();
    let mut macros = Macros::default();
    // Types come first, because the other tables use them.
    for (name, value) in section(table, "types")? {
        io.kinds.declare(name, string(name, value)?)?;
    }
    for (key, value) in table {
        match key.as_str() {
            "types" => {}
            "builtin" => io.builtin = boolean(key, value)?,
            "big_endian" => io.big_endian = boolean(key, value)?,
            "fail" => io.fails = strings(key, value)?,
            "forget" => io.forget = strings(key, value)?,
            "one" => io.one = strings(key, value)?,
            "success" => {
                let statuses = integers(key, value)?;
                (io.producer.success, io.consumer.success) = (statuses.clone(), statuses);
            }
            "writes" | "reads" | "functions" => {
                for (name, value) in section(table, key)? {
                    let action = action(name, value, &mut io.kinds)?;
                    if key != "reads" {
                        io.writes.insert(name.clone(), action.clone());
                    }
                    if key != "writes" {
                        io.reads.insert(name.clone(), action);
                    }
                    macros.keep.push(name.clone());
                }
            }
            "opaque" => {
                for (name, value) in section(table, key)? {
                    let kind = string(name, value)?;
                    io.kinds.atom(kind);
                    let pattern = io.kinds.pattern(kind)?;
                    let action = Action::Moves(Moves { pattern, ..Moves::default() });
                    io.writes.insert(name.clone(), action.clone());
                    io.reads.insert(name.clone(), action);
                    macros.keep.push(name.clone());
                }
            }
            "macros" => {
                for (name, value) in section(table, key)? {
                    let text = string(name, value)?;
                    if !text.starts_with('(') {
                        return Err(format!(
                            "the definition of the macro `{name}` should begin with its parameters: \"(a, b) …\""
                        ));
                    }
                    macros.replace.push((name.clone(), text.to_string()));
                }
            }
            "returns" => {
                for (name, value) in section(table, key)? {
                    io.returns.insert(name.clone(), integers(name, value)?);
                }
            }
            "assume" => {
                for (name, value) in section(table, key)? {
                    let value = integer(name, value)?;
                    io.producer.assume.insert(name.clone(), value);
                    io.consumer.assume.insert(name.clone(), value);
                }
            }
            "producer" | "consumer" => {}
            other => {
                return Err(format!(
                    "`{other}` is not known; there are builtin, big_endian, success, fail, forget, one, [writes], [reads], \
                     [functions], [opaque], [types], [macros], [returns], [assume], [producer] and [consumer]"
                ));
            }
        }
    }
    macros.keep.extend(io.fails.iter().cloned());
    for role in [Role::Producer, Role::Consumer] {
        for (key, value) in section(table, role.name())? {
            let side = io.side_mut(role);
            match key.as_str() {
                "entry" => side.entry = Some(string(key, value)?.to_string()),
                "success" => side.success = integers(key, value)?,
                "assume" => {
                    let Value::Table(assumed) = value else { return Err(expected(key, "a table")) };
                    for (name, value) in assumed {
                        side.assume.insert(name.clone(), integer(name, value)?);
                    }
                }
                other => {
                    return Err(format!(
                        "`{other}` in [{}] is not known; there are entry, success and assume",
                        role.name()
                    ));
                }
            }
        }
    }
    Ok((io, macros))
}

fn action(name: &str, value: &Value, kinds: &mut Kinds) -> Result<Action, String> {
    let table = match value {
        Value::String(pattern) => {
            let pattern = kinds.pattern(pattern).map_err(|why| format!("`{name}`: {why}"))?;
            // A function of one value moves what it is given, or returns what it got.
            return Ok(Action::Moves(Moves { pattern, ..Moves::default() }));
        }
        Value::Table(table) => table,
        _ => return Err(expected(name, "message types in a string, or a table")),
    };
    let position = |key: &str| -> Result<Option<u32>, String> {
        let number = table.get(key).map(|value| integer(key, value)).transpose()?;
        let position =
            number.map(|number| u32::try_from(number).map_err(|_| expected(key, "the number of a parameter")));
        position.transpose()
    };
    for key in table.keys() {
        if !["moves", "value", "otherwise", "end", "format", "text", "memory", "size", "ignore"].contains(&key.as_str())
        {
            return Err(format!(
                "`{key}` of `{name}` is not known; there are moves, value, otherwise, end, format, text, memory, size \
                 and ignore"
            ));
        }
    }
    let counted = |key: &str| -> Result<Option<u32>, String> {
        match position(key)? {
            Some(0) => Err(format!("`{key}` of `{name}` counts parameters from 1")),
            other => Ok(other),
        }
    };
    if table.get("ignore").map(|value| boolean("ignore", value)).transpose()? == Some(true) {
        return Ok(Action::Ignored);
    }
    if let Some(format) = counted("format")? {
        return Ok(Action::Format(format));
    }
    if let Some(text) = counted("text")? {
        return Ok(Action::Text { position: text, newline: false });
    }
    if let Some(pointer) = counted("memory")? {
        let sizes = table.get("size").ok_or_else(|| {
            format!("`{name}` moves memory; `size` should name the parameters whose product is its size")
        })?;
        let sizes = match sizes {
            Value::Integer(one) => vec![i128::from(*one)],
            other => integers("size", other)?,
        };
        let size: Result<Vec<u32>, String> = sizes
            .into_iter()
            .map(|size| {
                u32::try_from(size)
                    .ok()
                    .filter(|size| *size > 0)
                    .ok_or_else(|| expected("size", "numbers of parameters"))
            })
            .collect();
        return Ok(Action::Memory { pointer, size: size? });
    }
    let Some(moved) = table.get("moves") else {
        return Err(format!("`{name}` should say what it does: moves, format, text, memory or ignore"));
    };
    let mut pattern = |key: &str, text: &str| kinds.pattern(text).map_err(|why| format!("`{key}` of `{name}`: {why}"));
    Ok(Action::Moves(Moves {
        pattern: pattern("moves", string("moves", moved)?)?,
        value: position("value")?,
        otherwise: match table.get("otherwise") {
            Some(text) => Some(pattern("otherwise", string("otherwise", text)?)?),
            None => None,
        },
        end: table.get("end").map(|value| integer("end", value)).transpose()?,
        ..Moves::default()
    }))
}

fn section<'t>(table: &'t Table, name: &str) -> Result<Vec<(&'t String, &'t Value)>, String> {
    match table.get(name) {
        None => Ok(Vec::new()),
        Some(Value::Table(inner)) => Ok(inner.iter().collect()),
        Some(_) => Err(expected(name, "a table")),
    }
}

fn expected(what: &str, kind: &str) -> String {
    format!("`{what}` should be {kind}")
}

fn string<'v>(name: &str, value: &'v Value) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| expected(name, "a string"))
}

fn boolean(name: &str, value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| expected(name, "true or false"))
}

fn integer(name: &str, value: &Value) -> Result<i128, String> {
    value.as_integer().map(i128::from).ok_or_else(|| expected(name, "a number"))
}

fn integers(name: &str, value: &Value) -> Result<Vec<i128>, String> {
    let array = value.as_array().ok_or_else(|| expected(name, "a list of numbers"))?;
    array.iter().map(|value| integer(name, value)).collect()
}

fn strings(name: &str, value: &Value) -> Result<Vec<String>, String> {
    let array = value.as_array().ok_or_else(|| expected(name, "a list of names"))?;
    array.iter().map(|value| string(name, value).map(str::to_string)).collect()
}

/// Complains about functions that neither program has.
pub fn check_names(io: &Io, programs: &[&Program]) -> Result<(), String> {
    let known: BTreeSet<&str> =
        programs.iter().flat_map(|program| program.functions.values()).map(|function| function.name.as_str()).collect();
    let named = io.writes.keys().chain(io.reads.keys()).chain(&io.fails).chain(io.returns.keys());
    let unknown: BTreeSet<&str> = named.map(String::as_str).filter(|name| !known.contains(name)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    // A function that is declared and never called is not part of a program, but its name is in the text.
    let files = programs.iter().flat_map(|program| program.sources.files());
    let written: BTreeSet<&str> = files.filter_map(|(_, file)| file.text.as_deref()).flat_map(words).collect();
    let unknown: Vec<&str> = unknown.difference(&written).copied().collect();
    match unknown.len() {
        0 => Ok(()),
        count => {
            let more = if count > MOST_NAMES { format!(" and {} more", count - MOST_NAMES) } else { String::new() };
            let told = unknown[..count.min(MOST_NAMES)].join(", ");
            Err(format!("no function or macro of this name is in the programs: {told}{more}"))
        }
    }
}

/// More names than these are only counted.
const MOST_NAMES: usize = 20;

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}
