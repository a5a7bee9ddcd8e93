//! `plumb submit` and `plumb status`: a run in shards on machines that share a folder.
//!
//! Nothing is scheduled here. A folder gets a description of the run, and what makes an engine that people have run every
//! shard: processes of this machine, a Slurm array job, a Kubernetes Indexed Job. Only files in that folder pass between
//! shards: each leaves one document, written beside its place and renamed, and is not run again where that is there.
//!
//! | file in the folder | what |
//! |---|---|
//! | `run.json` | the words, the number of shards, where they are run, the job's name at the engine |
//! | `shard-K.json` | the document of a shard that is done |
//! | `log-K.txt` | what a shard said |
//! | `merged.json` | the document of the whole |

mod kubernetes;
mod local;
mod slurm;

use super::Context;
use super::merge::is_part;
use crate::args::{Scheduler, Shared, Status, Submit};
use crate::exit::Exit;
use crate::output::{make_folder, write_whole};
use crate::parts;
use crate::report::{Failure, Report};
use diagnostics::Shard;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A run in shards, as its folder describes it.
pub struct Submission {
    /// Absolute, since every machine knows it by that name.
    folder: PathBuf,
    /// Where the words are typed.
    directory: PathBuf,
    words: Vec<String>,
    shards: u32,
    at_once: Option<u32>,
    memory: u32,
    minutes: Option<u32>,
    image: String,
    claim: String,
}

impl Submission {
    fn new(args: &Submit, shared: &Shared) -> Result<Submission, Failure> {
        let failed = |error: std::io::Error| Failure::new(format!("the folder cannot be found: {error}"));
        make_folder(&args.folder)?;
        let is_verb = |word: &String| parts::VERBS.contains(&word.as_str());
        if !args.words.iter().any(is_verb) {
            return Err(Failure::new(format!("`{}` does not work in shards", args.words.join(" ")))
                .with_help(format!("one of these does: {}", parts::VERBS.join(", "))));
        }
        let is_each = args.words.iter().any(|word| word == "--each" || word.starts_with("--each="));
        let twice = (shared.seconds() / 30.0).ceil() as u32 + 10;
        Ok(Submission {
            folder: std::fs::canonicalize(&args.folder).map_err(failed)?,
            directory: std::env::current_dir().map_err(failed)?,
            words: args.words.clone(),
            shards: args.shards,
            at_once: args.at_once,
            memory: args.memory,
            minutes: args.minutes.or((!is_each).then_some(twice)),
            image: args.image.clone(),
            claim: args.claim.clone(),
        })
    }

    fn document(&self, index: u32) -> PathBuf {
        self.folder.join(parts::file_name(index))
    }

    /// A shell's line for the shard whose number is in a variable: it is not run again if it is done.
    fn shard_line(&self, plumb: &str, variable: &str) -> String {
        let first =
            Shard::new(1, self.shards).expect("a run should have a shard, because the flag's range begins at 1");
        let words = parts::of_shard(&self.words, first, &self.document(1));
        let marked = words.into_iter().map(|word| match word {
            word if word == first.to_string() => format!("\"${variable}\"/{}", self.shards),
            word if Path::new(&word) == self.document(1) => {
                format!("{}/{}\"${variable}\".json", quoted(&self.folder), parts::FILE)
            }
            word => quoted(&word),
        });
        let line: Vec<String> = marked.collect();
        let done = format!("{}/{}\"${variable}\".json", quoted(&self.folder), parts::FILE);
        format!("[ -s {done} ] || {plumb} {}", line.join(" "))
    }

    fn merge_line(&self, plumb: &str) -> String {
        let folder = quoted(&self.folder);
        // What was found is in the document, and no failure of the job.
        format!("{plumb} merge --format json -o {folder}/merged.json {folder}; test -s {folder}/merged.json")
    }

    fn describe(&self, to: Scheduler, job: Option<&str>) -> Result<(), Failure> {
        let about = json!({
            "words": self.words,
            "shards": self.shards,
            "directory": self.directory,
            "to": format!("{to:?}").to_lowercase(),
            "job": job,
            "version": env!("CARGO_PKG_VERSION"),
        });
        let text = serde_json::to_string_pretty(&about).expect("a JSON value should always print");
        write_whole(&self.folder.join(RUN), text.as_bytes())
    }
}

/// The file that describes a run.
const RUN: &str = "run.json";

fn quoted(text: impl AsRef<std::ffi::OsStr>) -> String {
    let text = text.as_ref().to_string_lossy().into_owned();
    shlex::try_quote(&text).map(|quoted| quoted.into_owned()).unwrap_or_default()
}

