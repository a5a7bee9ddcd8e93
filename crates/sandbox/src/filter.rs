//! The system calls a child may make.
//!
//! An allow-list: what is not named here answers "not permitted". Calls newer than the ones known here, and those
//! whose arguments a filter cannot see (`clone3`), answer "no such call" instead, because libraries then take the older
//! way, which the list judges.
//!
//! Some calls reach outside only where another wall is missing; the list is built for the walls that stand
//! ([`Standing`]): modes, times and attributes of files may be changed where everything but the own folder is
//! read-only, signals sent where only own processes can be named.

use crate::policy::Policy;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

/// The walls that decide what else must be refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Standing {
    pub view: bool,
    pub processes: bool,
}

/// What every child may call, whatever the arguments.
#[rustfmt::skip]
const ALWAYS: &[libc::c_long] = &[
    // Files and folders; which ones is for the view and Landlock to say.
    libc::SYS_read, libc::SYS_write, libc::SYS_pread64, libc::SYS_pwrite64, libc::SYS_readv, libc::SYS_writev,
    libc::SYS_preadv, libc::SYS_pwritev, libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_openat, libc::SYS_openat2,
    libc::SYS_close, libc::SYS_close_range, libc::SYS_lseek, libc::SYS_fstat, libc::SYS_newfstatat, libc::SYS_statx,
    libc::SYS_statfs, libc::SYS_fstatfs, libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_readlinkat,
    libc::SYS_getdents64, libc::SYS_ftruncate, libc::SYS_truncate, libc::SYS_fallocate, libc::SYS_fsync,
    libc::SYS_fdatasync, libc::SYS_sync_file_range, libc::SYS_fadvise64, libc::SYS_readahead,
    libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat2, libc::SYS_linkat, libc::SYS_symlinkat,
    libc::SYS_getcwd, libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_umask, libc::SYS_dup, libc::SYS_dup3,
    libc::SYS_pipe2, libc::SYS_getxattr, libc::SYS_lgetxattr, libc::SYS_fgetxattr, libc::SYS_listxattr,
    libc::SYS_llistxattr, libc::SYS_flistxattr,
    // Waiting.
    libc::SYS_ppoll, libc::SYS_pselect6, libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2, libc::SYS_eventfd2, libc::SYS_timerfd_create, libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime, libc::SYS_signalfd4, libc::SYS_nanosleep, libc::SYS_clock_nanosleep,
    libc::SYS_restart_syscall,
    // Memory of its own.
    libc::SYS_brk, libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_mprotect, libc::SYS_madvise,
    libc::SYS_msync, libc::SYS_mincore, libc::SYS_mlock, libc::SYS_mlock2, libc::SYS_munlock, libc::SYS_mlockall,
    libc::SYS_munlockall, libc::SYS_membarrier, libc::SYS_get_mempolicy, libc::SYS_pkey_alloc, libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    // Processes and threads of its own. `clone` is below.
    libc::SYS_execve, libc::SYS_execveat, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_wait4, libc::SYS_waitid,
    libc::SYS_getpid, libc::SYS_getppid, libc::SYS_gettid, libc::SYS_getpgid, libc::SYS_getsid, libc::SYS_getuid,
    libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getegid, libc::SYS_getresuid, libc::SYS_getresgid,
    libc::SYS_getgroups, libc::SYS_capget, libc::SYS_set_tid_address, libc::SYS_set_robust_list,
    libc::SYS_get_robust_list, libc::SYS_futex, libc::SYS_futex_waitv, libc::SYS_rseq, libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity, libc::SYS_sched_getparam, libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max, libc::SYS_sched_get_priority_min, libc::SYS_sched_rr_get_interval,
    libc::SYS_getcpu, libc::SYS_getpriority, libc::SYS_getrusage, libc::SYS_times,
    // Signals to itself and timers. Signals to others are below.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigpending, libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait, libc::SYS_rt_sigreturn, libc::SYS_sigaltstack, libc::SYS_tgkill, libc::SYS_tkill,
    libc::SYS_getitimer, libc::SYS_setitimer, libc::SYS_timer_create, libc::SYS_timer_settime,
    libc::SYS_timer_gettime, libc::SYS_timer_getoverrun, libc::SYS_timer_delete,
    // What time it is, which machine this is.
    libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_gettimeofday, libc::SYS_uname, libc::SYS_sysinfo,
    libc::SYS_getrandom,
];

