//! One run of a compiled program, from its input to its outcome.

use super::channel::{Channel, Reported};
use super::compile::Recipe;
use diagnostics::{Finding, Rule, Span};
use exec::trace::{Recorder, Trace};
use exec::{Budget, Ending, Input, Limit, Outcome};
use sandbox::{CHANNEL, Job, Limits, Own, Policy, Scratch, Start, Stop, View, WallSet, Walls};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What `argv[0]` is in every native run, so that outputs do not depend on where the binary lies.
pub const ARGV0: &str = "program";

/// Address space that the program's code, its libraries and the stack take besides what it asks for.
const OVERHEAD: u64 = 64 << 20;
const STACK: u64 = 8 << 20;

/// A compiled program. Its file is removed on drop; runs from several threads at once are fine.
#[derive(Debug)]
pub struct Binary {
    path: PathBuf,
    points: Trace,
    counters: usize,
    has_entry: bool,
    sanitized: bool,
    /// Folders of libraries that the program was linked with.
    view: View,
    _build: Scratch,
}

/// How to run, besides input and budget.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Processes alive at a time.
    pub processes: u32,
    /// Cells of trace rows kept; what comes later is counted as dropped.
    pub trace_cells: usize,
    /// Files put into the run's directory beforehand, by relative path.
    pub files: &'a [(PathBuf, Vec<u8>)],
    /// Files in another [`Scratch`] directory that the run shares, under the same names in its own.
    pub links: &'a [PathBuf],
    /// Walls to leave out. For tests of the others.
    pub without: WallSet,
    /// Set from anywhere to end the run with [`Ending::Interrupted`].
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Conditions<'_> {
    fn default() -> Self {
        Conditions {
            processes: 32,
            trace_cells: Recorder::DEFAULT_LIMIT,
            files: &[],
            links: &[],
            without: WallSet::NONE,
            cancel: None,
        }
    }
}

/// A native run, finished.
#[derive(Debug)]
pub struct Run {
    pub outcome: Outcome,
    pub trace: Trace,
    /// How often each counter's probe was passed.
    pub counters: Vec<u64>,
    /// How many `nondet` calls the program made; more than were given means that the rest were zero.
    pub nondets_taken: u64,
    pub walls: Walls,
    /// What the reader of this run should know: missing protections, lost rows. Whole sentences.
    pub notes: Vec<String>,
    /// The directory the program ran in, with the files it left; removed when this is dropped.
    pub directory: Scratch,
}

impl Binary {
    pub(super) fn new(build: Scratch, path: PathBuf, recipe: &Recipe) -> Binary {
        Binary {
            path,
            points: recipe.points.clone(),
            counters: recipe.counters as usize,
            has_entry: recipe.entry.is_some(),
            sanitized: recipe.sanitize,
            view: library_view(&recipe.flags),
            _build: build,
        }
    }

