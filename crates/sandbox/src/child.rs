//! Starts a child behind its walls, and sees to it that nothing of it remains.
//!
//! A [`Start`] says what to run and under which policy; the walls are those the [`Host`] has. However the child ends
//! (by itself, by [`Child::finish`], by dropping it, by our own death) its init process takes everything inside with it
//! (`launch`).
//!
//! *Invariant*: when [`Child::finish`] returns, init is reaped and every process inside has been killed.

use crate::filter::{Standing, filter};
use crate::group::Group;
use crate::host::{Host, NAMESPACES, NOBODY};
use crate::launch::{
    self, ENDED, FAILED, MESSAGE, Mounts, NO_DEVICES, NO_SUID, NOT_EXECUTED, Plan, READ_ONLY, STARTED, StartFile, Step,
    Tree,
};
use crate::policy::{Limits, Policy};
use crate::ruleset;
use crate::view::{DEVICES, Layout, Own, View};
use crate::walls::{Protection, Wall, WallSet, Walls};
use seccompiler::BpfProgram;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::chown;
use std::os::unix::process::ExitStatusExt;
use std::path::{Component, Path, PathBuf};
use std::process::ExitStatus;
use std::ptr;
use std::sync::{Arc, Mutex};

/// The number under which a child finds the descriptor of [`Start::channel`].
pub const CHANNEL: RawFd = 3;

/// The result of trying walls: why they cannot be built.
pub(crate) type Tried = Result<(), String>;

/// A child to be started.
#[derive(Debug)]
pub struct Start<'a> {
    pub policy: Policy,
    pub program: PathBuf,
    /// What the program is told its name is; `None` for its path.
    pub name: Option<OsString>,
    pub arguments: Vec<OsString>,
    pub environment: Vec<(OsString, OsString)>,
    /// Where it runs; `None` for its own folder, or ours where it has none.
    pub folder: Option<PathBuf>,
    pub view: View,
    pub limits: Limits,
    /// Bytes of memory that all its processes may have together, where the kernel counts them; besides, its own folder
    /// may be as large as `limits.disk` says.
    pub memory: Option<u64>,
    /// A descriptor the child gets as number [`CHANNEL`].
    pub channel: Option<RawFd>,
    /// Files that are in the own folder when the program starts, by relative path.
    pub files: &'a [(PathBuf, Vec<u8>)],
    /// Walls to leave out. For tests of the others.
    pub without: WallSet,
}

