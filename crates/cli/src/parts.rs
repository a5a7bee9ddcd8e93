//! What the document of a shard says of itself: which part of which question it answers.
//!
//! Shards are joined only if they are parts of one run: the same words but for the shard's number, the same version of ours,
//! and the same texts of the files that were named. All of that is in one digest.

use crate::report::Failure;
use diagnostics::Shard;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Words with a value that say who does it or where it goes, and not what is asked.
const WITH_VALUE: [&str; 6] = ["--shard", "-o", "--out", "--format", "-j", "--jobs"];

/// The words of this command line that say what is asked.
pub fn question() -> Vec<String> {
    asked(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()))
}

fn asked(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            kept.extend(words);
            break;
        }
        let (name, has_value) = match word.split_once('=') {
            Some((name, _)) if name.starts_with("--") => (name, true),
            _ => (word.as_str(), false),
        };
        if WITH_VALUE.contains(&name) {
            // The value is the next word, if it is not in this one.
            if !has_value {
                words.next();
            }
            continue;
        }
        let is_glued = |flag: &str| word.len() > 2 && word.starts_with(flag) && !word.starts_with("--");
        if !is_glued("-o") && !is_glued("-j") {
            kept.push(word);
        }
    }
    kept
}

/// The words of one shard of a question, whose document goes to a file.
pub fn of_shard(question: &[String], shard: Shard, out: &Path) -> Vec<String> {
    let own =
        ["--shard".to_string(), shard.to_string(), "--format=json".into(), "-o".into(), out.display().to_string()];
    let behind_verb = question.iter().position(|word| VERBS.contains(&word.as_str())).map_or(0, |at| at + 1);
    [&question[..behind_verb], &own, &question[behind_verb..]].concat()
}

/// How the files of shards begin in a folder.
pub const FILE: &str = "shard-";

/// The file of a shard in the folder of its run.
pub fn file_name(index: u32) -> String {
    format!("{FILE}{index}.json")
}

/// Runs a shard in a process of its own, as the user would.
pub fn run(question: &[String], shard: Shard, out: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("shard {shard} cannot be started: {error}"));
    let own = std::env::current_exe().map_err(failed)?.display().to_string();
    let words = [vec![own], of_shard(question, shard, out)].concat();
    sandbox::build(&words, &[]).map_err(failed)?;
    Ok(())
}

/// The verbs that work in shards.
pub const VERBS: [&str; 7] = ["check-up", "infer", "prove", "reach", "repair", "represent", "symmetry"];

/// The member `shard` of a document: `rest` is what only the verb knows.
pub fn member(shard: Shard, files: &[PathBuf], rest: Value) -> Value {
    let question = question();
    let mut digest = Sha256::new();
    digest.update(env!("CARGO_PKG_VERSION"));
    for word in &question {
        digest.update([0]);
        digest.update(word);
    }
    for file in files {
        digest.update([1]);
        digest.update(file.to_string_lossy().as_bytes());
        digest.update(Sha256::digest(std::fs::read(file).unwrap_or_default()));
    }
    let run: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "index": shard.index(),
        "of": shard.of(),
        "run": run,
        "version": env!("CARGO_PKG_VERSION"),
        "words": question,
        "rest": rest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn a_shard_is_asked_what_the_whole_is_asked() {
        let line = "--time 5 prove --each a.c b.c --shard 2/3 -o x.json --format=json -j4 --jobs 2 -- -o y -DX";
        let question = asked(words(line).into_iter());
        assert_eq!(question, words("--time 5 prove --each a.c b.c -- -o y -DX"));
        let shard = Shard::new(1, 3).unwrap();
        let again = of_shard(&question, shard, Path::new("s.json"));
        assert_eq!(again, words("--time 5 prove --shard 1/3 --format=json -o s.json --each a.c b.c -- -o y -DX"));
        assert_eq!(asked(again.into_iter()), question);
    }
}
