//! Answers of earlier runs, kept by the content of what they are about.
//!
//! A whole report is kept with the digests of all files that were read for it: if they and the configuration are what they
//! were, nothing is asked. Otherwise every question whose function, with all that it can call, reads as it did then has its
//! answer, and is asked again only if there is more time now than there was then: then from where it had come to. Files are written beside their place and renamed, so that runs side by side and runs that are stopped leave
//! whole files only. The folder can be deleted at any time, and does not grow beyond [`MOST_BYTES`].

use super::programs::Linked;
use super::report::{Answer, Ended, Question, Reason, Report};
use super::{Config, place};
use ir::{FunctionId, Program};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the folder may hold.
pub const MOST_BYTES: u64 = 256 << 20;

/// What answered: another program of ours may answer otherwise.
fn version() -> String {
    let about = std::env::current_exe().and_then(std::fs::metadata);
    let built = about.map(|about| (about.len(), about.modified().ok()));
    format!("{} {built:?}", env!("CARGO_PKG_VERSION"))
}

pub struct Cache {
    folder: PathBuf,
    time: Duration,
    /// Of everything but the files.
    configuration: String,
    /// What callers respect changes what is told.
    assumptions: String,
}

/// A report and the files it is about.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Path and digest.
    files: Vec<(String, String)>,
    report: Report,
}

/// An answer, and what it was looked for with.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    answer: Answer,
    levels: usize,
    /// The time that there was for the whole check-up.
    time: Duration,
}

/// An answer of an earlier run.
pub(crate) struct Remembered {
    pub(crate) answer: Answer,
    /// How many sizes of inputs were looked at completely.
    pub(crate) levels: usize,
    /// Whether there was as much time for it as there is now, so that it need not be asked again.
    pub(crate) is_settled: bool,
}

impl Cache {
    pub fn new(folder: &Path, config: &Config) -> Cache {
        let mut digest = Sha256::new();
        let options = &config.options;
        let time = config.time.as_millis();
        let about = format!(
            "{} {:?} {:?} {:?} {:?} {:?} {time} {} {:?} {:?}",
            version(),
            config.project,
            config.entries,
            (&config.exclude, &config.assumptions),
            config.changed,
            config.shard,
            config.seed,
            options.cc,
            options.keep_macros
        );
        digest.update(about);
        Cache {
            folder: folder.to_path_buf(),
            time: config.time,
            configuration: hex(digest),
            assumptions: format!("{:?}", config.assumptions),
        }
    }

    fn report_path(&self) -> PathBuf {
        self.folder.join("reports").join(&self.configuration)
    }

    /// The report of an earlier run on the same files.
    pub(crate) fn whole_report(&self) -> Option<Report> {
        let kept: Kept = read(&self.report_path())?;
        let is_same = |(path, digest): &(String, String)| digest_of_file(path).as_ref() == Some(digest);
        if !kept.files.iter().all(is_same) {
            return None;
        }
        Some(Report { remembered: true, ..kept.report })
    }

    /// Keeps a report. One that was cut short by a person is none, and one with a bug of ours should be tried again.
    pub(crate) fn keep_report(&self, report: &Report, linked: &[Linked]) {
        if report.interrupted || report.has_bug() {
            return;
        }
        let mut paths: BTreeSet<String> = report.files.iter().map(|file| file.path.clone()).collect();
        for program in linked {
            paths.extend(program.program.sources.files().map(|(_, file)| file.path.clone()));
        }
        // A file that could not be read may depend on one that is not there yet.
        let files = paths.into_iter().filter_map(|path| Some((path.clone(), digest_of_file(&path)?))).collect();
        if report.unreadable().next().is_none() {
            write(&self.report_path(), &Kept { files, report: report.clone() });
        }
        self.tidy_up();
    }

    fn answer_path(&self, linked: &Linked, function: FunctionId, question: Question) -> PathBuf {
        let mut digest = Sha256::new();
        digest.update(format!("{} {}", key(linked, function), self.assumptions));
        let name = format!("{}-{}", hex(digest), question.verb());
        self.folder.join("answers").join(name)
    }

