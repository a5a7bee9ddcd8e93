//! From our process to the program: what the child does between `clone` and `execve`.
//!
//! ```text
//! plumb ── clone ──▶ init (first process of its namespaces) ── clone, sharing memory ──▶ the program ── execve
//!   ▲                 │ builds the view, becomes nobody, drops capabilities
//!   └── control ──────┘ waits; tells how the program ended; ends, and everything inside with it
//! ```
//!
//! The child of a process with threads may make nothing but system calls, so everything is prepared beforehand
//! ([`Plan`]): names as C strings, the filter, arrays of pointers. The init process is a copy of ours that never runs
//! anything else; it cannot be traced or read by the program, and the program's signals do not reach it.
//!
//! *Invariants.* A step that was planned and fails ends the child: there are no half-built walls. When our process
//! ends, however it does, init sees the control socket close and ends with all its descendants; inside a process
//! namespace the kernel sees to that even if init is killed.

use std::ffi::{CStr, CString};
use std::os::fd::RawFd;
use std::ptr;

/// The steps, for messages when one fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Step {
    Session = 1,
    Mapped,
    Private,
    Tree,
    Root,
    Own,
    Place,
    Proc,
    Pivot,
    Identity,
    Capabilities,
    Files,
    Descriptors,
    Folder,
    Limits,
    Privileges,
    Landlock,
    Filter,
    Fork,
    Group,
}

impl Step {
    const ALL: [(Step, &'static str); 20] = [
        (Step::Session, "a session of its own"),
        (Step::Mapped, "the users of its namespace"),
        (Step::Private, "mounts of its own"),
        (Step::Tree, "a part of its file system"),
        (Step::Root, "the root of its file system"),
        (Step::Own, "a folder of its own"),
        (Step::Place, "its file system"),
        (Step::Proc, "its /proc"),
        (Step::Pivot, "its root folder"),
        (Step::Identity, "a user without rights"),
        (Step::Capabilities, "dropping capabilities"),
        (Step::Files, "the files it starts with"),
        (Step::Descriptors, "its descriptors"),
        (Step::Folder, "the folder it runs in"),
        (Step::Limits, "its limits"),
        (Step::Privileges, "giving up new privileges"),
        (Step::Landlock, "Landlock"),
        (Step::Filter, "the filter of system calls"),
        (Step::Fork, "its process"),
        (Step::Group, "its control group"),
    ];

    pub fn name(number: i32) -> &'static str {
        Step::ALL.iter().find(|(step, _)| *step as i32 == number).map_or("a step of its start", |(_, name)| name)
    }
}

/// What init says on the control socket: a word and two numbers.
pub(crate) const MESSAGE: usize = 12;
pub(crate) const FAILED: i32 = 1;
pub(crate) const NOT_EXECUTED: i32 = 2;
pub(crate) const STARTED: i32 = 3;
pub(crate) const ENDED: i32 = 4;

/// A mount to be made of a path of the host.
pub(crate) struct Tree {
    pub source: CString,
    /// Relative to the new root.
    pub target: CString,
    pub is_dir: bool,
    pub attributes: u64,
    /// Filled in by the child.
    pub fd: RawFd,
}

pub(crate) struct Mounts {
    /// Folders of the new root, parents first.
    pub folders: Vec<CString>,
    pub links: Vec<(CString, CString)>,
    pub trees: Vec<Tree>,
    /// A file system in memory: where, and its size as text.
    pub own: Option<(CString, CString)>,
    /// Mounts inside the own folder, made after it.
    pub shared: Vec<Tree>,
    pub proc: bool,
    /// A folder of the host to build the new root over.
    pub anchor: CString,
}

/// A file to put into the own folder before the program starts.
pub(crate) struct StartFile {
    /// Relative to the own folder, with the folders on the way.
    pub folders: Vec<CString>,
    pub path: CString,
    pub contents: *const u8,
    pub length: usize,
}

