//! `plumb merge`: the documents of all shards become the document of the run that was not cut.
//!
//! *Guarantee*: what is joined are all parts of one run, of one version, on the same texts; the order in which they are named
//! makes no difference, and the joined document is that of the run without `--shard`, times aside. A part that is lost or
//! cannot be read is named, and nothing is joined without it.

mod check_up;
mod each;
mod symmetry;

use super::Context;
use crate::args::{Cli, Merge};
use crate::parts;
use crate::report::{Failure, Report};
use clap::Parser;
use diagnostics::Shard;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The document of a shard.
pub struct Part {
    path: PathBuf,
    shard: Shard,
    /// The digest of what it is a part of.
    run: String,
    version: String,
    words: Vec<String>,
    /// The digests of all texts that it read, headers too, by file.
    texts: BTreeMap<String, String>,
    document: Value,
}

impl Part {
    fn read(path: &Path) -> Result<Part, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("it cannot be read: {error}"))?;
        let document: Value =
            serde_json::from_slice(&bytes).map_err(|error| format!("it is cut short or no JSON: {error}"))?;
        let about = &document["shard"];
        let text = |name: &str| about[name].as_str().map(str::to_string).ok_or("it is no document of a shard");
        let number = |name: &str| about[name].as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        let shard = Shard::new(number("index"), number("of")).ok_or("it is no document of a shard")?;
        let words = about["words"].as_array().into_iter().flatten();
        Ok(Part {
            path: path.to_path_buf(),
            shard,
            run: text("run")?,
            version: text("version")?,
            words: words.filter_map(|word| Some(word.as_str()?.to_string())).collect(),
            texts: texts(&document),
            document,
        })
    }

    /// What only the verb knows of its shard.
    fn rest(&self) -> &Value {
        &self.document["shard"]["rest"]
    }
}

/// Whether the file is the document of a shard.
pub fn is_part(path: &Path) -> bool {
    Part::read(path).is_ok()
}

fn texts(document: &Value) -> BTreeMap<String, String> {
    let runs = document["result"]["runs"].as_array().into_iter().flatten();
    let all = std::iter::once(document).chain(runs).flat_map(|told| told["sources"].as_array().into_iter().flatten());
    let pair = |text: &Value| Some((text["file"].as_str()?.to_string(), text["sha256"].as_str()?.to_string()));
    all.filter_map(pair).collect()
}

pub fn merge(args: &Merge, context: &Context<'_>) -> Result<Report, Failure> {
    let paths = paths(&args.files)?;
    let mut parts = Vec::new();
    let mut unread = Vec::new();
    for path in &paths {
        match Part::read(path) {
            Ok(part) => parts.push(part),
            Err(why) => unread.push(format!("{}: {why}", path.display())),
        }
    }
    let Some(first) = parts.first() else {
        let why = unread.first().map_or(String::new(), |why| format!("; {why}"));
        return Err(Failure::new(format!("there is no document of a shard{why}"))
            .with_help("plumb VERB … --shard K/N --format json -o FILE writes one"));
    };
    one_run(&parts)?;
    let of = first.shard.of();
    let mut by_index: BTreeMap<u32, Part> = BTreeMap::new();
    for part in parts {
        by_index.entry(part.shard.index()).or_insert(part);
    }
    let lost: Vec<u32> = (1..=of).filter(|index| !by_index.contains_key(index)).collect();
    if !lost.is_empty() {
        if !args.missing {
            return Err(lost_shards(&lost, of, &unread, &by_index));
        }
        for index in lost {
            context.status_line.say(format!("merge: running shard {index} of {of}"));
            let part = run_again(index, &by_index)?;
            by_index.insert(index, part);
        }
        one_run(by_index.values())?;
    }
    let parts: Vec<Part> = by_index.into_values().collect();
    let mut report = joined(&parts, context)?;
    for why in unread {
        report.summary.insert_str(0, &format!("note: {why}\n"));
    }
    Ok(report)
}