impl<'a> Start<'a> {
    /// A child of a program that is found as a shell would find it. An error means that there is none.
    pub fn new(policy: Policy, program: &OsStr) -> io::Result<Start<'a>> {
        Ok(Start {
            policy,
            program: find(program)?,
            name: None,
            arguments: Vec::new(),
            environment: Vec::new(),
            folder: None,
            view: View::new(policy),
            limits: Limits::default(),
            memory: None,
            channel: None,
            files: &[],
            without: WallSet::NONE,
        })
    }

    /// A child that runs nothing.
    pub(crate) fn trial(mut view: View, host: &Host) -> Start<'static> {
        if host.has(Wall::View) {
            view.own = Own::Private(std::env::temp_dir());
        }
        Start {
            policy: Policy::Program,
            program: PathBuf::new(),
            name: None,
            arguments: Vec::new(),
            environment: Vec::new(),
            folder: Some("/".into()),
            view,
            limits: Limits::default(),
            memory: None,
            channel: None,
            files: &[],
            without: WallSet::NONE,
        }
    }

    pub(crate) fn try_walls(&self, host: &Host) -> Tried {
        self.start_on(host).map(|_| ()).map_err(|error| error.to_string())
    }

    /// Starts it. An error means that there is no such program, or that a wall the host has could not be built.
    pub fn start(&self) -> io::Result<Child> {
        self.start_on(Host::get())
    }

    fn start_on(&self, host: &Host) -> io::Result<Child> {
        let settled = Settled::new(self, host);
        let is_private = settled.has_view && matches!(self.view.own, Own::Private(_));
        let layout = self.view.layout();
        if !settled.has_view {
            link_shared(&self.view)?;
        }
        if host.is_root
            && !is_private
            && let Some(own) = self.view.own.path()
        {
            // Without capabilities root is a user like any other: the folder belongs to whoever the child is.
            let (uid, gid) = settled.identity.unwrap_or((0, 0));
            chown(own, Some(uid), Some(gid))?;
        }
        let prepared = Prepared::new(self, host, &settled, layout)?;
        let (control, theirs) = socket_pair()?;
        let ([child_in, child_out, child_err], ours) = pipes()?;
        let stdio = [child_in.as_raw_fd(), child_out.as_raw_fd(), child_err.as_raw_fd()];
        let group = self.group(host)?;
        let entries = group.as_ref().map(Group::entries).unwrap_or_default();
        let mut plan =
            prepared.plan(self, &settled, Given { stdio, control: theirs.as_raw_fd(), entries }, is_private)?;

        // SAFETY: the child goes on in `init`, which makes only system calls; the plan and what it points to stay
        // alive in its copy of our memory.
        let pid = unsafe {
            let pid = libc::syscall(libc::SYS_clone, plan.namespaces | libc::SIGCHLD, 0, 0, 0, 0) as libc::pid_t;
            if pid == 0 {
                launch::init(&mut plan);
            }
            pid
        };
        if pid < 0 {
            let error = io::Error::last_os_error();
            return Err(io::Error::new(error.kind(), format!("namespaces are refused ({error})")));
        }
        let mut child = Child {
            pid,
            control,
            program: 0,
            ended: None,
            reaped: false,
            pipes: None,
            own: None,
            walls: settled.walls,
            group,
        };
        drop((theirs, child_in, child_out, child_err));
        if plan.is_mapped {
            map_users(pid, plan.identity).map_err(|error| {
                io::Error::new(error.kind(), format!("the users of a namespace cannot be set ({error})"))
            })?;
            send_byte(&child.control)?;
        }
        let [word, first, second] = child
            .listen(true)?
            .ok_or_else(|| io::Error::other("the child ended before it had started; is there enough memory?"))?;
        match word {
            STARTED => {
                child.program = first;
                child.pipes = Some(ours);
                Ok(child)
            }
            NOT_EXECUTED => Err(io::Error::from_raw_os_error(second)),
            FAILED => {
                let error = io::Error::from_raw_os_error(second);
                Err(io::Error::new(error.kind(), format!("the sandbox lacks {} ({error})", Step::name(first))))
            }
            other => Err(io::Error::other(format!("the child said {other} at its start"))),
        }
    }
}

impl Start<'_> {
    /// The control group it is to be in, where the host has any.
    fn group(&self, host: &Host) -> io::Result<Option<Group>> {
        let Some(places) = &host.groups else { return Ok(None) };
        // Files of its own folder are memory as well, and init is a task.
        let memory = self.memory.map(|bytes| bytes.saturating_add(self.limits.disk));
        Group::new(places, self.limits.tasks.saturating_add(1), memory)
            .map(Some)
            .map_err(|error| io::Error::new(error.kind(), format!("the sandbox lacks a control group ({error})")))
    }
}

/// Which walls one child gets, and who it is.
struct Settled {
    walls: Walls,
    namespaces: libc::c_int,
    users: bool,
    has_view: bool,
    has_processes: bool,
    has_proc: bool,
    identity: Option<(libc::uid_t, libc::gid_t)>,
}

