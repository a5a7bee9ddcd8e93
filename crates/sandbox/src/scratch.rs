//! Private directories that are gone when their owner is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A new directory that only we and our children can use, removed with everything in it on drop, whatever a child made
/// of it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// `None` for a file system in memory, which is gone when the last descriptor is.
    on_disk: Option<TempDir>,
    _in_memory: Option<OwnedFd>,
}

impl Scratch {
    pub fn new(purpose: &str) -> io::Result<Scratch> {
        let dir = tempfile::Builder::new()
            .prefix(&format!("plumb-{purpose}-"))
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir()?;
        Ok(Scratch { path: dir.path().to_path_buf(), on_disk: Some(dir), _in_memory: None })
    }

    /// The file system that a child had for itself. Its path is a descriptor's, which leads there as long as this lives.
    pub fn in_memory(own: OwnedFd) -> Scratch {
        let path = PathBuf::from(format!("/proc/self/fd/{}", own.as_raw_fd()));
        Scratch { path, on_disk: None, _in_memory: Some(own) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file that a child left, at most `most` bytes of it. What is no regular file is an error: a child may leave
    /// a link to somebody else's file, or a pipe that nobody writes to.
    pub fn read(&self, name: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
        take_back(&self.path.join(name), most)
    }
}

/// Writes a file for children to use, in a folder of theirs: anew, never through a link that a child may have left there.
/// The folder is nobody else's, so all rights open the file to whoever the child is, and to no others.
pub fn hand_over(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).custom_flags(libc::O_NOFOLLOW).open(path)?;
    file.set_permissions(fs::Permissions::from_mode(0o666))?;
    file.write_all(contents)
}

/// Reads a file that a child left, as [`Scratch::read`] does.
pub fn take_back(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file =
        OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    read_regular(file, most)
}

fn read_regular(file: File, most: u64) -> io::Result<Vec<u8>> {
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the program left something that is no file"));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let Some(dir) = self.on_disk.take() else { return };
        let path = dir.keep();
        if fs::remove_dir_all(&path).is_err() {
            // A folder without rights keeps its entries from anybody but root, and a very deep one has no path.
            clear(&path);
            let _ = fs::remove_dir(&path);
        }
    }
}

/// Empties a folder, however deep it is: inner folders are moved up to the top, one at a time, so that no path becomes
/// long and no stack deep.
fn clear(top: &Path) {
    let Ok(folder) = open_folder(libc::AT_FDCWD, top.as_os_str().as_bytes()) else { return };
    // Each turn takes one folder away or moves what is in it up; a turn that does neither ends it.
    let mut number = 0u64;
    while let Some(inner) = empty_of_files(&folder) {
        let Ok(fd) = open_folder(folder.as_raw_fd(), &inner) else { return };
        let mut moved = false;
        for name in entries(&fd) {
            number += 1;
            let to = format!("plumb-removed-{number}\0");
            let from: Vec<u8> = name.iter().copied().chain([0]).collect();
            // SAFETY: both names end in a null character.
            let renamed = unsafe {
                libc::renameat(fd.as_raw_fd(), from.as_ptr().cast(), folder.as_raw_fd(), to.as_ptr().cast()) == 0
            };
            moved |= renamed;
        }
        let name: Vec<u8> = inner.iter().copied().chain([0]).collect();
        // SAFETY: as above.
        let removed = unsafe { libc::unlinkat(folder.as_raw_fd(), name.as_ptr().cast(), libc::AT_REMOVEDIR) == 0 };
        if !removed && !moved {
            return;
        }
    }
}

/// Removes what is no folder, and names a folder that is left.
fn empty_of_files(folder: &OwnedFd) -> Option<Vec<u8>> {
    let mut left = None;
    for name in entries(folder) {
        let text: Vec<u8> = name.iter().copied().chain([0]).collect();
        // SAFETY: the name ends in a null character.
        let removed = unsafe { libc::unlinkat(folder.as_raw_fd(), text.as_ptr().cast(), 0) == 0 };
        if !removed {
            left = Some(name);
        }
    }
    left
}

fn entries(folder: &OwnedFd) -> Vec<Vec<u8>> {
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.file_name().as_bytes().to_vec()).collect()
}

/// Opens a folder below another and gives us all rights to it.
fn open_folder(at: RawFd, name: &[u8]) -> io::Result<OwnedFd> {
    let name: Vec<u8> = name.iter().copied().chain([0]).collect();
    // SAFETY: the name ends in a null character; the descriptor belongs to us.
    unsafe {
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
        let mut fd = libc::openat(at, name.as_ptr().cast(), flags);
        if fd < 0 {
            libc::fchmodat(at, name.as_ptr().cast(), 0o700, 0);
            fd = libc::openat(at, name.as_ptr().cast(), flags);
        }
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::fchmod(fd, 0o700);
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_directories_are_removed_too() {
        let scratch = Scratch::new("test").unwrap();
        let path = scratch.path().to_path_buf();
        let locked = path.join("a/b");
        fs::create_dir_all(&locked).unwrap();
        fs::write(locked.join("file"), "x").unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(path.join("a"), fs::Permissions::from_mode(0o500)).unwrap();
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_deeper_than_any_path_is_removed() {
        let scratch = Scratch::new("test").unwrap();
        let path = scratch.path().to_path_buf();
        let mut at = open_folder(libc::AT_FDCWD, path.as_os_str().as_bytes()).unwrap();
        let name = "long-name-of-a-folder-that-is-one-of-very-many\0";
        for _ in 0..1500 {
            // SAFETY: the name ends in a null character.
            assert_eq!(unsafe { libc::mkdirat(at.as_raw_fd(), name.as_ptr().cast(), 0o700) }, 0);
            at = open_folder(at.as_raw_fd(), &name.as_bytes()[..name.len() - 1]).unwrap();
        }
        drop(scratch);
        assert!(!path.exists());
        // The slow way does the same, and is taken where the standard library gives up.
        let scratch = Scratch::new("test").unwrap();
        fs::create_dir_all(scratch.path().join("a/b/c/d")).unwrap();
        fs::write(scratch.path().join("a/b/file"), "x").unwrap();
        clear(scratch.path());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_child_leaves_is_read_only_if_it_is_a_file() {
        let scratch = Scratch::new("test").unwrap();
        fs::write(scratch.path().join("file"), "0123456789").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", scratch.path().join("link")).unwrap();
        // SAFETY: the name is a C string.
        let fifo = std::ffi::CString::new(scratch.path().join("fifo").as_os_str().as_bytes()).unwrap();
        assert_eq!(unsafe { libc::mkfifo(fifo.as_ptr(), 0o600) }, 0);
        assert_eq!(scratch.read("file", 4).unwrap(), b"0123");
        assert!(scratch.read("link", 4).is_err());
        assert!(scratch.read("fifo", 4).is_err());
        assert!(scratch.read(".", 4).is_err());
    }
}