/// The older forms of some of these, which only this machine has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const OLDER: &[libc::c_long] = &[
    libc::SYS_open, libc::SYS_creat, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink,
    libc::SYS_getdents, libc::SYS_mkdir, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_renameat,
    libc::SYS_link, libc::SYS_symlink, libc::SYS_dup2, libc::SYS_pipe, libc::SYS_poll, libc::SYS_select,
    libc::SYS_epoll_create, libc::SYS_epoll_wait, libc::SYS_eventfd, libc::SYS_signalfd, libc::SYS_fork,
    libc::SYS_vfork, libc::SYS_getpgrp, libc::SYS_arch_prctl, libc::SYS_alarm, libc::SYS_pause, libc::SYS_time,
    libc::SYS_getrlimit,
];
#[cfg(target_arch = "aarch64")]
const OLDER: &[libc::c_long] = &[libc::SYS_renameat];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const OLDER: &[libc::c_long] = &[];

/// Modes, times and attributes: of files of the own folder where nothing else can be written to.
#[rustfmt::skip]
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchmodat2, libc::SYS_utimensat, libc::SYS_setxattr, libc::SYS_lsetxattr,
    libc::SYS_fsetxattr, libc::SYS_removexattr, libc::SYS_lremovexattr, libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")] libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")] libc::SYS_utime,
    #[cfg(target_arch = "x86_64")] libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")] libc::SYS_futimesat,
];

/// What commands that are not ours need besides: messages over pairs of connected sockets, news and locks of files.
#[rustfmt::skip]
const COMMANDS: &[libc::c_long] = &[
    libc::SYS_sendmsg, libc::SYS_recvmsg, libc::SYS_sendto, libc::SYS_recvfrom, libc::SYS_shutdown,
    libc::SYS_getsockopt, libc::SYS_setsockopt, libc::SYS_getsockname, libc::SYS_getpeername,
    libc::SYS_inotify_init1, libc::SYS_inotify_add_watch, libc::SYS_inotify_rm_watch, libc::SYS_splice,
    libc::SYS_sendfile, libc::SYS_copy_file_range, libc::SYS_flock,
];

/// The last call known when this list was made: everything later answers "no such call".
const LAST_KNOWN: u32 = 456;
const NEWER_FORMS: [u32; 1] = [libc::SYS_clone3 as u32];

/// Flags of `clone` that make namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32 as u64;

/// What may be asked of a descriptor: its size, whether it is a terminal, how much can be read.
const IOCTLS: [libc::c_ulong; 7] = [
    libc::TCGETS as libc::c_ulong,
    libc::TIOCGWINSZ as libc::c_ulong,
    libc::TIOCGPGRP as libc::c_ulong,
    libc::FIONREAD as libc::c_ulong,
    libc::FIONBIO as libc::c_ulong,
    libc::FIOCLEX as libc::c_ulong,
    libc::FIONCLEX as libc::c_ulong,
];

const PRCTLS: [libc::c_int; 11] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_DUMPABLE,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_TIMERSLACK,
    libc::PR_SET_VMA,
];

/// What `fcntl` may do: copy a descriptor, look at it and set its flags. Not choose who gets signals (which would be sent in our
/// name), make pipes large, hold leases on files that others want to write (`F_SETLEASE`), or watch folders (`F_NOTIFY`).
const FCNTLS: [libc::c_int; 13] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_OFD_GETLK,
    libc::F_GETOWN,
    libc::F_GETPIPE_SZ,
    libc::F_GET_SEALS,
    F_DUPFD_QUERY,
    F_CREATED_QUERY,
];
const F_DUPFD_QUERY: libc::c_int = 1027;
const F_CREATED_QUERY: libc::c_int = 1028;

/// Commands lock files of their own. Locks are shared with whoever has the file open outside, and a file that can only be read
/// can be locked, so that nobody else has any.
const LOCKS: [libc::c_int; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// The filter of a policy behind the given walls.
pub(crate) fn filter(policy: Policy, standing: Standing) -> Result<BpfProgram, String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)
        .map_err(|_| format!("there is no list of system calls for {}", std::env::consts::ARCH))?;
    let rules = rules(policy, standing).map_err(|error| error.to_string())?;
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch).map_err(|error| error.to_string())?;
    let mut program: BpfProgram = filter.try_into().map_err(|error: seccompiler::BackendError| error.to_string())?;
    answer_no_such_call(&mut program);
    Ok(program)
}

