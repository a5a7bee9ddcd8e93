//! Starts a child process, feeds it, listens to it, and sees to it that nothing of it remains.
//!
//! The child is the leader of a session and process group of its own. One loop waits for its pipes and its end at the
//! same time. However the run ends — by itself, by a limit, by the caller, by a panic here — the whole group is killed
//! *before* the leader is reaped, so the group's number cannot have been reused, and a process that outlives the leader
//! cannot keep a pipe open for us to wait on.
//!
//! *Invariant*: when [`run`] returns, the leader is reaped and every process of its group has been sent `SIGKILL`.

use super::sandbox::{Jail, STATUS_BYTES, Sandbox};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often we look at the cancel flag and at the number of processes.
const TICK: Duration = Duration::from_millis(20);
/// How long killed processes may take to close their pipes.
const DRAIN: Duration = Duration::from_secs(2);

/// The limits the kernel keeps for each process of the child.
#[derive(Clone, Copy, Default)]
pub(super) struct Rlimits {
    pub cpu_seconds: Option<u64>,
    pub address_space: Option<u64>,
    pub file_size: Option<u64>,
    pub stack: Option<u64>,
}

pub(super) struct Job<'a> {
    pub command: Command,
    pub stdin: &'a [u8],
    pub time: Duration,
    /// Bytes of both outputs together.
    pub output: u64,
    pub processes: Option<u32>,
    pub rlimits: Rlimits,
    pub jail: Option<&'a Jail>,
    /// A descriptor the child keeps under the same number.
    pub keep_fd: Option<RawFd>,
    pub cancel: Option<&'a AtomicBool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Exited(i32),
    Signalled(i32),
    Time,
    Output,
    Processes,
    Cancelled,
}

pub(super) struct Finished {
    pub stop: Stop,
    pub pid: u32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// `None` if no jail was asked for.
    pub sandbox: Option<Sandbox>,
}

/// Runs the job to its end. An error means that the child could not be started or the kernel failed us.
pub(super) fn run(job: Job<'_>) -> io::Result<Finished> {
    let (mut status_read, status_write) = pipe()?;
    let mut group = Group::start(job.command, job.rlimits, job.jail, job.keep_fd, status_write.as_raw_fd())?;
    drop(status_write);
    let mut status = Vec::new();
    // The exec closed the other end, so this does not wait.
    (&mut status_read).take(16 * STATUS_BYTES as u64).read_to_end(&mut status)?;
    let mut pipes = Pipes::of(&mut group.child, job.stdin, job.output)?;

    let deadline = Instant::now().checked_add(job.time);
    let exit = pidfd(group.pid());
    let mut census = job.processes.map(|limit| Census::new(limit, group.pid()));
    let stop = loop {
        if job.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            break Some(Stop::Cancelled);
        }
        let now = Instant::now();
        if deadline.is_some_and(|d| now >= d) {
            break Some(Stop::Time);
        }
        if census.as_mut().is_some_and(|c| c.exceeded(now)) {
            break Some(Stop::Processes);
        }
        let mut wait = deadline.map_or(TICK, |d| d - now);
        if job.cancel.is_some() || job.processes.is_some() || exit.is_none() {
            wait = wait.min(TICK);
        }
        pipes.turn(exit.as_ref().map(|fd| fd.as_raw_fd()), wait)?;
        if pipes.overflowed {
            break Some(Stop::Output);
        }
        if group.has_ended()? {
            break None;
        }
    };
    let ended = group.finish()?;
    pipes.drain()?;
    let stop = match stop {
        Some(stop) => stop,
        None if pipes.overflowed => Stop::Output,
        None => match (ended.code(), ended.signal()) {
            (Some(code), _) => Stop::Exited(code),
            (None, signal) => Stop::Signalled(signal.unwrap_or(0)),
        },
    };
    let Pipes { stdout, stderr, .. } = pipes;
    let sandbox = job.jail.map(|jail| jail.sandbox(&status));
    Ok(Finished { stop, pid: group.pid(), stdout: stdout.data, stderr: stderr.data, sandbox })
}

/// A running child and its group; dropping it kills and reaps.
pub(super) struct Group {
    child: Child,
    reaped: bool,
}