impl Settled {
    fn new(start: &Start<'_>, host: &Host) -> Settled {
        let has = |wall| host.has(wall) && !start.without.contains(wall);
        let mut namespaces = 0;
        for (index, (wall, _)) in NAMESPACES.iter().enumerate() {
            if has(*wall)
                && let Ok(flags) = host.namespaces[index]
            {
                namespaces |= flags;
            }
        }
        let users = host.users && !(start.without.contains(Wall::Identity) && namespaces == 0);
        if users {
            namespaces |= libc::CLONE_NEWUSER;
        }
        let has_view = has(Wall::View);
        let closed = start.view.closed_to_others(NOBODY, has_view);
        let keeps_its_user = match (&host.identity, closed) {
            _ if start.without.contains(Wall::Identity) => Some("it was left out".to_string()),
            (Err(why), _) => Some(why.clone()),
            (Ok(()), Some(path)) if host.is_root => Some(format!("only root can use {}", path.display())),
            (Ok(()), _) => None,
        };
        let identity = (host.is_root && keeps_its_user.is_none()).then_some((NOBODY, NOBODY));
        let walls = host.walls();
        let walls = Walls::new(|wall| match wall {
            _ if start.without.contains(wall) => Protection::Unavailable("it was left out".to_string()),
            Wall::Identity => keeps_its_user.clone().map_or(Protection::Enforced, Protection::Unavailable),
            other => walls.get(other).clone(),
        });
        let has_processes = has(Wall::Processes);
        let has_proc = host.proc && has_view && has_processes;
        Settled { walls, namespaces, users, has_view, has_processes, has_proc, identity }
    }
}

type Filter = Arc<BpfProgram>;

/// The memory that a plan points into.
struct Prepared {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    folder: CString,
    layout: Layout,
    ruleset: Option<OwnedFd>,
    filter: Option<Filter>,
    limits: Vec<(libc::__rlimit_resource_t, u64)>,
    files: Vec<(PathBuf, CString)>,
    argument_pointers: Vec<*const libc::c_char>,
    environment_pointers: Vec<*const libc::c_char>,
    stack: Vec<u128>,
}

/// Descriptors of ours for the child.
struct Given {
    stdio: [RawFd; 3],
    control: RawFd,
    /// Of its control groups.
    entries: Vec<RawFd>,
}

/// Enough for the few frames between `clone` and `execve`.
const STACK: usize = 64 << 10;