/// Everything the child needs, prepared. Pointers lead into memory that the caller keeps until the child has started.
pub(crate) struct Plan {
    pub namespaces: libc::c_int,
    /// Wait for a byte on the control socket: the maps of users are written by the parent.
    pub is_mapped: bool,
    pub has_pid_namespace: bool,
    pub control: RawFd,
    pub stdio: [RawFd; 3],
    /// Becomes descriptor 3.
    pub channel: RawFd,
    pub mounts: Option<Mounts>,
    /// The own folder where it is not made by `mounts`.
    pub own: Option<CString>,
    pub files: Vec<StartFile>,
    /// Send the own folder's descriptor.
    pub give_own: bool,
    pub identity: Option<(libc::uid_t, libc::gid_t)>,
    pub clear_groups: bool,
    pub drop_capabilities: bool,
    pub folder: CString,
    pub limits: Vec<(libc::__rlimit_resource_t, u64)>,
    pub ruleset: RawFd,
    pub own_rights: u64,
    pub reading_rights: u64,
    pub filter: *const libc::sock_filter,
    pub filter_length: u16,
    /// Null where the child is only to try the walls.
    pub program: *const libc::c_char,
    pub arguments: *const *const libc::c_char,
    pub environment: *const *const libc::c_char,
    /// The stack of the program's process until it is executed.
    pub stack: *mut u8,
    pub stack_size: usize,
    /// Where the program's process leaves the step that failed and its error number.
    pub failure: [i32; 2],
    /// The descriptors that init keeps, in ascending order.
    pub kept: Vec<RawFd>,
    /// What it writes to in order to join its control groups.
    pub entries: Vec<RawFd>,
}

fn errno() -> i32 {
    // SAFETY: the thread's own.
    unsafe { *libc::__errno_location() }
}

/// # Safety
/// To be called in a process that `clone` has just made, with nothing but system calls allowed. Does not return.
pub(crate) unsafe fn init(plan: &mut Plan) -> ! {
    // SAFETY: system calls on prepared memory; see `Plan`.
    unsafe {
        if let Err(step) = build(plan) {
            say(plan.control, FAILED, step as i32, errno(), -1);
            libc::_exit(1);
        }
        let own = if plan.give_own { own_folder(plan) } else { -1 };
        if plan.program.is_null() {
            say(plan.control, STARTED, 0, 0, own);
            libc::_exit(0);
        }
        let top = plan.stack.add(plan.stack_size);
        let argument = ptr::from_mut(plan).cast::<libc::c_void>();
        // The memory is shared and we wait until the program is executed, so nothing is copied.
        let program = libc::clone(execute, top.cast(), libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD, argument);
        if program < 0 {
            say(plan.control, FAILED, Step::Fork as i32, errno(), -1);
            libc::_exit(1);
        }
        if plan.failure[0] != 0 {
            libc::waitpid(program, ptr::null_mut(), 0);
            let word = if plan.failure[0] == i32::MAX { NOT_EXECUTED } else { FAILED };
            say(plan.control, word, plan.failure[0], plan.failure[1], -1);
            libc::_exit(1);
        }
        say(plan.control, STARTED, program, 0, own);
        for fd in plan.stdio {
            libc::close(fd);
        }
        attend(plan, program)
    }
}

/// Waits for the program's end or ours, and leaves nobody behind.
unsafe fn attend(plan: &Plan, program: libc::pid_t) -> ! {
    // SAFETY: system calls with live locals.
    unsafe {
        let pidfd = libc::syscall(libc::SYS_pidfd_open, program, 0) as RawFd;
        let mut entries = [
            libc::pollfd { fd: plan.control, events: libc::POLLIN, revents: 0 },
            libc::pollfd { fd: pidfd, events: libc::POLLIN, revents: 0 },
        ];
        let mut info: libc::siginfo_t = std::mem::zeroed();
        loop {
            // Nothing is ever sent to us after the start: what can be read is the end of the other side.
            let wait = if pidfd < 0 { 10 } else { -1 };
            libc::poll(entries.as_mut_ptr(), 2, wait);
            if entries[0].revents != 0 {
                libc::kill(-program, libc::SIGKILL);
                libc::kill(program, libc::SIGKILL);
                break;
            }
            // Orphans that became ours are reaped; the program itself is kept until its group is killed, so that the
            // group's number cannot be used again.
            libc::waitid(libc::P_PID, program as libc::id_t, &mut info, libc::WEXITED | libc::WNOHANG | libc::WNOWAIT);
            if info.si_pid() == program {
                break;
            }
        }
        libc::kill(-program, libc::SIGKILL);
        let mut status = 0;
        libc::waitpid(program, &mut status, 0);
        say(plan.control, ENDED, status, 0, -1);
        if !plan.has_pid_namespace {
            // Outside a namespace orphans come to us, because we asked to be their reaper.
            while libc::waitpid(-1, ptr::null_mut(), 0) > 0 || errno() == libc::EINTR {}
        }
        libc::_exit(0)
    }
}

