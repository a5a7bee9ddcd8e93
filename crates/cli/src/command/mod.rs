//! The commands, one file each: arguments in, a [`Report`](crate::report::Report) out.

pub mod capture;
pub mod check;
pub mod check_up;
pub mod completions;
pub mod conform;
pub mod contract;
pub mod demo;
pub mod doctor;
pub mod dump;
pub mod each;
pub mod explain;
pub(crate) mod given;
pub mod infer;
pub mod lsp;
pub mod merge;
pub mod prove;
pub mod reach;
pub mod repair;
pub mod report;
pub mod represent;
pub mod run;
pub mod schema;
mod sources;
pub mod submit;
pub mod symmetry;

use crate::args::Shared;
use crate::interrupt;
use crate::report::Failure;
use crate::status_line::StatusLine;
use ::infer::emit::Moment;
use diagnostics::Deadline;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What every command is given besides its own arguments.
pub struct Context<'a> {
    pub shared: &'a Shared,
    /// The user wants it to end; whatever is known then is reported.
    pub interrupted: &'a Arc<AtomicBool>,
    pub status_line: &'a StatusLine,
}

impl Context<'_> {
    /// How long the command may take.
    fn time(&self) -> Duration {
        Duration::from_secs_f64(self.shared.seconds().min(1e9))
    }

    /// The same for an analysis, which tells its headway.
    fn deadline(&self) -> Deadline {
        Deadline { at: Some(Instant::now() + self.time()), cancel: self.stop(), progress: self.status_line.progress() }
    }

    /// A flag that is raised when the time is over or the user interrupts.
    fn stop(&self) -> Arc<AtomicBool> {
        self.stop_after(self.time())
    }

    /// The same where there is less time than for the whole.
    fn stop_after(&self, time: Duration) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        interrupt::watch(&stop, self.interrupted, time);
        stop
    }
}

/// As many threads as the user wants.
fn threads(shared: &Shared) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(shared.jobs.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::new(format!("could not start threads: {error}")))
}

/// An analysis that could not begin, with what may help.
fn refused(why: ::infer::Refusal) -> Failure {
    let failure = Failure::new(why.text());
    match why {
        ::infer::Refusal::Inputs(_) => {
            failure.with_help("--entry chooses another function; a small `main` can call this one with numbers")
        }
        ::infer::Refusal::Request(_) | ::infer::Refusal::Compiler(_) => failure,
    }
}

/// The time of now, or the one that reproducible builds ask for.
fn now() -> Moment {
    let asked = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    Moment(asked.unwrap_or_else(clock))
}
