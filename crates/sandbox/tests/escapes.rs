//! Attempts to get out: the programs of `testdata/escapes/`, run behind all walls and with each wall left out.
//!
//! A program says whether it believes to have got through; that must be so for none of them while all walls stand. And
//! after each of them, whatever walls were missing, we look at the world outside ([`World::harm`]): files, processes,
//! descriptors, sockets, shared memory, the clock and the host's name must be as they were, no secret may be in what the
//! program wrote, and nothing of it may be left.
//!
//! Where we are root the whole is done once more as an ordinary user, in a process of its own. Walls that the host
//! lacks are named and skipped. `PLUMB_ESCAPES_ALL=1` leaves every wall out of every attempt.

use sandbox::{Finished, Host, Job, Limits, Own, Policy, Scratch, Start, Wall, WallSet, run};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Stands for what must not be seen. Put together here, so that this file and its binary do not hold it.
fn secret() -> String {
    format!("{}-{}", "plumb", "escape").to_uppercase() + "-SECRET"
}

/// An ordinary user that is not the one children become.
const USER: u32 = 65533;
const AS_USER: &str = "PLUMB_ESCAPES_AS_USER";
const PROGRAMS: [&str; 3] = ["files", "processes", "kernel"];
const DISK: u64 = 32 << 20;

/// Attempts that believe to get through where one wall is missing are not told apart: what counts then is the world.
/// These are no walls' business with all of them standing, because the kernel ends the program instead.
const ENDED_BY_THE_KERNEL: [&str; 1] = ["old_machine_call"];

/// Compiles the programs into a folder.
fn compile(out: &Path) -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/escapes");
    let compiled = PROGRAMS.map(|name| {
        let program = out.join(name);
        let compiler = Command::new(std::env::var("CC").unwrap_or("cc".into()))
            .args(["-O1", "-w", "-o"])
            .args([&program, &source.join(name).with_extension("c")])
            .spawn()
            .unwrap();
        (program, compiler)
    });
    let finish = |(program, mut compiler): (PathBuf, std::process::Child)| {
        assert!(compiler.wait().unwrap().success(), "{} should compile", program.display());
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program
    };
    compiled.map(finish).to_vec()
}

fn attempts(program: &Path) -> Vec<String> {
    let output = Command::new(program).arg("--list").output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

/// What there is outside.
struct World {
    folder: tempfile::TempDir,
    victim: std::process::Child,
    /// Open in us without the flag that closes it in children.
    leaked: File,
    pipe: [File; 2],
    tcp: TcpListener,
    udp: UdpSocket,
    named: UnixListener,
    abstract_name: String,
    abstract_socket: UnixListener,
    segment: Segment,
    before: BTreeMap<String, String>,
    clock: (SystemTime, Instant),
    marker: String,
}

struct Segment {
    key: libc::key_t,
    id: libc::c_int,
    at: *mut libc::c_void,
}

impl Segment {
    fn new() -> Segment {
        // SAFETY: a new segment, attached where the kernel likes.
        unsafe {
            let key = 0x7000_0000 ^ (libc::getpid() << 8) ^ unique();
            let id = libc::shmget(key, 4096, libc::IPC_CREAT | 0o600);
            assert!(id >= 0, "a segment of shared memory should be had");
            let at = libc::shmat(id, std::ptr::null(), 0);
            at.cast::<u8>().copy_from(c"keep me".as_ptr().cast(), 8);
            Segment { key, id, at }
        }
    }

    fn text(&self) -> String {
        // SAFETY: the segment is attached and ends in a null character, or in what was written over it.
        let bytes = unsafe { std::slice::from_raw_parts(self.at.cast::<u8>(), 8) };
        let mut about: libc::shmid_ds = unsafe { std::mem::zeroed() };
        // SAFETY: the structure is a live local.
        let is_there = unsafe { libc::shmctl(self.id, libc::IPC_STAT, &mut about) } == 0;
        format!("{} {} {:o}", is_there, String::from_utf8_lossy(bytes), about.shm_perm.mode)
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe {
            libc::shmdt(self.at);
            libc::shmctl(self.id, libc::IPC_RMID, std::ptr::null_mut());
        }
    }
}

/// Worlds follow each other before the one before is gone.
fn unique() -> i32 {
    static NEXT: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// A descriptor that children would inherit.
fn inheritable(file: &impl AsRawFd) -> RawFd {
    // SAFETY: the descriptor is open.
    unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, 0) };
    file.as_raw_fd()
}