impl Group {
    pub fn start(
        mut command: Command,
        rlimits: Rlimits,
        jail: Option<&Jail>,
        keep_fd: Option<RawFd>,
        status: RawFd,
    ) -> io::Result<Group> {
        let locks = jail.map(Jail::locks);
        // SAFETY: getpid cannot fail.
        let parent = unsafe { libc::getpid() };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let prepare = move || -> io::Result<()> {
            // SAFETY: system calls with numbers and pointers to live locals; all are async-signal-safe.
            unsafe {
                if libc::setsid() < 0 {
                    return Err(io::Error::last_os_error());
                }
                // If the thread that waits for the child dies with its process, so shall the child.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if libc::getppid() != parent {
                    libc::_exit(1);
                }
                if let Some(fd) = keep_fd {
                    libc::fcntl(fd, libc::F_SETFD, 0);
                }
                limit(libc::RLIMIT_CORE, Some(0));
                limit(libc::RLIMIT_CPU, rlimits.cpu_seconds);
                limit(libc::RLIMIT_AS, rlimits.address_space);
                limit(libc::RLIMIT_FSIZE, rlimits.file_size);
                limit(libc::RLIMIT_STACK, rlimits.stack);
            }
            if let Some(locks) = locks {
                locks.apply(status);
            }
            Ok(())
        };
        // SAFETY: `prepare` makes only async-signal-safe calls and does not allocate; the jail outlives the spawn.
        unsafe { command.pre_exec(prepare) };
        let child = command.spawn()?;
        Ok(Group { child, reaped: false })
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Our ends of standard input, output and error, for a caller that handles them itself.
    pub fn pipes(&mut self) -> io::Result<[File; 3]> {
        let gone = || io::Error::other("the child's pipes were taken before");
        let stdin = self.child.stdin.take().map(|p| File::from(OwnedFd::from(p)));
        let stdout = self.child.stdout.take().map(|p| File::from(OwnedFd::from(p)));
        let stderr = self.child.stderr.take().map(|p| File::from(OwnedFd::from(p)));
        Ok([stdin.ok_or_else(gone)?, stdout.ok_or_else(gone)?, stderr.ok_or_else(gone)?])
    }

    /// Whether the leader has ended; it is not reaped by this.
    pub fn has_ended(&self) -> io::Result<bool> {
        // SAFETY: `info` is a local that the call fills; the child is ours and not reaped.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            if libc::waitid(libc::P_PID, self.pid(), &mut info, flags) != 0 {
                let error = io::Error::last_os_error();
                return if error.kind() == io::ErrorKind::Interrupted { Ok(false) } else { Err(error) };
            }
            Ok(info.si_pid() != 0)
        }
    }

    pub fn finish(&mut self) -> io::Result<ExitStatus> {
        self.kill();
        let status = self.child.wait()?;
        self.reaped = true;
        Ok(status)
    }

    fn kill(&self) {
        // SAFETY: the leader is not reaped yet, so its number still names our group.
        unsafe {
            libc::kill(-(self.pid() as libc::pid_t), libc::SIGKILL);
            libc::kill(self.pid() as libc::pid_t, libc::SIGKILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

/// # Safety
/// Async-signal-safe: one or two system calls. A limit the system holds lower already stays as it is.
unsafe fn limit(resource: libc::__rlimit_resource_t, value: Option<u64>) {
    let Some(value) = value else { return };
    // SAFETY: the pointers are to a live local.
    unsafe {
        let mut now: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(resource, &mut now) == 0 {
            let value = value.min(now.rlim_max);
            libc::setrlimit(resource, &libc::rlimit { rlim_cur: value, rlim_max: value });
        }
    }
}

pub(super) fn pipe() -> io::Result<(File, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: the array has room for two descriptors, which belong to us afterwards.
    unsafe {
        if libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])))
    }
}

/// A descriptor that becomes readable when the process ends; `None` on kernels before 5.3.
pub(super) fn pidfd(pid: u32) -> Option<OwnedFd> {
    // SAFETY: the child is not reaped, so the number is its own; the descriptor belongs to us afterwards.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid, 0);
        (fd >= 0).then(|| OwnedFd::from_raw_fd(fd as RawFd))
    }
}

pub(super) fn set_nonblocking(fd: RawFd) -> io::Result<()> {
    // SAFETY: the descriptor is open.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags < 0 || libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// One output of the child.
struct Listener {
    file: Option<File>,
    data: Vec<u8>,
}

/// Our ends of the three pipes.
struct Pipes<'a> {
    stdin: Option<File>,
    to_write: &'a [u8],
    stdout: Listener,
    stderr: Listener,
    room: u64,
    overflowed: bool,
}