unsafe fn own_folder(plan: &Plan) -> RawFd {
    // SAFETY: the name is a C string.
    plan.own
        .as_ref()
        .map_or(-1, |own| unsafe { libc::open(own.as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) })
}

/// Sends a message, with a descriptor where it is not negative.
unsafe fn say(control: RawFd, word: i32, first: i32, second: i32, fd: RawFd) {
    // SAFETY: all pointers are to live locals; the buffer for the descriptor has the room that the macros ask for.
    unsafe {
        let mut text = [0u8; MESSAGE];
        text[..4].copy_from_slice(&word.to_ne_bytes());
        text[4..8].copy_from_slice(&first.to_ne_bytes());
        text[8..].copy_from_slice(&second.to_ne_bytes());
        let mut vector = libc::iovec { iov_base: text.as_mut_ptr().cast(), iov_len: MESSAGE };
        let mut room = [0u64; 4];
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &mut vector;
        message.msg_iovlen = 1;
        if fd >= 0 {
            message.msg_control = room.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(4) as _;
            let header = libc::CMSG_FIRSTHDR(&message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(4) as _;
            libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(fd);
        }
        libc::sendmsg(control, &message, libc::MSG_NOSIGNAL);
    }
}

fn check(result: libc::c_long, step: Step) -> Result<libc::c_long, Step> {
    if result < 0 { Err(step) } else { Ok(result) }
}

/// Everything that init does for itself and the program alike.
unsafe fn build(plan: &mut Plan) -> Result<(), Step> {
    // SAFETY: system calls on prepared memory.
    unsafe {
        check(libc::setsid().into(), Step::Session)?;
        for entry in &plan.entries {
            check(libc::write(*entry, c"0".as_ptr().cast(), 1) as libc::c_long, Step::Group)?;
        }
        // Above all our parent's ends of other children's sockets: they must be seen to close when our parent ends.
        close_all_but(&plan.kept)?;
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        if plan.is_mapped {
            let mut byte = 0u8;
            if libc::read(plan.control, (&raw mut byte).cast(), 1) != 1 {
                return Err(Step::Mapped);
            }
        }
        if plan.mounts.is_some() {
            mount_all(plan)?;
        }
        become_nobody(plan)?;
        if let Some(own) = &plan.own {
            let folder = libc::open(own.as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC);
            check(folder.into(), Step::Own)?;
            write_files(plan, folder)?;
            if plan.ruleset >= 0 {
                add_rule(plan.ruleset, folder, plan.own_rights);
            }
            libc::close(folder);
        }
        if plan.ruleset >= 0 && plan.mounts.as_ref().is_some_and(|mounts| mounts.proc) {
            let proc = libc::open(c"/proc".as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
            add_rule(plan.ruleset, proc, plan.reading_rights);
            libc::close(proc);
        }
        // Nobody who is like us may look into our memory, which is a copy of our parent's.
        libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into(), Step::Privileges)?;
        Ok(())
    }
}

#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

unsafe fn add_rule(ruleset: RawFd, folder: RawFd, allowed: u64) {
    let rule = PathBeneath { allowed, parent: folder };
    // SAFETY: the rule is a live local. A rule that is refused only allows less.
    unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset, 1, &raw const rule, 0) };
}

const OPEN_TREE_CLONE: libc::c_uint = 1;
const MOVE_MOUNT_F_EMPTY_PATH: libc::c_uint = 4;
const FSCONFIG_SET_STRING: libc::c_uint = 1;
const FSCONFIG_CMD_CREATE: libc::c_uint = 6;
pub(crate) const READ_ONLY: u64 = 1;
pub(crate) const NO_SUID: u64 = 2;
pub(crate) const NO_DEVICES: u64 = 4;