impl Prepared {
    fn new(start: &Start<'_>, host: &Host, settled: &Settled, layout: Layout) -> io::Result<Prepared> {
        let text = |text: &OsStr| {
            CString::new(text.as_bytes())
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "an argument has a null character in it"))
        };
        let name = start.name.as_deref().unwrap_or(start.program.as_os_str());
        let mut arguments = vec![text(name)?];
        for argument in &start.arguments {
            arguments.push(text(argument)?);
        }
        let mut environment = Vec::new();
        for (name, value) in &start.environment {
            let mut both = name.clone();
            both.push("=");
            both.push(value);
            environment.push(text(&both)?);
        }
        let folder = match (&start.folder, start.view.own.path()) {
            (Some(folder), _) => std::path::absolute(folder)?,
            (None, Some(own)) => own.to_path_buf(),
            (None, None) => std::env::current_dir()?,
        };
        let is_private = settled.has_view && matches!(start.view.own, Own::Private(_));
        let ruleset = if start.without.contains(Wall::Landlock) || ruleset::version() == landlock::ABI::Unsupported {
            None
        } else {
            let own = start.view.own.path().filter(|_| !is_private);
            let program = (!start.program.as_os_str().is_empty()).then_some(start.program.as_path());
            let mut rules = Layout { shown: layout.shown.clone(), links: Default::default() };
            if let Some(program) = program.and_then(|program| program.canonicalize().ok()) {
                rules.shown.entry(program).or_insert(false);
            }
            let shared: Vec<&Path> = start.view.shared.iter().map(PathBuf::as_path).collect();
            Some(ruleset::ruleset(&rules, own, &shared).map_err(io::Error::other)?)
        };
        let filter = if start.without.contains(Wall::SystemCalls) || host.filter.is_err() {
            None
        } else {
            let standing = Standing { view: settled.has_view, processes: settled.has_processes };
            Some(known_filter(start.policy, standing).map_err(io::Error::other)?)
        };
        let mut files = Vec::new();
        for (path, _) in start.files {
            if path.as_os_str().is_empty() || !path.components().all(|c| matches!(c, Component::Normal(_))) {
                let message = format!("{} should be a path inside the run's directory", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            files.push((path.clone(), text(path.as_os_str())?));
        }
        let with_null = |strings: &[CString]| -> Vec<*const libc::c_char> {
            strings.iter().map(|s| s.as_ptr()).chain([ptr::null()]).collect()
        };
        Ok(Prepared {
            program: text(start.program.as_os_str())?,
            argument_pointers: with_null(&arguments),
            environment_pointers: with_null(&environment),
            arguments,
            environment,
            folder: text(folder.as_os_str())?,
            layout,
            ruleset,
            filter,
            limits: limits(&start.limits, host, settled),
            files,
            stack: vec![0; STACK / size_of::<u128>()],
        })
    }

    fn plan(&self, start: &Start<'_>, settled: &Settled, given: Given, give_own: bool) -> io::Result<Plan> {
        let Given { stdio, control, entries } = given;
        debug_assert_eq!(self.arguments.len() + 1, self.argument_pointers.len());
        debug_assert_eq!(self.environment.len() + 1, self.environment_pointers.len());
        let files = start.files.iter().zip(&self.files).map(|((path, contents), (_, name))| {
            let above = path.ancestors().skip(1).filter(|p| !p.as_os_str().is_empty());
            let mut folders: Vec<CString> = above.map(|p| c_string(p.as_os_str())).collect();
            folders.reverse();
            StartFile { folders, path: name.clone(), contents: contents.as_ptr(), length: contents.len() }
        });
        let ruleset = self.ruleset.as_ref().map_or(-1, |fd| fd.as_raw_fd());
        let channel = start.channel.unwrap_or(-1);
        let mut kept: Vec<RawFd> = [control, channel, ruleset].into_iter().chain(stdio).filter(|fd| *fd >= 0).collect();
        kept.sort_unstable();
        kept.dedup();
        Ok(Plan {
            namespaces: settled.namespaces,
            is_mapped: settled.users,
            has_pid_namespace: settled.has_processes,
            control,
            stdio,
            channel,
            mounts: settled.has_view.then(|| self.mounts(start, settled.has_proc)),
            own: start.view.own.path().map(|own| c_string(own.as_os_str())),
            files: files.collect(),
            give_own,
            identity: settled.identity,
            clear_groups: settled.identity.is_some(),
            drop_capabilities: settled.users || settled.identity.is_some() || self.is_root_without_rights(start),
            folder: self.folder.clone(),
            limits: self.limits.clone(),
            ruleset,
            own_rights: ruleset::own_rights(),
            reading_rights: ruleset::reading_rights(),
            filter: self.filter.as_ref().map_or(ptr::null(), |f| f.as_ptr().cast()),
            filter_length: self.filter.as_ref().map_or(0, |f| f.len() as u16),
            program: if self.program.is_empty() { ptr::null() } else { self.program.as_ptr() },
            arguments: self.argument_pointers.as_ptr(),
            environment: self.environment_pointers.as_ptr(),
            stack: self.stack.as_ptr().cast_mut().cast(),
            stack_size: STACK,
            failure: [0; 2],
            kept,
            entries,
        })
    }

    /// Root drops its capabilities even where it must stay root.
    fn is_root_without_rights(&self, start: &Start<'_>) -> bool {
        // SAFETY: asks for a number.
        unsafe { libc::geteuid() == 0 && !start.without.contains(Wall::Identity) }
    }

    /// The mounts that make the view.
    fn mounts(&self, start: &Start<'_>, has_proc: bool) -> Mounts {
        let mut folders: BTreeSet<PathBuf> = BTreeSet::from(["dev".into(), "proc".into()]);
        let mut need = |path: &Path| {
            let inside = path.strip_prefix("/").unwrap_or(path);
            folders.extend(inside.ancestors().skip(1).filter(|p| !p.as_os_str().is_empty()).map(Path::to_path_buf));
        };
        let tree = |path: &Path, target: &Path, is_dir: bool, attributes: u64| Tree {
            source: c_string(path.as_os_str()),
            target: c_string(target.strip_prefix("/").unwrap_or(target).as_os_str()),
            is_dir,
            attributes,
            fd: -1,
        };
        let mut trees = Vec::new();
        for (path, is_dir) in &self.layout.shown {
            need(path);
            trees.push(tree(path, path, *is_dir, READ_ONLY | NO_SUID | NO_DEVICES));
        }
        for link in self.layout.links.keys() {
            need(link);
        }
        for device in DEVICES.map(Path::new) {
            if device.exists() {
                trees.push(tree(device, device, false, READ_ONLY | NO_SUID));
            }
        }
        let covered = |path: &Path| path.ancestors().any(|above| self.layout.shown.get(above) == Some(&true));
        if !start.program.as_os_str().is_empty() {
            let real = start.program.canonicalize().unwrap_or_else(|_| start.program.clone());
            if !covered(&real) && !self.layout.shown.contains_key(&real) {
                need(&start.program);
                trees.push(tree(&real, &start.program, false, READ_ONLY | NO_SUID | NO_DEVICES));
            }
        }
        let below = |path: &Path| path.join("x");
        need(&below(Path::new(OsStr::from_bytes(self.folder.as_bytes()))));
        let mut own = None;
        let mut shared = Vec::new();
        match &start.view.own {
            Own::None => {}
            Own::Folder(path) => {
                need(&below(path));
                trees.push(tree(path, path, true, NO_SUID | NO_DEVICES));
            }
            Own::Private(path) => {
                need(&below(path));
                let inside = path.strip_prefix("/").unwrap_or(path);
                own = Some((c_string(inside.as_os_str()), c_string(OsStr::new(&start.limits.disk.to_string()))));
                for file in &start.view.shared {
                    let name = Path::new(file.file_name().unwrap_or_default());
                    shared.push(tree(file, name, false, NO_SUID | NO_DEVICES));
                }
            }
        }
        let links = self.layout.links.iter();
        let relative = |path: &Path| c_string(path.strip_prefix("/").unwrap_or(path).as_os_str());
        Mounts {
            links: links.map(|(at, target)| (relative(at), c_string(target.as_os_str()))).collect(),
            // A folder that is a link of the host's must not be made before the link.
            folders: folders
                .into_iter()
                .filter(|folder| !self.layout.links.contains_key(&Path::new("/").join(folder)))
                .map(|folder| c_string(folder.as_os_str()))
                .collect(),
            trees,
            own,
            shared,
            proc: has_proc,
            anchor: c_string(std::env::temp_dir().as_os_str()),
        }
    }
}