pub fn submit(args: &Submit, shared: &Shared) -> Result<Report, Failure> {
    let run = Submission::new(args, shared)?;
    if let Some(words) = described(&run.folder)?.map(|about| words_of(&about))
        && words != run.words
    {
        return Err(Failure::new(format!("{} has another run: `{}`", run.folder.display(), words.join(" ")))
            .with_help("give this run a folder of its own, or delete that one"));
    }
    run.describe(args.to, None)?;
    let written = match args.to {
        Scheduler::Local => Vec::new(),
        Scheduler::Slurm => slurm::write(&run)?,
        Scheduler::Kubernetes => kubernetes::write(&run)?,
    };
    let mut report = Report::new("submit");
    let mut job = None;
    if args.start {
        job = match args.to {
            Scheduler::Local => local::start(&run)?,
            Scheduler::Slurm => Some(slurm::start(&run)?),
            Scheduler::Kubernetes => Some(kubernetes::start(&run)?),
        };
        run.describe(args.to, job.as_deref())?;
    }
    for path in &written {
        report.text += &format!("wrote  {}\n", path.display());
    }
    let folder = run.folder.display();
    let lost = (1..=run.shards).filter(|index| !is_part(&run.document(*index))).count();
    report.summary = match (args.start, args.to) {
        (true, Scheduler::Local) if lost > 0 => {
            report.exit = Exit::Inconclusive;
            format!("{lost} of {} shards left no document; `plumb merge --missing {folder}` runs them", run.shards)
        }
        (true, Scheduler::Local) => format!("{} shards are done; `plumb merge {folder}` joins them", run.shards),
        (true, _) => format!("{} shards were submitted; `plumb status {folder}` says how far they are", run.shards),
        (false, _) => format!("nothing was started; --start does, or: {}", by_hand(args.to, &run)),
    };
    if let Some(note) = kubernetes::note(&run).filter(|_| args.to == Scheduler::Kubernetes) {
        report.summary.insert_str(0, &note);
    }
    report.result.insert("folder".into(), json!(run.folder));
    report.result.insert("shards".into(), json!(run.shards));
    report.result.insert("job".into(), json!(job));
    report.result.insert("written".into(), json!(written));
    Ok(report)
}

/// What a person types to start it.
fn by_hand(to: Scheduler, run: &Submission) -> String {
    let folder = quoted(&run.folder);
    match to {
        Scheduler::Local => format!("plumb merge --missing {folder}, once there is a first shard"),
        Scheduler::Slurm => format!("sh {folder}/{}", slurm::SUBMIT),
        Scheduler::Kubernetes => format!("kubectl apply -f {folder}/{}", kubernetes::MANIFEST),
    }
}

fn described(folder: &Path) -> Result<Option<Value>, Failure> {
    match std::fs::read(folder.join(RUN)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::new(format!("{}: {error}", folder.join(RUN).display()))),
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| Failure::new(format!("{} is no JSON: {error}", folder.join(RUN).display()))),
    }
}

fn words_of(about: &Value) -> Vec<String> {
    about["words"].as_array().into_iter().flatten().filter_map(|word| Some(word.as_str()?.to_string())).collect()
}

/// How often a folder is looked at.
const LOOK: Duration = Duration::from_millis(500);

pub fn status(args: &Status, context: &Context<'_>) -> Result<Report, Failure> {
    let about = described(&args.folder)?.ok_or_else(|| {
        Failure::new(format!("{} is no folder of a run", args.folder.display()))
            .with_help("`plumb submit --folder DIR` makes one")
    })?;
    let shards = about["shards"].as_u64().and_then(|shards| u32::try_from(shards).ok()).unwrap_or(0);
    let mut report = Report::new("status");
    if args.cancel {
        let job = about["job"].as_str().ok_or_else(|| Failure::new("nothing was started that could be cancelled"))?;
        match about["to"].as_str() {
            Some("slurm") => slurm::cancel(job)?,
            Some("kubernetes") => kubernetes::cancel(job)?,
            _ => return Err(Failure::new("shards of this machine end with the command that runs them")),
        }
        report.text += &format!("cancelled  {job}\n");
    }
    let is_missing = |index: &u32| !is_part(&args.folder.join(parts::file_name(*index)));
    let deadline = Instant::now() + context.time();
    let mut missing: Vec<u32> = (1..=shards).collect();
    let missing = loop {
        missing.retain(is_missing);
        let is_over = Instant::now() >= deadline || context.interrupted.load(std::sync::atomic::Ordering::Relaxed);
        if missing.is_empty() || !args.wait || is_over {
            break missing;
        }
        std::thread::sleep(LOOK);
    };
    let elapsed = |index: u32| -> Option<u64> {
        let bytes = std::fs::read(args.folder.join(parts::file_name(index))).ok()?;
        serde_json::from_slice::<Value>(&bytes).ok()?["elapsed_ms"].as_u64()
    };
    let times: Vec<u64> = (1..=shards).filter(|index| !missing.contains(index)).filter_map(elapsed).collect();
    let words = words_of(&about).join(" ");
    report.text += &format!("{words}\n  {} of {shards} shards are done\n", u64::from(shards) - missing.len() as u64);
    if let (Some(least), Some(most)) = (times.iter().min(), times.iter().max()) {
        let seconds = |ms: &u64| *ms as f64 / 1000.0;
        report.text += &format!("  each took {:.1} to {:.1} seconds\n", seconds(least), seconds(most));
    }
    for index in missing.iter().take(20) {
        report.text += &format!("  shard {index} is not there\n");
    }
    let folder = args.folder.display();
    report.summary = match missing.is_empty() {
        true => format!("`plumb merge {folder}` joins them"),
        false => format!("`plumb merge --missing {folder}` runs those that are lost, and joins all"),
    };
    report.exit = if missing.is_empty() { Exit::Clean } else { Exit::Inconclusive };
    report.result.insert("shards".into(), json!(shards));
    report.result.insert("lost".into(), json!(missing));
    report.result.insert("job".into(), about["job"].clone());
    Ok(report)
}
