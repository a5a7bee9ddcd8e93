//! What is going on, for a person who waits: a line on standard error, if that is a terminal and `-q` is not given.
//!
//! Work that is counted gets a bar with its rate and the time that is left. Most searches do not know how much is left of
//! them; they get a spinner with what is being done, for how long, and how long it can take at most.

use crate::args::Shared;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);

/// The line. It goes away when this is dropped, so that results never mix with it.
pub struct Progress(ProgressBar);

impl Progress {
    pub fn new(shared: &Shared) -> Progress {
        let target = if shared.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style(&format!("{{spinner}} {{msg}}, {{elapsed}} of at most {} s", shared.time)));
        Progress(bar)
    }

    /// A line that is never shown.
    pub fn hidden() -> Progress {
        Progress(ProgressBar::hidden())
    }

    /// What is being done from now on.
    pub fn say(&self, what: impl Into<String>) {
        self.0.set_message(what.into());
        self.0.enable_steady_tick(TICK);
    }

    /// From here on the work is a number of things of one kind.
    pub fn count(&self, total: usize) {
        self.0.set_style(style("{bar:24} {pos}/{len} {msg}, {rate}, {eta} left"));
        self.0.set_length(total as u64);
        self.0.reset_eta();
    }

    /// One of them is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{:.1}/s", state.per_sec());
    };
    ProgressStyle::with_template(template).expect("a template of ours should be read").with_key("rate", rate)
}
