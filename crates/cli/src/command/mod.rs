//! The commands, one file each: arguments in, a [`Report`](crate::report::Report) out.

pub mod check;
pub mod conform;
pub mod dump;
pub mod explain;
pub mod infer;
pub mod prove;
pub mod reach;
pub mod repair;
pub mod report;
pub mod represent;
pub mod run;
mod sources;
pub mod symmetry;

use crate::args::Shared;
use crate::report::Failure;
use analyses::infer::emit::Moment;
use std::time::{SystemTime, UNIX_EPOCH};

/// As many threads as the user wants.
fn threads(shared: &Shared) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(shared.jobs.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::new(format!("could not start threads: {error}")))
}

/// The time of now, or the one that reproducible builds ask for.
fn now() -> Moment {
    let asked = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    Moment(asked.unwrap_or_else(clock))
}
