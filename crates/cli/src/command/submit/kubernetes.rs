//! Shards as a Kubernetes Indexed Job, and a job that waits for their documents and merges.
//!
//! Both mount one volume at the place of the shared folder, where the sources have to be as well. A shard that fails is tried
//! again by itself (`backoffLimitPerIndex`), and the others go on.

use super::Submission;
use super::slurm::ask;
use crate::output::write_whole;
use crate::report::Failure;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

pub const MANIFEST: &str = "jobs.json";

/// The name of a run's jobs: another folder has another name.
fn name(run: &Submission) -> String {
    let digest = Sha256::digest(run.folder.to_string_lossy().as_bytes());
    let short: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("plumb-{short}")
}

/// The volume is mounted where both the folder and the sources are.
fn mount(run: &Submission) -> PathBuf {
    let shared = run.folder.components().zip(run.directory.components()).take_while(|(one, other)| one == other);
    let common: PathBuf = shared.map(|(component, _)| component).collect();
    if common.parent().is_some() { common } else { run.folder.clone() }
}

/// What the volume leaves to the image.
pub fn note(run: &Submission) -> Option<String> {
    let at = mount(run);
    (!run.directory.starts_with(&at)).then(|| {
        let (at, directory) = (at.display(), run.directory.display());
        format!("note: the volume is mounted at {at}, so that the sources in {directory} have to be in the image\n")
    })
}

fn job(name: &str, run: &Submission, line: &str, more: &[(&str, Value)]) -> Value {
    let at: &Path = &mount(run);
    // Kubernetes reads `$(NAME)` in a command before the shell does; a doubled `$` is one that it leaves alone.
    let line = line.replace('$', "$$");
    let memory = format!("{}Mi", run.memory);
    let mut spec = json!({
        "template": {
            "spec": {
                "restartPolicy": "Never",
                "containers": [{
                    "name": "plumb",
                    "image": run.image,
                    "workingDir": run.directory,
                    "command": ["sh", "-c", line],
                    "resources": { "requests": { "cpu": "1", "memory": memory }, "limits": { "memory": memory } },
                    "volumeMounts": [{ "name": "shared", "mountPath": at }],
                }],
                "volumes": [{ "name": "shared", "persistentVolumeClaim": { "claimName": run.claim } }],
            },
        },
    });
    for (member, value) in more {
        spec[*member] = value.clone();
    }
    json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": name }, "spec": spec })
}

pub fn write(run: &Submission) -> Result<Vec<PathBuf>, Failure> {
    let name = name(run);
    // Kubernetes counts from 0. What a shard found is in its document; only a shard that left none has failed.
    let folder = super::quoted(&run.folder);
    let line = format!(
        "index=$((JOB_COMPLETION_INDEX + 1)); {}; test -s {folder}/shard-\"$index\".json",
        run.shard_line("plumb", "index")
    );
    let mut more = vec![
        ("completionMode", json!("Indexed")),
        ("completions", json!(run.shards)),
        ("parallelism", json!(run.at_once.unwrap_or(run.shards))),
        ("backoffLimitPerIndex", json!(3)),
        ("maxFailedIndexes", json!(run.shards)),
    ];
    if let Some(minutes) = run.minutes {
        more.push(("activeDeadlineSeconds", json!(u64::from(minutes) * 60 * u64::from(run.shards))));
    }
    let shards = job(&name, run, &line, &more);
    let wait = format!("plumb status --wait --time 1e9 {folder}; {}", run.merge_line("plumb"));
    let merge = job(&format!("{name}-merge"), run, &wait, &[("backoffLimit", json!(3))]);
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [shards, merge] });
    let text = serde_json::to_string_pretty(&list).expect("a JSON value should always print");
    let path = run.folder.join(MANIFEST);
    write_whole(&path, format!("{text}\n").as_bytes())?;
    Ok(vec![path])
}

pub fn start(run: &Submission) -> Result<String, Failure> {
    ask("kubectl", &["apply", "-f", &run.folder.join(MANIFEST).display().to_string()])?;
    Ok(name(run))
}

pub fn cancel(job: &str) -> Result<(), Failure> {
    ask("kubectl", &["delete", "job", job, &format!("{job}-merge")]).map(|_| ())
}
