//! The files a child can see.
//!
//! A view is a list of paths. Where the host lets us, a child gets a root of its own in which nothing else exists
//! (`launch`); Landlock closes everything else in any case (`ruleset`). What is listed is read-only, except for the
//! child's own folder.
//!
//! Symbolic links on the way to a listed path are made again in the new root, so that the names people use go on
//! working: `/bin` where it is a link to `usr/bin`, a home folder that is a link to another disk.
//!
//! *Invariant*: the root of the file system is never listed, nor anything below `/proc`, `/sys`, `/dev` and `/run`;
//! devices are the five below.

use crate::policy::Policy;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// The devices in every view: they hold nothing.
pub(crate) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Compilers, interpreters and libraries, wherever systems keep them.
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
];

/// What else programs look for when they start. No passwords, keys or names of hosts.
const SETTINGS: [&str; 15] = [
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/fonts",
    "/etc/mime.types",
    "/etc/perl",
    "/etc/python3",
    "/etc/ImageMagick-6",
    "/etc/ImageMagick-7",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/ssl/certs",
];

/// Where nothing is ever shown, whoever names it.
const CLOSED: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

/// The folder that a child may write to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Own {
    None,
    /// A folder of ours on the host's disk.
    Folder(PathBuf),
    /// A file system of its own, in memory and of limited size, at this path; where the host has none, that folder.
    Private(PathBuf),
}

impl Own {
    pub fn path(&self) -> Option<&Path> {
        match self {
            Own::None => None,
            Own::Folder(path) | Own::Private(path) => Some(path),
        }
    }
}

/// What a child can see. Paths that do not exist are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What the user named: sources, folders of headers. Whether others may read it decides who the child can be.
    given: Vec<PathBuf>,
    system: Vec<PathBuf>,
    pub own: Own,
    /// Files of ours that appear in a private folder under their own names, writable: memory shared between children.
    pub shared: Vec<PathBuf>,
}

impl View {
    /// What every child of this kind sees, and nothing of the user's.
    pub fn new(policy: Policy) -> View {
        let mut system: Vec<PathBuf> = SYSTEM.map(PathBuf::from).to_vec();
        system.extend(SETTINGS[..3].iter().map(PathBuf::from));
        if policy == Policy::Command {
            system.extend(SETTINGS[3..].iter().map(PathBuf::from));
        }
        if policy != Policy::Program {
            system
                .extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).filter_map(installation));
        }
        View { given: Vec::new(), system, own: Own::None, shared: Vec::new() }
    }

    /// Shows a file, or a folder with all that is in it.
    pub fn show(&mut self, path: &Path) {
        if let Ok(path) = std::path::absolute(path)
            && !self.given.contains(&path)
        {
            self.given.push(path);
        }
    }

    /// Shows a source file: the file, its folder, the repository it is part of, and the folder we are in if the file is
    /// below it. Headers are looked for in all of these; a home folder is shown only to files that lie in it directly.
    pub fn show_source(&mut self, path: &Path) {
        self.show(path);
        let Ok(path) = std::path::absolute(path) else { return };
        let Some(folder) = path.parent() else { return };
        self.show(folder);
        let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let is_too_much = |folder: &Path| home.starts_with(folder);
        let repository = folder.ancestors().find(|f| [".git", ".hg", ".svn", ".jj"].iter().any(|m| f.join(m).exists()));
        let here = std::env::current_dir().ok().filter(|here| folder.starts_with(here));
        for more in [repository.map(Path::to_path_buf), here].into_iter().flatten() {
            if !is_too_much(&more) {
                self.show(&more);
            }
        }
    }

    /// Shows what compiler flags name: folders of headers and libraries, files to include first.
    pub fn show_flags<S: AsRef<str>>(&mut self, flags: &[S]) {
        const WITH_PATH: [&str; 12] = [
            "-isystem",
            "-iquote",
            "-idirafter",
            "-include",
            "-imacros",
            "-isysroot",
            "--sysroot",
            "-iprefix",
            "-I",
            "-L",
            "-T",
            "-Wl,-rpath",
        ];
        let mut flags = flags.iter().map(AsRef::as_ref);
        while let Some(flag) = flags.next() {
            if let Some(name) = WITH_PATH.iter().find(|name| flag.starts_with(**name)) {
                let joined = flag[name.len()..].trim_start_matches(['=', ',']);
                let path = if joined.is_empty() { flags.next().unwrap_or_default() } else { joined };
                if !path.is_empty() {
                    self.show(Path::new(path));
                }
            } else if !flag.starts_with(['-', '@']) {
                // An object file, a library, a linker script.
                self.show(Path::new(flag));
            }
        }
    }

    /// What is in the view, to ask about files.
    pub fn shown(&self) -> VisibleFiles {
        let paths = self.given.iter().chain(&self.system).filter_map(|shown| shown.canonicalize().ok());
        VisibleFiles { paths: paths.filter(|path| path != Path::new("/")).collect() }
    }

    /// The first path the user named that a user without rights could not read.
    pub(crate) fn closed_to_others(&self, identity: u32, has_view: bool) -> Option<&Path> {
        let enough = |path: &Path, metadata: &Metadata| {
            let wanted = if metadata.is_dir() { 0o5 } else { 0o4 };
            let mode = metadata.mode();
            let on_the_way = || {
                let open = |folder: &Path| fs::metadata(folder).is_ok_and(|m| m.uid() == identity || m.mode() & 1 != 0);
                has_view || path.ancestors().skip(1).all(open)
            };
            (metadata.uid() == identity || mode & wanted == wanted) && on_the_way()
        };
        let closed = |path: &&PathBuf| fs::metadata(path).is_ok_and(|metadata| !enough(path, &metadata));
        self.given.iter().find(closed).map(PathBuf::as_path)
    }

    /// The paths and links that make the view.
    pub(crate) fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for path in self.system.iter().chain(&self.given) {
            layout.add(path);
        }
        layout.leave_out_what_is_covered();
        layout
    }
}

