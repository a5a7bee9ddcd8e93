//! One child from its start to its end: feeds it, listens to it, watches its limits.
//!
//! One loop waits for the pipes and the end at the same time. The whole of the child is ended before the outputs are
//! read to their end, so a process that outlives the program cannot keep a pipe open for us to wait on.

use crate::census::Census;
use crate::child::{Child, Start};
use crate::walls::Walls;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often we look at the cancel flag and at the number of processes.
const TICK: Duration = Duration::from_millis(20);
/// How long killed processes may take to close their pipes.
const DRAIN: Duration = Duration::from_secs(2);

/// A child to be run to its end.
#[derive(Debug)]
pub struct Job<'a> {
    pub start: Start<'a>,
    pub stdin: &'a [u8],
    pub time: Duration,
    /// Bytes of both outputs together.
    pub output: u64,
    /// Processes alive at a time, and the memory of all of them together, in bytes.
    pub processes: Option<u32>,
    pub memory: Option<u64>,
    pub cancel: Option<&'a AtomicBool>,
}

/// Why a child is no longer there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Exited(i32),
    Signalled(i32),
    Time,
    Output,
    Processes,
    Memory,
    Cancelled,
}

#[derive(Debug)]
pub struct Finished {
    pub stop: Stop,
    /// The program's number, as the program saw it.
    pub program: u32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub walls: Walls,
    /// The file system that the child had for itself, with what it left there.
    pub own: Option<OwnedFd>,
}

/// Runs the job to its end. An error means that the child could not be started or the kernel failed us.
pub fn run(job: Job<'_>) -> io::Result<Finished> {
    let stdout = Listener::default();
    let (finished, stdout) = listen_to(job, stdout)?;
    Ok(Finished { stdout: stdout.data, ..finished })
}

/// Runs the job and hands over its standard output piece by piece; what the function answers is whether to go on.
/// Standard output then has no limit but that function's.
pub fn run_with(job: Job<'_>, each: &mut dyn FnMut(&[u8]) -> bool) -> io::Result<Finished> {
    let listener = Listener { each: Some(each), ..Listener::default() };
    let (finished, _) = listen_to(job, listener)?;
    Ok(finished)
}

fn listen_to<'f>(job: Job<'_>, stdout: Listener<'f>) -> io::Result<(Finished, Listener<'f>)> {
    let start = Start { memory: job.memory, ..job.start };
    let mut child = start.start()?;
    let mut pipes = Pipes::of(&mut child, stdout, job.stdin, job.output)?;
    let deadline = Instant::now().checked_add(job.time);
    let mut census = Census::new(job.processes, job.memory, child.session());
    let stop = loop {
        if job.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            break Some(Stop::Cancelled);
        }
        let now = Instant::now();
        if deadline.is_some_and(|d| now >= d) {
            break Some(Stop::Time);
        }
        if let Some(stop) = census.as_mut().and_then(|c| c.exceeded(now, || child.ran_out_of_memory())) {
            break Some(stop);
        }
        let mut wait = deadline.map_or(TICK, |d| d - now);
        if job.cancel.is_some() || census.is_some() {
            wait = wait.min(TICK);
        }
        pipes.turn(Some(child.end()), wait)?;
        if pipes.overflowed {
            break Some(Stop::Output);
        }
        if child.has_ended()? {
            break None;
        }
    };
    let ended = child.finish()?;
    pipes.drain()?;
    let stop = match stop {
        Some(stop) => stop,
        None if child.ran_out_of_memory() => Stop::Memory,
        None if pipes.overflowed => Stop::Output,
        None => match (ended.code(), ended.signal()) {
            (Some(code), _) => Stop::Exited(code),
            (None, signal) => Stop::Signalled(signal.unwrap_or(0)),
        },
    };
    let Pipes { stdout, stderr, .. } = pipes;
    let finished = Finished {
        stop,
        program: child.program(),
        stdout: Vec::new(),
        stderr: stderr.data,
        walls: child.walls().clone(),
        own: child.take_own(),
    };
    Ok((finished, stdout))
}

/// Makes reads and writes of a descriptor come back at once.
pub fn set_nonblocking(fd: RawFd) -> io::Result<()> {
    // SAFETY: the descriptor is open.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags < 0 || libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Gets output piece by piece and says whether to go on.
type Each<'f> = &'f mut dyn FnMut(&[u8]) -> bool;

/// One output of the child.
#[derive(Default)]
struct Listener<'f> {
    file: Option<File>,
    data: Vec<u8>,
    each: Option<Each<'f>>,
}

/// Our ends of the three pipes.
struct Pipes<'a, 'f> {
    stdin: Option<File>,
    to_write: &'a [u8],
    stdout: Listener<'f>,
    stderr: Listener<'f>,
    room: u64,
    overflowed: bool,
}

impl<'a, 'f> Pipes<'a, 'f> {
    fn of(child: &mut Child, stdout: Listener<'f>, to_write: &'a [u8], room: u64) -> io::Result<Pipes<'a, 'f>> {
        let [stdin, out, err] = child.pipes()?;
        for file in [&stdin, &out, &err] {
            set_nonblocking(file.as_raw_fd())?;
        }
        if stdout.each.is_some() {
            // A larger pipe lets the child and us wait for each other less; a smaller one does as well.
            // SAFETY: the descriptor is open.
            unsafe { libc::fcntl(out.as_raw_fd(), libc::F_SETPIPE_SZ, 1 << 20) };
        }
        Ok(Pipes {
            stdin: Some(stdin).filter(|_| !to_write.is_empty()),
            to_write,
            stdout: Listener { file: Some(out), ..stdout },
            stderr: Listener { file: Some(err), ..Listener::default() },
            room,
            overflowed: false,
        })
    }

    /// Waits at most that long for anything to happen, and handles it.
    fn turn(&mut self, end: Option<RawFd>, wait: Duration) -> io::Result<()> {
        let fd = |file: &Option<File>| file.as_ref().map_or(-1, |f| f.as_raw_fd());
        let entry = |fd, events| libc::pollfd { fd, events, revents: 0 };
        // Negative descriptors are skipped by poll.
        let mut entries = [
            entry(fd(&self.stdin), libc::POLLOUT),
            entry(fd(&self.stdout.file), libc::POLLIN),
            entry(fd(&self.stderr.file), libc::POLLIN),
            entry(end.unwrap_or(-1), libc::POLLIN),
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

    /// Reads what is left after the child was ended.
    fn drain(&mut self) -> io::Result<()> {
        self.stdin = None;
        let deadline = Instant::now() + DRAIN;
        while !self.overflowed && (self.stdout.file.is_some() || self.stderr.file.is_some()) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.turn(None, left)?;
        }
        Ok(())
    }
}

/// Takes one buffer's worth of output; more would starve the other pipe and the clock.
fn listen(listener: &mut Listener<'_>, room: &mut u64, overflowed: &mut bool) {
    let Some(file) = &mut listener.file else { return };
    let mut buffer = [0u8; 64 * 1024];
    match file.read(&mut buffer) {
        Ok(0) => listener.file = None,
        Ok(count) => match &mut listener.each {
            Some(each) => *overflowed |= !each(&buffer[..count]),
            None => {
                let kept = (count as u64).min(*room) as usize;
                listener.data.extend_from_slice(&buffer[..kept]);
                *room -= kept as u64;
                *overflowed |= kept < count;
            }
        },
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
        Err(_) => listener.file = None,
    }
}
