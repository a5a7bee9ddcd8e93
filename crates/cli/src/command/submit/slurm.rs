//! Shards as a Slurm array job, and a job behind it that merges when all of them have ended.

use super::{Submission, quoted};
use crate::output::write_whole;
use crate::report::Failure;
use std::path::PathBuf;
use std::time::Duration;

const SHARD: &str = "shard.sbatch";
const MERGE: &str = "merge.sbatch";
pub const SUBMIT: &str = "submit.sh";

/// How long the engine may take to answer.
const ANSWER: Duration = Duration::from_secs(60);

pub fn write(run: &Submission) -> Result<Vec<PathBuf>, Failure> {
    let folder = run.folder.display();
    let time = run.minutes.map_or(String::new(), |minutes| format!("#SBATCH --time={minutes}\n"));
    let limit = run.at_once.map_or(String::new(), |at_once| format!("%{at_once}"));
    let common = |name: &str| {
        format!(
            "#!/bin/sh\n#SBATCH --job-name={name}\n#SBATCH --chdir=\"{}\"\n#SBATCH --mem={}M\n{time}",
            run.directory.display(),
            run.memory
        )
    };
    // What a shard found is in its document; only a shard that left none has failed. One on a node that goes down is run again.
    let shard = format!(
        "{}#SBATCH --array=1-{}{limit}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n\
         #SBATCH --output=\"{folder}/log-%a.txt\"\n\
         {}\ntest -s {}/shard-\"$SLURM_ARRAY_TASK_ID\".json\n",
        common("plumb"),
        run.shards,
        run.shard_line("${PLUMB:-plumb}", "SLURM_ARRAY_TASK_ID"),
        quoted(&run.folder),
    );
    let merge = format!(
        "{}#SBATCH --output=\"{folder}/log-merge.txt\"\n{}\n",
        common("plumb-merge"),
        run.merge_line("${PLUMB:-plumb}")
    );
    let submit = format!(
        "#!/bin/sh\n# Submits the shards, and the merge behind them; prints the number of the array job.\nset -e\n\
         cd {}\njob=$(sbatch --parsable {SHARD})\n\
         sbatch --parsable --dependency=afterany:\"${{job%%;*}}\" {MERGE} >/dev/null\necho \"${{job%%;*}}\"\n",
        quoted(&run.folder)
    );
    let mut written = Vec::new();
    for (name, text) in [(SHARD, shard), (MERGE, merge), (SUBMIT, submit)] {
        let path = run.folder.join(name);
        write_whole(&path, text.as_bytes())?;
        written.push(path);
    }
    Ok(written)
}

/// Submits, and gives the number of the array job.
pub fn start(run: &Submission) -> Result<String, Failure> {
    let script = run.folder.join(SUBMIT).display().to_string();
    let said = ask("sh", &[&script])?;
    let job = said.trim().to_string();
    match job.chars().all(|c| c.is_ascii_digit()) && !job.is_empty() {
        true => Ok(job),
        false => Err(Failure::new(format!("sbatch said `{job}`, which is no number of a job"))),
    }
}

pub fn cancel(job: &str) -> Result<(), Failure> {
    ask("scancel", &[job]).map(|_| ())
}

/// What an engine's tool says, or why it fails.
pub(super) fn ask(program: &str, words: &[&str]) -> Result<String, Failure> {
    let said = sandbox::tool(program, words, ANSWER)
        .map_err(|error| Failure::new(format!("{program} cannot be started: {error}")))?;
    match said.stop {
        sandbox::Stop::Exited(0) => Ok(String::from_utf8_lossy(&said.stdout).into_owned()),
        _ => Err(Failure::new(format!("{program} failed: {}", String::from_utf8_lossy(&said.stderr).trim()))),
    }
}