impl World {
    fn new(marker: &str) -> World {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), format!("keep me {}", secret())).unwrap();
        fs::write(at("private"), secret()).unwrap();
        fs::set_permissions(at("private"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::create_dir(at("folder")).unwrap();
        let leaked = File::create(at("leaked")).unwrap();
        inheritable(&leaked);
        let mut ends = [0; 2];
        // SAFETY: the array has room for two descriptors, which belong to us.
        let pipe = unsafe {
            assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_NONBLOCK), 0);
            ends.map(|fd| File::from_raw_fd(fd))
        };
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        let named = UnixListener::bind(at("socket")).unwrap();
        let abstract_name = format!("plumb-escape-{}-{}", std::process::id(), unique());
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let abstract_socket = UnixListener::bind_addr(&address).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        named.set_nonblocking(true).unwrap();
        abstract_socket.set_nonblocking(true).unwrap();
        let victim = Command::new("sleep").arg("100000").stdin(Stdio::null()).spawn().unwrap();
        let mut world = World {
            folder,
            victim,
            leaked,
            pipe,
            tcp,
            udp,
            named,
            abstract_name,
            abstract_socket,
            segment: Segment::new(),
            before: BTreeMap::new(),
            clock: (SystemTime::now(), Instant::now()),
            marker: marker.to_string(),
        };
        world.before = world.state();
        world
    }

    fn arguments(&self, attempt: &str) -> Vec<OsString> {
        let folder = self.folder.path().display().to_string();
        [
            attempt.to_string(),
            folder,
            self.victim.id().to_string(),
            std::process::id().to_string(),
            self.leaked.as_raw_fd().to_string(),
            self.pipe[1].as_raw_fd().to_string(),
            self.tcp.local_addr().unwrap().port().to_string(),
            self.abstract_name.clone(),
            self.segment.key.to_string(),
        ]
        .map(OsString::from)
        .to_vec()
    }

    /// Everything an attempt could change, by name.
    fn state(&self) -> BTreeMap<String, String> {
        let mut state = BTreeMap::new();
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        for entry in fs::read_dir(self.folder.path()).unwrap().flatten() {
            let metadata = entry.metadata().unwrap();
            let is_file = metadata.is_file();
            let text = if is_file { fs::read_to_string(entry.path()).unwrap_or_default() } else { String::new() };
            let about = (metadata.mode(), metadata.uid(), metadata.gid(), metadata.mtime(), metadata.nlink());
            let attributes = attributes(&entry.path());
            state.insert(format!("file {:?}", entry.file_name()), format!("{about:?} {attributes} {text}"));
        }
        for folder in
            ["/tmp", "/var/tmp", "/dev/shm", "/usr/lib", "/etc", "/", "/sys/fs/cgroup", "/sys/fs/cgroup/memory"]
        {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name().to_string_lossy().starts_with("plumb-escape") {
                    state.insert(format!("left {:?}", entry.path()), String::new());
                }
            }
        }
        for (who, pid) in [("victim", self.victim.id()), ("parent", std::process::id())] {
            state.insert(format!("limits of the {who}"), read(&format!("/proc/{pid}/limits")));
            let stat = read(&format!("/proc/{pid}/stat"));
            let fields: Vec<&str> = stat[stat.rfind(')').map_or(0, |at| at + 1)..].split_whitespace().collect();
            // Whether it is stopped, traced or dead; priority and nice.
            let is_stopped = fields.first().is_none_or(|state| ["T", "t", "Z", "X"].contains(state));
            state.insert(format!("schedule of the {who}"), format!("{is_stopped} {:?}", fields.get(15..17)));
            let status = read(&format!("/proc/{pid}/status"));
            let kept = ["Cpus_allowed:", "TracerPid:", "Uid:", "SigIgn:"];
            let lines: Vec<&str> = status.lines().filter(|l| kept.iter().any(|k| l.starts_with(k))).collect();
            state.insert(format!("status of the {who}"), lines.join(" "));
            state.insert(format!("memory of the {who}"), read(&format!("/proc/{pid}/oom_score_adj")));
        }
        state.insert("segment".into(), self.segment.text());
        for name in ["hostname", "domainname", "core_pattern"] {
            state.insert(name.into(), read(&format!("/proc/sys/kernel/{name}")));
        }
        state
    }

    /// What has happened outside, as sentences.
    fn harm(&mut self, finished: &Finished) -> Vec<String> {
        let mut harm = Vec::new();
        let now = self.state();
        let both: std::collections::BTreeSet<&String> = self.before.keys().chain(now.keys()).collect();
        for what in both {
            if self.before.get(what) != now.get(what) {
                harm.push(format!("{what}: was {:?}, is {:?}", self.before.get(what), now.get(what)));
            }
        }
        if self.victim.try_wait().unwrap().is_some() {
            harm.push("the victim was ended".into());
        }
        self.sockets_and_secrets(finished, &mut harm);
        harm
    }

    /// What has happened to the victim a moment later: a signal is on its way when the sender has ended.
    fn harm_soon(&mut self, finished: &Finished) -> Vec<String> {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let harm = self.harm(finished);
            if !harm.is_empty() || Instant::now() > deadline {
                return harm;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn sockets_and_secrets(&mut self, finished: &Finished, harm: &mut Vec<String>) {
        if (&self.pipe[0]).read(&mut [0; 8]).is_ok_and(|count| count > 0) {
            harm.push("an inherited pipe was written to".into());
        }
        if self.tcp.accept().is_ok() || self.named.accept().is_ok() || self.abstract_socket.accept().is_ok() {
            harm.push("somebody connected to a socket of ours".into());
        }
        if self.udp.recv(&mut [0; 8]).is_ok() {
            harm.push("somebody sent to a socket of ours".into());
        }
        let (then, since) = self.clock;
        let drift =
            SystemTime::now().duration_since(then).unwrap_or_default().as_secs_f64() - since.elapsed().as_secs_f64();
        if drift.abs() > 5.0 {
            harm.push(format!("the clock was moved by {drift} s"));
        }
        for stream in [&finished.stdout, &finished.stderr] {
            if String::from_utf8_lossy(stream).contains(&secret()) {
                harm.push("a secret was read".into());
            }
        }
        if is_running(&self.marker) {
            harm.push("a process of the program is left".into());
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn attributes(path: &Path) -> String {
    let path = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    let mut names = [0u8; 1024];
    // SAFETY: the buffer is alive and its length given.
    let length = unsafe { libc::listxattr(path.as_ptr(), names.as_mut_ptr().cast(), names.len()) };
    String::from_utf8_lossy(&names[..length.max(0) as usize]).into_owned()
}

/// Whether a process other than us has the marker as its name.
fn is_running(marker: &str) -> bool {
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .any(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|line| line.starts_with(marker.as_bytes())))
}

fn attempt(program: &Path, name: &str, world: &World, without: WallSet) -> Finished {
    let folder = Scratch::new("attempt").unwrap();
    let mut start = Start::new(Policy::Program, program.as_os_str()).unwrap();
    start.name = Some(world.marker.clone().into());
    start.arguments = world.arguments(name);
    start.view.own = Own::Private(folder.path().to_path_buf());
    start.limits = Limits {
        address_space: Some(256 << 20),
        file_size: 1 << 20,
        disk: DISK,
        descriptors: 256,
        tasks: 128,
        cpu_seconds: Some(10),
        stack: Some(8 << 20),
    };
    start.without = without;
    run(Job {
        start,
        stdin: b"",
        time: Duration::from_secs(20),
        output: 1 << 20,
        processes: Some(32),
        memory: Some(512 << 20),
        cancel: None,
    })
    .unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn nothing_gets_out() {
    // As a user all this is in a folder of that user's: see below.
    let marker = format!("plumb-escape-marker-{}", std::process::id());
    let folder = tempfile::tempdir().unwrap();
    if std::env::var_os(AS_USER).is_none() {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let programs = std::env::var_os(AS_USER)
        .map_or_else(|| compile(folder.path()), |given| PROGRAMS.map(|name| Path::new(&given).join(name)).to_vec());
    let walls = Host::get().walls();
    for (wall, why) in walls.missing() {
        eprintln!("skipped: nothing is known about {wall}, which this host lacks: {why}");
    }
    let mut configurations = vec![("behind all walls".to_string(), WallSet::NONE)];
    for wall in Wall::ALL.into_iter().filter(|wall| walls.stands(*wall)) {
        configurations.push((format!("without {wall}"), WallSet::NONE.with(wall)));
    }
    let others = configurations.len() - 1;
    let is_thorough = std::env::var_os("PLUMB_ESCAPES_ALL").is_some() || others == 0;
    let mut world = World::new(&marker);
    let mut failures = Vec::new();
    let mut count = 0;
    for program in &programs {
        for name in attempts(program) {
            count += 1;
            // Everything with everything takes a minute; each run takes one wall away from each attempt in turn.
            let left_out = if is_thorough { 1..configurations.len() } else { 1 + count % others..2 + count % others };
            for (described, without) in configurations[..1].iter().chain(&configurations[left_out]) {
                let finished = attempt(program, &name, &world, *without);
                let harm = world.harm(&finished);
                let said = String::from_utf8_lossy(&finished.stdout).into_owned();
                let through = said.lines().last() == Some("THROUGH");
                let all_stand = *without == WallSet::NONE && walls.missing().next().is_none();
                if all_stand && through {
                    failures.push(format!("{name}: believes to be through {described}"));
                }
                if said.is_empty() && !is_ended(&finished) && !ENDED_BY_THE_KERNEL.contains(&name.as_str()) {
                    failures.push(format!("{name}: did not run {described}: {:?}", finished.stop));
                }
                if !harm.is_empty() {
                    failures.push(format!("{name}: {described}: {}", harm.join("; ")));
                    world = World::new(&marker);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} attempts:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 80, "there should be at least 80 attempts, not {count}");
    eprintln!("{count} attempts, {} configurations", configurations.len());
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } == 0 {
        as_user(folder.path());
    }
}

/// The suite would see it: with no walls at all these do their harm.
#[test]
fn harm_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let programs = compile(folder.path());
    let none = Wall::ALL.into_iter().fold(WallSet::NONE, WallSet::with);
    for name in [
        "read_private",
        "write_precious",
        "change_mode",
        "change_times",
        "create_outside",
        "remove_precious",
        "kill_victim",
        "stop_victim",
        "limits_of_victim",
        "processor_of_victim",
        "connect_tcp",
        "send_udp",
        "connect_named_socket",
        "connect_abstract_socket",
        "shared_segment",
    ] {
        let program = programs.iter().find(|program| attempts(program).iter().any(|a| a == name)).unwrap();
        let mut world = World::new(&format!("plumb-seen-{}", std::process::id()));
        let finished = attempt(program, name, &world, none);
        assert!(!world.harm_soon(&finished).is_empty(), "{name} should have been seen");
        let walled = World::new(&format!("plumb-seen-{}", std::process::id()));
        assert!(attempt(program, name, &walled, WallSet::NONE).stdout.ends_with(b"refused\n"), "{name}");
    }
}

/// Whether a limit ended it, which is as good as a refusal.
fn is_ended(finished: &Finished) -> bool {
    use sandbox::Stop;
    matches!(finished.stop, Stop::Processes | Stop::Memory | Stop::Signalled(_))
}

/// The same once more without the rights of root.
fn as_user(programs: &Path) {
    let home = tempfile::tempdir().unwrap();
    chown(home.path(), Some(USER), Some(USER)).unwrap();
    // What a user's program sees of the user's own files belongs to the same user.
    for name in PROGRAMS {
        chown(programs.join(name), Some(USER), Some(USER)).unwrap();
    }
    let ours = home.path().join("escapes");
    fs::copy(std::env::current_exe().unwrap(), &ours).unwrap();
    fs::set_permissions(&ours, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(&ours);
    command.args(["--exact", "nothing_gets_out", "--nocapture"]);
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", home.path()).env("TMPDIR", home.path());
    if let Some(all) = std::env::var_os("PLUMB_ESCAPES_ALL") {
        command.env("PLUMB_ESCAPES_ALL", all);
    }
    command.env(AS_USER, programs).env("PLUMB_ESCAPE_SECRET", secret()).current_dir(home.path()).uid(USER).gid(USER);
    match command.output() {
        Ok(output) => assert!(
            output.status.success(),
            "as an ordinary user:\n{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => eprintln!("skipped: the attempts of an ordinary user, whom we cannot become ({error})"),
    }
}

/// When we are killed, everything of a child ends with us, whatever walls there are.
#[test]
fn nothing_outlives_us() {
    const ROLE: &str = "PLUMB_ESCAPES_ROLE";
    let marker = format!("plumb-outlive-{}", std::process::id());
    if let Some(role) = std::env::var_os(ROLE) {
        // The process that will be killed: it has two children, so that each could keep the other's sockets open.
        let (marker, without) = role.to_str().unwrap().split_once(' ').unwrap();
        let without = Wall::ALL.into_iter().filter(|w| without.contains(w.name())).fold(WallSet::NONE, WallSet::with);
        let mut children = Vec::new();
        for _ in 0..2 {
            let mut start = Start::new(Policy::Program, "sh".as_ref()).unwrap();
            start.name = Some(marker.into());
            start.arguments = vec!["-c".into(), "sleep 100000 & sleep 100000 & wait".into()];
            start.environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
            start.without = without;
            children.push(start.start().unwrap());
        }
        println!("started");
        loop {
            std::thread::park();
        }
    }
    let stands = Host::get().walls();
    let each: Vec<Wall> = Wall::ALL.into_iter().filter(|wall| stands.stands(*wall)).collect();
    let without =
        each.iter().map(|wall| wall.name().to_string()).chain([String::new(), "view processes ipc network".into()]);
    for without in without {
        let mut us = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "nothing_outlives_us", "--nocapture"])
            .env(ROLE, format!("{marker} {without}"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = Vec::new();
        let stdout = us.stdout.as_mut().unwrap();
        while !String::from_utf8_lossy(&said).contains("started") {
            let mut byte = [0];
            assert_eq!(stdout.read(&mut byte).unwrap(), 1, "the children should start without {without}");
            said.push(byte[0]);
        }
        assert!(is_running(&marker));
        us.kill().unwrap();
        us.wait().unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while is_running(&marker) && Instant::now() < deadline {
            std::thread::yield_now();
        }
        assert!(!is_running(&marker), "a child outlived us without {without}");
    }
}