#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    users: u64,
}

/// A copy of part of the host's file system, with its attributes, not yet anywhere.
unsafe fn take(tree: &mut Tree) -> Result<(), Step> {
    // SAFETY: names are C strings, the attributes a live local.
    unsafe {
        let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC as libc::c_uint | libc::AT_RECURSIVE as libc::c_uint;
        let fd = libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, tree.source.as_ptr(), flags);
        tree.fd = check(fd, Step::Tree)? as RawFd;
        set_attributes(tree.fd, tree.attributes)
    }
}

unsafe fn set_attributes(mount: RawFd, set: u64) -> Result<(), Step> {
    let attributes = MountAttributes { set, clear: 0, propagation: 0, users: 0 };
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    // SAFETY: the attributes are a live local.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount,
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size_of_val(&attributes),
        )
    };
    check(result, Step::Tree).map(|_| ())
}

unsafe fn put(mount: RawFd, root: RawFd, target: &CString) -> Result<(), Step> {
    // SAFETY: names are C strings.
    let result = unsafe {
        libc::syscall(libc::SYS_move_mount, mount, c"".as_ptr(), root, target.as_ptr(), MOVE_MOUNT_F_EMPTY_PATH)
    };
    check(result, Step::Place)?;
    // SAFETY: the descriptor is ours.
    unsafe { libc::close(mount) };
    Ok(())
}

/// A file system in memory, not yet anywhere.
unsafe fn memory(size: &CStr, step: Step) -> Result<RawFd, Step> {
    // SAFETY: names are C strings.
    unsafe {
        let context = check(libc::syscall(libc::SYS_fsopen, c"tmpfs".as_ptr(), 1), step)? as RawFd;
        for (key, value) in [(c"size", size), (c"mode", c"0755"), (c"nr_inodes", c"100000")] {
            let set = libc::syscall(libc::SYS_fsconfig, context, FSCONFIG_SET_STRING, key.as_ptr(), value.as_ptr(), 0);
            check(set, step)?;
        }
        check(libc::syscall(libc::SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0), step)?;
        let mount = check(libc::syscall(libc::SYS_fsmount, context, 1, NO_SUID | NO_DEVICES), step)? as RawFd;
        libc::close(context);
        Ok(mount)
    }
}

