//! What this host enforces: tried once, by building the walls around a child that does nothing.

use crate::child::{Start, Tried};
use crate::group::Places;
use crate::policy::Policy;
use crate::ruleset;
use crate::view::View;
use crate::walls::{Protection, Wall, Walls};
use landlock::ABI;
use std::sync::OnceLock;

/// Who children are where we are root.
pub(crate) const NOBODY: u32 = 65534;

/// The namespaces, with the wall each is part of.
pub(crate) const NAMESPACES: [(Wall, libc::c_int); 4] = [
    (Wall::View, libc::CLONE_NEWNS),
    (Wall::Processes, libc::CLONE_NEWPID),
    (Wall::Ipc, libc::CLONE_NEWIPC | libc::CLONE_NEWUTS),
    (Wall::Network, libc::CLONE_NEWNET),
];

static HOST: OnceLock<Host> = OnceLock::new();

/// What a host lets us build.
#[derive(Clone, Debug)]
pub struct Host {
    pub(crate) is_root: bool,
    /// Namespaces are made inside one of users, in which we may do anything.
    pub(crate) users: bool,
    /// Namespaces of [`NAMESPACES`] that can be made, or why not.
    pub(crate) namespaces: [Result<libc::c_int, String>; 4],
    pub(crate) proc: bool,
    pub(crate) identity: Result<(), String>,
    pub(crate) filter: Result<(), String>,
    pub(crate) landlock: Result<(), String>,
    /// The kernel counts the tasks of a user namespace by themselves.
    pub(crate) counts_tasks: bool,
    /// Where control groups can be made.
    pub(crate) groups: Option<Places>,
}

impl Host {
    /// This host, tried on the first call.
    pub fn get() -> &'static Host {
        HOST.get_or_init(Host::probe)
    }

    /// This host, if a child was started on it.
    pub fn tried() -> Option<&'static Host> {
        HOST.get()
    }

    fn probe() -> Host {
        let host = Host::probe_walls();
        let grouped = Host { groups: Places::find(), ..host.clone() };
        if grouped.groups.is_some() && grouped.works().is_ok() { grouped } else { host }
    }

    fn probe_walls() -> Host {
        // SAFETY: asks for a number.
        let is_root = unsafe { libc::geteuid() } == 0;
        let landlock = match ruleset::version() {
            ABI::Unsupported => Err("this kernel has no Landlock (Linux 5.13 or later, enabled at boot)".to_string()),
            ABI::V6 => Ok(()),
            _ => Err("this kernel's Landlock knows no signals (Linux 6.12 or later); files are protected".to_string()),
        };
        let host = Host {
            is_root,
            users: false,
            namespaces: NAMESPACES.map(|(_, flags)| Ok(flags)),
            proc: true,
            identity: Ok(()),
            filter: filters(),
            landlock,
            counts_tasks: kernel_is_at_least(5, 14),
            groups: None,
        };
        // Root needs no rights that a namespace of users would give, and sees more of other people's folders without.
        let candidates = [!is_root, is_root].map(|users| Host { users, ..host.clone() });
        for candidate in &candidates {
            for proc in [true, false] {
                let tried = Host { proc, ..candidate.clone() };
                if tried.works().is_ok() {
                    return tried;
                }
            }
        }
        let [first, second] = candidates.map(Host::find_what_works);
        if second.walls().missing().count() < first.walls().missing().count() { second } else { first }
    }

    /// Tries what is believed to work.
    fn works(&self) -> Tried {
        Start::trial(View::new(Policy::Program), self).try_walls(self)
    }

    /// Finds out what works where not everything does: who we are, without any namespaces but that of users, and then
    /// each of the others by itself.
    fn find_what_works(self) -> Host {
        let refused = |why: &str| NAMESPACES.map(|_| Err(why.to_string()));
        let mut bare = Host { proc: false, namespaces: refused("it was not tried"), ..self };
        if let Err(why) = bare.works() {
            bare.identity = Err(why.clone());
            if bare.users && bare.works().is_err() {
                // Nothing can be made without rights, and there are none.
                return Host { users: false, namespaces: refused(&why), identity: Ok(()), ..bare };
            }
        }
        let mut found = bare.clone();
        for (index, (_, flags)) in NAMESPACES.iter().enumerate() {
            let mut one = bare.clone();
            one.namespaces[index] = Ok(*flags);
            found.namespaces[index] = one.works().map(|()| *flags);
        }
        let with_proc = Host { proc: true, ..found.clone() };
        if with_proc.has(Wall::View) && with_proc.has(Wall::Processes) && with_proc.works().is_ok() {
            return with_proc;
        }
        found
    }

    pub(crate) fn has(&self, wall: Wall) -> bool {
        NAMESPACES.iter().position(|(w, _)| *w == wall).is_some_and(|index| self.namespaces[index].is_ok())
    }

    /// How processes and their memory are counted, as the end of "its processes and their memory are counted …".
    pub fn counting(&self) -> &'static str {
        match &self.groups {
            Some(places) if places.count_memory() => "by the kernel, in a control group of its own",
            Some(_) => "by the kernel (processes) and every 20 ms (memory)",
            None => "every 20 ms, because no control group can be made here",
        }
    }

    /// The walls that stand around a child of whatever kind on this host.
    pub fn walls(&self) -> Walls {
        Walls::new(|wall| {
            let result = match wall {
                Wall::Identity => self.identity.clone(),
                Wall::SystemCalls => self.filter.clone(),
                Wall::Landlock => self.landlock.clone(),
                other => {
                    let index = NAMESPACES.iter().position(|(w, _)| *w == other);
                    index.map_or(Ok(()), |index| self.namespaces[index].clone().map(|_| ()))
                }
            };
            result.map_or_else(Protection::Unavailable, |()| Protection::Enforced)
        })
    }
}

fn filters() -> Result<(), String> {
    // SAFETY: asks whether an action is known, with a pointer to a live local.
    let known = unsafe {
        let action: u32 = libc::SECCOMP_RET_ERRNO;
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action)
    };
    match known {
        0 if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) => Ok(()),
        0 => Err(format!("there is no list of system calls for {}", std::env::consts::ARCH)),
        _ => Err("this kernel has no filters of system calls (seccomp)".to_string()),
    }
}

fn kernel_is_at_least(major: u32, minor: u32) -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(['.', '-', '+']).map_while(|part| part.trim().parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (major, minor)
}