fn c_string(text: &OsStr) -> CString {
    CString::new(text.as_bytes()).unwrap_or_default()
}

/// Filters are made once for each policy and set of walls.
fn known_filter(policy: Policy, standing: Standing) -> Result<Filter, String> {
    static KNOWN: Mutex<BTreeMap<(Policy, Standing), Filter>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(program) = known.get(&(policy, standing)) {
        return Ok(program.clone());
    }
    let program = Arc::new(filter(policy, standing)?);
    known.insert((policy, standing), program.clone());
    Ok(program)
}

fn limits(limits: &Limits, host: &Host, settled: &Settled) -> Vec<(libc::__rlimit_resource_t, u64)> {
    let mut all = vec![
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_FSIZE, limits.file_size),
        (libc::RLIMIT_NOFILE, limits.descriptors),
        (libc::RLIMIT_MEMLOCK, 0),
        (libc::RLIMIT_MSGQUEUE, 0),
        (libc::RLIMIT_SIGPENDING, 4096),
        (libc::RLIMIT_RTPRIO, 0),
    ];
    all.extend(limits.cpu_seconds.map(|value| (libc::RLIMIT_CPU, value)));
    all.extend(limits.address_space.map(|value| (libc::RLIMIT_AS, value)));
    all.extend(limits.stack.map(|value| (libc::RLIMIT_STACK, value)));
    // Elsewhere the kernel counts all tasks of the user: of nobody there are few, so that a limit for all children
    // together does no harm where there are no control groups.
    if host.counts_tasks && settled.users {
        all.push((libc::RLIMIT_NPROC, limits.tasks));
    } else if settled.identity.is_some() {
        all.push((libc::RLIMIT_NPROC, if host.groups.is_some() { 4096 } else { 1000 }));
    }
    all
}