/// The files of a view.
#[derive(Clone, Debug)]
pub struct VisibleFiles {
    /// Without links.
    paths: Vec<PathBuf>,
}

impl VisibleFiles {
    /// Whether a file may be read on behalf of a child: links are followed first, so what is asked is about the file
    /// itself.
    pub fn contains(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|path| self.paths.iter().any(|shown| path.starts_with(shown)) && !is_closed(&path))
    }
}

/// The folder to show for a folder of programs: `x` for `x/bin`, where its libraries are beside it.
fn installation(programs: PathBuf) -> Option<PathBuf> {
    if !programs.is_absolute() {
        return None;
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let is_usual = programs.file_name().is_some_and(|name| ["bin", "sbin", "shims"].iter().any(|usual| name == *usual));
    match programs.parent() {
        Some(parent) if is_usual && parent != Path::new("/") && Some(parent) != home.as_deref() => {
            Some(parent.to_path_buf())
        }
        _ => Some(programs),
    }
}

fn is_closed(path: &Path) -> bool {
    CLOSED.iter().any(|closed| path.starts_with(closed))
}

/// A view as paths of the host that exist, without links in them, and the links that lead there.
#[derive(Default, Debug)]
pub(crate) struct Layout {
    /// Whether the path is a folder.
    pub shown: BTreeMap<PathBuf, bool>,
    pub links: BTreeMap<PathBuf, PathBuf>,
}

impl Layout {
    fn add(&mut self, path: &Path) {
        let mut rest: VecDeque<OsString> = parts(path);
        let (mut at, mut hops) = (PathBuf::from("/"), 0);
        let mut is_dir = true;
        while let Some(part) = rest.pop_front() {
            if part == ".." {
                at.pop();
                continue;
            }
            let next = at.join(&part);
            let Ok(metadata) = fs::symlink_metadata(&next) else { return };
            if metadata.is_symlink() {
                let Ok(target) = fs::read_link(&next) else { return };
                hops += 1;
                if hops > 40 {
                    return;
                }
                for part in parts(&target).into_iter().rev() {
                    rest.push_front(part);
                }
                if target.is_absolute() {
                    at = PathBuf::from("/");
                }
                self.links.insert(next, target);
            } else {
                is_dir = metadata.is_dir();
                at = next;
            }
        }
        let is_file = fs::metadata(&at).is_ok_and(|m| m.is_file());
        if at != Path::new("/") && !is_closed(&at) && (is_dir || is_file) {
            self.shown.insert(at, is_dir);
        }
    }

    fn leave_out_what_is_covered(&mut self) {
        let shown = self.shown.clone();
        let covered = |path: &Path| path.ancestors().skip(1).any(|above| shown.get(above) == Some(&true));
        self.shown.retain(|path, _| !covered(path));
        self.links.retain(|path, _| !covered(path) && !is_closed(path));
    }
}

fn parts(path: &Path) -> VecDeque<OsString> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_os_string()),
            Component::ParentDir => Some("..".into()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_on_the_way_are_kept_and_nested_folders_are_shown_once() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("real/inner")).unwrap();
        fs::write(base.join("real/inner/a.c"), "").unwrap();
        std::os::unix::fs::symlink("real", base.join("alias")).unwrap();
        let mut view = View { given: Vec::new(), system: Vec::new(), own: Own::None, shared: Vec::new() };
        view.show(&base.join("alias/inner/a.c"));
        view.show(&base.join("alias/inner"));
        view.show(Path::new("/"));
        view.show(Path::new("/proc/self"));
        view.show(Path::new("/no/such/folder"));
        let layout = view.layout();
        assert_eq!(layout.shown.into_iter().collect::<Vec<_>>(), [(base.join("real/inner"), true)]);
        assert_eq!(layout.links.into_iter().collect::<Vec<_>>(), [(base.join("alias"), PathBuf::from("real"))]);
        assert!(view.shown().contains(&base.join("alias/inner/a.c")));
        std::os::unix::fs::symlink("/etc/hostname", base.join("real/inner/out.h")).unwrap();
        assert!(!view.shown().contains(&base.join("alias/inner/out.h")));
        assert!(!view.shown().contains(Path::new("/proc/self/status")));
    }

    #[test]
    fn flags_that_name_folders_show_them() {
        let mut view = View { given: Vec::new(), system: Vec::new(), own: Own::None, shared: Vec::new() };
        view.show_flags(&["-I/a", "-isystem", "/b", "-DX=/c", "-Wl,-rpath,/d", "/e/f.o", "-L", "/g", "@/h"]);
        assert_eq!(view.given, ["/a", "/b", "/d", "/e/f.o", "/g"].map(PathBuf::from));
    }
}