    /// The executable file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs the program. An error means that it could not be started, or that `conditions.files` cannot be written.
    pub fn run(&self, input: &Input, budget: &Budget, conditions: &Conditions<'_>) -> io::Result<Run> {
        let directory = Scratch::new("run")?;
        // A page for the fixed part even where nothing is traced.
        let room = if self.points.points().len() == 0 { 512 } else { conditions.trace_cells };
        let channel = Channel::new(&input.params, &input.nondet, self.counters, room)?;

        let mut view = self.view.clone();
        view.own = Own::Private(directory.path().to_path_buf());
        view.shared = conditions.links.to_vec();
        // A fixed environment: a run shall not depend on the user's.
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()),
            ("LC_ALL".into(), "C".into()),
            ("TZ".into(), "UTC0".into()),
            ("HOME".into(), directory.path().into()),
            ("TMPDIR".into(), directory.path().into()),
            ("PLUMB_CHANNEL".into(), CHANNEL.to_string().into()),
        ];
        if self.sanitized {
            environment.push(("ASAN_OPTIONS".into(), "detect_leaks=0:abort_on_error=1".into()));
            environment.push(("UBSAN_OPTIONS".into(), "abort_on_error=1".into()));
        }
        let limits = Limits {
            cpu_seconds: Some(budget.time_ms.div_ceil(1000).saturating_add(2)),
            address_space: (!self.sanitized)
                .then(|| budget.memory.saturating_add(channel.bytes()).saturating_add(OVERHEAD)),
            file_size: budget.output.max(1 << 20),
            disk: budget.memory.max(1 << 20),
            stack: Some(STACK),
            descriptors: 256,
            tasks: u64::from(conditions.processes).saturating_mul(8).saturating_add(64),
        };
        let finished = sandbox::run(Job {
            start: Start {
                policy: Policy::Program,
                program: self.path.clone(),
                name: Some(input.name.as_deref().unwrap_or(ARGV0).into()),
                arguments: if self.has_entry { Vec::new() } else { input.args.iter().map(OsString::from).collect() },
                environment,
                folder: None,
                view,
                limits,
                memory: None,
                channel: Some(channel.fd()),
                files: conditions.files,
                without: conditions.without,
            },
            stdin: &input.stdin,
            time: Duration::from_millis(budget.time_ms),
            output: budget.output,
            processes: Some(conditions.processes),
            memory: (!self.sanitized).then(|| budget.memory.saturating_add(OVERHEAD)),
            cancel: conditions.cancel,
        })?;

        let reading = channel.read(&self.points)?;
        let reported = reading.reported.filter(|(_, pid)| *pid == finished.program).map(|(reported, _)| reported);
        let mut notes = finished.walls.notes();
        if reading.lost_rows > 0 {
            notes.push(format!("{} trace rows found no room and were dropped.", reading.lost_rows));
        }
        notes.extend(reading.damage.map(|damage| format!("Trace rows may be missing: {damage}.")));
        Ok(Run {
            outcome: Outcome {
                ending: ending(finished.stop, reported),
                stdout: finished.stdout,
                stderr: finished.stderr,
                steps: 0,
            },
            trace: reading.trace,
            counters: reading.counters,
            nondets_taken: reading.nondets_taken,
            walls: finished.walls,
            notes,
            directory: finished.own.map_or(directory, Scratch::in_memory),
        })
    }
}

fn ending(stop: Stop, reported: Option<Reported>) -> Ending {
    let out_of = |limit| Ending::OutOfBudget { limit, span: Span::NONE };
    let failed = |message: String| Ending::Faulted(Box::new(Finding::new(Rule::AssertionFailed, Span::NONE, message)));
    match (stop, reported) {
        (Stop::Cancelled, _) => Ending::Interrupted,
        (Stop::Time, _) | (Stop::Signalled(libc::SIGXCPU), _) => out_of(Limit::Time),
        (Stop::Output, _) | (Stop::Signalled(libc::SIGXFSZ), _) => out_of(Limit::Output),
        (Stop::Processes, _) => out_of(Limit::Processes),
        (Stop::Memory, _) => out_of(Limit::Memory),
        (Stop::Signalled(libc::SIGABRT) | Stop::Exited(_), Some(Reported::Assert(claim))) => {
            failed(format!("the assertion at {claim} failed"))
        }
        (Stop::Signalled(libc::SIGABRT) | Stop::Exited(_), Some(Reported::Verifier)) => {
            failed("the condition of __VERIFIER_assert is false".to_string())
        }
        (Stop::Signalled(libc::SIGABRT) | Stop::Exited(_), Some(Reported::Reached)) => {
            failed("reach_error was called".to_string())
        }
        (Stop::Exited(_), Some(Reported::Assumed)) => Ending::Assumed { span: Span::NONE },
        (Stop::Exited(0), Some(Reported::Returned(value))) => Ending::Returned(value),
        (Stop::Exited(status), _) => Ending::Exited(status),
        (Stop::Signalled(signal), _) => Ending::Killed { signal },
    }
}

/// What a program sees: the system's libraries and those that the user's flags name.
fn library_view(flags: &[String]) -> View {
    let mut view = View::new(Policy::Program);
    let libraries: Vec<&String> = flags.iter().filter(|f| f.starts_with("-L") || f.starts_with("-Wl,-rpath")).collect();
    view.show_flags(&libraries);
    view
}