    /// The answer to the same question about the same code.
    pub(crate) fn answer(&self, linked: &Linked, function: FunctionId, question: Question) -> Option<Remembered> {
        let KeptAnswer { mut answer, levels, time } = read(&self.answer_path(linked, function, question))?;
        let at = place(&linked.program.sources, linked.program.functions[function].span)?;
        // The key holds no places of other lines, so an answer is good only where it was given.
        (answer.place.as_ref() == Some(&at)).then(|| {
            answer.is_entry = linked.entries.contains(&function);
            Remembered { answer, levels, is_settled: time >= self.time }
        })
    }

    /// Keeps an answer that more time would not change.
    pub(crate) fn keep_answer(
        &self,
        linked: &Linked,
        function: FunctionId,
        question: Question,
        answer: &Answer,
        levels: usize,
    ) {
        let is_cut = answer.reasons.iter().any(|reason| matches!(reason, Reason::Time | Reason::Interrupted));
        if matches!(answer.ended, Ended::Done | Ended::Within | Ended::Open | Ended::Refused) && !is_cut {
            let kept = KeptAnswer { answer: answer.clone(), levels, time: self.time };
            write(&self.answer_path(linked, function, question), &kept);
        }
    }

    /// Deletes the oldest files until the rest is within the bounds.
    fn tidy_up(&self) {
        let mut files = Vec::new();
        for part in ["reports", "answers"] {
            let Ok(entries) = std::fs::read_dir(self.folder.join(part)) else { continue };
            for entry in entries.flatten() {
                if let Ok(about) = entry.metadata() {
                    files.push((about.modified().ok(), about.len(), entry.path()));
                }
            }
        }
        let mut held: u64 = files.iter().map(|(_, length, _)| length).sum();
        files.sort();
        for (_, length, path) in files {
            if held <= MOST_BYTES {
                break;
            }
            // Somebody else may have deleted it already.
            let _ = std::fs::remove_file(path);
            held -= length;
        }
    }
}

/// The digests of a program's parts, which the keys of its answers are made of.
#[derive(Debug)]
pub(crate) struct Digests {
    /// Types, globals, how it is compiled.
    surroundings: String,
    /// The text of each function and the places of its statements.
    functions: BTreeMap<FunctionId, String>,
}

impl Digests {
    fn new(linked: &Linked) -> Digests {
        let program = &linked.program;
        let mut digest = Sha256::new();
        digest.update(version());
        let flags: BTreeMap<_, _> = linked.files.iter().map(|file| (file, linked.options.flags_of(file))).collect();
        digest.update(format!("{:?} {} {flags:?}\n", program.data, linked.options.cc));
        let mut bodiless = Program { sources: Default::default(), ..program.clone() };
        bodiless.functions.values_mut().for_each(|function| function.body = None);
        // Functions that are only declared say nothing about those that are called.
        let text = ir::print_program(&bodiless);
        text.lines().filter(|line| !line.starts_with("fn ")).for_each(|line| digest.update(line));
        let functions = program.functions.keys().map(|id| (id, digest_of_function(program, id))).collect();
        Digests { surroundings: hex(digest), functions }
    }
}

fn digest_of_function(program: &Program, id: FunctionId) -> String {
    let about = &program.functions[id];
    let mut digest = Sha256::new();
    digest.update(ir::print_function(program, id));
    digest.update(format!("{:?}", place(&program.sources, about.span)));
    if let Some(body) = &about.body {
        body.walk(&mut |stmt| {
            let at = program.sources.used(stmt.span);
            digest.update(format!("{:?} ", at.map(|at| (at.start.line, at.start.column))));
        });
    }
    hex(digest)
}

/// What an answer depends on: the text of the function and of all it can come to, their surroundings, and whether it is
/// called from outside.
fn key(linked: &Linked, function: FunctionId) -> String {
    let digests = linked.digests.get_or_init(|| Digests::new(linked));
    let mut reached: BTreeSet<FunctionId> = linked.graph.reachable(function).into_iter().collect();
    reached.insert(function);
    let mut digest = Sha256::new();
    digest.update(&digests.surroundings);
    digest.update([u8::from(linked.entries.contains(&function))]);
    digest.update(&digests.functions[&function]);
    reached.iter().for_each(|id| digest.update(&digests.functions[id]));
    hex(digest)
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest_of_file(path: &str) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let mut digest = Sha256::new();
    digest.update(bytes);
    Some(hex(digest))
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Writes beside the place and renames. A cache that cannot be written is none.
fn write<T: Serialize>(path: &Path, value: &T) {
    let attempt = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, value)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    let _ = attempt();
}