/// Without a view, files to share are linked into the folder.
fn link_shared(view: &View) -> io::Result<()> {
    let Some(own) = view.own.path() else { return Ok(()) };
    for file in &view.shared {
        fs::hard_link(file, own.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Finds a program as a shell does.
pub fn find(program: &OsStr) -> io::Result<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_absolute() {
        return std::path::absolute(path);
    }
    let is_program = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join(path))
        .find(is_program)
        .map_or_else(|| Err(io::Error::from_raw_os_error(libc::ENOENT)), std::path::absolute)
}

/// Says who the users of a namespace are: the one we are, or nobody.
fn map_users(pid: libc::pid_t, identity: Option<(libc::uid_t, libc::gid_t)>) -> io::Result<()> {
    // SAFETY: asks for numbers.
    let (uid, gid) = identity.unwrap_or_else(|| unsafe { (libc::geteuid(), libc::getegid()) });
    if identity.is_none() {
        // Without rights outside we may map our own group only if groups cannot be given up, which could widen rights.
        fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
    }
    fs::write(format!("/proc/{pid}/uid_map"), format!("{uid} {uid} 1"))?;
    fs::write(format!("/proc/{pid}/gid_map"), format!("{gid} {gid} 1"))
}

fn send_byte(control: &OwnedFd) -> io::Result<()> {
    // SAFETY: one byte of a live local.
    match unsafe { libc::send(control.as_raw_fd(), [1u8].as_ptr().cast(), 1, libc::MSG_NOSIGNAL) } {
        1 => Ok(()),
        // It has failed already, and said why.
        _ => Ok(()),
    }
}

fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: the array has room for two descriptors, which belong to us afterwards.
    unsafe {
        if libc::socketpair(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0, fds.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])))
    }
}

/// Three pipes: the child's ends and ours, which are standard input, output and error.
fn pipes() -> io::Result<([OwnedFd; 3], [File; 3])> {
    let pipe = || -> io::Result<(OwnedFd, OwnedFd)> {
        let mut fds = [0; 2];
        // SAFETY: as in `socket_pair`.
        unsafe {
            if libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok((OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])))
        }
    };
    let (in_read, in_write) = pipe()?;
    let (out_read, out_write) = pipe()?;
    let (err_read, err_write) = pipe()?;
    Ok(([in_read, out_write, err_write], [in_write.into(), out_read.into(), err_read.into()]))
}

/// A child that was started. Dropping it ends it and everything it started.
#[derive(Debug)]
pub struct Child {
    /// Of init.
    pid: libc::pid_t,
    control: OwnedFd,
    /// The program's number, as init sees it.
    program: libc::pid_t,
    /// The status that init told.
    ended: Option<i32>,
    reaped: bool,
    pipes: Option<[File; 3]>,
    own: Option<OwnedFd>,
    walls: Walls,
    group: Option<Group>,
}

