//! Control groups: the kernel counts the tasks and the memory of a child and of all it starts together.
//!
//! A group is made for each child below the group we are in, so that every limit on us holds for it too, and removed with
//! the child. The first version of control groups lets us make one there; in the second a group with processes of its own
//! has none below it that are counted, so the group is made beside ours, unless ours is limited.
//!
//! Where no group can be made (most users who are not root), processes and their memory are counted now and then
//! (`census`).

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// What a group counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counted {
    Tasks,
    Memory,
    /// The second version counts both in one group.
    Both,
}

/// A folder of the kernel's in which we may make groups.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    folder: PathBuf,
    counted: Counted,
}

/// Where this host lets us make groups: at least the tasks are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places(Vec<Place>);

impl Places {
    /// Looks for places, and clears away what a killed process of ours left in them.
    pub fn find() -> Option<Places> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let mut places = Vec::new();
        if let Some(folder) = second_version(&groups, &mounts) {
            places.push(Place { folder, counted: Counted::Both });
        } else {
            for (controller, counted) in [("pids", Counted::Tasks), ("memory", Counted::Memory)] {
                let folder = first_version(&groups, &mounts, controller);
                places.extend(folder.map(|folder| Place { folder, counted }));
            }
        }
        let places = Places(places.into_iter().filter(|place| is_writable(&place.folder)).collect());
        places.0.iter().for_each(|place| sweep(&place.folder));
        places.0.iter().any(|place| place.counted != Counted::Memory).then_some(places)
    }

    pub fn count_memory(&self) -> bool {
        self.0.iter().any(|place| place.counted != Counted::Tasks)
    }
}

/// The groups of one child. Dropping it removes them.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    /// What a process writes to in order to join.
    entries: Vec<File>,
    /// Says how often the kernel ended a process for want of memory.
    memory_events: Option<PathBuf>,
}

impl Group {
    pub fn new(places: &Places, tasks: u64, memory: Option<u64>) -> io::Result<Group> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}{}-{}", PREFIX, std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut group = Group { folders: Vec::new(), entries: Vec::new(), memory_events: None };
        for place in &places.0 {
            if place.counted == Counted::Memory && memory.is_none() {
                continue;
            }
            let folder = place.folder.join(&name);
            fs::create_dir(&folder)?;
            group.folders.push(folder.clone());
            let set = |file: &str, value: u64| fs::write(folder.join(file), value.to_string());
            if place.counted != Counted::Memory {
                set("pids.max", tasks)?;
            }
            match (place.counted, memory) {
                (Counted::Both, Some(bytes)) => {
                    set("memory.max", bytes)?;
                    // What does not fit shall not go to the disk instead, where there is swap.
                    let _ = set("memory.swap.max", 0);
                    group.memory_events = Some(folder.join("memory.events"));
                }
                (Counted::Memory, Some(bytes)) => {
                    set("memory.limit_in_bytes", bytes)?;
                    let _ = set("memory.memsw.limit_in_bytes", bytes);
                    group.memory_events = Some(folder.join("memory.oom_control"));
                }
                _ => {}
            }
            group.entries.push(OpenOptions::new().write(true).open(folder.join("cgroup.procs"))?);
        }
        Ok(group)
    }

    /// Descriptors to which a process writes `0` in order to join.
    pub fn entries(&self) -> Vec<RawFd> {
        self.entries.iter().map(|entry| entry.as_raw_fd()).collect()
    }

    /// Whether a process in it was ended because all of them together had too much memory.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = self.memory_events.as_ref().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        let count = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        count.is_some_and(|count| count.trim() != "0")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            // A process that was killed a moment ago may still be counted.
            for wait in [0, 1, 2, 5, 10, 20, 50] {
                std::thread::sleep(Duration::from_millis(wait));
                if !fs::remove_dir(folder).is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy) {
                    break;
                }
            }
        }
    }
}

/// How the names of our groups begin; our process number and a count follow.
const PREFIX: &str = "plumb-";

