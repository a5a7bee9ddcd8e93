//! What is going on, for a person who waits: a line on standard error, if that is a terminal and `-q` is not given.
//!
//! Work whose amount is known gets a bar with its rate and the time that is left; a search that does not know how much is
//! left of it gets a spinner with what is done, for how long, and how long it can take at most. The work tells its
//! [`Progress`], and a thread shows it: nothing that counts waits for a terminal.

use crate::args::Shared;
use diagnostics::{Progress, Stage};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::{self, Write};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);

/// The line. It goes away when this is dropped, so that results never mix with it.
pub struct StatusLine {
    bar: ProgressBar,
    progress: Progress,
}

impl StatusLine {
    pub fn new(shared: &Shared) -> StatusLine {
        let target = if shared.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(spinner("", shared.seconds()));
        let status_line = StatusLine { bar, progress: Progress::default() };
        if !status_line.bar.is_hidden() {
            status_line.follow(shared.seconds());
        }
        status_line
    }

    /// What is being done from now on.
    pub fn say(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
        self.bar.enable_steady_tick(TICK);
    }

    /// Where the work tells how far it is.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Shows the progress until the line goes away.
    fn follow(&self, time: f64) {
        let (bar, progress) = (self.bar.clone(), self.progress.clone());
        std::thread::spawn(move || {
            let mut shown = Stage::default();
            while !bar.is_finished() {
                let stage = progress.seen();
                if stage.number != shown.number {
                    match stage.total {
                        Some(total) => {
                            bar.set_length(total);
                            bar.set_style(counted(stage.things, time));
                        }
                        None => bar.set_style(spinner(stage.things, time)),
                    }
                    bar.reset_eta();
                }
                if stage != shown {
                    bar.set_position(stage.done);
                }
                shown = stage;
                std::thread::sleep(TICK);
            }
        });
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// So much of so much. The work ends with its time whatever is left of it.
fn counted(things: &str, time: f64) -> ProgressStyle {
    let time = Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX);
    style(&format!("{{bar:24}} {{msg}}: {{human_pos}} of {{human_len}} {things}{{pace}}")).with_key(
        "pace",
        move |state: &ProgressState, out: &mut dyn Write| {
            let rate = state.per_sec();
            // Before the first of them is done nobody knows how long they take.
            if rate > 0.0 {
                let _ = write!(
                    out,
                    ", {}, {} left",
                    Rate(rate),
                    HumanDuration(state.eta().min(time.saturating_sub(state.elapsed())))
                );
            }
        },
    )
}

/// Nobody knows of how much.
fn spinner(things: &str, time: f64) -> ProgressStyle {
    let done = if things.is_empty() { String::new() } else { format!(": {{human_pos}} {things}, {{rate}}") };
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}", Rate(state.per_sec()));
    };
    style(&format!("{{spinner}} {{msg}}{done}, {{elapsed}} of at most {time} s")).with_key("rate", rate)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a template of ours should be read")
}

/// So many in a second.
struct Rate(f64);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            few if few < 10.0 => write!(f, "{few:.1}/s"),
            many => write!(f, "{}/s", HumanCount(many as u64)),
        }
    }
}
