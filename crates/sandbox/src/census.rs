//! Counts a child's processes and their memory, now and then.
//!
//! The kernel's own limit on tasks makes `fork` fail, which a program may take for something else; counting ends the run
//! and says why. Its limit on address space holds for each process; the memory of all of them together is counted here.
//! Between two looks a child can have more than it should, as much as it can get in 20 ms, unless a control group holds it
//! (`group`).

use crate::run::Stop;
use std::fs;
use std::time::{Duration, Instant};

/// How often we look.
const TICK: Duration = Duration::from_millis(20);

pub(crate) struct Census {
    processes: u32,
    memory: u64,
    session: u32,
    next: Instant,
    last_pid: Option<u64>,
    had_several: bool,
}

impl Census {
    /// `None` where there is nothing to count.
    pub fn new(processes: Option<u32>, memory: Option<u64>, session: u32) -> Option<Census> {
        if processes.is_none() && memory.is_none() {
            return None;
        }
        Some(Census {
            processes: processes.unwrap_or(u32::MAX),
            memory: memory.unwrap_or(u64::MAX),
            session,
            next: Instant::now() + TICK,
            last_pid: None,
            had_several: false,
        })
    }

    /// `ran_out` asks the kernel, which may have ended one process and left others waiting for it.
    pub fn exceeded(&mut self, now: Instant, ran_out: impl FnOnce() -> bool) -> Option<Stop> {
        if now < self.next {
            return None;
        }
        self.next = now + TICK;
        if ran_out() {
            return Some(Stop::Memory);
        }
        // The youngest process number of the system tells cheaply whether anybody forked since we last counted.
        let youngest = fs::read_to_string("/proc/loadavg").ok().and_then(|l| l.split_whitespace().last()?.parse().ok());
        if youngest.is_some() && youngest == self.last_pid && !self.had_several {
            return None;
        }
        self.last_pid = youngest;
        // One of them is our own process, the first of the session.
        let most = (self.processes as usize).saturating_add(1);
        let members: Vec<u32> = members(self.session).filter(|pid| *pid != self.session).take(most).collect();
        // One process alone is held by its limit on address space.
        self.had_several = members.len() > 1 && self.memory != u64::MAX;
        // On a machine with very many processes a count takes long; it shall not take more than a twentieth.
        self.next = Instant::now() + TICK.max(now.elapsed() * 20);
        if members.len() >= most {
            return Some(Stop::Processes);
        }
        if self.had_several && self.memory_of(&members) > self.memory {
            return Some(Stop::Memory);
        }
        None
    }

    /// Bytes of memory that nobody but these processes uses. Pages that several of them share count once, as far as the
    /// kernel tells.
    fn memory_of(&self, members: &[u32]) -> u64 {
        let quick: u64 = members.iter().filter_map(|pid| private_pages(*pid)).sum::<u64>() * 4096;
        if quick <= self.memory {
            return quick;
        }
        members.iter().filter_map(|pid| proportional(*pid)).sum()
    }
}

/// Resident pages that belong to no file, shared ones included.
fn private_pages(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let mut fields = text.split_whitespace().skip(1).map_while(|f| f.parse::<u64>().ok());
    let (resident, shared) = (fields.next()?, fields.next()?);
    Some(resident.saturating_sub(shared))
}

/// Resident bytes that belong to no file, each page divided by the number of its users.
fn proportional(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss_Anon:"))?;
    Some(line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()? * 1024)
}

/// The processes of a session, by their numbers.
fn members(session: u32) -> impl Iterator<Item = u32> {
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(move |entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name in parentheses may contain anything; after it come state, parent, group and session.
        let fields = &stat[stat.rfind(')')? + 1..];
        (fields.split_whitespace().nth(3)?.parse() == Ok(session)).then_some(pid)
    })
}