fn joined(parts: &[Part], context: &Context<'_>) -> Result<Report, Failure> {
    let part = &parts[0];
    match part.document["command"].as_str() {
        Some("each") => Ok(each::joined(parts)),
        Some("symmetry") => symmetry::joined(parts),
        Some("check-up") => {
            let words = std::iter::once("plumb").chain(part.words.iter().map(String::as_str));
            let asked = Cli::try_parse_from(words)
                .map_err(|error| Failure::new(format!("{}: its words are not ours: {error}", part.path.display())))?;
            check_up::joined(parts, &asked, context)
        }
        other => Err(Failure::new(format!("nobody knows how to join documents of `{}`", other.unwrap_or("?")))),
    }
}

/// All files named, and those in the folders named.
fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for path in named {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let failed = |error| Failure::new(format!("{} cannot be listed: {error}", path.display()));
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?.path();
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".json") && name.starts_with(parts::FILE) {
                paths.push(entry);
            }
        }
    }
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// Parts of different runs are not joined: the failure says which differ, and in what.
fn one_run<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Result<(), Failure> {
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return Ok(()) };
    let mut read: BTreeMap<&str, (&str, &Part)> = BTreeMap::new();
    for part in std::iter::once(first).chain(parts) {
        if (&part.run, part.shard.of()) == (&first.run, first.shard.of()) {
            for (file, digest) in &part.texts {
                let (known, other) = *read.entry(file).or_insert((digest, part));
                if known != digest {
                    let (one, two) = (other.path.display(), part.path.display());
                    return Err(Failure::new(format!("{one} and {two} have read different texts of {file}"))
                        .with_help("run the shards again, on machines that have the same files"));
                }
            }
            continue;
        }
        let what = match () {
            () if part.version != first.version => format!("versions {} and {}", first.version, part.version),
            () if part.words != first.words => {
                format!("the command lines `{}` and `{}`", first.words.join(" "), part.words.join(" "))
            }
            () if part.shard.of() != first.shard.of() => {
                format!("parts {} and {}, which are cut differently", first.shard, part.shard)
            }
            () => "the same question about files that have changed between them".to_string(),
        };
        let (one, other) = (first.path.display(), part.path.display());
        return Err(Failure::new(format!("{one} and {other} are not of one run: {what}"))
            .with_help("name the documents of one run, or run the shards again"));
    }
    Ok(())
}

fn list(numbers: &[u32]) -> String {
    let mut shown: Vec<String> = numbers.iter().take(20).map(u32::to_string).collect();
    if numbers.len() > 20 {
        shown.push(format!("and {} more", numbers.len() - 20));
    }
    shown.join(", ")
}

fn lost_shards(lost: &[u32], of: u32, unread: &[String], found: &BTreeMap<u32, Part>) -> Failure {
    let mut message = match lost {
        [one] => format!("shard {one} of {of} is lost"),
        many => format!("shards {} of {of} are lost", list(many)),
    };
    for why in unread.iter().take(5) {
        message += &format!("\n  {why}");
    }
    let example = found.values().next().zip(Shard::new(lost[0], of)).map(|(part, shard)| {
        let words = parts::of_shard(&part.words, shard, &beside(&part.path, lost[0]));
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
    });
    Failure::new(message)
        .with_help(format!("`plumb merge --missing` runs them here; or: plumb {}", example.unwrap_or_default()))
}

/// Where the document of another shard belongs.
fn beside(path: &Path, index: u32) -> PathBuf {
    path.with_file_name(parts::file_name(index))
}

/// Runs a shard that was lost, as the user would.
fn run_again(index: u32, found: &BTreeMap<u32, Part>) -> Result<Part, Failure> {
    let part = found.values().next().expect("a run should have a part, because one was read");
    let shard = Shard::new(index, part.shard.of()).expect("a lost shard should be one of the run's");
    let out = beside(&part.path, index);
    parts::run(&part.words, shard, &out)?;
    Part::read(&out).map_err(|why| Failure::new(format!("shard {index} was run again, and left no document: {why}")))
}