impl Child {
    /// Our ends of standard input, output and error, once.
    pub fn pipes(&mut self) -> io::Result<[File; 3]> {
        self.pipes.take().ok_or_else(|| io::Error::other("the child's pipes were taken before"))
    }

    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The program's number as the program sees it.
    pub fn program(&self) -> u32 {
        self.program as u32
    }

    /// The session that holds the child's processes, and one more, which is ours.
    pub(crate) fn session(&self) -> u32 {
        self.pid as u32
    }

    /// The private file system of the child, where it had one; once.
    pub fn take_own(&mut self) -> Option<OwnedFd> {
        self.own.take()
    }

    /// Becomes readable when the program has ended.
    pub fn end(&self) -> RawFd {
        self.control.as_raw_fd()
    }

    /// Whether the program has ended.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        if self.ended.is_none() {
            match self.listen(false) {
                Ok(Some([ENDED, status, _])) => self.ended = Some(status),
                Ok(Some(_)) => {}
                // Init is gone without a word: somebody killed it.
                Ok(None) => self.ended = Some(libc::SIGKILL),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.ended.is_some())
    }

    /// Ends it if it has not ended, and gives the program's status.
    pub fn finish(&mut self) -> io::Result<ExitStatus> {
        let _ = self.has_ended()?;
        self.kill();
        let status = self.ended.unwrap_or(libc::SIGKILL);
        Ok(ExitStatus::from_raw(status))
    }

    /// Whether the kernel ended one of its processes because all of them together had too much memory.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        self.group.as_ref().is_some_and(Group::ran_out_of_memory)
    }

    fn kill(&mut self) {
        if self.reaped {
            return;
        }
        // SAFETY: init is not reaped, so its number is its own. The program's number means something to us only where
        // there is no namespace; it is valid as long as init has not told its end.
        unsafe {
            if self.ended.is_none() {
                if !self.walls.stands(Wall::Processes) && self.program > 0 {
                    libc::kill(-self.program, libc::SIGKILL);
                }
                libc::kill(self.pid, libc::SIGKILL);
            }
            let mut status = 0;
            while libc::waitpid(self.pid, &mut status, 0) < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
        }
        self.reaped = true;
    }

    /// The next message of init; `None` when it is gone. A descriptor that comes along is kept.
    fn listen(&mut self, wait: bool) -> io::Result<Option<[i32; 3]>> {
        let mut text = [0u8; MESSAGE];
        let mut room = [0u64; 8];
        // SAFETY: all pointers are to live locals; a descriptor that was received belongs to us.
        let count = unsafe {
            let mut vector = libc::iovec { iov_base: text.as_mut_ptr().cast(), iov_len: MESSAGE };
            let mut message: libc::msghdr = std::mem::zeroed();
            message.msg_iov = &mut vector;
            message.msg_iovlen = 1;
            message.msg_control = room.as_mut_ptr().cast();
            message.msg_controllen = size_of_val(&room) as _;
            let flags = libc::MSG_CMSG_CLOEXEC | if wait { 0 } else { libc::MSG_DONTWAIT };
            let count = loop {
                let count = libc::recvmsg(self.control.as_raw_fd(), &mut message, flags);
                if count >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                    break count;
                }
            };
            let header = libc::CMSG_FIRSTHDR(&message);
            if count > 0 && !header.is_null() && (*header).cmsg_type == libc::SCM_RIGHTS {
                let fd = libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned();
                self.own = Some(OwnedFd::from_raw_fd(fd));
            }
            count
        };
        match count {
            0 => Ok(None),
            ..0 => match io::Error::last_os_error() {
                error if error.raw_os_error() == Some(libc::ECONNRESET) => Ok(None),
                error => Err(error),
            },
            _ => {
                let number = |at: usize| i32::from_ne_bytes([text[at], text[at + 1], text[at + 2], text[at + 3]]);
                Ok(Some([number(0), number(4), number(8)]))
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}
