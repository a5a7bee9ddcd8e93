//! What this host enforces: tried once, by building the walls around a child that does nothing.

use crate::child::{Start, Tried};
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
}

impl Host {
    /// This host, tried on the first call.
    pub fn get() -> &'static Host {
        static HOST: OnceLock<Host> = OnceLock::new();
        HOST.get_or_init(Host::probe)
    }

    fn probe() -> Host {
        // SAFETY: asks for a number.
        let is_root = unsafe { libc::geteuid() } == 0;
        let mut host =
            Host {
                is_root,
                users: true,
                namespaces: NAMESPACES.map(|(_, flags)| Ok(flags)),
                proc: true,
                identity: Ok(()),
                filter: filters(),
                landlock: match ruleset::version() {
                    ABI::Unsupported => {
                        Err("this kernel has no Landlock (Linux 5.13 or later, enabled at boot)".to_string())
                    }
                    ABI::V6 => Ok(()),
                    _ => Err("this kernel's Landlock knows no signals (Linux 6.12 or later); files are protected"
                        .to_string()),
                },
                counts_tasks: kernel_is_at_least(5, 14),
            };
        if host.works().is_err() {
            host.find_what_works();
        }
        host
    }

    /// Tries what is believed to work.
    fn works(&self) -> Tried {
        Start::trial(View::new(Policy::Program), self).try_walls(self)
    }

    /// Finds out what works where not everything does: everything but one thing, then each by itself.
    fn find_what_works(&mut self) {
        let refused = || Err("not tried".to_string());
        let without_proc = Host { proc: false, ..self.clone() };
        if without_proc.works().is_ok() {
            self.proc = false;
            return;
        }
        let mut bare = Host { proc: false, namespaces: [(); 4].map(|()| refused()), ..self.clone() };
        // Who we are is settled first, without any namespaces but that of users.
        let mut why_no_users = None;
        if let Err(why) = bare.works() {
            let same_user = Host { identity: Err(why.clone()), ..bare.clone() };
            if same_user.works().is_ok() {
                bare = same_user;
            } else {
                bare.users = false;
                if let Err(reason) = bare.works() {
                    bare.identity = Err(reason);
                }
                why_no_users = Some(why);
            }
        }
        let mut found = bare.clone();
        for (index, (_, flags)) in NAMESPACES.iter().enumerate() {
            let mut one = bare.clone();
            one.namespaces[index] = Ok(*flags);
            found.namespaces[index] = match one.works() {
                Ok(()) => Ok(*flags),
                Err(why) => Err(match &why_no_users {
                    Some(users) if !self.is_root => users.clone(),
                    _ => why,
                }),
            };
        }
        if found.has(Wall::View) && found.has(Wall::Processes) {
            found.proc = true;
            found.proc = found.works().is_ok();
        }
        *self = found;
    }

    pub(crate) fn has(&self, wall: Wall) -> bool {
        NAMESPACES.iter().position(|(w, _)| *w == wall).is_some_and(|index| self.namespaces[index].is_ok())
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