fn rules(policy: Policy, standing: Standing) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    use SeccompCmpOp::{Eq, Lt, MaskedEq};
    // All arguments judged here are ints; the kernel takes no notice of their upper halves.
    let is = |arg, op, value| SeccompCondition::new(arg, SeccompCmpArgLen::Dword, op, value);
    let one_of = |arg, values: &[u64]| -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
        values.iter().map(|&value| SeccompRule::new(vec![is(arg, Eq, value)?])).collect()
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    let mut allow = |calls: &[libc::c_long]| rules.extend(calls.iter().map(|&call| (call, Vec::new())));
    allow(ALWAYS);
    allow(OLDER);
    if standing.view {
        allow(ATTRIBUTES);
    }
    if policy == Policy::Command {
        allow(COMMANDS);
        // Only connected ones of streams: an unconnected one could be sent to anybody who listens.
        let pair = vec![is(0, Eq, libc::AF_UNIX as u64)?, is(1, MaskedEq(0xf), libc::SOCK_STREAM as u64)?];
        rules.insert(libc::SYS_socketpair, vec![SeccompRule::new(pair)?]);
    }
    if standing.processes {
        let mut allow = |calls: &[libc::c_long]| rules.extend(calls.iter().map(|&call| (call, Vec::new())));
        allow(&[libc::SYS_kill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]);
    } else {
        // A negative number names another group, or everybody (-1). As an unsigned number it is large.
        rules.insert(libc::SYS_kill, vec![SeccompRule::new(vec![is(0, Lt, 1 << 31)?])?]);
    }
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![is(0, MaskedEq(NAMESPACES), 0)?])?]);
    rules.insert(libc::SYS_ioctl, one_of(1, &IOCTLS.map(|request| request as u32 as u64))?);
    rules.insert(libc::SYS_prctl, one_of(0, &PRCTLS.map(|option| option as u64))?);
    let locks = if policy == Policy::Command { &LOCKS[..] } else { &[] };
    let fcntls: Vec<u64> = FCNTLS.iter().chain(locks).map(|&command| command as u64).collect();
    rules.insert(libc::SYS_fcntl, one_of(1, &fcntls)?);
    // Limits, scheduling and the like of the caller itself: zero stands for it.
    for call in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity] {
        rules.insert(call, one_of(0, &[0])?);
    }
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_setrlimit, Vec::new());
    // Asking, and switching the random layout of memory off, as sanitizers do.
    rules.insert(libc::SYS_personality, one_of(0, &[0xffff_ffff, 0, libc::ADDR_NO_RANDOMIZE as u64])?);
    // Ordinary files and named pipes, no devices.
    let kind = u64::from(libc::S_IFMT);
    for (call, arg) in [
        (libc::SYS_mknodat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
    ] {
        let kinds = [0, libc::S_IFREG, libc::S_IFIFO];
        let node: Result<Vec<_>, seccompiler::BackendError> =
            kinds.iter().map(|&k| SeccompRule::new(vec![is(arg, MaskedEq(kind), k.into())?])).collect();
        rules.insert(call, node?);
    }
    Ok(rules)
}

/// Puts in front of the filter: calls newer than our list and those whose arguments cannot be judged do not exist. On
/// x86-64 that takes the x32 interface with it, whose numbers begin at 2^30.
fn answer_no_such_call(program: &mut BpfProgram) {
    let (load_word, jump_equal, jump_greater, give) = (
        (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16,
        (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16,
        libc::BPF_RET as u16,
    );
    let statement = |code, k| seccompiler::sock_filter { code, jt: 0, jf: 0, k };
    // Each comparison skips the ones that follow, to the answer; the last one skips the answer where nothing matches.
    let count = NEWER_FORMS.len() as u8;
    let mut front = vec![statement(load_word, 0)];
    for (index, number) in NEWER_FORMS.iter().enumerate() {
        front.push(seccompiler::sock_filter { code: jump_equal, jt: count - index as u8, jf: 0, k: *number });
    }
    front.push(seccompiler::sock_filter { code: jump_greater, jt: 0, jf: 1, k: LAST_KNOWN });
    front.push(statement(give, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32));
    program.splice(0..0, front);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_never_be_on_the_list_is_not() {
        #[rustfmt::skip]
        let never = [
            libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_ptrace, libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev, libc::SYS_mount, libc::SYS_unshare, libc::SYS_setns, libc::SYS_pivot_root,
            libc::SYS_chroot, libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_keyctl,
            libc::SYS_io_uring_setup, libc::SYS_memfd_create, libc::SYS_memfd_secret, libc::SYS_setsid,
            libc::SYS_setpgid, libc::SYS_pidfd_getfd, libc::SYS_pidfd_send_signal, libc::SYS_open_by_handle_at,
            libc::SYS_setuid, libc::SYS_setresuid, libc::SYS_capset, libc::SYS_fchown, libc::SYS_fchownat,
            libc::SYS_shmget, libc::SYS_msgget, libc::SYS_semget, libc::SYS_mq_open, libc::SYS_syslog,
            libc::SYS_clock_settime, libc::SYS_settimeofday, libc::SYS_sethostname, libc::SYS_reboot,
            libc::SYS_init_module, libc::SYS_kexec_load, libc::SYS_quotactl, libc::SYS_sync, libc::SYS_setpriority,
        ];
        for policy in Policy::ALL {
            for (view, processes) in [(false, false), (true, true)] {
                let rules = rules(policy, Standing { view, processes }).unwrap();
                for call in never {
                    assert!(!rules.contains_key(&call), "call {call} should not be allowed");
                }
                assert_eq!(view, rules.contains_key(&libc::SYS_fchmodat));
                assert!(filter(policy, Standing { view, processes }).is_ok());
            }
        }
    }
}