unsafe fn mount_all(plan: &mut Plan) -> Result<(), Step> {
    // SAFETY: names are C strings; `mounts` is there, because the caller looked.
    unsafe {
        let Some(mounts) = plan.mounts.as_mut() else { return Ok(()) };
        let none = ptr::null();
        let private = libc::mount(none, c"/".as_ptr(), none, libc::MS_REC | libc::MS_PRIVATE, ptr::null());
        check(private.into(), Step::Private)?;
        // The modes of folders are those written here.
        libc::umask(0);
        for tree in mounts.trees.iter_mut().chain(&mut mounts.shared) {
            take(tree)?;
        }
        // In a namespace of users who we were has no number, and without one nothing can be made. Rights stay.
        if plan.is_mapped {
            change_user(plan.identity)?;
        }
        let root = memory(c"1m", Step::Root)?;
        let over = libc::syscall(
            libc::SYS_move_mount,
            root,
            c"".as_ptr(),
            libc::AT_FDCWD,
            mounts.anchor.as_ptr(),
            MOVE_MOUNT_F_EMPTY_PATH,
        );
        check(over, Step::Root)?;
        for folder in &mounts.folders {
            libc::mkdirat(root, folder.as_ptr(), 0o755);
        }
        for (at, target) in &mounts.links {
            libc::symlinkat(target.as_ptr(), root, at.as_ptr());
        }
        for tree in &mounts.trees {
            mount_point(root, tree);
            put(tree.fd, root, &tree.target)?;
        }
        if let Some((target, size)) = &mounts.own {
            let own = memory(size, Step::Own)?;
            if let Some((uid, gid)) = plan.identity {
                let given = libc::fchownat(own, c"".as_ptr(), uid, gid, libc::AT_EMPTY_PATH);
                check(given.into(), Step::Own)?;
            }
            for tree in &mounts.shared {
                let file =
                    libc::openat(own, tree.target.as_ptr(), libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC, 0o600);
                libc::close(file);
            }
            let keep = libc::fcntl(own, libc::F_DUPFD_CLOEXEC, 0);
            put(own, root, target)?;
            for tree in &mounts.shared {
                put(tree.fd, keep, &tree.target)?;
            }
            libc::close(keep);
        }
        check(libc::fchdir(root).into(), Step::Pivot)?;
        if mounts.proc {
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
            // Only processes, and of those only the ones that the reader could trace: not the first one.
            let options = c"subset=pid,hidepid=ptraceable".as_ptr().cast();
            let made = libc::mount(c"proc".as_ptr(), c"proc".as_ptr(), c"proc".as_ptr(), flags, options);
            check(made.into(), Step::Proc)?;
        }
        check(libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()), Step::Pivot)?;
        check(libc::umount2(c".".as_ptr(), libc::MNT_DETACH).into(), Step::Pivot)?;
        check(libc::chdir(c"/".as_ptr()).into(), Step::Pivot)?;
        // Everything is in its place: the root itself becomes read-only.
        let attributes = MountAttributes { set: READ_ONLY | NO_SUID | NO_DEVICES, clear: 0, propagation: 0, users: 0 };
        let closed = libc::syscall(
            libc::SYS_mount_setattr,
            root,
            c"".as_ptr(),
            libc::AT_EMPTY_PATH,
            &raw const attributes,
            size_of_val(&attributes),
        );
        check(closed, Step::Root)?;
        libc::close(root);
        libc::umask(0o022);
        Ok(())
    }
}

unsafe fn mount_point(root: RawFd, tree: &Tree) {
    // SAFETY: names are C strings. Where something is there already, it serves.
    unsafe {
        if tree.is_dir {
            libc::mkdirat(root, tree.target.as_ptr(), 0o755);
        } else {
            let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC | libc::O_EXCL;
            libc::close(libc::openat(root, tree.target.as_ptr(), flags, 0o644));
        }
    }
}

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: i32,
}

unsafe fn become_nobody(plan: &Plan) -> Result<(), Step> {
    // SAFETY: system calls with numbers and live locals.
    unsafe {
        if plan.clear_groups {
            check(libc::syscall(libc::SYS_setgroups, 0, ptr::null::<libc::gid_t>()), Step::Identity)?;
        }
        if plan.drop_capabilities {
            // The bounding set while we may still change it; and root's number means nothing from here on.
            for capability in 0..64 {
                if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 {
                    break;
                }
            }
            // Every bit of `PR_SET_SECUREBITS` and its lock, but not the one that keeps capabilities.
            libc::prctl(libc::PR_SET_SECUREBITS, 0b1110_1111, 0, 0, 0);
        }
        change_user(plan.identity)?;
        if plan.drop_capabilities {
            let header = CapabilityHeader { version: 0x2008_0522, pid: 0 };
            let none = [0u32; 6];
            check(libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr()), Step::Capabilities)?;
            libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        }
        Ok(())
    }
}

/// The system calls themselves: the library's functions change all threads, of which there are none here, with locks that
/// another thread may have held when we were made.
unsafe fn change_user(identity: Option<(libc::uid_t, libc::gid_t)>) -> Result<(), Step> {
    if let Some((uid, gid)) = identity {
        // SAFETY: system calls with numbers.
        unsafe {
            check(libc::syscall(libc::SYS_setresgid, gid, gid, gid), Step::Identity)?;
            check(libc::syscall(libc::SYS_setresuid, uid, uid, uid), Step::Identity)?;
        }
    }
    Ok(())
}