/// Removes groups of processes that are no more. One that is in use cannot be removed.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(format!("{PREFIX}{}-probe", std::process::id()));
    fs::create_dir(&probe).and_then(|()| fs::remove_dir(&probe)).is_ok()
}

/// The path of our group among those that `/proc/self/cgroup` lists.
fn ours(groups: &str, is_it: impl Fn(&str, &str) -> bool) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        is_it(number, controllers).then_some(path)
    })
}

/// The folder of our group in the mounted hierarchy of that type, and the folder at which it is mounted.
fn mounted(mounts: &str, path: &str, is_it: impl Fn(&str, &str) -> bool) -> Option<(PathBuf, PathBuf)> {
    mounts.lines().find_map(|line| {
        let (about, filesystem) = line.split_once(" - ")?;
        let mut filesystem = filesystem.split(' ');
        let (kind, options) = (filesystem.next()?, filesystem.nth(1)?);
        let (root, point) = (about.split(' ').nth(3)?, about.split(' ').nth(4)?);
        let below = Path::new(path).strip_prefix(root).ok()?;
        is_it(kind, options).then(|| (Path::new(point).join(below), PathBuf::from(point)))
    })
}

fn first_version(groups: &str, mounts: &str, controller: &str) -> Option<PathBuf> {
    let has = |list: &str| list.split(',').any(|one| one == controller);
    let path = ours(groups, |_, controllers| has(controllers))?;
    mounted(mounts, path, |kind, options| kind == "cgroup" && has(options)).map(|(folder, _)| folder)
}

fn second_version(groups: &str, mounts: &str) -> Option<PathBuf> {
    let path = ours(groups, |number, controllers| number == "0" && controllers.is_empty())?;
    let (own, point) = mounted(mounts, path, |kind, _| kind == "cgroup2")?;
    let counts = |folder: &Path| {
        let enabled = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
        ["pids", "memory"].iter().all(|name| enabled.split_whitespace().any(|one| one == *name))
    };
    if counts(&own) {
        return Some(own);
    }
    // A group beside ours would not be held by the limits that somebody set for ours.
    let is_limited = |name: &str| fs::read_to_string(own.join(name)).is_ok_and(|value| !value.starts_with("max"));
    if own == point || ["pids.max", "memory.max", "memory.high", "cpu.max"].into_iter().any(is_limited) {
        return None;
    }
    own.parent().filter(|parent| counts(parent)).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate
31 25 0:27 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
32 25 0:28 /box/7 /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
";
    const GROUPS: &str = "8:pids:/a/b\n4:memory:/box/7/x\n1:cpu,cpuacct:/\n0::/user.slice/a.scope\n";

    #[test]
    fn our_groups_are_found_where_they_are_mounted() {
        assert_eq!(first_version(GROUPS, MOUNTS, "pids"), Some("/sys/fs/cgroup/pids/a/b".into()));
        // What is mounted is part of a hierarchy, as in a container.
        assert_eq!(first_version(GROUPS, MOUNTS, "memory"), Some("/sys/fs/cgroup/memory/x".into()));
        assert_eq!(first_version(GROUPS, MOUNTS, "cpuacct"), None);
        let path = ours(GROUPS, |number, _| number == "0").unwrap();
        let (own, point) = mounted(MOUNTS, path, |kind, _| kind == "cgroup2").unwrap();
        assert_eq!((own, point), ("/sys/fs/cgroup/user.slice/a.scope".into(), "/sys/fs/cgroup".into()));
    }

    #[test]
    fn a_group_goes_with_its_child() {
        let Some(places) = Places::find() else {
            eprintln!("skipped: this host lets us make no control groups");
            return;
        };
        let group = Group::new(&places, 5, Some(64 << 20)).unwrap();
        let folders = group.folders.clone();
        assert!(folders.iter().all(|folder| folder.exists()) && !group.ran_out_of_memory());
        let tasks = folders.iter().find_map(|folder| fs::read_to_string(folder.join("pids.max")).ok());
        assert_eq!(tasks.as_deref().map(str::trim), Some("5"));
        drop(group);
        assert!(!folders.iter().any(|folder| folder.exists()));
    }
}
