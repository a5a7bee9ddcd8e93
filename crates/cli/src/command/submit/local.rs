//! Shards as processes of this machine, some at a time.

use super::Submission;
use crate::command::merge::is_part;
use crate::parts;
use crate::report::Failure;
use diagnostics::Shard;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs every shard that is not done, and comes back when all have ended. There is no job that could be asked about later.
pub fn start(run: &Submission) -> Result<Option<String>, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let at_once = run.at_once.unwrap_or(cores).min(run.shards);
    let next = AtomicU32::new(1);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(shard) = Shard::new(index, run.shards) else { break };
                    let document = run.document(index);
                    if is_part(&document) {
                        continue;
                    }
                    if let Err(failure) = parts::run(&run.words, shard, &document) {
                        failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(failure);
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        Some(failure) => Err(failure),
        None => Ok(None),
    }
}