unsafe fn write_files(plan: &Plan, folder: RawFd) -> Result<(), Step> {
    // SAFETY: names are C strings; contents are alive in the parent when we were copied.
    unsafe {
        for file in &plan.files {
            for above in &file.folders {
                libc::mkdirat(folder, above.as_ptr(), 0o755);
            }
            let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC | libc::O_NOFOLLOW | libc::O_CLOEXEC;
            let fd = libc::openat(folder, file.path.as_ptr(), flags, 0o644);
            check(fd.into(), Step::Files)?;
            let mut written = 0;
            while written < file.length {
                let count = libc::write(fd, file.contents.add(written).cast(), file.length - written);
                if count < 0 && errno() != libc::EINTR {
                    return Err(Step::Files);
                }
                written += count.max(0) as usize;
            }
            libc::close(fd);
        }
        Ok(())
    }
}

/// The program's process: shares init's memory until it is executed.
extern "C" fn execute(plan: *mut libc::c_void) -> libc::c_int {
    // SAFETY: init passes its plan and waits; nobody else uses it meanwhile.
    unsafe {
        let plan = &mut *plan.cast::<Plan>();
        match last_steps(plan) {
            Err(step) => plan.failure = [step as i32, errno()],
            Ok(()) => {
                libc::execve(plan.program, plan.arguments, plan.environment);
                plan.failure = [i32::MAX, errno()];
            }
        }
        libc::_exit(127)
    }
}

/// What only the program gets: its descriptors, limits and filters.
unsafe fn last_steps(plan: &Plan) -> Result<(), Step> {
    // SAFETY: system calls on prepared memory.
    unsafe {
        check(libc::setpgid(0, 0).into(), Step::Session)?;
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        check(libc::chdir(plan.folder.as_ptr()).into(), Step::Folder)?;
        // Signals as a fresh program expects them.
        for signal in 1..65 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
        libc::umask(0o022);
        // The ruleset may be among the numbers that are about to be given away.
        let ruleset = if plan.ruleset >= 0 { libc::fcntl(plan.ruleset, libc::F_DUPFD_CLOEXEC, 10) } else { -1 };
        let mut sources = [plan.stdio[0], plan.stdio[1], plan.stdio[2], plan.channel];
        for source in &mut sources {
            if *source >= 0 {
                *source = libc::fcntl(*source, libc::F_DUPFD_CLOEXEC, 10);
                check((*source).into(), Step::Descriptors)?;
            }
        }
        for (number, source) in sources.into_iter().enumerate() {
            if source >= 0 {
                check(libc::dup2(source, number as RawFd).into(), Step::Descriptors)?;
            } else {
                libc::close(number as RawFd);
            }
        }
        for (resource, value) in &plan.limits {
            let mut now: libc::rlimit = std::mem::zeroed();
            check(libc::getrlimit(*resource, &mut now).into(), Step::Limits)?;
            // A limit the system holds lower already stays as it is.
            let value = (*value).min(now.rlim_max);
            let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
            check(libc::setrlimit(*resource, &limit).into(), Step::Limits)?;
        }
        if plan.ruleset >= 0 {
            check(libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0), Step::Landlock)?;
        }
        close_range(4, RawFd::MAX)?;
        if !plan.filter.is_null() {
            let program = libc::sock_fprog { len: plan.filter_length, filter: plan.filter.cast_mut() };
            let set = libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program, 0, 0);
            check(set.into(), Step::Filter)?;
        }
        Ok(())
    }
}

/// Closes every descriptor but those in the list, which ascends.
unsafe fn close_all_but(kept: &[RawFd]) -> Result<(), Step> {
    let mut first = 0;
    for &fd in kept {
        if fd > first {
            // SAFETY: as for `close_range`.
            unsafe { close_range(first, fd - 1)? };
        }
        first = fd + 1;
    }
    // SAFETY: as above.
    unsafe { close_range(first, RawFd::MAX) }
}

/// Closes all descriptors from one number to another.
unsafe fn close_range(first: RawFd, last: RawFd) -> Result<(), Step> {
    // SAFETY: nothing that is closed here is used again by this process.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) == 0 {
            return Ok(());
        }
        // Kernels before 5.9: as many as there can be.
        let mut most: libc::rlimit = std::mem::zeroed();
        check(libc::getrlimit(libc::RLIMIT_NOFILE, &mut most).into(), Step::Descriptors)?;
        for fd in first..=last.min(most.rlim_max.min(1 << 20) as RawFd) {
            libc::close(fd);
        }
        Ok(())
    }
}