impl<'a> Pipes<'a> {
    fn of(child: &mut Child, to_write: &'a [u8], room: u64) -> io::Result<Pipes<'a>> {
        let stdin = child.stdin.take().map(|p| File::from(OwnedFd::from(p)));
        let stdout = child.stdout.take().map(|p| File::from(OwnedFd::from(p)));
        let stderr = child.stderr.take().map(|p| File::from(OwnedFd::from(p)));
        for file in [&stdin, &stdout, &stderr].into_iter().flatten() {
            set_nonblocking(file.as_raw_fd())?;
        }
        Ok(Pipes {
            stdin: stdin.filter(|_| !to_write.is_empty()),
            to_write,
            stdout: Listener { file: stdout, data: Vec::new() },
            stderr: Listener { file: stderr, data: Vec::new() },
            room,
            overflowed: false,
        })
    }

    /// Waits at most that long for anything to happen, and handles it.
    fn turn(&mut self, exit: Option<RawFd>, wait: Duration) -> io::Result<()> {
        let fd = |file: &Option<File>| file.as_ref().map_or(-1, |f| f.as_raw_fd());
        let entry = |fd, events| libc::pollfd { fd, events, revents: 0 };
        // Negative descriptors are skipped by poll.
        let mut entries = [
            entry(fd(&self.stdin), libc::POLLOUT),
            entry(fd(&self.stdout.file), libc::POLLIN),
            entry(fd(&self.stderr.file), libc::POLLIN),
            entry(exit.unwrap_or(-1), libc::POLLIN),
        ];
        let millis = wait.as_millis().clamp(1, 60_000) as libc::c_int;
        // SAFETY: the array is alive and its length is given.
        let ready = unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, millis) };
        if ready < 0 {
            let error = io::Error::last_os_error();
            return if error.kind() == io::ErrorKind::Interrupted { Ok(()) } else { Err(error) };
        }
        if entries[0].revents != 0 {
            self.write();
        }
        if entries[1].revents != 0 {
            listen(&mut self.stdout, &mut self.room, &mut self.overflowed);
        }
        if entries[2].revents != 0 {
            listen(&mut self.stderr, &mut self.room, &mut self.overflowed);
        }
        Ok(())
    }

    fn write(&mut self) {
        let Some(file) = &mut self.stdin else { return };
        match file.write(self.to_write) {
            Ok(written) => self.to_write = &self.to_write[written..],
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            // The child closed its input: what it does not want it does not get.
            Err(_) => self.to_write = &[],
        }
        if self.to_write.is_empty() {
            self.stdin = None;
        }
    }

    /// Reads what is left after the group was killed.
    fn drain(&mut self) -> io::Result<()> {
        self.stdin = None;
        let until = Instant::now() + DRAIN;
        while !self.overflowed && (self.stdout.file.is_some() || self.stderr.file.is_some()) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.turn(None, left)?;
        }
        Ok(())
    }
}

/// Takes one buffer's worth of output; more would starve the other pipe and the clock.
fn listen(listener: &mut Listener, room: &mut u64, overflowed: &mut bool) {
    let Some(file) = &mut listener.file else { return };
    let mut buffer = [0u8; 64 * 1024];
    match file.read(&mut buffer) {
        Ok(0) => listener.file = None,
        Ok(count) => {
            let kept = (count as u64).min(*room) as usize;
            listener.data.extend_from_slice(&buffer[..kept]);
            *room -= kept as u64;
            *overflowed |= kept < count;
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
        Err(_) => listener.file = None,
    }
}

/// Counts the processes of the group now and then. The kernel's own limit (`RLIMIT_NPROC`) counts all processes of
/// the user, does not bind root, and would make runs depend on what else the user does, so it is of no use here.
struct Census {
    limit: u32,
    group: u32,
    next: Instant,
    last_pid: Option<u64>,
}

impl Census {
    fn new(limit: u32, group: u32) -> Census {
        Census { limit, group, next: Instant::now() + TICK, last_pid: None }
    }

    fn exceeded(&mut self, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + TICK;
        // The youngest process number of the system tells cheaply whether anybody forked since we last counted.
        let youngest = fs::read_to_string("/proc/loadavg").ok().and_then(|l| l.split_whitespace().last()?.parse().ok());
        if youngest.is_some() && youngest == self.last_pid {
            return false;
        }
        self.last_pid = youngest;
        let exceeded = members(self.group).take(self.limit as usize + 1).count() > self.limit as usize;
        // On a machine with very many processes a count takes long; it shall not take more than a twentieth.
        self.next = Instant::now() + TICK.max(now.elapsed() * 20);
        exceeded
    }
}

/// The processes of a group, by their numbers.
fn members(group: u32) -> impl Iterator<Item = u32> {
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(move |entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name in parentheses may contain anything; after it come state, parent and group.
        let fields = &stat[stat.rfind(')')? + 1..];
        (fields.split_whitespace().nth(2)?.parse() == Ok(group)).then_some(pid)
    })
}
