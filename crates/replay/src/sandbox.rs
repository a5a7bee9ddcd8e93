//! What a child may touch: everything is readable, only its own directory is writable, and there is no network.
//!
//! Two mechanisms of Linux that need no privileges: Landlock for files (and, from 6.12 on, for signals), and a seccomp
//! filter for system calls. Both are prepared in the parent, because between fork and exec only async-signal-safe
//! calls are allowed; the child merely makes three system calls. Where the kernel refuses one of them the run goes on
//! and [`Sandbox`] says what was not enforced.
//!
//! The filter refuses: making sockets and `io_uring` (no network), leaving the process group (so that killing the
//! group ends everything the program started), signalling other groups, tracing other processes, and what only
//! administrators do (mounts, modules, clocks, owners). What stays possible outside the directory: changing mode and
//! times of files the user owns, since Landlock has no say there.

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::Path;

/// Whether a protection was in force during a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Protection {
    Enforced,
    /// The reason is the kernel's, worded for the user.
    Unavailable(String),
}

/// Which protections a run had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sandbox {
    /// No writing outside the run's directory.
    pub filesystem: Protection,
    /// No sockets; and no way out of the process group.
    pub network: Protection,
}

impl Sandbox {
    /// One sentence for each protection that was missing.
    pub fn notes(&self) -> Vec<String> {
        let missing = |what: &str, protection: &Protection| match protection {
            Protection::Enforced => None,
            Protection::Unavailable(why) => Some(format!("The program ran without {what}: {why}.")),
        };
        [
            missing("protection of files outside its directory", &self.filesystem),
            missing("a filter of system calls, so it could use the network", &self.network),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The prepared restrictions of one run.
pub(super) struct Jail {
    ruleset: Result<OwnedFd, String>,
    filter: Result<BpfProgram, String>,
}

/// Tags on the status pipe, each followed by the error number in four bytes.
const FILESYSTEM: u8 = b'f';
const NETWORK: u8 = b'n';
pub(super) const STATUS_BYTES: usize = 5;

impl Jail {
    pub fn new(writable: &Path) -> Jail {
        Jail { ruleset: ruleset(writable), filter: filter() }
    }

    /// What the child needs to lock itself in: plain numbers and a pointer into memory that `self` keeps alive.
    pub fn locks(&self) -> Locks {
        Locks {
            ruleset: self.ruleset.as_ref().map_or(-1, |fd| fd.as_raw_fd()),
            filter: self.filter.as_ref().map_or(std::ptr::null(), |f| f.as_ptr().cast()),
            filter_length: self.filter.as_ref().map_or(0, |f| f.len() as u16),
        }
    }

    /// The protections, given what the child wrote to the status pipe.
    pub fn sandbox(&self, status: &[u8]) -> Sandbox {
        let failed = |tag| {
            let report = status.chunks_exact(STATUS_BYTES).find(|r| r[0] == tag)?;
            let number = i32::from_ne_bytes(report[1..].try_into().expect("a report should have four bytes of number"));
            Some(io::Error::from_raw_os_error(number).to_string())
        };
        let protection = |prepared: Option<&String>, tag| match (prepared, failed(tag)) {
            (Some(why), _) => Protection::Unavailable(why.clone()),
            (None, Some(why)) => Protection::Unavailable(format!("the kernel refused it ({why})")),
            (None, None) => Protection::Enforced,
        };
        Sandbox {
            filesystem: protection(self.ruleset.as_ref().err(), FILESYSTEM),
            network: protection(self.filter.as_ref().err(), NETWORK),
        }
    }
}

/// See [`Jail::locks`].
#[derive(Clone, Copy)]
pub(super) struct Locks {
    ruleset: RawFd,
    filter: *const libc::sock_filter,
    filter_length: u16,
}

// SAFETY: the pointer is only followed in the forked child, while the `Jail` it belongs to is alive in the parent
// whose memory the child has a copy of; it is never written through.
unsafe impl Send for Locks {}
// SAFETY: as above.
unsafe impl Sync for Locks {}

impl Locks {
    /// Locks the calling process in. To be called between fork and exec: only system calls, no allocation.
    pub fn apply(self, status: RawFd) {
        // SAFETY: plain system calls with numbers; the filter's memory is alive (see the `Send` argument).
        unsafe {
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                report(status, FILESYSTEM);
                report(status, NETWORK);
                return;
            }
            if self.ruleset >= 0 && libc::syscall(libc::SYS_landlock_restrict_self, self.ruleset, 0) != 0 {
                report(status, FILESYSTEM);
            }
            if !self.filter.is_null() {
                let program = libc::sock_fprog { len: self.filter_length, filter: self.filter.cast_mut() };
                if libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program, 0, 0) != 0 {
                    report(status, NETWORK);
                }
            }
        }
    }
}

/// # Safety
/// Only system calls; `status` should be a descriptor open for writing.
unsafe fn report(status: RawFd, tag: u8) {
    // SAFETY: errno is the thread's own; the buffer is alive during the call.
    unsafe {
        let number = (*libc::__errno_location()).to_ne_bytes();
        let bytes = [tag, number[0], number[1], number[2], number[3]];
        libc::write(status, bytes.as_ptr().cast(), bytes.len());
    }
}

fn ruleset(writable: &Path) -> Result<OwnedFd, String> {
    // The truncation right came with the third version; older kernels enforce the rest.
    let abi = ABI::V3;
    let build = || -> Result<Option<OwnedFd>, Box<dyn std::error::Error>> {
        let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .scope(Scope::Signal)?
            .create()?
            .add_rule(PathBeneath::new(PathFd::new("/")?, AccessFs::from_read(abi)))?
            .add_rule(PathBeneath::new(PathFd::new(writable)?, AccessFs::from_all(abi)))?;
        for path in ["/dev/null", "/dev/zero", "/dev/full"] {
            if let Ok(fd) = PathFd::new(path) {
                rules = rules.add_rule(PathBeneath::new(fd, device))?;
            }
        }
        Ok(rules.into())
    };
    match build() {
        Ok(Some(fd)) => Ok(fd),
        Ok(None) => Err("this kernel has no Landlock (Linux 5.13 or later, enabled at boot)".to_string()),
        Err(error) => Err(format!("Landlock could not be set up ({error})")),
    }
}

fn filter() -> Result<BpfProgram, String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)
        .map_err(|_| format!("there is no system call filter for {}", std::env::consts::ARCH))?;
    let refused: &[libc::c_long] = &[
        libc::SYS_socket,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_setsid,
        libc::SYS_setpgid,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_reboot,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_clock_adjtime,
        libc::SYS_adjtimex,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_quotactl,
    ];
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = refused.iter().map(|&nr| (nr, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    rules.extend([(libc::SYS_chown, Vec::new()), (libc::SYS_lchown, Vec::new())]);
    // A negative number names another process group, or everybody (-1). As an unsigned number it is large.
    let negative = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ge, 1 << 31)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|error| error.to_string())?;
    rules.insert(libc::SYS_kill, vec![negative]);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), arch)
        .map_err(|error| error.to_string())?;
    let mut program: BpfProgram = filter.try_into().map_err(|error: seccompiler::BackendError| error.to_string())?;
    if cfg!(target_arch = "x86_64") {
        refuse_x32(&mut program);
    }
    Ok(program)
}

/// Puts in front of the filter: a system call with bit 30 set belongs to the x32 interface, which numbers the same
/// calls differently, so the list above would miss them; answer "no such call".
fn refuse_x32(program: &mut BpfProgram) {
    const X32_BIT: u32 = 1 << 30;
    let statement = |code, k| seccompiler::sock_filter { code, jt: 0, jf: 0, k };
    let (load_word, jump_ge, give) =
        (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, libc::BPF_RET);
    program.splice(
        0..0,
        [
            statement(load_word as u16, 0),
            seccompiler::sock_filter { code: jump_ge as u16, jt: 0, jf: 1, k: X32_BIT },
            statement(give as u16, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        ],
    );
}
